// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small queries, priorities of queues, events without a command and those that their queue
// discards, accessors of one element.
// RUN: %tenonxx -fsycl %s -o %t && %t | FileCheck-22 %s
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0 | FileCheck-22 %s
#include <cstdio>
#include <sstream>
#include <sycl/sycl.hpp>
namespace priority = sycl::ext::oneapi::property::queue;
namespace syclexp = sycl::ext::oneapi::experimental;
class one;
class two;
class three;

template <class Use>
static int is_refused(Use use) {
  try {
    use();
  } catch (const sycl::exception &error) {
    return error.code() == sycl::errc::invalid;
  }
  return 0;
}

// sycl_ext_oneapi_discard_queue_events: commands run, and their events stand for nothing.
static void use_discarded(const sycl::property_list &properties) {
  sycl::queue q(properties), other(q.get_context(), q.get_device());
  int *memory = sycl::malloc_shared<int>(2, q);
  memory[0] = 0;
  sycl::event first = q.fill(memory, 3, 2), none;
  q.wait();
  const sycl::event second = q.single_task<two>([=] { memory[1] += memory[0]; });
  q.wait();
  sycl::event copied = q.memcpy(memory, memory + 1, sizeof(int)), barrier;
  q.wait();
  barrier = q.ext_oneapi_submit_barrier();
  int unknown = 0;
  for (const sycl::event &each : {first, second, copied, barrier}) {
    unknown += each.get_info<sycl::info::event::command_execution_status>() ==
               sycl::info::event_command_status::ext_oneapi_unknown;
  }
  std::printf("discarded %d", unknown);
  std::printf(" refused %d%d%d%d%d", is_refused([&] { first.wait(); }),
              is_refused([&] { first.wait_and_throw(); }),
              is_refused([&] { sycl::event::wait({none, second}); }),
              is_refused([&] { sycl::event::wait_and_throw({second}); }),
              is_refused([&] { (void)first.get_wait_list(); }));
  std::printf(
      " %d%d%d%d",
      is_refused([&] { other.submit([&](sycl::handler &h) { h.depends_on(first); }); }),
      is_refused([&] { q.submit([&](sycl::handler &h) { h.depends_on({none, second}); }); }),
      is_refused([&] { other.memcpy(memory, memory + 1, 4, second); }),
      is_refused([&] { other.single_task<three>({none, first}, [] {}); }));
  // A reduction's second kernel waits for the first.
  q.parallel_for(sycl::range<1>(1000), sycl::reduction(memory, sycl::plus<>()),
                 [=](sycl::id<1>, auto &sum) { sum += 1; });
  q.wait_and_throw();
  std::printf(" sum %d\n", *memory);
  sycl::free(memory, q);
}

int main() {
  use_discarded({priority::discard_events()});
  use_discarded({priority::discard_events(), sycl::property::queue::in_order()});
  // CHECK: discarded 4 refused 11111 1111 sum 1006
  // CHECK-NEXT: discarded 4 refused 11111 1111 sum 1006
  sycl::queue q{{sycl::property::queue::in_order(), priority::priority_high()}};
  std::printf("priority %d%d%d in order %d\n", q.has_property<priority::priority_low>(),
              q.has_property<priority::priority_normal>(),
              q.has_property<priority::priority_high>(), q.is_in_order());
  // CHECK: priority 001 in order 1
  try {
    sycl::queue both{{priority::priority_low(), priority::priority_high()}};
  } catch (const sycl::exception &e) {
    std::printf("%d %s\n", e.code() == sycl::errc::invalid, e.what());
    // CHECK: 1 a queue has one priority
  }
  namespace lists = sycl::ext::intel::property::queue;
  const sycl::queue hinted{{priority::discard_events(), lists::immediate_command_list()}};
  std::printf("hints %d%d%d\n", hinted.has_property<priority::discard_events>(),
              hinted.has_property<lists::immediate_command_list>(),
              hinted.has_property<lists::no_immediate_command_list>());
  // CHECK: hints 110
  try {
    sycl::queue both{{lists::no_immediate_command_list(), lists::immediate_command_list()}};
  } catch (const sycl::exception &e) {
    std::printf("%d %s\n", e.code() == sycl::errc::invalid, e.what());
    // CHECK: 1 a queue has one of immediate_command_list and no_immediate_command_list
  }
  try {
    sycl::queue both{{priority::discard_events(), sycl::property::queue::enable_profiling()}};
  } catch (const sycl::exception &e) {
    std::printf("%d %s\n", e.code() == sycl::errc::invalid, e.what());
    // CHECK: 1 discard_events and enable_profiling exclude each other
  }
  std::ostringstream out;
  out << sycl::backend::tenon_cpu << ' ' << sycl::backend::ext_oneapi_cuda;
  std::puts(out.str().c_str());
  // CHECK: tenon_cpu ext_oneapi_cuda

  sycl::event a, b, copy = a;
  std::printf("events %d%d%d%d\n", a == b, a == copy, a == sycl::event(),
              std::hash<sycl::event>()(a) == std::hash<sycl::event>()(copy));
  // CHECK: events 0101
  q.submit([&](sycl::handler &h) {
    h.depends_on({a, b});
    h.single_task<one>([] {});
  });
  a.wait_and_throw();
  std::printf("complete %d, waits for %zu\n",
              a.get_info<sycl::info::event::command_execution_status>() ==
                  sycl::info::event_command_status::complete,
              a.get_wait_list().size());
  // CHECK: complete 1, waits for 0
  q.wait();

  const sycl::device d = q.get_device();
  std::printf("counts %u%u%u%u\n", d.get_info<sycl::info::device::reference_count>(),
              q.get_info<sycl::info::queue::reference_count>(),
              q.get_context().get_info<sycl::info::context::reference_count>(),
              a.get_info<sycl::info::event::reference_count>());
  // CHECK: counts 1111
  std::printf("usm %d%d%d%d%d\n",
              d.get_info<sycl::info::device::usm_device_allocations>() ==
                  d.has(sycl::aspect::usm_device_allocations),
              d.get_info<sycl::info::device::usm_host_allocations>() ==
                  d.has(sycl::aspect::usm_host_allocations),
              d.get_info<sycl::info::device::usm_shared_allocations>() ==
                  d.has(sycl::aspect::usm_shared_allocations),
              d.get_info<sycl::info::device::usm_restricted_shared_allocations>() ==
                  d.has(sycl::aspect::usm_shared_allocations),
              d.get_info<sycl::info::device::usm_system_allocations>() ==
                  d.has(sycl::aspect::usm_system_allocations));
  // CHECK: usm 11111
  const sycl::kernel kernel =
      sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context())
          .get_kernel(sycl::get_kernel_id<one>());
  std::printf("kernel %s %d %u\n", kernel.get_info<sycl::info::kernel::function_name>().c_str(),
              kernel.get_info<sycl::info::kernel::context>() == q.get_context(),
              kernel.get_info<sycl::info::kernel::reference_count>());
  // CHECK: kernel one 1 1
  using groups = syclexp::info::kernel_queue_specific::max_num_work_groups;
  const std::size_t local = d.get_info<sycl::info::device::local_mem_size>();
  std::printf("groups %d %zu %zu\n",
              kernel.ext_oneapi_get_info<groups>(q, sycl::range<2>(4, 8), 0) ==
                  d.get_info<sycl::info::device::max_compute_units>(),
              kernel.ext_oneapi_get_info<groups>(q, sycl::range<2>(~0ull, 3), 0),
              kernel.ext_oneapi_get_info<groups>(q, sycl::range<1>(1), local + 1));
  // CHECK: groups 1 0 0
  const unsigned plain = 32;
  std::printf("groups %d%d\n", kernel.ext_oneapi_get_info<groups>(q, plain, 0) > 0,
              kernel.ext_oneapi_get_info<groups>(q, {4, 2, 1}) > 0);
  // CHECK: groups 11
  std::printf("units %d\n", d.get_info<sycl::ext::oneapi::info::device::num_compute_units>() ==
                                d.get_info<sycl::info::device::max_compute_units>());
  // CHECK: units 1
  const sycl::id<3> most = d.get_info<syclexp::info::device::max_work_groups<3>>();
  std::printf("most %d%d\n", most[0] >= 0xffff && most[1] >= 0xffff && most[2] >= 0x7fffffff,
              d.get_info<syclexp::info::device::max_work_groups<1>>()[0] ==
                  d.get_info<syclexp::info::device::max_global_work_groups>());
  // CHECK: most 11
  try {
    (void)kernel.ext_oneapi_get_info<groups>(q, sycl::range<1>(0), 0);
  } catch (const sycl::exception &e) {
    std::printf("%d\n", e.code() == sycl::errc::invalid);
    // CHECK-NEXT: {{^}}1{{$}}
  }

  sycl::buffer<int> nothing{sycl::range<1>(0)};
  sycl::buffer<int> found{sycl::range<1>(1)};
  q.submit([&](sycl::handler &h) {
    sycl::accessor<int, 0> of(nothing, h);
    sycl::accessor to(found, h, sycl::write_only);
    h.single_task([=] { to[0] = of.empty() ? 10 : 20; });
  });
  sycl::host_accessor<int, 0> here(nothing);
  std::printf("empty %d%d sizes %zu %zu\n", sycl::host_accessor(found)[0], here.empty(),
              here.size(), sycl::host_accessor<int, 0>(found).size());
  // CHECK: empty 101 sizes 0 1
}
