// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processors that words may name. Sources: LLVM's NVPTX and AMDGPU back ends, ocloc's devices.
#include "compile/target/processors.h"

const char *const tn_nvidia_processors[] = {
    "sm_50",   "sm_52",  "sm_53",   "sm_60",   "sm_61",  "sm_62",   "sm_70",   "sm_72",  "sm_75",
    "sm_80",   "sm_86",  "sm_87",   "sm_88",   "sm_89",  "sm_90",   "sm_90a",  "sm_100", "sm_100a",
    "sm_100f", "sm_101", "sm_101a", "sm_101f", "sm_103", "sm_103a", "sm_103f", "sm_110", "sm_110a",
    "sm_110f", "sm_120", "sm_120a", "sm_120f", "sm_121", "sm_121a", "sm_121f", NULL};

const char *const tn_amd_processors[] = {"gfx700",         "gfx701",          "gfx702",
                                         "gfx703",         "gfx704",          "gfx705",
                                         "gfx801",         "gfx802",          "gfx803",
                                         "gfx805",         "gfx810",          "gfx900",
                                         "gfx902",         "gfx904",          "gfx906",
                                         "gfx908",         "gfx909",          "gfx90a",
                                         "gfx90c",         "gfx942",          "gfx950",
                                         "gfx1010",        "gfx1011",         "gfx1012",
                                         "gfx1013",        "gfx1030",         "gfx1031",
                                         "gfx1032",        "gfx1033",         "gfx1034",
                                         "gfx1035",        "gfx1036",         "gfx1100",
                                         "gfx1101",        "gfx1102",         "gfx1103",
                                         "gfx1150",        "gfx1151",         "gfx1152",
                                         "gfx1153",        "gfx1200",         "gfx1201",
                                         "gfx1250",        "gfx1251",         "gfx9-generic",
                                         "gfx9-4-generic", "gfx10-1-generic", "gfx10-3-generic",
                                         "gfx11-generic",  "gfx12-generic",   NULL};

const char *const tn_intel_processors[] = {
    "bdw",     "skl",     "kbl",    "cfl",   "apl",     "bxt",     "glk",     "whl",     "aml",
    "cml",     "icl",     "icllp",  "ehl",   "jsl",     "tgl",     "tgllp",   "rkl",     "adl_s",
    "rpl_s",   "adl_p",   "adl_n",  "dg1",   "acm_g10", "dg2_g10", "acm_g11", "dg2_g11", "acm_g12",
    "dg2_g12", "pvc",     "pvc_vg", "mtl_u", "mtl_s",   "arl_u",   "arl_s",   "mtl_h",   "arl_h",
    "bmg_g21", "bmg_g31", "lnl_m",  "ptl_h", "ptl_u",   "wcl",     NULL};

const char *const tn_cpu_processors[] = {
    "native",         "x86-64",        "x86-64-v2",      "x86-64-v3",
    "x86-64-v4",      "haswell",       "broadwell",      "skylake",
    "skylake-avx512", "cascadelake",   "icelake-client", "icelake-server",
    "sapphirerapids", "graniterapids", "diamondrapids",  "alderlake",
    "znver1",         "znver2",        "znver3",         "znver4",
    "znver5",         "neoverse-n1",   "neoverse-n2",    "neoverse-v1",
    "neoverse-v2",    "cortex-a72",    "apple-m1",       NULL};

const char *tn_processor_find(const char *const *list, tn_str name) {
  for (size_t i = 0; list[i]; ++i) {
    if (tn_str_equals(name, tn_str_from(list[i]))) {
      return list[i];
    }
  }
  return NULL;
}

static size_t common_prefix(tn_str a, tn_str b) {
  size_t count = 0;
  while (count < a.size && count < b.size && a.data[count] == b.data[count]) {
    ++count;
  }
  return count;
}

const char *tn_processor_nearest(const char *const *list, tn_str name) {
  const char *nearest = NULL;
  size_t least = 3;
  size_t longest = 0;
  for (size_t i = 0; list[i]; ++i) {
    const tn_str each = tn_str_from(list[i]);
    const size_t distance = tn_str_distance(name, each, 2);
    const size_t common = common_prefix(name, each);
    if (distance < least || (distance == least && distance < 3 && common > longest)) {
      least = distance;
      longest = common;
      nearest = list[i];
    }
  }
  return nearest;
}
