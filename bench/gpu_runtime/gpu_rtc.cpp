// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a source in memory to the end of its kernel on the device, beside NVRTC and the driver; in
// fresh processes in turn: the first of a process, and later ones with changed sources.
#include "gpu_bench.hpp"
#include <sycl/sycl.hpp>

namespace {

using bench::now_us;
namespace syclexp = sycl::ext::oneapi::experimental;

constexpr int LATER = 15;
constexpr int COUNT = 1024;

const char sycl_source[] = R"""(
#include <sycl/sycl.hpp>
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((
    sycl::ext::oneapi::experimental::nd_range_kernel<1>))
void vec_add(float *in1, float *in2, float *out) {
  size_t id = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_linear_id();
  out[id] = in1[id] + in2[id] + NUMBER;
}
)""";
const char cuda_source[] = R"""(
extern "C" __global__ void vec_add(float *in1, float *in2, float *out) {
  size_t id = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  out[id] = in1[id] + in2[id] + NUMBER;
}
)""";

std::string numbered(const char *source, int number) {
  std::string text = source;
  const std::string word = "NUMBER";
  return text.replace(text.find(word), word.size(), std::to_string(number));
}

// ---- Tenon

struct ours {
  sycl::queue q{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  float *a = sycl::malloc_device<float>(COUNT, q);
  float *b = sycl::malloc_device<float>(COUNT, q);
  float *c = sycl::malloc_device<float>(COUNT, q);
  ours() {
    q.fill(a, 1.0f, COUNT);
    q.fill(b, 2.0f, COUNT);
    q.fill(c, 0.0f, COUNT).wait();
  }
  double build(int number) {
    const std::string text = numbered(sycl_source, number);
    const double start = now_us();
    auto source = syclexp::create_kernel_bundle_from_source(q.get_context(),
                                                            syclexp::source_language::sycl, text);
    auto bundle = syclexp::build(source);
    sycl::kernel kernel = bundle.ext_oneapi_get_kernel("vec_add");
    q.submit([&](sycl::handler &h) {
      h.set_args(a, b, c);
      h.parallel_for(sycl::nd_range<1>(COUNT, 128), kernel);
    });
    q.wait();
    const double end = now_us();
    float seen = 0;
    q.memcpy(&seen, c + COUNT - 1, sizeof(seen)).wait();
    if (seen != 3.0f + float(number)) {
      bench::fail("gpu_rtc", "Tenon's kernel computed something else");
    }
    return end - start;
  }
};

// ---- NVRTC, by the declarations of its manual, and the driver

struct theirs {
  int (*create)(void **, const char *, const char *, int, const char *const *,
                const char *const *) = nullptr;
  int (*compile)(void *, int, const char *const *);
  int (*size)(void *, std::size_t *);
  int (*get)(void *, char *);
  int (*destroy)(void **);
  std::string architecture;
  bench::raw_device device;
  bench::address a = 0, b = 0, c = 0;

  // `is_machine_code`: NVRTC makes it; else PTX, which the driver compiles.
  explicit theirs(bool is_machine_code) {
    int major = 0, minor = 0;
    BENCH_CHECK(device_attribute, &major, 75, device.device);
    BENCH_CHECK(device_attribute, &minor, 76, device.device);
    architecture = std::string("--gpu-architecture=") + (is_machine_code ? "sm_" : "compute_") +
                   std::to_string(10 * major + minor);
    std::vector<float> values(COUNT, 1.0f);
    for (bench::address *each : {&a, &b, &c}) {
      BENCH_CHECK(allocate, each, COUNT * sizeof(float));
      BENCH_CHECK(to_device, *each, values.data(), COUNT * sizeof(float));
    }
  }
  // Loading NVRTC counts, as loading Tenon's compiler does.
  void load(bool is_machine_code) {
    void *library = nullptr;
    for (const char *name :
         {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"}) {
      library = library ? library : dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) {
      bench::fail("libnvrtc.so", "there is none");
    }
    bench::find(library, "nvrtcCreateProgram", create);
    bench::find(library, "nvrtcCompileProgram", compile);
    bench::find(library, is_machine_code ? "nvrtcGetCUBINSize" : "nvrtcGetPTXSize", size);
    bench::find(library, is_machine_code ? "nvrtcGetCUBIN" : "nvrtcGetPTX", get);
    bench::find(library, "nvrtcDestroyProgram", destroy);
  }
  double build(int number, bool is_machine_code) {
    const std::string text = numbered(cuda_source, number);
    const double start = now_us();
    if (!create) {
      load(is_machine_code);
    }
    void *program = nullptr;
    std::size_t code_size = 0;
    const char *options[] = {architecture.c_str()};
    if (create(&program, text.c_str(), "vec_add.cu", 0, nullptr, nullptr) != 0 ||
        compile(program, 1, options) != 0 || size(program, &code_size) != 0) {
      bench::fail("NVRTC", "does not compile the kernel");
    }
    std::string code(code_size, '\0');
    (void)get(program, &code[0]);
    (void)destroy(&program);
    void *module = nullptr;
    void *function = nullptr;
    void *arguments[] = {&a, &b, &c};
    BENCH_CHECK(module_load, &module, code.c_str());
    BENCH_CHECK(module_function, &function, module, "vec_add");
    BENCH_CHECK(launch, function, COUNT / 128, 1, 1, 128, 1, 1, 0, device.stream, arguments,
                nullptr);
    device.wait();
    return now_us() - start;
  }
};

template <class B>
int first_or_later(bool is_first, B build) {
  if (is_first) {
    return bench::answer(build(1000));
  }
  (void)build(1000);
  std::vector<double> later;
  for (int i = 0; i < LATER; i++) {
    later.push_back(build(i));
  }
  return bench::answer(bench::median(later));
}

int answer_question(const std::string &question) {
  const bool is_first = question.find("first") == 0;
  if (question.find("tenon") != std::string::npos) {
    ours side;
    return first_or_later(is_first, [&](int number) { return side.build(number); });
  }
  const bool is_machine_code = question.find("code") != std::string::npos;
  theirs side(is_machine_code);
  return first_or_later(is_first, [&](int number) { return side.build(number, is_machine_code); });
}

int run() {
  const std::vector<std::string> cold = {"TENON_CACHE=0", "CUDA_CACHE_DISABLE=1"};
  if (std::isnan(bench::ask_process("first-tenon", cold))) {
    bench::skipped("source to a kernel's end", "libtenon-compiler.so is not here", "<= 0.60");
    return 0;
  }
  bench::process_row("source to a kernel's end, first of a process; NVRTC to machine code",
                     "<= 0.60", cold, "first-tenon", "first-code");
  bench::process_row("source to a kernel's end, first of a process; NVRTC to PTX", "<= 0.60", cold,
                     "first-tenon", "first-ptx");
  bench::process_row("source to a kernel's end, later; NVRTC to machine code", "<= 0.60", cold,
                     "later-tenon", "later-code");
  bench::process_row("source to a kernel's end, later; NVRTC to PTX", "<= 0.60", cold,
                     "later-tenon", "later-ptx");
  return 0;
}

}  // namespace

int main(int count, char **words) {
  try {
    return count > 1 ? answer_question(words[1]) : run();
  } catch (const std::exception &error) {
    bench::fail("gpu_rtc", error.what());
  }
}
