// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang: brings the attributes of kernels to the parser, and notes about functions into
// the code, in a front end that somebody else runs: the clang that tenon++ runs, and tenon++ as
// that clang.
#ifndef TN_COMPILE_CLANG_ATTRIBUTE_ACTION_HPP
#define TN_COMPILE_CLANG_ATTRIBUTE_ACTION_HPP

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "compile/clang/attribute_tokens.hpp"
#include "compile/clang/function_notes.hpp"
#include "compile/clang/kernel_entries.hpp"

namespace tenon_clang {

// What is registered of it is for all front ends of the process.
class attribute_action final : public clang::PluginASTAction {
 public:
  using registration = clang::FrontendPluginRegistry::Add<attribute_action>;

 private:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &clang,
                                                        llvm::StringRef) override {
    attribute_tokens::watch(clang.getPreprocessor());
    return add_kernel_entries(clang, function_notes::make(clang));
  }
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

}  // namespace tenon_clang

#endif
