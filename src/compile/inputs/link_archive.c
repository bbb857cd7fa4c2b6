// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Archives of a link and their members; a thin archive's are files of their own.
#include "base/file.h"
#include "compile/inputs/inputs.h"

static tn_status no_memory(const char *path, tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read '%s'", path);
}

// The path of a thin archive's file, which is written relative to the archive's folder.
static const char *member_file(tn_link_inputs *inputs, const tn_link_archive *archive,
                               tn_str name) {
  if (name.data[0] == '/') {
    return tn_arena_str(inputs->arena, name);
  }
  const tn_str folder = tn_path_dir(tn_str_from(archive->path));
  char *path = tn_path_join(folder, name);
  const char *kept = path ? tn_arena_str(inputs->arena, tn_str_from(path)) : NULL;
  tn_free(path);
  return kept;
}

// The archive in a thin archive; its own members may be files of it.
static tn_status nested_member(tn_link_inputs *inputs, const tn_link_member *member,
                               tn_archive_member *out, tn_diag *diag) {
  *out = (tn_archive_member){.at = 0};
  tn_link_archive *nested = NULL;
  TN_TRY(tn_link_archive_find(inputs, tn_str_from(member->file), &nested, diag));
  if (!nested) {
    return TN_FAIL(diag, BAD_IMAGE, "%s: '%s', which it names, is not there or no archive",
                   member->archive->path, member->file);
  }
  const tn_status status = tn_archive_at(nested->bytes, member->place.nested_at, out, diag);
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%s", nested->path);
  }
  return status;
}

tn_status tn_link_member_bytes(tn_link_inputs *inputs, const tn_link_member *member, tn_bytes *out,
                               tn_diag *diag) {
  *out = member->place.contents;
  if (!member->place.is_file) {
    return TN_OK;
  }
  if (member->place.nested_at == 0) {
    return tn_link_map_file(inputs, member->file, out, diag);
  }
  tn_archive_member nested;
  TN_TRY(nested_member(inputs, member, &nested, diag));
  *out = nested.contents;
  return TN_OK;
}

const char *tn_link_member_name(tn_link_inputs *inputs, const tn_link_member *member) {
  const char *name =
      tn_arena_format(inputs->arena, "%s(%.*s)", member->archive->path, TN_STR_ARG(member->key));
  return name ? name : member->archive->path;
}

tn_status tn_link_member_take(tn_link_inputs *inputs, tn_link_member *member, tn_diag *diag) {
  if (member->is_taken) {
    return TN_OK;
  }
  member->is_taken = true;
  tn_bytes bytes = {0};
  TN_TRY(tn_link_member_bytes(inputs, member, &bytes, diag));
  // A thin archive and an archive that it names have members in common.
  const tn_str place = {(const char *)&bytes.data, sizeof(bytes.data)};
  if (tn_map_find(&inputs->taken, place)) {
    return TN_OK;
  }
  if (!tn_map_set(&inputs->taken, place, member)) {
    return no_memory(member->archive->path, diag);
  }
  return tn_link_code_read(inputs, bytes, tn_link_member_name(inputs, member), diag);
}

// A file that the command names as well is taken as that.
static tn_status keep_file(tn_link_inputs *inputs, tn_link_member *member, tn_diag *diag) {
  char *real = tn_path_real(member->file);
  if (!real) {
    return TN_OK;
  }
  const tn_str key = tn_str_from(real);
  member->is_taken = tn_map_find(&inputs->objects, key) != NULL;
  const bool is_good =
      tn_map_find(&inputs->thin_files, key) || tn_map_set(&inputs->thin_files, key, member);
  tn_free(real);
  return is_good ? TN_OK : no_memory(member->file, diag);
}

static tn_status settle_key(tn_link_inputs *inputs, tn_link_member *member, tn_diag *diag) {
  member->key = member->place.name;
  if (!member->place.is_file) {
    return TN_OK;
  }
  member->file = member_file(inputs, member->archive, member->place.name);
  if (!member->file) {
    return no_memory(member->archive->path, diag);
  }
  if (member->place.nested_at == 0) {
    return keep_file(inputs, member, diag);
  }
  tn_archive_member nested;
  TN_TRY(nested_member(inputs, member, &nested, diag));
  member->key = nested.name;
  return TN_OK;
}

static tn_status add_member(tn_link_inputs *inputs, tn_link_archive *archive,
                            const tn_archive_member *place, tn_diag *diag) {
  tn_link_member *member = tn_arena_alloc(inputs->arena, sizeof(*member));
  if (!member || !tn_list_add(&archive->members, inputs->arena, member)) {
    return no_memory(archive->path, diag);
  }
  member->archive = archive;
  member->place = *place;
  TN_TRY(settle_key(inputs, member, diag));
  tn_link_member *first = tn_map_find(&archive->by_name, member->key);
  if (!first) {
    return tn_map_set(&archive->by_name, member->key, member) ? TN_OK
                                                              : no_memory(archive->path, diag);
  }
  // Put behind the first: their order does not matter, and the chain may be long.
  member->twin = first->twin;
  first->twin = member;
  return TN_OK;
}

tn_status tn_link_archive_list(tn_link_inputs *inputs, tn_link_archive *archive, tn_diag *diag) {
  if (archive->is_listed) {
    return TN_OK;
  }
  archive->is_listed = true;
  size_t cursor = 0;
  for (;;) {
    bool done = false;
    tn_archive_member place;
    const tn_status status = tn_archive_walk(archive->bytes, &cursor, &done, &place, diag);
    if (status != TN_OK) {
      tn_diag_prepend(diag, "%s", archive->path);
      return status;
    }
    if (done) {
      return TN_OK;
    }
    TN_TRY(add_member(inputs, archive, &place, diag));
  }
}

static tn_status object_has_code(tn_bytes object, bool *out, tn_diag *diag) {
  *out = false;
  tn_bytes section = {0};
  return tn_file_kind_of(object) == TN_FILE_ELF_OBJECT
             ? tn_elf_section_find(object, TN_SECTION_OFFLOAD, out, &section, diag)
             : TN_OK;
}

static tn_status look_into_plain(tn_link_archive *archive, tn_diag *diag) {
  size_t cursor = 0;
  bool done = false;
  tn_status status = TN_OK;
  while (!done && !archive->has_code && status == TN_OK) {
    tn_archive_member member;
    status = tn_archive_walk(archive->bytes, &cursor, &done, &member, diag);
    if (status == TN_OK && !done) {
      status = object_has_code(member.contents, &archive->has_code, diag);
      if (status != TN_OK) {
        tn_diag_prepend(diag, "%s(%.*s)", archive->path, TN_STR_ARG(member.name));
        return status;
      }
    }
  }
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%s", archive->path);
  }
  return status;
}

static tn_status look_into_thin(tn_link_inputs *inputs, tn_link_archive *archive, tn_diag *diag) {
  TN_TRY(tn_link_archive_list(inputs, archive, diag));
  for (size_t i = 0; i < archive->members.count && !archive->has_code; i++) {
    const tn_link_member *member = archive->members.items[i];
    tn_bytes bytes = {0};
    TN_TRY(tn_link_member_bytes(inputs, member, &bytes, diag));
    const tn_status status = object_has_code(bytes, &archive->has_code, diag);
    if (status != TN_OK) {
      tn_diag_prepend(diag, "%s", tn_link_member_name(inputs, member));
      return status;
    }
  }
  return TN_OK;
}

static tn_status open_archive(tn_link_inputs *inputs, const char *real, tn_link_archive **out,
                              tn_diag *diag) {
  tn_bytes bytes = {0};
  TN_TRY(tn_link_map_file(inputs, real, &bytes, diag));
  const tn_file_kind kind = tn_file_kind_of(bytes);
  if (kind != TN_FILE_ARCHIVE && kind != TN_FILE_THIN_ARCHIVE) {
    return TN_OK;
  }
  tn_link_archive *archive = tn_arena_alloc(inputs->arena, sizeof(*archive));
  const char *path = tn_arena_str(inputs->arena, tn_str_from(real));
  if (!archive || !path || !tn_map_set(&inputs->by_path, tn_str_from(real), archive)) {
    return no_memory(real, diag);
  }
  archive->path = path;
  archive->bytes = bytes;
  tn_map_init(&archive->by_name);
  if (!tn_list_add(&inputs->all_archives, inputs->arena, archive)) {
    return no_memory(real, diag);
  }
  *out = archive;
  return kind == TN_FILE_ARCHIVE ? look_into_plain(archive, diag)
                                 : look_into_thin(inputs, archive, diag);
}

static tn_status find_by_path(tn_link_inputs *inputs, tn_str text, tn_link_archive **out,
                              tn_diag *diag) {
  char *path = tn_str_copy(text);
  char *real = path ? tn_path_real(path) : NULL;
  tn_status status = TN_OK;
  if (real) {
    *out = tn_map_find(&inputs->by_path, tn_str_from(real));
    if (!*out) {
      status = open_archive(inputs, real, out, diag);
    }
  }
  tn_free(real);
  tn_free(path);
  return status;
}

tn_status tn_link_archive_find(tn_link_inputs *inputs, tn_str text, tn_link_archive **out,
                               tn_diag *diag) {
  static tn_link_archive none;
  *out = tn_map_find(&inputs->by_text, text);
  if (*out) {
    *out = *out == &none ? NULL : *out;
    return TN_OK;
  }
  TN_TRY(find_by_path(inputs, text, out, diag));
  return tn_map_set(&inputs->by_text, text, *out ? *out : &none)
             ? TN_OK
             : TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read '%.*s'", TN_STR_ARG(text));
}

tn_link_member *tn_link_member_of_file(const tn_link_inputs *inputs, tn_str path) {
  if (inputs->thin_files.count == 0) {
    return NULL;
  }
  char *copy = tn_str_copy(path);
  char *real = copy ? tn_path_real(copy) : NULL;
  tn_link_member *found = real ? tn_map_find(&inputs->thin_files, tn_str_from(real)) : NULL;
  tn_free(real);
  tn_free(copy);
  return found;
}

tn_link_member *tn_link_member_find(const tn_link_inputs *inputs, const tn_link_archive *archive,
                                    tn_str key) {
  tn_link_member *found = tn_map_find(&archive->by_name, key);
  return found ? found : tn_link_member_of_file(inputs, key);
}
