// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The line that tells on a terminal what is being done: after a while, cut to the width, wiped out.
// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
// clang-format on

#include "compile/driver/job_run.h"

typedef struct fixture {
  tn_arena arena;
  tn_command command;
  tn_plan plan;
  tn_runner runner;
  tn_unit unit;
  tn_job done, pass;
  char *text;
  size_t size;
} fixture;

static int set_up(void **state) {
  fixture *f = test_calloc(1, sizeof(*f));
  tn_arena_init(&f->arena);
  f->command.target_count = 1;
  f->unit.name = "src/x.cpp";
  f->done = (tn_job){.kind = TN_JOB_WRAP, .state = TN_JOB_DONE};
  f->pass = (tn_job){.kind = TN_JOB_PASS,
                     .state = TN_JOB_RUNNING,
                     .unit = &f->unit,
                     .is_device = true,
                     .started_ns = 5};
  f->plan = (tn_plan){.command = &f->command, .arena = &f->arena};
  f->plan.err = open_memstream(&f->text, &f->size);
  assert_true(tn_list_add(&f->plan.jobs, &f->arena, &f->done));
  assert_true(tn_list_add(&f->plan.jobs, &f->arena, &f->pass));
  f->runner.plan = &f->plan;
  tn_mutex_init(&f->runner.mutex, TN_RANK_LEAF);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  tn_mutex_deinit(&f->runner.mutex);
  (void)fclose(f->plan.err);
  free(f->text);
  tn_arena_deinit(&f->arena);
  test_free(f);
  return 0;
}

static void show(fixture *f, bool is_terminal, uint64_t started_ns) {
  tn_mutex_lock(&f->runner.mutex);
  f->runner.left = 1;
  f->runner.shows_progress = is_terminal;
  f->runner.started_ns = started_ns;
  tn_progress_show(&f->runner);
  tn_mutex_unlock(&f->runner.mutex);
  (void)fflush(f->plan.err);
}

static void clear(fixture *f) {
  tn_mutex_lock(&f->runner.mutex);
  tn_progress_clear(&f->runner);
  tn_mutex_unlock(&f->runner.mutex);
  (void)fflush(f->plan.err);
}

static void tells_after_a_while(void **state) {
  fixture *f = *state;
  show(f, true, tn_time_ns());
  assert_int_equal(f->size, 0);
  show(f, true, 0);
  assert_string_equal(f->text, "\r[1/2] device pass of src/x.cpp");
  // A shorter line wipes out all of a longer one.
  f->unit.name = "y";
  show(f, true, 0);
  assert_string_equal(f->text + f->size - 30, "[1/2] device pass of y        ");
  clear(f);
  assert_int_equal(f->text[f->size - 1], '\r');
  const size_t before = f->size;
  clear(f);
  assert_int_equal(f->size, before);
}

static void never_in_logs(void **state) {
  fixture *f = *state;
  show(f, false, 0);
  clear(f);
  assert_int_equal(f->size, 0);
}

static void long_names_stay_on_the_line(void **state) {
  fixture *f = *state;
  char name[200];
  memset(name, 'n', sizeof(name) - 1);
  name[sizeof(name) - 1] = '\0';
  f->unit.name = name;
  show(f, true, 0);
  assert_true(f->size < 80);
  f->unit.name = "src/x.cpp";
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(tells_after_a_while, set_up, tear_down),
      cmocka_unit_test_setup_teardown(never_in_logs, set_up, tear_down),
      cmocka_unit_test_setup_teardown(long_names_stay_on_the_line, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
