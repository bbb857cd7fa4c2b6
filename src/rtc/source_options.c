// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the options of a build at run time by their table. What a process may not have done to it
// by an option (files, plug-ins, LLVM's own switches) is refused before Clang sees it.
#include "rtc/source_options.h"

#include "compile/option/option.h"
#include "rtc/source_option_table.h"

typedef enum shape { SHAPE_FLAG, SHAPE_JOINED, SHAPE_SEPARATE, SHAPE_EITHER } shape;

typedef enum meaning {
  MEANING_CLANG,
  MEANING_ACCEPTED,
  MEANING_OPTIMIZE,
  MEANING_DEBUG,
  MEANING_STANDARD,
  MEANING_RDC,
  MEANING_NO_RDC,
  MEANING_SPLIT,
  MEANING_IMPORTS,
  MEANING_NO_IMPORTS,
  MEANING_BACKEND,
  MEANING_BACKEND_FOR,
  MEANING_FRONTEND,
  MEANING_FRONTEND_FOR,
  MEANING_CUDA_PATH,
  MEANING_SUB_GROUP_SIZE,
  MEANING_AUTO_PCH,
  MEANING_PERSISTENT_PCH,
  // Refused, each with its reason.
  MEANING_OUTPUT,
  MEANING_STEP,
  MEANING_TARGETS,
  MEANING_LANGUAGE,
  MEANING_HOST,
  MEANING_LINK,
  MEANING_PRINTS,
  MEANING_PROGRAM,
  MEANING_FOLDER,
  MEANING_WRITES,
  MEANING_LOADS,
  MEANING_ELSEWHERE,
  MEANING_PROCESS,
  MEANING_UNCHECKED,
  MEANING_COUNT,
} meaning;

static const char *const reasons[MEANING_COUNT] = {
    [MEANING_OUTPUT] = "there is no output file at run time",
    [MEANING_STEP] = "a build at run time goes from source to device images, no other way",
    [MEANING_TARGETS] = "a build at run time is for the devices of its kernel bundle",
    [MEANING_LANGUAGE] = "the language is that of the kernel bundle",
    [MEANING_HOST] = "there is no host code at run time",
    [MEANING_LINK] = "nothing of the host's is linked at run time",
    [MEANING_PRINTS] = "nothing is printed at run time; the build's log has what the compiler says",
    [MEANING_PROGRAM] = "no program is started at run time",
    [MEANING_FOLDER] = "names of files are relative to the folder that the process is in",
    [MEANING_WRITES] = "no files are written at run time",
    [MEANING_LOADS] = "a build at run time reads sources and headers, nothing that is compiled",
    [MEANING_ELSEWHERE] = "options are given one by one at run time, not by a file",
    [MEANING_PROCESS] = "it would change the compiler for the whole process",
    [MEANING_UNCHECKED] =
        "words for the compiler's inner stages could make it write files or "
        "load code",
};

typedef struct row {
  const char *spelling;
  shape shape;
  meaning meaning;
} row;

static const row rows[] = {
#define ROW(spelling, shape, meaning) {spelling, SHAPE_##shape, MEANING_##meaning},
    TN_SOURCE_OPTION_MAP(ROW)
#undef ROW
#define ROW(spelling, shape, meaning, goes, value, help) \
  {spelling, SHAPE_##shape, MEANING_##meaning},
    TN_OPTION_ACCEPTED_MAP(ROW)
#undef ROW
};

static const char sycl_head[] = "-fsycl-";
static const char no_sycl_head[] = "-fno-sycl-";

size_t tn_source_option_count(void) { return TN_COUNT(rows); }

tn_source_option_row tn_source_option_at(size_t index) {
  const row *r = &rows[index];
  return (tn_source_option_row){
      .spelling = r->spelling,
      .is_joined = r->shape == SHAPE_JOINED || r->shape == SHAPE_EITHER,
      .is_separate = r->shape == SHAPE_SEPARATE || r->shape == SHAPE_EITHER,
      .is_refused = reasons[r->meaning] != NULL,
  };
}

typedef struct reader {
  const tn_source_words *given;
  tn_arena *arena;
  tn_target *target;
  tn_source_options *out;
  tn_buf *log;
  uint32_t depth;  // of words inside words
} reader;

// One option: the word, what it takes, and where that came from.
typedef struct option {
  const row *row;     // NULL: Clang alone may know it
  const char *text;   // the word
  const char *value;  // joined or separate; ""
  const char *extra;  // the separate word; NULL without
} option;

enum { DEPTH_MAXIMUM = 4 };

static const row *find(const char *word) {
  const row *best = NULL;
  size_t best_size = 0;
  for (size_t i = 0; i < TN_COUNT(rows); i++) {
    const size_t size = strlen(rows[i].spelling);
    const bool is_whole = rows[i].shape == SHAPE_FLAG || rows[i].shape == SHAPE_SEPARATE;
    if (size > best_size && strncmp(word, rows[i].spelling, size) == 0 &&
        (!is_whole || word[size] == '\0')) {
      best = &rows[i];
      best_size = size;
    }
  }
  return best;
}

static bool has_head(const char *word, const char *head) {
  return strncmp(word, head, strlen(head)) == 0;
}

static tn_status check_word(const char *word, tn_diag *diag) {
  if (!word || word[0] == '\0') {
    return TN_FAIL(diag, INVALID_ARGUMENT, "an option of the build is empty; leave it out");
  }
  if (word[0] == '@') {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: %s; give what the file holds", word,
                   reasons[MEANING_ELSEWHERE]);
  }
  if (word[0] != '-' || word[1] == '\0' || strcmp(word, "--") == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "%s: this is no option, and the source is all that a build at run time compiles "
                   "(an option and its value are one word, or two in a row)",
                   word);
  }
  return TN_OK;
}

static tn_status read_one(const tn_source_words *words, size_t *at, option *out, tn_diag *diag) {
  const char *word = words->words[(*at)++];
  TN_TRY(check_word(word, diag));
  *out = (option){.row = find(word), .text = word, .value = ""};
  if (!out->row) {
    if (has_head(word, sycl_head) || has_head(word, no_sycl_head)) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "%s: a build at run time does not know this option; leave it out", word);
    }
    return TN_OK;
  }
  if (reasons[out->row->meaning]) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: %s; leave it out", word,
                   reasons[out->row->meaning]);
  }
  out->value = word + strlen(out->row->spelling);
  const bool takes_next = out->row->shape == SHAPE_SEPARATE ||
                          (out->row->shape == SHAPE_EITHER &&
                           (out->value[0] == '\0' || out->row->meaning == MEANING_BACKEND_FOR ||
                            out->row->meaning == MEANING_FRONTEND_FOR));
  if (!takes_next) {
    return TN_OK;
  }
  if (*at >= words->count || !words->words[*at]) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: its value is missing: it is the next option", word);
  }
  out->extra = words->words[(*at)++];
  return TN_OK;
}

static void hand_on(const reader *r, const option *o) {
  tn_args_add(&r->out->clang, o->text);
  if (o->extra) {
    tn_args_add(&r->out->clang, o->extra);
  }
}

static tn_status read_standard(const reader *r, const option *o, tn_diag *diag) {
  static const char *const old[] = {"98", "03", "0x", "11", "1y", "14"};
  const char *name = o->extra ? o->extra : o->value;
  if (r->given->language == TN_LANGUAGE_SYCL) {
    const char *number = has_head(name, "c++")     ? name + 3
                         : has_head(name, "gnu++") ? name + 5
                                                   : name;
    for (size_t i = 0; i < TN_COUNT(old); i++) {
      if (strcmp(number, old[i]) == 0) {
        return TN_FAIL(diag, INVALID_ARGUMENT,
                       "-std=%s: SYCL 2020 needs C++17 or later; use -std=c++17, or no -std", name);
      }
    }
  }
  hand_on(r, o);
  return TN_OK;
}

static tn_status read_split(const reader *r, const option *o, tn_diag *diag) {
  static const struct {
    const char *name;
    tn_split_mode mode;
  } modes[] = {{"", TN_SPLIT_BY_NEEDS},  // all kernels of a source are built at once
               {"auto", TN_SPLIT_BY_NEEDS},
               {"per_source", TN_SPLIT_PER_SOURCE},
               {"per_kernel", TN_SPLIT_PER_KERNEL},
               {"off", TN_SPLIT_OFF}};
  for (size_t i = 0; i < TN_COUNT(modes); i++) {
    if (strcmp(o->value, modes[i].name) == 0) {
      r->out->split = modes[i].mode;
      return TN_OK;
    }
  }
  return TN_FAIL(diag, INVALID_ARGUMENT,
                 "%s: there is no such mode (auto, per_source, per_kernel, off)", o->text);
}

// "-Xs words": the processor is the target's, all else its compiler's, where it has one.
static tn_status read_backend(const reader *r, const option *o, tn_diag *diag) {
  tn_args words;
  tn_args_init(&words, r->arena);
  const tn_status status = tn_frontend_split_words(o->extra, &words, diag);
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%s", o->text);
    return status;
  }
  for (size_t i = 0; i < words.list.count; i++) {
    const char *word = tn_args_at(&words, i);
    bool is_taken = false;
    TN_TRY(tn_target_read_backend(o->text, tn_str_from(word), r->target, &is_taken, diag));
    if (is_taken) {
      continue;
    }
    if (r->target->is_aot && r->target->tool) {
      tn_args_add(&r->out->tool_words, word);
    } else {
      tn_buf_add_format(r->log,
                        "warning: %s '%s' has no effect: no compiler of machine code is run for %s "
                        "at run time\n",
                        o->text, word, r->target->word);
    }
  }
  r->out->tool_words.failed = r->out->tool_words.failed || words.failed;
  return TN_OK;
}

// Whether "-Xsycl-target-…=TARGET" speaks of the target that is built for.
static tn_status is_meant(const reader *r, const option *o, bool *out, tn_diag *diag) {
  tn_target named;
  TN_TRY(tn_target_read(r->arena, o->row->spelling, tn_str_from(o->value), &named, diag));
  *out = strcmp(r->target->word, named.word) == 0 || strcmp(r->target->name, named.word) == 0;
  return TN_OK;
}

static tn_status read_words(reader *r, const tn_source_words *words, tn_diag *diag);

static tn_status read_frontend(reader *r, const option *o, tn_diag *diag) {
  tn_args words;
  tn_args_init(&words, r->arena);
  if (++r->depth > DEPTH_MAXIMUM) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: words inside words, too many times", o->text);
  }
  tn_status status = tn_frontend_split_words(o->extra, &words, diag);
  const char *const *argv = status == TN_OK ? tn_args_argv(&words) : NULL;
  if (status == TN_OK && !argv) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the options");
  }
  if (status == TN_OK) {
    const tn_source_words inner = {argv, words.list.count, r->given->language};
    status = read_words(r, &inner, diag);
  }
  r->depth--;
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%s", o->text);
  }
  return status;
}

static tn_status read_tool_option(reader *r, const option *o, tn_diag *diag) {
  const meaning m = o->row->meaning;
  bool is_ours = true;
  if (m == MEANING_BACKEND_FOR || m == MEANING_FRONTEND_FOR) {
    TN_TRY(is_meant(r, o, &is_ours, diag));
  }
  if (!is_ours) {
    return TN_OK;
  }
  return m == MEANING_BACKEND || m == MEANING_BACKEND_FOR ? read_backend(r, o, diag)
                                                          : read_frontend(r, o, diag);
}

static tn_status take(reader *r, const option *o, tn_diag *diag) {
  tn_source_options *out = r->out;
  switch (o->row ? o->row->meaning : MEANING_CLANG) {
    case MEANING_ACCEPTED:
      return TN_OK;
    case MEANING_OPTIMIZE:
      out->opt_level = tn_frontend_opt_level(o->value);
      break;
    case MEANING_DEBUG:
      out->debug = strcmp(o->value, "0") != 0;
      break;
    case MEANING_STANDARD:
      return read_standard(r, o, diag);
    case MEANING_RDC:
      out->alone = false;
      return TN_OK;
    case MEANING_NO_RDC:
      out->alone = true;
      return TN_OK;
    case MEANING_SPLIT:
      return read_split(r, o, diag);
    case MEANING_IMPORTS:
      out->refuses_imports = false;
      return TN_OK;
    case MEANING_NO_IMPORTS:
      out->refuses_imports = true;
      return TN_OK;
    case MEANING_BACKEND:
    case MEANING_BACKEND_FOR:
    case MEANING_FRONTEND:
    case MEANING_FRONTEND_FOR:
      return read_tool_option(r, o, diag);
    case MEANING_CUDA_PATH:
      out->cuda_path = o->value;
      return TN_OK;
    case MEANING_SUB_GROUP_SIZE:
      TN_TRY(tn_target_read_sub_group_size(o->text, tn_str_from(o->value), &out->sub_group_size,
                                           diag));
      return tn_target_check_sub_group_size(r->target, out->sub_group_size, diag);
    case MEANING_AUTO_PCH:
      out->auto_pch = true;
      return TN_OK;
    case MEANING_PERSISTENT_PCH:
      if (o->value[0] == '\0') {
        return TN_FAIL(diag, INVALID_ARGUMENT, "%s: it names no folder", o->text);
      }
      out->pch_folder = o->value;
      return TN_OK;
    default:
      break;
  }
  hand_on(r, o);
  return TN_OK;
}

static tn_status read_words(reader *r, const tn_source_words *words, tn_diag *diag) {
  for (size_t at = 0; at < words->count;) {
    option next;
    TN_TRY(read_one(words, &at, &next, diag));
    TN_TRY(take(r, &next, diag));
  }
  return TN_OK;
}

tn_status tn_source_options_read(const tn_source_words *words, tn_arena *arena, tn_target *target,
                                 tn_source_options *out, tn_buf *log, tn_diag *diag) {
  *out = (tn_source_options){.opt_level = 2, .split = TN_SPLIT_BY_NEEDS};
  tn_args_init(&out->clang, arena);
  tn_args_init(&out->tool_words, arena);
  reader r = {.given = words, .arena = arena, .target = target, .out = out, .log = log};
  TN_TRY(read_words(&r, words, diag));
  return out->clang.failed || out->tool_words.failed
             ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the options")
             : TN_OK;
}
