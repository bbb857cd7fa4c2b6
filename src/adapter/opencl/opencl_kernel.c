// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's launch: the block by value, and the size of its local memory (docs/decisions/
// gpu-lowering.md).
//
// The driver's kernel objects hold arguments, so a launch has one for itself while it sets them:
// objects that are not in use are kept for the next launch.
#include "adapter/opencl/opencl_code.h"
#include "base/alloc.h"
#include "base/info.h"
#include "tenon/kernel.h"

#include <stdio.h>
#include <string.h>

struct tn_opencl_object {
  tn_opencl_object *next;
  tn_cl_kernel handle;
};

static tn_status create_object(tn_adapter_kernel *kernel, tn_opencl_object **out, tn_diag *diag) {
  tn_adapter_device *device = tn_opencl_program_device(kernel->program);
  tn_opencl_object *object = tn_alloc(sizeof(*object));
  if (!object) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for kernel %s", kernel->name);
  }
  tn_cl_int result = TN_CL_SUCCESS;
  object->handle = device->driver->kernel_create(tn_opencl_program_handle(kernel->program),
                                                 kernel->symbol, &result);
  if (object->handle) {
    result = tn_opencl_memory_prepare(device, object->handle);
    if (result == TN_CL_SUCCESS) {
      *out = object;
      return TN_OK;
    }
    (void)device->driver->kernel_release(object->handle);
  }
  tn_free(object);
  return result == TN_CL_INVALID_KERNEL_NAME
             ? TN_FAIL_NATIVE(diag, KERNEL_NOT_FOUND, result,
                              "%s: the loaded code has no kernel %s", device->name, kernel->symbol)
             : tn_opencl_fail(result, kernel->symbol, diag);
}

static tn_status take_object(tn_adapter_kernel *kernel, tn_opencl_object **out, tn_diag *diag) {
  tn_mutex_lock(&kernel->mu);
  *out = kernel->objects;
  kernel->objects = *out ? (*out)->next : NULL;
  tn_mutex_unlock(&kernel->mu);
  return *out ? TN_OK : create_object(kernel, out, diag);
}

static void give_back(tn_adapter_kernel *kernel, tn_opencl_object *object) {
  tn_mutex_lock(&kernel->mu);
  object->next = kernel->objects;
  kernel->objects = object;
  tn_mutex_unlock(&kernel->mu);
}

static uint64_t ask_group(tn_adapter_device *device, tn_cl_kernel handle, tn_cl_uint what) {
  uint64_t value = 0;  // size_t or cl_ulong
  return device->driver->kernel_group_info(handle, device->handle, what, sizeof(value), &value,
                                           NULL) == TN_CL_SUCCESS
             ? value
             : 0;
}

// What the kernel's variables take, asked before arguments count as well. Drivers find out at the
// launch, and some end the process then.
static tn_status check_local_memory(tn_adapter_device *device, tn_adapter_kernel *kernel,
                                    const tn_opencl_object *object, tn_diag *diag) {
  const uint64_t size = ask_group(device, object->handle, TN_CL_KERNEL_LOCAL_MEM_SIZE);
  kernel->local_size = tn_opencl_local_beyond_reserve(size);
  return size <= device->local_memory_size
             ? TN_OK
             : TN_FAIL(diag, OUT_OF_MEMORY,
                       "group_local_memory or work_group_static: a kernel asks for %llu bytes; "
                       "device %s has %llu (kernel %s)",
                       (unsigned long long)size, device->name,
                       (unsigned long long)device->local_memory_size, kernel->name);
}

tn_status tn_opencl_kernel_begin(tn_adapter_kernel *kernel, tn_diag *diag) {
  tn_adapter_device *device = tn_opencl_program_device(kernel->program);
  tn_opencl_object *object = NULL;
  TN_TRY(create_object(kernel, &object, diag));
  tn_mutex_init(&kernel->mu, TN_RANK_ADAPTER);
  (void)device->driver->kernel_info(object->handle, TN_CL_KERNEL_NUM_ARGS,
                                    sizeof(kernel->argument_count), &kernel->argument_count, NULL);
  (void)device->driver->kernel_group_info(object->handle, device->handle, TN_CL_KERNEL_COMPILE_SIZE,
                                          sizeof(kernel->required_size), kernel->required_size,
                                          NULL);
  give_back(kernel, object);
  const tn_status status = check_local_memory(device, kernel, object, diag);
  if (status != TN_OK) {
    tn_opencl_kernel_end(kernel);
  }
  return status;
}

tn_status tn_opencl_kernel_handle(tn_adapter_kernel *kernel, tn_cl_kernel *out, tn_diag *diag) {
  tn_opencl_object *object = NULL;
  TN_TRY(take_object(kernel, &object, diag));
  tn_mutex_lock(&kernel->mu);
  tn_opencl_object *spare = kernel->given ? object : NULL;
  kernel->given = kernel->given ? kernel->given : object;
  *out = kernel->given->handle;
  tn_mutex_unlock(&kernel->mu);
  if (spare) {
    give_back(kernel, spare);
  }
  return TN_OK;
}

tn_status tn_opencl_kernel_give(tn_adapter_kernel *kernel, tn_cl_kernel handle, tn_diag *diag) {
  tn_adapter_device *device = tn_opencl_program_device(kernel->program);
  tn_opencl_object *object = tn_alloc(sizeof(*object));
  if (!object) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for kernel %s", kernel->name);
  }
  const tn_cl_int result = device->driver->kernel_retain(handle);
  if (result != TN_CL_SUCCESS) {
    tn_free(object);
    return tn_opencl_fail(result, kernel->name, diag);
  }
  object->handle = handle;
  tn_mutex_lock(&kernel->mu);
  kernel->given = object;
  tn_mutex_unlock(&kernel->mu);
  return TN_OK;
}

void tn_opencl_kernel_end(tn_adapter_kernel *kernel) {
  tn_mutex_lock(&kernel->mu);
  tn_opencl_object *object = kernel->objects;
  if (kernel->given) {
    kernel->given->next = object;
    object = kernel->given;
  }
  kernel->objects = NULL;
  kernel->given = NULL;
  tn_mutex_unlock(&kernel->mu);
  while (object) {
    tn_opencl_object *next = object->next;
    (void)tn_opencl_program_device(kernel->program)->driver->kernel_release(object->handle);
    tn_free(object);
    object = next;
  }
  tn_mutex_deinit(&kernel->mu);
}

// Where the arguments lie in a launch's block.
typedef struct argument_list {
  const uint8_t *all;
  size_t stride;
  size_t count;
} argument_list;

static tn_kernel_arg_info argument_at(const argument_list *list, size_t index) {
  tn_kernel_arg_info one;
  memcpy(&one, list->all + index * list->stride, sizeof(one));
  return one;
}
_Static_assert(offsetof(tn_kernel_arg, kind) == offsetof(tn_kernel_arg_info, kind) &&
                   sizeof(tn_kernel_arg) >= sizeof(tn_kernel_arg_info),
               "both begin with an argument's offset, size and kind");

// What the block of a kernel that is the program's own begins with. False when there is no such
// list, or an argument lies outside the block.
static bool read_arguments(const tn_adapter_launch *launch, argument_list *out) {
  uint64_t count = 0;
  if (launch->arg_size < TN_KERNEL_ARG_LIST_AT) {
    return false;
  }
  memcpy(&count, launch->args, sizeof(count));
  *out = (argument_list){(const uint8_t *)launch->args + TN_KERNEL_ARG_LIST_AT,
                         sizeof(tn_kernel_arg), count};
  bool is_whole = count <= (launch->arg_size - TN_KERNEL_ARG_LIST_AT) / sizeof(tn_kernel_arg);
  for (size_t i = 0; is_whole && i < count; i++) {
    const tn_kernel_arg_info one = argument_at(out, i);
    is_whole = one.offset <= launch->arg_size && one.size <= launch->arg_size - one.offset;
  }
  return is_whole;
}

// Local memory begins where the block says, and ends where the next one begins.
static size_t local_size(const tn_adapter_launch *launch, const argument_list *arguments,
                         uint64_t begin) {
  uint64_t end = launch->local_memory_size;
  for (size_t i = 0; i < arguments->count; i++) {
    const tn_kernel_arg_info one = argument_at(arguments, i);
    uint64_t other = 0;
    if (one.kind == TN_ARG_LOCAL) {
      memcpy(&other, (const uint8_t *)launch->args + one.offset, sizeof(other));
      end = other > begin && other < end ? other : end;
    }
  }
  return end > begin ? end - begin : 1;
}

static tn_cl_int set_one_by_one(tn_adapter_device *device, tn_cl_kernel handle,
                                const tn_adapter_launch *launch, const argument_list *arguments) {
  const tn_cl_driver *driver = device->driver;
  tn_cl_int result = TN_CL_SUCCESS;
  for (size_t i = 0; i < arguments->count && result == TN_CL_SUCCESS; i++) {
    const tn_kernel_arg_info one = argument_at(arguments, i);
    const uint8_t *value = (const uint8_t *)launch->args + one.offset;
    const tn_cl_uint index = (tn_cl_uint)i;
    void *pointer = NULL;
    uint64_t begin = 0;
    switch (one.kind) {
      case TN_ARG_POINTER:
        memcpy(&pointer, value, sizeof(pointer));
        result = device->memory_api == TN_OPENCL_MEMORY_USM
                     ? device->usm.kernel_pointer(handle, index, pointer)
                     : driver->kernel_pointer(handle, index, pointer);
        break;
      case TN_ARG_LOCAL:
        memcpy(&begin, value, sizeof(begin));
        result = driver->kernel_argument(handle, index, local_size(launch, arguments, begin), NULL);
        break;
      default:
        result = driver->kernel_argument(handle, index, one.size, value);
        break;
    }
  }
  return result == TN_CL_SUCCESS ? tn_opencl_memory_use(device, handle) : result;
}

// The kernel aligns its local memory itself.
static tn_cl_int set_arguments(tn_adapter_device *device, tn_cl_kernel handle,
                               const tn_adapter_launch *launch) {
  const tn_cl_driver *driver = device->driver;
  const tn_opencl_arguments *arguments = launch->kernel->arguments;
  argument_list list;
  if (launch->kernel->is_native) {
    return read_arguments(launch, &list) ? set_one_by_one(device, handle, launch, &list)
                                         : TN_CL_INVALID_KERNEL_ARGS;
  }
  if (arguments) {
    list =
        (argument_list){(const uint8_t *)arguments->all, sizeof(*arguments->all), arguments->count};
    return set_one_by_one(device, handle, launch, &list);
  }
  const uint32_t block_count = launch->arg_size > 0 && launch->kernel->argument_count > 0 ? 1 : 0;
  tn_cl_int result = TN_CL_SUCCESS;
  if (block_count > 0) {
    result = driver->kernel_argument(handle, 0, launch->arg_size, launch->args);
  }
  if (result == TN_CL_SUCCESS && launch->kernel->argument_count > block_count) {
    const size_t size = launch->local_memory_size + TN_OPENCL_LOCAL_ALIGNMENT;
    result = driver->kernel_argument(handle, launch->kernel->argument_count - 1, size, NULL);
  }
  return result == TN_CL_SUCCESS ? tn_opencl_memory_use(device, handle) : result;
}

static tn_status fail_launch(const tn_adapter_device *device, const tn_adapter_launch *launch,
                             tn_cl_int result, tn_diag *diag) {
  char what[640];
  const char *shown = atomic_load_explicit(&launch->kernel->shown, memory_order_acquire);
  (void)snprintf(what, sizeof(what),
                 "kernel %.300s on device %.100s, %llu x %llu x %llu work-items in groups of "
                 "%llu x %llu x %llu, %llu bytes of local memory",
                 shown, device->name, (unsigned long long)launch->global[2],
                 (unsigned long long)launch->global[1], (unsigned long long)launch->global[0],
                 (unsigned long long)launch->local[2], (unsigned long long)launch->local[1],
                 (unsigned long long)launch->local[0],
                 (unsigned long long)launch->local_memory_size);
  return tn_opencl_fail(result, what, diag);
}

// The memory in which a group's sub-groups meet has a place for each.
static tn_status check_sub_groups(const tn_adapter_device *device, tn_cl_kernel handle,
                                  const tn_adapter_launch *launch, tn_diag *diag) {
  const size_t local[3] = {launch->local[0], launch->local[1], launch->local[2]};
  size_t count = 0;
  if (!launch->has_local || local[0] * local[1] * local[2] <= device->sure_group_size ||
      device->driver->kernel_sub_group_info(handle, device->handle, TN_CL_KERNEL_SUB_GROUP_COUNT,
                                            launch->dims * sizeof(size_t), local, sizeof(count),
                                            &count, NULL) != TN_CL_SUCCESS ||
      count <= TN_OPENCL_SUB_GROUPS_MAXIMUM) {
    return TN_OK;
  }
  return TN_FAIL(diag, INVALID_ARGUMENT,
                 "kernel %.300s on device %.100s: a work-group of %zu x %zu x %zu has %zu "
                 "sub-groups there, and at most %d can work together: choose smaller groups",
                 atomic_load_explicit(&launch->kernel->shown, memory_order_acquire), device->name,
                 local[2], local[1], local[0], count, TN_OPENCL_SUB_GROUPS_MAXIMUM);
}

// A plain range in groups of the size that the kernel requires, where they cover it.
static bool has_required_groups(const tn_adapter_launch *launch) {
  const size_t *size = launch->kernel->required_size;
  return !launch->has_local && size[0] * size[1] * size[2] > 0 &&
         launch->global[0] % size[0] == 0 && launch->global[1] % size[1] == 0 &&
         launch->global[2] % size[2] == 0;
}

typedef struct ranges {
  size_t global[3];
  size_t local[3];
  size_t offset[3];
  const size_t *groups;  // the local size; NULL: the driver chooses
} ranges;

static void find_ranges(const tn_adapter_launch *launch, ranges *out) {
  for (size_t i = 0; i < 3; i++) {
    out->global[i] = launch->global[i];
    out->local[i] = launch->local[i];
    out->offset[i] = launch->offset[i];
  }
  out->groups = launch->has_local             ? out->local
                : has_required_groups(launch) ? launch->kernel->required_size
                                              : NULL;
}

// A kernel object with the launch's arguments.
static tn_status take_ready(tn_adapter_device *device, const tn_adapter_launch *launch,
                            tn_opencl_object **out, tn_diag *diag) {
  TN_TRY(take_object(launch->kernel, out, diag));
  tn_status status = check_sub_groups(device, (*out)->handle, launch, diag);
  if (status == TN_OK) {
    const tn_cl_int result = set_arguments(device, (*out)->handle, launch);
    status = result == TN_CL_SUCCESS ? TN_OK : fail_launch(device, launch, result, diag);
  }
  if (status != TN_OK) {
    give_back(launch->kernel, *out);
  }
  return status;
}

tn_status tn_opencl_launch(tn_adapter_device *device, const tn_adapter_launch *launch,
                           tn_cl_queue queue, tn_cl_event *out, tn_diag *diag) {
  ranges r;
  tn_opencl_object *object = NULL;
  TN_TRY(take_ready(device, launch, &object, diag));
  find_ranges(launch, &r);
  const tn_cl_int result = device->driver->launch(queue, object->handle, launch->dims, r.offset,
                                                  r.global, r.groups, 0, NULL, out);
  give_back(launch->kernel, object);
  return result == TN_CL_SUCCESS ? TN_OK : fail_launch(device, launch, result, diag);
}

tn_status tn_opencl_record_launch(tn_adapter_device *device, const tn_adapter_launch *launch,
                                  const tn_opencl_insertion *insertion, tn_cl_mutable *handle,
                                  tn_diag *diag) {
  static const tn_cl_bits changes[] = {TN_CL_MUTABLE_FIELDS, TN_CL_MUTABLE_ALL, 0};
  ranges r;
  tn_opencl_object *object = NULL;
  TN_TRY(take_ready(device, launch, &object, diag));
  find_ranges(launch, &r);
  const tn_cl_int result = device->recorder.kernel(
      insertion->buffer, NULL, handle ? changes : NULL, object->handle, launch->dims, r.offset,
      r.global, r.groups, insertion->after_count, insertion->after, insertion->out, handle);
  give_back(launch->kernel, object);
  return result == TN_CL_SUCCESS ? TN_OK : fail_launch(device, launch, result, diag);
}

bool tn_opencl_change_launch(tn_adapter_device *device, tn_cl_command_buffer buffer,
                             tn_cl_mutable handle, const tn_adapter_launch *before,
                             const tn_adapter_launch *launch) {
  static const tn_cl_uint types[] = {0};
  const uint32_t argument_count = launch->kernel->argument_count;
  tn_cl_mutable_argument block = {0};
  tn_cl_uint count = 0;
  ranges old;
  ranges r;
  find_ranges(before, &old);
  find_ranges(launch, &r);
  if (launch->kernel != before->kernel || launch->kernel->arguments ||
      launch->dims != before->dims || !old.groups != !r.groups ||
      launch->local_memory_size != before->local_memory_size || launch->has_local) {
    return false;  // a group's size is checked when a launch is recorded
  }
  if (launch->arg_size > 0 && argument_count > 0) {
    block = (tn_cl_mutable_argument){0, launch->arg_size, launch->args};
    count = 1;
  }
  const tn_cl_mutable_config config = {.command = handle,
                                       .argument_count = count,
                                       .dims = launch->dims,
                                       .arguments = count > 0 ? &block : NULL,
                                       .offset = r.offset,
                                       .global = r.global,
                                       .local = r.groups};
  const void *configs[] = {&config};
  return device->recorder.update(buffer, 1, types, configs) == TN_CL_SUCCESS;
}

static uint32_t ask_sub_group_size(tn_adapter_device *device, tn_cl_kernel handle) {
  const size_t group[3] = {device->max_group_size, 1, 1};
  size_t size = 0;
  return device->driver->kernel_sub_group_info(handle, device->handle,
                                               TN_CL_KERNEL_MAX_SUB_GROUP_SIZE, sizeof(group),
                                               group, sizeof(size), &size, NULL) == TN_CL_SUCCESS
             ? (uint32_t)size
             : 0;
}

// Of the largest work-group: no more than the device has.
static uint32_t count_sub_groups(tn_adapter_device *device, tn_cl_kernel handle) {
  const uint64_t reported = ask_group(device, handle, TN_CL_KERNEL_WORK_GROUP_SIZE);
  const uint64_t group = reported < device->max_group_size ? reported : device->max_group_size;
  const uint32_t size = ask_sub_group_size(device, handle);
  const uint64_t count = size > 0 ? (group + size - 1) / size : 0;
  const uint32_t most = tn_opencl_max_sub_groups(device);
  return count < most ? (uint32_t)count : most;
}

tn_status tn_opencl_kernel_get_info(tn_adapter_kernel *kernel, int32_t what, void *out, size_t size,
                                    size_t *out_size, tn_diag *diag) {
  tn_adapter_device *device = tn_opencl_program_device(kernel->program);
  tn_opencl_object *object = NULL;
  uint64_t wide = 0;
  uint32_t narrow = 0;
  TN_TRY(take_object(kernel, &object, diag));
  switch (what) {
    case TN_KERNEL_INFO_GROUP_SIZE:
      wide = ask_group(device, object->handle, TN_CL_KERNEL_WORK_GROUP_SIZE);
      wide = wide < device->max_group_size ? wide : device->max_group_size;
      break;
    case TN_KERNEL_INFO_PREFERRED_GROUP_SIZE_MULTIPLE:
      wide = ask_group(device, object->handle, TN_CL_KERNEL_PREFERRED_MULTIPLE);
      break;
    case TN_KERNEL_INFO_PRIVATE_MEM_SIZE:
      wide = ask_group(device, object->handle, TN_CL_KERNEL_PRIVATE_MEM_SIZE);
      give_back(kernel, object);
      return tn_info_write(&wide, sizeof(wide), out, size, out_size, diag);
    case TN_KERNEL_INFO_LOCAL_MEM_SIZE:
      give_back(kernel, object);
      return tn_info_write(&kernel->local_size, sizeof(kernel->local_size), out, size, out_size,
                           diag);
    case TN_KERNEL_INFO_MAX_SUB_GROUP_SIZE:
      narrow = ask_sub_group_size(device, object->handle);
      break;
    case TN_KERNEL_INFO_MAX_NUM_SUB_GROUPS:
      narrow = count_sub_groups(device, object->handle);
      break;
    case TN_KERNEL_INFO_ARGUMENT_COUNT:
      give_back(kernel, object);
      return tn_info_write(&kernel->argument_count, sizeof(kernel->argument_count), out, size,
                           out_size, diag);
    default:
      break;
  }
  give_back(kernel, object);
  if (wide > 0) {
    return tn_info_write(&wide, sizeof(wide), out, size, out_size, diag);
  }
  if (narrow > 0) {
    return tn_info_write(&narrow, sizeof(narrow), out, size, out_size, diag);
  }
  return TN_FAIL(diag, UNSUPPORTED, "OpenCL devices leave kernel info %d to the runtime",
                 (int)what);
}
