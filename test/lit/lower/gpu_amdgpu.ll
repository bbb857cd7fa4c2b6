; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; AMD GPUs: the block comes by reference in constant memory, ids from registers of the wave.
; RUN: %tenon-lower %s -S -passes=internalize,amdgpu=gfx90a | %FileCheck %s
; CHECK: define {{.*}}amdgpu_kernel void @_ZTS1K(ptr addrspace(4) {{.*}}byref
; CHECK: @llvm.amdgcn.work
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

define spir_kernel void @_ZTS1K(ptr addrspace(4) byref(ptr) align 8 %f) #0 {
  %p = load ptr, ptr addrspace(4) %f
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a
  %w = fmul float %v, 2.0
  store float %w, ptr %a
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)

attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="8" }
