// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// group_load and group_store of work-groups and sub-groups: blocked and striped, spans, vectors and
// single values, values of another type, local memory, a sub-group that is not full.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <sycl/ext/oneapi/experimental/group_load_store.hpp>
#include <sycl/sycl.hpp>

namespace syclex = sycl::ext::oneapi::experimental;

static constexpr auto striped =
    syclex::properties{syclex::data_placement_striped, syclex::contiguous_memory};
static constexpr auto blocked = syclex::properties{
    syclex::data_placement<syclex::data_placement_enum::blocked>, syclex::full_group};

constexpr std::size_t items = 37, groups = 3, each = 4;

// Reads four elements an item, striped or blocked, and notes where they came from.
template <class Properties>
static void move(sycl::queue &queue, Properties props, bool is_striped) {
  constexpr std::size_t count = items * groups * each;
  int *in = sycl::malloc_shared<int>(count, queue);
  int *seen = sycl::malloc_shared<int>(count, queue);  // element i of item k at 4 * k + i
  double *out = sycl::malloc_shared<double>(count, queue);
  for (std::size_t i = 0; i < count; ++i) {
    in[i] = static_cast<int>(3 * i);
    out[i] = -1;
  }
  queue
      .parallel_for(sycl::nd_range<1>(items * groups, items),
                    [=](sycl::nd_item<1> item) {
                      const auto group = item.get_group();
                      const std::size_t first = group.get_group_linear_id() * items * each;
                      long long values[each];
                      syclex::group_load(group, in + first, sycl::span{values}, props);
                      for (std::size_t i = 0; i < each; ++i) {
                        seen[item.get_global_id(0) * each + i] = static_cast<int>(values[i]);
                      }
                      syclex::group_store(group, sycl::span<const long long, each>(values),
                                          out + first, props);
                    })
      .wait();
  for (std::size_t k = 0; k < items * groups; ++k) {
    for (std::size_t i = 0; i < each; ++i) {
      const std::size_t base = k / items * items * each;
      const std::size_t from =
          base + (is_striped ? k % items + items * i : k % items * each + i);
      EXPECT(seen[k * each + i] == static_cast<int>(3 * from));
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT(out[i] == 3.0 * static_cast<double>(i));
  }
  sycl::free(in, queue);
  sycl::free(seen, queue);
  sycl::free(out, queue);
}

// The items of a sub-group turn a matrix of two columns around.
static void transpose(sycl::queue &queue) {
  constexpr std::size_t count = 2 * items;
  float *data = sycl::malloc_shared<float>(count, queue);
  std::size_t *start = sycl::malloc_shared<std::size_t>(items, queue);
  std::size_t *size = sycl::malloc_shared<std::size_t>(items, queue);
  for (std::size_t i = 0; i < count; ++i) {
    data[i] = static_cast<float>(i);
  }
  queue
      .parallel_for(sycl::nd_range<1>(items, items),
                    [=](sycl::nd_item<1> item) {
                      const sycl::sub_group lanes = item.get_sub_group();
                      const std::size_t here = item.get_global_id(0);
                      start[here] =
                          2 * lanes.get_group_linear_id() * lanes.get_max_local_range()[0];
                      size[here] = lanes.get_local_linear_range();
                      sycl::vec<float, 2> pair;
                      syclex::group_load(lanes, data + start[here], pair);
                      syclex::group_store(lanes, pair, data + start[here], striped);
                    })
      .wait();
  for (std::size_t k = 0; k < items; ++k) {
    const std::size_t lane = k - start[k] / 2;
    EXPECT(data[start[k] + lane] == static_cast<float>(2 * k));
    EXPECT(data[start[k] + size[k] + lane] == static_cast<float>(2 * k + 1));
  }
  sycl::free(data, queue);
  sycl::free(start, queue);
  sycl::free(size, queue);
}

// Single values through local memory: each barrier lets the other work-items see them.
static void exchange(sycl::queue &queue) {
  int *out = sycl::malloc_shared<int>(items, queue);
  queue
      .submit([&](sycl::handler &handler) {
        sycl::local_accessor<int, 1> scratch(sycl::range<1>(items), handler);
        handler.parallel_for(
            sycl::nd_range<1>(items, items), [=](sycl::nd_item<1> item) {
              const std::size_t here = item.get_local_id(0);
              const auto memory = scratch.get_multi_ptr<sycl::access::decorated::no>();
              scratch[items - 1 - here] = static_cast<int>(here);
              int value = 0;
              syclex::group_load(item.get_group(), memory, value, blocked);
              syclex::group_store(item.get_group(), value + 1, memory);
              out[here] = scratch[items - 1 - here];
            });
      })
      .wait();
  for (std::size_t i = 0; i < items; ++i) {
    EXPECT(out[i] == static_cast<int>(i) + 1);
  }
  sycl::free(out, queue);
}

int main() {
  static_assert(decltype(striped)::get_property<syclex::data_placement_key>() ==
                syclex::data_placement_striped);
  sycl::queue queue;
  move(queue, syclex::properties{}, false);
  move(queue, blocked, false);
  move(queue, striped, true);
  transpose(queue);
  exchange(queue);
  return failures;
}
