// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's own machine code, as the dynamic linker has mapped it.
#include "base/own_code.h"

#include <elf.h>
#include <link.h>

// Of the library or program that this is a part of; the linker defines it.
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

enum { CACHE_LINE = 64 };

void tn_own_code_touch(void) {
  const char *base = (const char *)&__ehdr_start;
  const ElfW(Phdr) *segments = (const ElfW(Phdr) *)(const void *)(base + __ehdr_start.e_phoff);
  const size_t count = __ehdr_start.e_phnum;
  for (size_t i = 0; i < count; i++) {
    if (segments[i].p_type == PT_LOAD && segments[i].p_offset == 0) {
      base -= segments[i].p_vaddr;
      break;
    }
  }
  for (size_t i = 0; i < count; i++) {
    const bool is_code = segments[i].p_type == PT_LOAD && (segments[i].p_flags & PF_X) != 0;
    for (size_t at = 0; is_code && at < segments[i].p_memsz; at += CACHE_LINE) {
      (void)*(const volatile unsigned char *)(base + segments[i].p_vaddr + at);
    }
  }
}
