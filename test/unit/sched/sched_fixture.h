// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices for the tests of memory, sched and the adapters: the mock and the CPU, the latter with a
// compiler whose objects are tables of C functions. Also used by bench/launch_c.c.
#ifndef TN_TEST_UNIT_SCHED_SCHED_FIXTURE_H
#define TN_TEST_UNIT_SCHED_SCHED_FIXTURE_H

#include "adapter/mock/mock.h"
#include "base/alloc.h"
#include "run/sched/sched.h"
#include "tenon/cpu_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What cannot fail in a test ends it: asserts of cmocka do not work on other threads.
#define MUST(expr)                                                        \
  do {                                                                    \
    tn_diag must_diag = {0};                                              \
    tn_diag *const diag = &must_diag;                                     \
    if ((expr) != TN_OK) {                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, must_diag.text); \
      abort();                                                            \
    }                                                                     \
  } while (0)

typedef struct c_kernel {
  const char *symbol;  // with TN_CPU_KERNEL_SUFFIX
  tn_cpu_kernel_fn function;
} c_kernel;

static inline tn_status fake_load(const void *object, size_t size, tn_native_code **out,
                                  tn_diag *diag) {
  (void)size;
  *out = NULL;
  if (tn_fault_hit()) {
    return TN_FAIL(diag, BUILD_FAILED, "the fake compiler was told to fail");
  }
  *out = (tn_native_code *)(uintptr_t)object;
  return TN_OK;
}

static inline void *fake_find(tn_native_code *code, const char *symbol) {
  for (const c_kernel *k = (const c_kernel *)code; k->symbol != NULL; k++) {
    if (strcmp(k->symbol, symbol) == 0) {
      void *address = NULL;
      memcpy(&address, &k->function, sizeof(address));
      return address;
    }
  }
  return NULL;
}

static inline void fake_unload(tn_native_code *code) { (void)code; }

static inline tn_status fake_get_compiler(const tn_compiler **out, tn_diag *diag) {
  (void)diag;
  static const tn_compiler compiler = {.size = sizeof(tn_compiler),
                                       .version = TN_COMPILER_VERSION,
                                       .code_load = fake_load,
                                       .code_find = fake_find,
                                       .code_unload = fake_unload};
  *out = &compiler;
  return TN_OK;
}

typedef struct fixture {
  tn_adapter_host host;
  tn_adapter *adapter;
  tn_device device;
  tn_context *context;
  tn_adapter_program *program;
} fixture;

// The complete table of an adapter, one for all fixtures, as the runtime has one.
static inline const tn_adapter_api *fixture_table(const tn_adapter_api *given) {
  static tn_adapter_api tables[4];
  for (size_t i = 0; i < TN_COUNT(tables); i++) {
    if (tables[i].name == NULL) {
      tn_adapter_table_complete(given, &tables[i]);
    }
    if (tables[i].name == given->name) {
      return &tables[i];
    }
  }
  abort();
}

static inline void fixture_open(fixture *f, const tn_adapter_api *api, uint32_t cpu_threads,
                                const void *code, size_t code_size) {
  memset(f, 0, sizeof(*f));
  api = fixture_table(api);
  f->host = (tn_adapter_host){.size = sizeof(tn_adapter_host),
                              .version = TN_ADAPTER_VERSION,
                              .cpu_threads = cpu_threads,
                              .get_compiler = fake_get_compiler};
  MUST(api->create(&f->host, &f->adapter, diag));
  f->device =
      (tn_device){.api = api, .adapter_device = api->device_at(f->adapter, 0), .name = api->name};
  f->device.target = api->device_target(f->device.adapter_device);
  tn_device *devices[] = {&f->device};
  MUST(tn_context_create(devices, 1, &f->context, diag));
  MUST(api->program_load(f->device.adapter_device, code, code_size, &f->program, diag));
}

static inline void fixture_open_mock(fixture *f, bool is_manual) {
  static const char text[] = "# kernels of the tests\nkernel a\nkernel b\nkernel c\n";
  fixture_open(f, tn_mock_adapter_query(TN_ADAPTER_VERSION), 0, text, sizeof(text) - 1);
  tn_mock_set_manual(f->device.adapter_device, is_manual);
}

static inline void fixture_open_cpu(fixture *f, uint32_t threads, const c_kernel *kernels) {
  fixture_open(f, tn_cpu_adapter_query(TN_ADAPTER_VERSION), threads, kernels, 1);
}

// The thread that completed a queue's last command may hold the queue, and with it the context, a
// moment longer than the test. The adapter must not go before.
static inline void fixture_release_context(tn_context *context) {
  for (int i = 0; i < 10000 && atomic_load(&context->ref.count) > 1; i++) {
    usleep(1000);
  }
  tn_context_release(context);
}

static inline void fixture_close(fixture *f) {
  f->device.api->program_unload(f->program);
  fixture_release_context(f->context);
  f->device.api->destroy(f->adapter);
}

// A kernel of static or stack storage: the reference it starts with is never given back.
static inline tn_kernel fixture_kernel(fixture *f, const char *name, uint32_t arg_size) {
  tn_kernel kernel = {.arg_size = arg_size,
                      .arg_align = 1,
                      .device = &f->device,
                      .name = (char *)(uintptr_t)name,
                      .display_name = (char *)(uintptr_t)name};
  tn_ref_init(&kernel.ref);
  MUST(f->device.api->kernel_find(f->program, name, &kernel.adapter_kernel, diag));
  return kernel;
}

static inline tn_queue *fixture_queue(fixture *f, uint32_t flags) {
  tn_queue *queue = NULL;
  MUST(tn_queue_create(f->context, &f->device, flags, &queue, diag));
  return queue;
}

// A launch over `size` work-items in one dimension.
static inline tn_command kernel_command(tn_kernel *kernel, const void *args, uint64_t size) {
  return (tn_command){.struct_size = sizeof(tn_command),
                      .kind = TN_COMMAND_KERNEL,
                      .kernel = kernel,
                      .args = args,
                      .arg_size = kernel->arg_size,
                      .arg_align = 1,
                      .dims = 1,
                      .global = {size, 1, 1},
                      .local = {1, 1, 1}};
}

// Its event; behind all commands of the queue, or with `after` behind that event.
static inline tn_event *fixture_barrier(tn_queue *queue, const tn_event *after) {
  const tn_command barrier = {.struct_size = sizeof(barrier),
                              .kind = after ? TN_COMMAND_EVENT_BARRIER : TN_COMMAND_BARRIER,
                              .events = &after,
                              .event_count = after ? 1 : 0};
  tn_event *event = NULL;
  MUST(tn_queue_submit(queue, &barrier, &event, diag));
  return event;
}

static inline tn_command host_command(tn_status (*fn)(void *user, tn_diag *diag), void *user) {
  return (tn_command){.struct_size = sizeof(tn_command),
                      .kind = TN_COMMAND_HOST_TASK,
                      .host_task = fn,
                      .user = user};
}

#endif
