; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; group_local_memory: each call is a variable in local memory, of the size and alignment it asks for.
; RUN: %tenon-lower %s -S -passes=internalize,nvptx=sm_90 | %FileCheck %s
; RUN: sed 's/i64 64, i64 4/i64 %i, i64 4/' %s >%t.ll
; RUN: not %tenon-lower %t.ll -S -passes=internalize,nvptx=sm_90 2>&1 | %FileCheck --check-prefix=SIZE %s
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: = internal addrspace(3) global [64 x i8] undef, align 4
; CHECK-DAG: = internal addrspace(3) global [16 x i8] undef, align 16
; CHECK-NOT: call {{.*}}__tenon_group_memory
; SIZE: group_local_memory is called with a size that is not a constant
define spir_kernel void @_ZTS1N(ptr byval(ptr) align 8 %f) #0 {
  %p = load ptr, ptr %f
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %a = call ptr @_Z20__tenon_group_memorymm(i64 64, i64 4)
  %b = call ptr @_Z20__tenon_group_memorymm(i64 16, i64 16)
  store volatile i64 %i, ptr %a
  store volatile i64 %i, ptr %b
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
declare ptr @_Z20__tenon_group_memorymm(i64, i64)

attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="8" "tenon.function-kind"="1" }
