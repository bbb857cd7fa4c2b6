// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to the registry: paths of loaded modules.
#ifndef TN_RUN_REGISTRY_LOADED_MODULE_H
#define TN_RUN_REGISTRY_LOADED_MODULE_H

#include "base/buf.h"

// Path of the module that holds `address`, as a text for messages. Asks the loader.
void tn_loaded_module_path(const void *address, tn_buf *buf);

// Whether the address lies in the main program. Asks nobody.
bool tn_loaded_is_main(const void *address);

// Whether both addresses lie in one module. Asks the loader; also in a destructor of that module.
bool tn_loaded_is_same(const void *a, const void *b);

// Keeps the module that holds `address` from being unmapped until it is let go; *out_holder is NULL
// for the main program, which stays. False when it is in no module. Asks the loader.
bool tn_loaded_module_hold(const void *address, void **out_holder);
void tn_loaded_module_let_go(void *holder);  // NULL-safe

#endif
