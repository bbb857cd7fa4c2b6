// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times SYCL kernels by the events of a profiling queue.
#ifndef TENON_BENCH_KERNEL_BENCH_SYCL_HPP
#define TENON_BENCH_KERNEL_BENCH_SYCL_HPP

#include "kernel_bench.hpp"
#include <sycl/sycl.hpp>

namespace bench {

struct device {
  sycl::queue queue{sycl::gpu_selector_v,
                    {sycl::property::queue::in_order(), sycl::property::queue::enable_profiling()}};

  template <class T>
  T *make(std::size_t count) {
    return sycl::malloc_device<T>(count, queue);
  }
  template <class T>
  std::vector<T> read(const T *from, std::size_t count) {
    std::vector<T> to(count);
    queue.copy(from, to.data(), count).wait();
    return to;
  }
  template <class T>
  T read_one(const T *from) {
    return read(from, 1)[0];
  }
  void fill_random(float *to, std::size_t count, std::uint32_t seed) {
    queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
      to[i] = random_float(static_cast<std::uint32_t>(i[0]) + seed);
    });
  }

  // `submit` returns the event of its kernel, or of the last of several, whose first it leaves in
  // its argument.
  template <class Submit>
  double time(Submit submit, int repeats = 20) {
    using namespace sycl::info;
    std::vector<double> seconds;
    for (int i = 0; i < repeats + 3; ++i) {
      sycl::event first;
      bool has_first = false;
      sycl::event last = submit([&](sycl::event e) {
        first = e;
        has_first = true;
      });
      last.wait();
      const auto begin =
          (has_first ? first : last).get_profiling_info<event_profiling::command_start>();
      const auto end = last.get_profiling_info<event_profiling::command_end>();
      if (i >= 3) {
        seconds.push_back(static_cast<double>(end - begin) * 1e-9);
      }
    }
    return median(seconds);
  }
};

struct none {
  void operator()(sycl::event) const {}
};

}  // namespace bench

#endif
