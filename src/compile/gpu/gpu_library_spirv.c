// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code asks of a device that takes SPIR-V, where LLVM's back end does not know the name
// itself. Source: SPIR-V specification (non-uniform group instructions).
#include "compile/gpu/gpu_library.h"

// The scratch memory is for up to 256 sub-groups. Drivers align a kernel's local memory as they
// like: it begins at the first multiple of 128, and a launch has 128 bytes more. Not by the
// low bits of the address alone: LLVM computes these in 7 bits, for which SPIR-V has no type.
const char *const tn_gpu_library_spirv[] = {
    "@__tenon_scratch = internal addrspace(3) global [16384 x i8] undef, align 64\n"
    "declare spir_func ptr addrspace(3) @" TN_GPU_LOCAL
    "() #1\n"
    "define linkonce_odr spir_func ptr addrspace(4) @_Z20__tenon_local_memoryv() #0 {\n"
    "  %l = call spir_func ptr addrspace(3) @" TN_GPU_LOCAL
    "()\n"
    "  %a = ptrtoint ptr addrspace(3) %l to i64\n"
    "  %n = add i64 %a, 127\n"
    "  %o = and i64 %n, -128\n"
    "  %p = inttoptr i64 %o to ptr addrspace(3)\n"
    "  %r = addrspacecast ptr addrspace(3) %p to ptr addrspace(4)\n"
    "  ret ptr addrspace(4) %r\n"
    "}\n"
    "define linkonce_odr spir_func ptr addrspace(4) @_Z21__tenon_group_scratchv() #0 {\n"
    "  ret ptr addrspace(4) addrspacecast (ptr addrspace(3) @__tenon_scratch to "
    "ptr addrspace(4))\n"
    "}\n"
    "declare spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotjb(i32, i1) #2\n"
    "define linkonce_odr spir_func i64 @_Z24__tenon_sub_group_ballotb(i1 %v) #3 {\n"
    "  %b = call spir_func <4 x i32> @_Z29__spirv_GroupNonUniformBallotjb(i32 3, i1 %v)\n"
    "  %l = extractelement <4 x i32> %b, i64 0\n"
    "  %h = extractelement <4 x i32> %b, i64 1\n"
    "  %l64 = zext i32 %l to i64\n"
    "  %h64 = zext i32 %h to i64\n"
    "  %shifted = shl i64 %h64, 32\n"
    "  %r = or i64 %shifted, %l64\n"
    "  ret i64 %r\n"
    "}\n"
    "attributes #0 = { alwaysinline nounwind }\n"
    "attributes #1 = { nounwind willreturn memory(none) }\n"
    "attributes #2 = { convergent nounwind }\n"
    "attributes #3 = { alwaysinline convergent nounwind }\n",
    NULL};
