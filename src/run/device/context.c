// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts: sets of devices of one platform that share memory objects.
#include "run/device/device_list.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/weak.h"
#include "tenon/native.h"
#include "tenon/weak.h"

static tn_status check_devices(tn_device *const *devices, size_t count, tn_diag *diag) {
  if (count == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a context needs at least one device: the list is empty");
  }
  if (!devices) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "a context needs at least one device");
  }
  for (size_t i = 0; i < count; i++) {
    if (!devices[i]) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "a context's device %zu is NULL", i);
    }
    if (devices[i]->platform != devices[0]->platform) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "a context has devices of one platform only: %s is of "
                     "%s and %s is of %s", devices[0]->name, devices[0]->api->name,
                     devices[i]->name, devices[i]->api->name);
    }
  }
  return TN_OK;
}

static tn_device *find_device(const tn_context *context, const tn_device *device) {
  for (size_t i = 0; i < context->device_count; i++) {
    tn_device *own = context->devices[i];
    if (tn_device_is(own, device)) {
      return own;
    }
  }
  return NULL;
}

tn_status tn_context_create(tn_device *const *devices, size_t count, tn_context **out,
                            tn_diag *diag) {
  *out = NULL;
  TN_TRY(check_devices(devices, count, diag));
  tn_context *context = tn_alloc(sizeof(*context));
  tn_device **copy = tn_alloc_array(count, sizeof(tn_device *));
  if (!context || !copy) {
    tn_free(context);
    tn_free(copy);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a context of %zu devices", count);
  }
  tn_ref_init(&context->ref);
  context->platform = devices[0]->platform;
  context->devices = copy;
  // A device named twice is there once.
  for (size_t i = 0; i < count; i++) {
    if (!find_device(context, devices[i])) {
      tn_device_hold(devices[i]);
      copy[context->device_count++] = devices[i];
    }
  }
  TN_LOG(device, "context %p of %zu devices", (void *)context, context->device_count);
  *out = context;
  return TN_OK;
}

// The first to finish wins; the others' contexts go again.
tn_status tn_context_default(tn_platform *platform, tn_context **out, tn_diag *diag) {
  *out = NULL;
  if (!platform) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_context_default: the platform is NULL");
  }
  tn_context *context = atomic_load_explicit(&platform->default_context, memory_order_acquire);
  if (!context) {
    TN_TRY(tn_context_create(platform->devices, platform->device_count, &context, diag));
    tn_context *expected = NULL;
    if (!atomic_compare_exchange_strong_explicit(&platform->default_context, &expected, context,
                                                 memory_order_acq_rel, memory_order_acquire)) {
      tn_context_release(context);
      context = expected;
    }
  }
  *out = context;
  return TN_OK;
}

void tn_context_retain(tn_context *context) {
  if (context) {
    tn_ref_up(&context->ref);
  }
}

struct tn_end_call {
  struct tn_end_call *before;
  void (*function)(void *data);
  void *data;
};

tn_status tn_native_at_end(tn_context *context, void (*function)(void *data), void *data,
                           tn_diag *diag) {
  if (!context || !function) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_native_at_end: the %s is NULL",
                   context ? "function" : "context");
  }
  struct tn_end_call *call = tn_alloc(sizeof(*call));
  if (!call) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a function to call at a context's end");
  }
  call->function = function;
  call->data = data;
  call->before = atomic_load_explicit(&context->at_end, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&context->at_end, &call->before, call,
                                                memory_order_release, memory_order_relaxed)) {
  }
  return TN_OK;
}

// In the order of their registration.
static void call_at_end(tn_context *context) {
  struct tn_end_call *last = atomic_load_explicit(&context->at_end, memory_order_acquire);
  struct tn_end_call *first = NULL;
  while (last) {
    struct tn_end_call *before = last->before;
    last->before = first;
    first = last;
    last = before;
  }
  while (first) {
    struct tn_end_call *done = first;
    done->function(done->data);
    first = done->before;
    tn_free(done);
  }
}

void tn_context_release(tn_context *context) {
  if (context && tn_ref_down(&context->ref)) {
    call_at_end(context);
    if (context->free_pools) {
      context->free_pools(context);
    }
    if (context->free_user) {
      context->free_user(context->user);
    }
    if (context->free_reporter) {
      context->free_reporter(context->reporter);
    }
    for (size_t i = 0; i < context->device_count; i++) {
      tn_device_drop(context->devices[i]);
    }
    tn_free(context->devices);
    tn_free(context);
  }
}

static void release(void *object) {
  tn_context_release(object);
}

tn_weak *tn_context_weak(tn_context *context) {
  static const tn_weak_type type = {.release = release};
  return context ? tn_weak_of(&context->ref, context, &type, NULL) : NULL;
}

size_t tn_context_device_count(const tn_context *context) {
  return context->device_count;
}

tn_device *tn_context_device_at(const tn_context *context, size_t index) {
  return index < context->device_count ? context->devices[index] : NULL;
}

tn_platform *tn_context_platform(const tn_context *context) {
  return context->platform;
}

void tn_context_set_user(tn_context *context, void *user, void (*free_user)(void *user)) {
  context->user = user;
  context->free_user = free_user;
}

void *tn_context_user(const tn_context *context) {
  return context->user;
}

void tn_context_set_reporter(tn_context *context, void *reporter,
                             void (*free_reporter)(void *reporter)) {
  context->reporter = reporter;
  context->free_reporter = free_reporter;
}

// A sub-device has a native context of its own, so that it is in none that the program made.
tn_device *tn_context_own_device(const tn_context *context, tn_device *device) {
  for (tn_device *at = device; at; at = at->parent) {
    tn_device *own = find_device(context, at);
    if (own) {
      return at == device ? own : own->listed ? NULL : device;
    }
  }
  return NULL;
}

bool tn_context_has_device(const tn_context *context, const tn_device *device) {
  return tn_context_own_device(context, (tn_device *)(uintptr_t)device) != NULL;
}
