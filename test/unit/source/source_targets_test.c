// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources for devices of several targets, which are compiled once for each, and SPIR-V, which is
// compiled already.
#include "base/config.h"
#include "run/source/source.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#define WORLD_HAS_SPIRV 1
#include "unit/source/source_world.h"

static tn_device *spirv_device;
static tn_context *all_context;

static int begin(void **state) {
  if (bundle_world_begin(state) != 0) {
    return -1;
  }
  spirv_device = tn_device_at(3);
  tn_device *const all[] = {pair[0], pair[1], spirv_device};
  return tn_context_create(all, 3, &all_context, NULL) == TN_OK ? 0 : -1;
}

static int end(void **state) {
  tn_context_release(all_context);
  return bundle_world_end(state);
}

static void test_two_targets(void **state) {
  (void)state;
  const int before = fake_compiles;
  tn_source *source = source_of("kernel both\nwarn once");
  tn_source_build build = source_build(TN_BUNDLE_EXECUTABLE);
  tn_bundle *bundle = NULL;
  tn_log *log = NULL;
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, &log, NULL), TN_OK);
  assert_int_equal(fake_compiles, before + 2);
  const char *first = strstr(tn_log_text(log), "once");
  assert_non_null(first);
  assert_null(strstr(first + 1, "once"));
  tn_log_free(log);
  assert_int_equal(tn_bundle_image_count(bundle), 2);
  assert_int_equal(tn_bundle_kernel_count(bundle), 1);  // one kernel, whatever it is compiled for
  for (size_t i = 0; i < 2; i++) {
    tn_kernel *kernel = source_kernel(bundle, "both", pair[i]);
    assert_ptr_equal(kernel->device, pair[i]);
    tn_kernel_release(kernel);
  }
  tn_bundle_release(bundle);
  build.devices = &pair[1];
  build.device_count = 1;
  bundle = source_must_build(source, &build);
  assert_int_equal(fake_compiles, before + 3);  // in memory, builds for other devices are others
  assert_int_equal(tn_bundle_image_count(bundle), 1);
  tn_bundle_release(bundle);
  tn_source_release(source);
}

static const char *own_processor(tn_adapter_device *device) {
  (void)device;
  return "sm_90";
}

static void build_for(tn_device *device, const char *text, int compiles, const char *processor) {
  const int before = fake_compiles;
  tn_source *source = source_of(text);
  tn_source_build build = source_build(TN_BUNDLE_EXECUTABLE);
  build.devices = &device;
  build.device_count = 1;
  tn_bundle_release(source_must_build(source, &build));
  tn_source_release(source);
  assert_int_equal(fake_compiles, before + compiles);
  if (compiles > 0 && processor) {
    assert_string_equal(fake_processor, processor);
  } else if (compiles > 0) {
    assert_null(fake_processor);
  }
}

// GPUs say whose code they run; the environment may ask for another's of the same family.
static void test_processors(void **state) {
  (void)state;
  static const char text[] = "kernel for_processors";
  tn_config *config = (tn_config *)(uintptr_t)tn_config_get();
  const tn_adapter_api *usual = pair[0]->api;
  tn_adapter_api gpu = *usual;
  gpu.device_processor = own_processor;
  build_for(pair[0], text, 1, NULL);
  pair[0]->api = &gpu;
  build_for(pair[0], text, 1, "sm_90");
  config->jit_processor = "sm_80";
  build_for(pair[0], text, 1, "sm_80");
  config->jit_processor = "gfx90a";  // not NVIDIA's
  build_for(pair[0], text, 0, NULL);
  tn_adapter_api older = gpu;
  older.size = offsetof(tn_adapter_api, device_processor);
  tn_adapter_table_complete(&older, &gpu);
  config->jit_processor = "sm_80";
  build_for(pair[0], text, 0, NULL);
  config->jit_processor = "";
  pair[0]->api = usual;
}

static tn_source *spirv_of(const void *bytes, size_t size) {
  const tn_source_query query = {.struct_size = sizeof(query),
                                 .language = TN_SOURCE_SPIRV,
                                 .context = all_context,
                                 .source = bytes,
                                 .source_size = size};
  tn_source *source = NULL;
  assert_int_equal(tn_source_create(&query, &source, NULL), TN_OK);
  return source;
}

// OpCapability Kernel and Linkage, OpMemoryModel, OpEntryPoint "scale" of an empty function.
static const uint32_t module[] = {
    0x07230203,    0x00010200, 0, 5,          0,           // head
    2u << 16 | 17, 6,                                      // OpCapability Kernel
    2u << 16 | 17, 4,                                      // Addresses
    3u << 16 | 14, 2,          2,                          // OpMemoryModel
    5u << 16 | 15, 6,          3, 0x6c616373, 0x00000065,  // OpEntryPoint
    2u << 16 | 19, 1,                                      // OpTypeVoid
    3u << 16 | 33, 2,          1,                          // OpTypeFunction
    5u << 16 | 54, 1,          3, 0,          2,          2u << 16 | 248, 4, 1u << 16 | 253,
    1u << 16 | 56,
};

static void test_spirv(void **state) {
  (void)state;
  const int before = fake_compiles;
  assert_int_equal(tn_source_is_supported(spirv_device, TN_SOURCE_SPIRV), 1);
  tn_source *source = spirv_of(module, sizeof(module));
  tn_source_build build = source_build(TN_BUNDLE_OBJECT);
  tn_bundle *bundle = NULL;
  assert_fails(tn_source_build_bundle(source, &build, &bundle, NULL, why), TN_INVALID_ARGUMENT,
               "device Mock 0 (target native_cpu) takes no sources in SPIR-V");
  build.devices = &spirv_device;
  build.device_count = 1;
  bundle = source_must_build(source, &build);
  assert_int_equal(tn_bundle_kernel_count(bundle), 1);
  assert_int_equal(tn_bundle_has_kernel_name(bundle, "scale"), 1);
  tn_bundle_release(bundle);
  const char *const words[] = {"x"};
  build.options = words;
  build.option_count = 1;
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, NULL, NULL),
                   TN_INVALID_ARGUMENT);
  build.option_count = 0;
  tn_source_release(source);
  source = spirv_of("no SPIR-V", 9);
  tn_diag diag = {0};
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, NULL, &diag), TN_BUILD_FAILED);
  assert_non_null(strstr(diag.text, "are no SPIR-V module"));
  tn_source_release(source);
  source = spirv_of(module, sizeof(module) - 6);
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, NULL, &diag), TN_BUILD_FAILED);
  tn_source_release(source);
  assert_int_equal(fake_compiles, before);
}

int main(void) {
  bundle_world_set_up();
  world_mock_devices[1].target = "other";
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_targets),
      cmocka_unit_test(test_processors),
      cmocka_unit_test(test_spirv),
  };
  return cmocka_run_group_tests_name("source_targets", tests, begin, end);
}
