// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: the unit's id, which is put into the code when Clang has read the
// source: precompiled headers are many units', and hold a number that stands for it.
#ifndef TN_COMPILE_CLANG_UNIT_ID_HPP
#define TN_COMPILE_CLANG_UNIT_ID_HPP

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace tenon_clang {

class unit_id {
 public:
  // Takes the macros' values out of the words and puts what stands for them there.
  explicit unit_id(clang::CompilerInvocation &made) {
    if (!fills_in(made)) {
      return;
    }
    for (auto &[text, is_undefined] : made.getPreprocessorOpts().Macros) {
      llvm::StringRef value = text;
      if (value.consume_front("__TENON_UNIT_ID__=") && value.consume_front("0x") &&
          value.consume_back("ULL") && !value.getAsInteger(16, id_)) {
        text = "__TENON_UNIT_ID__=0x" + llvm::utohexstr(placeholder) + "ULL";
        is_wanted_ = true;
      } else if (value.consume_front("__TENON_MODULE__=")) {
        module_ = value.str();
        text = std::string("__TENON_MODULE__=") + placeholder_module;
      }
    }
    if (is_wanted_) {
      made.getCodeGenOpts().PassBuilderCallbacks.push_back(
          [id = id_, module = module_](llvm::PassBuilder &builder) {
            builder.registerPipelineStartEPCallback(
                [id, module](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
                  passes.addPass(fill(id, module));
                });
          });
    }
  }

  uint64_t value() const { return id_; }

 private:
  // Whether LLVM's passes see the code, by which the id comes into it. A precompiled header, and
  // what is only looked at with one, has the macros of such a pass.
  static bool fills_in(const clang::CompilerInvocation &made) {
    switch (made.getFrontendOpts().ProgramAction) {
      case clang::frontend::EmitAssembly:
      case clang::frontend::EmitBC:
      case clang::frontend::EmitLLVM:
      case clang::frontend::EmitObj:
      case clang::frontend::GeneratePCH:
      case clang::frontend::ParseSyntaxOnly:
        return !made.getCodeGenOpts().DisableLLVMPasses;
      default:
        return false;
    }
  }

  static constexpr uint64_t placeholder = 0x9d3ae1c6f50b7428;
  static constexpr const char placeholder_module[] = "__tenon_module_of_this_unit";

  class fill : public llvm::PassInfoMixin<fill> {
   public:
    fill(uint64_t id, std::string module) : id_(id), module_(std::move(module)) {}

    llvm::PreservedAnalyses run(llvm::Module &code, llvm::ModuleAnalysisManager &) {
      for (llvm::GlobalVariable &variable : code.globals()) {
        if (variable.hasInitializer()) {
          if (llvm::Constant *changed = replace(variable.getInitializer())) {
            variable.setInitializer(changed);
          }
        }
      }
      for (llvm::Function &function : code) {
        for (llvm::BasicBlock &block : function) {
          for (llvm::Instruction &instruction : block) {
            replace_operands(instruction);
          }
        }
      }
      llvm::GlobalValue *own = code.getNamedValue(placeholder_module);
      if (own && !module_.empty()) {
        own->setName(module_);
      }
      return llvm::PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }

   private:
    // NULL: nothing in it changes.
    llvm::Constant *replace(llvm::Constant *value) const {
      if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(value)) {
        return number->getBitWidth() == 64 && number->getZExtValue() == placeholder
                   ? llvm::ConstantInt::get(number->getType(), id_)
                   : nullptr;
      }
      if (auto *data = llvm::dyn_cast<llvm::ConstantDataArray>(value)) {
        return replace_data(*data);
      }
      auto *aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(value);
      if (!aggregate) {
        return nullptr;
      }
      llvm::SmallVector<llvm::Constant *, 8> parts;
      bool is_changed = false;
      for (llvm::Use &part : aggregate->operands()) {
        auto *old = llvm::cast<llvm::Constant>(part.get());
        llvm::Constant *changed = replace(old);
        is_changed = is_changed || changed;
        parts.push_back(changed ? changed : old);
      }
      if (!is_changed) {
        return nullptr;
      }
      if (auto *type = llvm::dyn_cast<llvm::StructType>(aggregate->getType())) {
        return llvm::ConstantStruct::get(type, parts);
      }
      if (auto *type = llvm::dyn_cast<llvm::ArrayType>(aggregate->getType())) {
        return llvm::ConstantArray::get(type, parts);
      }
      return llvm::ConstantVector::get(parts);
    }

    llvm::Constant *replace_data(const llvm::ConstantDataArray &data) const {
      if (!data.getElementType()->isIntegerTy(64)) {
        return nullptr;
      }
      llvm::SmallVector<uint64_t, 8> numbers;
      bool is_changed = false;
      for (unsigned i = 0; i < data.getNumElements(); i++) {
        numbers.push_back(data.getElementAsInteger(i));
        is_changed = is_changed || numbers.back() == placeholder;
        numbers.back() = numbers.back() == placeholder ? id_ : numbers.back();
      }
      return is_changed ? llvm::ConstantDataArray::get(data.getContext(), numbers) : nullptr;
    }

    void replace_operands(llvm::Instruction &instruction) const {
      for (llvm::Use &operand : instruction.operands()) {
        auto *constant = llvm::dyn_cast<llvm::Constant>(operand.get());
        if (constant && !llvm::isa<llvm::GlobalValue>(constant)) {
          if (llvm::Constant *changed = replace(constant)) {
            operand.set(changed);
          }
        }
      }
    }

    uint64_t id_;
    std::string module_;
  };

  uint64_t id_ = 0;
  std::string module_;
  bool is_wanted_ = false;
};

}  // namespace tenon_clang

#endif
