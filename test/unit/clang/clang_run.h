// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of compile/clang share: a run over sources in memory, and what came of it.
#ifndef TN_TEST_UNIT_CLANG_CLANG_RUN_H
#define TN_TEST_UNIT_CLANG_CLANG_RUN_H

#include "compile/clang/clang.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

// Sanitizers make Clang many times slower: then less of everything does.
#if defined(__SANITIZE_ADDRESS__)
#define CLANG_RUN_SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CLANG_RUN_SLOW 1
#endif
#endif
#ifndef CLANG_RUN_SLOW
#define CLANG_RUN_SLOW 0
#endif

typedef tn_status (*clang_do)(const tn_clang_run *, tn_buf *, tn_buf *, tn_clang_result *,
                              tn_diag *);

typedef struct clang_run {
  const char *args[32];
  size_t arg_count;
  tn_clang_file files[16];
  tn_clang_run run;
  tn_buf out;
  tn_buf log;
  tn_clang_result result;
  tn_diag diag;
} clang_run;

// A device pass over /rtc/rtc_0.cpp, whose text is `source`.
static inline void clang_run_init_sized(clang_run *it, const char *source, size_t size) {
  *it = (clang_run){0};
  static const char *const words[] = {TN_CLANG_PATH, "-Xclang", "-fsycl-is-device",    "-std=c++17",
                                      "-O2",         "-Xclang", "-disable-llvm-passes"};
  for (size_t i = 0; i < TN_COUNT(words); i++) {
    it->args[it->arg_count++] = words[i];
  }
  it->files[0] = (tn_clang_file){"/rtc/rtc_0.cpp", tn_bytes_from(source, size)};
  it->run.files = it->files;
  it->run.file_count = 1;
  tn_buf_init(&it->out, (size_t)64 << 20);
  tn_buf_init(&it->log, (size_t)1 << 20);
  tn_clang_result_init(&it->result);
}

static inline void clang_run_init(clang_run *it, const char *source) {
  clang_run_init_sized(it, source, strlen(source));
}

static inline void clang_run_add_file(clang_run *it, const char *name, const char *text) {
  it->files[it->run.file_count++] = (tn_clang_file){name, tn_bytes_from(text, strlen(text))};
}

static inline tn_status clang_run_do(clang_run *it, clang_do action) {
  it->args[it->arg_count] = it->files[0].name;
  it->args[it->arg_count + 1] = NULL;
  it->run.args = it->args;
  return action(&it->run, &it->out, &it->log, &it->result, &it->diag);
}

static inline void clang_run_deinit(clang_run *it) {
  tn_buf_deinit(&it->out);
  tn_buf_deinit(&it->log);
  tn_clang_result_deinit(&it->result);
}

static inline bool clang_run_has(const tn_buf *buf, const char *text) {
  return tn_str_find(tn_buf_str(buf), tn_str_from(text)) != SIZE_MAX;
}

// What was expected to work and did not, with the log.
static inline void clang_run_expect(clang_run *it, clang_do action, tn_status expected) {
  const tn_status status = clang_run_do(it, action);
  if (status != expected) {
    print_message("%s: %s\n%s", tn_status_name(status), it->diag.text, tn_buf_text(&it->log));
  }
  assert_int_equal(status, expected);
}

#define CLANG_EXTERNAL "[[clang::sycl_external]] "
#define CLANG_KERNEL "[[clang::sycl_external, clang::annotate(\"tenon-free-function\")]] "

#endif
