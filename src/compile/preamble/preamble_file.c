// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Precompiled preambles as files: the header, what it was made of, sizes, the key, and a hash of
// all before it. Clang trusts what it reads of a precompiled header, so nothing is taken from a
// file whose last byte does not belong to the first.
#include "compile/preamble/preamble.h"

#define FILE_MAGIC "TNPREAM3"
enum { MAGIC_SIZE = 8, TRAILER_SIZE = MAGIC_SIZE + 8 + TN_BLAKE3_SIZE + TN_BLAKE3_SIZE };
enum { COUNT_MAXIMUM = 1 << 20 };

static void hash_bytes(const void *data, size_t size, uint8_t out[TN_BLAKE3_SIZE]) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add(&hash, data, size);
  tn_blake3_finish(&hash, out);
}

static void write_text(tn_buf *out, const char *text) {
  const tn_str view = tn_str_from(text);
  tn_buf_add_u64(out, view.size);
  tn_buf_add(out, view.data, view.size + 1);
}

static void write_names(tn_buf *out, const tn_list *names) {
  tn_buf_add_u64(out, names->count);
  for (size_t i = 0; i < names->count; i++) {
    write_text(out, names->items[i]);
  }
}

void tn_preamble_write(const tn_preamble_parts *parts, const uint8_t key[TN_BLAKE3_SIZE],
                       tn_buf *out) {
  tn_buf_add(out, parts->header.data, parts->header.size);
  tn_buf_add_u64(out, parts->inputs.count);
  for (size_t i = 0; i < parts->inputs.count; i++) {
    const tn_clang_input *input = parts->inputs.items[i];
    tn_buf_add(out, input->hash, sizeof(input->hash));
    tn_buf_add_u64(out, input->size);
    write_text(out, input->name);
  }
  write_names(out, &parts->misses);
  tn_buf_add_u64(out, parts->dependencies.count);
  for (size_t i = 0; i < parts->dependencies.count; i++) {
    const tn_clang_dependency *dependency = parts->dependencies.items[i];
    tn_buf_add_u64(out, dependency->is_system != 0);
    write_text(out, dependency->name);
  }
  tn_buf_add_u64(out, parts->imports.size);
  tn_buf_add(out, parts->imports.data, parts->imports.size);
  write_names(out, &parts->included);
  tn_buf_add_u64(out, parts->identifiers.size);
  tn_buf_add(out, parts->identifiers.data, parts->identifiers.size);
  tn_buf_add(out, FILE_MAGIC, MAGIC_SIZE);
  tn_buf_add_u64(out, parts->header.size);
  tn_buf_add(out, key, TN_BLAKE3_SIZE);
  uint8_t hash[TN_BLAKE3_SIZE];
  hash_bytes(out->data, out->size, hash);
  tn_buf_add(out, hash, sizeof(hash));
}

typedef struct reader {
  const uint8_t *at;
  size_t left;
  bool is_good;
} reader;

static const uint8_t *take(reader *r, size_t size) {
  const uint8_t *at = r->at;
  r->is_good = r->is_good && size <= r->left;
  if (r->is_good) {
    r->at += size;
    r->left -= size;
  }
  return r->is_good ? at : NULL;
}

static uint64_t take_number(reader *r) {
  const uint8_t *bytes = take(r, 8);
  uint64_t number = 0;
  for (size_t i = 0; bytes && i < 8; i++) {
    number |= (uint64_t)bytes[i] << (8 * i);
  }
  return number;
}

// As many bytes as the number before them says.
static tn_bytes take_sized(reader *r) {
  const uint64_t size = take_number(r);
  const uint8_t *data = size <= r->left ? take(r, (size_t)size) : NULL;
  r->is_good = r->is_good && data;
  return tn_bytes_from(data, data ? (size_t)size : 0);
}

static char *take_text(reader *r) {
  const uint64_t size = take_number(r);
  const uint8_t *text = size < r->left ? take(r, (size_t)size + 1) : NULL;
  r->is_good = r->is_good && text && text[size] == '\0';
  return r->is_good ? (char *)(uintptr_t)text : NULL;
}

static bool read_inputs(reader *r, tn_arena *arena, tn_list *out) {
  const uint64_t count = take_number(r);
  for (uint64_t i = 0; r->is_good && i < count && count <= COUNT_MAXIMUM; i++) {
    const uint8_t *hash = take(r, TN_BLAKE3_SIZE);
    const uint64_t size = take_number(r);
    const char *name = take_text(r);
    tn_clang_input *input = name ? tn_arena_alloc(arena, sizeof(*input)) : NULL;
    if (!input) {
      return false;
    }
    *input = (tn_clang_input){.name = name, .is_read = true, .size = size};
    memcpy(input->hash, hash, sizeof(input->hash));
    r->is_good = tn_list_add(out, arena, input);
  }
  return r->is_good && count <= COUNT_MAXIMUM;
}

static bool read_names(reader *r, tn_arena *arena, tn_list *out) {
  const uint64_t count = take_number(r);
  for (uint64_t i = 0; r->is_good && i < count && count <= COUNT_MAXIMUM; i++) {
    char *name = take_text(r);
    r->is_good = name && tn_list_add(out, arena, name);
  }
  return r->is_good && count <= COUNT_MAXIMUM;
}

static bool read_dependencies(reader *r, tn_arena *arena, tn_list *out) {
  const uint64_t count = take_number(r);
  for (uint64_t i = 0; r->is_good && i < count && count <= COUNT_MAXIMUM; i++) {
    const bool is_system = take_number(r) != 0;
    const char *name = take_text(r);
    tn_clang_dependency *dependency = name ? tn_arena_alloc(arena, sizeof(*dependency)) : NULL;
    if (!dependency) {
      return false;
    }
    *dependency = (tn_clang_dependency){name, is_system};
    r->is_good = tn_list_add(out, arena, dependency);
  }
  return r->is_good && count <= COUNT_MAXIMUM;
}

bool tn_preamble_read(tn_bytes bytes, const uint8_t key[TN_BLAKE3_SIZE], bool is_checked,
                      tn_arena *arena, tn_preamble_parts *out) {
  *out = (tn_preamble_parts){0};
  if (bytes.size < TRAILER_SIZE) {
    return false;
  }
  uint8_t hash[TN_BLAKE3_SIZE];
  const size_t hashed = bytes.size - TN_BLAKE3_SIZE;
  const uint8_t *trailer = bytes.data + bytes.size - TRAILER_SIZE;
  if (is_checked) {
    memcpy(hash, bytes.data + hashed, sizeof(hash));
  } else {
    hash_bytes(bytes.data, hashed, hash);
  }
  if (memcmp(trailer, FILE_MAGIC, MAGIC_SIZE) != 0 ||
      memcmp(trailer + MAGIC_SIZE + 8, key, TN_BLAKE3_SIZE) != 0 ||
      memcmp(bytes.data + hashed, hash, sizeof(hash)) != 0) {
    return false;
  }
  reader sizes = {trailer + MAGIC_SIZE, 8, true};
  const uint64_t size = take_number(&sizes);
  reader r = {bytes.data, (size_t)(trailer - bytes.data), true};
  const uint8_t *header = size < r.left ? take(&r, (size_t)size) : NULL;
  out->header = tn_bytes_from(header, (size_t)size);
  if (!header || !read_inputs(&r, arena, &out->inputs) || !read_names(&r, arena, &out->misses) ||
      !read_dependencies(&r, arena, &out->dependencies)) {
    return false;
  }
  out->imports = take_sized(&r);
  if (!r.is_good || !read_names(&r, arena, &out->included)) {
    return false;
  }
  out->identifiers = take_sized(&r);
  return r.is_good && r.left == 0;
}

void tn_preamble_print(tn_bytes written, uint8_t out[TN_BLAKE3_SIZE]) {
  memset(out, 0, TN_BLAKE3_SIZE);
  if (written.size >= TRAILER_SIZE) {
    memcpy(out, written.data + written.size - TN_BLAKE3_SIZE, TN_BLAKE3_SIZE);
  }
}
