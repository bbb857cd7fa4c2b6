// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to bundle: the object itself, and the draft that one is made of.
#ifndef TN_RUN_BUNDLE_BUNDLE_OBJECT_H
#define TN_RUN_BUNDLE_BUNDLE_OBJECT_H

#include "run/bundle/bundle_image.h"

// A kernel and one of the images that have it.
typedef struct tn_bundle_entry {
  tn_kernel_id *id;
  size_t image;  // index in the bundle
} tn_bundle_entry;

// A program of the device's driver that the application made.
typedef struct tn_bundle_driver_code {
  tn_device *device;
  tn_program *program;  // retained
  uint64_t native;      // the driver's, borrowed from the program
  tn_kernel *kernel;    // retained; NULL in bundles of a program
} tn_bundle_driver_code;

// Immutable after create but for the count and `set`.
struct tn_bundle {
  tn_ref ref;
  int32_t state;
  tn_context *context;  // retained
  tn_device **devices;  // owned array, each once
  size_t device_count;
  tn_bundle_image **images;  // owned array, each retained
  size_t image_count;
  tn_bundle_entry *entries;  // owned; by kernel, then what is best to run, then by image
  size_t entry_count;
  tn_kernel_id **kernels;  // owned array, borrowed from the images; ascending, each once
  size_t kernel_count;
  tn_bundle_values *inherited;  // retained; set in the bundles that this one was made from
  // Of a bundle that is made of the driver's program or kernel, which has no images
  // (bundle_driver.c).
  tn_bundle_driver_code *driver_codes;  // owned
  size_t driver_code_count;
  tn_kernel_id *driver_kernel;  // retained; NULL in bundles of a program
  tn_mutex mu;
  tn_bundle_values *set TN_GUARDED_BY(&mu);  // retained; set in this one, INPUT only
};

// What a bundle is made of. Storage is the caller's, and so are the devices until create.
typedef struct tn_bundle_draft {
  int32_t state;
  tn_context *context;  // borrowed
  tn_device **devices;  // owned array, each once
  size_t device_count;
  tn_bundle_image **images;  // owned array, each retained
  size_t image_count;
  size_t image_capacity;
  tn_bundle_values *inherited;  // retained
} tn_bundle_draft;
// Copies the devices, each once.
TN_MUST_USE tn_status tn_bundle_draft_init(tn_bundle_draft *draft, int32_t state,
                                           tn_context *context, tn_device *const *devices,
                                           size_t device_count, tn_diag *diag);
void tn_bundle_draft_deinit(tn_bundle_draft *draft);
// Takes the image over in every case.
TN_MUST_USE tn_status tn_bundle_draft_add(tn_bundle_draft *draft, tn_bundle_image *image,
                                          tn_diag *diag);
// Of images that equal each other only the first stays.
TN_MUST_USE tn_status tn_bundle_draft_drop_doubles(tn_bundle_draft *draft, tn_diag *diag);
// The device globals of all its images that come from sources are shared by these.
TN_MUST_USE tn_status tn_bundle_draft_share_globals(const tn_bundle_draft *draft, tn_diag *diag);
// Builds the images with kernels, each of which may import from all others.
TN_MUST_USE tn_status tn_bundle_draft_build(const tn_bundle_draft *draft, tn_diag *diag);
// Empties the draft on success. The caller owns one reference.
TN_MUST_USE tn_status tn_bundle_create(tn_bundle_draft *draft, tn_bundle **out, tn_diag *diag);

// What was set in the bundle itself; the caller owns one reference.
tn_bundle_values *tn_bundle_take_set(const tn_bundle *bundle);
// The entries of a kernel: the first, and how many.
const tn_bundle_entry *tn_bundle_find_entries(const tn_bundle *bundle, const tn_kernel_id *id,
                                              size_t *out_count);
const char *tn_bundle_state_name(int32_t state);  // "input"

void tn_bundle_driver_free(tn_bundle *bundle);
// Of the driver's kernel that a bundle is made of: as it is on the device; NULL when it is not
// there.
tn_kernel *tn_bundle_driver_find(const tn_bundle *bundle, const tn_kernel_id *id,
                                 const tn_device *device);

#endif
