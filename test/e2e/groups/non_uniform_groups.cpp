// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chunks, fragments and tangles of a sub-group: ids, group functions and algorithms, chunks of
// chunks, in branches that a part of the work-items takes; the older names.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: env TENON_JIT_OPT=0 %t
#include "../headers/Inputs/expect.hpp"

#include <sycl/sycl.hpp>

#include <vector>

namespace syclex = sycl::ext::oneapi::experimental;

constexpr std::uint32_t lanes = 32, items = 64;

// What one work-item saw of a group; the host compares with a group of these members.
struct seen {
  std::uint64_t members;  // written by the host
  std::uint32_t id, range, group_id, group_range;
  int leader, first, third, down, up, mask, chosen, sum, inclusive, exclusive, sum_from, any, all,
      none;
  long long wide;
};

template <class Group>
static void look(Group g, int x, seen &out) {
  out.id = g.get_local_linear_id();
  out.range = static_cast<std::uint32_t>(g.get_local_range()[0]);
  out.group_id = static_cast<std::uint32_t>(g.get_group_id()[0]);
  out.group_range = g.get_group_linear_range();
  out.leader = g.leader();
  sycl::group_barrier(g);
  out.first = sycl::group_broadcast(g, x);
  out.third = sycl::group_broadcast(g, x, 2);
  out.down = sycl::shift_group_left(g, x, 1);
  out.up = sycl::shift_group_right(g, x, 1);
  out.mask = sycl::permute_group_by_xor(g, x, 1);
  out.chosen = sycl::select_from_group(g, x, sycl::id<1>(g.get_local_linear_range() - 1));
  out.sum = sycl::reduce_over_group(g, x, sycl::plus<int>());
  out.sum_from = sycl::reduce_over_group(g, x, 1000, sycl::plus<>());
  out.inclusive = sycl::inclusive_scan_over_group(g, x, sycl::plus<int>());
  out.exclusive = sycl::exclusive_scan_over_group(g, x, sycl::plus<int>());
  out.wide = sycl::reduce_over_group(g, static_cast<long long>(x) << 33,
                                     sycl::maximum<long long>());
  out.any = sycl::any_of_group(g, x % 8 == 3);
  out.all = sycl::all_of_group(g, x, [](int value) { return value >= 0; });
  out.none = sycl::none_of_group(g, x == 3);
}

static int value_of(std::uint32_t lane, std::uint32_t base) {
  return static_cast<int>((lane * 7) % 32 + base);
}

// The group of lane `lane` has the members; `all` has the results of the sub-group's lanes.
static void compare(const char *what, const seen *all, std::uint32_t lane, std::uint64_t members,
                    std::uint32_t base) {
  std::vector<int> values;
  std::uint32_t number = 0;
  for (std::uint32_t i = 0; i < lanes; ++i) {
    if ((members >> i & 1) != 0) {
      number = i == lane ? static_cast<std::uint32_t>(values.size()) : number;
      values.push_back(value_of(i, base));
    }
  }
  const seen &s = all[lane];
  const auto count = static_cast<std::uint32_t>(values.size());
  int sum = 0, before = 0, any = 0, none = 1, most = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    before += i < number ? values[i] : 0;
    sum += values[i];
    any |= values[i] % 8 == 3;
    none &= values[i] != 3;
    most = values[i] > most ? values[i] : most;
  }
  const int before_failures = failures;
  EXPECT(s.id == number && s.range == count && s.leader == (number == 0));
  EXPECT(s.first == values[0] && s.chosen == values[count - 1]);
  EXPECT(count < 3 || s.third == values[2]);
  EXPECT(number + 1 >= count || s.down == values[number + 1]);
  EXPECT(number == 0 || s.up == values[number - 1]);
  EXPECT((number ^ 1) >= count || s.mask == values[number ^ 1]);
  EXPECT(s.sum == sum && s.sum_from == sum + 1000 && s.exclusive == before &&
         s.inclusive == before + values[number]);
  EXPECT(s.wide == static_cast<long long>(most) << 33);
  EXPECT(s.any == any && s.all == 1 && s.none == none);
  if (failures != before_failures) {
    std::printf("%s, lane %u\n", what, lane);
  }
}

// Look(sub-group, lane, x, result) in a kernel, Members(lane) on the host; 0: no group.
template <class Look, class Members>
static void run(sycl::queue &q, const char *what, Look look_from, Members members) {
  seen *all = sycl::malloc_shared<seen>(items, q);
  q.parallel_for(sycl::nd_range<1>(items, items), [=](sycl::nd_item<1> item)
                     [[sycl::reqd_sub_group_size(lanes)]] {
    const sycl::sub_group sg = item.get_sub_group();
    const std::uint32_t lane = sg.get_local_linear_id();
    const auto base = static_cast<std::uint32_t>(item.get_local_id(0)) / lanes;
    look_from(sg, lane, static_cast<int>((lane * 7) % 32 + base), all[item.get_local_id(0)]);
  });
  q.wait_and_throw();
  for (std::uint32_t i = 0; i < items; ++i) {
    if (members(i % lanes) != 0) {
      compare(what, all + i / lanes * lanes, i % lanes, members(i % lanes), i / lanes);
    }
  }
  sycl::free(all, q);
}

template <std::uint32_t Size>
static std::uint64_t chunk_of(std::uint32_t lane) {
  return (~std::uint64_t{0} >> (64 - Size)) << (lane / Size * Size);
}
static bool is_odd(std::uint32_t lane) { return lane % 3 == 1; }
static std::uint64_t alike(std::uint32_t lane, std::uint64_t among = 0xffffffff) {
  std::uint64_t members = 0;
  for (std::uint32_t i = 0; i < lanes; ++i) {
    members |= std::uint64_t{is_odd(i) == is_odd(lane)} << i;
  }
  return members & among;
}

int main() {
  sycl::queue q;
  if (!has_sub_groups_of(q.get_device(), lanes)) {
    return 0;
  }
  EXPECT(q.get_device().has(sycl::aspect::ext_oneapi_chunk) &&
         q.get_device().has(sycl::aspect::ext_oneapi_tangle));
  run(
      q, "chunk of 8",
      [](sycl::sub_group sg, std::uint32_t lane, int x, seen &out) {
        const auto chunk = syclex::chunked_partition<8>(sg);
        look(chunk, x, out);
        out.all = out.all && out.group_id == lane / 8 && out.group_range == lanes / 8;
      },
      chunk_of<8>);
  run(
      q, "chunk of 1",
      [](sycl::sub_group sg, std::uint32_t, int x, seen &out) {
        look(syclex::get_fixed_size_group<1>(sg), x, out);
      },
      chunk_of<1>);
  run(
      q, "all",
      [](sycl::sub_group sg, std::uint32_t, int x, seen &out) {
        look(syclex::get_fixed_size_group<32>(sg), x, out);
      },
      chunk_of<32>);
  run(
      q, "chunk of a chunk",
      [](sycl::sub_group sg, std::uint32_t lane, int x, seen &out) {
        const auto chunk = syclex::chunked_partition<4>(syclex::chunked_partition<16>(sg));
        look(chunk, x, out);
        out.all = out.all && out.group_id == lane % 16 / 4 && out.group_range == 4;
      },
      chunk_of<4>);
  run(
      q, "fragment",
      [](sycl::sub_group sg, std::uint32_t lane, int x, seen &out) {
        const bool third = lane % 3 == 1;
        const auto fragment = syclex::get_ballot_group(sg, third);
        look(fragment, x, out);
        out.all = out.all && out.group_id == (third ? 1 : 0) && out.group_range == 2;
      },
      [](std::uint32_t lane) { return alike(lane); });
  run(
      q, "fragment of a chunk",
      [](sycl::sub_group sg, std::uint32_t lane, int x, seen &out) {
        look(syclex::binary_partition(syclex::chunked_partition<16>(sg), lane % 3 == 1), x, out);
      },
      [](std::uint32_t lane) { return alike(lane, chunk_of<16>(lane)); });
  run(
      q, "fragment of a fragment",
      [](sycl::sub_group sg, std::uint32_t lane, int x, seen &out) {
        const auto third = syclex::binary_partition(sg, lane % 3 == 1);
        const auto half = syclex::binary_partition(third, lane >= 16);
        look(half, x, out);
        out.all = out.all && out.group_id == lane / 16 && out.group_range == 2;
      },
      [](std::uint32_t lane) { return alike(lane, chunk_of<16>(lane)); });
  run(
      q, "fragment of a fragment of a chunk",
      [](sycl::sub_group sg, std::uint32_t lane, int x, seen &out) {
        const auto upper = syclex::binary_partition(syclex::chunked_partition<16>(sg), lane & 8);
        look(syclex::get_ballot_group(upper, lane % 3 == 1), x, out);
      },
      [](std::uint32_t lane) { return alike(lane, chunk_of<8>(lane)); });
  run(
      q, "chunk as a fragment",
      [](sycl::sub_group sg, std::uint32_t, int x, seen &out) {
        const syclex::fragment<sycl::sub_group> fragment = syclex::chunked_partition<4>(sg);
        look(fragment, x, out);
      },
      chunk_of<4>);
  run(
      q, "tangle in a branch",
      [](sycl::sub_group sg, std::uint32_t lane, int x, seen &out) {
        if (lane % 3 == 1) {
          look(syclex::entangle(sg), x, out);
        }
      },
      [](std::uint32_t lane) { return is_odd(lane) ? alike(lane) : 0; });
  run(
      q, "tangles of both branches",
      [](sycl::sub_group sg, std::uint32_t lane, int x, seen &out) {
        if (lane % 3 == 1) {
          look(syclex::get_tangle_group(sg), x, out);
        } else {
          look(syclex::get_tangle_group(sg), x, out);
        }
      },
      [](std::uint32_t lane) { return alike(lane); });
  static_assert(sycl::is_group_v<syclex::tangle<sycl::sub_group>> &&
                syclex::is_user_constructed_group_v<syclex::fixed_size_group<4, sycl::sub_group>> &&
                syclex::is_fixed_topology_group_v<sycl::sub_group> &&
                !syclex::is_fixed_topology_group_v<syclex::ballot_group<sycl::sub_group>>);
  return failures;
}
