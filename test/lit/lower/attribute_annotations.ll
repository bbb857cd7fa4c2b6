; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernel attributes: the values that the headers make of their arguments, and the numbers of the
; macros of C. Sizes get ones in front, and aspects of several annotations add up. A value that
; cannot be is kept with its line and column for the unit's check.
; RUN: %tenon-lower %s -S -passes=prepare=here | %FileCheck %s
; RUN: sed -e 's/i64 2, i64 1, i64 8, i64 1, i64 4/i64 2, i64 1, i64 8, i64 2, i64 0/' %s > %t.zero.ll
; RUN: %tenon-lower %t.zero.ll -S -passes=prepare=here | %FileCheck --check-prefix=ZERO %s
; ZERO: "tenon.attribute-misuse"="7|5|'sycl::reqd_work_group_size' attribute requires a positive integral compile time constant expression|a.cpp"
; RUN: sed -e 's/@numbers = .*/@numbers = private constant { i32, i32 } { i32 1, i32 2 }/' %s > %t.many.ll
; RUN: %tenon-lower %t.many.ll -S -passes=prepare=here | %FileCheck --check-prefix=MANY %s
; MANY: "tenon.attribute-misuse"="9|0|'TN_SUB_GROUP_SIZE' attribute takes one argument|a.cpp"
; RUN: sed -e 's/i64 1, i64 3, i64 1/i64 1, i64 1, i64 1/' %s > %t.other.ll
; RUN: %tenon-lower %t.other.ll -S -passes=prepare=here | %FileCheck --check-prefix=ASPECT %s
; ASPECT: "tenon.attribute-misuse"="8|3|'sycl::device_has' attribute requires values of 'sycl::aspect'|a.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@.group = private constant [27 x i8] c"tenon.reqd_work_group_size\00", section "llvm.metadata"
@.sub = private constant [26 x i8] c"tenon.reqd_sub_group_size\00", section "llvm.metadata"
@.has = private constant [17 x i8] c"tenon.device_has\00", section "llvm.metadata"
@.file = private constant [6 x i8] c"a.cpp\00", section "llvm.metadata"
@sizes = private constant { { [5 x i64] }, i32, i32 } { { [5 x i64] } { [5 x i64] [i64 2, i64 1, i64 8, i64 1, i64 4] }, i32 7, i32 5 }
@gpu = private constant { { [3 x i64] }, i32, i32 } { { [3 x i64] } { [3 x i64] [i64 1, i64 3, i64 1] }, i32 8, i32 3 }
@none = private constant { { [1 x i64] }, i32, i32 } { { [1 x i64] } zeroinitializer, i32 8, i32 3 }
@half = private constant { { [3 x i64] }, i32, i32 } { { [3 x i64] } { [3 x i64] [i64 1, i64 3, i64 6] }, i32 8, i32 9 }
@numbers = private constant { i32 } { i32 16 }
@llvm.global.annotations = appending global [6 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @.group, ptr @.file, i32 9, ptr @sizes }, { ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @.has, ptr @.file, i32 9, ptr @gpu }, { ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @.has, ptr @.file, i32 9, ptr @half }, { ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @.sub, ptr @.file, i32 9, ptr @numbers }, { ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @.group, ptr @.file, i32 9, ptr @sizes }, { ptr, ptr, ptr, i32, ptr } { ptr @g, ptr @.has, ptr @.file, i32 9, ptr @none }], section "llvm.metadata"

; CHECK-NOT: llvm.global.annotations
; CHECK: define void @f() [[F:#[0-9]+]]
; CHECK: define void @g() [[G:#[0-9]+]]
; CHECK-NOT: attribute-misuse
; CHECK-DAG: attributes [[F]] = { "tenon.device-has"="1,6" "tenon.reqd-sub-group-size"="16" "tenon.reqd-work-group-size"="1,8,4" }
; CHECK-DAG: attributes [[G]] = { "tenon.device-has"="none" }
define void @f() {
  ret void
}
define void @g() {
  ret void
}
