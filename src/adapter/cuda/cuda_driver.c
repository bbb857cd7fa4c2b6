// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the driver, and puts its answers into words.
#include "adapter/cuda/cuda_driver.h"

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
  } functions[] = {
#define ROW(field, symbol, parameters) {symbol, offsetof(tn_cuda_driver, field)},
      TN_CUDA_FUNCTIONS(ROW)
#undef ROW
  };
  for (size_t i = 0; i < TN_COUNT(functions); i++) {
    void *found = tn_dynlib_find(library, functions[i].symbol);
    if (!found) {
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
    return TN_FAIL(&load_diag, UNSUPPORTED,
                   "NVIDIA's driver sees no device (see CUDA_VISIBLE_DEVICES and nvidia-smi)");
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

bool tn_cuda_is_lost(tn_cu_result result) {
  switch (result) {
    case TN_CU_ILLEGAL_ADDRESS:
    case TN_CU_LAUNCH_TIMEOUT:
    case TN_CU_ASSERT:
    case TN_CU_HARDWARE_STACK_ERROR:
    case TN_CU_ILLEGAL_INSTRUCTION:
    case TN_CU_MISALIGNED_ADDRESS:
    case TN_CU_INVALID_ADDRESS_SPACE:
    case TN_CU_INVALID_PC:
    case TN_CU_LAUNCH_FAILED:
      return true;
    default:
      return false;
  }
}

static const char *advice(tn_cu_result result) {
  switch (result) {
    case TN_CU_ILLEGAL_ADDRESS:
      return "a kernel read or wrote memory that is not the device's; TENON_CHECK=1 on the CPU "
             "finds accesses out of bounds";
    case TN_CU_MISALIGNED_ADDRESS:
      return "a kernel used an address that is not aligned to the size of what it reads or writes";
    case TN_CU_ASSERT:
      return "an assert of a kernel failed";
    case TN_CU_LAUNCH_OUT_OF_RESOURCES:
      return "the kernel needs more registers than a work-group of that size has; launch it with "
             "smaller work-groups";
    case TN_CU_HARDWARE_STACK_ERROR:
      return "a kernel's calls went deeper than the device's stack";
    case TN_CU_NO_BINARY_FOR_GPU:
      return "the image is for another processor: compile it for this one, or to PTX";
    case TN_CU_UNSUPPORTED_PTX_VERSION:
      return "the driver is older than the PTX: update it, or compile for an older one";
    case TN_CU_JIT_COMPILER_NOT_FOUND:
      return "the driver's compiler, libnvidia-ptxjitcompiler.so.1, is not installed: install it, "
             "or compile to machine code (--offload-arch=)";
    case TN_CU_STUB_LIBRARY:
      return "the library that was found is the toolkit's stub, not the driver: take its folder "
             "out of LD_LIBRARY_PATH";
    default:
      return NULL;
  }
}

static tn_status status_of(tn_cu_result result) {
  switch (result) {
    case TN_CU_OUT_OF_MEMORY:
      return TN_OUT_OF_MEMORY;
    case TN_CU_INVALID_IMAGE:
    case TN_CU_NO_BINARY_FOR_GPU:
    case TN_CU_INVALID_PTX:
    case TN_CU_JIT_COMPILER_NOT_FOUND:
    case TN_CU_UNSUPPORTED_PTX_VERSION:
      return TN_BUILD_FAILED;
    default:
      return TN_DEVICE_FAILED;
  }
}

tn_status tn_cuda_fail(const tn_cuda_driver *driver, tn_cu_result result, const char *what,
                       tn_diag *diag) {
  const char *name = NULL;
  const char *text = NULL;
  if (driver->error_name(result, &name) != TN_CU_SUCCESS || !name) {
    name = "an unknown error";
  }
  if (driver->error_text(result, &text) != TN_CU_SUCCESS || !text) {
    text = "the driver has no words for it";
  }
  const char *more = advice(result);
  const char *end =
      tn_cuda_is_lost(result) ? "; the device takes no more work from this process" : "";
  return tn_diag_set(diag, status_of(result), result, __FILE__, __LINE__, "%s: %s (%s)%s%s%s", what,
                     text, name, more ? ": " : "", more ? more : "", end);
}
