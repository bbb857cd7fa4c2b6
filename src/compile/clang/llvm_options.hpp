// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang's C++ files: options of LLVM (-mllvm), which are the whole process's.
#ifndef TN_COMPILE_CLANG_LLVM_OPTIONS_HPP
#define TN_COMPILE_CLANG_LLVM_OPTIONS_HPP

#include "llvm/Support/CommandLine.h"

#include <string>
#include <vector>

namespace tenon_clang {

// Those that tenon++ has set for all of its passes, before the first.
inline std::vector<std::string> &set_options() {
  static auto *const options = new std::vector<std::string>;
  return *options;
}

// Whether a pass that asks for these may run in this process.
inline bool are_set(const std::vector<std::string> &options) {
  return options.empty() || options == set_options();
}

// False, with what is wrong in `said`, when one is unknown.
inline bool set_llvm_options(llvm::ArrayRef<std::string> options, llvm::raw_ostream *said) {
  if (options.empty()) {
    return true;
  }
  std::vector<const char *> words = {"clang (LLVM option parsing)"};
  for (const std::string &option : options) {
    words.push_back(option.c_str());
  }
  set_options() = options;
  return llvm::cl::ParseCommandLineOptions(static_cast<int>(words.size()), words.data(), "", said);
}

}  // namespace tenon_clang

#endif
