// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C side of the CPU benchmarks, with OpenMP: what the SYCL kernels are measured against.
#include "cpu_inputs.h"
#include "cpu_timing.h"

#include <math.h>

int omp_get_thread_num(void);
int omp_get_num_threads(void);

static void *allocate(size_t size) {
  void *memory = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
  if (memory == NULL) {
    fprintf(stderr, "no memory\n");
    exit(1);
  }
  memset(memory, 0, size);
  return memory;
}
static float *floats(size_t count) { return allocate(count * sizeof(float)); }

// STREAM triad
static double *restrict triad_a, *restrict triad_b, *restrict triad_c;
static void triad_set_up(void) {
  triad_a = allocate(TRIAD_COUNT * sizeof(double));
  triad_b = allocate(TRIAD_COUNT * sizeof(double));
  triad_c = allocate(TRIAD_COUNT * sizeof(double));
  for (size_t i = 0; i < TRIAD_COUNT; i++) {
    triad_b[i] = random_between(i, 0, 1);
    triad_c[i] = random_between(i + TRIAD_COUNT, 0, 1);
  }
}
static void triad_run(void) {
  double *restrict a = triad_a, *restrict b = triad_b, *restrict c = triad_c;
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < TRIAD_COUNT; i++) {
    a[i] = b[i] + 3.0 * c[i];
  }
}
static double triad_result(void) {
  double sum = 0;
  CHECKSUM(sum, triad_a, TRIAD_COUNT);
  return sum;
}

// N-body: the accelerations; 16 bodies are the lanes
static float *body_x, *body_y, *body_z, *body_mass, *body_ax, *body_ay, *body_az;
static void body_set_up(void) {
  float **const arrays[] = {&body_x, &body_y, &body_z, &body_mass, &body_ax, &body_ay, &body_az};
  for (size_t k = 0; k < 7; k++) {
    *arrays[k] = floats(BODY_COUNT);
    for (size_t i = 0; i < BODY_COUNT && k < 4; i++) {
      (*arrays[k])[i] = random_between(4 * i + k, -1 + (float)(k == 3), 1);
    }
  }
}
static void body_run(void) {
  const float *restrict x = body_x, *restrict y = body_y, *restrict z = body_z;
  const float *restrict mass = body_mass;
#pragma omp parallel for schedule(static)
  for (int first = 0; first < BODY_COUNT; first += 16) {
    float ax[16] = {0}, ay[16] = {0}, az[16] = {0};
    for (int j = 0; j < BODY_COUNT; j++) {
      const float xj = x[j], yj = y[j], zj = z[j], mj = mass[j];
#pragma omp simd simdlen(16)
      for (int lane = 0; lane < 16; lane++) {
        const float dx = xj - x[first + lane];
        const float dy = yj - y[first + lane];
        const float dz = zj - z[first + lane];
        const float near = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
        const float pull = mj * near * near * near;
        ax[lane] += dx * pull;
        ay[lane] += dy * pull;
        az[lane] += dz * pull;
      }
    }
    memcpy(body_ax + first, ax, sizeof(ax));
    memcpy(body_ay + first, ay, sizeof(ay));
    memcpy(body_az + first, az, sizeof(az));
  }
}
static double body_result(void) {
  double sum = 0;
  for (size_t i = 0; i < BODY_COUNT; i++) {
    sum += fabs((double)body_ax[i]) + 2 * fabs((double)body_ay[i]) + 3 * fabs((double)body_az[i]);
  }
  return sum;
}

// Matrix multiplication
static float *gemm_a, *gemm_b, *gemm_c;
static void gemm_set_up(void) {
  gemm_a = floats(GEMM_SIZE * GEMM_SIZE);
  gemm_b = floats(GEMM_SIZE * GEMM_SIZE);
  gemm_c = floats(GEMM_SIZE * GEMM_SIZE);
  for (size_t i = 0; i < GEMM_SIZE * GEMM_SIZE; i++) {
    gemm_a[i] = random_between(i, 0, 1);
    gemm_b[i] = random_between(i + GEMM_SIZE * GEMM_SIZE, 0, 1);
  }
}
static void gemm_naive_run(void) {
  const float *restrict a = gemm_a, *restrict b = gemm_b;
  float *restrict c = gemm_c;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < GEMM_SIZE; i++) {
    memset(c + i * GEMM_SIZE, 0, GEMM_SIZE * sizeof(float));
    for (int k = 0; k < GEMM_SIZE; k++) {
      const float scale = a[i * GEMM_SIZE + k];
#pragma omp simd
      for (int j = 0; j < GEMM_SIZE; j++) {
        c[i * GEMM_SIZE + j] += scale * b[k * GEMM_SIZE + j];
      }
    }
  }
}
typedef float float16 __attribute__((vector_size(64)));
static void gemm_tiled_run(void) {
  const float *restrict a = gemm_a, *restrict b = gemm_b;
#pragma omp parallel for collapse(2) schedule(static)
  for (int row = 0; row < GEMM_SIZE; row += 16) {
    for (int column = 0; column < GEMM_SIZE; column += 16) {
      float16 sum[16] = {0};
      for (int k = 0; k < GEMM_SIZE; k++) {
        const float16 right = *(const float16 *)(b + k * GEMM_SIZE + column);
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; i++) {
          sum[i] += a[(row + i) * GEMM_SIZE + k] * right;
        }
      }
      for (int i = 0; i < 16; i++) {
        *(float16 *)(gemm_c + (row + i) * GEMM_SIZE + column) = sum[i];
      }
    }
  }
}
static double gemm_result(void) {
  double sum = 0;
  CHECKSUM(sum, gemm_c, GEMM_SIZE * GEMM_SIZE);
  return sum;
}

// Black-Scholes
static float *option_price, *option_strike, *option_years, *option_call, *option_put;
static void option_set_up(void) {
  float **const arrays[] = {&option_price, &option_strike, &option_years, &option_call,
                            &option_put};
  const float low[] = {5, 1, 0.25f}, high[] = {30, 100, 10};
  for (size_t k = 0; k < 5; k++) {
    *arrays[k] = floats(OPTION_COUNT);
    for (size_t i = 0; i < OPTION_COUNT && k < 3; i++) {
      (*arrays[k])[i] = random_between(3 * i + k, low[k], high[k]);
    }
  }
}
// The normal distribution, after Abramowitz and Stegun 26.2.17.
static inline float normal_below(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float series =
      k * (0.31938153f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * expf(-0.5f * d * d) * series;
  return d > 0 ? 1.0f - tail : tail;
}
static void option_run(void) {
  const float *restrict price = option_price, *restrict strike = option_strike;
  const float *restrict years = option_years;
  float *restrict call = option_call, *restrict put = option_put;
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < OPTION_COUNT; i++) {
    const float root = sqrtf(years[i]);
    const float d1 = (logf(price[i] / strike[i]) +
                      (RISK_FREE + 0.5f * VOLATILITY * VOLATILITY) * years[i]) /
                     (VOLATILITY * root);
    const float d2 = d1 - VOLATILITY * root;
    const float below1 = normal_below(d1), below2 = normal_below(d2);
    const float discount = expf(-RISK_FREE * years[i]);
    call[i] = price[i] * below1 - strike[i] * discount * below2;
    put[i] = strike[i] * discount * (1.0f - below2) - price[i] * (1.0f - below1);
  }
}
static double option_result(void) {
  double sum = 0;
  CHECKSUM(sum, option_call, OPTION_COUNT);
  CHECKSUM(sum, option_put, OPTION_COUNT);
  return sum;
}

// 5-point stencil
static float *plate_in, *plate_out;
static void plate_set_up(void) {
  plate_in = floats(PLATE_HEIGHT * PLATE_WIDTH);
  plate_out = floats(PLATE_HEIGHT * PLATE_WIDTH);
  for (size_t i = 0; i < PLATE_HEIGHT * PLATE_WIDTH; i++) {
    plate_in[i] = random_between(i, 0, 100);
  }
}
static void plate_run(void) {
  const float *restrict in = plate_in;
  float *restrict out = plate_out;
#pragma omp parallel for schedule(static)
  for (int y = 1; y < PLATE_HEIGHT - 1; y++) {
#pragma omp simd
    for (int x = 1; x < PLATE_WIDTH - 1; x++) {
      const int at = y * PLATE_WIDTH + x;
      const float around = in[at - PLATE_WIDTH] + in[at + PLATE_WIDTH] + in[at - 1] + in[at + 1];
      out[at] = in[at] + SPREADING * (around - 4.0f * in[at]);
    }
  }
}
static double plate_result(void) {
  double sum = 0;
  CHECKSUM(sum, plate_out, PLATE_HEIGHT * PLATE_WIDTH);
  return sum;
}

// Mandelbrot: 16 pixels are the lanes, until all have escaped
static int *fractal;
static void fractal_set_up(void) {
  fractal = allocate(FRACTAL_HEIGHT * FRACTAL_WIDTH * sizeof(int));
}
static void fractal_run(void) {
#pragma clang fp contract(off)
#pragma omp parallel for schedule(static, 4)
  for (int row = 0; row < FRACTAL_HEIGHT; row++) {
    const float cy = FRACTAL_TOP + FRACTAL_PIXEL * (float)row;
    for (int first = 0; first < FRACTAL_WIDTH; first += 16) {
      float cx[16], x[16] = {0}, y[16] = {0};
      int steps[16] = {0};
#pragma omp simd simdlen(16)
      for (int lane = 0; lane < 16; lane++) {
        cx[lane] = FRACTAL_LEFT + FRACTAL_PIXEL * (float)(first + lane);
      }
      int inside = 1;
      for (int step = 0; step < FRACTAL_STEPS && inside; step++) {
        inside = 0;
#pragma omp simd simdlen(16) reduction(| : inside)
        for (int lane = 0; lane < 16; lane++) {
          const float xx = x[lane] * x[lane], yy = y[lane] * y[lane];
          const int in = xx + yy <= 4.0f;
          y[lane] = 2.0f * x[lane] * y[lane] + cy;
          x[lane] = xx - yy + cx[lane];
          steps[lane] += in;  // once outside, it stays there or becomes NaN
          inside |= in;
        }
      }
      memcpy(fractal + row * FRACTAL_WIDTH + first, steps, sizeof(steps));
    }
  }
}
static double fractal_result(void) {
  double sum = 0;
  CHECKSUM(sum, fractal, FRACTAL_HEIGHT * FRACTAL_WIDTH);
  return sum;
}

// Reduction
static float *sum_in, sum_out;
static void sum_set_up(void) {
  sum_in = floats(SUM_COUNT);
  for (size_t i = 0; i < SUM_COUNT; i++) {
    sum_in[i] = (float)(random_bits(i) >> 31);
  }
}
static void sum_run(void) {
  const float *restrict in = sum_in;
  float sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
  for (int i = 0; i < SUM_COUNT; i++) {
    sum += in[i];
  }
  sum_out = sum;
}
static double sum_result(void) { return (double)sum_out; }

// Histogram
static uint8_t *bytes;
static uint32_t bins[BIN_COUNT];
static void bytes_set_up(void) {
  bytes = allocate(BYTE_COUNT);
  for (size_t i = 0; i < BYTE_COUNT; i++) {
    bytes[i] = (uint8_t)random_bits(i);
  }
}
static void bytes_run(void) {
  const uint8_t *restrict in = bytes;
  uint32_t count[BIN_COUNT] = {0};
#pragma omp parallel for schedule(static) reduction(+ : count[ : BIN_COUNT])
  for (int i = 0; i < BYTE_COUNT; i++) {
    count[in[i]]++;
  }
  memcpy(bins, count, sizeof(bins));
}
static double bytes_result(void) {
  double sum = 0;
  CHECKSUM(sum, bins, BIN_COUNT);
  return sum;
}

// Exclusive scan, in two passes
static uint32_t *scan_in, *scan_out;
static void scan_set_up(void) {
  scan_in = allocate(SCAN_COUNT * sizeof(uint32_t));
  scan_out = allocate(SCAN_COUNT * sizeof(uint32_t));
  for (size_t i = 0; i < SCAN_COUNT; i++) {
    scan_in[i] = random_bits(i) % 100;
  }
}
static void scan_run(void) {
  const uint32_t *restrict in = scan_in;
  uint32_t *restrict out = scan_out;
  static uint32_t totals[1024];
#pragma omp parallel
  {
    const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const int begin = (int)((int64_t)SCAN_COUNT * thread / threads);
    const int end = (int)((int64_t)SCAN_COUNT * (thread + 1) / threads);
    uint32_t total = 0;
#pragma omp simd reduction(+ : total)
    for (int i = begin; i < end; i++) {
      total += in[i];
    }
    totals[thread] = total;
#pragma omp barrier
    uint32_t before = 0;
    for (int i = 0; i < thread; i++) {
      before += totals[i];
    }
    for (int i = begin; i < end; i++) {
      out[i] = before;
      before += in[i];
    }
  }
}
static double scan_result(void) {
  double sum = 0;
  CHECKSUM(sum, scan_out, SCAN_COUNT);
  return sum;
}

int main(int argc, char **argv) {
  static const struct bench_kernel kernels[] = {
      {"triad", triad_set_up, triad_run, triad_result},
      {"n-body", body_set_up, body_run, body_result},
      {"sgemm-naive", gemm_set_up, gemm_naive_run, gemm_result},
      {"sgemm-tiled", gemm_set_up, gemm_tiled_run, gemm_result},
      {"black-scholes", option_set_up, option_run, option_result},
      {"stencil", plate_set_up, plate_run, plate_result},
      {"mandelbrot", fractal_set_up, fractal_run, fractal_result},
      {"reduce-tree", sum_set_up, sum_run, sum_result},
      {"reduce-sycl", sum_set_up, sum_run, sum_result},
      {"histogram", bytes_set_up, bytes_run, bytes_result},
      {"scan", scan_set_up, scan_run, scan_result},
  };
  return bench_main(argc, argv, kernels, sizeof(kernels) / sizeof(kernels[0]));
}
