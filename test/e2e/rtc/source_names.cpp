// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of a source by their names: extern "C", registered expressions, templates, overloads,
// namespaces, raw names; and what is no name.
// Of one thread.
// UNSUPPORTED: thread-sanitizer
// RUN: %tenonxx -fsycl -O1 -Wall -Wextra -Werror %s -o %t && %t
#include "Inputs/sources.hpp"

static const char names_source[] = R"(
extern "C" ND_KERNEL void iota(float start, float *out) {
  const size_t i = work_item::get_nd_item<1>().get_global_linear_id();
  out[i] = start + static_cast<float>(i);
}
namespace ns {
ND_KERNEL void plain(int *out) { *out = 10; }
inline namespace inner {
template <class T>
ND_KERNEL void sized(int *out) { *out = static_cast<int>(sizeof(T)); }
}
template <int N, class... T>
ND_KERNEL void numbers(int *out) { *out = N * 10 + static_cast<int>(sizeof...(T)); }
}
ND_KERNEL void over(int *out) { *out = 1; }
ND_KERNEL void over(int *out, int with) { *out = with; }
struct pair { int first; short second; };
ND_KERNEL void over(pair p, int *out) { *out = p.first + p.second; }
int helper(int x) { return 2 * x; }
)";

template <class... Args>
static int run(sycl::queue q, const sycl::kernel &kernel, const Args &...args) {
  q.submit([&](sycl::handler &cgh) {
     cgh.set_args(args...);
     cgh.parallel_for(sycl::nd_range<1>(1, 1), kernel);
   }).wait_and_throw();
  return 0;
}

struct host_pair {
  int first;
  short second;
};

static void check_names(sycl::queue q) {
  int *out = sycl::malloc_shared<int>(1, q);
  const auto result = [&](const executable_bundle &bundle, const char *name) {
    *out = -1;
    run(q, bundle.ext_oneapi_get_kernel(name), out);
    return *out;
  };
  syclexp::registered_names names{
      {"ns::plain", "ns::sized<double>", "ns::inner::sized<char>", "ns::numbers<4, int, float>"}};
  names.add("(void(*)(int *))over");
  names.add("static_cast<void (*)(int *, int)>(over)");
  names.add("(void(*)(pair, int *))over");
  names.add("ns::plain");  // twice is as good as once
  const executable_bundle bundle = build(q, names_source, names);

  const char *inside = "ND_KERNEL static void inside(int *out) { *out = 6; }\n"
                       "namespace { ND_KERNEL void hidden(int *out) { *out = 7; } }\n";
  const executable_bundle internal =
      build(q, inside, syclexp::registered_names({"inside", "hidden"}));
  EXPECT(result(internal, "inside") == 6 && result(internal, "hidden") == 7);
  EXPECT(result(bundle, "ns::plain") == 10);
  EXPECT(result(bundle, "ns::sized<double>") == 8);
  EXPECT(result(bundle, "ns::inner::sized<char>") == 1);
  EXPECT(result(bundle, "ns::numbers<4, int, float>") == 42);
  EXPECT(result(bundle, "(void(*)(int *))over") == 1);
  run(q, bundle.ext_oneapi_get_kernel("static_cast<void (*)(int *, int)>(over)"), out, 5);
  EXPECT(*out == 5);
  run(q, bundle.ext_oneapi_get_kernel("(void(*)(pair, int *))over"), host_pair{30, 4}, out);
  EXPECT(*out == 34);

  for (const char *name : {"ns::plain", "ns::sized<double>", "iota"}) {
    const std::string raw = bundle.ext_oneapi_get_raw_kernel_name(name);
    EXPECT(!raw.empty() && bundle.ext_oneapi_has_kernel(raw));
    EXPECT(bundle.ext_oneapi_get_raw_kernel_name(raw) == raw);
    EXPECT(bundle.ext_oneapi_get_kernel(raw) == bundle.ext_oneapi_get_kernel(name));
  }
  EXPECT(result(bundle, bundle.ext_oneapi_get_raw_kernel_name("ns::plain").c_str()) == 10);

  // Names are compared letter by letter, and only those that were registered count.
  for (const char *name : {"plain", "ns::sized<float>", "ns::numbers<4,int,float>", "helper", "",
                           "iota ", "no_such_kernel"}) {
    EXPECT(!bundle.ext_oneapi_has_kernel(name));
    EXPECT_FAILURE(invalid, PARTS(name), bundle.ext_oneapi_get_kernel(name));
    EXPECT_FAILURE(invalid, PARTS(name), (void)bundle.ext_oneapi_get_raw_kernel_name(name));
  }
  EXPECT_FAILURE(invalid, PARTS("no_such_kernel", "iota"),
                 bundle.ext_oneapi_get_kernel("no_such_kernel"));
  sycl::free(out, q);
}

// Attributes by constants, templates and macros; complex numbers of the host's library.
static void check_attributes(sycl::queue q) {
  const executable_bundle bundle = build(
      q, R"(#include <complex>
constexpr std::size_t eight = 8;
#define SIZE(x) \
  [[sycl::reqd_work_group_size(x)]]
template <int N>
SIZE(N) ND_KERNEL void sized(int *out) { *out = N; }
extern "C" ND_KERNEL [[sycl::reqd_work_group_size(eight)]] void constant(int *out) {
  *out = static_cast<int>(std::abs(std::complex<float>(3, 4)));
}
)",
      syclexp::registered_names{{"sized<4>", "sized<8>"}});
  int *out = sycl::malloc_shared<int>(1, q);
  const auto run_four = [&](const char *name) {
    q.submit([&](sycl::handler &cgh) {
       cgh.set_args(out);
       cgh.parallel_for(sycl::nd_range<1>(8, 4), bundle.ext_oneapi_get_kernel(name));
     }).wait_and_throw();
    return *out;
  };
  EXPECT(run_four("sized<4>") == 4);
  EXPECT_ERRC(nd_range, run_four("sized<8>"));
  EXPECT_ERRC(nd_range, run_four("constant"));
  q.submit([&](sycl::handler &cgh) {
     cgh.set_args(out);
     cgh.parallel_for(sycl::nd_range<1>(8, 8), bundle.ext_oneapi_get_kernel("constant"));
   }).wait_and_throw();
  EXPECT(*out == 5);
  sycl::free(out, q);
}

static void check_wrong_names(const sycl::queue &q) {
  const auto with_name = [&](const char *name) {
    return build(q, names_source, syclexp::registered_names(std::string(name)));
  };
  EXPECT_FAILURE(build, PARTS("absent"), with_name("absent"));
  EXPECT_FAILURE(build, PARTS("over"), with_name("over"));  // which of them?
  const failure no_kernel = failure_of([&] { with_name("helper"); });
  EXPECT(no_kernel.code == static_cast<int>(sycl::errc::build) ||
         no_kernel.code == static_cast<int>(sycl::errc::invalid));
  EXPECT(has(no_kernel.text, "helper") || (std::puts(no_kernel.text.c_str()), false));
  EXPECT_FAILURE(invalid, PARTS(""), with_name(""));
  EXPECT_FAILURE(invalid, PARTS("registered_names"),
                 build(q, names_source, syclexp::registered_names(std::string("iota\0x", 6))));
}

// The bundle of an iota with three launches, after source and other copies are gone.
static void check_lifetimes(sycl::queue q) {
  constexpr std::size_t count = 128;
  float *out = sycl::malloc_shared<float>(count, q);
  const sycl::kernel iota = [&] { return build(q, names_source).ext_oneapi_get_kernel("iota"); }();
  EXPECT(iota.get_context() == q.get_context());
  EXPECT(iota.get_kernel_bundle().ext_oneapi_has_kernel("iota"));
  for (const float start : {0.0f, 3.5f, -1.0f}) {
    q.submit([&](sycl::handler &cgh) {
       cgh.set_arg(0, start);
       cgh.set_arg(1, out);
       cgh.parallel_for(sycl::nd_range<1>(count, 16), iota);
     }).wait_and_throw();
    bool right = true;
    for (std::size_t i = 0; i < count; ++i) {
      right = right && out[i] == start + static_cast<float>(i);
    }
    EXPECT(right);
  }
  sycl::free(out, q);
}

static void check_bundle(const sycl::queue &q) {
  const source_bundle source = source_of(q, names_source);
  const source_bundle copy(source);
  EXPECT(copy == source && !(copy != source));
  EXPECT(source != source_of(q, names_source));
  EXPECT(std::hash<source_bundle>()(copy) == std::hash<source_bundle>()(source));
  EXPECT(source.get_context() == q.get_context());
  EXPECT(source.get_devices() == q.get_context().get_devices());
  EXPECT(source.get_backend() == q.get_context().get_backend());

  const executable_bundle bundle = syclexp::build(source);
  EXPECT(bundle.get_devices() == q.get_context().get_devices());
  EXPECT(bundle.ext_oneapi_has_kernel("iota") &&
         bundle.ext_oneapi_has_kernel("iota", q.get_device()));
  EXPECT(!bundle.ext_oneapi_has_kernel("absent", q.get_device()));
  EXPECT(!bundle.empty());
  EXPECT(!bundle.ext_oneapi_has_device_global("iota", q.get_device()));
  EXPECT_FAILURE(invalid, PARTS("device global counter", "has none"),
                 bundle.ext_oneapi_get_device_global_address("counter", q.get_device()));
  EXPECT(bundle == syclexp::build(source));  // nothing was compiled again
  // Kernels of sources are none of the application's.
  const std::size_t before = sycl::get_kernel_ids().size();
  const executable_bundle other = build(q, storing("1"));
  EXPECT(sycl::get_kernel_ids().size() == before);
  EXPECT(other != bundle);
}

static void check_languages(const sycl::queue &q) {
  using language = syclexp::source_language;
  const sycl::context ctx = q.get_context();
  const sycl::device dev = q.get_device();
  EXPECT(dev.ext_oneapi_can_build(language::sycl) && dev.ext_oneapi_can_compile(language::sycl));
  const bool takes_spirv = dev.get_backend() == sycl::backend::opencl;
  EXPECT(dev.ext_oneapi_can_build(language::opencl) == takes_spirv &&
         dev.ext_oneapi_can_build(language::spirv) == takes_spirv);
  EXPECT(!dev.ext_oneapi_can_build(static_cast<language>(99)));
  syclexp::cl_version version{};
  EXPECT(dev.ext_oneapi_supports_cl_c_version(syclexp::opencl_c_1_2) == takes_spirv &&
         !dev.ext_oneapi_supports_cl_c_feature("__opencl_c_no_such_feature") &&
         !dev.ext_oneapi_supports_cl_extension("cl_khr_no_such_extension", &version) &&
         dev.ext_oneapi_cl_profile().empty() == !takes_spirv);

  const auto create = [&](language lang, const auto &source) {
    return syclexp::create_kernel_bundle_from_source(ctx, lang, source);
  };
  const std::vector<std::byte> bytes(16);
  if (!takes_spirv) {
    EXPECT_FAILURE(invalid, PARTS("OpenCL"), create(language::opencl, std::string("kernel")));
    EXPECT_FAILURE(invalid, PARTS("SPIR-V"), create(language::spirv, bytes));
  }
  EXPECT_FAILURE(invalid, PARTS("std::vector<std::byte>"), create(language::spirv, std::string()));
  EXPECT_FAILURE(invalid, PARTS("std::string"), create(language::sycl, bytes));
  EXPECT_FAILURE(invalid, PARTS("99"), create(static_cast<language>(99), std::string("x")));
  EXPECT_ERRC(invalid, syclexp::build(source_of(q, storing("1")), std::vector<sycl::device>()));
  // Nothing to run, and nothing for others.
  EXPECT_FAILURE(build, PARTS("neither kernels"), build(q, "int x;\n"));
  EXPECT_FAILURE(build, PARTS("neither kernels"),
                 syclexp::build(create(language::sycl, std::string())));
}

int main() {
  sycl::queue q;
  check_names(q);
  check_attributes(q);
  check_wrong_names(q);
  check_lifetimes(q);
  check_bundle(q);
  check_languages(q);
  return failures != 0;
}
