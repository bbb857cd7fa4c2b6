// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of targets, and reading the user's words by it.
#include "compile/target/target.h"

#include "compile/target/processors.h"
#include "image/image.h"

#define TRIPLE_NVPTX "nvptx64-nvidia-cuda"
#define TRIPLE_AMDGPU "amdgcn-amd-amdhsa"
#define TRIPLE_SPIRV "spirv64-unknown-unknown"

// A word that names a target by itself.
typedef struct target_row {
  const char *spelling;
  const char *word;     // of the target; what is written in other ways is the same target
  const char *refusal;  // not NULL: there is such a target, but not here
  tn_target target;     // its word is the row's
} target_row;

#define ROW_SPIRV {.name = "spirv64", .triple = TRIPLE_SPIRV, .kind = TN_TARGET_SPIRV}
#define ROW_NVPTX \
  {.name = TRIPLE_NVPTX, .triple = TRIPLE_NVPTX, .processor = "sm_70", .kind = TN_TARGET_NVPTX}
#define ROW_AMDGPU           \
  {.name = TRIPLE_AMDGPU,    \
   .triple = TRIPLE_AMDGPU,  \
   .kind = TN_TARGET_AMDGPU, \
   .is_aot = true,           \
   .tool = "ld.lld"}
#define ROW_GEN             \
  {.name = "spir64_gen",    \
   .triple = TRIPLE_SPIRV,  \
   .kind = TN_TARGET_SPIRV, \
   .is_aot = true,          \
   .tool = "ocloc"}
#define ROW_X86             \
  {.name = "spir64_x86_64", \
   .triple = TRIPLE_SPIRV,  \
   .kind = TN_TARGET_SPIRV, \
   .is_aot = true,          \
   .tool = "opencl-aot"}
#define SPIRV_32 "device code here has 64-bit pointers; use spirv64"

static const target_row rows[] = {
    {TN_TARGET_NATIVE_CPU,
     TN_TARGET_NATIVE_CPU,
     NULL,
     {.name = TN_TARGET_NATIVE_CPU, .kind = TN_TARGET_CPU, .is_aot = true}},
    {"nvptx64-nvidia-cuda", "nvptx64-nvidia-cuda", NULL, ROW_NVPTX},
    {"nvptx64", "nvptx64-nvidia-cuda", NULL, ROW_NVPTX},
    {"spirv64", "spirv64", NULL, ROW_SPIRV},
    {"spirv64-unknown-unknown", "spirv64", NULL, ROW_SPIRV},
    {"spir64", "spirv64", NULL, ROW_SPIRV},
    {"spir64-unknown-unknown", "spirv64", NULL, ROW_SPIRV},
    {"spir64_x86_64", "spir64_x86_64", NULL, ROW_X86},
    {"spir64_x86_64-unknown-unknown", "spir64_x86_64", NULL, ROW_X86},
    {"spir64_gen", "spir64_gen", NULL, ROW_GEN},
    {"spir64_gen-unknown-unknown", "spir64_gen", NULL, ROW_GEN},
    {"amdgcn-amd-amdhsa", "amdgcn-amd-amdhsa", NULL, ROW_AMDGPU},
    {"amdgcn", "amdgcn-amd-amdhsa", NULL, ROW_AMDGPU},
    {"spir", "", SPIRV_32, ROW_SPIRV},
    {"spir-unknown-unknown", "", SPIRV_32, ROW_SPIRV},
    {"spirv32", "", SPIRV_32, ROW_SPIRV},
    {"spirv32-unknown-unknown", "", SPIRV_32, ROW_SPIRV},
    {"nvptx-nvidia-cuda", "", "device code here has 64-bit pointers; use nvptx64-nvidia-cuda",
     ROW_NVPTX},
    {"spir64_fpga", "", "there are no more FPGA compilers for SYCL; use spir64 or spir64_gen",
     ROW_SPIRV},
};

// Words that are a prefix and a processor's name.
typedef struct target_family {
  const char *prefix;  // of -fsycl-targets=; "" = only --offload-arch= has these
  const char *const *processors;
  const char *what;   // of them, for people
  bool has_one_word;  // all processors are one target to fat objects
  tn_target target;
} target_family;

enum { FAMILY_NVIDIA, FAMILY_AMD, FAMILY_INTEL, FAMILY_CPU };
static const target_family families[] = {
    [FAMILY_NVIDIA] = {"nvidia_gpu_",
                       tn_nvidia_processors,
                       "NVIDIA GPU",
                       false,
                       {.name = TRIPLE_NVPTX,
                        .triple = TRIPLE_NVPTX,
                        .kind = TN_TARGET_NVPTX,
                        .is_aot = true,
                        .tool = "ptxas"}},
    [FAMILY_AMD] = {"amd_gpu_", tn_amd_processors, "AMD GPU", false, ROW_AMDGPU},
    [FAMILY_INTEL] = {"intel_gpu_", tn_intel_processors, "Intel GPU", false, ROW_GEN},
    [FAMILY_CPU] = {"",
                    tn_cpu_processors,
                    "CPU",
                    true,
                    {.name = TN_TARGET_NATIVE_CPU, .kind = TN_TARGET_CPU, .is_aot = true}},
};

static tn_status no_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the targets");
}

static tn_status set_processor(tn_arena *arena, const target_family *family, const char *processor,
                               tn_target *out, tn_diag *diag) {
  *out = family->target;
  out->processor = processor;
  out->word = family->has_one_word ? family->target.name
                                   : tn_arena_format(arena, "%s%s", family->prefix, processor);
  return out->word ? TN_OK : no_memory(diag);
}

static tn_status refuse_processor(const char *option, const target_family *family, tn_str name,
                                  tn_str shown, const char *prefix, tn_diag *diag) {
  const char *nearest = tn_processor_nearest(family->processors, name);
  return TN_FAIL(diag, INVALID_ARGUMENT,
                 "%s%.*s: there is no such %s%s%s%s%s; docs/options/targets.md lists them", option,
                 TN_STR_ARG(shown), family->what, nearest ? "; did you mean '" : "",
                 nearest ? prefix : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static tn_status refuse(const char *option, tn_str word, tn_diag *diag) {
  const char *nearest = NULL;
  size_t least = 5;
  for (size_t i = 0; i < TN_COUNT(rows); ++i) {
    const size_t distance = tn_str_distance(word, tn_str_from(rows[i].spelling), 4);
    if (!rows[i].refusal && distance < least && distance < word.size) {
      least = distance;
      nearest = rows[i].spelling;
    }
  }
  return TN_FAIL(diag, INVALID_ARGUMENT,
                 "%s%.*s: there is no such target%s%s%s; this version compiles for: native_cpu, "
                 "nvptx64-nvidia-cuda, nvidia_gpu_sm_NN, spirv64, spir64_gen, intel_gpu_NAME, "
                 "spir64_x86_64, amdgcn-amd-amdhsa, amd_gpu_gfxNNN, all",
                 option, TN_STR_ARG(word), nearest ? "; did you mean '" : "",
                 nearest ? nearest : "", nearest ? "'?" : "");
}

tn_status tn_target_read(tn_arena *arena, const char *option, tn_str word, tn_target *out,
                         tn_diag *diag) {
  for (size_t i = 0; i < TN_COUNT(rows); ++i) {
    const target_row *row = &rows[i];
    if (!tn_str_equals(word, tn_str_from(row->spelling))) {
      continue;
    }
    if (row->refusal) {
      return TN_FAIL(diag, UNSUPPORTED, "%s%.*s: %s", option, TN_STR_ARG(word), row->refusal);
    }
    *out = row->target;
    out->word = row->word;
    return TN_OK;
  }
  for (size_t i = 0; i < TN_COUNT(families); ++i) {
    const target_family *family = &families[i];
    const tn_str prefix = tn_str_from(family->prefix);
    if (prefix.size == 0 || !tn_str_has_prefix(word, prefix)) {
      continue;
    }
    const tn_str name = tn_str_slice(word, prefix.size, SIZE_MAX);
    const char *processor = tn_processor_find(family->processors, name);
    return processor ? set_processor(arena, family, processor, out, diag)
                     : refuse_processor(option, family, name, word, family->prefix, diag);
  }
  return refuse(option, word, diag);
}

// The processors that a word without a prefix looks like; NULL when like none.
static const target_family *family_like(tn_str word) {
  static const struct {
    const char *prefix;
    int family;
  } looks[] = {{"sm_", FAMILY_NVIDIA}, {"gfx", FAMILY_AMD},      {"x86", FAMILY_CPU},
               {"znver", FAMILY_CPU},  {"neoverse", FAMILY_CPU}, {"acm_", FAMILY_INTEL},
               {"bmg_", FAMILY_INTEL}, {"dg", FAMILY_INTEL}};
  for (size_t i = 0; i < TN_COUNT(looks); ++i) {
    if (tn_str_has_prefix(word, tn_str_from(looks[i].prefix))) {
      return &families[looks[i].family];
    }
  }
  return NULL;
}

tn_status tn_target_read_arch(tn_arena *arena, const char *option, tn_str word, tn_target *out,
                              tn_diag *diag) {
  for (size_t i = 0; i < TN_COUNT(families); ++i) {
    const char *processor = tn_processor_find(families[i].processors, word);
    if (processor) {
      return set_processor(arena, &families[i], processor, out, diag);
    }
  }
  const target_family *family = family_like(word);
  return family ? refuse_processor(option, family, word, word, "", diag)
                : tn_target_read(arena, option, word, out, diag);
}

// "--maxrregcount=64", as ptxas takes it.
static tn_status read_registers(const char *option, tn_str word, tn_target *target, bool *out_taken,
                                tn_diag *diag) {
  const tn_str name = TN_STR_LIT("-maxrregcount=");
  const tn_str rest =
      tn_str_has_prefix(word, TN_STR_LIT("--")) ? tn_str_slice(word, 1, SIZE_MAX) : word;
  if (target->kind != TN_TARGET_NVPTX || !tn_str_has_prefix(rest, name)) {
    return TN_OK;
  }
  uint64_t count = 0;
  if (!tn_str_to_u64(tn_str_slice(rest, name.size, SIZE_MAX), &count) || count == 0 ||
      count > 255) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s%.*s: a work-item has from 1 to 255 registers",
                   option, TN_STR_ARG(word));
  }
  target->max_registers = (uint32_t)count;
  *out_taken = true;
  return TN_OK;
}

tn_status tn_target_read_backend(const char *option, tn_str word, tn_target *target,
                                 bool *out_taken, tn_diag *diag) {
  static const char *const prefixes[] = {
      "--cuda-gpu-arch=", "--offload-arch=", "-mcpu=", "-march="};
  *out_taken = false;
  if (target->kind != TN_TARGET_NVPTX && target->kind != TN_TARGET_AMDGPU) {
    return TN_OK;
  }
  TN_TRY(read_registers(option, word, target, out_taken, diag));
  const target_family *family =
      &families[target->kind == TN_TARGET_NVPTX ? FAMILY_NVIDIA : FAMILY_AMD];
  for (size_t i = 0; i < TN_COUNT(prefixes); ++i) {
    if (!tn_str_has_prefix(word, tn_str_from(prefixes[i]))) {
      continue;
    }
    const tn_str name = tn_str_slice(word, strlen(prefixes[i]), SIZE_MAX);
    const char *processor = tn_processor_find(family->processors, name);
    if (!processor) {
      return refuse_processor(option, family, name, word, "", diag);
    }
    *out_taken = true;
    target->processor = processor;
  }
  return TN_OK;
}

tn_target tn_target_default(void) {
  return (tn_target){
      .word = TN_TARGET_NATIVE_CPU, .name = TN_TARGET_NATIVE_CPU, .kind = TN_TARGET_CPU};
}

void tn_target_macro(const tn_target *target, char out[64]) {
  static const char prefix[] = "__SYCL_TARGET_";
  size_t size = 0;
  out[0] = '\0';
  if (target->kind == TN_TARGET_CPU || !target->is_aot) {
    return;
  }
  const char *word =
      target->tool && strcmp(target->tool, "opencl-aot") == 0 ? "intel_x86_64" : target->word;
  if (!target->processor && word == target->word) {
    return;
  }
  memcpy(out, prefix, sizeof(prefix) - 1);
  size = sizeof(prefix) - 1;
  if (word == target->word &&
      strcmp(word, target->name) == 0) {  // named among the back end's words
    const char *family = target->kind == TN_TARGET_NVPTX ? "NVIDIA_GPU_" : "AMD_GPU_";
    memcpy(out + size, family, strlen(family));
    size += strlen(family);
    word = target->processor;
  }
  for (; *word && size < 64 - 3; ++word) {
    const char c = *word;
    const bool is_lower = c >= 'a' && c <= 'z';
    out[size++] = is_lower ? (char)(c - 'a' + 'A') : c == '-' ? '_' : c;
  }
  memcpy(out + size, "__", 3);
}

uint32_t tn_target_cuda_number(const char *processor) {
  uint32_t number = 0;
  for (const char *c = processor + sizeof("sm_") - 1; *c >= '0' && *c <= '9'; ++c) {
    number = number * 10 + (uint32_t)(*c - '0');
  }
  return number;
}

// 7.4 is what the oldest driver reads that Tenon runs with (adapter/cuda).
uint32_t tn_target_ptx_version(const char *processor) {
  static const struct {
    const char *begin;  // of the processor's name
    uint32_t version;
  } versions[] = {{"sm_88", 90},   {"sm_89", 78},   {"sm_90a", 80}, {"sm_90", 78},  {"sm_100f", 88},
                  {"sm_100", 86},  {"sm_101f", 88}, {"sm_101", 86}, {"sm_103", 88}, {"sm_110", 90},
                  {"sm_120f", 88}, {"sm_120", 87},  {"sm_121", 88}};
  for (size_t i = 0; i < TN_COUNT(versions); ++i) {
    if (strncmp(processor, versions[i].begin, strlen(versions[i].begin)) == 0) {
      return versions[i].version;
    }
  }
  return 74;
}

const char *tn_target_ir_name(const tn_target *target) {
  switch (target->kind) {
    case TN_TARGET_NVPTX:
      return "llvm_nvptx64";
    case TN_TARGET_AMDGPU:
      return "llvm_amdgcn";
    case TN_TARGET_SPIRV:
      return "llvm_spirv64";
    default:
      return NULL;
  }
}

tn_status tn_target_read_sub_group_size(const char *option, tn_str value, uint32_t *out,
                                        tn_diag *diag) {
  uint64_t number = 0;
  *out = 0;
  if (tn_str_equals(value, TN_STR_LIT("primary")) ||
      tn_str_equals(value, TN_STR_LIT("automatic"))) {
    return TN_OK;
  }
  if (!tn_str_to_u64(value, &number) || number == 0 || number > UINT32_MAX) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "invalid value in '%s'; expected primary, automatic or a number of work-items",
                   option);
  }
  *out = (uint32_t)number;
  return TN_OK;
}

tn_status tn_target_check_sub_group_size(const tn_target *target, uint32_t size, tn_diag *diag) {
  const char *there_are = NULL;
  bool is_one = true;
  if (target->kind == TN_TARGET_NVPTX) {
    there_are = "32";
    is_one = size == 32;
  } else if (target->kind == TN_TARGET_AMDGPU && target->processor) {
    const bool has_both = strncmp(target->processor, "gfx1", 4) == 0;
    there_are = has_both ? "32 or 64" : "64";
    is_one = size == 64 || (has_both && size == 32);
  }
  return size == 0 || is_one ? TN_OK
                             : TN_FAIL(diag, UNSUPPORTED,
                                       "-fsycl-default-sub-group-size=%u: sub-groups of target %s "
                                       "have %s work-items; give that, or leave the option out",
                                       size, target->word, there_are);
}
