; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes at any addresses. A processor with masks (vectors of 64 bytes) has instructions for elements
; of 4 and 8 bytes. For others, and for smaller elements, no lane has a branch of its own: loads read
; scratch memory for lanes that are masked off; stores are straight where all lanes are there and the
; function has few of them, and else go over the lanes in the mask.
; RUN: %tenon-lower %s -S -passes=cpu=64 | %FileCheck --check-prefix=MASKS %s
; RUN: %tenon-lower %s -S -passes=cpu=32 | %FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%args = type { ptr, ptr }

; MASKS-LABEL: define internal void @tn_strip(
; MASKS: [[MASK:%[0-9]+]] = icmp sgt <16 x i32>
; MASKS: call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 {{%[0-9]+}}, <16 x i1> [[MASK]],
; MASKS: call void @llvm.masked.scatter.v16i32.v16p0(<16 x i32> {{%[0-9]+}}, <16 x ptr> align 4 {{%[0-9]+}}, <16 x i1> [[MASK]])

; CHECK-LABEL: define internal void @tn_strip(
; CHECK: [[SCRATCH:%.*]] = alloca [64 x i8], align 64, !tenon.scratch
; CHECK: [[MASK:%[0-9]+]] = icmp sgt <8 x i32>
; CHECK: [[EACH:%[0-9]+]] = insertelement <8 x ptr> poison, ptr [[SCRATCH]], i32 0
; CHECK: [[ALL:%[0-9]+]] = shufflevector <8 x ptr> [[EACH]],
; CHECK: [[AT:%[0-9]+]] = select <8 x i1> [[MASK]], <8 x ptr> {{%[0-9]+}}, <8 x ptr> [[ALL]]
; CHECK: call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 [[AT]], <8 x i1> splat (i1 true),
; CHECK: br i1 {{%[0-9]+}}, label %side, label %apart
; CHECK: side:
; CHECK: call void @llvm.masked.scatter.v8i32.v8p0({{.*}}<8 x i1> splat (i1 true))
; CHECK: lane:
; CHECK: call i8 @llvm.cttz.i8(
; CHECK: store i32
define spir_kernel void @some(ptr byval(%args) align 8 %f) #0 {
  %in = load ptr, ptr %f
  %p.out = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %p.out
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %p.k = getelementptr i32, ptr %in, i64 %i
  %k = load i32, ptr %p.k
  %c = icmp sgt i32 %k, -1
  br i1 %c, label %then, label %done
then:
  %e = zext i32 %k to i64
  %from = getelementptr i32, ptr %in, i64 %e
  %v = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i64 %e
  store i32 %v, ptr %to
  br label %done
done:
  ret void
}

; The ninth store of lanes apart is a loop also where all lanes are there. (Without the required size
; of sub-groups, work-items would run one after the other.)
; CHECK-LABEL: define internal void @tn_strip.{{[0-9]+}}(
; CHECK-COUNT-8: call void @llvm.masked.scatter.v8i32.v8p0({{.*}}<8 x i1> splat (i1 true))
; CHECK-NOT: @llvm.masked.scatter
; CHECK: lane:
; CHECK: store i32 9,
; CHECK: ret void
define spir_kernel void @many(ptr byval(%args) align 8 %f) #1 {
  %out = load ptr, ptr %f
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %p = getelementptr [9 x i32], ptr %out, i64 %i
  store i32 1, ptr %p
  %p2 = getelementptr i32, ptr %p, i64 1
  store i32 2, ptr %p2
  %p3 = getelementptr i32, ptr %p, i64 2
  store i32 3, ptr %p3
  %p4 = getelementptr i32, ptr %p, i64 3
  store i32 4, ptr %p4
  %p5 = getelementptr i32, ptr %p, i64 4
  store i32 5, ptr %p5
  %p6 = getelementptr i32, ptr %p, i64 5
  store i32 6, ptr %p6
  %p7 = getelementptr i32, ptr %p, i64 6
  store i32 7, ptr %p7
  %p8 = getelementptr i32, ptr %p, i64 7
  store i32 8, ptr %p8
  %p9 = getelementptr i32, ptr %p, i64 8
  store i32 9, ptr %p9
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="16" }
attributes #1 = { "tenon-arg-align"="8" "tenon-arg-size"="16" "tenon.reqd-sub-group-size"="8" }
