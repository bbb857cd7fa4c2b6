// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the words of a link as GNU ld does, as far as they say which archives it looks into.
#include "compile/inputs/link_words.h"

#include "base/config.h"
#include "base/file.h"

enum { STATES_MAXIMUM = 32, SCRIPT_MAXIMUM = 64 * 1024 };

typedef struct link_state {
  bool is_static;
  bool is_whole;
} link_state;

typedef enum word_meaning {
  WORD_STATIC,
  WORD_DYNAMIC,
  WORD_WHOLE,
  WORD_NOT_WHOLE,
  WORD_PUSH,
  WORD_POP,
  WORD_LIBRARY,
  WORD_ARGUMENT,  // another word follows, which is no file of the link
} word_meaning;

typedef struct walker {
  const tn_command *command;
  tn_link_word_fn fn;
  void *user;
  link_state now;
  link_state stack[STATES_MAXIMUM];
  size_t depth;
  bool skips_next;
  bool next_is_library;
} walker;

// Without the dashes: long names may have one or two.
static const struct {
  const char *name;
  word_meaning meaning;
} meanings[] = {
    {"Bstatic", WORD_STATIC},
    {"dn", WORD_STATIC},
    {"static", WORD_STATIC},
    {"non_shared", WORD_STATIC},
    {"Bdynamic", WORD_DYNAMIC},
    {"dy", WORD_DYNAMIC},
    {"call_shared", WORD_DYNAMIC},
    {"whole-archive", WORD_WHOLE},
    {"no-whole-archive", WORD_NOT_WHOLE},
    {"push-state", WORD_PUSH},
    {"pop-state", WORD_POP},
    {"l", WORD_LIBRARY},
    {"library", WORD_LIBRARY},
    {"A", WORD_ARGUMENT},
    {"F", WORD_ARGUMENT},
    {"G", WORD_ARGUMENT},
    {"I", WORD_ARGUMENT},
    {"L", WORD_ARGUMENT},
    {"Map", WORD_ARGUMENT},
    {"P", WORD_ARGUMENT},
    {"R", WORD_ARGUMENT},
    {"T", WORD_ARGUMENT},
    {"Tbss", WORD_ARGUMENT},
    {"Tdata", WORD_ARGUMENT},
    {"Ttext", WORD_ARGUMENT},
    {"Y", WORD_ARGUMENT},
    {"a", WORD_ARGUMENT},
    {"assert", WORD_ARGUMENT},
    {"audit", WORD_ARGUMENT},
    {"b", WORD_ARGUMENT},
    {"c", WORD_ARGUMENT},
    {"chroot", WORD_ARGUMENT},
    {"default-script", WORD_ARGUMENT},
    {"defsym", WORD_ARGUMENT},
    {"depaudit", WORD_ARGUMENT},
    {"dependency-file", WORD_ARGUMENT},
    {"dynamic-linker", WORD_ARGUMENT},
    {"dynamic-list", WORD_ARGUMENT},
    {"e", WORD_ARGUMENT},
    {"entry", WORD_ARGUMENT},
    {"exclude-libs", WORD_ARGUMENT},
    {"export-dynamic-symbol", WORD_ARGUMENT},
    {"f", WORD_ARGUMENT},
    {"fini", WORD_ARGUMENT},
    {"format", WORD_ARGUMENT},
    {"h", WORD_ARGUMENT},
    {"init", WORD_ARGUMENT},
    {"just-symbols", WORD_ARGUMENT},
    {"library-path", WORD_ARGUMENT},
    {"m", WORD_ARGUMENT},
    {"o", WORD_ARGUMENT},
    {"oformat", WORD_ARGUMENT},
    {"plugin", WORD_ARGUMENT},
    {"plugin-opt", WORD_ARGUMENT},
    {"require-defined", WORD_ARGUMENT},
    {"retain-symbols-file", WORD_ARGUMENT},
    {"rpath", WORD_ARGUMENT},
    {"rpath-link", WORD_ARGUMENT},
    {"script", WORD_ARGUMENT},
    {"section-start", WORD_ARGUMENT},
    {"soname", WORD_ARGUMENT},
    {"sort-section", WORD_ARGUMENT},
    {"sysroot", WORD_ARGUMENT},
    {"trace-symbol", WORD_ARGUMENT},
    {"u", WORD_ARGUMENT},
    {"undefined", WORD_ARGUMENT},
    {"version-script", WORD_ARGUMENT},
    {"wrap", WORD_ARGUMENT},
    {"y", WORD_ARGUMENT},
    {"z", WORD_ARGUMENT},
};

static tn_status give(walker *w, const char *file, const char *library, tn_diag *diag) {
  const tn_link_word word = {file, library, w->now.is_static, w->now.is_whole};
  return w->fn(w->user, &word, diag);
}

static void apply(walker *w, word_meaning meaning) {
  switch (meaning) {
    case WORD_STATIC:
    case WORD_DYNAMIC:
      w->now.is_static = meaning == WORD_STATIC;
      break;
    case WORD_WHOLE:
    case WORD_NOT_WHOLE:
      w->now.is_whole = meaning == WORD_WHOLE;
      break;
    case WORD_PUSH:
      if (w->depth < STATES_MAXIMUM) {
        w->stack[w->depth] = w->now;
      }
      w->depth++;
      break;
    case WORD_POP:
      if (w->depth > 0 && --w->depth < STATES_MAXIMUM) {
        w->now = w->stack[w->depth];
      }
      break;
    case WORD_LIBRARY:
      w->next_is_library = true;
      break;
    case WORD_ARGUMENT:
      w->skips_next = true;
      break;
  }
}

static tn_status take_option(walker *w, const char *text, tn_diag *diag) {
  const char *name = text + 1 + (text[1] == '-');
  for (size_t i = 0; i < TN_COUNT(meanings); i++) {
    if (strcmp(name, meanings[i].name) == 0) {
      apply(w, meanings[i].meaning);
      return TN_OK;
    }
  }
  if (strncmp(name, "library=", 8) == 0) {
    return give(w, NULL, name + 8, diag);
  }
  return name == text + 1 && name[0] == 'l' ? give(w, NULL, name + 1, diag) : TN_OK;
}

static tn_status take_word(walker *w, const char *text, tn_diag *diag) {
  if (w->skips_next) {
    w->skips_next = false;
    return TN_OK;
  }
  if (w->next_is_library) {
    w->next_is_library = false;
    return give(w, NULL, text, diag);
  }
  if (text[0] != '-') {
    return text[0] == '\0' ? TN_OK : give(w, text, NULL, diag);
  }
  return take_option(w, text, diag);
}

// -Wl parts its words at commas, -Xlinker has one.
static tn_status take_linker_words(walker *w, const tn_command_arg *arg, tn_diag *diag) {
  if (strncmp(arg->text, "-Wl,", 4) != 0) {
    return take_word(w, arg->value, diag);
  }
  tn_str rest = tn_str_from(arg->value);
  while (rest.data) {
    const char *word = tn_arena_str(w->command->arena, tn_str_split(&rest, ','));
    TN_TRY(word ? take_word(w, word, diag)
                : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the words of the link"));
  }
  return TN_OK;
}

tn_status tn_link_words_walk(const tn_command *command, tn_link_word_fn fn, void *user,
                             tn_diag *diag) {
  walker w = {.command = command, .fn = fn, .user = user};
  w.now.is_static = command->is_static;
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    if (arg->input == TN_INPUT_LINK) {
      TN_TRY(give(&w, arg->text, NULL, diag));
    } else if (arg->option && arg->option->meaning == TN_OPTION_LIBRARY) {
      TN_TRY(give(&w, NULL, arg->value, diag));
    } else if (arg->option && arg->option->meaning == TN_OPTION_LINKER) {
      TN_TRY(take_linker_words(&w, arg, diag));
    }
  }
  return TN_OK;
}

// lib<name>.so and lib<name>.a as the linker looks for them in one folder.
static const char *library_in(tn_str folder, const tn_link_word *word, tn_arena *arena) {
  const char *name = word->library;
  if (folder.size == 0) {
    folder = TN_STR_LIT(".");
  }
  if (name[0] != ':' && !word->is_static) {
    const char *shared = tn_arena_format(arena, "%.*s/lib%s.so", TN_STR_ARG(folder), name);
    if (shared && tn_file_exists(shared)) {
      return shared;
    }
  }
  const char *path = name[0] == ':'
                         ? tn_arena_format(arena, "%.*s/%s", TN_STR_ARG(folder), name + 1)
                         : tn_arena_format(arena, "%.*s/lib%s.a", TN_STR_ARG(folder), name);
  return path && tn_file_exists(path) ? path : NULL;
}

// The folders of -L, also among the linker's words, count for every -l.
static const char *library_in_given(const tn_command *command, const tn_link_word *word,
                                    tn_arena *arena) {
  const char *found = NULL;
  for (size_t i = 0; i < command->args.count && !found; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    if (arg->option && arg->option->meaning == TN_OPTION_LIBRARY_DIR) {
      found = library_in(tn_str_from(arg->value), word, arena);
    }
  }
  for (size_t i = 0; i < command->linker_words.list.count && !found; i++) {
    const char *text = tn_args_at(&command->linker_words, i);
    const bool is_long = strncmp(text, "--library-path=", 15) == 0;
    if (is_long || (text[0] == '-' && text[1] == 'L' && text[2] != '\0')) {
      found = library_in(tn_str_from(text + (is_long ? 15 : 2)), word, arena);
    }
  }
  return found;
}

const char *tn_link_library_find(const tn_command *command, const tn_link_word *word,
                                 tn_arena *arena) {
  static const char usual[] =
      "/usr/local/lib:/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib/aarch64-linux-gnu:"
      "/usr/lib/aarch64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib";
  const char *found = library_in_given(command, word, arena);
  const tn_str lists[] = {tn_str_from(tn_config_get()->library_path), tn_str_from(usual)};
  for (size_t i = 0; i < TN_COUNT(lists) && !found; i++) {
    tn_str rest = lists[i];
    while (rest.size > 0 && !found) {
      found = library_in(tn_str_split(&rest, ':'), word, arena);
    }
  }
  return found;
}

static bool is_script_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '(' || c == ')' || c == ',' ||
         c == ';';
}

// One word of a script behind *at; comments and brackets are skipped.
static tn_str script_word(tn_str text, size_t *at) {
  for (;;) {
    while (*at < text.size && is_script_space(text.data[*at])) {
      ++*at;
    }
    const tn_str rest = tn_str_slice(text, *at, SIZE_MAX);
    if (!tn_str_has_prefix(rest, TN_STR_LIT("/*"))) {
      break;
    }
    const size_t end = tn_str_find(rest, TN_STR_LIT("*/"));
    *at = end == SIZE_MAX ? text.size : *at + end + 2;
  }
  const size_t begin = *at;
  while (*at < text.size && !is_script_space(text.data[*at])) {
    ++*at;
  }
  return tn_str_slice(text, begin, *at - begin);
}

tn_status tn_link_script_read(tn_bytes bytes, tn_arena *arena, tn_list *out, tn_diag *diag) {
  const tn_str text = {(const char *)bytes.data, bytes.size};
  if (text.size > SCRIPT_MAXIMUM || tn_str_find_char(text, '\0') != SIZE_MAX) {
    return TN_OK;
  }
  bool is_inside = false;
  for (size_t at = 0; at < text.size;) {
    const tn_str word = script_word(text, &at);
    const bool is_file = tn_str_has_suffix(word, TN_STR_LIT(".a")) ||
                         tn_str_has_suffix(word, TN_STR_LIT(".o")) ||
                         tn_str_has_prefix(word, TN_STR_LIT("-l"));
    is_inside = is_inside || tn_str_equals(word, TN_STR_LIT("INPUT")) ||
                tn_str_equals(word, TN_STR_LIT("GROUP"));
    const char *kept = is_inside && is_file ? tn_arena_str(arena, word) : NULL;
    if (is_inside && is_file && (!kept || !tn_list_add(out, arena, kept))) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read a linker's script");
    }
  }
  return TN_OK;
}
