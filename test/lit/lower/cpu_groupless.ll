; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel that makes nothing but places of its ids in groups says that any groups will do: the last
; number of what it needs. One that uses a local id, and one with sub-groups, do not.
; RUN: %tenon-lower %s -S -passes=cpu=32 | %FileCheck %s
; RUN: %tenon-lower %s -S -passes=cpu-checked=32 | %FileCheck --check-prefix=CHECKED %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-DAG: @places.tn_needs = {{.*}}, i64 1, i64 0, i64 0]
; CHECK-DAG: @local.tn_needs = {{.*}}, i64 0, i64 0, i64 0]
; CHECK-DAG: @lane.tn_needs = {{.*}}, i64 0, i64 0, i64 0]
; CHECKED: @places.tn_needs = {{.*}}, i64 0, i64 0, i64 0]
define spir_kernel void @places(ptr byval(ptr) align 8 %f) #0 {
  %out = load ptr, ptr %f
  %group = call i64 @_Z26__spirv_BuiltInWorkgroupIdi(i32 0)
  %size = call i64 @_Z28__spirv_BuiltInWorkgroupSizei(i32 0)
  %local = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %groups = call i64 @_Z28__spirv_BuiltInNumWorkgroupsi(i32 0)
  %short.group = trunc i64 %group to i32
  %short.size = trunc i64 %size to i32
  %short.local = trunc i64 %local to i32
  %begin = mul i32 %short.size, %short.group
  %i = add i32 %begin, %short.local
  %all = mul i64 %groups, %size
  %a = getelementptr i64, ptr %out, i32 %i
  store i64 %all, ptr %a
  ret void
}

define spir_kernel void @local(ptr byval(ptr) align 8 %f) #0 {
  %out = load ptr, ptr %f
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %local = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %a = getelementptr i64, ptr %out, i64 %i
  store i64 %local, ptr %a
  ret void
}

define spir_kernel void @lane(ptr byval(ptr) align 8 %f) #0 {
  %out = load ptr, ptr %f
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %lane = call i32 @_Z38__spirv_BuiltInSubgroupLocalInvocationIdv()
  %a = getelementptr i32, ptr %out, i64 %i
  store i32 %lane, ptr %a
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
declare i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32)
declare i64 @_Z26__spirv_BuiltInWorkgroupIdi(i32)
declare i64 @_Z28__spirv_BuiltInWorkgroupSizei(i32)
declare i64 @_Z28__spirv_BuiltInNumWorkgroupsi(i32)
declare i32 @_Z38__spirv_BuiltInSubgroupLocalInvocationIdv()

attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="8" }
