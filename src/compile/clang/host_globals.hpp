// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: gives the host's objects of device globals without linkage a symbol,
// by which the module's device code is joined with them.
#ifndef TN_COMPILE_CLANG_HOST_GLOBALS_HPP
#define TN_COMPILE_CLANG_HOST_GLOBALS_HPP

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

#include <string>
#include <utility>

namespace tenon_clang {

class host_globals : public llvm::PassInfoMixin<host_globals> {
 public:
  // A symbol is the variable's name, `infix` and the unit's id.
  static void name_in(clang::CompilerInvocation &made, llvm::StringRef infix, uint64_t unit_id) {
    if (!made.getLangOpts().SYCLIsHost) {
      return;
    }
    const std::string suffix = infix.str() + llvm::utohexstr(unit_id, true, 16);
    made.getCodeGenOpts().PassBuilderCallbacks.push_back([suffix](llvm::PassBuilder &builder) {
      builder.registerPipelineStartEPCallback(
          [suffix](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
            passes.addPass(host_globals(suffix));
          });
    });
  }

  explicit host_globals(std::string suffix) : suffix_(std::move(suffix)) {}

  // Weak: two units of one text have one id.
  llvm::PreservedAnalyses run(llvm::Module &code, llvm::ModuleAnalysisManager &) {
    for (llvm::GlobalVariable &variable : code.globals()) {
      if (variable.hasLocalLinkage() && is_device_global(variable)) {
        llvm::GlobalAlias::create(variable.getValueType(), variable.getAddressSpace(),
                                  llvm::GlobalValue::WeakAnyLinkage,
                                  variable.getName() + suffix_, &variable, &code)
            ->setVisibility(llvm::GlobalValue::HiddenVisibility);
      }
    }
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

 private:
  // By what its value begins with: Clang gives a variable its class's type only where the value has
  // all of the class's bytes. LLVM tells types of one name apart by a number behind a dot.
  static bool is_device_global(const llvm::GlobalVariable &variable) {
    const auto *value = variable.hasInitializer()
                            ? llvm::dyn_cast<llvm::ConstantStruct>(variable.getInitializer())
                            : nullptr;
    const auto *first = value && value->getNumOperands() > 1
                            ? llvm::dyn_cast<llvm::StructType>(value->getOperand(0)->getType())
                            : nullptr;
    llvm::StringRef name = first && first->hasName() ? first->getName() : "";
    return name.consume_front("struct.tn_device_global") && (name.empty() || name[0] == '.');
  }

  std::string suffix_;
};

}  // namespace tenon_clang

#endif
