// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All heap memory of the library comes from here: counted, and failable on purpose in tests.
// malloc, free and strdup are used nowhere else.
#ifndef TN_BASE_ALLOC_H
#define TN_BASE_ALLOC_H

#include "base/base.h"
#include "base/str.h"

// Zeroed memory, aligned for any type; NULL when there is none (or `size` is 0).
void *tn_alloc(size_t size) __attribute__((malloc));
void *tn_alloc_array(size_t count, size_t item_size);  // NULL on overflow as well
// Grows or shrinks; on failure NULL and `memory` stays valid. New bytes are not zeroed.
void *tn_realloc(void *memory, size_t size);
void tn_free(void *memory);  // NULL-safe
// Aligned memory, zeroed only on request; free with tn_free_aligned.
void *tn_alloc_aligned(size_t size, size_t alignment);
void tn_free_aligned(void *memory);
// Memory that another library got from malloc and gave to us (__cxa_demangle). Not counted.
void tn_free_foreign(void *memory);
// NUL-terminated copy of a view; NULL when there is no memory.
char *tn_str_copy(tn_str s);

// Counters since start; any thread. For tests and benchmarks ("no allocation per launch").
uint64_t tn_alloc_count(void);
int64_t tn_alloc_live(void);

// Fault injection: the n-th fallible event from now (0 = the next) fails, once; negative turns it
// off. Allocations, file operations, starts of threads and processes, loads of libraries and
// adapter calls all count as events.
void tn_fault_arm(int64_t nth);
bool tn_fault_hit(void);    // true when this event must fail
bool tn_fault_fired(void);  // whether the armed fault has happened

#endif
