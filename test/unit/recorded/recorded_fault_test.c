// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Torture of recorded graphs: the n-th allocation or adapter call fails, for every n that there is.
// The status is right, nothing is lost or leaks, and what the user gave is given back once.
#include "run/recorded/recorded.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static _Atomic int frees;
static _Atomic int tasks;

static tn_status count_task(void *user, tn_diag *diag) {
  (void)user;
  (void)diag;
  atomic_fetch_add(&tasks, 1);
  return TN_OK;
}

static void count_free(void *user) {
  (void)user;
  atomic_fetch_add(&frees, 1);
}

static void empty_group(const void *args, const tn_cpu_group *group) {
  (void)args;
  (void)group;
}

static const c_kernel kernels[] = {{"a" TN_CPU_KERNEL_SUFFIX, empty_group}, {NULL, NULL}};

static bool is_expected(tn_status status) {
  const bool expected = status == TN_OK || status == TN_OUT_OF_MEMORY ||
                        status == TN_DEVICE_FAILED || status == TN_HOST_TASK;
  if (!expected) {
    fprintf(stderr, "unexpected: %s\n", tn_status_name(status));
  }
  return expected;
}

static void add_nodes(tn_graph *graph, tn_kernel *kernel, tn_buffer *buffer, int call,
                      tn_graph_exec *inner) {
  static char from[64];
  static char to[2][64];  // the nodes of both calls run side by side
  unsigned char block[64] = {0};
  tn_diag diag;
  tn_graph_node *nodes[4] = {NULL};
  const tn_access access = {buffer, TN_ACCESS_READ_WRITE, 8};
  tn_command command = kernel_command(kernel, block, 1);
  command.accesses = &access;
  command.access_count = 1;
  assert_true(is_expected(tn_graph_add(graph, &command, NULL, 0, &nodes[0], &diag)));
  assert_true(is_expected(tn_graph_add(graph, &command, NULL, 0, &nodes[1], &diag)));
  command = host_command(count_task, NULL);
  command.free_user = count_free;
  assert_true(is_expected(
      tn_graph_add(graph, &command, nodes, nodes[0] != NULL ? 1 : 0, &nodes[2], &diag)));
  command = (tn_command){.struct_size = sizeof(command),
                         .kind = TN_COMMAND_COPY,
                         .dst = to[call],
                         .src = from,
                         .size = sizeof(from)};
  assert_true(is_expected(tn_graph_add(graph, &command, NULL, 0, &nodes[3], &diag)));
  if (nodes[2] != NULL && nodes[3] != NULL) {
    assert_true(is_expected(tn_graph_make_edge(graph, nodes[2], nodes[3], &diag)));
  }
  if (inner != NULL) {
    tn_graph_node *leaves[16];
    const size_t count = tn_graph_get_nodes(graph, TN_GRAPH_LEAVES, leaves, TN_COUNT(leaves));
    command =
        (tn_command){.struct_size = sizeof(command), .kind = TN_COMMAND_GRAPH, .graph = inner};
    assert_true(is_expected(tn_graph_add(graph, &command, leaves, count, &nodes[3], &diag)));
  }
}

static void launch(tn_graph_exec *exec, tn_queue *queue) {
  tn_diag diag;
  tn_event *event = NULL;
  for (int round = 0; round < 2; round++) {
    assert_true(
        is_expected(tn_graph_launch(exec, queue, NULL, 0, round == 0 ? &event : NULL, &diag)));
  }
  assert_int_equal(tn_queue_wait(queue, &diag), TN_OK);
  tn_event_release(event);
  while (tn_queue_take_error(queue, &diag) != 0) {
    assert_true(is_expected((tn_status)diag.code));
  }
}

static void record(fixture *f, tn_graph *graph, tn_queue *queue, tn_kernel *kernel) {
  tn_diag diag;
  tn_event *event = NULL;
  unsigned char block[64] = {0};
  (void)f;
  if (tn_graph_begin_recording(graph, queue, &diag) != TN_OK) {
    return;
  }
  tn_command command = kernel_command(kernel, block, 1);
  assert_true(is_expected(tn_queue_submit(queue, &command, &event, &diag)));
  command.events = (const tn_event *const *)&event;
  command.event_count = 1;
  assert_true(is_expected(tn_queue_submit(queue, &command, NULL, &diag)));
  assert_int_equal(tn_graph_end_recording(graph, queue, &diag), TN_OK);
  tn_event_release(event);
}

static void use_graph(fixture *f, tn_kernel *kernel, uint32_t flags) {
  tn_diag diag;
  tn_graph *graph = NULL;
  tn_graph_exec *inner = NULL;
  tn_graph_exec *outer = NULL;
  tn_queue *queue = NULL;
  tn_queue *other = NULL;
  tn_buffer *buffer = NULL;
  const tn_buffer_params params = {.struct_size = sizeof(params), .size = 64};
  assert_true(is_expected(tn_buffer_create(&params, &buffer, &diag)));
  assert_true(is_expected(tn_queue_create(f->context, &f->device, flags, &queue, &diag)));
  assert_true(is_expected(tn_queue_create(f->context, &f->device, 0, &other, &diag)));
  assert_true(is_expected(
      tn_graph_create(f->context, &f->device, TN_GRAPH_BUFFERS_OUTLIVE, &graph, &diag)));
  if (graph == NULL || buffer == NULL || queue == NULL || other == NULL) {
    goto done;
  }
  atomic_store(&frees, 0);
  add_nodes(graph, kernel, buffer, 0, NULL);
  record(f, graph, queue, kernel);
  assert_true(is_expected(tn_graph_finalize(graph, 0, &inner, &diag)));
  add_nodes(graph, kernel, buffer, 1, inner);
  assert_true(is_expected(tn_graph_finalize(graph, TN_GRAPH_UPDATABLE, &outer, &diag)));
  if (outer != NULL) {
    launch(outer, queue);
    launch(outer, other);
    launch(outer, queue);
  }
done:
  tn_graph_exec_release(outer);
  tn_graph_exec_release(inner);
  tn_graph_release(graph);
  tn_buffer_release(buffer);
  tn_queue_release(queue);
  tn_queue_release(other);
}

static void torture(fixture *f) {
  tn_kernel kernel = fixture_kernel(f, "a", 64);
  const uint32_t flags[] = {0, TN_QUEUE_IN_ORDER};
  for (size_t i = 0; i < TN_COUNT(flags); i++) {
    use_graph(f, &kernel, flags[i]);
    assert_int_equal(frees, 2);
    for (int64_t nth = 0;; nth++) {
      const int64_t before = tn_alloc_live();
      tn_fault_arm(nth);
      use_graph(f, &kernel, flags[i]);
      const bool fired = tn_fault_fired();
      tn_fault_arm(-1);
      settle_live(before + 2);
      assert_in_range((uint64_t)tn_alloc_live(), 0, (uint64_t)before + 2);
      if (!fired) {
        break;
      }
    }
  }
}

static void test_mock(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  torture(&f);
  fixture_close(&f);
}

static void test_cpu(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  torture(&f);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {LEAK_TEST(test_mock), LEAK_TEST(test_cpu)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
