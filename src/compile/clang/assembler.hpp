// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang's C++ files: a run of clang's integrated assembler (-cc1as), for ELF. Clang has
// its own in the program's main files, which are in no library.
#ifndef TN_COMPILE_CLANG_ASSEMBLER_HPP
#define TN_COMPILE_CLANG_ASSEMBLER_HPP

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticDriver.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Options/OptionUtils.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/VirtualOutputBackend.h"
#include "llvm/Support/VirtualOutputFile.h"
#include "llvm/TargetParser/Host.h"

namespace tenon_clang {

class assembler {
 public:
  // The words behind -cc1as. Outputs are removed when it fails.
  assembler(llvm::ArrayRef<const char *> words, llvm::raw_ostream &log,
            llvm::vfs::OutputBackend &outputs)
      : log_(log),
        outputs_(outputs),
        printer_(log, options_),
        diagnostics_(clang::DiagnosticIDs::create(), options_, &printer_, false),
        args_(read(words)) {
    printer_.setPrefix("clang -cc1as");
  }

  bool has_llvm_options() const { return args_.hasArg(clang::options::OPT_mllvm); }

  bool run() {
    if (diagnostics_.hasErrorOccurred()) {
      return false;
    }
    const bool is_done = assemble();
    for (const auto id : {clang::options::OPT_o, clang::options::OPT_split_dwarf_output}) {
      const llvm::StringRef path = args_.getLastArgValue(id);
      if (!is_done && !path.empty() && path != "-") {
        (void)llvm::sys::fs::remove(path);
      }
    }
    return is_done;
  }

 private:
  // What is said of the words is said before `args_` is there.
  llvm::opt::InputArgList read(llvm::ArrayRef<const char *> words) {
    const llvm::opt::OptTable &table = clang::getDriverOptTable();
    const llvm::opt::Visibility visible(clang::options::CC1AsOption);
    unsigned missing = 0;
    unsigned missing_count = 0;
    llvm::opt::InputArgList args = table.ParseArgs(words, missing, missing_count, visible);
    if (missing_count > 0) {
      diagnostics_.Report(clang::diag::err_drv_missing_argument)
          << args.getArgString(missing) << missing_count;
    }
    for (const llvm::opt::Arg *unknown : args.filtered(clang::options::OPT_UNKNOWN)) {
      diagnostics_.Report(clang::diag::err_drv_unknown_argument) << unknown->getAsString(args);
    }
    return args;
  }

  bool has(llvm::opt::OptSpecifier id) const { return args_.hasArg(id); }

  llvm::MCTargetOptions target_options() const {
    using namespace clang::options;
    llvm::MCTargetOptions made;
    made.MCRelaxAll = has(OPT_mrelax_all);
    made.EmitDwarfUnwind =
        llvm::StringSwitch<llvm::EmitDwarfUnwindType>(
            args_.getLastArgValue(OPT_femit_dwarf_unwind_EQ))
            .Case("always", llvm::EmitDwarfUnwindType::Always)
            .Case("no-compact-unwind", llvm::EmitDwarfUnwindType::NoCompactUnwind)
            .Default(llvm::EmitDwarfUnwindType::Default);
    made.EmitCompactUnwindNonCanonical = has(OPT_femit_compact_unwind_non_canonical);
    made.MCSaveTempLabels = has(OPT_msave_temp_labels);
    made.Crel = has(OPT_crel);
    made.ImplicitMapSyms = has(OPT_mmapsyms_implicit);
    made.X86RelaxRelocations = !has(OPT_mrelax_relocations_no);
    made.X86Sse2Avx = has(OPT_msse2avx);
    made.CompressDebugSections =
        llvm::StringSwitch<llvm::DebugCompressionType>(
            args_.getLastArgValue(OPT_compress_debug_sections_EQ))
            .Case("zlib", llvm::DebugCompressionType::Zlib)
            .Case("zstd", llvm::DebugCompressionType::Zstd)
            .Default(llvm::DebugCompressionType::None);
    made.AsSecureLogFile = args_.getLastArgValue(OPT_as_secure_log_file);
    made.MCNoWarn = has(OPT_massembler_no_warn);
    made.MCFatalWarnings = has(OPT_massembler_fatal_warnings);
    made.MCNoTypeCheck = has(OPT_mno_type_check);
    made.ShowMCInst = has(OPT_show_inst);
    made.AsmVerbose = true;
    made.MCUseDwarfDirectory = llvm::MCTargetOptions::EnableDwarfDirectory;
    made.ABIName = args_.getLastArgValue(OPT_target_abi);
    return made;
  }

  void describe(llvm::MCContext &context, llvm::StringRef input, llvm::StringRef text) const {
    using namespace clang::options;
    const bool has_debug = has(OPT_debug_info_kind_EQ);
    context.setGenDwarfForAssembly(has_debug);
    if (const llvm::StringRef flags = args_.getLastArgValue(OPT_dwarf_debug_flags);
        !flags.empty()) {
      context.setDwarfDebugFlags(flags);
    }
    if (const llvm::StringRef producer = args_.getLastArgValue(OPT_dwarf_debug_producer);
        !producer.empty()) {
      context.setDwarfDebugProducer(producer);
    }
    llvm::SmallString<128> folder(args_.getLastArgValue(OPT_fdebug_compilation_dir_EQ,
                                                        args_.getLastArgValue(
                                                            OPT_ffile_compilation_dir_EQ)));
    if (!folder.empty() || !llvm::sys::fs::current_path(folder)) {
      context.setCompilationDir(folder);
    }
    for (const std::string &entry : args_.getAllArgValues(OPT_fdebug_prefix_map_EQ)) {
      const auto [from, to] = llvm::StringRef(entry).split('=');
      context.addDebugPrefixMapEntry(from.str(), to.str());
    }
    if (const llvm::StringRef name = args_.getLastArgValue(OPT_main_file_name); !name.empty()) {
      context.setMainFileName(name);
    }
    context.setDwarfFormat(args_.hasFlag(OPT_gdwarf64, OPT_gdwarf32, false)
                               ? llvm::dwarf::DWARF64
                               : llvm::dwarf::DWARF32);
    context.setDwarfVersion(static_cast<uint16_t>(
        clang::getLastArgIntValue(args_, OPT_dwarf_version_EQ, 2)));
    if (has_debug) {
      context.setGenDwarfRootFile(input, text);
    }
  }

  static void print_message(const llvm::SMDiagnostic &message, void *user) {
    message.print(nullptr, *static_cast<llvm::raw_ostream *>(user), /*ShowColors=*/false);
  }

  struct output {
    std::unique_ptr<llvm::vfs::OutputFile> file;
    llvm::SmallVector<char, 0> text;
    llvm::raw_svector_ostream out{text};
  };

  bool open(llvm::StringRef path, output &made) {
    auto file = outputs_.createFile(path);
    if (!file) {
      diagnostics_.Report(clang::diag::err_fe_unable_to_open_output)
          << path << llvm::toString(file.takeError());
      return false;
    }
    made.file = std::make_unique<llvm::vfs::OutputFile>(std::move(*file));
    return true;
  }

  static void close(output &made, bool is_done) {
    if (!made.file) {
      return;
    }
    if (is_done) {
      *made.file << llvm::StringRef(made.text.data(), made.text.size());
    }
    llvm::consumeError(is_done ? made.file->keep() : made.file->discard());
  }

  bool assemble() {
    using namespace clang::options;
    std::string name = llvm::Triple::normalize(args_.getLastArgValue(OPT_triple));
    if (name.empty()) {
      name = llvm::sys::getDefaultTargetTriple();
    }
    const llvm::Triple triple(name);
    std::string error;
    const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (!target) {
      diagnostics_.Report(clang::diag::err_target_unknown_triple) << name;
      return false;
    }
    const llvm::StringRef input = args_.getLastArgValue(OPT_INPUT, "-");
    auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(input, /*IsText=*/true);
    if (!buffer) {
      diagnostics_.Report(clang::diag::err_fe_error_reading)
          << input << buffer.getError().message();
      return false;
    }
    output object;
    output split;
    const llvm::StringRef split_path = args_.getLastArgValue(OPT_split_dwarf_output);
    if (!open(args_.getLastArgValue(OPT_o, "-"), object) ||
        (!split_path.empty() && !open(split_path, split))) {
      return false;
    }
    const bool is_done = parse(*target, triple, input, std::move(*buffer), object,
                               split_path.empty() ? nullptr : &split);
    close(object, is_done);
    close(split, is_done);
    return is_done;
  }

  bool parse(const llvm::Target &target, const llvm::Triple &triple, llvm::StringRef input,
             std::unique_ptr<llvm::MemoryBuffer> buffer, output &object, output *split) {
    using namespace clang::options;
    const llvm::StringRef text = buffer->getBuffer();
    llvm::SourceMgr sources;
    sources.setDiagHandler(print_message, &log_);
    sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    sources.setIncludeDirs(args_.getAllArgValues(OPT_I));
    const llvm::MCTargetOptions target_options = this->target_options();
    const std::unique_ptr<llvm::MCRegisterInfo> registers(target.createMCRegInfo(triple));
    const std::unique_ptr<llvm::MCAsmInfo> syntax(
        target.createMCAsmInfo(*registers, triple, target_options));
    const std::unique_ptr<llvm::MCSubtargetInfo> processor(target.createMCSubtargetInfo(
        triple, args_.getLastArgValue(OPT_target_cpu),
        llvm::join(args_.getAllArgValues(OPT_target_feature), ",")));
    const std::unique_ptr<llvm::MCInstrInfo> instructions(target.createMCInstrInfo());
    llvm::MCContext context(triple, syntax.get(), registers.get(), processor.get(), &sources,
                            &target_options);
    const bool is_pic = args_.getLastArgValue(OPT_mrelocation_model, "pic") == "pic";
    const std::unique_ptr<llvm::MCObjectFileInfo> sections(
        target.createMCObjectFileInfo(context, is_pic));
    context.setObjectFileInfo(sections.get());
    describe(context, input, text);

    std::unique_ptr<llvm::MCCodeEmitter> emitter(
        target.createMCCodeEmitter(*instructions, context));
    std::unique_ptr<llvm::MCAsmBackend> backend(
        target.createMCAsmBackend(*processor, *registers, target_options));
    std::unique_ptr<llvm::MCStreamer> streamer;
    const llvm::StringRef type = args_.getLastArgValue(OPT_filetype, "asm");
    if (type == "obj") {
      std::unique_ptr<llvm::MCObjectWriter> writer =
          split ? backend->createDwoObjectWriter(object.out, split->out)
                : backend->createObjectWriter(object.out);
      streamer.reset(target.createMCObjectStreamer(triple, context, std::move(backend),
                                                   std::move(writer), std::move(emitter),
                                                   *processor));
      streamer->initSections(has(OPT_mno_exec_stack), *processor);
    } else if (type == "null") {
      streamer.reset(llvm::createNullStreamer(context));
    } else {
      std::unique_ptr<llvm::MCInstPrinter> printer(target.createMCInstPrinter(
          triple,
          static_cast<unsigned>(clang::getLastArgIntValue(args_, OPT_output_asm_variant, 0)),
          *syntax, *instructions, *registers));
      if (!has(OPT_show_encoding)) {
        emitter.reset();
      }
      streamer.reset(target.createAsmStreamer(
          context, std::make_unique<llvm::formatted_raw_ostream>(object.out), std::move(printer),
          std::move(emitter), std::move(backend)));
    }
    const std::unique_ptr<llvm::MCAsmParser> parser(
        llvm::createMCAsmParser(sources, context, *streamer, *syntax));
    const std::unique_ptr<llvm::MCTargetAsmParser> target_parser(
        target.createMCAsmParser(*processor, *parser, *instructions, target_options));
    if (!target_parser) {
      diagnostics_.Report(clang::diag::err_target_unknown_triple) << triple.str();
      return false;
    }
    for (const std::string &definition : args_.getAllArgValues(OPT_defsym)) {
      const auto [symbol, value] = llvm::StringRef(definition).split('=');
      int64_t number = 0;
      (void)value.getAsInteger(0, number);  // the driver has looked at it
      context.setSymbolValue(parser->getStreamer(), symbol, static_cast<uint64_t>(number));
    }
    parser->setTargetParser(*target_parser);
    return !parser->Run(has(OPT_n));
  }

  llvm::raw_ostream &log_;
  llvm::vfs::OutputBackend &outputs_;
  clang::DiagnosticOptions options_;
  clang::TextDiagnosticPrinter printer_;
  clang::DiagnosticsEngine diagnostics_;
  llvm::opt::InputArgList args_;
};

}  // namespace tenon_clang

#endif
