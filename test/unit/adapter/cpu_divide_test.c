// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-devices of the CPU: what the system tells of its cores, and whose threads do the work.
#include "adapter/cpu/cpu.h"
#include "base/file.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

#include <sched.h>
#include <sys/stat.h>

// The table `name` under the folder, which is made when it is not there.
static void put(const char *folder, const char *name, const char *text) {
  char path[512];
  (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
  for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
    *slash = '\0';
    (void)mkdir(path, 0700);
    *slash = '/';
  }
  MUST(tn_file_write(path, tn_bytes_from(text, strlen(text)), diag));
}

static void put_cache(const char *folder, uint32_t cpu, uint32_t index, const char *level,
                      const char *type, const char *shared) {
  const char *const names[] = {"level", "type", "shared_cpu_list"};
  const char *const texts[] = {level, type, shared};
  for (size_t i = 0; i < 3; i++) {
    char name[128];
    (void)snprintf(name, sizeof(name), "cpu/cpu%u/cache/index%u/%s", cpu, index, names[i]);
    put(folder, name, texts[i]);
  }
}

static void test_lists(void **state) {
  (void)state;
  tn_str list = TN_STR_LIT("0-3,8,10-11");
  const uint64_t expected[][2] = {{0, 3}, {8, 8}, {10, 11}};
  uint64_t first = 0;
  uint64_t last = 0;
  for (size_t i = 0; i < 3; i++) {
    assert_true(tn_cpu_list_next(&list, &first, &last));
    assert_int_equal(first, expected[i][0]);
    assert_int_equal(last, expected[i][1]);
  }
  assert_false(tn_cpu_list_next(&list, &first, &last));
  tn_str words = TN_STR_LIT("all");
  assert_false(tn_cpu_list_next(&words, &first, &last));
  tn_str half = TN_STR_LIT("3-");
  assert_false(tn_cpu_list_next(&half, &first, &last));
  uint32_t cores[4096];
  const uint32_t count = tn_cpu_list_cores(cores, TN_COUNT(cores));
  assert_int_equal(count, tn_thread_core_count());
  assert_int_equal(tn_cpu_list_cores(cores, 1), 1);
}

// Two nodes of two cores; the cores of a node share the second level, each has its own first one.
static void test_topology(void **state) {
  (void)state;
  char *folder = NULL;
  MUST(tn_temp_dir_create("topology", &folder, diag));
  put(folder, "node/online", "0-1\n");
  put(folder, "node/node0/cpulist", "0,2\n");
  put(folder, "node/node1/cpulist", "1,3\n");
  const char *const own[] = {"0\n", "1\n", "2\n", "3\n"};
  const char *const pair[] = {"0,2\n", "1,3\n", "0,2\n", "1,3\n"};
  for (uint32_t cpu = 0; cpu < 4; cpu++) {
    put_cache(folder, cpu, 0, "1\n", "Data\n", own[cpu]);
    put_cache(folder, cpu, 1, "1\n", "Instruction\n", "0-3\n");
    put_cache(folder, cpu, 2, "2\n", "Unified\n", pair[cpu]);
  }
  put(folder, "cpu/cpu0/cache/index0/size", "48K\n");
  put(folder, "cpu/cpu0/cache/index2/size", "2M\n");
  put(folder, "cpu/cpu0/cpufreq/cpuinfo_max_freq", "3700000\n");
  put(folder, "memory.max", "1048576\n");
  tn_cpu_unit units[4] = {{.cpu = 0}, {.cpu = 1}, {.cpu = 2}, {.cpu = 3}};
  tn_cpu_topology_read(folder, units, 4);
  for (uint32_t i = 0; i < 4; i++) {
    assert_int_equal(units[i].group[TN_AFFINITY_NUMA], i % 2);
    assert_int_equal(units[i].group[TN_AFFINITY_L2], units[i % 2].group[TN_AFFINITY_L2]);
    assert_int_equal(units[i].group[TN_AFFINITY_L1], i);
    assert_int_equal(units[i].group[TN_AFFINITY_L3], TN_CPU_NO_GROUP);
  }
  assert_int_not_equal(units[0].group[TN_AFFINITY_L2], units[1].group[TN_AFFINITY_L2]);
  assert_int_equal(tn_cpu_cache_size(folder), 2u << 20);
  assert_int_equal(tn_cpu_clock_mhz(folder), 3700);
  assert_int_equal(tn_cpu_memory_limit(folder), 1u << 20);
  assert_int_equal(tn_cpu_core_limit(folder), UINT32_MAX);
  put(folder, "cpu.max", "250000 100000\n");
  assert_int_equal(tn_cpu_core_limit(folder), 3);
  put(folder, "cpu.max", "max 100000\n");
  assert_int_equal(tn_cpu_core_limit(folder), UINT32_MAX);
  put(folder, "cpu/cpu.cfs_quota_us", "100000\n");
  put(folder, "cpu/cpu.cfs_period_us", "100000\n");
  assert_int_equal(tn_cpu_core_limit(folder), 1);
  put(folder, "cpu/cpu.cfs_quota_us", "-1\n");
  assert_int_equal(tn_cpu_core_limit(folder), UINT32_MAX);
  put(folder, "memory.max", "max\n");
  assert_true(tn_cpu_memory_limit(folder) == UINT64_MAX);
  tn_temp_dir_remove(folder);
  tn_cpu_topology_read("/nowhere", units, 4);
  assert_int_equal(units[3].group[TN_AFFINITY_NUMA], TN_CPU_NO_GROUP);
  assert_int_equal(tn_cpu_cache_size("/nowhere") + tn_cpu_clock_mhz("/nowhere"), 0);
}

static _Atomic int inside;
static _Atomic int most_inside;
static _Atomic int expected_inside;
static _Atomic bool saw_other_core;
static _Atomic uint32_t only_core;  // 0: any; else the core + 1
static pthread_t main_thread;
static _Atomic bool saw_main_thread;

// Stays until as many are inside as are to be expected, and a little longer for one too many.
static void meet(const void *args, const tn_cpu_group *group) {
  (void)args;
  (void)group;
  const int now = atomic_fetch_add(&inside, 1) + 1;
  int most = atomic_load(&most_inside);
  while (most < now && !atomic_compare_exchange_weak(&most_inside, &most, now)) {
  }
  for (int i = 0; i < 300000 && atomic_load(&most_inside) < atomic_load(&expected_inside); i++) {
    usleep(100);
  }
  usleep(200);
  const uint32_t core = atomic_load(&only_core);
  if (core != 0 && sched_getcpu() != (int)core - 1) {
    atomic_store(&saw_other_core, true);
  }
  if (pthread_equal(pthread_self(), main_thread)) {
    atomic_store(&saw_main_thread, true);
  }
  atomic_fetch_sub(&inside, 1);
}

static const c_kernel kernels[] = {{"meet" TN_CPU_KERNEL_SUFFIX, meet}, {NULL, NULL}};

// Several launches on two queues of the device; the most groups that ran at one time.
static int most_on(fixture *f, tn_device *device, int expected) {
  atomic_store(&inside, 0);
  atomic_store(&most_inside, 0);
  atomic_store(&expected_inside, expected);
  tn_kernel kernel = fixture_kernel(f, "meet", 0);
  tn_queue *queues[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) {
    MUST(tn_queue_create(f->context, device, 0, &queues[i], diag));
  }
  for (int i = 0; i < 6; i++) {
    tn_command command = kernel_command(&kernel, NULL, 16);
    command.has_local = 1;
    MUST(tn_queue_submit(queues[i % 2], &command, NULL, diag));
  }
  for (int i = 0; i < 2; i++) {
    MUST(tn_queue_wait(queues[i], diag));
    tn_queue_release(queues[i]);
  }
  return atomic_load(&most_inside);
}

static tn_device *const *divide(tn_device *device, int32_t kind, size_t a, size_t b,
                                size_t *count) {
  const size_t counts[] = {a, b};
  const tn_partition how = {
      .kind = kind, .counts = counts, .count_count = kind == TN_PARTITION_EQUALLY ? 1 : 2};
  tn_device *const *out = NULL;
  MUST(tn_device_partition(device, &how, &out, count, diag));
  return out;
}

static void test_shares(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 3, kernels);
  size_t count = 0;
  tn_device *const *parts = divide(&f.device, TN_PARTITION_BY_COUNTS, 1, 2, &count);
  assert_int_equal(count, 2);
  assert_int_equal(most_on(&f, parts[0], 1), 1);
  assert_int_equal(most_on(&f, parts[1], 2), 2);
  assert_int_equal(most_on(&f, &f.device, 3), 3);
  assert_ptr_equal(tn_device_parent(parts[1]), &f.device);
  assert_null(tn_device_parent(&f.device));
  // The same division gives the same devices, another one others.
  assert_ptr_equal(divide(&f.device, TN_PARTITION_BY_COUNTS, 1, 2, &count)[1], parts[1]);
  assert_ptr_not_equal(divide(&f.device, TN_PARTITION_BY_COUNTS, 2, 1, &count)[1], parts[1]);
  tn_device *const *halves = divide(parts[1], TN_PARTITION_EQUALLY, 1, 0, &count);
  assert_int_equal(count, 2);
  assert_int_equal(most_on(&f, halves[1], 1), 1);
  assert_ptr_equal(tn_device_root(halves[1]), &f.device);
  tn_device_forget_divisions(&f.device);
  fixture_close(&f);
}

// What runs where it is submitted takes a share, too.
static void test_bounded_submitters(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  size_t count = 0;
  tn_device *part = divide(&f.device, TN_PARTITION_EQUALLY, 1, 0, &count)[0];
  tn_adapter_device *device = part->adapter_device;
  assert_true(tn_cpu_pool_enter(device->pool));
  assert_false(tn_cpu_pool_enter(device->pool));
  char from[64] = "x";
  char to[64] = "";
  const tn_adapter_command command = {.kind = TN_ADAPTER_COPY, .dst = to, .src = from, .size = 64};
  bool ran = true;
  MUST(f.device.api->try_run(device, &command, &ran, NULL, NULL, diag));
  assert_false(ran);
  tn_cpu_pool_leave(device->pool);
  MUST(f.device.api->try_run(device, &command, &ran, NULL, NULL, diag));
  assert_true(ran && to[0] == 'x');
  tn_device_forget_divisions(&f.device);
  fixture_close(&f);
}

// As by NUMA node or cache: its own threads only, on their cores.
static void test_pinned(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  size_t count = 0;
  tn_device *part = divide(&f.device, TN_PARTITION_EQUALLY, 1, 0, &count)[0];
  tn_adapter_device *device = part->adapter_device;
  uint32_t core = 0;
  assert_int_equal(tn_cpu_list_cores(&core, 1), 1);
  const tn_cpu_unit unit = {.cpu = core};
  tn_cpu_pool_pin(device->pool, &unit, 1);
  atomic_store(&only_core, core + 1);
  atomic_store(&saw_other_core, false);
  atomic_store(&saw_main_thread, false);
  main_thread = pthread_self();
  assert_int_equal(most_on(&f, part, 1), 1);
  assert_false(atomic_load(&saw_other_core));
  assert_false(atomic_load(&saw_main_thread));
  assert_false(tn_cpu_pool_enter(device->pool));
  atomic_store(&only_core, 0);
  tn_device_forget_divisions(&f.device);
  fixture_close(&f);
}

static void ask(tn_device *device, int32_t what, uint32_t expected) {
  uint32_t value = 77;
  MUST(tn_device_get_info(device, what, &value, sizeof(value), NULL, diag));
  assert_int_equal(value, expected);
}

static void test_refusals(void **state) {
  (void)state;
  fixture f;
  fixture_open_cpu(&f, 2, kernels);
  tn_device *const *out = NULL;
  size_t count = 0;
  const size_t counts[] = {2, 1, 0};
  tn_partition how = {.kind = TN_PARTITION_BY_COUNTS, .counts = counts, .count_count = 2};
  ASSERT_FAILS(tn_device_partition(&f.device, &how, &out, &count, diag), INVALID_ARGUMENT,
               "3 compute units");
  how.counts = &counts[2];
  how.count_count = 1;
  MUST(tn_device_partition(&f.device, &how, &out, &count, diag));
  assert_int_equal(count, 0);
  how.kind = TN_PARTITION_EQUALLY;
  ASSERT_FAILS(tn_device_partition(&f.device, &how, &out, &count, diag), INVALID_ARGUMENT,
               "at least 1");
  how.kind = 9;
  ASSERT_FAILS(tn_device_partition(&f.device, &how, &out, &count, diag), UNSUPPORTED,
               "cannot be divided");
  how = (tn_partition){.kind = TN_PARTITION_BY_AFFINITY, .domain = TN_AFFINITY_L4};
  uint32_t domains = 0;
  MUST(tn_device_get_info(&f.device, TN_DEVICE_INFO_PARTITION_DOMAINS, &domains, sizeof(domains),
                          NULL, diag));
  if ((domains >> TN_AFFINITY_L4 & 1) == 0) {
    ASSERT_FAILS(tn_device_partition(&f.device, &how, &out, &count, diag), UNSUPPORTED,
                 domains != 0 ? "L4 caches" : "by affinity domain");
  }
  ASSERT_FAILS(tn_device_partition(NULL, &how, &out, &count, diag), INVALID_ARGUMENT, "NULL");
  ask(&f.device, TN_DEVICE_INFO_PARTITION_MAX, 2);
  ask(&f.device, TN_DEVICE_INFO_PARTITION_TYPE, TN_PARTITION_NONE);
  tn_device *part = divide(&f.device, TN_PARTITION_EQUALLY, 1, 0, &count)[1];
  ask(part, TN_DEVICE_INFO_MAX_COMPUTE_UNITS, 1);
  ask(part, TN_DEVICE_INFO_PARTITION_TYPE, TN_PARTITION_EQUALLY);
  ask(part, TN_DEVICE_INFO_PARTITION_KINDS, 0);
  ask(part, TN_DEVICE_INFO_PARTITION_MAX, 0);
  tn_device_forget_divisions(&f.device);
  fixture_close(&f);
  // An adapter that divides nothing.
  fixture_open_mock(&f, false);
  ask(&f.device, TN_DEVICE_INFO_PARTITION_KINDS, 0);
  how.kind = TN_PARTITION_EQUALLY;
  ASSERT_FAILS(tn_device_partition(&f.device, &how, &out, &count, diag), UNSUPPORTED,
               "cannot be divided");
  fixture_close(&f);
}

// The n-th allocation fails, for every n until it goes through; nothing is left behind.
static void test_no_memory(void **state) {
  (void)state;
  int failed = 0;
  for (int64_t nth = 0; nth < 100; nth++) {  // the system's tables take some, and may do without
    fixture f;
    fixture_open_cpu(&f, 2, kernels);
    const size_t counts[] = {1, 1};
    const tn_partition how = {.kind = TN_PARTITION_BY_COUNTS, .counts = counts, .count_count = 2};
    tn_device *const *out = NULL;
    size_t count = 0;
    tn_fault_arm(nth);
    const tn_status status = tn_device_partition(&f.device, &how, &out, &count, NULL);
    tn_fault_arm(-1);
    assert_true(status == TN_OK || status == TN_OUT_OF_MEMORY);
    assert_int_equal(count, status == TN_OK ? 2 : 0);
    failed += status != TN_OK;
    tn_device_forget_divisions(&f.device);
    fixture_close(&f);
  }
  assert_true(failed > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_lists),     LEAK_TEST(test_topology),
      LEAK_TEST(test_shares),    LEAK_TEST(test_bounded_submitters),
      LEAK_TEST(test_pinned),    LEAK_TEST(test_refusals),
      LEAK_TEST(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
