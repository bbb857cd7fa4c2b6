// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ONEAPI_DEVICE_SELECTOR, text by text, against a machine of five devices.
#include "run/device/selector.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "tenon/device.h"

static const tn_selector_device machine[] = {
    {"cpu", TN_DEVICE_TYPE_CPU, 0, 0, {0}},  {"mock", TN_DEVICE_TYPE_ACCELERATOR, 0, 0, {0}},
    {"mock", TN_DEVICE_TYPE_GPU, 1, 0, {0}}, {"cuda", TN_DEVICE_TYPE_GPU, 0, 0, {0}},
    {"cuda", TN_DEVICE_TYPE_GPU, 1, 0, {0}},
};

typedef struct row {
  const char *selector;
  const char *selected;  // one digit a device, in order
} row;

// Two devices' parts, and parts of the second one's first.
static const tn_selector_device parts[] = {
    {"cpu", TN_DEVICE_TYPE_CPU, 0, 1, {0}},     {"cpu", TN_DEVICE_TYPE_CPU, 0, 1, {1}},
    {"cuda", TN_DEVICE_TYPE_GPU, 1, 1, {0}},    {"cuda", TN_DEVICE_TYPE_GPU, 1, 1, {1}},
    {"cuda", TN_DEVICE_TYPE_GPU, 1, 2, {0, 1}},
};

static const row part_rows[] = {
    {"", ""},
    {"*:*", ""},
    {"cpu", ""},
    {"cpu:0", ""},
    {"cpu:0.1", "1"},
    {"cpu:0.*", "01"},
    {"*:*.*", "0123"},
    {"cuda:1.0", "2"},
    {"cuda:0.0", ""},
    {"*:1.0.*", "4"},
    {"cuda:*.*.*", "4"},
    {"cpu:0.0,0.1;cuda:1.0.1", "014"},
    {"!cuda:*", ""},
    {"cpu:0.*;!cpu", ""},
};

static const row rows[] = {
    {"", "01234"},
    {"*:*", "01234"},
    {"*", "01234"},
    {" ; ", "01234"},
    {"cpu", "0"},
    {"cpu:*", "0"},
    {"cpu:cpu", "0"},
    {"cpu:gpu", ""},
    {"native_cpu:*", "0"},
    {"NATIVE_CPU:CPU", "0"},
    {"tenon:0", "0"},
    {"*:cpu", "0"},
    {"*:gpu", "234"},
    {"gpu", "234"},
    {"accelerator", "1"},
    {"*:fpga", "1"},
    {"mock:0", "1"},
    {"mock:1", "2"},
    {"mock:0,1", "12"},
    {"mock: 0 , gpu", "12"},
    {"mock:7", ""},
    {"*:0", "013"},
    {"cuda:1;cpu:*", "04"},
    {"cuda:gpu,1", "34"},
    {"level_zero:gpu", ""},
    {"opencl:cpu", ""},
    {"hip", ""},
    {"level_zero:gpu;cpu:*", "0"},
    {"!cuda:*", "012"},
    {"!*:gpu", "01"},
    {"*:*;!cuda:0", "0124"},
    {"cuda:*;!cuda:0", "4"},
    {"*:gpu;!mock:*;!cuda:1", "3"},
    {"! cuda:*", "012"},
    {"!*", ""},
};

static void check_rows(const row *table, size_t count, const tn_selector_device *devices,
                       size_t device_count) {
  for (size_t i = 0; i < count; i++) {
    char selected[TN_COUNT(machine) + 1] = "";
    size_t at = 0;
    tn_diag diag = {0};
    if (tn_selector_check(table[i].selector, "cpu", &diag) != TN_OK) {
      fail_msg("%s: %s", table[i].selector, diag.text);
    }
    for (size_t d = 0; d < device_count; d++) {
      if (tn_selector_accepts(table[i].selector, &devices[d])) {
        selected[at++] = (char)('0' + d);
      }
    }
    selected[at] = '\0';
    if (strcmp(selected, table[i].selected) != 0) {
      fail_msg("%s: selects %s, expected %s", table[i].selector, selected, table[i].selected);
    }
  }
}

static void test_selects(void **state) {
  (void)state;
  check_rows(rows, TN_COUNT(rows), machine, TN_COUNT(machine));
}

static void test_selects_parts(void **state) {
  (void)state;
  check_rows(part_rows, TN_COUNT(part_rows), parts, TN_COUNT(parts));
  assert_false(tn_selector_names_parts("cpu:*;cuda:1", 1));
  assert_true(tn_selector_names_parts("cpu:0;cuda:gpu,1.*", 1));
  assert_false(tn_selector_names_parts("cuda:1.*", 2));
  assert_true(tn_selector_names_parts("cuda:1.*.0", 2));
}

static const row refused[] = {
    {"vulkan:*", "\"vulkan\" is no backend known here; there is cpu (1 device)"},
    {"cpu:*;cqu:0", "\"cqu\" is no backend"},
    {"!foo", "\"foo\" is no backend"},
    {"cpu:", "\"\" is no device"},
    {"cpu:0,", "\"\" is no device"},
    {"cpu:fast", "\"fast\" is no device"},
    {"cpu:0x1", "\"0x1\" is no device"},
    {"cpu:99999999999999999999", "is no device"},
    {":gpu", "\"\" is no backend"},
    {"!", "\"\" is no backend"},
    {"cpu:0.x", "\"0.x\" is no sub-device"},
    {"cpu:0.", "\"0.\" is no sub-device"},
    {"cpu:cpu.1", "is no sub-device"},
    {"cpu:0.1.2.3", "is no sub-device"},
    {"!cpu:0.1", "cannot discard sub-devices"},
    {"!cuda:*;cpu:*", "terms that accept go before"},
};

static void test_refuses(void **state) {
  (void)state;
  for (size_t i = 0; i < TN_COUNT(refused); i++) {
    tn_diag diag = {0};
    const tn_status status = tn_selector_check(refused[i].selector, "cpu (1 device)", &diag);
    if (status != TN_INVALID_ARGUMENT || !strstr(diag.text, refused[i].selected) ||
        !strstr(diag.text, "ONEAPI_DEVICE_SELECTOR")) {
      fail_msg("%s: %d \"%s\", expected \"%s\"", refused[i].selector, (int)status, diag.text,
               refused[i].selected);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_selects),
      cmocka_unit_test(test_selects_parts),
      cmocka_unit_test(test_refuses),
  };
  return cmocka_run_group_tests_name("selector", tests, NULL, NULL);
}
