// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_khr_group_interface and sycl_khr_work_item_queries: groups, their members and leaders, from
// arguments and from functions without any; and in work-groups that are not whole sub-groups.
// RUN: %tenonxx -fsycl -O0 %s -o %t0 && %t0
// RUN: %tenonxx -fsycl -O2 %s -o %t2 && %t2
// RUN: %tenonxx -fsycl -std=c++23 -idirafter %S/Inputs/stand_in %s -o %t23 && %t23
#include <sycl/sycl.hpp>

#include <cstdio>

#if __cplusplus >= 202302L
#include <mdspan>
#endif

#if SYCL_KHR_GROUP_INTERFACE != 1 || SYCL_KHR_WORK_ITEM_QUERIES != 1
#error "a feature-test macro is missing"
#endif

namespace khr = sycl::khr;

template <class T, class = void>
inline constexpr bool has_member_item = false;
template <class T>
inline constexpr bool
    has_member_item<T, std::void_t<decltype(khr::get_member_item(std::declval<const T &>()))>> =
        true;
template <class T, class = void>
inline constexpr bool has_leader = false;
template <class T>
inline constexpr bool
    has_leader<T, std::void_t<decltype(khr::leader_of(std::declval<const T &>()))>> = true;

using work_member = khr::member_item<khr::work_group<2>>;
using sub_member = khr::member_item<khr::sub_group>;
static_assert(has_member_item<khr::work_group<3>> && has_member_item<khr::sub_group> &&
              !has_member_item<sycl::group<1>> && !has_member_item<work_member> &&
              !has_member_item<int>);
static_assert(has_leader<khr::work_group<3>> && has_leader<khr::sub_group> &&
              has_leader<work_member> && has_leader<sub_member> && !has_leader<sycl::group<1>> &&
              !has_leader<sycl::sub_group>);
static_assert(std::is_same_v<work_member::id_type, sycl::id<2>> &&
              std::is_same_v<work_member::range_type, sycl::range<2>> &&
              std::is_same_v<work_member::linear_id_type, std::size_t> &&
              std::is_same_v<sub_member::linear_id_type, std::uint32_t> &&
              std::is_same_v<sub_member::size_type, std::uint32_t> &&
              work_member::dimensions == 2 && sub_member::dimensions == 1 &&
              work_member::fence_scope == sycl::memory_scope::work_item &&
              khr::work_group<2>::fence_scope == sycl::memory_scope::work_group &&
              khr::sub_group::fence_scope == sycl::memory_scope::sub_group);
static_assert(std::is_same_v<khr::work_group<>, khr::work_group<1>>);
static_assert(!std::is_default_constructible_v<khr::work_group<1>> &&
              !std::is_default_constructible_v<khr::sub_group> &&
              !std::is_default_constructible_v<work_member> &&
              std::is_copy_assignable_v<work_member> && std::is_move_constructible_v<sub_member>);
static_assert(sycl::is_device_copyable_v<work_member> &&
              sycl::is_device_copyable_v<khr::work_group<3>> &&
              sycl::is_device_copyable_v<khr::sub_group>);

// Nothing is passed.
template <int Dimensions>
static bool ask_by_functions(const sycl::nd_item<Dimensions> &item) {
  return khr::this_nd_item<Dimensions>() == item &&
         khr::this_nd_item<Dimensions>().get_global_linear_id() == item.get_global_linear_id() &&
         khr::this_group<Dimensions>() == item.get_group() &&
         khr::this_sub_group() == item.get_sub_group() &&
         khr::this_sub_group().get_local_linear_id() == item.get_sub_group().get_local_linear_id();
}

template <int Dimensions>
static bool check(const sycl::nd_item<Dimensions> &item) {
  khr::work_group<Dimensions> group = item.get_group();
  khr::sub_group lanes = khr::this_sub_group();
  khr::member_item member = get_member_item(group);
  khr::member_item lane = get_member_item(lanes);
  const sycl::group<Dimensions> old = group;
  const sycl::sub_group old_lanes = lanes;
  bool is_right = old == item.get_group() && group == khr::work_group<Dimensions>(old) &&
                  !(group != khr::work_group(old)) && old_lanes == item.get_sub_group();
  is_right = is_right && group.id() == item.get_group().get_group_id() &&
             group.linear_id() == item.get_group_linear_id() &&
             group.range() == item.get_group_range() &&
             group.size() == item.get_local_range().size();
  is_right = is_right && member.id() == item.get_local_id() &&
             member.linear_id() == item.get_local_linear_id() &&
             member.range() == item.get_local_range() && member.size() == 1 &&
             member == get_member_item(group);
  is_right = is_right && lanes.linear_id() == old_lanes.get_group_linear_id() &&
             lanes.id()[0] == lanes.linear_id() && lanes.range()[0] > lanes.linear_id() &&
             lanes.size() == old_lanes.get_local_linear_range() &&
             lanes.max_size() == old_lanes.get_max_local_range()[0] &&
             lanes.size() <= lanes.max_size();
  is_right = is_right && lane.linear_id() == old_lanes.get_local_linear_id() &&
             lane.id()[0] == lane.linear_id() && lane.range()[0] == lanes.size() &&
             lane.linear_id() < lanes.size() && lane == get_member_item(lanes);
  is_right = is_right && khr::leader_of(group) == (item.get_local_linear_id() == 0) &&
             khr::leader_of(lanes) == (lane.linear_id() == 0) && khr::leader_of(member) &&
             khr::leader_of(lane);
  // Only one work-item leads.
  is_right = is_right &&
             sycl::reduce_over_group(old, khr::leader_of(group) ? 1 : 0, sycl::plus<>()) == 1 &&
             sycl::reduce_over_group(old_lanes, khr::leader_of(lanes) ? 1 : 0, sycl::plus<>()) == 1;
#if __cplusplus >= 202302L
  static_assert(std::is_same_v<decltype(lanes.extents()), std::dextents<std::uint32_t, 1>> &&
                std::is_same_v<decltype(group.extents()), std::dextents<std::size_t, Dimensions>> &&
                std::is_same_v<decltype(lane.extents()), std::extents<std::uint32_t, 1>>);
  for (int i = 0; i < Dimensions; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    is_right = is_right && group.extents().extent(at) == item.get_local_range(i) &&
               group.extent(at) == item.get_local_range(i) && member.extents().extent(at) == 1;
  }
  is_right = is_right && group.extent(0) == item.get_local_range(0) && member.extent(0) == 1 &&
             lanes.extent(0) == lanes.size();
  static_assert(khr::work_group<Dimensions>::rank() == Dimensions &&
                khr::work_group<Dimensions>::rank_dynamic() == Dimensions &&
                decltype(member)::rank_dynamic() == 0 && decltype(member)::static_extent(0) == 1);
#endif
  return is_right && ask_by_functions(item);
}

static int failures = 0;

template <int Dimensions>
static void run(sycl::queue &queue, sycl::nd_range<Dimensions> extent) {
  const std::size_t count = extent.get_global_range().size();
  bool *out = sycl::malloc_shared<bool>(count, queue);
  queue
      .parallel_for(
          extent,
          [=](sycl::nd_item<Dimensions> item) { out[item.get_global_linear_id()] = check(item); })
      .wait();
  for (std::size_t i = 0; i < count; ++i) {
    if (!out[i]) {
      ++failures;
      std::printf("%d dimensions, work-item %zu\n", Dimensions, i);
      break;
    }
  }
  sycl::free(out, queue);
}

int main() {
  sycl::queue queue;
  run<1>(queue, {256, 64});
  run<1>(queue, {35, 7});
  run<1>(queue, {3, 1});
  run<2>(queue, {{8, 12}, {4, 6}});
  run<2>(queue, {{4, 64}, {1, 64}});
  run<3>(queue, {{2, 6, 8}, {2, 3, 4}});

  // On the host no work-item runs.
  try {
    (void)khr::this_sub_group();
    ++failures;
  } catch (const sycl::exception &error) {
    failures += error.code() != sycl::errc::feature_not_supported;
  }
  return failures != 0;
}
