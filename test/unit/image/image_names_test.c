// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that the compiler writes and the runtime looks for.
#include "image/image.h"
#include "unit/image/unit_image.h"

static void local_names_carry_the_unit(void **state) {
  (void)state;
  tn_buf buf;
  tn_buf_init(&buf, SIZE_MAX);
  tn_kernel_local_name(&buf, TN_STR_LIT("_ZTS4same"), 0xABCu);
  assert_string_equal(tn_buf_text(&buf), "_ZTS4same@0000000000000abc");
  tn_buf_clear(&buf);
  tn_kernel_local_name(&buf, TN_STR_LIT("k"), UINT64_MAX);
  assert_string_equal(tn_buf_text(&buf), "k@ffffffffffffffff");
  tn_buf_deinit(&buf);
}

static void markers_are_named_after_the_symbol(void **state) {
  (void)state;
  tn_buf buf;
  tn_buf_init(&buf, SIZE_MAX);
  tn_export_marker_name(&buf, TN_STR_LIT("_Z13LibDeviceFunci"));
  assert_string_equal(tn_buf_text(&buf), "__tenon_export__Z13LibDeviceFunci");
  tn_buf_deinit(&buf);
}

static void formats_have_names(void **state) {
  (void)state;
  assert_string_equal(tn_image_format_name(TN_IMAGE_FORMAT_BITCODE), "bitcode");
  assert_string_equal(tn_image_format_name(TN_IMAGE_FORMAT_NATIVE), "native");
  assert_string_equal(tn_image_format_name(TN_IMAGE_FORMAT_HOST), "host");
  assert_string_equal(tn_image_format_name(99), "unknown");
  assert_string_equal(tn_image_format_name(UINT32_MAX), "unknown");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(local_names_carry_the_unit),
      cmocka_unit_test(markers_are_named_after_the_symbol),
      cmocka_unit_test(formats_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
