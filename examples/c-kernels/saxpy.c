// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One source in C: a kernel, and the program that launches it.
#include <tenon/single_source.h>
#include <tenon/tenon.h>

#include <stdio.h>

enum { COUNT = 1000 };

TN_KERNEL void saxpy(float *y, const float *x, float a) {
  const size_t i = tn_global_id(0);
  y[i] = fmaf(a, x[i], y[i]);
}
TN_KERNEL_SLOT(saxpy_slot, saxpy);

// The arguments, one behind the other.
typedef struct saxpy_args {
  float *y;
  const float *x;
  float a;
} saxpy_args;

typedef struct objects {
  tn_device *device;
  tn_context *context;
  tn_queue *queue;
  float *memory[2];
} objects;

static tn_status create(objects *o, tn_diag *diag) {
  size_t count = 0;
  tn_status status = tn_device_count(&count, diag);
  if (status == TN_OK && count == 0) {
    return tn_device_fail_choice(diag);
  }
  if (status == TN_OK) {
    o->device = tn_device_at(0);
    status = tn_context_create(&o->device, 1, &o->context, diag);
  }
  if (status == TN_OK) {
    status = tn_queue_create(o->context, o->device, TN_QUEUE_IN_ORDER, &o->queue, diag);
  }
  for (int i = 0; status == TN_OK && i < 2; i++) {
    void *memory = NULL;
    status =
        tn_usm_alloc(o->context, o->device, TN_USM_SHARED, COUNT * sizeof(float), 0, &memory, diag);
    o->memory[i] = memory;
  }
  return status;
}

static tn_status launch(objects *o, tn_diag *diag) {
  for (int i = 0; i < COUNT; i++) {
    o->memory[0][i] = 1.0f;
    o->memory[1][i] = (float)i;
  }
  const saxpy_args args = {o->memory[0], o->memory[1], 2.0f};
  const tn_command command = {
      .struct_size = sizeof(command),
      .kind = TN_COMMAND_KERNEL,
      .slot = &saxpy_slot,
      .args = &args,
      .arg_size = sizeof(args),
      .arg_align = _Alignof(saxpy_args),
      .dims = 1,
      .global = {COUNT, 1, 1},
      .local = {1, 1, 1},
  };
  const tn_status status = tn_queue_submit(o->queue, &command, NULL, diag);
  return status == TN_OK ? tn_queue_wait(o->queue, diag) : status;
}

static void release(objects *o) {
  for (int i = 0; i < 2; i++) {
    if (o->memory[i] != NULL && tn_usm_free(o->context, o->memory[i], NULL) != TN_OK) {
      fprintf(stderr, "memory could not be freed\n");
    }
  }
  tn_queue_release(o->queue);
  tn_context_release(o->context);
}

int main(void) {
  objects o = {0};
  tn_diag diag = {0};
  tn_status status = create(&o, &diag);
  if (status == TN_OK) {
    status = launch(&o, &diag);
  }
  int right = 0;
  for (int i = 0; status == TN_OK && i < COUNT; i++) {
    right += o.memory[0][i] == 2.0f * (float)i + 1.0f;
  }
  if (status == TN_OK) {
    printf("saxpy: %d of %d are right\n", right, COUNT);
  } else {
    fprintf(stderr, "%s\n", diag.text);
  }
  release(&o);
  return right == COUNT ? 0 : 1;
}
