// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of whole images, which is what kernel bundles are made of.
#include "run/program/device_needs.h"
#include "run/program/image_choice.h"
#include "run/program/kernel_lookup.h"
#include "run/program/native_kernel.h"
#include "run/program/program.h"

// One request on its way.
typedef struct job {
  const tn_program_request *request;
  tn_device *device;
  tn_link_set set;
  tn_link_owner *owner;
  tn_image image;        // as asked for
  uint32_t build_index;  // of the image that is built: its sibling where that is machine code
  tn_spec_settled specs;
} job;

static tn_status check_request(const tn_program_request *request, tn_diag *diag) {
  bool complete = request && request->image.registered && request->device &&
                  (request->spec_count == 0 || request->specs);
  for (size_t i = 0; complete && i < request->spec_count; i++) {
    complete = request->specs[i].name && request->specs[i].value;
  }
  return complete ? TN_OK
                  : TN_FAIL(diag, INVALID_ARGUMENT,
                            "tn_program_get: the image, the device, or a "
                            "specialization constant's name or value is NULL");
}

static tn_status check_needs(const job *j, tn_diag *diag) {
  tn_kernel_info named = {.display_name = tn_str_from("of an image without kernels")};
  if (tn_image_kernel_count(&j->image) > 0) {
    named = tn_image_kernel_at(&j->image, 0);
  }
  return tn_device_check_needs(j->device, &j->image, &named, diag);
}

// What can be built of an image: itself, or for machine code in its module the bitcode beside it.
static void choose_build(job *j) {
  j->build_index = j->request->image.image_index;
  for (uint32_t i = 0; j->image.format == TN_IMAGE_FORMAT_HOST && i < j->owner->fatbin->image_count;
       i++) {
    const tn_image other = tn_fatbin_image_at(j->owner->fatbin, i);
    if (other.format != TN_IMAGE_FORMAT_HOST && tn_str_equals(other.target, j->image.target) &&
        tn_image_choice_covers(&other, &j->image)) {
      j->build_index = i;
      return;
    }
  }
}

static tn_status open_image(job *j, tn_diag *diag) {
  const tn_image_ref *ref = &j->request->image;
  TN_TRY(tn_link_set_open(&j->set, ref->registered, &j->owner, diag));
  if (ref->image_index >= j->owner->fatbin->image_count) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s has %u device images, and not number %u",
                   tn_link_owner_path(j->owner), j->owner->fatbin->image_count, ref->image_index);
  }
  j->image = tn_fatbin_image_at(j->owner->fatbin, ref->image_index);
  TN_TRY(check_needs(j, diag));
  choose_build(j);
  return TN_OK;
}

// A name of a value is the image's own: no unit is to be looked for.
static tn_status settle(job *j, tn_diag *diag) {
  const size_t count = j->request->spec_count;
  tn_spec_value *values = tn_arena_alloc_array(&j->set.arena, count + 1, sizeof(*values));
  if (!values) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu specialization constants", count);
  }
  for (size_t i = 0; i < count; i++) {
    values[i] = j->request->specs[i];
    values[i].unit_id = 0;
  }
  return tn_spec_values_settle(&j->set, values, count, &j->specs, diag);
}

static tn_status build(job *j, tn_program **out, tn_diag *diag) {
  const tn_image image = tn_fatbin_image_at(j->owner->fatbin, j->build_index);
  if (image.format == TN_IMAGE_FORMAT_HOST) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "its machine code cannot be used on device %s as it is, and "
                   "there is no bitcode beside it: link it without -fsycl-targets options that "
                   "leave the bitcode out",
                   j->device->name);
  }
  return tn_program_find_or_build(&j->set, j->device, &j->specs, out, diag);
}

static tn_status find_or_build(job *j, tn_program **out, tn_diag *diag) {
  TN_TRY(open_image(j, diag));
  TN_TRY(tn_link_set_collect(&j->set, j->owner, j->build_index, diag));
  TN_TRY(settle(j, diag));
  if (j->specs.count == 0 && j->request->spec_count > 0) {
    TN_TRY(tn_native_program_find(&j->request->image, j->device, &j->specs, out, diag));
  }
  tn_status status = *out ? TN_OK : build(j, out, diag);
  if (status == TN_UNSUPPORTED && j->specs.count > 0) {
    // Nothing can be compiled here: machine code of the module reads the values as it runs.
    TN_TRY(tn_native_program_find(&j->request->image, j->device, &j->specs, out, diag));
    status = *out ? TN_OK : status;
  }
  return status;
}

tn_status tn_program_get(const tn_program_request *request, tn_program **out, tn_diag *diag) {
  static const tn_spec_settled defaults;
  *out = NULL;
  TN_TRY(check_request(request, diag));
  tn_program_reap();
  tn_device *device = tn_device_of_code(request->device);
  if (request->spec_count == 0) {
    TN_TRY(tn_native_program_find(&request->image, device, &defaults, out, diag));
  }
  if (*out) {
    return TN_OK;
  }
  job j = {.request = request, .device = device};
  tn_link_set_init(&j.set, tn_registry_has_dynamic_linker());
  j.set.device = device;
  j.set.first = request->first;
  j.set.first_count = request->first_count;
  j.set.scope = request->scope;
  const tn_status status = find_or_build(&j, out, diag);
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%.200s on %s", j.owner ? tn_link_owner_path(j.owner) : "a device image",
                    device->name);
  }
  tn_link_set_deinit(&j.set);
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
  if (program->home) {
    return tn_native_program_get_kernel(program, symbol, out, diag);
  }
  if (!tn_program_find_record(program, symbol)) {
    return TN_FAIL(diag, KERNEL_NOT_FOUND, "kernel %s is not in the program", name);
  }
  return tn_kernel_load(program, symbol, out, diag);
}
