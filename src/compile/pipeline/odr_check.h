// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: one name for different code, in different units.
#ifndef TN_COMPILE_PIPELINE_ODR_CHECK_H
#define TN_COMPILE_PIPELINE_ODR_CHECK_H

#include "compile/pipeline/resolve.h"

// Warns of each kernel and inline function whose code is not the same in all units that define it,
// with the places of the first two that differ; the first twenty are written. Units that are
// optimized are not compared with those that are not: clang writes their code differently.
// BUILD_FAILED when kernels of local names differ: the units have one id.
TN_MUST_USE tn_status tn_odr_check(const tn_resolve *resolve, tn_buf *messages, tn_diag *diag);

#endif
