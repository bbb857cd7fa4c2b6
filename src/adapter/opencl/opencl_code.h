// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of code that program_link makes and program_load takes.
//
//   a SPIR-V module                                   an image's code, without program_link
//   "TNCLBIN1" the driver's binary                    linked, without specialization constants
//   "TNCLIL01" count, sizes; the modules              with them: their values precede the build
#ifndef TN_ADAPTER_OPENCL_OPENCL_CODE_H
#define TN_ADAPTER_OPENCL_OPENCL_CODE_H

#include "adapter/opencl/opencl_device.h"
#include "base/arena.h"
#include "base/buf.h"
#include "image/image.h"

enum { TN_OPENCL_PIECES_MAXIMUM = 1 << 16 };

// True for the driver's binary, and its bytes.
bool tn_opencl_code_binary(tn_bytes code, tn_bytes *out);
void tn_opencl_code_write_binary(tn_bytes binary, tn_buf *out);
void tn_opencl_code_write_modules(const tn_adapter_code *pieces, size_t count, tn_buf *out);
// The modules in code that is no binary: views of it. BAD_IMAGE for anything else.
tn_status tn_opencl_code_modules(tn_bytes code, tn_arena *arena, tn_adapter_code **out,
                                 size_t *out_count, tn_diag *diag);

// What modules say by their words. They are in the byte order of the host.
bool tn_opencl_spirv_has_specs(tn_bytes module);
// Whether kernels of it assert something.
bool tn_opencl_spirv_has_asserts(tn_bytes module);
// Hands each constant that Tenon numbered to the program. Values outside the buffer are left out.
tn_cl_int tn_opencl_spirv_set_specs(const tn_cl_driver *driver, tn_cl_program program,
                                    tn_bytes module, tn_bytes values, const void *asserts);
// The module with the symbols' roles in it; empty when it need not be changed.
void tn_opencl_spirv_write_roles(const tn_adapter_linkage *linkage, tn_bytes module, tn_buf *out);

// The arguments of a kernel that are set one by one: those of modules by other compilers. They lie
// in the launch's block as members of a struct.
typedef struct tn_opencl_arguments {
  struct tn_opencl_arguments *next;
  const char *kernel;
  size_t count;
  const tn_kernel_arg_info *all;
} tn_opencl_arguments;
// Of the kernels of a module that do not have the form of Tenon's; NULL when there is none. Copies.
tn_opencl_arguments *tn_opencl_arguments_read(tn_bytes module, tn_arena *arena);

// Values of a module's specialization constants; those of modules without are the defaults.
typedef struct tn_opencl_values {
  struct tn_opencl_values *next;
  uint64_t module_index;
  tn_bytes values;
} tn_opencl_values;
// One program of the modules: built, or compiled and linked. `values`: NULL where there are none.
// BUILD_FAILED with the driver's log.
tn_status tn_opencl_build(tn_adapter_device *device, const tn_adapter_code *modules, size_t count,
                          const tn_opencl_values *values, tn_cl_program *out, tn_diag *diag);
// The application's program, in place; `link`: compiled objects and libraries, as another program,
// to which the caller owns a reference.
tn_status tn_opencl_build_native(tn_adapter_device *device, tn_cl_program program, tn_diag *diag);
tn_status tn_opencl_link_native(tn_adapter_device *device, tn_cl_program program,
                                tn_cl_program *out, tn_diag *diag);
tn_status tn_opencl_build_binary(tn_adapter_device *device, tn_bytes binary, tn_cl_program *out,
                                 tn_diag *diag);

#endif
