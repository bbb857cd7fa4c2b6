// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: where LLVM and C++ end when there is no memory.
#ifndef TN_COMPILE_CLANG_FATAL_NET_HPP
#define TN_COMPILE_CLANG_FATAL_NET_HPP

#include "compile/clang/clang_face.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <mutex>
#include <new>

namespace tenon_clang {

// LLVM reports what it does not get, and C++ throws, through LLVM's frames, in which nothing
// catches.
inline void call_with_net(void (*fn)(void *), void *arg, void (*no_memory)(void *arg)) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_bad_alloc_error_handler(
        [](void *, const char *, bool) { throw std::bad_alloc(); }, nullptr);
  });
  bool is_over = false;
  try {
    fn(arg);
  } catch (const std::bad_alloc &) {
    is_over = true;
  }
  if (is_over) {
    no_memory(arg);
  }
}

}  // namespace tenon_clang

#endif
