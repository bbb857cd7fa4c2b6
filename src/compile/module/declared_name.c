// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a header could declare the type that names a kernel ahead of the source, told from how
// the name reads.
#include "compile/module/module.h"

typedef struct obstacle {
  const char *part;  // of the demangled name
  const char *reason;
} obstacle;

// The first that is found is told. A nested class reads as a class of a namespace does, unless it
// is in a template.
static const obstacle obstacles[] = {
    {"{lambda", "is, or is made with, the type of a lambda; give the kernel a name"},
    {"'lambda", "is, or is made with, the type of a lambda; give the kernel a name"},
    {"{unnamed", "is, or is made with, a type without a name"},
    {"'unnamed", "is, or is made with, a type without a name"},
    {"(anonymous namespace)", "lies in an anonymous namespace; move it to one with a name"},
    {")::", "is declared inside a function; declare it in a namespace"},
    {") const::", "is declared inside a function; declare it in a namespace"},
    {">::", "is nested in a class template; declare it in a namespace"},
};

// "std::" of its own, not the end of another name.
static bool is_made_with_std(tn_str text) {
  for (size_t at = 0; at + 5 <= text.size; ++at) {
    const char before = at > 0 ? text.data[at - 1] : '<';
    const bool begins = before == '<' || before == ' ' || before == '(' || before == ',';
    if (begins && tn_str_has_prefix(tn_str_slice(text, at, 5), TN_STR_LIT("std::"))) {
      return true;
    }
  }
  return false;
}

// "(name)3": the value of an enumeration, which would have to be declared with its type.
static bool has_enumerator(tn_str text) {
  for (size_t at = 0; at + 2 < text.size; ++at) {
    const char c = text.data[at];
    const char next = text.data[at + 2];
    if ((c == '<' || (c == ',' && text.data[at + 1] == ' ')) &&
        (c == '<' ? text.data[at + 1] : next) == '(') {
      return true;
    }
  }
  return false;
}

const char *tn_kernel_name_obstacle(tn_arena *arena, tn_str symbol) {
  if (!tn_str_has_prefix(symbol, TN_STR_LIT("_ZTS"))) {
    return NULL;  // a C name
  }
  const char *shown = tn_demangle_kernel(arena, symbol);
  if (!shown) {
    return "cannot be read, for lack of memory";
  }
  const tn_str text = tn_str_from(shown);
  for (size_t i = 0; i < TN_COUNT(obstacles); ++i) {
    if (tn_str_find(text, tn_str_from(obstacles[i].part)) != SIZE_MAX) {
      return obstacles[i].reason;
    }
  }
  if (is_made_with_std(text)) {
    return "is made with a type of the standard library, which only its own headers may declare";
  }
  return has_enumerator(text) ? "is made with an enumerator, whose type has to be known before"
                              : NULL;
}
