// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a build says: Clang's messages by the caller's names, and the first error in one sentence.
#include "rtc/source_compile.h"

void tn_source_add_messages(tn_str text, tn_buf *log) {
  const tn_str folder = TN_STR_LIT(TN_SOURCE_FOLDER);
  for (;;) {
    const size_t at = tn_str_find(text, folder);
    tn_buf_add_str(log, tn_str_slice(text, 0, at));
    if (at == SIZE_MAX) {
      return;
    }
    text = tn_str_slice(text, at + folder.size, SIZE_MAX);
  }
}

// What an error says, without where it is; empty when the line is none.
static tn_str error_text(tn_str line) {
  static const char *const words[] = {": error: ", ": fatal error: "};
  if (tn_str_has_prefix(line, TN_STR_LIT("error: "))) {
    return tn_str_slice(line, sizeof("error: ") - 1, SIZE_MAX);
  }
  for (size_t i = 0; i < TN_COUNT(words); i++) {
    const size_t at = tn_str_find(line, tn_str_from(words[i]));
    const size_t warning = tn_str_find(line, TN_STR_LIT(": warning: "));
    if (at != SIZE_MAX && at < warning) {
      return tn_str_slice(line, at + strlen(words[i]), SIZE_MAX);
    }
  }
  return (tn_str){0};
}

// "kernel 'f'" or "registered name "f"" of the note that leads from an error to the source's end.
static tn_str origin_of(tn_str rest) {
  static const char *const heads[] = {"kernel '", "registered name \""};
  static const char *const tails[] = {"':", "\":"};
  while (rest.size > 0) {
    const tn_str line = tn_str_split(&rest, '\n');
    if (error_text(line).size > 0) {
      break;
    }
    for (size_t i = 0; i < TN_COUNT(heads); i++) {
      const size_t end = tn_str_find(line, tn_str_from(tails[i]));
      if (tn_str_has_prefix(line, tn_str_from(heads[i])) && end != SIZE_MAX) {
        return tn_str_slice(line, 0, end + 1);
      }
    }
  }
  return (tn_str){0};
}

// The sentence of a static_assert alone.
static tn_str without_requirement(tn_str text) {
  const size_t end = tn_str_find(text, TN_STR_LIT("': "));
  return tn_str_has_prefix(text, TN_STR_LIT("static assertion failed")) && end != SIZE_MAX
             ? tn_str_slice(text, end + 3, SIZE_MAX)
             : text;
}

void tn_source_tell_error(tn_str log, tn_diag *diag) {
  while (log.size > 0) {
    const tn_str line = tn_str_split(&log, '\n');
    const tn_str text = error_text(line);
    if (text.size == 0) {
      continue;
    }
    const bool is_ours = tn_str_has_prefix(line, TN_STR_LIT("/tenon/")) ||
                         tn_str_has_prefix(line, TN_STR_LIT("end of the source:"));
    const tn_str origin = is_ours ? origin_of(log) : (tn_str){0};
    if (origin.size > 0) {
      const tn_str said = without_requirement(text);
      TN_IGNORE(TN_FAIL(diag, BUILD_FAILED, "%.*s: %.*s", TN_STR_ARG(origin), TN_STR_ARG(said)),
                "it is known to have failed");
    } else {
      TN_IGNORE(TN_FAIL(diag, BUILD_FAILED, "%.*s", TN_STR_ARG(line)),
                "it is known to have failed");
    }
    return;
  }
}
