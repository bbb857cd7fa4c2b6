// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which launches report that a kernel's pointers do not alias: buffers, their parts and USM
// allocations are told from each other; about other memory nothing is said.
#include "run/sched/launch_aliases.h"

#include "adapter/cpu/cpu.h"
#include "tenon/memory.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

enum { POINTERS = 3 };

static void nothing(const void *args, const tn_cpu_group *group) {
  (void)args;
  (void)group;
}

static const c_kernel kernels[] = {{"k" TN_CPU_KERNEL_SUFFIX, nothing}, {NULL, NULL}};

typedef struct world {
  fixture f;
  tn_kernel kernel;
  char *usm[2];
} world;

static void open_world(world *w) {
  fixture_open_cpu(&w->f, 1, kernels);
  w->kernel = fixture_kernel(&w->f, "k", POINTERS * sizeof(void *));
  w->kernel.adapter_kernel->needs.noalias_pointers = 7;
  w->kernel.adapter_kernel->needs.noalias_written = 4;
  for (int i = 0; i < 2; i++) {
    void *memory = NULL;
    MUST(tn_usm_alloc(w->f.context, &w->f.device, TN_USM_SHARED, 4096, 64, &memory, diag));
    w->usm[i] = memory;
  }
}

static void close_world(world *w) {
  for (int i = 0; i < 2; i++) {
    MUST(tn_usm_free(w->f.context, w->usm[i], diag));
  }
  fixture_close(&w->f);
}

static uint64_t ask(world *w, const void *a, const void *b, const void *c) {
  const void *args[POINTERS] = {a, b, c};
  tn_command command = kernel_command(&w->kernel, args, 1);
  command.arg_size = sizeof(args);
  return tn_launch_noalias(&w->kernel, &command, args);
}

static void test_usm(void **state) {
  (void)state;
  world w;
  open_world(&w);
  // Allocations may touch: their begins say nothing.
  char *a = w.usm[0] + 64;
  char *b = w.usm[1] + 64;
  char own[8];
  assert_int_equal(ask(&w, a, a + 64, b), 1);  // those that are only read may be the same
  assert_int_equal(ask(&w, a, a, b + 4000), 1);
  assert_int_equal(ask(&w, a, b, a + 64), 0);
  assert_int_equal(ask(&w, b, a, b), 0);
  assert_int_equal(ask(&w, a, NULL, b), 1);
  assert_int_equal(ask(&w, a, own, b), 0);
  assert_int_equal(ask(&w, a, a, own), 0);
  w.kernel.adapter_kernel->needs.noalias_written = 6;
  assert_int_equal(ask(&w, a, a, b), 0);
  w.kernel.adapter_kernel->needs.noalias_pointers = 6;
  assert_int_equal(ask(&w, own, a, b), 1);
  w.kernel.adapter_kernel->needs.noalias_written = 0;
  assert_int_equal(ask(&w, a, a, b), 0);
  w.kernel.adapter_kernel->needs.noalias_pointers = UINT64_C(1) << 63 | 1;
  w.kernel.adapter_kernel->needs.noalias_written = 1;
  assert_int_equal(ask(&w, a, a, b), 0);  // behind the end of the block
  close_world(&w);
}

// Of buffers the whole memory counts, of parts their own.
static void test_buffers(void **state) {
  (void)state;
  world w;
  open_world(&w);
  const tn_buffer_params params = {.struct_size = sizeof(params), .size = 64};
  tn_buffer *whole = NULL;
  tn_buffer *half = NULL;
  MUST(tn_buffer_create(&params, &whole, diag));
  MUST(tn_buffer_create_part(whole, 32, 32, &half, diag));
  char *memory = w.usm[0];
  char *other = w.usm[1] + 64;
  const struct {
    tn_buffer *second;
    char *args[POINTERS];
    uint64_t expected;
  } cases[] = {
      {half, {other, memory + 64, memory}, 1},  // behind a whole
      {half, {other, memory + 32, memory}, 0},  // in it
      {half, {other, memory + 32, memory + 64}, 1},
      {half, {memory + 256, memory + 64, memory}, 0},  // USM that buffers lie in
      {whole, {other, memory + 63, memory}, 0},
      {whole, {other, memory, memory + 64}, 1},
  };
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    const tn_access accesses[2] = {{cases[i].second, TN_ACCESS_READ, 8},
                                   {whole, TN_ACCESS_WRITE, 16}};
    tn_command command = kernel_command(&w.kernel, cases[i].args, 1);
    command.arg_size = sizeof(cases[i].args);
    command.accesses = accesses;
    command.access_count = 2;
    if (tn_launch_noalias(&w.kernel, &command, cases[i].args) != cases[i].expected) {
      fail_msg("case %zu", i);
    }
  }
  tn_buffer_release(half);
  tn_buffer_release(whole);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_usm),
      cmocka_unit_test(test_buffers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
