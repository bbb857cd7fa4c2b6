// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Archives in the device link: a member's device code takes part when the host's linker takes the
// member.
//
// A trial run of the host link tells; --trace names the members. SYCL_EXTERNAL functions are
// functions of the host too, under the same name: what the device link misses and an archive's
// table of symbols has is given to the trial as -u, so that members are taken for device symbols by
// the host linker's own rules, and the final link is given the same -u. Where nothing that is
// linked has a missing symbol's device code, the first member that has it is taken for the device
// link alone. This ends: each round takes a member or asks for a symbol.
#include "compile/driver/job_run.h"
#include "compile/inputs/inputs.h"
#include "image/image.h"

typedef struct taker {
  tn_plan *plan;
  tn_job *job;
  tn_arena *arena;
  tn_buf *text;
  tn_map wanted;   // missing symbols, of all targets
  bool was_tried;  // a trial has been run
  bool has_offers;
  tn_map offers;  // "target\tsymbol" → tn_link_member whose device code defines it
} taker;

static tn_status no_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the archives of the link");
}

// The symbols that must be found yet, into t->wanted.
static tn_status find_wanted(taker *t, tn_diag *diag) {
  tn_map_deinit(&t->wanted);
  tn_map_init(&t->wanted);
  for (size_t target = 0; target < t->plan->command->target_count; target++) {
    tn_link_input *inputs = NULL;
    size_t count = 0;
    tn_list missing = {0};
    TN_TRY(tn_device_link_gather(t->plan, target, &inputs, &count, diag));
    TN_TRY(tn_pipeline_missing(inputs, count, t->arena, &missing, diag));
    for (size_t i = 0; i < missing.count; i++) {
      tn_symbol_info *import = missing.items[i];
      if ((import->flags & TN_SYMBOL_WEAK) == 0 && !tn_map_set(&t->wanted, import->name, import)) {
        return no_memory(diag);
      }
    }
  }
  return TN_OK;
}

static tn_status ask_symbol(taker *t, tn_str symbol, bool *out_any, tn_diag *diag) {
  if (tn_map_find(&t->plan->asked, symbol)) {
    return TN_OK;
  }
  tn_args_add(&t->plan->symbols, tn_arena_str(t->plan->symbols.arena, symbol));
  *out_any = true;
  return !t->plan->symbols.failed && tn_map_set(&t->plan->asked, symbol, t->plan) ? TN_OK
                                                                                  : no_memory(diag);
}

// Without a table, the linker says what it thinks of the archive.
static tn_status ask_for_all(taker *t, bool *out_any, tn_diag *diag) {
  size_t cursor = 0;
  for (const tn_map_entry *e = tn_map_next(&t->wanted, &cursor); e;
       e = tn_map_next(&t->wanted, &cursor)) {
    TN_TRY(ask_symbol(t, (tn_str){e->key, e->key_size}, out_any, diag));
  }
  return TN_OK;
}

static tn_status ask_archive(taker *t, const tn_link_archive *archive, bool *out_any,
                             tn_diag *diag) {
  bool found = false;
  tn_str names = {0};
  const tn_status status = tn_archive_symbols(archive->bytes, &found, &names, diag);
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%s", archive->path);
    return status;
  }
  if (!found) {
    return ask_for_all(t, out_any, diag);
  }
  while (names.data && names.size > 0) {
    const tn_str name = tn_str_split(&names, '\0');
    if (tn_map_find(&t->wanted, name)) {
      TN_TRY(ask_symbol(t, name, out_any, diag));
    }
  }
  return TN_OK;
}

// Adds the wanted symbols that archives have and that were not asked for yet.
static tn_status ask(taker *t, bool *out_any, tn_diag *diag) {
  *out_any = false;
  TN_TRY(find_wanted(t, diag));
  const tn_list *archives = &t->plan->inputs.all_archives;
  for (size_t i = 0; i < archives->count && t->wanted.count > 0; i++) {
    const tn_link_archive *archive = archives->items[i];
    if (!archive->is_whole) {
      TN_TRY(ask_archive(t, archive, out_any, diag));
    }
  }
  return TN_OK;
}

static tn_status make_args(const taker *t, const tn_args *traced, tn_args *args, tn_diag *diag) {
  const tn_plan *plan = t->plan;
  tn_plan_final_link_args(plan, args);
  for (size_t i = 0; i < plan->symbols.list.count; i++) {
    tn_args_add_format(args, "-Wl,-u,%s", tn_args_at(&plan->symbols, i));
  }
  for (size_t i = 0; i < traced->list.count; i++) {
    tn_args_add_format(args, "-Wl,-y,%s", tn_args_at(traced, i));
  }
  // What the program would be made better by is of no use here.
  tn_args_add(args, "-Wl,-t,-t,--unresolved-symbols=ignore-all,-S,-O0,--build-id=none");
  tn_args_add(args, "-o");
  tn_args_add_format(args, "%s/trial", plan->temp_dir);
  return tn_args_argv(args) ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the trial link");
}

static tn_status run_trial(taker *t, const tn_args *traced, tn_buf *trace, tn_buf *errors,
                           tn_diag *diag) {
  tn_args args;
  tn_args_init(&args, t->arena);
  TN_TRY(make_args(t, traced, &args, diag));
  if (t->plan->command->verbose) {
    tn_args_print(&args, t->plan->err);
  }
  const tn_child child = {.output = trace, .error = errors};
  int code = 0;
  TN_TRY(tn_child_run(t->plan, t->job, &args, &child, &code, diag));
  if (code != 0) {
    tn_buf_add_str(t->text, tn_buf_str(errors));
    return TN_FAIL(diag, BUILD_FAILED, "'%s' cannot be linked", t->plan->link_output);
  }
  return TN_OK;
}

typedef tn_status (*trace_fn)(void *user, tn_str trace, tn_str errors, tn_diag *diag);

// A trial whose two outputs `fn` reads; `traced`: symbols whose definitions are wanted.
static tn_status with_trial(taker *t, const tn_args *traced, trace_fn fn, void *user,
                            tn_diag *diag) {
  tn_buf trace;
  tn_buf errors;
  tn_buf_init(&trace, TN_DRIVER_BUFFER_MAXIMUM);
  tn_buf_init(&errors, TN_DRIVER_BUFFER_MAXIMUM);
  tn_status status = run_trial(t, traced, &trace, &errors, diag);
  if (status == TN_OK) {
    status = fn(user, tn_buf_str(&trace), tn_buf_str(&errors), diag);
  }
  tn_buf_deinit(&trace);
  tn_buf_deinit(&errors);
  return status;
}

static tn_status take_traced(void *user, tn_str trace, tn_str errors, tn_diag *diag) {
  const taker *t = user;
  return tn_link_trace_take(&t->plan->inputs, trace, errors, diag);
}

// Of archives with device code that are known by now.
static size_t count_known(const taker *t) {
  size_t count = 0;
  for (size_t i = 0; i < t->plan->inputs.all_archives.count; i++) {
    count += ((const tn_link_archive *)t->plan->inputs.all_archives.items[i])->has_code;
  }
  return count;
}

static tn_status take_by_linker(taker *t, tn_diag *diag) {
  for (;;) {
    bool any = false;
    TN_TRY(tn_link_inputs_lower(&t->plan->inputs, t->text, diag));
    TN_TRY(ask(t, &any, diag));
    if (!any && t->was_tried) {
      return TN_OK;
    }
    const size_t known = count_known(t);
    tn_args proofs;
    tn_args_init(&proofs, t->arena);
    TN_TRY(tn_link_trace_prepare(&t->plan->inputs, &proofs, diag));
    TN_TRY(with_trial(t, &proofs, take_traced, t, diag));
    // An archive that only the trace has named: from a linker's script, or a folder of its own.
    t->was_tried = count_known(t) == known;
  }
}

// ---- symbols that only device code defines

typedef struct offer_reader {
  taker *taker;
  tn_link_member *member;
} offer_reader;

static bool offer_key(tn_str target, tn_str symbol, tn_buf *out) {
  tn_buf_clear(out);
  tn_buf_add_str(out, target);
  tn_buf_add_char(out, '\t');
  tn_buf_add_str(out, symbol);
  return tn_buf_status(out, NULL) == TN_OK;
}

// The first member of the first archive wins, as with the host's linker.
static tn_status offer(taker *t, const tn_offload_entry *entry, tn_str symbol,
                       tn_link_member *member, tn_diag *diag) {
  tn_buf key;
  tn_buf_init(&key, TN_DRIVER_BUFFER_MAXIMUM);
  bool good = offer_key(entry->arch, symbol, &key);
  if (good && !tn_map_find(&t->offers, tn_buf_str(&key))) {
    good = tn_map_set(&t->offers, tn_buf_str(&key), member);
  }
  tn_buf_deinit(&key);
  return good ? TN_OK : no_memory(diag);
}

static tn_status read_offer(void *user, const tn_offload_entry *entry, tn_diag *diag) {
  const offer_reader *reader = user;
  const tn_link_input input = {entry->image, entry->symbols,
                               tn_link_member_name(&reader->taker->plan->inputs, reader->member)};
  tn_list exports = {0};
  TN_TRY(tn_pipeline_exports(&input, reader->taker->arena, &exports, diag));
  for (size_t i = 0; i < exports.count; i++) {
    const tn_symbol_info *symbol = exports.items[i];
    TN_TRY(offer(reader->taker, entry, symbol->name, reader->member, diag));
  }
  return TN_OK;
}

// A member that cannot be read is nobody's concern unless it is taken.
static void read_offers_of(taker *t, tn_link_member *member) {
  offer_reader reader = {t, member};
  tn_bytes object = {0};
  tn_bytes section = {0};
  bool found = true;
  size_t cursor = 0;
  if (member->is_taken || tn_link_member_bytes(&t->plan->inputs, member, &object, NULL) != TN_OK ||
      tn_file_kind_of(object) != TN_FILE_ELF_OBJECT) {
    return;
  }
  while (found && tn_elf_section_next(object, TN_SECTION_OFFLOAD, &cursor, &found, &section,
                                      NULL) == TN_OK) {
    TN_IGNORE(tn_offload_read(section, read_offer, &reader, NULL), "it then offers nothing");
  }
}

static tn_status read_offers(taker *t, tn_diag *diag) {
  if (t->has_offers) {
    return TN_OK;
  }
  t->has_offers = true;
  const tn_list *archives = &t->plan->inputs.all_archives;
  for (size_t i = 0; i < archives->count; i++) {
    tn_link_archive *archive = archives->items[i];
    if (archive->has_code) {
      TN_TRY(tn_link_archive_list(&t->plan->inputs, archive, diag));
    }
    for (size_t m = 0; m < archive->members.count && archive->has_code; m++) {
      read_offers_of(t, archive->members.items[m]);
    }
  }
  return TN_OK;
}

typedef struct lender {
  taker *taker;
  tn_list symbols;  // tn_symbol_info
  tn_list members;  // tn_link_member, one a symbol
} lender;

static tn_status find_lenders(lender *l, tn_diag *diag) {
  taker *t = l->taker;
  tn_buf key;
  tn_buf_init(&key, TN_DRIVER_BUFFER_MAXIMUM);
  bool good = true;
  size_t cursor = 0;
  for (const tn_map_entry *e = tn_map_next(&t->wanted, &cursor); e && good;
       e = tn_map_next(&t->wanted, &cursor)) {
    for (size_t i = 0; i < t->plan->command->target_count && good; i++) {
      const tn_str target = tn_str_from(t->plan->command->targets[i].word);
      good = offer_key(target, (tn_str){e->key, e->key_size}, &key);
      tn_link_member *member = good ? tn_map_find(&t->offers, tn_buf_str(&key)) : NULL;
      if (member && !member->is_taken) {
        good = tn_list_add(&l->symbols, t->arena, e->value) &&
               tn_list_add(&l->members, t->arena, member);
        break;
      }
    }
  }
  tn_buf_deinit(&key);
  return good ? TN_OK : no_memory(diag);
}

// What a shared library's device code defines is had from there.
static tn_status take_lenders(void *user, tn_str trace, tn_str errors, tn_diag *diag) {
  lender *l = user;
  tn_buf marker;
  tn_buf_init(&marker, TN_DRIVER_BUFFER_MAXIMUM);
  tn_status status = TN_OK;
  for (size_t i = 0; i < l->symbols.count && status == TN_OK; i++) {
    const tn_symbol_info *symbol = l->symbols.items[i];
    tn_buf_clear(&marker);
    tn_export_marker_name(&marker, symbol->name);
    if (!tn_link_trace_defines(trace, errors, tn_buf_str(&marker))) {
      status = tn_link_member_take(&l->taker->plan->inputs, l->members.items[i], diag);
    }
  }
  tn_buf_deinit(&marker);
  return status;
}

static tn_status take_device_only(taker *t, bool *out_any, tn_diag *diag) {
  *out_any = false;
  if (t->wanted.count == 0) {
    return TN_OK;
  }
  TN_TRY(read_offers(t, diag));
  lender l = {.taker = t};
  TN_TRY(find_lenders(&l, diag));
  if (l.symbols.count == 0) {
    return TN_OK;
  }
  tn_args traced;
  tn_args_init(&traced, t->arena);
  for (size_t i = 0; i < l.symbols.count; i++) {
    const tn_symbol_info *symbol = l.symbols.items[i];
    tn_args_add_format(&traced, "__tenon_export_%.*s", TN_STR_ARG(symbol->name));
  }
  const size_t before = t->plan->inputs.code.count;
  TN_TRY(with_trial(t, &traced, take_lenders, &l, diag));
  *out_any = t->plan->inputs.code.count > before;
  return TN_OK;
}

tn_status tn_members_take(tn_plan *plan, tn_job *job, tn_buf *text, tn_diag *diag) {
  taker t = {.plan = plan, .job = job, .arena = &plan->link_arena, .text = text};
  tn_map_init(&t.wanted);
  tn_map_init(&t.offers);
  // From here on one job runs at a time, and it is the link's.
  plan->inputs.arena = &plan->link_arena;
  tn_status status = tn_wrapper_write(plan->wrapper, (tn_bytes){0}, NULL, diag);
  bool again = true;
  while (again && status == TN_OK) {
    status = take_by_linker(&t, diag);
    if (status == TN_OK) {
      status = take_device_only(&t, &again, diag);
    }
  }
  tn_map_deinit(&t.offers);
  tn_map_deinit(&t.wanted);
  return status;
}
