// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what symbol lists say of code that several units define.
#include "compile/pipeline/odr_check.h"

enum { WARNINGS_MAXIMUM = 20 };

typedef struct seen_code {
  const tn_resolve_unit *unit;
  const tn_unit_definition *definition;
  bool is_reported;
} seen_code;

typedef struct checker {
  tn_arena *arena;
  tn_buf *messages;
  tn_map seen[2];  // by name: of units that are not optimized, and of those that are
  size_t count;
  const char *error;  // the first; NULL: none
} checker;

// Those of C have the names of functions.
static bool is_kernel_name(const tn_resolve_unit *unit, tn_str name) {
  for (size_t i = 0; i < unit->symbols.kernel_count; i++) {
    if (tn_str_equals(unit->symbols.kernels[i].name, name)) {
      return true;
    }
  }
  return tn_str_has_prefix(name, TN_STR_LIT("_ZTS"));
}

static void add_places(checker *c, const seen_code *old, const tn_resolve_unit *unit,
                       const tn_unit_definition *again, const char *sentence) {
  const tn_place here = {again->file, again->line, 0};
  const tn_place there = {old->definition->file, old->definition->line, 0};
  tn_place_write(c->messages, here, unit->input->name);
  tn_buf_add_format(c->messages, "%s\n", sentence);
  tn_place_write(c->messages, there, old->unit->input->name);
  tn_buf_add_format(c->messages, "note: the code in %s is here\n", old->unit->input->name);
}

// Kernels of local names are those of one unit: a launch of either would take the first.
static bool is_local(const tn_unit_definition *definition) {
  return tn_str_find_char(definition->name, '@') != SIZE_MAX;
}

static bool fail(checker *c, const seen_code *old, const tn_resolve_unit *unit,
                 const tn_unit_definition *again) {
  const char *shown = tn_demangle_kernel(c->arena, again->name);
  const char *sentence =
      tn_arena_format(c->arena,
                      "kernel '%s' has other code in %s than in %s although both units have one "
                      "id; give the kernels different names",
                      shown ? shown : "?", unit->input->name, old->unit->input->name);
  const char *line = sentence ? tn_arena_format(c->arena, "error: %s", sentence) : NULL;
  if (line) {
    add_places(c, old, unit, again, line);
    c->error = c->error ? c->error : sentence;
  }
  return line != NULL;
}

static bool warn(checker *c, const seen_code *old, const tn_resolve_unit *unit,
                 const tn_unit_definition *again) {
  if (c->count++ >= WARNINGS_MAXIMUM) {
    return true;
  }
  const bool is_kernel = is_kernel_name(unit, again->name);
  const char *shown =
      is_kernel ? tn_demangle_kernel(c->arena, again->name) : tn_demangle(c->arena, again->name);
  const char *sentence =
      tn_arena_format(c->arena,
                      "warning: %s '%s' has other code in %s than in %s; the program gets one of "
                      "them for both",
                      is_kernel ? "kernel" : "inline function", shown ? shown : "?",
                      unit->input->name, old->unit->input->name);
  if (sentence) {
    add_places(c, old, unit, again, sentence);
  }
  return sentence != NULL;
}

static bool check_one(checker *c, const tn_resolve_unit *unit,
                      const tn_unit_definition *definition) {
  tn_map *map = &c->seen[unit->symbols.is_simplified ? 1 : 0];
  seen_code *old = tn_map_find(map, definition->name);
  if (old) {
    const tn_str hash = old->definition->hash;
    if (!old->is_reported && hash.size == definition->hash.size &&
        !tn_str_equals(hash, definition->hash)) {
      old->is_reported = true;
      return is_local(definition) ? fail(c, old, unit, definition)
                                  : warn(c, old, unit, definition);
    }
    return true;
  }
  seen_code *fresh = tn_arena_alloc(c->arena, sizeof(*fresh));
  if (!fresh) {
    return false;
  }
  *fresh = (seen_code){unit, definition, false};
  return tn_map_set(map, definition->name, fresh);
}

tn_status tn_odr_check(const tn_resolve *resolve, tn_buf *messages, tn_diag *diag) {
  checker c = {.arena = resolve->arena, .messages = messages};
  tn_map_init(&c.seen[0]);
  tn_map_init(&c.seen[1]);
  bool good = true;
  for (size_t i = 0; i < resolve->unit_count && good; i++) {
    const tn_resolve_unit *unit = &resolve->units[i];
    for (size_t k = 0; k < unit->symbols.definition_count && good; k++) {
      good = check_one(&c, unit, &unit->symbols.definitions[k]);
    }
  }
  if (c.count > WARNINGS_MAXIMUM) {
    tn_buf_add_format(messages, "note: %zu more such warnings are not shown\n",
                      c.count - WARNINGS_MAXIMUM);
  }
  tn_map_deinit(&c.seen[0]);
  tn_map_deinit(&c.seen[1]);
  if (good && c.error) {
    return TN_FAIL(diag, BUILD_FAILED, "%s", c.error);
  }
  return good ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory to compare device code");
}
