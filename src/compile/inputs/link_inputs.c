// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads device code out of objects, which stay mapped as long as the link lasts, and finds the
// archives.
#include "compile/inputs/inputs.h"

#include "base/buf_list.h"
#include "base/file.h"
#include "compile/inputs/link_words.h"
#include "compile/pipeline/pipeline.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The newest LLVM whose bitcode is read.
enum { LLVM_NEWEST = 22, LOWERED_MAXIMUM = 0x7fffffff, SCRIPTS_DEEPEST = 4 };

typedef struct mapped_file {
  void *data;
  size_t size;
} mapped_file;

void tn_link_inputs_init(tn_link_inputs *inputs, tn_arena *arena) {
  *inputs = (tn_link_inputs){.arena = arena};
  tn_args_init(&inputs->warnings, arena);
  tn_map_init(&inputs->by_path);
  tn_map_init(&inputs->by_text);
  tn_map_init(&inputs->objects);
  tn_map_init(&inputs->thin_files);
  tn_map_init(&inputs->taken);
}

void tn_link_inputs_deinit(tn_link_inputs *inputs) {
  for (size_t i = 0; i < inputs->files.count; i++) {
    const mapped_file *file = inputs->files.items[i];
    (void)munmap(file->data, file->size);
  }
  for (size_t i = 0; i < inputs->all_archives.count; i++) {
    tn_map_deinit(&((tn_link_archive *)inputs->all_archives.items[i])->by_name);
  }
  tn_buf_list_clear(&inputs->lowered);
  tn_map_deinit(&inputs->by_path);
  tn_map_deinit(&inputs->by_text);
  tn_map_deinit(&inputs->objects);
  tn_map_deinit(&inputs->thin_files);
  tn_map_deinit(&inputs->taken);
  *inputs = (tn_link_inputs){0};
}

tn_status tn_link_map_file(tn_link_inputs *inputs, const char *path, tn_bytes *out, tn_diag *diag) {
  *out = (tn_bytes){0};
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat about;
  if (fd < 0 || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= 0) {
    if (fd >= 0) {
      (void)close(fd);
    }
    return TN_OK;
  }
  const size_t size = (size_t)about.st_size;
  void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  const int problem = errno;
  (void)close(fd);
  if (data == MAP_FAILED) {
    return TN_FAIL_NATIVE(diag, IO, problem, "%s: cannot be read: %s", path, strerror(problem));
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
  const char *name;
  size_t entries;
  tn_str other_target;  // the last one that is none of the link's
  bool has_target[TN_COMMAND_TARGETS];
} code_reader;

static tn_status check_producer(const tn_offload_entry *entry, tn_diag *diag) {
  char text[64];
  if (tn_bitcode_llvm_version(entry->image, text) <= LLVM_NEWEST) {
    return TN_OK;
  }
  const tn_status status =
      TN_FAIL(diag, UNSUPPORTED,
              "its device code was written by LLVM %s, and this Tenon " TN_VERSION
              " reads that of LLVM %d and before; compile it again with this one",
              text + 4, (int)LLVM_NEWEST);
  if (entry->version.size > 0) {
    tn_diag_prepend(diag, "compiled by Tenon %.*s", TN_STR_ARG(entry->version));
  }
  return status;
}

static tn_status add_code(void *user, const tn_offload_entry *entry, tn_diag *diag) {
  code_reader *reader = user;
  const tn_command *command = reader->inputs->command;
  reader->entries++;
  size_t target = 0;
  while (target < command->target_count &&
         !tn_str_equals(entry->arch, tn_str_from(command->targets[target].word))) {
    target++;
  }
  if (target == command->target_count) {
    reader->other_target = entry->arch.size > 0 ? entry->arch : entry->triple;
    return TN_OK;
  }
  reader->has_target[target] = true;
  TN_TRY(check_producer(entry, diag));
  tn_link_code *code = tn_arena_alloc(reader->inputs->arena, sizeof(*code));
  if (!code || !tn_list_add(&reader->inputs->code, reader->inputs->arena, code)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the device code of '%s'", reader->name);
  }
  *code = (tn_link_code){.name = reader->name,
                         .target = entry->arch,
                         .bitcode = entry->image,
                         .symbols = entry->symbols,
                         .version = entry->version,
                         .is_foreign = entry->is_foreign};
  return TN_OK;
}

static void warn_of_targets(const code_reader *reader) {
  tn_link_inputs *inputs = reader->inputs;
  const tn_command *command = inputs->command;
  bool has_any = false;
  for (size_t i = 0; i < command->target_count; i++) {
    has_any = has_any || reader->has_target[i];
  }
  if (!has_any) {
    tn_args_add_format(&inputs->warnings,
                       "%s: its device code is for %.*s, none of the targets of this link, and is "
                       "left out; give both the same -fsycl-targets=",
                       reader->name, TN_STR_ARG(reader->other_target));
    return;
  }
  for (size_t i = 0; i < command->target_count; i++) {
    if (!reader->has_target[i] && !command->targets[i].is_implied) {
      tn_args_add_format(&inputs->warnings,
                         "%s: it has no device code for %s, a target of this link, so its kernels "
                         "do not run there; compile it with -fsycl-targets=%s as well",
                         reader->name, command->targets[i].word, command->targets[i].word);
    }
  }
}

tn_status tn_link_code_read(tn_link_inputs *inputs, tn_bytes object, const char *name,
                            tn_diag *diag) {
  if (tn_file_kind_of(object) != TN_FILE_ELF_OBJECT) {
    return TN_OK;
  }
  code_reader reader = {.inputs = inputs, .name = name};
  bool found = true;
  size_t cursor = 0;
  tn_status status = TN_OK;
  while (found && status == TN_OK) {
    tn_bytes section = {0};
    status = tn_elf_section_next(object, TN_SECTION_OFFLOAD, &cursor, &found, &section, diag);
    if (status == TN_OK && found) {
      status = tn_offload_read(section, add_code, &reader, diag);
    }
  }
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%s", name);
  } else if (reader.entries > 0) {
    warn_of_targets(&reader);
  }
  return status;
}

static tn_status scan_object(tn_link_inputs *inputs, const char *path, tn_bytes bytes,
                             tn_diag *diag) {
  char *real = tn_path_real(path);
  const bool is_good = !real || tn_map_set(&inputs->objects, tn_str_from(real), inputs);
  tn_free(real);
  return is_good ? tn_link_code_read(inputs, bytes, path, diag)
                 : TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read '%s'", path);
}

static tn_status scan_archive(tn_link_inputs *inputs, const char *path, bool is_whole,
                              tn_diag *diag) {
  tn_link_archive *archive = NULL;
  TN_TRY(tn_link_archive_find(inputs, tn_str_from(path), &archive, diag));
  if (archive) {
    archive->is_named = true;
    archive->is_whole = archive->is_whole || is_whole;
  }
  return TN_OK;
}

// What the host's linker is to compile is seen by nobody before.
static void warn_of_bitcode(tn_link_inputs *inputs, const char *path) {
  tn_args_add_format(&inputs->warnings,
                     "%s: it is bitcode for link-time optimization, in which device code is not "
                     "looked for; compile it without -flto if it has any",
                     path);
}

static tn_status scan_word(void *user, const tn_link_word *word, tn_diag *diag);

// Where GNU ld looks for a file of a script: beside the script, then as it is written, then in the
// folders of -L.
static const char *script_file(tn_link_inputs *inputs, const char *script, const char *name) {
  const tn_str folder = tn_path_dir(tn_str_from(script));
  const char *beside = tn_arena_format(inputs->arena, "%.*s/%s", TN_STR_ARG(folder), name);
  if (name[0] == '/' || !beside) {
    return name;
  }
  if (tn_file_exists(beside)) {
    return beside;
  }
  const tn_link_word word = {.library = tn_arena_format(inputs->arena, ":%s", name)};
  const char *found = tn_file_exists(name) || !word.library
                          ? NULL
                          : tn_link_library_find(inputs->command, &word, inputs->arena);
  return found ? found : name;
}

static tn_status scan_script(tn_link_inputs *inputs, const char *path, tn_bytes bytes,
                             const tn_link_word *word, tn_diag *diag) {
  tn_list names = {0};
  TN_TRY(tn_link_script_read(bytes, inputs->arena, &names, diag));
  for (size_t i = 0; i < names.count && inputs->script_depth < SCRIPTS_DEEPEST; i++) {
    const char *name = names.items[i];
    tn_link_word inner = *word;
    const bool is_library = strncmp(name, "-l", 2) == 0;
    inner.library = is_library ? name + 2 : NULL;
    inner.file = is_library ? NULL : script_file(inputs, path, name);
    inputs->script_depth++;
    const tn_status status = scan_word(inputs, &inner, diag);
    inputs->script_depth--;
    TN_TRY(status);
  }
  return TN_OK;
}

static tn_status scan_word(void *user, const tn_link_word *word, tn_diag *diag) {
  tn_link_inputs *inputs = user;
  const char *path = word->file;
  if (word->library) {
    path = tn_link_library_find(inputs->command, word, inputs->arena);
  }
  if (!path) {
    return TN_OK;
  }
  tn_bytes bytes = {0};
  TN_TRY(tn_link_map_file(inputs, path, &bytes, diag));
  switch (tn_file_kind_of(bytes)) {
    case TN_FILE_ELF_OBJECT:
      return scan_object(inputs, path, bytes, diag);
    case TN_FILE_ARCHIVE:
    case TN_FILE_THIN_ARCHIVE:
      return scan_archive(inputs, path, word->is_whole, diag);
    case TN_FILE_BITCODE:
      warn_of_bitcode(inputs, path);
      return TN_OK;
    case TN_FILE_OTHER:
      return scan_script(inputs, path, bytes, word, diag);
    default:
      return TN_OK;
  }
}

static tn_status take_all(tn_link_inputs *inputs, tn_link_archive *archive, tn_diag *diag) {
  TN_TRY(tn_link_archive_list(inputs, archive, diag));
  for (size_t i = 0; i < archive->members.count; i++) {
    TN_TRY(tn_link_member_take(inputs, archive->members.items[i], diag));
  }
  return TN_OK;
}

tn_status tn_link_inputs_scan(tn_link_inputs *inputs, const tn_command *command, tn_diag *diag) {
  inputs->command = command;
  TN_TRY(tn_link_words_walk(command, scan_word, inputs, diag));
  for (size_t i = 0; i < inputs->all_archives.count; i++) {
    tn_link_archive *archive = inputs->all_archives.items[i];
    if (archive->is_whole && archive->has_code) {
      TN_TRY(take_all(inputs, archive, diag));
    } else if (archive->has_code && archive->is_named &&
               !tn_list_add(&inputs->archives, inputs->arena, archive)) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read '%s'", archive->path);
    }
  }
  // The plan prints those of the files that it knows.
  inputs->warned = inputs->warnings.list.count;
  return TN_OK;
}

static tn_status lower(tn_link_inputs *inputs, tn_link_code *code, tn_buf *messages,
                       tn_diag *diag) {
  const tn_command *command = inputs->command;
  const tn_target *target = command->targets;
  while (!tn_str_equals(code->target, tn_str_from(target->word))) {
    target++;
  }
  tn_buf *bitcode = tn_buf_list_add(&inputs->lowered, inputs->arena, LOWERED_MAXIMUM);
  tn_buf *symbols = tn_buf_list_add(&inputs->lowered, inputs->arena, LOWERED_MAXIMUM);
  if (!bitcode || !symbols) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the device code of '%s'", code->name);
  }
  const tn_unit_params params = {
      .bitcode = code->bitcode,
      .source = code->name,
      .unit_id = tn_hash_bytes(code->bitcode.data, code->bitcode.size, 0) | 1,
      .target = target,
      .opt_level = command->opt_level,
  };
  TN_TRY(tn_pipeline_unit(&params, bitcode, symbols, messages, diag));
  code->bitcode = tn_buf_bytes(bitcode);
  code->symbols = tn_buf_str(symbols);
  code->is_foreign = false;
  return TN_OK;
}

tn_status tn_link_inputs_lower(tn_link_inputs *inputs, tn_buf *messages, tn_diag *diag) {
  for (size_t i = 0; i < inputs->code.count; i++) {
    tn_link_code *code = inputs->code.items[i];
    if (code->is_foreign) {
      TN_TRY(lower(inputs, code, messages, diag));
    }
  }
  return TN_OK;
}

void tn_link_inputs_say(tn_link_inputs *inputs, tn_buf *text) {
  for (; inputs->warned < inputs->warnings.list.count; inputs->warned++) {
    tn_buf_add_format(text, "tenon++: warning: %s\n",
                      tn_args_at(&inputs->warnings, inputs->warned));
  }
}

void tn_link_inputs_say_versions(const tn_link_inputs *inputs, tn_buf *text) {
  const char *before = "";
  for (size_t i = 0; i < inputs->code.count; i++) {
    const tn_link_code *code = inputs->code.items[i];
    if (code->version.size > 0 && !tn_str_equals(code->version, TN_STR_LIT(TN_VERSION)) &&
        strcmp(before, code->name) != 0) {
      tn_buf_add_format(text,
                        "tenon++: note: %s was compiled by Tenon %.*s, this is " TN_VERSION
                        "; compile it again\n",
                        code->name, TN_STR_ARG(code->version));
      before = code->name;
    }
  }
}
