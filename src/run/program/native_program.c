// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs whose machine code lies in their module: nothing is compiled, copied or resolved, and no
// library is loaded. One program an image.
//
// Whoever is in here has entered the module, so that it stays in memory (tn_registered_enter); the
// loader must not be called then, which is why this asks for no path.
#include "run/program/native_program.h"

#include "base/config.h"
#include "base/cpu_feature.h"
#include "base/log.h"
#include "run/cache/cache.h"
#include "run/program/device_needs.h"
#include "run/program/global_memory.h"
#include "run/program/image_choice.h"
#include "run/program/program_object.h"
#include "tenon/cpu_kernel.h"

#include <stdio.h>

enum { PROGRAMS_MAXIMUM = 8192 };

static void retain_value(void *value) { tn_program_retain(value); }
static void release_value(void *value) { tn_program_release(value); }
static const tn_cache_ops program_ops = {"native program", retain_value, release_value, true};
static tn_cache programs = TN_CACHE_INIT(&program_ops, PROGRAMS_MAXIMUM);

typedef struct native_choice {
  tn_registered *registered;
  tn_device *device;
  const tn_spec_settled *specs;
  size_t index;  // of the table
  uint32_t image_index;
  tn_image image;
} native_choice;

static bool is_wanted(const tn_registered *registered, const tn_device *device) {
  const tn_config *config = tn_config_get();
  return tn_registered_native_count(registered) > 0 && !config->check && !config->has_opt_level &&
         (config->sub_group_size == 0 || config->sub_group_size == TN_CPU_SUB_GROUP_SIZE) &&
         TN_ADAPTER_HAS(device->api, program_load_table);
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

static bool can_run(const tn_device *device, const tn_image *image) {
  return tn_str_equals(image->target, tn_str_from(device->target)) && fits_processor(image) &&
         tn_device_meets(device, image);
}

bool tn_native_is_usable(const tn_registered *registered, const tn_device *device,
                         const tn_image *image) {
  return is_wanted(registered, device) && can_run(device, image);
}

// The first image with machine code that holds the symbol or, with `like`, which is that image or
// has all its kernels.
static bool find_image(const tn_fatbin *fatbin, tn_str symbol, const uint32_t *like,
                       native_choice *out) {
  size_t index = 0;
  for (uint32_t i = 0; i < fatbin->image_count && (like || symbol.size > 0); i++) {
    const tn_image image = tn_fatbin_image_at(fatbin, i);
    if (image.format != TN_IMAGE_FORMAT_HOST) {
      continue;
    }
    const tn_image other = like ? tn_fatbin_image_at(fatbin, *like) : image;
    tn_kernel_info kernel;
    const bool is_meant = like ? i == *like || (other.format != TN_IMAGE_FORMAT_HOST &&
                                                tn_str_equals(other.target, image.target) &&
                                                tn_image_kernel_count(&other) > 0 &&
                                                tn_image_choice_covers(&image, &other))
                               : tn_image_kernel_find(&image, symbol, &kernel);
    if (is_meant && can_run(out->device, &image)) {
      out->index = index;
      out->image_index = i;
      out->image = image;
      return index < tn_registered_native_count(out->registered);
    }
    index++;
  }
  return false;
}

// What the functions read: specialization constants, addresses of device globals.
static tn_status give_specs(tn_program *program, const native_choice *choice, tn_diag *diag) {
  TN_TRY(tn_program_make_specs(program, &choice->image, choice->specs, diag));
  TN_TRY(tn_globals_add_to_specs(choice->registered, &choice->image, program, diag));
  return tn_program_hand_specs(program, diag);
}

static tn_status load_program(void *user, void **out, tn_diag *diag) {
  const native_choice *choice = user;
  const tn_adapter_api *api = choice->device->api;
  tn_adapter_program *loaded = NULL;
  tn_program *program = NULL;
  TN_TRY(api->program_load_table(choice->device->adapter_device,
                                 tn_registered_native_at(choice->registered, choice->index),
                                 &loaded, diag));
  const tn_status status = tn_program_create(choice->device, loaded, &program, diag);
  if (status != TN_OK) {
    api->program_unload(loaded);
    return status;
  }
  tn_registered_retain(choice->registered);
  program->home = choice->registered;
  program->home_image = choice->image_index;
  const tn_status given = give_specs(program, choice, diag);
  if (given != TN_OK) {
    tn_program_release(program);
    return given;
  }
  TN_LOG(program, "program %p on %s: machine code of module %llu, table %zu", (void *)program,
         choice->device->name, (unsigned long long)tn_registered_id(choice->registered),
         choice->index);
  *out = program;
  return TN_OK;
}

// *out is NULL, with TN_OK, for code of another version: the bitcode beside it is good still. With
// values, the program is not one for others: who asked keeps it.
static tn_status load(native_choice *choice, void **out, tn_diag *diag) {
  *out = NULL;
  if (choice->specs->count > 0) {
    return load_program(choice, out, diag);
  }
  const uint64_t module = tn_registered_id(choice->registered);
  char name[32];
  (void)snprintf(name, sizeof(name), "table %zu", choice->index);
  const tn_cache_key key = {.name = tn_str_from(name), .module = module, .device = choice->device};
  const tn_status status = tn_cache_get(&programs, &key, module, load_program, choice, out, diag);
  return status == TN_UNSUPPORTED ? TN_OK : status;
}

static bool find_for(const tn_fatbin *fatbin, const tn_program_request *request,
                     native_choice *choice, tn_str *out_kernel) {
  const uint32_t index = request->image.image_index;
  if (index != TN_IMAGE_OF_KERNEL) {
    return index < fatbin->image_count && find_image(fatbin, (tn_str){0}, &index, choice);
  }
  *out_kernel = request->local_kernel;
  if (find_image(fatbin, request->local_kernel, NULL, choice)) {
    return true;
  }
  *out_kernel = request->kernel;
  return find_image(fatbin, request->kernel, NULL, choice);
}

tn_status tn_native_program_find(const tn_program_request *request, tn_device *device,
                                 const tn_spec_settled *specs, tn_program **out, tn_str *out_kernel,
                                 tn_diag *diag) {
  tn_registered *registered = request->image.registered;
  *out = NULL;
  if (request->by_text || !is_wanted(registered, device) || !tn_registered_enter(registered)) {
    return TN_OK;
  }
  native_choice choice = {.registered = registered, .device = device, .specs = specs};
  tn_fatbin fatbin;
  tn_str kernel = {0};
  void *program = NULL;
  tn_status status = tn_registered_view(registered, &fatbin, diag);
  if (status == TN_OK && find_for(&fatbin, request, &choice, &kernel)) {
    status = load(&choice, &program, diag);
  }
  tn_registered_leave(registered);
  if (program) {
    *out_kernel = kernel;
    *out = program;
  }
  // Damage is said again, with the module's path, by who reads the images for a build.
  return status == TN_BAD_IMAGE ? TN_OK : status;
}

tn_status tn_native_program_get_kernel(tn_program *program, tn_str name, tn_kernel **out,
                                       tn_diag *diag) {
  *out = NULL;
  if (!tn_registered_enter(program->home)) {
    return TN_FAIL(diag, KERNEL_NOT_FOUND, "kernel %.*s: its module is unloaded", TN_STR_ARG(name));
  }
  tn_fatbin fatbin;
  tn_kernel_info kernel;
  tn_status status = tn_registered_view(program->home, &fatbin, diag);
  if (status == TN_OK) {
    const tn_image image = tn_fatbin_image_at(&fatbin, program->home_image);
    status = tn_image_kernel_find(&image, name, &kernel)
                 ? tn_kernel_load_native(program, &kernel, out, diag)
                 : TN_FAIL(diag, KERNEL_NOT_FOUND, "kernel %.*s is not in the program",
                           TN_STR_ARG(name));
  }
  tn_registered_leave(program->home);
  return status;
}

void tn_native_program_forget(uint64_t module) { tn_cache_forget(&programs, module); }
