// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device globals of an image: written, read, and refused when damaged.
#include "image/fatbin_layout.h"
#include "unit/image/unit_image.h"

static tn_diag diag;

static const uint8_t five[4] = {5};
static const tn_global_info globals[] = {
    {.name = {"_ZN2ns5tableE", 13},
     .display_name = {"ns::table", 9},
     .size = 16,
     .alignment = 8,
     .is_declared = true},
    {.name = {"_ZL5first@0123456789abcdef", 26},
     .display_name = {"first", 5},
     .size = 4,
     .alignment = 4,
     .is_image_scope = true,
     .value = {five, 4}},
};

static tn_status write_with(const tn_global_info *infos, size_t count, tn_buf *out) {
  const tn_image_desc desc = {.target = TN_TARGET_NATIVE_CPU,
                              .triple = "x86_64",
                              .format = TN_IMAGE_FORMAT_BITCODE,
                              .code = {(const uint8_t *)"BC", 2},
                              .globals = infos,
                              .global_count = count};
  tn_buf_init(out, SIZE_MAX);
  return tn_fatbin_write(&desc, 1, out, &diag);
}

static void globals_come_back(void **state) {
  (void)state;
  tn_buf buf;
  tn_fatbin fatbin;
  assert_int_equal(write_with(globals, TN_COUNT(globals), &buf), TN_OK);
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&buf), &fatbin, &diag), TN_OK);
  const tn_image image = tn_fatbin_image_at(&fatbin, 0);
  assert_int_equal(tn_image_global_count(&image), 2);
  const tn_global_info first = tn_image_global_at(&image, 0);
  assert_text(first.name, "_ZL5first@0123456789abcdef");
  assert_text(first.display_name, "first");
  assert_int_equal(first.value.size, 4);
  assert_memory_equal(first.value.data, five, 4);
  assert_false(first.is_declared);
  assert_true(first.is_image_scope);
  tn_global_info info;
  assert_true(tn_image_global_find(&image, TN_STR_LIT("_ZN2ns5tableE"), &info));
  assert_text(info.display_name, "ns::table");
  assert_int_equal(info.size, 16);
  assert_int_equal(info.alignment, 8);
  assert_int_equal(info.value.size, 0);
  assert_true(info.is_declared);
  assert_false(info.is_image_scope);
  assert_false(tn_image_global_find(&image, TN_STR_LIT("ns::table"), &info));
  tn_buf_deinit(&buf);
}

static void what_is_none_is_not_written(void **state) {
  (void)state;
  const tn_global_info wrong[] = {
      {.name = {"a", 1}, .size = 0, .alignment = 1},
      {.name = {"a", 1}, .size = 4, .alignment = 3},
      {.name = {"a", 1}, .size = 4, .alignment = 0},
      {.name = {"a", 1}, .size = 8, .alignment = 4, .value = {five, 4}},
      {.name = {"a", 1}, .display_name = {"a\0b", 3}, .size = 4, .alignment = 4},
  };
  for (size_t i = 0; i < TN_COUNT(wrong); i++) {
    tn_buf buf;
    assert_fails(write_with(&wrong[i], 1, &buf), INVALID_ARGUMENT, "device global a");
    tn_buf_deinit(&buf);
  }
}

// Every shortening, and every byte of the numbers, is read or refused, and never past its end.
static void damaged_records_are_refused(void **state) {
  (void)state;
  tn_arena arena;
  tn_arena_init(&arena);
  size_t size = 0;
  const uint8_t *record = tn_global_record_encode(&arena, &globals[1], &size);
  tn_global_info info;
  assert_non_null(record);
  assert_true(tn_global_record_decode(tn_bytes_from(record, size), &info));
  for (size_t cut = 0; cut < size; cut++) {
    uint8_t *copy = tn_arena_alloc(&arena, cut + 1);
    memcpy(copy, record, cut);
    // Without its value a record is a good one.
    assert_int_equal(tn_global_record_decode(tn_bytes_from(copy, cut), &info), cut == size - 4);
  }
  for (size_t at = 0; at < 16; at++) {
    uint8_t *copy = tn_arena_alloc(&arena, size);
    memcpy(copy, record, size);
    copy[at] = (uint8_t)(copy[at] ^ 0x83);
    assert_false(tn_global_record_decode(tn_bytes_from(copy, size), &info));
  }
  tn_arena_deinit(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(globals_come_back),
      cmocka_unit_test(what_is_none_is_not_written),
      cmocka_unit_test(damaged_records_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
