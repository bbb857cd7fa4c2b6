// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's own memory as USM of the host. See tenon.h for ownership and threading.
// Source: the SYCL extension sycl_ext_oneapi_register_host_memory.
#ifndef TENON_HOST_MEMORY_H
#define TENON_HOST_MEMORY_H

#include "tenon/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TN_REGISTER_READ_ONLY = 1u << 0 };  // kernels do not write to the memory
// Makes memory of the host's USM (TN_USM_HOST) of the context, until tn_usm_unregister_host; it
// stays the caller's, mapped where it is. Whole pages: `memory` and `size`, not 0, are multiples of
// the host's page size. UNSUPPORTED when a device of the context does not have
// TN_ASPECT_REGISTER_HOST_MEMORY; INVALID_ARGUMENT for other addresses, sizes and flags;
// DEVICE_FAILED when it cannot be taken: some of it is USM already, or the driver refuses. Any
// thread.
TN_API TN_MUST_USE tn_status tn_usm_register_host(tn_context *context, void *memory, size_t size,
                                                  uint32_t flags, tn_diag *diag);
// After the last command with it. UNSUPPORTED as above; DEVICE_FAILED for memory that is not
// registered with the context, or does not begin there.
TN_API TN_MUST_USE tn_status tn_usm_unregister_host(tn_context *context, void *memory,
                                                    tn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
