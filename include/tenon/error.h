// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors as a language binding throws them: a code, a text and a context in one counted object. See
// tenon.h for ownership and threading. Source: SYCL 2020 section 4.13.
#ifndef TENON_ERROR_H
#define TENON_ERROR_H

#include "tenon/device.h"

#ifdef __cplusplus
extern "C" {
#endif

// X(enumerator of sycl::errc, value, text of its std::error_code)
#define TN_ERRC_MAP(X)                                          \
  X(success, 0, "success")                                      \
  X(runtime, 1, "runtime error")                                \
  X(kernel, 2, "kernel error")                                  \
  X(accessor, 3, "accessor error")                              \
  X(nd_range, 4, "nd_range error")                              \
  X(event, 5, "event error")                                    \
  X(kernel_argument, 6, "kernel argument error")                \
  X(build, 7, "device code could not be built")                 \
  X(invalid, 8, "invalid argument or use")                      \
  X(memory_allocation, 9, "memory could not be allocated")      \
  X(platform, 10, "platform error")                             \
  X(profiling, 11, "profiling error")                           \
  X(feature_not_supported, 12, "feature not supported")         \
  X(kernel_not_supported, 13, "kernel not supported by the device") \
  X(backend_mismatch, 14, "backend mismatch")

enum {
#define TN_ERRC_ENUM(name, value, text) TN_ERRC_##name = value,
  TN_ERRC_MAP(TN_ERRC_ENUM)
#undef TN_ERRC_ENUM
  TN_ERRC_END
};

// The table's text for a TN_ERRC_…, "unknown error" for other values; static. Any thread.
TN_API const char *tn_errc_text(int32_t errc);

typedef struct tn_error tn_error;  // counted; immutable once other threads have it

// Room for a binding's own error code (a std::error_code).
enum { TN_ERROR_CODE_SIZE = 16 };

// An error with a code (TN_ERRC_…) and a copy of `text`, which may be NULL. The caller owns one
// reference. Never NULL: without memory, the error has the code and the code's own text.
TN_API tn_error *tn_error_create(int32_t errc, const char *text);
// The same of a diagnosis: the code is what TN_STATUS_MAP has for its status.
TN_API tn_error *tn_error_create_of_diag(const tn_diag *diag);
// The same with the bytes of a code of the binding's, at most TN_ERROR_CODE_SIZE, in place of a
// TN_ERRC_…. Without memory, an error with TN_ERRC_memory_allocation and no other code.
TN_API tn_error *tn_error_create_of_code(const void *code, size_t size, const char *text);
TN_API void tn_error_retain(tn_error *error);  // NULL is ignored
TN_API void tn_error_release(tn_error *error);
// Retains the context. Only before other threads have the error.
TN_API void tn_error_set_context(tn_error *error, tn_context *context);

TN_API int32_t tn_error_errc(const tn_error *error);  // TN_ERRC_…
// All borrowed for as long as the caller holds the error. The bytes of the binding's code, aligned
// for any object: those at `code`, at most TN_ERROR_CODE_SIZE, of which a copy is kept unless the
// error has a code already.
TN_API const void *tn_error_offer_code(tn_error *error, const void *code, size_t size);
TN_API const char *tn_error_text(const tn_error *error);     // never NULL
TN_API tn_context *tn_error_context(const tn_error *error);  // NULL: none was set

#ifdef __cplusplus
}
#endif
#endif
