// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of NVIDIA's driver that the adapter calls: types by the layout of its binary interface,
// and a table of functions that is filled from libcuda.so.1. Nothing of CUDA is needed to build.
#ifndef TN_ADAPTER_CUDA_CUDA_DRIVER_H
#define TN_ADAPTER_CUDA_CUDA_DRIVER_H

#include "base/base.h"

typedef int tn_cu_result;
typedef int tn_cu_device;
typedef uint64_t tn_cu_address;
typedef struct tn_cu_context_handle *tn_cu_context;
typedef struct tn_cu_module_handle *tn_cu_module;
typedef struct tn_cu_function_handle *tn_cu_function;
typedef struct tn_cu_stream_handle *tn_cu_stream;
typedef struct tn_cu_event_handle *tn_cu_event;
typedef struct tn_cu_graph_handle *tn_cu_graph;
typedef struct tn_cu_exec_handle *tn_cu_exec;
typedef struct tn_cu_node_handle *tn_cu_node;
typedef struct tn_cu_pool_handle *tn_cu_pool;
typedef struct tn_cu_link_handle *tn_cu_link;
typedef struct tn_cu_array_handle *tn_cu_array;
typedef struct tn_cu_mipmap_handle *tn_cu_mipmap;

enum {
  TN_CU_SUCCESS = 0,
  TN_CU_INVALID_VALUE = 1,
  TN_CU_OUT_OF_MEMORY = 2,
  TN_CU_NOT_INITIALIZED = 3,
  TN_CU_DEINITIALIZED = 4,
  TN_CU_STUB_LIBRARY = 34,
  TN_CU_DEVICES_UNAVAILABLE = 46,
  TN_CU_NO_DEVICE = 100,
  TN_CU_INVALID_IMAGE = 200,
  TN_CU_INVALID_CONTEXT = 201,
  TN_CU_NO_BINARY_FOR_GPU = 209,
  TN_CU_ECC_UNCORRECTABLE = 214,
  TN_CU_INVALID_PTX = 218,
  TN_CU_JIT_COMPILER_NOT_FOUND = 221,
  TN_CU_UNSUPPORTED_PTX_VERSION = 222,
  TN_CU_OPERATING_SYSTEM = 304,
  TN_CU_INVALID_HANDLE = 400,
  TN_CU_NOT_FOUND = 500,
  TN_CU_NOT_READY = 600,
  TN_CU_ILLEGAL_ADDRESS = 700,
  TN_CU_LAUNCH_OUT_OF_RESOURCES = 701,
  TN_CU_LAUNCH_TIMEOUT = 702,
  TN_CU_PEER_ACCESS_ENABLED = 704,
  TN_CU_PEER_ACCESS_NOT_ENABLED = 705,
  TN_CU_CONTEXT_IS_DESTROYED = 709,
  TN_CU_ASSERT = 710,
  TN_CU_HARDWARE_STACK_ERROR = 714,
  TN_CU_ILLEGAL_INSTRUCTION = 715,
  TN_CU_MISALIGNED_ADDRESS = 716,
  TN_CU_INVALID_ADDRESS_SPACE = 717,
  TN_CU_INVALID_PC = 718,
  TN_CU_LAUNCH_FAILED = 719,
  TN_CU_TOO_MANY_PEERS = 711,
  TN_CU_CONTAINED = 226,
  TN_CU_UNKNOWN = 999,
};

// What a device is asked for.
enum {
  TN_CU_MAX_THREADS_PER_BLOCK = 1,
  TN_CU_MAX_BLOCK_DIM_X = 2,
  TN_CU_MAX_BLOCK_DIM_Y = 3,
  TN_CU_MAX_BLOCK_DIM_Z = 4,
  TN_CU_MAX_REGISTERS_PER_BLOCK = 12,
  TN_CU_CLOCK_RATE = 13,  // kHz
  TN_CU_MULTIPROCESSOR_COUNT = 16,
  TN_CU_INTEGRATED = 18,
  TN_CU_ECC_ENABLED = 32,
  TN_CU_MEMORY_CLOCK_RATE = 36,  // kHz
  TN_CU_MEMORY_BUS_WIDTH = 37,
  TN_CU_L2_CACHE_SIZE = 38,
  TN_CU_TEXTURE_PITCH_ALIGNMENT = 51,
  TN_CU_MAX_LINEAR_TEXTURE_WIDTH = 70,  // of 2 dimensions, as the following
  TN_CU_MAX_LINEAR_TEXTURE_HEIGHT = 71,
  TN_CU_MAX_LINEAR_TEXTURE_PITCH = 72,
  TN_CU_COMPUTE_CAPABILITY_MAJOR = 75,
  TN_CU_COMPUTE_CAPABILITY_MINOR = 76,
  TN_CU_MANAGED_MEMORY = 83,
  TN_CU_PAGEABLE_MEMORY_ACCESS = 88,
  TN_CU_CONCURRENT_MANAGED_ACCESS = 89,
  TN_CU_USES_HOST_POINTERS = 91,  // of registered memory
  TN_CU_MAX_SHARED_MEMORY_OPTIN = 97,
  TN_CU_REGISTERS_READ_ONLY = 113,
  TN_CU_PCI_IDS = 139,  // the device's in the upper half, the vendor's in the lower
};
// And a function.
enum {
  TN_CU_FUNC_MAX_THREADS = 0,
  TN_CU_FUNC_SHARED_SIZE = 1,
  TN_CU_FUNC_LOCAL_SIZE = 3,
  TN_CU_FUNC_MAX_DYNAMIC_SHARED = 8,
};
enum {
  TN_CU_JIT_THREADS_PER_BLOCK = 1,
  TN_CU_JIT_ERROR_LOG = 5,
  TN_CU_JIT_ERROR_LOG_SIZE = 6,
  TN_CU_JIT_LINE_INFO = 13,
};
enum { TN_CU_INPUT_CUBIN = 0, TN_CU_INPUT_PTX = 1 };
enum { TN_CU_STREAM_NON_BLOCKING = 1 };
enum { TN_CU_EVENT_TIMED = 0, TN_CU_EVENT_UNTIMED = 2 };
enum { TN_CU_CAPTURE_RELAXED = 2 };
enum { TN_CU_HOST_PORTABLE = 1, TN_CU_HOST_MAPPED = 2, TN_CU_HOST_READ_ONLY = 8 };
enum { TN_CU_ATTACH_GLOBAL = 1 };
enum { TN_CU_MEMORY_UNIFIED = 4 };
enum { TN_CU_PLACE_DEVICE = 1, TN_CU_POOL_PINNED = 1, TN_CU_ACCESS_READ_WRITE = 3 };
enum { TN_CU_POOL_RELEASE_THRESHOLD = 4 };
enum {
  TN_CU_POINTER_MEMORY_TYPE = 2,
  TN_CU_POINTER_IS_MANAGED = 8,
  TN_CU_POINTER_DEVICE = 9,
  TN_CU_POINTER_BEGIN = 11,  // of its allocation
};

typedef struct {
  unsigned char bytes[64];
} tn_cu_ipc;
enum { TN_CU_IPC_PEER_ACCESS = 1 };
enum { TN_CU_MEMORY_HOST = 1, TN_CU_MEMORY_DEVICE = 2, TN_CU_MEMORY_ARRAY = 3 };
enum { TN_CU_P2P_ATOMICS = 3 };
enum { TN_CU_DEVICE_CPU = -1 };  // the host, where a prefetch may go

typedef struct tn_cu_copy_end {
  size_t x;  // bytes
  size_t y;
  size_t z;
  size_t level;
  int memory_type;
  const void *host;
  tn_cu_address device;  // of TN_CU_MEMORY_UNIFIED: an address of either side
  tn_cu_array array;
  void *reserved;
  size_t pitch;
  size_t height;
} tn_cu_copy_end;
typedef struct tn_cu_copy_3d {
  tn_cu_copy_end from;
  tn_cu_copy_end to;
  size_t width;  // bytes
  size_t height;
  size_t depth;
} tn_cu_copy_3d;

// Arrays, and textures and surfaces of them.
enum {
  TN_CU_FORMAT_U8 = 0x01,
  TN_CU_FORMAT_U16 = 0x02,
  TN_CU_FORMAT_U32 = 0x03,
  TN_CU_FORMAT_S8 = 0x08,
  TN_CU_FORMAT_S16 = 0x09,
  TN_CU_FORMAT_S32 = 0x0a,
  TN_CU_FORMAT_HALF = 0x10,
  TN_CU_FORMAT_FLOAT = 0x20,
};
enum {
  TN_CU_ARRAY_LAYERED = 1,
  TN_CU_ARRAY_SURFACE = 2,
  TN_CU_ARRAY_CUBEMAP = 4,
  TN_CU_ARRAY_GATHER = 8,
};
typedef struct tn_cu_array_props {
  size_t width;  // elements, as height and depth; of layers, depth is their number
  size_t height;
  size_t depth;
  int format;
  unsigned channel_count;
  unsigned flags;
} tn_cu_array_props;
enum {
  TN_CU_RESOURCE_ARRAY = 0,
  TN_CU_RESOURCE_MIPMAP = 1,
  TN_CU_RESOURCE_LINEAR = 2,
  TN_CU_RESOURCE_ROWS = 3,
};
typedef struct tn_cu_resource {
  int kind;
  union {
    tn_cu_array array;
    tn_cu_mipmap mipmap;
    struct {
      tn_cu_address memory;
      int format;
      unsigned channel_count;
      size_t size;
    } linear;
    struct {
      tn_cu_address memory;
      int format;
      unsigned channel_count;
      size_t width;
      size_t height;
      size_t pitch;
    } rows;
    int reserved[32];
  } of;
  unsigned flags;
} tn_cu_resource;
enum {
  TN_CU_ADDRESS_WRAP = 0,
  TN_CU_ADDRESS_CLAMP = 1,
  TN_CU_ADDRESS_MIRROR = 2,
  TN_CU_ADDRESS_BORDER = 3,
};
enum { TN_CU_FILTER_POINT = 0, TN_CU_FILTER_LINEAR = 1 };
enum { TN_CU_READ_AS_INTEGER = 1, TN_CU_NORMALIZED = 2, TN_CU_SEAMLESS_CUBEMAP = 0x40 };
typedef struct tn_cu_texture_props {
  int addressing[3];
  int filter;
  unsigned flags;
  unsigned most_anisotropy;
  int level_filter;
  float level_bias;
  float least_level;
  float most_level;
  float border[4];
  int reserved[12];
} tn_cu_texture_props;

typedef struct tn_cu_place {
  int kind;  // TN_CU_PLACE_DEVICE
  int device;
} tn_cu_place;
typedef struct tn_cu_pool_props {
  int kind;      // TN_CU_POOL_PINNED
  int handles;   // 0: for this process only
  tn_cu_place place;
  void *security;
  size_t maximum;
  unsigned short usage;
  unsigned char reserved[54];
} tn_cu_pool_props;
typedef struct tn_cu_pool_access {
  tn_cu_place place;
  int access;  // TN_CU_ACCESS_READ_WRITE
} tn_cu_pool_access;

// Nodes of graphs.
typedef struct tn_cu_kernel_node {
  tn_cu_function function;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_size;
  void **parameters;
  void **extra;
} tn_cu_kernel_node;
typedef struct tn_cu_fill_node {
  tn_cu_address to;
  size_t pitch;
  unsigned value;
  unsigned element_size;  // 1, 2 or 4
  size_t width;           // elements
  size_t height;
} tn_cu_fill_node;

// X(field, symbol, parameters)
// clang-format off
#define TN_CUDA_FUNCTIONS(X) \
  X(init, "cuInit", (unsigned flags)) \
  X(driver_version, "cuDriverGetVersion", (int *out)) \
  X(error_name, "cuGetErrorName", (tn_cu_result result, const char **out)) \
  X(error_text, "cuGetErrorString", (tn_cu_result result, const char **out)) \
  X(device_count, "cuDeviceGetCount", (int *out)) \
  X(device_get, "cuDeviceGet", (tn_cu_device *out, int index)) \
  X(device_name, "cuDeviceGetName", (char *out, int size, tn_cu_device device)) \
  X(device_memory, "cuDeviceTotalMem_v2", (size_t *out, tn_cu_device device)) \
  X(device_attribute, "cuDeviceGetAttribute", (int *out, int what, tn_cu_device device)) \
  X(primary_retain, "cuDevicePrimaryCtxRetain", (tn_cu_context *out, tn_cu_device device)) \
  X(primary_release, "cuDevicePrimaryCtxRelease_v2", (tn_cu_device device)) \
  X(context_get, "cuCtxGetCurrent", (tn_cu_context *out)) \
  X(context_set, "cuCtxSetCurrent", (tn_cu_context context)) \
  X(module_load, "cuModuleLoadDataEx", \
    (tn_cu_module *out, const void *code, unsigned count, int *options, void **values)) \
  X(module_unload, "cuModuleUnload", (tn_cu_module module)) \
  X(module_function, "cuModuleGetFunction", \
    (tn_cu_function *out, tn_cu_module module, const char *name)) \
  X(module_variable, "cuModuleGetGlobal_v2", \
    (tn_cu_address *out, size_t *out_size, tn_cu_module module, const char *name)) \
  X(link_create, "cuLinkCreate_v2", \
    (unsigned count, int *options, void **values, tn_cu_link *out)) \
  X(link_add, "cuLinkAddData_v2", \
    (tn_cu_link link, int kind, void *data, size_t size, const char *name, unsigned count, \
     int *options, void **values)) \
  X(link_complete, "cuLinkComplete", (tn_cu_link link, void **out, size_t *out_size)) \
  X(link_destroy, "cuLinkDestroy", (tn_cu_link link)) \
  X(function_get, "cuFuncGetAttribute", (int *out, int what, tn_cu_function function)) \
  X(function_set, "cuFuncSetAttribute", (tn_cu_function function, int what, int value)) \
  X(launch, "cuLaunchKernel", \
    (tn_cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, \
     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_size, \
     tn_cu_stream stream, void **parameters, void **extra)) \
  X(launch_cooperative, "cuLaunchCooperativeKernel", \
    (tn_cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, \
     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_size, \
     tn_cu_stream stream, void **parameters)) \
  X(function_occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor", \
    (int *out, tn_cu_function function, int block_size, size_t shared_size)) \
  X(memory_alloc, "cuMemAlloc_v2", (tn_cu_address *out, size_t size)) \
  X(memory_free, "cuMemFree_v2", (tn_cu_address memory)) \
  X(host_alloc, "cuMemHostAlloc", (void **out, size_t size, unsigned flags)) \
  X(host_free, "cuMemFreeHost", (void *memory)) \
  X(host_register, "cuMemHostRegister_v2", (void *memory, size_t size, unsigned flags)) \
  X(host_unregister, "cuMemHostUnregister", (void *memory)) \
  X(managed_alloc, "cuMemAllocManaged", (tn_cu_address *out, size_t size, unsigned flags)) \
  X(copy_async, "cuMemcpyAsync", \
    (tn_cu_address to, tn_cu_address from, size_t size, tn_cu_stream stream)) \
  X(copy_3d_async, "cuMemcpy3DAsync_v2", (const tn_cu_copy_3d *copy, tn_cu_stream stream)) \
  X(fill8_async, "cuMemsetD8Async", \
    (tn_cu_address to, unsigned char value, size_t count, tn_cu_stream stream)) \
  X(fill16_async, "cuMemsetD16Async", \
    (tn_cu_address to, unsigned short value, size_t count, tn_cu_stream stream)) \
  X(fill32_async, "cuMemsetD32Async", \
    (tn_cu_address to, unsigned value, size_t count, tn_cu_stream stream)) \
  X(fill8_rows_async, "cuMemsetD2D8Async", \
    (tn_cu_address to, size_t pitch, unsigned char value, size_t width, size_t height, \
     tn_cu_stream stream)) \
  X(fill32_rows_async, "cuMemsetD2D32Async", \
    (tn_cu_address to, size_t pitch, unsigned value, size_t width, size_t height, \
     tn_cu_stream stream)) \
  X(stream_create, "cuStreamCreate", (tn_cu_stream *out, unsigned flags)) \
  X(stream_destroy, "cuStreamDestroy_v2", (tn_cu_stream stream)) \
  X(stream_query, "cuStreamQuery", (tn_cu_stream stream)) \
  X(stream_sync, "cuStreamSynchronize", (tn_cu_stream stream)) \
  X(stream_wait_event, "cuStreamWaitEvent", \
    (tn_cu_stream stream, tn_cu_event event, unsigned flags)) \
  X(memory_info, "cuMemGetInfo_v2", (size_t *out_free, size_t *out_total)) \
  X(pool_alloc, "cuMemAllocFromPoolAsync", \
    (tn_cu_address *out, size_t size, tn_cu_pool pool, tn_cu_stream stream)) \
  X(pool_free, "cuMemFreeAsync", (tn_cu_address memory, tn_cu_stream stream)) \
  X(pool_create, "cuMemPoolCreate", (tn_cu_pool *out, const tn_cu_pool_props *props)) \
  X(pool_destroy, "cuMemPoolDestroy", (tn_cu_pool pool)) \
  X(pool_set, "cuMemPoolSetAttribute", (tn_cu_pool pool, int what, void *value)) \
  X(pool_set_access, "cuMemPoolSetAccess", \
    (tn_cu_pool pool, const tn_cu_pool_access *access, size_t count)) \
  X(pointer_get, "cuPointerGetAttribute", (void *out, int what, tn_cu_address memory)) \
  X(prefetch, "cuMemPrefetchAsync", \
    (tn_cu_address memory, size_t size, tn_cu_device device, tn_cu_stream stream)) \
  X(advise, "cuMemAdvise", \
    (tn_cu_address memory, size_t size, int advice, tn_cu_device device)) \
  X(peer_can, "cuDeviceCanAccessPeer", (int *out, tn_cu_device device, tn_cu_device peer)) \
  X(peer_attribute, "cuDeviceGetP2PAttribute", \
    (int *out, int what, tn_cu_device device, tn_cu_device peer)) \
  X(peer_enable, "cuCtxEnablePeerAccess", (tn_cu_context peer, unsigned flags)) \
  X(peer_disable, "cuCtxDisablePeerAccess", (tn_cu_context peer)) \
  X(device_uuid, "cuDeviceGetUuid", (unsigned char *out, tn_cu_device device)) \
  X(device_pci, "cuDeviceGetPCIBusId", (char *out, int size, tn_cu_device device)) \
  X(fill16_rows_async, "cuMemsetD2D16Async", \
    (tn_cu_address to, size_t pitch, unsigned short value, size_t width, size_t height, \
     tn_cu_stream stream)) \
  X(graph_create, "cuGraphCreate", (tn_cu_graph *out, unsigned flags)) \
  X(graph_destroy, "cuGraphDestroy", (tn_cu_graph graph)) \
  X(graph_add_kernel, "cuGraphAddKernelNode", \
    (tn_cu_node *out, tn_cu_graph graph, const tn_cu_node *after, size_t count, \
     const tn_cu_kernel_node *params)) \
  X(graph_add_copy, "cuGraphAddMemcpyNode", \
    (tn_cu_node *out, tn_cu_graph graph, const tn_cu_node *after, size_t count, \
     const tn_cu_copy_3d *params, tn_cu_context context)) \
  X(graph_add_fill, "cuGraphAddMemsetNode", \
    (tn_cu_node *out, tn_cu_graph graph, const tn_cu_node *after, size_t count, \
     const tn_cu_fill_node *params, tn_cu_context context)) \
  X(graph_add_empty, "cuGraphAddEmptyNode", \
    (tn_cu_node *out, tn_cu_graph graph, const tn_cu_node *after, size_t count)) \
  X(graph_add_child, "cuGraphAddChildGraphNode", \
    (tn_cu_node *out, tn_cu_graph graph, const tn_cu_node *after, size_t count, \
     tn_cu_graph child)) \
  X(graph_instantiate, "cuGraphInstantiateWithFlags", \
    (tn_cu_exec *out, tn_cu_graph graph, unsigned long long flags)) \
  X(graph_upload, "cuGraphUpload", (tn_cu_exec exec, tn_cu_stream stream)) \
  X(graph_launch, "cuGraphLaunch", (tn_cu_exec exec, tn_cu_stream stream)) \
  X(exec_set_kernel, "cuGraphExecKernelNodeSetParams", \
    (tn_cu_exec exec, tn_cu_node node, const tn_cu_kernel_node *params)) \
  X(exec_destroy, "cuGraphExecDestroy", (tn_cu_exec exec)) \
  X(capture_end, "cuStreamEndCapture", (tn_cu_stream stream, tn_cu_graph *out)) \
  X(capture_info, "cuStreamGetCaptureInfo_v2", \
    (tn_cu_stream stream, int *out_state, uint64_t *out_id, tn_cu_graph *out_graph, \
     const tn_cu_node **out_after, size_t *out_count)) \
  X(stream_context, "cuStreamGetCtx", (tn_cu_stream stream, tn_cu_context *out)) \
  X(event_create, "cuEventCreate", (tn_cu_event *out, unsigned flags)) \
  X(event_destroy, "cuEventDestroy_v2", (tn_cu_event event)) \
  X(event_record, "cuEventRecord", (tn_cu_event event, tn_cu_stream stream)) \
  X(event_query, "cuEventQuery", (tn_cu_event event)) \
  X(event_sync, "cuEventSynchronize", (tn_cu_event event)) \
  X(event_elapsed, "cuEventElapsedTime", (float *out_ms, tn_cu_event from, tn_cu_event to)) \
  X(ipc_get, "cuIpcGetMemHandle", (tn_cu_ipc *out, tn_cu_address memory)) \
  X(ipc_open, "cuIpcOpenMemHandle_v2", (tn_cu_address *out, tn_cu_ipc handle, unsigned flags)) \
  X(ipc_close, "cuIpcCloseMemHandle", (tn_cu_address memory)) \
  X(array_create, "cuArray3DCreate_v2", (tn_cu_array *out, const tn_cu_array_props *props)) \
  X(array_destroy, "cuArrayDestroy", (tn_cu_array array)) \
  X(mipmap_create, "cuMipmappedArrayCreate", \
    (tn_cu_mipmap *out, const tn_cu_array_props *props, unsigned level_count)) \
  X(mipmap_level, "cuMipmappedArrayGetLevel", \
    (tn_cu_array *out, tn_cu_mipmap mipmap, unsigned level)) \
  X(mipmap_destroy, "cuMipmappedArrayDestroy", (tn_cu_mipmap mipmap)) \
  X(texture_create, "cuTexObjectCreate", \
    (unsigned long long *out, const tn_cu_resource *resource, const tn_cu_texture_props *props, \
     const void *view)) \
  X(texture_destroy, "cuTexObjectDestroy", (unsigned long long texture)) \
  X(surface_create, "cuSurfObjectCreate", \
    (unsigned long long *out, const tn_cu_resource *resource)) \
  X(surface_destroy, "cuSurfObjectDestroy", (unsigned long long surface))
// Of drivers for CUDA 12.3 and later; NULL in others.
#define TN_CUDA_LATER_FUNCTIONS(X) \
  X(capture_begin, "cuStreamBeginCaptureToGraph", \
    (tn_cu_stream stream, tn_cu_graph graph, const tn_cu_node *after, const void *edges, \
     size_t count, int mode))
// clang-format on

typedef struct tn_cuda_driver {
#define TN_CUDA_FIELD(field, symbol, parameters) tn_cu_result(*field) parameters;
  TN_CUDA_FUNCTIONS(TN_CUDA_FIELD)
  TN_CUDA_LATER_FUNCTIONS(TN_CUDA_FIELD)
#undef TN_CUDA_FIELD
  int version;  // 12020 is 12.2
} tn_cuda_driver;

enum { TN_CUDA_DRIVER_OLDEST = 11040 };

// Once a process; any thread. UNSUPPORTED without a driver, and with words about one that is too
// old or cannot be started.
TN_MUST_USE tn_status tn_cuda_driver_load(const tn_cuda_driver **out, tn_diag *diag);

// What a call answered, as a status and a sentence that begins with `what`.
TN_MUST_USE tn_status tn_cuda_fail(const tn_cuda_driver *driver, tn_cu_result result,
                                   const char *what, tn_diag *diag);
// After such a result nothing more runs on the device in this process.
bool tn_cuda_is_lost(tn_cu_result result);

#endif
