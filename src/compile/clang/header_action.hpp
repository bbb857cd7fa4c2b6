// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: a header that the user precompiles. Clang's action, but templates that
// system headers use are instantiated: else each source would instantiate SYCL's queue and handler.
//
// Kernels are not instantiated (kernel_watch). Hence -fpch-instantiate-templates, which CMake gives
// by itself, has no effect.
#ifndef TN_COMPILE_CLANG_HEADER_ACTION_HPP
#define TN_COMPILE_CLANG_HEADER_ACTION_HPP

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Parse/Parser.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"
#include "compile/clang/precompiled.hpp"

namespace tenon_clang {

// Whether a header has instances of kernels' entry points. Clang crashes when it reads one of them
// from a precompiled header: it mangles the name of the kernel's lambda while that is being read.
class kernel_watch final : public clang::ASTConsumer {
 public:
  explicit kernel_watch(bool &is_seen) : is_seen_(is_seen) {}
  // Instances of functions are given to the consumer as well.
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (const clang::Decl *declaration : group) {
      const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
      is_seen_ = is_seen_ || (function && function->isTemplateInstantiation() &&
                              function->hasAttr<clang::SYCLKernelEntryPointAttr>());
    }
    return true;
  }

 private:
  bool &is_seen_;
};

class header_action : public clang::GeneratePCHAction {
 public:
  // False: no template is instantiated.
  void set_instantiates(bool instantiates) { instantiates_ = instantiates; }
  // A system header has kernels of its own: what was made is not to be used.
  bool has_kernels() const { return has_kernels_; }

 protected:
  bool BeginSourceFileAction(clang::CompilerInstance &clang) override {
    clang.getLangOpts().PCHInstantiateTemplates = false;
    return GeneratePCHAction::BeginSourceFileAction(clang);
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &clang,
                                                        llvm::StringRef source) override {
    std::unique_ptr<clang::ASTConsumer> writer =
        GeneratePCHAction::CreateASTConsumer(clang, source);
    if (!writer) {
      return nullptr;
    }
    std::vector<std::unique_ptr<clang::ASTConsumer>> all;
    all.push_back(std::make_unique<kernel_watch>(has_kernels_));
    all.push_back(std::make_unique<header_end>());
    all.push_back(std::move(writer));
    return std::make_unique<clang::MultiplexConsumer>(std::move(all));
  }

  // As Clang's ParseAST does.
  void ExecuteAction() override {
    clang::CompilerInstance &clang = getCompilerInstance();
    clang.createSema(getTranslationUnitKind(), nullptr);
    clang::Sema &sema = clang.getSema();
    clang::ASTConsumer &consumer = sema.getASTConsumer();
    clang::Parser parser(sema.getPreprocessor(), sema, /*SkipFunctionBodies=*/false);
    sema.getPreprocessor().EnterMainSourceFile();
    parser.Initialize();
    {
      clang::Parser::DeclGroupPtrTy group;
      clang::Sema::ModuleImportState imports;
      const clang::EnterExpressionEvaluationContext evaluated(
          sema, clang::Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
      for (bool is_over = parser.ParseFirstTopLevelDecl(group, imports); !is_over;
           is_over = parser.ParseTopLevelDecl(group, imports)) {
        if (group && !consumer.HandleTopLevelDecl(group.get())) {
          return;
        }
        if (instantiates_ && is_of_user(sema, parser.getCurToken().getLocation())) {
          instantiate(sema);
        }
      }
    }
    for (clang::Decl *weak : sema.WeakTopLevelDecls()) {
      consumer.HandleTopLevelDecl(clang::DeclGroupRef(weak));
    }
    consumer.HandleTranslationUnit(sema.getASTContext());
  }

 private:
  // By where the file was found: CMake makes a system header of all that is included by its own.
  static bool is_of_user(clang::Sema &sema, clang::SourceLocation at) {
    const clang::SourceManager &sources = sema.getSourceManager();
    const auto file = sources.getFileEntryRefForID(sources.getFileID(sources.getExpansionLoc(at)));
    return file && sema.getPreprocessor().getHeaderSearchInfo().getFileDirFlavor(*file) ==
                       clang::SrcMgr::C_User;
  }

  // At the end of a system header, the templates that it uses. Code of the user's may use kernels.
  static void instantiate(clang::Sema &sema) {
    const bool is_of_system = llvm::none_of(sema.PendingInstantiations, [&](const auto &pending) {
      return pending.second.isInvalid() || is_of_user(sema, pending.second);
    });
    if (is_of_system && !sema.PendingInstantiations.empty()) {
      sema.PerformPendingInstantiations();
    }
  }

  bool instantiates_ = true;
  bool has_kernels_ = false;
};

}  // namespace tenon_clang

#endif
