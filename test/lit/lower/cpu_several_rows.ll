; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A matrix product: four rows at once read a vector of the second matrix once. Where some of them
; are behind the last one that the kernel asks for, they are run one after the other.
; RUN: %tenon-lower %s -S -passes=cpu=32 -o - | %FileCheck %s
; RUN: %tenon-lower %s -S -passes=cpu-remarks=32 -o - 2>&1 >/dev/null | %FileCheck --check-prefix=SAYS %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; SAYS: kernel 'product': 8 work-items side by side, 2 vectors of them and 4 rows at once
; SAYS: kernel 'transposed': 8 work-items side by side
; SAYS-NOT: rows
; SAYS: kernel 'spread': 64 work-items side by side, 4 rows at once

; The number of rows is the high half of a word of what is needed: 4 << 32.
; CHECK-DAG: @product.tn_needs = {{.*}}, i64 17179869184, i64 1, i64 0, i64 0]
; CHECK-DAG: @transposed.tn_needs = {{.*}}, i64 0, i64 1, i64 0, i64 0]
%args = type { ptr, ptr, ptr, i64 }
%args2 = type { ptr, ptr, i64 }

; CHECK: define internal void @tn_strip_rows(
; CHECK: br i1 %{{[0-9]+}}, label %[[LOOP:[0-9]+]], label %apart
; CHECK-COUNT-4: phi <16 x float>
; CHECK-NOT: phi <
; CHECK: load <16 x float>
; CHECK-NOT: load <
; CHECK-COUNT-4: fadd <16 x float>
; CHECK: apart:
; CHECK: call void @tn_strip.
define spir_kernel void @product(ptr byval(%args) align 8 %f) #0 {
entry:
  %a = load ptr, ptr %f
  %p.b = getelementptr i8, ptr %f, i64 8
  %b = load ptr, ptr %p.b
  %p.c = getelementptr i8, ptr %f, i64 16
  %c = load ptr, ptr %p.c
  %p.n = getelementptr i8, ptr %f, i64 24
  %n = load i64, ptr %p.n
  %x = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %y = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 1)
  %inside = icmp ult i64 %y, %n
  br i1 %inside, label %before, label %end
before:
  %row = mul i64 %y, %n
  %row.a = getelementptr float, ptr %a, i64 %row
  %row.c = getelementptr float, ptr %c, i64 %row
  br label %loop
loop:
  %k = phi i64 [ 0, %before ], [ %next, %loop ]
  %sum = phi float [ 0.0, %before ], [ %more, %loop ]
  %at.a = getelementptr float, ptr %row.a, i64 %k
  %one = load float, ptr %at.a
  %row.b = mul i64 %k, %n
  %place = add i64 %row.b, %x
  %at.b = getelementptr float, ptr %b, i64 %place
  %two = load float, ptr %at.b
  %product = fmul float %one, %two
  %more = fadd float %sum, %product
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %after
after:
  %at.c = getelementptr float, ptr %row.c, i64 %x
  store float %more, ptr %at.c
  br label %end
end:
  ret void
}

; What all rows read is the same number for all lanes.
define spir_kernel void @transposed(ptr byval(%args) align 8 %f) #0 {
entry:
  %a = load ptr, ptr %f
  %p.b = getelementptr i8, ptr %f, i64 8
  %b = load ptr, ptr %p.b
  %p.c = getelementptr i8, ptr %f, i64 16
  %c = load ptr, ptr %p.c
  %p.n = getelementptr i8, ptr %f, i64 24
  %n = load i64, ptr %p.n
  %x = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %y = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 1)
  %row = mul i64 %y, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at.a = getelementptr float, ptr %a, i64 %k
  %one = load float, ptr %at.a
  %place.b = add i64 %row, %x
  %far = add i64 %place.b, %k
  %at.b = getelementptr float, ptr %b, i64 %far
  %two = load float, ptr %at.b
  %product = fmul float %one, %two
  %more = fadd float %sum, %product
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %after
after:
  %place = add i64 %row, %x
  %at.c = getelementptr float, ptr %c, i64 %place
  store float %more, ptr %at.c
  ret void
}

; A strip has 64 lanes at most, as many as this kernel asks for.
define spir_kernel void @spread(ptr byval(%args2) align 8 %f) #1 {
entry:
  %in = load ptr, ptr %f
  %p.out = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %p.out
  %p.n = getelementptr i8, ptr %f, i64 16
  %n = load i64, ptr %p.n
  %x = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %y = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 1)
  %row = mul i64 %y, 4096
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = mul i64 %k, 64
  %place = add i64 %at, %x
  %from = getelementptr float, ptr %in, i64 %place
  %one = load float, ptr %from
  %far = add i64 %place, %row
  %to = getelementptr float, ptr %out, i64 %far
  store float %one, ptr %to
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
attributes #0 = { "tenon-arg-size"="32" "tenon-arg-align"="8" }
attributes #1 = { "tenon-arg-size"="24" "tenon-arg-align"="8" "tenon.reqd-sub-group-size"="64" }
