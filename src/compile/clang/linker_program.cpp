// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's linker for ELF as a program, for systems that have no linker.
#include "compile/clang/clang_program.h"

#include "llvm/Support/Signals.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

// Stands for the initialization of back ends that are left out (cmake/llvm.cmake).
extern "C" void tn_no_back_end();
extern "C" void tn_no_back_end() {}

#ifdef TN_HAS_LLD
#include "lld/Common/Driver.h"
LLD_HAS_DRIVER(elf)

extern "C" int tn_face_linker(size_t count, const char *const *args) {
  llvm::sys::PrintStackTraceOnErrorSignal(args[0]);
  // For -flto.
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  constexpr bool ends_process = true;
  constexpr bool writes_nothing = false;
  return lld::elf::link(llvm::ArrayRef<const char *>(args, count), llvm::outs(), llvm::errs(),
                        ends_process, writes_nothing)
             ? 0
             : 1;
}
#else
extern "C" int tn_face_linker(size_t, const char *const *args) {
  llvm::errs() << args[0] << ": error: this Tenon was built without LLVM's linker "
               << "(package liblld-22-dev)\n";
  return 1;
}
#endif
