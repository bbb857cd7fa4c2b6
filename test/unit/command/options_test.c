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
  assert_int_equal(tn_option_refuse("-fsycl-nonsense-and-more", &diag), TN_UNSUPPORTED);
  assert_non_null(strstr(diag.text, "-fsycl-nonsense-and-more"));
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

static const char *status_of(const tn_option *option) {
  switch (option->meaning) {
    case TN_OPTION_ACCEPTED: return "accepted";
    case TN_OPTION_IGNORED: return "ignored";
    case TN_OPTION_REFUSED: return "refused";
    case TN_OPTION_ALIAS: return "alias";
    default: return "supported";
  }
}

// A row of dpcpp.md: each option of its first column is in the table with the status of the second.
static void check_row(tn_str row, size_t *listed) {
  (void)tn_str_split(&row, '|');
  tn_str options = tn_str_split(&row, '|');
  const tn_str status = tn_str_split(&row, '|');
  while (options.data) {
    (void)tn_str_split(&options, '`');
    const tn_str name = tn_str_split(&options, '`');
    if (name.size == 0) {
      continue;
    }
    char spelling[256];
    (void)snprintf(spelling, sizeof(spelling), "%.*s", TN_STR_ARG(name));
    const tn_option *option = tn_option_find(spelling);
    if (!option || strcmp(option->spelling, spelling) != 0) {
      fail_msg("docs/options/dpcpp.md lists %s, which is not in the table", spelling);
      return;
    }
    if (tn_str_find(status, tn_str_from(status_of(option))) != 1) {
      fail_msg("docs/options/dpcpp.md: %s is %s", spelling, status_of(option));
    }
    *listed += strcmp(status_of(option), "supported") != 0;
  }
}

// docs/options/dpcpp.md and the table have the same options of DPC++.
static void docs_list_dpcpp(void **state) {
  (void)state;
  char *page = read_page("dpcpp.md");
  size_t listed = 0;
  tn_str rest = tn_str_from(page);
  while (rest.data) {
    const tn_str line = tn_str_split(&rest, '\n');
    if (tn_str_has_prefix(line, TN_STR_LIT("| `"))) {
      check_row(line, &listed);
    }
  }
  size_t count = 0;
  for (size_t i = 0; i < tn_option_count(); i++) {
    const tn_option *option = tn_option_at(i);
    char word[256];
    (void)snprintf(word, sizeof(word), "`%s`", option->spelling);
    count += strcmp(status_of(option), "supported") != 0;
    if (strcmp(status_of(option), "supported") != 0 && !strstr(page, word)) {
      fail_msg("docs/options/dpcpp.md does not list %s", option->spelling);
    }
  }
  assert_int_equal(listed, count);
  tn_free(page);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_the_longest),    cmocka_unit_test(counts_arguments),
      cmocka_unit_test(spellings_are_unique),
      cmocka_unit_test(refuses_with_a_hint),  cmocka_unit_test(docs_tell_of_each),
      cmocka_unit_test(docs_list_dpcpp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
