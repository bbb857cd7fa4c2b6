// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// USM: what is allocated is found again, inside its range and in its context only, and given back.
#include "run/memory/usm_table.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static void test_alloc_query_free(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, true);
  const int32_t kinds[] = {TN_USM_HOST, TN_USM_DEVICE, TN_USM_SHARED};
  for (size_t i = 0; i < TN_COUNT(kinds); i++) {
    char *memory = NULL;
    MUST(tn_usm_alloc(f.context, &f.device, kinds[i], 100, 256, (void **)&memory, diag));
    assert_int_equal((uintptr_t)memory % 256, 0);
    memset(memory, 1, 100);
    tn_usm_info info;
    MUST(tn_usm_query(f.context, memory + 99, &info, diag));
    assert_int_equal(info.kind, kinds[i]);
    assert_true(info.base == memory && info.size == 100);
    assert_true(info.device == (kinds[i] == TN_USM_HOST ? NULL : &f.device));
    MUST(tn_usm_query(f.context, memory + 100, &info, diag));
    assert_int_equal(info.kind, TN_USM_UNKNOWN);
    assert_null(info.device);
    MUST(tn_usm_free(f.context, memory, diag));
    MUST(tn_usm_query(f.context, memory, &info, diag));
    assert_int_equal(info.kind, TN_USM_UNKNOWN);
  }
  assert_int_equal(tn_mock_memory_count(f.device.adapter_device), 0);
  assert_int_equal(tn_mock_memory_errors(f.device.adapter_device), 0);
  fixture_close(&f);
}

static void add_entry(uintptr_t base, size_t size, tn_usm_origin origin) {
  tn_usm_entry *entry = tn_usm_entry_create();
  assert_non_null(entry);
  entry->base = base;
  entry->size = size;
  entry->origin = origin;
  tn_usm_table_add(entry);
}

// A pointer to the begin of an allocation may as well be the end of one that it touches.
static void test_what_pointers_lead_into(void **state) {
  (void)state;
  enum { FIRST = 1 << 20, SIZE = 4096 };
  add_entry(FIRST, SIZE, TN_USM_ALLOCATED);
  add_entry(FIRST + SIZE, SIZE, TN_USM_ALLOCATED);
  add_entry(FIRST + 3 * SIZE, SIZE, TN_USM_REGISTERED);
  const struct {
    uintptr_t address;
    uintptr_t begin;  // 0: it leads nowhere
  } cases[] = {{FIRST, FIRST},        {FIRST + SIZE - 1, FIRST},
               {FIRST + SIZE, 0},     {FIRST + SIZE + 1, FIRST + SIZE},
               {FIRST + 2 * SIZE, 0}, {FIRST + 3 * SIZE, 0},
               {FIRST - 1, 0}};
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    uintptr_t begin = 0;
    size_t size = 0;
    const void *pointer = NULL;
    memcpy(&pointer, &cases[i].address, sizeof(pointer));
    assert_int_equal(tn_usm_find_allocation(pointer, &begin, &size), cases[i].begin != 0);
    assert_int_equal(begin, cases[i].begin);
    assert_int_equal(size, cases[i].begin != 0 ? SIZE : 0);
  }
  tn_free(tn_usm_table_remove(NULL, FIRST, TN_USM_ALLOCATED));
  tn_free(tn_usm_table_remove(NULL, FIRST + SIZE, TN_USM_ALLOCATED));
  tn_free(tn_usm_table_remove(NULL, FIRST + 3 * SIZE, TN_USM_REGISTERED));
}

static void test_refusals(void **state) {
  (void)state;
  fixture f;
  fixture other;
  fixture_open_mock(&f, true);
  fixture_open_mock(&other, true);
  void *memory = NULL;
  MUST(tn_usm_alloc(f.context, NULL, TN_USM_HOST, 16, 0, &memory, diag));
  tn_context *context = f.context;
  ASSERT_FAILS(tn_usm_free(other.context, memory, diag), INVALID_ARGUMENT, "another context");
  ASSERT_FAILS(tn_usm_free(context, (char *)memory + 4, diag), INVALID_ARGUMENT, "4 bytes inside");
  ASSERT_FAILS(tn_usm_free(context, &f, diag), INVALID_ARGUMENT, "not USM memory");
  MUST(tn_usm_free(context, memory, diag));
  ASSERT_FAILS(tn_usm_free(context, memory, diag), INVALID_ARGUMENT, "freed already");
  MUST(tn_usm_free(context, NULL, diag));
  void *out = &f;
  ASSERT_FAILS(tn_usm_alloc(context, &other.device, TN_USM_DEVICE, 8, 0, &out, diag), WRONG_CONTEXT,
               "not in the context");
  assert_null(out);
  ASSERT_FAILS(tn_usm_alloc(context, NULL, TN_USM_DEVICE, 8, 0, &out, diag), INVALID_ARGUMENT,
               "needs a device");
  ASSERT_FAILS(tn_usm_alloc(context, &f.device, 9, 8, 0, &out, diag), INVALID_ARGUMENT, "9");
  ASSERT_FAILS(tn_usm_alloc(context, &f.device, TN_USM_HOST, 8, 24, &out, diag), INVALID_ARGUMENT,
               "power of two");
  ASSERT_FAILS(tn_usm_alloc(NULL, &f.device, TN_USM_HOST, 8, 0, &out, diag), INVALID_ARGUMENT,
               "context");
  MUST(tn_usm_alloc(context, &f.device, TN_USM_SHARED, 0, 0, &out, diag));
  assert_null(out);
  tn_mock_fail(f.device.adapter_device, TN_MOCK_ALLOC, 0);
  ASSERT_FAILS(tn_usm_alloc(context, &f.device, TN_USM_SHARED, 8, 0, &out, diag), OUT_OF_MEMORY,
               "8 bytes");
  fixture_close(&f);
  fixture_close(&other);
}

// Many allocations, freed in another order, against a plain list of what should be there.
static void test_many(void **state) {
  (void)state;
  enum { COUNT = 3000 };
  fixture f;
  fixture_open_cpu(&f, 1, (const c_kernel[]){{NULL, NULL}});
  static char *memory[COUNT];
  uint32_t seed = 5;
  for (size_t i = 0; i < COUNT; i++) {
    MUST(tn_usm_alloc(f.context, &f.device, TN_USM_SHARED, 1 + i % 300, 0, (void **)&memory[i],
                      diag));
  }
  for (size_t i = 0; i < 2 * COUNT; i++) {
    seed = seed * 1664525u + 1013904223u;
    const size_t k = (seed >> 8) % COUNT;
    tn_usm_info info;
    if (memory[k] == NULL) {
      continue;
    }
    MUST(tn_usm_query(f.context, memory[k] + k % 300, &info, diag));
    assert_true(info.base == memory[k] && info.size == 1 + k % 300);
    MUST(tn_usm_free(f.context, memory[k], diag));
    MUST(tn_usm_query(f.context, memory[k], &info, diag));
    assert_int_equal(info.kind, TN_USM_UNKNOWN);
    memory[k] = NULL;
  }
  for (size_t i = 0; i < COUNT; i++) {
    MUST(tn_usm_free(f.context, memory[i], diag));
  }
  fixture_close(&f);
}

static void *alloc_and_free(void *arg) {
  fixture *f = arg;
  for (int i = 0; i < 500; i++) {
    void *memory[4];
    for (size_t k = 0; k < 4; k++) {
      MUST(tn_usm_alloc(f->context, &f->device, TN_USM_DEVICE, 64, 0, &memory[k], diag));
    }
    for (size_t k = 0; k < 4; k++) {
      MUST(tn_usm_free(f->context, memory[k], diag));
    }
  }
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, true);
  tn_thread threads[4];
  for (size_t i = 0; i < TN_COUNT(threads); i++) {
    MUST(tn_thread_create(&threads[i], "usm", alloc_and_free, &f, diag));
  }
  for (size_t i = 0; i < TN_COUNT(threads); i++) {
    tn_thread_join(threads[i]);
  }
  assert_int_equal(tn_mock_memory_count(f.device.adapter_device), 0);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_alloc_query_free), LEAK_TEST(test_what_pointers_lead_into),
      LEAK_TEST(test_refusals),         LEAK_TEST(test_many),
      LEAK_TEST(test_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
