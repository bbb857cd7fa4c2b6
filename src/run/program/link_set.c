// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resolves imports as the host's dynamic linker does (docs/dynamic-linking.md).
//
// For each import of each member, in order: the images that are to be looked into first; the module
// that the dynamic linker names for the symbol's marker; then the importer's own module, for
// symbols that it does not show to others; where there is no dynamic linker, the modules in the
// order of registration; then the image files in the order of opening. The first answer holds for
// the whole set: a program has one definition of a symbol.
#include "run/program/link_set.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "run/program/global_memory.h"
#include "run/program/image_choice.h"
#include "run/program/image_fit.h"
#include "run/program/link_message.h"

enum { REASON_SIZE = 512 };

// What a search for one symbol came to.
typedef struct link_answer {
  tn_link_owner *owner;  // NULL: nobody has it
  uint32_t image_index;
  char reason[REASON_SIZE];  // why the one that was found cannot be used
} link_answer;

void tn_link_set_init(tn_link_set *set, bool asks_loader) {
  *set = (tn_link_set){.asks_loader = asks_loader};
  tn_arena_init(&set->arena);
  tn_map_init(&set->chosen);
  tn_map_init(&set->owners_by_record);
  tn_map_init(&set->exports);
  tn_map_init(&set->globals_by_name);
}

void tn_link_set_deinit(tn_link_set *set) {
  tn_globals_drop(set);
  for (size_t i = 0; i < set->owners.count; i++) {
    tn_link_owner *owner = set->owners.items[i];
    tn_registered_unpin(owner->registered);
    tn_registered_release(owner->registered);
  }
  tn_registry_list_destroy(&set->listed);
  tn_map_deinit(&set->chosen);
  tn_map_deinit(&set->owners_by_record);
  tn_map_deinit(&set->exports);
  tn_map_deinit(&set->globals_by_name);
  tn_arena_deinit(&set->arena);
}

static tn_status out_of_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to resolve device symbols");
}

const char *tn_link_owner_path(const tn_link_owner *owner) {
  tn_link_owner *known = (tn_link_owner *)(uintptr_t)owner;
  if (!known->path) {
    tn_buf path;
    tn_buf_init(&path, 8192);
    tn_registered_path(owner->registered, &path);
    known->path = tn_arena_str(owner->arena, tn_str_from(tn_buf_text(&path)));
    tn_buf_deinit(&path);
  }
  return known->path ? known->path : "a module";
}

tn_status tn_link_set_open(tn_link_set *set, tn_registered *registered, tn_link_owner **out,
                           tn_diag *diag) {
  const tn_str key = {(const char *)&registered, sizeof(registered)};
  *out = tn_map_find(&set->owners_by_record, key);
  if (*out) {
    return TN_OK;
  }
  tn_link_owner *owner = tn_arena_alloc(&set->arena, sizeof(*owner));
  if (!owner) {
    return out_of_memory(diag);
  }
  const tn_fatbin *fatbin = NULL;
  TN_TRY(tn_registered_pin(registered, &fatbin, diag));
  tn_link_member **members =
      tn_arena_alloc_array(&set->arena, fatbin->image_count, sizeof(tn_link_member *));
  if (!members || !tn_list_add(&set->owners, &set->arena, owner)) {
    tn_registered_unpin(registered);
    return out_of_memory(diag);
  }
  tn_registered_retain(registered);
  *owner = (tn_link_owner){.registered = registered, .fatbin = fatbin, .arena = &set->arena,
                           .content = fatbin->image_count > 0 ? tn_fatbin_hash(fatbin) : 0,
                           .members = members};
  if (!tn_map_set(&set->owners_by_record, key, owner)) {
    return out_of_memory(diag);  // the set is of no use any more
  }
  *out = owner;
  return TN_OK;
}

// How well the image gives the symbol to a program with `like`; 0: not at all.
static uint32_t fit_of_export(const tn_link_set *set, const tn_image *image, const tn_image *like,
                              tn_str symbol) {
  tn_symbol_info info;
  if (!tn_image_choice_links(image, like, set->device) ||
      !tn_image_export_find(image, symbol, &info)) {
    return 0;
  }
  return set->device ? tn_image_fit(image, set->device) : 1;
}

bool tn_link_owner_find_export(const tn_link_set *set, const tn_link_owner *owner,
                               const tn_image *like, tn_str symbol, uint32_t *out_index) {
  uint32_t best = 0;
  for (uint32_t i = 0; i < owner->fatbin->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(owner->fatbin, i);
    const uint32_t fit = fit_of_export(set, &image, like, symbol);
    if (fit > best) {
      best = fit;
      *out_index = i;
    }
  }
  return best > 0;
}

// "sm_100", when the owner has the symbol for that processor, which is not the device's.
static tn_str find_misfit(const tn_link_set *set, const tn_link_owner *owner, const tn_image *like,
                          tn_str symbol) {
  for (uint32_t i = 0; i < owner->fatbin->image_count && set->device; i++) {
    const tn_image image = tn_fatbin_image_at(owner->fatbin, i);
    tn_symbol_info info;
    if (tn_image_choice_links(&image, like, set->device) &&
        tn_image_export_find(&image, symbol, &info)) {
      return tn_image_processor(&image);
    }
  }
  return (tn_str){0};
}

// Why the module that defines the symbol is of no use.
static void explain(const tn_link_set *set, const tn_link_owner *owner, const tn_image *like,
                    tn_str symbol, link_answer *answer) {
  const tn_str misfit = find_misfit(set, owner, like, symbol);
  if (misfit.size > 0) {
    const tn_str processor = tn_image_processor_of_device(set->device);
    (void)snprintf(answer->reason, sizeof(answer->reason),
                   "%.300s defines it for %.*s, and device %.80s is of %.*s",
                   tn_link_owner_path(owner), TN_STR_ARG(misfit), set->device->name,
                   TN_STR_ARG(processor));
  } else {
    (void)snprintf(answer->reason, sizeof(answer->reason),
                   "%.300s defines it, but has no %s image of it for target %.*s",
                   tn_link_owner_path(owner), tn_image_format_name(like->format),
                   TN_STR_ARG(like->target));
  }
}

tn_status tn_link_set_list(tn_link_set *set, tn_diag *diag) {
  if (!set->is_listed) {
    TN_TRY(tn_registry_list_create(&set->listed, diag));
    set->is_listed = true;
  }
  return TN_OK;
}

// What the dynamic linker binds the symbol to. A definite answer, also when it is of no use: then
// nothing else is searched, because the host would not either.
static tn_status ask_loader(tn_link_set *set, const tn_link_member *importer, tn_str symbol,
                            link_answer *answer, tn_diag *diag) {
  tn_buf name;
  tn_buf_init(&name, 1u << 20);
  tn_export_marker_name(&name, symbol);
  tn_status status = tn_buf_status(&name, diag);
  const void *address = NULL;
  if (status == TN_OK) {
    address = tn_registered_resolve(importer->owner->registered, tn_buf_text(&name));
  }
  tn_buf_deinit(&name);
  tn_export_marker marker = {0};
  if (!address || !tn_registry_read_loaded(address, &marker, sizeof(marker))) {
    return status;
  }
  tn_registered *registered = tn_registry_find(marker.module);
  if (!registered) {
    (void)snprintf(answer->reason, sizeof(answer->reason), "the module that defines it is not "
                   "registered with this runtime%s",
                   tn_registry_lost_count() > 0 ? ", because memory was short when it was loaded"
                                                : " (is it just being unloaded?)");
    return TN_OK;
  }
  tn_link_owner *owner = NULL;
  status = tn_link_set_open(set, registered, &owner, diag);
  tn_registered_release(registered);
  if (status != TN_OK) {
    tn_diag_prepend(diag, "defines %.*s", TN_STR_ARG(symbol));
  } else if (tn_link_owner_find_export(set, owner, &importer->image, symbol,
                                       &answer->image_index)) {
    answer->owner = owner;
  } else {
    explain(set, owner, &importer->image, symbol, answer);
  }
  return status;
}

// Behind the others of its symbol, if it is not the first.
static bool note_export(tn_link_set *set, tn_link_owner *owner, uint32_t image_index,
                        tn_str symbol) {
  tn_link_export *noted = tn_arena_alloc(&set->arena, sizeof(*noted));
  if (!noted) {
    return false;
  }
  *noted = (tn_link_export){.owner = owner, .image_index = image_index};
  tn_link_export *last = tn_map_find(&set->exports, symbol);
  if (!last) {
    return tn_map_set(&set->exports, symbol, noted);
  }
  while (last->next) {
    last = last->next;
  }
  last->next = noted;
  return true;
}

static bool note_exports(tn_link_set *set, tn_link_owner *owner) {
  for (uint32_t i = 0; i < owner->fatbin->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(owner->fatbin, i);
    for (uint32_t e = 0; e < tn_image_export_count(&image); e++) {
      if (!note_export(set, owner, i, tn_image_export_at(&image, e).name)) {
        return false;
      }
    }
  }
  return true;
}

// Modules in the order of registration (only without a dynamic linker), then files. Damaged images
// that may not even be concerned do not stop the search.
static tn_status note_registry(tn_link_set *set, tn_diag *diag) {
  TN_TRY(tn_link_set_list(set, diag));
  for (size_t i = 0; i < set->listed.count; i++) {
    tn_registered *registered = set->listed.items[i];
    if (tn_registered_address(registered) && set->asks_loader) {
      continue;
    }
    tn_link_owner *owner = NULL;
    tn_diag reason = {0};
    const tn_status status = tn_link_set_open(set, registered, &owner, &reason);
    if (status == TN_OUT_OF_MEMORY || (status == TN_OK && !note_exports(set, owner))) {
      return out_of_memory(diag);
    }
    if (status != TN_OK) {
      TN_LOG(program, "left out: %s", reason.text);
    }
  }
  set->has_exports = true;
  return TN_OK;
}

static tn_status ask_registry(tn_link_set *set, const tn_link_member *importer, tn_str symbol,
                              link_answer *answer, tn_diag *diag) {
  if (!set->has_exports) {
    TN_TRY(note_registry(set, diag));
  }
  const tn_link_export *found = tn_map_find(&set->exports, symbol);
  for (; found && !answer->owner; found = found->next) {
    if (tn_link_owner_find_export(set, found->owner, &importer->image, symbol,
                                  &answer->image_index)) {
      answer->owner = found->owner;
    }
  }
  return TN_OK;
}

// The images that whoever asks for the program named himself, in their order.
static tn_status ask_first(tn_link_set *set, const tn_link_member *importer, tn_str symbol,
                           link_answer *answer, tn_diag *diag) {
  for (size_t i = 0; i < set->first_count; i++) {
    tn_link_owner *owner = NULL;
    TN_TRY(tn_link_set_open(set, set->first[i].registered, &owner, diag));
    const tn_image image = tn_fatbin_image_at(owner->fatbin, set->first[i].image_index);
    if (fit_of_export(set, &image, &importer->image, symbol) > 0) {
      answer->owner = owner;
      answer->image_index = set->first[i].image_index;
      return TN_OK;
    }
  }
  return TN_OK;
}

static tn_status find_provider(tn_link_set *set, const tn_link_member *importer, tn_str symbol,
                               link_answer *answer, tn_diag *diag) {
  answer->owner = NULL;
  answer->reason[0] = '\0';
  TN_TRY(ask_first(set, importer, symbol, answer, diag));
  if (answer->owner) {
    return TN_OK;
  }
  if (set->asks_loader) {
    TN_TRY(ask_loader(set, importer, symbol, answer, diag));
    if (answer->owner || answer->reason[0] != '\0') {
      return TN_OK;
    }
  }
  if (tn_link_owner_find_export(set, importer->owner, &importer->image, symbol,
                                &answer->image_index)) {
    answer->owner = importer->owner;
    return TN_OK;
  }
  return ask_registry(set, importer, symbol, answer, diag);
}

static tn_status add_member(tn_link_set *set, tn_link_owner *owner, uint32_t image_index,
                            tn_link_member **out, tn_diag *diag) {
  *out = owner->members[image_index];
  if (*out) {
    return TN_OK;
  }
  tn_link_member *member = tn_arena_alloc(&set->arena, sizeof(*member));
  if (!member || !tn_list_add(&set->members, &set->arena, member)) {
    return out_of_memory(diag);
  }
  member->owner = owner;
  member->image_index = image_index;
  member->image = tn_fatbin_image_at(owner->fatbin, image_index);
  owner->members[image_index] = member;
  *out = member;
  return TN_OK;
}

static tn_status choose(tn_link_set *set, const tn_symbol_info *import, const link_answer *answer,
                        tn_diag *diag) {
  tn_link_member *member = NULL;
  TN_TRY(add_member(set, answer->owner, answer->image_index, &member, diag));
  const char *name = tn_arena_str(&set->arena, import->name);
  if (!name || !tn_list_add(&member->take, &set->arena, name) ||
      !tn_map_set(&set->chosen, import->name, member)) {
    return out_of_memory(diag);
  }
  TN_LOG(program, "%s: from %s, image %u", name, tn_link_owner_path(answer->owner),
         answer->image_index);
  return TN_OK;
}

static tn_status resolve_import(tn_link_set *set, const tn_link_member *importer,
                                const tn_symbol_info *import, tn_diag *diag) {
  const tn_link_member *chosen = tn_map_find(&set->chosen, import->name);
  link_answer answer;
  if (chosen) {
    // Asked again only to know whether this module alone would get the same one.
    const tn_status status = find_provider(set, importer, import->name, &answer, NULL);
    set->has_conflict = set->has_conflict || status != TN_OK || answer.owner != chosen->owner;
    return TN_OK;
  }
  TN_TRY(find_provider(set, importer, import->name, &answer, diag));
  if (answer.owner) {
    return choose(set, import, &answer, diag);
  }
  if ((import->flags & TN_SYMBOL_WEAK) != 0) {
    TN_LOG(program, "%.*s: weak and not resolved", TN_STR_ARG(import->name));
    return TN_OK;
  }
  return tn_link_message_unresolved(set, importer, import, answer.reason, diag);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Sorts what is taken, and sees whether a member defines a symbol that the set takes elsewhere.
static void finish(tn_link_set *set) {
  for (size_t i = 0; i < set->members.count; i++) {
    tn_link_member *member = tn_link_set_at(set, i);
    if (member->take.count > 1) {
      qsort(member->take.items, member->take.count, sizeof(void *), compare_names);
    }
    for (uint32_t e = 0; e < tn_image_export_count(&member->image); e++) {
      const tn_symbol_info export = tn_image_export_at(&member->image, e);
      const tn_link_member *chosen = tn_map_find(&set->chosen, export.name);
      set->has_conflict = set->has_conflict || (chosen && chosen != member);
    }
  }
}

tn_status tn_link_set_collect(tn_link_set *set, tn_link_owner *owner, uint32_t image_index,
                              tn_diag *diag) {
  tn_link_member *first = NULL;
  TN_TRY(add_member(set, owner, image_index, &first, diag));
  for (size_t i = 0; i < set->members.count; i++) {  // grows as members bring their own imports
    const tn_link_member *member = tn_link_set_at(set, i);
    const uint32_t count = tn_image_import_count(&member->image);
    for (uint32_t m = 0; m < count; m++) {
      const tn_symbol_info import = tn_image_import_at(&member->image, m);
      TN_TRY(resolve_import(set, member, &import, diag));
    }
  }
  finish(set);
  TN_LOG(program, "%s: %zu images make the program", tn_link_owner_path(owner), set->members.count);
  return TN_OK;
}

void tn_link_set_key(const tn_link_set *set, tn_buf *out) {
  for (size_t i = 0; i < set->members.count; i++) {
    const tn_link_member *member = tn_link_set_at(set, i);
    tn_buf_add_format(out, "%016llx:%zu:%u:%zu", (unsigned long long)member->owner->content,
                      member->owner->fatbin->bytes.size, member->image_index, member->take.count);
    for (size_t t = 0; t < member->take.count; t++) {
      tn_buf_add_format(out, ",%s", (const char *)member->take.items[t]);
    }
    tn_buf_add_char(out, ';');
  }
}
