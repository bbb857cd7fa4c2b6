// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens each file of the command line as device images, by its path and as bytes in memory, and
// prints how that ends. A file *.hex is bytes in hexadecimal, with comments after '#', and opened
// as bytes alone.
#include <tenon/tenon.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_MAXIMUM = 1 << 20 };

static unsigned char bytes[SIZE_MAXIMUM];

static int digit_of(int c) { return isdigit(c) ? c - '0' : tolower(c) - 'a' + 10; }

static size_t read_hex(FILE *file) {
  size_t count = 0;
  int high = -1;
  for (int c = fgetc(file); c != EOF && count < SIZE_MAXIMUM; c = fgetc(file)) {
    while (c == '#') {
      while (c != '\n' && c != EOF) {
        c = fgetc(file);
      }
    }
    if (isxdigit(c) && high < 0) {
      high = digit_of(c);
    } else if (isxdigit(c)) {
      bytes[count++] = (unsigned char)(high * 16 + digit_of(c));
      high = -1;
    }
  }
  return count;
}

static size_t read_bytes(const char *path, int is_hex) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  const size_t size = is_hex ? read_hex(file) : fread(bytes, 1, sizeof(bytes), file);
  (void)fclose(file);
  return size;
}

static void report(const char *how, tn_status status, const tn_diag *diag, tn_image_file *image) {
  (void)printf("%s: %s\n", how, status == TN_OK ? "opened" : diag->text);
  tn_image_close(image);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *end = strrchr(argv[i], '.');
    const int is_hex = end && strcmp(end, ".hex") == 0;
    tn_diag diag = {0};
    tn_image_file *image = NULL;
    if (!is_hex) {
      report("file", tn_image_open(argv[i], &image, &diag), &diag, image);
    }
    const size_t size = read_bytes(argv[i], is_hex);
    report("memory", tn_image_open_memory(bytes, size, &image, &diag), &diag, image);
  }
  (void)puts("end");
  return 0;
}
