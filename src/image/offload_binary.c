// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's offload binary, version 1: docs/formats/fat-object.md.
#include "base/map.h"
#include "image/image.h"
#include "image/image_bytes.h"

enum { OFFLOAD_VERSION = 1, OFFLOAD_ALIGN = 8, IMAGE_KIND_BITCODE = 2, OFFLOAD_KIND_SYCL = 8 };
enum { HEADER_VERSION_AT = 4, HEADER_SIZE_AT = 8, HEADER_ENTRY_AT = 16, HEADER_SIZE = 32 };
enum {
  ENTRY_IMAGE_KIND_AT = 0,
  ENTRY_OFFLOAD_KIND_AT = 2,
  ENTRY_STRINGS_AT = 8,
  ENTRY_STRING_COUNT_AT = 16,
  ENTRY_IMAGE_AT = 24,
  ENTRY_IMAGE_SIZE_AT = 32,
  ENTRY_SIZE = 40,
};
enum { STRING_PAIR_SIZE = 16, STRINGS_MAXIMUM = 5 };
enum { CHECKSUM_DIGITS = 16 };
#define CHECKSUM_KEY "tenon.checksum"
#define SYMBOLS_KEY "tenon.symbols"
#define VERSION_KEY "tenon.version"
static const uint8_t magic[4] = {0x10, 0xff, 0x10, 0xad};

typedef struct checksum_text {
  char digits[CHECKSUM_DIGITS];
} checksum_text;

static checksum_text checksum_of(const tn_offload_entry *entry) {
  uint64_t sum = tn_hash_bytes(entry->arch.data, entry->arch.size, OFFLOAD_VERSION);
  sum = tn_hash_bytes(entry->triple.data, entry->triple.size, sum);
  sum = tn_hash_bytes(entry->image.data, entry->image.size, sum);
  if (entry->symbols.size > 0) {
    sum = tn_hash_bytes(entry->symbols.data, entry->symbols.size, sum);
  }
  checksum_text text;
  for (size_t i = CHECKSUM_DIGITS; i > 0; i--, sum >>= 4) {
    text.digits[i - 1] = "0123456789abcdef"[sum & 15];
  }
  return text;
}

static tn_status check_entry(const tn_offload_entry *entry, tn_diag *diag) {
  if (entry->triple.size == 0 || tn_str_find_char(entry->triple, '\0') != SIZE_MAX ||
      tn_str_find_char(entry->arch, '\0') != SIZE_MAX ||
      tn_str_find_char(entry->symbols, '\0') != SIZE_MAX ||
      tn_str_find_char(entry->version, '\0') != SIZE_MAX) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "an offload entry needs a triple, and texts without NUL characters");
  }
  if (entry->image.size > SIZE_MAX / 4 || entry->triple.size > UINT32_MAX ||
      entry->arch.size > UINT32_MAX || entry->symbols.size > UINT32_MAX ||
      entry->version.size > UINT32_MAX) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the offload entry for %.*s is too large",
                   TN_STR_ARG(entry->triple));
  }
  return TN_OK;
}

typedef struct text_pair {
  tn_str key;
  tn_str value;
} text_pair;

// The map of pairs of offsets, then the texts.
static void put_strings(const text_pair *pairs, size_t count, size_t at, tn_buf *out) {
  at += count * STRING_PAIR_SIZE;
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_u64(out, at);
    at += pairs[i].key.size + 1;
    tn_buf_add_u64(out, at);
    at += pairs[i].value.size + 1;
  }
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_str(out, pairs[i].key);
    tn_buf_add_char(out, '\0');
    tn_buf_add_str(out, pairs[i].value);
    tn_buf_add_char(out, '\0');
  }
}

static void put_entry(const tn_offload_entry *entry, tn_buf *out) {
  const checksum_text checksum = checksum_of(entry);
  text_pair pairs[STRINGS_MAXIMUM] = {
      {TN_STR_LIT("arch"), entry->arch},
      {TN_STR_LIT("triple"), entry->triple},
      {TN_STR_LIT(CHECKSUM_KEY), {checksum.digits, CHECKSUM_DIGITS}},
  };
  size_t count = 3;
  if (entry->symbols.size > 0) {
    pairs[count++] = (text_pair){TN_STR_LIT(SYMBOLS_KEY), entry->symbols};
  }
  if (entry->version.size > 0) {
    pairs[count++] = (text_pair){TN_STR_LIT(VERSION_KEY), entry->version};
  }
  const size_t strings_at = HEADER_SIZE + ENTRY_SIZE;
  size_t end = strings_at + count * STRING_PAIR_SIZE;
  for (size_t i = 0; i < count; i++) {
    end += pairs[i].key.size + pairs[i].value.size + 2;
  }
  const size_t image_at = tn_size_align(end, OFFLOAD_ALIGN);
  tn_buf_add(out, magic, sizeof(magic));
  tn_buf_add_u32(out, OFFLOAD_VERSION);
  tn_buf_add_u64(out, tn_size_align(image_at + entry->image.size, OFFLOAD_ALIGN));
  tn_buf_add_u64(out, HEADER_SIZE);
  tn_buf_add_u64(out, ENTRY_SIZE);
  tn_buf_add_u32(out, IMAGE_KIND_BITCODE | OFFLOAD_KIND_SYCL << 16);
  tn_buf_add_u32(out, 0);
  tn_buf_add_u64(out, strings_at);
  tn_buf_add_u64(out, count);
  tn_buf_add_u64(out, image_at);
  tn_buf_add_u64(out, entry->image.size);
  put_strings(pairs, count, strings_at, out);
  tn_buf_align(out, OFFLOAD_ALIGN);
  tn_buf_add(out, entry->image.data, entry->image.size);
  tn_buf_align(out, OFFLOAD_ALIGN);
}

tn_status tn_offload_write(const tn_offload_entry *entries, size_t count, tn_buf *out,
                           tn_diag *diag) {
  for (size_t i = 0; i < count; i++) {
    TN_TRY(check_entry(&entries[i], diag));
  }
  tn_buf_align(out, OFFLOAD_ALIGN);
  for (size_t i = 0; i < count; i++) {
    put_entry(&entries[i], out);
  }
  return tn_buf_status(out, diag);
}

static tn_status bad(size_t at, const char *problem, tn_diag *diag) {
  return TN_FAIL(diag, BAD_IMAGE,
                 "the offload binary at offset %zu is damaged: %s; compile the object again", at,
                 problem);
}

// One offload binary, cut to its size. Whatever follows it is left in *rest.
static tn_status cut_binary(tn_bytes *rest, size_t at, tn_bytes *out, tn_diag *diag) {
  if (rest->size < HEADER_SIZE + ENTRY_SIZE) {
    return bad(at, "it is truncated", diag);
  }
  if (memcmp(rest->data, magic, sizeof(magic)) != 0) {
    return bad(at, "it does not begin with 10 FF 10 AD", diag);
  }
  const uint32_t version = tn_load_u32(rest->data + HEADER_VERSION_AT);
  if (version != OFFLOAD_VERSION) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "the offload binary at offset %zu is of version %u, this Tenon reads version "
                   "%d; compile the object with LLVM 22",
                   at, version, (int)OFFLOAD_VERSION);
  }
  const uint64_t size = tn_load_u64(rest->data + HEADER_SIZE_AT);
  if (size < HEADER_SIZE + ENTRY_SIZE || size > rest->size) {
    return bad(at, size > rest->size ? "it is truncated" : "its size is too small", diag);
  }
  *out = (tn_bytes){rest->data, size};
  const size_t step = tn_size_align(size, OFFLOAD_ALIGN);
  const size_t used = step < rest->size ? step : rest->size;
  *rest = (tn_bytes){rest->data + used, rest->size - used};
  return TN_OK;
}

static bool key_is(tn_bytes binary, uint64_t key_at, tn_str key) {
  return tn_range_is_inside(binary.size, key_at, key.size + 1) &&
         memcmp(binary.data + key_at, key.data, key.size + 1) == 0;
}

// Only the texts that matter are walked, once each: many entries over one long text cost nothing.
static tn_status read_strings(tn_bytes binary, size_t at, const uint8_t *entry,
                              tn_offload_entry *out, tn_str *out_checksum, tn_diag *diag) {
  const uint64_t strings_at = tn_load_u64(entry + ENTRY_STRINGS_AT);
  const uint64_t count = tn_load_u64(entry + ENTRY_STRING_COUNT_AT);
  if (count > binary.size / STRING_PAIR_SIZE ||
      !tn_range_is_inside(binary.size, strings_at, count * STRING_PAIR_SIZE)) {
    return bad(at, "its string map lies outside", diag);
  }
  // A text that begins before the last NUL ends within the binary.
  const uint8_t *last_nul = memrchr(binary.data, 0, binary.size);
  const uint64_t text_end = last_nul ? (uint64_t)(last_nul - binary.data) + 1 : 0;
  tn_str *const values[] = {&out->triple, &out->arch, out_checksum, &out->symbols, &out->version};
  const tn_str keys[] = {TN_STR_LIT("triple"), TN_STR_LIT("arch"), TN_STR_LIT(CHECKSUM_KEY),
                         TN_STR_LIT(SYMBOLS_KEY), TN_STR_LIT(VERSION_KEY)};
  for (uint64_t i = 0; i < count; i++) {
    const uint8_t *pair = binary.data + strings_at + i * STRING_PAIR_SIZE;
    const uint64_t key_at = tn_load_u64(pair);
    const uint64_t value_at = tn_load_u64(pair + 8);
    if (key_at >= text_end || value_at >= text_end) {
      return bad(at, "a string lies outside or has no NUL", diag);
    }
    for (size_t k = 0; k < TN_COUNT(keys); k++) {
      if (!values[k]->data && key_is(binary, key_at, keys[k])) {
        *values[k] = tn_str_from((const char *)binary.data + value_at);
      }
    }
  }
  if (out->triple.size == 0) {
    return bad(at, "it has no \"triple\"", diag);
  }
  if (!out->arch.data) {
    out->arch = TN_STR_LIT("");
  }
  return TN_OK;
}

static tn_status check_checksum(size_t at, const tn_offload_entry *entry, tn_str found,
                                tn_diag *diag) {
  const checksum_text expected = checksum_of(entry);
  if (found.data && !tn_str_equals(found, (tn_str){expected.digits, CHECKSUM_DIGITS})) {
    return bad(at, "its device code does not fit its checksum", diag);
  }
  return TN_OK;
}

static tn_status read_entry(tn_bytes binary, size_t at, tn_offload_entry *out, bool *out_is_ours,
                            tn_diag *diag) {
  *out = (tn_offload_entry){.triple = {NULL, 0}};
  *out_is_ours = false;
  const uint64_t entry_at = tn_load_u64(binary.data + HEADER_ENTRY_AT);
  if (!tn_range_is_inside(binary.size, entry_at, ENTRY_SIZE)) {
    return bad(at, "its entry lies outside", diag);
  }
  const uint8_t *entry = binary.data + entry_at;
  if (tn_load_u16(entry + ENTRY_IMAGE_KIND_AT) != IMAGE_KIND_BITCODE ||
      tn_load_u16(entry + ENTRY_OFFLOAD_KIND_AT) != OFFLOAD_KIND_SYCL) {
    return TN_OK;
  }
  const uint64_t image_at = tn_load_u64(entry + ENTRY_IMAGE_AT);
  const uint64_t image_size = tn_load_u64(entry + ENTRY_IMAGE_SIZE_AT);
  if (!tn_range_is_inside(binary.size, image_at, image_size)) {
    return bad(at, "its image lies outside", diag);
  }
  tn_str checksum = {NULL, 0};
  TN_TRY(read_strings(binary, at, entry, out, &checksum, diag));
  out->image = (tn_bytes){binary.data + image_at, image_size};
  out->is_foreign = !checksum.data && !out->symbols.data;
  TN_TRY(check_checksum(at, out, checksum, diag));
  *out_is_ours = true;
  return TN_OK;
}

// ld -r aligns the sections that it joins as the most demanding of them wants.
static void skip_padding(tn_bytes *rest) {
  static const uint8_t zeros[OFFLOAD_ALIGN] = {0};
  while (rest->size >= OFFLOAD_ALIGN && memcmp(rest->data, zeros, OFFLOAD_ALIGN) == 0) {
    *rest = (tn_bytes){rest->data + OFFLOAD_ALIGN, rest->size - OFFLOAD_ALIGN};
  }
}

tn_status tn_offload_read(tn_bytes bytes, tn_offload_fn fn, void *user, tn_diag *diag) {
  tn_bytes rest = bytes;
  for (skip_padding(&rest); rest.size > 0; skip_padding(&rest)) {
    const size_t at = bytes.size - rest.size;
    tn_bytes binary = {NULL, 0};
    tn_offload_entry entry;
    bool is_ours = false;
    TN_TRY(cut_binary(&rest, at, &binary, diag));
    TN_TRY(read_entry(binary, at, &entry, &is_ours, diag));
    if (is_ours) {
      TN_TRY(fn(user, &entry, diag));
    }
  }
  return TN_OK;
}
