// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// N-body: every body attracts every other. One work-item a body, shared USM, an in-order queue.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

constexpr std::size_t count = 1024;
constexpr int steps = 4;
constexpr float time_step = 0.01f;
constexpr float softening = 0.01f;  // keeps the force finite where two bodies meet

struct bodies {
  std::vector<double> x, y, z, vx, vy, vz;
};

// The same steps on the host, in double precision.
static void run_on_host(bodies &b, const std::vector<float> &mass) {
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < count; ++i) {
      double ax = 0, ay = 0, az = 0;
      for (std::size_t j = 0; j < count; ++j) {
        const double dx = b.x[j] - b.x[i], dy = b.y[j] - b.y[i], dz = b.z[j] - b.z[i];
        const double near = 1.0 / std::sqrt(dx * dx + dy * dy + dz * dz + softening);
        const double pull = mass[j] * near * near * near;
        ax += dx * pull;
        ay += dy * pull;
        az += dz * pull;
      }
      b.vx[i] += ax * time_step;
      b.vy[i] += ay * time_step;
      b.vz[i] += az * time_step;
    }
    for (std::size_t i = 0; i < count; ++i) {
      b.x[i] += b.vx[i] * time_step;
      b.y[i] += b.vy[i] * time_step;
      b.z[i] += b.vz[i] * time_step;
    }
  }
}

static int run() {
  sycl::queue q{sycl::property::queue::in_order{}};
  // Seven arrays of their own, so that neighbouring work-items read neighbouring numbers.
  float *const memory = sycl::malloc_shared<float>(7 * count, q);
  if (memory == nullptr) {
    std::fprintf(stderr, "no memory for %zu bodies\n", count);
    return 1;
  }
  float *const x = memory, *const y = x + count, *const z = y + count;
  float *const vx = z + count, *const vy = vx + count, *const vz = vy + count;
  float *const mass = vz + count;

  std::mt19937 random(1);
  std::uniform_real_distribution<float> place(-1.0f, 1.0f), weight(0.1f, 1.0f);
  bodies expected;
  for (std::size_t i = 0; i < count; ++i) {
    expected.x.push_back(x[i] = place(random));
    expected.y.push_back(y[i] = place(random));
    expected.z.push_back(z[i] = place(random));
    vx[i] = vy[i] = vz[i] = 0.0f;
    mass[i] = weight(random) / count;
  }
  expected.vx = expected.vy = expected.vz = std::vector<double>(count);

  for (int step = 0; step < steps; ++step) {
    q.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
      const float xi = x[i], yi = y[i], zi = z[i];
      float ax = 0, ay = 0, az = 0;
      for (std::size_t j = 0; j < count; ++j) {
        const float dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
        const float near = sycl::rsqrt(dx * dx + dy * dy + dz * dz + softening);
        const float pull = mass[j] * near * near * near;
        ax += dx * pull;
        ay += dy * pull;
        az += dz * pull;
      }
      vx[i] += ax * time_step;
      vy[i] += ay * time_step;
      vz[i] += az * time_step;
    });
    // A kernel of its own: no body may move before all have seen the others where they were.
    q.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
      x[i] += vx[i] * time_step;
      y[i] += vy[i] * time_step;
      z[i] += vz[i] * time_step;
    });
  }
  q.wait_and_throw();

  run_on_host(expected, std::vector<float>(mass, mass + count));
  double error = 0;
  for (std::size_t i = 0; i < count; ++i) {
    error = std::fmax(error, std::fabs(x[i] - expected.x[i]));
    error = std::fmax(error, std::fabs(y[i] - expected.y[i]));
    error = std::fmax(error, std::fabs(z[i] - expected.z[i]));
  }
  sycl::free(memory, q);
  const bool good = error < 1e-5;
  std::printf("n-body: %s: %zu bodies after %d steps are within %.1e\n",
              good ? "correct" : "WRONG", count, steps, error);
  return good ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "n-body: %s\n", error.what());
    return 1;
  }
}
