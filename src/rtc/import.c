// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of bitcode that a program opens, as device images.
#include "base/buf.h"
#include "compile/clang/clang.h"
#include "compile/pipeline/pipeline.h"
#include "rtc/compiler_end.h"
#include "rtc/rtc.h"

enum { IMPORT_MAXIMUM = 1 << 30 };

typedef struct import_call {
  tn_bytes bitcode;
  const char *name;
  tn_buf *fatbin;
  tn_diag *diag;
  tn_status status;
} import_call;

static void call_import(void *arg) {
  import_call *call = arg;
  call->status = tn_pipeline_import(call->bitcode, call->name, call->fatbin, call->diag);
}

tn_status tn_rtc_import_bitcode(const void *bitcode, size_t size, const char *name,
                                void **out_fatbin, size_t *out_size, tn_diag *diag) {
  *out_fatbin = NULL;
  *out_size = 0;
  TN_TRY(tn_compiler_enter(diag));
  tn_buf fatbin;
  tn_buf_init(&fatbin, IMPORT_MAXIMUM);
  import_call call = {
      .bitcode = tn_bytes_from(bitcode, size), .name = name, .fatbin = &fatbin, .diag = diag};
  tn_status status = tn_clang_guard(call_import, &call, diag);
  status = status == TN_OK ? call.status : status;
  tn_compiler_leave();
  if (status != TN_OK) {
    tn_buf_deinit(&fatbin);
    return status;
  }
  *out_fatbin = fatbin.data;  // the buffer's memory becomes the caller's
  *out_size = fatbin.size;
  return TN_OK;
}
