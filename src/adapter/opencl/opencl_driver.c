// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the loader of OpenCL drivers.
#include "adapter/opencl/opencl_driver.h"

#include "base/config.h"
#include "base/dynlib.h"

#include <pthread.h>
#include <string.h>

#define LOADER_LIBRARY "libOpenCL.so.1"

typedef struct function_row {
  const char *symbol;
  size_t offset;
} function_row;

static tn_cl_driver table;
static tn_dynlib *library;  // stays for the process
static tn_status load_status;
static tn_diag load_diag;

static void put(void *out, size_t offset, void *function) {
  memcpy((unsigned char *)out + offset, &function, sizeof(function));
}

static tn_status fill_table(void) {
#define ROW(field, symbol, result, parameters) {symbol, offsetof(tn_cl_driver, field)},
  static const function_row functions[] = {TN_CL_FUNCTIONS(ROW)};
  static const function_row late_functions[] = {TN_CL_LATE_FUNCTIONS(ROW)};
#undef ROW
  for (size_t i = 0; i < TN_COUNT(functions); i++) {
    void *found = tn_dynlib_find(library, functions[i].symbol);
    if (!found) {
      return TN_FAIL(&load_diag, UNSUPPORTED,
                     LOADER_LIBRARY " has no %s: install a loader for OpenCL 2.1 or later",
                     functions[i].symbol);
    }
    put(&table, functions[i].offset, found);
  }
  for (size_t i = 0; i < TN_COUNT(late_functions); i++) {
    put(&table, late_functions[i].offset, tn_dynlib_find(library, late_functions[i].symbol));
  }
  return TN_OK;
}

// The loader opens the files that OCL_ICD_… variables name.
static void load_once(void) {
  if (tn_config_get()->is_secure) {
    load_status = TN_FAIL(&load_diag, UNSUPPORTED,
                          "a program with other rights than its caller's loads no OpenCL driver");
    return;
  }
  load_status = tn_dynlib_open(LOADER_LIBRARY, &library, &load_diag);
  load_status = load_status == TN_OK ? fill_table() : TN_UNSUPPORTED;
}

tn_status tn_opencl_driver_load(const tn_cl_driver **out, tn_diag *diag) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, load_once);
  *out = load_status == TN_OK ? &table : NULL;
  if (load_status != TN_OK && diag) {
    *diag = load_diag;
  }
  return load_status;
}

bool tn_opencl_usm_load(const tn_cl_driver *driver, tn_cl_platform platform, tn_cl_usm *out) {
#define ROW(field, symbol, result, parameters) {symbol, offsetof(tn_cl_usm, field)},
  static const function_row functions[] = {TN_CL_USM_FUNCTIONS(ROW)};
#undef ROW
  for (size_t i = 0; i < TN_COUNT(functions); i++) {
    void *found = driver->extension_function(platform, functions[i].symbol);
    if (!found) {
      return false;
    }
    put(out, functions[i].offset, found);
  }
  return true;
}
