// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One background thread builds the full tiers of all programs in the order in which they were
// loaded, and ends when none is pending. Each is built some time after its program was loaded: a
// process that ends before then does not need it. At exit pending ones are dropped; the running one
// completes and is stored, and the next process loads it.
#include "run/program/tier_upgrade.h"

#include "base/alloc.h"
#include "base/log.h"
#include "run/cache/cache.h"

#include <stdlib.h>

enum { BUILDER_STACK = 8 << 20, DELAY_NS = 20000000 };

struct tn_tier_upgrade {
  tn_arena arena;  // owns everything that `params` points to
  tn_build_params params;
  uint8_t key[TN_STORE_KEY_SIZE];
  bool has_key;
  const char *description;
  tn_program *program;  // borrowed until it is taken
  uint64_t due_ns;      // of tn_time_ns
  tn_tier_upgrade *next;
};

static tn_mutex mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static tn_cond changed = TN_COND_INIT;
static tn_tier_upgrade *first TN_GUARDED_BY(&mu);  // pending, oldest first
static const tn_program *current TN_GUARDED_BY(&mu);
static bool is_running TN_GUARDED_BY(&mu);  // the background thread
static bool is_over TN_GUARDED_BY(&mu);     // the process exits
static _Thread_local bool is_builder;

static const void *copy(tn_arena *arena, const void *bytes, size_t size) {
  void *copied = tn_arena_alloc(arena, size);
  if (copied && size > 0) {
    memcpy(copied, bytes, size);
  }
  return copied;
}

static const char *copy_text(tn_arena *arena, const char *text) {
  return text ? tn_arena_str(arena, tn_str_from(text)) : NULL;
}

static const char *const *copy_texts(tn_arena *arena, const char *const *texts, size_t count) {
  const char **copied = tn_arena_alloc_array(arena, count + 1, sizeof(*copied));
  for (size_t i = 0; copied && i < count; i++) {
    copied[i] = copy_text(arena, texts[i]);
  }
  return copied;
}

static const tn_build_image *copy_images(tn_arena *arena, const tn_build_params *params) {
  tn_build_image *images = tn_arena_alloc_array(arena, params->image_count, sizeof(*images));
  for (size_t i = 0; images && i < params->image_count; i++) {
    images[i] = params->images[i];
    images[i].code = copy(arena, images[i].code, images[i].size);
    images[i].name = copy_text(arena, images[i].name);
    images[i].take =
        images[i].take ? copy_texts(arena, images[i].take, images[i].take_count) : NULL;
  }
  return images;
}

static const tn_build_spec *copy_specs(tn_arena *arena, const tn_build_params *params) {
  tn_build_spec *specs = tn_arena_alloc_array(arena, params->spec_count + 1, sizeof(*specs));
  for (size_t i = 0; specs && i < params->spec_count; i++) {
    specs[i] = params->specs[i];
    specs[i].name = copy_text(arena, specs[i].name);
    specs[i].value = copy(arena, specs[i].value, specs[i].size);
  }
  return specs;
}

tn_tier_upgrade *tn_tier_upgrade_prepare(const tn_build_params *params) {
  tn_tier_upgrade *upgrade = tn_alloc(sizeof(*upgrade));
  if (!upgrade) {
    return NULL;
  }
  tn_arena_init(&upgrade->arena);
  upgrade->params = *params;
  upgrade->params.flags &= ~(uint32_t)TN_BUILD_QUICK;
  upgrade->params.target = copy_text(&upgrade->arena, params->target);
  upgrade->params.kernel = copy_text(&upgrade->arena, params->kernel);
  upgrade->params.images = copy_images(&upgrade->arena, params);
  upgrade->params.specs = copy_specs(&upgrade->arena, params);
  upgrade->params.globals = copy_texts(&upgrade->arena, params->globals, params->global_count);
  if (upgrade->arena.failed) {
    tn_tier_upgrade_free(upgrade);
    return NULL;
  }
  return upgrade;
}

void tn_tier_upgrade_set_key(tn_tier_upgrade *upgrade, const uint8_t key[TN_STORE_KEY_SIZE],
                             tn_str description) {
  memcpy(upgrade->key, key, sizeof(upgrade->key));
  upgrade->description = tn_arena_str(&upgrade->arena, description);
  upgrade->has_key = upgrade->description != NULL;
}

void tn_tier_upgrade_free(tn_tier_upgrade *upgrade) {
  if (upgrade) {
    tn_arena_deinit(&upgrade->arena);
    tn_free(upgrade);
  }
}

// *free_with: the compiler, if it made the object.
static tn_status make_object(const tn_tier_upgrade *upgrade, bool uses_disk, tn_disk_item *item,
                             tn_bytes *out, const tn_compiler **free_with, tn_diag *diag) {
  if (uses_disk && upgrade->has_key && tn_disk_cache_find(upgrade->key, item)) {
    *out = item->content;  // of another process
    return TN_OK;
  }
  const tn_compiler *compiler = NULL;
  void *object = NULL;
  size_t size = 0;
  TN_TRY(tn_device_get_compiler(&compiler, diag));
  TN_TRY(compiler->build(&upgrade->params, &object, &size, diag));
  tn_cache_count(TN_CACHE_BUILDS);
  *out = tn_bytes_from(object, size);
  *free_with = compiler;
  if (upgrade->has_key) {
    tn_disk_cache_keep(upgrade->key, item, tn_str_from(upgrade->description), *out);
  }
  return TN_OK;
}

static tn_status load(const tn_tier_upgrade *upgrade, bool uses_disk, bool *is_from_disk,
                      tn_diag *diag) {
  const tn_program *program = upgrade->program;
  const tn_compiler *free_with = NULL;
  tn_bytes object = {NULL, 0};
  tn_disk_item item;
  tn_disk_item_init(&item);
  tn_status status = make_object(upgrade, uses_disk, &item, &object, &free_with, diag);
  *is_from_disk = status == TN_OK && !free_with;
  if (status == TN_OK) {
    status = program->device->api->program_upgrade(program->adapter_program, object.data,
                                                   object.size, diag);
  }
  if (free_with) {
    free_with->free_object((void *)(uintptr_t)object.data);
  }
  tn_disk_item_deinit(&item);
  return status;
}

// On failure the program keeps its quick tier.
static void build(const tn_tier_upgrade *upgrade) {
  bool is_from_disk = false;
  tn_diag diag = {0};
  tn_status status = load(upgrade, true, &is_from_disk, &diag);
  if (status != TN_OK && is_from_disk) {
    TN_LOG(cache, "what is on disk cannot be used and is made anew: %s", diag.text);
    status = load(upgrade, false, &is_from_disk, &diag);
  }
  TN_LOG(program, "full tier of program %p: %s%s", (const void *)upgrade->program,
         status == TN_OK ? "loaded" : diag.text, is_from_disk ? " from disk" : "");
}

static tn_tier_upgrade *pop_first(void) TN_REQUIRES(&mu) {
  tn_tier_upgrade *upgrade = first;
  first = upgrade ? upgrade->next : NULL;
  return upgrade;
}

// Of a program that is still in use, which is retained.
static tn_tier_upgrade *take_first(void) {
  tn_mutex_lock(&mu);
  for (uint64_t now = 0; first && !is_over && (now = tn_time_ns()) < first->due_ns;) {
    (void)tn_cond_wait_for(&changed, &mu, first->due_ns - now);
  }
  tn_tier_upgrade *upgrade = is_over ? NULL : pop_first();
  while (upgrade && !tn_ref_try_up(&upgrade->program->ref)) {
    tn_tier_upgrade_free(upgrade);
    upgrade = pop_first();
  }
  current = upgrade ? upgrade->program : NULL;
  is_running = upgrade != NULL;
  tn_cond_broadcast(&changed);
  tn_mutex_unlock(&mu);
  return upgrade;
}

static void *build_all(void *unused) {
  (void)unused;
  for (tn_tier_upgrade *upgrade = take_first(); upgrade; upgrade = take_first()) {
    build(upgrade);
    tn_program_release(upgrade->program);
    tn_tier_upgrade_free(upgrade);
  }
  return NULL;
}

static void *run_thread(void *unused) {
  tn_thread_detach_self();
  is_builder = true;
  return build_all(unused);
}

// The thread does not exist in a forked child: programs keep their quick tier there.
static void before_fork(void) TN_NO_ANALYSIS { tn_mutex_lock(&mu); }
static void after_fork(void) TN_NO_ANALYSIS { tn_mutex_unlock(&mu); }
static void begin_child(void) TN_NO_ANALYSIS {
  first = NULL;
  current = NULL;
  is_running = false;
  tn_mutex_unlock(&mu);
}

// LLVM itself may call exit, for what it takes for a fatal error: that thread does not wait.
static void stop_at_exit(void) {
  tn_mutex_lock(&mu);
  is_over = true;
  tn_cond_broadcast(&changed);
  while (is_running && !is_builder) {
    tn_cond_wait(&changed, &mu);
  }
  tn_mutex_unlock(&mu);
}

static void watch_process(void) {
  (void)pthread_atfork(before_fork, after_fork, begin_child);
  (void)atexit(stop_at_exit);
}

// False at exit. *starts: the list needs a thread.
static bool append(tn_tier_upgrade *upgrade, bool *starts) {
  tn_mutex_lock(&mu);
  const bool is_appended = !is_over;
  if (is_appended) {
    tn_tier_upgrade **end = &first;
    while (*end) {
      end = &(*end)->next;
    }
    *end = upgrade;
    *starts = !is_running;
    is_running = true;
  }
  tn_mutex_unlock(&mu);
  return is_appended;
}

void tn_tier_upgrade_start(tn_tier_upgrade *take, tn_program *program) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, watch_process);
  bool starts = false;
  take->program = program;
  take->due_ns = tn_time_ns() + DELAY_NS;
  if (!append(take, &starts)) {
    tn_tier_upgrade_free(take);
    return;
  }
  tn_thread thread;
  if (starts && tn_thread_create_deep(&thread, "tenon-build", BUILDER_STACK, run_thread, NULL,
                                      NULL) != TN_OK) {
    (void)build_all(NULL);
  }
}

static tn_tier_upgrade *remove_pending(const tn_program *program) TN_REQUIRES(&mu) {
  tn_tier_upgrade **link = &first;
  while (*link && (*link)->program != program) {
    link = &(*link)->next;
  }
  tn_tier_upgrade *upgrade = *link;
  *link = upgrade ? upgrade->next : NULL;
  return upgrade;
}

void tn_tier_upgrade_drop(const tn_program *program) {
  tn_mutex_lock(&mu);
  tn_tier_upgrade *upgrade = remove_pending(program);
  tn_mutex_unlock(&mu);
  tn_tier_upgrade_free(upgrade);
}

// A caller is waiting for this one.
static bool put_first(const tn_program *program) TN_REQUIRES(&mu) {
  tn_tier_upgrade *upgrade = remove_pending(program);
  if (upgrade) {
    upgrade->next = first;
    first = upgrade;
    if (upgrade->due_ns > 0) {
      upgrade->due_ns = 0;
      tn_cond_broadcast(&changed);
    }
  }
  return upgrade != NULL;
}

void tn_tier_upgrade_wait(const tn_program *program) {
  tn_mutex_lock(&mu);
  while (!is_over && (current == program || put_first(program))) {
    tn_cond_wait(&changed, &mu);
  }
  tn_mutex_unlock(&mu);
}
