// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a command line by the option table: words → tn_command.
#include "compile/command/command.h"

#include "image/image.h"

#include <regex.h>

static bool text_in(const char *text, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(text, list[i]) == 0) {
      return true;
    }
  }
  return false;
}

tn_input_kind tn_input_classify(const char *name, const char *language) {
  static const char *const sycl_languages[] = {"c++", "c++-cpp-output"};
  static const char *const sources[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".CPP", ".cp", ".CC",
                                        ".CXX", ".ii", ".c", ".cppm", ".ixx"};
  static const char *const headers[] = {".h", ".hpp", ".hh", ".hxx", ".H", ".h++", ".hp", ".tcc"};
  static const char *const hosts[] = {".s",  ".S",  ".sx", ".ll",  ".bc",  ".i",  ".m",  ".mm",
                                      ".cu", ".M", ".f",  ".f90", ".F90", ".cl", ".hip"};
  if (language) {
    if (text_in(language, sycl_languages, TN_COUNT(sycl_languages))) {
      return TN_INPUT_SYCL;
    }
    return strcmp(language, "c++-header") == 0 ? TN_INPUT_HEADER : TN_INPUT_HOST;
  }
  // Extensions are views to the end of the name, so they end in NUL.
  const tn_str extension = tn_path_extension(tn_str_from(name));
  if (extension.size == 0) {
    return TN_INPUT_LINK;
  }
  if (text_in(extension.data, sources, TN_COUNT(sources))) {
    return TN_INPUT_SYCL;
  }
  if (text_in(extension.data, headers, TN_COUNT(headers))) {
    return TN_INPUT_HEADER;
  }
  return text_in(extension.data, hosts, TN_COUNT(hosts)) ? TN_INPUT_HOST : TN_INPUT_LINK;
}

size_t tn_command_input_count(const tn_command *command, tn_input_kind kind) {
  size_t count = 0;
  for (size_t i = 0; i < command->args.count; i++) {
    count += tn_command_arg_at(command, i)->input == kind;
  }
  return count;
}

bool tn_command_has_option(const tn_command *command, const char *spelling) {
  bool found = false;
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    const bool is_front_end = arg->option && arg->option->meaning == TN_OPTION_XCLANG;
    found = found || (arg->input == TN_INPUT_NONE &&
                      strcmp(is_front_end ? arg->value : arg->text, spelling) == 0);
  }
  return found;
}

uint32_t tn_command_compression(const tn_command *command) {
  if (!command->compress) {
    return 0;
  }
  return command->compression_level > 0 ? (uint32_t)command->compression_level
                                        : TN_COMPRESSION_LEVEL_DEFAULT;
}

void tn_command_arg_add(const tn_command_arg *arg, tn_args *out) {
  tn_args_add(out, arg->text);
  for (size_t i = 0; i < arg->extra_count; i++) {
    tn_args_add(out, arg->extra[i]);
  }
}

void tn_command_options(const tn_command *command, uint32_t goes, tn_args *out) {
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    if (arg->input != TN_INPUT_NONE) {
      continue;
    }
    if (arg->option && arg->option->meaning == TN_OPTION_XARCH_DEVICE) {
      if ((goes & TN_GOES_D) != 0) {
        tn_args_add(out, arg->value);
      }
    } else if (!arg->option || (arg->option->goes & goes) != 0) {
      tn_command_arg_add(arg, out);
    }
  }
}

static void add_linker_words(tn_command *command, const char *value) {
  tn_str rest = tn_str_from(value);
  while (rest.data) {
    const tn_str word = tn_str_split(&rest, ',');
    tn_args_add_format(&command->linker_words, "%.*s", TN_STR_ARG(word));
  }
}

static void apply_linker_words(tn_command *command) {
  const tn_args *words = &command->linker_words;
  for (size_t i = 0; i < words->list.count; i++) {
    const char *word = tn_args_at(words, i);
    const bool is_z = strcmp(word, "-z") == 0 && i + 1 < words->list.count;
    const char *z = is_z ? tn_args_at(words, i + 1) : strncmp(word, "-z", 2) == 0 ? word + 2 : "";
    if (strcmp(word, "--no-undefined") == 0 || strcmp(word, "-no-undefined") == 0 ||
        strcmp(z, "defs") == 0) {
      command->no_undefined = true;
    } else if (strcmp(z, "undefs") == 0) {
      command->no_undefined = false;
    }
  }
}

// "-Wp,-MD,FILE" is "-MD -MF FILE", as clang reads it.
static void apply_preprocessor_words(tn_command *command, const tn_command_arg *arg) {
  tn_str rest = tn_str_from(arg->value);
  const tn_str word = tn_str_split(&rest, ',');
  if (!tn_str_equals(word, TN_STR_LIT("-MD")) && !tn_str_equals(word, TN_STR_LIT("-MMD"))) {
    return;
  }
  command->dependency_file = true;
  if (rest.data) {
    const tn_str file = tn_str_split(&rest, ',');
    command->has_dependency_output = true;
    command->dependency_output = tn_arena_str(command->arena, file);
  }
}

// The last action in clang's order of steps wins over where it stands: -E before -fsyntax-only …
static void set_action(tn_command *command, tn_action action) {
  static const tn_action order[] = {TN_ACTION_DEPENDENCIES, TN_ACTION_PREPROCESS, TN_ACTION_SYNTAX,
                                    TN_ACTION_OTHER, TN_ACTION_ASSEMBLY, TN_ACTION_OBJECT,
                                    TN_ACTION_LINK};
  for (size_t i = 0; i < TN_COUNT(order); i++) {
    if (order[i] == action || order[i] == command->action) {
      command->action = order[i];
      return;
    }
  }
}

static tn_status set_number(const tn_command_arg *arg, const char *what, uint64_t maximum,
                            uint64_t *out, tn_diag *diag) {
  if (!tn_str_to_u64(tn_str_from(arg->value), out) || *out == 0 || *out > maximum) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: give a number %s", arg->text, what);
  }
  return TN_OK;
}

static tn_status set_split(tn_command *command, const tn_command_arg *arg, tn_diag *diag) {
  static const struct { const char *name; tn_split_mode mode; } modes[] = {
      {"auto", TN_SPLIT_AUTO},
      {"per_source", TN_SPLIT_PER_SOURCE},
      {"per_kernel", TN_SPLIT_PER_KERNEL},
      {"off", TN_SPLIT_OFF},
  };
  const char *nearest = NULL;
  size_t least = 4;
  command->has_split = true;
  for (size_t i = 0; i < TN_COUNT(modes); i++) {
    const size_t distance =
        tn_str_distance(tn_str_from(arg->value), tn_str_from(modes[i].name), 4);
    if (distance == 0) {
      command->split = modes[i].mode;
      return TN_OK;
    }
    if (distance < least) {
      least = distance;
      nearest = modes[i].name;
    }
  }
  return TN_FAIL(diag, INVALID_ARGUMENT,
                 "%s: there is no such mode%s%s%s (auto, per_source, per_kernel, off)",
                 arg->text, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                 nearest ? "'?" : "");
}

static tn_status add_stage_words(tn_command *command, const tn_command_arg *arg, tn_diag *diag) {
  tn_stage_words *words = tn_arena_alloc(command->arena, sizeof(*words));
  if (!words || !tn_list_add(&command->stage_words, command->arena, words)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the arguments");
  }
  const tn_option_meaning meaning = arg->option->meaning;
  const bool has_target = arg->option->shape == TN_SHAPE_EITHER;
  *words = (tn_stage_words){
      .option = arg->text,
      .target = has_target ? arg->text + strlen(arg->option->spelling) : NULL,
      .words = arg->extra[0],
      .stage = meaning == TN_OPTION_FRONTEND_WORDS || meaning == TN_OPTION_FRONTEND_WORDS_FOR
                   ? TN_STAGE_FRONTEND
               : meaning == TN_OPTION_BACKEND_WORDS || meaning == TN_OPTION_BACKEND_WORDS_FOR
                   ? TN_STAGE_BACKEND
                   : TN_STAGE_LINKER,
  };
  return TN_OK;
}

static tn_status set_save_temps(tn_command *command, const char *value, tn_diag *diag) {
  if (strcmp(value, "cwd") == 0) {
    command->save_temps = TN_SAVE_TEMPS_CWD;
  } else if (strcmp(value, "obj") == 0) {
    command->save_temps = TN_SAVE_TEMPS_OBJ;
  } else {
    return TN_FAIL(diag, INVALID_ARGUMENT, "--save-temps=%s: it is cwd or obj", value);
  }
  return TN_OK;
}

// Options that say what to do. False when the option is none of them.
static bool apply_action(tn_command *command, tn_option_meaning meaning) {
  switch (meaning) {
    case TN_OPTION_COMPILE: set_action(command, TN_ACTION_OBJECT); return true;
    case TN_OPTION_ASSEMBLY: set_action(command, TN_ACTION_ASSEMBLY); return true;
    case TN_OPTION_PREPROCESS: set_action(command, TN_ACTION_PREPROCESS); return true;
    case TN_OPTION_DEPENDENCIES: set_action(command, TN_ACTION_DEPENDENCIES); return true;
    case TN_OPTION_SYNTAX_ONLY: set_action(command, TN_ACTION_SYNTAX); return true;
    case TN_OPTION_PRECOMPILE:
      set_action(command, TN_ACTION_OTHER);
      command->precompile = command->action == TN_ACTION_OTHER;
      return true;
    case TN_OPTION_ANALYZE: set_action(command, TN_ACTION_OTHER); return true;
    default: return false;
  }
}

static bool apply_switch(tn_command *command, tn_option_meaning meaning) {
  switch (meaning) {
    case TN_OPTION_SYCL: command->sycl = true; return true;
    case TN_OPTION_NO_SYCL: command->sycl = false; return true;
    case TN_OPTION_DEVICE_ONLY: command->device_only = true; return true;
    case TN_OPTION_HOST_ONLY: command->host_only = true; return true;
    case TN_OPTION_RDC: command->no_rdc = false; return true;
    case TN_OPTION_NO_RDC: command->no_rdc = true; return true;
    case TN_OPTION_DEVICE_LINK: command->has_device_link = true; return true;
    case TN_OPTION_EMBED_IR: command->embed_ir = true; return true;
    case TN_OPTION_COMPRESS:
    case TN_OPTION_NO_COMPRESS:
      command->compress = meaning == TN_OPTION_COMPRESS;
      command->no_compress = !command->compress;
      return true;
    case TN_OPTION_LINK_CACHE: command->no_link_cache = false; return true;
    case TN_OPTION_NO_LINK_CACHE: command->no_link_cache = true; return true;
    case TN_OPTION_AUTO_PCH: command->no_preamble = false; return true;
    case TN_OPTION_NO_AUTO_PCH: command->no_preamble = true; return true;
    case TN_OPTION_REMARK_PREAMBLE: command->remarks_preambles = true; return true;
    case TN_OPTION_NO_REMARK_PREAMBLE: command->remarks_preambles = false; return true;
    case TN_OPTION_ALLOW_IMPORTS: command->allow_imports = true; return true;
    case TN_OPTION_NO_ALLOW_IMPORTS: command->allow_imports = false; return true;
    case TN_OPTION_PRINT_PLAN: command->print_plan = true; return true;
    case TN_OPTION_VERBOSE: command->verbose = true; return true;
    case TN_OPTION_HELP: command->help = true; return true;
    case TN_OPTION_VERSION: command->version = true; return true;
    case TN_OPTION_ASK: command->ask = true; return true;
    case TN_OPTION_EMIT_LLVM: command->emit_llvm = true; return true;
    case TN_OPTION_LTO: command->lto = true; return true;
    case TN_OPTION_NO_LTO: command->lto = false; return true;
    case TN_OPTION_SHARED: command->shared = true; return true;
    case TN_OPTION_STATIC: command->is_static = true; return true;
    case TN_OPTION_RELOCATABLE: command->relocatable = true; return true;
    case TN_OPTION_DEPENDENCY_FILE: command->dependency_file = true; return true;
    case TN_OPTION_DEPENDENCY_TARGET: command->has_dependency_target = true; return true;
    case TN_OPTION_BESIDE_OBJECT: command->beside_object = true; return true;
    default: return false;
  }
}

// Options about devices and their code. False when the option is none of them.
static bool apply_device(tn_command *command, const tn_command_arg *arg, tn_status *out_status,
                         tn_diag *diag) {
  *out_status = TN_OK;
  switch (arg->option->meaning) {
    case TN_OPTION_TARGETS: command->target_list = arg->value; return true;
    case TN_OPTION_LINK_TARGETS: command->link_target_list = arg->value; return true;
    case TN_OPTION_OFFLOAD_ARCH: tn_args_add(&command->arch_lists, arg->value); return true;
    case TN_OPTION_ADD_TARGETS: tn_args_add(&command->added_lists, arg->value); return true;
    case TN_OPTION_DEVICE_OBJ: command->device_obj = arg->value; return true;
    case TN_OPTION_PERSISTENT_AUTO_PCH:
      command->no_preamble = false;
      command->preamble_dir = arg->value;
      return true;
    case TN_OPTION_WRITE_PREAMBLES: command->written_preambles = arg->value; return true;
    case TN_OPTION_DUMP_DIR: command->dump_dir = arg->value; return true;
    case TN_OPTION_HOST_COMPILER: command->host_compiler = arg->value; return true;
    case TN_OPTION_HOST_OPTIONS: command->host_options = arg->value; return true;
    case TN_OPTION_INT_HEADER: command->int_header = arg->value; return true;
    case TN_OPTION_CUDA_PATH: command->cuda_path = arg->value; return true;
    case TN_OPTION_SPLIT_AUTO:
      command->split = TN_SPLIT_AUTO;
      command->has_split = true;
      return true;
    case TN_OPTION_SPLIT: *out_status = set_split(command, arg, diag); return true;
    case TN_OPTION_SUB_GROUP_SIZE:
      *out_status = tn_target_read_sub_group_size(arg->text, tn_str_from(arg->value),
                                                  &command->sub_group_size, diag);
      return true;
    case TN_OPTION_COMPRESSION:
      *out_status = set_number(arg, "from 1 to 22", 22, &command->compression_level, diag);
      return true;
    case TN_OPTION_LINK_JOBS:
      *out_status =
          set_number(arg, "of images, 1 or more", UINT32_MAX, &command->link_jobs, diag);
      return true;
    case TN_OPTION_FRONTEND_WORDS:
    case TN_OPTION_FRONTEND_WORDS_FOR:
    case TN_OPTION_BACKEND_WORDS:
    case TN_OPTION_BACKEND_WORDS_FOR:
    case TN_OPTION_LINKER_WORDS:
    case TN_OPTION_LINKER_WORDS_FOR:
      *out_status = add_stage_words(command, arg, diag);
      return true;
    default: return false;
  }
}

// -Rpass=REGEX and its kin, of which the last one of a kind counts. Clang reads the expression as
// well, and reports one that is none.
static bool apply_remarks(tn_command *command, const tn_command_arg *arg) {
  static const struct {
    tn_option_meaning meaning;
    tn_option_meaning opposite;
    uint32_t flag;
  } kinds[] = {
      {TN_OPTION_REMARK_PASS, TN_OPTION_NO_REMARK_PASS, TN_UNIT_REMARKS_PASSED},
      {TN_OPTION_REMARK_MISSED, TN_OPTION_NO_REMARK_MISSED, TN_UNIT_REMARKS_MISSED},
      {TN_OPTION_REMARK_ANALYSIS, TN_OPTION_NO_REMARK_ANALYSIS, TN_UNIT_REMARKS_ANALYSIS}};
  for (size_t k = 0; k < TN_COUNT(kinds); k++) {
    const bool is_on = arg->option->meaning == kinds[k].meaning;
    if (!is_on && arg->option->meaning != kinds[k].opposite) {
      continue;
    }
    regex_t regex;
    bool matches = is_on && arg->option->shape == TN_SHAPE_FLAG;
    if (is_on && !matches && regcomp(&regex, arg->value, REG_EXTENDED | REG_NOSUB) == 0) {
      matches = regexec(&regex, "tenon", 0, NULL, 0) == 0;
      regfree(&regex);
    }
    command->remarks &= ~kinds[k].flag;
    command->remarks |= matches ? kinds[k].flag : 0;
    return true;
  }
  return false;
}

static tn_status apply(tn_command *command, const tn_command_arg *arg, const char **language,
                       tn_diag *diag) {
  if (apply_action(command, arg->option->meaning) || apply_switch(command, arg->option->meaning) ||
      apply_remarks(command, arg)) {
    return TN_OK;
  }
  tn_status status = TN_OK;
  if (apply_device(command, arg, &status, diag)) {
    return status;
  }
  switch (arg->option->meaning) {
    case TN_OPTION_DEPENDENCY_OUTPUT:
      command->has_dependency_output = true;
      command->dependency_output = arg->value;
      break;
    case TN_OPTION_REFUSED:
      return TN_FAIL(diag, UNSUPPORTED, "%s: %s", arg->text, arg->option->value);
    case TN_OPTION_PREPROCESSOR: apply_preprocessor_words(command, arg); break;
    case TN_OPTION_JOBS:
      return set_number(arg, "of steps, 1 or more", UINT32_MAX, &command->jobs, diag);
    case TN_OPTION_SAVE_TEMPS: command->save_temps = TN_SAVE_TEMPS_CWD; break;
    case TN_OPTION_SAVE_TEMPS_IN: return set_save_temps(command, arg->value, diag);
    case TN_OPTION_DATABASE: command->database_file = arg->value; break;
    case TN_OPTION_OUTPUT: command->output = arg->value; break;
    case TN_OPTION_CLANG: command->clang = arg->value; break;
    case TN_OPTION_LANGUAGE:
      *language = strcmp(arg->value, "none") == 0 ? NULL : arg->value;
      break;
    case TN_OPTION_LINKER: add_linker_words(command, arg->value); break;
    case TN_OPTION_LINKER_Z:
      tn_args_add(&command->linker_words, "-z");
      tn_args_add(&command->linker_words, arg->value);
      break;
    case TN_OPTION_LINKER_NAME:
      command->linker_name = arg->value;
      command->linker_option = arg->text;
      break;
    case TN_OPTION_STANDARD: command->standard = arg->value; break;
    case TN_OPTION_DRIVER_MODE: command->is_c = strcmp(arg->value, "gcc") == 0; break;
    case TN_OPTION_PROCESSOR: command->processor = arg->value; break;
    case TN_OPTION_OPTIMIZE: command->opt_level = tn_frontend_opt_level(arg->value); break;
    case TN_OPTION_DEBUG: command->debug = strcmp(arg->value, "0") != 0; break;
    default: break;
  }
  return TN_OK;
}

static bool is_ours_unknown(const char *text) {
  return strncmp(text, "-fsycl-", 7) == 0 || strncmp(text, "-fno-sycl-", 10) == 0 ||
         strncmp(text, "--tenon", 7) == 0 || strncmp(text, "-Xsycl-", 7) == 0;
}

// Sources in C for the devices: those named so, of the command that is for C.
static void settle_c(const tn_command *command, tn_command_arg *arg) {
  if (!command->is_c) {
    return;
  }
  const tn_str extension = tn_path_extension(tn_str_from(arg->text));
  if (!arg->language && tn_str_equals(extension, TN_STR_LIT(".c"))) {
    arg->language = "c";
  }
  if (arg->language && strcmp(arg->language, "c") == 0) {
    arg->input = TN_INPUT_SYCL;
  }
}

// DPC++'s runtime, as its makefiles name it: the headers are Tenon's, and so is the runtime, which
// with -fsycl each link gets.
static const tn_option runtime_library = {"-l", TN_SHAPE_EITHER, TN_OPTION_ACCEPTED, TN_GOES_OWN,
                                          "", ""};

static bool is_dpcpp_runtime(const char *library) {
  static const char *const names[] = {"sycl", "sycl-preview", ":libsycl.so"};
  return text_in(library, names, TN_COUNT(names));
}

size_t tn_command_runtime_words(char *const *words) {
  if (strncmp(words[0], "-l", 2) != 0) {
    return 0;
  }
  if (words[0][2] != '\0') {
    return is_dpcpp_runtime(words[0] + 2) ? 1 : 0;
  }
  return words[1] && is_dpcpp_runtime(words[1]) ? 2 : 0;
}

// One argument from words[*index] on; moves *index behind what it takes.
static tn_status parse_one(const tn_args *words, size_t *index, tn_command_arg *arg,
                           tn_diag *diag) {
  arg->text = tn_args_at(words, (*index)++);
  arg->value = "";
  arg->option = tn_option_find(arg->text);
  if (arg->option && arg->option->meaning == TN_OPTION_ALIAS) {
    arg->text = tn_arena_format(words->arena, "%s%s", arg->option->value,
                                arg->text + strlen(arg->option->spelling));
    if (!arg->text) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the arguments");
    }
    arg->option = tn_option_find(arg->text);
  }
  if (!arg->option) {
    return is_ours_unknown(arg->text) ? tn_option_refuse(arg->text, diag) : TN_OK;
  }
  arg->value = arg->text + strlen(arg->option->spelling);
  arg->extra_count = tn_option_extra(arg->option, arg->text);
  if (arg->extra_count > words->list.count - *index) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "argument to '%s' is missing", arg->text);
  }
  for (size_t i = 0; i < arg->extra_count; i++) {
    arg->extra[i] = tn_args_at(words, (*index)++);
    arg->value = arg->extra[0];
  }
  if (arg->option->meaning == TN_OPTION_LIBRARY && is_dpcpp_runtime(arg->value)) {
    arg->option = &runtime_library;
  }
  return TN_OK;
}

static tn_status parse_all(const tn_args *words, tn_command *out, tn_diag *diag) {
  const char *language = NULL;
  bool only_inputs = false;
  tn_status first = TN_OK;
  for (size_t i = 0; i < words->list.count;) {
    const char *text = tn_args_at(words, i);
    if (!only_inputs && strcmp(text, "--") == 0) {
      only_inputs = true;
      i++;
      continue;
    }
    tn_command_arg *arg = tn_arena_alloc(out->arena, sizeof(*arg));
    if (!arg || !tn_list_add(&out->args, out->arena, arg)) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the arguments");
    }
    tn_status status = TN_OK;
    if (only_inputs || text[0] != '-' || text[1] == '\0') {
      i++;
      *arg = (tn_command_arg){.text = text, .value = "", .language = language};
      arg->input = tn_input_classify(text, language);
      settle_c(out, arg);
    } else {
      status = parse_one(words, &i, arg, first == TN_OK ? diag : NULL);
      if (arg->option && arg->option->meaning == TN_OPTION_STATIC_LIBRARY &&
          arg->value[0] != '\0') {
        // Device code is taken out of every archive of a link: the option is the archive itself.
        *arg = (tn_command_arg){.text = arg->value, .value = ""};
        arg->input = tn_input_classify(arg->text, NULL);
      } else if (status == TN_OK && arg->option) {
        status = apply(out, arg, &language, first == TN_OK ? diag : NULL);
      }
    }
    // The rest is read all the same: whether -fsycl is there decides who reports the failure.
    first = first == TN_OK ? status : first;
  }
  return first;
}

// -Xclang -emit-pch: what is compiled to an object otherwise is precompiled.
static bool emits_pch(const tn_command *command) {
  bool found = false;
  for (size_t i = 0; i < command->args.count; i++) {
    const tn_command_arg *arg = tn_command_arg_at(command, i);
    found = found || (arg->option && arg->option->meaning == TN_OPTION_XCLANG &&
                      strcmp(arg->value, "-emit-pch") == 0);
  }
  return found;
}

// Of a header clang makes a precompiled one whatever of -c, -S and --precompile is there, or
// nothing.
static void settle_headers(tn_command *command) {
  const bool makes_all = command->action == TN_ACTION_OBJECT && emits_pch(command);
  size_t headers = 0;
  size_t others = 0;
  for (size_t i = 0; i < command->args.count; i++) {
    tn_command_arg *arg = command->args.items[i];
    if (arg->input == TN_INPUT_SYCL && makes_all) {
      arg->input = TN_INPUT_HEADER;
    }
    headers += arg->input == TN_INPUT_HEADER;
    others += arg->input != TN_INPUT_HEADER && arg->input != TN_INPUT_NONE;
  }
  const bool makes_code = command->action == TN_ACTION_LINK ||
                          command->action == TN_ACTION_OBJECT ||
                          command->action == TN_ACTION_ASSEMBLY || command->precompile;
  if (headers > 0 && others == 0 && makes_code) {
    command->action = TN_ACTION_OBJECT;
    command->emit_llvm = false;
  }
}

tn_status tn_command_parse(const tn_args *words, tn_command *out, tn_diag *diag) {
  *out = (tn_command){.arena = words->arena, .opt_level = 2, .action = TN_ACTION_LINK};
  tn_args_init(&out->linker_words, out->arena);
  tn_args_init(&out->arch_lists, out->arena);
  tn_args_init(&out->added_lists, out->arena);
  tn_status status = parse_all(words, out, diag);
  apply_linker_words(out);
  settle_headers(out);
  if (status == TN_OK) {
    status = tn_command_settle_targets(out, diag);
  }
  if (status == TN_OK && out->linker_words.failed) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the arguments");
  }
  return status;
}
