// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of C from a string: arguments of all kinds, barriers, local memory, atomics, mathematics,
// and what goes wrong.
#include "kernels_of_c.h"

enum { COUNT = 64, GROUP = 16 };

static const char source[] =
    "#include <tenon/device_code.h>\n"
    "#include \"shape.h\"\n"
    "static float twice(float x) { return 2 * x; }\n"
    "int helper_of_all(int x) { return x + BIAS; }\n"
    "TN_KERNEL void scale(float *data, char by, struct shape s, _Bool on, double last) {\n"
    "  const size_t i = tn_global_id(0);\n"
    "  s.a += (float)s.b[2];\n"
    "  data[i] = on ? twice(data[i]) * by + s.a + (float)last : -1.0f;\n"
    "}\n"
    "TN_KERNEL void reverse(int *out, const int *in, TN_LOCAL int *tile, TN_LOCAL int *other) {\n"
    "  const size_t at = tn_local_id(0), last = tn_local_size(0) - 1;\n"
    "  tile[at] = helper_of_all(in[tn_global_id(0)]);\n"
    "  other[at] = 1000 * (int)tn_group_id(0);\n"
    "  tn_barrier();\n"
    "  out[tn_global_id(0)] = tile[last - at] + other[last - at];\n"
    "}\n"
    "TN_KERNEL TN_GROUP_SIZE(16) void add_up(int *sum, unsigned long *most, float *halves) {\n"
    "  tn_atomic_add(sum, (int)tn_global_id(0));\n"
    "  tn_atomic_max(most, tn_global_id(0));\n"
    "  tn_atomic_add(halves, 0.5f);\n"
    "}\n"
    "TN_KERNEL void ids(unsigned *out) {\n"
    "  const size_t i = tn_global_id(1) * tn_global_size(0) + tn_global_id(0);\n"
    "  out[i] = (unsigned)(tn_group_id(1) * 1000 + tn_group_count(0) * 100 + tn_local_id(0));\n"
    "  if (tn_sub_group_local_id() >= tn_sub_group_size()) out[i] = 7;\n"
    "}\n"
    "TN_KERNEL void curves(double *out, float *floats) {\n"
    "  out[0] = sqrt(out[0]) + pow(2.0, 10.0);\n"
    "  floats[0] = sinf(0.0f) + fmaxf(1.5f, 2.5f) + floorf(3.9f);\n"
    "}\n"
    "TN_KERNEL void nothing(void) {}\n";
static const char shape[] = "struct shape { float a; int b[3]; };\n";

typedef struct shape_of_host {
  float a;
  int b[3];
} shape_of_host;

static tn_status build(const world *w, const char *text, tn_bundle **out, tn_log **log,
                       tn_diag *diag) {
  const tn_source_include include = {"shape.h", shape, strlen(shape)};
  const tn_source_query query = {.struct_size = sizeof(query),
                                 .language = TN_SOURCE_C,
                                 .context = w->context,
                                 .source = text,
                                 .source_size = strlen(text),
                                 .includes = &include,
                                 .include_count = 1};
  const char *const options[] = {"-DBIAS=3", "-Wall", "-Wextra", "-Werror", "-pedantic"};
  const tn_source_build how = {.struct_size = sizeof(how),
                               .state = TN_BUNDLE_EXECUTABLE,
                               .options = options,
                               .option_count = 5};
  tn_source *made = NULL;
  OK(tn_source_create(&query, &made, &diag));
  const tn_status status = tn_source_build_bundle(made, &how, out, log, diag);
  tn_source_release(made);
  return status;
}

static tn_kernel *kernel_of(const world *w, tn_bundle *bundle, const char *name) {
  tn_kernel_id *id = NULL;
  tn_kernel *kernel = NULL;
  OK(tn_bundle_find_kernel_id(bundle, name, &id, &diag));
  OK(tn_bundle_get_kernel(bundle, id, w->device, &kernel, &diag));
  tn_kernel_id_release(id);
  EXPECT(strcmp(tn_kernel_name(kernel), name) == 0);
  EXPECT(tn_kernel_is_function(kernel));
  return kernel;
}

static void check_arguments(const world *w, tn_bundle *bundle) {
  static const uint32_t expected[][3] = {{0, 8, TN_ARG_POINTER},
                                         {8, 1, TN_ARG_VALUE},
                                         {12, 16, TN_ARG_VALUE},
                                         {28, 1, TN_ARG_VALUE},
                                         {32, 8, TN_ARG_VALUE}};
  tn_kernel *kernel = kernel_of(w, bundle, "scale");
  EXPECT(tn_kernel_arg_count(kernel) == 5 && tn_kernel_arg_size(kernel) == 40);
  for (size_t i = 0; i < 5; i++) {
    tn_kernel_arg arg = {0};
    OK(tn_kernel_arg_at(kernel, i, &arg, &diag));
    EXPECT(arg.offset == expected[i][0] && arg.size == expected[i][1] &&
           arg.kind == expected[i][2]);
  }
  float *data = shared(w, COUNT * sizeof(*data));
  for (int i = 0; i < COUNT; i++) {
    data[i] = (float)i;
  }
  struct {
    float *data;
    char by;
    shape_of_host s;
    _Bool on;
    double last;
  } args = {data, 3, {0.5f, {1, 2, 100}}, 1, 0.25};
  tn_command command = launch_of(kernel, &args, sizeof(args), COUNT, 0);
  launch(w, &command);
  for (int i = 0; i < COUNT; i++) {
    EXPECT(data[i] == 6.0f * (float)i + 100.75f);
  }
  tn_diag diag = {0};
  command.arg_size -= 8;
  EXPECT(tn_queue_submit(w->queue, &command, NULL, &diag) == TN_KERNEL_ARGUMENT);
  EXPECT(strstr(diag.text, "scale") != NULL && strstr(diag.text, "40") != NULL);
  unshare(w, data);
  tn_kernel_release(kernel);
}

static void check_local_memory(const world *w, tn_bundle *bundle) {
  tn_kernel *kernel = kernel_of(w, bundle, "reverse");
  tn_kernel_arg arg = {0};
  OK(tn_kernel_arg_at(kernel, 2, &arg, &diag));
  EXPECT(arg.kind == TN_ARG_LOCAL && arg.offset == 16 && arg.size == 8);
  int *in = shared(w, COUNT * sizeof(*in));
  int *out = shared(w, COUNT * sizeof(*out));
  for (int i = 0; i < COUNT; i++) {
    in[i] = i;
  }
  struct {
    int *out;
    const int *in;
    uint64_t tile;
    uint64_t other;
  } args = {out, in, 0, 0};
  const tn_local locals[] = {
      {.id = 1, .size = GROUP * sizeof(int), .alignment = 4, .arg_offset = 16},
      {.id = 2, .size = GROUP * sizeof(int), .alignment = 4, .arg_offset = 24}};
  tn_command command = launch_of(kernel, &args, sizeof(args), COUNT, GROUP);
  command.locals = locals;
  command.local_count = 2;
  launch(w, &command);
  for (int i = 0; i < COUNT; i++) {
    EXPECT(out[i] == i / GROUP * GROUP + GROUP - 1 - i % GROUP + 3 + 1000 * (i / GROUP));
  }
  // Local memory that is forgotten, and an offset in the place of a pointer.
  tn_diag diag = {0};
  command.local_count = 1;
  EXPECT(tn_queue_submit(w->queue, &command, NULL, &diag) == TN_KERNEL_ARGUMENT);
  EXPECT(strstr(diag.text, "reverse: argument 3 is local memory") != NULL);
  const tn_local astray[] = {locals[0], locals[1], {.id = 3, .size = 4, .alignment = 4}};
  command.locals = astray;
  command.local_count = 3;
  EXPECT(tn_queue_submit(w->queue, &command, NULL, &diag) == TN_KERNEL_ARGUMENT);
  EXPECT(strstr(diag.text, "at byte 0, but that is argument 0") != NULL);
  unshare(w, in);
  unshare(w, out);
  tn_kernel_release(kernel);
}

static void check_atomics(const world *w, tn_bundle *bundle) {
  tn_kernel *kernel = kernel_of(w, bundle, "add_up");
  struct {
    int *sum;
    unsigned long *most;
    float *halves;
  } args = {shared(w, 8), shared(w, 8), shared(w, 8)};
  tn_command command = launch_of(kernel, &args, sizeof(args), COUNT, GROUP);
  launch(w, &command);
  EXPECT(*args.sum == COUNT * (COUNT - 1) / 2);
  EXPECT(*args.most == COUNT - 1);
  EXPECT(*args.halves == COUNT / 2);
  tn_diag diag = {0};
  command.local[0] = 8;
  EXPECT(tn_queue_submit(w->queue, &command, NULL, &diag) == TN_ND_RANGE);
  unshare(w, args.sum);
  unshare(w, args.most);
  unshare(w, args.halves);
  tn_kernel_release(kernel);
}

static void check_ids(const world *w, tn_bundle *bundle) {
  tn_kernel *kernel = kernel_of(w, bundle, "ids");
  unsigned *out = shared(w, 8 * 6 * sizeof(*out));
  tn_command command = launch_of(kernel, &out, sizeof(out), 8, 2);
  command.dims = 2;
  command.global[1] = 6;
  command.local[1] = 3;
  launch(w, &command);
  for (unsigned row = 0; row < 8; row++) {
    for (unsigned x = 0; x < 6; x++) {
      EXPECT(out[row * 6 + x] == row / 2 * 1000 + 200 + x % 3);
    }
  }
  unshare(w, out);
  tn_kernel_release(kernel);
}

static void check_curves(const world *w, tn_bundle *bundle) {
  tn_kernel *kernel = kernel_of(w, bundle, "curves");
  struct {
    double *out;
    float *floats;
  } args = {shared(w, 8), shared(w, 8)};
  *args.out = 16.0;
  tn_command command = launch_of(kernel, &args, sizeof(args), 1, 0);
  launch(w, &command);
  EXPECT(*args.out == 1028.0 && *args.floats == 5.5f);
  unshare(w, args.out);
  unshare(w, args.floats);
  tn_kernel_release(kernel);

  kernel = kernel_of(w, bundle, "nothing");
  EXPECT(tn_kernel_arg_count(kernel) == 0 && tn_kernel_arg_size(kernel) == 0);
  command = launch_of(kernel, NULL, 0, COUNT, 0);
  launch(w, &command);
  tn_kernel_release(kernel);
}

// What does not build says where, or what.
static void check_refused(const world *w, const char *text, const char *expected) {
  char whole[1024];
  snprintf(whole, sizeof(whole), "#include <tenon/device_code.h>\n%s", text);
  tn_bundle *bundle = NULL;
  tn_log *log = NULL;
  tn_diag diag = {0};
  const tn_status status = build(w, whole, &bundle, &log, &diag);
  if (status != TN_BUILD_FAILED || !strstr(diag.text, expected)) {
    fprintf(stderr, "\"%s\" does not say \"%s\"; log:\n%s", diag.text, expected, tn_log_text(log));
    exit(1);
  }
  tn_log_free(log);
}

int main(void) {
  world w = world_open();
  tn_bundle *bundle = NULL;
  tn_log *log = NULL;
  tn_diag diag = {0};
  if (build(&w, source, &bundle, &log, &diag) != TN_OK) {
    fprintf(stderr, "%s\n%s", diag.text, tn_log_text(log));
    return 1;
  }
  EXPECT(strcmp(tn_log_text(log), "") == 0);
  EXPECT(!tn_bundle_has_kernel_name(bundle, "helper_of_all"));
  tn_log_free(log);
  check_arguments(&w, bundle);
  check_local_memory(&w, bundle);
  check_atomics(&w, bundle);
  check_ids(&w, bundle);
  check_curves(&w, bundle);
  tn_bundle_release(bundle);

  check_refused(&w, "TN_KERNEL void f(int *p) {\n  *p = absent;\n}\n", ".c:3:8: error: ");
  check_refused(&w, "TN_KERNEL int f(int *p) { return *p; }\n",
                "kernel 'f': a TN_KERNEL function returns void");
  check_refused(&w, "int f(int x) { return x; }\n", "TN_KERNEL");
  check_refused(&w, "TN_KERNEL void f(int *p) { *p = 1; }\nTN_KERNEL void g(int *p) { f(p); }\n",
                ".c:3:28: error: a kernel is launched, never called");
  check_refused(&w,
                "TN_KERNEL void f(int *p) { *p = 1; }\n"
                "TN_KERNEL void g(void **p) { *p = (void *)f; }\n",
                ".c:3:43: error: a kernel is launched, never called");
  check_refused(&w, "TN_KERNEL void f(int *p, ...) { *p = 1; }\n", "variable arguments");
  check_refused(&w, "TN_KERNEL void f(int *p) { static TN_LOCAL int t[4]; *p = t[0]; }\n",
                "TN_LOCAL");
  check_refused(&w, "TN_KERNEL void f(int *p, TN_LOCAL int n) { *p = n; }\n", "TN_LOCAL");
  check_refused(&w, "void *malloc(size_t);\nTN_KERNEL void f(void **p) { *p = malloc(8); }\n",
                "malloc");
  check_refused(&w, "static int n;\nTN_KERNEL void f(int *p) { *p = n++; }\n", "n");
  world_close(&w);
  puts("kernels of C at run time: good");
  return 0;
}
