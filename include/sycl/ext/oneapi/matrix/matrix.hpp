// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// joint_matrix: matrices that a sub-group holds together, each element in one work-item, and their
// product. No matrix unit is used: work-items exchange elements by shuffles, on every device.
// Source: the SYCL extension sycl_ext_oneapi_matrix, and sycl_ext_intel_matrix.
#ifndef TENON_SYCL_EXT_MATRIX_HPP
#define TENON_SYCL_EXT_MATRIX_HPP

#include <sycl/bfloat16.hpp>
#include <sycl/detail/group_primitives.hpp>
#include <sycl/device.hpp>
#include <sycl/half.hpp>
#include <sycl/multi_ptr.hpp>
#include <sycl/sub_group.hpp>

#include <vector>

namespace sycl::ext::oneapi::experimental::matrix {

enum class use { a, b, accumulator };
enum class layout { row_major = 0, col_major = 1, ext_intel_packed = 2, dynamic = 3 };
namespace precision {
class tf32 {
  tf32() = delete;
};
}  // namespace precision

template <class Group, class T, use Use, std::size_t Rows, std::size_t Cols,
          layout Layout = layout::dynamic>
struct joint_matrix;

}  // namespace sycl::ext::oneapi::experimental::matrix

namespace sycl::detail {

namespace syclmatrix = ext::oneapi::experimental::matrix;

template <class T>
struct matrix_element {
  using type = T;
};
template <>
struct matrix_element<syclmatrix::precision::tf32> {
  using type = float;
};

// The least size of sub-groups: a work-item's part is sized for it.
inline constexpr std::size_t matrix_lanes =
#ifdef __NVPTX__
    32;
#else
    4;
#endif

// Where element e of the sub-group's order is. Work-item l has the elements l, l + size, …; so the
// order is such that work-items that need different elements at a time find them in one turn.
template <syclmatrix::use Use, std::size_t Rows, std::size_t Cols>
struct matrix_order {
  static constexpr std::uint32_t count = static_cast<std::uint32_t>(Rows * Cols);
  static constexpr bool is_by_column = Use == syclmatrix::use::a;
  static constexpr std::uint32_t row(std::uint32_t e) noexcept {
    return static_cast<std::uint32_t>(is_by_column ? e % Rows : e / Cols);
  }
  static constexpr std::uint32_t column(std::uint32_t e) noexcept {
    return static_cast<std::uint32_t>(is_by_column ? e / Rows : e % Cols);
  }
  static constexpr std::uint32_t element(std::uint32_t row, std::uint32_t column) noexcept {
    return static_cast<std::uint32_t>(is_by_column ? column * Rows + row : row * Cols + column);
  }
};

struct matrix_access {
  template <class Matrix>
  static auto &elements(Matrix &matrix) noexcept {
    return matrix.elements_;
  }
};

constexpr bool is_power_of_two(std::size_t n) noexcept { return (n & (n - 1)) == 0; }

// Calls f(element of the calling work-item, row, column) for each.
template <class T, syclmatrix::use Use, std::size_t Rows, std::size_t Cols, class Matrix, class F>
void for_matrix_elements(Matrix &matrix, F &&f) {
  using order = matrix_order<Use, Rows, Cols>;
  auto &elements = matrix_access::elements(matrix);
  const std::uint32_t size = max_lane_count();
  std::uint32_t e = lane();
  for (std::uint32_t turn = 0; e < order::count; ++turn, e += size) {
    f(elements[turn], order::row(e), order::column(e));
  }
}

// The element e of the matrix, another one in each work-item. `first`: what work-item 0 asks for.
// With sizes that are powers of two all ask for elements of one turn.
template <bool IsOneTurn, class Matrix>
auto fetch_matrix_element(const Matrix &matrix, std::uint32_t count, std::uint32_t e,
                          std::uint32_t first) noexcept {
  const auto &elements = matrix_access::elements(matrix);
  const std::uint32_t size = max_lane_count();
  if constexpr (IsOneTurn) {
    static_cast<void>(count);
    return shuffle(elements[first / size], e % size);
  } else {
    static_cast<void>(first);
    auto found = elements[0];
    for (std::uint32_t turn = 0; turn * size < count; ++turn) {
      const auto one = shuffle(elements[turn], e % size);
      found = turn == e / size ? one : found;
    }
    return found;
  }
}

// Of the element in memory. Packed: rows in groups that fill 32 bits, whose elements lie together.
template <class T>
std::size_t matrix_place(std::uint32_t row, std::uint32_t column, std::size_t stride,
                         syclmatrix::layout layout) noexcept {
  if (layout == syclmatrix::layout::row_major) {
    return row * stride + column;
  }
  if (layout == syclmatrix::layout::col_major) {
    return column * stride + row;
  }
  constexpr std::size_t together = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
  return row / together * stride + column * together + row % together;
}

// The parts of a matrix that a work-item has.
template <class T>
class matrix_part {
 public:
  matrix_part(T *elements, std::size_t length) noexcept : elements_(elements), length_(length) {}
  std::size_t length() const noexcept { return length_; }
  T &operator[](std::size_t i) const noexcept { return elements_[i]; }

 private:
  T *elements_;
  std::size_t length_;
};

}  // namespace sycl::detail

namespace sycl::ext::oneapi::experimental::matrix {

template <class Group, class T, use Use, std::size_t Rows, std::size_t Cols, layout Layout>
struct joint_matrix {
  static_assert(std::is_same_v<Group, sycl::sub_group>, "a joint_matrix is a sub-group's");
  joint_matrix() noexcept {}
  joint_matrix(const joint_matrix &) = delete;
  joint_matrix &operator=(const joint_matrix &) = delete;

 private:
  friend struct sycl::detail::matrix_access;
  typename sycl::detail::matrix_element<T>::type
      elements_[(Rows * Cols + sycl::detail::matrix_lanes - 1) / sycl::detail::matrix_lanes];
};

// Calls f(element) for each element that the work-item has.
template <class Group, class T, use Use, std::size_t Rows, std::size_t Cols, layout Layout, class F>
void joint_matrix_apply(Group, joint_matrix<Group, T, Use, Rows, Cols, Layout> &jm, F &&lambda) {
  sycl::detail::for_matrix_elements<T, Use, Rows, Cols>(
      jm, [&](auto &element, std::uint32_t, std::uint32_t) { lambda(element); });
}
// f(element of the one, the same element of the other).
template <class Group, class One, class Other, use Use, std::size_t Rows, std::size_t Cols,
          layout Layout0, layout Layout1, class F>
void joint_matrix_apply(Group, joint_matrix<Group, One, Use, Rows, Cols, Layout0> &jm0,
                        joint_matrix<Group, Other, Use, Rows, Cols, Layout1> &jm1, F &&lambda) {
  const std::uint32_t size = sycl::detail::max_lane_count();
  sycl::detail::for_matrix_elements<One, Use, Rows, Cols>(
      jm0, [&](auto &element, std::uint32_t row, std::uint32_t column) {
        const std::uint32_t e = sycl::detail::matrix_order<Use, Rows, Cols>::element(row, column);
        lambda(element, sycl::detail::matrix_access::elements(jm1)[e / size]);
      });
}

template <class Group, class T, use Use, std::size_t Rows, std::size_t Cols, layout Layout,
          class Value>
void joint_matrix_fill(Group sg, joint_matrix<Group, T, Use, Rows, Cols, Layout> &res,
                       const Value &v) {
  using element = typename sycl::detail::matrix_element<T>::type;
  joint_matrix_apply(sg, res, [&](element &each) { each = static_cast<element>(v); });
}

// `stride`: elements from one row to the next, or from one column to the next.
template <class Group, class S, class T, use Use, std::size_t Rows, std::size_t Cols, layout Layout,
          access::address_space Space, access::decorated IsDecorated>
void joint_matrix_load(Group, joint_matrix<Group, S, Use, Rows, Cols, Layout> &res,
                       multi_ptr<T, Space, IsDecorated> src, std::size_t stride) {
  static_assert(Use != use::accumulator && Layout != layout::dynamic,
                "joint_matrix_load: a matrix without a layout of its own needs one as argument");
  T *from = src.get_raw();
  sycl::detail::for_matrix_elements<S, Use, Rows, Cols>(
      res, [&](auto &element, std::uint32_t row, std::uint32_t column) {
        element = from[sycl::detail::matrix_place<S>(row, column, stride, Layout)];
      });
}
template <class Group, class S, class T, std::size_t Rows, std::size_t Cols,
          access::address_space Space, access::decorated IsDecorated>
void joint_matrix_load(Group,
                       joint_matrix<Group, S, use::accumulator, Rows, Cols, layout::dynamic> &res,
                       multi_ptr<T, Space, IsDecorated> src, std::size_t stride, layout Layout) {
  T *from = src.get_raw();
  sycl::detail::for_matrix_elements<S, use::accumulator, Rows, Cols>(
      res, [&](auto &element, std::uint32_t row, std::uint32_t column) {
        element = from[sycl::detail::matrix_place<S>(row, column, stride, Layout)];
      });
}
template <class Group, class S, class T, std::size_t Rows, std::size_t Cols,
          access::address_space Space, access::decorated IsDecorated>
void joint_matrix_store(
    Group, const joint_matrix<Group, S, use::accumulator, Rows, Cols, layout::dynamic> &src,
    multi_ptr<T, Space, IsDecorated> dst, std::size_t stride, layout Layout) {
  T *to = dst.get_raw();
  sycl::detail::for_matrix_elements<S, use::accumulator, Rows, Cols>(
      src, [&](const auto &element, std::uint32_t row, std::uint32_t column) {
        to[sycl::detail::matrix_place<S>(row, column, stride, Layout)] = element;
      });
}

// D = A * B + C; D and C may be one matrix.
template <class Group, class Ta, class Tb, class Tc, class Td, std::size_t M, std::size_t K,
          std::size_t N, layout LayoutA, layout LayoutB>
void joint_matrix_mad(Group, joint_matrix<Group, Td, use::accumulator, M, N, layout::dynamic> &D,
                      const joint_matrix<Group, Ta, use::a, M, K, LayoutA> &A,
                      const joint_matrix<Group, Tb, use::b, K, N, LayoutB> &B,
                      const joint_matrix<Group, Tc, use::accumulator, M, N, layout::dynamic> &C) {
  using element = typename sycl::detail::matrix_element<Td>::type;
  using sum_type =
      std::conditional_t<std::is_same_v<element, double> || std::is_integral_v<element>, element,
                         float>;
  using order = sycl::detail::matrix_order<use::accumulator, M, N>;
  using order_a = sycl::detail::matrix_order<use::a, M, K>;
  using order_b = sycl::detail::matrix_order<use::b, K, N>;
  constexpr bool is_one_turn = sycl::detail::is_power_of_two(M) &&
                               sycl::detail::is_power_of_two(N) && sycl::detail::is_power_of_two(K);
  const std::uint32_t size = sycl::detail::max_lane_count();
  for (std::uint32_t turn = 0; turn * size < order::count; ++turn) {
    // All work-items take part in the shuffles, also those that have no element in the last turn.
    const std::uint32_t first = turn * size;
    const std::uint32_t e = (first + sycl::detail::lane()) % order::count;
    auto sum = static_cast<sum_type>(sycl::detail::matrix_access::elements(C)[turn]);
    for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(K); ++k) {
      const auto a = sycl::detail::fetch_matrix_element<is_one_turn>(
          A, order_a::count, order_a::element(order::row(e), k),
          order_a::element(order::row(first), k));
      const auto b = sycl::detail::fetch_matrix_element<is_one_turn>(
          B, order_b::count, order_b::element(k, order::column(e)),
          order_b::element(k, order::column(first)));
      sum += static_cast<sum_type>(a) * static_cast<sum_type>(b);
    }
    sycl::detail::matrix_access::elements(D)[turn] = static_cast<element>(sum);
  }
}

template <class Group, class From, class To, use Use1, use Use2, std::size_t Rows, std::size_t Cols,
          layout Layout1, layout Layout2>
void joint_matrix_copy(Group, joint_matrix<Group, From, Use1, Rows, Cols, Layout1> &src,
                       joint_matrix<Group, To, Use2, Rows, Cols, Layout2> &dst) {
  using element = typename sycl::detail::matrix_element<To>::type;
  using from = sycl::detail::matrix_order<Use1, Rows, Cols>;
  using to = sycl::detail::matrix_order<Use2, Rows, Cols>;
  const std::uint32_t size = sycl::detail::max_lane_count();
  for (std::uint32_t turn = 0; turn * size < to::count; ++turn) {
    auto &element_of_dst = sycl::detail::matrix_access::elements(dst)[turn];
    if constexpr (from::is_by_column == to::is_by_column) {
      element_of_dst = static_cast<element>(sycl::detail::matrix_access::elements(src)[turn]);
    } else {
      const std::uint32_t e = (turn * size + sycl::detail::lane()) % to::count;
      element_of_dst = static_cast<element>(sycl::detail::fetch_matrix_element<false>(
          src, from::count, from::element(to::row(e), to::column(e)), 0));
    }
  }
}

// A hint without effect.
template <std::size_t Rows, std::size_t Cols, class Group, class T, class... Properties>
void joint_matrix_prefetch(Group, T *, std::size_t, layout, Properties...) {}

// To the nearest number with 10 bits of fraction; ties away from zero.
inline float round_to_tf32(const float &a) {
  const auto bits = __builtin_bit_cast(std::uint32_t, a);
  const bool is_finite = (bits & 0x7f800000u) != 0x7f800000u;
  return is_finite ? __builtin_bit_cast(float, (bits + 0x1000u) & 0xffffe000u) : a;
}

enum class matrix_type {
  bf16,
  fp16,
  tf32,
  fp32,
  fp64,
  sint8,
  sint16,
  sint32,
  sint64,
  uint8,
  uint16,
  uint32,
  uint64
};
// What products a device has. A size of 0: any up to the maximum.
struct combination {
  std::size_t max_msize, max_nsize, max_ksize;
  std::size_t msize, nsize, ksize;
  matrix_type atype, btype, ctype, dtype;
};

}  // namespace sycl::ext::oneapi::experimental::matrix

namespace sycl::ext::oneapi::detail {

// Of the calling work-item, to read and to change.
template <class Group, class T, experimental::matrix::use Use, std::size_t Rows, std::size_t Cols,
          experimental::matrix::layout Layout>
auto get_wi_data(Group, experimental::matrix::joint_matrix<Group, T, Use, Rows, Cols, Layout> &jm) {
  using element = typename sycl::detail::matrix_element<T>::type;
  const std::size_t size = sycl::detail::max_lane_count();
  return sycl::detail::matrix_part<element>(sycl::detail::matrix_access::elements(jm),
                                            (Rows * Cols + size - 1 - sycl::detail::lane()) / size);
}

}  // namespace sycl::ext::oneapi::detail

namespace sycl::ext::intel::experimental::matrix {

// Calls f(element, row, column) for each element that the work-item has.
template <class Group, class T, oneapi::experimental::matrix::use Use, std::size_t Rows,
          std::size_t Cols, oneapi::experimental::matrix::layout Layout, class F>
void joint_matrix_apply(
    Group, oneapi::experimental::matrix::joint_matrix<Group, T, Use, Rows, Cols, Layout> &jm,
    F &&lambda) {
  sycl::detail::for_matrix_elements<T, Use, Rows, Cols>(
      jm, [&](auto &element, std::uint32_t row, std::uint32_t column) {
        lambda(element, static_cast<std::size_t>(row), static_cast<std::size_t>(column));
      });
}
// Of the matrices a and b, in their own layout.
template <class Group, class S, class T, oneapi::experimental::matrix::use Use, std::size_t Rows,
          std::size_t Cols, oneapi::experimental::matrix::layout Layout,
          access::address_space Space, access::decorated IsDecorated,
          std::enable_if_t<Use != oneapi::experimental::matrix::use::accumulator, int> = 0>
void joint_matrix_store(
    Group, const oneapi::experimental::matrix::joint_matrix<Group, S, Use, Rows, Cols, Layout> &src,
    multi_ptr<T, Space, IsDecorated> dst, std::size_t stride) {
  T *to = dst.get_raw();
  sycl::detail::for_matrix_elements<S, Use, Rows, Cols>(
      src, [&](const auto &element, std::uint32_t row, std::uint32_t column) {
        to[sycl::detail::matrix_place<S>(row, column, stride, Layout)] = element;
      });
}

}  // namespace sycl::ext::intel::experimental::matrix

namespace sycl::ext::oneapi::experimental::info::device {

struct matrix_combinations {
  using return_type = std::vector<matrix::combination>;
  static return_type tn_query(const tn_device *) {
    using t = matrix::matrix_type;
    return {{64, 64, 64, 0, 0, 0, t::bf16, t::bf16, t::fp32, t::fp32},
            {64, 64, 64, 0, 0, 0, t::fp16, t::fp16, t::fp32, t::fp32},
            {64, 64, 64, 0, 0, 0, t::fp16, t::fp16, t::fp16, t::fp16},
            {64, 64, 64, 0, 0, 0, t::tf32, t::tf32, t::fp32, t::fp32},
            {64, 64, 64, 0, 0, 0, t::fp64, t::fp64, t::fp64, t::fp64},
            {64, 64, 64, 0, 0, 0, t::sint8, t::sint8, t::sint32, t::sint32},
            {64, 64, 64, 0, 0, 0, t::uint8, t::uint8, t::sint32, t::sint32},
            {64, 64, 64, 0, 0, 0, t::sint8, t::uint8, t::sint32, t::sint32},
            {64, 64, 64, 0, 0, 0, t::uint8, t::sint8, t::sint32, t::sint32}};
  }
};

}  // namespace sycl::ext::oneapi::experimental::info::device

#endif
