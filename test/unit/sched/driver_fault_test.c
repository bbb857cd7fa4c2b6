// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function of NVIDIA's driver fails once, at its first and at a later call, in each of the
// ways that a driver fails: whatever comes of it, nothing hangs, crashes or leaks, and each failure
// has words. Each case has a process of its own, as drivers stay for the process.
#include "adapter/cuda/cuda_driver.h"
#include "fake_cuda/fake_fail.h"
#include "fake_cuda/fake_kernel.h"
#include "run/sched/queue_state.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

#include <signal.h>
#include <sys/wait.h>

static const char ptx[] = ".version 7.0\n.entry step(\n";

typedef struct block {
  uint64_t address;
  uint64_t value;
} block;

void fake_cuda_kernel(const char *name, const unsigned *grid, const unsigned *threads,
                      void *const *params) {
  (void)name;
  (void)grid;
  (void)threads;
  block args;
  memcpy(&args, params[0], sizeof(args));
  if (args.address != 0) {
    memcpy((void *)(uintptr_t)args.address, &args.value, sizeof(args.value));
  }
}

// The stand-in goes on with what it was given before, which a lost context would have ended: the
// thread sanitizer is shown failures that leave the context as it is. A process costs it a second
// at its end, so it is shown some.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WAY_COUNT 1
#define STEP 5
#endif
#endif
#ifndef WAY_COUNT
#define WAY_COUNT 3
#define STEP 1
#endif

enum { FINE = 0, NO_WORDS = 3, LEAK = 4, WRONG_VALUE = 5, HANG = 300 };

static tn_diag failure;
static size_t failure_count;

// A failure has to say something, and something of ours.
static bool went_well(tn_status status) {
  if (status == TN_OK) {
    return true;
  }
  failure_count++;
  if (strlen(failure.text) < 10 || (int32_t)status != failure.code) {
    fprintf(stderr, "status %d says: %s\n", (int)status, failure.text);
    _exit(NO_WORDS);
  }
  failure.text[0] = '\0';
  return false;
}

static void take_errors(tn_queue *queue) {
  while (tn_queue_take_error(queue, &failure) == 1) {
    (void)went_well((tn_status)failure.code);
  }
}

typedef struct world {
  tn_adapter_host host;
  tn_adapter *adapter;
  tn_device devices[2];
  tn_context *context;
  tn_adapter_program *program;
  tn_kernel kernel;
} world;

static bool world_open(world *w) {
  static tn_adapter_api table;
  const tn_adapter_api *api = &table;
  tn_adapter_table_complete(tn_cuda_adapter_query(TN_ADAPTER_VERSION), &table);
  w->host = (tn_adapter_host){.size = sizeof(w->host), .version = TN_ADAPTER_VERSION};
  if (!went_well(api->create(&w->host, &w->adapter, &failure))) {
    return false;
  }
  for (size_t i = 0; i < 2; i++) {
    w->devices[i] =
        (tn_device){.api = api, .name = "fake", .adapter_device = api->device_at(w->adapter, i)};
  }
  tn_device *devices[] = {&w->devices[0], &w->devices[1]};
  MUST(tn_context_create(devices, 2, &w->context, diag));
  if (!went_well(api->program_load(w->devices[0].adapter_device, ptx, sizeof(ptx), &w->program,
                                   &failure))) {
    return false;
  }
  w->kernel = (tn_kernel){.arg_size = sizeof(block),
                          .arg_align = 1,
                          .device = &w->devices[0],
                          .name = (char *)(uintptr_t)"step",
                          .display_name = (char *)(uintptr_t)"step"};
  tn_ref_init(&w->kernel.ref);
  return went_well(api->kernel_find(w->program, "step", &w->kernel.adapter_kernel, &failure));
}

static void world_close(world *w) {
  if (w->program) {
    w->devices[0].api->program_unload(w->program);
  }
  if (w->context) {
    fixture_release_context(w->context);
  }
  if (w->adapter) {
    tn_cuda_adapter_query(TN_ADAPTER_VERSION)->destroy(w->adapter);
  }
}

static tn_event *launch(world *w, tn_queue *queue, uint64_t *to, const tn_event *after) {
  const block args = {(uint64_t)(uintptr_t)to, 7};
  tn_command command = kernel_command(&w->kernel, &args, 1);
  command.events = &after;
  command.event_count = after ? 1 : 0;
  tn_event *event = NULL;
  (void)went_well(tn_queue_submit(queue, &command, &event, &failure));
  return event;
}

static void wait_and_release(tn_event *event) {
  if (event) {
    (void)went_well(tn_event_wait(event, &failure));
    (void)(tn_event_get_error(event, &failure) == 1 && went_well((tn_status)failure.code));
    tn_event_release(event);
  }
}

static tn_status note_host(void *user, tn_diag *diag) {
  (void)diag;
  *(int *)user = 1;
  return TN_OK;
}

static void use_queue(world *w, uint32_t flags) {
  tn_queue *queue = NULL;
  if (!went_well(tn_queue_create(w->context, &w->devices[0], flags, &queue, &failure))) {
    return;
  }
  uint64_t word = 0;
  int has_run = 0;
  for (int i = 0; i < 3; i++) {
    tn_event *first = launch(w, queue, &word, NULL);
    wait_and_release(launch(w, queue, &word, first));
    tn_command host = host_command(note_host, &has_run);
    const tn_event *after = first;
    host.events = &after;
    host.event_count = first ? 1 : 0;
    (void)went_well(tn_queue_submit(queue, &host, NULL, &failure));
    uint64_t copy = 0;
    uint64_t filled = 0;  // of its own: nothing orders the two
    const tn_command commands[] = {{.struct_size = sizeof(tn_command),
                                    .kind = TN_COMMAND_COPY,
                                    .dst = &copy,
                                    .src = &word,
                                    .size = sizeof(copy),
                                    // The second kernel may have failed while the first runs.
                                    .events = &after,
                                    .event_count = first ? 1 : 0},
                                   {.struct_size = sizeof(tn_command),
                                    .kind = TN_COMMAND_FILL,
                                    .dst = &filled,
                                    .size = sizeof(filled),
                                    .pattern = "ab",
                                    .pattern_size = 2}};
    for (size_t c = 0; c < TN_COUNT(commands); c++) {
      (void)went_well(tn_queue_submit(queue, &commands[c], NULL, &failure));
    }
    tn_event_release(first);
    (void)went_well(tn_queue_wait(queue, &failure));
    take_errors(queue);
  }
  tn_queue_release(queue);
}

static void use_buffer(world *w, uint32_t flags) {
  tn_queue *queue = NULL;
  tn_buffer *buffer = NULL;
  uint64_t words[64] = {1};
  const tn_buffer_params params = {
      .struct_size = sizeof(params), .size = sizeof(words), .host_data = words};
  if (!went_well(tn_queue_create(w->context, &w->devices[0], flags, &queue, &failure))) {
    return;
  }
  MUST(tn_buffer_create(&params, &buffer, diag));
  for (int i = 0; i < 20; i++) {
    const block args = {0, 9};
    const tn_access access = {buffer, TN_ACCESS_READ_WRITE, offsetof(block, address)};
    tn_command command = kernel_command(&w->kernel, &args, 1);
    command.accesses = &access;
    command.access_count = 1;
    (void)went_well(tn_queue_submit(queue, &command, NULL, &failure));
  }
  void *data = NULL;
  if (went_well(tn_buffer_begin_host_access(buffer, TN_ACCESS_READ, &data, &failure))) {
    const bool is_right = *(uint64_t *)data == 9;
    tn_buffer_end_host_access(buffer, TN_ACCESS_READ);
    take_errors(queue);
    if (!is_right && failure_count == 0) {
      _exit(WRONG_VALUE);
    }
  }
  tn_buffer_release(buffer);
  (void)went_well(tn_queue_wait(queue, &failure));
  take_errors(queue);
  tn_queue_release(queue);
}

static void use_memory(world *w) {
  for (int32_t kind = 0; kind < 3; kind++) {
    void *memory = NULL;
    if (went_well(
            tn_usm_alloc(w->context, &w->devices[kind % 2], kind, 100, 0, &memory, &failure))) {
      (void)went_well(tn_usm_free(w->context, memory, &failure));
    }
  }
  int32_t answer = 0;
  for (int32_t what = TN_PEER_CAN_ACCESS; what <= TN_PEER_DISABLE; what++) {
    (void)went_well(tn_device_peer(&w->devices[0], &w->devices[1], what, &answer, &failure));
  }
  for (int32_t what = 1; what <= TN_DEVICE_INFO_MAX_MEM_BANDWIDTH; what++) {
    unsigned char any[256];
    (void)went_well(w->devices[0].api->device_get_info(w->devices[0].adapter_device, what, any,
                                                       sizeof(any), NULL, &failure));
  }
}

static void use_image(world *w) {
  const tn_bindless_sampler sampler = {0};
  tn_bindless_description d = {
      .extent = {4, 4, 0}, .channel_count = 1, .channel_type = TN_CHANNEL_FP32};
  for (int i = 0; i < 4; i++) {
    tn_bindless_memory *memory = NULL;
    uint64_t image = 0;
    d.type = i % 2 == 0 ? TN_BINDLESS_STANDARD : TN_BINDLESS_MIPMAP;
    d.level_count = i % 2 == 0 ? 1 : 3;
    d.layer_count = 1;
    if (!went_well(tn_bindless_memory_create(w->context, &w->devices[0], &d, &memory, &failure))) {
      continue;
    }
    const bool is_sampled = i > 0;
    if (went_well(
            tn_bindless_image_create(memory, &d, is_sampled ? &sampler : NULL, &image, &failure))) {
      (void)went_well(
          tn_bindless_image_destroy(w->context, &w->devices[0], image, is_sampled, &failure));
    }
    (void)went_well(tn_bindless_memory_destroy(memory, d.type, &failure));
  }
}

static int scenario(void) {
  const int64_t live = tn_alloc_live();
  world w = {0};
  if (world_open(&w)) {
    use_memory(&w);
    use_queue(&w, TN_QUEUE_IN_ORDER);
    use_queue(&w, 0);
    use_queue(&w, TN_QUEUE_PROFILING);
    use_buffer(&w, TN_QUEUE_IN_ORDER);
    use_buffer(&w, 0);
    use_image(&w);
  }
  world_close(&w);
  // The driver's library is kept.
  settle_live(live + 1);
  return tn_alloc_live() > live + 1 ? LEAK : FINE;
}

static int run_apart(const char *told) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    alarm(HANG);
    if (told) {
      fake_cuda_fail(told);
    }
    _exit(scenario());
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

static void test_the_scenario_itself(void **state) {
  (void)state;
  assert_int_equal(run_apart(NULL), FINE);
}

static void test_each_function_fails_once(void **state) {
  (void)state;
  static const char *const names[] = {
#define NAME(field, symbol, parameters) symbol,
      TN_CUDA_FUNCTIONS(NAME)
#undef NAME
  };
  // Out of memory; the context is gone; a kernel's fault, which stays.
  static const struct {
    int call;
    int code;
  } ways[] = {{0, 2}, {3, 709}, {7, 700}};
  for (size_t i = 0; i < TN_COUNT(names); i += STEP) {
    for (size_t k = 0; k < TN_COUNT(ways) && k < WAY_COUNT; k++) {
      char told[128];
      snprintf(told, sizeof(told), "%s:%d:%d", names[i], ways[k].call, ways[k].code);
      const int status = run_apart(told);
      if (status != FINE) {
        fail_msg("%s: the process ended with %x", told, (unsigned)status);
      }
    }
  }
}

// The driver is looked for once a process.
static int load(const char *name, const char *value, const char *word) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    setenv(name, value, 1);
    const tn_cuda_driver *driver = NULL;
    const tn_status status = tn_cuda_driver_load(&driver, &failure);
    const bool is_right =
        status == TN_UNSUPPORTED && driver == NULL && strstr(failure.text, word) != NULL;
    if (!is_right) {
      fprintf(stderr, "%s=%s: %d, %s\n", name, value, (int)status, failure.text);
    }
    _exit(is_right ? FINE : NO_WORDS);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

static void test_drivers_that_do_not_start(void **state) {
  (void)state;
  assert_int_equal(load("FAKE_CUDA_VERSION", "10020", "is for CUDA 10.2; Tenon needs one for 11.4"),
                   FINE);
  assert_int_equal(load("FAKE_CUDA_FAIL", "cuInit:0:34", "the toolkit's stub"), FINE);
  assert_int_equal(load("FAKE_CUDA_FAIL", "cuInit:0:304", "cannot be started"), FINE);
  assert_int_equal(load("FAKE_CUDA_FAIL", "cuInit:0:100", "sees no device (see nvidia-smi)"), FINE);
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  assert_int_equal(
      load("FAKE_CUDA_FAIL", "cuInit:0:100", "with CUDA_VISIBLE_DEVICES=\"\": unset it"), FINE);
  unsetenv("CUDA_VISIBLE_DEVICES");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_scenario_itself),
      cmocka_unit_test(test_drivers_that_do_not_start),
      cmocka_unit_test(test_each_function_fails_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
