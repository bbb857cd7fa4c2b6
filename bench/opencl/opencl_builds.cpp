// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds of a program beside clBuildProgram, and links of four images beside clLinkProgram, from
// the same SPIR-V: opencl_builds <one image's file> <four images' files>. Each build has another
// value of a specialization constant, so none of them is kept. With -DPART=1 to 3: the libraries.
#include <sycl/sycl.hpp>

#ifdef PART
#define NAMED(name, part) NAMED_TOO(name, part)
#define NAMED_TOO(name, part) name##part
SYCL_EXTERNAL float NAMED(step_, PART)(float x) {
  for (int i = 0; i < 20; i++) {
    x = sycl::sin(x * 1.5f) + sycl::sqrt(x * x + float(PART));
  }
  return x;
}
#else
#include "opencl_bench.hpp"

SYCL_EXTERNAL float step_1(float x);
SYCL_EXTERNAL float step_2(float x);
SYCL_EXTERNAL float step_3(float x);

class alone;
class linked;
constexpr sycl::specialization_id<int> turn{0};

namespace {

constexpr int ROUNDS = 15;
constexpr unsigned TURN = 2;  // SpecId of `turn` in both programs

using bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;

// Until the driver has made a kernel of it.
template <class Kernel>
void build(sycl::queue &q, int value) {
  const sycl::kernel_id id = sycl::get_kernel_id<Kernel>();
  auto input = sycl::get_kernel_bundle<sycl::bundle_state::input>(q.get_context(), {id});
  input.template set_specialization_constant<turn>(value);
  const bundle built = sycl::build(input);
  bench::check(clReleaseKernel(sycl::get_native<sycl::backend::opencl>(built.get_kernel(id))),
               "clReleaseKernel");
}

struct raw_side {
  cl_context context;
  cl_device_id device;
  explicit raw_side(sycl::queue &q)
      : context(sycl::get_native<sycl::backend::opencl>(q.get_context())),
        device(sycl::get_native<sycl::backend::opencl>(q.get_device())) {}

  cl_program create(const std::vector<char> &code, int value, bool has_value) const {
    int result = 0;
    const cl_program made = clCreateProgramWithIL(context, code.data(), code.size(), &result);
    bench::check(result, "clCreateProgramWithIL");
    if (has_value) {
      bench::check(clSetProgramSpecializationConstant(made, TURN, sizeof(value), &value),
                   "clSetProgramSpecializationConstant");
    }
    return made;
  }
  void finish(cl_program program, const char *name) const {
    int result = 0;
    const cl_kernel kernel = clCreateKernel(program, name, &result);
    bench::check(result, name);
    bench::check(clReleaseKernel(kernel), name);
    bench::check(clReleaseProgram(program), name);
  }
  void build(const std::vector<char> &code, const char *kernel, int value) const {
    const cl_program program = create(code, value, true);
    bench::check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    finish(program, kernel);
  }
  void link(const std::vector<std::vector<char>> &codes, const char *kernel, int value) const {
    std::vector<cl_program> parts;
    int result = 0;
    for (const std::vector<char> &code : codes) {
      parts.push_back(create(code, value, parts.empty()));
      bench::check(
          clCompileProgram(parts.back(), 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr),
          "clCompileProgram");
    }
    const cl_program program = clLinkProgram(context, 1, &device, "", unsigned(parts.size()),
                                             parts.data(), nullptr, nullptr, &result);
    bench::check(result, "clLinkProgram");
    for (cl_program part : parts) {
      bench::check(clReleaseProgram(part), "clReleaseProgram");
    }
    finish(program, kernel);
  }
};

}  // namespace

int main(int argc, char **argv) {
  sycl::queue q{sycl::property::queue::in_order()};
  float *p = sycl::malloc_device<float>(64, q);
  q.submit([&](sycl::handler &cgh) {
    cgh.parallel_for<alone>(64, [=](sycl::id<1> i, sycl::kernel_handler h) {
      float x = float(h.get_specialization_constant<turn>());
      for (int k = 0; k < 10; k++) {
        x = sycl::sin(x) + sycl::exp(-x) * sycl::cos(x * p[i]);
      }
      p[i] = x;
    });
  });
  q.submit([&](sycl::handler &cgh) {
    cgh.parallel_for<linked>(64, [=](sycl::id<1> i, sycl::kernel_handler h) {
      p[i] = step_1(step_2(step_3(float(h.get_specialization_constant<turn>()))));
    });
  });
  q.wait();
  if (argc != 6) {
    return 0;
  }
  const raw_side raw(q);
  const std::vector<char> one = bench::read_file(argv[1]);
  std::vector<std::vector<char>> four;
  for (int i = 2; i < 6; i++) {
    four.push_back(bench::read_file(argv[i]));
  }
  int value = 0;
  bench::compare(
      "build from SPIR-V, to a kernel", "ms", 1e-3, ROUNDS,
      [&] { return bench::timed([&] { build<alone>(q, ++value); }); },
      [&] { return bench::timed([&] { raw.build(one, "_ZTS5alone", ++value); }); });
  bench::compare(
      "compile and link four images, to a kernel", "ms", 1e-3, ROUNDS,
      [&] { return bench::timed([&] { build<linked>(q, ++value); }); },
      [&] { return bench::timed([&] { raw.link(four, "_ZTS6linked", ++value); }); });
}
#endif
