// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many modules into one: a device link's units, and the images of a build.
#ifndef TN_COMPILE_LINK_LINK_H
#define TN_COMPILE_LINK_LINK_H

#include "compile/module/module.h"

typedef struct tn_link_source {
  tn_bytes bitcode;  // borrowed
  const char *name;  // object or image, for messages; borrowed
  // Images only: the exported symbols to take from it; NULL = all.
  const char *const *take;
  size_t take_count;
} tn_link_source;

// Links translation units whose symbols fit. Of those after the first `own_count` the kernels are
// left out.
TN_MUST_USE tn_status tn_link_units(tn_llvm_job *job, const tn_link_source *units, size_t count,
                                    size_t own_count, LLVMModuleRef *out, tn_diag *diag);

// Links images: the first one's kernels, with the exports that are taken from each. What an image
// defines but is not taken becomes a reference when another image gives it. Only kernels stay
// visible, and only what they need stays. A symbol that nobody gives fails by name.
TN_MUST_USE tn_status tn_link_images(tn_llvm_job *job, const tn_link_source *images, size_t count,
                                     tn_arena *arena, LLVMModuleRef *out, tn_diag *diag);

#endif
