// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: a run of clang++ as the program does it, with the disk's files, for
// compile/driver.
#ifndef TN_COMPILE_CLANG_PASS_RUN_HPP
#define TN_COMPILE_CLANG_PASS_RUN_HPP

#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "compile/clang/assembler.hpp"
#include "compile/clang/clang_face.h"
#include "compile/clang/header_action.hpp"
#include "compile/clang/host_annotations.hpp"
#include "compile/clang/host_globals.hpp"
#include "compile/clang/llvm_options.hpp"
#include "compile/clang/pass_preamble.hpp"
#include "compile/clang/resource_folder.hpp"
#include "compile/clang/sink.hpp"
#include "compile/clang/time_trace.hpp"
#include "compile/clang/unit_id.hpp"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/Timer.h"
#include "llvm/Support/VirtualOutputBackends.h"
#include "llvm/TargetParser/Host.h"

#include <csignal>
#include <mutex>
#include <unistd.h>

namespace tenon_clang {

// What a run writes to standard output.
class captured_file final : public llvm::RTTIExtends<captured_file, llvm::vfs::OutputFileImpl> {
 public:
  explicit captured_file(const tn_face_pass &pass) : out_(pass.write, pass.user) {}
  llvm::Error keep() override { return llvm::Error::success(); }
  llvm::Error discard() override { return llvm::Error::success(); }
  llvm::raw_pwrite_stream &getOS() override { return out_; }
  static char ID;

 private:
  sink out_;
};
inline char captured_file::ID = 0;

// A file of the disk, which is written when it is whole: who is interrupted leaves nothing behind,
// and signals are the driver's matter.
class disk_file final : public llvm::RTTIExtends<disk_file, llvm::vfs::OutputFileImpl> {
 public:
  disk_file(llvm::StringRef path, llvm::vfs::OutputConfig config)
      : path_(path), config_(config), out_(text_) {}
  llvm::Error keep() override {
    const auto disk = llvm::makeIntrusiveRefCnt<llvm::vfs::OnDiskOutputBackend>();
    disk->Settings.RemoveOnSignal = false;
    auto file = disk->createFile(path_, config_.setDiscardOnSignal(false));
    if (!file) {
      return file.takeError();
    }
    *file << llvm::StringRef(text_.data(), text_.size());
    return file->keep();
  }
  llvm::Error discard() override { return llvm::Error::success(); }
  llvm::raw_pwrite_stream &getOS() override { return out_; }
  static char ID;

 private:
  std::string path_;
  llvm::vfs::OutputConfig config_;
  llvm::SmallVector<char, 0> text_;
  llvm::raw_svector_ostream out_;
};
inline char disk_file::ID = 0;

class pass_outputs final : public llvm::vfs::OutputBackend {
 public:
  explicit pass_outputs(const tn_face_pass &pass) : pass_(pass) {}

 private:
  llvm::IntrusiveRefCntPtr<llvm::vfs::OutputBackend> cloneImpl() const override {
    return llvm::makeIntrusiveRefCnt<pass_outputs>(pass_);
  }
  llvm::Expected<std::unique_ptr<llvm::vfs::OutputFileImpl>> createFileImpl(
      llvm::StringRef path, std::optional<llvm::vfs::OutputConfig> config) override {
    if (path == "-") {
      return std::make_unique<captured_file>(pass_);
    }
    // What cannot be written is refused before the source is compiled.
    const std::string there = llvm::sys::fs::exists(path) ? path.str() : folder_of(path);
    if (access(there.c_str(), W_OK) != 0) {
      return llvm::errorCodeToError(std::error_code(errno, std::generic_category()));
    }
    return std::make_unique<disk_file>(path, config.value_or(llvm::vfs::OutputConfig()));
  }

  static std::string folder_of(llvm::StringRef path) {
    const llvm::StringRef folder = llvm::sys::path::parent_path(path);
    return folder.empty() ? "." : folder.str();
  }

  const tn_face_pass &pass_;
};

class pass_run {
 public:
  explicit pass_run(const tn_face_pass &pass)
      : pass_(pass), log_(pass.log, pass.user), notes_(pass.note, pass.user) {
    log_.enable_colors(true);
    words_ = {pass.args[0], "--driver-mode=g++"};
    for (size_t i = 1; i < pass.arg_count; i++) {
      if (llvm::StringRef(pass.args[i]) != "-v") {  // Clang's driver would print by itself
        words_.push_back(pass.args[i]);
      }
    }
  }

  // The exit status; TN_FACE_PASS_ELSEWHERE: the program has to be run.
  int run() {
    static std::once_flag once;
    std::call_once(once, [] {
      llvm::InitializeNativeTarget();
      llvm::InitializeNativeTargetAsmPrinter();
      llvm::InitializeNativeTargetAsmParser();
      llvm::CrashRecoveryContext::Enable();
    });
    const alternate_stack stack;
    const auto own = std::make_unique<llvm::CrashRecoveryContext>();
    int status = TN_FACE_PASS_ELSEWHERE;
    if (own->RunSafely([&] { status = drive(); })) {
      return status;
    }
    if (pass_.crashed) {
      pass_.crashed(pass_.user);
    }
    return TN_FACE_PASS_ELSEWHERE;
  }

  // Nothing is run: the commands, as -### shows them.
  int show() {
    return with_jobs([this](clang::driver::JobList &jobs) {
      for (clang::driver::Command &job : jobs) {
        note(job, jobs.size() == 1);
      }
      return 0;
    });
  }

  // The words of the linker that the program would run, its path first. Nothing is run.
  int find_linker() {
    return with_jobs([this](clang::driver::JobList &jobs) {
      if (jobs.size() != 1) {
        return static_cast<int>(TN_FACE_PASS_ELSEWHERE);
      }
      const clang::driver::Command &job = *jobs.begin();
      if (!job.getCreator().isLinkJob()) {
        return static_cast<int>(TN_FACE_PASS_ELSEWHERE);
      }
      if (pass_.note) {
        job.Print(notes_, "\n", /*Quote=*/false);
      }
      pass_.write(pass_.user, job.getExecutable(), strlen(job.getExecutable()) + 1);
      for (const char *word : job.getArguments()) {
        pass_.write(pass_.user, word, strlen(word) + 1);
      }
      return 0;
    });
  }

 private:
  // Where the handler of a thread's end runs when its stack is what ended.
  class alternate_stack {
   public:
    alternate_stack() : memory_(new char[size]) {
      stack_t mine = {};
      mine.ss_sp = memory_.get();
      mine.ss_size = size;
      (void)sigaltstack(&mine, &before_);
    }
    ~alternate_stack() { (void)sigaltstack(&before_, nullptr); }

   private:
    static constexpr size_t size = 64 << 10;
    std::unique_ptr<char[]> memory_;
    stack_t before_ = {};
  };

  static bool is_front_end(const clang::driver::Command &job) {
    return llvm::StringRef(job.getCreator().getName()) == "clang";
  }
  static bool is_assembler(const clang::driver::Command &job) {
    return llvm::StringRef(job.getCreator().getName()) == "clang::as";
  }

  int drive() {
    return with_jobs([this](clang::driver::JobList &jobs) {
      for (const clang::driver::Command &job : jobs) {
        if (!is_front_end(job) && !is_assembler(job)) {
          return static_cast<int>(TN_FACE_PASS_ELSEWHERE);
        }
      }
      // A source that goes through several jobs is preprocessed in the first.
      const char *const several = jobs.size() > 1 ? "the pass has several jobs" : nullptr;
      int status = 0;
      for (auto job = jobs.begin(); status == 0 && job != jobs.end(); ++job) {
        note(*job, jobs.size() == 1);
        status = is_front_end(*job) ? compile(job->getArguments(), several)
                                    : assemble(job->getArguments());
      }
      return status;
    });
  }

  // -v: the command as clang prints it.
  void note(clang::driver::Command &job, bool is_alone) {
    if (!pass_.note) {
      return;
    }
    if (is_front_end(job)) {
      llvm::opt::ArgStringList words = job.getArguments();
      words.insert(words.begin() + 1, "-v");
      job.replaceArguments(words);
    }
    if (is_alone && is_front_end(job)) {
      notes_ << " (in-process)\n";
    }
    job.Print(notes_, "\n", /*Quote=*/pass_.is_shown != 0);
  }

  // What Clang's driver makes of the words.
  int with_jobs(llvm::function_ref<int(clang::driver::JobList &)> use) {
    const auto options = clang::CreateAndPopulateDiagOpts(words_);
    clang::TextDiagnosticPrinter printer(log_, *options);
    printer.setPrefix(llvm::sys::path::filename(words_[0]).str());
    const auto files = llvm::vfs::getRealFileSystem();
    clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), *options, &printer, false);
    clang::ProcessWarningOptions(diagnostics, *options, *files, /*ReportDiags=*/false);
    if (!options->DiagnosticSerializationFile.empty()) {
      return TN_FACE_PASS_ELSEWHERE;
    }
    clang::driver::Driver driver(program_for(words_, words_[0]),
                                 llvm::sys::getDefaultTargetTriple(), diagnostics);
    if (const std::string folder = resource_folder(driver.ClangExecutable); !folder.empty()) {
      driver.ResourceDir = folder;
    }
    add_linker_folders(driver);
    driver.setCheckInputsExist(!pass_.is_shown);
    const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(words_));
    if (!compilation || compilation->containsError() || diagnostics.hasErrorOccurred()) {
      return 1;
    }
    if (pass_.note && pass_.says_version) {
      driver.PrintVersion(*compilation, notes_);
      compilation->getDefaultToolChain().printVerboseInfo(notes_);
    }
    const int status = compilation->getJobs().empty() ? static_cast<int>(TN_FACE_PASS_ELSEWHERE)
                                                      : use(compilation->getJobs());
    if (!compilation->getArgs().hasArg(clang::options::OPT_save_temps_EQ)) {
      compilation->CleanupFileList(compilation->getTempFiles());
    }
    return status;
  }

  // What changes or asks the whole process, in which other runs go on.
  bool is_for_process(const clang::CompilerInvocation &made) const {
    const clang::FrontendOptions &frontend = made.getFrontendOpts();
    const clang::CodeGenOptions &code = made.getCodeGenOpts();
    return !are_set(frontend.LLVMArgs) || !frontend.Plugins.empty() || frontend.ShowStats ||
           !frontend.StatsFile.empty() || frontend.ShowHelp || frontend.ShowVersion ||
           frontend.PrintSupportedCPUs || (code.TimePasses && !pass_.is_alone) ||
           made.getDiagnosticOpts().getFormat() == clang::DiagnosticOptions::SARIF;
  }

  static bool makes_machine_code(const clang::CompilerInvocation &made) {
    const clang::frontend::ActionKind action = made.getFrontendOpts().ProgramAction;
    return action == clang::frontend::EmitObj || action == clang::frontend::EmitAssembly;
  }

  int assemble(llvm::ArrayRef<const char *> words) {
    pass_outputs outputs(pass_);
    assembler made(words.drop_front(), log_, outputs);
    if (made.has_llvm_options()) {
      return TN_FACE_PASS_ELSEWHERE;
    }
    return made.run() ? 0 : 1;
  }

  // `why_not` as tn_clang_preamble_query has it.
  int compile(llvm::ArrayRef<const char *> words, const char *why_not) {
    bool is_doubtful = false;
    const int status = compile_with(words, why_not, is_doubtful);
    if (!is_doubtful) {
      return status;
    }
    pass_.forget(pass_.user);
    return compile_with(words, "the compilation with it failed", is_doubtful);
  }

  int compile_with(llvm::ArrayRef<const char *> words, const char *why_not, bool &is_doubtful) {
    clang::CompilerInstance clang;
    auto &made = clang.getInvocation();
    clang::DiagnosticOptions early_options;
    clang::TextDiagnosticPrinter early(log_, early_options);
    clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), early_options, &early,
                                         false);
    const bool is_read =
        clang::CompilerInvocation::CreateFromArgs(made, words.drop_front(), diagnostics, words_[0]);
    llvm::erase_if(made.getFrontendOpts().Plugins, is_own_plugin);
    std::string error;
    if (!is_read || is_for_process(made) ||
        (makes_machine_code(made) &&
         !llvm::TargetRegistry::lookupTarget(llvm::Triple(made.getTargetOpts().Triple), error))) {
      return TN_FACE_PASS_ELSEWHERE;
    }
    if (pass_.is_text) {
      be_silent(made);
    }
    made.getFrontendOpts().DisableFree = false;
    made.getCodeGenOpts().DisableFree = false;
    clang.createVirtualFileSystem();
    clang.setOutputManager(llvm::makeIntrusiveRefCnt<pass_outputs>(pass_));
    clang.setVerboseOutputStream(pass_.note ? notes_ : log_);
    clang.createDiagnostics(
        std::make_unique<clang::TextDiagnosticPrinter>(log_, clang.getDiagnosticOpts()).release());
    if (!clang.hasDiagnostics()) {
      return 1;
    }
    if (!take_header(clang)) {
      return 1;
    }
    const unit_id id(made);
    host_globals::name_in(made, pass_.global_infix, id.value());
    host_annotations::drop_from(made);
    pass_preamble preamble;
    preamble.find(clang, pass_, why_not);
    const std::unique_ptr<clang::FrontendAction> action =
        make_action(made.getFrontendOpts(), preamble);
    if (!action) {
      return TN_FACE_PASS_ELSEWHERE;
    }
    const time_trace trace(clang, pass_);
    const bool is_done = run_action(clang, *action);
    if (clang.getFrontendOpts().ProgramAction == clang::frontend::GeneratePCH && !pass_.is_text &&
        static_cast<const header_action &>(*action).has_kernels()) {
      is_doubtful = instantiates_headers_;
      instantiates_headers_ = false;
    }
    if (is_done) {
      return 0;
    }
    is_doubtful = preamble.is_doubtful(clang.getDiagnostics());
    return 1;
  }

  // The precompiled header that the words name is one of several in its file.
  bool take_header(clang::CompilerInstance &clang) const {
    clang::PreprocessorOptions &preprocessor = clang.getPreprocessorOpts();
    const std::string path = preprocessor.ImplicitPCHInclude;
    if (path.empty() || !pass_.header) {
      return true;
    }
    tn_face_text bytes = {};
    if (!pass_.header(pass_.user, path.c_str(), &bytes)) {
      return false;
    }
    if (!bytes.data) {  // Clang's driver has put one that lies beside the header in its place
      preprocessor.ImplicitPCHInclude.clear();
      preprocessor.Includes.insert(preprocessor.Includes.begin(),
                                   llvm::StringRef(path).rsplit('.').first.str());
      return true;
    }
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    auto files =
        llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(clang.getVirtualFileSystemPtr());
    // Gives it the folder that relative names are relative to.
    files->pushOverlay(memory);
    memory->addFileNoOwn(path, 0, llvm::MemoryBufferRef({bytes.data, bytes.size}, path));
    clang.setVirtualFileSystem(files);
    return true;
  }

  // -ftime-report: LLVM's timers are the process's, in which no other pass runs meanwhile.
  bool run_action(clang::CompilerInstance &clang, clang::FrontendAction &action) const {
    if (!clang.getCodeGenOpts().TimePasses || pass_.is_text) {
      return clang.ExecuteAction(action);
    }
    clang.createFrontendTimer();
    bool is_done = false;
    {
      const llvm::TimeRegion region(clang.getFrontendTimer());
      is_done = clang.ExecuteAction(action);
    }
    llvm::TimePassesIsEnabled = false;
    llvm::TimerGroup::printAll(llvm::errs());
    llvm::TimerGroup::clearAll();
    return is_done;
  }

  // What the compilation itself leaves beside its output.
  static void be_silent(clang::CompilerInvocation &made) {
    made.getDependencyOutputOpts() = clang::DependencyOutputOptions();
    made.getFrontendOpts().TimeTracePath.clear();
    made.getDiagnosticOpts().VerifyDiagnostics = false;
  }

  std::unique_ptr<header_action> make_header_action(pass_preamble &preamble) const {
    auto action = std::make_unique<pass_action<header_action>>(preamble);
    action->set_instantiates(instantiates_headers_);
    return action;
  }

  // Of a pass; NULL for what else clang can do.
  std::unique_ptr<clang::FrontendAction> make_action(const clang::FrontendOptions &options,
                                                     pass_preamble &preamble) const {
    if (pass_.is_text) {
      return std::make_unique<text_action>(preamble, pass_);
    }
    if (options.FixAndRecompile || !options.ASTMergeFiles.empty()) {
      return nullptr;
    }
    switch (options.ProgramAction) {
      case clang::frontend::EmitAssembly:
        return std::make_unique<pass_action<clang::EmitAssemblyAction>>(preamble);
      case clang::frontend::EmitBC:
        return std::make_unique<pass_action<clang::EmitBCAction>>(preamble);
      case clang::frontend::EmitLLVM:
        return std::make_unique<pass_action<clang::EmitLLVMAction>>(preamble);
      case clang::frontend::EmitObj:
        return std::make_unique<pass_action<clang::EmitObjAction>>(preamble);
      case clang::frontend::GeneratePCH:
        return make_header_action(preamble);
      case clang::frontend::ParseSyntaxOnly:
        return std::make_unique<pass_action<clang::SyntaxOnlyAction>>(preamble);
      case clang::frontend::PrintPreprocessedInput:
        return std::make_unique<clang::PrintPreprocessedAction>();
      case clang::frontend::RunPreprocessorOnly:
        return std::make_unique<clang::PreprocessOnlyAction>();
      default:
        return nullptr;
    }
  }

  const tn_face_pass &pass_;
  sink log_;
  sink notes_;
  llvm::SmallVector<const char *, 128> words_;
  bool instantiates_headers_ = true;  // until one turns out to have kernels
};

}  // namespace tenon_clang

#endif
