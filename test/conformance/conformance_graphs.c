// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of commands, where the adapter has them: order by edges, launches one after the other and
// at a time, updates, commands between which the driver may have to be called.
#include "conformance/conformance.h"

enum { COUNT = 1 << 12, BOX = 32, LAUNCHES = 20 };

// A graph under construction.
typedef struct sketch {
  tn_adapter_command commands[32];
  block blocks[32];
  uint32_t after[32][4];
  tn_adapter_graph_node nodes[32];
  size_t count;
} sketch;

static size_t add(sketch *g, const tn_adapter_command *command, size_t after_count,
                  const uint32_t *after) {
  const size_t at = g->count++;
  for (size_t i = 0; i < after_count; i++) {
    g->after[at][i] = after[i];
  }
  if (command) {
    g->commands[at] = *command;
  }
  g->nodes[at] =
      (tn_adapter_graph_node){command ? &g->commands[at] : NULL, g->after[at], after_count};
  return at;
}

static tn_adapter_command copy_of(void *to, const void *from, size_t size) {
  return (tn_adapter_command){.kind = TN_ADAPTER_COPY, .dst = to, .src = from, .size = size};
}

static tn_adapter_command fill_of(void *to, const void *pattern, size_t pattern_size, size_t size) {
  return (tn_adapter_command){.kind = TN_ADAPTER_FILL,
                              .dst = to,
                              .size = size,
                              .pattern = pattern,
                              .pattern_size = pattern_size};
}

static size_t add_launch(sketch *g, tn_adapter_kernel *kernel, int32_t *p, int32_t number,
                         size_t after_count, const uint32_t *after) {
  g->blocks[g->count] = (block){p, number};
  const tn_adapter_command command = conformance_launch(kernel, &g->blocks[g->count], COUNT);
  return add(g, &command, after_count, after);
}

// NULL where the device has no graphs. What a graph points to is copied: it is overwritten here.
static tn_adapter_graph *make(const subject *s, sketch *g) {
  tn_adapter_graph *graph = NULL;
  const tn_status status = s->api->graph_create(s->device, g->nodes, g->count, &graph, DIAG);
  CHECK((status == TN_OK) == (graph != NULL));
  CHECK(status == TN_OK || (status == TN_UNSUPPORTED && DIAG->text[0] != '\0'));
  memset(g, 0xee, sizeof(*g));
  return graph;
}

static void launch(const subject *s, tn_adapter_stream *stream, tn_adapter_graph *graph) {
  const tn_adapter_command command = {.kind = TN_ADAPTER_GRAPH, .graph = graph};
  OK(s->api->stream_launch(stream, &command, DIAG));
}

static void check_all(const subject *s, tn_adapter_stream *stream, const int32_t *memory,
                      int32_t wanted) {
  static int32_t host[COUNT];
  bool is_right = true;
  const tn_adapter_command command = copy_of(host, memory, sizeof(host));
  OK(s->api->stream_launch(stream, &command, DIAG));
  OK(s->api->stream_wait(stream, DIAG));
  for (size_t i = 0; i < COUNT; i++) {
    is_right = is_right && host[i] == wanted;
  }
  CHECK(is_right);
  if (!is_right) {
    printf("%d and %d, not %d\n", host[0], host[COUNT - 1], wanted);
  }
}

// memory: x, y, z of COUNT numbers. A diamond of copies with a meeting point between: x = 5; y = x,
// z = x; nothing; x = 0; a box of y is copied to x, where the driver may have no command for it;
// then all of x is z's, but for what a long pattern fills.
static void check_copies(const subject *s, tn_adapter_stream *stream, int32_t *x) {
  static const int32_t five = 5;
  static const int32_t zero = 0;
  static const unsigned char pattern[12] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
  static int32_t host[COUNT];
  int32_t *y = x + COUNT;
  int32_t *z = y + COUNT;
  const size_t size = COUNT * sizeof(*x);
  static sketch g;
  g = (sketch){0};
  tn_adapter_command command = fill_of(x, &five, sizeof(five), size);
  add(&g, &command, 0, NULL);
  command = copy_of(y, x, size);
  add(&g, &command, 1, (uint32_t[]){0});
  command = copy_of(z, x, size);
  add(&g, &command, 1, (uint32_t[]){0});
  add(&g, NULL, 2, (uint32_t[]){1, 2});
  command = fill_of(x, &zero, sizeof(zero), size);
  add(&g, &command, 1, (uint32_t[]){3});
  command = (tn_adapter_command){.kind = TN_ADAPTER_COPY_RECT,
                                 .rect_dst = {x, BOX * 4, BOX * BOX * 4},
                                 .rect_src = {y, BOX * 4, BOX * BOX * 4},
                                 .extent = {8, BOX, 2}};
  add(&g, &command, 1, (uint32_t[]){4});
  command = copy_of(z, x, size);
  add(&g, &command, 1, (uint32_t[]){5});
  command = fill_of(z + 3, pattern, sizeof(pattern), 24);
  add(&g, &command, 1, (uint32_t[]){6});
  tn_adapter_graph *graph = make(s, &g);
  if (!graph) {
    return;
  }
  for (int i = 0; i < 3; i++) {
    launch(s, stream, graph);
  }
  command = copy_of(host, z, size);
  OK(s->api->stream_launch(stream, &command, DIAG));
  OK(s->api->stream_wait(stream, DIAG));
  bool is_right = host[3] == 1 && host[4] == 2 && host[5] == 3 && host[6] == 1 && host[8] == 3;
  for (size_t i = 9; i < COUNT; i++) {
    is_right = is_right && host[i] == (i < (size_t)2 * BOX * BOX && i % BOX < 2 ? 5 : 0);
  }
  CHECK(is_right);
  s->api->graph_destroy(graph);
}

// x += 1; y = x, z = x; y += 10, z += 100; x = y. By each way of launching a graph.
static void check_kernels(const subject *s, tn_adapter_stream *stream, tn_adapter_kernel *kernel,
                          int32_t *x) {
  int32_t *y = x + COUNT;
  int32_t *z = y + COUNT;
  const size_t size = COUNT * sizeof(*x);
  static sketch g;
  g = (sketch){0};
  ending e = {0};
  add_launch(&g, kernel, x, 1, 0, NULL);
  tn_adapter_command command = copy_of(y, x, size);
  add(&g, &command, 1, (uint32_t[]){0});
  command = copy_of(z, x, size);
  add(&g, &command, 1, (uint32_t[]){0});
  add_launch(&g, kernel, y, 10, 1, (uint32_t[]){1});
  add_launch(&g, kernel, z, 100, 1, (uint32_t[]){2});
  add(&g, NULL, 2, (uint32_t[]){3, 4});
  command = copy_of(x, y, size);
  add(&g, &command, 1, (uint32_t[]){5});
  tn_adapter_graph *graph = make(s, &g);
  if (!graph) {
    return;
  }
  for (int i = 0; i < LAUNCHES; i++) {
    launch(s, stream, graph);
  }
  check_all(s, stream, x, 11 * LAUNCHES);
  check_all(s, stream, z, 11 * (LAUNCHES - 1) + 101);
  const uint64_t before = tn_time_ns();
  command = (tn_adapter_command){.kind = TN_ADAPTER_GRAPH, .graph = graph, .wants_times = 1};
  OK(s->api->stream_submit(stream, &command, conformance_done, &e, DIAG));
  conformance_await(s, &e);
  CHECK(e.status == TN_OK && e.start_ns >= before && e.start_ns <= e.end_ns &&
        e.end_ns <= tn_time_ns());
  conformance_run(s, &command);
  check_all(s, stream, x, 11 * (LAUNCHES + 2));
  s->api->graph_destroy(graph);
}

// A line of launches whose first one gets other arguments, also while earlier launches run.
static void check_updates(const subject *s, tn_adapter_stream *stream, tn_adapter_kernel *kernel,
                          int32_t *x) {
  static sketch g;
  g = (sketch){0};
  for (uint32_t i = 0; i < 8; i++) {
    add_launch(&g, kernel, x, 1, i > 0 ? 1 : 0, &(uint32_t){i - 1});
  }
  tn_adapter_graph *graph = make(s, &g);
  if (!graph) {
    return;
  }
  int32_t wanted = 0;
  for (int32_t i = 0; i < LAUNCHES; i++) {
    const block args = {x, i};
    const tn_adapter_command command = conformance_launch(kernel, &args, COUNT);
    OK(s->api->graph_update(graph, 0, &command, DIAG));
    launch(s, stream, graph);
    wanted += 7 + i;
    if (i % 3 == 0) {
      OK(s->api->stream_wait(stream, DIAG));  // the next update finds nothing running
    }
  }
  check_all(s, stream, x, wanted);  // and nothing runs
  // Half of the range, then also a group's size.
  int32_t host[2] = {0};
  const block args = {x, 1000};
  tn_adapter_command command = conformance_launch(kernel, &args, COUNT / 2);
  command.launch.offset[0] = COUNT / 2;
  OK(s->api->graph_update(graph, 7, &command, DIAG));
  launch(s, stream, graph);
  OK(s->api->stream_wait(stream, DIAG));
  command.launch.has_local = 1;
  command.launch.local[0] = 8;
  OK(s->api->graph_update(graph, 7, &command, DIAG));
  launch(s, stream, graph);
  command = copy_of(&host[0], x, sizeof(host[0]));
  OK(s->api->stream_launch(stream, &command, DIAG));
  command = copy_of(&host[1], x + COUNT - 1, sizeof(host[1]));
  OK(s->api->stream_launch(stream, &command, DIAG));
  OK(s->api->stream_wait(stream, DIAG));
  const int32_t base = wanted + 2 * (6 + LAUNCHES - 1);
  CHECK(host[0] == base && host[1] == base + 2000);
  s->api->graph_destroy(graph);
}

static void clear(const subject *s, int32_t *memory) {
  static const int32_t zero = 0;
  const tn_adapter_command command = fill_of(memory, &zero, sizeof(zero), 3 * COUNT * sizeof(zero));
  conformance_run(s, &command);
}

void conformance_graphs(const subject *s) {
  tn_adapter_stream *stream = NULL;
  tn_adapter_program *program = NULL;
  tn_adapter_kernel *kernel = NULL;
  void *memory = NULL;
  if (!s->has->graph_create || !s->has->stream_create) {
    return;
  }
  OK(s->api->memory_alloc(s->device, TN_USM_DEVICE, 3 * COUNT * sizeof(int32_t), 64, &memory,
                          DIAG));
  OK(s->api->stream_create(s->device, &stream, DIAG));
  if (memory && stream) {
    check_copies(s, stream, memory);
  }
  if (memory && stream && s->kernel) {
    OK(s->api->program_load(s->device, s->code.data, s->code.size, &program, DIAG));
    OK(s->api->kernel_find(program, s->kernel, &kernel, DIAG));
    clear(s, memory);
    check_kernels(s, stream, kernel, memory);
    clear(s, memory);
    check_updates(s, stream, kernel, memory);
    s->api->program_unload(program);
  }
  s->api->stream_destroy(stream);
  s->api->memory_free(s->device, TN_USM_DEVICE, memory);
}
