// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies a part of an LLVM module: finds what its roots lead to.
#include "compile/module/module_part.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace {

// Constants, functions and variables among them, that the first ones mention, and those mention.
class mentioned {
 public:
  void add(const llvm::Value *value) {
    const auto *const constant = llvm::dyn_cast<llvm::Constant>(value);
    if (constant && found_.insert(constant).second) {
      open_.push_back(constant);
    }
  }

  void follow() {
    while (!open_.empty()) {
      const llvm::Constant *const next = open_.pop_back_val();
      add_operands(*next);
      if (const auto *const function = llvm::dyn_cast<llvm::Function>(next)) {
        for (const llvm::Instruction &instruction : llvm::instructions(function)) {
          add_operands(instruction);
        }
      }
    }
  }

  bool has(const llvm::GlobalValue *value) const { return found_.contains(value); }

 private:
  void add_operands(const llvm::User &user) {
    for (const llvm::Value *const operand : user.operand_values()) {
      add(operand);
    }
  }

  llvm::DenseSet<const llvm::Constant *> found_;
  llvm::SmallVector<const llvm::Constant *, 0> open_;
};

}  // namespace

LLVMModuleRef tn_module_copy_part(LLVMModuleRef module, const LLVMValueRef *roots,
                                  size_t root_count) {
  mentioned part;
  for (size_t i = 0; i < root_count; i++) {
    part.add(llvm::unwrap(roots[i]));
  }
  part.follow();
  llvm::ValueToValueMapTy copies;
  const auto is_part = [&part](const llvm::GlobalValue *value) { return part.has(value); };
  return llvm::wrap(llvm::CloneModule(*llvm::unwrap(module), copies, is_part).release());
}
