// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The attributes of SYCL's kernels, registered with Clang: each becomes the annotation that
// compile/lower reads. attribute_tokens.hpp brings them to the parser.
//
// An annotation's arguments are the attribute's values (include/sycl/detail/attribute_values.hpp),
// its line and its column. Values may depend on template parameters, since Clang instantiates
// annotations; those are checked by compile/lower, all others here.
//
// Part of libtenon-compiler.so, and of the plugin of the clang that tenon++ runs.
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/ScopeInfo.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

namespace {

using clang::ParsedAttr;

// The number of arguments that is no limit.
constexpr unsigned any_count = ~0u;

// As the header has them.
enum value_kind : unsigned {
  value_is_other,
  value_is_positive,
  value_is_not_positive,
  value_is_aspect
};

class attribute_check {
 public:
  attribute_check(clang::Sema &sema, const ParsedAttr &attribute, clang::Expr *call)
      : sema_(sema), attribute_(attribute), call_(call) {}

  // Reports what is wrong with values that are known. `minimum` to `maximum` sizes, or aspects.
  bool check(bool are_aspects, unsigned maximum) const {
    clang::Expr::EvalResult result;
    llvm::SmallVector<clang::PartialDiagnosticAt, 4> notes;
    result.Diag = &notes;
    if (!call_->EvaluateAsConstantExpr(result, sema_.Context) || !notes.empty() ||
        !result.Val.isStruct()) {
      report_not_constant(notes);
      return false;
    }
    const clang::APValue &parts = result.Val.getStructField(0);
    const unsigned count = parts.getArraySize() / 2;
    if (!are_aspects && !check_count(count, maximum)) {
      return false;
    }
    for (unsigned i = 0; i < count; i++) {
      if (!check_kind(i, part(parts, 2 * i + 1), are_aspects)) {
        return false;
      }
    }
    return true;
  }

 private:
  static uint64_t part(const clang::APValue &parts, unsigned index) {
    const clang::APValue &value = index < parts.getArrayInitializedElts()
                                      ? parts.getArrayInitializedElt(index)
                                      : parts.getArrayFiller();
    return value.getInt().getZExtValue();
  }

  bool check_count(unsigned count, unsigned maximum) const {
    if (maximum == 1 && count != 1) {
      report(attribute_.getLoc(), clang::diag::err_attribute_wrong_number_arguments) << 1;
    } else if (count == 0) {
      report(attribute_.getLoc(), clang::diag::err_attribute_too_few_arguments) << 1;
    } else if (count > maximum) {
      report(attribute_.getLoc(), clang::diag::err_attribute_too_many_arguments) << maximum;
    }
    return count > 0 && count <= maximum;
  }

  bool check_kind(unsigned index, uint64_t kind, bool are_aspects) const {
    if (kind == (are_aspects ? value_is_aspect : value_is_positive)) {
      return true;
    }
    if (are_aspects) {
      const unsigned id = sema_.getDiagnostics().getCustomDiagID(
          clang::DiagnosticsEngine::Error, "%0 attribute requires values of 'sycl::aspect'");
      sema_.Diag(place_of(index), id) << attribute_;
    } else if (kind == value_is_not_positive) {
      report(place_of(index), clang::diag::err_attribute_requires_positive_integer) << 0;
    } else {
      report(place_of(index), clang::diag::err_attribute_argument_n_type)
          << index + 1 << clang::AANT_ArgumentIntegerConstant;
    }
    return false;
  }

  void report_not_constant(llvm::ArrayRef<clang::PartialDiagnosticAt> notes) const {
    const auto *call = llvm::dyn_cast<clang::CallExpr>(call_->IgnoreImplicit());
    unsigned index = 0;
    for (unsigned i = 0; call && i < call->getNumArgs(); i++) {
      clang::Expr::EvalResult result;
      if (!call->getArg(i)->EvaluateAsConstantExpr(result, sema_.Context)) {
        index = i;
        break;
      }
    }
    report(place_of(index), clang::diag::err_attribute_argument_n_type)
        << index + 1 << clang::AANT_ArgumentIntegerConstant;
    for (const clang::PartialDiagnosticAt &note : notes) {
      sema_.Diag(note.first, note.second);
    }
  }

  clang::SourceLocation place_of(unsigned index) const {
    const auto *call = llvm::dyn_cast<clang::CallExpr>(call_->IgnoreImplicit());
    return call && index < call->getNumArgs() ? call->getArg(index)->getExprLoc()
                                              : attribute_.getLoc();
  }

  clang::Sema::SemaDiagnosticBuilder report(clang::SourceLocation at, unsigned id) const {
    return std::move(sema_.Diag(at, id) << attribute_);
  }

  clang::Sema &sema_;
  const ParsedAttr &attribute_;
  clang::Expr *call_;
};

// An attribute of kernels or functions, with its spelling in each scope.
class kernel_attribute : public clang::ParsedAttrInfo {
 protected:
  // Clang knows attributes by kinds, and rejects those without one behind declarators. The kind of
  // may_alias is accepted there, and handled by the attribute's own function at the declaration.
  kernel_attribute(llvm::ArrayRef<Spelling> spellings, bool are_aspects, unsigned maximum,
                   const char *annotation)
      : ParsedAttrInfo(clang::AttributeCommonInfo::AT_MayAlias),
        are_aspects_(are_aspects),
        maximum_(maximum),
        annotation_(annotation) {
    Spellings = spellings;
    OptArgs = 1;
  }

 private:
  bool diagAppertainsToDecl(clang::Sema &sema, const ParsedAttr &attribute,
                            const clang::Decl *declaration) const override {
    if (llvm::isa<clang::FunctionDecl>(declaration)) {
      return true;
    }
    sema.Diag(attribute.getLoc(), clang::diag::err_attribute_wrong_decl_type_str)
        << attribute << attribute.isRegularKeywordAttribute() << "functions";
    return false;
  }

  AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *declaration,
                                   const ParsedAttr &attribute) const override {
    clang::Expr *call = attribute.getSyntax() == ParsedAttr::AS_Keyword &&
                                attribute.getNumArgs() == 1 && attribute.isArgExpr(0)
                            ? attribute.getArgAsExpr(0)
                            : nullptr;
    if (!call) {  // there are no headers of SYCL
      sema.Diag(attribute.getLoc(), clang::diag::warn_attribute_ignored) << attribute;
      return AttributeNotApplied;
    }
    // Values are no uses of variables. Clang would look for those that a lambda may have to capture
    // at the end of the next full expression, which is not the attribute's.
    if (clang::sema::LambdaScopeInfo *lambda =
            sema.getCurLambda(/*IgnoreNonLambdaCapturingScope=*/true)) {
      lambda->clearPotentialCaptures();
    }
    const attribute_check values(sema, attribute, call);
    if (!call->isInstantiationDependent() && !values.check(are_aspects_, maximum_)) {
      return AttributeNotApplied;
    }
    if (annotation_) {
      annotate(sema, declaration, attribute, call);
    }
    return AttributeApplied;
  }

  void annotate(clang::Sema &sema, clang::Decl *declaration, const ParsedAttr &attribute,
                clang::Expr *call) const {
    const clang::PresumedLoc at = sema.getSourceManager().getPresumedLoc(attribute.getLoc());
    clang::Expr *arguments[] = {call, number(sema, attribute, at.isValid() ? at.getLine() : 0),
                                number(sema, attribute, at.isValid() ? at.getColumn() : 0)};
    constexpr clang::AttributeCommonInfo::Form form(ParsedAttr::AS_GNU, 0, false, false);
    const clang::AttributeCommonInfo info(attribute.getAttrName(), clang::AttributeScopeInfo(),
                                          attribute.getRange(), ParsedAttr::AT_Annotate, form);
    if (clang::Attr *made = sema.CreateAnnotationAttr(info, annotation_, arguments)) {
      declaration->addAttr(made);
    }
  }

  static clang::Expr *number(clang::Sema &sema, const ParsedAttr &attribute, unsigned value) {
    return clang::IntegerLiteral::Create(sema.Context, llvm::APInt(32, value),
                                         sema.Context.UnsignedIntTy, attribute.getLoc());
  }

  bool are_aspects_;
  unsigned maximum_;
  const char *annotation_;  // NULL: it has no effect
};

// The spellings with [[…]] are for __has_cpp_attribute, and for sources without headers of SYCL.
#define TN_SPELLINGS(name)                                                           \
  {ParsedAttr::AS_Keyword, "sycl::" name}, {ParsedAttr::AS_Keyword, "intel::" name}, \
      {ParsedAttr::AS_Keyword, "cl::" name}, {ParsedAttr::AS_CXX11, "sycl::" name},  \
      {ParsedAttr::AS_CXX11, "intel::" name}, {                                      \
    ParsedAttr::AS_CXX11, "cl::" name                                                \
  }

constexpr clang::ParsedAttrInfo::Spelling work_group_spellings[] = {
    TN_SPELLINGS("reqd_work_group_size")};
constexpr clang::ParsedAttrInfo::Spelling sub_group_spellings[] = {
    TN_SPELLINGS("reqd_sub_group_size")};
constexpr clang::ParsedAttrInfo::Spelling device_spellings[] = {TN_SPELLINGS("device_has")};
constexpr clang::ParsedAttrInfo::Spelling hint_spellings[] = {TN_SPELLINGS("work_group_size_hint")};

struct work_group_attribute final : kernel_attribute {
  work_group_attribute()
      : kernel_attribute(work_group_spellings, false, 3, "tenon.reqd_work_group_size") {}
};
struct sub_group_attribute final : kernel_attribute {
  sub_group_attribute()
      : kernel_attribute(sub_group_spellings, false, 1, "tenon.reqd_sub_group_size") {}
};
struct device_attribute final : kernel_attribute {
  device_attribute() : kernel_attribute(device_spellings, true, any_count, "tenon.device_has") {}
};
struct hint_attribute final : kernel_attribute {
  hint_attribute() : kernel_attribute(hint_spellings, false, 3, nullptr) {}
};

using registry = clang::ParsedAttrInfoRegistry;
const registry::Add<work_group_attribute> work_group("sycl::reqd_work_group_size",
                                                     "the size of a kernel's work-groups");
const registry::Add<sub_group_attribute> sub_group("sycl::reqd_sub_group_size",
                                                   "the size of a kernel's sub-groups");
const registry::Add<device_attribute> device("sycl::device_has",
                                             "the aspects that a function may use");
const registry::Add<hint_attribute> hint("sycl::work_group_size_hint",
                                         "the likely size of a kernel's work-groups");

}  // namespace
