; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Arguments that are only read are loaded before all branches: a pointer that both sides of one read
; is the same for all work-items where they meet. What lies behind the block is left where it is.
; RUN: %tenon-lower %s -S -passes=cpu=32 | %FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; The strip for eight work-items:
; CHECK: define internal void @tn_strip(
; CHECK-NOT: extractelement <8 x ptr>
; CHECK: store <8 x float>
; CHECK-NOT: {{^}}define
; CHECK: ret void
; CHECK: define internal void @tn_strip_part(
; CHECK: define internal void @tn_strip
; CHECK: br i1
; CHECK: getelementptr {{.*}}i8, ptr %0, i64 16
; CHECK-NEXT: load i64, ptr %{{[0-9]+}}, align 8{{$}}
define spir_kernel void @meet(ptr byval([2 x ptr]) align 8 %block) #0 {
entry:
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %in = load ptr, ptr %block, align 8
  %p = getelementptr float, ptr %in, i64 %i
  %x = load float, ptr %p, align 4
  %less = fcmp olt float %x, 4.0
  br i1 %less, label %one, label %other
one:
  %field = getelementptr i8, ptr %block, i64 8
  %out = load ptr, ptr %field, align 8, !nonnull !0
  %y = load float, ptr %out, align 4
  br label %end
other:
  %field.again = getelementptr { ptr, ptr }, ptr %block, i64 0, i32 1
  %out.again = load ptr, ptr %field.again, align 8
  br label %end
end:
  %to = phi ptr [ %out, %one ], [ %out.again, %other ]
  %value = phi float [ %y, %one ], [ 1.0, %other ]
  %q = getelementptr float, ptr %to, i64 %i
  store float %value, ptr %q, align 4
  ret void
}

define spir_kernel void @behind(ptr byval([2 x ptr]) align 8 %block) #0 {
entry:
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %size = call i64 @_Z25__spirv_BuiltInGlobalSizei(i32 0)
  %out = load ptr, ptr %block, align 8
  %many = icmp ugt i64 %size, 1000
  br i1 %many, label %one, label %end
one:
  %field = getelementptr i8, ptr %block, i64 16
  %number = load i64, ptr %field, align 8
  %q = getelementptr i64, ptr %out, i64 %i
  store i64 %number, ptr %q, align 4
  br label %end
end:
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
declare i64 @_Z25__spirv_BuiltInGlobalSizei(i32)

!0 = !{}
attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="16" }
