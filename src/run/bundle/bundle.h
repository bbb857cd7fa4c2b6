// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel bundles for the runtime: beside what is public, bundles of modules that are no part of
// the program.
#ifndef TN_RUN_BUNDLE_BUNDLE_H
#define TN_RUN_BUNDLE_BUNDLE_H

#include "run/device/device.h"
#include "tenon/bundle.h"
#include "tenon/compiler.h"

struct tn_registered;

// What a program calls the kernels of a module by that was compiled while it runs. Counted; never
// changes; any thread.
typedef struct tn_bundle_names tn_bundle_names;
// Copies them; of equal names the first holds. The caller owns one reference.
TN_MUST_USE tn_status tn_bundle_names_create(const tn_source_name *names, size_t count,
                                             tn_bundle_names **out, tn_diag *diag);
void tn_bundle_names_retain(tn_bundle_names *names);
void tn_bundle_names_release(tn_bundle_names *names);  // NULL-safe

// A bundle of all images of one module, those without kernels as well, for they may export what
// other images import.
typedef struct tn_bundle_of_module {
  struct tn_registered *registered;  // all borrowed; pinned by the caller meanwhile
  tn_bundle_names *names;
  int32_t state;  // TN_BUNDLE_OBJECT or TN_BUNDLE_EXECUTABLE
  tn_context *context;
  tn_device *const *devices;  // of the context, or parts of its
  size_t device_count;
} tn_bundle_of_module;
// What is EXECUTABLE is linked as by tn_bundle_link. Images that are of no use to any of the
// devices are left out; KERNEL_NOT_FOUND, with what the first device lacks, when all kernels are in
// such. BUILD_FAILED. The caller owns one reference.
TN_MUST_USE tn_status tn_bundle_create_of_module(const tn_bundle_of_module *from, tn_bundle **out,
                                                 tn_diag *diag);

#endif
