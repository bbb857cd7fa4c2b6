// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and forms of SYCL 1.2.1 in programs that include <CL/sycl.hpp>, and those that DPC++ keeps.
// RUN: %tenonxx -fsycl -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t.O0 && %t.O0
#include <CL/sycl.hpp>
using namespace cl::sycl;

class first_device : public device_selector {
 public:
  int operator()(const device &dev) const override { return dev.is_cpu() ? 2 : 1; }
};
class own_default : public default_selector {
 public:
  int operator()(const device &dev) const override { return default_selector::operator()(dev); }
};
struct own_failure : public exception {};
class legacy;
class discarded;
class atomic_sum;
class constants;

int main() {
  const first_device selector;
  queue q(selector);
  const queue other{selector.select_device()};
  bool is_right = other.get_device() == q.get_device();
  const device_selector &any = own_default();
  const queue third(default_selector{}), fourth(any);
  is_right = is_right && !q.is_host() && !q.get_device().is_host() && !q.get_context().is_host() &&
             !q.get_device().get_platform().is_host() && !event().is_host();
  is_right = is_right && range<3>{id<3>(1, 2, 3) * range<3>(4, 5, 6)} == range<3>(4, 10, 18) &&
             range<1>{id<1>(7)} == range<1>(7) && range<2>{id<2>(3, 4)}.size() == 12;
  const sycl::detail::DSelectorInvocableType callable = selector;
  is_right = is_right && default_selector().select_device() == third.get_device() &&
             any.select_device() == third.get_device() && device(callable) == q.get_device() &&
             platform(default_selector()) == third.get_device().get_platform() &&
             !q.get_device().has(aspect::host) && !platform(any).has(aspect::host) &&
             (q.get_device().is_gpu() ||
              !q.get_device().get_info<info::device::sub_group_independent_forward_progress>());
  try {
    throw own_failure();
  } catch (const exception &caught) {
    is_right = is_right && caught.what()[0] == '\0' && !caught.code() && !caught.has_context();
  }
  static_assert(cl_float4::get_count() == 4 && cl_float4::get_size() == 16);
  vector_class<cl_int> data{1, 2, 3, 4};
  const string_class text("ab");
  function_class<cl_uint(cl_uint)> twice = [](cl_uint n) { return n * 2; };
  shared_ptr_class<cl_float4> four = std::make_shared<cl_float4>(1.0f);
  unique_ptr_class<cl_half> none;
  mutex_class mutex;
  exception_ptr_class failure;
  hash_class<string_class> hash;
  is_right = is_right && twice(text.size()) == 4 && (*four)[3] == 1.0f && !none && !failure &&
             hash(text) == hash("ab");
  {
    buffer<cl_int, 1> numbers(data.data(), range<1>(4));
    buffer<cl_double, 2> other_numbers(range<2>(2, 2));
    q.submit([&](handler &h) {
      auto at = numbers.get_access<access::mode::read_write, access::target::global_buffer>(h);
      auto part = numbers.get_access<access::mode::read_write>(h, range<1>(2), id<1>(1));
      auto written = other_numbers.get_access<access::mode::discard_write>(h);
      accessor<cl_int, 1, access::mode::read_write, access::target::local> local(range<1>(4), h);
      h.parallel_for<legacy>(nd_range<1>(range<1>(4), range<1>(4)), [=](nd_item<1> item) {
        const size_t i = item.get_global_id(0);
        local[i] = at[i] + 1;
        item.barrier(access::fence_space::local_space);
        at[i] = local[i] + (part.get_range()[0] == 2 ? 0 : 100);
        written[i / 2][i % 2] = i;
      });
    });
    q.submit([&](handler &h) {
      auto at = numbers.get_access<access::mode::atomic>(h);
      h.parallel_for<atomic_sum>(range<1>(4), [=](id<1> i) { at[i].fetch_add(1); });
    });
    q.submit([&](handler &h) {
      auto at = numbers.get_access<access::mode::read, access::target::constant_buffer>(h);
      auto written = other_numbers.get_access<access::mode::write>(h);
      h.single_task<constants>([=] { written[1][1] += at[0]; });
    });
    buffer<cl_int, 1> more(range<1>(4));
    q.submit([&](handler &h) {
      accessor constants(numbers, h, read_constant);
      auto same = numbers.get_access(h, range<1>(1), id<1>(3), read_constant);
      accessor written(more, h, write_only, noinit);
      static_assert(std::is_same_v<property::noinit, property::no_init>);
      h.parallel_for<discarded>(range<1>(4), [=](id<1> i) { written[i] = constants[i] + same[0]; });
    });
    is_right = is_right && more.get_access<access::mode::read>()[1] == 4 + 6;
    auto seen = other_numbers.get_access<access::mode::read>();
    is_right = is_right && seen[1][1] == 6.0 && numbers.get_count() == 4;
  }
  return is_right && data[0] == 3 && data[3] == 6 ? 0 : 1;
}
