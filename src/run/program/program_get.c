// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one way to a program, for launches, image files and kernel bundles.
//
// Machine code that lies in the module comes first, then what was built for another kernel of the
// module and hangs on it. Else the image is chosen, what it imports is collected, and the program
// is looked up by the contents of that, or built: equal contents share one program, whatever the
// request was. Where nothing can be compiled, machine code of the module reads values instead.
#include "base/config.h"
#include "base/log.h"
#include "run/cache/cache.h"
#include "run/program/device_needs.h"
#include "run/program/global_memory.h"
#include "run/program/image_choice.h"
#include "run/program/image_fit.h"
#include "run/program/kernel_slot.h"
#include "run/program/module_programs.h"
#include "run/program/native_program.h"
#include "run/program/program.h"
#include "run/program/program_build.h"
#include "run/program/symbol_text.h"

// Against programs that load code, or set values, without end; the latter push out nothing of the
// former.
enum { PROGRAMS_MAXIMUM = 2048, VARIANTS_MAXIMUM = 1024 };

static void retain_value(void *value) { tn_program_retain(value); }
static void release_value(void *value) { tn_program_release(value); }
static const tn_cache_ops program_ops = {"program", retain_value, release_value, true};
static tn_cache programs = TN_CACHE_INIT(&program_ops, PROGRAMS_MAXIMUM);
static const tn_cache_ops variant_ops = {"variant", retain_value, release_value, true};
static tn_cache variants = TN_CACHE_INIT(&variant_ops, VARIANTS_MAXIMUM);

// One request on its way.
typedef struct job {
  const tn_program_request *request;
  tn_device *device;
  tn_link_set set;
  tn_link_owner *owner;    // NULL until an image is chosen
  tn_image_choice choice;  // of what is built
  tn_spec_settled specs;
  bool is_launch;  // somebody waits for the kernel's first result
  bool is_alone;   // what is compiled is for the kernel and its launch alone
} job;

static bool names_kernel(const tn_program_request *request) {
  return request->image.image_index == TN_IMAGE_OF_KERNEL;
}

static tn_status check_request(const tn_program_request *request, tn_diag *diag) {
  bool complete = request && request->image.registered && request->device &&
                  (request->spec_count == 0 || request->specs) &&
                  (!names_kernel(request) || request->kernel.size > 0);
  for (size_t i = 0; complete && i < request->spec_count; i++) {
    complete = request->specs[i].name && request->specs[i].value;
  }
  return complete ? TN_OK
                  : TN_FAIL(diag, INVALID_ARGUMENT,
                            "program request: the image, the kernel, the device, or a "
                            "specialization constant's name or value is NULL");
}

// A second build: the launch's work-groups do not suit the code that the device was given first.
static bool is_built_on_demand(const job *j) {
  return j->is_alone && tn_device_shapes_on_demand(j->device);
}

static void log_choice(const job *j, const tn_image *image) {
  const tn_str processor = tn_image_processor(image);
  const tn_str own = tn_image_processor_of_device(j->device);
  TN_LOG(program, "%.*s: image %u of %s, %s%s%.*s, for %s%s%.*s", TN_STR_ARG(j->choice.kernel.name),
         j->choice.image_index, tn_link_owner_path(j->owner), tn_image_format_name(image->format),
         processor.size > 0 ? " of " : "", TN_STR_ARG(processor), j->device->name,
         own.size > 0 ? ", " : "", TN_STR_ARG(own));
}

static tn_status choose_kernel(job *j, tn_diag *diag) {
  const tn_program_request *request = j->request;
  TN_TRY(request->by_text
             ? tn_image_choice_by_text(j->owner, j->device, request->kernel, &j->choice, diag)
             : tn_image_choice_by_symbol(j->owner, j->device, request->local_kernel,
                                         request->kernel, &j->choice, diag));
  if (is_built_on_demand(j)) {
    tn_image_choice_make_portable(j->owner, j->device, &j->choice);
  }
  const tn_image image = tn_fatbin_image_at(j->owner->fatbin, j->choice.image_index);
  log_choice(j, &image);
  return tn_device_check_needs(j->device, &image, &j->choice.kernel, diag);
}

// What can be built of an image: itself, or for machine code in its module the bitcode beside it.
static tn_status choose_image(job *j, tn_diag *diag) {
  const tn_fatbin *fatbin = j->owner->fatbin;
  const uint32_t index = j->request->image.image_index;
  if (index >= fatbin->image_count) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s has %u device images, and not number %u",
                   tn_link_owner_path(j->owner), fatbin->image_count, index);
  }
  const tn_image image = tn_fatbin_image_at(fatbin, index);
  const tn_kernel_info none = {.display_name = TN_STR_LIT("of an image without kernels")};
  const tn_kernel_info first =
      tn_image_kernel_count(&image) > 0 ? tn_image_kernel_at(&image, 0) : none;
  j->choice.image_index = index;
  TN_TRY(tn_device_check_needs(j->device, &image, &first, diag));
  for (uint32_t i = 0; image.format == TN_IMAGE_FORMAT_HOST && i < fatbin->image_count; i++) {
    const tn_image other = tn_fatbin_image_at(fatbin, i);
    if (other.format != TN_IMAGE_FORMAT_HOST && tn_str_equals(other.target, image.target) &&
        tn_image_choice_covers(&other, &image)) {
      j->choice.image_index = i;
      return TN_OK;
    }
  }
  return TN_OK;
}

// What differs from the defaults. A program that is compiled with values for a launch, or after
// another one of the image because of the launch's work-groups, is made for its kernel alone: the
// others of the image may never be launched like this.
static tn_status settle(job *j, tn_diag *diag) {
  const size_t count = j->request->spec_count;
  tn_spec_value *values = tn_arena_alloc_array(&j->set.arena, count + 1, sizeof(*values));
  if (!values) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu specialization constants", count);
  }
  for (size_t i = 0; i < count; i++) {
    values[i] = j->request->specs[i];
    values[i].unit_id = names_kernel(j->request) ? values[i].unit_id : 0;
  }
  TN_TRY(tn_spec_values_settle(&j->set, values, count, &j->specs, diag));
  if (names_kernel(j->request) && (j->specs.count > 0 || j->is_alone)) {
    j->specs.kernel = j->choice.kernel.name;
  }
  return TN_OK;
}

static tn_status build_key(const job *j, uint32_t group_shape, tn_buf *out, tn_diag *diag) {
  tn_link_set_key(&j->set, out);
  tn_buf_add_char(out, (char)group_shape);
  tn_spec_settled_key(&j->specs, out);
  tn_globals_key(&j->set, out);
  return tn_buf_status(out, diag);
}

// From the cache, or built now.
static tn_status find_or_build(job *j, tn_program **out, tn_diag *diag) {
  const tn_link_member *first = tn_link_set_at(&j->set, 0);
  if (first->image.format == TN_IMAGE_FORMAT_HOST) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "its machine code cannot be used on device %s as it is, and "
                   "there is no bitcode beside it: link it without -fsycl-targets options that "
                   "leave the bitcode out",
                   j->device->name);
  }
  TN_TRY(tn_globals_resolve(&j->set, j->device, diag));
  tn_program_recipe recipe = tn_program_recipe_of(&j->set, j->device, &j->specs);
  recipe.may_be_quick = j->is_launch && tn_config_get()->tiered;
  void *program = NULL;
  if (j->set.has_own_globals) {  // nobody else can ever have the same
    TN_TRY(tn_program_build(&recipe, &program, diag));
    *out = program;
    return TN_OK;
  }
  const bool is_for_any = tn_device_shapes_on_demand(j->device) && !is_built_on_demand(j);
  recipe.group_shape = is_for_any ? 0 : j->request->group_shape;
  tn_buf text;
  tn_buf_init(&text, (size_t)1 << 30);
  tn_status status = build_key(j, recipe.group_shape, &text, diag);
  if (status == TN_OK) {
    const tn_cache_key key = {
        .name = tn_buf_str(&text), .options = tn_config_get()->opt_level, .device = j->device};
    status = tn_cache_get(j->specs.count > 0 ? &variants : &programs, &key,
                          tn_registered_id(first->owner->registered), tn_program_build, &recipe,
                          &program, diag);
  }
  tn_buf_deinit(&text);
  // A bundle may ask for an image that is not the best for a launch, and a device of a native
  // context may be closed before the module is.
  if (status == TN_OK && j->specs.count == 0 && names_kernel(j->request) && !j->device->listed) {
    tn_module_programs_note(&j->set, program);
  }
  *out = program;
  return status;
}

// Whose failure it is, for people.
static void name_failure(const job *j, tn_diag *diag) {
  const tn_kernel_info *kernel = &j->choice.kernel;
  if (!names_kernel(j->request)) {
    tn_diag_prepend(diag, "%.200s on %s",
                    j->owner ? tn_link_owner_path(j->owner) : "a device image", j->device->name);
  } else if (kernel->name.size > 0) {
    tn_diag_prepend(diag, "kernel %.*s on %s",
                    TN_STR_ARG(tn_str_slice(tn_kernel_info_shown_name(kernel), 0, 120)),
                    j->device->name);
  }
}

static tn_status choose(job *j, tn_diag *diag) {
  TN_TRY(tn_link_set_open(&j->set, j->request->image.registered, &j->owner, diag));
  return names_kernel(j->request) ? choose_kernel(j, diag) : choose_image(j, diag);
}

static tn_status collect(job *j, tn_diag *diag) {
  TN_TRY(tn_link_set_collect(&j->set, j->owner, j->choice.image_index, diag));
  return settle(j, diag);
}

// The rule: machine code first, else what is built, else machine code. *out_kernel: the symbol of
// the kernel that is named; lives as long as the job.
static tn_status get(job *j, bool takes_partial, tn_program **out, tn_str *out_kernel,
                     tn_diag *diag) {
  static const tn_spec_settled defaults;
  const tn_program_request *request = j->request;
  if (request->spec_count == 0) {
    TN_TRY(tn_native_program_find(request, j->device, &defaults, out, out_kernel, diag));
  }
  if (!*out && request->spec_count == 0 && names_kernel(request) && !is_built_on_demand(j)) {
    const tn_str names[2] = {request->local_kernel, request->kernel};
    *out = tn_module_programs_find(request->image.registered, j->device, names,
                                   request->group_shape, takes_partial, out_kernel);
  }
  if (*out) {
    return TN_OK;
  }
  tn_status status = choose(j, diag);
  const bool is_named = status == TN_OK || !names_kernel(request);
  if (status == TN_OK) {
    *out_kernel = j->choice.kernel.name;
    status = collect(j, diag);
  }
  if (status == TN_OK && request->spec_count > 0 && j->specs.count == 0) {
    status = tn_native_program_find(request, j->device, &j->specs, out, out_kernel, diag);
  }
  if (status == TN_OK && !*out) {
    status = find_or_build(j, out, diag);
  }
  if (status == TN_UNSUPPORTED && j->specs.count > 0) {
    TN_TRY(tn_native_program_find(request, j->device, &j->specs, out, out_kernel, diag));
    status = *out ? TN_OK : status;
  }
  if (status != TN_OK && is_named) {
    name_failure(j, diag);
  }
  return status;
}

// Of a device in a native context, which is about to be closed.
static void forget_device(tn_device *device) {
  tn_cache_forget_device(&programs, device);
  tn_cache_forget_device(&variants, device);
  tn_kernel_slot_forget_device(device);
  tn_program_bury();
}

static void begin(job *j, const tn_program_request *request) {
  *j = (job){.request = request, .device = tn_device_of_code(request->device)};
  tn_device_on_close(j->device, forget_device);
  tn_link_set_init(&j->set, tn_registry_has_dynamic_linker());
  j->set.device = j->device;
  j->set.first = request->first;
  j->set.first_count = request->first_count;
  j->set.scope = request->scope;
}

tn_status tn_program_get(const tn_program_request *request, tn_program **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(check_request(request, diag));
  tn_program_reap();
  job j;
  begin(&j, request);
  tn_str kernel = {0};
  const tn_status status = get(&j, false, out, &kernel, diag);
  tn_link_set_deinit(&j.set);
  return status;
}

static tn_status load_kernel(tn_program *program, tn_str symbol, tn_kernel **out, tn_diag *diag) {
  return program->home ? tn_native_program_get_kernel(program, symbol, out, diag)
                       : tn_kernel_load(program, symbol, out, diag);
}

tn_status tn_kernel_get(const tn_program_request *request, tn_kernel **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(check_request(request, diag));
  TN_TRY(tn_registry_check_namespace(diag));
  tn_program_reap();
  tn_status status = TN_OK;
  // A program for other work-groups will do, if the kernel in it is for any.
  for (bool is_alone = false; status == TN_OK && !*out; is_alone = true) {
    job j;
    begin(&j, request);
    j.is_launch = true;
    j.is_alone = is_alone;
    tn_program *program = NULL;
    tn_str kernel = {0};
    status = get(&j, !is_alone, &program, &kernel, diag);
    if (status == TN_OK) {
      status = load_kernel(program, kernel, out, diag);
    }
    tn_program_release(program);
    tn_link_set_deinit(&j.set);
    if (status == TN_OK && !is_alone && !tn_kernel_suits(*out, request->group_shape)) {
      TN_LOG(program, "%s: is there for other work-groups", (*out)->name);
      tn_kernel_release(*out);
      *out = NULL;
    }
  }
  return status;
}

tn_status tn_program_get_kernel(tn_program *program, const char *name, tn_kernel **out,
                                tn_diag *diag) {
  *out = NULL;
  if (!program || !name) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_program_get_kernel: the %s is NULL",
                   program ? "name" : "program");
  }
  const tn_str symbol = tn_str_from(name);
  return program->home || tn_program_find_record(program, symbol)
             ? load_kernel(program, symbol, out, diag)
             : TN_FAIL(diag, KERNEL_NOT_FOUND, "kernel %s is not in the program", name);
}

// What hung on modules that are gone: their programs, and the kernels their slots held.
void tn_program_reap(void) {
  tn_registered *gone = tn_registry_pop_retired();
  for (; gone; gone = tn_registry_pop_retired()) {
    const uint64_t module = tn_registered_id(gone);
    TN_LOG(program, "module %llu is gone", (unsigned long long)module);
    tn_module_programs_forget(gone);
    tn_native_program_forget(module);
    tn_cache_forget(&programs, module);
    tn_cache_forget(&variants, module);
    tn_kernel_slot_forget(module);
    tn_kernel_slot_free_all(tn_registered_detach_all(gone));
    tn_globals_release_all(gone);
    tn_registered_release_kept(gone);
    tn_registered_release(gone);
  }
  tn_program_bury();
}
