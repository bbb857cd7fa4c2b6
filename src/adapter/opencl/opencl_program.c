// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loaded code and its kernels. Values of specialization constants go into a program before it is
// built, and the runtime gives them after it is loaded: so modules are built when the first kernel
// is looked up.
//
//   LOADED ──kernel_find──▶ BUILDING ──▶ BUILT
//                                └─────▶ FAILED, with what was reported
#include "adapter/opencl/opencl_code.h"
#include "base/alloc.h"

#include <stdio.h>
#include <string.h>

typedef enum program_state {
  STATE_LOADED,
  STATE_BUILDING,
  STATE_BUILT,
  STATE_FAILED,
} program_state;

struct tn_adapter_program {
  tn_adapter_device *device;
  tn_buf code;            // until BUILT; owned
  tn_cl_program program;  // owned, immutable since BUILT
  tn_cl_kernel native;    // owned, immutable: the program's own kernel; NULL without one
  bool is_native;         // immutable: the program made the cl_program
  tn_mutex mu;
  tn_cond cond;  // the state is no longer BUILDING
  program_state state TN_GUARDED_BY(&mu);
  tn_diag failure TN_GUARDED_BY(&mu);
  tn_arena arena TN_GUARDED_BY(&mu);
  tn_opencl_values *values TN_GUARDED_BY(&mu);    // in the arena; not changed from BUILDING on
  tn_adapter_kernel *kernels TN_GUARDED_BY(&mu);  // in the arena
  tn_arena argument_arena;                        // not changed since BUILT, as what follows
  tn_opencl_arguments *arguments;
};

static void read_arguments(tn_adapter_program *program, const tn_adapter_code *modules,
                           size_t count) {
  for (size_t i = 0; i < count; i++) {
    const tn_bytes module = tn_bytes_from(modules[i].code, modules[i].size);
    tn_opencl_arguments *read = tn_opencl_arguments_read(module, &program->argument_arena);
    while (read) {
      tn_opencl_arguments *next = read->next;
      read->next = program->arguments;
      program->arguments = read;
      read = next;
    }
  }
}

static tn_status build(tn_adapter_program *program, const tn_opencl_values *values, tn_diag *diag) {
  const tn_bytes code = tn_buf_bytes(&program->code);
  tn_bytes binary;
  if (tn_opencl_code_binary(code, &binary)) {
    return tn_opencl_build_binary(program->device, binary, &program->program, diag);
  }
  tn_arena arena;
  tn_adapter_code *modules = NULL;
  size_t count = 0;
  tn_arena_init(&arena);
  tn_status status = tn_opencl_code_modules(code, &arena, &modules, &count, diag);
  if (status == TN_OK) {
    status = tn_opencl_build(program->device, modules, count, values, &program->program, diag);
  }
  if (status == TN_OK) {
    read_arguments(program, modules, count);
  }
  tn_arena_deinit(&arena);
  return status;
}

static tn_status build_once(tn_adapter_program *program, tn_diag *diag) {
  tn_mutex_lock(&program->mu);
  while (program->state == STATE_BUILDING) {
    tn_cond_wait(&program->cond, &program->mu);
  }
  const program_state before = program->state;
  const tn_opencl_values *values = program->values;
  const tn_diag failure = program->failure;
  program->state = before == STATE_LOADED ? STATE_BUILDING : before;
  tn_mutex_unlock(&program->mu);
  if (before != STATE_LOADED) {
    if (before == STATE_FAILED && diag) {
      *diag = failure;
    }
    return before == STATE_FAILED ? (tn_status)failure.code : TN_OK;
  }
  tn_diag own = {0};
  const tn_status status = build(program, values, &own);
  tn_mutex_lock(&program->mu);
  program->state = status == TN_OK ? STATE_BUILT : STATE_FAILED;
  program->failure = own;
  tn_cond_broadcast(&program->cond);
  tn_mutex_unlock(&program->mu);
  if (status != TN_OK && diag) {
    *diag = own;
  }
  return status;
}

static tn_adapter_program *create(tn_adapter_device *device, program_state state) {
  tn_adapter_program *program = tn_alloc(sizeof(*program));
  if (!program) {
    return NULL;
  }
  *program = (tn_adapter_program){.device = device};
  tn_buf_init(&program->code, SIZE_MAX / 2);
  tn_arena_init(&program->argument_arena);
  tn_mutex_init(&program->mu, TN_RANK_ADAPTER);
  tn_cond_init(&program->cond);
  tn_mutex_lock(&program->mu);
  program->state = state;
  tn_arena_init(&program->arena);
  tn_mutex_unlock(&program->mu);
  return program;
}

tn_status tn_opencl_program_of(tn_adapter_device *device, tn_cl_program handle, tn_cl_kernel kernel,
                               tn_adapter_program **out, tn_diag *diag) {
  const tn_cl_driver *driver = device->driver;
  *out = NULL;
  tn_adapter_program *program = create(device, STATE_BUILT);
  if (!program) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a program");
  }
  program->is_native = true;
  tn_cl_int result = driver->program_retain(handle);
  program->program = result == TN_CL_SUCCESS ? handle : NULL;
  if (result == TN_CL_SUCCESS && kernel) {
    result = driver->kernel_retain(kernel);
    program->native = result == TN_CL_SUCCESS ? kernel : NULL;
  }
  if (result != TN_CL_SUCCESS) {
    tn_opencl_program_unload(program);
    return tn_opencl_fail(result, "a program of the application's", diag);
  }
  *out = program;
  return TN_OK;
}

tn_status tn_opencl_program_load(tn_adapter_device *device, const void *code, size_t size,
                                 tn_adapter_program **out, tn_diag *diag) {
  *out = NULL;
  tn_adapter_program *program = create(device, STATE_LOADED);
  if (!program) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a program");
  }
  tn_buf_add(&program->code, code, size);
  tn_status status = tn_buf_status(&program->code, diag);
  tn_bytes binary;
  if (status == TN_OK && tn_opencl_code_binary(tn_buf_bytes(&program->code), &binary)) {
    status = build_once(program, diag);
  }
  if (status != TN_OK) {
    tn_opencl_program_unload(program);
    return status;
  }
  *out = program;
  return TN_OK;
}

void tn_opencl_program_unload(tn_adapter_program *program) {
  if (!program) {
    return;
  }
  tn_mutex_lock(&program->mu);
  tn_adapter_kernel *kernels = program->kernels;
  tn_mutex_unlock(&program->mu);
  for (tn_adapter_kernel *kernel = kernels; kernel; kernel = kernel->next) {
    tn_opencl_kernel_end(kernel);
  }
  if (program->native) {
    (void)program->device->driver->kernel_release(program->native);
  }
  if (program->program) {
    (void)program->device->driver->program_release(program->program);
  }
  tn_mutex_lock(&program->mu);
  tn_arena_deinit(&program->arena);
  tn_mutex_unlock(&program->mu);
  tn_arena_deinit(&program->argument_arena);
  tn_buf_deinit(&program->code);
  tn_cond_deinit(&program->cond);
  tn_mutex_deinit(&program->mu);
  tn_free(program);
}

tn_status tn_opencl_program_set_image_specs(tn_adapter_program *program, uint64_t image_index,
                                            const void *values, size_t size, tn_diag *diag) {
  if (!program->device->has_spec_constants) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "device %s: the OpenCL loader has no clSetProgramSpecializationConstant: update "
                   "it to OpenCL 2.2 or later",
                   program->device->name);
  }
  tn_bytes binary;
  tn_status status = TN_OK;
  tn_mutex_lock(&program->mu);
  tn_opencl_values *item = tn_arena_alloc(&program->arena, sizeof(*item));
  uint8_t *copy = tn_arena_alloc(&program->arena, size > 0 ? size : 1);
  if (!item || !copy) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu bytes of constants", size);
  } else if (tn_opencl_code_binary(tn_buf_bytes(&program->code), &binary)) {
    status = TN_OK;  // its modules have none
  } else if (program->state != STATE_LOADED) {
    status = TN_FAIL(diag, INTERNAL, "constants come after the program was built");
  } else {
    memcpy(copy, values, size);
    *item = (tn_opencl_values){program->values, image_index, tn_bytes_from(copy, size)};
    program->values = item;
  }
  tn_mutex_unlock(&program->mu);
  return status;
}

tn_status tn_opencl_program_set_specs(tn_adapter_program *program, const void *values, size_t size,
                                      tn_diag *diag) {
  return tn_opencl_program_set_image_specs(program, 0, values, size, diag);
}

tn_adapter_device *tn_opencl_program_device(const tn_adapter_program *program) {
  return program->device;
}

tn_cl_program tn_opencl_program_handle(const tn_adapter_program *program) {
  return program->program;
}

static tn_adapter_kernel *find_known(tn_adapter_program *program, const char *name)
    TN_REQUIRES(&program->mu) {
  tn_adapter_kernel *kernel = program->kernels;
  while (kernel && strcmp(kernel->name, name) != 0) {
    kernel = kernel->next;
  }
  return kernel;
}

// '@' and '.' in a kernel's name are '$' in device code.
static void write_symbol(char *symbol) {
  for (; *symbol != '\0'; symbol++) {
    *symbol = *symbol == '@' || *symbol == '.' ? '$' : *symbol;
  }
}

static tn_adapter_kernel *add_kernel(tn_adapter_program *program, const char *name)
    TN_REQUIRES(&program->mu) {
  tn_adapter_kernel *kernel = tn_arena_alloc(&program->arena, sizeof(*kernel));
  char *copy = tn_arena_str(&program->arena, tn_str_from(name));
  char *symbol = tn_arena_str(&program->arena, tn_str_from(name));
  if (!kernel || !copy || !symbol) {
    return NULL;
  }
  if (!program->is_native) {
    write_symbol(symbol);
  }
  *kernel = (tn_adapter_kernel){
      .program = program, .name = copy, .symbol = symbol, .is_native = program->is_native};
  for (const tn_opencl_arguments *each = program->arguments; each; each = each->next) {
    kernel->arguments = strcmp(each->kernel, symbol) == 0 ? each : kernel->arguments;
  }
  atomic_init(&kernel->shown, copy);
  return kernel;
}

// The program's own kernel is what get_native of this one gives.
static tn_status give_native(const tn_adapter_program *program, tn_adapter_kernel *kernel,
                             tn_diag *diag) {
  return program->native ? tn_opencl_kernel_give(kernel, program->native, diag) : TN_OK;
}

tn_status tn_opencl_kernel_find(tn_adapter_program *program, const char *name,
                                tn_adapter_kernel **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(build_once(program, diag));
  tn_mutex_lock(&program->mu);
  *out = find_known(program, name);
  tn_adapter_kernel *added = *out ? NULL : add_kernel(program, name);
  tn_mutex_unlock(&program->mu);
  if (*out) {
    return TN_OK;
  }
  if (!added) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for kernel %s", name);
  }
  TN_TRY(tn_opencl_kernel_begin(added, diag));
  const tn_status given = give_native(program, added, diag);
  if (given != TN_OK) {
    tn_opencl_kernel_end(added);
    return given;
  }
  tn_mutex_lock(&program->mu);
  *out = find_known(program, name);  // another thread may have been quicker
  if (!*out) {
    added->next = program->kernels;
    program->kernels = added;
    *out = added;
  }
  tn_mutex_unlock(&program->mu);
  if (*out != added) {
    tn_opencl_kernel_end(added);
  }
  return TN_OK;
}

// Launches under way keep the name that they took: texts stay as long as the program.
void tn_opencl_kernel_show_as(tn_adapter_kernel *kernel, const char *name) {
  tn_adapter_program *program = kernel->program;
  tn_mutex_lock(&program->mu);
  const char *copy = tn_arena_str(&program->arena, tn_str_from(name));
  tn_mutex_unlock(&program->mu);
  if (copy) {
    atomic_store_explicit(&kernel->shown, copy, memory_order_release);
  }
}
