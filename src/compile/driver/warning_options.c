// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -w, -Werror, -Wno-error, -Wno-x, -Werror=x and -Wno-error=x for Tenon's own warnings of device
// code, as clang reads them for its own: in their order, and -w above all.
#include "compile/driver/plan.h"

// Warnings that clang has a group for. Others are governed by -w and -Werror alone.
static const struct {
  const char *text;
  const char *group;
} groups[] = {
    {"has other code in", "odr"},
    {"bytes of stack, and the CPU's threads have", "frame-larger-than"},
};

typedef enum severity { IGNORED, WARNING, ERROR } severity;

static const char *group_of(tn_str line) {
  for (size_t i = 0; i < TN_COUNT(groups); i++) {
    if (tn_str_find(line, tn_str_from(groups[i].text)) != SIZE_MAX) {
      return groups[i].group;
    }
  }
  return NULL;
}

// Whether `text` is `head` and the group; always false without a group.
static bool names(const char *text, const char *head, const char *group) {
  const size_t size = strlen(head);
  return group && strncmp(text, head, size) == 0 && strcmp(text + size, group) == 0;
}

static severity severity_of(const tn_command *command, const char *group) {
  severity mapped = WARNING;
  bool are_errors = false;
  bool stays_warning = false;
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    const char *text = arg->text;
    if (arg->input != TN_INPUT_NONE) {
      continue;
    }
    if (strcmp(text, "-w") == 0) {
      return IGNORED;
    }
    if (strcmp(text, "-Werror") == 0 || strcmp(text, "-Wno-error") == 0) {
      are_errors = text[2] == 'e';
    } else if (names(text, "-Wno-error=", group)) {
      stays_warning = true;
      mapped = mapped == ERROR ? WARNING : mapped;
    } else if (names(text, "-Werror=", group)) {
      stays_warning = false;
      mapped = ERROR;
    } else if (names(text, "-Wno-", group)) {
      mapped = IGNORED;
    } else if (names(text, "-W", group)) {
      mapped = mapped == IGNORED ? WARNING : mapped;
    }
  }
  return mapped == WARNING && are_errors && !stays_warning ? ERROR : mapped;
}

// Where the line says `kind`; SIZE_MAX for others, such as lines of a source, which are indented.
static size_t find_head(tn_str line, tn_str kind) {
  return line.size > 0 && line.data[0] == ' ' ? SIZE_MAX : tn_str_find(line, kind);
}

static void add_head(tn_buf *out, tn_str line, size_t at, severity how, const char *group) {
  const tn_str mark = TN_STR_LIT("warning: ");
  tn_buf_add_str(out, tn_str_slice(line, 0, at));
  tn_buf_add_text(out, how == ERROR ? "error: " : "warning: ");
  tn_buf_add_str(out, tn_str_slice(line, at + mark.size, SIZE_MAX));
  if (how == ERROR || group) {
    tn_buf_add_format(out, " [%s%s%s%s]", how == ERROR ? "-Werror" : "",
                      how == ERROR && group ? "," : "", group ? "-W" : "", group ? group : "");
  }
}

size_t tn_warnings_apply(const tn_command *command, tn_str said, tn_buf *out) {
  size_t errors = 0;
  // What follows a warning goes its way, up to the next one, an error or a remark.
  bool drops = false;
  tn_str rest = said;
  while (rest.data && rest.size > 0) {
    const tn_str line = tn_str_split(&rest, '\n');
    const size_t at = find_head(line, TN_STR_LIT("warning: "));
    if (at != SIZE_MAX) {
      const char *group = group_of(line);
      const severity how = severity_of(command, group);
      drops = how == IGNORED;
      errors += how == ERROR;
      if (!drops) {
        add_head(out, line, at, how, group);
      }
    } else {
      drops = drops && find_head(line, TN_STR_LIT("error: ")) == SIZE_MAX &&
              find_head(line, TN_STR_LIT("remark: ")) == SIZE_MAX;
      if (!drops) {
        tn_buf_add_str(out, line);
      }
    }
    if (!drops && rest.data) {
      tn_buf_add_char(out, '\n');
    }
  }
  return errors;
}
