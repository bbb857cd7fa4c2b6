// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists the devices, loads an image from a file and launches its kernel "vector_add", all in C.
#include <stdio.h>
#include <string.h>
#include <tenon/tenon.h>

enum { COUNT = 1000 };

// The members of struct vector_add in kernel.cpp.
typedef struct vector_add_args {
  const float *a;
  const float *b;
  float *sum;
} vector_add_args;

typedef struct objects {
  tn_context *context;
  tn_queue *queue;
  tn_image_file *file;
  tn_kernel *kernel;
  vector_add_args args;
} objects;

static tn_status print_devices(tn_diag *diag) {
  size_t count = 0;
  tn_status status = tn_device_count(&count, diag);
  for (size_t i = 0; status == TN_OK && i < count; i++) {
    char name[256] = "";
    status = tn_device_get_info(tn_device_at(i), TN_DEVICE_INFO_NAME, name, sizeof(name), NULL,
                                diag);
    if (status == TN_OK) {
      printf("device %zu: %s\n", i, name);
    }
  }
  return status;
}

static tn_status allocate(objects *o, tn_device *device, const float **in, float **out,
                          tn_diag *diag) {
  void *memory = NULL;
  const tn_status status = tn_usm_alloc(o->context, device, TN_USM_SHARED, COUNT * sizeof(float), 0,
                                        &memory, diag);
  *out = memory;
  if (in != NULL) {
    *in = memory;
  }
  return status;
}

static tn_status prepare(objects *o, tn_device *device, const char *path, tn_diag *diag) {
  float *a = NULL;
  float *b = NULL;
  tn_status status = tn_context_create(&device, 1, &o->context, diag);
  if (status == TN_OK) {
    status = tn_queue_create(o->context, device, TN_QUEUE_IN_ORDER, &o->queue, diag);
  }
  if (status == TN_OK) {
    status = tn_image_open(path, &o->file, diag);
  }
  if (status == TN_OK) {
    status = tn_kernel_create(o->file, "vector_add", device, &o->kernel, diag);
  }
  if (status == TN_OK) {
    status = allocate(o, device, &o->args.a, &a, diag);
  }
  if (status == TN_OK) {
    status = allocate(o, device, &o->args.b, &b, diag);
  }
  if (status == TN_OK) {
    status = allocate(o, device, NULL, &o->args.sum, diag);
  }
  for (int i = 0; status == TN_OK && i < COUNT; i++) {
    a[i] = (float)i;
    b[i] = (float)(2 * i);
  }
  return status;
}

static tn_status launch(const objects *o, tn_diag *diag) {
  const tn_command command = {
      .struct_size = sizeof(command),
      .kind = TN_COMMAND_KERNEL,
      .kernel = o->kernel,
      .args = &o->args,
      .arg_size = sizeof(o->args),
      .arg_align = _Alignof(vector_add_args),
      .dims = 1,
      .global = {COUNT, 1, 1},
      .local = {1, 1, 1},
  };
  tn_event *event = NULL;
  tn_status status = tn_queue_submit(o->queue, &command, &event, diag);
  if (status == TN_OK) {
    status = tn_event_wait(event, diag);
  }
  if (status == TN_OK && tn_event_get_error(event, diag)) {
    status = (tn_status)diag->code;
  }
  tn_event_release(event);
  return status;
}

static int count_wrong(const objects *o) {
  int wrong = 0;
  for (int i = 0; i < COUNT; i++) {
    wrong += o->args.sum[i] != (float)(3 * i);
  }
  return wrong;
}

static tn_status release(objects *o, tn_diag *diag) {
  tn_status status = TN_OK;
  const void *const memory[] = {o->args.a, o->args.b, o->args.sum};
  for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]) && o->context != NULL; i++) {
    if (status == TN_OK) {
      status = tn_usm_free(o->context, (void *)memory[i], diag);
    }
  }
  tn_kernel_release(o->kernel);
  tn_image_close(o->file);
  tn_queue_release(o->queue);
  tn_context_release(o->context);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s image.tnfb\n", argv[0]);
    return 2;
  }
  tn_diag diag;
  objects o;
  memset(&o, 0, sizeof(o));
  int wrong = 0;
  tn_status status = print_devices(&diag);
  if (status == TN_OK && tn_device_at(0) == NULL) {
    fprintf(stderr, "there is no device: check ONEAPI_DEVICE_SELECTOR\n");
    return 1;
  }
  if (status == TN_OK) {
    status = prepare(&o, tn_device_at(0), argv[1], &diag);
  }
  if (status == TN_OK) {
    status = launch(&o, &diag);
  }
  if (status == TN_OK) {
    wrong = count_wrong(&o);
    printf("%s: %d of %d sums are right\n", tn_kernel_name(o.kernel), COUNT - wrong, COUNT);
  }
  tn_diag release_diag;
  const tn_status release_status = release(&o, &release_diag);
  if (status == TN_OK && release_status != TN_OK) {
    status = release_status;
    diag = release_diag;
  }
  if (status != TN_OK) {
    fprintf(stderr, "%s: %s\n", tn_status_name(status), diag.text);
  }
  return status == TN_OK && wrong == 0 ? 0 : 1;
}
