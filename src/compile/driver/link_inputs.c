// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads device code out of objects and archives, which stay mapped as long as the link lasts.
#include "compile/driver/link_inputs.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "image/image.h"

typedef struct mapped_file {
  void *data;
  size_t size;
} mapped_file;

void tn_link_inputs_init(tn_link_inputs *inputs, tn_arena *arena) {
  *inputs = (tn_link_inputs){.arena = arena};
  tn_args_init(&inputs->taken, arena);
  tn_args_init(&inputs->warnings, arena);
}

void tn_link_inputs_deinit(tn_link_inputs *inputs) {
  for (size_t i = 0; i < inputs->files.count; i++) {
    const mapped_file *file = inputs->files.items[i];
    (void)munmap(file->data, file->size);
  }
  *inputs = (tn_link_inputs){0};
}

// Empty bytes for what cannot be mapped: the linker reads the same file and says why.
static tn_status map_file(tn_link_inputs *inputs, const char *path, tn_bytes *out, tn_diag *diag) {
  *out = (tn_bytes){0};
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  struct stat about;
  if (fd < 0 || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= 0) {
    if (fd >= 0) {
      (void)close(fd);
    }
    return TN_OK;
  }
  const size_t size = (size_t)about.st_size;
  void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  (void)close(fd);
  if (data == MAP_FAILED) {
    return TN_OK;
  }
  mapped_file *file = tn_arena_alloc(inputs->arena, sizeof(*file));
  if (!file || !tn_list_add(&inputs->files, inputs->arena, file)) {
    (void)munmap(data, size);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read '%s'", path);
  }
  *file = (mapped_file){data, size};
  *out = tn_bytes_from(data, size);
  return TN_OK;
}

typedef struct code_reader {
  tn_link_inputs *inputs;
  tn_arena *arena;
  const tn_command *command;
  const char *name;
  size_t entries;
  size_t added;
} code_reader;

static tn_status add_code(void *user, const tn_offload_entry *entry, tn_diag *diag) {
  code_reader *reader = user;
  reader->entries++;
  bool wanted = false;
  for (size_t i = 0; i < reader->command->target_count; i++) {
    wanted = wanted || tn_str_equals(entry->arch, tn_str_from(reader->command->targets[i]));
  }
  if (!wanted) {
    return TN_OK;
  }
  tn_link_code *code = tn_arena_alloc(reader->arena, sizeof(*code));
  if (!code || !tn_list_add(&reader->inputs->code, reader->inputs->arena, code)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the device code of '%s'", reader->name);
  }
  *code = (tn_link_code){reader->name, entry->arch, entry->image};
  reader->added++;
  return TN_OK;
}

static tn_status find_section(tn_bytes object, bool *out_found, tn_bytes *out, tn_diag *diag) {
  *out_found = false;
  return tn_file_kind_of(object) == TN_FILE_ELF_OBJECT
             ? tn_elf_section_find(object, TN_SECTION_OFFLOAD, out_found, out, diag)
             : TN_OK;
}

static tn_status read_object(code_reader *reader, tn_bytes object, tn_diag *diag) {
  bool found = false;
  tn_bytes section = {0};
  tn_status status = find_section(object, &found, &section, diag);
  if (status == TN_OK && found) {
    status = tn_offload_read(section, add_code, reader, diag);
  }
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%s", reader->name);
  } else if (reader->entries > 0 && reader->added == 0) {
    tn_args_add_format(&reader->inputs->warnings,
                       "%s: its device code is for none of the targets of this link and is left "
                       "out",
                       reader->name);
  }
  return status;
}

static tn_status scan_archive(tn_link_inputs *inputs, const char *path, tn_bytes bytes,
                              tn_diag *diag) {
  size_t cursor = 0;
  bool done = false;
  bool found = false;
  while (!done && !found) {
    tn_str name = {0};
    tn_bytes member = {0};
    tn_bytes section = {0};
    tn_status status = tn_archive_next(bytes, &cursor, &done, &name, &member, diag);
    if (status == TN_OK && !done) {
      status = find_section(member, &found, &section, diag);
    }
    if (status != TN_OK) {
      tn_diag_prepend(diag, "%s", path);
      return status;
    }
  }
  if (!found) {
    return TN_OK;
  }
  tn_link_archive *archive = tn_arena_alloc(inputs->arena, sizeof(*archive));
  char *real = tn_path_real(path);
  const char *kept = real ? tn_arena_str(inputs->arena, tn_str_from(real)) : NULL;
  tn_free(real);
  if (!archive || !kept || !tn_list_add(&inputs->archives, inputs->arena, archive)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read '%s'", path);
  }
  *archive = (tn_link_archive){kept, bytes};
  return TN_OK;
}

static tn_status scan_file(tn_link_inputs *inputs, const tn_command *command, const char *path,
                           tn_diag *diag) {
  tn_bytes bytes = {0};
  TN_TRY(map_file(inputs, path, &bytes, diag));
  switch (tn_file_kind_of(bytes)) {
    case TN_FILE_ELF_OBJECT: {
      code_reader reader = {inputs, inputs->arena, command, path, 0, 0};
      return read_object(&reader, bytes, diag);
    }
    case TN_FILE_ARCHIVE:
      return scan_archive(inputs, path, bytes, diag);
    case TN_FILE_THIN_ARCHIVE:
      tn_args_add_format(&inputs->warnings,
                         "%s: device code in thin archives is not looked at; make it a plain "
                         "archive, or name its objects", path);
      return TN_OK;
    default:
      return TN_OK;
  }
}

// lib<name>.so and lib<name>.a as the linker looks for them in one folder; NULL when there is none
// or the shared one comes first. *out_stop: the search ends here.
static char *library_in(const char *folder, const char *name, bool is_static, bool *out_stop) {
  char *found = NULL;
  tn_buf path;
  tn_buf_init(&path, 1 << 16);
  if (name[0] == ':') {
    tn_buf_add_format(&path, "%s/%s", folder, name + 1);
  } else {
    tn_buf_add_format(&path, "%s/lib%s.so", folder, name);
    if (!is_static && tn_file_exists(tn_buf_text(&path))) {
      *out_stop = true;
    }
    tn_buf_clear(&path);
    tn_buf_add_format(&path, "%s/lib%s.a", folder, name);
  }
  if (!*out_stop && tn_file_exists(tn_buf_text(&path))) {
    *out_stop = true;
    found = tn_str_copy(tn_buf_str(&path));
  }
  tn_buf_deinit(&path);
  return found;
}

static tn_status scan_library(tn_link_inputs *inputs, const tn_command *command, const char *name,
                              bool is_static, tn_diag *diag) {
  char *found = NULL;
  bool stop = false;
  for (size_t i = 0; i < command->args.count && !stop; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    if (arg->option && arg->option->meaning == TN_OPTION_LIBRARY_DIR) {
      found = library_in(arg->value, name, is_static, &stop);
    }
  }
  if (!found) {
    return TN_OK;
  }
  const char *path = tn_arena_str(inputs->arena, tn_str_from(found));
  tn_free(found);
  return path ? scan_file(inputs, command, path, diag)
              : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the path of -l%s", name);
}

// -Wl,-Bstatic and its kin decide for the -l behind them.
static bool is_static_from(const tn_command_arg *arg, bool now) {
  const tn_str value = tn_str_from(arg->value);
  const tn_str statics[] = {TN_STR_LIT("-Bstatic"), TN_STR_LIT("-dn"), TN_STR_LIT("-static")};
  const tn_str dynamics[] = {TN_STR_LIT("-Bdynamic"), TN_STR_LIT("-dy")};
  for (size_t i = 0; i < TN_COUNT(statics); i++) {
    now = now || tn_str_equals(value, statics[i]);
  }
  for (size_t i = 0; i < TN_COUNT(dynamics); i++) {
    now = now && !tn_str_equals(value, dynamics[i]);
  }
  return now;
}

tn_status tn_link_inputs_scan(tn_link_inputs *inputs, const tn_command *command, tn_diag *diag) {
  bool is_static = command->is_static;
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    if (arg->input == TN_INPUT_LINK) {
      TN_TRY(scan_file(inputs, command, arg->text, diag));
    } else if (arg->option && arg->option->meaning == TN_OPTION_LINKER) {
      is_static = is_static_from(arg, is_static);
    } else if (arg->option && arg->option->meaning == TN_OPTION_LIBRARY) {
      TN_TRY(scan_library(inputs, command, arg->value, is_static, diag));
    }
  }
  return TN_OK;
}

static const tn_link_archive *archive_find(const tn_link_inputs *inputs, const char *real) {
  for (size_t i = 0; i < inputs->archives.count; i++) {
    const tn_link_archive *archive = inputs->archives.items[i];
    if (strcmp(archive->path, real) == 0) {
      return archive;
    }
  }
  return NULL;
}

static bool is_taken(const tn_link_inputs *inputs, const char *name) {
  for (size_t i = 0; i < inputs->taken.list.count; i++) {
    if (strcmp(tn_args_at(&inputs->taken, i), name) == 0) {
      return true;
    }
  }
  return false;
}

// Members of one archive may share a name; the linker's trace does not tell them apart, so all are
// taken.
static tn_status take_members(tn_link_inputs *inputs, tn_arena *arena,
                              const tn_link_archive *archive, tn_str member, const char *name,
                              const tn_command *command, tn_diag *diag) {
  size_t cursor = 0;
  for (;;) {
    bool done = false;
    tn_str found = {0};
    tn_bytes object = {0};
    TN_TRY(tn_archive_next(archive->bytes, &cursor, &done, &found, &object, diag));
    if (done) {
      return TN_OK;
    }
    if (tn_str_equals(found, member)) {
      code_reader reader = {inputs, arena, command, name, 0, 0};
      TN_TRY(read_object(&reader, object, diag));
    }
  }
}

tn_status tn_link_inputs_take(tn_link_inputs *inputs, tn_arena *arena, tn_str archive,
                              tn_str member, const tn_command *command, bool *out_new,
                              tn_diag *diag) {
  *out_new = false;
  char *path = tn_str_copy(archive);
  char *real = path ? tn_path_real(path) : NULL;
  tn_free(path);
  const tn_link_archive *found = real ? archive_find(inputs, real) : NULL;
  tn_free(real);
  if (!found) {
    return TN_OK;
  }
  const char *name = tn_arena_format(arena, "%s(%.*s)", found->path, TN_STR_ARG(member));
  if (!name) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the name of an archive's member");
  }
  if (is_taken(inputs, name)) {
    return TN_OK;
  }
  tn_args_add(&inputs->taken, name);
  const size_t before = inputs->code.count;
  TN_TRY(take_members(inputs, arena, found, member, name, command, diag));
  *out_new = inputs->code.count > before;
  return TN_OK;
}
