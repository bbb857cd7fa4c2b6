// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The attribute of SYCL_EXTERNAL, registered with Clang: clang::sycl_external, and the annotation
// that compile/lower reads. Its GNU spelling is taken in all places of a declaration, by functions,
// members, constructors and explicit instantiations; clang::sycl_external itself in front alone.
// tenon::kernel_function is the same for kernels that are functions, which may have internal
// linkage: these are not exported, as they are used where they are defined.
//
// Part of libtenon-compiler.so, and by itself a plugin of the clang that tenon++ runs.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

namespace {

class external_attribute : public clang::ParsedAttrInfo {
 public:
  external_attribute() {
    static constexpr Spelling spellings[] = {{clang::ParsedAttr::AS_GNU, "tenon_sycl_external"}};
    Spellings = spellings;
  }

 private:
  bool diagAppertainsToDecl(clang::Sema &sema, const clang::ParsedAttr &attribute,
                            const clang::Decl *declaration) const override {
    if (llvm::isa<clang::FunctionDecl>(declaration) || is_device_global(declaration)) {
      return true;
    }
    const unsigned id = sema.getDiagnostics().getCustomDiagID(
        clang::DiagnosticsEngine::Error,
        "SYCL_EXTERNAL applies to functions, and variables of type device_global that are not "
        "static");
    sema.Diag(attribute.getLoc(), id);
    return false;
  }

  AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *declaration,
                                   const clang::ParsedAttr &attribute) const override {
    if (llvm::isa<clang::FunctionDecl>(declaration)) {
      apply(sema.Context, declaration, attribute);
    }
    return AttributeApplied;
  }

  // Others may use it as it is.
  static bool is_device_global(const clang::Decl *declaration) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    const clang::CXXRecordDecl *type =
        variable != nullptr ? variable->getType()->getAsCXXRecordDecl() : nullptr;
    return type != nullptr && variable->getStorageClass() != clang::SC_Static &&
           type->getQualifiedNameAsString() == "sycl::ext::oneapi::experimental::device_global";
  }

 protected:
  static void apply(clang::ASTContext &context, clang::Decl *declaration,
                    const clang::ParsedAttr &attribute) {
    if (!declaration->hasAttr<clang::SYCLExternalAttr>()) {
      declaration->addAttr(clang::SYCLExternalAttr::CreateImplicit(context, attribute.getRange()));
    }
    // With a value, as all annotations of device code: for NVIDIA's GPUs Clang cannot write those
    // with a value beside those without.
    const llvm::APInt value(32, 1);
    clang::Expr *one =
        clang::IntegerLiteral::Create(context, value, context.IntTy, attribute.getLoc());
    clang::Expr *arguments[] = {clang::ConstantExpr::Create(
        context, one, clang::APValue(llvm::APSInt(value, /*isUnsigned=*/false)))};
    declaration->addAttr(clang::AnnotateAttr::CreateImplicit(context, "tenon.sycl_external",
                                                             arguments, 1, attribute.getRange()));
  }
};

// Clang caches the linkage that it computes, so that of an unfinished declaration is not computed.
bool has_internal_linkage(const clang::Decl *declaration) {
  const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
  return declaration->isInAnonymousNamespace() ||
         (function != nullptr && !llvm::isa<clang::CXXMethodDecl>(function) &&
          function->getStorageClass() == clang::SC_Static);
}

class kernel_function_attribute final : public external_attribute {
 public:
  kernel_function_attribute() {
    static constexpr Spelling spellings[] = {
        {clang::ParsedAttr::AS_CXX11, "tenon::kernel_function"}};
    Spellings = spellings;
  }

 private:
  AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *declaration,
                                   const clang::ParsedAttr &attribute) const override {
    if (!has_internal_linkage(declaration)) {
      apply(sema.Context, declaration, attribute);
    }
    return AttributeApplied;
  }
};

const clang::ParsedAttrInfoRegistry::Add<external_attribute> registered(
    "tenon_sycl_external", "a function of device code that other modules may use");
const clang::ParsedAttrInfoRegistry::Add<kernel_function_attribute> registered_kernel(
    "tenon_kernel_function", "a function that is a kernel");

}  // namespace
