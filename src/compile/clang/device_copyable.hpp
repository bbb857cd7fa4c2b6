// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang's C++ files: whether a device can have copies of what kernels' function objects
// hold, of which C++ says too little. Source: SYCL 2020 section 3.13.1.
#ifndef TN_COMPILE_CLANG_DEVICE_COPYABLE_HPP
#define TN_COMPILE_CLANG_DEVICE_COPYABLE_HPP

#include "clang/AST/Attr.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/SemaConsumer.h"
#include "compile/clang/sema_search.hpp"

namespace tenon_clang {

// Members and bases, one level deep, are to be device copyable: sycl::is_device_copyable says so,
// or they have a trivial destructor. One that does something is the sign of a container or a smart
// pointer; copy constructors alone are of too many classes that are copied as bytes all the same.
class copyable_check final : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema &sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (const clang::Decl *decl : group) {
      const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
      if (sema_ && function && function->hasAttr<clang::SYCLKernelEntryPointAttr>() &&
          !function->isInvalidDecl()) {
        check_entry(*function);
      }
    }
    return true;
  }
  void HandleInterestingDecl(clang::DeclGroupRef) override {}  // of precompiled headers

 private:
  // sycl::detail::kernel_entry<Name, F, Shape>.
  void check_entry(const clang::FunctionDecl &entry) {
    const clang::TemplateArgumentList *arguments = entry.getTemplateSpecializationArgs();
    if (!arguments || arguments->size() < 2 ||
        arguments->get(1).getKind() != clang::TemplateArgument::Type) {
      return;
    }
    const clang::QualType type = arguments->get(1).getAsType();
    const clang::CXXRecordDecl *object = type->getAsCXXRecordDecl();
    if (object && !is_copyable(type, object->getLocation())) {
      check_members(*object);
    }
  }

  void check_members(const clang::CXXRecordDecl &object) {
    for (const clang::CXXBaseSpecifier &base : object.bases()) {
      if (!is_copyable(base.getType(), base.getBeginLoc())) {
        refuse(object, base.getBeginLoc(), "its base", base.getType());
      }
    }
    for (const clang::FieldDecl *field : object.fields()) {
      if (!is_copyable(field->getType(), field->getLocation())) {
        refuse(object, field->getLocation(), "'" + name_of_field(object, *field) + "'",
               field->getType());
      }
    }
  }

  // Function objects of the headers, as of a reduction, hold the program's.
  static bool is_of_headers(const clang::CXXRecordDecl &object) {
    const auto *space =
        llvm::dyn_cast<clang::NamespaceDecl>(object.getEnclosingNamespaceContext());
    return space && space->getQualifiedNameAsString() == "sycl::detail";
  }

  void refuse(const clang::CXXRecordDecl &object, clang::SourceLocation at, llvm::StringRef what,
              clang::QualType type) {
    const clang::CXXRecordDecl *const held = type->getAsCXXRecordDecl();
    if (held && is_of_headers(object)) {
      check_members(*held);
    } else {
      report(at, what, type);
    }
  }

  static std::string name_of_field(const clang::CXXRecordDecl &object,
                                   const clang::FieldDecl &field) {
    if (!object.isLambda()) {
      return field.getNameAsString();
    }
    for (const auto &[capture, each] : llvm::zip(object.captures(), object.fields())) {
      if (each == &field && capture.capturesVariable()) {
        return capture.getCapturedVar()->getNameAsString();
      }
    }
    return "*this";
  }

  void report(clang::SourceLocation at, llvm::StringRef what, clang::QualType type) {
    const unsigned id = sema_->getDiagnostics().getCustomDiagID(
        clang::DiagnosticsEngine::Error,
        "the kernel function object is not device copyable: %0 is of type %1; use USM pointers or "
        "accessors, or specialize sycl::is_device_copyable where its bytes are enough");
    sema_->Diag(at, id) << what << type;
  }

  bool is_copyable(clang::QualType type, clang::SourceLocation at) {
    const clang::QualType element =
        sema_->getASTContext().getBaseElementType(type).getUnqualifiedType();
    const clang::CXXRecordDecl *record = element->getAsCXXRecordDecl();
    return !record || !record->hasDefinition() || record->hasTrivialDestructor() ||
           ask_trait(element, at);
  }

  // sycl::is_device_copyable<type>::value.
  bool ask_trait(clang::QualType type, clang::SourceLocation at) {
    clang::ASTContext &context = sema_->getASTContext();
    auto *const trait = find_template(context, {"sycl"}, "is_device_copyable");
    clang::CXXRecordDecl *const asked =
        trait ? make_instance(*sema_, *trait, clang::TemplateArgument(type), type, at) : nullptr;
    if (!asked) {
      return true;  // no such header, or an error of its own
    }
    clang::LookupResult found(*sema_, &context.Idents.get("value"), at,
                              clang::Sema::LookupOrdinaryName);
    sema_->LookupQualifiedName(found, asked);
    found.suppressDiagnostics();
    auto *const value = found.getAsSingle<clang::VarDecl>();
    bool is_true = false;
    if (value) {
      const clang::EnterExpressionEvaluationContext constant(
          *sema_, clang::Sema::ExpressionEvaluationContext::ConstantEvaluated);
      const clang::Expr *const read = sema_->BuildDeclRefExpr(
          value, value->getType().getNonReferenceType(), clang::VK_LValue, at);
      is_true = read->EvaluateAsBooleanCondition(is_true, context) && is_true;
    }
    return is_true;
  }

  clang::Sema *sema_ = nullptr;
};

}  // namespace tenon_clang

#endif
