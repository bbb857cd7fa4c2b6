// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device link: units, fat objects and archive members → fat binary → wrapper object.
//
// Archives. A member's device code takes part when the host's linker takes the member. A trial run
// of the host link tells (--trace names the members). SYCL_EXTERNAL functions are functions of the
// host too, under the same name: what the device link still misses is given to a further trial as
// -u, so that members are taken for device symbols by the host linker's own rules, and the final
// link is given the same -u. This ends because each round takes a new member or asks for nothing.
#include "base/file.h"
#include "compile/driver/job_run.h"
#include "compile/pipeline/pipeline.h"
#include "compile/wrap/wrap.h"
#include "image/image.h"

static tn_status link_once(tn_plan *plan, tn_buf *text, tn_diag *diag) {
  const tn_command *command = plan->command;
  const size_t most = plan->units.count + plan->inputs.code.count;
  tn_link_input *inputs = tn_arena_alloc_array(&plan->link_arena, most, sizeof(*inputs));
  if (!inputs) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the device link");
  }
  size_t count = 0;
  for (size_t i = 0; i < plan->units.count; i++) {
    const tn_unit *unit = plan->units.items[i];
    if (unit->lowered[0].size > 0) {
      inputs[count++] = (tn_link_input){tn_buf_bytes(&unit->lowered[0]), unit->name};
    }
  }
  for (size_t i = 0; i < plan->inputs.code.count; i++) {
    const tn_link_code *code = plan->inputs.code.items[i];
    if (tn_str_equals(code->target, tn_str_from(command->targets[0]))) {
      inputs[count++] = (tn_link_input){code->bitcode, code->name};
    }
  }
  tn_buf_clear(&plan->fatbin);
  if (count == 0) {
    return TN_OK;
  }
  const tn_link_params params = {
      .target = command->targets[0],
      .output = plan->link_output,
      .inputs = inputs,
      .input_count = count,
      .opt_level = command->opt_level,
      .debug = command->debug,
  };
  return tn_pipeline_link(&params, &plan->fatbin, text, diag);
}

// The trace of GNU ld is "(archive)member", that of the others "archive(member)", a line each.
static bool trace_parse(tn_str line, tn_str *out_archive, tn_str *out_member) {
  line = tn_str_trim(line);
  const size_t open = tn_str_find_char(line, '(');
  const size_t close = tn_str_rfind_char(line, ')');
  if (open == SIZE_MAX || close == SIZE_MAX || close < open) {
    return false;
  }
  const tn_str inside = tn_str_slice(line, open + 1, close - open - 1);
  if (open == 0) {
    *out_archive = inside;
    *out_member = tn_str_slice(line, close + 1, SIZE_MAX);
  } else {
    *out_archive = tn_str_slice(line, 0, open);
    *out_member = inside;
  }
  return out_archive->size > 0 && out_member->size > 0;
}

static tn_status trace_take(tn_plan *plan, tn_str trace, bool *out_new, tn_diag *diag) {
  tn_str rest = trace;
  while (rest.data) {
    tn_str archive = {0};
    tn_str member = {0};
    bool is_new = false;
    if (trace_parse(tn_str_split(&rest, '\n'), &archive, &member)) {
      TN_TRY(tn_link_inputs_take(&plan->inputs, &plan->link_arena, archive, member, plan->command,
                                 &is_new, diag));
      *out_new = *out_new || is_new;
    }
  }
  return TN_OK;
}

static tn_status wrapper_write(const tn_plan *plan, tn_bytes fatbin, tn_diag *diag) {
  tn_buf object;
  tn_buf_init(&object, TN_DRIVER_BUFFER_MAXIMUM);
  const tn_wrap_params params = {.fatbin = fatbin};
  tn_status status = tn_wrap_emit(&params, &object, diag);
  if (status == TN_OK) {
    status = tn_file_write(plan->wrapper, tn_buf_bytes(&object), diag);
  }
  tn_buf_deinit(&object);
  return status;
}

static tn_status trial_link(tn_plan *plan, tn_job *job, bool *out_new, tn_buf *text,
                            tn_diag *diag) {
  *out_new = false;
  tn_args args;
  tn_args_init(&args, &plan->link_arena);
  tn_args_add_all(&args, &plan->link_args);
  for (size_t i = 0; i < plan->symbols.list.count; i++) {
    tn_args_add_format(&args, "-Wl,-u,%s", tn_args_at(&plan->symbols, i));
  }
  tn_args_add(&args, "-Wl,-t,-t,--unresolved-symbols=ignore-all");
  tn_args_add(&args, "-o");
  tn_args_add_format(&args, "%s/trial", plan->temp_dir);
  if (!tn_args_argv(&args)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the trial link");
  }
  if (plan->command->verbose) {
    tn_args_print(&args, plan->err);
  }
  tn_buf trace;
  tn_buf errors;
  tn_buf_init(&trace, TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf_init(&errors, TN_DRIVER_BUFFER_MAXIMUM);
  const tn_child child = {.output = &trace, .error = &errors};
  int code = 0;
  tn_status status = tn_child_run(plan, job, &args, &child, &code, diag);
  if (status == TN_OK && code != 0) {
    tn_buf_add_str(text, tn_buf_str(&errors));
    status = TN_FAIL(diag, BUILD_FAILED, "'%s' cannot be linked", plan->link_output);
  }
  if (status == TN_OK) {
    status = trace_take(plan, tn_buf_str(&trace), out_new, diag);
  }
  tn_buf_deinit(&trace);
  tn_buf_deinit(&errors);
  return status;
}

static bool is_asked(const tn_plan *plan, tn_str symbol) {
  for (size_t i = 0; i < plan->symbols.list.count; i++) {
    if (tn_str_equals(tn_str_from(tn_args_at(&plan->symbols, i)), symbol)) {
      return true;
    }
  }
  return false;
}

// Adds the imports that no trial has asked for yet; *out_any when there are such.
static tn_status ask_for_imports(tn_plan *plan, bool *out_any, tn_diag *diag) {
  *out_any = false;
  if (plan->fatbin.size == 0) {
    return TN_OK;
  }
  tn_fatbin fatbin;
  TN_TRY(tn_fatbin_parse(tn_buf_bytes(&plan->fatbin), &fatbin, diag));
  for (uint32_t i = 0; i < fatbin.image_count; i++) {
    const tn_image image = tn_fatbin_image_at(&fatbin, i);
    for (uint32_t s = 0; s < tn_image_import_count(&image); s++) {
      const tn_symbol_info import = tn_image_import_at(&image, s);
      if ((import.flags & TN_SYMBOL_WEAK) == 0 && !is_asked(plan, import.name)) {
        // The name is copied: the next link overwrites the fat binary.
        const char *name = tn_arena_str(plan->symbols.arena, import.name);
        tn_args_add(&plan->symbols, name);
        *out_any = true;
      }
    }
  }
  return plan->symbols.failed ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory for device symbols")
                              : TN_OK;
}

static tn_status link_with_archives(tn_plan *plan, tn_job *job, tn_buf *text, tn_diag *diag) {
  bool is_new = false;
  TN_TRY(wrapper_write(plan, (tn_bytes){0}, diag));
  TN_TRY(trial_link(plan, job, &is_new, text, diag));
  for (;;) {
    bool asks = false;
    tn_buf_clear(text);
    TN_TRY(link_once(plan, text, diag));
    TN_TRY(ask_for_imports(plan, &asks, diag));
    if (!asks) {
      return TN_OK;
    }
    TN_TRY(trial_link(plan, job, &is_new, text, diag));
    if (!is_new) {
      return TN_OK;
    }
  }
}

tn_status tn_device_link_run(tn_plan *plan, tn_job *job, tn_buf *text, tn_diag *diag) {
  if (plan->command->target_count != 1) {
    return TN_FAIL(diag, UNSUPPORTED, "this version links for one target at a time");
  }
  if (plan->inputs.archives.count > 0) {
    TN_TRY(link_with_archives(plan, job, text, diag));
  } else {
    TN_TRY(link_once(plan, text, diag));
  }
  return plan->image ? tn_file_write(plan->image, tn_buf_bytes(&plan->fatbin), diag) : TN_OK;
}

tn_status tn_device_link_wrap(tn_plan *plan, tn_diag *diag) {
  return wrapper_write(plan, tn_buf_bytes(&plan->fatbin), diag);
}
