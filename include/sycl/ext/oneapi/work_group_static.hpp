// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// work_group_static: a variable that each work-group has one of, in local memory.
// Source: the SYCL extension sycl_ext_oneapi_work_group_static.
#ifndef TENON_SYCL_EXT_WORK_GROUP_STATIC_HPP
#define TENON_SYCL_EXT_WORK_GROUP_STATIC_HPP

#include <type_traits>

namespace sycl::ext::oneapi::experimental {

// In block scope such a variable is static, whether it says so or not. Its value is indeterminate
// when a work-group begins. compile/lower knows the variables by the name of this class.
template <class T>
class work_group_static final {
  static_assert(std::is_trivially_constructible_v<T> && std::is_trivially_destructible_v<T>,
                "work_group_static: nobody would call the constructor or the destructor of its "
                "value");
  static_assert(!std::is_const_v<T> && !std::is_volatile_v<T>,
                "work_group_static: its value is neither const nor volatile");

 public:
  work_group_static() = default;
  work_group_static(const work_group_static &) = delete;
  work_group_static &operator=(const work_group_static &) = delete;

  // The extension's class has const members, and its sections about each have others.
  operator T &() noexcept { return value_; }
  operator T &() const noexcept { return own(); }
  template <class U = T, std::enable_if_t<!std::is_array_v<U>, int> = 0>
  work_group_static &operator=(const T &value) noexcept {
    value_ = value;
    return *this;
  }
  template <class U = T, std::enable_if_t<!std::is_array_v<U>, int> = 0>
  const work_group_static &operator=(const T &value) const noexcept {
    own() = value;
    return *this;
  }
  T *operator&() noexcept { return &value_; }
  T *operator&() const noexcept { return &own(); }

 private:
  T &own() const noexcept { return const_cast<T &>(value_); }

  T value_;
};

}  // namespace sycl::ext::oneapi::experimental

#endif
