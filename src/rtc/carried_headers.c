// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The headers that this library carries: their bytes, put here by the assembler, and their names.
#include "rtc/carried_headers.h"

#include "base/map.h"
#include "base/thread.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"
// The files lie one behind the other, each with a NUL behind it, between two symbols.
#define TN_CARRIED_TEXT(name) ".hidden " name "\n.globl " name "\n" name ":\n"
__asm__(".pushsection .rodata.tn_carried, \"a\", @progbits\n.balign 16\n" TN_CARRIED_TEXT(
    "tn_carried_begin")
#define TN_CARRIED(name, path) ".incbin \"" path "\"\n.byte 0\n"
#include "carried_list.inc"
#undef TN_CARRIED
            TN_CARRIED_TEXT("tn_carried_end") ".popsection\n");
#pragma GCC diagnostic pop
extern const char tn_carried_begin[];
extern const char tn_carried_end[];

static const char *const names[] = {
#define TN_CARRIED(name, path) name,
#include "carried_list.inc"
#undef TN_CARRIED
};

static const char include_folder[] = "/tenon/include/";
static const char std_folder[] = "/tenon/std/";

// What precompiled headers are made of. Clang looks for it whenever it reads one.
static const char precompiled_text[] =
    "#define __TENON_UNIT_ID__ 1\n"
    "#define __TENON_PRECOMPILING__ 1\n"
    "#include <sycl/sycl.hpp>\n"
    "#undef __TENON_PRECOMPILING__\n"
    "#undef __TENON_UNIT_ID__\n";

static tn_clang_file files[TN_COUNT(names) + 1];
static uint64_t version;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Headers hold no NUL, which would be a warning of its own.
static void read_files(void) {
  const char *at = tn_carried_begin;
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    const size_t size = strlen(at);
    files[i] = (tn_clang_file){names[i], tn_bytes_from(at, size)};
    at += size + 1;
  }
  files[TN_COUNT(names)] = (tn_clang_file){
      TN_CARRIED_PRECOMPILED, tn_bytes_from(precompiled_text, sizeof(precompiled_text) - 1)};
  version = tn_hash_bytes(tn_carried_begin, (size_t)(tn_carried_end - tn_carried_begin), 0);
}

const tn_clang_file *tn_carried_files(size_t *out_count) {
  (void)pthread_once(&once, read_files);
  *out_count = TN_COUNT(files);
  return files;
}

uint64_t tn_carried_version(void) {
  (void)pthread_once(&once, read_files);
  return version;
}

static bool is_below(const char *path, const char *folder, tn_str name) {
  const size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && tn_str_equals(tn_str_from(path + length), name);
}

bool tn_carried_has(tn_str name) {
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    if (is_below(names[i], include_folder, name) || is_below(names[i], std_folder, name)) {
      return true;
    }
  }
  return false;
}
