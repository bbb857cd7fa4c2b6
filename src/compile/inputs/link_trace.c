// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads traces of the linker's. GNU ld writes "(archive)member", the others "archive(member)", mold
// with "trace: " before it; a member of a thin archive is its file alone with GNU ld. Members of
// one archive that share a name are told apart by symbols: "archive(member): definition of symbol".
#include "compile/inputs/inputs.h"

#include "image/image.h"

static const char definition[] = ": definition of ";

typedef struct trace_reader {
  tn_link_inputs *inputs;
  tn_list seen;   // the first members of the names that the trace has
  tn_map proofs;  // symbol → the member that alone among its twins defines it
} trace_reader;

static tn_status no_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read the linker's trace");
}

// ---- which member a line means

static tn_status member_at(tn_link_inputs *inputs, tn_str archive, tn_str key, tn_link_member **out,
                           tn_diag *diag) {
  tn_link_archive *found = NULL;
  if (archive.size == 0 || key.size == 0) {
    return TN_OK;
  }
  TN_TRY(tn_link_archive_find(inputs, archive, &found, diag));
  if (found && found->has_code) {
    TN_TRY(tn_link_archive_list(inputs, found, diag));
    *out = tn_link_member_find(inputs, found, key);
  }
  return TN_OK;
}

// Names may have brackets as well: every way to part the line is tried.
static tn_status member_of(tn_link_inputs *inputs, tn_str line, tn_link_member **out,
                           tn_diag *diag) {
  *out = NULL;
  const bool is_gnu = line.size > 0 && line.data[0] == '(';
  const bool is_other = line.size > 0 && line.data[line.size - 1] == ')';
  for (size_t i = 1; i < line.size && is_gnu && !*out; i++) {
    if (line.data[i] == ')') {
      TN_TRY(member_at(inputs, tn_str_slice(line, 1, i - 1), tn_str_slice(line, i + 1, SIZE_MAX),
                       out, diag));
    }
  }
  for (size_t i = line.size; i > 1 && is_other && !*out; i--) {
    if (line.data[i - 1] == '(') {
      TN_TRY(member_at(inputs, tn_str_slice(line, 0, i - 1),
                       tn_str_slice(line, i, line.size - i - 1), out, diag));
    }
  }
  if (!*out && !is_gnu && !is_other) {
    *out = tn_link_member_of_file(inputs, line);
  }
  return TN_OK;
}

// ---- members of one name

static tn_link_member *first_of(const tn_link_member *member) {
  return tn_map_find(&member->archive->by_name, member->key);
}

// Which of the twins defines what; a symbol of two of them proves nothing.
static tn_status collect_symbols(tn_link_inputs *inputs, tn_link_member *first, tn_map *owners,
                                 tn_diag *diag) {
  static tn_link_member several;
  for (tn_link_member *m = first; m; m = m->twin) {
    tn_bytes object = {0};
    TN_TRY(tn_link_member_bytes(inputs, m, &object, diag));
    size_t cursor = 0;
    bool done = tn_file_kind_of(object) != TN_FILE_ELF_OBJECT;
    while (!done) {
      tn_str name = {0};
      TN_TRY(tn_elf_global_next(object, &cursor, &done, &name, diag));
      tn_link_member *owner = done ? NULL : tn_map_find(owners, name);
      if (!done && !tn_map_set(owners, name, owner && owner != m ? &several : m)) {
        return no_memory(diag);
      }
    }
  }
  return TN_OK;
}

static tn_status choose_proofs(tn_link_inputs *inputs, tn_link_member *first, tn_args *traced,
                               tn_diag *diag) {
  tn_map owners;
  tn_map_init(&owners);
  tn_status status = collect_symbols(inputs, first, &owners, diag);
  size_t cursor = 0;
  for (const tn_map_entry *e = tn_map_next(&owners, &cursor); e && status == TN_OK;
       e = tn_map_next(&owners, &cursor)) {
    tn_link_member *owner = e->value;
    if (owner->archive && !owner->proof) {
      owner->proof = tn_arena_str(inputs->arena, (tn_str){e->key, e->key_size});
      tn_args_add(traced, owner->proof);
      status = owner->proof ? TN_OK : no_memory(diag);
    }
  }
  tn_map_deinit(&owners);
  return status;
}

// Twins without device code are nobody's concern.
static tn_status twins_have_code(tn_link_inputs *inputs, tn_link_member *first, bool *out,
                                 tn_diag *diag) {
  *out = false;
  for (tn_link_member *m = first; m && !*out; m = m->twin) {
    tn_bytes object = {0};
    tn_bytes section = {0};
    TN_TRY(tn_link_member_bytes(inputs, m, &object, diag));
    if (tn_file_kind_of(object) == TN_FILE_ELF_OBJECT) {
      TN_TRY(tn_elf_section_find(object, TN_SECTION_OFFLOAD, out, &section, diag));
    }
  }
  return TN_OK;
}

static tn_status prepare_twins(tn_link_inputs *inputs, tn_link_member *first, tn_args *traced,
                               tn_diag *diag) {
  bool has_code = first->archive->has_proofs;
  if (!has_code) {
    TN_TRY(twins_have_code(inputs, first, &has_code, diag));
  }
  if (has_code && !first->archive->has_proofs) {
    return choose_proofs(inputs, first, traced, diag);
  }
  for (const tn_link_member *m = first; m; m = m->twin) {
    if (m->proof) {
      tn_args_add(traced, m->proof);
    }
  }
  return TN_OK;
}

static tn_status prepare_archive(tn_link_inputs *inputs, tn_link_archive *archive, tn_args *traced,
                                 tn_diag *diag) {
  TN_TRY(tn_link_archive_list(inputs, archive, diag));
  for (size_t i = 0; i < archive->members.count; i++) {
    tn_link_member *m = archive->members.items[i];
    if (m->twin && first_of(m) == m) {
      TN_TRY(prepare_twins(inputs, m, traced, diag));
    }
  }
  archive->has_proofs = true;
  return TN_OK;
}

tn_status tn_link_trace_prepare(tn_link_inputs *inputs, tn_args *out_traced, tn_diag *diag) {
  for (size_t i = 0; i < inputs->all_archives.count; i++) {
    tn_link_archive *archive = inputs->all_archives.items[i];
    if (archive->has_code && !archive->is_whole) {
      TN_TRY(prepare_archive(inputs, archive, out_traced, diag));
    }
  }
  return TN_OK;
}

// ---- reading

static tn_status read_line(trace_reader *r, tn_str line, tn_diag *diag) {
  tn_link_member *member = NULL;
  const tn_str prefix = TN_STR_LIT("trace: ");
  if (tn_str_has_prefix(line, prefix)) {
    line = tn_str_slice(line, prefix.size, SIZE_MAX);
  }
  TN_TRY(member_of(r->inputs, line, &member, diag));
  if (!member) {
    return TN_OK;
  }
  tn_link_member *first = first_of(member);
  first = first ? first : member;
  if (first->seen++ == 0 && !tn_list_add(&r->seen, r->inputs->arena, first)) {
    return no_memory(diag);
  }
  return TN_OK;
}

static bool is_lazy(tn_str line) {
  return tn_str_find(line, TN_STR_LIT(": lazy definition of ")) != SIZE_MAX;
}

// The proof's member is told by its twins' name in front.
static void read_proof(trace_reader *r, tn_str line) {
  const size_t at = tn_str_find(line, tn_str_from(definition));
  if (at == SIZE_MAX || is_lazy(line)) {
    return;
  }
  const tn_str symbol = tn_str_slice(line, at + sizeof(definition) - 1, SIZE_MAX);
  tn_link_member *member = tn_map_find(&r->proofs, symbol);
  const tn_str file = tn_str_slice(line, 0, at);
  if (member && tn_str_has_suffix(file, TN_STR_LIT(")")) &&
      tn_str_has_suffix(tn_str_slice(file, 0, file.size - 1), member->key)) {
    member->is_proven = true;
  }
}

static tn_status take_twins(trace_reader *r, tn_link_member *first, tn_diag *diag) {
  size_t proven = 0;
  for (tn_link_member *m = first; m; m = m->twin) {
    proven += m->is_proven;
  }
  // Those that nothing tells apart are equal: the linker takes the first ones.
  size_t left = first->seen > proven ? first->seen - proven : 0;
  for (tn_link_member *m = first; m; m = m->twin) {
    const bool is_equal = !m->proof && left > 0;
    left -= is_equal;
    if (m->is_proven || is_equal) {
      TN_TRY(tn_link_member_take(r->inputs, m, diag));
    }
  }
  return TN_OK;
}

// Twins of an archive that only this trace has named wait for the next one.
static tn_status take_seen(trace_reader *r, tn_diag *diag) {
  for (size_t i = 0; i < r->seen.count; i++) {
    tn_link_member *first = r->seen.items[i];
    if (!first->twin) {
      TN_TRY(tn_link_member_take(r->inputs, first, diag));
    } else if (first->archive->has_proofs) {
      TN_TRY(take_twins(r, first, diag));
    }
    first->seen = 0;
  }
  return TN_OK;
}

static tn_status collect_proofs(trace_reader *r, tn_diag *diag) {
  for (size_t i = 0; i < r->seen.count; i++) {
    for (tn_link_member *m = r->seen.items[i]; m; m = m->twin) {
      m->is_proven = false;
      if (m->proof && !tn_map_set(&r->proofs, tn_str_from(m->proof), m)) {
        return no_memory(diag);
      }
    }
  }
  return TN_OK;
}

static tn_status read_both(trace_reader *r, tn_str trace, tn_str errors, tn_diag *diag) {
  tn_str rest = trace;
  while (rest.data && rest.size > 0) {
    TN_TRY(read_line(r, tn_str_trim(tn_str_split(&rest, '\n')), diag));
  }
  TN_TRY(collect_proofs(r, diag));
  const tn_str both[] = {trace, errors};
  for (size_t i = 0; i < TN_COUNT(both) && r->proofs.count > 0; i++) {
    rest = both[i];
    while (rest.data && rest.size > 0) {
      read_proof(r, tn_str_trim(tn_str_split(&rest, '\n')));
    }
  }
  return take_seen(r, diag);
}

tn_status tn_link_trace_take(tn_link_inputs *inputs, tn_str trace, tn_str errors, tn_diag *diag) {
  trace_reader reader = {.inputs = inputs};
  tn_map_init(&reader.proofs);
  const tn_status status = read_both(&reader, trace, errors, diag);
  tn_map_deinit(&reader.proofs);
  return status;
}

bool tn_link_trace_defines(tn_str trace, tn_str errors, tn_str symbol) {
  const tn_str both[] = {trace, errors};
  for (size_t i = 0; i < TN_COUNT(both); i++) {
    tn_str rest = both[i];
    while (rest.data && rest.size > 0) {
      const tn_str line = tn_str_trim(tn_str_split(&rest, '\n'));
      const size_t at = tn_str_find(line, tn_str_from(definition));
      if (at != SIZE_MAX && !is_lazy(line) &&
          tn_str_equals(tn_str_slice(line, at + sizeof(definition) - 1, SIZE_MAX), symbol)) {
        return true;
      }
    }
  }
  return false;
}
