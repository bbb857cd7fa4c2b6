// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-devices of any device that can be divided: equally and by counts, work and memory on each,
// of a context with the whole device and of contexts of their own.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t
// RUN: env TENON_CPU_THREADS=4 %t
#include "../headers/Inputs/expect.hpp"

#include <vector>

namespace dev = sycl::info::device;
using sycl::info::partition_property;
constexpr auto equally = partition_property::partition_equally;
constexpr auto by_counts = partition_property::partition_by_counts;
constexpr std::size_t size = 1000;

static bool can(const sycl::device &device, partition_property how) {
  for (partition_property each : device.get_info<dev::partition_properties>()) {
    if (each == how) {
      return true;
    }
  }
  return false;
}

static void work(sycl::queue q, sycl::queue other) {
  int *shared = sycl::malloc_shared<int>(size, q);
  sycl::buffer<int> sums{sycl::range<1>(size)};
  q.parallel_for(size, [=](sycl::id<1> i) { shared[i] = static_cast<int>(i); }).wait();
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor out(sums, cgh, sycl::write_only, sycl::no_init);
    cgh.parallel_for(size, [=](sycl::id<1> i) { out[i] = 2 * shared[i]; });
  });
  // What the buffer has is on the other device then.
  other.submit([&](sycl::handler &cgh) {
    sycl::accessor out(sums, cgh, sycl::read_write);
    cgh.parallel_for(size, [=](sycl::id<1> i) { out[i] += 1; });
  });
  sycl::host_accessor found(sums);
  bool is_right = true;
  for (std::size_t i = 0; i < size; ++i) {
    is_right = is_right && found[i] == static_cast<int>(2 * i + 1);
  }
  EXPECT(is_right);
  sycl::free(shared, q);
}

static void check(const sycl::device &root, const std::vector<sycl::device> &parts,
                  partition_property how) {
  for (const sycl::device &part : parts) {
    EXPECT(part.get_info<dev::parent_device>() == root);
    EXPECT(part.get_info<dev::partition_type_property>() == how);
    EXPECT(part != root && part.get_platform() == root.get_platform());
    EXPECT(part.get_backend() == root.get_backend());
  }
  sycl::queue whole(root);
  const sycl::context around(parts);
  work(sycl::queue(sycl::context(parts[0]), parts[0]), whole);
  work(sycl::queue(around, parts[0]), sycl::queue(around, parts.back()));
  sycl::queue in_order(around, parts.back(), sycl::property::queue::in_order());
  work(in_order, whole);
}

int main() {
  const sycl::device root = sycl::queue().get_device();
  const unsigned units = root.get_info<dev::max_compute_units>();
  EXPECT_ERRC(invalid, (void)root.get_info<dev::parent_device>());
  if (units < 2 || !can(root, equally) || !can(root, by_counts)) {
    EXPECT_ERRC(feature_not_supported, (void)root.create_sub_devices<equally>(1));
    return failures;
  }
  EXPECT(root.create_sub_devices<equally>(units).size() == 1);
  EXPECT(root.get_info<dev::partition_max_sub_devices>() >= 2);
  const std::vector<sycl::device> equal = root.create_sub_devices<equally>(1);
  EXPECT(equal.size() == units);
  EXPECT(equal[1].get_info<dev::max_compute_units>() == 1);
  EXPECT(root.create_sub_devices<equally>(1)[0] == equal[0]);
  check(root, equal, equally);
  const std::vector<sycl::device> counted =
      root.create_sub_devices<by_counts>({std::size_t(1), std::size_t(units - 1)});
  EXPECT(counted.size() == 2);
  EXPECT(counted[1].get_info<dev::max_compute_units>() == units - 1);
  check(root, counted, by_counts);
  EXPECT_ERRC(invalid, (void)root.create_sub_devices<equally>(units + 1));
  return failures;
}
