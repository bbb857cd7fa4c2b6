// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Group functions and algorithms on the values of work-items: work-groups and sub-groups of many
// sizes and shapes, types of 1 to 72 bytes, known and other operations.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 -DLIGHT %s -o %t.O0 && %t.O0 %}
#include "../headers/Inputs/expect.hpp"

// Not commutative, so that the order shows: affine functions modulo a prime. 72 bytes.
struct affine {
  unsigned scale, offset;
  unsigned more[16];
};
struct then {
  affine operator()(const affine &f, const affine &g) const {
    affine both = f;
    both.scale = f.scale * g.scale % 10007;
    both.offset = (f.offset * g.scale + g.offset) % 10007;
    return both;
  }
};
static affine function_of(std::size_t i) {
  affine f = {};
  f.scale = static_cast<unsigned>(i % 11 + 2);
  f.offset = static_cast<unsigned>(i * 7 % 1000);
  f.more[15] = 5;
  return f;
}
static bool same(const affine &x, const affine &y) {
  return x.scale == y.scale && x.offset == y.offset && x.more[15] == y.more[15];
}

struct place {
  std::size_t group, group_index, group_size;
  std::size_t sub_group, lane, lanes, max_lanes, sub_groups;
};

// For the work-group [0] and the sub-group [1].
struct found {
  place where;
  int reduced[2], reduced_from[2], inclusive[2], exclusive[2], inclusive_from[2], exclusive_from[2];
  double reduced_double[2];
  affine inclusive_affine[2], exclusive_affine[2];
  std::int8_t least[2];
  std::uint64_t broadcast[2], broadcast_first[2];
  bool any[2], all[2], none[2], any_of[2], all_of[2], none_of[2];
  int left, right, exchanged, selected;
  affine selected_affine;
  int unsigned_wrong;
};

template <class Group>
static void fill_more(const Group &g, int which, std::size_t i, int value, found &out) {
  out.inclusive_from[which] = sycl::inclusive_scan_over_group(g, value, sycl::bit_xor<>(), 12345);
  out.exclusive_from[which] = sycl::exclusive_scan_over_group(g, value, 54321, sycl::bit_xor<>());
  out.reduced_double[which] =
      sycl::reduce_over_group(g, static_cast<double>(value) * 0.5, sycl::plus<double>());
  const affine f = function_of(i);
  out.inclusive_affine[which] = sycl::inclusive_scan_over_group(g, f, then());
  out.exclusive_affine[which] = sycl::exclusive_scan_over_group(g, f, function_of(3), then());
  out.least[which] =
      sycl::reduce_over_group(g, static_cast<std::int8_t>(value), sycl::minimum<std::int8_t>());
  out.broadcast_first[which] = sycl::group_broadcast(g, static_cast<std::uint64_t>(i) << 33);
  out.all[which] = sycl::all_of_group(g, i % 30 != 29);
  out.none[which] = sycl::none_of_group(g, i % 30 == 29);
  const auto positive = [](int x) { return x > 0; };
  out.any_of[which] = sycl::any_of_group(g, value, positive);
  out.all_of[which] = sycl::all_of_group(g, value, positive);
  out.none_of[which] = sycl::none_of_group(g, value, positive);
}

template <bool Full, class Group>
static void fill(const Group &g, int which, std::size_t i, found &out) {
  const int value = static_cast<int>(i * i % 97) - 40;
  out.reduced[which] = sycl::reduce_over_group(g, value, sycl::plus<>());
  out.reduced_from[which] = sycl::reduce_over_group(g, value, 1000, sycl::maximum<int>());
  out.inclusive[which] = sycl::inclusive_scan_over_group(g, value, sycl::plus<int>());
  out.exclusive[which] = sycl::exclusive_scan_over_group(g, value, sycl::plus<int>());
  const std::size_t last = g.get_local_linear_range() - 1;
  out.broadcast[which] = sycl::group_broadcast(g, static_cast<std::uint64_t>(i) << 33,
                                               static_cast<typename Group::linear_id_type>(last));
  out.any[which] = sycl::any_of_group(g, i % 30 == 29);
  if constexpr (Full) {
    fill_more(g, which, i, value, out);
  }
}

template <int D>
static void run(sycl::queue &q, sycl::range<D> global, sycl::range<D> local, found *out) {
  q.parallel_for(sycl::nd_range<D>(global, local), [=](sycl::nd_item<D> item) {
     const sycl::group<D> g = item.get_group();
     const sycl::sub_group sg = item.get_sub_group();
     // Work-group after work-group, so that the host knows what comes before what.
     const std::size_t i =
         g.get_group_linear_id() * g.get_local_linear_range() + g.get_local_linear_id();
     found mine = {};
     mine.where = {g.get_group_linear_id(),     g.get_local_linear_id(),
                   g.get_local_linear_range(),  sg.get_group_linear_id(),
                   sg.get_local_linear_id(),    sg.get_local_linear_range(),
                   sg.get_max_local_range()[0], sg.get_group_linear_range()};
     fill<D == 1>(g, 0, i, mine);
     fill<D == 1>(sg, 1, i, mine);
     const int value = static_cast<int>(i);
     mine.left = sycl::shift_group_left(sg, value);
     mine.right = sycl::shift_group_right(sg, value, 2);
     mine.exchanged = sycl::permute_group_by_xor(sg, value, 1);
     const sycl::id<1> other((sg.get_local_linear_id() * 5 + 3) % sg.get_local_linear_range());
     mine.selected = sycl::select_from_group(sg, value, other);
     if constexpr (D == 1) {
       mine.selected_affine = sycl::select_from_group(sg, function_of(i), other);
     }
     out[i] = mine;
   }).wait();
}

// What the items [first, last) of one group have to find; `at` is the one that is looked at.
static void check(const found &mine, int which, std::size_t first, std::size_t last, std::size_t at,
                  bool is_full) {
  int sum = 0, most = 1000, before = 0, mixed = 12345, mixed_before = 54321, least = 127;
  double half = 0;
  bool any = false, positive = false, all_positive = true;
  affine scan = {}, scan_before = function_of(3);
  for (std::size_t i = first; i < last; ++i) {
    const int value = static_cast<int>(i * i % 97) - 40;
    sum += value;
    half += value * 0.5;
    most = value > most ? value : most;
    least = value < least ? value : least;
    any = any || i % 30 == 29;
    positive = positive || value > 0;
    all_positive = all_positive && value > 0;
    if (i <= at) {
      mixed ^= value;
      scan = i == first ? function_of(i) : then()(scan, function_of(i));
    }
    if (i < at) {
      before += value;
      mixed_before ^= value;
      scan_before = then()(scan_before, function_of(i));
    }
  }
  EXPECT(mine.reduced[which] == sum);
  EXPECT(mine.reduced_from[which] == most);
  EXPECT(mine.inclusive[which] == before + static_cast<int>(at * at % 97) - 40);
  EXPECT(mine.exclusive[which] == before);
  EXPECT(mine.broadcast[which] == static_cast<std::uint64_t>(last - 1) << 33);
  EXPECT(mine.any[which] == any);
  if (!is_full) {
    return;
  }
  EXPECT(mine.inclusive_from[which] == mixed);
  EXPECT(mine.exclusive_from[which] == mixed_before);
  EXPECT(mine.reduced_double[which] == half);
  EXPECT(same(mine.inclusive_affine[which], scan));
  EXPECT(same(mine.exclusive_affine[which], scan_before));
  EXPECT(mine.least[which] == least);
  EXPECT(mine.broadcast_first[which] == static_cast<std::uint64_t>(first) << 33);
  EXPECT(mine.all[which] == !any && mine.none[which] == !any);
  EXPECT(mine.any_of[which] == positive);
  EXPECT(mine.all_of[which] == all_positive);
  EXPECT(mine.none_of[which] == !positive);
}

template <int D>
static void test(sycl::queue &q, sycl::range<D> global, sycl::range<D> local) {
  const std::size_t count = global.size();
  const int failures_before = failures;
  found *out = sycl::malloc_shared<found>(count, q);
  run<D>(q, global, local, out);
  for (std::size_t i = 0; i < count && failures == failures_before; ++i) {
    const found &mine = out[i];
    const place &where = mine.where;
    const std::size_t first = i / local.size() * local.size();
    const std::size_t lane_of_first = i - where.lane;
    EXPECT(where.group == i / local.size() && where.group_index == i % local.size());
    EXPECT(where.group_size == local.size());
    check(mine, 0, first, first + local.size(), i, D == 1);
    // Sub-groups follow the linear ids of work-items, also from a row to the next one.
    EXPECT(where.lane < where.lanes && where.lanes <= where.max_lanes);
    EXPECT(where.lane == (i - first) % where.max_lanes);
    EXPECT(where.sub_group == (i - first) / where.max_lanes);
    EXPECT(where.sub_groups == (local.size() + where.max_lanes - 1) / where.max_lanes);
    check(mine, 1, lane_of_first, lane_of_first + where.lanes, i, D == 1);
    if (where.lane + 1 < where.lanes) {
      EXPECT(mine.left == static_cast<int>(i + 1));
    }
    if (where.lane >= 2) {
      EXPECT(mine.right == static_cast<int>(i - 2));
    }
    if ((where.lane ^ 1) < where.lanes) {
      EXPECT(mine.exchanged == static_cast<int>(lane_of_first + (where.lane ^ 1)));
    }
    const std::size_t other = lane_of_first + (where.lane * 5 + 3) % where.lanes;
    EXPECT(mine.selected == static_cast<int>(other));
    EXPECT(D != 1 || same(mine.selected_affine, function_of(other)));
  }
  if (failures != failures_before) {
    std::printf("  with %d dimensions, %zu work-items in work-groups of %zu, rows of %zu\n", D,
                count, local.size(), static_cast<std::size_t>(local[D - 1]));
  }
  sycl::free(out, q);
}

// Identities, and the function objects on the host.
static void function_objects() {
  static_assert(sycl::known_identity_v<sycl::plus<>, int> == 0);
  static_assert(sycl::known_identity_v<sycl::multiplies<float>, float> == 1.0f);
  static_assert(sycl::known_identity_v<sycl::bit_and<>, unsigned> == ~0u);
  static_assert(sycl::known_identity_v<sycl::minimum<>, int> == std::numeric_limits<int>::max());
  static_assert(sycl::known_identity_v<sycl::maximum<double>, double> ==
                -std::numeric_limits<double>::infinity());
  static_assert(sycl::known_identity_v<sycl::logical_and<>, bool>);
  static_assert(!sycl::known_identity<sycl::logical_or<bool>, bool>::value);
  static_assert(!sycl::has_known_identity_v<then, affine>);
  static_assert(!sycl::has_known_identity_v<sycl::bit_xor<>, float>);
  static_assert(sycl::has_known_identity_v<sycl::plus<>, sycl::marray<float, 3>>);
  static_assert(sycl::has_known_identity_v<sycl::minimum<sycl::half>, sycl::half>);
  EXPECT(sycl::plus<>()(1, 2.5) == 3.5 && sycl::multiplies<int>()(6, 7) == 42);
  EXPECT(sycl::minimum<>()(3, 2) == 2 && sycl::maximum<float>()(3.0f, 2.0f) == 3.0f);
  EXPECT(sycl::bit_or<>()(1, 6) == 7 && sycl::bit_and<>()(5, 6) == 4);
  EXPECT(sycl::logical_and<>()(true, false) == false && sycl::logical_or<bool>()(true, false));
  const sycl::marray<int, 2> least =
      sycl::minimum<>()(sycl::marray<int, 2>(1, 5), sycl::marray<int, 2>(4, 2));
  EXPECT(least[0] == 1 && least[1] == 2);
  static_assert(sycl::is_group_v<sycl::group<2>> && sycl::is_group_v<sycl::sub_group> &&
                !sycl::is_group_v<int>);
}

int main() {
  sycl::queue q;
  function_objects();
#ifndef LIGHT
  for (const std::size_t local : {1, 3, 8, 16, 17, 40, 64}) {
    test<1>(q, local * 3, local);
  }
  test<3>(q, {2, 4, 20}, {1, 2, 20});
#endif
  test<2>(q, {8, 32}, {4, 16});
  test<2>(q, {6, 10}, {3, 5});
  return failures;
}
