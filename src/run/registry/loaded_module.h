// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to the registry: paths of loaded modules.
#ifndef TN_RUN_REGISTRY_LOADED_MODULE_H
#define TN_RUN_REGISTRY_LOADED_MODULE_H

#include "base/buf.h"

// Path of the module that holds `address`, as a text for messages. Asks the loader.
void tn_loaded_module_path(const void *address, tn_buf *buf);

#endif
