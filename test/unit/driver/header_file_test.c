// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of precompiled headers: what is written is read, and nothing of a file that is not whole.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/driver/header_file.h"

static const uint8_t toolchain[TN_HEADER_TOOLCHAIN_SIZE] = {1, 2, 3};

static void make_file(tn_buf *out) {
  tn_header_file file = {.unit_id = 0x123456789abcdef0, .is_no_rdc = true, .part_count = 2};
  memcpy(file.toolchain, toolchain, sizeof(toolchain));
  file.parts[0] = (tn_header_part){.header = tn_bytes_from("CPCH of the host", 16)};
  file.parts[1] = (tn_header_part){.target = TN_STR_LIT("spirv64"),
                                   .triple = TN_STR_LIT("spirv64-unknown-unknown"),
                                   .header = tn_bytes_from("CPCH of a device", 16)};
  tn_buf_init(out, 1 << 16);
  assert_int_equal(tn_header_file_write(&file, out, NULL), TN_OK);
}

static tn_status read_bytes(tn_bytes bytes, tn_header_file *out, tn_diag *diag) {
  return tn_header_file_read(bytes, "a.pch", toolchain, out, diag);
}

static void reads_what_was_written(void **state) {
  (void)state;
  tn_buf text;
  tn_header_file file;
  make_file(&text);
  assert_true(tn_header_file_is(tn_buf_bytes(&text)));
  assert_memory_equal(text.data, "CPCH", 4);  // by which Clang's driver knows NAME.gch
  assert_int_equal(read_bytes(tn_buf_bytes(&text), &file, NULL), TN_OK);
  assert_true(file.unit_id == 0x123456789abcdef0);
  assert_true(file.is_no_rdc);
  assert_int_equal(file.part_count, 2);
  assert_int_equal(file.parts[0].target.size, 0);
  assert_memory_equal(file.parts[0].header.data, "CPCH of the host", 16);
  assert_true(tn_str_equals(file.parts[1].target, TN_STR_LIT("spirv64")));
  assert_memory_equal(file.parts[1].header.data, "CPCH of a device", 16);
  // Clang's reader wants words of four bytes in their places.
  for (size_t i = 0; i < file.part_count; i++) {
    assert_int_equal((file.parts[i].header.data - (const uint8_t *)text.data) % 8, 0);
  }
  tn_buf_deinit(&text);
}

static void rejects_cut_files(void **state) {
  (void)state;
  tn_buf text;
  tn_header_file file;
  make_file(&text);
  for (size_t size = 0; size < text.size; size++) {
    tn_diag diag;
    assert_int_equal(read_bytes(tn_bytes_from(text.data, size), &file, &diag), TN_BAD_IMAGE);
    assert_non_null(strstr(diag.text, "'a.pch'"));
  }
  tn_buf_deinit(&text);
}

// Whatever byte is damaged, what is read is what was written.
static void rejects_damaged_files(void **state) {
  (void)state;
  tn_buf text;
  make_file(&text);
  size_t rejected = 0;
  for (size_t i = 0; i < text.size; i++) {
    tn_header_file file;
    tn_diag diag;
    text.data[i] ^= 0x10;
    if (read_bytes(tn_buf_bytes(&text), &file, &diag) == TN_OK) {
      assert_int_equal(file.part_count, 2);
      assert_memory_equal(file.parts[0].header.data, "CPCH of the host", 16);
      assert_true(tn_str_equals(file.parts[1].target, TN_STR_LIT("spirv64")));
      assert_memory_equal(file.parts[1].header.data, "CPCH of a device", 16);
    } else {
      assert_non_null(strstr(diag.text, "'a.pch'"));
      rejected++;
    }
    text.data[i] ^= 0x10;
  }
  assert_true(rejected > text.size / 2);
  tn_buf_deinit(&text);
}

static void names_other_builds(void **state) {
  (void)state;
  static const uint8_t other[TN_HEADER_TOOLCHAIN_SIZE] = {4, 5, 6};
  tn_buf text;
  tn_header_file file;
  tn_diag diag;
  make_file(&text);
  assert_int_equal(tn_header_file_read(tn_buf_bytes(&text), "a.pch", other, &file, &diag),
                   TN_BAD_IMAGE);
  assert_non_null(strstr(diag.text, "another version of Tenon"));
  assert_int_equal(read_bytes(tn_bytes_from("CPCH\1\2\3\4", 8), &file, &diag), TN_BAD_IMAGE);
  assert_non_null(strstr(diag.text, "made without -fsycl"));
  assert_int_equal(read_bytes(tn_bytes_from("#pragma once", 12), &file, &diag), TN_BAD_IMAGE);
  assert_non_null(strstr(diag.text, "not a precompiled header"));
  tn_buf_deinit(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_what_was_written),
      cmocka_unit_test(rejects_cut_files),
      cmocka_unit_test(rejects_damaged_files),
      cmocka_unit_test(names_other_builds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
