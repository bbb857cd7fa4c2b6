// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory of a launch: what is refused, how it is laid out, and that each group on the CPU has
// its own while it runs.
#include "adapter/cpu/cpu.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static tn_command local_command(tn_kernel *kernel, const void *args, const tn_local *locals,
                                size_t count) {
  tn_command command = kernel_command(kernel, args, 8);
  command.has_local = 1;
  command.local[0] = 4;
  command.locals = locals;
  command.local_count = count;
  return command;
}

static void test_refused(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_kernel kernel = fixture_kernel(&f, "a", 16);
  tn_queue *queue = fixture_queue(&f, 0);
  const uint64_t args[2] = {0};
  tn_local local = {1, 32, 4, 8};
#define REFUSED(command, code, word) \
  ASSERT_FAILS(tn_queue_submit(queue, &(command), NULL, diag), code, word)
  tn_command command = local_command(&kernel, args, NULL, 1);
  REFUSED(command, INVALID_ARGUMENT, "kernel a has 1 pieces of local memory, but locals is NULL");
  command = local_command(&kernel, args, &local, 1);
  command.has_local = 0;
  REFUSED(command, KERNEL_ARGUMENT, "kernel a uses local memory, but its launch has no");
  command.has_local = 1;
  local.arg_offset = 9;
  REFUSED(command, KERNEL_ARGUMENT, "at byte 9, outside the argument block of 16 bytes");
  local.arg_offset = 8;
  static const uint32_t bad[] = {0, 3, 8192};
  for (size_t i = 0; i < TN_COUNT(bad); i++) {
    local.alignment = bad[i];
    REFUSED(command, KERNEL_ARGUMENT, "power of two up to 4096");
  }
  local.alignment = 4;
  local.size = 32769;
  REFUSED(command, OUT_OF_MEMORY,
          "kernel a asks for 32769 bytes of local memory for each work-group, but device mock has "
          "32768");
  kernel.local_mem_size = 8;
  local.size = 32761;
  REFUSED(command, OUT_OF_MEMORY,
          "kernel a asks for 32761 bytes of local memory for each work-group, and has variables of "
          "8 bytes there, but device mock has 32768");
  kernel.local_mem_size = 0;
  tn_local two[2] = {{1, UINT64_MAX - 3, 1, 0}, {2, 8, 8, 8}};
  command = local_command(&kernel, args, two, 2);
  REFUSED(command, OUT_OF_MEMORY, "18446744073709551615 bytes");
  two[0].size = 32761;  // the second begins at 32768
  REFUSED(command, OUT_OF_MEMORY, "32776 bytes");
#undef REFUSED
  MUST(tn_queue_wait(queue, diag));
  assert_int_equal(tn_mock_log_count(f.device.adapter_device), 0);
  tn_queue_release(queue);
  fixture_close(&f);
}

static void test_layout(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_kernel kernel = fixture_kernel(&f, "a", 48);
  tn_queue *queue = fixture_queue(&f, TN_QUEUE_IN_ORDER);
  const uint64_t args[6] = {7, 7, 7, 7, 7, 7};
  const tn_local locals[5] = {
      {11, 5, 1, 8}, {12, 24, 16, 0}, {11, 5, 1, 24}, {13, 0, 64, 32}, {14, 1, 1, 40}};
  const tn_command command = local_command(&kernel, args, locals, TN_COUNT(locals));
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  // Exactly what there is.
  const tn_local whole = {1, 32768, 4096, 0};
  const tn_command second = local_command(&kernel, args, &whole, 1);
  MUST(tn_queue_submit(queue, &second, NULL, diag));
  MUST(tn_queue_wait(queue, diag));
  tn_mock_record record;
  assert_true(tn_mock_log_at(f.device.adapter_device, 0, &record));
  uint64_t placed[6];
  memcpy(placed, record.args, sizeof(placed));
  const uint64_t expected[6] = {16, 0, 7, 0, 64, 64};
  assert_memory_equal(placed, expected, sizeof(expected));
  assert_int_equal(record.local_memory_size, 65);
  assert_int_equal(args[0], 7);  // the caller's block stays as it was
  assert_true(tn_mock_log_at(f.device.adapter_device, 1, &record));
  assert_int_equal(record.local_memory_size, 32768);
  tn_queue_release(queue);
  fixture_close(&f);
}

// A program that was built when commands were shorter.
static void test_shorter_command(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_kernel kernel = fixture_kernel(&f, "a", 0);
  tn_queue *queue = fixture_queue(&f, 0);
  const tn_local garbage = {1, UINT64_MAX, 3, 99};
  tn_command command = local_command(&kernel, NULL, &garbage, 1);
  command.struct_size = (uint32_t)offsetof(tn_command, locals);
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  MUST(tn_queue_wait(queue, diag));
  tn_mock_record record;
  assert_true(tn_mock_log_at(f.device.adapter_device, 0, &record));
  assert_int_equal(record.local_memory_size, 0);
  tn_queue_release(queue);
  fixture_close(&f);
}

enum { PIECE = 1000, GROUP_MEMORY = 547 * TN_CPU_GROUP_MEMORY_ALIGNMENT };

typedef struct local_args {
  uint64_t first;  // offsets
  uint64_t second;
  _Atomic uint64_t *good;  // groups that found what they wrote
} local_args;

// Fills its memory, lets others run, and looks whether it is still there.
static void use_local(const void *args, const tn_cpu_group *group) {
  const local_args *a = args;
  unsigned char *first = (unsigned char *)group->local_memory + a->first;
  unsigned char *second = (unsigned char *)group->local_memory + a->second;
  const unsigned char mark = (unsigned char)(group->group_id[0] + 1);
  const size_t scratch_size = group->local_size[0] * TN_CPU_SCRATCH_SIZE;
  memset(first, mark, PIECE);
  memset(second, mark + 1, PIECE);
  unsigned char *own = (unsigned char *)group->scratch - GROUP_MEMORY;
  memset(own, mark + 3, GROUP_MEMORY);
  memset(group->scratch, mark + 2, scratch_size);
  tn_thread_pause();
  bool ok = (uintptr_t)group->local_memory % TN_LOCAL_MEM_ALIGNMENT == 0 &&
            (uintptr_t)second % 256 == 0 &&
            (uintptr_t)group->scratch % TN_CPU_GROUP_MEMORY_ALIGNMENT == 0;
  for (size_t i = 0; i < PIECE; i++) {
    ok = ok && first[i] == mark && second[i] == (unsigned char)(mark + 1);
  }
  for (size_t i = 0; i < GROUP_MEMORY; i++) {
    ok = ok && own[i] == (unsigned char)(mark + 3);
  }
  for (size_t i = 0; i < scratch_size; i++) {
    ok = ok && ((unsigned char *)group->scratch)[i] == (unsigned char)(mark + 2);
  }
  atomic_fetch_add(a->good, ok ? 1 : 0);
}

static void no_local(const void *args, const tn_cpu_group *group) {
  atomic_fetch_add(*(_Atomic uint64_t *const *)args,
                   group->local_memory == NULL && group->scratch == NULL ? 1 : 0);
}

static const c_kernel kernels[] = {{"local" TN_CPU_KERNEL_SUFFIX, use_local},
                                   {"none" TN_CPU_KERNEL_SUFFIX, no_local},
                                   {NULL, NULL}};

static const tn_local pieces[2] = {{1, PIECE, 1, offsetof(local_args, first)},
                                   {2, PIECE, 256, offsetof(local_args, second)}};

static void launch_local(tn_queue *queue, tn_kernel *kernel, _Atomic uint64_t *good,
                         uint64_t groups, uint64_t group_size) {
  const local_args args = {99, 99, good};
  tn_command command = local_command(kernel, &args, pieces, 2);
  command.global[0] = groups * group_size;
  command.local[0] = group_size;
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  MUST(tn_queue_wait(queue, diag));
}

static void test_cpu(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 3, kernels);
  tn_kernel kernel = fixture_kernel(&f, "local", sizeof(local_args));
  kernel.adapter_kernel->needs.group_memory = GROUP_MEMORY;
  tn_queue *queue = fixture_queue(&f, TN_QUEUE_IN_ORDER);
  _Atomic uint64_t good = 0;
  uint64_t groups = 0;
  for (int round = 0; round < 40; round++) {
    // In turns where it is submitted, and on the pool.
    atomic_store(&kernel.adapter_kernel->cost, round % 2 != 0 ? 1 : UINT32_MAX);
    launch_local(queue, &kernel, &good, 64, round % 3 == 0 ? 4096 : 16);
    groups += 64;
  }
  assert_int_equal(atomic_load(&good), groups);
  // What was made is used again.
  const uint64_t count = tn_alloc_count();
  for (int round = 0; round < 40; round++) {
    atomic_store(&kernel.adapter_kernel->cost, 1);
    launch_local(queue, &kernel, &good, 4, 4096);
  }
  assert_int_equal(tn_alloc_count() - count, 0);
  tn_queue_release(queue);
  fixture_close(&f);
}

// A kernel without group_local_memory gets none.
static void test_cpu_scratch_size(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 1, kernels);
  const tn_kernel kernel = fixture_kernel(&f, "local", sizeof(local_args));
  tn_cpu_workspaces *list = &f.device.adapter_device->workspaces;
  const tn_adapter_command command = {.kind = TN_ADAPTER_KERNEL,
                                      .launch = {.kernel = kernel.adapter_kernel,
                                                 .has_local = 1,
                                                 .local = {16, 1, 1}}};
  tn_cpu_workspace *workspace = NULL;
  MUST(tn_cpu_workspace_borrow(list, &command, &workspace, diag));
  assert_in_range(workspace->scratch_capacity, 16 * TN_CPU_SCRATCH_SIZE, 4096);
  tn_cpu_workspace_return(list, workspace);
  kernel.adapter_kernel->needs.group_memory = GROUP_MEMORY;
  MUST(tn_cpu_workspace_borrow(list, &command, &workspace, diag));
  assert_in_range(workspace->scratch_capacity, GROUP_MEMORY + 16 * TN_CPU_SCRATCH_SIZE, SIZE_MAX);
  tn_cpu_workspace_return(list, workspace);
  fixture_close(&f);
}

static void test_cpu_without_groups(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  tn_kernel kernel = fixture_kernel(&f, "none", sizeof(void *));
  tn_queue *queue = fixture_queue(&f, 0);
  _Atomic uint64_t good = 0;
  _Atomic uint64_t *args = &good;
  const tn_command command = kernel_command(&kernel, &args, 1);
  atomic_store(&kernel.adapter_kernel->cost, 1);
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  atomic_store(&kernel.adapter_kernel->cost, UINT32_MAX);
  MUST(tn_queue_submit(queue, &command, NULL, diag));
  MUST(tn_queue_wait(queue, diag));
  assert_int_equal(atomic_load(&good), 2);
  tn_queue_release(queue);
  fixture_close(&f);
}

// No memory for a group: the command fails, once, with a sentence; the next one runs.
static void test_cpu_out_of_memory(void **state) {
  (void)state;
  for (int way = 0; way < 2; way++) {
    for (int64_t nth = 0;; nth++) {
      fixture f;
      fixture_open_cpu(&f, 1, kernels);
      tn_kernel kernel = fixture_kernel(&f, "local", sizeof(local_args));
      kernel.adapter_kernel->needs.group_memory = GROUP_MEMORY;
      tn_queue *queue = fixture_queue(&f, TN_QUEUE_IN_ORDER);
      _Atomic uint64_t good = 0;
      atomic_store(&kernel.adapter_kernel->cost, way == 0 ? 1 : UINT32_MAX);
      const local_args args = {99, 99, &good};
      const tn_command command = local_command(&kernel, &args, pieces, 2);
      tn_fault_arm(nth);
      const tn_status status = tn_queue_submit(queue, &command, NULL, NULL);
      MUST(tn_queue_wait(queue, diag));
      const bool fired = tn_fault_fired();
      tn_fault_arm(-1);
      assert_true(status == TN_OK || status == TN_OUT_OF_MEMORY);
      tn_diag failure = {0};
      if (status == TN_OK && tn_queue_take_error(queue, &failure) != 0) {
        assert_int_equal(failure.code, TN_OUT_OF_MEMORY);
        assert_int_equal(atomic_load(&good), 0);
      } else if (status == TN_OK) {
        assert_int_equal(atomic_load(&good), 2);
      }
      assert_int_equal(tn_queue_take_error(queue, &failure), 0);
      atomic_store(&good, 0);
      launch_local(queue, &kernel, &good, 2, 4);
      assert_int_equal(atomic_load(&good), 2);
      tn_queue_release(queue);
      fixture_close(&f);
      if (!fired) {
        assert_true(nth >= 3);  // the workspace, local memory, scratch
        break;
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_refused),
      LEAK_TEST(test_layout),
      LEAK_TEST(test_shorter_command),
      LEAK_TEST(test_cpu),
      LEAK_TEST(test_cpu_scratch_size),
      LEAK_TEST(test_cpu_without_groups),
      LEAK_TEST(test_cpu_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
