// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the kernel "scale" of a shared library through the states of a bundle, all in C: input,
// where its specialization constant is set, object and executable; asks about it and launches it.
#include <tenon/tenon.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 1000, FACTOR = 7, KERNELS_MAXIMUM = 64 };

// The constant `factor` of kernels.cpp.
static const char factor_symbol[] = "_ZTSN4sycl6detail13spec_constantIL_Z6factorEEE";

// The members of struct scale in kernels.cpp.
typedef struct scale_args {
  const int *in;
  int *out;
} scale_args;

typedef struct objects {
  tn_device *device;
  tn_context *context;
  tn_kernel_id *id;
  tn_bundle *input;
  tn_bundle *object;
  tn_bundle *executable;
  tn_kernel *kernel;
  tn_queue *queue;
  int *in;
  int *out;
} objects;

static tn_status find_kernel(const char *name, tn_kernel_id **out, tn_diag *diag) {
  tn_kernel_id *ids[KERNELS_MAXIMUM];
  size_t count = 0;
  const tn_status status = tn_kernel_id_list(ids, KERNELS_MAXIMUM, &count, diag);
  for (size_t i = 0; status == TN_OK && i < count && i < KERNELS_MAXIMUM; i++) {
    printf("kernel %zu: %s\n", i, tn_kernel_id_name(ids[i]));
    if (*out == NULL && strcmp(tn_kernel_id_name(ids[i]), name) == 0) {
      *out = ids[i];
    } else {
      tn_kernel_id_release(ids[i]);
    }
  }
  return status;
}

static tn_status make_bundles(objects *o, tn_diag *diag) {
  const int factor = FACTOR;
  const tn_spec_value value = {.name = factor_symbol, .value = &factor, .size = sizeof(factor)};
  const tn_bundle_query query = {
      .struct_size = sizeof(query),
      .state = TN_BUNDLE_INPUT,
      .context = o->context,
      .devices = &o->device,
      .device_count = 1,
      .ids = &o->id,
      .id_count = 1,
      .has_ids = 1,
  };
  tn_status status = tn_bundle_get(&query, &o->input, diag);
  if (status == TN_OK) {
    status = tn_bundle_set_spec(o->input, &value, diag);
  }
  if (status == TN_OK) {
    status = tn_bundle_compile(o->input, NULL, 0, &o->object, diag);
  }
  if (status == TN_OK) {
    status = tn_bundle_link(&o->object, 1, NULL, 0, &o->executable, diag);
  }
  if (status == TN_OK) {
    status = tn_bundle_get_kernel(o->executable, o->id, o->device, &o->kernel, diag);
  }
  return status;
}

static tn_status print_info(const objects *o, tn_diag *diag) {
  uint64_t group = 0;
  uint32_t sub_group = 0;
  tn_status status =
      tn_kernel_get_info(o->kernel, TN_KERNEL_INFO_GROUP_SIZE, &group, sizeof(group), NULL, diag);
  if (status == TN_OK) {
    status = tn_kernel_get_info(o->kernel, TN_KERNEL_INFO_MAX_SUB_GROUP_SIZE, &sub_group,
                                sizeof(sub_group), NULL, diag);
  }
  if (status == TN_OK) {
    printf("%s: work-groups of at most %llu, sub-groups of %u\n", tn_kernel_name(o->kernel),
           (unsigned long long)group, sub_group);
  }
  return status;
}

static tn_status allocate(const objects *o, int **out, tn_diag *diag) {
  void *memory = NULL;
  const tn_status status =
      tn_usm_alloc(o->context, o->device, TN_USM_SHARED, COUNT * sizeof(int), 0, &memory, diag);
  *out = memory;
  return status;
}

static tn_status launch(objects *o, tn_diag *diag) {
  tn_status status = tn_queue_create(o->context, o->device, TN_QUEUE_IN_ORDER, &o->queue, diag);
  if (status == TN_OK) {
    status = allocate(o, &o->in, diag);
  }
  if (status == TN_OK) {
    status = allocate(o, &o->out, diag);
  }
  for (int i = 0; status == TN_OK && i < COUNT; i++) {
    o->in[i] = i;
  }
  const scale_args args = {o->in, o->out};
  const tn_command command = {
      .struct_size = sizeof(command),
      .kind = TN_COMMAND_KERNEL,
      .kernel = o->kernel,
      .args = &args,
      .arg_size = sizeof(args),
      .arg_align = _Alignof(scale_args),
      .dims = 1,
      .global = {COUNT, 1, 1},
      .local = {1, 1, 1},
  };
  if (status == TN_OK) {
    status = tn_queue_submit(o->queue, &command, NULL, diag);
  }
  return status == TN_OK ? tn_queue_wait(o->queue, diag) : status;
}

// Closes the library.
static tn_status run(objects *o, void *library, tn_diag *diag) {
  size_t count = 0;
  tn_status status = tn_device_count(&count, diag);
  if (status == TN_OK && count == 0) {
    status = tn_device_fail_choice(diag);
  }
  if (status == TN_OK) {
    o->device = tn_device_at(0);
    status = tn_context_create(&o->device, 1, &o->context, diag);
  }
  if (status == TN_OK) {
    status = find_kernel("scale", &o->id, diag);
  }
  if (status == TN_OK && o->id != NULL) {
    status = make_bundles(o, diag);
  }
  // Bundles keep what they need of a library.
  dlclose(library);
  if (status == TN_OK && o->kernel != NULL) {
    status = print_info(o, diag);
  }
  if (status == TN_OK && o->kernel != NULL) {
    status = launch(o, diag);
  }
  return status;
}

static int count_right(const objects *o) {
  int right = 0;
  for (int i = 0; o->out != NULL && i < COUNT; i++) {
    right += o->out[i] == FACTOR * i;
  }
  return right;
}

static void release(objects *o) {
  int *const memory[] = {o->in, o->out};
  for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); i++) {
    if (memory[i] != NULL && tn_usm_free(o->context, memory[i], NULL) != TN_OK) {
      fprintf(stderr, "memory could not be freed\n");
    }
  }
  tn_queue_release(o->queue);
  tn_kernel_release(o->kernel);
  tn_bundle_release(o->executable);
  tn_bundle_release(o->object);
  tn_bundle_release(o->input);
  tn_kernel_id_release(o->id);
  tn_context_release(o->context);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s libkernels.so\n", argv[0]);
    return 2;
  }
  void *library = dlopen(argv[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  tn_diag diag;
  objects o;
  memset(&o, 0, sizeof(o));
  const tn_status status = run(&o, library, &diag);
  const int right = status == TN_OK ? count_right(&o) : 0;
  if (status != TN_OK) {
    fprintf(stderr, "%s: %s\n", tn_status_name(status), diag.text);
  } else if (o.kernel == NULL) {
    fprintf(stderr, "%s has no kernel scale\n", argv[1]);
  } else {
    printf("scale by %d: %d of %d are right\n", FACTOR, right, COUNT);
  }
  release(&o);
  return right == COUNT ? 0 : 1;
}
