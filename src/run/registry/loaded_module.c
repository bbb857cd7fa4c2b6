// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the loader has in memory, asked in a way that another thread's dlclose cannot spoil: the
// loader holds its list while dl_iterate_phdr calls back, so nothing is unmapped meanwhile.
#include "run/registry/loaded_module.h"

#include <limits.h>
#include <link.h>

#include "base/file.h"
#include "run/registry/registry.h"

typedef struct loaded_query {
  const void *address;
  size_t size;
  char *bytes;                 // where to copy to, or NULL
  char path[PATH_MAX];
  bool found;
  bool has_interpreter;        // of the main program, which is listed first
  bool is_main;
} loaded_query;

// The thread sanitizer, when it reports, needs the lock that the loader holds here: it must not be
// waited for in these functions.
#if defined(__SANITIZE_THREAD__)
#define UNSANITIZED __attribute__((no_sanitize_thread))
#elif defined(__clang__)
#define UNSANITIZED __attribute__((no_sanitize("thread")))
#else
#define UNSANITIZED
#endif

static UNSANITIZED bool holds(const struct dl_phdr_info *info, const void *address, size_t size) {
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    const uintptr_t begin = (uintptr_t)info->dlpi_addr + header->p_vaddr;
    const uintptr_t at = (uintptr_t)address;
    if (header->p_type == PT_LOAD && at >= begin && at - begin < header->p_memsz &&
        size <= header->p_memsz - (at - begin)) {
      return true;
    }
  }
  return false;
}

static UNSANITIZED int visit_address(struct dl_phdr_info *info, size_t info_size, void *user) {
  loaded_query *query = user;
  (void)info_size;
  if (!holds(info, query->address, query->size)) {
    query->is_main = false;  // the next one is not the first
    return 0;
  }
  query->found = true;
  const char *bytes = query->address;
  for (size_t i = 0; query->bytes && i < query->size; i++) {
    query->bytes[i] = bytes[i];
  }
  const char *name = info->dlpi_name;
  for (size_t i = 0; name && name[i] != '\0' && i + 1 < sizeof(query->path); i++) {
    query->path[i] = name[i];
  }
  return 1;
}

bool tn_registry_read_loaded(const void *address, void *out, size_t size) {
  loaded_query query = {.address = address, .size = size, .bytes = out, .is_main = true};
  (void)dl_iterate_phdr(visit_address, &query);
  return query.found;
}

void tn_loaded_module_path(const void *address, tn_buf *buf) {
  loaded_query query = {.address = address, .size = 1, .is_main = true};
  (void)dl_iterate_phdr(visit_address, &query);
  if (query.found && query.path[0] != '\0') {
    tn_buf_add_text(buf, query.path);
    return;
  }
  // The loader gives the main program no name; it cannot be unloaded, so asking later is safe.
  char *path = query.found && query.is_main ? tn_path_of_address(address) : NULL;
  tn_buf_add_text(buf, path ? path : query.found ? "the program" : "a module that is gone");
  tn_free(path);
}

static int visit_first(struct dl_phdr_info *info, size_t info_size, void *user) {
  loaded_query *query = user;
  (void)info_size;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    query->has_interpreter = query->has_interpreter || info->dlpi_phdr[i].p_type == PT_INTERP;
  }
  return 1;
}

bool tn_registry_has_dynamic_linker(void) {
  loaded_query query = {0};
  (void)dl_iterate_phdr(visit_first, &query);
  return query.has_interpreter;
}
