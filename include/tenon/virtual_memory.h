// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual memory: addresses that are reserved, and physical memory of a device that is mapped
// there. See tenon.h for ownership and threading. Source: sycl_ext_oneapi_virtual_mem.
//
// All calls fail with UNSUPPORTED for devices without TN_ASPECT_VIRTUAL_MEMORY. Addresses, sizes
// and offsets that are no multiples of the granularity are INVALID_ARGUMENT.
#ifndef TENON_VIRTUAL_MEMORY_H
#define TENON_VIRTUAL_MEMORY_H

#include "tenon/device.h"

#ifdef __cplusplus
extern "C" {
#endif

// What sizes and addresses are multiples of. `device` NULL: for all devices of the context.
TN_API TN_MUST_USE tn_status tn_virtual_memory_get_granularity(tn_context *context,
                                                               tn_device *device, size_t *out,
                                                               tn_diag *diag);
// Addresses without memory, near `wanted` where that is free. OUT_OF_MEMORY.
TN_API TN_MUST_USE tn_status tn_virtual_memory_reserve(tn_context *context, const void *wanted,
                                                       size_t size, void **out, tn_diag *diag);
// All of a reservation; INVALID_ARGUMENT while something is mapped in it.
TN_API TN_MUST_USE tn_status tn_virtual_memory_free(tn_context *context, void *address, size_t size,
                                                    tn_diag *diag);
// Of a range that is mapped as a whole, by one call or several.
TN_API TN_MUST_USE tn_status tn_virtual_memory_set_access(tn_context *context, const void *address,
                                                          size_t size, int32_t access,
                                                          tn_diag *diag);
// INVALID_ARGUMENT also where the access is not the same for all of the range.
TN_API TN_MUST_USE tn_status tn_virtual_memory_get_access(tn_context *context, const void *address,
                                                          size_t size, int32_t *out, tn_diag *diag);
// The addresses stay reserved. Commands that use them have to be complete.
TN_API TN_MUST_USE tn_status tn_virtual_memory_unmap(tn_context *context, const void *address,
                                                     size_t size, tn_diag *diag);

// Counted; each mapping keeps it. Its context keeps the device.
typedef struct tn_physical_memory tn_physical_memory;
TN_API TN_MUST_USE tn_status tn_physical_memory_create(tn_context *context, tn_device *device,
                                                       size_t size, tn_physical_memory **out,
                                                       tn_diag *diag);
TN_API void tn_physical_memory_retain(tn_physical_memory *memory);
TN_API void tn_physical_memory_release(tn_physical_memory *memory);
// The `size` bytes from `offset` on, to addresses that are reserved in its context, with nothing
// mapped there. `access`: TN_VIRTUAL_ACCESS_….
TN_API TN_MUST_USE tn_status tn_physical_memory_map(tn_physical_memory *memory, void *address,
                                                    size_t size, int32_t access, size_t offset,
                                                    tn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
