// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host steps: copies and fills of memory that is the process's own, for which the driver has no
// command, between the commands of a queue.
//
//   queue:   … earlier ── marker            barrier ── later …
//                            │ complete        ↑ complete
//   driver's thread:         └─ copy or fill ──┘ of the step's user event
#include "adapter/host/host.h"
#include "adapter/opencl/opencl_work.h"
#include "base/alloc.h"

#include <string.h>

typedef struct step {
  const tn_cl_driver *driver;
  tn_cl_event before;  // owned; the marker's
  tn_cl_event moved;   // owned; the user event
  tn_adapter_command command;
  unsigned char pattern[];
} step;

static void end(step *self, tn_cl_int result) {
  // After a failure the commands behind the barrier fail as well.
  (void)self->driver->user_event_set(self->moved, result < 0 ? result : TN_CL_COMPLETE);
  (void)self->driver->event_release(self->moved);
  if (self->before) {
    (void)self->driver->event_release(self->before);
  }
  tn_free(self);
}

static void on_marker(tn_cl_event event, tn_cl_int result, void *user) {
  (void)event;
  step *self = user;
  if (result >= 0) {
    tn_host_move(&self->command);
  }
  end(self, result);
}

static step *create(const tn_adapter_device *device, const tn_adapter_command *command,
                    tn_cl_int *result) {
  const bool has_pattern =
      command->kind == TN_ADAPTER_FILL || command->kind == TN_ADAPTER_FILL_RECT;
  step *self = tn_alloc(sizeof(*self) + (has_pattern ? command->pattern_size : 0));
  *result = TN_CL_OUT_OF_HOST_MEMORY;
  if (!self) {
    return NULL;
  }
  *self = (step){.driver = device->driver, .command = *command};
  if (has_pattern) {
    memcpy(self->pattern, command->pattern, command->pattern_size);
    self->command.pattern = self->pattern;
  }
  self->moved = device->driver->user_event_create(device->context, result);
  if (!self->moved) {
    tn_free(self);
    return NULL;
  }
  return self;
}

tn_status tn_opencl_step(tn_adapter_device *device, tn_cl_queue queue,
                         const tn_adapter_command *command, tn_cl_event *out, tn_diag *diag) {
  const tn_cl_driver *driver = device->driver;
  tn_cl_int result = TN_CL_SUCCESS;
  step *self = create(device, command, &result);
  if (!self) {
    return tn_opencl_fail(result, device->name, diag);
  }
  result = driver->marker(queue, 0, NULL, &self->before);
  if (result == TN_CL_SUCCESS) {
    result = driver->barrier(queue, 1, &self->moved, out);
  }
  // From here on the callback may have freed the step.
  if (result == TN_CL_SUCCESS) {
    result = driver->event_callback(self->before, TN_CL_COMPLETE, on_marker, self);
  }
  if (result != TN_CL_SUCCESS) {
    end(self, result);
    return tn_opencl_fail(result, device->name, diag);
  }
  return TN_OK;
}
