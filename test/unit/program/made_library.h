// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Real shared libraries for the dynamic linker, written byte by byte: each has a module descriptor
// and export markers, so that scopes, RTLD_LOCAL and dlclose are the loader's own.
#ifndef TN_TEST_MADE_LIBRARY_H
#define TN_TEST_MADE_LIBRARY_H

#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <stdio.h>

#include "base/file.h"
#include "tenon/kernel.h"
#include "unit/registry/module_maker.h"

enum { MADE_SYMBOLS = MAKER_SYMBOLS + 1, MADE_SIZE = 8192 };

typedef struct made_library {
  char path[512];
  void *handle;
  tn_module *module;     // in the library
  tn_kernel_slot *slot;  // in the library: dies with it
  void *fatbin;          // owned
} made_library;

// What the one segment of the file holds, read and written.
typedef struct made_file {
  Elf64_Ehdr header;
  Elf64_Phdr segments[3];
  Elf64_Sym symbols[MADE_SYMBOLS + 1];
  struct {
    uint32_t bucket_count;
    uint32_t first_symbol;
    uint32_t bloom_words;
    uint32_t bloom_shift;
    uint64_t bloom;
    uint32_t bucket;
    uint32_t chain[MADE_SYMBOLS];
  } hash;
  Elf64_Dyn dynamic[8];
  tn_module module;
  tn_kernel_slot slot;
  tn_export_marker markers[MAKER_SYMBOLS];
  char strings[2048];
} made_file;

static inline size_t made_string(made_file *file, size_t *used, const char *prefix,
                                 const char *text) {
  const size_t at = *used;
  *used += (size_t)snprintf(file->strings + at, sizeof(file->strings) - at, "%s%s", prefix, text) +
           1;
  assert_true(*used < sizeof(file->strings));
  return at;
}

static inline void made_symbol(made_file *file, size_t *count, size_t name, size_t at,
                               size_t size) {
  file->symbols[++*count] = (Elf64_Sym){.st_name = (Elf64_Word)name,
                                        .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
                                        .st_shndx = 1, .st_value = at, .st_size = size};
}

// GNU's table as linkers write it, with one bucket whose chain holds all symbols.
static inline void made_hash(made_file *file, size_t count) {
  file->hash.bucket_count = 1;
  file->hash.first_symbol = 1;
  file->hash.bloom_words = 1;
  file->hash.bloom_shift = 26;
  file->hash.bucket = 1;
  for (size_t i = 1; i <= count; i++) {
    uint32_t hash = 5381;
    for (const char *c = file->strings + file->symbols[i].st_name; *c != '\0'; c++) {
      hash = hash * 33 + (unsigned char)*c;
    }
    file->hash.bloom |= UINT64_C(1) << hash % 64 | UINT64_C(1) << (hash >> 26) % 64;
    file->hash.chain[i - 1] = i < count ? hash & ~1u : hash | 1u;
  }
}

static inline void made_fill(made_file *file, const char *const *exports, const char *needed) {
  size_t used = 1;
  size_t count = 0;
  made_symbol(file, &count, made_string(file, &used, "made_module", ""),
              offsetof(made_file, module), sizeof(tn_module));
  for (size_t i = 0; i < MAKER_SYMBOLS && exports && exports[i]; i++) {
    made_symbol(file, &count, made_string(file, &used, "__tenon_export_", exports[i]),
                offsetof(made_file, markers) + i * sizeof(tn_export_marker),
                sizeof(tn_export_marker));
  }
  made_hash(file, count);
  size_t d = 0;
  if (needed) {
    file->dynamic[d++] = (Elf64_Dyn){DT_NEEDED, {made_string(file, &used, "", needed)}};
  }
  file->dynamic[d++] = (Elf64_Dyn){DT_GNU_HASH, {offsetof(made_file, hash)}};
  file->dynamic[d++] = (Elf64_Dyn){DT_STRTAB, {offsetof(made_file, strings)}};
  file->dynamic[d++] = (Elf64_Dyn){DT_SYMTAB, {offsetof(made_file, symbols)}};
  file->dynamic[d++] = (Elf64_Dyn){DT_STRSZ, {sizeof(file->strings)}};
  file->dynamic[d++] = (Elf64_Dyn){DT_SYMENT, {sizeof(Elf64_Sym)}};
  file->segments[0] = (Elf64_Phdr){.p_type = PT_LOAD, .p_flags = PF_R | PF_W,
                                   .p_filesz = sizeof(*file), .p_memsz = sizeof(*file),
                                   .p_align = 4096};
  file->segments[1] = (Elf64_Phdr){.p_type = PT_DYNAMIC, .p_flags = PF_R | PF_W,
                                   .p_offset = offsetof(made_file, dynamic),
                                   .p_vaddr = offsetof(made_file, dynamic),
                                   .p_filesz = sizeof(file->dynamic),
                                   .p_memsz = sizeof(file->dynamic), .p_align = 8};
  file->segments[2] = (Elf64_Phdr){.p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W, .p_align = 16};
}

static inline void made_store(made_library *library, const char *folder, const char *name,
                              made_file *file) {
  _Static_assert(sizeof(*file) <= MADE_SIZE, "a library is small");
  memcpy(file->header.e_ident, ELFMAG, SELFMAG);
  file->header.e_ident[EI_CLASS] = ELFCLASS64;
  file->header.e_ident[EI_DATA] = ELFDATA2LSB;
  file->header.e_ident[EI_VERSION] = EV_CURRENT;
  file->header.e_type = ET_DYN;
  file->header.e_machine = EM_X86_64;
  file->header.e_version = EV_CURRENT;
  file->header.e_phoff = offsetof(made_file, segments);
  file->header.e_ehsize = sizeof(Elf64_Ehdr);
  file->header.e_phentsize = sizeof(Elf64_Phdr);
  file->header.e_phnum = 3;
  memset(library, 0, sizeof(*library));
  (void)snprintf(library->path, sizeof(library->path), "%s/%s", folder, name);
  tn_diag diag = {0};
  if (tn_file_write(library->path, tn_bytes_from(file, sizeof(*file)), &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
}

// Writes the file only; the name must be new in the folder.
static inline void made_write(made_library *library, const char *folder, const char *name,
                              const char *const *exports, const char *needed) {
  static made_file file;
  memset(&file, 0, sizeof(file));
  made_fill(&file, exports, needed);
  made_store(library, folder, name, &file);
}

// A library with one symbol of a fixed address: a function of this program.
static inline void made_write_absolute(made_library *library, const char *folder,
                                       const char *name, const char *symbol, uintptr_t address) {
  static made_file file;
  memset(&file, 0, sizeof(file));
  made_fill(&file, NULL, NULL);
  (void)snprintf(file.strings + file.symbols[1].st_name, 64, "%s", symbol);
  file.hash.bloom = 0;
  made_hash(&file, 1);
  file.symbols[1].st_value = address;
  file.symbols[1].st_shndx = SHN_ABS;
  made_store(library, folder, name, &file);
}

// The loader's own lock, which the thread sanitizer does not see: without it, memory of a library
// that one thread closes and the next opens in the same place looks like a race.
static pthread_mutex_t made_loader = PTHREAD_MUTEX_INITIALIZER;

// Loads the file and registers its module with the images, as its constructor would.
static inline void made_load(made_library *library, int flags, const image_maker *images,
                             size_t image_count) {
  (void)pthread_mutex_lock(&made_loader);
  library->handle = dlopen(library->path, RTLD_NOW | flags);
  (void)pthread_mutex_unlock(&made_loader);
  if (!library->handle) {
    fail_msg("%s", dlerror());
  }
  library->module = dlsym(library->handle, "made_module");
  made_file *file = (made_file *)(void *)((char *)library->module - offsetof(made_file, module));
  library->slot = &file->slot;
  for (size_t i = 0; i < MAKER_SYMBOLS; i++) {
    const Elf64_Sym *symbol = &file->symbols[2 + i];
    const char *name = file->strings + symbol->st_name + strlen("__tenon_export_");
    if (symbol->st_name != 0) {
      file->markers[i] = (tn_export_marker){library->module, name};
    }
  }
  maker_register(library->module, images, image_count);
  library->fatbin = (void *)(uintptr_t)library->module->fatbin;
  file->slot = (tn_kernel_slot){.module = library->module};
}

static inline void made_open(made_library *library, const char *folder, const char *name, int flags,
                             const image_maker *images, size_t image_count) {
  made_write(library, folder, name, images[0].exports, NULL);
  made_load(library, flags, images, image_count);
}

static inline void made_close(made_library *library) {
  if (library->handle) {
    maker_unregister(library->module);
    (void)pthread_mutex_lock(&made_loader);
    const int failed = dlclose(library->handle);
    (void)pthread_mutex_unlock(&made_loader);
    assert_int_equal(failed, 0);
    library->handle = NULL;
  }
}

#endif
