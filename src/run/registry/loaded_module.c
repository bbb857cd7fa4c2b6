// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the loader has in memory, asked in a way that another thread's dlclose cannot spoil: the
// loader holds its list while dl_iterate_phdr calls back, so nothing is unmapped meanwhile.
#include "run/registry/loaded_module.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <sys/auxv.h>

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
  bool was_called;
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

typedef enum segment_extent { IN_MEMORY, IN_FILE } segment_extent;

// The loaded segment that contains the bytes, within its extent in memory or in the file; NULL.
static UNSANITIZED const ElfW(Phdr) *find_segment(const struct dl_phdr_info *info,
                                                 const void *address, size_t size,
                                                 segment_extent extent) {
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    const uintptr_t offset =
        (uintptr_t)address - (uintptr_t)info->dlpi_addr - (uintptr_t)header->p_vaddr;
    const uintptr_t length = extent == IN_FILE ? header->p_filesz : header->p_memsz;
    if (header->p_type == PT_LOAD && offset < length && size <= length - offset) {
      return header;
    }
  }
  return NULL;
}

static UNSANITIZED bool holds(const struct dl_phdr_info *info, const void *address, size_t size) {
  return find_segment(info, address, size, IN_MEMORY) != NULL;
}

static UNSANITIZED void take_found(const struct dl_phdr_info *info, loaded_query *query) {
  query->found = true;
  const char *bytes = query->address;
  for (size_t i = 0; query->bytes && i < query->size; i++) {
    query->bytes[i] = bytes[i];
  }
  const char *name = info->dlpi_name;
  for (size_t i = 0; name && name[i] != '\0' && i + 1 < sizeof(query->path); i++) {
    query->path[i] = name[i];
  }
}

// Where the C library can tell an address's module without looking at all modules, that is done in
// the first call back: it comes with the loader's list held. The header, in the first page that is
// mapped, says where the segments are. False when the others must be looked at.
#if defined(DLFO_STRUCT_HAS_EH_DBASE)
static UNSANITIZED bool read_headers(const struct dl_find_object *object,
                                     struct dl_phdr_info *out) {
  const size_t page = 4096;  // all of it is there, however little the file has
  const char *begin = object->dlfo_map_start;
  const ElfW(Ehdr) *header = object->dlfo_map_start;
  if (header->e_ident[EI_MAG0] != ELFMAG0 || header->e_ident[EI_MAG1] != ELFMAG1 ||
      header->e_ident[EI_MAG2] != ELFMAG2 || header->e_ident[EI_MAG3] != ELFMAG3 ||
      header->e_phoff >= page || header->e_phoff % alignof(ElfW(Phdr)) != 0 ||
      header->e_phnum > (page - header->e_phoff) / sizeof(ElfW(Phdr))) {
    return false;
  }
  const struct link_map *map = object->dlfo_link_map;
  *out = (struct dl_phdr_info){.dlpi_addr = map->l_addr, .dlpi_name = map->l_name,
                               .dlpi_phdr = (const void *)(begin + header->e_phoff),
                               .dlpi_phnum = header->e_phnum};
  return true;
}

static UNSANITIZED bool find_at_once(loaded_query *query) {
  struct dl_find_object object;
  struct dl_phdr_info info;
  if (_dl_find_object((void *)(uintptr_t)query->address, &object) != 0 ||
      !read_headers(&object, &info)) {
    return false;
  }
  if (holds(&info, query->address, query->size)) {
    take_found(&info, query);
  }
  return query->found;
}

bool tn_loaded_file_of(const void *bytes, size_t size, tn_buf *path, uint64_t *out_offset) {
  struct dl_find_object object;
  struct dl_phdr_info info;
  if (_dl_find_object((void *)(uintptr_t)bytes, &object) != 0 || !read_headers(&object, &info) ||
      !info.dlpi_name || info.dlpi_name[0] == '\0') {
    return false;
  }
  const ElfW(Phdr) *segment = find_segment(&info, bytes, size, IN_FILE);
  if (!segment || (segment->p_flags & PF_W) != 0) {
    return false;
  }
  tn_buf_add_text(path, info.dlpi_name);
  *out_offset = segment->p_offset + (uintptr_t)bytes - (uintptr_t)info.dlpi_addr - segment->p_vaddr;
  return true;
}
#else
static bool find_at_once(loaded_query *query) {
  (void)query;
  return false;
}

bool tn_loaded_file_of(const void *bytes, size_t size, tn_buf *path, uint64_t *out_offset) {
  (void)bytes;
  (void)size;
  (void)path;
  *out_offset = 0;
  return false;
}
#endif

static UNSANITIZED int visit_address(struct dl_phdr_info *info, size_t info_size, void *user) {
  loaded_query *query = user;
  (void)info_size;
  const bool is_first = !query->was_called;
  query->was_called = true;
  query->is_main = is_first && holds(info, query->address, query->size);
  if (query->is_main || (!is_first && holds(info, query->address, query->size))) {
    take_found(info, query);
    return 1;
  }
  return is_first && find_at_once(query) ? 1 : 0;
}

bool tn_registry_read_loaded(const void *address, void *out, size_t size) {
  loaded_query query = {.address = address, .size = size, .bytes = out};
  (void)dl_iterate_phdr(visit_address, &query);
  return query.found;
}

void tn_loaded_module_path(const void *address, tn_buf *buf) {
  loaded_query query = {.address = address, .size = 1};
  (void)dl_iterate_phdr(visit_address, &query);
  if (query.found && query.path[0] != '\0') {
    tn_buf_add_text(buf, query.path);
    return;
  }
  // The loader gives the main program no name; it cannot be unloaded, so asking later is safe. How
  // it was started is known without asking the system.
  const char *started_as = (const char *)getauxval(AT_EXECFN);
  if (query.found && query.is_main && started_as && started_as[0] == '/') {
    tn_buf_add_text(buf, started_as);
    return;
  }
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
  static _Atomic int known;  // 0: not asked yet
  int answer = atomic_load_explicit(&known, memory_order_relaxed);
  if (answer == 0) {
    loaded_query query = {0};
    (void)dl_iterate_phdr(visit_first, &query);
    answer = query.has_interpreter ? 1 : 2;
    atomic_store_explicit(&known, answer, memory_order_relaxed);
  }
  return answer == 1;
}

// Without PT_PHDR the load address is taken to be 0.
static struct dl_phdr_info main_headers(bool *out_has_address) {
  struct dl_phdr_info info = {.dlpi_phdr = (const void *)getauxval(AT_PHDR),
                              .dlpi_phnum = (ElfW(Half))getauxval(AT_PHNUM)};
  *out_has_address = false;
  for (size_t i = 0; info.dlpi_phdr && i < info.dlpi_phnum; i++) {
    if (info.dlpi_phdr[i].p_type == PT_PHDR) {
      info.dlpi_addr = (ElfW(Addr))info.dlpi_phdr - info.dlpi_phdr[i].p_vaddr;
      *out_has_address = true;
    }
  }
  return info;
}

bool tn_loaded_is_main(const void *address) {
  bool has_address = false;
  const struct dl_phdr_info info = main_headers(&has_address);
  return info.dlpi_phdr != NULL && holds(&info, address, 1);
}

bool tn_loaded_is_in_program_file(const void *bytes, size_t size) {
  bool has_address = false;
  const struct dl_phdr_info info = main_headers(&has_address);
  return info.dlpi_phdr != NULL && has_address && find_segment(&info, bytes, size, IN_FILE) != NULL;
}

static struct link_map *map_of(const void *address) {
#if defined(DLFO_STRUCT_HAS_EH_DBASE)
  struct dl_find_object object;
  return _dl_find_object((void *)(uintptr_t)address, &object) == 0 ? object.dlfo_link_map : NULL;
#else
  Dl_info info;
  struct link_map *map = NULL;
  return dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) != 0 ? map : NULL;
#endif
}

bool tn_loaded_is_same(const void *a, const void *b) {
  const struct link_map *map = map_of(a);
  return map != NULL && map == map_of(b);
}

// Handles are the loader's maps, so that a module which came in another's place is told from it.
bool tn_loaded_module_hold(const void *address, void **out_holder) {
  *out_holder = NULL;
  const struct link_map *map = map_of(address);
  if (!map || !map->l_name || map->l_name[0] == '\0') {
    return map != NULL;
  }
  void *handle = dlopen(map->l_name, RTLD_NOLOAD | RTLD_LAZY);
  if (!handle || handle != (void *)map_of(address)) {
    tn_loaded_module_let_go(handle);
    return false;
  }
  *out_holder = handle;
  return true;
}

void tn_loaded_module_let_go(void *holder) {
  if (holder) {
    (void)dlclose(holder);
  }
}

tn_status tn_registry_check_namespace(tn_diag *diag) {
  static _Atomic int known;  // 0: not asked yet
  int answer = atomic_load_explicit(&known, memory_order_relaxed);
  if (answer == 0) {
    static const char here = 0;
    struct link_map *map = map_of(&here);
    Lmid_t space = LM_ID_BASE;
    const bool is_base =
        !map || dlinfo(map, RTLD_DI_LMID, &space) != 0 || space == LM_ID_BASE;
    answer = is_base ? 1 : 2;
    atomic_store_explicit(&known, answer, memory_order_relaxed);
  }
  return answer == 1
             ? TN_OK
             : TN_FAIL(diag, UNSUPPORTED, "the library that launches was loaded by dlmopen, into a "
                       "namespace with a runtime of its own, which shares neither devices nor "
                       "functions with the program's: open it with dlopen; RTLD_LOCAL keeps its "
                       "symbols to itself, RTLD_DEEPBIND prefers them");
}
