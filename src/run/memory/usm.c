// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// USM: allocations through the adapter, each remembered with its context.
#include "base/alloc.h"
#include "base/log.h"
#include "run/memory/usm_table.h"

// The size of OpenCL's largest type, to which its drivers align; programs take it for granted.
enum { DEFAULT_ALIGNMENT = 128 };

static const char *kind_name(int32_t kind) {
  static const char *const names[] = {"host", "device", "shared"};
  return kind >= TN_USM_HOST && kind <= TN_USM_SHARED ? names[kind] : "unknown";
}

tn_status tn_usm_check_alloc(const tn_context *context, const tn_device *device, int32_t kind,
                             size_t alignment, tn_diag *diag) {
  if (context == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "USM memory needs a context, but it is NULL");
  }
  if (kind < TN_USM_HOST || kind > TN_USM_SHARED) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "%d is no kind of USM memory (TN_USM_HOST, DEVICE or "
                   "SHARED)",
                   (int)kind);
  }
  if ((alignment & (alignment - 1)) != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "the alignment of USM memory must be a power of two, and %zu is none",
                   alignment);
  }
  if (kind != TN_USM_HOST && device == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "USM %s memory needs a device, but it is NULL",
                   kind_name(kind));
  }
  if (device != NULL && !tn_context_has_device(context, device)) {
    return TN_FAIL(diag, WRONG_CONTEXT,
                   "USM %s memory: device %s is not in the context; use one of the context's",
                   kind_name(kind), device->name);
  }
  return TN_OK;
}

tn_status tn_usm_alloc(tn_context *context, tn_device *device, int32_t kind, size_t size,
                       size_t alignment, void **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(tn_usm_check_alloc(context, device, kind, alignment, diag));
  device = device != NULL ? tn_context_own_device(context, device) : NULL;
  if (size == 0) {
    return TN_OK;
  }
  tn_device *owner = device != NULL ? device : tn_context_device_at(context, 0);
  if (!TN_ADAPTER_HAS(owner->api, memory_alloc)) {
    return TN_FAIL(diag, UNSUPPORTED, "device %s has no USM %s memory", owner->name,
                   kind_name(kind));
  }
  tn_usm_entry *entry = tn_usm_entry_create();
  if (entry == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to note %zu bytes of USM memory", size);
  }
  void *memory = NULL;
  alignment = alignment != 0 ? alignment : DEFAULT_ALIGNMENT;
  const tn_status status =
      owner->api->memory_alloc(owner->adapter_device, kind, size, alignment, &memory, diag);
  if (status != TN_OK) {
    tn_free(entry);
    return status;
  }
  entry->base = (uintptr_t)memory;
  entry->size = size;
  entry->kind = kind;
  entry->context = context;
  entry->device = owner;
  tn_usm_table_add(entry);
  TN_LOG(memory, "%zu bytes of USM %s memory at %p on %s", size, kind_name(kind), memory,
         owner->name);
  *out = memory;
  return TN_OK;
}

static tn_status fail_free(tn_context *context, void *memory, tn_diag *diag) {
  tn_usm_entry found;
  if (!tn_usm_table_find((uintptr_t)memory, &found)) {
    return TN_FAIL(
        diag, INVALID_ARGUMENT,
        "%p is not USM memory, or was freed already; only pointers from a USM allocation "
        "can be freed",
        memory);
  }
  if (found.context != context) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "%p is USM memory of another context; free it with the context it was allocated "
                   "in",
                   memory);
  }
  if (found.origin == TN_USM_REGISTERED) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "%p is the program's own memory, which is registered; unregister it "
                   "(unregister_host_memory, tn_usm_unregister_host)",
                   memory);
  }
  if (found.origin == TN_USM_OPENED) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "%p is memory of another process; close it (ipc::memory::close, "
                   "tn_ipc_memory_close)",
                   memory);
  }
  return TN_FAIL(diag, INVALID_ARGUMENT,
                 "%p lies %zu bytes inside a USM allocation; free the pointer the allocation gave",
                 memory, (size_t)((uintptr_t)memory - found.base));
}

tn_status tn_usm_free(tn_context *context, void *memory, tn_diag *diag) {
  if (memory == NULL) {
    return TN_OK;
  }
  tn_usm_entry *entry = tn_usm_table_remove(context, (uintptr_t)memory, TN_USM_ALLOCATED);
  if (entry == NULL) {
    return fail_free(context, memory, diag);
  }
  entry->device->api->memory_free(entry->device->adapter_device, entry->kind, memory);
  tn_free(entry);
  return TN_OK;
}

// Memory that the program got from a device's driver itself is as good as USM there.
static void find_foreign(const tn_context *context, const void *pointer, tn_usm_info *out) {
  for (size_t i = 0; i < context->device_count && out->kind == TN_USM_UNKNOWN; i++) {
    tn_device *device = context->devices[i];
    out->kind = device->api->memory_kind(device->adapter_device, pointer);
    out->device = out->kind == TN_USM_DEVICE || out->kind == TN_USM_SHARED ? device : NULL;
  }
}

tn_status tn_usm_query(tn_context *context, const void *pointer, tn_usm_info *out, tn_diag *diag) {
  *out = (tn_usm_info){.kind = TN_USM_UNKNOWN};
  if (context == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a USM pointer is looked up in a context, but it is NULL");
  }
  tn_usm_entry found;
  if (tn_usm_table_find((uintptr_t)pointer, &found) && found.context == context) {
    out->kind = found.kind;
    out->device = found.kind != TN_USM_HOST ? found.device : NULL;
    out->base = (void *)found.base;  // NOLINT(performance-no-int-to-ptr)
    out->size = found.size;
  } else if (pointer != NULL && !tn_usm_table_find((uintptr_t)pointer, &found)) {
    find_foreign(context, pointer, out);
  }
  return TN_OK;
}

// Memory that this process has may also be at other addresses when it was opened or registered.
bool tn_usm_find_allocation(const void *pointer, uintptr_t *out_begin, size_t *out_size) {
  const uintptr_t address = (uintptr_t)pointer;
  tn_usm_entry found;
  tn_usm_entry before;
  if (!tn_usm_table_find(address, &found) || found.origin != TN_USM_ALLOCATED ||
      (found.base == address && tn_usm_table_find(address - 1, &before))) {
    return false;
  }
  *out_begin = found.base;
  *out_size = found.size;
  return true;
}

tn_status tn_usm_check_range(const tn_context *context, const char *what, const void *memory,
                             size_t size, tn_diag *diag) {
  tn_usm_entry found;
  if (!tn_usm_table_find((uintptr_t)memory, &found)) {
    return TN_OK;
  }
  // A device's memory is the same in all of its contexts.
  if (found.context != context && found.kind != TN_USM_HOST &&
      !tn_context_has_device(context, found.device)) {
    return TN_FAIL(diag, WRONG_CONTEXT,
                   "the %s %p is USM memory of another context, of '%s', which the queue's context "
                   "does not have; use memory of the queue's context, or a queue of the memory's",
                   what, memory, found.device->name);
  }
  const size_t offset = (uintptr_t)memory - found.base;
  if (size > found.size - offset) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "the %s %p lies at byte %zu of a USM allocation of %zu bytes, so %zu bytes from "
                   "there end beyond it; use at most %zu",
                   what, memory, offset, found.size, size, found.size - offset);
  }
  return TN_OK;
}
