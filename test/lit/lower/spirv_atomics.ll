; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Atomic loads and stores are SPIR-V's, with their orders and scopes; others stay.
; RUN: %tenon-lower %s -S -passes=spirv-atomics | %FileCheck %s

; CHECK-LABEL: define i32 @loads
; CHECK: call spir_func i32 @_Z18__spirv_AtomicLoadPU3AS4iii(ptr addrspace(4) %p, i32 1, i32 16)
; CHECK: [[L:%.*]] = call spir_func i64 @_Z18__spirv_AtomicLoadPU3AS1lii(ptr addrspace(1) %q, i32 2, i32 2)
; CHECK-NEXT: bitcast i64 [[L]] to double
; CHECK: [[P:%.*]] = call spir_func i64 @_Z18__spirv_AtomicLoadPU3AS1lii(ptr addrspace(1) %q, i32 0, i32 0)
; CHECK-NEXT: inttoptr i64 [[P]] to ptr
; CHECK: load i32, ptr addrspace(4) %p
define i32 @loads(ptr addrspace(4) %p, ptr addrspace(1) %q) {
  %a = load atomic i32, ptr addrspace(4) %p syncscope("device") seq_cst, align 4
  %b = load atomic double, ptr addrspace(1) %q syncscope("workgroup") acquire, align 8
  %c = load atomic ptr, ptr addrspace(1) %q monotonic, align 8
  %d = load i32, ptr addrspace(4) %p
  %s = add i32 %a, %d
  store double %b, ptr %c
  ret i32 %s
}

; CHECK-LABEL: define void @stores
; CHECK: call spir_func void @_Z19__spirv_AtomicStorePU3AS3iiii(ptr addrspace(3) %p, i32 3, i32 4, i32 %v)
; CHECK: [[B:%.*]] = bitcast float %f to i32
; CHECK-NEXT: call spir_func void @_Z19__spirv_AtomicStorePiiii(ptr %o, i32 4, i32 16, i32 [[B]])
; CHECK: store atomic i8 1, ptr %o
define void @stores(ptr addrspace(3) %p, ptr %o, i32 %v, float %f) {
  store atomic i32 %v, ptr addrspace(3) %p syncscope("subgroup") release, align 4
  store atomic float %f, ptr %o syncscope("singlethread") seq_cst, align 4
  store atomic i8 1, ptr %o monotonic, align 1
  ret void
}
