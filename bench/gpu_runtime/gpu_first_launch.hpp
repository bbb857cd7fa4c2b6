// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process's first launch, from the program's own code, beside the driver's functions with the
// same code; in fresh processes, Tenon's and the driver's in turn. And the start of a process up to
// its list of devices.
#ifndef TENON_BENCH_GPU_FIRST_LAUNCH_HPP
#define TENON_BENCH_GPU_FIRST_LAUNCH_HPP

#include "gpu_bench.hpp"
#include <sycl/sycl.hpp>

namespace first_launch {

using bench::now_us;

class first_kernel;

// The kernel has something to compile: some hundred instructions.
inline float work(float x) {
  for (int i = 0; i < 8; i++) {
    x = sycl::sqrt(x * x + float(i)) + sycl::fabs(x - 2.0f * float(i));
  }
  return x;
}

// The context is made before; what is timed is getting the code there and running it.
inline int tenon() {
  const double begin = bench::started_us();
  sycl::queue q{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  float *p = sycl::malloc_device<float>(1024, q);
  float zeros[4] = {};
  q.memcpy(p, zeros, sizeof(zeros)).wait();
  const double start = now_us();
  q.parallel_for<first_kernel>(sycl::range<1>(256), [=](sycl::id<1> i) { p[i] = work(p[i]); });
  q.wait();
  const double end = now_us();
  const bool is_whole = std::getenv("BENCH_WHOLE") != nullptr;
  return bench::answer(is_whole ? end - begin : end - start);
}

// The same with code from a file. A kernel of Tenon's has two parameters: what it captured, and the
// launch (range and offset).
inline int cuda(const char *file, const char *kernel) {
  const double begin = bench::started_us();
  const std::string code = bench::read_file(file);
  bench::raw_device device;
  bench::address memory = 0;
  float zeros[4] = {};
  BENCH_CHECK(allocate, &memory, 4096);
  BENCH_CHECK(to_device, memory, zeros, sizeof(zeros));
  unsigned long long words[7] = {256, 1, 1, 0, 0, 0, 0};
  void *arguments[] = {&memory, words};
  const double start = now_us();
  void *module = nullptr;
  void *function = nullptr;
  BENCH_CHECK(module_load, &module, code.c_str());
  BENCH_CHECK(module_function, &function, module, kernel);
  BENCH_CHECK(launch, function, 1, 1, 1, 256, 1, 1, 0, device.stream, arguments, nullptr);
  device.wait();
  const double end = now_us();
  const bool is_whole = std::getenv("BENCH_WHOLE") != nullptr;
  return bench::answer(is_whole ? end - begin : end - start);
}

inline int list_tenon() {
  const auto devices = sycl::device::get_devices(sycl::info::device_type::gpu);
  const std::string name = devices.at(0).get_info<sycl::info::device::name>();
  const double end = now_us();
  return name.empty() ? 1 : bench::answer(end - bench::started_us());
}

inline int list_cuda() {
  int count = 0, device = 0;
  char name[256] = "";
  BENCH_CHECK(init, 0);
  BENCH_CHECK(device_count, &count);
  BENCH_CHECK(device_get, &device, 0);
  BENCH_CHECK(device_name, name, int(sizeof(name)), device);
  const double end = now_us();
  return name[0] == '\0' ? 1 : bench::answer(end - bench::started_us());
}

// Answers one question; a negative result is for a process that was asked none.
inline int answer_question(int count, char **words) {
  const std::string question = count > 1 ? words[1] : "";
  const char *file = std::getenv("BENCH_CODE");
  const char *kernel = std::getenv("BENCH_KERNEL");
  if (question == "tenon") {
    return tenon();
  }
  if (question == "cuda") {
    return cuda(file ? file : "", kernel ? kernel : "");
  }
  if (question == "list-tenon") {
    return list_tenon();
  }
  return question == "list-cuda" ? list_cuda() : -1;
}

}  // namespace first_launch
#endif
