; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Recursion that only shows when units are linked: through two SYCL_EXTERNAL functions.
; RUN: not %tenon-lower %s -S -passes=check-linked -o %t.ll 2>&1 | %FileCheck %s
; CHECK: error: {{.*}}cannot recurse
; CHECK: tenon-lower: error: check-linked: {{.+}}
define weak_odr spir_kernel void @_ZTS1K(ptr byval(ptr) align 8 %f) {
  %r = call i32 @_Z3onei(i32 1)
  ret void
}

define i32 @_Z3onei(i32 %n) #0 {
  %r = call i32 @_Z3twoi(i32 %n)
  ret i32 %r
}

define i32 @_Z3twoi(i32 %n) #1 {
  %r = call i32 @_Z3onei(i32 %n)
  ret i32 %r
}

attributes #0 = { "sycl-module-id"="a.cpp" }
attributes #1 = { "sycl-module-id"="b.cpp" }
