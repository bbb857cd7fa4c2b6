// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang++ as a program: its driver, its front end (-cc1) and its assembler (-cc1as) for a process
// that does nothing else. Where no clang is installed tenon++ is this for plain C++, and its own
// child where a run of Clang must have a process to itself.
//
// Unlike the passes in clang_face.cpp this changes the whole process: signals, LLVM's options and
// handlers, standard streams.
#include "compile/clang/clang_program.h"

#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/Stack.h"
#include "clang/CodeGen/ObjectFilePCHContainerWriter.h"
#include "clang/Config/config.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/ToolChain.h"
#include "clang/Frontend/ChainedDiagnosticConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/SerializedDiagnosticPrinter.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "clang/Serialization/ObjectFilePCHContainerReader.h"
#include "compile/clang/assembler.hpp"
#include "compile/clang/attribute_action.hpp"
#include "compile/clang/front_end_action.hpp"
#include "compile/clang/llvm_options.hpp"
#include "compile/clang/resource_folder.hpp"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/Timer.h"
#include "llvm/Support/VirtualOutputBackends.h"
#include "llvm/Target/TargetMachine.h"

#include <csignal>
#include <sys/resource.h>

namespace {

using namespace tenon_clang;
using words = llvm::SmallVector<const char *, 256>;

void initialize_targets() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
}

void end_timers() {
  llvm::TimerGroup::printAll(llvm::errs());
  llvm::TimerGroup::clearAll();
}

// ---- -cc1

// As the program: what cannot be compiled is an error, what LLVM got wrong is told as a crash.
void report_fatal(void *user, const char *message, bool is_crash) {
  auto &diagnostics = *static_cast<clang::DiagnosticsEngine *>(user);
  diagnostics.Report(clang::diag::err_fe_error_backend) << message;
  llvm::sys::RunInterruptHandlers();
  llvm::sys::Process::Exit(is_crash ? 70 : 1);
}

void write_time_trace(const clang::CompilerInstance &clang) {
  std::error_code error;
  llvm::raw_fd_ostream out(clang.getFrontendOpts().TimeTracePath, error);
  if (!error) {
    llvm::timeTraceProfilerWrite(out);
  }
  llvm::timeTraceProfilerCleanup();
}

int print_processors(const clang::CompilerInstance &clang) {
  const llvm::Triple triple(clang.getTargetOpts().Triple);
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    llvm::errs() << error;
    return 1;
  }
  const std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, "", "+cpuhelp", llvm::TargetOptions(), std::nullopt));
  return 0;
}

bool execute(clang::CompilerInstance &clang) {
  const llvm::TimeTraceScope scope("ExecuteCompiler");
  const bool is_timed = clang.getCodeGenOpts().TimePasses;
  if (is_timed) {
    clang.createFrontendTimer();
  }
  const llvm::TimeRegion region(is_timed ? &clang.getFrontendTimer() : nullptr);
  const clang::FrontendOptions &options = clang.getFrontendOpts();
  if (options.ShowVersion) {
    llvm::cl::PrintVersionMessage();
    return true;
  }
  if (!options.Plugins.empty() || !clang.getCodeGenOpts().PassPlugins.empty()) {
    llvm::errs() << "error: plugins of clang cannot be loaded into tenon++: name a clang++ that "
                    "loads them with --tenon-clang=\n";
    return false;
  }
  set_llvm_options(options.LLVMArgs, nullptr);
  if (clang.getDiagnostics().hasErrorOccurred()) {
    return false;
  }
  std::unique_ptr<clang::FrontendAction> action = make_front_end_action(options);
  if (!action) {
    llvm::errs() << "error: the Clang in tenon++ has no static analyzer and no rewriters: name an "
                    "installed clang++ with --tenon-clang=\n";
    return false;
  }
  const bool is_done = clang.ExecuteAction(*action);
  if (options.DisableFree) {
    llvm::BuryPointer(std::move(action));
  }
  return is_done;
}

// What the plugin brings to another clang.
void add_attributes(const clang::LangOptions &language) {
  if (language.isSYCL()) {
    static const attribute_action::registration action(function_notes::own_action,
                                                       "reads attributes of kernels");
  }
}

int run_front_end(llvm::ArrayRef<const char *> args, const char *program) {
  auto containers = std::make_shared<clang::PCHContainerOperations>();
  containers->registerWriter(std::make_unique<clang::ObjectFilePCHContainerWriter>());
  containers->registerReader(std::make_unique<clang::ObjectFilePCHContainerReader>());
  initialize_targets();
  clang::DiagnosticOptions early_options;
  auto *const early = new clang::TextDiagnosticBuffer;
  clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), early_options, early);
  auto made = std::make_shared<clang::CompilerInvocation>();
  const bool is_read =
      clang::CompilerInvocation::CreateFromArgs(*made, args, diagnostics, program);
  llvm::erase_if(made->getFrontendOpts().Plugins, is_own_plugin);
  add_attributes(made->getLangOpts());
  auto clang = std::make_unique<clang::CompilerInstance>(std::move(made), std::move(containers));
  const clang::FrontendOptions &frontend = clang->getFrontendOpts();
  if (!frontend.TimeTracePath.empty()) {
    llvm::timeTraceProfilerInitialize(frontend.TimeTraceGranularity, program,
                                      frontend.TimeTraceVerbose);
  }
  if (frontend.PrintSupportedCPUs) {
    return print_processors(*clang);
  }
  clang::HeaderSearchOptions &headers = clang->getHeaderSearchOpts();
  if (headers.UseBuiltinIncludes && headers.ResourceDir.empty()) {
    headers.ResourceDir = resource_folder(program);
  }
  clang->createVirtualFileSystem(llvm::vfs::getRealFileSystem(), early);
  clang->createDiagnostics();
  llvm::install_fatal_error_handler(report_fatal, &clang->getDiagnostics());
  early->FlushDiagnostics(clang->getDiagnostics());
  const bool is_done = is_read && execute(*clang);
  end_timers();
  if (llvm::timeTraceProfilerEnabled()) {
    write_time_trace(*clang);
  }
  llvm::remove_fatal_error_handler();
  if (frontend.DisableFree) {
    clang->getDiagnosticClient().~DiagnosticConsumer();
    llvm::BuryPointer(std::move(clang));
  }
  return is_done ? 0 : 1;
}

// ---- -cc1as

int run_assembler(llvm::ArrayRef<const char *> args) {
  initialize_targets();
  llvm::vfs::OnDiskOutputBackend outputs;
  assembler made(args, llvm::errs(), outputs);
  const bool is_done = made.run();
  end_timers();
  return is_done ? 0 : 1;
}

int run_tool(llvm::SmallVectorImpl<const char *> &args) {
  llvm::cl::ResetAllOptionOccurrences();
  llvm::BumpPtrAllocator memory;
  llvm::cl::ExpansionContext files(memory, llvm::cl::TokenizeGNUCommandLine);
  if (llvm::Error error = files.expandResponseFiles(args)) {
    llvm::errs() << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  const llvm::StringRef tool = args[1];
  const llvm::ArrayRef<const char *> rest = llvm::ArrayRef<const char *>(args).drop_front(2);
  if (tool == "-cc1") {
    return run_front_end(rest, args[0]);
  }
  if (tool == "-cc1as") {
    return run_assembler(rest);
  }
  llvm::errs() << "error: unknown integrated tool '" << tool
               << "'. Valid tools include '-cc1' and '-cc1as'.\n";
  return 1;
}

// ---- The driver

bool has_word(llvm::ArrayRef<const char *> all, llvm::StringRef word) {
  return llvm::is_contained(all, word);
}

// Without memory for it, the parser's own guard of its stack has less to spare.
void deepen_stack() {
  struct rlimit limit;
  constexpr rlim_t wanted = 8 << 20;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      limit.rlim_cur < wanted) {
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > wanted ? wanted
                                                                                : limit.rlim_max;
    (void)setrlimit(RLIMIT_STACK, &limit);
  }
}

// -gen-reproducer=
bool read_reproducer(const clang::driver::Compilation &compilation,
                     clang::driver::Driver::ReproLevel &level) {
  using repro = clang::driver::Driver::ReproLevel;
  level = repro::OnCrash;
  if (const llvm::opt::Arg *arg =
          compilation.getArgs().getLastArg(clang::options::OPT_gen_reproducer_eq)) {
    const auto found = llvm::StringSwitch<std::optional<repro>>(arg->getValue())
                           .Case("off", repro::Off)
                           .Case("crash", repro::OnCrash)
                           .Case("error", repro::OnError)
                           .Case("always", repro::Always)
                           .Default(std::nullopt);
    if (!found) {
      llvm::errs() << "Unknown value for " << arg->getSpelling() << ": '" << arg->getValue()
                   << "'\n";
      return false;
    }
    level = *found;
  }
  return true;
}

class driver_run {
 public:
  explicit driver_run(words &args, const char *path)
      : args_(args),
        options_(clang::CreateAndPopulateDiagOpts(args)),
        diagnostics_(clang::DiagnosticIDs::create(), *options_, make_printer(path)),
        driver_(program_for(args, path), llvm::sys::getDefaultTargetTriple(), diagnostics_,
                "clang LLVM compiler", llvm::vfs::getRealFileSystem()) {
    options_->DiagnosticSuppressionMappingsFile.clear();
    if (!options_->DiagnosticSerializationFile.empty()) {
      diagnostics_.setClient(new clang::ChainedDiagnosticConsumer(
          diagnostics_.takeClient(),
          clang::serialized_diags::create(options_->DiagnosticSerializationFile, *options_, true)));
    }
    constexpr bool reports = false;
    clang::ProcessWarningOptions(diagnostics_, *options_, driver_.getVFS(), reports);
    if (const std::string folder = resource_folder(driver_.ClangExecutable); !folder.empty()) {
      driver_.ResourceDir = folder;
    }
    add_linker_folders(driver_);
    if (!has_word(args, "-fno-integrated-cc1")) {
      driver_.CC1Main = run_tool;
      llvm::CrashRecoveryContext::Enable();
    }
  }

  int run() {
    const std::unique_ptr<clang::driver::Compilation> compilation(driver_.BuildCompilation(args_));
    clang::driver::Driver::ReproLevel level;
    if (!compilation || !read_reproducer(*compilation, level)) {
      return 1;
    }
    int status = 1;
    llvm::SmallVector<std::pair<int, const clang::driver::Command *>, 4> failed;
    if (!compilation->containsError()) {
      status = driver_.ExecuteCompilation(*compilation, failed);
    }
    const clang::driver::Command *about =
        compilation->getJobs().empty() ? nullptr : &*compilation->getJobs().begin();
    auto kind = clang::driver::Driver::CommandStatus::Ok;
    int first = 0;
    for (const auto &[code, command] : failed) {
      first = code;
      about = command;
      status = status == 0 ? code : status;
      // 70: LLVM's fatal errors; above 128 a signal, also of a front end in this process.
      kind = code < 0 || code == 70 || code > 128 ? clang::driver::Driver::CommandStatus::Crash
                                                  : clang::driver::Driver::CommandStatus::Error;
      if (kind == clang::driver::Driver::CommandStatus::Crash) {
        break;
      }
    }
    if (about && driver_.maybeGenerateCompilationDiagnostics(kind, level, *compilation, *about)) {
      status = 1;
    }
    diagnostics_.getClient()->finish();
    if (kind == clang::driver::Driver::CommandStatus::Crash) {
      // The list of timers may lead into a stack that is gone.
      llvm::BuryPointer(llvm::TimerGroup::acquireTimerGlobals());
    } else {
      end_timers();
    }
    if (first > 128 && first != 255) {
      llvm::sys::unregisterHandlers();
      (void)raise(first - 128);
    }
    return status;
  }

 private:
  clang::DiagnosticConsumer *make_printer(const char *path) const {
    auto *const printer = new clang::TextDiagnosticPrinter(llvm::errs(), *options_);
    printer->setPrefix(llvm::sys::path::stem(path).str());
    return printer;
  }

  words &args_;
  std::unique_ptr<clang::DiagnosticOptions> options_;
  clang::DiagnosticsEngine diagnostics_;
  clang::driver::Driver driver_;
};

}  // namespace

extern "C" int tn_face_program(size_t count, const char *const *args) {
  clang::noteBottomOfStack();
  llvm::setBugReportMsg("PLEASE submit a bug report to " BUG_REPORT_URL
                        " and include the crash backtrace, preprocessed "
                        "source, and associated run script.\n");
  llvm::sys::PrintStackTraceOnErrorSignal(args[0]);
  const llvm::PrettyStackTraceProgram trace(static_cast<int>(count), args);
  deepen_stack();
  words all(args, args + count);
  if (count >= 2 && llvm::StringRef(args[1]).starts_with("-cc1")) {
    return run_tool(all);
  }
  llvm::BumpPtrAllocator memory;
  if (llvm::Error error = clang::driver::expandResponseFiles(all, false, memory)) {
    llvm::errs() << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  initialize_targets();
  if (!llvm::any_of(all, [](llvm::StringRef word) { return word.starts_with("--driver-mode="); })) {
    all.insert(all.begin() + 1, "--driver-mode=g++");
  }
  return driver_run(all, args[0]).run();
}
