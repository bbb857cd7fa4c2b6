; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel becomes a function of a work-group: a vector of work-items at a time, as wide as asked.
; RUN: %tenon-lower %s -S -passes=cpu | %FileCheck --check-prefixes=CHECK,WIDE32 %s
; RUN: %tenon-lower %s -S -passes=cpu=64 | %FileCheck --check-prefixes=CHECK,WIDE64 %s
; RUN: not %tenon-lower %s -S -passes=cpu=48 2>&1 | %FileCheck --check-prefix=WIDTH %s
; CHECK-NOT: spir_kernel
; CHECK-NOT: call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi
; CHECK: define void @_ZTS1K.tn_group(ptr {{.*}}, ptr
; Strips are not unrolled: there are four loops, and each says so.
; CHECK-COUNT-4: br label {{.*}}!llvm.loop
; WIDE32: fmul <8 x float>
; WIDE64: fmul <16 x float>
; CHECK: !"llvm.loop.unroll.disable"
; WIDTH: cpu: cpu=48: vectors are of 16, 32 or 64 bytes
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define spir_kernel void @_ZTS1K(ptr byval(ptr) align 8 %f) #0 {
  %p = load ptr, ptr %f
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a
  %w = fmul float %v, 2.0
  store float %w, ptr %a
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)

attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="8" }
