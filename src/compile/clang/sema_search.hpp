// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang's C++ files: finds what SYCL's headers declare, and makes classes of their
// templates, while Clang is at work.
#ifndef TN_COMPILE_CLANG_SEMA_SEARCH_HPP
#define TN_COMPILE_CLANG_SEMA_SEARCH_HPP

#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"

namespace tenon_clang {

template <class T>
T *find_in(const clang::DeclContext &place, const char *name) {
  for (clang::NamedDecl *each : place.lookup(&place.getParentASTContext().Idents.get(name))) {
    if (auto *found = llvm::dyn_cast<T>(each)) {
      return found;
    }
  }
  return nullptr;
}

// A class template below namespaces; NULL: the headers are not there.
inline clang::ClassTemplateDecl *find_template(clang::ASTContext &context,
                                               std::initializer_list<const char *> spaces,
                                               const char *name) {
  const clang::DeclContext *place = context.getTranslationUnitDecl();
  for (const char *space : spaces) {
    place = find_in<clang::NamespaceDecl>(*place, space);
    if (!place) {
      return nullptr;
    }
  }
  return find_in<clang::ClassTemplateDecl>(*place, name);
}

// The class of that argument, complete; NULL after an error. `type` is the argument, or its type.
inline clang::CXXRecordDecl *make_instance(clang::Sema &sema, clang::ClassTemplateDecl &pattern,
                                           const clang::TemplateArgument &argument,
                                           clang::QualType type, clang::SourceLocation at) {
  clang::TemplateArgumentListInfo arguments(at, at);
  arguments.addArgument(sema.getTrivialTemplateArgumentLoc(argument, type, at));
  const clang::QualType made =
      sema.CheckTemplateIdType(clang::ElaboratedTypeKeyword::None, clang::TemplateName(&pattern),
                               at, arguments, nullptr, false);
  if (made.isNull() || sema.RequireCompleteType(at, made, clang::diag::err_incomplete_type)) {
    return nullptr;
  }
  return made->getAsCXXRecordDecl();
}

}  // namespace tenon_clang

#endif
