// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of code: a module, several modules, the driver's binary.
#include "adapter/opencl/opencl_code.h"

#include "base/alloc.h"
#include "image/image.h"

#include <string.h>

#define BINARY_HEAD "TNCLBIN1"
#define MODULES_HEAD "TNCLIL01"
enum { HEAD_SIZE = 8 };

static bool has_head(tn_bytes code, const char *head) {
  return code.size >= HEAD_SIZE && memcmp(code.data, head, HEAD_SIZE) == 0;
}

bool tn_opencl_code_binary(tn_bytes code, tn_bytes *out) {
  if (!has_head(code, BINARY_HEAD)) {
    return false;
  }
  *out = tn_bytes_from(code.data + HEAD_SIZE, code.size - HEAD_SIZE);
  return true;
}

void tn_opencl_code_write_binary(tn_bytes binary, tn_buf *out) {
  tn_buf_add(out, BINARY_HEAD, HEAD_SIZE);
  tn_buf_add(out, binary.data, binary.size);
}

void tn_opencl_code_write_modules(const tn_adapter_code *pieces, size_t count, tn_buf *out) {
  tn_buf_add(out, MODULES_HEAD, HEAD_SIZE);
  tn_buf_add_u64(out, count);
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_u64(out, pieces[i].size);
  }
  for (size_t i = 0; i < count; i++) {
    tn_buf_add(out, pieces[i].code, pieces[i].size);
    tn_buf_align(out, sizeof(uint64_t));
  }
}

static tn_status fail_damaged(tn_diag *diag) {
  return TN_FAIL(diag, BAD_IMAGE, "linked SPIR-V modules: a size exceeds the code");
}

static uint64_t u64_at(tn_bytes code, size_t at) {
  uint64_t value = 0;
  memcpy(&value, code.data + at, sizeof(value));
  return value;
}

static tn_status read_modules(tn_bytes code, tn_arena *arena, tn_adapter_code **out,
                              size_t *out_count, tn_diag *diag) {
  const size_t unit = sizeof(uint64_t);
  const uint64_t count = code.size >= HEAD_SIZE + unit ? u64_at(code, HEAD_SIZE) : 0;
  size_t at = HEAD_SIZE + unit + (size_t)(count % TN_OPENCL_PIECES_MAXIMUM) * unit;
  if (count == 0 || count >= TN_OPENCL_PIECES_MAXIMUM || at > code.size) {
    return fail_damaged(diag);
  }
  tn_adapter_code *modules = tn_arena_alloc_array(arena, (size_t)count, sizeof(*modules));
  if (!modules) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu SPIR-V modules", (size_t)count);
  }
  for (size_t i = 0; i < count; i++) {
    const uint64_t size = u64_at(code, HEAD_SIZE + unit + i * unit);
    if (at > code.size || size > code.size - at) {
      return fail_damaged(diag);
    }
    modules[i] = (tn_adapter_code){code.data + at, size, ""};
    at += ((size_t)size + unit - 1) / unit * unit;
  }
  *out = modules;
  *out_count = (size_t)count;
  return TN_OK;
}

tn_status tn_opencl_code_modules(tn_bytes code, tn_arena *arena, tn_adapter_code **out,
                                 size_t *out_count, tn_diag *diag) {
  if (has_head(code, MODULES_HEAD)) {
    return read_modules(code, arena, out, out_count, diag);
  }
  if (!tn_spirv_is_module(code)) {
    return TN_FAIL(diag, BAD_IMAGE, "the code is not a SPIR-V module");
  }
  *out = tn_arena_alloc(arena, sizeof(**out));
  if (!*out) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a SPIR-V module");
  }
  **out = (tn_adapter_code){code.data, code.size, ""};
  *out_count = 1;
  return TN_OK;
}

uint32_t tn_opencl_image_fit(tn_adapter_device *device, const tn_adapter_image *image,
                             uint32_t *out_flags, tn_diag *diag) {
  *out_flags = TN_ADAPTER_IMAGE_IS_PORTABLE | TN_ADAPTER_IMAGE_HAS_NATIVE_SPECS;
  if (image->format == TN_IMAGE_FORMAT_SPIRV) {
    return 1;
  }
  *out_flags = 0;
  TN_IGNORE(TN_FAIL(diag, UNSUPPORTED, "%s takes SPIR-V: compile it with -fsycl-targets=spir64",
                    device->name),
            "the caller returns 0");
  return 0;
}

// The driver compiles at every load what is not linked: all images take that way, so that the
// driver's binary is kept on disk.
tn_status tn_opencl_image_prepare(tn_adapter_device *device, const tn_adapter_image *image,
                                  const tn_adapter_code *code, const tn_adapter_linkage *linkage,
                                  tn_adapter_prepared *out, tn_diag *diag) {
  (void)device;
  (void)image;
  const tn_bytes module = tn_bytes_from(code->code, code->size);
  if (!tn_spirv_is_module(module)) {
    return TN_FAIL(diag, BAD_IMAGE, "the image's code is not a SPIR-V module");
  }
  tn_buf changed;
  tn_buf_init(&changed, SIZE_MAX / 2);
  if (linkage->image_count > 1) {
    tn_opencl_spirv_write_roles(linkage, module, &changed);
  }
  const tn_status status = tn_buf_status(&changed, diag);
  if (status != TN_OK || changed.size == 0) {
    tn_buf_deinit(&changed);
  } else {
    out->code = changed.data;  // code_free's
    out->size = changed.size;
  }
  out->needs_link = 1;
  return status;
}
