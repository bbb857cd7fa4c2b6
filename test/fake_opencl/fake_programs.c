// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs are what begins with SPIR-V's first word, kernels names that stand in them. A kernel
// adds its block's number to what its block points to, for each work-item.
#include "fake_opencl/fake_opencl.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC = 0x07230203, GROUP_SIZE = 512 };
enum { TN_CL_PROGRAM_REFERENCES = 0x1160, TN_CL_KERNEL_REFERENCES = 0x1192 };

static tn_cl_program create(tn_cl_context context, const void *code, size_t size,
                            const char *function, tn_cl_int *result) {
  uint32_t first = 0;
  memcpy(&first, code, size < sizeof(first) ? size : sizeof(first));
  *result = fake_failure(function);
  *result = *result != 0 ? *result : first == MAGIC ? 0 : -42;
  if (*result != 0) {
    return NULL;
  }
  tn_cl_program made = calloc(1, sizeof(*made));
  made->references = 1;
  made->context = context;
  made->size = size;
  made->code = malloc(size);
  memcpy(made->code, code, size);
  fake_objects++;
  return made;
}

EXPORT tn_cl_program clCreateProgramWithIL(tn_cl_context context, const void *code, size_t size,
                                           tn_cl_int *result) {
  return create(context, code, size, "clCreateProgramWithIL", result);
}
EXPORT tn_cl_program clCreateProgramWithBinary(tn_cl_context context, tn_cl_uint count,
                                               const tn_cl_device *devices, const size_t *sizes,
                                               const unsigned char **codes, tn_cl_int *status,
                                               tn_cl_int *result) {
  (void)count;
  (void)devices;
  tn_cl_program made = create(context, codes[0], sizes[0], "clCreateProgramWithBinary", result);
  if (status) {
    *status = *result;
  }
  return made;
}
EXPORT tn_cl_int clRetainProgram(tn_cl_program program) {
  FAIL("clRetainProgram");
  program->references++;
  return 0;
}
EXPORT tn_cl_int clReleaseProgram(tn_cl_program program) {
  if (--program->references == 0) {
    free(program->code);
    free(program);
    fake_objects--;
  }
  return 0;
}
EXPORT tn_cl_int clSetProgramSpecializationConstant(tn_cl_program program, tn_cl_uint id,
                                                    size_t size, const void *value) {
  (void)program;
  (void)id;
  (void)size;
  (void)value;
  return fake_failure("clSetProgramSpecializationConstant");
}
EXPORT tn_cl_int clBuildProgram(tn_cl_program program, tn_cl_uint count,
                                const tn_cl_device *devices, const char *options,
                                void (*notify)(tn_cl_program, void *), void *user) {
  (void)count;
  (void)devices;
  (void)options;
  (void)notify;
  (void)user;
  FAIL("clBuildProgram");
  program->is_built = true;
  return 0;
}
EXPORT tn_cl_int clCompileProgram(tn_cl_program program, tn_cl_uint count,
                                  const tn_cl_device *devices, const char *options,
                                  tn_cl_uint header_count, const tn_cl_program *headers,
                                  const char **names, void (*notify)(tn_cl_program, void *),
                                  void *user) {
  (void)header_count;
  (void)headers;
  (void)names;
  FAIL("clCompileProgram");
  (void)count;
  (void)devices;
  (void)options;
  (void)notify;
  (void)user;
  program->is_compiled = true;
  return 0;
}
EXPORT tn_cl_program clLinkProgram(tn_cl_context context, tn_cl_uint count,
                                   const tn_cl_device *devices, const char *options,
                                   tn_cl_uint program_count, const tn_cl_program *programs,
                                   void (*notify)(tn_cl_program, void *), void *user,
                                   tn_cl_int *result) {
  (void)count;
  (void)devices;
  (void)options;
  (void)program_count;
  (void)notify;
  (void)user;
  tn_cl_program made =
      create(context, programs[0]->code, programs[0]->size, "clLinkProgram", result);
  if (made) {
    made->is_built = true;
  }
  return made;
}
EXPORT tn_cl_int clGetProgramInfo(tn_cl_program program, tn_cl_uint what, size_t size, void *out,
                                  size_t *out_size) {
  FAIL("clGetProgramInfo");
  if (what == TN_CL_PROGRAM_BINARY_SIZES) {
    return fake_answer(&program->size, sizeof(program->size), size, out, out_size);
  }
  if (what == TN_CL_PROGRAM_CONTEXT) {
    return fake_answer((const void *)&program->context, sizeof(program->context), size, out,
                       out_size);
  }
  if (what == TN_CL_PROGRAM_DEVICES) {
    return fake_answer((const void *)program->context->devices,
                       program->context->device_count * sizeof(tn_cl_device), size, out, out_size);
  }
  if (what == TN_CL_PROGRAM_REFERENCES) {
    const tn_cl_uint references = (tn_cl_uint)program->references;
    return fake_answer(&references, sizeof(references), size, out, out_size);
  }
  if (what == TN_CL_PROGRAM_BINARIES) {
    memcpy(*(unsigned char **)out, program->code, program->size);
    return 0;
  }
  return fake_answer("", 1, size, out, out_size);
}
EXPORT tn_cl_int clGetProgramBuildInfo(tn_cl_program program, tn_cl_device device, tn_cl_uint what,
                                       size_t size, void *out, size_t *out_size) {
  static const char log[] = "Compilation started\nLinking started\nSymbols not found: step\n";
  (void)device;
  FAIL("clGetProgramBuildInfo");
  if (what == TN_CL_PROGRAM_BINARY_TYPE) {
    const tn_cl_uint type = program->is_built      ? TN_CL_BINARY_EXECUTABLE
                            : program->is_compiled ? 1
                                                   : TN_CL_BINARY_NONE;
    return fake_answer(&type, sizeof(type), size, out, out_size);
  }
  return fake_answer(log, sizeof(log), size, out, out_size);
}

static bool has_name(tn_cl_program program, const char *name) {
  const size_t size = strlen(name) + 1;
  for (size_t i = 0; i + size <= program->size; i++) {
    if (memcmp(program->code + i, name, size) == 0) {
      return true;
    }
  }
  return false;
}

EXPORT tn_cl_kernel clCreateKernel(tn_cl_program program, const char *name, tn_cl_int *result) {
  *result = fake_failure("clCreateKernel");
  *result = *result != 0 ? *result : !program->is_built ? -45 : has_name(program, name) ? 0 : -46;
  tn_cl_kernel made = *result == 0 ? calloc(1, sizeof(*made)) : NULL;
  if (made) {
    made->references = 1;
    made->program = program;
    program->references++;
    strncpy(made->name, name, sizeof(made->name) - 1);
    fake_objects++;
  }
  return made;
}
EXPORT tn_cl_int clRetainKernel(tn_cl_kernel kernel) {
  FAIL("clRetainKernel");
  kernel->references++;
  return 0;
}
EXPORT tn_cl_int clReleaseKernel(tn_cl_kernel kernel) {
  if (--kernel->references == 0) {
    (void)clReleaseProgram(kernel->program);
    free(kernel);
    fake_objects--;
  }
  return 0;
}
EXPORT tn_cl_int clSetKernelArg(tn_cl_kernel kernel, tn_cl_uint index, size_t size,
                                const void *value) {
  FAIL("clSetKernelArg");
  if (index != 0 || !value || size > sizeof(kernel->args)) {
    return -49;
  }
  memcpy(kernel->args, value, size);
  return 0;
}
EXPORT tn_cl_int clSetKernelArgSVMPointer(tn_cl_kernel kernel, tn_cl_uint index,
                                          const void *memory) {
  return clSetKernelArg(kernel, index, sizeof(memory), &memory);
}
EXPORT tn_cl_int clSetKernelExecInfo(tn_cl_kernel kernel, tn_cl_uint what, size_t size,
                                     const void *value) {
  (void)kernel;
  (void)what;
  (void)size;
  (void)value;
  return fake_failure("clSetKernelExecInfo");
}
EXPORT tn_cl_int clGetKernelInfo(tn_cl_kernel kernel, tn_cl_uint what, size_t size, void *out,
                                 size_t *out_size) {
  const uint32_t one = 1;
  const uint32_t references = (uint32_t)kernel->references;
  FAIL("clGetKernelInfo");
  if (what == TN_CL_KERNEL_PROGRAM) {
    return fake_answer((const void *)&kernel->program, sizeof(kernel->program), size, out,
                       out_size);
  }
  if (what == TN_CL_KERNEL_FUNCTION_NAME) {
    return fake_answer(kernel->name, strlen(kernel->name) + 1, size, out, out_size);
  }
  if (what == TN_CL_KERNEL_REFERENCES) {
    return fake_answer(&references, sizeof(references), size, out, out_size);
  }
  return fake_answer(&one, sizeof(one), size, out, out_size);
}
EXPORT tn_cl_int clGetKernelWorkGroupInfo(tn_cl_kernel kernel, tn_cl_device device, tn_cl_uint what,
                                          size_t size, void *out, size_t *out_size) {
  static const size_t none[3];
  const uint64_t number = what == TN_CL_KERNEL_WORK_GROUP_SIZE ? GROUP_SIZE : 1;
  (void)kernel;
  (void)device;
  FAIL("clGetKernelWorkGroupInfo");
  return what == TN_CL_KERNEL_COMPILE_SIZE
             ? fake_answer(none, sizeof(none), size, out, out_size)
             : fake_answer(&number, sizeof(number), size, out, out_size);
}
EXPORT tn_cl_int clGetKernelSubGroupInfo(tn_cl_kernel kernel, tn_cl_device device, tn_cl_uint what,
                                         size_t in_size, const void *in, size_t size, void *out,
                                         size_t *out_size) {
  const size_t one = 1;
  (void)kernel;
  (void)device;
  (void)what;
  (void)in_size;
  (void)in;
  FAIL("clGetKernelSubGroupInfo");
  return fake_answer(&one, sizeof(one), size, out, out_size);
}

static void run_kernel(job *work) {
  struct {
    int32_t *p;
    int32_t add;
  } block;
  memcpy(&block, work->args, sizeof(block));
  for (size_t i = 0; block.p && i < work->global[0]; i++) {
    block.p[work->offset[0] + i] += block.add;
  }
}

job fake_kernel_job(tn_cl_kernel kernel, tn_cl_uint dims, const size_t *offset,
                    const size_t *global) {
  job work = {.run = run_kernel};
  memcpy(work.args, kernel->args, sizeof(work.args));
  for (tn_cl_uint i = 0; i < dims; i++) {
    work.global[i] = global[i];
    work.offset[i] = offset ? offset[i] : 0;
  }
  return work;
}

EXPORT tn_cl_int clEnqueueNDRangeKernel(tn_cl_queue of, tn_cl_kernel kernel, tn_cl_uint dims,
                                        const size_t *offset, const size_t *global,
                                        const size_t *local, tn_cl_uint count,
                                        const tn_cl_event *after, tn_cl_event *out) {
  (void)local;
  FAIL("clEnqueueNDRangeKernel");
  const job work = fake_kernel_job(kernel, dims, offset, global);
  return fake_enqueue(of, &work, count, after, out);
}
