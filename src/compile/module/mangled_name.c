// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads kernel names (Itanium C++ ABI, "_ZTS" + type) to tell whether the type has linkage. Only
// as much of the grammar is known as finds that out; what is not known counts as local.
#include "compile/module/module.h"

enum { TN_MANGLED_DEPTH = 64 };

typedef struct scanner {
  const char *at;
  const char *end;
  char open[TN_MANGLED_DEPTH];  // 'N' 'Z' 'I' 'J' 'F' 'U', 'L' (literal), 'X' (literal _Z…),
                                // 'A' (address of such a literal)
  size_t depth;
  char closed;  // 'Z' or 'I' right behind its E, 'Z' also over a following N and qualifiers
} scanner;

static char peek(const scanner *s, size_t ahead) {
  return (size_t)(s->end - s->at) > ahead ? s->at[ahead] : '\0';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

static bool push(scanner *s, char what, size_t skip) {
  if (s->depth == TN_MANGLED_DEPTH) {
    return false;
  }
  s->open[s->depth++] = what;
  s->at += skip;
  return true;
}

// Moves behind the next `c`; false when there is none.
static bool skip_past(scanner *s, char c) {
  const char *found = memchr(s->at, c, (size_t)(s->end - s->at));
  s->at = found ? found + 1 : s->end;
  return found != NULL;
}

// <length><identifier>; false for an unnamed namespace or a length beyond the end.
static bool skip_identifier(scanner *s) {
  size_t size = 0;
  while (is_digit(peek(s, 0)) && size < 100000) {
    size = size * 10 + (size_t)(*s->at++ - '0');
  }
  if (size == 0 || size > (size_t)(s->end - s->at)) {
    return false;
  }
  const tn_str name = {s->at, size};
  s->at += size;
  return !tn_str_has_prefix(name, TN_STR_LIT("_GLOBAL__N"));
}

static bool skip_value(scanner *s) {  // of a literal, up to its E
  while (peek(s, 0) == 'n' || is_digit(peek(s, 0))) {
    ++s->at;
  }
  if (peek(s, 0) != 'E') {
    return false;
  }
  ++s->at;
  return true;
}

// S_ S<id>_ and the standard abbreviations.
static bool skip_substitution(scanner *s) {
  if (is_lower(peek(s, 1))) {
    s->at += 2;
    return true;
  }
  return skip_past(s, '_');
}

static bool scan_literal(scanner *s) {  // at L
  const char type = peek(s, 1);
  if (is_digit(type)) {
    return false;  // a name of internal linkage, or an enumerator of a global enumeration
  }
  if (type == 'N') {
    return push(s, 'L', 1);
  }
  if (type == '_' && peek(s, 2) == 'Z') {
    return push(s, 'X', 3);
  }
  if (type == 'S') {
    ++s->at;
    const bool is_std = peek(s, 1) == 't';
    return skip_substitution(s) && (!is_std || skip_identifier(s)) && skip_value(s);
  }
  if (is_lower(type) || (type == 'D' && peek(s, 2) == 'n')) {
    return skip_past(s, 'E');
  }
  return false;
}

// _ <digit> or __ <digits> _ behind the name of a local entity.
static void skip_discriminator(scanner *s) {
  if (peek(s, 0) == '_' && is_digit(peek(s, 1))) {
    s->at += 2;
  } else if (peek(s, 0) == '_' && peek(s, 1) == '_') {
    s->at += 2;
    skip_past(s, '_');
  }
}

static bool scan_close(scanner *s) {  // at E
  if (s->depth == 0) {
    return false;
  }
  const char what = s->open[--s->depth];
  ++s->at;
  s->closed = what == 'Z' || what == 'I' ? what : '\0';
  if (what == 'U') {  // [<number>] _
    return skip_past(s, '_');
  }
  if (what == 'Z' && peek(s, 0) == 'd') {  // a default argument: d [<number>] _
    return skip_past(s, '_');
  }
  if (what == 'N' && s->depth > 0 && s->open[s->depth - 1] == 'L') {
    --s->depth;
    return skip_value(s);
  }
  return true;
}

// A closure or unnamed type is only named by what it lies in: a function (Z…E) or a class template
// (N…I…E). Behind a plain name it may lie in a namespace, where each unit counts its own.
static bool scan_unnamed(scanner *s, char closed) {  // at U
  const bool is_within =
      closed == 'Z' || (closed == 'I' && s->depth > 0 && s->open[s->depth - 1] == 'N');
  if (peek(s, 1) == 'l') {
    return is_within && push(s, 'U', 2);
  }
  if (peek(s, 1) == 't') {
    s->at += 2;
    return is_within && skip_past(s, '_');
  }
  ++s->at;
  return true;
}

static bool scan_d(scanner *s) {  // at D
  switch (peek(s, 1)) {
    case 'T':
    case 't':
      return false;  // decltype of an expression
    case 'v':
    case 'B':
    case 'U':
      return skip_past(s, '_');
    case 'F':
      s->at += 2;
      while (is_digit(peek(s, 0))) {
        ++s->at;
      }
      ++s->at;  // _ or b
      return true;
    default:
      s->at += 2;
      return true;
  }
}

static bool scan_t(scanner *s) {  // at T: T_ T<n>_, or a word for a kind of parameter
  if (is_lower(peek(s, 1))) {
    s->at += 2;
    return true;
  }
  return skip_past(s, '_');
}

// Of expressions only the address of a function or object: "XadL_Z…EE".
static bool scan_expression(scanner *s) {
  return peek(s, 1) == 'a' && peek(s, 2) == 'd' && peek(s, 3) == 'L' && peek(s, 4) == '_' &&
         peek(s, 5) == 'Z' && push(s, 'A', 3);
}

// One step; false when the name is local or not understood.
static bool scan_step(scanner *s) {
  const char closed = s->closed;
  s->closed = '\0';
  const char c = *s->at;
  if (is_digit(c)) {
    return skip_identifier(s);
  }
  switch (c) {
    case 'N':
      s->closed = closed == 'Z' ? closed : '\0';
      return push(s, c, 1);
    case 'K':
    case 'V':
      s->closed = closed == 'Z' ? closed : '\0';
      ++s->at;
      return true;
    case 'I':
    case 'J':
    case 'F':
    case 'Z':
      return push(s, c, 1);
    case 'E':
      return scan_close(s);
    case 'L':
      return scan_literal(s);
    case 'S':
      return skip_substitution(s);
    case 'T':
      return scan_t(s);
    case 'U':
      return scan_unnamed(s, closed);
    case 'D':
      return scan_d(s);
    case 'A':
      return skip_past(s, '_');
    case 'X':
      return scan_expression(s);
    case 'W':
    case 'Q':
      return false;  // modules and constraints
    case 'C':
      s->at += is_digit(peek(s, 1)) ? 2 : 1;
      return true;
    case '_':
      if (!is_digit(peek(s, 1)) && peek(s, 1) != '_') {
        return false;
      }
      skip_discriminator(s);
      return true;
    default:
      ++s->at;
      return true;
  }
}

bool tn_kernel_name_is_local(tn_str symbol) {
  const tn_str prefix = TN_STR_LIT("_ZTS");
  if (!tn_str_has_prefix(symbol, prefix)) {
    return false;  // a C name
  }
  scanner s = {.at = symbol.data + prefix.size, .end = symbol.data + symbol.size};
  while (s.at < s.end) {
    if (!scan_step(&s)) {
      return true;
    }
  }
  return s.depth != 0;
}
