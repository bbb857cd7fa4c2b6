// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a command line to the end of its plan.
#include "compile/driver/driver.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/config.h"
#include "base/file.h"
#include "base/version_line.h"
#include "compile/clang/clang.h"
#include "compile/driver/child_words.h"
#include "compile/driver/forgotten.h"
#include "compile/driver/pipe_watch.h"
#include "compile/driver/plan.h"
#include "compile/driver/restart.h"

#ifndef TN_VERSION
#define TN_VERSION "unknown"
#endif

static const char *find_program(tn_arena *arena) {
  char *self = tn_path_real("/proc/self/exe");
  const char *program = self ? tn_arena_str(arena, tn_str_from(self)) : NULL;
  tn_free(self);
  return program;
}

// Tenon lies around this program: <root>/bin/tenon++, <root>/include, <root>/lib.
static const char *root_of_program(tn_arena *arena) {
  const char *self = find_program(arena);
  return self ? tn_arena_str(arena, tn_path_dir(tn_path_dir(tn_str_from(self)))) : NULL;
}

static tn_status find_root(tn_plan *plan, tn_diag *diag) {
  const char *root = root_of_program(plan->arena);
  if (!root) {
    return TN_FAIL(diag, IO, "/proc/self/exe cannot be read, so Tenon's headers are not found");
  }
  plan->program = find_program(plan->arena);
  plan->root = root;
  plan->include_dir = tn_arena_format(plan->arena, "%s/include", root);
  plan->lib_dir = tn_arena_format(plan->arena, "%s/lib", root);
  if (!plan->program || !plan->include_dir || !plan->lib_dir) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the paths of Tenon");
  }
  if (!tn_file_is_directory(plan->include_dir)) {
    return TN_FAIL(diag, IO, "Tenon's headers are not at %s; install Tenon again",
                   plan->include_dir);
  }
  return TN_OK;
}

// The Clang in this library, unless the user names another. One so named loads what this one has.
static tn_status find_clang(tn_plan *plan, tn_diag *diag) {
  const char *wanted = plan->command->clang;
  TN_TRY(tn_frontend_clang_find(plan->arena, wanted, &plan->clang, diag));
  if (!plan->clang) {
    plan->clang = plan->program;
    plan->is_own_clang = true;
    plan->clang_is_checked = true;
    return TN_OK;
  }
  if (!plan->command->print_plan) {
    TN_TRY(tn_frontend_clang_check(plan->clang, diag));
    plan->clang_is_checked = true;
  }
  if (!tn_frontend_clang_takes_plugin(plan->clang)) {
    return TN_OK;
  }
  plan->plugin = tn_arena_format(plan->arena, "%s/tenon/tenon-clang-plugin.so", plan->lib_dir);
  if (!plan->plugin) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the paths of Tenon");
  }
  return tn_file_exists(plan->plugin)
             ? TN_OK
             : TN_FAIL(diag, IO, "%s does not exist; install Tenon again", plan->plugin);
}

static tn_status find_host_compiler(tn_plan *plan, tn_diag *diag) {
  const tn_command *command = plan->command;
  if (!command->host_compiler) {
    return TN_OK;
  }
  TN_TRY(tn_frontend_host_compiler_find(plan->arena, command->host_compiler, &plan->host_compiler,
                                        diag));
  return tn_frontend_split_words(command->host_options ? command->host_options : "",
                                 &plan->host_options, diag);
}

static tn_status check_static(const tn_plan *plan, tn_diag *diag) {
  const tn_command *command = plan->command;
  if (command->action != TN_ACTION_LINK || command->device_only || !command->is_static) {
    return TN_OK;
  }
  char *archive = tn_path_join(tn_str_from(plan->lib_dir), TN_STR_LIT("libtenon.a"));
  const bool exists = archive && tn_file_exists(archive);
  tn_free(archive);
  return exists ? TN_OK
                : TN_FAIL(diag, UNSUPPORTED,
                          "-static and -static-pie: this version has Tenon's runtime as a shared "
                          "library only; leave them out");
}

static bool has_color(FILE *err) {
  const int fd = fileno(err);
  return fd >= 0 && isatty(fd) == 1;
}

static tn_status temp_dir_make(tn_plan *plan, tn_diag *diag) {
  if (!plan->command->print_plan) {
    return tn_temp_dir_create("tenon", &plan->temp_dir, diag);
  }
  plan->temp_dir = tn_path_join(tn_str_from(tn_config_get()->temp_dir), TN_STR_LIT("tenon-temp"));
  return plan->temp_dir ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the plan");
}

static tn_status run_sycl(tn_command *command, tn_arena *arena, FILE *out, FILE *err,
                          bool *out_done, tn_diag *diag) {
  *out_done = false;
  tn_plan plan;
  tn_pipe_watch pipes;
  tn_pipe_watch_open(&pipes);
  tn_plan_init(&plan, command, arena, out, err);
  tn_status status = tn_command_check(command, diag);
  if (status == TN_OK) {
    status = find_root(&plan, diag);
  }
  if (status == TN_OK) {
    status = find_clang(&plan, diag);
  }
  if (status == TN_OK) {
    status = tn_process_options_apply(&plan, diag);
  }
  if (status == TN_OK) {
    status = find_host_compiler(&plan, diag);
  }
  if (status == TN_OK) {
    status = check_static(&plan, diag);
  }
  if (status == TN_OK) {
    status = temp_dir_make(&plan, diag);
  }
  plan.color = has_color(err);
  plan.runs_inside =
      plan.is_own_clang && status == TN_OK && tn_restart_allow(plan.temp_dir, arena);
  if (status == TN_OK) {
    status = tn_plan_make(&plan, diag);
  }
  if (status == TN_OK && command->print_plan) {
    (void)fprintf(err, "%s\n", tn_version_line(NULL));
    tn_plan_print(&plan, err);
    *out_done = true;
  } else if (status == TN_OK) {
    if (command->verbose) {
      (void)fprintf(err, "%s\n", tn_version_line(NULL));
    }
    status = tn_plan_database_write(&plan, diag);
    *out_done = status == TN_OK && tn_plan_run(&plan);
  }
  tn_restart_forbid();
  tn_plan_deinit(&plan);
  tn_pipe_watch_close(&pipes, out, err);
  return status;
}

// What -fno-sycl turns off with it: options that clang does not know.
static bool is_of_sycl(const tn_option *option) {
  static const char *const heads[] = {"-fsycl-", "-fno-sycl-", "-Xsycl-", "-Xs", "--offload-"};
  for (size_t i = 0; option && i < TN_COUNT(heads); i++) {
    if (strncmp(option->spelling, heads[i], strlen(heads[i])) == 0) {
      return true;
    }
  }
  return false;
}

// What a project gives all of its compilations for DPC++, and clang does not know. Flags with sycl
// stay, for clang to refuse: -fsycl was forgotten. Warnings do not, clang would not refuse them.
static bool is_accepted_flag(const char *word) {
  const bool is_warning = strncmp(word, "-W", 2) == 0;
  const bool is_flag = strncmp(word, "-f", 2) == 0 && !strstr(word, "sycl");
  const tn_option *option = is_warning || is_flag ? tn_option_find(word) : NULL;
  return option && option->meaning == TN_OPTION_ACCEPTED;
}

static bool is_of_preambles(const char *word) {
  static const char persistent[] = "--persistent-auto-pch=";
  return strcmp(word, "--auto-pch") == 0 || strcmp(word, "--no-auto-pch") == 0 ||
         strcmp(word, "-Rtenon-preamble") == 0 || strcmp(word, "-Rno-tenon-preamble") == 0 ||
         strncmp(word, persistent, sizeof(persistent) - 1) == 0;
}

static bool has_word(char *const *words, const char *word) {
  while (*words && strcmp(*words, word) != 0) {
    words++;
  }
  return *words != NULL;
}

// Behind all other folders, so that Tenon's headers say in one sentence that -fsycl is missing. In
// the environment, where no run of clang's minds that it has no use for it.
static void offer_headers(tn_arena *arena) {
  const char *before = tn_config_get()->include_paths[2];
  const char *root = root_of_program(arena);
  const char *path = root ? tn_arena_format(arena, "%s%s%s/include", before,
                                            before[0] != '\0' ? ":" : "", root)
                          : NULL;
  if (path) {
    (void)setenv("CPLUS_INCLUDE_PATH", path, 1);
  }
}

// The user's own words, but for what only tenon++ knows, and DPC++'s runtime. Without an installed
// clang++ the process is clang++ itself; with one it returns only when that cannot be run.
static tn_status become_clang(const tn_command *command, char *const *words, tn_arena *arena,
                              int *out_exit, tn_diag *diag) {
  const char *clang = NULL;
  tn_args args;
  tn_args_init(&args, arena);
  TN_TRY(tn_frontend_clang_find(arena, command->clang, &clang, diag));
  if (!clang) {
    TN_TRY(tn_frontend_clang_find_installed(arena, &clang, diag));
  }
  tn_args_add(&args, clang ? clang : find_program(arena));
  const bool is_off = !command->sycl && has_word(words, "-fsycl");
  const char *root = root_of_program(arena);
  const char *lib_dir = root ? tn_arena_format(arena, "%s/lib", root) : NULL;
  for (; *words; words++) {
    const tn_option *option = is_off ? tn_option_find(*words) : NULL;
    if (is_of_sycl(option)) {
      for (size_t extra = tn_option_extra(option, *words); extra > 0 && words[1]; extra--) {
        words++;
      }
    } else if (lib_dir && tn_command_runtime_words(words) > 0) {
      words += tn_command_runtime_words(words) - 1;  // of objects of -fno-sycl-rdc
      tn_link_add_runtime(&args, lib_dir, false);
    } else if (strncmp(*words, "--tenon-", 8) != 0 && !is_of_preambles(*words) &&
               !is_accepted_flag(*words)) {
      tn_args_add(&args, *words);
    }
  }
  const char *const *argv = tn_args_argv(&args);
  if (!argv) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the arguments of clang");
  }
  offer_headers(arena);
  if (!clang) {
    *out_exit = tn_clang_program(args.list.count, argv);
    return TN_OK;
  }
  (void)execv(clang, (char *const *)argv);
  return TN_FAIL_NATIVE(diag, IO, errno, "%s: cannot be started: %s", clang, strerror(errno));
}

static tn_status print_help(FILE *out, tn_diag *diag) {
  tn_buf text;
  tn_buf_init(&text, 1 << 20);
  tn_option_help(&text);
  (void)fputs(tn_buf_text(&text), out);
  const tn_status status = tn_buf_status(&text, diag);
  tn_buf_deinit(&text);
  return status;
}

// What the Clang inside says of itself.
static int print_clang_version(tn_arena *arena) {
  const char *const words[] = {find_program(arena), "--version", NULL};
  return words[0] ? tn_clang_program(2, words) : 1;
}

static tn_status run(int argc, char **argv, tn_arena *arena, FILE *out, FILE *err, int *out_exit,
                     tn_diag *diag) {
  *out_exit = 1;
  bool is_done = false;
  tn_args words;
  tn_args_init(&words, arena);
  TN_TRY(tn_response_expand(argc, argv, &words, diag));
  tn_command command;
  const tn_status parsed = tn_command_parse(&words, &command, diag);
  if (command.help) {
    *out_exit = 0;
    return print_help(out, diag);
  }
  if (command.version) {
    (void)fprintf(out, "%s\n", tn_version_line(argv[0]));
    (void)fflush(out);
    if (!tn_frontend_clang_is_named(command.clang)) {
      *out_exit = print_clang_version(arena);
      return TN_OK;
    }
  }
  const bool is_plain = !command.sycl || command.version || command.ask ||
                        (command.verbose && command.args.count <= 2 && words.list.count <= 2 &&
                         tn_command_input_count(&command, TN_INPUT_NONE) == words.list.count);
  if (is_plain) {
    tn_forgotten_warn(&command, err);
    return become_clang(&command, argv + (argc > 0 ? 1 : 0), arena, out_exit, diag);
  }
  TN_TRY(parsed);
  const tn_status status = run_sycl(&command, arena, out, err, &is_done, diag);
  *out_exit = is_done ? 0 : 1;
  return status;
}

// Under the name tenoncc, or clang as in DPC++, it is for C, which clang++ is told by an option.
static tn_status run_named(int argc, char **argv, tn_str name, tn_arena *arena, FILE *out,
                           FILE *err, int *out_exit, tn_diag *diag) {
  static char mode[] = "--driver-mode=gcc";
  if (!tn_str_equals(name, TN_STR_LIT("tenoncc")) && !tn_str_equals(name, TN_STR_LIT("clang"))) {
    return run(argc, argv, arena, out, err, out_exit, diag);
  }
  char **words = tn_arena_alloc_array(arena, (size_t)argc + 2, sizeof(*words));
  if (!words) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the arguments");
  }
  words[0] = argv[0];
  words[1] = mode;
  memcpy(words + 2, argv + 1, (size_t)argc * sizeof(*words));  // with the NULL behind them
  return run(argc + 1, words, arena, out, err, out_exit, diag);
}

// A child of our own, or a command of Clang's that -v has shown: nothing of it is SYCL's.
static bool is_clang_program(int argc, char *const *argv) {
  return argc > 1 && (strcmp(argv[1], TN_CHILD_IS_CLANG) == 0 || strncmp(argv[1], "-cc1", 4) == 0);
}

static int run_clang_program(int argc, char **argv, tn_arena *arena) {
  const bool is_child = strcmp(argv[1], TN_CHILD_IS_CLANG) == 0;
  const char **words = tn_arena_alloc_array(arena, (size_t)argc + 1, sizeof(*words));
  const char *program = find_program(arena);
  if (!words || !program) {
    return 1;
  }
  size_t count = 0;
  words[count++] = program;
  for (int i = is_child ? 2 : 1; i < argc; i++) {
    words[count++] = argv[i];
  }
  words[count] = NULL;
  return tn_clang_program(count, words);
}

static tn_str program_name(int argc, char *const *argv) {
  const tn_str path = tn_str_from(argc > 0 ? argv[0] : "");
  const size_t slash = tn_str_rfind_char(path, '/');
  return tn_str_slice(path, slash == SIZE_MAX ? 0 : slash + 1, SIZE_MAX);
}

int tn_driver_run(int argc, char **argv, FILE *out, FILE *err) {
  const tn_str name = program_name(argc, argv);
  if (tn_str_equals(name, TN_STR_LIT("ld")) || tn_str_equals(name, TN_STR_LIT("ld.lld"))) {
    return tn_clang_linker_program((size_t)argc, (const char *const *)argv);
  }
  tn_arena arena;
  tn_arena_init(&arena);
  int code = 1;
  if (is_clang_program(argc, argv)) {
    code = run_clang_program(argc, argv, &arena);
    tn_arena_deinit(&arena);
    return code;
  }
  tn_diag diag = {0};
  tn_restart_prepare(&argc, argv, &arena);
  const tn_status status = run_named(argc, argv, name, &arena, out, err, &code, &diag);
  if (status != TN_OK) {
    (void)fprintf(err, "tenon++: error: %s\n", diag.text);
  }
  tn_arena_deinit(&arena);
  return status == TN_OK ? code : 1;
}
