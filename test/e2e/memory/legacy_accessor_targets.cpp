// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accessors of SYCL 1.2.1's targets: local memory in any mode, access_mode::atomic there, constant
// buffers whose pointers are to DataT, hashes. Source: SYCL 2020 sections 4.7.6.9 and 4.15.
// RUN: %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O2 -Wno-deprecated-declarations %s -o %t && %t
#include <cassert>
#include <sycl/sycl.hpp>

constexpr auto local_space = sycl::access::address_space::local_space;
template <class T>
using legacy_constant = sycl::multi_ptr<T, sycl::access::address_space::constant_space,
                                        sycl::access::decorated::legacy>;

template <int Dimensions, sycl::access_mode Mode>
using local = sycl::accessor<int, Dimensions, Mode, sycl::target::local>;

// A pointer to T and the multi_ptr made of it are compared in both orders.
template <class Pointer, class T>
bool compares(Pointer ptr, T *raw) {
  return ptr == raw && raw == ptr && !(ptr != raw) && ptr <= raw && raw >= ptr && !(ptr < raw);
}

int main() {
  sycl::queue q;
  int sum[4] = {};
  int constants[2] = {3, 4};
  {
    sycl::buffer<int> out(sum, 4);
    sycl::buffer<int> in(constants, 2);
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor result(out, cgh, sycl::write_only, sycl::no_init);
      sycl::accessor<int, 1, sycl::access_mode::read, sycl::target::constant_buffer> fixed(in, cgh);
      local<1, sycl::access_mode::atomic> one(sycl::range<1>(2), cgh);
      local<2, sycl::access_mode::atomic> two(sycl::range<2>(2, 2), cgh);
      local<0, sycl::access_mode::atomic> zero(cgh);
      local<1, sycl::access_mode::write> plain(sycl::range<1>(1), cgh);
      cgh.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> item) {
        sycl::atomic<int, local_space> single = zero;
        if (item.get_local_linear_id() == 0) {
          one[1].store(0);
          two[1][0].store(0);
          two[sycl::id<2>(1, 1)].store(0);
          single.store(0);
          plain[0] = 5;
        }
        item.barrier(sycl::access::fence_space::local_space);
        one[sycl::id<1>(1)].fetch_add(1);
        two[1][0].fetch_add(2);
        single.fetch_add(fixed[0]);
        item.barrier(sycl::access::fence_space::local_space);
        if (item.get_local_linear_id() == 0) {
          sycl::constant_ptr<int> pointer = fixed.get_pointer();
          legacy_constant<void> untyped(pointer);
          legacy_constant<void> made(fixed);
          sycl::multi_ptr deduced(fixed);
          static_assert(std::is_same_v<decltype(deduced)::value_type, const int> &&
                        noexcept(fixed.get_size()));
          const bool same = compares(pointer, pointer.get_raw()) &&
                            compares(untyped, untyped.get_raw()) && made == untyped &&
                            deduced.get_raw() == pointer.get_raw();
          result[0] = one[1].load();
          result[1] = two[1][0].load() + two[1][1].load();
          result[2] = single.load() + plain[0];
          result[3] = same ? pointer[1] : -1;
        }
      });
    });
  }
  assert(sum[0] == 64 && sum[1] == 128 && sum[2] == 64 * 3 + 5 && sum[3] == 4);

  sycl::buffer<int> buffer(constants, 2);
  using host = sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::host_buffer>;
  {
    host first = buffer.get_access<sycl::access_mode::read_write>();
    host copy = first;
    assert(std::hash<host>()(first) == std::hash<host>()(copy));
  }
  q.submit([&](sycl::handler &cgh) {
    using one = local<1, sycl::access_mode::read_write>;
    one first(sycl::range<1>(2), cgh);
    one copy = first;
    assert(std::hash<one>()(first) == std::hash<one>()(copy));
    cgh.parallel_for(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1>) { copy[0] = 1; });
  });
  q.wait();

  static_assert(std::is_same_v<sycl::cl_half4, sycl::vec<sycl::half, 4>>);
  static_assert(std::is_same_v<sycl::cl_int2, sycl::vec<int, 2>>);
}
