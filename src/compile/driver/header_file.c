// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes the file of a user's precompiled header. Clang trusts what it reads of one, so
// nothing is taken from a file that is not whole.
#include "compile/driver/header_file.h"

#include "base/map.h"
#include "image/image.h"
#include "image/image_bytes.h"

// Clang's driver takes a file NAME.gch beside a header only when it begins with CPCH.
#define CLANG_MAGIC "CPCH"
#define MAGIC_HEAD "CPCHtenon.pch."
#define MAGIC MAGIC_HEAD "1\n"
#define HOST_TRIPLE "host"
enum {
  MAGIC_SIZE = 16,
  SIZE_AT = MAGIC_SIZE,
  UNIT_ID_AT = SIZE_AT + 8,
  FLAGS_AT = UNIT_ID_AT + 8,
  COUNT_AT = FLAGS_AT + 4,
  TOOLCHAIN_AT = COUNT_AT + 4,
  CHECKSUM_AT = TOOLCHAIN_AT + TN_HEADER_TOOLCHAIN_SIZE,
  PARTS_AT = CHECKSUM_AT + 8,
};
enum { FLAG_NO_RDC = 1 };
_Static_assert(sizeof(MAGIC) - 1 == MAGIC_SIZE, "the magic fills its field");

tn_status tn_header_file_write(const tn_header_file *file, tn_buf *out, tn_diag *diag) {
  tn_offload_entry entries[TN_HEADER_PARTS];
  for (size_t i = 0; i < file->part_count; i++) {
    const tn_header_part *part = &file->parts[i];
    entries[i] = (tn_offload_entry){
        .triple = part->triple.size > 0 ? part->triple : TN_STR_LIT(HOST_TRIPLE),
        .arch = part->target,
        .image = part->header};
  }
  uint8_t head[PARTS_AT] = {0};
  tn_buf_add(out, head, sizeof(head));
  TN_TRY(tn_offload_write(entries, file->part_count, out, diag));
  memcpy(head, MAGIC, MAGIC_SIZE);
  tn_store_u64(head + SIZE_AT, out->size);
  tn_store_u64(head + UNIT_ID_AT, file->unit_id);
  tn_store_u32(head + FLAGS_AT, file->is_no_rdc ? FLAG_NO_RDC : 0);
  tn_store_u32(head + COUNT_AT, (uint32_t)file->part_count);
  memcpy(head + TOOLCHAIN_AT, file->toolchain, TN_HEADER_TOOLCHAIN_SIZE);
  tn_store_u64(head + CHECKSUM_AT, tn_hash_bytes(head, CHECKSUM_AT, 0));
  memcpy(out->data, head, sizeof(head));
  return TN_OK;
}

bool tn_header_file_is(tn_bytes head) {
  return head.size >= sizeof(MAGIC_HEAD) - 1 &&
         memcmp(head.data, MAGIC_HEAD, sizeof(MAGIC_HEAD) - 1) == 0;
}

static tn_status damaged(const char *path, tn_diag *diag) {
  return TN_FAIL(diag, BAD_IMAGE, "'%s' is truncated or damaged; precompile the header again",
                 path);
}

static tn_status check_head(tn_bytes bytes, const char *path, const uint8_t *toolchain,
                            tn_diag *diag) {
  if (!tn_header_file_is(bytes)) {
    const bool is_clangs =
        bytes.size >= 4 && memcmp(bytes.data, CLANG_MAGIC, sizeof(CLANG_MAGIC) - 1) == 0;
    return is_clangs ? TN_FAIL(diag, BAD_IMAGE,
                               "'%s' was made without -fsycl; precompile the header with -fsycl",
                               path)
                     : TN_FAIL(diag, BAD_IMAGE, "'%s' is not a precompiled header", path);
  }
  if (bytes.size < PARTS_AT) {
    return damaged(path, diag);
  }
  const bool is_this_version =
      memcmp(bytes.data, MAGIC, MAGIC_SIZE) == 0 &&
      memcmp(bytes.data + TOOLCHAIN_AT, toolchain, TN_HEADER_TOOLCHAIN_SIZE) == 0;
  if (memcmp(bytes.data, MAGIC, MAGIC_SIZE) == 0 &&
      (tn_load_u64(bytes.data + CHECKSUM_AT) != tn_hash_bytes(bytes.data, CHECKSUM_AT, 0) ||
       tn_load_u64(bytes.data + SIZE_AT) != bytes.size)) {
    return damaged(path, diag);
  }
  return is_this_version
             ? TN_OK
             : TN_FAIL(diag, BAD_IMAGE,
                       "'%s' was made by another version of Tenon; precompile the header again",
                       path);
}

static tn_status add_part(void *user, const tn_offload_entry *entry, tn_diag *diag) {
  tn_header_file *file = user;
  if (file->part_count == TN_HEADER_PARTS || entry->is_foreign) {  // each has a checksum
    return TN_FAIL(diag, BAD_IMAGE, "a part that was not written");
  }
  file->parts[file->part_count++] = (tn_header_part){
      .target = entry->arch, .triple = entry->triple, .header = entry->image};
  return TN_OK;
}

tn_status tn_header_file_read(tn_bytes bytes, const char *path,
                              const uint8_t toolchain[TN_HEADER_TOOLCHAIN_SIZE],
                              tn_header_file *out, tn_diag *diag) {
  *out = (tn_header_file){0};
  TN_TRY(check_head(bytes, path, toolchain, diag));
  out->unit_id = tn_load_u64(bytes.data + UNIT_ID_AT);
  out->is_no_rdc = (tn_load_u32(bytes.data + FLAGS_AT) & FLAG_NO_RDC) != 0;
  memcpy(out->toolchain, toolchain, TN_HEADER_TOOLCHAIN_SIZE);
  const tn_bytes parts = tn_bytes_from(bytes.data + PARTS_AT, bytes.size - PARTS_AT);
  tn_diag ignored;  // of an offload binary, which to the user is an object
  const bool is_whole = tn_offload_read(parts, add_part, out, &ignored) == TN_OK &&
                        out->part_count == tn_load_u32(bytes.data + COUNT_AT);
  return is_whole ? TN_OK : damaged(path, diag);
}
