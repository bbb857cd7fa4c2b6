// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds on disk. {manifest, target, toolchain} → the files that were read and looked for, and the
// print; {print, toolchain} → images, names and messages. What has no print has all of it in one.
#include "run/source/source_disk.h"

#include "base/config.h"
#include "base/log.h"
#include "base/store_value.h"
#include "image/image.h"
#include "run/registry/registry.h"
#include "tenon/tenon.h"

// Other words for every change of what is hashed, or of what is made.
#define MANIFEST_HEAD "tenon source disk 2"
#define PRINT_HEAD "tenon source print disk 1"
enum { DESCRIPTION_MAXIMUM = 1 << 16, IMAGES_MAXIMUM = 1 << 30 };

void tn_source_disk_init(tn_source_disk *disk) {
  *disk = (tn_source_disk){.has_key = false};
  tn_disk_item_init(&disk->item);
  disk->item.is_source = true;
  tn_buf_init(&disk->images, IMAGES_MAXIMUM);
}

void tn_source_disk_deinit(tn_source_disk *disk) {
  tn_disk_item_deinit(&disk->item);
  tn_buf_deinit(&disk->images);
}

// Where the process stands: a unit knows whether it depends on that (tn_source_unit.folder), but
// where words are relative to it, there is to be one for each place.
static void hash_folder(tn_blake3 *hash, const tn_source_job *job) {
  bool is_relative = tn_source_options_are_relative(job->options, job->option_count);
  for (size_t i = 0; i < TN_COUNT(tn_config_get()->include_paths); i++) {
    is_relative = is_relative || tn_config_get()->include_paths[i][0] != '\0';
  }
  char *folder = is_relative ? tn_source_inputs_folder() : NULL;
  tn_blake3_add_text(hash, folder ? folder : "");
  tn_free(folder);
}

void tn_source_hash_manifest(tn_blake3 *hash, const tn_source_job *job) {
  tn_blake3_add(hash, job->source->digest, sizeof(job->source->digest));
  tn_source_hash_texts(hash, job->options, job->option_count);
  tn_source_hash_texts(hash, job->names, job->name_count);
  hash_folder(hash, job);
}

// Everything that counts and is no part of the source.
static bool hash_surroundings(tn_blake3 *hash, const char *head) {
  uint8_t toolchain[TN_STORE_KEY_SIZE];
  // The record of the toolchain is among the programs.
  if (!tn_disk_cache_source_store() ||
      !tn_device_identify_compiler(tn_disk_cache_store(), toolchain)) {
    return false;
  }
  const tn_config *config = tn_config_get();
  const char *const paths[] = {config->clang, config->cuda_path, config->rocm_path};
  tn_blake3_add_text(hash, head);
  tn_blake3_add_text(hash, tn_version());
  tn_blake3_add(hash, toolchain, sizeof(toolchain));
  tn_source_hash_texts(hash, paths, TN_COUNT(paths));
  tn_source_hash_texts(hash, config->include_paths, TN_COUNT(config->include_paths));
  return true;
}

static bool make_manifest_key(const tn_source_job *job, uint8_t out[TN_STORE_KEY_SIZE]) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  if (!hash_surroundings(&hash, MANIFEST_HEAD)) {
    return false;
  }
  tn_source_hash_manifest(&hash, job);
  tn_blake3_add_text(&hash, job->target->text);
  tn_blake3_finish(&hash, out);
  return true;
}

static bool make_print_key(const tn_source_unit *unit, uint8_t out[TN_STORE_KEY_SIZE]) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  if (!unit->has_print || !hash_surroundings(&hash, PRINT_HEAD)) {
    return false;
  }
  tn_blake3_add(&hash, unit->print, sizeof(unit->print));
  tn_blake3_finish(&hash, out);
  return true;
}

static void describe(const tn_source_job *job, const tn_source_unit *unit, tn_buf *out) {
  tn_buf_add_format(out, "%s for %s:", job->source->name, job->target->text);
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

// Views of disk->images.
static bool find_images(tn_source_disk *disk, tn_source_unit *unit) {
  uint8_t key[TN_STORE_KEY_SIZE];
  tn_str description;
  tn_bytes content;
  return make_print_key(unit, key) &&
         tn_store_get(tn_disk_cache_source_store(), key, &disk->images) &&
         tn_store_value_read(tn_buf_bytes(&disk->images), &description, &content) &&
         tn_source_unit_read_images(content, unit);
}

static bool has_good_images(const tn_source_unit *unit) {
  tn_fatbin fatbin;
  return tn_fatbin_parse(unit->fatbin, &fatbin, NULL) == TN_OK;
}

bool tn_source_disk_find(const tn_source_job *job, tn_source_disk *disk, tn_source_unit *unit) {
  disk->has_key = job->source->language != TN_SOURCE_SPIRV && make_manifest_key(job, disk->key);
  if (!disk->has_key || !tn_disk_cache_find(disk->key, &disk->item)) {
    return false;
  }
  if (tn_source_unit_read(disk->item.content, unit) && tn_source_inputs_are_current(unit) &&
      (!unit->has_print || find_images(disk, unit)) && has_good_images(unit)) {
    TN_LOG(program, "%s for %s: from disk", job->source->name, job->target->text);
    return true;
  }
  tn_source_unit_deinit(unit);
  tn_source_unit_init(unit);
  return false;
}

bool tn_source_disk_find_print(const tn_source_job *job, tn_source_disk *disk,
                               tn_source_unit *unit) {
  if (!disk->has_key || !find_images(disk, unit) || !has_good_images(unit)) {
    return false;
  }
  TN_LOG(program, "%s for %s: from disk, as what was built before but for comments and folders",
         job->source->name, job->target->text);
  return true;
}

static void keep_images(const tn_source_unit *unit, tn_str description) {
  uint8_t key[TN_STORE_KEY_SIZE];
  tn_buf record;
  tn_buf value;
  tn_buf_init(&record, IMAGES_MAXIMUM);
  tn_buf_init(&value, IMAGES_MAXIMUM);
  tn_source_unit_write_images(unit, &record);
  tn_store_value_write(&value, description, tn_buf_bytes(&record));
  if (record.failed == TN_OK && value.failed == TN_OK && make_print_key(unit, key) &&
      tn_store_put(tn_disk_cache_source_store(), key, tn_buf_bytes(&value))) {
    tn_cache_count(TN_CACHE_DISK_WRITES);
  }
  tn_buf_deinit(&record);
  tn_buf_deinit(&value);
}

void tn_source_disk_keep(const tn_source_job *job, tn_source_disk *disk, const tn_source_unit *unit,
                         bool is_of_print) {
  const tn_config *config = tn_config_get();
  const size_t size = unit->fatbin.size;
  if (!disk->has_key || size < config->cache_min_image ||
      (config->cache_max_image != 0 && size > config->cache_max_image)) {
    return;
  }
  tn_buf text;
  tn_buf record;
  tn_buf_init(&text, DESCRIPTION_MAXIMUM);
  tn_buf_init(&record, IMAGES_MAXIMUM);
  describe(job, unit, &text);
  const tn_str description = text.failed == TN_OK ? tn_buf_str(&text) : TN_STR_LIT("");
  if (unit->has_print && !is_of_print) {
    keep_images(unit, description);
  }
  tn_source_unit_write(unit, &record);
  if (record.failed == TN_OK) {
    tn_disk_cache_keep(disk->key, &disk->item, description, tn_buf_bytes(&record));
  }
  tn_buf_deinit(&text);
  tn_buf_deinit(&record);
}
