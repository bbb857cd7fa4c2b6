// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child processes: output, exit status, missing programs, large outputs.
#include "base/process.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <errno.h>
#include <signal.h>

enum { CAPTURE_BOTH = TN_PROCESS_CAPTURE_OUTPUT | TN_PROCESS_CAPTURE_ERROR };

typedef struct result {
  tn_buf output;
  tn_buf error;
  int exit_status;
} result;

static result run(const char *script) {
  const char *const argv[] = {"sh", "-c", script, NULL};
  result r = {.exit_status = -1};
  tn_process process;
  tn_buf_init(&r.output, 1 << 24);
  tn_buf_init(&r.error, 1 << 24);
  assert_int_equal(tn_process_start(argv, CAPTURE_BOTH | TN_PROCESS_NULL_INPUT, &process, NULL),
                   TN_OK);
  assert_int_equal(tn_process_wait(&process, &r.output, &r.error, &r.exit_status, NULL), TN_OK);
  assert_int_equal(process.pid, 0);
  assert_int_equal(process.output_fd, -1);
  assert_int_equal(process.error_fd, -1);
  return r;
}

static void result_deinit(result *r) {
  tn_buf_deinit(&r->output);
  tn_buf_deinit(&r->error);
}

static void test_output_and_status(void **state) {
  (void)state;
  result r = run("echo out; echo err >&2; cat; exit 3");
  assert_int_equal(r.exit_status, 3);
  assert_string_equal(tn_buf_text(&r.output), "out\n");
  assert_string_equal(tn_buf_text(&r.error), "err\n");
  result_deinit(&r);
}

static void test_filters_bytes(void **state) {
  (void)state;
  enum { SIZE = 1 << 20 };
  static uint8_t input[SIZE];
  for (size_t i = 0; i < SIZE; i++) {
    input[i] = (uint8_t)(i * 7 + i / 251);
  }
  const char *const argv[] = {"cat", NULL};
  tn_buf output;
  int exit_status = -1;
  tn_buf_init(&output, 1 << 24);
  assert_int_equal(
      tn_process_filter(argv, tn_bytes_from(input, SIZE), &output, &exit_status, NULL), TN_OK);
  assert_int_equal(exit_status, 0);
  assert_int_equal(output.size, SIZE);
  assert_memory_equal(output.data, input, SIZE);
  // Whoever ignores its children gets what they write, and no status.
  tn_buf_clear(&output);
  assert_true(signal(SIGCHLD, SIG_IGN) != SIG_ERR);
  assert_int_equal(tn_process_filter(argv, tn_bytes_from(input, 5), &output, &exit_status, NULL),
                   TN_OK);
  assert_true(signal(SIGCHLD, SIG_DFL) != SIG_ERR);
  assert_int_equal(exit_status, -1);
  assert_int_equal(output.size, 5);
  const char *const killed[] = {"sh", "-c", "kill -11 $$", NULL};
  tn_buf_clear(&output);
  assert_int_equal(tn_process_filter(killed, tn_bytes_from(input, 5), &output, &exit_status, NULL),
                   TN_OK);
  assert_int_equal(exit_status, 128 + SIGSEGV);
  assert_int_equal(output.size, 0);
  const char *const missing[] = {"/nowhere/at/all", NULL};
  tn_diag diag = {0};
  const tn_bytes five = tn_bytes_from(input, 5);
  assert_int_equal(tn_process_filter(missing, five, &output, &exit_status, &diag), TN_IO);
  assert_non_null(strstr(diag.text, "/nowhere/at/all"));
  tn_buf_deinit(&output);
}

static void test_signals_are_told_apart(void **state) {
  (void)state;
  result r = run("kill -9 $$");
  assert_int_equal(r.exit_status, 128 + SIGKILL);
  result_deinit(&r);
}

// More than a pipe holds, in both streams at once.
static void test_large_output_does_not_stop(void **state) {
  (void)state;
  result r =
      run("i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; "
          "echo 0123456789012345678901234567890123456789 >&2; i=$((i + 1)); done");
  assert_int_equal(r.exit_status, 0);
  assert_int_equal(r.output.size, 3000 * 41);
  assert_int_equal(r.error.size, 3000 * 41);
  result_deinit(&r);
}

static void test_several_at_once(void **state) {
  (void)state;
  const char *const argv[] = {"/bin/sh", "-c", "echo x", NULL};
  tn_process processes[8];
  for (size_t i = 0; i < TN_COUNT(processes); i++) {
    assert_int_equal(tn_process_start(argv, TN_PROCESS_CAPTURE_OUTPUT, &processes[i], NULL), TN_OK);
  }
  for (size_t i = 0; i < TN_COUNT(processes); i++) {
    int status = -1;
    tn_buf output;
    tn_buf_init(&output, 100);
    assert_int_equal(tn_process_wait(&processes[i], &output, NULL, &status, NULL), TN_OK);
    assert_int_equal(status, 0);
    assert_string_equal(tn_buf_text(&output), "x\n");
    tn_buf_deinit(&output);
  }
}

static void test_missing_program_is_named(void **state) {
  (void)state;
  const char *const argv[] = {"tenon-no-such-program", NULL};
  tn_process process;
  tn_diag diag = {0};
  assert_int_equal(tn_process_start(argv, CAPTURE_BOTH, &process, &diag), TN_IO);
  assert_int_equal(diag.native_code, ENOENT);
  assert_non_null(strstr(diag.text, "tenon-no-such-program"));
  assert_int_equal(process.pid, 0);
  int status = 0;
  assert_int_equal(tn_process_wait(&process, NULL, NULL, &status, &diag), TN_INVALID_ARGUMENT);
}

static void test_every_start_may_fail(void **state) {
  (void)state;
  const char *const argv[] = {"sh", "-c", "exit 0", NULL};
  for (int64_t nth = 0; nth < 3; nth++) {
    tn_process process;
    tn_fault_arm(nth);
    assert_int_equal(tn_process_start(argv, CAPTURE_BOTH, &process, NULL), TN_IO);
    tn_fault_arm(-1);
    assert_int_equal(process.pid, 0);
  }
}

static void test_kill_reaps(void **state) {
  (void)state;
  const char *const argv[] = {"sh", "-c", "while :; do sleep 10; done", NULL};
  tn_process process;
  assert_int_equal(tn_process_start(argv, TN_PROCESS_CAPTURE_OUTPUT, &process, NULL), TN_OK);
  tn_process_kill(&process);
  assert_int_equal(process.pid, 0);
  assert_int_equal(process.output_fd, -1);
  tn_process_kill(&process);
}

static void test_find(void **state) {
  (void)state;
  char *sh = tn_process_find("sh");
  assert_non_null(sh);
  assert_int_equal(sh[0], '/');
  char *same = tn_process_find(sh);
  assert_string_equal(same, sh);
  tn_free(same);
  tn_free(sh);
  assert_null(tn_process_find("tenon-no-such-program"));
  assert_null(tn_process_find("/tmp"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_output_and_status),
      cmocka_unit_test(test_filters_bytes),
      cmocka_unit_test(test_signals_are_told_apart),
      cmocka_unit_test(test_large_output_does_not_stop),
      cmocka_unit_test(test_several_at_once),
      cmocka_unit_test(test_missing_program_is_named),
      cmocka_unit_test(test_every_start_may_fail),
      cmocka_unit_test(test_kill_reaps),
      cmocka_unit_test(test_find),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
