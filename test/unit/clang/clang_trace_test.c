// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces of passes over one source as one file, and commands that are shown without being run.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "compile/clang/clang.h"

static void fill(tn_clang_trace *trace, const char *json) {
  tn_clang_trace_init(trace);
  tn_buf_add_text(&trace->json, json);
}

static void has(const tn_buf *text, const char *part) {
  if (tn_str_find(tn_buf_str(text), tn_str_from(part)) == SIZE_MAX) {
    fail_msg("'%s' is not in '%.*s'", part, TN_STR_ARG(tn_buf_str(text)));
  }
}

// The second begins 500 microseconds after the first; both have threads of the same number.
static void joined(void **state) {
  (void)state;
  tn_clang_trace host;
  tn_clang_trace device;
  tn_clang_trace broken;
  fill(&host, "{\"traceEvents\":[{\"tid\":7,\"ts\":10,\"ph\":\"X\",\"dur\":1,\"name\":\"H\"},"
              "{\"tid\":7,\"ts\":0,\"ph\":\"M\",\"name\":\"thread_name\","
              "\"args\":{\"name\":\"x\"}}],"
              "\"beginningOfTime\":1000}");
  fill(&device, "{\"traceEvents\":[{\"tid\":7,\"ts\":10,\"ph\":\"X\",\"dur\":1,\"name\":\"D\"}],"
                "\"beginningOfTime\":1500}");
  fill(&broken, "{\"traceEvents\":[");
  const tn_clang_trace *const traces[] = {&host, &broken, &device};
  const char *const names[] = {"host pass", "broken", "device pass"};
  tn_buf out;
  tn_buf_init(&out, 1 << 16);
  tn_clang_trace_join(traces, names, TN_COUNT(traces), &out);
  has(&out, "\"beginningOfTime\":1000");
  has(&out, "\"name\":\"H\",\"ph\":\"X\",\"tid\":1,\"ts\":10");
  has(&out, "\"args\":{\"name\":\"host pass\"}");
  has(&out, "\"name\":\"D\",\"ph\":\"X\",\"tid\":2,\"ts\":510");
  tn_buf_deinit(&out);
  tn_clang_trace_deinit(&host);
  tn_clang_trace_deinit(&device);
  tn_clang_trace_deinit(&broken);
}

static void shown(void **state) {
  (void)state;
  const char *const args[] = {"/nowhere/bin/tenon++", "-c", "-o", "no.o", "none.cpp", NULL};
  FILE *notes = tmpfile();
  assert_non_null(notes);
  tn_buf out;
  tn_buf log;
  tn_buf_init(&out, 1 << 16);
  tn_buf_init(&log, 1 << 16);
  const tn_clang_pass_run run = {
      .args = args, .out = &out, .log = &log, .notes = notes, .says_version = true};
  int code = -1;
  tn_diag diag;
  assert_int_equal(tn_clang_show(&run, &code, &diag), TN_OK);
  assert_int_equal(code, 0);
  char text[1 << 14] = "";
  rewind(notes);
  const size_t size = fread(text, 1, sizeof(text) - 1, notes);
  assert_true(size > 0);
  assert_non_null(strstr(text, "clang version 22"));
  assert_non_null(strstr(text, "\n \"/nowhere/bin/tenon++\" \"-cc1\" \"-v\" "));
  (void)fclose(notes);
  tn_buf_deinit(&out);
  tn_buf_deinit(&log);
}

static void llvm_options(void **state) {
  (void)state;
  const char *const unknown[] = {"-no-such-option"};
  tn_diag diag;
  assert_int_equal(tn_clang_set_llvm_options(unknown, 1, &diag), TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "-no-such-option"));
  assert_int_equal(tn_clang_set_llvm_options(NULL, 0, &diag), TN_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(joined), cmocka_unit_test(shown),
                                     cmocka_unit_test(llvm_options)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
