// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which code NVIDIA's processors run, and what the adapter says of images.
#include "adapter/cuda/cuda_device.h"
#include "image/image.h"
#include "unit/sched/cmocka_all.h"

#include <stdlib.h>

static uint32_t fit(const char *image, bool is_machine, const char *device) {
  return tn_cuda_processor_fit(tn_str_from(image), is_machine, tn_str_from(device));
}

static void test_processors(void **state) {
  (void)state;
  static const struct {
    const char *image;
    bool is_machine;
    const char *device;
  } never[] = {{"sm_100", true, "sm_90"},   {"sm_100", false, "sm_90"},
               {"sm_80", true, "sm_90"},    {"sm_86", true, "sm_80"},
               {"sm_90a", true, "sm_100"},  {"sm_90a", false, "sm_100"},
               {"sm_100f", true, "sm_120"}, {"sm_100f", false, "sm_120"}};
  for (size_t i = 0; i < TN_COUNT(never); i++) {
    assert_int_equal(fit(never[i].image, never[i].is_machine, never[i].device), 0);
  }
  // From the best to the worst, on one device.
  static const struct {
    const char *image;
    bool is_machine;
  } order[] = {{"sm_103a", true}, {"sm_103f", true},  {"sm_103", true},   {"sm_100f", true},
               {"sm_100", true},  {"sm_103a", false}, {"sm_103", false},  {"sm_100f", false},
               {"sm_90", false},  {"sm_75", false},   {"whatever", false}};
  for (size_t i = 0; i + 1 < TN_COUNT(order); i++) {
    assert_true(fit(order[i].image, order[i].is_machine, "sm_103") >
                fit(order[i + 1].image, order[i + 1].is_machine, "sm_103"));
  }
  assert_int_equal(fit("", false, "sm_90"), 1);
  assert_int_equal(fit("sm_90", false, ""), 1);
}

static uint32_t ask(tn_adapter_device *device, uint32_t format, const char *processor,
                    uint32_t *out_flags, tn_diag *diag) {
  const tn_adapter_image image = {.target = TN_CUDA_TARGET,
                                  .triple = TN_CUDA_TARGET,
                                  .processor = processor,
                                  .processor_size = strlen(processor),
                                  .format = format};
  *out_flags = 99;
  return tn_cuda_image_fit(device, &image, out_flags, diag);
}

static void test_images(void **state) {
  (void)state;
  tn_adapter_device *device = calloc(1, sizeof(*device));
  (void)snprintf(device->processor, sizeof(device->processor), "sm_90");
  uint32_t flags = 0;
  tn_diag diag = {0};
  const uint32_t machine = ask(device, TN_IMAGE_FORMAT_CUBIN, "sm_90a", &flags, &diag);
  assert_int_equal(flags, 0);
  const uint32_t ptx = ask(device, TN_IMAGE_FORMAT_PTX, "sm_90", &flags, &diag);
  assert_int_equal(flags, TN_ADAPTER_IMAGE_IS_PORTABLE);
  assert_true(machine > ptx && ptx > 1);
  assert_int_equal(ask(device, TN_IMAGE_FORMAT_PTX, "", &flags, &diag), 1);
  assert_int_equal(ask(device, TN_IMAGE_FORMAT_SPIRV, "sm_100", &flags, &diag), 1);
  assert_int_equal(flags, 0);
  assert_string_equal(diag.text, "");
  assert_int_equal(ask(device, TN_IMAGE_FORMAT_PTX, "sm_100", &flags, NULL), 0);
  assert_int_equal(ask(device, TN_IMAGE_FORMAT_CUBIN, "sm_100", &flags, &diag), 0);
  assert_string_equal(diag.text,
                      "the device is of sm_90, and what is for a newer or another processor does "
                      "not run there: compile it with -fsycl-targets=nvidia_gpu_sm_90, or for all "
                      "GPUs with -fsycl-targets=nvptx64-nvidia-cuda");
  free(device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_processors),
      cmocka_unit_test(test_images),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
