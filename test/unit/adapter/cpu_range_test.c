// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU adapter runs each work-item once, with the right ids, however the work is cut; copies and
// fills too.
#include "adapter/cpu/cpu.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

typedef struct cover_args {
  _Atomic uint32_t *counts;  // one a work-item, in linear order
  _Atomic uint32_t *wrong;   // groups whose numbers do not fit
  uint64_t global[3];
  uint64_t local[3];  // zero for plain ranges
  uint64_t offset[3];
} cover_args;

static bool group_fits(const cover_args *a, const tn_cpu_group *g) {
  for (size_t d = 0; d < 3; d++) {
    const uint64_t begin = g->base[d] - g->global_offset[d];
    const bool is_nd_range = a->local[0] != 0;
    if (g->global_size[d] != a->global[d] || g->global_offset[d] != a->offset[d] ||
        g->group_id[d] >= g->group_count[d] ||
        begin != g->group_id[d] * g->enqueued_local_size[d] ||
        begin + g->local_size[d] > a->global[d] || g->local_size[d] == 0) {
      return false;
    }
    if (is_nd_range &&
        (g->local_size[d] != a->local[d] || g->enqueued_local_size[d] != a->local[d] ||
         g->group_count[d] != a->global[d] / a->local[d])) {
      return false;
    }
  }
  return true;
}

static void cover_group(const void *args, const tn_cpu_group *g) {
  const cover_args *a = args;
  if (!group_fits(a, g)) {
    atomic_fetch_add(a->wrong, 1);
    return;
  }
  for (uint64_t z = 0; z < g->local_size[2]; z++) {
    for (uint64_t y = 0; y < g->local_size[1]; y++) {
      for (uint64_t x = 0; x < g->local_size[0]; x++) {
        const uint64_t id[3] = {g->base[0] - a->offset[0] + x, g->base[1] - a->offset[1] + y,
                                g->base[2] - a->offset[2] + z};
        const uint64_t linear = (id[2] * a->global[1] + id[1]) * a->global[0] + id[0];
        atomic_fetch_add_explicit(&a->counts[linear], 1, memory_order_relaxed);
      }
    }
  }
}

static const c_kernel kernels[] = {{"cover" TN_CPU_KERNEL_SUFFIX, cover_group}, {NULL, NULL}};

// Launches in SYCL's order, as a program does, several times: unknown, then measured, cost.
static void cover(fixture *f, tn_queue *queue, uint32_t dims, const uint64_t *global,
                  const uint64_t *local, const uint64_t *offset) {
  tn_kernel kernel = fixture_kernel(f, "cover", sizeof(cover_args));
  cover_args args = {.global = {1, 1, 1}, .local = {0, 0, 0}};
  tn_command command = kernel_command(&kernel, &args, 1);
  command.dims = dims;
  command.has_local = local != NULL;
  uint64_t total = 1;
  for (uint32_t d = 0; d < dims; d++) {
    command.global[d] = global[d];
    command.offset[d] = offset != NULL ? offset[d] : 0;
    command.local[d] = local != NULL ? local[d] : 1;
    args.global[dims - 1 - d] = global[d];
    args.offset[dims - 1 - d] = command.offset[d];
    total *= global[d];
  }
  for (uint32_t d = 0; d < 3 && local != NULL; d++) {
    args.local[d] = d < dims ? local[dims - 1 - d] : 1;
  }
  _Atomic uint32_t wrong = 0;
  args.counts = tn_alloc_array(total, sizeof(uint32_t));
  args.wrong = &wrong;
  enum { LAUNCHES = 6 };
  for (int i = 0; i < LAUNCHES; i++) {
    MUST(tn_queue_submit(queue, &command, NULL, diag));
  }
  MUST(tn_queue_wait(queue, diag));
  assert_int_equal(atomic_load(&wrong), 0);
  for (uint64_t i = 0; i < total; i++) {
    if (atomic_load(&args.counts[i]) != LAUNCHES) {
      fail_msg("work-item %llu of %llu ran %u times, not %d", (unsigned long long)i,
               (unsigned long long)total, atomic_load(&args.counts[i]), LAUNCHES);
    }
  }
  tn_free((void *)args.counts);
}

static void test_coverage(void **state) {
  (void)state;
  static const uint64_t sizes[][3] = {{1, 1, 1},     {7, 1, 1},   {64, 1, 1},   {1000, 1, 1},
                                      {65537, 1, 1}, {3, 5, 1},   {127, 33, 1}, {2, 4099, 1},
                                      {1, 1, 77},    {3, 17, 29}, {31, 2, 65},  {40, 40, 40}};
  static const uint64_t offset[3] = {5, 1000, 3};
  for (uint32_t threads = 1; threads <= 4; threads++) {
    fixture f;
    fixture_open_cpu(&f, threads, kernels);
    tn_queue *queue = fixture_queue(&f, threads % 2 ? TN_QUEUE_IN_ORDER : 0);
    for (size_t i = 0; i < TN_COUNT(sizes); i++) {
      cover(&f, queue, 3, sizes[i], NULL, NULL);
      cover(&f, queue, 3, sizes[i], NULL, offset);
      cover(&f, queue, 2, sizes[i], NULL, offset);
      cover(&f, queue, 1, sizes[i], NULL, offset);
    }
    tn_queue_release(queue);
    fixture_close(&f);
  }
}

static void test_nd_ranges(void **state) {
  (void)state;
  static const uint64_t cases[][6] = {{1, 1, 1, 1, 1, 1},       {64, 1, 1, 8, 1, 1},
                                      {4096, 1, 1, 4096, 1, 1}, {30, 21, 5, 5, 7, 1},
                                      {6, 8, 100, 3, 2, 25},    {1, 512, 3, 1, 1, 3}};
  static const uint64_t offset[3] = {5, 1000, 3};
  for (uint32_t threads = 1; threads <= 3; threads++) {
    fixture f;
    fixture_open_cpu(&f, threads, kernels);
    tn_queue *queue = fixture_queue(&f, 0);
    for (size_t i = 0; i < TN_COUNT(cases); i++) {
      for (uint32_t dims = 1; dims <= 3; dims++) {
        cover(&f, queue, dims, cases[i], cases[i] + 3, NULL);
        cover(&f, queue, dims, cases[i], cases[i] + 3, offset);
      }
    }
    tn_queue_release(queue);
    fixture_close(&f);
  }
}

// Cuts are checked directly: every chunk is within the range, rows of the fastest dimension stay
// long.
static void test_cuts(void **state) {
  (void)state;
  tn_adapter_kernel kernel = {.function = cover_group};
  tn_adapter_command command = {
      .kind = TN_ADAPTER_KERNEL,
      .launch = {.kernel = &kernel, .dims = 2, .global = {1000, 64, 1}, .local = {1, 1, 1}}};
  tn_cpu_work work;
  tn_cpu_work_plan(&work, &command, 4);
  assert_int_equal(work.group_size[0], 1000);  // the slower dimension alone gives enough
  assert_int_equal(work.group_size[1], 2);
  assert_int_equal(work.chunk_count, 32);
  command.launch.global[1] = 1;
  tn_cpu_work_plan(&work, &command, 4);
  assert_int_equal(work.group_size[0] % 32, 0);
  assert_in_range(work.chunk_count, 4, 32);
  // Few but maybe long work-items are spread as well.
  command.launch.global[0] = 16;
  tn_cpu_work_plan(&work, &command, 4);
  assert_int_equal(work.chunk_count, 16);
  // Known to be short: one chunk.
  tn_cpu_note_cost(&kernel, 1000, 1000);
  tn_cpu_work_plan(&work, &command, 4);
  assert_int_equal(work.chunk_count, 1);
}

typedef struct limit_args {
  _Atomic uint32_t *active;
  _Atomic uint32_t *most;
} limit_args;

static void limit_group(const void *args, const tn_cpu_group *g) {
  const limit_args *a = args;
  (void)g;
  const uint32_t now = atomic_fetch_add(a->active, 1) + 1;
  uint32_t most = atomic_load(a->most);
  while (now > most && !atomic_compare_exchange_weak(a->most, &most, now)) {
  }
  for (volatile int i = 0; i < 3000; i++) {
  }
  atomic_fetch_sub(a->active, 1);
}

static void *wait_for_queue(void *arg) {
  MUST(tn_queue_wait(arg, diag));
  return NULL;
}

// However many wait, no more compute than the device was told.
static void test_thread_limit(void **state) {
  (void)state;
  const c_kernel list[] = {{"limit" TN_CPU_KERNEL_SUFFIX, limit_group}, {NULL, NULL}};
  for (uint32_t threads = 1; threads <= 2; threads++) {
    fixture f;
    fixture_open_cpu(&f, threads, list);
    tn_kernel kernel = fixture_kernel(&f, "limit", sizeof(limit_args));
    tn_queue *queue = fixture_queue(&f, 0);
    _Atomic uint32_t active = 0;
    _Atomic uint32_t most = 0;
    const limit_args args = {&active, &most};
    tn_command command = kernel_command(&kernel, &args, 64);
    command.has_local = 1;
    for (int i = 0; i < 20; i++) {
      MUST(tn_queue_submit(queue, &command, NULL, diag));
    }
    tn_thread waiters[3];
    for (size_t i = 0; i < TN_COUNT(waiters); i++) {
      MUST(tn_thread_create(&waiters[i], "waiter", wait_for_queue, queue, diag));
    }
    for (size_t i = 0; i < TN_COUNT(waiters); i++) {
      tn_thread_join(waiters[i]);
    }
    assert_in_range(atomic_load(&most), 1, threads);
    tn_queue_release(queue);
    fixture_close(&f);
  }
}

static void test_tiny(void **state) {
  (void)state;
  tn_adapter_kernel kernel = {.function = cover_group};
  tn_adapter_command command = {
      .kind = TN_ADAPTER_KERNEL,
      .launch = {.kernel = &kernel, .dims = 1, .global = {100, 1, 1}, .local = {1, 1, 1}}};
  assert_false(tn_cpu_is_tiny(&command));  // never measured
  tn_cpu_note_cost(&kernel, 2000, 100);
  assert_true(tn_cpu_is_tiny(&command));
  command.launch.global[0] = 100000;
  assert_false(tn_cpu_is_tiny(&command));
  command.launch.global[0] = 100;
  tn_cpu_note_cost(&kernel, 50000000, 100);  // interrupted once
  assert_true(tn_cpu_is_tiny(&command));
  for (int i = 0; i < 5; i++) {
    tn_cpu_note_cost(&kernel, 50000000, 100);  // really long now
  }
  assert_false(tn_cpu_is_tiny(&command));
  for (int i = 0; i < 20; i++) {
    tn_cpu_note_cost(&kernel, 100, 100);
  }
  assert_true(tn_cpu_is_tiny(&command));
  command = (tn_adapter_command){.kind = TN_ADAPTER_COPY, .size = 1000};
  assert_true(tn_cpu_is_tiny(&command));
  command.size = 1 << 20;
  assert_false(tn_cpu_is_tiny(&command));
}

static void run(tn_queue *queue, const tn_command *command) {
  MUST(tn_queue_submit(queue, command, NULL, diag));
  MUST(tn_queue_wait(queue, diag));
}

static void test_copies_and_fills(void **state) {
  (void)state;
  enum { SPACE = 3 << 20 };
  fixture f;
  fixture_open_cpu(&f, 3, kernels);
  tn_queue *queue = fixture_queue(&f, 0);
  unsigned char *a = tn_alloc(SPACE);
  unsigned char *b = tn_alloc(SPACE);
  const size_t sizes[] = {1, 31, 32768, 40001, 1000003, SPACE};
  const unsigned char pattern[7] = {1, 2, 3, 4, 5, 6, 7};
  for (size_t i = 0; i < TN_COUNT(sizes); i++) {
    const size_t size = sizes[i];
    const size_t multiple = size - size % 7 + (size < 7 ? 7 : 0);
    memset(a, 0, SPACE);
    memset(b, 0, SPACE);
    const tn_command fill = {.struct_size = sizeof(fill),
                             .kind = TN_COMMAND_FILL,
                             .dst = a,
                             .size = multiple,
                             .pattern = pattern,
                             .pattern_size = 7};
    run(queue, &fill);
    for (size_t k = 0; k < multiple; k++) {
      if (a[k] != pattern[k % 7]) {
        fail_msg("byte %zu of %zu is %d", k, multiple, a[k]);
      }
    }
    assert_true(multiple == SPACE || a[multiple] == 0);
    const tn_command copy = {
        .struct_size = sizeof(copy), .kind = TN_COMMAND_COPY, .dst = b, .src = a, .size = size};
    run(queue, &copy);
    assert_memory_equal(a, b, size);
    assert_true(size == SPACE || b[size] == 0);
  }
  // Ranges that overlap are copied as memmove does.
  memcpy(b, a, SPACE);
  const tn_command move = {.struct_size = sizeof(move),
                           .kind = TN_COMMAND_COPY,
                           .dst = a + 5,
                           .src = a,
                           .size = SPACE - 5};
  run(queue, &move);
  assert_memory_equal(a + 5, b, SPACE - 5);
  tn_free(a);
  tn_free(b);
  tn_queue_release(queue);
  fixture_close(&f);
}

static void test_rectangles(void **state) {
  (void)state;
  enum { X = 300, Y = 50, Z = 20, SPACE = X * Y * Z };
  fixture f;
  fixture_open_cpu(&f, 3, kernels);
  tn_queue *queue = fixture_queue(&f, 0);
  unsigned char *a = tn_alloc(SPACE);
  unsigned char *b = tn_alloc(SPACE);
  for (size_t i = 0; i < SPACE; i++) {
    a[i] = (unsigned char)(i * 31 >> 3);
  }
  const uint64_t extents[][3] = {{8, 2, 2}, {X - 12, Y - 3, Z - 4}};
  for (size_t i = 0; i < TN_COUNT(extents); i++) {
    const uint64_t *e = extents[i];
    tn_command copy = {
        .struct_size = sizeof(copy),
        .kind = TN_COMMAND_COPY_RECT,
        .rect_dst = {.memory = b, .offset = 7, .row_pitch = X, .slice_pitch = X * Y},
        .rect_src = {.memory = a, .offset = X, .row_pitch = X, .slice_pitch = X * Y}};
    memcpy(copy.rect_extent, e, sizeof(copy.rect_extent));
    memset(b, 0, SPACE);
    run(queue, &copy);
    const unsigned char pattern[4] = {9, 8, 7, 6};
    for (int fill = 0; fill < 2; fill++) {
      for (size_t k = 0; k < SPACE; k++) {
        const size_t from = k - 7;
        const size_t x = from % X;
        const size_t y = from / X % Y;
        const size_t z = from / X / Y;
        const bool inside = k >= 7 && x < e[0] && y < e[1] && z < e[2];
        const unsigned char expected = !inside ? 0 : fill ? pattern[x % 4] : a[X + from];
        if (b[k] != expected) {
          fail_msg("byte %zu is %d, not %d", k, b[k], expected);
        }
      }
      copy.kind = TN_COMMAND_FILL_RECT;
      copy.pattern = pattern;
      copy.pattern_size = 4;
      run(queue, &copy);
    }
  }
  tn_free(a);
  tn_free(b);
  tn_queue_release(queue);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_coverage),    LEAK_TEST(test_nd_ranges),   LEAK_TEST(test_thread_limit),
      cmocka_unit_test(test_cuts), cmocka_unit_test(test_tiny), LEAK_TEST(test_copies_and_fills),
      LEAK_TEST(test_rectangles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
