// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps and makes precompiled preambles.
//
// State: a small table, guarded by mu. (absent) → MAKING → DONE, with a header or, where Clang says
// something about the preamble, without; one whose files have changed is replaced. While one thread
// makes, others compile without. What is in use stays until it is released.
#include "rtc/source_preamble.h"

#include "base/config.h"
#include "base/file.h"
#include "base/thread.h"
#include "rtc/source_compile.h"

#include <llvm-c/Core.h>

#include <stdio.h>
#include <unistd.h>

#define PREAMBLE_NAME TN_SOURCE_FOLDER "rtc_preamble.hpp"
#define KEY_HEAD "tenon preamble 1"
enum { ENTRY_MAXIMUM = 8, HEADER_MAXIMUM = 1 << 28 };

struct tn_preamble {
  tn_ref ref;
  uint8_t key[TN_BLAKE3_SIZE];
  size_t size;     // of the text
  tn_arena arena;  // of the lists and what is in them
  tn_buf made;     // the header, owned
  char *file;      // or where it was read, owned
  tn_preamble_parts parts;
};

typedef struct entry {
  uint8_t key[TN_BLAKE3_SIZE];
  tn_preamble *preamble;  // retained; NULL: it is being made
  uint64_t used;
} entry;

static tn_mutex mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static entry entries[ENTRY_MAXIMUM] TN_GUARDED_BY(&mu);
static size_t entry_count TN_GUARDED_BY(&mu);
static uint64_t clock_now TN_GUARDED_BY(&mu);

void tn_preamble_release(tn_preamble *preamble) {
  if (preamble && tn_ref_down(&preamble->ref)) {
    tn_arena_deinit(&preamble->arena);
    tn_buf_deinit(&preamble->made);
    tn_free(preamble->file);
    tn_free(preamble);
  }
}

static tn_preamble *create(const uint8_t key[TN_BLAKE3_SIZE], size_t size) {
  tn_preamble *made = tn_alloc(sizeof(*made));
  if (made) {
    tn_ref_init(&made->ref);
    memcpy(made->key, key, TN_BLAKE3_SIZE);
    made->size = size;
    tn_arena_init(&made->arena);
    tn_buf_init(&made->made, HEADER_MAXIMUM);
  }
  return made;
}

// ---- The key

static void add_text(tn_blake3 *hash, const char *text) {
  tn_blake3_add(hash, text, strlen(text) + 1);
}

static bool is_unit_word(const char *word) {
  static const char unit[] = "-D__TENON_UNIT_ID__=";
  return strncmp(word, unit, sizeof(unit) - 1) == 0;
}

// All that the header depends on but files of the disk. False when it cannot be made apart.
static bool make_key(const tn_clang_run *run, size_t size, uint8_t key[TN_BLAKE3_SIZE]) {
  size_t carried_count = 0;
  (void)tn_carried_files(&carried_count);
  const uint64_t carried = tn_carried_version();
  unsigned version[3] = {0};
  LLVMGetVersion(&version[0], &version[1], &version[2]);
  char *folder = tn_path_real(".");
  tn_blake3 hash;
  tn_blake3_init(&hash);
  add_text(&hash, KEY_HEAD);
  add_text(&hash, folder ? folder : "");
  tn_free(folder);
  tn_blake3_add(&hash, version, sizeof(version));
  tn_blake3_add(&hash, &carried, sizeof(carried));
  for (size_t i = 0; run->args[i] && run->args[i + 1]; i++) {
    const char *word = run->args[i];
    if (strncmp(word, "-include", 8) == 0 || strncmp(word, "-imacros", 8) == 0 ||
        strncmp(word, "-gembed", 7) == 0) {
      return false;
    }
    add_text(&hash, is_unit_word(word) ? "" : word);
  }
  for (size_t i = 0; i < TN_COUNT(tn_config_get()->include_paths); i++) {
    add_text(&hash, tn_config_get()->include_paths[i]);
  }
  tn_blake3_add_bytes(&hash, run->files[0].text.data, size);
  for (size_t i = 1; i + carried_count < run->file_count; i++) {
    add_text(&hash, run->files[i].name);
    tn_blake3_add_bytes(&hash, run->files[i].text.data, run->files[i].text.size);
  }
  tn_blake3_finish(&hash, key);
  return true;
}

// ---- Files

static char *file_path(const char *folder, const uint8_t key[TN_BLAKE3_SIZE]) {
  char name[2 * 16 + sizeof(".tnpre")];
  for (size_t i = 0; i < 16; i++) {
    (void)snprintf(name + 2 * i, 3, "%02x", key[i]);
  }
  memcpy(name + 32, ".tnpre", sizeof(".tnpre"));
  return tn_path_join(tn_str_from(folder), tn_str_from(name));
}

// Read, not mapped: a file that is cut short while it is mapped ends the process.
static tn_preamble *read_file(const char *folder, const uint8_t key[TN_BLAKE3_SIZE], size_t size) {
  char *path = file_path(folder, key);
  tn_preamble *found = create(key, size);
  size_t file_size = 0;
  bool is_good =
      path && found &&
      tn_file_read_regular(path, HEADER_MAXIMUM, &found->file, &file_size, NULL) == TN_OK;
  is_good = is_good && tn_preamble_read(tn_bytes_from(found->file, file_size), key, false,
                                        &found->arena, &found->parts);
  tn_free(path);
  if (!is_good || !tn_preamble_is_current(&found->parts)) {
    tn_preamble_release(found);
    return NULL;
  }
  return found;
}

// In the place of one that no longer holds; `is_new` is false for one that may lie there already.
static void write_file(const char *folder, const tn_preamble *preamble, bool is_new, tn_buf *log) {
  char *path = file_path(folder, preamble->key);
  tn_diag diag = {0};
  if (path && !is_new && tn_file_exists(path)) {
    tn_free(path);
    return;
  }
  tn_buf bytes;
  tn_buf_init(&bytes, HEADER_MAXIMUM);
  tn_preamble_write(&preamble->parts, preamble->key, &bytes);
  tn_status status = path ? tn_buf_status(&bytes, &diag) : TN_OUT_OF_MEMORY;
  if (status == TN_OK) {
    status = tn_file_write(path, tn_buf_bytes(&bytes), &diag);
  }
  if (status != TN_OK) {
    tn_buf_add_format(log, "note: --persistent-auto-pch=%s: nothing is kept there: %s\n", folder,
                      diag.text[0] ? diag.text : "no memory");
  }
  tn_buf_deinit(&bytes);
  tn_free(path);
}

// ---- Making

static const char *const *making_words(const tn_clang_run *run, tn_arena *arena) {
  tn_list all = {0};
  bool is_whole = true;
  size_t i = 0;
  for (; run->args[i + 1]; i++) {
    is_whole = is_whole &&
               tn_list_add(&all, arena,
                           is_unit_word(run->args[i]) ? "-D__TENON_UNIT_ID__=1" : run->args[i]);
  }
  static const char *const more[] = {"-fpch-instantiate-templates", PREAMBLE_NAME, NULL};
  for (size_t k = 0; k < TN_COUNT(more); k++) {
    is_whole = is_whole && tn_list_add(&all, arena, more[k]);
  }
  return is_whole ? (const char *const *)all.items : NULL;
}

static tn_clang_file *copy_files(const tn_clang_run *run, size_t more, tn_arena *arena) {
  tn_clang_file *files = tn_arena_alloc_array(arena, run->file_count + more, sizeof(*files));
  if (files) {
    memcpy(files, run->files, run->file_count * sizeof(*files));
  }
  return files;
}

// The preamble as a file. The source's own unit follows, so this one's is forgotten at its end.
static bool make_text(const tn_clang_run *run, size_t size, tn_arena *arena, tn_clang_file *out) {
  const char *text = tn_arena_format(arena, "%.*s#undef __TENON_UNIT_ID__\n", (int)size,
                                     (const char *)run->files[0].text.data);
  *out = (tn_clang_file){PREAMBLE_NAME, tn_bytes_from(text, text ? strlen(text) : 0)};
  return text != NULL;
}

static bool keep_inputs(const tn_clang_result *result, tn_preamble *out) {
  tn_source_result read = {0};
  if (tn_source_inputs_read(&result->inputs, &result->misses, &out->arena, &read, NULL) != TN_OK) {
    return false;
  }
  bool is_whole = true;
  for (size_t i = 0; is_whole && i < read.input_count; i++) {
    tn_clang_input *input = tn_arena_alloc(&out->arena, sizeof(*input));
    is_whole = input && tn_list_add(&out->parts.inputs, &out->arena, input);
    if (is_whole) {
      *input = (tn_clang_input){
          .name = read.inputs[i].path, .is_read = true, .size = read.inputs[i].size};
      memcpy(input->hash, read.inputs[i].hash, sizeof(input->hash));
    }
  }
  for (size_t i = 0; is_whole && i < read.miss_count; i++) {
    is_whole = tn_list_add(&out->parts.misses, &out->arena, read.misses[i]);
  }
  return is_whole;
}

// What is said of a preamble is to be said again in each build: then there is no header.
static tn_preamble *make(const tn_clang_run *run, const uint8_t key[TN_BLAKE3_SIZE], size_t size) {
  tn_preamble *made = create(key, size);
  tn_arena arena;
  tn_buf log;
  tn_clang_result result;
  tn_arena_init(&arena);
  tn_buf_init(&log, HEADER_MAXIMUM);
  tn_clang_result_init(&result);
  tn_clang_run making = *run;
  tn_clang_file *files = copy_files(run, 0, &arena);
  making.args = making_words(run, &arena);
  making.end = NULL;
  making.is_printed = false;
  making.precompiled = (tn_bytes){0};
  making.files = files;
  bool is_made = made && files && making.args && make_text(run, size, &arena, &files[0]);
  if (is_made && (tn_clang_precompile(&making, &made->made, &log, &result, NULL) != TN_OK ||
                  log.size > 0 || made->made.failed != TN_OK)) {
    tn_buf_clear(&made->made);
  }
  is_made = is_made && keep_inputs(&result, made);
  if (is_made) {
    made->parts.header = tn_buf_bytes(&made->made);
  }
  tn_clang_result_deinit(&result);
  tn_buf_deinit(&log);
  tn_arena_deinit(&arena);
  if (!is_made) {
    tn_preamble_release(made);
    made = NULL;
  }
  return made;
}

// ---- The table

static entry *find_locked(const uint8_t key[TN_BLAKE3_SIZE]) TN_REQUIRES(&mu) {
  for (size_t i = 0; i < entry_count; i++) {
    if (memcmp(entries[i].key, key, TN_BLAKE3_SIZE) == 0) {
      entries[i].used = ++clock_now;
      return &entries[i];
    }
  }
  return NULL;
}

// A new one, or the one that was not used for longest; NULL when all are being made.
static entry *add_locked(tn_preamble **out_old) TN_REQUIRES(&mu) {
  entry *oldest = NULL;
  if (entry_count < ENTRY_MAXIMUM) {
    oldest = &entries[entry_count++];
    *oldest = (entry){.preamble = NULL};
  } else {
    for (size_t i = 0; i < ENTRY_MAXIMUM; i++) {
      if (entries[i].preamble && (!oldest || entries[i].used < oldest->used)) {
        oldest = &entries[i];
      }
    }
  }
  if (oldest) {
    *out_old = oldest->preamble;
    oldest->preamble = NULL;
    oldest->used = ++clock_now;
  }
  return oldest;
}

// What is there, retained; *out_makes: there is none, and the caller is the one to make it.
static tn_preamble *begin(const uint8_t key[TN_BLAKE3_SIZE], bool *out_makes) {
  tn_preamble *found = NULL;
  tn_preamble *old = NULL;
  tn_mutex_lock(&mu);
  entry *there = find_locked(key);
  if (there && there->preamble) {
    found = there->preamble;
    tn_ref_up(&found->ref);
  } else if (!there) {
    entry *added = add_locked(&old);
    if (added) {
      memcpy(added->key, key, TN_BLAKE3_SIZE);
    }
    *out_makes = added != NULL;
  }
  tn_mutex_unlock(&mu);
  tn_preamble_release(old);
  return found;
}

// One that no longer holds: the caller is to make another, if nobody else does.
static bool begin_again(const tn_preamble *stale) {
  tn_preamble *old = NULL;
  tn_mutex_lock(&mu);
  entry *there = find_locked(stale->key);
  if (there && there->preamble == stale) {
    old = there->preamble;
    there->preamble = NULL;
  }
  tn_mutex_unlock(&mu);
  tn_preamble_release(old);
  return old != NULL;
}

// Takes the reference; NULL: it could not be made, and is forgotten.
static void end(const uint8_t key[TN_BLAKE3_SIZE], tn_preamble *take_made) {
  tn_preamble *rest = take_made;
  tn_mutex_lock(&mu);
  entry *there = find_locked(key);
  if (there && !there->preamble && take_made) {
    there->preamble = take_made;
    rest = NULL;
  } else if (there && !there->preamble) {
    *there = entries[--entry_count];
  }
  tn_mutex_unlock(&mu);
  tn_preamble_release(rest);
}

static tn_preamble *find_or_make(const tn_clang_run *run, const tn_carried_options *options,
                                 const uint8_t key[TN_BLAKE3_SIZE], size_t size, tn_buf *log) {
  tn_preamble *made = options->pch_folder ? read_file(options->pch_folder, key, size) : NULL;
  if (!made) {
    made = make(run, key, size);
    if (made && made->parts.header.size > 0 && options->pch_folder) {
      write_file(options->pch_folder, made, true, log);
    }
  }
  if (made) {
    tn_ref_up(&made->ref);
  }
  end(key, made);
  return made;
}

tn_preamble *tn_preamble_get(const tn_clang_run *run, const tn_carried_options *options,
                             tn_buf *log) {
  const tn_bytes text = run->files[0].text;
  uint8_t key[TN_BLAKE3_SIZE];
  size_t include_count = 0;
  const size_t size =
      tn_preamble_size((tn_str){(const char *)text.data, text.size}, &include_count);
  if (size == 0 || !make_key(run, size, key)) {
    return NULL;
  }
  bool makes = false;
  tn_preamble *found = begin(key, &makes);
  if (found && !tn_preamble_is_current(&found->parts)) {
    makes = begin_again(found);
    tn_preamble_release(found);
    found = NULL;
  }
  if (makes) {
    found = find_or_make(run, options, key, size, log);
  } else if (found && found->parts.header.size > 0 && options->pch_folder) {
    write_file(options->pch_folder, found, false, log);
  }
  if (found && found->parts.header.size == 0) {
    tn_preamble_release(found);
    found = NULL;
  }
  return found;
}

// ---- Using

bool tn_preamble_apply(const tn_preamble *preamble, tn_clang_run *run, tn_arena *arena) {
  tn_clang_file *files = copy_files(run, 1, arena);
  const tn_bytes text = run->files[0].text;
  char *rest = tn_arena_alloc(arena, text.size + 1);
  if (!files || !rest || !make_text(run, preamble->size, arena, &files[run->file_count])) {
    return false;
  }
  memcpy(rest, text.data, text.size);
  for (size_t i = 0; i < preamble->size; i++) {
    rest[i] = rest[i] == '\n' ? '\n' : ' ';
  }
  files[0].text = tn_bytes_from(rest, text.size);
  run->files = files;
  run->file_count++;
  run->precompiled = preamble->parts.header;
  return true;
}

static void rename_in_log(const char *source, tn_buf *log) {
  const tn_str name = TN_STR_LIT(PREAMBLE_NAME);
  if (tn_str_find(tn_buf_str(log), name) == SIZE_MAX) {
    return;
  }
  char *copy = tn_str_copy(tn_buf_str(log));
  tn_str text = tn_str_from(copy);
  tn_buf_clear(log);
  while (text.size > 0) {
    const size_t at = tn_str_find(text, name);
    tn_buf_add_str(log, tn_str_slice(text, 0, at));
    if (at == SIZE_MAX) {
      break;
    }
    tn_buf_add_text(log, source);
    text = tn_str_slice(text, at + name.size, text.size);
  }
  tn_free(copy);
}

bool tn_preamble_complete(const tn_preamble *preamble, const tn_clang_run *run, tn_buf *log,
                          tn_clang_result *result) {
  bool is_whole = true;
  rename_in_log(run->files[0].name, log);
  for (size_t i = 0; is_whole && i < preamble->parts.inputs.count; i++) {
    const tn_clang_input *from = preamble->parts.inputs.items[i];
    tn_clang_input *input = tn_arena_alloc(&result->arena, sizeof(*input));
    if (input) {
      *input = *from;
      input->name = tn_arena_str(&result->arena, tn_str_from(from->name));
    }
    is_whole = input && input->name && tn_list_add(&result->inputs, &result->arena, input);
  }
  for (size_t i = 0; is_whole && i < preamble->parts.misses.count; i++) {
    const char *miss = tn_arena_str(&result->arena, tn_str_from(preamble->parts.misses.items[i]));
    is_whole = miss && tn_list_add(&result->misses, &result->arena, miss);
  }
  return is_whole;
}
