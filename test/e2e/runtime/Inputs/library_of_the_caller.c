// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiler library of the caller's: whoever loads it runs this.
#include <unistd.h>

__attribute__((constructor)) static void run(void) {
  static const char line[] = "library of the caller\n";
  const ssize_t written = write(STDOUT_FILENO, line, sizeof(line) - 1);
  (void)written;
}
