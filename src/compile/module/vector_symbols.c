// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's mathematics on vectors, where it has any (glibc's libmvec).
#include "base/dynlib.h"
#include "compile/module/module.h"

#include <pthread.h>

// Loaded at the first question and kept: code that calls it may live as long as the process.
static tn_dynlib *library;

static void load(void) {
  tn_diag diag;
  if (tn_dynlib_open("libmvec.so.1", &library, &diag) != TN_OK) {
    library = NULL;  // functions are then called lane by lane
  }
}

uint64_t tn_vector_symbol_address(tn_str symbol) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  char name[64];
  if (symbol.size >= sizeof(name) || pthread_once(&once, load) != 0 || !library) {
    return 0;
  }
  memcpy(name, symbol.data, symbol.size);
  name[symbol.size] = '\0';
  return (uint64_t)(uintptr_t)tn_dynlib_find(library, name);
}
