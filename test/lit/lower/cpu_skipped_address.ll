; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A load from the argument block may be done although no lane goes there, but not through an address
; that is computed where no lane went: that would be poison, and the way there be taken for sure.
; RUN: %tenon-lower %s -S -passes=cpu=16 | %FileCheck %s
; CHECK-LABEL: define internal void @tn_strip(
; CHECK: [[AT:%[0-9]+]] = phi ptr [ {{.*}}, %lanes ], [ poison, %start ]
; CHECK-NOT: load ptr, ptr [[AT]]
; CHECK: some2:
; CHECK-NEXT: load ptr, ptr [[AT]]
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define spir_kernel void @_ZTS1K(ptr byval([3 x ptr]) align 8 %f) #0 {
entry:
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %p = load ptr, ptr %f
  %at = getelementptr i32, ptr %p, i64 %i
  %first = atomicrmw add ptr %at, i32 1 monotonic
  %some = icmp eq i32 %first, 31
  br i1 %some, label %inner, label %done

inner:
  %size = call i64 @_Z25__spirv_BuiltInGlobalSizei(i32 0)
  %step = and i64 %size, 8
  %place = getelementptr inbounds i8, ptr %f, i64 %step
  %q = load ptr, ptr %place
  %second = atomicrmw add ptr %q, i32 1 acq_rel
  %last = icmp eq i32 %second, 99
  br i1 %last, label %innermost, label %done

innermost:
  %again = load ptr, ptr %place
  br label %loop

loop:
  %n = phi i64 [ 0, %innermost ], [ %next, %loop ]
  %cell = getelementptr i32, ptr %again, i64 %n
  store i32 3, ptr %cell
  %next = add i64 %n, 1
  %end = icmp eq i64 %next, 100
  br i1 %end, label %done, label %loop

done:
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
declare i64 @_Z25__spirv_BuiltInGlobalSizei(i32)
attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="24" }
