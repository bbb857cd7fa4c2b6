// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to the adapter: what a program makes of an image's symbols, written into the image's code
// for the driver's linker (docs/decisions/gpu-linking.md).
#ifndef TN_ADAPTER_CUDA_CUDA_ROLES_H
#define TN_ADAPTER_CUDA_CUDA_ROLES_H

#include "base/buf.h"
#include "tenon/adapter.h"

static inline uint32_t tn_cuda_role_of(const tn_adapter_linkage *linkage, tn_str name) {
  return linkage->symbol_role(linkage->user, name.data, name.size);
}

// The image's code with the roles in it; empty when it need not be changed. `out` is to be
// deinitialized whatever is returned. BAD_IMAGE for machine code that is not ELF.
TN_MUST_USE tn_status tn_cuda_ptx_write_roles(const tn_adapter_linkage *linkage, tn_bytes code,
                                              tn_buf *out, tn_diag *diag);
TN_MUST_USE tn_status tn_cuda_cubin_write_roles(const tn_adapter_linkage *linkage, tn_bytes code,
                                                tn_buf *out, tn_diag *diag);
// Machine code that is to be linked before it can be loaded.
bool tn_cuda_cubin_is_relocatable(tn_bytes code);

#endif
