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
#include "compile/clang/clang_face.h"
#include "compile/clang/pass_preamble.hpp"
#include "compile/clang/resource_folder.hpp"
#include "compile/clang/sink.hpp"
#include "compile/clang/unit_id.hpp"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/TimeProfiler.h"
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
  explicit pass_run(const tn_face_pass &pass) : pass_(pass), log_(pass.log, pass.user) {
    log_.enable_colors(true);
    words_ = {pass.args[0], "--driver-mode=g++"};
    words_.append(pass.args + 1, pass.args + pass.arg_count);
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

  // The words of the linker that the program would run, its path first. Nothing is run.
  int find_linker() {
    return with_job([this](const clang::driver::Command &job) {
      if (!job.getCreator().isLinkJob()) {
        return static_cast<int>(TN_FACE_PASS_ELSEWHERE);
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

  int drive() {
    return with_job([this](const clang::driver::Command &job) {
      return llvm::StringRef(job.getCreator().getName()) == "clang"
                 ? compile(job.getArguments())
                 : static_cast<int>(TN_FACE_PASS_ELSEWHERE);
    });
  }

  // What Clang's driver makes of the words, if that is one job.
  int with_job(llvm::function_ref<int(const clang::driver::Command &)> use) {
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
    const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(words_));
    if (!compilation || compilation->containsError() || diagnostics.hasErrorOccurred()) {
      return 1;
    }
    const clang::driver::JobList &jobs = compilation->getJobs();
    return jobs.size() == 1 ? use(*jobs.begin()) : TN_FACE_PASS_ELSEWHERE;
  }

  // What changes or asks the whole process, in which other runs go on.
  static bool is_for_process(const clang::CompilerInvocation &made) {
    const clang::FrontendOptions &frontend = made.getFrontendOpts();
    const clang::CodeGenOptions &code = made.getCodeGenOpts();
    return !frontend.LLVMArgs.empty() || !frontend.Plugins.empty() || frontend.ShowStats ||
           !frontend.StatsFile.empty() || frontend.ShowHelp || frontend.ShowVersion ||
           frontend.PrintSupportedCPUs || code.TimePasses ||
           made.getDiagnosticOpts().getFormat() == clang::DiagnosticOptions::SARIF;
  }

  static bool makes_machine_code(const clang::CompilerInvocation &made) {
    const clang::frontend::ActionKind action = made.getFrontendOpts().ProgramAction;
    return action == clang::frontend::EmitObj || action == clang::frontend::EmitAssembly;
  }

  int compile(llvm::ArrayRef<const char *> words) {
    bool is_doubtful = false;
    const int status = compile_with(words, true, is_doubtful);
    if (!is_doubtful) {
      return status;
    }
    pass_.forget(pass_.user);
    return compile_with(words, false, is_doubtful);
  }

  int compile_with(llvm::ArrayRef<const char *> words, bool has_preambles, bool &is_doubtful) {
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
    clang.setVerboseOutputStream(log_);
    clang.createDiagnostics(
        std::make_unique<clang::TextDiagnosticPrinter>(log_, clang.getDiagnosticOpts()).release());
    if (!clang.hasDiagnostics()) {
      return 1;
    }
    const unit_id id(made);
    pass_preamble preamble;
    preamble.find(clang, pass_, has_preambles);
    const std::unique_ptr<clang::FrontendAction> action =
        make_action(made.getFrontendOpts(), preamble);
    if (!action) {
      return TN_FACE_PASS_ELSEWHERE;
    }
    const time_trace trace(clang);
    if (clang.ExecuteAction(*action)) {
      return 0;
    }
    is_doubtful = preamble.is_doubtful(clang.getDiagnostics());
    return 1;
  }

  // What the compilation itself leaves beside its output.
  static void be_silent(clang::CompilerInvocation &made) {
    made.getDependencyOutputOpts() = clang::DependencyOutputOptions();
    made.getFrontendOpts().TimeTracePath.clear();
    made.getDiagnosticOpts().VerifyDiagnostics = false;
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

  // -ftime-trace is of a thread.
  class time_trace {
   public:
    explicit time_trace(clang::CompilerInstance &clang) : clang_(clang) {
      const clang::FrontendOptions &options = clang.getFrontendOpts();
      if (!options.TimeTracePath.empty()) {
        llvm::timeTraceProfilerInitialize(options.TimeTraceGranularity, "clang",
                                          options.TimeTraceVerbose);
      }
    }
    ~time_trace() {
      if (!llvm::timeTraceProfilerEnabled()) {
        return;
      }
      const std::string path = clang_.getFrontendOpts().TimeTracePath;
      clang_.createFileManager();
      constexpr bool is_binary = false;
      constexpr bool has_handler = false;
      constexpr bool is_temporary = false;
      if (auto out = clang_.createOutputFile(path, is_binary, has_handler, is_temporary)) {
        llvm::timeTraceProfilerWrite(*out);
        out.reset();
        clang_.clearOutputFiles(false);
      }
      llvm::timeTraceProfilerCleanup();
    }

   private:
    clang::CompilerInstance &clang_;
  };

  const tn_face_pass &pass_;
  sink log_;
  llvm::SmallVector<const char *, 128> words_;
};

}  // namespace tenon_clang

#endif
