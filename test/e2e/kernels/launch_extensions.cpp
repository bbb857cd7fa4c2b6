// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What extensions add to launches: work-group sizes that the runtime chooses, kernel objects with
// properties, properties without effect, prefetches, profiling tags.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"
#include <sycl/ext/intel/experimental/fp_control_kernel_properties.hpp>

namespace ex = sycl::ext::oneapi::experimental;
namespace intel = sycl::ext::intel::experimental;

#if SYCL_EXT_ONEAPI_AUTO_LOCAL_RANGE != 1 || SYCL_EXT_ONEAPI_PREFETCH != 1 ||          \
    SYCL_EXT_ONEAPI_PROFILING_TAG != 1 || SYCL_EXT_ONEAPI_REDUCTION_PROPERTIES != 1 || \
    SYCL_EXT_INTEL_GRF_SIZE != 1 || SYCL_EXT_INTEL_CACHE_CONFIG != 1
#error "a feature-test macro is missing"
#endif

static_assert(ex::has_compile_time_kernel_effect_v<ex::sub_group_size_key::value_t<8>> &&
              !ex::has_compile_time_kernel_effect_v<ex::work_group_scratch_size>);
static_assert(ex::max_work_group_size<8, 4>[1] == 4 &&
              ex::max_linear_work_group_size<64>.value == 64);
static_assert(intel::grf_size<256>.value == 256);

class required;
class scratch;

// The group's size at each work-item.
template <int Dimensions>
static void expect_groups(sycl::queue q, int *x, const sycl::range<Dimensions> &all,
                          std::size_t expected) {
  q.parallel_for(sycl::nd_range<Dimensions>(all, ex::auto_range<Dimensions>()),
                 [=](sycl::nd_item<Dimensions> i) {
                   x[i.get_global_linear_id()] =
                       static_cast<int>(i.get_group().get_local_range().size());
                   sycl::group_barrier(i.get_group());
                 })
      .wait();
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT(x[i] == static_cast<int>(expected));
  }
}

static void chosen_sizes(sycl::queue q, int *x) {
  expect_groups(q, x, sycl::range<1>(1024), 256);
  expect_groups(q, x, sycl::range<1>(1), 1);
  expect_groups(q, x, sycl::range<1>(521), 1);  // a prime
  expect_groups(q, x, sycl::range<2>(64, 16), 256);
  expect_groups(q, x, sycl::range<3>(4, 3, 60), 180);
  q.parallel_for<required>(
       sycl::nd_range<1>(64, ex::auto_range<1>()), ex::properties{ex::work_group_size<32>},
       [=](sycl::nd_item<1> i) { x[i.get_global_id(0)] = static_cast<int>(i.get_local_range(0)); })
      .wait();
  EXPECT(x[0] == 32 && x[63] == 32);
  q.parallel_for(sycl::nd_range<1>(0, ex::auto_range<1>()), [=](sycl::nd_item<1>) {
     x[0] = 1;
   }).wait();
  EXPECT(x[0] == 32);
  EXPECT_ERRC(nd_range, q.parallel_for(sycl::nd_range<1>(64, 0), [=](sycl::nd_item<1>) {}));
  EXPECT_ERRC(feature_not_supported,
              q.parallel_for(sycl::nd_range<1>(64, ex::auto_range<1>()),
                             sycl::reduction(x, sycl::plus<int>()),
                             [=](sycl::nd_item<1>, auto &sum) { sum += 1; }));
}

static void objects(sycl::queue q, int *x) {
  const auto group_size = sycl::range<1>(16);
  if (q.get_device().has(sycl::aspect::cpu)) {
    q.parallel_for<scratch>(sycl::nd_range<1>(16, group_size),
                            ex::properties{ex::work_group_scratch_size(64)},
                            [=](sycl::nd_item<1> i) {
                              int *memory = static_cast<int *>(ex::get_work_group_scratch_memory());
                              memory[i.get_local_id(0)] = static_cast<int>(i.get_local_id(0));
                              sycl::group_barrier(i.get_group());
                              x[i.get_global_id(0)] = memory[15 - i.get_local_id(0)];
                            })
        .wait();
    EXPECT(x[0] == 15 && x[15] == 0);
  }
}

struct tuned {
  int *out;
  void operator()(sycl::nd_item<1> i) const { out[i.get_global_id(0)] = 7; }
  auto get(ex::properties_tag) const {
    return ex::properties{intel::grf_size<256>, ex::max_work_group_size<16>,
                          ex::max_linear_work_group_size<16>,
                          intel::fp_control<intel::fp_mode::denorm_allow>};
  }
};

static void hints(sycl::queue q, int *x) {
  q.parallel_for(sycl::nd_range<1>(32, 16), tuned{x}).wait();
  EXPECT(x[0] == 7 && x[31] == 7);
  q.single_task(ex::properties{intel::grf_size_automatic, intel::cache_config(intel::large_slm)},
                [=] { *x = 8; })
      .wait();
  EXPECT(x[0] == 8);
}

static void prefetches(sycl::queue q, int *x) {
  constexpr std::size_t count = 64;
  sycl::buffer<int, 1> buffer(count);
  q.submit([&](sycl::handler &h) {
     sycl::accessor values(buffer, h, sycl::read_write);
     h.parallel_for(sycl::nd_range<1>(count, 16), [=](sycl::nd_item<1> i) {
       constexpr ex::properties near{ex::prefetch_hint_L1};
       constexpr ex::properties once{ex::prefetch_hint_L3_nt};
       const std::size_t at = i.get_global_id(0);
       const auto pointer = values.get_multi_ptr<sycl::access::decorated::no>();
       ex::prefetch(x + at);
       ex::prefetch(x, count, near);
       ex::prefetch(static_cast<void *>(x), once);
       ex::prefetch(static_cast<const void *>(x), 100, near);
       ex::prefetch(pointer);
       ex::prefetch(pointer, count, once);
       ex::prefetch(values, sycl::id<1>(at));
       ex::prefetch(values, 0, count, near);
       ex::joint_prefetch(i.get_group(), x);
       ex::joint_prefetch(i.get_group(), x, count, near);
       ex::joint_prefetch(i.get_sub_group(), pointer, count);
       ex::joint_prefetch(i.get_group(), values, 0, count, once);
       x[at] = values[at] = static_cast<int>(at);
     });
   }).wait();
  EXPECT(x[0] == 0 && x[63] == 63);
}

static void tags(const sycl::queue &q, int *x) {
  EXPECT_ERRC(invalid, ex::submit_profiling_tag(q));
  sycl::queue timed(q.get_context(), q.get_device(),
                    {sycl::property::queue::enable_profiling(), sycl::property::queue::in_order()});
  sycl::event first = ex::submit_profiling_tag(timed);
  timed.single_task([=] { *x = 3; });
  sycl::event second = ex::submit_profiling_tag(timed);
  second.wait();
  using end = sycl::info::event_profiling::command_end;
  using start = sycl::info::event_profiling::command_start;
  using submission = sycl::info::event_profiling::command_submit;
  for (const sycl::event &tag : {first, second}) {
    EXPECT(tag.get_profiling_info<submission>() == tag.get_profiling_info<end>() &&
           tag.get_profiling_info<start>() == tag.get_profiling_info<end>());
  }
  EXPECT(first.get_profiling_info<end>() <= second.get_profiling_info<end>() && *x == 3);
}

static void reductions(sycl::queue q, int *x) {
  float *sums = sycl::malloc_shared<float>(2, q);
  for (int round = 0; round < 2; ++round) {
    sums[round] = 5;
    q.parallel_for(sycl::range<1>(10007),
                   sycl::reduction(sums + round, sycl::plus<>(),
                                   ex::properties{ex::deterministic, ex::initialize_to_identity}),
                   [=](sycl::id<1> i, auto &sum) { sum += 1.0f / static_cast<float>(i[0] + 1); })
        .wait();
  }
  EXPECT(sums[0] == sums[1] && sums[0] > 9.78f && sums[0] < 9.8f);
  sycl::free(sums, q);
  *x = 100;
  sycl::buffer<int> buffer(x, sycl::range<1>(1));
  q.submit([&](sycl::handler &h) {
    auto sum = sycl::reduction(buffer, h, 0, sycl::plus<int>(), ex::properties{ex::deterministic});
    h.parallel_for(sycl::nd_range<1>(64, 16), sum, [=](sycl::nd_item<1>, auto &to) { to += 2; });
  });
  EXPECT(sycl::host_accessor(buffer)[0] == 228);
  sycl::span<int, 1> span(x, 1);
  q.parallel_for(
       sycl::range<1>(10),
       sycl::reduction(span, 0, sycl::plus<>(), ex::properties{ex::initialize_to_identity}),
       [=](sycl::id<1>, auto &sums) { sums[0] += 1; })
      .wait();
  EXPECT(*x == 10);
}

int main() {
  sycl::queue q;
  int *x = sycl::malloc_shared<int>(2048, q);
  chosen_sizes(q, x);
  objects(q, x);
  hints(q, x);
  prefetches(q, x);
  tags(q, x);
  reductions(q, x);
  sycl::free(x, q);
  return failures;
}
