; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels that are functions: the annotations of the mark and of the table become attributes of the
; kernel, also when the function is only declared; what the headers do not write is refused.
; RUN: %tenon-lower %s -S -passes=prepare=here | %FileCheck %s
; RUN: sed -e 's/@two = .*/@two = private constant { i64, i64 } { i64 1, i64 0 }/' %s > %t.short.ll
; RUN: not %tenon-lower %t.short.ll -S -passes=prepare=here 2>&1 | %FileCheck --check-prefix=SHORT %s
; SHORT: its annotation "tenon-arguments" is not as Tenon's headers write it
; The headers write the mark as one struct.
; RUN: sed -e 's/@range = .*/@range = private constant { { i64, i64, i64, i64 } } { { i64, i64, i64, i64 } { i64 2, i64 0, i64 0, i64 0 } }/' %s > %t.struct.ll
; RUN: %tenon-lower %t.struct.ll -S -passes=prepare=here | %FileCheck %s
; RUN: sed -e 's/i32 16, i64 8/i32 1, i64 8/' %s > %t.kinds.ll
; RUN: not %tenon-lower %t.kinds.ll -S -passes=prepare=here 2>&1 | %FileCheck --check-prefix=KINDS %s
; KINDS: f is marked as two kinds of kernel
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%block = type { [16 x i8] }
@.mark = private constant [20 x i8] c"tenon-free-function\00", section "llvm.metadata"
@.table = private constant [16 x i8] c"tenon-arguments\00", section "llvm.metadata"
@.file = private constant [6 x i8] c"a.cpp\00", section "llvm.metadata"
@range = private constant { i32, i64, i64, i64 } { i32 2, i64 0, i64 0, i64 0 }
@size = private constant { i32, i64, i64, i64 } { i32 16, i64 8, i64 4, i64 0 }
@two = private constant { i64, i64, i64, i64, i64, i32, i32 } { i64 2, i64 0, i64 8, i64 8, i64 4, i32 1, i32 0 }
@llvm.global.annotations = appending global [3 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @.mark, ptr @.file, i32 4, ptr @range }, { ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @.mark, ptr @.file, i32 4, ptr @size }, { ptr, ptr, ptr, i32, ptr } { ptr @call, ptr @.table, ptr @.file, i32 9, ptr @two }], section "llvm.metadata"

; CHECK: define spir_kernel void @_ZTSN4sycl6detail11free_kernelIXadL_Z1fEEEE({{.*}}) [[KERNEL:#[0-9]+]]
; CHECK: declare void @f(ptr, i32) [[MARKED:#[0-9]+]] align 16
; CHECK-DAG: attributes [[KERNEL]] = {{.*}}"tenon.arguments"="0,8,1;8,4,0"{{.*}}"tenon.function-kind"="2"{{.*}}"tenon.reqd-work-group-size"="1,8,4"
; CHECK-DAG: attributes [[MARKED]] = {{.*}}"tenon.function-kind"="2"
define spir_kernel void @_ZTSN4sycl6detail11free_kernelIXadL_Z1fEEEE(ptr byval(%block) align 8 %0) {
  call void @call(ptr %0)
  ret void
}
define linkonce_odr void @call(ptr %from) {
  %p = load ptr, ptr %from
  %at = getelementptr i8, ptr %from, i64 8
  %n = load i32, ptr %at
  call void @f(ptr %p, i32 %n)
  ret void
}
declare void @f(ptr, i32) align 256
