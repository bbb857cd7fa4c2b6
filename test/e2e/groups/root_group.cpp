// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All work-items of a kernel as a group, at whose barrier the work-groups wait for each other.
// Source: the SYCL extension sycl_ext_oneapi_root_group.
// RUN: %tenonxx -fsycl -O0 -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <vector>

namespace ex = sycl::ext::oneapi::experimental;
namespace queue_specific = ex::info::kernel_queue_specific;

static_assert(SYCL_EXT_ONEAPI_ROOT_GROUP == 1);
static_assert(ex::root_group<2>::dimensions == 2);
static_assert(ex::root_group<1>::fence_scope == sycl::memory_scope::device);
static_assert(ex::is_property_key_v<ex::use_root_sync_key>);

constexpr std::size_t width = 32;
constexpr int rounds = 50;

// Each round reads what the others have written in the round before.
struct relay {
  int *data;
  void operator()(sycl::nd_item<1> item) const {
    const auto root = item.ext_oneapi_get_root_group();
    const std::size_t count = root.get_local_linear_range();
    const std::size_t here = root.get_local_linear_id();
    int *from = data;
    int *to = data + count;
    from[here] = static_cast<int>(here);
    for (int round = 0; round < rounds; ++round) {
      sycl::group_barrier(root);
      to[here] = from[(here + width) % count] + 1;
      int *other = from;
      from = to;
      to = other;
    }
  }
};
struct own_relay : relay {
  auto get(ex::properties_tag) const { return ex::properties{ex::use_root_sync}; }
};

static bool is_relayed(const int *data, std::size_t count) {
  bool is = true;
  for (std::size_t i = 0; i < count; ++i) {
    is = is && data[i] == static_cast<int>((i + rounds * width) % count) + rounds;
  }
  return is;
}

template <class Name>
static std::size_t most_groups(sycl::queue q, std::size_t size) {
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  return bundle.get_kernel(sycl::get_kernel_id<Name>())
      .template ext_oneapi_get_info<queue_specific::max_num_work_groups>(q, sycl::range<1>(size));
}

class by_property;
static void relays(sycl::queue q) {
  const std::size_t groups = most_groups<by_property>(q, width);
  const std::size_t count = groups * width;
  EXPECT(groups >= 1);
  int *data = sycl::malloc_shared<int>(2 * count, q);
  const sycl::nd_range<1> all(count, width);
  const ex::properties sync{ex::use_root_sync};
  for (int i = 0; i < 4; ++i) {
    q.parallel_for<by_property>(all, sync, relay{data}).wait();
    EXPECT(is_relayed(data, count));
  }
  q.parallel_for(all, own_relay{{data}}).wait();
  EXPECT(is_relayed(data, count));
  q.submit([&](sycl::handler &h) { h.parallel_for(all, own_relay{{data}}); }).wait();
  EXPECT(is_relayed(data, count));
  ex::nd_launch(q, ex::launch_config{all, sync}, relay{data});
  q.wait();
  EXPECT(is_relayed(data, count));
  try {
    q.parallel_for<by_property>(sycl::nd_range<1>(count + width, width), sync, relay{data}).wait();
    EXPECT(!"too many groups");
  } catch (const sycl::exception &e) {
    EXPECT(e.code() == sycl::errc::nd_range);
  }
  sycl::free(data, q);
}

// Two such launches at once do not hold each other up.
static void concurrent_relays(sycl::device where) {
  std::vector<sycl::queue> queues(3, sycl::queue(where));
  std::vector<int *> data;
  const std::size_t groups = most_groups<by_property>(queues[0], width);
  const std::size_t count = groups * width;
  for (auto &q : queues) {
    q = sycl::queue(queues[0].get_context(), where);
    data.push_back(sycl::malloc_shared<int>(2 * count, q));
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    queues[i].parallel_for<by_property>(sycl::nd_range<1>(count, width),
                                        ex::properties{ex::use_root_sync}, relay{data[i]});
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    queues[i].wait();
    EXPECT(is_relayed(data[i], count));
    sycl::free(data[i], queues[i]);
  }
}

static void in_graph(sycl::queue q) {
  const std::size_t count = most_groups<by_property>(q, width) * width;
  int *data = sycl::malloc_device<int>(2 * count, q);
  std::vector<int> host(count);
  ex::command_graph graph(q);
  graph.add([&](sycl::handler &h) {
    h.parallel_for<by_property>(sycl::nd_range<1>(count, width),
                                ex::properties{ex::use_root_sync}, relay{data});
  });
  auto ready = graph.finalize();
  q.ext_oneapi_graph(ready).wait();
  q.copy(data, host.data(), count).wait();
  EXPECT(is_relayed(host.data(), count));
  sycl::free(data, q);
}

struct single {
  int *out;
  void operator()() const { *out = 1; }
  auto get(ex::properties_tag) const { return ex::properties{ex::use_root_sync}; }
};
// A group of one work-item; a range without work-groups has no such groups.
static void without_groups(sycl::queue q) {
  int *out = sycl::malloc_shared<int>(1, q);
  *out = 0;
  q.single_task(single{out}).wait();
  EXPECT(*out == 1);
  EXPECT_ERRC(nd_range, q.parallel_for(sycl::range<1>(2), ex::properties{ex::use_root_sync},
                                       [=](sycl::id<1>) { *out = 2; }));
  sycl::free(out, q);
}

// What does not wait needs no property.
static void positions(sycl::queue q) {
  int *wrong = sycl::malloc_shared<int>(1, q);
  *wrong = 0;
  q.parallel_for(sycl::nd_range<2>({8, 64}, {2, 8}), [=](sycl::nd_item<2> item) {
     const auto root = ex::this_work_item::get_root_group<2>();
     const sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> bad(
         *wrong);
     const bool is_right =
         root.get_local_id() == item.get_global_id() &&
         root.get_local_range() == item.get_global_range() &&
         root.get_max_local_range() == item.get_global_range() &&
         root.get_group_id() == sycl::id<2>(0, 0) &&
         root.get_group_range() == sycl::range<2>(1, 1) &&
         root.get_group_linear_id() == 0 && root.get_group_linear_range() == 1 &&
         root.get_local_linear_range() == 512 &&
         root.leader() == (item.get_global_linear_id() == 0) &&
         ex::get_child_group(root).get_group_id() == item.get_group().get_group_id() &&
         ex::get_child_group(item.get_group()).get_local_id() ==
             item.get_sub_group().get_local_id();
     bad += is_right ? 0 : 1;
   }).wait();
  EXPECT(*wrong == 0);
  sycl::free(wrong, q);
}

int main() {
  sycl::queue q;
  relays(q);
  concurrent_relays(q.get_device());
  in_graph(q);
  without_groups(q);
  positions(q);
  return failures;
}
