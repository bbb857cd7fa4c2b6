// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse matrix (compressed rows) times a vector, in SYCL: a sub-group a row, and a work-item a
// row.
#include "gpu_spmv.hpp"

#include "kernel_bench_sycl.hpp"

int main() {
  using spmv::rows;
  bench::device d;
  const spmv::matrix m = spmv::make();
  int *begins = d.make<int>(rows + 1), *columns = d.make<int>(m.elements);
  float *values = d.make<float>(m.elements), *x = d.make<float>(rows), *y = d.make<float>(rows);
  d.queue.copy(m.begins.data(), begins, rows + 1).wait();
  d.fill_random(values, m.elements, 0);
  d.fill_random(x, rows, 3);
  d.queue.parallel_for(sycl::range<1>(rows), [=](sycl::id<1> id) {
    const int row = static_cast<int>(id[0]);
    for (int i = begins[row]; i < begins[row + 1]; ++i) {
      columns[i] = spmv::column(row, i);
    }
  });
  const auto report = [&](const char *name, double seconds) {
    bench::check(name, spmv::is_right(m, d.read(y, rows).data()));
    bench::print(name, seconds, spmv::bytes(m), "GB/s");
    d.queue.fill(y, 0.0f, rows).wait();
  };
  report("spmv", d.time([&](auto) {
    return d.queue.parallel_for(sycl::nd_range<1>(std::size_t{rows} * 32, 256),
                                [=](sycl::nd_item<1> item) {
                                  const sycl::sub_group warp = item.get_sub_group();
                                  const int row = static_cast<int>(item.get_global_id(0) / 32);
                                  const int lane = static_cast<int>(warp.get_local_linear_id());
                                  const int end = begins[row + 1];
                                  float sum = 0;
                                  for (int i = begins[row] + lane; i < end; i += 32) {
                                    sum += values[i] * x[columns[i]];
                                  }
                                  sum = sycl::reduce_over_group(warp, sum, sycl::plus<>());
                                  if (lane == 0) {
                                    y[row] = sum;
                                  }
                                });
  }));
  report("spmv.scalar", d.time([&](auto) {
    return d.queue.parallel_for(sycl::range<1>(rows), [=](sycl::id<1> id) {
      const int row = static_cast<int>(id[0]);
      const int end = begins[row + 1];
      float sum = 0;
      for (int i = begins[row]; i < end; ++i) {
        sum += values[i] * x[columns[i]];
      }
      y[row] = sum;
    });
  }));
}
