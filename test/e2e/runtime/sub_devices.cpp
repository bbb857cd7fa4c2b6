// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-devices of the CPU: every way of dividing, its errors, and that work keeps to its share.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t
// RUN: env TENON_CPU_THREADS=4 %t 4
// RUN: env TENON_CPU_THREADS=1 %t 1
// GPU-SUITE: skip it is about the CPU's parts
#include "../headers/Inputs/expect.hpp"

#include <cstdlib>
#include <cstring>
#include <vector>

namespace dev = sycl::info::device;
using sycl::info::partition_affinity_domain;
using sycl::info::partition_property;
constexpr auto equally = partition_property::partition_equally;
constexpr auto by_counts = partition_property::partition_by_counts;
constexpr auto by_affinity = partition_property::partition_by_affinity_domain;

template <class List, class Value>
static bool has(const List &list, Value value) {
  for (const auto &element : list) {
    if (element == value) {
      return true;
    }
  }
  return false;
}

static std::vector<unsigned> units(const std::vector<sycl::device> &devices) {
  std::vector<unsigned> list;
  for (const sycl::device &d : devices) {
    list.push_back(d.get_info<dev::max_compute_units>());
  }
  return list;
}

// The most work-groups of a queue that ran at one time. Each stays until as many were there as are
// to be expected, and then a little, so that one too many is seen.
static int most_at_once(sycl::queue &q, int expected) {
  int *inside = sycl::malloc_shared<int>(2, q);
  inside[0] = inside[1] = 0;
  for (int round = 0; round < 3; ++round) {
    q.parallel_for(sycl::nd_range<1>(64, 1), [=](sycl::nd_item<1>) {
      const int now = __atomic_add_fetch(&inside[0], 1, __ATOMIC_SEQ_CST);
      int most = __atomic_load_n(&inside[1], __ATOMIC_SEQ_CST);
      while (most < now && !__atomic_compare_exchange_n(&inside[1], &most, now, false,
                                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
      }
      long patience = 2000000000;
      while (__atomic_load_n(&inside[1], __ATOMIC_SEQ_CST) < expected && patience > 0) {
        --patience;
      }
      for (int i = 0; i < 20000; ++i) {
        (void)__atomic_load_n(&inside[0], __ATOMIC_SEQ_CST);
      }
      __atomic_sub_fetch(&inside[0], 1, __ATOMIC_SEQ_CST);
    });
  }
  q.wait();
  const int most = inside[1];
  sycl::free(inside, q);
  return most;
}

static void check_work(const sycl::device &sub, const sycl::device &root) {
  const int share = int(sub.get_info<dev::max_compute_units>());
  // The platform's default context, one with the root, one of its own.
  const sycl::context own(sub), around(root);
  EXPECT(own.get_devices() == std::vector<sycl::device>{sub});
  for (sycl::queue q : {sycl::queue(sub), sycl::queue(around, sub), sycl::queue(own, sub)}) {
    EXPECT(q.get_device() == sub);
    int *p = sycl::malloc_shared<int>(1000, q);
    q.parallel_for(sycl::range<1>(1000), [=](sycl::id<1> i) { p[i] = int(i) + 1; }).wait();
    q.parallel_for(sycl::range<1>(1000), [=](sycl::id<1> i) { p[i] *= 2; }).wait();
    long sum = 0;
    for (int i = 0; i < 1000; ++i) {
      sum += p[i];
    }
    EXPECT(sum == 1001000);
    EXPECT(sycl::get_pointer_device(p, q.get_context()) == sub);
    sycl::free(p, q);
    EXPECT(most_at_once(q, share) == share);
  }
  std::vector<int> data(100, 1);
  {
    sycl::buffer<int> b(data.data(), data.size());
    sycl::queue a(sub), c(root);
    for (sycl::queue q : {a, c, a}) {
      q.submit([&](sycl::handler &h) {
        sycl::accessor acc(b, h, sycl::read_write);
        h.parallel_for(sycl::range<1>(100), [=](sycl::id<1> i) { acc[i] += 1; });
      });
    }
  }
  EXPECT(data[0] == 4 && data[99] == 4);
  EXPECT_ERRC(invalid, (sycl::queue(own, root)));
}

static void check_sub(const sycl::device &sub, const sycl::device &parent, partition_property how) {
  EXPECT(sub != parent && sub.get_info<dev::parent_device>() == parent);
  EXPECT(sub.get_info<dev::partition_type_property>() == how);
  EXPECT(sub.get_platform() == parent.get_platform() && sub.is_cpu());
  EXPECT(sub.get_info<dev::name>() == parent.get_info<dev::name>());
  EXPECT(sub.get_info<dev::aspects>() == parent.get_info<dev::aspects>());
  EXPECT(!has(sycl::device::get_devices(), sub));
}

static void check_affinity(const sycl::device &root) {
  const auto domains = root.get_info<dev::partition_affinity_domains>();
  const auto kinds = root.get_info<dev::partition_properties>();
  EXPECT(domains.empty() == !has(kinds, by_affinity));
  EXPECT(domains.empty() || has(domains, partition_affinity_domain::next_partitionable));
  for (int i = 0; i <= int(partition_affinity_domain::next_partitionable); ++i) {
    const auto domain = partition_affinity_domain(i);
    if (!has(domains, domain)) {
      EXPECT_ERRC(feature_not_supported, root.create_sub_devices<by_affinity>(domain));
      continue;
    }
    const auto subs = root.create_sub_devices<by_affinity>(domain);
    EXPECT(subs.size() >= 2);
    unsigned sum = 0;
    for (const sycl::device &sub : subs) {
      check_sub(sub, root, by_affinity);
      const auto type = sub.get_info<dev::partition_type_affinity_domain>();
      EXPECT(type == domain || domain == partition_affinity_domain::next_partitionable);
      EXPECT(type != partition_affinity_domain::not_applicable &&
             type != partition_affinity_domain::next_partitionable);
      sum += sub.get_info<dev::max_compute_units>();
    }
    EXPECT(sum == root.get_info<dev::max_compute_units>());
    check_work(subs[1], root);
  }
}

static void check_whole(const sycl::device &root) {
  EXPECT_ERRC(invalid, (void)root.get_info<dev::parent_device>());
  EXPECT(root.get_info<dev::partition_type_property>() == partition_property::no_partition);
  EXPECT(root.get_info<dev::partition_type_affinity_domain>() ==
         partition_affinity_domain::not_applicable);
}

static void check_four(const sycl::device &root) {
  check_whole(root);
  EXPECT(root.get_info<dev::max_compute_units>() == 4);
  EXPECT(root.get_info<dev::partition_max_sub_devices>() == 4);
  EXPECT(has(root.get_info<dev::partition_properties>(), equally) &&
         has(root.get_info<dev::partition_properties>(), by_counts));

  const auto halves = root.create_sub_devices<equally>(2);
  EXPECT((units(halves) == std::vector<unsigned>{2, 2}));
  EXPECT((units(root.create_sub_devices<equally>(3)) == std::vector<unsigned>{3}));
  EXPECT((units(root.create_sub_devices<equally>(1)) == std::vector<unsigned>{1, 1, 1, 1}));
  EXPECT((units(root.create_sub_devices<equally>(4)) == std::vector<unsigned>{4}));
  EXPECT(root.create_sub_devices<equally>(2) == halves);
  EXPECT_ERRC(invalid, root.create_sub_devices<equally>(5));
  EXPECT_ERRC(invalid, root.create_sub_devices<equally>(0));

  const auto parts = root.create_sub_devices<by_counts>({1, 0, 2});
  EXPECT((units(parts) == std::vector<unsigned>{1, 2}));
  EXPECT(root.create_sub_devices<by_counts>({0}).empty());
  EXPECT(root.create_sub_devices<by_counts>({}).empty());
  EXPECT((root.create_sub_devices<by_counts>({2, 2}) != halves));
  EXPECT_ERRC(invalid, root.create_sub_devices<by_counts>({2, 3}));
  EXPECT_ERRC(invalid, root.create_sub_devices<by_counts>({1, 1, 1, 1, 1}));
  EXPECT_ERRC(invalid, root.create_sub_devices<by_counts>({~std::size_t{0}, 2}));
  try {
    (void)root.create_sub_devices<by_counts>({2, 3});
  } catch (const sycl::exception &e) {
    EXPECT(std::strstr(e.what(), "5 compute units") && std::strstr(e.what(), "has 4"));
  }

  check_sub(halves[0], root, equally);
  check_sub(halves[1], root, equally);
  check_sub(parts[0], root, by_counts);
  check_work(halves[1], root);
  check_work(parts[0], root);
  check_affinity(root);

  // A part of a part, and what a part of one unit cannot do.
  const auto quarters = halves[0].create_sub_devices<equally>(1);
  EXPECT((units(quarters) == std::vector<unsigned>{1, 1}));
  check_sub(quarters[0], halves[0], equally);
  check_work(quarters[1], root);
  EXPECT(quarters[0].get_info<dev::partition_properties>().empty());
  EXPECT(quarters[0].get_info<dev::partition_max_sub_devices>() == 0);
  EXPECT_ERRC(feature_not_supported, quarters[0].create_sub_devices<equally>(1));
  sycl::context both(halves);
  EXPECT(both.get_devices() == halves);
  EXPECT(sycl::queue(both, quarters[0]).get_device() == quarters[0]);
  EXPECT_ERRC(invalid, (sycl::queue(both, root)));
  EXPECT_ERRC(invalid, (sycl::queue(both, parts[0])));
}

static void check_one(const sycl::device &root) {
  check_whole(root);
  EXPECT(root.get_info<dev::max_compute_units>() == 1);
  EXPECT(root.get_info<dev::partition_properties>().empty() &&
         root.get_info<dev::partition_affinity_domains>().empty());
  EXPECT(root.get_info<dev::partition_max_sub_devices>() == 0);
  EXPECT_ERRC(feature_not_supported, root.create_sub_devices<equally>(1));
  EXPECT_ERRC(feature_not_supported, root.create_sub_devices<by_counts>({1}));
  EXPECT_ERRC(feature_not_supported,
              root.create_sub_devices<by_affinity>(partition_affinity_domain::numa));
  sycl::queue q(root);
  int *p = sycl::malloc_shared<int>(1, q);
  q.single_task([=] { *p = 1; }).wait();
  EXPECT(*p == 1);
  sycl::free(p, q);
}

int main(int argc, char **argv) {
  const sycl::device root(sycl::cpu_selector_v);
  if (argc > 1 && std::atoi(argv[1]) == 4) {
    check_four(root);
  } else {
    check_one(root);
  }
  return failures;
}
