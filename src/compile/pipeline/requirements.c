// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads off the attributes of kernels and exports what an image asks of a device.
#include "compile/pipeline/requirements.h"

#include "image/image_bytes.h"

enum { NUMBERS_MAXIMUM = 64 };

typedef struct number_set {
  uint32_t items[NUMBERS_MAXIMUM];
  size_t count;
} number_set;

// Adds the numbers of "5,6", in ascending order.
static void add_numbers(number_set *set, tn_str text) {
  tn_str rest = text;
  while (rest.data && rest.size > 0) {
    uint64_t value = 0;
    if (!tn_str_to_u64(tn_str_split(&rest, ','), &value) || set->count == NUMBERS_MAXIMUM) {
      continue;
    }
    size_t at = 0;
    while (at < set->count && set->items[at] < value) {
      at++;
    }
    if (at < set->count && set->items[at] == value) {
      continue;
    }
    memmove(&set->items[at + 1], &set->items[at], (set->count - at) * sizeof(set->items[0]));
    set->items[at] = (uint32_t)value;
    set->count++;
  }
}

static bool encode(const uint32_t *numbers, size_t count, tn_arena *arena, tn_bytes *out) {
  uint8_t *bytes = tn_arena_alloc(arena, count * sizeof(uint32_t));
  for (size_t i = 0; bytes && i < count; i++) {
    tn_store_u32(bytes + i * sizeof(uint32_t), numbers[i]);
  }
  *out = (tn_bytes){bytes, count * sizeof(uint32_t)};
  return bytes != NULL;
}

// The value of an attribute that all kernels share; empty when they do not.
static tn_str common_value(LLVMModuleRef module, const char *attribute) {
  tn_str common = {NULL, 0};
  bool is_first = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!tn_function_is_kernel(f)) {
      continue;
    }
    const tn_str value = tn_function_attr(f, attribute);
    if (!is_first && !tn_str_equals(value, common)) {
      return (tn_str){NULL, 0};
    }
    common = value;
    is_first = false;
  }
  return common;
}

// "1,8,8": three, in this order.
static size_t sizes_of(tn_str text, uint32_t out[3]) {
  tn_str rest = text;
  size_t count = 0;
  while (rest.data && rest.size > 0 && count < 3) {
    uint64_t value = 0;
    if (!tn_str_to_u64(tn_str_split(&rest, ','), &value) || value > UINT32_MAX) {
      return 0;
    }
    out[count++] = (uint32_t)value;
  }
  return count;
}

static tn_status no_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to describe a device image");
}

static tn_status add_aspects(LLVMModuleRef module, tn_arena *arena, tn_requirements *out,
                             tn_diag *diag) {
  number_set aspects = {.count = 0};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const bool is_entry =
        tn_function_is_kernel(f) || (tn_function_is_defined(f) && tn_function_is_external(f) &&
                                     LLVMGetLinkage(f) != LLVMInternalLinkage);
    if (is_entry) {
      add_numbers(&aspects, tn_function_attr(f, TN_ATTR_ASPECTS));
    }
  }
  if (aspects.count == 0) {
    return TN_OK;
  }
  tn_prop *prop = &out->props[out->count++];
  *prop = (tn_prop){.name = TN_STR_LIT("aspects"), .type = TN_PROP_BYTES};
  return encode(aspects.items, aspects.count, arena, &prop->bytes) ? TN_OK : no_memory(diag);
}

tn_status tn_requirements_list(LLVMModuleRef module, tn_arena *arena, tn_requirements *out,
                               tn_diag *diag) {
  *out = (tn_requirements){.count = 0};
  TN_TRY(add_aspects(module, arena, out, diag));
  uint32_t sizes[3] = {0};
  const size_t count = sizes_of(common_value(module, TN_ATTR_WORK_GROUP_SIZE), sizes);
  if (count > 0) {
    tn_prop *prop = &out->props[out->count++];
    *prop = (tn_prop){.name = TN_STR_LIT("reqd_work_group_size"), .type = TN_PROP_BYTES};
    if (!encode(sizes, count, arena, &prop->bytes)) {
      return no_memory(diag);
    }
  }
  if (sizes_of(common_value(module, TN_ATTR_SUB_GROUP_SIZE), sizes) == 1) {
    out->props[out->count++] = (tn_prop){.name = TN_STR_LIT("reqd_sub_group_size"),
                                         .type = TN_PROP_U32, .u32 = sizes[0]};
  }
  return TN_OK;
}
