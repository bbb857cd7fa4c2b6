// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mock device from inside. Private to adapter/mock.
#ifndef TN_ADAPTER_MOCK_MOCK_DEVICE_H
#define TN_ADAPTER_MOCK_MOCK_DEVICE_H

#include "adapter/mock/mock.h"
#include "base/thread.h"

typedef struct mock_task mock_task;
struct mock_task {
  mock_task *next;
  const tn_adapter_command *command;  // borrowed until done
  tn_adapter_done_fn done;
  void *user;
};

typedef struct mock_allocation mock_allocation;

struct tn_adapter_device {
  tn_mutex mu;
  tn_cond cond;
  mock_task *first TN_GUARDED_BY(&mu);  // pending, owned
  mock_task *last TN_GUARDED_BY(&mu);
  size_t pending_count TN_GUARDED_BY(&mu);
  bool is_manual TN_GUARDED_BY(&mu);
  bool is_stopping TN_GUARDED_BY(&mu);
  bool has_thread TN_GUARDED_BY(&mu);
  tn_mock_record *records TN_GUARDED_BY(&mu);  // owned
  size_t record_count TN_GUARDED_BY(&mu);
  size_t record_capacity TN_GUARDED_BY(&mu);
  void (*hook)(void *user, const tn_adapter_command *command) TN_GUARDED_BY(&mu);
  void *hook_user TN_GUARDED_BY(&mu);
  int64_t calls_left[TN_MOCK_CALL_COUNT] TN_GUARDED_BY(&mu);  // until the one that fails; -1 none
  mock_allocation *allocations TN_GUARDED_BY(&mu);
  size_t memory_count TN_GUARDED_BY(&mu);
  size_t memory_errors TN_GUARDED_BY(&mu);
  size_t program_count TN_GUARDED_BY(&mu);
  tn_thread thread;  // set when has_thread
};

struct tn_adapter {
  tn_adapter_device device;
};

// Whether this call is to fail; counts it.
bool tn_mock_must_fail(tn_adapter_device *device, tn_mock_call call);

tn_status tn_mock_memory_alloc(tn_adapter_device *device, int32_t kind, size_t size,
                               size_t alignment, void **out, tn_diag *diag);
void tn_mock_memory_free(tn_adapter_device *device, int32_t kind, void *memory);

tn_status tn_mock_program_load(tn_adapter_device *device, const void *code, size_t size,
                               tn_adapter_program **out, tn_diag *diag);
void tn_mock_program_unload(tn_adapter_program *program);
tn_status tn_mock_kernel_find(tn_adapter_program *program, const char *name,
                              tn_adapter_kernel **out, tn_diag *diag);
tn_status tn_mock_kernel_get_info(tn_adapter_kernel *kernel, int32_t what, void *out, size_t size,
                                  size_t *out_size, tn_diag *diag);
const char *tn_mock_kernel_name(const tn_adapter_kernel *kernel);

tn_status tn_mock_submit(tn_adapter_device *device, const tn_adapter_command *command,
                         tn_adapter_done_fn done, void *user, tn_diag *diag);
void tn_mock_stop(tn_adapter_device *device);  // joins the thread

#endif
