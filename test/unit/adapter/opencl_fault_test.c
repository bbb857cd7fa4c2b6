// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function of OpenCL fails once, at an early and at a later call, in some of the ways that
// drivers fail: whatever comes of it, nothing hangs, crashes or leaks, and each failure has words.
// Each case has a process of its own, as the loader stays for the process.
#include "adapter/opencl/opencl_driver.h"
#include "base/alloc.h"
#include "base/thread.h"
#include "run/device/device.h"
#include "tenon/memory.h"
#include "tenon/native.h"
#include "unit/sched/cmocka_all.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

// A process costs the thread sanitizer a second at its end: it is shown some.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define STEP 4
#endif
#endif
#ifndef STEP
#define STEP 1
#endif

enum { FINE = 0, NO_WORDS = 3, LEAK = 4, NOT_CALLED = 5, LIMIT = 60, SIZE = 1 << 16 };

static tn_diag failure;

// A failure has to say something, and something of ours.
static bool went_well(tn_status status) {
  if (status != TN_OK && (strlen(failure.text) < 10 || (int32_t)status != failure.code)) {
    fprintf(stderr, "status %d says: %s\n", (int)status, failure.text);
    _exit(NO_WORDS);
  }
  if (status != TN_OK) {
    failure.text[0] = '\0';
  }
  return status == TN_OK;
}

typedef struct ending {
  _Atomic int calls;
} ending;

static void done(void *user, tn_status status, const tn_diag *diag, uint64_t start_ns,
                 uint64_t end_ns) {
  (void)start_ns;
  (void)end_ns;
  ending *e = user;
  if (status != TN_OK && (!diag || strlen(diag->text) < 10)) {
    _exit(NO_WORDS);
  }
  atomic_fetch_add(&e->calls, 1);
}

// `done` is called once for a command that was taken, and not at all for another.
static void await(ending *e, bool was_taken) {
  for (int i = 0; i < 20000 && was_taken && atomic_load(&e->calls) == 0; i++) {
    (void)usleep(i < 1000 ? 20 : 1000);  // on a busy machine a yield takes milliseconds
  }
  if (atomic_load(&e->calls) != (was_taken ? 1 : 0)) {
    _exit(NOT_CALLED);
  }
}

typedef struct world {
  const tn_adapter_api *api;
  tn_adapter_device *device;
  unsigned char *memory;
  tn_adapter_kernel *kernel;
} world;

static tn_adapter_command copy_of(void *to, const void *from, size_t size) {
  return (tn_adapter_command){
      .kind = TN_ADAPTER_COPY, .wants_times = 1, .dst = to, .src = from, .size = size};
}

static void submit(const world *w, const tn_adapter_command *command) {
  ending e = {0};
  await(&e, went_well(w->api->submit(w->device, command, done, &e, &failure)));
}

static void try_commands(const world *w) {
  static unsigned char host[SIZE];
  static const unsigned char pattern[3] = {1, 2, 3};
  tn_adapter_command command = copy_of(w->memory, host, SIZE);
  submit(w, &command);
  command = (tn_adapter_command){.kind = TN_ADAPTER_FILL,
                                 .dst = w->memory,
                                 .size = SIZE - 1,
                                 .pattern = pattern,
                                 .pattern_size = 3};
  submit(w, &command);
  command = (tn_adapter_command){.kind = TN_ADAPTER_COPY_RECT,
                                 .rect_dst = {w->memory, 64, 512},
                                 .rect_src = {host, 64, 512},
                                 .extent = {32, 3, 2}};
  submit(w, &command);
}

static tn_adapter_command launch_of(const world *w, const void *args) {
  return (tn_adapter_command){.kind = TN_ADAPTER_KERNEL,
                              .launch = {.kernel = w->kernel,
                                         .args = args,
                                         .arg_size = 16,
                                         .dims = 1,
                                         .global = {64, 1, 1},
                                         .local = {1, 1, 1}}};
}

static void try_marks(const world *w, tn_adapter_stream *stream, tn_adapter_stream *other) {
  tn_adapter_mark *mark = NULL;
  ending e = {0};
  if (!went_well(w->api->mark_create(stream, &mark, &failure))) {
    return;
  }
  const bool is_watched = went_well(w->api->mark_watch(mark, done, &e, &failure));
  (void)went_well(w->api->stream_after(other, mark, &failure));
  (void)went_well(w->api->mark_wait(mark, &failure));
  (void)w->api->mark_is_done(mark);
  await(&e, is_watched);
  uint64_t native = 0;
  tn_adapter_mark *made = NULL;
  if (went_well(w->api->native_get(w->device, TN_NATIVE_EVENT, mark, &native, &failure)) &&
      went_well(w->api->native_mark(w->device, native, false, &made, &failure))) {
    w->api->mark_destroy(made);
  }
  w->api->mark_destroy(mark);
}

static void try_streams(const world *w) {
  static unsigned char host[SIZE];
  static const unsigned char pattern[3] = {1, 2, 3};
  tn_adapter_stream *stream = NULL;
  tn_adapter_stream *other = NULL;
  if (!went_well(w->api->stream_create(w->device, &stream, &failure))) {
    return;
  }
  if (went_well(w->api->stream_create(w->device, &other, &failure))) {
    ending e = {0};
    struct {
      void *p;
      int add;
    } args = {w->memory, 1};
    for (int i = 0; i < 3 && w->kernel; i++) {
      const tn_adapter_command launch = launch_of(w, &args);
      (void)went_well(w->api->stream_launch(stream, &launch, &failure));
    }
    tn_adapter_command command = copy_of(host, w->memory, SIZE);
    await(&e, went_well(w->api->stream_submit(stream, &command, done, &e, &failure)));
    command = (tn_adapter_command){.kind = TN_ADAPTER_FILL,
                                   .dst = w->memory,
                                   .size = SIZE - 1,
                                   .pattern = pattern,
                                   .pattern_size = 3};
    (void)went_well(w->api->stream_launch(stream, &command, &failure));
    try_marks(w, stream, other);
    (void)w->api->stream_is_idle(stream);
    (void)went_well(w->api->stream_wait(stream, &failure));
    (void)went_well(w->api->stream_wait(other, &failure));
    uint64_t native = 0;
    tn_adapter_stream *made = NULL;
    if (went_well(w->api->native_get(w->device, TN_NATIVE_QUEUE, stream, &native, &failure)) &&
        went_well(w->api->native_stream(w->device, native, false, &made, &failure))) {
      w->api->stream_destroy(made);
    }
    w->api->stream_destroy(other);
  }
  w->api->stream_destroy(stream);
}

// A line and a branch, with a command that drivers do not record between.
static void try_graph(const world *w, tn_adapter_stream *stream) {
  static unsigned char host[SIZE];
  static const unsigned char zero = 0;
  struct {
    void *p;
    int add;
  } args = {w->memory, 1};
  const tn_adapter_command commands[] = {
      launch_of(w, &args),
      copy_of(host, w->memory, SIZE),
      {.kind = TN_ADAPTER_COPY_RECT,
       .rect_dst = {w->memory, 64, 512},
       .rect_src = {host, 64, 512},
       .extent = {32, 3, 2}},
      {.kind = TN_ADAPTER_FILL,
       .dst = w->memory,
       .size = SIZE,
       .pattern = &zero,
       .pattern_size = 1},
      launch_of(w, &args),
      launch_of(w, &args),
  };
  const uint32_t after[] = {0, 1, 2, 3, 3, 4, 5};
  const tn_adapter_graph_node nodes[] = {{&commands[0], NULL, 0},      {&commands[1], &after[0], 1},
                                         {&commands[2], &after[1], 1}, {&commands[3], &after[2], 1},
                                         {&commands[4], &after[3], 1}, {&commands[5], &after[4], 1},
                                         {NULL, &after[5], 2}};
  tn_adapter_graph *graph = NULL;
  if (!went_well(w->api->graph_create(w->device, nodes, TN_COUNT(nodes), &graph, &failure))) {
    return;
  }
  const tn_adapter_command command = {.kind = TN_ADAPTER_GRAPH, .graph = graph, .wants_times = 1};
  for (int i = 0; i < 3; i++) {
    ending e = {0};
    args.add = i;
    (void)went_well(w->api->stream_launch(stream, &command, &failure));
    (void)went_well(w->api->graph_update(graph, 4, &commands[4], &failure));
    await(&e, went_well(w->api->stream_submit(stream, &command, done, &e, &failure)));
    (void)went_well(w->api->graph_update(graph, 0, &commands[0], &failure));
    submit(w, &command);
  }
  while (w->api->stream_wait(stream, &failure) != TN_OK) {
  }
  w->api->graph_destroy(graph);
}

static void try_graphs(const world *w) {
  tn_adapter_stream *stream = NULL;
  if (went_well(w->api->stream_create(w->device, &stream, &failure))) {
    try_graph(w, stream);
    w->api->stream_destroy(stream);
  }
}

static void try_program(world *w) {
  // What the stand-in takes for SPIR-V with a kernel.
  static const unsigned char code[] = "\x03\x02\x23\x07_ZTS3Add\0\0\0";
  static const uint32_t value = 7;
  tn_adapter_program *program = NULL;
  if (!went_well(w->api->program_load(w->device, code, 16, &program, &failure))) {
    return;
  }
  (void)went_well(w->api->program_set_specs(program, &value, sizeof(value), &failure));
  if (went_well(w->api->kernel_find(program, "_ZTS3Add", &w->kernel, &failure))) {
    struct {
      void *p;
      int add;
    } args = {w->memory, 1};
    const tn_adapter_command launch = launch_of(w, &args);
    submit(w, &launch);
    try_streams(w);
    try_graphs(w);
  }
  w->kernel = NULL;
  w->api->program_unload(program);
}

static void try_link(const world *w) {
  static const unsigned char code[16] = "\x03\x02\x23\x07_ZTS3Add";
  const tn_adapter_code pieces[] = {{code, sizeof(code), "one"}, {code, sizeof(code), "two"}};
  void *linked = NULL;
  size_t size = 0;
  tn_adapter_program *program = NULL;
  if (went_well(w->api->program_link(w->device, pieces, 2, 0, &linked, &size, &failure))) {
    if (went_well(w->api->program_load(w->device, linked, size, &program, &failure))) {
      tn_adapter_kernel *kernel = NULL;
      (void)went_well(w->api->kernel_find(program, "_ZTS3Add", &kernel, &failure));
      w->api->program_unload(program);
    }
    w->api->code_free(linked);
  }
}

static void try_parts(const world *w) {
  static const size_t counts[] = {2, 2};
  tn_adapter_device *parts[2] = {NULL, NULL};
  size_t count = 0;
  void *memory = NULL;
  if (went_well(w->api->device_divide(w->device, TN_PARTITION_BY_COUNTS, counts, TN_AFFINITY_NONE,
                                      parts, 2, &count, &failure)) &&
      went_well(w->api->memory_alloc(parts[0], TN_USM_DEVICE, 64, 8, &memory, &failure))) {
    w->api->memory_free(parts[0], TN_USM_DEVICE, memory);
  }
}

// A function of the loader's.
static void find_function(const char *name, void *out) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
  void *symbol = library ? dlsym(library, name) : NULL;
  memcpy(out, &symbol, sizeof(symbol));
}

static void try_native_object(const world *w, tn_adapter_device *device, tn_cl_memory made) {
  __typeof__(((tn_cl_driver *)NULL)->memory_release) release = NULL;
  tn_adapter_native_memory memory;
  find_function("clReleaseMemObject", &release);
  if (!made) {
    return;
  }
  if (went_well(w->api->native_memory_open(device, (uint64_t)(uintptr_t)made, &memory, &failure))) {
    w->api->native_memory_close(device, &memory);
  }
  (void)release(made);
}

static void try_native_memory(const world *w, tn_adapter_device *device, tn_cl_context context) {
  __typeof__(((tn_cl_driver *)NULL)->buffer_create) create = NULL;
  tn_cl_memory (*create_image)(tn_cl_context, tn_cl_bits, const tn_cl_image_format *, const void *,
                               void *, tn_cl_int *) = NULL;
  const tn_cl_image_format format = {TN_CL_RGBA, TN_CL_FLOAT};
  tn_cl_int result = 0;
  find_function("clCreateBuffer", &create);
  find_function("clCreateImage", &create_image);
  try_native_object(w, device, create(context, TN_CL_MEM_READ_WRITE, 64, NULL, &result));
  try_native_object(w, device, create_image(context, 1, &format, NULL, NULL, &result));
}

static void try_native_code(const world *w, tn_adapter_device *device, tn_cl_context context) {
  static const unsigned char code[16] = "\x03\x02\x23\x07_ZTS3Add";
  __typeof__(((tn_cl_driver *)NULL)->program_from_il) create = NULL;
  __typeof__(((tn_cl_driver *)NULL)->program_release) release = NULL;
  __typeof__(((tn_cl_driver *)NULL)->kernel_create) create_kernel = NULL;
  __typeof__(((tn_cl_driver *)NULL)->kernel_release) release_kernel = NULL;
  tn_cl_int result = 0;
  tn_adapter_native_code found;
  find_function("clCreateProgramWithIL", &create);
  find_function("clReleaseProgram", &release);
  find_function("clCreateKernel", &create_kernel);
  find_function("clReleaseKernel", &release_kernel);
  tn_cl_program made = create(context, code, sizeof(code), &result);
  if (!made) {
    return;
  }
  if (went_well(w->api->native_program(device, TN_NATIVE_PROGRAM, (uint64_t)(uintptr_t)made, &found,
                                       &failure))) {
    w->api->program_unload(found.program);
  }
  tn_cl_kernel kernel = create_kernel(made, "_ZTS3Add", &result);
  if (kernel && went_well(w->api->native_program(device, TN_NATIVE_KERNEL,
                                                 (uint64_t)(uintptr_t)kernel, &found, &failure))) {
    tn_adapter_kernel *same = NULL;
    (void)went_well(w->api->kernel_find(found.program, found.kernel, &same, &failure));
    w->api->program_unload(found.program);
  }
  if (kernel) {
    (void)release_kernel(kernel);
  }
  (void)release(made);
}

static void try_native(const world *w) {
  __typeof__(((tn_cl_driver *)NULL)->context_create) create = NULL;
  __typeof__(((tn_cl_driver *)NULL)->context_release) release = NULL;
  tn_cl_int result = 0;
  uint64_t handle = 0;
  tn_adapter_device *inside = NULL;
  void *memory = NULL;
  find_function("clCreateContext", &create);
  find_function("clReleaseContext", &release);
  (void)went_well(w->api->native_get(w->device, TN_NATIVE_DEVICE, NULL, &handle, &failure));
  tn_cl_device device = (tn_cl_device)(uintptr_t)handle;  // NOLINT(performance-no-int-to-ptr)
  tn_cl_context context = create(NULL, 1, &device, NULL, NULL, &result);
  if (!context) {
    return;
  }
  if (went_well(w->api->native_context_open(w->device, (uint64_t)(uintptr_t)context, &inside,
                                            &failure))) {
    (void)went_well(w->api->memory_alloc(inside, TN_USM_DEVICE, 64, 8, &memory, &failure));
    try_native_memory(w, inside, context);
    try_native_code(w, inside, context);
    w->api->native_context_close(inside);
    w->api->memory_free(inside, TN_USM_DEVICE, memory);
  }
  (void)release(context);
}

static int fake_objects(void) {
  int (*count)(void) = NULL;
  find_function("fake_opencl_objects", &count);
  return count ? count() : -1;
}

static int run_case(void) {
  static const tn_adapter_host host = {.size = sizeof(host), .version = TN_ADAPTER_VERSION};
  world w = {.api = tn_opencl_adapter_query(TN_ADAPTER_VERSION)};
  tn_adapter *adapter = NULL;
  (void)alarm(LIMIT);
  const int64_t live = tn_alloc_live();
  if (went_well(w.api->create(&host, &adapter, &failure))) {
    void *memory = NULL;
    w.device = w.api->device_at(adapter, 0);
    if (went_well(w.api->memory_alloc(w.device, TN_USM_DEVICE, SIZE, 256, &memory, &failure))) {
      w.memory = memory;
      try_commands(&w);
      try_program(&w);
      try_link(&w);
      try_parts(&w);
      try_native(&w);
      w.api->memory_free(w.device, TN_USM_DEVICE, memory);
    }
    w.api->destroy(adapter);
  }
  const int objects = fake_objects();
  if (objects > 0 || tn_alloc_live() > live + 1) {  // the loader's table stays
    fprintf(stderr, "%d objects of the driver's, %lld of ours are left\n", objects,
            (long long)(tn_alloc_live() - live));
    return LEAK;
  }
  return FINE;
}

static void check(const char *words, const char *function, int call, int code) {
  char text[256];
  (void)snprintf(text, sizeof(text), "%s:%d:%d", function, call, code);
  const pid_t child = fork();
  if (child == 0) {
    setenv("FAKE_OPENCL", words, 1);
    setenv("FAKE_OPENCL_FAIL", text, 1);
    _exit(run_case());
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != FINE) {
    fail_msg("FAKE_OPENCL=%s FAKE_OPENCL_FAIL=%s: status 0x%x", words, text, status);
  }
}

// Of functions that release something nothing is to be expected after they failed.
static const char *const functions[] = {
    "none",
    "clGetPlatformIDs",
    "clGetPlatformInfo",
    "clGetDeviceIDs",
    "clGetDeviceInfo",
    "clGetExtensionFunctionAddressForPlatform",
    "clCreateContext",
    "clRetainContext",
    "clGetContextInfo",
    "clCreateBuffer",
    "clRetainMemObject",
    "clGetMemObjectInfo",
    "clEnqueueMapBuffer",
    "clGetImageInfo",
    "clEnqueueUnmapMemObject",
    "clRetainProgram",
    "clRetainKernel",
    "clCreateCommandQueueWithProperties",
    "clGetCommandQueueInfo",
    "clFlush",
    "clFinish",
    "usm_alloc",
    "clSVMAlloc",
    "copy",
    "fill",
    "clEnqueueMarkerWithWaitList",
    "clEnqueueBarrierWithWaitList",
    "clCreateUserEvent",
    "clGetEventInfo",
    "clSetEventCallback",
    "clWaitForEvents",
    "clGetEventProfilingInfo",
    "clGetDeviceAndHostTimer",
    "clCreateProgramWithIL",
    "clCreateProgramWithBinary",
    "clBuildProgram",
    "clCompileProgram",
    "clLinkProgram",
    "clGetProgramInfo",
    "clGetProgramBuildInfo",
    "clSetProgramSpecializationConstant",
    "clCreateKernel",
    "clSetKernelArg",
    "clSetKernelExecInfo",
    "clGetKernelInfo",
    "clGetKernelWorkGroupInfo",
    "clGetKernelSubGroupInfo",
    "clEnqueueNDRangeKernel",
    "clCreateSubDevices",
    "clCreateCommandBufferKHR",
    "clFinalizeCommandBufferKHR",
    "clEnqueueCommandBufferKHR",
    "clCommandNDRangeKernelKHR",
    "clCommandBarrierWithWaitListKHR",
    "clCommandSVMMemcpyKHR",
    "clCommandSVMMemFillKHR",
    "clUpdateMutableCommandsKHR",
    "execution",
};

static void test_each_function_fails(void **state) {
  (void)state;
  static const int codes[] = {-5, -6, -11, -4};
  static const int calls[] = {1, 2, 4, 3};
  static const char *const words[] = {"", "gpu", "gpu,no-usm", "no-usm"};
  static const char *const graphs[] = {"command-buffer", "gpu,old-command-buffer",
                                       "command-buffer,no-simultaneous"};
  for (size_t f = 0; f < TN_COUNT(functions); f += STEP) {
    for (size_t c = 0; c < TN_COUNT(calls); c += STEP) {
      check(words[c], functions[f], 1, codes[c]);
      check("", functions[f], calls[c], codes[c]);
      for (size_t k = 0; k < TN_COUNT(calls); k += STEP) {
        check(graphs[c % TN_COUNT(graphs)], functions[f], calls[k], codes[k]);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_function_fails)};
  return cmocka_run_group_tests_name("opencl_fault", tests, NULL, NULL);
}
