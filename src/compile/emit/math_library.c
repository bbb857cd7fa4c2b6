// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links the functions of mathematics that a device has no instructions for: CUDA's libdevice or,
// where there is none, libclc's in its place; ROCm's OCML.
// needs: code lowered for its device.  keeps: its functions' names.  breaks: nothing.
#include "compile/emit/math_library.h"

#include "base/config.h"
#include "base/file.h"
#include "compile/emit/vendor_tool.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>

enum { LIBRARY_MAX = 64 << 20 };

static bool is_kernel(LLVMValueRef function) {
  return tn_function_attr(function, TN_ATTR_ARG_SIZE).data != NULL;
}

// The first function of a library that is called and not there.
static LLVMValueRef first_of_library(LLVMModuleRef module, const char *prefix) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!tn_function_is_defined(f) && LLVMGetFirstUse(f) &&
        tn_str_has_prefix(tn_value_name(f), tn_str_from(prefix))) {
      return f;
    }
  }
  return NULL;
}

static LLVMValueRef calling_function(LLVMValueRef function) {
  LLVMValueRef user = LLVMGetUser(LLVMGetFirstUse(function));
  return LLVMIsAInstruction(user) ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) : NULL;
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

// What says for which processor and how a function was compiled is the caller's matter; a function
// that treats small numbers otherwise than its caller would not become part of it.
static void adopt(LLVMValueRef function, bool flushes) {
  static const char *const others[] = {"target-cpu", "target-features", "frame-pointer",
                                       "denormal-fp-math", "denormal-fp-math-f32"};
  for (size_t i = 0; i < TN_COUNT(others); ++i) {
    tn_function_remove_attr(function, others[i]);
  }
  if (flushes) {
    tn_function_set_attr(function, "denormal-fp-math-f32", "preserve-sign,preserve-sign");
  }
}

// Functions of the library are parts of this module alone.
static void hide_library(LLVMModuleRef library, bool flushes) {
  for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f)) {
      if (LLVMGetLinkage(f) != LLVMInternalLinkage) {
        LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
        LLVMSetVisibility(f, LLVMHiddenVisibility);
      }
      adopt(f, flushes);
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

// The library is there once for all kernels of the module.
static bool flushes_floats(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f) && tn_function_flushes_floats(f)) {
      return true;
    }
  }
  return false;
}

// `bytes` have to last until this returns.
static tn_status link_bytes(tn_llvm_job *job, LLVMModuleRef module, tn_bytes bytes,
                            const char *path, tn_diag *diag) {
  LLVMModuleRef library = NULL;
  TN_TRY(open_library(job, bytes, path, &library, diag));
  LLVMSetTarget(library, LLVMGetTarget(module));
  LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
  hide_library(library, flushes_floats(module));
  if (LLVMLinkModules2(module, library) || tn_llvm_job_has_error(job)) {
    return tn_llvm_job_fail(job, diag, path);
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

static tn_status link_file(tn_llvm_job *job, LLVMModuleRef module, const char *path,
                           tn_diag *diag) {
  char *data = NULL;
  size_t size = 0;
  TN_TRY(tn_file_read_regular(path, LIBRARY_MAX, &data, &size, diag));
  const tn_status status = link_bytes(job, module, tn_bytes_from(data, size), path, diag);
  tn_free(data);
  return status;
}

static void say(const tn_device_params *params, const char *library, tn_buf *messages) {
  if (params->verbose) {
    tn_buf_add_format(messages, "tenon++: %s: mathematics of %s from %s\n",
                      params->name ? params->name : "the program", params->target->word, library);
  }
}

static const char *libdevice_path(const tn_device_params *params, tn_arena *arena) {
  const char *cuda = tn_cuda_find(params, arena);
  const char *path =
      cuda ? tn_arena_format(arena, "%s/nvvm/libdevice/libdevice.10.bc", cuda) : NULL;
  return path && tn_file_exists(path) ? path : NULL;
}

// libdevice asks for it by __nvvm_reflect.
static void tell_of_flushing(LLVMModuleRef module) {
  static const char flag[] = "nvvm-reflect-ftz";
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
  if (flushes_floats(module) && !LLVMGetModuleFlag(module, flag, sizeof(flag) - 1)) {
    LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorOverride, flag, sizeof(flag) - 1,
                      LLVMValueAsMetadata(LLVMConstInt(i32, 1, 0)));
  }
}

static tn_status link_nvidia(tn_llvm_job *job, LLVMModuleRef module, const tn_device_params *params,
                             tn_arena *arena, tn_buf *messages, tn_diag *diag) {
  static const char prefix[] = "__nv_";
  if (!first_of_library(module, prefix)) {
    return TN_OK;
  }
  const char *path = libdevice_path(params, arena);
  const tn_bytes carried = tn_carried_math();
  if (path) {
    tell_of_flushing(module);
    say(params, path, messages);
    TN_TRY(link_file(job, module, path, diag));
  } else if (carried.size > 0) {
    say(params, "libclc, which is part of Tenon", messages);
    TN_TRY(link_bytes(job, module, carried, "Tenon's mathematics of libclc", diag));
  }
  LLVMValueRef wanted = first_of_library(module, prefix);
  if (!wanted) {
    return TN_OK;
  }
  const char *who = describe_caller(wanted, arena);
  const tn_str name = tn_str_slice(tn_value_name(wanted), strlen(prefix), SIZE_MAX);
  if (path) {
    return TN_FAIL(diag, BUILD_FAILED, "%s calls '__nv_%.*s', which CUDA's libdevice does not have",
                   who ? who : "device code", TN_STR_ARG(name));
  }
  return TN_FAIL(diag, UNSUPPORTED,
                 "%s calls '%.*s' of CUDA's libdevice, which was not found%s; install CUDA's "
                 "libdevice (nvvm/libdevice/libdevice.10.bc) and say where with CUDA_PATH or "
                 "--cuda-path=",
                 who ? who : "device code", TN_STR_ARG(name),
                 carried.size > 0 ? ", and which libclc in its place does not have"
                                  : ", and this Tenon was built without libclc");
}

static tn_status link_ocml(tn_llvm_job *job, LLVMModuleRef module, const tn_device_params *params,
                           tn_arena *arena, tn_buf *messages, tn_diag *diag) {
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
      if (i == 0) {
        say(params, path, messages);
      }
      TN_TRY(link_file(job, module, path, diag));
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

tn_status tn_math_library_link(tn_llvm_job *job, LLVMModuleRef module,
                               const tn_device_params *params, tn_arena *arena, tn_buf *messages,
                               tn_diag *diag) {
  switch (params->target->kind) {
    case TN_TARGET_NVPTX:
      return link_nvidia(job, module, params, arena, messages, diag);
    case TN_TARGET_AMDGPU:
      return link_ocml(job, module, params, arena, messages, diag);
    default:
      return TN_OK;
  }
}
