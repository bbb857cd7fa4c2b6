// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who has device code: the modules that registered themselves and the image files that were opened,
// in order, each with a number that is never used again.
//
// Registration may happen before main and under the loader's lock: it appends to a list under one
// leaf lock and does nothing else. Unregistration takes the module off the list; what was made of
// it waits on the retired list until the next build or look-up frees it (design: no adapter is
// called from a destructor). A build works on the bytes of images as they are kept while they are
// pinned, so a module may go at any time; unregistration waits until nobody runs machine code of
// the module or reads its memory.
#ifndef TN_RUN_REGISTRY_REGISTRY_H
#define TN_RUN_REGISTRY_REGISTRY_H

#include "image/image.h"
#include "tenon/register.h"

// One module or image file. Counted; outlives the module as long as someone holds it.
typedef struct tn_registered tn_registered;

// What a user of the registry hangs on a module, to get it back when the module is gone. The item
// embeds this; `place` is a pointer of the module that is set to NULL at unregistration.
typedef struct tn_attachment tn_attachment;
struct tn_attachment {
  tn_attachment *next;  // the registry's
  void **place;         // in the module's memory
};

// The registered module, with a reference for the caller; NULL when it is not registered.
tn_registered *tn_registry_find(const tn_module *module);
void tn_registered_retain(tn_registered *registered);
void tn_registered_release(tn_registered *registered);  // NULL-safe

// Whether the module is registered, or the file open, at the moment: also false for what is still
// held or pinned afterwards.
bool tn_registered_is_listed(tn_registered *registered);
uint64_t tn_registered_id(const tn_registered *registered);  // never used twice in a process
// An address inside the module, for questions to the dynamic linker only; NULL for an image file.
const void *tn_registered_address(const tn_registered *registered);
// Path of the module or file, for messages, into `buf`. Asks the loader: no lock may be held.
void tn_registered_path(const tn_registered *registered, tn_buf *buf);

// Where a data symbol is for a reference from the module, as the host's dynamic linker would bind
// it now; NULL when nobody has it, or there is none. Asks the loader: no lock may be held.
void *tn_registered_resolve(tn_registered *registered, const char *symbol);

// The images, parsed, from bytes that live until the last unpin, whatever becomes of the module.
// BAD_IMAGE when they are damaged, KERNEL_NOT_FOUND when the module is gone already.
TN_MUST_USE tn_status tn_registered_pin(tn_registered *registered, const tn_fatbin **out,
                                        tn_diag *diag);
void tn_registered_unpin(tn_registered *registered);

// Whoever reads the module's memory (device globals, machine code; tenon/register.h) or runs its
// code enters before and leaves after; unregistration waits for them, so that nothing is unmapped
// meanwhile. False when the module is unregistered already: nothing is to be left then.
// Between the two, neither the loader nor the user's code may be called. No lock, any thread.
bool tn_registered_enter(tn_registered *registered);
void tn_registered_leave(tn_registered *registered);
size_t tn_registered_native_count(const tn_registered *registered);  // 0 for image files
// Entered: the n-th table, and the images where they lie, not their code (tn_fatbin_parse_tables).
const struct tn_native_table *tn_registered_native_at(const tn_registered *registered,
                                                      size_t index);
TN_MUST_USE tn_status tn_registered_view(tn_registered *registered, tn_fatbin *out,
                                         tn_diag *diag);

bool tn_registered_is_hidden(const tn_registered *registered);
// Entered: the program's object for a device global, by its symbol; NULL when there is none.
tn_device_global *tn_registered_find_global(const tn_registered *registered, tn_str symbol);

// Stores `item` at attachment->place and hangs the attachment on the module. False when the module
// is unregistered or the place no longer holds `expected`: nothing is done then.
bool tn_registered_attach(tn_registered *registered, tn_attachment *attachment, void *expected,
                          void *item);
// The chain of attachments, now the caller's.
tn_attachment *tn_registered_detach_all(tn_registered *registered);
// What a user of the registry made of a module, to have it again as long as the module is listed.
// The item embeds this.
typedef struct tn_kept tn_kept;
struct tn_kept {
  tn_kept *next;  // the registry's
  void (*release)(tn_kept *kept);
};
// False when the module is not listed: nothing is done then. The registry owns the item otherwise.
bool tn_registered_keep(tn_registered *registered, tn_kept *kept);
// Of a module that was popped from the retired ones. Calls `release` of each; no lock may be held.
void tn_registered_release_kept(tn_registered *registered);
// What run/program keeps for the module, under a lock of its own; given up when the module is
// popped from the retired ones.
void **tn_registered_programs(tn_registered *registered);
// A state that device globals of the module had when it was unregistered, now the caller's; NULL
// when there is none left. Globals whose objects lie in another module keep theirs.
void *tn_registered_pop_global_state(tn_registered *registered);

// Adds an image file; `bytes` (from tn_alloc) are taken over on success and checked first.
TN_MUST_USE tn_status tn_registry_add_file(const char *path, void *bytes, size_t size,
                                           tn_registered **out, tn_diag *diag);
// Takes a file off the list. The caller keeps its reference.
void tn_registry_remove_file(tn_registered *registered);

// A module that nobody finds: it is on no list, so its kernels are in no application bundle and its
// exports are for those who name it. `bytes` (from tn_alloc) are taken over on success and checked
// first. It comes with a reference and pinned once; what was built of it is given up after the last
// pin is gone.
TN_MUST_USE tn_status tn_registry_create_hidden(const char *name, void *bytes, size_t size,
                                                tn_registered **out, tn_diag *diag);

// A moment's list: modules in registration order, then files in the order of opening.
typedef struct tn_registry_list {
  tn_registered **items;  // owned, each with a reference
  size_t count;
} tn_registry_list;
TN_MUST_USE tn_status tn_registry_list_create(tn_registry_list *out, tn_diag *diag);
void tn_registry_list_destroy(tn_registry_list *list);

// One module or file that is gone but was used, with its reference; NULL when there is none left.
tn_registered *tn_registry_pop_retired(void);
// Modules that could not be registered because memory was short, since start.
uint64_t tn_registry_lost_count(void);

// Copies `size` bytes at `address` while the loader cannot unmap them; false when the address is in
// no loaded module. No lock may be held.
bool tn_registry_read_loaded(const void *address, void *out, size_t size);
// UNSUPPORTED in a copy of this library that dlmopen loaded: what a program's own linker does for
// it would not be seen there. Asks the loader.
TN_MUST_USE tn_status tn_registry_check_namespace(tn_diag *diag);
// Whether symbols can be looked up by the host's dynamic linker: false in a static executable.
bool tn_registry_has_dynamic_linker(void);

#endif
