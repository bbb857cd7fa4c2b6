// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device globals of C from a string: found by name, read, written and shared by two kernels; in C
// that is compiled ahead of time there are none.
// RUN: %clang -std=c17 -Wall -Wextra -Wpedantic -Werror %hostflags -I%include %s -L%libdir -ltenon
// -Wl,-rpath,%libdir -o %t && %t RUN: not %clang -std=c17 -fsyntax-only -I%include -DAHEAD %s 2>&1
// | %FileCheck %s CHECK: TN_DEVICE_GLOBAL is for sources that are compiled at run time
#include "Inputs/kernels_of_c.h"
#ifdef AHEAD
#include <tenon/device_code.h>
TN_DEVICE_GLOBAL int ahead;
#endif

static const char source[] =
    "#include <tenon/device_code.h>\n"
    "TN_DEVICE_GLOBAL int count = 30;\n"
    "TN_DEVICE_GLOBAL struct { char first; double sum[2]; } totals;\n"
    "TN_KERNEL void add(int by) { tn_atomic_add(&count, by); totals.sum[1] = 0.5; }\n"
    "TN_KERNEL void get(int *out) { *out = count + (int)(4 * totals.sum[1]); }\n";

static tn_bundle *build(const world *w) {
  const tn_source_query query = {.struct_size = sizeof(query),
                                 .language = TN_SOURCE_C,
                                 .context = w->context,
                                 .source = source,
                                 .source_size = strlen(source)};
  const tn_source_build how = {.struct_size = sizeof(how), .state = TN_BUNDLE_EXECUTABLE};
  tn_source *made = NULL;
  tn_bundle *bundle = NULL;
  OK(tn_source_create(&query, &made, &diag));
  OK(tn_source_build_bundle(made, &how, &bundle, NULL, &diag));
  tn_source_release(made);
  return bundle;
}

static void run(const world *w, tn_bundle *bundle, const char *name, const void *args, size_t size,
                size_t items) {
  tn_kernel_id *id = NULL;
  tn_kernel *kernel = NULL;
  OK(tn_bundle_find_kernel_id(bundle, name, &id, &diag));
  OK(tn_bundle_get_kernel(bundle, id, w->device, &kernel, &diag));
  tn_command command = launch_of(kernel, args, size, items, 0);
  launch(w, &command);
  tn_kernel_release(kernel);
  tn_kernel_id_release(id);
}

static void check(const world *w, tn_bundle *bundle) {
  tn_diag reason = {0};
  const int by = 2;
  void *address = NULL;
  size_t size = 0;
  run(w, bundle, "add", &by, sizeof(by), 10);
  int *out = shared(w, sizeof(*out));
  run(w, bundle, "get", &out, sizeof(out), 1);
  EXPECT(*out == 30 + 20 + 2);
  OK(tn_bundle_find_device_global(bundle, "count", w->device, &address, &size, &diag));
  EXPECT(address != NULL && size == sizeof(int));
  EXPECT(tn_bundle_has_device_global(bundle, "totals", NULL));
  OK(tn_bundle_find_device_global(bundle, "totals", w->device, NULL, &size, &diag));
  EXPECT(size == 24);
  EXPECT(!tn_bundle_has_device_global(bundle, "add", w->device));
  EXPECT(tn_bundle_find_device_global(bundle, "add", w->device, &address, NULL, &reason) ==
         TN_INVALID_ARGUMENT);
  EXPECT(address == NULL && strstr(reason.text, "there are count, totals") != NULL);
  EXPECT(tn_bundle_find_device_global(bundle, NULL, w->device, &address, NULL, &reason) ==
         TN_INVALID_ARGUMENT);
  unshare(w, out);
}

int main(void) {
  world w = world_open();
  tn_bundle *bundle = build(&w);
  check(&w, bundle);
  tn_bundle_release(bundle);
  world_close(&w);
  return 0;
}
