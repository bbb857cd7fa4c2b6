// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ldg: a load of what no kernel writes while this one runs, through NVIDIA GPUs' read-only cache;
// elsewhere a load. Source: sycl_ext_oneapi_cuda_tex_cache_read.
#ifndef TENON_SYCL_EXT_ONEAPI_EXPERIMENTAL_CUDA_BUILTINS_HPP
#define TENON_SYCL_EXT_ONEAPI_EXPERIMENTAL_CUDA_BUILTINS_HPP

#include <type_traits>

namespace sycl::ext::oneapi::experimental::cuda {

// For numbers and vectors of them; other types are loaded as usual.
template <class T>
inline T ldg(const T *ptr) noexcept {
  static_assert(std::is_trivially_copyable_v<T>, "ldg: the type is copied byte by byte");
#ifdef __NVPTX__
  if constexpr (sizeof(T) == 1) {
    return __builtin_bit_cast(T, __nvvm_ldg_c(reinterpret_cast<const char *>(ptr)));
  } else if constexpr (sizeof(T) == 2 && alignof(T) == 2) {
    return __builtin_bit_cast(T, __nvvm_ldg_s(reinterpret_cast<const short *>(ptr)));
  } else if constexpr (sizeof(T) == 4 && alignof(T) == 4) {
    return __builtin_bit_cast(T, __nvvm_ldg_i(reinterpret_cast<const int *>(ptr)));
  } else if constexpr (sizeof(T) == 8 && alignof(T) == 8) {
    return __builtin_bit_cast(T, __nvvm_ldg_ll(reinterpret_cast<const long long *>(ptr)));
  } else if constexpr (sizeof(T) % 16 == 0 && alignof(T) % 16 == 0) {
    // LLVM takes loads of vectors apart and forgets what they were.
    struct {
      unsigned each[sizeof(T) / 4];
    } words;
    const auto *from = (const __attribute__((address_space(1))) char *)ptr;
    for (unsigned i = 0; i < sizeof(T) / 4; i += 4) {
      asm("ld.global.nc.v4.b32 {%0, %1, %2, %3}, [%4];"
          : "=r"(words.each[i]), "=r"(words.each[i + 1]), "=r"(words.each[i + 2]),
            "=r"(words.each[i + 3])
          : "l"(from + i * 4));
    }
    return __builtin_bit_cast(T, words);
  } else {
    return *ptr;
  }
#else
  return *ptr;
#endif
}

}  // namespace sycl::ext::oneapi::experimental::cuda

#endif
