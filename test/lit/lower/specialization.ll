; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Specialization constants become true constants, of the value that is given or their default, or are
; read from the buffer of a launch.
; RUN: %tenon-lower %s -S -passes=name-unit=1,internalize,specialize,simplify | %FileCheck --check-prefix=DEFAULT %s
; RUN: %tenon-lower %s -S -passes=name-unit=1,internalize,specialize=_ZTSN4sycl6detail13spec_constantIL_Z6factorEEE:0a000000,simplify | %FileCheck --check-prefix=GIVEN %s
; RUN: %tenon-lower %s -S -passes=name-unit=1,internalize,specs-from-buffer -o %t.ll 2>&1 | %FileCheck --check-prefix=BUFFER %s
; RUN: %FileCheck --check-prefix=READ %s < %t.ll
; RUN: %tenon-lower %s -S -passes=name-unit=1,internalize,simplify,specs-from-buffer 2>&1 | %FileCheck --check-prefix=MARK %s
; RUN: not %tenon-lower %s -S -passes=specialize=nothing:x 2>&1 | %FileCheck --check-prefix=WORDS %s
; A volatile read whose result nobody uses marks the constant as read; code does not keep it.
; DEFAULT-NOT: volatile
; DEFAULT: store i32 7,
; GIVEN: store i32 10,
; BUFFER: spec _ZTSN4sycl6detail13spec_constantIL_Z6factorEEE size=4 offset=0
; READ-NOT: volatile
; READ: call {{.*}}@__tenon_spec_constants()
; MARK: spec _ZTSN4sycl6detail13spec_constantIL_Z6unusedEEE size=4 offset=4
; WORDS: it is a symbol, a colon and the hexadecimal digits
@_ZN4sycl6detail13spec_constantIL_Z6factorEE5valueE = linkonce_odr global i32 7, align 4
@_ZN4sycl6detail13spec_constantIL_Z6unusedEE5valueE = linkonce_odr global i32 8, align 4

define spir_kernel void @_ZTS1K(ptr byval(ptr) align 8 %f) {
  %p = load ptr, ptr %f
  %v = load i32, ptr @_ZN4sycl6detail13spec_constantIL_Z6factorEE5valueE
  %m = load volatile i8, ptr @_ZN4sycl6detail13spec_constantIL_Z6factorEE5valueE
  %u = load volatile i8, ptr @_ZN4sycl6detail13spec_constantIL_Z6unusedEE5valueE
  store i32 %v, ptr %p
  ret void
}
