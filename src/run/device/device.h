// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Platforms, devices and contexts: which adapters there are, and what each device is called.
#ifndef TN_RUN_DEVICE_DEVICE_H
#define TN_RUN_DEVICE_DEVICE_H

#include "base/str.h"
#include "base/thread.h"
#include "tenon/adapter.h"
#include "tenon/compiler.h"
#include "tenon/device.h"

// Immutable after discovery.
struct tn_device {
  const tn_adapter_api *api;          // static
  tn_adapter_device *adapter_device;  // borrowed from the adapter, lives as long
  tn_platform *platform;              // static lifetime
  const char *target;                 // -fsycl-targets= name whose images it takes
  const char *name;                   // owned, for messages
  size_t index;
};

// Immutable after create but for the count, and `user`, which is set once.
struct tn_context {
  tn_ref ref;
  tn_platform *platform;  // static lifetime
  tn_device **devices;    // owned array of static objects
  size_t device_count;
  void *user;                     // the language binding's
  void (*free_user)(void *user);  // optional
};

bool tn_context_has_device(const tn_context *context, const tn_device *device);

// The compile wing's table, loaded on the first call and kept. UNSUPPORTED with the path that was
// tried when libtenon-compiler.so is missing or of another version. Any thread.
TN_MUST_USE tn_status tn_device_get_compiler(const tn_compiler **out, tn_diag *diag);

#endif
