// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The standard types that SYCL's signatures name, from the smallest headers that define them.
// <functional>, <memory> and <mutex> cost as much as everything else here together.
#ifndef TENON_SYCL_DETAIL_STD_TYPES_HPP
#define TENON_SYCL_DETAIL_STD_TYPES_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__GLIBCXX__) && __has_include(<bits/std_function.h>) && \
    __has_include(<bits/shared_ptr.h>) && __has_include(<bits/std_mutex.h>)
#include <bits/shared_ptr.h>
#include <bits/std_function.h>
#include <bits/std_mutex.h>
#else
#include <functional>
#include <memory>
#include <mutex>
#endif

#endif
