// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang's C++ files: where Clang's own files are. Tenon's tree has the headers
// (<lib>/tenon/clang/22) and a linker. Clang's runtime libraries (sanitizers, profiles, libc++,
// OpenMP) come with an installed clang: commands that need them use the files of that one.
#ifndef TN_COMPILE_CLANG_RESOURCE_FOLDER_HPP
#define TN_COMPILE_CLANG_RESOURCE_FOLDER_HPP

#include "clang/Basic/Stack.h"
#include "clang/Driver/Driver.h"
#include "clang/Options/OptionUtils.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>

namespace tenon_clang {

// The folder of the library that the code is in; empty when that cannot be told.
inline std::string folder_of_library(const void *code) {
  Dl_info info = {};
  if (!dladdr(code, &info) || !info.dli_fname) {
    return "";
  }
  llvm::SmallString<256> real;
  const bool is_real = !llvm::sys::fs::real_path(info.dli_fname, real);
  return llvm::sys::path::parent_path(is_real ? real.str() : llvm::StringRef(info.dli_fname)).str();
}

// <Tenon>/lib.
inline std::string library_folder() {
  return folder_of_library(reinterpret_cast<void *>(&folder_of_library));
}

// Of the clang that Tenon was built with.
inline llvm::StringRef installed_clang() { return TN_CLANG_PATH; }

// Whether the options ask for what only an installed clang has.
inline bool wants_runtimes(llvm::ArrayRef<const char *> words) {
  static constexpr const char *beginnings[] = {
      "-stdlib=libc++", "--stdlib=libc++", "-fsanitize=", "-fopenmp",
      "-fprofile-",     "-fcs-profile-",   "-fcoverage-", "--coverage",
      "-coverage",      "-ftest-coverage", "-fxray-",     "-rtlib=",
      "--rtlib=",       "-unwindlib=",     "--unwindlib="};
  return llvm::any_of(words, [](llvm::StringRef word) {
    return llvm::any_of(beginnings, [&](const char *begin) { return word.starts_with(begin); });
  });
}

// The program that Clang takes itself for.
inline std::string program_for(llvm::ArrayRef<const char *> words, llvm::StringRef own) {
  return wants_runtimes(words) && llvm::sys::fs::can_execute(installed_clang())
             ? installed_clang().str()
             : own.str();
}

// Where Clang's builtin headers (stddef.h …) lie: those of the tree, but for an installed clang its
// own; else where the program would find them, or where Tenon was built. Empty when nowhere.
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
  std::string found = program == installed_clang() ? of_program(program) : "";
  if (!found.empty()) {
    return found;
  }
  const std::string version = llvm::sys::path::filename(clang::GetResourcesPath("/a/b")).str();
  const std::string clang =
      folder_of_library(reinterpret_cast<void *>(&clang::noteBottomOfStack));  // shared builds
  for (const std::string &folder :
       {library_folder() + "/tenon/clang/" + version, clang + "/clang/" + version,
        clang + "/../llvm-22/lib/clang/" + version, clang + "/../lib/clang/" + version}) {
    if (has_headers(folder)) {
      return folder;
    }
  }
  found = of_program(program);
  return found.empty() ? of_program(installed_clang()) : found;
}

// The tree's linker, where the system has none of that name.
inline void add_linker_folders(clang::driver::Driver &driver) {
  const std::string library = library_folder();
  for (const char *name : {"ld", "ld.lld"}) {
    const std::string folder = library + "/tenon/linker/" + name;
    if (!llvm::sys::findProgramByName(name) && llvm::sys::fs::is_directory(folder)) {
      driver.PrefixDirs.push_back(folder);
    }
  }
}

// external_attribute.cpp is part of this library, too.
inline bool is_own_plugin(llvm::StringRef plugin) {
  return llvm::sys::path::filename(plugin) == "tenon-clang-plugin.so";
}

}  // namespace tenon_clang

#endif
