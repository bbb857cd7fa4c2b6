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
// from the registers, because every kernel of a plain range asks for it. Where there are rows 32
// bits hold all.
#define BEYOND(x, d)                                       \
  "  %s" x " = call i32 @llvm.nvvm.read.ptx.sreg.ntid." x  \
  "()\n"                                                   \
  "  %g" x " = call i32 @llvm.nvvm.read.ptx.sreg.ctaid." x \
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
  "  %mn" x " = mul nuw nsw i32 %g" x ", %s" x             \
  "\n"                                                     \
  "  %in" x " = add nuw nsw i32 %mn" x ", %t" x            \
  "\n"                                                     \
  "  %p" x " = getelementptr inbounds i64, ptr %l, i64 " d \
  "\n"                                                     \
  "  %n" x " = load i64, ptr %p" x                         \
  ", align 8, !invariant.load !0\n"                        \
  "  %nn" x " = trunc i64 %n" x                            \
  " to i32\n"                                              \
  "  %ow" x " = icmp uge i64 %i" x ", %n" x                \
  "\n"                                                     \
  "  %on" x " = icmp uge i32 %in" x ", %nn" x              \
  "\n"                                                     \
  "  %o" x " = select i1 %rows, i1 %on" x ", i1 %ow" x "\n"

// A shuffle of the hardware's kind; `clamp` is its last operand. Of 64 bits, two of them.
#define SHUFFLE(name, kind, clamp)                                                          \
  "declare i32 @llvm.nvvm.shfl.sync." kind                                                  \
  ".i32(i32, i32, i32, i32)\n"                                                              \
  "define linkonce_odr i32 @" name                                                          \
  "ijj(i32 %s, i32 %v, i32 %i) #2 {\n"                                                      \
  "  %r = call i32 @llvm.nvvm.shfl.sync." kind ".i32(i32 -1, i32 %v, i32 %i, i32 " clamp    \
  ")\n"                                                                                     \
  "  ret i32 %r\n"                                                                          \
  "}\n"                                                                                     \
  "define linkonce_odr i64 @" name                                                          \
  "imj(i32 %s, i64 %v, i32 %i) #2 {\n"                                                      \
  "  %low = trunc i64 %v to i32\n"                                                          \
  "  %up = lshr i64 %v, 32\n"                                                               \
  "  %high = trunc i64 %up to i32\n"                                                        \
  "  %l = call i32 @llvm.nvvm.shfl.sync." kind ".i32(i32 -1, i32 %low, i32 %i, i32 " clamp  \
  ")\n"                                                                                     \
  "  %h = call i32 @llvm.nvvm.shfl.sync." kind ".i32(i32 -1, i32 %high, i32 %i, i32 " clamp \
  ")\n"                                                                                     \
  "  %l64 = zext i32 %l to i64\n"                                                           \
  "  %h64 = zext i32 %h to i64\n"                                                           \
  "  %shifted = shl i64 %h64, 32\n"                                                         \
  "  %r = or i64 %shifted, %l64\n"                                                          \
  "  ret i64 %r\n"                                                                          \
  "}\n"

// One step of a reduction: the value number `from` becomes number `to`.
#define REDUCE_STEP(from, distance, to)                                                         \
  "  %s" from " = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v" from ", i32 " distance \
  ", i32 31)\n"                                                                                 \
  "  %v" to " = call i32 @tn.combine(i32 %o, i32 %v" from ", i32 %s" from ")\n"

// A group has at most 1024 work-items: 32 sub-groups of 64 bytes each.
const char *const tn_gpu_library_nvptx[] = {
    PICK("tn.local_id", "tid") PICK("tn.group_id", "ctaid") PICK("tn.group_size", "ntid")
        PICK("tn.group_count", "nctaid") SREG("laneid"),
    "define linkonce_odr i1 @" TN_GPU_OUTSIDE
    "() #0 {\n"
    "  %l = call ptr @" TN_GPU_LAUNCH
    "()\n"
    "  %rows = call i1 @" TN_GPU_HAS_ROWS
    "()\n" BEYOND("x", "0") BEYOND("y", "1") BEYOND("z", "2")
    "  %oxy = or i1 %ox, %oy\n"
    "  %r = or i1 %oxy, %oz\n"
    "  ret i1 %r\n"
    "}\n",
    "define linkonce_odr i1 @" TN_GPU_OUTSIDE_FUNCTION
    "(i32 %dims) #0 {\n"
    "  %l = call ptr @" TN_GPU_LAUNCH
    "()\n"
    "  %rows = call i1 @" TN_GPU_HAS_ROWS
    "()\n" BEYOND("x", "0") BEYOND("y", "1") BEYOND("z", "2") TN_GPU_OUTSIDE_IN_DIMS,
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
    "}\n"
    // Of a cooperative launch the driver's workspace: its size, and a word for the barrier.
    SREG("envreg1") SREG("envreg2")
    "define linkonce_odr ptr @_Z17__tenon_root_wordv() #0 {\n"
    "  %h = call i32 @llvm.nvvm.read.ptx.sreg.envreg1()\n"
    "  %l = call i32 @llvm.nvvm.read.ptx.sreg.envreg2()\n"
    "  %h64 = zext i32 %h to i64\n"
    "  %l64 = zext i32 %l to i64\n"
    "  %hs = shl i64 %h64, 32\n"
    "  %a = or i64 %hs, %l64\n"
    "  %none = icmp eq i64 %a, 0\n"
    "  %w = add i64 %a, 4\n"
    "  %v = select i1 %none, i64 0, i64 %w\n"
    "  %r = inttoptr i64 %v to ptr\n"
    "  ret ptr %r\n"
    "}\n"
    // 4 local, 5 global, 7 private: all that is left, which kernels' parameters are as well.
    "declare i1 @llvm.nvvm.isspacep.shared(ptr)\n"
    "declare i1 @llvm.nvvm.isspacep.global(ptr)\n"
    "declare i1 @llvm.nvvm.isspacep.const(ptr)\n"
    "define linkonce_odr i1 @_Z19__tenon_is_in_spacePKvi(ptr %p, i32 %class) #0 {\n"
    "  %l = call i1 @llvm.nvvm.isspacep.shared(ptr %p)\n"
    "  %g = call i1 @llvm.nvvm.isspacep.global(ptr %p)\n"
    "  %c = call i1 @llvm.nvvm.isspacep.const(ptr %p)\n"
    "  %gc = or i1 %g, %c\n"
    "  %lgc = or i1 %l, %gc\n"
    "  %p7 = xor i1 %lgc, true\n"
    "  %is_local = icmp eq i32 %class, 4\n"
    "  %is_global = icmp eq i32 %class, 5\n"
    "  %other = select i1 %is_global, i1 %gc, i1 %p7\n"
    "  %r = select i1 %is_local, i1 %l, i1 %other\n"
    "  ret i1 %r\n"
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
    SHUFFLE("_Z30__spirv_GroupNonUniformShuffle", "idx", "31")
    SHUFFLE("_Z33__spirv_GroupNonUniformShuffleXor", "bfly", "31")
    SHUFFLE("_Z32__spirv_GroupNonUniformShuffleUp", "up", "0")
    SHUFFLE("_Z34__spirv_GroupNonUniformShuffleDown", "down", "31")
    "declare i32 @llvm.smin.i32(i32, i32)\n"
    "declare i32 @llvm.smax.i32(i32, i32)\n"
    "declare i32 @llvm.umin.i32(i32, i32)\n"
    "declare i32 @llvm.umax.i32(i32, i32)\n"
    "define internal i32 @tn.combine(i32 %o, i32 %a, i32 %b) #0 {\n"
    "  switch i32 %o, label %umax [ i32 0, label %add i32 1, label %and i32 2, label %or "
    "i32 3, label %xor i32 4, label %smin i32 5, label %smax i32 6, label %umin ]\n"
    "add:\n  %v0 = add i32 %a, %b\n  ret i32 %v0\n"
    "and:\n  %v1 = and i32 %a, %b\n  ret i32 %v1\n"
    "or:\n  %v2 = or i32 %a, %b\n  ret i32 %v2\n"
    "xor:\n  %v3 = xor i32 %a, %b\n  ret i32 %v3\n"
    "smin:\n  %v4 = call i32 @llvm.smin.i32(i32 %a, i32 %b)\n  ret i32 %v4\n"
    "smax:\n  %v5 = call i32 @llvm.smax.i32(i32 %a, i32 %b)\n  ret i32 %v5\n"
    "umin:\n  %v6 = call i32 @llvm.umin.i32(i32 %a, i32 %b)\n  ret i32 %v6\n"
    "umax:\n  %v7 = call i32 @llvm.umax.i32(i32 %a, i32 %b)\n  ret i32 %v7\n"
    "}\n",
    "define linkonce_odr i32 @_Z24__tenon_sub_group_reduceij(i32 %o, i32 %v0) #2 {\n"
    REDUCE_STEP("0", "1", "1") REDUCE_STEP("1", "2", "2") REDUCE_STEP("2", "4", "3")
    REDUCE_STEP("3", "8", "4") REDUCE_STEP("4", "16", "5")
    "  ret i32 %v5\n"
    "}\n",
    "declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)\n"
    "define linkonce_odr i1 @_Z17__tenon_group_anyb(i1 %v) #2 {\n"
    "  %r = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %v)\n"
    "  ret i1 %r\n"
    "}\n"
    "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\n"
    "define linkonce_odr i64 @_Z24__tenon_sub_group_ballotb(i1 %v) #2 {\n"
    "  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %v)\n"
    "  %r = zext i32 %b to i64\n"
    "  ret i64 %r\n"
    "}\n",
    // CUDA's own: prints the message and ends the kernel.
    "declare void @__assertfail(ptr, ptr, i32, ptr, i64)\n"
    "define linkonce_odr void @__assert_fail(ptr %what, ptr %file, i32 %line, ptr %function) #3 {\n"
    "  call void @__assertfail(ptr %what, ptr %file, i32 %line, ptr %function, i64 1)\n"
    "  unreachable\n"
    "}\n"
    // libstdc++'s own.
    "define linkonce_odr void @_ZSt21__glibcxx_assert_failPKciS0_S0_(ptr %file, i32 %line, "
    "ptr %function, ptr %what) #3 {\n"
    "  call void @__assertfail(ptr %what, ptr %file, i32 %line, ptr %function, i64 1)\n"
    "  unreachable\n"
    "}\n"
    "attributes #3 = { nounwind noinline noreturn cold }\n",
    NULL};

#define REDUX(name, label)                                   \
  label                                                      \
      ":\n"                                                  \
      "  %r" label " = call i32 @llvm.nvvm.redux.sync." name \
      "(i32 %v, i32 -1)\n"                                   \
      "  ret i32 %r" label "\n"
#define DECLARE_REDUX(name) "declare i32 @llvm.nvvm.redux.sync." name "(i32, i32)\n"

const char *const tn_gpu_library_nvptx_80[] = {
    DECLARE_REDUX("add") DECLARE_REDUX("and") DECLARE_REDUX("or") DECLARE_REDUX("xor")
        DECLARE_REDUX("min") DECLARE_REDUX("max") DECLARE_REDUX("umin") DECLARE_REDUX("umax")
    "define linkonce_odr i32 @_Z24__tenon_sub_group_reduceij(i32 %o, i32 %v) #2 {\n"
    "  switch i32 %o, label %umax [ i32 0, label %add i32 1, label %and i32 2, label %or "
    "i32 3, label %xor i32 4, label %min i32 5, label %max i32 6, label %umin ]\n"
    REDUX("add", "add") REDUX("and", "and") REDUX("or", "or") REDUX("xor", "xor")
    REDUX("min", "min") REDUX("max", "max") REDUX("umin", "umin") REDUX("umax", "umax")
    "}\n",
    NULL};
