// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts made of the driver's contexts, which the program created.
//
// All that a device has, its programs, memory and queues, is in one context of the driver's. So a
// device is opened once more for each context that is made of a native one: for the runtime these
// are devices like others, which are in no list, and a program sees the listed one in their place.
//
// Invariants
// 1. A device inside a native context is closed when the last context and the last copy of a buffer
//    on it are gone. No command can run on it then.
// 2. The object itself stays for the process: events and kernels of it may be released later.
#include "base/alloc.h"
#include "base/log.h"
#include "run/device/device_list.h"
#include "tenon/native.h"

static _Atomic(void (*)(tn_device *)) forget_device;  // run/program's
static tn_device *_Atomic opened;  // all of them, so that none is lost; linked by next_unlisted

void tn_device_hold(tn_device *device) {
  if (device->listed) {
    tn_ref_up(&device->holders);
  }
}

void tn_device_drop(tn_device *device) {
  if (device->listed && tn_ref_down(&device->holders)) {
    TN_LOG(device, "%s in a native context is closed", device->name);
    void (*forget)(tn_device *) = atomic_load_explicit(&forget_device, memory_order_acquire);
    if (forget) {
      forget(device);
    }
    device->api->native_context_close(device->adapter_device);
  }
}

void tn_device_on_close(const tn_device *device, void (*forget)(tn_device *device)) {
  if (device->listed) {
    atomic_store_explicit(&forget_device, forget, memory_order_release);
  }
}

tn_device *tn_device_listed(tn_device *device) {
  return device && device->listed ? device->listed : device;
}

// The caller is the first holder.
static tn_status open_device(tn_device *listed, uint64_t native, tn_device **out, tn_diag *diag) {
  tn_adapter_device *made = NULL;
  tn_device *device = tn_alloc(sizeof(*device));
  if (!device) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for device %s in a native context",
                   listed->name);
  }
  const tn_status status =
      listed->api->native_context_open(listed->adapter_device, native, &made, diag);
  if (status != TN_OK) {
    tn_free(device);
    return status;
  }
  *device = (tn_device){.api = listed->api,
                        .adapter_device = made,
                        .platform = listed->platform,
                        .target = listed->target,
                        .name = listed->name,
                        .index = listed->index,
                        .listed = listed};
  tn_ref_init(&device->holders);
  device->next_unlisted = atomic_load_explicit(&opened, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&opened, &device->next_unlisted, device,
                                                memory_order_release, memory_order_relaxed)) {
  }
  *out = device;
  return TN_OK;
}

static bool is_of(const tn_device *device, int32_t backend) {
  uint32_t of = 0;
  return tn_device_get_info(device, TN_DEVICE_INFO_BACKEND, &of, sizeof(of), NULL, NULL) == TN_OK &&
         (int32_t)of == backend;
}

// The device that Tenon itself works on in this context; NULL when there is none.
static tn_device *find_own(int32_t backend, uint64_t native, size_t count) {
  for (size_t i = 0; i < count; i++) {
    tn_device *device = tn_device_at(i);
    uint64_t its = 0;
    if (is_of(device, backend) &&
        device->api->native_get(device->adapter_device, TN_NATIVE_CONTEXT, NULL, &its, NULL) ==
            TN_OK &&
        its == native) {
      return device;
    }
  }
  return NULL;
}

// The devices of the list that are in the native context: their opened ones, up to `count`.
static tn_status open_devices(int32_t backend, uint64_t native, size_t count, tn_device **out,
                              size_t *out_count, tn_diag *diag) {
  tn_status status = TN_OK;
  for (size_t i = 0; i < count && status == TN_OK; i++) {
    tn_device *device = tn_device_at(i);
    if (is_of(device, backend) && TN_ADAPTER_HAS(device->api, native_context_open)) {
      status = open_device(device, native, &out[*out_count], diag);
      *out_count += status == TN_OK ? 1 : 0;
      status = status == TN_DEVICE_NOT_FOUND ? TN_OK : status;
    }
  }
  return status == TN_OK && *out_count == 0
             ? TN_FAIL(diag, DEVICE_NOT_FOUND,
                       "make_context: no device of the list is in the native context 0x%llx; see "
                       "ONEAPI_DEVICE_SELECTOR. With CUDA it has to be a device's primary context",
                       (unsigned long long)native)
             : status;
}

tn_status tn_native_make_context(int32_t backend, uint64_t native, tn_context **out,
                                 tn_diag *diag) {
  size_t count = 0;
  *out = NULL;
  if (native == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "make_context: the native context is NULL");
  }
  TN_TRY(tn_device_count(&count, diag));
  tn_device *own = find_own(backend, native, count);
  if (own) {
    return tn_context_create(&own, 1, out, diag);
  }
  tn_device **devices = tn_alloc_array(count + 1, sizeof(*devices));
  if (!devices) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the devices of a native context");
  }
  size_t opened_count = 0;
  tn_status status = open_devices(backend, native, count, devices, &opened_count, diag);
  if (status == TN_OK) {
    status = tn_context_create(devices, opened_count, out, diag);
  }
  for (size_t i = 0; i < opened_count; i++) {
    tn_device_drop(devices[i]);
  }
  tn_free(devices);
  return status;
}
