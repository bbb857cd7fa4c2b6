// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recorded graphs on a device that has graphs of its own, and native objects, over a driver of
// NVIDIA's without a device (test/fake_cuda).
#include "adapter/cuda/cuda.h"
#include "adapter/cuda/cuda_driver.h"
#include "fake_cuda/fake_fail.h"
#include "fake_cuda/fake_kernel.h"
#include "run/recorded/recorded.h"
#include "run/sched/graph.h"
#include "tenon/native.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

#include <unistd.h>

static const char ptx[] = ".version 7.0\n.entry step(\n";

// A kernel waits for its gate, if it has one, and adds its number to where it points.
typedef struct block {
  _Atomic uint64_t *to;
  uint64_t number;
} block;

static atomic_int gate;
static atomic_int kernel_count;

void fake_cuda_kernel(const char *name, const unsigned *grid, const unsigned *threads,
                      void *const *params) {
  (void)name;
  (void)grid;
  (void)threads;
  block args;
  uint64_t range = 0;
  memcpy(&args, params[0], sizeof(args));
  memcpy(&range, params[1], sizeof(range));
  while (atomic_load(&gate) != 0) {
    usleep(100);
  }
  atomic_fetch_add(args.to, args.number * range);
  atomic_fetch_add(&kernel_count, 1);
}

typedef struct rig {
  fixture f;
  tn_kernel kernel;
  tn_queue *line;
  tn_queue *free;
  tn_graph *graph;
} rig;

static void rig_open(rig *r) {
  fake_cuda_fail(NULL);
  atomic_store(&gate, 0);
  atomic_store(&kernel_count, 0);
  fixture_open(&r->f, tn_cuda_adapter_query(TN_ADAPTER_VERSION), 0, ptx, sizeof(ptx));
  r->kernel = fixture_kernel(&r->f, "step", sizeof(block));
  r->kernel.arg_align = 8;
  r->line = fixture_queue(&r->f, TN_QUEUE_IN_ORDER);
  r->free = fixture_queue(&r->f, 0);
  MUST(tn_graph_create(r->f.context, &r->f.device, TN_GRAPH_BUFFERS_OUTLIVE, &r->graph, diag));
}

// An executable graph goes behind its last launch.
static void rig_close(rig *r) {
  tn_graph_release(r->graph);
  MUST(tn_queue_wait(r->line, diag));
  MUST(tn_queue_wait(r->free, diag));
  tn_queue_release(r->line);
  tn_queue_release(r->free);
  fixture_close(&r->f);
}

static tn_graph_node *add_step(rig *r, _Atomic uint64_t *to, uint64_t number,
                               tn_graph_node *after) {
  _Alignas(8) const block args = {to, number};
  const tn_command command = kernel_command(&r->kernel, &args, 1);
  tn_graph_node *node = NULL;
  MUST(tn_graph_add(r->graph, &command, &after, after != NULL ? 1 : 0, &node, diag));
  return node;
}

static void launch(tn_graph_exec *exec, tn_queue *queue, tn_event **out) {
  MUST(tn_graph_launch(exec, queue, NULL, 0, out, diag));
}

static _Atomic uint64_t host_value;
static tn_status double_it(void *user, tn_diag *diag) {
  (void)diag;
  _Atomic uint64_t *value = user;
  atomic_store(value, atomic_load(value) * 2);
  return TN_OK;
}
static void count_free(void *user) { (void)user, atomic_fetch_add(&host_value, 1); }

// One graph of the driver's where nothing is of the host's.
static void test_launches(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  _Atomic uint64_t value = 0;
  tn_graph_node *first = add_step(&r, &value, 1, NULL);
  (void)add_step(&r, &value, 10, first);
  tn_graph_exec *exec = NULL;
  MUST(tn_graph_finalize(r.graph, 0, &exec, diag));
  assert_int_equal(tn_graph_exec_part_count(exec), 1);
  tn_event *event = NULL;
  launch(exec, r.line, &event);
  MUST(tn_event_wait(event, diag));
  assert_int_equal(value, 11);
  tn_event_release(event);
  for (int i = 0; i < 50; i++) {
    launch(exec, r.line, NULL);
  }
  MUST(tn_queue_wait(r.line, diag));
  assert_int_equal(value, 11 * 51);
  launch(exec, r.free, &event);
  launch(exec, r.line, NULL);
  MUST(tn_event_wait(event, diag));
  MUST(tn_queue_wait(r.line, diag));
  assert_int_equal(value, 11 * 53);
  tn_event_release(event);
  tn_graph_exec_release(exec);
  rig_close(&r);
}

// Host tasks cut it; it goes with the last launch.
static void test_parts(void **state) {
  (void)state;
  for (int is_free = 0; is_free < 2; is_free++) {
    rig r;
    rig_open(&r);
    _Atomic uint64_t value = 0;
    _Atomic uint64_t other = 0;
    atomic_store(&host_value, 0);
    tn_graph_node *first = add_step(&r, &value, 3, NULL);
    tn_graph_node *task = NULL;
    tn_command command = host_command(double_it, (void *)&value);
    command.free_user = count_free;
    MUST(tn_graph_add(r.graph, &command, &first, 1, &task, diag));
    (void)add_step(&r, &value, 1, task);
    (void)add_step(&r, &other, 5, NULL);
    tn_graph_exec *exec = NULL;
    MUST(tn_graph_finalize(r.graph, 0, &exec, diag));
    assert_int_equal(tn_graph_exec_part_count(exec), 3);
    tn_queue *queue = is_free ? r.free : r.line;
    launch(exec, queue, NULL);
    launch(exec, queue, NULL);
    atomic_store(&gate, 1);
    launch(exec, queue, NULL);
    tn_graph_exec_release(exec);
    tn_graph_release(r.graph);
    r.graph = NULL;
    atomic_store(&gate, 0);
    MUST(tn_queue_wait(queue, diag));
    assert_int_equal(value, (((3 * 2 + 1) + 3) * 2 + 1 + 3) * 2 + 1);
    assert_int_equal(other, 15);
    for (int i = 0; i < 100000 && atomic_load(&host_value) == 0; i++) {
      usleep(1000);  // out of order it goes when it can
    }
    assert_int_equal(host_value, 1);
    rig_close(&r);
  }
}

// Copies and fills of every shape, and a buffer that a host access changes between two launches.
static void test_memory(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  unsigned char from[64];
  unsigned char to[64] = {0};
  unsigned char box[64] = {0};
  unsigned char pattern[12] = "abcdefghijk";
  uint32_t words[24] = {0};
  for (size_t i = 0; i < sizeof(from); i++) {
    from[i] = (unsigned char)i;
  }
  tn_buffer *buffer = NULL;
  const tn_buffer_params params = {.struct_size = sizeof(params), .size = 64};
  MUST(tn_buffer_create(&params, &buffer, diag));
  const tn_access write = {buffer, TN_ACCESS_WRITE, TN_NO_ARG};
  const tn_access read = {buffer, TN_ACCESS_READ, TN_NO_ARG};
  const tn_command commands[] = {
      {.struct_size = sizeof(tn_command),
       .kind = TN_COMMAND_COPY,
       .dst = to,
       .src = from,
       .size = 64},
      {.struct_size = sizeof(tn_command),
       .kind = TN_COMMAND_FILL,
       .dst = words,
       .size = 96,
       .pattern = pattern,
       .pattern_size = 12},
      {.struct_size = sizeof(tn_command),
       .kind = TN_COMMAND_COPY_RECT,
       .accesses = &write,
       .access_count = 1,
       .rect_src = {.memory = from, .row_pitch = 8, .slice_pitch = 32},
       .rect_dst = {.buffer = buffer, .offset = 1, .row_pitch = 16, .slice_pitch = 32},
       .rect_extent = {4, 2, 2}},
      {.struct_size = sizeof(tn_command),
       .kind = TN_COMMAND_FILL_RECT,
       .accesses = &write,
       .access_count = 1,
       .rect_dst = {.buffer = buffer, .offset = 8, .row_pitch = 16, .slice_pitch = 64},
       .rect_extent = {4, 4, 1},
       .pattern = pattern,
       .pattern_size = 2},
      {.struct_size = sizeof(tn_command),
       .kind = TN_COMMAND_COPY_RECT,
       .accesses = &read,
       .access_count = 1,
       .rect_src = {.buffer = buffer, .row_pitch = 64, .slice_pitch = 64},
       .rect_dst = {.memory = box, .row_pitch = 64, .slice_pitch = 64},
       .rect_extent = {64, 1, 1}},
  };
  tn_graph_node *nodes[5];
  for (size_t i = 0; i < 5; i++) {
    MUST(tn_graph_add(r.graph, &commands[i], NULL, 0, &nodes[i], diag));
  }
  tn_graph_node *before[5];
  assert_int_equal(tn_graph_node_get_before(nodes[4], before, 5), 1);
  assert_ptr_equal(before[0], nodes[3]);
  tn_graph_exec *exec = NULL;
  MUST(tn_graph_finalize(r.graph, 0, &exec, diag));
  assert_int_equal(tn_graph_exec_part_count(exec), 1);
  for (int round = 0; round < 2; round++) {
    launch(exec, round == 0 ? r.line : r.free, NULL);
    MUST(tn_queue_wait(round == 0 ? r.line : r.free, diag));
    assert_memory_equal(to, from, 64);
    for (size_t i = 0; i < 96; i += 12) {
      assert_memory_equal((unsigned char *)words + i, pattern, 12);
    }
    assert_memory_equal(box + 1, from, 4);
    assert_memory_equal(box + 17, from + 8, 4);
    assert_memory_equal(box + 33, from + 32, 4);
    assert_memory_equal(box + 8, "abab", 4);
    assert_memory_equal(box + 56, "abab", 4);
    assert_int_equal(box[7], round == 0 ? box[7] : 99);
    void *data = NULL;
    MUST(tn_buffer_begin_host_access(buffer, TN_ACCESS_READ_WRITE, &data, diag));
    ((unsigned char *)data)[7] = 99;
    tn_buffer_end_host_access(buffer, TN_ACCESS_READ_WRITE);
    memset(to, 0, sizeof(to));
    memset(words, 0, sizeof(words));
  }
  tn_graph_exec_release(exec);
  tn_graph_release(r.graph);
  r.graph = NULL;
  tn_buffer_release(buffer);
  rig_close(&r);
}

static void test_updates(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  _Atomic uint64_t value = 0;
  tn_graph_node *node = add_step(&r, &value, 1, NULL);
  tn_graph_exec *exec = NULL;
  MUST(tn_graph_finalize(r.graph, TN_GRAPH_UPDATABLE, &exec, diag));
  const uint64_t range = 4;
  const uint64_t number = 100;
  MUST(tn_graph_node_set_range(node, 1, &range, NULL, diag));
  MUST(tn_graph_node_set_args(node, offsetof(block, number), &number, sizeof(number), diag));
  launch(exec, r.line, NULL);
  MUST(tn_queue_wait(r.line, diag));
  assert_int_equal(value, 1);
  MUST(tn_graph_exec_update_node(exec, node, diag));
  launch(exec, r.line, NULL);
  MUST(tn_queue_wait(r.line, diag));
  assert_int_equal(value, 401);
  tn_diag failure = {0};
  const uint64_t none = 0;
  assert_int_equal(tn_graph_node_set_args(node, 15, &number, 8, &failure), TN_INVALID_ARGUMENT);
  MUST(tn_graph_node_set_range(node, 1, &none, NULL, diag));
  MUST(tn_graph_exec_update_node(exec, node, diag));
  launch(exec, r.line, NULL);
  MUST(tn_queue_wait(r.line, diag));
  assert_int_equal(value, 401);
  // The device's graph is made again, or stays as it was.
  MUST(tn_graph_node_set_range(node, 1, &range, NULL, diag));
  fake_cuda_fail("cuGraphInstantiateWithFlags:0:2");
  assert_int_equal(tn_graph_exec_update_node(exec, node, &failure), TN_OUT_OF_MEMORY);
  fake_cuda_fail(NULL);
  launch(exec, r.line, NULL);
  MUST(tn_queue_wait(r.line, diag));
  assert_int_equal(value, 401);
  MUST(tn_graph_exec_update_node(exec, node, diag));
  launch(exec, r.line, NULL);
  MUST(tn_graph_node_set_range(node, 1, &none, NULL, diag));
  MUST(tn_graph_exec_update_node(exec, node, diag));
  MUST(tn_queue_wait(r.line, diag));
  assert_int_equal(value, 801);
  tn_graph_exec_release(exec);
  rig_close(&r);
}

// What the driver refuses is a status when finalizing, and the queue's when launching.
static void test_failures(void **state) {
  (void)state;
  static const char *const calls[] = {"cuGraphCreate:0:2", "cuGraphAddKernelNode:1:2",
                                      "cuGraphInstantiateWithFlags:0:2", "cuGraphUpload:0:2"};
  rig r;
  rig_open(&r);
  _Atomic uint64_t value = 0;
  (void)add_step(&r, &value, 1, add_step(&r, &value, 1, NULL));
  tn_graph_exec *exec = NULL;
  for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
    tn_diag failure = {0};
    fake_cuda_fail(calls[i]);
    assert_int_equal(tn_graph_finalize(r.graph, 0, &exec, &failure), TN_OUT_OF_MEMORY);
    assert_null(exec);
    assert_true(failure.text[0] != '\0');
  }
  fake_cuda_fail(NULL);
  MUST(tn_graph_finalize(r.graph, 0, &exec, diag));
  for (int i = 0; i < 2; i++) {  // the second one is a repeated launch
    tn_queue *queue = i == 0 ? r.free : r.line;
    tn_diag failure = {0};
    launch(exec, r.line, NULL);
    MUST(tn_queue_wait(r.line, diag));
    fake_cuda_fail("cuGraphLaunch:0:2");
    tn_event *event = NULL;
    launch(exec, queue, &event);
    MUST(tn_event_wait(event, diag));
    assert_int_equal(tn_event_get_error(event, &failure), 1);
    assert_int_equal(tn_queue_take_error(queue, &failure), 1);
    assert_int_equal(failure.code, TN_OUT_OF_MEMORY);
    tn_event_release(event);
    fake_cuda_fail(NULL);
    launch(exec, queue, NULL);
    MUST(tn_queue_wait(queue, diag));
    assert_int_equal(tn_queue_take_error(queue, &failure), 0);
  }
  assert_int_equal(value, 8);
  tn_graph_exec_release(exec);
  rig_close(&r);
}

static void *native_stream;
static void *native_graph;
static uint64_t own_stream;  // that the queue says it has, during the command
static tn_status note_native(void *user, tn_diag *diag) {
  const tn_native_task *task = tn_native_current();
  TN_TRY(tn_native_get_queue(task->queue, &own_stream, diag));
  native_stream = task->stream;
  native_graph = task->graph;
  *(tn_queue **)user = task->queue;
  return TN_OK;
}

static void test_native_objects(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  uint64_t stream = 0;
  uint64_t again = 0;
  uint64_t number = 99;
  MUST(tn_native_get_device(&r.f.device, &number, diag));
  assert_int_equal(number, 0);
  MUST(tn_native_get_context(r.f.context, &r.f.device, &number, diag));
  assert_true(number != 0);
  for (int i = 0; i < 2; i++) {
    MUST(tn_native_get_queue(i == 0 ? r.line : r.free, &stream, diag));
    MUST(tn_native_get_queue(i == 0 ? r.line : r.free, &again, diag));
    assert_int_equal(stream, again);
    assert_true(stream != 0);
  }
  MUST(tn_native_get_kernel(&r.kernel, TN_NATIVE_KERNEL, &number, diag));
  MUST(tn_native_get_kernel(&r.kernel, TN_NATIVE_PROGRAM, &number, diag));
  // An event of a command that runs, and one made of the native one, end together.
  _Atomic uint64_t value = 0;
  _Alignas(8) const block args = {&value, 1};
  const tn_command command = kernel_command(&r.kernel, &args, 1);
  atomic_store(&gate, 1);
  tn_event *event = NULL;
  tn_event *made = NULL;
  MUST(tn_queue_submit(r.line, &command, &event, diag));
  MUST(tn_native_get_event(event, &number, diag));
  MUST(tn_native_make_event(r.f.context, number, 0, &made, diag));
  assert_int_equal(tn_event_status(made), TN_EVENT_RUNNING);
  tn_command later = command;
  later.events = (const tn_event *const *)&made;
  later.event_count = 1;
  MUST(tn_queue_submit(r.free, &later, NULL, diag));
  atomic_store(&gate, 0);
  MUST(tn_event_wait(made, diag));
  assert_true(value >= 1);
  MUST(tn_queue_wait(r.free, diag));
  assert_int_equal(value, 2);
  tn_event_release(made);
  tn_event_release(event);
  // Of one that is complete.
  MUST(tn_queue_submit(r.free, &command, &event, diag));
  MUST(tn_event_wait(event, diag));
  MUST(tn_native_get_event(event, &number, diag));
  assert_true(number != 0);
  tn_event_release(event);
  // A queue over a stream that is another's.
  tn_queue *over = NULL;
  MUST(tn_native_make_queue(r.f.context, NULL, stream, 0, &over, diag));
  MUST(tn_native_get_queue(over, &again, diag));
  assert_int_equal(stream, again);
  MUST(tn_queue_submit(over, &command, NULL, diag));
  MUST(tn_queue_wait(over, diag));
  assert_int_equal(value, 4);
  tn_queue_release(over);
  rig_close(&r);
}

static void test_native_commands(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_queue *caller = NULL;
  tn_command command = host_command(note_native, &caller);
  uint64_t stream = 0;
  command.kind = TN_COMMAND_NATIVE;
  MUST(tn_queue_submit(r.line, &command, NULL, diag));
  MUST(tn_queue_wait(r.line, diag));
  MUST(tn_native_get_queue(r.line, &stream, diag));
  assert_ptr_equal(caller, r.line);
  assert_ptr_equal(native_stream, (void *)(uintptr_t)stream);
  assert_null(native_graph);
  MUST(tn_queue_submit(r.free, &command, NULL, diag));
  MUST(tn_queue_wait(r.free, diag));
  assert_non_null(native_stream);
  assert_ptr_equal(native_stream, (void *)(uintptr_t)own_stream);
  MUST(tn_native_get_queue(r.free, &stream, diag));
  assert_ptr_not_equal(native_stream, (void *)(uintptr_t)stream);
  assert_null(tn_native_current());
  tn_graph_node *node = NULL;
  tn_graph_exec *exec = NULL;
  MUST(tn_graph_add(r.graph, &command, NULL, 0, &node, diag));
  MUST(tn_graph_finalize(r.graph, 0, &exec, diag));
  assert_non_null(native_graph);
  launch(exec, r.line, NULL);
  MUST(tn_queue_wait(r.line, diag));
  tn_graph_exec_release(exec);
  rig_close(&r);
}

// ---- What the program gives to a queue's stream comes behind the queue's commands

// Gives a copy of the number to the stream.
static void copy_in_stream(tn_queue *queue, const _Atomic uint64_t *from, uint64_t *to) {
  const tn_cuda_driver *driver = NULL;
  uint64_t stream = 0;
  MUST(tn_cuda_driver_load(&driver, diag));
  MUST(tn_native_get_queue(queue, &stream, diag));
  assert_int_equal(driver->copy_async((tn_cu_address)(uintptr_t)to, (tn_cu_address)(uintptr_t)from,
                                      sizeof(*to), (tn_cu_stream)(uintptr_t)stream),
                   TN_CU_SUCCESS);
}

// Barriers are in the streams: nothing waits on the host, and kernels behind them are given.
static void test_native_order(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_queue *other = fixture_queue(&r.f, TN_QUEUE_IN_ORDER);
  _Atomic uint64_t value = 0;
  uint64_t seen[3] = {99, 99, 99};
  _Alignas(8) const block args[2] = {{&value, 1}, {&value, 10}};
  const tn_command first = kernel_command(&r.kernel, &args[0], 1);
  const tn_command second = kernel_command(&r.kernel, &args[1], 1);
  atomic_store(&gate, 1);
  MUST(tn_queue_submit(other, &first, NULL, diag));
  tn_event *behind_first = fixture_barrier(other, NULL);
  tn_event *before_second = fixture_barrier(r.line, behind_first);
  tn_event *launched = NULL;
  MUST(tn_queue_submit(r.line, &second, &launched, diag));
  assert_true(atomic_load(&launched->is_launch));  // without a node, behind one that runs
  tn_event_release(launched);
  copy_in_stream(r.line, &value, &seen[0]);
  tn_event *last = fixture_barrier(r.line, NULL);
  assert_int_equal(tn_event_status(behind_first), TN_EVENT_RUNNING);
  assert_int_equal(tn_event_status(last), TN_EVENT_RUNNING);
  assert_int_equal(seen[0], 99);
  atomic_store(&gate, 0);
  MUST(tn_event_wait(last, diag));
  assert_int_equal(seen[0], 11);
  assert_int_equal(tn_event_status(before_second), TN_EVENT_COMPLETE);
  // Behind launches alone, and behind nothing.
  MUST(tn_queue_wait(r.line, diag));
  for (int i = 1; i < 3; i++) {
    if (i == 1) {
      MUST(tn_queue_submit(r.line, &second, NULL, diag));
    }
    copy_in_stream(r.line, &value, &seen[i]);
    tn_event_release(last);
    last = fixture_barrier(r.line, NULL);
    MUST(tn_event_wait(last, diag));
    assert_int_equal(seen[i], 21);
  }
  tn_event_release(behind_first);
  tn_event_release(before_second);
  tn_event_release(last);
  tn_queue_release(other);
  rig_close(&r);
}

static atomic_int host_gate;
static tn_status wait_for_host_gate(void *user, tn_diag *diag) {
  (void)diag;
  while (atomic_load(&host_gate) != 0) {
    usleep(100);
  }
  usleep(10000);
  atomic_fetch_add((_Atomic uint64_t *)user, 100);
  return TN_OK;
}

// A kernel behind a host task is not in the stream before the task is complete.
static void test_native_order_behind_tasks(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  _Atomic uint64_t value = 0;
  uint64_t seen = 99;
  _Alignas(8) const block args = {&value, 1};
  const tn_command task = host_command(wait_for_host_gate, &value);
  const tn_command kernel = kernel_command(&r.kernel, &args, 1);
  atomic_store(&host_gate, 1);
  MUST(tn_queue_submit(r.line, &task, NULL, diag));
  MUST(tn_queue_submit(r.line, &kernel, NULL, diag));
  atomic_store(&host_gate, 0);
  copy_in_stream(r.line, &value, &seen);
  MUST(tn_queue_wait(r.line, diag));
  assert_int_equal(seen, 101);
  rig_close(&r);
}

// ---- What a native command gives to its queue while a graph is made

enum { QUEUE_ALONE, GRAPH_FIRST, QUEUE_FIRST, WORK_FIRST };

typedef struct driver_work {
  int order;
  unsigned char *to;
  tn_queue *queue;  // of the program's
} driver_work;

static tn_status give_work(void *user, tn_diag *diag) {
  const driver_work *work = user;
  const tn_cuda_driver *driver = NULL;
  const tn_cu_address to = (tn_cu_address)(uintptr_t)work->to;
  uint64_t stream = 0;
  void *graph = NULL;
  tn_cu_node node = NULL;
  TN_TRY(tn_cuda_driver_load(&driver, diag));
  if (work->order == GRAPH_FIRST) {
    TN_TRY(tn_native_get_graph(&graph, diag));
  }
  TN_TRY(tn_native_get_queue(tn_native_current()->queue, &stream, diag));
  uint64_t again = 0;
  TN_TRY(tn_native_get_queue(work->queue, &again, diag));
  assert_int_equal(stream, again);
  if (work->order != QUEUE_FIRST) {
    assert_int_equal(driver->fill8_async(to, 7, 1, (tn_cu_stream)(uintptr_t)stream), TN_CU_SUCCESS);
  }
  if (work->order == QUEUE_FIRST || work->order == WORK_FIRST) {
    TN_TRY(tn_native_get_graph(&graph, diag));
    const tn_cu_fill_node fill = {
        .to = to, .pitch = 1, .value = 7, .element_size = 1, .width = 1, .height = 1};
    assert_int_equal(driver->graph_add_fill(&node, graph, NULL, 0, &fill, (tn_cu_context)&fill),
                     TN_CU_SUCCESS);
  }
  return TN_OK;
}

static tn_status finalize_native(rig *r, driver_work *work, tn_graph_exec **out) {
  tn_diag failure;
  tn_graph_node *node = NULL;
  tn_command command = host_command(give_work, work);
  command.kind = TN_COMMAND_NATIVE;
  work->queue = r->free;
  MUST(tn_graph_add(r->graph, &command, NULL, 0, &node, diag));
  *out = NULL;
  return tn_graph_finalize(r->graph, 0, out, &failure);
}

static void test_native_capture(void **state) {
  (void)state;
  for (int order = QUEUE_ALONE; order <= WORK_FIRST; order++) {
    rig r;
    rig_open(&r);
    tn_graph_exec *exec = NULL;
    unsigned char value = 1;
    driver_work work = {order, &value, NULL};
    const tn_status status = finalize_native(&r, &work, &exec);
    if (order == WORK_FIRST) {
      assert_int_equal(status, TN_INVALID_ARGUMENT);
      assert_null(exec);
      rig_close(&r);
      continue;
    }
    assert_int_equal(status, TN_OK);
    if (order == GRAPH_FIRST) {  // the command's own affair: its stream runs it at once
      for (int i = 0; i < 1000 && value != 7; i++) {
        usleep(1000);
      }
    }
    assert_int_equal(value, order == GRAPH_FIRST ? 7 : 1);
    for (unsigned char before = 2; before < 5; before++) {
      value = before;
      launch(exec, r.line, NULL);
      MUST(tn_queue_wait(r.line, diag));
      assert_int_equal(value, order == GRAPH_FIRST ? before : 7);
    }
    tn_graph_exec_release(exec);
    rig_close(&r);
  }
}

static void test_failed_captures(void **state) {
  (void)state;
  static const char *const calls[] = {"cuStreamBeginCaptureToGraph:0:1", "cuStreamEndCapture:0:1",
                                      "cuStreamGetCaptureInfo_v2:0:1"};
  for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
    rig r;
    rig_open(&r);
    tn_graph_exec *exec = NULL;
    unsigned char value = 1;
    driver_work work = {QUEUE_ALONE, &value, NULL};
    fake_cuda_fail(calls[i]);
    assert_int_not_equal(finalize_native(&r, &work, &exec), TN_OK);
    fake_cuda_fail(NULL);
    assert_null(exec);
    assert_int_equal(value, 1);
    rig_close(&r);
  }
  tn_diag failure;
  void *graph = &graph;
  assert_int_equal(tn_native_get_graph(&graph, &failure), TN_INVALID_ARGUMENT);
  assert_null(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_launches),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_updates),
      cmocka_unit_test(test_failures),
      cmocka_unit_test(test_native_objects),
      cmocka_unit_test(test_native_commands),
      cmocka_unit_test(test_native_capture),
      cmocka_unit_test(test_failed_captures),
      cmocka_unit_test(test_native_order),
      cmocka_unit_test(test_native_order_behind_tasks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
