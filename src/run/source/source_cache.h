// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to source: what builds came to, kept in memory and on disk.
#ifndef TN_RUN_SOURCE_SOURCE_CACHE_H
#define TN_RUN_SOURCE_SOURCE_CACHE_H

#include "run/bundle/bundle.h"
#include "run/registry/registry.h"
#include "run/source/source_unit.h"

// A build as it was asked for: one unit a target.
typedef struct tn_source_order {
  tn_source_job job;  // its target is not looked at; all borrowed
  const tn_source_target *targets;
  size_t target_count;
} tn_source_order;

// What a build came to, also when it failed. Counted; immutable but for the count.
typedef struct tn_source_made {
  tn_ref ref;
  uint64_t number;  // never used twice in a process
  tn_status status;
  tn_diag diag;           // when it failed
  tn_source_unit *units;  // owned: for each target what it is made of, without the images
  size_t unit_count;
  char *log;                    // owned
  tn_registered *registered;    // retained and pinned, or the twin's; NULL when it failed
  tn_bundle_names *names;       // retained, or the twin's; NULL when it failed
  struct tn_source_made *twin;  // retained: it has the same images; NULL: they are its own
  bool is_kept_out;             // it cannot be known later whether it still holds
  size_t size;                  // bytes that it takes, about
} tn_source_made;
void tn_source_made_release(tn_source_made *made);  // NULL-safe

// From memory, from disk, or by the compiler: whoever comes first builds, others wait for him. The
// caller owns one reference. Fails only when there is no memory: what the compiler says is in *out.
// No lock may be held.
TN_MUST_USE tn_status tn_source_cache_get(const tn_source_order *order, tn_source_made **out,
                                          tn_diag *diag);

#endif
