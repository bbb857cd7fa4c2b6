// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command groups, launches, explicit copies, reductions, host tasks, asynchronous errors and the
// exception class. Source: SYCL 2020 sections 4.9.2 to 4.9.5, 4.10, 4.13.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
// RUN: not --crash %t default 2>&1 | %FileCheck %s
// CHECK: the error of the host task
#include "../headers/Inputs/expect.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

using sycl::range;

static void check_launches(sycl::queue q) {
  const auto nd = [&](range<2> global, range<2> local) {
    q.parallel_for(sycl::nd_range<2>(global, local), [=](sycl::nd_item<2>) {}).wait();
  };
  nd({4, 6}, {2, 3});
  nd({0, 6}, {2, 4});  // nothing runs, whatever the local size is
  EXPECT_ERRC(nd_range, nd({4, 6}, {2, 4}));
  EXPECT_ERRC(nd_range, nd({5, 6}, {2, 3}));

  // Kernels run for nothing, and events of other queues are waited for.
  sycl::queue other(q.get_context(), q.get_device());
  int *value = sycl::malloc_shared<int>(1, q);
  *value = 0;
  const sycl::event first = other.single_task([=] { *value = 2; });
  q.submit([&](sycl::handler &h) {
     h.depends_on(first);
     h.depends_on({first, first, sycl::event()});
     h.parallel_for(range<3>(1, 1, 1), [=](sycl::item<3>) { *value *= 5; });
   }).wait();
  EXPECT(*value == 10);
  q.parallel_for(range<1>(0), [=](sycl::id<1>) { *value = 0; }).wait();
  EXPECT(*value == 10);

  // Arguments and kernel handlers are optional, names too.
  q.single_task<class named>([=](sycl::kernel_handler) { *value += 1; }).wait();
  q.parallel_for(2, [=](auto index) {
     if (index == 1) {
       *value += 1;
     }
   }).wait();
  EXPECT(*value == 12);
  sycl::free(value, q);

  // A kernel of a bundle is launched by its function, not by its object.
  const sycl::kernel_id id = sycl::get_kernel_id<class named>();
  const auto bundle =
      sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context(), {id});
  const sycl::kernel object = bundle.get_kernel(id);
  EXPECT_ERRC(invalid, q.submit([&](sycl::handler &h) { h.single_task(object); }));
  EXPECT_ERRC(invalid, q.submit([&](sycl::handler &h) { h.parallel_for(range<1>(1), object); }));
  EXPECT_ERRC(invalid,
              q.submit([&](sycl::handler &h) { h.parallel_for(sycl::nd_range<1>(1, 1), object); }));

  // Bundles of another context.
  const sycl::context context(q.get_device());
  const auto foreign = sycl::get_kernel_bundle<sycl::bundle_state::executable>(context);
  EXPECT_ERRC(invalid, q.submit([&](sycl::handler &h) { h.use_kernel_bundle(foreign); }));
}

static constexpr sycl::specialization_id<int> constant(5);

static void check_constants(sycl::queue q) {
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  q.submit([&](sycl::handler &h) {
    EXPECT(h.get_specialization_constant<constant>() == 5);
    h.set_specialization_constant<constant>(6);
    EXPECT(h.get_specialization_constant<constant>() == 6);
    EXPECT_ERRC(invalid, h.use_kernel_bundle(bundle));
  });
  q.submit([&](sycl::handler &h) {
    h.use_kernel_bundle(bundle);
    EXPECT_ERRC(invalid, h.set_specialization_constant<constant>(6));
    EXPECT_ERRC(invalid, (void)h.get_specialization_constant<constant>());
  });
}

static void check_copies(sycl::queue q) {
  sycl::buffer<int> large(range(8)), small(range(4));
  q.submit([&](sycl::handler &h) {
    sycl::accessor from(large, h, sycl::read_only);
    sycl::accessor to(small, h, sycl::write_only);
    EXPECT_ERRC(invalid, h.copy(from, to));
  });
  q.submit([&](sycl::handler &h) { h.fill(sycl::accessor(large, h), 3); });
  std::shared_ptr<int> memory(new int[8](), std::default_delete<int[]>());
  q.submit([&](sycl::handler &h) {
     h.copy(sycl::accessor(large, h, sycl::read_only), memory);
   }).wait();
  EXPECT(memory.get()[7] == 3);
  int plain[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  q.submit(
      [&](sycl::handler &h) { h.copy(plain + 4, sycl::accessor(small, h, sycl::write_only)); });
  q.submit([&](sycl::handler &h) {
    h.copy(sycl::accessor(small, h, sycl::read_only),
           sycl::accessor(large, h, range(4), sycl::id(2), sycl::write_only));
  });
  q.submit([&](sycl::handler &h) { h.update_host(sycl::accessor(large, h)); }).wait();
  sycl::host_accessor a(large);
  EXPECT(a[1] == 3 && a[2] == 5 && a[5] == 8 && a[6] == 3);
}

struct add_without_identity {
  int operator()(int a, int b) const { return a + b; }
};

static void check_reductions(sycl::queue q) {
  sycl::buffer<int> one(range(1)), two(range(2)), none(range(0));
  const sycl::property_list fresh{sycl::property::reduction::initialize_to_identity()};
  q.submit([&](sycl::handler &h) {
    EXPECT_ERRC(invalid, (void)sycl::reduction(two, h, sycl::plus<int>()));
    EXPECT_ERRC(invalid, (void)sycl::reduction(none, h, sycl::plus<int>()));
    EXPECT_ERRC(invalid, (void)sycl::reduction(two, h, 0, sycl::plus<int>()));
    EXPECT_ERRC(invalid, (void)sycl::reduction(one, h, add_without_identity(), fresh));
    (void)sycl::reduction(one, h, 0, add_without_identity(), fresh);
    (void)sycl::reduction(one, h, sycl::plus<int>(), fresh);
  });
  int *sums = sycl::malloc_shared<int>(4, q);
  EXPECT_ERRC(invalid, (void)sycl::reduction(sums, add_without_identity(), fresh));
  EXPECT_ERRC(invalid,
              (void)sycl::reduction(sycl::span<int, 4>(sums, 4), add_without_identity(), fresh));
  sums[0] = 100;
  sums[1] = 200;
  // The value before is part of the result, unless the property says otherwise; a reduction over
  // nothing is that value, or the identity.
  q.parallel_for(range(5), sycl::reduction(sums, sycl::plus<int>()),
                 sycl::reduction(sums + 1, sycl::plus<int>(), fresh),
                 [=](sycl::id<1> i, auto &a, auto &b) {
                   a += static_cast<int>(i);
                   b.combine(1);
                 })
      .wait();
  EXPECT(sums[0] == 110 && sums[1] == 5);
  q.parallel_for(range(0), sycl::reduction(sums, sycl::plus<int>()),
                 sycl::reduction(sums + 1, sycl::plus<int>(), fresh),
                 [=](sycl::id<1>, auto &a, auto &b) {
                   a += 1;
                   b += 1;
                 })
      .wait();
  EXPECT(sums[0] == 110 && sums[1] == 0);
  sycl::free(sums, q);
}

static void check_host_tasks(sycl::queue q) {
  sycl::buffer<int> b(range(4));
  bool ran = false;
  q.submit([&](sycl::handler &h) { h.fill(sycl::accessor(b, h), 7); });
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h, sycl::read_write_host_task);
    h.host_task([=, &ran] {
      ran = a[3] == 7;
      a[0] = 8;
    });
  });
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h);
    h.parallel_for(4, [=](sycl::id<1> i) { a[i] += 1; });
  });
  EXPECT(sycl::host_accessor(b)[0] == 9 && ran);
  q.submit([&](sycl::handler &h) {
     h.host_task([&](sycl::interop_handle handle) {
       EXPECT(handle.get_backend() == q.get_backend());
       if (handle.get_backend() != sycl::backend::opencl) {
         EXPECT_ERRC(backend_mismatch, (void)handle.get_native_device<sycl::backend::opencl>());
       }
     });
   }).wait();
}

// Errors go to the queue's handler, then to the context's; each once.
static void check_handlers(sycl::device device) {
  std::vector<std::string> of_queue, of_context;
  const auto into = [](std::vector<std::string> &list) {
    return [&list](sycl::exception_list errors) {
      static_assert(std::is_same_v<sycl::exception_list::value_type, std::exception_ptr>);
      EXPECT(errors.size() == static_cast<std::size_t>(errors.end() - errors.begin()));
      for (const std::exception_ptr &error : errors) {
        try {
          std::rethrow_exception(error);
        } catch (const std::exception &e) {
          list.push_back(e.what());
        }
      }
    };
  };
  const auto fail = [](sycl::queue q, const char *text) {
    return q.submit(
        [&](sycl::handler &h) { h.host_task([=] { throw std::runtime_error(text); }); });
  };
  const sycl::context context(device, into(of_context));
  {
    sycl::queue with(context, device, into(of_queue)), without(context, device);
    (void)fail(with, "first");
    with.wait();  // reports nothing
    EXPECT(of_queue.empty());
    with.throw_asynchronous();
    EXPECT(of_queue == std::vector<std::string>{"first"} && of_context.empty());
    with.wait_and_throw();
    with.throw_asynchronous();
    EXPECT(of_queue.size() == 1);
    fail(with, "second").wait_and_throw();
    EXPECT(of_queue.size() == 2 && of_queue.back() == "second");
    (void)fail(without, "third");
    without.wait_and_throw();
    EXPECT(of_queue.size() == 2 && of_context == std::vector<std::string>{"third"});
    (void)fail(with, "at the end");
    with.wait();
  }
  EXPECT(of_queue.size() == 3 && of_queue.back() == "at the end");
}

static void check_exceptions(sycl::queue q) {
  const sycl::context context = q.get_context();
  const std::error_code code = sycl::make_error_code(sycl::errc::build);
  static_assert(std::is_error_code_enum_v<sycl::errc> &&
                std::is_base_of_v<std::exception, sycl::exception> &&
                static_cast<int>(sycl::errc::success) == 0);
  EXPECT(code.category() == sycl::sycl_category() && code == sycl::errc::build);
  EXPECT(std::string(sycl::sycl_category().name()) == "sycl");
  const sycl::exception made[] = {
      {code, std::string("text")},
      {code, "text"},
      {context, code, std::string("text")},
      {context, code, "text"},
      {3, sycl::sycl_category(), std::string("text")},
      {3, sycl::sycl_category(), "text"},
      {context, 3, sycl::sycl_category(), std::string("text")},
      {context, 3, sycl::sycl_category(), "text"},
      {code},
      {3, sycl::sycl_category()},
      {context, code},
      {context, 3, sycl::sycl_category()},
  };
  for (const sycl::exception &e : made) {
    const bool by_value = e.code().value() == 3;
    EXPECT(by_value || e.code() == sycl::errc::build);
    EXPECT(e.category() == sycl::sycl_category() && e.what());
    if (e.has_context()) {
      EXPECT(e.get_context() == context);
    } else {
      EXPECT_ERRC(invalid, (void)e.get_context());
    }
  }
  EXPECT(std::string(made[0].what()).find("text") != std::string::npos &&
         std::string(made[7].what()).find("text") != std::string::npos);
  int with_context = 0;
  for (const sycl::exception &e : made) {
    with_context += e.has_context();
  }
  EXPECT(with_context == 6);
  // Codes of other categories.
  const sycl::exception other(std::make_error_code(std::errc::io_error), "disk");
  EXPECT(other.code() == std::errc::io_error && other.category() == std::generic_category());
  const sycl::exception copy = other;
  EXPECT(copy.code() == other.code() && std::string(copy.what()) == other.what());
}

int main(int argc, char **) {
  if (argc > 1) {  // no handler: the error is reported, and the program is terminated
    sycl::queue q;
    q.submit([](sycl::handler &h) {
      h.host_task([] { throw std::runtime_error("the error of the host task"); });
    });
    q.wait_and_throw();
    return 0;
  }
  sycl::queue q;
  check_launches(q);
  check_constants(q);
  check_copies(q);
  check_reductions(q);
  check_host_tasks(q);
  check_handlers(q.get_device());
  check_exceptions(q);
  return failures != 0;
}
