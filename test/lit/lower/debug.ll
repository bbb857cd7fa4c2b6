; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Barriers keep their lines when the line table goes, if keep-places was there before.
; RUN: %tenon-lower %s -S -passes=keep-places,strip-debug | %FileCheck --check-prefixes=CHECK,KEPT %s
; RUN: %tenon-lower %s -S -passes=strip-debug | %FileCheck --check-prefixes=CHECK,LOST %s
; CHECK: call void @_Z22__spirv_ControlBarrieriii
; KEPT-SAME: !
; KEPT: !{!"a.cpp", i32 7
; LOST-NOT: a.cpp
; CHECK-NOT: DICompileUnit
define spir_kernel void @_ZTS1K(ptr byval(ptr) align 8 %f) !dbg !4 {
  call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 272), !dbg !7
  ret void, !dbg !7
}

declare void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cpp", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "K", scope: !1, file: !1, line: 5, type: !5, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocation(line: 7, column: 3, scope: !4)
