// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The section with device code: appended so that it is found again, refused for what is no object.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/driver/plan.h"
#include "compile/wrap/wrap.h"
#include "image/image.h"

static void make_object(tn_buf *out) {
  tn_buf_init(out, 1 << 20);
  const tn_wrap_params params = {0};
  assert_int_equal(tn_wrap_emit(&params, out, NULL), TN_OK);
}

static void appends_and_is_found(void **state) {
  (void)state;
  tn_buf object;
  tn_buf fat;
  make_object(&object);
  tn_buf_init(&fat, 1 << 20);
  const tn_bytes payload = tn_bytes_from("device code", 11);
  assert_int_equal(tn_fat_object_write(tn_buf_bytes(&object), payload, &fat, NULL), TN_OK);
  bool found = false;
  tn_bytes contents = {0};
  assert_int_equal(tn_elf_section_find(tn_buf_bytes(&fat), TN_SECTION_OFFLOAD, &found, &contents,
                                       NULL), TN_OK);
  assert_true(found);
  assert_int_equal(contents.size, payload.size);
  assert_memory_equal(contents.data, payload.data, payload.size);
  assert_int_equal((size_t)(contents.data - (const uint8_t *)fat.data) % 8, 0);
  // What was there is there still.
  assert_int_equal(tn_elf_section_find(tn_buf_bytes(&fat), ".init_array.101", &found, &contents,
                                       NULL), TN_OK);
  assert_true(found);
  tn_buf_deinit(&fat);
  tn_buf_deinit(&object);
}

static void refuses_cut_objects(void **state) {
  (void)state;
  tn_buf object;
  make_object(&object);
  for (size_t size = 0; size < object.size; size += 7) {
    tn_buf fat;
    tn_diag diag;
    tn_buf_init(&fat, 1 << 20);
    const tn_bytes cut = tn_bytes_from(object.data, size);
    assert_int_equal(tn_fat_object_write(cut, (tn_bytes){0}, &fat, &diag), TN_UNSUPPORTED);
    assert_non_null(strstr(diag.text, "ELF"));
    tn_buf_deinit(&fat);
  }
  tn_buf_deinit(&object);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(appends_and_is_found),
                                     cmocka_unit_test(refuses_cut_objects)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
