// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of the stand-in for NVIDIA's driver: pools, peers, hints about memory, and order between streams.
#include "fake_cuda/fake_cuda.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Pools, peers, hints: host memory for all, so they have little to do

EXPORT tn_cu_result cuMemGetInfo_v2(size_t *out_free, size_t *out_total) {
  CALL(cuMemGetInfo_v2);
  *out_total = (size_t)1 << 30;
  *out_free = *out_total / 2;
  return TN_CU_SUCCESS;
}
typedef struct tn_cu_pool_handle {
  int device;
} pool;
EXPORT tn_cu_result cuMemPoolCreate(tn_cu_pool *out, const tn_cu_pool_props *props) {
  CALL(cuMemPoolCreate);
  pool *made = calloc(1, sizeof(*made));
  made->device = props->place.device;
  *out = made;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuMemPoolDestroy(tn_cu_pool of) {
  free(of);
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuMemPoolSetAttribute(tn_cu_pool of, int what, void *value) {
  CALL(cuMemPoolSetAttribute);
  (void)of;
  (void)value;
  return what == TN_CU_POOL_RELEASE_THRESHOLD ? TN_CU_SUCCESS : TN_CU_INVALID_VALUE;
}
EXPORT tn_cu_result cuMemPoolSetAccess(tn_cu_pool of, const tn_cu_pool_access *access,
                                       size_t count) {
  CALL(cuMemPoolSetAccess);
  return count == 1 && access->place.device != of->device ? TN_CU_SUCCESS : TN_CU_INVALID_VALUE;
}
EXPORT tn_cu_result cuMemAllocFromPoolAsync(tn_cu_address *out, size_t size, tn_cu_pool of,
                                            tn_cu_stream in) {
  (void)of;
  (void)in;
  CALL(cuMemAllocFromPoolAsync);
  void *made = size > (size_t)1 << 30 ? NULL : aligned_alloc(512, (size + 511) / 512 * 512);
  *out = (tn_cu_address)(uintptr_t)made;
  return made ? TN_CU_SUCCESS : TN_CU_OUT_OF_MEMORY;
}
static void free_now(job *of) { free(of->to); }
EXPORT tn_cu_result cuMemFreeAsync(tn_cu_address memory, tn_cu_stream in) {
  const job wanted = {.run = free_now, .to = (void *)(uintptr_t)memory};
  return fake_enqueue(in, &wanted);
}
// FAKE_CUDA_MANAGED: all memory is. FAKE_CUDA_DEVICE_MEMORY=<address>:<size>, in hexadecimal: that
// is a device's, and no other memory is known.
static int is_device_memory(tn_cu_address memory) {
  const char *told = getenv("FAKE_CUDA_DEVICE_MEMORY");
  unsigned long begin = 0;
  unsigned long size = 0;
  return told && sscanf(told, "%lx:%lx", &begin, &size) == 2 && memory >= begin &&
         memory - begin < size;
}
EXPORT tn_cu_result cuPointerGetAttribute(void *out, int what, tn_cu_address memory) {
  CALL(cuPointerGetAttribute);
  const int is_managed = getenv("FAKE_CUDA_MANAGED") != NULL;
  if (what == TN_CU_POINTER_BEGIN) {
    *(tn_cu_address *)out = memory / 512 * 512;
    return TN_CU_SUCCESS;
  }
  if (is_device_memory(memory)) {
    *(int *)out = what == TN_CU_POINTER_MEMORY_TYPE ? TN_CU_MEMORY_DEVICE : 0;
    return TN_CU_SUCCESS;
  }
  if (!is_managed || memory == 0) {
    return TN_CU_INVALID_VALUE;
  }
  *(int *)out = what == TN_CU_POINTER_IS_MANAGED ? 1
                : what == TN_CU_POINTER_DEVICE   ? 0
                                                 : TN_CU_MEMORY_DEVICE;
  return TN_CU_SUCCESS;
}
// A handle is the allocation's address; another process sees a copy, at another one.
static struct {
  tn_cu_address of;
  void *copy;
  int count;
} opened[4];
EXPORT tn_cu_result cuIpcGetMemHandle(tn_cu_ipc *out, tn_cu_address memory) {
  CALL(cuIpcGetMemHandle);
  const tn_cu_address begin = memory / 512 * 512;
  memset(out, 0, sizeof(*out));
  memcpy(out, &begin, sizeof(begin));
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuIpcOpenMemHandle_v2(tn_cu_address *out, tn_cu_ipc handle, unsigned flags) {
  CALL(cuIpcOpenMemHandle_v2);
  tn_cu_address begin;
  memcpy(&begin, &handle, sizeof(begin));
  size_t at = 0;
  while (at < 4 && (opened[at].count == 0 || opened[at].of != begin)) {
    at++;
  }
  for (size_t i = 0; at == 4 && i < 4; i++) {
    at = opened[i].count == 0 ? i : at;
  }
  if (begin == 0 || at == 4 || flags != TN_CU_IPC_PEER_ACCESS) {
    return TN_CU_INVALID_VALUE;
  }
  if (opened[at].count++ == 0) {
    const size_t size = malloc_usable_size((void *)(uintptr_t)begin);
    opened[at].of = begin;
    opened[at].copy = aligned_alloc(512, (size + 511) / 512 * 512);
    memcpy(opened[at].copy, (const void *)(uintptr_t)begin, size);
  }
  *out = (tn_cu_address)(uintptr_t)opened[at].copy;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuIpcCloseMemHandle(tn_cu_address memory) {
  CALL(cuIpcCloseMemHandle);
  for (size_t i = 0; i < 4; i++) {
    if (opened[i].count > 0 && (tn_cu_address)(uintptr_t)opened[i].copy == memory) {
      if (--opened[i].count == 0) {
        free(opened[i].copy);
      }
      return TN_CU_SUCCESS;
    }
  }
  return TN_CU_INVALID_VALUE;
}
static void nothing(job *of) { (void)of; }
EXPORT tn_cu_result cuMemPrefetchAsync(tn_cu_address memory, size_t size, tn_cu_device device,
                                       tn_cu_stream in) {
  (void)memory;
  (void)size;
  (void)device;
  CALL(cuMemPrefetchAsync);
  const job wanted = {.run = nothing};
  return fake_enqueue(in, &wanted);
}
EXPORT tn_cu_result cuMemAdvise(tn_cu_address memory, size_t size, int advice,
                                tn_cu_device device) {
  (void)memory;
  (void)size;
  (void)device;
  CALL(cuMemAdvise);
  return advice >= 1 && advice <= 6 ? TN_CU_SUCCESS : TN_CU_INVALID_VALUE;
}
static int is_open_to[DEVICES];
EXPORT tn_cu_result cuDeviceCanAccessPeer(int *out, tn_cu_device device, tn_cu_device peer) {
  CALL(cuDeviceCanAccessPeer);
  *out = device != peer;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuDeviceGetP2PAttribute(int *out, int what, tn_cu_device device,
                                            tn_cu_device peer) {
  CALL(cuDeviceGetP2PAttribute);
  *out = what == TN_CU_P2P_ATOMICS && device < peer;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuCtxEnablePeerAccess(tn_cu_context peer, unsigned flags) {
  (void)flags;
  CALL(cuCtxEnablePeerAccess);
  const int was_open = is_open_to[peer->device];
  is_open_to[peer->device] = 1;
  return was_open ? TN_CU_PEER_ACCESS_ENABLED : TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuCtxDisablePeerAccess(tn_cu_context peer) {
  CALL(cuCtxDisablePeerAccess);
  const int was_open = is_open_to[peer->device];
  is_open_to[peer->device] = 0;
  return was_open ? TN_CU_SUCCESS : TN_CU_PEER_ACCESS_NOT_ENABLED;
}
EXPORT tn_cu_result cuDeviceGetUuid(unsigned char *out, tn_cu_device device) {
  CALL(cuDeviceGetUuid);
  memset(out, device + 1, 16);
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuDeviceGetPCIBusId(char *out, int size, tn_cu_device device) {
  CALL(cuDeviceGetPCIBusId);
  (void)snprintf(out, (size_t)size, "0000:%02x:00.0", device + 1);
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuMemsetD2D16Async(tn_cu_address to, size_t pitch, unsigned short value,
                                       size_t width, size_t height, tn_cu_stream in) {
  CALL(cuMemsetD2D16Async);
  return fake_enqueue_fill(to, pitch, value, 2, width, height, in);
}

// What comes behind waits until the event, as it is recorded now, is there.
static void wait_there(job *of) {
  pthread_mutex_lock(&of->at->mu);
  while (!is_reached(of->at, of->number)) {
    pthread_cond_wait(&of->at->cond, &of->at->mu);
  }
  pthread_mutex_unlock(&of->at->mu);
}
EXPORT tn_cu_result cuStreamWaitEvent(tn_cu_stream in, tn_cu_event at, unsigned flags) {
  (void)flags;
  CALL(cuStreamWaitEvent);
  pthread_mutex_lock(&at->mu);
  const job wanted = {.run = wait_there, .at = at, .number = at->recorded};
  pthread_mutex_unlock(&at->mu);
  return fake_enqueue(in, &wanted);
}
