// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose machine code lies in their module, on the CPU adapter and without a compiler:
// found, run, left out where they do not fit, and not run any more when their module is gone.
#include "run/program/program.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "run/registry/registry.h"
#include "run/sched/sched.h"
#include "tenon/cpu_kernel.h"
#include "unit/registry/module_maker.h"

#include <stdlib.h>
#include <time.h>

static tn_device *device;
static tn_context *context;
static tn_diag diag;

static int find_device(void **state) {
  (void)state;
  device = tn_device_at(0);
  return device && tn_context_create(&device, 1, &context, &diag) == TN_OK ? 0 : -1;
}

static int drop_context(void **state) {
  (void)state;
  tn_context_release(context);
  return 0;
}

static void store(const void *args, const tn_cpu_group *group) {
  int *const *out = args;
  for (uint64_t i = 0; i < group->local_size[0]; i++) {
    (*out)[group->base[0] + i] = (int)(group->base[0] + i);
  }
}

// What the slow kernel and those who watch it share.
typedef struct gate {
  _Atomic bool has_started;
  _Atomic bool may_end;
  _Atomic bool is_unregistered;
  bool ended_before;  // the unregistration
} gate;

static void wait_at(const void *args, const tn_cpu_group *group) {
  gate *g = *(gate *const *)args;
  (void)group;
  atomic_store(&g->has_started, true);
  while (!atomic_load(&g->may_end)) {
    sched_yield();
  }
  g->ended_before = !atomic_load(&g->is_unregistered);
}

static const tn_native_kernel first_kernels[] = {{"store", store, NULL}};
static const tn_native_kernel second_kernels[] = {{"local@0000000000000001", store, NULL},
                                                  {"wait_at", wait_at, NULL}};
static const tn_native_table first_table = {TN_CPU_KERNEL_VERSION, 1, first_kernels};
static const tn_native_table second_table = {TN_CPU_KERNEL_VERSION, 2, second_kernels};
static const tn_native_table *const tables[] = {&first_table, &second_table, &second_table};

#define HOST_IMAGE(table, ...)                                                            \
  {                                                                                       \
    .target = "native_cpu", .format = TN_IMAGE_FORMAT_HOST, .code = (table), .kernels = { \
      __VA_ARGS__                                                                         \
    }                                                                                     \
  }
#define BITCODE_IMAGE(...)                                                                       \
  {                                                                                              \
    .target = "native_cpu", .format = TN_IMAGE_FORMAT_BITCODE, .code = "none here", .kernels = { \
      __VA_ARGS__                                                                                \
    }                                                                                            \
  }
static const image_maker images[] = {HOST_IMAGE("first", "store"), BITCODE_IMAGE("store"),
                                     HOST_IMAGE("second", "local@0000000000000001"),
                                     HOST_IMAGE("third", "wait_at")};

static void open_module(tn_module *module, const image_maker *makers, size_t count,
                        const tn_native_table *const *natives, size_t native_count) {
  tn_buf bytes;
  tn_buf_init(&bytes, 1u << 20);
  maker_write(makers, count, &bytes);
  *module = (tn_module){.size = sizeof(*module),
                        .version = TN_MODULE_VERSION,
                        .fatbin = bytes.data,
                        .fatbin_size = bytes.size,
                        .natives = natives,
                        .native_count = native_count};
  tn_register_module(module);
}

static tn_queue *open_queue(void) {
  tn_queue *queue = NULL;
  assert_int_equal(tn_queue_create(context, device, 0, &queue, &diag), TN_OK);
  return queue;
}

static tn_status launch(tn_queue *queue, tn_kernel_slot *slot, tn_kernel *kernel, void *argument,
                        uint64_t size) {
  const tn_command command = {.struct_size = sizeof(command),
                              .kind = TN_COMMAND_KERNEL,
                              .slot = slot,
                              .kernel = kernel,
                              .args = &argument,
                              .arg_size = sizeof(argument),
                              .arg_align = 8,
                              .dims = 1,
                              .global = {size, 1, 1},
                              .local = {1, 1, 1}};
  return tn_queue_submit(queue, &command, NULL, &diag);
}

static void test_kernels_run(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_module module;
  open_module(&module, images, TN_COUNT(images), tables, TN_COUNT(tables));
  tn_kernel_slot slots[] = {{&module, "store", 1, NULL}, {&module, "local", 1, NULL}};
  tn_queue *queue = open_queue();
  for (size_t i = 0; i < 2 * TN_COUNT(slots); i++) {  // the second time from the slot
    int out[100] = {0};
    assert_int_equal(launch(queue, &slots[i / 2], NULL, out, TN_COUNT(out)), TN_OK);
    assert_int_equal(tn_queue_wait(queue, &diag), TN_OK);
    for (int n = 0; n < (int)TN_COUNT(out); n++) {
      assert_int_equal(out[n], n);
    }
  }
  tn_kernel_slot unknown = {&module, "unknown", 1, NULL};
  assert_int_equal(launch(queue, &unknown, NULL, NULL, 1), TN_KERNEL_NOT_FOUND);
  assert_non_null(strstr(diag.text, "native_cpu host (1 kernel: store)"));
  tn_queue_release(queue);
  maker_unregister(&module);
  tn_program_reap();
  assert_true(tn_alloc_live() <= live + 8);  // threads of the pool stay
}

// Machine code serves programs of its image and of the bitcode beside it.
static void test_programs_of_images(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_module module;
  open_module(&module, images, TN_COUNT(images), tables, TN_COUNT(tables));
  tn_registered *registered = tn_registry_find(&module);
  tn_program *programs[2] = {NULL, NULL};
  for (uint32_t i = 0; i < 2; i++) {
    const tn_program_request request = {.image = {registered, i}, .device = device};
    assert_int_equal(tn_program_get(&request, &programs[i], &diag), TN_OK);
  }
  assert_ptr_equal(programs[0], programs[1]);
  tn_kernel *kernel = NULL;
  assert_int_equal(tn_program_get_kernel(programs[0], "wait_at", &kernel, &diag),
                   TN_KERNEL_NOT_FOUND);
  assert_int_equal(tn_program_get_kernel(programs[0], "store", &kernel, &diag), TN_OK);
  tn_queue *queue = open_queue();
  int out[4] = {0};
  assert_int_equal(launch(queue, NULL, kernel, out, 4), TN_OK);
  assert_int_equal(tn_queue_wait(queue, &diag), TN_OK);
  assert_int_equal(out[3], 3);
  tn_kernel_release(kernel);
  maker_unregister(&module);
  assert_int_equal(tn_program_get_kernel(programs[0], "store", &kernel, &diag),
                   TN_KERNEL_NOT_FOUND);
  assert_non_null(strstr(diag.text, "unloaded"));
  tn_queue_release(queue);
  tn_program_release(programs[0]);
  tn_program_release(programs[1]);
  tn_registered_release(registered);
  tn_program_reap();
  assert_true(tn_alloc_live() <= live + 8);
}

// The bitcode beside the machine code is asked for then, which nobody can compile here.
static void expect_bitcode(const image_maker *maker, size_t count,
                           const tn_native_table *const *natives, size_t native_count) {
  tn_module module;
  open_module(&module, maker, count, natives, native_count);
  tn_kernel_slot slot = {&module, "store", 1, NULL};
  tn_queue *queue = open_queue();
  int out[1];
  assert_int_equal(launch(queue, &slot, NULL, out, 1), TN_UNSUPPORTED);
  assert_non_null(strstr(diag.text, "/nonexistent"));
  tn_queue_release(queue);
  maker_unregister(&module);
  tn_program_reap();
}

static void test_left_out(void **state) {
  (void)state;
  static const tn_native_table newer = {TN_CPU_KERNEL_VERSION + 1, 1, first_kernels};
  static const tn_native_table *const newer_tables[] = {&newer, &second_table, &second_table};
  expect_bitcode(images, TN_COUNT(images), newer_tables, 3);
  expect_bitcode(images, TN_COUNT(images), NULL, 0);  // images of a file without its objects
  image_maker demanding[TN_COUNT(images)];
  memcpy(demanding, images, sizeof(images));
  demanding[0].processor = "a-made-up-extension";
  expect_bitcode(demanding, TN_COUNT(images), tables, TN_COUNT(tables));
}

static void test_damage_is_reported(void **state) {
  (void)state;
  tn_module module;
  open_module(&module, images, TN_COUNT(images), tables, TN_COUNT(tables));
  *((uint8_t *)(uintptr_t)module.fatbin + 8) ^= 1;
  tn_kernel_slot slot = {&module, "store", 1, NULL};
  tn_queue *queue = open_queue();
  assert_int_equal(launch(queue, &slot, NULL, NULL, 1), TN_BAD_IMAGE);
  tn_queue_release(queue);
  maker_unregister(&module);
  tn_program_reap();
}

// Each thing that can fail fails in turn: the kernel is found the next time, and nothing is left.
static void test_without_memory(void **state) {
  (void)state;
  bool complete = false;
  for (int64_t nth = 0; !complete && nth < 1000; nth++) {
    tn_module module;
    open_module(&module, images, TN_COUNT(images), tables, TN_COUNT(tables));
    const int64_t live = tn_alloc_live();
    tn_kernel_slot slot = {&module, "store", 1, NULL};
    tn_kernel *kernel = NULL;
    tn_fault_arm(nth);
    const tn_status status = tn_kernel_from_slot(&slot, device, &kernel, &diag);
    complete = !tn_fault_fired();
    tn_fault_arm(-1);
    if (status != TN_OK) {
      assert_int_equal(status, TN_OUT_OF_MEMORY);
      assert_int_equal(tn_kernel_from_slot(&slot, device, &kernel, &diag), TN_OK);
    }
    assert_string_equal(tn_kernel_name(kernel), "store");
    maker_unregister(&module);
    tn_program_reap();
    assert_true(tn_alloc_live() < live);
  }
  assert_true(complete);
}

static void *unregister(void *arg) {
  maker_unregister(arg);
  return NULL;
}

typedef struct closing {
  tn_module *module;
  gate *gate;
} closing;

static void *close_module(void *arg) {
  const closing *c = arg;
  tn_unregister_module(c->module);
  atomic_store(&c->gate->is_unregistered, true);
  return NULL;
}

// Would be unmapped under the kernel's feet.
static void test_unregistration_waits_for_commands(void **state) {
  (void)state;
  tn_module module;
  open_module(&module, images, TN_COUNT(images), tables, TN_COUNT(tables));
  tn_kernel_slot slot = {&module, "wait_at", 1, NULL};
  tn_queue *queue = open_queue();
  gate g = {.ended_before = false};
  assert_int_equal(launch(queue, &slot, NULL, &g, 1), TN_OK);
  while (!atomic_load(&g.has_started)) {
    sched_yield();
  }
  closing c = {&module, &g};
  tn_thread thread;
  assert_int_equal(tn_thread_create(&thread, "close", close_module, &c, &diag), TN_OK);
  const struct timespec moment = {0, 5000000};
  (void)nanosleep(&moment, NULL);
  atomic_store(&g.may_end, true);
  tn_thread_join(thread);
  assert_int_equal(tn_queue_wait(queue, &diag), TN_OK);
  assert_true(g.ended_before);
  tn_queue_release(queue);
  tn_free((void *)(uintptr_t)module.fatbin);
  tn_program_reap();
}

static void test_kernels_of_modules_that_are_gone(void **state) {
  (void)state;
  tn_module module;
  open_module(&module, images, TN_COUNT(images), tables, TN_COUNT(tables));
  tn_kernel_slot slot = {&module, "store", 1, NULL};
  tn_kernel *kernel = NULL;
  assert_int_equal(tn_kernel_from_slot(&slot, device, &kernel, &diag), TN_OK);
  tn_kernel_retain(kernel);
  tn_queue *queue = open_queue();
  int out[4] = {0};
  assert_int_equal(launch(queue, NULL, kernel, out, 4), TN_OK);
  assert_int_equal(tn_queue_wait(queue, &diag), TN_OK);
  assert_int_equal(out[3], 3);
  (void)unregister(&module);
  assert_null(slot.cache);
  assert_int_equal(launch(queue, NULL, kernel, out, 4), TN_KERNEL_NOT_FOUND);
  assert_non_null(strstr(diag.text, "store"));
  assert_non_null(strstr(diag.text, "unloaded"));
  tn_kernel_release(kernel);
  tn_queue_release(queue);
  tn_program_reap();
}

enum { ROUNDS = 200 };

// Launches race with each other for the first look-up; the module goes while they are in flight.
static void *launch_many(void *arg) {
  tn_kernel_slot *slot = arg;
  tn_queue *queue = open_queue();
  int out[4][64];
  for (int i = 0; i < 4; i++) {
    assert_int_equal(launch(queue, slot, NULL, out[i], TN_COUNT(out[i])), TN_OK);
  }
  assert_int_equal(tn_queue_wait(queue, NULL), TN_OK);
  tn_queue_release(queue);
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  for (int i = 0; i < ROUNDS; i++) {
    tn_module module;
    open_module(&module, images, TN_COUNT(images), tables, TN_COUNT(tables));
    tn_kernel_slot slot = {&module, "store", 1, NULL};
    tn_thread threads[2];
    for (size_t t = 0; t < 2; t++) {
      assert_int_equal(tn_thread_create(&threads[t], "launch", launch_many, &slot, &diag), TN_OK);
    }
    tn_queue *queue = open_queue();
    int out[64];
    assert_int_equal(launch(queue, &slot, NULL, out, TN_COUNT(out)), TN_OK);
    for (size_t t = 0; t < 2; t++) {
      tn_thread_join(threads[t]);
    }
    maker_unregister(&module);  // perhaps while the command above runs
    assert_int_equal(tn_queue_wait(queue, &diag), TN_OK);
    assert_int_equal(out[63], 63);
    tn_queue_release(queue);
    tn_program_reap();
  }
}

int main(void) {
  (void)setenv("TENON_COMPILER_LIBRARY", "/nonexistent/libtenon-compiler.so", 1);
  (void)unsetenv("TENON_JIT_OPT");
  (void)unsetenv("TENON_CHECK");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernels_run),
      cmocka_unit_test(test_programs_of_images),
      cmocka_unit_test(test_left_out),
      cmocka_unit_test(test_damage_is_reported),
      cmocka_unit_test(test_without_memory),
      cmocka_unit_test(test_unregistration_waits_for_commands),
      cmocka_unit_test(test_kernels_of_modules_that_are_gone),
      cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, find_device, drop_context);
}
