// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds, keeps and makes precompiled headers.
//
// State: a table, guarded by mu; entries are only added, and what they hold stays until the process
// ends. ASKED → (a second request) → MAKING → MADE or NONE; a file that is there makes it MADE at
// once. While one thread makes, others compile without.
#include "rtc/carried_pch.h"

#include "base/blake3.h"
#include "base/file.h"
#include "base/file_map.h"
#include "base/thread.h"

#include <llvm-c/Core.h>

#include <stdio.h>

enum { ENTRY_MAXIMUM = 16, HEADER_MAXIMUM = 1 << 28 };

static const char magic[4] = {'C', 'P', 'C', 'H'};

typedef enum entry_state { ASKED, MAKING, MADE, NONE } entry_state;
typedef struct entry {
  uint8_t key[TN_BLAKE3_SIZE];
  entry_state state;
  tn_bytes bytes;  // owned by the process
} entry;

static tn_mutex mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static entry entries[ENTRY_MAXIMUM] TN_GUARDED_BY(&mu);
static size_t entry_count TN_GUARDED_BY(&mu);

// ---- Words

static bool has_any_prefix(const char *word, const char *const *prefixes) {
  for (size_t i = 0; prefixes[i]; i++) {
    if (strncmp(word, prefixes[i], strlen(prefixes[i])) == 0) {
      return true;
    }
  }
  return false;
}

static bool is_any(const char *word, const char *const *all) {
  for (size_t i = 0; all[i]; i++) {
    if (strcmp(word, all[i]) == 0) {
      return true;
    }
  }
  return false;
}

// What tells the headers nothing: macros of the user's names, folders, warnings, debug information.
static bool is_harmless(const char *word) {
  static const char *const prefixes[] = {"-D",
                                         "-U",
                                         "-I",
                                         "-iquote",
                                         "-W",
                                         "-g",
                                         "-Q",
                                         "-ffile-prefix-map=",
                                         "-fcolor",
                                         "-fno-color",
                                         "-fdiagnostics",
                                         "-fno-diagnostics",
                                         "-ftemplate-depth",
                                         "-fconstexpr",
                                         NULL};
  static const char *const words[] = {
      "-w", "-c", "-emit-llvm", "-fno-discard-value-names", "-fdiscard-value-names", NULL};
  static const char *const ours[] = {"-D__TENON", "-U__TENON", "-D__SYCL", "-U__SYCL",
                                     "-DTN_",     "-gsplit",   NULL};
  return (has_any_prefix(word, prefixes) || is_any(word, words)) && !has_any_prefix(word, ours);
}

static bool is_ignored_macro(const char *word) {
  static const char *const words[] = {"-D__TENON_UNIT_ID__=", "-D__TENON_RTC__",
                                      "-D__SYCL_CUDA_ARCH__=", NULL};
  return has_any_prefix(word, words);
}

// `-Xclang -target-cpu -Xclang sm_90` of NVIDIA's GPUs: the headers are the same for all of them,
// and each function gets its processor when code is made of it.
static bool is_processor(const char *const *args) {
  static const char *const options[] = {"-target-cpu", "-tune-cpu", NULL};
  return strcmp(args[0], "-Xclang") == 0 && args[1] && is_any(args[1], options) && args[2] &&
         args[3] && (args[3][0] == '\0' || strncmp(args[3], "sm_", 3) == 0);
}

// `-Xclang -target-feature -Xclang +ptx78`: goes with the processor.
static bool is_ptx_version(const char *const *args) {
  return strcmp(args[0], "-Xclang") == 0 && args[1] && strcmp(args[1], "-target-feature") == 0 &&
         args[2] && args[3] && strncmp(args[3], "+ptx", 4) == 0;
}

bool tn_carried_pch_words(const tn_clang_run *run, tn_arena *arena, tn_list *out) {
  static const char *const pairs[] = {"-D", "-U", "-I", "-iquote", NULL};
  static const char *const strange[] = {"-include", "-imacros", "-isysroot", "-working-directory",
                                        NULL};
  bool is_whole = true;
  for (size_t i = 0; run->args[i] && run->args[i + 1]; i++) {
    const char *word = run->args[i];
    if (has_any_prefix(word, strange)) {
      return false;
    }
    if (is_any(word, pairs)) {
      i++;
    } else if (is_processor(run->args + i)) {
      for (size_t k = 0; k < 4; k++) {
        is_whole = is_whole && tn_list_add(out, arena, k < 3 ? run->args[i + k] : "");
      }
      i += 3;
    } else if (is_ptx_version(run->args + i)) {
      i += 3;
    } else if (strcmp(word, "-O1") == 0 || strcmp(word, "-O3") == 0) {
      is_whole = is_whole && tn_list_add(out, arena, "-O2");  // the same macros
    } else if (!is_harmless(word) && !is_ignored_macro(word)) {
      is_whole = is_whole && tn_list_add(out, arena, word);
    }
  }
  return is_whole && out->count > 0;
}

// The program is only a name, and is not the same on each machine.
static void make_key(const tn_list *words, uint8_t key[TN_BLAKE3_SIZE]) {
  unsigned version[3] = {0};
  LLVMGetVersion(&version[0], &version[1], &version[2]);
  const uint64_t headers = tn_carried_version();
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add(&hash, version, sizeof(version));
  tn_blake3_add(&hash, &headers, sizeof(headers));
  for (size_t i = 1; i < words->count; i++) {
    const char *word = words->items[i];
    tn_blake3_add(&hash, word, strlen(word) + 1);
  }
  tn_blake3_finish(&hash, key);
}

// ---- Files

static char *file_path(const char *folder, const uint8_t key[TN_BLAKE3_SIZE]) {
  char name[2 * 16 + sizeof(".pch")];
  for (size_t i = 0; i < 16; i++) {
    (void)snprintf(name + 2 * i, 3, "%02x", key[i]);
  }
  memcpy(name + 32, ".pch", sizeof(".pch"));
  return tn_path_join(tn_str_from(folder), tn_str_from(name));
}

// <root>/lib/libtenon-compiler.so has them in <root>/lib/tenon/rtc.
static char *installed_folder(void) {
  char *self = tn_path_of_address((const void *)magic);
  char *real = self ? tn_path_real(self) : NULL;
  char *folder =
      real ? tn_path_join(tn_path_dir(tn_str_from(real)), TN_STR_LIT("tenon/rtc")) : NULL;
  tn_free(real);
  tn_free(self);
  return folder;
}

// Behind the header lies a hash of the key and the header.
static void hash_header(const uint8_t key[TN_BLAKE3_SIZE], tn_bytes header,
                        uint8_t out[TN_BLAKE3_SIZE]) {
  tn_blake3 state;
  tn_blake3_init(&state);
  tn_blake3_add(&state, key, TN_BLAKE3_SIZE);
  tn_blake3_add(&state, header.data, header.size);
  tn_blake3_finish(&state, out);
}

static bool is_sound(const uint8_t key[TN_BLAKE3_SIZE], tn_bytes file) {
  uint8_t hash[TN_BLAKE3_SIZE];
  const size_t size = file.size - TN_BLAKE3_SIZE;
  hash_header(key, tn_bytes_from(file.data, size), hash);
  return memcmp(file.data, magic, sizeof(magic)) == 0 &&
         memcmp(hash, file.data + size, TN_BLAKE3_SIZE) == 0;
}

// What is installed is as trusted as the library.
static tn_bytes map_installed(const char *folder, const uint8_t key[TN_BLAKE3_SIZE]) {
  char *path = folder ? file_path(folder, key) : NULL;
  tn_bytes file = path ? tn_file_map(path, HEADER_MAXIMUM) : (tn_bytes){0};
  tn_free(path);
  if (file.size > 0 && (file.size <= (size_t)2 * TN_BLAKE3_SIZE ||
                        memcmp(file.data, magic, sizeof(magic)) != 0)) {
    tn_file_unmap(file);
    return (tn_bytes){0};
  }
  return file.size > 0 ? tn_bytes_from(file.data, file.size - TN_BLAKE3_SIZE) : file;
}

// Other folders may hold what broke off, or is cut short while it is mapped: what is read is owned
// by the process.
static tn_bytes read_checked(const char *folder, const uint8_t key[TN_BLAKE3_SIZE]) {
  char *path = file_path(folder, key);
  char *data = NULL;
  size_t size = 0;
  const bool is_read =
      path && tn_file_read_regular(path, HEADER_MAXIMUM, &data, &size, NULL) == TN_OK;
  tn_free(path);
  if (is_read && size > 2 * TN_BLAKE3_SIZE && is_sound(key, tn_bytes_from(data, size))) {
    return tn_bytes_from(data, size - TN_BLAKE3_SIZE);
  }
  tn_free(data);
  return (tn_bytes){0};
}

static void write_file(const char *folder, const uint8_t key[TN_BLAKE3_SIZE], tn_bytes header) {
  char *path = file_path(folder, key);
  uint8_t hash[TN_BLAKE3_SIZE];
  tn_buf file;
  tn_buf_init(&file, HEADER_MAXIMUM);
  hash_header(key, header, hash);
  tn_buf_add(&file, header.data, header.size);
  tn_buf_add(&file, hash, sizeof(hash));
  if (path && tn_buf_status(&file, NULL) == TN_OK) {
    TN_IGNORE(tn_file_write(path, tn_buf_bytes(&file), NULL), "the next process makes it again");
  }
  tn_buf_deinit(&file);
  tn_free(path);
}

// ---- Making

static const char *const *making_words(const tn_list *words, tn_arena *arena) {
  static const char *const more[] = {"-fpch-instantiate-templates", "-D__TENON_RTC__=1",
                                     TN_CARRIED_PRECOMPILED, NULL};
  tn_list all = {0};
  bool is_whole = true;
  for (size_t i = 0; i < words->count; i++) {
    is_whole = is_whole && tn_list_add(&all, arena, words->items[i]);
  }
  for (size_t i = 0; i < TN_COUNT(more); i++) {
    is_whole = is_whole && tn_list_add(&all, arena, more[i]);
  }
  return is_whole ? (const char *const *)all.items : NULL;
}

static tn_status make_header(const tn_list *words, tn_arena *arena, tn_buf *out) {
  tn_clang_run run = {.args = making_words(words, arena)};
  tn_clang_result result;
  tn_buf log;
  if (!run.args) {
    return TN_OUT_OF_MEMORY;
  }
  run.files = tn_carried_files(&run.file_count);
  tn_buf_init(&log, HEADER_MAXIMUM);
  tn_clang_result_init(&result);
  const tn_status status = tn_clang_precompile(&run, out, &log, &result, NULL);
  tn_clang_result_deinit(&result);
  tn_buf_deinit(&log);
  return status;
}

// Owned by the process.
static tn_bytes make_bytes(const tn_list *words) {
  tn_bytes bytes = {0};
  tn_arena arena;
  tn_buf header;
  tn_arena_init(&arena);
  tn_buf_init(&header, HEADER_MAXIMUM);
  if (make_header(words, &arena, &header) == TN_OK && header.size > 0) {
    void *copy = tn_alloc(header.size);
    if (copy) {
      memcpy(copy, header.data, header.size);
      bytes = tn_bytes_from(copy, header.size);
    }
  }
  tn_buf_deinit(&header);
  tn_arena_deinit(&arena);
  return bytes;
}

// ---- The table

static entry *find_locked(const uint8_t key[TN_BLAKE3_SIZE]) TN_REQUIRES(&mu) {
  for (size_t i = 0; i < entry_count; i++) {
    if (memcmp(entries[i].key, key, TN_BLAKE3_SIZE) == 0) {
      return &entries[i];
    }
  }
  return NULL;
}

static entry *add_locked(const uint8_t key[TN_BLAKE3_SIZE]) TN_REQUIRES(&mu) {
  if (entry_count == ENTRY_MAXIMUM) {
    return NULL;
  }
  entry *added = &entries[entry_count++];
  memcpy(added->key, key, TN_BLAKE3_SIZE);
  added->state = MAKING;
  return added;
}

// Whether the caller is to look for the header; *out_makes: and to make it when there is none.
static bool begin(const uint8_t key[TN_BLAKE3_SIZE], bool is_wanted, entry **out, bool *out_makes,
                  tn_bytes *out_bytes) {
  tn_mutex_lock(&mu);
  entry *found = find_locked(key);
  const bool is_new = !found;
  bool looks = false;
  if (is_new) {
    found = add_locked(key);
    looks = found != NULL;
    *out_makes = is_wanted;
  } else if (found->state == ASKED) {
    found->state = MAKING;
    looks = true;
    *out_makes = true;
  } else if (found->state == MADE) {
    *out_bytes = found->bytes;
  }
  *out = found;
  tn_mutex_unlock(&mu);
  return looks;
}

static tn_bytes look_in_files(const tn_carried_options *options,
                              const uint8_t key[TN_BLAKE3_SIZE]) {
  char *folder = installed_folder();
  tn_bytes bytes = map_installed(folder, key);
  if (bytes.size == 0 && options->pch_folder) {
    bytes = read_checked(options->pch_folder, key);
  }
  tn_free(folder);
  return bytes;
}

tn_bytes tn_carried_pch_get(const tn_list *words, const tn_carried_options *options) {
  const bool is_wanted = options->auto_pch || options->pch_folder;
  uint8_t key[TN_BLAKE3_SIZE];
  make_key(words, key);
  entry *mine = NULL;
  bool makes = false;
  tn_bytes bytes = {0};
  if (!begin(key, is_wanted, &mine, &makes, &bytes)) {
    return bytes;
  }
  bytes = look_in_files(options, key);
  if (bytes.size == 0 && makes) {
    bytes = make_bytes(words);
    if (bytes.size > 0 && options->pch_folder) {
      write_file(options->pch_folder, key, bytes);
    }
  }
  tn_mutex_lock(&mu);
  mine->state = bytes.size > 0 ? MADE : makes ? NONE : ASKED;
  mine->bytes = bytes;
  tn_mutex_unlock(&mu);
  return bytes;
}
