// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bundles from the modules there are: what is asked for, checked word by word against seed 004.
#include "base/alloc.h"
#include "base/log.h"
#include "run/bundle/bundle_choice.h"
#include "run/bundle/bundle_object.h"

static tn_status check_devices(const tn_bundle_query *query, tn_diag *diag) {
  if (!query->devices || query->device_count == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "a kernel bundle needs at least one device");
  }
  for (size_t i = 0; i < query->device_count; i++) {
    if (!query->devices[i]) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "a kernel bundle's device %zu is NULL", i);
    }
    if (!tn_context_has_device(query->context, query->devices[i])) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "device %s is not one of the context's, nor a part of one of them: a kernel "
                     "bundle can only be for devices of its context",
                     query->devices[i]->name);
    }
  }
  return TN_OK;
}

static tn_status check_query(const char *function, const tn_bundle_query *query, tn_diag *diag) {
  if (query && (query->struct_size > sizeof(*query) || query->reserved != 0)) {
    return TN_FAIL(
        diag, INVALID_ARGUMENT,
        "%s: the query is of a newer version: its struct_size is %u and its reserved %u, "
        "but this library knows %zu and 0; set them so, or install the newer library",
        function, query->struct_size, query->reserved, sizeof(*query));
  }
  if (!query || query->struct_size < sizeof(*query)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "%s: the query is NULL or its struct_size is too small; set it to "
                   "sizeof(tn_bundle_query)",
                   function);
  }
  if (query->state < TN_BUNDLE_INPUT || query->state > TN_BUNDLE_EXECUTABLE) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: %d is no state of kernel bundles", function,
                   (int)query->state);
  }
  if (!query->context) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: the context is NULL", function);
  }
  for (size_t i = 0; query->has_ids && i < query->id_count; i++) {
    if (!query->ids || !query->ids[i]) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "%s: kernel id %zu is NULL", function, i);
    }
  }
  return check_devices(query, diag);
}

// The first device that has no online compiler (INPUT) or linker (OBJECT); NULL when all do.
static const tn_device *find_lacking(const tn_bundle_query *query) {
  const uint32_t aspect =
      query->state == TN_BUNDLE_INPUT ? TN_ASPECT_ONLINE_COMPILER : TN_ASPECT_ONLINE_LINKER;
  for (size_t i = 0; query->state != TN_BUNDLE_EXECUTABLE && i < query->device_count; i++) {
    uint64_t aspects = 0;
    if (tn_device_get_info(query->devices[i], TN_DEVICE_INFO_ASPECTS, &aspects, sizeof(aspects),
                           NULL, NULL) != TN_OK ||
        (aspects >> aspect & 1) == 0) {
      return query->devices[i];
    }
  }
  return NULL;
}

// A module with its images pinned; `fatbin` NULL: it is unloaded, though others may have it pinned.
typedef struct open_module {
  tn_bundle_module *module;
  const tn_fatbin *fatbin;
} open_module;

// A module may be unloaded at any time: that is no failure of who goes through all of them.
static tn_status unless_gone(tn_status status, const tn_diag *reason, tn_diag *diag) {
  if (status == TN_OK || status == TN_KERNEL_NOT_FOUND) {
    return TN_OK;
  }
  if (diag) {
    *diag = *reason;
  }
  return status;
}

static tn_status pin_module(tn_bundle_module *module, open_module *out, tn_diag *diag) {
  *out = (open_module){module, NULL};
  if (!tn_registered_is_listed(module->registered)) {
    return TN_OK;
  }
  tn_diag reason;
  return unless_gone(tn_registered_pin(module->registered, &out->fatbin, &reason), &reason, diag);
}

static void unpin_module(const open_module *opened) {
  if (opened->fatbin) {
    tn_registered_unpin(opened->module->registered);
  }
}

// Calls `fn` with each module of the program, in the order of registration, until *out_done.
typedef tn_status (*module_fn)(void *user, const open_module *opened, bool *out_done,
                               tn_diag *diag);

static tn_status visit_module(tn_registered *registered, module_fn fn, void *user, bool *out_done,
                              tn_diag *diag) {
  tn_bundle_module *module = NULL;
  tn_diag reason;
  tn_status status = tn_bundle_module_open(registered, &module, &reason);
  if (!module) {
    return unless_gone(status, &reason, diag);
  }
  open_module opened;
  status = pin_module(module, &opened, diag);
  if (status == TN_OK && opened.fatbin) {
    status = fn(user, &opened, out_done, diag);
  }
  unpin_module(&opened);
  tn_bundle_module_release(module);
  return status;
}

static tn_status for_each_module(module_fn fn, void *user, tn_diag *diag) {
  tn_registry_list list;
  TN_TRY(tn_registry_list_create(&list, diag));
  tn_status status = TN_OK;
  bool is_done = false;
  for (size_t i = 0; status == TN_OK && !is_done && i < list.count; i++) {
    if (tn_registered_address(list.items[i])) {  // files are no part of the program
      status = visit_module(list.items[i], fn, user, &is_done, diag);
    }
  }
  tn_registry_list_destroy(&list);
  return status;
}

static bool can_represent(const open_module *opened, const tn_kernel_id *id, int32_t state,
                          tn_device *const *devices, size_t device_count) {
  bool found = false;
  for (size_t d = 0; opened->fatbin && !found && d < device_count; d++) {
    found = tn_bundle_can_represent(opened->module, opened->fatbin, id, state, devices[d]);
  }
  return found;
}

// Why none of the devices can run the kernel.
static tn_status fail_incompatible(const open_module *opened, const tn_kernel_id *id,
                                   const tn_bundle_draft *draft, tn_diag *diag) {
  if (!opened->fatbin) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "kernel %.300s: its module is unloaded", id->name);
  }
  tn_diag reason;
  TN_IGNORE(
      tn_program_fail_device(opened->fatbin, id->symbol, id->name, draft->devices[0], &reason),
      "its sentence is what is wanted");
  if (draft->device_count == 1) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s", reason.text);
  }
  return TN_FAIL(diag, INVALID_ARGUMENT,
                 "%.900s; nor can the other %zu devices of the bundle run "
                 "it",
                 reason.text, draft->device_count - 1);
}

// What a query has come to so far.
typedef struct collection {
  const tn_bundle_query *query;
  tn_bundle_draft *draft;
} collection;

static tn_status add_image(const collection *c, const tn_bundle_choice *choice, uint32_t index,
                           tn_device **few, tn_diag *diag) {
  size_t count = 0;
  for (size_t d = 0; d < choice->device_count; d++) {
    if (choice->is_chosen[index * choice->device_count + d]) {
      few[count++] = choice->devices[d];
    }
  }
  if (count == 0) {
    return TN_OK;
  }
  tn_bundle_image *image = NULL;
  TN_TRY(tn_bundle_image_create(choice->module, index, choice->state, few, count, &image, diag));
  return tn_bundle_draft_add(c->draft, image, diag);
}

static tn_status add_images(const collection *c, const open_module *opened, const bool *wanted,
                            tn_diag *diag) {
  tn_bundle_choice choice = {.module = opened->module,
                             .fatbin = opened->fatbin,
                             .state = c->draft->state,
                             .devices = c->draft->devices,
                             .device_count = c->draft->device_count};
  tn_device **few = tn_alloc_array(choice.device_count, sizeof(tn_device *));
  tn_status status = few ? tn_bundle_choice_make(&choice, wanted, diag)
                         : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a kernel bundle");
  for (uint32_t i = 0; status == TN_OK && i < opened->fatbin->image_count; i++) {
    status = add_image(c, &choice, i, few, diag);
  }
  tn_bundle_choice_deinit(&choice);
  tn_free((void *)few);
  return status;
}

static tn_status add_all_of_module(void *user, const open_module *opened, bool *out_done,
                                   tn_diag *diag) {
  (void)out_done;
  return add_images(user, opened, NULL, diag);
}

// The ids that are of the module, as flags; each has to be compatible with some device.
static tn_status mark_wanted(const collection *c, const open_module *opened, bool *wanted,
                             tn_diag *diag) {
  const tn_bundle_query *query = c->query;
  for (size_t i = 0; i < query->id_count; i++) {
    const tn_kernel_id *id = query->ids[i];
    if (id->module != opened->module || wanted[id - opened->module->kernels]) {
      continue;
    }
    if (!can_represent(opened, id, TN_BUNDLE_EXECUTABLE, c->draft->devices,
                       c->draft->device_count)) {
      return fail_incompatible(opened, id, c->draft, diag);
    }
    wanted[id - opened->module->kernels] = true;
  }
  return TN_OK;
}

static tn_status add_wanted_of_module(const collection *c, tn_bundle_module *module,
                                      tn_diag *diag) {
  open_module opened;
  TN_TRY(pin_module(module, &opened, diag));
  bool *wanted = tn_alloc_array(module->kernel_count + 1, sizeof(*wanted));
  tn_status status = wanted ? mark_wanted(c, &opened, wanted, diag)
                            : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a kernel bundle");
  if (status == TN_OK) {
    status = add_images(c, &opened, wanted, diag);
  }
  tn_free(wanted);
  unpin_module(&opened);
  return status;
}

static bool is_first_of_module(const tn_bundle_query *query, size_t index) {
  for (size_t i = 0; i < index; i++) {
    if (query->ids[i]->module == query->ids[index]->module) {
      return false;
    }
  }
  return true;
}

static tn_status collect(const collection *c, tn_diag *diag) {
  if (!c->query->has_ids) {
    return for_each_module(add_all_of_module, (void *)(uintptr_t)c, diag);
  }
  tn_status status = TN_OK;
  for (size_t i = 0; status == TN_OK && i < c->query->id_count; i++) {
    if (is_first_of_module(c->query, i)) {
      status = add_wanted_of_module(c, c->query->ids[i]->module, diag);
    }
  }
  return status;
}

// Leaves out what the caller does not want.
static tn_status select_images(const tn_bundle_query *query, tn_bundle_draft *draft,
                               tn_diag *diag) {
  const size_t count = draft->image_count;
  size_t kept = 0;
  int answer = 0;
  for (size_t i = 0; i < count; i++) {
    tn_bundle_image *image = draft->images[i];
    answer = answer < 0 ? answer : query->select(query->user, image);
    if (answer != 0) {
      draft->images[kept++] = image;
    } else {
      tn_bundle_image_release(image);
    }
  }
  draft->image_count = kept;
  return answer < 0 ? TN_FAIL(diag, INVALID_ARGUMENT,
                              "the selector of device images ended the query with %d", answer)
                    : TN_OK;
}

static tn_status build_images(const tn_bundle_draft *draft, tn_diag *diag) {
  tn_status status = TN_OK;
  for (size_t i = 0; status == TN_OK && i < draft->image_count; i++) {
    status = tn_bundle_image_build(draft->images[i], NULL, 0, diag);
  }
  return status;
}

tn_status tn_bundle_get(const tn_bundle_query *query, tn_bundle **out, tn_diag *diag) {
  TN_NOT_NULL(out, "place for the kernel bundle", diag);
  *out = NULL;
  TN_TRY(check_query("tn_bundle_get", query, diag));
  const tn_device *lacking = find_lacking(query);
  if (lacking) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "device %s has no aspect::online_%s, which a kernel bundle in state %s needs",
                   lacking->name, query->state == TN_BUNDLE_INPUT ? "compiler" : "linker",
                   tn_bundle_state_name(query->state));
  }
  tn_program_reap();
  tn_bundle_draft draft;
  TN_TRY(tn_bundle_draft_init(&draft, query->state, query->context, query->devices,
                              query->device_count, diag));
  const collection c = {.query = query, .draft = &draft};
  tn_status status = collect(&c, diag);
  if (status == TN_OK && query->select) {
    status = select_images(query, &draft, diag);
  }
  if (status == TN_OK && query->state == TN_BUNDLE_EXECUTABLE) {
    status = build_images(&draft, diag);
  }
  if (status == TN_OK) {
    status = tn_bundle_create(&draft, out, diag);
  }
  tn_bundle_draft_deinit(&draft);
  return status;
}

// Looks for one kernel that the state can have.
typedef struct search {
  const tn_bundle_query *query;
  bool found;
} search;

static tn_status search_module(void *user, const open_module *opened, bool *out_done,
                               tn_diag *diag) {
  (void)diag;
  search *s = user;
  for (size_t k = 0; !s->found && k < opened->module->kernel_count; k++) {
    s->found = can_represent(opened, &opened->module->kernels[k], s->query->state,
                             s->query->devices, s->query->device_count);
  }
  *out_done = s->found;
  return TN_OK;
}

static tn_status search_ids(const tn_bundle_query *query, bool *out_found, tn_diag *diag) {
  *out_found = true;
  tn_status status = TN_OK;
  for (size_t i = 0; status == TN_OK && *out_found && i < query->id_count; i++) {
    tn_bundle_module *module = query->ids[i]->module;
    *out_found = false;
    for (size_t d = 0; status == TN_OK && module && !*out_found && d < query->device_count; d++) {
      tn_diag reason;
      status = unless_gone(tn_bundle_module_supports(module, query->ids[i], query->state,
                                                     query->devices[d], out_found, &reason),
                           &reason, diag);
    }
  }
  return status;
}

tn_status tn_bundle_exists(const tn_bundle_query *query, int *out, tn_diag *diag) {
  TN_NOT_NULL(out, "place for the answer", diag);
  *out = 0;
  TN_TRY(check_query("tn_bundle_exists", query, diag));
  if (find_lacking(query)) {
    return TN_OK;
  }
  search s = {.query = query};
  if (query->has_ids) {
    TN_TRY(search_ids(query, &s.found, diag));
  } else {
    TN_TRY(for_each_module(search_module, &s, diag));
  }
  *out = s.found ? 1 : 0;
  return TN_OK;
}

tn_status tn_kernel_ids_are_compatible(tn_kernel_id *const *ids, size_t count, tn_device *device,
                                       int *out, tn_diag *diag) {
  TN_NOT_NULL(out, "place for the answer", diag);
  *out = 0;
  TN_NOT_NULL(device, "device", diag);
  TN_NOT_NULL(ids || count == 0, "array of ids", diag);
  const tn_bundle_query query = {.state = TN_BUNDLE_EXECUTABLE,
                                 .devices = &device,
                                 .device_count = 1,
                                 .ids = ids,
                                 .id_count = count};
  for (size_t i = 0; i < count; i++) {
    if (!ids[i]) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "tn_kernel_ids_are_compatible: id %zu is NULL", i);
    }
  }
  bool found = false;
  TN_TRY(search_ids(&query, &found, diag));
  *out = found ? 1 : 0;
  return TN_OK;
}
