// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one device may do with the memory of another. Copies between devices need none of it: the
// driver finds the way.
#include "adapter/cuda/cuda_device.h"

#include <stdio.h>

static bool can_access(const tn_adapter_device *device, const tn_adapter_device *peer) {
  int can = 0;
  return device != peer &&
         device->driver->peer_can(&can, device->handle, peer->handle) == TN_CU_SUCCESS && can != 0;
}

static bool can_do_atomics(const tn_adapter_device *device, const tn_adapter_device *peer) {
  int can = 0;
  return can_access(device, peer) &&
         device->driver->peer_attribute(&can, TN_CU_P2P_ATOMICS, device->handle, peer->handle) ==
             TN_CU_SUCCESS &&
         can != 0;
}

static tn_status change(tn_adapter_device *device, tn_adapter_device *peer, bool wants_access,
                        tn_diag *diag) {
  tn_cuda_entry entry;
  char what[2 * TN_CUDA_NAME_SIZE + 64];
  TN_TRY(tn_cuda_enter(peer, &entry, diag));  // makes its context
  tn_cuda_leave(peer, &entry);
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  tn_cu_context context = atomic_load_explicit(&peer->ready, memory_order_acquire);
  const tn_cu_result result = wants_access ? device->driver->peer_enable(context, 0)
                                           : device->driver->peer_disable(context);
  tn_cuda_leave(device, &entry);
  switch (result) {
    case TN_CU_SUCCESS:
      return TN_OK;
    case TN_CU_PEER_ACCESS_ENABLED:
      return TN_FAIL_NATIVE(diag, INVALID_ARGUMENT, result,
                            "%s: access to the memory of %s is open already; close it before "
                            "opening it again",
                            device->name, peer->name);
    case TN_CU_PEER_ACCESS_NOT_ENABLED:
      return TN_FAIL_NATIVE(diag, INVALID_ARGUMENT, result,
                            "%s: access to the memory of %s is not open, so it cannot be closed",
                            device->name, peer->name);
    default:
      (void)snprintf(what, sizeof(what), "%s: access to the memory of %s", device->name,
                     peer->name);
      return tn_cuda_device_fail(device, result, what, diag);
  }
}

tn_status tn_cuda_device_peer(tn_adapter_device *device, tn_adapter_device *peer, int32_t what,
                              int32_t *out_answer, tn_diag *diag) {
  *out_answer = 0;
  switch (what) {
    case TN_PEER_CAN_ACCESS:
      *out_answer = can_access(device, peer);
      return TN_OK;
    case TN_PEER_CAN_ATOMICS:
      *out_answer = can_do_atomics(device, peer);
      return TN_OK;
    case TN_PEER_ENABLE:
    case TN_PEER_DISABLE:
      if (!can_access(device, peer)) {
        return TN_FAIL(diag, UNSUPPORTED,
                       "%s cannot use the memory of %s: copy it, which works between any two "
                       "devices (ext_oneapi_can_access_peer tells)",
                       device->name, device == peer ? "itself as another's" : peer->name);
      }
      TN_TRY(change(device, peer, what == TN_PEER_ENABLE, diag));
      *out_answer = 1;
      return TN_OK;
    default:
      return TN_FAIL(diag, INVALID_ARGUMENT, "%d is no TN_PEER_…", (int)what);
  }
}

static void open_pool(const tn_adapter_device *device, const tn_adapter_device *peer) {
  const tn_cu_pool_access access = {{TN_CU_PLACE_DEVICE, peer->handle}, TN_CU_ACCESS_READ_WRITE};
  if (device->pool && can_access(peer, device)) {
    (void)device->driver->pool_set_access(device->pool, &access, 1);
  }
}

// Other memory of a device lies open to copies by any; that of a pool does once the pool says so.
// Only devices that are in use are looked at: each has a context, and it is the last who opens
// both.
void tn_cuda_pool_share(tn_adapter_device *device) {
  tn_adapter *adapter = device->adapter;
  for (size_t i = 0; i < adapter->device_count; i++) {
    tn_adapter_device *peer = &adapter->devices[i];
    if (peer != device && atomic_load_explicit(&peer->ready, memory_order_seq_cst)) {
      open_pool(device, peer);
      open_pool(peer, device);
    }
  }
}
