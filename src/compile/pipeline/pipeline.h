// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Link, lower, emit: in memory, and the only place that knows their order. The driver and the
// run-time compiler both call it.
#ifndef TN_COMPILE_PIPELINE_PIPELINE_H
#define TN_COMPILE_PIPELINE_PIPELINE_H

#include "base/buf.h"
#include "tenon/compiler.h"

// One translation unit, straight from the device pass: device bitcode (any number of kernels).
typedef struct tn_unit_params {
  tn_bytes bitcode;
  const char *source;  // for messages
  uint64_t unit_id;    // tells kernels of names without linkage apart
  const char *target;  // "native_cpu"
} tn_unit_params;
// Diagnoses what device code may not do, within this unit; gives kernels their final names and
// linkage, marks SYCL_EXTERNAL functions with their module id, and writes bitcode for the fat
// object. Every violation becomes a line group in `messages` in clang's form (file:line: error: …,
// notes for the call chain); any violation makes it BUILD_FAILED with a summary in `diag`.
TN_MUST_USE tn_status tn_pipeline_unit(const tn_unit_params *params, tn_buf *out_bitcode,
                                       tn_buf *messages, tn_diag *diag);

typedef struct tn_link_input {
  tn_bytes bitcode;  // as tn_pipeline_unit wrote it
  const char *name;  // object or archive member, for messages
} tn_link_input;
typedef struct tn_link_params {
  const char *target;
  const char *output;  // the module's name (a.out), for messages and the moduleId property
  const tn_link_input *inputs;
  size_t input_count;
  uint32_t opt_level;  // 0..3
  bool debug;          // keep full debug information
} tn_link_params;
// Units → one device image, as a fat binary with its property sets. `*out_fatbin` is empty when the
// inputs hold neither kernels nor exports. Messages as above.
TN_MUST_USE tn_status tn_pipeline_link(const tn_link_params *params, tn_buf *out_fatbin,
                                       tn_buf *messages, tn_diag *diag);

// Images → a native object for this machine (compiler.h's `build`).
TN_MUST_USE tn_status tn_pipeline_build(const tn_build_params *params, tn_buf *out_object,
                                        tn_diag *diag);

// Sets LLVM's back end for this machine up, once a process; tn_pipeline_build does so by itself.
// Any thread. UNSUPPORTED when the LLVM library lacks it.
TN_MUST_USE tn_status tn_pipeline_init(tn_diag *diag);
// Where the C or math function is that built objects may call; 0 when device code may not call it.
uint64_t tn_pipeline_host_address(tn_str symbol);

#endif
