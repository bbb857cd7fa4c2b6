// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's offload binaries. With a file's name as argument: writes the sample there, for LLVM's
// tools; with "read" and a name: prints what is in that file.
#include "base/file.h"
#include "image/image.h"
#include "unit/image/unit_image.h"

static tn_diag diag;

static const uint8_t code_one[] = {'B', 'C', 0xc0, 0xde, 5};
static const uint8_t code_two[] = {'B', 'C', 0xc0, 0xde, 6, 7, 8, 9};
// Unlike TN_STR_LIT, good for static storage.
#define TEXT(literal) {(literal), sizeof(literal) - 1}
static const tn_offload_entry sample[] = {
    {TEXT("x86_64-pc-linux-gnu"),
     TEXT("native_cpu"),
     {code_one, sizeof(code_one)},
     {NULL, 0},
     TEXT("1.2.3"),
     false},
    {TEXT("spirv64-unknown-unknown"),
     TEXT(""),
     {code_two, sizeof(code_two)},
     TEXT("tenon-symbols 1\nK\tkernel\t8\t8\t1\ta.cpp\nX\t_Z3gete\t3\t2\ta.cpp\tget(long double)\n"
          "I\tneeded\t0\t9\ta b.cpp\tkernel\n"),
     {NULL, 0},
     false},
};

typedef struct seen {
  size_t count;
  size_t fail_at;
} seen;

static tn_status compare_entry(void *user, const tn_offload_entry *entry, tn_diag *out_diag) {
  seen *s = user;
  if (s->count == s->fail_at) {
    return TN_FAIL(out_diag, BUILD_FAILED, "enough");
  }
  const tn_offload_entry *expected = &sample[s->count++];
  assert_text(entry->triple, expected->triple.data);
  assert_text(entry->arch, expected->arch.data);
  assert_int_equal(entry->image.size, expected->image.size);
  assert_true(tn_str_equals(entry->symbols, expected->symbols));
  assert_true(tn_str_equals(entry->version, expected->version));
  assert_false(entry->is_foreign);
  assert_memory_equal(entry->image.data, expected->image.data, expected->image.size);
  return TN_OK;
}

static tn_status count_entry(void *user, const tn_offload_entry *entry, tn_diag *out_diag) {
  (void)entry;
  (void)out_diag;
  ++*(size_t *)user;
  return TN_OK;
}

static void write_sample(tn_buf *buf) {
  tn_buf_init(buf, SIZE_MAX);
  assert_int_equal(tn_offload_write(sample, TN_COUNT(sample), buf, &diag), TN_OK);
}

static void what_is_written_is_read(void **state) {
  (void)state;
  tn_buf buf;
  write_sample(&buf);
  assert_int_equal(buf.size % 8, 0);
  seen s = {0, SIZE_MAX};
  assert_int_equal(tn_offload_read(tn_buf_bytes(&buf), compare_entry, &s, &diag), TN_OK);
  assert_int_equal(s.count, 2);
  s = (seen){0, SIZE_MAX};
  assert_int_equal(tn_offload_read((tn_bytes){NULL, 0}, compare_entry, &s, &diag), TN_OK);
  assert_int_equal(s.count, 0);
  tn_buf_deinit(&buf);
}

static void the_callers_failure_ends_it(void **state) {
  (void)state;
  tn_buf buf;
  write_sample(&buf);
  seen s = {0, 1};
  assert_fails(tn_offload_read(tn_buf_bytes(&buf), compare_entry, &s, &diag), BUILD_FAILED,
               "enough");
  assert_int_equal(s.count, 1);
  tn_buf_deinit(&buf);
}

// As ld -r leaves it between sections that want more than 8 bytes of alignment.
static void zeros_between_are_padding(void **state) {
  (void)state;
  tn_buf one;
  tn_buf both;
  write_sample(&one);
  tn_buf_init(&both, SIZE_MAX);
  tn_buf_add_str(&both, tn_buf_str(&one));
  tn_buf_add_u64(&both, 0);
  tn_buf_add_u64(&both, 0);
  tn_buf_add_str(&both, tn_buf_str(&one));
  tn_buf_add_u64(&both, 0);
  size_t count = 0;
  assert_int_equal(tn_offload_read(tn_buf_bytes(&both), count_entry, &count, &diag), TN_OK);
  assert_int_equal(count, 4);
  tn_buf_deinit(&both);
  tn_buf_deinit(&one);
}

static void other_kinds_are_skipped(void **state) {
  (void)state;
  tn_buf buf;
  write_sample(&buf);
  seen s = {0, SIZE_MAX};
  buf.data[32] = 1;                         // the first: an object
  buf.data[(uint8_t)buf.data[8] + 34] = 2;  // the second: of CUDA
  assert_int_equal(tn_offload_read(tn_buf_bytes(&buf), compare_entry, &s, &diag), TN_OK);
  assert_int_equal(s.count, 0);
  tn_buf_deinit(&buf);
}

// {offset of a byte, its new value, part of the sentence}
static void damage_is_refused(void **state) {
  (void)state;
  static const struct {
    size_t at;
    uint8_t value;
    const char *part;
  } rows[] = {
      {0, 0x11, "10 FF 10 AD"},
      {4, 2, "version 2"},
      {8, 8, "too small"},
      {12, 1, "truncated"},
      {19, 1, "entry lies outside"},
      {43, 1, "string map lies outside"},
      {52, 1, "string map lies outside"},
      {55, 0x10, "string map lies outside"},
      {60, 1, "image lies outside"},
      {71, 1, "image lies outside"},
      {76, 1, "a string lies outside"},
      {88, 121, "no \"triple\""},
  };
  for (size_t i = 0; i < TN_COUNT(rows); i++) {
    tn_buf buf;
    write_sample(&buf);
    seen s = {0, SIZE_MAX};
    buf.data[rows[i].at] = (char)rows[i].value;
    assert_fails(tn_offload_read(tn_buf_bytes(&buf), compare_entry, &s, &diag), BAD_IMAGE,
                 rows[i].part);
    tn_buf_deinit(&buf);
  }
}

static tn_status keep_first(void *user, const tn_offload_entry *entry, tn_diag *out_diag) {
  (void)out_diag;
  tn_offload_entry *first = user;
  *first = first->image.data ? *first : *entry;
  return TN_OK;
}

// Of what an entry is read for: its code, its target and its triple.
static void every_flip_of_a_bit_is_refused(void **state) {
  (void)state;
  tn_buf buf;
  tn_offload_entry first = {.triple = {NULL, 0}};
  write_sample(&buf);
  assert_int_equal(tn_offload_read(tn_buf_bytes(&buf), keep_first, &first, &diag), TN_OK);
  const tn_bytes parts[] = {first.image, tn_bytes_from(first.arch.data, first.arch.size),
                            tn_bytes_from(first.triple.data, first.triple.size)};
  for (size_t i = 0; i < TN_COUNT(parts); i++) {
    char *part = buf.data + (parts[i].data - (const uint8_t *)buf.data);
    for (size_t bit = 0; bit < parts[i].size * 8; bit++) {
      size_t count = 0;
      part[bit / 8] ^= (char)(1 << bit % 8);
      assert_fails(tn_offload_read(tn_buf_bytes(&buf), count_entry, &count, &diag), BAD_IMAGE,
                   "offset 0 is damaged: its device code does not fit its checksum");
      assert_int_equal(count, 0);
      part[bit / 8] ^= (char)(1 << bit % 8);
    }
  }
  tn_buf_deinit(&buf);
}

// A checksum that is longer or shorter than one does not fit; an entry without one is accepted.
static void a_checksum_is_verified_where_there_is_one(void **state) {
  (void)state;
  tn_buf buf;
  size_t count = 0;
  write_sample(&buf);
  char *key = memmem(buf.data, buf.size, "tenon.checksum", 15);
  assert_non_null(key);
  assert_int_equal(strlen(key + 15), 16);
  key[15 + 15] = 0;
  assert_fails(tn_offload_read(tn_buf_bytes(&buf), count_entry, &count, &diag), BAD_IMAGE,
               "checksum");
  key[0] = 'x';
  assert_int_equal(tn_offload_read(tn_buf_bytes(&buf), count_entry, &count, &diag), TN_OK);
  assert_int_equal(count, 2);
  tn_buf_deinit(&buf);
}

static void bad_entries_are_refused(void **state) {
  (void)state;
  tn_buf buf;
  tn_buf_init(&buf, SIZE_MAX);
  tn_offload_entry entry = sample[0];
  entry.triple = TN_STR_LIT("");
  assert_fails(tn_offload_write(&entry, 1, &buf, &diag), INVALID_ARGUMENT, "needs a triple");
  entry.triple = TN_STR_LIT("a\0b");
  assert_fails(tn_offload_write(&entry, 1, &buf, &diag), INVALID_ARGUMENT, "NUL");
  assert_int_equal(buf.size, 0);
  tn_buf_deinit(&buf);
}

static int write_sample_file(const char *path) {
  tn_buf buf;
  tn_buf_init(&buf, SIZE_MAX);
  const bool is_good = tn_offload_write(sample, TN_COUNT(sample), &buf, NULL) == TN_OK &&
                       tn_file_write(path, tn_buf_bytes(&buf), NULL) == TN_OK;
  tn_buf_deinit(&buf);
  return is_good ? 0 : 1;
}

static tn_status print_entry(void *user, const tn_offload_entry *entry, tn_diag *out_diag) {
  (void)user;
  (void)out_diag;
  printf("triple=%s arch=%s size=%zu %.*s\n", entry->triple.data, entry->arch.data,
         entry->image.size,
         TN_STR_ARG(((tn_str){(const char *)entry->image.data, entry->image.size})));
  return TN_OK;
}

static int print_file(const char *path) {
  char *data = NULL;
  size_t size = 0;
  tn_status status = tn_file_read(path, SIZE_MAX / 2, &data, &size, &diag);
  if (status == TN_OK) {
    status = tn_offload_read(tn_bytes_from(data, size), print_entry, NULL, &diag);
  }
  tn_free(data);
  if (status != TN_OK) {
    (void)fprintf(stderr, "%s\n", diag.text);
  }
  return status == TN_OK ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc > 2) {
    return print_file(argv[2]);
  }
  if (argc > 1) {
    return write_sample_file(argv[1]);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_is_read),
      cmocka_unit_test(the_callers_failure_ends_it),
      cmocka_unit_test(zeros_between_are_padding),
      cmocka_unit_test(other_kinds_are_skipped),
      cmocka_unit_test(damage_is_refused),
      cmocka_unit_test(bad_entries_are_refused),
      cmocka_unit_test(every_flip_of_a_bit_is_refused),
      cmocka_unit_test(a_checksum_is_verified_where_there_is_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
