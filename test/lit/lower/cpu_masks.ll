; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Masks that one block leaves to another are numbers as wide as those that were compared, where the
; processor has no registers for masks.
; RUN: %tenon-lower %s -S -passes=cpu-masks=32 | %FileCheck %s
; RUN: %tenon-lower %s -S -passes=cpu-masks=64 | %FileCheck --check-prefix=REGISTERS %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @rounds(
; CHECK: loop:
; CHECK-NOT: phi <8 x i1>
; CHECK: %[[PHI:.*]] = phi <8 x i32> [ splat (i32 -1), %entry ], [ %[[NEXT:.*]], %more ]
; CHECK: %[[LIVE:.*]] = icmp slt <8 x i32> %[[PHI]], zeroinitializer
; CHECK: %in = fcmp ole <8 x float> %x, %limit
; CHECK: %stay = select <8 x i1> %[[LIVE]], <8 x i1> %in, <8 x i1> zeroinitializer
; CHECK: %[[NEXT]] = sext <8 x i1> %stay to <8 x i32>
; CHECK: more:
; CHECK: %[[AGAIN:.*]] = icmp slt <8 x i32> %[[NEXT]], zeroinitializer
; CHECK: select <8 x i1> %[[AGAIN]], <8 x float> %sum, <8 x float> %x
; REGISTERS: %live = phi <8 x i1>
define <8 x float> @rounds(<8 x float> %limit, <8 x float> %step, i32 %count) {
entry:
  br label %loop
loop:
  %live = phi <8 x i1> [ splat (i1 true), %entry ], [ %stay, %more ]
  %x = phi <8 x float> [ zeroinitializer, %entry ], [ %next, %more ]
  %k = phi i32 [ 0, %entry ], [ %k1, %more ]
  %in = fcmp ole <8 x float> %x, %limit
  %stay = select <8 x i1> %live, <8 x i1> %in, <8 x i1> zeroinitializer
  %some = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %stay)
  br i1 %some, label %more, label %done
more:
  %sum = fadd <8 x float> %x, %step
  %next = select <8 x i1> %stay, <8 x float> %sum, <8 x float> %x
  %k1 = add i32 %k, 1
  br label %loop
done:
  ret <8 x float> %x
}

; Of doubles: 64 bits where two registers hold them, else fewer; of bytes 8.
; CHECK-LABEL: @sizes(
; CHECK: sext <8 x i1> %doubles to <8 x i64>
; CHECK: sext <32 x i1> %many to <32 x i16>
; CHECK: sext <32 x i1> %bytes to <32 x i8>
define void @sizes(<8 x double> %a, <32 x double> %b, <32 x i8> %c, ptr %to) {
entry:
  %doubles = fcmp olt <8 x double> %a, zeroinitializer
  %many = fcmp olt <32 x double> %b, zeroinitializer
  %bytes = icmp slt <32 x i8> %c, zeroinitializer
  br label %next
next:
  %d = select <8 x i1> %doubles, <8 x double> %a, <8 x double> zeroinitializer
  %m = select <32 x i1> %many, <32 x double> %b, <32 x double> zeroinitializer
  %e = select <32 x i1> %bytes, <32 x i8> %c, <32 x i8> zeroinitializer
  store <8 x double> %d, ptr %to
  store <32 x double> %m, ptr %to
  store <32 x i8> %e, ptr %to
  ret void
}

declare i1 @llvm.vector.reduce.or.v8i1(<8 x i1>)
