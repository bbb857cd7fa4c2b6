// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_ext_oneapi_in_order_queue_events: the last event of an in-order queue, and events that its
// next command waits for, also while a graph is recorded.
// RUN: %tenonxx -fsycl %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <atomic>
#include <chrono>
#include <thread>

using status = sycl::info::event_command_status;
namespace syclex = sycl::ext::oneapi::experimental;

static status state(const sycl::event &e) {
  return e.get_info<sycl::info::event::command_execution_status>();
}

// A host task that ends when the door opens.
struct door {
  std::atomic<bool> is_open{false};
};
static sycl::event held(sycl::queue &q, door &d) {
  return q.submit([&](sycl::handler &h) {
    h.host_task([&d] {
      while (!d.is_open) {
        std::this_thread::yield();
      }
    });
  });
}

// The command ends though another one is held.
static bool ends(const sycl::event &e) {
  for (int i = 0; i < 10000 && state(e) != status::complete; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return state(e) == status::complete;
}

static void check_last_event(sycl::queue &q) {
  EXPECT(!q.ext_oneapi_get_last_event().has_value());
  q.single_task([] {});
  std::optional<sycl::event> last = q.ext_oneapi_get_last_event();
  EXPECT(last.has_value());
  last->wait();
  door d;
  held(q, d);
  last = q.ext_oneapi_get_last_event();
  EXPECT(last && state(*last) != status::complete);
  d.is_open = true;
  last->wait();
  EXPECT(q.khr_empty());
}

static void check_external_event(sycl::queue &q) {
  sycl::queue other(q.get_context(), q.get_device(), sycl::property::queue::in_order());
  int *p = sycl::malloc_shared<int>(2, q);
  p[0] = p[1] = 0;
  door d;
  const sycl::event first = held(other, d);
  const sycl::event second = other.single_task([=] { p[0] = 5; });
  q.ext_oneapi_set_external_event(second);
  const sycl::event after = q.single_task([=] { p[1] = p[0] + 1; });
  EXPECT(state(after) != status::complete && p[1] == 0);
  d.is_open = true;
  sycl::event(after).wait();
  EXPECT(p[1] == 6 && state(first) == status::complete);
  // Without a command after it, the queue's wait is for the event.
  door e;
  q.ext_oneapi_set_external_event(held(other, e));
  std::thread opener([&] { e.is_open = true; });
  q.wait();
  EXPECT(e.is_open);
  opener.join();
  q.ext_oneapi_set_external_event(sycl::event());
  q.wait();
  // The last event that was set counts, and the queue waits for that.
  door f;
  const sycl::event never = held(other, f);
  q.ext_oneapi_set_external_event(never);
  EXPECT(!q.khr_empty());
  sycl::queue third(q.get_context(), q.get_device());
  q.ext_oneapi_set_external_event(third.single_task([=] { p[0] = 7; }));
  EXPECT(ends(q.single_task([=] { p[1] = p[0]; })));
  EXPECT(p[1] == 7 && state(never) != status::complete);
  q.ext_oneapi_set_external_event(never);
  q.ext_oneapi_set_external_event(sycl::event());
  EXPECT(q.khr_empty() && ends(q.single_task([] {})) && state(never) != status::complete);
  f.is_open = true;
  other.wait();
  // Nobody waits for that of a queue that is gone.
  {
    door g;
    const sycl::event late = held(other, g);
    sycl::queue gone(q.get_context(), q.get_device(), sycl::property::queue::in_order());
    gone.ext_oneapi_set_external_event(late);
    EXPECT(gone.ext_oneapi_get_last_event().has_value());
    gone.ext_oneapi_set_external_event(late);
    g.is_open = true;
    other.wait();
  }
  sycl::free(p, q);
}

static void check_graph(sycl::queue &q) {
  sycl::queue other(q.get_context(), q.get_device(), sycl::property::queue::in_order());
  int *p = sycl::malloc_shared<int>(2, q);
  p[0] = p[1] = 0;
  syclex::command_graph graph(q.get_context(), q.get_device());
  graph.begin_recording(q);
  q.single_task([=] { p[0] += 3; });
  other.ext_oneapi_set_external_event(*q.ext_oneapi_get_last_event());
  EXPECT(other.ext_oneapi_get_state() == syclex::queue_state::recording);
  other.single_task([=] { p[1] = p[0]; });
  graph.end_recording();
  EXPECT(p[0] == 0);
  auto run = graph.finalize();
  q.ext_oneapi_graph(run).wait();
  EXPECT(p[0] == 3 && p[1] == 3);
  sycl::free(p, q);
}

static void check_rejected() {
  sycl::queue free_order;
  EXPECT_ERRC(invalid, (void)free_order.ext_oneapi_get_last_event());
  EXPECT_ERRC(invalid, free_order.ext_oneapi_set_external_event(sycl::event()));
  sycl::queue discards(
      {sycl::property::queue::in_order(), sycl::ext::oneapi::property::queue::discard_events()});
  EXPECT_ERRC(invalid, (void)discards.ext_oneapi_get_last_event());
  EXPECT_ERRC(invalid, discards.ext_oneapi_set_external_event(sycl::event()));
}

int main() {
  static_assert(SYCL_EXT_ONEAPI_IN_ORDER_QUEUE_EVENTS == 1);
  sycl::queue q{sycl::property::queue::in_order()};
  check_last_event(q);
  check_external_event(q);
  check_graph(q);
  check_rejected();
  return failures;
}
