// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of kernels in SPIR-V modules of others, laid out as members of a struct would be:
// told from the types of their functions. SPIR-V 1.6, section 3.42.6; OpenCL C 3.0, section 6.3.5
// (vectors of three are as large as those of four).
#include "base/map.h"
#include "image/image_bytes.h"
#include "image/spirv_module.h"

enum {
  OP_TYPE_INT = 21,
  OP_TYPE_FLOAT = 22,
  OP_TYPE_VECTOR = 23,
  OP_TYPE_ARRAY = 28,
  OP_TYPE_STRUCT = 30,
  OP_TYPE_POINTER = 32,
  OP_TYPE_FIRST = 19,
  OP_TYPE_LAST = 39,
  OP_CONSTANT = 43,
  OP_FUNCTION = 54,
  OP_FUNCTION_PARAMETER = 55,
  OP_DECORATE = 71,
};
enum { DECORATION_ATTRIBUTE = 38, ATTRIBUTE_BY_VALUE = 2, DECORATION_PACKED = 10 };
enum {
  CLASS_CONSTANT = 0,
  CLASS_WORKGROUP = 4,
  CLASS_GLOBAL = 5,
  CLASS_FUNCTION = 7,
  CLASS_GENERIC = 8
};
// As TN_ARG_… in tenon/kernel.h.
enum { ARG_VALUE = 0, ARG_POINTER = 1, ARG_LOCAL = 3 };
enum { WORD = 4, POINTER_SIZE = 8, DEPTH_MAXIMUM = 32, STEPS_MAXIMUM = 1 << 20 };

typedef struct layout {
  uint64_t size;
  uint64_t align;
} layout;

typedef struct argument_reader {
  tn_bytes code;
  uint32_t bound;
  const uint8_t **definitions;  // types, constants and parameters by id; NULL: others
  uint8_t *marks;               // by id: 1 passed by value, 2 packed
  uint32_t steps;               // that are left: types of types of types can be many
} argument_reader;

static uint32_t word(const uint8_t *instruction, uint32_t index) {
  return tn_load_u32(instruction + (size_t)index * WORD);
}
static uint32_t code_of(const uint8_t *instruction) { return tn_load_u16(instruction); }
static uint32_t count_of(const uint8_t *instruction) { return tn_load_u16(instruction + 2); }

static const uint8_t *definition(const argument_reader *r, uint32_t id) {
  return id < r->bound ? r->definitions[id] : NULL;
}

static bool measure(argument_reader *r, uint32_t id, unsigned depth, layout *out);

static bool measure_struct(argument_reader *r, const uint8_t *type, unsigned depth, layout *out) {
  const bool is_packed = (r->marks[word(type, 1)] & 2) != 0;
  *out = (layout){0, 1};
  for (uint32_t i = 2; i < count_of(type); i++) {
    layout member = {0};
    if (!measure(r, word(type, i), depth + 1, &member)) {
      return false;
    }
    member.align = is_packed ? 1 : member.align;
    out->size = (out->size + member.align - 1) / member.align * member.align + member.size;
    out->align = member.align > out->align ? member.align : out->align;
    if (out->size > UINT32_MAX) {
      return false;
    }
  }
  out->size = (out->size + out->align - 1) / out->align * out->align;
  return true;
}

static bool measure_many(argument_reader *r, const uint8_t *type, unsigned depth, layout *out) {
  layout one = {0};
  uint64_t count = word(type, 3);
  const bool is_array = code_of(type) == OP_TYPE_ARRAY;
  if (is_array) {
    const uint8_t *length = definition(r, word(type, 3));
    count = length && code_of(length) == OP_CONSTANT && count_of(length) > 3 ? word(length, 3) : 0;
  }
  if (count == 0 || !measure(r, word(type, 2), depth + 1, &one) || one.size > UINT32_MAX) {
    return false;
  }
  const uint64_t taken = !is_array && count == 3 ? 4 : count;
  *out = (layout){one.size * taken, is_array ? one.align : one.size * taken};
  return out->size <= UINT32_MAX;
}

static bool measure(argument_reader *r, uint32_t id, unsigned depth, layout *out) {
  const uint8_t *type = definition(r, id);
  if (!type || depth > DEPTH_MAXIMUM || count_of(type) < 2 || r->steps == 0) {
    return false;
  }
  r->steps--;
  switch (code_of(type)) {
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT:
      *out = count_of(type) > 2 ? (layout){word(type, 2) / 8, word(type, 2) / 8} : (layout){0};
      return out->size > 0;
    case OP_TYPE_VECTOR:
    case OP_TYPE_ARRAY:
      return count_of(type) > 3 && measure_many(r, type, depth, out);
    case OP_TYPE_STRUCT:
      return measure_struct(r, type, depth, out);
    case OP_TYPE_POINTER:
      *out = (layout){POINTER_SIZE, POINTER_SIZE};
      return true;
    default:
      return false;
  }
}

// A parameter's kind and layout; false for images, samplers, events and what OpenCL does not have.
static bool describe(argument_reader *r, const uint8_t *parameter, uint32_t *out_kind,
                     layout *out) {
  const uint8_t *type = definition(r, word(parameter, 1));
  *out_kind = ARG_VALUE;
  if (!type || code_of(type) != OP_TYPE_POINTER || count_of(type) < 4) {
    return type && measure(r, word(parameter, 1), 0, out);
  }
  const uint32_t storage = word(type, 2);
  if (storage == CLASS_FUNCTION) {
    const uint32_t id = word(parameter, 2);
    return id < r->bound && (r->marks[id] & 1) != 0 && measure(r, word(type, 3), 0, out);
  }
  *out = (layout){POINTER_SIZE, POINTER_SIZE};
  *out_kind = storage == CLASS_WORKGROUP ? ARG_LOCAL : ARG_POINTER;
  return storage == CLASS_WORKGROUP || storage == CLASS_GLOBAL || storage == CLASS_CONSTANT ||
         storage == CLASS_GENERIC;
}

static void note(argument_reader *r, const uint8_t *in) {
  const uint32_t code = code_of(in);
  const uint32_t count = count_of(in);
  const bool is_type = code >= OP_TYPE_FIRST && code <= OP_TYPE_LAST && count > 1;
  const bool is_other = (code == OP_CONSTANT || code == OP_FUNCTION_PARAMETER) && count > 2;
  const uint32_t id = is_type ? word(in, 1) : is_other ? word(in, 2) : r->bound;
  if (id < r->bound) {
    r->definitions[id] = in;
  }
  if (code == OP_DECORATE && count > 2 && word(in, 1) < r->bound) {
    const bool is_by_value =
        count > 3 && word(in, 2) == DECORATION_ATTRIBUTE && word(in, 3) == ATTRIBUTE_BY_VALUE;
    r->marks[word(in, 1)] |= is_by_value ? 1 : word(in, 2) == DECORATION_PACKED ? 2 : 0;
  }
}

// From `at`, an OpFunction's; *out_count parameters follow it.
static tn_status lay_out(argument_reader *r, size_t at, tn_arena *arena, tn_kernel_info *out,
                         bool *out_has_object, tn_diag *diag) {
  const size_t words = r->code.size / WORD;
  size_t count = 0;
  const uint8_t *first = NULL;
  for (size_t next = at + count_of(r->code.data + at * WORD); next < words;) {
    const uint8_t *in = r->code.data + next * WORD;
    if (code_of(in) != OP_FUNCTION_PARAMETER || count_of(in) < 3) {
      break;
    }
    first = first ? first : in;
    count++;
    next += count_of(in);
  }
  uint8_t *args = tn_arena_alloc(arena, count * TN_KERNEL_ARG_SIZE + 1);
  if (!args) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read a SPIR-V module");
  }
  layout block = {0, 1};
  *out_has_object = first && word(first, 2) < r->bound && (r->marks[word(first, 2)] & 1) != 0;
  for (size_t i = 0; i < count; i++, first += (size_t)count_of(first) * WORD) {
    uint32_t kind = 0;
    layout one = {0};
    if (count > TN_KERNEL_ARG_MAXIMUM || !describe(r, first, &kind, &one) || one.size == 0) {
      return TN_FAIL(diag, BAD_IMAGE,
                     "the SPIR-V kernel %.*s: argument %zu is of a type that is not supported: "
                     "numbers, vectors, structures by value and pointers are",
                     TN_STR_ARG(tn_str_slice(out->name, 0, 120)), i + 1);
    }
    block.size = (block.size + one.align - 1) / one.align * one.align;
    tn_store_u32(args + i * TN_KERNEL_ARG_SIZE, (uint32_t)block.size);
    tn_store_u32(args + i * TN_KERNEL_ARG_SIZE + 4, (uint32_t)one.size);
    tn_store_u32(args + i * TN_KERNEL_ARG_SIZE + 8, kind);
    block.size += one.size;
    block.align = one.align > block.align ? one.align : block.align;
  }
  block.size = (block.size + block.align - 1) / block.align * block.align;
  if (block.size > UINT32_MAX) {
    return TN_FAIL(diag, BAD_IMAGE, "the SPIR-V kernel %.*s: its arguments are too large",
                   TN_STR_ARG(tn_str_slice(out->name, 0, 120)));
  }
  out->args = tn_bytes_from(args, count * TN_KERNEL_ARG_SIZE);
  out->arg_size = (uint32_t)block.size;
  out->arg_align = (uint32_t)block.align;
  out->flags |= TN_KERNEL_IS_FUNCTION;
  return TN_OK;
}

tn_status tn_spirv_read_arguments(const tn_spirv_module *module, uint32_t bound,
                                  const uint32_t *functions, tn_arena *arena, tn_diag *diag) {
  enum { HEADER_WORDS = 5 };
  const tn_bytes code = module->code;
  argument_reader r = {.code = code, .bound = bound, .steps = STEPS_MAXIMUM};
  r.definitions = tn_arena_alloc_array(arena, bound, sizeof(*r.definitions));
  r.marks = tn_arena_alloc(arena, bound);
  if (!r.definitions || !r.marks) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read a SPIR-V module");
  }
  const size_t words = code.size / WORD;
  for (size_t at = HEADER_WORDS; at < words; at += count_of(code.data + at * WORD)) {
    note(&r, code.data + at * WORD);
  }
  for (size_t at = HEADER_WORDS; at < words; at += count_of(code.data + at * WORD)) {
    const uint8_t *in = code.data + at * WORD;
    const bool is_function = code_of(in) == OP_FUNCTION && count_of(in) > 2;
    for (size_t i = 0; i < module->kernel_count && is_function; i++) {
      if (functions[i] == word(in, 2)) {
        TN_TRY(lay_out(&r, at, arena, &module->kernels[i], &module->has_object[i], diag));
      }
    }
  }
  return TN_OK;
}
