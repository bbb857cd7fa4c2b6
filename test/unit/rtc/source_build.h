// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of compile_source: a build with what it is made of and what came out of it.
#ifndef TN_TEST_UNIT_RTC_SOURCE_BUILD_H
#define TN_TEST_UNIT_RTC_SOURCE_BUILD_H

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "base/file.h"
#include "image/image.h"
#include "rtc/rtc.h"

// What the SYCL headers do, as far as compile_source sees it, in little text.
#define SOURCE_STAND_IN                                                                        \
  "#pragma once\n"                                                                             \
  "typedef unsigned long size_t;\n"                                                            \
  "#define SYCL_EXTERNAL [[clang::sycl_external]] [[clang::annotate(\"tenon.sycl_external\", " \
  "1)]]\n"                                                                                     \
  "#define SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(kind) SYCL_EXTERNAL "                             \
  "[[clang::annotate(\"tenon-free-function\", kind, 0, 0, 0)]]\n"                              \
  "#define KERNEL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(1)\n"                                      \
  "SYCL_EXTERNAL size_t __spirv_BuiltInGlobalInvocationId(int);\n"                             \
  "namespace sycl::detail {\n"                                                                 \
  "template <auto *F> struct free_kernel;\n"                                                   \
  "template <class T> struct one { T value; };\n"                                              \
  "template <auto *F, class T> [[clang::sycl_kernel_entry_point(free_kernel<F>)]]\n"           \
  "void free_entry(one<T> block) { F(block.value); }\n"                                        \
  "template <auto *F, class Type> struct free_call;\n"                                         \
  "template <auto *F, class T> struct free_call<F, void (*)(T)> {\n"                           \
  "  static constexpr auto entry = &free_entry<F, T>; };\n"                                    \
  "template <auto *F> struct free_function : free_call<F, decltype(F)> {};\n"                  \
  "}\n"

typedef struct source_build {
  tn_source_params params;
  tn_source_file includes[8];
  const char *options[32];
  const char *names[16];
  tn_source_result result;
  tn_diag diag;
} source_build;

static inline void build_of(source_build *it, const char *text) {
  *it = (source_build){0};
  it->params = (tn_source_params){
      .struct_size = sizeof(it->params),
      .language = TN_LANGUAGE_SYCL,
      .source = {"rtc_7.cpp", text, strlen(text)},
      .includes = it->includes,
      .options = it->options,
      .names = it->names,
      .target = TN_TARGET_NATIVE_CPU,
  };
  it->result.struct_size = sizeof(it->result);
}

static inline void build_add_include(source_build *it, const char *name, const char *text) {
  it->includes[it->params.include_count++] = (tn_source_file){name, text, strlen(text)};
}

// A source that says #include "kernel.h" gets the stand-in.
static inline void build_of_kernels(source_build *it, const char *text) {
  build_of(it, text);
  build_add_include(it, "kernel.h", SOURCE_STAND_IN);
}

static inline void build_add_option(source_build *it, const char *option) {
  it->options[it->params.option_count++] = option;
}

static inline void build_add_name(source_build *it, const char *name) {
  it->names[it->params.name_count++] = name;
}

static inline void build_run(source_build *it, tn_status expected) {
  const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
  const tn_status status = compiler->compile_source(&it->params, &it->result, &it->diag);
  if (status != expected) {
    print_message("%s\n%s", it->diag.text, it->result.log ? it->result.log : "");
  }
  assert_int_equal(status, expected);
  assert_int_equal(status == TN_OK, it->result.fatbin != NULL);
  assert_non_null(it->result.log);
}

static inline void build_end(source_build *it) {
  tn_compiler_query(TN_COMPILER_VERSION)->free_source_result(&it->result);
}

static inline tn_fatbin build_images(const source_build *it) {
  tn_fatbin images;
  tn_diag diag = {0};
  assert_int_equal(
      tn_fatbin_parse(tn_bytes_from(it->result.fatbin, it->result.fatbin_size), &images, &diag),
      TN_OK);
  return images;
}

// The symbol of a name; the test fails when the result does not have it.
static inline const char *build_symbol(const source_build *it, const char *name) {
  for (size_t i = 0; i < it->result.name_count; i++) {
    if (strcmp(it->result.names[i].name, name) == 0) {
      return it->result.names[i].symbol;
    }
  }
  fail_msg("the build gives no kernel '%s'", name);
  return NULL;
}

static inline void expect_kernel(const source_build *it, const char *symbol) {
  const tn_fatbin images = build_images(it);
  for (uint32_t i = 0; i < images.image_count; i++) {
    const tn_image image = tn_fatbin_image_at(&images, i);
    tn_kernel_info info;
    if (tn_image_kernel_find(&image, tn_str_from(symbol), &info)) {
      return;
    }
  }
  fail_msg("no image has the kernel %s", symbol);
}

static inline void expect_has(const char *text, const char *part) {
  if (!strstr(text, part)) {
    fail_msg("\"%s\" does not say \"%s\"", text, part);
  }
}

#endif
