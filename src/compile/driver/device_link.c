// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device link of a program: units, fat objects and archive members → fat binary → wrapper
// object.
#include "base/file.h"
#include "base/map.h"
#include "base/thread.h"
#include "compile/driver/device_images.h"
#include "compile/wrap/wrap.h"

tn_status tn_device_link_gather(tn_plan *plan, size_t target, tn_link_input **out,
                                size_t *out_count, tn_diag *diag) {
  const tn_str word = tn_str_from(plan->command->targets[target].word);
  const size_t most = plan->units.count + plan->inputs.code.count;
  tn_link_input *inputs = tn_arena_alloc_array(&plan->link_arena, most + 1, sizeof(*inputs));
  *out = inputs;
  *out_count = 0;
  if (!inputs) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the device link");
  }
  for (size_t i = 0; i < plan->units.count; i++) {
    const tn_unit *unit = plan->units.items[i];
    if (unit->on_device && unit->lowered[target].size > 0 && !unit->module_symbol) {
      inputs[(*out_count)++] = (tn_link_input){tn_buf_bytes(&unit->lowered[target]),
                                               tn_buf_str(&unit->symbols[target]), unit->name};
    }
  }
  for (size_t i = 0; i < plan->inputs.code.count; i++) {
    const tn_link_code *code = plan->inputs.code.items[i];
    if (tn_str_equals(code->target, word)) {
      inputs[(*out_count)++] = (tn_link_input){code->bitcode, code->symbols, code->name};
    }
  }
  return TN_OK;
}

static uint32_t link_threads(const tn_command *command) {
  const uint64_t wanted = command->link_jobs > 0 ? command->link_jobs : command->jobs;
  return (uint32_t)(wanted > 0 ? wanted : tn_thread_core_count());
}

// The names of what has code for the target, in *out.
static bool note_names(const tn_plan *plan, const tn_target *target, tn_map *out) {
  bool has_memory = true;
  for (size_t i = 0; i < plan->inputs.code.count && has_memory; i++) {
    tn_link_code *code = plan->inputs.code.items[i];
    has_memory = !tn_str_equals(code->target, tn_str_from(target->word)) ||
                 tn_map_set(out, tn_str_from(code->name), code);
  }
  return has_memory;
}

// Objects of before, and of other compilers, may have no code for a target that nobody named.
static tn_status find_left_out(const tn_plan *plan, const tn_target *target, bool *out,
                               tn_diag *diag) {
  *out = false;
  if (!target->is_implied) {
    return TN_OK;
  }
  tn_map named;
  tn_map_init(&named);
  const bool has_memory = note_names(plan, target, &named);
  for (size_t i = 0; i < plan->inputs.code.count && !*out; i++) {
    const tn_link_code *code = plan->inputs.code.items[i];
    *out = !tn_map_find(&named, tn_str_from(code->name));
  }
  tn_map_deinit(&named);
  return has_memory ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link device code");
}

static tn_status make_images(tn_plan *plan, tn_buf *text, tn_diag *diag) {
  const tn_command *command = plan->command;
  tn_images_params params = {
      .plan = plan,
      .output = plan->link_output,
      .threads = link_threads(command),
      .takes_added = true,
      .native_stem = command->save_temps != TN_SAVE_TEMPS_NONE
                         ? tn_arena_format(&plan->link_arena, "%s.native", plan->image)
                         : tn_arena_format(&plan->link_arena, "%s/native", plan->temp_dir),
      .temps_stem = command->save_temps != TN_SAVE_TEMPS_NONE ? plan->image : NULL,
  };
  for (size_t t = 0; t < command->target_count; t++) {
    tn_link_input *inputs = NULL;
    TN_TRY(tn_device_link_gather(plan, t, &inputs, &params.input_counts[t], diag));
    bool is_left_out = false;
    TN_TRY(find_left_out(plan, &command->targets[t], &is_left_out, diag));
    params.inputs[t] = inputs;
    params.input_counts[t] = is_left_out ? 0 : params.input_counts[t];
  }
  return tn_device_images_make(&params, &plan->link_arena, &plan->fatbin, &plan->natives, text,
                               diag);
}

static tn_status run_link(tn_plan *plan, tn_job *job, tn_buf *text, tn_diag *diag) {
  TN_TRY(tn_link_inputs_lower(&plan->inputs, text, diag));
  if (plan->inputs.archives.count > 0) {
    TN_TRY(tn_members_take(plan, job, text, diag));
  }
  return make_images(plan, text, diag);
}

tn_status tn_device_link_run(tn_plan *plan, tn_job *job, tn_buf *text, tn_diag *diag) {
  const tn_status status = run_link(plan, job, text, diag);
  tn_link_inputs_say(&plan->inputs, text);
  if (status != TN_OK) {
    tn_link_inputs_say_versions(&plan->inputs, text);
    return status;
  }
  if (plan->fatbin.size == 0 && plan->command->link_kind != TN_LINK_PROGRAM) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "'%s' is not written: nothing in the inputs becomes an image for the targets of "
                   "this link",
                   plan->link_output);
  }
  return plan->image && plan->fatbin.size > 0
             ? tn_file_write(plan->image, tn_buf_bytes(&plan->fatbin), diag)
             : TN_OK;
}

// `made` is how the object was made; frees it.
static tn_status write_object(const char *path, tn_status made, tn_buf *object, tn_diag *diag) {
  const tn_status status = made == TN_OK ? tn_file_write(path, tn_buf_bytes(object), diag) : made;
  tn_buf_deinit(object);
  return status;
}

tn_status tn_wrapper_write(const char *path, tn_bytes fatbin, const char *module_symbol,
                           tn_diag *diag) {
  tn_buf object;
  tn_buf_init(&object, TN_DRIVER_BUFFER_MAXIMUM);
  const tn_wrap_params params = {.fatbin = fatbin, .module_symbol = module_symbol};
  return write_object(path, tn_wrap_emit(&params, &object, diag), &object, diag);
}

tn_status tn_nulls_write(const char *path, const tn_list *symbols, tn_diag *diag) {
  tn_buf object;
  tn_buf_init(&object, TN_DRIVER_BUFFER_MAXIMUM);
  return write_object(path, tn_wrap_emit_nulls(symbols, &object, diag), &object, diag);
}

tn_status tn_device_link_wrap(tn_plan *plan, tn_diag *diag) {
  return tn_wrapper_write(plan->wrapper, tn_buf_bytes(&plan->fatbin), NULL, diag);
}
