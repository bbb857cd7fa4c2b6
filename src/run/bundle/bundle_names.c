// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of kernels: sorted, to be found quickly.
#include "run/bundle/bundle_names.h"

#include "base/arena.h"

#include <stdlib.h>

typedef struct name_item {
  tn_str name;
  tn_str symbol;
  size_t number;  // in the order given
} name_item;

// Immutable after create but for the count.
struct tn_bundle_names {
  tn_ref ref;
  tn_arena arena;
  name_item *items;  // in the arena, with all they point to; sorted by name, each once
  size_t count;
};

static int compare_items(const void *a, const void *b) {
  const name_item *x = a;
  const name_item *y = b;
  const int order = tn_str_compare(x->name, y->name);
  return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

static bool fill(tn_bundle_names *names, const tn_source_name *from, size_t count) {
  names->items = tn_arena_alloc_array(&names->arena, count, sizeof(*names->items));
  bool complete = names->items != NULL;
  for (size_t i = 0; complete && i < count; i++) {
    const tn_str name = tn_str_from(from[i].name);
    const tn_str symbol = tn_str_from(from[i].symbol);
    const char *name_copy = tn_arena_str(&names->arena, name);
    const char *symbol_copy = tn_arena_str(&names->arena, symbol);
    complete = name_copy && symbol_copy;
    names->items[i] = (name_item){{name_copy, name.size}, {symbol_copy, symbol.size}, i};
  }
  if (!complete) {
    return false;
  }
  qsort(names->items, count, sizeof(*names->items), compare_items);
  for (size_t i = 0; i < count; i++) {
    const name_item *last = names->count > 0 ? &names->items[names->count - 1] : NULL;
    if (!last || !tn_str_equals(last->name, names->items[i].name)) {
      names->items[names->count++] = names->items[i];
    }
  }
  return true;
}

tn_status tn_bundle_names_create(const tn_source_name *names, size_t count, tn_bundle_names **out,
                                 tn_diag *diag) {
  *out = NULL;
  tn_bundle_names *made = tn_alloc(sizeof(*made));
  if (made) {
    tn_ref_init(&made->ref);
    tn_arena_init(&made->arena);
  }
  if (!made || !fill(made, names, count)) {
    tn_bundle_names_release(made);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the names of %zu kernels", count);
  }
  *out = made;
  return TN_OK;
}

void tn_bundle_names_retain(tn_bundle_names *names) { tn_ref_up(&names->ref); }

void tn_bundle_names_release(tn_bundle_names *names) {
  if (names && tn_ref_down(&names->ref)) {
    tn_arena_deinit(&names->arena);
    tn_free(names);
  }
}

tn_str tn_bundle_names_find(const tn_bundle_names *names, tn_str name) {
  size_t begin = 0;
  size_t end = names->count;
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    const int order = tn_str_compare(names->items[middle].name, name);
    if (order == 0) {
      return names->items[middle].symbol;
    }
    if (order < 0) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return (tn_str){NULL, 0};
}

size_t tn_bundle_names_count(const tn_bundle_names *names) { return names->count; }

const char *tn_bundle_names_at(const tn_bundle_names *names, size_t index) {
  return names->items[index].name.data;
}
