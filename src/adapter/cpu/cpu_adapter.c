// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU adapter's table: one device, always there.
#include "adapter/cpu/cpu.h"
#include "base/alloc.h"
#include "base/info.h"

#include <string.h>

static tn_status create(const tn_adapter_host *host, tn_adapter **out, tn_diag *diag) {
  *out = NULL;
  tn_adapter *adapter = tn_alloc(sizeof(*adapter));
  if (adapter == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the CPU adapter");
  }
  adapter->host = host;
  adapter->device.adapter = adapter;
  tn_cpu_facts_read(&adapter->device.facts);
  const uint32_t threads =
      host->cpu_threads != 0 ? host->cpu_threads : adapter->device.facts.core_count;
  const tn_status status = tn_cpu_device_init(&adapter->device, threads, diag);
  if (status != TN_OK) {
    tn_free(adapter);
    return status;
  }
  tn_mutex_init(&adapter->divide_mu, TN_RANK_ADAPTER);
  *out = adapter;
  return TN_OK;
}

static void destroy_sub_devices(tn_adapter *adapter) TN_NO_ANALYSIS {
  while (adapter->sub_devices != NULL) {
    tn_adapter_device *device = adapter->sub_devices;
    adapter->sub_devices = device->next;
    tn_cpu_device_deinit(device);
    tn_free(device);
  }
}

static void destroy(tn_adapter *adapter) {
  if (adapter != NULL) {
    destroy_sub_devices(adapter);
    tn_cpu_device_deinit(&adapter->device);
    tn_mutex_deinit(&adapter->divide_mu);
    tn_free(adapter);
  }
}

static tn_status get_info(tn_adapter *adapter, int32_t what, void *out, size_t size,
                          size_t *out_size, tn_diag *diag) {
  (void)adapter;
  static const char name[] = "Tenon CPU";
  static const char vendor[] = "Tenon";
  static const char version[] = TN_VERSION;
  static const uint32_t backend = TN_BACKEND_CPU;
  switch (what) {
    case TN_PLATFORM_INFO_NAME:
      return tn_info_write(name, sizeof(name), out, size, out_size, diag);
    case TN_PLATFORM_INFO_VENDOR:
      return tn_info_write(vendor, sizeof(vendor), out, size, out_size, diag);
    case TN_PLATFORM_INFO_VERSION:
      return tn_info_write(version, sizeof(version), out, size, out_size, diag);
    case TN_PLATFORM_INFO_BACKEND:
      return tn_info_write(&backend, sizeof(backend), out, size, out_size, diag);
    default:
      return TN_FAIL(diag, INVALID_ARGUMENT, "%d is no platform info", (int)what);
  }
}

static size_t device_count(tn_adapter *adapter) {
  (void)adapter;
  return 1;
}

static tn_adapter_device *device_at(tn_adapter *adapter, size_t index) {
  return index == 0 ? &adapter->device : NULL;
}

static const char *device_target(tn_adapter_device *device) {
  (void)device;
  return "native_cpu";
}

// All kinds are the process's own memory.
static tn_status memory_alloc(tn_adapter_device *device, int32_t kind, size_t size,
                              size_t alignment, void **out, tn_diag *diag) {
  (void)kind;
  *out = NULL;
  // More than the machine has is refused at once: the system would only grant it to take it back.
  if (size <= device->facts.memory_size || device->facts.memory_size == 0) {
    *out = tn_alloc_aligned(size, alignment > 64 ? alignment : 64);
  }
  if (*out == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu bytes on the CPU (the machine has %llu)",
                   size, (unsigned long long)device->facts.memory_size);
  }
  return TN_OK;
}

static void memory_free(tn_adapter_device *device, int32_t kind, void *memory) {
  (void)device;
  (void)kind;
  tn_free_aligned(memory);
}

static void run_here(const tn_adapter_command *command, const tn_cpu_workspace *workspace,
                     uint64_t *out_start_ns, uint64_t *out_end_ns) {
  const bool is_kernel = command->kind == TN_ADAPTER_KERNEL;
  const uint64_t items = is_kernel ? tn_cpu_item_count(&command->launch) : 0;
  const bool learns = is_kernel && tn_cpu_wants_measure(command->launch.kernel, items);
  if (!learns && out_start_ns == NULL && out_end_ns == NULL) {
    tn_cpu_run_whole(command, workspace);
    return;
  }
  const uint64_t start_ns = tn_time_ns();
  tn_cpu_run_whole(command, workspace);
  const uint64_t end_ns = tn_time_ns();
  if (learns) {
    tn_cpu_note_cost(command->launch.kernel, end_ns - start_ns, items);
  }
  if (out_start_ns != NULL) {
    *out_start_ns = start_ns;
  }
  if (out_end_ns != NULL) {
    *out_end_ns = end_ns;
  }
}

// A sub-device computes on no more threads than it has units, the submitter's included; the whole
// CPU is not so strict, which saves its launches a lock.
static tn_status try_run(tn_adapter_device *device, const tn_adapter_command *command,
                         bool *out_ran, uint64_t *out_start_ns, uint64_t *out_end_ns,
                         tn_diag *diag) {
  const bool is_bounded = device->parent != NULL;
  *out_ran = false;
  if (!tn_cpu_is_tiny(command)) {
    return TN_OK;
  }
  tn_cpu_workspace *workspace = NULL;
  TN_TRY(tn_cpu_workspace_borrow(&device->workspaces, command, &workspace, diag));
  if (!is_bounded || tn_cpu_pool_enter(device->pool)) {
    run_here(command, workspace, out_start_ns, out_end_ns);
    if (is_bounded) {
      tn_cpu_pool_leave(device->pool);
    }
    *out_ran = true;
  }
  tn_cpu_workspace_return(&device->workspaces, workspace);
  return TN_OK;
}

static tn_status submit(tn_adapter_device *device, const tn_adapter_command *command,
                        tn_adapter_done_fn done, void *user, tn_diag *diag) {
  return tn_cpu_is_gang(command) ? tn_cpu_gang_submit(device, command, done, user, diag)
                                 : tn_cpu_pool_submit(device->pool, command, done, user, diag);
}

static tn_status kernel_root_groups(tn_adapter_device *device, tn_adapter_kernel *kernel,
                                    uint64_t group_items, uint64_t local_size, uint64_t *out,
                                    tn_diag *diag) {
  (void)group_items;
  (void)local_size;
  (void)diag;
  // A group of checked code that has failed would be waited for.
  *out = kernel->is_checked ? 1 : device->unit_count;
  return TN_OK;
}

static bool help(tn_adapter_device *device) { return tn_cpu_pool_help(device->pool); }

// A thread that waits is about to sleep.
static void flush(tn_adapter_device *device) { tn_cpu_pool_forget_helper(device->pool); }

static uint32_t group_shape(tn_adapter_device *device, const uint64_t local[3]) {
  (void)device;
  return tn_cpu_group_shape(local[0], local[1] * local[2]);
}

static const tn_adapter_api api = {
    .size = sizeof(tn_adapter_api),
    .version = TN_ADAPTER_VERSION,
    .name = "cpu",
    .create = create,
    .destroy = destroy,
    .get_info = get_info,
    .device_count = device_count,
    .device_at = device_at,
    .device_get_info = tn_cpu_device_get_info,
    .device_target = device_target,
    .device_identity = tn_cpu_device_identity,
    .memory_alloc = memory_alloc,
    .memory_free = memory_free,
    .program_load = tn_cpu_program_load,
    .program_upgrade = tn_cpu_program_upgrade,
    .program_unload = tn_cpu_program_unload,
    .kernel_find = tn_cpu_kernel_find,
    .try_run = try_run,
    .submit = submit,
    .help = help,
    .flush = flush,
    .device_divide = tn_cpu_device_divide,
    .program_load_table = tn_cpu_program_load_table,
    .program_set_specs = tn_cpu_program_set_specs,
    .kernel_get_info = tn_cpu_kernel_get_info,
    .kernel_show_as = tn_cpu_kernel_show_as,
    .virtual_memory = &tn_cpu_virtual_memory,
    .kernel_root_groups = kernel_root_groups,
    .group_shape = group_shape,
    .kernel_suits = tn_cpu_kernel_suits,
    .kernel_noalias = tn_cpu_kernel_noalias,
    .flags = TN_ADAPTER_MEMORY_IS_HOST,
};

const tn_adapter_api *tn_cpu_adapter_query(uint32_t max_version) {
  return max_version >= TN_ADAPTER_VERSION ? &api : NULL;
}
