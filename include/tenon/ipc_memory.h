// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inter-process communication: USM of a device that processes on one machine share. See tenon.h for
// ownership and threading. Source: the SYCL extension sycl_ext_oneapi_inter_process_communication.
//
// All calls fail with UNSUPPORTED for devices without TN_ASPECT_IPC_MEMORY.
#ifndef TENON_IPC_MEMORY_H
#define TENON_IPC_MEMORY_H

#include "tenon/device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TN_IPC_MEMORY_SIZE = 128 };  // bytes of a handle

// By which other processes open the memory from `pointer` on, which lies in an allocation of
// TN_USM_DEVICE of the context. The handle is plain bytes, to be sent in any way; it holds no
// memory: the allocation has to be there while others use it. INVALID_ARGUMENT for other pointers.
TN_API TN_MUST_USE tn_status tn_ipc_memory_get(tn_context *context, void *pointer,
                                               unsigned char out_handle[TN_IPC_MEMORY_SIZE],
                                               tn_diag *diag);
// The same memory in this process, as USM of `device` in `context`, until tn_ipc_memory_close. In
// the process that it comes from it is `pointer` itself. `size` is that of what `handle` holds.
// INVALID_ARGUMENT for bytes that are no handle, for memory of another device, and when the
// allocation is gone.
TN_API TN_MUST_USE tn_status tn_ipc_memory_open(tn_context *context, tn_device *device,
                                                const void *handle, size_t size, void **out,
                                                tn_diag *diag);
// Once for each call of tn_ipc_memory_open that gave the pointer. INVALID_ARGUMENT for others.
TN_API TN_MUST_USE tn_status tn_ipc_memory_close(tn_context *context, void *pointer, tn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
