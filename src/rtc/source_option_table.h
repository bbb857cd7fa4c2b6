// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of a build at run time, as data. What is not here is Clang's: it says what it thinks
// of it. Options of DPC++ without effect are in compile/option/option.h.
#ifndef TN_RTC_SOURCE_OPTION_TABLE_H
#define TN_RTC_SOURCE_OPTION_TABLE_H

// clang-format off: rows in columns
// X(spelling, shape, meaning)
// shape: FLAG "-x"; JOINED "-xVALUE", also without a value; SEPARATE "-x VALUE"; EITHER both.
// Of several that fit the longest counts.
#define TN_SOURCE_OPTION_MAP(X) \
  TN_SOURCE_READ_MAP(X) TN_SOURCE_CLANG_MAP(X) TN_SOURCE_REFUSED_MAP(X) TN_SOURCE_FILES_MAP(X)

// Ours, or read by more than Clang.
#define TN_SOURCE_READ_MAP(X)                                                                   \
  X("-O", JOINED, OPTIMIZE) X("-g", JOINED, DEBUG) X("-std=", JOINED, STANDARD)                 \
  X("--std=", JOINED, STANDARD) X("--std", SEPARATE, STANDARD) X("-fsycl", FLAG, ACCEPTED)      \
  X("-fsycl-rdc", FLAG, RDC) X("-fno-sycl-rdc", FLAG, NO_RDC)                                   \
  X("-fsycl-device-code-split", FLAG, SPLIT) X("-fsycl-device-code-split=", JOINED, SPLIT)      \
  X("-fsycl-allow-device-image-dependencies", FLAG, IMPORTS)                                    \
  X("-fno-sycl-allow-device-image-dependencies", FLAG, NO_IMPORTS) X("-Xs", SEPARATE, BACKEND)  \
  X("-Xsycl-target-backend", SEPARATE, BACKEND)                                                 \
  X("-Xsycl-target-backend=", EITHER, BACKEND_FOR) X("-Xsycl-target-linker", SEPARATE, BACKEND) \
  X("-Xsycl-target-linker=", EITHER, BACKEND_FOR)                                               \
  X("-Xsycl-target-frontend", SEPARATE, FRONTEND)                                               \
  X("-Xsycl-target-frontend=", EITHER, FRONTEND_FOR) X("-Xarch_device", SEPARATE, FRONTEND)     \
  X("--cuda-path=", JOINED, CUDA_PATH) X("--auto-pch", FLAG, AUTO_PCH)                          \
  X("-fsycl-default-sub-group-size=", JOINED, SUB_GROUP_SIZE)                                   \
  X("--persistent-auto-pch=", JOINED, PERSISTENT_PCH) X("-fsycl-embed-ir", FLAG, ACCEPTED)      \
  X("--offload-compress", FLAG, ACCEPTED) X("--no-offload-compress", FLAG, ACCEPTED)            \
  X("--offload-compression-level=", JOINED, ACCEPTED)                                           \
  X("-fsycl-unnamed-lambda", FLAG, ACCEPTED) X("-fno-sycl-unnamed-lambda", FLAG, ACCEPTED)      \
  X("-fsycl-max-parallel-link-jobs=", JOINED, ACCEPTED) X("-fsycl-link-cache", FLAG, ACCEPTED)  \
  X("-fno-sycl-link-cache", FLAG, ACCEPTED) X("--tenon-jobs=", JOINED, ACCEPTED)                \
  X("-fsycl-allow-device-dependencies", FLAG, IMPORTS)

// Clang's with an argument of their own, so that it is not taken for an input, and those that begin
// like one that is refused.
#define TN_SOURCE_CLANG_MAP(X)                                                                  \
  X("-fsycl-fp32-prec-sqrt", FLAG, CLANG) X("-fno-sycl-fp32-prec-sqrt", FLAG, CLANG)            \
  X("-D", EITHER, CLANG) X("-U", EITHER, CLANG) X("-I", EITHER, CLANG)                          \
  X("-include", EITHER, CLANG) X("--include", SEPARATE, CLANG) X("-imacros", EITHER, CLANG)     \
  X("--imacros", SEPARATE, CLANG) X("-isystem", EITHER, CLANG) X("-iquote", EITHER, CLANG)      \
  X("-idirafter", EITHER, CLANG) X("-isystem-after", EITHER, CLANG)                             \
  X("-cxx-isystem", EITHER, CLANG) X("-stdlib++-isystem", EITHER, CLANG)                        \
  X("-iprefix", EITHER, CLANG) X("-iwithprefix", EITHER, CLANG)                                 \
  X("-iwithprefixbefore", EITHER, CLANG) X("-iwithsysroot", EITHER, CLANG)                      \
  X("-isysroot", EITHER, CLANG) X("--define-macro", SEPARATE, CLANG)                            \
  X("--undefine-macro", SEPARATE, CLANG) X("--include-directory", SEPARATE, CLANG)              \
  X("--include-directory-after", SEPARATE, CLANG) X("--system-header-prefix", SEPARATE, CLANG)  \
  X("--no-system-header-prefix", SEPARATE, CLANG) X("--include-prefix", SEPARATE, CLANG)        \
  X("--include-with-prefix", SEPARATE, CLANG) X("--include-with-prefix-after", SEPARATE, CLANG) \
  X("--include-with-prefix-before", SEPARATE, CLANG) X("--sysroot", SEPARATE, CLANG)            \
  X("--stdlib", SEPARATE, CLANG) X("-resource-dir", SEPARATE, CLANG)                            \
  X("--param", SEPARATE, CLANG) X("-fdebug-compilation-dir", SEPARATE, CLANG)                   \
  X("-ftrapv-handler", SEPARATE, CLANG) X("-undef", FLAG, CLANG)                                \
  X("-traditional", JOINED, CLANG) X("-fplugin-arg-", JOINED, LOADS)                            \
  X("-pedantic", JOINED, CLANG) X("-stdlib=", JOINED, CLANG) X("-save-stats", JOINED, WRITES)

// What has no meaning without a command line's output, or is settled by the kernel bundle.
#define TN_SOURCE_REFUSED_MAP(X)                                                               \
  X("-o", JOINED, OUTPUT) X("--output", JOINED, OUTPUT) X("-c", FLAG, STEP)                    \
  X("--compile", FLAG, STEP) X("-S", FLAG, STEP) X("--assemble", FLAG, STEP)                   \
  X("-E", FLAG, STEP) X("--preprocess", FLAG, STEP) X("-fsyntax-only", FLAG, STEP)             \
  X("-emit-", JOINED, STEP) X("--precompile", FLAG, STEP) X("--analyze", JOINED, STEP)         \
  X("-fsycl-device-only", FLAG, STEP) X("-fsycl-host-only", FLAG, STEP)                        \
  X("-fsycl-link", FLAG, STEP) X("-fsycl-link-targets=", JOINED, TARGETS)                      \
  X("-fno-sycl", FLAG, STEP) X("-fsycl-help", FLAG, PRINTS)                                    \
  X("-fsycl-targets=", JOINED, TARGETS) X("--offload-arch=", JOINED, TARGETS)                  \
  X("-fsycl-add-targets=", JOINED, TARGETS) X("-target", SEPARATE, TARGETS)                    \
  X("--target", JOINED, TARGETS) X("-arch", SEPARATE, TARGETS) X("-m32", FLAG, TARGETS)        \
  X("-m16", FLAG, TARGETS) X("-mx32", FLAG, TARGETS) X("-triple", SEPARATE, TARGETS)           \
  X("--driver-mode=", JOINED, LANGUAGE) X("-x", EITHER, LANGUAGE)                              \
  X("--language", JOINED, LANGUAGE) X("-ObjC", JOINED, LANGUAGE)                               \
  X("-fsycl-host-compiler=", JOINED, HOST) X("-fsycl-host-compiler-options=", JOINED, HOST)    \
  X("-fsycl-int-header=", JOINED, HOST) X("-Xarch_", JOINED, HOST) X("-fopenmp", JOINED, HOST) \
  X("-fsanitize", JOINED, HOST) X("-fxray", JOINED, HOST) X("-pg", FLAG, HOST)                 \
  X("-p", FLAG, HOST) X("-fstack-protector", JOINED, HOST)                                     \
  X("-fstack-check", JOINED, HOST) X("-fcf-protection", JOINED, HOST)                          \
  X("-finstrument-", JOINED, HOST) X("-flto", JOINED, LINK)                \
  X("-fthinlto", JOINED, LINK) X("-l", JOINED, LINK) X("-L", EITHER, LINK)                     \
  X("--library-directory", JOINED, LINK) X("-shared", JOINED, LINK) X("--shared", FLAG, LINK)  \
  X("-static", JOINED, LINK) X("--static", FLAG, LINK) X("-r", FLAG, LINK) X("-s", FLAG, LINK) \
  X("-u", EITHER, LINK) X("-T", JOINED, LINK) X("-e", SEPARATE, LINK) X("-z", SEPARATE, LINK)  \
  X("-Wl,", JOINED, LINK) X("-Xlinker", SEPARATE, LINK) X("--for-linker", JOINED, LINK)        \
  X("-fuse-ld=", JOINED, LINK) X("--ld-path=", JOINED, LINK) X("-rdynamic", FLAG, LINK)        \
  X("-rpath", JOINED, LINK) X("-pie", FLAG, LINK) X("-no-pie", FLAG, LINK)                     \
  X("-nopie", FLAG, LINK) X("-nostdlib", FLAG, LINK) X("-nostartfiles", FLAG, LINK)            \
  X("-nodefaultlibs", FLAG, LINK) X("-nolibc", FLAG, LINK) X("--force-link", JOINED, LINK)     \
  X("-Xoffload-linker", JOINED, LINK) X("-Xthinlto", SEPARATE, LINK) X("-###", FLAG, PRINTS)   \
  X("-v", FLAG, PRINTS) X("--verbose", FLAG, PRINTS) X("--help", JOINED, PRINTS)               \
  X("-help", FLAG, PRINTS) X("--version", FLAG, PRINTS) X("-print-", JOINED, PRINTS)           \
  X("--print-", JOINED, PRINTS) X("-dump", JOINED, PRINTS) X("-H", FLAG, PRINTS)               \
  X("-ccc-", JOINED, PRINTS) X("-extract-api", FLAG, STEP) X("-rewrite-", JOINED, STEP)        \
  X("-fdump-", JOINED, PRINTS) X("-fdriver-only", FLAG, PRINTS) X("-Q", FLAG, PRINTS)          \
  X("--tenon-clang=", JOINED, PROGRAM) X("-B", EITHER, PROGRAM) X("--prefix", JOINED, PROGRAM) \
  X("-fno-integrated-", JOINED, PROGRAM) X("-working-directory", JOINED, FOLDER)               \
  X("--working-directory", JOINED, FOLDER)                                                     \
  X("--autocomplete=", JOINED, PRINTS) X("-ftime-report", JOINED, PRINTS)                      \
  X("-fproc-stat-report", JOINED, PRINTS) X("-time", FLAG, PRINTS)                             \
  X("-fdebug-pass-", JOINED, PRINTS) X("-fdiagnostics-format=sarif", FLAG, PRINTS)             \
  X("-fdiagnostics-format=SARIF", FLAG, PRINTS) X("-fsycl-help=", JOINED, PRINTS)              \
  X("-fsycl-link=", JOINED, STEP) X("-fsycl-force-target=", JOINED, TARGETS)                   \
  X("-fsycl-pstl-offload", FLAG, HOST) X("-fsycl-pstl-offload=", JOINED, HOST)                 \
  X("-fsycl-cuda-compatibility", FLAG, LANGUAGE)

// What makes Clang write files, load code or take options from elsewhere.
#define TN_SOURCE_FILES_MAP(X)                                                                  \
  X("-M", JOINED, WRITES) X("-save-temps", JOINED, WRITES) X("--save-temps", JOINED, WRITES)    \
  X("--write-dependencies", FLAG, WRITES) X("--write-user-dependencies", FLAG, WRITES)          \
  X("--dependencies", FLAG, WRITES) X("--user-dependencies", FLAG, WRITES)                      \
  X("-fsycl-dump-device-code=", JOINED, WRITES) X("-fsycl-device-obj=", JOINED, OUTPUT)         \
  X("-gsplit-dwarf", JOINED, WRITES) X("-gmodules", FLAG, WRITES)                               \
  X("-fprofile", JOINED, WRITES) X("-fdebug-types-section", FLAG, PROCESS)                      \
  X("--coverage", FLAG, WRITES) X("-coverage", FLAG, WRITES) X("-fcoverage-", JOINED, WRITES)   \
  X("-ftest-coverage", FLAG, WRITES) X("-fcs-profile", JOINED, WRITES)                          \
  X("-fstack-usage", FLAG, WRITES) X("-ftime-trace", JOINED, WRITES)                            \
  X("-fsave-optimization-record", JOINED, WRITES) X("-foptimization-record-", JOINED, WRITES)   \
  X("-serialize-diagnostics", JOINED, WRITES) X("--serialize-diagnostics", JOINED, WRITES)      \
  X("-dependency-", JOINED, WRITES) X("-module-dependency-dir", JOINED, WRITES)                 \
  X("-fmodule", JOINED, WRITES) X("-fno-implicit-modules", FLAG, CLANG)                         \
  X("-fimplicit-module", JOINED, WRITES) X("-fcxx-modules", FLAG, WRITES)                       \
  X("-fprebuilt-", JOINED, LOADS) X("-fcrash-diagnostics", JOINED, WRITES)                      \
  X("-gen-", JOINED, WRITES) X("-index-", JOINED, WRITES) X("-fembed-", JOINED, WRITES)         \
  X("-fapinotes", JOINED, LOADS) X("-iapinotes-modules", JOINED, LOADS)                         \
  X("-fplugin", JOINED, LOADS) X("-fpass-plugin", JOINED, LOADS) X("-load", JOINED, LOADS)      \
  X("-include-pch", JOINED, LOADS) X("-ivfsoverlay", JOINED, LOADS)                             \
  X("--vfsoverlay", JOINED, LOADS) X("-vfsoverlay", JOINED, LOADS)                              \
  X("--config", JOINED, ELSEWHERE) X("--no-default-config", FLAG, CLANG)                        \
  X("--gcc-toolchain", JOINED, CLANG) X("-mllvm", JOINED, PROCESS) X("-mmlir", JOINED, PROCESS) \
  X("-Xclang", JOINED, UNCHECKED) X("-cc1", JOINED, UNCHECKED)                                  \
  X("-Xpreprocessor", SEPARATE, UNCHECKED) X("-Wp,", JOINED, UNCHECKED)                         \
  X("-Wa,", JOINED, UNCHECKED) X("-Xassembler", SEPARATE, UNCHECKED)                            \
  X("--for-assembler", JOINED, UNCHECKED) X("-Xanalyzer", SEPARATE, UNCHECKED)                  \
  X("-Xcuda-", JOINED, UNCHECKED) X("-Xopenmp-", JOINED, UNCHECKED)                             \
  X("-faction", JOINED, UNCHECKED) X("-api-", JOINED, UNCHECKED)
// clang-format on

#endif
