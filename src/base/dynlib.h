// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared libraries opened at run time, and the questions asked of the host's dynamic linker.
#ifndef TN_BASE_DYNLIB_H
#define TN_BASE_DYNLIB_H

#include "base/base.h"

typedef struct tn_dynlib tn_dynlib;

// `path` as dlopen takes it; IO for pipes, devices and folders. Errors quote the loader. Never
// unloads code that may still run: closing is for tests and probes.
TN_MUST_USE tn_status tn_dynlib_open(const char *path, tn_dynlib **out, tn_diag *diag);
void tn_dynlib_close(tn_dynlib *lib);
void *tn_dynlib_find(tn_dynlib *lib, const char *symbol);  // NULL when absent

// Where a data symbol is, as the host resolves it for a reference from the module that holds
// `module_address`: the global scope first, then that module and what it was linked with. NULL when
// neither knows it (or there is no dynamic linker, as in a static executable).
void *tn_dynlib_resolve(const char *symbol, const void *module_address);
// Path of the module that holds an address, NULL if none; borrowed while the module is loaded.
const char *tn_dynlib_path_of(const void *address);

#endif
