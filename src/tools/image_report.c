// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds device code: fat binaries in linked files and alone, units in objects, both in archives.
#include "tools/image_report.h"

static const char *kind_name(tn_file_kind kind) {
  static const char *const names[] = {
      [TN_FILE_ELF_OBJECT] = "object",
      [TN_FILE_ELF_EXECUTABLE] = "executable",
      [TN_FILE_ELF_SHARED] = "shared library",
      [TN_FILE_FATBIN] = "fat binary",
  };
  return (size_t)kind < TN_COUNT(names) && names[kind] ? names[kind] : "file";
}

static tn_status no_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to list it");
}

static tn_status add_fatbin(tn_arena *arena, tn_report_file *file, tn_bytes bytes, tn_diag *diag) {
  tn_fatbin *fatbin = tn_arena_alloc(arena, sizeof(*fatbin));
  TN_TRY(fatbin ? TN_OK : no_memory(diag));
  TN_TRY(tn_fatbin_parse(bytes, fatbin, diag));
  return tn_list_add(&file->fatbins, arena, fatbin) ? TN_OK : no_memory(diag);
}

typedef struct unit_sink {
  tn_arena *arena;
  tn_report_file *file;
} unit_sink;

static tn_status add_unit(void *user, const tn_offload_entry *entry, tn_diag *diag) {
  const unit_sink *sink = user;
  tn_report_unit *unit = tn_arena_alloc(sink->arena, sizeof(*unit));
  TN_TRY(unit ? TN_OK : no_memory(diag));
  unit->entry = *entry;
  bool is_known = false;
  TN_TRY(tn_unit_list_read(entry->symbols, sink->arena, &is_known, &unit->list, diag));
  return tn_list_add(&sink->file->units, sink->arena, unit) ? TN_OK : no_memory(diag);
}

static tn_status collect_elf(tn_arena *arena, tn_report_file *file, tn_bytes elf, tn_diag *diag) {
  unit_sink sink = {arena, file};
  bool found = false;
  size_t cursor = 0;
  tn_bytes contents = {NULL, 0};
  for (;;) {
    TN_TRY(tn_elf_section_next(elf, TN_SECTION_FATBIN, &cursor, &found, &contents, diag));
    if (!found) {
      break;
    }
    tn_bytes container = {NULL, 0};
    for (size_t at = 0; tn_fatbin_next(contents, &at, &container);) {
      TN_TRY(add_fatbin(arena, file, container, diag));
    }
  }
  for (cursor = 0;;) {
    TN_TRY(tn_elf_section_next(elf, TN_SECTION_OFFLOAD, &cursor, &found, &contents, diag));
    if (!found) {
      return TN_OK;
    }
    TN_TRY(tn_offload_read(contents, add_unit, &sink, diag));
  }
}

// Other kinds hold no device code: that is no error here, archives may have such members.
static tn_status collect_member(tn_report *report, tn_str name, tn_bytes bytes, tn_diag *diag) {
  tn_report_file *file = tn_arena_alloc(report->arena, sizeof(*file));
  TN_TRY(file ? TN_OK : no_memory(diag));
  const tn_file_kind kind = tn_file_kind_of(bytes);
  file->name = name;
  file->kind = kind_name(kind);
  if (kind == TN_FILE_FATBIN) {
    TN_TRY(add_fatbin(report->arena, file, bytes, diag));
  } else if (kind == TN_FILE_ELF_OBJECT || kind == TN_FILE_ELF_EXECUTABLE ||
             kind == TN_FILE_ELF_SHARED) {
    TN_TRY(collect_elf(report->arena, file, bytes, diag));
  }
  if (file->fatbins.count == 0 && file->units.count == 0) {
    return TN_OK;
  }
  return tn_list_add(&report->files, report->arena, file) ? TN_OK : no_memory(diag);
}

static tn_status collect_archive(tn_report *report, const char *path, tn_bytes bytes,
                                 tn_diag *diag) {
  size_t cursor = 0;
  for (;;) {
    bool done = false;
    tn_str member = {NULL, 0};
    tn_bytes contents = {NULL, 0};
    TN_TRY(tn_archive_next(bytes, &cursor, &done, &member, &contents, diag));
    if (done) {
      return TN_OK;
    }
    const char *name = tn_arena_format(report->arena, "%s(%.*s)", path, TN_STR_ARG(member));
    TN_TRY(name ? TN_OK : no_memory(diag));
    const tn_status status = collect_member(report, tn_str_from(name), contents, diag);
    if (status != TN_OK) {
      tn_diag_prepend(diag, "member %.*s", TN_STR_ARG(member));
      return status;
    }
  }
}

static tn_status collect_kind(tn_report *report, const char *path, tn_bytes bytes, tn_diag *diag) {
  switch (tn_file_kind_of(bytes)) {
    case TN_FILE_ARCHIVE:
      return collect_archive(report, path, bytes, diag);
    case TN_FILE_THIN_ARCHIVE:
      return TN_FAIL(diag, UNSUPPORTED,
                     "is a thin archive, its members are files of their own; name those files");
    case TN_FILE_BITCODE:
      return TN_FAIL(
          diag, INVALID_ARGUMENT,
          "is LLVM bitcode, not a file that carries device images; link it with tenon++");
    case TN_FILE_OTHER:
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     bytes.size == 0 ? "is empty"
                                     : "is not a 64-bit little-endian ELF file, an archive or a "
                                       "fat binary");
    default:
      return collect_member(report, tn_str_from(path), bytes, diag);
  }
}

tn_status tn_report_collect(tn_report *report, const char *path, tn_bytes bytes, tn_diag *diag) {
  const size_t before = report->files.count;
  TN_TRY(collect_kind(report, path, bytes, diag));
  if (report->files.count == before) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "there is no device code in it; build it with tenon++ -fsycl");
  }
  return TN_OK;
}

uint32_t tn_report_image_count(const tn_report_file *file) {
  uint32_t count = 0;
  for (size_t i = 0; i < file->fatbins.count; i++) {
    count += ((const tn_fatbin *)file->fatbins.items[i])->image_count;
  }
  return count;
}

tn_image tn_report_image_at(const tn_report_file *file, uint32_t index) {
  size_t i = 0;
  const tn_fatbin *fatbin = file->fatbins.items[0];
  while (index >= fatbin->image_count) {
    index -= fatbin->image_count;
    fatbin = file->fatbins.items[++i];
  }
  return tn_fatbin_image_at(fatbin, index);
}
