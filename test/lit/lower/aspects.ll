; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a kernel asks of a device is over all that it reaches, and only what it reaches.
; RUN: %tenon-lower %s -S -passes=note-aspects | %FileCheck %s
; CHECK: define spir_kernel void @_ZTS1A({{.*}}) [[DOUBLE:#[0-9]+]]
; CHECK: define spir_kernel void @_ZTS1B({{.*}}) [[NOTHING:#?[0-9]*]]
; CHECK: define spir_kernel void @_ZTS1C({{.*}}) [[HALF:#[0-9]+]]
; CHECK-DAG: attributes [[DOUBLE]] = { {{.*}}"tenon.aspects"="[[FP64:[0-9,]+]]"
; CHECK-DAG: attributes [[HALF]] = { {{.*}}"tenon.aspects"="[[FP16:[0-9,]+]]"
define spir_kernel void @_ZTS1A(ptr byval(ptr) align 8 %f) {
  %p = load ptr, ptr %f
  call void @_Z4grewPd(ptr %p)
  ret void
}

define spir_kernel void @_ZTS1B(ptr byval(ptr) align 8 %f) {
  ret void
}

define spir_kernel void @_ZTS1C(ptr byval(ptr) align 8 %f) {
  %p = load ptr, ptr %f
  %v = load half, ptr %p
  %w = fadd half %v, 1.0
  store half %w, ptr %p
  ret void
}

define linkonce_odr void @_Z4grewPd(ptr %p) {
  %v = load double, ptr %p
  %w = fadd double %v, 1.0
  store double %w, ptr %p
  ret void
}
