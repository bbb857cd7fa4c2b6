; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Kernels with linkage are merged by their name, those without carry the unit's id; what is neither
; kernel nor SYCL_EXTERNAL is the unit's own.
; RUN: %tenon-lower %s -S -passes=name-unit=171 | %FileCheck %s
; RUN: %tenon-lower %s -passes=name-unit=0xab,list -o %t.bc 2>&1 | %FileCheck --check-prefix=LIST %s
; CHECK-DAG: define weak_odr spir_kernel void @_ZTS6public(
; CHECK-DAG: define {{.*}}spir_kernel void @"_ZTSN12_GLOBAL__N_15localE@00000000000000ab"(
; CHECK-DAG: define i32 @_Z8exportedi(
; CHECK-DAG: define internal i32 @_Z6helperi(
; LIST: kernel _ZTS6public args=8 align=8
; LIST-NEXT: kernel _ZTSN12_GLOBAL__N_15localE@00000000000000ab args=8 align=8
; LIST-NEXT: export _Z8exportedi
; LIST-NEXT: import _Z8importedi
define spir_kernel void @_ZTS6public(ptr byval(ptr) align 8 %f) #1 {
  %a = call i32 @_Z6helperi(i32 1)
  ret void
}

define spir_kernel void @_ZTSN12_GLOBAL__N_15localE(ptr byval(ptr) align 8 %f) #1 {
  %a = call i32 @_Z8exportedi(i32 1)
  ret void
}

define i32 @_Z8exportedi(i32 %i) #0 {
  %r = call i32 @_Z8importedi(i32 %i)
  ret i32 %r
}

define i32 @_Z6helperi(i32 %i) {
  ret i32 %i
}

declare i32 @_Z8importedi(i32) #0

attributes #0 = { "sycl-module-id"="unit" }
attributes #1 = { "tenon-arg-align"="8" "tenon-arg-size"="8" }
