// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code asks of an AMD GPU. Sources: LLVM's AMDGPU usage guide (intrinsics, memory model
// of barriers), HSA's kernel dispatch packet.
#include "compile/gpu/gpu_library.h"

#define ID(name, suffix) "declare i32 @llvm.amdgcn." name "." suffix "()\n"
#define IDS(name) ID(name, "x") ID(name, "y") ID(name, "z")
#define PICK(function, name)                                   \
  IDS(name)                                                    \
  "define internal i64 @" function                             \
  "(i32 %d) #0 {\n"                                            \
  "  %x = call i32 @llvm.amdgcn." name                         \
  ".x()\n"                                                     \
  "  %y = call i32 @llvm.amdgcn." name                         \
  ".y()\n"                                                     \
  "  %z = call i32 @llvm.amdgcn." name                         \
  ".z()\n"                                                     \
  "  %r = call i64 @tn.pick(i32 %d, i32 %x, i32 %y, i32 %z)\n" \
  "  ret i64 %r\n"                                             \
  "}\n"

const char *const tn_gpu_library_amdgpu[] = {
    PICK("tn.local_id", "workitem.id") PICK("tn.group_id", "workgroup.id")
    "declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()\n"
    // Of the packet: workgroup_size_x is 16 bits at byte 4, grid_size_x 32 bits at byte 12.
    "define internal i64 @tn.group_size(i32 %d) #0 {\n"
    "  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()\n"
    "  %n = zext i32 %d to i64\n"
    "  %sizes = getelementptr inbounds i8, ptr addrspace(4) %packet, i64 4\n"
    "  %p = getelementptr inbounds i16, ptr addrspace(4) %sizes, i64 %n\n"
    "  %v = load i16, ptr addrspace(4) %p, align 2, !invariant.load !0\n"
    "  %r = zext i16 %v to i64\n"
    "  ret i64 %r\n"
    "}\n"
    "define internal i64 @tn.group_count(i32 %d) #0 {\n"
    "  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()\n"
    "  %n = zext i32 %d to i64\n"
    "  %sizes = getelementptr inbounds i8, ptr addrspace(4) %packet, i64 12\n"
    "  %p = getelementptr inbounds i32, ptr addrspace(4) %sizes, i64 %n\n"
    "  %grid = load i32, ptr addrspace(4) %p, align 4, !invariant.load !0\n"
    "  %size = call i64 @tn.group_size(i32 %d)\n"
    "  %size32 = trunc i64 %size to i32\n"
    "  %v = udiv i32 %grid, %size32\n"
    "  %r = zext i32 %v to i64\n"
    "  ret i64 %r\n"
    "}\n",
    "@__tenon_local = external addrspace(3) global [0 x i8], align 128\n"
    // 32 sub-groups of 64 bytes each.
    "@__tenon_scratch = internal addrspace(3) global [2048 x i8] undef, align 64\n"
    "declare i32 @llvm.amdgcn.wavefrontsize()\n"
    "declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)\n"
    "declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)\n"
    "define internal i32 @tn.width() #0 {\n"
    "  %r = call i32 @llvm.amdgcn.wavefrontsize()\n"
    "  ret i32 %r\n"
    "}\n"
    "define internal i32 @tn.lane() #0 {\n"
    "  %l = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)\n"
    "  %w = call i32 @llvm.amdgcn.wavefrontsize()\n"
    "  %is_wide = icmp eq i32 %w, 64\n"
    "  %h = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %l)\n"
    "  %r = select i1 %is_wide, i32 %h, i32 %l\n"
    "  ret i32 %r\n"
    "}\n"
    "define linkonce_odr ptr @_Z20__tenon_local_memoryv() #0 {\n"
    "  ret ptr addrspacecast (ptr addrspace(3) @__tenon_local to ptr)\n"
    "}\n"
    "define linkonce_odr ptr @_Z21__tenon_group_scratchv() #0 {\n"
    "  ret ptr addrspacecast (ptr addrspace(3) @__tenon_scratch to ptr)\n"
    "}\n"
    "declare void @llvm.amdgcn.s.barrier()\n"
    "declare void @llvm.amdgcn.wave.barrier()\n"
    "define linkonce_odr void @_Z22__spirv_ControlBarrieriii(i32 %execution, i32 %memory, "
    "i32 %semantics) #2 {\n"
    "  %is_sub_group = icmp eq i32 %execution, 3\n"
    "  br i1 %is_sub_group, label %wave, label %group\n"
    "wave:\n"
    "  fence syncscope(\"wavefront\") release\n"
    "  call void @llvm.amdgcn.wave.barrier()\n"
    "  fence syncscope(\"wavefront\") acquire\n"
    "  br label %wide\n"
    "group:\n"
    "  fence syncscope(\"workgroup\") release\n"
    "  call void @llvm.amdgcn.s.barrier()\n"
    "  fence syncscope(\"workgroup\") acquire\n"
    "  br label %wide\n"
    "wide:\n"
    "  %is_wide = icmp ult i32 %memory, 2\n"
    "  br i1 %is_wide, label %device, label %done\n"
    "device:\n"
    "  %is_all = icmp eq i32 %memory, 0\n"
    "  br i1 %is_all, label %all, label %agent\n"
    "all:\n"
    "  fence acq_rel\n"
    "  br label %done\n"
    "agent:\n"
    "  fence syncscope(\"agent\") acq_rel\n"
    "  br label %done\n"
    "done:\n"
    "  ret void\n"
    "}\n",
    "declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)\n"
    "define linkonce_odr i32 @_Z30__spirv_GroupNonUniformShuffleijj(i32 %s, i32 %v, i32 %i) #2 {\n"
    "  %bytes = shl i32 %i, 2\n"
    "  %r = call i32 @llvm.amdgcn.ds.bpermute(i32 %bytes, i32 %v)\n"
    "  ret i32 %r\n"
    "}\n"
    "define linkonce_odr i64 @_Z30__spirv_GroupNonUniformShuffleimj(i32 %s, i64 %v, i32 %i) #2 {\n"
    "  %low = trunc i64 %v to i32\n"
    "  %up = lshr i64 %v, 32\n"
    "  %high = trunc i64 %up to i32\n"
    "  %l = call i32 @_Z30__spirv_GroupNonUniformShuffleijj(i32 %s, i32 %low, i32 %i)\n"
    "  %h = call i32 @_Z30__spirv_GroupNonUniformShuffleijj(i32 %s, i32 %high, i32 %i)\n"
    "  %l64 = zext i32 %l to i64\n"
    "  %h64 = zext i32 %h to i64\n"
    "  %shifted = shl i64 %h64, 32\n"
    "  %r = or i64 %shifted, %l64\n"
    "  ret i64 %r\n"
    "}\n"
    "declare i64 @llvm.amdgcn.ballot.i64(i1)\n"
    "define linkonce_odr i64 @_Z24__tenon_sub_group_ballotb(i1 %v) #2 {\n"
    "  %r = call i64 @llvm.amdgcn.ballot.i64(i1 %v)\n"
    "  ret i64 %r\n"
    "}\n",
    "define linkonce_odr i1 @" TN_GPU_OUTSIDE
    "() #0 {\n"
    "  %x = call i64 @tn.plain_id(i32 0)\n"
    "  %y = call i64 @tn.plain_id(i32 1)\n"
    "  %z = call i64 @tn.plain_id(i32 2)\n"
    "  %sx = call i64 @tn.launch(i32 0)\n"
    "  %sy = call i64 @tn.launch(i32 1)\n"
    "  %sz = call i64 @tn.launch(i32 2)\n"
    "  %ox = icmp uge i64 %x, %sx\n"
    "  %oy = icmp uge i64 %y, %sy\n"
    "  %oz = icmp uge i64 %z, %sz\n"
    "  %xy = or i1 %ox, %oy\n"
    "  %r = or i1 %xy, %oz\n"
    "  ret i1 %r\n"
    "}\n",
    NULL};
