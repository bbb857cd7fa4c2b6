// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A B of single precision through local memory, in SYCL: one element a work-item, and 8 x 8 of
// them.
#include "gpu_sgemm.hpp"

#include "kernel_bench_sycl.hpp"

using namespace sgemm;
using sycl::float4;

static sycl::event multiply_plain(sycl::queue &q, const float *a, const float *b, float *c) {
  return q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float[tile]> as(tile, h), bs(tile, h);
    h.parallel_for(sycl::nd_range<2>({n, n}, {tile, tile}), [=](sycl::nd_item<2> item) {
      const int y = static_cast<int>(item.get_local_id(0));
      const int x = static_cast<int>(item.get_local_id(1));
      const int row = static_cast<int>(item.get_global_id(0));
      const int column = static_cast<int>(item.get_global_id(1));
      float sum = 0;
      for (int begin = 0; begin < n; begin += tile) {
        as[y][x] = a[row * n + begin + x];
        bs[y][x] = b[(begin + y) * n + column];
        sycl::group_barrier(item.get_group());
#pragma unroll
        for (int k = 0; k < tile; ++k) {
          sum += as[y][k] * bs[k][x];
        }
        sycl::group_barrier(item.get_group());
      }
      c[row * n + column] = sum;
    });
  });
}

static sycl::event multiply(sycl::queue &q, const float *a, const float *b, float *c) {
  return q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float[block]> as(step, h), bs(step, h);
    h.parallel_for(
        sycl::nd_range<2>({n / block, n / block * items}, {1, items}), [=](sycl::nd_item<2> item) {
          const int here = static_cast<int>(item.get_local_id(1));
          const int row = static_cast<int>(item.get_group(0)) * block;
          const int column = static_cast<int>(item.get_group(1)) * block;
          const int x = here % (block / per_item) * per_item;
          const int y = here / (block / per_item) * per_item;
          const int a_row = here / 2, a_column = here % 2 * 4;
          const int b_row = here / 32, b_column = here % 32 * 4;
          float sums[per_item][per_item] = {};
          for (int begin = 0; begin < n; begin += step) {
            const float4 av =
                *reinterpret_cast<const float4 *>(&a[(row + a_row) * n + begin + a_column]);
            as[a_column][a_row] = av.x();
            as[a_column + 1][a_row] = av.y();
            as[a_column + 2][a_row] = av.z();
            as[a_column + 3][a_row] = av.w();
            *reinterpret_cast<float4 *>(&bs[b_row][b_column]) =
                *reinterpret_cast<const float4 *>(&b[(begin + b_row) * n + column + b_column]);
            sycl::group_barrier(item.get_group());
#pragma unroll
            for (int k = 0; k < step; ++k) {
              float left[per_item], right[per_item];
#pragma unroll
              for (int i = 0; i < per_item; i += 4) {
                *reinterpret_cast<float4 *>(&left[i]) =
                    *reinterpret_cast<const float4 *>(&as[k][y + i]);
                *reinterpret_cast<float4 *>(&right[i]) =
                    *reinterpret_cast<const float4 *>(&bs[k][x + i]);
              }
#pragma unroll
              for (int i = 0; i < per_item; ++i) {
#pragma unroll
                for (int j = 0; j < per_item; ++j) {
                  sums[i][j] += left[i] * right[j];
                }
              }
            }
            sycl::group_barrier(item.get_group());
          }
#pragma unroll
          for (int i = 0; i < per_item; ++i) {
#pragma unroll
            for (int j = 0; j < per_item; j += 4) {
              *reinterpret_cast<float4 *>(&c[(row + y + i) * n + column + x + j]) =
                  float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]);
            }
          }
        });
  });
}

int main() {
  bench::device d;
  constexpr std::size_t size = std::size_t{n} * n;
  float *a = d.make<float>(size), *b = d.make<float>(size), *c = d.make<float>(size);
  d.fill_random(a, size, 0);
  d.fill_random(b, size, 99);
  const double seconds = d.time([&](auto) { return multiply(d.queue, a, b, c); }, 10);
  bench::check("sgemm", is_right(d.read(c, size).data()));
  bench::print("sgemm", seconds, flops, "GFLOP/s");
  d.queue.fill(c, 0.0f, size);
  const double plain = d.time([&](auto) { return multiply_plain(d.queue, a, b, c); }, 10);
  bench::check("sgemm.plain", is_right(d.read(c, size).data()));
  bench::print("sgemm.plain", plain, flops, "GFLOP/s");
}
