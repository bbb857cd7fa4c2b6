; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Each work-item reads a row of its own: a vector of eight elements of each, turned, makes the lanes
; of eight rounds. What is left of them, one round at least, gathers. Where the loop writes, nothing
; is read ahead of that; nor where not all lanes are there.
; RUN: %tenon-lower %s -S -passes=cpu=32 -o - | %FileCheck %s
; RUN: %tenon-lower %s -S -passes=cpu-remarks=64 -o - 2>&1 >/dev/null | %FileCheck --check-prefix=SAYS %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; SAYS: kernel 'sum': 16 work-items side by side
; SAYS: load: each work-item reads 16 elements side by side, for as many iterations
; SAYS-NOT: gather
; SAYS: kernel 'prefix':
; SAYS: gather
%args = type { ptr, ptr, i64 }

; CHECK: define internal void @tn_strip(
; CHECK: rounds:
; CHECK: icmp ugt i64 %{{[0-9]+}}, 8
; CHECK: together:
; CHECK-COUNT-8: load <8 x float>
; CHECK-NOT: load
; CHECK-COUNT-24: shufflevector <8 x float> %{{[0-9]+}}, <8 x float> %{{[0-9]+}}
; CHECK-COUNT-8: fadd <8 x float>
; CHECK: loop:
; CHECK: call <8 x float> @llvm.masked.gather
define spir_kernel void @sum(ptr byval(%args) align 8 %f) #0 {
entry:
  %in = load ptr, ptr %f
  %p.out = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %p.out
  %p.n = getelementptr i8, ptr %f, i64 16
  %n = load i64, ptr %p.n
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %row = mul i64 %i, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %place = add i64 %row, %k
  %from = getelementptr float, ptr %in, i64 %place
  %one = load float, ptr %from
  %more = fadd float %sum, %one
  %next = add i64 %k, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  %at = getelementptr float, ptr %out, i64 %i
  store float %more, ptr %at
  ret void
}

; CHECK: define internal void @tn_strip_part(
; CHECK-NOT: rounds:
define spir_kernel void @prefix(ptr byval(%args) align 8 %f) #0 {
entry:
  %in = load ptr, ptr %f
  %p.out = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %p.out
  %p.n = getelementptr i8, ptr %f, i64 16
  %n = load i64, ptr %p.n
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %row = mul i64 %i, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %place = add i64 %row, %k
  %from = getelementptr float, ptr %in, i64 %place
  %one = load float, ptr %from
  %more = fadd float %sum, %one
  %at = getelementptr float, ptr %out, i64 %place
  store float %more, ptr %at
  %next = add i64 %k, 1
  %again = icmp ne i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
attributes #0 = { "tenon-arg-size"="24" "tenon-arg-align"="8" }
