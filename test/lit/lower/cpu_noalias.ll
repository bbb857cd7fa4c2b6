; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A sum that a loop adds to in memory stays in a register where the launch says that the pointers
; do not alias; a second way through the kernel adds to memory. What is needed names the
; pointers, 0 and 1, and the written one.
; RUN: %tenon-lower %s -S -passes=cpu=32 -o - | %FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-DAG: @sum.tn_needs = {{.*}}, i64 3, i64 2]
; CHECK-DAG: @elsewhere.tn_needs = {{.*}}, i64 0, i64 0]
; CHECK-DAG: @mirrored.tn_needs = {{.*}}, i64 3, i64 2]
; CHECK-DAG: @followed.tn_needs = {{.*}}, i64 0, i64 0]
%args = type { ptr, ptr, i64 }
%args3 = type { ptr, ptr, i64, ptr }

; CHECK: define {{.*}}void @sum.tn_group
; CHECK: br i1 %{{[0-9]+}}, label %apart, label %other
; CHECK: define internal void @tn_strip(
; CHECK: load <8 x float>, ptr %{{[0-9]+}}
; CHECK: fadd <8 x float>
; CHECK: store <8 x float>
; CHECK: br i1
; CHECK: define internal void @tn_strip.
; CHECK: phi <8 x float>
; CHECK-NOT: store
; CHECK: fadd <8 x float>
; CHECK-NEXT: add
define spir_kernel void @sum(ptr byval(%args) align 8 %f) #0 {
entry:
  %in = load ptr, ptr %f
  %p.out = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %p.out
  %p.n = getelementptr i8, ptr %f, i64 16
  %n = load i64, ptr %p.n
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %at = getelementptr float, ptr %out, i64 %i
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = mul i64 %k, 1000
  %place = add i64 %row, %i
  %from = getelementptr float, ptr %in, i64 %place
  %one = load float, ptr %from
  %before = load float, ptr %at
  %after = fadd float %before, %one
  store float %after, ptr %at
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Each round stores elsewhere: nothing to gain.
define spir_kernel void @elsewhere(ptr byval(%args) align 8 %f) #0 {
entry:
  %in = load ptr, ptr %f
  %p.out = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %p.out
  %p.n = getelementptr i8, ptr %f, i64 16
  %n = load i64, ptr %p.n
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = mul i64 %k, 1000
  %place = add i64 %row, %i
  %from = getelementptr float, ptr %in, i64 %place
  %one = load float, ptr %from
  %at = getelementptr float, ptr %out, i64 %place
  store float %one, ptr %at
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Behind the loop the kernel writes through a third pointer, which may lead where the second does.
define spir_kernel void @mirrored(ptr byval(%args3) align 8 %f) #1 {
entry:
  %in = load ptr, ptr %f
  %p.out = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %p.out
  %p.n = getelementptr i8, ptr %f, i64 16
  %n = load i64, ptr %p.n
  %p.mirror = getelementptr i8, ptr %f, i64 24
  %mirror = load ptr, ptr %p.mirror
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %at = getelementptr float, ptr %out, i64 %i
  %at.mirror = getelementptr float, ptr %mirror, i64 %i
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = mul i64 %k, 1000
  %place = add i64 %row, %i
  %from = getelementptr float, ptr %in, i64 %place
  %one = load float, ptr %from
  %before = load float, ptr %at
  %after = fadd float %before, %one
  store float %after, ptr %at
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  %sum = load float, ptr %at
  store float %sum, ptr %at.mirror
  ret void
}

; A pointer that memory holds leads anywhere.
define spir_kernel void @followed(ptr byval(%args) align 8 %f) #0 {
entry:
  %table = load ptr, ptr %f
  %in = load ptr, ptr %table
  %p.out = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %p.out
  %p.n = getelementptr i8, ptr %f, i64 16
  %n = load i64, ptr %p.n
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %at = getelementptr float, ptr %out, i64 %i
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = mul i64 %k, 1000
  %place = add i64 %row, %i
  %from = getelementptr float, ptr %in, i64 %place
  %one = load float, ptr %from
  %before = load float, ptr %at
  %after = fadd float %before, %one
  store float %after, ptr %at
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
attributes #0 = { "tenon-arg-size"="24" "tenon-arg-align"="8" }
attributes #1 = { "tenon-arg-size"="32" "tenon-arg-align"="8" }
