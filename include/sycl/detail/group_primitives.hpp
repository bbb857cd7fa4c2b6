// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What group functions are made of: barriers, shuffles, ballots, the work-group's scratch memory.
// On the host, where nobody calls them, a group has one work-item. Source: design 3.6; SYCL 2020
// section 4.17.1.
#ifndef TENON_SYCL_DETAIL_GROUP_PRIMITIVES_HPP
#define TENON_SYCL_DETAIL_GROUP_PRIMITIVES_HPP

#include <sycl/detail/device_builtins.hpp>
#include <sycl/detail/macros.hpp>
#include <sycl/memory_enums.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sycl {

template <int Dimensions>
class group;
class sub_group;

template <class T>
struct is_group : std::false_type {};
template <int Dimensions>
struct is_group<group<Dimensions>> : std::true_type {};
template <>
struct is_group<sub_group> : std::true_type {};
template <class T>
inline constexpr bool is_group_v = is_group<T>::value;

}  // namespace sycl

namespace sycl::detail {

// Of some work-items of a sub-group; sycl/ext/oneapi/experimental/non_uniform_groups.hpp has their
// group functions.
template <class Group>
inline constexpr bool is_member_group = false;
template <class Group>
using if_group = std::enable_if_t<
    is_group_v<std::decay_t<Group>> && !is_member_group<std::decay_t<Group>>, int>;
template <class Group>
inline constexpr bool is_sub_group = std::is_same_v<std::decay_t<Group>, sub_group>;

#ifdef __SYCL_DEVICE_ONLY__
#define TN_SYCL_ON_DEVICE(on_device, on_host) on_device
#else
#define TN_SYCL_ON_DEVICE(on_device, on_host) on_host
#endif

inline std::uint32_t lane() noexcept {
  return TN_SYCL_ON_DEVICE(__spirv_BuiltInSubgroupLocalInvocationId(), 0);
}
inline std::uint32_t lane_count() noexcept {
  return TN_SYCL_ON_DEVICE(__spirv_BuiltInSubgroupSize(), 1);
}
inline std::uint32_t max_lane_count() noexcept {
  return TN_SYCL_ON_DEVICE(__spirv_BuiltInSubgroupMaxSize(), 1);
}
inline std::uint32_t sub_group_index() noexcept {
  return TN_SYCL_ON_DEVICE(__spirv_BuiltInSubgroupId(), 0);
}
inline std::uint32_t sub_group_count() noexcept {
  return TN_SYCL_ON_DEVICE(__spirv_BuiltInNumSubgroups(), 1);
}
// Of the work-items that there are, which is one in hierarchical kernels.
inline std::size_t physical_local_size() noexcept {
  return TN_SYCL_ON_DEVICE(__spirv_BuiltInWorkgroupSize(0) * __spirv_BuiltInWorkgroupSize(1) *
                               __spirv_BuiltInWorkgroupSize(2),
                           1);
}
inline std::size_t physical_local_index() noexcept {
  return TN_SYCL_ON_DEVICE((__spirv_BuiltInLocalInvocationId(2) * __spirv_BuiltInWorkgroupSize(1) +
                            __spirv_BuiltInLocalInvocationId(1)) *
                                   __spirv_BuiltInWorkgroupSize(0) +
                               __spirv_BuiltInLocalInvocationId(0),
                           0);
}

// SPIR-V's numbers; acquire and release of local and global memory.
enum : int { scope_work_group = 2, scope_sub_group = 3, barrier_semantics = 0x308 };
constexpr int spirv_scope(memory_scope scope) noexcept { return 4 - static_cast<int>(scope); }

TN_SYCL_CHECKS inline void work_group_barrier(memory_scope fence) noexcept {
  static_cast<void>(fence);
  TN_SYCL_ON_DEVICE(
      __spirv_ControlBarrier(scope_work_group, spirv_scope(fence), barrier_semantics), );
}
inline void sub_group_barrier(memory_scope fence) noexcept {
  static_cast<void>(fence);
  TN_SYCL_ON_DEVICE(
      __spirv_ControlBarrier(scope_sub_group, spirv_scope(fence), barrier_semantics), );
}

inline std::uint32_t shuffle_word(std::uint32_t word, std::uint32_t from) noexcept {
  static_cast<void>(from);
  return TN_SYCL_ON_DEVICE(__spirv_GroupNonUniformShuffle(scope_sub_group, word, from), word);
}
inline std::uint64_t shuffle_word(std::uint64_t word, std::uint32_t from) noexcept {
  static_cast<void>(from);
  return TN_SYCL_ON_DEVICE(__spirv_GroupNonUniformShuffle(scope_sub_group, word, from), word);
}
// For which work-items of the sub-group it is true; bit i is work-item i.
inline std::uint64_t ballot(bool value) noexcept {
  return TN_SYCL_ON_DEVICE(__tenon_sub_group_ballot(value), value);
}

#undef TN_SYCL_ON_DEVICE

// What the word of a shuffle's source is counted from.
enum class shuffle_kind { index, mask, up, down };
template <shuffle_kind Kind, class Word>
Word shuffle_word_by(Word word, std::uint32_t number) noexcept {
#ifdef __NVPTX__
  if constexpr (Kind == shuffle_kind::mask) {
    return __spirv_GroupNonUniformShuffleXor(scope_sub_group, word, number);
  } else if constexpr (Kind == shuffle_kind::up) {
    return __spirv_GroupNonUniformShuffleUp(scope_sub_group, word, number);
  } else if constexpr (Kind == shuffle_kind::down) {
    return __spirv_GroupNonUniformShuffleDown(scope_sub_group, word, number);
  }
#elif defined(__SPIRV__)
  // SPIR-V's result is undefined then, and all that is computed from it may become so.
  number = number < lane_count() ? number : lane();
#endif
  return shuffle_word(word, number);
}

// Storage for a T that needs no default constructor.
template <class T>
union uninitialized {
  static_assert(std::is_trivially_destructible_v<T>,
                "group functions take types that are device copyable");
  uninitialized() noexcept {}
  T value;
};

template <std::size_t Size>
struct word_of_size {
  using type = std::conditional_t<
      Size % 8 == 0, std::uint64_t,
      std::conditional_t<Size % 4 == 0, std::uint32_t,
                         std::conditional_t<Size % 2 == 0, std::uint16_t, std::uint8_t>>>;
};

template <shuffle_kind Kind, class T>
T shuffle_by(const T &value, std::uint32_t number) noexcept {
  using word = typename word_of_size<sizeof(T)>::type;
  using carrier = std::conditional_t<sizeof(word) == 8, std::uint64_t, std::uint32_t>;
  if constexpr (std::is_trivially_copyable_v<T> && sizeof(word) == sizeof(T)) {
    const carrier bits = __builtin_bit_cast(word, value);
    return __builtin_bit_cast(T, static_cast<word>(shuffle_word_by<Kind>(bits, number)));
  } else {
    word words[sizeof(T) / sizeof(word)];
    __builtin_memcpy(words, static_cast<const void *>(&value), sizeof(T));
    for (word &each : words) {
      each = static_cast<word>(shuffle_word_by<Kind>(static_cast<carrier>(each), number));
    }
    uninitialized<T> result;
    __builtin_memcpy(static_cast<void *>(&result), words, sizeof(T));
    return result.value;
  }
}

// The value that the work-item `from` of the sub-group has; any value when there is no such
// work-item.
template <class T>
T shuffle(const T &value, std::uint32_t from) noexcept {
  return shuffle_by<shuffle_kind::index>(value, from);
}
// Of the work-item whose number differs in the bits of the mask.
template <class T>
T shuffle_xor(const T &value, std::uint32_t mask) noexcept {
#ifdef __NVPTX__
  return shuffle_by<shuffle_kind::mask>(value, mask);
#else
  return shuffle(value, lane() ^ mask);
#endif
}
// Of the work-item that is so far before this one; any value where there is none.
template <class T>
T shuffle_up(const T &value, std::uint32_t distance) noexcept {
#ifdef __NVPTX__
  return shuffle_by<shuffle_kind::up>(value, distance);
#else
  return shuffle(value, lane() - distance);
#endif
}
template <class T>
T shuffle_down(const T &value, std::uint32_t distance) noexcept {
#ifdef __NVPTX__
  return shuffle_by<shuffle_kind::down>(value, distance);
#else
  return shuffle(value, lane() + distance);
#endif
}

// A work-group's exchange of one T from each sub-group: the place of sub-group `index`.
inline constexpr std::size_t scratch_size = 64;
inline unsigned char *scratch(std::size_t index) noexcept {
#ifdef __SYCL_DEVICE_ONLY__
  return static_cast<unsigned char *>(__tenon_group_scratch()) + index * scratch_size;
#else
  static_cast<void>(index);
  return nullptr;
#endif
}

// The value of the work-item for which `is_source` is true, in all work-items of the work-group.
template <class T>
T work_group_broadcast(const T &value, bool is_source) noexcept {
  uninitialized<T> result;
  const auto *from = reinterpret_cast<const unsigned char *>(&value);
  auto *to = reinterpret_cast<unsigned char *>(&result);
  for (std::size_t at = 0; at < sizeof(T); at += scratch_size) {
    const std::size_t size = sizeof(T) - at < scratch_size ? sizeof(T) - at : scratch_size;
    if (is_source) {
      __builtin_memcpy(scratch(0), from + at, size);
    }
    work_group_barrier(memory_scope::work_group);
    __builtin_memcpy(to + at, scratch(0), size);
    work_group_barrier(memory_scope::work_group);
  }
  return result.value;
}

// Of a type, so that its alignment is known. The partials of sub-groups lie side by side on GPUs,
// whose lanes read them together.
template <class T>
struct alignas(alignof(T)) partial_bytes {
  unsigned char bytes[TN_SYCL_ON_GPU || sizeof(T) > scratch_size ? sizeof(T) : scratch_size];
};
template <class T>
partial_bytes<T> &partial_place(std::size_t index) noexcept {
  return reinterpret_cast<partial_bytes<T> *>(scratch(0))[index];
}
template <class T>
T load_partial(std::size_t index) noexcept {
  uninitialized<T> partial;
  __builtin_memcpy(static_cast<void *>(&partial), partial_place<T>(index).bytes, sizeof(T));
  return partial.value;
}
template <class T>
void store_partial(std::size_t index, const T &value) noexcept {
  __builtin_memcpy(partial_place<T>(index).bytes, static_cast<const void *>(&value), sizeof(T));
}

template <class T>
struct prefixes {
  T before;  // of the sub-groups before the calling work-item's; any value in the first
  T total;
};

// Combines what the first work-item of each sub-group has, in order; once for the whole work-group,
// because all its sub-groups may share a core.
template <class T, class Operation>
prefixes<T> combine_partials(const T &mine, const Operation &operation) {
  const std::uint32_t count = sub_group_count();
  const std::uint32_t here = sub_group_index();
  if constexpr (sizeof(T) <= scratch_size && TN_SYCL_ON_GPU) {
    // Work-items do this side by side: no second barrier is needed before they read.
    if (lane() == 0) {
      store_partial(here, mine);
    }
    work_group_barrier(memory_scope::work_group);
    prefixes<T> found = {load_partial<T>(0), load_partial<T>(0)};
#pragma clang loop unroll(disable)
    for (std::uint32_t i = 1; i < count; ++i) {
      if (i == here) {
        found.before = found.total;
      }
      found.total = operation(found.total, load_partial<T>(i));
    }
    work_group_barrier(memory_scope::work_group);
    return found;
  } else if constexpr (sizeof(T) <= scratch_size) {
    if (lane() == 0) {
      store_partial(here, mine);
    }
    work_group_barrier(memory_scope::work_group);
    if (here == 0 && lane() == 0) {
      T total = load_partial<T>(0);
      for (std::uint32_t i = 1; i < count; ++i) {
        total = operation(total, load_partial<T>(i));
        store_partial(i, total);
      }
    }
    work_group_barrier(memory_scope::work_group);
    const prefixes<T> found = {load_partial<T>(here > 0 ? here - 1 : 0),
                               load_partial<T>(count - 1)};
    work_group_barrier(memory_scope::work_group);
    return found;
  } else {
    prefixes<T> found = {mine, mine};
    for (std::uint32_t i = 0; i < count; ++i) {
      const T partial = work_group_broadcast(mine, lane() == 0 && here == i);
      if (i == here) {
        found.before = found.total;
      }
      found.total = i == 0 ? partial : static_cast<T>(operation(found.total, partial));
    }
    return found;
  }
}

}  // namespace sycl::detail

#endif
