// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of a driver's library, for programs that call it themselves.
#ifndef TENON_TEST_DRIVER_FUNCTIONS_HPP
#define TENON_TEST_DRIVER_FUNCTIONS_HPP

#include "../../headers/Inputs/expect.hpp"

#include <cstring>
#include <dlfcn.h>

template <class F>
static void find(void *library, const char *name, F &out) {
  void *found = dlsym(library, name);
  EXPECT(found != nullptr);
  std::memcpy(&out, &found, sizeof(out));
}

// One value that a function of the driver's tells of an object.
template <class T, class Get, class Object>
static T info(Get get, Object object, unsigned what) {
  T value{};
  EXPECT(get(object, what, sizeof(value), &value, nullptr) == 0);
  return value;
}

#endif
