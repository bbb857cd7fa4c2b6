// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler as a library, loaded the first time something must be compiled, and kept: code
// from it may still be on some thread's stack.
#include "run/device/device.h"

#include "base/config.h"
#include "base/dynlib.h"
#include "base/file.h"
#include "base/log.h"
#include "run/device/compiler_identity.h"
#include "run/device/gate.h"

#define COMPILER_FILE "libtenon-compiler.so"

static tn_gate gate = TN_GATE_INIT;
static const tn_compiler *_Atomic loaded;  // static storage of the library
static tn_dynlib *_Atomic kept;  // owned for ever

// TENON_COMPILER_LIBRARY, or beside the library (or program) this code is in. The working folder,
// where others may write, is no substitute when that folder is unknown.
char *tn_device_compiler_path(void) {
  const char *configured = tn_config_get()->compiler_path;
  if (configured[0] != '\0') {
    return tn_str_copy(tn_str_from(configured));
  }
  char *own = tn_path_of_address((const void *)&gate);
  char *path = own ? tn_path_join(tn_path_dir(tn_str_from(own)), TN_STR_LIT(COMPILER_FILE))
                   : tn_str_copy(TN_STR_LIT(""));
  tn_free(own);
  return path;
}

void *tn_compiler_library_find(const char *symbol) {
  tn_dynlib *library = atomic_load_explicit(&kept, memory_order_acquire);
  return library ? tn_dynlib_find(library, symbol) : NULL;
}

static tn_status query(tn_dynlib *library, const char *path, const tn_compiler **out,
                       tn_diag *diag) {
  void *symbol = tn_dynlib_find(library, TN_COMPILER_QUERY);
  tn_compiler_query_fn ask = NULL;
  memcpy(&ask, &symbol, sizeof(ask));  // ISO C has no cast from an object's to a function's address
  if (!ask) {
    return TN_FAIL(diag, UNSUPPORTED, "%s is not Tenon's compiler library: it has no %s. Set "
                   "TENON_COMPILER_LIBRARY to the one of this installation", path,
                   TN_COMPILER_QUERY);
  }
  const tn_compiler *table = ask(TN_COMPILER_VERSION);
  if (!table || table->version != TN_COMPILER_VERSION || table->size < sizeof(tn_compiler)) {
    return TN_FAIL(diag, UNSUPPORTED, "%s is of another version (%u, this runtime needs %u): set "
                   "TENON_COMPILER_LIBRARY to the one of this installation", path,
                   table ? table->version : 0u, (unsigned)TN_COMPILER_VERSION);
  }
  *out = table;
  return TN_OK;
}

static tn_status load(const tn_compiler **out, tn_diag *diag) {
  char *path = tn_device_compiler_path();
  if (!path) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the path of the compiler library");
  }
  if (path[0] == '\0') {
    tn_free(path);
    return TN_FAIL(diag, UNSUPPORTED,
                   "device code must be compiled here, and the folder of libtenon.so, which has "
                   "the compiler library, is unknown: set TENON_COMPILER_LIBRARY to its path");
  }
  tn_dynlib *library = NULL;
  tn_diag reason = {0};
  tn_status status = tn_dynlib_open(path, &library, &reason);
  if (status == TN_OUT_OF_MEMORY) {
    TN_IGNORE(TN_FAIL(diag, OUT_OF_MEMORY, "%s", reason.text), "the status is returned below");
  } else if (status != TN_OK) {
    status = TN_FAIL(diag, UNSUPPORTED, "device code must be compiled here, and the compiler "
                     "library cannot be loaded: %.700s. Install it beside libtenon.so or set "
                     "TENON_COMPILER_LIBRARY to its path", reason.text);
  } else {
    status = query(library, path, out, diag);
  }
  if (status != TN_OK) {
    tn_dynlib_close(library);  // nothing of it ran but its constructors
  } else {
    atomic_store_explicit(&kept, library, memory_order_release);
    TN_LOG(device, "%s: compiler table version %u", path, (*out)->version);
  }
  tn_free(path);
  return status;
}

tn_status tn_device_get_compiler(const tn_compiler **out, tn_diag *diag) {
  tn_status status = TN_OK;
  *out = atomic_load_explicit(&loaded, memory_order_acquire);
  if (*out) {
    return TN_OK;
  }
  tn_gate_enter(&gate);
  *out = atomic_load_explicit(&loaded, memory_order_relaxed);
  if (!*out) {
    status = load(out, diag);
    if (status == TN_OK) {
      atomic_store_explicit(&loaded, *out, memory_order_release);
    }
  }
  tn_gate_leave(&gate);
  return status;
}
