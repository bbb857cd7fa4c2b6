// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties of sources and of their builds.
// Source: the SYCL extension sycl_ext_oneapi_kernel_compiler.
#ifndef TENON_SYCL_EXT_KERNEL_COMPILER_PROPERTIES_HPP
#define TENON_SYCL_EXT_KERNEL_COMPILER_PROPERTIES_HPP

#include <sycl/ext/oneapi/experimental/property_types.hpp>
#include <sycl/property.hpp>

namespace sycl {

namespace detail {

[[noreturn]] void raise_second_include(const std::string &name);

// Templates, so that only programs that use them compile what their vectors take.
template <class Tag>
class source_words {
 public:
  source_words() = default;
  source_words(const std::string &word) { add(word); }
  source_words(const std::vector<std::string> &words) : words_(words) {}
  // Without it {"a", "b"} would be a std::string between two pointers as well.
  source_words(std::initializer_list<const char *> words) : words_(words.begin(), words.end()) {}
  void add(const std::string &word) { words_.push_back(word); }
  const std::vector<std::string> &tn_get() const noexcept { return words_; }

 private:
  std::vector<std::string> words_;
};

template <class Tag>
class source_includes {
 public:
  source_includes() = default;
  source_includes(const std::string &name, const std::string &content) { add(name, content); }
  // errc::invalid when the name is there already.
  void add(const std::string &name, const std::string &content) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) {
        raise_second_include(name);
      }
    }
    names_.push_back(name);
    contents_.push_back(content);
  }
  const std::vector<std::string> &tn_names() const noexcept { return names_; }
  const std::vector<std::string> &tn_contents() const noexcept { return contents_; }

 private:
  std::vector<std::string> names_;
  std::vector<std::string> contents_;  // as many
};

struct build_options_tag;
struct registered_names_tag;
struct include_files_tag;

}  // namespace detail

namespace ext::oneapi::experimental {

// For create_kernel_bundle_from_source: files that #include finds before those of the disk.
using include_files = sycl::detail::source_includes<sycl::detail::include_files_tag>;

// For build and compile. Options are one word each, as for the compiler: docs/rtc.md.
using build_options = sycl::detail::source_words<sycl::detail::build_options_tag>;
// C++ expressions that name kernels, and instantiate them when they are templates.
using registered_names = sycl::detail::source_words<sycl::detail::registered_names_tag>;
using registered_kernel_names = registered_names;  // its older name
// Gets all that the compiler says, also when the build fails. NULL: nothing is kept.
struct save_log {
  std::string *log;
  save_log(std::string *to) : log(to) {}
};

using include_files_key = include_files;
using build_options_key = build_options;
using registered_names_key = registered_names;
using registered_kernel_names_key = registered_names;
using save_log_key = save_log;

template <>
struct is_property_key<include_files> : std::true_type {};
template <>
struct is_property_key<build_options> : std::true_type {};
template <>
struct is_property_key<registered_names> : std::true_type {};
template <>
struct is_property_key<save_log> : std::true_type {};
}  // namespace ext::oneapi::experimental

#ifndef __SYCL_DEVICE_ONLY__
[[noreturn]] TN_SYCL_COLD inline void detail::raise_second_include(const std::string &name) {
  raise(errc::invalid, (std::string("include_files: ") + name + " comes twice").c_str());
}
#endif

}  // namespace sycl

#endif
