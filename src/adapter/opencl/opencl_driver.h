// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of OpenCL that the adapter calls: types and numbers of its binary interface, and a table
// of functions that is filled from the loader, libOpenCL.so.1. No OpenCL header is needed to build.
// Source: OpenCL 3.0 API specification; cl_intel_unified_shared_memory.
#ifndef TN_ADAPTER_OPENCL_OPENCL_DRIVER_H
#define TN_ADAPTER_OPENCL_OPENCL_DRIVER_H

#include "base/base.h"

typedef int32_t tn_cl_int;
typedef uint32_t tn_cl_uint;
typedef uint32_t tn_cl_bool;
typedef uint64_t tn_cl_bits;
typedef struct tn_cl_platform_handle *tn_cl_platform;
typedef struct tn_cl_device_handle *tn_cl_device;
typedef struct tn_cl_context_handle *tn_cl_context;
typedef struct tn_cl_queue_handle *tn_cl_queue;
typedef struct tn_cl_program_handle *tn_cl_program;
typedef struct tn_cl_kernel_handle *tn_cl_kernel;
typedef struct tn_cl_event_handle *tn_cl_event;
typedef struct tn_cl_memory_handle *tn_cl_memory;

enum {
  TN_CL_SUCCESS = 0,
  TN_CL_OUT_OF_RESOURCES = -5,
  TN_CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
  TN_CL_OUT_OF_HOST_MEMORY = -6,
  TN_CL_BUILD_PROGRAM_FAILURE = -11,
  TN_CL_COMPILE_PROGRAM_FAILURE = -15,
  TN_CL_LINK_PROGRAM_FAILURE = -17,
  TN_CL_DEVICE_PARTITION_FAILED = -18,
  TN_CL_INVALID_COMMAND_QUEUE = -36,
  TN_CL_INVALID_KERNEL_NAME = -46,
  TN_CL_INVALID_KERNEL_ARGS = -52,
  TN_CL_INVALID_SPEC_ID = -71,
  TN_CL_PLATFORM_NOT_FOUND = -1001,
};
enum { TN_CL_COMPLETE = 0 };
enum { TN_CL_EVENT_QUEUE = 0x11d0, TN_CL_EVENT_STATUS = 0x11d3 };

enum {
  TN_CL_PLATFORM_VERSION = 0x0901,
  TN_CL_PLATFORM_NAME = 0x0902,
  TN_CL_PLATFORM_VENDOR = 0x0903
};

// What a device is asked for.
enum {
  TN_CL_DEVICE_TYPE = 0x1000,
  TN_CL_DEVICE_VENDOR_ID = 0x1001,
  TN_CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
  TN_CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
  TN_CL_DEVICE_MAX_WORK_ITEM_SIZES = 0x1005,
  TN_CL_DEVICE_MAX_CLOCK_FREQUENCY = 0x100c,
  TN_CL_DEVICE_ADDRESS_BITS = 0x100d,
  TN_CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
  TN_CL_DEVICE_MAX_PARAMETER_SIZE = 0x1017,
  TN_CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE = 0x101d,
  TN_CL_DEVICE_GLOBAL_MEM_CACHE_SIZE = 0x101e,
  TN_CL_DEVICE_GLOBAL_MEM_SIZE = 0x101f,
  TN_CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
  TN_CL_DEVICE_ERROR_CORRECTION = 0x1024,
  TN_CL_DEVICE_TIMER_RESOLUTION = 0x1025,
  TN_CL_DEVICE_AVAILABLE = 0x1027,
  TN_CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
  TN_CL_DEVICE_QUEUE_PROPERTIES = 0x102a,
  TN_CL_DEVICE_NAME = 0x102b,
  TN_CL_DEVICE_VENDOR = 0x102c,
  TN_CL_DRIVER_VERSION = 0x102d,
  TN_CL_DEVICE_VERSION = 0x102f,
  TN_CL_DEVICE_EXTENSIONS = 0x1030,
  TN_CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
  TN_CL_DEVICE_HOST_UNIFIED_MEMORY = 0x1035,
  TN_CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT = 0x103a,
  TN_CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF = 0x103c,
  TN_CL_DEVICE_PARTITION_MAX = 0x1043,
  TN_CL_DEVICE_PARTITION_KINDS = 0x1044,
  TN_CL_DEVICE_PARTITION_DOMAINS = 0x1045,
  TN_CL_DEVICE_SVM_CAPABILITIES = 0x1053,
  TN_CL_DEVICE_IL_VERSION = 0x105b,
  TN_CL_DEVICE_MAX_NUM_SUB_GROUPS = 0x105c,
  TN_CL_DEVICE_GENERIC_ADDRESS_SPACE = 0x1069,
  TN_CL_DEVICE_UUID = 0x106a,             // cl_khr_device_uuid
  TN_CL_DEVICE_SUB_GROUP_SIZES = 0x4108,  // cl_intel_required_subgroup_size
  TN_CL_DEVICE_HOST_MEM = 0x4190,         // cl_intel_unified_shared_memory
  TN_CL_DEVICE_DEVICE_MEM = 0x4191,
  TN_CL_DEVICE_SHARED_MEM = 0x4192,
  TN_CL_DEVICE_SYSTEM_MEM = 0x4194,
};
// Lists of tn_cl_name_version.
enum { TN_CL_DEVICE_EXTENSIONS_WITH_VERSION = 0x1060, TN_CL_DEVICE_OPENCL_C_FEATURES = 0x106f };
enum { TN_CL_NAME_VERSION_SIZE = 64 };
#define TN_CL_MAKE_VERSION(major, minor, patch) ((major) << 22 | (minor) << 12 | (patch))
typedef struct tn_cl_name_version {
  tn_cl_uint version;
  char name[TN_CL_NAME_VERSION_SIZE];
} tn_cl_name_version;
enum {
  TN_CL_PARTITION_EQUALLY = 0x1086,
  TN_CL_PARTITION_BY_COUNTS = 0x1087,
  TN_CL_PARTITION_BY_AFFINITY = 0x1088,
  TN_CL_PARTITION_BY_COUNTS_END = 0
};
enum {
  TN_CL_AFFINITY_NUMA = 1 << 0,
  TN_CL_AFFINITY_L4 = 1 << 1,
  TN_CL_AFFINITY_L3 = 1 << 2,
  TN_CL_AFFINITY_L2 = 1 << 3,
  TN_CL_AFFINITY_L1 = 1 << 4,
  TN_CL_AFFINITY_NEXT = 1 << 5
};
enum { TN_CL_TYPE_CPU = 1 << 1, TN_CL_TYPE_GPU = 1 << 2, TN_CL_TYPE_ACCELERATOR = 1 << 3 };
#define TN_CL_TYPE_ALL ((tn_cl_bits)0xffffffff)
// Of the USM capabilities, and of the SVM capabilities.
enum { TN_CL_USM_ACCESS = 1 << 0, TN_CL_USM_ATOMICS = 1 << 1 };
enum {
  TN_CL_SVM_COARSE = 1 << 0,
  TN_CL_SVM_FINE = 1 << 1,
  TN_CL_SVM_SYSTEM = 1 << 2,
  TN_CL_SVM_ATOMICS = 1 << 3
};
enum { TN_CL_MEM_USE_HOST_PTR = 1 << 3 };
enum { TN_CL_MEM_READ_WRITE = 1 << 0, TN_CL_MEM_FINE = 1 << 10, TN_CL_MEM_ATOMICS = 1 << 11 };

enum { TN_CL_CONTEXT_DEVICES = 0x1081 };
enum {
  TN_CL_MEM_TYPE = 0x1100,
  TN_CL_MEM_SIZE = 0x1102,
  TN_CL_MEM_CONTEXT = 0x1106,
  TN_CL_MEM_TYPE_BUFFER = 0x10f0,
  TN_CL_MEM_TYPE_IMAGE2D = 0x10f1,
  TN_CL_MEM_TYPE_IMAGE3D = 0x10f2,
  TN_CL_MEM_TYPE_IMAGE1D = 0x10f4
};
enum {
  TN_CL_IMAGE_FORMAT = 0x1110,
  TN_CL_IMAGE_ELEMENT_SIZE = 0x1111,
  TN_CL_IMAGE_WIDTH = 0x1114,
  TN_CL_IMAGE_HEIGHT = 0x1115,
  TN_CL_IMAGE_DEPTH = 0x1116
};
enum { TN_CL_RGBA = 0x10b5, TN_CL_BGRA = 0x10b6 };
enum {
  TN_CL_UNORM_INT8 = 0x10d2,
  TN_CL_UNORM_INT16 = 0x10d3,
  TN_CL_SIGNED_INT8 = 0x10d7,
  TN_CL_SIGNED_INT16 = 0x10d8,
  TN_CL_SIGNED_INT32 = 0x10d9,
  TN_CL_UNSIGNED_INT8 = 0x10da,
  TN_CL_UNSIGNED_INT16 = 0x10db,
  TN_CL_UNSIGNED_INT32 = 0x10dc,
  TN_CL_HALF_FLOAT = 0x10dd,
  TN_CL_FLOAT = 0x10de
};
typedef struct tn_cl_image_format {
  tn_cl_uint order;
  tn_cl_uint type;
} tn_cl_image_format;
enum { TN_CL_MAP_READ = 1 << 0, TN_CL_MAP_WRITE = 1 << 1 };
enum { TN_CL_QUEUE_CONTEXT = 0x1090, TN_CL_QUEUE_DEVICE = 0x1091 };
enum { TN_CL_QUEUE_PROPERTIES = 0x1093, TN_CL_QUEUE_OUT_OF_ORDER = 1, TN_CL_QUEUE_PROFILING = 2 };
enum { TN_CL_PROGRAM_BINARY_SIZES = 0x1165, TN_CL_PROGRAM_BINARIES = 0x1166 };
enum { TN_CL_PROGRAM_CONTEXT = 0x1161, TN_CL_PROGRAM_DEVICES = 0x1163 };
enum { TN_CL_PROGRAM_BUILD_LOG = 0x1183, TN_CL_PROGRAM_BINARY_TYPE = 0x1184 };
enum { TN_CL_BINARY_NONE = 0, TN_CL_BINARY_EXECUTABLE = 4 };
enum {
  TN_CL_KERNEL_FUNCTION_NAME = 0x1190,
  TN_CL_KERNEL_NUM_ARGS = 0x1191,
  TN_CL_KERNEL_PROGRAM = 0x1194,
  TN_CL_KERNEL_WORK_GROUP_SIZE = 0x11b0,
  TN_CL_KERNEL_COMPILE_SIZE = 0x11b1,
  TN_CL_KERNEL_LOCAL_MEM_SIZE = 0x11b2,
  TN_CL_KERNEL_PREFERRED_MULTIPLE = 0x11b3,
  TN_CL_KERNEL_PRIVATE_MEM_SIZE = 0x11b4,
  TN_CL_KERNEL_SVM_POINTERS = 0x11b6,
  TN_CL_KERNEL_SVM_SYSTEM = 0x11b7,
  TN_CL_KERNEL_MAX_SUB_GROUP_SIZE = 0x2033,
  TN_CL_KERNEL_SUB_GROUP_COUNT = 0x2034,
  TN_CL_KERNEL_INDIRECT_HOST = 0x4200,
  TN_CL_KERNEL_INDIRECT_DEVICE = 0x4201,
  TN_CL_KERNEL_INDIRECT_SHARED = 0x4202,
};
enum { TN_CL_PROFILING_START = 0x1282, TN_CL_PROFILING_END = 0x1283 };

typedef void (*tn_cl_event_fn)(tn_cl_event event, tn_cl_int status, void *user);

// X(field, symbol, result, parameters): what every loader of OpenCL 2.1 has.
// clang-format off
#define TN_CL_FUNCTIONS(X) \
  X(get_platforms, "clGetPlatformIDs", tn_cl_int, \
    (tn_cl_uint capacity, tn_cl_platform *out, tn_cl_uint *count)) \
  X(platform_info, "clGetPlatformInfo", tn_cl_int, \
    (tn_cl_platform platform, tn_cl_uint what, size_t size, void *out, size_t *out_size)) \
  X(get_devices, "clGetDeviceIDs", tn_cl_int, \
    (tn_cl_platform platform, tn_cl_bits type, tn_cl_uint capacity, tn_cl_device *out, \
     tn_cl_uint *count)) \
  X(device_info, "clGetDeviceInfo", tn_cl_int, \
    (tn_cl_device device, tn_cl_uint what, size_t size, void *out, size_t *out_size)) \
  X(extension_function, "clGetExtensionFunctionAddressForPlatform", void *, \
    (tn_cl_platform platform, const char *name)) \
  X(device_retain, "clRetainDevice", tn_cl_int, (tn_cl_device device)) \
  X(device_release, "clReleaseDevice", tn_cl_int, (tn_cl_device device)) \
  X(divide, "clCreateSubDevices", tn_cl_int, \
    (tn_cl_device device, const intptr_t *properties, tn_cl_uint capacity, tn_cl_device *out, \
     tn_cl_uint *count)) \
  X(context_create, "clCreateContext", tn_cl_context, \
    (const intptr_t *properties, tn_cl_uint count, const tn_cl_device *devices, \
     void (*notify)(const char *, const void *, size_t, void *), void *user, tn_cl_int *result)) \
  X(context_retain, "clRetainContext", tn_cl_int, (tn_cl_context context)) \
  X(context_release, "clReleaseContext", tn_cl_int, (tn_cl_context context)) \
  X(context_info, "clGetContextInfo", tn_cl_int, \
    (tn_cl_context context, tn_cl_uint what, size_t size, void *out, size_t *out_size)) \
  X(queue_create, "clCreateCommandQueueWithProperties", tn_cl_queue, \
    (tn_cl_context context, tn_cl_device device, const tn_cl_bits *properties, \
     tn_cl_int *result)) \
  X(queue_retain, "clRetainCommandQueue", tn_cl_int, (tn_cl_queue queue)) \
  X(queue_release, "clReleaseCommandQueue", tn_cl_int, (tn_cl_queue queue)) \
  X(queue_info, "clGetCommandQueueInfo", tn_cl_int, \
    (tn_cl_queue queue, tn_cl_uint what, size_t size, void *out, size_t *out_size)) \
  X(flush, "clFlush", tn_cl_int, (tn_cl_queue queue)) \
  X(finish, "clFinish", tn_cl_int, (tn_cl_queue queue)) \
  X(buffer_create, "clCreateBuffer", tn_cl_memory, \
    (tn_cl_context context, tn_cl_bits flags, size_t size, void *memory, tn_cl_int *result)) \
  X(memory_retain, "clRetainMemObject", tn_cl_int, (tn_cl_memory memory)) \
  X(memory_release, "clReleaseMemObject", tn_cl_int, (tn_cl_memory memory)) \
  X(memory_info, "clGetMemObjectInfo", tn_cl_int, \
    (tn_cl_memory memory, tn_cl_uint what, size_t size, void *out, size_t *out_size)) \
  X(memory_map, "clEnqueueMapBuffer", void *, \
    (tn_cl_queue queue, tn_cl_memory memory, tn_cl_bool blocks, tn_cl_bits flags, size_t offset, \
     size_t size, tn_cl_uint count, const tn_cl_event *after, tn_cl_event *event, \
     tn_cl_int *result)) \
  X(image_info, "clGetImageInfo", tn_cl_int, \
    (tn_cl_memory image, tn_cl_uint what, size_t size, void *out, size_t *out_size)) \
  X(image_map, "clEnqueueMapImage", void *, \
    (tn_cl_queue queue, tn_cl_memory image, tn_cl_bool blocks, tn_cl_bits flags, \
     const size_t *origin, const size_t *extent, size_t *row_pitch, size_t *slice_pitch, \
     tn_cl_uint count, const tn_cl_event *after, tn_cl_event *event, tn_cl_int *result)) \
  X(memory_unmap, "clEnqueueUnmapMemObject", tn_cl_int, \
    (tn_cl_queue queue, tn_cl_memory memory, void *mapped, tn_cl_uint count, \
     const tn_cl_event *after, tn_cl_event *event)) \
  X(svm_alloc, "clSVMAlloc", void *, \
    (tn_cl_context context, tn_cl_bits flags, size_t size, tn_cl_uint alignment)) \
  X(svm_free, "clSVMFree", void, (tn_cl_context context, void *memory)) \
  X(svm_copy, "clEnqueueSVMMemcpy", tn_cl_int, \
    (tn_cl_queue queue, tn_cl_bool blocks, void *dst, const void *src, size_t size, \
     tn_cl_uint count, const tn_cl_event *after, tn_cl_event *event)) \
  X(svm_fill, "clEnqueueSVMMemFill", tn_cl_int, \
    (tn_cl_queue queue, void *dst, const void *pattern, size_t pattern_size, size_t size, \
     tn_cl_uint count, const tn_cl_event *after, tn_cl_event *event)) \
  X(marker, "clEnqueueMarkerWithWaitList", tn_cl_int, \
    (tn_cl_queue queue, tn_cl_uint count, const tn_cl_event *after, tn_cl_event *event)) \
  X(barrier, "clEnqueueBarrierWithWaitList", tn_cl_int, \
    (tn_cl_queue queue, tn_cl_uint count, const tn_cl_event *after, tn_cl_event *event)) \
  X(program_from_il, "clCreateProgramWithIL", tn_cl_program, \
    (tn_cl_context context, const void *il, size_t size, tn_cl_int *result)) \
  X(program_from_binary, "clCreateProgramWithBinary", tn_cl_program, \
    (tn_cl_context context, tn_cl_uint count, const tn_cl_device *devices, const size_t *sizes, \
     const unsigned char **binaries, tn_cl_int *status, tn_cl_int *result)) \
  X(program_retain, "clRetainProgram", tn_cl_int, (tn_cl_program program)) \
  X(program_release, "clReleaseProgram", tn_cl_int, (tn_cl_program program)) \
  X(program_build, "clBuildProgram", tn_cl_int, \
    (tn_cl_program program, tn_cl_uint count, const tn_cl_device *devices, const char *options, \
     void (*notify)(tn_cl_program, void *), void *user)) \
  X(program_compile, "clCompileProgram", tn_cl_int, \
    (tn_cl_program program, tn_cl_uint count, const tn_cl_device *devices, const char *options, \
     tn_cl_uint header_count, const tn_cl_program *headers, const char **header_names, \
     void (*notify)(tn_cl_program, void *), void *user)) \
  X(program_link, "clLinkProgram", tn_cl_program, \
    (tn_cl_context context, tn_cl_uint count, const tn_cl_device *devices, const char *options, \
     tn_cl_uint program_count, const tn_cl_program *programs, \
     void (*notify)(tn_cl_program, void *), void *user, tn_cl_int *result)) \
  X(program_info, "clGetProgramInfo", tn_cl_int, \
    (tn_cl_program program, tn_cl_uint what, size_t size, void *out, size_t *out_size)) \
  X(program_build_info, "clGetProgramBuildInfo", tn_cl_int, \
    (tn_cl_program program, tn_cl_device device, tn_cl_uint what, size_t size, void *out, \
     size_t *out_size)) \
  X(kernel_create, "clCreateKernel", tn_cl_kernel, \
    (tn_cl_program program, const char *name, tn_cl_int *result)) \
  X(kernel_retain, "clRetainKernel", tn_cl_int, (tn_cl_kernel kernel)) \
  X(kernel_release, "clReleaseKernel", tn_cl_int, (tn_cl_kernel kernel)) \
  X(kernel_argument, "clSetKernelArg", tn_cl_int, \
    (tn_cl_kernel kernel, tn_cl_uint index, size_t size, const void *value)) \
  X(kernel_pointer, "clSetKernelArgSVMPointer", tn_cl_int, \
    (tn_cl_kernel kernel, tn_cl_uint index, const void *memory)) \
  X(kernel_exec_info, "clSetKernelExecInfo", tn_cl_int, \
    (tn_cl_kernel kernel, tn_cl_uint what, size_t size, const void *value)) \
  X(kernel_info, "clGetKernelInfo", tn_cl_int, \
    (tn_cl_kernel kernel, tn_cl_uint what, size_t size, void *out, size_t *out_size)) \
  X(kernel_group_info, "clGetKernelWorkGroupInfo", tn_cl_int, \
    (tn_cl_kernel kernel, tn_cl_device device, tn_cl_uint what, size_t size, void *out, \
     size_t *out_size)) \
  X(kernel_sub_group_info, "clGetKernelSubGroupInfo", tn_cl_int, \
    (tn_cl_kernel kernel, tn_cl_device device, tn_cl_uint what, size_t in_size, const void *in, \
     size_t size, void *out, size_t *out_size)) \
  X(launch, "clEnqueueNDRangeKernel", tn_cl_int, \
    (tn_cl_queue queue, tn_cl_kernel kernel, tn_cl_uint dims, const size_t *offset, \
     const size_t *global, const size_t *local, tn_cl_uint count, const tn_cl_event *after, \
     tn_cl_event *event)) \
  X(user_event_create, "clCreateUserEvent", tn_cl_event, \
    (tn_cl_context context, tn_cl_int *result)) \
  X(user_event_set, "clSetUserEventStatus", tn_cl_int, (tn_cl_event event, tn_cl_int status)) \
  X(event_retain, "clRetainEvent", tn_cl_int, (tn_cl_event event)) \
  X(event_release, "clReleaseEvent", tn_cl_int, (tn_cl_event event)) \
  X(event_info, "clGetEventInfo", tn_cl_int, \
    (tn_cl_event event, tn_cl_uint what, size_t size, void *out, size_t *out_size)) \
  X(event_callback, "clSetEventCallback", tn_cl_int, \
    (tn_cl_event event, tn_cl_int status, tn_cl_event_fn callback, void *user)) \
  X(wait_events, "clWaitForEvents", tn_cl_int, (tn_cl_uint count, const tn_cl_event *events)) \
  X(event_profile, "clGetEventProfilingInfo", tn_cl_int, \
    (tn_cl_event event, tn_cl_uint what, size_t size, void *out, size_t *out_size)) \
  X(timers, "clGetDeviceAndHostTimer", tn_cl_int, \
    (tn_cl_device device, uint64_t *out_device, uint64_t *out_host))
// Absent (NULL) in loaders before OpenCL 2.2.
#define TN_CL_LATE_FUNCTIONS(X) \
  X(program_spec_constant, "clSetProgramSpecializationConstant", tn_cl_int, \
    (tn_cl_program program, tn_cl_uint id, size_t size, const void *value))
// Of one platform, all together or none: cl_intel_unified_shared_memory.
#define TN_CL_USM_FUNCTIONS(X) \
  X(host_alloc, "clHostMemAllocINTEL", void *, \
    (tn_cl_context context, const tn_cl_bits *properties, size_t size, tn_cl_uint alignment, \
     tn_cl_int *result)) \
  X(device_alloc, "clDeviceMemAllocINTEL", void *, \
    (tn_cl_context context, tn_cl_device device, const tn_cl_bits *properties, size_t size, \
     tn_cl_uint alignment, tn_cl_int *result)) \
  X(shared_alloc, "clSharedMemAllocINTEL", void *, \
    (tn_cl_context context, tn_cl_device device, const tn_cl_bits *properties, size_t size, \
     tn_cl_uint alignment, tn_cl_int *result)) \
  X(kernel_pointer, "clSetKernelArgMemPointerINTEL", tn_cl_int, \
    (tn_cl_kernel kernel, tn_cl_uint index, const void *memory)) \
  X(free, "clMemFreeINTEL", tn_cl_int, (tn_cl_context context, void *memory)) \
  X(copy, "clEnqueueMemcpyINTEL", tn_cl_int, \
    (tn_cl_queue queue, tn_cl_bool blocks, void *dst, const void *src, size_t size, \
     tn_cl_uint count, const tn_cl_event *after, tn_cl_event *event)) \
  X(fill, "clEnqueueMemFillINTEL", tn_cl_int, \
    (tn_cl_queue queue, void *dst, const void *pattern, size_t pattern_size, size_t size, \
     tn_cl_uint count, const tn_cl_event *after, tn_cl_event *event))
// clang-format on

#define TN_CL_FIELD(field, symbol, result, parameters) result(*field) parameters;
typedef struct tn_cl_driver {
  TN_CL_FUNCTIONS(TN_CL_FIELD)
  TN_CL_LATE_FUNCTIONS(TN_CL_FIELD)
} tn_cl_driver;
typedef struct tn_cl_usm {
  TN_CL_USM_FUNCTIONS(TN_CL_FIELD)
} tn_cl_usm;
#undef TN_CL_FIELD

// The loader, opened at the first call; it opens drivers when it is first asked for platforms.
// UNSUPPORTED without one. *out is borrowed for ever.
TN_MUST_USE tn_status tn_opencl_driver_load(const tn_cl_driver **out, tn_diag *diag);
// False when the platform lacks one of the functions.
bool tn_opencl_usm_load(const tn_cl_driver *driver, tn_cl_platform platform, tn_cl_usm *out);

#endif
