// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -fsycl-dump-device-code=: device images as files, each with a list of what it says about itself.
#include "base/file.h"
#include "compile/driver/device_images.h"
#include "image/image.h"

#include <errno.h>
#include <sys/stat.h>

static const char *extension_of(uint32_t format) {
  switch (format) {
    case TN_IMAGE_FORMAT_BITCODE:
      return "bc";
    case TN_IMAGE_FORMAT_SPIRV:
      return "spv";
    case TN_IMAGE_FORMAT_PTX:
      return "ptx";
    case TN_IMAGE_FORMAT_CUBIN:
      return "cubin";
    case TN_IMAGE_FORMAT_NATIVE:
      return "o";
    case TN_IMAGE_FORMAT_ELF:
      return "elf";
    default:
      return "bin";
  }
}

static void add_symbol(tn_buf *out, const char *what, const tn_symbol_info *symbol) {
  tn_buf_add_format(out, "%s %.*s", what, TN_STR_ARG(symbol->name));
  if (symbol->user.size > 0) {
    tn_buf_add_format(out, " used by %.*s", TN_STR_ARG(symbol->user));
  }
  tn_buf_add_text(out, (symbol->flags & TN_SYMBOL_WEAK) != 0 ? " (weak)\n" : "\n");
}

static void add_kernel(tn_buf *out, const tn_kernel_info *kernel) {
  tn_buf_add_format(out, "kernel %.*s: %u bytes of arguments, aligned to %u",
                    TN_STR_ARG(kernel->name), kernel->arg_size, kernel->arg_align);
  if (kernel->file.size > 0) {
    tn_buf_add_format(out, ", at %.*s:%u", TN_STR_ARG(kernel->file), kernel->line);
  }
  tn_buf_add_char(out, '\n');
}

// Sets that are told in words already are left to their words.
static void add_other_sets(tn_buf *out, const tn_image *image) {
  static const char *const told[] = {TN_PROPS_KERNELS, TN_PROPS_IMPORTED, TN_PROPS_EXPORTED};
  for (uint32_t s = 0; s < tn_image_prop_set_count(image); s++) {
    const tn_prop_set set = tn_image_prop_set_at(image, s);
    bool is_told = false;
    for (size_t i = 0; i < TN_COUNT(told); i++) {
      is_told = is_told || tn_str_equals(set.name, tn_str_from(told[i]));
    }
    for (uint32_t i = 0; i < set.count && !is_told; i++) {
      const tn_prop prop = tn_prop_set_at(&set, i);
      tn_buf_add_format(out, "[%.*s] %.*s = ", TN_STR_ARG(set.name), TN_STR_ARG(prop.name));
      if (prop.type == TN_PROP_U32) {
        tn_buf_add_format(out, "%u\n", prop.u32);
        continue;
      }
      for (size_t b = 0; b < prop.bytes.size; b++) {
        tn_buf_add_format(out, "%02x", prop.bytes.data[b]);
      }
      tn_buf_add_char(out, '\n');
    }
  }
}

static void describe(tn_buf *out, const tn_image *image) {
  tn_buf_add_format(out, "target %.*s\ntriple %.*s\nformat %s\n", TN_STR_ARG(image->target),
                    TN_STR_ARG(image->triple), tn_image_format_name(image->format));
  for (uint32_t i = 0; i < tn_image_kernel_count(image); i++) {
    const tn_kernel_info kernel = tn_image_kernel_at(image, i);
    add_kernel(out, &kernel);
  }
  for (uint32_t i = 0; i < tn_image_export_count(image); i++) {
    const tn_symbol_info symbol = tn_image_export_at(image, i);
    add_symbol(out, "export", &symbol);
  }
  for (uint32_t i = 0; i < tn_image_import_count(image); i++) {
    const tn_symbol_info symbol = tn_image_import_at(image, i);
    add_symbol(out, "import", &symbol);
  }
  add_other_sets(out, image);
}

static tn_status write_file(const char *stem, const char *extension, tn_bytes bytes,
                            tn_diag *diag) {
  tn_buf path;
  tn_buf_init(&path, 1 << 16);
  tn_buf_add_format(&path, "%s.%s", stem, extension);
  tn_status status = tn_buf_status(&path, diag);
  if (status == TN_OK) {
    status = tn_file_write(tn_buf_text(&path), bytes, diag);
  }
  tn_buf_deinit(&path);
  return status;
}

static tn_status dump_image(const tn_image *image, const char *stem, tn_arena *arena,
                            tn_diag *diag) {
  tn_bytes code = {0};
  tn_buf text;
  // Code in the program itself has no bytes here.
  if (image->format != TN_IMAGE_FORMAT_HOST) {
    TN_TRY(tn_image_code(image, arena, &code, diag));
    TN_TRY(write_file(stem, extension_of(image->format), code, diag));
  }
  tn_buf_init(&text, TN_DRIVER_BUFFER_MAXIMUM);
  describe(&text, image);
  tn_status status = tn_buf_status(&text, diag);
  if (status == TN_OK) {
    status = write_file(stem, "props.txt", tn_buf_bytes(&text), diag);
  }
  tn_buf_deinit(&text);
  return status;
}

// With the folders above it.
static bool make_folders(const char *folder) {
  char *path = tn_str_copy(tn_str_from(folder));
  bool good = path != NULL;
  for (char *at = path; good && *at != '\0';) {
    at += strspn(at, "/");
    at += strcspn(at, "/");
    const char end = *at;
    *at = '\0';
    good = mkdir(path, 0777) == 0 || (errno == EEXIST && tn_file_is_directory(path));
    *at = end;
  }
  tn_free(path);
  return good;
}

static tn_status make_folder(const char *folder, tn_diag *diag) {
  if (make_folders(folder)) {
    return TN_OK;
  }
  return TN_FAIL_NATIVE(diag, IO, errno,
                        "-fsycl-dump-device-code=%s: the folder cannot be made: %s", folder,
                        strerror(errno));
}

tn_status tn_device_dump(const char *folder, const char *name, tn_bytes bytes, tn_diag *diag) {
  tn_fatbin fatbin;
  TN_TRY(make_folder(folder, diag));
  TN_TRY(tn_fatbin_parse(bytes, &fatbin, diag));
  tn_arena arena;
  tn_arena_init(&arena);
  const tn_str base = tn_path_base(tn_str_from(name));
  tn_status status = TN_OK;
  for (uint32_t i = 0; i < fatbin.image_count && status == TN_OK; i++) {
    const tn_image image = tn_fatbin_image_at(&fatbin, i);
    const char *stem = tn_arena_format(&arena, "%s/%.*s.%u", folder, TN_STR_ARG(base), i);
    status = stem ? dump_image(&image, stem, &arena, diag)
                  : TN_FAIL(diag, OUT_OF_MEMORY, "no memory to write device code");
  }
  tn_arena_deinit(&arena);
  return status;
}
