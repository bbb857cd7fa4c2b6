// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The store of precompiled headers, and who makes what is not in it. Of all processes one makes,
// the others wait; whatever goes wrong, the source is read as it is.
#include "base/config.h"
#include "base/file.h"
#include "base/file_map.h"
#include "base/store_manage.h"
#include "compile/preamble/preamble_make.h"
#include "compile/preamble/preamble_text.h"

enum { WAIT_MS = 60 * 1000 };

static char *full_path(const char *path) {
  if (path[0] == '/') {
    return tn_str_copy(tn_str_from(path));
  }
  char *here = tn_path_real(".");
  char *full = here ? tn_path_join(tn_str_from(here), tn_str_from(path)) : NULL;
  tn_free(here);
  return full;
}

// Not /usr and the like, whose headers are others', too: what these say of their place (__FILE__)
// stays as it is.
static const char *own_root(const char *root) {
  char *other = root ? tn_path_join(tn_str_from(root), TN_STR_LIT("include/stdio.h")) : NULL;
  const bool is_own = other && !tn_file_is_file(other);
  tn_free(other);
  return is_own ? root : NULL;
}

void tn_preambles_open(tn_preambles *preambles, const tn_preamble_folders *folders,
                       const uint8_t toolchain[TN_STORE_KEY_SIZE]) {
  const tn_config *config = tn_config_get();
  *preambles = (tn_preambles){
      .root = own_root(folders->root),
      .installed = folders->installed,
      .written = folders->written};
  memcpy(preambles->toolchain, toolchain, TN_STORE_KEY_SIZE);
  char *path = folders->kept ? full_path(folders->kept) : NULL;
  const char *root = folders->kept ? path : config->cache ? config->cache_dir : NULL;
  if (root) {
    // Not synced: one that is lost is made again.
    preambles->store =
        tn_store_open(root, "preamble", (uint64_t)config->cache_mib * 1024 * 1024, 0);
  }
  tn_free(path);
}

void tn_preambles_close(tn_preambles *preambles) {
  tn_store_close(preambles->store);
  *preambles = (tn_preambles){0};
}

bool tn_preambles_are_on(const tn_preambles *preambles) {
  return preambles->store || preambles->installed || preambles->written;
}

const char *tn_preambles_why_off(const tn_preambles *preambles) {
  return preambles->why_off ? preambles->why_off : "caches are off (TENON_CACHE)";
}

void tn_preamble_use_init(tn_preamble_use *use, const tn_preambles *preambles) {
  *use = (tn_preamble_use){.preambles = preambles};
  tn_arena_init(&use->arena);
  tn_buf_init(&use->base, TN_PREAMBLE_MAXIMUM);
  tn_buf_init(&use->rest, TN_PREAMBLE_MAXIMUM);
}

void tn_preamble_use_deinit(tn_preamble_use *use) {
  tn_file_unmap(use->installed);
  tn_buf_deinit(&use->rest);
  tn_buf_deinit(&use->base);
  tn_arena_deinit(&use->arena);
}

// ---- Keys

void tn_preamble_hash_text(tn_blake3 *hash, const char *text) {
  tn_blake3_add(hash, text, strlen(text) + 1);
}

static bool has_relative_path(const tn_list *words) {
  for (size_t i = 0; i < words->count; i++) {
    const char *word = words->items[i];
    const bool is_list = word[0] == '-' && (word[1] == 'I' || word[1] == 'i');
    if (is_list && word[1] == 'I' && word[2] != '\0' && word[2] != '/') {
      return true;
    }
    const char *next = is_list && i + 1 < words->count ? words->items[i + 1] : NULL;
    if (next && next[0] != '/' && next[0] != '-') {
      return true;
    }
  }
  return false;
}

void tn_preamble_hash_folder(tn_blake3 *hash, const tn_list *words, bool is_local) {
  char *folder = is_local || has_relative_path(words) ? tn_path_real(".") : NULL;
  tn_preamble_hash_text(hash, folder ? folder : "");
  tn_free(folder);
}

// All that the header depends on but the contents of files.
static void make_key(const tn_preambles *preambles, tn_preamble_wanted *rest) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_preamble_hash_text(&hash, TN_PREAMBLE_KEY_HEAD);
  tn_blake3_add(&hash, preambles->toolchain, TN_STORE_KEY_SIZE);
  tn_preamble_hash_text(&hash, rest->name);
  tn_preamble_hash_folder(&hash, &rest->words, rest->part.is_local);
  for (size_t i = 0; i < rest->words.count; i++) {
    tn_preamble_hash_text(&hash, rest->words.items[i]);
  }
  if (rest->base) {
    uint8_t print[TN_BLAKE3_SIZE];
    tn_preamble_print(rest->base->file, print);
    tn_blake3_add(&hash, print, sizeof(print));
  }
  tn_blake3_add(&hash, rest->part.text.data, rest->part.text.size);
  tn_blake3_finish(&hash, rest->key);
}

// ---- The store

static bool read(tn_preamble_use *use, tn_preamble_wanted *wanted) {
  // The store has compared the bytes with their checksum.
  wanted->file = tn_buf_bytes(wanted->bytes);
  return tn_preamble_read_file(use, wanted);
}

static bool make_and_keep(tn_preamble_use *use, tn_preamble_wanted *wanted) {
  wanted->origin = "now";
  if (!tn_preamble_make(wanted, use->preambles->root)) {
    wanted->why = "a header changed meanwhile, or there is no memory";
    return false;
  }
  (void)tn_store_put(use->preambles->store, wanted->key, tn_buf_bytes(wanted->bytes));
  return read(use, wanted);
}

bool tn_preamble_get_kept(tn_preamble_use *use, tn_preamble_wanted *wanted) {
  tn_buf_clear(wanted->bytes);
  wanted->origin = "kept in the cache";
  return tn_store_get(use->preambles->store, wanted->key, wanted->bytes) && read(use, wanted) &&
         tn_preamble_is_current(&wanted->found);
}

// Most sources are compiled once with the headers and options that they have then, and making takes
// longer than reading: the first time is remembered.
static bool is_wanted_again(tn_store *store, tn_preamble_wanted *wanted) {
  uint8_t mark[TN_BLAKE3_SIZE];
  tn_blake3 hash;
  tn_buf none;
  tn_buf_init(&none, 64);
  tn_blake3_init(&hash);
  tn_preamble_hash_text(&hash, TN_PREAMBLE_KEY_HEAD " wanted");
  tn_blake3_add(&hash, wanted->key, sizeof(wanted->key));
  tn_blake3_finish(&hash, mark);
  wanted->is_again = wanted->is_again || tn_store_get(store, mark, &none);
  if (!wanted->is_again) {
    (void)tn_store_put(store, mark, tn_bytes_from("", 1));
    wanted->why = "that is done when they are wanted for the second time";
  }
  tn_buf_deinit(&none);
  return wanted->is_again;
}

bool tn_preamble_get_or_make(tn_preamble_use *use, tn_preamble_wanted *wanted) {
  tn_store *store = use->preambles->store;
  if (use->preambles->written) {
    return make_and_keep(use, wanted);
  }
  if (!store) {
    wanted->why = tn_preambles_why_off(use->preambles);
    return false;
  }
  if (tn_preamble_get_kept(use, wanted)) {
    return true;
  }
  if (!is_wanted_again(store, wanted)) {
    return false;
  }
  tn_store_claim claim;
  for (int turn = 0; turn < 2; turn++) {
    bool has_waited = false;
    const tn_store_found found =
        tn_store_get_or_claim(store, wanted->key, WAIT_MS, wanted->bytes, &claim, &has_waited);
    if (found == TN_STORE_CLAIMED) {
      const bool is_made = make_and_keep(use, wanted);
      tn_store_release_claim(store, &claim);
      return is_made;
    }
    if (found == TN_STORE_MISS) {
      wanted->why = "another process makes it, or the cache cannot be written";
      return false;
    }
    wanted->origin = "kept in the cache";
    if (read(use, wanted) && (has_waited || tn_preamble_is_current(&wanted->found))) {
      return true;
    }
    (void)tn_store_remove(store, wanted->key);  // files have changed: the next turn makes it anew
  }
  wanted->why = "headers change";
  return false;
}

// ---- The rest

// As a file in the source's folder, where what is included in quotes is looked for.
static const char *name_rest(tn_preamble_use *use, const char *source, bool is_local) {
  const tn_str path = tn_str_from(source);
  const size_t slash = tn_str_rfind_char(path, '/');
  const tn_str folder =
      is_local ? tn_str_slice(path, 0, slash == SIZE_MAX ? 0 : slash + 1) : TN_STR_LIT("/.tenon/");
  return tn_arena_format(&use->arena, "%.*s.tenon-rest.hpp", TN_STR_ARG(folder));
}

static bool is_included(const tn_preamble_wanted *base, tn_str name) {
  for (size_t i = 0; i < base->found.included.count; i++) {
    if (tn_str_equals(tn_str_from(base->found.included.items[i]), name)) {
      return true;
    }
  }
  return false;
}

// Whether the lines include headers that the base does not have: else they are read in no time.
static bool has_other_headers(tn_str preamble, const tn_preamble_wanted *base) {
  tn_preamble_walk walk;
  tn_preamble_walk_begin(&walk, preamble);
  while (tn_preamble_walk_next(&walk)) {
    bool is_quoted = false;
    const tn_str name = tn_preamble_included(walk.directive, &is_quoted);
    if (tn_str_equals(walk.name, TN_STR_LIT("include")) &&
        (is_quoted || !is_included(base, name))) {
      return true;
    }
  }
  return false;
}

static bool find_rest(tn_preamble_use *use, const tn_clang_preamble_query *query, size_t size,
                      tn_preamble_wanted *rest) {
  const tn_str preamble = {query->text, size};
  if (size == 0 || (rest->base && !has_other_headers(preamble, rest->base)) ||
      !tn_preamble_part_read(preamble, &use->arena, &rest->part)) {
    return false;
  }
  rest->name = name_rest(use, query->source, rest->part.is_local);
  bool is_good = rest->name != NULL;
  for (size_t i = 0; i < query->word_count; i++) {
    is_good = is_good && tn_list_add(&rest->words, &use->arena, query->words[i]);
  }
  if (!is_good) {
    return false;
  }
  make_key(use->preambles, rest);
  return tn_preamble_get_or_make(use, rest) && rest->found.header.size > 0;
}

// ---- For people

static const char *note(tn_preamble_use *use, const char *what, const tn_preamble_wanted *wanted,
                        bool is_there) {
  const char *why = wanted->why ? wanted->why : "Clang has something to say about them";
  return is_there ? tn_arena_format(&use->arena, "%s are precompiled: %s", what, wanted->origin)
                  : tn_arena_format(&use->arena, "%s are not precompiled: %s", what, why);
}

static const char *note_none(tn_preamble_use *use, const char *why) {
  return tn_arena_format(&use->arena, "nothing is precompiled: %s", why);
}

static void note_rest(tn_preamble_use *use, const tn_preamble_wanted *rest, size_t include_count,
                      bool is_there) {
  const char *what = rest->base ? "other headers of the source" : "headers of the source";
  if (rest->name) {
    use->rest_note = note(use, what, rest, is_there);
  } else if (!rest->base && include_count > 0) {
    use->rest_note = note_none(
        use, "the lines up to its last #include ask for their place, the time or __COUNTER__");
  } else if (!rest->base) {
    use->rest_note = note_none(use, "the source does not begin with #include");
  }
}

// ---- What a pass gets

static void give_text(const tn_preamble_wanted *wanted, const char *file, tn_clang_header *out) {
  *out = (tn_clang_header){.name = wanted->name,
                           .text = wanted->part.text.data,
                           .text_size = wanted->part.text.size,
                           .file = file,
                           .lines = wanted->part.lines,
                           .line_count = wanted->part.line_count};
}

// The names of inputs that are paths from the folder of the process.
static bool give_names(tn_preamble_use *use, const tn_preamble_wanted *wanted,
                       tn_clang_header *out) {
  const tn_list *inputs = &wanted->found.inputs;
  const char **names = tn_arena_alloc_array(&use->arena, inputs->count + 1, sizeof(*names));
  for (size_t i = 0; names && i < inputs->count; i++) {
    const char *name = ((const tn_clang_input *)inputs->items[i])->name;
    if (name[0] != '/') {
      names[out->relative_name_count++] = name;
    }
  }
  out->relative_names = names;
  return names != NULL;
}

static bool give(tn_preamble_use *use, const tn_preamble_wanted *wanted, const char *file,
                 tn_clang_header *out) {
  const size_t count = wanted->found.dependencies.count;
  tn_clang_dependency *dependencies =
      tn_arena_alloc_array(&use->arena, count + 1, sizeof(*dependencies));
  if (!dependencies) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    dependencies[i] = *(const tn_clang_dependency *)wanted->found.dependencies.items[i];
  }
  give_text(wanted, file, out);
  if (!give_names(use, wanted, out)) {
    return false;
  }
  out->data = (const char *)wanted->found.header.data;
  out->size = wanted->found.header.size;
  out->dependencies = dependencies;
  out->dependency_count = count;
  out->imports = wanted->found.imports.data;
  out->import_size = wanted->found.imports.size;
  return true;
}

void tn_preamble_find(void *user, const tn_clang_preamble_query *query, tn_clang_preamble *out) {
  tn_preamble_use *use = user;
  size_t include_count = 0;
  use->base_note = use->rest_note = NULL;
  if (!query->text) {
    *out = (tn_clang_preamble){0};
    use->rest_note = note_none(use, query->why_not);
    return;
  }
  *out = (tn_clang_preamble){
      .size = tn_preamble_size((tn_str){query->text, query->text_size}, &include_count)};
  tn_preamble_wanted base = {.source = query->source, .bytes = &use->base};
  tn_preamble_wanted rest = {.source = query->source, .bytes = &use->rest};
  if (tn_preamble_umbrella_find(query, &use->arena, &use->umbrella)) {
    const bool is_there = tn_preamble_base_get(use, query, true, &base);
    out->has_base = base.part.text.data != NULL;
    give_text(&base, use->umbrella.file, &out->base);
    use->base_note = note(use, "SYCL's headers", &base, is_there);
    if (!is_there || !give(use, &base, use->umbrella.file, &out->base)) {
      return;
    }
    rest.base = &base;
  }
  const char *why_not = query->why_not              ? query->why_not
                        : !use->preambles->store ? tn_preambles_why_off(use->preambles)
                                                    : NULL;
  if (why_not) {
    use->rest_note = rest.base ? NULL : note_none(use, why_not);
    return;
  }
  const bool is_there = find_rest(use, query, out->size, &rest);
  note_rest(use, &rest, include_count, is_there);
  if (is_there) {
    (void)give(use, &rest, query->source, &out->rest);
  }
}

// ---- A base's text

static void make_print_key(tn_bytes base, uint8_t out[TN_STORE_KEY_SIZE]) {
  uint8_t print[TN_BLAKE3_SIZE];
  tn_blake3 hash;
  tn_preamble_print(base, print);
  tn_blake3_init(&hash);
  tn_preamble_hash_text(&hash, TN_PREAMBLE_KEY_HEAD " text");
  tn_blake3_add(&hash, print, sizeof(print));
  tn_blake3_finish(&hash, out);
}

static bool get_print(tn_preamble_use *use) {
  tn_buf kept;
  tn_buf_init(&kept, 64);
  const bool is_there = (tn_store_get(use->preambles->store, use->print_key, &kept) ||
                         tn_preamble_installed_print(use, &kept)) &&
                        kept.size == sizeof(use->print);
  if (is_there) {
    memcpy(&use->print, kept.data, sizeof(use->print));
  }
  tn_buf_deinit(&kept);
  return is_there;
}

void tn_preamble_find_print(void *user, const tn_clang_preamble_query *query,
                            tn_clang_preamble *out) {
  tn_preamble_use *use = user;
  *out = (tn_clang_preamble){0};
  use->has_print = false;
  use->has_print_key = false;
  tn_preamble_wanted base = {.source = query->source, .bytes = &use->base};
  if (!query->text || !tn_preamble_umbrella_find(query, &use->arena, &use->umbrella)) {
    return;
  }
  const bool is_there = tn_preamble_base_get(use, query, false, &base);
  out->has_base = base.part.text.data != NULL;
  give_text(&base, use->umbrella.file, &out->base);
  if (is_there) {
    make_print_key(base.file, use->print_key);
    use->has_print_key = true;
    use->has_print = get_print(use) && give(use, &base, use->umbrella.file, &out->base);
  }
}

void tn_preamble_keep_print(tn_preamble_use *use, uint64_t print) {
  if (use->has_print_key) {
    (void)tn_store_put(use->preambles->store, use->print_key, tn_bytes_from(&print, sizeof(print)));
    tn_preamble_install_print(use, print);
  }
}
