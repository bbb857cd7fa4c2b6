// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Demangling for messages about symbols that no image describes. The runtime does not link the C++
// library; a SYCL program has it, and there it is asked for.
#include "run/program/symbol_text.h"

#include "base/dynlib.h"

typedef char *(*demangle_fn)(const char *symbol, char *buffer, size_t *size, int *status);

// Of a kernel that is a function: "sycl::detail::free_kernel<&(f(int))>" to "f(int)".
static tn_str strip_function(tn_str name) {
  const tn_str prefix = TN_STR_LIT("sycl::detail::free_kernel<&");
  if (!tn_str_has_prefix(name, prefix) || name.data[name.size - 1] != '>') {
    return name;
  }
  name = tn_str_slice(name, prefix.size, name.size - prefix.size - 1);
  const bool is_inside = name.size > 2 && name.data[0] == '(' && name.data[name.size - 1] == ')';
  return is_inside ? tn_str_slice(name, 1, name.size - 2) : name;
}

tn_str tn_symbol_text_strip(tn_str display_name) {
  const tn_str prefix = TN_STR_LIT("typeinfo name for ");
  return tn_str_has_prefix(display_name, prefix)
             ? strip_function(tn_str_slice(display_name, prefix.size, display_name.size))
             : display_name;
}

void tn_symbol_text_add(tn_buf *buf, tn_str symbol) {
  // What follows "@" is the number of a translation unit.
  const size_t at = tn_str_find_char(symbol, '@');
  char *copy = tn_str_copy(at == SIZE_MAX ? symbol : tn_str_slice(symbol, 0, at));
  void *address = tn_dynlib_resolve("__cxa_demangle", NULL);
  demangle_fn demangle = NULL;
  memcpy(&demangle, &address, sizeof(demangle));
  int failed = 0;
  char *text = copy && demangle ? demangle(copy, NULL, NULL, &failed) : NULL;
  tn_buf_add_str(buf, text && failed == 0 ? tn_symbol_text_strip(tn_str_from(text)) : symbol);
  tn_free_foreign(text);
  tn_free(copy);
}
