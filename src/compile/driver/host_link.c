// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The final link, and what the linker says about device symbols, in the words of the source.
//
// An import that must resolve now is asked of the linker by its marker: --require-defined where the
// linker has it (GNU ld, mold), else by tracing the symbol (lld, gold: "definition of <symbol>").
// Either way the linker decides where a symbol may come from; no reference remains in the output.
#include "base/map.h"
#include "compile/driver/job_run.h"
#include "compile/driver/missing_kernels.h"
#include "image/image.h"

static const char marker[] = "__tenon_export_";

typedef struct import_state {
  tn_symbol_info symbol;
  bool is_defined;   // the linker has said so
  bool is_reported;
} import_state;

typedef struct host_link {
  tn_plan *plan;
  tn_job *job;
  tn_arena *arena;
  tn_list required;  // import_state: what must resolve now, each once
  tn_map by_name;    // the same
  bool traces;       // the linker has no --require-defined
  tn_buf *text;
  const char *demangling;  // an option for this run of the linker, or NULL
  const char *nulls;       // an object to link as well, or NULL
  tn_buf errors;           // the linker's
} host_link;

static bool must_resolve(const tn_command *command) {
  if (command->relocatable || command->allow_imports) {
    return false;
  }
  return !command->shared || command->no_undefined;
}

static tn_status require(host_link *link, const tn_symbol_info *import, tn_diag *diag) {
  if ((import->flags & TN_SYMBOL_WEAK) != 0 || tn_map_find(&link->by_name, import->name)) {
    return TN_OK;
  }
  import_state *state = tn_arena_alloc(link->arena, sizeof(*state));
  if (!state || !tn_list_add(&link->required, link->arena, state) ||
      !tn_map_set(&link->by_name, import->name, state)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for device symbols");
  }
  state->symbol = *import;
  return TN_OK;
}

static tn_status collect_required(host_link *link, tn_diag *diag) {
  if (!must_resolve(link->plan->command) || link->plan->fatbin.size == 0) {
    return TN_OK;
  }
  tn_fatbin fatbin;
  TN_TRY(tn_fatbin_parse(tn_buf_bytes(&link->plan->fatbin), &fatbin, diag));
  for (uint32_t i = 0; i < fatbin.image_count; i++) {
    const tn_image image = tn_fatbin_image_at(&fatbin, i);
    for (uint32_t s = 0; s < tn_image_import_count(&image); s++) {
      const tn_symbol_info import = tn_image_import_at(&image, s);
      TN_TRY(require(link, &import, diag));
    }
  }
  return TN_OK;
}

// The import whose marker a line names, or NULL.
static import_state *line_import(const host_link *link, tn_str line) {
  const size_t at = tn_str_find(line, tn_str_from(marker));
  if (at == SIZE_MAX) {
    return NULL;
  }
  const tn_str tail = tn_str_slice(line, at + sizeof(marker) - 1, SIZE_MAX);
  size_t size = 0;
  while (size < tail.size && tn_is_symbol_char(tail.data[size])) {
    size++;
  }
  return tn_map_find(&link->by_name, tn_str_slice(tail, 0, size));
}

static void report_missing(host_link *link, import_state *state) {
  const tn_symbol_info *import = &state->symbol;
  if (state->is_reported) {
    return;
  }
  state->is_reported = true;
  tn_buf_add_format(link->text, "tenon++: error: undefined device symbol '%.*s'",
                    TN_STR_ARG(import->display_name.size > 0 ? import->display_name
                                                             : import->name));
  if (import->user.size > 0) {
    tn_buf_add_format(link->text, ", used by '%.*s'", TN_STR_ARG(import->user));
  }
  if (import->file.size > 0) {
    tn_buf_add_format(link->text, " at %.*s:%u", TN_STR_ARG(import->file), import->line);
  }
  tn_buf_add_text(link->text,
                  "; link the object or library that defines it as SYCL_EXTERNAL, or leave it to "
                  "run time with -fsycl-allow-device-image-dependencies\n");
}

void tn_plan_final_link_args(const tn_plan *plan, tn_args *out) {
  tn_map wrappers;
  tn_map_init(&wrappers);
  for (size_t i = 0; i < plan->units.count; i++) {
    tn_unit *unit = plan->units.items[i];
    if (unit->wrapper && !tn_map_set(&wrappers, tn_str_from(unit->wrapper), unit)) {
      out->failed = true;
    }
  }
  for (size_t i = 0; i < plan->link_args.list.count; i++) {
    const char *word = tn_args_at(&plan->link_args, i);
    const tn_unit *unit = tn_map_find(&wrappers, tn_str_from(word));
    if (!unit || unit->has_wrapper) {
      tn_args_add(out, word);
    }
    if (unit) {
      tn_args_add_all(out, &unit->natives);
    } else if (plan->wrapper && strcmp(word, plan->wrapper) == 0) {
      tn_args_add_all(out, &plan->natives);
    }
  }
  tn_map_deinit(&wrappers);
}

static tn_status make_args(const host_link *link, tn_args *args, tn_diag *diag) {
  tn_plan_final_link_args(link->plan, args);
  for (size_t i = 0; i < link->plan->symbols.list.count; i++) {
    tn_args_add_format(args, "-Wl,-u,%s", tn_args_at(&link->plan->symbols, i));
  }
  for (size_t i = 0; i < link->required.count; i++) {
    const import_state *import = link->required.items[i];
    tn_args_add_format(args, link->traces ? "-Wl,-y,%s%.*s" : "-Wl,--require-defined=%s%.*s",
                       marker, TN_STR_ARG(import->symbol.name));
  }
  if (link->nulls) {
    tn_args_add(args, link->nulls);
  }
  if (link->demangling) {
    tn_args_add(args, link->demangling);
  }
  return tn_args_argv(args) ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the link");
}

static void pass_lines(const host_link *link, tn_str text, tn_buf *out) {
  tn_str rest = text;
  while (rest.data && rest.size > 0) {
    const tn_str line = tn_str_split(&rest, '\n');
    if (!line_import(link, line)) {
      tn_buf_add_str(out, line);
      tn_buf_add_char(out, '\n');
    }
  }
}

// Lines of a failed link: those about markers become ours, all others pass.
// When there is nothing else, clang's own last line would speak of a failure that is told already.
static bool is_last_word(tn_str text) {
  const tn_str line = tn_str_trim(text);
  return tn_str_find_char(line, '\n') == SIZE_MAX &&
         tn_str_find(line, TN_STR_LIT("linker command failed")) != SIZE_MAX;
}

static void translate_errors(host_link *link, tn_str errors) {
  bool is_told = false;
  tn_str rest = errors;
  while (rest.data && rest.size > 0) {
    import_state *import = line_import(link, tn_str_split(&rest, '\n'));
    // When symbols are traced, a line about one is no error.
    if (import && !link->traces) {
      report_missing(link, import);
      is_told = true;
    }
  }
  tn_buf passed;
  tn_buf_init(&passed, TN_DRIVER_BUFFER_MAXIMUM);
  pass_lines(link, errors, &passed);
  if (!is_told || !is_last_word(tn_buf_str(&passed))) {
    tn_buf_add_str(link->text, tn_buf_str(&passed));
  }
  tn_buf_deinit(&passed);
}

static void note_definitions(const host_link *link, tn_str trace) {
  tn_str rest = trace;
  while (rest.data && rest.size > 0) {
    const tn_str line = tn_str_split(&rest, '\n');
    import_state *import = line_import(link, line);
    if (import && tn_str_find(line, TN_STR_LIT("definition of ")) != SIZE_MAX &&
        tn_str_find(line, TN_STR_LIT("lazy definition of ")) == SIZE_MAX) {
      import->is_defined = true;
    }
  }
}

// The trace of the markers says which have a definition; lld writes it to its output, gold to its
// errors. Other lines pass.
static bool check_trace(host_link *link, tn_str output, tn_str errors) {
  bool complete = true;
  note_definitions(link, output);
  note_definitions(link, errors);
  for (size_t i = 0; i < link->required.count; i++) {
    import_state *import = link->required.items[i];
    if (!import->is_defined) {
      report_missing(link, import);
      complete = false;
    }
  }
  tn_buf passed;
  tn_buf_init(&passed, TN_DRIVER_BUFFER_MAXIMUM);
  pass_lines(link, output, &passed);
  (void)fputs(tn_buf_text(&passed), link->plan->out);
  (void)fflush(link->plan->out);
  tn_buf_deinit(&passed);
  pass_lines(link, errors, link->text);
  return complete;
}

// What -fsycl-link has made is linked once more by us, beside the same objects.
static void explain_twice(const host_link *link, tn_str errors) {
  tn_str rest = errors;
  while (rest.data && rest.size > 0) {
    const tn_str line = tn_str_split(&rest, '\n');
    const bool is_twice = tn_str_find(line, TN_STR_LIT("multiple definition")) != SIZE_MAX ||
                          tn_str_find(line, TN_STR_LIT("duplicate symbol")) != SIZE_MAX;
    const size_t at = tn_str_find(line, TN_STR_LIT("__tenon_module"));
    // "__tenon_module_<id>" is an object's own.
    if (is_twice && at != SIZE_MAX &&
        !tn_str_has_prefix(tn_str_slice(line, at, SIZE_MAX), TN_STR_LIT("__tenon_module_"))) {
      tn_buf_add_text(link->text,
                      "tenon++: error: an input already holds linked device code: leave the object "
                      "that -fsycl-link has written out, or link it without -fsycl\n");
      return;
    }
  }
}

static bool rejects_option(tn_str errors) {
  tn_str rest = errors;
  while (rest.data) {
    const tn_str line = tn_str_split(&rest, '\n');
    if (line.data && tn_str_find(line, TN_STR_LIT("--require-defined")) != SIZE_MAX) {
      return true;
    }
  }
  return false;
}

static tn_status link_once(host_link *link, bool *out_linked, bool *out_again, tn_diag *diag) {
  *out_linked = false;
  *out_again = false;
  tn_args args;
  tn_args_init(&args, link->arena);
  TN_TRY(make_args(link, &args, diag));
  if (link->plan->command->verbose && !link->plan->runs_inside) {
    tn_args_print(&args, link->plan->err);
  }
  tn_buf trace;
  tn_buf *errors = &link->errors;
  tn_buf_init(&trace, TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf_clear(errors);
  const bool captures = link->traces && link->required.count > 0;
  const tn_child child = {.output = captures ? &trace : NULL, .error = errors};
  int code = 0;
  const tn_status status = tn_child_run(link->plan, link->job, &args, &child, &code, diag);
  if (status == TN_OK && code != 0 && !link->traces && link->required.count > 0 &&
      rejects_option(tn_buf_str(errors))) {
    *out_again = true;
  } else if (status == TN_OK && code != 0) {
    translate_errors(link, tn_buf_str(errors));
    explain_twice(link, tn_buf_str(errors));
  } else if (status == TN_OK) {
    *out_linked = true;
    if (captures) {
      *out_linked = check_trace(link, tn_buf_str(&trace), tn_buf_str(errors));
    } else {
      tn_buf_add_str(link->text, tn_buf_str(errors));
    }
  }
  tn_buf_deinit(&trace);
  return status;
}

// The symbols of missing kernels that the linker names, in another run of it.
static tn_status list_missing(host_link *link, tn_list *out, tn_diag *diag) {
  tn_buf text;
  tn_buf *shown = link->text;
  bool is_linked = false;
  bool again = false;
  tn_buf_init(&text, TN_DRIVER_BUFFER_MAXIMUM);
  link->text = &text;
  link->demangling = "-Wl,--no-demangle";
  const tn_status status = link_once(link, &is_linked, &again, diag);
  link->text = shown;
  link->demangling = NULL;
  tn_buf_deinit(&text);
  tn_map told;
  tn_map_init(&told);
  bool is_whole = true;
  for (tn_str rest = tn_buf_str(&link->errors); rest.data && rest.size > 0;) {
    const tn_str symbol = tn_missing_kernel_symbol(tn_str_split(&rest, '\n'));
    if (symbol.size > 0 && !tn_map_find(&told, symbol)) {
      char *copy = tn_arena_str(link->arena, symbol);
      is_whole = is_whole && copy && tn_map_set(&told, symbol, copy) &&
                 tn_list_add(out, link->arena, copy);
    }
  }
  tn_map_deinit(&told);
  return status != TN_OK || is_whole
             ? status
             : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the names of kernels");
}

// SYCL wants a diagnostic where a program asks for a kernel that is not defined, and programs for
// DPC++ catch the exception: the function of such a kernel gives NULL.
static tn_status link_without_kernels(host_link *link, size_t said, bool *out_linked,
                                      tn_diag *diag) {
  enum { ROUNDS = 8 };  // linkers stop after so many errors
  tn_status status = TN_OK;
  tn_list symbols = {0};
  tn_map told;
  tn_buf warnings;
  tn_map_init(&told);
  tn_buf_init(&warnings, TN_DRIVER_BUFFER_MAXIMUM);
  for (int round = 0; status == TN_OK && !*out_linked && round < ROUNDS &&
                      tn_missing_kernels_any(tn_buf_str(&link->errors));
       round++) {
    const size_t known = symbols.count;
    bool again = false;
    tn_missing_kernels_warn(tn_buf_str(&link->errors), &told, &warnings);
    status = list_missing(link, &symbols, diag);
    if (status != TN_OK || symbols.count == known) {
      break;
    }
    link->nulls = tn_arena_format(link->arena, "%s/missing-%d.o", link->plan->temp_dir, round);
    status = link->nulls ? tn_nulls_write(link->nulls, &symbols, diag)
                         : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a path");
    if (status == TN_OK) {
      link->text->size = said;
      status = link_once(link, out_linked, &again, diag);
    }
  }
  tn_buf_add_str(link->text, tn_buf_str(&warnings));
  tn_buf_deinit(&warnings);
  tn_map_deinit(&told);
  return status;
}

static bool linker_traces(const char *name) {
  return name && (strstr(name, "lld") || strstr(name, "gold"));
}

tn_status tn_host_link_run(tn_plan *plan, tn_job *job, bool *out_linked, tn_buf *text,
                           tn_diag *diag) {
  host_link link = {.plan = plan, .job = job, .arena = &plan->link_arena, .text = text};
  link.traces = linker_traces(plan->command->linker_name);
  tn_map_init(&link.by_name);
  tn_buf_init(&link.errors, TN_DRIVER_BUFFER_MAXIMUM);
  const size_t said = text->size;
  bool again = false;
  *out_linked = false;
  tn_status status = collect_required(&link, diag);
  if (status == TN_OK) {
    status = link_once(&link, out_linked, &again, diag);
  }
  if (status == TN_OK && again) {
    link.traces = true;
    status = link_once(&link, out_linked, &again, diag);
  }
  if (status == TN_OK && !*out_linked) {
    status = link_without_kernels(&link, said, out_linked, diag);
  }
  tn_buf_deinit(&link.errors);
  tn_map_deinit(&link.by_name);
  return status;
}
