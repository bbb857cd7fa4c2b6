// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which graphs of an OpenCL driver's device become command buffers, and what is reported when the
// driver fails: by a stand-in for OpenCL's loader. Each case has a process of its own, as the
// loader stays for the process.
#include "adapter/opencl/opencl_driver.h"
#include "run/device/device.h"
#include "tenon/memory.h"
#include "unit/sched/cmocka_all.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { FINE = 0, WRONG = 1, LIMIT = 60, SIZE = 1 << 16, LAUNCHES = 4 };

typedef enum shape { LINE, BRANCHES, BOXES, NATIVE, MIXED } shape;

typedef struct graph_case {
  const char *words;  // FAKE_OPENCL
  const char *fault;  // FAKE_OPENCL_FAIL; "": none
  shape shape;
  tn_status created;
  const char *reason;  // in the diagnosis when it is not OK
  int failed_launch;   // 0: none; from 1 on
} graph_case;

static const graph_case cases[] = {
    {"", "", LINE, TN_UNSUPPORTED, "has no command buffers (cl_khr_command_buffer)", 0},
    {"command-buffer", "", LINE, TN_OK, NULL, 0},
    {"command-buffer", "", BRANCHES, TN_OK, NULL, 0},
    {"command-buffer", "", MIXED, TN_OK, NULL, 0},
    {"gpu,command-buffer", "", MIXED, TN_OK, NULL, 0},
    {"old-command-buffer", "", MIXED, TN_OK, NULL, 0},
    {"command-buffer,no-simultaneous", "", MIXED, TN_OK, NULL, 0},
    {"command-buffer,no-branches", "", LINE, TN_OK, NULL, 0},
    {"command-buffer,no-branches", "", BRANCHES, TN_UNSUPPORTED, "for in-order queues only", 0},
    {"command-buffer", "", BOXES, TN_UNSUPPORTED, "cannot record any of the graph's commands", 0},
    {"command-buffer", "", NATIVE, TN_UNSUPPORTED, "native commands are called at each launch", 0},
    {"command-buffer", "clCreateCommandBufferKHR:1:-5", LINE, TN_UNSUPPORTED, "CL_OUT_OF_RESOURCES",
     0},
    {"command-buffer", "clCreateCommandBufferKHR:1:-6", LINE, TN_UNSUPPORTED,
     "CL_OUT_OF_HOST_MEMORY", 0},
    {"command-buffer", "clCommandSVMMemcpyKHR:1:-59", LINE, TN_UNSUPPORTED, "CL_INVALID_OPERATION",
     0},
    {"command-buffer", "clCommandSVMMemFillKHR:1:-30", LINE, TN_UNSUPPORTED, "CL_INVALID_VALUE", 0},
    {"command-buffer", "clCommandBarrierWithWaitListKHR:1:-6", BRANCHES, TN_UNSUPPORTED,
     "CL_OUT_OF_HOST_MEMORY", 0},
    {"command-buffer", "clFinalizeCommandBufferKHR:1:-59", LINE, TN_UNSUPPORTED,
     "CL_INVALID_OPERATION", 0},
    {"command-buffer", "clEnqueueCommandBufferKHR:2:-5", LINE, TN_OK, "CL_OUT_OF_RESOURCES", 2},
    {"command-buffer", "clEnqueueCommandBufferKHR:1:-6", BRANCHES, TN_OK, "CL_OUT_OF_HOST_MEMORY",
     1},
    // Recorded again for a launch while the first runs.
    {"command-buffer,no-simultaneous", "clCreateCommandBufferKHR:2:-5", LINE, TN_OK,
     "CL_OUT_OF_RESOURCES", 2},
};

static tn_diag failure;

static bool says(const char *text) {
  if (strstr(failure.text, text)) {
    return true;
  }
  fprintf(stderr, "\"%s\" does not say \"%s\"\n", failure.text, text);
  return false;
}

static tn_status call_nothing(void *user, void *stream, void *graph, tn_diag *diag) {
  (void)user, (void)stream, (void)graph, (void)diag;
  return TN_OK;
}

static tn_status create_graph(const tn_adapter_api *api, tn_adapter_device *device, shape of,
                              unsigned char *memory, tn_adapter_graph **out) {
  static const unsigned char byte = 7;
  unsigned char *half = memory + SIZE / 2;
  const tn_adapter_command fill = {.kind = TN_ADAPTER_FILL,
                                   .dst = memory,
                                   .size = SIZE / 2,
                                   .pattern = &byte,
                                   .pattern_size = 1};
  const tn_adapter_command copy = {
      .kind = TN_ADAPTER_COPY, .dst = half, .src = memory, .size = SIZE / 4};
  const tn_adapter_command other = {
      .kind = TN_ADAPTER_COPY, .dst = half + SIZE / 4, .src = memory, .size = SIZE / 4};
  const tn_adapter_command box = {.kind = TN_ADAPTER_COPY_RECT,
                                  .rect_dst = {memory, 64, 512},
                                  .rect_src = {half, 64, 512},
                                  .extent = {32, 3, 2}};
  const tn_adapter_command native = {.kind = TN_ADAPTER_NATIVE, .native = call_nothing};
  const uint32_t after[] = {0, 1, 2};
  const tn_adapter_graph_node shapes[][4] = {
      {{&fill, NULL, 0}, {&copy, &after[0], 1}, {NULL, &after[1], 1}, {&other, &after[2], 1}},
      {{&fill, NULL, 0}, {&copy, &after[0], 1}, {&other, &after[0], 1}, {NULL, &after[1], 2}},
      {{&box, NULL, 0}, {&box, &after[0], 1}, {&box, &after[1], 1}, {NULL, &after[2], 1}},
      {{&fill, NULL, 0}, {&native, &after[0], 1}, {&copy, &after[1], 1}, {&other, &after[2], 1}},
      {{&fill, NULL, 0}, {&copy, &after[0], 1}, {&box, &after[1], 1}, {&other, &after[2], 1}},
  };
  return api->graph_create(device, shapes[of], 4, out, &failure);
}

// The stand-in's functions that hold a queue.
typedef struct gate {
  tn_cl_event (*create)(tn_cl_context context, tn_cl_int *result);
  tn_cl_int (*barrier)(tn_cl_queue queue, tn_cl_uint count, const tn_cl_event *after,
                       tn_cl_event *event);
  tn_cl_int (*set)(tn_cl_event event, tn_cl_int status);
  tn_cl_int (*release)(tn_cl_event event);
  tn_cl_event event;
} gate;

static void find(void *library, const char *name, void *out) {
  void *found = dlsym(library, name);
  memcpy(out, &found, sizeof(found));
}

// What follows in the queue waits until the gate is opened.
static tn_status close_gate(void *user, void *stream, void *graph, tn_diag *diag) {
  gate *g = user;
  tn_cl_int result = 0;
  (void)graph, (void)diag;
  g->event = g->create(NULL, &result);
  return g->barrier(stream, 1, &g->event, NULL) == 0 ? TN_OK : TN_DEVICE_FAILED;
}

static void open_gate(gate *g) {
  if (g->event) {
    (void)g->set(g->event, 0);
    (void)g->release(g->event);
    g->event = NULL;
  }
}

static tn_status hold(const tn_adapter_api *api, tn_adapter_stream *stream, gate *out) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
  const tn_adapter_command command = {
      .kind = TN_ADAPTER_NATIVE, .native = close_gate, .native_user = out};
  find(library, "clCreateUserEvent", &out->create);
  find(library, "clEnqueueBarrierWithWaitList", &out->barrier);
  find(library, "clSetUserEventStatus", &out->set);
  find(library, "clReleaseEvent", &out->release);
  return api->stream_launch(stream, &command, &failure);
}

// All launches are given before the first can begin. One that fails waits for what it enqueued, so
// nothing holds the stream where the driver is told to fail then.
static bool check_launches(const tn_adapter_api *api, tn_adapter_stream *stream,
                           tn_adapter_graph *graph, const graph_case *wanted,
                           const unsigned char *memory) {
  gate held = {0};
  const tn_adapter_command command = {.kind = TN_ADAPTER_GRAPH, .graph = graph};
  bool is_right = strncmp(wanted->fault, "clEnqueue", strlen("clEnqueue")) == 0 ||
                  hold(api, stream, &held) == TN_OK;
  for (int i = 1; i <= LAUNCHES; i++) {
    const tn_status status = api->stream_launch(stream, &command, &failure);
    if ((status != TN_OK) != (i == wanted->failed_launch)) {
      fprintf(stderr, "launch %d: %s\n", i, failure.text);
      is_right = false;
    }
    is_right = is_right && (status == TN_OK || says(wanted->reason));
  }
  open_gate(&held);
  is_right = api->stream_wait(stream, &failure) == TN_OK && is_right;
  for (size_t i = 0; is_right && i < SIZE; i++) {
    is_right = memory[i] == 7;
  }
  return is_right;
}

static int run_case(const graph_case *wanted) {
  static const tn_adapter_host host = {.size = sizeof(host), .version = TN_ADAPTER_VERSION};
  const tn_adapter_api *api = tn_opencl_adapter_query(TN_ADAPTER_VERSION);
  tn_adapter *adapter = NULL;
  tn_adapter_stream *stream = NULL;
  tn_adapter_graph *graph = NULL;
  void *memory = NULL;
  (void)alarm(LIMIT);
  setenv("FAKE_OPENCL", wanted->words, 1);
  if (wanted->fault[0] != '\0') {
    setenv("FAKE_OPENCL_FAIL", wanted->fault, 1);
  }
  if (api->create(&host, &adapter, &failure) != TN_OK) {
    return WRONG;
  }
  tn_adapter_device *device = api->device_at(adapter, 0);
  bool is_right = api->memory_alloc(device, TN_USM_DEVICE, SIZE, 64, &memory, &failure) == TN_OK &&
                  api->stream_create(device, &stream, &failure) == TN_OK;
  if (is_right) {
    const tn_status status = create_graph(api, device, wanted->shape, memory, &graph);
    is_right = status == wanted->created && (status == TN_OK) == (graph != NULL) &&
               (status == TN_OK || says(wanted->reason));
  }
  if (graph) {
    is_right = is_right && check_launches(api, stream, graph, wanted, memory);
    api->graph_destroy(graph);
  }
  (void)api->stream_wait(stream, NULL);
  api->stream_destroy(stream);
  api->memory_free(device, TN_USM_DEVICE, memory);
  api->destroy(adapter);
  return is_right ? FINE : WRONG;
}

static void test_cases(void **state) {
  (void)state;
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    const pid_t child = fork();
    if (child == 0) {
      _exit(run_case(&cases[i]));
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != FINE) {
      fail_msg("case %zu, FAKE_OPENCL=%s FAKE_OPENCL_FAIL=%s: status 0x%x", i, cases[i].words,
               cases[i].fault, status);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
  return cmocka_run_group_tests_name("opencl_graph", tests, NULL, NULL);
}
