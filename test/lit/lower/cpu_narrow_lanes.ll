; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Elements that no processor gathers or scatters: a load reads scratch memory for work-items that are
; not there, a store is a loop over those that are; memory that all work-items fill alike is filled
; once, other blocks of memory in a loop that LLVM leaves as it is.
; RUN: %tenon-lower %s -S -passes=cpu=16 | %FileCheck %s
; RUN: %tenon-lower %s -S -passes=cpu=64 | %FileCheck --check-prefix=GATHER %s
; GATHER: call <16 x i8> @llvm.masked.gather.v16i8.v16p0({{.*}}<16 x i1> splat (i1 true)
; CHECK-LABEL: define internal void @tn_strip(
; CHECK-COUNT-3: alloca [32 x i8], align 64, !tenon.scratch
; CHECK-NOT: alloca
; CHECK: call void @llvm.memset.p0.i64(ptr {{.*}}, i8 0, i64 24, i1 false)
; CHECK: call <4 x i8> @llvm.masked.gather.v4i8.v4p0({{.*}}<4 x i1> splat (i1 true)
; CHECK: br i1 %{{.*}}, label %lane, label %lanes
; CHECK: lane:
; CHECK: call i4 @llvm.cttz.i4
; CHECK: [[BYTE:%[0-9]+]] = load i8, ptr
; CHECK: load ptr, ptr
; CHECK: store i8 [[BYTE]], ptr
; CHECK: br i1 %{{.*}}, label %lane, label %lanes, !llvm.loop
; CHECK: lanes:
; CHECK: call void @llvm.memset.p0.i64(ptr {{.*}}, i8 1, i64 24, i1 false)
; CHECK: br i1 %{{.*}}, !llvm.loop
; CHECK-LABEL: ret void
; What such a loop gives is read back as a vector.
; CHECK-LABEL: define internal void @tn_strip.{{[0-9]+}}(
; CHECK: br i1 %{{.*}}, label %lane, label %lanes
; CHECK: lane:
; CHECK: [[OLD:%[0-9]+]] = atomicrmw add ptr
; CHECK: store i32 [[OLD]], ptr
; CHECK: br i1 %{{.*}}, label %lane, label %lanes, !llvm.loop
; CHECK: lanes:
; CHECK-NEXT: load <4 x i32>, ptr
; CHECK: ret void
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define spir_kernel void @_ZTS1K(ptr byval([3 x ptr]) align 8 %f) #0 {
entry:
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %p = load ptr, ptr %f
  call void @llvm.memset.p0.i64(ptr align 8 %p, i8 0, i64 24, i1 false)
  %place = getelementptr inbounds i8, ptr %f, i64 8
  %q = load ptr, ptr %place
  %at = getelementptr i64, ptr %q, i64 %i
  %index = load i64, ptr %at
  %some = icmp ult i64 %index, 100
  br i1 %some, label %inner, label %done

inner:
  %from = getelementptr i8, ptr %q, i64 %index
  %byte = load i8, ptr %from
  %next = add i8 %byte, 1
  store i8 %next, ptr %from
  br label %done

done:
  %block = getelementptr [24 x i8], ptr %p, i64 %i
  call void @llvm.memset.p0.i64(ptr align 8 %block, i8 1, i64 24, i1 false)
  ret void
}

define spir_kernel void @_ZTS2K2(ptr byval([3 x ptr]) align 8 %f) #0 {
entry:
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %p = load ptr, ptr %f
  %at = getelementptr i64, ptr %p, i64 %i
  %index = load i64, ptr %at
  %some = icmp ult i64 %index, 100
  br i1 %some, label %inner, label %done

inner:
  %from = getelementptr i32, ptr %p, i64 %index
  %old = atomicrmw add ptr %from, i32 1 monotonic
  %wide = zext i32 %old to i64
  store i64 %wide, ptr %at
  br label %done

done:
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="24" }
