// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every fallible call returns, and the words that go with it.
//
// A function that can fail returns tn_status (TN_OK is 0) and takes, as its last parameter, a
// tn_diag that may be NULL. On failure the diagnosis holds the same code and a sentence for a
// person: what failed, on what, and what to do. It is a plain value: no allocation, nothing to
// free, copyable. On success the diagnosis is left as it was.
#ifndef TENON_STATUS_H
#define TENON_STATUS_H

#include <stddef.h>
#include <stdint.h>

// No function of the library throws, also where it calls back.
#if defined(TN_BUILDING) || defined(__GNUC__)
#ifdef __cplusplus
#define TN_API __attribute__((visibility("default"), nothrow))
#else
#define TN_API __attribute__((visibility("default")))
#endif
#define TN_MUST_USE __attribute__((warn_unused_result))
#define TN_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TN_API
#define TN_MUST_USE
#define TN_PRINTF(fmt, args)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// X(code, value, sycl::errc it becomes, text)
#define TN_STATUS_MAP(X)                                                                    \
  X(OK, 0, success, "success")                                                              \
  X(INVALID_ARGUMENT, 1, invalid, "an argument is not valid")                               \
  X(OUT_OF_MEMORY, 2, memory_allocation, "memory could not be allocated")                   \
  X(DEVICE_NOT_FOUND, 3, runtime, "no such device")                                         \
  X(UNSUPPORTED, 4, feature_not_supported, "the device or this version does not do this")   \
  X(BUILD_FAILED, 5, build, "device code could not be built")                               \
  X(KERNEL_NOT_FOUND, 6, kernel_not_supported, "the kernel is in no image for this device") \
  X(KERNEL_ARGUMENT, 7, kernel_argument, "a kernel argument is not valid")                  \
  X(ND_RANGE, 8, nd_range, "the work-group size does not fit the range or the device")      \
  X(ACCESSOR, 9, accessor, "an accessor is used where it may not be")                       \
  X(EVENT, 10, event, "the event cannot be used so")                                        \
  X(PROFILING, 11, profiling, "profiling information is not available")                     \
  X(PLATFORM, 12, platform, "the platform could not be used")                               \
  X(BAD_IMAGE, 13, invalid, "the device image is damaged or of an unknown format")          \
  X(IO, 14, runtime, "a file could not be read or written")                                 \
  X(INTERNAL, 15, runtime, "an internal condition does not hold; please report it")         \
  X(HOST_TASK, 16, runtime, "a host task failed")                                           \
  X(WRONG_CONTEXT, 17, invalid, "the object belongs to another context")                    \
  X(DEVICE_FAILED, 18, runtime, "the device reported an error")

typedef enum tn_status {
#define TN_STATUS_ENUM(name, value, errc, text) TN_##name = value,
  TN_STATUS_MAP(TN_STATUS_ENUM)
#undef TN_STATUS_ENUM
} tn_status;

enum { TN_DIAG_TEXT_SIZE = 1000 };

// Fixed size, copyable. `file` is a static string (the library's source), `text` ends in NUL.
typedef struct tn_diag {
  int32_t code;         // tn_status of the failure
  int32_t native_code;  // the driver's or system's own code, 0 if none
  uint32_t line;        // where in Tenon's source it was noticed
  uint32_t reserved;
  const char *file;
  char text[TN_DIAG_TEXT_SIZE];
} tn_diag;

// The table's text for a code; never NULL. Any thread.
TN_API const char *tn_status_text(tn_status status);
// The code's name ("BUILD_FAILED"); never NULL. Any thread.
TN_API const char *tn_status_name(tn_status status);

#ifdef __cplusplus
}
#endif
#endif
