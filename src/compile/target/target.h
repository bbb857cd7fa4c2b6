// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices that code is compiled for, by the words of -fsycl-targets= and --offload-arch=.
#ifndef TN_COMPILE_TARGET_TARGET_H
#define TN_COMPILE_TARGET_TARGET_H

#include "base/arena.h"
#include "base/str.h"

typedef enum tn_target_kind {
  TN_TARGET_CPU,     // work-group functions for the host's instruction set
  TN_TARGET_SPIRV,   // SPIR-V, or what a vendor's compiler makes of it
  TN_TARGET_NVPTX,   // PTX, and machine code by ptxas
  TN_TARGET_AMDGPU,  // a code object, by lld
} tn_target_kind;

// One target of a command. Two targets are the same when their words are equal.
typedef struct tn_target {
  const char *word;       // as fat objects name it: "native_cpu", "nvidia_gpu_sm_90", "spirv64"
  const char *name;       // as images name it and the runtime asks for it: "nvptx64-nvidia-cuda"
  const char *triple;     // of device code; NULL = the host's
  const char *processor;  // "sm_90", "gfx90a", "x86-64-v3", "pvc"; NULL = what the triple has at
                          // least
  tn_target_kind kind;
  uint32_t max_registers;  // of a work-item, by --maxrregcount=; 0 = the compiler's choice
  // Machine code is made at compile time, beside the intermediate code for a CPU and, for the
  // others, in place of it unless -fsycl-embed-ir.
  bool is_aot;
  // It comes along with another one: an object without code for it is no mistake, and then the
  // program has none either.
  bool is_implied;
  const char *tool;  // the vendor's compiler that does so: "ptxas", "ocloc"; NULL = LLVM
} tn_target;

// Reads one word of -fsycl-targets=. All texts are static or the arena's. INVALID_ARGUMENT with the
// nearest word, or with what there is; `option` begins the sentence.
TN_MUST_USE tn_status tn_target_read(tn_arena *arena, const char *option, tn_str word,
                                     tn_target *out, tn_diag *diag);
// The same for a word of --offload-arch=: "sm_90", "gfx90a", "x86-64-v3", "native", "bmg_g21", or a
// word of -fsycl-targets=.
TN_MUST_USE tn_status tn_target_read_arch(tn_arena *arena, const char *option, tn_str word,
                                          tn_target *out, tn_diag *diag);
// Reads a word of -Xsycl-target-backend that names the processor, as in "--cuda-gpu-arch=sm_90",
// "--offload-arch=gfx90a" or "-mcpu=gfx90a", into target->processor (static text), or ptxas'
// "--maxrregcount=64". *out_taken says whether it was one; all other words are the back end's.
TN_MUST_USE tn_status tn_target_read_backend(const char *option, tn_str word, tn_target *target,
                                             bool *out_taken, tn_diag *diag);
// What a command without either option compiles for: native_cpu, intermediate code only.
tn_target tn_target_default(void);

// Reads the value of -fsycl-default-sub-group-size=: a number, or 0 for "primary" and "automatic",
// which leave the size to the device. INVALID_ARGUMENT for anything else; `option` is the whole
// argument.
TN_MUST_USE tn_status tn_target_read_sub_group_size(const char *option, tn_str value,
                                                    uint32_t *out, tn_diag *diag);
// UNSUPPORTED for a target whose sub-groups have another size in any case. 0 is none that is asked
// for.
TN_MUST_USE tn_status tn_target_check_sub_group_size(const tn_target *target, uint32_t size,
                                                     tn_diag *diag);

// The macro that tells device code which processor it is for, as DPC++ names it:
// "__SYCL_TARGET_NVIDIA_GPU_SM_90__". Empty for targets of no processor.
void tn_target_macro(const tn_target *target, char out[64]);
// 90 of "sm_90a".
uint32_t tn_target_cuda_number(const char *processor);
// The version of PTX that code for this processor is written in, times ten: the lowest that knows
// the processor, and no lower than what every driver that Tenon runs with reads.
uint32_t tn_target_ptx_version(const char *processor);
// The name of an image with LLVM's IR beside machine code: "llvm_nvptx64". NULL for a CPU.
const char *tn_target_ir_name(const tn_target *target);

#endif
