// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL's headers, precompiled for as many sources as possible. Of a command line, only that counts
// which these headers can notice:
//
// - Macros that are named in them. A base lists all identifiers that Clang saw; one that was made
//   with the macros M fits a command line when just M of its macros are among these.
// - The user's folders if one of them has a header that these headers include.
//
// Which macros count is known once a base is there. Bases of equal words otherwise are a family,
// which has one entry in the store: the identifiers of the last base, as a first guess.
#include "base/file.h"
#include "base/store_manage.h"
#include "compile/preamble/preamble_make.h"

enum { TURNS_MAXIMUM = 4, IDENTIFIERS_MAXIMUM = 1 << 24 };

static tn_str macro_name(const tn_clang_macro *macro) {
  const tn_str text = tn_str_from(macro->text);
  size_t size = 0;
  while (size < text.size && text.data[size] != '=' && text.data[size] != '(') {
    size++;
  }
  return tn_str_slice(text, 0, size);
}

// Ascending numbers, 4 bytes each.
static bool has_identifier(tn_bytes identifiers, uint32_t number) {
  size_t begin = 0;
  size_t end = identifiers.size / sizeof(number);
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    uint32_t here = 0;
    memcpy(&here, identifiers.data + middle * sizeof(here), sizeof(here));
    if (here == number) {
      return true;
    }
    begin = here < number ? middle + 1 : begin;
    end = here < number ? end : middle;
  }
  return false;
}

// Before any base is there: names that programs leave to headers. A base that was made with one of
// them names it, so that the two by which Clang tells -fPIE from -fPIC are left out.
static bool is_likely(tn_str name) {
  if (tn_str_equals(name, TN_STR_LIT("__pie__")) || tn_str_equals(name, TN_STR_LIT("__PIE__"))) {
    return false;
  }
  return tn_str_has_prefix(name, TN_STR_LIT("_")) || tn_str_has_prefix(name, TN_STR_LIT("SYCL")) ||
         tn_str_has_prefix(name, TN_STR_LIT("TENON")) || tn_str_equals(name, TN_STR_LIT("NDEBUG"));
}

static bool counts(const tn_clang_macro *macro, tn_bytes identifiers) {
  const tn_str name = macro_name(macro);
  return identifiers.data ? has_identifier(identifiers, tn_clang_identifier(name))
                          : is_likely(name);
}

// The words with the macros that count.
static bool make_words(const tn_clang_preamble_query *query, tn_bytes identifiers, tn_arena *arena,
                       tn_list *out) {
  bool is_good = true;
  *out = (tn_list){0};
  for (size_t i = 0; i < query->base_word_count; i++) {
    is_good = is_good && tn_list_add(out, arena, query->base_words[i]);
  }
  for (size_t i = 0; i < query->macro_count; i++) {
    const tn_clang_macro *macro = &query->macros[i];
    if (counts(macro, identifiers)) {
      is_good = is_good && tn_list_add(out, arena, macro->is_undefined ? "-U" : "-D") &&
                tn_list_add(out, arena, macro->text);
    }
  }
  return is_good;
}

// The same macros count.
static bool has_same_words(const tn_list *words, const tn_list *others) {
  bool is_same = words->count == others->count;
  for (size_t i = 0; is_same && i < words->count; i++) {
    is_same = words->items[i] == others->items[i] ||
              strcmp(words->items[i], others->items[i]) == 0;
  }
  return is_same;
}

static void make_family(const tn_preamble_use *use, const tn_clang_preamble_query *query,
                        const tn_preamble_wanted *base, uint8_t out[TN_STORE_KEY_SIZE]) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_preamble_hash_text(&hash, TN_PREAMBLE_KEY_HEAD " family");
  tn_blake3_add(&hash, use->preambles->toolchain, TN_STORE_KEY_SIZE);
  tn_preamble_hash_text(&hash, use->umbrella.header);
  for (size_t i = 0; i < query->base_word_count; i++) {
    tn_preamble_hash_text(&hash, query->base_words[i]);
  }
  tn_preamble_hash_folder(&hash, &base->words, false);
  tn_blake3_finish(&hash, out);
}

static void make_key(tn_preamble_wanted *base, size_t first_macro,
                     const uint8_t family[TN_STORE_KEY_SIZE]) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_preamble_hash_text(&hash, TN_PREAMBLE_KEY_HEAD " base");
  tn_blake3_add(&hash, family, TN_STORE_KEY_SIZE);
  for (size_t i = first_macro; i < base->words.count; i++) {
    tn_preamble_hash_text(&hash, base->words.items[i]);
  }
  tn_blake3_finish(&hash, base->key);
}

// What stands in the way: a header in a folder of the user's, which the base would have found.
static const char *find_hidden(const tn_clang_preamble_query *query, const tn_preamble_parts *parts,
                               tn_arena *arena) {
  const char *found = NULL;
  tn_buf path;
  tn_buf_init(&path, 1 << 16);
  for (size_t f = 0; f < query->folder_count && !found; f++) {
    tn_buf_clear(&path);
    tn_buf_add_format(&path, "%s/", query->folders[f].path);
    const size_t folder_size = path.size;
    for (size_t i = 0; i < parts->included.count && !found; i++) {
      path.size = folder_size;
      tn_buf_add_text(&path, parts->included.items[i]);
      if (path.failed != TN_OK || tn_file_is_file(tn_buf_text(&path))) {
        found = tn_arena_format(arena, "%s takes the place of a header that they include",
                                path.failed == TN_OK ? tn_buf_text(&path) : query->folders[f].path);
        found = found ? found : "a folder of -I has a header that they include";
      }
    }
  }
  tn_buf_deinit(&path);
  return found;
}

static bool get_base(tn_preamble_use *use, bool may_make, tn_preamble_wanted *base) {
  return (tn_preamble_installed_get(use, base) ||
          (may_make ? tn_preamble_get_or_make(use, base) : tn_preamble_get_kept(use, base))) &&
         base->found.header.size > 0;
}

static bool get_identifiers(tn_preamble_use *use, const uint8_t family[TN_STORE_KEY_SIZE],
                            tn_buf *out) {
  return tn_store_get(use->preambles->store, family, out) ||
         tn_preamble_installed_family(use, family, out);
}

// In place of those of another base.
static void keep_identifiers(tn_store *store, const uint8_t family[TN_STORE_KEY_SIZE],
                             const tn_buf *identifiers) {
  if (store) {
    (void)tn_store_remove(store, family);
    (void)tn_store_put(store, family, tn_buf_bytes(identifiers));
  }
}

static bool find_in_family(tn_preamble_use *use, const tn_clang_preamble_query *query,
                           const uint8_t family[TN_STORE_KEY_SIZE], bool may_make,
                           tn_buf *identifiers, tn_preamble_wanted *base) {
  bool is_guess = !get_identifiers(use, family, identifiers);
  for (int turn = 0; turn < TURNS_MAXIMUM; turn++) {
    const tn_bytes known = is_guess ? (tn_bytes){0} : tn_buf_bytes(identifiers);
    tn_list seen;
    if (!make_words(query, known, &use->arena, &base->words)) {
      return false;
    }
    make_key(base, query->base_word_count, family);
    if (!get_base(use, may_make, base) ||
        !make_words(query, base->found.identifiers, &use->arena, &seen)) {
      return false;
    }
    const bool is_fitting = has_same_words(&base->words, &seen);
    if (is_guess || !is_fitting) {
      tn_buf_clear(identifiers);
      tn_buf_add(identifiers, base->found.identifiers.data, base->found.identifiers.size);
      keep_identifiers(use->preambles->store, family, identifiers);
      is_guess = false;
    }
    if (is_fitting) {
      tn_preamble_install(use, base, family);
      base->why = find_hidden(query, &base->found, &use->arena);
      return base->why == NULL;
    }
  }
  base->why = "their identifiers change with the macros of the command line";
  return false;
}

static bool make_part(tn_preamble_use *use, tn_preamble_wanted *base) {
  base->name = TN_CLANG_BASE_NAME;
  const char *text = tn_arena_format(&use->arena, "\n#include <%s>\n", use->umbrella.header);
  base->part = (tn_preamble_part){.text = text ? tn_str_from(text) : (tn_str){0},
                                  .lines = &use->umbrella.line,
                                  .line_count = 1};
  return text != NULL;
}

// The words without the place that Tenon is installed in.
static bool leave_root_out(tn_preamble_use *use, tn_clang_preamble_query *query) {
  const char **words = tn_arena_alloc_array(&use->arena, query->base_word_count, sizeof(*words));
  bool is_good = words != NULL;
  for (size_t i = 0; is_good && i < query->base_word_count; i++) {
    words[i] = tn_preamble_without_root(query->base_words[i], use->preambles->root, &use->arena);
    is_good = words[i] != NULL;
  }
  query->base_words = words;
  return is_good;
}

static bool get_without_root(tn_preamble_use *use, const tn_clang_preamble_query *query,
                             bool may_make, tn_preamble_wanted *base) {
  for (size_t i = 0; i < query->base_word_count; i++) {
    if (!tn_list_add(&base->words, &use->arena, query->base_words[i])) {
      return false;
    }
  }
  uint8_t family[TN_STORE_KEY_SIZE];
  make_family(use, query, base, family);
  tn_buf identifiers;
  tn_buf_init(&identifiers, IDENTIFIERS_MAXIMUM);
  const bool is_found = find_in_family(use, query, family, may_make, &identifiers, base);
  tn_buf_deinit(&identifiers);
  return is_found;
}

bool tn_preamble_base_get(tn_preamble_use *use, const tn_clang_preamble_query *query,
                          bool may_make, tn_preamble_wanted *base) {
  if (!make_part(use, base) || query->why_not || !tn_preambles_are_on(use->preambles)) {
    base->why = query->why_not ? query->why_not : tn_preambles_why_off(use->preambles);
    return false;
  }
  tn_clang_preamble_query here = *query;
  return leave_root_out(use, &here) && get_without_root(use, &here, may_make, base);
}
