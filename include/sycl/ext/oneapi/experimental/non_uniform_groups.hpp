// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of some work-items of a sub-group: chunks of a fixed size, fragments by a condition,
// tangles of those that took the same branch. Source: the SYCL extensions sycl_ext_oneapi_chunk,
// _fragment and _tangle, and sycl_ext_oneapi_non_uniform_groups, which has older names.
#ifndef TENON_SYCL_EXT_NON_UNIFORM_GROUPS_HPP
#define TENON_SYCL_EXT_NON_UNIFORM_GROUPS_HPP

#include <sycl/atomic_fence.hpp>
#include <sycl/ext/oneapi/experimental/opportunistic_group.hpp>
#include <sycl/group_algorithm.hpp>
#include <sycl/sub_group.hpp>

namespace sycl::detail {

// Which work-items of the sub-group call this together.
inline std::uint64_t members_here() noexcept {
#ifdef __NVPTX__
  return __nvvm_activemask();
#else
  return ballot(true);
#endif
}
// For which of the members it is true; members call this together, others may be elsewhere.
inline std::uint64_t member_ballot([[maybe_unused]] std::uint64_t members, bool value) noexcept {
#ifdef __NVPTX__
  return __nvvm_vote_ballot_sync(static_cast<unsigned>(members), value);
#else
  return ballot(value) & members;
#endif
}
template <class T>
T member_shuffle([[maybe_unused]] std::uint64_t members, const T &value,
                 std::uint32_t from) noexcept {
#ifdef __NVPTX__
  int words[(sizeof(T) + sizeof(int) - 1) / sizeof(int)] = {};
  __builtin_memcpy(words, static_cast<const void *>(&value), sizeof(T));
  for (int &each : words) {
    each = __nvvm_shfl_sync_idx_i32(static_cast<unsigned>(members), each, static_cast<int>(from),
                                    0x1f);
  }
  uninitialized<T> result;
  __builtin_memcpy(static_cast<void *>(&result), words, sizeof(T));
  return result.value;
#else
  return shuffle(value, from);
#endif
}
inline void member_barrier([[maybe_unused]] std::uint64_t members, memory_scope fence) noexcept {
#ifdef __NVPTX__
  __nvvm_bar_warp_sync(static_cast<unsigned>(members));
#endif
  atomic_fence(memory_order::acq_rel, fence);
}

inline std::uint32_t bit_count(std::uint64_t bits) noexcept {
  return static_cast<std::uint32_t>(__builtin_popcountll(bits));
}
inline std::uint32_t lowest_bit(std::uint64_t bits) noexcept {
  return static_cast<std::uint32_t>(__builtin_ctzll(bits));
}

// What these groups are. `members`: the lanes of the group that the calling work-item is in.
class member_group {
 public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  id_type get_group_id() const noexcept { return id_type(index_); }
  id_type get_local_id() const noexcept { return id_type(get_local_linear_id()); }
  range_type get_group_range() const noexcept { return range_type(count_); }
  range_type get_local_range() const noexcept { return range_type(get_local_linear_range()); }
  linear_id_type get_group_linear_id() const noexcept { return index_; }
  linear_id_type get_local_linear_id() const noexcept {
    return bit_count(members_ & ((std::uint64_t{1} << lane()) - 1));
  }
  linear_id_type get_group_linear_range() const noexcept { return count_; }
  linear_id_type get_local_linear_range() const noexcept { return bit_count(members_); }
  bool leader() const noexcept { return lowest_bit(members_) == lane(); }

  // For group functions.
  std::uint64_t tn_members() const noexcept { return members_; }
  // Of the member with that number; any member's where there is none.
  std::uint32_t tn_lane_of(std::uint32_t number) const noexcept {
    std::uint64_t rest = members_;
    for (; number > 0 && (rest & (rest - 1)) != 0; --number) {
      rest &= rest - 1;
    }
    return lowest_bit(rest);
  }

 protected:
  member_group(std::uint64_t members, std::uint32_t index, std::uint32_t count) noexcept
      : members_(members), index_(index), count_(count) {}

 private:
  std::uint64_t members_;
  std::uint32_t index_, count_;
};

struct member_group_maker {
  template <class Group>
  static Group make(std::uint64_t members, std::uint32_t index, std::uint32_t count) noexcept {
    return Group(members, index, count);
  }
};

template <class Group>
std::uint64_t members_of(const Group &parent) noexcept {
  if constexpr (is_sub_group<Group>) {
    return ballot(true);
  } else {
    return parent.tn_members();
  }
}
template <class Group>
std::uint32_t first_lane_of(const Group &parent) noexcept {
  if constexpr (is_sub_group<Group>) {
    return 0;
  } else {
    return lowest_bit(parent.tn_members());
  }
}

}  // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

template <class ParentGroup>
class fragment : public sycl::detail::member_group {
  friend struct sycl::detail::member_group_maker;
  using sycl::detail::member_group::member_group;
};

template <std::size_t ChunkSize, class ParentGroup>
class chunk : public sycl::detail::member_group {
 public:
  operator fragment<ParentGroup>() const noexcept {
    return sycl::detail::member_group_maker::make<fragment<ParentGroup>>(
        this->tn_members(), this->get_group_linear_id(), this->get_group_linear_range());
  }
  std::uint32_t tn_lane_of(std::uint32_t number) const noexcept {
    return sycl::detail::lowest_bit(this->tn_members()) +
           (number & static_cast<std::uint32_t>(ChunkSize - 1));
  }

 private:
  friend struct sycl::detail::member_group_maker;
  using sycl::detail::member_group::member_group;
};

template <class ParentGroup>
class tangle : public sycl::detail::member_group {
  friend struct sycl::detail::member_group_maker;
  using sycl::detail::member_group::member_group;
};

// The names of sycl_ext_oneapi_non_uniform_groups.
template <std::size_t PartitionSize, class ParentGroup>
using fixed_size_group = chunk<PartitionSize, ParentGroup>;
template <class ParentGroup>
using ballot_group = fragment<ParentGroup>;
template <class ParentGroup>
using tangle_group = tangle<ParentGroup>;

}  // namespace sycl::ext::oneapi::experimental

namespace sycl {

#define TN_SYCL_COMMA ,
#define TN_SYCL_MEMBER_GROUP(parameters, ...)       \
  template <parameters>                             \
  struct is_group<__VA_ARGS__> : std::true_type {}; \
  template <parameters>                             \
  inline constexpr bool detail::is_member_group<__VA_ARGS__> = true;
TN_SYCL_MEMBER_GROUP(std::size_t Size TN_SYCL_COMMA class Parent,
                     ext::oneapi::experimental::chunk<Size, Parent>)
TN_SYCL_MEMBER_GROUP(class Parent, ext::oneapi::experimental::fragment<Parent>)
TN_SYCL_MEMBER_GROUP(class Parent, ext::oneapi::experimental::tangle<Parent>)
#undef TN_SYCL_MEMBER_GROUP
#undef TN_SYCL_COMMA

namespace detail {
template <class Group>
inline constexpr bool is_chunk = false;
template <std::size_t Size, class Parent>
inline constexpr bool is_chunk<ext::oneapi::experimental::chunk<Size, Parent>> = true;
template <class Group>
inline constexpr bool is_fragment = false;
template <class Parent>
inline constexpr bool is_fragment<ext::oneapi::experimental::fragment<Parent>> = true;
template <class Group>
using if_member_group = std::enable_if_t<is_member_group<std::decay_t<Group>>, int>;
template <class Group>
using if_parent = std::enable_if_t<is_sub_group<Group> || is_chunk<Group>, int>;
template <class Group>
using if_parent_of_fragments =
    std::enable_if_t<is_sub_group<Group> || is_chunk<Group> || is_fragment<Group>, int>;
}  // namespace detail

namespace ext::oneapi::experimental {

// The sub-group's size is a multiple of the chunk's. All work-items of the parent call these.
template <std::size_t ChunkSize, class ParentGroup, sycl::detail::if_parent<ParentGroup> = 0>
chunk<ChunkSize, ParentGroup> chunked_partition(ParentGroup parent) noexcept {
  static_assert(ChunkSize > 0 && ChunkSize <= 64 && (ChunkSize & (ChunkSize - 1)) == 0,
                "the size of a chunk is a power of two, at most 64");
  constexpr auto size = static_cast<std::uint32_t>(ChunkSize);
  constexpr std::uint64_t all = ~std::uint64_t{0} >> (64 - size);
  const std::uint32_t place = sycl::detail::lane() / size;
  return sycl::detail::member_group_maker::make<chunk<ChunkSize, ParentGroup>>(
      all << (place * size), place - sycl::detail::first_lane_of(parent) / size,
      static_cast<std::uint32_t>(parent.get_local_linear_range()) / size);
}
template <class ParentGroup, sycl::detail::if_parent_of_fragments<ParentGroup> = 0>
fragment<ParentGroup> binary_partition(ParentGroup parent, bool predicate) noexcept {
  const std::uint64_t all = sycl::detail::members_of(parent);
  const std::uint64_t true_ones = sycl::detail::member_ballot(all, predicate);
  return sycl::detail::member_group_maker::make<fragment<ParentGroup>>(
      predicate ? true_ones : all & ~true_ones, predicate ? 1 : 0, 2);
}
// Those that are here: work-items of a branch that others did not take.
template <class ParentGroup, std::enable_if_t<sycl::detail::is_sub_group<ParentGroup>, int> = 0>
tangle<ParentGroup> entangle(ParentGroup) noexcept {
  return sycl::detail::member_group_maker::make<tangle<ParentGroup>>(sycl::detail::members_here(),
                                                                     0, 1);
}

template <std::size_t PartitionSize, class ParentGroup, sycl::detail::if_parent<ParentGroup> = 0>
fixed_size_group<PartitionSize, ParentGroup> get_fixed_size_group(ParentGroup group) noexcept {
  return chunked_partition<PartitionSize>(group);
}
template <class ParentGroup, sycl::detail::if_parent_of_fragments<ParentGroup> = 0>
ballot_group<ParentGroup> get_ballot_group(ParentGroup group, bool predicate) noexcept {
  return binary_partition(group, predicate);
}
template <class ParentGroup, sycl::detail::if_parent<ParentGroup> = 0>
tangle_group<ParentGroup> get_tangle_group(ParentGroup group) noexcept {
  return entangle(group);
}

template <class T>
struct is_fixed_topology_group
    : std::bool_constant<is_group_v<T> && !sycl::detail::is_member_group<T>> {};
template <class T>
struct is_user_constructed_group : std::bool_constant<sycl::detail::is_member_group<T>> {};
template <class T>
inline constexpr bool is_fixed_topology_group_v = is_fixed_topology_group<T>::value;
template <class T>
inline constexpr bool is_user_constructed_group_v = is_user_constructed_group<T>::value;

}  // namespace ext::oneapi::experimental

template <class Group, detail::if_member_group<Group> = 0>
void group_barrier(Group g, memory_scope fenceScope = Group::fence_scope) noexcept {
  detail::member_barrier(g.tn_members(), fenceScope);
}

template <class Group, class T, detail::if_member_group<Group> = 0>
T select_from_group(Group g, T x, typename Group::id_type remote_local_id) noexcept {
  return detail::member_shuffle(g.tn_members(), x,
                                g.tn_lane_of(static_cast<std::uint32_t>(remote_local_id[0])));
}
template <class Group, class T, detail::if_member_group<Group> = 0>
T group_broadcast(Group g, T x, typename Group::linear_id_type local_linear_id) noexcept {
  return detail::member_shuffle(g.tn_members(), x, g.tn_lane_of(local_linear_id));
}
template <class Group, class T, detail::if_member_group<Group> = 0>
T group_broadcast(Group g, T x, typename Group::id_type local_id) noexcept {
  return select_from_group(g, x, local_id);
}
template <class Group, class T, detail::if_member_group<Group> = 0>
T group_broadcast(Group g, T x) noexcept {
  return detail::member_shuffle(g.tn_members(), x, detail::lowest_bit(g.tn_members()));
}
// Values from beyond the ends of the group are unspecified.
template <class Group, class T, detail::if_member_group<Group> = 0>
T shift_group_left(Group g, T x, typename Group::linear_id_type delta = 1) noexcept {
  return detail::member_shuffle(g.tn_members(), x, g.tn_lane_of(g.get_local_linear_id() + delta));
}
template <class Group, class T, detail::if_member_group<Group> = 0>
T shift_group_right(Group g, T x, typename Group::linear_id_type delta = 1) noexcept {
  const std::uint32_t number = g.get_local_linear_id();
  return detail::member_shuffle(g.tn_members(), x,
                                g.tn_lane_of(number < delta ? number : number - delta));
}
template <class Group, class T, detail::if_member_group<Group> = 0>
T permute_group_by_xor(Group g, T x, typename Group::linear_id_type mask) noexcept {
  return detail::member_shuffle(g.tn_members(), x, g.tn_lane_of(g.get_local_linear_id() ^ mask));
}

template <class Group, detail::if_member_group<Group> = 0>
bool any_of_group(Group g, bool pred) noexcept {
  return (detail::member_ballot(g.tn_members(), pred) & g.tn_members()) != 0;
}
template <class Group, detail::if_member_group<Group> = 0>
bool all_of_group(Group g, bool pred) noexcept {
  return !any_of_group(g, !pred);
}
template <class Group, detail::if_member_group<Group> = 0>
bool none_of_group(Group g, bool pred) noexcept {
  return !any_of_group(g, pred);
}
template <class Group, class T, class Predicate, detail::if_member_group<Group> = 0>
bool any_of_group(Group g, T x, Predicate pred) {
  return any_of_group(g, static_cast<bool>(pred(x)));
}
template <class Group, class T, class Predicate, detail::if_member_group<Group> = 0>
bool all_of_group(Group g, T x, Predicate pred) {
  return all_of_group(g, static_cast<bool>(pred(x)));
}
template <class Group, class T, class Predicate, detail::if_member_group<Group> = 0>
bool none_of_group(Group g, T x, Predicate pred) {
  return none_of_group(g, static_cast<bool>(pred(x)));
}

namespace detail {
// The values of all members in order, and of those up to the calling one.
template <class T>
struct member_totals {
  T all, up_to_here, before;  // before: any value in the first member
};
template <class Group, class T, class Operation>
member_totals<T> combine_members(const Group &g, const T &x, const Operation &operation) {
  const std::uint64_t members = g.tn_members();
  const std::uint32_t here = lane();
  std::uint32_t at = lowest_bit(members);
  const T first = member_shuffle(members, x, at);
  member_totals<T> totals = {first, first, first};
  for (std::uint64_t rest = members & (members - 1); rest != 0; rest &= rest - 1) {
    at = lowest_bit(rest);
    const T value = member_shuffle(members, x, at);
    if (at == here) {
      totals.before = totals.all;
    }
    totals.all = static_cast<T>(operation(totals.all, value));
    if (at == here) {
      totals.up_to_here = totals.all;
    }
  }
  return totals;
}
}  // namespace detail

template <class Group, class T, class BinaryOperation, detail::if_member_group<Group> = 0>
T reduce_over_group(Group g, T x, BinaryOperation binary_op) {
  detail::check_operation<T, BinaryOperation>();
  return detail::combine_members(g, x, binary_op).all;
}
template <class Group, class V, class T, class BinaryOperation, detail::if_member_group<Group> = 0>
T reduce_over_group(Group g, V x, T init, BinaryOperation binary_op) {
  return binary_op(init, reduce_over_group(g, T(x), binary_op));
}
template <class Group, class T, class BinaryOperation, detail::if_member_group<Group> = 0>
T inclusive_scan_over_group(Group g, T x, BinaryOperation binary_op) {
  detail::check_operation<T, BinaryOperation>();
  return detail::combine_members(g, x, binary_op).up_to_here;
}
template <class Group, class V, class BinaryOperation, class T, detail::if_member_group<Group> = 0>
T inclusive_scan_over_group(Group g, V x, BinaryOperation binary_op, T init) {
  return binary_op(init, inclusive_scan_over_group(g, T(x), binary_op));
}
template <class Group, class T, class BinaryOperation, detail::if_member_group<Group> = 0>
T exclusive_scan_over_group(Group g, T x, BinaryOperation binary_op) {
  detail::check_operation<T, BinaryOperation>();
  detail::check_identity<T, BinaryOperation>();
  const T before = detail::combine_members(g, x, binary_op).before;
  return g.leader() ? known_identity_v<BinaryOperation, T> : before;
}
template <class Group, class V, class T, class BinaryOperation, detail::if_member_group<Group> = 0>
T exclusive_scan_over_group(Group g, V x, T init, BinaryOperation binary_op) {
  detail::check_operation<T, BinaryOperation>();
  const T before = detail::combine_members(g, T(x), binary_op).before;
  return g.leader() ? init : static_cast<T>(binary_op(init, before));
}

}  // namespace sycl

#endif
