// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources as objects: copies of what they were made of, checked once.
#include "run/source/source_object.h"

#include "base/log.h"
#include "base/map.h"
#include "base/weak.h"
#include "image/image.h"
#include "tenon/weak.h"

#include <stdio.h>

#define DIGEST_HEAD "tenon source text 1"

const char *tn_source_language_name(int32_t language) {
  static const char *const names[] = {"unknown", "SYCL", "C", "OpenCL C", "SPIR-V"};
  return language >= TN_SOURCE_SYCL && language <= TN_SOURCE_SPIRV ? names[language] : names[0];
}

void tn_source_hash_texts(tn_blake3 *hash, const char *const *texts, size_t count) {
  tn_blake3_add_number(hash, count);
  for (size_t i = 0; i < count; i++) {
    tn_blake3_add_text(hash, texts[i]);
  }
}

static bool has_online_compiler(const tn_device *device) {
  const uint64_t wanted = UINT64_C(1) << TN_ASPECT_ONLINE_COMPILER | UINT64_C(1)
                                                                         << TN_ASPECT_ONLINE_LINKER;
  uint64_t aspects = 0;
  return tn_device_get_info(device, TN_DEVICE_INFO_ASPECTS, &aspects, sizeof(aspects), NULL,
                            NULL) == TN_OK &&
         (aspects & wanted) == wanted;
}

int tn_source_is_supported(const tn_device *device, int32_t language) {
  if (!device) {
    return 0;
  }
  switch (language) {
    case TN_SOURCE_SYCL:
    case TN_SOURCE_C:
      return has_online_compiler(device) ? 1 : 0;
    case TN_SOURCE_OPENCL:
      return tn_spirv_is_for(device->target) && has_online_compiler(device) ? 1 : 0;
    case TN_SOURCE_SPIRV:
      return tn_spirv_is_for(device->target) ? 1 : 0;
    default:
      return 0;
  }
}

static tn_status check_language(const tn_source_query *query, tn_diag *diag) {
  if (query->language < TN_SOURCE_SYCL || query->language > TN_SOURCE_SPIRV) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_source_create: %d is no language of sources",
                   (int)query->language);
  }
  for (size_t i = 0; i < query->context->device_count; i++) {
    if (tn_source_is_supported(query->context->devices[i], query->language)) {
      return TN_OK;
    }
  }
  const tn_device *first = query->context->devices[0];
  return TN_FAIL(
      diag, UNSUPPORTED,
      "no device of the context takes sources in %s: device %s, whose target is %s, %s",
      tn_source_language_name(query->language), first->name, first->target,
      query->language >= TN_SOURCE_OPENCL ? "takes no SPIR-V" : "has no aspect::online_compiler");
}

static tn_status check_query(const tn_source_query *query, tn_diag *diag) {
  if (!query || query->struct_size < sizeof(*query)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "tn_source_create: the query is NULL or its struct_size is too small; set it to "
                   "sizeof(tn_source_query)");
  }
  if (!query->context || (!query->source && query->source_size > 0) ||
      (!query->includes && query->include_count > 0)) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_source_create: the %s",
                   !query->context  ? "context is NULL"
                   : !query->source ? "source is NULL"
                                    : "array of includes is NULL");
  }
  TN_TRY(check_language(query, diag));
  for (size_t i = 0; i < query->include_count; i++) {
    const tn_source_include *include = &query->includes[i];
    if (!include->name || (!include->text && include->size > 0)) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "tn_source_create: the %s of include %zu is NULL",
                     include->name ? "text" : "name", i);
    }
  }
  return TN_OK;
}

// "a/./b//../c" is "a/c". In the place of the text, which only gets shorter. False when it leads
// out of its folder, or to a folder.
static bool normalize(char *name) {
  const size_t size = strlen(name);
  tn_str rest = {name, size};
  const size_t root = name[0] == '/';  // an absolute name keeps its first '/'
  size_t written = root;
  bool is_inside = true;
  bool names_file = false;
  for (tn_str part = tn_str_split(&rest, '/'); part.data && is_inside;
       part = tn_str_split(&rest, '/')) {
    names_file = part.size > 0 && !tn_str_equals(part, TN_STR_LIT(".")) &&
                 !tn_str_equals(part, TN_STR_LIT(".."));
    if (tn_str_equals(part, TN_STR_LIT(".."))) {
      is_inside = written > root;
      while (written > root && name[--written] != '/') {
      }
    } else if (names_file) {
      if (written > root) {
        name[written++] = '/';
      }
      memmove(name + written, part.data, part.size);
      written += part.size;
    }
  }
  name[written] = '\0';
  return is_inside && names_file && size > root && written > root;
}

static tn_status check_include_name(const char *given, char *copy, tn_diag *diag) {
  if (!normalize(copy)) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "include \"%.300s\": its name %s", given,
                   given[0] == '\0' ? "is empty" : "names no file, or leaves its folder by \"..\"");
  }
  return TN_OK;
}

static tn_status out_of_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a source");
}

static tn_status copy_include(tn_source *source, const tn_source_include *from, tn_map *known,
                              tn_diag *diag) {
  char *name = tn_arena_str(&source->arena, tn_str_from(from->name));
  char *text = tn_arena_str(&source->arena, (tn_str){from->text ? from->text : "", from->size});
  if (!name || !text) {
    return out_of_memory(diag);
  }
  TN_TRY(check_include_name(from->name, name, diag));
  if (tn_map_find(known, tn_str_from(name))) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "include %.300s comes twice", name);
  }
  if (!tn_map_set(known, tn_str_from(name), source)) {
    return out_of_memory(diag);
  }
  source->includes[source->include_count++] =
      (tn_source_file){.name = name, .text = text, .size = from->size};
  return TN_OK;
}

static tn_status copy_texts(tn_source *source, const tn_source_query *query, tn_diag *diag) {
  const tn_str given = {query->source ? query->source : "", query->source_size};
  const char *text = tn_arena_str(&source->arena, given);
  source->includes =
      tn_arena_alloc_array(&source->arena, query->include_count + 1, sizeof(*source->includes));
  if (!text || !source->includes) {
    return out_of_memory(diag);
  }
  source->text = (tn_str){text, query->source_size};
  tn_map known;
  tn_map_init(&known);
  tn_status status = TN_OK;
  for (size_t i = 0; status == TN_OK && i < query->include_count; i++) {
    status = copy_include(source, &query->includes[i], &known, diag);
  }
  tn_map_deinit(&known);
  return status;
}

static void identify(tn_source *source) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add_text(&hash, DIGEST_HEAD);
  tn_blake3_add_number(&hash, (uint64_t)source->language);
  tn_blake3_add_bytes(&hash, source->text.data, source->text.size);
  tn_blake3_add_number(&hash, source->include_count);
  for (size_t i = 0; i < source->include_count; i++) {
    const tn_source_file *include = &source->includes[i];
    tn_blake3_add_text(&hash, include->name);
    tn_blake3_add_bytes(&hash, include->text, include->size);
  }
  tn_blake3_finish(&hash, source->digest);
  (void)snprintf(source->name, sizeof(source->name), "rtc_%02x%02x%02x%02x.%s", source->digest[0],
                 source->digest[1], source->digest[2], source->digest[3],
                 source->language == TN_SOURCE_C        ? "c"
                 : source->language == TN_SOURCE_OPENCL ? "cl"
                 : source->language == TN_SOURCE_SPIRV  ? "spv"
                                                        : "cpp");
}

tn_status tn_source_create(const tn_source_query *query, tn_source **out, tn_diag *diag) {
  if (!out) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_source_create: the place for the source is NULL");
  }
  *out = NULL;
  TN_TRY(check_query(query, diag));
  tn_source *source = tn_alloc(sizeof(*source));
  if (!source) {
    return out_of_memory(diag);
  }
  tn_ref_init(&source->ref);
  tn_arena_init(&source->arena);
  source->language = query->language;
  tn_context_retain(query->context);
  source->context = query->context;
  const tn_status status = copy_texts(source, query, diag);
  if (status != TN_OK) {
    tn_source_release(source);
    return status;
  }
  identify(source);
  TN_LOG(program, "source %s: %zu bytes of %s, %zu includes", source->name, source->text.size,
         tn_source_language_name(source->language), source->include_count);
  *out = source;
  return TN_OK;
}

static void release(void *object) { tn_source_release(object); }

tn_weak *tn_source_weak(tn_source *source) {
  static const tn_weak_type type = {.release = release};
  return source ? tn_weak_of(&source->ref, source, &type, NULL) : NULL;
}

void tn_source_retain(tn_source *source) { tn_ref_up(&source->ref); }

void tn_source_release(tn_source *source) {
  if (source && tn_ref_down(&source->ref)) {
    tn_arena_deinit(&source->arena);
    tn_context_release(source->context);
    tn_free(source);
  }
}

tn_context *tn_source_context(const tn_source *source) { return source->context; }

struct tn_log {
  char *text;  // owned
};

tn_log *tn_log_create(tn_str text) {
  tn_log *log = tn_alloc(sizeof(*log));
  char *copy = tn_str_copy(text);
  if (!log || !copy) {
    tn_free(log);
    tn_free(copy);
    return NULL;
  }
  log->text = copy;
  return log;
}

const char *tn_log_text(const tn_log *log) { return log ? log->text : ""; }

void tn_log_free(tn_log *log) {
  if (log) {
    tn_free(log->text);
    tn_free(log);
  }
}
