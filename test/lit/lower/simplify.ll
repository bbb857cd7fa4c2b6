; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Inlining and folding, but neither vectors nor what is for one processor; level 0 inlines what has to
; be and drops what nobody calls.
; RUN: %tenon-lower %s -S -passes=internalize,simplify | %FileCheck --check-prefixes=CHECK,FULL %s
; RUN: %tenon-lower %s -S -passes=internalize,simplify=0 | %FileCheck --check-prefixes=CHECK,NONE %s
; CHECK-NOT: @_Z6unusedv
; CHECK: define weak_odr spir_kernel void @_ZTS1K(
; FULL-NOT: alloca
; FULL-NOT: call
; FULL: fmul float
; FULL-NOT: <{{[0-9]+}} x float>
; NONE: alloca
; NONE: call float @_Z5twicef
; CHECK: ret void
define weak_odr spir_kernel void @_ZTS1K(ptr byval(ptr) align 8 %f) {
  %at = alloca ptr
  %p = load ptr, ptr %f
  store ptr %p, ptr %at
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %q = load ptr, ptr %at
  %a = getelementptr float, ptr %q, i64 %i
  %v = load float, ptr %a
  %w = call float @_Z5twicef(float %v)
  store float %w, ptr %a
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 1024
  br i1 %done, label %end, label %loop
end:
  ret void
}

define linkonce_odr float @_Z5twicef(float %x) {
  %r = fmul float %x, 2.0
  ret float %r
}

define linkonce_odr void @_Z6unusedv() {
  ret void
}
