// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: Clang's builtin headers.
#ifndef TN_COMPILE_CLANG_RESOURCE_FOLDER_HPP
#define TN_COMPILE_CLANG_RESOURCE_FOLDER_HPP

#include "clang/Basic/Stack.h"
#include "clang/Options/OptionUtils.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

namespace tenon_clang {

// Where Clang's builtin headers (stddef.h …) lie: as the program would find them, else beside the
// library that runs here, else where Tenon was built. Empty when nowhere.
inline std::string resource_folder(llvm::StringRef program) {
  const auto has_headers = [](llvm::StringRef folder) {
    llvm::SmallString<256> headers(folder);
    llvm::sys::path::append(headers, "include");
    return llvm::sys::fs::is_directory(headers);
  };
  const auto of_program = [&](llvm::StringRef path) -> std::string {
    llvm::SmallString<256> real;
    if (!path.contains('/') || llvm::sys::fs::real_path(path, real)) {
      return "";
    }
    std::string found = clang::GetResourcesPath(real.str());
    return has_headers(found) ? found : "";
  };
  std::string found = of_program(program);
  Dl_info info = {};
  if (found.empty() && dladdr(reinterpret_cast<void *>(&clang::noteBottomOfStack), &info) &&
      info.dli_fname) {
    const llvm::StringRef library = llvm::sys::path::parent_path(info.dli_fname);
    const std::string version = llvm::sys::path::filename(clang::GetResourcesPath("/a/b")).str();
    for (const char *place : {"/clang/", "/../llvm-22/lib/clang/", "/../lib/clang/"}) {
      const std::string folder = (library + place + version).str();
      if (has_headers(folder)) {
        return folder;
      }
    }
  }
  return found.empty() ? of_program(TN_CLANG_PATH) : found;
}

}  // namespace tenon_clang

#endif
