// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a fat binary once and wholly, so that the accessors in fatbin_read.c need not.
// Every part is taken from a budget of the container's size: tables that share bytes, through which
// a small file could cost much time, run out of it.
#include "base/map.h"
#include "image/fatbin_layout.h"

typedef struct checker {
  tn_bytes base;
  uint64_t budget;  // bytes of parts that may still come
  uint64_t spec_end;  // of the last place in the image's buffer of specialization constants
  tn_diag *diag;
} checker;

// What the record at `at` is, for messages.
typedef struct place {
  uint64_t at;
  const char *what;  // "image", "property set", "property"
  uint32_t index;
} place;

static tn_status bad(const checker *c, const place *where, uint64_t field_at, const char *problem) {
  return TN_FAIL(c->diag, BAD_IMAGE,
                 "the fat binary is damaged: %s %u: %s (at offset %llu of %zu); build it again",
                 where->what, where->index, problem, (unsigned long long)(where->at + field_at),
                 c->base.size);
}

static const uint8_t *field(const checker *c, const place *where, uint64_t field_at) {
  return c->base.data + where->at + field_at;
}

static tn_status check_range(checker *c, const place *where, uint64_t field_at, uint64_t offset,
                             uint64_t size, uint64_t alignment) {
  if (!tn_range_is_inside(c->base.size, offset, size)) {
    return bad(c, where, field_at, "refers to bytes outside the fat binary");
  }
  if (offset % alignment != 0) {
    return bad(c, where, field_at, "refers to a position that is not aligned");
  }
  if (size > c->budget) {
    return bad(c, where, field_at, "shares bytes with other parts");
  }
  c->budget -= size;
  return TN_OK;
}

static tn_status check_table(checker *c, const place *where, uint64_t offset_at, uint64_t count_at,
                             uint64_t record_size) {
  // A 32-bit count times a small record size cannot overflow 64 bits.
  const uint64_t size = tn_load_u32(field(c, where, count_at)) * record_size;
  return check_range(c, where, offset_at, tn_load_u64(field(c, where, offset_at)), size,
                     TN_FATBIN_TABLE_ALIGN);
}

static tn_status check_text(checker *c, const place *where, uint64_t field_at, bool may_be_empty,
                            tn_str *out) {
  const uint8_t *ref = field(c, where, field_at);
  const uint64_t size = tn_load_u64(ref + 8);
  if (size >= c->base.size) {
    return bad(c, where, field_at, "refers to bytes outside the fat binary");
  }
  TN_TRY(check_range(c, where, field_at, tn_load_u64(ref), size + 1, 1));
  const tn_str text = tn_fatbin_text_at(c->base, ref);
  if (memchr(text.data, 0, size + 1) != text.data + size) {
    return bad(c, where, field_at, "has a text without its NUL or with one inside");
  }
  if (size == 0 && !may_be_empty) {
    return bad(c, where, field_at, "has an empty name");
  }
  *out = text;
  return TN_OK;
}

typedef enum record_kind {
  RECORD_ANY,
  RECORD_KERNEL,
  RECORD_SYMBOL,
  RECORD_SPEC,
  RECORD_GLOBAL
} record_kind;

static record_kind kind_of_set(tn_str name) {
  if (tn_str_equals(name, TN_STR_LIT(TN_PROPS_KERNELS))) {
    return RECORD_KERNEL;
  }
  if (tn_str_equals(name, TN_STR_LIT(TN_PROPS_IMPORTED)) ||
      tn_str_equals(name, TN_STR_LIT(TN_PROPS_EXPORTED))) {
    return RECORD_SYMBOL;
  }
  if (tn_str_equals(name, TN_STR_LIT(TN_PROPS_SPECS))) {
    return RECORD_SPEC;
  }
  if (tn_str_equals(name, TN_STR_LIT(TN_PROPS_GLOBALS))) {
    return RECORD_GLOBAL;
  }
  return RECORD_ANY;
}

static tn_status check_value(checker *c, const place *where, record_kind kind) {
  const uint8_t *ref = field(c, where, TN_PROP_BYTES_AT);
  const uint32_t type = tn_load_u32(field(c, where, TN_PROP_TYPE_AT));
  if (type == TN_PROP_U32 && kind == RECORD_ANY) {
    return tn_load_u64(ref) == 0 && tn_load_u64(ref + 8) == 0
               ? TN_OK
               : bad(c, where, TN_PROP_BYTES_AT, "is a number but has bytes");
  }
  if (type != TN_PROP_BYTES) {
    return bad(c, where, TN_PROP_TYPE_AT, "is of a type that does not belong there");
  }
  if (tn_load_u32(field(c, where, TN_PROP_U32_AT)) != 0) {
    return bad(c, where, TN_PROP_U32_AT, "is of bytes but has a number");
  }
  TN_TRY(check_range(c, where, TN_PROP_BYTES_AT, tn_load_u64(ref), tn_load_u64(ref + 8), 1));
  const tn_bytes bytes = tn_fatbin_bytes_at(c->base, ref);
  tn_kernel_info kernel;
  tn_symbol_info symbol;
  tn_spec_info spec;
  tn_global_info global;
  if (kind == RECORD_SPEC) {
    if (!tn_spec_record_decode(bytes, &spec)) {
      return bad(c, where, TN_PROP_BYTES_AT,
                 "has a specialization constant's record that does not decode");
    }
    const uint64_t end = (uint64_t)spec.offset + spec.size;
    c->spec_end = end > c->spec_end ? end : c->spec_end;
  }
  if (kind == RECORD_KERNEL && !tn_kernel_record_decode(bytes, &kernel)) {
    return bad(c, where, TN_PROP_BYTES_AT, "has a kernel record that does not decode");
  }
  if (kind == RECORD_SYMBOL && !tn_symbol_record_decode(bytes, &symbol)) {
    return bad(c, where, TN_PROP_BYTES_AT, "has a symbol record that does not decode");
  }
  if (kind == RECORD_GLOBAL && !tn_global_record_decode(bytes, &global)) {
    return bad(c, where, TN_PROP_BYTES_AT, "has a device global's record that does not decode");
  }
  return TN_OK;
}

// Names within a table ascend and differ: look-ups search by halves.
static tn_status check_order(const checker *c, const place *where, tn_str before, tn_str name) {
  return where->index == 0 || tn_str_compare(before, name) < 0
             ? TN_OK
             : bad(c, where, 0, "is out of order or is there twice");
}

static tn_status check_set(checker *c, const place *where, tn_str name) {
  if (tn_load_u32(field(c, where, TN_SET_RESERVED_AT)) != 0) {
    return bad(c, where, TN_SET_RESERVED_AT, "has a reserved field that is not 0");
  }
  TN_TRY(check_table(c, where, TN_SET_PROPS_AT, TN_SET_COUNT_AT, TN_PROP_SIZE));
  const record_kind kind = kind_of_set(name);
  const uint64_t props_at = tn_load_u64(field(c, where, TN_SET_PROPS_AT));
  const uint32_t count = tn_load_u32(field(c, where, TN_SET_COUNT_AT));
  tn_str before = {NULL, 0};
  for (uint32_t i = 0; i < count; i++) {
    const place prop = {props_at + (uint64_t)i * TN_PROP_SIZE, "property", i};
    tn_str prop_name = {NULL, 0};
    TN_TRY(check_text(c, &prop, TN_PROP_NAME_AT, false, &prop_name));
    TN_TRY(check_order(c, &prop, before, prop_name));
    TN_TRY(check_value(c, &prop, kind));
    before = prop_name;
  }
  return TN_OK;
}

static tn_status check_image(checker *c, const place *where) {
  tn_str text = {NULL, 0};
  TN_TRY(check_text(c, where, TN_IMAGE_TARGET_AT, false, &text));
  TN_TRY(check_text(c, where, TN_IMAGE_TRIPLE_AT, true, &text));
  const uint8_t *code = field(c, where, TN_IMAGE_CODE_AT);
  TN_TRY(check_range(c, where, TN_IMAGE_CODE_AT, tn_load_u64(code), tn_load_u64(code + 8),
                     TN_FATBIN_CODE_ALIGN));
  if (tn_load_u32(field(c, where, TN_IMAGE_FORMAT_AT)) == TN_IMAGE_FORMAT_NONE) {
    return bad(c, where, TN_IMAGE_FORMAT_AT, "has no format");
  }
  TN_TRY(check_table(c, where, TN_IMAGE_SETS_AT, TN_IMAGE_SET_COUNT_AT, TN_SET_SIZE));
  const uint64_t sets_at = tn_load_u64(field(c, where, TN_IMAGE_SETS_AT));
  const uint32_t count = tn_load_u32(field(c, where, TN_IMAGE_SET_COUNT_AT));
  tn_str before = {NULL, 0};
  for (uint32_t i = 0; i < count; i++) {
    const place set = {sets_at + (uint64_t)i * TN_SET_SIZE, "property set", i};
    tn_str name = {NULL, 0};
    TN_TRY(check_text(c, &set, TN_SET_NAME_AT, false, &name));
    TN_TRY(check_order(c, &set, before, name));
    TN_TRY(check_set(c, &set, name));
    before = name;
  }
  return TN_OK;
}

// What fatbin_read.c would find, with the image's tables checked.
static tn_status check_specs(checker *c, const place *where) {
  const tn_fatbin fatbin = {c->base, where->index + 1};
  const tn_image image = tn_fatbin_image_at(&fatbin, where->index);
  const uint64_t end = c->spec_end;
  c->spec_end = 0;
  return end <= tn_image_spec_defaults(&image).size
             ? TN_OK
             : bad(c, where, TN_IMAGE_SETS_AT,
                   "has specialization constants outside the buffer of their default values");
}

uint64_t tn_fatbin_checksum(tn_bytes container) {
  const uint64_t seed = tn_hash_bytes(container.data, TN_HEADER_CHECKSUM_AT, TN_FATBIN_VERSION);
  return tn_hash_bytes(container.data + TN_HEADER_CHECKSUM_END,
                       container.size - TN_HEADER_CHECKSUM_END, seed);
}

static tn_status check_header(tn_bytes bytes, tn_diag *diag) {
  if (bytes.size < TN_HEADER_SIZE) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "the fat binary is truncated: %zu bytes, its header alone has %d", bytes.size,
                   (int)TN_HEADER_SIZE);
  }
  if (memcmp(bytes.data, TN_FATBIN_MAGIC, 4) != 0) {
    return TN_FAIL(diag, BAD_IMAGE, "not a fat binary: it does not begin with " TN_FATBIN_MAGIC);
  }
  const uint32_t version = tn_load_u32(bytes.data + TN_HEADER_VERSION_AT);
  if (version != TN_FATBIN_VERSION) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "the fat binary is of format version %u, this Tenon reads version %d; build it "
                   "with the same version of Tenon",
                   version, (int)TN_FATBIN_VERSION);
  }
  const uint64_t size = tn_load_u64(bytes.data + TN_HEADER_SIZE_AT);
  if (size != bytes.size) {
    return TN_FAIL(diag, BAD_IMAGE, "the fat binary is %s: %zu bytes where its header says %llu",
                   size > bytes.size ? "truncated" : "damaged", bytes.size,
                   (unsigned long long)size);
  }
  return TN_OK;
}

// Code that is damaged must not reach those who trust it: LLVM's reader of bitcode may crash.
static tn_status check_contents(tn_bytes bytes, tn_diag *diag) {
  if (tn_load_u64(bytes.data + TN_HEADER_CHECKSUM_AT) != tn_fatbin_checksum(bytes)) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "the device image's checksum does not fit: the file is damaged; build it again");
  }
  return TN_OK;
}

tn_status tn_fatbin_parse(tn_bytes bytes, tn_fatbin *out, tn_diag *diag) {
  *out = (tn_fatbin){{NULL, 0}, 0};
  TN_TRY(check_header(bytes, diag));
  TN_TRY(check_contents(bytes, diag));
  return tn_fatbin_parse_tables(bytes, out, diag);
}

tn_status tn_fatbin_parse_tables(tn_bytes bytes, tn_fatbin *out, tn_diag *diag) {
  *out = (tn_fatbin){{NULL, 0}, 0};
  TN_TRY(check_header(bytes, diag));
  checker c = {.base = bytes, .budget = bytes.size - TN_HEADER_SIZE, .diag = diag};
  const place header = {0, "header", 0};
  if (tn_load_u32(bytes.data + TN_HEADER_RESERVED_AT) != 0) {
    return bad(&c, &header, TN_HEADER_RESERVED_AT, "has a reserved field that is not 0");
  }
  if (tn_load_u64(bytes.data + TN_HEADER_RESERVED_2_AT) != 0) {
    return bad(&c, &header, TN_HEADER_RESERVED_2_AT, "has a reserved field that is not 0");
  }
  TN_TRY(check_table(&c, &header, TN_HEADER_IMAGES_AT, TN_HEADER_COUNT_AT, TN_IMAGE_SIZE));
  const uint64_t images_at = tn_load_u64(bytes.data + TN_HEADER_IMAGES_AT);
  const uint32_t count = tn_load_u32(bytes.data + TN_HEADER_COUNT_AT);
  for (uint32_t i = 0; i < count; i++) {
    const place image = {images_at + (uint64_t)i * TN_IMAGE_SIZE, "image", i};
    TN_TRY(check_image(&c, &image));
    TN_TRY(check_specs(&c, &image));
  }
  *out = (tn_fatbin){bytes, count};
  return TN_OK;
}
