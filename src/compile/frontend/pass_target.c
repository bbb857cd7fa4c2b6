// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device pass for other devices: clang's driver still sees the host, so that it finds the
// host's headers, and its front end is given the device's triple after that.
#include "compile/frontend/pass_target.h"

#if defined(__aarch64__)
#define HOST_TRIPLE "aarch64-unknown-linux-gnu"
#elif defined(__riscv)
#define HOST_TRIPLE "riscv64-unknown-linux-gnu"
#else
#define HOST_TRIPLE "x86_64-pc-linux-gnu"
#endif

bool tn_pass_is_foreign(const tn_target *target) { return target && target->triple; }

static bool starts_with_any(const char *option, const char *const *prefixes) {
  for (size_t i = 0; prefixes[i]; ++i) {
    if (strncmp(option, prefixes[i], strlen(prefixes[i])) == 0) {
      return true;
    }
  }
  return false;
}

static bool is_of_host(const char *option) {
  static const char *const prefixes[] = {"-m",
                                         "-fsanitize",
                                         "-fno-sanitize",
                                         "-fstack-protector",
                                         "-fstack-clash-protection",
                                         "-fcf-protection",
                                         "-fprofile",
                                         "-fcoverage",
                                         "-fxray",
                                         "-fopenmp",
                                         "-fsplit-stack",
                                         "-fexperimental-sanitize",
                                         "--coverage",
                                         "-ftest-coverage",
                                         "-fbranch-target",
                                         "-fzero-call-used-regs",
                                         "-flto",
                                         NULL};
  static const char *const kept[] = {"-mllvm", NULL};
  return (starts_with_any(option, prefixes) && !starts_with_any(option, kept)) ||
         strcmp(option, "-pg") == 0 || strcmp(option, "-p") == 0;
}

void tn_pass_add_user(const tn_args *user, tn_args *out) {
  static const char *const with_value[] = {"-Xclang", "-mllvm", "-include", "-isystem", NULL};
  for (size_t i = 0; i < user->list.count; ++i) {
    const char *option = tn_args_at(user, i);
    bool is_pair = false;
    for (size_t k = 0; with_value[k]; ++k) {
      is_pair = is_pair || strcmp(option, with_value[k]) == 0;
    }
    if (is_pair && i + 1 < user->list.count) {
      tn_args_add(out, option);
      tn_args_add(out, tn_args_at(user, ++i));
    } else if (!is_of_host(option) && !tn_pass_is_math(option)) {
      tn_args_add(out, option);
    }
  }
  out->failed = out->failed || user->failed;
}

static void add_front_end(tn_args *out, const char *option, const char *value) {
  tn_args_add(out, "-Xclang");
  tn_args_add(out, option);
  tn_args_add(out, "-Xclang");
  tn_args_add(out, value);
}

// Clang defines __CUDA_ARCH__, which makes headers believe in CUDA's own language.
static void add_cuda_macros(const char *processor, tn_args *out) {
  tn_args_add(out, "-U__CUDA_ARCH__");
  tn_args_add_format(out, "-D__SYCL_CUDA_ARCH__=%u0", tn_target_cuda_number(processor));
  // What clang's built-in functions for these processors ask for.
  add_front_end(out, "-target-feature",
                tn_arena_format(out->arena, "+ptx%u", tn_target_ptx_version(processor)));
}

// Clang defines the macros of both, and the host's has those of the processor's least features.
void tn_pass_add_host(const tn_args *user, tn_args *out) {
  static const char *const less[] = {"-mno-", "-mgeneral-regs-only", "-m32", "-m16", "-mx32"};
  for (size_t i = 0; i < user->list.count; i++) {
    const tn_str word = tn_str_from(tn_args_at(user, i));
    for (size_t k = 0; k < TN_COUNT(less); k++) {
      if (tn_str_has_prefix(word, tn_str_from(less[k]))) {
        return;
      }
    }
  }
  add_front_end(out, "-aux-triple", HOST_TRIPLE);
}

void tn_pass_add_target(const tn_target *target, tn_args *out) {
  const bool has_processors = target->kind == TN_TARGET_NVPTX || target->kind == TN_TARGET_AMDGPU;
  const char *processor = has_processors && target->processor ? target->processor : "";
  char macro[64];
  tn_target_macro(target, macro);
  add_front_end(out, "-triple", target->triple);
  add_front_end(out, "-aux-triple", HOST_TRIPLE);
  // The driver named the host's.
  add_front_end(out, "-target-cpu", processor);
  add_front_end(out, "-tune-cpu", processor);
  tn_args_add(out, "-fno-unwind-tables");
  tn_args_add(out, "-fno-asynchronous-unwind-tables");
  tn_args_add(out, "-fno-stack-protector");
  // Otherwise complex numbers are multiplied by a function of the compiler's runtime.
  tn_args_add(out, "-fcomplex-arithmetic=improved");
  tn_args_add(out, "-Wno-overriding-complex-range");  // the program's -ffp-model says full
  if (target->kind == TN_TARGET_NVPTX && processor[0] != '\0') {
    add_cuda_macros(processor, out);
  }
  if (macro[0] != '\0') {
    tn_args_add_format(out, "-D%s=1", macro);
  }
}
