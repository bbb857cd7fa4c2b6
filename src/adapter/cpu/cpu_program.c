// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs on the CPU: objects that are put into memory here, objects that this needs the
// compiler for, and tables of machine code that lies in the user's program (tn_native_table).
#include "adapter/cpu/cpu_object.h"
#include "base/alloc.h"
#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_MAXIMUM = 1 << 20 };

struct tn_adapter_program {
  tn_cpu_code code;              // empty unless it was put into memory here
  tn_cpu_code full;              // the full tier of `code`, whose kernels point to its; or empty
  const tn_compiler *compiler;   // static lifetime; NULL unless the compiler did so
  tn_native_code *native_code;   // owned, through the compiler
  const tn_native_table *table;  // its owner keeps it as long as kernels are found and run
  tn_adapter_kernel *in_table;   // owned: one for each of the table, those found so far filled in
  size_t table_count;
  const void *spec_constants;  // borrowed; what its functions read
  bool is_checked;             // its kernels are built with checks
  uint64_t stack_size;         // of the device's threads
  tn_mutex mu;
  tn_adapter_kernel *kernels TN_GUARDED_BY(&mu);  // owned; found so far through the compiler
};

static tn_status load_by_compiler(tn_adapter_device *device, const void *code, size_t size,
                                  tn_adapter_program *program, tn_diag *diag) {
  const tn_compiler *compiler = NULL;
  TN_TRY(device->adapter->host->get_compiler(&compiler, diag));
  TN_TRY(compiler->code_load(code, size, &program->native_code, diag));
  program->compiler = compiler;
  return TN_OK;
}

tn_status tn_cpu_program_load(tn_adapter_device *device, const void *code, size_t size,
                              tn_adapter_program **out, tn_diag *diag) {
  *out = NULL;
  tn_adapter_program *program = tn_alloc(sizeof(*program));
  if (program == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a program");
  }
  tn_status status = tn_cpu_code_load(tn_bytes_from(code, size), &program->code, diag);
  if (status == TN_UNSUPPORTED) {
    status = load_by_compiler(device, code, size, program, diag);
  }
  if (status != TN_OK) {
    tn_free(program);
    return status;
  }
  program->stack_size = tn_cpu_pool_stack_size(device->pool);
  program->is_checked = device->adapter->host->check != 0;
  for (size_t i = 0; i < program->code.kernel_count; i++) {
    program->code.kernels[i].is_checked = program->is_checked;
  }
  tn_mutex_init(&program->mu, TN_RANK_ADAPTER);
  *out = program;
  return TN_OK;
}

tn_status tn_cpu_program_load_table(tn_adapter_device *device, const tn_native_table *table,
                                    tn_adapter_program **out, tn_diag *diag) {
  *out = NULL;
  if (table == NULL || table->version != TN_CPU_KERNEL_VERSION) {
    return TN_FAIL(diag, UNSUPPORTED, "machine code of version %u, this runtime calls version %d",
                   table != NULL ? table->version : 0u, (int)TN_CPU_KERNEL_VERSION);
  }
  tn_adapter_program *program = tn_alloc(sizeof(*program));
  tn_adapter_kernel *kernels = tn_alloc_array((size_t)table->kernel_count + 1, sizeof(*kernels));
  if (program == NULL || kernels == NULL) {
    tn_free(program);
    tn_free(kernels);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a program of %u kernels",
                   table->kernel_count);
  }
  program->table = table;
  program->in_table = kernels;
  program->table_count = table->kernel_count;
  program->stack_size = tn_cpu_pool_stack_size(device->pool);
  tn_mutex_init(&program->mu, TN_RANK_ADAPTER);
  *out = program;
  return TN_OK;
}

tn_status tn_cpu_program_set_specs(tn_adapter_program *program, const void *values, size_t size,
                                   tn_diag *diag) {
  (void)size;
  (void)diag;
  program->spec_constants = values;
  for (size_t i = 0; i < program->code.kernel_count; i++) {
    program->code.kernels[i].spec_constants = values;
  }
  return TN_OK;
}

// Launches are prepared for either tier: only the function may differ.
static bool is_same(const tn_cpu_needs *a, const tn_cpu_needs *b) {
  return a->slot_bytes == 0 && b->slot_bytes == 0 && a->group_memory == b->group_memory &&
         a->is_groupless == b->is_groupless && b->forms.form == TN_CPU_FORM_ANY;
}

tn_status tn_cpu_program_upgrade(tn_adapter_program *program, const void *code, size_t size,
                                 tn_diag *diag) {
  tn_cpu_code full;
  TN_TRY(tn_cpu_code_load(tn_bytes_from(code, size), &full, diag));
  for (size_t i = 0; i < program->code.kernel_count; i++) {
    const tn_adapter_kernel *kernel = &program->code.kernels[i];
    const tn_adapter_kernel *other = tn_cpu_code_find(&full, tn_str_from(kernel->name));
    if (other == NULL || !is_same(&kernel->needs, &other->needs)) {
      const tn_status status =
          TN_FAIL(diag, BAD_IMAGE, "the full tier of kernel %s does not match its quick tier",
                  tn_cpu_kernel_shown(kernel));
      tn_cpu_code_unload(&full);
      return status;
    }
  }
  program->full = full;
  for (size_t i = 0; i < program->code.kernel_count; i++) {
    tn_adapter_kernel *kernel = &program->code.kernels[i];
    atomic_store_explicit(&kernel->full,
                          tn_cpu_code_find(&program->full, tn_str_from(kernel->name)),
                          memory_order_release);
  }
  return TN_OK;
}

static void free_kernels(tn_adapter_program *program) TN_NO_ANALYSIS {
  while (program->kernels != NULL) {
    tn_adapter_kernel *kernel = program->kernels;
    program->kernels = kernel->next;
    tn_free(kernel->name);
    tn_free(atomic_load_explicit(&kernel->shown, memory_order_relaxed));
    tn_free(kernel);
  }
}

void tn_cpu_program_unload(tn_adapter_program *program) {
  if (program == NULL) {
    return;
  }
  free_kernels(program);
  for (size_t i = 0; i < program->table_count; i++) {
    tn_free(atomic_load_explicit(&program->in_table[i].shown, memory_order_relaxed));
  }
  tn_free(program->in_table);
  if (program->compiler != NULL) {
    program->compiler->code_unload(program->native_code);
  }
  tn_cpu_code_unload(&program->full);
  tn_cpu_code_unload(&program->code);
  tn_mutex_deinit(&program->mu);
  tn_free(program);
}

static tn_adapter_kernel *find_known(const tn_adapter_program *program, const char *name)
    TN_REQUIRES(&program->mu) {
  tn_adapter_kernel *kernel = program->kernels;
  while (kernel != NULL && strcmp(kernel->name, name) != 0) {
    kernel = kernel->next;
  }
  return kernel;
}

// `*out` is NULL when the program has no such symbol.
static tn_status find_symbol(tn_adapter_program *program, const char *name, const char *suffix,
                             void **out, tn_diag *diag) {
  tn_buf symbol;
  tn_buf_init(&symbol, NAME_MAXIMUM);
  tn_buf_add_text(&symbol, name);
  tn_buf_add_text(&symbol, suffix);
  const tn_status status = tn_buf_status(&symbol, diag);
  *out = status == TN_OK ? program->compiler->code_find(program->native_code, tn_buf_text(&symbol))
                         : NULL;
  tn_buf_deinit(&symbol);
  return status;
}

static tn_status find_function(tn_adapter_program *program, const char *name, tn_cpu_kernel_fn *out,
                               tn_diag *diag) {
  void *address = NULL;
  TN_TRY(find_symbol(program, name, TN_CPU_KERNEL_SUFFIX, &address, diag));
  if (address == NULL) {
    return TN_FAIL(diag, KERNEL_NOT_FOUND, "the program for the CPU has no kernel %s", name);
  }
  // ISO C has no conversion from an object pointer to a function pointer.
  memcpy(out, &address, sizeof(address));
  return TN_OK;
}

// What the kernel says about its groups' memory, of which most need none.
static tn_status find_needs(tn_adapter_program *program, const char *name, tn_cpu_needs *out,
                            tn_diag *diag) {
  *out = (tn_cpu_needs){0};
  void *address = NULL;
  TN_TRY(find_symbol(program, name, TN_CPU_NEEDS_SUFFIX, &address, diag));
  if (address != NULL) {
    memcpy(out, address, sizeof(*out));
  }
  return TN_OK;
}

static int compare_name(const void *name, const void *kernel) {
  return strcmp(name, ((const tn_native_kernel *)kernel)->name);
}

static tn_status find_in_table(tn_adapter_program *program, const char *name,
                               tn_adapter_kernel **out, tn_diag *diag) {
  const tn_native_table *table = program->table;
  const tn_native_kernel *entry =
      bsearch(name, table->kernels, program->table_count, sizeof(*entry), compare_name);
  if (entry == NULL) {
    return TN_FAIL(diag, KERNEL_NOT_FOUND, "the machine code for the CPU has no kernel %s", name);
  }
  tn_adapter_kernel *kernel = &program->in_table[entry - table->kernels];
  tn_mutex_lock(&program->mu);
  if (kernel->function == NULL) {
    kernel->function = entry->function;
    kernel->needs = entry->needs != NULL ? *entry->needs : (tn_cpu_needs){0};
    kernel->spec_constants = program->spec_constants;
  }
  tn_mutex_unlock(&program->mu);
  *out = kernel;
  return TN_OK;
}

static tn_status find_in_code(const tn_adapter_program *program, const char *name,
                              tn_adapter_kernel **out, tn_diag *diag) {
  *out = tn_cpu_code_find(&program->code, tn_str_from(name));
  return *out != NULL
             ? TN_OK
             : TN_FAIL(diag, KERNEL_NOT_FOUND, "the program for the CPU has no kernel %s", name);
}

// Found outside the lock, since that calls the compiler; a thread that loses the race drops its
// own finding, so that all launches of a kernel learn of one cost.
static tn_status find_by_compiler(tn_adapter_program *program, const char *name,
                                  tn_adapter_kernel **out, tn_diag *diag) {
  tn_cpu_kernel_fn function = NULL;
  tn_cpu_needs needs;
  TN_TRY(find_function(program, name, &function, diag));
  TN_TRY(find_needs(program, name, &needs, diag));
  tn_adapter_kernel *made = tn_alloc(sizeof(*made));
  char *name_copy = tn_str_copy(tn_str_from(name));
  if (made == NULL || name_copy == NULL) {
    tn_free(made);
    tn_free(name_copy);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for kernel %s", name);
  }
  made->function = function;
  made->name = name_copy;
  made->is_checked = program->is_checked;
  made->spec_constants = program->spec_constants;
  made->needs = needs;
  tn_mutex_lock(&program->mu);
  tn_adapter_kernel *kernel = find_known(program, name);
  if (kernel == NULL) {
    made->next = program->kernels;
    program->kernels = made;
    kernel = made;
    made = NULL;
  }
  tn_mutex_unlock(&program->mu);
  if (made != NULL) {
    tn_free(made->name);
    tn_free(made);
  }
  *out = kernel;
  return TN_OK;
}

tn_status tn_cpu_kernel_find(tn_adapter_program *program, const char *name, tn_adapter_kernel **out,
                             tn_diag *diag) {
  *out = NULL;
  tn_adapter_kernel *kernel = NULL;
  if (program->table != NULL) {
    TN_TRY(find_in_table(program, name, &kernel, diag));
  } else if (program->compiler != NULL) {
    TN_TRY(find_by_compiler(program, name, &kernel, diag));
  } else {
    TN_TRY(find_in_code(program, name, &kernel, diag));
  }
  TN_TRY(tn_cpu_stack_check(kernel, program->stack_size, diag));
  *out = kernel;
  return TN_OK;
}
