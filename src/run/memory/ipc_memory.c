// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// USM that other processes open, and what this one opened of theirs.
#include "tenon/ipc_memory.h"

#include "base/alloc.h"
#include "base/log.h"
#include "run/memory/usm_table.h"

#include <string.h>
#include <sys/random.h>

enum { UUID_SIZE = 16 };

// What a handle holds; both processes are of one machine.
typedef struct {
  char magic[8];
  uint64_t process;               // a number of the one that it comes from
  uint64_t pointer;               // there
  uint64_t usm_offset, usm_size;  // of the pointer in its allocation
  uint64_t offset;                // of the pointer behind what the driver opens
  unsigned char uuid[UUID_SIZE];
  unsigned char native[TN_ADAPTER_IPC_SIZE];
} handle_data;
_Static_assert(sizeof(handle_data) == TN_IPC_MEMORY_SIZE, "the size that programs know");

static const char magic[8] = {'t', 'e', 'n', 'o', 'n', 'i', 'p', 'c'};

// An allocation that is open, once for each context.
typedef struct opened {
  struct opened *next;
  tn_context *context;  // only compared
  tn_device *device;
  void *base;     // where the driver put it; NULL: it is of this process
  uintptr_t usm;  // where the allocation begins
  size_t size;
  size_t count;
} opened;

static tn_mutex mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static opened *all TN_GUARDED_BY(&mu);

// Random, as numbers of processes are the same in different containers. 0: there is none.
static uint64_t this_process(void) {
  static _Atomic uint64_t number;
  uint64_t made = atomic_load(&number);
  if (made == 0 && getrandom(&made, sizeof(made), 0) == sizeof(made)) {
    uint64_t expected = 0;
    made = atomic_compare_exchange_strong(&number, &expected, made) ? made : expected;
  }
  return made;
}

static tn_status check_device(const tn_device *device, tn_diag *diag) {
  if (!TN_ADAPTER_HAS(device->api, ipc_memory_get)) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "device %s does not share memory with other processes; ask for "
                   "aspect::ext_oneapi_ipc_memory first",
                   device->name);
  }
  return TN_OK;
}

tn_status tn_ipc_memory_get(tn_context *context, void *pointer,
                            unsigned char out_handle[TN_IPC_MEMORY_SIZE], tn_diag *diag) {
  tn_usm_entry found;
  if (context == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_ipc_memory_get: the context is NULL");
  }
  TN_TRY(check_device(tn_context_device_at(context, 0), diag));
  if (!tn_usm_table_find((uintptr_t)pointer, &found) || found.context != context ||
      found.kind != TN_USM_DEVICE || found.origin != TN_USM_ALLOCATED) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "%p is not device USM that was allocated in this process and context: only "
                   "such memory can be shared with other processes",
                   pointer);
  }
  const tn_device *device = found.device;
  handle_data data = {.process = this_process(),
                      .pointer = (uintptr_t)pointer,
                      .usm_offset = (uintptr_t)pointer - found.base,
                      .usm_size = found.size};
  memcpy(data.magic, magic, sizeof(magic));
  TN_TRY(tn_device_get_info(device, TN_DEVICE_INFO_UUID, data.uuid, UUID_SIZE, NULL, diag));
  TN_TRY(device->api->ipc_memory_get(device->adapter_device, pointer, data.native, &data.offset,
                                     diag));
  memcpy(out_handle, &data, sizeof(data));
  return TN_OK;
}

static tn_status read_handle(const tn_device *device, const void *handle, size_t size,
                             handle_data *out, tn_diag *diag) {
  unsigned char uuid[UUID_SIZE];
  if (handle == NULL || size != sizeof(*out) || memcmp(handle, magic, sizeof(magic)) != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "the %zu bytes are no handle of inter-process memory; pass on all that the "
                   "other process got",
                   size);
  }
  memcpy(out, handle, sizeof(*out));
  if (out->usm_offset >= out->usm_size || out->offset < out->usm_offset) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the handle of inter-process memory is damaged");
  }
  TN_TRY(tn_device_get_info(device, TN_DEVICE_INFO_UUID, uuid, UUID_SIZE, NULL, diag));
  if (memcmp(uuid, out->uuid, UUID_SIZE) != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "the inter-process memory is of another device than %s; open it on the device "
                   "that it was allocated on",
                   device->name);
  }
  return TN_OK;
}

static opened **find_opened(const tn_context *context, uintptr_t address) TN_REQUIRES(&mu) {
  opened **at = &all;
  while (*at != NULL && ((*at)->context != context || address - (*at)->usm >= (*at)->size)) {
    at = &(*at)->next;
  }
  return at;
}

// Counts an allocation that is open; the first time with `take_made` and `take_entry`, which may be
// NULL for memory of this process. Frees what it does not need.
static void add(opened *take_made, tn_usm_entry *take_entry) {
  tn_mutex_lock(&mu);
  opened *before = *find_opened(take_made->context, take_made->usm);
  if (before != NULL) {
    before->count++;
  } else {
    take_made->next = all;
    all = take_made;
  }
  tn_mutex_unlock(&mu);
  if (before != NULL) {
    tn_free(take_made);
    tn_free(take_entry);
  } else if (take_entry != NULL) {
    tn_usm_table_add(take_entry);
  }
}

static bool is_own(const handle_data *data, const tn_context *context) {
  tn_usm_entry found;
  return data->process != 0 && data->process == this_process() &&
         tn_usm_table_find((uintptr_t)data->pointer, &found) && found.context == context &&
         found.size == data->usm_size;
}

tn_status tn_ipc_memory_open(tn_context *context, tn_device *device, const void *handle,
                             size_t size, void **out, tn_diag *diag) {
  handle_data data;
  *out = NULL;
  if (context == NULL || device == NULL || !tn_context_has_device(context, device)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "tn_ipc_memory_open: a context is needed, and a device of it");
  }
  device = tn_context_own_device(context, device);
  TN_TRY(check_device(device, diag));
  TN_TRY(read_handle(device, handle, size, &data, diag));
  const bool own = is_own(&data, context);
  opened *made = tn_alloc(sizeof(*made));
  tn_usm_entry *entry = own ? NULL : tn_usm_entry_create();
  tn_status status = TN_OK;
  void *base = NULL;
  if (made == NULL || (!own && entry == NULL)) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory to note inter-process memory");
  } else if (!own) {
    status = device->api->ipc_memory_open(device->adapter_device, data.native, &base, diag);
  }
  if (status != TN_OK) {
    tn_free(made);
    tn_free(entry);
    return status;
  }
  const uintptr_t pointer =
      own ? (uintptr_t)data.pointer : (uintptr_t)base + (uintptr_t)data.offset;
  *made = (opened){.context = context,
                   .device = device,
                   .base = base,
                   .usm = pointer - (uintptr_t)data.usm_offset,
                   .size = (size_t)data.usm_size,
                   .count = 1};
  if (entry != NULL) {
    entry->base = made->usm;
    entry->size = made->size;
    entry->kind = TN_USM_DEVICE;
    entry->context = context;
    entry->device = device;
    entry->origin = TN_USM_OPENED;
  }
  TN_LOG(memory, "inter-process memory at %p on %s", (void *)pointer, device->name);
  add(made, entry);
  *out = (void *)pointer;  // NOLINT(performance-no-int-to-ptr)
  return TN_OK;
}

tn_status tn_ipc_memory_close(tn_context *context, void *pointer, tn_diag *diag) {
  tn_mutex_lock(&mu);
  opened **at = find_opened(context, (uintptr_t)pointer);
  opened *found = *at;
  const opened closed = found != NULL ? *found : (opened){0};
  if (found != NULL && --found->count == 0) {
    *at = found->next;
  } else {
    found = NULL;
  }
  tn_mutex_unlock(&mu);
  if (closed.count == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "%p is not inter-process memory that is open in this context", pointer);
  }
  tn_free(found);
  if (closed.base == NULL) {
    return TN_OK;
  }
  if (found != NULL) {
    tn_free(tn_usm_table_remove(context, closed.usm, TN_USM_OPENED));
  }
  return closed.device->api->ipc_memory_close(closed.device->adapter_device, closed.base, diag);
}
