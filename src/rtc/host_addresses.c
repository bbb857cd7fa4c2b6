// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of addresses for compile/module/host_symbols.h. Names resolve to this library's own C
// library whatever the process has loaded, and to nothing else.
#include "rtc/host_addresses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/module/host_symbols.h"

// The compiler's runtime has no header; only addresses are taken.
#define TN_DECLARE(name) void name(void);
TN_HOST_RUNTIME_MAP(TN_DECLARE)
double _Complex __muldc3(double a, double b, double c, double d);
float _Complex __mulsc3(float a, float b, float c, float d);
double _Complex __divdc3(double a, double b, double c, double d);
float _Complex __divsc3(float a, float b, float c, float d);
// What assert() calls; its header declares it only while assertions are on.
void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function);

typedef void (*any_function)(void);
typedef struct host_function {
  const char *name;
  any_function address;
} host_function;

#define TN_ENTRY(name) {#name, (any_function)name},
#define TN_ENTRY_THREE(name) \
  {#name, (any_function)name}, {#name "f", (any_function)name##f}, {#name "l", (any_function)name##l},

static const host_function functions[] = {
    TN_HOST_STRING_MAP(TN_ENTRY) TN_HOST_MATH_MAP(TN_ENTRY_THREE)
    TN_HOST_MATH_GNU_MAP(TN_ENTRY_THREE) TN_HOST_RUNTIME_MAP(TN_ENTRY)
    TN_HOST_COMPLEX_MAP(TN_ENTRY) TN_HOST_OTHER_MAP(TN_ENTRY)};

uint64_t tn_host_address_find(tn_str symbol) {
  for (size_t i = 0; i < TN_COUNT(functions); ++i) {
    if (tn_str_equals(symbol, tn_str_from(functions[i].name))) {
      return (uint64_t)(uintptr_t)functions[i].address;
    }
  }
  return 0;
}
