// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans of ranges by a group on NVIDIA GPUs: its work-items go through a range
// together, four elements each at a time.
// Source: SYCL 2020 section 4.17.4.
#ifndef TENON_SYCL_DETAIL_GROUP_QUADS_HPP
#define TENON_SYCL_DETAIL_GROUP_QUADS_HPP

#include <sycl/detail/group_reduce.hpp>

namespace sycl::detail {

// What comes before the next element, if anything does.
template <class T>
struct carried {
  T value;
  bool exists;
};

#ifdef __NVPTX__

// Four elements that follow each other, read and written at once where they are so aligned: the
// compiler's vectors, because it would take apart anything else.
template <class T>
struct quad_of {
  typedef T type __attribute__((__ext_vector_type__(4)));
};
template <class T>
using quad = typename quad_of<std::remove_cv_t<T>>::type;
template <class T>
using if_in_quads =
    std::enable_if_t<std::is_arithmetic_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool>, int>;
template <class T, if_in_quads<T> = 0>
bool is_quad_aligned(T *pointer) noexcept {
  return reinterpret_cast<std::uintptr_t>(pointer) % (4 * sizeof(T)) == 0;
}
template <class Pointer>
bool is_quad_aligned(const Pointer &) noexcept {
  return false;
}
template <class T, if_in_quads<T> = 0>
quad<T> load_quad(T *first, std::size_t i) noexcept {
  return *reinterpret_cast<const quad<T> *>(first + i);
}
template <class T, class U, if_in_quads<T> = 0>
void store_quad(T *first, std::size_t i, const U (&values)[4]) noexcept {
  *reinterpret_cast<quad<T> *>(first + i) = {static_cast<T>(values[0]), static_cast<T>(values[1]),
                                             static_cast<T>(values[2]), static_cast<T>(values[3])};
}
// Other pointers are never aligned.
template <class Pointer>
quad<int> load_quad(const Pointer &, std::size_t) noexcept {
  return quad<int>();
}
template <class Pointer, class U>
void store_quad(const Pointer &, std::size_t, const U (&)[4]) noexcept {}

// Four elements of each of the group's work-items; the caller reads and writes them.
template <class Group, bool Inclusive, class T, class Load, class Store, class Operation>
void scan_tile(carried<T> &carry, const Operation &operation, const Load &load,
               const Store &store) {
  const std::size_t here = group_index<Group>();
  T mine[4];
  load(mine);
  for (int k = 1; k < 4; ++k) {
    mine[k] = operation(mine[k - 1], mine[k]);
  }
  const scanned<T> scan = group_scan<Group>(mine[3], operation);
  T before = here > 0 || !carry.exists ? scan.before : carry.value;
  if (here > 0 && carry.exists) {
    before = operation(carry.value, before);
  }
  const bool has_before = here > 0 || carry.exists;
  T out[4];
  for (int k = 0; k < 4; ++k) {
    const T own = Inclusive ? mine[k] : mine[k > 0 ? k - 1 : 0];
    out[k] = !Inclusive && k == 0 ? before
             : has_before         ? static_cast<T>(operation(before, own))
                                  : own;
  }
  store(out);
  carry = {carry.exists ? static_cast<T>(operation(carry.value, scan.total)) : scan.total, true};
}

// The group goes through the range together, four elements a work-item at a time.
template <class Group, bool Inclusive, class T, class InPtr, class OutPtr, class Operation>
void scan_quads(InPtr first, std::size_t count, OutPtr result, carried<T> carry,
                const Operation &operation) {
  const std::size_t size = 4 * group_size<Group>();
  std::size_t start = 0;
  if (is_quad_aligned(first) && is_quad_aligned(result)) {
    for (; count - start >= size; start += size) {
      const std::size_t i = start + 4 * group_index<Group>();
      scan_tile<Group, Inclusive>(
          carry, operation,
          [&](T(&mine)[4]) {
            const auto from = load_quad(first, i);
            for (int k = 0; k < 4; ++k) {
              mine[k] = static_cast<T>(from[k]);
            }
          },
          [&](const T(&out)[4]) { store_quad(result, i, out); });
    }
  }
  for (; start < count; start += size) {
    const std::size_t i = start + 4 * group_index<Group>();
    scan_tile<Group, Inclusive>(
        carry, operation,
        [&](T(&mine)[4]) {
          // Behind the end stands any element: nothing before it depends on it.
          for (std::size_t k = 0; k < 4; ++k) {
            mine[k] = static_cast<T>(first[i + k < count ? i + k : count - 1]);
          }
        },
        [&](const T(&out)[4]) {
          for (std::size_t k = 0; k < 4; ++k) {
            if (i + k < count) {
              result[i + k] = out[k];
            }
          }
        });
  }
}

// In turns, several under way at a time.
template <class T, class InPtr, class Operation>
T fold_far_apart(InPtr first, std::size_t count, std::size_t here, std::size_t step,
                 const Operation &operation) {
  T folded = identity<Operation, T>::get();
  std::size_t i = here;
  if (is_quad_aligned(first)) {
    const std::size_t quads = count / 4;
    const auto add = [&](const auto &from) {
      for (int k = 0; k < 4; ++k) {
        folded = operation(folded, static_cast<T>(from[k]));
      }
    };
    std::size_t q = here;
    for (; q + 3 * step < quads; q += 4 * step) {
      const auto a = load_quad(first, 4 * q), b = load_quad(first, 4 * (q + step));
      const auto c = load_quad(first, 4 * (q + 2 * step)), d = load_quad(first, 4 * (q + 3 * step));
      add(a), add(b), add(c), add(d);
    }
#pragma clang loop unroll(disable)
    for (; q < quads; q += step) {
      add(load_quad(first, 4 * q));
    }
    i += 4 * quads;
  } else {
    for (; i + 3 * step < count; i += 4 * step) {
      const T a = static_cast<T>(first[i]), b = static_cast<T>(first[i + step]);
      const T c = static_cast<T>(first[i + 2 * step]), d = static_cast<T>(first[i + 3 * step]);
      folded = operation(operation(operation(operation(folded, a), b), c), d);
    }
  }
#pragma clang loop unroll(disable)
  for (; i < count; i += step) {
    folded = operation(folded, static_cast<T>(first[i]));
  }
  return folded;
}

#endif

}  // namespace sycl::detail

#endif
