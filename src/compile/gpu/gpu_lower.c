// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for devices other than the CPU.
// needs: kernels in one module with all they call.  keeps: code, names, debug information.
// breaks: kernels are no longer found as such (spir_kernel), but for SPIR-V.
#include "compile/gpu/gpu_atomics.h"
#include "compile/gpu/gpu_calls.h"
#include "compile/gpu/gpu_conversions.h"
#include "compile/gpu/gpu_wide_copies.h"
#include "compile/gpu/gpu_kernel.h"
#include "compile/gpu/gpu_group_memory.h"
#include "compile/gpu/gpu_library.h"
#include "compile/gpu/gpu_math.h"
#include "compile/gpu/gpu_missing.h"
#include "compile/gpu/gpu_print.h"
#include "compile/gpu/gpu_spec_address.h"
#include "compile/gpu/gpu.h"
#include "image/image.h"

#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <stdio.h>

enum { TEXT_MAX = 1 << 16, LAUNCH_WORDS = 7, SHARED_SPACE = 3 };

// One device's kernels on their way.
typedef struct gpu_job {
  tn_llvm_job *llvm;
  LLVMModuleRef module;
  const tn_target *target;
  tn_arena arena;
  tn_list kernels;      // of LLVMValueRef
  tn_gpu_calls *calls;  // of each kernel, as its source has them
  tn_gpu_kernel_form form;
  bool has_ids_only;  // the device knows ids in groups; ranges and offsets come with the launch
} gpu_job;

static void set_form(gpu_job *job) {
  LLVMContextRef context = LLVMGetModuleContext(job->module);
  LLVMTypeRef block = LLVMArrayType2(LLVMInt64TypeInContext(context), LAUNCH_WORDS);
  job->has_ids_only = job->target->kind != TN_TARGET_SPIRV;
  switch (job->target->kind) {
    case TN_TARGET_NVPTX:
      job->form = (tn_gpu_kernel_form){LLVMPTXKernelCallConv, "byval", block, 0, TN_GPU_LAUNCH};
      break;
    case TN_TARGET_AMDGPU:
      job->form = (tn_gpu_kernel_form){LLVMAMDGPUKERNELCallConv, "byref", block, 4, TN_GPU_LAUNCH};
      break;
    default:
      job->form = (tn_gpu_kernel_form){LLVMSPIRKERNELCallConv, NULL, NULL, 3, TN_GPU_LOCAL};
      break;
  }
}

static tn_status list_kernels(gpu_job *job, tn_diag *diag) {
  bool complete = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f)) {
    complete =
        complete && (!tn_function_is_kernel(f) || tn_list_add(&job->kernels, &job->arena, f));
  }
  job->calls = tn_arena_alloc_array(&job->arena, job->kernels.count + 1, sizeof(*job->calls));
  if (!complete || !job->calls) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to lower kernels");
  }
  for (size_t i = 0; i < job->kernels.count; ++i) {
    TN_TRY(tn_gpu_calls_of(job->kernels.items[i], &job->calls[i], diag));
  }
  return TN_OK;
}

static tn_status link_text(gpu_job *job, const tn_buf *text, tn_diag *diag) {
  LLVMModuleRef library = NULL;
  TN_TRY(tn_module_parse(job->llvm, tn_buf_bytes(text), "Tenon's device library", &library, diag));
  LLVMSetTarget(library, LLVMGetTarget(job->module));
  LLVMSetDataLayout(library, LLVMGetDataLayoutStr(job->module));
  if (LLVMLinkModules2(job->module, library) || tn_llvm_job_has_error(job->llvm)) {
    return tn_llvm_job_fail(job->llvm, diag, "the device library cannot be linked");
  }
  return TN_OK;
}

static tn_status link_library(gpu_job *job, tn_diag *diag) {
  const char *const *lists[] = {NULL, NULL, NULL, NULL};
  size_t count = 0;
  if (job->has_ids_only) {
    // So that it is linked in though nobody uses it yet.
    LLVMContextRef context = LLVMGetModuleContext(job->module);
    LLVMAddFunction(job->module, TN_GPU_OUTSIDE,
                    LLVMFunctionType(LLVMInt1TypeInContext(context), NULL, 0, 0));
    lists[count++] = tn_gpu_library_ids;
  }
  if (job->target->kind == TN_TARGET_NVPTX && job->target->processor &&
      tn_target_cuda_number(job->target->processor) >= 80) {
    lists[count++] = tn_gpu_library_nvptx_80;
  }
  lists[count++] = job->target->kind == TN_TARGET_NVPTX    ? tn_gpu_library_nvptx
                   : job->target->kind == TN_TARGET_AMDGPU ? tn_gpu_library_amdgpu
                                                           : tn_gpu_library_spirv;
  tn_buf text;
  tn_buf_init(&text, TEXT_MAX);
  tn_status status = tn_gpu_library_pick(lists, job->module, &text, diag);
  if (status == TN_OK && text.size > 0) {
    status = link_text(job, &text, diag);
  }
  tn_buf_deinit(&text);
  return status;
}

// A function that is a kernel of an nd_range: it is launched over nothing else.
static bool is_of_range(LLVMValueRef kernel) {
  const tn_str kind = tn_function_attr(kernel, TN_ATTR_FUNCTION_KIND);
  return kind.size > 0 && !tn_str_equals(kind, TN_STR_LIT("0"));
}

// Groups are whole: the last ones of a plain range may have work-items too many, which end here.
static void add_guard(LLVMModuleRef module, LLVMValueRef kernel) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(kernel);
  LLVMBasicBlockRef guard = LLVMInsertBasicBlockInContext(context, body, "guard");
  LLVMBasicBlockRef leave = LLVMInsertBasicBlockInContext(context, body, "leave");
  LLVMPositionBuilderAtEnd(builder, guard);
  // Variables are on the stack only when they are made in the first block.
  for (LLVMValueRef i = LLVMGetFirstInstruction(body); i;) {
    LLVMValueRef next = LLVMGetNextInstruction(i);
    if (LLVMIsAAllocaInst(i)) {
      LLVMInstructionRemoveFromParent(i);
      LLVMInsertIntoBuilder(builder, i);
    }
    i = next;
  }
  LLVMValueRef function = LLVMGetNamedFunction(module, TN_GPU_OUTSIDE);
  LLVMValueRef outside =
      LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
  LLVMBuildCondBr(builder, outside, leave, body);
  LLVMPositionBuilderAtEnd(builder, leave);
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
}

// In the memory of groups, the same for all modules that are linked to one.
static LLVMValueRef launch_shared(LLVMModuleRef module, LLVMTypeRef type) {
  LLVMValueRef variable = LLVMGetNamedGlobal(module, TN_GPU_LAUNCH_SHARED);
  if (!variable) {
    variable = LLVMAddGlobalInAddressSpace(module, type, TN_GPU_LAUNCH_SHARED, SHARED_SPACE);
    LLVMSetInitializer(variable, LLVMGetUndef(type));
    LLVMSetLinkage(variable, LLVMLinkOnceAnyLinkage);
    LLVMSetAlignment(variable, sizeof(uint64_t));
  }
  return variable;
}

static LLVMValueRef launch_function(LLVMModuleRef module) {
  LLVMValueRef function = LLVMGetNamedFunction(module, TN_GPU_LAUNCH);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
  return function ? function
                  : LLVMAddFunction(module, TN_GPU_LAUNCH, LLVMFunctionType(pointer, NULL, 0, 0));
}

// The launch's block, for functions that this kernel calls and that are not part of it. All
// work-items write the same, each before it reads.
static void store_launch(LLVMModuleRef module, LLVMTypeRef type, LLVMValueRef kernel) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef to = launch_shared(module, type);
  LLVMValueRef launch = launch_function(module);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
  LLVMValueRef from = LLVMBuildCall2(builder, LLVMGlobalGetValueType(launch), launch, NULL, 0, "");
  for (uint64_t i = 0; i < LAUNCH_WORDS; ++i) {
    LLVMValueRef index = LLVMConstInt(i64, i, 0);
    LLVMValueRef word =
        LLVMBuildLoad2(builder, i64, LLVMBuildInBoundsGEP2(builder, i64, from, &index, 1, ""), "");
    LLVMBuildStore(builder, word, LLVMConstInBoundsGEP2(i64, to, &index, 1));
  }
  LLVMDisposeBuilder(builder);
}

// SYCL's "1,8,8" as the three numbers of the device, x first. False when there are none.
static bool group_size(LLVMValueRef kernel, uint64_t out[3]) {
  tn_str rest = tn_function_attr(kernel, TN_ATTR_WORK_GROUP_SIZE);
  for (int i = 2; i >= 0; --i) {
    const tn_str each = tn_str_split(&rest, ',');
    if (!each.data || !tn_str_to_u64(each, &out[i])) {
      return false;
    }
  }
  return true;
}

static void add_metadata(LLVMValueRef kernel, const char *kind, const uint64_t *values,
                         unsigned count) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(kernel));
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMMetadataRef nodes[3];
  for (unsigned i = 0; i < count; ++i) {
    nodes[i] = LLVMValueAsMetadata(LLVMConstInt(i32, values[i], 0));
  }
  LLVMGlobalSetMetadata(kernel, LLVMGetMDKindIDInContext(context, kind, (unsigned)strlen(kind)),
                        LLVMMDNodeInContext2(context, nodes, count));
}

// NVIDIA's compiler ends the process over a size that no device has; such a kernel is refused where
// it is launched.
static bool is_launchable(const uint64_t size[3]) {
  return size[0] <= 1024 && size[1] <= 1024 && size[2] <= 64 && size[0] * size[1] * size[2] <= 1024;
}

// What the kernel requires of its launch, as the back end reads it.
static tn_status set_sizes(gpu_job *job, LLVMValueRef kernel, bool is_plain, tn_diag *diag) {
  uint64_t size[3];
  uint64_t lanes = 0;
  if (tn_str_to_u64(tn_function_attr(kernel, TN_ATTR_SUB_GROUP_SIZE), &lanes)) {
    if (job->target->kind == TN_TARGET_SPIRV) {
      add_metadata(kernel, "intel_reqd_sub_group_size", &lanes, 1);
    } else if (job->target->kind == TN_TARGET_AMDGPU && (lanes == 32 || lanes == 64)) {
      tn_function_set_attr(
          kernel, "target-features",
          lanes == 32 ? "+wavefrontsize32,-wavefrontsize64" : "-wavefrontsize32,+wavefrontsize64");
    }
  }
  // The adapter or the driver chooses the groups of a plain range.
  if (!group_size(kernel, size) || (is_plain && job->target->kind != TN_TARGET_AMDGPU)) {
    return TN_OK;
  }
  const char *text = NULL;
  switch (job->target->kind) {
    case TN_TARGET_NVPTX:
      if (!is_launchable(size)) {
        return TN_OK;
      }
      text = tn_arena_format(&job->arena, "%llu,%llu,%llu", (unsigned long long)size[0],
                             (unsigned long long)size[1], (unsigned long long)size[2]);
      if (text) {
        tn_function_set_attr(kernel, "nvvm.reqntid", text);
      }
      break;
    case TN_TARGET_AMDGPU: {
      const unsigned long long items = (unsigned long long)(size[0] * size[1] * size[2]);
      text = tn_arena_format(&job->arena, "%llu,%llu", items, items);
      if (text) {
        tn_function_set_attr(kernel, "amdgpu-flat-work-group-size", text);
      }
      add_metadata(kernel, "reqd_work_group_size", size, 3);
      break;
    }
    default:
      add_metadata(kernel, "reqd_work_group_size", size, 3);
      return TN_OK;
  }
  return text ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory to lower kernels");
}

static bool has_calls_in(LLVMModuleRef module, const char *name, LLVMValueRef function) {
  LLVMValueRef callee = LLVMGetNamedFunction(module, name);
  for (LLVMUseRef use = callee ? LLVMGetFirstUse(callee) : NULL; use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) &&
        LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function) {
      return true;
    }
  }
  return false;
}

// What a function without parameters gives in `caller`, or, where that is NULL, everywhere.
static void replace_calls(LLVMModuleRef module, const char *name, LLVMValueRef caller,
                          uint64_t value) {
  LLVMValueRef callee = LLVMGetNamedFunction(module, name);
  for (LLVMUseRef use = callee ? LLVMGetFirstUse(callee) : NULL; use;) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (LLVMIsACallInst(call) &&
        (!caller || LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) == caller)) {
      LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), value, 0));
      LLVMInstructionEraseFromParent(call);
    }
  }
}

// Dimensions that a kernel's launches do not have are one work-item wide.
static void settle_dims(const gpu_job *job, LLVMValueRef kernel, uint32_t dims) {
  static const struct {
    const char *name;
    unsigned value;
  } registers[] = {{"tid", 0}, {"ctaid", 0}, {"ntid", 1}, {"nctaid", 1}};
  if (job->target->kind != TN_TARGET_NVPTX) {
    return;
  }
  replace_calls(job->module, TN_GPU_HAS_ROWS, kernel, dims > 1);
  for (uint32_t d = dims; dims > 0 && d < 3; ++d) {
    for (size_t i = 0; i < TN_COUNT(registers); ++i) {
      char name[64];
      (void)snprintf(name, sizeof(name), "llvm.nvvm.read.ptx.sreg.%s.%c", registers[i].name,
                     "xyz"[d]);
      replace_calls(job->module, name, kernel, registers[i].value);
    }
  }
}

static tn_status finish_kernel(gpu_job *job, LLVMValueRef kernel, const tn_gpu_calls *before,
                               tn_diag *diag) {
  tn_gpu_calls now;
  TN_TRY(tn_gpu_calls_of(kernel, &now, diag));
  if (job->target->kind == TN_TARGET_NVPTX && (now.asks_through || now.is_open)) {
    store_launch(job->module, job->form.extra_type, kernel);
  }
  const bool has_extra = job->has_ids_only || has_calls_in(job->module, job->form.stand_in, kernel);
  LLVMValueRef made = NULL;
  if (job->target->kind == TN_TARGET_NVPTX) {
    settle_dims(job, kernel, before->dims);
  }
  TN_TRY(tn_gpu_kernel_rebuild(job->module, kernel, &job->form, has_extra, &made, diag));
  return set_sizes(job, made, before->is_plain, diag);
}

static LLVMValueRef function_of_use(LLVMUseRef use) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(LLVMGetUser(use)));
}

// A function that is a kernel is in its kernel by now. What is left is for other modules, which
// cannot have it here.
static void drop_kernel_functions(LLVMValueRef stand_in) {
  for (LLVMUseRef use = LLVMGetFirstUse(stand_in); use;) {
    LLVMValueRef function = function_of_use(use);
    if (tn_function_attr(function, TN_ATTR_FUNCTION_KIND).size > 0 && !LLVMGetFirstUse(function) &&
        !tn_function_is_kernel(function)) {
      tn_function_delete(function);
      use = LLVMGetFirstUse(stand_in);
    } else {
      use = LLVMGetNextUse(use);
    }
  }
}

// Functions that stay by themselves: the launch's block is where kernels left it.
static tn_status settle_functions(gpu_job *job, tn_diag *diag) {
  LLVMValueRef stand_in = LLVMGetNamedFunction(job->module, job->form.stand_in);
  if (!stand_in || !LLVMGetFirstUse(stand_in)) {
    return TN_OK;
  }
  if (job->target->kind == TN_TARGET_NVPTX) {
    LLVMValueRef shared = launch_shared(job->module, job->form.extra_type);
    LLVMValueRef address = LLVMConstAddrSpaceCast(
        shared, LLVMPointerTypeInContext(LLVMGetModuleContext(job->module), 0));
    for (LLVMUseRef use; (use = LLVMGetFirstUse(stand_in)) != NULL;) {
      LLVMValueRef call = LLVMGetUser(use);
      LLVMReplaceAllUsesWith(call, address);
      LLVMInstructionEraseFromParent(call);
    }
    return TN_OK;
  }
  drop_kernel_functions(stand_in);
  if (!LLVMGetFirstUse(stand_in)) {
    return TN_OK;
  }
  const tn_str name = tn_value_name(function_of_use(LLVMGetFirstUse(stand_in)));
  const char *shown = tn_demangle(&job->arena, name);
  return TN_FAIL(diag, BUILD_FAILED,
                 "'%s' uses %s, and is recursive, called through a pointer or SYCL_EXTERNAL; on %s "
                 "only functions that become part of their kernels may: pass %s",
                 shown ? shown : "?",
                 job->target->kind == TN_TARGET_SPIRV ? "a local accessor"
                                                      : "the id or the range of its work-item",
                 job->target->word,
                 job->target->kind == TN_TARGET_SPIRV ? "a pointer" : "the id as an argument");
}

// Where images are not linked to others, SYCL_EXTERNAL functions are like all else.
static void hide_exports(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f) && !tn_function_is_kernel(f)) {
      LLVMSetLinkage(f, LLVMInternalLinkage);
    }
  }
}

// SPIR-V's prefetch is for pointers to global memory alone; it is a hint.
static void drop_prefetches(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const bool is_prefetch = tn_str_has_prefix(tn_value_name(f), TN_STR_LIT("llvm.prefetch."));
    for (LLVMUseRef use = is_prefetch ? LLVMGetFirstUse(f) : NULL; use;) {
      LLVMValueRef call = LLVMGetUser(use);
      use = LLVMGetNextUse(use);
      LLVMInstructionEraseFromParent(call);
    }
  }
}

// In SPIR-V nothing ends a work-item but its kernel's end: where a function does not return, its
// caller does, and gives nothing.
static void end_function(LLVMValueRef call) {
  LLVMValueRef end = LLVMGetNextInstruction(call);
  if (!end || !LLVMIsAUnreachableInst(end)) {
    return;
  }
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
  LLVMPositionBuilderBefore(builder, end);
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
    LLVMBuildRetVoid(builder);
  } else {
    LLVMBuildRet(builder, LLVMConstNull(type));
  }
  LLVMInstructionEraseFromParent(end);
  LLVMDisposeBuilder(builder);
}

// Behind a failed assert.
static void end_behind_asserts(LLVMModuleRef module) {
  static const char *const names[] = {"__assert_fail", "_ZSt21__glibcxx_assert_failPKciS0_S0_"};
  const unsigned no_return = LLVMGetEnumAttributeKindForName("noreturn", 8);
  for (size_t i = 0; i < TN_COUNT(names); ++i) {
    LLVMValueRef function = LLVMGetNamedFunction(module, names[i]);
    if (!function || !tn_function_is_defined(function)) {
      continue;
    }
    tn_function_remove_enum(function, "noreturn");
    LLVMSetLinkage(function, LLVMInternalLinkage);
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef call = LLVMGetUser(use);
      if (LLVMIsACallInst(call)) {
        LLVMRemoveCallSiteEnumAttribute(call, TN_ON_FUNCTION, no_return);
        LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
        end_function(call);
      }
    }
  }
}

static tn_status run(gpu_job *job, tn_diag *diag) {
  const tn_target *target = job->target;
  tn_cpu_check_drop(job->module);
  set_form(job);
  TN_TRY(list_kernels(job, diag));
  if (target->kind == TN_TARGET_AMDGPU || (target->kind == TN_TARGET_SPIRV && target->is_aot)) {
    hide_exports(job->module);
  }
  TN_TRY(tn_gpu_group_memory_place(job->module, target->kind, diag));
  TN_TRY(link_library(job, diag));
  if (target->kind == TN_TARGET_SPIRV) {
    end_behind_asserts(job->module);
  }
  TN_TRY(tn_gpu_math_replace(job->llvm, job->module, target->kind, diag));
  TN_TRY(tn_gpu_missing_check(job->module, target, diag));
  if (target->kind == TN_TARGET_SPIRV) {
    drop_prefetches(job->module);
    // OpenCL's compilers for CPUs make a loop over work-items of each kernel, and some of them lose
    // ids and barriers in functions that they may not inline.
    tn_module_allow_inlining(job->module);
    TN_TRY(tn_gpu_print_for_spirv(job->llvm, job->module, diag));
    TN_TRY(tn_gpu_atomics_expand(job->module, diag));
  } else if (target->kind == TN_TARGET_NVPTX) {
    TN_TRY(tn_gpu_print_adapt(job->module, diag));
    tn_gpu_atomics_fence(job->module);
    tn_gpu_conversions_settle(job->module);
    tn_gpu_copies_widen(job->module);
  }
  for (size_t i = 0; i < job->kernels.count; ++i) {
    if (job->has_ids_only && !job->calls[i].asks_group && !is_of_range(job->kernels.items[i])) {
      add_guard(job->module, job->kernels.items[i]);
    }
  }
  TN_TRY(tn_gpu_calls_inline(job->module, job->form.stand_in, diag));
  TN_TRY(tn_gpu_calls_inline(job->module, TN_GPU_SPECS, diag));
  TN_TRY(tn_module_run_passes(job->llvm, job->module, "always-inline,globaldce", NULL, diag));
  tn_gpu_spec_address_settle(job->module, target->kind == TN_TARGET_NVPTX);
  for (size_t i = 0; i < job->kernels.count; ++i) {
    TN_TRY(finish_kernel(job, job->kernels.items[i], &job->calls[i], diag));
  }
  replace_calls(job->module, TN_GPU_HAS_ROWS, NULL, 0);
  TN_TRY(settle_functions(job, diag));
  TN_TRY(tn_module_run_passes(job->llvm, job->module, "globaldce", NULL, diag));
#ifndef NDEBUG
  TN_TRY(tn_module_verify(job->module, "kernels were lowered", diag));
#endif
  return TN_OK;
}

tn_status tn_gpu_lower(tn_llvm_job *job, LLVMModuleRef module, const tn_target *target,
                       tn_diag *diag) {
  if (target->kind == TN_TARGET_CPU) {
    return TN_FAIL(diag, INTERNAL, "%s is no GPU", target->word);
  }
  gpu_job gpu = {.llvm = job, .module = module, .target = target};
  tn_arena_init(&gpu.arena);
  const tn_status status = run(&gpu, diag);
  tn_arena_deinit(&gpu.arena);
  return status;
}
