// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// handler: dependencies, explicit copies and fills with accessors, host tasks, misuse.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "Inputs/expect.hpp"

#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

using sycl::accessor;
using sycl::handler;

static void check_copies(sycl::queue &q) {
  std::vector<int> host(12);
  std::iota(host.begin(), host.end(), 0);
  sycl::buffer<int, 2> b({3, 4});
  q.submit([&](handler &h) {
    accessor a(b, h, sycl::write_only);
    h.copy(host.data(), a);
  });
  std::vector<int> out(12, -1);
  q.submit([&](handler &h) {
     accessor a(b, h, {2, 2}, {1, 1}, sycl::read_only);
     h.copy(a, out.data());
   }).wait();
  EXPECT(out[0] == 5 && out[1] == 6 && out[2] == 9 && out[3] == 10 && out[4] == -1);
  q.submit([&](handler &h) {
    accessor a(b, h, {2, 2}, {1, 1});
    h.fill(a, 77);
  });
  sycl::buffer<int, 2> c({3, 4});
  q.submit([&](handler &h) {
    accessor from(b, h, sycl::read_only);
    accessor to(c, h, sycl::write_only);
    h.copy(from, to);
  });
  auto shared = std::shared_ptr<int>(new int[12], std::default_delete<int[]>());
  q.submit([&](handler &h) {
     accessor a(c, h, sycl::read_only);
     h.copy(a, shared);
   }).wait();
  EXPECT(shared.get()[4] == 4 && shared.get()[5] == 77 && shared.get()[10] == 77 &&
         shared.get()[11] == 11);
  q.wait();  // an event is complete before what its command holds is released, a queue is not
  EXPECT(shared.use_count() == 1);
  shared.get()[0] = 123;
  q.submit([&](handler &h) {
    accessor a(c, h, sycl::write_only);
    h.copy(shared, a);
  });
  sycl::buffer<int> line(12);
  q.submit([&](handler &h) {
    accessor from(c, h, sycl::read_only);
    accessor to(line, h, sycl::write_only);
    h.copy(from, to);
  });
  EXPECT(sycl::host_accessor(line)[0] == 123 && sycl::host_accessor(line)[5] == 77);
  sycl::buffer<int> small(3);
  EXPECT_ERRC(invalid, q.submit([&](handler &h) {
    accessor from(c, h, sycl::read_only);
    accessor to(small, h, sycl::write_only);
    h.copy(from, to);
  }));
  accessor placeholder(line, sycl::read_only);
  q.copy(placeholder, out.data()).wait();
  EXPECT(out[0] == 123);
  q.fill(accessor(line, sycl::write_only), 3).wait();
  q.copy(host.data(), accessor(line, sycl::range(2), sycl::write_only)).wait();
  q.copy(accessor(line, sycl::read_only), accessor(c, sycl::write_only)).wait();
  q.update_host(accessor(c, sycl::read_only)).wait();
  q.copy(accessor(c, sycl::read_only), shared).wait();
  EXPECT(shared.get()[0] == 0 && shared.get()[1] == 1 && shared.get()[2] == 3 &&
         shared.get()[11] == 3);
  q.copy(shared, accessor(line, sycl::write_only)).wait();
  EXPECT(sycl::host_accessor(line)[11] == 3);
}

static void check_host_tasks(sycl::queue &q) {
  std::vector<int> v(4, 1);
  int order = 0, first = 0, second = 0;
  {
    sycl::buffer b(v);
    q.submit([&](handler &h) {
      accessor a(b, h);
      h.parallel_for(4, [=](sycl::id<1> i) { a[i] = 10; });
    });
    sycl::event e = q.submit([&](handler &h) {
      accessor a(b, h, sycl::read_write_host_task);
      h.host_task([=, &order, &first] {
        a[1] = a[0] + 1;
        a.get_pointer()[2] = 12;
        first = ++order;
      });
    });
    q.submit([&](handler &h) {
       h.depends_on(e);
       h.depends_on(std::vector<sycl::event>{e, e});
       h.host_task([&](sycl::interop_handle ih) {
         second = ++order;
         EXPECT(ih.get_backend() == q.get_backend());
       });
     }).wait();
    auto only_movable = std::make_unique<int>(5);
    q.submit([&](handler &h) {
       h.host_task([p = std::move(only_movable), &order] { order += *p; });
     }).wait();
  }
  EXPECT(v[0] == 10 && v[1] == 11 && v[2] == 12 && first == 1 && second == 2 && order == 7);
}

static void check_dependencies(sycl::queue &q) {
  int *p = sycl::malloc_shared<int>(1, q);
  *p = 0;
  sycl::event last;
  for (int i = 0; i < 200; ++i) {
    last = q.submit([&](handler &h) {
      h.depends_on(last);
      h.single_task([=] { *p = *p * 3 % 1009 + i; });
    });
  }
  last.wait();
  int expected = 0;
  for (int i = 0; i < 200; ++i) {
    expected = expected * 3 % 1009 + i;
  }
  EXPECT(*p == expected);
  // Buffers order commands of different queues.
  sycl::queue other{q.get_context(), q.get_device()};
  sycl::buffer<int> b(1);
  q.submit([&](handler &h) {
    accessor a(b, h, sycl::write_only);
    h.single_task([=] { a[0] = 0; });
  });
  for (int i = 0; i < 100; ++i) {
    (i % 2 ? q : other).submit([&](handler &h) {
      accessor a(b, h);
      h.single_task([=] { a[0] = a[0] * 3 % 1009 + i; });
    });
  }
  expected = 0;
  for (int i = 0; i < 100; ++i) {
    expected = expected * 3 % 1009 + i;
  }
  EXPECT(sycl::host_accessor(b)[0] == expected);
  sycl::free(p, q);
}

static void check_misuse(sycl::queue &q) {
  int *p = sycl::malloc_shared<int>(1, q);
  *p = 0;
  EXPECT_ERRC(invalid, q.submit([&](handler &h) {
    h.single_task([=] { *p = 1; });
    h.single_task([=] { *p = 2; });
  }));
  EXPECT_ERRC(invalid, q.submit([&](handler &h) {
    h.memset(p, 1, 4);
    h.host_task([] {});
  }));
  q.submit([&](handler &h) { h.require(accessor<int>()); });  // no placeholder: without effect
  bool thrown = false;
  try {
    q.submit([&](handler &) { throw std::runtime_error("mine"); });
  } catch (const std::runtime_error &e) {
    thrown = std::string(e.what()) == "mine";
  }
  q.wait();
  EXPECT(thrown && *p == 0);
  // The second queue takes what the first one refuses.
  sycl::queue second{q.get_device()};
  int calls = 0;
  q.submit(
       [&](handler &h) {
         if (++calls == 1) {
           throw sycl::exception(sycl::make_error_code(sycl::errc::runtime), "no");
         }
         h.single_task([=] { *p = 5; });
       },
       second)
      .wait();
  EXPECT(calls == 2 && *p == 5);
  sycl::free(p, q);
}

int main() {
  for (bool in_order : {false, true}) {
    sycl::queue q = in_order ? sycl::queue{sycl::property::queue::in_order()} : sycl::queue{};
    check_copies(q);
    check_host_tasks(q);
    check_dependencies(q);
    check_misuse(q);
  }
  return failures;
}
