// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How exact the mathematics of NVIDIA GPUs is: what options mean to nvcc, said to clang's front
// end.
//
// nvcc's --fmad=true, the default      -ffp-contract=fast-honor-pragmas
// --ftz=true                           -fdenormal-fp-math-f32=, "denormal-fp-math-f32" of functions
// --prec-div=false, --prec-sqrt=false  the attributes of module.h, which emit reads
// -use_fast_math                       all of it, and functions' approximations: -ffast-math
#include "compile/frontend/pass_target.h"
#include "compile/module/module.h"

typedef enum math_choice { FLUSH, APPROX, DIVIDE, ROOT, CHOICE_COUNT } math_choice;

typedef struct math_option {
  const char *name;      // without -f and -fno-
  uint32_t choices;      // bits
  bool is_exact_if_set;  // -f… asks for exactness, not for speed
} math_option;

static const math_option options[] = {
    {"gpu-flush-denormals-to-zero", 1 << FLUSH, false},
    {"cuda-flush-denormals-to-zero", 1 << FLUSH, false},
    {"gpu-approx-transcendentals", 1 << APPROX, false},
    {"cuda-approx-transcendentals", 1 << APPROX, false},
    {"offload-fp32-prec-div", 1 << DIVIDE, true},
    {"cuda-prec-div", 1 << DIVIDE, true},
    {"offload-fp32-prec-sqrt", 1 << ROOT, true},
    {"sycl-fp32-prec-sqrt", 1 << ROOT, true},
    {"cuda-prec-sqrt", 1 << ROOT, true},
    {"offload-fp32-correctly-rounded-divide-sqrt", 1 << DIVIDE | 1 << ROOT, true},
    {"hip-fp32-correctly-rounded-divide-sqrt", 1 << DIVIDE | 1 << ROOT, true},
};

// Of what was said last: nothing, be exact, be fast.
typedef enum math_wish { UNSAID, EXACT, FAST } math_wish;

static const math_option *find(const char *word, bool *out_is_set) {
  const bool is_not = strncmp(word, "-fno-", 5) == 0;
  const char *name = is_not ? word + 5 : word + 2;
  *out_is_set = !is_not;
  for (size_t i = 0; strncmp(word, "-f", 2) == 0 && i < TN_COUNT(options); ++i) {
    if (strcmp(name, options[i].name) == 0) {
      return &options[i];
    }
  }
  return NULL;
}

bool tn_pass_is_math(const char *word) {
  bool is_set = false;
  return find(word, &is_set) != NULL;
}

void tn_pass_add_contraction(const tn_target *target, tn_args *out) {
  if (target && target->kind == TN_TARGET_NVPTX) {
    tn_args_add(out, "-ffp-contract=fast-honor-pragmas");
  }
}

static bool is_any(const char *word, const char *const *words) {
  for (size_t i = 0; words[i]; ++i) {
    if (strcmp(word, words[i]) == 0) {
      return true;
    }
  }
  return false;
}

static void read_wishes(const tn_args *user, math_wish wishes[CHOICE_COUNT], bool *out_is_fast,
                        bool *out_has_denormals) {
  static const char *const fast[] = {"-ffast-math", "-Ofast", "-ffp-model=fast",
                                     "-ffp-model=aggressive", NULL};
  static const char *const exact[] = {"-fno-fast-math", "-ffp-model=precise", "-ffp-model=strict",
                                      NULL};
  for (size_t i = 0; i < user->list.count; ++i) {
    const char *word = tn_args_at(user, i);
    bool is_set = false;
    const math_option *option = find(word, &is_set);
    for (size_t c = 0; option && c < CHOICE_COUNT; ++c) {
      if ((option->choices & 1u << c) != 0) {
        wishes[c] = is_set == option->is_exact_if_set ? EXACT : FAST;
      }
    }
    *out_is_fast = is_any(word, fast) || (*out_is_fast && !is_any(word, exact));
    *out_has_denormals = *out_has_denormals || strncmp(word, "-fdenormal-fp-math=", 19) == 0;
  }
}

static void add_attribute(tn_args *out, const char *name, const char *value) {
  tn_args_add(out, "-Xclang");
  tn_args_add(out, "-default-function-attr");
  tn_args_add(out, "-Xclang");
  tn_args_add_format(out, "%s=%s", name, value);
}

void tn_pass_add_math(const tn_target *target, const tn_args *user, tn_args *out) {
  math_wish wishes[CHOICE_COUNT] = {UNSAID};
  bool is_fast = false;
  bool has_denormals = false;
  if (!target || target->kind != TN_TARGET_NVPTX) {
    return;
  }
  read_wishes(user, wishes, &is_fast, &has_denormals);
  if (wishes[FLUSH] == FAST || (is_fast && wishes[FLUSH] == UNSAID && !has_denormals)) {
    tn_args_add(out, "-Xclang");
    tn_args_add(out, "-fdenormal-fp-math-f32=preserve-sign,preserve-sign");
  }
  static const char *const names[CHOICE_COUNT] = {[APPROX] = TN_ATTR_GPU_TRANSCENDENTALS,
                                                  [DIVIDE] = TN_ATTR_GPU_DIVIDE,
                                                  [ROOT] = TN_ATTR_GPU_ROOT};
  for (size_t c = APPROX; c < CHOICE_COUNT; ++c) {
    if (wishes[c] != UNSAID) {
      add_attribute(out, names[c], wishes[c] == EXACT ? TN_GPU_EXACT : TN_GPU_FAST);
    }
  }
}
