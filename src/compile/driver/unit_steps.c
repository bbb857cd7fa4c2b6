// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Our own steps for one source: lowering its device bitcode, putting it into the host object.
#include "base/file.h"
#include "compile/driver/message_line.h"
#include "compile/driver/plan.h"
#include "compile/pipeline/pipeline.h"
#include "compile/wrap/wrap.h"
#include "image/image.h"

// Targets after the first are told apart by their numbers.
static tn_status keep(const tn_unit *unit, const char *extension, size_t target,
                      const tn_buf *what, tn_diag *diag) {
  if (!unit->temps_stem) {
    return TN_OK;
  }
  tn_buf path;
  tn_buf_init(&path, 1 << 16);
  if (target == 0) {
    tn_buf_add_format(&path, "%s.%s", unit->temps_stem, extension);
  } else {
    tn_buf_add_format(&path, "%s.%zu.%s", unit->temps_stem, target + 1, extension);
  }
  tn_status status = tn_buf_status(&path, diag);
  if (status == TN_OK) {
    status = tn_file_write(tn_buf_text(&path), tn_buf_bytes(what), diag);
  }
  tn_buf_deinit(&path);
  return status;
}

static bool shows_sources(const tn_command *command) {
  bool shows = true;
  for (size_t i = 0; i < command->args.count; i++) {
    const char *text = tn_command_arg_at(command, i)->text;
    const bool is_off = strcmp(text, "-fno-caret-diagnostics") == 0 ||
                        strcmp(text, "-fno-diagnostics-show-caret") == 0;
    const bool is_on = strcmp(text, "-fcaret-diagnostics") == 0;
    shows = is_off ? false : is_on || shows;
  }
  return shows;
}

// -w, -Werror and their kin are for our warnings as well.
static tn_status lower(const tn_plan *plan, const tn_unit_params *params, tn_unit *unit,
                       size_t target, tn_buf *text, tn_diag *diag) {
  tn_buf said;
  tn_buf_init(&said, TN_DRIVER_BUFFER_MAXIMUM);
  tn_status status =
      tn_pipeline_unit(params, &unit->lowered[target], &unit->symbols[target], &said, diag);
  tn_buf applied;
  tn_buf_init(&applied, TN_DRIVER_BUFFER_MAXIMUM);
  const size_t errors = tn_warnings_apply(plan->command, tn_buf_str(&said), &applied);
  if (shows_sources(plan->command)) {
    tn_messages_add_sources(tn_buf_str(&applied), text);
  } else {
    tn_buf_add_str(text, tn_buf_str(&applied));
  }
  tn_buf_deinit(&applied);
  if (status == TN_OK && errors > 0) {
    status = TN_FAIL(diag, BUILD_FAILED, "%s: warnings in device code are errors by -Werror",
                     unit->name);
  }
  tn_buf_deinit(&said);
  return status;
}

tn_status tn_unit_lower(tn_plan *plan, tn_unit *unit, size_t target, tn_buf *text, tn_diag *diag) {
  TN_TRY(keep(unit, "device.bc", target, &unit->bitcode[target], diag));
  if (target == 0 && unit->integration_header) {
    TN_TRY(tn_frontend_read_closures(tn_buf_bytes(&unit->bitcode[0]), unit->name, &unit->arena,
                                     &unit->closures, diag));
  } else if (target == 0 && !plan->runs_inside) {
    TN_TRY(tn_frontend_check_globals(tn_buf_bytes(&unit->bitcode[0]), unit->name, diag));
  }
  const tn_unit_params params = {
      .bitcode = tn_buf_bytes(&unit->bitcode[target]),
      .source = unit->name,
      .recorded_source = unit->recorded_name,
      .unit_id = unit->id,
      .target = &plan->command->targets[target],
      .opt_level = plan->command->opt_level,
      .sub_group_size = plan->command->sub_group_size,
      .remarks = plan->command->remarks,
      .remark_processor = plan->command->processor,
      .debug = plan->command->debug,
      .is_c = unit->language && strcmp(unit->language, "c") == 0,
  };
  TN_TRY(lower(plan, &params, unit, target, text, diag));
  tn_buf_deinit(&unit->bitcode[target]);
  if (target == 0 && unit->integration_header) {
    TN_TRY(tn_unit_header_write(unit, diag));
  }
  return keep(unit, "unit.bc", target, &unit->lowered[target], diag);
}

tn_status tn_unit_embed(tn_plan *plan, tn_unit *unit, tn_diag *diag) {
  tn_buf triple;
  tn_buf_init(&triple, 1 << 10);
  tn_wrap_host_triple(&triple);
  tn_offload_entry entries[TN_COMMAND_TARGETS];
  for (size_t i = 0; i < plan->command->target_count; i++) {
    entries[i] = (tn_offload_entry){
        .triple = tn_buf_str(&triple),
        .arch = tn_str_from(plan->command->targets[i].word),
        .image = tn_buf_bytes(&unit->lowered[i]),
        .symbols = tn_buf_str(&unit->symbols[i]),
        .version = TN_STR_LIT(TN_VERSION),
    };
  }
  tn_buf payload;
  tn_buf fat;
  char *object = NULL;
  size_t size = 0;
  tn_buf_init(&payload, TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf_init(&fat, TN_DRIVER_BUFFER_MAXIMUM);
  tn_status status = tn_offload_write(entries, plan->command->target_count, &payload, diag);
  if (status == TN_OK) {
    status = tn_file_read(unit->host_object, TN_DRIVER_BUFFER_MAXIMUM, &object, &size, diag);
  }
  if (status == TN_OK) {
    status = tn_fat_object_write(tn_bytes_from(object, size), tn_buf_bytes(&payload), &fat, diag);
  }
  if (status == TN_OK) {
    status = tn_file_write(unit->output, tn_buf_bytes(&fat), diag);
  }
  tn_free(object);
  tn_buf_deinit(&fat);
  tn_buf_deinit(&payload);
  tn_buf_deinit(&triple);
  return status;
}
