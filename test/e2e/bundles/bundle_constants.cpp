// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specialization constants of bundles: set on input, fixed by compiling, seen by kernels; command
// groups that use a bundle, and those that do not.
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
// RUN: %tenonxx -fsycl -fsycl-targets=native_cpu %s -o %t.aot && %t.aot
#include "../headers/Inputs/expect.hpp"

#include <string>

constexpr auto input = sycl::bundle_state::input;
constexpr auto object = sycl::bundle_state::object;
constexpr auto executable = sycl::bundle_state::executable;

struct pair {
  char kind;
  double factor;
  constexpr pair(char k, double f) : kind(k), factor(f) {}
  bool operator==(const pair &other) const { return kind == other.kind && factor == other.factor; }
};
constexpr sycl::specialization_id<int> number(5);
constexpr sycl::specialization_id<pair> both('a', 0.5);
inline constexpr sycl::specialization_id<short> with_linkage(-1);
constexpr sycl::specialization_id<long> unused(7);

struct reader {
  double *out;
  void operator()(sycl::kernel_handler kh) const {
    const pair p = kh.get_specialization_constant<both>();
    out[0] = kh.get_specialization_constant<number>();
    out[1] = p.kind * p.factor;
    out[2] = kh.get_specialization_constant<with_linkage>();
  }
};
class plain;

static std::string run(sycl::queue &q, const sycl::kernel_bundle<executable> *bundle, double *out,
                       int set = 0) {
  q.submit([&](sycl::handler &cgh) {
     if (bundle) {
       cgh.use_kernel_bundle(*bundle);
     } else if (set) {
       cgh.set_specialization_constant<number>(set);
     }
     cgh.single_task(reader{out});
   }).wait();
  char text[100];
  std::snprintf(text, sizeof(text), "%g %g %g", out[0], out[1], out[2]);
  return text;
}

template <sycl::bundle_state State>
static void expect_values(const sycl::kernel_bundle<State> &b, int n, pair p, short s, long u) {
  EXPECT(b.template get_specialization_constant<number>() == n);
  EXPECT(b.template get_specialization_constant<both>() == p);
  EXPECT(b.template get_specialization_constant<with_linkage>() == s);
  EXPECT(b.template get_specialization_constant<unused>() == u);
  EXPECT(b.template has_specialization_constant<number>());
  EXPECT(b.template has_specialization_constant<both>());
  EXPECT(b.template has_specialization_constant<with_linkage>());
  EXPECT(!b.template has_specialization_constant<unused>());
  EXPECT(b.contains_specialization_constants());
  static_assert(std::is_same_v<decltype(b.template get_specialization_constant<both>()), pair>);
}

template <class Bundle, class = void>
inline constexpr bool can_set = false;
template <class Bundle>
inline constexpr bool
    can_set<Bundle, std::void_t<decltype(std::declval<Bundle &>()
                                             .template set_specialization_constant<number>(1))>> =
        true;
static_assert(can_set<sycl::kernel_bundle<input>> && !can_set<sycl::kernel_bundle<object>> &&
              !can_set<sycl::kernel_bundle<executable>>);
template <class Bundle, class = void>
inline constexpr bool can_get_kernel = false;
template <class Bundle>
inline constexpr bool can_get_kernel<
    Bundle, std::void_t<decltype(std::declval<Bundle &>().template get_kernel<reader>())>> = true;
static_assert(!can_get_kernel<sycl::kernel_bundle<input>> &&
              !can_get_kernel<sycl::kernel_bundle<object>> &&
              can_get_kernel<sycl::kernel_bundle<executable>>);

static void check_values(sycl::queue &q, double *out) {
  const auto ctx = q.get_context();
  const pair unset{'a', 0.5}, set{'b', 2};
  const std::string by_default = "5 48.5 -1";
  auto source = sycl::get_kernel_bundle<reader, input>(ctx);
  expect_values(source, 5, unset, -1, 7);
  // Where a driver compiles PTX, constants are read as kernels run.
  EXPECT(source.native_specialization_constant() ==
         (q.get_backend() != sycl::backend::ext_oneapi_cuda));
  expect_values(sycl::get_kernel_bundle<reader, object>(ctx), 5, unset, -1, 7);
  const auto ready = sycl::get_kernel_bundle<reader, executable>(ctx);
  expect_values(ready, 5, unset, -1, 7);
  EXPECT(run(q, &ready, out) == by_default);

  auto copy = source;
  const auto before = sycl::compile(source);
  copy.set_specialization_constant<number>(8);
  copy.set_specialization_constant<number>(9);
  copy.set_specialization_constant<both>(set);
  copy.set_specialization_constant<unused>(70);
  expect_values(source, 9, set, -1, 70);
  expect_values(before, 5, unset, -1, 7);
  EXPECT(source == copy);

  const auto compiled = sycl::compile(source);
  source.set_specialization_constant<with_linkage>(3);
  const auto linked = sycl::link(compiled);
  const auto built = sycl::build(source);
  expect_values(compiled, 9, set, -1, 70);
  expect_values(linked, 9, set, -1, 70);
  expect_values(built, 9, set, 3, 70);
  EXPECT(compiled != before && linked != built && linked == sycl::link(compiled));

  EXPECT(run(q, &linked, out) == "9 196 -1");
  EXPECT(run(q, &built, out) == "9 196 3");
  EXPECT(run(q, nullptr, out) == by_default && run(q, nullptr, out, 6) == "6 48.5 -1");
  const auto linked_before = sycl::link(before);
  EXPECT(run(q, &linked_before, out) == by_default);
  EXPECT(run(q, &built, out) == "9 196 3");

  const auto all = sycl::join<executable>({linked, linked});
  expect_values(sycl::join<object>({compiled, compiled}), 9, set, -1, 70);
  expect_values(all, 9, set, -1, 70);
  EXPECT(all == linked && run(q, &all, out) == "9 196 -1");
  // A kernel by itself knows the bundle that it comes from.
  const auto kernel = built.get_kernel<reader>();
  EXPECT(kernel.get_kernel_bundle().get_specialization_constant<with_linkage>() == 3);
}

static void check_none(const sycl::context &ctx) {
  auto none = sycl::get_kernel_bundle<input>(ctx, [](auto) { return false; });
  EXPECT(!none.contains_specialization_constants() && !none.native_specialization_constant());
  EXPECT(!none.has_specialization_constant<number>());
  none.set_specialization_constant<number>(3);
  EXPECT(none.get_specialization_constant<number>() == 3);
  EXPECT(sycl::build(none).get_specialization_constant<number>() == 3 && sycl::build(none).empty());
}

static void check_handlers(sycl::queue &q, double *out) {
  const auto ready = sycl::get_kernel_bundle<executable>(q.get_context());
  q.submit([&](sycl::handler &cgh) {
     cgh.use_kernel_bundle(ready);
     EXPECT_ERRC(invalid, cgh.set_specialization_constant<number>(1));
     EXPECT_ERRC(invalid, (void)cgh.get_specialization_constant<number>());
     cgh.single_task<plain>([=] { out[0] = 1; });
   }).wait();
  q.submit([&](sycl::handler &cgh) {
     cgh.set_specialization_constant<number>(1);
     EXPECT_ERRC(invalid, cgh.use_kernel_bundle(ready));
     EXPECT(cgh.get_specialization_constant<number>() == 1);
     cgh.single_task<class after_refusal>(
         [=](sycl::kernel_handler kh) { out[0] = kh.get_specialization_constant<number>(); });
   }).wait();
  EXPECT(out[0] == 1);
}

int main() {
  sycl::queue q;
  double *out = sycl::malloc_shared<double>(3, q);
  check_values(q, out);
  check_none(q.get_context());
  check_handlers(q, out);
  sycl::free(out, q);
  return failures != 0;
}
