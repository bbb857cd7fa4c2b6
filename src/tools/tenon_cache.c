// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tenon-cache: looks into the caches on disk, checks, trims and clears them, and takes their
// entries from one machine to another.
#include "base/config.h"
#include "base/file.h"
#include "base/store_pack.h"
#include "tools/cache_print.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static const char help[] =
    "usage: tenon-cache [options] command\n"
    "\n"
    "The caches on disk: 'program' holds what was built at run time, 'source' what was\n"
    "compiled from sources at run time, 'link' what device links made. Removing any of\n"
    "it costs time, and nothing else, at any time.\n"
    "\n"
    "  stats           how many entries there are, and what they take\n"
    "  ls              all entries, the most recently used first\n"
    "  verify          checks every entry, and removes those that are damaged\n"
    "  trim <size>     removes what was used least recently until each cache takes no\n"
    "                  more than <size>: bytes, or with K, M, G or T behind\n"
    "  clear           removes all entries\n"
    "  export <file>   writes all entries to a file\n"
    "  import <file>   adds the entries of such a file. They are run as code: only take\n"
    "                  files from those whose programs you would run\n"
    "\n"
    "  --dir=<folder>  the folder of the caches; else what TENON_CACHE_DIR, SYCL_CACHE_DIR,\n"
    "                  XDG_CACHE_HOME or HOME say, as for programs\n"
    "  --only=<cache>  only 'program', 'source', 'link' or 'preamble'\n"
    "  --dry-run       verify removes nothing\n"
    "  --json          stats and ls as JSON\n"
    "  --help          print this\n"
    "  --version       print the version\n"
    "\n"
    "The exit status is 0, or 1 when something failed or was found damaged.\n";

static const char *const names[] = {"program", "link", "source", "preamble"};
enum { SHELF_COUNT = TN_COUNT(names) };

typedef enum command {
  NO_COMMAND,
  COMMAND_STATS,
  COMMAND_LS,
  COMMAND_VERIFY,
  COMMAND_TRIM,
  COMMAND_CLEAR,
  COMMAND_EXPORT,
  COMMAND_IMPORT,
} command;

static const struct {
  const char *name;
  command command;
  const char *operand;  // what it is, in words; NULL when there is none
} commands[] = {
    {"stats", COMMAND_STATS, NULL},
    {"ls", COMMAND_LS, NULL},
    {"verify", COMMAND_VERIFY, NULL},
    {"trim", COMMAND_TRIM, "a size, such as 512M"},
    {"clear", COMMAND_CLEAR, NULL},
    {"export", COMMAND_EXPORT, "the name of the file to write"},
    {"import", COMMAND_IMPORT, "the name of a file that export wrote"},
};

typedef struct options {
  command command;
  const char *operand;
  const char *folder;  // of --dir
  const char *only;
  bool dry_run;
  bool json;
  bool help;
  bool version;
} options;

typedef struct job {
  const options *options;
  char *folder;      // owned; absolute
  uint64_t maximum;  // of each cache; 0 is no bound
  tn_cache_shelf shelves[SHELF_COUNT];
  size_t shelf_count;
  tn_buf out;  // for standard output
} job;

static void complain(const tn_diag *diag) {
  (void)fprintf(stderr, "tenon-cache: error: %s\n", diag->text);
}

static tn_status parse_size(const char *text, uint64_t *out, tn_diag *diag) {
  static const char *const units[] = {"K", "M", "G", "T"};
  tn_str rest = tn_str_from(text);
  uint64_t factor = 1;
  if (tn_str_has_suffix(rest, TN_STR_LIT("iB"))) {
    rest.size -= 2;
  }
  for (size_t i = 0; i < TN_COUNT(units); i++) {
    if (tn_str_has_suffix(rest, tn_str_from(units[i]))) {
      factor = UINT64_C(1) << (10 * (i + 1));
      rest.size--;
      break;
    }
  }
  const bool has_odd_end = factor == 1 && rest.size != strlen(text);
  if (has_odd_end || !tn_str_to_u64(rest, out) || *out > UINT64_MAX / factor) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "'%s' is no size; it is a number of bytes, or one with K, M, G or T behind",
                   text);
  }
  *out *= factor;
  return TN_OK;
}

static tn_status parse_command(const char *word, const char **out_operand, options *out,
                               tn_diag *diag) {
  for (size_t i = 0; i < TN_COUNT(commands); i++) {
    if (strcmp(commands[i].name, word) == 0) {
      out->command = commands[i].command;
      *out_operand = commands[i].operand;
      return TN_OK;
    }
  }
  return TN_FAIL(diag, INVALID_ARGUMENT, "unknown command %s; --help lists the commands", word);
}

// What people write who know other tools' options: "--dir folder".
static tn_status say_needs_value(const char *arg, const char *next, tn_diag *diag) {
  return TN_FAIL(diag, INVALID_ARGUMENT, "%s needs its value behind a '=': %s=%s", arg, arg,
                 next && next[0] != '-' ? next : "...");
}

// `next` may be NULL.
static tn_status parse_option(const char *arg, const char *next, options *out, tn_diag *diag) {
  const tn_str text = tn_str_from(arg);
  if (strcmp(arg, "--json") == 0) {
    out->json = true;
  } else if (strcmp(arg, "--dry-run") == 0) {
    out->dry_run = true;
  } else if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
    out->help = true;
  } else if (strcmp(arg, "--version") == 0) {
    out->version = true;
  } else if (tn_str_has_prefix(text, TN_STR_LIT("--dir="))) {
    out->folder = arg + strlen("--dir=");
  } else if (tn_str_has_prefix(text, TN_STR_LIT("--only="))) {
    out->only = arg + strlen("--only=");
  } else if (strcmp(arg, "--dir") == 0 || strcmp(arg, "--only") == 0) {
    return say_needs_value(arg, next, diag);
  } else {
    return TN_FAIL(diag, INVALID_ARGUMENT, "unknown option %s; --help lists the options", arg);
  }
  return TN_OK;
}

static tn_status check_options(const options *given, tn_diag *diag) {
  bool is_known = !given->only;
  for (size_t i = 0; i < SHELF_COUNT; i++) {
    is_known = is_known || strcmp(given->only, names[i]) == 0;
  }
  if (!is_known) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "--only=%s: the caches are 'program', 'source', 'link' and 'preamble'",
                   given->only);
  }
  if (given->folder && given->folder[0] == '\0') {
    return TN_FAIL(diag, INVALID_ARGUMENT, "--dir= needs the name of a folder");
  }
  if (given->json && given->command != COMMAND_STATS && given->command != COMMAND_LS) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "--json goes with stats and ls");
  }
  if (given->dry_run && given->command != COMMAND_VERIFY) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "--dry-run goes with verify");
  }
  return TN_OK;
}

static tn_status parse_options(int argc, char **argv, options *out, tn_diag *diag) {
  const char *operand = NULL;
  const char *command_word = NULL;
  bool only_words = false;
  *out = (options){.command = NO_COMMAND};
  for (int i = 1; i < argc; i++) {
    const char *arg = argv[i];
    if (!only_words && strcmp(arg, "--") == 0) {
      only_words = true;
    } else if (!only_words && arg[0] == '-' && arg[1] != '\0') {
      TN_TRY(parse_option(arg, argv[i + 1], out, diag));
    } else if (out->command == NO_COMMAND) {
      TN_TRY(parse_command(arg, &operand, out, diag));
      command_word = arg;
    } else if (operand && !out->operand) {
      out->operand = arg;
    } else {
      return TN_FAIL(diag, INVALID_ARGUMENT, "%s is one word too many for %s", arg, command_word);
    }
  }
  if (out->help || out->version) {
    return TN_OK;
  }
  if (out->command == NO_COMMAND) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "no command; --help lists the commands");
  }
  if (operand && !out->operand) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s needs %s", command_word, operand);
  }
  return check_options(out, diag);
}

// Programs take no relative path for this; people who stand beside it may.
static tn_status find_folder(job *j, tn_diag *diag) {
  char here[PATH_MAX];
  const char *folder = j->options->folder ? j->options->folder : tn_config_get()->cache_dir;
  if (folder[0] == '\0') {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "there is no folder for caches, since none of TENON_CACHE_DIR, SYCL_CACHE_DIR, "
                   "XDG_CACHE_HOME and HOME is a full path; --dir=<folder> names one");
  }
  if (folder[0] == '/') {
    j->folder = tn_str_copy(tn_str_from(folder));
  } else if (getcwd(here, sizeof(here))) {
    j->folder = tn_path_join(tn_str_from(here), tn_str_from(folder));
  } else {
    return TN_FAIL_NATIVE(diag, IO, errno, "the current folder has no name: %s", strerror(errno));
  }
  if (!j->folder) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the folder's name");
  }
  // There need be no cache yet; but who names a folder means one, which import makes.
  if (j->options->folder && j->options->command != COMMAND_IMPORT && !tn_file_exists(j->folder)) {
    return TN_FAIL_NATIVE(diag, IO, errno, "--dir=%s: %s: %s", j->options->folder, j->folder,
                          errno == ENOENT ? "there is no such folder" : strerror(errno));
  }
  return TN_OK;
}

// What in the environment is as if it were not set. Folders are of no interest beside --dir.
static void warn_of_environment(const options *given) {
  const tn_config *config = tn_config_get();
  for (size_t i = 0; i < config->ignored_count; i++) {
    const tn_str name = tn_str_from(config->ignored[i].name);
    const bool is_folder = tn_str_equals(name, TN_STR_LIT("HOME")) ||
                           tn_str_equals(name, TN_STR_LIT("TENON_CACHE_DIR")) ||
                           tn_str_equals(name, TN_STR_LIT("SYCL_CACHE_DIR")) ||
                           tn_str_equals(name, TN_STR_LIT("XDG_CACHE_HOME"));
    const bool is_of_caches = is_folder || tn_str_equals(name, TN_STR_LIT("TENON_CACHE")) ||
                              tn_str_has_prefix(name, TN_STR_LIT("SYCL_CACHE_"));
    if (is_of_caches && !(is_folder && given->folder)) {
      (void)fprintf(stderr, "tenon-cache: warning: %s\n", config->ignored[i].text);
    }
  }
}

static tn_status open_shelves(job *j, tn_diag *diag) {
  for (size_t i = 0; i < SHELF_COUNT; i++) {
    if (j->options->only && strcmp(j->options->only, names[i]) != 0) {
      continue;
    }
    tn_cache_shelf *shelf = &j->shelves[j->shelf_count++];
    *shelf = (tn_cache_shelf){.name = names[i]};
    if (j->options->command == COMMAND_IMPORT) {
      TN_TRY(tn_store_open_or_make(j->folder, shelf->name, j->maximum, &shelf->store, diag));
    } else {
      TN_TRY(tn_store_open_existing(j->folder, shelf->name, &shelf->store, diag));
    }
  }
  return TN_OK;
}

static tn_status fill_listings(job *j, tn_diag *diag) {
  for (size_t i = 0; i < j->shelf_count; i++) {
    tn_cache_shelf *shelf = &j->shelves[i];
    if (shelf->store) {
      const tn_status status = tn_store_list(shelf->store, &shelf->listing, diag);
      if (status != TN_OK) {
        tn_diag_prepend(diag, "%s/%s", j->folder, shelf->name);
        return status;
      }
    }
  }
  return TN_OK;
}

typedef struct checked {
  size_t good;
  size_t damaged;
  size_t foreign;
  size_t unread;
  size_t removed;
  int failed;  // errno of the last that could not be removed
} checked;

static bool remove_damaged(const tn_cache_shelf *shelf, const uint8_t *key, checked *sum) {
  const bool is_gone = tn_store_remove(shelf->store, key) || errno == ENOENT;
  sum->failed = is_gone ? sum->failed : errno;
  return is_gone;
}

static void verify_shelf(const tn_cache_shelf *shelf, bool removes, checked *sum) {
  tn_buf value;
  uint64_t size = 0;
  tn_buf_init(&value, SIZE_MAX);
  for (size_t i = 0; i < shelf->listing.count; i++) {
    const uint8_t *key = shelf->listing.entries[i].key;
    const tn_store_state state = tn_store_peek(shelf->store, key, &value, &size);
    sum->good += state == TN_STORE_GOOD;
    sum->damaged += state == TN_STORE_DAMAGED;
    sum->foreign += state == TN_STORE_FOREIGN;
    // What is gone by now was removed by somebody else.
    sum->unread += state == TN_STORE_UNREAD && errno != ENOENT;
    sum->removed += state == TN_STORE_DAMAGED && removes && remove_damaged(shelf, key, sum);
  }
  tn_buf_deinit(&value);
}

static tn_status verify(job *j, tn_diag *diag) {
  checked sum = {0};
  TN_TRY(fill_listings(j, diag));
  for (size_t i = 0; i < j->shelf_count; i++) {
    verify_shelf(&j->shelves[i], !j->options->dry_run, &sum);
  }
  tn_buf_add_format(&j->out, "%zu good, %zu damaged", sum.good, sum.damaged);
  if (sum.foreign > 0) {
    tn_buf_add_format(&j->out, ", %zu of another version of Tenon", sum.foreign);
  }
  if (sum.unread > 0) {
    tn_buf_add_format(&j->out, ", %zu cannot be read", sum.unread);
  }
  tn_buf_add_char(&j->out, '\n');
  if (sum.damaged > 0) {
    const char *found = sum.damaged == 1 ? "entry was" : "entries were";
    if (!j->options->dry_run && sum.removed < sum.damaged) {
      return TN_FAIL_NATIVE(diag, IO, sum.failed,
                            "%zu damaged %s found, and %zu cannot be removed: %s", sum.damaged,
                            found, sum.damaged - sum.removed, strerror(sum.failed));
    }
    return TN_FAIL(
        diag, IO, "%zu damaged %s %s", sum.damaged, found,
        j->options->dry_run ? "found; without --dry-run verify removes them" : "removed");
  }
  return sum.unread > 0 ? TN_FAIL(diag, IO, "some entries cannot be read") : TN_OK;
}

// One cache that fails does not keep the other from being looked after; the first failure is told.
static tn_status remove_entries(job *j, uint64_t goal, tn_diag *diag) {
  tn_status first = TN_OK;
  for (size_t i = 0; i < j->shelf_count; i++) {
    const tn_cache_shelf *shelf = &j->shelves[i];
    tn_store_removed removed = {0};
    tn_diag reason = {0};
    tn_status status = TN_OK;
    if (shelf->store) {
      status = j->options->command == COMMAND_CLEAR
                   ? tn_store_clear(shelf->store, &removed, &reason)
                   : tn_store_trim(shelf->store, goal, &removed, &reason);
    }
    tn_buf_add_format(&j->out, "%-8s %zu %s removed, ", shelf->name, removed.count,
                      removed.count == 1 ? "entry" : "entries");
    tn_cache_print_size(&j->out, removed.disk_size);
    tn_buf_add_char(&j->out, '\n');
    if (status != TN_OK && first == TN_OK) {
      first = status;
      *diag = reason;
      tn_diag_prepend(diag, "%s/%s", j->folder, shelf->name);
    }
  }
  return first;
}

static tn_status export_shelf(const tn_cache_shelf *shelf, tn_store_pack *pack, size_t *left_out,
                              tn_diag *diag) {
  tn_status status = TN_OK;
  tn_buf value;
  uint64_t size = 0;
  tn_buf_init(&value, SIZE_MAX);
  for (size_t i = 0; i < shelf->listing.count && status == TN_OK; i++) {
    const uint8_t *key = shelf->listing.entries[i].key;
    if (tn_store_peek(shelf->store, key, &value, &size) == TN_STORE_GOOD) {
      status = tn_store_pack_add(pack, shelf->name, key, tn_buf_bytes(&value), diag);
    } else {
      (*left_out)++;
    }
  }
  tn_buf_deinit(&value);
  return status;
}

static tn_status export_all(job *j, tn_diag *diag) {
  size_t left_out = 0;
  tn_store_pack pack;
  TN_TRY(fill_listings(j, diag));
  tn_status status = tn_store_pack_create(j->options->operand, &pack, diag);
  for (size_t i = 0; i < j->shelf_count && status == TN_OK; i++) {
    status = export_shelf(&j->shelves[i], &pack, &left_out, diag);
  }
  if (status == TN_OK && pack.count == 0) {
    status = TN_FAIL(diag, INVALID_ARGUMENT, "%s: there are no entries to export", j->folder);
  }
  if (status == TN_OK) {
    status = tn_store_pack_finish(&pack, diag);
  }
  if (status == TN_OK) {
    tn_buf_add_format(&j->out, "%llu %s exported, ", (unsigned long long)pack.count,
                      pack.count == 1 ? "entry" : "entries");
    tn_cache_print_size(&j->out, pack.size);
    tn_buf_add_char(&j->out, '\n');
    if (left_out > 0) {
      tn_buf_add_format(&j->out, "%zu left out: damaged, or of another version of Tenon\n",
                        left_out);
    }
  }
  tn_store_pack_close(&pack);
  return status;
}

typedef struct import_sums {
  job *job;
  uint64_t kept;
  uint64_t kept_size;
  uint64_t too_large;
  uint64_t unknown;  // of no cache that there is, or not asked for
} import_sums;

static tn_status import_entry(void *user, tn_str store, const uint8_t *key, tn_bytes value,
                              tn_diag *diag) {
  import_sums *sums = user;
  for (size_t i = 0; i < sums->job->shelf_count; i++) {
    const tn_cache_shelf *shelf = &sums->job->shelves[i];
    if (!tn_str_equals(store, tn_str_from(shelf->name))) {
      continue;
    }
    switch (tn_store_keep(shelf->store, key, value)) {
      case TN_STORE_KEPT:
        sums->kept++;
        sums->kept_size += value.size;
        return TN_OK;
      case TN_STORE_TOO_LARGE:
        sums->too_large++;
        return TN_OK;
      case TN_STORE_NOT_KEPT:
        return TN_FAIL_NATIVE(diag, IO, errno, "%s/%s: cannot be written: %s", sums->job->folder,
                              shelf->name, strerror(errno));
    }
  }
  sums->unknown++;
  return TN_OK;
}

static tn_status import_all(job *j, tn_diag *diag) {
  import_sums sums = {.job = j};
  tn_store_pack_found found;
  const tn_status status =
      tn_store_pack_read(j->options->operand, import_entry, &sums, &found, diag);
  if (status == TN_OK || sums.kept > 0) {
    tn_buf_add_format(&j->out, "%llu of %llu entries imported\n", (unsigned long long)sums.kept,
                      (unsigned long long)found.count);
  }
  if (sums.unknown > 0) {
    tn_buf_add_format(&j->out, "%llu left out: of other caches\n",
                      (unsigned long long)sums.unknown);
  }
  if (sums.too_large > 0) {
    tn_buf_add_format(&j->out, "%llu left out: too large for the bound SYCL_CACHE_MAX_SIZE\n",
                      (unsigned long long)sums.too_large);
  }
  if (j->maximum > 0 && sums.kept_size > j->maximum) {
    tn_buf_add_text(&j->out,
                    "they are more than the bound SYCL_CACHE_MAX_SIZE lets stay: some of "
                    "them are gone again\n");
  }
  TN_TRY(status);
  if (found.good < found.count) {
    return TN_FAIL(diag, BAD_IMAGE, "%s: %llu of its %llu entries %s not taken",
                   j->options->operand, (unsigned long long)(found.count - found.good),
                   (unsigned long long)found.count,
                   found.count - found.good == 1 ? "is damaged and was" : "are damaged and were");
  }
  return TN_OK;
}

static tn_status run_command(job *j, tn_diag *diag) {
  uint64_t goal = 0;
  const options *given = j->options;
  if (given->command == COMMAND_TRIM) {
    TN_TRY(parse_size(given->operand, &goal, diag));
  }
  TN_TRY(find_folder(j, diag));
  TN_TRY(open_shelves(j, diag));
  switch (given->command) {
    case COMMAND_STATS:
      TN_TRY(fill_listings(j, diag));
      tn_cache_print_stats(&j->out, j->folder, j->maximum, j->shelves, j->shelf_count, given->json);
      return TN_OK;
    case COMMAND_LS:
      TN_TRY(fill_listings(j, diag));
      return tn_cache_print_entries(&j->out, j->shelves, j->shelf_count, given->json, diag);
    case COMMAND_VERIFY:
      return verify(j, diag);
    case COMMAND_TRIM:
    case COMMAND_CLEAR:
      return remove_entries(j, goal, diag);
    case COMMAND_EXPORT:
      return export_all(j, diag);
    case COMMAND_IMPORT:
      return import_all(j, diag);
    case NO_COMMAND:
      break;
  }
  return TN_OK;
}

static tn_status write_output(const tn_buf *out, tn_diag *diag) {
  TN_TRY(tn_buf_status(out, diag));
  if ((out->size > 0 && fwrite(out->data, 1, out->size, stdout) != out->size) ||
      fflush(stdout) != 0) {
    return TN_FAIL_NATIVE(diag, IO, errno, "standard output cannot be written: %s",
                          strerror(errno));
  }
  return TN_OK;
}

static void deinit_job(job *j) {
  for (size_t i = 0; i < j->shelf_count; i++) {
    tn_store_listing_deinit(&j->shelves[i].listing);
    tn_store_close(j->shelves[i].store);
  }
  tn_buf_deinit(&j->out);
  tn_free(j->folder);
}

int main(int argc, char **argv) {
  tn_diag diag = {0};
  options given;
  // A closed standard output would be the first file that is opened.
  if (fcntl(STDOUT_FILENO, F_GETFD) == -1) {
    (void)fprintf(stderr, "tenon-cache: error: standard output is closed\n");
    return 1;
  }
  if (parse_options(argc, argv, &given, &diag) != TN_OK) {
    complain(&diag);
    return 1;
  }
  job j = {.options = &given, .maximum = (uint64_t)tn_config_get()->cache_mib * 1024 * 1024};
  tn_buf_init(&j.out, SIZE_MAX);
  tn_status status = TN_OK;
  if (given.help) {
    tn_buf_add_text(&j.out, help);
  } else if (given.version) {
    tn_buf_add_text(&j.out, "tenon-cache " TN_VERSION "\n");
  } else {
    warn_of_environment(&given);
    status = run_command(&j, &diag);
  }
  // What was done is told before what failed.
  tn_diag write_diag = {0};
  const tn_status written = write_output(&j.out, &write_diag);
  if (written != TN_OK) {
    complain(&write_diag);
  }
  if (status != TN_OK) {
    complain(&diag);
  }
  deinit_job(&j);
  return status == TN_OK && written == TN_OK ? 0 : 1;
}
