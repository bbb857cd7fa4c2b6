// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names for people, through the C++ runtime's demangler.
#include "compile/module/module.h"

// libstdc++'s; declared here because its header is C++.
char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);

char *tn_demangle(tn_arena *arena, tn_str symbol) {
  char *name = tn_arena_str(arena, symbol);
  if (!name || !tn_str_has_prefix(symbol, TN_STR_LIT("_Z"))) {
    return name;
  }
  int status = 0;
  char *text = __cxa_demangle(name, NULL, NULL, &status);
  if (!text || status != 0) {
    tn_free_foreign(text);
    return name;
  }
  char *result = tn_arena_str(arena, tn_str_from(text));
  tn_free_foreign(text);
  return result;
}

// "sycl::detail::free_kernel<&(void ns::f<int>(float*))>" is known as "ns::f<int>".
static char *function_name(char *text) {
  static const char prefix[] = "sycl::detail::free_kernel<&";
  char *end = text + strlen(text);
  if (strncmp(text, prefix, sizeof(prefix) - 1) != 0 || end[-1] != '>') {
    return text;
  }
  text += sizeof(prefix) - 1;
  *--end = '\0';
  if (*text == '(' && end[-1] == ')') {
    ++text;
    *--end = '\0';
  }
  text += strncmp(text, "void ", 5) == 0 ? 5 : 0;
  // The parameters: back to the parenthesis that the last one closes.
  int open = 0;
  for (char *at = end; at > text && at[-1] != '\0'; --at) {
    open += (at[-1] == ')') - (at[-1] == '(');
    if (open == 0) {
      at[-1] = at[-1] == '(' ? '\0' : at[-1];
      break;
    }
  }
  return text;
}

char *tn_demangle_kernel(tn_arena *arena, tn_str symbol) {
  const tn_str prefix = TN_STR_LIT("typeinfo name for ");
  const size_t at = tn_str_rfind_char(symbol, '@');
  const tn_str name = at == SIZE_MAX ? symbol : tn_str_slice(symbol, 0, at);
  char *text = tn_demangle(arena, name);
  if (!text) {
    return NULL;
  }
  if (tn_str_has_prefix(tn_str_from(text), prefix)) {
    return function_name(text + prefix.size);
  }
  if (tn_str_has_prefix(name, TN_STR_LIT("_ZTSUl"))) {
    return tn_arena_str(arena, TN_STR_LIT("lambda at namespace scope"));
  }
  return text;
}
