// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts failures into words: a fixed-size diagnosis that costs no memory.
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Texts are made aside and copied: the arguments may quote the diagnosis that is being replaced.
static void text_cut(char text[TN_DIAG_TEXT_SIZE], int needed) {
  static const char mark[] = "...";
  if (needed < 0) {
    text[0] = '\0';
  } else if ((size_t)needed >= TN_DIAG_TEXT_SIZE) {
    memcpy(text + TN_DIAG_TEXT_SIZE - sizeof(mark), mark, sizeof(mark));
  }
}

tn_status tn_diag_set(tn_diag *diag, tn_status code, int32_t native, const char *file, int line,
                      const char *format, ...) {
  if (!diag) {
    return code;
  }
  char text[TN_DIAG_TEXT_SIZE];
  va_list args;
  va_start(args, format);
  const int needed = vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  text_cut(text, needed);
  diag->code = (int32_t)code;
  diag->native_code = native;
  diag->line = (uint32_t)line;
  diag->reserved = 0;
  diag->file = file;
  memcpy(diag->text, text, strlen(text) + 1);
  return code;
}

void tn_diag_prepend(tn_diag *diag, const char *format, ...) {
  if (!diag) {
    return;
  }
  char prefix[TN_DIAG_TEXT_SIZE];
  va_list args;
  va_start(args, format);
  const int prefix_needed = vsnprintf(prefix, sizeof(prefix), format, args);
  va_end(args);
  text_cut(prefix, prefix_needed);

  char text[TN_DIAG_TEXT_SIZE];
  const int needed = snprintf(text, sizeof(text), "%s: %s", prefix, diag->text);
  text_cut(text, needed);
  memcpy(diag->text, text, strlen(text) + 1);
}
