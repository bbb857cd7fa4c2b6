// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of the CPU device. Chunks are handed out by a counter of the job; a thread that waits
// for a command takes chunks like a worker.
//
// Invariants
// 1. A job is in the list until a thread finds its counter at the end. Only users of a job take its
//    chunks, so the last user to leave an unlisted job is the one that ends it.
// 2. A thread counted as spinning looks at the list under the lock before it sleeps, so a submitter
//    that sees one need not wake another.
// 3. There are as many workers as threads that compute. A thread that waits takes the place of one,
//    until it has nothing to do for a while and goes to sleep.
#include "adapter/cpu/cpu.h"
#include "base/alloc.h"

enum { SPIN_NS = 20000, SPIN_ROUND = 64 };

typedef struct cpu_job cpu_job;
struct cpu_job {
  cpu_job *next;  // guarded by the pool's lock, as `user_count` and `is_listed`
  size_t user_count;
  bool is_listed;
  tn_cpu_work work;
  tn_adapter_done_fn done;
  void *user;
  _Atomic bool lacks_memory;  // a thread got no workspace, and its chunks did not run
  _Atomic uint64_t next_chunk;
  _Atomic uint64_t start_ns;  // 0 before the first chunk
  _Atomic uint64_t busy_ns;   // of all threads together
  tn_cpu_failure failure;
};

struct tn_cpu_pool {
  uint32_t thread_count;  // that compute, with the one that waits
  const tn_cpu_unit *pinned;  // borrowed; NULL: threads run on any core, and waiters help
  uint32_t pinned_count;
  uint64_t stack_size;  // of each worker
  tn_cpu_workspaces *workspaces;  // borrowed from the device
  tn_thread *workers;             // owned; the first `worker_count` of them run
  tn_mutex mu;
  tn_cond cond;
  cpu_job *first TN_GUARDED_BY(&mu);
  cpu_job *last TN_GUARDED_BY(&mu);
  cpu_job *free_jobs TN_GUARDED_BY(&mu);  // owned
  uint32_t worker_count TN_GUARDED_BY(&mu);
  uint32_t active TN_GUARDED_BY(&mu);  // threads on a job, at most thread_count
  uint32_t sleeping TN_GUARDED_BY(&mu);
  uint32_t spinning TN_GUARDED_BY(&mu);
  bool is_starting TN_GUARDED_BY(&mu);  // a thread is about to add a worker
  bool is_stopping TN_GUARDED_BY(&mu);
  _Atomic uint32_t listed_count;  // a hint for those that spin or help
  _Atomic uint32_t deep_count;    // of them, those that not every thread can run
  _Atomic bool has_helper;        // a hint: a waiting thread has looked for work since the last job
};

static _Thread_local bool is_worker;

tn_status tn_cpu_pool_create(uint32_t thread_count, uint64_t stack_size,
                             tn_cpu_workspaces *workspaces, tn_cpu_pool **out, tn_diag *diag) {
  *out = NULL;
  tn_cpu_pool *pool = tn_alloc(sizeof(*pool));
  tn_thread *threads = tn_alloc_array(thread_count, sizeof(*threads));
  if (pool == NULL || threads == NULL) {
    tn_free(pool);
    tn_free(threads);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the CPU's %u threads", thread_count);
  }
  pool->thread_count = thread_count;
  pool->stack_size = stack_size;
  pool->workspaces = workspaces;
  pool->workers = threads;
  tn_mutex_init(&pool->mu, TN_RANK_POOL);
  tn_cond_init(&pool->cond);
  *out = pool;
  return TN_OK;
}

void tn_cpu_pool_pin(tn_cpu_pool *pool, const tn_cpu_unit *units, uint32_t count) {
  pool->pinned = units;
  pool->pinned_count = count;
}

uint64_t tn_cpu_pool_stack_size(const tn_cpu_pool *pool) { return pool->stack_size; }

static void free_pool(tn_cpu_pool *pool) TN_NO_ANALYSIS {
  while (pool->free_jobs != NULL) {
    cpu_job *job = pool->free_jobs;
    pool->free_jobs = job->next;
    tn_free(job);
  }
  tn_cond_deinit(&pool->cond);
  tn_mutex_deinit(&pool->mu);
  tn_free(pool->workers);
  tn_free(pool);
}

void tn_cpu_pool_destroy(tn_cpu_pool *pool) {
  if (pool == NULL) {
    return;
  }
  tn_mutex_lock(&pool->mu);
  pool->is_stopping = true;
  const uint32_t count = pool->worker_count;
  tn_cond_broadcast(&pool->cond);
  tn_mutex_unlock(&pool->mu);
  for (uint32_t i = 0; i < count; i++) {
    tn_thread_join(pool->workers[i]);
  }
  free_pool(pool);
}

static bool is_exhausted(const cpu_job *job) {
  return atomic_load_explicit(&job->next_chunk, memory_order_relaxed) >= job->work.chunk_count;
}

// What the command needs of a thread's stack; 0 when any thread can run it.
static uint64_t stack_size_of(const cpu_job *job) {
  const tn_adapter_command *command = job->work.command;
  const uint64_t size =
      command->kind == TN_ADAPTER_KERNEL ? command->launch.kernel->needs.stack_size : 0;
  return size > TN_CPU_STACK_ANYWHERE ? size : 0;
}

static void unlist(tn_cpu_pool *pool, cpu_job *job) TN_REQUIRES(&pool->mu) {
  cpu_job *before = NULL;
  for (cpu_job *other = pool->first; other != job; other = other->next) {
    before = other;
  }
  if (before != NULL) {
    before->next = job->next;
  } else {
    pool->first = job->next;
  }
  if (pool->last == job) {
    pool->last = before;
  }
  job->is_listed = false;
  atomic_fetch_sub_explicit(&pool->listed_count, 1, memory_order_relaxed);
  if (stack_size_of(job) > 0) {
    atomic_fetch_sub_explicit(&pool->deep_count, 1, memory_order_relaxed);
  }
}

// Whether fewer threads compute, or are about to look for work, than may.
static bool lacks_threads(tn_cpu_pool *pool) TN_REQUIRES(&pool->mu) {
  const uint32_t helpers =
      atomic_exchange_explicit(&pool->has_helper, false, memory_order_relaxed) ? 1 : 0;
  return pool->active + pool->spinning + helpers < pool->thread_count;
}

static bool may_spin(const tn_cpu_pool *pool) TN_REQUIRES(&pool->mu) {
  const uint32_t helpers = atomic_load_explicit(&pool->has_helper, memory_order_relaxed) ? 1 : 0;
  return pool->spinning + helpers < pool->thread_count;
}

// The oldest job with chunks left whose kernel's frames take no more than `stack_size`, used by the
// caller from now on; NULL when there is none. Wakes one more thread when there is enough for it:
// so the submitter pays for one waking only.
static cpu_job *use_job(tn_cpu_pool *pool, uint64_t stack_size) TN_REQUIRES(&pool->mu) {
  while (pool->first != NULL && is_exhausted(pool->first)) {
    unlist(pool, pool->first);
  }
  cpu_job *job = pool->active < pool->thread_count ? pool->first : NULL;
  while (job != NULL && (stack_size_of(job) > stack_size || is_exhausted(job))) {
    job = job->next;
  }
  if (job != NULL) {
    job->user_count++;
    pool->active++;
    const bool has_more = job->work.chunk_count > 1 || job->next != NULL;
    if (has_more && pool->sleeping > 0 && lacks_threads(pool)) {
      tn_cond_signal(&pool->cond);
    }
  }
  return job;
}

static void run_chunks(tn_cpu_pool *pool, cpu_job *job) {
  uint64_t begin_ns = 0;
  uint64_t busy_ns = 0;
  tn_cpu_workspace *workspace = NULL;
  const bool can_run =
      tn_cpu_workspace_borrow(pool->workspaces, job->work.command, &workspace, NULL) == TN_OK;
  for (;;) {
    const uint64_t chunk = atomic_fetch_add_explicit(&job->next_chunk, 1, memory_order_relaxed);
    if (chunk >= job->work.chunk_count) {
      break;
    }
    if (begin_ns == 0) {
      begin_ns = tn_time_ns();
      uint64_t unset = 0;
      atomic_compare_exchange_strong_explicit(&job->start_ns, &unset, begin_ns,
                                              memory_order_relaxed, memory_order_relaxed);
    }
    if (can_run) {
      tn_cpu_work_run(&job->work, chunk, workspace, &job->failure);
    } else {
      atomic_store_explicit(&job->lacks_memory, true, memory_order_relaxed);
    }
  }
  tn_cpu_workspace_return(pool->workspaces, workspace);
  if (begin_ns != 0) {
    busy_ns = tn_time_ns() - begin_ns;
    atomic_fetch_add_explicit(&job->busy_ns, busy_ns, memory_order_relaxed);
  }
}

static void learn(const cpu_job *job) {
  const tn_adapter_command *command = job->work.command;
  if (command->kind == TN_ADAPTER_KERNEL) {
    tn_cpu_note_cost(command->launch.kernel,
                     atomic_load_explicit(&job->busy_ns, memory_order_relaxed),
                     tn_cpu_item_count(&command->launch));
  }
}

// One that was turned away because enough were active may sleep now.
static void wake_turned_away(tn_cpu_pool *pool) TN_REQUIRES(&pool->mu) {
  if (pool->first != NULL && pool->sleeping > 0) {
    tn_cond_signal(&pool->cond);
  }
}

// The caller no longer uses the job. The last one calls `done`, with no lock held and after the job
// has gone back, since `done` may submit again.
static void leave_job(tn_cpu_pool *pool, cpu_job *job) {
  tn_mutex_lock(&pool->mu);
  if (job->is_listed && is_exhausted(job)) {
    unlist(pool, job);
  }
  pool->active--;
  wake_turned_away(pool);
  const bool is_over = --job->user_count == 0 && !job->is_listed;
  const tn_adapter_done_fn done = job->done;
  void *user = job->user;
  const uint64_t start_ns = atomic_load_explicit(&job->start_ns, memory_order_relaxed);
  const tn_adapter_command *command = job->work.command;
  const bool lacks_memory = atomic_load_explicit(&job->lacks_memory, memory_order_relaxed);
  // Copied only then: the job may soon be another command's.
  const bool has_failed = is_over && tn_cpu_has_failed(&job->failure);
  tn_diag diag;
  tn_status status = TN_OK;
  if (has_failed) {
    status = job->failure.status;
    diag = job->failure.diag;
  }
  if (is_over) {
    learn(job);
    job->next = pool->free_jobs;
    pool->free_jobs = job;
  }
  tn_mutex_unlock(&pool->mu);
  if (is_over && lacks_memory && !has_failed) {
    status = tn_cpu_workspace_fail(command, &diag);
  }
  if (is_over && status != TN_OK) {
    done(user, status, &diag, start_ns, tn_time_ns());
  } else if (is_over) {
    done(user, TN_OK, NULL, start_ns, tn_time_ns());
  }
}

// On a thread that is not the pool's.
static bool run_one_job(tn_cpu_pool *pool) {
  // Not asked for under the lock, nor when it makes no difference.
  const bool has_deep = atomic_load_explicit(&pool->deep_count, memory_order_relaxed) != 0;
  const uint64_t stack_size = has_deep ? tn_cpu_stack_available() : 0;
  tn_mutex_lock(&pool->mu);
  cpu_job *job = use_job(pool, stack_size);
  tn_mutex_unlock(&pool->mu);
  if (job == NULL) {
    return false;
  }
  run_chunks(pool, job);
  leave_job(pool, job);
  return true;
}

bool tn_cpu_pool_help(tn_cpu_pool *pool) {
  if (pool->pinned != NULL) {
    return false;
  }
  if (atomic_load_explicit(&pool->listed_count, memory_order_relaxed) == 0) {
    atomic_store_explicit(&pool->has_helper, true, memory_order_relaxed);
    return false;
  }
  return run_one_job(pool);
}

void tn_cpu_pool_forget_helper(tn_cpu_pool *pool) {
  atomic_store_explicit(&pool->has_helper, false, memory_order_relaxed);
}

bool tn_cpu_pool_enter(tn_cpu_pool *pool) {
  tn_mutex_lock(&pool->mu);
  const bool is_free = pool->pinned == NULL && pool->active < pool->thread_count;
  pool->active += is_free ? 1 : 0;
  tn_mutex_unlock(&pool->mu);
  return is_free;
}

void tn_cpu_pool_leave(tn_cpu_pool *pool) {
  tn_mutex_lock(&pool->mu);
  pool->active--;
  wake_turned_away(pool);
  tn_mutex_unlock(&pool->mu);
}

static void spin(const tn_cpu_pool *pool) {
  const uint64_t until = tn_time_ns() + SPIN_NS;
  do {
    for (int i = 0; i < SPIN_ROUND; i++) {
      if (atomic_load_explicit(&pool->listed_count, memory_order_relaxed) != 0) {
        return;
      }
      tn_thread_pause();
    }
  } while (tn_time_ns() < until);
}

// Failing to is no failure: the work is done on other cores then.
static void pin_thread(const tn_cpu_pool *pool) {
  if (pool->pinned != NULL) {
    tn_cpu_pin_thread(pool->pinned, pool->pinned_count);
  }
}

static void *work(void *arg) {
  tn_cpu_pool *pool = arg;
  is_worker = true;
  pin_thread(pool);
  bool may_sleep = false;  // spun in vain since the last job
  tn_mutex_lock(&pool->mu);
  while (!pool->is_stopping) {
    cpu_job *job = use_job(pool, UINT64_MAX);  // what no worker can run is not in the list
    if (job != NULL) {
      tn_mutex_unlock(&pool->mu);
      run_chunks(pool, job);
      leave_job(pool, job);
      may_sleep = false;
      tn_mutex_lock(&pool->mu);
    } else if (!may_sleep && may_spin(pool)) {
      pool->spinning++;
      tn_mutex_unlock(&pool->mu);
      spin(pool);
      tn_mutex_lock(&pool->mu);
      pool->spinning--;
      may_sleep = true;
    } else {
      pool->sleeping++;
      tn_cond_wait(&pool->cond, &pool->mu);
      pool->sleeping--;
      may_sleep = false;
    }
  }
  tn_mutex_unlock(&pool->mu);
  return NULL;
}

// Adds workers until there are enough for `wanted` chunks. Failing to is no failure while there is
// one: things just take longer.
static tn_status start_workers(tn_cpu_pool *pool, uint64_t wanted, bool *out_has_workers,
                               tn_diag *diag) {
  tn_status status = TN_OK;
  for (;;) {
    tn_mutex_lock(&pool->mu);
    const uint32_t index = pool->worker_count;
    const bool enough = wanted == 0 || index >= pool->thread_count || pool->is_starting ||
                        (index > 0 && pool->sleeping + pool->spinning >= wanted);
    pool->is_starting = pool->is_starting || !enough;
    // While another thread starts the first one, that one is to come.
    *out_has_workers = index > 0;
    tn_mutex_unlock(&pool->mu);
    if (enough) {
      return TN_OK;
    }
    status = tn_thread_create_deep(&pool->workers[index], "tenon-cpu", pool->stack_size, work, pool,
                                   diag);
    tn_mutex_lock(&pool->mu);
    pool->is_starting = false;
    pool->worker_count += status == TN_OK ? 1 : 0;
    *out_has_workers = pool->worker_count > 0;
    tn_mutex_unlock(&pool->mu);
    if (status != TN_OK) {
      return status;
    }
    wanted--;
  }
}

static cpu_job *take_job(tn_cpu_pool *pool) {
  tn_mutex_lock(&pool->mu);
  cpu_job *job = pool->free_jobs;
  if (job != NULL) {
    pool->free_jobs = job->next;
  }
  tn_mutex_unlock(&pool->mu);
  return job != NULL ? job : tn_alloc(sizeof(*job));
}

static void give_back_job(tn_cpu_pool *pool, cpu_job *job) {
  tn_mutex_lock(&pool->mu);
  job->next = pool->free_jobs;
  pool->free_jobs = job;
  tn_mutex_unlock(&pool->mu);
}

// A worker submits from `done`, and looks for work next.
static void add_job(tn_cpu_pool *pool, cpu_job *job) {
  tn_mutex_lock(&pool->mu);
  if (pool->last != NULL) {
    pool->last->next = job;
  } else {
    pool->first = job;
  }
  pool->last = job;
  atomic_fetch_add_explicit(&pool->listed_count, 1, memory_order_relaxed);
  if (stack_size_of(job) > 0) {
    atomic_fetch_add_explicit(&pool->deep_count, 1, memory_order_relaxed);
  }
  if (pool->sleeping > (is_worker ? 1 : 0) && pool->spinning == 0) {
    tn_cond_signal(&pool->cond);
  }
  tn_mutex_unlock(&pool->mu);
}

// A worker for a command that the calling thread cannot run.
static tn_status need_worker(tn_cpu_pool *pool, uint64_t wanted, tn_diag *diag) {
  bool has_workers = false;
  tn_status status = start_workers(pool, wanted, &has_workers, diag);
  while (status == TN_OK && !has_workers) {  // another thread is about to start the first one
    tn_thread_yield();
    status = start_workers(pool, wanted, &has_workers, diag);
  }
  return has_workers ? TN_OK : status;
}

tn_status tn_cpu_pool_submit(tn_cpu_pool *pool, const tn_adapter_command *command,
                             tn_adapter_done_fn done, void *user, tn_diag *diag) {
  cpu_job *job = take_job(pool);
  if (job == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command of the CPU");
  }
  job->next = NULL;
  job->user_count = 0;
  job->is_listed = true;
  job->done = done;
  job->user = user;
  atomic_store_explicit(&job->next_chunk, 0, memory_order_relaxed);
  atomic_store_explicit(&job->start_ns, 0, memory_order_relaxed);
  atomic_store_explicit(&job->lacks_memory, false, memory_order_relaxed);
  atomic_store_explicit(&job->busy_ns, 0, memory_order_relaxed);
  atomic_store_explicit(&job->failure.is_claimed, false, memory_order_relaxed);
  tn_cpu_work_plan(&job->work, command, pool->thread_count);
  bool has_workers = true;
  const uint64_t stack_size = stack_size_of(job);
  if (stack_size > 0 && stack_size > tn_cpu_stack_available()) {
    const tn_status status = need_worker(pool, job->work.chunk_count, diag);
    if (status != TN_OK) {
      give_back_job(pool, job);
      return status;
    }
  } else {
    TN_IGNORE(start_workers(pool, job->work.chunk_count, &has_workers, NULL),
              "fewer threads will do");
  }
  add_job(pool, job);
  if (!has_workers) {
    // No thread could be started: the submitter does it all.
    while (run_one_job(pool)) {
    }
  }
  return TN_OK;
}
