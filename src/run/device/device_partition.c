// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-devices. A way of dividing a device is carried out once and kept for ever, as devices are:
// asking again, from any thread, gives the same sub-devices, and memory stays bounded.
#include "base/alloc.h"
#include "base/log.h"
#include "run/device/device_list.h"
#include "run/device/gate.h"

#include <string.h>

struct tn_division {
  tn_division *next;
  int32_t kind;
  int32_t domain;  // as carried out, not NEXT
  size_t count_count;
  size_t *counts;       // owned; NULL for affinity
  tn_device **devices;  // owned array of owned devices
  size_t device_count;
};

static tn_gate gate = TN_GATE_INIT;

static tn_status get_number(const tn_device *device, int32_t what, uint32_t *out, tn_diag *diag) {
  return tn_device_get_info(device, what, out, sizeof(*out), NULL, diag);
}

static const char *kind_text(int32_t kind) {
  static const char *const texts[] = {"not at all", "equally", "by counts", "by affinity domain"};
  return kind >= 0 && (size_t)kind < TN_COUNT(texts) ? texts[kind] : "in an unknown way";
}

static const char *domain_text(int32_t domain) {
  static const char *const texts[] = {"none",      "NUMA nodes", "L4 caches",       "L3 caches",
                                      "L2 caches", "L1 caches",  "any of its parts"};
  return domain >= 0 && (size_t)domain < TN_COUNT(texts) ? texts[domain] : "an unknown domain";
}

static tn_status check_kind(const tn_device *device, int32_t kind, tn_diag *diag) {
  uint32_t kinds = 0;
  TN_TRY(get_number(device, TN_DEVICE_INFO_PARTITION_KINDS, &kinds, diag));
  if (kind < TN_PARTITION_EQUALLY || kind > TN_PARTITION_BY_AFFINITY || (kinds >> kind & 1) == 0) {
    uint32_t units = 0;
    TN_TRY(get_number(device, TN_DEVICE_INFO_MAX_COMPUTE_UNITS, &units, diag));
    return TN_FAIL(diag, UNSUPPORTED,
                   "device %s with %u compute units cannot be divided %s; "
                   "info::device::partition_properties lists what it can",
                   device->name, units, kind_text(kind));
  }
  return TN_OK;
}

static tn_status fail_units(const tn_device *device, size_t wanted, uint32_t units, tn_diag *diag) {
  return TN_FAIL(diag, INVALID_ARGUMENT,
                 "sub-devices with %zu compute units in all were asked for, but device %s has %u",
                 wanted, device->name, units);
}

static tn_status plan_equally(const tn_device *device, const tn_partition *how, uint32_t units,
                              tn_division *plan, tn_diag *diag) {
  if (how->count_count != 1 || how->counts[0] == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "dividing device %s equally needs the number of compute units of each "
                   "sub-device, at least 1",
                   device->name);
  }
  if (how->counts[0] > units) {
    return fail_units(device, how->counts[0], units, diag);
  }
  plan->count_count = units / how->counts[0];
  for (size_t i = 0; i < plan->count_count; i++) {
    plan->counts[i] = how->counts[0];
  }
  return TN_OK;
}

static tn_status plan_counts(const tn_device *device, const tn_partition *how, uint32_t units,
                             tn_division *plan, tn_diag *diag) {
  size_t total = 0;
  for (size_t i = 0; i < how->count_count; i++) {
    if (__builtin_add_overflow(total, how->counts[i], &total) || total > units) {
      return fail_units(device, total > how->counts[i] ? total : how->counts[i], units, diag);
    }
    if (how->counts[i] > 0) {
      plan->counts[plan->count_count++] = how->counts[i];
    }
  }
  return TN_OK;
}

static tn_status plan_affinity(const tn_device *device, const tn_partition *how, tn_division *plan,
                               tn_diag *diag) {
  uint32_t domains = 0;
  TN_TRY(get_number(device, TN_DEVICE_INFO_PARTITION_DOMAINS, &domains, diag));
  int32_t domain = how->domain;
  if (domain < TN_AFFINITY_NUMA || domain > TN_AFFINITY_NEXT || (domains >> domain & 1) == 0) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "device %s cannot be divided by %s: it would not give two sub-devices; "
                   "info::device::partition_affinity_domains lists what would",
                   device->name, domain_text(domain));
  }
  if (domain == TN_AFFINITY_NEXT) {
    for (domain = TN_AFFINITY_NUMA; (domains >> domain & 1) == 0; domain++) {
    }
  }
  plan->domain = domain;
  return TN_OK;
}

static void free_plan(tn_division *plan) {
  tn_free(plan->counts);
  tn_free(plan->devices);
  tn_free(plan);
}

// What is to be made, with room for as many devices as there are compute units. Owned.
static tn_status make_plan(const tn_device *device, const tn_partition *how, tn_division **out,
                           tn_diag *diag) {
  uint32_t units = 0;
  TN_TRY(check_kind(device, how->kind, diag));
  TN_TRY(get_number(device, TN_DEVICE_INFO_MAX_COMPUTE_UNITS, &units, diag));
  tn_division *plan = tn_alloc(sizeof(*plan));
  if (plan) {
    plan->counts = tn_alloc_array(units, sizeof(*plan->counts));
    plan->devices = tn_alloc_array(units, sizeof(tn_device *));
  }
  if (!plan || !plan->counts || !plan->devices) {
    if (plan) {
      free_plan(plan);
    }
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for sub-devices of %s", device->name);
  }
  plan->kind = how->kind;
  plan->device_count = units;
  tn_status status = TN_OK;
  if (how->kind == TN_PARTITION_EQUALLY) {
    status = plan_equally(device, how, units, plan, diag);
  } else if (how->kind == TN_PARTITION_BY_COUNTS) {
    status = plan_counts(device, how, units, plan, diag);
  } else {
    status = plan_affinity(device, how, plan, diag);
  }
  if (status != TN_OK) {
    free_plan(plan);
    return status;
  }
  *out = plan;
  return TN_OK;
}

// By what is asked for, so that both numa and next_partitionable may name one division.
static tn_division *find_division(const tn_device *device, const tn_division *plan) {
  tn_division *division = device->divisions;
  while (division && (division->kind != plan->kind || division->domain != plan->domain ||
                      division->count_count != plan->count_count ||
                      (plan->count_count > 0 && memcmp(division->counts, plan->counts,
                                                       plan->count_count * sizeof(size_t)) != 0))) {
    division = division->next;
  }
  return division;
}

static tn_device *create_sub_device(tn_device *parent, tn_adapter_device *adapter_device) {
  tn_device *device = tn_alloc(sizeof(*device));
  char *name = tn_str_copy(tn_str_from(parent->name));
  if (!device || !name) {
    tn_free(device);
    tn_free(name);
    return NULL;
  }
  *device = (tn_device){.api = parent->api,
                        .adapter_device = adapter_device,
                        .platform = parent->platform,
                        .target = parent->target,
                        .name = name,
                        .index = parent->index,
                        .parent = parent};
  return device;
}

static void destroy_sub_devices(tn_division *plan, size_t count) {
  for (size_t i = 0; i < count; i++) {
    tn_free((void *)(uintptr_t)plan->devices[i]->name);
    tn_free(plan->devices[i]);
  }
}

static tn_status carry_out(tn_device *device, tn_division *plan, tn_diag *diag) {
  const bool by_counts = plan->kind != TN_PARTITION_BY_AFFINITY;
  const size_t capacity = by_counts ? plan->count_count : plan->device_count;
  plan->device_count = 0;
  if (capacity == 0) {
    return TN_OK;
  }
  tn_adapter_device **parts = tn_alloc_array(capacity, sizeof(tn_adapter_device *));
  if (!parts) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for sub-devices of %s", device->name);
  }
  size_t count = 0;
  tn_status status = device->api->device_divide(device->adapter_device, plan->kind,
                                                by_counts ? plan->counts : NULL, plan->domain,
                                                parts, capacity, &count, diag);
  for (size_t i = 0; i < count && status == TN_OK; i++) {
    plan->devices[i] = create_sub_device(device, parts[i]);
    if (!plan->devices[i]) {
      destroy_sub_devices(plan, i);
      status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for sub-devices of %s", device->name);
    }
  }
  tn_free(parts);
  plan->device_count = status == TN_OK ? count : 0;
  return status;
}

// Takes the plan over. The calling thread is alone.
static tn_status find_or_carry_out(tn_device *device, tn_division *take_plan, tn_division **out,
                                   tn_diag *diag) {
  *out = find_division(device, take_plan);
  const tn_status status = *out ? TN_OK : carry_out(device, take_plan, diag);
  if (*out || status != TN_OK) {
    free_plan(take_plan);
    return status;
  }
  TN_LOG(device, "%s is divided %s into %zu", device->name, kind_text(take_plan->kind),
         take_plan->device_count);
  take_plan->next = device->divisions;
  device->divisions = take_plan;
  *out = take_plan;
  return TN_OK;
}

tn_status tn_device_partition(tn_device *device, const tn_partition *how, tn_device *const **out,
                              size_t *out_count, tn_diag *diag) {
  *out = NULL;
  *out_count = 0;
  if (!device || !how || (how->count_count > 0 && !how->counts)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "tn_device_partition: the device, how to divide it, or "
                   "the counts are NULL");
  }
  tn_division *plan = NULL;
  TN_TRY(make_plan(device, how, &plan, diag));
  tn_division *division = NULL;
  tn_gate_enter(&gate);
  const tn_status status = find_or_carry_out(device, plan, &division, diag);
  tn_gate_leave(&gate);
  if (status == TN_OK) {
    *out = division->devices;
    *out_count = division->device_count;
  }
  return status;
}

void tn_device_forget_divisions(tn_device *device) {
  while (device->divisions) {
    tn_division *division = device->divisions;
    device->divisions = division->next;
    for (size_t i = 0; i < division->device_count; i++) {
      tn_device_forget_divisions(division->devices[i]);
    }
    destroy_sub_devices(division, division->device_count);
    free_plan(division);
  }
}
