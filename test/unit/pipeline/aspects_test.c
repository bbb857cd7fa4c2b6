// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels ask of a device, in the images that the split makes; what device_has says of it; and
// code that differs between units.
#include "compile/module/module.h"
#include "unit/pipeline/device_code.h"

typedef struct linked {
  tn_buf fatbin;
  tn_buf messages;
  tn_fatbin parsed;
} linked;

static void link_sources(const char *const *sources, const char *level, linked *out) {
  const tn_target target = tn_target_default();
  const tn_link_params how = {.target = &target, .output = "a.out", .split = TN_SPLIT_AUTO};
  tn_link_result result;
  tn_diag diag = {0};
  tn_buf_init(&out->fatbin, DEVICE_CODE_MAX);
  tn_buf_init(&out->messages, DEVICE_CODE_MAX);
  tn_link_result_init(&result);
  const tn_status status = device_link_as(sources, level, &how, &result, &out->messages, &diag);
  if (status != TN_OK) {
    print_message("%s\n%s", diag.text, tn_buf_text(&out->messages));
  }
  assert_int_equal(status, TN_OK);
  device_join(&result, &out->fatbin);
  tn_link_result_deinit(&result);
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&out->fatbin), &out->parsed, &diag), TN_OK);
}

static void linked_deinit(linked *l) {
  tn_buf_deinit(&l->messages);
  tn_buf_deinit(&l->fatbin);
}

// The aspects of the image that has a kernel or export: "fp16,fp64".
static void aspects_of(const linked *l, const char *symbol, tn_buf *out) {
  const tn_str name = tn_str_from(symbol);
  tn_buf_clear(out);
  for (uint32_t i = 0; i < l->parsed.image_count; ++i) {
    const tn_image image = tn_fatbin_image_at(&l->parsed, i);
    tn_kernel_info kernel;
    tn_symbol_info symbol_info;
    if (!tn_image_kernel_find(&image, name, &kernel) &&
        !tn_image_export_find(&image, name, &symbol_info)) {
      continue;
    }
    for (uint32_t k = 0; k < tn_image_aspect_count(&image); ++k) {
      tn_buf_add_format(out, "%s%s", k > 0 ? "," : "",
                        tn_aspect_name(tn_image_aspect_at(&image, k)));
    }
    return;
  }
  tn_buf_add_text(out, "no image");
}

static void expect_aspects(const linked *l, const char *symbol, const char *expected) {
  tn_buf text;
  tn_buf_init(&text, 1 << 10);
  aspects_of(l, symbol, &text);
  if (strcmp(tn_buf_text(&text), expected) != 0) {
    print_message("%s: '%s', not '%s'\n", symbol, tn_buf_text(&text), expected);
  }
  assert_string_equal(tn_buf_text(&text), expected);
  tn_buf_deinit(&text);
}

static void test_what_code_uses(void **state) {
  (void)state;
  static const char *const sources[] = {
      "struct P { float a; double d; };\n"
      "SYCL_EXTERNAL double far(double); SYCL_EXTERNAL int light(int x) { return x + 1; }\n"
      "SYCL_EXTERNAL int heavy(int x) { return (int)(x * 0.7); }\n"
      "int deep(int x) { return heavy(x) + 1; }\n"
      "struct Empty; struct Half; struct Double; struct Atomic; struct Narrow; struct Deep;\n"
      "struct Far; struct Pointer; struct Bits; struct Folded;\n"
      "void f(int *p, _Float16 *h, double *d, long *l, unsigned short *u) {\n"
      "  launch<Empty>([=](item) { p[0] = light(p[1]); p[2] = (int)2.5; });\n"
      "  launch<Folded>([=](item) { const double k = 2.5; p[2] = (int)(k * 2); });\n"
      "  launch<Half>([=](item) { *h = *h * 3; });\n"
      "  launch<Double>([=](item) { p[0] = (int)*d; });\n"
      "  launch<Atomic>([=](item) { __atomic_fetch_add(l, 1, __ATOMIC_RELAXED); });\n"
      "  launch<Narrow>([=](item) { __atomic_fetch_add(p, 1, __ATOMIC_RELAXED); });\n"
      "  launch<Deep>([=](item) { __atomic_store_n(l, deep(p[1]), __ATOMIC_RELEASE); });\n"
      "  launch<Far>([=](item) { p[0] = light(1); p[1] = (int)far(1); });\n"
      "  launch<Pointer>([=](item) { p[0] = d == (double *)p; });\n"
      "  launch<Bits>([=](item) { u[0] = (unsigned short)(u[1] ^ 0x8000); });\n}\n",
      "SYCL_EXTERNAL double far(double x) { return x; }\n", NULL};
  static const char *const levels[] = {"-O0", "-O2"};
  for (size_t i = 0; i < TN_COUNT(levels); ++i) {
    linked l;
    link_sources(sources, levels[i], &l);
    assert_int_equal(l.messages.size, 0);
    expect_aspects(&l, "_ZTS5Empty", "");
    expect_aspects(&l, "_ZTS6Folded", levels[i][2] == '0' ? "fp64" : "");
    expect_aspects(&l, "_ZTS4Half", "fp16");
    expect_aspects(&l, "_ZTS6Double", "fp64");
    expect_aspects(&l, "_ZTS6Atomic", "atomic64");
    expect_aspects(&l, "_ZTS6Narrow", "");
    expect_aspects(&l, "_ZTS4Deep", "fp64,atomic64");
    expect_aspects(&l, "_ZTS3Far", "fp64");
    expect_aspects(&l, "_ZTS7Pointer", "");
    expect_aspects(&l, "_ZTS4Bits", "");
    expect_aspects(&l, "_Z5heavyi", "fp64");
    expect_aspects(&l, "_Z5lighti", "");
    linked_deinit(&l);
  }
}

static size_t count_of(const tn_buf *text, const char *needle) {
  size_t count = 0;
  for (const char *at = tn_buf_text(text); (at = strstr(at, needle)) != NULL; ++at) {
    ++count;
  }
  return count;
}

// Clang leaves device_has as an annotation with the numbers of the aspects.
#define HAS(...) "__attribute__((annotate(\"tenon.device_has\"" __VA_ARGS__ ")))"
#define HAS_LAMBDA(...) "[[clang::annotate(\"tenon.device_has\"" __VA_ARGS__ ")]]"

static void test_what_device_has_says(void **state) {
  (void)state;
  static const char *const sources[] = {
      "\n"
      "SYCL_EXTERNAL int on_gpu(int x) " HAS(", 1, 6") " { return x; }\n"
      "\n"
      "SYCL_EXTERNAL int nothing(int x) " HAS() " { return\n  (int)(x * 0.7); }\n"
      "SYCL_EXTERNAL int kept(int x) " HAS(", 7") " { return (int)(x * 0.7); }\n"
      "struct Listed; struct Plain;\nvoid f(int *p) {\n"
      "  launch<Listed>([=] " HAS_LAMBDA(", 0") " (item) { p[0] = on_gpu(1); });\n"
      "  launch<Plain>([=](item) { p[0] = kept(1); });\n}\n",
      NULL};
  static const char *const levels[] = {"-O0", "-O2"};
  static const char *const expected[] = {
      "test.cpp:2: warning: 'on_gpu(int)' declares aspect::gpu, which the device_has of "
      "'f(int*)::{lambda(item)#1}::operator()(item) const' does not list\n"
      "test.cpp:9:81: note: called from 'f(int*)::{lambda(item)#1}::operator()(item) const' here\n"
      "test.cpp:9: note: 'f(int*)::{lambda(item)#1}::operator()(item) const' has its device_has",
      "'on_gpu(int)' declares aspect::fp16, which the device_has of",
      "5:9: warning: 'nothing(int)' needs aspect::fp64, which its device_has does not list\n",
  };
  for (size_t i = 0; i < TN_COUNT(levels); ++i) {
    linked l;
    link_sources(sources, levels[i], &l);
    for (size_t k = 0; k < TN_COUNT(expected); ++k) {
      if (!strstr(tn_buf_text(&l.messages), expected[k])) {
        print_message("%s\n---- not in\n%s\n", expected[k], tn_buf_text(&l.messages));
      }
      assert_non_null(strstr(tn_buf_text(&l.messages), expected[k]));
    }
    assert_int_equal(count_of(&l.messages, "warning:"), TN_COUNT(expected));
    // What was inlined is asked for all the same.
    expect_aspects(&l, "_ZTS6Listed", "cpu,gpu,fp16");
    expect_aspects(&l, "_ZTS5Plain", "fp64");
    expect_aspects(&l, "_Z6on_gpui", "gpu,fp16");
    linked_deinit(&l);
  }
}

// Linkers would look for what device code leaves as libraries.
static void test_no_libraries_are_left(void **state) {
  (void)state;
  static const char text[] =
      "#pragma comment(lib, \"m\")\n"
      "SYCL_EXTERNAL int f(int x) { return x; }\n";
  tn_buf out;
  tn_buf messages;
  tn_diag diag = {0};
  tn_llvm_job job;
  LLVMModuleRef module = NULL;
  tn_buf_init(&out, DEVICE_CODE_MAX);
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  assert_int_equal(device_unit(text, "-O2", 1, &out, &messages, &diag), TN_OK);
  assert_int_equal(tn_llvm_job_init(&job, &diag), TN_OK);
  assert_int_equal(tn_module_parse(&job, tn_buf_bytes(&out), "unit", &module, &diag), TN_OK);
  assert_null(LLVMGetNamedMetadata(module, "llvm.dependent-libraries", 24));
  assert_non_null(LLVMGetNamedFunction(module, "_Z1fi"));
  LLVMDisposeModule(module);
  tn_llvm_job_deinit(&job);
  tn_buf_deinit(&messages);
  tn_buf_deinit(&out);
}

#define SAME                                                                                    \
  "inline int same(int x) { int a = x, b = 2; return a - b; }\n"                                \
  "template <class T> T tmpl(T x) { return x * 3; }\n"                                          \
  "extern \"C\" void __assert_fail(const char *, const char *, unsigned, const char *);\n"      \
  "inline int checks(int x) { if (x > 9) __assert_fail(\"x\", FILE, 1, \"f\"); return x; }\n"   \
  "inline void shared(int *p) {\n  launch<class InHeader>([=](item) { p[0] = same(checks(1)); " \
  "});\n}\n"

static void test_code_that_differs(void **state) {
  (void)state;
  static const char *const sources[] = {
      "#define FILE \"a.hpp\"\n" SAME
      "inline int table(int x) { const int t[4] = {1, 2, 3, 4}; return t[x]; }\n"
      "struct Twice;\ninline int differs(int x) { int a = x, b = 2; return a - b; }\n"
      "static int own(int x) { return x; }\n"
      "void f(int *p) { shared(p); launch<class Mine>([=](item) { p[0] = own(1) + tmpl(2) + "
      "table(1); });\n"
      "  launch<Twice>([=](item) { p[1] = differs(1); });\n}\n",
      "#define FILE \"../other/folder/a.hpp\"\n"
      "struct Other { int a; } other; const char *text = \"x\";\n" SAME
      "inline int table(int x) { const int t[4] = {1, 2, 3, 5}; return t[x]; }\n"
      "struct Twice;\ninline int differs(int x) { int a = x, b = 2; return b - a; }\n"
      "static int own(int x) { return 2 * x; }\n"
      "void g(int *p) { shared(p); launch<class Mine>([=](item) { p[0] = own(1) + tmpl(2) + "
      "table(1); });\n"
      "  launch<Twice>([=](item) { p[2] = differs(2); });\n}\n",
      NULL};
  static const char *const levels[] = {"-O0", "-O2"};
  for (size_t i = 0; i < TN_COUNT(levels); ++i) {
    linked l;
    link_sources(sources, levels[i], &l);
    if (count_of(&l.messages, "warning:") != 3) {
      print_message("%s\n", tn_buf_text(&l.messages));
    }
    assert_int_equal(count_of(&l.messages, "warning:"), 3);
    assert_non_null(strstr(tn_buf_text(&l.messages),
                           "test.cpp:12: warning: inline function 'differs(int)' has other code in "
                           "u1.o than in u0.o; the program gets one of them for both\n"
                           "test.cpp:11: note: the code in u0.o is here\n"));
    assert_non_null(strstr(tn_buf_text(&l.messages),
                           "test.cpp:15: warning: kernel 'Twice' has other code in u1.o"));
    assert_non_null(strstr(tn_buf_text(&l.messages), "inline function 'table(int)' has other"));
    linked_deinit(&l);
  }
}

// Two units of one id: their kernels without linkage are one when their code is.
static void test_local_kernels_of_one_id(void **state) {
  (void)state;
  static const char *const sources[] = {
      "namespace { struct K; }\nvoid f(int *p) { launch<K>([=](item) { p[0] = 1; }); }\n",
      "namespace { struct K; }\nvoid f(int *p) { launch<K>([=](item) { p[0] = 1; }); }\n",
      "namespace { struct K; }\nvoid f(int *p) { launch<K>([=](item) { p[0] = 2; }); }\n"};
  static const char *const names[] = {"a.o", "b.o", "c.o"};
  tn_buf code[3];
  tn_buf symbols[3];
  tn_buf messages;
  tn_diag diag = {0};
  tn_link_input inputs[3];
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  for (size_t i = 0; i < TN_COUNT(inputs); ++i) {
    tn_buf_init(&code[i], DEVICE_CODE_MAX);
    tn_buf_init(&symbols[i], DEVICE_CODE_MAX);
    assert_int_equal(device_unit_listed(sources[i], "-O2", 5, &code[i], &symbols[i], &messages,
                                        &diag), TN_OK);
    inputs[i] = (tn_link_input){tn_buf_bytes(&code[i]), tn_buf_str(&symbols[i]), names[i]};
  }
  const tn_target target = tn_target_default();
  tn_link_params params = {.target = &target, .inputs = inputs, .input_count = 2, .opt_level = 2};
  tn_link_result result;
  tn_link_result_init(&result);
  assert_int_equal(tn_pipeline_link(&params, &result, &messages, &diag), TN_OK);
  assert_int_equal(messages.size, 0);
  tn_link_result_deinit(&result);
  params.input_count = 3;
  tn_link_result_init(&result);
  assert_int_equal(tn_pipeline_link(&params, &result, &messages, &diag), TN_BUILD_FAILED);
  assert_non_null(strstr(tn_buf_text(&messages),
                         "test.cpp:2: error: kernel '(anonymous namespace)::K' has other code in "
                         "c.o than in a.o although both units have one id; give the kernels "
                         "different names\ntest.cpp:2: note: the code in a.o is here\n"));
  assert_int_equal(count_of(&messages, "error:"), 1);
  tn_link_result_deinit(&result);
  for (size_t i = 0; i < TN_COUNT(inputs); ++i) {
    tn_buf_deinit(&code[i]);
    tn_buf_deinit(&symbols[i]);
  }
  tn_buf_deinit(&messages);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_local_kernels_of_one_id),
      cmocka_unit_test(test_what_code_uses),
      cmocka_unit_test(test_what_device_has_says),
      cmocka_unit_test(test_no_libraries_are_left),
      cmocka_unit_test(test_code_that_differs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
