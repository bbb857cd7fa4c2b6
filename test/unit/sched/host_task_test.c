// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host tasks: where they run, what their failures do, and events with their times.
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

typedef struct task {
  pthread_t caller;
  _Atomic int calls;
  _Atomic int frees;
  bool on_other_thread;
  tn_status result;
  tn_queue *queue;      // waited for inside, when set
  tn_command *command;  // submitted to it first
  tn_buffer *buffer;    // released by free_user
} task;

static tn_status run_task(void *user, tn_diag *diag) {
  task *t = user;
  t->on_other_thread = !pthread_equal(t->caller, pthread_self());
  atomic_fetch_add(&t->calls, 1);
  if (t->queue != NULL) {
    TN_TRY(tn_queue_submit(t->queue, t->command, NULL, diag));
    TN_TRY(tn_queue_wait(t->queue, diag));
  }
  return t->result == TN_OK ? TN_OK : TN_FAIL(diag, HOST_TASK, "the task of the test fails");
}

static void free_task(void *user) {
  task *t = user;
  tn_buffer_release(t->buffer);
  atomic_fetch_add(&t->frees, 1);
}

static tn_command command_of(task *t) {
  t->caller = pthread_self();
  tn_command command = host_command(run_task, t);
  command.free_user = free_task;
  return command;
}

static void test_runs_elsewhere(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, TN_QUEUE_IN_ORDER);
  task t = {0};
  const tn_command command = command_of(&t);
  for (int i = 0; i < 10; i++) {
    MUST(tn_queue_submit(queue, &command, NULL, diag));
  }
  MUST(tn_queue_wait(queue, diag));
  assert_int_equal(atomic_load(&t.calls), 10);
  assert_int_equal(atomic_load(&t.frees), 10);
  assert_true(t.on_other_thread);
  tn_queue_release(queue);
  fixture_close(&f);
}

static void assert_error_taken(tn_queue *queue, const char *text) {
  tn_diag error = {0};
  assert_int_equal(tn_queue_take_error(queue, &error), 1);
  assert_int_equal(error.code, TN_HOST_TASK);
  assert_string_equal(error.text, text);
}

// What depends on a failed command runs and does not fail for it, whatever it depends on it by.
static void test_failure_is_reported(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, 0);
  task failing = {.result = TN_HOST_TASK};
  task called = {0};
  tn_event *first = NULL;
  tn_event *second = NULL;
  tn_event *third = NULL;
  tn_command command = command_of(&failing);
  MUST(tn_queue_submit(queue, &command, &first, diag));
  tn_kernel kernel = fixture_kernel(&f, "a", 0);
  tn_command launch = kernel_command(&kernel, NULL, 1);
  launch.events = (const tn_event *const *)&first;
  launch.event_count = 1;
  MUST(tn_queue_submit(queue, &launch, &third, diag));
  command = command_of(&called);
  command.events = (const tn_event *const *)&first;
  command.event_count = 1;
  MUST(tn_queue_submit(queue, &command, &second, diag));
  MUST(tn_queue_wait(queue, diag));
  tn_diag error = {0};
  assert_int_equal(tn_event_get_error(first, &error), 1);
  assert_string_equal(error.text, "the task of the test fails");
  assert_int_equal(tn_event_get_error(third, &error), 0);
  assert_int_equal(tn_event_get_error(second, &error), 0);
  assert_int_equal(atomic_load(&called.calls), 1);
  assert_int_equal(atomic_load(&called.frees), 1);
  assert_error_taken(queue, "the task of the test fails");
  assert_int_equal(tn_queue_take_error(queue, &error), 0);
  // Depending on it after the fact is the same.
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  MUST(tn_queue_wait(queue, diag));
  assert_int_equal(atomic_load(&called.calls), 2);
  assert_int_equal(atomic_load(&called.frees), 2);
  assert_int_equal(tn_queue_take_error(queue, &error), 0);
  tn_event_release(first);
  tn_event_release(second);
  tn_event_release(third);
  tn_queue_release(queue);
  fixture_close(&f);
}

// A failure is reported once, however long the chain behind it is.
static void test_chain_behind_failure(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, TN_QUEUE_IN_ORDER);
  task failing = {.result = TN_HOST_TASK};
  task called = {0};
  tn_command command = command_of(&failing);
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  command = command_of(&called);
  for (int i = 0; i < 3; i++) {
    MUST(tn_queue_submit(queue, &command, NULL, diag));
  }
  MUST(tn_queue_wait(queue, diag));
  assert_error_taken(queue, "the task of the test fails");
  tn_diag error = {0};
  assert_int_equal(tn_queue_take_error(queue, &error), 0);
  assert_int_equal(atomic_load(&called.calls), 3);
  assert_int_equal(atomic_load(&called.frees), 3);
  tn_queue_release(queue);
  fixture_close(&f);
}

static void empty_group(const void *args, const tn_cpu_group *group) {
  (void)args;
  (void)group;
}

static const c_kernel kernels[] = {{"a" TN_CPU_KERNEL_SUFFIX, empty_group}, {NULL, NULL}};

// A kernel after the failure is a command that did not fail, also where it could run at once.
static void test_kernel_after_failure(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  tn_queue *queue = fixture_queue(&f, TN_QUEUE_IN_ORDER);
  task failing = {.result = TN_HOST_TASK};
  task called = {0};
  tn_kernel kernel = fixture_kernel(&f, "a", 0);
  // The adapter runs it at once when it knows that it is quick.
  tn_command command = kernel_command(&kernel, NULL, 1);
  for (int k = 0; k < 100; k++) {
    MUST(tn_queue_submit(queue, &command, NULL, diag));
    MUST(tn_queue_wait(queue, diag));
  }
  command = command_of(&failing);
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  MUST(tn_queue_wait(queue, diag));
  command = kernel_command(&kernel, NULL, 1);
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  command = command_of(&called);
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  MUST(tn_queue_wait(queue, diag));
  assert_int_equal(atomic_load(&called.calls), 1);
  assert_error_taken(queue, "the task of the test fails");
  tn_diag error = {0};
  assert_int_equal(tn_queue_take_error(queue, &error), 0);
  tn_queue_release(queue);
  fixture_close(&f);
}

static tn_status fail_at_once(tn_adapter_device *device, const tn_adapter_command *command,
                              bool *out_ran, uint64_t *out_start_ns, uint64_t *out_end_ns,
                              tn_diag *diag) {
  (void)device;
  (void)command;
  (void)out_start_ns;
  (void)out_end_ns;
  *out_ran = false;
  return TN_FAIL(diag, DEVICE_FAILED, "the device of the test fails");
}

// A task behind a kernel that failed on the submitting thread is called as well.
static void test_kernel_that_fails_at_once(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  tn_adapter_api api = *f.device.api;
  api.try_run = fail_at_once;
  f.device.api = &api;
  tn_queue *queue = fixture_queue(&f, TN_QUEUE_IN_ORDER);
  task called = {0};
  tn_kernel kernel = fixture_kernel(&f, "a", 0);
  for (int with_event = 0; with_event < 2; with_event++) {
    tn_event *event = NULL;
    tn_command command = kernel_command(&kernel, NULL, 1);
    MUST(tn_queue_submit(queue, &command, with_event != 0 ? &event : NULL, diag));
    command = command_of(&called);
    MUST(tn_queue_submit(queue, &command, NULL, diag));
    MUST(tn_queue_wait(queue, diag));
    tn_diag error = {0};
    assert_int_equal(tn_queue_take_error(queue, &error), 1);
    assert_int_equal(error.code, TN_DEVICE_FAILED);
    assert_int_equal(tn_queue_take_error(queue, &error), 0);
    assert_int_equal(atomic_load(&called.calls), with_event + 1);
    tn_event_release(event);
  }
  tn_queue_release(queue);
  fixture_close(&f);
}

// Tasks that wait for tasks: more threads are started as long as all of them are busy.
static void test_nested_waits(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  enum { DEPTH = 8 };
  tn_queue *queues[DEPTH];
  task tasks[DEPTH];
  tn_command commands[DEPTH];
  for (int i = DEPTH - 1; i >= 0; i--) {
    queues[i] = fixture_queue(&f, TN_QUEUE_IN_ORDER);
    memset(&tasks[i], 0, sizeof(tasks[i]));
    commands[i] = command_of(&tasks[i]);
    if (i + 1 < DEPTH) {
      tasks[i].queue = queues[i + 1];
      tasks[i].command = &commands[i + 1];
    }
  }
  MUST(tn_queue_submit(queues[0], &commands[0], NULL, diag));
  MUST(tn_queue_wait(queues[0], diag));
  for (int i = 0; i < DEPTH; i++) {
    assert_int_equal(atomic_load(&tasks[i].calls), 1);
    tn_queue_release(queues[i]);
  }
  fixture_close(&f);
}

// The task's object holds the last reference to a buffer whose release waits for the task itself.
static void test_task_owns_its_buffer(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, 0);
  int host = 0;
  const tn_buffer_params params = {
      .struct_size = sizeof(params), .size = sizeof(host), .host_data = &host};
  task t = {0};
  MUST(tn_buffer_create(&params, &t.buffer, diag));
  tn_command command = command_of(&t);
  const tn_access access = {t.buffer, TN_ACCESS_READ_WRITE, TN_NO_ARG};
  command.accesses = &access;
  command.access_count = 1;
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  MUST(tn_queue_wait(queue, diag));
  assert_int_equal(atomic_load(&t.frees), 1);
  tn_queue_release(queue);
  fixture_close(&f);
}

static void test_free_user_when_refused(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, 0);
  task t = {0};
  tn_command command = command_of(&t);
  command.host_task = NULL;
  ASSERT_FAILS(tn_queue_submit(queue, &command, NULL, diag), INVALID_ARGUMENT, "host_task");
  assert_int_equal(atomic_load(&t.frees), 1);
  tn_queue_release(queue);
  fixture_close(&f);
}

static void test_profiling(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *plain = fixture_queue(&f, 0);
  tn_queue *queue = fixture_queue(&f, TN_QUEUE_PROFILING);
  tn_kernel kernel = fixture_kernel(&f, "a", 0);
  task t = {0};
  const tn_command commands[] = {kernel_command(&kernel, NULL, 1),
                                 command_of(&t),
                                 {.struct_size = sizeof(tn_command), .kind = TN_COMMAND_NONE}};
  for (size_t i = 0; i < TN_COUNT(commands); i++) {
    tn_event *event = NULL;
    MUST(tn_queue_submit(queue, &commands[i], &event, diag));
    uint64_t times[3];
    for (int32_t what = TN_PROFILING_SUBMIT; what <= TN_PROFILING_END; what++) {
      MUST(tn_event_get_profiling(event, what, &times[what], diag));
    }
    assert_true(times[0] > 0 && times[0] <= times[1] && times[1] <= times[2]);
    ASSERT_FAILS(tn_event_get_profiling(event, 9, &times[0], diag), INVALID_ARGUMENT, "PROFILING");
    tn_event_release(event);
  }
  tn_event *event = NULL;
  uint64_t time = 0;
  MUST(tn_queue_submit(plain, &commands[0], &event, diag));
  ASSERT_FAILS(tn_event_get_profiling(event, TN_PROFILING_END, &time, diag), PROFILING,
               "enable_profiling");
  tn_event_release(event);
  MUST(tn_event_create_complete(&event, diag));
  assert_int_equal(tn_event_status(event), TN_EVENT_COMPLETE);
  assert_null(tn_event_queue(event));
  MUST(tn_event_wait(event, diag));
  ASSERT_FAILS(tn_event_get_profiling(event, TN_PROFILING_END, &time, diag), PROFILING, "no queue");
  tn_event_release(event);
  MUST(tn_queue_wait(plain, diag));
  MUST(tn_queue_wait(queue, diag));
  tn_queue_release(plain);
  tn_queue_release(queue);
  fixture_close(&f);
}

static void test_capture_context(void **state) {
  (void)state;
  tn_capture outer = {0};
  tn_capture inner = {0};
  assert_null(tn_capture_get());
  assert_null(tn_capture_set(&outer));
  assert_true(tn_capture_set(&inner) == &outer);
  assert_true(tn_capture_get() == &inner);
  assert_true(tn_capture_set(&outer) == &inner);
  assert_true(tn_capture_set(NULL) == &outer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_runs_elsewhere),
      LEAK_TEST(test_failure_is_reported),
      LEAK_TEST(test_nested_waits),
      LEAK_TEST(test_task_owns_its_buffer),
      LEAK_TEST(test_free_user_when_refused),
      LEAK_TEST(test_profiling),
      LEAK_TEST(test_chain_behind_failure),
      LEAK_TEST(test_kernel_after_failure),
      LEAK_TEST(test_kernel_that_fails_at_once),
      cmocka_unit_test(test_capture_context),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
