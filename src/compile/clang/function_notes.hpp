// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang's C++ files: notes about functions of device code that LLVM's IR does not show:
// try blocks, whose handlers Clang leaves out, and where lambdas have their captures. Notes are
// annotations, which compile/lower and compile/frontend read. And what Clang has to be told of
// their variables. For NVIDIA GPUs, which parameters are of classes that are not copied as bytes:
// Clang copies those too, where C++ has them passed by reference.
#ifndef TN_COMPILE_CLANG_FUNCTION_NOTES_HPP
#define TN_COMPILE_CLANG_FUNCTION_NOTES_HPP

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "llvm/ADT/StringExtras.h"

namespace tenon_clang {

// Consumers of a device pass, CodeGen among them. A class whose key function is defined in the
// source has its table of virtual functions made, and with it those functions and all that they
// call: the host's code, of which nothing is asked. CodeGen makes the tables that device code names
// without being told.
class without_tables final : public clang::MultiplexConsumer {
 public:
  using MultiplexConsumer::MultiplexConsumer;
  void HandleVTable(clang::CXXRecordDecl *) override {}
};

// Sees each function when its body is complete, before CodeGen does. Functions whose bodies come
// from a precompiled header have their notes from when the header was made; none is loaded here.
//
// Instances of templates are visited by a mutation listener, when they are instantiated: consumers
// do not get generic lambdas that were instantiated for their return type. System headers are left
// out, as for warnings.
class function_notes final : public clang::ASTConsumer, private clang::ASTMutationListener {
 public:
  // A consumer that does nothing where this is no device pass of C++.
  static std::unique_ptr<clang::ASTConsumer> make(const clang::CompilerInstance &clang) {
    if (clang.getLangOpts().SYCLIsDevice) {
      return std::make_unique<function_notes>(wants_closures(clang.getFrontendOpts()));
    }
    return std::make_unique<clang::ASTConsumer>();
  }
  // `code` behind the notes that it needs.
  static std::unique_ptr<clang::ASTConsumer> add_to(const clang::CompilerInstance &clang,
                                                    std::unique_ptr<clang::ASTConsumer> code) {
    if (!code || !clang.getLangOpts().SYCLIsDevice) {
      return code;
    }
    std::vector<std::unique_ptr<clang::ASTConsumer>> both;
    both.push_back(make(clang));
    both.push_back(std::move(code));
    return std::make_unique<without_tables>(std::move(both));
  }

  explicit function_notes(bool wants_closures) : wants_closures_(wants_closures) {}

  // The plugin's name in -plugin-arg-<name>, also where no plugin is loaded.
  static constexpr char own_action[] = "tenon-kernel-attributes";

  void Initialize(clang::ASTContext &context) override { context_ = &context; }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *decl : group) {
      visit(decl);
    }
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override { visit(function); }
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *variable) override {
    keep_out_of_comdat(*variable);
  }
  void HandleInterestingDecl(clang::DeclGroupRef) override {}  // of precompiled headers
  clang::ASTMutationListener *GetASTMutationListener() override { return this; }

 private:
  void FunctionDefinitionInstantiated(const clang::FunctionDecl *function) override {
    auto &instance = *const_cast<clang::FunctionDecl *>(function);
    if (!is_left_out(instance)) {
      note(instance);
    } else {
      keep_group_statics(instance);
      note_parameters(instance);
    }
  }
  void CompletedImplicitDefinition(const clang::FunctionDecl *function) override {
    FunctionDefinitionInstantiated(function);
  }

  using locations = llvm::SmallVector<clang::SourceLocation, 4>;

  static bool wants_closures(const clang::FrontendOptions &options) {
    const auto words = options.PluginArgs.find(own_action);
    return words != options.PluginArgs.end() && llvm::is_contained(words->second, "closures");
  }

  bool is_left_out(const clang::Decl &decl) const {
    return decl.isInvalidDecl() ||
           context_->getSourceManager().isInSystemHeader(decl.getLocation());
  }

  // Clang writes the initialization of an inline variable, or of an instance of a template, into
  // llvm.global_ctors with the variable as its COMDAT. Where variables have an address space of
  // their own, which is none of that list, the module is invalid. Of a variable with a priority
  // Clang writes none. Device code initializes nothing anyhow: what is left of host functions does.
  void keep_out_of_comdat(clang::VarDecl &variable) const {
    if (!variable.hasAttr<clang::InitPriorityAttr>()) {
      variable.addAttr(clang::InitPriorityAttr::CreateImplicit(*context_, last_priority));
    }
  }
  static constexpr unsigned last_priority = 65535;

  // Instances of templates and functions inside of classes come by themselves.
  void visit(clang::Decl *decl) {
    if (auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
        variable && variable->isInline() && !variable->isInvalidDecl()) {
      keep_out_of_comdat(*variable);
    }
    if (is_left_out(*decl)) {
      visit_left_out(decl);
      return;
    }
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
      if (!function->isTemplateInstantiation()) {
        note(*function);
      }
    } else if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
      visit_value(*decl, variable->getInit());
    } else if (const auto *field = llvm::dyn_cast<clang::FieldDecl>(decl)) {
      visit_value(*decl, field->getInClassInitializer());
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl,
                         clang::CXXRecordDecl>(decl)) {
      for (clang::Decl *inner : llvm::cast<clang::DeclContext>(decl)->noload_decls()) {
        if (!llvm::isa<clang::CXXMethodDecl>(inner) || !llvm::isa<clang::CXXRecordDecl>(decl)) {
          visit(inner);
        }
      }
    }
  }

  void visit_left_out(clang::Decl *decl) const {
    if (decl->isInvalidDecl()) {
      return;
    }
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
      keep_group_statics(*function);
      note_parameters(*function);
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl>(decl)) {
      for (clang::Decl *inner : llvm::cast<clang::DeclContext>(decl)->noload_decls()) {
        visit_left_out(inner);
      }
    } else if (const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(decl);
               record && record->isLambda()) {
      keep_group_statics_in(*record);
    }
  }

  // The functions of lambdas in it.
  void visit_value(const clang::Decl &decl, const clang::Stmt *value) {
    locations none;
    if (!decl.getDeclContext()->isDependentContext()) {
      find(value, none);
    }
  }

  // A default member initializer or argument, where it is used first.
  void visit_default(const clang::Decl &decl, const clang::Expr *value) {
    if (!is_left_out(decl) && defaults_.insert(&decl).second) {
      visit_value(decl, value);
    }
  }

  void note(clang::FunctionDecl &function) {
    if (!function.doesThisDeclarationHaveABody() || function.isDependentContext()) {
      return;
    }
    keep_group_statics(function);
    note_parameters(function);
    locations tries;
    if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&function)) {
      for (const clang::CXXCtorInitializer *member : constructor->inits()) {
        find(member->getInit(), tries);
      }
    }
    find(function.getBody(), tries);
    if (!tries.empty() && !has_note(function, try_blocks)) {
      annotate_tries(function, tries);
    }
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    if (wants_closures_ && method && method->getParent()->isLambda() &&
        !method->getParent()->field_empty() && !has_note(function, closure)) {
      annotate_closure(function, *method->getParent());
    }
  }

  // In the order of the source. Lambdas are functions of their own.
  void find(const clang::Stmt *code, locations &tries) {
    llvm::SmallVector<const clang::Stmt *, 32> rest = {code};
    while (!rest.empty()) {
      const clang::Stmt *const next = rest.pop_back_val();
      if (!next) {
        continue;
      }
      if (const auto *block = llvm::dyn_cast<clang::CXXTryStmt>(next)) {
        tries.push_back(block->getTryLoc());
      }
      if (const auto *call = llvm::dyn_cast<clang::CallExpr>(next)) {
        note_callee(call->getDirectCallee());
      } else if (const auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(next)) {
        note_callee(construction->getConstructor());
      }
      if (const auto *member = llvm::dyn_cast<clang::CXXDefaultInitExpr>(next)) {
        visit_default(*member->getField(), member->getExpr());
      } else if (const auto *argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(next)) {
        visit_default(*argument->getParam(), argument->getExpr());
      }
      const size_t first = rest.size();
      if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(next)) {
        note(*lambda->getCallOperator());
        rest.append(lambda->capture_init_begin(), lambda->capture_init_end());
      } else if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(next);
                 choice && choice->isConstexpr()) {
        rest.append({choice->getInit(), choice->getNondiscardedCase(*context_).value_or(nullptr)});
      } else {
        rest.append(next->child_begin(), next->child_end());
      }
      std::reverse(rest.begin() + static_cast<ptrdiff_t>(first), rest.end());
    }
  }

  // What is called may be defined in another source.
  void note_callee(const clang::FunctionDecl *function) const {
    if (function) {
      note_parameters(*const_cast<clang::FunctionDecl *>(function));
    }
  }

  static bool is_by_reference(clang::QualType type) {
    const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
    return record && record->hasDefinition() && !record->canPassInRegisters();
  }

  // Which parameters those are, counted from the last: Clang puts arguments of its own before them.
  void note_parameters(clang::FunctionDecl &function) const {
    if (!context_->getTargetInfo().getTriple().isNVPTX() || function.isDependentContext()) {
      return;
    }
    llvm::SmallVector<clang::Expr *, 8> places;
    for (const clang::ParmVarDecl *parameter : function.parameters()) {
      if (is_by_reference(parameter->getType())) {
        places.push_back(
            number(function.getNumParams() - 1 - parameter->getFunctionScopeIndex()));
      }
    }
    if (!places.empty() && !has_note(function, by_reference)) {
      annotate(function, by_reference, places);
    }
  }

  // sycl_ext_oneapi_work_group_static: in block scope such a variable is static, and so is an array
  // of them. A function has its variables in a list, so that no statement is looked at.
  void keep_group_statics(const clang::FunctionDecl &function) const {
    if (function.doesThisDeclarationHaveABody() && !function.isDependentContext()) {
      keep_group_statics_in(function);
    }
  }

  void keep_group_statics_in(const clang::DeclContext &code) const {
    for (clang::Decl *each : code.noload_decls()) {
      if (auto *variable = llvm::dyn_cast<clang::VarDecl>(each)) {
        if (variable->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(variable) &&
            is_group_static(variable->getType())) {
          variable->setStorageClass(clang::SC_Static);
        }
      } else if (const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(each)) {
        keep_group_statics_in(*record);  // lambdas, and classes inside of functions
      } else if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(each)) {
        keep_group_statics(*method);
      }
    }
  }

  bool is_group_static(clang::QualType type) const {
    const clang::CXXRecordDecl *record =
        type->isDependentType() ? nullptr
                                : context_->getBaseElementType(type)->getAsCXXRecordDecl();
    return record && record->getIdentifier() && record->getName() == "work_group_static" &&
           record->getQualifiedNameAsString() ==
               "sycl::ext::oneapi::experimental::work_group_static";
  }

  static constexpr char try_blocks[] = "tenon.try_blocks";
  static constexpr char closure[] = "tenon.closure:";
  static constexpr char by_reference[] = "tenon.by_reference";

  static bool has_note(const clang::FunctionDecl &function, llvm::StringRef name) {
    return llvm::any_of(function.specific_attrs<clang::AnnotateAttr>(),
                        [name](const clang::AnnotateAttr *mark) {
                          return mark->getAnnotation().starts_with(name);
                        });
  }

  // The lines and columns of the try blocks, in the function's file.
  void annotate_tries(clang::FunctionDecl &function, const locations &tries) const {
    const clang::SourceManager &sources = context_->getSourceManager();
    const clang::PresumedLoc own = sources.getPresumedLoc(function.getLocation());
    llvm::SmallVector<clang::Expr *, 8> arguments;
    for (const clang::SourceLocation location : tries) {
      clang::PresumedLoc at = sources.getPresumedLoc(location);
      if (at.isInvalid() || own.isInvalid() ||
          llvm::StringRef(at.getFilename()) != own.getFilename()) {
        at = own;  // its body, or a part, is another file
      }
      arguments.push_back(number(at.isValid() ? at.getLine() : 0));
      arguments.push_back(number(at.isValid() ? at.getColumn() : 0));
    }
    annotate(function, try_blocks, arguments);
  }

  // "tenon.closure:<line>|<offset in bytes>:<name>|…" of a lambda's function.
  void annotate_closure(clang::FunctionDecl &function, const clang::CXXRecordDecl &type) const {
    const clang::ASTRecordLayout &layout = context_->getASTRecordLayout(&type);
    const clang::PresumedLoc at = context_->getSourceManager().getPresumedLoc(type.getLocation());
    std::string text = closure + llvm::utostr(at.isValid() ? at.getLine() : 0);
    for (const auto &[capture, field] : llvm::zip(type.captures(), type.fields())) {
      const uint64_t offset = layout.getFieldOffset(field->getFieldIndex()) / 8;
      text += "|" + llvm::utostr(offset) + ":" + name_of(capture);
    }
    annotate(function, text, {number(0)});
  }

  static std::string name_of(const clang::LambdaCapture &capture) {
    return capture.capturesThis()       ? "this"
           : capture.capturesVariable() ? capture.getCapturedVar()->getName().str()
                                        : "";
  }

  // With arguments, as all annotations of device code (external_attribute.cpp). CodeGen may ask any
  // declaration of the function.
  void annotate(clang::FunctionDecl &function, llvm::StringRef text,
                llvm::SmallVector<clang::Expr *, 8> arguments) const {
    for (clang::FunctionDecl *declaration : function.redecls()) {
      declaration->addAttr(clang::AnnotateAttr::CreateImplicit(
          *context_, text, arguments.data(), static_cast<unsigned>(arguments.size()),
          function.getLocation()));
    }
  }

  clang::Expr *number(unsigned value) const {
    const llvm::APInt bits(32, value);
    const clang::QualType type = context_->UnsignedIntTy;
    return clang::ConstantExpr::Create(
        *context_,
        clang::IntegerLiteral::Create(*context_, bits, type, clang::SourceLocation()),
        clang::APValue(llvm::APSInt(bits, /*isUnsigned=*/true)));
  }

  const bool wants_closures_;
  clang::ASTContext *context_ = nullptr;
  llvm::SmallPtrSet<const clang::Decl *, 16> defaults_;
};

}  // namespace tenon_clang

#endif
