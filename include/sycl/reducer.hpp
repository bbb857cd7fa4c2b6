// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::reducer: what a kernel gives its contributions to. Source: SYCL 2020 section 4.9.2.3.
#ifndef TENON_SYCL_REDUCER_HPP
#define TENON_SYCL_REDUCER_HPP

#include <sycl/detail/macros.hpp>
#include <sycl/detail/portable.hpp>
#include <sycl/functional.hpp>

#include <cstddef>
#include <type_traits>

namespace sycl {

namespace detail {

struct reducer_access;

// Where the identity of a reduction comes from.
struct no_identity {
  static constexpr bool exists = false;
};
template <class Operation, class T>
struct known_identity_of {
  static constexpr bool exists = true;
  T get() const { return known_identity_v<Operation, T>; }
};
template <class T>
struct given_identity {
  static constexpr bool exists = true;
  T value;
  T get() const { return value; }
};

// The contributions may be combined in any order, so that of two lanes is as good as of two
// neighbors.
template <class Operation, class T>
T combine_any_order(const Operation &operation, const T &lhs, const T &rhs) {
  TN_SYCL_ANY_ORDER
  if constexpr (std::is_floating_point_v<T> && is_operation<plus, Operation, T>) {
    return lhs + rhs;
  } else if constexpr (std::is_floating_point_v<T> && is_operation<multiplies, Operation, T>) {
    return lhs * rhs;
  } else {
    return operation(lhs, rhs);
  }
}

// Room for a T, which need not have a default constructor. Members of unions may be anything's
// memory to a compiler, so that only types that need one get one.
template <class T, bool IsPlain = std::is_trivially_default_constructible_v<T>>
struct accumulator_room {
  accumulator_room() {}
  union {
    T value;
  };
};
template <class T>
struct accumulator_room<T, true> {
  T value;
};

// What was contributed to one variable; a value of T once there is one.
template <class T, bool HasIdentity>
struct accumulator : accumulator_room<T> {
  using accumulator_room<T>::value;
  template <class Operation>
  void combine(const Operation &operation, const T &partial) {
    value = combine_any_order<Operation, T>(operation, value, partial);
  }
  static constexpr bool has_identity = true;
  static constexpr bool has_value = true;
};
template <class T>
struct accumulator<T, false> : accumulator_room<T> {
  using accumulator_room<T>::value;
  // Sub-groups pass on values that nobody looks at; they have to be some value.
  accumulator() { __builtin_memset(static_cast<void *>(&value), 0, sizeof(T)); }
  template <class Operation>
  void combine(const Operation &operation, const T &partial) {
    if (has_value) {
      value = combine_any_order<Operation, T>(operation, value, partial);
    } else {
      __builtin_memcpy(static_cast<void *>(&value), &partial, sizeof(T));
      has_value = true;
    }
  }
  static constexpr bool has_identity = false;
  bool has_value = false;
};

template <class T, bool HasIdentity, std::size_t Count, class Identity>
void start_elements(accumulator<T, HasIdentity> (&elements)[Count], const Identity &identity) {
  if constexpr (HasIdentity) {
    const T value = identity.get();
    for (auto &element : elements) {
      __builtin_memcpy(static_cast<void *>(&element.value), &value, sizeof(T));
    }
  }
}

#if defined(__cpp_deleted_function) && __cpp_deleted_function >= 202403L
#define TN_SYCL_OTHER_REDUCTION delete ("the reduction has another operation")
#else
#define TN_SYCL_OTHER_REDUCTION delete
#endif

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"
#endif

// The operators, each for the function object that does the same. The others are deleted, so that
// an error in a kernel names what is wrong and nothing else.
template <class Derived, class T, class Operation>
class reducer_operators {
 public:
  template <class O = Operation, std::enable_if_t<is_operation<plus, O, T>, int> = 0>
  Derived &operator+=(const T &partial) {
    return self().combine(partial);
  }
  template <class O = Operation, std::enable_if_t<!is_operation<plus, O, T>, int> = 0>
  Derived &operator+=(const T &partial) = TN_SYCL_OTHER_REDUCTION;
  template <class O = Operation, std::enable_if_t<is_operation<multiplies, O, T>, int> = 0>
  Derived &operator*=(const T &partial) {
    return self().combine(partial);
  }
  template <class O = Operation, std::enable_if_t<!is_operation<multiplies, O, T>, int> = 0>
  Derived &operator*=(const T &partial) = TN_SYCL_OTHER_REDUCTION;
  template <class O = Operation, std::enable_if_t<is_operation<bit_and, O, T>, int> = 0>
  Derived &operator&=(const T &partial) {
    return self().combine(partial);
  }
  template <class O = Operation, std::enable_if_t<!is_operation<bit_and, O, T>, int> = 0>
  Derived &operator&=(const T &partial) = TN_SYCL_OTHER_REDUCTION;
  template <class O = Operation, std::enable_if_t<is_operation<bit_or, O, T>, int> = 0>
  Derived &operator|=(const T &partial) {
    return self().combine(partial);
  }
  template <class O = Operation, std::enable_if_t<!is_operation<bit_or, O, T>, int> = 0>
  Derived &operator|=(const T &partial) = TN_SYCL_OTHER_REDUCTION;
  template <class O = Operation, std::enable_if_t<is_operation<bit_xor, O, T>, int> = 0>
  Derived &operator^=(const T &partial) {
    return self().combine(partial);
  }
  template <class O = Operation, std::enable_if_t<!is_operation<bit_xor, O, T>, int> = 0>
  Derived &operator^=(const T &partial) = TN_SYCL_OTHER_REDUCTION;
  template <class O = Operation,
            std::enable_if_t<is_operation<plus, O, T> && std::is_integral_v<T>, int> = 0>
  Derived &operator++() {
    return self().combine(static_cast<T>(1));
  }
  // Nothing can be read of a reducer, so both forms return it.
  template <class O = Operation,
            std::enable_if_t<is_operation<plus, O, T> && std::is_integral_v<T>, int> = 0>
  Derived &operator++(int) {
    return self().combine(static_cast<T>(1));
  }
#undef TN_SYCL_OTHER_REDUCTION

 private:
  Derived &self() { return static_cast<Derived &>(*this); }
};

#ifdef __clang__
#pragma clang diagnostic pop
#endif

// One element of a reducer for a span.
template <class T, class Operation, class Identity>
class reducer_element
    : public reducer_operators<reducer_element<T, Operation, Identity>, T, Operation> {
 public:
  using value_type = T;
  using binary_operation = Operation;
  static constexpr int dimensions = 0;

  reducer_element &combine(const T &partial) {
    to_.combine(operation_, partial);
    return *this;
  }
  template <class I = Identity, std::enable_if_t<I::exists, int> = 0>
  T identity() const {
    return identity_.get();
  }

 private:
  friend struct reducer_access;
  reducer_element(accumulator<T, Identity::exists> &to, const Operation &operation,
                  const Identity &identity)
      : to_(to), operation_(operation), identity_(identity) {}
  accumulator<T, Identity::exists> &to_;
  const Operation &operation_;
  const Identity &identity_;
};

}  // namespace detail

// The parameters after the third are Tenon's.
template <class T, class BinaryOperation, int Dimensions, std::size_t Extent, class Identity>
class reducer;

template <class T, class BinaryOperation, std::size_t Extent, class Identity>
class reducer<T, BinaryOperation, 0, Extent, Identity>
    : public detail::reducer_operators<reducer<T, BinaryOperation, 0, Extent, Identity>, T,
                                       BinaryOperation> {
 public:
  using value_type = T;
  using binary_operation = BinaryOperation;
  static constexpr int dimensions = 0;

  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;

  reducer &combine(const T &partial) {
    elements_[0].combine(operation_, partial);
    return *this;
  }
  template <class I = Identity, std::enable_if_t<I::exists, int> = 0>
  T identity() const {
    return identity_.get();
  }

 private:
  friend struct detail::reducer_access;
  reducer(const BinaryOperation &operation, const Identity &identity)
      : operation_(operation), identity_(identity) {
    detail::start_elements(elements_, identity);
  }
  detail::accumulator<T, Identity::exists> elements_[1];
  const BinaryOperation operation_;
  const Identity identity_;
};

template <class T, class BinaryOperation, std::size_t Extent, class Identity>
class reducer<T, BinaryOperation, 1, Extent, Identity> {
 public:
  using value_type = T;
  using binary_operation = BinaryOperation;
  static constexpr int dimensions = 1;

  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;

  detail::reducer_element<T, BinaryOperation, Identity> operator[](std::size_t index);
  template <class I = Identity, std::enable_if_t<I::exists, int> = 0>
  T identity() const {
    return identity_.get();
  }

 private:
  friend struct detail::reducer_access;
  reducer(const BinaryOperation &operation, const Identity &identity)
      : operation_(operation), identity_(identity) {
    detail::start_elements(elements_, identity);
  }
  detail::accumulator<T, Identity::exists> elements_[Extent];
  const BinaryOperation operation_;
  const Identity identity_;
};

namespace detail {

struct reducer_access {
  template <class Reducer, class Operation, class Identity>
  static Reducer make(const Operation &operation, const Identity &identity) {
    return Reducer(operation, identity);
  }
  template <class Reducer>
  static void merge(Reducer &into, const Reducer &from) {
    for (std::size_t i = 0; i < sizeof(into.elements_) / sizeof(into.elements_[0]); ++i) {
      if (from.elements_[i].has_value) {
        into.elements_[i].combine(into.operation_, from.elements_[i].value);
      }
    }
  }
  template <class Reducer>
  static auto &elements(Reducer &reducer) {
    return reducer.elements_;
  }
  template <class T, class Operation, class Identity>
  static reducer_element<T, Operation, Identity> element(accumulator<T, Identity::exists> &to,
                                                         const Operation &operation,
                                                         const Identity &identity) {
    return {to, operation, identity};
  }
};

}  // namespace detail

template <class T, class BinaryOperation, std::size_t Extent, class Identity>
detail::reducer_element<T, BinaryOperation, Identity>
reducer<T, BinaryOperation, 1, Extent, Identity>::operator[](std::size_t index) {
  return detail::reducer_access::element(elements_[index], operation_, identity_);
}

}  // namespace sycl

#endif
