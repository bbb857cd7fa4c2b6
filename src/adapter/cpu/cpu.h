// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU as a device, from inside: facts, programs, how work is cut, and the threads that do it.
// Other components reach it through tn_cpu_adapter_query (tenon/adapter.h).
#ifndef TN_ADAPTER_CPU_CPU_H
#define TN_ADAPTER_CPU_CPU_H

#include "base/buf.h"
#include "base/config.h"
#include "base/str.h"
#include "base/thread.h"
#include "tenon/adapter.h"
#include "tenon/compiler.h"
#include "tenon/cpu_kernel.h"
#include "tenon/kernel.h"

// What this machine is; read once.
typedef struct tn_cpu_facts {
  char name[128];
  char vendor[64];
  char version[16];
  uint32_t core_count;  // this process may use
  uint32_t clock_mhz;
  uint32_t cache_line_size;
  uint32_t vector_width;  // bytes
  uint32_t half_width;    // bytes that halves are computed in at a time
  uint32_t vendor_id;     // PCI's; 0 when there is none
  uint64_t memory_size;
} tn_cpu_facts;
void tn_cpu_facts_read(tn_cpu_facts *out);
// What compiled code depends on: the processor, and the interface of kernels. NULL: not known.
const char *tn_cpu_device_identity(tn_adapter_device *device);
tn_status tn_cpu_device_get_info(tn_adapter_device *device, int32_t what, void *out, size_t size,
                                 size_t *out_size, tn_diag *diag);

enum { TN_CPU_SUB_GROUP_LEAST = 4 };  // of the sizes that a kernel may require

// A thread's worth of the device, and the core it stands for.
enum { TN_CPU_UNITS_MAXIMUM = 4096 };
#define TN_CPU_NO_GROUP UINT32_MAX
typedef struct tn_cpu_unit {
  uint32_t cpu;  // the system's number
  uint32_t
      group[TN_AFFINITY_NEXT];  // by TN_AFFINITY_: equal ones share it; TN_CPU_NO_GROUP unknown
} tn_cpu_unit;
// The cores that this process may use: at least one.
uint32_t tn_cpu_list_cores(uint32_t *out, uint32_t capacity);
// Fills the groups of units whose cores are set, from `root` (/sys/devices/system).
void tn_cpu_topology_read(const char *root, tn_cpu_unit *units, uint32_t count);
// Cuts the first range off a list "0-3,8"; false at its end or when it is none.
bool tn_cpu_list_next(tn_str *list, uint64_t *out_first, uint64_t *out_last);
void tn_cpu_pin_thread(const tn_cpu_unit *units, uint32_t count);  // the calling one
uint64_t tn_cpu_cache_size(const char *root);    // bytes of the last level; 0 unknown
uint64_t tn_cpu_clock_mhz(const char *root);     // the fastest; 0 unknown
// What the control group allows (/sys/fs/cgroup).
uint32_t tn_cpu_core_limit(const char *root);
uint64_t tn_cpu_memory_limit(const char *root);

struct tn_adapter_kernel {
  tn_cpu_kernel_fn function;
  // What one work-item costs, in 1/256 ns, as measured; 0 when never measured.
  _Atomic uint64_t cost;
  _Atomic uint32_t run_count;  // of inline runs; measuring every one would cost more than it tells
  char *name;                  // the program's; NULL for kernels of a table
  char *_Atomic shown;         // owned: how people call it; NULL: by its name
  bool is_checked;             // built with checks
  tn_cpu_needs needs;          // memory of a work-group
  const void *spec_constants;  // borrowed; NULL: it reads none
  // The full tier of the same kernel, of which the function, its stack size and what makes it
  // faster are used; borrowed from the program; NULL while there is none.
  const tn_adapter_kernel *_Atomic full;
  tn_adapter_kernel *next;  // of the program
};

tn_status tn_cpu_program_load(tn_adapter_device *device, const void *code, size_t size,
                              tn_adapter_program **out, tn_diag *diag);
tn_status tn_cpu_program_load_table(tn_adapter_device *device, const tn_native_table *table,
                                    tn_adapter_program **out, tn_diag *diag);
tn_status tn_cpu_program_set_specs(tn_adapter_program *program, const void *values, size_t size,
                                   tn_diag *diag);
tn_status tn_cpu_program_upgrade(tn_adapter_program *program, const void *code, size_t size,
                                 tn_diag *diag);
void tn_cpu_program_unload(tn_adapter_program *program);
tn_status tn_cpu_kernel_find(tn_adapter_program *program, const char *name, tn_adapter_kernel **out,
                             tn_diag *diag);
tn_status tn_cpu_kernel_get_info(tn_adapter_kernel *kernel, int32_t what, void *out, size_t size,
                                 size_t *out_size, tn_diag *diag);
// Whether the kernel has code for groups of that shape (tn_cpu_group_shape); 0: for any.
bool tn_cpu_kernel_suits(const tn_adapter_kernel *kernel, uint32_t group_shape);
// What the best tier that there is needs. Only what may differ between tiers is asked of it.
static inline const tn_cpu_needs *tn_cpu_kernel_best_needs(const tn_adapter_kernel *kernel) {
  const tn_adapter_kernel *full = atomic_load_explicit(&kernel->full, memory_order_acquire);
  return full != NULL ? &full->needs : &kernel->needs;
}
void tn_cpu_kernel_noalias(const tn_adapter_kernel *kernel, uint64_t *out_pointers,
                           uint64_t *out_written);

// How people call the kernel, for messages; as long as its program.
const char *tn_cpu_kernel_shown(const tn_adapter_kernel *kernel);
void tn_cpu_kernel_show_as(tn_adapter_kernel *kernel, const char *name);

extern const tn_adapter_virtual_memory tn_cpu_virtual_memory;

// Stacks. Kernels whose frames take no more than TN_CPU_STACK_ANYWHERE run on any thread: the
// functions that launch them take more themselves. Below larger ones TN_CPU_STACK_RESERVE is left
// for what they call (printf, mathematics), for handlers of signals, and for guard pages.
enum { TN_CPU_STACK_ANYWHERE = 4096 };
// What the calling thread has for a kernel's frames.
uint64_t tn_cpu_stack_available(void);
static inline bool tn_cpu_stack_fits(const tn_adapter_kernel *kernel) {
  return kernel->needs.stack_size <= TN_CPU_STACK_ANYWHERE ||
         kernel->needs.stack_size <= tn_cpu_stack_available();
}
// The best tier that the calling thread's stack can run.
static inline tn_cpu_kernel_fn tn_cpu_kernel_function(const tn_adapter_kernel *kernel) {
  const tn_adapter_kernel *full = atomic_load_explicit(&kernel->full, memory_order_acquire);
  return full != NULL && tn_cpu_stack_fits(full) ? full->function : kernel->function;
}
// OUT_OF_MEMORY, without the kernel's name, when a thread with a stack of `size` bytes cannot run
// it.
tn_status tn_cpu_stack_check(const tn_adapter_kernel *kernel, uint64_t size, tn_diag *diag);

// Memory that a thread needs while it runs the work-groups of an nd_range, or a plain range whose
// kernel has variables of work-groups. Kept and used again by any thread; grows when a kernel needs
// more.
typedef struct tn_cpu_workspace tn_cpu_workspace;
struct tn_cpu_workspace {
  tn_cpu_workspace *next;
  void *local_memory;  // owned; NULL while no kernel asked for any
  void *scratch;       // owned
  size_t local_capacity;
  size_t scratch_capacity;
  void *slots;  // owned; what work-items keep across barriers
  size_t slots_capacity;
};
typedef struct tn_cpu_workspaces {
  tn_mutex mu;
  tn_cpu_workspace *first TN_GUARDED_BY(&mu);  // owned; those that no thread uses
} tn_cpu_workspaces;
void tn_cpu_workspaces_init(tn_cpu_workspaces *list);
void tn_cpu_workspaces_deinit(tn_cpu_workspaces *list);  // all have to be back
static inline bool tn_cpu_needs_workspace(const tn_adapter_launch *launch) {
  return launch->has_local != 0 || launch->kernel->needs.group_memory > 0;
}
// One for the command; NULL when it needs none. The calling thread's until it is given back.
tn_status tn_cpu_workspace_borrow(tn_cpu_workspaces *list, const tn_adapter_command *command,
                                  tn_cpu_workspace **out, tn_diag *diag);
// The failure of a command that got none.
tn_status tn_cpu_workspace_fail(const tn_adapter_command *command, tn_diag *diag);
void tn_cpu_workspace_return(tn_cpu_workspaces *list, tn_cpu_workspace *workspace);  // NULL-safe

// The first check of a command's kernel that failed.
typedef struct tn_cpu_failure {
  _Atomic bool is_claimed;
  tn_status status;  // of whoever claimed it; to be read when all chunks are over
  tn_diag diag;
} tn_cpu_failure;
bool tn_cpu_has_failed(const tn_cpu_failure *failure);
// Runs a group of a kernel that is built with checks; a failed one ends the group.
void tn_cpu_call_checked(const tn_adapter_launch *launch, const tn_cpu_group *group,
                         tn_cpu_failure *failure);

// A command cut into chunks that any threads run in any order.
typedef struct tn_cpu_work {
  const tn_adapter_command *command;  // borrowed until the work is done
  uint64_t chunk_count;
  // Kernels: groups of `group_size`, clipped at the end of a plain range.
  uint64_t group_size[3];
  uint64_t group_count[3];
  uint64_t total_groups;
  uint64_t groups_per_chunk;
  // Memory commands: bytes, or rows of rectangles.
  uint64_t units_per_chunk;
  uint64_t total_units;
  uint32_t *root;  // of a gang's launch
} tn_cpu_work;
void tn_cpu_work_plan(tn_cpu_work *work, const tn_adapter_command *command, uint32_t thread_count);
// `failure` may be NULL unless the kernel is checked.
void tn_cpu_work_run(const tn_cpu_work *work, uint64_t chunk, const tn_cpu_workspace *workspace,
                     tn_cpu_failure *failure);
// All of the command on the calling thread; not for checked kernels.
void tn_cpu_run_whole(const tn_adapter_command *command, const tn_cpu_workspace *workspace);
// Whether the command is over sooner than another thread could begin with it.
bool tn_cpu_is_tiny(const tn_adapter_command *command);
// Work-items of a kernel command.
uint64_t tn_cpu_item_count(const tn_adapter_launch *launch);
// Learns from a measured run of `items` work-items.
void tn_cpu_note_cost(tn_adapter_kernel *kernel, uint64_t ns, uint64_t items);
// Whether an inline run of a tiny kernel is one to measure.
bool tn_cpu_wants_measure(tn_adapter_kernel *kernel, uint64_t items);

// Threads are started when there is first something for them, and sleep when there is nothing.
typedef struct tn_cpu_pool tn_cpu_pool;
// At most `thread_count` threads compute at a time, one of which is usually whoever waits: all but
// one are started, at least one, each with a stack of `stack_size` bytes. `workspaces` has to
// outlive the pool.
tn_status tn_cpu_pool_create(uint32_t thread_count, uint64_t stack_size,
                             tn_cpu_workspaces *workspaces, tn_cpu_pool **out, tn_diag *diag);
uint64_t tn_cpu_pool_stack_size(const tn_cpu_pool *pool);
void tn_cpu_pool_destroy(tn_cpu_pool *pool);  // joins; nothing may be pending
tn_status tn_cpu_pool_submit(tn_cpu_pool *pool, const tn_adapter_command *command,
                             tn_adapter_done_fn done, void *user, tn_diag *diag);
// Runs chunks of a command whose kernel the calling thread's stack can hold; false: there are none.
bool tn_cpu_pool_help(tn_cpu_pool *pool);
// A thread that helped will not for a while.
void tn_cpu_pool_forget_helper(tn_cpu_pool *pool);

// Before the first command: the pool's work is done by its own threads only, which stay on these
// cores. The array is borrowed for as long as the pool is.
void tn_cpu_pool_pin(tn_cpu_pool *pool, const tn_cpu_unit *units, uint32_t count);
// A launch with several groups that may wait for each other: each runs on a thread of its own.
tn_status tn_cpu_gang_submit(tn_adapter_device *device, const tn_adapter_command *command,
                             tn_adapter_done_fn done, void *user, tn_diag *diag);
static inline bool tn_cpu_is_gang(const tn_adapter_command *command) {
  return command->kind == TN_ADAPTER_KERNEL && command->launch.has_local == TN_ADAPTER_ROOT_SYNC;
}

// Takes one of the threads that may compute at a time, for work on the calling thread; false when
// all are at work or the pool is pinned. Given back with tn_cpu_pool_leave.
bool tn_cpu_pool_enter(tn_cpu_pool *pool);
void tn_cpu_pool_leave(tn_cpu_pool *pool);

// Immutable once made, but for `units` of the whole CPU.
struct tn_adapter_device {
  tn_adapter *adapter;
  tn_cpu_facts facts;
  tn_cpu_workspaces workspaces;
  tn_cpu_pool *pool;                // owned
  const tn_adapter_device *parent;  // NULL: the whole CPU
  tn_adapter_device *next;          // of the adapter's sub-devices
  uint32_t unit_count;              // threads that compute at a time
  int32_t partition_kind;           // TN_PARTITION_…: how it came to be
  int32_t partition_domain;         // TN_AFFINITY_…
  tn_cpu_unit *_Atomic units;       // owned; of the whole CPU: NULL until somebody asks
};
// `device->adapter` is set.
tn_status tn_cpu_device_init(tn_adapter_device *device, uint32_t unit_count, tn_diag *diag);
void tn_cpu_device_deinit(tn_adapter_device *device);
// Reads what cores the device has, for the two below; false when there is no memory.
bool tn_cpu_device_know_units(tn_adapter_device *device);
// Bits 1 << TN_PARTITION_… and 1 << TN_AFFINITY_… of what gives at least two sub-devices.
uint32_t tn_cpu_partition_kinds(tn_adapter_device *device);
uint32_t tn_cpu_partition_domains(tn_adapter_device *device);
tn_status tn_cpu_device_divide(tn_adapter_device *device, int32_t kind, const size_t *counts,
                               int32_t domain, tn_adapter_device **out, size_t capacity,
                               size_t *out_count, tn_diag *diag);

struct tn_adapter {
  const tn_adapter_host *host;  // lives as long
  tn_adapter_device device;
  tn_mutex divide_mu;
  tn_adapter_device *sub_devices TN_GUARDED_BY(&divide_mu);  // owned
};

#endif
