// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: what Clang does with precompiled headers and is not wanted.
#ifndef TN_COMPILE_CLANG_PRECOMPILED_HPP
#define TN_COMPILE_CLANG_PRECOMPILED_HPP

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTReader.h"

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
