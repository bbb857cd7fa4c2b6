// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The caches of builds, by their manifest: everything that is known before anything is compiled.
// What is found holds if the files that it was made of are what they were. Where that finds nothing
// and there was a build of a similar source, the source is preprocessed and looked for by its print
// (docs/decisions/source-keys.md).
//
// In memory, {source, options, names, targets} → the hidden module with the images, which all
// bundles of equal builds share; {prints} → the same. On disk, see source_disk.c. A failure is had
// by those who waited for it, and not kept.
#include "run/source/source_cache.h"

#include "base/config.h"
#include "base/log.h"
#include "image/image.h"
#include "run/cache/cache.h"
#include "run/source/source_disk.h"
#include "run/source/source_stem.h"

// Other words for every change of what is hashed, or of what is made.
#define MEMORY_HEAD "tenon source 1"
#define PRINTS_HEAD "tenon source prints 1"
enum { MADE_MAXIMUM = 64, MADE_BYTES = 4 << 20, MADE_OWN = 4096 };
enum { IMAGES_MAXIMUM = 1 << 30 };

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
  if (made->twin) {
    made->registered = NULL;
    made->names = NULL;
    tn_source_made_release(made->twin);
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
static tn_cache prints = TN_CACHE_INIT_SIZED(&ops, MADE_MAXIMUM, size_of_value, MADE_BYTES);
static _Atomic uint64_t last_number;

static void make_memory_key(const tn_source_order *order, uint8_t out[TN_BLAKE3_SIZE]) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add_text(&hash, MEMORY_HEAD);
  tn_source_hash_manifest(&hash, &order->job);
  tn_blake3_add_number(&hash, order->target_count);
  for (size_t i = 0; i < order->target_count; i++) {
    tn_blake3_add_text(&hash, order->targets[i].text);
  }
  tn_blake3_finish(&hash, out);
}

// One target's unit on its way.
typedef struct making {
  tn_source_unit unit;  // with views of what is on disk
  tn_source_disk disk;
  uint8_t stem[TN_BLAKE3_SIZE];
  bool is_identified;  // the unit has its print and inputs
  bool is_there;       // and all else
  bool is_kept_out;    // it cannot be known later whether it still holds
} making;

static void reset_unit(making *m) {
  tn_source_unit_deinit(&m->unit);
  tn_source_unit_init(&m->unit);
  m->unit.log = TN_STR_LIT("");
}

// By the manifest, on disk; else its print, if there may be a build with it.
static void find_unit(const tn_source_job *job, making *m) {
  m->is_there = tn_source_disk_find(job, &m->disk, &m->unit);
  if (m->is_there || job->source->language == TN_SOURCE_SPIRV) {
    return;
  }
  tn_source_stem_make(job, m->stem);
  const bool is_kept = m->disk.has_key || tn_config_get()->cache_in_memory;
  m->is_identified = is_kept && tn_source_stem_is_promising(m->stem) &&
                     tn_source_unit_identify(job, &m->unit) && tn_source_inputs_finish(&m->unit);
  if (!m->is_identified) {
    reset_unit(m);
  }
}

static tn_status make_unit(const tn_source_job *job, making *m, tn_diag *diag) {
  if (m->is_identified) {
    m->is_there = tn_source_disk_find_print(job, &m->disk, &m->unit);
    tn_source_stem_note_found(m->stem, m->is_there);
    if (m->is_there) {
      tn_source_disk_keep(job, &m->disk, &m->unit, true);
    } else {
      reset_unit(m);
    }
  }
  if (m->is_there) {
    return TN_OK;
  }
  TN_TRY(tn_source_unit_compile(job, &m->unit, diag));
  tn_cache_count(TN_CACHE_SOURCE_BUILDS);
  m->is_kept_out = !tn_source_inputs_finish(&m->unit);
  if (!m->is_kept_out) {
    tn_source_disk_keep(job, &m->disk, &m->unit, false);
    if (m->unit.has_print) {
      tn_source_stem_note_made(job, m->stem);
    }
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

static tn_status copy_all_inputs(const making *all, tn_source_made *made, tn_diag *diag) {
  for (size_t i = 0; i < made->unit_count; i++) {
    if (!copy_inputs(&all[i].unit, &made->units[i], &made->size)) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the list of included files");
    }
    made->is_kept_out = made->is_kept_out || all[i].is_kept_out;
  }
  return TN_OK;
}

static tn_source_job job_of(const tn_source_order *order, size_t index) {
  tn_source_job job = order->job;
  job.target = &order->targets[index];
  return job;
}

static tn_status make_units(const tn_source_order *order, making *all, tn_source_made *made,
                            tn_diag *diag) {
  tn_status status = TN_OK;
  tn_buf log;
  tn_buf_init(&log, IMAGES_MAXIMUM);
  for (size_t i = 0; status == TN_OK && i < order->target_count; i++) {
    const tn_source_job job = job_of(order, i);
    status = make_unit(&job, &all[i], diag);
    add_log(&log, all[i].unit.log);
  }
  made->log = tn_str_copy(tn_buf_str(&log));
  made->size += log.size;
  tn_buf_deinit(&log);
  if (status == TN_OK && !made->log) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the compiler's messages");
  }
  return status;
}

static bool make_prints_key(const making *all, size_t count, uint8_t out[TN_BLAKE3_SIZE]) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add_text(&hash, PRINTS_HEAD);
  for (size_t i = 0; i < count; i++) {
    if (!all[i].unit.has_print) {
      return false;
    }
    tn_blake3_add(&hash, all[i].unit.print, sizeof(all[i].unit.print));
  }
  tn_blake3_finish(&hash, out);
  return true;
}

// The same images in memory, whose module is shared: retained; NULL when there are none.
static tn_source_made *find_twin(const making *all, size_t count) {
  uint8_t bytes[TN_BLAKE3_SIZE];
  if (!make_prints_key(all, count, bytes)) {
    return NULL;
  }
  const tn_cache_key key = {.name = {(const char *)bytes, sizeof(bytes)}};
  tn_source_made *found = tn_cache_find(&prints, &key);
  if (found && found->twin) {
    tn_source_made *first = found->twin;
    tn_ref_up(&first->ref);
    tn_source_made_release(found);
    return first;
  }
  return found;
}

static void note_prints(const making *all, tn_source_made *made) {
  uint8_t bytes[TN_BLAKE3_SIZE];
  if (!made->is_kept_out && make_prints_key(all, made->unit_count, bytes)) {
    const tn_cache_key key = {.name = {(const char *)bytes, sizeof(bytes)}};
    tn_cache_put(&prints, &key, made->number, made);
  }
}

// As the twin, of other files.
static tn_status become_twin(const tn_source_order *order, making *all, tn_source_made *twin,
                             tn_source_made *made, tn_diag *diag) {
  made->twin = twin;
  made->registered = twin->registered;
  made->names = twin->names;
  made->log = tn_str_copy(tn_str_from(twin->log));
  for (size_t i = 0; i < made->unit_count; i++) {
    if (all[i].is_identified) {
      tn_source_stem_note_found(all[i].stem, true);
    }
  }
  TN_LOG(program, "%s: in memory, as what was built before but for comments and folders",
         order->job.source->name);
  return made->log ? copy_all_inputs(all, made, diag)
                   : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the compiler's messages");
}

static tn_status fill_made(const tn_source_order *order, making *all, tn_source_made *made,
                           tn_diag *diag) {
  for (size_t i = 0; i < order->target_count; i++) {
    const tn_source_job job = job_of(order, i);
    find_unit(&job, &all[i]);
  }
  tn_source_made *twin = find_twin(all, order->target_count);
  if (twin) {
    return become_twin(order, all, twin, made, diag);
  }
  tn_status status = make_units(order, all, made, diag);
  if (status == TN_OK) {
    status = register_images(order->job.source, all, order->target_count, made, diag);
  }
  if (status == TN_OK) {
    status = collect_names(all, order->target_count, made, diag);
  }
  if (status == TN_OK) {
    status = copy_all_inputs(all, made, diag);
  }
  if (status == TN_OK) {
    note_prints(all, made);
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
    tn_source_disk_init(&all[i].disk);
  }
  status = fill_made(b->order, all, made, &made->diag);
  for (size_t i = 0; i < count; i++) {
    tn_source_unit_deinit(&all[i].unit);
    tn_source_disk_deinit(&all[i].disk);
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
