// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowered modules become PTX, SPIR-V and AMD's code; vendors' compilers are found, run and named.
#include "base/file.h"
#include "compile/emit/emit.h"
#include "compile/emit/math_library.h"
#include "image/image.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// A folder that stands for CUDA's and is the only one in PATH besides the system's.
static char *folder;

static char *path_in(const char *name) {
  return tn_path_join(tn_str_from(folder), tn_str_from(name));
}

static void write_tool(const char *name, const char *text) {
  char *path = path_in(name);
  tn_diag diag;
  assert_non_null(path);
  assert_int_equal(tn_file_write(path, tn_bytes_from(text, strlen(text)), &diag), TN_OK);
  assert_int_equal(chmod(path, 0755), 0);
  tn_free(path);
}

static void remove_tool(const char *name) {
  char *path = path_in(name);
  tn_file_remove(path);
  tn_free(path);
}

// Writes its command line where -o or -output says.
static const char good_tool[] =
    "#!/bin/sh\necho \"note from $0\" >&2\nfor a in \"$@\"; do\n"
    "  case \"$p\" in -o|-output) out=$a;; esac\n  p=$a\ndone\necho \"$0 $*\" > \"$out\"\n";
static const char bad_tool[] = "#!/bin/sh\necho 'line 7: not today' >&2\nexit 3\n";

typedef struct made {
  tn_device_code code;
  tn_buf messages;
  tn_diag diag;
  tn_status status;
} made;

static made *make(const char *word, const char *text, const char *const *words) {
  static made m;
  tn_arena arena;
  tn_llvm_job job;
  tn_target target;
  LLVMModuleRef module = NULL;
  m = (made){.status = TN_OK};
  tn_arena_init(&arena);
  tn_device_code_init(&m.code);
  tn_buf_init(&m.messages, 1 << 16);
  assert_int_equal(tn_target_read(&arena, "", tn_str_from(word), &target, &m.diag), TN_OK);
  assert_int_equal(tn_llvm_job_init(&job, &m.diag), TN_OK);
  assert_int_equal(tn_module_parse(&job, tn_bytes_from(text, strlen(text)), "t", &module, &m.diag),
                   TN_OK);
  LLVMSetTarget(module, target.triple);
  const tn_device_params params = {
      .target = &target, .opt_level = 2, .name = "a.out", .tool_words = words, .cuda_path = folder};
  m.status = tn_emit_device(&job, module, &params, &m.code, &m.messages, &m.diag);
  LLVMDisposeModule(module);
  tn_llvm_job_deinit(&job);
  tn_arena_deinit(&arena);
  return &m;
}

static void done(made *m) {
  tn_device_code_deinit(&m->code);
  tn_buf_deinit(&m->messages);
}

static void expect_text(const tn_buf *buf, const char *text) {
  if (tn_str_find(tn_buf_str(buf), tn_str_from(text)) == SIZE_MAX) {
    fail_msg("'%s' is not in:\n%s", text, tn_buf_text(buf));
  }
}

static void expect_failure(made *m, tn_status status, const char *text) {
  assert_int_equal(m->status, status);
  if (!strstr(m->diag.text, text)) {
    fail_msg("'%s' does not say '%s'", m->diag.text, text);
  }
}

static const char for_nvptx[] =
    "define ptx_kernel void @k(ptr byval(i32) align 4 %p) {\n"
    "  %v = load i32, ptr %p\n  call void @f(i32 %v)\n  ret void\n}\n"
    "define internal void @f(i32 %v) alwaysinline {\n"
    "  store i32 %v, ptr inttoptr (i64 64 to ptr)\n  ret void\n}\n";

static void test_ptx(void **state) {
  (void)state;
  made *m = make("nvptx64-nvidia-cuda", for_nvptx, NULL);
  assert_int_equal(m->status, TN_OK);
  assert_int_equal(m->code.format, TN_IMAGE_FORMAT_PTX);
  assert_int_equal(m->code.beside_format, TN_IMAGE_FORMAT_NONE);
  expect_text(&m->code.code, ".target sm_70");
  expect_text(&m->code.code, ".visible .entry k(");
  assert_int_equal(tn_str_find(tn_buf_str(&m->code.code), TN_STR_LIT(".func")), SIZE_MAX);
  done(m);
  m = make("nvptx64-nvidia-cuda", for_nvptx, (const char *const[]){"--cuda-gpu-arch=sm_90", NULL});
  expect_text(&m->code.code, ".target sm_90");
  done(m);
  m = make("nvptx64-nvidia-cuda", for_nvptx, (const char *const[]){"--cuda-gpu-arch=sm_9", NULL});
  expect_failure(m, TN_INVALID_ARGUMENT, "did you mean 'sm_90'");
  done(m);
}

// Null does not become an address of the memory that other pointers are to.
static void test_nulls(void **state) {
  (void)state;
  static const char beside_local[] =
      "@s = internal addrspace(3) global [64 x i32] zeroinitializer\n"
      "define ptx_kernel void @k(ptr byval(i64) align 8 %p) {\n"
      "  %v = load i64, ptr %p\n  %c = icmp eq i64 %v, 0\n  br i1 %c, label %a, label %b\n"
      "a:\n  br label %b\n"
      "b:\n  %w = phi ptr [ addrspacecast (ptr addrspace(3) @s to ptr), %0 ], [ null, %a ]\n"
      "  %n = icmp eq ptr %w, null\n  br i1 %n, label %e, label %d\n"
      "d:\n  store volatile i32 5, ptr %w\n  br label %e\ne:\n  ret void\n}\n";
  static const char beside_private[] =
      "define ptx_kernel void @k(ptr byval(i64) align 8 %p) {\n"
      "  %x = alloca [4 x i64]\n  %v = load i64, ptr %p\n  store volatile i64 %v, ptr %x\n"
      "  %c = icmp eq i64 %v, 0\n  %y = getelementptr i64, ptr %x, i64 %v\n"
      "  %w = select i1 %c, ptr null, ptr %y\n"
      "  %n = icmp eq ptr %w, null\n  br i1 %n, label %e, label %d\n"
      "d:\n  store volatile i64 5, ptr %w\n  br label %e\ne:\n  ret void\n}\n";
  static const char beside_global[] =
      "@g = internal addrspace(1) global [64 x i32] zeroinitializer\n"
      "define ptx_kernel void @k(ptr byval(i64) align 8 %p) {\n"
      "  %v = load i64, ptr %p\n  %c = icmp eq i64 %v, 0\n"
      "  %w = select i1 %c, ptr null, ptr addrspacecast (ptr addrspace(1) @g to ptr)\n"
      "  %n = icmp eq ptr %w, null\n  br i1 %n, label %e, label %d\n"
      "d:\n  store volatile i32 5, ptr %w\n  br label %e\ne:\n  ret void\n}\n";
  static const char *const texts[] = {beside_local, beside_private};
  for (size_t i = 0; i < TN_COUNT(texts); i++) {
    made *m = make("nvptx64-nvidia-cuda", texts[i], NULL);
    assert_int_equal(m->status, TN_OK);
    expect_text(&m->code.code, "mov.b64 %rd");
    assert_int_equal(tn_str_find(tn_buf_str(&m->code.code), TN_STR_LIT("cvta.to.")), SIZE_MAX);
    done(m);
  }
  made *m = make("nvptx64-nvidia-cuda", beside_global, NULL);
  assert_int_equal(m->status, TN_OK);
  expect_text(&m->code.code, "st.volatile.global.b32");
  done(m);
}

static void test_ptxas(void **state) {
  (void)state;
  write_tool("bin/ptxas", good_tool);
  made *m =
      make("nvidia_gpu_sm_80", for_nvptx, (const char *const[]){"-v --maxrregcount=32", NULL});
  assert_int_equal(m->status, TN_OK);
  assert_int_equal(m->code.format, TN_IMAGE_FORMAT_CUBIN);
  expect_text(&m->code.code, "bin/ptxas -arch=sm_80 -O3 -v --maxrregcount=32 -o");
  assert_int_equal(m->code.beside_format, TN_IMAGE_FORMAT_PTX);
  expect_text(&m->code.beside, ".target sm_80");
  expect_text(&m->messages, "note from");
  done(m);
  // Code that calls other images' functions can be linked.
  m = make("nvidia_gpu_sm_80",
           "define ptx_kernel void @k() {\n  call void @g()\n  ret void\n}\n"
           "declare void @g() #0\nattributes #0 = { \"sycl-module-id\"=\"u\" }\n",
           NULL);
  expect_text(&m->code.code, " -c ");
  expect_text(&m->code.beside, ".extern .func g");
  done(m);
  write_tool("bin/ptxas", bad_tool);
  m = make("nvidia_gpu_sm_80", for_nvptx, NULL);
  expect_failure(m, TN_BUILD_FAILED, "could not compile the device code of a.out (exit status 3)");
  expect_text(&m->messages, "line 7: not today");
  done(m);
  remove_tool("bin/ptxas");
  m = make("nvidia_gpu_sm_80", for_nvptx, NULL);
  assert_int_equal(m->status, TN_OK);
  assert_int_equal(m->code.format, TN_IMAGE_FORMAT_PTX);
  assert_int_equal(m->code.beside_format, TN_IMAGE_FORMAT_NONE);
  expect_text(&m->code.code, ".target sm_80");
  expect_text(&m->messages, "'ptxas' is neither in CUDA_PATH nor in PATH; the program gets PTX");
  done(m);
}

static void test_library_of_mathematics(void **state) {
  (void)state;
  static const char calls[] =
      "define ptx_kernel void @_ZTS4Sine(ptr %p) #0 {\n  call void @f(ptr %p)\n  ret void\n}\n"
      "define internal void @f(ptr %p) noinline {\n  %x = load float, ptr %p\n"
      "  %y = call float @__nv_sinf(float %x)\n  store float %y, ptr %p\n  ret void\n}\n"
      "declare float @__nv_sinf(float)\n"
      "attributes #0 = { \"tenon-arg-size\"=\"8\" \"tenon-kernel-file\"=\"a.cpp\" "
      "\"tenon-kernel-line\"=\"7\" }\n";
  static const char library[] =
      "target triple = \"nvptx64-nvidia-gpulibs\"\n"
      "define float @__nv_sinf(float %x) {\n  %y = fmul float %x, 42.0\n  ret float %y\n}\n"
      "define float @__nv_cosf(float %x) {\n  ret float %x\n}\n";
  static const char strange[] =
      "define ptx_kernel void @_ZTS4Sine(ptr %p) #0 {\n  %y = call float @__nv_blurf(float 1.0)\n"
      "  store float %y, ptr %p\n  ret void\n}\ndeclare float @__nv_blurf(float)\n"
      "attributes #0 = { \"tenon-arg-size\"=\"8\" \"tenon-kernel-file\"=\"a.cpp\" "
      "\"tenon-kernel-line\"=\"7\" }\n";
  made *m = make("nvptx64-nvidia-cuda", strange, NULL);
  expect_failure(m, TN_UNSUPPORTED, "a.cpp:7: kernel 'Sine' calls 'blurf'");
  expect_failure(m, TN_UNSUPPORTED, "CUDA_PATH");
  done(m);
  // What libclc has is there without CUDA, unless Tenon was built without libclc.
  m = make("nvptx64-nvidia-cuda", calls, NULL);
  if (tn_carried_math().size > 0) {
    assert_int_equal(m->status, TN_OK);
    assert_int_equal(tn_str_find(tn_buf_str(&m->code.code), TN_STR_LIT("__nv_")), SIZE_MAX);
    expect_text(&m->code.code, "fma.rn.f32");
  } else {
    expect_failure(m, TN_UNSUPPORTED, "built without libclc");
  }
  done(m);
  write_tool("nvvm/libdevice/libdevice.10.bc", library);
  m = make("nvptx64-nvidia-cuda", calls, NULL);
  assert_int_equal(m->status, TN_OK);
  expect_text(&m->code.code, "0f42280000");
  assert_int_equal(tn_str_find(tn_buf_str(&m->code.code), TN_STR_LIT("__nv_")), SIZE_MAX);
  done(m);
  m = make("nvptx64-nvidia-cuda", strange, NULL);
  expect_failure(m, TN_BUILD_FAILED, "'__nv_blurf', which CUDA's libdevice does not have");
  done(m);
  remove_tool("nvvm/libdevice/libdevice.10.bc");
}

// Divisions and roots by what functions and libraries ask for.
static void test_floats_that_need_not_be_exact(void **state) {
  (void)state;
  // Two roundings stay two.
  made *twice = make("nvptx64-nvidia-cuda",
                     "define ptx_kernel void @k(ptr %p) {\n  %x = load double, ptr %p\n"
                     "  %f = fptrunc contract double %x to float\n"
                     "  %h = fptrunc contract float %f to half\n"
                     "  store half %h, ptr %p\n  ret void\n}\n",
                     NULL);
  expect_text(&twice->code.code, "cvt.rn.f32.f64");
  expect_text(&twice->code.code, "cvt.rn.f16.f32");
  done(twice);
  made *m = make("nvptx64-nvidia-cuda",
                 "define ptx_kernel void @k(ptr %p) #0 {\n  %x = load float, ptr %p\n"
                 "  %q = fdiv float 3.0, %x\n  %r = call float @llvm.sqrt.f32(float %q)\n"
                 "  store float %r, ptr %p\n  ret void\n}\n"
                 "define ptx_kernel void @l(ptr %p) {\n  %x = load float, ptr %p\n"
                 "  %q = fdiv float 3.0, %x, !fpmath !0\n"
                 "  %s = fdiv float %q, %x, !fpmath !1\n"
                 "  store float %s, ptr %p\n  ret void\n}\n"
                 "define ptx_kernel void @n(ptr %p) {\n  %x = load float, ptr %p\n"
                 "  %r = call float @llvm.sqrt.f32(float %x)\n"
                 "  store float %r, ptr %p\n  ret void\n}\n"
                 "declare float @llvm.sqrt.f32(float)\n!0 = !{float 2.5}\n!1 = !{float 1.0}\n"
                 "attributes #0 = { \"tenon.gpu-divide\"=\"fast\" \"tenon.gpu-root\"=\"fast\" "
                 "\"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\" }\n",
                 NULL);
  assert_int_equal(m->status, TN_OK);
  static const char *const expected[] = {"div.full.ftz.f32", "sqrt.approx.ftz.f32",
                                         "div.full.f32", "div.rn.f32", "sqrt.rn.f32"};
  for (size_t i = 0; i < TN_COUNT(expected); ++i) {
    expect_text(&m->code.code, expected[i]);
  }
  done(m);
}

static const char for_spirv[] =
    "define spir_kernel void @k(ptr addrspace(1) %p) {\n"
    "  store i32 1, ptr addrspace(1) %p\n  ret void\n}\n";

static void test_spirv(void **state) {
  (void)state;
  made *m = make("spirv64", for_spirv, NULL);
  assert_int_equal(m->status, TN_OK);
  assert_int_equal(m->code.format, TN_IMAGE_FORMAT_SPIRV);
  assert_memory_equal(m->code.code.data, "\x03\x02\x23\x07", 4);
  done(m);
  // LLVM makes an import of what it does not know.
  m = make("spirv64",
           "define spir_kernel void @k() {\n  call spir_func void @g()\n  ret void\n}\n"
           "declare spir_func void @g()\n",
           NULL);
  expect_failure(m, TN_BUILD_FAILED, "device code calls 'g'");
  done(m);
  m = make("spirv64",
           "define spir_kernel void @k() {\n  call spir_func void @g()\n  ret void\n}\n"
           "declare spir_func void @g() #0\nattributes #0 = { \"sycl-module-id\"=\"u\" }\n",
           NULL);
  assert_int_equal(m->status, TN_OK);
  done(m);
  // An error for which LLVM would end the process.
  m = make("spirv64",
           "define spir_kernel void @k(ptr addrspace(1) %p) {\n"
           "  %a = atomicrmw fadd ptr addrspace(1) %p, float 1.0 monotonic\n  ret void\n}\n",
           NULL);
  expect_failure(m, TN_BUILD_FAILED, "SPV_EXT_shader_atomic_float_add");
  done(m);
}

static void test_intel_tools(void **state) {
  (void)state;
  made *m = make("intel_gpu_pvc", for_spirv, NULL);
  expect_failure(m, TN_UNSUPPORTED, "'ocloc', Intel's compiler for graphics, is not in PATH");
  done(m);
  write_tool("bin/ocloc", good_tool);
  m = make("intel_gpu_pvc", for_spirv, NULL);
  assert_int_equal(m->status, TN_OK);
  assert_int_equal(m->code.format, TN_IMAGE_FORMAT_ELF);
  assert_int_equal(m->code.beside.size, 0);
  expect_text(&m->code.code, "-device pvc");
  done(m);
  m = make("spir64_gen", for_spirv, NULL);
  expect_failure(m, TN_INVALID_ARGUMENT, "'ocloc' has to know the device");
  done(m);
  m = make("spir64_gen", for_spirv, (const char *const[]){"-device", "tgl", NULL});
  expect_text(&m->code.code, "-device tgl");
  done(m);
  remove_tool("bin/ocloc");
  m = make("spir64_x86_64", for_spirv, NULL);
  expect_failure(m, TN_UNSUPPORTED, "'opencl-aot'");
  done(m);
  write_tool("bin/opencl-aot", good_tool);
  m = make("spir64_x86_64", for_spirv, (const char *const[]){"--march=avx512", NULL});
  expect_text(&m->code.code, "--device=cpu --march=avx512");
  done(m);
  remove_tool("bin/opencl-aot");
}

static const char for_amdgpu[] =
    "target datalayout = \"A5\"\n"
    "define amdgpu_kernel void @k(ptr addrspace(1) %p) {\n"
    "  store i32 1, ptr addrspace(1) %p\n  ret void\n}\n";

static void test_amd(void **state) {
  (void)state;
  made *m = make("amdgcn-amd-amdhsa", for_amdgpu, NULL);
  expect_failure(m, TN_INVALID_ARGUMENT, "AMD's code is for one processor");
  done(m);
  m = make("amd_gpu_gfx90a", for_amdgpu, NULL);
  expect_failure(m, TN_UNSUPPORTED, "'ld.lld-22' or 'ld.lld'");
  done(m);
  write_tool("bin/ld.lld", good_tool);
  m = make("amd_gpu_gfx1100", for_amdgpu, NULL);
  assert_int_equal(m->status, TN_OK);
  assert_int_equal(m->code.format, TN_IMAGE_FORMAT_ELF);
  expect_text(&m->code.code, "-shared --no-undefined");
  done(m);
  remove_tool("bin/ld.lld");
}

// PATH is read once: before anything else.
static int set_up(void **state) {
  (void)state;
  static char name[64];
  static char bin[80];
  static const char *const folders[] = {"", "bin", "nvvm", "nvvm/libdevice"};
  (void)snprintf(name, sizeof(name), "/tmp/tenon-device-test-%d", (int)getpid());
  (void)snprintf(bin, sizeof(bin), "%s/bin", name);
  if (setenv("PATH", bin, 1) != 0) {
    return 1;
  }
  folder = tn_str_copy(tn_str_from(name));
  for (size_t i = 0; i < TN_COUNT(folders); ++i) {
    char *path = path_in(folders[i]);
    assert_int_equal(mkdir(path, 0700), 0);
    tn_free(path);
  }
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  tn_temp_dir_remove(folder);
  return 0;
}

// An error for which LLVM would end the process leaves what its back end had begun, all of it C++;
// what is ours is C and still looked for.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libstdc++.so\nleak:libLLVM.so\n"; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ptx),         cmocka_unit_test(test_nulls),
      cmocka_unit_test(test_ptxas),       cmocka_unit_test(test_spirv),
      cmocka_unit_test(test_library_of_mathematics),
      cmocka_unit_test(test_floats_that_need_not_be_exact),
      cmocka_unit_test(test_intel_tools), cmocka_unit_test(test_amd)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
