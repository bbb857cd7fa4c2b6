// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The user's precompiled headers: the passes' parts become one file, and each pass over a source
// gets its part back in place of that file.
#include "compile/driver/user_header.h"

#include "base/file.h"
#include "compile/driver/header_file.h"
#include "compile/driver/plan_make.h"

enum { HEADER_MAXIMUM = 0x7fffffff };
_Static_assert((int)TN_COMMAND_TARGETS < (int)TN_HEADER_PARTS,
               "each target and the host have a part");

void tn_user_header_init(tn_user_header *header, const tn_plan *plan, const tn_job *job,
                         tn_buf *log) {
  *header = (tn_user_header){.plan = plan, .job = job, .log = log};
}

void tn_user_header_deinit(tn_user_header *header) { tn_free(header->data); }

// "host, spirv64 and native_cpu"
static void add_targets(const tn_header_file *file, tn_buf *out) {
  for (size_t i = 0; i < file->part_count; i++) {
    const tn_str target = file->parts[i].target;
    tn_buf_add_text(out, i == 0 ? "" : i + 1 < file->part_count ? ", " : " and ");
    tn_buf_add_str(out, target.size > 0 ? target : TN_STR_LIT("the host"));
  }
}

static tn_status find_part(const tn_user_header *header, const tn_header_file *file,
                           const char *path, tn_bytes *out, tn_diag *diag) {
  const tn_job *job = header->job;
  const char *target = job->is_device ? header->plan->command->targets[job->target].word : "";
  for (size_t i = 0; i < file->part_count; i++) {
    if (tn_str_equals(file->parts[i].target, tn_str_from(target))) {
      *out = file->parts[i].header;
      return TN_OK;
    }
  }
  tn_buf targets;
  tn_buf_init(&targets, 1 << 12);
  add_targets(file, &targets);
  const tn_status status = TN_FAIL(
      diag, BAD_IMAGE, "'%s' was made for %s, not for %s; precompile the header for all targets",
      path, tn_buf_text(&targets), job->is_device ? target : "the host");
  tn_buf_deinit(&targets);
  return status;
}

static tn_status find(tn_user_header *header, const char *path, tn_bytes *out, tn_diag *diag) {
  const tn_plan *plan = header->plan;
  if (header->job->unit->is_header && !tn_command_has_option(plan->command, "-include-pch")) {
    return TN_OK;  // an -include beside which an older file of this kind lies
  }
  if (header->job->unit->is_header) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "'%s': with -fsycl a header is not precompiled on top of another; leave out the "
                   "-include or -include-pch",
                   path);
  }
  size_t size = 0;
  tn_free(header->data);  // of a run of the front end before this one
  TN_TRY(tn_file_read_regular(path, HEADER_MAXIMUM, &header->data, &size, diag));
  uint8_t toolchain[TN_STORE_KEY_SIZE];
  tn_toolchain_identify(toolchain);
  tn_header_file file;
  TN_TRY(tn_header_file_read(tn_bytes_from(header->data, size), path, toolchain, &file, diag));
  TN_TRY(find_part(header, &file, path, out, diag));
  if (!header->job->is_device && file.is_no_rdc != plan->command->no_rdc) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "'%s' was made %s -fno-sycl-rdc; precompile the header %s -fno-sycl-rdc", path,
                   file.is_no_rdc ? "with" : "without", file.is_no_rdc ? "without" : "with");
  }
  header->unit_id = file.unit_id;
  header->is_found = true;
  return TN_OK;
}

bool tn_user_header_find(void *user, const char *path, tn_bytes *out) {
  tn_user_header *header = user;
  tn_diag diag;
  if (find(header, path, out, &diag) == TN_OK) {
    return true;
  }
  tn_buf_add_format(header->log, "tenon++: error: %s\n", diag.text);
  return false;
}

static const char *if_ours(const char *path) {
  char head[32];
  const size_t size = path ? tn_file_read_head(path, head, sizeof(head)) : 0;
  return tn_header_file_is(tn_bytes_from(head, size)) ? path : NULL;
}

const char *tn_user_header_in(const tn_args *words, tn_arena *arena) {
  const char *found = NULL;
  const char *option = "";
  for (size_t i = 1; i < words->list.count && !found; i++) {
    const char *word = tn_args_at(words, i);
    if (strcmp(word, "-Xclang") == 0) {
      continue;
    }
    if (strcmp(option, "-include-pch") == 0) {
      found = if_ours(word);
    } else if (strcmp(option, "-include") == 0) {
      found = if_ours(tn_arena_format(arena, "%s.pch", word));
      found = found ? found : if_ours(tn_arena_format(arena, "%s.gch", word));
    }
    option = word;
  }
  return found;
}

void tn_plan_add_header_job(tn_plan *plan, tn_unit *unit, size_t first_job) {
  const tn_command *command = plan->command;
  tn_job *job = tn_job_add(plan, TN_JOB_HEADER, unit);
  if (!job) {
    return;
  }
  tn_job_name_step(job, "precompiled-header");
  if (!command->device_only) {
    tn_args_add(&job->args, "--target=host");
  }
  for (size_t t = 0; unit->on_device && t < command->target_count; t++) {
    tn_args_add_format(&job->args, "--target=%s", command->targets[t].word);
  }
  tn_plan_take_texts(plan, job, first_job);
  tn_job_wait_for(plan, job, unit->identity);
  tn_args_add(&job->args, unit->name);
  tn_args_add(&job->args, "-o");
  tn_args_add(&job->args, unit->output);
}

static bool add_part(tn_header_file *file, const tn_buf *header, const tn_target *target) {
  if (header->size == 0) {
    return false;
  }
  file->parts[file->part_count++] = (tn_header_part){
      .target = tn_str_from(target ? target->word : ""),
      .triple = tn_str_from(target && target->triple ? target->triple : ""),
      .header = tn_buf_bytes(header)};
  return true;
}

tn_status tn_unit_precompiled_write(const tn_plan *plan, tn_unit *unit, tn_diag *diag) {
  const tn_command *command = plan->command;
  tn_header_file file = {.unit_id = unit->id, .is_no_rdc = command->no_rdc};
  tn_toolchain_identify(file.toolchain);
  bool are_there = command->device_only || add_part(&file, &unit->texts[0], NULL);
  for (size_t t = 0; unit->on_device && t < command->target_count; t++) {
    are_there = add_part(&file, &unit->texts[t + 1], &command->targets[t]) && are_there;
  }
  if (!are_there) {
    return TN_FAIL(diag, BUILD_FAILED, "'%s': a pass wrote no precompiled header", unit->name);
  }
  tn_buf out;
  tn_buf_init(&out, HEADER_MAXIMUM);
  tn_status status = tn_header_file_write(&file, &out, diag);
  if (status == TN_OK) {
    status = tn_plan_write_text(plan, unit->output, tn_buf_str(&out), diag);
  }
  tn_buf_deinit(&out);
  return status;
}
