// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading code: PTX, which the driver compiles, and machine code.
#include "adapter/cuda/cuda_device.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/info.h"
#include "base/log.h"
#include "tenon/kernel.h"

#include <stdio.h>
#include <string.h>

enum { LOG_SIZE = 8192, PRIVATE_MAXIMUM = 512 << 10 };

// What a variable of the code points at.
typedef struct tn_cuda_values {
  struct tn_cuda_values *next;
  tn_cu_address memory;
} tn_cuda_values;

struct tn_adapter_program {
  tn_adapter_device *device;
  tn_cu_module module;
  tn_cu_address specs;  // device memory with specialization constants; 0: none
  tn_cuda_values *values;  // set before kernels are found
  tn_mutex mu;
  tn_arena arena TN_GUARDED_BY(&mu);
  tn_adapter_kernel *kernels TN_GUARDED_BY(&mu);
  tn_cuda_place *places;  // immutable; of the arena
};

// The first sentences of what the driver's compiler said.
static tn_status fail_load(tn_adapter_device *device, tn_cu_result result, char *log,
                           tn_diag *diag) {
  const tn_status status = tn_cuda_fail(device->driver, result, device->name, diag);
  for (size_t end = strlen(log); end > 0 && (log[end - 1] == '\n' || log[end - 1] == ' '); end--) {
    log[end - 1] = '\0';
  }
  if (log[0] != '\0') {
    tn_diag text = {0};
    (void)tn_diag_set(&text, status, result, __FILE__, __LINE__, "%s; the driver says: %.600s",
                      diag ? diag->text : "", log);
    if (diag) {
      *diag = text;
    }
  }
  return status;
}

// Machine code is not compiled: there is nothing to say about it.
static tn_status load_machine_code(tn_adapter_device *device, const void *code, tn_cu_module *out,
                                   tn_diag *diag) {
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  const tn_cu_result result = device->driver->module_load(out, code, 0, NULL, NULL);
  tn_cuda_leave(device, &entry);
  return result == TN_CU_SUCCESS ? TN_OK
                                 : tn_cuda_fail(device->driver, result, device->name, diag);
}

static tn_status load_text(tn_adapter_device *device, const char *code, tn_cu_module *out,
                           tn_diag *diag) {
  char error_log[LOG_SIZE] = "";
  int options[] = {TN_CU_JIT_ERROR_LOG, TN_CU_JIT_ERROR_LOG_SIZE, TN_CU_JIT_LINE_INFO};
  void *values[] = {error_log, (void *)(uintptr_t)sizeof(error_log), (void *)(uintptr_t)1};
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  const tn_cu_result result =
      device->driver->module_load(out, code, (unsigned)TN_COUNT(options), options, values);
  error_log[sizeof(error_log) - 1] = '\0';
  tn_cuda_leave(device, &entry);
  return result == TN_CU_SUCCESS ? TN_OK : fail_load(device, result, error_log, diag);
}

tn_status tn_cuda_program_load(tn_adapter_device *device, const void *code, size_t size,
                               tn_adapter_program **out, tn_diag *diag) {
  *out = NULL;
  tn_adapter_program *program = tn_alloc(sizeof(*program));
  char *text = NULL;
  if (program && !tn_cuda_is_machine_code(code, size) && (text = tn_alloc(size + 1)) != NULL) {
    memcpy(text, code, size);
    text[size] = '\0';
  }
  if (!program || (!text && !tn_cuda_is_machine_code(code, size))) {
    tn_free(program);
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory to load %zu bytes of code", device->name,
                   size);
  }
  const uint64_t start = tn_time_ns();
  const tn_status status =
      text ? load_text(device, text, &program->module, diag)
           : load_machine_code(device, code, &program->module, diag);
  tn_free(text);
  if (status != TN_OK) {
    tn_free(program);
    return status;
  }
  TN_LOG(program, "%s: %zu bytes of code loaded in %llu us", device->name, size,
         (unsigned long long)((tn_time_ns() - start) / 1000));
  if (tn_cuda_code_calls((tn_str){code, size}, TN_STR_LIT("vprintf"))) {
    atomic_store_explicit(&device->has_output, true, memory_order_relaxed);
  }
  program->device = device;
  tn_mutex_init(&program->mu, TN_RANK_ADAPTER);
  tn_mutex_lock(&program->mu);
  tn_arena_init(&program->arena);
  program->places = tn_cuda_is_machine_code(code, size)
                        ? NULL
                        : tn_cuda_places_read((tn_str){code, size}, &program->arena);
  tn_mutex_unlock(&program->mu);
  *out = program;
  return TN_OK;
}

void tn_cuda_program_unload(tn_adapter_program *program) {
  if (!program) {
    return;
  }
  tn_cuda_entry entry;
  if (tn_cuda_enter(program->device, &entry, NULL) == TN_OK) {
    (void)program->device->driver->module_unload(program->module);
    if (program->specs != 0) {
      (void)program->device->driver->memory_free(program->specs);
    }
    for (const tn_cuda_values *each = program->values; each; each = each->next) {
      (void)program->device->driver->memory_free(each->memory);
    }
    tn_cuda_leave(program->device, &entry);
  }
  tn_mutex_lock(&program->mu);
  tn_arena_deinit(&program->arena);
  tn_mutex_unlock(&program->mu);
  tn_mutex_deinit(&program->mu);
  tn_free(program);
}

// The context is the thread's.
static tn_cu_result copy_to_device(tn_adapter_device *device, tn_cu_address to, const void *from,
                                   size_t size) {
  const tn_cuda_driver *driver = device->driver;
  const tn_cu_result result = driver->copy_async(to, (tn_cu_address)(uintptr_t)from, size,
                                                 device->streams[0]);
  return result == TN_CU_SUCCESS ? driver->stream_sync(device->streams[0]) : result;
}

tn_status tn_cuda_program_set_specs(tn_adapter_program *program, const void *values, size_t size,
                                    tn_diag *diag) {
  tn_adapter_device *device = program->device;
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  tn_cu_result result = device->driver->memory_alloc(&program->specs, size);
  if (result == TN_CU_SUCCESS) {
    result = copy_to_device(device, program->specs, values, size);
  }
  tn_cuda_leave(device, &entry);
  return result == TN_CU_SUCCESS
             ? TN_OK
             : tn_cuda_fail(device->driver, result, "specialization constants", diag);
}

tn_status tn_cuda_program_set_variable(tn_adapter_program *program, const char *variable,
                                       const void *values, size_t size, tn_diag *diag) {
  tn_adapter_device *device = program->device;
  const tn_cuda_driver *driver = device->driver;
  tn_mutex_lock(&program->mu);
  tn_cuda_values *made = tn_arena_alloc(&program->arena, sizeof(*made));
  tn_mutex_unlock(&program->mu);
  if (!made) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for specialization constants");
  }
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  tn_cu_address place = 0;
  size_t place_size = 0;
  tn_cu_result result = driver->module_variable(&place, &place_size, program->module, variable);
  if (result == TN_CU_SUCCESS) {
    result = place_size >= sizeof(made->memory) ? driver->memory_alloc(&made->memory, size)
                                                : TN_CU_INVALID_IMAGE;
  }
  if (result == TN_CU_SUCCESS) {
    made->next = program->values;
    program->values = made;
    result = copy_to_device(device, made->memory, values, size);
  }
  result = result == TN_CU_SUCCESS
               ? copy_to_device(device, place, &made->memory, sizeof(made->memory))
               : result;
  tn_cuda_leave(device, &entry);
  return result == TN_CU_SUCCESS
             ? TN_OK
             : tn_cuda_fail(device->driver, result, "specialization constants of an image", diag);
}

// A kernel's name in the device's code: '@' and '.' are not allowed there.
static void write_symbol(const char *name, char *out, size_t size) {
  size_t i = 0;
  for (; name[i] != '\0' && i + 1 < size; i++) {
    out[i] = name[i] == '@' || name[i] == '.' ? '$' : name[i];
  }
  out[i] = '\0';
}

static tn_status find_function(tn_adapter_program *program, const char *name, tn_cu_function *out,
                               tn_diag *diag) {
  tn_adapter_device *device = program->device;
  const size_t size = strlen(name) + 1;
  char *symbol = tn_alloc(size);
  if (!symbol) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a kernel's name");
  }
  write_symbol(name, symbol, size);
  tn_cuda_entry entry;
  tn_status status = tn_cuda_enter(device, &entry, diag);
  if (status == TN_OK) {
    const tn_cu_result result = device->driver->module_function(out, program->module, symbol);
    tn_cuda_leave(device, &entry);
    if (result == TN_CU_NOT_FOUND) {
      status = TN_FAIL(diag, KERNEL_NOT_FOUND, "%s: the loaded code has no kernel %s", device->name,
                       symbol);
    } else if (result != TN_CU_SUCCESS) {
      status = tn_cuda_device_fail(device, result, device->name, diag);
    }
  }
  tn_free(symbol);
  return status;
}

static uint32_t ask_function(const tn_adapter_device *device, tn_cu_function function, int what) {
  int value = 0;
  return device->driver->function_get(&value, what, function) == TN_CU_SUCCESS && value > 0
             ? (uint32_t)value
             : 0;
}

static tn_adapter_kernel *find_known(tn_adapter_program *program, const char *name)
    TN_REQUIRES(&program->mu) {
  tn_adapter_kernel *kernel = program->kernels;
  while (kernel && strcmp(kernel->name, name) != 0) {
    kernel = kernel->next;
  }
  return kernel;
}

static tn_adapter_kernel *add_kernel(tn_adapter_program *program, const tn_adapter_kernel *found,
                                     const char *name) {
  tn_mutex_lock(&program->mu);
  tn_adapter_kernel *kernel = find_known(program, name);
  if (!kernel && (kernel = tn_arena_alloc(&program->arena, sizeof(*kernel))) != NULL) {
    *kernel = *found;
    kernel->name = tn_arena_str(&program->arena, tn_str_from(name));
    if (kernel->name) {
      kernel->next = program->kernels;
      program->kernels = kernel;
    } else {
      kernel = NULL;
    }
  }
  tn_mutex_unlock(&program->mu);
  return kernel;
}

static void find_place(const tn_adapter_program *program, const char *name,
                       tn_adapter_kernel *out) {
  char symbol[1024];
  write_symbol(name, symbol, sizeof(symbol));
  (void)tn_cuda_place_find(program->places, symbol, &out->path, &out->line);
}

// With the place, for messages.
static void show_as(tn_adapter_kernel *kernel, tn_adapter_device *device, const char *name) {
  char text[640];
  (void)snprintf(text, sizeof(text), "%.400s", name);
  if (!tn_str_is_empty(kernel->path)) {
    (void)snprintf(text, sizeof(text), "%.400s (%.*s:%llu)", name, (int)kernel->path.size,
                   kernel->path.data, (unsigned long long)kernel->line);
  }
  kernel->shown = tn_cuda_name_keep(device, text);
}

tn_status tn_cuda_kernel_find(tn_adapter_program *program, const char *name,
                              tn_adapter_kernel **out, tn_diag *diag) {
  tn_mutex_lock(&program->mu);
  *out = find_known(program, name);
  tn_mutex_unlock(&program->mu);
  if (*out) {
    return TN_OK;
  }
  tn_adapter_device *device = program->device;
  tn_adapter_kernel found = {.program = program, .specs = program->specs};
  TN_TRY(find_function(program, name, &found.function, diag));
  tn_cuda_entry entry;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  found.max_threads = ask_function(device, found.function, TN_CU_FUNC_MAX_THREADS);
  found.static_shared = ask_function(device, found.function, TN_CU_FUNC_SHARED_SIZE);
  found.dynamic_shared = ask_function(device, found.function, TN_CU_FUNC_MAX_DYNAMIC_SHARED);
  found.private_size = ask_function(device, found.function, TN_CU_FUNC_LOCAL_SIZE);
  tn_cuda_leave(device, &entry);
  if (found.private_size > PRIVATE_MAXIMUM) {
    return TN_FAIL(diag, BUILD_FAILED,
                   "kernel %.400s: a work-item's %u bytes of private memory are more than the %d "
                   "that it may have on device %s: allocate large arrays before the launch",
                   name, found.private_size, PRIVATE_MAXIMUM, device->name);
  }
  find_place(program, name, &found);
  show_as(&found, device, name);
  *out = add_kernel(program, &found, name);
  return *out ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for kernel %s", name);
}

// Launches that are under way keep the name that they took.
void tn_cuda_kernel_show_as(tn_adapter_kernel *kernel, const char *name) {
  show_as(kernel, kernel->program->device, name);
}

tn_status tn_cuda_kernel_get_info(tn_adapter_kernel *kernel, int32_t what, void *out, size_t size,
                                  size_t *out_size, tn_diag *diag) {
  const uint64_t threads = kernel->max_threads;
  const uint64_t private_size = kernel->private_size;
  const uint64_t local_size = tn_cuda_static_local(kernel);
  switch (what) {
    case TN_KERNEL_INFO_GROUP_SIZE:
      return tn_info_write(&threads, sizeof(threads), out, size, out_size, diag);
    case TN_KERNEL_INFO_PRIVATE_MEM_SIZE:
      return tn_info_write(&private_size, sizeof(private_size), out, size, out_size, diag);
    case TN_KERNEL_INFO_LOCAL_MEM_SIZE:
      return tn_info_write(&local_size, sizeof(local_size), out, size, out_size, diag);
    default:
      return TN_FAIL(diag, UNSUPPORTED, "NVIDIA's devices leave kernel info %d to the runtime",
                     (int)what);
  }
}

tn_cu_module tn_cuda_program_module(const tn_adapter_program *program) { return program->module; }
