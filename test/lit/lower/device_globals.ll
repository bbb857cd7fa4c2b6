; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Device globals: variables of the headers' type, or with C's mark, that keep their place through
; simplification and become addresses from the buffer of a launch.
; RUN: %tenon-lower %s -S -passes=prepare,check,name-unit=26,internalize,simplify -o %t.ll && %FileCheck --check-prefix=UNIT %s < %t.ll
; RUN: %tenon-lower %t.ll -S -passes=globals-from-buffer -o %t.low.ll 2>&1 | %FileCheck --check-prefix=LIST %s
; RUN: %FileCheck --check-prefix=READ %s < %t.low.ll
; RUN: sed 's/@constant = constant i32/@constant = constant %"class.sycl::ext::oneapi::experimental::device_global"/' %s > %t.bad.ll
; RUN: not %tenon-lower %t.bad.ll -S -passes=prepare 2>&1 | %FileCheck --check-prefix=BAD %s

; Nothing is folded and none goes, whoever uses it; others of such names are nothing of the kind.
; UNIT-DAG: @__tenon_global__ZN2ns1aE = weak_odr {{.*}}externally_initialized global %"class.sycl::ext::oneapi::experimental::device_global" { i32 5 }
; UNIT-DAG: @"__tenon_global__ZN12_GLOBAL__N_15innerE@000000000000001a" = weak_odr {{.*}}externally_initialized global
; UNIT-DAG: @__tenon_global_marked = weak_odr {{.*}}externally_initialized global [3 x i32] zeroinitializer
; UNIT-DAG: @__tenon_global_elsewhere = external {{.*}}global
; UNIT: load i32, ptr @__tenon_global__ZN2ns1aE
; UNIT-NOT: near
; LIST: global _ZN12_GLOBAL__N_15innerE@000000000000001a 'inner' size=8 align=8 value=0
; LIST-NEXT: global _ZN2ns1aE 'ns::a' size=4 align=4 value=4
; LIST-NEXT: global _ZN2ns6scopedE 'ns::scoped' size=4 align=4 value=4 device_image_scope
; LIST-NEXT: global elsewhere 'elsewhere' size=4 align=4 value=0 declared
; LIST-NEXT: global marked 'marked' size=12 align=4 value=0

; Addresses are loaded once, and are the same for all of the launch; what lies there is not.
; READ-NOT: @__tenon_global_
; READ: call ptr @__tenon_spec_constants()
; READ-COUNT-4: load ptr, ptr {{.*}}, !invariant.load
; READ-NOT: !invariant.load
; READ: ret void
; BAD: device global 'constant' is constant

%"class.sycl::ext::oneapi::experimental::device_global" = type { i32 }
%"class.sycl::ext::oneapi::experimental::device_global.7" = type { [2 x i32] }
%"class.sycl::ext::oneapi::experimental::device_global_near" = type { i32 }
; Behind the value is the mark of device_image_scope.
%"struct.sycl::detail::device_image_scope_mark.8" = type { [4 x i8] }
%"class.sycl::ext::oneapi::experimental::device_global.9" = type { i32, %"struct.sycl::detail::device_image_scope_mark.8" }

@_ZN2ns1aE = global %"class.sycl::ext::oneapi::experimental::device_global" { i32 5 }, align 4
@_ZN12_GLOBAL__N_15innerE = internal global %"class.sycl::ext::oneapi::experimental::device_global.7" zeroinitializer, align 8
@_ZN2ns6scopedE = global %"class.sycl::ext::oneapi::experimental::device_global.9" { i32 6, %"struct.sycl::detail::device_image_scope_mark.8" zeroinitializer }, align 4
@elsewhere = external global %"class.sycl::ext::oneapi::experimental::device_global", align 4
@near = internal constant %"class.sycl::ext::oneapi::experimental::device_global_near" { i32 6 }, align 4
@constant = constant i32 zeroinitializer, align 4
@marked = global [3 x i32] zeroinitializer, align 4
@mark = private constant [20 x i8] c"tenon.device_global\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @marked, ptr @mark, ptr @mark, i32 1, ptr null }], section "llvm.metadata"

define spir_kernel void @_ZTS1K(ptr byval(ptr) align 8 %f) {
  %p = load ptr, ptr %f
  %a = load i32, ptr @_ZN2ns1aE
  %n = load i32, ptr @near
  %s = add i32 %a, %n
  store i32 %s, ptr getelementptr (i8, ptr @_ZN12_GLOBAL__N_15innerE, i64 4)
  %e = load i32, ptr @elsewhere
  %b = load i32, ptr @_ZN12_GLOBAL__N_15innerE
  %t = add i32 %e, %b
  store i32 %t, ptr getelementptr ([3 x i32], ptr @marked, i64 0, i64 2)
  store i32 %t, ptr %p
  ret void
}
