; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; For NVIDIA GPUs kernels get the device's calling convention and a second block with the launch; ids
; come from special registers.
; RUN: %tenon-lower %s -S -passes=internalize,nvptx=sm_90 | %FileCheck %s
; RUN: not %tenon-lower %s -S -passes=internalize,nvptx=gfx90a 2>&1 | %FileCheck --check-prefix=KIND %s
; CHECK: define {{.*}}ptx_kernel void @_ZTS1K(ptr {{.*}}byval{{.*}}, ptr {{.*}}byval
; CHECK-NOT: call {{.*}}@_Z33__spirv_BuiltInGlobalInvocationIdi
; CHECK: @llvm.nvvm.read.ptx.sreg.
; Of the library there is what is called; a kernel of a plain range ends where the range does, one
; of an nd_range has whole groups.
; CHECK: icmp uge i64
; CHECK: define {{.*}}ptx_kernel void @_ZTS1N(
; CHECK-NOT: icmp uge i64
; CHECK: ret void
; CHECK-NOT: @llvm.nvvm.shfl
; KIND: nvptx: nvptx=gfx90a: that is another kind of target
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define spir_kernel void @_ZTS1K(ptr byval(ptr) align 8 %f) #0 {
  %p = load ptr, ptr %f
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a
  %w = fmul float %v, 2.0
  store float %w, ptr %a
  ret void
}

define spir_kernel void @_ZTS1N(ptr byval(ptr) align 8 %f) #1 {
  %p = load ptr, ptr %f
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %a = getelementptr float, ptr %p, i64 %i
  store float 1.0, ptr %a
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)

attributes #1 = { "tenon-arg-align"="8" "tenon-arg-size"="8" "tenon.function-kind"="1" }
attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="8" }
