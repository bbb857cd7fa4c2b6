// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Platforms, devices and contexts. See tenon.h for ownership and threading.
// Source: SYCL 2020 section 4.6 (platform, context, device classes).
#ifndef TENON_DEVICE_H
#define TENON_DEVICE_H

#include "tenon/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tn_platform tn_platform;  // a driver's; lives as long as the process
typedef struct tn_device tn_device;      // lives as long as the process
typedef struct tn_context tn_context;    // counted

// Listed in order of preference, after ONEAPI_DEVICE_SELECTOR (backend:device terms; default all).
// The first call loads the adapters. An adapter without its driver is left out, not an error.
TN_API TN_MUST_USE tn_status tn_platform_count(size_t *out_count, tn_diag *diag);
TN_API tn_platform *tn_platform_at(size_t index);  // NULL when out of range
TN_API TN_MUST_USE tn_status tn_device_count(size_t *out_count, tn_diag *diag);
TN_API tn_device *tn_device_at(size_t index);
// The adapters in this library, in order of preference: names as ONEAPI_DEVICE_SELECTOR has them.
// NULL when out of range. Without those for tests. Loads nothing, and reads no variable of the
// environment.
TN_API const char *tn_adapter_name(size_t index);
// Why an adapter, or one of its devices, is not among those listed: a sentence without its end, for
// as long as the process lives. NULL when nothing is left out, or the selector leaves it out, or it
// was not looked at.
TN_API const char *tn_adapter_left_out(const char *name);
// The device of a program that asks for none: the first listed one that the program has device code
// for, or the first when it has code for none of them. NULL when none is listed.
TN_API tn_device *tn_device_default(void);
// The same, for a program that cannot go on without one: DEVICE_NOT_FOUND when none is listed, and
// the failures of tn_device_count.
TN_API TN_MUST_USE tn_status tn_device_get_default(tn_device **out, tn_diag *diag);
// The calling thread's current device: the one that it set last, else the default device. Setting
// NULL goes back to that. Source: the SYCL extension sycl_ext_oneapi_current_device.
TN_API TN_MUST_USE tn_status tn_device_get_current(tn_device **out, tn_diag *diag);
TN_API void tn_device_set_current(tn_device *device);
// Whether the device fits a filter, "backend:type:number,…" with at least one of the three: a
// backend is native_cpu, cuda, opencl, level_zero or hip, a type cpu, gpu or accelerator, and the
// number counts listed devices that fit the rest of its filter. *out: 1 or 0. `device` NULL: the
// text alone is checked. INVALID_ARGUMENT when it is none. Source: the SYCL extension
// sycl_ext_oneapi_filter_selector.
TN_API TN_MUST_USE tn_status tn_device_fits_filter(const tn_device *device, const char *filter,
                                                   int *out, tn_diag *diag);
// The first listed one that has an aspect (TN_ASPECT_…); else as tn_device_fail_choice.
TN_API TN_MUST_USE tn_status tn_device_get_with_aspect(int32_t aspect, tn_device **out,
                                                       tn_diag *diag);
// The failure of a choice that no listed device fits: always DEVICE_NOT_FOUND, with the names of
// the devices there are.
TN_API tn_status tn_device_fail_choice(tn_diag *diag);
TN_API tn_platform *tn_device_platform(const tn_device *device);
// Position among tn_device_at, stable for the process; of a sub-device: that of its root.
TN_API size_t tn_device_index(const tn_device *device);

enum {
  TN_DEVICE_TYPE_CPU = 1,
  TN_DEVICE_TYPE_GPU = 2,
  TN_DEVICE_TYPE_ACCELERATOR = 3,
  TN_DEVICE_TYPE_CUSTOM = 4
};
enum {
  TN_BACKEND_CPU = 1,
  TN_BACKEND_CUDA = 2,
  TN_BACKEND_OPENCL = 3,
  TN_BACKEND_LEVEL_ZERO = 4,
  TN_BACKEND_HIP = 5,
  TN_BACKEND_MOCK = 100
};

// X(name, value, type written to `out`): strings are char[] with their NUL, u32/u64 fixed width,
// u64x3 three u64. NATIVE_VECTOR_WIDTH is in bytes, NATIVE_HALF_WIDTH the same for halves (0
// without TN_ASPECT_FP16), TIMER_RESOLUTION in ns, ASPECTS has a bit 1 << TN_ASPECT_… for each
// aspect. SUB_GROUP_SIZE is what kernels get that ask for none; SUB_GROUP_SIZES is the sum of all
// there are, powers of two. PARTITION_MAX: the most sub-devices; PARTITION_KINDS and _DOMAINS: a
// bit 1 << TN_PARTITION_…, 1 << TN_AFFINITY_… for what gives at least two; PARTITION_TYPE and
// _TYPE_DOMAIN: how the device itself came to be. ERROR_CORRECTION: 1 or 0. From DEVICE_ID to
// MAX_MEM_BANDWIDTH only where the aspect of the name is: rates in MHz, the bus in bits, the
// bandwidth in bytes a second. EXTENSIONS: the names of OpenCL's extensions that the device's
// driver has, or, of other devices, that stand for its aspects; blanks between them.
// MAX_REGISTERS_PER_WORK_GROUP: of CUDA's devices; others have no answer. OPENCL_C: the extensions
// of OpenCL and the features of OpenCL C that the device's driver has, each with its version, as
// the number that OpenCL packs it into; blanks between all words, "" for other devices.
// clang-format off
#define TN_DEVICE_INFO_MAP(X) \
  X(NAME, 1, string) \
  X(VENDOR, 2, string) \
  X(DRIVER_VERSION, 3, string) \
  X(VERSION, 4, string) \
  X(TYPE, 5, u32) \
  X(BACKEND, 6, u32) \
  X(VENDOR_ID, 7, u32) \
  X(MAX_COMPUTE_UNITS, 8, u32) \
  X(MAX_WORK_GROUP_SIZE, 9, u64) \
  X(MAX_WORK_ITEM_SIZES, 10, u64x3) \
  X(GLOBAL_MEM_SIZE, 11, u64) \
  X(LOCAL_MEM_SIZE, 12, u64) \
  X(MAX_MEM_ALLOC_SIZE, 13, u64) \
  X(MAX_CLOCK_FREQUENCY, 14, u32) \
  X(ADDRESS_BITS, 15, u32) \
  X(MEM_BASE_ADDR_ALIGN, 16, u32) \
  X(CACHE_LINE_SIZE, 17, u32) \
  X(GLOBAL_CACHE_SIZE, 18, u64) \
  X(SUB_GROUP_SIZE, 19, u32) \
  X(NATIVE_VECTOR_WIDTH, 20, u32) \
  X(ASPECTS, 21, u64) \
  X(MAX_PARAMETER_SIZE, 22, u64) \
  X(TIMER_RESOLUTION, 23, u64) \
  X(MAX_NUM_SUB_GROUPS, 24, u32) \
  X(SUB_GROUP_SIZES, 25, u32) \
  X(NATIVE_HALF_WIDTH, 26, u32) \
  X(PARTITION_MAX, 27, u32) \
  X(PARTITION_KINDS, 28, u32) \
  X(PARTITION_DOMAINS, 29, u32) \
  X(PARTITION_TYPE, 30, u32) \
  X(PARTITION_TYPE_DOMAIN, 31, u32) \
  X(ERROR_CORRECTION, 32, u32) \
  X(DEVICE_ID, 33, u32) \
  X(PCI_ADDRESS, 34, string) \
  X(UUID, 35, u8x16) \
  X(FREE_MEMORY, 36, u64) \
  X(MEMORY_CLOCK_RATE, 37, u32) \
  X(MEMORY_BUS_WIDTH, 38, u32) \
  X(MAX_MEM_BANDWIDTH, 39, u64) \
  X(EXTENSIONS, 40, string) \
  X(MAX_REGISTERS_PER_WORK_GROUP, 41, u32) \
  X(OPENCL_C, 42, string)
// clang-format on
enum {
#define TN_DEVICE_INFO_ENUM(name, value, type) TN_DEVICE_INFO_##name = value,
  TN_DEVICE_INFO_MAP(TN_DEVICE_INFO_ENUM)
#undef TN_DEVICE_INFO_ENUM
};

// Bits of TN_DEVICE_INFO_ASPECTS; SYCL 2020 section 4.6.4.5.
enum {
  TN_ASPECT_CPU = 0,
  TN_ASPECT_GPU,
  TN_ASPECT_ACCELERATOR,
  TN_ASPECT_CUSTOM,
  TN_ASPECT_EMULATED,
  TN_ASPECT_HOST_DEBUGGABLE,
  TN_ASPECT_FP16,
  TN_ASPECT_FP64,
  TN_ASPECT_ATOMIC64,
  TN_ASPECT_IMAGE,
  TN_ASPECT_ONLINE_COMPILER,
  TN_ASPECT_ONLINE_LINKER,
  TN_ASPECT_QUEUE_PROFILING,
  TN_ASPECT_USM_DEVICE_ALLOCATIONS,
  TN_ASPECT_USM_HOST_ALLOCATIONS,
  TN_ASPECT_USM_ATOMIC_HOST_ALLOCATIONS,
  TN_ASPECT_USM_SHARED_ALLOCATIONS,
  TN_ASPECT_USM_ATOMIC_SHARED_ALLOCATIONS,
  TN_ASPECT_USM_SYSTEM_ALLOCATIONS,
  // sycl_ext_intel_device_info
  TN_ASPECT_DEVICE_ID,
  TN_ASPECT_PCI_ADDRESS,
  TN_ASPECT_UUID,
  TN_ASPECT_FREE_MEMORY,
  TN_ASPECT_MEMORY_CLOCK_RATE,
  TN_ASPECT_MEMORY_BUS_WIDTH,
  TN_ASPECT_MAX_MEM_BANDWIDTH,
  TN_ASPECT_VIRTUAL_MEMORY,  // sycl_ext_oneapi_virtual_mem; tenon/virtual_memory.h
  TN_ASPECT_INTEGRATED_GPU,  // sycl_ext_oneapi_device_is_integrated_gpu: on the host's memory
  TN_ASPECT_IPC_MEMORY,  // sycl_ext_oneapi_inter_process_communication; tenon/ipc_memory.h
  TN_ASPECT_REGISTER_HOST_MEMORY,  // sycl_ext_oneapi_register_host_memory; tenon/host_memory.h
  TN_ASPECT_END
};

// What may be done with virtual memory (tenon/virtual_memory.h).
enum { TN_VIRTUAL_ACCESS_NONE = 0, TN_VIRTUAL_ACCESS_READ = 1, TN_VIRTUAL_ACCESS_READ_WRITE = 2 };

// Where a prefetch moves memory.
enum { TN_PREFETCH_TO_DEVICE = 0, TN_PREFETCH_TO_HOST = 1 };

enum {
  TN_PEER_CAN_ACCESS = 0,  // whether kernels of the device could use the other's memory
  TN_PEER_CAN_ATOMICS = 1,
  TN_PEER_ENABLE = 2,  // from now on they do
  TN_PEER_DISABLE = 3
};
// What a device may do with the memory of another, by TN_PEER_…. *out_answer is 1 or 0; 1 for what
// was done. INVALID_ARGUMENT for access that is open already, or not open; UNSUPPORTED where there
// cannot be any.
TN_API TN_MUST_USE tn_status tn_device_peer(const tn_device *device, const tn_device *peer,
                                            int32_t what, int32_t *out_answer, tn_diag *diag);

// What all local memory of a work-group is aligned to.
enum { TN_LOCAL_MEM_ALIGNMENT = 4096 };

// Writes at most `size` bytes to `out` (may be NULL with size 0); *out_size (may be NULL) is what
// is needed. INVALID_ARGUMENT for an unknown `what` or too small an `out`.
TN_API TN_MUST_USE tn_status tn_device_get_info(const tn_device *device, int32_t what, void *out,
                                                size_t size, size_t *out_size, tn_diag *diag);

enum {
  TN_PLATFORM_INFO_NAME = 1,
  TN_PLATFORM_INFO_VENDOR = 2,
  TN_PLATFORM_INFO_VERSION = 3,
  TN_PLATFORM_INFO_BACKEND = 4 /*u32*/,
  // Devices of its drivers that cannot be used, each with the reason; "" without any.
  TN_PLATFORM_INFO_LEFT_OUT = 5
};
TN_API TN_MUST_USE tn_status tn_platform_get_info(const tn_platform *platform, int32_t what,
                                                  void *out, size_t size, size_t *out_size,
                                                  tn_diag *diag);
TN_API size_t tn_platform_device_count(const tn_platform *platform);
TN_API tn_device *tn_platform_device_at(const tn_platform *platform, size_t index);

// A context over devices of one platform (at least one), and their sub-devices. The caller owns one
// reference.
TN_API TN_MUST_USE tn_status tn_context_create(tn_device *const *devices, size_t count,
                                               tn_context **out, tn_diag *diag);
// The platform's default context, over all its devices: borrowed, lives as long as the process.
TN_API TN_MUST_USE tn_status tn_context_default(tn_platform *platform, tn_context **out,
                                                tn_diag *diag);
TN_API void tn_context_retain(tn_context *context);  // NULL is ignored
TN_API void tn_context_release(tn_context *context);
TN_API size_t tn_context_device_count(const tn_context *context);
// In a context that is made of a native one (tn_native_make_context): the context's own object for
// the device, which tn_device_listed gives; the two stand for each other in all functions that get
// the context as well, or something of it.
TN_API tn_device *tn_context_device_at(const tn_context *context, size_t index);
// The device of the list that an object of a context stands for: itself, in most. NULL of NULL.
TN_API tn_device *tn_device_listed(tn_device *device);
TN_API tn_platform *tn_context_platform(const tn_context *context);
// One pointer for the language binding above. `free_user` is called when the context goes. Set
// once, before the context is shared; never set on a default context.
TN_API void tn_context_set_user(tn_context *context, void *user, void (*free_user)(void *user));
TN_API void *tn_context_user(const tn_context *context);
// The same for what gives failures to an async handler, in queues that have nothing of their own
// for it (tn_queue_set_reporter).
TN_API void tn_context_set_reporter(tn_context *context, void *reporter,
                                    void (*free_reporter)(void *reporter));

enum {
  TN_PARTITION_NONE = 0,
  TN_PARTITION_EQUALLY = 1,
  TN_PARTITION_BY_COUNTS = 2,
  TN_PARTITION_BY_AFFINITY = 3
};
enum {
  TN_AFFINITY_NONE = 0,
  TN_AFFINITY_NUMA = 1,
  TN_AFFINITY_L4 = 2,
  TN_AFFINITY_L3 = 3,
  TN_AFFINITY_L2 = 4,
  TN_AFFINITY_L1 = 5,
  TN_AFFINITY_NEXT = 6  // the first of these that gives at least two sub-devices
};
typedef struct tn_partition {
  int32_t kind;          // TN_PARTITION_…, not NONE
  int32_t domain;        // BY_AFFINITY: TN_AFFINITY_…
  const size_t *counts;  // EQUALLY: one value; BY_COUNTS: compute units of each, zeros are skipped
  size_t count_count;
} tn_partition;
// The sub-devices of a device, which are in no list of devices: dividing in the same way again
// gives the same ones. *out is borrowed for ever. UNSUPPORTED when the device cannot be divided so,
// INVALID_ARGUMENT when the counts do not fit it.
TN_API TN_MUST_USE tn_status tn_device_partition(tn_device *device, const tn_partition *how,
                                                 tn_device *const **out, size_t *out_count,
                                                 tn_diag *diag);
TN_API tn_device *tn_device_parent(const tn_device *device);  // NULL unless it is a sub-device

#ifdef __cplusplus
}
#endif
#endif
