// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The standard headers that programs get from <sycl/sycl.hpp> without including them, as DPC++'s
// brings them. No other header here includes this one: they cost half as much again as SYCL.
#ifndef TENON_SYCL_DETAIL_STANDARD_HEADERS_HPP
#define TENON_SYCL_DETAIL_STANDARD_HEADERS_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <cassert>
#include <cctype>
#include <cerrno>
#include <cfenv>
#include <cfloat>
#include <chrono>
#include <climits>
#include <clocale>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#if __cplusplus >= 202002L
#include <bit>
#include <span>
#endif

#endif
