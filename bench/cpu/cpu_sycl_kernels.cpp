// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SYCL side of the CPU benchmarks: kernels as a textbook writes them.
#include <sycl/sycl.hpp>

#include "cpu_inputs.h"
#include "cpu_timing.h"

#include <cmath>
#include <cstring>

static sycl::queue &queue() {
  static sycl::queue q{sycl::property::queue::in_order{}};
  return q;
}

template <class T>
static T *allocate(std::size_t count) {
  T *const memory = sycl::malloc_shared<T>(count, queue());
  if (memory == nullptr) {
    std::fprintf(stderr, "no memory\n");
    std::exit(1);
  }
  std::memset(memory, 0, count * sizeof(T));
  return memory;
}

// STREAM triad
static double *triad_a, *triad_b, *triad_c;
static void triad_set_up() {
  triad_a = allocate<double>(TRIAD_COUNT);
  triad_b = allocate<double>(TRIAD_COUNT);
  triad_c = allocate<double>(TRIAD_COUNT);
  for (std::size_t i = 0; i < TRIAD_COUNT; i++) {
    triad_b[i] = random_between(i, 0, 1);
    triad_c[i] = random_between(i + TRIAD_COUNT, 0, 1);
  }
}
static void triad_run() {
  double *const a = triad_a, *const b = triad_b, *const c = triad_c;
  queue().parallel_for(sycl::range<1>(TRIAD_COUNT),
                       [=](sycl::id<1> i) { a[i] = b[i] + 3.0 * c[i]; });
  queue().wait();
}
static double triad_result() {
  double sum = 0;
  CHECKSUM(sum, triad_a, TRIAD_COUNT);
  return sum;
}

// N-body: the accelerations, one work-item a body
static float *body_x, *body_y, *body_z, *body_mass, *body_ax, *body_ay, *body_az;
static void body_set_up() {
  float **const arrays[] = {&body_x, &body_y, &body_z, &body_mass, &body_ax, &body_ay, &body_az};
  for (std::size_t k = 0; k < 7; k++) {
    *arrays[k] = allocate<float>(BODY_COUNT);
    for (std::size_t i = 0; i < BODY_COUNT && k < 4; i++) {
      (*arrays[k])[i] = random_between(4 * i + k, -1 + static_cast<float>(k == 3), 1);
    }
  }
}
static void body_run() {
  const float *const x = body_x, *const y = body_y, *const z = body_z, *const mass = body_mass;
  float *const out_x = body_ax, *const out_y = body_ay, *const out_z = body_az;
  queue().parallel_for(sycl::range<1>(BODY_COUNT), [=](sycl::id<1> i) {
    const float xi = x[i], yi = y[i], zi = z[i];
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < BODY_COUNT; j++) {
      const float dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
      const float near = 1.0f / sycl::sqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
      const float pull = mass[j] * near * near * near;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    out_x[i] = ax;
    out_y[i] = ay;
    out_z[i] = az;
  });
  queue().wait();
}
static double body_result() {
  double sum = 0;
  for (std::size_t i = 0; i < BODY_COUNT; i++) {
    sum += std::fabs(double(body_ax[i])) + 2 * std::fabs(double(body_ay[i])) +
           3 * std::fabs(double(body_az[i]));
  }
  return sum;
}

// Matrix multiplication
static float *gemm_a, *gemm_b, *gemm_c;
static void gemm_set_up() {
  gemm_a = allocate<float>(GEMM_SIZE * GEMM_SIZE);
  gemm_b = allocate<float>(GEMM_SIZE * GEMM_SIZE);
  gemm_c = allocate<float>(GEMM_SIZE * GEMM_SIZE);
  for (std::size_t i = 0; i < GEMM_SIZE * GEMM_SIZE; i++) {
    gemm_a[i] = random_between(i, 0, 1);
    gemm_b[i] = random_between(i + GEMM_SIZE * GEMM_SIZE, 0, 1);
  }
}
static void gemm_naive_run() {
  const float *const a = gemm_a, *const b = gemm_b;
  float *const c = gemm_c;
  queue().parallel_for(sycl::range<2>(GEMM_SIZE, GEMM_SIZE), [=](sycl::id<2> at) {
    const std::size_t row = at[0], column = at[1];
    float sum = 0;
    for (int k = 0; k < GEMM_SIZE; k++) {
      sum += a[row * GEMM_SIZE + k] * b[k * GEMM_SIZE + column];
    }
    c[row * GEMM_SIZE + column] = sum;
  });
  queue().wait();
}
static void gemm_tiled_run() {
  const float *const a = gemm_a, *const b = gemm_b;
  float *const c = gemm_c;
  queue().submit([&](sycl::handler &h) {
    const sycl::local_accessor<float, 2> a_tile({16, 16}, h), b_tile({16, 16}, h);
    const sycl::nd_range<2> shape({GEMM_SIZE, GEMM_SIZE}, {16, 16});
    h.parallel_for(shape, [=](sycl::nd_item<2> item) {
      const std::size_t row = item.get_global_id(0), column = item.get_global_id(1);
      const std::size_t y = item.get_local_id(0), x = item.get_local_id(1);
      float sum = 0;
      for (int first = 0; first < GEMM_SIZE; first += 16) {
        a_tile[y][x] = a[row * GEMM_SIZE + first + x];
        b_tile[y][x] = b[(first + y) * GEMM_SIZE + column];
        sycl::group_barrier(item.get_group());
        for (int k = 0; k < 16; k++) {
          sum += a_tile[y][k] * b_tile[k][x];
        }
        sycl::group_barrier(item.get_group());
      }
      c[row * GEMM_SIZE + column] = sum;
    });
  });
  queue().wait();
}
static double gemm_result() {
  double sum = 0;
  CHECKSUM(sum, gemm_c, GEMM_SIZE * GEMM_SIZE);
  return sum;
}

// Black-Scholes
static float *option_price, *option_strike, *option_years, *option_call, *option_put;
static void option_set_up() {
  float **const arrays[] = {&option_price, &option_strike, &option_years, &option_call,
                            &option_put};
  const float low[] = {5, 1, 0.25f}, high[] = {30, 100, 10};
  for (std::size_t k = 0; k < 5; k++) {
    *arrays[k] = allocate<float>(OPTION_COUNT);
    for (std::size_t i = 0; i < OPTION_COUNT && k < 3; i++) {
      (*arrays[k])[i] = random_between(3 * i + k, low[k], high[k]);
    }
  }
}
// The normal distribution, after Abramowitz and Stegun 26.2.17.
static float normal_below(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * sycl::fabs(d));
  const float series =
      k * (0.31938153f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * sycl::exp(-0.5f * d * d) * series;
  return d > 0 ? 1.0f - tail : tail;
}
static void option_run() {
  const float *const price = option_price, *const strike = option_strike;
  const float *const years = option_years;
  float *const call = option_call, *const put = option_put;
  queue().parallel_for(sycl::range<1>(OPTION_COUNT), [=](sycl::id<1> i) {
    const float root = sycl::sqrt(years[i]);
    const float d1 = (sycl::log(price[i] / strike[i]) +
                      (RISK_FREE + 0.5f * VOLATILITY * VOLATILITY) * years[i]) /
                     (VOLATILITY * root);
    const float d2 = d1 - VOLATILITY * root;
    const float below1 = normal_below(d1), below2 = normal_below(d2);
    const float discount = sycl::exp(-RISK_FREE * years[i]);
    call[i] = price[i] * below1 - strike[i] * discount * below2;
    put[i] = strike[i] * discount * (1.0f - below2) - price[i] * (1.0f - below1);
  });
  queue().wait();
}
static double option_result() {
  double sum = 0;
  CHECKSUM(sum, option_call, OPTION_COUNT);
  CHECKSUM(sum, option_put, OPTION_COUNT);
  return sum;
}

// 5-point stencil
static float *plate_in, *plate_out;
static void plate_set_up() {
  plate_in = allocate<float>(PLATE_HEIGHT * PLATE_WIDTH);
  plate_out = allocate<float>(PLATE_HEIGHT * PLATE_WIDTH);
  for (std::size_t i = 0; i < PLATE_HEIGHT * PLATE_WIDTH; i++) {
    plate_in[i] = random_between(i, 0, 100);
  }
}
static void plate_run() {
  const float *const in = plate_in;
  float *const out = plate_out;
  queue().parallel_for(sycl::range<2>(PLATE_HEIGHT - 2, PLATE_WIDTH - 2), [=](sycl::id<2> inner) {
    const std::size_t at = (inner[0] + 1) * PLATE_WIDTH + inner[1] + 1;
    const float around = in[at - PLATE_WIDTH] + in[at + PLATE_WIDTH] + in[at - 1] + in[at + 1];
    out[at] = in[at] + SPREADING * (around - 4.0f * in[at]);
  });
  queue().wait();
}
static double plate_result() {
  double sum = 0;
  CHECKSUM(sum, plate_out, PLATE_HEIGHT * PLATE_WIDTH);
  return sum;
}

// Mandelbrot
static int *fractal;
static void fractal_set_up() { fractal = allocate<int>(FRACTAL_HEIGHT * FRACTAL_WIDTH); }
static void fractal_run() {
  int *const out = fractal;
  queue().parallel_for(sycl::range<2>(FRACTAL_HEIGHT, FRACTAL_WIDTH), [=](sycl::id<2> at) {
#pragma clang fp contract(off)
    const float cx = FRACTAL_LEFT + FRACTAL_PIXEL * static_cast<float>(at[1]);
    const float cy = FRACTAL_TOP + FRACTAL_PIXEL * static_cast<float>(at[0]);
    float x = 0, y = 0;
    int steps = 0;
    while (steps < FRACTAL_STEPS && x * x + y * y <= 4.0f) {
      const float next = x * x - y * y + cx;
      y = 2.0f * x * y + cy;
      x = next;
      steps++;
    }
    out[at[0] * FRACTAL_WIDTH + at[1]] = steps;
  });
  queue().wait();
}
static double fractal_result() {
  double sum = 0;
  CHECKSUM(sum, fractal, FRACTAL_HEIGHT * FRACTAL_WIDTH);
  return sum;
}

// Reduction: a tree with barriers over what each work-item has summed, and a sum a group
static float *sum_in, *sum_out, *sum_parts;
constexpr std::size_t tree_group = 256, tree_each = 16;
constexpr std::size_t tree_groups = SUM_COUNT / (tree_group * tree_each);
static void sum_set_up() {
  sum_in = allocate<float>(SUM_COUNT);
  sum_out = allocate<float>(1);
  sum_parts = allocate<float>(tree_groups);
  for (std::size_t i = 0; i < SUM_COUNT; i++) {
    sum_in[i] = static_cast<float>(random_bits(i) >> 31);
  }
}
static void sum_by_tree(const float *in, float *out, std::size_t groups, std::size_t each) {
  queue().submit([&](sycl::handler &h) {
    const sycl::local_accessor<float> tree(tree_group, h);
    h.parallel_for(sycl::nd_range<1>(groups * tree_group, tree_group), [=](sycl::nd_item<1> item) {
      const std::size_t at = item.get_local_id(0);
      const std::size_t first = item.get_group(0) * tree_group * each + at;
      float sum = 0;
      for (std::size_t i = 0; i < each; i++) {
        sum += in[first + i * tree_group];
      }
      tree[at] = sum;
      for (std::size_t half = tree_group / 2; half > 0; half /= 2) {
        sycl::group_barrier(item.get_group());
        if (at < half) {
          tree[at] += tree[at + half];
        }
      }
      if (at == 0) {
        out[item.get_group(0)] = tree[0];
      }
    });
  });
}
static void sum_tree_run() {
  sum_by_tree(sum_in, sum_parts, tree_groups, tree_each);
  sum_by_tree(sum_parts, sum_out, 1, tree_groups / tree_group);
  queue().wait();
}
static void sum_sycl_run() {
  const float *const in = sum_in;
  queue().parallel_for(
      sycl::range<1>(SUM_COUNT),
      sycl::reduction(sum_out, sycl::plus<>(),
                      sycl::property::reduction::initialize_to_identity()),
      [=](sycl::id<1> i, auto &sum) { sum += in[i]; });
  queue().wait();
}
static double sum_result() { return static_cast<double>(*sum_out); }

// Histogram
static std::uint8_t *bytes;
static std::uint32_t *bins;
static void bytes_set_up() {
  bytes = allocate<std::uint8_t>(BYTE_COUNT);
  bins = allocate<std::uint32_t>(BIN_COUNT);
  for (std::size_t i = 0; i < BYTE_COUNT; i++) {
    bytes[i] = static_cast<std::uint8_t>(random_bits(i));
  }
}
static void bytes_run() {
  constexpr std::size_t group_size = 256, groups = 128;
  const std::uint8_t *const in = bytes;
  std::uint32_t *const out = bins;
  queue().fill(out, 0u, BIN_COUNT);
  queue().submit([&](sycl::handler &h) {
    const sycl::local_accessor<std::uint32_t> ours(BIN_COUNT, h);
    h.parallel_for(sycl::nd_range<1>(groups * group_size, group_size), [=](sycl::nd_item<1> item) {
      const std::size_t at = item.get_local_id(0);
      ours[at] = 0;
      sycl::group_barrier(item.get_group());
      const std::size_t first = item.get_group(0) * (BYTE_COUNT / groups);
      for (std::size_t i = first + at; i < first + BYTE_COUNT / groups; i += group_size) {
        sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed,
                         sycl::memory_scope::work_group,
                         sycl::access::address_space::local_space>(ours[in[i]]) += 1;
      }
      sycl::group_barrier(item.get_group());
      sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device,
                       sycl::access::address_space::global_space>(out[at]) += ours[at];
    });
  });
  queue().wait();
}
static double bytes_result() {
  double sum = 0;
  CHECKSUM(sum, bins, BIN_COUNT);
  return sum;
}

// Exclusive scan: sums of the groups' parts, their scan, and the parts' scans from there
static std::uint32_t *scan_in, *scan_out, *scan_parts;
constexpr std::size_t scan_group = 256, scan_part = 8192, scan_groups = SCAN_COUNT / scan_part;
static void scan_set_up() {
  scan_in = allocate<std::uint32_t>(SCAN_COUNT);
  scan_out = allocate<std::uint32_t>(SCAN_COUNT);
  scan_parts = allocate<std::uint32_t>(scan_groups);
  for (std::size_t i = 0; i < SCAN_COUNT; i++) {
    scan_in[i] = random_bits(i) % 100;
  }
}
static void scan_run() {
  const std::uint32_t *const in = scan_in;
  std::uint32_t *const out = scan_out, *const parts = scan_parts;
  const sycl::nd_range<1> shape(scan_groups * scan_group, scan_group);
  queue().parallel_for(shape, [=](sycl::nd_item<1> item) {
    const std::uint32_t *const first = in + item.get_group(0) * scan_part;
    const std::uint32_t sum =
        sycl::joint_reduce(item.get_group(), first, first + scan_part, sycl::plus<>());
    if (item.get_local_id(0) == 0) {
      parts[item.get_group(0)] = sum;
    }
  });
  queue().parallel_for(sycl::nd_range<1>(scan_group, scan_group), [=](sycl::nd_item<1> item) {
    sycl::joint_exclusive_scan(item.get_group(), parts, parts + scan_groups, parts, sycl::plus<>());
  });
  queue().parallel_for(shape, [=](sycl::nd_item<1> item) {
    const std::size_t group = item.get_group(0);
    const std::uint32_t *const first = in + group * scan_part;
    sycl::joint_exclusive_scan(item.get_group(), first, first + scan_part, out + group * scan_part,
                               parts[group], sycl::plus<>());
  });
  queue().wait();
}
static double scan_result() {
  double sum = 0;
  CHECKSUM(sum, scan_out, SCAN_COUNT);
  return sum;
}

int main(int argc, char **argv) {
  static const bench_kernel kernels[] = {
      {"triad", triad_set_up, triad_run, triad_result},
      {"n-body", body_set_up, body_run, body_result},
      {"sgemm-naive", gemm_set_up, gemm_naive_run, gemm_result},
      {"sgemm-tiled", gemm_set_up, gemm_tiled_run, gemm_result},
      {"black-scholes", option_set_up, option_run, option_result},
      {"stencil", plate_set_up, plate_run, plate_result},
      {"mandelbrot", fractal_set_up, fractal_run, fractal_result},
      {"reduce-tree", sum_set_up, sum_tree_run, sum_result},
      {"reduce-sycl", sum_set_up, sum_sycl_run, sum_result},
      {"histogram", bytes_set_up, bytes_run, bytes_result},
      {"scan", scan_set_up, scan_run, scan_result},
  };
  try {
    return bench_main(argc, argv, kernels, sizeof(kernels) / sizeof(kernels[0]));
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
