// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warnings about device code under -w, -Werror and their kin, in the order of the command.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/driver/plan.h"

#define POINTER "a.cpp:1: warning: call through a pointer\n"
#define NOTE "    1 | say(\"warning: \");\n      | ^\na.cpp:2: note: called here\n"
#define INLINE "a.cpp:3: warning: inline function 'f' has other code in b.o\n"
#define NAMED "a.cpp:3: warning: inline function 'f' has other code in b.o [-Wodr]\n"

static void expect_of(const char *options, tn_str said, size_t errors, const char *expected) {
  tn_arena arena;
  tn_args words;
  tn_command command;
  tn_buf out;
  tn_arena_init(&arena);
  tn_args_init(&words, &arena);
  tn_buf_init(&out, 1 << 16);
  assert_int_equal(tn_frontend_split_words(options, &words, NULL), TN_OK);
  assert_int_equal(tn_command_parse(&words, &command, NULL), TN_OK);
  assert_int_equal(tn_warnings_apply(&command, said, &out), errors);
  assert_string_equal(tn_buf_text(&out), expected);
  tn_buf_deinit(&out);
  tn_arena_deinit(&arena);
}

static void expect(const char *options, size_t errors, const char *expected) {
  expect_of(options, TN_STR_LIT(POINTER NOTE INLINE NOTE), errors, expected);
}

static const char all_warnings[] = POINTER NOTE NAMED NOTE;
static const char all_errors[] =
    "a.cpp:1: error: call through a pointer [-Werror]\n" NOTE
    "a.cpp:3: error: inline function 'f' has other code in b.o [-Werror,-Wodr]\n" NOTE;
static const char one_error[] =
    POINTER NOTE
    "a.cpp:3: error: inline function 'f' has other code in b.o [-Werror,-Wodr]\n" NOTE;
static const char one_warning[] = "a.cpp:1: error: call through a pointer [-Werror]\n" NOTE NAMED
    NOTE;

static void all(void **state) {
  (void)state;
  expect("-fsycl -Wall", 0, all_warnings);
  expect("-fsycl -Werror", 2, all_errors);
  expect("-fsycl -Werror -Wno-error", 0, all_warnings);
  expect("-fsycl -Wno-error -Werror", 2, all_errors);
  expect("-fsycl -w", 0, "");
  expect("-fsycl -w -Werror -Werror=odr", 0, "");
  expect("-fsycl -Werror -w", 0, "");
}

// A remark stays, whatever becomes of the warning before it.
static void remarks(void **state) {
  (void)state;
#define REMARK "a.cpp:4: remark: kernel 'K' [-Rpass=tenon]\n    4 | x\n"
  expect_of("-fsycl -w", TN_STR_LIT(POINTER NOTE REMARK), 0, REMARK);
  expect_of("-fsycl -Werror", TN_STR_LIT(REMARK), 0, REMARK);
}

static void groups(void **state) {
  (void)state;
  expect("-fsycl -Wno-odr", 0, POINTER NOTE);
  expect("-fsycl -Wno-odr -Wodr", 0, all_warnings);
  expect("-fsycl -Werror=odr", 1, one_error);
  expect("-fsycl -Werror=odr -Wodr", 1, one_error);
  expect("-fsycl -Werror=odr -Wno-error=odr", 0, all_warnings);
  expect("-fsycl -Wno-error=odr -Werror", 1, one_warning);
  expect("-fsycl -Wno-odr -Werror=odr", 1, one_error);
  expect("-fsycl -Werror=frame-larger-than", 0, all_warnings);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all), cmocka_unit_test(remarks),
                                     cmocka_unit_test(groups)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
