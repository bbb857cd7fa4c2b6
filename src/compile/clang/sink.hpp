// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: what Clang writes goes to a function.
#ifndef TN_COMPILE_CLANG_SINK_HPP
#define TN_COMPILE_CLANG_SINK_HPP

#include "llvm/Support/raw_ostream.h"

namespace tenon_clang {

// A stream into one of the run's functions.
class sink final : public llvm::raw_pwrite_stream {
 public:
  using function = void (*)(void *, const char *, size_t);
  sink(function to, void *user) : to_(to), user_(user) { SetUnbuffered(); }

 private:
  void write_impl(const char *data, size_t size) override {
    to_(user_, data, size);
    written_ += size;
  }
  void pwrite_impl(const char *, size_t, uint64_t) override {}  // nothing that goes here asks
  uint64_t current_pos() const override { return written_; }

  function to_;
  void *user_;
  uint64_t written_ = 0;
};

}  // namespace tenon_clang

#endif
