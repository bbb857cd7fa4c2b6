// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's compiler, loaded and set up before there is anything to compile.
#include "adapter/cuda/cuda_device.h"

#include <stdio.h>

// Any code will do. The driver's linker compiles it at once, and keeps no file of it, as loading a
// module would, where compiling is left out if there is one.
void tn_cuda_program_prepare(tn_adapter_device *device) {
  const tn_cuda_driver *driver = device->driver;
  char code[128];
  const int size = snprintf(code, sizeof(code),
                            ".version 7.4\n.target sm_%d\n.address_size 64\n"
                            ".visible .entry prepare() {\nret;\n}\n",
                            device->major > 8 ? 80 : device->major * 10);
  tn_cuda_entry entry;
  if (size <= 0 || atomic_exchange_explicit(&device->is_prepared, true, memory_order_relaxed) ||
      tn_cuda_enter(device, &entry, NULL) != TN_OK) {
    return;
  }
  tn_cu_link link = NULL;
  if (driver->link_create(0, NULL, NULL, &link) == TN_CU_SUCCESS) {
    (void)driver->link_add(link, TN_CU_INPUT_PTX, code, (size_t)size + 1, "prepare", 0, NULL, NULL);
    (void)driver->link_destroy(link);
  }
  tn_cuda_leave(device, &entry);
}
