// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of the stand-in for NVIDIA's driver share.
#ifndef TN_TEST_FAKE_MODULE_H
#define TN_TEST_FAKE_MODULE_H

#include "adapter/cuda/cuda_driver.h"

struct tn_cu_module_handle {
  char *code;  // PTX, or what was linked of it: "\177ELF" and the texts
  struct fake_variable *variables;
};

// Gives a module's variables back.
void fake_variables_free(struct tn_cu_module_handle *module);

#endif
