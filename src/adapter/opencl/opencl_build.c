// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules become a program of the driver: one is built, several are compiled and linked.
#include "adapter/opencl/opencl_code.h"
#include "base/alloc.h"
#include "base/log.h"
#include "base/map.h"
#include "image/image.h"

#include <string.h>

enum { SHOWN_LOG = 560, LOG_MAXIMUM = 1 << 20 };

// Some drivers report each of their steps first: from the first line on that says what went wrong.
static tn_str find_reason(tn_str log) {
  static const char *const words[] = {"rror", "xception", "ndefined", "nresolved", "ot found"};
  tn_str rest = log;
  for (tn_str line = tn_str_split(&rest, '\n'); line.data; line = tn_str_split(&rest, '\n')) {
    for (size_t i = 0; i < TN_COUNT(words); i++) {
      if (memmem(line.data, line.size, words[i], strlen(words[i]))) {
        return tn_str_trim(tn_str_slice(log, (size_t)(line.data - log.data), SIZE_MAX));
      }
    }
  }
  return log;
}

// Logs of builds that succeed are chatter of some drivers.
static tn_status fail_build(tn_adapter_device *device, tn_cl_program program, tn_cl_int result,
                            const char *what, tn_diag *diag) {
  size_t size = 0;
  char *text = NULL;
  tn_str shown = {0};
  if (program &&
      device->driver->program_build_info(program, device->handle, TN_CL_PROGRAM_BUILD_LOG, 0, NULL,
                                         &size) == TN_CL_SUCCESS &&
      size > 0 && size < LOG_MAXIMUM && (text = tn_alloc(size + 1)) != NULL &&
      device->driver->program_build_info(program, device->handle, TN_CL_PROGRAM_BUILD_LOG, size,
                                         text, NULL) == TN_CL_SUCCESS) {
    shown = find_reason(tn_str_trim(tn_str_from(text)));
    TN_LOG(adapter, "%s: the driver's log of %s: %s", device->name, what, text);
  }
  tn_diag reason = {0};
  TN_IGNORE(tn_opencl_fail(result, what, &reason), "quoted");
  const tn_status status = TN_FAIL_NATIVE(
      diag, BUILD_FAILED, result, "device %s: %s%s%.*s", device->name, reason.text,
      shown.size > 0 ? ": " : "; the driver wrote no log",
      (int)(shown.size < SHOWN_LOG ? shown.size : SHOWN_LOG), shown.size > 0 ? shown.data : "");
  tn_free(text);
  return result == TN_CL_OUT_OF_HOST_MEMORY
             ? TN_FAIL(diag, OUT_OF_MEMORY, "device %s: no memory to build a program", device->name)
             : status;
}

static tn_status create_from_il(tn_adapter_device *device, const tn_adapter_code *module,
                                tn_bytes values, tn_cl_program *out, tn_diag *diag) {
  tn_cl_int result = TN_CL_SUCCESS;
  *out = device->driver->program_from_il(device->context, module->code, module->size, &result);
  if (!*out) {
    return fail_build(device, NULL, result, module->name[0] != '\0' ? module->name : "SPIR-V",
                      diag);
  }
  const tn_bytes code = tn_bytes_from(module->code, module->size);
  const bool has_asserts = device->has_spec_constants && tn_opencl_spirv_has_asserts(code);
  if (values.size > 0 || has_asserts) {
    const void *asserts = has_asserts ? tn_opencl_assert_memory(device) : NULL;
    result = tn_opencl_spirv_set_specs(device->driver, *out, code, values, asserts);
  }
  return result == TN_CL_SUCCESS
             ? TN_OK
             : fail_build(device, NULL, result, "specialization constants", diag);
}

static tn_status build_one(tn_adapter_device *device, tn_cl_program program, tn_diag *diag) {
  const tn_cl_int result =
      device->driver->program_build(program, 1, &device->handle, "", NULL, NULL);
  return result == TN_CL_SUCCESS ? TN_OK
                                 : fail_build(device, program, result, "clBuildProgram", diag);
}

// "x, y": drivers do not name all that they cannot resolve.
static void name_imports(const tn_adapter_code *modules, size_t count, tn_diag *diag) {
  tn_arena arena;
  tn_map exports;
  tn_buf names;
  tn_arena_init(&arena);
  tn_map_init(&exports);
  tn_buf_init(&names, SHOWN_LOG / 2);
  tn_spirv_module *read = tn_arena_alloc_array(&arena, count, sizeof(*read));
  bool has_memory = read != NULL;
  for (size_t i = 0; has_memory && i < count; i++) {
    if (tn_spirv_read(tn_bytes_from(modules[i].code, modules[i].size), &arena, &read[i], NULL) !=
        TN_OK) {
      read[i] = (tn_spirv_module){0};
    }
    for (size_t k = 0; k < read[i].export_count; k++) {
      has_memory = has_memory && tn_map_set(&exports, read[i].exports[k].name, &read[i]);
    }
  }
  for (size_t i = 0; has_memory && i < count; i++) {
    for (size_t k = 0; k < read[i].import_count; k++) {
      const tn_str name = read[i].imports[k].name;
      if (!tn_map_find(&exports, name)) {
        tn_buf_add_format(&names, "%s%.*s", names.size > 0 ? ", " : "", TN_STR_ARG(name));
      }
    }
  }
  if (names.size > 0) {
    tn_diag_prepend(diag, "unresolved: %s", tn_buf_text(&names));
  }
  tn_buf_deinit(&names);
  tn_map_deinit(&exports);
  tn_arena_deinit(&arena);
}

static tn_status link_all(tn_adapter_device *device, const tn_cl_program *programs, size_t count,
                          tn_cl_program *out, tn_diag *diag) {
  const tn_cl_driver *driver = device->driver;
  tn_cl_int result = TN_CL_SUCCESS;
  *out = driver->program_link(device->context, 1, &device->handle, "", (tn_cl_uint)count, programs,
                              NULL, NULL, &result);
  if (*out && result == TN_CL_SUCCESS) {
    return TN_OK;
  }
  const tn_status status = fail_build(device, *out, result, "clLinkProgram", diag);
  if (*out) {
    (void)driver->program_release(*out);
    *out = NULL;
  }
  return status;
}

static tn_status compile_and_link(tn_adapter_device *device, const tn_adapter_code *modules,
                                  tn_cl_program *programs, size_t count, tn_cl_program *out,
                                  tn_diag *diag) {
  for (size_t i = 0; i < count; i++) {
    const tn_cl_int result = device->driver->program_compile(programs[i], 1, &device->handle, "", 0,
                                                             NULL, NULL, NULL, NULL);
    if (result != TN_CL_SUCCESS) {
      return fail_build(device, programs[i], result, modules[i].name, diag);
    }
  }
  return link_all(device, programs, count, out, diag);
}

tn_status tn_opencl_build_native(tn_adapter_device *device, tn_cl_program program, tn_diag *diag) {
  return build_one(device, program, diag);
}

tn_status tn_opencl_link_native(tn_adapter_device *device, tn_cl_program program,
                                tn_cl_program *out, tn_diag *diag) {
  return link_all(device, &program, 1, out, diag);
}

static tn_bytes values_of(const tn_opencl_values *values, size_t module_index) {
  while (values && values->module_index != module_index) {
    values = values->next;
  }
  return values ? values->values : (tn_bytes){0};
}

tn_status tn_opencl_build(tn_adapter_device *device, const tn_adapter_code *modules, size_t count,
                          const tn_opencl_values *values, tn_cl_program *out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(tn_opencl_start(device, diag));
  tn_cl_program *programs = tn_alloc_array(count, sizeof(*programs));
  if (!programs) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link %zu SPIR-V modules", count);
  }
  memset(programs, 0, count * sizeof(*programs));
  tn_status status = TN_OK;
  for (size_t i = 0; i < count && status == TN_OK; i++) {
    status = create_from_il(device, &modules[i], values_of(values, i), &programs[i], diag);
  }
  if (status == TN_OK && count == 1) {
    status = build_one(device, programs[0], diag);
    *out = status == TN_OK ? programs[0] : NULL;
    programs[0] = status == TN_OK ? NULL : programs[0];
  } else if (status == TN_OK) {
    status = compile_and_link(device, modules, programs, count, out, diag);
  }
  if (status == TN_BUILD_FAILED) {
    name_imports(modules, count, diag);
  }
  for (size_t i = 0; i < count; i++) {
    if (programs[i]) {
      (void)device->driver->program_release(programs[i]);
    }
  }
  tn_free(programs);
  return status;
}

tn_status tn_opencl_build_binary(tn_adapter_device *device, tn_bytes binary, tn_cl_program *out,
                                 tn_diag *diag) {
  const tn_cl_driver *driver = device->driver;
  const unsigned char *bytes = binary.data;
  const size_t size = binary.size;
  tn_cl_int taken = TN_CL_SUCCESS;
  tn_cl_int result = TN_CL_SUCCESS;
  TN_TRY(tn_opencl_start(device, diag));
  tn_cl_program program = driver->program_from_binary(device->context, 1, &device->handle, &size,
                                                      &bytes, &taken, &result);
  if (!program) {
    return fail_build(device, NULL, result, "clCreateProgramWithBinary", diag);
  }
  const tn_status status = build_one(device, program, diag);
  if (status != TN_OK) {
    (void)driver->program_release(program);
    return status;
  }
  *out = program;
  return TN_OK;
}

static tn_status write_binary(tn_adapter_device *device, tn_cl_program program, tn_buf *out,
                              tn_diag *diag) {
  size_t size = 0;
  tn_cl_int result =
      device->driver->program_info(program, TN_CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL);
  if (result != TN_CL_SUCCESS || size == 0) {
    return TN_UNSUPPORTED;  // the modules are kept instead
  }
  unsigned char *binary = tn_alloc(size);
  if (!binary) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu bytes of linked code", size);
  }
  result =
      device->driver->program_info(program, TN_CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL);
  if (result == TN_CL_SUCCESS) {
    tn_opencl_code_write_binary(tn_bytes_from(binary, size), out);
  }
  tn_free(binary);
  return result == TN_CL_SUCCESS ? TN_OK : TN_UNSUPPORTED;
}

// The driver's binary does not say what arguments kernels of others have.
static bool have_own_arguments(const tn_adapter_code *pieces, size_t count) {
  bool has = false;
  tn_arena arena;
  tn_arena_init(&arena);
  for (size_t i = 0; i < count && !has; i++) {
    has = tn_opencl_arguments_read(tn_bytes_from(pieces[i].code, pieces[i].size), &arena) != NULL;
  }
  tn_arena_deinit(&arena);
  return has;
}

static bool have_specs(const tn_adapter_code *pieces, size_t count) {
  bool has = false;
  for (size_t i = 0; i < count && !has; i++) {
    has = tn_opencl_spirv_has_specs(tn_bytes_from(pieces[i].code, pieces[i].size));
  }
  return has;
}

tn_status tn_opencl_program_link(tn_adapter_device *device, const tn_adapter_code *pieces,
                                 size_t count, uint32_t group_shape, void **out,
                                 size_t *out_size, tn_diag *diag) {
  tn_buf code;
  (void)group_shape;  // 0: the adapter has no group_shape slot
  *out = NULL;
  tn_buf_init(&code, SIZE_MAX / 2);
  tn_status status = TN_UNSUPPORTED;
  if (!have_specs(pieces, count) && !have_own_arguments(pieces, count)) {
    tn_cl_program program = NULL;
    status = tn_opencl_build(device, pieces, count, NULL, &program, diag);
    if (status == TN_OK) {
      status = write_binary(device, program, &code, diag);
      (void)device->driver->program_release(program);
    }
  }
  if (status == TN_UNSUPPORTED) {
    tn_opencl_code_write_modules(pieces, count, &code);
    status = TN_OK;
  }
  status = status == TN_OK ? tn_buf_status(&code, diag) : status;
  if (status != TN_OK) {
    tn_buf_deinit(&code);
    return status;
  }
  *out = code.data;
  *out_size = code.size;
  return TN_OK;
}

void tn_opencl_code_free(void *code) { tn_free(code); }
