// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: what Clang makes of a source and LLVM would not survive.
#ifndef TN_COMPILE_CLANG_MODULE_GUARD_HPP
#define TN_COMPILE_CLANG_MODULE_GUARD_HPP

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/TargetParser/Triple.h"

#include <string>

namespace tenon_clang {

// The first thing that is wrong with a module, as a message in Clang's form; empty for nothing.
// Sources come to broken code by asm labels that name LLVM's own functions, and to code without end
// by sizes that no device has.
class module_guard {
 public:
  static std::string find_error(const llvm::Module &module) {
    module_guard guard(module);
    guard.look();
    return guard.error_;
  }

 private:
  static constexpr uint64_t data_maximum = uint64_t(64) << 20;
  static constexpr uint64_t argument_maximum = uint64_t(1) << 20;
  static constexpr unsigned vector_maximum = 1024;
  static constexpr uint64_t inline_maximum = 65536;

  explicit module_guard(const llvm::Module &module)
      : module_(module), is_assembled_(!llvm::Triple(module.getTargetTriple()).isGPU()) {}

  bool look() {
    return look_at_functions() && verify() && look_at_data() &&
           look_at_assembly(module_.getModuleInlineAsm(), nullptr) && look_at_code();
  }

  bool fail(const llvm::Instruction *at, const llvm::Twine &what) {
    if (!at || !at->getDebugLoc()) {
      return fail(module_.getSourceFileName(), what);
    }
    const llvm::DILocation *place = at->getDebugLoc();
    return fail((place->getFilename() + ":" + llvm::Twine(place->getLine()) + ":" +
                 llvm::Twine(place->getColumn()))
                    .str(),
                what);
  }
  bool fail(const llvm::Function &function, const llvm::Twine &what) {
    const llvm::DISubprogram *place = function.getSubprogram();
    return place ? fail((place->getFilename() + ":" + llvm::Twine(place->getLine())).str(), what)
                 : fail(module_.getSourceFileName(), what);
  }
  bool fail(llvm::StringRef place, const llvm::Twine &what) {
    error_ = (place + ": error: " + what).str();
    return false;
  }

  static bool is_kernel(const llvm::Function &function) {
    return function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL ||
           function.getCallingConv() == llvm::CallingConv::PTX_Kernel ||
           function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL;
  }

  // LLVM looks at names alone when it brings old functions of its own up to date.
  bool look_at_functions() {
    for (const llvm::Function &function : module_) {
      if (function.isIntrinsic() && !function.getIntrinsicID()) {
        return fail(nullptr, "LLVM has no function '" + function.getName() +
                                 "', and names that begin with 'llvm.' are its own");
      }
      if (is_kernel(function) && (!function.getReturnType()->isVoidTy() || function.isVarArg())) {
        return fail(function, "kernel '" + function.getName() +
                                  "': a TN_KERNEL function returns void and has no variable "
                                  "arguments");
      }
      for (const llvm::Argument &argument : function.args()) {
        llvm::Type *type = argument.getParamByValType();
        if (type && module_.getDataLayout().getTypeAllocSize(type) > argument_maximum) {
          return fail(function, "an argument of '" + llvm::demangle(function.getName().str()) +
                                    "' has more than " + llvm::Twine(argument_maximum >> 20) +
                                    " MiB: pass a pointer");
        }
      }
    }
    return true;
  }

  bool verify() {
    std::string said;
    llvm::raw_string_ostream stream(said);
    if (!llvm::verifyModule(module_, &stream)) {
      return true;
    }
    return fail(nullptr, "Clang makes no valid code of this source: " +
                             llvm::StringRef(said).split('\n').first);
  }

  bool look_at_data() {
    for (const llvm::GlobalVariable &variable : module_.globals()) {
      if (!variable.hasInitializer()) {
        continue;
      }
      const llvm::TypeSize size = module_.getDataLayout().getTypeAllocSize(variable.getValueType());
      if (size.isScalable() || size.getFixedValue() > data_maximum) {
        return fail(nullptr, "the variable '" + llvm::demangle(variable.getName().str()) +
                                 "' has more than " + llvm::Twine(data_maximum >> 20) +
                                 " MiB: pass data of that size as an argument");
      }
    }
    return true;
  }

  // What reads files and what grows without end. Other devices get the text as it is.
  bool look_at_assembly(llvm::StringRef text, const llvm::Instruction *at) {
    static constexpr const char *const words[] = {".incbin", ".include", ".rep",   ".irp",
                                                  ".macro",  ".fill",    ".space", ".skip",
                                                  ".zero",   ".org",     ".dcb",   ".ds"};
    if (!is_assembled_ || text.empty()) {
      return true;
    }
    const std::string lower = text.lower();
    for (const char *word : words) {
      if (llvm::StringRef(lower).contains(word)) {
        return fail(at, llvm::Twine("assembly of device code has no ") + word);
      }
    }
    return true;
  }

  bool look_at_code() {
    for (const llvm::Function &function : module_) {
      for (const llvm::Instruction &instruction : llvm::instructions(function)) {
        if (!look_at_size(instruction)) {
          return false;
        }
        const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        const auto *assembly =
            call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
        if (assembly && !look_at_assembly(assembly->getAsmString(), &instruction)) {
          return false;
        }
      }
    }
    return true;
  }

  // What LLVM makes an instruction of for each element.
  bool look_at_size(const llvm::Instruction &instruction) {
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
    if (vector && vector->getNumElements() > vector_maximum) {
      return fail(&instruction, "a vector has more than " + llvm::Twine(vector_maximum) +
                                    " elements: use an array");
    }
    if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      const auto size = variable->getAllocationSize(module_.getDataLayout());
      if (size && size->getKnownMinValue() > data_maximum) {
        return fail(&instruction, "the variables of a function take more than " +
                                      llvm::Twine(data_maximum >> 20) + " MiB");
      }
    }
    const auto *bytes = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
    const auto *count = bytes ? llvm::dyn_cast<llvm::ConstantInt>(bytes->getLength()) : nullptr;
    const bool is_inline = bytes && (bytes->getIntrinsicID() == llvm::Intrinsic::memcpy_inline ||
                                     bytes->getIntrinsicID() == llvm::Intrinsic::memset_inline);
    if (is_inline && count && count->getValue().ugt(inline_maximum)) {
      return fail(&instruction, "memory is set or copied inline in more than " +
                                    llvm::Twine(inline_maximum) + " bytes");
    }
    return true;
  }

  const llvm::Module &module_;
  bool is_assembled_;
  std::string error_;
};

}  // namespace tenon_clang

#endif
