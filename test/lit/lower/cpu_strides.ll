; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where the rounds of a loop go far in memory, so many strips go side by side that each round reads
; 256 bytes, or reads and writes 128, where they lie a few lines apart a line; else as many as keep
; the processor busy.
; RUN: %tenon-lower %s -S -passes=cpu=32 | %FileCheck %s
; RUN: %tenon-lower %s -S -passes=cpu=64 | %FileCheck --check-prefix=LONG %s
; The strips' functions, of each kernel first those of a vector:
; CHECK: = load <8 x float>
; CHECK: = load <64 x float>
; LONG: = load <64 x float>
; CHECK: = load <8 x float>
; CHECK: = load <32 x float>
; CHECK: store <32 x float>
; CHECK: = load <8 x float>
; CHECK: = load <32 x float>
; CHECK: = load <8 x i8>
; CHECK: = load <64 x i8>
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define spir_kernel void @columns(ptr byval([2 x i64]) align 8 %f) #0 {
entry:
  %second = getelementptr i64, ptr %f, i64 1
  %columns = load i64, ptr %second
  %in = load ptr, ptr %f
  %at = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  br label %loop
loop:
  %row = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %begin = mul i64 %row, %columns
  %i = add i64 %begin, %at
  %p = getelementptr float, ptr %in, i64 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add i64 %row, 1
  %done = icmp eq i64 %next, %columns
  br i1 %done, label %end, label %loop
end:
  %q = getelementptr float, ptr %in, i64 %at
  store float %more, ptr %q
  ret void
}

define spir_kernel void @grid(ptr byval([2 x i64]) align 8 %f) #0 {
entry:
  %second = getelementptr i64, ptr %f, i64 1
  %count = load i64, ptr %second
  %in = load ptr, ptr %f
  %at = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %any = icmp ult i64 %at, %count
  br i1 %any, label %loop, label %end
loop:
  %i = phi i64 [ %at, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %in, i64 %i
  %v = load float, ptr %p
  %w = fmul float %v, 2.0
  store float %w, ptr %p
  %step = call i64 @_Z25__spirv_BuiltInGlobalSizei(i32 0)
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %end
end:
  ret void
}

define spir_kernel void @near(ptr byval([2 x i64]) align 8 %f) #0 {
entry:
  %second = getelementptr i64, ptr %f, i64 1
  %count = load i64, ptr %second
  %in = load ptr, ptr %f
  %at = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  br label %loop
loop:
  %row = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %begin = mul i64 %row, 64
  %i = add i64 %begin, %at
  %p = getelementptr float, ptr %in, i64 %i
  %v = load float, ptr %p
  %more = fadd float %sum, %v
  %next = add i64 %row, 1
  %done = icmp eq i64 %next, %count
  br i1 %done, label %end, label %loop
end:
  %q = getelementptr float, ptr %in, i64 %at
  store float %more, ptr %q
  ret void
}

define spir_kernel void @lines(ptr byval([2 x i64]) align 8 %f) #0 {
entry:
  %second = getelementptr i64, ptr %f, i64 1
  %count = load i64, ptr %second
  %in = load ptr, ptr %f
  %at = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  br label %loop
loop:
  %row = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %begin = mul i64 %row, 256
  %i = add i64 %begin, %at
  %p = getelementptr i8, ptr %in, i64 %i
  %v = load i8, ptr %p
  %wide = zext i8 %v to i32
  %more = add i32 %sum, %wide
  %next = add i64 %row, 1
  %done = icmp eq i64 %next, %count
  br i1 %done, label %end, label %loop
end:
  %q = getelementptr i32, ptr %in, i64 %at
  store i32 %more, ptr %q
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
declare i64 @_Z25__spirv_BuiltInGlobalSizei(i32)

attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="16" }
