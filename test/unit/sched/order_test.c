// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What waits for what: queues, events, buffers and host accesses, on a mock device that is stepped
// by hand, so that every order a device may choose can be chosen.
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static size_t pending(fixture *f) { return tn_mock_pending_count(f->device.adapter_device); }

static bool step(fixture *f, size_t index) { return tn_mock_step(f->device.adapter_device, index); }

static void step_all(fixture *f) {
  while (step(f, 0)) {
  }
}

// The argument of the executed kernel at `index`.
static uint32_t id_at(fixture *f, size_t index) {
  tn_mock_record record;
  assert_true(tn_mock_log_at(f->device.adapter_device, index, &record));
  uint32_t id = 0;
  memcpy(&id, record.args, sizeof(id));
  return id;
}

typedef struct rig {
  fixture f;
  tn_kernel kernel;
  tn_queue *in_order;
  tn_queue *free_order;
  tn_buffer *buffer;
} rig;

static void rig_open(rig *r) {
  fixture_open_mock(&r->f, true);
  r->kernel = fixture_kernel(&r->f, "a", sizeof(uint32_t));
  r->in_order = fixture_queue(&r->f, TN_QUEUE_IN_ORDER);
  r->free_order = fixture_queue(&r->f, 0);
  const tn_buffer_params params = {.struct_size = sizeof(params), .size = 64};
  MUST(tn_buffer_create(&params, &r->buffer, diag));
}

static void rig_close(rig *r) {
  step_all(&r->f);
  tn_buffer_release(r->buffer);
  tn_queue_release(r->in_order);
  tn_queue_release(r->free_order);
  fixture_close(&r->f);
}

static void submit_id(rig *r, tn_queue *queue, uint32_t id, tn_event **out) {
  const tn_command command = kernel_command(&r->kernel, &id, 1);
  MUST(tn_queue_submit(queue, &command, out, diag));
}

static void submit_after(rig *r, tn_queue *queue, uint32_t id, const tn_event *after,
                         tn_event **out) {
  tn_command command = kernel_command(&r->kernel, &id, 1);
  command.events = &after;
  command.event_count = 1;
  MUST(tn_queue_submit(queue, &command, out, diag));
}

static void submit_using(rig *r, tn_queue *queue, uint32_t id, uint32_t mode) {
  tn_command command = kernel_command(&r->kernel, &id, 1);
  const tn_access access = {r->buffer, mode, TN_NO_ARG};
  command.accesses = &access;
  command.access_count = 1;
  MUST(tn_queue_submit(queue, &command, NULL, diag));
}

static void test_in_order(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  for (uint32_t i = 0; i < 5; i++) {
    submit_id(&r, r.in_order, i, NULL);
    assert_int_equal(pending(&r.f), 1);
  }
  assert_false(tn_queue_is_idle(r.in_order));
  tn_queue_flush(r.in_order);  // does not wait
  assert_int_equal(pending(&r.f), 1);
  assert_false(tn_queue_is_idle(r.in_order));
  for (uint32_t i = 0; i < 5; i++) {
    assert_true(step(&r.f, 0));
    assert_int_equal(id_at(&r.f, i), i);
  }
  assert_true(tn_queue_is_idle(r.in_order));
  rig_close(&r);
}

static void test_out_of_order(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  for (uint32_t i = 0; i < 3; i++) {
    submit_id(&r, r.free_order, i, NULL);
  }
  assert_int_equal(pending(&r.f), 3);
  assert_true(step(&r.f, 2));
  assert_int_equal(id_at(&r.f, 0), 2);
  rig_close(&r);
}

static void test_events_across_queues(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_event *first = NULL;
  tn_event *second = NULL;
  submit_id(&r, r.in_order, 1, &first);
  submit_after(&r, r.free_order, 2, first, &second);
  assert_int_equal(pending(&r.f), 1);
  assert_int_equal(tn_event_status(first), TN_EVENT_RUNNING);
  assert_int_equal(tn_event_status(second), TN_EVENT_SUBMITTED);
  assert_true(tn_event_queue(second) == r.free_order);
  tn_event *waits[2] = {NULL, NULL};
  size_t count = 0;
  MUST(tn_event_get_wait_list(second, waits, 2, &count, diag));
  assert_int_equal(count, 1);
  assert_true(waits[0] == first);
  tn_event_release(waits[0]);
  assert_true(step(&r.f, 0));
  assert_int_equal(tn_event_status(first), TN_EVENT_COMPLETE);
  assert_int_equal(pending(&r.f), 1);
  MUST(tn_event_get_wait_list(second, waits, 2, &count, diag));
  assert_int_equal(count, 0);
  step_all(&r.f);
  MUST(tn_event_wait(second, diag));
  // A dependency that is complete already, and none at all.
  submit_after(&r, r.free_order, 3, first, NULL);
  submit_after(&r, r.free_order, 4, NULL, NULL);
  assert_int_equal(pending(&r.f), 2);
  tn_event_release(first);
  tn_event_release(second);
  rig_close(&r);
}

static void test_read_after_write(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  submit_using(&r, r.free_order, 1, TN_ACCESS_WRITE);
  submit_using(&r, r.free_order, 2, TN_ACCESS_READ);
  submit_using(&r, r.in_order, 3, TN_ACCESS_READ);
  assert_int_equal(pending(&r.f), 1);
  assert_true(step(&r.f, 0));
  // Readers do not wait for each other.
  assert_int_equal(pending(&r.f), 2);
  assert_true(step(&r.f, 1));
  rig_close(&r);
}

static void test_write_after_read(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  submit_using(&r, r.free_order, 1, TN_ACCESS_READ);
  submit_using(&r, r.free_order, 2, TN_ACCESS_READ);
  submit_using(&r, r.free_order, 3, TN_ACCESS_WRITE | TN_ACCESS_NO_INIT);
  assert_int_equal(pending(&r.f), 2);
  assert_true(step(&r.f, 1));
  assert_int_equal(pending(&r.f), 1);
  assert_true(step(&r.f, 0));
  assert_int_equal(pending(&r.f), 1);
  step_all(&r.f);
  assert_int_equal(id_at(&r.f, 2), 3);
  rig_close(&r);
}

static void test_write_after_write(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  submit_using(&r, r.free_order, 1, TN_ACCESS_WRITE);
  submit_using(&r, r.free_order, 2, TN_ACCESS_WRITE);
  submit_using(&r, r.free_order, 3, TN_ACCESS_READ_WRITE);
  for (uint32_t i = 0; i < 3; i++) {
    assert_int_equal(pending(&r.f), 1);
    assert_true(step(&r.f, 0));
    assert_int_equal(id_at(&r.f, i), i + 1);
  }
  rig_close(&r);
}

// Two accessors of one command to one buffer, in either order, are no dependency on itself.
static void test_same_buffer_twice(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  const uint32_t id = 7;
  const uint32_t modes[4][2] = {{TN_ACCESS_READ, TN_ACCESS_WRITE},
                                {TN_ACCESS_WRITE, TN_ACCESS_READ},
                                {TN_ACCESS_READ, TN_ACCESS_READ},
                                {TN_ACCESS_WRITE, TN_ACCESS_WRITE}};
  for (size_t i = 0; i < 4; i++) {
    tn_command command = kernel_command(&r.kernel, &id, 1);
    const tn_access accesses[2] = {{r.buffer, modes[i][0], TN_NO_ARG},
                                   {r.buffer, modes[i][1], TN_NO_ARG}};
    command.accesses = accesses;
    command.access_count = 2;
    MUST(tn_queue_submit(r.free_order, &command, NULL, diag));
    assert_int_equal(pending(&r.f), 1);
    step_all(&r.f);
  }
  assert_true(tn_queue_is_idle(r.free_order));
  rig_close(&r);
}

static void test_host_access_holds_back(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  void *data = NULL;
  void *more = NULL;
  MUST(tn_buffer_begin_host_access(r.buffer, TN_ACCESS_READ, &data, diag));
  MUST(tn_buffer_begin_host_access(r.buffer, TN_ACCESS_READ, &more, diag));
  assert_true(data == more);
  submit_using(&r, r.free_order, 1, TN_ACCESS_READ);
  assert_int_equal(pending(&r.f), 1);
  submit_using(&r, r.free_order, 2, TN_ACCESS_WRITE);
  step_all(&r.f);
  assert_int_equal(pending(&r.f), 0);
  tn_buffer_end_host_access(r.buffer, TN_ACCESS_READ);
  assert_int_equal(pending(&r.f), 0);
  tn_buffer_end_host_access(r.buffer, TN_ACCESS_READ);
  assert_int_equal(pending(&r.f), 1);
  step_all(&r.f);
  MUST(tn_buffer_begin_host_access(r.buffer, TN_ACCESS_WRITE, &data, diag));
  submit_using(&r, r.free_order, 3, TN_ACCESS_READ);
  assert_int_equal(pending(&r.f), 0);
  tn_buffer_end_host_access(r.buffer, TN_ACCESS_WRITE);
  assert_int_equal(pending(&r.f), 1);
  rig_close(&r);
}

// Slow, so that whoever does not wait for it is found out.
static void note_execution(void *user, const tn_adapter_command *command) {
  (void)command;
  usleep(20000);
  atomic_store((_Atomic int *)user, 1);
}

static void test_host_access_waits(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  _Atomic int executed = 0;
  tn_mock_set_hook(r.f.device.adapter_device, note_execution, &executed);
  submit_using(&r, r.free_order, 1, TN_ACCESS_WRITE);
  tn_mock_set_manual(r.f.device.adapter_device, false);  // its thread runs it some time
  void *data = NULL;
  MUST(tn_buffer_begin_host_access(r.buffer, TN_ACCESS_READ, &data, diag));
  assert_int_equal(atomic_load(&executed), 1);
  tn_buffer_end_host_access(r.buffer, TN_ACCESS_READ);
  rig_close(&r);
}

static void test_empty_commands(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_event *first = NULL;
  submit_id(&r, r.free_order, 1, &first);
  const tn_event *const sources[2] = {first, NULL};
  const tn_command none = {
      .struct_size = sizeof(none), .kind = TN_COMMAND_NONE, .events = sources, .event_count = 2};
  tn_event *barrier = NULL;
  MUST(tn_queue_submit(r.free_order, &none, &barrier, diag));
  const uint32_t id = 2;
  const tn_command nothing = kernel_command(&r.kernel, &id, 0);
  tn_event *empty = NULL;
  MUST(tn_queue_submit(r.free_order, &nothing, &empty, diag));
  assert_int_equal(tn_event_status(empty), TN_EVENT_COMPLETE);
  assert_int_equal(tn_event_status(barrier), TN_EVENT_SUBMITTED);
  step_all(&r.f);
  assert_int_equal(tn_event_status(barrier), TN_EVENT_COMPLETE);
  assert_int_equal(tn_mock_log_count(r.f.device.adapter_device), 1);
  tn_event_release(first);
  tn_event_release(barrier);
  tn_event_release(empty);
  rig_close(&r);
}

static void test_queue_released_while_pending(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_queue *queue = fixture_queue(&r.f, TN_QUEUE_IN_ORDER);
  tn_event *last = NULL;
  submit_id(&r, queue, 1, NULL);
  submit_id(&r, queue, 2, &last);
  tn_queue_release(queue);
  step_all(&r.f);
  assert_int_equal(tn_mock_log_count(r.f.device.adapter_device), 2);
  assert_int_equal(tn_event_status(last), TN_EVENT_COMPLETE);
  tn_event_release(last);
  rig_close(&r);
}

// A buffer that is in place waits for its last user; one with memory of its own does not.
static void test_buffer_release(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  submit_using(&r, r.free_order, 1, TN_ACCESS_WRITE);
  tn_buffer_release(r.buffer);
  assert_int_equal(pending(&r.f), 1);
  uint64_t host = 0;
  const tn_buffer_params params = {.struct_size = sizeof(params), .size = 8, .host_data = &host};
  MUST(tn_buffer_create(&params, &r.buffer, diag));
  submit_using(&r, r.free_order, 2, TN_ACCESS_WRITE);
  _Atomic int executed = 0;
  tn_mock_set_hook(r.f.device.adapter_device, note_execution, &executed);
  tn_mock_set_manual(r.f.device.adapter_device, false);
  tn_buffer_release(r.buffer);
  assert_int_equal(atomic_load(&executed), 1);
  assert_int_equal(tn_mock_log_count(r.f.device.adapter_device), 2);
  r.buffer = NULL;
  MUST(tn_queue_wait(r.free_order, diag));
  rig_close(&r);
}

static void test_long_chain_is_flat(void **state) {
  (void)state;
  enum { LENGTH = 10000 };
  rig r;
  rig_open(&r);
  tn_event *last = NULL;
  int64_t live = 0;
  for (uint32_t i = 0; i < LENGTH; i++) {
    tn_event *next = NULL;
    submit_after(&r, r.free_order, i, last, &next);
    submit_using(&r, r.free_order, i, TN_ACCESS_READ);
    step_all(&r.f);
    tn_event_release(last);
    last = next;
    if (i == 100) {
      live = tn_alloc_live();
    }
  }
  assert_int_equal(tn_alloc_live(), live);
  tn_event_release(last);
  // All pending at once: completing the first must not recurse through the others.
  for (uint32_t i = 0; i < LENGTH; i++) {
    submit_id(&r, r.in_order, i, NULL);
  }
  tn_mock_log_clear(r.f.device.adapter_device);
  step_all(&r.f);
  assert_int_equal(tn_mock_log_count(r.f.device.adapter_device), LENGTH);
  assert_int_equal(id_at(&r.f, LENGTH - 1), LENGTH - 1);
  rig_close(&r);
}

static void test_device_failures(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_event *failed = NULL;
  tn_event *after = NULL;
  tn_mock_fail(r.f.device.adapter_device, TN_MOCK_EXECUTE, 0);
  submit_id(&r, r.in_order, 1, &failed);
  submit_id(&r, r.in_order, 2, &after);
  step_all(&r.f);
  tn_diag diag = {0};
  assert_int_equal(tn_event_get_error(failed, &diag), 1);
  assert_int_equal(diag.code, TN_DEVICE_FAILED);
  // What depends on a failed command runs nevertheless, and does not fail for it.
  assert_int_equal(tn_event_get_error(after, &diag), 0);
  assert_int_equal(id_at(&r.f, 0), 2);
  tn_mock_fail(r.f.device.adapter_device, TN_MOCK_SUBMIT, 0);
  submit_id(&r, r.in_order, 3, NULL);
  assert_int_equal(tn_queue_take_error(r.in_order, &diag), 1);
  assert_non_null(strstr(diag.text, "this command"));
  assert_int_equal(tn_queue_take_error(r.in_order, &diag), 1);
  assert_non_null(strstr(diag.text, "this submission"));
  assert_int_equal(tn_queue_take_error(r.in_order, &diag), 0);
  tn_event_release(failed);
  tn_event_release(after);
  rig_close(&r);
}

static void test_arguments_and_patches(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  struct {
    uint64_t before;
    void *data;
    uint64_t after;
  } args = {1, NULL, 2};
  tn_kernel kernel = fixture_kernel(&r.f, "b", sizeof(args));
  tn_command command = kernel_command(&kernel, &args, 6);
  command.dims = 3;
  const uint64_t global[3] = {2, 4, 6};
  const uint64_t local[3] = {1, 2, 3};
  const uint64_t offset[3] = {7, 8, 9};
  memcpy(command.global, global, sizeof(global));
  memcpy(command.local, local, sizeof(local));
  memcpy(command.offset, offset, sizeof(offset));
  command.has_local = 1;
  const tn_access access = {r.buffer, TN_ACCESS_WRITE, 8};
  command.accesses = &access;
  command.access_count = 1;
  MUST(tn_queue_submit(r.free_order, &command, NULL, diag));
  args.before = 0;  // the block was copied
  step_all(&r.f);
  tn_mock_record record;
  assert_true(tn_mock_log_at(r.f.device.adapter_device, 0, &record));
  memcpy(&args, record.args, sizeof(args));
  void *memory = NULL;
  MUST(tn_buffer_get_memory(r.buffer, &memory, diag));
  assert_int_equal(args.before, 1);
  assert_true(args.data == memory);
  assert_int_equal(args.after, 2);
  assert_string_equal(record.kernel, "b");
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(record.global[i], global[2 - i]);
    assert_int_equal(record.local[i], local[2 - i]);
    assert_int_equal(record.offset[i], offset[2 - i]);
  }
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_in_order),
      LEAK_TEST(test_out_of_order),
      LEAK_TEST(test_events_across_queues),
      LEAK_TEST(test_read_after_write),
      LEAK_TEST(test_write_after_read),
      LEAK_TEST(test_write_after_write),
      LEAK_TEST(test_same_buffer_twice),
      LEAK_TEST(test_host_access_holds_back),
      LEAK_TEST(test_host_access_waits),
      LEAK_TEST(test_empty_commands),
      LEAK_TEST(test_queue_released_while_pending),
      LEAK_TEST(test_buffer_release),
      LEAK_TEST(test_long_chain_is_flat),
      LEAK_TEST(test_device_failures),
      LEAK_TEST(test_arguments_and_patches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
