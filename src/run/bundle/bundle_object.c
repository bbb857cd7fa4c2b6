// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bundles as objects: making one of a draft, and what it is asked about itself.
#include "run/bundle/bundle_object.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/weak.h"
#include "tenon/weak.h"

#include <stdlib.h>

static tn_status out_of_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a kernel bundle");
}

const char *tn_bundle_state_name(int32_t state) {
  static const char *const names[] = {"input", "object", "executable"};
  return state >= TN_BUNDLE_INPUT && state <= TN_BUNDLE_EXECUTABLE ? names[state] : "unknown";
}

tn_status tn_bundle_draft_init(tn_bundle_draft *draft, int32_t state, tn_context *context,
                               tn_device *const *devices, size_t device_count, tn_diag *diag) {
  *draft = (tn_bundle_draft){.state = state, .context = context};
  draft->devices = tn_alloc_array(device_count + 1, sizeof(tn_device *));
  if (!draft->devices) {
    return out_of_memory(diag);
  }
  for (size_t i = 0; i < device_count; i++) {
    tn_device *own = tn_context_own_device(context, devices[i]);
    tn_device *device = own ? own : devices[i];
    bool is_known = false;
    for (size_t k = 0; k < draft->device_count; k++) {
      is_known = is_known || draft->devices[k] == device;
    }
    if (!is_known) {
      draft->devices[draft->device_count++] = device;
    }
  }
  return TN_OK;
}

static void release_images(tn_bundle_image **images, size_t count) {
  for (size_t i = 0; i < count; i++) {
    tn_bundle_image_release(images[i]);
  }
  tn_free((void *)images);
}

void tn_bundle_draft_deinit(tn_bundle_draft *draft) {
  release_images(draft->images, draft->image_count);
  tn_free((void *)draft->devices);
  tn_bundle_values_release(draft->inherited);
  *draft = (tn_bundle_draft){0};
}

tn_status tn_bundle_draft_add(tn_bundle_draft *draft, tn_bundle_image *image, tn_diag *diag) {
  if (draft->image_count == draft->image_capacity) {
    const size_t capacity = draft->image_capacity > 0 ? 2 * draft->image_capacity : 8;
    tn_bundle_image **grown =
        tn_realloc((void *)draft->images, capacity * sizeof(tn_bundle_image *));
    if (!grown) {
      tn_bundle_image_release(image);
      return out_of_memory(diag);
    }
    draft->images = grown;
    draft->image_capacity = capacity;
  }
  draft->images[draft->image_count++] = image;
  return TN_OK;
}

// An image and where it stands in the draft.
typedef struct placed {
  tn_bundle_image *image;
  size_t at;
} placed;

static int compare_contents(const placed *a, const placed *b) {
  const tn_bundle_image *x = a->image;
  const tn_bundle_image *y = b->image;
  if (x->module->number != y->module->number) {
    return x->module->number < y->module->number ? -1 : 1;
  }
  return (x->index > y->index) - (x->index < y->index);
}

static int compare_placed(const void *a, const void *b) {
  const int order = compare_contents(a, b);
  const size_t x = ((const placed *)a)->at;
  const size_t y = ((const placed *)b)->at;
  return order != 0 ? order : (x > y) - (x < y);
}

// Marks, among images of one content, those that an earlier one equals.
static void mark_doubles(const placed *sorted, size_t begin, size_t end, bool *is_double) {
  for (size_t i = begin + 1; i < end; i++) {
    for (size_t k = begin; !is_double[sorted[i].at] && k < i; k++) {
      is_double[sorted[i].at] = tn_bundle_image_equals(sorted[k].image, sorted[i].image);
    }
  }
}

tn_status tn_bundle_draft_drop_doubles(tn_bundle_draft *draft, tn_diag *diag) {
  const size_t count = draft->image_count;
  placed *sorted = tn_alloc_array(count + 1, sizeof(*sorted));
  bool *is_double = tn_alloc_array(count + 1, sizeof(*is_double));
  if (!sorted || !is_double) {
    tn_free(sorted);
    tn_free(is_double);
    return out_of_memory(diag);
  }
  for (size_t i = 0; i < count; i++) {
    sorted[i] = (placed){draft->images[i], i};
  }
  qsort(sorted, count, sizeof(*sorted), compare_placed);
  for (size_t begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && compare_contents(&sorted[begin], &sorted[end]) == 0) {
      end++;
    }
    mark_doubles(sorted, begin, end, is_double);
  }
  draft->image_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (is_double[i]) {
      tn_bundle_image_release(draft->images[i]);
    } else {
      draft->images[draft->image_count++] = draft->images[i];
    }
  }
  tn_free(sorted);
  tn_free(is_double);
  return TN_OK;
}

// What runs where it lies comes before what has to be compiled.
static int build_cost(const tn_bundle_image *image) {
  return image->view.format == TN_IMAGE_FORMAT_HOST      ? 0
         : image->view.format == TN_IMAGE_FORMAT_BITCODE ? 2
                                                         : 1;
}

typedef struct sortable_entry {
  tn_bundle_entry entry;
  int cost;
} sortable_entry;

static int compare_entries(const void *a, const void *b) {
  const sortable_entry *x = a;
  const sortable_entry *y = b;
  const int order = tn_kernel_id_compare(x->entry.id, y->entry.id);
  if (order != 0) {
    return order;
  }
  return x->cost != y->cost ? x->cost - y->cost
                            : (x->entry.image > y->entry.image) - (x->entry.image < y->entry.image);
}

static tn_status list_entries(tn_bundle *bundle, tn_diag *diag) {
  size_t total = 0;
  for (size_t i = 0; i < bundle->image_count; i++) {
    total += bundle->images[i]->kernel_count;
  }
  sortable_entry *sorted = tn_alloc_array(total + 1, sizeof(*sorted));
  bundle->entries = tn_alloc_array(total + 1, sizeof(*bundle->entries));
  bundle->kernels = tn_alloc_array(total + 1, sizeof(tn_kernel_id *));
  if (!sorted || !bundle->entries || !bundle->kernels) {
    tn_free(sorted);
    return out_of_memory(diag);
  }
  size_t count = 0;
  for (size_t i = 0; i < bundle->image_count; i++) {
    const tn_bundle_image *image = bundle->images[i];
    for (size_t k = 0; k < image->kernel_count; k++) {
      sorted[count++] = (sortable_entry){{image->kernels[k], i}, build_cost(image)};
    }
  }
  qsort(sorted, count, sizeof(*sorted), compare_entries);
  for (size_t i = 0; i < count; i++) {
    bundle->entries[bundle->entry_count++] = sorted[i].entry;
    if (i == 0 || sorted[i].entry.id != sorted[i - 1].entry.id) {
      bundle->kernels[bundle->kernel_count++] = sorted[i].entry.id;
    }
  }
  tn_free(sorted);
  return TN_OK;
}

tn_status tn_bundle_create(tn_bundle_draft *draft, tn_bundle **out, tn_diag *diag) {
  *out = NULL;
  tn_bundle *bundle = tn_alloc(sizeof(*bundle));
  if (!bundle) {
    return out_of_memory(diag);
  }
  tn_ref_init(&bundle->ref);
  tn_mutex_init(&bundle->mu, TN_RANK_BUNDLE);
  tn_context_retain(draft->context);
  bundle->state = draft->state;
  bundle->context = draft->context;
  bundle->devices = draft->devices;
  bundle->device_count = draft->device_count;
  bundle->images = draft->images;
  bundle->image_count = draft->image_count;
  bundle->inherited = draft->inherited;
  *draft = (tn_bundle_draft){0};
  const tn_status status = list_entries(bundle, diag);
  if (status != TN_OK) {
    tn_bundle_release(bundle);
    return status;
  }
  TN_LOG(program, "bundle %p: %s, %zu images, %zu kernels, %zu devices", (void *)bundle,
         tn_bundle_state_name(bundle->state), bundle->image_count, bundle->kernel_count,
         bundle->device_count);
  *out = bundle;
  return TN_OK;
}

void tn_bundle_retain(tn_bundle *bundle) {
  if (bundle) {
    tn_ref_up(&bundle->ref);
  }
}

// The last reference: nobody else can see the bundle.
static void destroy(tn_bundle *bundle) TN_NO_ANALYSIS {
  tn_bundle_values_release(bundle->set);
  tn_bundle_values_release(bundle->inherited);
  tn_free(bundle->entries);
  tn_free((void *)bundle->kernels);
  release_images(bundle->images, bundle->image_count);
  tn_bundle_driver_free(bundle);
  tn_free((void *)bundle->devices);
  tn_context_release(bundle->context);
  tn_mutex_deinit(&bundle->mu);
  tn_free(bundle);
}

void tn_bundle_release(tn_bundle *bundle) {
  if (bundle && tn_ref_down(&bundle->ref)) {
    destroy(bundle);
  }
}

static void release(void *object) {
  tn_bundle_release(object);
}

tn_weak *tn_bundle_weak(tn_bundle *bundle) {
  static const tn_weak_type type = {.release = release};
  return bundle ? tn_weak_of(&bundle->ref, bundle, &type, NULL) : NULL;
}

tn_bundle_values *tn_bundle_take_set(const tn_bundle *bundle) {
  // Values do not change what a bundle is: its lock is the one thing of it that is written to.
  tn_bundle *locked = (tn_bundle *)(uintptr_t)bundle;
  tn_mutex_lock(&locked->mu);
  tn_bundle_values *values = locked->set;
  tn_bundle_values_retain(values);
  tn_mutex_unlock(&locked->mu);
  return values;
}

const tn_bundle_entry *tn_bundle_find_entries(const tn_bundle *bundle, const tn_kernel_id *id,
                                              size_t *out_count) {
  size_t begin = 0;
  size_t end = bundle->entry_count;
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (tn_kernel_id_compare(bundle->entries[middle].id, id) < 0) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  *out_count = 0;
  while (begin + *out_count < bundle->entry_count && bundle->entries[begin + *out_count].id == id) {
    ++*out_count;
  }
  return &bundle->entries[begin];
}

int32_t tn_bundle_state(const tn_bundle *bundle) { return bundle ? bundle->state : -1; }

tn_context *tn_bundle_context(const tn_bundle *bundle) { return bundle ? bundle->context : NULL; }

size_t tn_bundle_device_count(const tn_bundle *bundle) { return bundle ? bundle->device_count : 0; }

tn_device *tn_bundle_device_at(const tn_bundle *bundle, size_t index) {
  return bundle && index < bundle->device_count ? bundle->devices[index] : NULL;
}

size_t tn_bundle_image_count(const tn_bundle *bundle) { return bundle ? bundle->image_count : 0; }

tn_bundle_image *tn_bundle_image_at(const tn_bundle *bundle, size_t index) {
  return bundle && index < bundle->image_count ? bundle->images[index] : NULL;
}

size_t tn_bundle_kernel_count(const tn_bundle *bundle) { return bundle ? bundle->kernel_count : 0; }

tn_kernel_id *tn_bundle_kernel_id_at(const tn_bundle *bundle, size_t index) {
  return bundle && index < bundle->kernel_count ? bundle->kernels[index] : NULL;
}
