// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to the driver: the lines of compilers' messages, and what Tenon makes of them.
#ifndef TN_COMPILE_DRIVER_MESSAGE_LINE_H
#define TN_COMPILE_DRIVER_MESSAGE_LINE_H

#include "base/arena.h"
#include "base/buf.h"

typedef enum tn_message_kind {
  TN_MESSAGE_NONE,  // a line of a source, or of anything else
  TN_MESSAGE_ERROR,
  TN_MESSAGE_WARNING,
  TN_MESSAGE_NOTE,
  TN_MESSAGE_REMARK,
} tn_message_kind;

// Of a line without colors: "a.cpp:3:7: error: …", "error: …".
tn_message_kind tn_message_kind_of(tn_str line);
// "a.cpp:3:7: " of such a line; empty when it names no column.
tn_str tn_message_place(tn_str line);
// "a.cpp", 3 and 7 of a place; false when it is none.
bool tn_message_read_place(tn_str place, tn_str *out_file, uint64_t *out_line,
                           uint64_t *out_column);
// Appends the text without the terminal's escape sequences.
void tn_message_add_plain(tn_str text, tn_buf *out);

// Appends the line of the source and a caret under the column, as clang does; nothing when the file
// or the line is not there.
void tn_message_add_source(tn_str file, uint64_t line, uint64_t column, tn_buf *out);
// Appends Tenon's messages, each that names a column with its line of the source.
void tn_messages_add_sources(tn_str said, tn_buf *out);
// Appends a pass's messages; the error about a kernel name that is used for two functions becomes
// one of the user's source.
void tn_messages_add_named_kernels(tn_str said, tn_buf *out);

#endif
