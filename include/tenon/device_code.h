// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code in C: kernels, and what they ask of the device. A kernel is a function marked
// TN_KERNEL, whose arguments are by value:
//
//   TN_KERNEL void scale(float *data, float by) { data[tn_global_id(0)] *= by; }
//
// It returns void and is launched, never called; "scale" is its name. Functions of the same source
// that it calls need no mark. C17, without recursion, function pointers, allocation, or variables
// that change but those marked TN_DEVICE_GLOBAL. In the argument block of tn_command the arguments
// lie one behind the other as members of a struct would (tn_kernel_arg_at).
//
// This header includes no other. For what is compiled at run time (tenon/rtc.h, TN_SOURCE_C) and
// for sources of both worlds: where __TENON_DEVICE_ONLY__ is not defined, the functions are there
// to be compiled only, as if for one work-item.
#ifndef TENON_DEVICE_CODE_H
#define TENON_DEVICE_CODE_H

#ifdef __cplusplus
#error "tenon/device_code.h is for C; kernels in C++ are SYCL's: #include <sycl/sycl.hpp>"
#endif

typedef __SIZE_TYPE__ size_t;

#ifdef __TENON_DEVICE_ONLY__
// Where TN_KERNEL stands, clang would tell users of an attribute that is its own.
#pragma clang diagnostic ignored "-Wgcc-compat"
// All annotations have a number: clang makes a bad list of them for some devices otherwise.
#define TN_KERNEL                                                      \
  __attribute__((__device_kernel__, __annotate__("tenon-c-kernel", 1), \
                 __diagnose_if__(1, "a kernel is launched, never called", "error")))
// At a function: kernels of other sources and of shared libraries may call it, and where it is only
// declared, one of them defines it.
#define TN_DEVICE __attribute__((__annotate__("tenon.sycl_external", 1)))
// At a variable at file scope: each device has one, which kernels may change and which lasts from
// kernel to kernel; the program finds it by its name (tn_bundle_find_device_global).
#ifdef __TENON_RTC__
#define TN_DEVICE_GLOBAL __attribute__((__annotate__("tenon.device_global", 1)))
#endif
// At a pointer argument of a kernel: local memory, of which each work-group has its own. At the
// launch tn_command.locals says how much.
#define TN_LOCAL __attribute__((__annotate__("tenon-local")))
// At a kernel: the only size of work-groups it can be launched with, 1 to 3 sizes in the order of
// tn_command.local; and the only size of its sub-groups.
#define TN_GROUP_SIZE(...) __attribute__((__annotate__("tenon.reqd_work_group_size", __VA_ARGS__)))
#define TN_SUB_GROUP_SIZE(size) __attribute__((__annotate__("tenon.reqd_sub_group_size", size)))

#define TN_DEVICE_QUERY(type, name, ...) \
  __attribute__((__overloadable__, __const__)) type __spirv_BuiltIn##name(__VA_ARGS__);
TN_DEVICE_QUERY(size_t, GlobalInvocationId, int)
TN_DEVICE_QUERY(size_t, GlobalSize, int)
TN_DEVICE_QUERY(size_t, GlobalOffset, int)
TN_DEVICE_QUERY(size_t, NumWorkgroups, int)
TN_DEVICE_QUERY(size_t, WorkgroupSize, int)
TN_DEVICE_QUERY(size_t, WorkgroupId, int)
TN_DEVICE_QUERY(size_t, LocalInvocationId, int)
TN_DEVICE_QUERY(unsigned, SubgroupSize, void)
TN_DEVICE_QUERY(unsigned, SubgroupMaxSize, void)
TN_DEVICE_QUERY(unsigned, NumSubgroups, void)
TN_DEVICE_QUERY(unsigned, SubgroupId, void)
TN_DEVICE_QUERY(unsigned, SubgroupLocalInvocationId, void)
#undef TN_DEVICE_QUERY
__attribute__((__overloadable__)) void __spirv_ControlBarrier(int execution, int memory,
                                                              int semantics);
__attribute__((__overloadable__)) void __spirv_MemoryBarrier(int memory, int semantics);
#define TN_ON_DEVICE(on_device, on_host) on_device

#else
#define TN_KERNEL __attribute__((__unused__)) static inline
#define TN_DEVICE
#define TN_LOCAL
#define TN_GROUP_SIZE(...)
#define TN_SUB_GROUP_SIZE(size)
#define TN_ON_DEVICE(on_device, on_host) on_host
#endif

#ifndef TN_DEVICE_GLOBAL
#define TN_DEVICE_GLOBAL \
  _Static_assert(0, "TN_DEVICE_GLOBAL is for sources that are compiled at run time");
#endif

// Barriers and ids have to be where the caller is.
#define TN_DEVICE_INLINE static inline __attribute__((__always_inline__, __unused__))

// Of the calling work-item. Dimension 0 varies fastest: it is the last one of tn_command.global.
#define TN_DEVICE_ID(name, query, otherwise)            \
  TN_DEVICE_INLINE size_t name(int dimension) {         \
    (void)dimension;                                    \
    return TN_ON_DEVICE(query(dimension), (otherwise)); \
  }
TN_DEVICE_ID(tn_global_id, __spirv_BuiltInGlobalInvocationId, 0)
TN_DEVICE_ID(tn_global_size, __spirv_BuiltInGlobalSize, 1)
TN_DEVICE_ID(tn_global_offset, __spirv_BuiltInGlobalOffset, 0)
TN_DEVICE_ID(tn_local_id, __spirv_BuiltInLocalInvocationId, 0)
TN_DEVICE_ID(tn_local_size, __spirv_BuiltInWorkgroupSize, 1)
TN_DEVICE_ID(tn_group_id, __spirv_BuiltInWorkgroupId, 0)
TN_DEVICE_ID(tn_group_count, __spirv_BuiltInNumWorkgroups, 1)
#undef TN_DEVICE_ID

#define TN_DEVICE_NUMBER(name, query, otherwise) \
  TN_DEVICE_INLINE unsigned name(void) { return TN_ON_DEVICE(query(), (otherwise)); }
TN_DEVICE_NUMBER(tn_sub_group_id, __spirv_BuiltInSubgroupId, 0)  // in the work-group
TN_DEVICE_NUMBER(tn_sub_group_count, __spirv_BuiltInNumSubgroups, 1)
TN_DEVICE_NUMBER(tn_sub_group_local_id, __spirv_BuiltInSubgroupLocalInvocationId, 0)
TN_DEVICE_NUMBER(tn_sub_group_size, __spirv_BuiltInSubgroupSize, 1)
TN_DEVICE_NUMBER(tn_sub_group_max_size, __spirv_BuiltInSubgroupMaxSize, 1)
#undef TN_DEVICE_NUMBER

// All work-items of the work-group, or of the sub-group, come to it before one goes on; what they
// wrote to local and global memory before is seen after.
TN_DEVICE_INLINE void tn_barrier(void) {
  TN_ON_DEVICE(__spirv_ControlBarrier(2, 2, 0x308), (void)0);
}
TN_DEVICE_INLINE void tn_sub_group_barrier(void) {
  TN_ON_DEVICE(__spirv_ControlBarrier(3, 3, 0x308), (void)0);
}

// For NVIDIA's GPUs clang has no scopes: a volatile pointer says that the device's is meant.
#if defined(__TENON_DEVICE_ONLY__) && defined(__NVPTX__)
#define TN_DEVICE_SCOPED(pointer) ((volatile __typeof__(*(pointer)) *)(pointer))
#else
#define TN_DEVICE_SCOPED(pointer) (pointer)
#endif
#if defined(__TENON_DEVICE_ONLY__) && \
    (defined(__NVPTX__) || defined(__AMDGCN__) || defined(__SPIRV__))
#define TN_DEVICE_ATOMIC(name, ...) \
  __scoped_atomic_##name(__VA_ARGS__, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define TN_DEVICE_SWAP(pointer, expected, desired)                                    \
  __scoped_atomic_compare_exchange_n(pointer, expected, desired, 0, __ATOMIC_RELAXED, \
                                     __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#else
#define TN_DEVICE_ATOMIC(name, ...) __atomic_##name(__VA_ARGS__, __ATOMIC_RELAXED)
#define TN_DEVICE_SWAP(pointer, expected, desired) \
  __atomic_compare_exchange_n(pointer, expected, desired, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#endif

// What the work-item wrote before is seen by others of the device that see what it writes after.
TN_DEVICE_INLINE void tn_fence(void) {
#if defined(__TENON_DEVICE_ONLY__) && defined(__NVPTX__)
  __spirv_MemoryBarrier(1, 0x308);
#elif defined(__TENON_DEVICE_ONLY__) && (defined(__AMDGCN__) || defined(__SPIRV__))
  __scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
#else
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
#endif
}

// For all work-items of the device, without order (tn_fence). `pointer` is to an integer of 4 or 8
// bytes in global or local memory; add, sub, min and max also to float and double. What was there
// before is returned; swap returns whether *pointer was *expected, which gets what was there.
#define tn_atomic_load(pointer) TN_DEVICE_ATOMIC(load_n, TN_DEVICE_SCOPED(pointer))
#define tn_atomic_store(pointer, value) TN_DEVICE_ATOMIC(store_n, TN_DEVICE_SCOPED(pointer), value)
#define tn_atomic_exchange(pointer, value) \
  TN_DEVICE_ATOMIC(exchange_n, TN_DEVICE_SCOPED(pointer), value)
#define tn_atomic_swap(pointer, expected, desired) \
  TN_DEVICE_SWAP(TN_DEVICE_SCOPED(pointer), expected, desired)
#define tn_atomic_add(pointer, value) TN_DEVICE_ATOMIC(fetch_add, TN_DEVICE_SCOPED(pointer), value)
#define tn_atomic_sub(pointer, value) TN_DEVICE_ATOMIC(fetch_sub, TN_DEVICE_SCOPED(pointer), value)
#define tn_atomic_min(pointer, value) TN_DEVICE_ATOMIC(fetch_min, TN_DEVICE_SCOPED(pointer), value)
#define tn_atomic_max(pointer, value) TN_DEVICE_ATOMIC(fetch_max, TN_DEVICE_SCOPED(pointer), value)
#define tn_atomic_and(pointer, value) TN_DEVICE_ATOMIC(fetch_and, TN_DEVICE_SCOPED(pointer), value)
#define tn_atomic_or(pointer, value) TN_DEVICE_ATOMIC(fetch_or, TN_DEVICE_SCOPED(pointer), value)
#define tn_atomic_xor(pointer, value) TN_DEVICE_ATOMIC(fetch_xor, TN_DEVICE_SCOPED(pointer), value)

// Mathematics has C's names, as in <math.h>: sin for double, sinf for float.
#define TN_DEVICE_MATH_1(X)                                                                      \
  X(acos)                                                                                        \
  X(acosh)                                                                                       \
  X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(exp2) \
      X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(logb) X(nearbyint)  \
          X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define TN_DEVICE_MATH_2(X) \
  X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)
#define TN_DEVICE_DECLARE_1(name) \
  double name(double);            \
  float name##f(float);
#define TN_DEVICE_DECLARE_2(name) \
  double name(double, double);    \
  float name##f(float, float);
TN_DEVICE_MATH_1(TN_DEVICE_DECLARE_1)
TN_DEVICE_MATH_2(TN_DEVICE_DECLARE_2)
double fma(double, double, double);
float fmaf(float, float, float);
double ldexp(double, int);
float ldexpf(float, int);
int ilogb(double);
int ilogbf(float);
#undef TN_DEVICE_DECLARE_1
#undef TN_DEVICE_DECLARE_2
#undef TN_DEVICE_MATH_1
#undef TN_DEVICE_MATH_2

#endif
