// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Image files: device code that came by itself, not in a program or library. A file stands in the
// registry behind the modules, so that its exports resolve what nobody else does.
#include "base/file.h"
#include "base/log.h"
#include "run/program/kernel_lookup.h"
#include "run/program/symbol_text.h"

enum { FILE_MAXIMUM = 1 << 30 };

// Immutable after open.
struct tn_image_file {
  tn_ref ref;
  tn_registered *registered;  // retained; on the registry's list until the last release
  tn_arena arena;
  tn_list names;  // const char *: what kernels can be asked for by, each once
};

static bool has_name(const tn_image_file *file, tn_str name) {
  for (size_t i = 0; i < file->names.count; i++) {
    if (tn_str_equals(tn_str_from(file->names.items[i]), name)) {
      return true;
    }
  }
  return false;
}

// How many kernels (of different symbols) one image shows under a name.
static uint32_t count_shown(const tn_image *image, tn_str shown) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < tn_image_kernel_count(image); k++) {
    const tn_kernel_info kernel = tn_image_kernel_at(image, k);
    count += tn_str_equals(tn_symbol_text_strip(kernel.display_name), shown) ? 1 : 0;
  }
  return count;
}

// The name in the source where it means one kernel, the symbol otherwise.
static bool add_names(tn_image_file *file, const tn_fatbin *fatbin) {
  for (uint32_t i = 0; i < fatbin->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(fatbin, i);
    for (uint32_t k = 0; k < tn_image_kernel_count(&image); k++) {
      const tn_kernel_info kernel = tn_image_kernel_at(&image, k);
      const tn_str shown = tn_symbol_text_strip(kernel.display_name);
      const tn_str name = shown.size > 0 && count_shown(&image, shown) == 1 ? shown : kernel.name;
      if (has_name(file, name)) {
        continue;
      }
      const char *copy = tn_arena_str(&file->arena, name);
      if (!copy || !tn_list_add(&file->names, &file->arena, copy)) {
        return false;
      }
    }
  }
  return true;
}

static void destroy_file(tn_image_file *file) {
  if (file) {
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
    if (!add_names(file, fatbin)) {
      status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the names of kernels");
    }
    tn_registered_unpin(file->registered);
  }
  if (status != TN_OK) {
    tn_registry_remove_file(file->registered);
    destroy_file(file);
    return status;
  }
  *out = file;
  return TN_OK;
}

// The container inside `contents`: all of it, or the section of an ELF file.
static tn_status find_container(tn_bytes contents, tn_bytes *out, tn_diag *diag) {
  bool is_found = true;
  *out = contents;
  switch (tn_file_kind_of(contents)) {
    case TN_FILE_FATBIN:
      return TN_OK;
    case TN_FILE_ELF_OBJECT:
    case TN_FILE_ELF_EXECUTABLE:
    case TN_FILE_ELF_SHARED:
      TN_TRY(tn_elf_section_find(contents, TN_SECTION_FATBIN, &is_found, out, diag));
      return is_found ? TN_OK
                      : TN_FAIL(diag, BAD_IMAGE, "it is an ELF file without section %s: it was not "
                                "linked by tenon++ -fsycl, or has no device code",
                                TN_SECTION_FATBIN);
    default:
      return TN_FAIL(diag, BAD_IMAGE, "it is neither a fat binary (tenon-image --extract) nor an "
                     "ELF file that carries one");
  }
}

// A program of several modules has as many containers in its section: their images, as one.
static tn_status join_containers(tn_bytes section, tn_buf *out, tn_diag *diag) {
  tn_bytes part;
  size_t count = 0;
  for (size_t at = 0; tn_fatbin_next(section, &at, &part);) {
    count++;
  }
  if (count < 2) {
    tn_buf_add(out, section.data, section.size);
    return tn_buf_status(out, diag);
  }
  tn_bytes *parts = tn_alloc_array(count, sizeof(*parts));
  if (!parts) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu fat binaries", count);
  }
  count = 0;
  for (size_t at = 0; tn_fatbin_next(section, &at, &part);) {
    parts[count++] = part;
  }
  const tn_status status = tn_fatbin_join(parts, count, out, diag);
  tn_free(parts);
  return status;
}

static tn_status create_from(const char *path, tn_bytes contents, tn_image_file **out,
                             tn_diag *diag) {
  tn_bytes container;
  TN_TRY(find_container(contents, &container, diag));
  if (container.size == 0) {
    return TN_FAIL(diag, BAD_IMAGE, "its section %s is empty", TN_SECTION_FATBIN);
  }
  tn_buf joined;
  tn_buf_init(&joined, FILE_MAXIMUM);
  void *copy = NULL;
  tn_status status = join_containers(container, &joined, diag);
  if (status == TN_OK) {
    copy = tn_alloc(joined.size);
    status = copy ? TN_OK
                  : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu bytes of images", joined.size);
  }
  const size_t size = joined.size;
  if (copy) {
    memcpy(copy, joined.data, size);
  }
  tn_buf_deinit(&joined);
  return copy ? create_file(path, copy, size, out, diag) : status;
}

tn_status tn_image_file_open(const char *path, tn_image_file **out, tn_diag *diag) {
  *out = NULL;
  if (!path) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_image_file_open: the path is NULL");
  }
  tn_program_reap();
  char *data = NULL;
  size_t size = 0;
  TN_TRY(tn_file_read(path, FILE_MAXIMUM, &data, &size, diag));
  const tn_status status = create_from(path, tn_bytes_from(data, size), out, diag);
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%s", path);
  }
  tn_free(data);
  return status;
}

tn_status tn_image_file_from_memory(const void *bytes, size_t size, tn_image_file **out,
                                    tn_diag *diag) {
  *out = NULL;
  if (!bytes) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_image_file_from_memory: the bytes are NULL");
  }
  tn_program_reap();
  const tn_status status = create_from("images in memory", tn_bytes_from(bytes, size), out, diag);
  if (status != TN_OK) {
    tn_diag_prepend(diag, "images in memory");
  }
  return status;
}

void tn_image_file_release(tn_image_file *file) {
  if (file && tn_ref_down(&file->ref)) {
    tn_registry_remove_file(file->registered);
    destroy_file(file);
    tn_program_reap();
  }
}

size_t tn_image_file_kernel_count(const tn_image_file *file) {
  return file->names.count;
}

const char *tn_image_file_kernel_name(const tn_image_file *file, size_t index) {
  return index < file->names.count ? file->names.items[index] : NULL;
}

tn_status tn_kernel_create(tn_image_file *file, const char *name, tn_device *device,
                           tn_kernel **out, tn_diag *diag) {
  *out = NULL;
  if (!file || !name || !device) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_kernel_create: the %s is NULL",
                   !file ? "image file" : !name ? "kernel's name" : "device");
  }
  const tn_kernel_query query = {.registered = file->registered, .device = device,
                                 .name = tn_str_from(name), .by_text = true};
  return tn_kernel_lookup(&query, out, diag);
}
