// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source in memory becomes images for each kind of device, with Tenon's own headers; on the CPU
// it runs.
#include "base/process.h"
#include "tenon/cpu_kernel.h"
#include "unit/rtc/source_build.h"

static const char vec_add[] =
    "#include <sycl/sycl.hpp>\n"
    "namespace syclexp = sycl::ext::oneapi::experimental;\n"
    "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))\n"
    "void vec_add(const float *in1, const float *in2, float *out) {\n"
    "  size_t id = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id();\n"
    "  out[id] = in1[id] + in2[id];\n"
    "}\n";

static tn_image only_image(const source_build *it) {
  const tn_fatbin images = build_images(it);
  assert_int_equal(images.image_count, 1);
  return tn_fatbin_image_at(&images, 0);
}

static void run_vec_add(const tn_image *image, const char *symbol) {
  const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
  const tn_build_image code = {
      .code = image->code.data, .size = image->code.size, .format = image->format, .name = "rtc"};
  const tn_build_params params = {.struct_size = sizeof(params),
                                  .opt_level = 2,
                                  .target = TN_TARGET_NATIVE_CPU,
                                  .images = &code,
                                  .image_count = 1};
  void *object = NULL;
  size_t size = 0;
  tn_native_code *loaded = NULL;
  tn_diag diag = {0};
  assert_int_equal(compiler->build(&params, &object, &size, &diag), TN_OK);
  assert_int_equal(compiler->code_load(object, size, &loaded, &diag), TN_OK);
  compiler->free_object(object);
  tn_buf name;
  tn_buf_init(&name, 4096);
  tn_buf_add_format(&name, "%s" TN_CPU_KERNEL_SUFFIX, symbol);
  void *address = compiler->code_find(loaded, tn_buf_text(&name));
  assert_non_null(address);
  tn_buf_deinit(&name);

  float in1[16], in2[16], out[16] = {0};
  for (int i = 0; i < 16; i++) {
    in1[i] = (float)i;
    in2[i] = 100;
  }
  const void *args[] = {in1, in2, out};
  const tn_cpu_group group = {.local_size = {16, 1, 1},
                              .global_size = {16, 1, 1},
                              .group_count = {1, 1, 1},
                              .enqueued_local_size = {16, 1, 1}};
  ((tn_cpu_kernel_fn)(uintptr_t)address)(args, &group);
  for (int i = 0; i < 16; i++) {
    assert_int_equal((int)out[i], 100 + i);
  }
  compiler->code_unload(loaded);
}

static void runs_on_the_cpu(void **state) {
  (void)state;
  source_build it;
  build_of(&it, vec_add);
  build_run(&it, TN_OK);
  assert_string_equal(it.result.log, "");
  assert_int_equal(it.result.name_count, 1);
  const char *symbol = build_symbol(&it, "vec_add");
  const tn_image image = only_image(&it);
  assert_int_equal(image.format, TN_IMAGE_FORMAT_BITCODE);
  tn_kernel_info info;
  assert_true(tn_image_kernel_find(&image, tn_str_from(symbol), &info));
  assert_true(tn_str_equals(info.display_name, TN_STR_LIT("vec_add")));
  assert_true(tn_str_equals(info.file, TN_STR_LIT("rtc_7.cpp")));
  assert_int_equal(info.line, 4);
  assert_int_equal(info.arg_size, 24);
  assert_true((info.flags & TN_KERNEL_IS_FUNCTION) != 0);
  run_vec_add(&image, symbol);
  build_end(&it);
}

static const char *find_ptxas(tn_arena *arena) {
  char *path = tn_process_find("ptxas");
  const char *found = path ? tn_arena_str(arena, tn_str_from(path)) : "/usr/local/cuda/bin/ptxas";
  tn_free(path);
  return tn_file_is_executable(found) ? found : NULL;
}

static void expect_assembles(tn_bytes ptx) {
  tn_arena arena;
  tn_diag diag = {0};
  tn_arena_init(&arena);
  const char *ptxas = find_ptxas(&arena);
  if (ptxas) {
    char *dir = NULL;
    assert_int_equal(tn_temp_dir_create("tenon-test", &dir, &diag), TN_OK);
    const char *from = tn_arena_format(&arena, "%s/k.ptx", dir);
    const char *to = tn_arena_format(&arena, "%s/k.cubin", dir);
    const char *argv[] = {ptxas, "-arch=sm_90", from, "-o", to, NULL};
    assert_int_equal(tn_file_write(from, ptx, &diag), TN_OK);
    tn_process process = {0};
    int code = -1;
    assert_int_equal(tn_process_start(argv, 0, &process, &diag), TN_OK);
    assert_int_equal(tn_process_wait(&process, NULL, NULL, &code, &diag), TN_OK);
    assert_int_equal(code, 0);
    tn_temp_dir_remove(dir);
  } else {
    print_message("ptxas is not installed: the PTX is not assembled\n");
  }
  tn_arena_deinit(&arena);
}

static void becomes_ptx(void **state) {
  (void)state;
  source_build it;
  build_of(&it, vec_add);
  it.params.target = "nvptx64-nvidia-cuda";
  it.params.processor = "sm_90";
  build_run(&it, TN_OK);
  const tn_image image = only_image(&it);
  const tn_str text = {(const char *)image.code.data, image.code.size};
  assert_int_equal(image.format, TN_IMAGE_FORMAT_PTX);
  assert_true(tn_str_find(text, TN_STR_LIT(".target sm_90")) != SIZE_MAX);
  assert_true(tn_str_find(text, TN_STR_LIT(".visible .entry _ZTSN4sycl6detail11free_kernelI")) !=
              SIZE_MAX);
  assert_true(tn_str_find(text, TN_STR_LIT("tenon_rtc_end")) == SIZE_MAX);
  expect_kernel(&it, build_symbol(&it, "vec_add"));
  expect_assembles(image.code);
  build_end(&it);
}

static const char wave[] =
    "#include <sycl/sycl.hpp>\n"
    "namespace syclexp = sycl::ext::oneapi::experimental;\n"
    "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))\n"
    "void wave(const float *in, float *out) {\n"
    "  size_t id = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id();\n"
    "  out[id] = sycl::sin(in[id]) / in[id + 1];\n"
    "}\n";

// A machine with nothing but a driver has mathematics; and options for it reach run-time builds.
static void has_mathematics_without_a_toolkit(void **state) {
  (void)state;
  static const struct {
    const char *option, *has, *has_not;
  } rows[] = {{"-O3", "div.rn.f32", "sin.approx"},
              {"-fgpu-approx-transcendentals", "sin.approx.f32", ".ftz"},
              {"-fno-offload-fp32-prec-div", "div.full.f32", ".ftz"},
              {"-ffast-math", "div.approx.ftz.f32", "div.rn"}};
  for (size_t i = 0; i < TN_COUNT(rows); i++) {
    source_build it;
    build_of(&it, wave);
    it.params.target = "nvptx64-nvidia-cuda";
    it.params.processor = "sm_80";
    build_add_option(&it, "--cuda-path=/nonexistent");
    build_add_option(&it, rows[i].option);
    build_run(&it, TN_OK);
    const tn_image image = only_image(&it);
    const tn_str text = {(const char *)image.code.data, image.code.size};
    assert_true(tn_str_find(text, tn_str_from(rows[i].has)) != SIZE_MAX);
    assert_true(tn_str_find(text, tn_str_from(rows[i].has_not)) == SIZE_MAX);
    assert_true(tn_str_find(text, TN_STR_LIT("__nv_")) == SIZE_MAX);
    expect_assembles(image.code);
    build_end(&it);
  }
}

static void becomes_spirv(void **state) {
  (void)state;
  source_build it;
  build_of(&it, vec_add);
  it.params.target = "spirv64";
  build_run(&it, TN_OK);
  const tn_image image = only_image(&it);
  assert_int_equal(image.format, TN_IMAGE_FORMAT_SPIRV);
  assert_true(tn_spirv_is_module(image.code));
  expect_kernel(&it, build_symbol(&it, "vec_add"));
  build_end(&it);
}

static size_t count_kernels(const source_build *it) {
  const tn_fatbin images = build_images(it);
  size_t count = 0;
  for (uint32_t i = 0; i < images.image_count; i++) {
    const tn_image image = tn_fatbin_image_at(&images, i);
    count += tn_image_kernel_count(&image);
  }
  return count;
}

// Overloads, templates, structs and namespaces by registered names, with the headers' own marks.
static void names_are_expressions(void **state) {
  (void)state;
  source_build it;
  build_of(&it,
           "#include <sycl/sycl.hpp>\n"
           "namespace syclexp = sycl::ext::oneapi::experimental;\n"
           "#define K SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))\n"
           "struct pair { int a; float b; };\n"
           "namespace ns {\n"
           "template <class T> K void scale(T *p, T by) { *p *= by; }\n"
           "K void over(int *p) { *p = 1; }\n"
           "K void over(float *p, pair q) { *p = q.b; }\n"
           "}\n"
           "void plain(int *p) { *p = 2; }\n"
           "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::work_group_size<8>))\n"
           "void sized(int *p) { *p = 2; }\n");
  static const char *const names[] = {"ns::scale<float>", "&ns::scale<int>",
                                      "(void (*)(int *))ns::over",
                                      "static_cast<void (*)(float *, pair)>(ns::over)"};
  build_add_name(&it, names[0]);
  build_add_name(&it, names[2]);
  build_add_name(&it, names[3]);
  build_run(&it, TN_OK);
  assert_int_equal(it.result.name_count, 3);
  assert_int_equal(count_kernels(&it), 3);  // what is only sized is none
  expect_kernel(&it, build_symbol(&it, names[0]));
  expect_kernel(&it, build_symbol(&it, names[2]));
  assert_string_equal(build_symbol(&it, names[3]),
                      "_ZTSN4sycl6detail11free_kernelIXadL_ZN2ns4overEPf4pairEEEE");
  build_end(&it);

  it.diag = (tn_diag){0};
  it.params.name_count = 0;
  build_add_name(&it, "plain");
  build_run(&it, TN_INVALID_ARGUMENT);
  expect_has(it.diag.text, "registered name \"plain\": the function is no kernel");
  build_end(&it);
  it.params.name_count = 0;
  build_add_name(&it, "sized");  // a property, but none that makes a kernel
  build_run(&it, TN_INVALID_ARGUMENT);
  expect_has(it.diag.text, "registered name \"sized\": the function is no kernel");
  build_end(&it);
}

// What cannot be a kernel is told by the kernel's name, not only by a place in Tenon's headers.
static void wrong_kernels_are_named(void **state) {
  (void)state;
  source_build it;
  build_of(&it,
           "#include <sycl/sycl.hpp>\n"
           "namespace syclexp = sycl::ext::oneapi::experimental;\n"
           "namespace ns {\n"
           "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))\n"
           "int answers(int *p) { return *p; }\n"
           "}\n");
  build_run(&it, TN_BUILD_FAILED);
  expect_has(it.diag.text, "kernel 'ns::answers': a kernel function returns void");
  expect_has(it.result.log, "error: static assertion failed");
  build_end(&it);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_on_the_cpu),         cmocka_unit_test(becomes_ptx),
      cmocka_unit_test(has_mathematics_without_a_toolkit),
      cmocka_unit_test(becomes_spirv),           cmocka_unit_test(names_are_expressions),
      cmocka_unit_test(wrong_kernels_are_named),
  };
  return cmocka_run_group_tests_name("source_compile", tests, NULL, NULL);
}
