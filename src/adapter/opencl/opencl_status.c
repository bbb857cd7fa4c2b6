// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL's error codes as statuses and in words.
#include "adapter/opencl/opencl_device.h"

// X(name, value)
// clang-format off
#define ERROR_MAP(X) \
  X(DEVICE_NOT_FOUND, -1) X(DEVICE_NOT_AVAILABLE, -2) X(COMPILER_NOT_AVAILABLE, -3) \
  X(MEM_OBJECT_ALLOCATION_FAILURE, -4) X(OUT_OF_RESOURCES, -5) X(OUT_OF_HOST_MEMORY, -6) \
  X(PROFILING_INFO_NOT_AVAILABLE, -7) X(MEM_COPY_OVERLAP, -8) X(BUILD_PROGRAM_FAILURE, -11) \
  X(EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, -14) X(COMPILE_PROGRAM_FAILURE, -15) \
  X(LINKER_NOT_AVAILABLE, -16) X(LINK_PROGRAM_FAILURE, -17) X(DEVICE_PARTITION_FAILED, -18) \
  X(INVALID_VALUE, -30) X(INVALID_DEVICE_TYPE, -31) X(INVALID_PLATFORM, -32) \
  X(INVALID_DEVICE, -33) X(INVALID_CONTEXT, -34) X(INVALID_QUEUE_PROPERTIES, -35) \
  X(INVALID_COMMAND_QUEUE, -36) X(INVALID_BINARY, -42) X(INVALID_BUILD_OPTIONS, -43) \
  X(INVALID_PROGRAM, -44) X(INVALID_PROGRAM_EXECUTABLE, -45) X(INVALID_KERNEL_NAME, -46) \
  X(INVALID_KERNEL_DEFINITION, -47) X(INVALID_KERNEL, -48) X(INVALID_ARG_INDEX, -49) \
  X(INVALID_ARG_VALUE, -50) X(INVALID_ARG_SIZE, -51) X(INVALID_KERNEL_ARGS, -52) \
  X(INVALID_WORK_DIMENSION, -53) X(INVALID_WORK_GROUP_SIZE, -54) X(INVALID_WORK_ITEM_SIZE, -55) \
  X(INVALID_GLOBAL_OFFSET, -56) X(INVALID_EVENT_WAIT_LIST, -57) X(INVALID_EVENT, -58) \
  X(INVALID_OPERATION, -59) X(INVALID_BUFFER_SIZE, -61) X(INVALID_GLOBAL_WORK_SIZE, -63) \
  X(INVALID_PROPERTY, -64) X(INVALID_COMPILER_OPTIONS, -66) X(INVALID_LINKER_OPTIONS, -67) \
  X(INVALID_SPEC_ID, -71) X(MAX_SIZE_RESTRICTION_EXCEEDED, -72) X(PLATFORM_NOT_FOUND_KHR, -1001)
// clang-format on

static const char *name_of(tn_cl_int result) {
  switch (result) {
#define CASE(name, value) \
  case value:             \
    return "CL_" #name;
    ERROR_MAP(CASE)
#undef CASE
    default:
      return "an error of the driver's own";
  }
}

static tn_status status_of(tn_cl_int result) {
  switch (result) {
    case -4:
    case -6:
    case -61:
      return TN_OUT_OF_MEMORY;
    case -11:
    case -15:
    case -17:
    case -42:
      return TN_BUILD_FAILED;
    case -53:
    case -54:
    case -55:
    case -63:
      return TN_ND_RANGE;
    default:
      return TN_DEVICE_FAILED;
  }
}

tn_status tn_opencl_fail_as(tn_status status, tn_cl_int result, const char *what, tn_diag *diag) {
  TN_IGNORE(tn_opencl_fail(result, what, diag), "the caller knows better what it comes to");
  if (diag) {
    diag->code = (int32_t)status;
  }
  return status;
}

tn_status tn_opencl_fail(tn_cl_int result, const char *what, tn_diag *diag) {
  return tn_diag_set(diag, status_of(result), result, __FILE__, __LINE__,
                     "%s: the OpenCL driver reports %s (%d)", what, name_of(result), (int)result);
}
