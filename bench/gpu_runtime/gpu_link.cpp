// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking a program's device code with a library's while it runs, beside the driver's linker with
// the same PTX; in fresh processes in turn. The library lies beside the program.

// BUILD: -fsycl-targets=nvptx64-nvidia-cuda -fsycl-allow-device-image-dependencies

// LIBRARY: library/gpu_link_functions.cpp libgpu_link_functions.so

#include "gpu_bench.hpp"
#include <sycl/sycl.hpp>

// On the host the functions are never called, nor there when the program is linked.
#ifdef __SYCL_DEVICE_ONLY__
#define IMPORTED SYCL_EXTERNAL
#else
#define IMPORTED SYCL_EXTERNAL __attribute__((weak))
#endif
IMPORTED float gpu_link_first(float x);
IMPORTED float gpu_link_second(float x, int n);

namespace {

using bench::now_us;

class link_kernel;

std::string library_file() {
  std::string self(4096, '\0');
  const ssize_t size = readlink("/proc/self/exe", &self[0], self.size() - 1);
  self.resize(size > 0 ? std::size_t(size) : 0);
  return self.substr(0, self.rfind('/') + 1) + "libgpu_link_functions.so";
}

int tenon() {
  if (!dlopen(library_file().c_str(), RTLD_NOW | RTLD_GLOBAL)) {
    return 1;
  }
  sycl::queue q{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  float *p = sycl::malloc_device<float>(1024, q);
  float values[4] = {0, 1, 2, 3};
  q.memcpy(p, values, sizeof(values)).wait();
  const double start = now_us();
  q.parallel_for<link_kernel>(sycl::range<1>(256), [=](sycl::id<1> i) {
    p[i] = gpu_link_first(p[i]) + gpu_link_second(p[i], int(i[0]));
  });
  q.wait();
  return bench::answer(now_us() - start);
}

int cuda(const char *kernel) {
  const std::string app = bench::read_file(std::getenv("BENCH_CODE"));
  const std::string library = bench::read_file(std::getenv("BENCH_LIBRARY"));
  bench::raw_device device;
  bench::address memory = 0;
  BENCH_CHECK(allocate, &memory, 4096);
  unsigned long long words[7] = {256, 1, 1, 0, 0, 0, 0};
  void *arguments[] = {&memory, words};
  const double start = now_us();
  const std::string code = library.empty() ? app : bench::link_ptx({app, library});
  void *module = nullptr;
  void *function = nullptr;
  BENCH_CHECK(module_load, &module, code.c_str());
  BENCH_CHECK(module_function, &function, module, kernel);
  BENCH_CHECK(launch, function, 1, 1, 1, 256, 1, 1, 0, device.stream, arguments, nullptr);
  device.wait();
  return bench::answer(now_us() - start);
}

// What is found on disk, beside the loading of the same machine code: what is more is Tenon's.
void time_kept(const bench::folder &folder, const std::string &kernel, const std::string &code) {
  const char *name = "app and library, linked by another process: beyond loading the code";
  const std::vector<std::string> settings = {"BENCH_CODE=" + folder.add("linked", code),
                                             "BENCH_LIBRARY=/dev/null",
                                             "BENCH_KERNEL=" + kernel,
                                             "TENON_CACHE=1",
                                             "TENON_CACHE_DIR=" + folder.path + "/tenon",
                                             "CUDA_CACHE_DISABLE=1"};
  const bench::pair_of_times t = bench::compare(
      bench::PROCESSES, [&] { return bench::ask_process("tenon", settings); },
      [&] { return bench::ask_process("cuda", settings); });
  if (std::isnan(t.tenon)) {
    bench::skipped(name, "a process failed", "<= 1 ms");
    return;
  }
  bench::row("app and library, linked by another process: loading and launch", "ms", t.tenon / 1e3,
             t.cuda / 1e3, t.ratio, "-");
  bench::row(name, "ms", (t.tenon - t.cuda) / 1e3, NAN, NAN, "<= 1 ms");
}

int run() {
  const char *name = "app and library linked at run time, loading and launch";
  const bench::folder folder;
  const std::string app = bench::find_ptx("/proc/self/exe", "link_kernel");
  const std::string library = bench::find_ptx(library_file().c_str(), "gpu_link_first");
  if (app.empty() || library.empty()) {
    bench::skipped(name, app.empty() ? "no PTX in this program" : "no library beside this program",
                   "<= 1.20");
    return 0;
  }
  const std::string kernel = bench::kernel_of(app, "link_kernel");
  bench::process_row(
      name, "<= 1.20",
      {"BENCH_CODE=" + folder.add("app", app), "BENCH_LIBRARY=" + folder.add("library", library),
       "BENCH_KERNEL=" + kernel, "TENON_CACHE=0", "CUDA_CACHE_DISABLE=1"});
  const bench::raw_device device;
  time_kept(folder, kernel, bench::link_ptx({app, library}));
  return 0;
}

}  // namespace

int main(int count, char **words) {
  try {
    const std::string question = count > 1 ? words[1] : "";
    const char *kernel = std::getenv("BENCH_KERNEL");
    return question == "tenon" ? tenon() : question == "cuda" ? cuda(kernel ? kernel : "") : run();
  } catch (const std::exception &error) {
    bench::fail("gpu_link", error.what());
  }
}
