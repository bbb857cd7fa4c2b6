// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch slots: a static object per kernel in the user's program, whose cache pointer is a list
// with one node per device. Nodes hang on the module, which gives them back when it is gone.
#include "run/program/kernel_slot.h"

#include "base/alloc.h"
#include "base/log.h"
#include "run/program/kernel_lookup.h"
#include "run/program/symbol_text.h"

typedef struct slot_entry {
  tn_slot_node node;
  tn_attachment attachment;
} slot_entry;

static void free_entry(slot_entry *entry) {
  tn_kernel_release(entry->node.kernel);
  tn_free(entry);
}

void tn_kernel_slot_free_all(tn_attachment *attachments) {
  while (attachments) {
    tn_attachment *next = attachments->next;
    free_entry((slot_entry *)((char *)attachments - offsetof(slot_entry, attachment)));
    attachments = next;
  }
}

static tn_status fail_named(const tn_kernel_slot *slot, const char *sentence, tn_diag *diag) {
  tn_buf name;
  tn_buf_init(&name, 1u << 16);
  tn_symbol_text_add(&name, tn_str_from(slot->name));
  const tn_status status = TN_FAIL(diag, KERNEL_NOT_FOUND, "kernel %.400s: %s", tn_buf_text(&name),
                                   sentence);
  tn_buf_deinit(&name);
  return status;
}

static tn_status fail_unregistered(const tn_kernel_slot *slot, tn_diag *diag) {
  return fail_named(slot, tn_registry_lost_count() > 0
                              ? "its module could not be registered, because memory was short when "
                                "it was loaded"
                              : "its module is not registered: it was unloaded, or its constructor "
                                "has not run yet",
                    diag);
}

// Puts the node in front of the list, unless another thread was first with this device or the
// module is gone. Takes the entry over.
static tn_status publish(tn_kernel_slot *slot, tn_registered *registered, slot_entry *entry,
                         tn_kernel **out, tn_diag *diag) {
  void *_Atomic *place = (void *_Atomic *)(void *)&slot->cache;
  for (;;) {
    void *head = atomic_load_explicit(place, memory_order_acquire);
    *out = tn_kernel_slot_peek(slot, entry->node.device);
    if (*out) {
      free_entry(entry);
      return TN_OK;
    }
    entry->node.next = head;
    if (tn_registered_attach(registered, &entry->attachment, head, &entry->node)) {
      *out = entry->node.kernel;
      return TN_OK;
    }
    if (head == atomic_load_explicit(place, memory_order_acquire)) {
      free_entry(entry);
      return fail_unregistered(slot, diag);
    }
  }
}

// `query` with its local name. The caller owns one reference.
static tn_status look_up(const tn_kernel_slot *slot, const tn_kernel_query *query, tn_kernel **out,
                         tn_diag *diag) {
  tn_buf local_name;
  tn_buf_init(&local_name, 1u << 20);
  tn_kernel_local_name(&local_name, tn_str_from(slot->name), slot->unit_id);
  tn_status status = tn_buf_status(&local_name, diag);
  if (status == TN_OK) {
    tn_kernel_query named = *query;
    named.local_name = tn_buf_str(&local_name);
    status = tn_kernel_lookup(&named, out, diag);
  }
  tn_buf_deinit(&local_name);
  return status;
}

static tn_status look_up_and_publish(tn_kernel_slot *slot, tn_registered *registered,
                                     tn_device *device, tn_kernel **out, tn_diag *diag) {
  slot_entry *entry = tn_alloc(sizeof(*entry));
  if (!entry) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to remember a kernel");
  }
  entry->node.device = device;
  entry->attachment.place = &slot->cache;
  const tn_kernel_query query = {.registered = registered, .device = device,
                                 .name = tn_str_from(slot->name)};
  const tn_status status = look_up(slot, &query, &entry->node.kernel, diag);
  if (status != TN_OK) {
    tn_free(entry);
    return status;
  }
  return publish(slot, registered, entry, out, diag);
}

// The slot's module, with a reference for the caller.
static tn_status find_module(const tn_kernel_slot *slot, tn_registered **out, tn_diag *diag) {
  *out = NULL;
  if (!slot->module) {
    return fail_named(slot, "the program has no device code: it was linked without tenon++ -fsycl. "
                      "Link it again with tenon++ -fsycl", diag);
  }
  *out = tn_registry_find(slot->module);
  return *out ? TN_OK : fail_unregistered(slot, diag);
}

static tn_status check_slot(const char *function, const tn_kernel_slot *slot,
                            const tn_device *device, tn_diag *diag) {
  if (!slot || !slot->name || !device) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: the %s is NULL", function,
                   !device ? "device" : !slot ? "slot" : "slot's name");
  }
  return TN_OK;
}

tn_status tn_kernel_from_slot(tn_kernel_slot *slot, tn_device *device, tn_kernel **out,
                              tn_diag *diag) {
  *out = NULL;
  TN_TRY(check_slot("tn_kernel_from_slot", slot, device, diag));
  *out = tn_kernel_slot_peek(slot, device);
  if (*out) {
    return TN_OK;
  }
  TN_LOG(program, "%s: first launch on %s", slot->name, device->name);
  tn_registered *registered = NULL;
  TN_TRY(find_module(slot, &registered, diag));
  const tn_status status = look_up_and_publish(slot, registered, device, out, diag);
  tn_registered_release(registered);
  return status;
}

tn_status tn_kernel_specialize(tn_kernel_slot *slot, tn_device *device, const tn_spec_value *values,
                               size_t count, tn_kernel **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(check_slot("tn_kernel_specialize", slot, device, diag));
  bool complete = count == 0 || values;
  for (size_t i = 0; complete && i < count; i++) {
    complete = values[i].name && values[i].value;
  }
  if (!complete) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a specialization constant has no name or no value: it is NULL");
  }
  tn_registered *registered = NULL;
  TN_TRY(find_module(slot, &registered, diag));
  const tn_kernel_query query = {.registered = registered, .device = device,
                                 .name = tn_str_from(slot->name), .specs = values,
                                 .spec_count = count, .unit_id = slot->unit_id};
  *out = count > 0 ? tn_kernel_find_specialized(&query) : NULL;
  const tn_status status = *out ? TN_OK : look_up(slot, &query, out, diag);
  tn_registered_release(registered);
  return status;
}
