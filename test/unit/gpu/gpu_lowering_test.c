// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels written as LLVM's text, lowered for GPUs.
#include "compile/gpu/gpu.h"
#include "compile/lower/lower.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

typedef struct fixture {
  tn_llvm_job job;
  LLVMModuleRef module;
  tn_diag diag;
  tn_status status;
  char *text;  // LLVM's
} fixture;

static void begin(fixture *f, const char *text) {
  *f = (fixture){0};
  assert_int_equal(tn_llvm_job_init(&f->job, &f->diag), TN_OK);
  f->status =
      tn_module_parse(&f->job, tn_bytes_from(text, strlen(text)), "test.ll", &f->module, &f->diag);
  if (f->status != TN_OK) {
    fail_msg("%s", f->diag.text);
  }
}

static void replace(tn_buf *to, tn_str from, const char *what, const char *by) {
  for (size_t at; (at = tn_str_find(from, tn_str_from(what))) != SIZE_MAX;) {
    tn_buf_add_str(to, tn_str_slice(from, 0, at));
    tn_buf_add_text(to, by);
    from = tn_str_slice(from, at + strlen(what), SIZE_MAX);
  }
  tn_buf_add_str(to, from);
}

// A kernel with one block as clang writes it for AMD.
static void begin_for_amd(fixture *f, const char *text) {
  tn_buf params;
  tn_buf loads;
  tn_buf_init(&params, 1 << 16);
  tn_buf_init(&loads, 1 << 16);
  replace(&params, tn_str_from(text), "ptr byval(ptr) align 8 %f",
          "ptr addrspace(4) byref(ptr) align 8 %f");
  replace(&loads, tn_buf_str(&params), "load ptr, ptr %f", "load ptr, ptr addrspace(4) %f");
  begin(f, tn_buf_text(&loads));
  tn_buf_deinit(&params);
  tn_buf_deinit(&loads);
}

static void lower(fixture *f, const char *word, const char *text) {
  tn_arena arena;
  tn_target target;
  tn_arena_init(&arena);
  if (strncmp(word, "amd", 3) == 0) {
    begin_for_amd(f, text);
  } else {
    begin(f, text);
  }
  assert_int_equal(tn_target_read(&arena, "", tn_str_from(word), &target, &f->diag), TN_OK);
  LLVMSetTarget(f->module, target.triple);
  f->status = tn_gpu_lower(&f->job, f->module, &target, &f->diag);
  f->text = LLVMPrintModuleToString(f->module);
  tn_arena_deinit(&arena);
}

static void finish(fixture *f) {
  LLVMDisposeMessage(f->text);
  LLVMDisposeModule(f->module);
  tn_llvm_job_deinit(&f->job);
}

static void expect(const fixture *f, const char *text) {
  if (f->status != TN_OK) {
    fail_msg("%s", f->diag.text);
  }
  if (!strstr(f->text, text)) {
    fail_msg("'%s' is not in:\n%s", text, f->text);
  }
}

static void expect_not(const fixture *f, const char *text) {
  if (strstr(f->text, text)) {
    fail_msg("'%s' is in:\n%s", text, f->text);
  }
}

static void expect_failure(const fixture *f, tn_status status, const char *text) {
  assert_int_equal(f->status, status);
  if (!strstr(f->diag.text, text)) {
    fail_msg("'%s' does not say '%s'", f->diag.text, text);
  }
}

#define ATTRIBUTES                                                        \
  "attributes #0 = { \"tenon-arg-align\"=\"8\" \"tenon-arg-size\"=\"8\" " \
  "\"tenon-kernel-file\"=\"a.cpp\" \"tenon-kernel-line\"=\"5\" }\n"       \
  "attributes #1 = { \"sycl-module-id\"=\"u\" }\n"
#define DECLARE_ID "declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)\n"

// The id is asked for in a function that nobody inlines otherwise.
static const char plain[] =
    "define spir_kernel void @\"_ZTS1K@0123456789abcdef\"(ptr byval(ptr) align 8 %f) #0 {\n"
    "  %p = load ptr, ptr %f\n  %i = call i64 @id()\n"
    "  %a = getelementptr float, ptr %p, i64 %i\n  store float 1.0, ptr %a\n  ret void\n}\n"
    "define internal i64 @id() noinline {\n"
    "  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)\n  ret i64 %i\n}\n" DECLARE_ID
        ATTRIBUTES;

static void test_plain_range(void **state) {
  (void)state;
  fixture f;
  lower(&f, "nvptx64-nvidia-cuda", plain);
  expect(&f,
         "ptx_kernel void @\"_ZTS1K$0123456789abcdef\"(ptr byval(ptr) align 8 %0, "
         "ptr byval([7 x i64]) align 8 %1)");
  expect(&f, "guard:");
  expect(&f, "llvm.nvvm.read.ptx.sreg.ctaid.x");
  expect_not(&f, "__spirv_");
  expect_not(&f, "@id");
  expect_not(&f, "__tenon_launch");
  finish(&f);
  lower(&f, "amd_gpu_gfx90a", plain);
  expect(&f, "amdgpu_kernel void");
  expect(&f, "ptr addrspace(4) byref([7 x i64]) align 8 %1)");
  expect(&f, "llvm.amdgcn.dispatch.ptr");
  expect(&f, "guard:");
  finish(&f);
}

static void test_variables_stay_on_the_stack(void **state) {
  (void)state;
  fixture f;
  lower(&f, "nvptx64-nvidia-cuda",
        "define spir_kernel void @_ZTS1V(ptr byval(ptr) align 8 %f) #0 {\n"
        "  %s = alloca i64\n  %p = load ptr, ptr %f\n  store ptr %s, ptr %p\n  ret "
        "void\n}\n" ATTRIBUTES);
  expect(&f, "leave:");
  assert_true(strstr(f.text, "alloca i64") < strstr(f.text, "leave:"));
  finish(&f);
}

// No guard, since a group's work-items may not be too many; one block of dynamic local memory.
static const char grouped[] =
    "define spir_kernel void @_ZTS1G(ptr byval(ptr) align 8 %f) #0 {\n"
    "  call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 776)\n"
    "  %l = call ptr @_Z20__tenon_local_memoryv()\n  store i32 1, ptr %l\n"
    "  %s = call i32 @_Z30__spirv_GroupNonUniformShuffleijj(i32 3, i32 1, i32 2)\n"
    "  %b = call i64 @_Z24__tenon_sub_group_ballotb(i1 true)\n"
    "  %n = call i32 @_Z27__spirv_BuiltInNumSubgroupsv()\n"
    "  %p = load ptr, ptr %f\n  store i32 %s, ptr %p\n  store i64 %b, ptr %p\n"
    "  store i32 %n, ptr %p\n  ret void\n}\n"
    "declare void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)\n"
    "declare ptr @_Z20__tenon_local_memoryv()\n"
    "declare i32 @_Z30__spirv_GroupNonUniformShuffleijj(i32, i32, i32)\n"
    "declare i64 @_Z24__tenon_sub_group_ballotb(i1)\n"
    "declare i32 @_Z27__spirv_BuiltInNumSubgroupsv()\n"
    "attributes #0 = { \"tenon-arg-align\"=\"8\" \"tenon-arg-size\"=\"8\" "
    "\"tenon.reqd-work-group-size\"=\"1,4,16\" \"tenon.reqd-sub-group-size\"=\"32\" }\n";

static void test_groups(void **state) {
  (void)state;
  fixture f;
  lower(&f, "nvptx64-nvidia-cuda", grouped);
  expect(&f, "llvm.nvvm.barrier.cta.sync.aligned.all");
  expect(&f, "llvm.nvvm.shfl.sync.idx.i32");
  expect(&f, "llvm.nvvm.vote.ballot.sync");
  expect(&f, "@__tenon_local = external addrspace(3) global [0 x i8]");
  expect(&f, "\"nvvm.reqntid\"=\"16,4,1\"");
  expect_not(&f, "guard:");
  expect_not(&f, "__spirv_");
  finish(&f);
  lower(&f, "amd_gpu_gfx1100", grouped);
  expect(&f, "llvm.amdgcn.s.barrier");
  expect(&f, "llvm.amdgcn.ds.bpermute");
  expect(&f, "\"amdgpu-flat-work-group-size\"=\"64,64\"");
  expect(&f, "+wavefrontsize32");
  expect_not(&f, "guard:");
  finish(&f);
}

static const char for_spirv[] =
    "define spir_kernel void @_ZTS1S(ptr byval(ptr addrspace(4)) align 8 %f) #0 {\n"
    "  %l = call spir_func ptr addrspace(4) @through()\n  store i32 1, ptr addrspace(4) %l\n"
    "  %p = load ptr addrspace(4), ptr %f\n"
    "  %v = atomicrmw fadd ptr addrspace(4) %p, float 2.0 syncscope(\"device\") acq_rel\n"
    "  %e = call spir_func float @erff(float %v)\n"
    "  %s = call spir_func i32 @_Z27__spirv_BuiltInSubgroupSizev()\n"
    "  store float %e, ptr addrspace(4) %p\n  store i32 %s, ptr addrspace(4) %p\n  ret void\n}\n"
    "define internal spir_func ptr addrspace(4) @through() {\n"
    "  %l = call spir_func ptr addrspace(4) @_Z20__tenon_local_memoryv()\n"
    "  ret ptr addrspace(4) %l\n}\n"
    "define spir_kernel void @_ZTS1T(ptr byval(i64) align 8 %f) #0 {\n  ret void\n}\n"
    "declare spir_func ptr addrspace(4) @_Z20__tenon_local_memoryv()\n"
    "declare spir_func float @erff(float)\n"
    "declare spir_func i32 @_Z27__spirv_BuiltInSubgroupSizev()\n"
    "attributes #0 = { \"tenon.reqd-sub-group-size\"=\"16\" }\n";

static void test_spirv(void **state) {
  (void)state;
  fixture f;
  lower(&f, "spirv64", for_spirv);
  expect(&f, "@_ZTS1S(ptr byval({ ptr addrspace(4) }) align 8 %0, ptr addrspace(3) %1)");
  expect(&f, "@_ZTS1T(ptr byval({ i64 }) align 8 %0)");
  expect(&f, "cmpxchg ptr addrspace(4) %p, i32");
  expect(&f, "syncscope(\"device\") acq_rel acquire");
  expect(&f, "@_Z3erff(");
  expect(&f, "@_Z27__spirv_BuiltInSubgroupSizev");  // LLVM's back end knows it
  expect(&f, "!intel_reqd_sub_group_size");
  expect_not(&f, "__tenon_local_memory");
  finish(&f);
}

// Functions that stay by themselves find the launch where kernels leave it.
static const char imports[] =
    "define spir_kernel void @_ZTS1I(ptr byval(ptr) align 8 %f) #0 {\n"
    "  call void @other()\n  ret void\n}\n"
    "define spir_kernel void @_ZTS1J(ptr byval(ptr) align 8 %f) #0 {\n  ret void\n}\n"
    "define i64 @mine() #1 {\n"
    "  %i = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)\n  ret i64 %i\n}\n"
    "declare void @other() #1\n" DECLARE_ID ATTRIBUTES;

static void test_images_that_are_linked_later(void **state) {
  (void)state;
  fixture f;
  lower(&f, "nvptx64-nvidia-cuda", imports);
  expect(&f, "@__tenon_launch_shared = linkonce addrspace(3) global [7 x i64]");
  expect(&f, "define i64 @mine()");
  expect(&f, "addrspacecast (ptr addrspace(3)");
  // Only the kernel that leaves its image stores.
  const char *kernel = strstr(f.text, "@_ZTS1J(");
  assert_non_null(strstr(strstr(f.text, "@_ZTS1I("), "store i64"));
  const char *end = kernel ? strstr(kernel, "\n}") : NULL;
  assert_non_null(end);
  const char *store = strstr(kernel, "store i64");
  assert_true(!store || store > end);
  finish(&f);
  // AMD's images are linked when the program is.
  lower(&f, "amd_gpu_gfx90a", imports);
  expect_failure(&f, TN_BUILD_FAILED, "a.cpp:5: kernel 'I' calls 'other'");
  finish(&f);
}

static void test_mathematics(void **state) {
  (void)state;
  static const char text[] =
      "define spir_kernel void @_ZTS1M(ptr byval(ptr) align 8 %f) #0 {\n"
      "  %p = load ptr, ptr %f\n  %x = load float, ptr %p\n"
      "  %a = call nsz float @llvm.sin.f32(float %x)\n  %b = call float @erff(float %a)\n"
      "  %c = call float @llvm.sqrt.f32(float %b)\n  %d = fpext float %c to double\n"
      "  %e = call double @llvm.pow.f64(double %d, double %d)\n  %g = frem double %e, %d\n"
      "  %h = fptrunc double %g to half\n  %i = call half @llvm.cos.f16(half %h)\n"
      "  %j = call <2 x float> @llvm.exp.v2f32(<2 x float> splat (float 1.5))\n"
      "  store half %i, ptr %p\n  store <2 x float> %j, ptr %p\n  ret void\n}\n"
      "declare float @llvm.sin.f32(float)\ndeclare float @erff(float)\n"
      "declare float @llvm.sqrt.f32(float)\ndeclare double @llvm.pow.f64(double, double)\n"
      "declare half @llvm.cos.f16(half)\ndeclare <2 x float> @llvm.exp.v2f32(<2 x "
      "float>)\n" ATTRIBUTES;
  static const char *const expected[] = {"__nv_sinf(", "__nv_erff(", "llvm.sqrt.f32(", "__nv_pow(",
                                         "__nv_fmod(", "__nv_cosf(", "__nv_expf("};
  fixture f;
  lower(&f, "nvptx64-nvidia-cuda", text);
  for (size_t i = 0; i < TN_COUNT(expected); ++i) {
    expect(&f, expected[i]);
  }
  expect_not(&f, "frem");
  expect_not(&f, "llvm.cos");
  finish(&f);
  lower(&f, "amd_gpu_gfx90a", text);
  expect(&f, "__ocml_sin_f32(");
  expect(&f, "__ocml_pow_f64(");
  expect(&f, "llvm.exp.f32(");  // LLVM's own is as exact
  finish(&f);
}

// Calls that may be approximate become instructions, but where their function says otherwise;
// intrinsics of two results call the library through pointers.
static void test_fast_mathematics_of_nvidia(void **state) {
  (void)state;
  fixture f;
  lower(&f, "nvptx64-nvidia-cuda",
        "define spir_kernel void @_ZTS1A(ptr byval(ptr) align 8 %f) #0 {\n"
        "  %p = load ptr, ptr %f\n  %x = load float, ptr %p\n"
        "  %a = call afn float @llvm.sin.f32(float %x)\n"
        "  %b = call afn float @llvm.log.f32(float %a)\n"
        "  %c = call afn float @powf(float %b, float %x)\n"
        "  %d = call float @llvm.cos.f32(float %c)\n"
        "  %h = fptrunc float %d to half\n  %r = frem half %h, 0xH4000\n"
        "  %s = call { float, float } @llvm.sincos.f32(float %d)\n"
        "  %m = call { double, double } @llvm.modf.f64(double 2.5)\n"
        "  store half %r, ptr %p\n  store { float, float } %s, ptr %p\n"
        "  store { double, double } %m, ptr %p\n  ret void\n}\n"
        "declare float @llvm.sin.f32(float)\ndeclare float @llvm.log.f32(float)\n"
        "declare float @powf(float, float)\ndeclare float @llvm.cos.f32(float)\n"
        "declare { float, float } @llvm.sincos.f32(float)\n"
        "declare { double, double } @llvm.modf.f64(double)\n" ATTRIBUTES);
  static const char *const expected[] = {
      "llvm.nvvm.sin.approx.f(",  "llvm.nvvm.lg2.approx.f(", "llvm.nvvm.ex2.approx.f32(",
      "__nv_cosf(",               "__nv_fmodf(",             "call void @__nv_sincosf(float",
      "call double @__nv_modf(double"};
  for (size_t i = 0; i < TN_COUNT(expected); ++i) {
    expect(&f, expected[i]);
  }
  expect_not(&f, "frem");
  expect_not(&f, "__nv_sinf(");
  expect_not(&f, "llvm.sincos");
  finish(&f);
}

static void test_orders_of_atomics(void **state) {
  (void)state;
  fixture f;
  lower(&f, "nvptx64-nvidia-cuda",
        "define spir_kernel void @_ZTS1A(ptr byval(ptr) align 8 %f) #0 {\n"
        "  %p = load ptr, ptr %f\n  fence syncscope(\"singlethread\") acq_rel\n"
        "  %a = atomicrmw add ptr %p, i32 1 syncscope(\"device\") acq_rel\n"
        "  %b = atomicrmw add ptr %p, i32 2 monotonic\n  ret void\n}\n" ATTRIBUTES);
  expect(&f,
         "fence syncscope(\"device\") release\n"
         "  %a = atomicrmw add ptr %p, i32 1 syncscope(\"device\") monotonic, align 4\n"
         "  fence syncscope(\"device\") acquire");
  expect_not(&f, "singlethread");
  finish(&f);
}

static void test_fences(void **state) {
  (void)state;
  fixture f;
  lower(&f, "nvptx64-nvidia-cuda",
        "define spir_kernel void @_ZTS1F(ptr byval(ptr) align 8 %f) #0 {\n"
        "  call void @_Z21__spirv_MemoryBarrierii(i32 2, i32 776)\n  ret void\n}\n"
        "declare void @_Z21__spirv_MemoryBarrierii(i32, i32)\n" ATTRIBUTES);
  expect(&f, "fence syncscope(\"block\") acq_rel");
  expect_not(&f, "__spirv_MemoryBarrier");
  finish(&f);
}

static void test_what_a_device_lacks(void **state) {
  (void)state;
  static const char text[] =
      "define spir_kernel void @_ZTS1L(ptr byval(ptr) align 8 %f) #0 {\n"
      "  call void @helper()\n  ret void\n}\n"
      "define internal void @helper() {\n  %c = call i32 @memcmp(ptr null, ptr null, i64 1)\n"
      "  ret void\n}\ndeclare i32 @memcmp(ptr, ptr, i64)\n" ATTRIBUTES;
  static const char *const words[] = {"nvptx64-nvidia-cuda", "spirv64", "amd_gpu_gfx90a"};
  fixture f;
  for (size_t i = 0; i < TN_COUNT(words); ++i) {
    lower(&f, words[i], text);
    expect_failure(&f, TN_BUILD_FAILED, "a.cpp:5: kernel 'L' calls 'memcmp', which ");
    expect_failure(&f, TN_BUILD_FAILED, words[i]);
    finish(&f);
  }
  lower(&f, "spirv64",
        "define spir_kernel void @_ZTS1L(ptr byval(i64) align 8 %f) #0 {\n"
        "  call spir_func void @loop(i32 3)\n  ret void\n}\n"
        "define internal spir_func void @loop(i32 %n) {\n"
        "  %l = call spir_func ptr addrspace(4) @_Z20__tenon_local_memoryv()\n"
        "  store i32 %n, ptr addrspace(4) %l\n  call spir_func void @loop(i32 %n)\n  ret void\n}\n"
        "declare spir_func ptr addrspace(4) @_Z20__tenon_local_memoryv()\n" ATTRIBUTES);
  expect_failure(&f, TN_BUILD_FAILED, "'loop' uses a local accessor, and is recursive");
  finish(&f);
  lower(&f, "spirv64",
        "define spir_kernel void @_ZTS1L(ptr byval(ptr) align 8 %f) #0 {\n"
        "  %c = call i64 @llvm.readcyclecounter()\n  store i64 %c, ptr %f\n  ret void\n}\n"
        "declare i64 @llvm.readcyclecounter()\n" ATTRIBUTES);
  expect_failure(&f, TN_BUILD_FAILED, "a.cpp:5: kernel 'L' calls 'llvm.readcyclecounter', which ");
  expect_failure(&f, TN_BUILD_FAILED, "SPIR-V has no clock");
  finish(&f);
}

// Two values of one constant, in a function that is called; the second has an offset.
static const char specialized[] =
    "@_ZTSN4sycl6detail13spec_constantIL_Z1cEEE = external addrspace(1) global { i32, double }\n"
    "define spir_kernel void @_ZTS1C(ptr byval(ptr addrspace(4)) align 8 %f) #0 {\n"
    "  %p = load ptr addrspace(4), ptr %f\n  %v = call spir_func double @get()\n"
    "  store double %v, ptr addrspace(4) %p\n  ret void\n}\n"
    "define internal spir_func double @get() {\n"
    "  %s = alloca { i32, double }\n"
    "  call void @llvm.memcpy.p0.p4.i64(ptr align 8 %s, ptr addrspace(4) align 8 addrspacecast "
    "(ptr addrspace(1) @_ZTSN4sycl6detail13spec_constantIL_Z1cEEE to ptr addrspace(4)), i64 16, "
    "i1 false)\n"
    "  %a = load i32, ptr %s\n  %b = getelementptr { i32, double }, ptr %s, i64 0, i32 1\n"
    "  %d = load double, ptr %b\n  %i = sitofp i32 %a to double\n  %r = fadd double %d, %i\n"
    "  ret double %r\n}\n"
    "declare void @llvm.memcpy.p0.p4.i64(ptr, ptr addrspace(4), i64, i1)\n" ATTRIBUTES;

static tn_lower_specs one_spec(tn_spec_info *item, uint8_t *buffer) {
  const int32_t first = 7;
  const double second = 2.5;
  memset(buffer, 0, 24);
  memcpy(buffer + 8, &first, sizeof(first));
  memcpy(buffer + 16, &second, sizeof(second));
  *item =
      (tn_spec_info){.name = TN_STR_LIT("_ZTSN4sycl6detail13spec_constantIL_Z1cEEE"), .offset = 8};
  return (tn_lower_specs){.items = item, .count = 1, .buffer = buffer, .buffer_size = 24};
}

static void test_specialization_constants(void **state) {
  (void)state;
  fixture f;
  tn_spec_info item;
  uint8_t buffer[24];
  const tn_lower_specs specs = one_spec(&item, buffer);
  begin(&f, specialized);
  f.status = tn_lower_specs_from_buffer(f.module, &specs, &f.diag);
  if (f.status == TN_OK) {
    f.status = tn_gpu_specs_for_spirv(&f.job, f.module, &specs, 0, &f.diag);
  }
  f.text = LLVMPrintModuleToString(f.module);
  expect(&f, "@_Z20__spirv_SpecConstantii(i32 66, i32 7)");
  expect(&f, "@_Z20__spirv_SpecConstantid(i32 131, double 2.5");
  expect_not(&f, "call ptr addrspace(1) @__tenon_spec_constants");
  finish(&f);
  begin(&f, specialized);
  f.status = tn_lower_specs_from_buffer(f.module, &specs, &f.diag);
  f.text = LLVMPrintModuleToString(f.module);
  expect(&f, "call ptr addrspace(1) @__tenon_spec_constants()");
  expect_not(&f, "@_ZTSN4sycl6detail13spec_constantIL_Z1cEEE =");
  finish(&f);
}

// As clang has kernels for AMD: a block of one pointer comes as that pointer.
static void test_forms_of_units(void **state) {
  (void)state;
  fixture f;
  tn_arena arena;
  tn_arena_init(&arena);
  begin(&f,
        "target triple = \"amdgcn-amd-amdhsa\"\n"
        "define amdgpu_kernel void @_ZTS1D(ptr addrspace(1) %p) {\n"
        "  store i32 1, ptr addrspace(1) %p\n  ret void\n}\n"
        "define amdgpu_kernel void @_ZTS1R(ptr addrspace(4) byref([3 x i64]) align 8 %p) {\n"
        "  ret void\n}\n");
  assert_int_equal(tn_gpu_kernels_unify(f.module, &f.diag), TN_OK);
  f.status = tn_lower_prepare_unit(f.module, "u", &arena, &f.diag);
  f.text = LLVMPrintModuleToString(f.module);
  expect(&f, "spir_kernel void @_ZTS1D(ptr addrspace(4) byref(ptr addrspace(1)) align 8 %0)");
  expect(&f, "load ptr addrspace(1), ptr addrspace(4) %0, align 8");
  expect(&f, "\"tenon-arg-size\"=\"24\"");
  finish(&f);
  begin(&f,
        "target triple = \"nvptx64-nvidia-cuda\"\n"
        "define ptx_kernel void @_ZTS1P(ptr byval([2 x i64]) align 8 %p) {\n  ret void\n}\n");
  assert_int_equal(tn_gpu_kernels_unify(f.module, &f.diag), TN_OK);
  f.status = tn_lower_prepare_unit(f.module, "u", &arena, &f.diag);
  f.text = LLVMPrintModuleToString(f.module);
  expect(&f, "spir_kernel void @_ZTS1P(");
  expect(&f, "\"tenon-arg-size\"=\"16\"");
  finish(&f);
  tn_arena_deinit(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain_range),
                                     cmocka_unit_test(test_variables_stay_on_the_stack),
                                     cmocka_unit_test(test_groups),
                                     cmocka_unit_test(test_spirv),
                                     cmocka_unit_test(test_images_that_are_linked_later),
                                     cmocka_unit_test(test_mathematics),
                                     cmocka_unit_test(test_fast_mathematics_of_nvidia),
      cmocka_unit_test(test_orders_of_atomics),
                                     cmocka_unit_test(test_fences),
                                     cmocka_unit_test(test_what_a_device_lacks),
                                     cmocka_unit_test(test_specialization_constants),
                                     cmocka_unit_test(test_forms_of_units)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
