// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options tenon++ knows, as data: the parser, --help and the check of docs/options read it.
#ifndef TN_COMPILE_COMMAND_OPTION_TABLE_H
#define TN_COMPILE_COMMAND_OPTION_TABLE_H

#include "compile/option/option.h"

// X(spelling, shape, meaning, goes, value, help)
// shape: FLAG "-x"; JOINED "-xVALUE"; SEPARATE "-x VALUE"; EITHER both; COMMA joined by a comma;
// PAIR and TRIPLE take two and three arguments behind them; EITHER of "-X…" always takes one.
// goes: to which of clang's runs the option is handed on: D device pass, H host pass, L link;
// OWN to none, it is ours to act on. meaning NONE: only its shape and its way matter.
// A help text makes the option one of Tenon's own: it stands in --help and in docs/options.
// IGNORED and REFUSED have the reason in the place of `value`, ALIAS what is read instead.
#define TN_OPTION_MAP(X)                                                                          \
  TN_OPTION_SYCL_MAP(X) TN_OPTION_MATH_MAP(X) TN_OPTION_DRIVER_MAP(X) TN_OPTION_DPCPP_MAP(X)      \
  TN_OPTION_CLANG_MAP(X)

// What makes a command SYCL, and how device code is made.
#define TN_OPTION_SYCL_MAP(X)                                                                     \
  X("-fsycl", FLAG, SYCL, OWN, "", "compile and link SYCL: a device and a host pass")             \
  X("-fno-sycl", FLAG, NO_SYCL, OWN, "", "back to plain C++; the last of the two counts")         \
  X("-fsycl-targets=", JOINED, TARGETS, OWN, "LIST",                                              \
    "devices to compile for (docs/options/targets.md)")                                           \
  X("--offload-arch=", JOINED, OFFLOAD_ARCH, OWN, "LIST",                                         \
    "the same by processors: sm_90, gfx90a, x86-64-v3")                                           \
  X("-fsycl-device-code-split", FLAG, SPLIT_AUTO, OWN, "", "-fsycl-device-code-split=auto")       \
  X("-fsycl-device-code-split=", JOINED, SPLIT, OWN, "MODE",                                      \
    "kernels of an image: auto, per_source, per_kernel, off")                                     \
  X("-fsycl-rdc", FLAG, RDC, OWN, "", "device code is linked when the program is (default)")      \
  X("-fno-sycl-rdc", FLAG, NO_RDC, OWN, "",                                                       \
    "device code of each source is linked when it is compiled")                                   \
  X("-fsycl-allow-device-image-dependencies", FLAG, ALLOW_IMPORTS, OWN, "",                       \
    "an executable may leave device symbols to run time")                                         \
  X("-fno-sycl-allow-device-image-dependencies", FLAG, NO_ALLOW_IMPORTS, OWN, "",                 \
    "an executable must resolve its device symbols (default)")                                    \
  X("-fsycl-link", FLAG, DEVICE_LINK, OWN, "", "link device code only: an object for any linker") \
  X("-fsycl-link-targets=", JOINED, LINK_TARGETS, OWN, "LIST",                                    \
    "link device code only: a fat binary for these devices")                                      \
  X("-fsycl-add-targets=", JOINED, ADD_TARGETS, OWN, "TARGET:FILE,...",                           \
    "link device images of other makers in")                                                      \
  X("-fsycl-embed-ir", FLAG, EMBED_IR, OWN, "", "LLVM IR beside machine code")                    \
  X("-fsycl-default-sub-group-size=", JOINED, SUB_GROUP_SIZE, OWN, "SIZE",                        \
    "of kernels that require none: primary, automatic or a number")                               \
  X("--cuda-path=", JOINED, CUDA_PATH, OWN, "DIR", "where CUDA's ptxas and libdevice are")        \
  X("-Xsycl-target-frontend", SEPARATE, FRONTEND_WORDS, OWN, " ARGS",                             \
    "options for device passes")                                                                  \
  X("-Xsycl-target-frontend=", EITHER, FRONTEND_WORDS_FOR, OWN, "TARGET ARGS",                    \
    "options for the device passes of one target")                                                \
  X("-Xsycl-target-backend", SEPARATE, BACKEND_WORDS, OWN, " ARGS",                               \
    "options for compilers of machine code")                                                      \
  X("-Xsycl-target-backend=", EITHER, BACKEND_WORDS_FOR, OWN, "TARGET ARGS",                      \
    "options for the compiler of one target's machine code")                                      \
  X("-Xsycl-target-linker", SEPARATE, LINKER_WORDS, OWN, " ARGS",                                 \
    "options for linkers of machine code")                                                        \
  X("-Xsycl-target-linker=", EITHER, LINKER_WORDS_FOR, OWN, "TARGET ARGS",                        \
    "options for the linker of one target's machine code")                                        \
  X("-Xs", SEPARATE, BACKEND_WORDS, OWN, " ARGS", "-Xsycl-target-backend ARGS")                   \
  X("-fsycl-device-only", FLAG, DEVICE_ONLY, OWN, "", "run the device pass only")                 \
  X("-fsycl-host-only", FLAG, HOST_ONLY, OWN, "", "run the host pass only")                       \
  X("-fsycl-device-obj=", JOINED, DEVICE_OBJ, OWN, "FORMAT", "device code in objects: llvmir")    \
  X("-fsycl-dump-device-code=", JOINED, DUMP_DIR, OWN, "DIR",                                     \
    "write each device image and its properties there")                                           \
  X("-fsycl-host-compiler=", JOINED, HOST_COMPILER, OWN, "PROGRAM",                               \
    "run the host pass by another compiler")                                                      \
  X("-fsycl-host-compiler-options=", JOINED, HOST_OPTIONS, OWN, "ARGS", "options for it")         \
  X("-fsycl-int-header=", JOINED, INT_HEADER, OWN, "FILE",                                        \
    "write what tells such a compiler of the kernels")                                            \
  X("--offload-compress", FLAG, COMPRESS, OWN, "", "compress device images with zstd")            \
  X("--no-offload-compress", FLAG, NO_COMPRESS, OWN, "",                                          \
    "leave device images as they are (default)")                                                  \
  X("--offload-compression-level=", JOINED, COMPRESSION, OWN, "N", "of zstd: 1 to 22")            \
  X("-fsycl-max-parallel-link-jobs=", JOINED, LINK_JOBS, OWN, "N",                                \
    "lower at most N device images at a time")                                                    \
  X("-fsycl-link-cache", FLAG, LINK_CACHE, OWN, "", "keep results of device links (default)")     \
  X("-fno-sycl-link-cache", FLAG, NO_LINK_CACHE, OWN, "",                                         \
    "use and keep no results of device links")                                                    \
  X("-fsycl-help", FLAG, HELP, OWN, "", "print this text")

// How exact NVIDIA GPUs compute: for the device passes (compile/frontend/pass_math.c).
#define TN_OPTION_MATH_MAP(X)                                                                     \
  X("-fgpu-flush-denormals-to-zero", FLAG, NONE, D, "",                                           \
    "NVIDIA GPUs: floats too small to be normal are zeros (nvcc's -ftz=true)")                    \
  X("-fno-gpu-flush-denormals-to-zero", FLAG, NONE, D, "", "they are what they are (default)")    \
  X("-fgpu-approx-transcendentals", FLAG, NONE, D, "",                                            \
    "NVIDIA GPUs: the hardware's approximations of float functions")                              \
  X("-fno-gpu-approx-transcendentals", FLAG, NONE, D, "", "not even with -ffast-math")            \
  X("-foffload-fp32-prec-div", FLAG, NONE, D, "",                                                 \
    "NVIDIA GPUs: floats are divided as IEEE 754 says (default)")                                 \
  X("-fno-offload-fp32-prec-div", FLAG, NONE, D, "", "to 2 ulp (nvcc's -prec-div=false)")         \
  X("-foffload-fp32-prec-sqrt", FLAG, NONE, D, "",                                                \
    "NVIDIA GPUs: roots of floats as IEEE 754 says (default)")                                    \
  X("-fno-offload-fp32-prec-sqrt", FLAG, NONE, D, "", "nearly (nvcc's -prec-sqrt=false)")         \
  X("-fcuda-flush-denormals-to-zero", FLAG, NONE, D, "", "")                                      \
  X("-fno-cuda-flush-denormals-to-zero", FLAG, NONE, D, "", "")                                   \
  X("-fcuda-approx-transcendentals", FLAG, NONE, D, "", "")                                       \
  X("-fno-cuda-approx-transcendentals", FLAG, NONE, D, "", "")                                    \
  X("-fcuda-prec-div", FLAG, NONE, D, "", "") X("-fno-cuda-prec-div", FLAG, NONE, D, "", "")      \
  X("-fcuda-prec-sqrt", FLAG, NONE, D, "", "") X("-fno-cuda-prec-sqrt", FLAG, NONE, D, "", "")    \
  X("-fsycl-fp32-prec-sqrt", FLAG, NONE, D, "", "")                                               \
  X("-fno-sycl-fp32-prec-sqrt", FLAG, NONE, D, "", "")                                            \
  X("-foffload-fp32-correctly-rounded-divide-sqrt", FLAG, NONE, D, "", "")                        \
  X("-fno-offload-fp32-correctly-rounded-divide-sqrt", FLAG, NONE, D, "", "")                     \
  X("-fhip-fp32-correctly-rounded-divide-sqrt", FLAG, NONE, D, "", "")                            \
  X("-fno-hip-fp32-correctly-rounded-divide-sqrt", FLAG, NONE, D, "", "")

#define TN_OPTION_DRIVER_MAP(X)                                                                   \
  X("--save-temps", FLAG, SAVE_TEMPS, H, "",                                                      \
    "keep device bitcode, images and the wrapper object")                                         \
  X("--save-temps=", JOINED, SAVE_TEMPS_IN, H, "cwd|obj",                                         \
    "the same, in the current folder or beside the output")                                       \
  X("-###", FLAG, PRINT_PLAN, OWN, "", "print the commands and steps, run none")                  \
  X("-v", FLAG, VERBOSE, DHL, "", "print the commands and steps as they are run")                 \
  X("--help", FLAG, HELP, OWN, "", "print this text")                                             \
  X("--version", FLAG, VERSION, OWN, "", "print the versions of Tenon and clang")                 \
  X("-foffload-static-lib=", JOINED, STATIC_LIBRARY, OWN, "", "")                                 \
  X("--tenon-clang=", JOINED, CLANG, OWN, "PATH", "a clang++ of version 22 to run")               \
  X("--auto-pch", FLAG, AUTO_PCH, OWN, "",                                                        \
    "precompile what sources begin with, and keep it (default)")                                  \
  X("--persistent-auto-pch=", JOINED, PERSISTENT_AUTO_PCH, OWN, "DIR",                             \
    "the same in this folder, also where caches are off")                                         \
  X("--no-auto-pch", FLAG, NO_AUTO_PCH, OWN, "", "read each source as it is")                     \
  X("-Rtenon-preamble", FLAG, REMARK_PREAMBLE, OWN, "",                                           \
    "say of each pass what it gets precompiled, or why nothing")                                  \
  X("-Rno-tenon-preamble", FLAG, NO_REMARK_PREAMBLE, OWN, "", "")                                 \
  X("-Rpass=", JOINED, REMARK_PASS, DHL, "REGEX",                                                 \
    "report optimizations; tenon: how kernels are vectorized for the CPU")                        \
  X("-Rpass-missed=", JOINED, REMARK_MISSED, DHL, "REGEX",                                        \
    "report missed ones; tenon: what work-items do one by one")                                   \
  X("-Rpass-analysis=", JOINED, REMARK_ANALYSIS, DHL, "REGEX",                                    \
    "report causes; tenon: branches that become masks")                                           \
  X("-Rpass", FLAG, REMARK_PASS, DHL, "", "") X("-Rno-pass", FLAG, NO_REMARK_PASS, DHL, "", "")   \
  X("-Rpass-missed", FLAG, REMARK_MISSED, DHL, "", "")                                            \
  X("-Rno-pass-missed", FLAG, NO_REMARK_MISSED, DHL, "", "")                                      \
  X("-Rpass-analysis", FLAG, REMARK_ANALYSIS, DHL, "", "")                                        \
  X("-Rno-pass-analysis", FLAG, NO_REMARK_ANALYSIS, DHL, "", "")                                  \
  X("--write-preambles=", JOINED, WRITE_PREAMBLES, OWN, "DIR",                                    \
    "write the precompiled SYCL headers for these options, for an installation")                  \
  X("--tenon-jobs=", JOINED, JOBS, OWN, "N", "run at most N steps at a time (default: cores)")

// clang's that steer the plan or take their argument in ways that matter.
#define TN_OPTION_CLANG_MAP(X)                                                                    \
  X("-save-temps", FLAG, SAVE_TEMPS, H, "", "")                                                   \
  X("-save-temps=", JOINED, SAVE_TEMPS_IN, H, "", "")                                             \
  X("-c", FLAG, COMPILE, OWN, "", "") X("--compile", FLAG, COMPILE, OWN, "", "")                  \
  X("-S", FLAG, ASSEMBLY, OWN, "", "") X("--assemble", FLAG, ASSEMBLY, OWN, "", "")               \
  X("-E", FLAG, PREPROCESS, OWN, "", "") X("--preprocess", FLAG, PREPROCESS, OWN, "", "")         \
  X("-emit-llvm", FLAG, EMIT_LLVM, H, "", "")                                                     \
  X("-fsyntax-only", FLAG, SYNTAX_ONLY, OWN, "", "")                                              \
  X("--precompile", FLAG, PRECOMPILE, H, "", "")                                                  \
  X("--analyze", FLAG, ANALYZE, H, "", "") X("-emit-ast", FLAG, ANALYZE, H, "", "")               \
  X("-emit-interface-stubs", FLAG, ANALYZE, H, "", "")                                            \
  X("-o", EITHER, OUTPUT, OWN, "", "") X("--output", SEPARATE, OUTPUT, OWN, "", "")               \
  X("--output=", JOINED, OUTPUT, OWN, "", "")                                                     \
  X("-x", EITHER, LANGUAGE, OWN, "", "") X("--language", SEPARATE, LANGUAGE, OWN, "", "")         \
  X("--language=", JOINED, LANGUAGE, OWN, "", "")                                                 \
  X("-M", FLAG, DEPENDENCIES, H, "", "") X("-MM", FLAG, DEPENDENCIES, H, "", "")                  \
  X("-MD", FLAG, DEPENDENCY_FILE, H, "", "") X("-MMD", FLAG, DEPENDENCY_FILE, H, "", "")          \
  X("-MF", EITHER, DEPENDENCY_OUTPUT, H, "", "") X("-MT", EITHER, DEPENDENCY_TARGET, H, "", "")   \
  X("-MQ", EITHER, DEPENDENCY_TARGET, H, "", "") X("-MJ", EITHER, DATABASE, OWN, "", "")          \
  X("-MP", FLAG, NONE, H, "", "") X("-MG", FLAG, NONE, H, "", "") X("-MV", FLAG, NONE, H, "", "") \
  X("-shared", FLAG, SHARED, L, "", "") X("--shared", FLAG, SHARED, L, "", "")                    \
  X("-static", FLAG, STATIC, L, "", "") X("--static", FLAG, STATIC, L, "", "")                    \
  X("-static-pie", FLAG, STATIC, L, "", "") X("-r", FLAG, RELOCATABLE, L, "", "")                 \
  X("-L", EITHER, LIBRARY_DIR, L, "", "") X("-l", EITHER, LIBRARY, L, "", "")                     \
  X("--library-directory", SEPARATE, LIBRARY_DIR, L, "", "")                                      \
  X("--library-directory=", JOINED, LIBRARY_DIR, L, "", "")                                       \
  X("-Wl,", COMMA, LINKER, L, "", "") X("-Xlinker", SEPARATE, LINKER, L, "", "")                  \
  X("--for-linker", SEPARATE, LINKER, L, "", "") X("-z", SEPARATE, LINKER_Z, L, "", "")           \
  X("-fuse-ld=", JOINED, LINKER_NAME, L, "", "") X("--ld-path=", JOINED, LINKER_NAME, L, "", "")  \
  X("-u", EITHER, NONE, L, "", "") X("-T", EITHER, NONE, L, "", "")                               \
  X("-e", SEPARATE, NONE, L, "", "")                                                              \
  X("-s", FLAG, NONE, L, "", "") X("-rdynamic", FLAG, NONE, L, "", "")                            \
  X("-rpath", SEPARATE, NONE, L, "", "") X("-pie", FLAG, NONE, L, "", "")                         \
  X("-no-pie", FLAG, NONE, L, "", "") X("-nopie", FLAG, NONE, L, "", "")                          \
  X("-nostdlib", FLAG, NONE, L, "", "") X("-nostartfiles", FLAG, NONE, L, "", "")                 \
  X("-nodefaultlibs", FLAG, NONE, L, "", "") X("-nolibc", FLAG, NONE, L, "", "")                  \
  X("-static-libgcc", FLAG, NONE, L, "", "") X("-static-libstdc++", FLAG, NONE, L, "", "")        \
  X("-static-libsan", FLAG, NONE, L, "", "") X("-shared-libgcc", FLAG, NONE, L, "", "")           \
  X("-shared-libsan", FLAG, NONE, L, "", "") X("--force-link", SEPARATE, NONE, L, "", "")         \
  X("-g", JOINED, DEBUG, DHL, "", "") X("-gsplit-dwarf", JOINED, BESIDE_OBJECT, H, "", "")        \
  X("-O", JOINED, OPTIMIZE, DHL, "", "") X("-march=", JOINED, PROCESSOR, DHL, "", "")             \
  X("--driver-mode=", JOINED, DRIVER_MODE, DHL, "", "")                                           \
  X("-std=", JOINED, STANDARD, DH, "", "") X("--std=", JOINED, STANDARD, DH, "", "")              \
  X("--std", SEPARATE, STANDARD, DH, "", "") X("-flto", JOINED, LTO, HL, "", "")                  \
  X("-fno-lto", FLAG, NO_LTO, HL, "", "") X("-fthinlto-index=", JOINED, NONE, H, "", "")          \
  X("-Wp,", COMMA, PREPROCESSOR, H, "", "") X("-Wa,", COMMA, NONE, H, "", "")                     \
  X("-Xassembler", SEPARATE, NONE, H, "", "") X("--for-assembler", SEPARATE, NONE, H, "", "")     \
  X("-fsanitize", JOINED, NONE, HL, "", "") X("-fno-sanitize", JOINED, NONE, HL, "", "")          \
  X("-fprofile", JOINED, BESIDE_OBJECT, HL, "", "")                                               \
  X("--coverage", FLAG, BESIDE_OBJECT, HL, "", "")                                                \
  X("-coverage", FLAG, BESIDE_OBJECT, HL, "", "") X("-fcoverage-mapping", FLAG, NONE, HL, "", "") \
  X("-ftest-coverage", FLAG, BESIDE_OBJECT, HL, "", "") X("-pg", FLAG, NONE, HL, "", "")          \
  X("-finstrument-functions", JOINED, NONE, H, "", "") X("-fxray", JOINED, NONE, HL, "", "")      \
  X("-fstack-usage", FLAG, BESIDE_OBJECT, H, "", "")                                              \
  X("-fembed-bitcode", JOINED, NONE, H, "", "")                                                   \
  X("-ftime-trace", JOINED, BESIDE_OBJECT, H, "", "")                                             \
  X("-fpass-plugin=", JOINED, NONE, H, "", "")                                                    \
  X("-fsave-optimization-record", JOINED, BESIDE_OBJECT, H, "", "")                               \
  X("-foptimization-record-file=", JOINED, NONE, H, "", "")                                       \
  X("-serialize-diagnostics", SEPARATE, NONE, H, "", "")                                          \
  X("--serialize-diagnostics", SEPARATE, NONE, H, "", "")                                         \
  X("-dependency-file", SEPARATE, NONE, H, "", "")                                                \
  X("-dependency-dot", SEPARATE, NONE, H, "", "")                                                 \
  X("-module-dependency-dir", SEPARATE, NONE, H, "", "")                                          \
  TN_OPTION_HEADER_MAP(X) TN_OPTION_ARGUMENT_MAP(X)

// Where headers are and what macros say: nothing for the link.
#define TN_OPTION_HEADER_MAP(X)                                                                   \
  X("-D", EITHER, NONE, DH, "", "") X("-U", EITHER, NONE, DH, "", "")                             \
  X("-I", EITHER, NONE, DH, "", "") X("-include", EITHER, NONE, DH, "", "")                       \
  X("--include", SEPARATE, NONE, DH, "", "") X("-imacros", EITHER, NONE, DH, "", "")              \
  X("--imacros", SEPARATE, NONE, DH, "", "") X("-isystem", EITHER, NONE, DH, "", "")              \
  X("-iquote", EITHER, NONE, DH, "", "") X("-idirafter", EITHER, NONE, DH, "", "")                \
  X("-isystem-after", EITHER, NONE, DH, "", "") X("-cxx-isystem", EITHER, NONE, DH, "", "")       \
  X("-stdlib++-isystem", EITHER, NONE, DH, "", "") X("-iprefix", EITHER, NONE, DH, "", "")        \
  X("-iwithprefix", EITHER, NONE, DH, "", "") X("-iwithprefixbefore", EITHER, NONE, DH, "", "")   \
  X("-iwithsysroot", EITHER, NONE, DH, "", "") X("-iframework", EITHER, NONE, DH, "", "")         \
  X("-iframeworkwithsysroot", EITHER, NONE, DH, "", "")                                           \
  X("-include-pch", SEPARATE, NONE, DH, "", "") X("-ivfsoverlay", EITHER, NONE, DH, "", "")        \
  X("--vfsoverlay", SEPARATE, NONE, DH, "", "") X("-vfsoverlay", SEPARATE, NONE, DH, "", "")      \
  X("-Xpreprocessor", SEPARATE, NONE, DH, "", "")                                                 \
  X("--define-macro", SEPARATE, NONE, DH, "", "")                                                 \
  X("--undefine-macro", SEPARATE, NONE, DH, "", "")                                               \
  X("--include-directory", SEPARATE, NONE, DH, "", "")                                            \
  X("--include-directory-after", SEPARATE, NONE, DH, "", "")                                      \
  X("--include-prefix", SEPARATE, NONE, DH, "", "")                                               \
  X("--include-with-prefix", SEPARATE, NONE, DH, "", "")                                          \
  X("--include-with-prefix-after", SEPARATE, NONE, DH, "", "")                                    \
  X("--include-with-prefix-before", SEPARATE, NONE, DH, "", "")                                   \
  X("--system-header-prefix", SEPARATE, NONE, DH, "", "")                                         \
  X("--no-system-header-prefix", SEPARATE, NONE, DH, "", "")

// Every other option of clang 22 with arguments of its own, so that none is taken for an input.
#define TN_OPTION_ARGUMENT_MAP(X)                                                                 \
  X("-A", EITHER, NONE, DHL, "", "") X("--assert", SEPARATE, NONE, DHL, "", "")                   \
  X("-B", EITHER, NONE, DHL, "", "") X("--prefix", SEPARATE, NONE, DHL, "", "")                   \
  X("-F", EITHER, NONE, DHL, "", "") X("-G", EITHER, NONE, DHL, "", "")                           \
  X("-Xclang", SEPARATE, XCLANG, DHL, "", "") X("-Xclangas", SEPARATE, NONE, DHL, "", "")         \
  X("-Xanalyzer", SEPARATE, NONE, DHL, "", "") X("-Xarch_", EITHER, NONE, DHL, "", "")            \
  X("-Xarch_host", SEPARATE, NONE, H, "", "")                                                     \
  X("-Xarch_device", SEPARATE, XARCH_DEVICE, OWN, "", "")                                         \
  X("-Xcuda-fatbinary", SEPARATE, NONE, DHL, "", "")                                              \
  X("-Xcuda-ptxas", SEPARATE, NONE, DHL, "", "")                                                  \
  X("-Xoffload-linker", EITHER, NONE, L, "", "")                                                  \
  X("-Xopenmp-target", SEPARATE, NONE, DHL, "", "")                                               \
  X("-Xopenmp-target=", EITHER, NONE, DHL, "", "") X("-Xthinlto", SEPARATE, NONE, L, "", "")      \
  X("-allowable_client", SEPARATE, NONE, L, "", "") X("-arch", SEPARATE, NONE, DHL, "", "")       \
  X("-b", SEPARATE, NONE, DHL, "", "") X("-bundle_loader", SEPARATE, NONE, L, "", "")             \
  X("-ccc-gcc-name", SEPARATE, NONE, DHL, "", "")                                                 \
  X("-ccc-install-dir", SEPARATE, NONE, DHL, "", "")                                              \
  X("-client_name", SEPARATE, NONE, L, "", "")                                                    \
  X("-compatibility_version", SEPARATE, NONE, L, "", "")                                          \
  X("--config", SEPARATE, NONE, DHL, "", "") X("-current_version", SEPARATE, NONE, L, "", "")     \
  X("-darwin-target-variant", SEPARATE, NONE, DHL, "", "")                                        \
  X("-darwin-target-variant-triple", SEPARATE, NONE, DHL, "", "")                                 \
  X("-dsym-dir", EITHER, NONE, L, "", "") X("-dumpdir", SEPARATE, NONE, H, "", "")                \
  X("--dyld-prefix", SEPARATE, NONE, L, "", "") X("-dylib_file", SEPARATE, NONE, L, "", "")       \
  X("-exported_symbols_list", SEPARATE, NONE, L, "", "")                                          \
  X("-fdebug-compilation-dir", SEPARATE, NONE, DH, "", "")                                        \
  X("-fexperimental-openacc-macro-override", SEPARATE, NONE, DH, "", "")                          \
  X("-filelist", SEPARATE, NONE, L, "", "")                                                       \
  X("-fmodules-user-build-path", SEPARATE, NONE, DH, "", "")                                      \
  X("-force_load", SEPARATE, NONE, L, "", "") X("-framework", SEPARATE, NONE, L, "", "")          \
  X("-ftrapv-handler", SEPARATE, NONE, DH, "", "")                                                \
  X("-gen-cdb-fragment-path", SEPARATE, NONE, H, "", "")                                          \
  X("-hlsl-entry", SEPARATE, NONE, DHL, "", "")                                                   \
  X("-iapinotes-modules", SEPARATE, NONE, DH, "", "") X("-image_base", SEPARATE, NONE, L, "", "") \
  X("-imultilib", SEPARATE, NONE, DHL, "", "") X("-init", SEPARATE, NONE, L, "", "")              \
  X("-install_name", SEPARATE, NONE, L, "", "") X("-isysroot", EITHER, NONE, DHL, "", "")         \
  X("-meabi", SEPARATE, NONE, DHL, "", "") X("-mllvm", SEPARATE, NONE, DHL, "", "")               \
  X("-mmlir", SEPARATE, NONE, DHL, "", "") X("-mthread-model", SEPARATE, NONE, DHL, "", "")       \
  X("-multiply_defined", SEPARATE, NONE, L, "", "")                                               \
  X("--analyzer-output", SEPARATE, NONE, H, "", "")                                               \
  X("--param", SEPARATE, NONE, DHL, "", "") X("--print-file-name", SEPARATE, ASK, DHL, "", "")    \
  X("--print-prog-name", SEPARATE, ASK, DHL, "", "")                                              \
  X("-print-file-name=", JOINED, ASK, DHL, "", "")                                                \
  X("-print-prog-name=", JOINED, ASK, DHL, "", "")                                                \
  X("-read_only_relocs", SEPARATE, NONE, L, "", "")                                               \
  X("-resource-dir", SEPARATE, NONE, DHL, "", "") X("--rtlib", SEPARATE, NONE, L, "", "")         \
  X("-segaddr", PAIR, NONE, L, "", "") X("-sectcreate", TRIPLE, NONE, L, "", "")                  \
  X("--stdlib", SEPARATE, NONE, DHL, "", "") X("--sysroot", SEPARATE, NONE, DHL, "", "")          \
  X("-target", SEPARATE, TRIPLE, DHL, "", "") X("--target=", JOINED, TRIPLE, DHL, "", "")         \
  X("-umbrella", SEPARATE, NONE, L, "", "") X("-undefined", EITHER, NONE, L, "", "")              \
  X("-unexported_symbols_list", SEPARATE, NONE, L, "", "")                                        \
  X("-validator-version", SEPARATE, NONE, DHL, "", "")                                            \
  X("-weak_framework", SEPARATE, NONE, L, "", "")                                                 \
  X("-weak_library", SEPARATE, NONE, L, "", "")                                                   \
  X("-working-directory", SEPARATE, NONE, DHL, "", "")                                            \
  X("-print-", JOINED, ASK, DHL, "", "") X("--print-", JOINED, ASK, DHL, "", "")                  \
  X("-dumpversion", FLAG, ASK, DHL, "", "") X("-dumpmachine", FLAG, ASK, DHL, "", "")             \
  X("--help-hidden", FLAG, ASK, DHL, "", "") X("--autocomplete=", JOINED, ASK, DHL, "", "")       \
  X("-cc1", FLAG, ASK, DHL, "", "") X("-cc1as", FLAG, ASK, DHL, "", "")                           \
  X("-fcolor-diagnostics", FLAG, NONE, DHL, "", "") X("-mlinker-version=", JOINED, NONE, L, "", "")

#endif
