// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks through SPIR-V: the header, every instruction's size, what is imported, and the source's
// language. Source: SPIR-V specification, physical layout of a module.
#include "compile/emit/spirv_check.h"

enum {
  MAGIC = 0x07230203,
  HEADER_WORDS = 5,
  BOUND_WORD = 3,
  OP_SOURCE = 3,
  OP_EXTENSION = 10,
  LANGUAGE_OPENCL_C = 3,
  LANGUAGE_OPENCL_CPP = 4,
  OP_DECORATE = 71,
  DECORATION_LINKAGE = 41,
  LINKAGE_IMPORT = 1,
};

static uint32_t word_at(tn_bytes code, size_t index) {
  uint32_t word = 0;
  memcpy(&word, code.data + index * sizeof(word), sizeof(word));
  return word;
}

// The name in `OpDecorate id LinkageAttributes "name" Import`, of `count` words from `at`; empty
// when it is another instruction.
static tn_str imported_name(tn_bytes code, size_t at, size_t count) {
  if (count < 5 || word_at(code, at + 2) != DECORATION_LINKAGE ||
      word_at(code, at + count - 1) != LINKAGE_IMPORT) {
    return (tn_str){NULL, 0};
  }
  const char *text = (const char *)code.data + (at + 3) * sizeof(uint32_t);
  const size_t maximum = (count - 4) * sizeof(uint32_t);
  const char *end = memchr(text, '\0', maximum);
  return (tn_str){text, end ? (size_t)(end - text) : maximum};
}

static tn_status check_import(tn_str name, tn_spirv_import_fn is_import, void *user,
                              tn_diag *diag) {
  if (name.size == 0 || tn_str_has_prefix(name, TN_STR_LIT("__spirv_BuiltIn")) ||
      is_import(user, name)) {
    return TN_OK;
  }
  return TN_FAIL(diag, BUILD_FAILED,
                 "device code calls '%.*s', which LLVM's back end for SPIR-V "
                 "does not know",
                 TN_STR_ARG(name));
}

// Clang says of C that it is OpenCL C 1.0. Drivers take atomic operations by the functions of that
// version, which know no generic pointers, and Intel's driver for CPUs does so with every version
// of OpenCL C: all code is what C++ is. That driver then vectorizes along the first dimension
// alone, as SYCL's sub-groups need it.
static void set_language(uint8_t *code, size_t at, size_t count) {
  const uint32_t language = LANGUAGE_OPENCL_CPP;
  uint8_t *place = code + (at + 1) * sizeof(uint32_t);
  uint32_t old = 0;
  if (count > 1) {
    memcpy(&old, place, sizeof(old));
  }
  if (old == LANGUAGE_OPENCL_C) {
    memcpy(place, &language, sizeof(language));
  }
}

static bool is_print_extension(tn_bytes code, size_t at, size_t count) {
  const char name[] = TN_SPIRV_PRINT_EXTENSION;
  return (count - 1) * sizeof(uint32_t) >= sizeof(name) &&
         memcmp(code.data + (at + 1) * sizeof(uint32_t), name, sizeof(name)) == 0;
}

static void remove_words(tn_buf *code, size_t at, size_t count) {
  const size_t begin = at * sizeof(uint32_t);
  const size_t size = count * sizeof(uint32_t);
  memmove(code->data + begin, code->data + begin + size, code->size - begin - size);
  code->size -= size;
}

tn_status tn_spirv_check(tn_buf *buf, tn_spirv_import_fn is_import, void *user, tn_diag *diag) {
  tn_bytes code = tn_buf_bytes(buf);
  if (code.size % sizeof(uint32_t) != 0 || code.size / sizeof(uint32_t) < HEADER_WORDS ||
      word_at(code, 0) != MAGIC || word_at(code, BOUND_WORD) == 0) {
    return TN_FAIL(diag, INTERNAL, "what LLVM wrote is no SPIR-V module");
  }
  for (size_t at = HEADER_WORDS; at < code.size / sizeof(uint32_t);) {
    const uint32_t first = word_at(code, at);
    const uint32_t op = first & 0xffff;
    const size_t count = first >> 16;
    if (count == 0 || count > code.size / sizeof(uint32_t) - at) {
      return TN_FAIL(diag, INTERNAL, "LLVM's SPIR-V is damaged at byte %zu", at * sizeof(uint32_t));
    }
    if (op == OP_EXTENSION && is_print_extension(code, at, count)) {
      remove_words(buf, at, count);
      code = tn_buf_bytes(buf);
      continue;
    }
    if (op == OP_DECORATE) {
      TN_TRY(check_import(imported_name(code, at, count), is_import, user, diag));
    } else if (op == OP_SOURCE) {
      set_language((uint8_t *)buf->data, at, count);
    }
    at += count;
  }
  return TN_OK;
}
