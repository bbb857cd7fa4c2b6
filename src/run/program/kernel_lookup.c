// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks kernels up and builds what is missing, once.
//
// Four caches. `kernels`: {kernel name} → {module, options, device} → program, as in seed 000; a
// build enters every kernel of the program under its module. `programs`: contents of the link set
// → {options, device} → program, so that kernels of one image, and modules with equal bytes, share
// one program however they were asked for. A builder of the first may wait for one of the second,
// never the other way round.
//
// With values for specialization constants, which may be many and each used once, two others in
// their place: `specialized`: {kernel name, values as a launch gives them} → {module, options,
// device} → kernel, and `variants`: contents of the link set, kernel, values that are not the
// defaults → {options, device} → program. A builder of `specialized` may wait for one of any other.
#include "run/program/kernel_lookup.h"

#include "base/config.h"
#include "base/log.h"
#include "run/cache/cache.h"
#include "run/program/device_needs.h"
#include "run/program/global_memory.h"
#include "run/program/image_choice.h"
#include "run/program/image_fit.h"
#include "run/program/kernel_slot.h"
#include "run/program/link_set.h"
#include "run/program/native_kernel.h"
#include "run/program/program_build.h"
#include "run/program/spec_values.h"
#include "run/program/symbol_text.h"

// Bounds against programs that load code without end; both count entries, not bytes.
enum { KERNELS_MAXIMUM = 32768, PROGRAMS_MAXIMUM = 2048, SPECIALIZED_MAXIMUM = 1024 };
enum { SHORT_KEY = 1024 };

static void retain_value(void *value) {
  tn_program_retain(value);
}
static void release_value(void *value) {
  tn_program_release(value);
}
static void retain_kernel(void *value) {
  tn_kernel_retain(value);
}
static void release_kernel(void *value) {
  tn_kernel_release(value);
}
static const tn_cache_ops kernel_ops = {"kernel", retain_value, release_value, false};
static const tn_cache_ops program_ops = {"program", retain_value, release_value, true};
static const tn_cache_ops specialized_ops = {"specialized kernel", retain_kernel, release_kernel,
                                             false};
static tn_cache kernels = TN_CACHE_INIT(&kernel_ops, KERNELS_MAXIMUM);
static tn_cache programs = TN_CACHE_INIT(&program_ops, PROGRAMS_MAXIMUM);
static const tn_cache_ops variant_ops = {"variant", retain_value, release_value, true};
static tn_cache variants = TN_CACHE_INIT(&variant_ops, SPECIALIZED_MAXIMUM);
static tn_cache specialized = TN_CACHE_INIT(&specialized_ops, SPECIALIZED_MAXIMUM);

// One build, as the builders see it.
typedef struct lookup {
  const tn_kernel_query *query;
  tn_link_set set;
  bool is_collected;
  tn_link_owner *owner;
  tn_image_choice choice;
  tn_device *device;
  uint32_t opt_level;
  tn_spec_settled specs;  // none: the default program
} lookup;

typedef struct program_job {
  tn_link_set *set;
  tn_device *device;
  uint32_t opt_level;
  const tn_spec_settled *specs;
} program_job;

static tn_status build_program(void *user, void **out, tn_diag *diag) {
  const program_job *job = user;
  tn_program *program = NULL;
  const tn_status status =
      tn_program_build(job->set, job->device, job->opt_level, job->specs, &program, diag);
  *out = program;
  return status;
}

tn_status tn_program_find_or_build(tn_link_set *set, tn_device *device,
                                   const tn_spec_settled *specs, tn_program **out, tn_diag *diag) {
  program_job job = {.set = set, .device = device, .opt_level = tn_config_get()->opt_level,
                     .specs = specs};
  *out = NULL;
  TN_TRY(tn_globals_resolve(set, device, diag));
  if (set->has_own_globals) {  // nobody else can ever have the same
    return tn_program_build(set, device, job.opt_level, specs, out, diag);
  }
  tn_buf text;
  tn_buf_init(&text, (size_t)1 << 30);
  tn_link_set_key(set, &text);
  tn_spec_settled_key(specs, &text);
  tn_globals_key(set, &text);
  void *program = NULL;
  tn_status status = tn_buf_status(&text, diag);
  if (status == TN_OK) {
    const tn_cache_key key = {.name = tn_buf_str(&text), .options = job.opt_level,
                              .device = device};
    const uint64_t owner = tn_registered_id(tn_link_set_at(set, 0)->owner->registered);
    status = tn_cache_get(specs->count > 0 ? &variants : &programs, &key, owner, build_program,
                          &job, &program, diag);
  }
  tn_buf_deinit(&text);
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

static tn_status collect(lookup *l, tn_diag *diag) {
  if (!l->is_collected) {
    TN_TRY(tn_link_set_collect(&l->set, l->owner, l->choice.image_index, diag));
    l->is_collected = true;
  }
  return TN_OK;
}

// The program of the link set with the values.
static tn_status get_program(lookup *l, tn_program **out, tn_diag *diag) {
  tn_status status = collect(l, diag);
  if (status == TN_OK) {
    status = tn_program_find_or_build(&l->set, l->device, &l->specs, out, diag);
  }
  if (status != TN_OK) {
    const tn_kernel_info *kernel = &l->choice.kernel;
    const tn_str shown = tn_symbol_text_strip(kernel->display_name.size > 0 ? kernel->display_name
                                                                            : kernel->name);
    tn_diag_prepend(diag, "kernel %.*s on %s", TN_STR_ARG(tn_str_slice(shown, 0, 120)),
                    l->device->name);
  }
  return status;
}

static tn_status build_kernel(void *user, void **out, tn_diag *diag) {
  lookup *l = user;
  tn_program *program = NULL;
  TN_TRY(get_program(l, &program, diag));
  enter_kernels(l, program);
  *out = program;
  return TN_OK;
}

static tn_program *find_built(const lookup *l, uint64_t module, tn_str name) {
  const tn_cache_key key = kernel_key(l, module, name);
  return name.size > 0 ? tn_cache_find(&kernels, &key) : NULL;
}

static void log_choice(const lookup *l, const tn_image *image) {
  const tn_str processor = tn_image_processor(image);
  const tn_str own = tn_image_processor_of_device(l->query->device);
  TN_LOG(program, "%.*s: image %u of %s, %s%s%.*s, for %s%s%.*s", TN_STR_ARG(l->choice.kernel.name),
         l->choice.image_index, tn_link_owner_path(l->owner), tn_image_format_name(image->format),
         processor.size > 0 ? " of " : "", TN_STR_ARG(processor), l->query->device->name,
         own.size > 0 ? ", " : "", TN_STR_ARG(own));
}

static tn_status choose_image(lookup *l, tn_diag *diag) {
  const tn_kernel_query *query = l->query;
  TN_TRY(tn_link_set_open(&l->set, query->registered, &l->owner, diag));
  TN_TRY(query->by_text ? tn_image_choice_by_text(l->owner, query->device, query->name, &l->choice,
                                                  diag)
                        : tn_image_choice_by_symbol(l->owner, query->device, query->local_name,
                                                    query->name, &l->choice, diag));
  const tn_image image = tn_fatbin_image_at(l->owner->fatbin, l->choice.image_index);
  log_choice(l, &image);
  return tn_device_check_needs(query->device, &image, &l->choice.kernel, diag);
}

// The program with all defaults of the kernel that was chosen.
static tn_status find_or_build(lookup *l, tn_program **out, tn_diag *diag) {
  const uint64_t module = tn_registered_id(l->query->registered);
  const tn_cache_key key = kernel_key(l, module, l->choice.kernel.name);
  void *program = NULL;
  TN_TRY(tn_cache_get(&kernels, &key, module, build_kernel, l, &program, diag));
  *out = program;
  return TN_OK;
}

// A program of its own. Where nothing can be compiled, machine code of the module, which reads the
// values as it runs.
static tn_status load_with_values(lookup *l, tn_kernel **out, tn_diag *diag) {
  tn_program *program = NULL;
  l->specs.kernel = l->choice.kernel.name;
  const tn_status status = get_program(l, &program, diag);
  if (status == TN_UNSUPPORTED) {
    TN_TRY(tn_native_kernel_specialize(l->query, &l->specs, out, diag));
    return *out ? TN_OK : status;
  }
  TN_TRY(status);
  const tn_status loaded = tn_kernel_load(program, l->choice.kernel.name, out, diag);
  tn_program_release(program);
  return loaded;
}

static tn_status load_with_defaults(lookup *l, tn_kernel **out, tn_diag *diag) {
  TN_TRY(tn_native_kernel_specialize(l->query, &l->specs, out, diag));
  if (*out) {
    return TN_OK;
  }
  tn_program *program = NULL;
  TN_TRY(find_or_build(l, &program, diag));
  const tn_status status = tn_kernel_load(program, l->choice.kernel.name, out, diag);
  tn_program_release(program);
  return status;
}

static tn_status build_specialized(void *user, void **out, tn_diag *diag) {
  lookup *l = user;
  TN_TRY(choose_image(l, diag));
  TN_TRY(collect(l, diag));
  TN_TRY(tn_spec_values_settle(&l->set, l->query->specs, l->query->spec_count, &l->specs, diag));
  tn_kernel *kernel = NULL;
  const tn_status status =
      (l->specs.count > 0 ? load_with_values : load_with_defaults)(l, &kernel, diag);
  *out = kernel;
  return status;
}

// Kernel and values as they were given. In `few` where it fits, else the caller frees it; NULL when
// there is no memory.
static char *specialized_key(const tn_kernel_query *query, char *few, size_t few_size,
                             tn_cache_key *out) {
  const size_t values = tn_spec_values_key_size(query->specs, query->spec_count);
  const size_t size = query->name.size + 1 + sizeof(query->unit_id) + values;
  char *text = size <= few_size ? few : tn_alloc(size);
  if (!text) {
    return NULL;
  }
  memcpy(text, query->name.data, query->name.size);
  text[query->name.size] = '\0';
  memcpy(text + query->name.size + 1, &query->unit_id, sizeof(query->unit_id));
  tn_spec_values_key_write(query->specs, query->spec_count, text + size - values);
  *out = (tn_cache_key){.name = {text, size},
                        .module = tn_registered_id(query->registered),
                        .options = tn_config_get()->opt_level,
                        .device = query->device};
  return text;
}

static void free_key(char *text, const char *few) {
  if (text != few) {
    tn_free(text);
  }
}

tn_kernel *tn_kernel_find_specialized(const tn_kernel_query *query) {
  char few[SHORT_KEY];
  tn_cache_key key;
  char *text = specialized_key(query, few, sizeof(few), &key);
  tn_kernel *kernel = text ? tn_cache_find(&specialized, &key) : NULL;
  free_key(text, few);
  return kernel;
}

static tn_status get_specialized(lookup *l, tn_kernel **out, tn_diag *diag) {
  char few[SHORT_KEY];
  tn_cache_key key;
  char *text = specialized_key(l->query, few, sizeof(few), &key);
  if (!text) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to look a kernel up");
  }
  void *kernel = NULL;
  const tn_status status =
      tn_cache_get(&specialized, &key, key.module, build_specialized, l, &kernel, diag);
  free_key(text, few);
  *out = kernel;
  return status;
}

static tn_status get_default(lookup *l, tn_kernel **out, tn_diag *diag) {
  const tn_kernel_query *query = l->query;
  const uint64_t module = tn_registered_id(query->registered);
  tn_str name = query->local_name;
  tn_status status = TN_OK;
  tn_program *program = find_built(l, module, name);
  if (!program) {
    name = query->name;
    program = find_built(l, module, name);
  }
  if (!program) {
    status = choose_image(l, diag);
    name = l->choice.kernel.name;  // lives as long as the set
  }
  if (status == TN_OK && !program) {
    status = find_or_build(l, &program, diag);
  }
  if (status == TN_OK) {
    status = tn_kernel_load(program, name, out, diag);
  }
  tn_program_release(program);
  return status;
}

tn_status tn_kernel_lookup(const tn_kernel_query *query, tn_kernel **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(tn_registry_check_namespace(diag));
  tn_program_reap();
  if (query->spec_count == 0) {
    TN_TRY(tn_native_kernel_find(query, out, diag));
  }
  if (*out) {
    return TN_OK;
  }
  lookup l = {.query = query, .device = query->device, .opt_level = tn_config_get()->opt_level};
  tn_link_set_init(&l.set, tn_registry_has_dynamic_linker());
  l.set.device = query->device;
  const tn_status status =
      query->spec_count > 0 ? get_specialized(&l, out, diag) : get_default(&l, out, diag);
  tn_link_set_deinit(&l.set);
  return status;
}

// What hung on modules that are gone: their tuples, and the kernels their slots held.
void tn_program_reap(void) {
  tn_registered *gone = tn_registry_pop_retired();
  for (; gone; gone = tn_registry_pop_retired()) {
    TN_LOG(program, "module %llu is gone", (unsigned long long)tn_registered_id(gone));
    tn_cache_forget(&kernels, tn_registered_id(gone));
    tn_native_kernel_forget(tn_registered_id(gone));
    tn_cache_forget(&programs, tn_registered_id(gone));
    tn_cache_forget(&variants, tn_registered_id(gone));
    tn_cache_forget(&specialized, tn_registered_id(gone));
    tn_kernel_slot_free_all(tn_registered_detach_all(gone));
    tn_globals_release_all(gone);
    tn_registered_release(gone);
  }
  tn_program_bury();
}
