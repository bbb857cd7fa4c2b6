// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs and kernels as counted objects.
//
// The last reference to a program may go anywhere: in a destructor of a module, or on a thread of
// the adapter's that just finished a kernel. So releasing never calls the adapter: the program
// goes to the graveyard, a stack without a lock, and the next build or look-up unloads what lies
// there.
#include "run/program/program_object.h"

#include "base/log.h"
#include "run/program/device_needs.h"
#include "run/program/global_memory.h"
#include "run/program/symbol_text.h"
#include "run/program/tier_upgrade.h"

static tn_program *_Atomic graveyard;

tn_status tn_program_create(tn_device *device, tn_adapter_program *loaded, tn_program **out,
                            tn_diag *diag) {
  *out = NULL;
  tn_program *program = tn_alloc(sizeof(*program));
  if (!program) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a program");
  }
  tn_ref_init(&program->ref);
  program->device = device;
  program->adapter_program = loaded;
  tn_arena_init(&program->arena);
  tn_map_init(&program->records);
  *out = program;
  return TN_OK;
}

static void fill_record(tn_kernel_record *record, const tn_kernel_info *info) {
  *record = (tn_kernel_record){.arg_size = info->arg_size, .arg_align = info->arg_align,
                               .flags = info->flags, .sub_group_size = info->sub_group_size,
                               .args = info->args};
  memcpy(record->group_size, info->group_size, sizeof(record->group_size));
}

bool tn_program_add_record(tn_program *program, const tn_kernel_info *info, size_t member) {
  tn_kernel_record *record = tn_arena_alloc(&program->arena, sizeof(*record));
  const char *name = tn_arena_str(&program->arena, info->name);
  const char *display_name = tn_arena_str(&program->arena, tn_kernel_info_shown_name(info));
  uint8_t *args = tn_arena_alloc(&program->arena, info->args.size + 1);
  if (!record || !name || !display_name || !args) {
    return false;
  }
  fill_record(record, info);
  if (info->args.size > 0) {
    memcpy(args, info->args.data, info->args.size);
    record->args.data = args;
  }
  record->name = name;
  record->display_name = display_name;
  record->member = member;
  return tn_map_set(&program->records, info->name, record);
}

const tn_kernel_record *tn_program_find_record(const tn_program *program, tn_str name) {
  return tn_map_find(&program->records, name);
}

void tn_program_retain(tn_program *program) {
  tn_ref_up(&program->ref);
}

void tn_program_release(tn_program *program) {
  if (!program || !tn_ref_down(&program->ref)) {
    return;
  }
  tn_program *top = atomic_load_explicit(&graveyard, memory_order_relaxed);
  do {
    program->next_dead = top;
  } while (!atomic_compare_exchange_weak_explicit(&graveyard, &top, program, memory_order_release,
                                                  memory_order_relaxed));
}

static void bury_programs(void) {
  if (!atomic_load_explicit(&graveyard, memory_order_relaxed)) {
    return;
  }
  tn_program *program = atomic_exchange_explicit(&graveyard, NULL, memory_order_acquire);
  while (program) {
    tn_program *next = program->next_dead;
    TN_LOG(program, "program %p is unloaded from %s", (void *)program, program->device->name);
    tn_tier_upgrade_drop(program);
    program->device->api->program_unload(program->adapter_program);
    tn_globals_release(program);
    tn_map_deinit(&program->records);
    tn_arena_deinit(&program->arena);
    tn_free_aligned(program->spec_buffer);
    tn_registered_release(program->home);
    tn_free(program);
    program = next;
  }
}

void tn_program_bury(void) {
  bury_programs();
  tn_global_scopes_bury();
}

static bool copy_args(tn_kernel *kernel, const tn_kernel_record *record) {
  const tn_kernel_info info = {.args = record->args};
  kernel->arg_count = tn_kernel_info_arg_count(&info);
  if (kernel->arg_count == 0) {
    return true;
  }
  kernel->args = tn_alloc_array(kernel->arg_count, sizeof(*kernel->args));
  for (size_t i = 0; i < kernel->arg_count && kernel->args; i++) {
    const tn_kernel_arg_info arg = tn_kernel_info_arg_at(&info, i);
    kernel->args[i] = (tn_kernel_arg){arg.offset, arg.size, arg.kind, 0};
  }
  return kernel->args != NULL;
}

static void destroy_kernel(tn_kernel *kernel) {
  tn_free(kernel->args);
  tn_free(kernel->name);
  tn_free(kernel->display_name);
  tn_free(kernel);
}

static uint64_t local_mem_size(const tn_adapter_api *api, tn_adapter_kernel *kernel) {
  uint64_t size = 0;
  return TN_ADAPTER_HAS(api, kernel_get_info) &&
                 api->kernel_get_info(kernel, TN_KERNEL_INFO_LOCAL_MEM_SIZE, &size, sizeof(size),
                                      NULL, NULL) == TN_OK
             ? size
             : 0;
}

// Other work-groups than a required size are an error, whatever the code.
static bool is_partial(const tn_kernel *kernel) {
  const tn_device *device = kernel->device;
  if (!TN_ADAPTER_HAS(device->api, kernel_suits)) {
    return false;
  }
  if (!tn_device_shapes_on_demand(device)) {
    return !device->api->kernel_suits(kernel->adapter_kernel, 0);
  }
  uint64_t largest[1];
  if (tn_device_get_info(device, TN_DEVICE_INFO_MAX_WORK_GROUP_SIZE, largest, sizeof(largest),
                         NULL, NULL) != TN_OK) {
    return true;
  }
  const uint32_t shape = tn_group_shape(device, 1, largest);
  return kernel->group_shape != 0 ||
         (kernel->group_size[0] == 0 && !device->api->kernel_suits(kernel->adapter_kernel, shape));
}

static tn_status load_kernel(tn_program *program, const tn_kernel_record *record, tn_str name,
                             tn_str shown, tn_kernel **out, tn_diag *diag) {
  TN_TRY(tn_device_check_default_sub_group(program->device, record->flags, shown, diag));
  tn_kernel *kernel = tn_alloc(sizeof(*kernel));
  if (!kernel) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "kernel %.*s: no memory", TN_STR_ARG(shown));
  }
  const tn_adapter_api *api = program->device->api;
  kernel->name = tn_str_copy(name);
  kernel->display_name = tn_str_copy(shown);
  tn_status status = TN_OK;
  if (!kernel->name || !kernel->display_name || !copy_args(kernel, record)) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "kernel %.*s: no memory", TN_STR_ARG(shown));
  } else {
    status = api->kernel_find(program->adapter_program, kernel->name, &kernel->adapter_kernel,
                              diag);
    if (status == TN_DEVICE_FAILED || status == TN_OUT_OF_MEMORY) {
      tn_diag_prepend(diag, "kernel %.*s", TN_STR_ARG(shown));
    }
  }
  if (status != TN_OK) {
    destroy_kernel(kernel);
    return status;
  }
  api->kernel_show_as(kernel->adapter_kernel, kernel->display_name);
  tn_ref_init(&kernel->ref);
  kernel->arg_size = record->arg_size;
  kernel->arg_align = record->arg_align;
  kernel->flags = record->flags;
  memcpy(kernel->group_size, record->group_size, sizeof(kernel->group_size));
  kernel->sub_group_size = record->sub_group_size;
  kernel->local_mem_size = local_mem_size(api, kernel->adapter_kernel);
  kernel->dims = record->flags >> TN_KERNEL_DIMENSIONS_AT & 3u;
  kernel->is_single_task = (record->flags & TN_KERNEL_IS_SINGLE_TASK) != 0;
  kernel->device = program->device;
  kernel->program = program;
  kernel->home = program->home;
  kernel->group_shape = tn_device_shapes_on_demand(program->device) ? program->group_shape : 0;
  kernel->is_partial = is_partial(kernel);
  tn_program_retain(program);
  TN_LOG(program, "kernel %s on %s", kernel->display_name, program->device->name);
  *out = kernel;
  return TN_OK;
}

uint32_t tn_group_shape(const tn_device *device, uint32_t dims, const uint64_t *local) {
  uint64_t sizes[3] = {1, 1, 1};
  for (uint32_t d = 0; d < dims && dims <= 3; d++) {  // more are an error of the launch
    sizes[d] = local[dims - 1 - d];
  }
  return TN_ADAPTER_HAS(device->api, group_shape)
             ? device->api->group_shape(device->adapter_device, sizes)
             : 0;
}

tn_status tn_kernel_load(tn_program *program, tn_str name, tn_kernel **out, tn_diag *diag) {
  *out = NULL;
  const tn_kernel_record *record = tn_program_find_record(program, name);
  if (TN_NEVER(!record)) {
    return TN_FAIL(diag, INTERNAL, "kernel %.*s is not in the program built for it",
                   TN_STR_ARG(name));
  }
  return load_kernel(program, record, tn_str_from(record->name), tn_str_from(record->display_name),
                     out, diag);
}

tn_status tn_kernel_load_native(tn_program *program, const tn_kernel_info *info, tn_kernel **out,
                                tn_diag *diag) {
  *out = NULL;
  tn_kernel_record record;
  fill_record(&record, info);
  return load_kernel(program, &record, info->name, tn_kernel_info_shown_name(info), out, diag);
}

bool tn_kernel_begin_use(tn_kernel *kernel) {
  if (kernel->home && !tn_registered_enter(kernel->home)) {
    return false;
  }
  tn_kernel_retain(kernel);
  return true;
}

void tn_kernel_end_use(tn_kernel *kernel) {
  if (!kernel) {
    return;
  }
  if (kernel->home) {
    tn_registered_leave(kernel->home);
  }
  tn_kernel_release(kernel);
}

void tn_kernel_retain(tn_kernel *kernel) {
  tn_ref_up(&kernel->ref);
}

void tn_kernel_release(tn_kernel *kernel) {
  if (kernel && tn_ref_down(&kernel->ref)) {
    tn_program *program = kernel->program;
    destroy_kernel(kernel);
    tn_program_release(program);
  }
}

const char *tn_kernel_name(const tn_kernel *kernel) {
  return kernel->display_name;
}

size_t tn_kernel_arg_count(const tn_kernel *kernel) {
  return kernel->arg_count;
}

tn_status tn_kernel_arg_at(const tn_kernel *kernel, size_t index, tn_kernel_arg *out,
                           tn_diag *diag) {
  if (!kernel || !out) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_kernel_arg_at: the %s is NULL",
                   !kernel ? "kernel" : "place for the argument");
  }
  *out = (tn_kernel_arg){0};
  if (index >= kernel->arg_count) {
    return (kernel->flags & TN_KERNEL_IS_FUNCTION) == 0
               ? TN_FAIL(diag, INVALID_ARGUMENT,
                         "kernel %s is a function object: it has one block of %u bytes, and no "
                         "arguments of its own",
                         kernel->display_name, kernel->arg_size)
               : TN_FAIL(diag, INVALID_ARGUMENT,
                         "kernel %s has %zu arguments: there is none of index %zu",
                         kernel->display_name, kernel->arg_count, index);
  }
  if (kernel->is_native) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "kernel %s was made with the device's driver, which does not describe its "
                   "arguments",
                   kernel->display_name);
  }
  *out = kernel->args[index];
  return TN_OK;
}

int tn_kernel_is_function(const tn_kernel *kernel) {
  return (kernel->flags & TN_KERNEL_IS_FUNCTION) != 0;
}

size_t tn_kernel_arg_size(const tn_kernel *kernel) {
  return kernel->arg_size;
}
