// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device globals at run time (docs/decisions/device-globals.md): code has a place for the address
// of each, and here are the objects behind the addresses, one for each device and scope.
//
// A scope is who shares them: for the program's own there is one a host object, found through its
// slot until the module with the object is unloaded; a bundle that comes from a source has one for
// all of its images. Programs keep the scopes whose memory their code uses. The last reference may
// go anywhere, so, as with programs, the memory is freed by the next build or look-up.
#include "run/program/global_memory.h"

#include "base/log.h"
#include "run/program/image_choice.h"
#include "run/program/spec_values.h"
#include "tenon/memory.h"

#include <stdlib.h>

typedef struct global_object global_object;
struct global_object {
  tn_device *device;  // static lifetime
  char *name;         // owned
  void *memory;       // owned, on the device
  size_t size;
  global_object *next;
};

struct tn_global_scope {
  tn_ref ref;
  tn_context *context;  // retained: its memory is USM memory of it; NULL: the adapter's alone
  tn_mutex mu;
  global_object *objects TN_GUARDED_BY(&mu);  // owned; they only grow
  tn_global_scope *next_dead;                 // in the graveyard
};

static tn_global_scope *_Atomic graveyard;
// Of images that no program has a host object for: those of files.
static tn_global_scope of_files = {.ref = TN_REF_INIT, .mu = TN_MUTEX_INIT(TN_RANK_LEAF)};

tn_status tn_global_scope_create(tn_context *context, tn_global_scope **out, tn_diag *diag) {
  *out = NULL;
  tn_global_scope *scope = tn_alloc(sizeof(*scope));
  if (!scope) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for device globals");
  }
  tn_ref_init(&scope->ref);
  tn_mutex_init(&scope->mu, TN_RANK_LEAF);
  if (context) {
    tn_context_retain(context);
  }
  scope->context = context;
  *out = scope;
  return TN_OK;
}

void tn_global_scope_retain(tn_global_scope *scope) { tn_ref_up(&scope->ref); }

void tn_global_scope_release(tn_global_scope *scope) {
  if (!scope || !tn_ref_down(&scope->ref)) {
    return;
  }
  tn_global_scope *top = atomic_load_explicit(&graveyard, memory_order_relaxed);
  do {
    scope->next_dead = top;
  } while (!atomic_compare_exchange_weak_explicit(&graveyard, &top, scope, memory_order_release,
                                                  memory_order_relaxed));
}

static void free_memory(const tn_global_scope *scope, tn_device *device, void *memory) {
  if (scope->context) {
    TN_IGNORE(tn_usm_free(scope->context, memory, NULL), "who freed it before us has no use of it");
  } else {
    device->api->memory_free(device->adapter_device, TN_USM_DEVICE, memory);
  }
}

static void free_object(const tn_global_scope *scope, global_object *object) {
  if (object->memory) {
    free_memory(scope, object->device, object->memory);
  }
  tn_free(object->name);
  tn_free(object);
}

static void free_objects(tn_global_scope *scope) TN_NO_ANALYSIS {
  while (scope->objects) {
    global_object *next = scope->objects->next;
    free_object(scope, scope->objects);
    scope->objects = next;
  }
}

void tn_global_scopes_bury(void) {
  if (!atomic_load_explicit(&graveyard, memory_order_relaxed)) {
    return;
  }
  tn_global_scope *scope = atomic_exchange_explicit(&graveyard, NULL, memory_order_acquire);
  while (scope) {
    tn_global_scope *next = scope->next_dead;
    free_objects(scope);
    tn_mutex_deinit(&scope->mu);
    tn_context_release(scope->context);
    tn_free(scope);
    scope = next;
  }
}

// ---- What is in the memory at first

typedef struct wait {
  tn_mutex mu;
  tn_cond done;
  bool is_done TN_GUARDED_BY(&mu);
  tn_status status TN_GUARDED_BY(&mu);
  tn_diag diag TN_GUARDED_BY(&mu);
} wait;

static void finish(void *user, tn_status status, const tn_diag *diag, uint64_t start_ns,
                   uint64_t end_ns) {
  wait *w = user;
  (void)start_ns;
  (void)end_ns;
  tn_mutex_lock(&w->mu);
  w->is_done = true;
  w->status = status;
  if (diag) {
    w->diag = *diag;
  }
  tn_cond_broadcast(&w->done);
  tn_mutex_unlock(&w->mu);
}

static bool is_done(wait *w) {
  tn_mutex_lock(&w->mu);
  const bool done = w->is_done;
  tn_mutex_unlock(&w->mu);
  return done;
}

static tn_status wait_for(wait *w, const tn_device *device, tn_diag *diag) {
  while (!is_done(w) && device->api->help(device->adapter_device)) {
  }
  tn_mutex_lock(&w->mu);
  while (!w->is_done) {
    tn_cond_wait(&w->done, &w->mu);
  }
  const tn_status status = w->status;
  if (status != TN_OK && diag) {
    *diag = w->diag;
  }
  tn_mutex_unlock(&w->mu);
  return status;
}

// To its end.
static tn_status run(const tn_device *device, const tn_adapter_command *command, tn_diag *diag) {
  const tn_adapter_api *api = device->api;
  bool has_run = false;
  TN_TRY(api->try_run(device->adapter_device, command, &has_run, NULL, NULL, diag));
  if (has_run) {
    return TN_OK;
  }
  wait w = {.status = TN_OK};
  tn_mutex_init(&w.mu, TN_RANK_LEAF);
  tn_cond_init(&w.done);
  tn_status status = api->submit(device->adapter_device, command, finish, &w, diag);
  if (status == TN_OK) {
    status = wait_for(&w, device, diag);
  }
  tn_cond_deinit(&w.done);
  tn_mutex_deinit(&w.mu);
  return status;
}

static tn_status write_first(const tn_device *device, const global_object *object, tn_bytes value,
                             tn_diag *diag) {
  static const char zero = 0;
  const tn_adapter_command fill = {.kind = TN_ADAPTER_FILL,
                                   .dst = object->memory,
                                   .size = object->size,
                                   .pattern = &zero,
                                   .pattern_size = 1};
  const tn_adapter_command copy = {
      .kind = TN_ADAPTER_COPY, .dst = object->memory, .src = value.data, .size = object->size};
  if ((device->api->flags & TN_ADAPTER_MEMORY_IS_HOST) != 0) {  // also while a module is entered
    if (value.size > 0) {
      memcpy(object->memory, value.data, object->size);
    } else {
      memset(object->memory, 0, object->size);
    }
    return TN_OK;
  }
  return run(device, value.size > 0 ? &copy : &fill, diag);
}

// ---- Objects

// Of a context that has only a part of the device, that part.
static tn_device *owner_in(const tn_context *context, tn_device *root) {
  for (size_t i = 0; i < context->device_count; i++) {
    if (tn_device_root(context->devices[i]) == root) {
      return context->devices[i];
    }
  }
  return root;
}

static tn_status alloc_memory(const tn_global_scope *scope, tn_device *device,
                              const tn_global_info *info, void **out, tn_diag *diag) {
  if (scope->context) {
    return tn_usm_alloc(scope->context, owner_in(scope->context, device), TN_USM_DEVICE, info->size,
                        info->alignment > 64 ? info->alignment : 64, out, diag);
  }
  if (!TN_ADAPTER_HAS(device->api, memory_alloc)) {
    return TN_FAIL(diag, UNSUPPORTED, "device %s has no memory of its own", device->name);
  }
  return device->api->memory_alloc(device->adapter_device, TN_USM_DEVICE, info->size,
                                   info->alignment > 64 ? info->alignment : 64, out, diag);
}

static tn_status make_object(const tn_global_scope *scope, tn_device *device,
                             const tn_global_info *info, global_object **out, tn_diag *diag) {
  global_object *made = tn_alloc(sizeof(*made));
  *out = made;
  if (!made) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a device global");
  }
  made->device = device;
  made->size = info->size;
  made->name = tn_str_copy(info->name);
  if (!made->name) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a device global");
  }
  TN_TRY(alloc_memory(scope, device, info, &made->memory, diag));
  return write_first(device, made, info->value, diag);
}

static global_object *find_locked(const tn_global_scope *scope, const tn_device *device,
                                  tn_str name) TN_REQUIRES(&scope->mu) {
  global_object *object = scope->objects;
  while (object && (object->device != device || !tn_str_equals(tn_str_from(object->name), name))) {
    object = object->next;
  }
  return object;
}

// Puts `made` in unless another is there; which of them holds.
static global_object *find_or_add(tn_global_scope *scope, const tn_device *device, tn_str name,
                                  global_object *made) {
  tn_mutex_lock(&scope->mu);
  global_object *object = find_locked(scope, device, name);
  if (!object && made) {
    made->next = scope->objects;
    scope->objects = made;
    object = made;
  }
  tn_mutex_unlock(&scope->mu);
  return object;
}

static tn_str shown_name(const tn_global_info *info) {
  return tn_str_slice(info->display_name.size > 0 ? info->display_name : info->name, 0, 300);
}

// Threads that come together each make one, of which the first is kept: no lock is held meanwhile.
tn_status tn_global_scope_get(tn_global_scope *scope, tn_device *device, const tn_global_info *info,
                              void **out, tn_diag *diag) {
  *out = NULL;
  tn_device *root = tn_device_root(device);
  global_object *object = find_or_add(scope, root, info->name, NULL);
  if (!object) {
    global_object *made = NULL;
    const tn_status status = make_object(scope, root, info, &made, diag);
    object = status == TN_OK ? find_or_add(scope, root, info->name, made) : NULL;
    if (made && object != made) {
      free_object(scope, made);
    }
    if (status != TN_OK) {
      tn_diag_prepend(diag, "device global %.*s on %s", TN_STR_ARG(shown_name(info)), root->name);
      return status;
    }
    TN_LOG(program, "device global %.*s on %s: %u bytes at %p", TN_STR_ARG(shown_name(info)),
           root->name, info->size, object->memory);
  }
  if (object->size != info->size) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "device global %.*s has %u bytes here and %zu elsewhere: it is to be declared "
                   "with one type",
                   TN_STR_ARG(shown_name(info)), info->size, object->size);
  }
  *out = object->memory;
  return TN_OK;
}

// The first one holds; later ones go again.
static tn_status scope_of_slot(tn_device_global *slot, tn_global_scope **out, tn_diag *diag) {
  void *_Atomic *place = (void *_Atomic *)(void *)&slot->state;
  *out = atomic_load_explicit(place, memory_order_acquire);
  if (*out) {
    return TN_OK;
  }
  TN_TRY(tn_global_scope_create(NULL, out, diag));
  void *expected = NULL;
  if (!atomic_compare_exchange_strong_explicit(place, &expected, *out, memory_order_acq_rel,
                                               memory_order_acquire)) {
    tn_global_scope_release(*out);
    *out = expected;
  }
  return TN_OK;
}

// In a slot's scope there is one, whose name in images nobody needs.
static tn_global_info describe_slot(const tn_device_global *slot, tn_str shown) {
  return (tn_global_info){.display_name = shown,
                          .name = TN_STR_LIT(""),
                          .size = (uint32_t)slot->size,
                          .alignment = (uint32_t)slot->alignment,
                          .value = tn_bytes_from(slot->value, slot->value ? slot->size : 0)};
}

tn_status tn_device_global_get(tn_device_global *slot, tn_device *device, void **out,
                               tn_diag *diag) {
  if (out) {
    *out = NULL;
  }
  if (!out || !slot || !device || slot->size == 0 || slot->size > UINT32_MAX) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "tn_device_global_get: the device global, the device or the place for the "
                   "address is NULL, or the size is none");
  }
  const tn_global_info info = describe_slot(slot, TN_STR_LIT("of the program"));
  tn_global_scope *scope = NULL;
  TN_TRY(scope_of_slot(slot, &scope, diag));
  return tn_global_scope_get(scope, device, &info, out, diag);
}

// ---- The globals of a program

// What a host object says of itself, apart from its module, which may go: *out_scope, retained, is
// NULL when the module has none of the name. An image may know the global by a declaration only, so
// its value is the object's.
static tn_status read_slot(tn_registered *registered, const tn_global_info *info,
                           tn_global_info *out, tn_global_scope **out_scope, tn_arena *arena,
                           tn_diag *diag) {
  *out_scope = NULL;
  tn_device_global *slot = tn_registered_find_global(registered, info->name);
  if (!slot) {
    return TN_OK;
  }
  *out = describe_slot(slot, info->display_name);
  if (slot->size != info->size) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "device global %.*s has %u bytes in device code and %llu in the program: it is "
                   "to be declared with one type",
                   TN_STR_ARG(shown_name(info)), info->size, (unsigned long long)slot->size);
  }
  void *value = tn_arena_alloc(arena, info->size);
  if (!value) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a device global's value");
  }
  if (out->value.size > 0) {
    memcpy(value, out->value.data, out->value.size);
  }
  out->value.data = value;
  TN_TRY(scope_of_slot(slot, out_scope, diag));
  tn_global_scope_retain(*out_scope);
  return TN_OK;
}

typedef enum module_answer { MODULE_HAS_IT, MODULE_HAS_IT_NOT, MODULE_IS_GONE } module_answer;

// The memory of a device global, and its scope, retained.
typedef struct found_global {
  void *memory;
  tn_global_scope *scope;
} found_global;

// Takes the reference over.
static tn_status get_of_scope(tn_global_scope *scope, tn_device *device, const tn_global_info *info,
                              found_global *out, tn_diag *diag) {
  const tn_status status = tn_global_scope_get(scope, device, info, &out->memory, diag);
  if (status != TN_OK) {
    tn_global_scope_release(scope);
    return status;
  }
  out->scope = scope;
  return TN_OK;
}

// While the module is entered, no device is called.
static tn_status find_in_module(tn_registered *registered, tn_device *device,
                                const tn_global_info *info, module_answer *answer,
                                found_global *out, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_global_info read = *info;
  tn_global_scope *scope = NULL;
  tn_status status = TN_OK;
  *answer = MODULE_IS_GONE;
  if (tn_registered_enter(registered)) {
    status = read_slot(registered, info, &read, &scope, &arena, diag);
    tn_registered_leave(registered);
    *answer = scope ? MODULE_HAS_IT : MODULE_HAS_IT_NOT;
  }
  if (status == TN_OK && scope) {
    status = get_of_scope(scope, device, &read, out, diag);
  }
  tn_arena_deinit(&arena);
  return status;
}

static tn_status get_of_module(tn_registered *registered, tn_device *device,
                               const tn_global_info *info, found_global *out, tn_diag *diag) {
  module_answer answer = MODULE_IS_GONE;
  TN_TRY(find_in_module(registered, device, info, &answer, out, diag));
  if (answer == MODULE_IS_GONE) {
    return TN_FAIL(diag, KERNEL_NOT_FOUND, "device global %.*s: the module that has it is unloaded",
                   TN_STR_ARG(shown_name(info)));
  }
  if (answer == MODULE_HAS_IT) {
    return TN_OK;
  }
  tn_global_scope_retain(&of_files);
  return get_of_scope(&of_files, device, info, out, diag);
}

// One that a source declares and does not define is the application's.
static tn_status get_of_application(tn_link_set *set, tn_device *device, const tn_global_info *info,
                                    found_global *out, tn_diag *diag) {
  TN_TRY(tn_link_set_list(set, diag));
  for (size_t i = 0; i < set->listed.count; i++) {
    module_answer answer = MODULE_IS_GONE;
    TN_TRY(find_in_module(set->listed.items[i], device, info, &answer, out, diag));
    if (answer == MODULE_HAS_IT) {
      return TN_OK;
    }
  }
  return TN_FAIL(diag, BUILD_FAILED,
                 "device global %.*s is declared, but nobody defines it: neither what is linked, "
                 "nor device code of the application",
                 TN_STR_ARG(shown_name(info)));
}

static tn_status find_memory(tn_link_set *set, tn_registered *registered, tn_device *device,
                             const tn_global_info *info, bool is_own, found_global *out,
                             tn_diag *diag) {
  if (!tn_registered_is_hidden(registered)) {
    return get_of_module(registered, device, info, out, diag);
  }
  if (!is_own) {
    return get_of_application(set, device, info, out, diag);
  }
  if (TN_NEVER(!set->scope)) {
    return TN_FAIL(diag, INTERNAL, "device global %.*s has no kernel bundle",
                   TN_STR_ARG(shown_name(info)));
  }
  tn_global_scope_retain(set->scope);
  return get_of_scope(set->scope, device, info, out, diag);
}

static tn_status add_global(tn_link_set *set, const tn_link_member *member, tn_device *device,
                            const tn_global_info *info, tn_diag *diag) {
  tn_linked_global *global = tn_arena_alloc(&set->arena, sizeof(*global));
  if (!global || !tn_list_add(&set->globals, &set->arena, global) ||
      !tn_map_set(&set->globals_by_name, info->name, global)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the device globals of a program");
  }
  global->name = info->name.data;
  global->size = info->size;
  tn_registered *registered = member->owner->registered;
  found_global found = {0};
  global->is_own = tn_registered_is_hidden(registered) && !info->is_declared;
  set->has_own_globals = set->has_own_globals || global->is_own;
  TN_TRY(find_memory(set, registered, device, info, global->is_own, &found, diag));
  global->memory = found.memory;
  global->scope = found.scope;
  return TN_OK;
}

void tn_globals_drop(const tn_link_set *set) {
  for (size_t i = 0; i < set->globals.count; i++) {
    tn_global_scope_release(((const tn_linked_global *)set->globals.items[i])->scope);
  }
}

void tn_globals_release(tn_program *program) {
  for (size_t i = 0; i < program->global_count; i++) {
    tn_global_scope_release(program->globals[i]);
  }
}

void tn_globals_release_all(tn_registered *gone) {
  void *state = tn_registered_pop_global_state(gone);
  for (; state; state = tn_registered_pop_global_state(gone)) {
    tn_global_scope_release(state);
  }
}

static int compare_globals(const void *a, const void *b) {
  const tn_linked_global *const *x = a;
  const tn_linked_global *const *y = b;
  return strcmp((*x)->name, (*y)->name);
}

// What a source defines is not what functions of the application mean by the name.
static tn_status check_known(const tn_linked_global *known, const tn_link_member *member,
                             const tn_global_info *info, tn_diag *diag) {
  if (known->size != info->size) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "device global %.*s has %u bytes in %s and %zu elsewhere: it is to be declared "
                   "with one type",
                   TN_STR_ARG(shown_name(info)), info->size, tn_link_owner_path(member->owner),
                   known->size);
  }
  const bool is_of_source = tn_registered_is_hidden(member->owner->registered);
  if (is_of_source ? !known->is_own && !info->is_declared : known->is_own) {
    return TN_FAIL(diag, BUILD_FAILED,
                   "device global %.*s is defined by a source, and by the application, whose "
                   "functions it uses: declare it extern in the source, or rename one of them",
                   TN_STR_ARG(shown_name(info)));
  }
  return TN_OK;
}

static tn_status resolve(tn_link_set *set, tn_device *device, bool declared, tn_diag *diag) {
  for (size_t m = 0; m < set->members.count; m++) {
    const tn_link_member *member = tn_link_set_at(set, m);
    for (uint32_t i = 0; i < tn_image_global_count(&member->image); i++) {
      const tn_global_info info = tn_image_global_at(&member->image, i);
      const tn_linked_global *known = tn_map_find(&set->globals_by_name, info.name);
      if (info.is_declared != declared) {
        continue;
      }
      if (!known) {
        TN_TRY(add_global(set, member, device, &info, diag));
      } else {
        TN_TRY(check_known(known, member, &info, diag));
      }
    }
  }
  return TN_OK;
}

// Who defines one has its value.
tn_status tn_globals_resolve(tn_link_set *set, tn_device *device, tn_diag *diag) {
  if (set->globals.count > 0) {
    return TN_OK;
  }
  TN_TRY(resolve(set, device, false, diag));
  TN_TRY(resolve(set, device, true, diag));
  if (set->globals.count > 1) {
    qsort((void *)set->globals.items, set->globals.count, sizeof(void *), compare_globals);
  }
  return TN_OK;
}

void tn_globals_key(const tn_link_set *set, tn_buf *out) {
  for (size_t i = 0; i < set->globals.count; i++) {
    const tn_linked_global *global = set->globals.items[i];
    tn_buf_add_format(out, ";%p", global->memory);
  }
}

// Room for `count` addresses behind what the buffer has; NULL without memory.
static uint8_t *extend_specs(tn_program *program, size_t count) {
  enum { BUFFER_ALIGNMENT = 128 };
  const size_t begin = tn_size_align(program->spec_size, sizeof(uint64_t));
  uint8_t *buffer = tn_alloc_aligned(begin + count * sizeof(void *), BUFFER_ALIGNMENT);
  if (!buffer) {
    return NULL;
  }
  if (program->spec_size > 0) {
    memcpy(buffer, program->spec_buffer, program->spec_size);
  }
  tn_free_aligned(program->spec_buffer);
  program->spec_buffer = buffer;
  program->spec_size = begin + count * sizeof(void *);
  return buffer + begin;
}

static bool reserve_scopes(tn_program *program, size_t count) {
  program->globals = tn_arena_alloc_array(&program->arena, count, sizeof(tn_global_scope *));
  return program->globals != NULL;
}

static tn_status no_room(size_t count, tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the addresses of %zu device globals", count);
}

// What was compiled has them in the set's order, machine code in that of its image.
static void write_addresses(const tn_link_set *set, const tn_device *device, uint8_t *out) {
  const tn_image *image = &tn_link_set_at(set, 0)->image;
  const bool is_compiled = tn_image_choice_needs_compiler(image, device);
  const size_t count = is_compiled ? set->globals.count : tn_image_global_count(image);
  for (size_t i = 0; i < count; i++) {
    const tn_linked_global *global =
        is_compiled ? set->globals.items[i]
                    : tn_map_find(&set->globals_by_name,
                                  tn_image_global_at(image, (uint32_t)i).name);
    void *memory = TN_NEVER(!global) ? NULL : global->memory;
    memcpy(out + i * sizeof(void *), &memory, sizeof(memory));
  }
}

tn_status tn_globals_give(const tn_link_set *set, tn_program *program, tn_diag *diag) {
  const size_t count = set->globals.count;
  if (count == 0) {
    return TN_OK;
  }
  if (!tn_program_can_have_specs(program)) {
    const tn_linked_global *first = set->globals.items[0];
    return TN_FAIL(diag, UNSUPPORTED,
                   "device global %.300s: device %s has no device globals in this version",
                   first->name, program->device->name);
  }
  uint8_t *addresses = extend_specs(program, count);
  if (!addresses || !reserve_scopes(program, count)) {
    return no_room(count, diag);
  }
  write_addresses(set, program->device, addresses);
  for (size_t i = 0; i < count; i++) {
    const tn_linked_global *global = set->globals.items[i];
    tn_global_scope_retain(global->scope);
    program->globals[program->global_count++] = global->scope;
  }
  return TN_OK;
}

tn_status tn_globals_add_to_specs(tn_registered *registered, const tn_image *image,
                                  tn_program *program, tn_diag *diag) {
  const uint32_t count = tn_image_global_count(image);
  uint8_t *addresses = count > 0 ? extend_specs(program, count) : NULL;
  if (count > 0 && (!addresses || !reserve_scopes(program, count))) {
    return no_room(count, diag);
  }
  for (uint32_t i = 0; i < count; i++) {
    const tn_global_info info = tn_image_global_at(image, i);
    found_global found = {0};
    TN_TRY(get_of_module(registered, program->device, &info, &found, diag));
    program->globals[program->global_count++] = found.scope;
    memcpy(addresses + i * sizeof(void *), &found.memory, sizeof(found.memory));
  }
  return TN_OK;
}
