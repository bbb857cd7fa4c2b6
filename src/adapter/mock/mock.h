// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device for tests: it runs nothing but remembers everything, and fails when it is told to.
// What tests may ask of it; the adapter itself is tn_mock_adapter_query (tenon/adapter.h).
//
// A program is text: lines of "kernel NAME"; empty lines and lines that begin with '#' are skipped.
#ifndef TN_ADAPTER_MOCK_MOCK_H
#define TN_ADAPTER_MOCK_MOCK_H

#include "base/base.h"
#include "tenon/adapter.h"

#define TN_MOCK_TARGET "mock"

enum { TN_MOCK_NAME_SIZE = 64, TN_MOCK_ARGS_SIZE = 64, TN_MOCK_PRIVATE_SIZE = 256 };

// One executed command. Of kernels the first bytes of the argument block are kept.
typedef struct tn_mock_record {
  uint32_t kind;  // TN_ADAPTER_KERNEL …
  uint32_t dims;
  char kernel[TN_MOCK_NAME_SIZE];
  uint64_t global[3];
  uint64_t local[3];
  uint64_t offset[3];
  uint64_t arg_size;
  unsigned char args[TN_MOCK_ARGS_SIZE];
  uint64_t local_memory_size;
} tn_mock_record;

// By hand: submitted commands stay pending until tn_mock_step. Otherwise a thread runs them.
void tn_mock_set_manual(tn_adapter_device *device, bool is_manual);
size_t tn_mock_pending_count(tn_adapter_device *device);
// Runs the pending command at `index` (0 = oldest) on the calling thread; false when there is none.
bool tn_mock_step(tn_adapter_device *device, size_t index);

// Executed commands in their order.
size_t tn_mock_log_count(tn_adapter_device *device);
bool tn_mock_log_at(tn_adapter_device *device, size_t index, tn_mock_record *out);
void tn_mock_log_clear(tn_adapter_device *device);
// Called for each command as it is executed, before `done`.
void tn_mock_set_hook(tn_adapter_device *device,
                      void (*fn)(void *user, const tn_adapter_command *command), void *user);

// What fails: the n-th call from now (0 = the next) of a kind, once.
typedef enum tn_mock_call {
  TN_MOCK_ALLOC,
  TN_MOCK_LOAD,
  TN_MOCK_FIND,
  TN_MOCK_SUBMIT,
  TN_MOCK_EXECUTE,
  TN_MOCK_CALL_COUNT
} tn_mock_call;
void tn_mock_fail(tn_adapter_device *device, tn_mock_call call, int64_t nth);

size_t tn_mock_memory_count(tn_adapter_device *device);  // live allocations
size_t tn_mock_program_count(tn_adapter_device *device);
// Frees of unknown pointers, writes before or behind an allocation (seen at its free).
size_t tn_mock_memory_errors(tn_adapter_device *device);

#endif
