// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of bundle modules. It holds no references: the last user destroys a record. A loaded
// module is a user, so that repeated look-ups of kernel ids read its images once.
#include "run/bundle/bundle_choice.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/map.h"
#include "run/program/program.h"

#include <stdlib.h>

enum { NAME_MAXIMUM = 1 << 20 };

static tn_mutex table_mu = TN_MUTEX_INIT(TN_RANK_BUNDLE);
static tn_bundle_module *table TN_GUARDED_BY(&table_mu);

static tn_bundle_module *find_locked(const tn_registered *registered) TN_REQUIRES(&table_mu) {
  tn_bundle_module *found = table;
  while (found && found->registered != registered) {
    found = found->next;
  }
  if (found) {
    tn_ref_up(&found->ref);
  }
  return found;
}

static void destroy(tn_bundle_module *module) {
  if (module) {
    tn_registered_release(module->registered);
    tn_arena_deinit(&module->arena);
    tn_kernel_support_destroy(atomic_load(&module->support));
    tn_free(module->kernels);
    tn_free(module);
  }
}

static int compare_symbols(const void *a, const void *b) {
  return tn_str_compare(((const tn_kernel_info *)a)->name, ((const tn_kernel_info *)b)->name);
}

// All kernels of all images, sorted by symbol, each once; owned by the caller.
static tn_status list_kernels(const tn_fatbin *fatbin, tn_kernel_info **out, size_t *out_count,
                              tn_diag *diag) {
  size_t total = 0;
  for (uint32_t i = 0; i < fatbin->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(fatbin, i);
    total += tn_image_kernel_count(&image);
  }
  tn_kernel_info *all = tn_alloc_array(total + 1, sizeof(*all));
  if (!all) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to list %zu kernels", total);
  }
  size_t count = 0;
  for (uint32_t i = 0; i < fatbin->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(fatbin, i);
    for (uint32_t k = 0; k < tn_image_kernel_count(&image); k++) {
      all[count++] = tn_image_kernel_at(&image, k);
    }
  }
  qsort(all, count, sizeof(*all), compare_symbols);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (kept == 0 || !tn_str_equals(all[kept - 1].name, all[i].name)) {
      all[kept++] = all[i];
    }
  }
  *out = all;
  *out_count = kept;
  return TN_OK;
}

static tn_status copy_kernels(tn_bundle_module *module, const tn_kernel_info *kernels, size_t count,
                              tn_diag *diag) {
  module->kernels = tn_alloc_array(count + 1, sizeof(*module->kernels));
  bool complete = module->kernels != NULL;
  for (size_t i = 0; complete && i < count; i++) {
    const char *symbol = tn_arena_str(&module->arena, kernels[i].name);
    const char *name = tn_arena_str(&module->arena, tn_kernel_info_shown_name(&kernels[i]));
    complete = symbol && name;
    if (complete) {
      const size_t size = kernels[i].name.size;
      module->kernels[i] = (tn_kernel_id){.module = module,
                                          .symbol = {symbol, size},
                                          .name = name,
                                          .hash = tn_hash_bytes(symbol, size, module->number)};
    }
  }
  module->kernel_count = count;
  return complete ? TN_OK
                  : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the names of %zu kernels", count);
}

static tn_status create(tn_registered *registered, tn_bundle_module **out, tn_diag *diag) {
  const tn_fatbin *fatbin = NULL;
  TN_TRY(tn_registered_pin(registered, &fatbin, diag));
  tn_kernel_info *kernels = NULL;
  size_t count = 0;
  tn_bundle_module *module = tn_alloc(sizeof(*module));
  tn_status status = module ? list_kernels(fatbin, &kernels, &count, diag)
                            : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a module's kernels");
  if (module) {
    tn_ref_init(&module->ref);
    tn_arena_init(&module->arena);
    tn_registered_retain(registered);
    module->registered = registered;
    module->number = tn_registered_id(registered);
  }
  if (status == TN_OK) {
    status = copy_kernels(module, kernels, count, diag);
  }
  tn_free(kernels);
  tn_registered_unpin(registered);
  if (status != TN_OK) {
    destroy(module);
    return status;
  }
  *out = module;
  return TN_OK;
}

static void release_kept(tn_kept *kept) {
  tn_bundle_module_release((tn_bundle_module *)(void *)kept);  // its first member
}

// A module that nobody lists, such as one compiled while the program runs, keeps no record.
static void keep_while_loaded(tn_bundle_module *module) {
  tn_bundle_module_retain(module);
  module->kept.release = release_kept;
  if (!tn_registered_keep(module->registered, &module->kept)) {
    tn_bundle_module_release(module);
  }
}

tn_status tn_bundle_module_open(tn_registered *registered, tn_bundle_module **out, tn_diag *diag) {
  tn_mutex_lock(&table_mu);
  *out = find_locked(registered);
  tn_mutex_unlock(&table_mu);
  if (*out) {
    return TN_OK;
  }
  tn_bundle_module *made = NULL;
  TN_TRY(create(registered, &made, diag));
  // Another thread may have been first: then its record is used.
  tn_mutex_lock(&table_mu);
  *out = find_locked(registered);
  if (!*out) {
    made->next = table;
    table = made;
    *out = made;
    made = NULL;
  }
  tn_mutex_unlock(&table_mu);
  if (!made) {
    keep_while_loaded(*out);
  }
  destroy(made);
  TN_LOG(program, "module %llu: %zu kernels", (unsigned long long)(*out)->number,
         (*out)->kernel_count);
  return TN_OK;
}

void tn_bundle_module_retain(tn_bundle_module *module) { tn_ref_up(&module->ref); }

void tn_bundle_module_release(tn_bundle_module *module) {
  if (!module) {
    return;
  }
  tn_mutex_lock(&table_mu);
  const bool is_last = tn_ref_down(&module->ref);
  if (is_last) {
    tn_bundle_module **at = &table;
    while (*at != module) {
      at = &(*at)->next;
    }
    *at = module->next;
  }
  tn_mutex_unlock(&table_mu);
  if (is_last) {
    destroy(module);
  }
}

// As tn_str_compare(symbol, name + mark).
static int compare_marked(tn_str symbol, tn_str name, char mark) {
  const int order = tn_str_compare(tn_str_slice(symbol, 0, name.size), name);
  if (order != 0 || symbol.size == name.size) {
    return order != 0 ? order : -1;
  }
  const int found = (unsigned char)symbol.data[name.size];
  const int wanted = (unsigned char)mark;
  return found != wanted ? found - wanted : (symbol.size > name.size + 1 ? 1 : 0);
}

// The first kernel whose symbol is not below the name with the mark behind it.
static size_t lower_bound(const tn_bundle_module *module, tn_str name, char mark) {
  size_t begin = 0;
  size_t end = module->kernel_count;
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (compare_marked(module->kernels[middle].symbol, name, mark) < 0) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

tn_kernel_id *tn_bundle_module_find(const tn_bundle_module *module, tn_str symbol) {
  size_t begin = 0;
  size_t end = module->kernel_count;
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    const int order = tn_str_compare(module->kernels[middle].symbol, symbol);
    if (order == 0) {
      return &module->kernels[middle];
    }
    if (order < 0) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return NULL;
}

static tn_status find_local(const tn_bundle_module *module, tn_str name, uint64_t unit_id,
                            tn_kernel_id **out, tn_diag *diag) {
  tn_buf local_name;
  tn_buf_init(&local_name, NAME_MAXIMUM);
  tn_kernel_local_name(&local_name, name, unit_id);
  const tn_status status = tn_buf_status(&local_name, diag);
  *out = status == TN_OK ? tn_bundle_module_find(module, tn_buf_str(&local_name)) : NULL;
  tn_buf_deinit(&local_name);
  return status;
}

// Launches with a bundle come here. Where the module has no kernel that begins with the name and
// the mark of a unit, no name is made to look for it.
static bool may_have_local(const tn_bundle_module *module, tn_str name) {
  const size_t first = lower_bound(module, name, '@');
  const tn_str symbol = first < module->kernel_count ? module->kernels[first].symbol : name;
  return symbol.size > name.size && symbol.data[name.size] == '@' &&
         tn_str_has_prefix(symbol, name);
}

tn_status tn_bundle_module_find_slot(const tn_bundle_module *module, const tn_kernel_slot *slot,
                                     tn_kernel_id **out, tn_diag *diag) {
  const tn_str name = tn_str_from(slot->name);
  *out = NULL;
  if (may_have_local(module, name)) {
    TN_TRY(find_local(module, name, slot->unit_id, out, diag));
  }
  *out = *out ? *out : tn_bundle_module_find(module, name);
  return TN_OK;
}

void tn_bundle_module_add_path(const tn_bundle_module *module, tn_buf *buf) {
  // The loader may have put another module where this one was.
  if (tn_registered_is_listed(module->registered)) {
    tn_registered_path(module->registered, buf);
  } else {
    tn_buf_add_text(buf, "a module that is unloaded");
  }
}

int tn_kernel_id_compare(const tn_kernel_id *a, const tn_kernel_id *b) {
  if (a->module->number != b->module->number) {
    return a->module->number < b->module->number ? -1 : 1;
  }
  return (a > b) - (a < b);
}
