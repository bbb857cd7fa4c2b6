// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: keeps sources that nest without end from running out of stack.
#ifndef TN_COMPILE_CLANG_NESTING_GUARD_HPP
#define TN_COMPILE_CLANG_NESTING_GUARD_HPP

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/Stack.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"
#include "compile/clang/clang_face.h"

#include <pthread.h>

namespace tenon_clang {

// Looks at each token before the parser does. Clang recurses as deep as code nests, and over chains
// (a + b + c …) as deep as they are long: where the stack would end the source ends instead, with
// an error, and so no chain of tokens gets longer than what the rest of Clang can walk over.
class nesting_guard {
 public:
  // `next` sees each token afterwards: there can be one watcher only.
  template <class Next>
  static void watch(clang::Preprocessor &preprocessor, Next next) {
    preprocessor.setTokenWatcher(
        [guard = nesting_guard(preprocessor), next](const clang::Token &token) mutable {
          guard.see(const_cast<clang::Token &>(token));
          next(token);
        });
  }

 private:
  // Of the stack, what the parser may take; the rest is for what walks over what it has built.
  static constexpr uintptr_t depth_maximum = TN_FACE_STACK_SIZE / 4;
  static constexpr size_t chain_maximum = 100000;
  static constexpr size_t token_maximum = size_t(48) << 20;  // more than a file of 32 MiB has

  explicit nesting_guard(clang::Preprocessor &preprocessor)
      : preprocessor_(preprocessor), bottom_(here()), thread_(pthread_self()) {}

  static uintptr_t here() { return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)); }

  void see(clang::Token &token) {
    if (!is_over_) {
      count(token);
      // Clang itself goes on on a stack of another thread where it instantiates templates.
      const bool is_deep = pthread_equal(pthread_self(), thread_)
                               ? bottom_ > here() && bottom_ - here() > depth_maximum
                               : clang::isStackNearlyExhausted();
      if (is_deep) {
        stop(token, "code is nested too deeply to be compiled");
      } else if (chain_ > chain_maximum) {
        stop(token, "one statement has too many tokens to be compiled");
      } else if (++tokens_ > token_maximum) {
        stop(token, "the source has too many tokens to be compiled");
      }
    }
    if (is_over_) {
      token.startToken();
      token.setKind(clang::tok::eof);
      token.setLocation(stopped_at_);
    }
  }

  // The elements of an initializer are no chain, and there may be many.
  void count(const clang::Token &token) {
    chain_++;
    switch (token.getKind()) {
      case clang::tok::semi:
        chain_ = 0;
        break;
      case clang::tok::l_brace:
        chain_ = 0;
        is_list_.push_back(opens_list_ || (!is_list_.empty() && is_list_.back()));
        break;
      case clang::tok::r_brace:
        chain_ = 0;
        if (!is_list_.empty()) {
          is_list_.pop_back();
        }
        break;
      case clang::tok::comma:
        if (!is_list_.empty() && is_list_.back()) {
          chain_ = 0;
        }
        break;
      default:
        break;
    }
    opens_list_ = token.isOneOf(clang::tok::equal, clang::tok::comma, clang::tok::r_square,
                                clang::tok::kw_return);
  }

  template <unsigned N>
  void stop(const clang::Token &token, const char (&why)[N]) {
    clang::DiagnosticsEngine &diagnostics = preprocessor_.getDiagnostics();
    const unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Fatal, why);
    diagnostics.Report(token.getLocation(), id);
    stopped_at_ = token.getLocation();
    is_over_ = true;
  }

  clang::Preprocessor &preprocessor_;
  uintptr_t bottom_;
  pthread_t thread_;
  size_t chain_ = 0;
  size_t tokens_ = 0;
  bool opens_list_ = false;
  bool is_over_ = false;
  llvm::SmallVector<bool, 32> is_list_;
  clang::SourceLocation stopped_at_;
};

}  // namespace tenon_clang

#endif
