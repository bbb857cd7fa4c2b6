; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Exchanges of values between work-items stay calls while code is optimized. Then those whose order
; is known are permutations, of as narrow numbers as there are; others go through memory, and lanes
; never read outside of it.
; RUN: %tenon-lower %s -S -passes=cpu=16 | %FileCheck --check-prefix=CALLS %s
; RUN: %tenon-lower %s -S -passes=cpu-permutes | %FileCheck %s
; CALLS: call <32 x i64> @"__tenon_permute <32 x i64>"(<32 x i64> %{{.*}}, <32 x i32> %{{.*}})
; CALLS: declare <32 x i64> @"__tenon_permute <32 x i64>"(<32 x i64>, <32 x i32>) [[NONE:#[0-9]+]]
; CALLS: attributes [[NONE]] = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-NOT: __tenon_permute
; CHECK-LABEL: @known(
; CHECK: shufflevector <4 x i32> %wide, <4 x i32> poison, <4 x i32> <i32 1, i32 0, i32 3, i32 poison>
define <4 x i32> @known(<4 x i32> %wide) {
  %r = call <4 x i32> @"__tenon_permute <4 x i32>"(<4 x i32> %wide, <4 x i32> <i32 5, i32 0, i32 -1, i32 undef>)
  ret <4 x i32> %r
}

; CHECK-LABEL: @narrow(
; CHECK: [[BYTES:%.*]] = shufflevector <4 x i8> %bytes, <4 x i8> poison, <4 x i32> zeroinitializer
; CHECK: zext <4 x i8> [[BYTES]] to <4 x i32>
; CHECK: [[SIGNED:%.*]] = shufflevector <4 x i16> %words, <4 x i16> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: sext <4 x i16> [[SIGNED]] to <4 x i32>
; CHECK: [[KEPT:%.*]] = trunc <4 x i32> %masked to <4 x i16>
; CHECK: [[MASKED:%.*]] = shufflevector <4 x i16> [[KEPT]], <4 x i16> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: zext <4 x i16> [[MASKED]] to <4 x i32>
; CHECK: shufflevector <4 x i32> %other, <4 x i32> poison
define <4 x i32> @narrow(<4 x i8> %bytes, <4 x i16> %words, <4 x i32> %wide) {
  %z = zext <4 x i8> %bytes to <4 x i32>
  %a = call <4 x i32> @"__tenon_permute <4 x i32>"(<4 x i32> %z, <4 x i32> zeroinitializer)
  %s = sext <4 x i16> %words to <4 x i32>
  %b = call <4 x i32> @"__tenon_permute <4 x i32>"(<4 x i32> %s, <4 x i32> <i32 3, i32 2, i32 1, i32 0>)
  %masked = and <4 x i32> %wide, splat (i32 65535)
  %c = call <4 x i32> @"__tenon_permute <4 x i32>"(<4 x i32> %masked, <4 x i32> <i32 3, i32 2, i32 1, i32 0>)
  %other = and <4 x i32> %wide, <i32 255, i32 65535, i32 255, i32 255>
  %d = call <4 x i32> @"__tenon_permute <4 x i32>"(<4 x i32> %other, <4 x i32> <i32 3, i32 2, i32 1, i32 0>)
  %ab = add <4 x i32> %a, %b
  %cd = add <4 x i32> %c, %d
  %r = add <4 x i32> %ab, %cd
  ret <4 x i32> %r
}

; CHECK-LABEL: @unknown(
; CHECK-NEXT: [[LANES:%.*]] = alloca [64 x i64], align 64
; CHECK-NEXT: store <4 x float> %v, ptr [[LANES]]
; CHECK-NEXT: [[SAFE:%.*]] = freeze <4 x i32> %ids
; CHECK-NEXT: [[IDS:%.*]] = and <4 x i32> [[SAFE]], splat (i32 3)
; CHECK-NEXT: [[PLACES:%.*]] = getelementptr inbounds float, ptr [[LANES]], <4 x i32> [[IDS]]
; CHECK-NEXT: call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> [[PLACES]], <4 x i1> splat (i1 true), <4 x float> poison)
; CHECK-NEXT: store <4 x float> {{.*}}, ptr [[LANES]]
; CHECK-NOT: alloca
; CHECK: ret
define <4 x float> @unknown(<4 x float> %v, <4 x i32> %ids) {
  %a = call <4 x float> @"__tenon_permute <4 x float>"(<4 x float> %v, <4 x i32> %ids)
  %r = call <4 x float> @"__tenon_permute <4 x float>"(<4 x float> %a, <4 x i32> %ids)
  ret <4 x float> %r
}
declare <4 x i32> @"__tenon_permute <4 x i32>"(<4 x i32>, <4 x i32>)
declare <4 x float> @"__tenon_permute <4 x float>"(<4 x float>, <4 x i32>)

define spir_kernel void @_ZTS1K(ptr byval([2 x ptr]) align 8 %f) #0 {
  %p = load ptr, ptr %f
  %g = getelementptr ptr, ptr %f, i64 1
  %q = load ptr, ptr %g
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %a = getelementptr i64, ptr %p, i64 %i
  %b = getelementptr i32, ptr %q, i64 %i
  %v = load i64, ptr %a
  %id = load i32, ptr %b
  %there = call i64 @_Z30__spirv_GroupNonUniformShuffleimj(i32 3, i64 %v, i32 %id)
  store i64 %there, ptr %a
  ret void
}
declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
declare i64 @_Z30__spirv_GroupNonUniformShuffleimj(i32, i64, i32)

attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="16" }
