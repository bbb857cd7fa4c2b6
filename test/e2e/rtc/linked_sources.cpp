// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources compiled to objects and linked: with each other, and with bundles of the application,
// where functions go both ways.
// GPU-SUITE: build %tenonxx -fsycl -O1 -DUNIT -c %s -o unit.o
// GPU-SUITE: build %tenonxx -fsycl -O1 -c %s -o main.o
// GPU-SUITE: build %tenonxx -fsycl -fsycl-allow-device-image-dependencies main.o unit.o -o program
// RUN: %tenonxx -fsycl -O1 -Wall -Wextra -Werror -DUNIT -c %s -o %t.unit.o
// RUN: %tenonxx -fsycl -O1 -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %tenonxx -fsycl -fsycl-allow-device-image-dependencies %t.o %t.unit.o -o %t && %t
#include "Inputs/sources.hpp"

struct uses_source {
  int *out;
  void operator()() const;
};
struct uses_own {
  int *out;
  void operator()() const;
};
// In a unit of its own: what an image imports has to be there for all that is in it.
object_bundle bundle_of_uses_source(const sycl::context &ctx);
void launch_uses_source(sycl::handler &cgh, int *out);

#ifdef UNIT

SYCL_EXTERNAL int from_source(int x);
#ifndef __SYCL_DEVICE_ONLY__
int from_source(int) { return -1; }  // kernels have the source's
#endif
void uses_source::operator()() const { *out = from_source(20); }

object_bundle bundle_of_uses_source(const sycl::context &ctx) {
  return sycl::get_kernel_bundle<uses_source, sycl::bundle_state::object>(ctx);
}
void launch_uses_source(sycl::handler &cgh, int *out) { cgh.single_task(uses_source{out}); }

#else

SYCL_EXTERNAL int twice(int x) { return 2 * x; }
void uses_own::operator()() const { *out = twice(4); }
static void launch_uses_own(sycl::handler &cgh, int *out) { cgh.single_task(uses_own{out}); }

static int launch(void (*kernel)(sycl::handler &, int *), sycl::queue &q,
                  const executable_bundle &bundle) {
  int *out = sycl::malloc_shared<int>(1, q);
  *out = -2;
  q.submit([&](sycl::handler &cgh) {
     cgh.use_kernel_bundle(bundle);
     kernel(cgh, out);
   }).wait_and_throw();
  const int result = *out;
  sycl::free(out, q);
  return result;
}

static const char functions[] = "SYCL_EXTERNAL int from_source(int x) { return x + FACTOR; }\n";

static object_bundle compile_functions(const sycl::queue &q, int factor) {
  return syclexp::compile(source_of(q, functions),
                          syclexp::build_options("-DFACTOR=" + std::to_string(factor)));
}

static void check_sources(const sycl::queue &q) {
  const object_bundle caller = syclexp::compile(
      source_of(q, "SYCL_EXTERNAL int from_source(int);\n" + storing("from_source(1) * 10")));
  EXPECT(caller.ext_oneapi_has_kernel("f"));
  const executable_bundle linked = sycl::link({caller, compile_functions(q, 3)});
  EXPECT(linked.ext_oneapi_has_kernel("f") && result_of(q, linked) == 40);
  const executable_bundle other = sycl::link({compile_functions(q, 8), caller});
  EXPECT(result_of(q, other) == 90 && result_of(q, linked) == 40);
  EXPECT(other.ext_oneapi_get_raw_kernel_name("f") == caller.ext_oneapi_get_raw_kernel_name("f"));
  // By itself it lacks the function, which the message names.
  EXPECT_FAILURE(build, PARTS("from_source"), sycl::link(caller));
  const executable_bundle alone = sycl::link(syclexp::compile(source_of(q, storing("6"))));
  EXPECT(result_of(q, alone) == 6);
  // One name cannot be two kernels; the same source twice is one.
  const object_bundle six = syclexp::compile(source_of(q, storing("6")));
  EXPECT(result_of(q, sycl::link({six, six})) == 6);
  EXPECT_FAILURE(build, PARTS("kernel", "is defined in two"),
                 sycl::link({six, syclexp::compile(source_of(q, storing("7")))}));
  const executable_bundle joined = sycl::join(std::vector<executable_bundle>{
      alone, build(q, "extern \"C\" " SINGLE_KERNEL " void g(int *out) { *out = 66; }\n")});
  EXPECT(result_of(q, joined) == 6 && result_of(q, joined, "g") == 66);
}

static void check_application(sycl::queue q) {
  const sycl::context ctx = q.get_context();
  // A kernel of the source calls the application's function.
  const std::string calls = "SYCL_EXTERNAL int twice(int);\n" + storing("twice(21)");
  const object_bundle caller = syclexp::compile(source_of(q, calls));
  const auto own = sycl::get_kernel_bundle<uses_own, sycl::bundle_state::object>(ctx);
  const executable_bundle both = sycl::link({caller, own});
  EXPECT(result_of(q, both) == 42 && launch(launch_uses_own, q, both) == 8);
  // Also where nobody says so: the application is what is loaded.
  EXPECT(result_of(q, build(q, calls)) == 42);

  // A kernel of the application calls the source's.
  const auto wants = bundle_of_uses_source(ctx);
  EXPECT(launch(launch_uses_source, q, sycl::link({wants, compile_functions(q, 5)})) == 25);
  EXPECT(launch(launch_uses_source, q, sycl::link({wants, compile_functions(q, 7)})) == 27);
  EXPECT_FAILURE(build, PARTS("from_source"), sycl::link(wants));
  // What sources define is for those that are linked with them.
  EXPECT_ERRC(build, q.submit([&](sycl::handler &cgh) { launch_uses_source(cgh, nullptr); }));
}

// SYCL_EXTERNAL behind other specifiers, before a linkage specification, on an instantiation.
static void check_places(const sycl::queue &q) {
  const object_bundle functions = syclexp::compile(source_of(q, R"(
int SYCL_EXTERNAL behind_type(int x) { return x + 1; }
SYCL_EXTERNAL extern "C" int before_linkage(int x) { return x + 2; }
template <class T> T of_template(T x) { return x + 3; }
template SYCL_EXTERNAL int of_template<int>(int);
)"));
  const object_bundle caller = syclexp::compile(source_of(q, R"(
SYCL_EXTERNAL int behind_type(int x);
extern "C" SYCL_EXTERNAL int before_linkage(int x);
template <class T> T of_template(T x);
extern template SYCL_EXTERNAL int of_template<int>(int);
)" + storing("behind_type(10) + before_linkage(100) + of_template<int>(1000)")));
  EXPECT(result_of(q, sycl::link({functions, caller})) == 1116);
}

int main() {
  sycl::queue q;
  check_places(q);
  check_sources(q);
  check_application(q);
  return failures != 0;
}

#endif
