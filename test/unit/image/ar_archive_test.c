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
  assert_refused("#1/5", "abcd", NULL, "longer than the member", TN_BAD_IMAGE);
  assert_refused("#1/x", "abcd", NULL, "longer than the member", TN_BAD_IMAGE);
  assert_refused("#1/2", "\0\0", NULL, "longer than the member", TN_BAD_IMAGE);
}

static void names_of_the_bsd_kind_stand_before_the_contents(void **state) {
  (void)state;
  tn_buf buf;
  start(&buf);
  add_member(&buf, "#1/12", "__.SYMDEF   table");
  add_member(&buf, "__.SYMDEF", "table");
  add_member(&buf, "#1/8", "a b.o123contents");
  memset(buf.data + buf.size - 11, 0, 3);
  size_t cursor = 0;
  bool done = false;
  tn_str name;
  tn_bytes contents;
  assert_int_equal(next(&buf, &cursor, &done, &name, &contents), TN_OK);
  assert_text(name, "a b.o");
  assert_int_equal(contents.size, 8);
  assert_memory_equal(contents.data, "contents", 8);
  assert_int_equal(next(&buf, &cursor, &done, &name, &contents), TN_OK);
  assert_true(done);
  tn_buf_deinit(&buf);
}

// A thin archive's member as ar writes it: with the size of a file that is not there.
static void add_thin_member(tn_buf *buf, const char *name) {
  tn_buf_add_format(buf, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, 0, 0, 0, "644", 123457);
}

static void members_of_thin_archives_are_files(void **state) {
  (void)state;
  tn_buf buf;
  tn_buf_init(&buf, SIZE_MAX);
  tn_buf_add_text(&buf, "!<thin>\n");
  add_member(&buf, "/", "symbols");
  add_member(&buf, "//", "d1/a.o/\nlibin.a/\n");
  add_thin_member(&buf, "/0");
  add_thin_member(&buf, "/8:104");
  size_t cursor = 0;
  bool done = false;
  tn_archive_member member;
  const tn_bytes bytes = tn_buf_bytes(&buf);
  assert_int_equal(tn_archive_walk(bytes, &cursor, &done, &member, &diag), TN_OK);
  assert_text(member.name, "d1/a.o");
  assert_true(member.is_file);
  assert_int_equal(member.nested_at, 0);
  assert_int_equal(member.contents.size, 0);
  assert_int_equal(tn_archive_walk(bytes, &cursor, &done, &member, &diag), TN_OK);
  assert_text(member.name, "libin.a");
  assert_int_equal(member.nested_at, 104);
  tn_archive_member again;
  assert_int_equal(tn_archive_at(bytes, member.at, &again, &diag), TN_OK);
  assert_text(again.name, "libin.a");
  assert_int_equal(tn_archive_walk(bytes, &cursor, &done, &member, &diag), TN_OK);
  assert_true(done);
  assert_fails(tn_archive_at(bytes, 8, &again, &diag), BAD_IMAGE, "is no file");
  assert_fails(tn_archive_at(bytes, buf.size + 1, &again, &diag), BAD_IMAGE, "behind the end");
  add_thin_member(&buf, "/8:1");
  assert_fails(tn_archive_walk(tn_buf_bytes(&buf), &cursor, &done, &member, &diag), BAD_IMAGE,
               "no place");
  tn_buf_deinit(&buf);
}

static void the_table_of_symbols_is_read(void **state) {
  (void)state;
  static const char table[] = "\0\0\0\2\0\0\0\7\0\0\0\7one\0two";
  tn_buf buf;
  start(&buf);
  bool found = true;
  tn_str names;
  assert_int_equal(tn_archive_symbols(tn_buf_bytes(&buf), &found, &names, &diag), TN_OK);
  assert_false(found);
  tn_buf_add_format(&buf, "%-16s%-12d%-6d%-6d%-8s%-10zu`\n", "/", 0, 0, 0, "644", sizeof(table));
  tn_buf_add(&buf, table, sizeof(table));
  assert_int_equal(tn_archive_symbols(tn_buf_bytes(&buf), &found, &names, &diag), TN_OK);
  assert_true(found);
  assert_int_equal(names.size, 8);
  assert_memory_equal(names.data, "one\0two", 8);
  buf.data[8 + 60 + 3] = 9;
  assert_fails(tn_archive_symbols(tn_buf_bytes(&buf), &found, &names, &diag), BAD_IMAGE,
               "more symbols than it has room for");
  tn_buf_deinit(&buf);
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
      cmocka_unit_test(names_of_the_bsd_kind_stand_before_the_contents),
      cmocka_unit_test(members_of_thin_archives_are_files),
      cmocka_unit_test(the_table_of_symbols_is_read),
      cmocka_unit_test(other_files_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
