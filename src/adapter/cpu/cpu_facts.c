// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the CPU device says of itself, from the system's own tables.
#include "adapter/cpu/cpu.h"
#include "base/alloc.h"
#include "base/cpu_feature.h"
#include "base/file.h"
#include "base/info.h"
#include "tenon/cpu_kernel.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum {
  MAX_WORK_GROUP_SIZE = 4096,
  SUB_GROUP_SIZES = 4 + 8 + 16 + 32 + 64,  // what reqd_sub_group_size may ask for
  CPUINFO_HEAD = 8192,
  LOCAL_MEM_SIZE = 256 * 1024,  // ordinary memory: a share of a usual second-level cache
  MAX_PARAMETER_SIZE = 65536,
};

static char identity[4096];  // written once; empty when the processor is not known
static void write_identity(void) {
  tn_buf text;
  tn_buf_init(&text, sizeof(identity) - 1);
  tn_cpu_identity(&text);
  if (text.size > 0) {
    tn_buf_add_format(&text, ", kernel interface %u", (unsigned)TN_CPU_KERNEL_VERSION);
  }
  if (text.failed == TN_OK && text.size > 0) {
    memcpy(identity, text.data, text.size);
  }
  tn_buf_deinit(&text);
}

const char *tn_cpu_device_identity(tn_adapter_device *device) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)device;
  (void)pthread_once(&once, write_identity);
  return identity[0] != '\0' ? identity : NULL;
}

// The value of the first line that begins with `key`, in the form "key : value"; empty when none
// does.
static tn_str find_line(tn_str text, const char *key) {
  while (text.data != NULL) {
    const tn_str line = tn_str_split(&text, '\n');
    const size_t colon = tn_str_find_char(line, ':');
    if (colon != SIZE_MAX &&
        tn_str_equals(tn_str_trim(tn_str_slice(line, 0, colon)), tn_str_from(key))) {
      return tn_str_trim(tn_str_slice(line, colon + 1, line.size));
    }
  }
  return (tn_str){NULL, 0};
}

static void copy_text(char *out, size_t size, tn_str text, const char *otherwise) {
  const tn_str from = tn_str_is_empty(text) ? tn_str_from(otherwise) : text;
  const size_t used = from.size < size ? from.size : size - 1;
  memcpy(out, from.data, used);
  out[used] = '\0';
}

static bool has_word(tn_str words, const char *word) {
  while (words.data != NULL) {
    if (tn_str_equals(tn_str_split(&words, ' '), tn_str_from(word))) {
      return true;
    }
  }
  return false;
}

static uint32_t vector_width(tn_str flags) {
  if (has_word(flags, "avx512f")) {
    return 64;
  }
  return has_word(flags, "avx2") ? 32 : 16;
}

// Without instructions for halves they are computed as floats, so as many as of those.
static uint32_t half_width(tn_str flags, uint32_t width) {
  const bool has_halves = has_word(flags, "avx512_fp16") || has_word(flags, "asimdhp");
  return has_halves ? width : width / 2;
}

static uint32_t pci_vendor(tn_str name) {
  static const struct {
    const char *name;
    uint32_t id;
  } vendors[] = {{"GenuineIntel", 0x8086},
                 {"AuthenticAMD", 0x1022},
                 {"HygonGenuine", 0x1d94},
                 {"CentaurHauls", 0x1106}};
  for (size_t i = 0; i < TN_COUNT(vendors); i++) {
    if (tn_str_equals(name, tn_str_from(vendors[i].name))) {
      return vendors[i].id;
    }
  }
  return 0;
}

static uint64_t positive(long value, uint64_t otherwise) {
  return value > 0 ? (uint64_t)value : otherwise;
}

static void read_cpuinfo(tn_cpu_facts *facts) {
  // All cores are alike in what is looked for, and the system asks each for what it says: on a
  // large machine the whole file takes longer than a small program.
  char data[CPUINFO_HEAD];
  const tn_str text = {data, tn_file_read_head("/proc/cpuinfo", data, sizeof(data))};
  copy_text(facts->name, sizeof(facts->name), find_line(text, "model name"), "CPU");
  copy_text(facts->vendor, sizeof(facts->vendor), find_line(text, "vendor_id"), "unknown");
  tn_str flags = find_line(text, "flags");
  if (tn_str_is_empty(flags)) {
    flags = find_line(text, "Features");  // how Arm says it
  }
  // Major and minor numbers, as NVIDIA GPUs tell their compute capability.
  const tn_str version = TN_STR_LIT(TN_VERSION);
  copy_text(facts->version, sizeof(facts->version),
            tn_str_slice(version, 0, tn_str_rfind_char(version, '.')), TN_VERSION);
  facts->vendor_id = pci_vendor(find_line(text, "vendor_id"));
  facts->vector_width = vector_width(flags);
  facts->half_width = half_width(flags, facts->vector_width);
  const tn_str mhz = find_line(text, "cpu MHz");
  uint64_t clock = 0;
  if (tn_str_to_u64(tn_str_slice(mhz, 0, tn_str_find_char(mhz, '.')), &clock)) {
    facts->clock_mhz = (uint32_t)clock;
  }
}

void tn_cpu_facts_read(tn_cpu_facts *out) {
  *out = (tn_cpu_facts){0};
  read_cpuinfo(out);
  const uint32_t core_limit = tn_cpu_core_limit("/sys/fs/cgroup");
  out->core_count = (uint32_t)tn_thread_core_count();
  out->core_count = core_limit < out->core_count ? core_limit : out->core_count;
  out->cache_line_size = (uint32_t)positive(sysconf(_SC_LEVEL1_DCACHE_LINESIZE), 64);
  const uint64_t limit = tn_cpu_memory_limit("/sys/fs/cgroup");
  out->memory_size = positive(sysconf(_SC_PHYS_PAGES), 0) * positive(sysconf(_SC_PAGESIZE), 4096);
  out->memory_size = limit < out->memory_size ? limit : out->memory_size;
}

// These two take files to know, and few programs ask.
static uint64_t cache_size(void) {
  const uint64_t size = tn_cpu_cache_size("/sys/devices/system");
  return size != 0 ? size
                   : positive(sysconf(_SC_LEVEL3_CACHE_SIZE),
                              positive(sysconf(_SC_LEVEL2_CACHE_SIZE), 0));
}

static uint64_t clock_mhz(const tn_cpu_facts *facts) {
  const uint64_t fastest = tn_cpu_clock_mhz("/sys/devices/system");
  return fastest != 0 ? fastest : facts->clock_mhz;
}

static uint64_t aspects(void) {
  static const uint32_t has[] = {
      TN_ASPECT_CPU,
      TN_ASPECT_HOST_DEBUGGABLE,
      TN_ASPECT_FP16,
      TN_ASPECT_FP64,
      TN_ASPECT_ATOMIC64,
      TN_ASPECT_IMAGE,
      TN_ASPECT_ONLINE_COMPILER,
      TN_ASPECT_ONLINE_LINKER,
      TN_ASPECT_QUEUE_PROFILING,
      TN_ASPECT_USM_DEVICE_ALLOCATIONS,
      TN_ASPECT_USM_HOST_ALLOCATIONS,
      TN_ASPECT_USM_ATOMIC_HOST_ALLOCATIONS,
      TN_ASPECT_USM_SHARED_ALLOCATIONS,
      TN_ASPECT_USM_ATOMIC_SHARED_ALLOCATIONS,
      TN_ASPECT_USM_SYSTEM_ALLOCATIONS,
      TN_ASPECT_VIRTUAL_MEMORY,
      TN_ASPECT_REGISTER_HOST_MEMORY,
  };
  uint64_t bits = 0;
  for (size_t i = 0; i < TN_COUNT(has); i++) {
    bits |= (uint64_t)1 << has[i];
  }
  return bits;
}

// X(name, value): numbers, in the width that tenon/device.h gives each.
// clang-format off
#define U32_FACTS(X) \
  X(TYPE, TN_DEVICE_TYPE_CPU) \
  X(BACKEND, TN_BACKEND_CPU) \
  X(VENDOR_ID, facts->vendor_id) \
  X(MAX_COMPUTE_UNITS, device->unit_count) \
  X(MAX_CLOCK_FREQUENCY, clock_mhz(facts)) \
  X(ADDRESS_BITS, 8 * sizeof(void *)) \
  X(MEM_BASE_ADDR_ALIGN, 8 * 64 /* bits */) \
  X(CACHE_LINE_SIZE, facts->cache_line_size) \
  X(SUB_GROUP_SIZE, TN_CPU_SUB_GROUP_SIZE) \
  X(SUB_GROUP_SIZES, SUB_GROUP_SIZES) \
  X(NATIVE_VECTOR_WIDTH, facts->vector_width) \
  X(NATIVE_HALF_WIDTH, facts->half_width) \
  X(MAX_NUM_SUB_GROUPS, MAX_WORK_GROUP_SIZE / TN_CPU_SUB_GROUP_LEAST) \
  X(PARTITION_MAX, device->unit_count > 1 ? device->unit_count : 0) \
  X(PARTITION_KINDS, tn_cpu_partition_kinds(device)) \
  X(PARTITION_DOMAINS, tn_cpu_partition_domains(device)) \
  X(PARTITION_TYPE, device->partition_kind) \
  X(PARTITION_TYPE_DOMAIN, device->partition_domain) \
  X(ERROR_CORRECTION, 0)
#define U64_FACTS(X) \
  X(MAX_WORK_GROUP_SIZE, MAX_WORK_GROUP_SIZE) \
  X(GLOBAL_MEM_SIZE, facts->memory_size) \
  X(LOCAL_MEM_SIZE, LOCAL_MEM_SIZE) \
  X(MAX_MEM_ALLOC_SIZE, facts->memory_size) \
  X(GLOBAL_CACHE_SIZE, cache_size()) \
  X(ASPECTS, aspects()) \
  X(MAX_PARAMETER_SIZE, MAX_PARAMETER_SIZE) \
  X(TIMER_RESOLUTION, 1)
// clang-format on

static bool find_number(tn_adapter_device *device, int32_t what, uint64_t *out, size_t *out_size) {
  const tn_cpu_facts *facts = &device->facts;
#define NUMBER(name, value)   \
  case TN_DEVICE_INFO_##name: \
    *out = (uint64_t)(value); \
    break;
  *out_size = sizeof(uint32_t);
  switch (what) {
    U32_FACTS(NUMBER)
    default:
      *out_size = sizeof(uint64_t);
      switch (what) {
        U64_FACTS(NUMBER)
        default:
          return false;
      }
  }
#undef NUMBER
  return true;
}

static const char *find_text(const tn_cpu_facts *facts, int32_t what) {
  switch (what) {
    case TN_DEVICE_INFO_NAME:
      return facts->name;
    case TN_DEVICE_INFO_VENDOR:
      return facts->vendor;
    case TN_DEVICE_INFO_DRIVER_VERSION:
      return TN_VERSION;
    case TN_DEVICE_INFO_VERSION:
      return facts->version;
    default:
      return NULL;
  }
}

tn_status tn_cpu_device_get_info(tn_adapter_device *device, int32_t what, void *out, size_t size,
                                 size_t *out_size, tn_diag *diag) {
  uint64_t number = 0;
  size_t number_size = 0;
  const char *text = find_text(&device->facts, what);
  if (text != NULL) {
    return tn_info_write_text(text, out, size, out_size, diag);
  }
  if (what == TN_DEVICE_INFO_MAX_WORK_ITEM_SIZES) {
    const uint64_t sizes[3] = {MAX_WORK_GROUP_SIZE, MAX_WORK_GROUP_SIZE, MAX_WORK_GROUP_SIZE};
    return tn_info_write(sizes, sizeof(sizes), out, size, out_size, diag);
  }
  const bool is_of_parts =
      what == TN_DEVICE_INFO_PARTITION_KINDS || what == TN_DEVICE_INFO_PARTITION_DOMAINS;
  if (is_of_parts && device->unit_count > 1 && !tn_cpu_device_know_units(device)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the list of the CPU's cores");
  }
  if (!find_number(device, what, &number, &number_size)) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%d is no device info that the CPU knows", (int)what);
  }
  const uint32_t narrow = (uint32_t)number;
  return number_size == sizeof(narrow)
             ? tn_info_write(&narrow, sizeof(narrow), out, size, out_size, diag)
             : tn_info_write(&number, sizeof(number), out, size, out_size, diag);
}
