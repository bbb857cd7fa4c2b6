// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processors by the names of -march=, and what each adds to x86-64 that code for kernels may use.
// Extensions that such code has no use for (AES, transactions, tiles) are left out: code is made
// for what is listed here and the processor's order of instructions, and runs wherever this is
// there.
#include "base/cpu_feature.h"
#include "compile/emit/emit.h"

enum { FEATURES_MAXIMUM = 4096 };

typedef struct processor_row {
  const char *name;
  const char *parent;  // a row before this one, or NULL
  const char *adds;
} processor_row;

// clang-format off
static const processor_row rows[] = {
    {"x86-64", NULL, ""},
    {"athlon-fx", "x86-64", ""},
    {"athlon64", "x86-64", ""},
    {"k8", "x86-64", ""},
    {"opteron", "x86-64", ""},
    {"athlon64-sse3", "x86-64", "sse3"},
    {"k8-sse3", "athlon64-sse3", ""},
    {"opteron-sse3", "athlon64-sse3", ""},
    {"nocona", "athlon64-sse3", "cx16"},
    {"core2", "nocona", "sahf,ssse3"},
    {"amdfam10", "nocona", "lzcnt,popcnt,sahf"},
    {"atom", "core2", "movbe"},
    {"barcelona", "amdfam10", ""},
    {"bonnell", "atom", ""},
    {"penryn", "core2", "sse4.1"},
    {"btver1", "amdfam10", "ssse3"},
    {"x86-64-v2", "penryn", "crc32,popcnt,sse4.2"},
    {"corei7", "x86-64-v2", ""},
    {"nehalem", "x86-64-v2", ""},
    {"westmere", "x86-64-v2", ""},
    {"corei7-avx", "x86-64-v2", "avx"},
    {"goldmont", "x86-64-v2", "movbe"},
    {"goldmont-plus", "goldmont", ""},
    {"sandybridge", "corei7-avx", ""},
    {"silvermont", "goldmont", ""},
    {"slm", "goldmont", ""},
    {"bdver1", "corei7-avx", "lzcnt"},
    {"core-avx-i", "corei7-avx", "f16c"},
    {"ivybridge", "core-avx-i", ""},
    {"tremont", "goldmont", "gfni"},
    {"bdver2", "bdver1", "bmi,f16c,fma"},
    {"bdver3", "bdver2", ""},
    {"btver2", "bdver1", "bmi,f16c,movbe"},
    {"x86-64-v3", "bdver2", "avx2,bmi2,movbe"},
    {"bdver4", "x86-64-v3", ""},
    {"broadwell", "x86-64-v3", ""},
    {"core-avx2", "x86-64-v3", ""},
    {"haswell", "x86-64-v3", ""},
    {"skylake", "x86-64-v3", ""},
    {"znver1", "x86-64-v3", ""},
    {"znver2", "x86-64-v3", ""},
    {"znver3", "x86-64-v3", ""},
    {"alderlake", "x86-64-v3", "avxvnni,gfni"},
    {"gracemont", "alderlake", ""},
    {"knl", "x86-64-v3", "avx512cd,avx512f"},
    {"meteorlake", "alderlake", ""},
    {"raptorlake", "alderlake", ""},
    {"knm", "knl", "avx512vpopcntdq"},
    {"x86-64-v4", "knl", "avx512bw,avx512dq,avx512vl"},
    {"arrowlake", "alderlake", "avxifma,avxneconvert,avxvnniint8"},
    {"grandridge", "arrowlake", ""},
    {"sierraforest", "arrowlake", ""},
    {"skx", "x86-64-v4", ""},
    {"skylake-avx512", "x86-64-v4", ""},
    {"arrowlake-s", "arrowlake", "avxvnniint16"},
    {"cascadelake", "x86-64-v4", "avx512vnni"},
    {"clearwaterforest", "arrowlake-s", ""},
    {"lunarlake", "arrowlake-s", ""},
    {"pantherlake", "arrowlake-s", ""},
    {"wildcatlake", "arrowlake-s", ""},
    {"cannonlake", "x86-64-v4", "avx512ifma,avx512vbmi"},
    {"cooperlake", "cascadelake", "avx512bf16"},
    {"icelake-client", "cannonlake", "avx512bitalg,avx512vbmi2,avx512vnni,avx512vpopcntdq,gfni"},
    {"icelake-server", "icelake-client", ""},
    {"rocketlake", "icelake-client", ""},
    {"tigerlake", "icelake-client", ""},
    {"znver4", "icelake-client", "avx512bf16"},
    {"znver5", "znver4", "avxvnni"},
    {"emeraldrapids", "znver5", "avx512fp16"},
    {"graniterapids", "emeraldrapids", ""},
    {"graniterapids-d", "emeraldrapids", ""},
    {"sapphirerapids", "emeraldrapids", ""},
    {"diamondrapids", "emeraldrapids", "avxifma,avxneconvert,avxvnniint16,avxvnniint8"},
    {"novalake", "diamondrapids", ""},
};
// clang-format on

static const processor_row *find_row(const char *name) {
  for (size_t i = 0; i < TN_COUNT(rows); i++) {
    if (strcmp(rows[i].name, name) == 0) {
      return &rows[i];
    }
  }
  return NULL;
}

static bool row_has(const processor_row *row, tn_str feature) {
  for (; row; row = row->parent ? find_row(row->parent) : NULL) {
    tn_str rest = tn_str_from(row->adds);
    while (rest.size > 0) {
      if (tn_str_equals(tn_str_split(&rest, ','), feature)) {
        return true;
      }
    }
  }
  return false;
}

static void add_feature(tn_cpu_processor *processor, const char *name) {
  const char *comma = processor->needs.size > 0 ? "," : "";
  tn_buf_add_format(&processor->features, "%s+%s", comma, name);
  tn_buf_add_format(&processor->needs, "%s%s", comma, name);
}

static void add_row(tn_cpu_processor *processor, const processor_row *row) {
  for (size_t i = 0; tn_cpu_feature_name(i); i++) {
    if (row_has(row, tn_str_from(tn_cpu_feature_name(i)))) {
      add_feature(processor, tn_cpu_feature_name(i));
    }
  }
  tn_buf_add_text(&processor->tune, row->name);
}

// What LLVM finds here, which is what the code is then asked for again when it runs.
static void add_native(tn_cpu_processor *processor) {
  char *cpu = LLVMGetHostCPUName();
  for (size_t i = 0; tn_cpu_feature_name(i); i++) {
    if (tn_cpu_has_feature(tn_str_from(tn_cpu_feature_name(i)))) {
      add_feature(processor, tn_cpu_feature_name(i));
    }
  }
  tn_buf_add_text(&processor->tune, cpu);
  LLVMDisposeMessage(cpu);
}

void tn_cpu_processor_deinit(tn_cpu_processor *processor) {
  tn_buf_deinit(&processor->tune);
  tn_buf_deinit(&processor->features);
  tn_buf_deinit(&processor->needs);
}

static bool is_x86(void) {
  char *triple = LLVMGetDefaultTargetTriple();
  const bool is = tn_str_has_prefix(tn_str_from(triple), TN_STR_LIT("x86_64"));
  LLVMDisposeMessage(triple);
  return is;
}

tn_status tn_cpu_processor_init(tn_cpu_processor *processor, const char *name, tn_diag *diag) {
  *processor = (tn_cpu_processor){.cpu = is_x86() ? "x86-64" : "generic"};
  tn_buf_init(&processor->tune, FEATURES_MAXIMUM);
  tn_buf_init(&processor->features, FEATURES_MAXIMUM);
  tn_buf_init(&processor->needs, FEATURES_MAXIMUM);
  if (!name) {
    tn_buf_add_text(&processor->tune, "generic");
  } else if (!is_x86()) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "machine code for processor '%s' is made for x86-64 only: "
                   "leave the processor out, then it is for all machines of the architecture",
                   name);
  } else if (strcmp(name, "native") == 0) {
    add_native(processor);
  } else if (find_row(name)) {
    add_row(processor, find_row(name));
  } else {
    return TN_FAIL(diag, UNSUPPORTED,
                   "there is no x86-64 processor '%s' that machine code of "
                   "kernels can be made for: give one such as x86-64-v3, or native",
                   name);
  }
  tn_status status = tn_buf_status(&processor->tune, diag);
  status = status == TN_OK ? tn_buf_status(&processor->features, diag) : status;
  return status == TN_OK ? tn_buf_status(&processor->needs, diag) : status;
}
