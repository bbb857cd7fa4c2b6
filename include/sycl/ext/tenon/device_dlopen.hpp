// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::ext::tenon::device_dlopen: device code of a file, there for as long as somebody holds it.
// See docs/dynamic-linking.md.
#ifndef TENON_SYCL_EXT_TENON_DEVICE_DLOPEN_HPP
#define TENON_SYCL_EXT_TENON_DEVICE_DLOPEN_HPP

#include "tenon/kernel.h"
#include <sycl/detail/check.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace sycl::ext::tenon {

// A counted handle: copies are the same library, and the last one closes it. Programs that were
// built with its functions keep them.
class device_library {
 public:
  device_library() = default;  // no library

  explicit operator bool() const noexcept { return file_ != nullptr; }
  // Lets go of it: closed when this was the last handle.
  void reset() noexcept { file_.reset(); }
  // The names that its kernels can be asked for by, as in the source where they are unambiguous.
  std::vector<std::string> kernel_names() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; file_ && i < tn_image_file_kernel_count(file_.get()); ++i) {
      names.emplace_back(tn_image_file_kernel_name(file_.get(), i));
    }
    return names;
  }
  // For the C API (tenon/kernel.h); the handle's for as long as it holds it.
  tn_image_file *tn_get() const noexcept { return file_.get(); }

  friend bool operator==(const device_library &lhs, const device_library &rhs) noexcept {
    return lhs.file_ == rhs.file_;
  }
  friend bool operator!=(const device_library &lhs, const device_library &rhs) noexcept {
    return !(lhs == rhs);
  }

 private:
  friend device_library device_dlopen(const std::string &path);
  friend device_library device_dlopen(const void *bytes, std::size_t size);
  explicit device_library(tn_image_file *file) : file_(file, tn_image_close) {}

  std::shared_ptr<tn_image_file> file_;
};

// Makes the exports of a file's device code available to launches from now on: a fat binary, a
// program or library that carries one, LLVM bitcode or SPIR-V (tn_image_open). Throws errc::runtime
// for files that cannot be read, errc::invalid for what holds no device code, errc::build for what
// does not compile, errc::feature_not_supported for SPIR-V that no device takes.
device_library device_dlopen(const std::string &path);
// The same from memory; the bytes are copied.
device_library device_dlopen(const void *bytes, std::size_t size);

#ifndef __SYCL_DEVICE_ONLY__

inline device_library device_dlopen(const std::string &path) {
  tn_diag diag;
  tn_image_file *file = nullptr;
  detail::check(tn_image_open(path.c_str(), &file, &diag), diag);
  return device_library(file);
}

inline device_library device_dlopen(const void *bytes, std::size_t size) {
  tn_diag diag;
  tn_image_file *file = nullptr;
  detail::check(tn_image_open_memory(bytes, size, &file, &diag), diag);
  return device_library(file);
}

#endif

}  // namespace sycl::ext::tenon

#endif
