// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels that say over which range they run become on NVIDIA GPUs: ids without dimensions
// that are not there, comparisons only where work-items may be too many; copies of whole vectors.
#include "compile/gpu/gpu.h"
#include "compile/lower/lower.h"

#include <stdio.h>

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

// The text of a kernel whose body is this, lowered and cleaned up. Caller: LLVMDisposeMessage.
static char *lowered(const char *word, const char *body) {
  char text[4096];
  (void)snprintf(text, sizeof(text),
                 "define spir_kernel void @_ZTS1K(ptr byval(ptr) align 8 %%f) #0 {\n"
                 "  %%p = load ptr, ptr %%f\n%s  ret void\n}\n"
                 "declare i1 @_Z18__tenon_is_outsidei(i32)\n"
                 "declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)\n"
                 "declare i32 @_Z25__spirv_BuiltInSubgroupIdv()\n"
                 "declare i32 @_Z33__spirv_GroupNonUniformShuffleXorijj(i32, i32, i32)\n"
                 "declare i64 @_Z32__spirv_GroupNonUniformShuffleUpimj(i32, i64, i32)\n"
                 "declare i1 @_Z17__tenon_group_anyb(i1)\n"
                 "declare i32 @_Z24__tenon_sub_group_reduceij(i32, i32)\n"
                 "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
                 "attributes #0 = { \"tenon-arg-align\"=\"8\" \"tenon-arg-size\"=\"8\" }\n",
                 body);
  tn_llvm_job job;
  tn_diag diag;
  LLVMModuleRef module = NULL;
  tn_arena arena;
  tn_target target;
  tn_arena_init(&arena);
  assert_int_equal(tn_llvm_job_init(&job, &diag), TN_OK);
  if (tn_module_parse(&job, tn_bytes_from(text, strlen(text)), "test.ll", &module, &diag) !=
      TN_OK) {
    fail_msg("%s", diag.text);
  }
  assert_int_equal(tn_target_read(&arena, "", tn_str_from(word), &target, &diag), TN_OK);
  LLVMSetTarget(module, target.triple);
  if (tn_gpu_lower(&job, module, &target, &diag) != TN_OK ||
      tn_module_run_passes(&job, module, "function(instcombine,simplifycfg,adce),globaldce", NULL,
                           &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  char *out = LLVMPrintModuleToString(module);
  LLVMDisposeModule(module);
  tn_llvm_job_deinit(&job);
  tn_arena_deinit(&arena);
  return out;
}

static void expect(const char *text, const char *part) {
  if (!strstr(text, part)) {
    fail_msg("'%s' is not in:\n%s", part, text);
  }
}
static void expect_not(const char *text, const char *part) {
  if (strstr(text, part)) {
    fail_msg("'%s' is in:\n%s", part, text);
  }
}

// A kernel that writes its id, unless it is outside of the range of `dims` dimensions.
#define WRITE_ID(dims)                                               \
  "  %o = call i1 @_Z18__tenon_is_outsidei(i32 " dims                \
  ")\n"                                                              \
  "  br i1 %o, label %end, label %in\n"                              \
  "in:\n"                                                            \
  "  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)\n" \
  "  %j = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 1)\n" \
  "  %s = add i64 %i, %j\n"                                          \
  "  store i64 %s, ptr %p\n"                                         \
  "  br label %end\n"                                                \
  "end:\n"

static void test_one_dimension(void **state) {
  (void)state;
  char *text = lowered("nvptx64-nvidia-cuda", WRITE_ID("1"));
  expect_not(text, "guard:");
  expect(text, "icmp ult i64");
  expect(text, "sreg.tid.x");
  expect_not(text, "sreg.tid.y");
  expect_not(text, "sreg.ctaid.y");
  expect_not(text, "sreg.ntid.y");
  expect_not(text, "sreg.tid.z");
  // Ids may be over 32 bits.
  expect(text, "mul nuw nsw i64");
  LLVMDisposeMessage(text);
}

static void test_several_dimensions(void **state) {
  (void)state;
  char *text = lowered("nvptx64-nvidia-cuda", WRITE_ID("2"));
  expect_not(text, "guard:");
  expect(text, "icmp");
  expect(text, "sreg.tid.y");
  expect_not(text, "sreg.tid.z");
  expect(text, "mul nuw nsw i32");
  expect_not(text, "mul nuw nsw i64");
  LLVMDisposeMessage(text);
}

static void test_groups_of_the_program(void **state) {
  (void)state;
  char *text = lowered("nvptx64-nvidia-cuda", WRITE_ID("-1"));
  expect_not(text, "guard:");
  expect_not(text, "icmp");
  expect_not(text, "sreg.tid.y");
  LLVMDisposeMessage(text);
  text = lowered("nvptx64-nvidia-cuda", WRITE_ID("-3"));
  expect_not(text, "icmp");
  expect(text, "sreg.tid.y");
  LLVMDisposeMessage(text);
}

static void test_other_gpus(void **state) {
  (void)state;
  char *text = lowered("nvptx64-nvidia-cuda",
                       "  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)\n"
                       "  store i64 %i, ptr %p\n");
  expect(text, "guard");
  expect(text, "sreg.tid.z");
  expect_not(text, "__tenon_has_rows");
  LLVMDisposeMessage(text);
}

static void test_sub_groups(void **state) {
  (void)state;
  char *text =
      lowered("nvptx64-nvidia-cuda",
              "  %o = call i1 @_Z18__tenon_is_outsidei(i32 -1)\n"
              "  %g = call i32 @_Z25__spirv_BuiltInSubgroupIdv()\n"
              "  %x = call i32 @_Z33__spirv_GroupNonUniformShuffleXorijj(i32 3, i32 %g, i32 16)\n"
              "  %w = zext i32 %x to i64\n"
              "  %u = call i64 @_Z32__spirv_GroupNonUniformShuffleUpimj(i32 3, i64 %w, i32 2)\n"
              "  %t = trunc i64 %u to i1\n"
              "  %a = call i1 @_Z17__tenon_group_anyb(i1 %t)\n"
              "  store i64 %u, ptr %p\n  store i1 %a, ptr %p\n");
  expect(text, "llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %");
  expect(text, "i32 16, i32 31)");
  expect(text, "llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 ");
  expect(text, "i32 2, i32 0)");
  expect(text, "llvm.nvvm.barrier.cta.red.or.aligned.all");
  expect_not(text, "sreg.tid.y");
  LLVMDisposeMessage(text);
}

#define REDUCE                                                       \
  "  %o = call i1 @_Z18__tenon_is_outsidei(i32 -1)\n"                \
  "  %g = call i32 @_Z25__spirv_BuiltInSubgroupIdv()\n"              \
  "  %r = call i32 @_Z24__tenon_sub_group_reduceij(i32 5, i32 %g)\n" \
  "  store i32 %r, ptr %p\n"

static void test_reductions_of_newer_processors(void **state) {
  (void)state;
  char *text = lowered("nvidia_gpu_sm_75", REDUCE);
  expect(text, "llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %");
  expect(text, "@llvm.smax.i32(");
  expect_not(text, "redux");
  expect_not(text, "@llvm.umax.i32(");
  LLVMDisposeMessage(text);
  text = lowered("nvidia_gpu_sm_80", REDUCE);
  expect(text, "call i32 @llvm.nvvm.redux.sync.max(");
  expect_not(text, "redux.sync.add");
  expect_not(text, "shfl");
  LLVMDisposeMessage(text);
}

static void test_copies(void **state) {
  (void)state;
  char *text = lowered("nvptx64-nvidia-cuda",
                       "  %to = getelementptr i8, ptr %p, i64 64\n"
                       "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %p, "
                       "i64 32, i1 false)\n");
  expect(text, "load <4 x i32>");
  expect(text, "align 16");
  expect_not(text, "llvm.memcpy");
  LLVMDisposeMessage(text);
  // Not aligned, volatile, another size, a long one.
  text = lowered("nvptx64-nvidia-cuda",
                 "  %to = getelementptr i8, ptr %p, i64 640\n"
                 "  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 16 %p, i64 32, "
                 "i1 false)\n"
                 "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %p, i64 32, "
                 "i1 true)\n"
                 "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %p, i64 40, "
                 "i1 false)\n"
                 "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %p, i64 640, "
                 "i1 false)\n");
  expect_not(text, "load <4 x i32>");
  LLVMDisposeMessage(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_dimension),
      cmocka_unit_test(test_several_dimensions),
      cmocka_unit_test(test_groups_of_the_program),
      cmocka_unit_test(test_other_gpus),
      cmocka_unit_test(test_sub_groups),
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_reductions_of_newer_processors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
