; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Atomic operations on NVIDIA's GPUs: what the source marks by a volatile pointer is for the device,
; all else for the system, which LLVM's back end would take for the device's; orders are fences.
; RUN: %tenon-lower %s -S -passes=internalize,nvptx=sm_90 | %FileCheck %s
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define {{.*}}ptx_kernel void @_ZTS1K(
; CHECK: atomicrmw add ptr {{.*}} syncscope("device") monotonic
; CHECK: fence syncscope("device") release
; CHECK-NEXT: atomicrmw umax ptr {{.*}} syncscope("device") monotonic
; CHECK-NEXT: fence syncscope("device") acquire
; CHECK: load atomic i32, {{.*}} syncscope("device") acquire
; CHECK: store atomic i32 {{.*}} syncscope("device") release
; CHECK: cmpxchg ptr {{.*}} syncscope("device") acq_rel
; CHECK: load volatile i32
define spir_kernel void @_ZTS1K(ptr byval(ptr) align 8 %f) #0 {
  %p = load ptr, ptr %f
  %a = atomicrmw volatile add ptr %p, i32 1 monotonic
  %b = atomicrmw volatile umax ptr %p, i32 %a acq_rel
  %c = load atomic volatile i32, ptr %p acquire, align 4
  store atomic volatile i32 %c, ptr %p release, align 4
  %d = cmpxchg volatile ptr %p, i32 1, i32 2 acq_rel monotonic
  %e = load volatile i32, ptr %p
  ret void
}

; CHECK-LABEL: define {{.*}}ptx_kernel void @_ZTS1S(
; CHECK: call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %{{.*}}, i32 1)
; CHECK: sub i32 0,
; CHECK: call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0
; CHECK: fence seq_cst
; CHECK-NEXT: call double @llvm.nvvm.atomic.add.gen.f.sys.f64.p0
; CHECK-NEXT: fence acquire
; CHECK: call i32 @llvm.nvvm.atomic.exch.gen.i.sys.i32.p0(
; CHECK: call i64 @llvm.nvvm.atomic.exch.gen.i.sys.i64.p0(
; CHECK: call i64 @llvm.umin.i64
; CHECK: cmpxchg ptr {{.*}}, i64 {{.*}}, i64 {{.*}} monotonic monotonic
; CHECK: load atomic i32, ptr {{.*}} acquire
; CHECK-NOT: atomicrmw add
; CHECK: ret void
define spir_kernel void @_ZTS1S(ptr byval(ptr) align 8 %f) #0 {
  %p = load ptr, ptr %f
  %a = atomicrmw add ptr %p, i32 1 monotonic
  %b = atomicrmw sub ptr %p, i32 %a monotonic
  %c = atomicrmw fadd ptr %p, double 1.0 seq_cst
  %x = atomicrmw xchg ptr %p, float 1.0 monotonic
  %y = atomicrmw xchg ptr %p, ptr %p monotonic
  %d = atomicrmw umin ptr %p, i64 7 monotonic
  %e = load atomic i32, ptr %p acquire, align 4
  ret void
}

attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="8" }
