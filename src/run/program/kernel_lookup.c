// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks kernels up and builds what is missing, once.
//
// Two caches. `kernels`: {kernel name} → {module, options, device} → program, as in seed 000; a
// build enters every kernel of the program under its module. `programs`: contents of the link set
// → {options, device} → program, so that kernels of one image, and modules with equal bytes, share
// one program however they were asked for. A builder of the first may wait for one of the second,
// never the other way round.
#include "run/program/kernel_lookup.h"

#include "base/config.h"
#include "base/log.h"
#include "run/cache/cache.h"
#include "run/program/image_choice.h"
#include "run/program/kernel_slot.h"
#include "run/program/link_set.h"
#include "run/program/program_build.h"
#include "run/program/symbol_text.h"

// Bounds against programs that load code without end; both count entries, not bytes.
enum { KERNELS_MAXIMUM = 32768, PROGRAMS_MAXIMUM = 2048 };

static void retain_value(void *value) {
  tn_program_retain(value);
}
static void release_value(void *value) {
  tn_program_release(value);
}
static const tn_cache_ops kernel_ops = {"kernel", retain_value, release_value};
static const tn_cache_ops program_ops = {"program", retain_value, release_value};
static tn_cache kernels = TN_CACHE_INIT(&kernel_ops, KERNELS_MAXIMUM);
static tn_cache programs = TN_CACHE_INIT(&program_ops, PROGRAMS_MAXIMUM);

// One build, as the two builders see it.
typedef struct lookup {
  tn_link_set set;
  tn_link_owner *owner;
  tn_image_choice choice;
  tn_device *device;
  uint32_t opt_level;
} lookup;

static tn_status build_program(void *user, void **out, tn_diag *diag) {
  lookup *l = user;
  tn_program *program = NULL;
  const tn_status status = tn_program_build(&l->set, l->device, l->opt_level, &program, diag);
  *out = program;
  return status;
}

static tn_cache_key kernel_key(const lookup *l, uint64_t module, tn_str name) {
  return (tn_cache_key){.name = name, .module = module, .options = l->opt_level,
                        .device = l->device};
}

// All kernels the program holds, each under the module it belongs to. Kernels of other modules only
// when those modules alone would be linked the same way.
static void enter_kernels(const lookup *l, tn_program *program) {
  for (size_t m = 0; m < l->set.members.count; m++) {
    const tn_link_member *member = tn_link_set_at(&l->set, m);
    const uint64_t module = tn_registered_id(member->owner->registered);
    const uint32_t count = m == 0 || !l->set.has_conflict ? tn_image_kernel_count(&member->image)
                                                          : 0;
    for (uint32_t k = 0; k < count; k++) {
      const tn_kernel_info kernel = tn_image_kernel_at(&member->image, k);
      const tn_kernel_record *record = tn_program_find_record(program, kernel.name);
      if (record && record->member == m) {
        const tn_cache_key key = kernel_key(l, module, kernel.name);
        tn_cache_put(&kernels, &key, module, program);
      }
    }
  }
}

static tn_status build_kernel(void *user, void **out, tn_diag *diag) {
  lookup *l = user;
  tn_buf text;
  tn_buf_init(&text, (size_t)1 << 30);
  tn_status status = tn_link_set_collect(&l->set, l->owner, l->choice.image_index, diag);
  if (status == TN_OK) {
    tn_link_set_key(&l->set, &text);
    status = tn_buf_status(&text, diag);
  }
  if (status == TN_OK) {
    const tn_cache_key key = {.name = tn_buf_str(&text), .options = l->opt_level,
                              .device = l->device};
    status = tn_cache_get(&programs, &key, tn_registered_id(l->owner->registered), build_program, l,
                          out, diag);
  }
  tn_buf_deinit(&text);
  if (status == TN_OK) {
    enter_kernels(l, *out);
  } else {
    const tn_kernel_info *kernel = &l->choice.kernel;
    const tn_str shown = tn_symbol_text_strip(kernel->display_name.size > 0 ? kernel->display_name
                                                                            : kernel->name);
    tn_diag_prepend(diag, "kernel %.*s on %s", TN_STR_ARG(tn_str_slice(shown, 0, 120)),
                    l->device->name);
  }
  return status;
}

static tn_program *find_built(const lookup *l, uint64_t module, tn_str name) {
  const tn_cache_key key = kernel_key(l, module, name);
  return name.size > 0 ? tn_cache_find(&kernels, &key) : NULL;
}

// The slow path: reads the module's images. On success *out_name lives as long as the set.
static tn_status find_or_build(lookup *l, const tn_kernel_query *query, tn_program **out,
                               tn_str *out_name, tn_diag *diag) {
  TN_TRY(tn_link_set_open(&l->set, query->registered, &l->owner, diag));
  if (query->by_text) {
    TN_TRY(tn_image_choice_by_text(l->owner, query->device, query->name, &l->choice, diag));
  } else {
    TN_TRY(tn_image_choice_by_symbol(l->owner, query->device, query->local_name, query->name,
                                     &l->choice, diag));
  }
  const uint64_t module = tn_registered_id(query->registered);
  const tn_cache_key key = kernel_key(l, module, l->choice.kernel.name);
  void *program = NULL;
  TN_TRY(tn_cache_get(&kernels, &key, module, build_kernel, l, &program, diag));
  *out = program;
  *out_name = l->choice.kernel.name;
  return TN_OK;
}

tn_status tn_kernel_lookup(const tn_kernel_query *query, tn_kernel **out, tn_diag *diag) {
  *out = NULL;
  tn_program_reap();
  lookup l = {.device = query->device, .opt_level = tn_config_get()->opt_level};
  tn_link_set_init(&l.set, tn_registry_has_dynamic_linker());
  const uint64_t module = tn_registered_id(query->registered);
  tn_str name = query->local_name;
  tn_status status = TN_OK;
  tn_program *program = find_built(&l, module, name);
  if (!program) {
    name = query->name;
    program = find_built(&l, module, name);
  }
  if (!program) {
    status = find_or_build(&l, query, &program, &name, diag);
  }
  if (status == TN_OK) {
    status = tn_kernel_load(program, name, out, diag);
  }
  tn_program_release(program);
  tn_link_set_deinit(&l.set);
  return status;
}

// What hung on modules that are gone: their tuples, and the kernels their slots held.
void tn_program_reap(void) {
  tn_registered *gone = tn_registry_pop_retired();
  for (; gone; gone = tn_registry_pop_retired()) {
    TN_LOG(program, "module %llu is gone", (unsigned long long)tn_registered_id(gone));
    tn_cache_forget(&kernels, tn_registered_id(gone));
    tn_cache_forget(&programs, tn_registered_id(gone));
    tn_kernel_slot_free_all(tn_registered_detach_all(gone));
    tn_registered_release(gone);
  }
  tn_program_bury();
}
