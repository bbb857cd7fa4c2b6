// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel bundles: sets of device images in one of three states, for some devices of a context.
// See tenon.h for ownership, threading and NULL. Source: seed 004; SYCL 2020 section 4.11.
#ifndef TENON_BUNDLE_H
#define TENON_BUNDLE_H

#include "tenon/device.h"
#include "tenon/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

// Which kernel is meant: one of a module of the program. Counted; stays good when the module is
// unloaded.
typedef struct tn_kernel_id tn_kernel_id;
// KERNEL_NOT_FOUND when the slot's module has no such kernel. The caller owns one reference.
TN_API TN_MUST_USE tn_status tn_kernel_id_from_slot(const tn_kernel_slot *slot, tn_kernel_id **out,
                                                    tn_diag *diag);
// All kernels of the modules there are, in the order of registration and then of their symbols,
// each with a reference for the caller: up to `capacity`; *out_count is how many there are.
TN_API TN_MUST_USE tn_status tn_kernel_id_list(tn_kernel_id **out, size_t capacity,
                                               size_t *out_count, tn_diag *diag);
TN_API void tn_kernel_id_retain(tn_kernel_id *id);
TN_API void tn_kernel_id_release(tn_kernel_id *id);  // NULL-safe
TN_API const char *tn_kernel_id_name(const tn_kernel_id *id);  // as in the source; borrowed
TN_API int tn_kernel_id_equals(const tn_kernel_id *a, const tn_kernel_id *b);
TN_API uint64_t tn_kernel_id_hash(const tn_kernel_id *id);  // equal ids have equal hashes
// Whether the device can run all of them: 1 or 0.
TN_API TN_MUST_USE tn_status tn_kernel_ids_are_compatible(tn_kernel_id *const *ids, size_t count,
                                                          tn_device *device, int *out,
                                                          tn_diag *diag);

enum { TN_BUNDLE_INPUT = 0, TN_BUNDLE_OBJECT = 1, TN_BUNDLE_EXECUTABLE = 2 };

typedef struct tn_bundle tn_bundle;              // counted; any thread
typedef struct tn_bundle_image tn_bundle_image;  // counted; an image and its constants' values

// Which images a bundle is to have. Images that are no use to any of the devices are left out.
typedef struct tn_bundle_query {
  uint32_t struct_size;  // sizeof(tn_bundle_query)
  int32_t state;         // TN_BUNDLE_…
  tn_context *context;
  tn_device *const *devices;  // of the context, or parts of its; duplicates count once
  size_t device_count;
  // With has_ids: only images with at least one of these kernels; none when there are no ids.
  // INVALID_ARGUMENT when one of them is incompatible with all devices.
  tn_kernel_id *const *ids;
  size_t id_count;
  uint32_t has_ids;
  uint32_t reserved;  // 0
  // Not NULL: called once for each image; 0 leaves it out, a negative number ends the query with
  // INVALID_ARGUMENT. No lock is held.
  int (*select)(void *user, tn_bundle_image *image);
  void *user;
} tn_bundle_query;

// INVALID_ARGUMENT for no devices, devices that are not the context's, and those that lack the
// online compiler (INPUT) or linker (OBJECT), for ids whose module is unloaded, and for a query of
// a newer version than the library; BUILD_FAILED. EXECUTABLE builds what is not built yet, with
// constants as they are by default. The caller owns one reference.
TN_API TN_MUST_USE tn_status tn_bundle_get(const tn_bundle_query *query, tn_bundle **out,
                                           tn_diag *diag);
// Whether tn_bundle_get could give what seed 004's has_kernel_bundle asks for; builds nothing.
// `select` is not looked at. INVALID_ARGUMENT for no devices, and those that are not the context's.
TN_API TN_MUST_USE tn_status tn_bundle_exists(const tn_bundle_query *query, int *out,
                                              tn_diag *diag);
TN_API void tn_bundle_retain(tn_bundle *bundle);
TN_API void tn_bundle_release(tn_bundle *bundle);  // NULL-safe

// The union of images, equal ones once. INVALID_ARGUMENT for bundles of other states, contexts or
// sets of devices than the first. No bundles: INVALID_ARGUMENT.
TN_API TN_MUST_USE tn_status tn_bundle_join(tn_bundle *const *bundles, size_t count,
                                            tn_bundle **out, tn_diag *diag);
// INPUT to OBJECT: constants get the values that were set. `devices` are among the bundle's, else
// INVALID_ARGUMENT; NULL for all of them. Kernels that none of them can run are left out.
TN_API TN_MUST_USE tn_status tn_bundle_compile(tn_bundle *input, tn_device *const *devices,
                                               size_t device_count, tn_bundle **out,
                                               tn_diag *diag);
// OBJECT to EXECUTABLE. What images import is looked for among all the bundles' images, and then as
// for any launch (docs/dynamic-linking.md). `devices` NULL: those that all bundles have.
// INVALID_ARGUMENT when there are none, or one is not in all bundles, or an image comes twice with
// different values of constants; BUILD_FAILED.
TN_API TN_MUST_USE tn_status tn_bundle_link(tn_bundle *const *objects, size_t count,
                                            tn_device *const *devices, size_t device_count,
                                            tn_bundle **out, tn_diag *diag);
// INPUT to EXECUTABLE; devices as for tn_bundle_compile. BUILD_FAILED.
TN_API TN_MUST_USE tn_status tn_bundle_build(tn_bundle *input, tn_device *const *devices,
                                             size_t device_count, tn_bundle **out, tn_diag *diag);

// Whether it is made of a native program or kernel (tn_native_make_bundle): it has no images.
TN_API int tn_bundle_is_native(const tn_bundle *bundle);
TN_API int32_t tn_bundle_state(const tn_bundle *bundle);        // TN_BUNDLE_…; -1 of NULL
TN_API tn_context *tn_bundle_context(const tn_bundle *bundle);  // borrowed
TN_API size_t tn_bundle_device_count(const tn_bundle *bundle);
TN_API tn_device *tn_bundle_device_at(const tn_bundle *bundle, size_t index);
TN_API size_t tn_bundle_image_count(const tn_bundle *bundle);
TN_API tn_bundle_image *tn_bundle_image_at(const tn_bundle *bundle, size_t index);  // borrowed
// The kernels of all images, each once; borrowed.
TN_API size_t tn_bundle_kernel_count(const tn_bundle *bundle);
TN_API tn_kernel_id *tn_bundle_kernel_id_at(const tn_bundle *bundle, size_t index);
// `device` NULL: any of the bundle's.
TN_API int tn_bundle_has_kernel(const tn_bundle *bundle, const tn_kernel_id *id,
                                const tn_device *device);
// Of an EXECUTABLE: the kernel on a device of the bundle, or a part of one. INVALID_ARGUMENT when
// the bundle has no such kernel or device, KERNEL_NOT_FOUND when the device cannot run it. The
// caller owns one reference, which keeps what the kernel needs.
TN_API TN_MUST_USE tn_status tn_bundle_get_kernel(tn_bundle *bundle, const tn_kernel_id *id,
                                                  tn_device *device, tn_kernel **out,
                                                  tn_diag *diag);
// The same for what a slot names: KERNEL_NOT_FOUND when it is not in the bundle.
TN_API TN_MUST_USE tn_status tn_bundle_get_slot(tn_bundle *bundle, const tn_kernel_slot *slot,
                                                tn_device *device, tn_kernel **out, tn_diag *diag);

// Specialization constants, named as in tn_spec_value: by the symbol in the image, as the SYCL
// headers make it of the specialization_id, which `tenon-image FILE` prints behind
// "specialization constant symbol=".
TN_API int tn_bundle_has_specs(const tn_bundle *bundle);  // any at all
// There are some, and they are true constants in all images.
TN_API int tn_bundle_specs_are_native(const tn_bundle *bundle);
TN_API int tn_bundle_has_spec(const tn_bundle *bundle, const char *name, uint64_t unit_id);
// Of an INPUT bundle, in all its images; kept also when no image has the constant, since a bundle
// need not hold one that reads it (TENON_LOG=program says so). INVALID_ARGUMENT for other states,
// an empty name, and when the size is not the type's.
TN_API TN_MUST_USE tn_status tn_bundle_set_spec(tn_bundle *bundle, const tn_spec_value *value,
                                                tn_diag *diag);
// What was set, in this bundle or in the one that it was made from: 1 and *out (`size` bytes)
// filled. 0: the default holds.
TN_API int tn_bundle_get_spec(const tn_bundle *bundle, const char *name, uint64_t unit_id,
                              void *out, size_t size);

TN_API void tn_bundle_image_retain(tn_bundle_image *image);
TN_API void tn_bundle_image_release(tn_bundle_image *image);  // NULL-safe
TN_API size_t tn_bundle_image_kernel_count(const tn_bundle_image *image);
TN_API tn_kernel_id *tn_bundle_image_kernel_id_at(const tn_bundle_image *image, size_t index);
TN_API int tn_bundle_image_has_kernel(const tn_bundle_image *image, const tn_kernel_id *id,
                                      const tn_device *device);
TN_API int tn_bundle_image_has_specs(const tn_bundle_image *image);
TN_API int tn_bundle_image_specs_are_native(const tn_bundle_image *image);
TN_API int tn_bundle_image_has_spec(const tn_bundle_image *image, const char *name,
                                    uint64_t unit_id);
// Whether both are the same image in the same state with the same values, and built alike.
TN_API int tn_bundle_image_equals(const tn_bundle_image *a, const tn_bundle_image *b);
TN_API uint64_t tn_bundle_image_hash(const tn_bundle_image *image);  // equal for equal ones

#ifdef __cplusplus
}
#endif
#endif
