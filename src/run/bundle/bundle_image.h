// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to bundle: an image of a module, for some devices, in a state, with values for its
// constants.
#ifndef TN_RUN_BUNDLE_BUNDLE_IMAGE_H
#define TN_RUN_BUNDLE_BUNDLE_IMAGE_H

#include "run/bundle/bundle_module.h"
#include "run/bundle/bundle_names.h"
#include "run/bundle/bundle_values.h"
#include "run/program/program.h"

// What was built of the image for a root device.
typedef struct tn_bundle_code {
  tn_device *device;
  tn_program *program;          // retained
  tn_kernel *_Atomic *kernels;  // owned: one place for each kernel of the image, filled when asked
} tn_bundle_code;

// Immutable after create but for the count and builds' kernels.
struct tn_bundle_image {
  tn_ref ref;
  int32_t state;
  tn_bundle_module *module;  // retained; its images are pinned, so that it may be unloaded
  const tn_fatbin *fatbin;   // of the pin
  uint32_t index;            // in the fat binary
  tn_image view;             // borrowed from the pin
  tn_bundle_values *values;  // retained; NULL: as they are by default
  tn_bundle_names *names;    // retained; NULL for images of the program
  tn_global_scope *scope;    // retained; EXECUTABLE with device globals of sources only
  tn_kernel_id **kernels;    // owned array, borrowed from the module; ascending
  size_t kernel_count;
  tn_device **devices;  // owned array: those of the bundle that the image is for
  size_t device_count;
  tn_bundle_code *builds;  // owned: EXECUTABLE only, one for each root of the devices
  size_t build_count;
};

// The image's module must be pinned by the caller meanwhile. The caller owns one reference.
TN_MUST_USE tn_status tn_bundle_image_create(tn_bundle_module *module, uint32_t index,
                                             int32_t state, tn_device *const *devices,
                                             size_t device_count, tn_bundle_image **out,
                                             tn_diag *diag);
// The image in another state or with other values or devices; nothing is built of it.
TN_MUST_USE tn_status tn_bundle_image_derive(const tn_bundle_image *from, int32_t state,
                                             tn_bundle_values *values, tn_device *const *devices,
                                             size_t device_count, tn_bundle_image **out,
                                             tn_diag *diag);
// Before it is shared: builds it for all its devices. `first`: images that are looked into for
// imports before anything else; `values` are those of their constants as well.
TN_MUST_USE tn_status tn_bundle_image_build(tn_bundle_image *image, const tn_image_ref *first,
                                            size_t first_count, tn_diag *diag);
// Position among the image's kernels; SIZE_MAX when it is not there.
size_t tn_bundle_image_find_kernel(const tn_bundle_image *image, const tn_kernel_id *id);
// Whether the image is for the device, or for one that it is a part of.
bool tn_bundle_image_is_for(const tn_bundle_image *image, const tn_device *device);
// A kernel of an EXECUTABLE that has it and is for the device.
TN_MUST_USE tn_status tn_bundle_image_get_kernel(tn_bundle_image *image, size_t position,
                                                 tn_device *device, tn_kernel **out, tn_diag *diag);
// The image's constant; false when it has none of the name.
bool tn_bundle_image_find_spec(const tn_bundle_image *image, tn_str symbol, uint64_t unit_id,
                               tn_spec_info *out, bool *out_shared);

// The device, or one that it is a part of, is in the list.
bool tn_bundle_list_covers(tn_device *const *devices, size_t count, const tn_device *device);

#endif
