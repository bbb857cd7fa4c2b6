// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler library's table.
#include "rtc/rtc.h"

#include "base/alloc.h"
#include "compile/clang/clang.h"
#include "compile/pipeline/pipeline.h"
#include "rtc/compiler_end.h"
#include "rtc/source_compile.h"

enum { TN_OBJECT_MAX = 1 << 30 };

typedef struct build_call {
  const tn_build_params *params;
  tn_buf *object;
  tn_diag *diag;
  tn_status status;
} build_call;

static void call_build(void *arg) {
  build_call *call = arg;
  call->status = tn_pipeline_build(call->params, call->object, call->diag);
}

static tn_status build(const tn_build_params *params, void **out_object, size_t *out_size,
                       tn_diag *diag) {
  *out_object = NULL;
  *out_size = 0;
  if (params->struct_size < offsetof(tn_build_params, specs)) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the build's parameters are of an older version");
  }
  tn_build_params whole = {0};  // of a caller that ends before the later fields
  memcpy(&whole, params,
         params->struct_size < sizeof(whole) ? params->struct_size : sizeof(whole));
  TN_TRY(tn_compiler_enter(diag));
  tn_buf object;
  tn_buf_init(&object, TN_OBJECT_MAX);
  build_call call = {.params = &whole, .object = &object, .diag = diag};
  tn_status status = tn_clang_guard(call_build, &call, diag);
  status = status == TN_OK ? call.status : status;
  tn_compiler_leave();
  if (status != TN_OK) {
    tn_buf_deinit(&object);
    return status;
  }
  *out_object = object.data;  // the buffer's memory becomes the caller's
  *out_size = object.size;
  return TN_OK;
}

typedef struct load_call {
  const void *object;
  size_t size;
  tn_native_code **out;
  tn_diag *diag;
  tn_status status;
} load_call;

static void call_load(void *arg) {
  load_call *call = arg;
  call->status = tn_native_code_load(call->object, call->size, call->out, call->diag);
}

static tn_status load(const void *object, size_t size, tn_native_code **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(tn_compiler_enter(diag));
  load_call call = {.object = object, .size = size, .out = out, .diag = diag};
  tn_status status = tn_clang_guard(call_load, &call, diag);
  status = status == TN_OK ? call.status : status;
  tn_compiler_leave();
  return status;
}

// At the end of the process memory is left as it is.
static void unload(tn_native_code *code) {
  if (tn_compiler_enter(NULL) == TN_OK) {
    tn_native_code_unload(code);
    tn_compiler_leave();
  } else if (code) {
    tn_compiler_abandon(code);
  }
}

static const tn_compiler table = {
    .size = sizeof(table),
    .version = TN_COMPILER_VERSION,
    .build = build,
    .free_object = tn_free,
    .code_load = load,
    .code_find = tn_native_code_find,
    .code_unload = unload,
    .import_bitcode = tn_rtc_import_bitcode,
    .compile_source = tn_source_compile,
    .free_source_result = tn_source_result_free,
    .identify_source = tn_source_identify,
    .emit_spirv = tn_rtc_emit_spirv,
};

const tn_compiler *tn_compiler_query(uint32_t max_version) {
  return max_version >= TN_COMPILER_VERSION ? &table : NULL;
}
