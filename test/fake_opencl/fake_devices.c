// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A platform with a device, which is what FAKE_OPENCL says.
#include "fake_opencl/fake_opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Atomic int fake_objects;
static struct tn_cl_device_handle the_device = {.units = UNITS, .references = 1};

int fake_opencl_objects(void) { return fake_objects; }

bool fake_is(const char *word) {
  const char *words = getenv("FAKE_OPENCL");
  const size_t size = strlen(word);
  for (const char *at = words ? strstr(words, word) : NULL; at; at = strstr(at + 1, word)) {
    if ((at == words || at[-1] == ',') && (at[size] == ',' || at[size] == '\0')) {
      return true;
    }
  }
  return false;
}

tn_cl_int fake_failure(const char *function) {
  static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
  static int calls;
  char name[128] = "";
  int wanted = 0;
  int code = 0;
  const char *text = getenv("FAKE_OPENCL_FAIL");
  if (!text || sscanf(text, "%127[^:]:%d:%d", name, &wanted, &code) != 3 ||
      strcmp(name, function) != 0) {
    return 0;
  }
  pthread_mutex_lock(&mu);
  const bool is_it = ++calls == wanted;
  pthread_mutex_unlock(&mu);
  return is_it ? code : 0;
}

tn_cl_int fake_answer(const void *value, size_t value_size, size_t size, void *out,
                      size_t *out_size) {
  if (out && size < value_size) {
    return -30;
  }
  if (out) {
    memcpy(out, value, value_size);
  }
  if (out_size) {
    *out_size = value_size;
  }
  return 0;
}

static tn_cl_int answer_text(const char *text, size_t size, void *out, size_t *out_size) {
  return fake_answer(text, strlen(text) + 1, size, out, out_size);
}

EXPORT tn_cl_int clGetPlatformIDs(tn_cl_uint capacity, tn_cl_platform *out, tn_cl_uint *count) {
  FAIL("clGetPlatformIDs");
  static char platform;
  if (fake_is("no-platform")) {
    return TN_CL_PLATFORM_NOT_FOUND;
  }
  if (out && capacity > 0) {
    out[0] = (tn_cl_platform)&platform;
  }
  if (count) {
    *count = 1;
  }
  return 0;
}
EXPORT tn_cl_int clGetPlatformInfo(tn_cl_platform platform, tn_cl_uint what, size_t size, void *out,
                                   size_t *out_size) {
  (void)platform;
  (void)what;
  FAIL("clGetPlatformInfo");
  return answer_text("Fake", size, out, out_size);
}
EXPORT tn_cl_int clGetDeviceIDs(tn_cl_platform platform, tn_cl_bits type, tn_cl_uint capacity,
                                tn_cl_device *out, tn_cl_uint *count) {
  (void)platform;
  (void)type;
  FAIL("clGetDeviceIDs");
  if (fake_is("no-device")) {
    return -1;
  }
  if (out && capacity > 0) {
    out[0] = &the_device;
  }
  if (count) {
    *count = 1;
  }
  return 0;
}

static tn_cl_int answer_number(uint64_t value, bool is_wide, size_t size, void *out,
                               size_t *out_size) {
  const uint32_t narrow = (uint32_t)value;
  return is_wide ? fake_answer(&value, sizeof(value), size, out, out_size)
                 : fake_answer(&narrow, sizeof(narrow), size, out, out_size);
}

EXPORT tn_cl_int clGetDeviceInfo(tn_cl_device device, tn_cl_uint what, size_t size, void *out,
                                 size_t *out_size) {
  static const size_t sizes[] = {512, 512, 512};
  static const intptr_t kinds[] = {TN_CL_PARTITION_EQUALLY, TN_CL_PARTITION_BY_COUNTS, 0};
  FAIL("clGetDeviceInfo");
  if (fake_has_command_buffers()) {
    const tn_cl_int result = fake_command_buffer_info(what, size, out, out_size);
    if (result != 1) {
      return result;
    }
  }
  switch (what) {
    case TN_CL_DEVICE_NAME:
      return answer_text("Fake device", size, out, out_size);
    case TN_CL_DEVICE_VENDOR:
    case TN_CL_DRIVER_VERSION:
      return answer_text("1", size, out, out_size);
    case TN_CL_DEVICE_VERSION:
      return answer_text("OpenCL 3.0 fake", size, out, out_size);
    case TN_CL_DEVICE_IL_VERSION:
      return answer_text(fake_is("no-il") ? "" : "SPIR-V_1.4", size, out, out_size);
    case TN_CL_DEVICE_EXTENSIONS:
      return answer_text(fake_is("no-usm") ? "cl_khr_int64_base_atomics"
                                           : "cl_khr_fp16 cl_intel_unified_shared_memory",
                         size, out, out_size);
    case TN_CL_DEVICE_TYPE:
      return answer_number(fake_is("gpu") ? TN_CL_TYPE_GPU : TN_CL_TYPE_CPU, true, size, out,
                           out_size);
    case TN_CL_DEVICE_MAX_COMPUTE_UNITS:
    case TN_CL_DEVICE_PARTITION_MAX:
      return answer_number(device->units, false, size, out, out_size);
    case TN_CL_DEVICE_PARTITION_KINDS:
      return fake_answer(kinds, sizeof(kinds), size, out, out_size);
    case TN_CL_DEVICE_MAX_WORK_ITEM_SIZES:
      return fake_answer(sizes, sizeof(sizes), size, out, out_size);
    case TN_CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return answer_number(512, true, size, out, out_size);
    case TN_CL_DEVICE_ADDRESS_BITS:
      return answer_number(64, false, size, out, out_size);
    case TN_CL_DEVICE_GLOBAL_MEM_SIZE:
    case TN_CL_DEVICE_MAX_MEM_ALLOC_SIZE:
      return answer_number(1u << 30, true, size, out, out_size);
    case TN_CL_DEVICE_LOCAL_MEM_SIZE:
      return answer_number(1u << 16, true, size, out, out_size);
    case TN_CL_DEVICE_AVAILABLE:
      return answer_number(1, false, size, out, out_size);
    case TN_CL_DEVICE_COMPILER_AVAILABLE:
      return answer_number(!fake_is("no-compiler"), false, size, out, out_size);
    case TN_CL_DEVICE_GENERIC_ADDRESS_SPACE:
      return answer_number(!fake_is("no-generic"), false, size, out, out_size);
    case TN_CL_DEVICE_DOUBLE_FP_CONFIG:
      return answer_number(!fake_is("no-fp64"), true, size, out, out_size);
    case TN_CL_DEVICE_SVM_CAPABILITIES:
      return answer_number(fake_is("no-svm") ? 0
                           : fake_is("gpu")  ? TN_CL_SVM_COARSE
                                             : TN_CL_SVM_COARSE | TN_CL_SVM_FINE | TN_CL_SVM_SYSTEM,
                           true, size, out, out_size);
    case TN_CL_DEVICE_HOST_MEM:
    case TN_CL_DEVICE_DEVICE_MEM:
    case TN_CL_DEVICE_SHARED_MEM:
      return answer_number(TN_CL_USM_ACCESS, true, size, out, out_size);
    case TN_CL_DEVICE_SYSTEM_MEM:
      return answer_number(fake_is("gpu") ? 0 : TN_CL_USM_ACCESS, true, size, out, out_size);
    case TN_CL_DEVICE_PARTITION_DOMAINS:
    case TN_CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
    case TN_CL_DEVICE_MAX_PARAMETER_SIZE:
    case TN_CL_DEVICE_TIMER_RESOLUTION:
    case TN_CL_DEVICE_QUEUE_PROPERTIES:
      return answer_number(1, true, size, out, out_size);
    default:
      return answer_number(1, false, size, out, out_size);
  }
}
EXPORT tn_cl_int clCreateSubDevices(tn_cl_device device, const intptr_t *properties,
                                    tn_cl_uint capacity, tn_cl_device *out, tn_cl_uint *count) {
  FAIL("clCreateSubDevices");
  const bool is_equal = properties[0] == TN_CL_PARTITION_EQUALLY;
  tn_cl_uint made = 0;
  for (tn_cl_uint i = 0;
       is_equal ? i < device->units / (tn_cl_uint)properties[1] : properties[1 + i] != 0; i++) {
    if (out && i < capacity) {
      out[i] = calloc(1, sizeof(*out[i]));
      *out[i] = (struct tn_cl_device_handle){
          .units = (tn_cl_uint)properties[is_equal ? 1 : 1 + i], .is_part = true, .references = 1};
      fake_objects++;
    }
    made++;
  }
  if (count) {
    *count = made;
  }
  return 0;
}
EXPORT tn_cl_int clRetainDevice(tn_cl_device device) {
  device->references++;
  return 0;
}
EXPORT tn_cl_int clReleaseDevice(tn_cl_device device) {
  if (--device->references == 0 && device->is_part) {
    free(device);
    fake_objects--;
  }
  return 0;
}
EXPORT tn_cl_context clCreateContext(const intptr_t *properties, tn_cl_uint count,
                                     const tn_cl_device *devices,
                                     void (*notify)(const char *, const void *, size_t, void *),
                                     void *user, tn_cl_int *result) {
  (void)properties;
  (void)notify;
  (void)user;
  *result = fake_failure("clCreateContext");
  tn_cl_context made = *result == 0 ? calloc(1, sizeof(*made)) : NULL;
  if (made) {
    made->references = 1;
    made->device_count = count < UNITS ? count : UNITS;
    memcpy((void *)made->devices, (const void *)devices, made->device_count * sizeof(tn_cl_device));
    fake_objects++;
  }
  return made;
}
EXPORT tn_cl_int clGetContextInfo(tn_cl_context context, tn_cl_uint what, size_t size, void *out,
                                  size_t *out_size) {
  FAIL("clGetContextInfo");
  const tn_cl_uint references = (tn_cl_uint)context->references;
  return what == TN_CL_CONTEXT_DEVICES
             ? fake_answer((const void *)context->devices,
                           context->device_count * sizeof(tn_cl_device), size, out, out_size)
             : fake_answer(&references, sizeof(references), size, out, out_size);
}
EXPORT tn_cl_int clRetainContext(tn_cl_context context) {
  FAIL("clRetainContext");
  context->references++;
  return 0;
}
EXPORT tn_cl_int clReleaseContext(tn_cl_context context) {
  if (--context->references == 0) {
    free(context);
    fake_objects--;
  }
  return 0;
}
EXPORT void *clGetExtensionFunctionAddressForPlatform(tn_cl_platform platform, const char *name) {
  (void)platform;
  return fake_failure("clGetExtensionFunctionAddressForPlatform") == 0 ? fake_find_extension(name)
                                                                       : NULL;
}
