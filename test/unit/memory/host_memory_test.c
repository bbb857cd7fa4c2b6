// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's own memory as USM, over the CPU and over a driver of NVIDIA's without a device
// (test/fake_cuda), which keeps each address once.
#include "tenon/host_memory.h"
#include "tenon/tenon.h"
#include "fake_cuda/fake_fail.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

#include <stdlib.h>

enum { PAGE = 4096 };

static tn_device *devices[2];  // NVIDIA's, the CPU
static tn_context *contexts[2];
static char *memory;

static int open_contexts(void **state) {
  (void)state;
  size_t count = 0;
  MUST(tn_device_count(&count, diag));
  for (size_t i = 0; i < count; i++) {
    uint32_t backend = 0;
    MUST(tn_device_get_info(tn_device_at(i), TN_DEVICE_INFO_BACKEND, &backend, sizeof(backend),
                            NULL, diag));
    if (backend == TN_BACKEND_CUDA && !devices[0]) {
      devices[0] = tn_device_at(i);
    } else if (backend == TN_BACKEND_CPU) {
      devices[1] = tn_device_at(i);
    }
  }
  memory = aligned_alloc(PAGE, 4 * PAGE);
  if (!devices[0] || !devices[1] || !memory) {
    return -1;
  }
  for (size_t i = 0; i < 2; i++) {
    MUST(tn_context_create(&devices[i], 1, &contexts[i], diag));
  }
  return 0;
}

static int close_contexts(void **state) {
  (void)state;
  tn_context_release(contexts[0]);
  tn_context_release(contexts[1]);
  free(memory);
  return 0;
}

static int32_t kind_of(tn_context *context, const void *pointer) {
  tn_usm_info info;
  MUST(tn_usm_query(context, pointer, &info, diag));
  return info.kind;
}

static void test_is_usm_while_registered(void **state) {
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    tn_context *context = contexts[i];
    MUST(tn_usm_register_host(context, memory + PAGE, 2 * PAGE, TN_REGISTER_READ_ONLY, diag));
    assert_int_equal(kind_of(context, memory + PAGE), TN_USM_HOST);
    assert_int_equal(kind_of(context, memory + 3 * PAGE - 1), TN_USM_HOST);
    assert_int_equal(kind_of(context, memory + PAGE - 1), TN_USM_UNKNOWN);
    assert_int_equal(kind_of(context, memory + 3 * PAGE), TN_USM_UNKNOWN);
    assert_int_equal(kind_of(contexts[1 - i], memory + PAGE), TN_USM_UNKNOWN);
    ASSERT_FAILS(tn_usm_free(context, memory + PAGE, diag), INVALID_ARGUMENT, "unregister it");
    MUST(tn_usm_unregister_host(context, memory + PAGE, diag));
    assert_int_equal(kind_of(context, memory + PAGE), TN_USM_UNKNOWN);
  }
}

// Neighbours are apart; what has a page in common is not.
static void test_ranges_that_meet(void **state) {
  (void)state;
  tn_context *context = contexts[0];
  MUST(tn_usm_register_host(context, memory + PAGE, 2 * PAGE, 0, diag));
  MUST(tn_usm_register_host(context, memory, PAGE, 0, diag));
  MUST(tn_usm_register_host(context, memory + 3 * PAGE, PAGE, 0, diag));
  MUST(tn_usm_unregister_host(context, memory, diag));
  MUST(tn_usm_unregister_host(context, memory + 3 * PAGE, diag));
  const struct {
    size_t from, pages;
  } ranges[] = {{1, 2}, {0, 2}, {2, 2}, {2, 1}, {0, 4}};
  for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
    ASSERT_FAILS(tn_usm_register_host(contexts[i % 2], memory + ranges[i].from * PAGE,
                                      ranges[i].pages * PAGE, 0, diag),
                 DEVICE_FAILED, "USM already");
  }
  ASSERT_FAILS(tn_usm_unregister_host(context, memory + 2 * PAGE, diag), DEVICE_FAILED,
               "begins there");
  ASSERT_FAILS(tn_usm_unregister_host(contexts[1], memory + PAGE, diag), DEVICE_FAILED,
               "begins there");
  MUST(tn_usm_unregister_host(context, memory + PAGE, diag));
  ASSERT_FAILS(tn_usm_unregister_host(context, memory + PAGE, diag), DEVICE_FAILED, "begins there");
}

static void test_refusals(void **state) {
  (void)state;
  tn_context *context = contexts[0];
  ASSERT_FAILS(tn_usm_register_host(NULL, memory, PAGE, 0, diag), INVALID_ARGUMENT, "NULL");
  ASSERT_FAILS(tn_usm_register_host(context, NULL, PAGE, 0, diag), INVALID_ARGUMENT, "page size");
  ASSERT_FAILS(tn_usm_register_host(context, memory, 0, 0, diag), INVALID_ARGUMENT, "page size");
  ASSERT_FAILS(tn_usm_register_host(context, memory, PAGE + 1, 0, diag), INVALID_ARGUMENT,
               "page size");
  ASSERT_FAILS(tn_usm_register_host(context, memory + 8, PAGE, 0, diag), INVALID_ARGUMENT,
               "page size");
  ASSERT_FAILS(tn_usm_register_host(context, memory, SIZE_MAX / PAGE * PAGE, 0, diag),
               INVALID_ARGUMENT, "page size");
  ASSERT_FAILS(tn_usm_register_host(context, memory, PAGE, 2, diag), INVALID_ARGUMENT, "flags 0x2");
}

// What the driver refuses is not USM; nothing is left of it.
static void test_driver_refuses(void **state) {
  (void)state;
  tn_context *context = contexts[0];
  fake_cuda_fail("cuMemHostRegister_v2:0:1");
  ASSERT_FAILS(tn_usm_register_host(context, memory, PAGE, 0, diag), DEVICE_FAILED,
               "cannot be registered");
  fake_cuda_fail(NULL);
  assert_int_equal(kind_of(context, memory), TN_USM_UNKNOWN);
  MUST(tn_usm_register_host(context, memory, PAGE, 0, diag));
  fake_cuda_fail("cuMemHostUnregister:0:1");
  ASSERT_FAILS(tn_usm_unregister_host(context, memory, diag), DEVICE_FAILED,
               "cannot be unregistered");
  fake_cuda_fail(NULL);
  assert_int_equal(kind_of(context, memory), TN_USM_UNKNOWN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_is_usm_while_registered),
      cmocka_unit_test(test_ranges_that_meet),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_driver_refuses),
  };
  return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
