// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitcode of any maker as device images: lowered as a source's is, and linked by itself.
#include "base/map.h"
#include "compile/lower/lower.h"
#include "compile/pipeline/pipeline.h"

#include <llvm-c/TargetMachine.h>

enum { IMPORT_BUFFER_MAXIMUM = 1 << 30, IMPORT_OPT_LEVEL = 2 };

static tn_str arch_of(tn_str triple) { return tn_str_split(&triple, '-'); }

// The CPU for this machine's triple, for others the target of that name.
static tn_status target_of(tn_arena *arena, tn_str triple, tn_target *out, tn_diag *diag) {
  const tn_str shown = tn_str_slice(triple, 0, 80);
  char *host = LLVMGetDefaultTargetTriple();
  const bool is_host = tn_str_equals(arch_of(triple), arch_of(tn_str_from(host))) &&
                       tn_str_find(triple, TN_STR_LIT("linux")) != SIZE_MAX;
  LLVMDisposeMessage(host);
  if (is_host) {
    *out = tn_target_default();
    return TN_OK;
  }
  if (triple.size == 0) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "the bitcode names no target triple; compile it with "
                   "tenon++ -fsycl -fsycl-device-only -c -emit-llvm");
  }
  if (tn_target_read(arena, "triple", triple, out, NULL) != TN_OK || out->kind == TN_TARGET_CPU ||
      out->kind == TN_TARGET_AMDGPU) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "the bitcode is for the triple %.*s; what can be opened is "
                   "bitcode for this machine's CPU, spirv64 and nvptx64-nvidia-cuda",
                   TN_STR_ARG(shown));
  }
  return TN_OK;
}

typedef struct target_read {
  tn_arena *arena;
  tn_target *out;
} target_read;

static tn_status read_target(LLVMModuleRef module, void *user, tn_diag *diag) {
  const target_read *read = user;
  return target_of(read->arena, tn_str_from(LLVMGetTarget(module)), read->out, diag);
}

static tn_status join(const tn_link_result *result, tn_arena *arena, tn_buf *out, tn_diag *diag) {
  const size_t count = result->images.count;
  if (count == 0) {
    return TN_FAIL(diag, BAD_IMAGE, "it defines no function and no kernel for others");
  }
  tn_bytes *parts = tn_arena_alloc_array(arena, count, sizeof(*parts));
  if (!parts) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the device images");
  }
  for (size_t i = 0; i < count; i++) {
    parts[i] = tn_buf_bytes(result->images.items[i]);
  }
  return tn_fatbin_join(parts, count, out, diag);
}

static tn_status lower_and_link(tn_bytes bitcode, const char *name, const tn_target *target,
                                tn_arena *arena, tn_buf *out, tn_diag *diag) {
  tn_buf lowered;
  tn_buf symbols;
  tn_buf messages;
  tn_link_result result;
  tn_buf_init(&lowered, IMPORT_BUFFER_MAXIMUM);
  tn_buf_init(&symbols, IMPORT_BUFFER_MAXIMUM);
  tn_buf_init(&messages, 1 << 20);
  tn_link_result_init(&result);
  const tn_unit_params unit = {
      .bitcode = bitcode,
      .source = name,
      .unit_id = tn_hash_bytes(bitcode.data, bitcode.size, 1),
      .target = target,
      .opt_level = IMPORT_OPT_LEVEL,
      .is_foreign = true,
  };
  tn_status status = tn_pipeline_unit(&unit, &lowered, &symbols, &messages, diag);
  if (status == TN_OK) {
    const tn_link_input input = {tn_buf_bytes(&lowered), tn_buf_str(&symbols), name};
    const tn_link_params link = {
        .target = target,
        .output = name,
        .inputs = &input,
        .input_count = 1,
        .opt_level = IMPORT_OPT_LEVEL,
        .split = TN_SPLIT_OFF,
        .threads = 1,
    };
    status = tn_pipeline_link(&link, &result, &messages, diag);
  }
  if (status == TN_OK) {
    status = join(&result, arena, out, diag);
  }
  tn_link_result_deinit(&result);
  tn_buf_deinit(&messages);
  tn_buf_deinit(&symbols);
  tn_buf_deinit(&lowered);
  return status;
}

tn_status tn_pipeline_import(tn_bytes bitcode, const char *name, tn_buf *out, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_target target;
  TN_IGNORE(tn_pipeline_init(NULL), "what has no back end here fails when it is wanted");
  target_read read = {&arena, &target};
  tn_status status = tn_module_read(bitcode, name, read_target, &read, diag);
  if (status == TN_OK) {
    status = lower_and_link(bitcode, name, &target, &arena, out, diag);
  }
  tn_arena_deinit(&arena);
  return status;
}
