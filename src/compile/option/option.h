// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options that DPC++ has and Tenon has not, or has by another name, as data: command lines and
// builds at run time read the same list. docs/options/dpcpp.md lists them.
// X(spelling, shape, meaning, goes, value, help), as compile/command/option_table.h explains.
#ifndef TN_COMPILE_OPTION_OPTION_H
#define TN_COMPILE_OPTION_OPTION_H

#define TN_OPTION_DPCPP_MAP(X) \
  TN_OPTION_ACCEPTED_MAP(X) TN_OPTION_IGNORED_MAP(X) TN_OPTION_REFUSED_MAP(X) TN_OPTION_ALIAS_MAP(X)

// These change nothing: the behavior that they ask for is Tenon's, or a correct program does not
// depend on it.
#define TN_OPTION_ACCEPTED_MAP(X)                                                                 \
  X("-fsycl-early-optimizations", FLAG, ACCEPTED, OWN, "", "")                                    \
  X("-fno-sycl-early-optimizations", FLAG, ACCEPTED, OWN, "", "")                                 \
  X("-fsycl-dead-args-optimization", FLAG, ACCEPTED, OWN, "", "")                                 \
  X("-fno-sycl-dead-args-optimization", FLAG, ACCEPTED, OWN, "", "")                              \
  X("-fsycl-id-queries-fit-in-int", FLAG, ACCEPTED, OWN, "", "")                                  \
  X("-fno-sycl-id-queries-fit-in-int", FLAG, ACCEPTED, OWN, "", "")                               \
  X("-fsycl-instrument-device-code", FLAG, ACCEPTED, OWN, "", "")                                 \
  X("-fno-sycl-instrument-device-code", FLAG, ACCEPTED, OWN, "", "")                              \
  X("-fsycl-optimize-non-user-code", FLAG, ACCEPTED, OWN, "", "")                                 \
  X("-fsycl-remove-unused-external-funcs", FLAG, ACCEPTED, OWN, "", "")                           \
  X("-fno-sycl-remove-unused-external-funcs", FLAG, ACCEPTED, OWN, "", "")                        \
  X("-fsycl-use-main-file-name", FLAG, ACCEPTED, OWN, "", "")                                     \
  X("-fsycl-full-diagnostics", FLAG, ACCEPTED, OWN, "", "")                                       \
  X("-Wsycl-strict", FLAG, ACCEPTED, OWN, "", "")                                                 \
  X("-Wno-sycl-strict", FLAG, ACCEPTED, OWN, "", "")                                              \
  X("-Wsycl-2017-compat", FLAG, ACCEPTED, OWN, "", "")                                            \
  X("-Wno-sycl-2017-compat", FLAG, ACCEPTED, OWN, "", "")                                         \
  X("-Wincorrect-sub-group-size", FLAG, ACCEPTED, OWN, "", "")                                    \
  X("-Wno-incorrect-sub-group-size", FLAG, ACCEPTED, OWN, "", "")                                 \
  X("-Wsycl-target", FLAG, ACCEPTED, OWN, "", "")                                                 \
  X("-Wno-sycl-target", FLAG, ACCEPTED, OWN, "", "")                                              \
  X("-fsycl-decompose-functor", FLAG, ACCEPTED, OWN, "", "")                                      \
  X("-fno-sycl-decompose-functor", FLAG, ACCEPTED, OWN, "", "")                                   \
  X("-fsycl-use-footer", FLAG, ACCEPTED, OWN, "", "")                                             \
  X("-fno-sycl-use-footer", FLAG, ACCEPTED, OWN, "", "")                                          \
  X("-fsycl-enable-int-header-diags", FLAG, ACCEPTED, OWN, "", "")                                \
  X("-fsycl-device-lib-jit-link", FLAG, ACCEPTED, OWN, "", "")                                    \
  X("-fno-sycl-device-lib-jit-link", FLAG, ACCEPTED, OWN, "", "")                                 \
  X("-fsycl-libspirv", FLAG, ACCEPTED, OWN, "", "")                                               \
  X("-fno-sycl-libspirv", FLAG, ACCEPTED, OWN, "", "")                                            \
  X("-fsycl-remangle-libspirv", FLAG, ACCEPTED, OWN, "", "")                                      \
  X("-fno-sycl-remangle-libspirv", FLAG, ACCEPTED, OWN, "", "")                                   \
  X("-fsycl-esimd-force-stateless-mem", FLAG, ACCEPTED, OWN, "", "")                              \
  X("-fno-sycl-esimd-force-stateless-mem", FLAG, ACCEPTED, OWN, "", "")                           \
  X("-fsycl-device-code-split-esimd", FLAG, ACCEPTED, OWN, "", "")                                \
  X("-fno-sycl-device-code-split-esimd", FLAG, ACCEPTED, OWN, "", "")                             \
  X("-fsycl-disable-range-rounding", FLAG, ACCEPTED, OWN, "", "")                                 \
  X("-fsycl-exp-range-rounding", FLAG, ACCEPTED, OWN, "", "")                                     \
  X("-fsycl-preserve-device-nonsemantic-metadata", FLAG, ACCEPTED, OWN, "", "")                   \
  X("-fsycl-use-bitcode", FLAG, ACCEPTED, OWN, "", "")                                            \
  X("-fno-sycl-use-bitcode", FLAG, ACCEPTED, OWN, "", "")                                         \
  X("--offload-new-driver", FLAG, ACCEPTED, OWN, "", "")                                          \
  X("--no-offload-new-driver", FLAG, ACCEPTED, OWN, "", "")                                       \
  X("-fsycl-device-lib=", JOINED, ACCEPTED, OWN, "", "")                                          \
  X("-fno-sycl-device-lib=", JOINED, ACCEPTED, OWN, "", "")                                       \
  X("-fsycl-id-queries-range=", JOINED, ACCEPTED, OWN, "", "")                                    \
  X("-fsycl-range-rounding=", JOINED, ACCEPTED, OWN, "", "")                                      \
  X("-fsycl-std=", JOINED, ACCEPTED, OWN, "", "")                                                 \
  X("-sycl-std=", JOINED, ACCEPTED, OWN, "", "")                                                  \
  X("-fsycl-libspirv-path=", JOINED, ACCEPTED, OWN, "", "")                                       \
  X("-device-math-lib=", JOINED, ACCEPTED, OWN, "", "")                                           \
  X("-no-device-math-lib=", JOINED, ACCEPTED, OWN, "", "")                                        \
  X("-fpreview-breaking-changes", FLAG, ACCEPTED, OWN, "", "")                                    \
  X("-fno-preview-breaking-changes", FLAG, ACCEPTED, OWN, "", "")                                 \
  X("-flink-huge-device-code", FLAG, ACCEPTED, OWN, "", "")                                       \
  X("-fno-link-huge-device-code", FLAG, ACCEPTED, OWN, "", "")                                    \
  X("-fsycl-link-huge-device-code", FLAG, ACCEPTED, OWN, "", "")                                  \
  X("-fno-sycl-link-huge-device-code", FLAG, ACCEPTED, OWN, "", "")                               \
  X("-fno-sycl-pstl-offload", FLAG, ACCEPTED, OWN, "", "")                                        \
  X("-fsycl-allow-func-ptr", FLAG, ACCEPTED, OWN, "", "")                                         \
  X("-fno-sycl-allow-func-ptr", FLAG, ACCEPTED, OWN, "", "")                                      \
  X("-fsycl-allow-func-ptr=", JOINED, ACCEPTED, OWN, "", "")                                      \
  X("-fsycl-explicit-simd", FLAG, ACCEPTED, OWN, "", "")                                          \
  X("-fno-sycl-explicit-simd", FLAG, ACCEPTED, OWN, "", "")                                       \
  X("-fsycl-use-spirv-backend-for-spirv-gen", FLAG, ACCEPTED, OWN, "", "")                        \
  X("-fno-sycl-use-spirv-backend-for-spirv-gen", FLAG, ACCEPTED, OWN, "", "")                     \
  X("-fno-sycl-optimize-non-user-code", FLAG, ACCEPTED, OWN, "", "")                              \
  X("-fsycl-esimd-build-host-code", FLAG, ACCEPTED, OWN, "", "")                                  \
  X("-fno-sycl-esimd-build-host-code", FLAG, ACCEPTED, OWN, "", "")                               \
  X("-fsycl-fp64-conv-emu", FLAG, ACCEPTED, OWN, "", "")                                          \
  X("-fno-sycl-fp64-conv-emu", FLAG, ACCEPTED, OWN, "", "")                                       \
  X("-fsycl-add-default-spec-consts-image", FLAG, ACCEPTED, OWN, "", "")                          \
  X("-fno-sycl-add-default-spec-consts-image", FLAG, ACCEPTED, OWN, "", "")                       \
  X("-fsycl-use-integration-headers", FLAG, ACCEPTED, OWN, "", "")                                \
  X("-fno-sycl-use-integration-headers", FLAG, ACCEPTED, OWN, "", "")                             \
  X("-fno-sycl-disable-range-rounding", FLAG, ACCEPTED, OWN, "", "")                              \
  X("-fno-sycl-exp-range-rounding", FLAG, ACCEPTED, OWN, "", "")                                  \
  X("-ftarget-compile-fast", FLAG, ACCEPTED, OWN, "", "")                                         \
  X("-ftarget-export-symbols", FLAG, ACCEPTED, OWN, "", "")                                       \
  X("-fno-target-export-symbols", FLAG, ACCEPTED, OWN, "", "")                                    \
  X("-ftarget-register-alloc-mode=", JOINED, ACCEPTED, OWN, "", "")                               \
  X("-fgpu-inline-threshold=", JOINED, ACCEPTED, OWN, "", "")                                     \
  X("-fbundle-offload-arch", FLAG, ACCEPTED, OWN, "", "")                                         \
  X("-fno-bundle-offload-arch", FLAG, ACCEPTED, OWN, "", "")                                      \
  X("-foffload-lto", FLAG, ACCEPTED, OWN, "", "")                                                 \
  X("-fno-offload-lto", FLAG, ACCEPTED, OWN, "", "")                                              \
  X("-foffload-lto=", JOINED, ACCEPTED, OWN, "", "")                                              \
  X("-fsycl-footer-path=", JOINED, ACCEPTED, OWN, "", "")                                         \
  X("-fno-sycl-use-main-file-name", FLAG, ACCEPTED, OWN, "", "")                                  \
  X("-fno-sycl-enable-int-header-diags", FLAG, ACCEPTED, OWN, "", "")

// These change nothing, and a warning says why.
#define TN_OPTION_IGNORED_MAP(X)                                                                  \
  X("-reuse-exe=", JOINED, IGNORED, OWN, "FPGAs are not supported, and no program is reused", "") \
  X("-Xspirv-translator", SEPARATE, IGNORED, OWN,                                                 \
    "LLVM's SPIR-V backend is used, not the translator", "")                                      \
  X("-Xspirv-translator=", EITHER, IGNORED, OWN,                                                  \
    "LLVM's SPIR-V backend is used, not the translator", "")                                      \
  X("-Xspirv-to-ir-wrapper", SEPARATE, IGNORED, OWN, "no such tool is run", "")                   \
  X("-Xdevice-post-link", SEPARATE, IGNORED, OWN, "no such tool is run", "")                      \
  X("-qmkl", FLAG, IGNORED, OWN, "name the libraries of oneMKL or oneMath", "")                   \
  X("-qmkl=", JOINED, IGNORED, OWN, "name the libraries of oneMKL or oneMath", "")

// Without these the result would be another.
#define TN_OPTION_REFUSED_MAP(X)                                                                  \
  X("-fsycl-pstl-offload", FLAG, REFUSED, OWN,                                                    \
    "algorithms of the standard library run on the host; use oneDPL's, with a device "            \
    "policy", "")                                                                                 \
  X("-fsycl-pstl-offload=", JOINED, REFUSED, OWN,                                                 \
    "algorithms of the standard library run on the host; use oneDPL's, with a device "            \
    "policy", "")                                                                                 \
  X("-fintelfpga", FLAG, REFUSED, OWN, "FPGAs are not supported; leave it out", "")               \
  X("-fsycl-link=", JOINED, REFUSED, OWN,                                                         \
    "FPGAs are not supported; -fsycl-link links device code to an object", "")                    \
  X("-fsycl-force-target=", JOINED, REFUSED, OWN,                                                 \
    "objects hold device code for the targets they were compiled for; compile them with "         \
    "-fsycl-targets=", "")                                                                        \
  X("-foffload-whole-static-lib=", JOINED, REFUSED, OWN,                                          \
    "device code is taken out of every archive of a link; name the archive between "              \
    "-Wl,--whole-archive and -Wl,--no-whole-archive", "")                                         \
  X("-fsycl-cuda-compatibility", FLAG, REFUSED, OWN,                                              \
    "CUDA's built-in variables and functions are not provided; use SYCL's", "")                   \
  X("-ipo", FLAG, REFUSED, OWN,                                                                   \
    "the host's code cannot be optimized across sources together with -fsycl; device "            \
    "code always is", "")

// Other names of options, with what is read instead; the last ones are icpx's.
#define TN_OPTION_ALIAS_MAP(X)                                                                    \
  X("-fsycl-unnamed-lambda", FLAG, ALIAS, OWN, "-D__SYCL_UNNAMED_LAMBDA__=1", "")                 \
  X("-fno-sycl-unnamed-lambda", FLAG, ALIAS, OWN, "-U__SYCL_UNNAMED_LAMBDA__", "")                \
  X("-fsycl-allow-device-dependencies", FLAG, ALIAS, OWN,                                         \
    "-fsycl-allow-device-image-dependencies", "")                                                 \
  X("-fno-sycl-allow-device-dependencies", FLAG, ALIAS, OWN,                                      \
    "-fno-sycl-allow-device-image-dependencies", "")                                              \
  X("-save-offload-code=", JOINED, ALIAS, OWN, "-fsycl-dump-device-code=", "")                    \
  X("-fsycl-help=", JOINED, ALIAS, OWN, "-fsycl-help", "")                                        \
  X("-fp-model=", JOINED, ALIAS, OWN, "-ffp-model=", "")                                          \
  X("-xHost", FLAG, ALIAS, OWN, "-march=native", "")                                              \
  X("-fiopenmp", FLAG, ALIAS, OWN, "-fopenmp", "")                                                \
  X("-qopenmp", FLAG, ALIAS, OWN, "-fopenmp", "")                                                 \
  X("-qopenmp-simd", FLAG, ALIAS, OWN, "-fopenmp-simd", "")

#endif
