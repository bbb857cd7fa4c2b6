// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: what a source has that its end asks for, which is functions that are
// marked as kernels, with what they take, and device globals.
#ifndef TN_COMPILE_CLANG_KERNEL_FINDER_HPP
#define TN_COMPILE_CLANG_KERNEL_FINDER_HPP

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"
#include "compile/clang/clang_face.h"

namespace tenon_clang {

// The mark of include/sycl's SYCL_EXT_ONEAPI_FUNCTION_PROPERTY.
inline constexpr char kernel_mark[] = "tenon-free-function";

using kernel_list = llvm::SmallVector<const clang::FunctionDecl *, 8>;
using global_list = llvm::SmallVector<const clang::VarDecl *, 4>;

// Other properties of kernels have the same mark; a larger first value tells them. It may be a
// struct's.
inline bool makes_kernel(const clang::AnnotateAttr &mark) {
  constexpr int others = 16;
  const auto *first =
      mark.args_size() > 0 ? llvm::dyn_cast<clang::ConstantExpr>(*mark.args_begin()) : nullptr;
  clang::APValue kind = first ? first->getAPValueResult() : clang::APValue();
  while (kind.isStruct() && kind.getStructNumFields() > 0) {
    clang::APValue inner = kind.getStructField(0);
    kind.swap(inner);
  }
  return !kind.isInt() || kind.getInt() < others;
}
inline bool is_marked_kernel(const clang::FunctionDecl &function) {
  return llvm::any_of(function.specific_attrs<clang::AnnotateAttr>(),
                      [](const clang::AnnotateAttr *mark) {
                        return mark->getAnnotation() == kernel_mark && makes_kernel(*mark);
                      });
}

// Gathers the functions that are marked as kernels, and device globals, where they are defined.
class kernel_finder final : public clang::ASTConsumer {
 public:
  kernel_finder(kernel_list &found, global_list &globals) : found_(found), globals_(globals) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (const clang::Decl *decl : group) {
      visit(decl);
    }
    return true;
  }

 private:
  void visit(const clang::Decl *decl) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
      take(function);
    } else if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
      take(variable);
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl,
                         clang::CXXRecordDecl>(decl)) {
      const auto *context = llvm::cast<clang::DeclContext>(decl);
      if (!context->isDependentContext()) {
        for (const clang::Decl *inner : context->noload_decls()) {
          visit(inner);
        }
      }
    }
  }
  void take(const clang::FunctionDecl *function) {
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    if (function->getTemplatedKind() != clang::FunctionDecl::TK_NonTemplate ||
        !function->isThisDeclarationADefinition() || (method && method->isInstance())) {
      return;
    }
    if (is_marked_kernel(*function) && seen_.insert(function).second) {
      found_.push_back(function);
    }
  }

  // Clang makes no variables that device code does not use; the program may still ask for them.
  void take(const clang::VarDecl *variable) {
    const clang::CXXRecordDecl *type = variable->getType()->getAsCXXRecordDecl();
    const clang::AccessSpecifier access = variable->getAccess();
    if (type && type->getName() == "device_global" && access != clang::AS_private &&
        access != clang::AS_protected && !variable->getDescribedVarTemplate() &&
        variable->isThisDeclarationADefinition() == clang::VarDecl::Definition &&
        type->getQualifiedNameAsString() == "sycl::ext::oneapi::experimental::device_global") {
      globals_.push_back(variable);
    }
  }

  kernel_list &found_;
  global_list &globals_;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 16> seen_;
};

inline std::string name_of(const clang::NamedDecl &decl, clang::PrintingPolicy &policy) {
  policy.SuppressUnwrittenScope = true;
  std::string name;
  llvm::raw_string_ostream stream(name);
  decl.printQualifiedName(stream, policy);
  return name;
}

inline std::string mangled_name(const clang::FunctionDecl &function) {
  std::string mangled;
  llvm::raw_string_ostream stream(mangled);
  const std::unique_ptr<clang::MangleContext> mangler(
      function.getASTContext().createMangleContext());
  if (mangler->shouldMangleDeclName(&function)) {
    mangler->mangleName(clang::GlobalDecl(&function), stream);
  } else {
    stream << function.getName();
  }
  return mangled;
}

inline void report_global(const tn_face_run &run, const clang::VarDecl &variable) {
  clang::PrintingPolicy policy(variable.getASTContext().getLangOpts());
  const std::string name = name_of(variable, policy);
  tn_face_kernel global = {};
  global.name = name.c_str();
  global.type = "";
  global.mangled = "";
  run.kernel(run.user, &global);
}

// A kernel's description, as the run is told of it.
class kernel_report {
 public:
  kernel_report(const tn_face_run &run, const clang::FunctionDecl &function)
      : run_(run),
        function_(function),
        context_(function.getASTContext()),
        policy_(context_.getLangOpts()) {}

  void say() {
    const std::string name = name_of(function_, policy_);
    const clang::QualType type = context_.getPointerType(function_.getType().getCanonicalType());
    const std::string type_name = type.getAsString(policy_);
    const std::string mangled = mangled_name(function_);
    const auto *prototype = function_.getType()->getAs<clang::FunctionProtoType>();
    const bool is_plain = prototype && prototype->getReturnType()->isVoidType() &&
                          !prototype->isVariadic() && list_arguments(*prototype);
    tn_face_kernel kernel = {};
    kernel.name = name.c_str();
    kernel.type = type_name.c_str();
    kernel.mangled = mangled.c_str();
    kernel.is_plain = is_plain;
    kernel.arguments = arguments_.data();
    kernel.argument_count = arguments_.size();
    run_.kernel(run_.user, &kernel);
  }

 private:
  // False when one is not of a type that is copied as its bytes are.
  bool list_arguments(const clang::FunctionProtoType &prototype) {
    names_.reserve(prototype.getNumParams());
    for (const clang::QualType written : prototype.param_types()) {
      const clang::QualType type = written.getCanonicalType().getUnqualifiedType();
      int kind = TN_FACE_VALUE;
      if (type->isObjectPointerType()) {
        kind = TN_FACE_POINTER;
      } else if (const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl()) {
        if (!is_plain(*record)) {
          return false;
        }
        kind = is_accessor(*record) ? TN_FACE_ACCESSOR : TN_FACE_VALUE;
      } else if (!type->isArithmeticType() && !type->isEnumeralType()) {
        return false;
      }
      names_.push_back(type.getAsString(policy_));
      const clang::TypeInfoChars info = context_.getTypeInfoInChars(type);
      arguments_.push_back({names_.back().c_str(), static_cast<size_t>(info.Width.getQuantity()),
                            static_cast<size_t>(info.Align.getQuantity()), kind});
    }
    return true;
  }
  static bool is_plain(const clang::CXXRecordDecl &record) {
    return record.hasDefinition() && record.isTriviallyCopyable() &&
           record.hasSimpleCopyConstructor() && record.hasSimpleDestructor();
  }
  // As argument_kind of include/sycl/detail/free_function.hpp tells them.
  bool is_accessor(const clang::CXXRecordDecl &record) const {
    return record.hasMemberName(&context_.Idents.get("tn_link"));
  }

  const tn_face_run &run_;
  const clang::FunctionDecl &function_;
  clang::ASTContext &context_;
  clang::PrintingPolicy policy_;
  llvm::SmallVector<std::string, 8> names_;
  llvm::SmallVector<tn_face_argument, 8> arguments_;
};

}  // namespace tenon_clang

#endif
