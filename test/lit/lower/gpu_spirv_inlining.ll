; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions may be inlined, also where clang forbade it for -O0: OpenCL's compilers for CPUs do not
; get all that waits in a barrier right otherwise.
; RUN: %tenon-lower %s -S -passes=internalize,spirv | %FileCheck %s
; CHECK: define {{.*}}spir_func i32 @_Z4waitPi(
; CHECK-NOT: {{noinline|optnone}}
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"

define spir_kernel void @_ZTS1K(ptr byval(ptr addrspace(4)) align 8 %f) #0 {
  %p = load ptr addrspace(4), ptr %f
  %v = call spir_func i32 @_Z4waitPi(ptr addrspace(4) %p)
  store i32 %v, ptr addrspace(4) %p
  ret void
}

define linkonce_odr spir_func i32 @_Z4waitPi(ptr addrspace(4) %p) #1 {
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 776) #2
  %v = load i32, ptr addrspace(4) %p
  ret i32 %v
}

declare spir_func void @_Z22__spirv_ControlBarrieriii(i32, i32, i32) #2

attributes #0 = { noinline optnone "tenon-arg-align"="8" "tenon-arg-size"="8" }
attributes #1 = { convergent noinline optnone }
attributes #2 = { convergent }
