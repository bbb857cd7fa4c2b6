; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Whether all work-items of a strip are inside of a condition on ids is what its first and its last
; one say, also where it has several parts: no vector is made of it, nor looked at lane by lane.
; RUN: %tenon-lower %s -S -passes=cpu=32 -o - | %FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%args = type { ptr, i64 }

; CHECK: define internal void @tn_strip(
; CHECK-NOT: reduce
; CHECK: br i1 %{{[0-9]+}}, label %yes, label %no
; CHECK: yes:
; CHECK: store <8 x float> splat (float 1.000000e+00)
define spir_kernel void @inside(ptr byval(%args) align 8 %f) #0 {
entry:
  %out = load ptr, ptr %f
  %p.n = getelementptr i8, ptr %f, i64 8
  %n = load i64, ptr %p.n
  %x = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %y = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 1)
  %a = icmp ne i64 %y, 0
  %b = icmp ugt i64 %x, 1
  %c = icmp ult i64 %x, %n
  %d = icmp ult i64 %y, %n
  %ab = and i1 %a, %b
  %abc = select i1 %ab, i1 %c, i1 false
  %all = select i1 %abc, i1 %d, i1 false
  br i1 %all, label %work, label %end
work:
  %row = mul i64 %y, 1000
  %place = add i64 %row, %x
  %at = getelementptr float, ptr %out, i64 %place
  store float 1.0, ptr %at
  br label %end
end:
  ret void
}

; CHECK: define internal void @tn_strip.{{[0-9]+}}(
; CHECK-NOT: reduce
; CHECK: br i1 %{{[0-9]+}}, label %yes, label %no
; CHECK: yes:
; CHECK: store <8 x float> splat (float 2.000000e+00)
define spir_kernel void @outside(ptr byval(%args) align 8 %f) #0 {
entry:
  %out = load ptr, ptr %f
  %p.n = getelementptr i8, ptr %f, i64 8
  %n = load i64, ptr %p.n
  %x = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %y = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 1)
  %a = icmp eq i64 %y, 0
  %b = icmp ult i64 %x, 2
  %c = icmp uge i64 %x, %n
  %ab = or i1 %a, %b
  %any = select i1 %ab, i1 true, i1 %c
  br i1 %any, label %end, label %work
work:
  %row = mul i64 %y, 1000
  %place = add i64 %row, %x
  %at = getelementptr float, ptr %out, i64 %place
  store float 2.0, ptr %at
  br label %end
end:
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
attributes #0 = { "tenon-arg-size"="16" "tenon-arg-align"="8" }
