// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch slots: a static object per kernel in the user's program, whose cache pointer is a list
// with a node per device, and one per shape of work-groups where code is for some only. Nodes hang
// on the module, which gives them back when it is gone.
//
// With values for specialization constants, which may be many and each used once, a cache of
// kernels stands in the list's place: {kernel name, values as a launch gives them} → {module,
// options, device}. Who builds one may wait for a program, never the other way round.
#include "run/program/kernel_slot.h"

#include "base/alloc.h"
#include "base/config.h"
#include "base/log.h"
#include "run/cache/cache.h"
#include "run/program/spec_values.h"
#include "run/program/symbol_text.h"

enum { SPECIALIZED_MAXIMUM = 1024, SHORT_KEY = 1024 };

static void retain_value(void *value) { tn_kernel_retain(value); }
static void release_value(void *value) { tn_kernel_release(value); }
static const tn_cache_ops specialized_ops = {"specialized kernel", retain_value, release_value,
                                             false};
static tn_cache specialized = TN_CACHE_INIT(&specialized_ops, SPECIALIZED_MAXIMUM);

typedef struct slot_entry {
  tn_slot_node node;
  tn_attachment attachment;
  struct slot_entry *next_closable;
} slot_entry;

// Nodes of devices that may be closed. The launch path reads a node's kernel only for its device,
// so that of a closed device is not read any more.
static tn_mutex closable_mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static slot_entry *closable TN_GUARDED_BY(&closable_mu);

static void add_closable(slot_entry *entry) {
  if (entry->node.device->listed) {
    tn_mutex_lock(&closable_mu);
    entry->next_closable = closable;
    closable = entry;
    tn_mutex_unlock(&closable_mu);
  }
}

static void remove_closable(const slot_entry *entry) {
  if (entry->node.device->listed) {
    tn_mutex_lock(&closable_mu);
    for (slot_entry **link = &closable; *link; link = &(*link)->next_closable) {
      if (*link == entry) {
        *link = entry->next_closable;
        break;
      }
    }
    tn_mutex_unlock(&closable_mu);
  }
}

static tn_kernel *take_closable(const tn_device *device) {
  tn_kernel *kernel = NULL;
  tn_mutex_lock(&closable_mu);
  for (slot_entry *entry = closable; entry && !kernel; entry = entry->next_closable) {
    if (entry->node.device == device) {
      kernel = entry->node.kernel;
      entry->node.kernel = NULL;
    }
  }
  tn_mutex_unlock(&closable_mu);
  return kernel;
}

void tn_kernel_slot_forget_device(const tn_device *device) {
  tn_cache_forget_device(&specialized, device);
  for (tn_kernel *kernel = take_closable(device); kernel; kernel = take_closable(device)) {
    tn_kernel_release(kernel);
  }
}

static void free_entry(slot_entry *entry) {
  remove_closable(entry);
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
  const tn_status status =
      TN_FAIL(diag, KERNEL_NOT_FOUND, "kernel %.400s: %s", tn_buf_text(&name), sentence);
  tn_buf_deinit(&name);
  return status;
}

static tn_status fail_unregistered(const tn_kernel_slot *slot, tn_diag *diag) {
  return fail_named(slot,
                    tn_registry_lost_count() > 0
                        ? "its module could not be registered, because memory was short when "
                          "it was loaded"
                        : "its module is not registered: it was unloaded, or its constructor "
                          "has not run yet",
                    diag);
}

// A node of a device that was closed has no kernel; another device may lie where that one did.
static tn_kernel *find_suiting(tn_kernel_slot *slot, const tn_device *device,
                               uint32_t group_shape) {
  const tn_slot_node *node =
      atomic_load_explicit((tn_slot_node * _Atomic *)(void *)&slot->cache, memory_order_acquire);
  while (node && (node->device != device || !node->kernel ||
                  !tn_kernel_suits(node->kernel, group_shape))) {
    node = node->next;
  }
  return node ? node->kernel : NULL;
}

// Puts a node in front of the list, unless another thread was first with such a one or the module
// is gone. Takes the kernel over.
static tn_status publish(tn_kernel_slot *slot, tn_registered *registered, tn_device *device,
                         uint32_t group_shape, tn_kernel *kernel, tn_kernel **out,
                         tn_diag *diag) {
  slot_entry *entry = tn_alloc(sizeof(*entry));
  if (!entry) {
    tn_kernel_release(kernel);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to remember a kernel");
  }
  entry->node.device = device;
  entry->node.kernel = kernel;
  entry->attachment.place = &slot->cache;
  void *_Atomic *place = (void *_Atomic *)(void *)&slot->cache;
  add_closable(entry);
  for (;;) {
    void *head = atomic_load_explicit(place, memory_order_acquire);
    *out = find_suiting(slot, entry->node.device, group_shape);
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

// The slot's module, with a reference for the caller.
static tn_status find_module(const tn_kernel_slot *slot, tn_registered **out, tn_diag *diag) {
  *out = NULL;
  if (!slot->module) {
    return fail_named(slot,
                      "the program has no device code: it was linked without tenon++ -fsycl. "
                      "Link it again with tenon++ -fsycl",
                      diag);
  }
  *out = tn_registry_find(slot->module);
  return *out ? TN_OK : fail_unregistered(slot, diag);
}

static tn_status check_slot(const char *function, const tn_kernel_slot *slot,
                            const tn_device *device, tn_diag *diag) {
  if (!slot || !slot->name || !device) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: the %s is NULL", function,
                   !device ? "device"
                   : !slot ? "slot"
                           : "slot's name");
  }
  return TN_OK;
}

// The request for a kernel of the slot. The caller frees `local_name`.
static tn_status describe(const tn_kernel_slot *slot, tn_registered *registered, tn_device *device,
                          tn_buf *local_name, tn_program_request *out, tn_diag *diag) {
  tn_buf_init(local_name, 1u << 20);
  tn_kernel_local_name(local_name, tn_str_from(slot->name), slot->unit_id);
  *out = (tn_program_request){.image = {registered, TN_IMAGE_OF_KERNEL},
                              .device = device,
                              .kernel = tn_str_from(slot->name),
                              .local_kernel = tn_buf_str(local_name)};
  return tn_buf_status(local_name, diag);
}

static tn_status find(tn_kernel_slot *slot, tn_device *device, uint32_t group_shape,
                      tn_kernel **out, tn_diag *diag) {
  *out = find_suiting(slot, device, group_shape);
  if (*out) {
    return TN_OK;
  }
  TN_LOG(program, "%s: first launch on %s", slot->name, device->name);
  tn_registered *registered = NULL;
  TN_TRY(find_module(slot, &registered, diag));
  tn_kernel *kernel = NULL;
  tn_buf local_name;
  tn_program_request request;
  tn_status status = describe(slot, registered, device, &local_name, &request, diag);
  request.group_shape = group_shape;
  if (status == TN_OK) {
    status = tn_kernel_get(&request, &kernel, diag);
  }
  if (status == TN_OK) {
    status = publish(slot, registered, device, group_shape, kernel, out, diag);
  }
  tn_buf_deinit(&local_name);
  tn_registered_release(registered);
  return status;
}

tn_status tn_kernel_from_slot(tn_kernel_slot *slot, tn_device *device, tn_kernel **out,
                              tn_diag *diag) {
  *out = NULL;
  TN_TRY(check_slot("tn_kernel_from_slot", slot, device, diag));
  return find(slot, device, 0, out, diag);
}

// What is launched over a range has no barriers, mostly; other kernels of its image are compiled
// with it, for the work-groups that are the most frequent.
tn_status tn_kernel_for_launch(tn_kernel_slot *slot, tn_device *device, uint32_t dims,
                               const uint64_t *local, tn_kernel **out, tn_diag *diag) {
  static const uint64_t usual[1] = {256};
  *out = NULL;
  TN_TRY(check_slot("tn_kernel_for_launch", slot, device, diag));
  const uint32_t shape = tn_group_shape(device, local ? dims : 1, local ? local : usual);
  TN_TRY(find(slot, device, shape, out, diag));
  return local || !(*out)->is_partial ? TN_OK : find(slot, device, 0, out, diag);
}

// A launch with values.
typedef struct specialization {
  const tn_kernel_slot *slot;
  tn_registered *registered;
  tn_device *device;
  const tn_spec_value *values;
  size_t count;
} specialization;

// Kernel and values as they were given. In `few` where it fits, else the caller frees it; NULL when
// there is no memory.
static char *make_key(const specialization *asked, char *few, size_t few_size, tn_cache_key *out) {
  const tn_str name = tn_str_from(asked->slot->name);
  const uint64_t unit_id = asked->slot->unit_id;
  const size_t values = tn_spec_values_key_size(asked->values, asked->count);
  const size_t size = name.size + 1 + sizeof(unit_id) + values;
  char *text = size <= few_size ? few : tn_alloc(size);
  if (!text) {
    return NULL;
  }
  memcpy(text, name.data, name.size + 1);
  memcpy(text + name.size + 1, &unit_id, sizeof(unit_id));
  tn_spec_values_key_write(asked->values, asked->count, text + size - values);
  *out = (tn_cache_key){.name = {text, size},
                        .module = tn_registered_id(asked->registered),
                        .options = tn_config_get()->opt_level,
                        .device = asked->device};
  return text;
}

static tn_status build_specialized(void *user, void **out, tn_diag *diag) {
  const specialization *asked = user;
  tn_kernel *kernel = NULL;
  tn_buf local_name;
  tn_program_request request;
  tn_status status =
      describe(asked->slot, asked->registered, asked->device, &local_name, &request, diag);
  request.specs = asked->values;
  request.spec_count = asked->count;
  if (status == TN_OK) {
    status = tn_kernel_get(&request, &kernel, diag);
  }
  tn_buf_deinit(&local_name);
  *out = kernel;
  return status;
}

// What the very same values gave before: no image is read for it.
static tn_status find_or_build(specialization *asked, tn_kernel **out, tn_diag *diag) {
  char few[SHORT_KEY];
  tn_cache_key key;
  char *text = make_key(asked, few, sizeof(few), &key);
  if (!text) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to look a kernel up");
  }
  void *kernel = NULL;
  const tn_status status =
      tn_cache_get(&specialized, &key, key.module, build_specialized, asked, &kernel, diag);
  if (text != few) {
    tn_free(text);
  }
  *out = kernel;
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
  specialization asked = {.slot = slot, .device = device, .values = values, .count = count};
  TN_TRY(find_module(slot, &asked.registered, diag));
  const tn_status status = find_or_build(&asked, out, diag);
  tn_registered_release(asked.registered);
  return status;
}

void tn_kernel_slot_forget(uint64_t module) { tn_cache_forget(&specialized, module); }
