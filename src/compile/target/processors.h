// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to target: the processors that words may name.
#ifndef TN_COMPILE_TARGET_PROCESSORS_H
#define TN_COMPILE_TARGET_PROCESSORS_H

#include "base/str.h"

// Each list ends in NULL.
extern const char *const tn_nvidia_processors[];  // "sm_90"
extern const char *const tn_amd_processors[];     // "gfx90a"
extern const char *const tn_intel_processors[];   // "pvc", as ocloc's -device takes it
extern const char *const tn_cpu_processors[];     // "x86-64-v3", "native"

// The list's own text for `name`, or NULL.
const char *tn_processor_find(const char *const *list, tn_str name);
// The one with the fewest letters to change, at most two; NULL when none is near. Of several the
// one with the longest common beginning.
const char *tn_processor_nearest(const char *const *list, tn_str name);

#endif
