// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that a build has read from the disk, with a hash of what is in them.
#include "base/blake3.h"
#include "base/file.h"
#include "compile/clang/clang.h"
#include "rtc/source_compile.h"

#include <limits.h>
#include <unistd.h>

enum { INPUT_MAXIMUM = 1 << 30 };

static tn_status no_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the names of headers");
}

// By the name it was opened by, not where links lead: a link that is changed is a change, too.
static tn_status full_path(tn_arena *arena, const char *name, char **folder, const char **out,
                           tn_diag *diag) {
  if (name[0] != '/' && !*folder) {
    char path[PATH_MAX];
    if (!getcwd(path, sizeof(path))) {
      return TN_FAIL(diag, IO,
                     "the folder that the process is in is gone, and '%s' is relative to it: "
                     "give full paths, or go to another folder",
                     name);
    }
    *folder = tn_str_copy(tn_str_from(path));
  }
  *out = name[0] == '/' ? tn_arena_str(arena, tn_str_from(name))
         : *folder      ? tn_arena_format(arena, "%s/%s", *folder, name)
                        : NULL;
  return *out ? TN_OK : no_memory(diag);
}

// A file that was opened and not read is no part of the result but by being there.
static tn_status read_input(const char *name, tn_source_input *out, tn_diag *diag) {
  char *data = NULL;
  size_t size = 0;
  tn_blake3 hash;
  TN_TRY(tn_file_read_regular(name, INPUT_MAXIMUM, &data, &size, diag));
  tn_blake3_init(&hash);
  tn_blake3_add(&hash, data, size);
  tn_blake3_finish(&hash, out->hash);
  out->size = size;
  tn_free(data);
  return TN_OK;
}

static tn_status add_input(const tn_clang_input *input, tn_arena *arena, char **folder,
                           tn_source_input *out, tn_diag *diag) {
  TN_TRY(full_path(arena, input->name, folder, &out->path, diag));
  if (!input->is_read) {
    return read_input(input->name, out, diag);
  }
  memcpy(out->hash, input->hash, sizeof(out->hash));
  out->size = input->size;
  return TN_OK;
}

static tn_status add_misses(const tn_list *misses, tn_arena *arena, char **folder,
                            tn_source_result *out, tn_diag *diag) {
  const char **all = tn_arena_alloc_array(arena, misses->count + 1, sizeof(*all));
  size_t count = 0;
  while (all && count < misses->count) {
    TN_TRY(full_path(arena, misses->items[count], folder, &all[count], diag));
    count++;
  }
  out->misses = all;
  out->miss_count = count;
  return all ? TN_OK : no_memory(diag);
}

tn_status tn_source_inputs_read(const tn_list *inputs, const tn_list *misses, tn_arena *arena,
                                tn_source_result *out, tn_diag *diag) {
  tn_source_input *all = tn_arena_alloc_array(arena, inputs->count + 1, sizeof(*all));
  if (!all) {
    return no_memory(diag);
  }
  char *folder = NULL;
  tn_status status = TN_OK;
  size_t count = 0;
  for (size_t i = 0; i < inputs->count && status == TN_OK; i++) {
    const tn_clang_input *input = inputs->items[i];
    if (!input->is_in_memory) {
      status = add_input(input, arena, &folder, &all[count++], diag);
    }
  }
  if (status == TN_OK) {
    status = add_misses(misses, arena, &folder, out, diag);
  }
  tn_free(folder);
  if (status == TN_OK) {
    out->inputs = all;
    out->input_count = count;
  }
  return status;
}
