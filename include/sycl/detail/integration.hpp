// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of kernels for a compiler that cannot ask clang for them: from the integration header
// that tenon++ writes from the device pass and has such a compiler include first.
//
// A kernel's name is its type's mangled one. The name of a class in a lambda has the lambda's
// number, which compilers count differently: names are compared without those numbers.
#ifndef TENON_SYCL_DETAIL_INTEGRATION_HPP
#define TENON_SYCL_DETAIL_INTEGRATION_HPP

#if defined(__TENON_INTEGRATION_HEADER__) && !defined(__SYCL_DEVICE_ONLY__)

#include <sycl/detail/check.hpp>
#include <sycl/detail/user_function.hpp>

#include <cstddef>
#include <cstdlib>
#include <cxxabi.h>
#include <string>
#include <typeinfo>

#ifndef __GXX_RTTI
#error "-fsycl-host-compiler takes kernels' names from run-time type information: drop -fno-rtti"
#endif

// Behind the kernel's name in the name of a function type, which stays in the object's symbols:
// there tenon++ reads which kernels the host's code launches, how large it makes their function
// objects, and where it puts captures.
template <unsigned long Size, unsigned long Alignment, long... Places>
struct __tenon_kernel;

namespace sycl::detail {

constexpr bool text_begins(const char *text, const char *with) noexcept {
  while (*with && *text == *with) {
    ++text;
    ++with;
  }
  return !*with;
}

// Whether the only type in the text of a function's template arguments is a closure type: not a
// class that lies in one, or that has one for an argument.
constexpr bool is_closure(const char *text) noexcept {
  bool is_last = false;
  for (; *text; ++text) {
    if (text_begins(text, "= (lambda at ")) {
      return true;
    }
    if (text_begins(text, "<lambda(")) {
      const char *at = text + 8;
      for (int open = 1; *at && open > 0; ++at) {
        open += (*at == '(') - (*at == ')');
      }
      is_last = text_begins(at, ">]");
    }
  }
  return is_last;
}

// Compares mangled names, up to the host's `end`, but for the numbers of lambdas (E<number>_).
inline bool is_same_name(const char *device, const char *host, const char *end) noexcept {
  const auto skip_number = [](const char *at) {
    const char *behind = at;
    while (*behind >= '0' && *behind <= '9') {
      ++behind;
    }
    return *behind == '_' ? behind : at;
  };
  while (*device && host < end && *device == *host) {
    const bool is_end = *device == 'E';
    ++device;
    ++host;
    if (is_end) {
      device = skip_number(device);
      host = skip_number(host);
    }
  }
  return !*device && host == end;
}

template <class Name>
constexpr const char *integrated_text() noexcept {
  return __PRETTY_FUNCTION__;
}

// A type as in the source, by its mangled name.
TN_SYCL_COLD inline std::string shown_type(const std::string &mangled) {
  char *text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, nullptr);
  std::string shown = text ? text : mangled;
  std::free(text);
  return shown;
}

TN_SYCL_COLD inline const char *find_integrated(const integration_kernel *kernels, const char *host,
                                                std::size_t size, std::size_t alignment) {
  // "PFvP<name>P14__tenon_kernel…"
  constexpr std::size_t before = 4, prefix = 4;
  const std::string text = host;
  const std::size_t behind = text.rfind("P14__tenon_kernelIL");
  const std::string name = text.substr(before, behind - before);
  const char *begin = host + before;
  const char *end = begin + name.size();
  while (kernels->name &&
         !(kernels->is_unique && is_same_name(kernels->name + prefix, begin, end))) {
    ++kernels;
  }
  if (!kernels->name) {
    raise(errc::kernel_not_supported,
          ("kernel '" + shown_type(name) +
           "' is not in the integration header: that was written for another source, or with "
           "other options")
              .c_str());
  }
  if (kernels->size != size || kernels->alignment != alignment) {
    raise(errc::kernel_argument,
          ("the function object of kernel '" + shown_type(name) +
           "' is laid out otherwise by the host's compiler than for the device: name its captures "
           "one by one")
              .c_str());
  }
  return kernels->name;
}

template <class Name, class F>
TN_SYCL_HIDDEN const char *kernel_symbol() {
  static_assert(!is_closure(integrated_text<Name>()),
                "give this kernel a name, as in parallel_for<class name>(...): the compiler of "
                "-fsycl-host-compiler does not see what clang calls unnamed ones");
  using own [[maybe_unused]] = typename user_function<F>::type;
  using mark = __tenon_kernel<sizeof(F), alignof(F) __TENON_PLACES_OF__(own)>;
  return find_integrated(integration_kernels, typeid(void (*)(Name *, mark *)).name(), sizeof(F),
                         alignof(F));
}

}  // namespace sycl::detail

#endif
#endif
