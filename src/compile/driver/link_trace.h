// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the linker says under --trace and --trace-symbol: GNU ld, gold, lld and mold each in their
// words. Private to the driver.
#ifndef TN_COMPILE_DRIVER_LINK_TRACE_H
#define TN_COMPILE_DRIVER_LINK_TRACE_H

#include "compile/driver/link_inputs.h"

// Before a trial: the symbols to trace, by which members of one name are told apart.
TN_MUST_USE tn_status tn_link_trace_prepare(tn_link_inputs *inputs, tn_args *out_traced,
                                            tn_diag *diag);
// Takes the members that the trial has taken.
TN_MUST_USE tn_status tn_link_trace_take(tn_link_inputs *inputs, tn_str trace, tn_str errors,
                                         tn_diag *diag);
// Whether a traced symbol has a definition.
bool tn_link_trace_defines(tn_str trace, tn_str errors, tn_str symbol);

#endif
