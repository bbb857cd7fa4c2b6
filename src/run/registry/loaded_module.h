// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to the registry: paths and files of loaded modules.
#ifndef TN_RUN_REGISTRY_LOADED_MODULE_H
#define TN_RUN_REGISTRY_LOADED_MODULE_H

#include "base/buf.h"

// Path of the module that holds `address`, as a text for messages. Asks the loader.
void tn_loaded_module_path(const void *address, tn_buf *buf);

// Whether the address lies in the main program. Asks nobody.
bool tn_loaded_is_main(const void *address);
// Whether the bytes belong to the main program and are part of its file; false when the load
// address is unknown. Asks nobody.
bool tn_loaded_is_in_program_file(const void *bytes, size_t size);

// Whether both addresses lie in one module. Asks the loader; also in a destructor of that module.
bool tn_loaded_is_same(const void *a, const void *b);

// Where the bytes of a module, which nobody unmaps meanwhile, come from: its file as the loader
// calls it, and their place there. False for the main program, for what the program may write, and
// where the C library cannot tell without the loader's locks. Waits for nobody.
bool tn_loaded_file_of(const void *bytes, size_t size, tn_buf *path, uint64_t *out_offset);

// Keeps the module that holds `address` from being unmapped until it is let go; *out_holder is NULL
// for the main program, which stays. False when it is in no module. Asks the loader.
bool tn_loaded_module_hold(const void *address, void **out_holder);
void tn_loaded_module_let_go(void *holder);  // NULL-safe

#endif
