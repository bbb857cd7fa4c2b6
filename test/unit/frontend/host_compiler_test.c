// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What another compiler of the host's code is told, and what it is not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/frontend/frontend.h"

typedef struct fixture {
  tn_arena arena;
  tn_args user;
  tn_args options;
  tn_args left_out;
  tn_buf text;
} fixture;

static void begin(fixture *f, const char *user, const char *options) {
  tn_diag diag;
  tn_arena_init(&f->arena);
  tn_args_init(&f->user, &f->arena);
  tn_args_init(&f->options, &f->arena);
  tn_args_init(&f->left_out, &f->arena);
  tn_buf_init(&f->text, 1 << 16);
  assert_int_equal(tn_frontend_split_words(user, &f->user, &diag), TN_OK);
  assert_int_equal(tn_frontend_split_words(options, &f->options, &diag), TN_OK);
}

static void end(fixture *f) {
  tn_buf_deinit(&f->text);
  tn_arena_deinit(&f->arena);
}

static const char *joined(fixture *f, const tn_args *args) {
  tn_buf_clear(&f->text);
  for (size_t i = 0; i < args->list.count; i++) {
    tn_buf_add_format(&f->text, "%s[%s]", i > 0 ? " " : "", tn_args_at(args, i));
  }
  return tn_buf_text(&f->text);
}

static const char *command(fixture *f, const char *program, const char *header) {
  const tn_host_compiler host = {.program = program,
                                 .options = &f->options,
                                 .integration_header = header,
                                 .left_out = &f->left_out};
  const tn_pass_params params = {.clang = "clang",
                                 .source = "a.cpp",
                                 .output = "a.o",
                                 .action = "-c",
                                 .include_dir = "/inc",
                                 .unit_id = 0x12,
                                 .user = &f->user,
                                 .host = &host};
  tn_args args;
  tn_args_init(&args, &f->arena);
  tn_frontend_host_args(&params, &args);
  assert_non_null(tn_args_argv(&args));
  return joined(f, &args);
}

static void order(void **state) {
  (void)state;
  fixture f;
  begin(&f, "-O2 -DA -D B -Wall", "-O3 -x c++");
  assert_string_equal(command(&f, "/usr/bin/g++", "i.h"),
                      "[/usr/bin/g++] [-include] [i.h] [-O2] [-DA] [-D] [B] [-Wall] [-std=gnu++17] "
                      "[-DSYCL_LANGUAGE_VERSION=202012L] "
                      "[-D__TENON_UNIT_ID__=0x0000000000000012ULL] [-isystem] [/inc] "
                      "[-c] [-o] [a.o] [a.cpp] [-O3] [-x] [c++]");
  end(&f);
  begin(&f, "-std=c++20", "");
  assert_string_equal(command(&f, "clang++-18", NULL),
                      "[clang++-18] [-D__TENON_INTEGRATION_HEADER__=1] [-std=c++20] [-Xclang] "
                      "[-fsycl-is-host] [-D__TENON_UNIT_ID__=0x0000000000000012ULL] [-isystem] "
                      "[/inc] [-c] [-o] [a.o] [a.cpp]");
  end(&f);
}

static void left_out(void **state) {
  (void)state;
  fixture f;
  begin(&f,
        "-Xclang -foo -mllvm -bar -march=native -fxray-instrument -Wthread-safety -dumpdir d "
        "-gline-tables-only -g1 -MF x.d -fno-exceptions -isystem/s -isystem s",
        "");
  const char *text = command(&f, "g++", "i.h");
  assert_ptr_equal(strstr(text,
                          "[g++] [-include] [i.h] [-march=native] [-g1] [-MF] [x.d] "
                          "[-fno-exceptions] [-isystem] [s] [-std="),
                   text);
  assert_string_equal(joined(&f, &f.left_out), "[-fxray-instrument] [-dumpdir] [-isystem/s]");
  end(&f);
}

static void words(void **state) {
  (void)state;
  fixture f;
  begin(&f, "", " -a  \"b c\" 'd\"e\\' f\\ g\"h\\\"i\"\t-j''k \"\" ");
  assert_string_equal(joined(&f, &f.options), "[-a] [b c] [d\"e\\] [f gh\"i] [-jk] []");
  tn_diag diag;
  assert_int_equal(tn_frontend_split_words("-a 'b", &f.options, &diag), TN_INVALID_ARGUMENT);
  assert_string_equal(diag.text, "a quotation mark is not closed in: -a 'b");
  end(&f);
}

static void programs(void **state) {
  (void)state;
  tn_arena arena;
  tn_arena_init(&arena);
  const char *path = NULL;
  tn_diag diag;
  assert_int_equal(tn_frontend_host_compiler_find(&arena, "sh", &path, &diag), TN_OK);
  assert_int_equal(path[0], '/');
  assert_int_equal(tn_frontend_host_compiler_find(&arena, "", &path, &diag), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_frontend_host_compiler_find(&arena, "/nowhere/g++", &path, &diag), TN_IO);
  assert_non_null(strstr(diag.text, "-fsycl-host-compiler=/nowhere/g++: there is no such program"));
  assert_null(path);
  tn_arena_deinit(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(left_out),
                                     cmocka_unit_test(words), cmocka_unit_test(programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
