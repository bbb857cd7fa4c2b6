// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruction sets of x86-64 processors that machine code for kernels may use, by LLVM's names: the
// compiler writes them beside such code, the runtime asks this machine for them. And what
// tells one kind of processor from another.
#ifndef TN_BASE_CPU_FEATURE_H
#define TN_BASE_CPU_FEATURE_H

#include "base/buf.h"

// Sorted by name; NULL at the end. What each x86-64 has is not among them.
const char *tn_cpu_feature_name(size_t index);
bool tn_cpu_feature_is_known(tn_str name);
// Whether this machine has it and its system keeps the registers; false for unknown names and on
// other architectures.
bool tn_cpu_has_feature(tn_str name);

// The first of a list by commas that this machine lacks; empty when it has all of them.
tn_str tn_cpu_find_lacking(tn_str features);

// Adds a text that is another one wherever code made for this processor could be another: maker,
// model, and all it can do as far as the system lets it. The same for all cores and all runs.
void tn_cpu_identity(tn_buf *out);

#endif
