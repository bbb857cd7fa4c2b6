// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the object that Tenon's driver adds to each program and shared library says to the runtime.
// Written by compile/wrap; nothing here is called by hand. See tenon.h for ownership and threading.
#ifndef TENON_REGISTER_H
#define TENON_REGISTER_H

#include "tenon/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TN_MODULE_VERSION = 1 };

// A device global of the program (sycl_ext_oneapi_device_global): the begin of its object in the
// host's memory, written by the SYCL headers. The state is the runtime's and starts NULL.
typedef struct tn_device_global {
  void *state;
  const void *value;  // what each device begins with; NULL: zeros
  uint64_t size;      // of its type
  uint64_t alignment;
} tn_device_global;
typedef struct tn_module_global {
  const char *symbol;        // device symbol
  tn_device_global *object;  // as the host's linker binds the name; NULL: the host has it not
} tn_module_global;

// One a linked program or shared library: the hidden symbol `__tenon_module`. Static storage.
typedef struct tn_module {
  uint32_t size;       // sizeof(tn_module) of the writer
  uint32_t version;    // TN_MODULE_VERSION
  const void *fatbin;  // docs/formats/fat-binary.md; in the module's read-only data
  uint64_t fatbin_size;
  void *state;  // the runtime's; NULL outside registration
  // Machine code in the same file, a table for each image of format TN_IMAGE_FORMAT_HOST, in their
  // order. Only there when `size` says so.
  const struct tn_native_table *const *natives;
  uint64_t native_count;
  // Asks the dynamic linker for a symbol as the module's own references are bound: a function of
  // the module, since the linker goes by the caller. NULL in a module that imports nothing; it
  // gives NULL for what nobody has. Only there when `size` says so.
  void *(*resolve)(const char *symbol);
  // The device globals of its images. Only there when `size` says so.
  const tn_module_global *globals;
  uint64_t global_count;
} tn_module;

// What a marker symbol `__tenon_export_<symbol>` holds: which module defines the export.
typedef struct tn_export_marker {
  const tn_module *module;
  const char *symbol;  // device symbol
} tn_export_marker;

// Called by the module's constructor (priority 101, before the program's own) and destructor. Maybe
// before main and under the loader's lock: only indexes; reads no environment, starts nothing. A
// damaged image is remembered and reported when a kernel of the module is first used.
TN_API void tn_register_module(tn_module *module);
// Calls no device: what was built of the module is kept alive by its users. Only for machine code
// in the module itself it waits, until no command runs it or is about to.
TN_API void tn_unregister_module(tn_module *module);

#ifdef __cplusplus
}
#endif
#endif
