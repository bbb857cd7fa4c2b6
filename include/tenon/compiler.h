// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler as the runtime sees it: one table of functions from libtenon-compiler.so,
// loaded on demand. Slots are only ever added at the end; a caller checks `size` before using a
// later one.
#ifndef TENON_COMPILER_H
#define TENON_COMPILER_H

#include "tenon/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TN_COMPILER_VERSION = 1 };

enum {
  // What was compiled with -O0: no function of it is inlined yet, whatever its source says.
  TN_BUILD_IMAGE_UNOPTIMIZED = 1,
};

enum {
  // Remarks about how kernels are vectorized, a line each on standard error (TENON_LOG=vectorize).
  TN_BUILD_LOG_VECTORIZE = 1,
  // The quick tier: scalar code with the same results, for a fraction of the compile time.
  // UNSUPPORTED for kernels that use barriers, sub-groups or relaxed floating point, and for those
  // of a single work-item with branches, which full code may run much faster.
  TN_BUILD_QUICK = 2,
};

// One image that takes part in a build.
typedef struct tn_build_image {
  const void *code;  // borrowed during the call
  size_t size;
  uint32_t format;  // tn_image_format
  uint32_t flags;   // TN_BUILD_IMAGE_*
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
  uint32_t sub_group_size;  // of kernels that require none; 0: TN_CPU_SUB_GROUP_SIZE
  // All others keep their defaults; either way they are constants before anything is optimized.
  const tn_build_spec *specs;
  size_t spec_count;
  const char *kernel;  // the only one that is made, by its symbol; NULL: all of images[0]
  // The images' device globals: the n-th address in tn_cpu_group.spec_constants is the n-th one's.
  const char *const *globals;
  size_t global_count;
  // The work-groups that the code is for (tn_cpu_group_shape); 0: any. Kernels whose code does not
  // depend on it are for any.
  uint32_t group_shape;
  uint32_t flags;  // TN_BUILD_*
} tn_build_params;

// A source that is compiled while the program runs, for one target.
enum { TN_LANGUAGE_SYCL = 1, TN_LANGUAGE_C = 2, TN_LANGUAGE_OPENCL = 3 };
typedef struct tn_source_file {
  const char *name;  // as an #include names it; of the source itself, what messages call it
  const void *text;  // all borrowed during the call
  size_t size;
} tn_source_file;
typedef struct tn_source_params {
  uint32_t struct_size;
  uint32_t language;  // TN_LANGUAGE_…
  tn_source_file source;
  const tn_source_file *includes;  // found before files of the same name on the disk
  size_t include_count;
  const char *const *options;  // one word each, as for tenon++
  size_t option_count;
  const char *const *names;  // C++ expressions that name kernels, such as "ns::scale<float>"
  size_t name_count;
  const char *target;  // "native_cpu", "nvptx64-nvidia-cuda", "spirv64" …
  const char *processor;  // of the target, "sm_90"; NULL = its default
  // 1: it is what the device has, and nobody's wish: the default takes the place of one that is
  // newer than the compiler.
  uint32_t is_device_processor;
  uint32_t reserved;
} tn_source_params;

// A kernel under the name that the program calls it by.
typedef struct tn_source_name {
  const char *name;    // an expression as it was registered, or an extern "C" function
  const char *symbol;  // the kernel's in the images
} tn_source_name;
// A file from the disk that a build has read: it is to be what it was for the result to hold.
typedef struct tn_source_input {
  const char *path;  // full
  uint8_t hash[32];  // BLAKE3 of its content
  uint64_t size;
} tn_source_input;
typedef struct tn_source_result {
  uint32_t struct_size;  // the caller's; the rest is all the library's until it is freed
  void *fatbin;  // images with their kernels, imports and exports; NULL when the build failed
  size_t fatbin_size;
  const char *log;  // what the compiler said, also when the build failed; "" for nothing
  const tn_source_name *names;
  size_t name_count;
  const tn_source_input *inputs;
  size_t input_count;
  // Full paths of files and folders that were looked for and not there: with one of them the result
  // might be another.
  const char *const *misses;
  size_t miss_count;
  void *owner;
  // Builds with one print have the same images, names and (no) log, whatever differs in their
  // comments, macros and folders; the compiler and the environment count besides.
  uint8_t print[32];
  uint32_t has_print;  // 1; 0: it is known by what it was made of alone
  uint32_t reserved;
} tn_source_result;

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
  // From source to device images, in memory: no file, and no process but for SPIR-V. *out is
  // filled, and is to be freed, also when it fails: it holds the log then. BUILD_FAILED for what
  // the compiler refuses; INVALID_ARGUMENT for options that make no sense here, by name.
  tn_status (*compile_source)(const tn_source_params *params, tn_source_result *out, tn_diag *diag);
  void (*free_source_result)(tn_source_result *result);  // NULL-safe
  // What the source is, without compiling it: *out gets the print, inputs, misses and log, and is
  // to be freed as above. Where it has no print, or fails, it takes a build to know more.
  tn_status (*identify_source)(const tn_source_params *params, tn_source_result *out,
                               tn_diag *diag);
  // For tenon-spirv, which the library starts: one module for spirv64, lowered and optimized, to
  // SPIR-V (free_object).
  tn_status (*emit_spirv)(const void *bitcode, size_t size, uint32_t opt_level, void **out_code,
                          size_t *out_size, tn_diag *diag);
} tn_compiler;

// The library's one export. NULL when `max_version` is too old for it.
typedef const tn_compiler *(*tn_compiler_query_fn)(uint32_t max_version);
#define TN_COMPILER_QUERY "tn_compiler_query"

#ifdef __cplusplus
}
#endif
#endif
