// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions the host gives to device code on the CPU.
#include "compile/module/host_symbols.h"

#include "compile/module/module.h"

#define TN_NAME(name) #name,
#define TN_NAME_THREE(name) #name, #name "f", #name "l",

static const char *const names[] = {
    TN_HOST_STRING_MAP(TN_NAME) TN_HOST_MATH_MAP(TN_NAME_THREE)
    TN_HOST_MATH_GNU_MAP(TN_NAME_THREE) TN_HOST_RUNTIME_MAP(TN_NAME)
    TN_HOST_COMPLEX_MAP(TN_NAME) TN_HOST_OTHER_MAP(TN_NAME)};

bool tn_is_host_symbol(tn_str symbol) {
  for (size_t i = 0; i < TN_COUNT(names); ++i) {
    if (tn_str_equals(symbol, tn_str_from(names[i]))) {
      return true;
    }
  }
  return false;
}
