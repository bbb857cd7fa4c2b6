; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Remarks about kernels that become vectors of work-items: source locations, each once for
; a kind, in the order of the code. The code is the same with and without them.
; RUN: %tenon-lower %s -S -passes=cpu=32 -o %t.without
; RUN: %tenon-lower %s -S -passes=cpu-remarks=32 -o %t.with 2> %t.remarks
; RUN: cmp %t.without %t.with
; RUN: %FileCheck --input-file=%t.remarks --check-prefixes=CHECK,AVX2 %s
; RUN: %tenon-lower %s -S -passes=cpu-remarks=64 -o - 2>&1 >/dev/null | %FileCheck --check-prefixes=CHECK,AVX512 %s
; Without a line table their location is that of the kernel.
; RUN: %tenon-lower %s -S -passes=strip-debug,cpu-remarks=32 -o - 2>&1 >/dev/null | %FileCheck --check-prefix=STRIPPED %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%args = type { ptr, ptr }

; AVX2: a.cpp:5: remark: kernel 'K': 8 work-items side by side [-Rpass=tenon]
; AVX512: a.cpp:5: remark: kernel 'K': 16 work-items side by side [-Rpass=tenon]
; CHECK-NEXT: a.cpp:6:3: remark: loop: side by side, the same number of iterations for all work-items [-Rpass=tenon]
; AVX2-NEXT: a.cpp:7:12: remark: load: each work-item reads 8 elements side by side, for as many iterations [-Rpass=tenon]
; AVX512-NEXT: a.cpp:7:12: remark: load: each work-item reads 16 elements side by side, for as many iterations [-Rpass=tenon]
; CHECK-NEXT: a.cpp:9:5: remark: branch on data of each work-item: its sides run under masks [-Rpass-analysis=tenon]
; CHECK-NEXT: a.cpp:11:3: remark: the atomic operation runs work-item by work-item [-Rpass-missed=tenon]
; STRIPPED: a.cpp:5: remark: kernel 'K': 8 work-items side by side
; STRIPPED: a.cpp:5: remark: load: each work-item reads 8 elements side by side
define spir_kernel void @_ZTS1K(ptr byval(%args) align 8 %f) #0 !dbg !4 {
entry:
  %in = load ptr, ptr %f, !dbg !10
  %p.out = getelementptr i8, ptr %f, i64 8, !dbg !10
  %out = load ptr, ptr %p.out, !dbg !10
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0), !dbg !10
  %row = shl i64 %i, 4, !dbg !10
  %own = getelementptr float, ptr %in, i64 %row, !dbg !10
  br label %loop, !dbg !10
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ], !dbg !10
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ], !dbg !10
  %at = getelementptr float, ptr %own, i64 %k, !dbg !11
  %v = load float, ptr %at, !dbg !11
  %more = fadd float %sum, %v, !dbg !11
  %next = add nuw i64 %k, 1, !dbg !10
  %done = icmp eq i64 %next, 1000, !dbg !10
  br i1 %done, label %after, label %loop, !dbg !10, !llvm.loop !20
after:
  %big = fcmp ogt float %more, 1.0, !dbg !12
  br i1 %big, label %then, label %end, !dbg !12
then:
  %to = getelementptr float, ptr %out, i64 %i, !dbg !13
  store float %more, ptr %to, !dbg !13
  br label %end, !dbg !13
end:
  %old = atomicrmw fadd ptr %out, float %more monotonic, !dbg !14
  ret void, !dbg !14
}

; One cost for a kernel of gathers and scatters alone, unless the processor has them.
; AVX2: a.cpp:20: remark: kernel 'L': work-items run one after the other: 8 of them side by side would cost about {{[0-9]+}} instructions, one after the other {{[0-9]+}} [-Rpass-missed=tenon]
; AVX2-NEXT: a.cpp:21:12: remark: would be a gather: neighboring work-items load 4 bytes each, 64 bytes apart, one by one [-Rpass-missed=tenon]
; AVX2-NEXT: a.cpp:21:12: remark: would be a scatter: neighboring work-items store 4 bytes each, 64 bytes apart, one by one [-Rpass-missed=tenon]
; AVX512: a.cpp:20: remark: kernel 'L': 16 work-items side by side
define spir_kernel void @_ZTS1L(ptr byval(ptr) align 8 %f) #1 !dbg !6 {
  %p = load ptr, ptr %f, !dbg !15
  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0), !dbg !15
  %row = shl i64 %i, 4, !dbg !15
  %at = getelementptr float, ptr %p, i64 %row, !dbg !15
  %v = load float, ptr %at, !dbg !15
  %w = fadd float %v, 1.0, !dbg !15
  store float %w, ptr %at, !dbg !15
  ret void, !dbg !15
}

; CHECK: a.cpp:30: remark: kernel 'M': work-items run one after the other: the code does not depend on the work-item's id [-Rpass-analysis=tenon]
; CHECK-NOT: remark:
define spir_kernel void @_ZTS1M(ptr byval(ptr) align 8 %f) #2 {
  %p = load ptr, ptr %f
  store float 1.0, ptr %p
  ret void
}

declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)

attributes #0 = { "tenon-arg-align"="8" "tenon-arg-size"="16" "tenon-kernel-file"="a.cpp" "tenon-kernel-line"="5" }
attributes #1 = { "tenon-arg-align"="8" "tenon-arg-size"="8" "tenon-kernel-file"="a.cpp" "tenon-kernel-line"="20" }
attributes #2 = { "tenon-arg-align"="8" "tenon-arg-size"="8" "tenon-kernel-file"="a.cpp" "tenon-kernel-line"="30" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cpp", directory: "/nowhere")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "K", scope: !1, file: !1, line: 5, type: !5, unit: !0)
!5 = !DISubroutineType(types: !{})
!6 = distinct !DISubprogram(name: "L", scope: !1, file: !1, line: 20, type: !5, unit: !0)
!10 = !DILocation(line: 6, column: 3, scope: !4)
!11 = !DILocation(line: 7, column: 12, scope: !4)
!12 = !DILocation(line: 9, column: 5, scope: !4)
!13 = !DILocation(line: 10, column: 9, scope: !4)
!14 = !DILocation(line: 11, column: 3, scope: !4)
!15 = !DILocation(line: 21, column: 12, scope: !6)
!20 = distinct !{!20, !10}
