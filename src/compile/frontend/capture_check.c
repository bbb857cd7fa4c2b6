// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether another compiler of the host's code lays lambdas out as the device pass does: compilers
// take constants that a lambda mentions for captures in different cases, and then order differs.
//
// g++ lets code name the members of a lambda: a capture `x` is the member `__x`. The integration
// header asks it for the place of every name that the device pass captured anywhere; the places are
// arguments of __tenon_kernel, which stays in the object's symbols (integration_header.c).
#include "compile/frontend/host_compiler.h"
#include "compile/module/module.h"

#include <inttypes.h>

enum { NAMES_MAXIMUM = 256, PLACE_UNKNOWN = -1 };

static bool is_identifier(tn_str name) {
  for (size_t i = 0; i < name.size; i++) {
    const char c = name.data[i];
    if (c != '_' && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z')) {
      return false;
    }
  }
  return name.size > 0;
}

// The index of a name, or the count when it is not there.
static size_t find_name(const tn_list *names, tn_str name) {
  size_t i = 0;
  while (i < names->count && !tn_str_equals(*(const tn_str *)names->items[i], name)) {
    i++;
  }
  return i;
}

// The names of all captures, each once, in an order that only depends on the closures.
static tn_list list_names(const tn_list *closures, tn_arena *arena) {
  tn_list names = {0};
  for (size_t c = 0; c < closures->count; c++) {
    const tn_closure *closure = closures->items[c];
    for (size_t i = 0; i < closure->count && names.count < NAMES_MAXIMUM; i++) {
      tn_str *name = &closure->captures[i].name;
      if (is_identifier(*name) && find_name(&names, *name) == names.count &&
          !tn_list_add(&names, arena, name)) {
        return names;
      }
    }
  }
  return names;
}

static void write_name(size_t index, tn_str name, tn_buf *out) {
  tn_buf_add_format(out,
                    "template <class T, class = void>\n"
                    "struct capture_%zu { static constexpr long at = -1; };\n"
                    "#ifndef __%.*s\n"
                    "template <class T>\n"
                    "struct capture_%zu<T, decltype(static_cast<void>("
                    "static_cast<T *>(nullptr)->__%.*s))> {\n"
                    "  static constexpr long at = __builtin_offsetof(T, __%.*s);\n"
                    "};\n"
                    "#endif\n",
                    index, TN_STR_ARG(name), index, TN_STR_ARG(name), TN_STR_ARG(name));
}

void tn_captures_write(const tn_list *closures, tn_arena *arena, tn_buf *out) {
  const tn_list names = list_names(closures, arena);
  tn_buf_add_text(out, "#ifndef __clang__\n");
  for (size_t i = 0; i < names.count; i++) {
    write_name(i, *(const tn_str *)names.items[i], out);
  }
  tn_buf_add_text(out, "#define __TENON_PLACES_OF__(T) ");
  for (size_t i = 0; i < names.count; i++) {
    tn_buf_add_format(out, ", ::sycl::detail::capture_%zu<T>::at", i);
  }
  tn_buf_add_text(out, "\n#else\n#define __TENON_PLACES_OF__(T)\n#endif\n");
}

// "Ll8E" and "Lln1E" for -1; moves `rest` behind it.
static bool read_place(tn_str *rest, long *out) {
  const tn_str begin = TN_STR_LIT("Ll");
  const size_t end = tn_str_find_char(*rest, 'E');
  if (!tn_str_has_prefix(*rest, begin) || end == SIZE_MAX) {
    return false;
  }
  uint64_t value = 0;
  const tn_str digits = tn_str_slice(*rest, begin.size, end - begin.size);
  const bool is_number = tn_str_to_u64(digits, &value);
  *out = is_number && value <= INT32_MAX ? (long)value : PLACE_UNKNOWN;
  *rest = tn_str_slice(*rest, end + 1, SIZE_MAX);
  return true;
}

static size_t read_places(tn_str text, long places[NAMES_MAXIMUM]) {
  size_t count = 0;
  tn_str rest = text;
  while (count < NAMES_MAXIMUM && read_place(&rest, &places[count])) {
    count++;
  }
  return count;
}

typedef struct comparison {
  size_t present;             // captures that the host has too
  const tn_capture *differs;  // the first that lies elsewhere
  long place;
} comparison;

static comparison compare(const tn_closure *closure, const tn_list *names, const long *places,
                          size_t place_count) {
  comparison result = {0};
  for (size_t i = 0; i < closure->count; i++) {
    const tn_capture *capture = &closure->captures[i];
    const size_t index = find_name(names, capture->name);
    const long place = index < place_count ? places[index] : PLACE_UNKNOWN;
    result.present += place != PLACE_UNKNOWN;
    if (!result.differs && place != PLACE_UNKNOWN && (uint64_t)place != capture->offset) {
      result.differs = capture;
      result.place = place;
    }
  }
  return result;
}

bool tn_captures_check(const tn_list *closures, tn_str kernel, tn_str text, tn_arena *arena,
                       tn_buf *messages) {
  const tn_list names = list_names(closures, arena);
  long places[NAMES_MAXIMUM];
  const size_t count = read_places(text, places);
  const tn_closure *closure = NULL;
  comparison best = {0};
  for (size_t i = 0; i < closures->count; i++) {
    const tn_closure *candidate = closures->items[i];
    if (!tn_str_equals(candidate->kernel, kernel)) {
      continue;
    }
    // Lambdas inside of the kernel have fewer of the names.
    const comparison found = compare(candidate, &names, places, count);
    if (found.present > best.present || (found.present == best.present && !found.differs)) {
      best = found;
      closure = candidate;
    }
  }
  if (!closure || !best.differs) {
    return true;
  }
  tn_buf_add_format(messages,
                    "%.*s:%" PRIu32
                    ": error: -fsycl-host-compiler lays the captures of this kernel's lambda out "
                    "otherwise than the device pass: '%.*s' at %ld rather than %" PRIu64
                    "; name them one by one, as in [a, b], and no constants among them\n",
                    TN_STR_ARG(closure->file), closure->line, TN_STR_ARG(best.differs->name),
                    best.place, best.differs->offset);
  return false;
}

// What is read of a unit, and its name for messages.
typedef struct closures_read {
  const char *name;
  tn_arena *arena;
  tn_list *out;
} closures_read;

static tn_status check_globals(LLVMModuleRef module, void *name, tn_diag *diag) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMGetLinkage(g) == LLVMInternalLinkage &&
        tn_type_is_class(LLVMGlobalGetValueType(g), TN_STR_LIT(TN_GLOBAL_TYPE))) {
      tn_arena arena;
      tn_arena_init(&arena);
      const char *shown = tn_demangle(&arena, tn_value_name(g));
      const tn_status status = TN_FAIL(
          diag, UNSUPPORTED,
          "%s: device global '%.300s' has internal linkage, and the host's code is compiled by "
          "another compiler than the Clang in tenon++, which alone joins it with device code then: "
          "declare it inline, or without static and outside unnamed namespaces",
          (const char *)name, shown ? shown : "?");
      tn_arena_deinit(&arena);
      return status;
    }
  }
  return TN_OK;
}

tn_status tn_frontend_check_globals(tn_bytes bitcode, const char *name, tn_diag *diag) {
  return tn_module_read(bitcode, name, check_globals, (void *)name, diag);
}

static tn_status read_closures(LLVMModuleRef module, void *user, tn_diag *diag) {
  const closures_read *read = user;
  TN_TRY(check_globals(module, (void *)read->name, diag));
  return tn_module_closures(module, read->arena, read->out)
             ? TN_OK
             : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the lambdas of %s", read->name);
}

tn_status tn_frontend_read_closures(tn_bytes bitcode, const char *name, tn_arena *arena,
                                    tn_list *out, tn_diag *diag) {
  closures_read read = {name, arena, out};
  return tn_module_read(bitcode, name, read_closures, &read, diag);
}
