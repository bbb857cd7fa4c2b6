// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to the driver: one device link, from units to a fat binary and host objects.
#ifndef TN_COMPILE_DRIVER_DEVICE_IMAGES_H
#define TN_COMPILE_DRIVER_DEVICE_IMAGES_H

#include "compile/driver/plan.h"

typedef struct tn_images_params {
  tn_plan *plan;       // borrowed, as what follows
  const char *output;  // whose images these are: a.out, a.cpp
  const tn_link_input *inputs[TN_COMMAND_TARGETS];
  size_t input_counts[TN_COMMAND_TARGETS];
  uint32_t threads;
  bool takes_added;         // those of -fsycl-add-targets=
  const char *native_stem;  // host objects are "<stem>-<n>.o"
  const char *temps_stem;   // --save-temps; NULL without
} tn_images_params;

// Adds to `fatbin`, which stays empty when there is no device code, and to `natives` the paths of
// host objects. `arena`: this link's own.
TN_MUST_USE tn_status tn_device_images_make(const tn_images_params *params, tn_arena *arena,
                                            tn_buf *fatbin, tn_args *natives, tn_buf *text,
                                            tn_diag *diag);

// Adds the images of a file of the user's to `result`.
TN_MUST_USE tn_status tn_added_image_read(const tn_plan *plan, const tn_added_image *added,
                                          tn_arena *arena, tn_link_result *result, tn_buf *text,
                                          tn_diag *diag);
// What code by another tool exports and imports, as far as its format says; texts are views of
// `code` or of `arena`. Lists hold tn_symbol_info.
TN_MUST_USE tn_status tn_foreign_symbols_read(uint32_t format, tn_bytes code, tn_arena *arena,
                                              tn_list *exports, tn_list *imports, tn_diag *diag);

// -fsycl-dump-device-code=: each image as "<folder>/<name>.<n>.<format>", its properties beside it.
TN_MUST_USE tn_status tn_device_dump(const char *folder, const char *name, tn_bytes fatbin,
                                     tn_diag *diag);

#endif
