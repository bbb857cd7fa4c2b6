// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Image files: device code that came by itself, not in a program or library. A file stands in the
// registry behind the modules, so that its exports resolve what nobody else does.
#include "base/file.h"
#include "base/log.h"
#include "base/map.h"
#include "run/program/image_source.h"
#include "run/program/program.h"
#include "run/program/symbol_text.h"
#include "run/registry/registry.h"

// Immutable after open.
struct tn_image_file {
  tn_ref ref;
  tn_registered *registered;  // retained; on the registry's list until it is closed
  tn_arena arena;
  tn_list names;  // const char *: what kernels can be asked for by, each once
};

// The files that are open, by their addresses: what was closed already is told from them, unless
// another file got its place.
static tn_mutex open_mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static tn_map open_files TN_GUARDED_BY(&open_mu);

static tn_str key_of(tn_image_file *const *file) {
  return (tn_str){(const char *)file, sizeof(*file)};
}

// Nothing is left of it when nothing is open.
static void shrink_open(void) TN_REQUIRES(&open_mu) {
  if (open_files.count == 0) {
    tn_map_deinit(&open_files);
  }
}

static bool add_open(tn_image_file *file) {
  tn_mutex_lock(&open_mu);
  const bool is_added = tn_map_set(&open_files, key_of(&file), file);
  shrink_open();
  tn_mutex_unlock(&open_mu);
  return is_added;
}

static bool remove_open(tn_image_file *file) {
  tn_mutex_lock(&open_mu);
  const bool was_open = tn_map_remove(&open_files, key_of(&file)) != NULL;
  shrink_open();
  tn_mutex_unlock(&open_mu);
  return was_open;
}

// With a reference for the caller; NULL when it is closed.
static tn_image_file *find_open(tn_image_file *file) {
  tn_mutex_lock(&open_mu);
  tn_image_file *found = tn_map_find(&open_files, key_of(&file));
  if (found) {
    tn_ref_up(&found->ref);
  }
  tn_mutex_unlock(&open_mu);
  return found;
}

// How many kernels (of different symbols) one image shows under a name.
static bool count_shown(const tn_image *image, tn_map *shown) {
  for (uint32_t k = 0; k < tn_image_kernel_count(image); k++) {
    const tn_kernel_info kernel = tn_image_kernel_at(image, k);
    const tn_str name = tn_symbol_text_strip(kernel.display_name);
    const uintptr_t count = (uintptr_t)tn_map_find(shown, name);
    if (name.size > 0 && !tn_map_set(shown, name, (void *)(count + 1))) {
      return false;
    }
  }
  return true;
}

// The name in the source where it means one kernel, the symbol otherwise.
static bool add_image_names(tn_image_file *file, const tn_image *image, tn_map *known) {
  tn_map shown_counts;
  tn_map_init(&shown_counts);
  bool has_all = count_shown(image, &shown_counts);
  for (uint32_t k = 0; k < tn_image_kernel_count(image) && has_all; k++) {
    const tn_kernel_info kernel = tn_image_kernel_at(image, k);
    const tn_str shown = tn_symbol_text_strip(kernel.display_name);
    const bool is_one = shown.size > 0 && (uintptr_t)tn_map_find(&shown_counts, shown) == 1;
    const tn_str name = is_one ? shown : kernel.name;
    if (tn_map_find(known, name)) {
      continue;
    }
    const char *copy = tn_arena_str(&file->arena, name);
    has_all = copy && tn_list_add(&file->names, &file->arena, copy) &&
              tn_map_set(known, name, file);
  }
  tn_map_deinit(&shown_counts);
  return has_all;
}

static bool add_names(tn_image_file *file, const tn_fatbin *fatbin) {
  tn_map known;
  tn_map_init(&known);
  bool has_all = true;
  for (uint32_t i = 0; i < fatbin->image_count && has_all; i++) {
    const tn_image image = tn_fatbin_image_at(fatbin, i);
    has_all = add_image_names(file, &image, &known);
  }
  tn_map_deinit(&known);
  return has_all;
}

static void release_file(tn_image_file *file) {
  if (file && tn_ref_down(&file->ref)) {
    tn_registered_release(file->registered);
    tn_arena_deinit(&file->arena);
    tn_free(file);
  }
}

// Takes `bytes` over in every case.
static tn_status create_file(const char *path, void *bytes, size_t size, tn_image_file **out,
                             tn_diag *diag) {
  tn_image_file *file = tn_alloc(sizeof(*file));
  tn_status status = file ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for an image file");
  if (status == TN_OK) {
    tn_ref_init(&file->ref);
    tn_arena_init(&file->arena);
    status = tn_registry_add_file(path, bytes, size, &file->registered, diag);
  }
  if (status != TN_OK) {
    tn_free(bytes);
    tn_free(file);
    return status;
  }
  const tn_fatbin *fatbin = NULL;
  status = tn_registered_pin(file->registered, &fatbin, diag);
  if (status == TN_OK) {
    if (!add_names(file, fatbin) || !add_open(file)) {
      status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the names of kernels");
    }
    tn_registered_unpin(file->registered);
  }
  if (status != TN_OK) {
    tn_registry_remove_file(file->registered);
    release_file(file);
    return status;
  }
  *out = file;
  return TN_OK;
}

static tn_status create_from(const char *path, tn_bytes contents, tn_image_file **out,
                             tn_diag *diag) {
  tn_buf fatbin;
  tn_buf_init(&fatbin, TN_IMAGE_SOURCE_MAXIMUM);
  void *copy = NULL;
  tn_status status = tn_image_source_read(contents, path, &fatbin, diag);
  if (status == TN_OK) {
    copy = tn_alloc(fatbin.size);
    status = copy ? TN_OK
                  : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu bytes of images", fatbin.size);
  }
  const size_t size = fatbin.size;
  if (copy) {
    memcpy(copy, fatbin.data, size);
  }
  tn_buf_deinit(&fatbin);
  return copy ? create_file(path, copy, size, out, diag) : status;
}

// The compiler names what it reads where it has more to say.
static void name_once(const char *name, tn_diag *diag) {
  if (diag && !tn_str_has_prefix(tn_str_from(diag->text), tn_str_from(name))) {
    tn_diag_prepend(diag, "%s", name);
  }
}

tn_status tn_image_open(const char *path, tn_image_file **out, tn_diag *diag) {
  if (!out) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_image_open: the place for the file is NULL");
  }
  *out = NULL;
  if (!path || path[0] == '\0') {
    return TN_FAIL(diag, INVALID_ARGUMENT, "opening an image file: its path is %s",
                   path ? "empty" : "NULL");
  }
  tn_program_reap();
  char *data = NULL;
  size_t size = 0;
  TN_TRY(tn_file_read_regular(path, TN_IMAGE_SOURCE_MAXIMUM, &data, &size, diag));
  const tn_status status = create_from(path, tn_bytes_from(data, size), out, diag);
  if (status != TN_OK) {
    name_once(path, diag);
  }
  tn_free(data);
  return status;
}

tn_status tn_image_open_memory(const void *bytes, size_t size, tn_image_file **out,
                               tn_diag *diag) {
  static const char name[] = "images in memory";
  if (!out) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_image_open_memory: the place for the file is NULL");
  }
  *out = NULL;
  if (!bytes) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: their bytes are NULL", name);
  }
  tn_program_reap();
  const tn_status status = create_from(name, tn_bytes_from(bytes, size), out, diag);
  if (status != TN_OK) {
    name_once(name, diag);
  }
  return status;
}

void tn_image_close(tn_image_file *file) {
  if (!file) {
    return;
  }
  if (!remove_open(file)) {
    TN_LOG(program, "image file %p: is closed already", (void *)file);
    return;
  }
  tn_registry_remove_file(file->registered);
  release_file(file);
  tn_program_reap();
}

size_t tn_image_file_kernel_count(const tn_image_file *file) {
  return file ? file->names.count : 0;
}

const char *tn_image_file_kernel_name(const tn_image_file *file, size_t index) {
  return file && index < file->names.count ? file->names.items[index] : NULL;
}

tn_status tn_kernel_create(tn_image_file *file, const char *name, tn_device *device,
                           tn_kernel **out, tn_diag *diag) {
  if (!out) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_kernel_create: the place for the kernel is NULL");
  }
  *out = NULL;
  if (!file || !name || !device) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_kernel_create: the %s is NULL",
                   !file ? "image file" : !name ? "kernel's name" : "device");
  }
  tn_image_file *held = find_open(file);
  if (!held) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "kernel %s: its image file is closed", name);
  }
  const tn_program_request request = {.image = {held->registered, TN_IMAGE_OF_KERNEL},
                                      .device = device,
                                      .kernel = tn_str_from(name),
                                      .by_text = true};
  const tn_status status = tn_kernel_get(&request, out, diag);
  release_file(held);
  return status;
}
