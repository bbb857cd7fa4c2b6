// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Platforms, devices and contexts: which adapters there are, and what each device is called.
#ifndef TN_RUN_DEVICE_DEVICE_H
#define TN_RUN_DEVICE_DEVICE_H

#include "base/buf.h"
#include "base/store.h"
#include "base/thread.h"
#include "tenon/adapter.h"
#include "tenon/compiler.h"
#include "tenon/device.h"

typedef struct tn_division tn_division;

// Immutable after discovery, but for `divisions`.
struct tn_device {
  const tn_adapter_api *api;          // static; complete: every slot may be called
  tn_adapter_device *adapter_device;  // borrowed from the adapter, lives as long
  tn_platform *platform;              // static lifetime
  const char *target;                 // -fsycl-targets= name whose images it takes
  const char *name;                   // owned, for messages
  size_t index;
  tn_device *next_unlisted;
  tn_device *parent;       // static lifetime; NULL: not a sub-device
  tn_division *divisions;  // owned; guarded by the gate of device_partition.c
  // Of a device inside a context of the driver's that the program made (native_context.c): the
  // device of the list, and how many contexts and copies of buffers use it. NULL for others.
  tn_device *listed;
  tn_ref holders;
};

// Immutable after create but for the count, and `user` and `reporter`, which are set once.
struct tn_context {
  tn_ref ref;
  tn_platform *platform;  // static lifetime
  tn_device **devices;    // owned array of static objects
  size_t device_count;
  void *user;                     // the language binding's
  void (*free_user)(void *user);  // optional
  void *reporter;                 // the language binding's, for queues without their own
  void (*free_reporter)(void *reporter);  // optional
  void (*free_pools)(tn_context *context);  // run/sched's: its own memory pools; NULL without any
  _Atomic(struct tn_end_call *) at_end;     // owned; the last one registered first
};

// What a table has where an adapter left a slot out: a function that answers UNSUPPORTED, or does
// nothing where the header says that the slot is optional.
extern const tn_adapter_api tn_adapter_defaults;
// Whether the adapter itself has the slot: for plans that differ without it. Of slots that are
// optional all together, one stands for all.
#define TN_ADAPTER_HAS(api, slot) ((api)->slot != tn_adapter_defaults.slot)
// The adapter's table, of whatever size, with all slots of this version. Of slots that are optional
// all together, those of an incomplete set are left out. Nothing of `given` but its name is
// referred to afterwards. Any thread.
void tn_adapter_table_complete(const tn_adapter_api *given, tn_adapter_api *out);

// The first devices of tn_device_at, that are listed without loading drivers that may be of no use.
// All are listed when these are none.
TN_MUST_USE tn_status tn_device_quick_count(size_t *out_count, tn_diag *diag);
tn_device *tn_device_quick_at(size_t index);
// Whether devices that take images for the target may follow the quick ones.
bool tn_device_is_late_target(tn_str target);

// What code is built for: the device that this one is a part of, or itself.
tn_device *tn_device_root(tn_device *device);
// The one whose programs it runs: itself, or the root.
tn_device *tn_device_of_code(tn_device *device);

bool tn_device_has_sub_group_size(const tn_device *device, uint32_t size);
// For a message about a kernel that requires sub-groups of a size that the device does not have.
void tn_device_add_sub_group_need(const tn_device *device, uint32_t size, tn_buf *out);
// "4, 8, 16, 32": the sizes that its sub-groups can have, for messages.
void tn_device_add_sub_group_sizes(const tn_device *device, tn_buf *out);

// Frees the sub-devices, which nothing may use any more; for devices that do not live for ever.
void tn_device_forget_divisions(tn_device *device);

// Whether `own` is the device, or a context's own object for it.
static inline bool tn_device_is(const tn_device *own, const tn_device *device) {
  return own == device || (own->listed && own->listed == device);
}
// By whom has something in a device: without any, a device inside a native context is closed. They
// do nothing for others. The last drop calls the adapter; no lock may be held.
void tn_device_hold(tn_device *device);
void tn_device_drop(tn_device *device);
// `forget` is called before the device is closed, by the last drop; does nothing for devices that
// never are. One function for the whole process.
void tn_device_on_close(const tn_device *device, void (*forget)(tn_device *device));

// The context's own object for the device: the device itself, but in contexts that are made of
// native ones. NULL when the context has neither the device nor one that it is a part of.
tn_device *tn_context_own_device(const tn_context *context, tn_device *device);
// The device, or one that it is a part of.
bool tn_context_has_device(const tn_context *context, const tn_device *device);

// The compiler's table, loaded on the first call and kept. UNSUPPORTED with the path that was
// tried when libtenon-compiler.so is missing or of another version. Any thread.
TN_MUST_USE tn_status tn_device_get_compiler(const tn_compiler **out, tn_diag *diag);
// The file of the compiler library, loaded or not; "" when its folder is unknown. Owned string,
// NULL when there is no memory.
char *tn_device_compiler_path(void);
// What tells the compiler's results from those of another build of it, or of LLVM; not loaded
// for that when `store` has seen it before. False when it is not known: then nothing is to be kept.
// The same all through the process. Any thread.
bool tn_device_identify_compiler(tn_store *store, uint8_t out[TN_STORE_KEY_SIZE]);

#endif
