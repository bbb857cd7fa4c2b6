// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All pairs of bodies, tile by tile through local memory, in SYCL.
#include "gpu_nbody.hpp"

#include "kernel_bench_sycl.hpp"

using namespace nbody;
using sycl::float4;

int main() {
  bench::device d;
  float4 *p = d.make<float4>(bodies), *a = d.make<float4>(bodies);
  d.fill_random(reinterpret_cast<float *>(p), 4 * bodies, 0);
  const double seconds = d.time(
      [&](auto) {
        return d.queue.submit([&](sycl::handler &h) {
          sycl::local_accessor<float4> shared(tile, h);
          h.parallel_for(sycl::nd_range<1>(bodies, tile), [=](sycl::nd_item<1> item) {
            const int here = static_cast<int>(item.get_local_id(0));
            const float4 mine = p[item.get_global_id(0)];
            float x = 0, y = 0, z = 0;
            for (int begin = 0; begin < bodies; begin += tile) {
              shared[here] = p[begin + here];
              sycl::group_barrier(item.get_group());
#pragma unroll 8
              for (int j = 0; j < tile; ++j) {
                const float4 other = shared[j];
                const float dx = other.x() - mine.x();
                const float dy = other.y() - mine.y();
                const float dz = other.z() - mine.z();
                const float r2 = dx * dx + dy * dy + dz * dz + softening;
                const float inverse = sycl::rsqrt(r2);
                const float s = other.w() * inverse * inverse * inverse;
                x += dx * s;
                y += dy * s;
                z += dz * s;
              }
              sycl::group_barrier(item.get_group());
            }
            a[item.get_global_id(0)] = float4(x, y, z, 0);
          });
        });
      },
      10);
  bench::check("nbody", is_right(reinterpret_cast<float *>(d.read(a, bodies).data())));
  bench::print("nbody", seconds, flops, "GFLOP/s");
}
