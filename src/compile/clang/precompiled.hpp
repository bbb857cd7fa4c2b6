// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: what Clang does with precompiled headers and is not wanted.
#ifndef TN_COMPILE_CLANG_PRECOMPILED_HPP
#define TN_COMPILE_CLANG_PRECOMPILED_HPP

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Sema/MultiplexExternalSemaSource.h"
#include "clang/Serialization/ASTReader.h"

#include <algorithm>
#include <vector>

namespace tenon_clang {

// Clang reads the friends of a class template with the class, so that both come from one module:
// dozens of operators, for a type in some signature. A precompiled header is one module.
template <auto Member>
struct related_declarations {
  friend auto &related_in(clang::ASTReader &reader) { return reader.*Member; }
};
template struct related_declarations<&clang::ASTReader::RelatedDeclsMap>;
auto &related_in(clang::ASTReader &reader);

inline void read_friends_late(const clang::CompilerInstance &clang) {
  if (const auto reader = clang.getASTReader()) {
    related_in(*reader).clear();
  }
}

// Clang reads the fields of a class before its other members and lists them behind those, which
// debug information would show. Here a class is read as a whole.
class whole_classes final : public clang::MultiplexExternalSemaSource {
 public:
  static void read_with(clang::CompilerInstance &clang) {
    if (const auto reader = clang.getASTReader()) {
      const auto own = llvm::makeIntrusiveRefCnt<whole_classes>(reader);
      clang.getASTContext().setExternalSource(own);
      own->incrementGeneration(clang.getASTContext());  // what is known may be old
    }
  }
  explicit whole_classes(llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource> reader)
      : MultiplexExternalSemaSource(std::move(reader),
                                    llvm::makeIntrusiveRefCnt<clang::ExternalSemaSource>()) {}

 private:
  void FindExternalLexicalDecls(const clang::DeclContext *context,
                                llvm::function_ref<bool(clang::Decl::Kind)> is_wanted,
                                llvm::SmallVectorImpl<clang::Decl *> &out) override {
    const auto *record = llvm::dyn_cast<clang::RecordDecl>(context);
    if (record && is_wanted(clang::Decl::Field) && !is_wanted(clang::Decl::CXXMethod)) {
      record->setHasLoadedFieldsFromExternalStorage(false);
      (void)record->decls_begin();
      record->setHasLoadedFieldsFromExternalStorage(true);
    } else {
      MultiplexExternalSemaSource::FindExternalLexicalDecls(context, is_wanted, out);
    }
  }
};

// Clang's reader gives definitions to a consumer one after another. What it reads while one of them
// is compiled waits, and a header has the global scope before namespaces: functions and, what is
// worse, initializations come in another order than those of a source. Here they do not.
class definitions final : public clang::ASTConsumer {
 public:
  static void give(clang::ExternalASTSource &reader, clang::ASTConsumer &consumer) {
    definitions all;
    reader.StartTranslationUnit(&all);
    reader.StartTranslationUnit(&consumer);
    std::vector<clang::DeclGroupRef> sorted;  // most are at their places already
    for (const clang::DeclGroupRef &group : all.groups_) {
      sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), group, is_before), group);
    }
    for (const clang::DeclGroupRef &group : sorted) {
      consumer.HandleInterestingDecl(group);
    }
  }

 private:
  void HandleInterestingDecl(clang::DeclGroupRef group) override { groups_.push_back(group); }

  static bool is_before(const clang::DeclGroupRef &left, const clang::DeclGroupRef &right) {
    const clang::Decl *const a = *left.begin();
    const clang::SourceLocation place = a->getLocation();
    const clang::SourceLocation other = (*right.begin())->getLocation();
    return place.isValid() && other.isValid()
               ? a->getASTContext().getSourceManager().isBeforeInTranslationUnit(place, other)
               : place.isInvalid() && other.isValid();
  }

  std::vector<clang::DeclGroupRef> groups_;
};

// At the end of a source Clang looks once more at functions that might not be for devices, and at
// constructors that call others. With these lists in it, a precompiled header would be read nearly
// as a whole whatever the source uses; what is in it has been looked at when it was made.
class header_end final : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema &sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }
  void HandleTranslationUnit(clang::ASTContext &) override {
    sema_->DeclsToCheckForDeferredDiags.clear();
    sema_->DelegatingCtorDecls = {};
  }

 private:
  clang::Sema *sema_ = nullptr;
};

// Stands among the imports for where the header looks into a type of Clang's own.
constexpr uint64_t va_list_import = 0;

// __COUNTER__ goes on where it was at the header's end. Clang forgets it where it does not validate
// the header.
class counter_reader final : public clang::DependencyCollector {
 public:
  explicit counter_reader(clang::CompilerInstance &clang) : clang_(clang) {}
  void attachToPreprocessor(clang::Preprocessor &) override {}
  void attachToASTReader(clang::ASTReader &reader) override {
    reader.addListener(std::make_unique<listener>(clang_.getPreprocessor()));
  }

 private:
  class listener final : public clang::ASTReaderListener {
   public:
    explicit listener(clang::Preprocessor &preprocessor) : preprocessor_(preprocessor) {}
    void ReadCounter(const clang::serialization::ModuleFile &, uint32_t value) override {
      preprocessor_.setCounterValue(std::max(value, preprocessor_.getCounterValue()));
    }

   private:
    clang::Preprocessor &preprocessor_;
  };
  clang::CompilerInstance &clang_;
};

inline void keep_counter(clang::CompilerInstance &clang) {
  if (!clang.getPreprocessorOpts().ImplicitPCHInclude.empty()) {
    clang.addDependencyCollector(std::make_shared<counter_reader>(clang));
  }
}

}  // namespace tenon_clang

#endif
