// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel attributes: C++ attributes in [[sycl::…]] are unknown to clang, so that the driver
// (compile/frontend/attribute_rewrite.c), or the headers where it does not look
// (include/sycl/kernel_attributes.hpp), leave what they say as annotations and as texts with a
// place.
// needs: a module straight from clang's device pass.  keeps: all code.  breaks: the marks are gone.
#include "compile/lower/attribute_marks.h"

#include "base/file.h"
#include "compile/lower/function_marks.h"
#include "compile/lower/lower.h"
#include "image/image.h"

#define TN_MARKS "llvm.dependent-libraries"
enum {
  TN_MARK_VALUES = 3,
  TN_MARK_PARTS = 4,
  TN_MARK_ASPECTS = 64,
  TN_MARK_LONGEST_GROUP = 4096,
  TN_MARK_LINES_BEFORE = 3,
  TN_MARK_SOURCE_MAX = 1 << 26
};

typedef struct size_attribute {
  tn_str mark;
  const char *attr;
  size_t value_count;  // texts of fewer get leading ones
} size_attribute;

static const size_attribute attributes[] = {
    {{"tenon.reqd_work_group_size", 26}, TN_ATTR_WORK_GROUP_SIZE, TN_MARK_VALUES},
    {{"tenon.reqd_sub_group_size", 25}, TN_ATTR_SUB_GROUP_SIZE, 1},
};

static const size_attribute *attribute_of(tn_str mark) {
  for (size_t i = 0; i < TN_COUNT(attributes); ++i) {
    if (tn_str_equals(attributes[i].mark, mark)) {
      return &attributes[i];
    }
  }
  return NULL;
}

static tn_status set_sizes(LLVMValueRef function, const size_attribute *attribute,
                           const uint64_t *values, size_t count, tn_arena *arena, tn_diag *diag) {
  uint64_t padded[TN_MARK_VALUES] = {1, 1, 1};
  if (count < 1 || count > attribute->value_count) {
    const char *name = tn_demangle(arena, tn_value_name(function));
    return TN_FAIL(diag, BUILD_FAILED, "%.*s on %s has %zu values; it takes %s",
                   TN_STR_ARG(attribute->mark), name ? name : "?", count,
                   attribute->value_count == 1 ? "one" : "one for each dimension, 1 to 3");
  }
  for (size_t i = 0; i < count; ++i) {
    if (values[i] == 0) {
      return TN_FAIL(diag, BUILD_FAILED, "%.*s: the sizes are at least 1",
                     TN_STR_ARG(attribute->mark));
    }
    // No device has as much, which a launch will say.
    padded[TN_MARK_VALUES - count + i] = values[i] > UINT32_MAX ? UINT32_MAX : values[i];
  }
  const char *text =
      attribute->value_count == 1
          ? tn_arena_format(arena, "%llu", (unsigned long long)padded[TN_MARK_VALUES - 1])
          : tn_arena_format(arena, "%llu,%llu,%llu", (unsigned long long)padded[0],
                            (unsigned long long)padded[1], (unsigned long long)padded[2]);
  if (!text) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to describe a kernel");
  }
  tn_function_set_attr(function, attribute->attr, text);
  return TN_OK;
}

// NULL when there are none. A struct by itself stands for what is in it.
static LLVMValueRef annotation_arguments(LLVMValueRef entry) {
  LLVMValueRef variable = LLVMIsAGlobalVariable(LLVMGetOperand(entry, 4));
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

static tn_status add_aspects(LLVMValueRef function, LLVMValueRef entry, tn_arena *arena,
                             tn_diag *diag) {
  uint64_t aspects[TN_MARK_ASPECTS];
  uint64_t set = tn_aspects_read(tn_function_attr(function, TN_ATTR_DEVICE_HAS));
  size_t count = 0;
  bool is_valid = tn_annotation_numbers(entry, aspects, TN_MARK_ASPECTS, &count);
  for (size_t i = 0; i < count && is_valid; ++i) {
    is_valid = aspects[i] < 64;
    set |= is_valid ? (uint64_t)1 << aspects[i] : 0;
  }
  if (!is_valid) {
    return TN_FAIL(diag, BUILD_FAILED, "device_has on %s: its arguments are aspects",
                   tn_demangle(arena, tn_value_name(function)));
  }
  const char *text = set == 0 ? "none" : tn_aspects_text(arena, set);
  if (!text) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to describe a kernel");
  }
  tn_function_set_attr(function, TN_ATTR_DEVICE_HAS, text);
  return TN_OK;
}

// An entry is {function, name, file, line, arguments}.
static tn_status apply_annotation(LLVMValueRef entry, tn_arena *arena, tn_diag *diag) {
  LLVMValueRef function =
      LLVMGetNumOperands(entry) == 5 ? tn_function_of_constant(LLVMGetOperand(entry, 0)) : NULL;
  const tn_str name = function ? tn_constant_text(LLVMGetOperand(entry, 1)) : (tn_str){0};
  const size_attribute *attribute = attribute_of(name);
  if (tn_str_equals(name, TN_STR_LIT("tenon.device_has"))) {
    return add_aspects(function, entry, arena, diag);
  }
  if (!attribute) {
    return function ? tn_function_mark_apply(function, name, entry, arena, diag) : TN_OK;
  }
  uint64_t values[TN_MARK_VALUES + 1] = {0};
  size_t count = 0;
  if (!tn_annotation_numbers(entry, values, TN_MARK_VALUES, &count)) {
    count = TN_MARK_VALUES + 1;
  }
  return set_sizes(function, attribute, values, count, arena, diag);
}

static tn_status apply_annotations(LLVMModuleRef module, tn_arena *arena, tn_diag *diag) {
  LLVMValueRef annotations = LLVMGetNamedGlobal(module, "llvm.global.annotations");
  LLVMValueRef list = annotations ? LLVMGetInitializer(annotations) : NULL;
  const int count = list ? LLVMGetNumOperands(list) : 0;
  for (int i = 0; i < count; ++i) {
    TN_TRY(apply_annotation(LLVMGetOperand(list, (unsigned)i), arena, diag));
  }
  return TN_OK;
}

typedef struct mark {
  const size_attribute *attribute;  // NULL: device_has
  tn_str text;
  uint64_t values[TN_MARK_VALUES];
  size_t value_count;
  uint64_t line;
  tn_str file;
} mark;

static size_t split(tn_str text, tn_str *parts) {
  size_t count = 0;
  while (count < TN_MARK_PARTS - 1) {
    const size_t bar = tn_str_find(text, TN_STR_LIT("|"));
    if (bar == SIZE_MAX) {
      return 0;
    }
    parts[count++] = (tn_str){text.data, bar};
    text = (tn_str){text.data + bar + 1, text.size - bar - 1};
  }
  parts[count++] = text;
  return count;
}

// Decimal numbers with commas between them.
static void read_values(tn_str text, mark *out) {
  bool in_number = false;
  out->value_count = 0;
  for (size_t i = 0; i < text.size; ++i) {
    const bool is_digit = text.data[i] >= '0' && text.data[i] <= '9';
    if (is_digit && !in_number && out->value_count == TN_MARK_VALUES) {
      out->value_count++;  // too many: refused where it is used
      return;
    }
    if (is_digit) {
      uint64_t *value = &out->values[in_number ? out->value_count - 1 : out->value_count++];
      *value = (in_number ? *value * 10 : 0) + (uint64_t)(text.data[i] - '0');
    }
    in_number = is_digit;
  }
}

static bool read_mark(LLVMValueRef node, mark *out) {
  if (LLVMGetMDNodeNumOperands(node) != 1) {
    return false;
  }
  LLVMValueRef operand = NULL;
  LLVMGetMDNodeOperands(node, &operand);
  unsigned size = 0;
  const char *text = operand ? LLVMGetMDString(operand, &size) : NULL;
  tn_str parts[TN_MARK_PARTS];
  if (!text || split((tn_str){text, size}, parts) != TN_MARK_PARTS) {
    return false;
  }
  out->attribute = attribute_of(parts[0]);
  out->text = parts[1];
  out->file = parts[3];
  if (out->attribute) {
    read_values(parts[1], out);
  } else if (!tn_str_equals(parts[0], TN_STR_LIT("tenon.device_has"))) {
    return false;
  }
  return tn_str_to_u64(parts[2], &out->line);
}

// The names that the preprocessor and the debug information have for a file: one may be the end of
// the other.
static bool is_same_file(tn_str a, tn_str b) {
  const tn_str longer = a.size > b.size ? a : b;
  const tn_str shorter = a.size > b.size ? b : a;
  const size_t rest = longer.size - shorter.size;
  return shorter.size > 0 && memcmp(longer.data + rest, shorter.data, shorter.size) == 0 &&
         (rest == 0 || longer.data[rest - 1] == '/' || shorter.data[0] == '/');
}

static bool is_call_operator(LLVMValueRef function) {
  return tn_function_is_defined(function) &&
         (tn_str_find(tn_value_name(function), TN_STR_LIT("clE")) != SIZE_MAX ||
          tn_str_find(tn_value_name(function), TN_STR_LIT("clI")) != SIZE_MAX);
}

// A function that is marked as a kernel by itself.
static bool is_free_function(LLVMValueRef function) {
  return tn_function_is_defined(function) && !tn_function_is_kernel(function) &&
         tn_function_attr(function, TN_ATTR_FUNCTION_KIND).size > 0;
}

// Sizes are kernels' only; device_has may stand at any function, and at declarations, whose places
// are known where the unit is optimized.
static bool is_candidate(LLVMValueRef function, const mark *m) {
  return m->attribute ? is_call_operator(function) || is_free_function(function)
                      : !tn_function_is_kernel(function);
}

// Whether the source has the end of a declaration between an attribute and a later line: then it is
// not an attribute of what begins there.
static bool has_end_between(const mark *m, tn_str file, uint64_t line) {
  char *path = tn_str_copy(file);
  char *data = NULL;
  size_t size = 0;
  bool found = false;
  if (path && tn_file_read_regular(path, TN_MARK_SOURCE_MAX, &data, &size, NULL) == TN_OK) {
    tn_str rest = {data, size};
    for (uint64_t at = 1; at < line && rest.data; ++at) {
      tn_str text = tn_str_split(&rest, '\n');
      for (size_t end; at == m->line && (end = tn_str_find(text, TN_STR_LIT("]]"))) != SIZE_MAX;) {
        text = tn_str_slice(text, end + 2, text.size - end - 2);
      }
      found = found || (at >= m->line && (tn_str_find_char(text, ';') != SIZE_MAX ||
                                          tn_str_find_char(text, '}') != SIZE_MAX));
    }
  }
  tn_free(data);
  tn_free(path);
  return found;
}

// How far the function's first line is from the mark, in the better of its two ways: the attribute
// stands behind the parameters, or before the declaration. UINT64_MAX: it is not this function's.
static uint64_t distance(LLVMValueRef function, const mark *m) {
  const tn_place place = tn_place_of_function(function);
  if (!is_same_file(place.file, m->file) || place.line > m->line + TN_MARK_LINES_BEFORE ||
      tn_place_last_line(function, place) < m->line ||
      ((!m->attribute || is_free_function(function)) && place.line > m->line &&
       has_end_between(m, place.file, place.line))) {
    return UINT64_MAX;
  }
  return place.line <= m->line ? m->line - place.line : UINT32_MAX + (uint64_t)place.line - m->line;
}

// Which lambda of its scope a call operator is of: the number in "…E0_clE…", empty for the first;
// "-" when it is no lambda's.
static tn_str lambda_number(LLVMValueRef function) {
  const tn_str name = tn_value_name(function);
  for (size_t at = name.size; at >= 4; --at) {
    const char *c = name.data + at - 4;
    if (memcmp(c, "_cl", 3) == 0 && (c[3] == 'E' || c[3] == 'I')) {
      size_t first = at - 4;
      while (first > 0 && name.data[first - 1] >= '0' && name.data[first - 1] <= '9') {
        --first;
      }
      return tn_str_slice(name, first, at - 4 - first);
    }
  }
  return TN_STR_LIT("-");
}

// "sycl::aspect::fp16" and the like; false when the last part of the name is no aspect's.
static bool read_aspect(tn_str word, uint64_t *set) {
  uint32_t number = 0;
  word = tn_str_trim(word);
  for (size_t at = word.size; at > 0; --at) {
    if (word.data[at - 1] == ':') {
      word = tn_str_slice(word, at, word.size - at);
      break;
    }
  }
  if (!tn_aspect_find(tn_str_trim(word), &number)) {
    return false;
  }
  *set |= (uint64_t)1 << number;
  return true;
}

// Several lists of one function add up.
static tn_status set_aspects(LLVMValueRef function, tn_str list, tn_arena *arena, tn_diag *diag) {
  const tn_str before = tn_function_attr(function, TN_ATTR_DEVICE_HAS);
  uint64_t set = tn_aspects_read(before);
  const char *text = NULL;
  tn_str rest = tn_str_trim(list);
  while (!text && rest.data && rest.size > 0) {
    const tn_str word = tn_str_split(&rest, ',');
    if (!read_aspect(word, &set)) {
      text = tn_arena_format(arena, "?%.*s", TN_STR_ARG(tn_str_trim(word)));
    }
  }
  if (!text) {
    text = set == 0 ? "none" : tn_aspects_text(arena, set);
  }
  if (!text) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to describe a kernel");
  }
  tn_function_set_attr(function, TN_ATTR_DEVICE_HAS, text);
  return TN_OK;
}

// Of functions that begin in one place SYCL_EXTERNAL ones come first, then kernels' call operators.
static int rank(LLVMValueRef function) {
  return tn_function_is_external(function) ? 2 : is_call_operator(function) ? 1 : 0;
}

typedef struct nearest_place {
  uint64_t distance;
  int rank;
} nearest_place;

static nearest_place find_nearest(LLVMModuleRef module, const mark *m) {
  nearest_place best = {UINT64_MAX, 0};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const nearest_place here = {is_candidate(f, m) ? distance(f, m) : UINT64_MAX, rank(f)};
    if (here.distance < best.distance ||
        (here.distance == best.distance && here.rank > best.rank)) {
      best = here;
    }
  }
  return best;
}

static tn_status apply_mark(LLVMModuleRef module, const mark *m, tn_arena *arena, tn_diag *diag) {
  const nearest_place nearest = find_nearest(module, m);
  // Several functions of one line are instantiations of one template, or cannot be told apart.
  LLVMValueRef first = NULL;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && nearest.distance != UINT64_MAX;
       f = LLVMGetNextFunction(f)) {
    if (!is_candidate(f, m) || rank(f) != nearest.rank || distance(f, m) != nearest.distance) {
      continue;
    }
    first = first ? first : f;
    if (!tn_str_equals(lambda_number(first), lambda_number(f))) {
      return TN_FAIL(
          diag, BUILD_FAILED,
          "%.*s:%llu: this line has several kernels, and which of them an attribute "
          "is meant for cannot be told: put each on lines of its own%s",
          TN_STR_ARG(m->file), (unsigned long long)m->line,
          m->attribute ? ", or give the attribute's number by a constexpr variable" : "");
    }
    TN_TRY(m->attribute ? set_sizes(f, m->attribute, m->values, m->value_count, arena, diag)
                        : set_aspects(f, m->text, arena, diag));
  }
  return TN_OK;
}

void tn_lower_add_attributes(LLVMModuleRef module, tn_str list) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  while (list.data && list.size > 0) {
    const tn_str line = tn_str_split(&list, '\n');
    LLVMMetadataRef text = LLVMMDStringInContext2(context, line.data, line.size);
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, &text, 1);
    LLVMAddNamedMetadataOperand(module, TN_MARKS, LLVMMetadataAsValue(context, node));
  }
}

tn_status tn_attribute_marks_apply(LLVMModuleRef module, tn_arena *arena, tn_diag *diag) {
  TN_TRY(apply_annotations(module, arena, diag));  // they say which functions are kernels
  const unsigned count = LLVMGetNamedMetadataNumOperands(module, TN_MARKS);
  if (count > 0) {
    LLVMValueRef *nodes = tn_arena_alloc_array(arena, count, sizeof(*nodes));
    if (!nodes) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read the attributes of kernels");
    }
    LLVMGetNamedMetadataOperands(module, TN_MARKS, nodes);
    for (unsigned i = 0; i < count; ++i) {
      mark m = {0};
      if (read_mark(nodes[i], &m)) {
        TN_TRY(apply_mark(module, &m, arena, diag));
      }
    }
  }
  return TN_OK;
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
           size <= TN_MARK_LONGEST_GROUP / product;
    product *= fits ? size : 1;
  }
  return tn_str_equals(own, TN_STR_LIT("1,1,1")) && !fits;
}

void tn_attribute_marks_inherit(LLVMValueRef kernel, LLVMValueRef function) {
  for (size_t i = 0; i < TN_COUNT(attributes); ++i) {
    const tn_str value = tn_function_attr(function, attributes[i].attr);
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
