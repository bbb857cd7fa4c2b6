// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command lines: what is an input, what belongs to an option, what is asked for, what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "compile/driver/command.h"

typedef struct parsed {
  tn_arena arena;
  tn_args words;
  tn_command command;
  tn_status status;
  tn_diag diag;
} parsed;

// Splits at blanks, which is all these lines need.
static void parse(parsed *out, const char *line) {
  *out = (parsed){.status = TN_OK};
  tn_arena_init(&out->arena);
  tn_args_init(&out->words, &out->arena);
  tn_str rest = tn_str_from(line);
  while (rest.data) {
    const tn_str word = tn_str_split(&rest, ' ');
    tn_args_add(&out->words, tn_arena_str(&out->arena, word));
  }
  out->status = tn_command_parse(&out->words, &out->command, &out->diag);
}

static void forget(parsed *p) { tn_arena_deinit(&p->arena); }

static void expect_inputs(const char *line, tn_input_kind kind, size_t count) {
  parsed p;
  parse(&p, line);
  assert_int_equal(p.status, TN_OK);
  if (tn_command_input_count(&p.command, kind) != count) {
    fail_msg("%s: %zu inputs of kind %d, expected %zu", line,
             tn_command_input_count(&p.command, kind), (int)kind, count);
  }
  forget(&p);
}

static void arguments_are_no_inputs(void **state) {
  (void)state;
  expect_inputs("-fsycl -Xclang a.cpp -include b.cpp -MF c.cpp -o d.cpp e.cpp", TN_INPUT_SYCL, 1);
  expect_inputs("-sectcreate a.cpp b.cpp c.cpp d.cpp", TN_INPUT_SYCL, 1);
  expect_inputs("-mllvm a.cpp --param b.cpp -T c.cpp -z d.cpp e.cpp", TN_INPUT_SYCL, 1);
  expect_inputs("-Ia.cpp -Db.cpp -lc.cpp", TN_INPUT_SYCL, 0);
  expect_inputs("-- -c a.cpp", TN_INPUT_SYCL, 1);
  expect_inputs("-- -c a.cpp", TN_INPUT_LINK, 1);
}

static void inputs_by_kind(void **state) {
  (void)state;
  expect_inputs("a.cpp b.cc c.C d.cxx", TN_INPUT_SYCL, 4);
  expect_inputs("a.o libx.a liby.so.1 strange name", TN_INPUT_LINK, 5);
  expect_inputs("a.s b.S c.ll", TN_INPUT_HOST, 3);
  expect_inputs("-x c++ a b.o -x none c.o", TN_INPUT_SYCL, 2);
  expect_inputs("-xc a.cpp", TN_INPUT_HOST, 1);
  expect_inputs("-x c++ -", TN_INPUT_SYCL, 1);
  expect_inputs("a.hpp", TN_INPUT_HEADER, 1);
}

static void actions(void **state) {
  (void)state;
  static const struct { const char *line; tn_action action; } cases[] = {
      {"a.cpp", TN_ACTION_LINK},          {"-c a.cpp", TN_ACTION_OBJECT},
      {"-S a.cpp -c", TN_ACTION_ASSEMBLY}, {"-c -E a.cpp", TN_ACTION_PREPROCESS},
      {"-MM a.cpp", TN_ACTION_DEPENDENCIES}, {"-c -fsyntax-only a.cpp", TN_ACTION_SYNTAX},
      {"-c -MD a.cpp", TN_ACTION_OBJECT},
  };
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    parsed p;
    parse(&p, cases[i].line);
    assert_int_equal(p.command.action, cases[i].action);
    forget(&p);
  }
}

static void values(void **state) {
  (void)state;
  parsed p;
  parse(&p, "-fsycl -fno-sycl -fsycl -O3 -g0 -g -std=c++20 -oout -shared -Wl,-z,defs "
            "-fuse-ld=lld a.o");
  assert_int_equal(p.status, TN_OK);
  assert_true(p.command.sycl && p.command.debug && p.command.shared && p.command.no_undefined);
  assert_int_equal(p.command.opt_level, 3);
  assert_string_equal(p.command.standard, "c++20");
  assert_string_equal(p.command.output, "out");
  assert_string_equal(p.command.linker_name, "lld");
  assert_int_equal(p.command.target_count, 1);
  forget(&p);
  parse(&p, "-fsycl -fsycl-targets=native_cpu,native_cpu -O0 -Os -O -g0 -z defs -z undefs a.o");
  assert_int_equal(p.command.target_count, 1);
  assert_int_equal(p.command.opt_level, 1);
  assert_false(p.command.debug || p.command.no_undefined);
  forget(&p);
}

static void options_by_run(void **state) {
  (void)state;
  parsed p;
  parse(&p, "-fsycl -DA=1 -MD -MF x.d -Lfoo -lm -Wl,-s -fsanitize=address -O2 -Wall a.cpp "
            "-Xarch_device -DB -fsycl-targets=native_cpu");
  assert_int_equal(p.status, TN_OK);
  static const struct { uint32_t goes; const char *text; } cases[] = {
      {TN_GOES_D, "-DA=1 -O2 -Wall -DB "},
      {TN_GOES_H, "-DA=1 -MD -MF x.d -fsanitize=address -O2 -Wall "},
      {TN_GOES_L, "-Lfoo -lm -Wl,-s -fsanitize=address -O2 -Wall "},
  };
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    tn_args args;
    tn_buf text;
    tn_args_init(&args, &p.arena);
    tn_buf_init(&text, 4096);
    tn_command_options(&p.command, cases[i].goes, &args);
    for (size_t a = 0; a < args.list.count; a++) {
      tn_buf_add_format(&text, "%s ", tn_args_at(&args, a));
    }
    assert_string_equal(tn_buf_text(&text), cases[i].text);
    tn_buf_deinit(&text);
  }
  forget(&p);
}

static void expect_refusal(const char *line, const char *words) {
  parsed p;
  parse(&p, line);
  if (p.status == TN_OK) {
    p.status = tn_command_check(&p.command, &p.diag);
  }
  assert_true(p.command.sycl);
  if (p.status == TN_OK || !strstr(p.diag.text, words)) {
    fail_msg("%s: '%s' does not say '%s'", line, p.status == TN_OK ? "" : p.diag.text, words);
  }
  forget(&p);
}

static void refusals(void **state) {
  (void)state;
  expect_refusal("-fsycl -o", "argument to '-o' is missing");
  expect_refusal("-fsycl -sectcreate a b", "argument to '-sectcreate' is missing");
  expect_refusal("-fsycl-bogus a.cpp -fsycl", "-fsycl-bogus");
  expect_refusal("-fsycl --tenon-bogus", "--tenon-bogus");
  expect_refusal("-fsycl --tenon-jobs=0", "--tenon-jobs=0");
  expect_refusal("-fsycl -fsycl-targets=native_gpu", "no such target");
  expect_refusal("-fsycl", "no input files");
  expect_refusal("-fsycl -std=gnu++14 x.cpp", "C++17");
  expect_refusal("-fsycl /nonexistent/x.cpp", "no such file or directory: '/nonexistent/x.cpp'");
  expect_refusal("-fsycl -flto x.cpp", "-flto");
  expect_refusal("-fsycl -fsycl-device-only -fsycl-host-only x.cpp", "exclude each other");
  expect_refusal("-fsycl -c -o x /dev/null -x c++ /dev/null /dev/null", "cannot specify -o");
  expect_refusal("-fsycl --save-temps=here x.cpp", "cwd or obj");
}

static void response_files(void **state) {
  (void)state;
  char *folder = NULL;
  assert_int_equal(tn_temp_dir_create("tenon-test", &folder, NULL), TN_OK);
  char *path = tn_path_join(tn_str_from(folder), TN_STR_LIT("args"));
  static const char text[] = "-c 'a b.cpp' \"c\\\"d\" e\\ f\n\t-DX= ''\n";
  assert_int_equal(tn_file_write(path, tn_bytes_from(text, sizeof(text) - 1), NULL), TN_OK);
  tn_arena arena;
  tn_arena_init(&arena);
  tn_args words;
  tn_args_init(&words, &arena);
  char *argument = tn_arena_format(&arena, "@%s", path);
  char *const argv[] = {"tenon++", "-v", argument, "@/nonexistent", "x.cpp"};
  assert_int_equal(tn_response_expand(5, argv, &words, NULL), TN_OK);
  static const char *const expected[] = {"-v", "-c", "a b.cpp", "c\"d", "e f", "-DX=", "",
                                         "@/nonexistent", "x.cpp"};
  assert_int_equal(words.list.count, TN_COUNT(expected));
  for (size_t i = 0; i < TN_COUNT(expected); i++) {
    assert_string_equal(tn_args_at(&words, i), expected[i]);
  }
  // A file that names itself ends in an error.
  const char *circle = tn_arena_format(&arena, "@%s", path);
  assert_int_equal(tn_file_write(path, tn_bytes_from(circle, strlen(circle)), NULL), TN_OK);
  tn_diag diag;
  assert_int_equal(tn_response_expand(5, argv, &words, &diag), TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "circle"));
  tn_arena_deinit(&arena);
  tn_free(path);
  tn_temp_dir_remove(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arguments_are_no_inputs), cmocka_unit_test(inputs_by_kind),
      cmocka_unit_test(actions),                 cmocka_unit_test(values),
      cmocka_unit_test(options_by_run),          cmocka_unit_test(refusals),
      cmocka_unit_test(response_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
