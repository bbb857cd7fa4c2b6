// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What images ask of a device, read back; odd values are read as nothing.
#include "image/image.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

static const uint8_t aspects[] = {6, 0, 0, 0, 7, 0, 0, 0, 70, 0, 0, 0};
static const uint8_t sizes[] = {2, 0, 0, 0, 64, 0, 0, 0};

static tn_image write_image(const tn_prop *props, size_t count, tn_buf *out) {
  tn_diag diag = {0};
  tn_fatbin fatbin;
  const tn_image_desc desc = {.target = "t",
                              .triple = "t",
                              .format = TN_IMAGE_FORMAT_BITCODE,
                              .code = {(const uint8_t *)"code", 4},
                              .requirements = props,
                              .requirement_count = count};
  assert_int_equal(tn_fatbin_write(&desc, 1, out, &diag), TN_OK);
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(out), &fatbin, &diag), TN_OK);
  return tn_fatbin_image_at(&fatbin, 0);
}

static void test_values(void **state) {
  (void)state;
  tn_buf buf;
  uint32_t size[3] = {0};
  const tn_prop props[] = {
      {.name = TN_STR_LIT("aspects"), .type = TN_PROP_BYTES, .bytes = {aspects, sizeof(aspects)}},
      {.name = TN_STR_LIT("reqd_work_group_size"),
       .type = TN_PROP_BYTES,
       .bytes = {sizes, sizeof(sizes)}},
      {.name = TN_STR_LIT("reqd_sub_group_size"), .type = TN_PROP_U32, .u32 = 32},
  };
  tn_buf_init(&buf, 1 << 16);
  const tn_image image = write_image(props, TN_COUNT(props), &buf);
  assert_int_equal(tn_image_aspect_count(&image), 3);
  assert_int_equal(tn_image_aspect_at(&image, 0), TN_IMAGE_ASPECT_FP16);
  assert_int_equal(tn_image_aspect_at(&image, 1), TN_IMAGE_ASPECT_FP64);
  assert_int_equal(tn_image_aspect_at(&image, 2), 70);
  assert_true(tn_image_required_group_size(&image, size));
  assert_true(size[0] == 1 && size[1] == 2 && size[2] == 64);
  assert_int_equal(tn_image_required_sub_group_size(&image), 32);
  tn_buf_deinit(&buf);
}

static void test_nothing_and_oddities(void **state) {
  (void)state;
  tn_buf buf;
  uint32_t size[3] = {0};
  const tn_prop odd[] = {
      {.name = TN_STR_LIT("aspects"), .type = TN_PROP_U32, .u32 = 6},
      {.name = TN_STR_LIT("reqd_work_group_size"), .type = TN_PROP_BYTES, .bytes = {sizes, 3}},
      {.name = TN_STR_LIT("reqd_sub_group_size"), .type = TN_PROP_BYTES, .bytes = {sizes, 4}},
  };
  for (size_t count = 0; count <= TN_COUNT(odd); count += TN_COUNT(odd)) {
    tn_buf_init(&buf, 1 << 16);
    const tn_image image = write_image(odd, count, &buf);
    assert_int_equal(tn_image_aspect_count(&image), 0);
    assert_false(tn_image_required_group_size(&image, size));
    assert_int_equal(tn_image_required_sub_group_size(&image), 0);
    tn_buf_deinit(&buf);
  }
}

static void test_names(void **state) {
  (void)state;
  uint32_t number = 99;
  assert_string_equal(tn_aspect_name(0), "cpu");
  assert_string_equal(tn_aspect_name(TN_IMAGE_ASPECT_FP64), "fp64");
  assert_null(tn_aspect_name(TN_IMAGE_ASPECT_COUNT));
  for (uint32_t i = 0; i < TN_IMAGE_ASPECT_COUNT; ++i) {
    assert_true(tn_aspect_find(tn_str_from(tn_aspect_name(i)), &number) && number == i);
  }
  assert_false(tn_aspect_find(TN_STR_LIT("fp65"), &number));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_nothing_and_oddities),
      cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
