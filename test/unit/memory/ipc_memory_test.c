// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for other processes, over a driver of NVIDIA's without a device (test/fake_cuda), to which
// another process is one whose number in the handle is not this one's: it sees a copy.
#include "tenon/ipc_memory.h"

#include "tenon/tenon.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

enum { PROCESS_AT = 8, USM_OFFSET_AT = 24, UUID_AT = 48 };  // in a handle

static tn_device *device, *cpu;
static tn_context *context, *other;

static int open_contexts(void **state) {
  (void)state;
  size_t count = 0;
  MUST(tn_device_count(&count, diag));
  for (size_t i = 0; i < count; i++) {
    uint32_t backend = 0;
    MUST(tn_device_get_info(tn_device_at(i), TN_DEVICE_INFO_BACKEND, &backend, sizeof(backend),
                            NULL, diag));
    device = backend == TN_BACKEND_CUDA && !device ? tn_device_at(i) : device;
    cpu = backend == TN_BACKEND_CPU ? tn_device_at(i) : cpu;
  }
  if (!device || !cpu) {
    return -1;
  }
  MUST(tn_context_create(&device, 1, &context, diag));
  MUST(tn_context_create(&device, 1, &other, diag));
  return 0;
}

static int close_contexts(void **state) {
  (void)state;
  tn_context_release(context);
  tn_context_release(other);
  return 0;
}

static void test_between_processes(void **state) {
  (void)state;
  unsigned char handle[TN_IPC_MEMORY_SIZE];
  char *memory = NULL;
  MUST(tn_usm_alloc(context, device, TN_USM_DEVICE, 400, 0, (void **)&memory, diag));
  memcpy(memory + 100, "seen", 5);
  MUST(tn_ipc_memory_get(context, memory + 100, handle, diag));
  handle[PROCESS_AT] ^= 1;
  char *there = NULL, *again = NULL;
  MUST(tn_ipc_memory_open(other, device, handle, sizeof(handle), (void **)&there, diag));
  assert_true(there != memory + 100);
  assert_string_equal(there, "seen");
  tn_usm_info info;
  MUST(tn_usm_query(other, there, &info, diag));
  assert_true(info.kind == TN_USM_DEVICE && info.device == device && info.size == 400);
  assert_ptr_equal(info.base, there - 100);
  // It belongs to the other process: it can be neither freed nor passed on.
  ASSERT_FAILS(tn_usm_free(other, info.base, diag), INVALID_ARGUMENT, "another process");
  ASSERT_FAILS(tn_ipc_memory_get(other, there, handle, diag), INVALID_ARGUMENT, "only such");
  MUST(tn_ipc_memory_open(other, device, handle, sizeof(handle), (void **)&again, diag));
  assert_ptr_equal(again, there);
  MUST(tn_ipc_memory_close(other, there, diag));
  MUST(tn_usm_query(other, there, &info, diag));
  assert_int_equal(info.kind, TN_USM_DEVICE);
  ASSERT_FAILS(tn_ipc_memory_close(context, there, diag), INVALID_ARGUMENT, "not inter-process");
  MUST(tn_ipc_memory_close(other, again, diag));
  MUST(tn_usm_query(other, there, &info, diag));
  assert_int_equal(info.kind, TN_USM_UNKNOWN);
  ASSERT_FAILS(tn_ipc_memory_close(other, there, diag), INVALID_ARGUMENT, "not inter-process");
  MUST(tn_usm_free(context, memory, diag));
}

static void test_in_one_process(void **state) {
  (void)state;
  unsigned char handle[TN_IPC_MEMORY_SIZE];
  char *memory = NULL, *same = NULL;
  MUST(tn_usm_alloc(context, device, TN_USM_DEVICE, 400, 0, (void **)&memory, diag));
  MUST(tn_ipc_memory_get(context, memory + 8, handle, diag));
  MUST(tn_ipc_memory_open(context, device, handle, sizeof(handle), (void **)&same, diag));
  assert_ptr_equal(same, memory + 8);
  MUST(tn_ipc_memory_close(context, same, diag));
  ASSERT_FAILS(tn_ipc_memory_close(context, same, diag), INVALID_ARGUMENT, "not inter-process");
  MUST(tn_usm_free(context, memory, diag));
}

static void test_refusals(void **state) {
  (void)state;
  unsigned char handle[TN_IPC_MEMORY_SIZE], damaged[TN_IPC_MEMORY_SIZE];
  void *device_memory = NULL, *host_memory = NULL, *out = &device;
  MUST(tn_usm_alloc(context, device, TN_USM_DEVICE, 64, 0, &device_memory, diag));
  MUST(tn_usm_alloc(context, device, TN_USM_HOST, 64, 0, &host_memory, diag));
  ASSERT_FAILS(tn_ipc_memory_get(context, host_memory, handle, diag), INVALID_ARGUMENT,
               "device USM");
  ASSERT_FAILS(tn_ipc_memory_get(other, device_memory, handle, diag), INVALID_ARGUMENT, "context");
  ASSERT_FAILS(tn_ipc_memory_get(context, &device, handle, diag), INVALID_ARGUMENT, "device USM");
  ASSERT_FAILS(tn_ipc_memory_get(NULL, device_memory, handle, diag), INVALID_ARGUMENT, "NULL");
  MUST(tn_ipc_memory_get(context, device_memory, handle, diag));
  ASSERT_FAILS(tn_ipc_memory_open(context, device, handle, sizeof(handle) - 1, &out, diag),
               INVALID_ARGUMENT, "no handle");
  assert_null(out);
  ASSERT_FAILS(tn_ipc_memory_open(context, device, NULL, 0, &out, diag), INVALID_ARGUMENT,
               "no handle");
  ASSERT_FAILS(tn_ipc_memory_open(context, NULL, handle, sizeof(handle), &out, diag),
               INVALID_ARGUMENT, "a device of it");
  const size_t places[] = {0, USM_OFFSET_AT + 7, UUID_AT};
  const char *const words[] = {"no handle", "damaged", "another device"};
  for (size_t i = 0; i < 3; i++) {
    memcpy(damaged, handle, sizeof(handle));
    damaged[places[i]] ^= 0x80;
    ASSERT_FAILS(tn_ipc_memory_open(context, device, damaged, sizeof(damaged), &out, diag),
                 INVALID_ARGUMENT, words[i]);
  }
  // What the driver does not know.
  memset(damaged, 0, sizeof(damaged));
  memcpy(damaged, handle, UUID_AT + 16);
  damaged[PROCESS_AT] ^= 1;
  ASSERT_FAILS(tn_ipc_memory_open(context, device, damaged, sizeof(damaged), &out, diag),
               INVALID_ARGUMENT, "it is gone");
  MUST(tn_usm_free(context, device_memory, diag));
  MUST(tn_usm_free(context, host_memory, diag));
}

// Devices that share nothing say what to ask for.
static void test_other_devices(void **state) {
  (void)state;
  unsigned char handle[TN_IPC_MEMORY_SIZE];
  tn_context *of_cpu = NULL;
  void *memory = NULL, *out = NULL;
  MUST(tn_context_create(&cpu, 1, &of_cpu, diag));
  MUST(tn_usm_alloc(of_cpu, cpu, TN_USM_DEVICE, 64, 0, &memory, diag));
  ASSERT_FAILS(tn_ipc_memory_get(of_cpu, memory, handle, diag), UNSUPPORTED, "ipc_memory first");
  ASSERT_FAILS(tn_ipc_memory_open(of_cpu, cpu, handle, sizeof(handle), &out, diag), UNSUPPORTED,
               "ipc_memory first");
  MUST(tn_usm_free(of_cpu, memory, diag));
  tn_context_release(of_cpu);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_between_processes),
      cmocka_unit_test(test_in_one_process),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_other_devices),
  };
  return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
