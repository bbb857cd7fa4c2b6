// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory and accessors of nodes that change, over a driver of NVIDIA's without a device
// (test/fake_cuda): what a kernel of an updated graph gets, and what is no change.
#include "adapter/cuda/cuda.h"
#include "fake_cuda/fake_fail.h"
#include "fake_cuda/fake_kernel.h"
#include "run/recorded/recorded.h"
#include "tenon/graph_dynamic.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static const char ptx[] = ".version 7.0\n.entry step(\n";

// What the last launch of a kernel got: the first bytes of its arguments, and shared memory.
typedef struct first_arguments {
  uint64_t words[2];
} first_arguments;
static first_arguments got;
__attribute__((visibility("default"))) unsigned fake_cuda_shared_size;

void fake_cuda_kernel(const char *name, const unsigned *grid, const unsigned *threads,
                      void *const *params) {
  (void)name;
  (void)grid;
  (void)threads;
  memcpy(&got, params[0], sizeof(got));
}

typedef struct rig {
  fixture f;
  tn_queue *queue;
  tn_graph *graph;
} rig;

static void rig_open(rig *r) {
  fake_cuda_fail(NULL);
  fixture_open(&r->f, tn_cuda_adapter_query(TN_ADAPTER_VERSION), 0, ptx, sizeof(ptx));
  r->queue = fixture_queue(&r->f, TN_QUEUE_IN_ORDER);
  MUST(tn_graph_create(r->f.context, &r->f.device, TN_GRAPH_BUFFERS_OUTLIVE, &r->graph, diag));
}

static void rig_close(rig *r) {
  tn_graph_release(r->graph);
  MUST(tn_queue_wait(r->queue, diag));
  tn_queue_release(r->queue);
  fixture_close(&r->f);
}

static void run(rig *r, tn_graph_exec *exec) {
  memset(&got, 0xff, sizeof(got));
  MUST(tn_graph_launch(exec, r->queue, NULL, 0, NULL, diag));
  MUST(tn_queue_wait(r->queue, diag));
}

static tn_dynamic_local *make_local(size_t count) {
  tn_dynamic_local *made = NULL;
  MUST(tn_dynamic_local_create(0, &count, 4, 8, &made, diag));
  return made;
}

// A block with copies of both, and a command that knows it.
typedef struct user {
  tn_dynamic_local *fields[2];
  tn_capture_record record;
  tn_command command;
} user;

static void user_open(user *u, tn_kernel *kernel, tn_dynamic_local *a, tn_dynamic_local *b) {
  tn_capture_record_init(&u->record);
  tn_capture_record_begin(&u->record, u->fields, sizeof(u->fields));
  tn_dynamic_local_copy(&u->fields[0], a);
  tn_dynamic_local_copy(&u->fields[1], b);
  tn_capture_record_end(&u->record);
  u->command = kernel_command(kernel, u->fields, 4);
  u->command.has_local = 1;
  u->command.locals = u->record.locals;
  u->command.local_count = u->record.local_count;
}

static void user_close(user *u) {
  tn_dynamic_local_release(u->fields[0]);
  tn_dynamic_local_release(u->fields[1]);
  tn_capture_record_free(&u->record);
}

static tn_graph_node *add(rig *r, const tn_command *command) {
  tn_graph_node *node = NULL;
  MUST(tn_graph_add(r->graph, command, NULL, 0, &node, diag));
  return node;
}

// Offsets and the size of shared memory, beyond what a kernel may have without asking.
static void test_sizes(void **state) {
  (void)state;
  rig r;
  user u;
  rig_open(&r);
  tn_kernel kernel = fixture_kernel(&r.f, "step", sizeof(u.fields));
  tn_dynamic_local *a = make_local(3);
  tn_dynamic_local *b = make_local(1);
  user_open(&u, &kernel, a, b);
  assert_int_equal(u.command.local_count, 2);
  tn_graph_node *node = add(&r, &u.command);
  user_close(&u);
  tn_graph_exec *exec = NULL;
  MUST(tn_graph_finalize(r.graph, TN_GRAPH_UPDATABLE, &exec, diag));
  assert_int_equal(tn_graph_exec_part_count(exec), 1);
  run(&r, exec);
  assert_int_equal(got.words[0], 0);
  assert_int_equal(got.words[1], 16);
  assert_int_equal(fake_cuda_shared_size, 20);
  const size_t many = 15000;
  MUST(tn_dynamic_local_update(a, &many, diag));
  run(&r, exec);
  assert_int_equal(fake_cuda_shared_size, 20);
  MUST(tn_graph_exec_update_node(exec, node, diag));
  run(&r, exec);
  assert_int_equal(got.words[0], 0);
  assert_int_equal(got.words[1], 60000);
  assert_int_equal(fake_cuda_shared_size, 60004);
  tn_dynamic_local_release(a);
  const size_t few = 2;
  MUST(tn_dynamic_local_update(b, &few, diag));
  MUST(tn_graph_exec_update(exec, r.graph, diag));
  run(&r, exec);
  assert_int_equal(fake_cuda_shared_size, 60008);
  tn_dynamic_local_release(b);
  tn_graph_exec_release(exec);
  rig_close(&r);
}

static tn_event *submit(const rig *r, const tn_command *command, tn_status wanted) {
  tn_diag diag = {0};
  tn_event *event = NULL;
  assert_int_equal(tn_queue_submit(r->queue, command, &event, &diag), wanted);
  return event;
}

// Only nodes that are added have such memory, and an update that fails changes none of them.
static void test_rejected(void **state) {
  (void)state;
  rig r;
  user first;
  user second;
  tn_diag failure = {0};
  rig_open(&r);
  tn_kernel kernel = fixture_kernel(&r.f, "step", sizeof(first.fields));
  tn_dynamic_local *a = make_local(3);
  tn_dynamic_local *b = make_local(1);
  user_open(&first, &kernel, a, b);
  user_open(&second, &kernel, b, a);
  assert_null(submit(&r, &first.command, TN_INVALID_ARGUMENT));
  MUST(tn_graph_begin_recording(r.graph, r.queue, diag));
  assert_null(submit(&r, &first.command, TN_INVALID_ARGUMENT));
  MUST(tn_graph_end_recording(r.graph, r.queue, diag));
  (void)add(&r, &first.command);
  tn_graph *other = NULL;
  MUST(tn_graph_create(r.f.context, &r.f.device, 0, &other, diag));
  tn_graph_node *node = NULL;
  MUST(tn_graph_add(other, &second.command, NULL, 0, &node, diag));
  user_close(&second);
  const size_t too_many = 1u << 20;
  const size_t overflow = SIZE_MAX / 2;
  size_t extent = 0;
  assert_int_equal(tn_dynamic_local_update(a, &too_many, &failure), TN_OUT_OF_MEMORY);
  assert_int_equal(tn_dynamic_local_update(a, &overflow, &failure), TN_OUT_OF_MEMORY);
  for (int64_t nth = 0;; nth++) {
    const size_t eight = 8;
    tn_fault_arm(nth);
    const tn_status status = tn_dynamic_local_update(a, &eight, &failure);
    const bool fired = tn_fault_fired();
    tn_fault_arm(-1);
    tn_dynamic_local_get_extents(a, &extent);
    assert_int_equal(extent, status == TN_OK ? 8 : 3);
    if (!fired) {
      assert_int_equal(status, TN_OK);
      break;
    }
    assert_int_equal(status, TN_OUT_OF_MEMORY);
  }
  tn_graph_release(other);  // its node is listed no more
  tn_graph_exec *exec = NULL;
  MUST(tn_dynamic_local_update(a, &(size_t){5}, diag));
  MUST(tn_graph_finalize(r.graph, 0, &exec, diag));
  run(&r, exec);
  assert_int_equal(got.words[1], 24);
  tn_dynamic_local_release(a);
  assert_int_equal(tn_dynamic_local_create(4, &extent, 4, 4, &a, &failure), TN_INVALID_ARGUMENT);
  assert_null(a);
  user_close(&first);  // which has the copies that are left of both
  tn_dynamic_local_release(b);
  tn_graph_exec_release(exec);
  rig_close(&r);
}

// A block with an accessor and its view.
typedef struct accessor_block {
  tn_accessor accessor;
  size_t view[4];
} accessor_block;

static tn_buffer *make_buffer(void) {
  tn_buffer *buffer = NULL;
  const tn_buffer_params params = {.struct_size = sizeof(params), .size = 64};
  MUST(tn_buffer_create(&params, &buffer, diag));
  return buffer;
}

static accessor_block make_accessor(tn_buffer *buffer) {
  const size_t size = 64;
  accessor_block made = {.accessor = {.buffer = buffer, .flags = TN_ACCESS_READ_WRITE}};
  MUST(tn_accessor_init(&made.accessor, 1, &size, NULL, NULL, NULL, diag));
  return made;
}

static void test_accessors(void **state) {
  (void)state;
  rig r;
  tn_diag failure = {0};
  rig_open(&r);
  tn_kernel kernel = fixture_kernel(&r.f, "step", sizeof(accessor_block));
  tn_buffer *x = make_buffer();
  tn_buffer *y = make_buffer();
  const accessor_block to_x = make_accessor(x);
  const accessor_block to_y = make_accessor(y);
  const tn_access accesses[] = {{x, TN_ACCESS_READ_WRITE, 0},
                                {x, TN_ACCESS_READ_WRITE, TN_NO_ARG}};
  tn_command command = kernel_command(&kernel, &to_x, 4);
  command.accesses = accesses;
  command.access_count = TN_COUNT(accesses);
  tn_graph_node *node = add(&r, &command);
  tn_graph_exec *exec = NULL;
  MUST(tn_graph_finalize(r.graph, TN_GRAPH_UPDATABLE, &exec, diag));
  run(&r, exec);
  const uint64_t before = got.words[0];
  const uint32_t size = sizeof(accessor_block);
  assert_int_equal(tn_graph_node_set_accessor(node, 8, &to_y.accessor, size - 8, &failure),
                   TN_INVALID_ARGUMENT);
  assert_int_equal(tn_graph_node_set_accessor(node, 0, &to_y.accessor, size + 1, &failure),
                   TN_INVALID_ARGUMENT);
  assert_int_equal(tn_graph_node_set_accessor(node, 0, &to_y.accessor, 8, &failure),
                   TN_INVALID_ARGUMENT);
  assert_int_equal(tn_graph_node_set_accessor(node, 0, &(tn_accessor){0}, size, &failure),
                   TN_INVALID_ARGUMENT);
  MUST(tn_graph_node_set_accessor(node, 0, &to_y.accessor, size, diag));
  run(&r, exec);
  assert_int_equal(got.words[0], before);
  MUST(tn_graph_exec_update_node(exec, node, diag));
  run(&r, exec);
  assert_int_not_equal(got.words[0], before);
  assert_int_equal(got.words[1], (uintptr_t)y);
  MUST(tn_graph_node_set_accessor(node, 0, &to_x.accessor, size, diag));
  MUST(tn_graph_exec_update_node(exec, node, diag));
  run(&r, exec);
  assert_int_equal(got.words[0], before);
  tn_graph_exec_release(exec);
  tn_graph_release(r.graph);
  r.graph = NULL;
  MUST(tn_queue_wait(r.queue, diag));
  tn_buffer_release(to_x.accessor.buffer);
  tn_buffer_release(to_y.accessor.buffer);
  tn_buffer_release(x);
  tn_buffer_release(y);
  rig_close(&r);
}

// What the adapter keeps until the process ends is there before the first test.
static int start_adapter(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  rig_close(&r);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {LEAK_TEST(test_sizes), LEAK_TEST(test_rejected),
                                     LEAK_TEST(test_accessors)};
  return cmocka_run_group_tests(tests, start_adapter, NULL);
}
