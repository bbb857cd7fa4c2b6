// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: keeps the preprocessor from running without end, and from crashing
// because a source asks for it.
#ifndef TN_COMPILE_CLANG_PREPROCESSOR_GUARD_HPP
#define TN_COMPILE_CLANG_PREPROCESSOR_GUARD_HPP

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/ErrorHandling.h"

namespace tenon_clang {

// A few lines of macros double their text forty times, and a file may include itself twice. Beyond
// the limits every macro that is met is undefined, which ends what expands; files are left by
// fatal_net, for there is no other way out of them.
class preprocessor_guard final : public clang::PPCallbacks {
 public:
  static void watch(clang::Preprocessor &preprocessor) {
    preprocessor.addPPCallbacks(std::make_unique<preprocessor_guard>(preprocessor));
  }
  explicit preprocessor_guard(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &, clang::SourceRange,
                    const clang::MacroArgs *) override {
    if (++expansions_ < expansions_maximum) {
      return;
    }
    if (expansions_ == expansions_maximum) {
      say(name.getLocation(), clang::DiagnosticsEngine::Fatal,
          "macros expand too many times to be compiled");
    }
    preprocessor_.appendMacroDirective(name.getIdentifierInfo(),
                                       new (preprocessor_.getPreprocessorAllocator())
                                           clang::UndefMacroDirective(name.getLocation()));
  }

  void FileChanged(clang::SourceLocation, FileChangeReason reason,
                   clang::SrcMgr::CharacteristicKind, clang::FileID) override {
    if (reason == EnterFile && ++files_ > files_maximum) {
      llvm::report_fatal_error("files are included too many times", false);
    }
  }

  // With PreprocessorOptions::DisablePragmaDebugCrash it does nothing by itself, and silently.
  void PragmaDebug(clang::SourceLocation at, llvm::StringRef) override {
    say(at, clang::DiagnosticsEngine::Error,
        "'#pragma clang __debug' is for those who debug Clang: leave it out");
  }

 private:
  static constexpr size_t expansions_maximum = size_t(8) << 20;
  static constexpr size_t files_maximum = 200000;

  template <unsigned N>
  void say(clang::SourceLocation at, clang::DiagnosticsEngine::Level level, const char (&what)[N]) {
    clang::DiagnosticsEngine &diagnostics = preprocessor_.getDiagnostics();
    diagnostics.Report(at, diagnostics.getCustomDiagID(level, what));
  }

  clang::Preprocessor &preprocessor_;
  size_t expansions_ = 0;
  size_t files_ = 0;
};

}  // namespace tenon_clang

#endif
