// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: --offload-compress.
#ifndef TN_COMPILE_PIPELINE_COMPRESS_IMAGES_H
#define TN_COMPILE_PIPELINE_COMPRESS_IMAGES_H

#include "base/arena.h"
#include "base/buf.h"

// Each of `images` (tn_buf: a fat binary of one image) becomes one with compressed code, where that
// is smaller. Level 0 leaves them as they are.
TN_MUST_USE tn_status tn_compress_images(const tn_list *images, uint32_t level, tn_diag *diag);

#endif
