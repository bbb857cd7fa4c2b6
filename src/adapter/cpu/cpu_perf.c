// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers functions that were made at run time with Linux's perf, in the file that it reads their
// names from: /tmp/perf-PID.map, lines of address, size and name (perf's jit-interface.txt).
#include "adapter/cpu/cpu_object.h"
#include "base/buf.h"
#include "base/config.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Others may have lines in it: another run-time compiler in the process. No file of another user's,
// and none that another name leads to.
static int open_map(void) {
  char path[64];
  (void)snprintf(path, sizeof(path), "/tmp/perf-%ld.map", (long)getpid());
  const int file =
      open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  struct stat facts;
  if (file < 0) {
    TN_LOG(adapter, "%s: names of kernels are not written: %s", path, strerror(errno));
  } else if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_nlink != 1 ||
             facts.st_uid != geteuid()) {
    TN_LOG(adapter, "%s: names of kernels are not written: it is no file of this user's", path);
    (void)close(file);
    return -1;
  }
  return file;
}

static bool add_lines(const tn_cpu_object *object, const uint8_t *memory, tn_buf *lines) {
  for (size_t i = 0; i < object->symbol_count; i++) {
    const Elf64_Sym symbol = tn_cpu_object_symbol(object, i);
    const tn_cpu_section *section = tn_cpu_object_section_of(object, &symbol);
    tn_str name;
    if (section == NULL || section->part != TN_CPU_CODE || symbol.st_size == 0 ||
        ELF64_ST_TYPE(symbol.st_info) != STT_FUNC ||
        tn_cpu_object_name(object, &symbol, &name, NULL) != TN_OK) {
      continue;
    }
    const uint64_t address = (uint64_t)(uintptr_t)memory + section->at + symbol.st_value;
    tn_buf_add_format(lines, "%" PRIx64 " %" PRIx64 " %.*s\n", address, symbol.st_size,
                      (int)name.size, name.data);
  }
  return tn_buf_status(lines, NULL) == TN_OK;
}

void tn_cpu_perf_add(const tn_cpu_object *object, const uint8_t *memory) {
  if (!tn_config_get()->perf_map) {
    return;
  }
  tn_buf lines;
  tn_buf_init(&lines, UINT64_C(64) << 20);
  const int file = add_lines(object, memory, &lines) ? open_map() : -1;
  if (file >= 0) {
    // One write: lines of threads do not mix.
    const ssize_t written = write(file, tn_buf_text(&lines), lines.size);
    if (written < 0 || (size_t)written != lines.size) {
      TN_LOG(adapter, "names of kernels were not written for perf: %s",
             written < 0 ? strerror(errno) : "the disk is full");
    }
    (void)close(file);
  }
  tn_buf_deinit(&lines);
}
