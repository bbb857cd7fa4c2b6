// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code asks of a device that takes SPIR-V, where LLVM's back end does not know the name
// itself. Source: SPIR-V specification (non-uniform group instructions).
#include "compile/gpu/gpu_library.h"

#define NOTE_ID(name, length, kind, number, offset)                             \
  "  %" name number " = call spir_func i64 @_Z" length "__spirv_BuiltIn" kind   \
  "InvocationIdi(i32 " number                                                   \
  ")\n"                                                                         \
  "  %" name "p" number " = getelementptr i8, ptr addrspace(1) %p, i64 " offset \
  "\n"                                                                          \
  "  store i64 %" name number ", ptr addrspace(1) %" name "p" number "\n"

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
    "define linkonce_odr spir_func ptr addrspace(4) @_Z17__tenon_root_wordv() #0 {\n"
    "  ret ptr addrspace(4) null\n"
    "}\n"
    // 4 local, 5 global, 7 private.
    "declare ptr addrspace(3) @llvm.spv.generic.cast.to.ptr.explicit.p3(ptr addrspace(4))\n"
    "declare ptr addrspace(1) @llvm.spv.generic.cast.to.ptr.explicit.p1(ptr addrspace(4))\n"
    "declare ptr @llvm.spv.generic.cast.to.ptr.explicit.p0(ptr addrspace(4))\n"
    "define linkonce_odr spir_func i1 @_Z19__tenon_is_in_spacePKvi(ptr addrspace(4) %p, "
    "i32 %class) #0 {\n"
    "  switch i32 %class, label %private [ i32 4, label %local i32 5, label %global ]\n"
    "local:\n"
    "  %l = call ptr addrspace(3) @llvm.spv.generic.cast.to.ptr.explicit.p3("
    "ptr addrspace(4) %p)\n"
    "  %in_l = icmp ne ptr addrspace(3) %l, null\n"
    "  ret i1 %in_l\n"
    "global:\n"
    "  %g = call ptr addrspace(1) @llvm.spv.generic.cast.to.ptr.explicit.p1("
    "ptr addrspace(4) %p)\n"
    "  %in_g = icmp ne ptr addrspace(1) %g, null\n"
    "  ret i1 %in_g\n"
    "private:\n"
    "  %v = call ptr @llvm.spv.generic.cast.to.ptr.explicit.p0(ptr addrspace(4) %p)\n"
    "  %in_v = icmp ne ptr %v, null\n"
    "  ret i1 %in_v\n"
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
    "}\n",
    // Notes the first assert that fails in a tn_spirv_assert (image.h); then its work-item ends.
    "declare spir_func i64 @_Z20__spirv_SpecConstantil(i32, i64) #1\n"
    "declare spir_func i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32) #1\n"
    "declare spir_func i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32) #1\n"
    "define linkonce_odr spir_func void @__tenon_assert_text(ptr addrspace(1) %to, "
    "ptr addrspace(4) %from) #4 {\n"
    "entry:\n"
    "  br label %loop\n"
    "loop:\n"
    "  %i = phi i64 [ 0, %entry ], [ %n, %loop ]\n"
    "  %f = getelementptr i8, ptr addrspace(4) %from, i64 %i\n"
    "  %t = getelementptr i8, ptr addrspace(1) %to, i64 %i\n"
    "  %c = load i8, ptr addrspace(4) %f\n"
    "  store i8 %c, ptr addrspace(1) %t\n"
    "  %n = add i64 %i, 1\n"
    "  %z = icmp eq i8 %c, 0\n"
    "  %l = icmp eq i64 %n, 255\n"
    "  %e = or i1 %z, %l\n"
    "  br i1 %e, label %done, label %loop\n"
    "done:\n"
    "  %a = getelementptr i8, ptr addrspace(1) %to, i64 %n\n"
    "  store i8 0, ptr addrspace(1) %a\n"
    "  ret void\n"
    "}\n"
    "define linkonce_odr spir_func void @__assert_fail(ptr addrspace(4) %what, "
    "ptr addrspace(4) %file, i32 %line, ptr addrspace(4) %function) #0 {\n"
    "entry:\n"
    "  %a = call spir_func i64 @_Z20__spirv_SpecConstantil(i32 -13, i64 0)\n"
    "  %none = icmp eq i64 %a, 0\n"
    "  br i1 %none, label %done, label %try\n"
    "try:\n"
    "  %p = inttoptr i64 %a to ptr addrspace(1)\n"
    "  %old = atomicrmw or ptr addrspace(1) %p, i32 1 monotonic\n"
    "  %first = icmp eq i32 %old, 0\n"
    "  br i1 %first, label %note, label %done\n"
    "note:\n"
    "  %l = getelementptr i8, ptr addrspace(1) %p, i64 4\n"
    "  store i32 %line, ptr addrspace(1) %l\n" NOTE_ID("g", "33", "Global", "0", "8")
        NOTE_ID("g", "33", "Global", "1", "16") NOTE_ID("g", "33", "Global", "2", "24")
            NOTE_ID("l", "32", "Local", "0", "32") NOTE_ID("l", "32", "Local", "1", "40")
                NOTE_ID("l", "32", "Local", "2", "48")
    "  %w = getelementptr i8, ptr addrspace(1) %p, i64 56\n"
    "  call spir_func void @__tenon_assert_text(ptr addrspace(1) %w, ptr addrspace(4) %what)\n"
    "  %f = getelementptr i8, ptr addrspace(1) %p, i64 312\n"
    "  call spir_func void @__tenon_assert_text(ptr addrspace(1) %f, ptr addrspace(4) %file)\n"
    "  %u = getelementptr i8, ptr addrspace(1) %p, i64 568\n"
    "  call spir_func void @__tenon_assert_text(ptr addrspace(1) %u, "
    "ptr addrspace(4) %function)\n"
    "  %ready = atomicrmw or ptr addrspace(1) %p, i32 2 release\n"
    "  br label %done\n"
    "done:\n"
    "  ret void\n"
    "}\n"
    // libstdc++'s own.
    "define linkonce_odr spir_func void @_ZSt21__glibcxx_assert_failPKciS0_S0_("
    "ptr addrspace(4) %file, i32 %line, ptr addrspace(4) %function, ptr addrspace(4) %what) #0 {\n"
    "  call spir_func void @__assert_fail(ptr addrspace(4) %what, ptr addrspace(4) %file, "
    "i32 %line, ptr addrspace(4) %function)\n"
    "  ret void\n"
    "}\n"
    "attributes #0 = { alwaysinline nounwind }\n"
    "attributes #1 = { nounwind willreturn memory(none) }\n"
    "attributes #2 = { convergent nounwind }\n"
    "attributes #3 = { alwaysinline convergent nounwind }\n"
    "attributes #4 = { noinline nounwind }\n",
    NULL};
