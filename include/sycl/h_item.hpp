// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::h_item and hierarchical kernels: one work-item runs a work-group, and loops over its
// logical work-items. Source: SYCL 2020 sections 4.9.1.6, 4.9.4.2.3.
#ifndef TENON_SYCL_H_ITEM_HPP
#define TENON_SYCL_H_ITEM_HPP

#include <sycl/detail/check.hpp>
#include <sycl/detail/portable.hpp>
#include <sycl/handler.hpp>
#include <sycl/item.hpp>
#include <sycl/nd_item.hpp>

namespace sycl {

template <int Dimensions>
class h_item {
 public:
  static constexpr int dimensions = Dimensions;

  h_item() = delete;

#define TN_SYCL_H_ITEM(name, member)                                                   \
  range<Dimensions> get_##name##_range() const noexcept { return member.get_range(); } \
  std::size_t get_##name##_range(int dimension) const noexcept {                       \
    return member.get_range(dimension);                                                \
  }                                                                                    \
  id<Dimensions> get_##name##_id() const noexcept { return member.get_id(); }          \
  std::size_t get_##name##_id(int dimension) const noexcept { return member.get_id(dimension); }
  item<Dimensions, false> get_global() const noexcept { return global_; }
  item<Dimensions, false> get_local() const noexcept { return logical_; }
  item<Dimensions, false> get_logical_local() const noexcept { return logical_; }
  item<Dimensions, false> get_physical_local() const noexcept { return physical_; }
  TN_SYCL_H_ITEM(global, global_)
  TN_SYCL_H_ITEM(local, logical_)
  TN_SYCL_H_ITEM(logical_local, logical_)
  TN_SYCL_H_ITEM(physical_local, physical_)
#undef TN_SYCL_H_ITEM

  friend bool operator==(const h_item &lhs, const h_item &rhs) noexcept {
    return lhs.global_ == rhs.global_ && lhs.logical_ == rhs.logical_ &&
           lhs.physical_ == rhs.physical_;
  }
  friend bool operator!=(const h_item &lhs, const h_item &rhs) noexcept { return !(lhs == rhs); }

 private:
  friend struct detail::hierarchy;
  h_item(const item<Dimensions, false> &global, const item<Dimensions, false> &logical,
         const item<Dimensions, false> &physical) noexcept
      : global_(global), logical_(logical), physical_(physical) {}

  item<Dimensions, false> global_;
  item<Dimensions, false> logical_;
  // As if work-items of the work-group took the logical ones in turns, in each dimension.
  item<Dimensions, false> physical_;
};

namespace detail {

// How many work-items a hierarchical kernel's work-group has at most: private_memory holds as many.
inline constexpr std::size_t longest_hierarchy = 4096;

struct hierarchy {
  template <int Dimensions>
  static group<Dimensions> make_group(const range<Dimensions> &size) noexcept {
    return group<Dimensions>(size);
  }

  template <int Dimensions>
  static h_item<Dimensions> make_item(const group<Dimensions> &group,
                                      const range<Dimensions> &logical_range,
                                      const id<Dimensions> &logical) noexcept {
    const range<Dimensions> size = group.get_local_range();
    const id<Dimensions> physical = logical % id<Dimensions>(size);
    const id<Dimensions> global = group.get_group_id() * id<Dimensions>(size) + physical;
    const id<Dimensions> none;
    return {{global, group.get_group_range() * size, none},
            {logical, logical_range, none},
            {physical, size, none}};
  }

  template <int Dimensions, class F>
  static void for_each(const group<Dimensions> &group, const range<Dimensions> &extent,
                       const F &f) {
    id<Dimensions> place;
    if constexpr (Dimensions == 1) {
      for (place[0] = 0; place[0] < extent[0]; ++place[0]) {
        f(make_item(group, extent, place));
      }
    } else if constexpr (Dimensions == 2) {
      for (place[0] = 0; place[0] < extent[0]; ++place[0]) {
        for (place[1] = 0; place[1] < extent[1]; ++place[1]) {
          f(make_item(group, extent, place));
        }
      }
    } else {
      for (place[0] = 0; place[0] < extent[0]; ++place[0]) {
        for (place[1] = 0; place[1] < extent[1]; ++place[1]) {
          for (place[2] = 0; place[2] < extent[2]; ++place[2]) {
            f(make_item(group, extent, place));
          }
        }
      }
    }
  }
};

// The kernel: one work-item for each work-group.
template <class F, int Dimensions>
struct work_group_function {
  using tn_wrapped_function = F;
  F f;
  range<Dimensions> size;
  TN_SYCL_ANNOTATE("tenon.reqd_work_group_size", 1, 1, 1)
  void operator()(nd_item<Dimensions>) const {
    group<Dimensions> here = hierarchy::make_group(size);
    call_kernel_function(f, here);
  }
};

template <int Dimensions>
range<Dimensions> range_of_ones() noexcept {
  range<Dimensions> ones;
  for (int i = 0; i < Dimensions; ++i) {
    ones[i] = 1;
  }
  return ones;
}

template <class Name, int Dimensions, class F>
void launch_work_groups(handler &cgh, const range<Dimensions> &groups,
                        const range<Dimensions> &size, const F &f) {
  static_assert(is_kernel_function<const F &, group<Dimensions> &>,
                "parallel_for_work_group: the kernel function is const and takes a group of these "
                "dimensions, and maybe a kernel_handler");
  bool fits = true;
  std::size_t count = 1;
  for (int i = 0; i < Dimensions; ++i) {
    fits = fits && size[i] != 0 && size[i] <= longest_hierarchy / count;
    count *= fits ? size[i] : 1;
  }
  // Work-groups of such a size are refused at launch: there the kernel is known, and whether it
  // asks for what the device does not have, which is another error.
  const nd_range<Dimensions> refused(size, size);
  const nd_range<Dimensions> one_item_each(groups, range_of_ones<Dimensions>());
  cgh.template parallel_for<kernel_name<Name, F>>(fits ? one_item_each : refused,
                                                  work_group_function<F, Dimensions>{f, size});
}
template <class Name, int Dimensions, class Properties, class F>
void launch_work_groups_with_properties(handler &cgh, const range<Dimensions> &groups,
                                        const range<Dimensions> &size, const Properties &properties,
                                        const F &f) {
  set_launch_properties(cgh, properties);
  launch_work_groups<name_with<Name, F, Properties>>(cgh, groups, size,
                                                     function_with<Properties>(f));
}

}  // namespace detail

template <int Dimensions>
template <class WorkItemFunctionT>
void group<Dimensions>::parallel_for_work_item(const WorkItemFunctionT &func) const noexcept {
  detail::hierarchy::for_each(*this, get_local_range(), func);
}
template <int Dimensions>
template <class WorkItemFunctionT>
void group<Dimensions>::parallel_for_work_item(range<Dimensions> logicalRange,
                                               const WorkItemFunctionT &func) const noexcept {
  detail::hierarchy::for_each(*this, logicalRange, func);
}

}  // namespace sycl

#endif
