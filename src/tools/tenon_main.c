// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tenon++, also under the names clang++ and, for C, tenoncc: the compiler driver as a program. All
// of it is in the compiler library, which lies in <root>/lib where this program is in <root>/bin.
#include "base/config.h"
#include "base/dynlib.h"
#include "base/file.h"
#include "base/version_line.h"

#include <malloc.h>
#include <stdio.h>

typedef int driver_run(int argc, char **argv, FILE *out, FILE *err);

static char *library_path(void) {
  char *self = tn_path_real("/proc/self/exe");
  const tn_str root = self ? tn_path_dir(tn_path_dir(tn_str_from(self))) : (tn_str){0};
  char *path = self ? tn_path_join(root, TN_STR_LIT("lib/libtenon-compiler.so")) : NULL;
  tn_free(self);
  return path;
}

// What the library would say, without loading it: build systems ask often. Its Clang is of the LLVM
// that Tenon is built with, whose program was asked then.
static bool print_version(const char *program) {
  char *self = tn_path_real("/proc/self/exe");
  if (!self || TN_CLANG_VERSION[0] == '\0' || tn_config_get()->clang[0] != '\0') {
    tn_free(self);
    return false;
  }
  const tn_str folder = tn_path_dir(tn_str_from(self));
  (void)printf("%s\n%s\nTarget: %s\nThread model: posix\nInstalledDir: %.*s\n",
               tn_version_line(program), TN_CLANG_VERSION, TN_CLANG_TRIPLE, TN_STR_ARG(folder));
  tn_free(self);
  return true;
}

// A compiler allocates until its end. By default a thread's heap grows by pages, with a system call
// each time, and large blocks are mapped and unmapped.
static void prepare_heap(void) {
#ifdef M_TOP_PAD
  mallopt(M_TOP_PAD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  mallopt(M_MMAP_THRESHOLD, 16 << 20);
#endif
}

int main(int argc, char **argv) {
  prepare_heap();
  if (argc == 2 && strcmp(argv[1], "--version") == 0 && print_version(argv[0])) {
    return 0;
  }
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
