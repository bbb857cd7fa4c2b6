// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimizes for the CPU of this machine and writes an object file to memory.
#include "compile/emit/emit.h"

#include "base/thread.h"
#include "compile/emit/stack_size.h"

#include <llvm-c/Target.h>

#include <pthread.h>

enum { KEPT_LEVELS = 4, KEPT_MACHINES = 4 };

static bool native_target_ready;

// A machine reads the processor's features when it first makes code, which takes longer than a
// small kernel: those of this machine are kept for the next builds, for one build at a time each.
static tn_mutex kept_mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static LLVMTargetMachineRef kept[KEPT_LEVELS][KEPT_MACHINES] TN_GUARDED_BY(&kept_mu);

static void init_native_target(void) {
  native_target_ready = LLVMInitializeNativeTarget() == 0 &&
                        LLVMInitializeNativeAsmPrinter() == 0 &&
                        LLVMInitializeNativeAsmParser() == 0;  // inline assembly
}

tn_status tn_emit_init(tn_diag *diag) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (pthread_once(&once, init_native_target) != 0 || !native_target_ready) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "the LLVM library has no back end for this machine; install "
                   "the one made for it");
  }
  return TN_OK;
}

static LLVMCodeGenOptLevel codegen_level(uint32_t opt_level) {
  switch (opt_level) {
    case 0:
      return LLVMCodeGenLevelNone;
    case 1:
      return LLVMCodeGenLevelLess;
    case 2:
      return LLVMCodeGenLevelDefault;
    default:
      return LLVMCodeGenLevelAggressive;
  }
}

// How code finds what lies elsewhere: it is linked into a file, or loaded into this process.
typedef struct code_form {
  LLVMRelocMode relocation;
  LLVMCodeModel model;
} code_form;

static tn_status create_machine(const char *cpu, const char *features, uint32_t opt_level,
                                code_form form, LLVMTargetMachineRef *out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(tn_emit_init(diag));
  char *triple = LLVMGetDefaultTargetTriple();
  LLVMTargetRef target = NULL;
  char *message = NULL;
  tn_status status = TN_OK;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    status = tn_llvm_message_status(message, diag, "LLVM does not know this machine");
  } else {
    *out = LLVMCreateTargetMachine(target, triple, cpu, features, codegen_level(opt_level),
                                   form.relocation, form.model);
    if (!*out) {
      status = TN_FAIL(diag, UNSUPPORTED, "LLVM cannot make code for %s", triple);
    }
  }
  LLVMDisposeMessage(triple);
  return status;
}

tn_status tn_emit_machine_create(uint32_t opt_level, LLVMTargetMachineRef *out, tn_diag *diag) {
  char *cpu = LLVMGetHostCPUName();
  char *features = LLVMGetHostCPUFeatures();
  // The linker for debuggers, LLVM's older one, does not see when its table of addresses is more
  // than 2 GiB away, as happens in programs with the address sanitizer: whole addresses need none.
  const code_form form = opt_level == 0
                             ? (code_form){LLVMRelocStatic, LLVMCodeModelLarge}
                             : (code_form){LLVMRelocPIC, LLVMCodeModelSmall};
  const tn_status status = create_machine(cpu, features, opt_level, form, out, diag);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(features);
  return status;
}

tn_status tn_emit_machine_create_for(const tn_cpu_processor *processor, uint32_t opt_level,
                                     LLVMTargetMachineRef *out, tn_diag *diag) {
  const code_form form = {LLVMRelocPIC, LLVMCodeModelSmall};
  return create_machine(processor->cpu, tn_buf_text(&processor->features), opt_level, form, out,
                        diag);
}

static uint32_t kept_level(uint32_t opt_level) {
  return opt_level < KEPT_LEVELS ? opt_level : KEPT_LEVELS - 1;
}

tn_status tn_emit_machine_borrow(uint32_t opt_level, LLVMTargetMachineRef *out, tn_diag *diag) {
  *out = NULL;
  tn_mutex_lock(&kept_mu);
  LLVMTargetMachineRef *machines = kept[kept_level(opt_level)];
  for (size_t i = 0; i < KEPT_MACHINES && !*out; i++) {
    *out = machines[i];
    machines[i] = NULL;
  }
  tn_mutex_unlock(&kept_mu);
  return *out ? TN_OK : tn_emit_machine_create(opt_level, out, diag);
}

void tn_emit_machine_return(uint32_t opt_level, LLVMTargetMachineRef take_machine) {
  LLVMTargetMachineRef left = take_machine;
  tn_mutex_lock(&kept_mu);
  LLVMTargetMachineRef *machines = kept[kept_level(opt_level)];
  for (size_t i = 0; i < KEPT_MACHINES && left; i++) {
    if (!machines[i]) {
      machines[i] = left;
      left = NULL;
    }
  }
  tn_mutex_unlock(&kept_mu);
  if (left) {
    LLVMDisposeTargetMachine(left);
  }
}

uint32_t tn_emit_vector_bytes(LLVMTargetMachineRef machine) {
  char *features = LLVMGetTargetMachineFeatureString(machine);
  const tn_str text = tn_str_from(features);
  uint32_t bytes = 16;
  if (tn_str_find(text, TN_STR_LIT("+avx512vl")) != SIZE_MAX) {
    bytes = 64;
  } else if (tn_str_find(text, TN_STR_LIT("+avx2")) != SIZE_MAX) {
    bytes = 32;
  }
  LLVMDisposeMessage(features);
  return bytes;
}

static void set_processor(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  char *cpu = LLVMGetTargetMachineCPU(machine);
  char *features = LLVMGetTargetMachineFeatureString(machine);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f)) {
      tn_function_set_attr(f, "target-cpu", cpu);
      tn_function_set_attr(f, "target-features", features);
      // Clang records the widest vectors of the source. Vectorized code has wider ones, which its
      // calls of vector functions pass whole: on processors that prefer 256 bits the code
      // generator would halve those of 512, and pass the halves in two registers.
      tn_function_remove_attr(f, "min-legal-vector-width");
    }
  }
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(features);
}

tn_status tn_emit_optimize(tn_llvm_job *job, LLVMModuleRef module, LLVMTargetMachineRef machine,
                           uint32_t opt_level, tn_diag *diag) {
  static const char *const passes[] = {"always-inline,globaldce", "default<O1>", "default<O2>",
                                       "default<O3>"};
  set_processor(module, machine);
  const uint32_t level = opt_level < TN_COUNT(passes) ? opt_level : TN_COUNT(passes) - 1;
  return tn_module_run_passes(job, module, passes[level], machine, diag);
}

tn_status tn_emit_tidy(tn_llvm_job *job, LLVMModuleRef module, LLVMTargetMachineRef machine,
                       tn_diag *diag) {
  set_processor(module, machine);
  return tn_module_run_passes(job, module,
                              "always-inline,globaldce,"
                              "function(sroa<modify-cfg>,early-cse,simplifycfg,"
                              "instcombine<no-verify-fixpoint>,loop-mssa(licm))",
                              machine, diag);
}

static tn_status make_object(tn_llvm_job *job, LLVMModuleRef module, LLVMTargetMachineRef machine,
                             tn_stack_sizes *sizes, tn_buf *out, tn_diag *diag) {
  char *message = NULL;
  LLVMMemoryBufferRef memory = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &memory)) {
    return tn_llvm_message_status(message, diag, "LLVM cannot make machine code");
  }
  tn_status status = TN_OK;
  if (tn_llvm_job_has_error(job)) {
    status = tn_llvm_job_fail(job, diag, "LLVM cannot make machine code");
  } else {
    tn_buf_clear(out);
    tn_buf_add(out, LLVMGetBufferStart(memory), LLVMGetBufferSize(memory));
    status = tn_buf_status(out, diag);
  }
  if (status == TN_OK) {
    status = tn_stack_sizes_write(sizes, memory, out, diag);
  }
  LLVMDisposeMemoryBuffer(memory);
  return status;
}

tn_status tn_emit_object(tn_llvm_job *job, LLVMModuleRef module, LLVMTargetMachineRef machine,
                         tn_buf *out, tn_diag *diag) {
  tn_stack_sizes sizes;
  tn_status status = tn_stack_sizes_begin(&sizes, job, module, diag);
  if (status == TN_OK) {
    status = make_object(job, module, machine, &sizes, out, diag);
  }
  tn_stack_sizes_deinit(&sizes);
  return status;
}
