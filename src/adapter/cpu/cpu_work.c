// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a command is cut into chunks, and what running one means.
//
// A plain range is cut along its slowest dimension first, so that runs of the fastest one stay long
// enough to vectorize; an nd_range's groups are the program's. Chunks are about eight a thread: few
// enough to hand out cheaply, enough to even out what takes longer.
#include "adapter/cpu/cpu.h"
#include "adapter/host/host.h"
#include "base/host_function.h"

#include <string.h>

enum {
  CHUNKS_PER_THREAD = 8,
  CHUNK_LEAST_NS = 5000,  // handing out a chunk costs some 100 ns
  TINY_NS = 10000,        // below what waking a thread takes
  TINY_BYTES = 32 * 1024,
  CHUNK_LEAST_BYTES = 256 * 1024,
  RUN_LEAST = 64,  // work-items along the fastest dimension
  MEASURE_ALWAYS_NS = 1000,
  MEASURE_EVERY = 16,
  CALL_NS = 40,    // what measuring itself adds
  COST_ONE = 256,  // 1 ns in units of tn_adapter_kernel.cost
};

static uint64_t divide_up(uint64_t value, uint64_t by) { return value / by + (value % by != 0); }

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

uint64_t tn_cpu_item_count(const tn_adapter_launch *launch) {
  return launch->global[0] * launch->global[1] * launch->global[2];
}

// The estimate for a whole launch; UINT64_MAX when there is none or it is too large to matter.
static uint64_t estimate_ns(const tn_adapter_kernel *kernel, uint64_t items) {
  const uint64_t cost = atomic_load_explicit(&kernel->cost, memory_order_relaxed);
  uint64_t total = 0;
  if (cost == 0 || __builtin_mul_overflow(cost, items, &total)) {
    return UINT64_MAX;
  }
  return total / COST_ONE;
}

static uint64_t byte_count(const tn_adapter_command *command) {
  if (command->kind == TN_ADAPTER_COPY || command->kind == TN_ADAPTER_FILL) {
    return command->size;
  }
  return command->extent[0] * command->extent[1] * command->extent[2];
}

bool tn_cpu_is_tiny(const tn_adapter_command *command) {
  if (tn_cpu_is_gang(command)) {
    return false;
  }
  if (command->kind == TN_ADAPTER_KERNEL) {
    // Failures are reported by the pool.
    return !command->launch.kernel->is_checked &&
           estimate_ns(command->launch.kernel, tn_cpu_item_count(&command->launch)) < TINY_NS &&
           tn_cpu_stack_fits(command->launch.kernel);
  }
  return byte_count(command) < TINY_BYTES;
}

bool tn_cpu_wants_measure(tn_adapter_kernel *kernel, uint64_t items) {
  if (estimate_ns(kernel, items) >= MEASURE_ALWAYS_NS) {
    return true;
  }
  // A lost count between threads does no harm.
  const uint32_t count = atomic_load_explicit(&kernel->run_count, memory_order_relaxed);
  atomic_store_explicit(&kernel->run_count, count + 1, memory_order_relaxed);
  return count % MEASURE_EVERY == 0;
}

// Down quickly, up slowly: one run that the system interrupted must not send a tiny kernel to
// another thread, while a kernel that really became longer is believed after a few runs.
void tn_cpu_note_cost(tn_adapter_kernel *kernel, uint64_t ns, uint64_t items) {
  if (items == 0) {
    return;
  }
  const uint64_t net = ns > CALL_NS ? ns - CALL_NS : 0;
  uint64_t sample = net * COST_ONE / items;
  const uint64_t old = atomic_load_explicit(&kernel->cost, memory_order_relaxed);
  uint64_t now = sample;
  if (old != 0 && sample < old) {
    now = sample + (old - sample) / 4;
  } else if (old != 0) {
    sample = least(sample, 8 * old + (uint64_t)1000 * COST_ONE / items);
    now = old + (sample - old) / 2;
  }
  atomic_store_explicit(&kernel->cost, now > 0 ? now : 1, memory_order_relaxed);
}

static uint64_t wanted_chunks(const tn_adapter_launch *launch, uint32_t thread_count) {
  uint64_t wanted = (uint64_t)thread_count * CHUNKS_PER_THREAD;
  const uint64_t total_ns = estimate_ns(launch->kernel, tn_cpu_item_count(launch));
  if (total_ns != UINT64_MAX) {
    wanted = least(wanted, total_ns / CHUNK_LEAST_NS + 1);
  }
  return wanted;
}

static void plan_range(tn_cpu_work *work, const tn_adapter_launch *launch, uint64_t wanted) {
  const uint64_t rows = tn_cpu_kernel_best_needs(launch->kernel)->forms.row_count;
  uint64_t left = wanted;
  work->total_groups = 1;
  for (size_t i = 3; i > 0; i--) {
    const size_t d = i - 1;
    const uint64_t global = launch->global[d];
    uint64_t size = divide_up(global, least(global, left));
    if (d == 0 && size > RUN_LEAST) {
      size = least(global, divide_up(size, RUN_LEAST) * RUN_LEAST);
    }
    if (d == 1 && rows > 1) {
      size = least(global, divide_up(size, rows) * rows);
    }
    work->group_size[d] = size;
    work->group_count[d] = divide_up(global, size);
    work->total_groups *= work->group_count[d];
    left = divide_up(left, work->group_count[d]);
  }
  work->groups_per_chunk = 1;
}

// The groups that a program chose say nothing to such kernels: they were chosen for a GPU, most
// often, and their rows are short.
static bool has_own_groups(const tn_adapter_launch *launch) {
  return launch->has_local != 0 &&
         (launch->kernel->needs.is_groupless == 0 || launch->has_local == TN_ADAPTER_ROOT_SYNC);
}

static void plan_kernel(tn_cpu_work *work, uint32_t thread_count) {
  const tn_adapter_launch *launch = &work->command->launch;
  const uint64_t wanted = wanted_chunks(launch, thread_count);
  if (has_own_groups(launch)) {
    work->total_groups = 1;
    for (size_t d = 0; d < 3; d++) {
      work->group_size[d] = launch->local[d];
      work->group_count[d] = launch->global[d] / launch->local[d];
      work->total_groups *= work->group_count[d];
    }
    work->groups_per_chunk =
        launch->has_local == TN_ADAPTER_ROOT_SYNC ? 1 : divide_up(work->total_groups, wanted);
  } else {
    plan_range(work, launch, wanted);
  }
  work->chunk_count = divide_up(work->total_groups, work->groups_per_chunk);
}

static bool overlaps(const tn_adapter_command *command) {
  const uintptr_t dst = (uintptr_t)command->dst;
  const uintptr_t src = (uintptr_t)command->src;
  return dst < src + command->size && src < dst + command->size;
}

static void plan_memory(tn_cpu_work *work, uint32_t thread_count) {
  const tn_adapter_command *command = work->command;
  const bool is_rect =
      command->kind == TN_ADAPTER_COPY_RECT || command->kind == TN_ADAPTER_FILL_RECT;
  uint64_t unit = 1;  // bytes that stay together
  if (is_rect) {
    unit = command->extent[0];
    work->total_units = command->extent[1] * command->extent[2];
  } else {
    unit = command->kind == TN_ADAPTER_FILL ? command->pattern_size : 64;
    work->total_units = divide_up(command->size, unit);
  }
  const uint64_t spread = divide_up(work->total_units, (uint64_t)thread_count * 4);
  const uint64_t enough = divide_up(CHUNK_LEAST_BYTES, unit);
  work->units_per_chunk = spread > enough ? spread : enough;
  if (command->kind == TN_ADAPTER_COPY && overlaps(command)) {
    work->units_per_chunk = work->total_units;
  }
  work->chunk_count = divide_up(work->total_units, work->units_per_chunk);
}

void tn_cpu_work_plan(tn_cpu_work *work, const tn_adapter_command *command, uint32_t thread_count) {
  *work = (tn_cpu_work){.command = command};
  if (command->kind == TN_ADAPTER_KERNEL) {
    plan_kernel(work, thread_count);
  } else {
    plan_memory(work, thread_count);
  }
}

static void init_memory(tn_cpu_memory *memory, const tn_adapter_launch *launch,
                        const tn_cpu_workspace *workspace, const void *frame) {
  *memory = (tn_cpu_memory){.stack_end = frame};
  if (launch->has_local != 0) {
    memory->local = workspace->local_memory;
    memory->local_size = workspace->local_capacity;
    memory->slots = workspace->slots;
    memory->slots_size = workspace->slots_capacity;
  }
  if (workspace != NULL) {
    memory->group_local = workspace->scratch;
    memory->group_local_size = launch->kernel->needs.group_memory;
  }
}

static void *scratch_of(const tn_adapter_launch *launch, const tn_cpu_workspace *workspace) {
  return workspace != NULL ? (char *)workspace->scratch + launch->kernel->needs.group_memory : NULL;
}

static void init_group(tn_cpu_group *group, const tn_adapter_launch *launch,
                       const tn_cpu_workspace *workspace, const tn_cpu_memory *memory,
                       uint32_t *root) {
  for (size_t d = 0; d < 3; d++) {
    group->global_size[d] = launch->global[d];
    group->global_offset[d] = launch->offset[d];
  }
  group->local_memory = launch->local_memory_size > 0 ? workspace->local_memory : NULL;
  group->scratch = scratch_of(launch, workspace);
  group->slots = launch->has_local != 0 ? workspace->slots : NULL;
  group->check = NULL;
  group->spec_constants = launch->kernel->spec_constants;
  group->memory = memory;
  group->root = root;
  group->noalias = launch->noalias;
}

static void place_group(tn_cpu_group *group, const tn_cpu_work *work, size_t d, uint64_t id) {
  const uint64_t begin = id * work->group_size[d];
  group->group_id[d] = id;
  group->base[d] = group->global_offset[d] + begin;
  group->local_size[d] = least(work->group_size[d], group->global_size[d] - begin);
}

// ---- Floating point as kernels have it

enum { FLOATING_POINT_CONTROL = 0xffc0, FLOATING_POINT_DEFAULT = 0x1f80 };  // of x86's MXCSR

// Kernels round to the nearest, keep subnormal numbers and trap nothing, on whatever thread they
// run: masked lanes compute as well. Returns the thread's state, for leave_floating_point.
static unsigned enter_floating_point(void) {
#if defined(__x86_64__)
  const unsigned before = __builtin_ia32_stmxcsr();
  if ((before & FLOATING_POINT_CONTROL) != FLOATING_POINT_DEFAULT) {
    __builtin_ia32_ldmxcsr(FLOATING_POINT_DEFAULT);
  }
  return before;
#else
  return 0;
#endif
}

static void leave_floating_point(unsigned before) {
#if defined(__x86_64__)
  if (((before ^ __builtin_ia32_stmxcsr()) & FLOATING_POINT_CONTROL) != 0) {
    __builtin_ia32_ldmxcsr(before);
  }
#else
  (void)before;
#endif
}

static void run_groups(const tn_cpu_work *work, uint64_t chunk, const tn_cpu_workspace *workspace,
                       tn_cpu_failure *failure) {
  const tn_adapter_launch *launch = &work->command->launch;
  const uint64_t first = chunk * work->groups_per_chunk;
  const uint64_t end = least(first + work->groups_per_chunk, work->total_groups);
  uint64_t id[3] = {first % work->group_count[0], first / work->group_count[0], 0};
  id[2] = id[1] / work->group_count[1];
  id[1] %= work->group_count[1];
  tn_cpu_memory memory;
  init_memory(&memory, launch, workspace, __builtin_frame_address(0));
  tn_cpu_group group;
  init_group(&group, launch, workspace, &memory, work->root);
  for (size_t d = 0; d < 3; d++) {
    group.group_count[d] = work->group_count[d];
    group.enqueued_local_size[d] = work->group_size[d];
    place_group(&group, work, d, id[d]);
  }
  for (uint64_t i = first;;) {
    if (!launch->kernel->is_checked) {
      tn_cpu_kernel_function(launch->kernel)(launch->args, &group);
    } else if (!tn_cpu_has_failed(failure)) {
      tn_cpu_call_checked(launch, &group, failure);
    }
    if (++i >= end) {
      break;
    }
    for (size_t d = 0; d < 3; d++) {
      id[d] = id[d] + 1 < work->group_count[d] ? id[d] + 1 : 0;
      place_group(&group, work, d, id[d]);
      if (id[d] != 0) {
        break;
      }
    }
  }
}

static void run_memory(const tn_cpu_work *work, uint64_t chunk) {
  const tn_adapter_command *command = work->command;
  const uint64_t first = chunk * work->units_per_chunk;
  const uint64_t end = least(first + work->units_per_chunk, work->total_units);
  if (command->kind == TN_ADAPTER_COPY_RECT || command->kind == TN_ADAPTER_FILL_RECT) {
    tn_host_move_rows(command, first, end);
    return;
  }
  const uint64_t unit = command->kind == TN_ADAPTER_FILL ? command->pattern_size : 64;
  const uint64_t begin = first * unit;
  const uint64_t size = least(end * unit, command->size) - begin;
  unsigned char *dst = (unsigned char *)command->dst + begin;
  if (command->kind == TN_ADAPTER_FILL) {
    tn_host_fill(dst, size, command->pattern, command->pattern_size);
  } else {
    memmove(dst, (const unsigned char *)command->src + begin, size);
  }
}

void tn_cpu_work_run(const tn_cpu_work *work, uint64_t chunk, const tn_cpu_workspace *workspace,
                     tn_cpu_failure *failure) {
  if (work->command->kind == TN_ADAPTER_KERNEL) {
    const unsigned floating_point = enter_floating_point();
    run_groups(work, chunk, workspace, failure);
    leave_floating_point(floating_point);
  } else {
    run_memory(work, chunk);
  }
}

static void run_whole_range(const tn_adapter_launch *launch, const tn_cpu_workspace *workspace) {
  tn_cpu_group group;
  for (size_t d = 0; d < 3; d++) {
    group.local_size[d] = launch->global[d];
    group.base[d] = launch->offset[d];
    group.global_size[d] = launch->global[d];
    group.global_offset[d] = launch->offset[d];
    group.group_id[d] = 0;
    group.group_count[d] = 1;
    group.enqueued_local_size[d] = launch->global[d];
  }
  group.local_memory = NULL;
  group.scratch = scratch_of(launch, workspace);
  group.slots = NULL;
  group.check = NULL;
  group.spec_constants = launch->kernel->spec_constants;
  tn_cpu_memory memory;
  init_memory(&memory, launch, workspace, __builtin_frame_address(0));
  group.memory = &memory;
  group.root = NULL;
  group.noalias = launch->noalias;
  const unsigned floating_point = enter_floating_point();
  tn_cpu_kernel_function(launch->kernel)(launch->args, &group);
  leave_floating_point(floating_point);
}

void tn_cpu_run_whole(const tn_adapter_command *command, const tn_cpu_workspace *workspace) {
  if (command->kind == TN_ADAPTER_KERNEL && command->launch.has_local == 0) {
    run_whole_range(&command->launch, workspace);
    return;
  }
  tn_cpu_work work;
  tn_cpu_work_plan(&work, command, 1);
  for (uint64_t chunk = 0; chunk < work.chunk_count; chunk++) {
    tn_cpu_work_run(&work, chunk, workspace, NULL);
  }
}
