// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tenon++, also under the names clang++ and, for C, tenoncc: the compiler driver as a program. All
// of it is in the compiler library, which lies in <root>/lib where this program is in <root>/bin.
#include "base/dynlib.h"
#include "base/file.h"

#include <stdio.h>

typedef int driver_run(int argc, char **argv, FILE *out, FILE *err);

static char *library_path(void) {
  char *self = tn_path_real("/proc/self/exe");
  const tn_str root = self ? tn_path_dir(tn_path_dir(tn_str_from(self))) : (tn_str){0};
  char *path = self ? tn_path_join(root, TN_STR_LIT("lib/libtenon-compiler.so")) : NULL;
  tn_free(self);
  return path;
}

int main(int argc, char **argv) {
  char *path = library_path();
  tn_diag diag = {.text = "there is no memory, or no /proc"};
  static tn_dynlib *library;  // stays open, as long as the process
  const tn_status status = path ? tn_dynlib_open(path, &library, &diag) : TN_IO;
  driver_run *run = NULL;
  if (status == TN_OK) {
    void *found = tn_dynlib_find(library, "tn_driver_run");
    memcpy(&run, &found, sizeof(run));
  }
  if (!run) {
    (void)fprintf(
        stderr, "tenon++: error: the compiler library cannot be loaded: %s; install Tenon again\n",
        status == TN_OK ? "it is of another version" : diag.text);
    return 1;
  }
  tn_free(path);
  return run(argc, argv, stdout, stderr);
}
