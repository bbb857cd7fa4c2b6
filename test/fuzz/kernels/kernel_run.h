// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source of generated kernels: compiled in this process for the device, by clang++ for the host,
// run at each optimization level, and compared. What may crash does so in a child process.
#ifndef TN_TEST_FUZZ_KERNELS_KERNEL_RUN_H
#define TN_TEST_FUZZ_KERNELS_KERNEL_RUN_H

#include "fuzz/kernels/kernel_case.h"

enum { BATCH_MAXIMUM = 64, OUTCOME_TEXT = 400 };

// In the order in which they are reported. INVALID: the reference has undefined behavior or fails,
// which is a mistake of the generator.
typedef enum outcome_kind {
  OUTCOME_RIGHT,
  OUTCOME_WRONG,
  OUTCOME_OUTSIDE,
  OUTCOME_CRASH,
  OUTCOME_HANG,
  OUTCOME_REFUSED,
  OUTCOME_INVALID
} outcome_kind;
const char *outcome_name(outcome_kind kind);

typedef struct outcome {
  uint32_t kind;
  uint32_t level;      // TENON_JIT_OPT
  uint32_t placement;  // 0: buffers begin behind a page without access; 1: they end before one
  uint32_t buffer;     // of WRONG and OUTSIDE
  uint64_t element;
  char text[OUTCOME_TEXT];
} outcome;

typedef struct run_options {
  const char *compiler_library;
  const char *cxx;        // compiles the reference: clang++ or g++
  const char *reference;  // the folder of the reference's headers
  const char *work;       // a folder for files
  const char *front;      // "-O2": what the front end's code is simplified by
  const char *target;     // of the device code: "native_cpu", "spir64"
  uint32_t levels;        // a bit for each
  uint32_t seconds;       // a kernel may take before it hangs
  bool verbose;
} run_options;

typedef struct batch {
  const char *text;
  size_t size;
  kernel_launch launches[BATCH_MAXIMUM];
  uint32_t count;
  uint64_t digests[BATCH_MAXIMUM][KERNEL_BUFFERS];  // of what the reference wrote
  outcome outcomes[BATCH_MAXIMUM];                  // the first that is not RIGHT
  uint64_t configurations;                          // that were run
} batch;

// False when the children cannot be started, with a line on stderr. A source that is refused as a
// whole has REFUSED outcomes for all its kernels.
bool batch_run(const run_options *options, batch *it);

#endif
