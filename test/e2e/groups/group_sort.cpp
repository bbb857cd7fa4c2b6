// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// joint_sort, sort_over_group and sort_key_value_over_group: default and radix sorters,
// comparisons, placements of several elements a work-item, sub-groups, a sorter of the program.
// Of libstdc++, std::stable_sort is deprecated inside.
// Kernels of this kind take long to compile for the CPU, which runs some of each, and at -O0 a few;
// other devices run all of them (-DLIGHT=0 does here).
// GPU-SUITE: build %tenonxx -fsycl -O2 %s -o program
// RUN: %tenonxx -fsycl -DLIGHT=1 -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -DLIGHT=2 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <sycl/ext/oneapi/experimental/group_sort.hpp>

namespace ex = sycl::ext::oneapi::experimental;
namespace plain = ex::default_sorters;
namespace radix = ex::radix_sorters;
using placement = ex::group_algorithm_data_placement;
using order = ex::sorting_order;

#if SYCL_EXT_ONEAPI_GROUP_SORT != 2
#error "the feature-test macro is missing"
#endif

constexpr auto work_group = sycl::memory_scope::work_group;

template <class T>
static void expect_equal(const char *what, std::size_t size, const std::vector<T> &got,
                         const std::vector<T> &expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!(got[i] == expected[i])) {
      std::printf("%s, %zu work-items: element %zu of %zu is wrong\n", what, size, i, got.size());
      ++failures;
      return;
    }
  }
}

// Equal ones differ in `place`, so that a stable order shows.
struct record {
  int key;
  unsigned place;
  friend bool operator<(const record &a, const record &b) { return a.key < b.key; }
  friend bool operator==(const record &a, const record &b) {
    return a.key == b.key && a.place == b.place;
  }
};
struct later_first {
  bool operator()(const record &a, const record &b) const { return b.key < a.key; }
};
static record numbered(std::size_t i) {
  return {static_cast<int>(i * 7919 % 23) - 11, static_cast<unsigned>(i)};
}
template <class T>
static T number(std::size_t i) {
  return static_cast<T>(static_cast<int>(i * 7919 % 251) - (std::is_unsigned_v<T> ? 0 : 125));
}
template <class T, class Make>
static std::vector<T> make_list(std::size_t count, Make make) {
  std::vector<T> list;
  for (std::size_t i = 0; i < count; ++i) {
    list.push_back(make(i));
  }
  return list;
}

// Calls `sort(item, scratch, data)` in one work-group, on a copy of the values.
template <class T, class Sort>
static std::vector<T> run(sycl::queue q, std::size_t size, std::size_t bytes,
                          const std::vector<T> &values, Sort sort) {
  T *data = sycl::malloc_shared<T>(values.size(), q);
  std::copy(values.begin(), values.end(), data);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<std::byte> scratch(bytes, h);
     h.parallel_for(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> it) {
       sort(it, sycl::span(&scratch[0], bytes), data);
     });
   }).wait();
  const std::vector<T> result(data, data + values.size());
  sycl::free(data, q);
  return result;
}

static void joint(sycl::queue q, std::size_t size, std::size_t count) {
  const auto values = make_list<record>(count, numbered);
  auto expected = values;
  std::stable_sort(expected.begin(), expected.end());
  const std::size_t bytes =
      plain::joint_sorter<>::memory_required<record>(q.get_device(), work_group, count);
  EXPECT(bytes >= count * sizeof(record) &&
         bytes == plain::joint_sorter<>::memory_required<record>(work_group, count));
  expect_equal("joint_sort", size,
               run(q, size, bytes, values,
                   [=](auto it, auto scratch, record *data) {
                     ex::joint_sort(ex::group_with_scratchpad(it.get_group(), scratch), data,
                                    data + count);
                   }),
               expected);
  auto reversed = values;
  std::stable_sort(reversed.begin(), reversed.end(), later_first());
  expect_equal("joint_sort with a comparison", size,
               run(q, size, bytes, values,
                   [=](auto it, auto scratch, record *data) {
                     ex::joint_sort(ex::group_with_scratchpad(it.get_group(), scratch), data,
                                    data + count, later_first());
                   }),
               reversed);
  expect_equal("joint_sort with a sorter", size,
               run(q, size, bytes, values,
                   [=](auto it, auto scratch, record *data) {
                     ex::joint_sort(it.get_group(), data, data + count,
                                    plain::joint_sorter<later_first>(scratch));
                   }),
               reversed);
}

template <class T>
static void joint_radix(sycl::queue q, std::size_t size, std::size_t count) {
  const auto values = make_list<T>(count, number<T>);
  auto expected = values;
  std::sort(expected.begin(), expected.end());
  const std::size_t bytes = radix::joint_sorter<T>::memory_required(work_group, count);
  expect_equal("radix joint_sort", size,
               run(q, size, bytes, values,
                   [=](auto it, auto scratch, T *data) {
                     ex::joint_sort(it.get_group(), data, data + count,
                                    radix::joint_sorter<T>(scratch));
                   }),
               expected);
  std::reverse(expected.begin(), expected.end());
  expect_equal("radix joint_sort, descending, digits of 3 bits", size,
               run(q, size, bytes, values,
                   [=](auto it, auto scratch, T *data) {
                     ex::joint_sort(it.get_group(), data, data + count,
                                    radix::joint_sorter<T, order::descending, 3>(scratch));
                   }),
               expected);
}

template <class T>
static void values_of_work_items(sycl::queue q, std::size_t size) {
  const auto values = make_list<T>(size, number<T>);
  auto expected = values;
  std::sort(expected.begin(), expected.end());
  auto reversed = expected;
  std::reverse(reversed.begin(), reversed.end());
  const std::size_t bytes =
      plain::group_sorter<T>::memory_required(q.get_device(), work_group, size);
  const auto over_group = [&](const char *what, const std::vector<T> &sorted, auto sort) {
    expect_equal(what, size,
                 run(q, size, bytes, values,
                     [=](auto it, auto scratch, T *data) {
                       T &mine = data[it.get_local_id(0)];
                       mine = sort(it.get_group(), scratch, mine);
                     }),
                 sorted);
  };
  over_group("sort_over_group", expected, [](auto group, auto scratch, T mine) {
    return ex::sort_over_group(ex::group_with_scratchpad(group, scratch), mine);
  });
  over_group("sort_over_group with a comparison", reversed, [](auto group, auto scratch, T mine) {
    return ex::sort_over_group(ex::group_with_scratchpad(group, scratch), mine, std::greater<T>());
  });
  over_group("sort_over_group with a sorter", reversed, [](auto group, auto scratch, T mine) {
    return ex::sort_over_group(group, mine, plain::group_sorter<T, std::greater<>>(scratch));
  });
  EXPECT(radix::group_sorter<T>::memory_required(work_group, size) <= bytes);
  over_group("radix sort_over_group", expected, [](auto group, auto scratch, T mine) {
    return ex::sort_over_group(group, mine, radix::group_sorter<T>(scratch));
  });
  over_group("radix sort_over_group, descending", reversed, [](auto group, auto scratch, T mine) {
    return ex::sort_over_group(group, mine,
                               radix::group_sorter<T, order::descending, 1, 8>(scratch));
  });
}

constexpr std::size_t each = 3;  // elements a work-item

// Where element i of a work-item lies.
static std::size_t place_of(bool is_striped, std::size_t item, std::size_t i, std::size_t size) {
  return is_striped ? item + i * size : item * each + i;
}

template <placement In, placement Out>
static void spans(sycl::queue q, std::size_t size) {
  constexpr ex::properties how{ex::input_data_placement<In>, ex::output_data_placement<Out>};
  constexpr bool in = In == placement::striped, out = Out == placement::striped;
  const auto values = make_list<record>(size * each, numbered);
  auto expected = values;
  std::stable_sort(expected.begin(), expected.end());
  auto reversed = values;
  std::stable_sort(reversed.begin(), reversed.end(), later_first());
  const std::size_t bytes =
      plain::group_sorter<record, std::less<>, each>::memory_required(work_group, size);
  const auto over_group = [&](const char *what, const std::vector<record> &sorted, auto sort) {
    expect_equal(what, size,
                 run(q, size, bytes, values,
                     [=](auto it, auto scratch, record *data) {
                       record mine[each];
                       const std::size_t item = it.get_local_id(0);
                       for (std::size_t i = 0; i < each; ++i) {
                         mine[i] = data[place_of(in, item, i, size)];
                       }
                       sort(it.get_group(), scratch, sycl::span<record, each>(mine));
                       for (std::size_t i = 0; i < each; ++i) {
                         data[place_of(out, item, i, size)] = mine[i];
                       }
                     }),
                 sorted);
  };
  over_group("sort_over_group of spans", expected, [=](auto group, auto scratch, auto mine) {
    ex::sort_over_group(ex::group_with_scratchpad(group, scratch), mine, how);
  });
  over_group("sort_over_group of spans with a comparison", reversed,
             [=](auto group, auto scratch, auto mine) {
               ex::sort_over_group(ex::group_with_scratchpad(group, scratch), mine, later_first(),
                                   how);
             });
  over_group("sort_over_group of spans with a sorter", reversed,
             [=](auto group, auto scratch, auto mine) {
               ex::sort_over_group(group, mine,
                                   plain::group_sorter<record, later_first, each>(scratch), how);
             });
  // Keys and places apart.
  const auto keyed = [&](const char *what, const std::vector<record> &sorted, auto sort) {
    over_group(what, sorted, [=](auto group, auto scratch, sycl::span<record, each> mine) {
      int keys[each];
      unsigned places[each];
      for (std::size_t i = 0; i < each; ++i) {
        keys[i] = mine[i].key;
        places[i] = mine[i].place;
      }
      sort(group, scratch, sycl::span<int, each>(keys), sycl::span<unsigned, each>(places));
      for (std::size_t i = 0; i < each; ++i) {
        mine[i] = {keys[i], places[i]};
      }
    });
  };
  keyed("sort_key_value_over_group of spans", expected,
        [=](auto group, auto scratch, auto keys, auto places) {
          ex::sort_key_value_over_group(ex::group_with_scratchpad(group, scratch), keys, places,
                                        how);
        });
  keyed("sort_key_value_over_group of spans with a comparison", reversed,
        [=](auto group, auto scratch, auto keys, auto places) {
          ex::sort_key_value_over_group(ex::group_with_scratchpad(group, scratch), keys, places,
                                        std::greater<int>(), how);
        });
  keyed("radix sort_key_value_over_group of spans", reversed,
        [=](auto group, auto scratch, auto keys, auto places) {
          using sorter = radix::group_key_value_sorter<int, unsigned, order::descending, each>;
          ex::sort_key_value_over_group(group, keys, places, sorter(scratch), how);
        });
}

static void keys_and_values(sycl::queue q, std::size_t size) {
  const auto values = make_list<record>(size, numbered);
  auto expected = values;
  std::stable_sort(expected.begin(), expected.end());
  using sorter = plain::group_key_value_sorter<int, unsigned>;
  const std::size_t bytes = sorter::memory_required(q.get_device(), work_group, size);
  const auto over_group = [&](const char *what, auto sort) {
    expect_equal(what, size,
                 run(q, size, bytes, values,
                     [=](auto it, auto scratch, record *data) {
                       record &mine = data[it.get_local_id(0)];
                       const std::tuple<int, unsigned> sorted =
                           sort(it.get_group(), scratch, mine.key, mine.place);
                       mine = {std::get<0>(sorted), std::get<1>(sorted)};
                     }),
                 expected);
  };
  over_group("sort_key_value_over_group", [](auto group, auto scratch, int key, unsigned value) {
    return ex::sort_key_value_over_group(ex::group_with_scratchpad(group, scratch), key, value);
  });
  over_group("sort_key_value_over_group with a comparison",
             [](auto group, auto scratch, int key, unsigned value) {
               return ex::sort_key_value_over_group(ex::group_with_scratchpad(group, scratch), key,
                                                    value, [](int a, int b) { return a < b; });
             });
  over_group("sort_key_value_over_group with a sorter",
             [](auto group, auto scratch, int key, unsigned value) {
               return ex::sort_key_value_over_group(group, key, value, sorter(scratch));
             });
  over_group("radix sort_key_value_over_group",
             [](auto group, auto scratch, int key, unsigned value) {
               return ex::sort_key_value_over_group(
                   group, key, value, radix::group_key_value_sorter<int, unsigned>(scratch));
             });
}

// Only by the bits of the mask; others stay in their order.
static void masks(sycl::queue q) {
  constexpr std::size_t size = 40;
  const auto values = make_list<unsigned>(size, [](std::size_t i) {
    return static_cast<unsigned>(i * 7919 % 64 << 8 | (size - i));
  });
  auto expected = values;
  constexpr unsigned mask = 0x1a00;
  std::stable_sort(expected.begin(), expected.end(),
                   [](unsigned a, unsigned b) { return (a & mask) < (b & mask); });
  expect_equal("radix sort with a mask", size,
               run(q, size, radix::group_sorter<unsigned>::memory_required(work_group, size),
                   values,
                   [=](auto it, auto scratch, unsigned *data) {
                     unsigned &mine = data[it.get_local_id(0)];
                     const radix::group_sorter<unsigned> sorter(scratch, mask);
                     mine = ex::sort_over_group(it.get_group(), mine, sorter);
                   }),
               expected);
}

// By insertion, all in one work-item.
struct own_sorter {
  template <class Group, class T>
  void operator()(Group group, T *first, T *last) {
    if (group.leader()) {
      for (T *end = first; end != last; ++end) {
        for (T *at = end; at != first && *at < at[-1]; --at) {
          const T other = *at;
          *at = at[-1];
          at[-1] = other;
        }
      }
    }
    sycl::group_barrier(group);
  }
};
static void own(sycl::queue q) {
  const auto values = make_list<int>(50, number<int>);
  auto expected = values;
  std::sort(expected.begin(), expected.end());
  expect_equal("a sorter of the program", 16,
               run(q, 16, 1, values,
                   [](auto it, auto, int *data) {
                     ex::joint_sort(it.get_group(), data, data + 50, own_sorter());
                   }),
               expected);
}

// Each sub-group sorts what its work-items have, in a part of the memory.
static void sub_groups(sycl::queue q) {
  constexpr std::size_t size = 44, each_bytes = 64 * 8;
  const auto values = make_list<int>(size, number<int>);
  for (const bool by_radix : {false, true}) {
    const auto sorted =
        run(q, size, size * each_bytes, values, [=](auto it, auto scratch, int *data) {
          const sycl::sub_group lanes = it.get_sub_group();
          const auto mine = scratch.subspan(lanes.get_group_linear_id() * each_bytes, each_bytes);
          int &value = data[it.get_local_id(0)];
          value = by_radix
                      ? ex::sort_over_group(lanes, value, radix::group_sorter<int>(mine))
                      : ex::sort_over_group(ex::group_with_scratchpad(lanes, mine), value);
        });
    const std::vector<int> lane_counts =
        run(q, size, 1, values, [](auto it, auto, int *data) {
          data[it.get_local_id(0)] =
              static_cast<int>(it.get_sub_group().get_local_linear_range());
        });
    for (std::size_t first = 0; first < size;) {
      const std::size_t last = first + static_cast<std::size_t>(lane_counts[first]);
      std::vector<int> part(&values[first], &values[0] + last);
      std::sort(part.begin(), part.end());
      expect_equal("sort_over_group of a sub-group", last - first,
                   std::vector<int>(&sorted[first], &sorted[0] + last), part);
      first = last;
    }
  }
}

int main() {
  sycl::queue q;
#if LIGHT > 1
  joint(q, 21, 50);
  keys_and_values(q, 21);
#else
#if LIGHT
  const std::size_t sizes[] = {21}, counts[] = {50};
#else
  const std::size_t sizes[] = {1, 6, 32, 45}, counts[] = {1, 2, 31, 200};
#endif
  for (std::size_t size : sizes) {
    for (std::size_t count : counts) {
      joint(q, size, count);
    }
    joint_radix<int>(q, size, 100);
    values_of_work_items<int>(q, size);
    spans<placement::blocked, placement::blocked>(q, size);
    spans<placement::striped, placement::blocked>(q, size);
    keys_and_values(q, size);
  }
#if !LIGHT
  spans<placement::striped, placement::striped>(q, 20);
  spans<placement::blocked, placement::striped>(q, 20);
  joint_radix<std::uint8_t>(q, 16, 77);
  joint_radix<float>(q, 16, 130);
  values_of_work_items<sycl::half>(q, 20);
  values_of_work_items<double>(q, 20);
  values_of_work_items<std::int64_t>(q, 20);
  values_of_work_items<std::int8_t>(q, 20);
  values_of_work_items<std::uint16_t>(q, 20);
#endif
  masks(q);
  own(q);
#endif
  sub_groups(q);
  return failures;
}
