// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU as a device, from inside: facts, programs, how work is cut, and the threads that do it.
// Other rooms reach it through tn_cpu_adapter_query (tenon/adapter.h).
#ifndef TN_ADAPTER_CPU_CPU_H
#define TN_ADAPTER_CPU_CPU_H

#include "base/thread.h"
#include "tenon/adapter.h"
#include "tenon/compiler.h"
#include "tenon/cpu_kernel.h"

// What this machine is; read once.
typedef struct tn_cpu_facts {
  char name[128];
  char vendor[64];
  uint32_t core_count;  // this process may use
  uint32_t clock_mhz;
  uint32_t cache_line_size;
  uint32_t vector_width;  // bytes
  uint64_t memory_size;
  uint64_t cache_size;  // of the last level
} tn_cpu_facts;
void tn_cpu_facts_read(tn_cpu_facts *out);
tn_status tn_cpu_device_get_info(tn_adapter_device *device, int32_t what, void *out, size_t size,
                                 size_t *out_size, tn_diag *diag);

struct tn_adapter_kernel {
  tn_cpu_kernel_fn function;
  // What one work-item costs, in 1/256 ns, as measured; 0 when never measured.
  _Atomic uint64_t cost;
  _Atomic uint32_t run_count;  // of inline runs; measuring every one would cost more than it tells
  char *name;                  // owned
  tn_adapter_kernel *next;     // of the program
};

tn_status tn_cpu_program_load(tn_adapter_device *device, const void *code, size_t size,
                              tn_adapter_program **out, tn_diag *diag);
void tn_cpu_program_unload(tn_adapter_program *program);
tn_status tn_cpu_kernel_find(tn_adapter_program *program, const char *name, tn_adapter_kernel **out,
                             tn_diag *diag);

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
} tn_cpu_work;
void tn_cpu_work_plan(tn_cpu_work *work, const tn_adapter_command *command, uint32_t thread_count);
void tn_cpu_work_run(const tn_cpu_work *work, uint64_t chunk);
// All of the command on the calling thread.
void tn_cpu_run_whole(const tn_adapter_command *command);
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
// one are started, at least one.
tn_status tn_cpu_pool_create(uint32_t thread_count, tn_cpu_pool **out, tn_diag *diag);
void tn_cpu_pool_destroy(tn_cpu_pool *pool);  // joins; nothing may be pending
tn_status tn_cpu_pool_submit(tn_cpu_pool *pool, const tn_adapter_command *command,
                             tn_adapter_done_fn done, void *user, tn_diag *diag);
bool tn_cpu_pool_help(tn_cpu_pool *pool);

struct tn_adapter_device {
  tn_adapter *adapter;
  tn_cpu_facts facts;
  tn_cpu_pool *pool;  // owned
};

struct tn_adapter {
  const tn_adapter_host *host;  // lives as long
  tn_adapter_device device;
};

#endif
