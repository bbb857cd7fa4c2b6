// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: from a link set to code on a device.
#ifndef TN_RUN_PROGRAM_PROGRAM_BUILD_H
#define TN_RUN_PROGRAM_PROGRAM_BUILD_H

#include "run/program/program_key.h"
#include "run/program/program_object.h"

// Compiles or links what needs it, loads it, and records the kernels that are in it. A
// tn_cache_build_fn: of a tn_program_recipe comes a tn_program. No lock may be held. The caller
// owns one reference.
TN_MUST_USE tn_status tn_program_build(void *recipe, void **out, tn_diag *diag);

#endif
