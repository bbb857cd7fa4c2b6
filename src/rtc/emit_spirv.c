// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tenon-spirv has the library do: one module to SPIR-V.
#include "base/buf.h"
#include "compile/clang/clang.h"
#include "compile/pipeline/pipeline.h"
#include "rtc/compiler_end.h"
#include "rtc/rtc.h"

enum { CODE_MAXIMUM = 1 << 30 };

typedef struct emit_call {
  tn_bytes bitcode;
  uint32_t opt_level;
  tn_buf *code;
  tn_diag *diag;
  tn_status status;
} emit_call;

static void call_emit(void *arg) {
  emit_call *call = arg;
  call->status = tn_pipeline_emit_spirv(call->bitcode, call->opt_level, call->code, call->diag);
}

tn_status tn_rtc_emit_spirv(const void *bitcode, size_t size, uint32_t opt_level, void **out_code,
                            size_t *out_size, tn_diag *diag) {
  *out_code = NULL;
  *out_size = 0;
  TN_TRY(tn_compiler_enter(diag));
  tn_buf code;
  tn_buf_init(&code, CODE_MAXIMUM);
  emit_call call = {.bitcode = tn_bytes_from(bitcode, size),
                    .opt_level = opt_level,
                    .code = &code,
                    .diag = diag};
  tn_status status = tn_clang_guard(call_emit, &call, diag);
  status = status == TN_OK ? call.status : status;
  tn_compiler_leave();
  if (status != TN_OK) {
    tn_buf_deinit(&code);
    return status;
  }
  *out_code = code.data;  // the buffer's memory becomes the caller's
  *out_size = code.size;
  return TN_OK;
}
