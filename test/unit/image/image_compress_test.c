// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compressed code of images: it comes back as it was, and what is wrong with it is said.
#include "image/image.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "unit/image/sample_image.h"

enum { CODE_SIZE = 50000 };

static uint8_t code[CODE_SIZE];
static tn_arena arena;

// The one image of a fat binary, which stays in `buf`.
static tn_image image_of(const tn_buf *buf) {
  tn_fatbin fatbin;
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(buf), &fatbin, NULL), TN_OK);
  assert_int_equal(fatbin.image_count, 1);
  return tn_fatbin_image_at(&fatbin, 0);
}

static void write_image(tn_buf *out, tn_bytes bytes, uint32_t format, const tn_prop *misc,
                        size_t misc_count) {
  tn_image_desc desc = sample_images[0];
  desc.code = bytes;
  desc.format = format;
  desc.misc = misc;
  desc.misc_count = misc_count;
  tn_buf_init(out, SIZE_MAX);
  assert_int_equal(tn_fatbin_write(&desc, 1, out, NULL), TN_OK);
}

static void compress_sample(tn_buf *out, uint32_t level) {
  tn_buf plain;
  write_image(&plain, tn_bytes_from(code, CODE_SIZE), TN_IMAGE_FORMAT_BITCODE, sample_misc,
              TN_COUNT(sample_misc));
  const tn_image image = image_of(&plain);
  tn_buf_init(out, SIZE_MAX);
  assert_int_equal(tn_image_compress(&image, level, out, NULL), TN_OK);
  tn_buf_deinit(&plain);
}

static void assert_code(const tn_image *image, tn_bytes expected) {
  tn_bytes got = {NULL, 0};
  assert_int_equal(tn_image_code(image, &arena, &got, NULL), TN_OK);
  assert_int_equal(got.size, expected.size);
  assert_memory_equal(got.data, expected.data, expected.size);
}

static void test_comes_back(void **state) {
  (void)state;
  static const uint32_t levels[] = {1, TN_COMPRESSION_LEVEL_DEFAULT, TN_COMPRESSION_LEVEL_MAXIMUM};
  for (size_t i = 0; i < TN_COUNT(levels); i++) {
    tn_buf packed;
    compress_sample(&packed, levels[i]);
    assert_true(packed.size < CODE_SIZE / 4);
    const tn_image image = image_of(&packed);
    assert_true(tn_image_is_compressed(&image));
    assert_code(&image, tn_bytes_from(code, CODE_SIZE));
    tn_buf_deinit(&packed);
  }
}

static void test_all_else_stays(void **state) {
  (void)state;
  tn_buf packed;
  compress_sample(&packed, 3);
  const tn_image image = image_of(&packed);
  assert_int_equal(tn_image_kernel_count(&image), TN_COUNT(sample_kernels));
  assert_int_equal(tn_image_import_count(&image), TN_COUNT(sample_imports));
  assert_int_equal(tn_image_export_count(&image), TN_COUNT(sample_exports));
  const tn_prop_set misc = tn_image_prop_set_find(&image, TN_PROPS_MISC);
  assert_int_equal(misc.count, TN_COUNT(sample_misc) + 2);
  tn_prop prop;
  assert_true(tn_prop_set_find(&misc, TN_STR_LIT("optLevel"), &prop));
  assert_int_equal(prop.u32, 2);
  assert_true(tn_prop_set_find(&misc, TN_STR_LIT(TN_MISC_CODE_SIZE), &prop));
  assert_int_equal(prop.u32, CODE_SIZE);
  // Compressed once more it is the same.
  tn_buf again;
  tn_buf_init(&again, SIZE_MAX);
  assert_int_equal(tn_image_compress(&image, 3, &again, NULL), TN_OK);
  assert_int_equal(again.size, packed.size);
  assert_memory_equal(again.data, packed.data, packed.size);
  tn_buf_deinit(&again);
  tn_buf_deinit(&packed);
}

static void assert_stays_plain(tn_bytes bytes, uint32_t format) {
  tn_buf plain;
  tn_buf packed;
  write_image(&plain, bytes, format, NULL, 0);
  tn_buf_init(&packed, SIZE_MAX);
  tn_image image = image_of(&plain);
  assert_int_equal(tn_image_compress(&image, 10, &packed, NULL), TN_OK);
  image = image_of(&packed);
  assert_false(tn_image_is_compressed(&image));
  assert_code(&image, bytes);
  tn_buf_deinit(&packed);
  tn_buf_deinit(&plain);
}

static void test_what_gains_nothing_stays(void **state) {
  (void)state;
  static const uint8_t zeros[2000000];
  assert_stays_plain(tn_bytes_from("abc", 3), TN_IMAGE_FORMAT_BITCODE);
  assert_stays_plain(tn_bytes_from(code, CODE_SIZE), TN_IMAGE_FORMAT_HOST);
  // A reader would take it for a bomb.
  assert_stays_plain(tn_bytes_from(zeros, sizeof(zeros)), TN_IMAGE_FORMAT_BITCODE);
}

// What tn_image_code says of bytes that claim to be of so many.
static void assert_refused(tn_bytes bytes, uint32_t method, uint32_t size, const char *words) {
  const tn_prop misc[] = {
      {.name = TN_STR_LIT(TN_MISC_COMPRESSION), .type = TN_PROP_U32, .u32 = method},
      {.name = TN_STR_LIT(TN_MISC_CODE_SIZE), .type = TN_PROP_U32, .u32 = size},
  };
  tn_buf buf;
  write_image(&buf, bytes, TN_IMAGE_FORMAT_BITCODE, misc, TN_COUNT(misc));
  const tn_image image = image_of(&buf);
  tn_diag diag = {0};
  tn_bytes got = {NULL, 1};
  assert_int_equal(tn_image_code(&image, &arena, &got, &diag), TN_BAD_IMAGE);
  assert_non_null(strstr(diag.text, words));
  assert_int_equal(got.size, 0);
  tn_buf_deinit(&buf);
}

static void test_hostile_claims(void **state) {
  (void)state;
  tn_buf packed;
  compress_sample(&packed, 10);
  const tn_image image = image_of(&packed);
  uint8_t copy[CODE_SIZE];
  const size_t size = image.code.size;
  memcpy(copy, image.code.data, size);
  assert_refused(tn_bytes_from(copy, size), 7, CODE_SIZE, "does not know (7)");
  assert_refused(tn_bytes_from(copy, size), 1, 0, "said to become 0");
  assert_refused(tn_bytes_from(copy, size), 1, UINT32_MAX, "said to become");
  assert_refused(tn_bytes_from(copy, size), 1, 1 << 30, "said to become");
  assert_refused(tn_bytes_from(copy, size), 1, CODE_SIZE - 1, "not of the 49999 bytes");
  assert_refused(tn_bytes_from(copy, size), 1, CODE_SIZE + 1, "not of the 50001 bytes");
  assert_refused(tn_bytes_from(copy, size / 2), 1, CODE_SIZE, "cannot be decompressed");
  assert_refused(tn_bytes_from(copy, size - 1), 1, CODE_SIZE, "cannot be decompressed");
  assert_refused(tn_bytes_from(copy, 5), 1, 4000, "not of the");
  assert_refused(tn_bytes_from("no zstd at all", 14), 1, 100, "not of the");
  assert_refused(tn_bytes_from(NULL, 0), 1, 100, "not of the 100 bytes");
  for (size_t at = 20; at < size; at += size / 40) {
    copy[at] ^= 0x55;
    tn_bytes got = {NULL, 0};
    tn_image damaged = image;
    damaged.code = tn_bytes_from(copy, size);
    const tn_status status = tn_image_code(&damaged, &arena, &got, NULL);
    assert_true(status == TN_BAD_IMAGE || (status == TN_OK && got.size == CODE_SIZE));
    copy[at] ^= 0x55;
  }
  tn_buf_deinit(&packed);
}

static void test_every_event_may_fail(void **state) {
  (void)state;
  tn_buf packed;
  compress_sample(&packed, 10);
  const tn_image image = image_of(&packed);
  tn_image plain = image;
  bool fired = true;
  bool was_unsupported = false;
  for (int64_t nth = 0; fired; nth++) {
    const int64_t live = tn_alloc_live();
    tn_arena local;
    tn_bytes got = {NULL, 0};
    tn_diag diag = {0};
    tn_arena_init(&local);
    tn_fault_arm(nth);
    const tn_status status = tn_image_code(&plain, &local, &got, &diag);
    fired = tn_fault_fired();
    tn_fault_arm(-1);
    assert_true(fired ? status == TN_OUT_OF_MEMORY || status == TN_UNSUPPORTED : status == TN_OK);
    was_unsupported = was_unsupported || (status == TN_UNSUPPORTED && strstr(diag.text, "libzstd"));
    tn_arena_deinit(&local);
    assert_int_equal(tn_alloc_live(), live);
  }
  assert_true(was_unsupported);
  tn_buf_deinit(&packed);
}

static int make_code(void **state) {
  (void)state;
  tn_arena_init(&arena);
  uint32_t seed = 1;
  for (size_t i = 0; i < CODE_SIZE; i++) {
    seed = seed * 1664525 + 1013904223;
    code[i] = i % 16 == 0 ? (uint8_t)(seed >> 24) : (uint8_t)(i % 16);
  }
  return 0;
}

static int free_code(void **state) {
  (void)state;
  tn_arena_deinit(&arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_comes_back),
      cmocka_unit_test(test_all_else_stays),
      cmocka_unit_test(test_what_gains_nothing_stays),
      cmocka_unit_test(test_hostile_claims),
      cmocka_unit_test(test_every_event_may_fail),
  };
  return cmocka_run_group_tests(tests, make_code, free_code);
}
