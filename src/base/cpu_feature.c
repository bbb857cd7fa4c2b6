// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CPUID says, and what the system saves at a switch of threads (XCR0).
#include "base/cpu_feature.h"

#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#endif

enum { REG_EAX, REG_EBX, REG_ECX, REG_EDX, REG_COUNT };
// Bits of XCR0.
#define STATE_NONE 0u
#define STATE_AVX 0x6u
#define STATE_AVX512 0xe6u

typedef struct feature_row {
  const char *name;
  uint32_t leaf;
  uint32_t sub_leaf;
  uint32_t reg;
  uint32_t bit;
  uint32_t state;  // that the system must keep
} feature_row;

// Sorted by name.
static const feature_row rows[] = {
    {"avx", 1, 0, REG_ECX, 28, STATE_AVX},
    {"avx2", 7, 0, REG_EBX, 5, STATE_AVX},
    {"avx512bf16", 7, 1, REG_EAX, 5, STATE_AVX512},
    {"avx512bitalg", 7, 0, REG_ECX, 12, STATE_AVX512},
    {"avx512bw", 7, 0, REG_EBX, 30, STATE_AVX512},
    {"avx512cd", 7, 0, REG_EBX, 28, STATE_AVX512},
    {"avx512dq", 7, 0, REG_EBX, 17, STATE_AVX512},
    {"avx512f", 7, 0, REG_EBX, 16, STATE_AVX512},
    {"avx512fp16", 7, 0, REG_EDX, 23, STATE_AVX512},
    {"avx512ifma", 7, 0, REG_EBX, 21, STATE_AVX512},
    {"avx512vbmi", 7, 0, REG_ECX, 1, STATE_AVX512},
    {"avx512vbmi2", 7, 0, REG_ECX, 6, STATE_AVX512},
    {"avx512vl", 7, 0, REG_EBX, 31, STATE_AVX512},
    {"avx512vnni", 7, 0, REG_ECX, 11, STATE_AVX512},
    {"avx512vpopcntdq", 7, 0, REG_ECX, 14, STATE_AVX512},
    {"avxifma", 7, 1, REG_EAX, 23, STATE_AVX},
    {"avxneconvert", 7, 1, REG_EDX, 5, STATE_AVX},
    {"avxvnni", 7, 1, REG_EAX, 4, STATE_AVX},
    {"avxvnniint16", 7, 1, REG_EDX, 10, STATE_AVX},
    {"avxvnniint8", 7, 1, REG_EDX, 4, STATE_AVX},
    {"bmi", 7, 0, REG_EBX, 3, STATE_NONE},
    {"bmi2", 7, 0, REG_EBX, 8, STATE_NONE},
    {"crc32", 1, 0, REG_ECX, 20, STATE_NONE},
    {"cx16", 1, 0, REG_ECX, 13, STATE_NONE},
    {"f16c", 1, 0, REG_ECX, 29, STATE_AVX},
    {"fma", 1, 0, REG_ECX, 12, STATE_AVX},
    {"gfni", 7, 0, REG_ECX, 8, STATE_NONE},
    {"lzcnt", 0x80000001u, 0, REG_ECX, 5, STATE_NONE},
    {"movbe", 1, 0, REG_ECX, 22, STATE_NONE},
    {"popcnt", 1, 0, REG_ECX, 23, STATE_NONE},
    {"sahf", 0x80000001u, 0, REG_ECX, 0, STATE_NONE},
    {"sse3", 1, 0, REG_ECX, 0, STATE_NONE},
    {"sse4.1", 1, 0, REG_ECX, 19, STATE_NONE},
    {"sse4.2", 1, 0, REG_ECX, 20, STATE_NONE},
    {"ssse3", 1, 0, REG_ECX, 9, STATE_NONE},
};

static const feature_row *find_row(tn_str name) {
  for (size_t i = 0; i < TN_COUNT(rows); i++) {
    if (tn_str_equals(name, tn_str_from(rows[i].name))) {
      return &rows[i];
    }
  }
  return NULL;
}

const char *tn_cpu_feature_name(size_t index) {
  return index < TN_COUNT(rows) ? rows[index].name : NULL;
}

bool tn_cpu_feature_is_known(tn_str name) { return find_row(name) != NULL; }

#if defined(__x86_64__)
static uint64_t kept_state(void) {
  uint32_t regs[REG_COUNT] = {0};
  const uint32_t osxsave = 1u << 27;
  if (__get_cpuid(1, &regs[REG_EAX], &regs[REG_EBX], &regs[REG_ECX], &regs[REG_EDX]) == 0 ||
      (regs[REG_ECX] & osxsave) == 0) {
    return 0;
  }
  uint32_t low = 0;
  uint32_t high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

static bool has_row(const feature_row *row) {
  uint32_t regs[REG_COUNT] = {0};
  if (row->state != STATE_NONE && (kept_state() & row->state) != row->state) {
    return false;
  }
  return __get_cpuid_count(row->leaf, row->sub_leaf, &regs[REG_EAX], &regs[REG_EBX], &regs[REG_ECX],
                           &regs[REG_EDX]) != 0 &&
         (regs[row->reg] >> row->bit & 1u) != 0;
}
#else
static bool has_row(const feature_row *row) {
  (void)row;
  return false;
}
#endif

bool tn_cpu_has_feature(tn_str name) {
  const feature_row *row = find_row(name);
  return row && has_row(row);
}

tn_str tn_cpu_find_lacking(tn_str features) {
  tn_str rest = features;
  while (rest.data && rest.size > 0) {
    const tn_str name = tn_str_split(&rest, ',');
    if (!tn_cpu_has_feature(name)) {
      return name;
    }
  }
  return (tn_str){"", 0};
}

#if defined(__x86_64__)
// What CPUID tells of the processor, not of one core: no numbers of cores, no sizes of caches.
static const struct {
  uint32_t leaf;
  uint32_t sub_leaf;
  uint32_t regs;  // a bit for each that counts
} identity[] = {
    {0, 0, 1u << REG_EBX | 1u << REG_ECX | 1u << REG_EDX},  // maker
    {1, 0, 1u << REG_EAX | 1u << REG_ECX | 1u << REG_EDX},  // family, model, stepping
    {7, 0, 1u << REG_EBX | 1u << REG_ECX | 1u << REG_EDX},
    {7, 1, 0xf},
    {7, 2, 1u << REG_EDX},
    {0xd, 0, 1u << REG_EAX | 1u << REG_EDX},  // kinds of registers
    {0xd, 1, 1u << REG_EAX},
    {0x14, 0, 1u << REG_EBX},
    {0x19, 0, 1u << REG_EBX},
    {0x1e, 1, 1u << REG_EAX},
    {0x24, 0, 1u << REG_EBX},
    {0x80000001u, 0, 1u << REG_ECX | 1u << REG_EDX},
    {0x80000008u, 0, 1u << REG_EBX},
    {0x80000021u, 0, 1u << REG_EAX},
};

// In a virtual machine each question costs microseconds: how many leaves there are is asked once.
void tn_cpu_identity(tn_buf *out) {
  const uint32_t extended = 0x80000000u;
  const uint32_t last = __get_cpuid_max(0, NULL);
  const uint32_t last_extended = __get_cpuid_max(extended, NULL);
  tn_buf_add_text(out, "x86_64");
  for (size_t i = 0; i < TN_COUNT(identity); i++) {
    uint32_t regs[REG_COUNT] = {0};
    const uint32_t leaf = identity[i].leaf;
    if (leaf <= (leaf >= extended ? last_extended : last)) {
      __cpuid_count(leaf, identity[i].sub_leaf, regs[REG_EAX], regs[REG_EBX], regs[REG_ECX],
                    regs[REG_EDX]);
    }
    for (size_t reg = 0; reg < REG_COUNT; reg++) {
      if ((identity[i].regs >> reg & 1u) != 0) {
        tn_buf_add_format(out, " %08x", regs[reg]);
      }
    }
  }
  tn_buf_add_format(out, " %016llx", (unsigned long long)kept_state());
}
#else
void tn_cpu_identity(tn_buf *out) {
  const char *platform = (const char *)getauxval(AT_PLATFORM);
  tn_buf_add_format(out, "%s %lx %lx", platform ? platform : "", getauxval(AT_HWCAP),
                    getauxval(AT_HWCAP2));
}
#endif
