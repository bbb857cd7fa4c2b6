// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a = b + s * c over arrays of many times the cache, in SYCL: over a range, over an nd_range, of
// accessors.
#include "kernel_bench_sycl.hpp"

constexpr std::size_t count = std::size_t{1} << 27;
constexpr float scale = 3.0f;

static void check(const char *name, bench::device &d, const float *a) {
  const std::vector<float> got = d.read(a, count);
  for (std::uint32_t k = 0; k < bench::samples; ++k) {
    const std::size_t i = bench::sample(count, k);
    const auto n = static_cast<std::uint32_t>(i);
    const float want = bench::random_float(n) + scale * bench::random_float(n + 77);
    bench::check(name, got[i] == want);
  }
}

int main() {
  bench::device d;
  float *a = d.make<float>(count), *b = d.make<float>(count), *c = d.make<float>(count);
  d.fill_random(b, count, 0);
  d.fill_random(c, count, 77);
  const double bytes = 3.0 * sizeof(float) * count;

  const double range = d.time([&](auto) {
    return d.queue.parallel_for(sycl::range<1>(count),
                                [=](sycl::id<1> i) { a[i] = b[i] + scale * c[i]; });
  });
  check("triad", d, a);
  bench::print("triad", range, bytes, "GB/s");

  d.queue.fill(a, 0.0f, count);
  const double nd_range = d.time([&](auto) {
    return d.queue.parallel_for(sycl::nd_range<1>(count, 256), [=](sycl::nd_item<1> item) {
      const std::size_t i = item.get_global_id(0);
      a[i] = b[i] + scale * c[i];
    });
  });
  check("triad.nd_range", d, a);
  bench::print("triad.nd_range", nd_range, bytes, "GB/s");

  d.queue.fill(a, 0.0f, count).wait();
  {
    const sycl::range<1> all(count);
    sycl::buffer<float> to(all), from(all), other(all);
    d.queue.submit([&](sycl::handler &h) {
      h.copy(b, sycl::accessor(from, h, sycl::write_only, sycl::no_init));
    });
    d.queue.submit([&](sycl::handler &h) {
      h.copy(c, sycl::accessor(other, h, sycl::write_only, sycl::no_init));
    });
    const double accessors = d.time([&](auto) {
      return d.queue.submit([&](sycl::handler &h) {
        sycl::accessor x(to, h, sycl::write_only, sycl::no_init);
        sycl::accessor y(from, h, sycl::read_only);
        sycl::accessor z(other, h, sycl::read_only);
        h.parallel_for(all, [=](sycl::id<1> i) { x[i] = y[i] + scale * z[i]; });
      });
    });
    d.queue.submit([&](sycl::handler &h) { h.copy(sycl::accessor(to, h, sycl::read_only), a); });
    check("triad.accessor", d, a);
    bench::print("triad.accessor", accessors, bytes, "GB/s");
  }
}
