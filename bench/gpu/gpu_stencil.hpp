// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The volume of the stencil programs, and what their result has to be.
#ifndef TENON_BENCH_GPU_STENCIL_HPP
#define TENON_BENCH_GPU_STENCIL_HPP

#include "kernel_bench.hpp"

namespace stencil {
constexpr int nx = 512, ny = 512, nz = 768;  // x is the fastest
constexpr std::size_t size = std::size_t{nx} * ny * nz;
constexpr int tile_x = 32, tile_y = 8;
constexpr int slab = 64;  // planes that a group of the tiled version walks through
constexpr float center = 0.4f, side = 0.1f;
constexpr double bytes = 2.0 * sizeof(float) * size;

inline bool is_right(const float *to) {
  const auto at = [](std::size_t i) { return bench::random_float(static_cast<std::uint32_t>(i)); };
  constexpr std::size_t row = nx, plane = std::size_t{nx} * ny;
  for (std::uint32_t k = 0; k < bench::samples; ++k) {
    const std::size_t i = bench::sample(size, k);
    const std::size_t x = i % nx, y = i / nx % ny, z = i / plane;
    const bool is_inside = x > 0 && x + 1 < nx && y > 0 && y + 1 < ny && z > 0 && z + 1 < nz;
    const double want = !is_inside
                            ? 0
                            : center * at(i) + side * (at(i - 1) + at(i + 1) + at(i - row) +
                                                       at(i + row) + at(i - plane) + at(i + plane));
    if (!bench::is_near(to[i], want, 1e-5)) {
      return false;
    }
  }
  return true;
}
}  // namespace stencil

#endif
