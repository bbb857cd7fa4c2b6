// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of the compiler: C++ text through clang's device pass, then through the pipeline.
#ifndef TN_TEST_UNIT_PIPELINE_DEVICE_CODE_H
#define TN_TEST_UNIT_PIPELINE_DEVICE_CODE_H

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "base/file.h"
#include "base/process.h"
#include "compile/pipeline/pipeline.h"
#include "image/image.h"

enum { DEVICE_CODE_MAX = 1 << 26 };

// What the SYCL headers do, as far as the compiler sees it.
#define DEVICE_PRELUDE \
  "typedef unsigned long size_t;\n" \
  "#define SYCL_EXTERNAL [[clang::sycl_external]] [[clang::annotate(\"tenon.sycl_external\")]]\n" \
  "SYCL_EXTERNAL size_t __spirv_BuiltInGlobalInvocationId(int);\n" \
  "SYCL_EXTERNAL size_t __spirv_BuiltInLocalInvocationId(int);\n" \
  "SYCL_EXTERNAL size_t __spirv_BuiltInGlobalSize(int);\n" \
  "SYCL_EXTERNAL size_t __spirv_BuiltInWorkgroupId(int);\n" \
  "SYCL_EXTERNAL size_t __spirv_BuiltInWorkgroupSize(int);\n" \
  "SYCL_EXTERNAL size_t __spirv_BuiltInNumWorkgroups(int);\n" \
  "SYCL_EXTERNAL size_t __spirv_BuiltInGlobalOffset(int);\n" \
  "struct item { size_t get(int d) const { return __spirv_BuiltInGlobalInvocationId(d); }\n" \
  "  size_t local(int d) const { return __spirv_BuiltInLocalInvocationId(d); }\n" \
  "  size_t range(int d) const { return __spirv_BuiltInGlobalSize(d); } };\n" \
  "template <class KN, class F> [[clang::sycl_kernel_entry_point(KN)]] void entry(F f) {\n" \
  "  f(item()); }\n" \
  "template <class KN, class F> void launch(F f) { entry<KN>(f); }\n" \
  "#line 1 \"test.cpp\"\n"

// "--target=…" for code that is not the host's.
static const char *device_target = NULL;

// Runs clang's device pass on `text` behind the prelude. `level` is "-O2" or "-O0".
static inline void device_compile(const char *text, const char *level, tn_buf *out) {
  char *dir = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_temp_dir_create("tenon-test", &dir, &diag), TN_OK);
  char *source = tn_path_join(tn_str_from(dir), tn_str_from("unit.cpp"));
  char *bitcode = tn_path_join(tn_str_from(dir), tn_str_from("unit.bc"));
  tn_buf whole;
  tn_buf_init(&whole, DEVICE_CODE_MAX);
  tn_buf_add_text(&whole, DEVICE_PRELUDE);
  tn_buf_add_text(&whole, text);
  assert_int_equal(tn_file_write(source, tn_buf_bytes(&whole), &diag), TN_OK);
  const char *argv[] = {TN_CLANG_PATH, "-std=c++17", "-w", device_target ? device_target : "-w",
                        level, "-Xclang", "-fsycl-is-device",
                        "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-O0-optnone",
                        "-fno-discard-value-names",
                        "-gline-tables-only", "-c", "-emit-llvm", source, "-o", bitcode, NULL};
  tn_process process = {0};
  assert_int_equal(tn_process_start(argv, 0, &process, &diag), TN_OK);
  int code = -1;
  assert_int_equal(tn_process_wait(&process, NULL, NULL, &code, &diag), TN_OK);
  assert_int_equal(code, 0);
  char *data = NULL;
  size_t size = 0;
  assert_int_equal(tn_file_read(bitcode, DEVICE_CODE_MAX, &data, &size, &diag), TN_OK);
  tn_buf_add(out, data, size);
  tn_free(data);
  tn_buf_deinit(&whole);
  tn_free(bitcode);
  tn_free(source);
  tn_temp_dir_remove(dir);
}

// The unit step; gives its status, messages and diagnosis back.
static inline tn_status device_unit_listed(const char *text, const char *level, uint64_t unit_id,
                                           tn_buf *out, tn_buf *out_symbols, tn_buf *messages,
                                           tn_diag *diag) {
  tn_buf raw;
  tn_buf_init(&raw, DEVICE_CODE_MAX);
  device_compile(text, level, &raw);
  const tn_target target = tn_target_default();
  const tn_unit_params params = {.bitcode = tn_buf_bytes(&raw), .source = "test.cpp",
                                 .unit_id = unit_id, .target = &target,
                                 .opt_level = level[2] == '0' ? 0 : 2};
  const tn_status status = tn_pipeline_unit(&params, out, out_symbols, messages, diag);
  tn_buf_deinit(&raw);
  return status;
}

static inline tn_status device_unit(const char *text, const char *level, uint64_t unit_id,
                                    tn_buf *out, tn_buf *messages, tn_diag *diag) {
  tn_buf symbols;
  tn_buf_init(&symbols, DEVICE_CODE_MAX);
  const tn_status status =
      device_unit_listed(text, level, unit_id, out, &symbols, messages, diag);
  tn_buf_deinit(&symbols);
  return status;
}

// Units from sources, linked as `how` says but for its inputs and level. Sources end in NULL.
static inline tn_status device_link_as(const char *const *sources, const char *level,
                                       const tn_link_params *how, tn_link_result *result,
                                       tn_buf *messages, tn_diag *diag) {
  tn_buf units[8];
  tn_buf symbols[8];
  tn_link_input inputs[8];
  static const char *const names[8] = {"u0.o", "u1.o", "u2.o", "u3.o",
                                       "u4.o", "u5.o", "u6.o", "u7.o"};
  size_t count = 0;
  for (; sources[count]; ++count) {
    tn_buf_init(&units[count], DEVICE_CODE_MAX);
    tn_buf_init(&symbols[count], DEVICE_CODE_MAX);
    const tn_status status = device_unit_listed(sources[count], level, 0x1000 + count,
                                                &units[count], &symbols[count], messages, diag);
    if (status != TN_OK) {
      print_message("%s\n%s", diag->text, tn_buf_text(messages));
    }
    assert_int_equal(status, TN_OK);
    inputs[count] = (tn_link_input){tn_buf_bytes(&units[count]), tn_buf_str(&symbols[count]),
                                    names[count]};
  }
  tn_link_params params = *how;
  params.inputs = inputs;
  params.input_count = count;
  params.opt_level = level[2] == '0' ? 0 : 2;
  const tn_status status = tn_pipeline_link(&params, result, messages, diag);
  for (size_t i = 0; i < count; ++i) {
    tn_buf_deinit(&units[i]);
    tn_buf_deinit(&symbols[i]);
  }
  return status;
}

// All images of a link as one fat binary; nothing when there are none.
static inline void device_join(const tn_link_result *result, tn_buf *out_fatbin) {
  tn_bytes parts[64];
  tn_diag diag = {0};
  assert_true(result->images.count <= 64);
  for (size_t i = 0; i < result->images.count; ++i) {
    parts[i] = tn_buf_bytes(result->images.items[i]);
  }
  if (result->images.count > 0) {
    assert_int_equal(tn_fatbin_join(parts, result->images.count, out_fatbin, &diag), TN_OK);
  }
}

// Units from sources, linked into one image.
static inline tn_status device_link(const char *const *sources, const char *level,
                                    const char *output, tn_buf *out_fatbin, tn_buf *messages,
                                    tn_diag *diag) {
  const tn_target target = tn_target_default();
  const tn_link_params how = {.target = &target, .output = output, .split = TN_SPLIT_OFF};
  tn_link_result result;
  tn_link_result_init(&result);
  const tn_status status = device_link_as(sources, level, &how, &result, messages, diag);
  device_join(&result, out_fatbin);
  tn_link_result_deinit(&result);
  return status;
}

static inline tn_image device_image(const tn_buf *fatbin) {
  tn_fatbin parsed;
  tn_diag diag = {0};
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(fatbin), &parsed, &diag), TN_OK);
  assert_int_equal(parsed.image_count, 1);
  return tn_fatbin_image_at(&parsed, 0);
}

static inline tn_build_image device_build_image(const tn_buf *fatbin, const char *name) {
  const tn_image image = device_image(fatbin);
  return (tn_build_image){.code = image.code.data, .size = image.code.size, .format = image.format,
                          .name = name};
}

#endif
