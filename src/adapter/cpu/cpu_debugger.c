// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells debuggers of code that was made at run time, by gdb's interface for it: a list of objects
// at an agreed name, and a function of another to stop in when it changes. gdb documents both.
#include "adapter/cpu/cpu_object.h"
#include "base/alloc.h"

#include <stddef.h>
#include <string.h>

typedef struct entry entry;
struct entry {
  entry *next;
  entry *previous;
  const void *object;
  uint64_t size;
};
enum { NO_ACTION, REGISTER, UNREGISTER, VERSION = 1 };
struct descriptor {
  uint32_t version;
  uint32_t action;
  entry *relevant;
  entry *first;
};

// Exported, since debuggers look for the names even in libraries without other symbols; with a
// version of their own (cmake/tenon.map), so that LLVM's of the same names stay LLVM's.
#define TN_FOR_DEBUGGERS __attribute__((visibility("protected"), used))
void __jit_debug_register_code(void);
extern struct descriptor __jit_debug_descriptor;
TN_FOR_DEBUGGERS struct descriptor __jit_debug_descriptor = {.version = VERSION};
TN_FOR_DEBUGGERS __attribute__((noinline)) void __jit_debug_register_code(void) {
  __asm__ volatile("" ::: "memory");
}

static tn_mutex mu = TN_MUTEX_INIT(TN_RANK_LEAF);  // guards the list, whose type is the debugger's

static void tell(uint32_t action, entry *relevant) TN_REQUIRES(&mu) {
  __jit_debug_descriptor.action = action;
  __jit_debug_descriptor.relevant = relevant;
  __jit_debug_register_code();
  __jit_debug_descriptor.action = NO_ACTION;
  __jit_debug_descriptor.relevant = NULL;
}

// Debuggers relocate the debug information by the addresses in the section headers.
static void write_addresses(const tn_cpu_object *object, const uint8_t *memory, uint8_t *copy) {
  for (size_t i = 0; i < object->section_count; i++) {
    const tn_cpu_section *section = &object->sections[i];
    if (section->part != TN_CPU_NOT_PLACED) {
      const uint64_t address = (uint64_t)(uintptr_t)memory + section->at;
      memcpy(copy + object->headers_at + i * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_addr),
             &address, sizeof(address));
    }
  }
}

tn_status tn_cpu_debugger_add(const tn_cpu_object *object, const uint8_t *memory, void **out,
                              tn_diag *diag) {
  *out = NULL;
  entry *added = tn_alloc(sizeof(*added));
  uint8_t *copy = tn_alloc(object->bytes.size);
  if (added == NULL || copy == NULL) {
    tn_free(added);
    tn_free(copy);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the debug information of device code");
  }
  memcpy(copy, object->bytes.data, object->bytes.size);
  write_addresses(object, memory, copy);
  *added = (entry){.object = copy, .size = object->bytes.size};
  tn_mutex_lock(&mu);
  added->next = __jit_debug_descriptor.first;
  if (added->next != NULL) {
    added->next->previous = added;
  }
  __jit_debug_descriptor.first = added;
  tell(REGISTER, added);
  tn_mutex_unlock(&mu);
  *out = added;
  return TN_OK;
}

void tn_cpu_debugger_remove(void *lines) {
  entry *removed = lines;
  if (removed == NULL) {
    return;
  }
  tn_mutex_lock(&mu);
  if (removed->next != NULL) {
    removed->next->previous = removed->previous;
  }
  if (removed->previous != NULL) {
    removed->previous->next = removed->next;
  } else {
    __jit_debug_descriptor.first = removed->next;
  }
  tell(UNREGISTER, removed);
  tn_mutex_unlock(&mu);
  tn_free((void *)(uintptr_t)removed->object);
  tn_free(removed);
}
