// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The built-in functions on numbers: math, integer, common, geometric and relational.
// Source: SYCL 2020 rev. 9 sections 4.17.4 to 4.17.10.
#ifndef TENON_SYCL_BUILTINS_HPP
#define TENON_SYCL_BUILTINS_HPP

#include <sycl/detail/builtins_blend.hpp>
#include <sycl/detail/builtins_geometric.hpp>
#include <sycl/detail/builtins_integer.hpp>
#include <sycl/detail/builtins_math.hpp>
#include <sycl/detail/builtins_native.hpp>
#include <sycl/detail/builtins_relational.hpp>

#endif
