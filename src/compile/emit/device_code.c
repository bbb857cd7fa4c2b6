// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lowered module to a device's code: the vendor's library of mathematics, LLVM, the vendor's
// tool.
#include "base/config.h"
#include "base/file.h"
#include "compile/emit/device_machine.h"
#include "compile/emit/spirv_check.h"
#include "compile/emit/vendor_tool.h"
#include "image/image.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>

enum { DEVICE_CODE_MAX = 1 << 30, LIBRARY_MAX = 64 << 20 };

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

// The first function of a vendor's library that is called and not there.
static LLVMValueRef first_of_library(LLVMModuleRef module, const char *prefix) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (is_used(f) && tn_str_has_prefix(tn_value_name(f), tn_str_from(prefix))) {
      return f;
    }
  }
  return NULL;
}

static LLVMValueRef calling_function(LLVMValueRef function) {
  LLVMValueRef user = LLVMGetUser(LLVMGetFirstUse(function));
  return LLVMIsAInstruction(user) ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) : NULL;
}

static bool is_kernel(LLVMValueRef function) {
  return tn_function_attr(function, TN_ATTR_ARG_SIZE).data != NULL;
}

// "a.cpp:12: kernel 'K'", for the function or a kernel that it is called by.
static const char *describe_caller(LLVMValueRef library_function, tn_arena *arena) {
  LLVMValueRef caller = calling_function(library_function);
  for (int depth = 0; caller && !is_kernel(caller) && depth < 16; ++depth) {
    LLVMValueRef next = LLVMGetFirstUse(caller) ? calling_function(caller) : NULL;
    if (!next) {
      break;
    }
    caller = next;
  }
  if (!caller) {
    return "device code";
  }
  const tn_str file = tn_function_attr(caller, TN_ATTR_KERNEL_FILE);
  const tn_str line = tn_function_attr(caller, TN_ATTR_KERNEL_LINE);
  const char *name = is_kernel(caller) ? tn_demangle_kernel(arena, tn_value_name(caller))
                                       : tn_demangle(arena, tn_value_name(caller));
  return file.size == 0 ? tn_arena_format(arena, "'%s'", name ? name : "?")
                        : tn_arena_format(arena, "%.*s:%.*s: kernel '%s'", TN_STR_ARG(file),
                                          TN_STR_ARG(line), name ? name : "?");
}

// Functions of the library are parts of this module alone.
static void hide_library(LLVMModuleRef library) {
  for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f)) {
      LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
      LLVMSetVisibility(f, LLVMHiddenVisibility);
      tn_function_remove_attr(f, "target-cpu");
      tn_function_remove_attr(f, "target-features");
    }
  }
}

// Of bitcode only what is called is read: these libraries have hundreds of functions.
static tn_status open_library(tn_llvm_job *job, tn_bytes bytes, const char *path,
                              LLVMModuleRef *out, tn_diag *diag) {
  if (bytes.size < 2 || memcmp(bytes.data, "BC", 2) != 0) {
    return tn_module_parse(job, bytes, path, out, diag);
  }
  LLVMMemoryBufferRef memory =
      LLVMCreateMemoryBufferWithMemoryRange((const char *)bytes.data, bytes.size, path, 0);
  if (LLVMGetBitcodeModuleInContext2(job->context, memory, out) || tn_llvm_job_has_error(job)) {
    return tn_llvm_job_fail(job, diag, path);
  }
  return TN_OK;
}

static tn_status link_library(tn_llvm_job *job, LLVMModuleRef module, const char *path,
                              tn_diag *diag) {
  char *data = NULL;
  size_t size = 0;
  LLVMModuleRef library = NULL;
  TN_TRY(tn_file_read(path, LIBRARY_MAX, &data, &size, diag));
  tn_status status = open_library(job, tn_bytes_from(data, size), path, &library, diag);
  if (status == TN_OK) {
    LLVMSetTarget(library, LLVMGetTarget(module));
    LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
    hide_library(library);
    if (LLVMLinkModules2(module, library) || tn_llvm_job_has_error(job)) {
      status = tn_llvm_job_fail(job, diag, path);
    }
  }
  tn_free(data);
  if (status != TN_OK) {
    return status;
  }
  // What the library gave is no one else's.
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMGetLinkage(f) == LLVMLinkOnceODRLinkage &&
        LLVMGetVisibility(f) == LLVMHiddenVisibility) {
      LLVMSetVisibility(f, LLVMDefaultVisibility);
      LLVMSetLinkage(f, LLVMInternalLinkage);
    }
  }
  return TN_OK;
}

static tn_status link_libdevice(tn_llvm_job *job, LLVMModuleRef module,
                                const tn_device_params *params, tn_arena *arena, tn_diag *diag) {
  LLVMValueRef wanted = first_of_library(module, "__nv_");
  if (!wanted) {
    return TN_OK;
  }
  const char *cuda = tn_cuda_find(params, arena);
  const char *path =
      cuda ? tn_arena_format(arena, "%s/nvvm/libdevice/libdevice.10.bc", cuda) : NULL;
  if (!path || !tn_file_exists(path)) {
    const char *who = describe_caller(wanted, arena);
    return TN_FAIL(diag, UNSUPPORTED,
                   "%s calls '%.*s' of CUDA's libdevice, which was not found; install CUDA's "
                   "libdevice (nvvm/libdevice/libdevice.10.bc) and say where with CUDA_PATH or "
                   "--cuda-path=",
                   who ? who : "device code",
                   TN_STR_ARG(tn_str_slice(tn_value_name(wanted), 5, SIZE_MAX)));
  }
  return link_library(job, module, path, diag);
}

static tn_status link_ocml(tn_llvm_job *job, LLVMModuleRef module, tn_arena *arena, tn_diag *diag) {
  static const char *const names[] = {"ocml.bc", "oclc_finite_only_off.bc",
                                      "oclc_unsafe_math_off.bc",
                                      "oclc_correctly_rounded_sqrt_on.bc", "oclc_daz_opt_off.bc"};
  LLVMValueRef wanted = first_of_library(module, "__ocml_");
  if (!wanted) {
    return TN_OK;
  }
  const char *rocm = tn_config_get()->rocm_path;
  for (size_t i = 0; i < TN_COUNT(names); ++i) {
    const char *path =
        tn_arena_format(arena, "%s/amdgcn/bitcode/%s", rocm[0] ? rocm : "/opt/rocm", names[i]);
    if (path && tn_file_exists(path)) {
      TN_TRY(link_library(job, module, path, diag));
    } else if (i == 0) {
      const char *who = describe_caller(wanted, arena);
      return TN_FAIL(diag, UNSUPPORTED,
                     "%s calls '%.*s' of ROCm's device libraries, which were not found; install "
                     "them (amdgcn/bitcode/ocml.bc) and say where with ROCM_PATH",
                     who ? who : "device code",
                     TN_STR_ARG(tn_str_slice(tn_value_name(wanted), 7, SIZE_MAX)));
    }
  }
  return TN_OK;
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

static tn_status make_code(tn_llvm_job *job, LLVMModuleRef module, const tn_device_params *params,
                           LLVMTargetMachineRef machine, tn_device_code *out, tn_arena *arena,
                           tn_buf *messages, tn_diag *diag) {
  const tn_target *target = params->target;
  const device_form form = form_of(target->kind);
  const bool is_open = is_linked_later(module);
  if (target->kind == TN_TARGET_NVPTX) {
    TN_TRY(link_libdevice(job, module, params, arena, diag));
  } else if (target->kind == TN_TARGET_AMDGPU) {
    TN_TRY(link_ocml(job, module, arena, diag));
  }
  TN_TRY(tn_device_optimize(job, module, target, machine, params->opt_level, diag));
  tn_buf *first = target->is_aot ? &out->beside : &out->code;
  TN_TRY(tn_device_emit(job, module, target, machine, form.is_text, first, diag));
  TN_TRY(save_temp(params, form.extension, first, arena, diag));
  if (target->kind == TN_TARGET_SPIRV) {
    TN_TRY(tn_spirv_check(tn_buf_bytes(first), is_import, module, diag));
  }
  out->format = form.format;
  if (!target->is_aot) {
    return TN_OK;
  }
  TN_TRY(tn_vendor_tool_run(params, tn_buf_bytes(first), is_open, &out->code, messages, diag));
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
