// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -fsycl-add-targets=: device images that others have made become images of this program.
#include "base/buf_list.h"
#include "base/file.h"
#include "base/map.h"
#include "compile/driver/device_images.h"
#include "image/image.h"

static tn_status no_memory(const tn_added_image *added, tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for '%s'", added->path);
}

// The images of a fat binary that are for the target.
static tn_status add_fatbin(const tn_added_image *added, tn_bytes bytes, tn_link_result *result,
                            tn_diag *diag) {
  tn_fatbin fatbin;
  size_t count = 0;
  TN_TRY(tn_fatbin_parse(bytes, &fatbin, diag));
  for (uint32_t i = 0; i < fatbin.image_count; i++) {
    const tn_image image = tn_fatbin_image_at(&fatbin, i);
    if (!tn_str_equals(image.target, tn_str_from(added->target.name))) {
      continue;
    }
    if (image.format == TN_IMAGE_FORMAT_HOST) {
      return TN_FAIL(diag, UNSUPPORTED,
                     "image %u has its machine code in the program it was made for; make the file "
                     "by -fsycl-link-targets=",
                     i);
    }
    tn_buf *out = tn_buf_list_add(&result->images, &result->arena, TN_DRIVER_BUFFER_MAXIMUM);
    if (!out) {
      return no_memory(added, diag);
    }
    TN_TRY(tn_image_write(&image, out, diag));
    count++;
  }
  return count > 0
             ? TN_OK
             : TN_FAIL(diag, INVALID_ARGUMENT, "it holds no image for %s", added->target.word);
}

// Lowered as a source is, and linked by itself.
static tn_status add_bitcode(const tn_plan *plan, const tn_added_image *added, tn_bytes bytes,
                             tn_link_result *result, tn_buf *text, tn_diag *diag) {
  tn_buf lowered;
  tn_buf symbols;
  tn_buf_init(&lowered, TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf_init(&symbols, TN_DRIVER_BUFFER_MAXIMUM);
  const tn_unit_params unit = {
      .bitcode = bytes,
      .source = added->path,
      .unit_id = tn_hash_bytes(bytes.data, bytes.size, 1),
      .target = &added->target,
      .opt_level = plan->command->opt_level,
      .is_foreign = true,
  };
  const size_t before = result->images.count;
  tn_status status = tn_pipeline_unit(&unit, &lowered, &symbols, text, diag);
  if (status == TN_OK) {
    const tn_link_input input = {tn_buf_bytes(&lowered), tn_buf_str(&symbols), added->path};
    const tn_link_params link = {
        .target = &added->target,
        .output = added->path,
        .inputs = &input,
        .input_count = 1,
        .opt_level = plan->command->opt_level,
        .debug = plan->command->debug,
        .split = TN_SPLIT_OFF,
        .threads = 1,
        .embed_ir = plan->command->embed_ir,
        .compression_level = tn_command_compression(plan->command),
    };
    status = tn_pipeline_link(&link, result, text, diag);
  }
  if (status == TN_OK && result->images.count == before) {
    status = TN_FAIL(diag, INVALID_ARGUMENT, "it defines no function and no kernel for others");
  }
  tn_buf_deinit(&symbols);
  tn_buf_deinit(&lowered);
  return status;
}

static bool is_ptx(tn_bytes bytes) {
  const tn_str text = {(const char *)bytes.data, bytes.size};
  return memchr(bytes.data, '\0', bytes.size) == NULL &&
         tn_str_find(text, TN_STR_LIT(".version ")) != SIZE_MAX &&
         tn_str_find(text, TN_STR_LIT(".target ")) != SIZE_MAX;
}

// Machine code and intermediate code of devices; NONE when it is nothing of the kind.
static tn_image_format format_of(tn_bytes bytes) {
  enum { ELF_MACHINE_AT = 18, MACHINE_CUDA = 190, MACHINE_AMDGPU = 224, ELF_HEADER_SIZE = 64 };
  if (bytes.size > ELF_HEADER_SIZE && memcmp(bytes.data,
                                             "\x7f"
                                             "ELF",
                                             4) == 0) {
    const unsigned machine = bytes.data[ELF_MACHINE_AT] + 256u * bytes.data[ELF_MACHINE_AT + 1];
    return machine == MACHINE_CUDA     ? TN_IMAGE_FORMAT_CUBIN
           : machine == MACHINE_AMDGPU ? TN_IMAGE_FORMAT_ELF
                                       : TN_IMAGE_FORMAT_NONE;
  }
  if (tn_spirv_is_module(bytes)) {
    return TN_IMAGE_FORMAT_SPIRV;
  }
  return is_ptx(bytes) ? TN_IMAGE_FORMAT_PTX : TN_IMAGE_FORMAT_NONE;
}

static bool format_suits(const tn_target *target, tn_image_format format) {
  switch (format) {
    case TN_IMAGE_FORMAT_SPIRV:
      return target->kind == TN_TARGET_SPIRV;
    case TN_IMAGE_FORMAT_PTX:
    case TN_IMAGE_FORMAT_CUBIN:
      return target->kind == TN_TARGET_NVPTX;
    default:
      return target->kind == TN_TARGET_AMDGPU;
  }
}

static tn_status add_foreign(const tn_added_image *added, tn_bytes bytes, tn_arena *arena,
                             tn_link_result *result, tn_diag *diag) {
  const tn_image_format format = format_of(bytes);
  if (format == TN_IMAGE_FORMAT_NONE) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "it is no device image: give LLVM bitcode, SPIR-V, PTX, a cubin, an AMD code "
                   "object or a fat binary");
  }
  if (!format_suits(&added->target, format)) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "it is %s, which %s does not take",
                   tn_image_format_name(format), added->target.word);
  }
  tn_list exports = {0};
  tn_list imports = {0};
  TN_TRY(tn_foreign_symbols_read(format, bytes, arena, &exports, &imports, diag));
  tn_symbol_info *out[2];
  tn_list *const lists[] = {&exports, &imports};
  for (size_t l = 0; l < TN_COUNT(lists); l++) {
    out[l] = tn_arena_alloc_array(arena, lists[l]->count, sizeof(tn_symbol_info));
    for (size_t i = 0; out[l] && i < lists[l]->count; i++) {
      out[l][i] = *(const tn_symbol_info *)lists[l]->items[i];
    }
  }
  const tn_image_desc desc = {
      .target = added->target.name,
      .triple = added->target.triple,
      .format = format,
      .code = bytes,
      .exports = out[0],
      .export_count = exports.count,
      .imports = out[1],
      .import_count = imports.count,
  };
  tn_buf *image = tn_buf_list_add(&result->images, &result->arena, TN_DRIVER_BUFFER_MAXIMUM);
  return out[0] && out[1] && image ? tn_fatbin_write(&desc, 1, image, diag)
                                   : no_memory(added, diag);
}

static tn_status add_file(const tn_plan *plan, const tn_added_image *added, tn_bytes bytes,
                          tn_arena *arena, tn_link_result *result, tn_buf *text, tn_diag *diag) {
  switch (tn_file_kind_of(bytes)) {
    case TN_FILE_FATBIN:
      return add_fatbin(added, bytes, result, diag);
    case TN_FILE_BITCODE:
      return add_bitcode(plan, added, bytes, result, text, diag);
    default:
      return add_foreign(added, bytes, arena, result, diag);
  }
}

tn_status tn_added_image_read(const tn_plan *plan, const tn_added_image *added, tn_arena *arena,
                              tn_link_result *result, tn_buf *text, tn_diag *diag) {
  char *data = NULL;
  size_t size = 0;
  TN_TRY(tn_file_read(added->path, TN_DRIVER_BUFFER_MAXIMUM, &data, &size, diag));
  const tn_status status =
      add_file(plan, added, tn_bytes_from(data, size), arena, result, text, diag);
  if (status != TN_OK) {
    tn_diag_prepend(diag, "-fsycl-add-targets=%s:%s", added->target.word, added->path);
  }
  tn_free(data);
  return status;
}
