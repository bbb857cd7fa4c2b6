// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::memory_order and memory_scope. Source: SYCL 2020 sections 3.8.3.1, 3.8.3.2.
#ifndef TENON_SYCL_MEMORY_ENUMS_HPP
#define TENON_SYCL_MEMORY_ENUMS_HPP

#include <sycl/detail/macros.hpp>

namespace sycl {

enum class memory_order : int { relaxed, acquire, release, acq_rel, seq_cst };
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

enum class memory_scope : int { work_item, sub_group, work_group, device, system };
inline constexpr memory_scope memory_scope_work_item = memory_scope::work_item;
inline constexpr memory_scope memory_scope_sub_group = memory_scope::sub_group;
inline constexpr memory_scope memory_scope_work_group = memory_scope::work_group;
inline constexpr memory_scope memory_scope_device = memory_scope::device;
inline constexpr memory_scope memory_scope_system = memory_scope::system;

}  // namespace sycl

#endif
