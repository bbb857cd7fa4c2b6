// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compile wing as the run wing sees it: one table of functions from libtenon-compiler.so,
// loaded on demand. Slots are only ever added at the end; a caller checks `size` before using a
// later one.
#ifndef TENON_COMPILER_H
#define TENON_COMPILER_H

#include "tenon/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TN_COMPILER_VERSION = 1 };

// One image that takes part in a build.
typedef struct tn_build_image {
  const void *code;  // borrowed during the call
  size_t size;
  uint32_t format;  // tn_image_format
  uint32_t reserved;
  const char *name;  // for messages: path of the module it came from
  // Exported symbols to take from this image; NULL = all. What it defines but is not taken becomes
  // a reference when another image of the build gives it, and internal otherwise.
  const char *const *take;
  size_t take_count;
} tn_build_image;

// The value of a specialization constant, by the name that its image gives it.
typedef struct tn_build_spec {
  const char *name;
  const void *value;  // bytes of its type
  size_t size;
} tn_build_spec;

typedef struct tn_build_params {
  uint32_t struct_size;
  uint32_t opt_level;            // 0..3
  const char *target;            // "native_cpu"
  const tn_build_image *images;  // [0] holds the kernels asked for
  size_t image_count;
  uint32_t check;  // 1: kernels check their accessor indices and barriers (tn_cpu_check)
  uint32_t reserved;
  // All others keep their defaults; either way they are constants before anything is optimized.
  const tn_build_spec *specs;
  size_t spec_count;
  const char *kernel;  // the only one that is made, by its symbol; NULL: all of images[0]
} tn_build_params;

typedef struct tn_native_code tn_native_code;  // machine code in this process

typedef struct tn_compiler {
  uint32_t size;
  uint32_t version;
  // Links, lowers and emits: *out_object (owned by the caller, free_object) holds a relocatable
  // object whose work-group functions follow cpu_kernel.h. Any thread, several at a time.
  // BUILD_FAILED.
  tn_status (*build)(const tn_build_params *params, void **out_object, size_t *out_size,
                     tn_diag *diag);
  void (*free_object)(void *object);
  // Puts an object into memory, ready to call. Undefined symbols are taken from the process's C and
  // math libraries. Any thread.
  tn_status (*code_load)(const void *object, size_t size, tn_native_code **out, tn_diag *diag);
  void *(*code_find)(tn_native_code *code, const char *symbol);  // NULL when absent
  void (*code_unload)(tn_native_code *code);
  // Device images from a file of LLVM bitcode: *out_fatbin (free_object) is a fat binary with its
  // kernels, imports and exports. `name` is for messages. BAD_IMAGE when it is no device code.
  tn_status (*import_bitcode)(const void *bitcode, size_t size, const char *name,
                              void **out_fatbin, size_t *out_size, tn_diag *diag);
} tn_compiler;

// The library's one export. NULL when `max_version` is too old for it.
typedef const tn_compiler *(*tn_compiler_query_fn)(uint32_t max_version);
#define TN_COMPILER_QUERY "tn_compiler_query"

#ifdef __cplusplus
}
#endif
#endif
