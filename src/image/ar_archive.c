// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of ar archives as GNU ar and llvm-ar write them, plain, thin and of the BSD kind: GNU's
// names over 15 characters stand in a table that is a member itself, "//", BSD's before the
// contents.
#include "image/image.h"
#include "image/image_bytes.h"

#define AR_MAGIC "!<arch>\n"
#define AR_THIN_MAGIC "!<thin>\n"
enum {
  AR_MAGIC_SIZE = 8,
  AR_NAME_SIZE = 16,
  AR_SIZE_AT = 48,
  AR_SIZE_SIZE = 10,
  AR_END_AT = 58,
  AR_HEADER_SIZE = 60
};

enum { MOST_LEADING_TABLES = 4, LONGEST_NAME = 64 * 1024 };

typedef struct member {
  tn_str field;  // the name as it stands in the header, without spaces at its end
  tn_bytes contents;
  size_t next;  // offset of the next header
} member;

static bool is_thin(tn_bytes archive) {
  return archive.size >= AR_MAGIC_SIZE && memcmp(archive.data, AR_THIN_MAGIC, AR_MAGIC_SIZE) == 0;
}

static bool is_symbol_table(tn_str field) {
  return tn_str_equals(field, TN_STR_LIT("/")) || tn_str_equals(field, TN_STR_LIT("/SYM64/"));
}

static bool is_name_table(tn_str field) { return tn_str_equals(field, TN_STR_LIT("//")); }

static bool is_special(tn_str field) { return is_symbol_table(field) || is_name_table(field); }

static tn_status bad(size_t at, const char *problem, tn_diag *diag) {
  return TN_FAIL(diag, BAD_IMAGE,
                 "the archive is damaged: the member at offset %zu %s; make it again", at, problem);
}

// Spaces may follow the digits.
static bool decimal(tn_str s, uint64_t *out) {
  s = tn_str_trim(s);
  return tn_str_find_char(s, 'x') == SIZE_MAX && tn_str_find_char(s, 'X') == SIZE_MAX &&
         tn_str_to_u64(s, out);
}

static tn_status read_member(tn_bytes archive, size_t at, member *out, tn_diag *diag) {
  if (!tn_range_is_inside(archive.size, at, AR_HEADER_SIZE)) {
    return bad(at, "has a truncated header", diag);
  }
  const char *header = (const char *)archive.data + at;
  if (header[AR_END_AT] != '`' || header[AR_END_AT + 1] != '\n') {
    return bad(at, "has a header that does not end as it must", diag);
  }
  uint64_t size = 0;
  if (!decimal((tn_str){header + AR_SIZE_AT, AR_SIZE_SIZE}, &size)) {
    return bad(at, "has a size that is no number", diag);
  }
  out->field = (tn_str){header, AR_NAME_SIZE};
  while (out->field.size > 0 && out->field.data[out->field.size - 1] == ' ') {
    out->field.size--;
  }
  if (is_thin(archive) && !is_special(out->field)) {
    size = 0;
  }
  const size_t contents_at = at + AR_HEADER_SIZE;
  if (!tn_range_is_inside(archive.size, contents_at, size)) {
    return bad(at, "is longer than the archive; the file is truncated", diag);
  }
  out->contents = (tn_bytes){archive.data + contents_at, size};
  // Members begin at even offsets; the last one's padding may be missing.
  out->next = contents_at + size + (size & 1);
  return TN_OK;
}

// The table of long names stands before all members that need it, behind one or two symbol tables;
// a file that has more of them would cost this search for each member.
static tn_status find_name_table(tn_bytes archive, tn_bytes *out, tn_diag *diag) {
  *out = (tn_bytes){NULL, 0};
  member m;
  size_t at = AR_MAGIC_SIZE;
  for (int i = 0; i < MOST_LEADING_TABLES && at < archive.size; i++, at = m.next) {
    TN_TRY(read_member(archive, at, &m, diag));
    if (is_name_table(m.field)) {
      *out = m.contents;
      return TN_OK;
    }
    if (!is_symbol_table(m.field)) {
      return TN_OK;
    }
  }
  return TN_OK;
}

// The digits of "/<place>", and behind a colon those of a place in an archive that is a member of a
// thin one.
static tn_status long_name(tn_bytes archive, size_t at, tn_str digits, tn_archive_member *out,
                           tn_diag *diag) {
  uint64_t name_at = 0;
  tn_bytes table = {NULL, 0};
  TN_TRY(find_name_table(archive, &table, diag));
  const size_t colon = out->is_file ? tn_str_find_char(digits, ':') : SIZE_MAX;
  if (colon != SIZE_MAX && (!decimal(tn_str_slice(digits, colon + 1, SIZE_MAX), &out->nested_at) ||
                            out->nested_at < AR_MAGIC_SIZE)) {
    return bad(at, "lies at no place of an archive", diag);
  }
  if (!decimal(tn_str_slice(digits, 0, colon), &name_at) || name_at >= table.size) {
    return bad(at, "has a name outside the table of names", diag);
  }
  const tn_str rest =
      tn_str_slice((tn_str){(const char *)table.data, table.size}, name_at, LONGEST_NAME);
  const size_t end = tn_str_find_char(rest, '\n');
  if (end == SIZE_MAX || end < 2 || rest.data[end - 1] != '/') {
    return bad(at, "has a name that does not end in the table of names", diag);
  }
  out->name = (tn_str){rest.data, end - 1};
  return TN_OK;
}

// "#1/<size>": the name stands before the contents, with NULs behind it.
static tn_status bsd_name(size_t at, tn_str digits, tn_archive_member *out, tn_diag *diag) {
  uint64_t size = 0;
  if (out->is_file || !decimal(digits, &size) || size > out->contents.size) {
    return bad(at, "has a name that is longer than the member", diag);
  }
  out->name = (tn_str){(const char *)out->contents.data, size};
  out->name = tn_str_slice(out->name, 0, tn_str_find_char(out->name, '\0'));
  out->contents = tn_bytes_from(out->contents.data + size, out->contents.size - size);
  return TN_OK;
}

static tn_status member_name(tn_bytes archive, size_t at, tn_str field, tn_archive_member *out,
                             tn_diag *diag) {
  if (tn_str_has_prefix(field, TN_STR_LIT("#1/"))) {
    TN_TRY(bsd_name(at, tn_str_slice(field, 3, field.size), out, diag));
  } else if (field.size > 1 && field.data[0] == '/') {
    TN_TRY(long_name(archive, at, tn_str_slice(field, 1, field.size), out, diag));
  } else {
    out->name = field;
    if (tn_str_has_suffix(field, TN_STR_LIT("/"))) {
      out->name.size--;
    }
  }
  return out->name.size > 0 ? TN_OK : bad(at, "has no name", diag);
}

static tn_status check_magic(tn_bytes archive, tn_diag *diag) {
  if (!is_thin(archive) &&
      (archive.size < AR_MAGIC_SIZE || memcmp(archive.data, AR_MAGIC, AR_MAGIC_SIZE) != 0)) {
    return TN_FAIL(diag, BAD_IMAGE, "not an ar archive");
  }
  return TN_OK;
}

static tn_status read_at(tn_bytes archive, size_t at, const member *m, tn_archive_member *out,
                         tn_diag *diag) {
  *out = (tn_archive_member){.contents = m->contents, .at = at, .is_file = is_thin(archive)};
  return member_name(archive, at, m->field, out, diag);
}

tn_status tn_archive_walk(tn_bytes archive, size_t *cursor, bool *out_done, tn_archive_member *out,
                          tn_diag *diag) {
  *out_done = false;
  *out = (tn_archive_member){.at = 0};
  TN_TRY(check_magic(archive, diag));
  size_t at = *cursor != 0 ? *cursor : AR_MAGIC_SIZE;
  while (at < archive.size) {
    member m;
    TN_TRY(read_member(archive, at, &m, diag));
    if (!is_special(m.field)) {
      tn_archive_member found;
      TN_TRY(read_at(archive, at, &m, &found, diag));
      if (!tn_str_has_prefix(found.name, TN_STR_LIT("__.SYMDEF"))) {
        *out = found;
        *cursor = m.next;
        return TN_OK;
      }
    }
    at = m.next;
  }
  *cursor = at;
  *out_done = true;
  return TN_OK;
}

tn_status tn_archive_at(tn_bytes archive, uint64_t at, tn_archive_member *out, tn_diag *diag) {
  *out = (tn_archive_member){.at = 0};
  TN_TRY(check_magic(archive, diag));
  member m;
  TN_TRY(at <= archive.size ? read_member(archive, (size_t)at, &m, diag)
                            : bad(archive.size, "lies behind the end", diag));
  return is_special(m.field) ? bad((size_t)at, "is no file", diag)
                             : read_at(archive, (size_t)at, &m, out, diag);
}

tn_status tn_archive_next(tn_bytes archive, size_t *cursor, bool *out_done, tn_str *out_name,
                          tn_bytes *out_contents, tn_diag *diag) {
  *out_done = false;
  *out_name = (tn_str){NULL, 0};
  *out_contents = (tn_bytes){NULL, 0};
  if (is_thin(archive)) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "the archive is a thin one, its members are files of their own; name these "
                   "files, or make it again without ar's T");
  }
  tn_archive_member found;
  TN_TRY(tn_archive_walk(archive, cursor, out_done, &found, diag));
  *out_name = found.name;
  *out_contents = found.contents;
  return TN_OK;
}

static uint64_t load_big(const uint8_t *p, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; i++) {
    value = value << 8 | p[i];
  }
  return value;
}

tn_status tn_archive_symbols(tn_bytes archive, bool *out_found, tn_str *out_names, tn_diag *diag) {
  *out_found = false;
  *out_names = (tn_str){NULL, 0};
  TN_TRY(check_magic(archive, diag));
  if (archive.size <= AR_MAGIC_SIZE) {
    return TN_OK;
  }
  member m;
  TN_TRY(read_member(archive, AR_MAGIC_SIZE, &m, diag));
  if (!is_symbol_table(m.field)) {
    return TN_OK;
  }
  const size_t word = m.field.size == 1 ? sizeof(uint32_t) : sizeof(uint64_t);
  const uint64_t count = m.contents.size < word ? 0 : load_big(m.contents.data, word);
  if (count > 0 && (count >= m.contents.size / word)) {
    return bad(AR_MAGIC_SIZE, "is a table of more symbols than it has room for", diag);
  }
  const size_t names_at = m.contents.size < word ? m.contents.size : (size_t)(count + 1) * word;
  *out_names = (tn_str){(const char *)m.contents.data + names_at, m.contents.size - names_at};
  *out_found = true;
  return TN_OK;
}
