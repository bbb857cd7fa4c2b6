// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang's C++ files: what a run of the front end does, without what comes with further
// libraries and programs (the static analyzer, rewriters, extraction of interfaces).
#ifndef TN_COMPILE_CLANG_FRONT_END_ACTION_HPP
#define TN_COMPILE_CLANG_FRONT_END_ACTION_HPP

#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"

namespace tenon_clang {

// NULL: one that is not here.
inline std::unique_ptr<clang::FrontendAction> make_front_end_action(
    const clang::FrontendOptions &options) {
  using namespace clang::frontend;
  switch (options.ProgramAction) {
    case ASTDeclList: return std::make_unique<clang::ASTDeclListAction>();
    case ASTDump: return std::make_unique<clang::ASTDumpAction>();
    case ASTPrint: return std::make_unique<clang::ASTPrintAction>();
    case ASTView: return std::make_unique<clang::ASTViewAction>();
    case DumpCompilerOptions: return std::make_unique<clang::DumpCompilerOptionsAction>();
    case DumpRawTokens: return std::make_unique<clang::DumpRawTokensAction>();
    case DumpTokens: return std::make_unique<clang::DumpTokensAction>();
    case EmitAssembly: return std::make_unique<clang::EmitAssemblyAction>();
    case EmitBC: return std::make_unique<clang::EmitBCAction>();
    case EmitLLVM: return std::make_unique<clang::EmitLLVMAction>();
    case EmitLLVMOnly: return std::make_unique<clang::EmitLLVMOnlyAction>();
    case EmitCodeGenOnly: return std::make_unique<clang::EmitCodeGenOnlyAction>();
    case EmitObj: return std::make_unique<clang::EmitObjAction>();
    case GenerateModule: return std::make_unique<clang::GenerateModuleFromModuleMapAction>();
    case GenerateModuleInterface: return std::make_unique<clang::GenerateModuleInterfaceAction>();
    case GenerateReducedModuleInterface:
      return std::make_unique<clang::GenerateReducedModuleInterfaceAction>();
    case GenerateHeaderUnit: return std::make_unique<clang::GenerateHeaderUnitAction>();
    case GeneratePCH: return std::make_unique<clang::GeneratePCHAction>();
    case GenerateInterfaceStubs: return std::make_unique<clang::GenerateInterfaceStubsAction>();
    case InitOnly: return std::make_unique<clang::InitOnlyAction>();
    case ParseSyntaxOnly: return std::make_unique<clang::SyntaxOnlyAction>();
    case ModuleFileInfo: return std::make_unique<clang::DumpModuleInfoAction>();
    case VerifyPCH: return std::make_unique<clang::VerifyPCHAction>();
    case TemplightDump: return std::make_unique<clang::TemplightDumpAction>();
    case PrintPreamble: return std::make_unique<clang::PrintPreambleAction>();
    case PrintPreprocessedInput: return std::make_unique<clang::PrintPreprocessedAction>();
    case PrintDependencyDirectivesSourceMinimizerOutput:
      return std::make_unique<clang::PrintDependencyDirectivesSourceMinimizerAction>();
    case RunPreprocessorOnly: return std::make_unique<clang::PreprocessOnlyAction>();
    default: return nullptr;
  }
}

}  // namespace tenon_clang

#endif
