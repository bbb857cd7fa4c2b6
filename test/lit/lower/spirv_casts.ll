; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A truncation that is extended again becomes a mask of the wider type's width; others stay.
; RUN: %tenon-lower %s -S -passes=spirv-casts | %FileCheck %s

; CHECK-LABEL: define i32 @narrower
; CHECK: [[LOW:%.*]] = trunc i64 %x to i32
; CHECK-NEXT: [[MASKED:%.*]] = and i32 [[LOW]], 255
; CHECK-NEXT: ret i32 [[MASKED]]
define i32 @narrower(i64 %x) {
  %t = trunc i64 %x to i8
  %e = zext i8 %t to i32
  ret i32 %e
}

; CHECK-LABEL: define <2 x i16> @vector
; CHECK: [[LOW:%.*]] = trunc <2 x i64> %x to <2 x i16>
; CHECK-NEXT: and <2 x i16> [[LOW]], splat (i16 255)
define <2 x i16> @vector(<2 x i64> %x) {
  %t = trunc <2 x i64> %x to <2 x i8>
  %e = zext <2 x i8> %t to <2 x i16>
  ret <2 x i16> %e
}

; CHECK-LABEL: define i64 @wider
; CHECK: zext i8
define i64 @wider(i32 %x) {
  %t = trunc i32 %x to i8
  %e = zext i8 %t to i64
  ret i64 %e
}

; CHECK-LABEL: define i32 @boolean
; CHECK: zext i1
define i32 @boolean(i64 %x) {
  %t = trunc i64 %x to i1
  %e = zext i1 %t to i32
  ret i32 %e
}

; CHECK-LABEL: define i32 @signed
; CHECK: sext i8
define i32 @signed(i64 %x) {
  %t = trunc i64 %x to i8
  %e = sext i8 %t to i32
  ret i32 %e
}

; The back end makes one truncation of two.
; CHECK-LABEL: define i32 @twice
; CHECK: [[LOW:%.*]] = trunc i64 %x to i32
; CHECK-NEXT: [[MASKED:%.*]] = and i32 [[LOW]], 255
; CHECK-NEXT: ret i32 [[MASKED]]
define i32 @twice(i64 %x) {
  %a = trunc i64 %x to i16
  %b = trunc i16 %a to i8
  %e = zext i8 %b to i32
  ret i32 %e
}
