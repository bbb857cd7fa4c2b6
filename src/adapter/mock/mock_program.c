// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mock's programs: a text that names kernels.
#include "adapter/mock/mock_device.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/info.h"
#include "tenon/kernel.h"

struct tn_adapter_kernel {
  tn_adapter_kernel *next;
  const char *name;  // in the program's arena
};

struct tn_adapter_program {
  tn_adapter_device *device;
  tn_arena arena;
  tn_adapter_kernel *kernels;  // in the arena; immutable after load
};

static tn_status add_line(tn_adapter_program *program, tn_str line, size_t number, tn_diag *diag) {
  const tn_str text = tn_str_trim(line);
  if (tn_str_is_empty(text) || text.data[0] == '#') {
    return TN_OK;
  }
  const tn_str word = TN_STR_LIT("kernel ");
  if (!tn_str_has_prefix(text, word)) {
    return TN_FAIL(diag, BUILD_FAILED,
                   "mock program, line %zu: \"%.*s\" is not of the form \"kernel NAME\"", number,
                   TN_STR_ARG(text));
  }
  tn_adapter_kernel *kernel = tn_arena_alloc(&program->arena, sizeof(*kernel));
  const tn_str name = tn_str_trim(tn_str_slice(text, word.size, text.size));
  char *copy = tn_arena_str(&program->arena, name);
  if (kernel == NULL || copy == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a program of the mock device");
  }
  kernel->name = copy;
  kernel->next = program->kernels;
  program->kernels = kernel;
  return TN_OK;
}

static void count_program(tn_adapter_device *device, bool is_more) {
  tn_mutex_lock(&device->mu);
  device->program_count += is_more ? 1 : (size_t)-1;
  tn_mutex_unlock(&device->mu);
}

tn_status tn_mock_program_load(tn_adapter_device *device, const void *code, size_t size,
                               tn_adapter_program **out, tn_diag *diag) {
  *out = NULL;
  if (tn_mock_must_fail(device, TN_MOCK_LOAD)) {
    return TN_FAIL(diag, BUILD_FAILED, "the mock device was told to fail this load");
  }
  tn_adapter_program *program = tn_alloc(sizeof(*program));
  if (program == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a program of the mock device");
  }
  program->device = device;
  tn_arena_init(&program->arena);
  count_program(device, true);
  tn_str rest = {code, size};
  tn_status status = TN_OK;
  for (size_t number = 1; rest.data != NULL && status == TN_OK; number++) {
    status = add_line(program, tn_str_split(&rest, '\n'), number, diag);
  }
  if (status != TN_OK) {
    tn_mock_program_unload(program);
    return status;
  }
  *out = program;
  return TN_OK;
}

void tn_mock_program_unload(tn_adapter_program *program) {
  if (program != NULL) {
    count_program(program->device, false);
    tn_arena_deinit(&program->arena);
    tn_free(program);
  }
}

tn_status tn_mock_kernel_find(tn_adapter_program *program, const char *name,
                              tn_adapter_kernel **out, tn_diag *diag) {
  *out = NULL;
  if (tn_mock_must_fail(program->device, TN_MOCK_FIND)) {
    return TN_FAIL(diag, KERNEL_NOT_FOUND, "the mock device was told not to find kernel %s", name);
  }
  for (tn_adapter_kernel *kernel = program->kernels; kernel != NULL; kernel = kernel->next) {
    if (tn_str_equals(tn_str_from(kernel->name), tn_str_from(name))) {
      *out = kernel;
      return TN_OK;
    }
  }
  return TN_FAIL(diag, KERNEL_NOT_FOUND, "the mock program has no kernel %s", name);
}

// All kernels need the same; the runtime answers for the rest.
tn_status tn_mock_kernel_get_info(tn_adapter_kernel *kernel, int32_t what, void *out, size_t size,
                                  size_t *out_size, tn_diag *diag) {
  const uint64_t private_size = TN_MOCK_PRIVATE_SIZE;
  if (what != TN_KERNEL_INFO_PRIVATE_MEM_SIZE) {
    return TN_FAIL(diag, UNSUPPORTED, "the mock device knows no kernel info %d of %s", (int)what,
                   kernel->name);
  }
  return tn_info_write(&private_size, sizeof(private_size), out, size, out_size, diag);
}

const char *tn_mock_kernel_name(const tn_adapter_kernel *kernel) { return kernel->name; }

size_t tn_mock_program_count(tn_adapter_device *device) {
  tn_mutex_lock(&device->mu);
  const size_t count = device->program_count;
  tn_mutex_unlock(&device->mu);
  return count;
}
