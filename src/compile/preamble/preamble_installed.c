// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bases that lie beside the compiler library, so that the first compilation of all has one: files
// named by their keys, for each family the identifiers of one of them, and the print of the text
// that the preprocessor makes of each.
#include <stdio.h>

#include "base/file.h"
#include "base/file_map.h"
#include "compile/preamble/preamble_make.h"

static const char *path_of(tn_preamble_use *use, const char *folder,
                           const uint8_t key[TN_STORE_KEY_SIZE], const char *extension) {
  char digits[2 * TN_STORE_KEY_SIZE + 1];
  for (size_t i = 0; i < TN_STORE_KEY_SIZE; i++) {
    (void)snprintf(digits + 2 * i, 3, "%02x", key[i]);
  }
  return tn_arena_format(&use->arena, "%s/%s.%s", folder, digits, extension);
}

static const char *place(const char *name, const char *root, tn_arena *arena) {
  const tn_str stand_in = TN_STR_LIT(TN_CLANG_INSTALLATION "/");
  return root && tn_str_has_prefix(tn_str_from(name), stand_in)
             ? tn_arena_format(arena, "%s/%s", root, name + stand_in.size)
             : name;
}

static bool place_all(tn_preamble_parts *parts, const char *root, tn_arena *arena) {
  bool is_good = true;
  for (size_t i = 0; i < parts->inputs.count; i++) {
    tn_clang_input *input = parts->inputs.items[i];
    input->name = place(input->name, root, arena);
    is_good = is_good && input->name;
  }
  for (size_t i = 0; i < parts->dependencies.count; i++) {
    tn_clang_dependency *dependency = parts->dependencies.items[i];
    dependency->name = place(dependency->name, root, arena);
    is_good = is_good && dependency->name;
  }
  for (size_t i = 0; i < parts->misses.count; i++) {
    parts->misses.items[i] = (void *)(uintptr_t)place(parts->misses.items[i], root, arena);
    is_good = is_good && parts->misses.items[i];
  }
  return is_good;
}

bool tn_preamble_read_file(tn_preamble_use *use, tn_preamble_wanted *wanted) {
  return tn_preamble_read(wanted->file, wanted->key, true, &use->arena, &wanted->found) &&
         place_all(&wanted->found, use->preambles->root, &use->arena);
}

const char *tn_preamble_without_root(const char *word, const char *root, tn_arena *arena) {
  const size_t size = root ? strlen(root) : 0;
  const bool is_in_root = size > 0 && strncmp(word, root, size) == 0 && word[size] == '/';
  return is_in_root ? tn_arena_format(arena, TN_CLANG_INSTALLATION "%s", word + size) : word;
}

bool tn_preamble_installed_get(tn_preamble_use *use, tn_preamble_wanted *wanted) {
  const char *folder = use->preambles->installed;
  const char *path = folder ? path_of(use, folder, wanted->key, "base") : NULL;
  if (!path) {
    return false;
  }
  tn_file_unmap(use->installed);
  use->installed = tn_file_map(path, TN_PREAMBLE_MAXIMUM);
  wanted->file = use->installed;
  wanted->origin = "by the installation";
  return use->installed.size > 0 && tn_preamble_read_file(use, wanted) &&
         tn_preamble_is_current(&wanted->found);
}

static bool read_small(tn_preamble_use *use, const uint8_t key[TN_STORE_KEY_SIZE],
                       const char *extension, tn_buf *out) {
  const char *folder = use->preambles->installed;
  const char *path = folder ? path_of(use, folder, key, extension) : NULL;
  char *data = NULL;
  size_t size = 0;
  if (path && tn_file_read_regular(path, TN_PREAMBLE_MAXIMUM, &data, &size, NULL) == TN_OK) {
    tn_buf_clear(out);
    tn_buf_add(out, data, size);
  }
  tn_free(data);
  return size > 0 && out->failed == TN_OK;
}

bool tn_preamble_installed_family(tn_preamble_use *use, const uint8_t family[TN_STORE_KEY_SIZE],
                                  tn_buf *out) {
  return read_small(use, family, "identifiers", out);
}

bool tn_preamble_installed_print(tn_preamble_use *use, tn_buf *out) {
  return read_small(use, use->print_key, "print", out);
}

void tn_preamble_install_print(tn_preamble_use *use, uint64_t print) {
  const char *folder = use->preambles->written;
  const char *path = folder ? path_of(use, folder, use->print_key, "print") : NULL;
  if (path) {
    TN_IGNORE(tn_file_write(path, tn_bytes_from(&print, sizeof(print)), NULL),
              "compilations preprocess the base then");
  }
}

void tn_preamble_install(tn_preamble_use *use, const tn_preamble_wanted *base,
                         const uint8_t family[TN_STORE_KEY_SIZE]) {
  const char *folder = use->preambles->written;
  const char *path = folder ? path_of(use, folder, base->key, "base") : NULL;
  const char *names = folder ? path_of(use, folder, family, "identifiers") : NULL;
  if (path && names) {
    TN_IGNORE(tn_file_write(path, base->file, NULL), "the first compilation makes it then");
    TN_IGNORE(tn_file_write(names, base->found.identifiers, NULL), "the same");
  }
}
