// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: keeps sources from giving functions the names of LLVM's own.
#ifndef TN_COMPILE_CLANG_LABEL_GUARD_HPP
#define TN_COMPILE_CLANG_LABEL_GUARD_HPP

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"

namespace tenon_clang {

// Clang and LLVM know functions by "llvm.…" and trust what they are, whoever declared them:
// int f(void) __asm__("llvm.memcpy…") makes Clang look for arguments that are not there. Looks at
// the tokens, because such a declaration may stand anywhere.
class label_guard {
 public:
  explicit label_guard(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  void see(const clang::Token &token) {
    switch (state_) {
      case state::text:
        state_ = begins(token) ? state::word : state::text;
        return;
      case state::word:
        state_ = token.is(clang::tok::l_paren) ? state::open : state::text;
        begin_.clear();
        return;
      case state::open:
        if (token.is(clang::tok::string_literal)) {
          add(token);
          return;
        }
        state_ = state::text;
        if (begin_ == "llvm.") {
          refuse(token);
        }
        return;
    }
  }

 private:
  enum class state { text, word, open };

  static bool begins(const clang::Token &token) {
    if (token.is(clang::tok::kw_asm)) {
      return true;
    }
    const clang::IdentifierInfo *const name = token.getIdentifierInfo();
    if (!name || token.isNot(clang::tok::identifier)) {
      return false;
    }
    for (const char *word :
         {"alias", "__alias__", "weakref", "__weakref__", "ifunc", "__ifunc__"}) {
      if (name->isStr(word)) {
        return true;
      }
    }
    return false;
  }

  // Of adjacent strings, the first characters. A character by its number may be any.
  void add(const clang::Token &token) {
    llvm::SmallString<64> storage;
    llvm::StringRef text = preprocessor_.getSpelling(token, storage);
    text = text.drop_while([](char c) { return c != '"'; }).drop_front().drop_back();
    while (!text.empty() && begin_.size() < 5) {
      if (text.size() > 1 && text[0] == '\\') {
        begin_ = llvm::StringRef("01234567xuUN").contains(text[1]) ? "llvm." : "other";
        return;
      }
      begin_ += text[0];
      text = text.drop_front();
    }
  }

  void refuse(const clang::Token &token) {
    clang::DiagnosticsEngine &diagnostics = preprocessor_.getDiagnostics();
    diagnostics.Report(token.getLocation(), diagnostics.getCustomDiagID(
                                                clang::DiagnosticsEngine::Error,
                                                "symbols that begin with 'llvm.' are LLVM's own, "
                                                "and have builtin functions"));
  }

  clang::Preprocessor &preprocessor_;
  state state_ = state::text;
  std::string begin_;
};

}  // namespace tenon_clang

#endif
