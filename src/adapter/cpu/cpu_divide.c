// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-devices of the CPU: a share of its threads each, with a pool of its own. Those that share a
// NUMA node or a cache have threads that stay on the cores of it.
#include "adapter/cpu/cpu.h"
#include "base/alloc.h"

#define SYSTEM_FOLDER "/sys/devices/system"

tn_status tn_cpu_device_init(tn_adapter_device *device, uint32_t unit_count, tn_diag *diag) {
  const uint64_t stack_size = device->adapter->host->cpu_stack_size;
  device->unit_count = unit_count;
  tn_cpu_workspaces_init(&device->workspaces);
  const tn_status status =
      tn_cpu_pool_create(unit_count, stack_size != 0 ? stack_size : TN_CPU_STACK_DEFAULT,
                         &device->workspaces, &device->pool, diag);
  if (status != TN_OK) {
    tn_cpu_workspaces_deinit(&device->workspaces);
  }
  return status;
}

void tn_cpu_device_deinit(tn_adapter_device *device) {
  tn_cpu_pool_destroy(device->pool);
  tn_cpu_workspaces_deinit(&device->workspaces);
  tn_free(atomic_load_explicit(&device->units, memory_order_relaxed));
}

// Units stand for the cores in turn, so that there may be more threads than cores.
static tn_cpu_unit *list_units(uint32_t count) {
  tn_cpu_unit *units = tn_alloc_array(count, sizeof(*units));
  uint32_t *cores = tn_alloc_array(count, sizeof(*cores));
  if (units != NULL && cores != NULL) {
    const uint32_t core_count = tn_cpu_list_cores(cores, count);
    for (uint32_t i = 0; i < count; i++) {
      units[i].cpu = cores[i % core_count];
    }
    tn_cpu_topology_read(SYSTEM_FOLDER, units, count);
  } else {
    tn_free(units);
    units = NULL;
  }
  tn_free(cores);
  return units;
}

// NULL when there is no memory. Of two threads that ask first, one's list is kept.
static const tn_cpu_unit *get_units(tn_adapter_device *device) {
  tn_cpu_unit *units = atomic_load_explicit(&device->units, memory_order_acquire);
  if (units == NULL) {
    tn_cpu_unit *made = list_units(device->unit_count);
    if (made == NULL ||
        atomic_compare_exchange_strong_explicit(&device->units, &units, made, memory_order_acq_rel,
                                                memory_order_acquire)) {
      return made;
    }
    tn_free(made);
  }
  return units;
}

bool tn_cpu_device_know_units(tn_adapter_device *device) { return get_units(device) != NULL; }

static bool is_first_of_group(const tn_cpu_unit *units, uint32_t index, int32_t domain) {
  for (uint32_t i = 0; i < index; i++) {
    if (units[i].group[domain] == units[index].group[domain]) {
      return false;
    }
  }
  return true;
}

// 0 when the system does not tell the group of each unit.
static uint32_t count_groups(const tn_cpu_unit *units, uint32_t count, int32_t domain) {
  uint32_t groups = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (units[i].group[domain] == TN_CPU_NO_GROUP) {
      return 0;
    }
    groups += is_first_of_group(units, i, domain) ? 1 : 0;
  }
  return groups;
}

uint32_t tn_cpu_partition_domains(tn_adapter_device *device) {
  const tn_cpu_unit *units = device->unit_count > 1 ? get_units(device) : NULL;
  uint32_t domains = 0;
  for (int32_t domain = TN_AFFINITY_NUMA; units != NULL && domain < TN_AFFINITY_NEXT; domain++) {
    domains |= count_groups(units, device->unit_count, domain) > 1 ? 1u << domain : 0;
  }
  return domains != 0 ? domains | 1u << TN_AFFINITY_NEXT : 0;
}

uint32_t tn_cpu_partition_kinds(tn_adapter_device *device) {
  const uint32_t always = 1u << TN_PARTITION_EQUALLY | 1u << TN_PARTITION_BY_COUNTS;
  const uint32_t affinity = 1u << TN_PARTITION_BY_AFFINITY;
  return device->unit_count < 2 ? 0
                                : always | (tn_cpu_partition_domains(device) != 0 ? affinity : 0);
}

static tn_status fail_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a sub-device of the CPU");
}

// Takes the units over, also on failure.
static tn_status create_part(tn_adapter_device *parent, tn_cpu_unit *take_units, uint32_t count,
                             int32_t domain, tn_adapter_device **out, tn_diag *diag) {
  tn_adapter_device *device = tn_alloc(sizeof(*device));
  if (device != NULL) {
    device->adapter = parent->adapter;
  }
  const tn_status status =
      device != NULL ? tn_cpu_device_init(device, count, diag) : fail_memory(diag);
  if (status != TN_OK) {
    tn_free(device);
    tn_free(take_units);
    return status;
  }
  device->facts = parent->facts;
  device->parent = parent;
  device->partition_domain = domain;
  atomic_init(&device->units, take_units);
  if (domain != TN_AFFINITY_NONE) {
    tn_cpu_pool_pin(device->pool, take_units, count);
  }
  *out = device;
  return TN_OK;
}

static tn_cpu_unit *copy_units(const tn_cpu_unit *units, size_t count) {
  tn_cpu_unit *copy = tn_alloc_array(count, sizeof(*copy));
  for (size_t i = 0; copy != NULL && i < count; i++) {
    copy[i] = units[i];
  }
  return copy;
}

static tn_status create_counted(tn_adapter_device *parent, const tn_cpu_unit *units,
                                const size_t *counts, tn_adapter_device **out, size_t count,
                                size_t *out_made, tn_diag *diag) {
  size_t first = 0;
  for (size_t i = 0; i < count; i++) {
    tn_cpu_unit *copy = copy_units(units + first, counts[i]);
    if (copy == NULL) {
      return fail_memory(diag);
    }
    TN_TRY(create_part(parent, copy, (uint32_t)counts[i], TN_AFFINITY_NONE, &out[i], diag));
    *out_made = i + 1;
    first += counts[i];
  }
  return TN_OK;
}

static tn_status create_group(tn_adapter_device *parent, const tn_cpu_unit *units, uint32_t leader,
                              int32_t domain, tn_adapter_device **out, tn_diag *diag) {
  tn_cpu_unit *members = tn_alloc_array(parent->unit_count, sizeof(*members));
  if (members == NULL) {
    return fail_memory(diag);
  }
  uint32_t count = 0;
  for (uint32_t i = leader; i < parent->unit_count; i++) {
    if (units[i].group[domain] == units[leader].group[domain]) {
      members[count++] = units[i];
    }
  }
  return create_part(parent, members, count, domain, out, diag);
}

static tn_status create_groups(tn_adapter_device *parent, const tn_cpu_unit *units, int32_t domain,
                               tn_adapter_device **out, size_t *out_made, tn_diag *diag) {
  for (uint32_t i = 0; i < parent->unit_count; i++) {
    if (is_first_of_group(units, i, domain)) {
      TN_TRY(create_group(parent, units, i, domain, &out[*out_made], diag));
      (*out_made)++;
    }
  }
  return TN_OK;
}

static void keep_parts(tn_adapter *adapter, tn_adapter_device **parts, size_t count, int32_t kind) {
  tn_mutex_lock(&adapter->divide_mu);
  for (size_t i = 0; i < count; i++) {
    parts[i]->partition_kind = kind;
    parts[i]->next = adapter->sub_devices;
    adapter->sub_devices = parts[i];
  }
  tn_mutex_unlock(&adapter->divide_mu);
}

tn_status tn_cpu_device_divide(tn_adapter_device *device, int32_t kind, const size_t *counts,
                               int32_t domain, tn_adapter_device **out, size_t capacity,
                               size_t *out_count, tn_diag *diag) {
  *out_count = 0;
  const tn_cpu_unit *units = get_units(device);
  if (units == NULL) {
    return fail_memory(diag);
  }
  const bool fits = counts != NULL || count_groups(units, device->unit_count, domain) <= capacity;
  if (TN_NEVER(!fits)) {
    return TN_FAIL(diag, INTERNAL, "the CPU has more parts than there is room for");
  }
  size_t made = 0;
  const tn_status status = counts != NULL
                               ? create_counted(device, units, counts, out, capacity, &made, diag)
                               : create_groups(device, units, domain, out, &made, diag);
  if (status != TN_OK) {
    for (size_t i = 0; i < made; i++) {
      tn_cpu_device_deinit(out[i]);
      tn_free(out[i]);
    }
    return status;
  }
  keep_parts(device->adapter, out, made, kind);
  *out_count = made;
  return TN_OK;
}
