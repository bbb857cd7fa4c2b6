// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks into the objects of a plain link: the linker's own words for a forgotten -fsycl are a page
// of undefined references.
#include "compile/driver/forgotten.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compile/driver/user_header.h"
#include "image/image.h"

// Reads no more than the section table: nothing else is touched of what is mapped.
static bool holds_device_code(const char *path) {
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat about;
  if (fd < 0 || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= 0) {
    if (fd >= 0) {
      (void)close(fd);
    }
    return false;
  }
  const size_t size = (size_t)about.st_size;
  void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  (void)close(fd);
  if (data == MAP_FAILED) {
    return false;
  }
  const tn_bytes bytes = tn_bytes_from(data, size);
  tn_bytes contents;
  bool is_found = false;
  if (tn_file_kind_of(bytes) == TN_FILE_ELF_OBJECT &&
      tn_elf_section_find(bytes, TN_SECTION_OFFLOAD, &is_found, &contents, NULL) != TN_OK) {
    is_found = false;
  }
  (void)munmap(data, size);
  return is_found;
}

static void warn_of_header(const tn_command *command, FILE *err) {
  tn_args words;
  tn_args_init(&words, command->arena);
  tn_args_add(&words, "tenon++");
  tn_command_options(command, TN_GOES_H, &words);
  const char *header = tn_user_header_in(&words, command->arena);
  if (header) {
    (void)fprintf(err,
                  "tenon++: warning: '%s' was precompiled with -fsycl, without which Clang cannot "
                  "read it; compile with -fsycl\n",
                  header);
  }
}

void tn_forgotten_warn(const tn_command *command, FILE *err) {
  if (!command->sycl && command->action != TN_ACTION_DEPENDENCIES) {
    warn_of_header(command, err);
  }
  if (command->action != TN_ACTION_LINK || command->sycl) {
    return;
  }
  const char *found = NULL;
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = command->args.items[i];
    if (arg->option && strcmp(arg->option->spelling, "-fno-sycl") == 0) {
      return;
    }
    if (!found && arg->input == TN_INPUT_LINK && holds_device_code(arg->text)) {
      found = arg->text;
    }
  }
  if (found) {
    (void)fprintf(err, "tenon++: warning: %s holds SYCL device code, which is left out without "
                  "-fsycl; link with -fsycl, or say -fno-sycl\n", found);
  }
}
