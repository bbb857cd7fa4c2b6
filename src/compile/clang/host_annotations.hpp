// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: keeps annotations of kernel attributes out of the host's code, where
// functions would stay because of them that are inlined everywhere.
#ifndef TN_COMPILE_CLANG_HOST_ANNOTATIONS_HPP
#define TN_COMPILE_CLANG_HOST_ANNOTATIONS_HPP

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace tenon_clang {

// The host pass has the annotations so that Clang instantiates the same expressions in both passes:
// what lambdas capture depends on that.
class host_annotations : public llvm::PassInfoMixin<host_annotations> {
 public:
  static void drop_from(clang::CompilerInvocation &made) {
    if (!made.getLangOpts().SYCLIsDevice) {
      made.getCodeGenOpts().PassBuilderCallbacks.push_back([](llvm::PassBuilder &builder) {
        builder.registerPipelineStartEPCallback(
            [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
              passes.addPass(host_annotations());
            });
      });
    }
  }

  llvm::PreservedAnalyses run(llvm::Module &code, llvm::ModuleAnalysisManager &) {
    llvm::GlobalVariable *all = code.getGlobalVariable("llvm.global.annotations");
    auto *list = all && all->hasInitializer()
                     ? llvm::dyn_cast<llvm::ConstantArray>(all->getInitializer())
                     : nullptr;
    if (!list) {
      return llvm::PreservedAnalyses::all();
    }
    llvm::SmallVector<llvm::Constant *, 8> others;
    llvm::SmallPtrSet<llvm::GlobalVariable *, 16> parts;
    for (const llvm::Use &entry : list->operands()) {
      if (!is_own(*entry.get(), parts)) {
        others.push_back(llvm::cast<llvm::Constant>(entry.get()));
      }
    }
    if (others.size() == list->getNumOperands()) {
      return llvm::PreservedAnalyses::all();
    }
    replace(code, *all, others);
    for (llvm::GlobalVariable *part : parts) {
      part->removeDeadConstantUsers();
      if (part->use_empty() && part->hasLocalLinkage()) {
        part->eraseFromParent();
      }
    }
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

 private:
  // An entry is {function, name, file, line, arguments}; `parts` gets its variables.
  static bool is_own(const llvm::Value &entry,
                     llvm::SmallPtrSetImpl<llvm::GlobalVariable *> &parts) {
    const auto *fields = llvm::dyn_cast<llvm::ConstantStruct>(&entry);
    const auto *name =
        fields && fields->getNumOperands() > 1
            ? llvm::dyn_cast<llvm::GlobalVariable>(fields->getOperand(1)->stripPointerCasts())
            : nullptr;
    const auto *text = name && name->hasInitializer()
                           ? llvm::dyn_cast<llvm::ConstantDataSequential>(name->getInitializer())
                           : nullptr;
    if (!text || !text->isCString() || !text->getAsCString().starts_with("tenon.")) {
      return false;
    }
    for (const llvm::Use &field : llvm::drop_begin(fields->operands())) {
      if (auto *part = llvm::dyn_cast<llvm::GlobalVariable>(field.get()->stripPointerCasts())) {
        parts.insert(part);
      }
    }
    return true;
  }

  static void replace(llvm::Module &code, llvm::GlobalVariable &all,
                      llvm::ArrayRef<llvm::Constant *> others) {
    if (!others.empty()) {
      auto *type = llvm::ArrayType::get(others[0]->getType(), others.size());
      auto *kept = new llvm::GlobalVariable(code, type, /*isConstant=*/false,
                                            llvm::GlobalValue::AppendingLinkage,
                                            llvm::ConstantArray::get(type, others));
      kept->setSection(all.getSection());
      kept->takeName(&all);
    }
    all.eraseFromParent();
  }
};

}  // namespace tenon_clang

#endif
