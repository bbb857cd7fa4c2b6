// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// queue: constructors, properties, identity; event: status, profiling, waiting.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "Inputs/expect.hpp"

#include <unordered_set>
#include <vector>

namespace prof = sycl::info::event_profiling;
using sycl::property::queue::enable_profiling;
using sycl::property::queue::in_order;

static void check_constructors() {
  sycl::device d;
  sycl::context c(d);
  auto handler = [](sycl::exception_list) {};
  std::vector<sycl::queue> all{
      sycl::queue(),
      sycl::queue(in_order()),
      sycl::queue(handler),
      sycl::queue(handler, in_order()),
      sycl::queue(sycl::default_selector_v),
      sycl::queue(sycl::default_selector_v, in_order()),
      sycl::queue(sycl::default_selector_v, handler),
      sycl::queue(sycl::default_selector_v, handler, in_order()),
      sycl::queue(d),
      sycl::queue(d, in_order()),
      sycl::queue(d, handler),
      sycl::queue(d, handler, in_order()),
      sycl::queue(c, sycl::default_selector_v),
      sycl::queue(c, sycl::default_selector_v, in_order()),
      sycl::queue(c, sycl::default_selector_v, handler),
      sycl::queue(c, sycl::default_selector_v, handler, in_order()),
      sycl::queue(c, d),
      sycl::queue(c, d, in_order()),
      sycl::queue(c, d, handler),
      sycl::queue(c, d, handler, in_order()),
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT(all[i].is_in_order() == (i % 2 == 1) || i == 2 || i == 3);
    EXPECT(all[i].has_property<in_order>() == all[i].is_in_order());
    EXPECT(all[i].get_device() == d);
    if (i >= 12) {
      EXPECT(all[i].get_context() == c);
    }
  }
  EXPECT(std::unordered_set<sycl::queue>(all.begin(), all.end()).size() == all.size());
  sycl::queue q{d, {in_order(), enable_profiling()}};
  EXPECT(q.has_property<in_order>() && q.has_property<enable_profiling>());
  (void)q.get_property<enable_profiling>();
  EXPECT_ERRC(invalid, (void)all[0].get_property<in_order>());
  EXPECT(q.get_info<sycl::info::queue::device>() == d &&
         q.get_info<sycl::info::queue::context>() == q.get_context());
  EXPECT(q.get_backend() == d.get_backend());
  sycl::queue copy = q, moved = std::move(copy);
  EXPECT(moved == q && moved != all[0]);
  copy = moved;
  EXPECT(copy == q);
  static_assert(sycl::is_property_of_v<in_order, sycl::queue>);
}

static void check_events() {
  sycl::event done;
  done.wait();
  done.wait_and_throw();
  EXPECT(done.get_info<sycl::info::event::command_execution_status>() ==
         sycl::info::event_command_status::complete);
  EXPECT(done.get_wait_list().empty());
  sycl::queue q{enable_profiling()};
  int *p = sycl::malloc_shared<int>(1, q);
  sycl::event first = q.single_task([=] { *p = 1; });
  sycl::event second = q.submit([&](sycl::handler &h) {
    h.depends_on(first);
    h.single_task([=] { *p += 1; });
  });
  sycl::event::wait({first, second});
  EXPECT(*p == 2 && first != second && first == sycl::event(first));
  EXPECT(std::hash<sycl::event>()(first) == std::hash<sycl::event>()(sycl::event(first)));
  EXPECT(first.get_backend() == q.get_backend());
  for (sycl::event e : {first, second}) {
    EXPECT(e.get_info<sycl::info::event::command_execution_status>() ==
           sycl::info::event_command_status::complete);
    EXPECT(e.get_profiling_info<prof::command_submit>() <=
           e.get_profiling_info<prof::command_start>());
    EXPECT(e.get_profiling_info<prof::command_start>() <=
           e.get_profiling_info<prof::command_end>());
    EXPECT(e.get_profiling_info<prof::command_submit>() > 0);
  }
  for (sycl::event e : second.get_wait_list()) {
    EXPECT(e == first);
  }
  sycl::queue plain;
  sycl::event e = plain.single_task([=] { *p = 1; });
  EXPECT_ERRC(invalid, (void)e.get_profiling_info<prof::command_start>());
  e.wait();
  sycl::free(p, q);
}

// Objects outlive what made them.
static void check_lifetimes() {
  sycl::event e;
  int *p = nullptr;
  sycl::context c;
  {
    sycl::queue q;
    c = q.get_context();
    p = sycl::malloc_shared<int>(1, q);
    e = q.single_task([=] { *p = 7; });
  }
  e.wait();
  e.wait_and_throw();
  EXPECT(*p == 7);
  sycl::free(p, c);
}

int main() {
  check_constructors();
  check_events();
  check_lifetimes();
  return failures;
}
