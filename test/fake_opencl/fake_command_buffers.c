// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer: commands of a buffer for out-of-order queues run in the least expected
// order that their sync points permit. Sync points are the commands' numbers, from 1 on.
#include "adapter/opencl/opencl_command_buffer.h"
#include "fake_opencl/fake_opencl.h"

#include <stdlib.h>
#include <string.h>

enum { COMMANDS = 64, NOT_MINE = 1, OPERATION = -59, VALUE = -30, INCOMPATIBLE = -1140 };
enum { WRONG_POINTS = -1139, WRONG_BUFFER = -1138 };

typedef struct tn_cl_mutable_handle {
  job work;
  uint64_t waits;  // bits of the commands before
  tn_cl_uint dims;
  bool is_mutable;
  tn_cl_command_buffer buffer;
} command;

struct tn_cl_command_buffer_handle {
  _Atomic int references;
  _Atomic int running;
  bool is_final;
  tn_cl_bits flags;
  tn_cl_bits properties;  // of its queues
  int count;
  command commands[COMMANDS];
};

bool fake_has_command_buffers(void) {
  return fake_is("command-buffer") || fake_is("old-command-buffer");
}

static bool is_old(void) { return fake_is("old-command-buffer"); }

static bool is_mutable(void) { return !is_old() && !fake_is("no-mutable"); }

tn_cl_int fake_command_buffer_info(tn_cl_uint what, size_t size, void *out, size_t *out_size) {
  const tn_cl_name_version versions[] = {
      {TN_CL_MAKE_VERSION(1, 0, 0), "cl_khr_icd"},
      {is_old() ? TN_CL_MAKE_VERSION(0, 9, 4) : TN_CL_MAKE_VERSION(1, 0, 0),
       "cl_khr_command_buffer"},
      {TN_CL_MAKE_VERSION(0, 9, 3), "cl_khr_command_buffer_mutable_dispatch"}};
  const uint64_t can =
      (fake_is("no-simultaneous") ? 0 : TN_CL_COMMAND_BUFFER_CAN_SIMULTANEOUS) |
      (is_old() && !fake_is("no-branches") ? TN_CL_COMMAND_BUFFER_CAN_OUT_OF_ORDER : 0);
  const uint64_t order = fake_is("no-branches") ? 0 : TN_CL_QUEUE_OUT_OF_ORDER;
  const uint64_t queues = TN_CL_QUEUE_PROFILING | order;
  const uint64_t fields = 0x1f;
  const uint64_t none = 0;
  switch (what) {
    case TN_CL_DEVICE_QUEUE_PROPERTIES:
      return fake_answer(&(uint64_t){TN_CL_QUEUE_PROFILING | TN_CL_QUEUE_OUT_OF_ORDER},
                         sizeof(uint64_t), size, out, out_size);
    case TN_CL_DEVICE_EXTENSIONS_WITH_VERSION:
      return fake_answer(versions, sizeof(versions) - (is_mutable() ? 0 : sizeof(versions[0])),
                         size, out, out_size);
    case TN_CL_DEVICE_COMMAND_BUFFER_CAPABILITIES:
      return fake_answer(&can, sizeof(can), size, out, out_size);
    case TN_CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE:
      return is_old() ? VALUE : fake_answer(&queues, sizeof(queues), size, out, out_size);
    case TN_CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE:
      return fake_answer(&none, sizeof(none), size, out, out_size);
    case TN_CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES:
      return fake_answer(&fields, sizeof(fields), size, out, out_size);
    default:
      return NOT_MINE;
  }
}

static tn_cl_command_buffer create(tn_cl_uint count, const tn_cl_queue *queues,
                                   const tn_cl_bits *properties, tn_cl_int *result) {
  const tn_cl_bits flags =
      properties && properties[0] == TN_CL_COMMAND_BUFFER_FLAGS ? properties[1] : 0;
  const tn_cl_bits allowed = (fake_is("no-simultaneous") ? 0 : TN_CL_COMMAND_BUFFER_SIMULTANEOUS) |
                             (is_mutable() ? TN_CL_COMMAND_BUFFER_MUTABLE : 0);
  *result = fake_failure("clCreateCommandBufferKHR");
  *result = *result != 0 ? *result : count != 1 || (flags & ~allowed) != 0 ? VALUE : 0;
  if (*result == 0 && fake_is("no-branches") &&
      (queues[0]->properties & TN_CL_QUEUE_OUT_OF_ORDER) != 0) {
    *result = INCOMPATIBLE;
  }
  tn_cl_command_buffer made = *result == 0 ? calloc(1, sizeof(*made)) : NULL;
  if (made) {
    made->references = 1;
    made->flags = flags;
    made->properties = queues[0]->properties;
    fake_objects++;
  }
  return made;
}

static tn_cl_int finalize(tn_cl_command_buffer buffer) {
  FAIL("clFinalizeCommandBufferKHR");
  const tn_cl_int result = buffer->is_final ? OPERATION : 0;
  buffer->is_final = true;
  return result;
}

// Releasing a buffer while it runs is the adapter's mistake.
static tn_cl_int release(tn_cl_command_buffer buffer) {
  if (--buffer->references == 0) {
    if (buffer->running != 0) {
      abort();
    }
    free(buffer);
    fake_objects--;
  }
  return 0;
}

static void run_buffer(job *work) {
  tn_cl_command_buffer buffer = work->to;
  command *commands = calloc((size_t)buffer->count, sizeof(*commands));
  memcpy(commands, buffer->commands, (size_t)buffer->count * sizeof(*commands));
  const bool is_in_order = (buffer->properties & TN_CL_QUEUE_OUT_OF_ORDER) == 0;
  uint64_t done = 0;
  for (int ran = 0; ran < buffer->count; ran++) {
    int next = is_in_order ? ran : buffer->count - 1;
    while ((done >> next & 1) != 0 || (commands[next].waits & ~done) != 0) {
      next--;
    }
    if (commands[next].work.run) {
      commands[next].work.run(&commands[next].work);
    }
    done |= (uint64_t)1 << next;
  }
  free(commands);
  buffer->running--;
}

static tn_cl_int enqueue(tn_cl_uint queue_count, tn_cl_queue *queues, tn_cl_command_buffer buffer,
                         tn_cl_uint count, const tn_cl_event *after, tn_cl_event *out) {
  FAIL("clEnqueueCommandBufferKHR");
  if (!buffer->is_final ||
      (buffer->running != 0 && (buffer->flags & TN_CL_COMMAND_BUFFER_SIMULTANEOUS) == 0)) {
    return OPERATION;
  }
  if (queue_count != 1 || queues[0]->properties != buffer->properties) {
    return INCOMPATIBLE;
  }
  buffer->running++;
  return fake_enqueue(queues[0], &(job){.run = run_buffer, .to = buffer}, count, after, out);
}

static tn_cl_int add(tn_cl_command_buffer buffer, const job *work, tn_cl_uint dims, bool mutable,
                     tn_cl_uint count, const tn_cl_sync_point *after, tn_cl_sync_point *out,
                     tn_cl_mutable *handle) {
  command made = {.work = *work, .dims = dims, .is_mutable = mutable, .buffer = buffer};
  if (buffer->is_final) {
    return OPERATION;
  }
  if (buffer->count == COMMANDS) {
    return TN_CL_OUT_OF_RESOURCES;
  }
  if ((count > 0) != (after != NULL)) {
    return WRONG_POINTS;
  }
  for (tn_cl_uint i = 0; i < count; i++) {
    if (after[i] == 0 || after[i] > (tn_cl_sync_point)buffer->count) {
      return WRONG_POINTS;
    }
    made.waits |= (uint64_t)1 << (after[i] - 1);
  }
  buffer->commands[buffer->count] = made;
  if (handle) {
    *handle = &buffer->commands[buffer->count];
  }
  buffer->count++;
  if (out) {
    *out = (tn_cl_sync_point)buffer->count;
  }
  return 0;
}

static tn_cl_int add_kernel(tn_cl_command_buffer buffer, tn_cl_queue given,
                            const tn_cl_bits *properties, tn_cl_kernel kernel, tn_cl_uint dims,
                            const size_t *offset, const size_t *global, const size_t *local,
                            tn_cl_uint count, const tn_cl_sync_point *after, tn_cl_sync_point *out,
                            tn_cl_mutable *handle) {
  (void)local;
  FAIL("clCommandNDRangeKernelKHR");
  const bool mutable = properties && properties[0] == TN_CL_MUTABLE_FIELDS;
  if (given || (properties && !is_mutable())) {
    return VALUE;
  }
  const job work = fake_kernel_job(kernel, dims, offset, global);
  return add(buffer, &work, dims, mutable, count, after, out, handle);
}

static tn_cl_int add_old_barrier(tn_cl_command_buffer buffer, tn_cl_queue given, tn_cl_uint count,
                                 const tn_cl_sync_point *after, tn_cl_sync_point *out,
                                 tn_cl_mutable *handle) {
  FAIL("clCommandBarrierWithWaitListKHR");
  return given || handle ? VALUE : add(buffer, &(job){0}, 0, false, count, after, out, NULL);
}
static tn_cl_int add_barrier(tn_cl_command_buffer buffer, tn_cl_queue given,
                             const tn_cl_bits *properties, tn_cl_uint count,
                             const tn_cl_sync_point *after, tn_cl_sync_point *out,
                             tn_cl_mutable *handle) {
  return properties ? VALUE : add_old_barrier(buffer, given, count, after, out, handle);
}

static tn_cl_int add_old_copy(tn_cl_command_buffer buffer, tn_cl_queue given, void *to,
                              const void *from, size_t size, tn_cl_uint count,
                              const tn_cl_sync_point *after, tn_cl_sync_point *out,
                              tn_cl_mutable *handle) {
  FAIL("clCommandSVMMemcpyKHR");
  const job work = fake_copy_job(to, from, size);
  return given || handle ? VALUE : add(buffer, &work, 0, false, count, after, out, NULL);
}
static tn_cl_int add_copy(tn_cl_command_buffer buffer, tn_cl_queue given,
                          const tn_cl_bits *properties, void *to, const void *from, size_t size,
                          tn_cl_uint count, const tn_cl_sync_point *after, tn_cl_sync_point *out,
                          tn_cl_mutable *handle) {
  return properties ? VALUE
                    : add_old_copy(buffer, given, to, from, size, count, after, out, handle);
}

static tn_cl_int add_old_fill(tn_cl_command_buffer buffer, tn_cl_queue given, void *to,
                              const void *pattern, size_t pattern_size, size_t size,
                              tn_cl_uint count, const tn_cl_sync_point *after,
                              tn_cl_sync_point *out, tn_cl_mutable *handle) {
  FAIL("clCommandSVMMemFillKHR");
  job work;
  const tn_cl_int result = fake_fill_job(to, pattern, pattern_size, size, &work);
  return result != 0       ? result
         : given || handle ? VALUE
                           : add(buffer, &work, 0, false, count, after, out, NULL);
}
static tn_cl_int add_fill(tn_cl_command_buffer buffer, tn_cl_queue given,
                          const tn_cl_bits *properties, void *to, const void *pattern,
                          size_t pattern_size, size_t size, tn_cl_uint count,
                          const tn_cl_sync_point *after, tn_cl_sync_point *out,
                          tn_cl_mutable *handle) {
  return properties ? VALUE
                    : add_old_fill(buffer, given, to, pattern, pattern_size, size, count, after,
                                   out, handle);
}

// A launch that has not begun would get the new arguments.
static tn_cl_int update(tn_cl_command_buffer buffer, tn_cl_uint count, const tn_cl_uint *types,
                        const void **configs) {
  FAIL("clUpdateMutableCommandsKHR");
  const tn_cl_mutable_config *config = configs[0];
  if (count != 1 || types[0] != 0 || !config->command || config->command->buffer != buffer) {
    return WRONG_BUFFER;
  }
  const bool is_free =
      buffer->running == 0 || (buffer->flags & TN_CL_COMMAND_BUFFER_SIMULTANEOUS) != 0;
  if (!buffer->is_final || !is_free || !config->command->is_mutable ||
      config->dims != config->command->dims) {
    return OPERATION;
  }
  job *work = &config->command->work;
  for (tn_cl_uint i = 0; i < config->argument_count; i++) {
    if (config->arguments[i].index == 0) {
      memcpy(work->args, config->arguments[i].value, config->arguments[i].size);
    }
  }
  for (tn_cl_uint i = 0; i < config->dims; i++) {
    work->global[i] = config->global ? config->global[i] : work->global[i];
    work->offset[i] = config->offset ? config->offset[i] : work->offset[i];
  }
  return 0;
}

void *fake_find_command_buffer(const char *name) {
  void *found = NULL;
  const struct {
    const char *name;
    const void *function;
    int when;  // 1: recent, 2: old, 3: both
  } functions[] = {
#define ROW(name, function, when) {name, &(__typeof__(function) *){function}, when}
      ROW("clCreateCommandBufferKHR", create, 3),
      ROW("clFinalizeCommandBufferKHR", finalize, 3),
      ROW("clReleaseCommandBufferKHR", release, 3),
      ROW("clEnqueueCommandBufferKHR", enqueue, 3),
      ROW("clCommandNDRangeKernelKHR", add_kernel, 3),
      ROW("clCommandBarrierWithWaitListKHR", add_barrier, 1),
      ROW("clCommandSVMMemcpyKHR", add_copy, 1),
      ROW("clCommandSVMMemFillKHR", add_fill, 1),
      ROW("clUpdateMutableCommandsKHR", update, 1),
      ROW("clCommandBarrierWithWaitListKHR", add_old_barrier, 2),
      ROW("clCommandSVMMemcpyKHR", add_old_copy, 2),
      ROW("clCommandSVMMemFillKHR", add_old_fill, 2),
#undef ROW
  };
  for (size_t i = 0; fake_has_command_buffers() && i < TN_COUNT(functions); i++) {
    if ((functions[i].when & (is_old() ? 2 : 1)) != 0 && strcmp(functions[i].name, name) == 0) {
      memcpy(&found, functions[i].function, sizeof(found));
    }
  }
  return found;
}
