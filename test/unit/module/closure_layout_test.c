// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Captures of the lambdas that a kernel calls, from debug information as clang writes it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/module/module.h"

static const char text[] =
    "define spir_kernel void @_ZTS1k(ptr %f) { call void @helper(ptr %f) ret void }\n"
    "define void @helper(ptr %f) { call void @_ZZ4mainENKUlvE_clEv(ptr %f) ret void }\n"
    "define void @_ZZ4mainENKUlvE_clEv(ptr %f) !dbg !5 { ret void }\n"
    "define void @_ZZ5otherENKUlvE_clEv(ptr %f) !dbg !12 { ret void }\n"
    "define spir_kernel void @_ZTS5plain(ptr %f) { ret void }\n"
    "!llvm.dbg.cu = !{!0}\n"
    "!llvm.module.flags = !{!2}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: "
    "FullDebug)\n"
    "!1 = !DIFile(filename: \"a.cpp\", directory: \"/\")\n"
    "!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!3 = distinct !DICompositeType(tag: DW_TAG_class_type, file: !1, line: 7, size: 192, "
    "elements: !6)\n"
    "!4 = !DISubroutineType(types: !{null})\n"
    "!5 = distinct !DISubprogram(name: \"operator()\", scope: !3, file: !1, line: 7, type: !4, "
    "spFlags: DISPFlagDefinition, unit: !0, declaration: !10)\n"
    "!6 = !{!7, !8, !10}\n"
    "!7 = !DIDerivedType(tag: DW_TAG_member, name: \"p\", scope: !3, file: !1, line: 7, baseType: "
    "!9, size: 64)\n"
    "!8 = !DIDerivedType(tag: DW_TAG_member, name: \"this\", scope: !3, file: !1, line: 7, "
    "baseType: !9, size: 32, offset: 128)\n"
    "!9 = !DIBasicType(name: \"long\", size: 64, encoding: DW_ATE_signed)\n"
    "!10 = !DISubprogram(name: \"operator()\", scope: !3, file: !1, line: 7, type: !4, spFlags: "
    "0)\n"
    "!11 = distinct !DICompositeType(tag: DW_TAG_class_type, file: !1, line: 9, size: 8, elements: "
    "!{})\n"
    "!12 = distinct !DISubprogram(name: \"operator()\", scope: !11, file: !1, line: 9, type: !4, "
    "spFlags: DISPFlagDefinition, unit: !0)\n";

static void reads_captures(void **state) {
  (void)state;
  tn_llvm_job job;
  tn_arena arena;
  tn_diag diag;
  LLVMModuleRef module = NULL;
  tn_list closures = {0};
  tn_arena_init(&arena);
  assert_int_equal(tn_llvm_job_init(&job, &diag), TN_OK);
  if (tn_module_parse(&job, tn_bytes_from(text, sizeof(text) - 1), "a.ll", &module, &diag) !=
      TN_OK) {
    fail_msg("%s", diag.text);
  }
  assert_true(tn_module_closures(module, &arena, &closures));
  // The other lambda is not one that a kernel calls.
  assert_int_equal(closures.count, 1);
  const tn_closure *closure = closures.items[0];
  assert_true(tn_str_equals(closure->kernel, TN_STR_LIT("_ZTS1k")));
  assert_true(tn_str_equals(closure->file, TN_STR_LIT("a.cpp")));
  assert_int_equal(closure->line, 7);
  assert_int_equal(closure->count, 2);
  assert_true(tn_str_equals(closure->captures[0].name, TN_STR_LIT("p")));
  assert_int_equal(closure->captures[0].offset, 0);
  assert_true(tn_str_equals(closure->captures[1].name, TN_STR_LIT("this")));
  assert_int_equal(closure->captures[1].offset, 16);
  LLVMDisposeModule(module);
  tn_llvm_job_deinit(&job);
  tn_arena_deinit(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(reads_captures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
