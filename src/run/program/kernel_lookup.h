// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: from a module and a kernel's name to the kernel, through the cache.
#ifndef TN_RUN_PROGRAM_KERNEL_LOOKUP_H
#define TN_RUN_PROGRAM_KERNEL_LOOKUP_H

#include "run/program/link_set.h"
#include "run/program/program_object.h"
#include "run/program/spec_values.h"
#include "run/registry/registry.h"

typedef struct tn_kernel_query {
  tn_registered *registered;  // borrowed
  tn_device *device;
  tn_str local_name;  // looked for first; may be empty
  tn_str name;
  bool by_text;  // `name` may also be the name in the source
  // Values of specialization constants for this kernel; borrowed. With them, `unit_id` is that of
  // the local name.
  const tn_spec_value *specs;
  size_t spec_count;
  uint64_t unit_id;
} tn_kernel_query;

// With values: what a look-up with the very same ones has found before, retained for the caller;
// NULL when there was none. Needs no local name.
tn_kernel *tn_kernel_find_specialized(const tn_kernel_query *query);

// The caller owns one reference.
TN_MUST_USE tn_status tn_kernel_lookup(const tn_kernel_query *query, tn_kernel **out,
                                       tn_diag *diag);

// The program of a set that is collected, with what is settled, through the caches of programs. The
// caller owns one reference.
TN_MUST_USE tn_status tn_program_find_or_build(tn_link_set *set, tn_device *device,
                                               const tn_spec_settled *specs, tn_program **out,
                                               tn_diag *diag);

#endif
