// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The caches of builds, by their manifest: everything that is known before anything is compiled.
// What is found holds if the files that it was made of are what they were.
//
// In memory, {source, options, names, targets} → the hidden module with the images, which all
// bundles of equal builds share. On disk, {the same for one target, toolchain} → the images, names,
// messages and the list of files. A failure is had by those who waited for it, and not kept.
#include "run/source/source_cache.h"

#include "base/config.h"
#include "base/log.h"
#include "image/image.h"
#include "run/cache/cache.h"
#include "tenon/tenon.h"

// Other words for every change of what is hashed, or of what is made.
#define MEMORY_HEAD "tenon source 1"
#define DISK_HEAD "tenon source disk 1"
enum { MADE_MAXIMUM = 64, MADE_BYTES = 4 << 20, MADE_OWN = 4096 };
enum { DESCRIPTION_MAXIMUM = 1 << 16, IMAGES_MAXIMUM = 1 << 30 };

static void deinit_units(tn_source_unit *units, size_t count) {
  for (size_t i = 0; i < count; i++) {
    tn_source_unit_deinit(&units[i]);
  }
  tn_free(units);
}

void tn_source_made_release(tn_source_made *made) {
  if (!made || !tn_ref_down(&made->ref)) {
    return;
  }
  if (made->registered) {
    tn_registered_unpin(made->registered);
    tn_registered_release(made->registered);
  }
  tn_bundle_names_release(made->names);
  deinit_units(made->units, made->unit_count);
  tn_free(made->log);
  tn_free(made);
}

static void retain_value(void *value) { tn_ref_up(&((tn_source_made *)value)->ref); }
static void release_value(void *value) { tn_source_made_release(value); }
static size_t size_of_value(const void *value) { return ((const tn_source_made *)value)->size; }
static const tn_cache_ops ops = {"source", retain_value, release_value, false};
static tn_cache cache = TN_CACHE_INIT_SIZED(&ops, MADE_MAXIMUM, size_of_value, MADE_BYTES);
static _Atomic uint64_t last_number;

// All but the target and the environment, which is the same all through the process.
static void hash_manifest(tn_blake3 *hash, const tn_source_job *job) {
  tn_blake3_add(hash, job->source->digest, sizeof(job->source->digest));
  tn_source_hash_texts(hash, job->options, job->option_count);
  tn_source_hash_texts(hash, job->names, job->name_count);
}

static void hash_environment(tn_blake3 *hash) {
  const tn_config *config = tn_config_get();
  const char *const paths[] = {config->clang, config->cuda_path, config->rocm_path};
  tn_source_hash_texts(hash, paths, TN_COUNT(paths));
  tn_source_hash_texts(hash, config->include_paths, TN_COUNT(config->include_paths));
}

// Where the process stands: a unit knows whether it depends on that (tn_source_unit.folder), but
// where words are relative to it, there is to be one for each place.
static void hash_folder(tn_blake3 *hash, const tn_source_job *job) {
  bool is_relative = tn_source_options_are_relative(job->options, job->option_count);
  for (size_t i = 0; i < TN_COUNT(tn_config_get()->include_paths); i++) {
    is_relative = is_relative || tn_config_get()->include_paths[i][0] != '\0';
  }
  char *folder = is_relative ? tn_source_inputs_folder() : NULL;
  tn_source_hash_bytes(hash, folder ? folder : "", folder ? strlen(folder) : 0);
  tn_free(folder);
}

static void make_memory_key(const tn_source_order *order, uint8_t out[TN_BLAKE3_SIZE]) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_source_hash_bytes(&hash, MEMORY_HEAD, strlen(MEMORY_HEAD));
  hash_manifest(&hash, &order->job);
  hash_folder(&hash, &order->job);
  tn_source_hash_texts(&hash, order->targets, order->target_count);
  tn_blake3_finish(&hash, out);
}

static bool make_disk_key(const tn_source_job *job, uint8_t out[TN_STORE_KEY_SIZE]) {
  uint8_t toolchain[TN_STORE_KEY_SIZE];
  // The record of the toolchain is among the programs.
  if (!tn_disk_cache_source_store() ||
      !tn_device_identify_compiler(tn_disk_cache_store(), toolchain)) {
    return false;
  }
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_source_hash_bytes(&hash, DISK_HEAD, strlen(DISK_HEAD));
  tn_source_hash_bytes(&hash, tn_version(), strlen(tn_version()));
  tn_blake3_add(&hash, toolchain, sizeof(toolchain));
  hash_environment(&hash);
  hash_manifest(&hash, job);
  hash_folder(&hash, job);
  tn_source_hash_bytes(&hash, job->target, strlen(job->target));
  tn_blake3_finish(&hash, out);
  return true;
}

static void describe(const tn_source_job *job, const tn_source_unit *unit, tn_buf *out) {
  tn_buf_add_format(out, "%s for %s:", job->source->name, job->target);
  for (size_t i = 0; i < job->option_count; i++) {
    tn_buf_add_format(out, " %.200s", job->options[i]);
  }
  tn_buf_add_format(out, "\n%zu bytes of %s, %zu files, tenon %s", job->source->text.size,
                    tn_source_language_name(job->source->language), unit->input_count,
                    tn_version());
  for (size_t i = 0; i < unit->name_count; i++) {
    tn_buf_add_format(out, "\nkernel %.200s", unit->names[i].name);
  }
}

static void keep(const tn_source_job *job, const tn_source_unit *unit, const uint8_t *key,
                 tn_disk_item *item) {
  const tn_config *config = tn_config_get();
  const size_t size = unit->fatbin.size;
  if (size < config->cache_min_image ||
      (config->cache_max_image != 0 && size > config->cache_max_image)) {
    return;
  }
  tn_buf text;
  tn_buf record;
  tn_buf_init(&text, DESCRIPTION_MAXIMUM);
  tn_buf_init(&record, IMAGES_MAXIMUM);
  describe(job, unit, &text);
  tn_source_unit_write(unit, &record);
  if (record.failed == TN_OK) {
    tn_disk_cache_keep(key, item, text.failed == TN_OK ? tn_buf_str(&text) : TN_STR_LIT(""),
                       tn_buf_bytes(&record));
  }
  tn_buf_deinit(&text);
  tn_buf_deinit(&record);
}

// What is on disk, if it still holds. Views of the item's bytes.
static bool find_on_disk(const tn_source_job *job, const uint8_t *key, tn_disk_item *item,
                         tn_source_unit *unit) {
  if (!tn_disk_cache_find(key, item)) {
    return false;
  }
  tn_fatbin fatbin;
  if (tn_source_unit_read(item->content, unit) && tn_source_inputs_are_current(unit) &&
      tn_fatbin_parse(unit->fatbin, &fatbin, NULL) == TN_OK) {
    TN_LOG(program, "%s for %s: from disk", job->source->name, job->target);
    return true;
  }
  tn_source_unit_deinit(unit);
  tn_source_unit_init(unit);
  return false;
}

// One target's unit on its way. What is found on disk lies in the item.
typedef struct making {
  tn_source_unit unit;
  tn_disk_item item;
  bool is_kept_out;  // it cannot be known later whether it still holds
} making;

static tn_status make_unit(const tn_source_job *job, making *m, tn_diag *diag) {
  uint8_t key[TN_STORE_KEY_SIZE];
  const bool has_key = job->source->language != TN_SOURCE_SPIRV && make_disk_key(job, key);
  if (has_key && find_on_disk(job, key, &m->item, &m->unit)) {
    return TN_OK;
  }
  TN_TRY(tn_source_unit_compile(job, &m->unit, diag));
  tn_cache_count(TN_CACHE_SOURCE_BUILDS);
  m->is_kept_out = !tn_source_inputs_finish(&m->unit);
  if (has_key && !m->is_kept_out) {
    keep(job, &m->unit, key, &m->item);
  }
  return TN_OK;
}

// Targets often say the same.
static void add_log(tn_buf *log, tn_str text) {
  if (tn_str_find(tn_buf_str(log), text) == SIZE_MAX) {
    tn_buf_add_str(log, text);
  }
}

static tn_status join_images(const making *all, size_t count, tn_buf *out, tn_diag *diag) {
  if (count == 1) {
    tn_buf_add(out, all[0].unit.fatbin.data, all[0].unit.fatbin.size);
    return tn_buf_status(out, diag);
  }
  tn_bytes *parts = tn_alloc_array(count, sizeof(*parts));
  if (!parts) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the images of %zu targets", count);
  }
  for (size_t i = 0; i < count; i++) {
    parts[i] = all[i].unit.fatbin;
  }
  const tn_status status = tn_fatbin_join(parts, count, out, diag);
  tn_free(parts);
  return status;
}

static tn_status register_images(const tn_source *source, const making *all, size_t count,
                                 tn_source_made *made, tn_diag *diag) {
  tn_buf joined;
  tn_buf_init(&joined, IMAGES_MAXIMUM);
  tn_status status = join_images(all, count, &joined, diag);
  void *bytes = status == TN_OK ? tn_alloc(joined.size) : NULL;
  if (status == TN_OK && !bytes) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu bytes of images", joined.size);
  }
  if (bytes) {
    memcpy(bytes, joined.data, joined.size);
    status = tn_registry_create_hidden(source->name, bytes, joined.size, &made->registered, diag);
    made->size += joined.size;
  }
  if (status != TN_OK) {
    tn_free(bytes);
  }
  tn_buf_deinit(&joined);
  return status;
}

// The names of all targets; those of the first hold.
static tn_status collect_names(const making *all, size_t count, tn_source_made *made,
                               tn_diag *diag) {
  size_t total = 0;
  for (size_t i = 0; i < count; i++) {
    total += all[i].unit.name_count;
  }
  tn_source_name *names = tn_alloc_array(total + 1, sizeof(*names));
  if (!names) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the names of %zu kernels", total);
  }
  total = 0;
  for (size_t i = 0; i < count; i++) {
    for (size_t n = 0; n < all[i].unit.name_count; n++) {
      names[total++] = all[i].unit.names[n];
    }
  }
  const tn_status status = tn_bundle_names_create(names, total, &made->names, diag);
  tn_free(names);
  return status;
}

// What tells later whether a build still holds, without its images.
static bool copy_inputs(const tn_source_unit *from, tn_source_unit *to, size_t *size) {
  tn_arena *arena = &to->arena;
  to->folder = tn_arena_str(arena, tn_str_from(from->folder));
  to->inputs = tn_arena_alloc_array(arena, from->input_count + 1, sizeof(*to->inputs));
  to->misses = tn_arena_alloc_array(arena, from->miss_count + 1, sizeof(*to->misses));
  if (!to->folder || !to->inputs || !to->misses) {
    return false;
  }
  for (size_t i = 0; i < from->input_count; i++) {
    to->inputs[i] = from->inputs[i];
    to->inputs[i].path = tn_arena_str(arena, tn_str_from(from->inputs[i].path));
    *size += sizeof(to->inputs[i]) + strlen(from->inputs[i].path);
  }
  for (size_t i = 0; i < from->miss_count; i++) {
    to->misses[i] = tn_arena_str(arena, tn_str_from(from->misses[i]));
    *size += sizeof(to->misses[i]) + strlen(from->misses[i]);
  }
  to->input_count = from->input_count;
  to->miss_count = from->miss_count;
  return !arena->failed;
}

static tn_status fill_made(const tn_source_order *order, making *all, tn_source_made *made,
                           tn_diag *diag) {
  tn_status status = TN_OK;
  tn_buf log;
  tn_buf_init(&log, IMAGES_MAXIMUM);
  for (size_t i = 0; status == TN_OK && i < order->target_count; i++) {
    tn_source_job job = order->job;
    job.target = order->targets[i];
    status = make_unit(&job, &all[i], diag);
    add_log(&log, all[i].unit.log);
  }
  made->log = tn_str_copy(tn_buf_str(&log));
  made->size += log.size;
  tn_buf_deinit(&log);
  if (status == TN_OK && !made->log) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the compiler's messages");
  }
  if (status == TN_OK) {
    status = register_images(order->job.source, all, order->target_count, made, diag);
  }
  if (status == TN_OK) {
    status = collect_names(all, order->target_count, made, diag);
  }
  for (size_t i = 0; status == TN_OK && i < order->target_count; i++) {
    if (!copy_inputs(&all[i].unit, &made->units[i], &made->size)) {
      status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the list of included files");
    }
    made->is_kept_out = made->is_kept_out || all[i].is_kept_out;
  }
  return status;
}

static tn_source_made *create_made(size_t target_count, uint64_t number) {
  tn_source_made *made = tn_alloc(sizeof(*made));
  if (!made) {
    return NULL;
  }
  tn_ref_init(&made->ref);
  made->number = number;
  made->size = MADE_OWN;
  made->units = tn_alloc_array(target_count, sizeof(*made->units));
  for (size_t i = 0; made->units && i < target_count; i++) {
    tn_source_unit_init(&made->units[i]);
    made->unit_count++;
  }
  if (!made->units) {
    tn_source_made_release(made);
    return NULL;
  }
  return made;
}

typedef struct build_job {
  const tn_source_order *order;
  uint64_t number;
} build_job;

// A failure of the compiler is a result as well: all who wait for it want its log.
static tn_status build(void *user, void **out, tn_diag *diag) {
  const build_job *b = user;
  const size_t count = b->order->target_count;
  tn_source_made *made = create_made(count, b->number);
  making *all = tn_alloc_array(count, sizeof(*all));
  tn_status status = TN_OK;
  if (!made || !all) {
    tn_source_made_release(made);
    tn_free(all);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to build a source");
  }
  for (size_t i = 0; i < count; i++) {
    tn_source_unit_init(&all[i].unit);
    all[i].unit.log = TN_STR_LIT("");
    tn_disk_item_init(&all[i].item);
    all[i].item.is_source = true;
  }
  status = fill_made(b->order, all, made, &made->diag);
  for (size_t i = 0; i < count; i++) {
    tn_source_unit_deinit(&all[i].unit);
    tn_disk_item_deinit(&all[i].item);
  }
  tn_free(all);
  made->status = status;
  *out = made;
  return TN_OK;
}

static bool is_current(const tn_source_made *made) {
  bool is_good = true;
  for (size_t i = 0; is_good && i < made->unit_count; i++) {
    is_good = tn_source_inputs_are_current(&made->units[i]);
  }
  return is_good;
}

tn_status tn_source_cache_get(const tn_source_order *order, tn_source_made **out, tn_diag *diag) {
  *out = NULL;
  uint8_t bytes[TN_BLAKE3_SIZE];
  make_memory_key(order, bytes);
  const tn_cache_key key = {.name = {(const char *)bytes, sizeof(bytes)}};
  for (;;) {
    const uint64_t number = atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1;
    build_job b = {order, number};
    void *value = NULL;
    TN_TRY(tn_cache_get(&cache, &key, number, build, &b, &value, diag));
    tn_source_made *made = value;
    const bool is_own = made->number == number;
    const bool holds = made->status == TN_OK && (is_own || is_current(made));
    if (!holds || made->is_kept_out) {
      tn_cache_forget(&cache, made->number);
    }
    if (holds || made->status != TN_OK) {
      *out = made;
      return TN_OK;
    }
    tn_source_made_release(made);
  }
}
