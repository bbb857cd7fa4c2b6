// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches whose work-groups may wait for each other. The pool's threads may be fewer than the
// groups, or busy with another such launch: each group has a thread of its own, which is made for
// it. None begins before all are there with what they need.
#include "adapter/cpu/cpu.h"
#include "base/alloc.h"

typedef struct cpu_gang cpu_gang;
typedef struct gang_member {
  cpu_gang *gang;
  tn_cpu_workspace *workspace;
  tn_thread thread;
} gang_member;

enum { GANG_GATHERS, GANG_RUNS, GANG_IS_GIVEN_UP };

struct cpu_gang {
  tn_adapter_device *device;
  tn_cpu_work work;
  tn_adapter_done_fn done;
  void *user;
  tn_mutex mu;
  tn_cond cond;
  uint32_t state TN_GUARDED_BY(&mu);
  uint32_t root;  // the kernel's: where its groups wait for each other
  _Atomic uint64_t left;
  uint64_t start_ns;
  tn_cpu_failure failure;
  gang_member members[];
};

static void free_gang(cpu_gang *gang) {
  for (uint64_t i = 0; i < gang->work.chunk_count; i++) {
    tn_cpu_workspace_return(&gang->device->workspaces, gang->members[i].workspace);
  }
  tn_cond_deinit(&gang->cond);
  tn_mutex_deinit(&gang->mu);
  tn_free(gang);
}

// By the last of the threads, whose last deed it is.
static void finish(cpu_gang *gang) {
  const tn_adapter_done_fn done = gang->done;
  void *user = gang->user;
  const uint64_t start_ns = gang->start_ns;
  const bool has_failed = tn_cpu_has_failed(&gang->failure);
  const tn_status status = has_failed ? gang->failure.status : TN_OK;
  tn_diag diag;
  if (has_failed) {
    diag = gang->failure.diag;
  }
  free_gang(gang);
  done(user, status, has_failed ? &diag : NULL, start_ns, tn_time_ns());
}

static void *run_member(void *arg) {
  const gang_member *member = arg;
  cpu_gang *gang = member->gang;
  tn_mutex_lock(&gang->mu);
  while (gang->state == GANG_GATHERS) {
    tn_cond_wait(&gang->cond, &gang->mu);
  }
  const bool runs = gang->state == GANG_RUNS;
  tn_mutex_unlock(&gang->mu);
  if (!runs) {
    return NULL;
  }
  tn_thread_detach_self();
  tn_cpu_work_run(&gang->work, (uint64_t)(member - gang->members), member->workspace,
                  &gang->failure);
  if (atomic_fetch_sub_explicit(&gang->left, 1, memory_order_acq_rel) == 1) {
    finish(gang);
  }
  return NULL;
}

static void open_gate(cpu_gang *gang, uint32_t state) {
  tn_mutex_lock(&gang->mu);
  gang->start_ns = tn_time_ns();
  gang->state = state;
  tn_cond_broadcast(&gang->cond);
  tn_mutex_unlock(&gang->mu);
}

static tn_status start_member(cpu_gang *gang, gang_member *member, tn_diag *diag) {
  member->gang = gang;
  TN_TRY(tn_cpu_workspace_borrow(&gang->device->workspaces, gang->work.command, &member->workspace,
                                 diag));
  return tn_thread_create_deep(&member->thread, "tenon-gang",
                               (size_t)tn_cpu_pool_stack_size(gang->device->pool), run_member,
                               member, diag);
}

static cpu_gang *make_gang(tn_adapter_device *device, const tn_cpu_work *work,
                           tn_adapter_done_fn done, void *user) {
  cpu_gang *gang = tn_alloc(sizeof(*gang) + work->chunk_count * sizeof(gang_member));
  if (gang == NULL) {
    return NULL;
  }
  gang->device = device;
  gang->work = *work;
  gang->work.root = &gang->root;
  gang->done = done;
  gang->user = user;
  atomic_init(&gang->left, work->chunk_count);
  tn_mutex_init(&gang->mu, TN_RANK_POOL);
  tn_cond_init(&gang->cond);
  return gang;
}

tn_status tn_cpu_gang_submit(tn_adapter_device *device, const tn_adapter_command *command,
                             tn_adapter_done_fn done, void *user, tn_diag *diag) {
  tn_cpu_work work;
  tn_cpu_work_plan(&work, command, device->unit_count);
  cpu_gang *gang = make_gang(device, &work, done, user);
  if (gang == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command of the CPU");
  }
  tn_status status = TN_OK;
  uint64_t started = 0;
  while (status == TN_OK && started < work.chunk_count) {
    status = start_member(gang, &gang->members[started], diag);
    started += status == TN_OK ? 1 : 0;
  }
  if (status == TN_OK) {
    open_gate(gang, GANG_RUNS);
    return TN_OK;
  }
  open_gate(gang, GANG_IS_GIVEN_UP);
  for (uint64_t i = 0; i < started; i++) {
    tn_thread_join(gang->members[i].thread);
  }
  free_gang(gang);
  return status;
}
