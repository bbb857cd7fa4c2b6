// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the mock executes: copies and fills are done, kernels are written down.
#include "adapter/host/host.h"
#include "adapter/mock/mock_device.h"
#include "base/alloc.h"

#include <stdio.h>
#include <string.h>

bool tn_mock_must_fail(tn_adapter_device *device, tn_mock_call call) {
  tn_mutex_lock(&device->mu);
  int64_t *left = &device->calls_left[call];
  const bool told = *left == 0;
  *left -= *left >= 0 ? 1 : 0;
  tn_mutex_unlock(&device->mu);
  return tn_fault_hit() || told;
}

void tn_mock_fail(tn_adapter_device *device, tn_mock_call call, int64_t nth) {
  tn_mutex_lock(&device->mu);
  device->calls_left[call] = nth;
  tn_mutex_unlock(&device->mu);
}

static void fill_record(tn_mock_record *record, const tn_adapter_command *command) {
  *record = (tn_mock_record){.kind = command->kind};
  if (command->kind != TN_ADAPTER_KERNEL) {
    return;
  }
  const tn_adapter_launch *launch = &command->launch;
  (void)snprintf(record->kernel, sizeof(record->kernel), "%s", tn_mock_kernel_name(launch->kernel));
  record->dims = launch->dims;
  memcpy(record->global, launch->global, sizeof(record->global));
  memcpy(record->local, launch->local, sizeof(record->local));
  memcpy(record->offset, launch->offset, sizeof(record->offset));
  record->arg_size = launch->arg_size;
  record->local_memory_size = launch->local_memory_size;
  const size_t kept =
      launch->arg_size < sizeof(record->args) ? launch->arg_size : sizeof(record->args);
  if (kept > 0) {
    memcpy(record->args, launch->args, kept);
  }
}

static bool write_record(tn_adapter_device *device, const tn_adapter_command *command)
    TN_REQUIRES(&device->mu) {
  if (device->record_count == device->record_capacity) {
    const size_t capacity = device->record_capacity > 0 ? device->record_capacity * 2 : 64;
    tn_mock_record *grown = tn_realloc(device->records, capacity * sizeof(*grown));
    if (grown == NULL) {
      return false;
    }
    device->records = grown;
    device->record_capacity = capacity;
  }
  fill_record(&device->records[device->record_count++], command);
  return true;
}

static void run_task(tn_adapter_device *device, mock_task *take_task) {
  const uint64_t start_ns = tn_time_ns();
  const mock_task task = *take_task;
  tn_free(take_task);
  tn_diag diag;
  tn_status status = TN_OK;
  const bool fails = tn_mock_must_fail(device, TN_MOCK_EXECUTE);
  tn_mutex_lock(&device->mu);
  const bool written = fails || write_record(device, task.command);
  void (*hook)(void *, const tn_adapter_command *) = device->hook;
  void *hook_user = device->hook_user;
  tn_mutex_unlock(&device->mu);
  if (fails) {
    status = TN_FAIL(&diag, DEVICE_FAILED, "the mock device was told to fail this command");
  } else if (!written) {
    status = TN_FAIL(&diag, OUT_OF_MEMORY, "no memory for the mock device's log");
  } else {
    tn_host_move(task.command);
    if (hook != NULL) {
      hook(hook_user, task.command);
    }
  }
  task.done(task.user, status, status != TN_OK ? &diag : NULL, start_ns, tn_time_ns());
}

static mock_task *take_task(tn_adapter_device *device, size_t index) TN_REQUIRES(&device->mu) {
  mock_task *before = NULL;
  mock_task *task = device->first;
  for (size_t i = 0; i < index && task != NULL; i++) {
    before = task;
    task = task->next;
  }
  if (task == NULL) {
    return NULL;
  }
  if (before != NULL) {
    before->next = task->next;
  } else {
    device->first = task->next;
  }
  if (device->last == task) {
    device->last = before;
  }
  device->pending_count--;
  return task;
}

bool tn_mock_step(tn_adapter_device *device, size_t index) {
  tn_mutex_lock(&device->mu);
  mock_task *task = take_task(device, index);
  tn_mutex_unlock(&device->mu);
  if (task == NULL) {
    return false;
  }
  run_task(device, task);
  return true;
}

static void *run_tasks(void *arg) {
  tn_adapter_device *device = arg;
  tn_mutex_lock(&device->mu);
  while (!device->is_stopping) {
    mock_task *task = device->is_manual ? NULL : take_task(device, 0);
    if (task == NULL) {
      tn_cond_wait(&device->cond, &device->mu);
      continue;
    }
    tn_mutex_unlock(&device->mu);
    run_task(device, task);
    tn_mutex_lock(&device->mu);
  }
  tn_mutex_unlock(&device->mu);
  return NULL;
}

static tn_status start_thread(tn_adapter_device *device, tn_diag *diag) TN_REQUIRES(&device->mu) {
  if (device->has_thread || device->is_manual) {
    return TN_OK;
  }
  const tn_status status = tn_thread_create(&device->thread, "tenon-mock", run_tasks, device, diag);
  device->has_thread = status == TN_OK;
  return status;
}

tn_status tn_mock_submit(tn_adapter_device *device, const tn_adapter_command *command,
                         tn_adapter_done_fn done, void *user, tn_diag *diag) {
  if (tn_mock_must_fail(device, TN_MOCK_SUBMIT)) {
    return TN_FAIL(diag, DEVICE_FAILED, "the mock device was told to fail this submission");
  }
  mock_task *task = tn_alloc(sizeof(*task));
  if (task == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command of the mock device");
  }
  *task = (mock_task){.command = command, .done = done, .user = user};
  tn_mutex_lock(&device->mu);
  const tn_status status = start_thread(device, diag);
  if (status == TN_OK) {
    if (device->last != NULL) {
      device->last->next = task;
    } else {
      device->first = task;
    }
    device->last = task;
    device->pending_count++;
    task = NULL;
    tn_cond_signal(&device->cond);
  }
  tn_mutex_unlock(&device->mu);
  tn_free(task);
  return status;
}

void tn_mock_stop(tn_adapter_device *device) {
  tn_mutex_lock(&device->mu);
  device->is_stopping = true;
  const bool has_thread = device->has_thread;
  tn_cond_broadcast(&device->cond);
  tn_mutex_unlock(&device->mu);
  if (has_thread) {
    tn_thread_join(device->thread);
  }
}

void tn_mock_set_manual(tn_adapter_device *device, bool is_manual) {
  tn_mutex_lock(&device->mu);
  device->is_manual = is_manual;
  // Without a thread what is pending would wait for the next submission.
  if (device->first != NULL) {
    TN_IGNORE(start_thread(device, NULL), "the next submission tries again");
  }
  tn_cond_broadcast(&device->cond);
  tn_mutex_unlock(&device->mu);
}

size_t tn_mock_pending_count(tn_adapter_device *device) {
  tn_mutex_lock(&device->mu);
  const size_t count = device->pending_count;
  tn_mutex_unlock(&device->mu);
  return count;
}

size_t tn_mock_log_count(tn_adapter_device *device) {
  tn_mutex_lock(&device->mu);
  const size_t count = device->record_count;
  tn_mutex_unlock(&device->mu);
  return count;
}

bool tn_mock_log_at(tn_adapter_device *device, size_t index, tn_mock_record *out) {
  tn_mutex_lock(&device->mu);
  const bool found = index < device->record_count;
  if (found) {
    *out = device->records[index];
  }
  tn_mutex_unlock(&device->mu);
  return found;
}

void tn_mock_log_clear(tn_adapter_device *device) {
  tn_mutex_lock(&device->mu);
  device->record_count = 0;
  tn_mutex_unlock(&device->mu);
}

void tn_mock_set_hook(tn_adapter_device *device,
                      void (*fn)(void *user, const tn_adapter_command *command), void *user) {
  tn_mutex_lock(&device->mu);
  device->hook = fn;
  device->hook_user = user;
  tn_mutex_unlock(&device->mu);
}
