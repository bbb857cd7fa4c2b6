// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sparse matrix of the programs that multiply it with a vector: rows of 8 to 55 elements, in
// columns near the diagonal.
#ifndef TENON_BENCH_GPU_SPMV_HPP
#define TENON_BENCH_GPU_SPMV_HPP

#include "kernel_bench.hpp"

namespace spmv {
constexpr int rows = 1 << 21;
constexpr int spread = 1 << 16;

struct matrix {
  std::vector<int> begins;  // rows + 1
  std::size_t elements;
};
inline matrix make() {
  matrix m{std::vector<int>(rows + 1), 0};
  int at = 0;
  for (int i = 0; i < rows; ++i) {
    m.begins[static_cast<std::size_t>(i)] = at;
    at += 8 + static_cast<int>(bench::random_bits(static_cast<std::uint32_t>(i)) % 48);
  }
  m.begins[rows] = at;
  m.elements = static_cast<std::size_t>(at);
  return m;
}
BENCH_BOTH inline int column(int row, int element) {
  const int distance =
      static_cast<int>(bench::random_bits(static_cast<std::uint32_t>(element) + 5u) % spread);
  return (row + distance) % rows;
}
inline bool is_right(const matrix &m, const float *y) {
  for (std::uint32_t k = 0; k < bench::samples; ++k) {
    const auto row = static_cast<int>(bench::sample(rows, k));
    double want = 0;
    for (int i = m.begins[static_cast<std::size_t>(row)];
         i < m.begins[static_cast<std::size_t>(row) + 1]; ++i) {
      want += bench::random_float(static_cast<std::uint32_t>(i)) *
              bench::random_float(static_cast<std::uint32_t>(column(row, i)) + 3u);
    }
    if (!bench::is_near(y[row], want, 1e-5)) {
      return false;
    }
  }
  return true;
}
inline double bytes(const matrix &m) { return 8.0 * static_cast<double>(m.elements) + 12.0 * rows; }
}  // namespace spmv

#endif
