// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large copies between a device and pageable host memory. The driver copies such memory through
// pinned memory of its own with one thread, at a fraction of what the link does; here a few threads
// do, each with two pinned pieces and a stream of its own: one is filled while the other travels.
//
//   the command's stream: … ── begin ─────────────────────────── waits for the ends ── …
//   each thread's stream:        └─ waits ── piece ── piece ── … ── end ─┘
//
// One copy at a time; others that come meanwhile go through the driver. The caller is one of the
// threads, and returns when all bytes of the host's are read, or written. Both halves of a thread
// are its own, so only the job and the count of those at work are shared.
#include "adapter/cuda/cuda_device.h"
#include "base/alloc.h"
#include "tenon/memory.h"

#include <sched.h>
#include <string.h>

enum { HELPERS = 3, PIECE_SIZE = 1 << 20, HALVES = 2 };
// Below that the driver is as quick as waking threads.
enum { LEAST_SIZE = 8 << 20 };

typedef struct stage_job {
  unsigned char *host;
  tn_cu_address memory;  // of the device
  size_t size;
  bool is_to_device;
  tn_cu_event begin;  // of the command's stream
} stage_job;

typedef struct stage_hand {
  tn_cuda_stage *stage;
  unsigned char *pinned;  // HALVES pieces
  tn_cu_stream stream;
  tn_cu_event events[HALVES];  // behind the last use of a half
  bool is_used[HALVES];
  tn_thread thread;
  bool has_thread;
} stage_hand;

struct tn_cuda_stage {
  tn_adapter_device *device;
  stage_hand hands[HELPERS + 1];  // the caller's is the first
  tn_cu_event begin;
  _Atomic bool is_busy;
  _Atomic size_t next_piece;
  _Atomic int failure;       // the first result that was none
  _Atomic uint32_t at_work;  // helpers
  tn_mutex mu;
  tn_cond cond;
  stage_job job TN_GUARDED_BY(&mu);
  uint64_t turn TN_GUARDED_BY(&mu);
  bool is_ending TN_GUARDED_BY(&mu);
};

// ---- The pieces

static void note_failure(tn_cuda_stage *stage, tn_cu_result result) {
  int none = TN_CU_SUCCESS;
  (void)atomic_compare_exchange_strong_explicit(&stage->failure, &none, result,
                                                memory_order_relaxed, memory_order_relaxed);
}

static bool take_piece(tn_cuda_stage *stage, const stage_job *job, size_t *out_at,
                       size_t *out_size) {
  const size_t piece = atomic_fetch_add_explicit(&stage->next_piece, 1, memory_order_relaxed);
  if (piece >= (job->size + PIECE_SIZE - 1) / PIECE_SIZE ||
      atomic_load_explicit(&stage->failure, memory_order_relaxed) != TN_CU_SUCCESS) {
    return false;
  }
  *out_at = piece * PIECE_SIZE;
  *out_size = job->size - *out_at < PIECE_SIZE ? job->size - *out_at : PIECE_SIZE;
  return true;
}

static tn_cu_result await_half(const tn_cuda_driver *driver, stage_hand *hand, size_t half) {
  return hand->is_used[half] ? driver->event_sync(hand->events[half]) : TN_CU_SUCCESS;
}

static tn_cu_result send(const tn_cuda_driver *driver, stage_hand *hand, size_t half,
                         tn_cu_address to, tn_cu_address from, size_t size) {
  tn_cu_result result = driver->copy_async(to, from, size, hand->stream);
  hand->is_used[half] = true;
  return result == TN_CU_SUCCESS ? driver->event_record(hand->events[half], hand->stream) : result;
}

static tn_cu_result upload(tn_cuda_stage *stage, stage_hand *hand, const stage_job *job) {
  const tn_cuda_driver *driver = stage->device->driver;
  size_t at = 0;
  size_t size = 0;
  tn_cu_result result = TN_CU_SUCCESS;
  for (size_t half = 0; result == TN_CU_SUCCESS && take_piece(stage, job, &at, &size); half ^= 1) {
    unsigned char *pinned = hand->pinned + half * PIECE_SIZE;
    result = await_half(driver, hand, half);
    if (result == TN_CU_SUCCESS) {
      memcpy(pinned, job->host + at, size);
      result = send(driver, hand, half, job->memory + at, (tn_cu_address)(uintptr_t)pinned, size);
    }
  }
  return result;
}

// A piece is on its way while the one before is copied out.
static tn_cu_result download(tn_cuda_stage *stage, stage_hand *hand, const stage_job *job) {
  const tn_cuda_driver *driver = stage->device->driver;
  size_t at[HALVES] = {0};
  size_t size[HALVES] = {0};
  tn_cu_result result = TN_CU_SUCCESS;
  bool has_more = true;
  for (size_t half = 0; result == TN_CU_SUCCESS && (has_more || size[half ^ 1] > 0); half ^= 1) {
    unsigned char *pinned = hand->pinned + half * PIECE_SIZE;
    const size_t other = half ^ 1;
    has_more = has_more && take_piece(stage, job, &at[half], &size[half]);
    if (has_more) {
      result = await_half(driver, hand, half);  // of an upload
      result = result == TN_CU_SUCCESS ? send(driver, hand, half, (tn_cu_address)(uintptr_t)pinned,
                                              job->memory + at[half], size[half])
                                       : result;
    }
    if (result == TN_CU_SUCCESS && size[other] > 0) {
      result = await_half(driver, hand, other);
      if (result == TN_CU_SUCCESS) {
        memcpy(job->host + at[other], hand->pinned + other * PIECE_SIZE, size[other]);
      }
      size[other] = 0;
    }
  }
  return result;
}

static void move_pieces(tn_cuda_stage *stage, stage_hand *hand, const stage_job *job) {
  tn_cuda_entry entry;
  tn_diag diag = {0};
  if (tn_cuda_enter(stage->device, &entry, &diag) != TN_OK) {
    note_failure(stage, diag.native_code != 0 ? (tn_cu_result)diag.native_code : TN_CU_UNKNOWN);
    return;
  }
  tn_cu_result result = stage->device->driver->stream_wait_event(hand->stream, job->begin, 0);
  if (result == TN_CU_SUCCESS) {
    result = job->is_to_device ? upload(stage, hand, job) : download(stage, hand, job);
  }
  tn_cuda_leave(stage->device, &entry);
  if (result != TN_CU_SUCCESS) {
    note_failure(stage, result);
  }
}

// ---- The threads

static void *help(void *arg) {
  stage_hand *hand = arg;
  tn_cuda_stage *stage = hand->stage;
  uint64_t done_turn = 0;
  for (;;) {
    tn_mutex_lock(&stage->mu);
    while (stage->turn == done_turn && !stage->is_ending) {
      tn_cond_wait(&stage->cond, &stage->mu);
    }
    done_turn = stage->turn;
    const stage_job job = stage->job;
    const bool is_ending = stage->is_ending;
    tn_mutex_unlock(&stage->mu);
    if (is_ending) {
      return NULL;
    }
    move_pieces(stage, hand, &job);
    atomic_fetch_sub_explicit(&stage->at_work, 1, memory_order_acq_rel);
  }
}

static void end_threads(tn_cuda_stage *stage) {
  tn_mutex_lock(&stage->mu);
  stage->is_ending = true;
  tn_cond_broadcast(&stage->cond);
  tn_mutex_unlock(&stage->mu);
  for (size_t i = 0; i <= HELPERS; i++) {
    if (stage->hands[i].has_thread) {
      tn_thread_join(stage->hands[i].thread);
    }
  }
}

// The context is the thread's, or gone.
static void destroy_stage(tn_cuda_stage *stage) {
  const tn_cuda_driver *driver = stage->device->driver;
  end_threads(stage);
  for (size_t i = 0; i <= HELPERS; i++) {
    stage_hand *hand = &stage->hands[i];
    if (hand->stream) {
      (void)driver->stream_sync(hand->stream);
      (void)driver->stream_destroy(hand->stream);
    }
    for (size_t half = 0; half < HALVES; half++) {
      if (hand->events[half]) {
        (void)driver->event_destroy(hand->events[half]);
      }
    }
    if (hand->pinned) {
      (void)driver->host_free(hand->pinned);
    }
  }
  if (stage->begin) {
    (void)driver->event_destroy(stage->begin);
  }
  tn_cond_deinit(&stage->cond);
  tn_mutex_deinit(&stage->mu);
  tn_free(stage);
}

static bool open_hand(tn_cuda_stage *stage, stage_hand *hand, bool has_thread) {
  const tn_cuda_driver *driver = stage->device->driver;
  void *pinned = NULL;
  hand->stage = stage;
  if (driver->host_alloc(&pinned, HALVES * PIECE_SIZE, TN_CU_HOST_PORTABLE) != TN_CU_SUCCESS) {
    return false;
  }
  hand->pinned = pinned;
  bool ok = driver->stream_create(&hand->stream, TN_CU_STREAM_NON_BLOCKING) == TN_CU_SUCCESS;
  for (size_t half = 0; half < HALVES && ok; half++) {
    ok = driver->event_create(&hand->events[half], TN_CU_EVENT_UNTIMED) == TN_CU_SUCCESS;
  }
  if (ok && has_thread) {
    ok = tn_thread_create(&hand->thread, "tenon-cuda-copy", help, hand, NULL) == TN_OK;
    hand->has_thread = ok;
  }
  return ok;
}

static tn_cuda_stage *open_stage(tn_adapter_device *device) {
  tn_cuda_stage *stage = tn_alloc(sizeof(*stage));
  if (!stage) {
    return NULL;
  }
  stage->device = device;
  tn_mutex_init(&stage->mu, TN_RANK_ADAPTER);
  tn_cond_init(&stage->cond);
  bool ok = device->driver->event_create(&stage->begin, TN_CU_EVENT_UNTIMED) == TN_CU_SUCCESS;
  for (size_t i = 0; i <= HELPERS && ok; i++) {
    ok = open_hand(stage, &stage->hands[i], i > 0);
  }
  if (!ok) {
    destroy_stage(stage);
    stage = NULL;
  }
  return stage;
}

// Two threads may come here at a time: the second one's goes again. NULL: it cannot be had.
static tn_cuda_stage *get_stage(tn_adapter_device *device) {
  tn_cuda_stage *stage = atomic_load_explicit(&device->stage, memory_order_acquire);
  if (stage) {
    return stage;
  }
  tn_cuda_stage *made = open_stage(device);
  if (made && !atomic_compare_exchange_strong_explicit(
                  &device->stage, &stage, made, memory_order_acq_rel, memory_order_acquire)) {
    destroy_stage(made);
    return stage;
  }
  return made;
}

void tn_cuda_stage_end(tn_adapter_device *device) {
  tn_cuda_stage *stage = atomic_exchange_explicit(&device->stage, NULL, memory_order_acq_rel);
  tn_cuda_entry entry;
  if (stage) {
    const bool is_in = tn_cuda_enter(device, &entry, NULL) == TN_OK;
    destroy_stage(stage);
    if (is_in) {
      tn_cuda_leave(device, &entry);
    }
  }
}

// ---- A copy

// Not of the driver's: pageable.
static bool is_pageable(const tn_adapter_device *device, const void *memory) {
  unsigned type = 0;
  return device->driver->pointer_get(&type, TN_CU_POINTER_MEMORY_TYPE,
                                     (tn_cu_address)(uintptr_t)memory) != TN_CU_SUCCESS ||
         type == 0;
}

static bool find_job(tn_adapter_device *device, const tn_adapter_command *command, stage_job *out) {
  const bool from_host = is_pageable(device, command->src);
  const bool to_host = is_pageable(device, command->dst);
  if (command->size < LEAST_SIZE || from_host == to_host) {
    return false;
  }
  const void *device_side = from_host ? command->dst : command->src;
  const void *host_side = from_host ? command->src : command->dst;
  *out = (stage_job){.host = (unsigned char *)(uintptr_t)host_side,
                     .memory = (tn_cu_address)(uintptr_t)device_side,
                     .size = command->size,
                     .is_to_device = from_host};
  return tn_cuda_memory_kind(device, device_side) == TN_USM_DEVICE;
}

static void set_to_work(tn_cuda_stage *stage, const stage_job *job) {
  atomic_store_explicit(&stage->next_piece, 0, memory_order_relaxed);
  atomic_store_explicit(&stage->failure, TN_CU_SUCCESS, memory_order_relaxed);
  atomic_store_explicit(&stage->at_work, HELPERS, memory_order_relaxed);
  tn_mutex_lock(&stage->mu);
  stage->job = *job;
  stage->turn++;
  tn_cond_broadcast(&stage->cond);
  tn_mutex_unlock(&stage->mu);
}

// What follows in the command's stream comes behind all pieces.
static tn_cu_result join(const tn_cuda_driver *driver, tn_cuda_stage *stage, tn_cu_stream stream) {
  tn_cu_result result = TN_CU_SUCCESS;
  for (size_t i = 0; i <= HELPERS; i++) {
    for (size_t half = 0; half < HALVES && result == TN_CU_SUCCESS; half++) {
      const stage_hand *hand = &stage->hands[i];
      if (hand->is_used[half]) {
        result = driver->stream_wait_event(stream, hand->events[half], 0);
      }
    }
  }
  return result;
}

static tn_cu_result run_job(tn_cuda_stage *stage, stage_job *job, tn_cu_stream stream) {
  const tn_cuda_driver *driver = stage->device->driver;
  job->begin = stage->begin;
  const tn_cu_result result = driver->event_record(stage->begin, stream);
  if (result != TN_CU_SUCCESS) {
    return result;
  }
  set_to_work(stage, job);
  move_pieces(stage, &stage->hands[0], job);
  while (atomic_load_explicit(&stage->at_work, memory_order_acquire) != 0) {
    (void)sched_yield();
  }
  const int failure = atomic_load_explicit(&stage->failure, memory_order_relaxed);
  return failure != TN_CU_SUCCESS ? failure : join(driver, stage, stream);
}

bool tn_cuda_stage_copy(tn_adapter_device *device, const tn_adapter_command *command,
                        tn_cu_stream stream, tn_cu_result *out) {
  stage_job job;
  if (command->size < LEAST_SIZE || !find_job(device, command, &job)) {
    return false;
  }
  // Without cores for the helpers it would be slower.
  tn_cuda_stage *stage = tn_thread_core_count() > 1 ? get_stage(device) : NULL;
  if (!stage || atomic_exchange_explicit(&stage->is_busy, true, memory_order_acquire)) {
    return false;
  }
  *out = run_job(stage, &job, stream);
  atomic_store_explicit(&stage->is_busy, false, memory_order_release);
  return true;
}
