// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code of other makers says of its functions: SPIR-V, PTX.
// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "compile/driver/device_images.h"
#include "image/image.h"

typedef struct found {
  tn_arena arena;
  tn_list exports;
  tn_list imports;
  tn_status status;
  tn_diag diag;
} found;

static void read_symbols(found *out, uint32_t format, const void *code, size_t size) {
  *out = (found){.status = TN_OK};
  tn_arena_init(&out->arena);
  out->status = tn_foreign_symbols_read(format, tn_bytes_from(code, size), &out->arena,
                                        &out->exports, &out->imports, &out->diag);
}

static void expect_names(const tn_list *list, const char *expected) {
  tn_buf text;
  tn_buf_init(&text, 4096);
  for (size_t i = 0; i < list->count; i++) {
    const tn_symbol_info *symbol = list->items[i];
    tn_buf_add_format(&text, "%.*s ", TN_STR_ARG(symbol->name));
  }
  assert_string_equal(tn_buf_text(&text), expected);
  tn_buf_deinit(&text);
}

static void ptx(void **state) {
  (void)state;
  static const char code[] =
      ".version 8.0\n.target sm_90\n"
      ".extern .func  (.param .b32 func_retval0) _Z6neededi\n(\n\t.param .b32 p\n);\n"
      ".func local() { ret; }\n"
      ".visible .entry kernel()\n{ ret; }\n"
      ".visible .func _Z5plainv()\n{ ret; }\n"
      "\t.weak .func (.param .b32 r) _Z4weakv;\n"
      ".visible .func _Z5plainv()\n";
  found f;
  read_symbols(&f, TN_IMAGE_FORMAT_PTX, code, sizeof(code) - 1);
  assert_int_equal(f.status, TN_OK);
  expect_names(&f.exports, "_Z5plainv _Z4weakv ");
  expect_names(&f.imports, "_Z6neededi ");
  tn_arena_deinit(&f.arena);
}

enum { MAGIC = 0x07230203, DECORATE = 71, LINKAGE = 41, EXPORT = 0, IMPORT = 1, FUNCTION = 54 };

static void spirv(void **state) {
  (void)state;
  const uint32_t code[] = {MAGIC,
                           0x10200,
                           0,
                           9,
                           0,
                           2u << 16 | 17,
                           6,  // OpCapability Kernel
                           3u << 16 | 14,
                           2,
                           2,  // OpMemoryModel Physical64 OpenCL
                           6u << 16 | DECORATE,
                           3,
                           LINKAGE,
                           0x65766967,
                           0,
                           EXPORT,  // "give"
                           5u << 16 | DECORATE,
                           4,
                           LINKAGE,
                           0x006b7361,
                           IMPORT,  // "ask"
                           3u << 16 | DECORATE,
                           5,
                           22,
                           5u << 16 | FUNCTION,
                           1,
                           3,
                           0,
                           2,
                           5u << 16 | FUNCTION,
                           1,
                           4,
                           0,
                           2};
  found f;
  read_symbols(&f, TN_IMAGE_FORMAT_SPIRV, code, sizeof(code));
  assert_int_equal(f.status, TN_OK);
  expect_names(&f.exports, "give ");
  expect_names(&f.imports, "ask ");
  tn_arena_deinit(&f.arena);
  // Every cut in the middle of an instruction is damage; none reads beyond the end.
  const uint32_t endless[] = {MAGIC, 0x10200, 0, 9, 0, 0};
  read_symbols(&f, TN_IMAGE_FORMAT_SPIRV, endless, sizeof(endless));
  assert_int_equal(f.status, TN_BAD_IMAGE);
  tn_arena_deinit(&f.arena);
  read_symbols(&f, TN_IMAGE_FORMAT_SPIRV, code, sizeof(code) - 8);
  assert_int_equal(f.status, TN_BAD_IMAGE);
  tn_arena_deinit(&f.arena);
}

static void elf_of_another_class(void **state) {
  (void)state;
  static const char code[64] =
      "\x7f"
      "ELF";
  found f;
  read_symbols(&f, TN_IMAGE_FORMAT_CUBIN, code, sizeof(code));
  assert_int_equal(f.exports.count + f.imports.count, 0);
  tn_arena_deinit(&f.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ptx),
      cmocka_unit_test(spirv),
      cmocka_unit_test(elf_of_another_class),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
