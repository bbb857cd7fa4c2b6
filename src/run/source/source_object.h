// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to source: sources as objects, and what a build of one was asked for.
#ifndef TN_RUN_SOURCE_SOURCE_OBJECT_H
#define TN_RUN_SOURCE_SOURCE_OBJECT_H

#include "base/arena.h"
#include "base/blake3.h"
#include "run/device/device.h"
#include "run/source/source.h"

enum { TN_SOURCE_NAME_SIZE = 32 };

// Immutable after create but for the count.
struct tn_source {
  tn_ref ref;
  int32_t language;
  tn_context *context;  // retained
  tn_arena arena;       // of all texts
  tn_str text;
  tn_source_file *includes;  // names without "." and ".."
  size_t include_count;
  char name[TN_SOURCE_NAME_SIZE];  // "rtc_1a2b3c4d.cpp": equal sources have equal names
  uint8_t digest[TN_BLAKE3_SIZE];  // of language, text and includes
};

// What a build makes code for. Two are the same when their texts are.
typedef struct tn_source_target {
  const char *text;         // both that follow, for keys and for people
  const char *name;         // the device's target, borrowed for ever
  const char *processor;    // of a GPU, "sm_90"; NULL: the oldest that the target stands for
  bool is_own_processor;    // the device's, and not what the environment asks for
  const tn_device *device;  // a device on which it is launched soon; NULL: nobody knows
} tn_source_target;

// A build for one target, as the compiler is asked for it.
typedef struct tn_source_job {
  const tn_source *source;  // all borrowed
  const tn_source_target *target;
  const char *const *options;
  size_t option_count;
  const char *const *names;
  size_t name_count;
} tn_source_job;

// Hashing: what is added is preceded by its size or has a fixed one.
void tn_source_hash_texts(tn_blake3 *hash, const char *const *texts, size_t count);

// The log, for the caller; NULL when there is no memory.
tn_log *tn_log_create(tn_str text);

const char *tn_source_language_name(int32_t language);  // "SYCL"; "unknown"

#endif
