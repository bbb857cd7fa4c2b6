// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// To be preloaded: at the process's end, names in the file that WATCH_MAPS names each library of
// /proc/self/maps that has LLVM or the compiler in it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((destructor)) static void watch_maps(void) {
  const char *path = getenv("WATCH_MAPS");
  FILE *in = fopen("/proc/self/maps", "r");
  FILE *out = path != NULL ? fopen(path, "w") : NULL;
  char line[4096];
  while (in != NULL && out != NULL && fgets(line, sizeof(line), in) != NULL) {
    const char *name = strchr(line, '/');
    if (name != NULL && (strstr(name, "libLLVM") || strstr(name, "libtenon-compiler"))) {
      fputs(name, out);
    }
  }
  if (in != NULL) {
    fclose(in);
  }
  if (out != NULL) {
    fclose(out);
  }
}
