// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the lines of clang's and Tenon's messages, and shows the source that they are about.
#include "compile/driver/message_line.h"

#include <ctype.h>

#include "base/alloc.h"
#include "base/file.h"

enum { SOURCE_MAXIMUM = 64 << 20, TAB = 8 };

// Lines of a source are indented. In a message the kind stands behind the place or begins the line.
tn_message_kind tn_message_kind_of(tn_str line) {
  const struct {
    tn_str mark;
    tn_message_kind kind;
  } marks[] = {{TN_STR_LIT("error: "), TN_MESSAGE_ERROR},
               {TN_STR_LIT("warning: "), TN_MESSAGE_WARNING},
               {TN_STR_LIT("note: "), TN_MESSAGE_NOTE},
               {TN_STR_LIT("remark: "), TN_MESSAGE_REMARK}};
  tn_message_kind kind = TN_MESSAGE_NONE;
  size_t first = SIZE_MAX;
  for (size_t i = 0; i < TN_COUNT(marks) && line.size > 0 && line.data[0] != ' '; i++) {
    const size_t at = tn_str_find(line, marks[i].mark);
    if (at < first) {
      first = at;
      kind = marks[i].kind;
    }
  }
  return kind;
}

tn_str tn_message_place(tn_str line) {
  const tn_str marks[] = {TN_STR_LIT(": error: "), TN_STR_LIT(": fatal error: "),
                          TN_STR_LIT(": warning: "), TN_STR_LIT(": note: "),
                          TN_STR_LIT(": remark: ")};
  size_t end = SIZE_MAX;
  for (size_t i = 0; i < TN_COUNT(marks) && line.size > 0 && line.data[0] != ' '; i++) {
    const size_t at = tn_str_find(line, marks[i]);
    end = at < end ? at : end;
  }
  tn_str file;
  uint64_t number = 0;
  uint64_t column = 0;
  const tn_str place = end == SIZE_MAX ? (tn_str){NULL, 0} : tn_str_slice(line, 0, end + 2);
  return tn_message_read_place(place, &file, &number, &column) ? place : (tn_str){NULL, 0};
}

// Cuts ":12" off the end.
static bool cut_number(tn_str *text, uint64_t *out) {
  size_t at = text->size;
  while (at > 0 && isdigit((unsigned char)text->data[at - 1])) {
    at--;
  }
  if (at < 2 || text->data[at - 1] != ':' ||
      !tn_str_to_u64(tn_str_slice(*text, at, SIZE_MAX), out)) {
    return false;
  }
  *text = tn_str_slice(*text, 0, at - 1);
  return true;
}

bool tn_message_read_place(tn_str place, tn_str *out_file, uint64_t *out_line,
                           uint64_t *out_column) {
  *out_file = place.size >= 2 ? tn_str_slice(place, 0, place.size - 2) : (tn_str){NULL, 0};
  return cut_number(out_file, out_column) && cut_number(out_file, out_line);
}

void tn_message_add_plain(tn_str text, tn_buf *out) {
  size_t begin = 0;
  for (size_t i = 0; i < text.size; i++) {
    if (text.data[i] != '\033') {
      continue;
    }
    tn_buf_add_str(out, tn_str_slice(text, begin, i - begin));
    while (i < text.size && !isalpha((unsigned char)text.data[i])) {
      i++;
    }
    begin = i + 1;
  }
  tn_buf_add_str(out, tn_str_slice(text, begin, SIZE_MAX));
}

// The text with tabs as the columns that they take up to `column`, counted in bytes; the number of
// columns before it.
static size_t add_columns(tn_str text, uint64_t column, tn_buf *out) {
  size_t width = 0;
  size_t before = 0;
  for (size_t i = 0; i < text.size; i++) {
    const bool is_tab = text.data[i] == '\t';
    // Bytes that continue a character of UTF-8 have no column.
    const size_t columns = is_tab ? TAB - width % TAB : (text.data[i] & 0xc0) != 0x80;
    if (is_tab) {
      tn_buf_add_format(out, "%*s", (int)columns, "");
    } else {
      tn_buf_add_char(out, text.data[i]);
    }
    width += columns;
    before = i + 1 < column ? width : before;
  }
  return before;
}

static void add_line(tn_str text, uint64_t line, uint64_t column, tn_buf *out) {
  tn_str rest = text;
  for (uint64_t i = 1; i < line && rest.data; i++) {
    (void)tn_str_split(&rest, '\n');
  }
  if (!rest.data || line == 0 || column == 0) {
    return;
  }
  tn_str shown = tn_str_split(&rest, '\n');
  shown.size -= shown.size > 0 && shown.data[shown.size - 1] == '\r';
  if (column > shown.size) {
    return;
  }
  tn_buf_add_format(out, "%5llu | ", (unsigned long long)line);
  const size_t before = add_columns(shown, column, out);
  tn_buf_add_format(out, "\n      | %*s^\n", (int)before, "");
}

void tn_message_add_source(tn_str file, uint64_t line, uint64_t column, tn_buf *out) {
  char *path = tn_str_copy(file);
  char *data = NULL;
  size_t size = 0;
  if (path && tn_file_read_regular(path, SOURCE_MAXIMUM, &data, &size, NULL) == TN_OK) {
    add_line((tn_str){data, size}, line, column, out);
  }
  tn_free(data);
  tn_free(path);
}

void tn_messages_add_sources(tn_str said, tn_buf *out) {
  tn_str rest = said;
  while (rest.data && rest.size > 0) {
    const tn_str line = tn_str_split(&rest, '\n');
    const tn_str place = tn_message_place(line);
    tn_str file;
    uint64_t number = 0;
    uint64_t column = 0;
    tn_buf_add_str(out, line);
    if (rest.data) {
      tn_buf_add_char(out, '\n');
    }
    if (rest.data && tn_message_read_place(place, &file, &number, &column)) {
      tn_message_add_source(file, number, column, out);
    }
  }
}
