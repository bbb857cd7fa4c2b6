; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; SPIR-V keeps its names for ids, its kernels and their block.
; RUN: %tenon-lower %s -S -passes=internalize,spirv | %FileCheck %s
; CHECK: define {{.*}}spir_kernel void @_ZTS1K(ptr {{.*}}byval
; CHECK: __spirv_BuiltIn
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"

define spir_kernel void @_ZTS1K(ptr byval(ptr addrspace(1)) align 8 %f) #0 {
  %p = load ptr addrspace(1), ptr %f
  %i = call spir_func i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %a = getelementptr float, ptr addrspace(1) %p, i64 %i
  %v = load float, ptr addrspace(1) %a
  %w = fmul float %v, 2.0
  store float %w, ptr addrspace(1) %a
  ret void
}

declare spir_func i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)

attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="8" }
