// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -fsycl-host-compiler: what the device pass made of a unit's kernels, told to another compiler and
// compared with what that made of them.
#include "base/file.h"
#include "compile/driver/plan.h"
#include "image/image.h"

// Of the first target: kernels are the same for all.
static tn_status list_kernels(const tn_unit *unit, tn_arena *arena, tn_host_kernels *out,
                              tn_diag *diag) {
  const tn_link_input input = {tn_buf_bytes(&unit->lowered[0]), tn_buf_str(&unit->symbols[0]),
                               unit->name};
  tn_list kernels = {0};
  TN_TRY(tn_pipeline_kernels(&input, arena, &kernels, diag));
  out->items = tn_arena_alloc_array(arena, kernels.count, sizeof(*out->items));
  if (!out->items) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the kernels of '%s'", unit->name);
  }
  out->closures = unit->closures;
  out->count = kernels.count;
  for (size_t i = 0; i < kernels.count; i++) {
    const tn_kernel_info *kernel = kernels.items[i];
    out->items[i] = (tn_host_kernel){
        .name = tn_str_slice(kernel->name, 0, tn_str_rfind_char(kernel->name, '@')),
        .size = kernel->arg_size,
        .alignment = kernel->arg_align,
        .file = kernel->file,
        .line = kernel->line,
    };
  }
  return TN_OK;
}

tn_status tn_unit_header_write(tn_unit *unit, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_host_kernels kernels = {0};
  tn_buf header;
  tn_buf_init(&header, TN_DRIVER_BUFFER_MAXIMUM);
  tn_status status = list_kernels(unit, &arena, &kernels, diag);
  if (status == TN_OK) {
    tn_frontend_integration_write(&kernels, unit->id, &arena, &header);
    status = tn_buf_status(&header, diag);
  }
  if (status == TN_OK) {
    status = tn_file_write(unit->integration_header, tn_buf_bytes(&header), diag);
  }
  tn_buf_deinit(&header);
  tn_arena_deinit(&arena);
  return status;
}

tn_status tn_unit_launches_check(const tn_unit *unit, tn_buf *text, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_host_kernels kernels = {0};
  char *object = NULL;
  size_t size = 0;
  tn_status status = list_kernels(unit, &arena, &kernels, diag);
  if (status == TN_OK) {
    status = tn_file_read(unit->host_object, TN_DRIVER_BUFFER_MAXIMUM, &object, &size, diag);
  }
  if (status == TN_OK) {
    status = tn_frontend_check_launches(tn_bytes_from(object, size), unit->name, &kernels, &arena,
                                        text, diag);
  }
  tn_free(object);
  tn_arena_deinit(&arena);
  return status;
}

// As it stands in a rule of make.
static void add_make_path(tn_buf *out, const char *path) {
  for (; *path; path++) {
    if (*path == ' ' || *path == '#') {
      tn_buf_add_char(out, '\\');
    } else if (*path == '$') {
      tn_buf_add_char(out, '$');
    }
    tn_buf_add_char(out, *path);
  }
}

// The header is made by the compilation that depends on it: in a list of dependencies, make would
// look for somebody else who makes it.
static void drop_path(tn_str text, tn_str path, tn_buf *out) {
  tn_str rest = text;
  for (;;) {
    const size_t at = tn_str_find(rest, path);
    if (at == SIZE_MAX) {
      tn_buf_add_str(out, rest);
      return;
    }
    size_t from = at;
    while (from > 0 && rest.data[from - 1] == ' ') {
      from--;
    }
    tn_buf_add_str(out, tn_str_slice(rest, 0, from));
    rest = tn_str_slice(rest, at + path.size, SIZE_MAX);
    if (rest.size > 0 && rest.data[0] == ':') {
      rest = tn_str_slice(rest, 1, SIZE_MAX);  // the rule without commands of -MP
    }
  }
}

tn_status tn_unit_dependencies_clean(const tn_unit *unit, tn_diag *diag) {
  if (!unit->dependency_file || !tn_file_exists(unit->dependency_file)) {
    return TN_OK;
  }
  char *data = NULL;
  size_t size = 0;
  tn_buf path;
  tn_buf text;
  tn_buf_init(&path, 1 << 16);
  tn_buf_init(&text, TN_DRIVER_BUFFER_MAXIMUM);
  tn_status status =
      tn_file_read(unit->dependency_file, TN_DRIVER_BUFFER_MAXIMUM, &data, &size, diag);
  if (status == TN_OK) {
    add_make_path(&path, unit->integration_header);
    drop_path((tn_str){data, size}, tn_buf_str(&path), &text);
    status = tn_buf_status(&text, diag);
  }
  if (status == TN_OK && text.size != size) {
    status = tn_file_write(unit->dependency_file, tn_buf_bytes(&text), diag);
  }
  tn_free(data);
  tn_buf_deinit(&text);
  tn_buf_deinit(&path);
  return status;
}
