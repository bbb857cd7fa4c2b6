// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers and accessors: construction, write-back and its rules, sub-buffers, reinterpretation,
// ranges that are too large, empty accessors. Source: SYCL 2020 sections 4.7.2, 4.7.4, 4.7.6.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#include <array>
#include <iterator>
#include <list>
#include <memory>
#include <vector>

using sycl::range;

template <class Buffer>
static void fill(sycl::queue q, Buffer &&buffer, int value) {
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(buffer, h, sycl::write_only);
    h.parallel_for(buffer.get_range(), [=](sycl::item<1> it) { a[it] = value; });
  });
}

static void check_write_back(sycl::queue q) {
  // Memory of the program is written back, memory that is const is not.
  int values[4] = {1, 2, 3, 4};
  {
    sycl::buffer b(values, range(4));
    fill(q, b, 7);
  }
  EXPECT(values[0] == 7 && values[3] == 7);
  {
    sycl::buffer<int> b(const_cast<const int *>(values), range(4));
    EXPECT(sycl::host_accessor(b)[1] == 7);
    fill(q, b, 8);
  }
  EXPECT(values[0] == 7);
  {
    sycl::buffer<int> b(const_cast<const int *>(values), range(4));
    b.set_final_data(values);
    fill(q, b, 9);
  }
  EXPECT(values[2] == 9);
  {
    sycl::buffer<int> b(values, range(4));
    b.set_final_data(nullptr);
    fill(q, b, 10);
  }
  EXPECT(values[2] == 9);
  {
    sycl::buffer<int> b(values, range(4));
    b.set_write_back(false);
    fill(q, b, 10);
  }
  EXPECT(values[2] == 9);
  {
    sycl::buffer<int> b(values, range(4));
    b.set_write_back(false);
    b.set_write_back();
    fill(q, b, 11);
  }
  EXPECT(values[2] == 11);

  // Buffers without host memory: iterators, shared and weak pointers, functions of lists.
  std::list<int> list(4);
  {
    sycl::buffer<int> b{range(4)};
    b.set_final_data(list.begin());
    fill(q, b, 12);
  }
  EXPECT(list.back() == 12);
  auto shared = std::make_shared<int>(0);
  {
    sycl::buffer<int> b{range(1)};
    b.set_final_data(std::weak_ptr<int>(shared));
    fill(q, b, 13);
  }
  EXPECT(*shared == 13);
  {
    sycl::buffer<int> b{range(1)};
    b.set_final_data(std::weak_ptr<int>(shared));
    fill(q, b, 14);
    shared.reset();  // nothing is written to memory that is gone
  }

  // Containers are written back unless const; iterators are copied from.
  std::vector<int> vector(4, 1);
  {
    sycl::buffer b(vector);
    fill(q, b, 15);
  }
  EXPECT(vector[3] == 15);
  {
    const std::vector<int> &same = vector;
    sycl::buffer<int> b(same);
    fill(q, b, 16);
  }
  EXPECT(vector[3] == 15);
  {
    sycl::buffer<int> b(vector.begin(), vector.end());
    EXPECT(b.size() == 4 && sycl::host_accessor(b)[3] == 15);
    fill(q, b, 16);
  }
  EXPECT(vector[3] == 15);
  std::array<int, 4> array{};
  {
    sycl::buffer b(array);
    fill(q, b, 17);
  }
  EXPECT(array[0] == 17);

  // A buffer shares what a shared pointer owns, and writes to it; an empty one is no memory.
  std::shared_ptr<int[]> owner(new int[4]{1, 2, 3, 4});
  std::weak_ptr<int[]> watch = owner;
  {
    sycl::buffer<int> b(owner, range(4));
    int *memory = owner.get();
    std::shared_ptr<int[]> keeper = owner;
    owner.reset();
    EXPECT(!watch.expired());
    fill(q, b, 18);
    EXPECT(sycl::host_accessor(b)[0] == 18);
    b = sycl::buffer<int>(range(1));
    EXPECT(memory[3] == 18);
  }
  EXPECT(watch.expired());
  {
    sycl::buffer<int> b(std::shared_ptr<int>(), range(4));
    fill(q, b, 19);
    EXPECT(sycl::host_accessor(b)[3] == 19);
  }
}

static void check_parts(sycl::queue q) {
  sycl::buffer<int, 2> whole(range(8, 64));
  EXPECT(whole.size() == 512 && whole.byte_size() == 2048 && whole.get_range() == range(8, 64));
  EXPECT(!whole.is_sub_buffer());
  sycl::buffer<int, 2> rows(whole, {4, 0}, range(4, 64));
  EXPECT(rows.is_sub_buffer() && rows.size() == 256 && rows != whole);
  EXPECT_ERRC(invalid, (sycl::buffer<int, 2>(rows, {0, 0}, range(1, 64))));
  EXPECT_ERRC(invalid, (sycl::buffer<int, 2>(whole, {0, 32}, range(2, 32))));
  EXPECT_ERRC(invalid, (sycl::buffer<int, 2>(whole, {5, 0}, range(4, 64))));
  EXPECT_ERRC(invalid, (sycl::buffer<int, 2>(whole, {0, 32}, range(1, 33))));
  (void)sycl::buffer<int, 2>(whole, {3, 32}, range(1, 32));

  // The start of a part is aligned for the device, or an accessor cannot be made of it.
  const std::size_t alignment =
      q.get_device().get_info<sycl::info::device::mem_base_addr_align>() / 8;
  if (alignment > sizeof(int)) {
    sycl::buffer<int, 1> line(range(1024));
    sycl::buffer<int, 1> odd(line, 1, range(16));
    q.submit([&](sycl::handler &h) {
      EXPECT_ERRC(invalid, sycl::accessor(odd, h));
      sycl::accessor<int> later(odd);
      EXPECT_ERRC(invalid, h.require(later));
    });
  }

  // The same bytes as another type.
  auto bytes = whole.reinterpret<unsigned char>(range(2048));
  EXPECT(bytes.size() == 2048 && bytes.byte_size() == whole.byte_size());
  EXPECT((whole.reinterpret<short, 1>().size() == 1024));
  EXPECT((whole.reinterpret<float, 2>().get_range() == range(8, 64)));
  EXPECT_ERRC(invalid, (void)whole.reinterpret<short>(range(1025)));
  EXPECT_ERRC(invalid, (void)whole.reinterpret<int>(range(511)));
  sycl::buffer<char> odd_bytes(range(7));
  EXPECT_ERRC(invalid, (void)(odd_bytes.reinterpret<int, 1>()));
  EXPECT(rows.reinterpret<float>(range(256)).is_sub_buffer());
  {
    sycl::host_accessor a(bytes);
    a[0] = 1;
    a[1] = a[2] = a[3] = 0;
  }
  EXPECT(sycl::host_accessor(whole)[0][0] == 1);
}

static void check_ranges(sycl::queue q) {
  sycl::buffer<int, 2> b(range(4, 6));
  const range<2> tall(5, 1), wide(1, 7), fits(2, 3);
  const sycl::id<2> far(3, 0), right(0, 4);
  q.submit([&](sycl::handler &h) {
    EXPECT_ERRC(invalid, sycl::accessor(b, h, tall));
    EXPECT_ERRC(invalid, sycl::accessor(b, h, wide, sycl::read_only));
    EXPECT_ERRC(invalid, sycl::accessor(b, h, fits, far));
    EXPECT_ERRC(invalid, sycl::accessor(b, h, fits, right, sycl::write_only));
    EXPECT_ERRC(invalid, sycl::accessor(b, tall));
    EXPECT_ERRC(invalid, sycl::accessor(b, wide, sycl::read_only));
    EXPECT_ERRC(invalid, sycl::accessor(b, fits, far));
    EXPECT_ERRC(invalid, sycl::accessor(b, fits, right, sycl::write_only));
    EXPECT_ERRC(invalid, (b.get_access<sycl::access_mode::read>(h, fits, far)));
  });
  EXPECT_ERRC(invalid, sycl::host_accessor(b, tall));
  EXPECT_ERRC(invalid, sycl::host_accessor(b, wide, sycl::read_only));
  EXPECT_ERRC(invalid, sycl::host_accessor(b, fits, far));
  EXPECT_ERRC(invalid, sycl::host_accessor(b, fits, right, sycl::write_only));

  sycl::host_accessor part(b, fits, sycl::id<2>(1, 2));
  EXPECT(part.size() == 6 && part.byte_size() == 24 && part.get_range() == fits &&
         part.get_offset() == sycl::id<2>(1, 2) && !part.empty() && part.max_size() >= 6);
  EXPECT(part.end() - part.begin() == 6 && part.cend() - part.cbegin() == 6 &&
         part.rend() - part.rbegin() == 6);
  // Ids count from the start of the part.
  int next = 0;
  for (int &element : part) {
    element = next++;
  }
  EXPECT(part[0][0] == 0 && part[0][2] == 2 && part[1][0] == 3 && *part.rbegin() == 5);

  // Accessors without a buffer.
  const sycl::accessor<int> nothing;
  EXPECT(nothing.empty() && nothing.size() == 0 && nothing.byte_size() == 0 &&
         nothing.get_range() == range(0) && nothing.begin() == nothing.end() &&
         nothing.is_placeholder() == false);
  const sycl::host_accessor<int> none;
  EXPECT(none.empty() && none.size() == 0 && none.get_pointer() == nullptr &&
         none.begin() == none.end());
  const sycl::local_accessor<int> no_local;
  EXPECT(no_local.empty() && no_local.size() == 0 && no_local.get_range() == range(0));
  // They can be passed to a kernel that does not use them.
  q.single_task([=] { (void)nothing.size(); }).wait();

  sycl::host_accessor<int> swapped, filled(*std::make_unique<sycl::buffer<int>>(range(3)));
  swapped.swap(filled);
  EXPECT(swapped.size() == 3 && filled.empty());

  // Zero dimensions: one element, read and written by conversion and assignment.
  sycl::buffer<int> single(range(1));
  {
    sycl::host_accessor<int, 0> zero(single);
    zero = 5;
    int &element = zero;
    EXPECT(element == 5 && zero.size() == 1);
  }
  q.submit([&](sycl::handler &h) {
    sycl::accessor<int, 0> a(single, h);
    h.single_task([=] { a = a + 1; });
  });
  EXPECT(sycl::host_accessor(single)[0] == 6);

  // Read only accessors and their conversions.
  const sycl::host_accessor<int, 1, sycl::access_mode::read_write> both(single);
  const sycl::host_accessor<const int> read = both;
  const sycl::host_accessor<int, 1, sycl::access_mode::read> same = read;
  static_assert(std::is_same_v<decltype(same[0]), const int &> &&
                std::is_same_v<decltype(read)::value_type, const int>);
  EXPECT(same[0] == 6 && read[0] == 6);

  // A placeholder needs require; without it, it is an error.
  sycl::accessor<int> placeholder(single);
  EXPECT(placeholder.is_placeholder());
}

static void check_local(sycl::queue q) {
  const auto launch = [&](auto command) {
    q.submit([&](sycl::handler &h) {
      sycl::local_accessor<int> local(4, h);
      command(h, local);
    });
  };
  EXPECT_ERRC(kernel_argument, launch([](sycl::handler &h, sycl::local_accessor<int> local) {
                h.single_task([=] { local[0] = 1; });
              }));
  EXPECT_ERRC(kernel_argument, launch([](sycl::handler &h, sycl::local_accessor<int> local) {
                h.parallel_for(4, [=](sycl::id<1>) { local[0] = 1; });
              }));
}

int main() {
  sycl::queue q;
  check_write_back(q);
  check_parts(q);
  check_ranges(q);
  check_local(q);
  return failures != 0;
}
