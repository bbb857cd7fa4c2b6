// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::exception, errc, exception_list, async_handler. Source: SYCL 2020 section 4.13.
#ifndef TENON_SYCL_EXCEPTION_HPP
#define TENON_SYCL_EXCEPTION_HPP

#include "tenon/error.h"
#include <sycl/detail/handle.hpp>
#include <sycl/detail/macros.hpp>
#include <sycl/detail/std_types.hpp>

#ifndef __SYCL_DEVICE_ONLY__
// Virtual functions call these, and clang compiles them for each unit: one that throws nothing
// needs no library.
extern "C" [[gnu::weak, gnu::nothrow]] void tn_error_release(tn_error *error);
extern "C" [[gnu::weak, gnu::nothrow]] const char *tn_error_text(const tn_error *error);
#endif

namespace sycl {

class context;
class exception_list;

using async_handler = std::function<void(sycl::exception_list)>;

enum class errc : int {
#define TN_SYCL_ERRC(name, value, text) name = value,
  TN_ERRC_MAP(TN_SYCL_ERRC)
#undef TN_SYCL_ERRC
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
  // Defined here: a definition further down would bring the virtual functions into every unit.
  // Appending is compiled in the standard library already, unlike making a string of a text.
  [[gnu::cold]] std::string message(int condition) const override {
    std::string text;
    text += tn_errc_text(condition);
    return text;
  }
};

}  // namespace detail

// One object in the process, also with -fvisibility=hidden: error codes compare its address.
TN_SYCL_SHARED const std::error_category &sycl_category() noexcept;
std::error_code make_error_code(errc e) noexcept;

// Most units throw, and few look at the code: what takes the category, with its virtual functions,
// is only compiled where the code is read.
class TN_SYCL_SHARED exception : public virtual std::exception {
 public:
  exception(std::error_code ec, const std::string &what_arg) : exception(ec, what_arg.c_str()) {}
  exception(std::error_code ec, const char *what_arg)
      : error_(tn_error_create_of_code(&ec, sizeof(ec), what_arg)) {
    static_assert(std::is_trivially_copyable_v<std::error_code>);
    static_assert(sizeof(std::error_code) <= TN_ERROR_CODE_SIZE);
  }
  exception(std::error_code ec) : exception(ec, ec.message()) {}
  // Of SYCL 1.2.1, for classes that derive from this one: without a text, and no error's code.
  TN_SYCL_DEPRECATED("pass an std::error_code")
  exception() : exception(std::error_code(), "") {}
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

  // The runtime's way of making one: takes over the reference.
  explicit exception(tn_error *error) noexcept : error_(error) {}

  // No moves: a moved-from exception has its text.
  exception(const exception &other) noexcept = default;
  exception &operator=(const exception &other) noexcept = default;

  const std::error_code &code() const noexcept;
  const std::error_category &category() const noexcept { return code().category(); }
  const char *what() const noexcept override { return tn_error_text(error_.get()); }
  bool has_context() const noexcept { return tn_error_context(error_.get()) != nullptr; }
  context get_context() const;

 private:
  detail::handle<tn_error, tn_error_retain, tn_error_release> error_;
};

// Copies share the exceptions. Without std::vector, which every program with an async handler would
// compile.
class exception_list {
 public:
  using value_type = std::exception_ptr;
  using reference = value_type &;
  using const_reference = const value_type &;
  using size_type = std::size_t;
  using iterator = const std::exception_ptr *;
  using const_iterator = iterator;

  exception_list() = default;
  // The runtime's way of making one: empty, for as many as `capacity`.
  explicit exception_list(size_type capacity)
      : state_(new state{1, 0, new std::exception_ptr[capacity]}) {}
  exception_list(const exception_list &other) noexcept : state_(other.state_) {
    if (state_) {
      __atomic_fetch_add(&state_->references, 1, __ATOMIC_RELAXED);
    }
  }
  exception_list &operator=(const exception_list &other) noexcept {
    exception_list copy(other);
    state *before = state_;
    state_ = copy.state_;
    copy.state_ = before;
    return *this;
  }
  ~exception_list() {
    if (state_ && __atomic_fetch_sub(&state_->references, 1, __ATOMIC_ACQ_REL) == 1) {
      delete[] state_->items;
      delete state_;
    }
  }

  size_type size() const { return state_ ? state_->size : 0; }
  iterator begin() const { return state_ ? state_->items : nullptr; }
  iterator end() const { return begin() + size(); }

  std::exception_ptr &tn_push() noexcept { return state_->items[state_->size++]; }

 private:
  struct state {
    std::size_t references;  // atomic
    std::size_t size;
    std::exception_ptr *items;  // owned
  };
  state *state_ = nullptr;
};

#ifndef __SYCL_DEVICE_ONLY__

inline const std::error_category &sycl_category() noexcept {
  static const detail::error_category category;
  return category;
}

inline std::error_code make_error_code(errc e) noexcept {
  return {static_cast<int>(e), sycl_category()};
}

inline const std::error_code &exception::code() const noexcept {
  const std::error_code own(tn_error_errc(error_.get()), sycl_category());
  return *static_cast<const std::error_code *>(
      tn_error_offer_code(error_.get(), &own, sizeof(own)));
}

#endif

}  // namespace sycl

#endif
