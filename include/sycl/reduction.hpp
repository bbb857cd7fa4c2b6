// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::reduction. Source: SYCL 2020 section 4.9.2.2.
#ifndef TENON_SYCL_REDUCTION_HPP
#define TENON_SYCL_REDUCTION_HPP

#include <sycl/detail/reduction_launch.hpp>
#include <sycl/detail/reduction_object.hpp>
#include <sycl/queue.hpp>
#include <sycl/span.hpp>

namespace sycl {

namespace detail {

template <class Operation, class T>
using found_identity = std::conditional_t<has_known_identity_v<Operation, T>,
                                          known_identity_of<Operation, T>, no_identity>;

#ifdef __SYCL_DEVICE_ONLY__
template <class Identity>
bool starts_over(const property_list &) {
  return false;
}
#else
template <class Identity>
bool starts_over(const property_list &properties) {
  const bool asked = properties.has_property<property::reduction::initialize_to_identity>();
  if (asked && !Identity::exists) {
    raise(errc::invalid,
          "reduction: property::reduction::initialize_to_identity needs an identity, and none is "
          "known for this operation and type; give one after the variable");
  }
  return asked;
}
#endif

template <class T, int Dimensions, std::size_t Extent, class Operation, class Identity,
          class Variable>
auto make_reduction(const Variable &variable, const Operation &combiner, const Identity &identity,
                    const property_list &properties) {
  return reduction_object<T, Operation, Identity, Variable, Dimensions, Extent>(
      variable, combiner, identity, starts_over<Identity>(properties));
}

template <class T, int Dimensions, class AllocatorT, class Operation, class Identity>
auto make_reduction(buffer<T, Dimensions, AllocatorT> &vars, handler &cgh,
                    const Operation &combiner, const Identity &identity,
                    const property_list &properties) {
  static_assert(!std::is_const_v<T>, "reduction: a buffer of const elements cannot be written");
#ifndef __SYCL_DEVICE_ONLY__
  if (vars.size() != 1) {
    raise(errc::invalid, "reduction: the buffer has to have exactly one element");
  }
#endif
  const property_list access =
      starts_over<Identity>(properties) ? property_list(no_init) : property_list();
  return make_reduction<T, 0, 1>(
      accessor<T, Dimensions, access_mode::read_write>(vars, cgh, access), combiner, identity,
      properties);
}

}  // namespace detail

template <class T, int Dimensions, class AllocatorT, class BinaryOperation>
auto reduction(buffer<T, Dimensions, AllocatorT> vars, handler &cgh, BinaryOperation combiner,
               const property_list &propList = {}) {
  return detail::make_reduction(vars, cgh, combiner, detail::found_identity<BinaryOperation, T>(),
                                propList);
}
template <class T, class BinaryOperation>
auto reduction(T *var, BinaryOperation combiner, const property_list &propList = {}) {
  return detail::make_reduction<T, 0, 1>(var, combiner,
                                         detail::found_identity<BinaryOperation, T>(), propList);
}
template <class T, std::size_t Extent, class BinaryOperation>
auto reduction(span<T, Extent> vars, BinaryOperation combiner, const property_list &propList = {}) {
  static_assert(Extent != dynamic_extent, "reduction: the span's type has to say its extent");
  return detail::make_reduction<T, 1, Extent>(
      vars.data(), combiner, detail::found_identity<BinaryOperation, T>(), propList);
}

template <class T, int Dimensions, class AllocatorT, class BinaryOperation>
auto reduction(buffer<T, Dimensions, AllocatorT> vars, handler &cgh,
               const std::remove_const_t<T> &identity, BinaryOperation combiner,
               const property_list &propList = {}) {
  return detail::make_reduction(vars, cgh, combiner, detail::given_identity<T>{identity}, propList);
}
template <class T, class BinaryOperation>
auto reduction(T *var, const std::remove_const_t<T> &identity, BinaryOperation combiner,
               const property_list &propList = {}) {
  return detail::make_reduction<T, 0, 1>(var, combiner, detail::given_identity<T>{identity},
                                         propList);
}
template <class T, std::size_t Extent, class BinaryOperation>
auto reduction(span<T, Extent> vars, const std::remove_const_t<T> &identity,
               BinaryOperation combiner, const property_list &propList = {}) {
  static_assert(Extent != dynamic_extent, "reduction: the span's type has to say its extent");
  return detail::make_reduction<T, 1, Extent>(vars.data(), combiner,
                                              detail::given_identity<T>{identity}, propList);
}

}  // namespace sycl

#endif
