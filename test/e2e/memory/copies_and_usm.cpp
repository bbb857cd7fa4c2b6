// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explicit copies and fills in all directions and dimensions, update_host, and the corners of USM:
// out of memory, odd alignments, foreign contexts, zero sizes, allocators.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

using sycl::accessor;
using sycl::buffer;
using sycl::handler;
using sycl::host_accessor;
using sycl::id;
using sycl::range;
using sycl::usm::alloc;

template <int Dimensions>
struct box {
  range<Dimensions> whole, part;
  id<Dimensions> offset;
};

static std::vector<int> numbers(std::size_t count) {
  std::vector<int> v(count);
  std::iota(v.begin(), v.end(), 0);
  return v;
}

// accessor to pointer, pointer to accessor, accessor to accessor, through shared_ptr and USM, with
// the handler and with the queue's shortcuts; of whole buffers and of boxes in them.
template <int Dimensions>
static void check_directions(sycl::queue &q, const box<Dimensions> &of) {
  const std::size_t count = of.whole.size(), inside = of.part.size();
  const std::vector<int> source = numbers(count);
  buffer<int, Dimensions> b(of.whole), c(of.whole);
  std::vector<int> part(inside), expected;
  q.copy(source.data(), accessor(b, sycl::write_only)).wait();
  {
    host_accessor a(b, of.part, of.offset, sycl::read_only);
    expected.assign(a.begin(), a.end());
  }
  // Out, of a box.
  q.copy(accessor(b, of.part, of.offset, sycl::read_only), part.data()).wait();
  EXPECT(part == expected);
  std::shared_ptr<int> shared(new int[inside](), std::default_delete<int[]>());
  q.submit([&](handler &h) {
     h.copy(accessor(b, h, of.part, of.offset, sycl::read_only), shared);
   }).wait();
  EXPECT(std::memcmp(shared.get(), expected.data(), inside * sizeof(int)) == 0);
  int *usm = sycl::malloc_shared<int>(inside, q);
  q.copy(accessor(b, of.part, of.offset, sycl::read_only), usm).wait();
  EXPECT(std::memcmp(usm, expected.data(), inside * sizeof(int)) == 0);
  // In, to a box; what lies around it stays.
  q.fill(accessor(c, sycl::write_only), -1);
  q.copy(usm, accessor(c, of.part, of.offset, sycl::write_only)).wait();
  {
    host_accessor a(c, of.part, of.offset, sycl::read_only), all(c, sycl::read_only);
    EXPECT(std::equal(a.begin(), a.end(), expected.begin()));
    EXPECT(std::count(all.begin(), all.end(), -1) == static_cast<std::ptrdiff_t>(count - inside));
  }
  q.submit([&](handler &h) { h.fill(accessor(c, h, of.part, of.offset, sycl::write_only), 5); });
  q.copy(std::const_pointer_cast<const int>(shared),
         accessor(c, of.part, of.offset, sycl::write_only));
  EXPECT(host_accessor(c, of.part, of.offset)[id<Dimensions>()] == expected[0]);
  // Box to box of the same shape elsewhere, and to one contiguous piece.
  q.fill(accessor(c, sycl::write_only, sycl::no_init), -1);
  q.copy(accessor(b, of.part, of.offset, sycl::read_only),
         accessor(c, of.part, id<Dimensions>(), sycl::write_only));
  {
    host_accessor a(c, of.part, sycl::read_only);
    EXPECT(std::equal(a.begin(), a.end(), expected.begin()));
  }
  buffer<int> line(inside + 3);
  q.copy(accessor(b, of.part, of.offset, sycl::read_only), accessor(line, sycl::write_only));
  EXPECT(std::equal(expected.begin(), expected.end(), host_accessor(line).begin()));
  q.fill(accessor(c, sycl::write_only), -1);
  q.copy(accessor(line, range<1>(inside), sycl::read_only),
         accessor(c, of.part, of.offset, sycl::write_only));
  {
    host_accessor a(c, of.part, of.offset, sycl::read_only);
    EXPECT(std::equal(a.begin(), a.end(), expected.begin()));
  }
  // Nothing at all.
  const range<Dimensions> none = of.part - of.part;
  q.copy(accessor(b, none, of.offset, sycl::read_only), static_cast<int *>(nullptr)).wait();
  q.fill(accessor(b, none, sycl::write_only), 1).wait();
  EXPECT(host_accessor(b)[id<Dimensions>()] == 0);
  sycl::free(usm, q);
}

struct huge {
  int values[64];
};

static void check_fills(sycl::queue &q) {
  buffer<huge, 2> b({3, 4});
  huge zero{}, seven{};
  seven.values[0] = 7;
  seven.values[63] = 77;
  q.fill(accessor(b, sycl::write_only), zero);
  q.submit([&](handler &h) {
    h.fill(accessor(b, h, range<2>(2, 2), id<2>(1, 1), sycl::write_only), seven);
  });
  host_accessor a(b, sycl::read_only);
  EXPECT(a[1][1].values[0] == 7 && a[2][2].values[63] == 77 && a[0][0].values[0] == 0 &&
         a[1][3].values[0] == 0 && a[2][0].values[63] == 0);
  auto *u = sycl::malloc_shared<huge>(3, q);
  auto *d = sycl::malloc_shared<double>(3, q);
  sycl::event e = q.fill(u, seven, 3);
  e = q.fill(d, 2.5, 3, e);
  q.submit([&](handler &h) {
     h.depends_on(e);
     h.fill(d + 1, 3.5, 1);
   }).wait();
  EXPECT(u[2].values[63] == 77 && d[0] == 2.5 && d[1] == 3.5 && d[2] == 2.5);
  q.fill(d, 1.0, 0).wait();
  q.memset(d, 1, 0).wait();
  q.memcpy(d, nullptr, 0).wait();
  EXPECT(d[0] == 2.5);
  sycl::free(u, q);
  sycl::free(d, q);
}

static void check_copy_errors(sycl::queue &q) {
  buffer<int> b(8), small(4);
  buffer<int, 2> other({4, 4});
  int host[8] = {};
  EXPECT_ERRC(invalid, q.copy(accessor(b, sycl::read_only), accessor(small, sycl::write_only)));
  EXPECT_ERRC(invalid, q.copy(accessor(b, sycl::read_only), static_cast<int *>(nullptr)));
  EXPECT_ERRC(invalid, q.copy(std::shared_ptr<int>(), accessor(b, sycl::write_only)));
  buffer<float, 2> floats({4, 4});
  EXPECT_ERRC(invalid, q.copy(accessor(floats, range<2>(2, 3), sycl::read_only),
                              accessor(other, range<2>(3, 2), sycl::write_only)));
  EXPECT_ERRC(invalid, q.submit([&](handler &h) { h.copy(accessor<int>(), host); }));
  EXPECT_ERRC(invalid, q.submit([&](handler &h) { h.update_host(accessor<int>()); }));
  // A placeholder that nobody required.
  EXPECT_ERRC(accessor, q.submit([&](handler &h) { h.copy(accessor(b, sycl::read_only), host); }));
  auto keep = std::make_shared<int>(1);
  EXPECT_ERRC(invalid, q.submit([&](handler &h) {
    h.copy(accessor(b, h, range<1>(1), sycl::read_only), keep);
    h.copy(accessor(b, h, range<1>(1), sycl::read_only), keep);
  }));
  EXPECT(keep.use_count() == 1);
  EXPECT_ERRC(invalid, q.memcpy(nullptr, host, 4));
  EXPECT_ERRC(invalid, q.memset(nullptr, 0, 4));
}

// Boxes of different shapes, with gaps in both: in the order of their elements.
static void check_shapes(sycl::queue &q) {
  const std::vector<int> source = numbers(16);
  buffer<int, 2> from(source.data(), {4, 4});
  buffer<int, 3> to({3, 3, 3});
  q.fill(accessor(to, sycl::write_only), -1);
  q.copy(accessor(from, range<2>(2, 3), id<2>(1, 1), sycl::read_only),
         accessor(to, range<3>(3, 2, 1), id<3>(0, 1, 2), sycl::write_only));
  host_accessor a(to, sycl::read_only);
  EXPECT(a[0][1][2] == 5 && a[0][2][2] == 6 && a[1][1][2] == 7 && a[1][2][2] == 9);
  EXPECT(a[2][1][2] == 10 && a[2][2][2] == 11 && a[0][1][1] == -1 && a[1][0][2] == -1);
}

static void check_update_host(sycl::queue &q) {
  std::mutex mutex;
  int guarded[4] = {1, 2, 3, 4};
  int plain[4] = {1, 2, 3, 4};
  buffer<int> b(guarded, 4, {sycl::property::buffer::use_mutex(mutex)});
  buffer<int> p(plain, 4);
  for (auto *each : {&b, &p}) {
    q.submit([&](handler &h) {
      accessor a(*each, h);
      h.parallel_for(4, [=](id<1> i) { a[i] *= 10; });
    });
    q.update_host(accessor(*each, sycl::read_only)).wait();
  }
  std::lock_guard<std::mutex> lock(mutex);
  EXPECT(guarded[3] == 40 && plain[3] == 40);
}

static void check_usm_corners(sycl::queue &q) {
  const sycl::context mine = q.get_context(), other(q.get_device());
  const sycl::device dev = q.get_device();
  sycl::queue foreign(other, dev);
  // Out of memory is a null pointer, whatever the form.
  const std::size_t much = std::size_t(1) << 60;
  EXPECT(!sycl::malloc_device(much, q) && !sycl::malloc_device(much, dev, mine));
  EXPECT(!sycl::malloc_shared<double>(much, q) && !sycl::malloc_host(much, q));
  EXPECT(!sycl::malloc_device<huge>(much, q) && !sycl::malloc_device(~std::size_t(0), q));
  EXPECT(!sycl::aligned_alloc_device(4096, ~std::size_t(0) - 100, q));
  EXPECT(!sycl::malloc(much, q, alloc::shared));
  // An alignment that is none gives no memory either.
  EXPECT(!sycl::aligned_alloc_host(3, 16, q) && !sycl::aligned_alloc<int>(100, 16, q, alloc::host));
  EXPECT(!sycl::aligned_alloc_device<int>(3, 4, q));
  EXPECT(!sycl::aligned_alloc<double>(6, 4, q, alloc::shared));
  EXPECT(sycl::malloc(16, q, alloc::unknown) == nullptr);
  for (std::size_t alignment :
       {std::size_t(0), std::size_t(1), std::size_t(64), std::size_t(65536)}) {
    void *p = sycl::aligned_alloc_device(alignment, 10, q);
    EXPECT(p && reinterpret_cast<std::uintptr_t>(p) % (alignment ? alignment : 1) == 0);
    sycl::free(p, q);
  }
  // Zero bytes: null or something to free.
  // As with OpenCL's drivers: ggml divides memory on that assumption.
  std::vector<void *> all;
  for (const std::size_t size : {8, 64, 72, 200, 330, 1000, 4096}) {
    all.push_back(sycl::malloc_device(size, q));
    all.push_back(sycl::malloc_shared(size, q));
    all.push_back(sycl::malloc_host(size, q));
  }
  for (void *p : all) {
    EXPECT(reinterpret_cast<std::uintptr_t>(p) % 128 == 0);
    sycl::free(p, q);
  }
  sycl::free(sycl::malloc_device(0, q), q);
  sycl::free(sycl::malloc_shared<int>(0, q), mine);
  sycl::free(nullptr, mine);
  // Pointers are known from their first byte to their last, and in their own context.
  char *p = sycl::malloc_shared<char>(100, q);
  EXPECT(sycl::get_pointer_type(p + 99, mine) == alloc::shared);
  EXPECT(sycl::get_pointer_type(p + 100, mine) == alloc::unknown);
  EXPECT(sycl::get_pointer_type(p, other) == alloc::unknown);
  EXPECT(sycl::get_pointer_type(nullptr, mine) == alloc::unknown);
  EXPECT(sycl::get_pointer_device(p + 50, mine) == dev);
  EXPECT_ERRC(invalid, (void)sycl::get_pointer_device(p, other));
  EXPECT_ERRC(invalid, (void)sycl::get_pointer_device(nullptr, mine));
  EXPECT_ERRC(invalid, sycl::free(p + 1, q));
  EXPECT_ERRC(invalid, sycl::free(p, other));
  EXPECT_ERRC(invalid, foreign.memset(p, 0, 101));
  foreign.memset(p, 5, 1).wait();
  EXPECT(p[0] == 5);
  EXPECT_ERRC(invalid, q.memset(p, 0, 101));
  int *h = sycl::malloc_host<int>(1, mine);
  EXPECT(sycl::get_pointer_device(h, mine) == mine.get_devices()[0]);
  sycl::free(h, mine);
  sycl::free(p, q);
  EXPECT_ERRC(invalid, sycl::free(p, q));
}

static void check_allocators(sycl::queue &q) {
  using shared = sycl::usm_allocator<int, alloc::shared>;
  static_assert(!std::is_default_constructible_v<shared>);
  shared a(q), b(q.get_context(), q.get_device()), c(q, sycl::property_list());
  EXPECT(a == b && b == c);
  sycl::context other(q.get_device());
  EXPECT((a != shared(other, q.get_device())));
  EXPECT((a != sycl::usm_allocator<int, alloc::host>(q)));
  std::vector<int, shared> v({1, 2, 3}, a);
  EXPECT(sycl::get_pointer_type(v.data(), q.get_context()) == alloc::shared);
  int *data = v.data();
  q.parallel_for(3, [=](int i) { data[i] *= 2; }).wait();
  std::vector<int, shared> moved = std::move(v);
  EXPECT(moved[2] == 6 && moved.data() == data);
  std::basic_string<char, std::char_traits<char>, sycl::usm_allocator<char, alloc::host>> text(
      "text that is too long to lie inside the object", sycl::usm_allocator<char, alloc::host>(q));
  EXPECT(sycl::get_pointer_type(text.data(), q.get_context()) == alloc::host);
  EXPECT_ERRC(memory_allocation, (void)a.allocate(std::size_t(1) << 60));
  int *none = a.allocate(0);
  EXPECT(none);
  a.deallocate(none, 0);
  auto in_place = std::allocate_shared<int>(a, 5);
  EXPECT(sycl::get_pointer_type(in_place.get(), q.get_context()) == alloc::shared);
}

static void check_hints(sycl::queue &q) {
  int *p = sycl::malloc_shared<int>(16, q);
  sycl::event e = q.fill(p, 1, 16);
  e = q.prefetch(p, 64, e);
  e = q.mem_advise(p, 64, 0, {e});
  q.submit([&](handler &h) {
     h.depends_on(e);
     h.prefetch(p, 64);
   }).wait();
  EXPECT(p[15] == 1);
  sycl::free(p, q);
}

int main() {
  for (bool in_order : {false, true}) {
    sycl::queue q = in_order ? sycl::queue{sycl::property::queue::in_order()} : sycl::queue{};
    check_directions<1>(q, {{10}, {4}, {3}});
    check_directions<2>(q, {{4, 6}, {2, 3}, {1, 2}});
    check_directions<3>(q, {{3, 4, 5}, {2, 2, 3}, {1, 2, 1}});
    check_fills(q);
    check_copy_errors(q);
    check_shapes(q);
    check_update_host(q);
    check_usm_corners(q);
    check_allocators(q);
    check_hints(q);
    q.wait_and_throw();
  }
  return failures;
}
