; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Intrinsics that LLVM's back end for SPIR-V has no form for become OpenCL's functions, or rounding
; and a conversion; those that it has stay.
; RUN: %tenon-lower %s -S -passes=internalize,spirv | %FileCheck %s
; CHECK: define {{.*}}spir_kernel void @_ZTS1K
; CHECK: call {{.*}}double @_Z5exp10d(double
; CHECK: call {{.*}}float @_Z5ldexpfi(float {{.*}}, i32 3)
; CHECK: call {{.*}}float @_Z5frexpfPU3AS4i(float {{.*}}, ptr
; CHECK: call {{.*}}float @_Z6sincosfPU3AS4f(float {{.*}}, ptr
; CHECK: call float @llvm.rint.f32(float
; CHECK: fptosi float {{.*}} to i64
; CHECK: call float @llvm.exp2.f32(float
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"

define spir_kernel void @_ZTS1K(ptr byval(ptr addrspace(1)) align 8 %f) #0 {
  %p = load ptr addrspace(1), ptr %f
  %d = load double, ptr addrspace(1) %p
  %d1 = call double @llvm.exp10.f64(double %d)
  store double %d1, ptr addrspace(1) %p
  %x = load float, ptr addrspace(1) %p
  %x1 = call float @llvm.ldexp.f32.i32(float %x, i32 3)
  %parts = call { float, i32 } @llvm.frexp.f32.i32(float %x1)
  %x2 = extractvalue { float, i32 } %parts, 0
  %exponent = extractvalue { float, i32 } %parts, 1
  store i32 %exponent, ptr addrspace(1) %p
  %pair = call { float, float } @llvm.sincos.f32(float %x2)
  %sine = extractvalue { float, float } %pair, 0
  %cosine = extractvalue { float, float } %pair, 1
  %sum = fadd float %sine, %cosine
  %whole = call i64 @llvm.llrint.i64.f32(float %sum)
  store i64 %whole, ptr addrspace(1) %p
  %x3 = call float @llvm.exp2.f32(float %sum)
  store float %x3, ptr addrspace(1) %p
  ret void
}

attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="8" }
