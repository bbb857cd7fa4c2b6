// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device link's resolution: first definitions win as with the host's linker, strong before
// weak; a source with kernels is joined by the units that define what its code reaches, so that its
// image needs nobody at run time (seed 000).
#include "compile/pipeline/resolve.h"

#include "base/host_function.h"
#include "compile/pipeline/odr_check.h"

#include <stdlib.h>

typedef struct definition {
  size_t unit;
  bool is_kernel;
  uint32_t flags;
  uint32_t line;
  tn_str file;
  uint32_t arg_size;
} definition;

typedef struct reporter {
  tn_resolve *resolve;
  tn_buf *messages;
  size_t errors;
  const char *first;
  // The last definition found twice, reported or not.
  const char *last;
  size_t last_unit;
  uint64_t last_line;
} reporter;

static tn_status no_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link device code");
}

void tn_resolve_deinit(tn_resolve *resolve) { tn_map_deinit(&resolve->definitions); }

static const char *name_of(const tn_resolve *resolve, size_t unit) {
  return resolve->units[unit].input->name;
}

static void add_error(reporter *r, const definition *old, const definition *again,
                      const char *sentence) {
  const tn_place here = {again->file, again->line, 0};
  const tn_place there = {old->file, old->line, 0};
  tn_place_write(r->messages, here, name_of(r->resolve, again->unit));
  tn_buf_add_format(r->messages, "error: %s, in %s\n", sentence, name_of(r->resolve, again->unit));
  tn_place_write(r->messages, there, name_of(r->resolve, old->unit));
  tn_buf_add_format(r->messages, "note: also defined here, in %s\n",
                    name_of(r->resolve, old->unit));
  if (r->errors++ == 0) {
    r->first = tn_arena_format(r->resolve->arena, "%s, in %s and in %s", sentence,
                               name_of(r->resolve, old->unit), name_of(r->resolve, again->unit));
  }
}

static void check_again(reporter *r, tn_str symbol, definition *old, const definition *again) {
  tn_arena *arena = r->resolve->arena;
  const char *sentence = NULL;
  if (again->is_kernel && old->is_kernel) {
    if (old->arg_size == again->arg_size) {
      return;
    }
    const char *shown = tn_demangle_kernel(arena, symbol);
    sentence = tn_arena_format(arena, "kernel name '%s' is used for two different kernels",
                               shown ? shown : "?");
  } else if (((old->flags | again->flags) & TN_SYMBOL_WEAK) == 0) {
    const char *shown = tn_demangle(arena, symbol);
    sentence = tn_arena_format(arena, "SYCL_EXTERNAL function '%s' is defined twice",
                               shown ? shown : "?");
  } else {
    if ((again->flags & TN_SYMBOL_WEAK) == 0) {
      *old = *again;
    }
    return;
  }
  sentence = sentence ? sentence : "a symbol is defined twice";
  // A constructor is two symbols of one name: that of a whole object and that of a base.
  const bool is_reported = r->last && strcmp(r->last, sentence) == 0 &&
                           r->last_line == again->line && r->last_unit == again->unit;
  r->last = sentence;
  r->last_line = again->line;
  r->last_unit = again->unit;
  if (!is_reported) {
    add_error(r, old, again, sentence);
  }
}

static bool define(reporter *r, tn_str symbol, const definition *what) {
  definition *old = tn_map_find(&r->resolve->definitions, symbol);
  if (old) {
    check_again(r, symbol, old, what);
    return true;
  }
  definition *fresh = tn_arena_alloc(r->resolve->arena, sizeof(*fresh));
  if (!fresh) {
    return false;
  }
  *fresh = *what;
  return tn_map_set(&r->resolve->definitions, symbol, fresh);
}

static bool define_unit(reporter *r, size_t unit) {
  const tn_unit_symbols *symbols = &r->resolve->units[unit].symbols;
  bool good = true;
  for (size_t i = 0; i < symbols->kernel_count && good; i++) {
    const tn_kernel_info *k = &symbols->kernels[i];
    const definition what = {unit, true, 0, k->line, k->file, k->arg_size};
    good = define(r, k->name, &what);
  }
  for (size_t i = 0; i < symbols->export_count && good; i++) {
    const tn_symbol_info *e = &symbols->exports[i];
    const definition what = {unit, false, e->flags, e->line, e->file, 0};
    good = define(r, e->name, &what);
  }
  return good;
}

tn_status tn_resolve_init(tn_resolve *resolve, tn_arena *arena, const tn_link_input *inputs,
                          size_t count, tn_buf *messages, tn_diag *diag) {
  *resolve = (tn_resolve){.arena = arena, .unit_count = count};
  tn_map_init(&resolve->definitions);
  resolve->units = tn_arena_alloc_array(arena, count + 1, sizeof(*resolve->units));
  if (!resolve->units) {
    return no_memory(diag);
  }
  reporter r = {.resolve = resolve, .messages = messages};
  for (size_t i = 0; i < count; i++) {
    resolve->units[i].input = &inputs[i];
    TN_TRY(tn_unit_symbols_read(&inputs[i], arena, &resolve->units[i].symbols, diag));
    if (!define_unit(&r, i)) {
      return no_memory(diag);
    }
  }
  if (r.errors > 0) {
    return TN_FAIL(diag, BUILD_FAILED, "%s",
                   r.first ? r.first : "a device symbol is defined twice");
  }
  return messages ? tn_odr_check(resolve, messages, diag) : TN_OK;
}

tn_status tn_resolve_missing(const tn_resolve *resolve, tn_list *out, tn_diag *diag) {
  tn_map seen;
  tn_map_init(&seen);
  bool good = true;
  for (size_t u = 0; u < resolve->unit_count && good; u++) {
    const tn_unit_symbols *symbols = &resolve->units[u].symbols;
    for (size_t i = 0; i < symbols->import_count && good; i++) {
      tn_symbol_info *import = &symbols->imports[i];
      tn_symbol_info *known = tn_map_find(&seen, import->name);
      if (known) {
        known->flags &= import->flags;
      } else if (!tn_map_find(&resolve->definitions, import->name)) {
        good = tn_map_set(&seen, import->name, import) &&
               tn_list_add(out, resolve->arena, import);
      }
    }
  }
  tn_map_deinit(&seen);
  return good ? TN_OK : no_memory(diag);
}

// Adds the units that define what unit `from` imports. A unit without kernels asks only for what
// the others hide: all else it can import at run time.
static void add_lenders(const tn_resolve *resolve, size_t from, bool has_kernels, bool *is_in,
                        tn_resolve_group *group) {
  const tn_unit_symbols *symbols = &resolve->units[from].symbols;
  for (size_t i = 0; i < symbols->import_count; i++) {
    const definition *found = tn_map_find(&resolve->definitions, symbols->imports[i].name);
    if (found && !is_in[found->unit] &&
        (has_kernels || (found->flags & TN_SYMBOL_HIDDEN) != 0)) {
      is_in[found->unit] = true;
      group->units[group->unit_count++] = found->unit;
    }
  }
}

static int compare_names(const void *a, const void *b) {
  return tn_str_compare(*(const tn_str *)a, *(const tn_str *)b);
}

static void keep_if_own(const tn_resolve *resolve, tn_resolve_group *group, size_t unit,
                        tn_str symbol) {
  const definition *found = tn_map_find(&resolve->definitions, symbol);
  if (found && found->unit == unit && (found->flags & TN_SYMBOL_HIDDEN) == 0) {
    group->kept[group->kept_count++] = symbol;
  }
}

static tn_status keep_own(const tn_resolve *resolve, tn_resolve_group *group, tn_diag *diag) {
  size_t most = 1;
  for (size_t i = 0; i < group->own_count; i++) {
    const tn_unit_symbols *symbols = &resolve->units[group->units[i]].symbols;
    most += symbols->kernel_count + symbols->export_count;
  }
  group->kept = tn_arena_alloc_array(resolve->arena, most, sizeof(*group->kept));
  if (!group->kept) {
    return no_memory(diag);
  }
  for (size_t i = 0; i < group->own_count; i++) {
    const size_t unit = group->units[i];
    const tn_unit_symbols *symbols = &resolve->units[unit].symbols;
    for (size_t k = 0; k < symbols->kernel_count; k++) {
      keep_if_own(resolve, group, unit, symbols->kernels[k].name);
    }
    for (size_t e = 0; e < symbols->export_count; e++) {
      keep_if_own(resolve, group, unit, symbols->exports[e].name);
    }
  }
  qsort(group->kept, group->kept_count, sizeof(*group->kept), compare_names);
  return TN_OK;
}

// What all groups are made with, each time for a unit of its own.
typedef struct group_scratch {
  size_t *units;  // the group's, as they are found
  bool *is_in;    // all false between groups
} group_scratch;

static tn_status make_group(tn_resolve *resolve, tn_resolve_group *group, const size_t *own,
                            size_t own_count, const group_scratch *scratch, tn_diag *diag) {
  group->units = scratch->units;
  bool has_kernels = false;
  for (size_t i = 0; i < own_count; i++) {
    group->units[group->unit_count++] = own[i];
    scratch->is_in[own[i]] = true;
    has_kernels = has_kernels || resolve->units[own[i]].symbols.kernel_count > 0;
  }
  group->own_count = own_count;
  for (size_t i = 0; i < group->unit_count; i++) {
    add_lenders(resolve, group->units[i], has_kernels, scratch->is_in, group);
  }
  for (size_t i = 0; i < group->unit_count; i++) {
    scratch->is_in[group->units[i]] = false;
  }
  group->units =
      tn_arena_alloc_array(resolve->arena, group->unit_count, sizeof(*group->units));
  if (!group->units) {
    return no_memory(diag);
  }
  memcpy(group->units, scratch->units, group->unit_count * sizeof(*group->units));
  return keep_own(resolve, group, diag);
}

tn_status tn_resolve_make_groups(tn_resolve *resolve, tn_split_mode split, tn_diag *diag) {
  const size_t count = split == TN_SPLIT_OFF ? 1 : resolve->unit_count;
  tn_arena *arena = resolve->arena;
  size_t *all = tn_arena_alloc_array(arena, resolve->unit_count + 1, sizeof(*all));
  const group_scratch scratch = {
      .units = tn_arena_alloc_array(arena, resolve->unit_count + 1, sizeof(*scratch.units)),
      .is_in = tn_arena_alloc_array(arena, resolve->unit_count + 1, sizeof(*scratch.is_in)),
  };
  resolve->groups = tn_arena_alloc_array(arena, count + 1, sizeof(*resolve->groups));
  if (!all || !scratch.units || !scratch.is_in || !resolve->groups) {
    return no_memory(diag);
  }
  for (size_t i = 0; i < resolve->unit_count; i++) {
    all[i] = i;
  }
  for (size_t i = 0; i < count; i++) {
    tn_resolve_group *group = &resolve->groups[resolve->group_count];
    const size_t own = split == TN_SPLIT_OFF ? resolve->unit_count : 1;
    TN_TRY(make_group(resolve, group, all + i, own, &scratch, diag));
    if (group->kept_count > 0) {
      resolve->group_count++;
    } else {
      *group = (tn_resolve_group){0};
    }
  }
  return TN_OK;
}

bool tn_resolve_is_library(const tn_resolve *resolve, tn_str symbol) {
  return tn_is_host_function(symbol) && !tn_map_find(&resolve->definitions, symbol);
}

bool tn_resolve_is_kept(const tn_resolve_group *group, tn_str symbol) {
  return group->kept_count > 0 && bsearch(&symbol, group->kept, group->kept_count,
                                          sizeof(*group->kept), compare_names) != NULL;
}
