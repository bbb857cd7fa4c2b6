// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose machine code lies in their module: nothing is compiled, copied or resolved, and no
// library is loaded. One program an image.
//
// Whoever is in here has entered the module, so that it stays in memory (tn_registered_enter); the
// loader must not be called then, which is why this asks for no path.
#include "run/program/native_kernel.h"

#include "base/config.h"
#include "base/cpu_feature.h"
#include "base/log.h"
#include "run/cache/cache.h"
#include "run/program/device_needs.h"
#include "run/program/program_object.h"
#include "tenon/cpu_kernel.h"

#include <stdio.h>

enum { PROGRAMS_MAXIMUM = 8192 };

static void retain_value(void *value) { tn_program_retain(value); }
static void release_value(void *value) { tn_program_release(value); }
static const tn_cache_ops program_ops = {"native program", retain_value, release_value};
static tn_cache programs = TN_CACHE_INIT(&program_ops, PROGRAMS_MAXIMUM);

typedef struct native_choice {
  const tn_kernel_query *query;
  const tn_spec_settled *specs;
  size_t index;  // of the table
  tn_image image;
  tn_kernel_info kernel;
} native_choice;

static bool is_wanted(const tn_kernel_query *query) {
  const tn_config *config = tn_config_get();
  return tn_registered_native_count(query->registered) > 0 && !query->by_text && !config->check &&
         !config->has_opt_level &&
         query->device->api->size > offsetof(tn_adapter_api, program_load_table) &&
         query->device->api->program_load_table != NULL;
}

static bool fits_processor(const tn_image *image) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_MISC);
  tn_prop prop;
  if (!tn_prop_set_find(&set, TN_STR_LIT(TN_MISC_PROCESSOR), &prop)) {
    return true;
  }
  const tn_str lacking =
      tn_cpu_find_lacking((tn_str){(const char *)prop.bytes.data, prop.bytes.size});
  if (lacking.size > 0) {
    TN_LOG(program, "machine code is left out: it needs %.*s, which this processor does not have",
           TN_STR_ARG(lacking));
  }
  return lacking.size == 0;
}

static bool find_symbol(const tn_fatbin *fatbin, tn_str symbol, native_choice *out) {
  const tn_str target = tn_str_from(out->query->device->target);
  size_t index = 0;
  for (uint32_t i = 0; i < fatbin->image_count && symbol.size > 0; i++) {
    const tn_image image = tn_fatbin_image_at(fatbin, i);
    if (image.format != TN_IMAGE_FORMAT_HOST) {
      continue;
    }
    if (tn_str_equals(image.target, target) && tn_image_kernel_find(&image, symbol, &out->kernel) &&
        fits_processor(&image) && tn_device_meets(out->query->device, &image)) {
      out->index = index;
      out->image = image;
      return index < tn_registered_native_count(out->query->registered);
    }
    index++;
  }
  return false;
}

// What the functions read of specialization constants.
static tn_status give_specs(tn_program *program, const native_choice *choice, tn_diag *diag) {
  const tn_adapter_api *api = program->device->api;
  TN_TRY(tn_spec_buffer_create(&choice->image, choice->specs, &program->spec_buffer, diag));
  if (program->spec_buffer &&
      (api->size <= offsetof(tn_adapter_api, program_set_specs) || !api->program_set_specs)) {
    return TN_FAIL(diag, UNSUPPORTED, "device %s has no specialization constants for machine code",
                   program->device->name);
  }
  if (program->spec_buffer) {
    api->program_set_specs(program->adapter_program, program->spec_buffer);
  }
  return TN_OK;
}

static tn_status load_program(void *user, void **out, tn_diag *diag) {
  const native_choice *choice = user;
  const tn_kernel_query *query = choice->query;
  const tn_adapter_api *api = query->device->api;
  tn_adapter_program *loaded = NULL;
  tn_program *program = NULL;
  TN_TRY(api->program_load_table(query->device->adapter_device,
                                 tn_registered_native_at(query->registered, choice->index), &loaded,
                                 diag));
  const tn_status status = tn_program_create(query->device, loaded, &program, diag);
  if (status != TN_OK) {
    api->program_unload(loaded);
    return status;
  }
  tn_registered_retain(query->registered);
  program->home = query->registered;
  const tn_status given = give_specs(program, choice, diag);
  if (given != TN_OK) {
    tn_program_release(program);
    return given;
  }
  TN_LOG(program, "program %p on %s: machine code of module %llu, table %zu", (void *)program,
         query->device->name, (unsigned long long)tn_registered_id(query->registered),
         choice->index);
  *out = program;
  return TN_OK;
}

static tn_status load(native_choice *choice, tn_kernel **out, tn_diag *diag) {
  const uint64_t module = tn_registered_id(choice->query->registered);
  char name[32];
  (void)snprintf(name, sizeof(name), "table %zu", choice->index);
  const tn_cache_key key = {
      .name = tn_str_from(name), .module = module, .device = choice->query->device};
  void *program = NULL;
  const tn_status status =
      tn_cache_get(&programs, &key, module, load_program, choice, &program, diag);
  if (status == TN_UNSUPPORTED) {
    return TN_OK;  // made by another version: the bitcode beside it is good still
  }
  TN_TRY(status);
  const tn_status loaded = tn_kernel_load_native(program, &choice->kernel, out, diag);
  tn_program_release(program);
  return loaded;
}

// With values, the program is not one for others: who asked keeps the kernel.
static tn_status load_alone(native_choice *choice, tn_kernel **out, tn_diag *diag) {
  void *program = NULL;
  TN_TRY(load_program(choice, &program, diag));
  const tn_status status = tn_kernel_load_native(program, &choice->kernel, out, diag);
  tn_program_release(program);
  return status;
}

static tn_status find_entered(const tn_kernel_query *query, const tn_spec_settled *specs,
                              tn_kernel **out, tn_diag *diag) {
  native_choice choice = {.query = query, .specs = specs};
  tn_fatbin fatbin;
  TN_TRY(tn_registered_view(query->registered, &fatbin, diag));
  return find_symbol(&fatbin, query->local_name, &choice) ||
                 find_symbol(&fatbin, query->name, &choice)
             ? (specs->count > 0 ? load_alone : load)(&choice, out, diag)
             : TN_OK;
}

tn_status tn_native_kernel_specialize(const tn_kernel_query *query, const tn_spec_settled *specs,
                                      tn_kernel **out, tn_diag *diag) {
  *out = NULL;
  if (!is_wanted(query) || !tn_registered_enter(query->registered)) {
    return TN_OK;
  }
  tn_status status = find_entered(query, specs, out, diag);
  tn_registered_leave(query->registered);
  if (status == TN_BAD_IMAGE) {
    status = TN_OK;  // said again, with the module's path, by who reads the images for a build
  }
  return status;
}

tn_status tn_native_kernel_find(const tn_kernel_query *query, tn_kernel **out, tn_diag *diag) {
  static const tn_spec_settled defaults;
  return tn_native_kernel_specialize(query, &defaults, out, diag);
}

void tn_native_kernel_forget(uint64_t module) { tn_cache_forget(&programs, module); }
