// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are functions: what SYCL_EXT_ONEAPI_FUNCTION_PROPERTY and the table of arguments say
// in annotations (include/sycl/detail/free_function.hpp) becomes attributes.
// needs: a module straight from clang's device pass.  keeps: all code.  breaks: nothing.
#include "compile/lower/function_marks.h"

#include "compile/lower/attribute_annotations.h"
#include "compile/lower/lower.h"
#include "image/image.h"
#include "image/image_bytes.h"

#define TN_FUNCTION_MARK "tenon-free-function"
#define TN_ARGUMENTS_MARK "tenon-arguments"
// As mark_… in the header.
enum { MARK_DIMENSIONS = 3, MARK_GROUP_SIZE = 16, MARK_SUB_GROUP_SIZE = 17, MARK_DEVICE_HAS = 18 };
enum { MARK_NUMBERS = 4, ARGUMENT_NUMBERS = 3, FUNCTION_ALIGNMENT = 16 };

static tn_status set_text(LLVMValueRef function, const char *attr, const char *text,
                          tn_diag *diag) {
  if (!text) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to describe a kernel");
  }
  tn_function_set_attr(function, attr, text);
  return TN_OK;
}

// Sizes without leading ones: the list ends at the first 0.
static tn_status set_group_size(LLVMValueRef function, const uint64_t *sizes, tn_arena *arena,
                                tn_diag *diag) {
  uint32_t padded[3] = {1, 1, 1};
  size_t count = 0;
  while (count < 3 && sizes[count] != 0) {
    count++;
  }
  for (size_t i = 0; i < count; ++i) {
    padded[3 - count + i] = sizes[i] > UINT32_MAX ? UINT32_MAX : (uint32_t)sizes[i];
  }
  return set_text(function, TN_ATTR_WORK_GROUP_SIZE,
                  tn_arena_format(arena, "%u,%u,%u", padded[0], padded[1], padded[2]), diag);
}

static tn_status set_aspects(LLVMValueRef function, uint64_t set, tn_arena *arena, tn_diag *diag) {
  set |= tn_aspects_read(tn_function_attr(function, TN_ATTR_DEVICE_HAS));
  return set_text(function, TN_ATTR_DEVICE_HAS, set == 0 ? "none" : tn_aspects_text(arena, set),
                  diag);
}

static tn_status set_kind(LLVMValueRef function, uint64_t kind, tn_arena *arena, tn_diag *diag) {
  const tn_str before = tn_function_attr(function, TN_ATTR_FUNCTION_KIND);
  uint64_t number = kind;
  if (before.size > 0 && (!tn_str_to_u64(before, &number) || number != kind)) {
    return TN_FAIL(diag, BUILD_FAILED,
                   "%s is marked as two kinds of kernel: it can be a single_task_kernel or an "
                   "nd_range_kernel of one number of dimensions",
                   tn_demangle(arena, tn_value_name(function)));
  }
  // The alignment was for is_kernel_v only.
  LLVMSetAlignment(function, FUNCTION_ALIGNMENT);
  return set_text(function, TN_ATTR_FUNCTION_KIND,
                  tn_arena_format(arena, "%llu", (unsigned long long)kind), diag);
}

static tn_status apply_mark(LLVMValueRef function, const uint64_t *numbers, tn_arena *arena,
                            tn_diag *diag) {
  switch (numbers[0]) {
    case MARK_GROUP_SIZE:
      return set_group_size(function, numbers + 1, arena, diag);
    case MARK_SUB_GROUP_SIZE:
      return set_text(function, TN_ATTR_SUB_GROUP_SIZE,
                      tn_arena_format(arena, "%llu", (unsigned long long)numbers[1]), diag);
    case MARK_DEVICE_HAS:
      return set_aspects(function, numbers[1], arena, diag);
    default:
      return numbers[0] <= MARK_DIMENSIONS ? set_kind(function, numbers[0], arena, diag) : TN_OK;
  }
}

// Behind their count: all offsets, then all sizes, then all kinds.
static tn_status apply_arguments(LLVMValueRef function, const uint64_t *numbers, size_t count,
                                 tn_arena *arena, tn_diag *diag) {
  tn_buf text;
  tn_buf_init(&text, (size_t)1 << 20);
  for (size_t i = 0; i < count; ++i) {
    tn_buf_add_format(&text, "%s%llu,%llu,%llu", i > 0 ? ";" : "", (unsigned long long)numbers[i],
                      (unsigned long long)numbers[count + i],
                      (unsigned long long)numbers[2 * count + i]);
  }
  tn_status status = tn_buf_status(&text, diag);
  if (status == TN_OK) {
    status = set_text(function, TN_ATTR_ARGUMENTS,
                      count == 0 ? "none" : tn_arena_str(arena, tn_buf_str(&text)), diag);
  }
  tn_buf_deinit(&text);
  return status;
}

tn_status tn_function_mark_apply(LLVMValueRef function, tn_str name, LLVMValueRef annotation,
                                 tn_arena *arena, tn_diag *diag) {
  const bool is_table = tn_str_equals(name, TN_STR_LIT(TN_ARGUMENTS_MARK));
  if (!is_table && !tn_str_equals(name, TN_STR_LIT(TN_FUNCTION_MARK))) {
    return TN_OK;
  }
  const size_t size = tn_annotation_size(annotation);
  const size_t maximum =
      is_table ? 1 + (size_t)ARGUMENT_NUMBERS * TN_KERNEL_ARG_MAXIMUM : MARK_NUMBERS;
  uint64_t *numbers = tn_arena_alloc_array(arena, size + 1, sizeof(*numbers));
  size_t count = 0;
  if (!numbers) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read the marks of a kernel");
  }
  if (size > maximum || !tn_annotation_numbers(annotation, numbers, size, &count) ||
      (is_table ? count % ARGUMENT_NUMBERS != 1 : count != MARK_NUMBERS)) {
    return TN_FAIL(diag, BUILD_FAILED,
                   "%s: its annotation \"%.*s\" is not as Tenon's headers write it, or it has more "
                   "than %d arguments",
                   tn_demangle(arena, tn_value_name(function)), TN_STR_ARG(name),
                   TN_KERNEL_ARG_MAXIMUM);
  }
  return is_table ? apply_arguments(function, numbers + 1, count / ARGUMENT_NUMBERS, arena, diag)
                  : apply_mark(function, numbers, arena, diag);
}

// The first function called by `function` that has the attribute, also one that is only declared.
static LLVMValueRef callee_with(LLVMValueRef function, const char *attr) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
      if (callee && tn_function_attr(callee, attr).size > 0) {
        return callee;
      }
    }
  }
  return NULL;
}

static tn_status copy_attr(LLVMValueRef to, LLVMValueRef from, const char *attr, tn_arena *arena,
                           tn_diag *diag) {
  return set_text(to, attr, tn_arena_str(arena, tn_function_attr(from, attr)), diag);
}

tn_status tn_function_marks_inherit(LLVMValueRef kernel, tn_arena *arena, tn_diag *diag) {
  LLVMValueRef call = callee_with(kernel, TN_ATTR_ARGUMENTS);
  if (!call) {
    return TN_OK;
  }
  TN_TRY(copy_attr(kernel, call, TN_ATTR_ARGUMENTS, arena, diag));
  LLVMValueRef function = callee_with(call, TN_ATTR_FUNCTION_KIND);
  if (!function) {
    return TN_OK;
  }
  tn_attributes_inherit(kernel, function);
  TN_TRY(set_text(kernel, TN_ATTR_FUNCTION, tn_arena_str(arena, tn_value_name(function)), diag));
  return copy_attr(kernel, function, TN_ATTR_FUNCTION_KIND, arena, diag);
}

static bool read_argument(tn_str text, uint8_t *out) {
  for (int i = 0; i < ARGUMENT_NUMBERS; ++i) {
    uint64_t number = 0;
    if (!tn_str_to_u64(tn_str_split(&text, ','), &number) || number > UINT32_MAX) {
      return false;
    }
    tn_store_u32(out + 4 * i, (uint32_t)number);
  }
  return !text.data;
}

bool tn_function_marks_describe(LLVMValueRef kernel, tn_arena *arena, tn_kernel_info *out) {
  tn_str rest = tn_function_attr(kernel, TN_ATTR_ARGUMENTS);
  uint64_t kind = 0;
  if (rest.size == 0) {
    return true;
  }
  out->flags |= TN_KERNEL_IS_FUNCTION;
  if (tn_str_to_u64(tn_function_attr(kernel, TN_ATTR_FUNCTION_KIND), &kind) &&
      kind <= MARK_DIMENSIONS) {
    out->flags |= kind == 0 ? (uint32_t)TN_KERNEL_IS_SINGLE_TASK
                            : TN_KERNEL_USES_ND_RANGE | (uint32_t)kind << TN_KERNEL_DIMENSIONS_AT;
  }
  if (tn_str_equals(rest, TN_STR_LIT("none"))) {
    return true;
  }
  size_t count = 1;
  for (size_t i = 0; i < rest.size; ++i) {
    count += rest.data[i] == ';';
  }
  uint8_t *args = tn_arena_alloc_array(arena, count, TN_KERNEL_ARG_SIZE);
  bool good = args != NULL;
  for (size_t i = 0; i < count && good; ++i) {
    good = read_argument(tn_str_split(&rest, ';'), args + i * TN_KERNEL_ARG_SIZE);
  }
  out->args = tn_bytes_from(args, count * TN_KERNEL_ARG_SIZE);
  return good;
}
