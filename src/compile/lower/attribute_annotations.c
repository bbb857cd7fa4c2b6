// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel attributes: compile/clang registers [[sycl::reqd_work_group_size(…)]] and its kin with
// Clang, which leaves their values in annotations.
// needs: a module straight from clang's device pass.  keeps: all code.  breaks: nothing.
#include "compile/lower/attribute_annotations.h"

#include "compile/lower/by_reference.h"
#include "compile/lower/function_marks.h"
#include "compile/lower/lower.h"
#include "image/image.h"

// Of an entry {function, name, file, line, arguments}, and of the arguments.
enum { ENTRY_FILE = 2, ENTRY_LINE = 3, ENTRY_ARGUMENTS = 4, ENTRY_FIELDS = 5 };
enum { ANNOTATION_ARGUMENTS = 3, SIZES_MAXIMUM = 3, LONGEST_GROUP = 4096, ASPECTS_MAXIMUM = 64 };
enum { TRY_BLOCKS_MAXIMUM = 1 << 20 };  // bytes of text
// As attribute_value_… in include/sycl/detail/attribute_values.hpp.
enum { VALUE_IS_OTHER, VALUE_IS_POSITIVE, VALUE_IS_NOT_POSITIVE, VALUE_IS_ASPECT };

typedef struct kernel_attribute {
  tn_str annotation;
  const char *name;
  const char *macro;  // of tenon/device_code.h
  const char *attr;
  size_t value_count;  // at most; fewer get leading ones. 0: aspects, as many as there are
} kernel_attribute;

static const kernel_attribute attributes[] = {
    {{"tenon.reqd_work_group_size", 26},
     "sycl::reqd_work_group_size",
     "TN_GROUP_SIZE",
     TN_ATTR_WORK_GROUP_SIZE,
     SIZES_MAXIMUM},
    {{"tenon.reqd_sub_group_size", 25},
     "sycl::reqd_sub_group_size",
     "TN_SUB_GROUP_SIZE",
     TN_ATTR_SUB_GROUP_SIZE,
     1},
    {{"tenon.device_has", 16}, "sycl::device_has", "sycl::device_has", TN_ATTR_DEVICE_HAS, 0},
};

static const kernel_attribute *find_attribute(tn_str annotation) {
  for (size_t i = 0; i < TN_COUNT(attributes); ++i) {
    if (tn_str_equals(attributes[i].annotation, annotation)) {
      return &attributes[i];
    }
  }
  return NULL;
}

// NULL when there are none. A struct by itself stands for what is in it.
static LLVMValueRef annotation_arguments(LLVMValueRef entry) {
  LLVMValueRef variable = LLVMIsAGlobalVariable(LLVMGetOperand(entry, ENTRY_ARGUMENTS));
  LLVMValueRef all = variable ? LLVMGetInitializer(variable) : NULL;
  LLVMTypeRef type = all ? LLVMTypeOf(all) : NULL;
  const bool is_one = all && LLVMCountStructElementTypes(type) == 1 &&
                      LLVMGetTypeKind(LLVMStructGetTypeAtIndex(type, 0)) == LLVMStructTypeKind;
  return is_one ? LLVMGetAggregateElement(all, 0) : all;
}

size_t tn_annotation_size(LLVMValueRef entry) {
  LLVMValueRef arguments = annotation_arguments(entry);
  return arguments ? LLVMCountStructElementTypes(LLVMTypeOf(arguments)) : 0;
}

bool tn_annotation_numbers(LLVMValueRef entry, uint64_t *out, size_t maximum, size_t *out_count) {
  LLVMValueRef arguments = annotation_arguments(entry);
  const unsigned argument_count = (unsigned)tn_annotation_size(entry);
  *out_count = 0;
  for (unsigned i = 0; i < argument_count; ++i) {
    LLVMValueRef value = LLVMIsAConstantInt(LLVMGetAggregateElement(arguments, i));
    if (!value || *out_count == maximum) {
      return false;
    }
    out[(*out_count)++] = LLVMConstIntGetZExtValue(value);
  }
  return true;
}

typedef struct attribute_value {
  uint64_t kind;
  uint64_t number;
} attribute_value;

typedef struct attribute_use {
  const kernel_attribute *attribute;
  const char *name;  // as the source has it
  LLVMValueRef function;
  attribute_value *values;
  size_t count;
  uint64_t line;
  uint64_t column;  // 0: unknown
  tn_str file;
} attribute_use;

static uint64_t read_number(LLVMValueRef aggregate, size_t index) {
  LLVMValueRef value = LLVMGetAggregateElement(aggregate, (unsigned)index);
  return value && LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : 0;
}

// The parts of the values that the headers make of an attribute's arguments: {{count, kind, number,
// kind, number …}}, line, column. NULL: those of the macros of C, which are the numbers alone.
static LLVMValueRef parts_of(LLVMValueRef arguments) {
  LLVMTypeRef type = arguments ? LLVMTypeOf(arguments) : NULL;
  if (!type || LLVMCountStructElementTypes(type) != ANNOTATION_ARGUMENTS ||
      LLVMGetTypeKind(LLVMStructGetTypeAtIndex(type, 0)) != LLVMStructTypeKind) {
    return NULL;
  }
  LLVMTypeRef values = LLVMStructGetTypeAtIndex(type, 0);
  const bool is_array = LLVMCountStructElementTypes(values) == 1 &&
                        LLVMGetTypeKind(LLVMStructGetTypeAtIndex(values, 0)) == LLVMArrayTypeKind;
  return is_array ? LLVMGetAggregateElement(LLVMGetAggregateElement(arguments, 0), 0) : NULL;
}

static bool read_parts(LLVMValueRef parts, tn_arena *arena, attribute_use *out) {
  out->count = (size_t)(LLVMGetArrayLength2(LLVMTypeOf(parts)) / 2);
  out->values = tn_arena_alloc_array(arena, out->count + 1, sizeof(*out->values));
  for (size_t i = 0; out->values && i < out->count; ++i) {
    out->values[i] =
        (attribute_value){read_number(parts, 2 * i + 1), read_number(parts, 2 * i + 2)};
  }
  return out->values != NULL;
}

static bool read_numbers(LLVMValueRef entry, tn_arena *arena, attribute_use *out) {
  const size_t size = tn_annotation_size(entry);
  out->values = tn_arena_alloc_array(arena, size + 1, sizeof(*out->values));
  uint64_t *numbers = tn_arena_alloc_array(arena, size + 1, sizeof(*numbers));
  if (!out->values || !numbers) {
    return false;
  }
  out->count = size;
  size_t count = 0;
  const bool are_numbers = tn_annotation_numbers(entry, numbers, size, &count);
  for (size_t i = 0; i < size; ++i) {
    const uint64_t kind = !are_numbers                       ? VALUE_IS_OTHER
                          : out->attribute->value_count == 0 ? VALUE_IS_ASPECT
                          : numbers[i] > 0                   ? VALUE_IS_POSITIVE
                                                             : VALUE_IS_NOT_POSITIVE;
    out->values[i] = (attribute_value){kind, are_numbers ? numbers[i] : 0};
  }
  return true;
}

static tn_status read_use(const kernel_attribute *attribute, LLVMValueRef function,
                          LLVMValueRef entry, tn_arena *arena, attribute_use *out, tn_diag *diag) {
  LLVMValueRef parts = parts_of(annotation_arguments(entry));
  *out = (attribute_use){.attribute = attribute,
                         .name = parts ? attribute->name : attribute->macro,
                         .function = function,
                         .file = tn_constant_text(LLVMGetOperand(entry, ENTRY_FILE)),
                         .line = read_number(entry, ENTRY_LINE)};
  if (parts) {
    out->line = read_number(annotation_arguments(entry), 1);
    out->column = read_number(annotation_arguments(entry), 2);
  }
  return (parts ? read_parts(parts, arena, out) : read_numbers(entry, arena, out))
             ? TN_OK
             : TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read the attributes of kernels");
}

// The unit's check reports the first misuse of each function.
static tn_status reject(const attribute_use *use, tn_arena *arena, tn_diag *diag,
                        const char *sentence) {
  const char *text =
      tn_arena_format(arena, "%llu|%llu|'%s' attribute %s|%.*s", (unsigned long long)use->line,
                      (unsigned long long)use->column, use->name, sentence, TN_STR_ARG(use->file));
  if (!text) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to describe a kernel");
  }
  if (tn_function_attr(use->function, TN_ATTR_MISUSE).size == 0) {
    tn_function_set_attr(use->function, TN_ATTR_MISUSE, text);
  }
  return TN_OK;
}

static const char *wrong_value(const attribute_use *use) {
  const uint64_t wanted = use->attribute->value_count == 0 ? VALUE_IS_ASPECT : VALUE_IS_POSITIVE;
  for (size_t i = 0; i < use->count; ++i) {
    const uint64_t kind = use->values[i].kind;
    if (kind != wanted) {
      return wanted == VALUE_IS_ASPECT ? "requires values of 'sycl::aspect'"
             : kind == VALUE_IS_NOT_POSITIVE
                 ? "requires a positive integral compile time constant expression"
                 : "requires integer constants";
    }
  }
  return NULL;
}

static const char *wrong_count(const attribute_use *use) {
  const size_t maximum = use->attribute->value_count;
  if (maximum == 0 || (use->count > 0 && use->count <= maximum)) {
    return NULL;
  }
  return maximum == 1      ? "takes one argument"
         : use->count == 0 ? "takes at least 1 argument"
                           : "takes no more than 3 arguments";
}

// Declarations of one function may repeat an attribute.
static tn_status set_sizes(const attribute_use *use, tn_arena *arena, tn_diag *diag) {
  uint64_t padded[SIZES_MAXIMUM] = {1, 1, 1};
  for (size_t i = 0; i < use->count; ++i) {
    // No device has as much, which a launch will say.
    const uint64_t size = use->values[i].number;
    padded[SIZES_MAXIMUM - use->count + i] = size > UINT32_MAX ? UINT32_MAX : size;
  }
  const char *text =
      use->attribute->value_count == 1
          ? tn_arena_format(arena, "%llu", (unsigned long long)padded[SIZES_MAXIMUM - 1])
          : tn_arena_format(arena, "%llu,%llu,%llu", (unsigned long long)padded[0],
                            (unsigned long long)padded[1], (unsigned long long)padded[2]);
  if (!text) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to describe a kernel");
  }
  const tn_str before = tn_function_attr(use->function, use->attribute->attr);
  if (before.size > 0 && !tn_str_equals(before, tn_str_from(text))) {
    return reject(use, arena, diag, "has other values than before");
  }
  tn_function_set_attr(use->function, use->attribute->attr, text);
  return TN_OK;
}

// Several lists of one function add up.
static tn_status add_aspects(const attribute_use *use, tn_arena *arena, tn_diag *diag) {
  uint64_t set = tn_aspects_read(tn_function_attr(use->function, TN_ATTR_DEVICE_HAS));
  for (size_t i = 0; i < use->count; ++i) {
    const uint64_t number = use->values[i].number;
    if (number >= ASPECTS_MAXIMUM) {
      return reject(use, arena, diag, "requires values of 'sycl::aspect'");
    }
    set |= (uint64_t)1 << number;
  }
  const char *text = set == 0 ? "none" : tn_aspects_text(arena, set);
  if (!text) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to describe a kernel");
  }
  tn_function_set_attr(use->function, TN_ATTR_DEVICE_HAS, text);
  return TN_OK;
}

static tn_status apply_use(const attribute_use *use, tn_arena *arena, tn_diag *diag) {
  const char *count = wrong_count(use);
  const char *value = wrong_value(use);
  if (count || value) {
    return reject(use, arena, diag, count ? count : value);
  }
  return use->attribute->value_count == 0 ? add_aspects(use, arena, diag)
                                          : set_sizes(use, arena, diag);
}

// What compile/clang/function_notes.hpp notes: the lines and columns of a function's try blocks.
// Without memory, or beyond the maximum, the function has no note.
static void keep_try_blocks(LLVMValueRef function, LLVMValueRef entry, tn_arena *arena) {
  const size_t size = tn_annotation_size(entry);
  uint64_t *numbers = tn_arena_alloc_array(arena, size + 1, sizeof(*numbers));
  size_t count = 0;
  tn_buf text;
  tn_buf_init(&text, TRY_BLOCKS_MAXIMUM);
  if (numbers && tn_annotation_numbers(entry, numbers, size, &count)) {
    for (size_t i = 0; i + 1 < count; i += 2) {
      tn_buf_add_format(&text, "%s%llu:%llu", i > 0 ? "," : "", (unsigned long long)numbers[i],
                        (unsigned long long)numbers[i + 1]);
    }
  }
  tn_buf_add_char(&text, '|');
  tn_buf_add_str(&text, tn_constant_text(LLVMGetOperand(entry, ENTRY_FILE)));
  if (tn_buf_status(&text, NULL) == TN_OK) {
    tn_function_set_attr(function, TN_ATTR_TRY_BLOCKS, tn_buf_text(&text));
  }
  tn_buf_deinit(&text);
}

LLVMValueRef tn_annotation_function(LLVMValueRef entry, tn_str *out_name) {
  LLVMValueRef function = LLVMGetNumOperands(entry) == ENTRY_FIELDS
                              ? tn_function_of_constant(LLVMGetOperand(entry, 0))
                              : NULL;
  *out_name = function ? tn_constant_text(LLVMGetOperand(entry, 1)) : (tn_str){0};
  return function;
}

static tn_status apply_annotation(LLVMValueRef entry, tn_arena *arena, tn_diag *diag) {
  tn_str name = {0};
  LLVMValueRef function = tn_annotation_function(entry, &name);
  if (!function) {
    return TN_OK;
  }
  if (tn_str_equals(name, TN_STR_LIT("tenon.try_blocks"))) {
    keep_try_blocks(function, entry, arena);
    return TN_OK;
  }
  const kernel_attribute *attribute = find_attribute(name);
  if (!attribute) {
    return tn_function_mark_apply(function, name, entry, arena, diag);
  }
  attribute_use use;
  TN_TRY(read_use(attribute, function, entry, arena, &use, diag));
  return apply_use(&use, arena, diag);
}

tn_status tn_annotations_apply(LLVMModuleRef module, tn_arena *arena, tn_diag *diag) {
  LLVMValueRef annotations = LLVMGetNamedGlobal(module, "llvm.global.annotations");
  LLVMValueRef list = annotations ? LLVMGetInitializer(annotations) : NULL;
  const int count = list ? LLVMGetNumOperands(list) : 0;
  for (int i = 0; i < count; ++i) {
    TN_TRY(apply_annotation(LLVMGetOperand(list, (unsigned)i), arena, diag));
  }
  return count > 0 ? tn_by_reference_apply(module, list, arena, diag) : TN_OK;
}

// A kernel of parallel_for_work_group has one work-item a group, whatever size the user's function
// asks for, unless that is more than any launch can have (longest_hierarchy in h_item.hpp): then
// the kernel keeps it and is refused by every device.
static bool is_overridden(tn_str own, tn_str value) {
  uint64_t product = 1;
  bool fits = true;
  while (value.data && value.size > 0) {
    uint64_t size = 0;
    fits = tn_str_to_u64(tn_str_split(&value, ','), &size) && fits && size > 0 &&
           size <= LONGEST_GROUP / product;
    product *= fits ? size : 1;
  }
  return tn_str_equals(own, TN_STR_LIT("1,1,1")) && !fits;
}

void tn_attributes_inherit(LLVMValueRef kernel, LLVMValueRef function) {
  for (size_t i = 0; i < TN_COUNT(attributes); ++i) {
    const tn_str value = attributes[i].value_count > 0
                             ? tn_function_attr(function, attributes[i].attr)
                             : (tn_str){0};
    const tn_str own = tn_function_attr(kernel, attributes[i].attr);
    char text[96];
    if (value.size > 0 && value.size < sizeof(text) &&
        (own.size == 0 || is_overridden(own, value))) {
      memcpy(text, value.data, value.size);
      text[value.size] = '\0';
      tn_function_set_attr(kernel, attributes[i].attr, text);
    }
  }
}
