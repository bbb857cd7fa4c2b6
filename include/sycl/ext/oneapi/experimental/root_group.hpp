// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All work-items of a kernel as a group, at whose barrier work-groups wait for each other.
// Source: the SYCL extension sycl_ext_oneapi_root_group.
#ifndef TENON_SYCL_EXT_ROOT_GROUP_HPP
#define TENON_SYCL_EXT_ROOT_GROUP_HPP

#include <sycl/atomic_ref.hpp>
#include <sycl/ext/oneapi/experimental/use_root_sync_prop.hpp>
#include <sycl/ext/oneapi/free_function_queries.hpp>
#include <sycl/group_barrier.hpp>
#include <sycl/nd_item.hpp>

namespace sycl {

namespace ext::oneapi::experimental {

template <int Dimensions>
class root_group {
 public:
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::device;

  id<Dimensions> get_group_id() const noexcept { return {}; }
  id<Dimensions> get_local_id() const noexcept { return item_.get_global_id(); }
  range<Dimensions> get_group_range() const noexcept {
    if constexpr (Dimensions == 1) {
      return range<1>(1);
    } else if constexpr (Dimensions == 2) {
      return range<2>(1, 1);
    } else {
      return range<3>(1, 1, 1);
    }
  }
  range<Dimensions> get_local_range() const noexcept { return item_.get_global_range(); }
  range<Dimensions> get_max_local_range() const noexcept { return get_local_range(); }
  std::size_t get_group_linear_id() const noexcept { return 0; }
  std::size_t get_local_linear_id() const noexcept { return item_.get_global_linear_id(); }
  std::size_t get_group_linear_range() const noexcept { return 1; }
  std::size_t get_local_linear_range() const noexcept { return get_local_range().size(); }
  bool leader() const noexcept { return get_local_linear_id() == 0; }

 private:
  friend class nd_item<Dimensions>;
  friend struct sycl::detail::root_access;
  explicit root_group(const nd_item<Dimensions> &item) noexcept : item_(item) {}

  nd_item<Dimensions> item_;
};

namespace this_work_item {
template <int Dimensions>
root_group<Dimensions> get_root_group() {
  return oneapi::this_work_item::get_nd_item<Dimensions>().ext_oneapi_get_root_group();
}
}  // namespace this_work_item

namespace this_kernel {
template <int Dimensions>
root_group<Dimensions> get_root_group() {
  return this_work_item::get_root_group<Dimensions>();
}
}  // namespace this_kernel

}  // namespace ext::oneapi::experimental

namespace detail {

struct root_access {
  template <int Dimensions>
  static const nd_item<Dimensions> &item(
      const ext::oneapi::experimental::root_group<Dimensions> &g) noexcept {
    return g.item_;
  }
};

// The word's highest bit changes when all groups have come: each of them adds one, and the first
// what is then left to that bit. So the word need not be set before the next time.
inline void wait_for_groups(std::size_t group, std::size_t count) noexcept {
  constexpr std::uint32_t turn = 0x80000000;
#ifdef __SYCL_DEVICE_ONLY__
  std::uint32_t *const word = __tenon_root_word();
#else
  std::uint32_t *const word = nullptr;  // only kernels have groups
#endif
  if (word == nullptr) {
    return;
  }
  const atomic_ref<std::uint32_t, memory_order::acq_rel, memory_scope::device> arrived(*word);
  const std::uint32_t step = group == 0 ? turn - static_cast<std::uint32_t>(count - 1) : 1;
  const std::uint32_t before = arrived.fetch_add(step);
  while (((before ^ arrived.load(memory_order::acquire)) & turn) == 0) {
  }
}

}  // namespace detail

namespace ext::oneapi::experimental {

template <int Dimensions>
group<Dimensions> get_child_group(root_group<Dimensions> g) noexcept {
  return sycl::detail::root_access::item(g).get_group();
}
template <int Dimensions>
sub_group get_child_group(group<Dimensions>) {
  return oneapi::this_work_item::get_sub_group();
}

}  // namespace ext::oneapi::experimental

// In kernels that were launched with use_root_sync.
template <int Dimensions>
TN_SYCL_CHECKS void group_barrier(ext::oneapi::experimental::root_group<Dimensions> g,
                                  memory_scope fenceScope = memory_scope::device) noexcept {
  const nd_item<Dimensions> &item = detail::root_access::item(g);
  const group<Dimensions> own = item.get_group();
  if (own.get_group_linear_range() == 1) {
    detail::work_group_barrier(fenceScope);
    return;
  }
  detail::work_group_barrier(memory_scope::device);
  if (own.leader()) {
    detail::wait_for_groups(own.get_group_linear_id(), own.get_group_linear_range());
  }
  detail::work_group_barrier(memory_scope::device);
}

template <int Dimensions>
ext::oneapi::experimental::root_group<Dimensions> nd_item<Dimensions>::ext_oneapi_get_root_group()
    const noexcept {
  return ext::oneapi::experimental::root_group<Dimensions>(*this);
}

}  // namespace sycl

#endif
