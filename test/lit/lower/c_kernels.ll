; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions of C that TN_KERNEL marks become kernels of one block: arguments are read from it where
; the kernel begins, local memory by its offset; annotations stay the kernel's.
; RUN: split-file %s %t
; RUN: %tenon-lower %t/good.ll -S -passes=prepare | %FileCheck %s
; RUN: not %tenon-lower %t/called.ll -S -passes=prepare 2>&1 | %FileCheck --check-prefix=CALLED %s
; RUN: not %tenon-lower %t/variable.ll -S -passes=prepare 2>&1 | %FileCheck --check-prefix=VARIABLE %s
; RUN: not %tenon-lower %t/number.ll -S -passes=prepare 2>&1 | %FileCheck --check-prefix=NUMBER %s
; CALLED: kernel 'f' is called, or its address is taken
; VARIABLE: variable 't' is TN_LOCAL, which a variable cannot be
; NUMBER: kernel 'f': TN_LOCAL stands at something that is no pointer argument

;--- good.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
%pair = type { i32, i64 }
@mark = private constant [15 x i8] c"tenon-c-kernel\00"
@local = private constant [12 x i8] c"tenon-local\00"
@size = private constant [27 x i8] c"tenon.reqd_work_group_size\00"
@four = private constant { i32 } { i32 4 }
@file = private constant [4 x i8] c"a.c\00"
@llvm.global.annotations = appending global [3 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @mark, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @size, ptr @file, i32 1, ptr @four },
  { ptr, ptr, ptr, i32, ptr } { ptr @none, ptr @mark, ptr @file, i32 2, ptr null }]

; CHECK-LABEL: define spir_kernel void @f(ptr byval([48 x i8]) align 8 %0)
; CHECK-SAME: [[F:#[0-9]+]]
; CHECK-DAG: [[ON_AT:%.*]] = getelementptr inbounds i8, ptr %0, i64 0
; CHECK-DAG: [[BYTE:%.*]] = load i8, ptr [[ON_AT]], align 1
; CHECK-DAG: [[ON:%.*]] = trunc i8 [[BYTE]] to i1
; CHECK-DAG: [[P_AT:%.*]] = getelementptr inbounds i8, ptr %0, i64 8
; CHECK-DAG: [[S:%.*]] = getelementptr inbounds i8, ptr %0, i64 16
; CHECK-DAG: [[TILE_AT:%.*]] = getelementptr inbounds i8, ptr %0, i64 32
; CHECK-DAG: [[OFFSET:%.*]] = load i64, ptr [[TILE_AT]], align 8
; CHECK-DAG: [[MEMORY:%.*]] = call ptr @_Z20__tenon_local_memoryv()
; CHECK-DAG: [[TILE:%.*]] = getelementptr i8, ptr [[MEMORY]], i64 [[OFFSET]]
; CHECK: store ptr [[TILE]], ptr %tile.addr
; CHECK-NOT: llvm.var.annotation(
; CHECK: getelementptr %pair, ptr [[S]], i32 0, i32 1
; CHECK: select i1 [[ON]]
; CHECK: define spir_kernel void @none() [[NONE:#[0-9]+]]
; CHECK-DAG: attributes [[F]] = {{.*}}"tenon-arg-align"="8" "tenon-arg-size"="48" "tenon.arguments"="0,1,0;8,8,1;16,16,0;32,8,3;40,2,0" "tenon.reqd-work-group-size"="1,1,4"
; CHECK-DAG: attributes [[NONE]] = {{.*}}"tenon-arg-size"="0" "tenon.arguments"="none"
define spir_kernel void @f(i1 zeroext %on, ptr %p, ptr byval(%pair) align 8 %s, ptr %tile, i16 %h) #0 {
  %tile.addr = alloca ptr
  store ptr %tile, ptr %tile.addr
  call void @llvm.var.annotation(ptr %tile.addr, ptr @local, ptr @file, i32 1, ptr null)
  %at = getelementptr %pair, ptr %s, i32 0, i32 1
  %b = load i64, ptr %at
  %v = select i1 %on, i64 %b, i64 0
  store i64 %v, ptr %p
  ret void
}
define spir_kernel void @none() {
  ret void
}
declare void @llvm.var.annotation(ptr, ptr, ptr, i32, ptr)
attributes #0 = { nounwind }

;--- called.ll
@mark = private constant [15 x i8] c"tenon-c-kernel\00"
@file = private constant [4 x i8] c"a.c\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @mark, ptr @file, i32 1, ptr null }]
define spir_kernel void @f(ptr %p) {
  ret void
}
define ptr @g() {
  %slot = alloca ptr
  store ptr @f, ptr %slot
  ret ptr null
}

;--- variable.ll
@local = private constant [12 x i8] c"tenon-local\00"
@file = private constant [4 x i8] c"a.c\00"
@t = internal global i32 0
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @t, ptr @local, ptr @file, i32 1, ptr null }]

;--- number.ll
@mark = private constant [15 x i8] c"tenon-c-kernel\00"
@local = private constant [12 x i8] c"tenon-local\00"
@file = private constant [4 x i8] c"a.c\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @mark, ptr @file, i32 1, ptr null }]
define spir_kernel void @f(i32 %n) {
  %n.addr = alloca i32
  store i32 %n, ptr %n.addr
  call void @llvm.var.annotation(ptr %n.addr, ptr @local, ptr @file, i32 1, ptr null)
  ret void
}
declare void @llvm.var.annotation(ptr, ptr, ptr, i32, ptr)
