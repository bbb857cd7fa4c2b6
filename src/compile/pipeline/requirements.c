// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums up what the kernels and exports of an image ask of a device.
#include "compile/pipeline/requirements.h"

#include "image/image_bytes.h"

enum { ASPECTS_MAXIMUM = 64 };

static bool encode(const uint32_t *numbers, size_t count, tn_arena *arena, tn_bytes *out) {
  uint8_t *bytes = tn_arena_alloc(arena, count * sizeof(uint32_t));
  for (size_t i = 0; bytes && i < count; i++) {
    tn_store_u32(bytes + i * sizeof(uint32_t), numbers[i]);
  }
  *out = (tn_bytes){bytes, count * sizeof(uint32_t)};
  return bytes != NULL;
}

static tn_status add_numbers(tn_requirements *out, tn_str name, const uint32_t *numbers,
                             size_t count, tn_arena *arena, tn_diag *diag) {
  tn_prop *prop = &out->props[out->count++];
  *prop = (tn_prop){.name = name, .type = TN_PROP_BYTES};
  return encode(numbers, count, arena, &prop->bytes)
             ? TN_OK
             : TN_FAIL(diag, OUT_OF_MEMORY, "no memory to describe a device image");
}

static tn_status add_aspects(LLVMModuleRef module, tn_arena *arena, tn_requirements *out,
                             tn_diag *diag) {
  uint64_t aspects = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_kernel(f) || tn_function_is_export(f)) {
      aspects |= tn_aspects_read(tn_function_attr(f, TN_ATTR_ASPECTS));
    }
  }
  uint32_t numbers[ASPECTS_MAXIMUM];
  size_t count = 0;
  for (uint32_t number = 0; number < ASPECTS_MAXIMUM; number++) {
    if ((aspects >> number & 1) != 0) {
      numbers[count++] = number;
    }
  }
  return count > 0 ? add_numbers(out, TN_STR_LIT("aspects"), numbers, count, arena, diag) : TN_OK;
}

// The first kernel when all ask for what it does; NULL without kernels, and when they differ.
static const tn_kernel_info *common_sizes(const tn_lower_symbols *symbols, uint32_t flag) {
  const tn_kernel_info *first = symbols->kernel_count > 0 ? &symbols->kernels[0] : NULL;
  if (!first || (first->flags & flag) == 0) {
    return NULL;
  }
  for (size_t i = 1; i < symbols->kernel_count; i++) {
    const tn_kernel_info *kernel = &symbols->kernels[i];
    const bool is_same =
        (kernel->flags & flag) != 0 &&
        (flag == TN_KERNEL_REQUIRES_GROUP_SIZE
             ? memcmp(kernel->group_size, first->group_size, sizeof(first->group_size)) == 0
             : kernel->sub_group_size == first->sub_group_size);
    if (!is_same) {
      return NULL;
    }
  }
  return first;
}

tn_status tn_requirements_list(LLVMModuleRef module, const tn_lower_symbols *symbols,
                               tn_arena *arena, tn_requirements *out, tn_diag *diag) {
  *out = (tn_requirements){.count = 0};
  TN_TRY(add_aspects(module, arena, out, diag));
  const tn_kernel_info *group = common_sizes(symbols, TN_KERNEL_REQUIRES_GROUP_SIZE);
  if (group) {
    TN_TRY(add_numbers(out, TN_STR_LIT("reqd_work_group_size"), group->group_size, 3, arena, diag));
  }
  const tn_kernel_info *sub_group = common_sizes(symbols, TN_KERNEL_REQUIRES_SUB_GROUP_SIZE);
  if (sub_group) {
    out->props[out->count++] = (tn_prop){.name = TN_STR_LIT("reqd_sub_group_size"),
                                         .type = TN_PROP_U32,
                                         .u32 = sub_group->sub_group_size};
  }
  return TN_OK;
}
