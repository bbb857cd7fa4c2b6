// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pieces of code that call each other, made ready for the driver's linker and put together by it:
// PTX, which it compiles, and machine code.
#include "adapter/cuda/cuda_device.h"
#include "adapter/cuda/cuda_roles.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/dynlib.h"
#include "base/log.h"
#include "base/str.h"
#include "image/image.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_SIZE = 8192, SHOWN_LOG = 560, SHOWN_NAMES = 300 };

// One link; on the stack of one thread.
typedef struct link_job {
  tn_adapter_device *device;
  const tn_adapter_code *pieces;
  size_t count;
  char log[LOG_SIZE];
  tn_cu_result result;
  const char *failed;  // the piece that was not taken; NULL: the whole
} link_job;

const char *tn_cuda_device_processor(tn_adapter_device *device) { return device->processor; }

// The driver's file has its full version in its name: libcuda.so.580.95.05.
void tn_cuda_link_describe(tn_adapter_device *device) {
  void *address = NULL;
  memcpy(&address, &device->driver->init, sizeof(address));
  const char *path = tn_dynlib_path_of(address);
  char file[PATH_MAX] = "";
  if (path && !realpath(path, file)) {
    file[0] = '\0';
  }
  const char *slash = strrchr(file, '/');
  (void)snprintf(device->identity, sizeof(device->identity), "%s, CUDA %d, %.80s",
                 device->processor, device->driver->version, slash ? slash + 1 : file);
}

const char *tn_cuda_device_identity(tn_adapter_device *device) { return device->identity; }

bool tn_cuda_is_machine_code(const void *code, size_t size) {
  return size >= 4 && memcmp(code, "\177ELF", 4) == 0;
}

static bool names_have(tn_str code, const Elf64_Ehdr *header, size_t index, tn_str name) {
  Elf64_Shdr section;
  const uint64_t at = header->e_shoff + index * sizeof(section);
  if (at > code.size || code.size - at < sizeof(section)) {
    return false;
  }
  memcpy(&section, code.data + at, sizeof(section));
  return section.sh_type == SHT_STRTAB && section.sh_offset <= code.size &&
         tn_str_find(tn_str_slice(code, section.sh_offset, section.sh_size), name) != SIZE_MAX;
}

// Code may be large, and is not read for this: LLVM declares functions before the first body.
bool tn_cuda_code_calls(tn_str code, tn_str function) {
  Elf64_Ehdr header;
  if (!tn_cuda_is_machine_code(code.data, code.size)) {
    const size_t body = tn_str_find_char(code, '{');
    return tn_str_find(tn_str_slice(code, 0, body), function) != SIZE_MAX;
  }
  if (code.size < sizeof(header)) {
    return false;
  }
  memcpy(&header, code.data, sizeof(header));
  bool found = false;
  for (size_t i = 0; i < header.e_shnum && !found; i++) {
    found = names_have(code, &header, i, function);
  }
  return found;
}

// PTX is text that ends in NUL for the driver.
static tn_cu_result add_piece(const link_job *job, tn_cu_link link, const tn_adapter_code *piece) {
  const tn_cuda_driver *driver = job->device->driver;
  if (tn_cuda_is_machine_code(piece->code, piece->size)) {
    return driver->link_add(link, TN_CU_INPUT_CUBIN, (void *)(uintptr_t)piece->code, piece->size,
                            piece->name, 0, NULL, NULL);
  }
  char *text = tn_alloc(piece->size + 1);
  if (!text) {
    return TN_CU_OUT_OF_MEMORY;
  }
  memcpy(text, piece->code, piece->size);
  text[piece->size] = '\0';
  const tn_cu_result result =
      driver->link_add(link, TN_CU_INPUT_PTX, text, piece->size + 1, piece->name, 0, NULL, NULL);
  tn_free(text);
  return result;
}

// The driver's memory goes with its link: the code is copied out of it.
static void *run(link_job *job, tn_cu_link link, size_t *out_size) {
  for (size_t i = 0; i < job->count; i++) {
    job->result = add_piece(job, link, &job->pieces[i]);
    if (job->result != TN_CU_SUCCESS) {
      job->failed = job->pieces[i].name;
      return NULL;
    }
  }
  void *code = NULL;
  job->result = job->device->driver->link_complete(link, &code, out_size);
  if (job->result != TN_CU_SUCCESS) {
    return NULL;
  }
  void *copy = tn_alloc(*out_size > 0 ? *out_size : 1);
  if (copy) {
    memcpy(copy, code, *out_size);
  } else {
    job->result = TN_CU_OUT_OF_MEMORY;
  }
  return copy;
}

// A piece that is alone keeps its symbols, and PTX is compiled as a whole by loading it.
static tn_status write_roles(const tn_adapter_image *image, tn_bytes code,
                             const tn_adapter_linkage *linkage, tn_buf *out, tn_diag *diag) {
  const bool is_alone = linkage->image_count == 1;
  if (image->format == TN_IMAGE_FORMAT_CUBIN && !is_alone) {
    return tn_cuda_cubin_write_roles(linkage, code, out, diag);
  }
  if (!is_alone || (image->format == TN_IMAGE_FORMAT_PTX && linkage->import_count > 0)) {
    return tn_cuda_ptx_write_roles(linkage, code, out, diag);
  }
  return TN_OK;
}

tn_status tn_cuda_image_prepare(tn_adapter_device *device, const tn_adapter_image *image,
                                const tn_adapter_code *code, const tn_adapter_linkage *linkage,
                                tn_adapter_prepared *out, tn_diag *diag) {
  (void)device;
  const tn_bytes given = tn_bytes_from(code->code, code->size);
  tn_buf changed;
  tn_buf_init(&changed, 1);
  const tn_status status = write_roles(image, given, linkage, &changed, diag);
  if (status == TN_OK && changed.size > 0) {
    *out = (tn_adapter_prepared){.code = changed.data, .size = changed.size};
    return TN_OK;
  }
  tn_buf_deinit(&changed);
  *out = (tn_adapter_prepared){.needs_link = tn_cuda_cubin_is_relocatable(given) ? 1 : 0};
  return status;
}

static void add_names(const link_job *job, tn_buf *text) {
  for (size_t i = 0; i < job->count; i++) {
    if (text->size > SHOWN_NAMES) {
      tn_buf_add_format(text, " and %zu more", job->count - i);
      return;
    }
    const tn_str name = tn_path_base(tn_str_from(job->pieces[i].name));
    tn_buf_add_format(text, "%s%.*s",
                      i == 0               ? ""
                      : i + 1 < job->count ? ", "
                                           : " and ",
                      TN_STR_ARG(tn_str_slice(name, 0, 120)));
  }
}

// "H200: linking a.out and libx.so: …; the driver says: …".
static tn_status fail(link_job *job, tn_diag *diag) {
  tn_buf text;
  tn_buf_init(&text, 4096);
  tn_buf_add_format(&text, "%.80s: ", job->device->name);
  if (job->failed) {
    tn_buf_add_format(&text, "code of %.200s cannot be used", job->failed);
  } else {
    tn_buf_add_text(&text, job->count > 1 ? "linking " : "compiling ");
    add_names(job, &text);
  }
  tn_diag words = {0};
  tn_status status = tn_cuda_fail(job->device->driver, job->result, tn_buf_text(&text), &words);
  status = status == TN_DEVICE_FAILED ? TN_BUILD_FAILED : status;
  tn_buf_deinit(&text);
  const tn_str log = tn_str_trim(tn_str_from(job->log));
  return tn_diag_set(diag, status, job->result, __FILE__, __LINE__, "%s%s%.*s", words.text,
                     log.size > 0 ? "; the driver says: " : "",
                     TN_STR_ARG(tn_str_slice(log, 0, SHOWN_LOG)));
}

tn_status tn_cuda_program_link(tn_adapter_device *device, const tn_adapter_code *pieces,
                               size_t count, uint32_t group_shape, void **out,
                               size_t *out_size, tn_diag *diag) {
  *out = NULL;
  *out_size = 0;
  link_job job = {.device = device, .pieces = pieces, .count = count};
  int options[] = {TN_CU_JIT_ERROR_LOG, TN_CU_JIT_ERROR_LOG_SIZE, TN_CU_JIT_LINE_INFO,
                   TN_CU_JIT_THREADS_PER_BLOCK};
  void *values[] = {job.log, (void *)(uintptr_t)sizeof(job.log), (void *)(uintptr_t)1,
                    (void *)(uintptr_t)(group_shape * TN_CUDA_WARP)};
  const unsigned option_count = (unsigned)TN_COUNT(options) - (group_shape == 0 ? 1 : 0);
  const tn_cuda_driver *driver = device->driver;
  const uint64_t start = tn_time_ns();
  tn_cuda_entry entry;
  tn_cu_link link = NULL;
  TN_TRY(tn_cuda_enter(device, &entry, diag));
  job.result = driver->link_create(option_count, options, values, &link);
  if (job.result == TN_CU_SUCCESS) {
    *out = run(&job, link, out_size);
    (void)driver->link_destroy(link);
  }
  tn_cuda_leave(device, &entry);
  if (job.result != TN_CU_SUCCESS) {
    job.log[sizeof(job.log) - 1] = '\0';
    return fail(&job, diag);
  }
  TN_LOG(program, "%s: %zu image%s became %zu bytes of machine code in %llu us", device->name,
         count, count == 1 ? "" : "s", *out_size,
         (unsigned long long)((tn_time_ns() - start) / 1000));
  return TN_OK;
}

void tn_cuda_code_free(void *code) { tn_free(code); }
