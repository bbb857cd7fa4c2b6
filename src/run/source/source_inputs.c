// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the files that a source includes are what they were, by their contents.
#include "base/file_hash.h"
#include "base/log.h"
#include "base/map.h"
#include "run/source/source_unit.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MAXIMUM = 16384 };

static bool is_current(const tn_source_input *input) {
  uint8_t hash[TN_BLAKE3_SIZE];
  const bool is_same =
      tn_file_hash(input->path, input->size, hash) && memcmp(hash, input->hash, sizeof(hash)) == 0;
  if (!is_same) {
    TN_LOG(cache, "%s is not what it was", input->path);
  }
  return is_same;
}

char *tn_source_inputs_folder(void) {
  char path[PATH_MAX];
  return getcwd(path, sizeof(path)) ? tn_str_copy(tn_str_from(path)) : NULL;
}

static bool is_folder(const char *folder) {
  char path[PATH_MAX];
  return folder[0] == '\0' || (getcwd(path, sizeof(path)) && strcmp(path, folder) == 0);
}

bool tn_source_inputs_are_current(const tn_source_unit *unit) {
  bool is_good = is_folder(unit->folder);
  for (size_t i = 0; is_good && i < unit->input_count; i++) {
    is_good = is_current(&unit->inputs[i]);
  }
  for (size_t i = 0; is_good && i < unit->miss_count; i++) {
    is_good = access(unit->misses[i], F_OK) != 0;
    if (!is_good) {
      TN_LOG(cache, "%s is there now", unit->misses[i]);
    }
  }
  return is_good;
}

// Options that are followed by a folder for #include, in the same word or the next.
static const char *const folder_options[] = {"-I", "-isystem", "-iquote", "-idirafter"};

// The rest of the word, "" when the value is the next one; NULL for other options.
static const char *folder_value(const char *option) {
  for (size_t i = 0; i < TN_COUNT(folder_options); i++) {
    if (tn_str_has_prefix(tn_str_from(option), tn_str_from(folder_options[i]))) {
      return option + strlen(folder_options[i]);
    }
  }
  return NULL;
}

// Words that name no file. All others that do not give a full path may name one.
static bool names_no_file(const char *option) {
  static const char *const prefixes[] = {"-D", "-U", "-O", "-g", "-W", "-w", "-std=", "-m", "-f"};
  bool found = false;
  for (size_t i = 0; !found && i < TN_COUNT(prefixes); i++) {
    found = tn_str_has_prefix(tn_str_from(option), tn_str_from(prefixes[i]));
  }
  return found;
}

bool tn_source_options_are_relative(const char *const *options, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const char *value = folder_value(options[i]);
    if (value && value[0] == '\0' && i + 1 < count) {
      value = options[++i];
    }
    if (value ? value[0] != '/' : !names_no_file(options[i])) {
      return true;
    }
  }
  return false;
}

// Which folders there are, for one thread that asks about many files in a few of them.
typedef struct folder_survey {
  tn_map there;
  tn_map missing;
  bool is_good;
} folder_survey;

static bool is_there(folder_survey *survey, const char *path) {
  const tn_str key = tn_str_from(path);
  if (tn_map_find(&survey->there, key)) {
    return true;
  }
  if (tn_map_find(&survey->missing, key)) {
    return false;
  }
  const bool found = access(path, F_OK) == 0;
  survey->is_good =
      survey->is_good && tn_map_set(found ? &survey->there : &survey->missing, key, survey);
  return found;
}

// Cuts the path behind its first part that is not there: while that is so, nothing below it is.
// False when all of it is there.
static bool cut_to_missing(folder_survey *survey, char *path) {
  for (size_t i = 1; path[i] != '\0'; i++) {
    if (path[i] == '/') {
      path[i] = '\0';
      if (!is_there(survey, path)) {
        return true;
      }
      path[i] = '/';
    }
  }
  return !is_there(survey, path);
}

static bool is_folder_there(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// Each once. A folder is what Clang finds in the place of a file; a file that is there by now has
// just come: then it is not known what the result depends on.
static bool shrink_misses(tn_source_unit *unit) {
  folder_survey survey = {.is_good = true};
  tn_map kept;
  tn_map_init(&survey.there);
  tn_map_init(&survey.missing);
  tn_map_init(&kept);
  const size_t count = unit->miss_count;
  unit->miss_count = 0;
  for (size_t i = 0; survey.is_good && i < count; i++) {
    char *path = tn_arena_str(&unit->arena, tn_str_from(unit->misses[i]));
    if (!path || (!cut_to_missing(&survey, path) && !is_folder_there(path))) {
      survey.is_good = false;
    } else if (is_there(&survey, path) || tn_map_find(&kept, tn_str_from(path))) {
      continue;
    } else {
      survey.is_good = survey.is_good && tn_map_set(&kept, tn_str_from(path), path);
      unit->misses[unit->miss_count++] = path;
    }
  }
  tn_map_deinit(&survey.there);
  tn_map_deinit(&survey.missing);
  tn_map_deinit(&kept);
  return survey.is_good;
}

// Whether the path lies in the folder.
static bool is_below(const char *path, const char *folder) {
  const size_t size = strlen(folder);
  return strncmp(path, folder, size) == 0 && (path[size] == '/' || size == 1);
}

// The folder matters for what was looked for in it, also where a folder above it is missing.
static bool note_folder(tn_source_unit *unit) {
  char path[PATH_MAX];
  if (!getcwd(path, sizeof(path))) {
    return unit->input_count + unit->miss_count == 0;
  }
  bool is_relative = false;
  for (size_t i = 0; !is_relative && i < unit->input_count; i++) {
    is_relative = is_below(unit->inputs[i].path, path);
  }
  for (size_t i = 0; !is_relative && i < unit->miss_count; i++) {
    is_relative = is_below(unit->misses[i], path);
  }
  unit->folder = is_relative ? tn_arena_str(&unit->arena, tn_str_from(path)) : "";
  return unit->folder != NULL;
}

bool tn_source_inputs_finish(tn_source_unit *unit) {
  return unit->input_count + unit->miss_count <= FILES_MAXIMUM && note_folder(unit) &&
         shrink_misses(unit);
}
