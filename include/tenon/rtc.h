// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels compiled while the program runs, from source in memory: a source, and bundles built of
// it. See tenon.h for ownership and threading. Source: seed 002; the SYCL extension
// sycl_ext_oneapi_kernel_compiler.
#ifndef TENON_RTC_H
#define TENON_RTC_H

#include "tenon/bundle.h"

#ifdef __cplusplus
extern "C" {
#endif

// SYCL: C++ with free-function kernels. C: C17 with TN_KERNEL functions. OPENCL: OpenCL C. SPIRV:
// the bytes of a module, whose kernels are its entry points. The last two for OpenCL's devices.
enum { TN_SOURCE_SYCL = 1, TN_SOURCE_C = 2, TN_SOURCE_OPENCL = 3, TN_SOURCE_SPIRV = 4 };

// A text under a name that #include finds.
typedef struct tn_source_include {
  const char *name;  // relative, with '/': "math/poly.h"
  const char *text;
  size_t size;
} tn_source_include;

typedef struct tn_source_query {
  uint32_t struct_size;  // sizeof(tn_source_query)
  int32_t language;      // TN_SOURCE_…
  tn_context *context;
  const void *source;  // copied; need not end in 0
  size_t source_size;
  const tn_source_include *includes;  // copied
  size_t include_count;
} tn_source_query;

typedef struct tn_source tn_source;  // counted; never changes; any thread
// INVALID_ARGUMENT for names of includes that are empty, absolute, leave their folder by "..", or
// come twice; UNSUPPORTED for languages that no device of the context takes.
TN_API TN_MUST_USE tn_status tn_source_create(const tn_source_query *query, tn_source **out,
                                              tn_diag *diag);
TN_API void tn_source_retain(tn_source *source);
TN_API void tn_source_release(tn_source *source);               // NULL-safe
TN_API tn_context *tn_source_context(const tn_source *source);  // borrowed
// Whether sources of a language can be built for the device: 1 or 0. The compiler is not loaded.
TN_API int tn_source_is_supported(const tn_device *device, int32_t language);
// Whether sources in OpenCL C may use an extension of OpenCL (cl_khr_fp16) or a feature of OpenCL C
// (__opencl_c_fp64) on the device: 1 or 0. *out_version (may be NULL) is its version then, as
// OpenCL packs it: 10 bits, 10 bits and 12 bits. The compiler is not loaded.
TN_API int tn_source_has_opencl(const tn_device *device, const char *name, uint32_t *out_version);

typedef struct tn_source_build {
  uint32_t struct_size;       // sizeof(tn_source_build)
  int32_t state;              // TN_BUNDLE_EXECUTABLE, or TN_BUNDLE_OBJECT to be linked with others
  tn_device *const *devices;  // of the context; none = all of its
  size_t device_count;
  const char *const *options;  // one word each: "-O3", "-DN=4", "-I", "include"
  size_t option_count;
  // C++ expressions that name kernels, and instantiate them: "ns::scale<float>".
  const char *const *names;
  size_t name_count;
} tn_source_build;

// What a build said: the compiler's messages, whole. Freed by the caller.
typedef struct tn_log tn_log;
TN_API const char *tn_log_text(const tn_log *log);  // "" for NULL; borrowed
TN_API void tn_log_free(tn_log *log);               // NULL-safe

// Compiles for each kind of device there is among them, through the caches: the same source,
// includes and options are compiled once. *out_log (may be NULL) is set also when it fails.
// BUILD_FAILED with the first error in `diag` and all of them in the log; INVALID_ARGUMENT for
// options that make no sense here, names that are no kernels, devices that are not the context's or
// do not take the language, and any options or names of SPIRV; KERNEL_NOT_FOUND when no device has
// what the kernels ask for. The images are no part of the application: its bundles have none of
// them, and only what is linked with them finds what they export. The caller owns one reference of
// *out.
TN_API TN_MUST_USE tn_status tn_source_build_bundle(tn_source *source, const tn_source_build *build,
                                                    tn_bundle **out, tn_log **out_log,
                                                    tn_diag *diag);

// A kernel of a bundle that was built of a source, or linked with one: by an expression that was
// registered, by the name of an extern "C" function, or by its raw name.
TN_API int tn_bundle_has_kernel_name(const tn_bundle *bundle, const char *name);
// KERNEL_NOT_FOUND, with the names there are. The caller owns one reference.
TN_API TN_MUST_USE tn_status tn_bundle_find_kernel_id(const tn_bundle *bundle, const char *name,
                                                      tn_kernel_id **out, tn_diag *diag);
// The name that the compiler gave it; borrowed from the bundle. NULL when there is none.
TN_API const char *tn_bundle_raw_kernel_name(const tn_bundle *bundle, const char *name);

// A device global of such a bundle: by its name in the source, with its namespaces ("ns::counter"),
// or by its symbol. `device` NULL: for any of the bundle's.
TN_API int tn_bundle_has_device_global(const tn_bundle *bundle, const char *name,
                                       const tn_device *device);
// Where it lies on a device of the bundle, or a part of one, and the size of its type; either may
// be NULL. The address is that of USM device memory of the bundle's context, to be read and written
// by copies and to be given to kernels; it is good as long as the bundle, or a kernel of it, and is
// freed by nobody. INVALID_ARGUMENT for a name that is none, with those there are, and when the
// address is asked for of a bundle that is not EXECUTABLE, or of a device_global with the property
// device_image_scope.
TN_API TN_MUST_USE tn_status tn_bundle_find_device_global(const tn_bundle *bundle, const char *name,
                                                          tn_device *device, void **out_address,
                                                          size_t *out_size, tn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
