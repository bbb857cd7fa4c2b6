// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walking archives that are made by hand.
#include "base/buf.h"
#include "image/image.h"
#include "unit/image/unit_image.h"

static tn_diag diag;

static void add_member(tn_buf *buf, const char *name, const char *contents) {
  tn_buf_add_format(buf, "%-16s%-12d%-6d%-6d%-8s%-10zu`\n", name, 0, 0, 0, "644", strlen(contents));
  tn_buf_add_text(buf, contents);
  if (buf->size % 2 != 0) {
    tn_buf_add_char(buf, '\n');
  }
}

static void start(tn_buf *buf) {
  tn_buf_init(buf, SIZE_MAX);
  tn_buf_add_text(buf, "!<arch>\n");
}

static tn_status next(const tn_buf *buf, size_t *cursor, bool *done, tn_str *name,
                      tn_bytes *contents) {
  return tn_archive_next(tn_buf_bytes(buf), cursor, done, name, contents, &diag);
}

static void short_and_long_names_are_read(void **state) {
  (void)state;
  static const struct {
    const char *name;
    const char *contents;
  } expected[] = {
      {"a.o", "first"},
      {"a_name_longer_than_fifteen.o", "second!"},
      {"with space.o", ""},
      {"another_long_name_in_the_table.o", "x"},
  };
  tn_buf buf;
  start(&buf);
  add_member(&buf, "/", "symbols");
  add_member(&buf, "/SYM64/", "symbols");
  add_member(&buf, "//", "a_name_longer_than_fifteen.o/\nanother_long_name_in_the_table.o/\n");
  add_member(&buf, "a.o/", "first");
  add_member(&buf, "/0", "second!");
  add_member(&buf, "with space.o/", "");
  add_member(&buf, "/30", "x");
  size_t cursor = 0;
  bool done = false;
  tn_str name;
  tn_bytes contents;
  for (size_t i = 0; i < TN_COUNT(expected); i++) {
    assert_int_equal(next(&buf, &cursor, &done, &name, &contents), TN_OK);
    assert_false(done);
    assert_text(name, expected[i].name);
    assert_int_equal(contents.size, strlen(expected[i].contents));
    assert_memory_equal(contents.data, expected[i].contents, contents.size);
  }
  for (int i = 0; i < 2; i++) {
    assert_int_equal(next(&buf, &cursor, &done, &name, &contents), TN_OK);
    assert_true(done);
  }
  tn_buf_deinit(&buf);
}

static void an_empty_archive_is_done_at_once(void **state) {
  (void)state;
  tn_buf buf;
  start(&buf);
  size_t cursor = 0;
  bool done = false;
  tn_str name;
  tn_bytes contents;
  assert_int_equal(next(&buf, &cursor, &done, &name, &contents), TN_OK);
  assert_true(done);
  tn_buf_deinit(&buf);
}

static void assert_refused(const char *member, const char *contents, const char *cut_to,
                           const char *part, tn_status code) {
  tn_buf buf;
  start(&buf);
  add_member(&buf, member, contents);
  if (cut_to) {
    memcpy(buf.data + 8 + 48, cut_to, strlen(cut_to));
  }
  size_t cursor = 0;
  bool done = false;
  tn_str name;
  tn_bytes view;
  const tn_status status = next(&buf, &cursor, &done, &name, &view);
  assert_int_equal(status, code);
  if (!strstr(diag.text, part)) {
    fail_msg("\"%s\" does not hold \"%s\"", diag.text, part);
  }
  tn_buf_deinit(&buf);
}

static void damage_is_refused(void **state) {
  (void)state;
  assert_refused("a.o/", "abcd", "9999999999", "truncated", TN_BAD_IMAGE);
  assert_refused("a.o/", "abcd", "0x4       ", "no number", TN_BAD_IMAGE);
  assert_refused("a.o/", "abcd", "          ", "no number", TN_BAD_IMAGE);
  assert_refused("a.o/", "abcd", "4         x", "does not end as it must", TN_BAD_IMAGE);
  assert_refused("/7", "abcd", NULL, "outside the table", TN_BAD_IMAGE);
  assert_refused("", "abcd", NULL, "has no name", TN_BAD_IMAGE);
  assert_refused("#1/4", "abcd", NULL, "BSD", TN_UNSUPPORTED);
  assert_refused("__.SYMDEF", "abcd", NULL, "BSD", TN_UNSUPPORTED);
}

static void other_files_are_refused(void **state) {
  (void)state;
  size_t cursor = 0;
  bool done = false;
  tn_str name;
  tn_bytes contents;
  assert_fails(
      tn_archive_next(tn_bytes_from("!<thin>\n", 8), &cursor, &done, &name, &contents, &diag),
      UNSUPPORTED, "thin");
  assert_fails(tn_archive_next(tn_bytes_from("!<arch", 6), &cursor, &done, &name, &contents, &diag),
               BAD_IMAGE, "not an ar archive");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_and_long_names_are_read),
      cmocka_unit_test(an_empty_archive_is_done_at_once),
      cmocka_unit_test(damage_is_refused),
      cmocka_unit_test(other_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
