; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Try blocks that the front end noted: for the unit's check, and no part of the named unit. The check
; reports those of functions that a kernel reaches, but for SYCL's and the C++ library's headers.
; RUN: %tenon-lower %s -S -passes=prepare=here | %FileCheck %s
; RUN: %tenon-lower %s -S -passes=prepare=here,check -o %t.ll 2>&1 | %FileCheck --check-prefix=WARN --implicit-check-not=warning: %s
; RUN: %tenon-lower %s -S -passes=prepare=here,name-unit=1 | %FileCheck --check-prefix=NAMED %s
; CHECK-NOT: llvm.global.annotations
; CHECK-DAG: define internal void @_ZL5triesv() [[TRIES:#[0-9]+]]
; CHECK-DAG: attributes [[TRIES]] = { "tenon.try-blocks"="7:5,9:3|a.hpp" }
; WARN: a.hpp:7:5: warning: 'tries()' has a try block; device code has no exceptions, and its handlers are left out
; WARN: a.hpp:9:3: warning: 'tries()' has a try block
; NAMED-NOT: try-blocks
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@.try = private constant [17 x i8] c"tenon.try_blocks\00", section "llvm.metadata"
@.file = private constant [6 x i8] c"a.hpp\00", section "llvm.metadata"
@.std = private constant [27 x i8] c"/usr/include/c++/12/vector\00", section "llvm.metadata"
@two = private constant { i32, i32, i32, i32 } { i32 7, i32 5, i32 9, i32 3 }
@one = private constant { i32, i32 } { i32 1, i32 2 }
@llvm.global.annotations = appending global [3 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @_ZL5triesv, ptr @.try, ptr @.file, i32 6, ptr @two }, { ptr, ptr, ptr, i32, ptr } { ptr @_ZL7libraryv, ptr @.try, ptr @.std, i32 6, ptr @one }, { ptr, ptr, ptr, i32, ptr } { ptr @_ZL6unusedv, ptr @.try, ptr @.file, i32 6, ptr @one }], section "llvm.metadata"

define spir_kernel void @_ZTS1K(ptr byval(i32) align 4 %f) {
  call void @_ZL5triesv()
  call void @_ZL7libraryv()
  ret void
}
define internal void @_ZL5triesv() {
  ret void
}
define internal void @_ZL7libraryv() {
  ret void
}
define internal void @_ZL6unusedv() {
  ret void
}
