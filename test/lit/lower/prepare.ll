; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What clang's device pass leaves: annotations become attributes, constructors and what is for one
; processor go, kernels get the size of their argument.
; RUN: %tenon-lower %s -S -passes=prepare=here | %FileCheck %s
; RUN: %tenon-lower %s -S -passes=prepare | %FileCheck --check-prefix=UNIT %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%block = type { ptr, i32 }
@.str = private constant [20 x i8] c"tenon.sycl_external\00", section "llvm.metadata"
@.str.1 = private constant [6 x i8] c"a.cpp\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @_Z4minei, ptr @.str, ptr @.str.1, i32 4, ptr null }], section "llvm.metadata"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]

; CHECK-NOT: llvm.global_ctors
; CHECK-NOT: llvm.global.annotations
; CHECK: define i32 @_Z4minei(i32 %i) [[EXTERNAL:#[0-9]+]]
; CHECK: define spir_kernel void @_ZTS1K({{.*}}) [[KERNEL:#[0-9]+]]
; CHECK-DAG: attributes [[EXTERNAL]] = {{.*}}"sycl-module-id"="here"
; CHECK-DAG: attributes [[KERNEL]] = {{.*}}"tenon-arg-align"="8"{{.*}}"tenon-arg-size"="16"
; CHECK-NOT: target-cpu
; UNIT: "sycl-module-id"="unit"
define i32 @_Z4minei(i32 %i) #0 {
  %r = add i32 %i, 1
  ret i32 %r
}

define spir_kernel void @_ZTS1K(ptr byval(%block) align 8 %f) #0 {
  ret void
}

define internal void @start() #0 {
  ret void
}

attributes #0 = { "target-cpu"="x86-64" "target-features"="+sse2" }
