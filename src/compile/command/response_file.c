// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces @file arguments by what the files hold, read as clang reads them on Linux.
#include "base/file.h"
#include "compile/command/command.h"

enum { RESPONSE_MAXIMUM = 64 << 20, RESPONSE_DEPTH = 20 };

// One argument: blanks end it, quotes keep them, a backslash takes the next character as it is.
// NULL at the end of the text, or when there was no memory.
static char *next_token(tn_arena *arena, tn_str *rest) {
  const tn_str blanks = tn_str_trim(*rest);
  if (blanks.size == 0) {
    return NULL;
  }
  const char *at = blanks.data;
  const char *end = rest->data + rest->size;
  char *token = tn_arena_alloc(arena, (size_t)(end - at) + 1);
  size_t size = 0;
  char quote = '\0';
  for (; token && at < end; at++) {
    if (*at == '\\' && quote != '\'' && at + 1 < end) {
      token[size++] = *++at;
    } else if (quote != '\0' ? *at == quote : (*at == '"' || *at == '\'')) {
      quote = quote != '\0' ? '\0' : *at;
    } else if (quote == '\0' && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) {
      break;
    } else {
      token[size++] = *at;
    }
  }
  *rest = tn_str_from_range(at, end);
  return token;
}

static tn_status expand(const char *argument, int depth, tn_args *out, tn_diag *diag);

static tn_status expand_file(const char *path, int depth, tn_args *out, tn_diag *diag) {
  if (depth > RESPONSE_DEPTH) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "@%s: response files name each other in a circle", path);
  }
  char *data = NULL;
  size_t size = 0;
  TN_TRY(tn_file_read(path, RESPONSE_MAXIMUM, &data, &size, diag));
  tn_status status = TN_OK;
  tn_str rest = {data, size};
  for (char *token = next_token(out->arena, &rest); token && status == TN_OK;
       token = next_token(out->arena, &rest)) {
    status = expand(token, depth + 1, out, diag);
  }
  tn_free(data);
  return status;
}

static tn_status expand(const char *argument, int depth, tn_args *out, tn_diag *diag) {
  // A file that is not there leaves the argument as it is: it may be an input of that name.
  if (argument[0] == '@' && argument[1] != '\0' && tn_file_exists(argument + 1)) {
    return expand_file(argument + 1, depth, out, diag);
  }
  tn_args_add(out, argument);
  return out->failed ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the arguments") : TN_OK;
}

tn_status tn_response_expand(int argc, char *const *argv, tn_args *out, tn_diag *diag) {
  for (int i = 1; i < argc; i++) {
    TN_TRY(expand(argv[i], 0, out, diag));
  }
  return TN_OK;
}
