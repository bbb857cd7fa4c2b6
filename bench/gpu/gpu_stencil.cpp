// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seven points in a volume, in SYCL: straight from memory over a range and over an nd_range, and
// plane by plane with the plane in local memory.
#include "gpu_stencil.hpp"

#include "kernel_bench_sycl.hpp"

using namespace stencil;

int main() {
  bench::device d;
  float *from = d.make<float>(size), *to = d.make<float>(size);
  d.fill_random(from, size, 0);
  const auto report = [&](const char *name, double seconds) {
    bench::check(name, is_right(d.read(to, size).data()));
    bench::print(name, seconds, bytes, "GB/s");
    d.queue.fill(to, 0.0f, size).wait();
  };
  d.queue.fill(to, 0.0f, size);
  constexpr int row = nx, plane = nx * ny;

  report("stencil", d.time([&](auto) {
    return d.queue.parallel_for(
        sycl::nd_range<3>({nz, ny, nx}, {1, tile_y, tile_x}), [=](sycl::nd_item<3> item) {
          const int x = static_cast<int>(item.get_global_id(2));
          const int y = static_cast<int>(item.get_global_id(1));
          const int z = static_cast<int>(item.get_group(0));
          if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
            const int i = (z * ny + y) * nx + x;
            to[i] = center * from[i] + side * (from[i - 1] + from[i + 1] + from[i - row] +
                                               from[i + row] + from[i - plane] + from[i + plane]);
          }
        });
  }));
  report("stencil.range", d.time([&](auto) {
    return d.queue.parallel_for(sycl::range<3>(nz, ny, nx), [=](sycl::item<3> item) {
      const int x = static_cast<int>(item[2]), y = static_cast<int>(item[1]);
      const int z = static_cast<int>(item[0]);
      if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
        const int i = (z * ny + y) * nx + x;
        to[i] = center * from[i] + side * (from[i - 1] + from[i + 1] + from[i - row] +
                                           from[i + row] + from[i - plane] + from[i + plane]);
      }
    });
  }));
  report("stencil.tiled", d.time([&](auto) {
    return d.queue.submit([&](sycl::handler &h) {
      sycl::local_accessor<float[tile_x + 2]> shared(tile_y + 2, h);
      h.parallel_for(sycl::nd_range<3>({nz / slab, ny, nx}, {1, tile_y, tile_x}),
                     [=](sycl::nd_item<3> item) {
                       const int lx = static_cast<int>(item.get_local_id(2)) + 1;
                       const int ly = static_cast<int>(item.get_local_id(1)) + 1;
                       const int x = static_cast<int>(item.get_global_id(2));
                       const int y = static_cast<int>(item.get_global_id(1));
                       const int begin = static_cast<int>(item.get_group(0)) * slab;
                       const bool is_inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
                       int i = (begin * ny + y) * nx + x;
                       float below = begin > 0 ? from[i - plane] : 0.0f;
                       float here = from[i];
                       for (int z = begin; z < begin + slab; ++z, i += plane) {
                         const float above = z < nz - 1 ? from[i + plane] : 0.0f;
                         shared[ly][lx] = here;
                         if (lx == 1 && x > 0) {
                           shared[ly][0] = from[i - 1];
                         }
                         if (lx == tile_x && x < nx - 1) {
                           shared[ly][tile_x + 1] = from[i + 1];
                         }
                         if (ly == 1 && y > 0) {
                           shared[0][lx] = from[i - row];
                         }
                         if (ly == tile_y && y < ny - 1) {
                           shared[tile_y + 1][lx] = from[i + row];
                         }
                         sycl::group_barrier(item.get_group());
                         if (is_inside && z > 0 && z < nz - 1) {
                           to[i] = center * here +
                                   side * (shared[ly][lx - 1] + shared[ly][lx + 1] +
                                           shared[ly - 1][lx] + shared[ly + 1][lx] + below + above);
                         }
                         sycl::group_barrier(item.get_group());
                         below = here;
                         here = above;
                       }
                     });
    });
  }));
}
