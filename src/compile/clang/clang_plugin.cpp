// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the plugin of the clang that tenon++ runs has besides the attributes: it brings those of
// kernels to the parser. Not part of libtenon-compiler.so, whose runs do that by themselves.
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "compile/clang/attribute_tokens.hpp"

namespace {

class attribute_action final : public clang::PluginASTAction {
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &clang,
                                                        llvm::StringRef) override {
    tenon_clang::attribute_tokens::watch(clang.getPreprocessor());
    return std::make_unique<clang::ASTConsumer>();
  }
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<attribute_action> action("tenon-kernel-attributes",
                                                                  "reads attributes of kernels");

}  // namespace
