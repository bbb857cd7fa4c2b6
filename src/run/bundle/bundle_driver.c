// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bundles of programs and kernels that the application made with the devices' driver. They have no
// images: only the driver knows what is in its programs.
#include "base/alloc.h"
#include "base/log.h"
#include "run/bundle/bundle_object.h"
#include "tenon/native.h"

void tn_bundle_driver_free(tn_bundle *bundle) {
  for (size_t i = 0; i < bundle->driver_code_count; i++) {
    tn_kernel_release(bundle->driver_codes[i].kernel);
    tn_program_release(bundle->driver_codes[i].program);
  }
  tn_kernel_id_release(bundle->driver_kernel);
  tn_free(bundle->driver_codes);
  if (bundle->driver_code_count > 0) {
    tn_program_reap();  // the driver's objects are released with the application's last object
  }
}

tn_kernel *tn_bundle_driver_find(const tn_bundle *bundle, const tn_kernel_id *id,
                                 const tn_device *device) {
  for (size_t i = 0; i < bundle->driver_code_count && bundle->driver_kernel == id; i++) {
    const tn_bundle_driver_code *code = &bundle->driver_codes[i];
    if (!device || tn_device_is(code->device, device)) {
      return code->kernel;
    }
  }
  return NULL;
}

int tn_bundle_is_native(const tn_bundle *bundle) {
  return bundle && bundle->driver_code_count > 0 ? 1 : 0;
}

static tn_status out_of_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a kernel bundle of a native program");
}

// On those of the bundle's devices that it is for, which become all of them.
static tn_status load_all(tn_bundle *bundle, int32_t what, uint64_t native, tn_diag *diag) {
  tn_diag reason = {0};
  tn_status status = TN_OK;
  bundle->driver_codes = tn_alloc_array(bundle->device_count + 1, sizeof(*bundle->driver_codes));
  if (!bundle->driver_codes) {
    return out_of_memory(diag);
  }
  size_t kept = 0;
  for (size_t i = 0; i < bundle->device_count && status == TN_OK; i++) {
    tn_bundle_driver_code *code = &bundle->driver_codes[bundle->driver_code_count];
    tn_device *device = bundle->devices[i];
    *code = (tn_bundle_driver_code){.device = device};
    status = tn_program_of_driver(device, what, native, &code->program, &code->kernel,
                                  &code->native, &reason);
    if (status == TN_OK) {
      bundle->driver_code_count++;
      bundle->devices[kept++] = device;
    }
    status = status == TN_DEVICE_NOT_FOUND ? TN_OK : status;
  }
  bundle->device_count = kept;
  if (status == TN_OK && kept == 0) {
    status = TN_INVALID_ARGUMENT;
    reason.code = (int32_t)status;
  }
  if (status != TN_OK && diag) {
    *diag = reason;
  }
  return status;
}

static tn_status make_bundle(tn_context *context, int32_t what, uint64_t native, tn_bundle **out,
                             tn_diag *diag) {
  tn_bundle_draft draft;
  tn_bundle *bundle = NULL;
  TN_TRY(tn_bundle_draft_init(&draft, TN_BUNDLE_EXECUTABLE, context, context->devices,
                              context->device_count, diag));
  tn_status status = tn_bundle_create(&draft, &bundle, diag);
  tn_bundle_draft_deinit(&draft);
  if (status == TN_OK) {
    status = load_all(bundle, what, native, diag);
  }
  if (status != TN_OK) {
    tn_bundle_release(bundle);
    return status;
  }
  *out = bundle;
  return TN_OK;
}

tn_status tn_native_make_bundle(tn_context *context, uint64_t native, int32_t state,
                                tn_bundle **out, tn_diag *diag) {
  TN_NOT_NULL(out, "place for the kernel bundle", diag);
  *out = NULL;
  TN_NOT_NULL(context, "context", diag);
  TN_NOT_NULL(native, "native program", diag);
  if (state != TN_BUNDLE_EXECUTABLE) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "make_kernel_bundle: a kernel bundle in state %s cannot be made of a native "
                   "program; use bundle_state::executable, for which the program is compiled and "
                   "linked as necessary",
                   tn_bundle_state_name(state));
  }
  return make_bundle(context, TN_NATIVE_PROGRAM, native, out, diag);
}

tn_status tn_native_make_kernel(tn_context *context, uint64_t native, tn_bundle **out,
                                tn_kernel_id **out_id, tn_diag *diag) {
  tn_bundle *bundle = NULL;
  TN_NOT_NULL(out, "place for the kernel bundle", diag);
  TN_NOT_NULL(out_id, "place for the kernel's id", diag);
  *out = NULL;
  *out_id = NULL;
  TN_NOT_NULL(context, "context", diag);
  TN_NOT_NULL(native, "native kernel", diag);
  TN_TRY(make_bundle(context, TN_NATIVE_KERNEL, native, &bundle, diag));
  bundle->driver_kernel = tn_driver_kernel_id_create(bundle->driver_codes[0].kernel->name);
  if (!bundle->driver_kernel) {
    tn_bundle_release(bundle);
    return out_of_memory(diag);
  }
  TN_LOG(program, "bundle %p of the native kernel %s", (void *)bundle, bundle->driver_kernel->name);
  tn_kernel_id_retain(bundle->driver_kernel);
  *out_id = bundle->driver_kernel;
  *out = bundle;
  return TN_OK;
}

// ---- The driver's programs of any bundle

typedef struct number_list {
  uint64_t *numbers;
  size_t capacity;
  size_t count;
} number_list;

static void add_number(number_list *list, uint64_t number) {
  for (size_t i = 0; i < list->count && i < list->capacity; i++) {
    if (list->numbers[i] == number) {
      return;
    }
  }
  if (list->count < list->capacity) {
    list->numbers[list->count] = number;
  }
  list->count++;
}

static tn_status add_programs(tn_bundle *bundle, const tn_device *device, number_list *list,
                              tn_diag *diag) {
  for (size_t i = 0; i < bundle->kernel_count; i++) {
    tn_kernel *kernel = NULL;
    uint64_t native = 0;
    if (!tn_bundle_has_kernel(bundle, bundle->kernels[i], device)) {
      continue;
    }
    TN_TRY(tn_bundle_get_kernel(bundle, bundle->kernels[i], (tn_device *)(uintptr_t)device, &kernel,
                                diag));
    const tn_status status = device->api->native_get(device->adapter_device, TN_NATIVE_PROGRAM,
                                                     kernel->adapter_kernel, &native, diag);
    tn_kernel_release(kernel);
    TN_TRY(status);
    add_number(list, native);
  }
  return TN_OK;
}

tn_status tn_native_get_programs(tn_bundle *bundle, uint64_t *out, size_t capacity,
                                 size_t *out_count, tn_diag *diag) {
  number_list list = {out, capacity, 0};
  TN_NOT_NULL(out_count, "place for the count", diag);
  *out_count = 0;
  TN_NOT_NULL(bundle, "kernel bundle", diag);
  TN_NOT_NULL(out || capacity == 0, "array", diag);
  for (size_t i = 0; i < bundle->driver_code_count; i++) {
    add_number(&list, bundle->driver_codes[i].native);
  }
  for (size_t i = 0; i < bundle->device_count && bundle->state == TN_BUNDLE_EXECUTABLE; i++) {
    TN_TRY(add_programs(bundle, bundle->devices[i], &list, diag));
  }
  *out_count = list.count;
  return TN_OK;
}
