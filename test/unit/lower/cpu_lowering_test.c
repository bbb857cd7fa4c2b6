// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels written as LLVM's text, lowered for the CPU.
#include "compile/lower/lower.h"
#include "tenon/cpu_kernel.h"

#include <llvm-c/DebugInfo.h>

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
// clang-format on

typedef struct fixture {
  tn_llvm_job job;
  LLVMModuleRef module;
  tn_diag diag;
  char *text;  // LLVM's
} fixture;

static tn_status lower_to(fixture *f, const char *text, uint32_t opt_level,
                          const tn_cpu_target *target) {
  *f = (fixture){0};
  assert_int_equal(tn_llvm_job_init(&f->job, &f->diag), TN_OK);
  const tn_status parsed =
      tn_module_parse(&f->job, tn_bytes_from(text, strlen(text)), "test.ll", &f->module, &f->diag);
  if (parsed != TN_OK) {
    print_message("%s\n", f->diag.text);
  }
  assert_int_equal(parsed, TN_OK);
  const tn_status status = tn_lower_cpu(&f->job, f->module, target, opt_level, &f->diag);
  if (status == TN_OK) {
    assert_int_equal(tn_module_verify(f->module, "the test", &f->diag), TN_OK);
  }
  f->text = LLVMPrintModuleToString(f->module);
  return status;
}

static tn_status lower_for(fixture *f, const char *text, uint32_t opt_level, bool check) {
  const tn_cpu_target target = {.vector_bytes = 32, .sub_group_size = 8, .check = check};
  return lower_to(f, text, opt_level, &target);
}

static tn_status lower(fixture *f, const char *text, uint32_t opt_level) {
  return lower_for(f, text, opt_level, false);
}

static void finish(fixture *f) {
  LLVMDisposeMessage(f->text);
  LLVMDisposeModule(f->module);
  tn_llvm_job_deinit(&f->job);
}

#define ATTRIBUTES "attributes #0 = { \"tenon-arg-align\"=\"8\" \"tenon-arg-size\"=\"8\" }\n"

static const char scale[] =
    "define spir_kernel void @K(ptr byval(ptr) align 8 %f) #0 {\n"
    "  %p = load ptr, ptr %f\n"
    "  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)\n"
    "  %a = getelementptr float, ptr %p, i64 %i\n"
    "  %v = load float, ptr %a\n  %w = fmul float %v, 2.0\n  store float %w, ptr %a\n  ret void\n"
    "}\n"
    "declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)\n" ATTRIBUTES;

static void test_group_function_replaces_kernel(void **state) {
  (void)state;
  for (uint32_t level = 0; level <= 2; level += 2) {
    fixture f;
    assert_int_equal(lower(&f, scale, level), TN_OK);
    assert_null(LLVMGetNamedFunction(f.module, "K"));
    LLVMValueRef group = LLVMGetNamedFunction(f.module, "K.tn_group");
    assert_non_null(group);
    assert_int_equal(LLVMGetLinkage(group), LLVMExternalLinkage);
    assert_int_equal(LLVMCountParams(group), 2);
    assert_null(strstr(f.text, "call i64 @_Z33"));
    // Widened only where the optimizer runs.
    assert_int_equal(strstr(f.text, "fmul <8 x float>") != NULL, level == 2);
    assert_int_equal(strstr(f.text, "llvm.masked.store.v8f32") != NULL, level == 2);
    // The block is only read: no copy.
    assert_null(strstr(f.text, "llvm.memcpy"));
    finish(&f);
  }
}

static void test_private_memory_is_each_lanes_own(void **state) {
  (void)state;
  static const char text[] =
      "define spir_kernel void @K(ptr byval(ptr) align 8 %f) #0 {\n"
      "  %t = alloca [8 x i32]\n  %p = load ptr, ptr %f\n"
      "  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)\n"
      "  %l = call i32 @_Z40__spirv_BuiltInSubgroupLocalInvocationIdv()\n"
      "  %a = getelementptr i32, ptr %t, i64 %i\n  store i32 %l, ptr %a\n"
      "  %v = load i32, ptr %t\n  store i32 %v, ptr %p\n  ret void\n}\n"
      "declare i32 @_Z40__spirv_BuiltInSubgroupLocalInvocationIdv()\n"
      "declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)\n" ATTRIBUTES;
  fixture f;
  assert_int_equal(lower(&f, text, 2), TN_OK);
  assert_non_null(strstr(f.text, "alloca [256 x i8]"));  // 8 lanes of 32 bytes
  finish(&f);
}

static void test_written_block_is_copied(void **state) {
  (void)state;
  static const char text[] =
      "define spir_kernel void @K(ptr byval(i64) align 8 %f) #0 {\n  call void @use(ptr %f)\n"
      "  ret void\n}\ndefine void @use(ptr %f) noinline {\n  store i64 7, ptr %f\n  ret "
      "void\n}\n" ATTRIBUTES;
  fixture f;
  assert_int_equal(lower(&f, text, 0), TN_OK);
  assert_non_null(strstr(f.text, "llvm.memcpy"));
  finish(&f);
}

static void test_helpers_that_ask_for_ids_are_inlined(void **state) {
  (void)state;
  static const char text[] =
      "define spir_kernel void @K(ptr byval(ptr) align 8 %f) #0 {\n  %p = load ptr, ptr %f\n"
      "  %i = call i64 @outer(i32 1)\n  store i64 %i, ptr %p\n  ret void\n}\n"
      "define i64 @outer(i32 %d) noinline optnone {\n  %i = call i64 @inner(i32 %d)\n"
      "  ret i64 %i\n}\n"
      "define i64 @inner(i32 %d) noinline optnone {\n"
      "  %i = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 %d)\n  ret i64 %i\n}\n"
      "declare i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32)\n" ATTRIBUTES;
  fixture f;
  assert_int_equal(lower(&f, text, 0), TN_OK);
  assert_null(LLVMGetNamedFunction(f.module, "outer"));
  assert_null(LLVMGetNamedFunction(f.module, "inner"));
  finish(&f);
}

static void test_kernels_of_other_makers_are_refused(void **state) {
  (void)state;
  static const char text[] =
      "define spir_kernel void @K(ptr byval(ptr) align 8 %f) {\n  ret void\n}\n";
  fixture f;
  assert_int_equal(lower(&f, text, 2), TN_BAD_IMAGE);
  assert_non_null(strstr(f.diag.text, "'K'"));
  finish(&f);
}

#define DECLARE_IDS                                                   \
  "declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)\n"        \
  "declare i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32)\n"         \
  "declare i32 @_Z40__spirv_BuiltInSubgroupLocalInvocationIdv()\n"    \
  "declare i32 @_Z30__spirv_GroupNonUniformShuffleijj(i32, i32, i32)" \
  " convergent memory(none)\n"                                        \
  "declare void @_Z22__spirv_ControlBarrieriii(i32, i32, i32) convergent\n"
#define KERNEL_BEGIN                                             \
  "define spir_kernel void @K(ptr byval(ptr) align 8 %f) #0 {\n" \
  "entry:\n  %p = load ptr, ptr %f\n"                            \
  "  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)\n"

static size_t count_text(const char *text, const char *what) {
  size_t count = 0;
  for (const char *at = strstr(text, what); at; at = strstr(at + 1, what)) {
    count++;
  }
  return count;
}

// What all work-items share is computed once, a loop they leave together has no mask in full
// strips, and one they leave one by one goes on while any is left.
static void test_loops(void **state) {
  (void)state;
  static const char text[] = KERNEL_BEGIN
      "  %own = getelementptr float, ptr %p, i64 %i\n  %n32 = load i32, ptr %p\n"
      "  %n = sext i32 %n32 to i64\n  br label %loop\n"
      "loop:\n  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]\n"
      "  %s = phi float [ 0.0, %entry ], [ %s1, %loop ]\n"
      "  %a = getelementptr float, ptr %p, i64 %k\n  %v = load float, ptr %a\n"
      "  %w = load float, ptr %own\n  %m = fmul float %v, %w\n  %s1 = fadd float %s, %m\n"
      "  %k1 = add i64 %k, 1\n  %c = icmp slt i64 %k1, %LIMIT\n"
      "  br i1 %c, label %loop, label %end\n"
      "end:\n  store float %s1, ptr %own\n  ret void\n}\n" DECLARE_IDS ATTRIBUTES;
  for (int divergent = 0; divergent <= 1; ++divergent) {
    char changed[sizeof(text) + 8];
    const char *limit = strstr(text, "LIMIT");
    (void)snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(limit - text), text,
                   divergent ? "i" : "n", limit + 5);
    fixture f;
    assert_int_equal(lower(&f, changed, 2), TN_OK);
    assert_non_null(strstr(f.text, "load <8 x float>"));
    assert_non_null(strstr(f.text, "fmul <8 x float>"));
    assert_null(strstr(f.text, "masked.gather"));
    assert_int_equal(strstr(f.text, "llvm.vector.reduce.or.v8i1(") != NULL, divergent == 1);
    finish(&f);
  }
}

// Two parts, with a slot for what is needed behind the barrier.
static void test_barrier(void **state) {
  (void)state;
  static const char text[] = KERNEL_BEGIN
      "  %a = getelementptr float, ptr %p, i64 %i\n  %v = load float, ptr %a\n"
      "  call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 784)\n"
      "  %w = load float, ptr %p\n  %s = fadd float %v, %w\n  store float %s, ptr %a\n"
      "  ret void\n}\n" DECLARE_IDS ATTRIBUTES;
  fixture f;
  assert_int_equal(lower(&f, text, 2), TN_OK);
  assert_null(strstr(f.text, "call void @_Z22"));
  assert_int_equal(count_text(f.text, "= alloca <8 x float>, i64 %"), 2);  // full and part
  finish(&f);
  assert_int_equal(lower(&f, text, 0), TN_OK);
  assert_int_equal(count_text(f.text, "= alloca float, i64 %"), 1);
  finish(&f);
}

static void test_shuffle(void **state) {
  (void)state;
  static const char text[] = KERNEL_BEGIN
      "  %l = call i32 @_Z40__spirv_BuiltInSubgroupLocalInvocationIdv()\n  %x = xor i32 %l, 1\n"
      "  %a = getelementptr i32, ptr %p, i64 %i\n  %v = load i32, ptr %a\n"
      "  %o = call i32 @_Z30__spirv_GroupNonUniformShuffleijj(i32 3, i32 %v, i32 %x)\n"
      "  store i32 %o, ptr %a\n  ret void\n}\n" DECLARE_IDS ATTRIBUTES;
  for (uint32_t level = 0; level <= 2; level += 2) {
    fixture f;
    assert_int_equal(lower(&f, text, level), TN_OK);
    assert_non_null(strstr(f.text,
                           "<8 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, "
                           "i32 6>"));
    finish(&f);
  }
}

// A kernel that uses sub-groups is as wide as they are; one that does not is as wide as vectors.
static void test_sub_group_size(void **state) {
  (void)state;
  static const char text[] = KERNEL_BEGIN
      "  %l = call i32 @_Z40__spirv_BuiltInSubgroupLocalInvocationIdv()\n"
      "  %a = getelementptr i32, ptr %p, i64 %i\n  store i32 %l, ptr %a\n  ret void\n}\n"
      DECLARE_IDS ATTRIBUTES;
  static const struct {
    uint32_t asked;
    const char *has;
  } sizes[] = {{0, "store <32 x i32>"}, {4, "store <4 x i32>"}, {16, "store <16 x i32>"}};
  for (size_t i = 0; i < TN_COUNT(sizes); i++) {
    const tn_cpu_target target = {.vector_bytes = 32, .sub_group_size = sizes[i].asked};
    fixture f;
    assert_int_equal(lower_to(&f, text, 2, &target), TN_OK);
    assert_non_null(strstr(f.text, sizes[i].has));
    finish(&f);
    assert_int_equal(lower_to(&f, scale, 2, &target), TN_OK);
    assert_non_null(strstr(f.text, "<8 x float>"));
    assert_null(strstr(f.text, "<32 x float>"));
    finish(&f);
  }
}

// `lane > 0 ? lane - 1 : 0`, as LLVM writes it.
static void test_shuffle_from_before(void **state) {
  (void)state;
  static const char text[] = KERNEL_BEGIN
      "  %l = call i32 @_Z40__spirv_BuiltInSubgroupLocalInvocationIdv()\n  %x = call i32 "
      "@llvm.usub.sat.i32(i32 %l, i32 1)\n"
      "  %a = getelementptr i32, ptr %p, i64 %i\n  %v = load i32, ptr %a\n"
      "  %o = call i32 @_Z30__spirv_GroupNonUniformShuffleijj(i32 3, i32 %v, i32 %x)\n"
      "  store i32 %o, ptr %a\n  ret void\n}\n"
      "declare i32 @llvm.usub.sat.i32(i32, i32)\n" DECLARE_IDS ATTRIBUTES;
  for (uint32_t level = 0; level <= 2; level += 2) {
    fixture f;
    assert_int_equal(lower(&f, text, level), TN_OK);
    assert_non_null(strstr(f.text,
                           "<8 x i32> <i32 0, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, "
                           "i32 6>"));
    finish(&f);
  }
}

// The bound is asked for by the check only.
static void test_checks_go_or_compare(void **state) {
  (void)state;
  static const char checked[] =
      "define spir_kernel void @_ZTS1K(ptr byval({ptr, i64}) align 8 %f) #0 {\n"
      "  %p = load ptr, ptr %f\n"
      "  %b = getelementptr i8, ptr %f, i64 8\n  %bound = load i64, ptr %b\n"
      "  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)\n"
      "  call void @_Z19__tenon_check_indexmmi(i64 %i, i64 %bound, i32 0), !tenon.place !0\n"
      "  %a = getelementptr float, ptr %p, i64 %i\n"
      "  %v = load float, ptr %a\n  %w = fmul float %v, 2.0\n  store float %w, ptr %a\n"
      "  ret void\n}\n"
      "declare void @_Z19__tenon_check_indexmmi(i64, i64, i32)\n"
      "declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)\n"
      "attributes #0 = { \"tenon-arg-align\"=\"8\" \"tenon-arg-size\"=\"16\" }\n"
      "!0 = !{!\"where.cpp\", i32 42}\n";
  for (uint32_t level = 0; level <= 2; level += 2) {
    fixture f;
    assert_int_equal(lower_for(&f, checked, level, false), TN_OK);
    assert_null(strstr(f.text, "call void @_Z19"));
    assert_int_equal(strstr(f.text, "%bound") != NULL, level == 0);
    assert_int_equal(strstr(f.text, "fmul <8 x float>") != NULL, level == 2);
    finish(&f);
    assert_int_equal(lower_for(&f, checked, level, true), TN_OK);
    assert_null(strstr(f.text, "call void @_Z19"));
    assert_non_null(strstr(f.text, "call void @tn_check_index"));
    assert_non_null(strstr(f.text, "c\"where.cpp\\00\""));
    assert_non_null(strstr(f.text, "i32 42"));
    assert_null(strstr(f.text, "<8 x float>"));
    finish(&f);
  }
}

static void test_debug_information_at_level_0(void **state) {
  (void)state;
  static const char kernel[] =
      "define spir_kernel void @K() #0 !dbg !3 {\n"
      "  %x = alloca i32\n    #dbg_declare(ptr %x, !6, !DIExpression(), !5)\n"
      "  store volatile i32 1, ptr %x, !dbg !5\n"
      "  call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 0), !dbg !5\n"
      "  store volatile i32 2, ptr %x, !dbg !5\n  ret void, !dbg !5\n}\n"
      "declare void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)\n"
      "attributes #0 = { \"tenon-arg-align\"=\"1\" \"tenon-arg-size\"=\"1\" }\n"
      "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n"
      "!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_17, file: !1, emissionKind: "
      "FullDebug)\n"
      "!1 = !DIFile(filename: \"a.cpp\", directory: \"/\")\n"
      "!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
      "!3 = distinct !DISubprogram(name: \"K\", scope: !1, file: !1, line: 1, type: !4, unit: !0, "
      "spFlags: DISPFlagDefinition)\n"
      "!4 = !DISubroutineType(types: !{})\n!5 = !DILocation(line: 7, scope: !3)\n"
      "!6 = !DILocalVariable(name: \"x\", scope: !3, file: !1, line: 6, type: !7)\n"
      "!7 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n";
  fixture f;
  assert_int_equal(lower(&f, kernel, 0), TN_OK);
  LLVMValueRef group = LLVMGetNamedFunction(f.module, "K.tn_group");
  assert_non_null(group);
  assert_non_null(LLVMGetSubprogram(group));
  assert_non_null(strstr(f.text, "#dbg_declare(ptr %shown"));
  assert_non_null(strstr(f.text, "DW_OP_deref"));
  finish(&f);
  assert_int_equal(lower(&f, kernel, 2), TN_OK);
  assert_null(strstr(f.text, "DISubprogram"));
  finish(&f);
}

// What is made of a kernel with `count` barriers, in instructions. A number that each part needs is
// the sum of 20 doublings, as a tree of a million instructions.
static size_t instructions_for(int count) {
  enum { DOUBLINGS = 20, TEXT_MAX = 1 << 17 };
  char *text = malloc(TEXT_MAX);
  assert_non_null(text);
  int at = snprintf(text, TEXT_MAX,
                    "define spir_kernel void @K(ptr byval(ptr) align 8 %%f) #0 {\n"
                    "  %%p = load ptr, ptr %%f\n"
                    "  %%i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)\n"
                    "  %%d0 = mul i64 %%i, %%i\n");
  for (int k = 0; k < DOUBLINGS; k++) {
    at += snprintf(text + at, TEXT_MAX - (size_t)at,
                   "  %%x%d = xor i64 %%d%d, %d\n  %%d%d = mul i64 %%x%d, %%d%d\n", k, k, k + 5,
                   k + 1, k, k);
  }
  for (int k = 0; k < count; k++) {
    at += snprintf(text + at, TEXT_MAX - (size_t)at,
                   "  %%a%d = getelementptr i64, ptr %%p, i64 %%i\n"
                   "  store volatile i64 %%d%d, ptr %%a%d\n"
                   "  call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 784)\n",
                   k, (int)DOUBLINGS, k);
  }
  (void)snprintf(text + at, TEXT_MAX - (size_t)at,
                 "  ret void\n}\n"
                 "declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)\n"
                 "declare void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)\n" ATTRIBUTES);
  fixture f;
  assert_int_equal(lower(&f, text, 2), TN_OK);
  size_t total = 0;
  for (LLVMValueRef g = LLVMGetFirstFunction(f.module); g; g = LLVMGetNextFunction(g)) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(g); b; b = LLVMGetNextBasicBlock(b)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        total++;
      }
    }
  }
  finish(&f);
  free(text);
  return total;
}

static void test_split_kernels_grow_with_their_barriers(void **state) {
  (void)state;
  const size_t half = instructions_for(50);
  const size_t whole = instructions_for(100);
  assert_true(whole <= 2 * half);
  assert_true(whole < 100 * 1000);
}

// A number of the needs that the kernel has.
static uint64_t needs_word(const fixture *f, unsigned index) {
  LLVMValueRef needs = LLVMGetInitializer(LLVMGetNamedGlobal(f->module, "K.tn_needs"));
  return LLVMConstIntGetZExtValue(LLVMGetAggregateElement(needs, index));
}

static void test_one_form_for_a_shape(void **state) {
  (void)state;
  enum { FORMS_AT = offsetof(tn_cpu_needs, forms) / sizeof(uint64_t) };
  static const char head[] =
      "define spir_kernel void @K(ptr byval(ptr) align 8 %f) #0 {\n"
      "  %p = load ptr, ptr %f\n"
      "  %i = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)\n"
      "  %j = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 1)\n"
      "  %k = add i64 %i, %j\n"
      "  %a = getelementptr i32, ptr %p, i64 %k\n  %v = load i32, ptr %a\n"
      "  call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 784)\n";
  static const char shuffle[] =
      "  %w = call i32 @_Z32__spirv_GroupNonUniformShuffleijj(i32 3, i32 %v, i32 1)\n";
  static const char plain[] = "  %w = add i32 %v, 1\n";
  static const char tail[] =
      "  store i32 %w, ptr %a\n  ret void\n}\n"
      "declare i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32)\n"
      "declare i32 @_Z32__spirv_GroupNonUniformShuffleijj(i32, i32, i32)\n"
      "declare void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)\n" ATTRIBUTES;
  static const struct {
    uint64_t row, rows;
    tn_cpu_form with_sub_groups, without;
  } shapes[] = {{64, 1, TN_CPU_FORM_FULL, TN_CPU_FORM_FULL},
                {8, 4, TN_CPU_FORM_FULL, TN_CPU_FORM_FULL},
                {24, 3, TN_CPU_FORM_FULL, TN_CPU_FORM_FULL},
                {4, 4, TN_CPU_FORM_FOLDED, TN_CPU_FORM_PART},
                {100, 1, TN_CPU_FORM_PART, TN_CPU_FORM_PART},
                {7, 5, TN_CPU_FORM_FOLDED, TN_CPU_FORM_PART}};
  for (int k = 0; k < 2; k++) {
    char text[4096];
    (void)snprintf(text, sizeof(text), "%s%s%s", head, k == 0 ? shuffle : plain, tail);
    fixture f;
    assert_int_equal(lower(&f, text, 2), TN_OK);
    const size_t whole = strlen(f.text);
    assert_int_equal((uint32_t)needs_word(&f, FORMS_AT), TN_CPU_FORM_ANY);
    finish(&f);
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
      const tn_cpu_target target = {
          .vector_bytes = 32,
          .sub_group_size = 8,
          .group_shape = tn_cpu_group_shape(shapes[i].row, shapes[i].rows)};
      assert_int_equal(lower_to(&f, text, 2, &target), TN_OK);
      assert_int_equal((uint32_t)needs_word(&f, FORMS_AT),
                       k == 0 ? shapes[i].with_sub_groups : shapes[i].without);
      assert_int_equal((uint32_t)needs_word(&f, FORMS_AT + 1), k == 0);
      assert_true(strlen(f.text) < whole);
      finish(&f);
    }
  }
}

// Kernels without barriers have code for all; it is not known what they are launched over.
static void test_kernels_without_barriers_are_for_all_shapes(void **state) {
  (void)state;
  fixture f;
  assert_int_equal(lower(&f, scale, 2), TN_OK);
  char *whole = LLVMPrintModuleToString(f.module);
  finish(&f);
  const tn_cpu_target target = {
      .vector_bytes = 32, .sub_group_size = 8, .group_shape = tn_cpu_group_shape(64, 1)};
  assert_int_equal(lower_to(&f, scale, 2, &target), TN_OK);
  assert_string_equal(f.text, whole);
  LLVMDisposeMessage(whole);
  finish(&f);
}

// Most strips are inside of a condition on ids as a whole, and need no masks there; of one on data
// nobody knows.
static void test_guards(void **state) {
  (void)state;
  static const char text[] = KERNEL_BEGIN
      "  %own = getelementptr float, ptr %p, i64 %i\n  %n = load i64, ptr %p\n"
      "  %at = getelementptr i64, ptr %p, i64 %i\n  %d = load i64, ptr %at\n"
      "  %c = icmp slt i64 %CONDITION, %n\n  br i1 %c, label %inside, label %end\n"
      "inside:\n  %v = load float, ptr %own\n  %s = fadd float %v, 1.0\n"
      "  store float %s, ptr %own\n  br label %end\nend:\n  ret void\n}\n" DECLARE_IDS ATTRIBUTES;
  for (int of_ids = 0; of_ids <= 1; ++of_ids) {
    char changed[sizeof(text) + 8];
    const char *condition = strstr(text, "CONDITION");
    (void)snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(condition - text), text,
                   of_ids ? "i" : "d", condition + 9);
    fixture f;
    assert_int_equal(lower(&f, changed, 2), TN_OK);
    assert_int_equal(strstr(f.text, "store <8 x float>") != NULL, of_ids == 1);
    assert_non_null(strstr(f.text, "llvm.masked.store.v8f32"));
    finish(&f);
  }
}

// A number that is divided into a row and a column: a strip within a row stores side by side, one
// across rows runs its work-items one by one. What work-items do together they do in all strips:
// the same code stores side by side or apart there.
static void test_rows(void **state) {
  (void)state;
  static const char text[] = KERNEL_BEGIN
      "  %x = urem i64 %i, 1000\n  %y = udiv i64 %i, 1000\n"
      "  %r = mul i64 %y, 7\n  %j = add i64 %r, %x\n  TOGETHER\n"
      "  %at = getelementptr float, ptr %p, i64 %j\n  store float 1.0, ptr %at\n"
      "  ret void\n}\n" DECLARE_IDS ATTRIBUTES;
  static const char together[] =
      "%s = call i32 @_Z30__spirv_GroupNonUniformShuffleijj(i32 3, i32 7, i32 0)";
  for (int is_together = 0; is_together <= 1; ++is_together) {
    char changed[sizeof(text) + sizeof(together)];
    const char *place = strstr(text, "TOGETHER");
    (void)snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(place - text), text,
                   is_together ? together : "", place + 8);
    fixture f;
    assert_int_equal(lower(&f, changed, 2), TN_OK);
    char *full = strstr(f.text, "define internal void @tn_strip(");
    assert_non_null(full);
    *strstr(full, "\n}\n") = 0;
    assert_non_null(strstr(full, "store <8 x float>"));
    assert_int_equal(strstr(full, "llvm.masked.scatter") != NULL, is_together == 1);
    finish(&f);
  }
}

// The width of a row may be computed by many instructions: those that would be written again at the
// begin of the function, one for each use of a value, are limited.
static void test_rows_of_long_computations(void **state) {
  (void)state;
  enum { STEPS = 22, ROOM = 4096 };
  static char text[ROOM];
  size_t used = (size_t)snprintf(text, ROOM,
                                 "%s  %%behind = getelementptr i8, ptr %%f, i64 8\n"
                                 "  %%w0 = load i64, ptr %%behind\n",
                                 KERNEL_BEGIN);
  for (int step = 0; step < STEPS; ++step) {
    used += (size_t)snprintf(text + used, ROOM - used, "  %%w%d = mul i64 %%w%d, %%w%d\n", step + 1,
                             step, step);
  }
  used += (size_t)snprintf(text + used, ROOM - used,
                           "  %%x = urem i64 %%i, %%w%d\n"
                           "  %%at = getelementptr float, ptr %%p, i64 %%x\n"
                           "  store float 1.0, ptr %%at\n  ret void\n}\n" DECLARE_IDS
                           "attributes #0 = { \"tenon-arg-align\"=\"8\" "
                           "\"tenon-arg-size\"=\"16\" }\n",
                           STEPS);
  assert_true(used < ROOM);
  fixture f;
  assert_int_equal(lower(&f, text, 2), TN_OK);
  assert_true(count_text(f.text, " = mul i64 ") <= 4 * STEPS);
  finish(&f);
}

// A sum over a row of a sparse matrix: loads from everywhere, and little to do with them. A
// required width, a barrier, or more arithmetic make lanes of it all the same.
static void test_lanes_must_be_worth_it(void **state) {
  (void)state;
  static const char text[] = KERNEL_BEGIN
      "  BARRIER\n  %first = mul i64 %i, 27\n  %last = add i64 %first, 27\n  br label %loop\n"
      "loop:\n  %k = phi i64 [ %first, %entry ], [ %k1, %loop ]\n"
      "  %s = phi float [ 0.0, %entry ], [ %s1, %loop ]\n"
      "  %ca = getelementptr i64, ptr %p, i64 %k\n  %c = load i64, ptr %ca\n"
      "  %xa = getelementptr float, ptr %p, i64 %c\n  %x = load float, ptr %xa\n"
      "  ARITHMETIC\n  %s1 = fadd float %s, %x\n"
      "  %k1 = add i64 %k, 1\n  %more = icmp slt i64 %k1, %last\n"
      "  br i1 %more, label %loop, label %end\n"
      "end:\n  %own = getelementptr float, ptr %p, i64 %i\n  store float %s1, ptr %own\n"
      "  ret void\n}\n" DECLARE_IDS;
  static const char barrier[] = "call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 272)";
  static const char arithmetic[] =
      "%d0 = fdiv float %s, %x\n  %d1 = fdiv float %d0, %s\n  %d2 = fdiv float %d1, %x\n"
      "  store float %d2, ptr %xa";
  static const char plain[] = ATTRIBUTES;
  static const char sized[] =
      "attributes #0 = { \"tenon-arg-align\"=\"8\" \"tenon-arg-size\"=\"8\" "
      "\"" TN_ATTR_SUB_GROUP_SIZE "\"=\"8\" }\n";
  const struct {
    const char *barrier;
    const char *arithmetic;
    const char *attributes;
    bool has_lanes;
  } cases[] = {{"", "", plain, false},
               {"", "", sized, true},
               {barrier, "", plain, true},
               {"", arithmetic, plain, true}};
  for (size_t k = 0; k < TN_COUNT(cases); k++) {
    char changed[sizeof(text) + sizeof(barrier) + sizeof(arithmetic) + sizeof(sized)];
    const char *first = strstr(text, "BARRIER");
    const char *second = strstr(text, "ARITHMETIC");
    (void)snprintf(changed, sizeof(changed), "%.*s%s%.*s%s%s%s", (int)(first - text), text,
                   cases[k].barrier, (int)(second - first - 7), first + 7, cases[k].arithmetic,
                   second + 10, cases[k].attributes);
    fixture f;
    assert_int_equal(lower(&f, changed, 2), TN_OK);
    assert_int_equal(strstr(f.text, "masked.gather") != NULL, cases[k].has_lanes);
    finish(&f);
  }
}

// Work-items that the code does not tell apart, and code that checks or is not optimized, run one
// after the other; each kind is collected where it is wanted.
static void test_remarks(void **state) {
  (void)state;
  static const char text[] =
      "define spir_kernel void @_ZTS1K(ptr byval(ptr) align 8 %f) #0 {\n"
      "  %p = load ptr, ptr %f\n"
      "  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)\n"
      "  %a = getelementptr float, ptr %p, i64 %i\n"
      "  store float 1.0, ptr %a\n"
      "  %j = mul i64 %i, 12\n"
      "  %b = getelementptr i8, ptr %p, i64 %j\n"
      "  %v = load float, ptr %b\n"
      "  %c = getelementptr float, ptr %a, i64 4096\n"
      "  store float %v, ptr %c\n"
      "  %d = getelementptr float, ptr %a, i64 8192\n"
      "  store float %v, ptr %d\n"
      "  ret void\n}\n"
      "declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)\n" ATTRIBUTES;
  static const struct {
    uint32_t opt_level;
    bool check;
    uint32_t kinds;
    size_t count;
    const char *first;
  } runs[] = {
      {2, false, TN_REMARK_ALL, 2, "kernel 'K': 8 work-items side by side"},
      {2, false, TN_REMARK_PASSED, 1, "kernel 'K': 8 work-items side by side"},
      {2, false, TN_REMARK_MISSED, 1,
       "gather: neighboring work-items load 4 bytes each, 12 bytes apart, one by one"},
      {2, false, TN_REMARK_ANALYSIS, 0, NULL},
      {2, true, TN_REMARK_ALL, 1,
       "kernel 'K': work-items run one after the other: built with checks (TENON_CHECK)"},
      {0, false, TN_REMARK_ALL, 1,
       "kernel 'K': work-items run one after the other: compiled without optimization (-O0)"},
  };
  for (size_t r = 0; r < TN_COUNT(runs); r++) {
    tn_arena arena;
    tn_arena_init(&arena);
    tn_remarks remarks;
    tn_remarks_init(&remarks, &arena, runs[r].kinds);
    const tn_cpu_target target = {
        .vector_bytes = 32, .check = runs[r].check, .remarks = &remarks};
    fixture f;
    assert_int_equal(lower_to(&f, text, runs[r].opt_level, &target), TN_OK);
    assert_int_equal(remarks.list.count, runs[r].count);
    if (runs[r].first) {
      assert_string_equal(tn_remarks_at(&remarks, 0)->text, runs[r].first);
    }
    finish(&f);
    tn_arena_deinit(&arena);
  }
}

// Many lines of one kernel: no more remarks than are worth reading.
static void test_remarks_are_limited(void **state) {
  (void)state;
  tn_arena arena;
  tn_arena_init(&arena);
  tn_remarks remarks;
  tn_remarks_init(&remarks, &arena, TN_REMARK_MISSED);
  tn_remarks_begin(&remarks, "K", (tn_place){TN_STR_LIT("a.cpp"), 1, 0});
  for (uint32_t line = 1; line <= TN_REMARKS_MAX + 5; line++) {
    for (int again = 0; again < 2; again++) {
      tn_remarks_add(&remarks, TN_REMARK_MISSED, "load",
                     (tn_place){TN_STR_LIT("a.cpp"), line, 0}, "line %u", line);
    }
  }
  tn_remarks_end(&remarks, TN_REMARK_MISSED, "one after the other");
  assert_int_equal(remarks.list.count, TN_REMARKS_MAX + 2);
  assert_string_equal(tn_remarks_at(&remarks, 0)->text, "kernel 'K': one after the other");
  assert_string_equal(tn_remarks_at(&remarks, 1)->text, "line 1");
  assert_string_equal(tn_remarks_at(&remarks, TN_REMARKS_MAX + 1)->text,
                      "kernel 'K': further remarks are left out");
  tn_arena_deinit(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_form_for_a_shape),
      cmocka_unit_test(test_kernels_without_barriers_are_for_all_shapes),
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_guards),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_rows_of_long_computations),
      cmocka_unit_test(test_lanes_must_be_worth_it),
      cmocka_unit_test(test_remarks),
      cmocka_unit_test(test_remarks_are_limited),
      cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_shuffle),
      cmocka_unit_test(test_sub_group_size),
      cmocka_unit_test(test_shuffle_from_before),
      cmocka_unit_test(test_group_function_replaces_kernel),
      cmocka_unit_test(test_private_memory_is_each_lanes_own),
      cmocka_unit_test(test_written_block_is_copied),
      cmocka_unit_test(test_helpers_that_ask_for_ids_are_inlined),
      cmocka_unit_test(test_checks_go_or_compare),
      cmocka_unit_test(test_debug_information_at_level_0),
      cmocka_unit_test(test_kernels_of_other_makers_are_refused),
      cmocka_unit_test(test_split_kernels_grow_with_their_barriers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
