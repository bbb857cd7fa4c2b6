// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat spreading over a plate: a 5-point stencil, from one buffer into the other and back. The
// accessors tell the runtime which step needs which: nothing is waited for in between.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

constexpr std::size_t height = 256, width = 320;
constexpr int steps = 40;
constexpr float rate = 0.2f;
using plate = sycl::buffer<float, 2>;

static void step(sycl::queue &q, plate &from, plate &to) {
  q.submit([&](sycl::handler &h) {
    const sycl::accessor in(from, h, sycl::read_only);
    const sycl::accessor out(to, h, sycl::write_only);
    // The border keeps its temperature: one work-item for each inner point.
    h.parallel_for(sycl::range<2>(height - 2, width - 2), [=](sycl::id<2> at) {
      const std::size_t y = at[0] + 1, x = at[1] + 1;
      const float here = in[y][x];
      const float around = in[y - 1][x] + in[y + 1][x] + in[y][x - 1] + in[y][x + 1];
      out[y][x] = here + rate * (around - 4.0f * here);
    });
  });
}

static std::vector<double> run_on_host(const std::vector<float> &start) {
  std::vector<double> now(start.begin(), start.end()), next = now;
  for (int i = 0; i < steps; ++i) {
    for (std::size_t y = 1; y + 1 < height; ++y) {
      for (std::size_t x = 1; x + 1 < width; ++x) {
        const std::size_t at = y * width + x;
        const double around = now[at - width] + now[at + width] + now[at - 1] + now[at + 1];
        next[at] = now[at] + static_cast<double>(rate) * (around - 4.0 * now[at]);
      }
    }
    std::swap(now, next);
  }
  return now;
}

static int run() {
  std::vector<float> start(height * width);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const bool hot = x == 0 || (y / 32 + x / 32) % 5 == 0;
      start[y * width + x] = hot ? 100.0f : 0.0f;
    }
  }
  sycl::queue q;
  std::vector<float> other = start;
  plate one(start.data(), sycl::range<2>(height, width));
  plate two(other.data(), sycl::range<2>(height, width));
  const std::vector<double> expected = run_on_host(start);
  for (int i = 0; i < steps; i += 2) {
    step(q, one, two);
    step(q, two, one);
  }
  const sycl::host_accessor result(one, sycl::read_only);  // waits for the steps
  double error = 0;
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      error = std::fmax(error, std::fabs(result[y][x] - expected[y * width + x]));
    }
  }
  const bool good = error < 1e-3;
  std::printf("stencil: %s: after %d steps the largest error is %.1e degrees\n",
              good ? "correct" : "WRONG", steps, error);
  return good ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "stencil: %s\n", error.what());
    return 1;
  }
}
