// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tenon/adapter.h says of every adapter, held against one:
//
//   adapter_conformance cpu|mock|cuda|opencl [<code file> <kernel>]
//
// The kernel is of conformance_kernel.cpp, as program_load takes it: without it kernels are left
// out. Prints what failed; exit status 77 when the adapter has no device here.
#include "conformance/conformance.h"
#include "image/image.h"

#include <stdlib.h>

static const struct {
  const char *name;
  tn_adapter_query_fn query;
} adapters[] = {
    {"cpu", tn_cpu_adapter_query},
    {"mock", tn_mock_adapter_query},
    {"cuda", tn_cuda_adapter_query},
    {"opencl", tn_opencl_adapter_query},
};

int conformance_failures;
tn_diag conformance_diag;

static tn_status get_compiler(const struct tn_compiler **out, tn_diag *diag) {
  *out = NULL;
  return TN_FAIL(diag, UNSUPPORTED, "no compiler is needed here");
}

static void check_table(const tn_adapter_api *api) {
  CHECK(api->size <= sizeof(*api) && api->version == TN_ADAPTER_VERSION);
  CHECK(api->name && api->name[0] != '\0');
  CHECK(api->create && api->destroy && api->get_info && api->device_count && api->device_at);
  CHECK(api->device_get_info && api->device_target && api->memory_alloc && api->memory_free);
  CHECK(api->program_load && api->program_unload && api->kernel_find && api->submit);
  CHECK(!api->program_link || api->code_free);
  const bool has_streams = api->stream_create != NULL;
  CHECK(has_streams == (api->stream_submit != NULL) && has_streams == (api->stream_wait != NULL));
  CHECK(has_streams == (api->mark_create != NULL) && has_streams == (api->mark_watch != NULL));
  CHECK(!api->stream_after || has_streams);
  CHECK((api->graph_create != NULL) == (api->graph_update != NULL));
  CHECK((api->native_get != NULL) == (api->native_mark != NULL));
  CHECK((api->device_platform != NULL) == (api->platform_get_info != NULL));
}

static void check_infos(const subject *s) {
  static const struct {
    const char *name;
    int32_t what;
    const char *type;
  } infos[] = {
#define ROW(name, value, type) {#name, value, #type},
      TN_DEVICE_INFO_MAP(ROW)
#undef ROW
  };
  uint64_t aspects = 0;
  OK(s->api->device_get_info(s->device, TN_DEVICE_INFO_ASPECTS, &aspects, sizeof(aspects), NULL,
                             DIAG));
  for (size_t i = 0; i < TN_COUNT(infos); i++) {
    char value[2048];
    size_t size = 0;
    if (infos[i].what >= TN_DEVICE_INFO_DEVICE_ID) {
      continue;  // only where an aspect says so
    }
    const tn_status status =
        s->api->device_get_info(s->device, infos[i].what, value, sizeof(value), &size, DIAG);
    // The runtime answers for adapters that divide nothing.
    const bool is_partition = infos[i].what >= TN_DEVICE_INFO_PARTITION_MAX &&
                              infos[i].what <= TN_DEVICE_INFO_PARTITION_TYPE_DOMAIN;
    if (is_partition && !s->has->device_divide) {
      continue;
    }
    const size_t wanted = strcmp(infos[i].type, "u32") == 0     ? sizeof(uint32_t)
                          : strcmp(infos[i].type, "u64") == 0   ? sizeof(uint64_t)
                          : strcmp(infos[i].type, "u64x3") == 0 ? 3 * sizeof(uint64_t)
                                                                : 0;
    if (status != TN_OK || (wanted != 0 && size != wanted) ||
        (wanted == 0 && (size == 0 || value[size - 1] != '\0'))) {
      conformance_fail(__FILE__, __LINE__, infos[i].name);
    }
  }
  char byte = 0;
  FAILS(s->api->device_get_info(s->device, 9999, &byte, 1, NULL, DIAG), INVALID_ARGUMENT);
  FAILS(s->api->device_get_info(s->device, TN_DEVICE_INFO_NAME, &byte, 1, NULL, DIAG),
        INVALID_ARGUMENT);
  CHECK(s->api->device_target(s->device) != NULL);
  if (s->api->device_identity) {
    const char *identity = s->api->device_identity(s->device);
    CHECK(!identity || strcmp(identity, s->api->device_identity(s->device)) == 0);
  }
}

static void check_memory(const subject *s) {
  static const int32_t kinds[] = {TN_USM_HOST, TN_USM_DEVICE, TN_USM_SHARED};
  for (size_t k = 0; k < TN_COUNT(kinds); k++) {
    for (size_t alignment = 1; alignment <= 65536; alignment *= 4) {
      void *memory = NULL;
      const tn_status status =
          s->api->memory_alloc(s->device, kinds[k], alignment + 3, alignment, &memory, DIAG);
      CHECK(status == TN_OK || status == TN_UNSUPPORTED);
      CHECK(status != TN_OK || (memory && (uintptr_t)memory % alignment == 0));
      CHECK(status != TN_UNSUPPORTED || DIAG->text[0] != '\0');
      if (status == TN_OK) {
        s->api->memory_free(s->device, kinds[k], memory);
      }
    }
    void *memory = &memory;
    const tn_status status =
        s->api->memory_alloc(s->device, kinds[k], SIZE_MAX / 4, 64, &memory, DIAG);
    CHECK(status == TN_OUT_OF_MEMORY || status == TN_UNSUPPORTED);
  }
}

static void check_programs(const subject *s) {
  static const unsigned char garbage[64] = {0x7f, 'n', 'o', 't', ' ', 'c', 'o', 'd', 'e'};
  tn_adapter_program *program = NULL;
  tn_adapter_kernel *kernel = NULL;
  DIAG->text[0] = '\0';
  tn_status status = s->api->program_load(s->device, garbage, sizeof(garbage), &program, DIAG);
  if (status == TN_OK) {  // some find out when a kernel is looked up
    status = s->api->kernel_find(program, "none", &kernel, DIAG);
    s->api->program_unload(program);
  }
  // What is not an object of machine code the CPU gives to the compiler.
  CHECK(status == TN_BUILD_FAILED || status == TN_BAD_IMAGE || status == TN_UNSUPPORTED);
  CHECK(DIAG->text[0] != '\0');
}

static void check_parts(const subject *s) {
  uint32_t units = 0;
  uint32_t kinds = 0;
  if (!s->has->device_divide) {
    return;
  }
  OK(s->api->device_get_info(s->device, TN_DEVICE_INFO_MAX_COMPUTE_UNITS, &units, sizeof(units),
                             NULL, DIAG));
  OK(s->api->device_get_info(s->device, TN_DEVICE_INFO_PARTITION_KINDS, &kinds, sizeof(kinds), NULL,
                             DIAG));
  if ((kinds >> TN_PARTITION_BY_COUNTS & 1) == 0 || units < 2) {
    return;
  }
  const size_t counts[] = {1, 1};
  tn_adapter_device *parts[2] = {NULL, NULL};
  size_t count = 0;
  OK(s->api->device_divide(s->device, TN_PARTITION_BY_COUNTS, counts, TN_AFFINITY_NONE, parts, 2,
                           &count, DIAG));
  CHECK(count == 2 && parts[0] && parts[1] && parts[0] != parts[1]);
  for (size_t i = 0; i < count; i++) {
    subject part = *s;
    part.device = parts[i];
    OK(s->api->device_get_info(parts[i], TN_DEVICE_INFO_MAX_COMPUTE_UNITS, &units, sizeof(units),
                               NULL, DIAG));
    CHECK(units == 1);
    conformance_commands(&part);
  }
}

static void check_device(const subject *s) {
  check_infos(s);
  check_memory(s);
  check_programs(s);
  conformance_commands(s);
  conformance_streams(s);
  conformance_kernels(s);
  conformance_graphs(s);
  check_parts(s);
}

static bool read_code(const char *path, tn_bytes *out) {
  FILE *file = fopen(path, "rb");
  static uint8_t code[1 << 20];
  const size_t size = file ? fread(code, 1, sizeof(code), file) : 0;
  if (file) {
    (void)fclose(file);
  }
  *out = (tn_bytes){code, size};
  return size > 0;
}

static int check_adapter(const tn_adapter_api *given, subject *s) {
  static tn_adapter_api table;
  static const tn_adapter_host host = {.size = sizeof(host),
                                       .version = TN_ADAPTER_VERSION,
                                       .cpu_threads = 2,
                                       .get_compiler = get_compiler};
  check_table(given);
  tn_adapter_table_complete(given, &table);
  s->api = &table;
  s->has = given;
  tn_adapter *adapter = NULL;
  const tn_status status = table.create(&host, &adapter, DIAG);
  if (status != TN_OK) {
    CHECK(status == TN_UNSUPPORTED && DIAG->text[0] != '\0');
    printf("%s: %s\n", given->name, DIAG->text);
    return 77;
  }
  char text[512] = "";
  OK(table.get_info(adapter, TN_PLATFORM_INFO_NAME, text, sizeof(text), NULL, DIAG));
  CHECK(text[0] != '\0');
  FAILS(table.get_info(adapter, 9999, text, sizeof(text), NULL, DIAG), INVALID_ARGUMENT);
  const size_t count = table.device_count(adapter);
  CHECK(count > 0 && !table.device_at(adapter, count));
  for (size_t i = 0; i < count; i++) {
    s->device = table.device_at(adapter, i);
    CHECK(s->device != NULL);
    check_device(s);
  }
  table.destroy(adapter);
  printf("%s: %zu devices, %d failures\n", given->name, count, conformance_failures);
  return conformance_failures > 0 ? 1 : 0;
}

int main(int argc, char **argv) {
  subject s = {0};
  if (argc > 3) {
    s.kernel = argv[3];
    if (!read_code(argv[2], &s.code)) {
      printf("%s: cannot be read\n", argv[2]);
      return 2;
    }
  }
  for (size_t i = 0; argc > 1 && i < TN_COUNT(adapters); i++) {
    if (strcmp(argv[1], adapters[i].name) == 0) {
      return check_adapter(adapters[i].query(TN_ADAPTER_VERSION), &s);
    }
  }
  printf("usage: adapter_conformance cpu|mock|cuda|opencl [<code file> <kernel>]\n");
  return 2;
}
