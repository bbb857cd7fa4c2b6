; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a kernel reads from its block points to global memory; what it reads elsewhere may not.
; Members of structures are found by their offsets.
; RUN: %tenon-lower %s -S -passes=spirv-pointers | %FileCheck %s
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"

%block = type { i32, [2 x ptr addrspace(4)] }

; CHECK-LABEL: define spir_kernel void @K
; CHECK-NEXT: [[MEMBER:%.*]] = getelementptr inbounds i8, ptr %b, i64 16
; CHECK-NEXT: [[READ:%.*]] = load ptr addrspace(4), ptr [[MEMBER]]
; CHECK-NEXT: [[GLOBAL:%.*]] = addrspacecast ptr addrspace(4) [[READ]] to ptr addrspace(1)
; CHECK-NEXT: [[AGAIN:%.*]] = addrspacecast ptr addrspace(1) [[GLOBAL]] to ptr addrspace(4)
; CHECK: load ptr addrspace(4), ptr addrspace(4) [[AGAIN]]
; CHECK-NEXT: store i32 1
; CHECK: load i32, ptr %b
define spir_kernel void @K(ptr byval(%block) align 8 %b) {
  %second = getelementptr inbounds %block, ptr %b, i32 0, i32 1, i32 1
  %p = load ptr addrspace(4), ptr %second
  %inner = load ptr addrspace(4), ptr addrspace(4) %p
  store i32 1, ptr addrspace(4) %inner
  %n = load i32, ptr %b
  store i32 %n, ptr addrspace(4) %inner
  ret void
}

; CHECK-LABEL: define spir_func void @f
; CHECK-NOT: addrspacecast
define spir_func void @f(ptr byval(%block) align 8 %b) {
  %p = load ptr addrspace(4), ptr %b
  store i32 1, ptr addrspace(4) %p
  ret void
}

; CHECK-LABEL: define spir_func ptr @g
; CHECK-NEXT: [[WIDE:%.*]] = sext i32 %i to i64
; CHECK-NEXT: [[ROW:%.*]] = mul i64 [[WIDE]], 24
; CHECK-NEXT: add i64 0, [[ROW]]
; CHECK: add i64 {{.*}}, 8
; CHECK: getelementptr i8, ptr %b, i64
define spir_func ptr @g(ptr %b, i32 %i) {
  %p = getelementptr %block, ptr %b, i32 %i, i32 1, i32 0
  ret ptr %p
}
