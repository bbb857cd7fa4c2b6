; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two nested loops whose headers LLVM merged: the inner loop's end goes to the latch or, through
; %checked, to the exit. All work-items come to %checked at last, but in different rounds: it runs
; under a mask of its own, and the latch's phis pick by the work-items of this round.
; RUN: %tenon-lower %s -S -passes=cpu=16 -o %t
; RUN: %FileCheck --input-file=%t %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define internal void @tn_strip(
; CHECK: [[STAYS:%[0-9]+]] = icmp slt <4 x i64>
; CHECK: [[CHECKS:%[0-9]+]] = xor <4 x i1> [[STAYS]], splat (i1 true)
; CHECK: call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> [[CHECKS]])
; CHECK: select <4 x i1> [[STAYS]], <4 x i64>
define spir_kernel void @rounds(ptr byval({ ptr, i64, i64 }) align 8 %f) #0 {
entry:
  %out = load ptr, ptr %f
  %p.n = getelementptr i8, ptr %f, i64 8
  %n = load i64, ptr %p.n
  %p.step = getelementptr i8, ptr %f, i64 16
  %step = load i64, ptr %p.step
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  br label %round
round:
  %at = phi i64 [ %i, %entry ], [ %at.back, %back ]
  %to = getelementptr inbounds i32, ptr %out, i64 %at
  %old = load volatile i32, ptr %to
  %new = add i32 %old, 1
  store volatile i32 %new, ptr %to
  %next = add nsw i64 %at, %step
  %stays = icmp slt i64 %next, %n
  br i1 %stays, label %back, label %checked
checked:
  %count = getelementptr inbounds i32, ptr %out, i64 %i
  %seen = load volatile i32, ptr %count
  %again = icmp slt i32 %seen, 5
  br i1 %again, label %back, label %done
back:
  %at.back = phi i64 [ %next, %round ], [ %i, %checked ]
  br label %round
done:
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="24" }
