// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device globals of sources: their names, addresses and sizes; what kernels leave in them, whatever
// image they are in; and that each bundle has its own. In SYCL and in C.
// GPU-SUITE: needs g++
// Of one thread.
// UNSUPPORTED: thread-sanitizer
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: env TENON_CHECK=1 %t
#include "Inputs/sources.hpp"

static const char globals_source[] = R"(
using syclexp::device_global;
struct mixed { char c; int i; };
device_global<int> counter;
namespace ns {
device_global<int> counter;
static device_global<float[4]> table;
struct holder { static device_global<int> member; };
device_global<int> holder::member{11};
device_global<long> unused{-5};
}
namespace { device_global<mixed> pair; }
template <class T> device_global<T> of{T(2)};
device_global<int *> place;

extern "C" ND_KERNEL void add(int by) {
  sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> sum(counter.get());
  sum += by;
  const auto i = work_item::get_nd_item<1>().get_global_linear_id();
  if (i < 4) {
    ns::table[i] = static_cast<float>(i) + 0.5f;
  }
  if (i == 0) {
    ns::counter = 70;
    pair.get().i = 3;
    of<short> = of<short> + 1;
    place = &ns::counter.get();
  }
}
extern "C" )" SINGLE_KERNEL R"( void f(int *out) {
  *out = counter + ns::holder::member + of<short> + (place.get() ? *place.get() : 0);
  ns::holder::member = 0;
  auto number = pair.get_multi_ptr<sycl::access::decorated::no>();
  *out += number->i;
}
)";

static void run_add(sycl::queue q, const executable_bundle &bundle, int by) {
  q.submit([&](sycl::handler &cgh) {
     cgh.set_args(by);
     cgh.parallel_for(sycl::nd_range<1>(64, 16), bundle.ext_oneapi_get_kernel("add"));
   }).wait_and_throw();
}

static void check_values(sycl::queue q, const char *split) {
  const source_bundle source = source_of(q, globals_source);
  const syclexp::build_options options(split);
  const executable_bundle one = syclexp::build(source, options);
  const executable_bundle two = syclexp::build(source, options);
  EXPECT(one != two);
  run_add(q, one, 2);
  EXPECT(result_of(q, one) == 128 + 11 + 3 + 70 + 3);
  EXPECT(result_of(q, one) == 128 + 0 + 3 + 70 + 3);
  EXPECT(result_of(q, two) == 0 + 11 + 2 + 0 + 0);

  const sycl::device dev = q.get_device();
  float table[4] = {};
  q.memcpy(table, one.ext_oneapi_get_device_global_address("ns::table", dev), sizeof(table)).wait();
  EXPECT(table[0] == 0.5f && table[3] == 3.5f);
  auto *counter = static_cast<int *>(one.ext_oneapi_get_device_global_address("counter", dev));
  EXPECT(counter != one.ext_oneapi_get_device_global_address("ns::counter", dev));
  EXPECT(counter != two.ext_oneapi_get_device_global_address("counter", dev));
  EXPECT(sycl::get_pointer_type(counter, q.get_context()) == sycl::usm::alloc::device);
  const int set = 1000;
  q.copy(&set, counter, 1).wait();
  EXPECT(result_of(q, one) == 1000 + 3 + 70 + 3);
}

// A kernel keeps the globals of a bundle that is gone.
static void check_life(sycl::queue q) {
  sycl::kernel f = build(q, globals_source).ext_oneapi_get_kernel("f");
  (void)build(q, storing("1"));
  EXPECT(result_of(q, f) == 13);
  EXPECT(result_of(q, f) == 2);
}

static void check_names(const sycl::queue &q) {
  const sycl::device dev = q.get_device();
  const executable_bundle bundle =
      build(q, globals_source, syclexp::registered_names{"ns::counter", "& ::counter"});
  for (const char *name : {"counter", "ns::counter", "ns::table", "ns::holder::member", "pair",
                           "of<short>", "place", "ns::unused", "&ns::counter", " & ::counter"}) {
    EXPECT(bundle.ext_oneapi_has_device_global(name, dev));
  }
  for (const char *name : {"table", "ns", "", "add", "ns::holder::none"}) {
    EXPECT(!bundle.ext_oneapi_has_device_global(name, dev));
  }
  EXPECT(bundle.ext_oneapi_get_device_global_size("ns::table", dev) == 16u);
  EXPECT(bundle.ext_oneapi_get_device_global_size("pair", dev) == 8u);
  EXPECT(bundle.ext_oneapi_get_device_global_size("of<short>", dev) == 2u);
  long value = 0;
  sycl::queue(q)
      .memcpy(&value, bundle.ext_oneapi_get_device_global_address("ns::unused", dev), 8)
      .wait();
  EXPECT(value == -5);
  EXPECT_FAILURE(invalid, PARTS("device global none", "ns::table", "place"),
                 bundle.ext_oneapi_get_device_global_address("none", dev));
  EXPECT_FAILURE(invalid, PARTS("device global add"),
                 bundle.ext_oneapi_get_device_global_size("add", dev));
  EXPECT(!sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context())
              .ext_oneapi_has_device_global("counter", dev));
}

// With device_image_scope only kernels know where one is; its size is that of its type.
static void check_image_scope(const sycl::queue &q) {
  const std::string source =
      "using scope = decltype(syclexp::properties{syclexp::device_image_scope});\n"
      "struct wide { long a; char b; };\n"
      "syclexp::device_global<int[2], scope> scoped{4, 5};\n"
      "syclexp::device_global<wide, scope> other;\n";
  const executable_bundle bundle =
      build(q, source + storing("(scoped[0] += scoped[1]) + ++other.get().b"));
  EXPECT(result_of(q, bundle) == 10);
  EXPECT(result_of(q, bundle) == 16);
  const sycl::device dev = q.get_device();
  EXPECT(bundle.ext_oneapi_has_device_global("scoped", dev));
  EXPECT(bundle.ext_oneapi_get_device_global_size("scoped", dev) == 8u);
  EXPECT(bundle.ext_oneapi_get_device_global_size("other", dev) == 16u);
  EXPECT_FAILURE(invalid, PARTS("device global scoped", "device_image_scope"),
                 bundle.ext_oneapi_get_device_global_address("scoped", dev));
  EXPECT_FAILURE(invalid, PARTS("device global other", "device_image_scope"),
                 bundle.ext_oneapi_get_device_global_address("other", dev));
}

// What the application has is shared by sources that declare it.
syclexp::device_global<int> of_application{500};

SYCL_EXTERNAL int next_of_application() { return ++of_application.get(); }

static void check_application(sycl::queue q) {
  const executable_bundle bundle = build(q, "extern syclexp::device_global<int> of_application;\n" +
                                                storing("++of_application.get()"));
  q.single_task([] { ++of_application.get(); }).wait();
  EXPECT(result_of(q, bundle) == 502);
  int value = 0;
  q.copy(of_application, &value).wait();
  EXPECT(value == 502);
  EXPECT(!bundle.ext_oneapi_has_device_global("of_application", q.get_device()));
  // Through a function of the application as well, but not of another one's name.
  const std::string function = "SYCL_EXTERNAL int next_of_application();\n";
  EXPECT(result_of_source(q, function + storing("next_of_application()")) == 503);
  EXPECT_FAILURE(build, PARTS("device global of_application", "extern"),
                 build(q, function + "syclexp::device_global<int> of_application;\n" +
                              storing("next_of_application() + of_application")));
  EXPECT_FAILURE(
      build, PARTS("device global nowhere is declared, but nobody defines it"),
      build(q, "extern syclexp::device_global<int> nowhere;\n" + storing("++nowhere.get()")));
}

// In one bundle a name is one object; before it is linked there is none.
static void check_linked(const sycl::queue &q) {
  const sycl::device dev = q.get_device();
  const char declared[] = "extern syclexp::device_global<int> common;\n";
  const object_bundle one = syclexp::compile(source_of(
      q, std::string(declared) + "syclexp::device_global<int> common{20};\n"
                                 "SYCL_EXTERNAL int next() { return common = common + 1; }\n"));
  const object_bundle two =
      syclexp::compile(source_of(q, std::string(declared) + "SYCL_EXTERNAL int next();\n" +
                                        storing("next() + 100 * (common + 0)")));
  EXPECT(one.ext_oneapi_has_device_global("common", dev));
  EXPECT(one.ext_oneapi_get_device_global_size("common", dev) == 4u);
  const executable_bundle linked = sycl::link({one, two});
  EXPECT(result_of(q, linked) == 21 + 2100);
  int value = 0;
  sycl::queue(q)
      .copy(static_cast<const int *>(linked.ext_oneapi_get_device_global_address("common", dev)),
            &value, 1)
      .wait();
  EXPECT(value == 21);
}

static void check_c(sycl::queue q) {
  const char text[] =
      "#include <tenon/device_code.h>\n"
      "TN_DEVICE_GLOBAL unsigned seen = 40;\n"
      "static TN_DEVICE_GLOBAL double last[3];\n"
      "TN_KERNEL void f(int *out) {\n"
      "  tn_atomic_add(&seen, 1u);\n"
      "  last[2] += 0.5;\n"
      "  *out = (int)seen + (int)(4 * last[2]);\n"
      "}\n";
  const auto source =
      syclexp::create_kernel_bundle_from_source(q.get_context(), syclexp::source_language::c, text);
  const executable_bundle bundle = syclexp::build(source);
  const sycl::device dev = q.get_device();
  EXPECT(result_of(q, bundle) == 41 + 2);
  EXPECT(result_of(q, bundle) == 42 + 4);
  EXPECT(bundle.ext_oneapi_get_device_global_size("last", dev) == 24u);
  unsigned seen = 0;
  q.memcpy(&seen, bundle.ext_oneapi_get_device_global_address("seen", dev), sizeof(seen)).wait();
  EXPECT(seen == 42u);
}

static void check_refused(const sycl::queue &q) {
  EXPECT_FAILURE(build, PARTS("'plain'", "not constant"),
                 build(q, "int plain;\n" + storing("plain")));
  EXPECT_FAILURE(build, PARTS("device global 'fixed' is constant"),
                 build(q, "const syclexp::device_global<int> fixed{1};\n" + storing("fixed + 0")));
  EXPECT_FAILURE(build, PARTS("destructor"),
                 build(q, "struct S { ~S() {} };\nsyclexp::device_global<S> s;\n" + storing("1")));
}

int main() {
  const sycl::queue q;
  check_values(q, "-O2");
  check_values(q, "-fsycl-device-code-split=per_kernel");
  check_values(q, "-O0");
  check_life(q);
  check_names(q);
  check_image_scope(q);
  check_linked(q);
  check_application(q);
  check_c(q);
  check_refused(q);
  return failures;
}
