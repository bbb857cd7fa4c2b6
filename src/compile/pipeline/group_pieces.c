// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts a group of several pieces into parts and writes them side by side. A context of LLVM is for
// one thread, so that a part goes to its thread as bitcode. Parts are the same, and go the same
// way, whatever the number of threads: so are the images.
#include "compile/pipeline/group_pieces.h"

#include "base/thread.h"
#include "compile/pipeline/piece_image.h"
#include "compile/pipeline/split_pieces.h"

enum {
  PARTS_MINIMUM = 4,  // pieces: fewer are written where they are
  PARTS_MAXIMUM = 32,
};

typedef struct part {
  size_t begin;  // of its pieces
  size_t end;
  tn_buf bitcode;
  tn_group_work work;  // the group's, with results of its own
} part;

typedef struct part_run {
  const tn_split *split;
  const char *id;
  part parts[PARTS_MAXIMUM];
  size_t count;
  tn_mutex mu;
  tn_cond changed;
  // Under `mu`:
  size_t ready;  // so many have their bitcode
  size_t next;
  bool is_stopped;
} part_run;

static void stop(part_run *run) {
  tn_mutex_lock(&run->mu);
  run->is_stopped = true;
  tn_cond_broadcast(&run->changed);
  tn_mutex_unlock(&run->mu);
}

// The next part, once it is ready; NULL when none is left.
static part *take_part(part_run *run) {
  part *taken = NULL;
  tn_mutex_lock(&run->mu);
  while (!run->is_stopped && run->next < run->count && run->next >= run->ready) {
    tn_cond_wait(&run->changed, &run->mu);
  }
  if (!run->is_stopped && run->next < run->count) {
    taken = &run->parts[run->next++];
  }
  tn_mutex_unlock(&run->mu);
  return taken;
}

static tn_status write_part(const part_run *run, part *p, tn_llvm_job *job, tn_diag *diag) {
  LLVMModuleRef module = NULL;
  TN_TRY(tn_module_parse(job, tn_buf_bytes(&p->bitcode), "device code", &module, diag));
  tn_buf_deinit(&p->bitcode);
  tn_piece_job pieces = {.work = &p->work, .llvm = job, .id = run->id, .count = p->begin};
  const tn_status status = tn_split_range(run->split, job, module, p->begin, p->end,
                                          tn_piece_image_write, &pieces, diag);
  LLVMDisposeModule(module);
  return status;
}

static void *write_parts(void *user) {
  part_run *run = user;
  for (part *p = take_part(run); p; p = take_part(run)) {
    tn_llvm_job job = {0};
    p->work.status = tn_llvm_job_init(&job, &p->work.diag);
    if (p->work.status == TN_OK) {
      p->work.status = write_part(run, p, &job, &p->work.diag);
    }
    tn_llvm_job_deinit(&job);
    if (p->work.status != TN_OK) {
      stop(run);
    }
  }
  return NULL;
}

static tn_status cut_part(const part_run *run, part *p, tn_llvm_job *job, LLVMModuleRef module,
                          tn_diag *diag) {
  LLVMModuleRef copy = NULL;
  TN_TRY(tn_split_part(run->split, job, module, p->begin, p->end, &copy, diag));
  const tn_status status = tn_module_write(copy, &p->bitcode, diag);
  LLVMDisposeModule(copy);
  return status;
}

static tn_status cut_parts(part_run *run, tn_llvm_job *job, LLVMModuleRef module, tn_diag *diag) {
  tn_status status = TN_OK;
  for (size_t i = 0; i < run->count && status == TN_OK; i++) {
    status = cut_part(run, &run->parts[i], job, module, diag);
    tn_mutex_lock(&run->mu);
    run->ready = i + 1;
    run->is_stopped = run->is_stopped || status != TN_OK;
    const bool is_stopped = run->is_stopped;
    tn_cond_broadcast(&run->changed);
    tn_mutex_unlock(&run->mu);
    if (is_stopped) {
      break;
    }
  }
  return status;
}

// This thread cuts, and then writes too.
static tn_status run_parts(part_run *run, tn_llvm_job *job, LLVMModuleRef take_module,
                           uint32_t threads, tn_diag *diag) {
  tn_thread_team team;
  tn_thread_team_start(&team, "device-piece", threads < run->count ? threads : run->count,
                       write_parts, run);
  const tn_status status = cut_parts(run, job, take_module, diag);
  LLVMDisposeModule(take_module);
  (void)write_parts(run);
  tn_thread_team_join(&team);
  return status;
}

static tn_status write_in_parts(const tn_split *split, tn_group_work *work, tn_llvm_job *job,
                                LLVMModuleRef take_module, const char *id, tn_diag *diag) {
  part_run run = {.split = split, .id = id};
  run.count = split->count < PARTS_MAXIMUM ? split->count : PARTS_MAXIMUM;
  tn_mutex_init(&run.mu, TN_RANK_LEAF);
  tn_cond_init(&run.changed);
  for (size_t i = 0; i < run.count; i++) {
    part *p = &run.parts[i];
    p->begin = split->count * i / run.count;
    p->end = split->count * (i + 1) / run.count;
    tn_buf_init(&p->bitcode, TN_GROUP_BUFFER_MAXIMUM);
    tn_group_work_init(&p->work, work->params, work->resolve, work->group);
  }
  tn_status status = run_parts(&run, job, take_module, work->threads, diag);
  for (size_t i = 0; i < run.count; i++) {
    part *p = &run.parts[i];
    tn_buf_add_str(&work->messages, tn_buf_str(&p->work.messages));
    if (status == TN_OK) {
      status = tn_group_work_take(&p->work, &work->images, &work->natives, &work->arena, diag);
    }
    tn_buf_deinit(&p->bitcode);
    tn_group_work_deinit(&p->work);
  }
  tn_cond_deinit(&run.changed);
  tn_mutex_deinit(&run.mu);
  return status;
}

tn_status tn_group_write_pieces(tn_group_work *work, tn_llvm_job *job, LLVMModuleRef take_module,
                                const char *id, tn_diag *diag) {
  tn_split split;
  tn_status status =
      tn_split_init(&split, take_module, work->params->split, &work->arena, diag);
  if (status == TN_OK && split.count >= PARTS_MINIMUM) {
    status = write_in_parts(&split, work, job, take_module, id, diag);
  } else {
    if (status == TN_OK) {
      tn_piece_job pieces = {.work = work, .llvm = job, .id = id};
      status = tn_split_range(&split, job, take_module, 0, split.count, tn_piece_image_write,
                              &pieces, diag);
    }
    LLVMDisposeModule(take_module);
  }
  tn_split_deinit(&split);
  return status;
}
