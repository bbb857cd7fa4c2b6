// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/gpu: what device code asks of its device, written in LLVM's text for each
// kind of device. Every function is linkonce_odr and inlined.
#ifndef TN_COMPILE_GPU_GPU_LIBRARY_H
#define TN_COMPILE_GPU_GPU_LIBRARY_H

#include "base/buf.h"
#include "compile/module/module.h"

// Pieces of one text, ending in NULL; what `ids` has follows those of nvptx and of amdgpu.
extern const char *const tn_gpu_library_ids[];
extern const char *const tn_gpu_library_nvptx[];
extern const char *const tn_gpu_library_amdgpu[];
extern const char *const tn_gpu_library_spirv[];
// Of lists of pieces, of which the last is NULL, what the module asks for by its undefined
// functions, and what that needs in turn: reading all of it takes longer than a small kernel.
TN_MUST_USE tn_status tn_gpu_library_pick(const char *const *const *lists, LLVMModuleRef module,
                                          tn_buf *out, tn_diag *diag);

// Functions that the libraries call and that the lowering replaces: the launch's block (three
// global sizes, three offsets, the address of the specialization constants, each an i64), and the
// work-group's local memory.
#define TN_GPU_LAUNCH "__tenon_launch"
#define TN_GPU_LOCAL "__tenon_local_argument"
// True for work-items that the groups have too many.
#define TN_GPU_OUTSIDE "__tenon_is_outside"
// Where kernels leave the launch's block for functions that are not inlined into them.
#define TN_GPU_LAUNCH_SHARED "__tenon_launch_shared"

#endif
