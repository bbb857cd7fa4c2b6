; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Variables of type work_group_static, and arrays of them: a kernel has one place for each, whatever
; functions and constants use it, the CPU in the group's memory and GPUs in address space 3.
; RUN: %tenon-lower %s -S -passes=prepare,check,name-unit=26,internalize,simplify -o %t.ll && %FileCheck --check-prefix=UNIT %s < %t.ll
; RUN: %tenon-lower %t.ll -S -passes=cpu | %FileCheck --check-prefix=CPU %s
; RUN: sed -e 's/^target datalayout.*//' -e 's/x86_64-pc-linux-gnu/nvptx64-nvidia-cuda/' %t.ll > %t.gpu.ll
; RUN: %tenon-lower %t.gpu.ll -S -passes=nvptx=sm_90 | %FileCheck --check-prefix=GPU %s
; RUN: sed 's/^@table = .*/@table = constant [2 x ptr] [ptr null, ptr @_ZN2ns1aE]/' %s > %t.bad.ll
; RUN: not %tenon-lower %t.bad.ll -S -passes=prepare,check 2>&1 | %FileCheck --check-prefix=CHECKED %s
; RUN: not %tenon-lower %t.bad.ll -S -passes=prepare,name-unit=26,internalize,cpu 2>&1 | %FileCheck --check-prefix=BUILT %s
; RUN: sed 's/\[3 x i32\]/[300000 x i32]/' %s > %t.big.ll
; RUN: not %tenon-lower %t.big.ll -S -passes=prepare,name-unit=26,internalize,cpu 2>&1 | %FileCheck --check-prefix=BIG %s
; RUN: sed 's/store volatile ptr %held/store volatile ptr @again/' %s > %t.pointer.ll
; RUN: not %tenon-lower %t.pointer.ll -S -passes=prepare,name-unit=26,internalize,cpu 2>&1 | %FileCheck --check-prefix=POINTER %s
; POINTER: 'again' asks for the id or the range of its work-item, for memory of its work-group or for
; CHECKED: error: 'K' uses the constant 'table', which has the address of the work_group_static variable 'ns::a'
; BUILT: the address of the work_group_static variable 'ns::a' is used in a way that machine code cannot be made of
; BIG: work_group_static: a kernel asks for 2400000 bytes, aligned to 16

; UNIT-DAG: @__tenon_group_static__ZN2ns1aE = weak_odr {{.*}}externally_initialized global %"class.sycl::ext::oneapi::experimental::work_group_static"
; UNIT-DAG: @"__tenon_group_static__ZL1b@000000000000001a" = weak_odr {{.*}}externally_initialized global [2 x %
; UNIT-DAG: @__tenon_group_static_elsewhere = external global
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Of 4, 24 and 4 bytes, below 128 others.
; CPU: @_ZTS1K.tn_needs = externally_initialized constant [9 x i64] [i64 0, i64 0, i64 {{[0-9]+}}, i64 128, i64 0, i64 0, i64 0, i64 0, i64 0]
; CPU-NOT: {{^}}@__tenon_group_
; CPU: define {{.*}}@_ZTS1K
; CPU-NOT: call {{.*}}__tenon_group_memory
; GPU-DAG: internal addrspace(3) global [4 x i8] undef, align 4
; GPU-DAG: internal addrspace(3) global [4 x i8] undef, align 4
; GPU-DAG: internal addrspace(3) global [24 x i8] undef, align 16
; GPU-NOT: addrspace(3) global
; GPU-NOT: call {{.*}}__tenon_group_memory

%"class.sycl::ext::oneapi::experimental::work_group_static" = type { i32 }
%"class.sycl::ext::oneapi::experimental::work_group_static.7" = type { [3 x i32] }
%"class.sycl::ext::oneapi::experimental::work_group_static_near" = type { i32 }

@_ZN2ns1aE = global %"class.sycl::ext::oneapi::experimental::work_group_static" undef, align 4
@_ZL1b = internal constant [2 x %"class.sycl::ext::oneapi::experimental::work_group_static.7"] zeroinitializer, align 8
@elsewhere = external global %"class.sycl::ext::oneapi::experimental::work_group_static", align 4
@near = internal constant %"class.sycl::ext::oneapi::experimental::work_group_static_near" { i32 6 }, align 4
@table = constant [2 x ptr] zeroinitializer

define spir_kernel void @_ZTS1K(ptr byval(ptr) align 8 %f) {
  %p = load ptr, ptr %f
  %a = load volatile i32, ptr @_ZN2ns1aE
  %low = add i32 trunc (i64 ptrtoint (ptr @_ZN2ns1aE to i64) to i32), %a
  store volatile i64 sub (i64 ptrtoint (ptr @_ZN2ns1aE to i64), i64 ptrtoint (ptr @_ZL1b to i64)), ptr %p
  store volatile i32 %low, ptr getelementptr (i8, ptr @_ZL1b, i64 4)
  %e = load volatile i32, ptr @elsewhere
  %n = load i32, ptr @near
  %m = call i32 @again(i32 %n)
  %s = add i32 %e, %m
  store volatile i32 %s, ptr %p
  %slot = getelementptr [2 x ptr], ptr @table, i64 0, i32 %n
  %held = load volatile ptr, ptr %slot
  store volatile ptr %held, ptr %p
  ret void
}

define internal i32 @again(i32 %n) {
  store volatile i32 %n, ptr @_ZN2ns1aE
  %b = load volatile i32, ptr getelementptr (i8, ptr @_ZL1b, i64 20)
  ret i32 %b
}
