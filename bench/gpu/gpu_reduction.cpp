// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of many floats, in SYCL: by hand with shuffles, with reduce_over_group, with
// sycl::reduction over a range and an nd_range.
#include "gpu_reduction.hpp"

#include "kernel_bench_sycl.hpp"

using namespace reduction;
using sycl::float4;
using device_atomic =
    sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::device>;

// Four values a step, and four steps at a time.
static float sum_of_stride(const float *from, sycl::nd_item<1> item) {
  const auto *vectors = reinterpret_cast<const float4 *>(from);
  const auto step = static_cast<unsigned>(item.get_global_range(0));
  float sum = 0;
#pragma unroll 4
  for (auto i = static_cast<unsigned>(item.get_global_id(0)); i < count / 4; i += step) {
    const float4 v = vectors[i];
    sum += v.x() + v.y() + v.z() + v.w();
  }
  return sum;
}

int main() {
  bench::device d;
  float *from = d.make<float>(count), *to = d.make<float>(1);
  d.fill_random(from, count, 0);
  const bool once = is_right(0);  // the sum is not 0
  bench::check("reduction", !once);
  const auto report = [&](const char *name, double seconds) {
    bench::check(name, is_right(d.read_one(to)));
    bench::print(name, seconds, bytes, "GB/s");
  };
  const sycl::nd_range<1> execution(std::size_t{groups} * block, block);

  report("reduction", d.time([&](auto) {
    d.queue.fill(to, 0.0f, 1);
    return d.queue.submit([&](sycl::handler &h) {
      sycl::local_accessor<float> partial(32, h);
      h.parallel_for(execution, [=](sycl::nd_item<1> item) {
        const sycl::sub_group warp = item.get_sub_group();
        float sum = sum_of_stride(from, item);
        for (unsigned distance = 16; distance > 0; distance /= 2) {
          sum += sycl::shift_group_left(warp, sum, distance);
        }
        const unsigned lane = warp.get_local_linear_id();
        if (lane == 0) {
          partial[warp.get_group_linear_id()] = sum;
        }
        sycl::group_barrier(item.get_group());
        if (warp.get_group_linear_id() == 0) {
          sum = lane < block / 32 ? partial[lane] : 0.0f;
          for (unsigned distance = 16; distance > 0; distance /= 2) {
            sum += sycl::shift_group_left(warp, sum, distance);
          }
          if (lane == 0) {
            device_atomic(*to) += sum;
          }
        }
      });
    });
  }));
  report("reduction.group", d.time([&](auto) {
    d.queue.fill(to, 0.0f, 1);
    return d.queue.parallel_for(execution, [=](sycl::nd_item<1> item) {
      const float sum =
          sycl::reduce_over_group(item.get_group(), sum_of_stride(from, item), sycl::plus<>());
      if (item.get_local_id(0) == 0) {
        device_atomic(*to) += sum;
      }
    });
  }));
  report("reduction.range", d.time([&](auto) {
    return d.queue.parallel_for(
        sycl::range<1>(count),
        sycl::reduction(to, sycl::plus<float>(),
                        sycl::property::reduction::initialize_to_identity()),
        [=](sycl::id<1> i, auto &sum) { sum += from[i]; });
  }));
  report("reduction.nd_range", d.time([&](auto) {
    return d.queue.parallel_for(
        execution,
        sycl::reduction(to, sycl::plus<float>(),
                        sycl::property::reduction::initialize_to_identity()),
        [=](sycl::nd_item<1> item, auto &sum) { sum += sum_of_stride(from, item); });
  }));
}
