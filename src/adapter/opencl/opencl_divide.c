// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-devices, of devices that use the process's own memory: each has a context of its own, and
// memory that another context's device was given is the same there.
#include "adapter/opencl/opencl_device.h"
#include "base/alloc.h"

enum { KINDS_MAXIMUM = 8 };

// By TN_PARTITION_…, and by TN_AFFINITY_….
static const intptr_t kinds[] = {0, TN_CL_PARTITION_EQUALLY, TN_CL_PARTITION_BY_COUNTS,
                                 TN_CL_PARTITION_BY_AFFINITY};
static const intptr_t domains[] = {0,
                                   TN_CL_AFFINITY_NUMA,
                                   TN_CL_AFFINITY_L4,
                                   TN_CL_AFFINITY_L3,
                                   TN_CL_AFFINITY_L2,
                                   TN_CL_AFFINITY_L1,
                                   TN_CL_AFFINITY_NEXT};

static uint32_t unit_count(const tn_adapter_device *device) {
  return tn_opencl_ask_u32(device, TN_CL_DEVICE_MAX_COMPUTE_UNITS);
}

uint32_t tn_opencl_partition_maximum(const tn_adapter_device *device) {
  const uint32_t units = unit_count(device);
  return device->is_host_memory && units > 1 ? tn_opencl_ask_u32(device, TN_CL_DEVICE_PARTITION_MAX)
                                             : 0;
}

// Domains that give at least two sub-devices.
uint32_t tn_opencl_partition_domains(const tn_adapter_device *device) {
  uint32_t bits = 0;
  const uint64_t reported = tn_opencl_ask_u64(device, TN_CL_DEVICE_PARTITION_DOMAINS);
  for (size_t i = TN_AFFINITY_NUMA;
       tn_opencl_partition_maximum(device) > 1 && i < TN_COUNT(domains); i++) {
    const intptr_t properties[] = {TN_CL_PARTITION_BY_AFFINITY, domains[i], 0};
    tn_cl_uint count = 0;
    if ((reported & (uint64_t)domains[i]) != 0 && i != TN_AFFINITY_NEXT &&
        device->driver->divide(device->handle, properties, 0, NULL, &count) == TN_CL_SUCCESS &&
        count > 1) {
      bits |= 1u << i;
    }
  }
  return bits != 0 ? bits | 1u << TN_AFFINITY_NEXT : 0;
}

uint32_t tn_opencl_partition_kinds(const tn_adapter_device *device) {
  intptr_t reported[KINDS_MAXIMUM] = {0};
  uint32_t bits = 0;
  if (tn_opencl_partition_maximum(device) <= 1 ||
      device->driver->device_info(device->handle, TN_CL_DEVICE_PARTITION_KINDS, sizeof(reported),
                                  reported, NULL) != TN_CL_SUCCESS) {
    return 0;
  }
  for (size_t i = 0; i < KINDS_MAXIMUM; i++) {
    for (size_t kind = TN_PARTITION_EQUALLY; kind < TN_COUNT(kinds); kind++) {
      const bool is_it = reported[i] == kinds[kind];
      bits |=
          is_it && (kind != TN_PARTITION_BY_AFFINITY || tn_opencl_partition_domains(device) != 0)
              ? 1u << kind
              : 0;
    }
  }
  return bits;
}

// {kind, arguments, ends}, owned.
static intptr_t *list_properties(int32_t kind, const size_t *counts, int32_t domain,
                                 size_t capacity) {
  intptr_t *properties = tn_alloc_array(capacity + 3, sizeof(*properties));
  if (!properties) {
    return NULL;
  }
  size_t at = 0;
  properties[at++] = kinds[kind];
  if (kind == TN_PARTITION_BY_COUNTS) {
    for (size_t i = 0; i < capacity; i++) {
      properties[at++] = (intptr_t)counts[i];
    }
    properties[at++] = TN_CL_PARTITION_BY_COUNTS_END;
  } else {
    properties[at++] = kind == TN_PARTITION_EQUALLY ? (intptr_t)counts[0] : domains[domain];
  }
  properties[at] = 0;
  return properties;
}

static tn_status create_part(tn_adapter_device *parent, tn_cl_device handle, int32_t kind,
                             int32_t domain, tn_adapter_device **out, tn_diag *diag) {
  tn_adapter_device *part = tn_alloc(sizeof(*part));
  if (!part) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for sub-devices of %s", parent->name);
  }
  tn_opencl_device_init(part, parent->adapter, parent->platform, handle);
  part->partition_kind = kind;
  part->partition_domain = domain;
  *out = part;
  return TN_OK;
}

static void destroy_part(tn_adapter_device *part) {
  tn_cl_device handle = part->handle;
  const tn_cl_driver *driver = part->driver;
  tn_opencl_end(part);
  (void)driver->device_release(handle);
  tn_free(part);
}

void tn_opencl_part_keep(tn_adapter_device *take_part) {
  tn_adapter_device *part = take_part;
  tn_adapter *adapter = part->adapter;
  part->next_part = atomic_load_explicit(&adapter->parts, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&adapter->parts, &part->next_part, part,
                                                memory_order_release, memory_order_relaxed)) {
  }
}

void tn_opencl_parts_end(tn_adapter *adapter) {
  for (tn_adapter_device *part =
           atomic_exchange_explicit(&adapter->parts, NULL, memory_order_acquire);
       part;) {
    tn_adapter_device *next = part->next_part;
    destroy_part(part);
    part = next;
  }
}

static tn_status create_parts(tn_adapter_device *parent, tn_cl_device *handles, size_t count,
                              int32_t kind, int32_t domain, tn_adapter_device **out,
                              tn_diag *diag) {
  for (size_t i = 0; i < count; i++) {
    const tn_status status = create_part(parent, handles[i], kind, domain, &out[i], diag);
    if (status != TN_OK) {
      for (size_t j = i; j < count; j++) {
        (void)parent->driver->device_release(handles[j]);
      }
      while (i > 0) {
        destroy_part(out[--i]);
      }
      return status;
    }
  }
  for (size_t i = 0; i < count; i++) {
    tn_opencl_part_keep(out[i]);
  }
  return TN_OK;
}

// Equal parts are parts by counts, too: Intel's driver makes no equal one that is all of a device.
static tn_cl_int divide_by_counts(const tn_adapter_device *device, size_t units,
                                  tn_cl_device *handles, size_t capacity, tn_cl_uint *count) {
  size_t *counts = tn_alloc_array(capacity, sizeof(*counts));
  for (size_t i = 0; counts && i < capacity; i++) {
    counts[i] = units;
  }
  intptr_t *properties =
      counts ? list_properties(TN_PARTITION_BY_COUNTS, counts, 0, capacity) : NULL;
  const tn_cl_int result =
      properties ? device->driver->divide(device->handle, properties, (tn_cl_uint)capacity,
                                          handles, count)
                 : TN_CL_OUT_OF_HOST_MEMORY;
  tn_free(properties);
  tn_free(counts);
  return result;
}

tn_status tn_opencl_divide(tn_adapter_device *device, int32_t kind, const size_t *counts,
                           int32_t domain, tn_adapter_device **out, size_t capacity,
                           size_t *out_count, tn_diag *diag) {
  *out_count = 0;
  tn_cl_uint count = 0;
  intptr_t *properties = list_properties(kind, counts, domain, capacity);
  tn_cl_device *handles = tn_alloc_array(capacity, sizeof(tn_cl_device));
  tn_status status =
      properties && handles
          ? TN_OK
          : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for sub-devices of %s", device->name);
  if (status == TN_OK) {
    tn_cl_int result =
        device->driver->divide(device->handle, properties, (tn_cl_uint)capacity, handles, &count);
    if (result == TN_CL_DEVICE_PARTITION_FAILED && kind == TN_PARTITION_EQUALLY) {
      result = divide_by_counts(device, counts[0], handles, capacity, &count);
    }
    status = result == TN_CL_SUCCESS ? TN_OK : tn_opencl_fail(result, device->name, diag);
  }
  if (status == TN_OK) {
    count = count < capacity ? count : (tn_cl_uint)capacity;
    status = create_parts(device, handles, count, kind, domain, out, diag);
  }
  *out_count = status == TN_OK ? count : 0;
  tn_free(properties);
  tn_free(handles);
  return status;
}
