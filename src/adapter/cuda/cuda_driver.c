// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the driver.
#include "adapter/cuda/cuda_driver.h"

#include "base/config.h"
#include "base/dynlib.h"
#include "base/log.h"

#include <pthread.h>
#include <string.h>

#define DRIVER_LIBRARY "libcuda.so.1"

static tn_cuda_driver table;
static tn_dynlib *library;  // stays for the process
static tn_status load_status;
static tn_diag load_diag;

static tn_status fill_table(void) {
  static const struct {
    const char *symbol;
    size_t offset;
    bool is_optional;
  } functions[] = {
#define ROW(field, symbol, parameters) {symbol, offsetof(tn_cuda_driver, field), false},
      TN_CUDA_FUNCTIONS(ROW)
#undef ROW
#define ROW(field, symbol, parameters) {symbol, offsetof(tn_cuda_driver, field), true},
          TN_CUDA_LATER_FUNCTIONS(ROW)
#undef ROW
  };
  for (size_t i = 0; i < TN_COUNT(functions); i++) {
    void *found = tn_dynlib_find(library, functions[i].symbol);
    if (!found && !functions[i].is_optional) {
      return TN_FAIL(&load_diag, UNSUPPORTED,
                     DRIVER_LIBRARY
                     " has no %s: NVIDIA's driver is too old; Tenon needs one for "
                     "CUDA %d.%d or later",
                     functions[i].symbol, TN_CUDA_DRIVER_OLDEST / 1000,
                     TN_CUDA_DRIVER_OLDEST % 1000 / 10);
    }
    memcpy((unsigned char *)&table + functions[i].offset, &found, sizeof(found));
  }
  return TN_OK;
}

// Only quoted: what it means is the driver's business.
static tn_status fail_no_device(void) {
  const char *visible = tn_config_get()->cuda_visible_devices;
  return visible ? TN_FAIL(&load_diag, UNSUPPORTED,
                           "NVIDIA's driver sees no device with CUDA_VISIBLE_DEVICES=\"%.100s\": "
                           "unset it, or name devices that nvidia-smi lists",
                           visible)
                 : TN_FAIL(&load_diag, UNSUPPORTED,
                           "NVIDIA's driver sees no device (see nvidia-smi)");
}

static tn_status start_driver(void) {
  tn_cu_result result = table.driver_version(&table.version);
  if (result == TN_CU_SUCCESS && table.version < TN_CUDA_DRIVER_OLDEST) {
    return TN_FAIL(&load_diag, UNSUPPORTED,
                   "NVIDIA's driver is for CUDA %d.%d; Tenon needs one for %d.%d or later: update "
                   "the driver",
                   table.version / 1000, table.version % 1000 / 10, TN_CUDA_DRIVER_OLDEST / 1000,
                   TN_CUDA_DRIVER_OLDEST % 1000 / 10);
  }
  result = result == TN_CU_SUCCESS ? table.init(0) : result;
  if (result == TN_CU_NO_DEVICE) {
    return fail_no_device();
  }
  if (result != TN_CU_SUCCESS) {
    tn_diag reason = {0};
    TN_IGNORE(tn_cuda_fail(&table, result, "NVIDIA's driver cannot be started", &reason),
              "it is a failure");
    return TN_FAIL(&load_diag, UNSUPPORTED, "%s", reason.text);
  }
  return TN_OK;
}

static void load_once(void) {
  load_status = tn_dynlib_open(DRIVER_LIBRARY, &library, &load_diag);
  if (load_status == TN_OK) {
    load_status = fill_table();
  } else {
    load_status = TN_UNSUPPORTED;
  }
  if (load_status == TN_OK) {
    load_status = start_driver();
  }
  if (load_status != TN_OK) {
    TN_LOG(device, "no NVIDIA devices: %s", load_diag.text);
  }
}

tn_status tn_cuda_driver_load(const tn_cuda_driver **out, tn_diag *diag) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, load_once);
  *out = load_status == TN_OK ? &table : NULL;
  if (load_status != TN_OK && diag) {
    *diag = load_diag;
  }
  return load_status;
}
