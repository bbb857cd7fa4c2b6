// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes an executable bundle of a library, closes the library, empties its file where a second
// argument says so, and launches its kernel.
#include <tenon/tenon.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static tn_status launch(tn_bundle *bundle, tn_device *device, int *out, tn_diag *diag) {
  tn_context *context = tn_bundle_context(bundle);
  tn_queue *queue = NULL;
  tn_kernel *kernel = NULL;
  tn_status status = tn_queue_create(context, device, TN_QUEUE_IN_ORDER, &queue, diag);
  if (status == TN_OK) {
    status = tn_bundle_get_kernel(bundle, tn_bundle_kernel_id_at(bundle, 0), device, &kernel, diag);
  }
  if (status == TN_OK) {
    const tn_command command = {.struct_size = sizeof(command),
                                .kind = TN_COMMAND_KERNEL,
                                .kernel = kernel,
                                .args = &out,
                                .arg_size = sizeof(out),
                                .arg_align = sizeof(out),
                                .dims = 1,
                                .global = {100, 1, 1},
                                .local = {1, 1, 1}};
    status = tn_queue_submit(queue, &command, NULL, diag);
  }
  if (status == TN_OK) {
    status = tn_queue_wait(queue, diag);
  }
  tn_kernel_release(kernel);
  tn_queue_release(queue);
  return status;
}

static int check(tn_bundle *bundle, tn_device *device, const char *when) {
  static int out[100];
  tn_diag diag;
  int right = 0;
  memset(out, 0, sizeof(out));
  const tn_status status = launch(bundle, device, out, &diag);
  for (int i = 0; i < 100; i++) {
    right += out[i] == 3 * i + 1;
  }
  printf("%s: %s, %d right\n", when, status == TN_OK ? "launched" : diag.text, right);
  return status == TN_OK && right == 100 ? 0 : 1;
}

int main(int argc, char **argv) {
  tn_diag diag;
  size_t count = 0;
  tn_bundle *bundle = NULL;
  tn_context *context = NULL;
  void *library = argc >= 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (library == NULL || tn_device_count(&count, &diag) != TN_OK || count == 0) {
    return 2;
  }
  tn_device *device = tn_device_at(0);
  tn_bundle_query query = {.struct_size = sizeof(query),
                           .state = TN_BUNDLE_EXECUTABLE,
                           .devices = &device,
                           .device_count = 1};
  if (tn_context_create(&device, 1, &context, &diag) != TN_OK) {
    return 2;
  }
  query.context = context;
  if (tn_bundle_get(&query, &bundle, &diag) != TN_OK) {
    printf("%s\n", diag.text);
    return 2;
  }
  int failed = check(bundle, device, "open");
  dlclose(library);
  FILE *emptied = argc > 2 ? fopen(argv[1], "w") : NULL;
  if (emptied) {
    fclose(emptied);
  }
  failed += check(bundle, device, "closed");
  failed += check(bundle, device, "again");
  tn_bundle_release(bundle);
  tn_context_release(context);
  return failed;
}
