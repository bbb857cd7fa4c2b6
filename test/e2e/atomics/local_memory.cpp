// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// local_accessor: members in 0 to 3 dimensions, memory that a work-group shares and others do not
// see, the older accessor with target::local, and what is refused.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t.O0 && %t.O0 %}
#include "../headers/Inputs/expect.hpp"

using sycl::access::decorated;
template <class T, int D>
using old_local = sycl::accessor<T, D, sycl::access_mode::read_write, sycl::target::local>;
static_assert(std::is_same_v<sycl::local_accessor<int>::value_type, int>);
static_assert(std::is_same_v<sycl::local_accessor<float, 2>::reference, float &>);
static_assert(std::is_same_v<sycl::local_accessor<float, 2>::const_reference, const float &>);
template <class T>
using line_of = sycl::local_accessor<T, 1>;
static_assert(std::is_convertible_v<line_of<int>, line_of<const int>> &&
              !std::is_convertible_v<line_of<const int>, line_of<int>>);

constexpr int group_size = 8, groups = 16, count = group_size * groups;

struct alignas(128) wide {
  double values[16];
};

// The host's view.
static void check_members(sycl::queue &q) {
  sycl::local_accessor<int, 2> none;
  EXPECT(none.empty() && none.size() == 0 && none.get_range() == sycl::range<2>(0, 0));
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<double, 3> a(sycl::range<3>(2, 3, 4), h), b(sycl::range<3>(1, 1, 1), h);
    sycl::local_accessor<float, 0> single(h, sycl::property_list{});
    EXPECT(a.size() == 24 && a.byte_size() == 192 && a.max_size() == 24 && !a.empty());
    EXPECT(a.get_range() == sycl::range<3>(2, 3, 4) && a.get_count() == 24 && a.get_size() == 192);
    EXPECT(single.size() == 1 && single.byte_size() == 4);
    sycl::local_accessor<double, 3> copy = a;
    EXPECT(copy == a && a != b && !(a == b));
    EXPECT((std::hash<sycl::local_accessor<double, 3>>()(copy) ==
            std::hash<sycl::local_accessor<double, 3>>()(a)));
    a.swap(b);
    EXPECT(a.size() == 1 && b == copy && b.size() == 24);
  });
}

// All forms of access at once; each work-item writes what the next one reads behind the barrier.
static void check_access(sycl::queue &q) {
  int *wrong = sycl::malloc_shared<int>(count, q);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<char> odd(sycl::range<1>(3), h);
     sycl::local_accessor<int> line(group_size, h);
     sycl::local_accessor<short, 2> plane(sycl::range<2>(3, group_size), h);
     sycl::local_accessor<float, 3> box(sycl::range<3>(2, group_size, 3), h);
     sycl::local_accessor<long, 0> single(h);
     sycl::local_accessor<wide> aligned(2, h);
     sycl::local_accessor<int> nothing(sycl::range<1>(0), h);
     old_local<int, 1> old(sycl::range<1>(group_size), h);
     old_local<int, 2> old_plane(sycl::range<2>(2, group_size), h);
     const sycl::local_accessor<const int, 1> same = line;
     h.parallel_for(sycl::nd_range<1>(count, group_size), [=](sycl::nd_item<1> item) {
       const int l = static_cast<int>(item.get_local_id(0));
       const int g = static_cast<int>(item.get_group(0));
       const int next = (l + 1) % group_size;
       if (l == 0) {
         single = 7L + g;
         odd[2] = 'x';
         aligned[1].values[15] = g;
       }
       line[item.get_local_id()] = 10 * g + l;
       plane[2][l] = static_cast<short>(20 * g + l);
       box[1][l][2] = 30.5f * static_cast<float>(g + l);
       old[l] = l;
       old_plane[1][l] = -l;
       sycl::group_barrier(item.get_group());
       int bad = same[next] != 10 * g + next || line[sycl::id<1>(next)] != 10 * g + next;
       bad += plane[sycl::id<2>(2, next)] != 20 * g + next;
       bad += box[sycl::id<3>(1, next, 2)] != 30.5f * static_cast<float>(g + next);
       bad += single != 7L + g || static_cast<long>(single) != 7L + g || odd[2] != 'x';
       bad += aligned[1].values[15] != g ||
              reinterpret_cast<std::uintptr_t>(&aligned[0]) % alignof(wide) != 0;
       bad += old[next] != next || old_plane[sycl::id<2>(1, next)] != -next;
       bad += old_plane.get_range() != sycl::range<2>(2, group_size) || !nothing.empty();
       bad += line.end() - line.begin() != group_size || line.begin()[next] != 10 * g + next;
       bad += *(line.cbegin() + next) != 10 * g + next || line.rbegin()[0] != 10 * g + 7;
       bad += *(line.crend() - 1) != line[0] || line.cend() != line.begin() + group_size;
       bad += plane.begin()[2 * group_size + next] != 20 * g + next;
       sycl::raw_local_ptr<int> raw = line.get_multi_ptr<decorated::no>();
       sycl::decorated_local_ptr<int> dec = line.get_multi_ptr<decorated::yes>();
       sycl::local_ptr<int> legacy = line.get_pointer();
       sycl::multi_ptr deduced(line);
       sycl::multi_ptr<const void, sycl::access::address_space::generic_space, decorated::no>
           generic(old);
       bad += raw[next] != line[next] || dec.get() != deduced.get() || legacy.get() != &line[0];
       bad += generic.get() != &old[0] || old.get_pointer().get() != &old[0];
       wrong[item.get_global_id(0)] = bad;
     });
   }).wait();
  for (int i = 0; i < count; ++i) {
    EXPECT(wrong[i] == 0);
  }
  sycl::free(wrong, q);
}

// Groups run at the same time, and again and again: none sees another's memory.
static void check_isolation(sycl::queue &q) {
  constexpr int many = 512, size = 64;
  int *out = sycl::malloc_shared<int>(many * size, q);
  sycl::event before;
  for (int round = 0; round < 4; ++round) {
    before = q.submit([&](sycl::handler &h) {
      h.depends_on(before);
      sycl::local_accessor<int> block(size, h);
      struct {
        long bytes[64];
      } ballast{{round}};  // too much for the runtime's small blocks
      h.parallel_for(sycl::nd_range<1>(many * size, size), [=](sycl::nd_item<1> item) {
        const int l = static_cast<int>(item.get_local_id(0));
        block[l] = static_cast<int>(item.get_global_id(0)) + static_cast<int>(ballast.bytes[0]);
        sycl::group_barrier(item.get_group());
        out[item.get_global_id(0)] = block[size - 1 - l];
      });
    });
    before.wait();
    int bad = 0;
    for (int i = 0; i < many * size; ++i) {
      bad += out[i] != i / size * size + size - 1 - i % size + round;
    }
    EXPECT(bad == 0);
  }
  sycl::free(out, q);
}

// 256 bins in local memory, counted with atomics, then added to the global ones.
static void check_histogram(sycl::queue &q) {
  constexpr int bins = 256, size = 64, items = 64 * size, each = 16;
  unsigned *result = sycl::malloc_shared<unsigned>(bins, q);
  unsigned char *data = sycl::malloc_shared<unsigned char>(items * each, q);
  unsigned expected[bins] = {}, state = 1;
  for (int i = 0; i < items * each; ++i) {
    state = state * 1664525u + 1013904223u;
    data[i] = static_cast<unsigned char>((state >> 24) & (state >> 16));
    ++expected[data[i]];
  }
  for (int i = 0; i < bins; ++i) {
    result[i] = 0;
  }
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<unsigned> local(bins, h);
     h.parallel_for(sycl::nd_range<1>(items, size), [=](sycl::nd_item<1> item) {
       const std::size_t l = item.get_local_id(0);
       for (std::size_t i = l; i < bins; i += size) {
         local[i] = 0;
       }
       sycl::group_barrier(item.get_group());
       for (std::size_t i = 0; i < each; ++i) {
         sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                          sycl::access::address_space::local_space>
             bin(local[data[i * items + item.get_global_id(0)]]);
         bin++;
       }
       sycl::group_barrier(item.get_group());
       for (std::size_t i = l; i < bins; i += size) {
         sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device,
                          sycl::access::address_space::global_space>(result[i]) += local[i];
       }
     });
   }).wait();
  int bad = 0;
  for (int i = 0; i < bins; ++i) {
    bad += result[i] != expected[i];
  }
  EXPECT(bad == 0);
  sycl::free(result, q);
  sycl::free(data, q);
}

static void check_refused(sycl::queue &q) {
  const std::size_t most = q.get_device().get_info<sycl::info::device::local_mem_size>();
  const auto launch = [&](std::size_t bytes) {
    q.submit([&](sycl::handler &h) {
      sycl::local_accessor<char> big(bytes, h);
      h.parallel_for<class big_local>(sycl::nd_range<1>(8, 4),
                                      [=](sycl::nd_item<1>) { big[0] = 1; });
    });
  };
  launch(most);
  EXPECT_ERRC(memory_allocation, launch(most + 1));
  EXPECT_ERRC(memory_allocation, launch(SIZE_MAX));
  try {
    launch(most + 1);
  } catch (const sycl::exception &e) {
    const std::string text = e.what();
    EXPECT(text.find("big_local") != std::string::npos);
    EXPECT(text.find(std::to_string(most + 1)) != std::string::npos);
    EXPECT(text.find(std::to_string(most)) != std::string::npos);
  }
  EXPECT_ERRC(memory_allocation, q.submit([&](sycl::handler &h) {
    sycl::local_accessor<int, 2> overflow(
        sycl::range<2>(std::size_t{1} << 33, std::size_t{1} << 33), h);
    h.parallel_for(sycl::nd_range<1>(8, 4), [=](sycl::nd_item<1>) { overflow[0][0] = 1; });
  }));
  EXPECT_ERRC(kernel_argument, q.submit([&](sycl::handler &h) {
    sycl::local_accessor<int> a(4, h);
    h.parallel_for(sycl::range<1>(8), [=](sycl::item<1>) { a[0] = 1; });
  }));
  EXPECT_ERRC(kernel_argument, q.submit([&](sycl::handler &h) {
    sycl::local_accessor<int> a(4, h);
    h.single_task([=] { a[0] = 1; });
  }));
  EXPECT_ERRC(invalid, q.submit([&](sycl::handler &h) {
    sycl::local_accessor<int> a(4, h);
    h.host_task([=] { static_cast<void>(a.size()); });
  }));
  q.wait();
}

int main() {
  sycl::queue q;
  check_members(q);
  check_access(q);
  check_isolation(q);
  check_histogram(q);
  check_refused(q);
  return failures != 0;
}
