// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels: by the slot a compiled program has for each, or by name from an image file.
// See tenon.h for ownership and threading. Source: design 3.1-3.4; SYCL 2020 section 4.12.
#ifndef TENON_KERNEL_H
#define TENON_KERNEL_H

#include "tenon/device.h"
#include "tenon/register.h"

#ifdef __cplusplus
extern "C" {
#endif

// One static object for each kernel a translation unit names, written by the SYCL headers. The
// cache pointer is the runtime's and starts NULL.
typedef struct tn_kernel_slot {
  const tn_module *module;  // &__tenon_module, or NULL when the program was not linked by tenon++
  const char *name;         // device symbol without the unit's id
  uint64_t unit_id;         // the translation unit's id (macro __TENON_UNIT_ID__)
  void *cache;
} tn_kernel_slot;

// The value of a specialization constant. `name` is the symbol of its tag type, as the SYCL headers
// give it; with or without the leading "_ZTS". Constants whose id has no linkage are told apart by
// the unit's id; for others it is not looked at. What a kernel does not use is ignored. A size
// that is not that of the constant's type is INVALID_ARGUMENT.
typedef struct tn_spec_value {
  const char *name;
  uint64_t unit_id;
  const void *value;  // the type's bytes; those between its members count for nothing
  size_t size;
} tn_spec_value;

typedef struct tn_image_file tn_image_file;  // the opener's until it is closed; any thread
// Makes a file's images known: its exports resolve what no loaded module defines, those of the file
// that was opened first before others', and its kernels can be had by name. Fat binaries
// (tenon-image --extract), programs and libraries that carry one, LLVM bitcode, which the compiler
// lowers for the target that it names, and SPIR-V. BAD_IMAGE; UNSUPPORTED for SPIR-V that no device
// takes.
TN_API TN_MUST_USE tn_status tn_image_open(const char *path, tn_image_file **out, tn_diag *diag);
// The same from memory; the bytes are copied.
TN_API TN_MUST_USE tn_status tn_image_open_memory(const void *bytes, size_t size,
                                                  tn_image_file **out, tn_diag *diag);
// Programs and kernels made of it stay good; what is built from now on does not see it. NULL-safe;
// does nothing for a file that is closed already.
TN_API void tn_image_close(tn_image_file *file);
// Until it is closed.
TN_API size_t tn_image_file_kernel_count(const tn_image_file *file);
TN_API const char *tn_image_file_kernel_name(const tn_image_file *file, size_t index);

typedef struct tn_kernel tn_kernel;  // counted; built for one device
// `name` is the device symbol, or the name as in the source ("vector_add", "ns::kernel"). Builds
// the program when needed: BUILD_FAILED with the reason, KERNEL_NOT_FOUND with the names there are.
TN_API TN_MUST_USE tn_status tn_kernel_create(tn_image_file *file, const char *name,
                                              tn_device *device, tn_kernel **out, tn_diag *diag);
// Resolves a slot on a device, building when needed; borrowed for as long as the slot's module is
// loaded.
TN_API TN_MUST_USE tn_status tn_kernel_from_slot(tn_kernel_slot *slot, tn_device *device,
                                                 tn_kernel **out, tn_diag *diag);
// The same with values for specialization constants: a kernel for which they are true constants
// where the device compiles, and a program of its own unless all are what they are by default.
// Equal values are built once. The caller owns one reference.
TN_API TN_MUST_USE tn_status tn_kernel_specialize(tn_kernel_slot *slot, tn_device *device,
                                                  const tn_spec_value *values, size_t count,
                                                  tn_kernel **out, tn_diag *diag);
TN_API void tn_kernel_retain(tn_kernel *kernel);
TN_API void tn_kernel_release(tn_kernel *kernel);
TN_API const char *tn_kernel_name(const tn_kernel *kernel);  // as in the source; borrowed
TN_API size_t tn_kernel_arg_size(const tn_kernel *kernel);   // bytes of the argument block

// The arguments of a kernel that is a function of its own (SYCL's free-function kernels, TN_KERNEL
// functions of C): where each lies in the argument block. Kernels that are function objects have
// one block and no arguments.
enum {
  TN_ARG_VALUE = 0,     // its bytes
  TN_ARG_POINTER = 1,   // to USM, 8 bytes
  TN_ARG_ACCESSOR = 2,  // an object of the language binding's, which holds a buffer's address
  TN_ARG_LOCAL = 3,     // local memory: 8 bytes, which get its offset (tn_local)
};
typedef struct tn_kernel_arg {
  uint32_t offset;  // in the block
  uint32_t size;    // bytes
  uint32_t kind;    // TN_ARG_…
  uint32_t reserved;
} tn_kernel_arg;
TN_API size_t tn_kernel_arg_count(const tn_kernel *kernel);
// INVALID_ARGUMENT when there are not so many.
TN_API TN_MUST_USE tn_status tn_kernel_arg_at(const tn_kernel *kernel, size_t index,
                                              tn_kernel_arg *out, tn_diag *diag);
// Whether the program made the kernel with the device's driver (tn_native_make_kernel). Such a
// kernel has tn_kernel_arg_count arguments, of which nothing more is known: each launch lists them.
// Its argument block begins with their number as a uint64_t, has as many tn_kernel_arg from byte
// TN_KERNEL_ARG_LIST_AT on, and their bytes where these say. Of kind ACCESSOR there is none.
enum { TN_KERNEL_ARG_LIST_AT = 16 };
TN_API int tn_kernel_is_native(const tn_kernel *kernel);
// Whether its arguments are a function's own.
TN_API int tn_kernel_is_function(const tn_kernel *kernel);

// X(name, value, type written to `out`). GROUP_SIZE is the largest, COMPILE_… what the kernel asks
// for (0: nothing), in SYCL's order with leading ones; PRIVATE_MEM bytes a work-item; LOCAL_MEM
// bytes that a work-group's variables take of the device's LOCAL_MEM_SIZE, before a launch asks for
// more.
// clang-format off
#define TN_KERNEL_INFO_MAP(X) \
  X(GROUP_SIZE, 1, u64) \
  X(COMPILE_GROUP_SIZE, 2, u64x3) \
  X(PREFERRED_GROUP_SIZE_MULTIPLE, 3, u64) \
  X(PRIVATE_MEM_SIZE, 4, u64) \
  X(MAX_SUB_GROUP_SIZE, 5, u32) \
  X(COMPILE_SUB_GROUP_SIZE, 6, u32) \
  X(MAX_NUM_SUB_GROUPS, 7, u32) \
  X(COMPILE_NUM_SUB_GROUPS, 8, u32) \
  X(ATTRIBUTES, 9, string) \
  X(ARGUMENT_COUNT, 10, u32) \
  X(LOCAL_MEM_SIZE, 11, u64)
// clang-format on
enum {
#define TN_KERNEL_INFO_ENUM(name, value, type) TN_KERNEL_INFO_##name = value,
  TN_KERNEL_INFO_MAP(TN_KERNEL_INFO_ENUM)
#undef TN_KERNEL_INFO_ENUM
};
// On the kernel's device; as tn_device_get_info. SYCL 2020 section 4.12.1.
TN_API TN_MUST_USE tn_status tn_kernel_get_info(const tn_kernel *kernel, int32_t what, void *out,
                                                size_t size, size_t *out_size, tn_diag *diag);
// The most work-groups of `group_items` work-items, with `local_size` bytes of local memory each
// beside what the kernel's own variables take, that run at once on the kernel's device, or a
// sub-device of it, and may wait for each other (TN_COMMAND_ROOT_SYNC); 0: no such group fits. Any
// thread. INVALID_ARGUMENT: an argument is NULL, or group_items is 0; what the driver says. Source:
// the SYCL extension sycl_ext_oneapi_launch_queries.
TN_API TN_MUST_USE tn_status tn_kernel_root_groups(const tn_kernel *kernel,
                                                   const tn_device *device, uint64_t group_items,
                                                   uint64_t local_size, uint64_t *out,
                                                   tn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
