// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of modules and image files.
//
// Invariants
// 1. While a record is listed, its module's memory is mapped: the module's destructor takes it off
//    the list, under the lock, before the loader unmaps anything. So bytes are copied under it.
// 2. A record with pins has a copy of the bytes; the copy is never written and goes with the last
//    pin. Bytes of the program itself, which nobody unmaps, are not copied. Many of a library are
//    mapped from its file once more, which costs no memory; what is pinned when the library goes
//    becomes a copy then, as the file may be written afterwards.
// 3. A record on the retired list is held by that list's reference.
// 4. `users` counts those who read or run what lies in the module. Its top bit is set, once, when
//    the module is off the list; who comes later goes away again, and whoever takes the count down
//    to that bit wakes the destructor that waits.
//
//   listed ──unregister──▶ used? ──yes──▶ retired ──pop──▶ freed with the last reference
//                            └────no───▶ freed with the last reference
#include "run/registry/registry.h"

#include <stdlib.h>

#include "base/dynlib.h"
#include "base/file_map.h"
#include "base/log.h"
#include "base/thread.h"
#include "run/registry/loaded_module.h"
#include "run/registry/module_index.h"

enum {
  MAPPED_MINIMUM = 1 << 18,  // a copy of less takes no longer
  SAMPLE = 4096,             // holds the images' checksum
  PATH_MAXIMUM = 1 << 14,
};

static tn_mutex registry_mu = TN_MUTEX_INIT(TN_RANK_REGISTRY);

struct tn_registered {
  tn_module_entry entry;    // first member; its module: immutable, memory only while listed; NULL
                            // for a file
  tn_ref ref;
  uint64_t id;              // immutable
  const void *bytes;        // immutable; the module's memory
  size_t size;              // immutable
  bool is_foreign;          // immutable: written by another version
  const struct tn_native_table *const *natives;  // immutable; the module's memory
  size_t native_count;                           // immutable
  const tn_module_global *globals;               // immutable; the module's memory
  size_t global_count;                           // immutable
  void *(*resolve)(const char *symbol);          // immutable; in the module; NULL: it has none
  _Atomic uint64_t users;                        // USERS_GONE and a count
  atomic_bool is_checked;                        // a copy's checksum was right
  bool has_view TN_GUARDED_BY(&registry_mu);
  tn_fatbin view TN_GUARDED_BY(&registry_mu);    // of the module's memory
  char *path;               // immutable; owned; NULL for a module
  bool is_hidden;           // immutable: it has a path and is on no list, ever
  tn_registered *next TN_GUARDED_BY(&registry_mu);
  tn_registered *previous TN_GUARDED_BY(&registry_mu);
  bool is_listed TN_GUARDED_BY(&registry_mu);
  bool is_used TN_GUARDED_BY(&registry_mu);  // was found at least once
  bool is_retired TN_GUARDED_BY(&registry_mu);
  size_t pin_count TN_GUARDED_BY(&registry_mu);
  void *copy TN_GUARDED_BY(&registry_mu);  // owned; NULL: the bytes are mapped, or used as they are
  tn_file_part part TN_GUARDED_BY(&registry_mu);  // owned; of the module's file, or none
  tn_fatbin fatbin;                              // of these; immutable while pinned
  tn_attachment *attachments TN_GUARDED_BY(&registry_mu);
  tn_kept *kept TN_GUARDED_BY(&registry_mu);
  void *programs;  // run/program's, under its lock
  void **global_states TN_GUARDED_BY(&registry_mu);  // owned; of device globals that are gone
  size_t global_state_count TN_GUARDED_BY(&registry_mu);
};

#define USERS_GONE (UINT64_C(1) << 63)
static tn_cond users_left = TN_COND_INIT;
static _Atomic bool is_exiting;

// Each in its order.
typedef struct record_list {
  tn_registered *first;
  tn_registered *last;
} record_list;
static record_list modules TN_GUARDED_BY(&registry_mu);
static record_list files TN_GUARDED_BY(&registry_mu);
static tn_module_index modules_by_address TN_GUARDED_BY(&registry_mu);
static tn_registered *retired TN_GUARDED_BY(&registry_mu);
static size_t listed_count TN_GUARDED_BY(&registry_mu);
static uint64_t last_id TN_GUARDED_BY(&registry_mu);
static uint64_t lost_count TN_GUARDED_BY(&registry_mu);

static void append(tn_registered *registered) TN_REQUIRES(&registry_mu) {
  record_list *list = registered->path ? &files : &modules;
  registered->next = NULL;
  registered->previous = list->last;
  *(list->last ? &list->last->next : &list->first) = registered;
  list->last = registered;
  if (registered->entry.module) {
    tn_module_index_add(&modules_by_address, &registered->entry);
  }
  registered->id = ++last_id;
  registered->is_listed = true;
  listed_count++;
}

static void take_off(tn_registered *registered) TN_REQUIRES(&registry_mu) {
  record_list *list = registered->path ? &files : &modules;
  *(registered->previous ? &registered->previous->next : &list->first) = registered->next;
  *(registered->next ? &registered->next->previous : &list->last) = registered->previous;
  if (registered->entry.module) {
    tn_module_index_remove(&modules_by_address, &registered->entry);
  }
  registered->next = NULL;
  registered->previous = NULL;
  registered->is_listed = false;
  listed_count--;
}

static tn_registered *find_locked(const tn_module *module) TN_REQUIRES(&registry_mu) {
  return (tn_registered *)(void *)tn_module_index_find(&modules_by_address, module);
}

void tn_register_module(tn_module *module) {
  if (!module) {
    return;
  }
  // Of a module of another version nothing but the first two fields is read.
  const bool is_foreign =
      module->version != TN_MODULE_VERSION || module->size < offsetof(tn_module, natives);
  const bool has_natives = !is_foreign && module->size >= offsetof(tn_module, resolve) &&
                           module->natives != NULL;
  const bool has_resolve = !is_foreign && module->size >= offsetof(tn_module, globals);
  const bool has_globals =
      !is_foreign && module->size >= sizeof(tn_module) && module->globals != NULL;
  tn_registered *registered = tn_alloc(sizeof(*registered));
  bool is_new = false;
  tn_mutex_lock(&registry_mu);
  if (!registered) {
    lost_count++;
  } else if (!find_locked(module)) {
    tn_ref_init(&registered->ref);
    registered->entry.module = module;
    registered->bytes = is_foreign ? NULL : module->fatbin;
    registered->size = is_foreign || !module->fatbin ? 0 : (size_t)module->fatbin_size;
    registered->is_foreign = is_foreign;
    registered->natives = has_natives ? module->natives : NULL;
    registered->native_count = has_natives ? (size_t)module->native_count : 0;
    registered->resolve = has_resolve ? module->resolve : NULL;
    registered->globals = has_globals ? module->globals : NULL;
    registered->global_count = has_globals ? (size_t)module->global_count : 0;
    append(registered);
    is_new = true;
  }
  tn_mutex_unlock(&registry_mu);
  if (!is_new) {
    tn_free(registered);
    return;
  }
  if (!is_foreign) {
    module->state = registered;
  }
  TN_LOG(registry, "module %p: %zu bytes of device code", (void *)module, registered->size);
}

static void put_on_retired(tn_registered *registered) TN_REQUIRES(&registry_mu) {
  if (registered->is_used && !registered->is_retired) {
    tn_ref_up(&registered->ref);
    registered->is_retired = true;
    registered->next = retired;
    retired = registered;
  }
}

// Shares the copy that is there; false when the caller must bring one.
static bool pin_existing(tn_registered *registered) TN_REQUIRES(&registry_mu) {
  if (registered->pin_count == 0) {
    return false;
  }
  registered->pin_count++;
  return true;
}

// The caller has it pinned.
static void keep_part(const tn_registered *registered) TN_NO_ANALYSIS {
  if (!tn_file_part_keep(&registered->part)) {
    TN_LOG(registry, "module %llu: no memory for its images, which stay in its file",
           (unsigned long long)registered->id);
  }
}

// Off the list; what was made of it goes to the retired list, whose reference is the list's own.
static void retire(tn_registered *registered) TN_REQUIRES(&registry_mu) {
  for (tn_attachment *a = registered->attachments; a; a = a->next) {
    // Launches read the place without a lock.
    atomic_store_explicit((void *_Atomic *)(void *)a->place, NULL, memory_order_release);
  }
  take_off(registered);
  put_on_retired(registered);
}

// At the end of the process nothing is unmapped, and what runs is abandoned.
static void note_exit(void) { atomic_store_explicit(&is_exiting, true, memory_order_relaxed); }

static void watch_exit_once(void) { (void)atexit(note_exit); }

static void watch_exit(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, watch_exit_once);
}

// The main program cannot be closed: its destructors run at the very end, then those of libraries,
// and none of them is unmapped. Other threads may launch until the process is gone.
static bool is_left_as_it_is(const tn_module *module) {
  static _Atomic bool is_last;
  if (atomic_load_explicit(&is_exiting, memory_order_relaxed) && tn_loaded_is_main(module)) {
    atomic_store_explicit(&is_last, true, memory_order_relaxed);
  }
  return atomic_load_explicit(&is_last, memory_order_relaxed);
}

// From here on nobody enters. False at the end of the process, where those who are in stay.
static bool wait_for_users(tn_registered *registered) {
  const uint64_t before =
      atomic_fetch_or_explicit(&registered->users, USERS_GONE, memory_order_acq_rel);
  if (atomic_load_explicit(&is_exiting, memory_order_relaxed)) {
    return false;
  }
  if (before == 0) {
    return true;
  }
  TN_LOG(registry, "module %p: its code or memory is in use, waiting",
         (const void *)registered->entry.module);
  tn_mutex_lock(&registry_mu);
  while (atomic_load_explicit(&registered->users, memory_order_acquire) != USERS_GONE) {
    tn_cond_wait(&users_left, &registry_mu);
  }
  tn_mutex_unlock(&registry_mu);
  return true;
}

// The device globals whose objects lie in the module go with it: their states are kept for the next
// look-up, which frees them. Nobody is in the module any more.
static void take_global_states(tn_registered *registered) {
  const size_t count = registered->global_count;
  void **states = count > 0 ? tn_alloc_array(count, sizeof(*states)) : NULL;
  size_t found = 0;
  for (size_t i = 0; states && i < count; i++) {
    tn_device_global *object = registered->globals[i].object;
    if (object && object->state && tn_loaded_is_same(object, registered->entry.module)) {
      states[found++] = object->state;
      object->state = NULL;
    }
  }
  if (found == 0) {
    tn_free((void *)states);
    return;
  }
  tn_mutex_lock(&registry_mu);
  registered->global_states = states;
  registered->global_state_count = found;
  registered->is_used = true;
  put_on_retired(registered);
  tn_mutex_unlock(&registry_mu);
}

void *tn_registered_pop_global_state(tn_registered *registered) {
  tn_mutex_lock(&registry_mu);
  void *state = registered->global_state_count > 0
                    ? registered->global_states[--registered->global_state_count]
                    : NULL;
  tn_mutex_unlock(&registry_mu);
  return state;
}

void tn_unregister_module(tn_module *module) {
  if (!module || is_left_as_it_is(module)) {
    return;
  }
  tn_mutex_lock(&registry_mu);
  tn_registered *registered = find_locked(module);
  const bool has_part = registered && registered->part.base && pin_existing(registered);
  if (registered) {
    retire(registered);
    if (!registered->is_foreign) {
      module->state = NULL;
    }
  }
  tn_mutex_unlock(&registry_mu);
  TN_LOG(registry, "module %p%s", (void *)module, registered ? "" : ": was not registered");
  if (has_part) {
    keep_part(registered);
    tn_registered_unpin(registered);
  }
  if (registered && wait_for_users(registered)) {
    take_global_states(registered);
  }
  tn_registered_release(registered);
}

bool tn_registered_enter(tn_registered *registered) {
  const uint64_t before =
      atomic_fetch_add_explicit(&registered->users, 1, memory_order_acquire);
  if ((before & USERS_GONE) == 0) {
    return true;
  }
  tn_registered_leave(registered);
  return false;
}

void tn_registered_leave(tn_registered *registered) {
  const uint64_t before =
      atomic_fetch_sub_explicit(&registered->users, 1, memory_order_acq_rel);
  if (before == (USERS_GONE | 1)) {
    tn_mutex_lock(&registry_mu);
    tn_cond_broadcast(&users_left);
    tn_mutex_unlock(&registry_mu);
  }
}

size_t tn_registered_native_count(const tn_registered *registered) {
  return registered->native_count;
}

const struct tn_native_table *tn_registered_native_at(const tn_registered *registered,
                                                      size_t index) {
  return index < registered->native_count ? registered->natives[index] : NULL;
}

bool tn_registered_is_hidden(const tn_registered *registered) { return registered->is_hidden; }

tn_device_global *tn_registered_find_global(const tn_registered *registered, tn_str symbol) {
  for (size_t i = 0; i < registered->global_count; i++) {
    if (tn_str_equals(tn_str_from(registered->globals[i].symbol), symbol)) {
      return registered->globals[i].object;
    }
  }
  return NULL;
}

tn_status tn_registered_view(tn_registered *registered, tn_fatbin *out, tn_diag *diag) {
  tn_mutex_lock(&registry_mu);
  const bool has_view = registered->has_view;
  *out = registered->view;
  tn_mutex_unlock(&registry_mu);
  if (has_view) {
    return TN_OK;
  }
  TN_TRY(tn_fatbin_parse_tables(tn_bytes_from(registered->bytes, registered->size), out, diag));
  tn_mutex_lock(&registry_mu);
  registered->view = *out;
  registered->has_view = true;
  tn_mutex_unlock(&registry_mu);
  return TN_OK;
}

tn_registered *tn_registry_find(const tn_module *module) {
  watch_exit();
  tn_mutex_lock(&registry_mu);
  tn_registered *found = module ? find_locked(module) : NULL;
  if (found) {
    found->is_used = true;
    tn_registered_retain(found);
  }
  tn_mutex_unlock(&registry_mu);
  TN_LOG(registry, "module %p is number %llu", (const void *)module,
         found ? (unsigned long long)found->id : 0ull);
  return found;
}

void tn_registered_retain(tn_registered *registered) {
  tn_ref_up(&registered->ref);
}

// The last reference: nobody else can see the record, so its fields need no lock.
static void destroy(tn_registered *registered) TN_NO_ANALYSIS {
  tn_free((void *)registered->global_states);
  tn_free(registered->copy);
  tn_file_part_unmap(&registered->part);
  tn_free(registered->path);
  tn_free(registered);
}

void tn_registered_release(tn_registered *registered) {
  if (registered && tn_ref_down(&registered->ref)) {
    destroy(registered);
  }
}

bool tn_registered_is_listed(tn_registered *registered) {
  tn_mutex_lock(&registry_mu);
  const bool is_listed = registered->is_listed;
  tn_mutex_unlock(&registry_mu);
  return is_listed;
}

void **tn_registered_programs(tn_registered *registered) { return &registered->programs; }

uint64_t tn_registered_id(const tn_registered *registered) {
  return registered->id;
}

const void *tn_registered_address(const tn_registered *registered) {
  return registered->entry.module;
}

void tn_registered_path(const tn_registered *registered, tn_buf *buf) {
  if (registered->path) {
    tn_buf_add_text(buf, registered->path);
  } else {
    tn_loaded_module_path(registered->entry.module, buf);
  }
}

// Held against dlclose while it is asked, if it is still the registered one then. Where it cannot
// be asked, the loader is, which knows nothing of RTLD_DEEPBIND there.
void *tn_registered_resolve(tn_registered *registered, const char *symbol) {
  void *holder = NULL;
  if (!registered->resolve || !tn_loaded_module_hold(registered->entry.module, &holder)) {
    return tn_dynlib_resolve(symbol, registered->entry.module);
  }
  void *found = tn_registered_is_listed(registered) ? registered->resolve(symbol) : NULL;
  tn_loaded_module_let_go(holder);
  return found;
}

// Bytes to pin: the module's own, a copy or a part of its file.
typedef struct pinned_bytes {
  tn_bytes bytes;
  void *copy;         // owned, or NULL
  tn_file_part part;  // owned, or none
} pinned_bytes;

static void give_back(pinned_bytes *pinned) {
  tn_free(pinned->copy);
  tn_file_part_unmap(&pinned->part);
}

// Another thread may have come first: then its bytes are used and *pinned stays the caller's.
static void publish(tn_registered *registered, const tn_fatbin *fatbin, pinned_bytes *pinned) {
  bool is_late = false;
  tn_mutex_lock(&registry_mu);
  if (!pin_existing(registered)) {
    registered->pin_count = 1;
    registered->copy = pinned->copy;
    registered->part = pinned->part;
    registered->fatbin = *fatbin;
    is_late = pinned->part.base && !registered->is_listed;
    *pinned = (pinned_bytes){0};
  }
  tn_mutex_unlock(&registry_mu);
  if (is_late) {
    keep_part(registered);
  }
}

// As the file is that the loader mapped: another may have its name.
static bool is_same(tn_registered *registered, const tn_file_part *part) {
  const size_t size = registered->size < SAMPLE ? registered->size : SAMPLE;
  tn_mutex_lock(&registry_mu);
  const bool is_same =
      registered->is_listed && memcmp(registered->bytes, part->bytes.data, size) == 0;
  tn_mutex_unlock(&registry_mu);
  return is_same;
}

static bool map_bytes(tn_registered *registered, tn_file_part *out) {
  uint64_t offset = 0;
  tn_buf path;
  tn_buf_init(&path, PATH_MAXIMUM);
  tn_mutex_lock(&registry_mu);
  bool found = registered->is_listed &&
               tn_loaded_file_of(registered->bytes, registered->size, &path, &offset);
  tn_mutex_unlock(&registry_mu);
  found = found && tn_buf_status(&path, NULL) == TN_OK &&
          tn_file_part_map(tn_buf_text(&path), offset, registered->size, out);
  tn_buf_deinit(&path);
  if (found && !is_same(registered, out)) {
    tn_file_part_unmap(out);
    found = false;
  }
  return found;
}

static tn_status copy_bytes(tn_registered *registered, void **out, tn_diag *diag) {
  *out = NULL;
  void *copy = registered->size > 0 ? tn_alloc(registered->size) : NULL;
  if (!copy && registered->size > 0) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu bytes of device images",
                   registered->size);
  }
  tn_mutex_lock(&registry_mu);
  const bool is_listed = registered->is_listed;
  if (is_listed && copy) {
    memcpy(copy, registered->bytes, registered->size);
  }
  tn_mutex_unlock(&registry_mu);
  if (!is_listed) {
    tn_free(copy);
    return TN_FAIL(diag, KERNEL_NOT_FOUND, "the module was unloaded while its device code was "
                   "wanted: keep it loaded until its kernels are launched");
  }
  *out = copy;
  return TN_OK;
}

// The program itself is never unloaded: its images, which may be large, are used where they are.
static tn_status find_bytes(tn_registered *registered, pinned_bytes *out,
                            tn_diag *diag) TN_NO_ANALYSIS {
  *out = (pinned_bytes){0};
  if (tn_loaded_is_in_program_file(registered->bytes, registered->size)) {
    out->bytes = tn_bytes_from(registered->bytes, registered->size);
  } else if (registered->size >= MAPPED_MINIMUM && map_bytes(registered, &out->part)) {
    out->bytes = out->part.bytes;
  } else {
    TN_TRY(copy_bytes(registered, &out->copy, diag));
    out->bytes = tn_bytes_from(out->copy, out->copy ? registered->size : 0);
  }
  return TN_OK;
}

static tn_status pin_bytes(tn_registered *registered, tn_diag *diag) {
  tn_fatbin fatbin = {0};
  pinned_bytes pinned;
  TN_TRY(find_bytes(registered, &pinned, diag));
  tn_status status = TN_OK;
  if (pinned.bytes.size > 0) {
    status = atomic_load(&registered->is_checked)
                 ? tn_fatbin_parse_tables(pinned.bytes, &fatbin, diag)
                 : tn_fatbin_parse(pinned.bytes, &fatbin, diag);
  }
  if (status == TN_OK) {
    atomic_store(&registered->is_checked, true);
    publish(registered, &fatbin, &pinned);
  }
  give_back(&pinned);
  return status;
}

tn_status tn_registered_pin(tn_registered *registered, const tn_fatbin **out, tn_diag *diag) {
  *out = NULL;
  tn_status status = TN_OK;
  if (registered->is_foreign) {
    status = TN_FAIL(diag, BAD_IMAGE, "its device code was registered by another version of "
                     "Tenon: link it again with the tenon++ that belongs to this runtime");
  } else {
    tn_mutex_lock(&registry_mu);
    const bool is_pinned = pin_existing(registered);
    tn_mutex_unlock(&registry_mu);
    status = is_pinned ? TN_OK : pin_bytes(registered, diag);
  }
  if (status != TN_OK) {
    tn_buf path;
    tn_buf_init(&path, 8192);
    tn_registered_path(registered, &path);
    tn_diag_prepend(diag, "%s", tn_buf_text(&path));
    tn_buf_deinit(&path);
    return status;
  }
  *out = &registered->fatbin;
  TN_LOG(registry, "module %llu: %u images", (unsigned long long)registered->id,
         registered->fatbin.image_count);
  return TN_OK;
}

void tn_registered_unpin(tn_registered *registered) {
  pinned_bytes pinned = {0};
  tn_mutex_lock(&registry_mu);
  if (TN_ALWAYS(registered->pin_count > 0) && --registered->pin_count == 0) {
    pinned.copy = registered->copy;
    pinned.part = registered->part;
    registered->copy = NULL;
    registered->part = (tn_file_part){0};
  }
  // Whoever had it pinned may have built of it after it was gone: that is to be freed as well.
  const size_t for_ever = registered->path && !registered->is_hidden ? 1 : 0;
  if (!registered->is_listed && registered->pin_count == for_ever) {
    put_on_retired(registered);
  }
  tn_mutex_unlock(&registry_mu);
  give_back(&pinned);
}

bool tn_registered_attach(tn_registered *registered, tn_attachment *attachment, void *expected,
                          void *item) {
  tn_mutex_lock(&registry_mu);
  void *_Atomic *place = (void *_Atomic *)(void *)attachment->place;
  const bool is_free = registered->is_listed &&
                       atomic_load_explicit(place, memory_order_relaxed) == expected;
  if (is_free) {
    attachment->next = registered->attachments;
    registered->attachments = attachment;
    atomic_store_explicit(place, item, memory_order_release);
  }
  tn_mutex_unlock(&registry_mu);
  return is_free;
}

tn_attachment *tn_registered_detach_all(tn_registered *registered) {
  tn_mutex_lock(&registry_mu);
  tn_attachment *all = registered->attachments;
  registered->attachments = NULL;
  tn_mutex_unlock(&registry_mu);
  return all;
}

bool tn_registered_keep(tn_registered *registered, tn_kept *kept) {
  tn_mutex_lock(&registry_mu);
  const bool is_listed = registered->is_listed;
  if (is_listed) {
    kept->next = registered->kept;
    registered->kept = kept;
    registered->is_used = true;
  }
  tn_mutex_unlock(&registry_mu);
  return is_listed;
}

void tn_registered_release_kept(tn_registered *registered) {
  tn_mutex_lock(&registry_mu);
  tn_kept *all = registered->kept;
  registered->kept = NULL;
  tn_mutex_unlock(&registry_mu);
  while (all) {
    tn_kept *next = all->next;
    all->release(all);
    all = next;
  }
}

// Nobody else sees it yet. Its one pin is that of whoever makes it.
static tn_status create_pinned(const char *path, void *bytes, size_t size, tn_registered **out,
                               tn_diag *diag) TN_NO_ANALYSIS {
  *out = NULL;
  tn_fatbin fatbin;
  TN_TRY(tn_fatbin_parse(tn_bytes_from(bytes, size), &fatbin, diag));
  tn_registered *registered = tn_alloc(sizeof(*registered));
  char *copy = tn_str_copy(tn_str_from(path));
  if (!registered || !copy) {
    tn_free(registered);
    tn_free(copy);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to open the image file");
  }
  tn_ref_init(&registered->ref);
  registered->path = copy;
  registered->size = size;
  registered->copy = bytes;
  registered->pin_count = 1;
  registered->fatbin = fatbin;
  registered->is_used = true;
  *out = registered;
  return TN_OK;
}

// The pin stays for ever: the copy is the file's contents.
tn_status tn_registry_add_file(const char *path, void *bytes, size_t size, tn_registered **out,
                               tn_diag *diag) {
  tn_registered *registered = NULL;
  *out = NULL;
  TN_TRY(create_pinned(path, bytes, size, &registered, diag));
  tn_ref_up(&registered->ref);  // the list's
  tn_mutex_lock(&registry_mu);
  append(registered);
  tn_mutex_unlock(&registry_mu);
  TN_LOG(registry, "file %s: %u images", path, registered->fatbin.image_count);
  *out = registered;
  return TN_OK;
}

tn_status tn_registry_create_hidden(const char *name, void *bytes, size_t size,
                                    tn_registered **out, tn_diag *diag) {
  TN_TRY(create_pinned(name, bytes, size, out, diag));
  (*out)->is_hidden = true;
  tn_mutex_lock(&registry_mu);
  (*out)->id = ++last_id;
  tn_mutex_unlock(&registry_mu);
  TN_LOG(registry, "%s is number %llu, hidden: %u images", name, (unsigned long long)(*out)->id,
         (*out)->fatbin.image_count);
  return TN_OK;
}

void tn_registry_remove_file(tn_registered *registered) {
  tn_mutex_lock(&registry_mu);
  const bool was_listed = registered->is_listed;
  if (was_listed) {
    retire(registered);
  }
  tn_mutex_unlock(&registry_mu);
  if (was_listed) {
    TN_LOG(registry, "file %s", registered->path);
    tn_registered_release(registered);
  }
}

static void add_all(const record_list *list, tn_registered **items, size_t *count)
    TN_REQUIRES(&registry_mu) {
  for (tn_registered *r = list->first; r; r = r->next) {
    tn_registered_retain(r);
    r->is_used = true;
    items[(*count)++] = r;
  }
}

// The list may grow between counting and copying; then it is counted again.
tn_status tn_registry_list_create(tn_registry_list *out, tn_diag *diag) {
  *out = (tn_registry_list){NULL, 0};
  for (;;) {
    tn_mutex_lock(&registry_mu);
    const size_t wanted = listed_count;
    tn_mutex_unlock(&registry_mu);
    tn_registered **items = tn_alloc_array(wanted + 1, sizeof(*items));
    if (!items) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the list of %zu modules", wanted);
    }
    size_t count = 0;
    tn_mutex_lock(&registry_mu);
    const bool fits = listed_count <= wanted;
    if (fits) {
      add_all(&modules, items, &count);
      add_all(&files, items, &count);
    }
    tn_mutex_unlock(&registry_mu);
    if (fits) {
      *out = (tn_registry_list){items, count};
      return TN_OK;
    }
    tn_free(items);
  }
}

void tn_registry_list_destroy(tn_registry_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    tn_registered_release(list->items[i]);
  }
  tn_free(list->items);
  *list = (tn_registry_list){NULL, 0};
}

tn_registered *tn_registry_pop_retired(void) {
  tn_mutex_lock(&registry_mu);
  tn_registered *first = retired;
  if (first) {
    retired = first->next;
    first->next = NULL;
    first->is_retired = false;
  }
  tn_mutex_unlock(&registry_mu);
  return first;
}

uint64_t tn_registry_lost_count(void) {
  tn_mutex_lock(&registry_mu);
  const uint64_t count = lost_count;
  tn_mutex_unlock(&registry_mu);
  return count;
}
