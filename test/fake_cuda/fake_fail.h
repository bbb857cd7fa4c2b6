// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a test tells the stand-in driver to fail while other threads call it. (The environment is
// read once: a thread that reads it while another one changes it is a race.)
#ifndef TENON_FAKE_FAIL_H
#define TENON_FAKE_FAIL_H

#include <dlfcn.h>
#include <string.h>

// `told` as in FAKE_CUDA_FAIL, counted from now on; NULL for no more failures.
static inline void fake_cuda_fail(const char *told) {
  void (*tell)(const char *) = NULL;
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  void *symbol = driver ? dlsym(driver, "fake_cuda_fail") : NULL;
  memcpy(&tell, &symbol, sizeof(tell));
  tell(told);
  (void)dlclose(driver);
}

#endif
