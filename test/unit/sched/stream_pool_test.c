// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands that the device itself orders: the stream pool of out-of-order queues, transfers, and
// commands that wait for other queues and devices; buffers between two devices. Over a driver of
// NVIDIA's without a device (test/fake_cuda).
#include "adapter/cuda/cuda_driver.h"
#include "fake_cuda/fake_fail.h"
#include "fake_cuda/fake_kernel.h"
#include "run/sched/queue_state.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static const char ptx[] = ".version 7.0\n.entry step(\n";

// A kernel waits for its gate, if it has one, and writes down its number.
typedef struct block {
  atomic_int *gate;
  uint64_t number;
} block;

enum { STEPS = 4096 };
static _Atomic size_t step_count;
static uint64_t steps[STEPS];

// `number` is an address where the number is added up, when it is large.
void fake_cuda_kernel(const char *name, const unsigned *grid, const unsigned *threads,
                      void *const *params) {
  (void)name;
  (void)grid;
  (void)threads;
  block args;
  memcpy(&args, params[0], sizeof(args));
  if (args.number > STEPS) {  // an accessor's memory, and what to do there
    uint64_t *words = (uint64_t *)(uintptr_t)args.number;
    words[0] = args.gate ? words[0] * 3 + (uint64_t)(uintptr_t)args.gate : words[0] + 1;
    return;
  }
  while (args.gate && atomic_load(args.gate) == 0) {
    usleep(100);
  }
  steps[atomic_fetch_add(&step_count, 1) % STEPS] = args.number;
}

typedef struct rig {
  fixture f;
  tn_platform *platform;
  tn_device second;  // the adapter's other device
  tn_context *second_context;
  tn_adapter_program *second_program;
  tn_kernel kernel;
  tn_kernel second_kernel;
  tn_queue *queue;         // out of order
  tn_queue *second_queue;  // the same, on the second device
} rig;

static void rig_open(rig *r) {
  fake_cuda_fail(NULL);
  atomic_store(&step_count, 0);
  fixture_open(&r->f, tn_cuda_adapter_query(TN_ADAPTER_VERSION), 0, ptx, sizeof(ptx));
  r->kernel = fixture_kernel(&r->f, "step", sizeof(block));
  r->kernel.arg_align = 8;
  r->queue = fixture_queue(&r->f, 0);
  r->second = r->f.device;
  r->second.adapter_device = r->f.device.api->device_at(r->f.adapter, 1);
  tn_device *devices[] = {&r->second};
  MUST(tn_context_create(devices, 1, &r->second_context, diag));
  MUST(r->f.device.api->program_load(r->second.adapter_device, ptx, sizeof(ptx), &r->second_program,
                                     diag));
  r->second_kernel = r->kernel;
  r->second_kernel.device = &r->second;
  MUST(r->f.device.api->kernel_find(r->second_program, "step", &r->second_kernel.adapter_kernel,
                                    diag));
  MUST(tn_queue_create(r->second_context, &r->second, 0, &r->second_queue, diag));
}

static void rig_close(rig *r) {
  MUST(tn_queue_wait(r->queue, diag));
  MUST(tn_queue_wait(r->second_queue, diag));
  tn_queue_release(r->queue);
  tn_queue_release(r->second_queue);
  fixture_release_context(r->second_context);
  r->f.device.api->program_unload(r->second_program);
  fixture_close(&r->f);
}

static tn_event *submit(tn_queue *queue, tn_kernel *kernel, atomic_int *gate, uint64_t number,
                        const tn_event *after) {
  _Alignas(8) const block args = {gate, number};
  tn_command command = kernel_command(kernel, &args, 1);
  command.events = &after;
  command.event_count = 1;
  tn_event *event = NULL;
  MUST(tn_queue_submit(queue, &command, &event, diag));
  return event;
}

// The whole chain is with the device before its first command has ended.
static void test_chains_need_no_host(void **state) {
  (void)state;
  enum { LENGTH = 200 };
  rig r;
  rig_open(&r);
  tn_queue *in_order = fixture_queue(&r.f, TN_QUEUE_IN_ORDER);
  atomic_int gate = 0;
  tn_event *last = submit(r.queue, &r.kernel, &gate, 0, NULL);
  for (uint64_t i = 1; i < LENGTH; i++) {
    tn_queue *const queues[] = {r.queue, r.queue, in_order, r.second_queue};
    tn_queue *queue = queues[i % 7 % 4];
    tn_event *next =
        submit(queue, queue == r.second_queue ? &r.second_kernel : &r.kernel, NULL, i, last);
    assert_non_null(atomic_load(&next->stream)       ? (void *)next
                    : atomic_load(&next->is_launch) ? (void *)next
                                                    : NULL);
    tn_event_release(last);
    last = next;
  }
  assert_int_equal(step_count, 0);
  atomic_store(&gate, 1);
  MUST(tn_event_wait(last, diag));
  assert_int_equal(step_count, LENGTH);
  for (uint64_t i = 0; i < LENGTH; i++) {
    assert_int_equal(steps[i], i);
  }
  tn_event_release(last);
  MUST(tn_queue_wait(in_order, diag));
  tn_queue_release(in_order);
  rig_close(&r);
}

// What happens once, when the driver has put a command's end into a stream.
static void (*at_record)(void);

__attribute__((visibility("default"))) void fake_cuda_returns(const char *function);
void fake_cuda_returns(const char *function) {
  void (*const act)(void) = at_record;
  if (act != NULL && strcmp(function, "cuEventRecord") == 0) {
    at_record = NULL;
    act();
  }
}

static rig *racer_rig;
static atomic_int racer_gate;
static tn_event *racer_event;

// The next stream of the pool, until it is the first one again.
static void *race(void *arg) {
  (void)arg;
  for (uint64_t i = 1; i < TN_STREAM_POOL_SIZE; i++) {
    tn_event_release(submit(racer_rig->queue, &racer_rig->kernel, NULL, i, NULL));
  }
  racer_event =
      submit(racer_rig->queue, &racer_rig->kernel, &racer_gate, TN_STREAM_POOL_SIZE, NULL);
  return NULL;
}

static void race_by(void) {
  tn_thread thread;
  MUST(tn_thread_create(&thread, "racer", race, NULL, diag));
  tn_thread_join(thread);
}

// Two threads give commands to a stream at the same time, and the adapter notes them in the reverse
// order: completion of the first is not that of the second.
static void test_two_threads_in_a_stream(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  racer_rig = &r;
  atomic_store(&racer_gate, 0);
  at_record = race_by;
  tn_event *first = submit(r.queue, &r.kernel, NULL, 0, NULL);
  assert_null(at_record);
  MUST(tn_event_wait(first, diag));
  assert_int_not_equal(tn_event_status(racer_event), TN_EVENT_COMPLETE);
  assert_ptr_equal(atomic_load(&first->stream), atomic_load(&racer_event->stream));
  assert_int_equal(tn_queue_is_idle(r.queue), 0);
  atomic_store(&racer_gate, 1);
  MUST(tn_event_wait(racer_event, diag));
  tn_event_release(first);
  tn_event_release(racer_event);
  rig_close(&r);
}

// A command without dependencies does not wait for one that has some.
static void test_streams_of_the_pool_are_independent(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  atomic_int gate = 0;
  tn_event *held = submit(r.queue, &r.kernel, &gate, 1, NULL);
  tn_event *behind = submit(r.queue, &r.kernel, NULL, 2, held);
  tn_event *free_one = submit(r.queue, &r.kernel, NULL, 3, NULL);
  MUST(tn_event_wait(free_one, diag));
  assert_int_equal(step_count, 1);
  assert_int_equal(steps[0], 3);
  assert_int_not_equal(tn_event_status(behind), TN_EVENT_COMPLETE);
  assert_int_equal(tn_queue_is_idle(r.queue), 0);
  atomic_store(&gate, 1);
  MUST(tn_event_wait(behind, diag));
  assert_int_equal(tn_event_status(held), TN_EVENT_COMPLETE);
  tn_event_release(held);
  tn_event_release(behind);
  tn_event_release(free_one);
  rig_close(&r);
}

static tn_status note_host(void *user, tn_diag *diag) {
  (void)diag;
  steps[atomic_fetch_add(&step_count, 1) % STEPS] = (uint64_t)(uintptr_t)user;
  return TN_OK;
}

static void assert_failed(tn_queue *queue, tn_event *event, const char *text) {
  tn_diag error = {0};
  MUST(tn_event_wait(event, diag));
  assert_int_equal(tn_event_get_error(event, &error), 1);
  assert_non_null(strstr(error.text, text));
  MUST(tn_queue_wait(queue, diag));
  assert_int_equal(tn_queue_take_error(queue, &error), 1);
  assert_non_null(strstr(error.text, text));
  assert_int_equal(tn_queue_take_error(queue, &error), 0);
}

// A command that the driver does not accept is complete when what it depends on is: whoever waits
// for it alone comes behind that, too.
static void test_failed_wait_keeps_order(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_queue *in_order = fixture_queue(&r.f, TN_QUEUE_IN_ORDER);
  tn_queue *const queues[] = {r.queue, in_order};
  for (size_t i = 0; i < TN_COUNT(queues); i++) {
    atomic_store(&step_count, 0);
    atomic_int gate = 0;
    tn_event *held = submit(r.second_queue, &r.second_kernel, &gate, 1, NULL);
    fake_cuda_fail("cuStreamWaitEvent:0:2");
    tn_event *failed = submit(queues[i], &r.kernel, NULL, 2, held);
    fake_cuda_fail(NULL);
    tn_event *behind = submit(queues[i], &r.kernel, NULL, 3, failed);
    usleep(2000);
    assert_int_not_equal(tn_event_status(failed), TN_EVENT_COMPLETE);
    assert_int_not_equal(tn_event_status(behind), TN_EVENT_COMPLETE);
    assert_int_equal(step_count, 0);
    atomic_store(&gate, 1);
    MUST(tn_event_wait(behind, diag));
    assert_failed(queues[i], failed, "out of memory");
    assert_int_equal(step_count, 2);
    assert_int_equal(steps[0], 1);
    assert_int_equal(steps[1], 3);
    tn_event_release(held);
    tn_event_release(failed);
    tn_event_release(behind);
  }
  tn_queue_release(in_order);
  rig_close(&r);
}

// The same for a launch in an in-order queue's stream, and for others that wait for its event.
static void test_failed_launch_keeps_order(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_queue *in_order = fixture_queue(&r.f, TN_QUEUE_IN_ORDER);
  atomic_int gate = 0;
  uint64_t copy = 0;
  const uint64_t word = 5;
  tn_event *failed[2] = {NULL};
  tn_event *behind[2] = {NULL};
  for (int i = 0; i < 2; i++) {
    _Alignas(8) const block args = {&gate, 1};
    const tn_command launch = kernel_command(&r.kernel, &args, 1);
    MUST(tn_queue_submit(in_order, &launch, NULL, diag));
    const tn_command commands[] = {launch,
                                   {.struct_size = sizeof(tn_command),
                                    .kind = TN_COMMAND_COPY,
                                    .dst = &copy,
                                    .src = &word,
                                    .size = sizeof(copy)}};
    fake_cuda_fail(i == 0 ? "cuLaunchKernel:0:2" : "cuMemcpyAsync:0:2");
    MUST(tn_queue_submit(in_order, &commands[i], &failed[i], diag));
    fake_cuda_fail(NULL);
    behind[i] = submit(r.second_queue, &r.second_kernel, NULL, 2, failed[i]);
    usleep(2000);
    assert_int_not_equal(tn_event_status(failed[i]), TN_EVENT_COMPLETE);
    assert_int_not_equal(tn_event_status(behind[i]), TN_EVENT_COMPLETE);
    assert_int_equal(step_count, 0);
    atomic_store(&gate, 1);
    MUST(tn_event_wait(behind[i], diag));
    assert_failed(in_order, failed[i], "out of memory");
    assert_int_equal(step_count, 2);
    assert_int_equal(steps[0], 1);
    assert_int_equal(steps[1], 2);
    atomic_store(&gate, 0);
    atomic_store(&step_count, 0);
    tn_event_release(failed[i]);
    tn_event_release(behind[i]);
  }
  assert_int_equal(copy, 0);
  tn_queue_release(in_order);
  rig_close(&r);
}

// Host tasks between commands of the device, from both sides.
static void test_host_tasks_between(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  for (int turn = 0; turn < 20; turn++) {
    atomic_store(&step_count, 0);
    tn_event *first = submit(r.queue, &r.kernel, NULL, 1, NULL);
    tn_command host = host_command(note_host, (void *)2);
    const tn_event *events[] = {first};
    host.events = events;
    host.event_count = 1;
    tn_event *task = NULL;
    MUST(tn_queue_submit(r.queue, &host, &task, diag));
    tn_event *last = submit(r.queue, &r.kernel, NULL, 3, task);
    if (turn % 2 == 0) {
      MUST(tn_event_wait(last, diag));
    } else {
      MUST(tn_queue_wait(r.queue, diag));
    }
    for (size_t i = 0; i < 3; i++) {
      assert_int_equal(steps[i], i + 1);
    }
    tn_event_release(first);
    tn_event_release(task);
    tn_event_release(last);
  }
  rig_close(&r);
}

static void use(tn_queue *queue, tn_kernel *kernel, tn_buffer *buffer, uint64_t add) {
  _Alignas(8) const block args = {(atomic_int *)(uintptr_t)add, 0};
  const tn_access access = {buffer, TN_ACCESS_READ_WRITE, offsetof(block, number)};
  tn_command command = kernel_command(kernel, &args, 1);
  command.accesses = &access;
  command.access_count = 1;
  MUST(tn_queue_submit(queue, &command, NULL, diag));
}

// Between two devices of a driver's the bytes go directly: each copy is between the two.
static void test_buffers_between_devices(void **state) {
  (void)state;
  enum { TURNS = 60 };
  rig r;
  rig_open(&r);
  uint64_t words[512] = {1};
  uint64_t expected = 1;
  const tn_buffer_params params = {
      .struct_size = sizeof(params), .size = sizeof(words), .host_data = words};
  tn_buffer *buffer = NULL;
  MUST(tn_buffer_create(&params, &buffer, diag));
  for (uint64_t i = 1; i <= TURNS; i++) {
    const bool is_second = i % 2 == 0;
    use(is_second ? r.second_queue : r.queue, is_second ? &r.second_kernel : &r.kernel, buffer, i);
    expected = expected * 3 + i;
    if (i == TURNS / 2) {
      // The host's bytes were not needed: they are as they were.
      assert_int_equal(words[0], 1);
    }
  }
  void *data = NULL;
  MUST(tn_buffer_begin_host_access(buffer, TN_ACCESS_READ, &data, diag));
  assert_int_equal(*(uint64_t *)data, expected);
  tn_buffer_end_host_access(buffer, TN_ACCESS_READ);
  tn_buffer_release(buffer);
  assert_int_equal(words[0], expected);
  rig_close(&r);
}

typedef struct user {
  rig *r;
  tn_buffer *buffer;
  size_t index;
} user;

enum { USERS = 4, TURNS_EACH = 150 };

static void *use_by_turns(void *arg) {
  const user *u = arg;
  rig *r = u->r;
  tn_event *last = NULL;
  for (size_t i = 0; i < TURNS_EACH; i++) {
    const bool is_second = (i + u->index) % 3 == 0;
    use(is_second ? r->second_queue : r->queue, is_second ? &r->second_kernel : &r->kernel,
        u->buffer, 0);
    tn_event *next = submit(r->queue, &r->kernel, NULL, 1, last);
    tn_event_release(last);
    last = next;
    if (i % 20 == u->index) {
      MUST(tn_event_wait(last, diag));
    }
    if (i % 50 == u->index) {
      void *data = NULL;
      MUST(tn_buffer_begin_host_access(u->buffer, TN_ACCESS_READ, &data, diag));
      tn_buffer_end_host_access(u->buffer, TN_ACCESS_READ);
    }
    if (i % 70 == u->index) {
      MUST(tn_queue_wait(i % 2 == 0 ? r->queue : r->second_queue, diag));
    }
  }
  tn_event_release(last);
  return NULL;
}

// Threads that share queues of two devices and a buffer: each use is made once.
static void test_many_threads(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  uint64_t words[64] = {0};
  const tn_buffer_params params = {
      .struct_size = sizeof(params), .size = sizeof(words), .host_data = words};
  tn_buffer *buffer = NULL;
  MUST(tn_buffer_create(&params, &buffer, diag));
  tn_thread threads[USERS];
  user users[USERS];
  for (size_t i = 0; i < USERS; i++) {
    users[i] = (user){&r, buffer, i};
    MUST(tn_thread_create(&threads[i], "user", use_by_turns, &users[i], diag));
  }
  for (size_t i = 0; i < USERS; i++) {
    tn_thread_join(threads[i]);
  }
  MUST(tn_queue_wait(r.queue, diag));
  tn_buffer_release(buffer);
  assert_int_equal(words[0], USERS * TURNS_EACH);
  assert_int_equal(step_count, USERS * TURNS_EACH);
  rig_close(&r);
}

static void test_access_of_peers(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  int32_t answer = 0;
  MUST(tn_device_peer(&r.f.device, &r.second, TN_PEER_CAN_ACCESS, &answer, diag));
  assert_int_equal(answer, 1);
  MUST(tn_device_peer(&r.f.device, &r.f.device, TN_PEER_CAN_ACCESS, &answer, diag));
  assert_int_equal(answer, 0);
  MUST(tn_device_peer(&r.second, &r.f.device, TN_PEER_CAN_ATOMICS, &answer, diag));
  assert_int_equal(answer, 0);
  MUST(tn_device_peer(&r.f.device, &r.second, TN_PEER_ENABLE, &answer, diag));
  ASSERT_FAILS(tn_device_peer(&r.f.device, &r.second, TN_PEER_ENABLE, &answer, diag),
               INVALID_ARGUMENT, "is open already");
  MUST(tn_device_peer(&r.f.device, &r.second, TN_PEER_DISABLE, &answer, diag));
  ASSERT_FAILS(tn_device_peer(&r.f.device, &r.second, TN_PEER_DISABLE, &answer, diag),
               INVALID_ARGUMENT, "is not open");
  ASSERT_FAILS(tn_device_peer(&r.f.device, &r.f.device, TN_PEER_ENABLE, &answer, diag), UNSUPPORTED,
               "copy it");
  fixture other;
  fixture_open_mock(&other, false);
  MUST(tn_device_peer(&r.f.device, &other.device, TN_PEER_CAN_ACCESS, &answer, diag));
  assert_int_equal(answer, 0);
  ASSERT_FAILS(tn_device_peer(&r.f.device, &other.device, TN_PEER_ENABLE, &answer, diag),
               UNSUPPORTED, "cannot use the memory of");
  fixture_close(&other);
  rig_close(&r);
}

// The driver stays for the process.
static int load_driver(void **state) {
  (void)state;
  const tn_cuda_driver *driver = NULL;
  MUST(tn_cuda_driver_load(&driver, diag));
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_chains_need_no_host), LEAK_TEST(test_streams_of_the_pool_are_independent),
      LEAK_TEST(test_host_tasks_between),  LEAK_TEST(test_buffers_between_devices),
      LEAK_TEST(test_many_threads),        LEAK_TEST(test_access_of_peers),
      LEAK_TEST(test_two_threads_in_a_stream), LEAK_TEST(test_failed_wait_keeps_order),
      LEAK_TEST(test_failed_launch_keeps_order),
  };
  return cmocka_run_group_tests(tests, load_driver, NULL);
}
