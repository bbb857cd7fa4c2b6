// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Units: from the compiler, or from SPIR-V.
#include "run/source/source_unit.h"

#include "base/log.h"
#include "image/image.h"

static tn_status out_of_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for what was compiled");
}

static bool copy_names(tn_source_unit *unit, const tn_source_result *result) {
  unit->names = tn_arena_alloc_array(&unit->arena, result->name_count + 1, sizeof(*unit->names));
  bool complete = unit->names != NULL;
  for (size_t i = 0; complete && i < result->name_count; i++) {
    const tn_source_name *from = &result->names[i];
    const char *name = tn_arena_str(&unit->arena, tn_str_from(from->name));
    const char *symbol = tn_arena_str(&unit->arena, tn_str_from(from->symbol));
    complete = name && symbol;
    unit->names[unit->name_count++] = (tn_source_name){.name = name, .symbol = symbol};
  }
  return complete;
}

static bool copy_inputs(tn_source_unit *unit, const tn_source_result *result) {
  unit->inputs = tn_arena_alloc_array(&unit->arena, result->input_count + 1, sizeof(*unit->inputs));
  bool complete = unit->inputs != NULL;
  for (size_t i = 0; complete && i < result->input_count; i++) {
    const char *path = tn_arena_str(&unit->arena, tn_str_from(result->inputs[i].path));
    complete = path != NULL;
    unit->inputs[unit->input_count] = result->inputs[i];
    unit->inputs[unit->input_count++].path = path;
  }
  return complete;
}

static bool copy_misses(tn_source_unit *unit, const tn_source_result *result) {
  unit->misses = tn_arena_alloc_array(&unit->arena, result->miss_count + 1, sizeof(*unit->misses));
  bool complete = unit->misses != NULL;
  for (size_t i = 0; complete && i < result->miss_count; i++) {
    const char *path = tn_arena_str(&unit->arena, tn_str_from(result->misses[i]));
    complete = path != NULL;
    unit->misses[unit->miss_count++] = path;
  }
  return complete;
}

static bool copy_fatbin(tn_source_unit *unit, tn_bytes fatbin) {
  uint8_t *copy = tn_arena_alloc(&unit->arena, fatbin.size);
  if (copy) {
    memcpy(copy, fatbin.data, fatbin.size);
    unit->fatbin = tn_bytes_from(copy, fatbin.size);
  }
  return copy != NULL;
}

static bool copy_log(tn_source_unit *unit, const char *log) {
  const tn_str text = tn_str_from(log ? log : "");
  const char *copy = tn_arena_str(&unit->arena, text);
  unit->log = (tn_str){copy, copy ? text.size : 0};
  return copy != NULL;
}

static void copy_print(tn_source_unit *unit, const tn_source_result *result) {
  unit->has_print = result->has_print == 1;
  memcpy(unit->print, result->print, sizeof(unit->print));
}

// Nothing points into the result afterwards.
static tn_status take_result(tn_source_unit *unit, tn_status status, const tn_source_result *result,
                             tn_diag *diag) {
  if (!copy_log(unit, result->log)) {
    return out_of_memory(diag);
  }
  if (status != TN_OK) {
    return status;
  }
  if (!result->fatbin || result->fatbin_size == 0) {
    return TN_FAIL(diag, INTERNAL, "the compiler gave no device images, and no reason");
  }
  copy_print(unit, result);
  return copy_names(unit, result) && copy_inputs(unit, result) && copy_misses(unit, result) &&
                 copy_fatbin(unit, tn_bytes_from(result->fatbin, result->fatbin_size))
             ? TN_OK
             : out_of_memory(diag);
}

static tn_status get_compiler(const tn_compiler **out, tn_diag *diag) {
  TN_TRY(tn_device_get_compiler(out, diag));
  if (!(*out)->compile_source || !(*out)->free_source_result) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "the compiler library that is installed cannot compile sources at run time: "
                   "install the one that belongs to this runtime");
  }
  return TN_OK;
}

static tn_source_params params_of(const tn_source_job *job) {
  const tn_source *source = job->source;
  return (tn_source_params){
      .struct_size = sizeof(tn_source_params),
      .language = source->language == TN_SOURCE_C        ? TN_LANGUAGE_C
                  : source->language == TN_SOURCE_OPENCL ? TN_LANGUAGE_OPENCL
                                                         : TN_LANGUAGE_SYCL,
      .source = {.name = source->name, .text = source->text.data, .size = source->text.size},
      .includes = source->includes,
      .include_count = source->include_count,
      .options = job->options,
      .option_count = job->option_count,
      .names = job->names,
      .name_count = job->name_count,
      .target = job->target->name,
      .processor = job->target->processor,
      .is_device_processor = job->target->is_own_processor ? 1 : 0,
  };
}

static bool can_prepare(const tn_device *device) {
  return device && TN_ADAPTER_HAS(device->api, program_prepare);
}

static void *prepare(void *arg) {
  const tn_device *device = arg;
  device->api->program_prepare(device->adapter_device);
  return NULL;
}

// The driver's compiler gets ready while ours compiles, the first time. False when there is no such
// thread.
static bool start_preparing(const tn_device *device, tn_thread *out) {
  static const tn_device *_Atomic prepared;  // the last one; for others it is asked again
  if (!can_prepare(device) ||
      atomic_exchange_explicit(&prepared, device, memory_order_relaxed) == device) {
    return false;
  }
  return tn_thread_create(out, "tenon-prepare", prepare, (void *)(uintptr_t)device, NULL) == TN_OK;
}

static tn_status run_compiler(const tn_source_job *job, tn_source_unit *unit, tn_diag *diag) {
  const tn_compiler *compiler = NULL;
  TN_TRY(get_compiler(&compiler, diag));
  const tn_source_params params = params_of(job);
  tn_source_result result = {.struct_size = sizeof(result)};
  TN_LOG(program, "%s for %s: compiling, %zu options, %zu names", job->source->name,
         job->target->text, job->option_count, job->name_count);
  tn_status status = compiler->compile_source(&params, &result, diag);
  status = take_result(unit, status, &result, diag);
  compiler->free_source_result(&result);
  return status;
}

static tn_status compile(const tn_source_job *job, tn_source_unit *unit, tn_diag *diag) {
  tn_thread preparing;
  const bool is_preparing = start_preparing(job->target->device, &preparing);
  const tn_status status = run_compiler(job, unit, diag);
  if (is_preparing) {
    tn_thread_join(preparing);
  }
  return status;
}

bool tn_source_unit_identify(const tn_source_job *job, tn_source_unit *unit) {
  const tn_compiler *compiler = NULL;
  if (get_compiler(&compiler, NULL) != TN_OK || !compiler->identify_source) {
    return false;
  }
  const tn_source_params params = params_of(job);
  tn_source_result result = {.struct_size = sizeof(result)};
  const tn_status status = compiler->identify_source(&params, &result, NULL);
  const bool is_known = status == TN_OK && result.has_print == 1 && copy_inputs(unit, &result) &&
                        copy_misses(unit, &result);
  copy_print(unit, &result);
  unit->has_print = is_known;
  compiler->free_source_result(&result);
  return is_known;
}

static tn_status read_spirv(const tn_source_job *job, tn_source_unit *unit, tn_diag *diag) {
  const tn_bytes module = tn_bytes_from(job->source->text.data, job->source->text.size);
  if (!tn_spirv_is_module(module)) {
    return TN_FAIL(diag, BUILD_FAILED, "%s: its %zu bytes are no SPIR-V module", job->source->name,
                   module.size);
  }
  tn_buf fatbin;
  tn_buf_init(&fatbin, (size_t)1 << 30);
  tn_status status = tn_spirv_write_fatbin(module, &fatbin, diag);
  if (status == TN_OK && !copy_fatbin(unit, tn_buf_bytes(&fatbin))) {
    status = out_of_memory(diag);
  }
  tn_buf_deinit(&fatbin);
  return status == TN_BAD_IMAGE ? tn_diag_set(diag, TN_BUILD_FAILED, 0, __FILE__, __LINE__, "%s",
                                              "the SPIR-V module is damaged")
                                : status;
}

tn_status tn_source_unit_compile(const tn_source_job *job, tn_source_unit *unit, tn_diag *diag) {
  unit->log = TN_STR_LIT("");
  return job->source->language == TN_SOURCE_SPIRV ? read_spirv(job, unit, diag)
                                                  : compile(job, unit, diag);
}
