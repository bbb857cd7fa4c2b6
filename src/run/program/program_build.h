// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: from a link set to code on a device.
#ifndef TN_RUN_PROGRAM_PROGRAM_BUILD_H
#define TN_RUN_PROGRAM_PROGRAM_BUILD_H

#include "run/program/link_set.h"
#include "run/program/program_object.h"
#include "run/program/spec_values.h"

// Compiles what needs it, loads it, and records the kernels that are in it. `specs`: the values of
// specialization constants that are not the defaults. No lock may be held. The caller owns one
// reference.
TN_MUST_USE tn_status tn_program_build(const tn_link_set *set, tn_device *device,
                                       uint32_t opt_level, const tn_spec_settled *specs,
                                       tn_program **out, tn_diag *diag);

#endif
