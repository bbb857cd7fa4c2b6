// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of all kinds is the process's own; copies and fills.
#include "fake_opencl/fake_opencl.h"

#include <stdlib.h>
#include <string.h>

static void *allocate(size_t size, tn_cl_int *result) {
  void *made =
      *result == 0 && size <= (size_t)1 << 30 ? aligned_alloc(128, (size + 127) & ~127ull) : NULL;
  *result = made ? 0 : *result != 0 ? *result : TN_CL_MEM_OBJECT_ALLOCATION_FAILURE;
  fake_objects += made != NULL;
  return made;
}

EXPORT void *clSVMAlloc(tn_cl_context context, tn_cl_bits flags, size_t size,
                        tn_cl_uint alignment) {
  (void)context;
  (void)flags;
  (void)alignment;
  tn_cl_int result = fake_failure("clSVMAlloc");
  return allocate(size, &result);
}
EXPORT void clSVMFree(tn_cl_context context, void *memory) {
  (void)context;
  fake_objects -= memory != NULL;
  free(memory);
}
static void *usm_alloc(tn_cl_context context, const tn_cl_bits *properties, size_t size,
                       tn_cl_uint alignment, tn_cl_int *result) {
  (void)context;
  (void)properties;
  (void)alignment;
  *result = fake_failure("usm_alloc");
  return allocate(size, result);
}
static void *usm_alloc_on(tn_cl_context context, tn_cl_device device, const tn_cl_bits *properties,
                          size_t size, tn_cl_uint alignment, tn_cl_int *result) {
  (void)device;
  return usm_alloc(context, properties, size, alignment, result);
}
static tn_cl_int usm_free(tn_cl_context context, void *memory) {
  clSVMFree(context, memory);
  return 0;
}

static tn_cl_int usm_argument(tn_cl_kernel kernel, tn_cl_uint index, const void *memory) {
  (void)kernel;
  (void)index;
  (void)memory;
  return 0;
}

static void run_copy(job *work) { memmove(work->to, work->from, work->size); }

static void run_fill(job *work) {
  for (size_t i = 0; i < work->size; i++) {
    ((unsigned char *)work->to)[i] = work->pattern[i % work->pattern_size];
  }
}

job fake_copy_job(void *to, const void *from, size_t size) {
  return (job){.run = run_copy, .to = to, .from = from, .size = size};
}

tn_cl_int fake_fill_job(void *to, const void *pattern, size_t pattern_size, size_t size, job *out) {
  *out = (job){.run = run_fill, .to = to, .size = size, .pattern_size = pattern_size};
  if (pattern_size > sizeof(out->pattern) || (pattern_size & (pattern_size - 1)) != 0 ||
      size % pattern_size != 0 || (uintptr_t)to % pattern_size != 0) {
    return -30;
  }
  memcpy(out->pattern, pattern, pattern_size);
  return 0;
}

EXPORT tn_cl_int clEnqueueSVMMemcpy(tn_cl_queue of, tn_cl_bool blocks, void *to, const void *from,
                                    size_t size, tn_cl_uint count, const tn_cl_event *after,
                                    tn_cl_event *out) {
  (void)blocks;
  FAIL("copy");
  const job work = fake_copy_job(to, from, size);
  return fake_enqueue(of, &work, count, after, out);
}
EXPORT tn_cl_int clEnqueueSVMMemFill(tn_cl_queue of, void *to, const void *pattern,
                                     size_t pattern_size, size_t size, tn_cl_uint count,
                                     const tn_cl_event *after, tn_cl_event *out) {
  FAIL("fill");
  job work;
  const tn_cl_int result = fake_fill_job(to, pattern, pattern_size, size, &work);
  if (result != 0) {
    return result;
  }
  return fake_enqueue(of, &work, count, after, out);
}
EXPORT tn_cl_memory clCreateBuffer(tn_cl_context context, tn_cl_bits flags, size_t size,
                                   void *memory, tn_cl_int *result) {
  *result = fake_failure("clCreateBuffer");
  tn_cl_memory made = *result == 0 ? calloc(1, sizeof(*made)) : NULL;
  if (made) {
    made->references = 1;
    made->context = context;
    made->size = size;
    made->is_of_host = (flags & TN_CL_MEM_USE_HOST_PTR) != 0;
    made->bytes = made->is_of_host ? memory : calloc(1, size);
    fake_objects++;
  }
  return made;
}
EXPORT tn_cl_int clGetMemObjectInfo(tn_cl_memory memory, tn_cl_uint what, size_t size, void *out,
                                    size_t *out_size) {
  FAIL("clGetMemObjectInfo");
  const tn_cl_uint number = what != TN_CL_MEM_TYPE      ? (tn_cl_uint)memory->references
                            : memory->format.order != 0 ? TN_CL_MEM_TYPE_IMAGE1D
                                                        : TN_CL_MEM_TYPE_BUFFER;
  switch (what) {
    case TN_CL_MEM_CONTEXT:
      return fake_answer((const void *)&memory->context, sizeof(memory->context), size, out,
                         out_size);
    case TN_CL_MEM_SIZE:
      return fake_answer(&memory->size, sizeof(memory->size), size, out, out_size);
    default:
      return fake_answer(&number, sizeof(number), size, out, out_size);
  }
}
EXPORT void *clEnqueueMapBuffer(tn_cl_queue of, tn_cl_memory memory, tn_cl_bool blocks,
                                tn_cl_bits flags, size_t offset, size_t size, tn_cl_uint count,
                                const tn_cl_event *after, tn_cl_event *made, tn_cl_int *result) {
  (void)of;
  (void)blocks;
  (void)flags;
  (void)size;
  (void)count;
  (void)after;
  (void)made;
  *result = fake_failure("clEnqueueMapBuffer");
  memory->maps += *result == 0;
  return *result == 0 ? memory->bytes + offset : NULL;
}
// Images are made by clCreateImage: one row of pixels, each of 16 bytes.
EXPORT tn_cl_memory clCreateImage(tn_cl_context context, tn_cl_bits flags,
                                  const tn_cl_image_format *format, const void *description,
                                  void *memory, tn_cl_int *result) {
  (void)description;
  tn_cl_memory made = clCreateBuffer(context, flags, 64, memory, result);
  if (made) {
    made->format = *format;
  }
  return made;
}
EXPORT tn_cl_int clGetImageInfo(tn_cl_memory image, tn_cl_uint what, size_t size, void *out,
                                size_t *out_size) {
  FAIL("clGetImageInfo");
  const size_t number = what == TN_CL_IMAGE_ELEMENT_SIZE ? 16 : image->size / 16;
  return what == TN_CL_IMAGE_FORMAT
             ? fake_answer(&image->format, sizeof(image->format), size, out, out_size)
             : fake_answer(&number, sizeof(number), size, out, out_size);
}
EXPORT void *clEnqueueMapImage(tn_cl_queue of, tn_cl_memory image, tn_cl_bool blocks,
                               tn_cl_bits flags, const size_t *origin, const size_t *extent,
                               size_t *row_pitch, size_t *slice_pitch, tn_cl_uint count,
                               const tn_cl_event *after, tn_cl_event *made, tn_cl_int *result) {
  *row_pitch = 0;  // as Intel's driver for images of one dimension
  *slice_pitch = 0;
  return clEnqueueMapBuffer(of, image, blocks, flags, origin[0], extent[0] * 16, count, after, made,
                            result);
}
EXPORT tn_cl_int clEnqueueUnmapMemObject(tn_cl_queue of, tn_cl_memory memory, void *mapped,
                                         tn_cl_uint count, const tn_cl_event *after,
                                         tn_cl_event *made) {
  (void)mapped;
  memory->maps--;
  FAIL("clEnqueueUnmapMemObject");
  return fake_enqueue(of, &(job){0}, count, after, made);
}
// How often it is mapped; for tests.
EXPORT int fake_opencl_maps(tn_cl_memory memory) { return memory->maps; }

EXPORT tn_cl_int clRetainMemObject(tn_cl_memory memory) {
  FAIL("clRetainMemObject");
  memory->references++;
  return 0;
}
EXPORT tn_cl_int clReleaseMemObject(tn_cl_memory memory) {
  if (--memory->references == 0) {
    if (!memory->is_of_host) {
      free(memory->bytes);
    }
    free(memory);
    fake_objects--;
  }
  return 0;
}

void *fake_find_extension(const char *name) {
  void *found = fake_find_command_buffer(name);
  const struct {
    const char *name;
    const void *function;
    size_t size;
  } functions[] = {
#define ROW(name, function) {name, &(__typeof__(function) *){function}, sizeof(void *)}
      ROW("clSetKernelArgMemPointerINTEL", usm_argument),
      ROW("clHostMemAllocINTEL", usm_alloc),
      ROW("clDeviceMemAllocINTEL", usm_alloc_on),
      ROW("clSharedMemAllocINTEL", usm_alloc_on),
      ROW("clMemFreeINTEL", usm_free),
      ROW("clEnqueueMemcpyINTEL", clEnqueueSVMMemcpy),
      ROW("clEnqueueMemFillINTEL", clEnqueueSVMMemFill),
#undef ROW
  };
  for (size_t i = 0; i < TN_COUNT(functions); i++) {
    if (strcmp(functions[i].name, name) == 0) {
      memcpy(&found, functions[i].function, functions[i].size);
    }
  }
  return found;
}
