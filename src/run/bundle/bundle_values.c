// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of values: sorted by symbol, then shared before units' own, then by unit.
#include "run/bundle/bundle_values.h"

#include "base/alloc.h"

enum { NAME_MAXIMUM = 1 << 20 };

typedef struct value_item {
  tn_bundle_spec spec;
  tn_bytes bytes;
} value_item;

struct tn_bundle_values {
  tn_ref ref;
  tn_arena arena;
  size_t count;
  value_item *items;      // in the arena, with all they point to
  tn_spec_value *listed;  // the same, as a build takes them
};

void tn_bundle_values_retain(tn_bundle_values *values) {
  if (values) {
    tn_ref_up(&values->ref);
  }
}

void tn_bundle_values_release(tn_bundle_values *values) {
  if (values && tn_ref_down(&values->ref)) {
    tn_arena_deinit(&values->arena);
    tn_free(values);
  }
}

size_t tn_bundle_values_count(const tn_bundle_values *values) { return values ? values->count : 0; }

static int compare_specs(const tn_bundle_spec *a, const tn_bundle_spec *b) {
  const int order = tn_str_compare(a->symbol, b->symbol);
  if (order != 0 || a->is_shared != b->is_shared) {
    return order != 0 ? order : a->is_shared ? -1 : 1;
  }
  return (a->unit_id > b->unit_id) - (a->unit_id < b->unit_id);
}

static tn_status out_of_memory(size_t count, tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the values of %zu specialization constants",
                 count);
}

// Copies the item and names it as images do.
static bool add_item(tn_bundle_values *values, const value_item *from) {
  tn_arena *arena = &values->arena;
  tn_buf name;
  tn_buf_init(&name, NAME_MAXIMUM);
  if (from->spec.is_shared) {
    tn_buf_add_str(&name, from->spec.symbol);
  } else {
    tn_kernel_local_name(&name, from->spec.symbol, from->spec.unit_id);
  }
  const bool is_named = tn_buf_status(&name, NULL) == TN_OK;
  const char *listed = is_named ? tn_arena_str(arena, tn_buf_str(&name)) : NULL;
  tn_buf_deinit(&name);
  const char *symbol = tn_arena_str(arena, from->spec.symbol);
  uint8_t *bytes = tn_arena_alloc(arena, from->bytes.size);
  if (!listed || !symbol || !bytes) {
    return false;
  }
  memcpy(bytes, from->bytes.data, from->bytes.size);
  value_item *item = &values->items[values->count];
  *item = *from;
  item->spec.symbol.data = symbol;
  item->bytes.data = bytes;
  values->listed[values->count++] =
      (tn_spec_value){.name = listed, .value = bytes, .size = from->bytes.size};
  return true;
}

// Merges two sorted arrays; of equal constants `over` holds.
static tn_status merge(const value_item *over, size_t over_count, const value_item *base,
                       size_t base_count, tn_bundle_values **out, tn_diag *diag) {
  const size_t total = over_count + base_count;
  tn_bundle_values *values = tn_alloc(sizeof(*values));
  if (!values) {
    return out_of_memory(total, diag);
  }
  tn_ref_init(&values->ref);
  tn_arena_init(&values->arena);
  values->items = tn_arena_alloc_array(&values->arena, total, sizeof(*values->items));
  values->listed = tn_arena_alloc_array(&values->arena, total, sizeof(*values->listed));
  bool complete = values->items && values->listed;
  size_t o = 0;
  size_t b = 0;
  while (complete && (o < over_count || b < base_count)) {
    const int order = o == over_count   ? 1
                      : b == base_count ? -1
                                        : compare_specs(&over[o].spec, &base[b].spec);
    complete = add_item(values, order <= 0 ? &over[o] : &base[b]);
    o += order <= 0 ? 1 : 0;
    b += order >= 0 ? 1 : 0;
  }
  if (!complete) {
    tn_bundle_values_release(values);
    return out_of_memory(total, diag);
  }
  *out = values;
  return TN_OK;
}

tn_status tn_bundle_values_set(const tn_bundle_values *base, const tn_bundle_spec *spec,
                               tn_bytes value, tn_bundle_values **out, tn_diag *diag) {
  *out = NULL;
  const value_item item = {*spec, value};
  return merge(&item, 1, base ? base->items : NULL, tn_bundle_values_count(base), out, diag);
}

tn_status tn_bundle_values_merge(tn_bundle_values *over, tn_bundle_values *base,
                                 tn_bundle_values **out, tn_diag *diag) {
  *out = NULL;
  if (over && base && over != base) {
    return merge(over->items, over->count, base->items, base->count, out, diag);
  }
  *out = over ? over : base;
  tn_bundle_values_retain(*out);
  return TN_OK;
}

static const value_item *find(const tn_bundle_values *values, const tn_bundle_spec *spec) {
  size_t begin = 0;
  size_t end = tn_bundle_values_count(values);
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    const int order = compare_specs(&values->items[middle].spec, spec);
    if (order == 0) {
      return &values->items[middle];
    }
    if (order < 0) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return NULL;
}

bool tn_bundle_values_find(const tn_bundle_values *values, tn_str symbol, uint64_t unit_id,
                           tn_bytes *out) {
  const value_item *item = find(values, &(tn_bundle_spec){symbol, unit_id, false});
  item = item ? item : find(values, &(tn_bundle_spec){symbol, 0, true});
  if (item) {
    *out = item->bytes;
  }
  return item != NULL;
}

bool tn_bundle_values_equal(const tn_bundle_values *a, const tn_bundle_values *b) {
  const size_t count = tn_bundle_values_count(a);
  if (a == b || count != tn_bundle_values_count(b)) {
    return a == b || (count == 0 && tn_bundle_values_count(b) == 0);
  }
  for (size_t i = 0; i < count; i++) {
    const value_item *x = &a->items[i];
    const value_item *y = &b->items[i];
    if (compare_specs(&x->spec, &y->spec) != 0 || x->bytes.size != y->bytes.size ||
        memcmp(x->bytes.data, y->bytes.data, x->bytes.size) != 0) {
      return false;
    }
  }
  return true;
}

const tn_spec_value *tn_bundle_values_list(const tn_bundle_values *values) {
  return values ? values->listed : NULL;
}

// Names without linkage are in an unnamed namespace, or have an L before their length.
bool tn_bundle_spec_looks_shared(tn_str symbol) {
  if (tn_str_find(symbol, TN_STR_LIT("_GLOBAL__N")) != SIZE_MAX ||
      tn_str_find(symbol, TN_STR_LIT("_ZL")) != SIZE_MAX) {
    return false;
  }
  for (size_t i = 0; i + 1 < symbol.size; i++) {
    if (symbol.data[i] == 'L' && symbol.data[i + 1] >= '1' && symbol.data[i + 1] <= '9') {
      return false;
    }
  }
  return true;
}
