// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices that lack something, and what is said of it: by a stand-in for OpenCL's loader that is
// told what to lack. Each case has a process of its own, as the loader stays for the process.
#include "run/device/device.h"
#include "tenon/memory.h"
#include "unit/sched/cmocka_all.h"

#include <stdlib.h>
#include <sys/wait.h>

enum { FINE = 0, WRONG = 1 };

typedef struct lack {
  const char *words;    // FAKE_OPENCL
  const char *reason;   // in the sentence, when there is no device
  uint64_t aspects;     // that the device has
  uint64_t no_aspects;  // and has not
  const char *refusal;  // of shared memory; NULL: it is there
} lack;

#define BIT(aspect) ((uint64_t)1 << TN_ASPECT_##aspect)
static const lack lacks[] = {
    {"", NULL, BIT(CPU) | BIT(FP16) | BIT(FP64) | BIT(USM_SYSTEM_ALLOCATIONS), BIT(GPU), NULL},
    {"gpu", NULL, BIT(GPU) | BIT(USM_SHARED_ALLOCATIONS), BIT(CPU) | BIT(USM_SYSTEM_ALLOCATIONS),
     NULL},
    {"no-fp64", NULL, BIT(CPU), BIT(FP64), NULL},
    {"no-usm", NULL, BIT(USM_SHARED_ALLOCATIONS), BIT(FP16), NULL},
    {"gpu,no-usm", NULL, BIT(USM_DEVICE_ALLOCATIONS), BIT(USM_SHARED_ALLOCATIONS),
     "use malloc_device and copies, or buffers"},
    {"no-usm,no-svm", "neither unified nor shared virtual memory", 0, 0, NULL},
    {"no-il", "its driver takes no SPIR-V", 0, 0, NULL},
    {"no-generic", "no generic address space", 0, 0, NULL},
    {"no-compiler", "its compiler is not available", 0, 0, NULL},
    {"no-device", "the drivers have none", 0, 0, NULL},
    {"no-platform", "no OpenCL driver is installed", 0, 0, NULL},
};

static bool says(const tn_diag *diag, const char *text) {
  if (strstr(diag->text, text)) {
    return true;
  }
  fprintf(stderr, "\"%s\" does not say \"%s\"\n", diag->text, text);
  return false;
}

static bool check_device(const tn_adapter_api *api, tn_adapter *adapter, const lack *wanted) {
  tn_diag failure = {0};
  uint64_t aspects = 0;
  void *memory = NULL;
  tn_adapter_device *device = api->device_at(adapter, 0);
  if (api->device_get_info(device, TN_DEVICE_INFO_ASPECTS, &aspects, sizeof(aspects), NULL,
                           &failure) != TN_OK ||
      (aspects & wanted->aspects) != wanted->aspects || (aspects & wanted->no_aspects) != 0) {
    fprintf(stderr, "aspects 0x%llx\n", (unsigned long long)aspects);
    return false;
  }
  const tn_status status = api->memory_alloc(device, TN_USM_SHARED, 100, 8, &memory, &failure);
  if (wanted->refusal) {
    return status == TN_UNSUPPORTED && says(&failure, wanted->refusal);
  }
  api->memory_free(device, TN_USM_SHARED, memory);
  return status == TN_OK && memory;
}

static int run_case(const lack *wanted) {
  static const tn_adapter_host host = {.size = sizeof(host), .version = TN_ADAPTER_VERSION};
  const tn_adapter_api *api = tn_opencl_adapter_query(TN_ADAPTER_VERSION);
  tn_diag failure = {0};
  tn_adapter *adapter = NULL;
  setenv("FAKE_OPENCL", wanted->words, 1);
  const tn_status status = api->create(&host, &adapter, &failure);
  bool is_right = wanted->reason ? status == TN_UNSUPPORTED && says(&failure, wanted->reason)
                                 : status == TN_OK && check_device(api, adapter, wanted);
  if (adapter) {
    api->destroy(adapter);
  }
  return is_right ? FINE : WRONG;
}

// What the driver says of a build that fails, from where it says what is wrong.
static int run_build(void) {
  static const tn_adapter_host host = {.size = sizeof(host), .version = TN_ADAPTER_VERSION};
  static const unsigned char code[16] = "\x03\x02\x23\x07_ZTS3Add";
  const tn_adapter_api *api = tn_opencl_adapter_query(TN_ADAPTER_VERSION);
  tn_diag failure = {0};
  tn_adapter *adapter = NULL;
  tn_adapter_program *program = NULL;
  tn_adapter_kernel *kernel = NULL;
  setenv("FAKE_OPENCL_FAIL", "clBuildProgram:1:-11", 1);
  if (api->create(&host, &adapter, &failure) != TN_OK ||
      api->program_load(api->device_at(adapter, 0), code, sizeof(code), &program, &failure) !=
          TN_OK) {
    return WRONG;
  }
  const tn_status status = api->kernel_find(program, "_ZTS3Add", &kernel, &failure);
  const bool is_right = status == TN_BUILD_FAILED &&
                        says(&failure, "(-11): Symbols not found: step") &&
                        !strstr(failure.text, "started");
  api->program_unload(program);
  api->destroy(adapter);
  return is_right ? FINE : WRONG;
}

static void test_quotes_the_log(void **state) {
  (void)state;
  const pid_t child = fork();
  if (child == 0) {
    _exit(run_build());
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == FINE);
}

static void test_lacks(void **state) {
  (void)state;
  for (size_t i = 0; i < TN_COUNT(lacks); i++) {
    const pid_t child = fork();
    if (child == 0) {
      _exit(run_case(&lacks[i]));
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != FINE) {
      fail_msg("FAKE_OPENCL=%s: status 0x%x", lacks[i].words, status);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lacks),
                                     cmocka_unit_test(test_quotes_the_log)};
  return cmocka_run_group_tests_name("opencl_device", tests, NULL, NULL);
}
