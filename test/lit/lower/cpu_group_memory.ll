; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; group_local_memory on the CPU: a kernel's calls lie one below the other before the scratch memory,
; and the kernel says how many bytes they are.
; RUN: %tenon-lower %s -S -passes=cpu | %FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK: @two.tn_needs = externally_initialized constant [9 x i64] [i64 0, i64 0, i64 {{[0-9]+}}, i64 384, i64 0, i64 0, i64 0, i64 0, i64 0]
; CHECK: @large.tn_needs = externally_initialized constant [9 x i64] [i64 0, i64 0, i64 {{[0-9]+}}, i64 200064, i64 0, i64 0, i64 0, i64 0, i64 0]
; CHECK: @none.tn_needs = externally_initialized constant [9 x i64] [i64 0, i64 0, i64 {{[0-9]+}}, i64 0, i64 0, i64 0, i64 1, i64 0, i64 0]
; CHECK-NOT: call {{.*}}__tenon_group_memory
define spir_kernel void @two() {
  %a = call ptr @_Z20__tenon_group_memorymm(i64 250, i64 2)
  %b = call ptr @_Z20__tenon_group_memorymm(i64 16, i64 16)
  store volatile i8 1, ptr %a
  store volatile i8 2, ptr %b
  ret void
}

define spir_kernel void @large() {
  %a = call ptr @_Z20__tenon_group_memorymm(i64 200000, i64 64)
  store volatile i8 1, ptr %a
  ret void
}

define spir_kernel void @none() {
  ret void
}

declare ptr @_Z20__tenon_group_memorymm(i64, i64)
