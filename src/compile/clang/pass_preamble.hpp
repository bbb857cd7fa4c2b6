// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: a pass with what its source begins with precompiled. Nobody can tell
// the result from that of a pass without: places in the precompiled text are the source's own,
// rules of make name the same files, and templates are instantiated at the same point in both.
#ifndef TN_COMPILE_CLANG_PASS_PREAMBLE_HPP
#define TN_COMPILE_CLANG_PASS_PREAMBLE_HPP

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/PreprocessorOutputOptions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Parse/Parser.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/ASTReader.h"
#include "compile/clang/clang_face.h"
#include "compile/clang/precompiled.hpp"
#include "compile/clang/run_files.hpp"
#include "compile/clang/sink.hpp"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace tenon_clang {

// Dependencies of a precompiled header in the place where the source would have had them.
class replayed_dependencies final : public clang::DependencyFileGenerator {
 public:
  replayed_dependencies(const clang::DependencyOutputOptions &options, llvm::StringRef source,
                        const tn_clang_preamble &preamble)
      : DependencyFileGenerator(options), source_(source), preamble_(preamble) {}
  void attachToPreprocessor(clang::Preprocessor &preprocessor) override {
    maybeAddDependency(llvm::sys::path::remove_leading_dotslash(source_), false, false, false,
                       false);
    for (const tn_clang_header *header : {&preamble_.base, &preamble_.rest}) {
      for (size_t i = 0; i < header->dependency_count; i++) {
        const tn_clang_dependency &file = header->dependencies[i];
        maybeAddDependency(file.name, false, file.is_system != 0, false, false);
      }
    }
    DependencyFileGenerator::attachToPreprocessor(preprocessor);
  }
  void attachToASTReader(clang::ASTReader &) override {}

 private:
  llvm::StringRef source_;
  const tn_clang_preamble &preamble_;
};

class pass_preamble {
 public:
  // Asks for one, and changes the run so that it is used.
  void find(clang::CompilerInstance &clang, const tn_face_pass &pass, bool is_wanted) {
    clang::CompilerInvocation &made = clang.getInvocation();
    if (!pass.preamble || made.getFrontendOpts().Inputs.size() != 1 || !may_have_one(made)) {
      return;
    }
    const clang::FrontendInputFile &input = made.getFrontendOpts().Inputs[0];
    if (!input.isFile()) {
      return;
    }
    const auto status = clang.getVirtualFileSystem().status(input.getFile());
    if (!status || !status->isRegularFile()) {
      return;
    }
    auto text = clang.getVirtualFileSystem().getBufferForFile(input.getFile());
    if (!text) {
      return;
    }
    make_words(made);
    std::vector<const char *> words;
    for (const std::string &word : words_) {
      words.push_back(word.c_str());
    }
    const std::string source = input.getFile().str();
    const tn_clang_preamble_query query = {
        source.c_str(), (*text)->getBufferStart(),     (*text)->getBufferSize(), words.data(),
        words.size(),   is_wanted && can_use_one(made)};
    pass.preamble(pass.user, &query, &found_);
    if (is_used()) {
      use(clang, source);
    }
  }

  // Whether it may be the precompiled header's fault that a pass failed.
  bool is_doubtful(const clang::DiagnosticsEngine &diagnostics) const {
    return is_used() && (!has_begun_ || diagnostics.hasFatalErrorOccurred());
  }

  bool has_any() const { return found_.size > 0; }
  bool is_used() const { return found_.base.data || found_.rest.data; }

  // When the precompiled header has been opened.
  void begin(clang::CompilerInstance &clang) {
    const auto reader = clang.getASTReader();
    has_begun_ = true;
    if (!is_used() || !reader) {
      return;
    }
    read_friends_late(clang);
    for (const auto &[header, module] : modules(*reader)) {
      put_in_place(clang, *header, *module);
    }
  }

  // What debug information tells of and Clang does not look at in precompiled headers.
  void see_imports(clang::CompilerInstance &clang, clang::ASTConsumer &consumer) const {
    const auto reader = clang.getASTReader();
    if (!is_used() || !reader || !clang.getCodeGenOpts().hasReducedDebugInfo()) {
      return;
    }
    for (const auto &[header, module] : modules(*reader)) {
      see_imports_of(*header, *module, clang, consumer);
    }
  }

  void see_imports_of(const tn_clang_header &header, clang::serialization::ModuleFile &module,
                      clang::CompilerInstance &clang, clang::ASTConsumer &consumer) const {
    clang::ASTReader &reader = *clang.getASTReader();
    for (size_t at = 0; at + sizeof(uint64_t) <= header.import_size; at += sizeof(uint64_t)) {
      const uint64_t number = llvm::support::endian::read64le(header.imports + at);
      if (number == va_list_import) {
        if (auto *list =
                llvm::dyn_cast_or_null<clang::TagDecl>(clang.getASTContext().getVaListTagDecl())) {
          list->setCompleteDefinitionRequired();
          consumer.HandleTagDeclRequiredDefinition(list);
        }
        continue;
      }
      const auto id = clang::LocalDeclID::get(reader, module, number);
      if (clang::Decl *import = reader.GetLocalDecl(module, id)) {
        consumer.HandleTopLevelDecl(clang::DeclGroupRef(import));
      }
    }
  }

  // As Clang's ParseAST does. What headers instantiate is instantiated where they end, as it is
  // when they are precompiled.
  void parse(clang::CompilerInstance &clang) const {
    clang::Sema &sema = clang.getSema();
    clang::ASTConsumer &consumer = sema.getASTConsumer();
    clang::Parser parser(sema.getPreprocessor(), sema, /*SkipFunctionBodies=*/false);
    sema.getPreprocessor().EnterMainSourceFile();
    if (clang::ExternalASTSource *precompiled = sema.getASTContext().getExternalSource()) {
      precompiled->StartTranslationUnit(&consumer);
    }
    {
      const llvm::TimeTraceScope scope("Frontend");
      parser.Initialize();
      clang::Parser::DeclGroupPtrTy group;
      clang::Sema::ModuleImportState imports;
      const clang::EnterExpressionEvaluationContext evaluated(
          sema, clang::Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
      bool is_ended = is_used();
      see_imports(clang, consumer);
      end_headers(parser, sema, is_ended);
      bool is_over = parser.ParseFirstTopLevelDecl(group, imports);
      while (!is_over) {
        if (group && !consumer.HandleTopLevelDecl(group.get())) {
          return;
        }
        end_headers(parser, sema, is_ended);
        is_over = parser.ParseTopLevelDecl(group, imports);
      }
    }
    for (clang::Decl *weak : sema.WeakTopLevelDecls()) {
      consumer.HandleTopLevelDecl(clang::DeclGroupRef(weak));
    }
    consumer.HandleTranslationUnit(sema.getASTContext());
  }

 private:
  using header_module = std::pair<const tn_clang_header *, clang::serialization::ModuleFile *>;

  // What was loaded, the base first.
  llvm::SmallVector<header_module, 2> modules(clang::ASTReader &reader) const {
    llvm::SmallVector<header_module, 2> all;
    clang::serialization::ModuleManager &loaded = reader.getModuleManager();
    for (const auto &[header, name] :
         {std::pair(&found_.base, precompiled_name), std::pair(&found_.rest, rest_name())}) {
      clang::serialization::ModuleFile *module =
          header->data ? loaded.lookupByFileName(name) : nullptr;
      if (module) {
        all.emplace_back(header, module);
      }
    }
    return all;
  }

  const char *rest_name() const { return found_.base.data ? chained_name : precompiled_name; }

  // Places in the text are the source's.
  static void put_in_place(clang::CompilerInstance &clang, const tn_clang_header &header,
                           const clang::serialization::ModuleFile &module) {
    clang::SourceManager &sources = clang.getSourceManager();
    const clang::SourceLocation begin = sources.getLocForStartOfFile(module.OriginalSourceFileID);
    const auto main = sources.getFileEntryRefForID(sources.getMainFileID());
    if (begin.isInvalid() || !main) {
      return;
    }
    forget_includer(sources, module.OriginalSourceFileID);
    const int name = static_cast<int>(sources.getLineTableFilenameID(main->getName()));
    size_t end = 0;  // of the line before: a note is about the next
    for (size_t i = 0; i < header.line_count && end < header.text_size; i++) {
      sources.AddLineNote(begin.getLocWithOffset(static_cast<int>(end)), header.lines[i], name,
                          false, false, clang::SrcMgr::C_User);
      end = llvm::StringRef(header.text, header.text_size).find('\n', end + 1);
    }
  }

  // To Clang the source includes the text. The messages' "In file included from" begins there.
  static void forget_includer(clang::SourceManager &sources, clang::FileID text) {
    bool is_invalid = false;
    const clang::SrcMgr::SLocEntry &entry = sources.getSLocEntry(text, &is_invalid);
    if (is_invalid || !entry.isFile()) {
      return;
    }
    const clang::SrcMgr::FileInfo &file = entry.getFile();
    auto &content = const_cast<clang::SrcMgr::ContentCache &>(file.getContentCache());
    const_cast<clang::SrcMgr::SLocEntry &>(entry) = clang::SrcMgr::SLocEntry::get(
        entry.getOffset(),
        clang::SrcMgr::FileInfo::get(clang::SourceLocation(), content, file.getFileCharacteristic(),
                                     file.getName()));
  }

  static bool may_have_one(const clang::CompilerInvocation &made) {
    const clang::InputKind kind = made.getFrontendOpts().Inputs[0].getKind();
    const bool is_source =
        kind.getFormat() == clang::InputKind::Source && !kind.isPreprocessed() &&
        (kind.getLanguage() == clang::Language::CXX || kind.getLanguage() == clang::Language::C);
    switch (made.getFrontendOpts().ProgramAction) {
      case clang::frontend::EmitAssembly:
      case clang::frontend::EmitBC:
      case clang::frontend::EmitLLVM:
      case clang::frontend::EmitObj:
      case clang::frontend::ParseSyntaxOnly:
        return is_source && !made.getLangOpts().Modules &&
               made.getPreprocessorOpts().ImplicitPCHInclude.empty();
      default:
        return false;
    }
  }

  // What tells of each file that is read.
  static bool can_use_one(const clang::CompilerInvocation &made) {
    const clang::DependencyOutputOptions &rule = made.getDependencyOutputOpts();
    return rule.HeaderIncludeOutputFile.empty() && !rule.ShowHeaderIncludes &&
           rule.DOTOutputFile.empty() && rule.ModuleDependencyOutputDir.empty() &&
           !rule.AddMissingHeaderDeps &&
           rule.ShowIncludesDest == clang::ShowIncludesDestination::None &&
           made.getFrontendOpts().TimeTracePath.empty() && !made.getCodeGenOpts().MacroDebugInfo &&
           made.getCodeGenOpts().getDebugInfo() != llvm::codegenoptions::UnusedTypeInfo &&
           !made.getDiagnosticOpts().VerifyDiagnostics;
  }

  void make_words(const clang::CompilerInvocation &made) {
    clang::CompilerInvocation copy(made);
    clang::FrontendOptions &frontend = copy.getFrontendOpts();
    frontend.Inputs.clear();
    frontend.OutputFile.clear();
    frontend.TimeTracePath.clear();
    frontend.ProgramAction = clang::frontend::EmitLLVMOnly;
    copy.getDependencyOutputOpts() = clang::DependencyOutputOptions();
    clang::CodeGenOptions &code = copy.getCodeGenOpts();
    for (std::string *name :
         {&code.MainFileName, &code.DebugCompilationDir, &code.CoverageCompilationDir,
          &code.CoverageNotesFile, &code.CoverageDataFile, &code.SplitDwarfFile,
          &code.SplitDwarfOutput, &code.DwarfDebugFlags, &code.ObjectFilenameForDebug,
          &code.OptRecordFile}) {
      name->clear();
    }
    clang::DiagnosticOptions &diagnostics = copy.getDiagnosticOpts();
    diagnostics.DiagnosticSerializationFile.clear();
    diagnostics.DiagnosticLogFile.clear();
    diagnostics.ShowColors = 0;
    diagnostics.MessageLength = 0;
    words_ = copy.getCC1CommandLine();
  }

  void use(clang::CompilerInstance &clang, const std::string &source) {
    clang::CompilerInvocation &made = clang.getInvocation();
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    auto files =
        llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(clang.getVirtualFileSystemPtr());
    // Gives it the folder that relative names are relative to.
    files->pushOverlay(memory);
    for (const auto &[header, name] :
         {std::pair(&found_.base, precompiled_name), std::pair(&found_.rest, rest_name())}) {
      if (header->data) {
        memory->addFileNoOwn(name, 0, llvm::MemoryBufferRef({header->data, header->size}, name));
        memory->addFileNoOwn(
            header->name, 0,
            llvm::MemoryBufferRef({header->text, header->text_size}, header->name));
      }
    }
    clang.setVirtualFileSystem(files);
    clang::PreprocessorOptions &preprocessor = made.getPreprocessorOpts();
    preprocessor.ImplicitPCHInclude = found_.rest.data ? rest_name() : precompiled_name;
    preprocessor.DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::PCH;
    keep_counter(clang);
    preprocessor.PrecompiledPreambleBytes = {
        static_cast<unsigned>(found_.rest.data ? found_.size : found_.base_size), true};
    clang::DependencyOutputOptions &rule = made.getDependencyOutputOpts();
    if (!rule.OutputFile.empty()) {
      source_ = source;
      clang.addDependencyCollector(std::make_shared<replayed_dependencies>(rule, source_, found_));
      rule.OutputFile.clear();
    }
  }

  // The headers that are instantiated at their end.
  size_t instantiated_size() const { return found_.base_size ? found_.base_size : found_.size; }

  void end_headers(clang::Parser &parser, clang::Sema &sema, bool &is_ended) const {
    const clang::SourceLocation at = parser.getCurToken().getLocation();
    if (is_ended || at.isInvalid()) {
      return;
    }
    const clang::SourceManager &sources = sema.getSourceManager();
    const auto [file, offset] = sources.getDecomposedExpansionLoc(at);
    const size_t end = instantiated_size();
    if (file == sources.getMainFileID() ? offset >= end : is_behind(sources, file, end)) {
      is_ended = true;
      sema.PerformPendingInstantiations();
    }
  }

  // Whether the source includes the file behind that place.
  static bool is_behind(const clang::SourceManager &sources, clang::FileID file, size_t place) {
    clang::SourceLocation at = sources.getIncludeLoc(file);
    while (at.isValid()) {
      const auto [includer, offset] = sources.getDecomposedExpansionLoc(at);
      if (includer == sources.getMainFileID()) {
        return offset >= place;
      }
      at = sources.getIncludeLoc(includer);
    }
    return false;
  }

  std::vector<std::string> words_;
  std::string source_;
  tn_clang_preamble found_ = {};
  bool has_begun_ = false;
};

// An action of Clang over a source with a preamble.
template <class Base>
class pass_action final : public Base {
 public:
  explicit pass_action(pass_preamble &preamble) : preamble_(preamble) {}

 private:
  void ExecuteAction() override {
    clang::CompilerInstance &clang = this->getCompilerInstance();
    if (!preamble_.has_any()) {
      Base::ExecuteAction();
      return;
    }
    preamble_.begin(clang);
    clang.createSema(this->getTranslationUnitKind(), nullptr);
    preamble_.parse(clang);
  }

  pass_preamble &preamble_;
};

// The source's text behind what is precompiled of it. Actions that say that they only preprocess
// get the text of a precompiled header from Clang.
class text_action final : public clang::ASTFrontendAction {
 public:
  text_action(pass_preamble &preamble, const tn_face_pass &pass)
      : preamble_(preamble), out_(pass.write, pass.user) {}

 private:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &,
                                                        llvm::StringRef) override {
    return std::make_unique<clang::ASTConsumer>();
  }
  void ExecuteAction() override {
    preamble_.begin(getCompilerInstance());
    clang::PreprocessorOutputOptions options;
    options.ShowCPP = 1;
    clang::DoPrintPreprocessedInput(getCompilerInstance().getPreprocessor(), &out_, options);
  }

  pass_preamble &preamble_;
  sink out_;
};

}  // namespace tenon_clang

#endif
