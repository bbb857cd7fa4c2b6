// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of bundles: what they pin, what is built of them.
#include "run/bundle/bundle_image.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/weak.h"
#include "tenon/weak.h"

#include <stdlib.h>

static tn_status out_of_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for an image of a kernel bundle");
}

bool tn_bundle_list_covers(tn_device *const *devices, size_t count, const tn_device *device) {
  for (; device; device = device->parent) {
    for (size_t i = 0; i < count; i++) {
      if (tn_device_is(devices[i], device)) {
        return true;
      }
    }
  }
  return false;
}

static void free_build(const tn_bundle_code *build, size_t kernel_count) {
  for (size_t k = 0; build->kernels && k < kernel_count; k++) {
    tn_kernel_release(atomic_load_explicit(&build->kernels[k], memory_order_acquire));
  }
  tn_free((void *)build->kernels);
  tn_program_release(build->program);
}

static void free_builds(tn_bundle_image *image) {
  for (size_t i = 0; i < image->build_count; i++) {
    free_build(&image->builds[i], image->kernel_count);
  }
  tn_free(image->builds);
  image->builds = NULL;
  image->build_count = 0;
}

void tn_bundle_image_retain(tn_bundle_image *image) {
  if (image) {
    tn_ref_up(&image->ref);
  }
}

void tn_bundle_image_release(tn_bundle_image *image) {
  if (!image || !tn_ref_down(&image->ref)) {
    return;
  }
  free_builds(image);
  tn_bundle_values_release(image->values);
  tn_bundle_names_release(image->names);
  tn_global_scope_release(image->scope);
  if (image->fatbin) {
    tn_registered_unpin(image->module->registered);
  }
  tn_bundle_module_release(image->module);
  tn_free(image->kernels);
  tn_free(image->devices);
  tn_free(image);
}

static void release(void *object) {
  tn_bundle_image_release(object);
}

tn_weak *tn_bundle_image_weak(tn_bundle_image *image) {
  static const tn_weak_type type = {.release = release};
  return image ? tn_weak_of(&image->ref, image, &type, NULL) : NULL;
}

static int compare_ids(const void *a, const void *b) {
  return tn_kernel_id_compare(*(tn_kernel_id *const *)a, *(tn_kernel_id *const *)b);
}

static tn_status list_kernels(tn_bundle_image *image, tn_diag *diag) {
  const uint32_t count = tn_image_kernel_count(&image->view);
  image->kernels = tn_alloc_array((size_t)count + 1, sizeof(tn_kernel_id *));
  if (!image->kernels) {
    return out_of_memory(diag);
  }
  for (uint32_t k = 0; k < count; k++) {
    const tn_kernel_info kernel = tn_image_kernel_at(&image->view, k);
    tn_kernel_id *id = tn_bundle_module_find(image->module, kernel.name);
    if (TN_ALWAYS(id != NULL)) {
      image->kernels[image->kernel_count++] = id;
    }
  }
  qsort((void *)image->kernels, image->kernel_count, sizeof(tn_kernel_id *), compare_ids);
  return TN_OK;
}

static tn_status copy_devices(tn_bundle_image *image, tn_device *const *devices, size_t count,
                              tn_diag *diag) {
  image->devices = tn_alloc_array(count + 1, sizeof(tn_device *));
  if (!image->devices) {
    return out_of_memory(diag);
  }
  if (count > 0) {
    memcpy(image->devices, devices, count * sizeof(tn_device *));
  }
  image->device_count = count;
  return TN_OK;
}

tn_status tn_bundle_image_create(tn_bundle_module *module, uint32_t index, int32_t state,
                                 tn_device *const *devices, size_t device_count,
                                 tn_bundle_image **out, tn_diag *diag) {
  *out = NULL;
  tn_bundle_image *image = tn_alloc(sizeof(*image));
  if (!image) {
    return out_of_memory(diag);
  }
  tn_ref_init(&image->ref);
  tn_bundle_module_retain(module);
  image->module = module;
  image->state = state;
  image->index = index;
  tn_status status = tn_registered_pin(module->registered, &image->fatbin, diag);
  if (status == TN_OK) {
    image->view = tn_fatbin_image_at(image->fatbin, index);
    status = list_kernels(image, diag);
  }
  if (status == TN_OK) {
    status = copy_devices(image, devices, device_count, diag);
  }
  if (status != TN_OK) {
    tn_bundle_image_release(image);
    return status;
  }
  *out = image;
  return TN_OK;
}

tn_status tn_bundle_image_derive(const tn_bundle_image *from, int32_t state,
                                 tn_bundle_values *values, tn_device *const *devices,
                                 size_t device_count, tn_bundle_image **out, tn_diag *diag) {
  TN_TRY(
      tn_bundle_image_create(from->module, from->index, state, devices, device_count, out, diag));
  tn_bundle_values_retain(values);
  (*out)->values = values;
  if (from->names) {
    tn_bundle_names_retain(from->names);
    (*out)->names = from->names;
  }
  return TN_OK;
}

// For roots that are not built yet.
static tn_bundle_code *find_build(const tn_bundle_image *image, const tn_device *root) {
  for (size_t i = 0; i < image->build_count; i++) {
    if (image->builds[i].device == root) {
      return &image->builds[i];
    }
  }
  return NULL;
}

static tn_image_ref image_ref(const tn_bundle_image *image, uint32_t index) {
  return (tn_image_ref){.registered = image->module->registered, .image_index = index};
}

static tn_status build_for(tn_bundle_image *image, tn_device *root,
                           const tn_program_request *request, tn_diag *diag) {
  tn_bundle_code *build = &image->builds[image->build_count];
  *build = (tn_bundle_code){.device = root};
  build->kernels =
      (tn_kernel * _Atomic *)tn_alloc_array(image->kernel_count + 1, sizeof(*build->kernels));
  if (!build->kernels) {
    return out_of_memory(diag);
  }
  tn_program_request named = *request;
  named.device = root;
  const tn_status status = tn_program_get(&named, &build->program, diag);
  if (status != TN_OK) {
    tn_free((void *)build->kernels);
    return status;
  }
  image->build_count++;
  return TN_OK;
}

tn_status tn_bundle_image_build(tn_bundle_image *image, const tn_image_ref *first,
                                size_t first_count, tn_diag *diag) {
  const tn_program_request request = {
      .image = image_ref(image, image->index),
      .first = first,
      .first_count = first_count,
      .specs = tn_bundle_values_list(image->values),
      .spec_count = tn_bundle_values_count(image->values),
      .scope = image->scope,
  };
  image->builds = tn_alloc_array(image->device_count + 1, sizeof(*image->builds));
  tn_status status = image->builds ? TN_OK : out_of_memory(diag);
  for (size_t i = 0; status == TN_OK && i < image->device_count; i++) {
    tn_device *device = tn_device_of_code(image->devices[i]);
    status = find_build(image, device) ? TN_OK : build_for(image, device, &request, diag);
  }
  return status;
}

size_t tn_bundle_image_find_kernel(const tn_bundle_image *image, const tn_kernel_id *id) {
  size_t begin = 0;
  size_t end = id->module == image->module ? image->kernel_count : 0;
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (image->kernels[middle] == id) {
      return middle;
    }
    if (image->kernels[middle] < id) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return SIZE_MAX;
}

bool tn_bundle_image_is_for(const tn_bundle_image *image, const tn_device *device) {
  return tn_bundle_list_covers(image->devices, image->device_count, device);
}

// The first to find a kernel leaves it for all who come later.
static tn_status find_kernel(const tn_bundle_image *image, const tn_bundle_code *build,
                             size_t position, tn_kernel **out, tn_diag *diag) {
  tn_kernel *kernel = atomic_load_explicit(&build->kernels[position], memory_order_acquire);
  if (!kernel) {
    tn_kernel *expected = NULL;
    TN_TRY(tn_program_get_kernel(build->program, image->kernels[position]->symbol.data, &kernel,
                                 diag));
    if (!atomic_compare_exchange_strong_explicit(&build->kernels[position], &expected, kernel,
                                                 memory_order_acq_rel, memory_order_acquire)) {
      tn_kernel_release(kernel);
      kernel = expected;
    }
  }
  tn_kernel_retain(kernel);
  *out = kernel;
  return TN_OK;
}

static bool is_gone(tn_registered *home) {
  const bool is_there = tn_registered_enter(home);
  if (is_there) {
    tn_registered_leave(home);
  }
  return !is_there;
}

// The kernel's machine code went with its module; what is pinned of it can be built instead.
static tn_status build_anew(const tn_bundle_image *image, const tn_bundle_code *build,
                            const tn_kernel_id *id, tn_kernel **out, tn_diag *diag) {
  tn_program_request request = {.device = build->device,
                                .specs = tn_bundle_values_list(image->values),
                                .spec_count = tn_bundle_values_count(image->values),
                                .scope = image->scope};
  tn_registered *registered = image->module->registered;
  bool found = false;
  for (uint32_t i = 0; !found && i < image->fatbin->image_count; i++) {
    const tn_image other = tn_fatbin_image_at(image->fatbin, i);
    tn_kernel_info kernel;
    const tn_image_use use = tn_program_image_use(registered, image->fatbin, i, build->device);
    found = (use == TN_IMAGE_USE_COMPILE || use == TN_IMAGE_USE_LOAD) &&
            tn_image_kernel_find(&other, id->symbol, &kernel);
    request.image = image_ref(image, i);
  }
  if (!found) {
    return TN_FAIL(diag, KERNEL_NOT_FOUND,
                   "kernel %.300s: its machine code went with its module, which is unloaded, and "
                   "there is no other image of it for device %s",
                   id->name, build->device->name);
  }
  TN_LOG(program, "kernel %s: its module is gone, its code is built anew", id->name);
  tn_program *program = NULL;
  tn_status status = tn_program_get(&request, &program, diag);
  if (status == TN_OK) {
    status = tn_program_get_kernel(program, id->symbol.data, out, diag);
  }
  if (status != TN_OK) {
    tn_diag_prepend(diag, "kernel %.300s: its module is unloaded, its machine code with it",
                    id->name);
  }
  tn_program_release(program);
  return status;
}

tn_status tn_bundle_image_get_kernel(tn_bundle_image *image, size_t position, tn_device *device,
                                     tn_kernel **out, tn_diag *diag) {
  const tn_bundle_code *build = find_build(image, tn_device_of_code(device));
  if (build == NULL) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "kernel %.300s is built for other devices than %s: make the kernel bundle of a "
                   "list of devices with the sub-device itself",
                   image->kernels[position]->name, device->name);
  }
  const tn_status status = find_kernel(image, build, position, out, diag);
  if (status == TN_OK && (!(*out)->home || !is_gone((*out)->home))) {
    return TN_OK;
  }
  if (status != TN_OK && (status != TN_KERNEL_NOT_FOUND || !is_gone(image->module->registered))) {
    return status;
  }
  tn_kernel_release(*out);
  *out = NULL;
  return build_anew(image, build, image->kernels[position], out, diag);
}

int tn_bundle_image_equals(const tn_bundle_image *a, const tn_bundle_image *b) {
  bool is_equal =
      a == b || (a && b && a->state == b->state && a->module == b->module && a->index == b->index &&
                 a->build_count == b->build_count && a->scope == b->scope &&
                 tn_bundle_values_equal(a->values, b->values));
  for (size_t i = 0; is_equal && a != b && i < a->build_count; i++) {
    const tn_bundle_code *build = find_build(b, a->builds[i].device);
    is_equal = build && build->program == a->builds[i].program;
  }
  return is_equal;
}

uint64_t tn_bundle_image_hash(const tn_bundle_image *image) {
  return image ? ((uint64_t)(uintptr_t)image->module * 31 + image->index) * 31 +
                     (uint64_t)image->state
               : 0;
}

bool tn_bundle_image_find_spec(const tn_bundle_image *image, tn_str symbol, uint64_t unit_id,
                               tn_spec_info *out, bool *out_shared) {
  const uint32_t count = tn_image_spec_count(&image->view);
  if (count == 0) {
    return false;
  }
  *out_shared = tn_image_spec_find(&image->view, symbol, out);
  if (*out_shared) {
    return true;
  }
  tn_buf name;
  tn_buf_init(&name, 1u << 20);
  tn_kernel_local_name(&name, symbol, unit_id);
  const bool found = tn_buf_status(&name, NULL) == TN_OK &&
                     tn_image_spec_find(&image->view, tn_buf_str(&name), out);
  tn_buf_deinit(&name);
  return found;
}

size_t tn_bundle_image_kernel_count(const tn_bundle_image *image) {
  return image ? image->kernel_count : 0;
}

tn_kernel_id *tn_bundle_image_kernel_id_at(const tn_bundle_image *image, size_t index) {
  return image && index < image->kernel_count ? image->kernels[index] : NULL;
}

int tn_bundle_image_has_kernel(const tn_bundle_image *image, const tn_kernel_id *id,
                               const tn_device *device) {
  return image && id && tn_bundle_image_find_kernel(image, id) != SIZE_MAX &&
                 (!device || tn_bundle_image_is_for(image, device))
             ? 1
             : 0;
}

int tn_bundle_image_has_specs(const tn_bundle_image *image) {
  return image && tn_image_spec_count(&image->view) > 0 ? 1 : 0;
}

// Machine code that was made ahead of time reads them; what is compiled here, or by a driver that
// knows them, has them as constants.
int tn_bundle_image_specs_are_native(const tn_bundle_image *image) {
  if (!image) {
    return 0;
  }
  bool are_native = true;
  const bool has_any = tn_image_spec_count(&image->view) > 0;
  for (size_t i = 0; has_any && i < image->device_count && are_native; i++) {
    are_native = tn_image_has_flag(
        &image->view, image->devices[i],
        TN_ADAPTER_IMAGE_IS_COMPILED | TN_ADAPTER_IMAGE_HAS_NATIVE_SPECS);
  }
  return are_native ? 1 : 0;
}
