// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From C++ to numbers: device pass, unit, link, build, load, call.
#include "unit/pipeline/device_code.h"

#include "base/thread.h"
#include "rtc/rtc.h"
#include "tenon/cpu_kernel.h"

typedef struct loaded {
  const tn_compiler *compiler;
  tn_native_code *code;
} loaded;

// The caller frees the object with the compiler's `free_object`.
static void *build_object(const tn_compiler *compiler, const tn_build_image *images, size_t count,
                          uint32_t opt_level, size_t *out_size) {
  assert_non_null(compiler);
  const tn_build_params params = {.struct_size = sizeof(params), .opt_level = opt_level,
                                  .target = TN_TARGET_NATIVE_CPU, .images = images,
                                  .image_count = count};
  void *object = NULL;
  tn_diag diag = {0};
  const tn_status status = compiler->build(&params, &object, out_size, &diag);
  if (status != TN_OK) {
    print_message("%s\n", diag.text);
  }
  assert_int_equal(status, TN_OK);
  return object;
}

static loaded build(const tn_build_image *images, size_t count, uint32_t opt_level) {
  loaded result = {.compiler = tn_compiler_query(TN_COMPILER_VERSION)};
  size_t size = 0;
  tn_diag diag = {0};
  void *object = build_object(result.compiler, images, count, opt_level, &size);
  assert_int_equal(result.compiler->code_load(object, size, &result.code, &diag), TN_OK);
  result.compiler->free_object(object);
  return result;
}

static tn_cpu_kernel_fn find(const loaded *l, const char *kernel) {
  tn_buf name;
  tn_buf_init(&name, 4096);
  tn_buf_add_text(&name, kernel);
  tn_buf_add_text(&name, TN_CPU_KERNEL_SUFFIX);
  void *address = l->compiler->code_find(l->code, tn_buf_text(&name));
  tn_buf_deinit(&name);
  if (!address) {
    print_message("no kernel %s\n", kernel);
  }
  assert_non_null(address);
  return (tn_cpu_kernel_fn)(uintptr_t)address;
}

// Runs a whole range as one group, ids from 0.
static void run(tn_cpu_kernel_fn kernel, const void *args, uint64_t x, uint64_t y, uint64_t z) {
  const tn_cpu_group group = {.local_size = {x, y, z}, .global_size = {x, y, z},
                              .group_count = {1, 1, 1}, .enqueued_local_size = {x, y, z}};
  kernel(args, &group);
}

static const char *const levels[] = {"-O0", "-O2"};

static void link_one(const char *const *sources, const char *level, const char *name,
                     tn_buf *fatbin) {
  tn_buf messages;
  tn_diag diag = {0};
  tn_buf_init(fatbin, DEVICE_CODE_MAX);
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  const tn_status status = device_link(sources, level, name, fatbin, &messages, &diag);
  if (status != TN_OK) {
    print_message("%s\n%s", diag.text, tn_buf_text(&messages));
  }
  assert_int_equal(status, TN_OK);
  tn_buf_deinit(&messages);
}

static void test_ids_in_three_dimensions(void **state) {
  (void)state;
  static const char *const sources[] = {
      "void f(int *p) { launch<class K3>([=](item i) {\n"
      "  size_t x = i.get(0), y = i.get(1), z = i.get(2);\n"
      "  p[(z * i.range(1) + y) * i.range(0) + x] += (int)(100 * z + 10 * y + x); });\n"
      "  launch<class K1>([=](item i) { p[i.get(0)] = (int)i.get(0) * 3 + (int)i.local(0); });\n"
      "  launch<class KG>([=](item i) { p[i.get(0)] = (int)(1000 * __spirv_BuiltInWorkgroupId(0)\n"
      "    + 100 * __spirv_BuiltInNumWorkgroups(0) + 10 * __spirv_BuiltInWorkgroupSize(0)\n"
      "    + __spirv_BuiltInGlobalOffset(0)); }); }\n", NULL};
  for (size_t l = 0; l < TN_COUNT(levels); ++l) {
    tn_buf fatbin;
    link_one(sources, levels[l], "a.out", &fatbin);
    const tn_build_image image = device_build_image(&fatbin, "a.out");
    for (uint32_t opt = 0; opt <= 3; ++opt) {
      loaded code = build(&image, 1, opt);
      int cells[4 * 3 * 2] = {0};
      int *p = cells;
      run(find(&code, "_ZTSZ1fPiE2K3"), &p, 4, 3, 2);
      for (int i = 0; i < 24; ++i) {
        assert_int_equal(cells[i], 100 * (i / 12) + 10 * (i / 4 % 3) + i % 4);
      }
      run(find(&code, "_ZTSZ1fPiE2K1"), &p, 24, 1, 1);
      for (int i = 0; i < 24; ++i) {
        assert_int_equal(cells[i], i * 4);
      }
      const tn_cpu_group group = {.local_size = {2, 1, 1}, .base = {7, 0, 0},
                                  .global_size = {8, 1, 1}, .global_offset = {1, 0, 0},
                                  .group_id = {3, 0, 0}, .group_count = {4, 1, 1},
                                  .enqueued_local_size = {2, 1, 1}};
      find(&code, "_ZTSZ1fPiE2KG")(&p, &group);
      assert_int_equal(cells[6], 24);
      assert_int_equal(cells[7], 3421);
      assert_int_equal(cells[8], 3421);
      assert_int_equal(cells[9], 36);
      code.compiler->code_unload(code.code);
    }
    tn_buf_deinit(&fatbin);
  }
}

static void test_functor_is_each_items_own(void **state) {
  (void)state;
  static const char *const sources[] = {
      "struct M { int *p; mutable int n; void operator()(item i) const { p[i.get(0)] = ++n; } };\n"
      "struct C { int *p; int n; C(int *q) : p(q), n(5) {} C(const C &o) : p(o.p), n(o.n) {}\n"
      "  ~C() {} void operator()(item i) const { p[i.get(0)] = n; } };\n"
      "void f(int *p) { launch<class KM>(M{p, 10}); launch<class KC>(C(p));\n"
      "  launch<class KL>([=](item i) { int t[8]; int s = 0;\n"
      "    for (int k = 0; k < 8; ++k) t[k] = k * (int)i.get(0);\n"
      "    for (int k = 0; k < 8; ++k) s += t[(k + i.get(0)) % 8];\n"
      "    p[i.get(0)] = s; }); }\n",
      NULL};
  for (size_t l = 0; l < TN_COUNT(levels); ++l) {
    tn_buf fatbin;
    link_one(sources, levels[l], "a.out", &fatbin);
    const tn_image image = device_image(&fatbin);
    tn_kernel_info info;
    assert_true(tn_image_kernel_find(&image, tn_str_from("_ZTSZ1fPiE2KC"), &info));
    assert_true(info.arg_size >= 12 && info.arg_size <= 16);
    assert_true(tn_image_kernel_find(&image, tn_str_from("_ZTSZ1fPiE2KM"), &info));
    assert_int_equal(info.arg_size, 16);
    assert_int_equal(info.arg_align, 8);
    const tn_build_image input = device_build_image(&fatbin, "a.out");
    for (uint32_t opt = 0; opt <= 2; opt += 2) {
      loaded code = build(&input, 1, opt);
      int cells[33] = {0};
      struct { int *p; int n; int pad; } args = {cells, 10, 0};
      run(find(&code, "_ZTSZ1fPiE2KM"), &args, 33, 1, 1);
      for (int i = 0; i < 33; ++i) {
        assert_int_equal(cells[i], 11);
      }
      assert_int_equal(args.n, 10);
      run(find(&code, "_ZTSZ1fPiE2KC"), &args, 33, 1, 1);
      assert_int_equal(cells[32], 10);
      run(find(&code, "_ZTSZ1fPiE2KL"), &args, 33, 1, 1);
      for (int i = 0; i < 33; ++i) {
        assert_int_equal(cells[i], 28 * i);
      }
      code.compiler->code_unload(code.code);
    }
    tn_buf_deinit(&fatbin);
  }
}

static void test_equal_names_without_linkage(void **state) {
  (void)state;
  static const char *const sources[] = {
      "namespace { struct K; } int plain(int x) { return x + 1; }\n"
      "static void s(int *p) { launch<class In>([=](item) { p[2] = 5; }); }\n"
      "void f(int *p) { launch<K>([=](item) { p[0] = plain(1); }); s(p); }\n"
      "template <class T> void shared(int *p) { launch<T>([=](item) { p[4] += 1; }); }\n"
      "struct Name; void g(int *p) { shared<Name>(p); }\n",
      "namespace { struct K; } int plain(int x) { return x + 2; }\n"
      "static void s(int *p) { launch<class In>([=](item) { p[3] = 6; }); }\n"
      "void f2(int *p) { launch<K>([=](item) { p[1] = plain(1); }); s(p); }\n"
      "template <class T> void shared(int *p) { launch<T>([=](item) { p[4] += 1; }); }\n"
      "struct Name; void g2(int *p) { shared<Name>(p); }\n", NULL};
  tn_buf fatbin;
  link_one(sources, "-O2", "a.out", &fatbin);
  const tn_image image = device_image(&fatbin);
  assert_int_equal(tn_image_kernel_count(&image), 5);
  const tn_build_image input = device_build_image(&fatbin, "a.out");
  loaded code = build(&input, 1, 2);
  int cells[5] = {0};
  int *p = cells;
  run(find(&code, "_ZTSN12_GLOBAL__N_11KE@0000000000001000"), &p, 1, 1, 1);
  run(find(&code, "_ZTSN12_GLOBAL__N_11KE@0000000000001001"), &p, 1, 1, 1);
  run(find(&code, "_ZTSZL1sPiE2In@0000000000001000"), &p, 1, 1, 1);
  run(find(&code, "_ZTSZL1sPiE2In@0000000000001001"), &p, 1, 1, 1);
  run(find(&code, "_ZTS4Name"), &p, 1, 1, 1);
  assert_int_equal(cells[0], 2);
  assert_int_equal(cells[1], 3);
  assert_int_equal(cells[2], 5);
  assert_int_equal(cells[3], 6);
  assert_int_equal(cells[4], 1);
  code.compiler->code_unload(code.code);
  tn_buf_deinit(&fatbin);
}

static const char app[] =
    "SYCL_EXTERNAL int lib(int); SYCL_EXTERNAL int own(int x) { return x + 1000; }\n"
    "void f(int *p) { launch<class A>([=](item i) { int n = i.get(0); p[n] = lib(n) + own(0); });\n"
    "  launch<class P>([=](item i) { int (*fp[2])(int) = {lib, own}; int n = i.get(0);\n"
    "    p[n] = fp[n % 2](n); }); }\n";
static const char library[] =
    "SYCL_EXTERNAL int missing(int); SYCL_EXTERNAL int lib(int x) { return x * 2; }\n"
    "SYCL_EXTERNAL int unused(int x) { return missing(x); }\n"
    "SYCL_EXTERNAL int own(int x) { return x + 5; }\n";

static void test_images_call_each_other(void **state) {
  (void)state;
  static const char *const app_sources[] = {app, NULL};
  static const char *const library_sources[] = {library, NULL};
  static const char *const none[] = {NULL};
  static const char *const lib_only[] = {"_Z3libi"};
  static const char *const lib_and_own[] = {"_Z3libi", "_Z3owni"};
  for (size_t l = 0; l < TN_COUNT(levels); ++l) {
    tn_buf a;
    tn_buf b;
    link_one(app_sources, levels[l], "a.out", &a);
    link_one(library_sources, levels[l], "libb.so", &b);
    const tn_image image = device_image(&a);
    assert_int_equal(tn_image_import_count(&image), 1);
    const tn_symbol_info import = tn_image_import_at(&image, 0);
    assert_true(tn_str_equals(import.name, tn_str_from("_Z3libi")));
    assert_true(tn_str_equals(import.display_name, tn_str_from("lib(int)")));
    assert_true(tn_str_equals(import.file, tn_str_from("test.cpp")));
    assert_int_equal(import.line, 2);
    assert_int_equal(tn_image_export_count(&image), 1);
    for (uint32_t opt = 0; opt <= 2; opt += 2) {
      tn_build_image images[2] = {device_build_image(&a, "a.out"),
                                  device_build_image(&b, "libb.so")};
      images[1].take = lib_only;
      images[1].take_count = 1;
      loaded code = build(images, 2, opt);
      int cells[4] = {0};
      int *p = cells;
      run(find(&code, "_ZTSZ1fPiE1A"), &p, 4, 1, 1);
      assert_int_equal(cells[3], 1006);
      run(find(&code, "_ZTSZ1fPiE1P"), &p, 4, 1, 1);
      assert_int_equal(cells[2], 4);
      assert_int_equal(cells[3], 1003);
      code.compiler->code_unload(code.code);
      // The second image's own(int) is preferred: as with a preloaded host library.
      images[0].take = none;
      images[1].take = lib_and_own;
      images[1].take_count = 2;
      code = build(images, 2, opt);
      run(find(&code, "_ZTSZ1fPiE1P"), &p, 4, 1, 1);
      assert_int_equal(cells[3], 8);
      code.compiler->code_unload(code.code);
    }
    tn_buf_deinit(&a);
    tn_buf_deinit(&b);
  }
}

static void test_unresolved_symbol_is_named(void **state) {
  (void)state;
  static const char *const sources[] = {app, NULL};
  tn_buf a;
  link_one(sources, "-O2", "a.out", &a);
  const tn_build_image image = device_build_image(&a, "a.out");
  const tn_build_params params = {.struct_size = sizeof(params), .opt_level = 2,
                                  .target = TN_TARGET_NATIVE_CPU, .images = &image,
                                  .image_count = 1};
  void *object = NULL;
  size_t size = 0;
  tn_diag diag = {0};
  const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
  assert_int_equal(compiler->build(&params, &object, &size, &diag), TN_BUILD_FAILED);
  assert_non_null(strstr(diag.text, "lib(int)"));
  assert_non_null(strstr(diag.text, "a.out"));
  assert_null(object);
  tn_buf_deinit(&a);
}

static void test_math_and_memory_functions(void **state) {
  (void)state;
  static const char *const sources[] = {
      "extern \"C\" float sinf(float); extern \"C\" double pow(double, double);\n"
      "extern \"C\" void *memcpy(void *, const void *, size_t);\n"
      "struct Big { int v[100]; };\n"
      "void f(float *p, Big *b) { launch<class K>([=](item i) { size_t n = i.get(0);\n"
      "  p[n] = sinf((float)n) + (float)pow((double)n, 1.5); memcpy(&b[1], &b[0], sizeof(Big));\n"
      "}); }\n",
      NULL};
  for (size_t l = 0; l < TN_COUNT(levels); ++l) {
    tn_buf fatbin;
    link_one(sources, levels[l], "a.out", &fatbin);
    const tn_image image = device_image(&fatbin);
    assert_int_equal(tn_image_import_count(&image), 0);
    const tn_build_image input = device_build_image(&fatbin, "a.out");
    loaded code = build(&input, 1, l == 0 ? 0 : 2);
    float cells[16] = {0};
    int big[200] = {[7] = 42};
    struct { float *p; int *b; } args = {cells, big};
    run(find(&code, "_ZTSZ1fPfP3BigE1K"), &args, 16, 1, 1);
    assert_true(cells[4] > 7.24F && cells[4] < 7.25F);
    assert_int_equal(big[107], 42);
    code.compiler->code_unload(code.code);
    tn_buf_deinit(&fatbin);
  }
}

// Unoptimized images once ended the process when optimized here: LLVM insists that one run of
// instcombine is enough unless it is told not to.
static void test_instcombine_without_fixpoint(void **state) {
  (void)state;
  static const char *const sources[] = {
      "struct at { size_t v[1]; size_t get(int d) const { return v[d]; } };\n"
      "struct id { size_t v[1]; [[gnu::noinline]] id(const at &i) { for (int d = 0; d < 1; ++d)\n"
      "  v[d] = i.get(d); } };\n"
      "void f(size_t *p) { launch<class K>([=](item i) { at a{{i.get(0)}}; id b(a);\n"
      "  p[b.v[0]] = b.v[0]; }); }\n", NULL};
  tn_buf fatbin;
  link_one(sources, "-O0", "a.out", &fatbin);
  const tn_build_image image = device_build_image(&fatbin, "a.out");
  loaded code = build(&image, 1, 2);
  size_t cells[9] = {0};
  size_t *p = cells;
  run(find(&code, "_ZTSZ1fPmE1K"), &p, 9, 1, 1);
  assert_int_equal(cells[8], 8);
  code.compiler->code_unload(code.code);
  tn_buf_deinit(&fatbin);
}

typedef struct thread_job {
  const tn_build_image *image;
  int result;
} thread_job;

static void *build_and_run(void *user) {
  thread_job *job = user;
  const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
  const tn_build_params params = {.struct_size = sizeof(params), .opt_level = 2,
                                  .target = TN_TARGET_NATIVE_CPU, .images = job->image,
                                  .image_count = 1};
  for (int i = 0; i < 4; ++i) {
    void *object = NULL;
    size_t size = 0;
    tn_native_code *code = NULL;
    if (compiler->build(&params, &object, &size, NULL) != TN_OK ||
        compiler->code_load(object, size, &code, NULL) != TN_OK) {
      return NULL;
    }
    compiler->free_object(object);
    void *kernel = compiler->code_find(code, "_ZTSZ1fPiE1K" TN_CPU_KERNEL_SUFFIX);
    int values[5] = {0};
    int *p = values;
    run((tn_cpu_kernel_fn)(uintptr_t)kernel, &p, 5, 1, 1);
    for (size_t k = 0; k < TN_COUNT(values); ++k) {
      job->result += values[k];
    }
    compiler->code_unload(code);
  }
  return NULL;
}

static bool code_names(const tn_build_image *image, uint32_t opt_level, const char *name) {
  const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
  size_t size = 0;
  void *object = build_object(compiler, image, 1, opt_level, &size);
  const tn_str code = {object, size};
  const bool is_there = tn_str_find(code, tn_str_from(name)) != SIZE_MAX;
  compiler->free_object(object);
  return is_there;
}

// Clang marks every function of -O0 as not to be inlined; where code is optimized when it is built,
// that is forgotten.
static void test_code_of_o0_is_inlined(void **state) {
  (void)state;
  static const char *const sources[] = {
      "static int add_one(int x) { return x + 1; }\n"
      "void f(int *p) { launch<class K>([=](item i) { p[i.get(0)] = add_one(p[0]); }); }\n",
      NULL};
  tn_buf fatbin;
  link_one(sources, "-O0", "a.out", &fatbin);
  tn_build_image image = device_build_image(&fatbin, "a.out");
  assert_true(code_names(&image, 2, "add_one"));
  image.flags = TN_BUILD_IMAGE_UNOPTIMIZED;
  assert_false(code_names(&image, 2, "add_one"));
  assert_true(code_names(&image, 0, "add_one"));
  tn_buf_deinit(&fatbin);
}

static void test_several_threads(void **state) {
  (void)state;
  static const char *const sources[] = {
      "void f(int *p) { launch<class K>([=](item i) { p[i.get(0)] = (int)i.get(0) + 1; }); }\n",
      NULL};
  tn_buf fatbin;
  link_one(sources, "-O2", "a.out", &fatbin);
  const tn_build_image image = device_build_image(&fatbin, "a.out");
  thread_job jobs[4] = {{&image, 0}, {&image, 0}, {&image, 0}, {&image, 0}};
  tn_thread threads[4];
  for (size_t i = 0; i < 4; ++i) {
    assert_int_equal(tn_thread_create(&threads[i], "build", build_and_run, &jobs[i], NULL), TN_OK);
  }
  for (size_t i = 0; i < 4; ++i) {
    tn_thread_join(threads[i]);
    assert_int_equal(jobs[i].result, 60);
  }
  tn_buf_deinit(&fatbin);
}

static void test_what_the_device_lacks_is_named(void **state) {
  (void)state;
  static const char *const sources[] = {
      "SYCL_EXTERNAL size_t __spirv_BuiltInSubgroupSize(int);\n"
      "void f(size_t *p) { launch<class K>([=](item) { *p = __spirv_BuiltInSubgroupSize(0); }); "
      "}\n",
      NULL};
  static const char *const by_pointer[] = {
      "SYCL_EXTERNAL size_t asks() { return __spirv_BuiltInGlobalSize(0); }\n"
      "SYCL_EXTERNAL size_t other() { return 3; }\n"
      "void f(size_t *p, int n) { launch<class K>([=](item) {\n"
      "  size_t (*fp[2])() = {asks, other}; *p = fp[n](); }); }\n", NULL};
  static const char *const helper[] = {
      "SYCL_EXTERNAL void __spirv_ControlBarrier(int);\n"
      "void f(int *p) { launch<class K>([=](item) { __spirv_ControlBarrier(2); *p = 1; }); }\n",
      NULL};
  static const char *const *const cases[] = {sources, by_pointer, helper};
  static const char *const expect[] = {"__spirv_BuiltInSubgroupSize", "'asks()' asks for the id",
                                       "__spirv_ControlBarrier"};
  const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
  for (size_t i = 0; i < TN_COUNT(cases); ++i) {
    tn_buf fatbin;
    link_one(cases[i], "-O2", "a.out", &fatbin);
    const tn_build_image image = device_build_image(&fatbin, "a.out");
    const tn_build_params params = {.struct_size = sizeof(params), .opt_level = 2,
                                    .target = TN_TARGET_NATIVE_CPU, .images = &image,
                                    .image_count = 1};
    void *object = NULL;
    size_t size = 0;
    tn_diag diag = {0};
    const tn_status status = compiler->build(&params, &object, &size, &diag);
    if (status != TN_BUILD_FAILED || !strstr(diag.text, expect[i])) {
      print_message("case %zu: %s\n", i, diag.text);
    }
    assert_int_equal(status, TN_BUILD_FAILED);
    assert_non_null(strstr(diag.text, expect[i]));
    tn_buf_deinit(&fatbin);
  }
}

static void test_damaged_input_is_refused(void **state) {
  (void)state;
  const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
  tn_diag diag = {0};
  void *object = NULL;
  size_t size = 0;
  const tn_build_image image = {.code = "BC\xC0\xDErubbish follows here", .size = 20,
                                .format = TN_IMAGE_FORMAT_BITCODE, .name = "bad.so"};
  tn_build_params params = {.struct_size = sizeof(params), .opt_level = 2,
                            .target = TN_TARGET_NATIVE_CPU, .images = &image, .image_count = 1};
  assert_int_equal(compiler->build(&params, &object, &size, &diag), TN_BAD_IMAGE);
  assert_non_null(strstr(diag.text, "bad.so"));
  params.target = "toaster";
  assert_int_equal(compiler->build(&params, &object, &size, &diag), TN_UNSUPPORTED);
  assert_non_null(strstr(diag.text, "toaster"));
  tn_native_code *code = NULL;
  assert_int_equal(compiler->code_load("no object", 9, &code, &diag), TN_BUILD_FAILED);
  assert_null(code);
  assert_null(tn_compiler_query(0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ids_in_three_dimensions),
      cmocka_unit_test(test_functor_is_each_items_own),
      cmocka_unit_test(test_equal_names_without_linkage),
      cmocka_unit_test(test_images_call_each_other),
      cmocka_unit_test(test_unresolved_symbol_is_named),
      cmocka_unit_test(test_math_and_memory_functions),
      cmocka_unit_test(test_instcombine_without_fixpoint),
      cmocka_unit_test(test_code_of_o0_is_inlined),
      cmocka_unit_test(test_several_threads),
      cmocka_unit_test(test_what_the_device_lacks_is_named),
      cmocka_unit_test(test_damaged_input_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
