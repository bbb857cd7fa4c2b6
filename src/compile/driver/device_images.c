// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One device link: the pipeline for each target, images of the user's, then all of it as files.
#include "compile/driver/device_images.h"

#include "base/file.h"
#include "base/log.h"
#include "base/thread.h"
#include "image/image.h"

// Back ends that end in a linker have both kinds of options.
static const char *const *tool_words(const tn_images_params *params, size_t target,
                                     tn_arena *arena) {
  const tn_command *command = params->plan->command;
  tn_args words;
  tn_args_init(&words, arena);
  for (size_t s = TN_STAGE_BACKEND; s < TN_STAGE_COUNT; s++) {
    if (tn_command_stage_is_used(&command->targets[target], (tn_target_stage)s)) {
      tn_args_add_all(&words, &command->words[target][s]);
    }
  }
  return tn_args_argv(&words);
}

static tn_link_params link_params(const tn_images_params *params, size_t target) {
  const tn_plan *plan = params->plan;
  const tn_command *command = plan->command;
  const tn_target *device = &command->targets[target];
  return (tn_link_params){
      .target = device,
      .output = params->output,
      .inputs = params->inputs[target],
      .input_count = params->input_counts[target],
      .opt_level = command->opt_level,
      .debug = command->debug,
      .split = command->split,
      .threads = params->threads,
      .alone = command->no_rdc,
      .allow_imports = command->allow_imports,
      .embed_ir = command->embed_ir,
      .cuda_path = command->cuda_path,
      .temps_stem = params->temps_stem,
      .verbose = command->verbose,
      // What was kept is made without files on the way.
      .cache = plan->has_kept && !params->temps_stem ? tn_kept_links_hooks(&plan->kept) : NULL,
      .compression_level = tn_command_compression(command),
  };
}

// With -fno-sycl-rdc objects that were made without it are linked one by one.
static tn_status link_target(const tn_images_params *params, size_t target, tn_arena *arena,
                             tn_link_result *result, tn_buf *text, tn_diag *diag) {
  tn_link_params link = link_params(params, target);
  link.tool_words = tool_words(params, target, arena);
  if (!link.tool_words) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the device link");
  }
  if (!link.alone) {
    return tn_pipeline_link(&link, result, text, diag);
  }
  link.input_count = 1;
  for (size_t i = 0; i < params->input_counts[target]; i++) {
    link.inputs = params->inputs[target] + i;
    TN_TRY(tn_pipeline_link(&link, result, text, diag));
  }
  return TN_OK;
}

static tn_status write_natives(const tn_images_params *params, const tn_link_result *result,
                               tn_args *natives, tn_diag *diag) {
  for (size_t i = 0; i < result->natives.count; i++) {
    const char *path = tn_arena_format(natives->arena, "%s-%zu.o", params->native_stem, i);
    if (!path) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the device link");
    }
    TN_TRY(tn_file_write(path, tn_buf_bytes(result->natives.items[i]), diag));
    tn_args_add(natives, path);
  }
  return natives->failed ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the device link") : TN_OK;
}

// Code refers to data within 2 GiB of it, the program's own among them.
enum { LARGEST_PLAIN = 1 << 30 };

static tn_status check_size(const char *output, const tn_bytes *parts, size_t count,
                            tn_diag *diag) {
  uint64_t size = 0;
  for (size_t i = 0; i < count; i++) {
    size += parts[i].size;
  }
  return size <= TN_DRIVER_BUFFER_MAXIMUM
             ? TN_OK
             : TN_FAIL(diag, UNSUPPORTED,
                       "%s: its device images have %llu MiB, and a program holds less than 2048: "
                       "put some of the kernels into shared libraries, and do not link with "
                       "--no-offload-compress",
                       output, (unsigned long long)(size >> 20));
}

static tn_status pack_images(const tn_images_params *params, const tn_link_result *result,
                             tn_buf *text, tn_diag *diag) {
  bool was_packed = false;
  if (params->plan->command->no_compress) {
    return TN_OK;
  }
  TN_TRY(tn_pipeline_pack(result, LARGEST_PLAIN, &was_packed, diag));
  if (was_packed && params->plan->command->verbose) {
    tn_buf_add_format(text,
                      "tenon++: %s: its device images have more than %d MiB and are compressed, as "
                      "--offload-compress does\n",
                      params->output, LARGEST_PLAIN >> 20);
  }
  return TN_OK;
}

static tn_status join_images(const tn_images_params *params, const tn_link_result *result,
                             tn_arena *arena, tn_buf *fatbin, tn_diag *diag) {
  const size_t count = result->images.count;
  tn_bytes *parts = tn_arena_alloc_array(arena, count + 1, sizeof(*parts));
  if (!parts) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the device link");
  }
  for (size_t i = 0; i < count; i++) {
    parts[i] = tn_buf_bytes(result->images.items[i]);
  }
  TN_TRY(check_size(params->output, parts, count, diag));
  tn_buf_clear(fatbin);
  return count > 0 ? tn_fatbin_join(parts, count, fatbin, diag) : TN_OK;
}

static tn_status fill_result(const tn_images_params *params, tn_arena *arena,
                             tn_link_result *result, tn_buf *text, tn_diag *diag) {
  const tn_command *command = params->plan->command;
  for (size_t t = 0; t < command->target_count; t++) {
    TN_TRY(link_target(params, t, arena, result, text, diag));
  }
  for (size_t i = 0; i < command->added.count && params->takes_added; i++) {
    TN_TRY(tn_added_image_read(params->plan, command->added.items[i], arena, result, text, diag));
  }
  if (command->verbose) {
    tn_buf_add_format(text, "tenon++: %s: %zu of %zu groups of device code were kept from before\n",
                      params->output, result->cached_count, result->group_count);
  }
  return TN_OK;
}

tn_status tn_device_images_make(const tn_images_params *params, tn_arena *arena, tn_buf *fatbin,
                                tn_args *natives, tn_buf *text, tn_diag *diag) {
  const tn_command *command = params->plan->command;
  const uint64_t began = tn_time_ns();
  tn_link_result result;
  tn_link_result_init(&result);
  tn_status status = fill_result(params, arena, &result, text, diag);
  if (status == TN_OK) {
    status = pack_images(params, &result, text, diag);
  }
  if (status == TN_OK) {
    status = join_images(params, &result, arena, fatbin, diag);
  }
  if (status == TN_OK) {
    status = write_natives(params, &result, natives, diag);
  }
  if (status == TN_OK && command->dump_dir && fatbin->size > 0) {
    status = tn_device_dump(command->dump_dir, params->output, tn_buf_bytes(fatbin), diag);
  }
  TN_LOG(driver, "%s: device link: %zu groups, %zu of them kept from before, %.1f ms",
         params->output, result.group_count, result.cached_count,
         (double)(tn_time_ns() - began) / 1e6);
  tn_link_result_deinit(&result);
  return status;
}
