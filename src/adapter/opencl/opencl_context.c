// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device's context and queue, made at the first use: looking at devices makes none.
//
// One context a device: memory of one is not another's. For commands outside streams the runtime
// has resolved all dependencies, so one queue without an order serves them all.
#include "adapter/opencl/opencl_device.h"
#include "tenon/memory.h"

// A device that is foreign has its context, and a reference to it, already.
static tn_status create(tn_adapter_device *device, tn_diag *diag) {
  const tn_cl_driver *driver = device->driver;
  tn_cl_int result = TN_CL_SUCCESS;
  tn_cl_context context =
      device->is_foreign ? device->context
                         : driver->context_create(NULL, 1, &device->handle, NULL, NULL, &result);
  if (!context) {
    return tn_opencl_fail(result, device->name, diag);
  }
  const tn_cl_bits order = device->is_out_of_order ? TN_CL_QUEUE_OUT_OF_ORDER : 0;
  const tn_cl_bits properties[] = {TN_CL_QUEUE_PROPERTIES, order | TN_CL_QUEUE_PROFILING, 0};
  tn_cl_queue queue = driver->queue_create(context, device->handle, properties, &result);
  if (!queue) {
    (void)driver->context_release(context);
    return tn_opencl_fail(result, device->name, diag);
  }
  device->context = context;
  device->queue = queue;
  return TN_OK;
}

tn_status tn_opencl_start(tn_adapter_device *device, tn_diag *diag) {
  tn_mutex_lock(&device->mu);
  while (device->is_starting) {
    tn_cond_wait(&device->cond, &device->mu);
  }
  const bool is_started = device->is_started;
  device->is_starting = !is_started;
  tn_mutex_unlock(&device->mu);
  if (is_started) {
    return TN_OK;
  }
  const tn_status status = create(device, diag);
  tn_mutex_lock(&device->mu);
  device->is_starting = false;
  device->is_started = status == TN_OK;
  tn_cond_broadcast(&device->cond);
  tn_mutex_unlock(&device->mu);
  return status;
}

static void release_queue(tn_adapter_device *device) {
  if (device->queue) {
    (void)device->driver->queue_release(device->queue);
    (void)device->driver->context_release(device->context);
    device->queue = NULL;
  }
}

// A completion of the driver's may call this, so that nothing waits: the driver releases a queue
// once its commands are complete. Memory for asserts stays: kernels may still write to it.
void tn_opencl_native_context_close(tn_adapter_device *device) {
  tn_opencl_streams_end(device, false);
  tn_opencl_native_end(device);
  release_queue(device);
}

void tn_opencl_end(tn_adapter_device *device) {
  tn_opencl_streams_end(device, true);
  tn_opencl_native_end(device);
  tn_opencl_memory_free(device, TN_USM_HOST, atomic_load(&device->asserts));
  if (device->queue) {
    (void)device->driver->finish(device->queue);
  }
  release_queue(device);
  tn_cond_deinit(&device->cond);
  tn_mutex_deinit(&device->mu);
}
