// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specialization constants of an image: written, read, and refused when damaged.
#include "image/fatbin_layout.h"
#include "unit/image/unit_image.h"

static tn_diag diag;

static const tn_spec_piece pair_pieces[] = {{0, 1}, {8, 8}};
static const tn_spec_piece word_pieces[] = {{0, 4}};
static const uint8_t defaults[24] = {7, [8] = 1, 2, 3, 4, 5, 6, 7, 8, [16] = 9};
static const tn_spec_info specs[] = {
    {.name = {"word", 4},
     .size = 4,
     .alignment = 4,
     .offset = 16,
     .piece_count = 1,
     .pieces = word_pieces},
    {.name = {"pair", 4},
     .size = 16,
     .alignment = 8,
     .offset = 0,
     .piece_count = 2,
     .pieces = pair_pieces},
};

static tn_status write_with(const tn_spec_info *infos, size_t count, size_t buffer_size,
                            tn_buf *out) {
  const tn_image_desc desc = {.target = TN_TARGET_NATIVE_CPU,
                              .triple = "x86_64",
                              .format = TN_IMAGE_FORMAT_BITCODE,
                              .code = {(const uint8_t *)"BC", 2},
                              .specs = infos,
                              .spec_count = count,
                              .spec_defaults = {defaults, buffer_size}};
  tn_buf_init(out, SIZE_MAX);
  return tn_fatbin_write(&desc, 1, out, &diag);
}

static void constants_come_back(void **state) {
  (void)state;
  tn_buf buf;
  tn_fatbin fatbin;
  assert_int_equal(write_with(specs, TN_COUNT(specs), sizeof(defaults), &buf), TN_OK);
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&buf), &fatbin, &diag), TN_OK);
  const tn_image image = tn_fatbin_image_at(&fatbin, 0);
  assert_int_equal(tn_image_spec_count(&image), 2);
  assert_text(tn_image_spec_at(&image, 0).name, "pair");
  tn_spec_info info;
  assert_true(tn_image_spec_find(&image, TN_STR_LIT("word"), &info));
  assert_int_equal(info.size, 4);
  assert_int_equal(info.alignment, 4);
  assert_int_equal(info.offset, 16);
  assert_int_equal(info.value.size, 4);
  assert_int_equal(info.value.data[0], 9);
  assert_false(tn_image_spec_find(&image, TN_STR_LIT("wor"), &info));
  const tn_bytes buffer = tn_image_spec_defaults(&image);
  assert_int_equal(buffer.size, sizeof(defaults));
  assert_memory_equal(buffer.data, defaults, sizeof(defaults));
  tn_buf_deinit(&buf);
}

static void padding_is_left_out(void **state) {
  (void)state;
  tn_buf buf;
  tn_fatbin fatbin;
  assert_int_equal(write_with(specs, TN_COUNT(specs), sizeof(defaults), &buf), TN_OK);
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&buf), &fatbin, &diag), TN_OK);
  const tn_image image = tn_fatbin_image_at(&fatbin, 0);
  tn_spec_info info;
  assert_true(tn_image_spec_find(&image, TN_STR_LIT("pair"), &info));
  uint8_t given[16];
  uint8_t got[16];
  memset(given, 0xee, sizeof(given));
  tn_spec_value_copy(&info, given, got);
  static const uint8_t expected[16] = {0xee, [8] = 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee};
  assert_memory_equal(got, expected, sizeof(expected));
  tn_buf_deinit(&buf);
}

static void images_without_any_are_as_before(void **state) {
  (void)state;
  tn_buf buf;
  tn_fatbin fatbin;
  assert_int_equal(write_with(NULL, 0, 0, &buf), TN_OK);
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&buf), &fatbin, &diag), TN_OK);
  const tn_image image = tn_fatbin_image_at(&fatbin, 0);
  assert_int_equal(tn_image_prop_set_count(&image), 0);
  assert_int_equal(tn_image_spec_count(&image), 0);
  assert_int_equal(tn_image_spec_defaults(&image).size, 0);
  tn_buf_deinit(&buf);
}

static void descriptions_are_checked(void **state) {
  (void)state;
  static const tn_spec_piece overlapping[] = {{0, 4}, {2, 2}};
  static const tn_spec_piece outside[] = {{2, 4}};
  const tn_spec_info bad[] = {
      {.name = specs[0].name, .size = 4, .alignment = 3, .piece_count = 1, .pieces = word_pieces},
      {.name = specs[0].name,
       .size = 4,
       .alignment = 4,
       .offset = 2,
       .piece_count = 1,
       .pieces = word_pieces},
      {.name = specs[0].name, .size = 0, .alignment = 1},
      {.name = specs[0].name, .size = 4, .alignment = 4, .piece_count = 2, .pieces = overlapping},
      {.name = specs[0].name, .size = 4, .alignment = 4, .piece_count = 1, .pieces = outside},
      {.name = specs[0].name,
       .size = 4,
       .alignment = 4,
       .offset = 24,
       .piece_count = 1,
       .pieces = word_pieces},
  };
  for (size_t i = 0; i < TN_COUNT(bad); i++) {
    tn_buf buf;
    assert_fails(write_with(&bad[i], 1, sizeof(defaults), &buf), INVALID_ARGUMENT, "do not fit");
    tn_buf_deinit(&buf);
  }
}

// Finds the record of "word" in the container and changes one of its numbers.
static void damage(tn_buf *buf, size_t field_at, uint32_t value, const char *sentence) {
  tn_fatbin fatbin;
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(buf), &fatbin, &diag), TN_OK);
  const tn_image image = tn_fatbin_image_at(&fatbin, 0);
  const tn_prop_set set = tn_image_prop_set_find(&image, TN_PROPS_SPECS);
  tn_prop prop;
  assert_true(tn_prop_set_find(&set, TN_STR_LIT("word"), &prop));
  uint8_t *bytes = (uint8_t *)buf->data;
  uint8_t *field = bytes + (prop.bytes.data - bytes) + field_at;
  const uint32_t before = tn_load_u32(field);
  tn_store_u32(field, value);
  tn_store_u64(bytes + TN_HEADER_CHECKSUM_AT, tn_fatbin_checksum(tn_buf_bytes(buf)));
  assert_fails(tn_fatbin_parse(tn_buf_bytes(buf), &fatbin, &diag), BAD_IMAGE, sentence);
  tn_store_u32(field, before);
  tn_store_u64(bytes + TN_HEADER_CHECKSUM_AT, tn_fatbin_checksum(tn_buf_bytes(buf)));
}

static void damaged_records_are_refused(void **state) {
  (void)state;
  tn_buf buf;
  assert_int_equal(write_with(specs, TN_COUNT(specs), sizeof(defaults), &buf), TN_OK);
  damage(&buf, 0, 0, "does not decode");  // no bytes
  damage(&buf, 0, 3, "does not decode");  // fewer than its piece has
  damage(&buf, 4, 0, "does not decode");  // alignment
  damage(&buf, 4, 12, "does not decode");
  damage(&buf, 8, 18, "does not decode");  // not at its alignment
  damage(&buf, 8, UINT32_MAX - 3, "does not decode");
  damage(&buf, 12, 2, "does not decode");  // more pieces than there are
  damage(&buf, 12, UINT32_MAX, "does not decode");
  damage(&buf, 16, 1, "does not decode");  // its piece ends outside
  damage(&buf, 20, 0, "does not decode");
  damage(&buf, 0, 12, "outside the buffer of their default values");
  damage(&buf, 8, 24, "outside the buffer of their default values");
  tn_buf_deinit(&buf);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constants_come_back),
      cmocka_unit_test(padding_is_left_out),
      cmocka_unit_test(images_without_any_are_as_before),
      cmocka_unit_test(descriptions_are_checked),
      cmocka_unit_test(damaged_records_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
