// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's back ends for devices: set up once each, optimizing, and writing code to memory.
#include "compile/emit/device_machine.h"

#include "base/thread.h"
#include "compile/emit/spirv_check.h"
#include "compile/emit/spirv_process.h"

#include <llvm-c/Support.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

// An LLVM library without a back end lacks its functions.
#define FOR_BACK_ENDS(X) X(NVPTX) X(AMDGPU) X(SPIRV)
#define DECLARE(name)                                                       \
  extern void LLVMInitialize##name##TargetInfo(void) __attribute__((weak)); \
  extern void LLVMInitialize##name##Target(void) __attribute__((weak));     \
  extern void LLVMInitialize##name##TargetMC(void) __attribute__((weak));   \
  extern void LLVMInitialize##name##AsmPrinter(void) __attribute__((weak));
FOR_BACK_ENDS(DECLARE)

#define INITIALIZE(name)                                                      \
  static void initialize_##name(void) {                                       \
    if (LLVMInitialize##name##TargetInfo && LLVMInitialize##name##Target &&   \
        LLVMInitialize##name##TargetMC && LLVMInitialize##name##AsmPrinter) { \
      LLVMInitialize##name##TargetInfo();                                     \
      LLVMInitialize##name##Target();                                         \
      LLVMInitialize##name##TargetMC();                                       \
      LLVMInitialize##name##AsmPrinter();                                     \
    }                                                                         \
  }
FOR_BACK_ENDS(INITIALIZE)

// The back end looks for the storage class of printf's format in another function than the call's,
// and refuses some for that: all of ours are constants (tn_spirv_check drops the extension again).
static void set_spirv_up(void) {
  static const char *const words[] = {"tenon", "--spirv-ext=+" TN_SPIRV_PRINT_EXTENSION};
  initialize_SPIRV();
  LLVMParseCommandLineOptions((int)TN_COUNT(words), words, "");
}

static tn_status initialize(tn_target_kind kind, tn_diag *diag) {
  static pthread_once_t nvptx = PTHREAD_ONCE_INIT;
  static pthread_once_t amdgpu = PTHREAD_ONCE_INIT;
  static pthread_once_t spirv = PTHREAD_ONCE_INIT;
  const int failed = kind == TN_TARGET_NVPTX    ? pthread_once(&nvptx, initialize_NVPTX)
                     : kind == TN_TARGET_AMDGPU ? pthread_once(&amdgpu, initialize_AMDGPU)
                                                : pthread_once(&spirv, set_spirv_up);
  return failed == 0 ? TN_OK : TN_FAIL(diag, INTERNAL, "LLVM's back end could not be set up");
}

static LLVMCodeGenOptLevel codegen_level(uint32_t opt_level) {
  static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
                                               LLVMCodeGenLevelDefault, LLVMCodeGenLevelAggressive};
  return levels[opt_level < TN_COUNT(levels) ? opt_level : TN_COUNT(levels) - 1];
}

tn_status tn_device_machine_create(const tn_target *target, uint32_t opt_level,
                                   LLVMTargetMachineRef *out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(initialize(target->kind, diag));
  LLVMTargetRef back_end = NULL;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(target->triple, &back_end, &message)) {
    LLVMDisposeMessage(message);
    return TN_FAIL(diag, UNSUPPORTED,
                   "%s: the LLVM library has no back end for %s; install LLVM "
                   "22 with all its targets",
                   target->word, target->triple);
  }
  const bool has_processors = target->kind != TN_TARGET_SPIRV;
  const char *processor = has_processors && target->processor ? target->processor : "";
  char features[sizeof("+ptx4294967295")] = "";
  if (target->kind == TN_TARGET_NVPTX && processor[0] != '\0') {
    (void)snprintf(features, sizeof(features), "+ptx%u", tn_target_ptx_version(processor));
  }
  // Loops that LLVM's back ends reduce for a processor are not those that drivers vectorize.
  *out = LLVMCreateTargetMachine(back_end, target->triple, processor, features,
                                 codegen_level(has_processors ? opt_level : 0), LLVMRelocPIC,
                                 LLVMCodeModelDefault);
  return *out ? TN_OK
              : TN_FAIL(diag, UNSUPPORTED, "%s: LLVM cannot make code for %s", target->word,
                        target->triple);
}

static void set_processor(LLVMModuleRef module, const tn_target *target) {
  if (target->kind == TN_TARGET_SPIRV || !target->processor) {
    return;
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f)) {
      tn_function_set_attr(f, "target-cpu", target->processor);
    }
    if (target->max_registers > 0 && LLVMGetFunctionCallConv(f) == LLVMPTXKernelCallConv) {
      char count[sizeof("4294967295")];
      (void)snprintf(count, sizeof(count), "%u", target->max_registers);
      tn_function_set_attr(f, "nvvm.maxnreg", count);
    }
  }
}

// SPIR-V is optimized where it is compiled: here only what makes it plain. Its switches have no
// selectors of one bit: a switch over two ranges of values becomes a branch.
static tn_status make_plain(tn_llvm_job *job, LLVMModuleRef module, LLVMTargetMachineRef machine,
                            tn_diag *diag) {
  static const char before[] =
      "always-inline,function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg)";
  static const char after[] =
      "function(infer-address-spaces,instcombine<no-verify-fixpoint>,"
      "simplifycfg<switch-range-to-icmp>,adce),globaldce";
  TN_TRY(tn_module_run_passes(job, module, before, machine, diag));
  tn_emit_spirv_pointers(module);
  return tn_module_run_passes(job, module, after, machine, diag);
}

tn_status tn_device_optimize(tn_llvm_job *job, LLVMModuleRef module, const tn_target *target,
                             LLVMTargetMachineRef machine, uint32_t opt_level, tn_diag *diag) {
  static const char *const passes[] = {"always-inline,globaldce", "default<O1>", "default<O2>",
                                       "default<O3>"};
  set_processor(module, target);
  const uint32_t level = opt_level < TN_COUNT(passes) ? opt_level : TN_COUNT(passes) - 1;
  return level != 0 && target->kind == TN_TARGET_SPIRV
             ? make_plain(job, module, machine, diag)
             : tn_module_run_passes(job, module, passes[level], machine, diag);
}

static const char cannot_emit[] = "LLVM cannot make code for this device";

typedef struct emission {
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  LLVMCodeGenFileType type;
  bool failed;
  char *message;
  LLVMMemoryBufferRef memory;
} emission;

static void emit(void *arg) {
  emission *e = arg;
  e->failed = LLVMTargetMachineEmitToMemoryBuffer(e->machine, e->module, e->type, &e->message,
                                                  &e->memory) != 0;
}

// LLVM's SPIR-V back end keeps what it knows of a module in variables of the process.
static tn_status emit_one_by_one(emission *e, tn_target_kind kind, tn_diag *diag) {
  static tn_mutex mutex = TN_MUTEX_INIT(TN_RANK_LEAF);
  if (kind != TN_TARGET_SPIRV) {
    return tn_llvm_guard(emit, e, cannot_emit, diag);
  }
  tn_mutex_lock(&mutex);
  const tn_status status = tn_llvm_guard(emit, e, cannot_emit, diag);
  tn_mutex_unlock(&mutex);
  return status;
}

tn_status tn_device_emit(tn_llvm_job *job, LLVMModuleRef module, const tn_target *target,
                         LLVMTargetMachineRef machine, uint32_t opt_level, bool is_text,
                         tn_buf *out, tn_diag *diag) {
  if (target->kind == TN_TARGET_SPIRV && !is_text) {
    static atomic_flag has_emitted = ATOMIC_FLAG_INIT;
    bool is_done = false;
    if (atomic_flag_test_and_set(&has_emitted)) {
      TN_TRY(tn_spirv_process_run(module, opt_level, &is_done, out, diag));
    }
    if (is_done) {
      return TN_OK;
    }
  }
  emission e = {
      .module = module, .machine = machine, .type = is_text ? LLVMAssemblyFile : LLVMObjectFile};
  TN_TRY(emit_one_by_one(&e, target->kind, diag));
  if (e.failed) {
    return tn_llvm_message_status(e.message, diag, cannot_emit);
  }
  tn_status status = TN_OK;
  if (tn_llvm_job_has_error(job)) {
    status = tn_llvm_job_fail(job, diag, "LLVM cannot make code for this device");
  } else {
    tn_buf_add(out, LLVMGetBufferStart(e.memory), LLVMGetBufferSize(e.memory));
    status = tn_buf_status(out, diag);
  }
  LLVMDisposeMemoryBuffer(e.memory);
  return status;
}
