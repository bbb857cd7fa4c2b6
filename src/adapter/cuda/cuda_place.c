// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where kernels are in their sources, as PTX with lines (-g) says: the first line of each. A fault
// has no line of its own in what the driver tells, but this is where to begin to look.
//
// PTX:  .entry NAME( … .loc FILE LINE COLUMN … and at the end .file FILE "path"
#include "adapter/cuda/cuda_device.h"

struct tn_cuda_place {
  tn_cuda_place *next;
  tn_str symbol;  // of the arena, as the path
  tn_str path;
  uint64_t file;
  uint64_t line;
};

static tn_str skip_past(tn_str text, tn_str mark) {
  const size_t at = tn_str_find(text, mark);
  return at == SIZE_MAX ? (tn_str){NULL, 0}
                        : tn_str_slice(text, at + mark.size, text.size - at - mark.size);
}

static tn_str take_word(tn_str *text, char end) {
  *text = tn_str_trim(*text);
  return tn_str_split(text, end);
}

// The text behind ".entry ", up to the next one.
static tn_str take_entry(tn_str *rest) {
  const tn_str mark = TN_STR_LIT(".entry ");
  *rest = skip_past(*rest, mark);
  const size_t end = tn_str_find(*rest, mark);
  return end == SIZE_MAX ? *rest : tn_str_slice(*rest, 0, end);
}

// The next line ".file FILE "path"".
static bool take_file(tn_str *rest, uint64_t *out_file, tn_str *out_path) {
  *rest = skip_past(*rest, TN_STR_LIT("\n\t.file\t"));
  tn_str line = *rest;
  if (tn_str_is_empty(line) || !tn_str_to_u64(take_word(&line, ' '), out_file)) {
    return false;
  }
  line = skip_past(line, TN_STR_LIT("\""));
  const size_t end = tn_str_find_char(line, '"');
  *out_path = end == SIZE_MAX ? (tn_str){"", 0} : tn_str_slice(line, 0, end);
  return end != SIZE_MAX;
}

// Files of our headers, by their numbers.
enum { FILES = 512 };
typedef struct file_set {
  bool has[FILES];
} file_set;

static void find_headers(tn_str ptx, file_set *out) {
  uint64_t file = 0;
  tn_str path;
  while (take_file(&ptx, &file, &path)) {
    if (file < FILES) {
      out->has[file] = tn_str_find(path, TN_STR_LIT("/include/sycl/")) != SIZE_MAX;
    }
  }
}

static bool read_loc(tn_str loc, tn_cuda_place *out) {
  const tn_str file = take_word(&loc, ' ');
  const tn_str line = take_word(&loc, ' ');
  return tn_str_to_u64(file, &out->file) && tn_str_to_u64(line, &out->line) && out->line > 0;
}

// The first line that is of the program itself, or the first at all.
static bool read_entry(tn_str entry, const file_set *headers, tn_cuda_place *out) {
  const tn_str mark = TN_STR_LIT("\n\t.loc\t");
  const size_t name_end = tn_str_find_char(entry, '(');
  bool found = false;
  if (name_end == SIZE_MAX) {
    return false;
  }
  out->symbol = tn_str_slice(entry, 0, name_end);
  for (tn_str loc = skip_past(entry, mark); !tn_str_is_empty(loc); loc = skip_past(loc, mark)) {
    tn_cuda_place place = *out;
    if (!read_loc(loc, &place)) {
      continue;
    }
    const bool is_own = place.file >= FILES || !headers->has[place.file];
    if (!found || is_own) {
      *out = place;
      found = true;
    }
    if (is_own) {
      break;
    }
  }
  return found;
}

static void read_files(tn_str rest, tn_cuda_place *places, tn_arena *arena) {
  uint64_t file = 0;
  tn_str found;
  while (take_file(&rest, &file, &found)) {
    const char *path = NULL;
    for (tn_cuda_place *place = places; place; place = place->next) {
      if (place->file == file && (path || (path = tn_arena_str(arena, found)))) {
        place->path = tn_str_from(path);
      }
    }
  }
}

tn_cuda_place *tn_cuda_places_read(tn_str ptx, tn_arena *arena) {
  tn_cuda_place *first = NULL;
  if (tn_str_find(ptx, TN_STR_LIT("\n\t.loc\t")) == SIZE_MAX) {
    return NULL;
  }
  file_set headers = {{false}};
  find_headers(ptx, &headers);
  tn_str rest = ptx;
  for (tn_str entry = take_entry(&rest); entry.size > 0; entry = take_entry(&rest)) {
    tn_cuda_place found = {.next = first};
    tn_cuda_place *place =
        read_entry(entry, &headers, &found) ? tn_arena_alloc(arena, sizeof(*place)) : NULL;
    const char *symbol = place ? tn_arena_str(arena, found.symbol) : NULL;
    if (symbol) {
      *place = found;
      place->symbol = tn_str_from(symbol);
      first = place;
    }
  }
  read_files(ptx, first, arena);
  return first;
}

bool tn_cuda_place_find(const tn_cuda_place *places, const char *symbol, tn_str *out_path,
                        uint64_t *out_line) {
  while (places && !tn_str_equals(places->symbol, tn_str_from(symbol))) {
    places = places->next;
  }
  if (!places || tn_str_is_empty(places->path)) {
    return false;
  }
  *out_path = places->path;
  *out_line = places->line;
  return true;
}
