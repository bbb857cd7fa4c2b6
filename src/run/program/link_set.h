// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: the images that make one program, found from the imports of the first.
#ifndef TN_RUN_PROGRAM_LINK_SET_H
#define TN_RUN_PROGRAM_LINK_SET_H

#include "base/arena.h"
#include "base/map.h"
#include "image/image.h"
#include "run/program/program.h"
#include "run/registry/registry.h"

// A module or file whose images are read: pinned once for the set.
typedef struct tn_link_owner {
  tn_registered *registered;  // retained and pinned
  const tn_fatbin *fatbin;    // of the pin
  tn_arena *arena;            // the set's
  const char *path;           // in the arena, once it was asked for
  uint64_t content;           // hash of the images' bytes
  struct tn_link_member **members;  // by image; NULL: not a member
} tn_link_owner;

// An export that the registry, not the dynamic linker, is asked for.
typedef struct tn_link_export tn_link_export;
struct tn_link_export {
  tn_link_owner *owner;
  uint32_t image_index;
  tn_link_export *next;  // of the same symbol, in the order of search
};

typedef struct tn_link_member {
  tn_link_owner *owner;
  uint32_t image_index;
  tn_image image;  // borrowed from the pin
  tn_list take;    // const char *: exports that the program takes from it, sorted by name
} tn_link_member;

// A device global of the members, and where it is on the device.
typedef struct tn_linked_global {
  const char *name;  // symbol; of the member's image
  size_t size;
  void *memory;
  tn_global_scope *scope;  // retained: its memory is the scope's
  bool is_own;  // the set's scope's, not the application's
} tn_linked_global;

// Storage is the caller's; one thread. Members keep their place once they are in.
typedef struct tn_link_set {
  tn_arena arena;
  bool asks_loader;         // false where there is no dynamic linker
  const tn_device *device;  // borrowed; NULL: any device
  const tn_image_ref *first;  // borrowed: looked into before anything else
  size_t first_count;
  tn_list owners;           // tn_link_owner *
  tn_map owners_by_record;  // address of the tn_registered → tn_link_owner
  tn_list members;          // tn_link_member *; [0] holds the kernel
  tn_map chosen;            // symbol → tn_link_member
  tn_registry_list listed;  // the registry when it was first asked
  bool is_listed;
  tn_map exports;           // symbol → tn_link_export, of `listed`
  bool has_exports;
  tn_global_scope *scope;   // borrowed: whose device globals those of hidden modules are
  tn_list globals;          // tn_linked_global *, by name, once they are resolved
  tn_map globals_by_name;
  bool has_own_globals;     // some are the scope's
  bool has_conflict;        // some symbol is given by another image than its module alone would use
} tn_link_set;

void tn_link_set_init(tn_link_set *set, bool asks_loader);
void tn_link_set_deinit(tn_link_set *set);

// The owner in this set; pinned on the first call. Borrowed until deinit. BAD_IMAGE.
TN_MUST_USE tn_status tn_link_set_open(tn_link_set *set, tn_registered *registered,
                                       tn_link_owner **out, tn_diag *diag);
// Makes the image the first member and adds what it needs, and what that needs, and so on.
// BUILD_FAILED with the sentence of the first symbol that nobody gives.
TN_MUST_USE tn_status tn_link_set_collect(tn_link_set *set, tn_link_owner *owner,
                                          uint32_t image_index, tn_diag *diag);
// All that decides what is built: contents, places and what is taken.
void tn_link_set_key(const tn_link_set *set, tn_buf *out);

// The module's or file's, for messages; asked of the loader the first time. Borrowed from the set.
const char *tn_link_owner_path(const tn_link_owner *owner);

static inline tn_link_member *tn_link_set_at(const tn_link_set *set, size_t index) {
  return set->members.items[index];
}

// The modules and files there are; owned by the set.
TN_MUST_USE tn_status tn_link_set_list(tn_link_set *set, tn_diag *diag);
// An image of the owner that exports the symbol and can be part of a program with `like`; of
// several the best for the set's device.
bool tn_link_owner_find_export(const tn_link_set *set, const tn_link_owner *owner,
                               const tn_image *like, tn_str symbol, uint32_t *out_index);

#endif
