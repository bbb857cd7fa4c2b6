// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a fuzz target without a fuzzer: over each file of its corpus (*.hex), all its truncations,
// all its single-bit flips, and its 32-bit words set to extreme values. Inputs end at a page that
// cannot be read. With FUZZ_STEP it does every so many of these only, for targets that are slow.
#include "fuzz/fuzz_target.h"
#include "fuzz/hex_file.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef FUZZ_STEP
#define FUZZ_STEP 1
#endif

enum { REGION_SIZE = 1 << 20, FLIPPED_BYTES = 4096 };

typedef struct replay {
  uint8_t *end;  // of the readable region
  size_t runs;
  size_t files;
} replay;

static void run_bytes(replay *r, const uint8_t *data, size_t size) {
  uint8_t *begin = r->end - size;
  if (size > 0) {
    memmove(begin, data, size);
  }
  LLVMFuzzerTestOneInput(begin, size);
  r->runs++;
}

static void run_all(replay *r, uint8_t *data, size_t size) {
  static const uint32_t extremes[] = {0, 1, 0x7fffffffu, 0x80000000u, 0xfffffff0u, 0xffffffffu};
  run_bytes(r, data, size);
  for (size_t cut = 0; cut < size; cut += FUZZ_STEP) {
    run_bytes(r, data, cut);
  }
  const size_t last = size < FLIPPED_BYTES ? size : FLIPPED_BYTES;
  for (size_t bit = 0; bit < last * 8; bit += FUZZ_STEP) {
    data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    run_bytes(r, data, size);
    data[bit / 8] ^= (uint8_t)(1u << bit % 8);
  }
  for (size_t at = 0; at + 4 <= last; at += 4 * FUZZ_STEP) {
    uint8_t saved[4];
    memcpy(saved, data + at, 4);
    for (size_t i = 0; i < TN_COUNT(extremes); i++) {
      memcpy(data + at, &extremes[i], 4);
      run_bytes(r, data, size);
    }
    memcpy(data + at, saved, 4);
  }
}

static bool run_file(replay *r, const char *path) {
  tn_buf bytes;
  tn_buf_init(&bytes, REGION_SIZE);
  const bool is_good = hex_file_read(path, &bytes);
  if (is_good) {
    run_all(r, (uint8_t *)bytes.data, bytes.size);
    r->files++;
  } else {
    (void)fprintf(stderr, "%s: cannot be read as hexadecimal text\n", path);
  }
  tn_buf_deinit(&bytes);
  return is_good;
}

static bool run_folder(replay *r, const char *folder) {
  DIR *dir = opendir(folder);
  if (!dir) {
    perror(folder);
    return false;
  }
  bool is_good = true;
  for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
    if (tn_str_has_suffix(tn_str_from(entry->d_name), TN_STR_LIT(".hex"))) {
      char *path = tn_path_join(tn_str_from(folder), tn_str_from(entry->d_name));
      is_good = path && run_file(r, path) && is_good;
      tn_free(path);
    }
  }
  (void)closedir(dir);
  return is_good;
}

int main(int argc, char **argv) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  uint8_t *region =
      mmap(NULL, REGION_SIZE + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (region == MAP_FAILED || mprotect(region + REGION_SIZE, page, PROT_NONE) != 0) {
    perror("a region before a guard page");
    return 1;
  }
  replay r = {.end = region + REGION_SIZE};
  bool is_good = argc > 1;
  for (int i = 1; i < argc; i++) {
    is_good = run_folder(&r, argv[i]) && is_good;
  }
  printf("%zu inputs from %zu files\n", r.runs, r.files);
  return is_good && r.files > 0 ? 0 : 1;
}
