// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -E with -fsycl: what the passes read, host first, in one text. Caches of compilers take it for
// all that a compilation depends on, and a preprocessed source (.ii) has to hold its device code.
//
// A text without such lines is of one pass, as -fsycl-device-only and -fsycl-host-only write it.
// The text of a device pass begins behind a line
//   #pragma tenon device_text TARGET UNIT [no-rdc]
// with the target as -fsycl-targets= names it, and the unit's id in hexadecimal. The host's text
// names the module of its kernels, which -fno-sycl-rdc decides.
#include <stdlib.h>

#include "base/file.h"
#include "compile/driver/plan_make.h"
#include "compile/pipeline/pipeline.h"

#define MARK "#pragma tenon device_text "
#define NO_RDC " no-rdc"

void tn_plan_keep_order(tn_plan *plan, tn_job *job) {
  for (size_t i = plan->jobs.count; job && i > 0; i--) {
    tn_job *other = plan->jobs.items[i - 1];
    if (other != job && other->kind == job->kind) {
      tn_job_wait_for(plan, job, other);
      return;
    }
  }
}

tn_status tn_plan_write_text(const tn_plan *plan, const char *path, tn_str text, tn_diag *diag) {
  if (strcmp(path, "-") != 0) {
    return tn_file_write(path, tn_bytes_from(text.data, text.size), diag);
  }
  if (fwrite(text.data, 1, text.size, plan->out) != text.size || fflush(plan->out) != 0) {
    return TN_FAIL(diag, IO, "cannot write to standard output");
  }
  return TN_OK;
}

bool tn_plan_joins_texts(const tn_plan *plan, const tn_unit *unit) {
  const tn_command *command = plan->command;
  if (command->action != TN_ACTION_PREPROCESS || !unit->on_device || command->device_only) {
    return false;
  }
  for (size_t i = 0; i < command->args.count; i++) {
    if (strcmp(tn_command_arg_at(command, i)->text, "-dM") == 0) {
      return false;  // macros instead of a text: those of the host
    }
  }
  return true;
}

void tn_plan_take_texts(tn_plan *plan, tn_job *job, size_t first_job) {
  for (size_t i = first_job; i < plan->jobs.count; i++) {
    tn_job *before = plan->jobs.items[i];
    if (before->kind == TN_JOB_PASS) {
      before->keeps_text = true;
      tn_job_wait_for(plan, job, before);
    }
  }
}

void tn_plan_add_text_job(tn_plan *plan, tn_unit *unit, size_t first_job) {
  tn_job *job = tn_job_add(plan, TN_JOB_TEXT, unit);
  if (!job) {
    return;
  }
  tn_job_name_step(job, "preprocessed-text");
  tn_args_add(&job->args, unit->name);
  tn_args_add(&job->args, "-o");
  tn_args_add(&job->args, plan->command->output ? plan->command->output : "-");
  tn_plan_take_texts(plan, job, first_job);
  tn_plan_keep_order(plan, job);
}

static void add_text(tn_buf *out, const tn_buf *text) {
  tn_buf_add_str(out, tn_buf_str(text));
  if (text->size > 0 && text->data[text->size - 1] != '\n') {
    tn_buf_add_char(out, '\n');
  }
}

tn_status tn_unit_text_write(const tn_plan *plan, tn_unit *unit, tn_diag *diag) {
  const tn_command *command = plan->command;
  tn_buf text;
  tn_buf_init(&text, TN_DRIVER_BUFFER_MAXIMUM);
  add_text(&text, &unit->texts[0]);
  for (size_t t = 0; t < command->target_count; t++) {
    tn_buf_add_format(&text, MARK "%s %016llx%s\n", command->targets[t].word,
                      (unsigned long long)unit->id, command->no_rdc ? NO_RDC : "");
    add_text(&text, &unit->texts[t + 1]);
  }
  tn_status status = tn_buf_status(&text, diag);
  if (status == TN_OK) {
    status = tn_plan_write_text(plan, command->output ? command->output : "-", tn_buf_str(&text),
                                diag);
  }
  tn_buf_deinit(&text);
  return status;
}

// A device pass's text in a preprocessed source.
typedef struct device_text {
  tn_str target;
  uint64_t id;
  bool no_rdc;
  tn_str text;
} device_text;

// Where the next mark begins, which is at the start of a line; SIZE_MAX without one.
static size_t find_mark(tn_str text) {
  const tn_str mark = TN_STR_LIT(MARK);
  for (size_t from = 0;;) {
    const size_t at = tn_str_find(tn_str_slice(text, from, SIZE_MAX), mark);
    if (at == SIZE_MAX || from + at == 0 || text.data[from + at - 1] == '\n') {
      return at == SIZE_MAX ? SIZE_MAX : from + at;
    }
    from += at + mark.size;
  }
}

// Cuts the first device text from *rest, which begins with its mark.
static device_text take_text(tn_str *rest) {
  tn_str line = tn_str_split(rest, '\n');
  line = tn_str_slice(line, strlen(MARK), SIZE_MAX);
  device_text found = {.target = tn_str_split(&line, ' ')};
  if (line.data) {
    found.id = strtoull(line.data, NULL, 16);  // the text goes on behind it
    found.no_rdc = tn_str_has_suffix(line, TN_STR_LIT(NO_RDC));
  }
  const size_t size = rest->data ? find_mark(*rest) : 0;
  found.text = tn_str_slice(*rest, 0, size);
  *rest = tn_str_slice(*rest, found.text.size, SIZE_MAX);
  return found;
}

static tn_status keep_text(const tn_plan *plan, const char *path, tn_str text, tn_diag *diag) {
  if (!path) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the plan");
  }
  return plan->command->print_plan
             ? TN_OK
             : tn_file_write(path, tn_bytes_from(text.data, text.size), diag);
}

static tn_status keep_device_text(const tn_plan *plan, tn_unit *unit, size_t target, tn_str text,
                                  tn_diag *diag) {
  const char *path =
      tn_arena_format(plan->arena, "%s/%zu.text%zu.ii", plan->temp_dir, unit->index, target);
  unit->device_sources[target] = path;
  return keep_text(plan, path, text, diag);
}

// From the first mark on.
static tn_status split_device_texts(const tn_plan *plan, tn_unit *unit, tn_str rest,
                                    tn_diag *diag) {
  const tn_command *command = plan->command;
  while (rest.size > 0) {
    const device_text found = take_text(&rest);
    unit->id = found.id;
    if (found.no_rdc != command->no_rdc) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "'%s': preprocessed %s -fno-sycl-rdc; give the option to both commands or to "
                     "none", unit->name, found.no_rdc ? "with" : "without");
    }
    for (size_t t = 0; t < command->target_count; t++) {
      if (!tn_str_equals(found.target, tn_str_from(command->targets[t].word))) {
        continue;
      }
      TN_TRY(keep_device_text(plan, unit, t, found.text, diag));
    }
  }
  for (size_t t = 0; t < command->target_count && unit->on_device; t++) {
    if (!unit->device_sources[t]) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "'%s': no device code for %s in this preprocessed source; preprocess with the "
                     "targets of the compilation",
                     unit->name, command->targets[t].word);
    }
  }
  return TN_OK;
}

static tn_status split_text(const tn_plan *plan, tn_unit *unit, tn_str text, tn_diag *diag) {
  const tn_command *command = plan->command;
  const size_t at = find_mark(text);
  const bool makes_code =
      command->action == TN_ACTION_OBJECT || command->action == TN_ACTION_LINK;
  if (at == SIZE_MAX && command->device_only && command->target_count == 1) {
    return keep_device_text(plan, unit, 0, text, diag);
  }
  if (at == SIZE_MAX) {
    return !unit->on_device || command->device_only || !makes_code || command->emit_llvm
               ? TN_OK
               : TN_FAIL(diag, INVALID_ARGUMENT,
                         "'%s': no device code in this preprocessed source; write it by 'tenon++ "
                         "-fsycl -E', or leave device code out by -fsycl-host-only",
                         unit->name);
  }
  TN_TRY(split_device_texts(plan, unit, tn_str_slice(text, at, SIZE_MAX), diag));
  unit->source = tn_arena_format(plan->arena, "%s/%zu.text.ii", plan->temp_dir, unit->index);
  return keep_text(plan, unit->source, tn_str_slice(text, 0, at), diag);
}

tn_status tn_plan_split_text(const tn_plan *plan, tn_unit *unit, tn_diag *diag) {
  if (strcmp(unit->source, "-") == 0) {
    return TN_OK;  // -### reads no standard input
  }
  char *data = NULL;
  size_t size = 0;
  TN_TRY(tn_file_read(unit->source, TN_DRIVER_BUFFER_MAXIMUM, &data, &size, diag));
  const tn_status status = split_text(plan, unit, (tn_str){data, size}, diag);
  tn_free(data);
  return status;
}

// Host code of kernels refers to the module that has their device code.
tn_status tn_plan_check_host_input(const tn_plan *plan, const tn_unit *unit, tn_diag *diag) {
  const tn_command *command = plan->command;
  const bool makes_code = command->action == TN_ACTION_OBJECT || command->action == TN_ACTION_LINK;
  if (!makes_code || command->host_only || strcmp(unit->source, "-") == 0) {
    return TN_OK;
  }
  char *data = NULL;
  size_t size = 0;
  TN_TRY(tn_file_read(unit->source, TN_DRIVER_BUFFER_MAXIMUM, &data, &size, diag));
  const tn_str text = {data, size};
  const bool is_host = tn_str_find(text, TN_STR_LIT("__tenon_module")) != SIZE_MAX;
  const bool is_bitcode = tn_str_has_prefix(text, TN_STR_LIT("BC\xc0\xde"));
  const bool is_device =
      is_bitcode ? tn_pipeline_is_device_code(tn_bytes_from(text.data, text.size), unit->name)
                 : tn_str_find(text, TN_STR_LIT(" spir_kernel void @")) != SIZE_MAX;
  tn_free(data);
  if (is_device) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "'%s': this is device code, which -fsycl takes from sources and objects; "
                   "compile the source itself", unit->name);
  }
  return !is_host ? TN_OK
                  : TN_FAIL(diag, UNSUPPORTED,
                            "'%s': this code launches kernels and has no device code; compile the "
                            "source itself, or leave device code out by -fsycl-host-only",
                            unit->name);
}
