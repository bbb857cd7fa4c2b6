// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads for host tasks. A host task may block for as long as it likes, also on other host tasks,
// so a new thread is started whenever none is idle, up to a bound.
#include "run/sched/queue_state.h"

enum { THREADS_MAXIMUM = 64 };

static tn_mutex tasks_mu = TN_MUTEX_INIT(TN_RANK_POOL);
static tn_cond tasks_cond = TN_COND_INIT;
static tn_node *first_task TN_GUARDED_BY(&tasks_mu);
static tn_node *last_task TN_GUARDED_BY(&tasks_mu);
static size_t waiting_count TN_GUARDED_BY(&tasks_mu);  // tasks in the list
static size_t idle_count TN_GUARDED_BY(&tasks_mu);
static size_t thread_count TN_GUARDED_BY(&tasks_mu);

static void run_task(tn_node *node) {
  tn_diag diag = {0};
  const uint64_t start_ns = tn_time_ns();
  const tn_status status = node->host_task != NULL ? tn_host_task_call(node, &diag) : TN_OK;
  if (status != TN_OK && diag.text[0] == '\0') {
    tn_diag_set(&diag, status, 0, __FILE__, __LINE__, "a host task failed: %s",
                tn_status_text(status));
  }
  tn_node_complete(node, status, &diag, start_ns, tn_time_ns());
}

// Lives as long as the process: an idle one costs a stack and nothing else.
static void *run_tasks(void *arg) {
  (void)arg;
  tn_mutex_lock(&tasks_mu);
  for (;;) {
    while (first_task == NULL) {
      idle_count++;
      tn_cond_wait(&tasks_cond, &tasks_mu);
      idle_count--;
    }
    tn_node *node = first_task;
    first_task = node->next;
    if (first_task == NULL) {
      last_task = NULL;
    }
    waiting_count--;
    tn_mutex_unlock(&tasks_mu);
    run_task(node);
    tn_mutex_lock(&tasks_mu);
  }
  return NULL;
}

static void add_task(tn_node *node) TN_REQUIRES(&tasks_mu) {
  node->next = NULL;
  if (last_task != NULL) {
    last_task->next = node;
  } else {
    first_task = node;
  }
  last_task = node;
  waiting_count++;
}

// Without a single thread the tasks in the list would never run.
static tn_node *take_all_tasks(void) TN_REQUIRES(&tasks_mu) {
  tn_node *first = first_task;
  first_task = NULL;
  last_task = NULL;
  waiting_count = 0;
  return first;
}

static void fail_tasks(tn_node *first, tn_status status, const tn_diag *diag) {
  while (first != NULL) {
    tn_node *next = first->next;
    const uint64_t now = tn_time_ns();
    tn_node_complete(first, status, diag, now, now);
    first = next;
  }
}

void tn_host_task_start(tn_node *node) {
  tn_mutex_lock(&tasks_mu);
  add_task(node);
  tn_cond_signal(&tasks_cond);
  const bool needs_thread = waiting_count > idle_count && thread_count < THREADS_MAXIMUM;
  if (needs_thread) {
    thread_count++;
  }
  tn_mutex_unlock(&tasks_mu);
  if (!needs_thread) {
    return;
  }
  tn_diag diag;
  tn_thread thread;
  const tn_status status = tn_thread_create(&thread, "tenon-host", run_tasks, NULL, &diag);
  if (status == TN_OK) {
    return;
  }
  tn_mutex_lock(&tasks_mu);
  thread_count--;
  tn_node *stranded = thread_count == 0 ? take_all_tasks() : NULL;
  tn_mutex_unlock(&tasks_mu);
  tn_diag_prepend(&diag, "a host task could not be called");
  fail_tasks(stranded, status, &diag);
}
