// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels and launches beside the same in OpenCL C, in the same context of the same driver.
#include "opencl_bench.hpp"

namespace {

using bench::check;
using bench::timed;

constexpr std::size_t TRIAD = 1 << 23, BODIES = 4096, ROWS = 512, OPTIONS = 1 << 20;
constexpr int BURST = 2000, ROUNDS = 15;
constexpr std::uint64_t USED = 1 << 3, COPIED = 1 << 5;  // the host's memory

// The same work in the same words, as far as the languages have the same: OpenCL's dimension 0 is
// SYCL's last one.
const char source[] = R"(
kernel void triad(global double *a, global const double *b, global const double *c) {
  size_t i = get_global_id(0);
  a[i] = b[i] + 3.0 * c[i];
}
kernel void bodies(global const float *x, global const float *y, global float *out, int count) {
  size_t i = get_global_id(0);
  float ax = 0;
  for (int j = 0; j < count; j++) {
    float dx = x[j] - x[i], dy = y[j] - y[i];
    float near = 1.0f / sqrt(dx * dx + dy * dy + 0.01f);
    ax += dx * near * near * near;
  }
  out[i] = ax;
}
kernel void product(global const float *a, global const float *b, global float *c, int n) {
  size_t row = get_global_id(1), column = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
kernel void tiled(global const float *a, global const float *b, global float *c, int n) {
  local float ta[16][16], tb[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  size_t row = get_global_id(1), column = get_global_id(0);
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[y][x] = a[row * n + t + x];
    tb[y][x] = b[(t + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++) sum += ta[y][k] * tb[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
kernel void prices(global const float *s, global const float *k, global float *out) {
  size_t i = get_global_id(0);
  float d = (log(s[i] / k[i]) + 0.065f) / 0.3f;
  out[i] = s[i] * 0.5f * (1.0f + erf(d)) - k[i] * exp(-0.02f) * 0.5f * (1.0f + erf(d - 0.3f));
}
kernel void nothing(global int *p) {}
)";

struct raw_side {
  cl_context context;
  cl_device_id device;
  cl_command_queue queue;
  cl_program program;

  explicit raw_side(sycl::queue &q)
      : context(sycl::get_native<sycl::backend::opencl>(q.get_context())),
        device(sycl::get_native<sycl::backend::opencl>(q.get_device())) {
    const char *text = source;
    int result = 0;
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, &result);
    check(result, "clCreateCommandQueueWithProperties");
    program = clCreateProgramWithSource(context, 1, &text, nullptr, &result);
    check(result, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  }
  cl_mem memory(std::vector<float> &data) const { return memory(data.data(), data.size() * 4); }
  cl_mem memory(void *data, std::size_t size) const { return view(data, size, COPIED); }
  cl_mem view(void *data, std::size_t size, std::uint64_t how = USED) const {
    int result = 0;
    const cl_mem made = clCreateBuffer(context, bench::READ_WRITE | how, size, data, &result);
    check(result, "clCreateBuffer");
    return made;
  }
  template <class... T>
  cl_kernel kernel(const char *name, const T &...arguments) const {
    int result = 0;
    unsigned index = 0;
    const cl_kernel made = clCreateKernel(program, name, &result);
    check(result, name);
    (check(clSetKernelArg(made, index++, sizeof(T), &arguments), name), ...);
    return made;
  }
  void run(cl_kernel kernel, unsigned dims, const std::size_t *global,
           const std::size_t *local = nullptr) const {
    check(clEnqueueNDRangeKernel(queue, kernel, dims, nullptr, global, local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  }
  void wait() const { check(clFinish(queue), "clFinish"); }
};

std::vector<float> numbers(std::size_t count, float low) {
  std::vector<float> made(count);
  for (std::size_t i = 0; i < count; i++) {
    made[i] = low + float(i * 2654435761u % 1000) / 1000;
  }
  return made;
}

float *on_device(sycl::queue &q, const std::vector<float> &data) {
  float *made = sycl::malloc_device<float>(data.size(), q);
  q.memcpy(made, data.data(), data.size() * sizeof(float)).wait();
  return made;
}

// Both sides' results are the same numbers, but for rounding.
void expect_same(sycl::queue &q, const raw_side &raw, const float *ours, cl_mem theirs,
                 std::size_t count, const char *what) {
  std::vector<float> a(count), b(count);
  q.memcpy(a.data(), ours, count * sizeof(float)).wait();
  check(clEnqueueReadBuffer(raw.queue, theirs, 1, 0, count * sizeof(float), b.data(), 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer");
  for (std::size_t i = 0; i < count; i++) {
    if (!(std::fabs(a[i] - b[i]) <= 1e-3f * (1 + std::fabs(b[i])))) {
      std::fprintf(stderr, "%s: %g is not %g at %zu\n", what, double(a[i]), double(b[i]), i);
      std::exit(1);
    }
  }
}

template <class Ours, class Theirs>
void kernel_row(const char *name, sycl::queue &q, const raw_side &raw, Ours ours, Theirs theirs) {
  bench::compare(
      name, "ms", 1e-3, ROUNDS, [&] { return timed([&] { ours(), q.wait(); }); },
      [&] { return timed([&] { theirs(), raw.wait(); }); });
}

void triad(sycl::queue &q, const raw_side &raw) {
  std::vector<double> data(TRIAD, 1.5);
  double *a = sycl::malloc_device<double>(TRIAD, q), *b = sycl::malloc_device<double>(TRIAD, q),
         *c = sycl::malloc_device<double>(TRIAD, q);
  for (double *each : {a, b, c}) {
    q.memcpy(each, data.data(), TRIAD * sizeof(double)).wait();
  }
  // In the same memory: what drivers give out for cl_mem lies elsewhere.
  const std::size_t bytes = TRIAD * sizeof(double);
  const cl_kernel k =
      raw.kernel("triad", raw.view(a, bytes), raw.view(b, bytes), raw.view(c, bytes));
  kernel_row(
      "triad, 3 x 64 MiB", q, raw,
      [&] { q.parallel_for(TRIAD, [=](sycl::id<1> i) { a[i] = b[i] + 3.0 * c[i]; }); },
      [&] { raw.run(k, 1, &TRIAD); });
}

void bodies(sycl::queue &q, const raw_side &raw) {
  std::vector<float> x = numbers(BODIES, 0), y = numbers(BODIES, 1), zero(BODIES);
  const cl_mem memory = raw.memory(zero);
  const int count = BODIES;
  const cl_kernel k = raw.kernel("bodies", raw.memory(x), raw.memory(y), memory, count);
  const float *px = on_device(q, x), *py = on_device(q, y);
  float *out = on_device(q, zero);
  kernel_row(
      "n-body, 4096 bodies", q, raw,
      [&] {
        q.parallel_for(BODIES, [=](sycl::id<1> i) {
          float ax = 0;
          for (int j = 0; j < count; j++) {
            const float dx = px[j] - px[i], dy = py[j] - py[i];
            const float near = 1.0f / sycl::sqrt(dx * dx + dy * dy + 0.01f);
            ax += dx * near * near * near;
          }
          out[i] = ax;
        });
      },
      [&] { raw.run(k, 1, &BODIES); });
  expect_same(q, raw, out, memory, BODIES, "n-body");
}

void products(sycl::queue &q, const raw_side &raw) {
  std::vector<float> a = numbers(ROWS * ROWS, 0), b = numbers(ROWS * ROWS, 1), zero(ROWS * ROWS);
  const cl_mem memory = raw.memory(zero), ma = raw.memory(a), mb = raw.memory(b);
  constexpr int n = ROWS;
  const std::size_t global[] = {ROWS, ROWS}, local[] = {16, 16};
  const cl_kernel naive = raw.kernel("product", ma, mb, memory, n);
  const cl_kernel tiled = raw.kernel("tiled", ma, mb, memory, n);
  const float *pa = on_device(q, a), *pb = on_device(q, b);
  float *c = on_device(q, zero);
  kernel_row(
      "naive sgemm, 512, range", q, raw,
      [&] {
        q.parallel_for(sycl::range<2>(ROWS, ROWS), [=, n = n](sycl::id<2> i) {
          const std::size_t row = i[0], column = i[1];
          float sum = 0;
          for (int k = 0; k < n; k++) {
            sum += pa[row * n + k] * pb[k * n + column];
          }
          c[row * n + column] = sum;
        });
      },
      [&] { raw.run(naive, 2, global); });
  expect_same(q, raw, c, memory, ROWS * ROWS, "naive sgemm");
  kernel_row(
      "tiled sgemm, 512, groups of 16 x 16, local memory", q, raw,
      [&] {
        q.submit([&](sycl::handler &cgh) {
          sycl::local_accessor<float, 2> ta({16, 16}, cgh), tb({16, 16}, cgh);
          cgh.parallel_for(
              sycl::nd_range<2>({ROWS, ROWS}, {16, 16}), [=, n = n](sycl::nd_item<2> it) {
                const int x = int(it.get_local_id(1)), y = int(it.get_local_id(0));
                const std::size_t row = it.get_global_id(0), column = it.get_global_id(1);
                float sum = 0;
                for (int t = 0; t < n; t += 16) {
                  ta[y][x] = pa[row * n + t + x];
                  tb[y][x] = pb[(t + y) * n + column];
                  sycl::group_barrier(it.get_group());
                  for (int k = 0; k < 16; k++) {
                    sum += ta[y][k] * tb[k][x];
                  }
                  sycl::group_barrier(it.get_group());
                }
                c[row * n + column] = sum;
              });
        });
      },
      [&] { raw.run(tiled, 2, global, local); });
  expect_same(q, raw, c, memory, ROWS * ROWS, "tiled sgemm");
}

void prices(sycl::queue &q, const raw_side &raw) {
  std::vector<float> s = numbers(OPTIONS, 5), k = numbers(OPTIONS, 5), zero(OPTIONS);
  const cl_mem memory = raw.memory(zero);
  const cl_kernel kernel = raw.kernel("prices", raw.memory(s), raw.memory(k), memory);
  const float *ps = on_device(q, s), *pk = on_device(q, k);
  float *out = on_device(q, zero);
  kernel_row(
      "options, 1 Mi, log, erf, exp", q, raw,
      [&] {
        q.parallel_for(OPTIONS, [=](sycl::id<1> i) {
          const float d = (sycl::log(ps[i] / pk[i]) + 0.065f) / 0.3f;
          out[i] = ps[i] * 0.5f * (1.0f + sycl::erf(d)) -
                   pk[i] * sycl::exp(-0.02f) * 0.5f * (1.0f + sycl::erf(d - 0.3f));
        });
      },
      [&] { raw.run(kernel, 1, &OPTIONS); });
  expect_same(q, raw, out, memory, OPTIONS, "options");
}

void launches(sycl::queue &q, const raw_side &raw) {
  int *p = sycl::malloc_device<int>(1, q);
  const std::size_t one = 1;
  int zero = 0;
  const cl_mem memory = raw.memory(&zero, sizeof(zero));
  const cl_kernel k = raw.kernel("nothing", memory);
  auto ours = [&] { q.single_task([=] { (void)p; }); };
  auto theirs = [&] {
    check(clSetKernelArg(k, 0, sizeof(memory), &memory), "clSetKernelArg");
    raw.run(k, 1, &one);
  };
  bench::compare(
      "launches in order, one wait, each", "us", 1.0 / BURST, ROUNDS,
      [&] {
        return timed([&] {
          for (int i = 0; i < BURST; i++) {
            ours();
          }
          q.wait();
        });
      },
      [&] {
        return timed([&] {
          for (int i = 0; i < BURST; i++) {
            theirs();
          }
          raw.wait();
        });
      });
  bench::compare(
      "launch and wait", "us", 1.0 / 200, ROUNDS,
      [&] {
        return timed([&] {
          for (int i = 0; i < 200; i++) {
            ours(), q.wait();
          }
        });
      },
      [&] {
        return timed([&] {
          for (int i = 0; i < 200; i++) {
            theirs(), raw.wait();
          }
        });
      });
}

}  // namespace

int main() {
  sycl::queue q{sycl::property::queue::in_order()};
  std::fprintf(stderr, "%s\n", q.get_device().get_info<sycl::info::device::name>().c_str());
  const raw_side raw(q);
  launches(q, raw);
  triad(q, raw);
  bodies(q, raw);
  products(q, raw);
  prices(q, raw);
}
