// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which compiler it is that results on disk come from, known without loading it.
//
// The identity is made of the contents of the compiler library, LLVM's and Clang's, so that it is
// the same on another machine with the same build. Which files of LLVM's the loader brings is only
// known once it has: a record in the store says so, found by what the loader starts from (the
// library's file, its search paths), and good for as long as all files are what they were. Without
// such a record the library is loaded and a record is written. Where there is no library at all,
// the identity that the store saw last is good: nothing can be made here that would differ.
#include "run/device/compiler_identity.h"

#include "base/blake3.h"
#include "base/config.h"
#include "base/dynlib.h"
#include "base/log.h"
#include "base/store.h"
#include "base/store_value.h"
#include "run/device/device.h"
#include "run/device/gate.h"
#include "tenon/tenon.h"

#include <errno.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOADER_CACHE "/etc/ld.so.cache"
enum { FACT_COUNT = 7, FILES_MAXIMUM = 8, RECORD_MAXIMUM = 1 << 16, TEXT_MAXIMUM = 128 };
enum { WAIT_MS = 10000 };

// What changes when a file is replaced or written to.
typedef struct file_facts {
  uint64_t numbers[FACT_COUNT];
} file_facts;

// Stands before what is hashed, so that hashes of different things never meet.
#define IDENTITY_HEAD "tenon toolchain 1"
#define RECORD_HEAD "tenon toolchain record 1"
#define LAST_HEAD "tenon toolchain last 1"

static tn_gate gate = TN_GATE_INIT;
static uint8_t known[TN_BLAKE3_SIZE];  // written once, in the gate
static _Atomic bool is_known;

static bool read_facts(const char *path, file_facts *out) {
  struct stat info;
  if (stat(path, &info) != 0) {
    *out = (file_facts){{0}};
    return false;
  }
  *out = (file_facts){{(uint64_t)info.st_dev, (uint64_t)info.st_ino, (uint64_t)info.st_size,
                       (uint64_t)info.st_mtim.tv_sec, (uint64_t)info.st_mtim.tv_nsec,
                       (uint64_t)info.st_ctim.tv_sec, (uint64_t)info.st_ctim.tv_nsec}};
  return true;
}

static bool same_facts(const file_facts *a, const file_facts *b) {
  return memcmp(a->numbers, b->numbers, sizeof(a->numbers)) == 0;
}

static void make_record_key(const char *path, const file_facts *facts,
                            uint8_t out[TN_STORE_KEY_SIZE]) {
  const tn_config *config = tn_config_get();
  file_facts loader;
  (void)read_facts(LOADER_CACHE, &loader);
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add_text(&hash, RECORD_HEAD);
  tn_blake3_add_text(&hash, path);
  tn_blake3_add(&hash, facts->numbers, sizeof(facts->numbers));
  tn_blake3_add(&hash, loader.numbers, sizeof(loader.numbers));
  tn_blake3_add_text(&hash, config->loader_path);
  tn_blake3_add_text(&hash, config->loader_preload);
  tn_blake3_finish(&hash, out);
}

static void make_last_key(uint8_t out[TN_STORE_KEY_SIZE]) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add_text(&hash, LAST_HEAD);
  tn_blake3_add_text(&hash, tn_version());
  tn_blake3_finish(&hash, out);
}

// A record's content: the identity, and for each file its facts, the size of its path and the path
// with a NUL.
typedef struct record_reader {
  const uint8_t *at;
  size_t left;
} record_reader;

static bool take(record_reader *reader, void *out, size_t size) {
  if (size > reader->left) {
    return false;
  }
  memcpy(out, reader->at, size);
  reader->at += size;
  reader->left -= size;
  return true;
}

typedef struct other_search {
  const char *path;
  const file_facts *facts;
  bool is_other;
} other_search;

// A library of that name that the program has brought itself is what the compiler would get.
static int visit_loaded(struct dl_phdr_info *info, size_t info_size, void *user) {
  other_search *search = user;
  (void)info_size;
  const char *name = info->dlpi_name;
  file_facts facts;
  if (name && name[0] != '\0' && strcmp(name, search->path) != 0 &&
      tn_str_equals(tn_path_base(tn_str_from(name)), tn_path_base(tn_str_from(search->path))) &&
      !(read_facts(name, &facts) && same_facts(&facts, search->facts))) {
    search->is_other = true;
  }
  return search->is_other ? 1 : 0;
}

static bool is_unchanged(const char *path, const file_facts *then) {
  file_facts now;
  if (!read_facts(path, &now) || !same_facts(&now, then)) {
    TN_LOG(cache, "%s is not what it was", path);
    return false;
  }
  other_search search = {path, then, false};
  (void)dl_iterate_phdr(visit_loaded, &search);
  return !search.is_other;
}

// The identity, when all files that it is of are what they were.
static bool read_record(tn_bytes value, uint8_t out[TN_BLAKE3_SIZE]) {
  tn_str description;
  tn_bytes content;
  if (!tn_store_value_read(value, &description, &content)) {
    return false;
  }
  record_reader reader = {content.data, content.size};
  bool is_good = take(&reader, out, TN_BLAKE3_SIZE);
  while (is_good && reader.left > 0) {
    file_facts facts;
    uint64_t path_size = 0;
    is_good = take(&reader, facts.numbers, sizeof(facts.numbers)) &&
              take(&reader, &path_size, sizeof(path_size)) && path_size > 0 &&
              path_size <= reader.left && reader.at[path_size - 1] == '\0' &&
              is_unchanged((const char *)reader.at, &facts);
    if (is_good) {
      reader.at += path_size;
      reader.left -= (size_t)path_size;
    }
  }
  return is_good;
}

static bool find_record(tn_store *store, const uint8_t *key, uint8_t out[TN_BLAKE3_SIZE]) {
  tn_buf value;
  tn_buf_init(&value, RECORD_MAXIMUM);
  const bool is_found = tn_store_get(store, key, &value) && read_record(tn_buf_bytes(&value), out);
  tn_buf_deinit(&value);
  return is_found;
}

// Adds a file to the record and to the hash of all. False for what cannot be identified.
static bool add_file(const char *path, const void *address, tn_buf *record, tn_blake3 *hash) {
  file_facts before;
  file_facts after;
  uint8_t contents[TN_FILE_IDENTITY_SIZE];
  if (!read_facts(path, &before) || !tn_file_identify(path, contents) ||
      (address && !tn_file_is_loaded_at(path, address)) || !read_facts(path, &after) ||
      !same_facts(&before, &after)) {
    TN_LOG(cache, "%s: it is not known what it is; nothing is kept", path);
    return false;
  }
  tn_blake3_add(hash, contents, sizeof(contents));
  tn_buf_add(record, before.numbers, sizeof(before.numbers));
  tn_buf_add_u64(record, strlen(path) + 1);
  tn_buf_add(record, path, strlen(path) + 1);
  return true;
}

// Mathematical functions of constants are computed by the C library that is here.
static void hash_c_library(tn_blake3 *hash) {
  char text[TEXT_MAXIMUM] = "";
#ifdef _CS_GNU_LIBC_VERSION
  (void)confstr(_CS_GNU_LIBC_VERSION, text, sizeof(text));
#endif
  tn_blake3_add_text(hash, text);
}

// Of libclang-cpp, whose functions are all C++'s: clang::getClangFullVersion().
#define CLANG_SYMBOL "_ZN5clang19getClangFullVersionB5cxx11Ev"

// The library that a symbol of the compiler's comes from, unless that is the compiler library.
static bool add_library_of(const char *symbol, const char *compiler_path, tn_buf *files,
                           tn_blake3 *hash) {
  const void *address = tn_compiler_library_find(symbol);
  const char *path = address ? tn_dynlib_path_of(address) : NULL;
  return !path || strcmp(path, compiler_path) == 0 || add_file(path, address, files, hash);
}

static bool identify_loaded(const char *path, tn_buf *record, uint8_t out[TN_BLAKE3_SIZE]) {
  tn_buf files;
  tn_buf_init(&files, RECORD_MAXIMUM);
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add_text(&hash, IDENTITY_HEAD);
  tn_blake3_add_text(&hash, tn_version());
  hash_c_library(&hash);
  bool is_good = add_file(path, tn_compiler_library_find(TN_COMPILER_QUERY), &files, &hash) &&
                 add_library_of("LLVMGetVersion", path, &files, &hash) &&
                 add_library_of(CLANG_SYMBOL, path, &files, &hash);
  tn_blake3_finish(&hash, out);
  tn_buf_add(record, out, TN_BLAKE3_SIZE);
  tn_buf_add(record, files.data, files.size);
  is_good = is_good && files.failed == TN_OK && record->failed == TN_OK;
  tn_buf_deinit(&files);
  return is_good;
}

static void put_record(tn_store *store, const uint8_t *key, const char *path, tn_bytes content) {
  tn_buf text;
  tn_buf value;
  tn_buf_init(&text, RECORD_MAXIMUM);
  tn_buf_init(&value, RECORD_MAXIMUM);
  tn_buf_add_format(&text, "toolchain of %s", path);
  tn_store_value_write(&value, tn_buf_str(&text), content);
  if (text.failed == TN_OK && value.failed == TN_OK) {
    tn_store_put(store, key, tn_buf_bytes(&value));
  }
  tn_buf_deinit(&text);
  tn_buf_deinit(&value);
}

static bool load_and_identify(tn_store *store, const char *path, const file_facts *facts,
                              const uint8_t *key, uint8_t out[TN_BLAKE3_SIZE]) {
  const tn_compiler *compiler = NULL;
  file_facts after;
  if (tn_device_get_compiler(&compiler, NULL) != TN_OK || !read_facts(path, &after) ||
      !same_facts(facts, &after)) {
    return false;
  }
  tn_buf record;
  tn_buf_init(&record, RECORD_MAXIMUM);
  const bool is_good = identify_loaded(path, &record, out);
  if (is_good) {
    uint8_t last[TN_STORE_KEY_SIZE];
    make_last_key(last);
    put_record(store, key, path, tn_buf_bytes(&record));
    put_record(store, last, path, tn_bytes_from(out, TN_BLAKE3_SIZE));
  }
  tn_buf_deinit(&record);
  return is_good;
}

// Of processes that start together one loads the library to find out, the others wait for it.
static bool find_or_identify(tn_store *store, const char *path, const file_facts *facts,
                             const uint8_t *key, uint8_t out[TN_BLAKE3_SIZE]) {
  tn_buf value;
  tn_store_claim claim;
  bool has_waited = false;
  tn_buf_init(&value, RECORD_MAXIMUM);
  const tn_store_found found =
      tn_store_get_or_claim(store, key, WAIT_MS, &value, &claim, &has_waited);
  const bool is_found = (found == TN_STORE_HIT && read_record(tn_buf_bytes(&value), out)) ||
                        load_and_identify(store, path, facts, key, out);
  if (found == TN_STORE_CLAIMED) {
    tn_store_release_claim(store, &claim);
  }
  tn_buf_deinit(&value);
  return is_found;
}

static bool identify(tn_store *store, uint8_t out[TN_BLAKE3_SIZE]) {
  char *path = tn_device_compiler_path();
  if (!path) {
    return false;
  }
  uint8_t key[TN_STORE_KEY_SIZE];
  file_facts facts;
  bool is_found = false;
  if (read_facts(path, &facts)) {
    make_record_key(path, &facts, key);
    is_found = find_or_identify(store, path, &facts, key, out);
  } else if (errno == ENOENT) {
    make_last_key(key);
    is_found = find_record(store, key, out);
  }
  tn_free(path);
  return is_found;
}

bool tn_device_identify_compiler(tn_store *store, uint8_t out[TN_STORE_KEY_SIZE]) {
  if (!atomic_load_explicit(&is_known, memory_order_acquire)) {
    tn_gate_enter(&gate);
    if (!atomic_load_explicit(&is_known, memory_order_relaxed)) {
      uint8_t found[TN_BLAKE3_SIZE];
      const bool is_found = identify(store, found);
      if (is_found) {
        memcpy(known, found, sizeof(known));
        atomic_store_explicit(&is_known, true, memory_order_release);
      }
    }
    tn_gate_leave(&gate);
  }
  if (!atomic_load_explicit(&is_known, memory_order_acquire)) {
    return false;
  }
  memcpy(out, known, sizeof(known));
  return true;
}
