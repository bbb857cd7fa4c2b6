// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lowered module to a device's code: a library of mathematics, LLVM, the vendor's tool.
#include "base/file.h"
#include "compile/emit/device_machine.h"
#include "compile/emit/math_library.h"
#include "compile/emit/spirv_check.h"
#include "compile/emit/vendor_tool.h"
#include "image/image.h"

enum { DEVICE_CODE_MAX = 1 << 30 };

void tn_device_code_init(tn_device_code *code) {
  *code = (tn_device_code){.format = TN_IMAGE_FORMAT_NONE, .beside_format = TN_IMAGE_FORMAT_NONE};
  tn_buf_init(&code->code, DEVICE_CODE_MAX);
  tn_buf_init(&code->beside, DEVICE_CODE_MAX);
}

void tn_device_code_deinit(tn_device_code *code) {
  tn_buf_deinit(&code->code);
  tn_buf_deinit(&code->beside);
}

static bool is_used(LLVMValueRef function) {
  return !tn_function_is_defined(function) && LLVMGetFirstUse(function);
}

static bool is_kernel(LLVMValueRef function) {
  return tn_function_attr(function, TN_ATTR_ARG_SIZE).data != NULL;
}

static tn_status save_temp(const tn_device_params *params, const char *extension,
                           const tn_buf *contents, tn_arena *arena, tn_diag *diag) {
  if (!params->temps_stem) {
    return TN_OK;
  }
  const char *path = tn_arena_format(arena, "%s.%s", params->temps_stem, extension);
  return path ? tn_file_write(path, tn_buf_bytes(contents), diag)
              : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a file name");
}

static bool is_import(void *user, tn_str name) {
  LLVMValueRef function = LLVMGetNamedFunctionWithLength(user, name.data, name.size);
  return function && !tn_function_is_defined(function) && tn_function_is_external(function);
}

// Whether code of other images is called, or other images call this one.
static bool is_linked_later(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const bool is_export =
        tn_function_is_defined(f) && LLVMGetLinkage(f) != LLVMInternalLinkage && !is_kernel(f);
    if (tn_function_is_external(f) && (is_used(f) || is_export)) {
      return true;
    }
  }
  return false;
}

typedef struct device_form {
  uint32_t format;          // of what LLVM makes
  uint32_t machine_format;  // of what the vendor's tool makes of that
  const char *extension;
  const char *machine_extension;
  bool is_text;
  bool keeps;  // what LLVM made lies beside what the tool made
} device_form;

static device_form form_of(tn_target_kind kind) {
  switch (kind) {
    case TN_TARGET_NVPTX:
      return (device_form){TN_IMAGE_FORMAT_PTX, TN_IMAGE_FORMAT_CUBIN, "ptx", "cubin", true, true};
    case TN_TARGET_AMDGPU:
      return (device_form){TN_IMAGE_FORMAT_ELF, TN_IMAGE_FORMAT_ELF, "o", "hsaco", false, false};
    default:
      return (device_form){TN_IMAGE_FORMAT_SPIRV, TN_IMAGE_FORMAT_ELF, "spv", "bin", false, false};
  }
}

// A function that may stay undefined, which NVIDIA's compiler refuses; its data is NULL when there
// is none.
static tn_str find_weak_import(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMGetLinkage(f) == LLVMExternalWeakLinkage && is_used(f)) {
      return tn_value_name(f);
    }
  }
  return (tn_str){NULL, 0};
}

// Machine code of `beside`, in `code`; for NVIDIA's GPUs `beside` itself where the compiler is not
// there, or does not know the processor or what the code asks for: their driver compiles it.
static tn_status run_tool(const tn_device_params *params, bool is_open, tn_str weak_import,
                          tn_device_code *out, bool *out_is_machine_code, tn_buf *messages,
                          tn_diag *diag) {
  tn_diag reason = {0};
  const tn_status status = params->target->kind == TN_TARGET_NVPTX && weak_import.data
                               ? TN_FAIL(&reason, UNSUPPORTED,
                                         "function %.*s is weak and not defined, which ptxas takes "
                                         "for an error",
                                         TN_STR_ARG(tn_str_slice(weak_import, 0, 200)))
                               : tn_vendor_tool_run(params, tn_buf_bytes(&out->beside), is_open,
                                                    &out->code, messages, &reason);
  *out_is_machine_code = status == TN_OK;
  if (status == TN_UNSUPPORTED && params->target->kind == TN_TARGET_NVPTX) {
    tn_buf_add_format(messages,
                      "tenon++: note: %s; the program gets PTX for %s, which the driver compiles\n",
                      reason.text, params->target->processor);
    const tn_buf ptx = out->beside;
    out->beside = out->code;
    out->code = ptx;
    return TN_OK;
  }
  if (status != TN_OK && diag) {
    *diag = reason;
  }
  return status;
}

static tn_status make_code(tn_llvm_job *job, LLVMModuleRef module, const tn_device_params *params,
                           LLVMTargetMachineRef machine, tn_device_code *out, tn_arena *arena,
                           tn_buf *messages, tn_diag *diag) {
  const tn_target *target = params->target;
  const device_form form = form_of(target->kind);
  const bool is_open = is_linked_later(module);
  TN_TRY(tn_math_library_link(job, module, params, arena, messages, diag));
  TN_TRY(tn_device_optimize(job, module, target, machine, params->opt_level, diag));
  if (target->kind == TN_TARGET_SPIRV) {
    tn_emit_spirv_opencl(module);
    tn_emit_spirv_members(module);
    TN_TRY(tn_emit_spirv_integers(module, diag));
    tn_emit_spirv_casts(module);
    tn_emit_spirv_atomics(module);
    tn_emit_spirv_variables(module);
  } else if (target->kind == TN_TARGET_NVPTX) {
    tn_device_relax_floats(module);
    tn_device_hide_nulls(module);
    if (params->debug && params->opt_level > 0) {
      tn_device_move_lines(module);
    }
  }
  tn_buf *first = target->is_aot ? &out->beside : &out->code;
  TN_TRY(tn_device_emit(job, module, target, machine, params->opt_level, form.is_text, first,
                        diag));
  TN_TRY(save_temp(params, form.extension, first, arena, diag));
  if (target->kind == TN_TARGET_SPIRV) {
    TN_TRY(tn_spirv_check(first, is_import, module, diag));
  }
  out->format = form.format;
  if (!target->is_aot) {
    return TN_OK;
  }
  bool has_machine_code = false;
  TN_TRY(
      run_tool(params, is_open, find_weak_import(module), out, &has_machine_code, messages, diag));
  if (!has_machine_code) {
    return TN_OK;
  }
  out->format = form.machine_format;
  out->beside_format = form.keeps ? form.format : TN_IMAGE_FORMAT_NONE;
  if (!form.keeps) {
    tn_buf_clear(first);
  }
  return save_temp(params, form.machine_extension, &out->code, arena, diag);
}

// Words that name the processor are meant for LLVM, not for the vendor's tool.
static tn_status read_words(const tn_device_params *params, tn_target *target, tn_arena *arena,
                            const char *const **out_rest, tn_diag *diag) {
  tn_list rest = {0};
  bool complete = true;
  for (const char *const *word = params->tool_words; word && *word; ++word) {
    bool taken = false;
    TN_TRY(
        tn_target_read_backend("-Xsycl-target-backend=", tn_str_from(*word), target, &taken, diag));
    complete = complete && (taken || tn_list_add(&rest, arena, *word));
  }
  complete = tn_list_add(&rest, arena, NULL) && complete;
  *out_rest = (const char *const *)rest.items;
  return complete ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the back end's options");
}

static tn_status check_processor(const tn_target *target, tn_diag *diag) {
  if (target->kind == TN_TARGET_AMDGPU && !target->processor) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "%s: AMD's code is for one processor; name it, as in "
                   "-fsycl-targets=amd_gpu_gfx90a or -Xsycl-target-backend=amdgcn-amd-amdhsa "
                   "--offload-arch=gfx90a",
                   target->word);
  }
  return TN_OK;
}

static tn_status emit_in(tn_llvm_job *job, LLVMModuleRef module, const tn_device_params *params,
                         tn_arena *arena, tn_device_code *out, tn_buf *messages, tn_diag *diag) {
  tn_target target = *params->target;
  tn_device_params own = *params;
  LLVMTargetMachineRef machine = NULL;
  TN_TRY(read_words(params, &target, arena, &own.tool_words, diag));
  TN_TRY(check_processor(&target, diag));
  own.target = &target;
  out->processor = target.processor;
  TN_TRY(tn_device_machine_create(&target, params->opt_level, &machine, diag));
  const tn_status status = make_code(job, module, &own, machine, out, arena, messages, diag);
  LLVMDisposeTargetMachine(machine);
  return status;
}

tn_status tn_emit_device(tn_llvm_job *job, LLVMModuleRef module, const tn_device_params *params,
                         tn_device_code *out, tn_buf *messages, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  const tn_status status = emit_in(job, module, params, &arena, out, messages, diag);
  tn_arena_deinit(&arena);
  return status;
}
