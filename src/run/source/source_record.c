// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Units as bytes for the disk, and back (docs/formats/disk-cache.md). Whatever is wrong with them
// is noticed before it is used.
#include "run/source/source_unit.h"

void tn_source_unit_init(tn_source_unit *unit) {
  *unit = (tn_source_unit){.folder = "", .log = TN_STR_LIT("")};
  tn_arena_init(&unit->arena);
}

void tn_source_unit_deinit(tn_source_unit *unit) { tn_arena_deinit(&unit->arena); }

// Numbers are little-endian u64; a text is its size, its bytes and a NUL.
#define RECORD_HEAD "TNSR"
#define IMAGES_HEAD "TNSI"
enum { RECORD_VERSION = 2, IMAGES_VERSION = 1, COUNT_MAXIMUM = 1 << 20 };

static void write_text(tn_buf *out, tn_str text) {
  tn_buf_add_u64(out, text.size);
  tn_buf_add(out, text.data, text.size);
  tn_buf_add_char(out, '\0');
}

static void write_images(const tn_source_unit *unit, tn_buf *out) {
  tn_buf_add_u64(out, unit->name_count);
  for (size_t i = 0; i < unit->name_count; i++) {
    write_text(out, tn_str_from(unit->names[i].name));
    write_text(out, tn_str_from(unit->names[i].symbol));
  }
  write_text(out, unit->log);
  tn_buf_add_u64(out, unit->fatbin.size);
  tn_buf_add(out, unit->fatbin.data, unit->fatbin.size);
}

void tn_source_unit_write_images(const tn_source_unit *unit, tn_buf *out) {
  tn_buf_add(out, IMAGES_HEAD, 4);
  tn_buf_add_u32(out, IMAGES_VERSION);
  write_images(unit, out);
}

void tn_source_unit_write(const tn_source_unit *unit, tn_buf *out) {
  tn_buf_add(out, RECORD_HEAD, 4);
  tn_buf_add_u32(out, RECORD_VERSION);
  write_text(out, tn_str_from(unit->folder));
  tn_buf_add_u64(out, unit->input_count);
  for (size_t i = 0; i < unit->input_count; i++) {
    tn_buf_add(out, unit->inputs[i].hash, sizeof(unit->inputs[i].hash));
    tn_buf_add_u64(out, unit->inputs[i].size);
    write_text(out, tn_str_from(unit->inputs[i].path));
  }
  tn_buf_add_u64(out, unit->miss_count);
  for (size_t i = 0; i < unit->miss_count; i++) {
    write_text(out, tn_str_from(unit->misses[i]));
  }
  tn_buf_add_u64(out, unit->has_print ? 1 : 0);
  if (unit->has_print) {
    tn_buf_add(out, unit->print, sizeof(unit->print));
  } else {
    write_images(unit, out);
  }
}

typedef struct reader {
  const uint8_t *at;
  size_t left;
  bool is_good;
} reader;

static const uint8_t *take(reader *r, size_t size) {
  const uint8_t *at = r->at;
  r->is_good = r->is_good && size <= r->left;
  if (!r->is_good) {
    return NULL;
  }
  r->at += size;
  r->left -= size;
  return at;
}

static uint64_t take_number(reader *r) {
  const uint8_t *bytes = take(r, 8);
  uint64_t number = 0;
  for (size_t i = 0; bytes && i < 8; i++) {
    number |= (uint64_t)bytes[i] << (8 * i);
  }
  return number;
}

static tn_str take_text(reader *r) {
  const uint64_t size = take_number(r);
  const char *text = size < r->left ? (const char *)take(r, (size_t)size) : NULL;
  const uint8_t *end = text ? take(r, 1) : NULL;
  r->is_good = r->is_good && end && *end == '\0' && strlen(text) == size;
  return r->is_good ? (tn_str){text, (size_t)size} : TN_STR_LIT("");
}

static size_t take_count(reader *r) {
  const uint64_t count = take_number(r);
  r->is_good = r->is_good && count <= COUNT_MAXIMUM && count <= r->left;
  return r->is_good ? (size_t)count : 0;
}

static void *new_array(reader *r, tn_arena *arena, size_t count, size_t item_size) {
  void *array = r->is_good ? tn_arena_alloc_array(arena, count + 1, item_size) : NULL;
  r->is_good = array != NULL;
  return array;
}

static void read_inputs(reader *r, tn_source_unit *unit) {
  const size_t count = take_count(r);
  unit->inputs = new_array(r, &unit->arena, count, sizeof(*unit->inputs));
  for (size_t i = 0; r->is_good && i < count; i++) {
    tn_source_input *input = &unit->inputs[unit->input_count++];
    const uint8_t *hash = take(r, sizeof(input->hash));
    if (hash) {
      memcpy(input->hash, hash, sizeof(input->hash));
    }
    input->size = take_number(r);
    input->path = take_text(r).data;
  }
}

static void read_misses(reader *r, tn_source_unit *unit) {
  const size_t count = take_count(r);
  unit->misses = new_array(r, &unit->arena, count, sizeof(*unit->misses));
  for (size_t i = 0; r->is_good && i < count; i++) {
    unit->misses[unit->miss_count++] = take_text(r).data;
  }
}

static void read_names(reader *r, tn_source_unit *unit) {
  const size_t count = take_count(r);
  unit->names = new_array(r, &unit->arena, count, sizeof(*unit->names));
  for (size_t i = 0; r->is_good && i < count; i++) {
    const tn_str name = take_text(r);
    const tn_str symbol = take_text(r);
    unit->names[unit->name_count++] = (tn_source_name){.name = name.data, .symbol = symbol.data};
  }
}

static bool read_images(reader *r, tn_source_unit *unit) {
  read_names(r, unit);
  unit->log = take_text(r);
  const uint64_t size = take_number(r);
  unit->fatbin = tn_bytes_from(r->at, r->left);
  return r->is_good && size == r->left && size > 0;
}

bool tn_source_unit_read(tn_bytes bytes, tn_source_unit *unit) {
  reader r = {bytes.data, bytes.size, true};
  const uint8_t *head = take(&r, 8);
  if (!head || memcmp(head, RECORD_HEAD "\2\0\0\0", 8) != 0) {
    return false;
  }
  unit->folder = take_text(&r).data;
  read_inputs(&r, unit);
  read_misses(&r, unit);
  const uint64_t has_print = take_number(&r);
  r.is_good = r.is_good && has_print <= 1;
  unit->has_print = has_print == 1;
  if (!unit->has_print) {
    return read_images(&r, unit);
  }
  const uint8_t *print = take(&r, sizeof(unit->print));
  if (print) {
    memcpy(unit->print, print, sizeof(unit->print));
  }
  return r.is_good && r.left == 0;
}

bool tn_source_unit_read_images(tn_bytes bytes, tn_source_unit *unit) {
  reader r = {bytes.data, bytes.size, true};
  const uint8_t *head = take(&r, 8);
  return head && memcmp(head, IMAGES_HEAD "\1\0\0\0", 8) == 0 && read_images(&r, unit);
}
