// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code asks of its device: functions that the lowering for each target replaces.
// Source: SPIR-V specification (built-in variables, barriers, non-uniform group operations).
#ifndef TENON_SYCL_DETAIL_DEVICE_BUILTINS_HPP
#define TENON_SYCL_DETAIL_DEVICE_BUILTINS_HPP

#include <cstddef>
#include <cstdint>

#ifdef __SYCL_DEVICE_ONLY__

// The argument is SPIR-V's dimension: 0 varies fastest, and is SYCL's last.
#define TN_SYCL_BUILTIN(name)                                                                 \
  [[_Clang::__sycl_external__]] __attribute__((__const__)) std::size_t __spirv_BuiltIn##name( \
      int) noexcept
TN_SYCL_BUILTIN(GlobalInvocationId);
TN_SYCL_BUILTIN(GlobalSize);
TN_SYCL_BUILTIN(GlobalOffset);
TN_SYCL_BUILTIN(NumWorkgroups);
TN_SYCL_BUILTIN(WorkgroupSize);
TN_SYCL_BUILTIN(WorkgroupId);
TN_SYCL_BUILTIN(LocalInvocationId);
#undef TN_SYCL_BUILTIN

// Of the calling work-item's sub-group. Size is how many work-items it has, MaxSize the most that
// one of this kernel's has.
#define TN_SYCL_BUILTIN(name)                                            \
  [[_Clang::__sycl_external__]] __attribute__((__const__)) std::uint32_t \
  __spirv_BuiltIn##name() noexcept
TN_SYCL_BUILTIN(SubgroupSize);
TN_SYCL_BUILTIN(SubgroupMaxSize);
TN_SYCL_BUILTIN(NumSubgroups);
TN_SYCL_BUILTIN(SubgroupId);
TN_SYCL_BUILTIN(SubgroupLocalInvocationId);
#undef TN_SYCL_BUILTIN

// Scopes are SPIR-V's: 0 all devices, 1 device, 2 work-group, 3 sub-group, 4 work-item. Semantics
// are SPIR-V's bits; 0x2 acquire, 0x4 release, 0x8 acquire-release, 0x10 sequentially consistent,
// 0x100 local memory, 0x200 global memory.
[[_Clang::__sycl_external__]] [[_Clang::__convergent__]] void __spirv_ControlBarrier(
    int execution, int memory, int semantics) noexcept;

// A fence.
[[_Clang::__sycl_external__]] void __spirv_MemoryBarrier(int memory, int semantics) noexcept;

// Sub-group operations, to be called by all work-items of the sub-group (3 is the scope).
// Work-items that are not there have any value in a shuffle, and false in a ballot (bit i:
// work-item i).
[[_Clang::__sycl_external__]] [[_Clang::__convergent__]] __attribute__((__const__)) std::uint32_t
__spirv_GroupNonUniformShuffle(int scope, std::uint32_t value, std::uint32_t id) noexcept;
[[_Clang::__sycl_external__]] [[_Clang::__convergent__]] __attribute__((__const__)) std::uint64_t
__spirv_GroupNonUniformShuffle(int scope, std::uint64_t value, std::uint32_t id) noexcept;
[[_Clang::__sycl_external__]] [[_Clang::__convergent__]] __attribute__((__const__)) std::uint64_t
__tenon_sub_group_ballot(bool value) noexcept;
#ifdef __SPIRV__
// Whether it is true in any work-item. A ballot has no bits for all of a larger sub-group.
[[_Clang::__sycl_external__]] [[_Clang::__convergent__]] __attribute__((__const__)) bool
__spirv_GroupAny(int scope, bool value) noexcept;
#endif
#ifdef __NVPTX__
// The value of the work-item whose number differs by `mask`, is higher or lower by `distance`; the
// own one where that would be beyond the ends.
#define TN_SYCL_SHUFFLE(name)                                                            \
  [[_Clang::__sycl_external__]] [[_Clang::__convergent__]] __attribute__((__const__))    \
  std::uint32_t __spirv_GroupNonUniformShuffle##name(int scope, std::uint32_t value,     \
                                                     std::uint32_t distance) noexcept;   \
  [[_Clang::__sycl_external__]] [[_Clang::__convergent__]] __attribute__((__const__))    \
  std::uint64_t __spirv_GroupNonUniformShuffle##name(int scope, std::uint64_t value,     \
                                                     std::uint32_t distance) noexcept;
TN_SYCL_SHUFFLE(Xor)
TN_SYCL_SHUFFLE(Up)
TN_SYCL_SHUFFLE(Down)
#undef TN_SYCL_SHUFFLE
// Of a whole sub-group, in all its work-items. The operation: 0 sum, 1 and, 2 or, 3 exclusive or, 4
// and 5 the least and the largest of signed numbers, 6 and 7 of unsigned ones.
[[_Clang::__sycl_external__]] [[_Clang::__convergent__]] __attribute__((__const__)) std::uint32_t
__tenon_sub_group_reduce(int operation, std::uint32_t value) noexcept;
// A barrier of the work-group: whether the value is true in any of its work-items.
[[_Clang::__sycl_external__]] [[_Clang::__convergent__]] bool __tenon_group_any(
    bool value) noexcept;
#endif

// On devices whose launches are whole groups of any size: true for work-items that a plain range of
// this many dimensions does not have. Kernels over an nd_range ask with the negative number, single
// tasks with 0. Asked once, with a constant, before all else; kernels that do not ask are taken for
// some over a plain range.
[[_Clang::__sycl_external__]] bool __tenon_is_outside(int dimensions) noexcept;

// The work-group's local memory as the launch laid it out; local accessors hold offsets in it.
[[_Clang::__sycl_external__]] __attribute__((__const__)) void *__tenon_local_memory() noexcept;
// Memory of the work-group for group functions: 64 bytes for each of its sub-groups, aligned to 64.
// Contents do not outlive the group function that uses it.
[[_Clang::__sycl_external__]] __attribute__((__const__, __assume_aligned__(64))) void *
__tenon_group_scratch() noexcept;
// Where the work-groups of a launch with use_root_sync wait for each other; NULL: they cannot.
[[_Clang::__sycl_external__]] __attribute__((__const__)) std::uint32_t *
__tenon_root_word() noexcept;
// Memory of the work-group that belongs to this call: every work-item of the group gets the same
// address, and calls in two places get two. Both arguments are constants.
[[_Clang::__sycl_external__]] [[_Clang::__convergent__]] void *__tenon_group_memory(
    std::size_t size, std::size_t alignment) noexcept;

// Whether memory that the work-item may access is in an address space, by SPIR-V's number of the
// storage class: 4 local, 5 global, 7 private. The null pointer is in any of them or in none.
[[_Clang::__sycl_external__]] __attribute__((__const__)) bool __tenon_is_in_space(
    const void *pointer, int storage_class) noexcept;

// An index of an accessor and what it has to be below, in one dimension (local accessors: plus 4).
// Nothing at all, unless kernels are built with checks: then an index that is too large is reported
// and the work-item goes no further.
[[_Clang::__sycl_external__]] void __tenon_check_index(std::size_t index, std::size_t bound,
                                                       int dimension) noexcept;
#define TN_SYCL_CHECK_INDEX(index, bound, dimension) __tenon_check_index(index, bound, dimension)
// Functions that check, and barriers: so that a report names the place that calls them.
#define TN_SYCL_CHECKS [[gnu::always_inline]]

#else
#define TN_SYCL_CHECK_INDEX(index, bound, dimension) static_cast<void>(0)
#define TN_SYCL_CHECKS
#endif
#endif
