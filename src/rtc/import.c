// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of bitcode that a program opens, as device images.
#include "base/buf.h"
#include "compile/pipeline/pipeline.h"
#include "rtc/compiler_end.h"
#include "rtc/rtc.h"

enum { IMPORT_MAXIMUM = 1 << 30 };

tn_status tn_rtc_import_bitcode(const void *bitcode, size_t size, const char *name,
                                void **out_fatbin, size_t *out_size, tn_diag *diag) {
  *out_fatbin = NULL;
  *out_size = 0;
  TN_TRY(tn_compiler_enter(diag));
  tn_buf fatbin;
  tn_buf_init(&fatbin, IMPORT_MAXIMUM);
  const tn_status status = tn_pipeline_import(tn_bytes_from(bitcode, size), name, &fatbin, diag);
  tn_compiler_leave();
  if (status != TN_OK) {
    tn_buf_deinit(&fatbin);
    return status;
  }
  *out_fatbin = fatbin.data;  // the buffer's memory becomes the caller's
  *out_size = fatbin.size;
  return TN_OK;
}
