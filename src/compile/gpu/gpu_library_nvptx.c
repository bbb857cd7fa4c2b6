// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code asks of an NVIDIA GPU. Source: PTX ISA (special registers, barriers, shuffles),
// LLVM's NVPTX intrinsics.
#include "compile/gpu/gpu_library.h"

#define SREG(name) "declare i32 @llvm.nvvm.read.ptx.sreg." name "()\n"
#define SREGS(name) SREG(name ".x") SREG(name ".y") SREG(name ".z")
#define PICK(function, name)                                   \
  SREGS(name)                                                  \
  "define internal i64 @" function                             \
  "(i32 %d) #0 {\n"                                            \
  "  %x = call i32 @llvm.nvvm.read.ptx.sreg." name             \
  ".x()\n"                                                     \
  "  %y = call i32 @llvm.nvvm.read.ptx.sreg." name             \
  ".y()\n"                                                     \
  "  %z = call i32 @llvm.nvvm.read.ptx.sreg." name             \
  ".z()\n"                                                     \
  "  %r = call i64 @tn.pick(i32 %d, i32 %x, i32 %y, i32 %z)\n" \
  "  ret i64 %r\n"                                             \
  "}\n"

// Whether a work-item is beyond the range in one dimension, the number `d` of x, y and z: straight
// from the registers, because every kernel of a plain range asks for it.
#define BEYOND(x, d)                                       \
  "  %g" x " = call i32 @llvm.nvvm.read.ptx.sreg.ctaid." x \
  "()\n"                                                   \
  "  %s" x " = call i32 @llvm.nvvm.read.ptx.sreg.ntid." x  \
  "()\n"                                                   \
  "  %t" x " = call i32 @llvm.nvvm.read.ptx.sreg.tid." x   \
  "()\n"                                                   \
  "  %gw" x " = zext i32 %g" x                             \
  " to i64\n"                                              \
  "  %sw" x " = zext i32 %s" x                             \
  " to i64\n"                                              \
  "  %tw" x " = zext i32 %t" x                             \
  " to i64\n"                                              \
  "  %m" x " = mul nuw nsw i64 %gw" x ", %sw" x            \
  "\n"                                                     \
  "  %i" x " = add nuw nsw i64 %m" x ", %tw" x             \
  "\n"                                                     \
  "  %p" x " = getelementptr inbounds i64, ptr %l, i64 " d \
  "\n"                                                     \
  "  %n" x " = load i64, ptr %p" x                         \
  ", align 8, !invariant.load !0\n"                        \
  "  %o" x " = icmp uge i64 %i" x ", %n" x "\n"

// A group has at most 1024 work-items: 32 sub-groups of 64 bytes each.
const char *const tn_gpu_library_nvptx[] = {
    PICK("tn.local_id", "tid") PICK("tn.group_id", "ctaid") PICK("tn.group_size", "ntid")
        PICK("tn.group_count", "nctaid") SREG("laneid"),
    "define linkonce_odr i1 @" TN_GPU_OUTSIDE
    "() #0 {\n"
    "  %l = call ptr @" TN_GPU_LAUNCH
    "()\n" BEYOND("x", "0") BEYOND("y", "1") BEYOND("z", "2")
    "  %oxy = or i1 %ox, %oy\n"
    "  %r = or i1 %oxy, %oz\n"
    "  ret i1 %r\n"
    "}\n",
    "@__tenon_local = external addrspace(3) global [0 x i8], align 128\n"
    "@__tenon_scratch = internal addrspace(3) global [2048 x i8] undef, align 64\n"
    "define internal i32 @tn.width() #0 {\n"
    "  ret i32 32\n"
    "}\n"
    "define internal i32 @tn.lane() #0 {\n"
    "  %r = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n"
    "  ret i32 %r\n"
    "}\n"
    "define linkonce_odr ptr @_Z20__tenon_local_memoryv() #0 {\n"
    "  ret ptr addrspacecast (ptr addrspace(3) @__tenon_local to ptr)\n"
    "}\n"
    "define linkonce_odr ptr @_Z21__tenon_group_scratchv() #0 {\n"
    "  ret ptr addrspacecast (ptr addrspace(3) @__tenon_scratch to ptr)\n"
    "}\n",
    "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n"
    "declare void @llvm.nvvm.bar.warp.sync(i32)\n"
    // Barriers order what the group and the sub-group see; wider scopes need a fence before.
    "define linkonce_odr void @_Z22__spirv_ControlBarrieriii(i32 %execution, i32 %memory, "
    "i32 %semantics) #2 {\n"
    "  %is_wide = icmp ult i32 %memory, 2\n"
    "  br i1 %is_wide, label %wide, label %narrow\n"
    "wide:\n"
    "  %is_all = icmp eq i32 %memory, 0\n"
    "  br i1 %is_all, label %all, label %device\n"
    "all:\n"
    "  fence acq_rel\n"
    "  br label %narrow\n"
    "device:\n"
    "  fence syncscope(\"device\") acq_rel\n"
    "  br label %narrow\n"
    "narrow:\n"
    "  %is_sub_group = icmp eq i32 %execution, 3\n"
    "  br i1 %is_sub_group, label %warp, label %group\n"
    "warp:\n"
    "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"
    "  ret void\n"
    "group:\n"
    "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
    "  ret void\n"
    "}\n",
    // 0 all devices, 1 the device, 2 and 3 the group, 4 nobody else; 0x10 is sequentially
    // consistent.
    "define linkonce_odr void @_Z21__spirv_MemoryBarrierii(i32 %memory, i32 %semantics) #0 {\n"
    "  %bit = and i32 %semantics, 16\n"
    "  %is_total = icmp ne i32 %bit, 0\n"
    "  switch i32 %memory, label %all [ i32 1, label %device i32 2, label %group "
    "i32 3, label %group i32 4, label %done ]\n"
    "all:\n"
    "  br i1 %is_total, label %all_total, label %all_some\n"
    "all_total:\n"
    "  fence seq_cst\n"
    "  ret void\n"
    "all_some:\n"
    "  fence acq_rel\n"
    "  ret void\n"
    "device:\n"
    "  br i1 %is_total, label %device_total, label %device_some\n"
    "device_total:\n"
    "  fence syncscope(\"device\") seq_cst\n"
    "  ret void\n"
    "device_some:\n"
    "  fence syncscope(\"device\") acq_rel\n"
    "  ret void\n"
    "group:\n"
    "  br i1 %is_total, label %group_total, label %group_some\n"
    "group_total:\n"
    "  fence syncscope(\"block\") seq_cst\n"
    "  ret void\n"
    "group_some:\n"
    "  fence syncscope(\"block\") acq_rel\n"
    "  ret void\n"
    "done:\n"
    "  ret void\n"
    "}\n",
    "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)\n"
    "define linkonce_odr i32 @_Z30__spirv_GroupNonUniformShuffleijj(i32 %s, i32 %v, i32 %i) #2 {\n"
    "  %r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 %i, i32 31)\n"
    "  ret i32 %r\n"
    "}\n"
    "define linkonce_odr i64 @_Z30__spirv_GroupNonUniformShuffleimj(i32 %s, i64 %v, i32 %i) #2 {\n"
    "  %low = trunc i64 %v to i32\n"
    "  %up = lshr i64 %v, 32\n"
    "  %high = trunc i64 %up to i32\n"
    "  %l = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %low, i32 %i, i32 31)\n"
    "  %h = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %high, i32 %i, i32 31)\n"
    "  %l64 = zext i32 %l to i64\n"
    "  %h64 = zext i32 %h to i64\n"
    "  %shifted = shl i64 %h64, 32\n"
    "  %r = or i64 %shifted, %l64\n"
    "  ret i64 %r\n"
    "}\n"
    "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\n"
    "define linkonce_odr i64 @_Z24__tenon_sub_group_ballotb(i1 %v) #2 {\n"
    "  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %v)\n"
    "  %r = zext i32 %b to i64\n"
    "  ret i64 %r\n"
    "}\n"
    // CUDA's own: prints the message and ends the kernel.
    "declare void @__assertfail(ptr, ptr, i32, ptr, i64)\n"
    "define linkonce_odr void @__assert_fail(ptr %what, ptr %file, i32 %line, ptr %function) #3 {\n"
    "  call void @__assertfail(ptr %what, ptr %file, i32 %line, ptr %function, i64 1)\n"
    "  unreachable\n"
    "}\n"
    "attributes #3 = { nounwind noinline noreturn cold }\n",
    NULL};
