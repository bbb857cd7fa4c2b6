// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang's C++ files: the kernels of functions that a source marks as such and names
// nowhere, in passes of tenon++ (docs/decisions/free-functions.md).
#ifndef TN_COMPILE_CLANG_KERNEL_ENTRIES_HPP
#define TN_COMPILE_CLANG_KERNEL_ENTRIES_HPP

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/ExternalSemaSource.h"
#include "clang/Sema/SemaConsumer.h"
#include "compile/clang/device_copyable.hpp"
#include "compile/clang/kernel_finder.hpp"
#include "compile/clang/sema_search.hpp"
#include "llvm/ADT/SetVector.h"

namespace tenon_clang {

using kernel_set = llvm::SmallSetVector<const clang::FunctionDecl *, 8>;

// The functions of a source, or of a header that is being precompiled. Nothing that was precompiled
// is loaded.
class marked_functions final {
 public:
  static bool is_one(const clang::FunctionDecl &function) {
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    return function.isThisDeclarationADefinition() && !function.isInvalidDecl() &&
           !function.isDependentContext() && !(method && method->isInstance()) &&
           is_marked_kernel(function);
  }
  static void find(const clang::DeclContext &code, kernel_set &out) {
    for (const clang::Decl *each : code.noload_decls()) {
      if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(each)) {
        if (is_one(*function)) {
          out.insert(function);
        }
      } else if (const auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(each)) {
        find_instances(*pattern, out);
      } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl,
                           clang::CXXRecordDecl>(each)) {
        const auto *inner = llvm::cast<clang::DeclContext>(each);
        if (!inner->isDependentContext()) {
          find(*inner, out);
        }
      }
    }
  }

 private:
  // Those that the source itself asks for.
  static void find_instances(const clang::FunctionTemplateDecl &pattern, kernel_set &out) {
    if (!is_marked_kernel(*pattern.getTemplatedDecl())) {
      return;
    }
    for (const clang::FunctionDecl *instance : pattern.specializations()) {
      if (instance->getTemplateSpecializationKind() ==
              clang::TSK_ExplicitInstantiationDefinition &&
          !instance->isInvalidDecl()) {
        out.insert(instance);
      }
    }
  }
};

// Clang asks sources of instantiations for theirs when a source ends, before it makes the pending
// ones: the only moment at which all functions are known and more may be made.
class kernel_entries final : public clang::ExternalSemaSource {
 public:
  kernel_entries(clang::Sema &sema, kernel_set &kernels) : sema_(sema), kernels_(kernels) {}

  void ReadPendingInstantiations(
      llvm::SmallVectorImpl<std::pair<clang::ValueDecl *, clang::SourceLocation>> &) override {
    if (has_ended_ || sema_.TUKind != clang::TU_Complete ||
        sema_.getDiagnostics().hasUncompilableErrorOccurred()) {
      return;
    }
    has_ended_ = true;
    marked_functions::find(*sema_.getASTContext().getTranslationUnitDecl(), kernels_);
    clang::ClassTemplateDecl *const maker =
        kernels_.empty()
            ? nullptr
            : find_template(sema_.getASTContext(), {"sycl", "detail"}, "free_function");
    if (!maker) {
      return;
    }
    // The same code with and without precompiled headers.
    auto kernels = kernels_.takeVector();
    llvm::sort(kernels, [](const clang::FunctionDecl *a, const clang::FunctionDecl *b) {
      return mangled_name(*a) < mangled_name(*b);
    });
    for (const clang::FunctionDecl *kernel : kernels) {
      make(*maker, *kernel);
    }
  }

 private:
  // Names free_function<&kernel>::entry, which makes the kernel.
  void make(clang::ClassTemplateDecl &maker, const clang::FunctionDecl &kernel) {
    const clang::SourceLocation at = kernel.getLocation();
    const clang::QualType type = sema_.getASTContext().getPointerType(kernel.getType());
    const clang::TemplateArgument argument(const_cast<clang::FunctionDecl *>(&kernel), type);
    const clang::CXXRecordDecl *const made = make_instance(sema_, maker, argument, type, at);
    if (auto *entry = made ? find_in<clang::VarDecl>(*made, "entry") : nullptr) {
      const clang::EnterExpressionEvaluationContext evaluated(
          sema_, clang::Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
      sema_.MarkVariableReferenced(at, entry);
    }
  }

  clang::Sema &sema_;
  kernel_set &kernels_;
  bool has_ended_ = false;
};

// Gives a pass of device code its kernel_entries, with what it has to make code of from precompiled
// headers: that comes before there is a Sema. Functions with internal linkage would not come: they
// are SYCL_EXTERNAL in a precompiled header, and here no more.
class entry_consumer final : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema &sema) override {
    is_header_ = sema.TUKind == clang::TU_Prefix;
    sema.addExternalSource(llvm::makeIntrusiveRefCnt<kernel_entries>(sema, kernels_));
  }
  void HandleInterestingDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *each : group) {
      auto *function = llvm::dyn_cast<clang::FunctionDecl>(each);
      if (!function || !marked_functions::is_one(*function)) {
        continue;
      }
      kernels_.insert(function);
      if (!function->isExternallyVisible()) {
        function->dropAttr<clang::SYCLExternalAttr>();
      }
    }
  }
  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (!is_header_) {
      return;
    }
    kernel_set own;
    marked_functions::find(*context.getTranslationUnitDecl(), own);
    for (const clang::FunctionDecl *function : own) {
      if (!function->isExternallyVisible()) {
        const_cast<clang::FunctionDecl *>(function)->addAttr(
            clang::SYCLExternalAttr::CreateImplicit(context));
      }
    }
  }

 private:
  kernel_set kernels_;
  bool is_header_ = false;
};

// `code`, of which a device pass has such kernels in front; kernels' function objects are checked.
inline std::unique_ptr<clang::ASTConsumer> add_kernel_entries(
    const clang::CompilerInstance &clang, std::unique_ptr<clang::ASTConsumer> code) {
  if (!code || !clang.getLangOpts().SYCLIsDevice) {
    return code;
  }
  std::vector<std::unique_ptr<clang::ASTConsumer>> both;
  both.push_back(std::make_unique<entry_consumer>());
  both.push_back(std::make_unique<copyable_check>());
  both.push_back(std::move(code));
  return std::make_unique<clang::MultiplexConsumer>(std::move(both));
}

}  // namespace tenon_clang

#endif
