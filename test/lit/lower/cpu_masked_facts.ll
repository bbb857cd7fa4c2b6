; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Flags (nsw, nneg, inbounds, disjoint), alignments and the fact that an instruction is reached hold
; for the lanes in a mask. Lane 0 may be masked off: its numbers are computed without them, and
; loads, divisions and calls that no lane comes to are not done.
; RUN: %tenon-lower %s -S -passes=cpu=16 -o %t
; RUN: %FileCheck --input-file=%t %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%args = type { ptr, ptr, i32, i32 }
@table = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

; The index of lane 0 is -2, not 4294967294, its address may be outside of the array, and may not be
; aligned, unless all lanes are inside.
; CHECK-LABEL: define internal void @tn_strip(
; CHECK: [[X:%[0-9]+]] = trunc i64 {{.*}} to i32
; CHECK: [[WIDE:%[0-9]+]] = sext i32 [[X]] to i64
; CHECK: [[K:%[0-9]+]] = sext i32 {{.*}} to i64
; CHECK: [[INDEX:%[0-9]+]] = add i64 [[K]], [[WIDE]]
; CHECK: br i1 {{.*}}, label %yes, label %no
; CHECK: yes:
; CHECK: [[AT:%[0-9]+]] = getelementptr i32, ptr {{.*}}, i64 [[INDEX]]
; CHECK: load <4 x i32>, ptr [[AT]], align 16
; CHECK: no:
; CHECK: [[AT:%[0-9]+]] = getelementptr i32, ptr {{.*}}, i64 [[INDEX]]
; CHECK: @llvm.masked.load.v4i32.p0(ptr align 4 [[AT]],
define spir_kernel void @below(ptr byval(%args) align 8 %f) #0 {
  %in = load ptr, ptr %f
  %p.out = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %p.out
  %p.k = getelementptr i8, ptr %f, i64 16
  %k = load i32, ptr %p.k
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %x = trunc i64 %i to i32
  %xx = add nsw i32 %x, %k
  %c = icmp sgt i32 %xx, -1
  br i1 %c, label %then, label %done
then:
  %e = zext nneg i32 %xx to i64
  %at = getelementptr inbounds nuw i32, ptr %in, i64 %e
  %v = load i32, ptr %at, align 16
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %v, ptr %to
  br label %done
done:
  ret void
}

; As unsigned numbers lanes may wrap: they are side by side where lane 0 is not among the last ones.
; CHECK-LABEL: define internal void @tn_strip.
; CHECK: [[FITS:%[0-9]+]] = icmp ule i32 {{.*}}, -4
; CHECK: [[SAFE:%[0-9]+]] = freeze i1 [[FITS]]
; CHECK: br i1 [[SAFE]], label %side, label %apart
; CHECK: side:
; CHECK: @llvm.masked.load.v4i32
define spir_kernel void @wraps(ptr byval(%args) align 8 %f) #0 {
  %in = load ptr, ptr %f
  %p.out = getelementptr i8, ptr %f, i64 8
  %out = load ptr, ptr %p.out
  %p.k = getelementptr i8, ptr %f, i64 16
  %k = load i32, ptr %p.k
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %x = trunc i64 %i to i32
  %xx = add nsw i32 %x, %k
  %bit = and i32 %x, 1
  %c = icmp eq i32 %bit, 0
  %e = zext i32 %xx to i64
  br i1 %c, label %then, label %done
then:
  %at = getelementptr inbounds nuw i32, ptr %in, i64 %e
  %v = load i32, ptr %at
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %v, ptr %to
  br label %done
done:
  ret void
}

; Whether any lane is there is not asked of the first and the last one where lanes may wrap.
; CHECK-LABEL: define internal void @tn_strip.
; CHECK: [[BELOW:%[0-9]+]] = icmp ult <4 x i64> {{.*}}, splat (i64 100)
; CHECK: [[ANY:%[0-9]+]] = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> [[BELOW]])
; CHECK: br i1 [[ANY]],
define spir_kernel void @compares(ptr byval(%args) align 8 %f) #0 {
  %out = load ptr, ptr %f
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %j = add i64 %i, -2
  %c = icmp ult i64 %j, 100
  br i1 %c, label %then, label %done
then:
  %old = atomicrmw add ptr %out, i32 1 monotonic
  br label %done
done:
  ret void
}

; An index that no lane uses may be anywhere: the load stays behind the branch.
; CHECK-LABEL: define internal void @tn_strip.
; CHECK: br i1 {{.*}}, label %some, label %met
; CHECK: some:
; CHECK: getelementptr {{.*}}@table
; CHECK: load i32
define spir_kernel void @uniform(ptr byval(%args) align 8 %f) #0 {
  %in = load ptr, ptr %f
  %p.k = getelementptr i8, ptr %f, i64 16
  %k = load i32, ptr %p.k
  %k64 = sext i32 %k to i64
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %at = getelementptr i32, ptr %in, i64 %i
  %v = load i32, ptr %at
  %c = icmp eq i32 %v, 7
  br i1 %c, label %then, label %done
then:
  %cell = getelementptr [4 x i32], ptr @table, i64 0, i64 %k64
  %t = load i32, ptr %cell
  store i32 %t, ptr %at
  br label %done
done:
  ret void
}

; A function that only computes may divide.
; CHECK-LABEL: define internal void @tn_strip.
; CHECK: lane:
; CHECK: call i32 @divide(
define spir_kernel void @calls(ptr byval(%args) align 8 %f) #0 {
  %in = load ptr, ptr %f
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %at = getelementptr i32, ptr %in, i64 %i
  %v = load i32, ptr %at
  %c = icmp ne i32 %v, 0
  br i1 %c, label %then, label %done
then:
  %q = call i32 @divide(i32 noundef 77, i32 noundef %v) #2
  store i32 %q, ptr %at
  br label %done
done:
  ret void
}

define internal i32 @divide(i32 noundef %a, i32 noundef %b) #1 {
  %q = sdiv i32 %a, %b
  ret i32 %q
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="24" }
attributes #1 = { noinline nounwind willreturn memory(none) }
attributes #2 = { nounwind willreturn memory(none) }
