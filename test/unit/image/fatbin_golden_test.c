// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// test/golden/fatbin: every listed file gives the listed status and sentence, and every file is
// listed.
#include "fuzz/hex_file.h"
#include "image/fatbin_layout.h"
#include "unit/image/sample_image.h"
#include "unit/image/unit_image.h"

#include <dirent.h>

#define GOLDEN TN_TEST_SOURCE_DIR "/test/golden/fatbin/"

static tn_diag diag;

static void read_golden(const char *name, tn_buf *out) {
  char path[4096];
  (void)snprintf(path, sizeof(path), GOLDEN "%s", name);
  tn_buf_init(out, SIZE_MAX);
  if (!hex_file_read(path, out)) {
    fail_msg("%s cannot be read", path);
  }
}

static void check_line(tn_str line) {
  tn_str rest = line;
  const tn_str file = tn_str_split(&rest, ' ');
  const tn_str status_name = tn_str_split(&rest, ' ');
  char name[256];
  (void)snprintf(name, sizeof(name), "%.*s", TN_STR_ARG(file));
  tn_buf bytes;
  tn_fatbin fatbin;
  read_golden(name, &bytes);
  diag = (tn_diag){0};
  const tn_status status = tn_fatbin_parse(tn_buf_bytes(&bytes), &fatbin, &diag);
  print_message("%s: %s %s\n", name, tn_status_name(status), diag.text);
  assert_text(status_name, tn_status_name(status));
  char sentence[256];
  (void)snprintf(sentence, sizeof(sentence), "%.*s", TN_STR_ARG(rest));
  if (!strstr(diag.text, sentence)) {
    fail_msg("%s: \"%s\" does not hold \"%s\"", name, diag.text, sentence);
  }
  if (status != TN_OK) {
    assert_int_equal(fatbin.image_count, 0);
  }
  tn_buf_deinit(&bytes);
}

static void every_file_gives_its_status(void **state) {
  (void)state;
  char *list = NULL;
  size_t size = 0;
  size_t listed = 0;
  assert_int_equal(tn_file_read(GOLDEN "expected.txt", 1 << 20, &list, &size, &diag), TN_OK);
  tn_str rest = {list, size};
  for (tn_str line = tn_str_split(&rest, '\n'); line.data; line = tn_str_split(&rest, '\n')) {
    if (line.size > 0 && line.data[0] != '#') {
      check_line(line);
      listed++;
    }
  }
  tn_free(list);
  size_t present = 0;
  DIR *dir = opendir(GOLDEN);
  assert_non_null(dir);
  for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
    present += tn_str_has_suffix(tn_str_from(entry->d_name), TN_STR_LIT(".hex")) ? 1 : 0;
  }
  (void)closedir(dir);
  assert_int_equal(listed, present);
  assert_true(listed > 20);
}

// What this version writes is what version 1 was.
static void the_format_has_not_changed(void **state) {
  (void)state;
  tn_buf golden;
  tn_buf now;
  read_golden("v1-sample.hex", &golden);
  tn_buf_init(&now, SIZE_MAX);
  assert_int_equal(tn_fatbin_write(sample_images, TN_COUNT(sample_images), &now, &diag), TN_OK);
  assert_int_equal(now.size, golden.size);
  assert_memory_equal(now.data, golden.data, golden.size);
  tn_buf_deinit(&golden);
  tn_buf_deinit(&now);
}

// No truncation passes for a whole.
static void truncations_are_refused(void **state) {
  (void)state;
  tn_buf golden;
  tn_fatbin fatbin;
  read_golden("v1-sample.hex", &golden);
  for (size_t size = 0; size < golden.size; size++) {
    assert_fails(tn_fatbin_parse(tn_bytes_from(golden.data, size), &fatbin, &diag), BAD_IMAGE,
                 "truncated");
  }
  tn_buf_deinit(&golden);
}

static void every_flip_of_a_bit_is_refused(void **state) {
  (void)state;
  tn_buf golden;
  tn_fatbin fatbin;
  read_golden("v1-sample.hex", &golden);
  for (size_t bit = 0; bit < golden.size * 8; bit++) {
    golden.data[bit / 8] ^= (char)(1 << bit % 8);
    assert_fails(tn_fatbin_parse(tn_buf_bytes(&golden), &fatbin, &diag), BAD_IMAGE,
                 bit / 8 < TN_HEADER_IMAGES_AT ? "" : "checksum does not fit");
    golden.data[bit / 8] ^= (char)(1 << bit % 8);
  }
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&golden), &fatbin, &diag), TN_OK);
  tn_buf_deinit(&golden);
}

// Not only in what a sample holds: sizes that are no multiple of the hash's words, other contents.
static void the_checksum_reacts_to_every_bit(void **state) {
  (void)state;
  uint8_t bytes[TN_HEADER_SIZE + 200];
  for (size_t i = 0; i < sizeof(bytes); i++) {
    bytes[i] = (uint8_t)(i * 167 + 13);
  }
  for (size_t size = TN_HEADER_SIZE; size <= sizeof(bytes); size++) {
    const uint64_t whole = tn_fatbin_checksum((tn_bytes){bytes, size});
    for (size_t bit = 0; bit < size * 8; bit++) {
      const bool is_itself = bit / 8 >= TN_HEADER_CHECKSUM_AT && bit / 8 < TN_HEADER_CHECKSUM_END;
      bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
      assert_true((tn_fatbin_checksum((tn_bytes){bytes, size}) == whole) == is_itself);
      bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
  }
}

// Any field of 64 bits may hold any value: the parser's sums must not wrap around.
static void extreme_offsets_are_refused_or_harmless(void **state) {
  (void)state;
  static const uint64_t extremes[] = {UINT64_MAX, UINT64_MAX - 7, UINT64_MAX - 15, INT64_MAX};
  tn_buf golden;
  tn_fatbin fatbin;
  read_golden("v1-sample.hex", &golden);
  for (size_t at = TN_HEADER_RESERVED_2_AT; at + 8 <= golden.size; at += 8) {
    char saved[8];
    memcpy(saved, golden.data + at, 8);
    for (size_t i = 0; i < TN_COUNT(extremes); i++) {
      memcpy(golden.data + at, &extremes[i], 8);
      tn_store_u64((uint8_t *)golden.data + TN_HEADER_CHECKSUM_AT,
                   tn_fatbin_checksum(tn_buf_bytes(&golden)));
      if (tn_fatbin_parse(tn_buf_bytes(&golden), &fatbin, &diag) == TN_OK) {
        for (uint32_t k = 0; k < fatbin.image_count; k++) {
          const tn_image image = tn_fatbin_image_at(&fatbin, k);
          assert_true(image.code.size < golden.size);
        }
      }
    }
    memcpy(golden.data + at, saved, 8);
  }
  tn_buf_deinit(&golden);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_file_gives_its_status),
      cmocka_unit_test(the_format_has_not_changed),
      cmocka_unit_test(truncations_are_refused),
      cmocka_unit_test(every_flip_of_a_bit_is_refused),
      cmocka_unit_test(the_checksum_reacts_to_every_bit),
      cmocka_unit_test(extreme_offsets_are_refused_or_harmless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
