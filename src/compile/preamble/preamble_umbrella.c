// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out whether a source begins with SYCL's headers: directly, or in a header of its own that
// begins with them. Before them may come comments, include guards, and headers of the standard
// library and of POSIX, which mean the same in any order. Then SYCL's headers can be read first.
//
// What is found depends on the text of the source and of its headers alone, so that a source is
// compiled in one way, whether there is a precompiled header or not.
#include "base/file.h"
#include "compile/preamble/preamble.h"
#include "compile/preamble/preamble_text.h"

enum { DEPTH_MAXIMUM = 8, FILES_MAXIMUM = 64, FILE_SIZE_MAXIMUM = 4 << 20 };

typedef enum verdict {
  PASSED,   // to the end of the file: it may come before or behind SYCL's headers
  FOUND,    // SYCL's headers
  STOPPED,  // something that may not
} verdict;

// A file on the way: conditions are counted but for those of include guards.
typedef struct place {
  const char *path;
  tn_preamble_walk walk;
  size_t depth;
  tn_str guard;  // the macro of an #ifndef that may be one
  bool has_guard;
  bool is_first;  // no directive has come but #pragma once
} place;

typedef struct search {
  const tn_clang_preamble_query *query;
  tn_arena *arena;
  size_t depth;
  size_t file_count;
  tn_preamble_umbrella found;
} search;

// Headers that declare the same wherever they are included, unless macros before them ask for more.
static const char *const standard_headers[] = {
    // C++
    "algorithm", "any", "array", "atomic", "barrier", "bit", "bitset", "charconv", "chrono",
    "codecvt", "compare", "complex", "concepts", "condition_variable", "coroutine", "deque",
    "exception", "execution", "expected", "filesystem", "format", "forward_list", "fstream",
    "functional", "future", "generator", "initializer_list", "iomanip", "ios", "iosfwd", "iostream",
    "istream", "iterator", "latch", "limits", "list", "locale", "map", "mdspan", "memory",
    "memory_resource", "mutex", "new", "numbers", "numeric", "optional", "ostream", "print",
    "queue", "random", "ranges", "ratio", "regex", "scoped_allocator", "semaphore", "set",
    "shared_mutex", "source_location", "span", "spanstream", "sstream", "stack", "stacktrace",
    "stdexcept", "stdfloat", "stop_token", "streambuf", "string", "string_view", "strstream",
    "syncstream", "system_error", "thread", "tuple", "type_traits", "typeindex", "typeinfo",
    "unordered_map", "unordered_set", "utility", "valarray", "variant", "vector", "version",
    // C
    "cassert", "ccomplex", "cctype", "cerrno", "cfenv", "cfloat", "cinttypes", "ciso646", "climits",
    "clocale", "cmath", "csetjmp", "csignal", "cstdalign", "cstdarg", "cstdbool", "cstddef",
    "cstdint", "cstdio", "cstdlib", "cstring", "ctgmath", "ctime", "cuchar", "cwchar", "cwctype",
    "assert.h", "complex.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h", "iso646.h",
    "limits.h", "locale.h", "math.h", "setjmp.h", "signal.h", "stdalign.h", "stdarg.h",
    "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h",
    "tgmath.h", "time.h", "uchar.h", "wchar.h", "wctype.h",
    // POSIX and the system
    "alloca.h", "dirent.h", "dlfcn.h", "fcntl.h", "getopt.h", "libgen.h", "malloc.h", "memory.h",
    "omp.h", "poll.h", "pthread.h", "sched.h", "semaphore.h", "strings.h", "sys/ioctl.h",
    "sys/mman.h", "sys/resource.h", "sys/socket.h", "sys/stat.h", "sys/time.h", "sys/times.h",
    "sys/types.h", "sys/wait.h", "termios.h", "unistd.h", NULL};

static bool is_one_of(tn_str name, const char *const *all) {
  for (size_t i = 0; all[i]; i++) {
    if (tn_str_equals(name, tn_str_from(all[i]))) {
      return true;
    }
  }
  return false;
}

// The headers that a base may be; NULL for others.
static const char *umbrella_of(tn_str name) {
  if (tn_str_equals(name, TN_STR_LIT("sycl/sycl.hpp")) ||
      tn_str_equals(name, TN_STR_LIT("CL/sycl.hpp"))) {
    return "sycl/sycl.hpp";
  }
  return tn_str_equals(name, TN_STR_LIT("sycl/detail/core.hpp")) ? "sycl/detail/core.hpp" : NULL;
}

static bool is_readable(const char *path) {
  return path && tn_file_is_file(path);
}

// The path of a header of the user's; NULL for others.
static const char *resolve(search *s, const char *includer, tn_str name, bool is_quoted) {
  if (name.size == 0) {
    return NULL;
  }
  if (name.data[0] == '/') {
    const char *path = tn_arena_str(s->arena, name);
    return is_readable(path) ? path : NULL;
  }
  if (is_quoted) {
    const size_t slash = tn_str_rfind_char(tn_str_from(includer), '/');
    const char *beside =
        tn_arena_format(s->arena, "%.*s%.*s", slash == SIZE_MAX ? 0 : (int)slash + 1, includer,
                        TN_STR_ARG(name));
    if (is_readable(beside)) {
      return beside;
    }
  }
  for (size_t i = 0; i < s->query->folder_count; i++) {
    const tn_clang_folder *folder = &s->query->folders[i];
    const char *path = folder->is_quoted && !is_quoted
                           ? NULL
                           : tn_arena_format(s->arena, "%s/%.*s", folder->path, TN_STR_ARG(name));
    if (is_readable(path)) {
      return path;
    }
  }
  return NULL;
}

static verdict search_text(search *s, const char *path, tn_str text);

static verdict search_file(search *s, const char *path) {
  char *data = NULL;
  size_t size = 0;
  if (s->depth == DEPTH_MAXIMUM || s->file_count == FILES_MAXIMUM ||
      tn_file_read_regular(path, FILE_SIZE_MAXIMUM, &data, &size, NULL) != TN_OK) {
    return STOPPED;
  }
  s->depth++;
  s->file_count++;
  const verdict is = search_text(s, path, (tn_str){data, size});
  s->depth--;
  tn_free(data);
  return is;
}

static verdict take_include(search *s, const place *p) {
  bool is_quoted = false;
  const tn_str name = tn_preamble_included(p->walk.directive, &is_quoted);
  const char *umbrella = umbrella_of(name);
  const char *own = resolve(s, p->path, name, is_quoted);
  if (umbrella && !own) {
    s->found = (tn_preamble_umbrella){umbrella, p->path, p->walk.line};
    return p->depth == 0 ? FOUND : STOPPED;
  }
  if (own) {
    return p->depth == 0 ? search_file(s, own) : STOPPED;
  }
  return is_one_of(name, standard_headers) || tn_str_has_prefix(name, TN_STR_LIT("sycl/"))
             ? PASSED
             : STOPPED;
}

// What is behind the directive's name.
static tn_str argument_of(const tn_preamble_walk *walk) {
  const size_t begin = (size_t)(walk->name.data - walk->directive.data) + walk->name.size;
  return tn_str_trim(tn_str_slice(walk->directive, begin, walk->directive.size));
}

static verdict take_directive(search *s, place *p) {
  static const char *const conditions[] = {"if", "ifdef", "ifndef", NULL};
  static const char *const others[] = {"elif", "elifdef", "elifndef", "else", NULL};
  const tn_str name = p->walk.name;
  const tn_str argument = argument_of(&p->walk);
  const bool is_pragma = tn_str_equals(name, TN_STR_LIT("pragma"));
  if (is_pragma && tn_str_equals(argument, TN_STR_LIT("once"))) {
    return PASSED;
  }
  const bool was_first = p->is_first;
  p->is_first = false;
  if (p->guard.size > 0 && !p->has_guard && p->depth == 1 &&
      tn_str_equals(name, TN_STR_LIT("define")) && tn_str_equals(argument, p->guard)) {
    p->has_guard = true;
    p->depth = 0;
    return PASSED;
  }
  p->guard = p->has_guard ? p->guard : (tn_str){0};
  if (is_one_of(name, conditions)) {
    p->guard = was_first && tn_str_equals(name, TN_STR_LIT("ifndef")) ? argument : p->guard;
    p->depth++;
    return PASSED;
  }
  if (tn_str_equals(name, TN_STR_LIT("endif"))) {
    p->depth -= p->depth > 0;
    return PASSED;
  }
  if (tn_str_equals(name, TN_STR_LIT("include"))) {
    return take_include(s, p);
  }
  return is_one_of(name, others) && p->depth > 0 ? PASSED : STOPPED;
}

static verdict search_text(search *s, const char *path, tn_str text) {
  place p = {.path = path, .is_first = true};
  tn_preamble_walk_begin(&p.walk, text);
  verdict is = PASSED;
  while (is == PASSED && tn_preamble_walk_next(&p.walk)) {
    is = take_directive(s, &p);
  }
  return is == PASSED && !p.walk.is_at_end ? STOPPED : is;
}

bool tn_preamble_umbrella_find(const tn_clang_preamble_query *query, tn_arena *arena,
                               tn_preamble_umbrella *out) {
  search s = {.query = query, .arena = arena};
  if (query->has_includes ||
      search_text(&s, query->source, (tn_str){query->text, query->text_size}) != FOUND) {
    return false;
  }
  *out = s.found;
  return true;
}
