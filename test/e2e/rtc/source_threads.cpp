// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds from several threads, of one source and of different ones; for sub-devices; failures that
// all who wait get; and a process that ends while something is built.
// RUN: %tenonxx -fsycl -O1 -Wall -Wextra -Werror %s -o %t && env TENON_CPU_THREADS=2 %t
// RUN: %t exit
#include "Inputs/sources.hpp"

#include <atomic>
#include <future>
#include <thread>

static constexpr int thread_count = 4;

template <class F>
static void in_threads(const F &f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; ++i) {
    threads.emplace_back([&f, i] { f(i); });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
}

static void check_threads(const sycl::queue &q) {
  std::atomic<int> wrong{0};
  const source_bundle same = source_of(q, storing("123"));
  const source_bundle broken = source_of(q, "int broken = absent;\n");
  in_threads([&](int number) {
    wrong += result_of(q, syclexp::build(same)) != 123;
    for (int i = 0; i < 3; ++i) {  // each thread's own
      const int value = 10 * number + i;
      wrong += result_of_source(q, storing(std::to_string(value) + " + 1000")) != value + 1000;
    }
    const failure got = failure_of([&] { syclexp::build(broken); });
    wrong += got.code != static_cast<int>(sycl::errc::build) || !has(got.text, "absent");
    // One source with another option in each thread.
    const source_bundle tuned = source_of(q, storing("VALUE"));
    const std::string option = "-DVALUE=" + std::to_string(number);
    wrong += result_of(q, syclexp::build(tuned, syclexp::build_options(option))) != number;
  });
  EXPECT(wrong == 0);
}

static void check_devices() {
  const sycl::device whole;
  if (whole.get_info<sycl::info::device::partition_max_sub_devices>() < 2) {
    EXPECT(whole.get_backend() != sycl::backend::tenon_cpu);
    return;
  }
  const auto parts = whole.create_sub_devices<sycl::info::partition_property::partition_equally>(1);
  EXPECT(parts.size() == 2);
  const sycl::context ctx(parts);
  const sycl::queue first(ctx, parts[0]);
  const sycl::queue second(ctx, parts[1]);
  const source_bundle source = source_of(first, storing("31"));
  const executable_bundle both = syclexp::build(source);
  EXPECT(both.get_devices() == parts);
  EXPECT(result_of(first, both) == 31 && result_of(second, both) == 31);

  const executable_bundle one = syclexp::build(source, {parts[1], parts[1]});
  EXPECT(one.get_devices() == std::vector<sycl::device>{parts[1]});
  EXPECT(one.ext_oneapi_has_kernel("f", parts[1]) && !one.ext_oneapi_has_kernel("f", parts[0]));
  EXPECT(result_of(second, one) == 31);
  EXPECT(has(failure_of([&] { result_of(first, one); }).text, "none of the kernel bundle's"));
  EXPECT_ERRC(invalid, syclexp::build(source, {whole}));
  // Built for the whole is built for its parts.
  const executable_bundle of_whole = build(sycl::queue(whole), storing("32"));
  EXPECT(of_whole.ext_oneapi_has_kernel("f", parts[0]));
}

static std::vector<executable_bundle> kept;  // longer than main

static int end_while_building(const sycl::queue &q) {
  static std::promise<void> first;
  kept.push_back(build(q, storing("1")));
  std::thread([q] {
    for (int i = 0;; ++i) {
      failure_of([&] { build(q, storing("2 + " + std::to_string(i))); });
      if (i == 0) {
        first.set_value();
      }
    }
  }).detach();
  first.get_future().wait();
  return failures != 0;
}

int main(int argc, char **) {
  sycl::queue q;
  if (argc > 1) {
    return end_while_building(q);
  }
  check_threads(q);
  check_devices();
  return failures != 0;
}
