// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compresses the code of images that were just written.
#include "compile/pipeline/compress_images.h"

#include "compile/pipeline/pipeline.h"

#include "image/image.h"

enum { FAST_LEVEL = 3 };

static tn_status compress_one(tn_buf *buf, uint32_t level, tn_diag *diag) {
  tn_fatbin fatbin;
  TN_TRY(tn_fatbin_parse(tn_buf_bytes(buf), &fatbin, diag));
  if (TN_NEVER(fatbin.image_count != 1)) {
    return TN_FAIL(diag, INTERNAL, "a fat binary of %u images is to be compressed",
                   fatbin.image_count);
  }
  const tn_image image = tn_fatbin_image_at(&fatbin, 0);
  if (tn_image_is_compressed(&image)) {
    return TN_OK;
  }
  tn_buf packed;
  tn_buf_init(&packed, buf->maximum);
  const tn_status status = tn_image_compress(&image, level, &packed, diag);
  if (status != TN_OK) {
    tn_buf_deinit(&packed);
    return status;
  }
  tn_buf_deinit(buf);
  *buf = packed;
  return TN_OK;
}

tn_status tn_compress_images(const tn_list *images, uint32_t level, tn_diag *diag) {
  for (size_t i = 0; i < images->count && level > 0; i++) {
    TN_TRY(compress_one(images->items[i], level, diag));
  }
  return TN_OK;
}

tn_status tn_pipeline_pack(const tn_link_result *result, uint64_t most, bool *out_was_packed,
                           tn_diag *diag) {
  uint64_t size = 0;
  for (size_t i = 0; i < result->images.count; i++) {
    size += tn_buf_bytes(result->images.items[i]).size;
  }
  *out_was_packed = size > most;
  return *out_was_packed ? tn_compress_images(&result->images, FAST_LEVEL, diag) : TN_OK;
}
