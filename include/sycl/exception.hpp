// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::exception, errc, exception_list, async_handler. Source: SYCL 2020 section 4.13.
#ifndef TENON_SYCL_EXCEPTION_HPP
#define TENON_SYCL_EXCEPTION_HPP

#include "tenon/device.h"
#include <sycl/detail/handle.hpp>
#include <sycl/detail/macros.hpp>
#include <sycl/detail/std_types.hpp>

namespace sycl {

class context;
class exception_list;

using async_handler = std::function<void(sycl::exception_list)>;

enum class errc : int {
  success = 0,
  runtime,
  kernel,
  accessor,
  nd_range,
  event,
  kernel_argument,
  build,
  invalid,
  memory_allocation,
  platform,
  profiling,
  feature_not_supported,
  kernel_not_supported,
  backend_mismatch
};

}  // namespace sycl

template <>
struct std::is_error_code_enum<sycl::errc> : std::true_type {};

namespace sycl {

namespace detail {

using context_handle = handle<tn_context, tn_context_retain, tn_context_release>;

class TN_SYCL_SHARED error_category final : public std::error_category {
 public:
  const char *name() const noexcept override { return "sycl"; }
  std::string message(int condition) const override;
};

}  // namespace detail

// One object in the process, also with -fvisibility=hidden: error codes compare its address.
TN_SYCL_SHARED const std::error_category &sycl_category() noexcept;
std::error_code make_error_code(errc e) noexcept;

class TN_SYCL_SHARED exception : public virtual std::exception {
 public:
  exception(std::error_code ec, const std::string &what_arg) : code_(ec), text_(what_arg) {}
  exception(std::error_code ec, const char *what_arg) : code_(ec), text_(what_arg) {}
  exception(std::error_code ec) : exception(ec, ec.message()) {}
  exception(int ev, const std::error_category &ecat, const std::string &what_arg)
      : exception(std::error_code(ev, ecat), what_arg) {}
  exception(int ev, const std::error_category &ecat, const char *what_arg)
      : exception(std::error_code(ev, ecat), what_arg) {}
  exception(int ev, const std::error_category &ecat) : exception(std::error_code(ev, ecat)) {}

  exception(context ctx, std::error_code ec, const std::string &what_arg);
  exception(context ctx, std::error_code ec, const char *what_arg);
  exception(context ctx, std::error_code ec);
  exception(context ctx, int ev, const std::error_category &ecat, const std::string &what_arg);
  exception(context ctx, int ev, const std::error_category &ecat, const char *what_arg);
  exception(context ctx, int ev, const std::error_category &ecat);

  const std::error_code &code() const noexcept { return code_; }
  const std::error_category &category() const noexcept { return code_.category(); }
  const char *what() const noexcept override { return text_.what(); }
  bool has_context() const noexcept { return context_.get() != nullptr; }
  context get_context() const;

 private:
  std::error_code code_;
  std::runtime_error text_;  // a string whose copies do not throw, and that is compiled already
  detail::context_handle context_;
};

class exception_list {
 public:
  using value_type = std::exception_ptr;
  using reference = value_type &;
  using const_reference = const value_type &;
  using size_type = std::size_t;
  using iterator = std::vector<std::exception_ptr>::const_iterator;
  using const_iterator = iterator;

  exception_list() = default;
  // The runtime's way of making one.
  explicit exception_list(std::vector<std::exception_ptr> list) : list_(std::move(list)) {}

  size_type size() const { return list_.size(); }
  iterator begin() const { return list_.begin(); }
  iterator end() const { return list_.end(); }

 private:
  std::vector<std::exception_ptr> list_;
};

#ifndef __SYCL_DEVICE_ONLY__

TN_SYCL_COLD inline std::string detail::error_category::message(int condition) const {
  static const char *const texts[] = {
      "success",
      "runtime error",
      "kernel error",
      "accessor error",
      "nd_range error",
      "event error",
      "kernel argument error",
      "device code could not be built",
      "invalid argument or use",
      "memory could not be allocated",
      "platform error",
      "profiling error",
      "feature not supported",
      "kernel not supported by the device",
      "backend mismatch",
  };
  constexpr int count = static_cast<int>(sizeof(texts) / sizeof(texts[0]));
  std::string text;
  text += condition >= 0 && condition < count ? texts[condition] : "unknown error";
  return text;
}

inline const std::error_category &sycl_category() noexcept {
  static const detail::error_category category;
  return category;
}

inline std::error_code make_error_code(errc e) noexcept {
  return {static_cast<int>(e), sycl_category()};
}

#endif

}  // namespace sycl

#endif
