// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kernel_bundle in state ext_oneapi_source, and how it is made and built.
// Source: the SYCL extension sycl_ext_oneapi_kernel_compiler.
#ifndef TENON_SYCL_DETAIL_SOURCE_BUNDLE_HPP
#define TENON_SYCL_DETAIL_SOURCE_BUNDLE_HPP

#include "tenon/rtc.h"
#include <sycl/detail/bundle_queries.hpp>
#include <sycl/detail/owner_order.hpp>
#include <sycl/detail/source_types.hpp>

namespace sycl {

namespace detail {

using source_handle = handle<tn_source, tn_source_retain, tn_source_release>;
using source_texts = std::vector<std::string>;

// A source and what it may include. `names` and `contents` NULL: nothing.
struct source_request {
  ext::oneapi::experimental::source_language language;
  bool is_binary;
  const void *source;
  std::size_t size;
  const source_texts *names;
  const source_texts *contents;
};
source_handle create_source(const context &ctxt, const source_request &request);

// What a build was told beside its devices; all may be NULL.
struct source_build_request {
  const source_texts *options = nullptr;
  const source_texts *names = nullptr;
  std::string *log = nullptr;
};
// `devs` NULL: the context's.
bundle_handle build_source(tn_source *source, bundle_state state, const std::vector<device> *devs,
                           const source_build_request &request);

}  // namespace detail

template <>
class TN_SYCL_SHARED kernel_bundle<bundle_state::ext_oneapi_source>
    : public detail::owner_order<kernel_bundle<bundle_state::ext_oneapi_source>> {
 public:
  kernel_bundle() = delete;
  // The runtime's way of making one.
  explicit kernel_bundle(detail::source_handle object) : object_(std::move(object)) {}
  tn_source *tn_get() const noexcept { return object_.get(); }

  backend get_backend() const noexcept { return get_context().get_backend(); }
  context get_context() const noexcept { return context(tn_source_context(object_.get())); }
  template <class Device = device>  // see platform::get_devices
  std::vector<Device> get_devices() const noexcept {
    return get_context().get_devices<Device>();
  }

  friend bool operator==(const kernel_bundle &lhs, const kernel_bundle &rhs) noexcept {
    return lhs.tn_get() == rhs.tn_get();
  }
  friend bool operator!=(const kernel_bundle &lhs, const kernel_bundle &rhs) noexcept {
    return !(lhs == rhs);
  }

 private:
  detail::source_handle object_;
};

namespace detail {

using source_bundle = kernel_bundle<bundle_state::ext_oneapi_source>;

#ifndef __SYCL_DEVICE_ONLY__

static_assert(
    static_cast<int>(ext::oneapi::experimental::source_language::sycl) == TN_SOURCE_SYCL &&
    static_cast<int>(ext::oneapi::experimental::source_language::c) == TN_SOURCE_C &&
    static_cast<int>(ext::oneapi::experimental::source_language::opencl) == TN_SOURCE_OPENCL &&
    static_cast<int>(ext::oneapi::experimental::source_language::spirv) == TN_SOURCE_SPIRV);

TN_SYCL_COLD inline void check_source_form(const source_request &request) {
  const bool is_spirv = request.language == ext::oneapi::experimental::source_language::spirv;
  if (request.is_binary != is_spirv) {
    raise(errc::invalid, is_spirv ? "create_kernel_bundle_from_source: SPIR-V is bytes: give it as "
                                    "a std::vector<std::byte>"
                                  : "create_kernel_bundle_from_source: a source in this language "
                                    "is text: give it as a std::string");
  }
  if (is_spirv && request.names) {
    raise(errc::invalid,
          "create_kernel_bundle_from_source: SPIR-V includes no files: leave out "
          "include_files");
  }
}

// The C API's texts end at the first zero.
TN_SYCL_COLD inline const char *source_word(const std::string &word, const char *property) {
  if (word.size() != __builtin_strlen(word.c_str())) {
    raise(errc::invalid,
          (std::string(property) + ": there is a zero in \"" + word.c_str() + "\"").c_str());
  }
  return word.c_str();
}

TN_SYCL_COLD inline source_handle create_source(const context &ctxt,
                                                const source_request &request) {
  check_source_form(request);
  small_list<tn_source_include> includes;
  for (std::size_t i = 0; request.names && i < request.names->size(); ++i) {
    const std::string &content = (*request.contents)[i];
    includes.push(
        {source_word((*request.names)[i], "include_files"), content.data(), content.size()});
  }
  tn_source_query query = {};
  query.struct_size = sizeof(query);
  query.language = static_cast<std::int32_t>(request.language);
  query.context = ctxt.tn_get();
  query.source = request.source;
  query.source_size = request.size;
  query.includes = includes.data();
  query.include_count = includes.size();
  source_handle source;
  tn_diag diag;
  const tn_status status = tn_source_create(&query, source.out(), &diag);
  if (status == TN_UNSUPPORTED) {  // the language
    raise(errc::invalid, diag.text);
  }
  check(status, diag);
  return source;
}

class source_log {
 public:
  source_log() = default;
  source_log(const source_log &) = delete;
  ~source_log() { tn_log_free(object_); }
  tn_log **out() noexcept { return &object_; }
  const char *text() const noexcept { return tn_log_text(object_); }

 private:
  tn_log *object_ = nullptr;
};

// The sentence, which is often the first of the log, and all that the compiler says.
[[noreturn]] TN_SYCL_COLD inline void raise_build(const tn_diag &diag, const source_log &log) {
  std::string text(diag.text);
  if (__builtin_strncmp(log.text(), diag.text, text.size()) == 0) {
    text.clear();
  } else if (*log.text()) {
    text += '\n';
  }
  text += log.text();
  while (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  raise(errc::build, text.c_str());
}

using word_list = small_list<const char *>;
TN_SYCL_COLD inline void add_words(word_list &to, const source_texts *words, const char *property) {
  for (std::size_t i = 0; words && i < words->size(); ++i) {
    to.push(source_word((*words)[i], property));
  }
}

TN_SYCL_COLD inline bundle_handle build_source(tn_source *source, bundle_state state,
                                               const std::vector<device> *devs,
                                               const source_build_request &request) {
  device_list devices;
  word_list options;
  word_list names;
  if (devs) {
    if (devs->size() == 0) {
      raise(errc::invalid, "a source cannot be built for no devices: the list is empty");
    }
    add_devices(devices, *devs);
  }
  add_words(options, request.options, "build_options");
  add_words(names, request.names, "registered_names");
  tn_source_build build = {};
  build.struct_size = sizeof(build);
  build.state = static_cast<std::int32_t>(state);
  build.devices = devices.data();
  build.device_count = devices.size();
  build.options = options.data();
  build.option_count = options.size();
  build.names = names.data();
  build.name_count = names.size();
  source_log log;
  bundle_handle bundle;
  tn_diag diag;
  const tn_status status = tn_source_build_bundle(source, &build, bundle.out(), log.out(), &diag);
  if (request.log) {
    *request.log = log.text();
  }
  if (status == TN_BUILD_FAILED) {
    raise_build(diag, log);
  }
  check(status, diag);
  return bundle;
}

#endif

}  // namespace detail

}  // namespace sycl

template <>
struct std::hash<sycl::kernel_bundle<sycl::bundle_state::ext_oneapi_source>> {
  std::size_t operator()(
      const sycl::kernel_bundle<sycl::bundle_state::ext_oneapi_source> &object) const noexcept {
    return sycl::detail::hash_pointer(object.tn_get());
  }
};

#endif
