// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The option table: lookups, --help, and that docs/options tells of the same options.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "base/file.h"
#include "compile/command/options.h"

static void finds_the_longest(void **state) {
  (void)state;
  assert_string_equal(tn_option_find("-emit-llvm")->spelling, "-emit-llvm");
  assert_string_equal(tn_option_find("-ofoo")->spelling, "-o");
  assert_string_equal(tn_option_find("-MF")->spelling, "-MF");
  assert_string_equal(tn_option_find("-gsplit-dwarf")->spelling, "-gsplit-dwarf");
  assert_string_equal(tn_option_find("-g3")->spelling, "-g");
  assert_string_equal(tn_option_find("-static-libgcc")->spelling, "-static-libgcc");
  assert_string_equal(tn_option_find("-fsycl-targets=x")->spelling, "-fsycl-targets=");
  assert_null(tn_option_find("-fsycl-nonsense"));
  assert_null(tn_option_find("-mtune=native"));
}

static size_t extra(const char *argument) {
  return tn_option_extra(tn_option_find(argument), argument);
}

static void counts_arguments(void **state) {
  (void)state;
  assert_int_equal(extra("-Xclang"), 1);
  assert_int_equal(extra("-o"), 1);
  assert_int_equal(extra("-oa"), 0);
  assert_int_equal(extra("-Xarch_host"), 1);
  assert_int_equal(extra("-Xarch_x86_64"), 1);
  assert_int_equal(extra("-segaddr"), 2);
  assert_int_equal(extra("-sectcreate"), 3);
  assert_int_equal(extra("-include"), 1);
  assert_int_equal(extra("-include-pch"), 1);
  assert_int_equal(extra("-c"), 0);
}

static void spellings_are_unique(void **state) {
  (void)state;
  for (size_t i = 0; i < tn_option_count(); i++) {
    for (size_t j = i + 1; j < tn_option_count(); j++) {
      if (strcmp(tn_option_at(i)->spelling, tn_option_at(j)->spelling) == 0) {
        fail_msg("%s is twice in the table", tn_option_at(i)->spelling);
      }
    }
  }
}

static void refuses_with_a_hint(void **state) {
  (void)state;
  tn_diag diag;
  assert_int_equal(tn_option_refuse("-fsycl-target=native_cpu", &diag), TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "-fsycl-targets="));
  assert_int_equal(tn_option_refuse("-fsycl-explicit-simd", &diag), TN_UNSUPPORTED);
  assert_non_null(strstr(diag.text, "-fsycl-explicit-simd"));
  // Short names are near to everything.
  assert_int_equal(tn_option_refuse("-fsycl-abc", &diag), TN_UNSUPPORTED);
  assert_null(strstr(diag.text, "did you mean"));
}

static char *read_page(const char *name) {
  char *path = tn_path_join(TN_STR_LIT(TN_TEST_SOURCE_DIR "/docs/options"), tn_str_from(name));
  char *data = NULL;
  size_t size = 0;
  assert_non_null(path);
  assert_int_equal(tn_file_read(path, 1 << 20, &data, &size, NULL), TN_OK);
  tn_free(path);
  return data;
}

// "### `-option`" in docs/options and the options with a help text: the same, both ways.
static void docs_tell_of_each(void **state) {
  (void)state;
  char *pages[] = {read_page("sycl.md"), read_page("driver.md"), read_page("host-compiler.md")};
  tn_buf help;
  tn_buf_init(&help, 1 << 20);
  tn_option_help(&help);
  size_t told = 0;
  for (size_t p = 0; p < TN_COUNT(pages); p++) {
    for (const char *at = strstr(pages[p], "### `"); at; at = strstr(at + 1, "### `")) {
      told++;
    }
  }
  size_t own = 0;
  for (size_t i = 0; i < tn_option_count(); i++) {
    const tn_option *option = tn_option_at(i);
    if (option->help[0] == '\0') {
      continue;
    }
    own++;
    char heading[256];
    (void)snprintf(heading, sizeof(heading), "### `%s%s`\n", option->spelling, option->value);
    if (!strstr(pages[0], heading) && !strstr(pages[1], heading) && !strstr(pages[2], heading)) {
      fail_msg("docs/options has no heading for %s%s", option->spelling, option->value);
    }
    assert_non_null(strstr(tn_buf_text(&help), option->spelling));
  }
  assert_int_equal(told, own);
  tn_buf_deinit(&help);
  for (size_t p = 0; p < TN_COUNT(pages); p++) {
    tn_free(pages[p]);
  }
}

// What has no effect is listed as well.
static void docs_list_what_is_accepted(void **state) {
  (void)state;
  char *page = read_page("sycl.md");
  for (size_t i = 0; i < tn_option_count(); i++) {
    const tn_option *option = tn_option_at(i);
    char word[256];
    (void)snprintf(word, sizeof(word), "`%s`", option->spelling);
    if (option->meaning == TN_OPTION_ACCEPTED && !strstr(page, word)) {
      fail_msg("docs/options/sycl.md does not list %s", option->spelling);
    }
  }
  tn_free(page);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_the_longest),    cmocka_unit_test(counts_arguments),
      cmocka_unit_test(spellings_are_unique),
      cmocka_unit_test(refuses_with_a_hint),  cmocka_unit_test(docs_tell_of_each),
      cmocka_unit_test(docs_list_what_is_accepted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
