// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to bundle: which images of a module a bundle of a state is to have.
#ifndef TN_RUN_BUNDLE_BUNDLE_CHOICE_H
#define TN_RUN_BUNDLE_BUNDLE_CHOICE_H

#include "run/bundle/bundle_module.h"
#include "run/program/program.h"

// One module for some devices. The fat binary is of a pin that the caller holds.
typedef struct tn_bundle_choice {
  tn_bundle_module *module;  // borrowed
  const tn_fatbin *fatbin;   // borrowed
  int32_t state;
  tn_device *const *devices;  // borrowed
  size_t device_count;
  // For image i and device d at [i * device_count + d]; owned.
  bool *is_chosen;
} tn_bundle_choice;

// `wanted`: a flag for each kernel of the module; NULL: all. INPUT and OBJECT have all images that
// the device's compiler takes. EXECUTABLE has for each kernel the image that is quickest to run.
TN_MUST_USE tn_status tn_bundle_choice_make(tn_bundle_choice *choice, const bool *wanted,
                                            tn_diag *diag);
void tn_bundle_choice_deinit(tn_bundle_choice *choice);

// Whether some image of the state holds the kernel for the device.
bool tn_bundle_can_represent(const tn_bundle_module *module, const tn_fatbin *fatbin,
                             const tn_kernel_id *id, int32_t state, const tn_device *device);

// The same from a table that the module keeps for each state and device; the first call for one
// pins the module and fills it. False when the module is unloaded.
TN_MUST_USE tn_status tn_bundle_module_supports(tn_bundle_module *module, const tn_kernel_id *id,
                                                int32_t state, tn_device *device, bool *out,
                                                tn_diag *diag);
void tn_kernel_support_destroy(tn_kernel_support *support);  // and those behind; NULL-safe

#endif
