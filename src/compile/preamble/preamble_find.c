// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The store of precompiled headers, and who makes what is not in it. Of all processes one makes,
// the others wait; whatever goes wrong, the source is read as it is.
#include "base/config.h"
#include "base/file.h"
#include "base/log.h"
#include "base/store_manage.h"
#include "compile/preamble/preamble.h"

#define KEY_HEAD "tenon preamble 2"
enum { HEADER_MAXIMUM = 1 << 29, WAIT_MS = 60 * 1000 };

static char *full_path(const char *path) {
  if (path[0] == '/') {
    return tn_str_copy(tn_str_from(path));
  }
  char *here = tn_path_real(".");
  char *full = here ? tn_path_join(tn_str_from(here), tn_str_from(path)) : NULL;
  tn_free(here);
  return full;
}

void tn_preambles_open(tn_preambles *preambles, bool wanted, const char *folder,
                       const uint8_t toolchain[TN_STORE_KEY_SIZE]) {
  const tn_config *config = tn_config_get();
  *preambles = (tn_preambles){0};
  memcpy(preambles->toolchain, toolchain, TN_STORE_KEY_SIZE);
  char *path = folder ? full_path(folder) : NULL;
  const char *root = folder ? path : config->cache ? config->cache_dir : NULL;
  if (wanted && root) {
    // Not synced: one that is lost is made again.
    preambles->store =
        tn_store_open(root, "preamble", (uint64_t)config->cache_mib * 1024 * 1024, 0);
  }
  tn_free(path);
}

void tn_preambles_close(tn_preambles *preambles) {
  tn_store_close(preambles->store);
  preambles->store = NULL;
}

void tn_preamble_use_init(tn_preamble_use *use, const tn_preambles *preambles) {
  *use = (tn_preamble_use){.preambles = preambles};
  tn_arena_init(&use->arena);
  tn_buf_init(&use->base, HEADER_MAXIMUM);
  tn_buf_init(&use->rest, HEADER_MAXIMUM);
}

void tn_preamble_use_deinit(tn_preamble_use *use) {
  tn_buf_deinit(&use->rest);
  tn_buf_deinit(&use->base);
  tn_arena_deinit(&use->arena);
}

// One of the two that a source may have.
typedef struct wanted wanted;
struct wanted {
  const tn_clang_preamble_query *query;
  tn_preamble_part part;
  const char *name;    // of the part as a file
  const wanted *base;  // what it is made on top of; NULL = nothing
  uint8_t key[TN_BLAKE3_SIZE];
  tn_buf *bytes;
  tn_preamble_parts found;
};

// ---- The key

// Whether a word names a folder or file from the one that the process is in.
static bool has_relative_path(const tn_clang_preamble_query *query) {
  for (size_t i = 0; i < query->word_count; i++) {
    const char *word = query->words[i];
    const bool is_list = word[0] == '-' && (word[1] == 'I' || word[1] == 'i');
    if (is_list && word[1] == 'I' && word[2] != '\0' && word[2] != '/') {
      return true;
    }
    if (is_list && i + 1 < query->word_count && query->words[i + 1][0] != '/' &&
        query->words[i + 1][0] != '-') {
      return true;
    }
  }
  return false;
}

static void add_text(tn_blake3 *hash, const char *text) {
  tn_blake3_add(hash, text, strlen(text) + 1);
}

// All that the header depends on but the contents of files.
static void make_key(const tn_preambles *preambles, wanted *w) {
  const tn_clang_preamble_query *query = w->query;
  char *folder = w->part.is_local || has_relative_path(query) ? tn_path_real(".") : NULL;
  tn_blake3 hash;
  tn_blake3_init(&hash);
  add_text(&hash, KEY_HEAD);
  tn_blake3_add(&hash, preambles->toolchain, TN_STORE_KEY_SIZE);
  add_text(&hash, w->name);
  add_text(&hash, folder ? folder : "");
  tn_free(folder);
  for (size_t i = 0; i < query->word_count; i++) {
    add_text(&hash, query->words[i]);
  }
  for (size_t i = 0; i < TN_COUNT(tn_config_get()->include_paths); i++) {
    add_text(&hash, tn_config_get()->include_paths[i]);
  }
  if (w->base) {
    uint8_t print[TN_BLAKE3_SIZE];
    tn_preamble_print(tn_buf_bytes(w->base->bytes), print);
    tn_blake3_add(&hash, print, sizeof(print));
  }
  tn_blake3_add(&hash, w->part.text.data, w->part.text.size);
  tn_blake3_finish(&hash, w->key);
}

// ---- Making

static bool keep_lists(const tn_clang_result *result, tn_preamble_parts *out, tn_arena *arena) {
  bool is_whole = true;
  for (size_t i = 0; is_whole && i < result->inputs.count; i++) {
    tn_clang_input *input = result->inputs.items[i];
    static const uint8_t changed[TN_BLAKE3_SIZE];
    // One that was opened and not read is no part of what was made; one that changed while it was
    // read has no hash.
    is_whole = !input->is_read || memcmp(input->hash, changed, sizeof(changed)) != 0;
    if (is_whole && input->is_read && !input->is_in_memory) {
      is_whole = tn_list_add(&out->inputs, arena, input);
    }
  }
  out->misses = result->misses;
  out->dependencies = result->dependencies;
  out->imports = tn_buf_bytes(&result->imports);
  return is_whole;
}

// Clang writes these names without their dots, and debug information would tell.
static bool has_dot_folder(const tn_clang_result *result) {
  for (size_t i = 0; i < result->inputs.count; i++) {
    const tn_str name = tn_str_from(((const tn_clang_input *)result->inputs.items[i])->name);
    if (tn_str_has_prefix(name, TN_STR_LIT("./")) ||
        tn_str_find(name, TN_STR_LIT("/./")) != SIZE_MAX) {
      return true;
    }
  }
  return false;
}

static const char *const *making_words(const wanted *w, tn_arena *arena) {
  const tn_clang_preamble_query *query = w->query;
  const char **words = tn_arena_alloc_array(arena, query->word_count + 5, sizeof(*words));
  if (words) {
    size_t count = 0;
    words[count++] = "clang";
    words[count++] = "-cc1";
    memcpy(words + count, query->words, query->word_count * sizeof(*words));
    count += query->word_count;
    if (!w->base) {  // as passes do it that have no precompiled header
      words[count++] = "-fpch-instantiate-templates";
    }
    words[count++] = w->name;
    words[count] = NULL;
  }
  return words;
}

// Into w->bytes as the store has it. False: there is nothing to keep.
static bool make(wanted *w) {
  tn_arena arena;
  tn_buf header;
  tn_buf log;
  tn_clang_result result;
  tn_arena_init(&arena);
  tn_buf_init(&header, HEADER_MAXIMUM);
  tn_buf_init(&log, HEADER_MAXIMUM);
  tn_clang_result_init(&result);
  tn_clang_file files[2] = {{w->name, tn_bytes_from(w->part.text.data, w->part.text.size)}};
  tn_clang_run run = {.args = making_words(w, &arena), .files = files, .file_count = 1};
  if (w->base) {
    const tn_str text = w->base->part.text;
    files[run.file_count++] = (tn_clang_file){w->base->name, tn_bytes_from(text.data, text.size)};
    run.precompiled = w->base->found.header;
  }
  tn_preamble_parts parts = {0};
  const tn_status status =
      run.args ? tn_clang_precompile(&run, &header, &log, &result, NULL) : TN_OUT_OF_MEMORY;
  // What is said of it is to be said in each compilation.
  if (status == TN_OK && log.size == 0 && has_dot_folder(&result)) {
    TN_LOG(driver, "%s: its beginning is not precompiled: a header is named with './'",
           w->query->source);
  } else if (status == TN_OK && log.size == 0) {
    parts.header = tn_buf_bytes(&header);
  } else {
    TN_LOG(driver, "%s: its beginning is not precompiled: %.*s", w->query->source,
           TN_STR_ARG(tn_buf_str(&log)));
  }
  bool is_made =
      (status == TN_OK || status == TN_BUILD_FAILED) && keep_lists(&result, &parts, &arena);
  if (is_made) {
    tn_buf_clear(w->bytes);
    tn_preamble_write(&parts, w->key, w->bytes);
    is_made = w->bytes->failed == TN_OK;
  }
  tn_clang_result_deinit(&result);
  tn_buf_deinit(&log);
  tn_buf_deinit(&header);
  tn_arena_deinit(&arena);
  return is_made;
}

// ---- Finding

static bool read(tn_preamble_use *use, wanted *w) {
  // The store has compared the bytes with their checksum.
  return tn_preamble_read(tn_buf_bytes(w->bytes), w->key, true, &use->arena, &w->found);
}

static bool make_and_keep(tn_preamble_use *use, wanted *w) {
  if (!make(w)) {
    return false;
  }
  (void)tn_store_put(use->preambles->store, w->key, tn_buf_bytes(w->bytes));
  return read(use, w);
}

static bool get_or_make(tn_preamble_use *use, wanted *w) {
  tn_store *store = use->preambles->store;
  tn_store_claim claim;
  for (int turn = 0; turn < 2; turn++) {
    bool has_waited = false;
    const tn_store_found found =
        tn_store_get_or_claim(store, w->key, WAIT_MS, w->bytes, &claim, &has_waited);
    if (found == TN_STORE_CLAIMED) {
      const bool is_made = make_and_keep(use, w);
      tn_store_release_claim(store, &claim);
      return is_made;
    }
    if (found == TN_STORE_MISS) {
      return false;
    }
    if (read(use, w) && (has_waited || tn_preamble_is_current(&w->found))) {
      return true;
    }
    (void)tn_store_remove(store, w->key);  // files have changed: the next turn makes it anew
  }
  return false;
}

// Most sources are compiled once with the headers that they have then: what is no other's is made
// when it is asked for the second time.
static bool is_asked_again(const tn_preamble_use *use, const wanted *w) {
  uint8_t mark[TN_BLAKE3_SIZE];
  tn_blake3 hash;
  tn_buf none;
  tn_buf_init(&none, 64);
  tn_blake3_init(&hash);
  add_text(&hash, KEY_HEAD " asked for");
  tn_blake3_add(&hash, w->key, sizeof(w->key));
  tn_blake3_finish(&hash, mark);
  const bool is_marked = tn_store_get(use->preambles->store, mark, &none);
  if (!is_marked) {
    (void)tn_store_put(use->preambles->store, mark, tn_bytes_from("", 1));
  }
  tn_buf_deinit(&none);
  return is_marked;
}

// ---- Places

// As a file in the source's folder, where what is included in quotes is looked for.
static const char *name_part(tn_preamble_use *use, const char *source, bool is_local,
                             bool is_rest) {
  const tn_str path = tn_str_from(source);
  const size_t slash = tn_str_rfind_char(path, '/');
  const tn_str folder =
      is_local ? tn_str_slice(path, 0, slash == SIZE_MAX ? 0 : slash + 1) : TN_STR_LIT("/.tenon/");
  return tn_arena_format(&use->arena, "%.*s%s", TN_STR_ARG(folder),
                         is_rest ? ".tenon-rest.hpp" : ".tenon-preamble.hpp");
}

// All that it takes to look for it.
static bool prepare_part(tn_preamble_use *use, wanted *w, size_t begin, size_t end) {
  const tn_str text = {w->query->text, w->query->text_size};
  if (begin == end || !tn_preamble_part_read(text, begin, end, &use->arena, &w->part)) {
    return false;
  }
  w->name = name_part(use, w->query->source, w->part.is_local, begin > 0);
  if (w->name) {
    make_key(use->preambles, w);
  }
  return w->name != NULL;
}

static bool find_part(tn_preamble_use *use, wanted *w, size_t begin, size_t end) {
  if (!prepare_part(use, w, begin, end)) {
    return false;
  }
  const tn_str text = {w->query->text, w->query->text_size};
  const bool is_everybodys = begin == 0 && !w->part.is_local && end < text.size &&
                             tn_preamble_base_size(tn_str_slice(text, 0, end)) == end;
  return (is_everybodys || is_asked_again(use, w)) && get_or_make(use, w) &&
         w->found.header.size > 0;
}

static void give(tn_preamble_use *use, const wanted *w, tn_clang_header *out) {
  const size_t count = w->found.dependencies.count;
  tn_clang_dependency *dependencies =
      tn_arena_alloc_array(&use->arena, count + 1, sizeof(*dependencies));
  for (size_t i = 0; dependencies && i < count; i++) {
    dependencies[i] = *(const tn_clang_dependency *)w->found.dependencies.items[i];
  }
  if (dependencies) {
    *out = (tn_clang_header){.data = (const char *)w->found.header.data,
                             .size = w->found.header.size,
                             .name = w->name,
                             .text = w->part.text.data,
                             .text_size = w->part.text.size,
                             .lines = w->part.lines,
                             .line_count = w->part.line_count,
                             .dependencies = dependencies,
                             .dependency_count = count,
                             .imports = w->found.imports.data,
                             .import_size = w->found.imports.size};
  }
}

void tn_preamble_find(void *user, const tn_clang_preamble_query *query, tn_clang_preamble *out) {
  tn_preamble_use *use = user;
  const tn_str text = {query->text, query->text_size};
  size_t include_count = 0;
  *out = (tn_clang_preamble){.size = tn_preamble_size(text, &include_count)};
  out->base_size = tn_preamble_base_size(tn_str_slice(text, 0, out->size));
  if (out->size == 0 || !query->is_wanted || !use->preambles->store) {
    return;
  }
  wanted base = {.query = query, .bytes = &use->base};
  wanted rest = {.query = query, .bytes = &use->rest};
  if (out->base_size > 0) {
    if (!find_part(use, &base, 0, out->base_size)) {
      return;
    }
    give(use, &base, &out->base);
    rest.base = &base;
  }
  if ((out->base_size == 0 || out->base.data) && find_part(use, &rest, out->base_size, out->size)) {
    give(use, &rest, &out->rest);
  }
}

// ---- A base's text

static void make_print_key(tn_bytes base, uint8_t out[TN_STORE_KEY_SIZE]) {
  uint8_t print[TN_BLAKE3_SIZE];
  tn_blake3 hash;
  tn_preamble_print(base, print);
  tn_blake3_init(&hash);
  add_text(&hash, KEY_HEAD " text");
  tn_blake3_add(&hash, print, sizeof(print));
  tn_blake3_finish(&hash, out);
}

static bool get_print(tn_preamble_use *use) {
  tn_buf kept;
  tn_buf_init(&kept, 64);
  const bool is_there =
      tn_store_get(use->preambles->store, use->print_key, &kept) && kept.size == sizeof(use->print);
  if (is_there) {
    memcpy(&use->print, kept.data, sizeof(use->print));
  }
  tn_buf_deinit(&kept);
  return is_there;
}

void tn_preamble_find_print(void *user, const tn_clang_preamble_query *query,
                            tn_clang_preamble *out) {
  tn_preamble_use *use = user;
  const tn_str text = {query->text, query->text_size};
  size_t include_count = 0;
  *out = (tn_clang_preamble){.size = tn_preamble_size(text, &include_count)};
  out->base_size = tn_preamble_base_size(tn_str_slice(text, 0, out->size));
  use->has_print = false;
  use->has_print_key = false;
  wanted base = {.query = query, .bytes = &use->base};
  tn_buf_clear(&use->base);
  if (!query->is_wanted || !use->preambles->store || !prepare_part(use, &base, 0, out->base_size) ||
      !tn_store_get(use->preambles->store, base.key, &use->base) || !read(use, &base) ||
      base.found.header.size == 0 || !tn_preamble_is_current(&base.found)) {
    return;
  }
  make_print_key(tn_buf_bytes(&use->base), use->print_key);
  use->has_print_key = true;
  use->has_print = get_print(use);
  if (use->has_print) {
    give(use, &base, &out->base);
  }
}

void tn_preamble_keep_print(const tn_preamble_use *use, uint64_t print) {
  if (use->has_print_key) {
    (void)tn_store_put(use->preambles->store, use->print_key, tn_bytes_from(&print, sizeof(print)));
  }
}
