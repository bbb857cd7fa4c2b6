; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What stays visible: all kernels and SYCL_EXTERNAL functions, or those that are named.
; RUN: %tenon-lower %s -S -passes=internalize | %FileCheck --check-prefixes=CHECK,ALL %s
; RUN: %tenon-lower %s -S -passes=internalize=_ZTS1A+_Z3onev | %FileCheck --check-prefixes=CHECK,SOME %s
; CHECK: define {{(weak_odr )?}}spir_kernel void @_ZTS1A(
; ALL: define weak_odr spir_kernel void @_ZTS1B(
; SOME: define internal spir_kernel void @_ZTS1B(
; CHECK: define void @_Z3onev()
; ALL: define void @_Z3twov()
; SOME: define internal void @_Z3twov()
; CHECK: define internal void @_Z5innerv()
; CHECK: declare void @_Z6importv()
define weak_odr spir_kernel void @_ZTS1A(ptr byval(ptr) align 8 %f) {
  call void @_Z3onev()
  call void @_Z6importv()
  ret void
}

define weak_odr spir_kernel void @_ZTS1B(ptr byval(ptr) align 8 %f) {
  call void @_Z3twov()
  ret void
}

define void @_Z3onev() #0 {
  call void @_Z5innerv()
  ret void
}

define void @_Z3twov() #0 {
  ret void
}

define linkonce_odr void @_Z5innerv() {
  ret void
}

declare void @_Z6importv() #0

attributes #0 = { "sycl-module-id"="unit" }
