// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that say what is wrong and let the program fail at its end.
#pragma once
#include <sycl/sycl.hpp>

#include <cstdio>

inline int failures = 0;

#define EXPECT(condition)                                                          \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition);         \
      ++failures;                                                                  \
    }                                                                              \
  } while (false)

// Kernels with [[sycl::reqd_sub_group_size(size)]] run on the device.
inline bool has_sub_groups_of(const sycl::device &device, std::size_t size) {
  for (std::size_t one : device.get_info<sycl::info::device::sub_group_sizes>()) {
    if (one == size) {
      return true;
    }
  }
  return false;
}

// The statement throws a sycl::exception with this code.
#define EXPECT_ERRC(code_, statement)                                              \
  do {                                                                             \
    bool thrown = false;                                                           \
    try {                                                                          \
      statement;                                                                   \
    } catch (const sycl::exception &e) {                                           \
      thrown = true;                                                               \
      if (e.code() != sycl::errc::code_) {                                         \
        std::printf("%s:%d: expected errc::" #code_ ", got %d: %s\n", __FILE__, __LINE__, \
                    e.code().value(), e.what());                                   \
        ++failures;                                                                \
      }                                                                            \
    }                                                                              \
    if (!thrown) {                                                                 \
      std::printf("%s:%d: expected errc::" #code_ " from %s\n", __FILE__, __LINE__, #statement); \
      ++failures;                                                                  \
    }                                                                              \
  } while (false)
