// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that compiler and runtime must make alike.
#include "image/image.h"

#include <inttypes.h>

const char *tn_image_format_name(uint32_t format) {
  static const char *const names[] = {
      [TN_IMAGE_FORMAT_NONE] = "none",   [TN_IMAGE_FORMAT_BITCODE] = "bitcode",
      [TN_IMAGE_FORMAT_SPIRV] = "spirv", [TN_IMAGE_FORMAT_PTX] = "ptx",
      [TN_IMAGE_FORMAT_CUBIN] = "cubin", [TN_IMAGE_FORMAT_NATIVE] = "native",
      [TN_IMAGE_FORMAT_HOST] = "host",   [TN_IMAGE_FORMAT_ELF] = "elf",
  };
  return format < TN_COUNT(names) ? names[format] : "unknown";
}

void tn_kernel_local_name(tn_buf *buf, tn_str name, uint64_t unit_id) {
  tn_buf_add_str(buf, name);
  tn_buf_add_format(buf, "@%016" PRIx64, unit_id);
}

void tn_export_marker_name(tn_buf *buf, tn_str symbol) {
  tn_buf_add_text(buf, "__tenon_export_");
  tn_buf_add_str(buf, symbol);
}
