// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's front end with a C face, in C++ because LLVM's C API has nothing of Clang.
//
// A run owns all it uses: files, file manager, diagnostics, AST and LLVM's context are made for it
// and go with it. Only the front end's reading of a command line outlives a run (invocation_cache).
#include "compile/clang/clang_face.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Options/OptionUtils.h"
#include "clang/Parse/Parser.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "clang/Serialization/ASTReader.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "compile/clang/attribute_tokens.hpp"
#include "compile/clang/device_copyable.hpp"
#include "compile/clang/fatal_net.hpp"
#include "compile/clang/function_notes.hpp"
#include "compile/clang/kernel_entries.hpp"
#include "compile/clang/kernel_finder.hpp"
#include "compile/clang/label_guard.hpp"
#include "compile/clang/module_guard.hpp"
#include "compile/clang/nesting_guard.hpp"
#include "compile/clang/pass_run.hpp"
#include "compile/clang/precompiled.hpp"
#include "compile/clang/preprocessor_guard.hpp"
#include "compile/clang/resource_folder.hpp"
#include "compile/clang/run_files.hpp"
#include "compile/clang/sink.hpp"
#include "compile/clang/source_print.hpp"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/VirtualOutputBackends.h"
#include "llvm/TargetParser/Host.h"

#include <list>
#include <mutex>

namespace {

using namespace tenon_clang;

void say_error(const tn_face_run &run, llvm::raw_ostream &log, const Twine &what) {
  const std::string text = ("error: " + what).str();
  log << text << '\n';
  run.error(run.user, text.data(), text.size());
}

// Messages as clang++ prints them, without color. The first error's line is told apart, for the
// log may be full by then.
class message_printer final : public clang::TextDiagnosticPrinter {
 public:
  message_printer(const tn_face_run &run, llvm::raw_ostream &log, clang::DiagnosticOptions &options)
      : TextDiagnosticPrinter(log, options), run_(run) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &info) override {
    TextDiagnosticPrinter::HandleDiagnostic(level, info);
    if (level >= clang::DiagnosticsEngine::Error && !has_error_) {
      has_error_ = true;
      tell(level, info);
    }
  }

 private:
  void tell(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) {
    SmallString<256> text;
    llvm::raw_svector_ostream line(text);
    if (info.hasSourceManager() && info.getLocation().isValid()) {
      const clang::PresumedLoc at = info.getSourceManager().getPresumedLoc(info.getLocation());
      if (at.isValid()) {
        line << at.getFilename() << ':' << at.getLine() << ':' << at.getColumn() << ": ";
      }
    }
    line << (level == clang::DiagnosticsEngine::Fatal ? "fatal error: " : "error: ");
    info.FormatDiagnostic(text);
    run_.error(run_.user, text.data(), text.size());
  }

  const tn_face_run &run_;
  bool has_error_ = false;
};

// ---- The command line

std::unique_ptr<clang::DiagnosticOptions> driver_diagnostics(llvm::ArrayRef<const char *> words) {
  auto options = clang::CreateAndPopulateDiagOpts(words);
  options->ShowColors = 0;
  options->DiagnosticSerializationFile.clear();
  return options;
}

using invocation = std::shared_ptr<clang::CompilerInvocation>;

// What Clang's driver makes of the words; NULL when the log says what is wrong with them.
invocation drive(const tn_face_run &run, llvm::ArrayRef<const char *> words,
                 llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, llvm::raw_ostream &log) {
  const auto options = driver_diagnostics(words);
  message_printer printer(run, log, *options);
  clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), *options, &printer, false);
  clang::ProcessWarningOptions(diagnostics, *options, *files, /*ReportDiags=*/false);
  clang::driver::Driver driver(words[0], llvm::sys::getDefaultTargetTriple(), diagnostics, "clang",
                               files);
  if (const std::string folder = resource_folder(words[0]); !folder.empty()) {
    driver.ResourceDir = folder;
  }
  const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(words));
  if (!compilation || diagnostics.hasErrorOccurred() || compilation->containsError()) {
    return nullptr;
  }
  const clang::driver::JobList &jobs = compilation->getJobs();
  if (jobs.size() != 1 || StringRef(jobs.begin()->getCreator().getName()) != "clang") {
    say_error(run, log, "the options ask for more than one source to be compiled to bitcode");
    return nullptr;
  }
  auto made = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*made, jobs.begin()->getArguments(),
                                                 diagnostics)) {
    return nullptr;
  }
  if (!made->getFrontendOpts().LLVMArgs.empty() || !made->getFrontendOpts().Plugins.empty()) {
    say_error(run, log,
              "options of LLVM (-mllvm) and plugins would change the whole process: "
              "leave them out");
    return nullptr;
  }
  return made;
}

// Of a run nothing is kept, printed or written but what its caller gets.
void confine(clang::CompilerInvocation &made) {
  clang::FrontendOptions &frontend = made.getFrontendOpts();
  frontend.DisableFree = false;
  frontend.ShowStats = false;
  frontend.StatsFile.clear();
  frontend.TimeTracePath.clear();
  clang::CodeGenOptions &code = made.getCodeGenOpts();
  code.DisableFree = false;
  code.ClearASTBeforeBackend = false;
  code.TimePasses = false;
  code.VerifyModule = false;  // module_guard does, and says what it found
  code.OptRecordFile.clear();
  made.getDependencyOutputOpts() = clang::DependencyOutputOptions();
  made.getHeaderSearchOpts().Verbose = false;
  made.getPreprocessorOpts().DisablePragmaDebugCrash = true;
  clang::DiagnosticOptions &diagnostics = made.getDiagnosticOpts();
  diagnostics.ShowColors = 0;
  diagnostics.DiagnosticLogFile.clear();
  diagnostics.DiagnosticSerializationFile.clear();
}

// What the driver made of the last command lines: a third of a small kernel's time. A source's
// name and unit differ from run to run and are put in afterwards.
class invocation_cache {
 public:
  invocation find(StringRef key) {
    const std::lock_guard<std::mutex> lock(mu_);
    for (auto at = items_.begin(); at != items_.end(); ++at) {
      if (at->first == key) {
        items_.splice(items_.begin(), items_, at);
        return std::make_shared<clang::CompilerInvocation>(*items_.front().second);
      }
    }
    return nullptr;
  }
  void add(StringRef key, const clang::CompilerInvocation &made) {
    constexpr size_t maximum = 16;
    auto copy = std::make_shared<clang::CompilerInvocation>(made);
    const std::lock_guard<std::mutex> lock(mu_);
    items_.emplace_front(key.str(), std::move(copy));
    if (items_.size() > maximum) {
      items_.pop_back();
    }
  }

 private:
  std::mutex mu_;
  std::list<std::pair<std::string, invocation>> items_;
};

invocation_cache &command_lines() {
  static auto *const cache = new invocation_cache;  // never destroyed: exit waits for no run
  return *cache;
}

constexpr const char unit_word[] = "-D__TENON_UNIT_ID__=";

void use_precompiled(clang::CompilerInvocation &made) {
  clang::PreprocessorOptions &preprocessor = made.getPreprocessorOpts();
  preprocessor.ImplicitPCHInclude = precompiled_name;
  preprocessor.DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::PCH;
}

// Words that Clang's driver has made already.
invocation read_own_words(const tn_face_run &run, sink &log) {
  clang::DiagnosticOptions options;
  message_printer printer(run, log, options);
  clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), options, &printer, false);
  auto made = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(
          *made, llvm::ArrayRef<const char *>(run.args + 2, run.arg_count - 2), diagnostics)) {
    return nullptr;
  }
  confine(*made);
  return made;
}

invocation read_command_line(const tn_face_run &run,
                             const llvm::IntrusiveRefCntPtr<run_files> &files, sink &log) {
  if (StringRef(run.args[1]) == "-cc1") {
    invocation made = read_own_words(run, log);
    if (made && run.precompiled.size) {
      use_precompiled(*made);
    }
    return made;
  }
  const StringRef source = run.args[run.arg_count - 1];
  std::string key = (files->folder() + Twine('\0') + llvm::sys::path::extension(source)).str();
  llvm::SmallVector<const char *, 64> words = {run.args[0], "--driver-mode=g++"};
  StringRef unit;
  for (size_t i = 1; i + 1 < run.arg_count; i++) {
    if (StringRef(run.args[i]).starts_with(unit_word)) {
      unit = run.args[i];
      continue;
    }
    words.push_back(run.args[i]);
  }
  words.append({"-c", "-emit-llvm"});
  for (const char *word : words) {
    key.append(1, '\0').append(word);
  }
  words.push_back(run.args[run.arg_count - 1]);
  invocation made = command_lines().find(key);
  if (!made) {
    const uint64_t before = log.tell();
    made = drive(run, words, files, log);
    if (!made) {
      return nullptr;
    }
    confine(*made);
    if (log.tell() == before) {  // else a next run is to say it again
      command_lines().add(key, *made);
    }
  }
  auto &inputs = made->getFrontendOpts().Inputs;
  inputs.assign(1, clang::FrontendInputFile(source, inputs.front().getKind()));
  made->getCodeGenOpts().MainFileName = llvm::sys::path::filename(source).str();
  clang::PreprocessorOptions &preprocessor = made->getPreprocessorOpts();
  if (!unit.empty()) {
    preprocessor.addMacroDef(unit.drop_front(2));
  }
  if (run.precompiled.size) {
    use_precompiled(*made);
  }
  return made;
}

// ---- Actions

using print = std::shared_ptr<source_print>;

// What is seen of the source goes into the print, where it is wanted.
print watch(clang::Preprocessor &preprocessor, const tn_face_run &run) {
  print made = run.print ? std::make_shared<source_print>(preprocessor) : nullptr;
  label_guard labels(preprocessor);
  const auto attributes = std::make_shared<attribute_tokens>(preprocessor);
  nesting_guard::watch(preprocessor, [made, labels, attributes](const clang::Token &token) mutable {
    labels.see(token);
    if (made) {
      made->see(token);
    }
    attributes->see(token);
  });
  preprocessor_guard::watch(preprocessor);
  return made;
}

void give(const print &made, const tn_face_run &run) {
  llvm::BLAKE3Result<> hash;
  if (made && made->finish(hash)) {
    run.print(run.user, hash.data());
  }
}

// In SYCL's device mode Clang takes the name of __bf16 in symbols from the host's target, and does
// not look whether there is one. Without its macros and builtins the device's own does.
void add_host_target(clang::CompilerInstance &clang) {
  if (!clang.getAuxTarget()) {
    clang.setAuxTarget(&clang.getTarget());
  }
}

class compile_action final : public clang::EmitLLVMOnlyAction {
 public:
  compile_action(const tn_face_run &run, llvm::LLVMContext &context)
      : EmitLLVMOnlyAction(&context), run_(run) {}

 private:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &clang,
                                                        StringRef file) override {
    std::unique_ptr<clang::ASTConsumer> code =
        function_notes::add_to(clang, EmitLLVMOnlyAction::CreateASTConsumer(clang, file));
    if (!run_.end || !code) {
      return code;
    }
    std::vector<std::unique_ptr<clang::ASTConsumer>> both;
    both.push_back(std::make_unique<kernel_finder>(kernels_, globals_));
    both.push_back(std::make_unique<copyable_check>());
    both.push_back(std::move(code));
    return std::make_unique<clang::MultiplexConsumer>(std::move(both));
  }

  bool BeginSourceFileAction(clang::CompilerInstance &clang) override {
    add_host_target(clang);
    return EmitLLVMOnlyAction::BeginSourceFileAction(clang);
  }

  void ExecuteAction() override {
    print_ = watch(getCompilerInstance().getPreprocessor(), run_);
    if (!run_.end) {
      EmitLLVMOnlyAction::ExecuteAction();
      give(print_, run_);
      return;
    }
    clang::CompilerInstance &clang = getCompilerInstance();
    read_friends_late(clang);
    clang.createSema(getTranslationUnitKind(), nullptr);
    parse(clang.getSema());
  }

  // As Clang's ParseAST does, but that the source goes on where the file ends.
  void parse(clang::Sema &sema) {
    clang::ASTConsumer &consumer = sema.getASTConsumer();
    clang::Parser parser(sema.getPreprocessor(), sema, /*SkipFunctionBodies=*/false);
    sema.getPreprocessor().EnterMainSourceFile();
    if (clang::ExternalASTSource *precompiled = sema.getASTContext().getExternalSource()) {
      precompiled->StartTranslationUnit(&consumer);
    }
    parser.Initialize();
    clang::Parser::DeclGroupPtrTy group;
    clang::Sema::ModuleImportState imports;
    const clang::EnterExpressionEvaluationContext evaluated(
        sema, clang::Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
    continue_source(parser, sema);
    bool is_over = parser.ParseFirstTopLevelDecl(group, imports);
    while (!is_over) {
      if (group && !consumer.HandleTopLevelDecl(group.get())) {
        return;
      }
      continue_source(parser, sema);
      is_over = parser.ParseTopLevelDecl(group, imports);
    }
    for (clang::Decl *weak : sema.WeakTopLevelDecls()) {
      consumer.HandleTopLevelDecl(clang::DeclGroupRef(weak));
    }
    consumer.HandleTranslationUnit(sema.getASTContext());
  }

  // Once, at the end of a source without errors: what is wrong there is enough to read.
  void continue_source(clang::Parser &parser, clang::Sema &sema) {
    if (has_ended_ || parser.getCurToken().isNot(clang::tok::eof)) {
      return;
    }
    has_ended_ = true;
    give(print_, run_);
    if (sema.getDiagnostics().hasErrorOccurred()) {
      return;
    }
    for (const clang::FunctionDecl *kernel : kernels_) {
      if (!kernel->isInvalidDecl()) {
        kernel_report(run_, *kernel).say();
      }
    }
    for (const clang::VarDecl *variable : globals_) {
      if (!variable->isInvalidDecl()) {
        report_global(run_, *variable);
      }
    }
    const StringRef text = text_of(run_.end(run_.user));
    if (text.empty()) {
      return;
    }
    clang::Preprocessor &preprocessor = sema.getPreprocessor();
    // As a system header: its warnings are nobody's.
    const clang::FileID file = preprocessor.getSourceManager().createFileID(
        MemoryBuffer::getMemBufferCopy(text, "<kernel entries>"), clang::SrcMgr::C_System);
    preprocessor.EnterSourceFile(file, nullptr, clang::SourceLocation());
    parser.ConsumeToken();
  }

  const tn_face_run &run_;
  print print_;
  kernel_list kernels_;
  global_list globals_;
  bool has_ended_ = false;
};

class preprocess_action final : public clang::PreprocessorFrontendAction {
 public:
  explicit preprocess_action(llvm::raw_ostream &out) : out_(out) {}

 private:
  void ExecuteAction() override {
    preprocessor_guard::watch(getCompilerInstance().getPreprocessor());
    clang::PreprocessorOutputOptions options;
    options.ShowCPP = 1;
    options.ShowLineMarkers = 0;
    clang::DoPrintPreprocessedInput(getCompilerInstance().getPreprocessor(), &out_, options);
  }
  bool hasPCHSupport() const override { return true; }

  llvm::raw_ostream &out_;
};

// All that a compilation reads, without what comes after. To actions that say that they only
// preprocess Clang gives the text of the precompiled header.
class print_action final : public clang::ASTFrontendAction {
 public:
  explicit print_action(const tn_face_run &run) : run_(run) {}

 private:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &,
                                                        StringRef) override {
    return std::make_unique<clang::ASTConsumer>();
  }
  void ExecuteAction() override {
    clang::Preprocessor &preprocessor = getCompilerInstance().getPreprocessor();
    const print made = watch(preprocessor, run_);
    preprocessor.IgnorePragmas();
    preprocessor.EnterMainSourceFile();
    clang::Token token;
    do {
      preprocessor.Lex(token);
    } while (token.isNot(clang::tok::eof));
    if (!preprocessor.getDiagnostics().hasErrorOccurred()) {
      give(made, run_);
    }
  }

  const tn_face_run &run_;
};

// What a header is made of, for rules of make.
class dependency_list final : public clang::DependencyCollector {
 public:
  explicit dependency_list(const tn_face_run &run) : run_(run) {}
  bool sawDependency(StringRef name, bool, bool is_system, bool, bool) override {
    if (name != run_.args[run_.arg_count - 1]) {
      run_.dependency(run_.user, name.data(), name.size(), is_system);
    }
    return true;
  }
  bool needSystemDependencies() override { return true; }
  void attachToASTReader(clang::ASTReader &) override {}  // what it is made on top of has its own

 private:
  const tn_face_run &run_;
};

// Macros that have another value in the next run.
class changing_macros final : public clang::PPCallbacks {
 public:
  explicit changing_macros(bool &is_seen) : is_seen_(is_seen) {}
  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &definition,
                    clang::SourceRange, const clang::MacroArgs *) override {
    const clang::MacroInfo *macro = definition.getMacroInfo();
    if (macro && macro->isBuiltinMacro()) {
      const StringRef text = name.getIdentifierInfo()->getName();
      is_seen_ = is_seen_ || text == "__TIME__" || text == "__DATE__" || text == "__TIMESTAMP__" ||
                 text == "__BASE_FILE__";
    }
  }

 private:
  bool &is_seen_;
};

// The headers that are included, as they are named there: those in quotes that lie beside the file
// that includes them are found nowhere else.
class included_names final : public clang::PPCallbacks {
 public:
  included_names(const tn_face_run &run, const clang::SourceManager &sources)
      : run_(run), sources_(sources) {}
  void InclusionDirective(clang::SourceLocation at, const clang::Token &, StringRef name,
                          bool is_angled, clang::CharSourceRange, clang::OptionalFileEntryRef,
                          StringRef folder, StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    if (is_angled || folder != llvm::sys::path::parent_path(sources_.getFilename(at))) {
      note(name);
    }
  }
  void HasInclude(clang::SourceLocation, StringRef name, bool, clang::OptionalFileEntryRef,
                  clang::SrcMgr::CharacteristicKind) override {
    note(name);
  }

 private:
  void note(StringRef name) {
    if (noted_.insert(name).second) {
      run_.included(run_.user, name.data(), name.size());
    }
  }

  const tn_face_run &run_;
  const clang::SourceManager &sources_;
  llvm::StringSet<> noted_;
};

// The header, and behind it where in it using declarations and their like are: Clang does not look
// at those of a precompiled header, and its debug information would not have them.
class header_writer final : public clang::PCHGenerator {
 public:
  header_writer(const tn_face_run &run, clang::CompilerInstance &clang,
                std::shared_ptr<clang::PCHBuffer> out)
      : PCHGenerator(clang.getPreprocessor(), clang.getModuleCache(), precompiled_name, "",
                     std::move(out), clang.getCodeGenOpts(), {}, allows_errors, has_times),
        run_(run) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (const clang::Decl *declaration : group) {
      find(*declaration);
    }
    return true;
  }
  void HandleTranslationUnit(clang::ASTContext &context) override {
    PCHGenerator::HandleTranslationUnit(context);
    for (const clang::Decl *import : imports_) {
      run_.import(run_.user, import ? getWriter().getDeclID(import).getRawValue() : va_list_import);
    }
  }
  void HandleTagDeclRequiredDefinition(const clang::TagDecl *type) override {
    if (type == type->getASTContext().getVaListTagDecl()) {
      imports_.push_back(nullptr);
    }
  }

 private:
  void find(const clang::Decl &declaration) {
    if (llvm::isa<clang::UsingDecl, clang::UsingDirectiveDecl, clang::UsingEnumDecl,
                  clang::NamespaceAliasDecl>(declaration)) {
      imports_.push_back(&declaration);
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
      for (const clang::Decl *inner : llvm::cast<clang::DeclContext>(declaration).decls()) {
        find(*inner);
      }
    }
  }

  static constexpr bool allows_errors = false;
  static constexpr bool has_times = false;
  const tn_face_run &run_;
  std::vector<const clang::Decl *> imports_;  // NULL: see va_list_import
};

class precompile_action final : public clang::ASTFrontendAction {
 public:
  precompile_action(const tn_face_run &run, std::shared_ptr<clang::PCHBuffer> out)
      : run_(run), out_(std::move(out)) {}

 private:
  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }
  bool hasASTFileSupport() const override { return false; }
  bool BeginSourceFileAction(clang::CompilerInstance &clang) override {
    clang.getLangOpts().CompilingPCH = true;
    add_host_target(clang);
    return true;
  }
  void ExecuteAction() override {
    clang::CompilerInstance &clang = getCompilerInstance();
    watch(clang.getPreprocessor(), run_);
    clang::Preprocessor &preprocessor = clang.getPreprocessor();
    preprocessor.addPPCallbacks(std::make_unique<changing_macros>(has_changing_));
    if (run_.included) {
      preprocessor.addPPCallbacks(std::make_unique<included_names>(run_, clang.getSourceManager()));
    }
    ASTFrontendAction::ExecuteAction();
    if (run_.identifier) {
      for (const auto &entry : preprocessor.getIdentifierTable()) {
        run_.identifier(run_.user, entry.getKey().data(), entry.getKey().size());
      }
    }
    if (has_changing_ || has_kernels_) {
      const unsigned id = clang.getDiagnostics().getCustomDiagID(
          clang::DiagnosticsEngine::Error, "%select{a macro in it tells the time or the source's "
                                           "name|Clang cannot read the kernels in it again}0");
      clang.getDiagnostics().Report(id) << (has_changing_ ? 0 : 1);
    }
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &clang,
                                                        StringRef) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> both;
    both.push_back(function_notes::make(clang));
    if (clang.getLangOpts().SYCLIsDevice) {
      both.push_back(std::make_unique<entry_consumer>());
    }
    both.push_back(std::make_unique<kernel_watch>(has_kernels_));
    both.push_back(std::make_unique<header_end>());
    both.push_back(std::make_unique<header_writer>(run_, clang, out_));
    return std::make_unique<clang::MultiplexConsumer>(std::move(both));
  }

  const tn_face_run &run_;
  std::shared_ptr<clang::PCHBuffer> out_;
  bool has_changing_ = false;
  bool has_kernels_ = false;
};

bool compile(clang::CompilerInstance &clang, const tn_face_run &run, sink &out, sink &log) {
  // Not on the stack: what LLVM ends half way leaves both behind as they are.
  auto context = std::make_unique<llvm::LLVMContext>();
  compile_action action(run, *context);
  if (!clang.ExecuteAction(action)) {
    return false;
  }
  std::unique_ptr<llvm::Module> module = action.takeModule();
  if (!module) {
    return false;
  }
  if (const std::string error = module_guard::find_error(*module); !error.empty()) {
    log << error << '\n';
    run.error(run.user, error.data(), error.size());
    return false;
  }
  if (run.module) {
    run.module(run.user, module.release());
    (void)context.release();
  } else {
    llvm::WriteBitcodeToFile(*module, out);
  }
  return true;
}

bool preprocess(clang::CompilerInstance &clang, sink &out) {
  preprocess_action action(out);
  return clang.ExecuteAction(action);
}

bool precompile(clang::CompilerInstance &clang, const tn_face_run &run, sink &out) {
  const auto made = std::make_shared<clang::PCHBuffer>();
  precompile_action action(run, made);
  clang.addDependencyCollector(std::make_shared<dependency_list>(run));
  if (!clang.ExecuteAction(action) || !made->IsComplete) {
    return false;
  }
  out.write(made->Data.data(), made->Data.size());
  return true;
}

}  // namespace

extern "C" int tn_face_run_clang(const tn_face_run *run) {
  sink log(run->log, run->user);
  const auto files = llvm::makeIntrusiveRefCnt<run_files>(*run);
  if (!files->can_enter()) {
    say_error(*run, log, Twine("the folder ") + run->folder + " cannot be entered");
    return 0;
  }
  invocation made = read_command_line(*run, files, log);
  if (!made) {
    return 0;
  }
  files->note_inputs();
  sink out(run->write, run->user);
  clang::CompilerInstance clang(std::move(made));
  message_printer printer(*run, log, clang.getDiagnosticOpts());
  clang.setVirtualFileSystem(files);
  clang.setOutputManager(llvm::vfs::makeNullOutputBackend());
  clang.setVerboseOutputStream(log);
  clang.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  clang.createFileManager();
  keep_counter(clang);
  switch (run->action) {
    case TN_FACE_PREPROCESS:
      return preprocess(clang, out);
    case TN_FACE_PRECOMPILE:
      return precompile(clang, *run, out);
    case TN_FACE_PRINT: {
      print_action action(*run);
      return clang.ExecuteAction(action);
    }
    default:
      return compile(clang, *run, out, log);
  }
}

extern "C" int tn_face_run_pass(const tn_face_pass *pass) { return pass_run(*pass).run(); }
extern "C" int tn_face_show(const tn_face_pass *pass) { return pass_run(*pass).show(); }
extern "C" int tn_face_set_llvm_options(const char *const *options, size_t count, void *user,
                                        void (*say)(void *, const char *, size_t)) {
  sink said(say, user);
  return set_llvm_options(std::vector<std::string>(options, options + count), &said) ? 1 : 0;
}
extern "C" void tn_face_join_traces(const tn_face_text *names, const tn_face_text *traces,
                                    size_t count, void *user,
                                    void (*write)(void *, const char *, size_t)) {
  joined_traces joined;
  for (size_t i = 0; i < count; i++) {
    joined.add(text_of(names[i]), text_of(traces[i]));
  }
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream out(text);
  joined.write(out);
  write(user, text.data(), text.size());
}
extern "C" int tn_face_find_linker(const tn_face_pass *pass) {
  return pass_run(*pass).find_linker();
}

extern "C" void tn_face_drop_module(void *given) {
  auto *const module = static_cast<llvm::Module *>(given);
  llvm::LLVMContext *const context = &module->getContext();
  delete module;
  delete context;
}

extern "C" void tn_face_call(void (*fn)(void *), void *arg, void (*no_memory)(void *)) {
  call_with_net(fn, arg, no_memory);
}
extern "C" const void *tn_face_stack_notes(void) { return llvm::SavePrettyStackState(); }
extern "C" void tn_face_set_stack_notes(const void *notes) { llvm::RestorePrettyStackState(notes); }

// LLVM's archives ask for the plug-ins that a distribution builds into its programs, and do not
// have them. What is optimized here is not Clang's to optimize.
llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "0", [](llvm::PassBuilder &) {}, nullptr};
}
