// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections with several fat binaries, as linkers join them; what is none is handed out to be
// refused.
// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "image/image.h"

static void write_image(tn_buf *out, const char *target, size_t code_size) {
  static const uint8_t code[64];
  const tn_image_desc desc = {.target = target,
                              .triple = "t",
                              .format = TN_IMAGE_FORMAT_PTX,
                              .code = tn_bytes_from(code, code_size)};
  tn_buf_init(out, 1 << 20);
  assert_int_equal(tn_fatbin_write(&desc, 1, out, NULL), TN_OK);
}

static void expect_target(tn_bytes bytes, const char *target) {
  tn_fatbin fatbin;
  assert_int_equal(tn_fatbin_parse(bytes, &fatbin, NULL), TN_OK);
  assert_int_equal(fatbin.image_count, 1);
  assert_true(tn_str_equals(tn_fatbin_image_at(&fatbin, 0).target, tn_str_from(target)));
}

static void finds_each(void **state) {
  (void)state;
  // Sizes that need padding of every kind up to the next.
  for (size_t size = 0; size < 20; size++) {
    tn_buf first;
    tn_buf second;
    tn_buf section;
    write_image(&first, "one", size);
    write_image(&second, "two", 3);
    tn_buf_init(&section, 1 << 20);
    tn_buf_add(&section, first.data, first.size);
    tn_buf_align(&section, 16);
    tn_buf_add(&section, second.data, second.size);
    size_t cursor = 0;
    tn_bytes found;
    assert_true(tn_fatbin_next(tn_buf_bytes(&section), &cursor, &found));
    expect_target(found, "one");
    assert_true(tn_fatbin_next(tn_buf_bytes(&section), &cursor, &found));
    expect_target(found, "two");
    assert_false(tn_fatbin_next(tn_buf_bytes(&section), &cursor, &found));
    tn_buf_deinit(&section);
    tn_buf_deinit(&second);
    tn_buf_deinit(&first);
  }
}

static void hands_out_what_is_damaged(void **state) {
  (void)state;
  tn_buf image;
  write_image(&image, "one", 8);
  tn_fatbin fatbin;
  tn_bytes found;
  // Cut short, garbage behind it, and nothing at all.
  size_t cursor = 0;
  assert_true(tn_fatbin_next(tn_bytes_from(image.data, image.size - 1), &cursor, &found));
  assert_int_equal(found.size, image.size - 1);
  assert_int_equal(tn_fatbin_parse(found, &fatbin, NULL), TN_BAD_IMAGE);
  tn_buf_add_text(&image, "garbage");
  cursor = 0;
  assert_true(tn_fatbin_next(tn_buf_bytes(&image), &cursor, &found));
  expect_target(found, "one");
  assert_true(tn_fatbin_next(tn_buf_bytes(&image), &cursor, &found));
  assert_int_equal(found.size, 7);
  assert_false(tn_fatbin_next(tn_buf_bytes(&image), &cursor, &found));
  cursor = 0;
  assert_true(tn_fatbin_next((tn_bytes){0}, &cursor, &found));
  assert_int_equal(found.size, 0);
  assert_false(tn_fatbin_next((tn_bytes){0}, &cursor, &found));
  tn_buf_deinit(&image);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_each),
      cmocka_unit_test(hands_out_what_is_damaged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
