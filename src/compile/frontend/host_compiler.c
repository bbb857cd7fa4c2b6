// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -fsycl-host-compiler: finds the program, and says in words that g++ and clang share what the user
// said to Tenon's clang.
#include "compile/frontend/host_compiler.h"

#include "base/process.h"

#include <inttypes.h>

typedef enum word_shape {
  WORD,       // the whole word
  JOINED,     // a word that begins like this
  SEPARATE,   // the word and the next one
  EITHER,     // joined, or the next word
  OURS,       // clang's own: nobody misses it, a word that begins like this
  OURS_PAIR,  // the same with the next word
} word_shape;

// What other compilers understand as clang does. The first row that fits counts.
static const struct {
  const char *spelling;
  word_shape shape;
} words[] = {
    {"-D", EITHER},
    {"-U", EITHER},
    {"-I", EITHER},
    {"-include", SEPARATE},
    {"-imacros", SEPARATE},
    {"-isystem", SEPARATE},
    {"-iquote", SEPARATE},
    {"-idirafter", SEPARATE},
    {"-iprefix", SEPARATE},
    {"-iwithprefix", SEPARATE},
    {"-iwithprefixbefore", SEPARATE},
    {"-isysroot", SEPARATE},
    {"--sysroot=", JOINED},
    {"--sysroot", SEPARATE},
    {"-nostdinc", JOINED},
    {"-undef", WORD},
    {"-MF", EITHER},
    {"-MT", EITHER},
    {"-MQ", EITHER},
    {"-MD", WORD},
    {"-MMD", WORD},
    {"-MP", WORD},
    {"-MG", WORD},
    {"-M", WORD},
    {"-MM", WORD},
    {"-Xpreprocessor", SEPARATE},
    {"-Xassembler", SEPARATE},
    {"-Wp,", JOINED},
    {"-Wa,", JOINED},
    {"-C", WORD},
    {"-CC", WORD},
    {"-P", WORD},
    {"-H", WORD},
    {"-dM", WORD},
    {"-dD", WORD},
    {"-std=", JOINED},
    {"--std=", JOINED},
    {"--std", SEPARATE},
    {"-ansi", WORD},
    {"-pedantic", JOINED},
    {"-O", JOINED},
    {"-v", WORD},
    {"-pipe", WORD},
    {"-pthread", WORD},
    {"-save-temps", JOINED},
    {"--save-temps", JOINED},
    {"-gline-tables-only", OURS},
    {"-gcodeview", OURS},
    {"-gsimple-template-names", OURS},
    {"-g", JOINED},
    {"-w", WORD},
    {"-Werror", JOINED},
    {"-Wno-", JOINED},
    {"-Wall", WORD},
    {"-Wextra", WORD},
    {"-W", WORD},
    {"-Wpedantic", WORD},
    {"-Wshadow", WORD},
    {"-Wconversion", WORD},
    {"-Wsign-conversion", WORD},
    {"-Wsign-compare", WORD},
    {"-Wunused", JOINED},
    {"-Wformat", JOINED},
    {"-Wcast-align", WORD},
    {"-Wcast-qual", WORD},
    {"-Wundef", WORD},
    {"-Wold-style-cast", WORD},
    {"-Woverloaded-virtual", WORD},
    {"-Wnon-virtual-dtor", WORD},
    {"-Wdeprecated", JOINED},
    {"-Wdouble-promotion", WORD},
    {"-Wfloat-equal", WORD},
    {"-Wswitch", JOINED},
    {"-Wuninitialized", WORD},
    {"-Wmissing-declarations", WORD},
    {"-fPIC", WORD},
    {"-fpic", WORD},
    {"-fPIE", WORD},
    {"-fpie", WORD},
    {"-fno-PIC", WORD},
    {"-fno-pic", WORD},
    {"-fno-PIE", WORD},
    {"-fno-pie", WORD},
    {"-fvisibility", JOINED},
    {"-fno-visibility", JOINED},
    {"-fexceptions", WORD},
    {"-fno-exceptions", WORD},
    {"-frtti", WORD},
    {"-fno-rtti", WORD},
    {"-ffast-math", WORD},
    {"-fno-fast-math", WORD},
    {"-fmath-errno", WORD},
    {"-fno-math-errno", WORD},
    {"-ffp-contract=", JOINED},
    {"-ffinite-math-only", WORD},
    {"-fno-finite-math-only", WORD},
    {"-frounding-math", WORD},
    {"-fno-trapping-math", WORD},
    {"-fno-signed-zeros", WORD},
    {"-fstrict-aliasing", WORD},
    {"-fno-strict-aliasing", WORD},
    {"-fwrapv", WORD},
    {"-fno-wrapv", WORD},
    {"-ftrapv", WORD},
    {"-fomit-frame-pointer", WORD},
    {"-fno-omit-frame-pointer", WORD},
    {"-fstack-protector", JOINED},
    {"-fno-stack-protector", WORD},
    {"-fsigned-char", WORD},
    {"-funsigned-char", WORD},
    {"-fno-signed-char", WORD},
    {"-fno-unsigned-char", WORD},
    {"-fshort-enums", WORD},
    {"-fno-short-enums", WORD},
    {"-fshort-wchar", WORD},
    {"-fpack-struct", JOINED},
    {"-faligned-new", JOINED},
    {"-fno-aligned-new", WORD},
    {"-fsized-deallocation", WORD},
    {"-fno-sized-deallocation", WORD},
    {"-ftemplate-depth", JOINED},
    {"-fconstexpr-depth=", JOINED},
    {"-ffunction-sections", WORD},
    {"-fno-function-sections", WORD},
    {"-fdata-sections", WORD},
    {"-fno-data-sections", WORD},
    {"-fno-plt", WORD},
    {"-fplt", WORD},
    {"-finline-functions", WORD},
    {"-fno-inline", WORD},
    {"-fno-inline-functions", WORD},
    {"-funroll-loops", WORD},
    {"-fno-unroll-loops", WORD},
    {"-ftree-vectorize", WORD},
    {"-fno-tree-vectorize", WORD},
    {"-fno-builtin", JOINED},
    {"-ffreestanding", WORD},
    {"-fhosted", WORD},
    {"-fno-common", WORD},
    {"-fcommon", WORD},
    {"-fno-threadsafe-statics", WORD},
    {"-fthreadsafe-statics", WORD},
    {"-fno-ident", WORD},
    {"-fdiagnostics-color", JOINED},
    {"-fno-diagnostics-color", WORD},
    {"-ffile-prefix-map=", JOINED},
    {"-fdebug-prefix-map=", JOINED},
    {"-fmacro-prefix-map=", JOINED},
    {"-fno-char8_t", WORD},
    {"-fchar8_t", WORD},
    {"-fopenmp", WORD},
    {"-fno-openmp", WORD},
    {"-fopenmp-simd", WORD},
    {"-fcf-protection", JOINED},
    {"-fno-semantic-interposition", WORD},
    {"-fsemantic-interposition", WORD},
    {"-fnon-call-exceptions", WORD},
    {"-fasynchronous-unwind-tables", WORD},
    {"-fno-asynchronous-unwind-tables", WORD},
    {"-funwind-tables", WORD},
    {"-fno-unwind-tables", WORD},
    {"-fno-access-control", WORD},
    {"-mllvm", OURS_PAIR},
    {"-m", JOINED},
    {"-W", OURS},  // other warnings: no two compilers have the same
    // Clang's own front end, and what only concerns how clang prints, starts and finds things.
    {"-Xclang", OURS_PAIR},
    {"-Xanalyzer", OURS_PAIR},
    {"-Xclangas", OURS_PAIR},
    {"-fcolor-diagnostics", OURS},
    {"-fno-color-diagnostics", OURS},
    {"-Qunused-arguments", OURS},
    {"--gcc-toolchain=", OURS},
    {"--gcc-install-dir=", OURS},
    {"-ftime-trace", OURS},
    {"-fcaret-diagnostics", OURS},
    {"-fno-caret-diagnostics", OURS},
    {"-stdlib=libstdc++", OURS},
    {"-fansi-escape-codes", OURS},
    {"-fdiagnostics-", OURS},
    {"-fno-diagnostics-", OURS},
};

static bool fits(const char *word, const char *spelling, word_shape shape) {
  switch (shape) {
    case WORD:
    case SEPARATE:
    case OURS_PAIR:
      return strcmp(word, spelling) == 0;
    default:
      return strncmp(word, spelling, strlen(spelling)) == 0;
  }
}

// The row that a word falls under, and how many words it is.
static bool find_shape(const char *word, word_shape *out, size_t *out_count) {
  for (size_t i = 0; i < TN_COUNT(words); i++) {
    if (fits(word, words[i].spelling, words[i].shape)) {
      *out = words[i].shape;
      const bool is_bare = strlen(word) == strlen(words[i].spelling);
      *out_count = *out == SEPARATE || *out == OURS_PAIR || (*out == EITHER && is_bare) ? 2 : 1;
      return true;
    }
  }
  return false;
}

static void add_user(const tn_args *user, tn_args *out, tn_args *left_out) {
  for (size_t i = 0; i < user->list.count;) {
    const char *word = tn_args_at(user, i);
    word_shape shape = WORD;
    size_t count = 1;
    if (find_shape(word, &shape, &count)) {
      for (size_t end = i + count; i < end && i < user->list.count; i++) {
        if (shape < OURS) {
          // g++ knows the second spelling of this one without a value only.
          const char *each = tn_args_at(user, i);
          tn_args_add(out, strncmp(each, "--save-temps", 12) == 0 ? each + 1 : each);
        }
      }
      continue;
    }
    if (left_out && word[0] == '-') {
      tn_args_add(left_out, word);
    }
    i++;  // what does not begin with a dash belongs to the word before
  }
}

static bool has_word(const tn_args *args, const char *prefix) {
  for (size_t i = 0; i < args->list.count; i++) {
    if (strncmp(tn_args_at(args, i), prefix, strlen(prefix)) == 0) {
      return true;
    }
  }
  return false;
}

void tn_host_compiler_args(const tn_pass_params *params, tn_args *out) {
  const tn_host_compiler *host = params->host;
  tn_args_add(out, host->program);
  // Before what the user includes so: that may be SYCL's headers.
  if (host->integration_header) {
    tn_args_add(out, "-include");
    tn_args_add(out, host->integration_header);
  } else {
    tn_args_add(out, "-D__TENON_INTEGRATION_HEADER__=1");
  }
  add_user(params->user, out, host->left_out);
  if (params->color && !has_word(out, "-fdiagnostics-color")) {
    tn_args_add(out, "-fdiagnostics-color=always");
  }
  if (!has_word(params->user, "-std=") && !has_word(params->user, "--std") &&
      !has_word(params->user, "-ansi")) {
    tn_args_add(out, "-std=gnu++17");  // what the device pass has
  }
  if (tn_str_find(tn_path_base(tn_str_from(host->program)), TN_STR_LIT("clang")) != SIZE_MAX) {
    // Otherwise it does not number lambdas that lie in functions of one translation unit.
    tn_args_add(out, "-Xclang");
    tn_args_add(out, "-fsycl-is-host");
  } else {
    tn_args_add(out, "-DSYCL_LANGUAGE_VERSION=202012L");
  }
  tn_args_add_format(out, "-D__TENON_UNIT_ID__=0x%016" PRIx64 "ULL", params->unit_id);
  if (params->include_dir) {
    tn_args_add(out, "-isystem");
    tn_args_add(out, params->include_dir);
  }
  tn_pass_add_source(params, out);
  tn_args_add_all(out, host->options);
}

tn_status tn_frontend_host_compiler_find(tn_arena *arena, const char *wanted, const char **out,
                                         tn_diag *diag) {
  *out = NULL;
  if (wanted[0] == '\0') {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "-fsycl-host-compiler= needs a program, as in -fsycl-host-compiler=g++");
  }
  char *path = tn_process_find(wanted);
  if (!path) {
    return TN_FAIL(
        diag, IO, "-fsycl-host-compiler=%s: there is no such program; install it, or give its path",
        wanted);
  }
  *out = tn_arena_str(arena, tn_str_from(path));
  tn_free(path);
  return *out ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the path of a compiler");
}

// One word of a shell's: blanks end it outside of quotes.
static const char *next_word(const char **text, tn_buf *word, bool *is_open) {
  tn_buf_clear(word);
  char quote = '\0';
  const char *at = *text;
  for (; *at && (quote || (*at != ' ' && *at != '\t' && *at != '\n')); at++) {
    if (*at == '\\' && quote != '\'' && at[1]) {
      tn_buf_add_char(word, *++at);
    } else if (quote ? *at == quote : *at == '"' || *at == '\'') {
      quote = quote ? '\0' : *at;
    } else {
      tn_buf_add_char(word, *at);
    }
  }
  *is_open = quote != '\0';
  *text = at;
  return tn_buf_text(word);
}

tn_status tn_frontend_split_words(const char *text, tn_args *out, tn_diag *diag) {
  tn_buf word;
  tn_buf_init(&word, 1 << 20);
  bool is_open = false;
  const char *rest = text + strspn(text, " \t\n");
  while (*rest && !is_open) {
    const char *begin = next_word(&rest, &word, &is_open);
    tn_args_add(out, tn_arena_str(out->arena, tn_str_from(begin)));
    rest += strspn(rest, " \t\n");
  }
  const tn_status status = tn_buf_status(&word, diag);
  tn_buf_deinit(&word);
  if (is_open) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "a quotation mark is not closed in: %s", text);
  }
  if (status == TN_OK && out->failed) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a compiler's options");
  }
  return status;
}
