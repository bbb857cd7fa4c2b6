// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relocatable objects with machine code for this processor, and putting them into memory. Private
// to adapter/cpu.
#ifndef TN_ADAPTER_CPU_CPU_OBJECT_H
#define TN_ADAPTER_CPU_CPU_OBJECT_H

#include "adapter/cpu/cpu.h"

#include <elf.h>

// Where a section goes: by what may be done with its memory.
enum { TN_CPU_CODE, TN_CPU_CONSTANTS, TN_CPU_DATA, TN_CPU_PART_COUNT, TN_CPU_NOT_PLACED = -1 };

typedef struct tn_cpu_section {
  const char *name;     // of the object
  const uint8_t *data;  // of the object; NULL: zeros
  uint64_t size;
  uint64_t alignment;  // a power of two
  uint64_t at;         // in the code's memory; set when it is placed
  int32_t part;
  uint32_t type;    // SHT_…
  uint32_t target;  // relocations: the section that they are of
} tn_cpu_section;

// A view of an object; immutable once read, but for where its sections are placed. All of it lies
// within the object: sections, names of sections and symbols, and every string is terminated.
typedef struct tn_cpu_object {
  tn_bytes bytes;            // borrowed
  tn_cpu_section *sections;  // owned
  size_t section_count;
  uint64_t headers_at;     // of the sections
  const uint8_t *symbols;  // symbol_count times Elf64_Sym, of any alignment
  size_t symbol_count;
  size_t local_count;  // those before the first that others see
  tn_bytes names;      // of symbols
  bool has_lines;      // debug information
} tn_cpu_object;

// UNSUPPORTED: well made perhaps, but for another loader. BUILD_FAILED: damaged, or it asks for
// what device code does not have.
tn_status tn_cpu_object_read(tn_bytes bytes, tn_cpu_object *out, tn_diag *diag);
void tn_cpu_object_deinit(tn_cpu_object *object);
bool tn_cpu_section_has_relocations(const tn_cpu_section *section);
Elf64_Sym tn_cpu_object_symbol(const tn_cpu_object *object, size_t index);
// The section that a symbol lies in, and has all its value says; NULL when it lies in none.
const tn_cpu_section *tn_cpu_object_section_of(const tn_cpu_object *object,
                                               const Elf64_Sym *symbol);
// BUILD_FAILED when the symbol's name lies behind the end.
tn_status tn_cpu_object_name(const tn_cpu_object *object, const Elf64_Sym *symbol, tn_str *out,
                             tn_diag *diag);
tn_status tn_cpu_object_fail(tn_diag *diag, const char *problem);

// An object while it is linked. The table of addresses has a slot for each symbol; calls of what is
// too far away go by a stub, which each symbol has that others see.
typedef struct tn_cpu_link {
  const tn_cpu_object *object;
  uint8_t *memory;  // borrowed: sections are there, and may be written
  uint64_t table_at;
  uint64_t stubs_at;
} tn_cpu_link;
enum { TN_CPU_SLOT_SIZE = 8, TN_CPU_STUB_SIZE = 8 };
// Fills the table and the stubs, then relocates all sections. BUILD_FAILED; UNSUPPORTED when a
// relocation is of a kind that is not known here.
tn_status tn_cpu_link_run(const tn_cpu_link *link, tn_diag *diag);

// Machine code in memory. Immutable once loaded, but for what `kernels` learn of their costs.
typedef struct tn_cpu_code {
  uint8_t *memory;  // owned: a mapping
  size_t memory_size;
  tn_adapter_kernel *kernels;  // owned
  size_t kernel_count;
  char *names;          // owned; of kernels
  uint32_t *buckets;    // owned; by hash of the name: index + 1
  size_t bucket_count;  // a power of two, or 0
  void *lines;          // owned: what debuggers know of it; NULL without
} tn_cpu_code;
// As tn_cpu_object_read and tn_cpu_link_run; OUT_OF_MEMORY. Any thread.
tn_status tn_cpu_code_load(tn_bytes bytes, tn_cpu_code *out, tn_diag *diag);
void tn_cpu_code_unload(tn_cpu_code *code);  // of zeros as well
// By its name without suffix; NULL when there is none. Any thread; lives as long as the code.
tn_adapter_kernel *tn_cpu_code_find(const tn_cpu_code *code, tn_str name);

// Debuggers that follow gdb's interface for code made at run time. `memory` is where the object's
// sections are placed. Any thread.
tn_status tn_cpu_debugger_add(const tn_cpu_object *object, const uint8_t *memory, void **out,
                              tn_diag *diag);
void tn_cpu_debugger_remove(void *lines);  // NULL-safe

// TENON_PERF_MAP=1: writes the functions' names where Linux's perf looks for them. What keeps it
// from that is in the log only. `memory` is as above. Any thread.
void tn_cpu_perf_add(const tn_cpu_object *object, const uint8_t *memory);

#endif
