// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sentence for a device symbol that is not resolved, with what a person needs to mend it.
#include "run/program/link_message.h"

#include "run/program/symbol_text.h"

enum { SEARCHED_MAXIMUM = 240 };

// Objects of -fno-sycl-rdc are modules each, in one file.
static bool is_named_before(tn_str list, tn_str name) {
  tn_str rest = list;
  while (rest.data && rest.size > 0) {
    if (tn_str_equals(tn_str_trim(tn_str_split(&rest, ',')), name)) {
      return true;
    }
  }
  return false;
}

// Modules and files by their file names, without `hidden`; cut with a count when there are many.
static void add_searched(const tn_link_set *set, const char *hidden, tn_buf *text) {
  const size_t begin = text->size;
  size_t left_out = 0;
  for (size_t i = 0; i < set->listed.count; i++) {
    tn_buf path;
    tn_buf_init(&path, 8192);
    tn_registered_path(set->listed.items[i], &path);
    const tn_str name = tn_path_base(tn_str_from(tn_buf_text(&path)));
    const tn_str before = tn_str_slice(tn_buf_str(text), begin, SIZE_MAX);
    const bool is_hidden = hidden && tn_str_equals(tn_buf_str(&path), tn_str_from(hidden));
    if (is_hidden || is_named_before(before, name)) {
      tn_buf_deinit(&path);
      continue;
    }
    if (text->size - begin + name.size > SEARCHED_MAXIMUM) {
      left_out++;
    } else {
      tn_buf_add_format(text, "%s%.*s", text->size > begin ? ", " : "", TN_STR_ARG(name));
    }
    tn_buf_deinit(&path);
  }
  if (left_out > 0) {
    tn_buf_add_format(text, " and %zu more", left_out);
  } else if (text->size == begin) {
    tn_buf_add_text(text, "nothing else");
  }
}

static bool exports(const tn_fatbin *fatbin, tn_str symbol) {
  for (uint32_t i = 0; i < fatbin->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(fatbin, i);
    tn_symbol_info info;
    if (tn_image_export_find(&image, symbol, &info)) {
      return true;
    }
  }
  return false;
}

// A module that has the symbol but that the dynamic linker does not search for this importer.
static const char *find_hidden(tn_link_set *set, const tn_link_member *importer, tn_str symbol) {
  for (size_t i = 0; i < set->listed.count; i++) {
    tn_link_owner *owner = NULL;
    if (set->listed.items[i] != importer->owner->registered &&
        tn_link_set_open(set, set->listed.items[i], &owner, NULL) == TN_OK &&
        exports(owner->fatbin, symbol)) {
      return tn_link_owner_path(owner);
    }
  }
  return NULL;
}

static void add_user(const tn_symbol_info *import, tn_buf *text) {
  if (import->user.size > 0) {
    tn_buf_add_text(text, ", used in ");
    tn_buf_add_str(text, tn_str_slice(tn_symbol_text_strip(import->user), 0, 160));
  }
  if (import->file.size > 0) {
    tn_buf_add_format(text, " (%.*s:%u)", TN_STR_ARG(tn_str_slice(import->file, 0, 160)),
                      import->line);
  }
}

static void add_advice(const char *reason, const char *hidden, tn_buf *text) {
  if (reason[0] != '\0') {
    tn_buf_add_format(text, "; %s: build that module with tenon++ -fsycl for this target and keep "
                      "it loaded", reason);
  } else if (hidden) {
    tn_buf_add_format(text,
                      "; %.200s defines it, but not where the host's linker looks from there: link "
                      "that library, open it with RTLD_GLOBAL, give the function default "
                      "visibility (in a version script, also its __tenon_export_ marker), or, when "
                      "it is the program, link that with -Wl,--export-dynamic", hidden);
  } else {
    tn_buf_add_text(text, "; link a library built with tenon++ -fsycl that defines it as "
                    "SYCL_EXTERNAL, or load one before the kernel is launched or built");
  }
}

tn_status tn_link_message_unresolved(tn_link_set *set, const tn_link_member *importer,
                                     const tn_symbol_info *import, const char *reason,
                                     tn_diag *diag) {
  TN_IGNORE(tn_link_set_list(set, NULL), "without memory the list of what was searched is empty");
  const char *hidden = reason[0] == '\0' ? find_hidden(set, importer, import->name) : NULL;
  tn_buf text;
  tn_buf_init(&text, 1u << 16);
  tn_buf_add_text(&text, "device symbol ");
  if (import->display_name.size > 0) {
    tn_buf_add_str(&text, tn_str_slice(import->display_name, 0, 240));
  } else {
    tn_symbol_text_add(&text, import->name);
  }
  tn_buf_add_format(&text, " is not resolved: imported by %.300s",
                    tn_link_owner_path(importer->owner));
  add_user(import, &text);
  tn_buf_add_text(&text, "; searched: ");
  add_searched(set, hidden, &text);
  add_advice(reason, hidden, &text);
  const tn_status status = TN_FAIL(diag, BUILD_FAILED, "%s", tn_buf_text(&text));
  tn_buf_deinit(&text);
  return status;
}
