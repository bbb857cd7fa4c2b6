; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Which kernels share a module. per_kernel gives SYCL_EXTERNAL functions modules of their own too, and
; what a kernel calls of them is internal to it; auto tells kernels apart by what they ask of a device.
; RUN: %tenon-lower %s -S -passes=internalize,split=per_kernel | %FileCheck --check-prefix=KERNEL %s
; RUN: %tenon-lower %s -S -passes=internalize,split=auto | %FileCheck --check-prefix=AUTO %s
; RUN: %tenon-lower %s -S -passes=internalize,split=off | %FileCheck --check-prefix=OFF %s
; RUN: not %tenon-lower %s -passes=internalize,split=per_kernel 2>&1 | %FileCheck --check-prefix=TEXT %s
; RUN: not %tenon-lower %s -S -passes=split=sometimes 2>&1 | %FileCheck --check-prefix=MODE %s
; KERNEL-DAG: ; piece 2
; KERNEL-DAG: define weak_odr spir_kernel void @_ZTS1A(
; KERNEL-DAG: define weak_odr spir_kernel void @_ZTS1B(
; KERNEL-DAG: define internal i32 @_Z4sharv()
; KERNEL-DAG: define i32 @_Z4sharv()
; KERNEL-NOT: ; piece 3
; AUTO: ; piece 0
; AUTO: ; piece 1
; AUTO-NOT: ; piece 2
; OFF-NOT: ; piece
; OFF: define weak_odr spir_kernel void @_ZTS1A(
; OFF: define weak_odr spir_kernel void @_ZTS1B(
; TEXT: 3 modules are left, which only text can hold: add -S
; MODE: split=sometimes: it is auto, per_source, per_kernel, off or by_needs
define weak_odr spir_kernel void @_ZTS1A(ptr byval(ptr) align 8 %f) {
  %r = call i32 @_Z4sharv()
  ret void
}

define weak_odr spir_kernel void @_ZTS1B(ptr byval(ptr) align 8 %f) #1 {
  ret void
}

define i32 @_Z4sharv() #0 {
  ret i32 4
}

attributes #0 = { noinline "sycl-module-id"="unit" }
attributes #1 = { "tenon.reqd-work-group-size"="1,1,64" }
