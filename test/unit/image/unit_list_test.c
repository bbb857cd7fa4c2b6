// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbol lists of units, good and bad, and what bitcode says of who wrote it.
#include "image/image.h"
#include "unit/image/unit_image.h"

static tn_diag diag;
static tn_arena arena;

static tn_status read_list(const char *text, bool *known, tn_unit_list *list) {
  return tn_unit_list_read(tn_str_from(text), &arena, known, list, &diag);
}

static void a_list_is_read(void **state) {
  (void)state;
  bool known = false;
  tn_unit_list list;
  assert_int_equal(read_list("tenon-symbols 1 simplified\n"
                             "K\t_ZTS1K\t16\t8\t7\ta b.cpp\n"
                             "X\t_Z1fv\t3\t9\ta.cpp\tf()\n"
                             "X\t_Z1gv\t0\t0\t\t\n"
                             "I\t_Z1hv\t1\t4294967295\ta.cpp\tK\n",
                             &known, &list),
                   TN_OK);
  assert_true(known);
  assert_true(list.is_simplified);
  assert_int_equal(list.kernel_count, 1);
  assert_text(list.kernels[0].name, "_ZTS1K");
  assert_int_equal(list.kernels[0].arg_size, 16);
  assert_int_equal(list.kernels[0].arg_align, 8);
  assert_int_equal(list.kernels[0].line, 7);
  assert_text(list.kernels[0].file, "a b.cpp");
  assert_int_equal(list.export_count, 2);
  assert_int_equal(list.exports[0].flags, TN_SYMBOL_WEAK | TN_SYMBOL_HIDDEN);
  assert_text(list.exports[0].user, "f()");
  assert_text(list.exports[1].file, "");
  assert_int_equal(list.import_count, 1);
  assert_int_equal(list.imports[0].line, UINT32_MAX);
}

static void an_empty_list_and_other_versions_are_told_apart(void **state) {
  (void)state;
  static const char *const others[] = {"", "tenon-symbols 2\n", "tenon-symbols", "K\tk\n",
                                       "tenon-symbols 1 other\nK\n"};
  bool known = false;
  tn_unit_list list;
  assert_int_equal(read_list("tenon-symbols 1\n", &known, &list), TN_OK);
  assert_true(known);
  assert_int_equal(list.kernel_count + list.export_count + list.import_count, 0);
  for (size_t i = 0; i < TN_COUNT(others); i++) {
    assert_int_equal(read_list(others[i], &known, &list), TN_OK);
    assert_false(known);
  }
}

static void damage_is_refused_with_its_line(void **state) {
  (void)state;
  static const char *const lines[] = {
      "K",
      "K\t",
      "K\tk\t8\t8\t1",
      "K\tk\t8\t8\t1\ta\tmore",
      "K\t\t8\t8\t1\ta",
      "K\tk\t-1\t8\t1\ta",
      "K\tk\t4294967296\t8\t1\ta",
      "K\tk\t\t8\t1\ta",
      "X\tx\t0\t1\ta",
      "Xx\t0\t1\ta\tb",
      "I\ti\tzero\t1\ta\tb",
      "Q\tq\t0\t1\ta\tb",
      "",
  };
  for (size_t i = 0; i < TN_COUNT(lines); i++) {
    bool known = false;
    tn_unit_list list;
    const char *text =
        tn_arena_format(&arena, "tenon-symbols 1\nX\tf\t0\t0\t\t\n%s\nX\tg\t0\t0\t\t\n", lines[i]);
    assert_fails(read_list(text, &known, &list), BAD_IMAGE, "damaged at line 3");
  }
}

static void a_huge_line_is_read(void **state) {
  (void)state;
  tn_buf text;
  tn_buf_init(&text, SIZE_MAX);
  tn_buf_add_text(&text, "tenon-symbols 1\nX\t");
  for (size_t i = 0; i < 1000000; i++) {
    tn_buf_add_char(&text, 'x');
  }
  tn_buf_add_text(&text, "\t0\t0\t\t");
  bool known = false;
  tn_unit_list list;
  assert_int_equal(tn_unit_list_read(tn_buf_str(&text), &arena, &known, &list, &diag), TN_OK);
  assert_int_equal(list.exports[0].name.size, 1000000);
  tn_buf_deinit(&text);
}

// The first bytes of what LLVM 22.1.8 writes.
static const uint8_t by_llvm[] = {0x42, 0x43, 0xc0, 0xde, 0x35, 0x14, 0x00, 0x00, 0x05, 0x00,
                                  0x00, 0x00, 0x62, 0x0c, 0x30, 0x24, 0x4a, 0x59, 0xbe, 0xa6,
                                  0x6d, 0xfb, 0xb5, 0xcf, 0x0b, 0x51, 0x80, 0x4c, 0x01, 0x00,
                                  0x00, 0x00, 0x21, 0x0c, 0x00, 0x00, 0x8e, 0x02, 0x00, 0x00};

static void bitcode_says_who_wrote_it(void **state) {
  (void)state;
  char text[64];
  assert_int_equal(tn_bitcode_llvm_version(tn_bytes_from(by_llvm, sizeof(by_llvm)), text), 22);
  assert_string_equal(text, "LLVM22.1.8");
  uint8_t wrapped[20 + sizeof(by_llvm)] = {0xde, 0xc0, 0x17, 0x0b, 0, 0, 0, 0, 20};
  memcpy(wrapped + 20, by_llvm, sizeof(by_llvm));
  assert_int_equal(tn_bitcode_llvm_version(tn_bytes_from(wrapped, sizeof(wrapped)), NULL), 22);
  wrapped[8] = 0xff;
  assert_int_equal(tn_bitcode_llvm_version(tn_bytes_from(wrapped, sizeof(wrapped)), text), 0);
  assert_string_equal(text, "");
}

static void other_bytes_say_nothing(void **state) {
  (void)state;
  for (size_t size = 0; size < 14; size++) {
    assert_int_equal(tn_bitcode_llvm_version(tn_bytes_from(by_llvm, size), NULL), 0);
  }
  assert_int_equal(tn_bitcode_llvm_version(tn_bytes_from("no bitcode", 10), NULL), 0);
}

static int set_up(void **state) {
  (void)state;
  tn_arena_init(&arena);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  tn_arena_deinit(&arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_list_is_read),
      cmocka_unit_test(an_empty_list_and_other_versions_are_told_apart),
      cmocka_unit_test(damage_is_refused_with_its_line),
      cmocka_unit_test(a_huge_line_is_read),
      cmocka_unit_test(bitcode_says_who_wrote_it),
      cmocka_unit_test(other_bytes_say_nothing),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
