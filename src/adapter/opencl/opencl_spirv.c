// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the adapter reads and changes in SPIR-V modules. Source: SPIR-V 1.6, sections 2.3 and 3;
// specialization constants as in docs/decisions/gpu-lowering.md.
#include "adapter/opencl/opencl_code.h"
#include "image/image.h"

#include <string.h>

enum { HEADER_WORDS = 5, WORD = 4, MAGIC = 0x07230203 };
enum { OP_NAME = 5, OP_ENTRY_POINT = 15, OP_DECORATE = 71 };
enum { DECORATION_SPEC_ID = 1, DECORATION_LINKAGE = 41, LINKAGE_EXPORT = 0 };

typedef struct instruction {
  size_t at;  // bytes from the start of the module
  uint32_t code;
  uint32_t count;  // words
} instruction;

static uint32_t word_at(tn_bytes module, size_t at) {
  uint32_t word = 0;
  memcpy(&word, module.data + at, sizeof(word));
  return word;
}

static bool is_module(tn_bytes module) {
  return module.size >= HEADER_WORDS * WORD && word_at(module, 0) == MAGIC;
}

// The instruction behind `in`; false at the end, and where the module is damaged.
static bool next(tn_bytes module, instruction *in) {
  const size_t at = in->at + (size_t)in->count * WORD;
  if (module.size < WORD || at > module.size - WORD) {
    return false;
  }
  const uint32_t first = word_at(module, at);
  *in = (instruction){.at = at, .code = first & 0xffff, .count = first >> 16};
  return in->count > 0 && (module.size - at) / WORD >= in->count;
}

static uint32_t operand(tn_bytes module, const instruction *in, uint32_t index) {
  return index < in->count ? word_at(module, in->at + (size_t)index * WORD) : UINT32_MAX;
}

static bool next_spec(tn_bytes module, instruction *in, uint32_t *out_id) {
  while (next(module, in)) {
    if (in->code == OP_DECORATE && in->count == 4 && operand(module, in, 2) == DECORATION_SPEC_ID) {
      *out_id = operand(module, in, 3);
      return true;
    }
  }
  return false;
}

static const instruction before_first = {.count = HEADER_WORDS};

bool tn_opencl_spirv_has_specs(tn_bytes module) {
  instruction in = before_first;
  uint32_t id = 0;
  return is_module(module) && next_spec(module, &in, &id);
}

bool tn_opencl_spirv_has_asserts(tn_bytes module) {
  instruction in = before_first;
  uint32_t id = 0;
  bool has = false;
  while (!has && is_module(module) && next_spec(module, &in, &id)) {
    has = id == TN_SPIRV_ASSERT_ID;
  }
  return has;
}

// An id is the offset in the buffer times eight, and the size's logarithm.
tn_cl_int tn_opencl_spirv_set_specs(const tn_cl_driver *driver, tn_cl_program program,
                                    tn_bytes module, tn_bytes values, const void *asserts) {
  instruction in = before_first;
  uint32_t id = 0;
  tn_cl_int result = TN_CL_SUCCESS;
  while (result == TN_CL_SUCCESS && is_module(module) && next_spec(module, &in, &id)) {
    const size_t offset = id >> 3;
    const size_t size = (size_t)1 << (id & 7);
    if (id == TN_SPIRV_ASSERT_ID) {
      const uint64_t address = (uintptr_t)asserts;
      result = driver->program_spec_constant(program, id, sizeof(address), &address);
    } else if (offset <= values.size && size <= values.size - offset) {
      result = driver->program_spec_constant(program, id, size, values.data + offset);
    }
  }
  return result;
}

static tn_str text_at(tn_bytes module, const instruction *in, uint32_t index) {
  const char *text = (const char *)module.data + in->at + (size_t)index * WORD;
  const size_t room = index < in->count ? (size_t)(in->count - index) * WORD : 0;
  const char *end = room > 0 ? memchr(text, '\0', room) : NULL;
  return end ? tn_str_from_range(text, end) : (tn_str){0};
}

// An export that the program takes from elsewhere, or not at all, becomes the module's own.
static bool is_dropped(const tn_adapter_linkage *linkage, tn_bytes module, const instruction *in) {
  if (in->code != OP_DECORATE || operand(module, in, 2) != DECORATION_LINKAGE ||
      operand(module, in, in->count - 1) != LINKAGE_EXPORT) {
    return false;
  }
  const tn_str name = text_at(module, in, 3);
  const uint32_t role = linkage->symbol_role(linkage->user, name.data, name.size);
  return name.size > 0 && (role == TN_ADAPTER_SYMBOL_REPLACED || role == TN_ADAPTER_SYMBOL_UNUSED);
}

// Whether it names a kernel: drivers take that for the function's name in what they link.
static bool names_entry_point(tn_bytes module, const instruction *name) {
  enum { FUNCTION_AT = 2 };
  instruction in = before_first;
  const uint32_t id = name->code == OP_NAME ? operand(module, name, 1) : UINT32_MAX;
  while (id != UINT32_MAX && next(module, &in) && in.code != OP_NAME) {
    if (in.code == OP_ENTRY_POINT && operand(module, &in, FUNCTION_AT) == id) {
      return true;
    }
  }
  return false;
}

// Kernels of the first image alone are launched; another's may have their names.
static void write_entry_point(tn_bytes module, const instruction *in, uint64_t image_index,
                              tn_buf *out) {
  enum { NAME_AT = 3 };
  const tn_str name = text_at(module, in, NAME_AT);
  const size_t old_words = name.size / WORD + 1;
  const size_t rest_at = in->at + (NAME_AT + old_words) * WORD;
  const size_t rest_size = ((size_t)in->count - NAME_AT - old_words) * WORD;
  const size_t start = out->size;
  tn_buf_add(out, module.data + in->at, (size_t)NAME_AT * WORD);
  tn_buf_add_str(out, name);
  tn_buf_add_format(out, "$%llu", (unsigned long long)image_index);
  tn_buf_add_char(out, '\0');
  tn_buf_align(out, WORD);
  tn_buf_add(out, module.data + rest_at, rest_size);
  const uint32_t first = (uint32_t)((out->size - start) / WORD) << 16 | OP_ENTRY_POINT;
  if (out->size > start) {
    memcpy(out->data + start, &first, sizeof(first));
  }
}

void tn_opencl_spirv_write_roles(const tn_adapter_linkage *linkage, tn_bytes module, tn_buf *out) {
  instruction in = before_first;
  size_t copied = 0;
  while (is_module(module) && next(module, &in)) {
    const bool is_renamed =
        in.code == OP_ENTRY_POINT && linkage->image_index > 0 && text_at(module, &in, 3).size > 0;
    if (!is_renamed && !is_dropped(linkage, module, &in) &&
        !(linkage->image_index > 0 && names_entry_point(module, &in))) {
      continue;
    }
    tn_buf_add(out, module.data + copied, in.at - copied);
    copied = in.at + (size_t)in.count * WORD;
    if (is_renamed) {
      write_entry_point(module, &in, linkage->image_index, out);
    }
  }
  if (copied > 0) {
    tn_buf_add(out, module.data + copied, module.size - copied);
  }
}
