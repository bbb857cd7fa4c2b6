// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a SPIR-V module says of itself, in either byte order, and modules that are refused.
// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "image/image.h"

#include <stdio.h>

enum { KERNEL = 6, SHADER = 1, PHYSICAL64 = 2, PHYSICAL32 = 1, LINKAGE = 41, VARIABLE = 59 };
enum { EXPORT, IMPORT, ONCE };

typedef struct words {
  uint32_t items[256];
  size_t count;
} words;

static void add(words *w, uint32_t word) {
  assert_true(w->count < TN_COUNT(w->items));
  w->items[w->count++] = word;
}

static void add_instruction(words *w, uint32_t code, size_t count, const uint32_t *operands) {
  add(w, (uint32_t)(count + 1) << 16 | code);
  for (size_t i = 0; i < count; i++) {
    add(w, operands[i]);
  }
}
#define ADD(w, code, ...)                                                              \
  add_instruction(w, code, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), \
                  (const uint32_t[]){__VA_ARGS__})

// Operands before a name, the name, and one behind it.
static void add_named(words *w, uint32_t code, uint32_t a, uint32_t b, const char *name,
                      uint32_t last) {
  uint32_t text[32] = {0};
  memcpy(text, name, strlen(name));
  const size_t count = strlen(name) / 4 + 1;
  add(w, (uint32_t)(count + 4) << 16 | code);
  add(w, a);
  add(w, b);
  for (size_t i = 0; i < count; i++) {
    add(w, text[i]);
  }
  add(w, last);
}

static void begin(words *w, uint32_t capability, uint32_t addressing) {
  static const uint32_t header[] = {0x07230203, 0x00010400, 0, 20, 0};
  w->count = 0;
  for (size_t i = 0; i < TN_COUNT(header); i++) {
    add(w, header[i]);
  }
  ADD(w, 17, capability);
  ADD(w, 14, addressing, 2);
}

static void entry(words *w, uint32_t id, const char *name) {
  add_named(w, 15, KERNEL, id, name, 9);
}
static void link_as(words *w, uint32_t id, const char *name, uint32_t how) {
  add_named(w, 71, id, LINKAGE, name, how);
}
static void function(words *w, uint32_t id) { ADD(w, 54, 1, id, 0, 2); }

static void expect(const words *w, const char *expected) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_spirv_module read;
  tn_diag diag = {0};
  tn_buf text;
  tn_buf_init(&text, 4096);
  if (tn_spirv_read(tn_bytes_from(w->items, w->count * 4), &arena, &read, &diag) != TN_OK) {
    tn_buf_add_text(&text, diag.text);
    if (!strstr(diag.text, expected)) {
      fail_msg("\"%s\" does not say \"%s\"", diag.text, expected);
    }
  } else {
    for (size_t i = 0; i < read.kernel_count; i++) {
      tn_buf_add_format(&text, "%.*s ", TN_STR_ARG(read.kernels[i].name));
    }
    tn_buf_add_text(&text, "+");
    for (size_t i = 0; i < read.export_count; i++) {
      tn_buf_add_format(&text, " %.*s", TN_STR_ARG(read.exports[i].name));
    }
    tn_buf_add_text(&text, " -");
    for (size_t i = 0; i < read.import_count; i++) {
      tn_buf_add_format(&text, " %.*s", TN_STR_ARG(read.imports[i].name));
    }
    assert_string_equal(tn_buf_text(&text), expected);
    assert_int_equal(read.code.data[0], 0x03);  // always little-endian
  }
  tn_buf_deinit(&text);
  tn_arena_deinit(&arena);
}

static void reads_functions(void **state) {
  (void)state;
  words w;
  begin(&w, KERNEL, PHYSICAL64);
  entry(&w, 5, "vector_add");
  link_as(&w, 6, "_Z5givenv", EXPORT);
  link_as(&w, 7, "abc", ONCE);  // its NUL is the last byte of a word
  link_as(&w, 8, "need", IMPORT);
  link_as(&w, 9, "__spirv_BuiltInGlobalInvocationId", IMPORT);
  ADD(&w, VARIABLE, 1, 9, 1);
  for (uint32_t id = 5; id < 9; id++) {
    function(&w, id);
  }
  expect(&w, "vector_add + _Z5givenv abc - need");
  for (size_t i = 0; i < w.count; i++) {
    w.items[i] = __builtin_bswap32(w.items[i]);
  }
  // Literals are in the order of words too: swapping words as a whole is the other byte order.
  expect(&w, "vector_add + _Z5givenv abc - need");
}

static void refuses(void **state) {
  (void)state;
  words w;
  begin(&w, SHADER, PHYSICAL64);
  expect(&w, "capability Kernel");
  begin(&w, KERNEL, PHYSICAL32);
  expect(&w, "Physical64");
  begin(&w, KERNEL, PHYSICAL64);
  entry(&w, 5, "k");
  expect(&w, "is no function");
  function(&w, 5);
  entry(&w, 5, "k");
  expect(&w, "is there twice");
  begin(&w, KERNEL, PHYSICAL64);
  entry(&w, 20, "k");
  expect(&w, "names id 20 of 20");
  begin(&w, KERNEL, PHYSICAL64);
  link_as(&w, 5, "f", 3);
  expect(&w, "no linkage type");
  begin(&w, KERNEL, PHYSICAL64);
  link_as(&w, 5, "", EXPORT);
  expect(&w, "an empty name");
  begin(&w, KERNEL, PHYSICAL64);
  ADD(&w, 15, KERNEL, 5, 0x41414141);
  expect(&w, "no end of its name");
  begin(&w, KERNEL, PHYSICAL64);
  add(&w, 9u << 16 | 15);
  expect(&w, "has 9 words");
  add(&w, 0);
  w.items[w.count - 2] = 0;
  expect(&w, "has 0 words");
  begin(&w, KERNEL, PHYSICAL64);
  w.items[3] = UINT32_MAX;
  expect(&w, "bound of ids");
  w.count = 4;
  expect(&w, "without the header");
}

static void writes_a_fat_binary(void **state) {
  (void)state;
  words w;
  tn_buf out;
  tn_buf_init(&out, 1u << 16);
  begin(&w, KERNEL, PHYSICAL64);
  tn_diag diag = {0};
  const tn_bytes empty = tn_bytes_from(w.items, w.count * 4);
  assert_int_equal(tn_spirv_write_fatbin(empty, &out, &diag), TN_BAD_IMAGE);
  assert_non_null(strstr(diag.text, "neither a kernel nor a function"));
  entry(&w, 5, "k");
  function(&w, 5);
  const tn_bytes module = tn_bytes_from(w.items, w.count * 4);
  assert_int_equal(tn_spirv_write_fatbin(module, &out, NULL), TN_OK);
  tn_fatbin fatbin;
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&out), &fatbin, NULL), TN_OK);
  const tn_image image = tn_fatbin_image_at(&fatbin, 0);
  assert_int_equal(image.format, TN_IMAGE_FORMAT_SPIRV);
  assert_string_equal(image.target.data, TN_TARGET_SPIRV64);
  assert_true(tn_spirv_is_for(image.target.data));
  assert_false(tn_spirv_is_for("spirv"));
  assert_int_equal(image.code.size, module.size);
  assert_int_equal(tn_image_kernel_count(&image), 1);
  tn_buf_deinit(&out);
}

static void expect_arguments(const words *w, const char *expected) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_spirv_module read;
  tn_diag diag = {0};
  char text[1024] = "";
  const tn_status status =
      tn_spirv_read(tn_bytes_from(w->items, w->count * 4), &arena, &read, &diag);
  if (status != TN_OK) {
    (void)snprintf(text, sizeof(text), "%s", diag.text);
  } else {
    const tn_kernel_info *kernel = &read.kernels[0];
    size_t at = (size_t)snprintf(text, sizeof(text), "%u/%u", kernel->arg_size, kernel->arg_align);
    for (size_t i = 0; i < tn_kernel_info_arg_count(kernel); i++) {
      const tn_kernel_arg_info arg = tn_kernel_info_arg_at(kernel, i);
      at += (size_t)snprintf(text + at, sizeof(text) - at, " %u+%u:%s", arg.offset, arg.size,
                             tn_kernel_arg_kind_name(arg.kind));
    }
  }
  if (!strstr(text, expected)) {
    fail_msg("\"%s\" is not \"%s\"", text, expected);
  }
  tn_arena_deinit(&arena);
}

enum { GLOBAL = 5, WORKGROUP = 4, FUNCTION = 7, BY_VALUE = 2 };

static void begin_kernel(words *w) {
  begin(w, KERNEL, PHYSICAL64);
  w->items[3] = 200;  // the bound of ids
  entry(w, 100, "k");
  ADD(w, 71, 110, 38, BY_VALUE);
  ADD(w, 21, 11, 8, 0);        // char
  ADD(w, 21, 12, 32, 0);       // int
  ADD(w, 22, 13, 64);          // double
  ADD(w, 23, 14, 12, 3);       // int3
  ADD(w, 43, 12, 15, 5);       // 5
  ADD(w, 28, 16, 12, 15);      // int[5]
  ADD(w, 30, 17, 11, 13, 16);  // {char, double, int[5]}
  ADD(w, 32, 18, GLOBAL, 17);
  ADD(w, 32, 19, WORKGROUP, 12);
  ADD(w, 32, 20, FUNCTION, 17);
}

static void test_arguments(void **state) {
  (void)state;
  words w;
  begin_kernel(&w);
  function(&w, 100);
  ADD(&w, 55, 11, 101);
  ADD(&w, 55, 14, 102);
  ADD(&w, 55, 18, 103);
  ADD(&w, 55, 20, 110);
  ADD(&w, 55, 19, 104);
  ADD(&w, 55, 13, 105);
  expect_arguments(&w,
                   "96/16 0+1:value 16+16:value 32+8:pointer 40+40:value 80+8:local 88+8:value");
  begin_kernel(&w);
  function(&w, 100);
  expect_arguments(&w, "0/1");
  // A pointer to private memory that is not by value, and a type that is none.
  begin_kernel(&w);
  function(&w, 100);
  ADD(&w, 55, 20, 111);
  expect_arguments(&w, "argument 1 is of a type that is not supported");
  begin_kernel(&w);
  function(&w, 100);
  ADD(&w, 55, 12, 101);
  ADD(&w, 55, 199, 102);
  expect_arguments(&w, "argument 2 is of a type that is not supported");
  begin_kernel(&w);
  function(&w, 100);
  ADD(&w, 55, 4000000, 102);
  expect_arguments(&w, "argument 1 is of a type that is not supported");
}

// Each structure is two of the one before: there are 2 to the 40 members.
static void test_types_of_types(void **state) {
  (void)state;
  words w;
  begin_kernel(&w);
  ADD(&w, 30, 120, 11, 11);
  for (uint32_t id = 121; id < 160; id++) {
    ADD(&w, 30, id, id - 1, id - 1);
  }
  function(&w, 100);
  ADD(&w, 55, 159, 101);
  expect_arguments(&w, "argument 1 is of a type that is not supported");
  begin_kernel(&w);
  ADD(&w, 30, 120, 120, 12);  // a part of itself
  function(&w, 100);
  ADD(&w, 55, 120, 101);
  expect_arguments(&w, "argument 1 is of a type that is not supported");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arguments),      cmocka_unit_test(test_types_of_types),
      cmocka_unit_test(reads_functions),     cmocka_unit_test(refuses),
      cmocka_unit_test(writes_a_fat_binary),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
