// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of program share: two adapters that can be looked into, a compiler that is none,
// and a folder for libraries.
#ifndef TN_TEST_PROGRAM_WORLD_H
#define TN_TEST_PROGRAM_WORLD_H

#include <stdlib.h>

#include "run/device/device.h"
#include "unit/device/double_adapter.h"
#include "unit/program/made_library.h"

static tn_adapter_device world_mock_devices[] = {
    {"Mock 0", "mock", TN_DEVICE_TYPE_GPU},
    {"Mock 1", "mock", TN_DEVICE_TYPE_GPU},
#ifdef WORLD_HAS_SPIRV
    {"Mock 2", "spirv64", TN_DEVICE_TYPE_GPU},
#endif
};
static tn_adapter world_mock = {world_mock_devices, TN_COUNT(world_mock_devices)};

static tn_status world_create_mock(const tn_adapter_host *host, tn_adapter **out, tn_diag *diag) {
  (void)host;
  (void)diag;
  *out = &world_mock;
  return TN_OK;
}
const tn_adapter_api *tn_mock_adapter_query(uint32_t max_version) {
  static const tn_adapter_api api = DOUBLE_ADAPTER("mock", world_create_mock);
  return max_version >= api.version ? &api : NULL;
}

static tn_adapter_device world_cpu_devices[] = {{"Double CPU", "native_cpu", TN_DEVICE_TYPE_CPU}};
static tn_adapter world_cpu = {world_cpu_devices, 1};

static tn_status world_create_cpu(const tn_adapter_host *host, tn_adapter **out, tn_diag *diag) {
  (void)host;
  (void)diag;
  *out = &world_cpu;
  return TN_OK;
}
const tn_adapter_api *tn_cpu_adapter_query(uint32_t max_version) {
  static const tn_adapter_api api = DOUBLE_ADAPTER("cpu", world_create_cpu);
  return max_version >= api.version ? &api : NULL;
}

// The compiler: the object it makes of bitcode is the first image's code, or all of them with
// spaces between, and it notes what it was asked to take from which image.
static _Atomic bool world_keeps_all;
static _Atomic int world_builds;
static tn_mutex world_mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static char world_asked[2048];  // "file:symbol,symbol;file:…" of the last build

// "kernel:name=bytes,name=bytes": what specialization constants were given.
static char world_specs[2048];

static inline void world_note_specs(const tn_build_params *params) {
  tn_buf text;
  tn_buf_init(&text, sizeof(world_specs) - 1);
  tn_buf_add_format(&text, "%s:", params->kernel ? params->kernel : "");
  for (size_t i = 0; i < params->spec_count; i++) {
    const tn_build_spec *spec = &params->specs[i];
    tn_buf_add_format(&text, "%s%s=", i > 0 ? "," : "", spec->name);
    for (size_t b = 0; b < spec->size; b++) {
      tn_buf_add_format(&text, "%02x", ((const uint8_t *)spec->value)[b]);
    }
  }
  tn_mutex_lock(&world_mu);
  (void)snprintf(world_specs, sizeof(world_specs), "%s", tn_buf_text(&text));
  tn_mutex_unlock(&world_mu);
  tn_buf_deinit(&text);
}

static inline tn_status world_build(const tn_build_params *params, void **out_object,
                                    size_t *out_size, tn_diag *diag) {
  tn_buf asked;
  tn_buf object;
  tn_buf_init(&asked, sizeof(world_asked) - 1);
  tn_buf_init(&object, 1u << 16);
  world_builds++;
  world_note_specs(params);
  for (size_t i = 0; i < params->image_count; i++) {
    const tn_build_image *image = &params->images[i];
    const tn_str name = tn_path_base(tn_str_from(image->name));
    tn_buf_add_format(&asked, "%s%.*s:", i > 0 ? ";" : "", TN_STR_ARG(name));
    for (size_t t = 0; t < image->take_count; t++) {
      tn_buf_add_format(&asked, "%s%s", t > 0 ? "," : "", image->take[t]);
    }
    if (!image->take) {
      tn_buf_add_text(&asked, "all");
    }
    if (i == 0 || world_keeps_all) {
      tn_buf_add_text(&object, i > 0 ? " " : "");
      tn_buf_add(&object, image->code, image->size);
    }
  }
  tn_mutex_lock(&world_mu);
  (void)snprintf(world_asked, sizeof(world_asked), "%s", tn_buf_text(&asked));
  tn_mutex_unlock(&world_mu);
  tn_buf_deinit(&asked);
  tn_status status = tn_buf_status(&object, diag);
  if (status == TN_OK && tn_fault_hit()) {
    status = TN_FAIL(diag, BUILD_FAILED, "the compiler was told to fail");
  }
  if (status != TN_OK) {
    tn_buf_deinit(&object);
    return status;
  }
  *out_object = object.data;  // from tn_realloc, as free_object expects
  *out_size = object.size;
  return TN_OK;
}

static inline const tn_compiler *world_compiler_query(uint32_t max_version) {
  static const tn_compiler table = {.size = sizeof(table), .version = TN_COMPILER_VERSION,
                                    .build = world_build, .free_object = tn_free,
#ifdef WORLD_COMPILES_SOURCES
                                    .compile_source = world_compile_source,
                                    .identify_source = world_identify_source,
                                    .free_source_result = world_free_source_result,
#endif
  };
  return max_version >= TN_COMPILER_VERSION ? &table : NULL;
}

static char *world_folder;

// A compiler library whose one symbol is this program's function.
static inline int world_begin_with_compiler(void **state) {
  (void)state;
  const char *path = getenv("TENON_COMPILER_LIBRARY");
  made_library library;
  static char folder[256];
  (void)snprintf(folder, sizeof(folder), "%.*s",
                 TN_STR_ARG(tn_path_dir(tn_str_from(path))));
  made_write_absolute(&library, folder, "compiler.so", TN_COMPILER_QUERY,
                      (uintptr_t)world_compiler_query);
  // What lives as long as the process is there before anything is counted.
  size_t count = 0;
  const tn_compiler *compiler = NULL;
  tn_diag diag = {0};
  if (tn_device_count(&count, &diag) != TN_OK ||
      tn_device_get_compiler(&compiler, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  return tn_temp_dir_create("program-test", &world_folder, NULL) == TN_OK ? 0 : -1;
}
static inline int world_end_with_compiler(void **state) {
  (void)state;
  char *folder = tn_str_copy(tn_path_dir(tn_str_from(getenv("TENON_COMPILER_LIBRARY"))));
  tn_temp_dir_remove(folder);
  tn_temp_dir_remove(world_folder);
  return 0;
}
// Before the configuration is read.
static inline void world_set_compiler(void) {
  static char path[] = "/tmp/program-compiler-XXXXXX/compiler.so";
  char *slash = strrchr(path, '/');
  *slash = '\0';
  if (mkdtemp(path)) {
    *slash = '/';
    (void)setenv("TENON_COMPILER_LIBRARY", path, 1);
    (void)setenv("TENON_CACHE", "0", 1);
  }
}

static inline int world_begin(void **state) {
  (void)state;
  return tn_temp_dir_create("program-test", &world_folder, NULL) == TN_OK ? 0 : -1;
}
static inline int world_end(void **state) {
  (void)state;
  tn_temp_dir_remove(world_folder);
  return 0;
}
static inline void world_environment(void) {
  (void)setenv("TENON_MOCK", "1", 1);
  (void)setenv("TENON_CACHE", "0", 1);
  (void)unsetenv("ONEAPI_DEVICE_SELECTOR");
}

static inline tn_device *world_cpu_device(void) { return tn_device_at(0); }
static inline tn_device *world_device(size_t index) { return tn_device_at(1 + index); }

#endif
