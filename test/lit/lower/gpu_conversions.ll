; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A double that becomes a float and then a half is rounded twice, also where operations may be
; contracted; those still may.
; RUN: %tenon-lower %s -S -passes=internalize,nvptx=sm_90 | %FileCheck %s
; CHECK: fptrunc double %{{.*}} to float
; CHECK: fptrunc float %{{.*}} to half
; CHECK: fmul contract half
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define spir_kernel void @_ZTS1K(ptr byval(ptr) align 8 %f) #0 {
  %p = load ptr, ptr %f
  %d = load double, ptr %p
  %s = fptrunc contract double %d to float
  %h = fptrunc contract float %s to half
  %m = fmul contract half %h, %h
  store half %m, ptr %p
  ret void
}

attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="8" }
