; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Rules for device code, read off the IR; the chain of calls is part of what is said.
; RUN: not %tenon-lower %s -S -passes=check -o %t.ll 2>&1 | %FileCheck %s
; RUN: %tenon-lower %s -S -passes=internalize,simplify -o - | %FileCheck --check-prefix=UNCHECKED %s
; CHECK: check.ll{{.*}}error:
; CHECK: tenon-lower: error: check: {{.+}}
; UNCHECKED: define spir_kernel void @_ZTS1K
define spir_kernel void @_ZTS1K(ptr byval(ptr) align 8 %f) {
  call void @_Z6middlev()
  ret void
}

define linkonce_odr void @_Z6middlev() {
  %n = call i32 @_Z4downi(i32 3)
  ret void
}

define linkonce_odr i32 @_Z4downi(i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %end, label %more
more:
  %m = sub i32 %n, 1
  %r = call i32 @_Z4downi(i32 %m)
  br label %end
end:
  %v = phi i32 [ 0, %0 ], [ %r, %more ]
  ret i32 %v
}
