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
extern const char *const tn_gpu_library_nvptx_80[];  // in place of functions above, from sm_80 on
extern const char *const tn_gpu_library_amdgpu[];
extern const char *const tn_gpu_library_spirv[];
// Of lists of pieces, of which the last is NULL and the first that has a name counts, what the
// module asks for by its undefined
// functions, and what that needs in turn: reading all of it takes longer than a small kernel.
TN_MUST_USE tn_status tn_gpu_library_pick(const char *const *const *lists, LLVMModuleRef module,
                                          tn_buf *out, tn_diag *diag);

// Functions that the libraries call and that the lowering replaces: the launch's block (three
// global sizes, three offsets, the address of the specialization constants, each an i64), and the
// work-group's local memory.
#define TN_GPU_LAUNCH "__tenon_launch"
#define TN_GPU_LOCAL "__tenon_local_argument"
// The last word of the launch's block, or what an image has in its place (gpu_spec_address.h).
#define TN_GPU_SPECS "__tenon_launch_specs"
// Whether the launch has several dimensions: ids are below 2^31 there.
#define TN_GPU_HAS_ROWS "__tenon_has_rows"
// True for work-items that the groups have too many.
#define TN_GPU_OUTSIDE "__tenon_is_outside"
// The same asked by headers, which know the dimensions; its end, after %ox, %oy and %oz.
#define TN_GPU_OUTSIDE_FUNCTION "_Z18__tenon_is_outsidei"
#define TN_GPU_OUTSIDE_IN_DIMS               \
  "  %has_x = icmp sgt i32 %dims, 0\n"       \
  "  %has_y = icmp sgt i32 %dims, 1\n"       \
  "  %has_z = icmp sgt i32 %dims, 2\n"       \
  "  %in_x = and i1 %has_x, %ox\n"           \
  "  %in_y = and i1 %has_y, %oy\n"           \
  "  %in_z = and i1 %has_z, %oz\n"           \
  "  %in_xy = or i1 %in_x, %in_y\n"          \
  "  %r = or i1 %in_xy, %in_z\n"             \
  "  ret i1 %r\n"                            \
  "}\n"
// Where kernels leave the launch's block for functions that are not inlined into them.
#define TN_GPU_LAUNCH_SHARED "__tenon_launch_shared"

#endif
