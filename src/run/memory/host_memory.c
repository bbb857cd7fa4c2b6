// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the program's own that is USM while it is registered.
#include "tenon/host_memory.h"

#include "base/alloc.h"
#include "base/log.h"
#include "run/memory/usm_table.h"

#include <unistd.h>

static tn_status check_context(const tn_context *context, const char *what, tn_diag *diag) {
  if (context == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: the context is NULL", what);
  }
  for (size_t i = 0; i < context->device_count; i++) {
    uint64_t aspects = 0;
    TN_TRY(tn_device_get_info(context->devices[i], TN_DEVICE_INFO_ASPECTS, &aspects,
                              sizeof(aspects), NULL, diag));
    if ((aspects >> TN_ASPECT_REGISTER_HOST_MEMORY & 1u) == 0) {
      return TN_FAIL(diag, UNSUPPORTED,
                     "device %s does not take the host's memory; ask for "
                     "aspect::ext_oneapi_register_host_memory first",
                     context->devices[i]->name);
    }
  }
  return TN_OK;
}

static tn_status check_pages(const void *memory, size_t size, tn_diag *diag) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const uintptr_t begin = (uintptr_t)memory;
  if (begin == 0 || size == 0 || begin % page != 0 || size % page != 0 ||
      size > UINTPTR_MAX - begin) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "%zu bytes at %p cannot be registered: address and size are to be multiples of "
                   "the host's page size, %zu, and not 0",
                   size, memory, page);
  }
  return TN_OK;
}

tn_status tn_usm_register_host(tn_context *context, void *memory, size_t size, uint32_t flags,
                               tn_diag *diag) {
  TN_TRY(check_context(context, "tn_usm_register_host", diag));
  TN_TRY(check_pages(memory, size, diag));
  if ((flags & ~(uint32_t)TN_REGISTER_READ_ONLY) != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_usm_register_host: unknown flags 0x%x", flags);
  }
  tn_device *owner = tn_context_device_at(context, 0);
  tn_usm_entry *entry = tn_usm_entry_create();
  if (entry == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to note %zu bytes of USM memory", size);
  }
  entry->base = (uintptr_t)memory;
  entry->size = size;
  entry->kind = TN_USM_HOST;
  entry->context = context;
  entry->device = owner;
  entry->origin = TN_USM_REGISTERED;
  if (!tn_usm_table_add_apart(entry)) {
    tn_free(entry);
    return TN_FAIL(diag, DEVICE_FAILED,
                   "%zu bytes at %p cannot be registered: some of them are USM already", size,
                   memory);
  }
  const tn_status status =
      TN_ADAPTER_HAS(owner->api, host_register)
          ? owner->api->host_register(owner->adapter_device, memory, size,
                                      (flags & TN_REGISTER_READ_ONLY) != 0, diag)
          : TN_OK;
  if (status != TN_OK) {
    tn_free(tn_usm_table_remove(context, (uintptr_t)memory, TN_USM_REGISTERED));
    return status;
  }
  TN_LOG(memory, "%zu bytes of the host's at %p registered with %s", size, memory, owner->name);
  return TN_OK;
}

tn_status tn_usm_unregister_host(tn_context *context, void *memory, tn_diag *diag) {
  TN_TRY(check_context(context, "tn_usm_unregister_host", diag));
  tn_usm_entry *entry = tn_usm_table_remove(context, (uintptr_t)memory, TN_USM_REGISTERED);
  if (entry == NULL) {
    return TN_FAIL(
        diag, DEVICE_FAILED,
        "%p cannot be unregistered: no memory that is registered with the context begins "
        "there",
        memory);
  }
  const tn_device *owner = entry->device;
  tn_free(entry);
  return TN_ADAPTER_HAS(owner->api, host_unregister)
             ? owner->api->host_unregister(owner->adapter_device, memory, diag)
             : TN_OK;
}
