// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of linkers about kernels that no launch defines: their names, their symbols, and a warning.
#include "compile/driver/missing_kernels.h"

// Names that are no classes stand in a class of the headers (sycl/detail/kernel_named.hpp).
static tn_str user_type(tn_str name) {
  const tn_str before = TN_STR_LIT("sycl::detail::name_of_type<");
  return tn_str_has_prefix(name, before) && tn_str_has_suffix(name, TN_STR_LIT(">"))
             ? tn_str_trim(tn_str_slice(name, before.size, name.size - before.size - 1))
             : name;
}

static bool is_undefined(tn_str line) {
  return tn_str_find(line, TN_STR_LIT("undefined ")) != SIZE_MAX;
}

// Empty in lines about anything else.
static tn_str missing_name(tn_str line) {
  const tn_str before =
      TN_STR_LIT("the_one_kernel_of_this_name(sycl::detail::kernels::kernel_named<");
  const size_t at = is_undefined(line) ? tn_str_find(line, before) : SIZE_MAX;
  tn_str name = at == SIZE_MAX ? (tn_str){0} : tn_str_slice(line, at + before.size, SIZE_MAX);
  while (name.size >= 2 && memcmp(name.data + name.size - 2, ">)", 2) != 0) {
    name.size--;
  }
  name.size -= name.size < 2 ? name.size : 2;
  return user_type(tn_str_trim(name));
}

bool tn_is_symbol_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$' || c == '@';
}

tn_str tn_missing_kernel_symbol(tn_str line) {
  const tn_str function = TN_STR_LIT("27the_one_kernel_of_this_nameE");
  const size_t at = is_undefined(line) ? tn_str_find(line, function) : SIZE_MAX;
  if (at == SIZE_MAX) {
    return (tn_str){0};
  }
  size_t first = at;
  size_t end = at + function.size;
  while (first > 0 && tn_is_symbol_char(line.data[first - 1])) {
    first--;
  }
  while (end < line.size && tn_is_symbol_char(line.data[end])) {
    end++;
  }
  return tn_str_slice(line, first, end - first);
}

bool tn_missing_kernels_any(tn_str errors) {
  bool is_any = false;
  while (!is_any && errors.data && errors.size > 0) {
    is_any = missing_name(tn_str_split(&errors, '\n')).size > 0;
  }
  return is_any;
}

void tn_missing_kernels_warn(tn_str errors, tn_map *told, tn_buf *text) {
  while (errors.data && errors.size > 0) {
    const tn_str name = missing_name(tn_str_split(&errors, '\n'));
    if (name.size > 0 && !tn_map_find(told, name) && tn_map_set(told, name, text)) {
      tn_buf_add_format(text,
                        "tenon++: warning: no kernel named '%.*s' is defined in what is linked, "
                        "and get_kernel_id will throw: launch it in the program or library that "
                        "asks for it by name, or get its kernel_id from the one that does\n",
                        TN_STR_ARG(name));
    }
  }
}
