// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: a pass with what its source begins with precompiled. The result is
// that of a pass without: locations in the precompiled text are the source's own, rules of make
// name the same files, and templates are instantiated at the same point in both.
#ifndef TN_COMPILE_CLANG_PASS_PREAMBLE_HPP
#define TN_COMPILE_CLANG_PASS_PREAMBLE_HPP

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/SourceManagerInternals.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/PreprocessorOutputOptions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Parse/Parser.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "clang/Serialization/ASTReader.h"
#include "compile/clang/attribute_tokens.hpp"
#include "compile/clang/clang_face.h"
#include "compile/clang/function_notes.hpp"
#include "compile/clang/kernel_entries.hpp"
#include "compile/clang/precompiled.hpp"
#include "compile/clang/run_files.hpp"
#include "compile/clang/sink.hpp"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <utility>
#include <vector>

namespace tenon_clang {

// Dependencies of a precompiled header in the place where the source would have had them, and none
// of the text that the base is.
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
  void maybeAddDependency(llvm::StringRef name, bool is_module, bool is_system, bool is_module_file,
                          bool is_missing) override {
    if (name != TN_CLANG_BASE_NAME) {
      DependencyFileGenerator::maybeAddDependency(name, is_module, is_system, is_module_file,
                                                  is_missing);
    }
  }

 private:
  llvm::StringRef source_;
  const tn_clang_preamble &preamble_;
};

// The base's text as Clang reads it where it is not precompiled.
class base_watch final : public clang::PPCallbacks {
 public:
  base_watch(const clang::SourceManager &sources, clang::FileID &base)
      : sources_(sources), base_(base) {}
  void FileChanged(clang::SourceLocation at, FileChangeReason reason,
                   clang::SrcMgr::CharacteristicKind, clang::FileID) override {
    if (reason == EnterFile && base_.isInvalid()) {
      const clang::FileID file = sources_.getFileID(at);
      const auto entry = sources_.getFileEntryRefForID(file);
      base_ = entry && entry->getName() == TN_CLANG_BASE_NAME ? file : clang::FileID();
    }
  }

 private:
  const clang::SourceManager &sources_;
  clang::FileID &base_;
};

// Clang keeps absolute names of files in precompiled headers; messages and debug information are to
// have the names by which the source's own compilation finds the files.
class named_files final : public llvm::vfs::ProxyFileSystem {
 public:
  named_files(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, const char *installation)
      : ProxyFileSystem(std::move(files)), installation_(installation ? installation : "") {}

  void add(llvm::StringRef name) {
    llvm::SmallString<256> key = name;
    if (!makeAbsolute(key)) {
      llvm::sys::path::remove_dots(key);
      names_.try_emplace(key, name.str());
    }
  }
  // Of an absolute path; empty: it has no other.
  llvm::StringRef name_of(llvm::StringRef path) {
    const auto known = names_.find(path);
    if (known != names_.end()) {
      return known->second;
    }
    llvm::SmallString<256> storage;
    const llvm::StringRef real = installed_path(path, installation_, storage);
    return real.empty() ? real : names_.try_emplace(path, real.str()).first->second;
  }

 private:
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(
      const llvm::Twine &path) override {
    llvm::SmallString<256> real;
    return ProxyFileSystem::openFileForRead(disk_path(path, installation_, real));
  }
  std::error_code getRealPath(const llvm::Twine &path,
                              llvm::SmallVectorImpl<char> &out) override {
    llvm::SmallString<256> real;
    return ProxyFileSystem::getRealPath(disk_path(path, installation_, real), out);
  }
  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
    llvm::SmallString<256> storage;
    auto found = ProxyFileSystem::status(disk_path(path, installation_, storage));
    const llvm::StringRef name = name_of(path.toStringRef(storage));
    if (found && !name.empty()) {
      found = llvm::vfs::Status::copyWithNewName(*found, name);
      found->ExposesExternalVFSPath = true;  // else Clang takes the name that it asked for
    }
    return found;
  }

  std::string installation_;
  llvm::StringMap<std::string> names_;
};

class pass_preamble {
 public:
  // Asks for one, and changes the run so that it is used. `why_not` as in the query.
  void find(clang::CompilerInstance &clang, const tn_face_pass &pass, const char *why_not) {
    clang::CompilerInvocation &made = clang.getInvocation();
    installation_ = pass.installation;
    if (!pass.preamble) {
      return;
    }
    const char *why_none = why_not_at_all(made);
    std::unique_ptr<llvm::MemoryBuffer> text;
    if (!why_none && !(text = read_source(clang))) {
      why_none = "the source is no regular file";
    }
    if (why_none) {
      tn_clang_preamble_query none = {};
      none.why_not = why_not ? why_not : why_none;
      pass.preamble(pass.user, &none, &found_);
      return;
    }
    const clang::FrontendInputFile &input = made.getFrontendOpts().Inputs[0];
    make_words(made);
    source_ = input.getFile().str();
    const auto words = pointers_to(words_);
    const auto base_words = pointers_to(base_words_);
    const clang::PreprocessorOptions &preprocessor = made.getPreprocessorOpts();
    const tn_clang_preamble_query query = {
        source_.c_str(),
        text->getBufferStart(),
        text->getBufferSize(),
        words.data(),
        words.size(),
        base_words.data(),
        base_words.size(),
        macros_.data(),
        macros_.size(),
        folders_.data(),
        folders_.size(),
        !preprocessor.Includes.empty() || !preprocessor.MacroIncludes.empty(),
        why_not};
    pass.preamble(pass.user, &query, &found_);
    if (has_any()) {
      use(clang);
    }
  }

  // Whether it may be the precompiled header's fault that a pass failed.
  bool is_doubtful(const clang::DiagnosticsEngine &diagnostics) const {
    return is_used() && (!has_begun_ || diagnostics.hasFatalErrorOccurred());
  }

  bool has_any() const { return found_.has_base || found_.size > 0; }
  bool is_used() const { return found_.base.data || found_.rest.data; }

  // When the precompiled header has been opened.
  void begin(clang::CompilerInstance &clang) {
    const auto reader = clang.getASTReader();
    has_begun_ = true;
    if (found_.has_base && !found_.base.data) {
      clang.getPreprocessor().addPPCallbacks(
          std::make_unique<base_watch>(clang.getSourceManager(), base_));
    }
    if (!is_used() || !reader) {
      return;
    }
    read_friends_late(clang);
    if (clang.getCodeGenOpts().hasReducedDebugInfo()) {
      whole_classes::read_with(clang);
    }
    keep_names(clang.getSourceManager());
    for (const auto &[header, module] : modules(*reader)) {
      put_in_place(clang, *header, module->OriginalSourceFileID);
    }
  }

  // What debug information shows and Clang does not look at in precompiled headers.
  void see_imports(clang::CompilerInstance &clang, clang::ASTConsumer &consumer) const {
    const auto reader = clang.getASTReader();
    if (!is_used() || !reader || !clang.getCodeGenOpts().hasReducedDebugInfo()) {
      return;
    }
    for (const auto &[header, module] : modules(*reader)) {
      need_va_list(*header, clang.getASTContext());
    }
    for (const auto &[header, module] : modules(*reader)) {
      for (const uint64_t number : imports_of(*header)) {
        const auto id = clang::LocalDeclID::get(*reader, *module, number);
        if (clang::Decl *import = reader->GetLocalDecl(*module, id)) {
          consumer.HandleTopLevelDecl(clang::DeclGroupRef(import));
        }
      }
    }
  }

  // As Clang's ParseAST does, but that what headers instantiate is instantiated where they end, as
  // it is when they are precompiled.
  void parse(clang::CompilerInstance &clang) {
    clang::Sema &sema = clang.getSema();
    clang::ASTConsumer &consumer = sema.getASTConsumer();
    clang::Parser parser(sema.getPreprocessor(), sema, /*SkipFunctionBodies=*/false);
    sema.getPreprocessor().EnterMainSourceFile();
    see_imports(clang, consumer);
    if (clang::ExternalASTSource *precompiled = sema.getASTContext().getExternalSource()) {
      definitions::give(*precompiled, consumer);
    }
    {
      const llvm::TimeTraceScope scope("Frontend");
      parser.Initialize();
      // Virtual tables that are used in headers. Else Clang loads them when it first instantiates a
      // function at once, as for constants, and defines them there.
      sema.LoadExternalVTableUses();
      clang::Parser::DeclGroupPtrTy group;
      clang::Sema::ModuleImportState imports;
      const clang::EnterExpressionEvaluationContext evaluated(
          sema, clang::Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
      begin_parts();
      end_parts(parser, clang);
      bool is_over = parser.ParseFirstTopLevelDecl(group, imports);
      while (!is_over) {
        if (group && !see(consumer, group.get())) {
          return;
        }
        end_parts(parser, clang);
        is_over = parser.ParseTopLevelDecl(group, imports);
      }
    }
    see_deferred(consumer);
    for (clang::Decl *weak : sema.WeakTopLevelDecls()) {
      consumer.HandleTopLevelDecl(clang::DeclGroupRef(weak));
    }
    consumer.HandleTranslationUnit(sema.getASTContext());
  }

 private:
  using header_module = std::pair<const tn_clang_header *, clang::serialization::ModuleFile *>;

  static llvm::SmallVector<uint64_t, 0> numbers_of(const tn_clang_header &header) {
    llvm::SmallVector<uint64_t, 0> numbers;
    for (size_t at = 0; at + sizeof(uint64_t) <= header.import_size; at += sizeof(uint64_t)) {
      numbers.push_back(llvm::support::endian::read64le(header.imports + at));
    }
    return numbers;
  }

  static llvm::SmallVector<uint64_t, 0> imports_of(const tn_clang_header &header) {
    llvm::SmallVector<uint64_t, 0> numbers = numbers_of(header);
    llvm::erase(numbers, va_list_import);
    return numbers;
  }

  // The header looks into a type of Clang's own, which is not part of it.
  static void need_va_list(const tn_clang_header &header, clang::ASTContext &context) {
    auto *list = llvm::dyn_cast_or_null<clang::TagDecl>(context.getVaListTagDecl());
    if (list && llvm::is_contained(numbers_of(header), va_list_import)) {
      list->setCompleteDefinitionRequired();
    }
  }

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

  // Locations in the text are those of the lines that it was made of.
  static void put_in_place(clang::CompilerInstance &clang, const tn_clang_header &header,
                           clang::FileID text) {
    clang::SourceManager &sources = clang.getSourceManager();
    const clang::SourceLocation begin = sources.getLocForStartOfFile(text);
    if (begin.isInvalid()) {
      return;
    }
    forget_includer(sources, text);
    const int name = static_cast<int>(sources.getLineTableFilenameID(header.file));
    size_t end = 0;  // of the line before: a note is about the next
    for (size_t i = 0; i < header.line_count && end < header.text_size; i++) {
      sources.AddLineNote(begin.getLocWithOffset(static_cast<int>(end)), header.lines[i], name,
                          false, false, clang::SrcMgr::C_User);
      end = llvm::StringRef(header.text, header.text_size).find('\n', end + 1);
    }
  }

  // Clang makes the name of a file with #pragma system_header absolute.
  void keep_names(clang::SourceManager &sources) const {
    if (!named_) {
      return;
    }
    clang::LineTableInfo &lines = sources.getLineTable();
    std::vector<std::pair<clang::FileID, std::vector<clang::LineEntry>>> changed;
    for (const auto &[file, entries] : lines) {
      std::vector<clang::LineEntry> kept;
      for (size_t i = 0; i < entries.size(); i++) {
        const int id = entries[i].FilenameID;
        const llvm::StringRef name =
            id < 0 ? "" : named_->name_of(lines.getFilename(static_cast<unsigned>(id)));
        if (!name.empty()) {
          if (kept.empty()) {
            kept = entries;
          }
          kept[i].FilenameID = static_cast<int>(sources.getLineTableFilenameID(name));
        }
      }
      if (!kept.empty()) {
        changed.emplace_back(file, std::move(kept));
      }
    }
    for (const auto &[file, entries] : changed) {
      lines.AddEntry(file, entries);
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

  static bool compiles(const clang::CompilerInvocation &made) {
    switch (made.getFrontendOpts().ProgramAction) {
      case clang::frontend::EmitAssembly:
      case clang::frontend::EmitBC:
      case clang::frontend::EmitLLVM:
      case clang::frontend::EmitObj:
      case clang::frontend::ParseSyntaxOnly:
        return true;
      default:
        return false;
    }
  }

  static bool is_source(const clang::CompilerInvocation &made) {
    const auto &inputs = made.getFrontendOpts().Inputs;
    const clang::InputKind kind = inputs.size() == 1 ? inputs[0].getKind() : clang::InputKind();
    return kind.getFormat() == clang::InputKind::Source && !kind.isPreprocessed() &&
           (kind.getLanguage() == clang::Language::CXX || kind.getLanguage() == clang::Language::C);
  }

  // As tn_clang_preamble_query has it; NULL: it may have one.
  static const char *why_not_at_all(const clang::CompilerInvocation &made) {
    if (!compiles(made)) {
      return "the pass makes no code";
    }
    if (!is_source(made)) {
      return "what is compiled is no source of C or C++";
    }
    if (has_modules(made)) {
      return "the source may import modules";
    }
    if (!made.getPreprocessorOpts().ImplicitPCHInclude.empty()) {
      return "there is another precompiled header, by -include-pch";
    }
    if (lists_files(made)) {
      return "the options ask for each file that is read";
    }
    if (needs_all(made)) {
      return "the options ask for debug information or coverage of all that headers have";
    }
    return made.getDiagnosticOpts().VerifyDiagnostics ? "the messages are verified" : nullptr;
  }

  // Clang's modules, or files of C++20's, which has modules by itself.
  static bool has_modules(const clang::CompilerInvocation &made) {
    const clang::HeaderSearchOptions &headers = made.getHeaderSearchOpts();
    const clang::FrontendOptions &frontend = made.getFrontendOpts();
    return made.getLangOpts().Modules &&
           (!made.getLangOpts().CPlusPlusModules || headers.ImplicitModuleMaps ||
            !headers.PrebuiltModuleFiles.empty() || !headers.PrebuiltModulePaths.empty() ||
            !frontend.ModuleFiles.empty() || !frontend.ModuleMapFiles.empty());
  }

  // What tells of each file that is read.
  static bool lists_files(const clang::CompilerInvocation &made) {
    const clang::DependencyOutputOptions &rule = made.getDependencyOutputOpts();
    return !rule.HeaderIncludeOutputFile.empty() || rule.ShowHeaderIncludes ||
           !rule.DOTOutputFile.empty() || !rule.ModuleDependencyOutputDir.empty() ||
           rule.AddMissingHeaderDeps ||
           rule.ShowIncludesDest != clang::ShowIncludesDestination::None;
  }

  static bool needs_all(const clang::CompilerInvocation &made) {
    const clang::CodeGenOptions &code = made.getCodeGenOpts();
    return code.MacroDebugInfo || code.CoverageMapping ||
           code.getDebugInfo() == llvm::codegenoptions::UnusedTypeInfo;
  }

  static std::unique_ptr<llvm::MemoryBuffer> read_source(clang::CompilerInstance &clang) {
    const clang::FrontendInputFile &input = clang.getFrontendOpts().Inputs[0];
    llvm::vfs::FileSystem &files = clang.getVirtualFileSystem();
    if (!input.isFile()) {
      return nullptr;
    }
    const auto status = files.status(input.getFile());
    if (!status || !status->isRegularFile()) {
      return nullptr;
    }
    auto text = files.getBufferForFile(input.getFile());
    return text ? std::move(*text) : nullptr;
  }

  static std::vector<const char *> pointers_to(const std::vector<std::string> &texts) {
    std::vector<const char *> pointers;
    for (const std::string &text : texts) {
      pointers.push_back(text.c_str());
    }
    return pointers;
  }

  // What a precompiled header depends on, as words; in base_words_ without what is the user's.
  void make_words(const clang::CompilerInvocation &made) {
    clang::CompilerInvocation copy(made);
    forget_outputs(copy);
    add_pie_macros(copy);
    clang::LangOptions &language = copy.getLangOpts();
    language.PIE = language.SemanticInterposition = language.HalfNoSemanticInterposition = 0;
    words_ = copy.getCC1CommandLine();
    take_macros(copy.getPreprocessorOpts());
    take_folders(copy.getHeaderSearchOpts());
    copy.getDiagnosticOpts() = clang::DiagnosticOptions();
    copy.getFrontendOpts().PluginArgs.clear();  // which ask for notes about the user's functions
    base_words_ = copy.getCC1CommandLine();
  }

  // And what concerns only the code that is made of the declarations: -O is told by macros.
  static void forget_outputs(clang::CompilerInvocation &copy) {
    clang::FrontendOptions &frontend = copy.getFrontendOpts();
    frontend.Inputs.clear();
    frontend.OutputFile.clear();
    frontend.TimeTracePath.clear();
    frontend.ProgramAction = clang::frontend::EmitLLVMOnly;
    copy.getDependencyOutputOpts() = clang::DependencyOutputOptions();
    const clang::CodeGenOptions before = copy.getCodeGenOpts();
    clang::CodeGenOptions &code = copy.getCodeGenOpts();
    code = clang::CodeGenOptions();
    code.OptimizationLevel = before.OptimizationLevel > 0 ? 2 : 0;
    code.OptimizeSize = before.OptimizeSize;
    clang::DiagnosticOptions &diagnostics = copy.getDiagnosticOpts();
    diagnostics.DiagnosticSerializationFile.clear();
    diagnostics.DiagnosticLogFile.clear();
    diagnostics.ShowColors = 0;
    diagnostics.MessageLength = 0;
  }

  // To declarations -fPIC and -fPIE are two macros. Precompiled headers are made as with -fPIC.
  static void add_pie_macros(clang::CompilerInvocation &made) {
    const clang::LangOptions &language = made.getLangOpts();
    for (const char *name : {"__pie__=", "__PIE__="}) {
      if (language.PIE) {
        made.getPreprocessorOpts().addMacroDef(name + std::to_string(language.PICLevel));
      }
    }
  }

  void take_macros(clang::PreprocessorOptions &options) {
    macro_texts_ = std::move(options.Macros);
    options.Macros.clear();
    for (const auto &[text, is_undefined] : macro_texts_) {
      macros_.push_back({text.c_str(), is_undefined});
    }
  }

  using folder = clang::HeaderSearchOptions::Entry;

  static bool has_sycl(const folder &one) {
    return one.Group == clang::frontend::System &&
           llvm::sys::fs::exists(one.Path + "/sycl/sycl.hpp");
  }

  // The driver's own folders are behind that of Tenon's headers, the user's before. These may have
  // that one, too, as by CMake's package: what is found is the same without it.
  void take_folders(clang::HeaderSearchOptions &options) {
    const std::vector<folder> given = std::exchange(options.UserEntries, {});
    std::vector<const folder *> of_sycl;  // the last is Tenon's
    for (const folder &entry : given) {
      if (has_sycl(entry)) {
        of_sycl.push_back(&entry);
      }
    }
    const folder *own = of_sycl.empty() ? nullptr : of_sycl.back();
    const bool is_only =
        llvm::all_of(of_sycl, [own](const folder *one) { return one->Path == own->Path; });
    bool is_own = false;
    for (const folder &entry : given) {
      const bool is_system = entry.Group == clang::frontend::System;
      if (own && is_only && own != &entry && own->Path == entry.Path &&
          (is_system || entry.Group == clang::frontend::Angled)) {
        continue;
      }
      is_own = is_own || llvm::is_contained(of_sycl, &entry);
      if (entry.Group == clang::frontend::ExternCSystem || (is_own && is_system)) {
        options.UserEntries.push_back(entry);
      } else {
        folder_entries_.push_back(entry);
      }
    }
    for (const folder &entry : folder_entries_) {
      folders_.push_back({entry.Path.c_str(), entry.Group == clang::frontend::Quoted});
    }
  }

  void use(clang::CompilerInstance &clang) {
    clang::CompilerInvocation &made = clang.getInvocation();
    clang::PreprocessorOptions &preprocessor = made.getPreprocessorOpts();
    if (is_used() || found_.has_base) {
      add_files(clang);
      clang::DependencyOutputOptions &rule = made.getDependencyOutputOpts();
      if (!rule.OutputFile.empty()) {
        clang.addDependencyCollector(
            std::make_shared<replayed_dependencies>(rule, source_, found_));
        rule.OutputFile.clear();
      }
    }
    if (found_.has_base && !found_.base.data) {
      preprocessor.Includes.insert(preprocessor.Includes.begin(), TN_CLANG_BASE_NAME);
    }
    if (is_used()) {
      preprocessor.ImplicitPCHInclude = found_.rest.data ? rest_name() : precompiled_name;
      preprocessor.DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::PCH;
      keep_counter(clang);
      add_pie_macros(made);
      if (found_.rest.data) {
        preprocessor.Macros.clear();  // it has them as the source's directives have left them
        preprocessor.PrecompiledPreambleBytes = {static_cast<unsigned>(found_.size), true};
      }
    }
  }

  void add_files(clang::CompilerInstance &clang) {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    named_ =
        llvm::makeIntrusiveRefCnt<named_files>(clang.getVirtualFileSystemPtr(), installation_);
    auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(named_);
    // Gives it the folder that relative names are relative to.
    files->pushOverlay(memory);
    for (const auto &[header, name] :
         {std::pair(&found_.base, precompiled_name), std::pair(&found_.rest, rest_name())}) {
      if (header->data) {
        memory->addFileNoOwn(name, 0, llvm::MemoryBufferRef({header->data, header->size}, name));
      }
      if (header->text) {
        memory->addFileNoOwn(
            header->name, 0,
            llvm::MemoryBufferRef({header->text, header->text_size}, header->name));
      }
      for (size_t i = 0; i < header->relative_name_count; i++) {
        named_->add(header->relative_names[i]);
      }
    }
    clang.setVirtualFileSystem(files);
  }

  // The parts of a source, of which the first may be precompiled: then it is over from the start.
  enum class part { base, rest, source };

  void begin_parts() {
    part_ = found_.has_base && !found_.base.data     ? part::base
            : found_.rest.data || found_.size == 0 ? part::source
                                                   : part::rest;
  }

  // Headers are instantiated where the base ends, else where the preamble does.
  void end_parts(clang::Parser &parser, clang::CompilerInstance &clang) {
    const clang::SourceLocation at = parser.getCurToken().getLocation();
    if (part_ == part::source || at.isInvalid()) {
      return;
    }
    const clang::SourceManager &sources = clang.getSourceManager();
    const auto [file, offset] = sources.getDecomposedExpansionLoc(at);
    if (part_ == part::base && !is_inside(sources, file, base_)) {
      if (base_.isValid()) {
        put_in_place(clang, found_.base, base_);
      }
      end_part(clang, found_.size > 0 ? part::rest : part::source, true);
    }
    if (part_ == part::rest &&
        (file == sources.getMainFileID() ? offset >= found_.size
                                         : is_behind(sources, file, found_.size))) {
      end_part(clang, part::source, !found_.has_base);
    }
  }

  void end_part(clang::CompilerInstance &clang, part next, bool is_instantiated) {
    if (is_instantiated) {
      clang.getSema().PerformPendingInstantiations();
    }
    see_deferred(clang.getASTConsumer());
    part_ = next;
  }

  // The order of functions depends on what is instantiated when one is compiled, and debug
  // information on what is known of a type: of a precompiled part, all.
  bool see(clang::ASTConsumer &consumer, clang::DeclGroupRef group) {
    if (part_ == part::source) {
      return consumer.HandleTopLevelDecl(group);
    }
    deferred_.push_back(group);
    return true;
  }

  void see_deferred(clang::ASTConsumer &consumer) {
    for (const clang::DeclGroupRef &group : std::exchange(deferred_, {})) {
      consumer.HandleTopLevelDecl(group);
    }
  }

  // Whether the file is included by that one, or is that one.
  static bool is_inside(const clang::SourceManager &sources, clang::FileID file,
                        clang::FileID outer) {
    while (file.isValid() && file != outer) {
      const clang::SourceLocation at = sources.getIncludeLoc(file);
      file = at.isValid() ? sources.getDecomposedExpansionLoc(at).first : clang::FileID();
    }
    return file.isValid();
  }

  // Whether the source includes the file behind that offset.
  static bool is_behind(const clang::SourceManager &sources, clang::FileID file, size_t end) {
    clang::SourceLocation at = sources.getIncludeLoc(file);
    while (at.isValid()) {
      const auto [includer, offset] = sources.getDecomposedExpansionLoc(at);
      if (includer == sources.getMainFileID()) {
        return offset >= end;
      }
      at = sources.getIncludeLoc(includer);
    }
    return false;
  }

  std::vector<std::string> words_;
  std::vector<std::string> base_words_;
  std::vector<std::pair<std::string, bool>> macro_texts_;
  std::vector<tn_clang_macro> macros_;
  std::vector<folder> folder_entries_;
  std::vector<tn_clang_folder> folders_;
  std::string source_;
  const char *installation_ = nullptr;
  clang::FileID base_;  // its text, where that is read
  part part_ = part::source;
  std::vector<clang::DeclGroupRef> deferred_;
  tn_clang_preamble found_ = {};
  llvm::IntrusiveRefCntPtr<named_files> named_;
  bool has_begun_ = false;
};

// An action of Clang over a source with a preamble.
template <class Base>
class pass_action final : public Base {
 public:
  explicit pass_action(pass_preamble &preamble) : preamble_(preamble) {}

 private:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &clang,
                                                        llvm::StringRef file) override {
    return function_notes::add_to(
        clang, add_kernel_entries(clang, Base::CreateASTConsumer(clang, file)));
  }
  void ExecuteAction() override {
    clang::CompilerInstance &clang = this->getCompilerInstance();
    if (clang.hasPreprocessor()) {  // not for LLVM's IR
      attribute_tokens::watch(clang.getPreprocessor());
    }
    if (!preamble_.has_any()) {
      begin_header(clang);
      Base::ExecuteAction();
      return;
    }
    preamble_.begin(clang);
    clang.createSema(this->getTranslationUnitKind(), nullptr);
    preamble_.parse(clang);
  }

  // A precompiled header of the user's.
  void begin_header(clang::CompilerInstance &clang) {
    const auto reader = clang.getASTReader();
    read_friends_late(clang);
    if (reader && this->getTranslationUnitKind() == clang::TU_Complete) {
      clang.createSema(clang::TU_Complete, nullptr);
      definitions::give(*reader, clang.getASTConsumer());
    }
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
