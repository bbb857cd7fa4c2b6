// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared libraries at run time, and asking the dynamic linker as the host's own references do.
#include "base/dynlib.h"

#include "base/alloc.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>

struct tn_dynlib {
  void *handle;  // the loader's
};

// The loader would wait for a writer of a pipe, or read a device. A name without a folder is
// searched for by the loader.
static tn_status check_kind(const char *path, tn_diag *diag) {
  struct stat info;
  return strchr(path, '/') && stat(path, &info) == 0 && !S_ISREG(info.st_mode)
             ? TN_FAIL(diag, IO, "%s: is not a regular file", path)
             : TN_OK;
}

tn_status tn_dynlib_open(const char *path, tn_dynlib **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(check_kind(path, diag));
  tn_dynlib *lib = tn_alloc(sizeof(*lib));
  if (!lib) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory to load it", path);
  }
  lib->handle = tn_fault_hit() ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!lib->handle) {
    const char *reason = dlerror();
    reason = reason ? reason : "the loader gives no reason";
    // It names the file itself where it was that which it could not load.
    const bool is_named = tn_str_has_prefix(tn_str_from(reason), tn_str_from(path));
    const tn_status status = TN_FAIL(diag, IO, "%s%s%s", is_named ? "" : path,
                                     is_named ? "" : ": cannot be loaded: ", reason);
    tn_free(lib);
    return status;
  }
  *out = lib;
  return TN_OK;
}

void tn_dynlib_close(tn_dynlib *lib) {
  if (lib) {
    (void)dlclose(lib->handle);
    tn_free(lib);
  }
}

void *tn_dynlib_find(tn_dynlib *lib, const char *symbol) { return dlsym(lib->handle, symbol); }

// The handle of the main program stands for the global scope: the program, what was loaded with it,
// LD_PRELOAD and whatever was opened RTLD_GLOBAL. RTLD_DEFAULT would search the caller's own scope
// too, and so the private scope of whichever module happened to bring this library in.
static void *find_global(const char *symbol) {
  void *program = dlopen(NULL, RTLD_LAZY);
  if (!program) {
    return NULL;
  }
  void *found = dlsym(program, symbol);
  (void)dlclose(program);
  return found;
}

void *tn_dynlib_resolve(const char *symbol, const void *module_address) {
  void *found = find_global(symbol);
  if (found || !module_address) {
    return found;
  }
  Dl_info info;
  struct link_map *map = NULL;
  if (dladdr1(module_address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || !map || !map->l_name ||
      map->l_name[0] == '\0') {
    return NULL;  // in no module, or in the main program, whose scope is the global one
  }
  void *module = dlopen(map->l_name, RTLD_NOLOAD | RTLD_LAZY);
  if (!module) {
    return NULL;
  }
  found = dlsym(module, symbol);
  (void)dlclose(module);
  return found;
}

const char *tn_dynlib_path_of(const void *address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fname : NULL;
}
