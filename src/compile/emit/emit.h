// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules to machine code for this machine's CPU.
#ifndef TN_COMPILE_EMIT_EMIT_H
#define TN_COMPILE_EMIT_EMIT_H

#include <llvm-c/TargetMachine.h>

#include "compile/module/module.h"
#include "compile/target/target.h"

// Sets LLVM's back end for this machine up, once a process; any thread. UNSUPPORTED when LLVM was
// built without it.
TN_MUST_USE tn_status tn_emit_init(tn_diag *diag);

// The machine this process runs on, with all its instructions. Owned: LLVMDisposeTargetMachine.
TN_MUST_USE tn_status tn_emit_machine_create(uint32_t opt_level, LLVMTargetMachineRef *out,
                                             tn_diag *diag);
// The same for a build while the program runs, one that an earlier build gave back if there is any;
// NULL may be returned. After a build that failed it is disposed of instead.
TN_MUST_USE tn_status tn_emit_machine_borrow(uint32_t opt_level, LLVMTargetMachineRef *out,
                                             tn_diag *diag);
void tn_emit_machine_return(uint32_t opt_level, LLVMTargetMachineRef take_machine);
// A processor that code is made for ahead of time.
typedef struct tn_cpu_processor {
  const char *cpu;  // LLVM's name of what all machines of the architecture have; static
  tn_buf tune;      // LLVM's name of the processor that instructions are ordered for
  tn_buf features;  // "+avx,+avx2": what code may use beyond that, and no more
  tn_buf needs;     // the same for base/cpu_feature.h: "avx,avx2", sorted; empty for the baseline
} tn_cpu_processor;
void tn_cpu_processor_deinit(tn_cpu_processor *processor);
// `name` is -march='s: "x86-64-v3", "skylake-avx512", "native" (this machine), NULL (the baseline).
// UNSUPPORTED for others.
TN_MUST_USE tn_status tn_cpu_processor_init(tn_cpu_processor *processor, const char *name,
                                            tn_diag *diag);
// A machine of this architecture with that processor. Owned: LLVMDisposeTargetMachine.
TN_MUST_USE tn_status tn_emit_machine_create_for(const tn_cpu_processor *processor,
                                                 uint32_t opt_level, LLVMTargetMachineRef *out,
                                                 tn_diag *diag);
// Bytes of the machine's vectors: 16, 32 or 64.
uint32_t tn_emit_vector_bytes(LLVMTargetMachineRef machine);
// Optimizes the whole module for the machine. All functions get its processor's name and features.
TN_MUST_USE tn_status tn_emit_optimize(tn_llvm_job *job, LLVMModuleRef module,
                                       LLVMTargetMachineRef machine, uint32_t opt_level,
                                       tn_diag *diag);
// The passes of the quick tier: cheap ones that pay for themselves in the code generator.
TN_MUST_USE tn_status tn_emit_tidy(tn_llvm_job *job, LLVMModuleRef module,
                                   LLVMTargetMachineRef machine, tn_diag *diag);
// A relocatable object, in which each kernel's tn_cpu_needs.stack_size is set.
TN_MUST_USE tn_status tn_emit_object(tn_llvm_job *job, LLVMModuleRef module,
                                     LLVMTargetMachineRef machine, tn_buf *out, tn_diag *diag);

// What a device's code is made with. All borrowed.
typedef struct tn_device_params {
  const tn_target *target;  // not a CPU
  uint32_t opt_level;       // 0..3
  bool debug;               // line tables or more are kept
  const char *name;         // of what is made (a.out), for messages
  // What -Xsycl-target-backend= says, ending in NULL; NULL = nothing. For targets that LLVM makes
  // code for, only a processor (tn_target_read_backend); else for the vendor's compiler.
  const char *const *tool_words;
  const char *cuda_path;    // --cuda-path=; NULL = CUDA_PATH, then where CUDA installs itself
  const char *temps_stem;   // --save-temps: "<folder>/<name>"; NULL without
  bool verbose;             // which library of mathematics was used is said in the messages
} tn_device_params;
// One module's code, in the formats of image.h.
typedef struct tn_device_code {
  tn_buf code;
  uint32_t format;         // TN_IMAGE_FORMAT_SPIRV, _PTX, _CUBIN, _ELF
  tn_buf beside;           // what machine code was made of: PTX of a cubin; empty without
  uint32_t beside_format;  // TN_IMAGE_FORMAT_NONE without
  const char *processor;   // that both need at least: "sm_90"; static; NULL = any
} tn_device_code;
void tn_device_code_init(tn_device_code *code);
void tn_device_code_deinit(tn_device_code *code);
// A module that tn_gpu_lower made ready → code. Optimizes for the device, takes a library of
// mathematics in where it is called, and runs the vendor's compiler or linker where the target has
// one; what those print is appended to `messages`. The module is used up. Any thread, each with its
// own job. UNSUPPORTED when LLVM, the vendor's compiler or a library is not there, with what to
// install; BUILD_FAILED with the reason.
// For NVIDIA's GPUs a compiler that is not there, or does not know the processor, is said in a
// message, and the code is PTX alone.
TN_MUST_USE tn_status tn_emit_device(tn_llvm_job *job, LLVMModuleRef module,
                                     const tn_device_params *params, tn_device_code *out,
                                     tn_buf *messages, tn_diag *diag);
// Bitcode that tn_emit_device has optimized for spirv64 → SPIR-V: what tn_emit_device has another
// process do (compiler.h's `emit_spirv`).
TN_MUST_USE tn_status tn_emit_spirv(tn_bytes bitcode, uint32_t opt_level, tn_buf *out,
                                    tn_diag *diag);
// Integers that SPIR-V does not have (7, 33, 65 bits) are computed with those that it has: a part
// of tn_emit_device. BUILD_FAILED, with the place, for what cannot be computed so.
TN_MUST_USE tn_status tn_emit_spirv_integers(LLVMModuleRef module, tn_diag *diag);
// Truncations that are extended again become masks: a part of tn_emit_device.
void tn_emit_spirv_casts(LLVMModuleRef module);
// Functions of OpenCL C that the back end does not know become what it knows.
void tn_emit_spirv_opencl(LLVMModuleRef module);
// Atomic loads and stores as SPIR-V has them.
void tn_emit_spirv_atomics(LLVMModuleRef module);
// Variables of functions that hold pointers are integers of their size: a part of tn_emit_device.
void tn_emit_spirv_variables(LLVMModuleRef module);
// Pointers that kernels read from their argument blocks are to global memory from then on.
void tn_emit_spirv_pointers(LLVMModuleRef module);
// Members of structures are found by their offsets from then on.
void tn_emit_spirv_members(LLVMModuleRef module);
// Appends what of this machine a device's code depends on besides: where the vendor's compiler and
// library are.
void tn_emit_tools(const tn_target *target, const char *cuda_path, tn_buf *out);

#endif
