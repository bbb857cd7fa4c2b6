; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A branch on a number that only undefined values make: it is the same in all lanes, but its sides
; are not apart, as %both is reached by way of %other too. So they are run under masks.
; RUN: %tenon-lower %s -S -passes=cpu=16 -o %t
; RUN: %FileCheck --input-file=%t %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define internal void @tn_strip(
; CHECK: [[FIRST:%[0-9]+]] = icmp sgt i32 {{%[0-9]+}}, 3
; CHECK-NOT: br i1 [[FIRST]]
; CHECK: call i32 @llvm.bitreverse.i32(
define spir_kernel void @undecided(ptr byval({ ptr, i64 }) align 8 %f) #0 {
entry:
  %out = load ptr, ptr %f
  %p.n = getelementptr i8, ptr %f, i64 8
  %n = load i32, ptr %p.n
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %to = getelementptr inbounds i32, ptr %out, i64 %i
  br label %round
round:
  %any = phi i32 [ undef, %entry ], [ %next.any, %next ]
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %first = icmp sgt i32 %any, 3
  br i1 %first, label %both, label %other
other:
  store volatile i32 7, ptr %to
  %even = and i32 %k, 1
  %second = icmp eq i32 %even, 0
  br i1 %second, label %both, label %next
both:
  store volatile i32 %k, ptr %to
  br label %next
next:
  %turned = call i32 @llvm.bitreverse.i32(i32 %any)
  %next.any = xor i32 %turned, %n
  %k1 = add nuw nsw i32 %k, 1
  %again = icmp ult i32 %k1, %n
  br i1 %again, label %round, label %done
done:
  ret void
}

declare i32 @llvm.bitreverse.i32(i32)
declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="16" }
