// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses among images of one module that may hold the same kernels in several forms.
#include "run/bundle/bundle_choice.h"

#include "base/alloc.h"

// For the kernels of a module on one device: the best image so far.
typedef struct best_image {
  tn_image_use use;
  uint32_t index;
} best_image;

static bool is_wanted(const tn_bundle_choice *choice, const bool *wanted, tn_str symbol,
                      size_t *out_kernel) {
  const tn_kernel_id *id = tn_bundle_module_find(choice->module, symbol);
  if (TN_NEVER(!id)) {
    return false;
  }
  *out_kernel = (size_t)(id - choice->module->kernels);
  return !wanted || wanted[*out_kernel];
}

static tn_image_use use_of(const tn_bundle_choice *choice, uint32_t index, size_t device) {
  return tn_program_image_use(choice->module->registered, choice->fatbin, index,
                              choice->devices[device]);
}

static void choose_compilable(tn_bundle_choice *choice, const bool *wanted, uint32_t index) {
  const tn_image image = tn_fatbin_image_at(choice->fatbin, index);
  bool has_wanted = false;
  for (uint32_t k = 0; !has_wanted && k < tn_image_kernel_count(&image); k++) {
    size_t kernel = 0;
    has_wanted = is_wanted(choice, wanted, tn_image_kernel_at(&image, k).name, &kernel);
  }
  for (size_t d = 0; has_wanted && d < choice->device_count; d++) {
    choice->is_chosen[index * choice->device_count + d] = tn_program_image_is_compilable(
        choice->module->registered, choice->fatbin, index, choice->devices[d]);
  }
}

static void choose_best(tn_bundle_choice *choice, const bool *wanted, size_t device,
                        best_image *best) {
  memset(best, 0, choice->module->kernel_count * sizeof(*best));
  for (uint32_t i = 0; i < choice->fatbin->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(choice->fatbin, i);
    const uint32_t count = tn_image_kernel_count(&image);
    const tn_image_use use = count > 0 ? use_of(choice, i, device) : TN_IMAGE_USE_NONE;
    for (uint32_t k = 0; use != TN_IMAGE_USE_NONE && k < count; k++) {
      size_t kernel = 0;
      if (is_wanted(choice, wanted, tn_image_kernel_at(&image, k).name, &kernel) &&
          use > best[kernel].use) {
        best[kernel] = (best_image){use, i};
      }
    }
  }
  for (size_t k = 0; k < choice->module->kernel_count; k++) {
    if (best[k].use != TN_IMAGE_USE_NONE) {
      choice->is_chosen[best[k].index * choice->device_count + device] = true;
    }
  }
}

tn_status tn_bundle_choice_make(tn_bundle_choice *choice, const bool *wanted, tn_diag *diag) {
  const uint32_t image_count = choice->fatbin->image_count;
  const size_t kernel_count = choice->module->kernel_count;
  choice->is_chosen = tn_alloc_array(image_count * choice->device_count + 1, sizeof(bool));
  best_image *best = tn_alloc_array(kernel_count + 1, sizeof(*best));
  if (!choice->is_chosen || !best) {
    tn_free(best);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to choose among %u images", image_count);
  }
  if (choice->state == TN_BUNDLE_EXECUTABLE) {
    for (size_t d = 0; d < choice->device_count; d++) {
      choose_best(choice, wanted, d, best);
    }
  } else {
    for (uint32_t i = 0; i < image_count; i++) {
      choose_compilable(choice, wanted, i);
    }
  }
  tn_free(best);
  return TN_OK;
}

void tn_bundle_choice_deinit(tn_bundle_choice *choice) {
  tn_free(choice->is_chosen);
  choice->is_chosen = NULL;
}

static bool is_of_use(const tn_bundle_module *module, const tn_fatbin *fatbin, uint32_t index,
                      int32_t state, const tn_device *device) {
  return state == TN_BUNDLE_EXECUTABLE
             ? tn_program_image_use(module->registered, fatbin, index, device) != TN_IMAGE_USE_NONE
             : tn_program_image_is_compilable(module->registered, fatbin, index, device);
}

bool tn_bundle_can_represent(const tn_bundle_module *module, const tn_fatbin *fatbin,
                             const tn_kernel_id *id, int32_t state, const tn_device *device) {
  bool found = false;
  for (uint32_t i = 0; !found && i < fatbin->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(fatbin, i);
    tn_kernel_info kernel;
    if (tn_image_kernel_find(&image, id->symbol, &kernel)) {
      found = is_of_use(module, fatbin, i, state, device);
    }
  }
  return found;
}

struct tn_kernel_support {
  tn_kernel_support *next;
  const tn_device *device;  // of the list: it lives as long as the process
  int32_t state;
  bool can[];  // by the kernel's number in the module
};

static void fill_support(const tn_bundle_module *module, const tn_fatbin *fatbin,
                         tn_kernel_support *support) {
  for (uint32_t i = 0; i < fatbin->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(fatbin, i);
    const uint32_t count = tn_image_kernel_count(&image);
    const bool can = count > 0 && is_of_use(module, fatbin, i, support->state, support->device);
    for (uint32_t k = 0; can && k < count; k++) {
      const tn_kernel_id *id = tn_bundle_module_find(module, tn_image_kernel_at(&image, k).name);
      if (!TN_NEVER(!id)) {
        support->can[id - module->kernels] = true;
      }
    }
  }
}

static tn_status make_support(tn_bundle_module *module, int32_t state, const tn_device *device,
                              const tn_kernel_support **out, tn_diag *diag) {
  tn_kernel_support *made = tn_alloc(sizeof(*made) + module->kernel_count * sizeof(bool));
  if (!made) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the support of %zu kernels",
                   module->kernel_count);
  }
  made->device = device;
  made->state = state;
  const tn_fatbin *fatbin = NULL;
  const tn_status status = tn_registered_pin(module->registered, &fatbin, diag);
  if (status != TN_OK) {
    tn_free(made);
    return status;
  }
  fill_support(module, fatbin, made);
  tn_registered_unpin(module->registered);
  // Another thread may have been first: the same support may stand in the list twice.
  made->next = atomic_load_explicit(&module->support, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&module->support, &made->next, made,
                                                memory_order_release, memory_order_relaxed)) {
  }
  *out = made;
  return TN_OK;
}

tn_status tn_bundle_module_supports(tn_bundle_module *module, const tn_kernel_id *id, int32_t state,
                                    tn_device *device, bool *out, tn_diag *diag) {
  *out = false;
  if (!tn_registered_is_listed(module->registered)) {
    return TN_OK;
  }
  const tn_device *listed = tn_device_listed(device);
  const tn_kernel_support *support = atomic_load_explicit(&module->support, memory_order_acquire);
  while (support && (support->device != listed || support->state != state)) {
    support = support->next;
  }
  if (!support) {
    TN_TRY(make_support(module, state, listed, &support, diag));
  }
  *out = support->can[id - module->kernels];
  return TN_OK;
}

void tn_kernel_support_destroy(tn_kernel_support *support) {
  while (support) {
    tn_kernel_support *next = support->next;
    tn_free(support);
    support = next;
  }
}
