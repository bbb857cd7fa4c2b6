// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual memory of devices that have none: all calls say so. What the CPU does is in
// test/e2e/memory/virtual_memory.cpp.
#include "tenon/virtual_memory.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static void test_unsupported(void **state) {
  (void)state;
  fixture f, other;
  fixture_open_mock(&f, true);
  fixture_open_mock(&other, true);
  size_t size = 1;
  int32_t access = -1;
  void *address = &f;
  tn_physical_memory *memory = NULL;
  const char *reason = "aspect::ext_oneapi_virtual_mem";
  ASSERT_FAILS(tn_virtual_memory_get_granularity(f.context, NULL, &size, diag), UNSUPPORTED,
               reason);
  ASSERT_FAILS(tn_virtual_memory_get_granularity(f.context, &f.device, &size, diag), UNSUPPORTED,
               reason);
  ASSERT_FAILS(tn_virtual_memory_get_granularity(f.context, &other.device, &size, diag),
               WRONG_CONTEXT, "not in the context");
  assert_int_equal(size, 0);
  ASSERT_FAILS(tn_virtual_memory_reserve(f.context, NULL, 4096, &address, diag), UNSUPPORTED,
               reason);
  assert_null(address);
  ASSERT_FAILS(tn_virtual_memory_free(f.context, &f, 4096, diag), UNSUPPORTED, reason);
  ASSERT_FAILS(tn_virtual_memory_set_access(f.context, &f, 4096, TN_VIRTUAL_ACCESS_READ, diag),
               UNSUPPORTED, reason);
  ASSERT_FAILS(tn_virtual_memory_set_access(f.context, &f, 4096, 3, diag), INVALID_ARGUMENT,
               "access mode 3");
  ASSERT_FAILS(tn_virtual_memory_get_access(f.context, &f, 4096, &access, diag), UNSUPPORTED,
               reason);
  ASSERT_FAILS(tn_virtual_memory_unmap(f.context, &f, 4096, diag), UNSUPPORTED, reason);
  ASSERT_FAILS(tn_physical_memory_create(f.context, &f.device, 4096, &memory, diag), UNSUPPORTED,
               reason);
  ASSERT_FAILS(tn_physical_memory_create(f.context, NULL, 4096, &memory, diag), INVALID_ARGUMENT,
               "needs a device");
  ASSERT_FAILS(tn_virtual_memory_get_granularity(NULL, NULL, &size, diag), INVALID_ARGUMENT,
               "needs a context");
  assert_null(memory);
  fixture_close(&other);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unsupported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
