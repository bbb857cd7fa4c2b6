// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs and kernels that the application made with the device's driver. Nothing is known of a
// kernel's arguments but their number: launches list them (tn_kernel_is_native).
#include "run/program/program_object.h"

static tn_status load_kernel(tn_program *program, const char *name, tn_kernel **out,
                             tn_diag *diag) {
  const tn_kernel_info info = {
      .name = tn_str_from(name), .arg_align = sizeof(uint64_t), .flags = TN_KERNEL_IS_FUNCTION};
  uint32_t count = 0;
  tn_kernel *kernel = NULL;
  TN_TRY(tn_kernel_load_native(program, &info, &kernel, diag));
  const tn_status status = program->device->api->kernel_get_info(
      kernel->adapter_kernel, TN_KERNEL_INFO_ARGUMENT_COUNT, &count, sizeof(count), NULL, diag);
  if (status != TN_OK) {
    tn_kernel_release(kernel);
    return status;
  }
  kernel->arg_count = count;
  kernel->is_native = true;
  *out = kernel;
  return TN_OK;
}

tn_status tn_program_of_driver(tn_device *device, int32_t what, uint64_t native, tn_program **out,
                               tn_kernel **out_kernel, uint64_t *out_native, tn_diag *diag) {
  tn_adapter_native_code code;
  tn_program *program = NULL;
  *out = NULL;
  *out_kernel = NULL;
  TN_TRY(device->api->native_program(device->adapter_device, what, native, &code, diag));
  tn_status status = tn_program_create(device, code.program, &program, diag);
  if (status != TN_OK) {
    device->api->program_unload(code.program);
    return status;
  }
  if (code.kernel[0] != '\0') {
    status = load_kernel(program, code.kernel, out_kernel, diag);
  }
  if (status != TN_OK) {
    tn_program_release(program);
    tn_program_reap();
    return status;
  }
  *out_native = code.native;
  *out = program;
  return TN_OK;
}

int tn_kernel_is_native(const tn_kernel *kernel) { return kernel && kernel->is_native ? 1 : 0; }
