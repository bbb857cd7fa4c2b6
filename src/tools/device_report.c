// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices as text and as JSON.
#include "tools/device_report.h"

#include "tenon/device.h"
#include "tools/printed_text.h"

enum { TEXT_SIZE = 512 };

static const char *const aspect_names[TN_ASPECT_END] = {
    "cpu",
    "gpu",
    "accelerator",
    "custom",
    "emulated",
    "host_debuggable",
    "fp16",
    "fp64",
    "atomic64",
    "image",
    "online_compiler",
    "online_linker",
    "queue_profiling",
    "usm_device_allocations",
    "usm_host_allocations",
    "usm_atomic_host_allocations",
    "usm_shared_allocations",
    "usm_atomic_shared_allocations",
    "usm_system_allocations",
    "ext_intel_device_id",
    "ext_intel_pci_address",
    "ext_intel_device_info_uuid",
    "ext_intel_free_memory",
    "ext_intel_memory_clock_rate",
    "ext_intel_memory_bus_width",
    "ext_intel_max_mem_bandwidth",
    "ext_oneapi_virtual_mem",
    "ext_oneapi_is_integrated_gpu",
    "ext_oneapi_ipc_memory",
    "ext_oneapi_register_host_memory",
};

static const struct {
  int32_t what;
  const char *label;
  const char *key;
  unsigned bytes;  // of the number
} limits[] = {
    {TN_DEVICE_INFO_MAX_COMPUTE_UNITS, "compute units", "max_compute_units", 4},
    {TN_DEVICE_INFO_MAX_WORK_GROUP_SIZE, "work-items in a work-group", "max_work_group_size", 8},
    {TN_DEVICE_INFO_MAX_NUM_SUB_GROUPS, "sub-groups in a work-group", "max_num_sub_groups", 4},
    {TN_DEVICE_INFO_GLOBAL_MEM_SIZE, "global memory, bytes", "global_mem_size", 8},
    {TN_DEVICE_INFO_LOCAL_MEM_SIZE, "local memory, bytes", "local_mem_size", 8},
    {TN_DEVICE_INFO_MAX_MEM_ALLOC_SIZE, "largest allocation, bytes", "max_mem_alloc_size", 8},
    {TN_DEVICE_INFO_MAX_CLOCK_FREQUENCY, "clock, MHz", "max_clock_frequency", 4},
    {TN_DEVICE_INFO_ADDRESS_BITS, "bits of an address", "address_bits", 4},
    {TN_DEVICE_INFO_PARTITION_MAX, "sub-devices", "partition_max_sub_devices", 4},
};

static tn_str device_text(const tn_device *device, int32_t what, char out[TEXT_SIZE]) {
  out[0] = '\0';
  const tn_status status = tn_device_get_info(device, what, out, TEXT_SIZE - 1, NULL, NULL);
  return status == TN_OK ? tn_str_trim((tn_str){out, strnlen(out, TEXT_SIZE - 1)}) : (tn_str){0};
}

static tn_str platform_text(const tn_platform *platform, int32_t what, char out[TEXT_SIZE]) {
  out[0] = '\0';
  const tn_status status = tn_platform_get_info(platform, what, out, TEXT_SIZE - 1, NULL, NULL);
  return status == TN_OK ? tn_str_trim((tn_str){out, strnlen(out, TEXT_SIZE - 1)}) : (tn_str){0};
}

static bool device_number(const tn_device *device, int32_t what, unsigned bytes, uint64_t *out) {
  uint32_t narrow = 0;
  *out = 0;
  const tn_status status = bytes == sizeof(narrow)
                               ? tn_device_get_info(device, what, &narrow, bytes, NULL, NULL)
                               : tn_device_get_info(device, what, out, bytes, NULL, NULL);
  *out = bytes == sizeof(narrow) ? narrow : *out;
  return status == TN_OK;
}

static const char *type_of(const tn_device *device) {
  uint64_t type = 0;
  (void)device_number(device, TN_DEVICE_INFO_TYPE, sizeof(uint32_t), &type);
  switch (type) {
    case TN_DEVICE_TYPE_CPU:
      return "cpu";
    case TN_DEVICE_TYPE_GPU:
      return "gpu";
    case TN_DEVICE_TYPE_ACCELERATOR:
      return "accelerator";
    default:
      return "custom";
  }
}

static uint64_t aspects_of(const tn_device *device) {
  uint64_t aspects = 0;
  (void)device_number(device, TN_DEVICE_INFO_ASPECTS, sizeof(aspects), &aspects);
  return aspects;
}

static uint32_t sub_group_sizes_of(const tn_device *device) {
  uint64_t sizes = 0;
  (void)device_number(device, TN_DEVICE_INFO_SUB_GROUP_SIZES, sizeof(uint32_t), &sizes);
  return (uint32_t)sizes;
}

// "[opencl:cpu][opencl:0] platform, device version [driver]"
static void print_line(tn_buf *out, const char *adapter, const tn_platform *platform,
                       const tn_device *device, size_t index) {
  char text[TEXT_SIZE];
  tn_buf_add_format(out, "[%s:%s][%s:%zu] ", adapter, type_of(device), adapter, index);
  tn_print_text(out, platform_text(platform, TN_PLATFORM_INFO_NAME, text));
  tn_buf_add_text(out, ", ");
  tn_print_text(out, device_text(device, TN_DEVICE_INFO_NAME, text));
  const tn_str version = device_text(device, TN_DEVICE_INFO_VERSION, text);
  if (version.size > 0) {
    tn_buf_add_char(out, ' ');
    tn_print_text(out, version);
  }
  tn_buf_add_text(out, " [");
  tn_print_text(out, device_text(device, TN_DEVICE_INFO_DRIVER_VERSION, text));
  tn_buf_add_text(out, "]\n");
}

static void print_field(tn_buf *out, const char *indent, const char *label, tn_str value) {
  if (value.size > 0) {
    tn_buf_add_format(out, "%s%s: ", indent, label);
    tn_print_text(out, value);
    tn_buf_add_char(out, '\n');
  }
}

static void print_verbose(tn_buf *out, const char *adapter, const tn_device *device, size_t index) {
  static const char indent[] = "    ";
  char text[TEXT_SIZE];
  tn_buf_add_format(out, "  device %s:%zu\n", adapter, index);
  print_field(out, indent, "type", tn_str_from(type_of(device)));
  print_field(out, indent, "name", device_text(device, TN_DEVICE_INFO_NAME, text));
  print_field(out, indent, "vendor", device_text(device, TN_DEVICE_INFO_VENDOR, text));
  print_field(out, indent, "version", device_text(device, TN_DEVICE_INFO_VERSION, text));
  print_field(out, indent, "driver", device_text(device, TN_DEVICE_INFO_DRIVER_VERSION, text));
  for (size_t i = 0; i < TN_COUNT(limits); i++) {
    uint64_t value = 0;
    if (device_number(device, limits[i].what, limits[i].bytes, &value)) {
      tn_buf_add_format(out, "    %s: %llu\n", limits[i].label, (unsigned long long)value);
    }
  }
  tn_buf_add_text(out, "    sub-group sizes:");
  for (uint32_t size = 1; size != 0; size <<= 1) {
    if ((sub_group_sizes_of(device) & size) != 0) {
      tn_buf_add_format(out, " %u", size);
    }
  }
  tn_buf_add_text(out, "\n    aspects:");
  for (uint32_t i = 0; i < TN_ASPECT_END; i++) {
    if ((aspects_of(device) >> i & 1) != 0) {
      tn_buf_add_format(out, " %s", aspect_names[i]);
    }
  }
  tn_buf_add_char(out, '\n');
}

static void put_member(tn_buf *out, const char *name, tn_str value) {
  tn_buf_add_format(out, "\"%s\": ", name);
  tn_print_json(out, value);
}

static void print_device_json(tn_buf *out, const tn_device *device) {
  char text[TEXT_SIZE];
  const char *comma = "";
  tn_buf_add_char(out, '{');
  put_member(out, "type", tn_str_from(type_of(device)));
  static const struct {
    const char *name;
    int32_t what;
  } texts[] = {{"name", TN_DEVICE_INFO_NAME},
               {"vendor", TN_DEVICE_INFO_VENDOR},
               {"version", TN_DEVICE_INFO_VERSION},
               {"driver", TN_DEVICE_INFO_DRIVER_VERSION}};
  for (size_t i = 0; i < TN_COUNT(texts); i++) {
    tn_buf_add_text(out, ", ");
    put_member(out, texts[i].name, device_text(device, texts[i].what, text));
  }
  for (size_t i = 0; i < TN_COUNT(limits); i++) {
    uint64_t value = 0;
    if (device_number(device, limits[i].what, limits[i].bytes, &value)) {
      tn_buf_add_format(out, ", \"%s\": %llu", limits[i].key, (unsigned long long)value);
    }
  }
  tn_buf_add_text(out, ", \"sub_group_sizes\": [");
  for (uint32_t size = 1; size != 0; size <<= 1) {
    if ((sub_group_sizes_of(device) & size) != 0) {
      tn_buf_add_format(out, "%s%u", comma, size);
      comma = ", ";
    }
  }
  tn_buf_add_text(out, "], \"aspects\": [");
  comma = "";
  for (uint32_t i = 0; i < TN_ASPECT_END; i++) {
    if ((aspects_of(device) >> i & 1) != 0) {
      tn_buf_add_format(out, "%s\"%s\"", comma, aspect_names[i]);
      comma = ", ";
    }
  }
  tn_buf_add_text(out, "]}");
}

static void print_platform_json(tn_buf *out, const tn_platform *platform) {
  char text[TEXT_SIZE];
  tn_buf_add_char(out, '{');
  put_member(out, "name", platform_text(platform, TN_PLATFORM_INFO_NAME, text));
  tn_buf_add_text(out, ", ");
  put_member(out, "vendor", platform_text(platform, TN_PLATFORM_INFO_VENDOR, text));
  tn_buf_add_text(out, ", ");
  put_member(out, "version", platform_text(platform, TN_PLATFORM_INFO_VERSION, text));
  tn_buf_add_text(out, ", \"devices\": [");
  for (size_t i = 0; i < tn_platform_device_count(platform); i++) {
    tn_buf_add_text(out, i > 0 ? ", " : "");
    print_device_json(out, tn_platform_device_at(platform, i));
  }
  tn_buf_add_text(out, "]}");
}

static void print_platform(tn_buf *out, const char *name, const tn_platform *platform,
                           size_t *index, tn_device_form form) {
  char text[TEXT_SIZE];
  if (form == TN_DEVICES_VERBOSE) {
    tn_buf_add_text(out, "platform ");
    tn_print_text(out, platform_text(platform, TN_PLATFORM_INFO_NAME, text));
    tn_buf_add_char(out, '\n');
    print_field(out, "  ", "vendor", platform_text(platform, TN_PLATFORM_INFO_VENDOR, text));
    print_field(out, "  ", "version", platform_text(platform, TN_PLATFORM_INFO_VERSION, text));
  }
  for (size_t i = 0; i < tn_platform_device_count(platform); i++) {
    const tn_device *device = tn_platform_device_at(platform, i);
    if (form == TN_DEVICES_VERBOSE) {
      print_verbose(out, name, device, (*index)++);
    } else {
      print_line(out, name, platform, device, (*index)++);
    }
  }
}

void tn_devices_print_failure(tn_buf *out, const char *name, const char *reason,
                              tn_device_form form) {
  if (form == TN_DEVICES_JSON) {
    tn_buf_add_char(out, '{');
    put_member(out, "adapter", tn_str_from(name));
    tn_buf_add_text(out, ", \"platforms\": [], ");
    put_member(out, "left_out", tn_str_from(reason));
    tn_buf_add_char(out, '}');
  } else if (form == TN_DEVICES_VERBOSE) {
    tn_buf_add_format(out, "%s is left out: ", name);
    tn_print_text(out, tn_str_from(reason));
    tn_buf_add_char(out, '\n');
  }
}

void tn_devices_print(tn_buf *out, const char *name, tn_device_form form) {
  size_t count = 0;
  size_t index = 0;
  tn_diag diag = {0};
  const tn_status status = tn_platform_count(&count, &diag);
  const char *reason = tn_adapter_left_out(name);
  if (status != TN_OK || count == 0) {
    const char *other = status == TN_INVALID_ARGUMENT
                            ? diag.text
                            : "ONEAPI_DEVICE_SELECTOR leaves none of its devices";
    tn_devices_print_failure(out, name, reason ? reason : other, form);
    return;
  }
  if (form != TN_DEVICES_JSON) {
    for (size_t i = 0; i < count; i++) {
      print_platform(out, name, tn_platform_at(i), &index, form);
    }
    if (reason && form == TN_DEVICES_VERBOSE) {
      print_field(out, "  ", "left out", tn_str_from(reason));
    }
    return;
  }
  tn_buf_add_char(out, '{');
  put_member(out, "adapter", tn_str_from(name));
  if (reason) {
    tn_buf_add_text(out, ", ");
    put_member(out, "left_out", tn_str_from(reason));
  }
  tn_buf_add_text(out, ", \"platforms\": [");
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_text(out, i > 0 ? ", " : "");
    print_platform_json(out, tn_platform_at(i));
  }
  tn_buf_add_text(out, "]}");
}
