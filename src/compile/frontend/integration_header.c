// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells another compiler of the host's code what the device pass made of the kernels, and reads
// from its object whether it understood.
//
// include/sycl/detail/integration.hpp is the other half. A kernel's slot there leaves a symbol,
// the name of the type void (*)(Name *, __tenon_kernel<Size, Alignment, Places...> *).
#include "base/map.h"
#include "compile/frontend/host_compiler.h"
#include "compile/module/module.h"

#include <inttypes.h>

#define MARK_BEGIN "_ZTSPFvP"
#define MARK_SIZE "P14__tenon_kernelILm"
#define MARK_ALIGNMENT "ELm"
#define MARK_PLACES "EJ"
#define MARK_END "EEE"
#define NAME_BEGIN "_ZTS"

// The number of a lambda ("E<number>_"), which compilers count differently.
static size_t skip_number(tn_str name, size_t at) {
  size_t end = at;
  while (end < name.size && name.data[end] >= '0' && name.data[end] <= '9') {
    end++;
  }
  return end < name.size && name.data[end] == '_' ? end : at;
}

bool tn_frontend_names_match(tn_str a, tn_str b) {
  size_t i = 0;
  size_t k = 0;
  while (i < a.size && k < b.size && a.data[i] == b.data[k]) {
    const bool is_end = a.data[i] == 'E';
    i++;
    k++;
    if (is_end) {
      i = skip_number(a, i);
      k = skip_number(b, k);
    }
  }
  return i == a.size && k == b.size;
}

static const tn_host_kernel *find_twin(const tn_host_kernels *kernels, size_t index) {
  const tn_host_kernel *kernel = &kernels->items[index];
  for (size_t i = 0; i < kernels->count; i++) {
    if (i != index && tn_frontend_names_match(kernels->items[i].name, kernel->name)) {
      return &kernels->items[i];
    }
  }
  return NULL;
}

static void add_quoted(tn_buf *out, tn_str text) {
  tn_buf_add_char(out, '"');
  for (size_t i = 0; i < text.size; i++) {
    if (text.data[i] == '"' || text.data[i] == '\\') {
      tn_buf_add_char(out, '\\');
    }
    tn_buf_add_char(out, text.data[i] == '\n' ? ' ' : text.data[i]);
  }
  tn_buf_add_char(out, '"');
}

// What stands in a comment must not end in a backslash, nor in a line end.
static void add_comment(tn_buf *out, const char *text) {
  tn_buf_add_text(out, "  // ");
  for (; *text; text++) {
    tn_buf_add_char(out, *text == '\n' || *text == '\\' ? ' ' : *text);
  }
  tn_buf_add_char(out, '\n');
}

void tn_frontend_integration_write(const tn_host_kernels *kernels, uint64_t unit_id,
                                   tn_arena *arena, tn_buf *out) {
  tn_buf_add_format(out,
                    "// What the device pass made, for the compiler of the host's code to include\n"
                    "// first (-include). Written by tenon++.\n"
                    "#pragma GCC system_header\n"
                    "#ifndef __TENON_INTEGRATION_HEADER__\n"
                    "#define __TENON_INTEGRATION_HEADER__ 1\n"
                    "#ifndef __TENON_UNIT_ID__\n"
                    "#define __TENON_UNIT_ID__ 0x%016" PRIx64
                    "ULL\n"
                    "#endif\n"
                    "#ifdef __cplusplus\n"
                    "namespace sycl { namespace detail {\n"
                    "struct integration_kernel {\n"
                    "  const char *name;\n"
                    "  unsigned long size, alignment;  // of the function object\n"
                    "  bool is_unique;  // also without the numbers of lambdas in the name\n"
                    "};\n"
                    "static constexpr integration_kernel integration_kernels[] = {\n",
                    unit_id);
  for (size_t i = 0; i < kernels->count; i++) {
    const tn_host_kernel *kernel = &kernels->items[i];
    tn_buf_add_text(out, "  {");
    add_quoted(out, kernel->name);
    tn_buf_add_format(out, ", %" PRIu32 ", %" PRIu32 ", %s},", kernel->size, kernel->alignment,
                      find_twin(kernels, i) ? "false" : "true");
    const char *shown = tn_demangle_kernel(arena, kernel->name);
    add_comment(out, shown ? shown : "");
  }
  tn_buf_add_text(out, "  {nullptr, 0, 0, false},\n};\n");
  tn_captures_write(&kernels->closures, arena, out);
  tn_buf_add_text(out, "} }\n#endif\n#endif\n");
}

typedef struct checker {
  const tn_host_kernels *kernels;
  const char *source;
  tn_arena *arena;
  tn_map seen;  // the host's names that were looked at, and the device's that have twins
  tn_buf *text;
  size_t failures;
  bool out_of_memory;
} checker;

typedef struct mark {
  tn_str name;  // with _ZTS
  uint64_t size;
  uint64_t alignment;
  tn_str places;  // of captures
} mark;

static bool read_number(tn_str *rest, const char *end, uint64_t *out) {
  const size_t size = tn_str_find(*rest, tn_str_from(end));
  if (size == SIZE_MAX || !tn_str_to_u64(tn_str_slice(*rest, 0, size), out)) {
    return false;
  }
  *rest = tn_str_slice(*rest, size + strlen(end), SIZE_MAX);
  return true;
}

static bool read_end(tn_str rest, tn_str *out) {
  const tn_str end = TN_STR_LIT(MARK_END);
  *out = tn_str_slice(rest, 0, rest.size < end.size ? 0 : rest.size - end.size);
  return tn_str_has_suffix(rest, end);
}

// A symbol's text, from behind MARK_BEGIN to its end.
static bool read_mark(tn_str text, tn_arena *arena, mark *out) {
  const tn_str middle = TN_STR_LIT(MARK_SIZE);
  const size_t size = tn_str_find(text, middle);
  if (size == SIZE_MAX) {
    return false;
  }
  tn_str rest = tn_str_slice(text, size + middle.size, SIZE_MAX);
  const char *name = tn_arena_format(arena, NAME_BEGIN "%.*s", (int)size, text.data);
  out->name = tn_str_from(name);
  return name && read_number(&rest, MARK_ALIGNMENT, &out->size) &&
         read_number(&rest, MARK_PLACES, &out->alignment) && read_end(rest, &out->places);
}

static void note(checker *c, tn_str name) {
  c->out_of_memory = !tn_map_set(&c->seen, name, c) || c->out_of_memory;
}

static const char *shown_name(checker *c, tn_str name) {
  const char *shown = tn_demangle_kernel(c->arena, name);
  return shown ? shown : "?";
}

// "file:line: error: "
static void begin_error(checker *c, const tn_host_kernel *kernel) {
  c->failures++;
  if (kernel && kernel->line != 0) {
    tn_buf_add_format(c->text, "%.*s:%" PRIu32 ": error: ", TN_STR_ARG(kernel->file), kernel->line);
  } else {
    tn_buf_add_format(c->text, "%s: error: ", c->source);
  }
}

static void say_twins(checker *c, const tn_host_kernel *kernel, const tn_host_kernel *twin) {
  if (tn_map_find(&c->seen, kernel->name)) {
    return;  // for the twin
  }
  note(c, kernel->name);
  begin_error(c, kernel);
  tn_buf_add_format(c->text,
                    "the name of kernel '%s' is told from another's only by the number of a "
                    "lambda, which -fsycl-host-compiler may count differently: give each of them "
                    "a name of its own\n",
                    shown_name(c, kernel->name));
  if (twin->line != 0) {
    tn_buf_add_format(c->text, "%.*s:%" PRIu32 ": note: the other kernel\n", TN_STR_ARG(twin->file),
                      twin->line);
  }
}

static void check_mark(checker *c, const mark *launch) {
  const tn_host_kernels *kernels = c->kernels;
  size_t at = 0;
  while (at < kernels->count && !tn_frontend_names_match(kernels->items[at].name, launch->name)) {
    at++;
  }
  const tn_host_kernel *kernel = at < kernels->count ? &kernels->items[at] : NULL;
  const tn_host_kernel *twin = kernel ? find_twin(kernels, at) : NULL;
  if (!kernel) {
    begin_error(c, NULL);
    tn_buf_add_format(c->text,
                      "the host's code launches kernel '%s', which is none of those that the "
                      "device pass made: -fsycl-host-compiler has to see the same source, and "
                      "kernel names that it spells as clang does\n",
                      shown_name(c, launch->name));
  } else if (twin) {
    say_twins(c, kernel, twin);
  } else if (launch->size != kernel->size || launch->alignment != kernel->alignment) {
    begin_error(c, kernel);
    tn_buf_add_format(c->text,
                      "the function object of kernel '%s' has %" PRIu32 " bytes (alignment %" PRIu32
                      ") in device code and %" PRIu64 " (%" PRIu64
                      ") in the code of -fsycl-host-compiler: name its captures one by one\n",
                      shown_name(c, kernel->name), kernel->size, kernel->alignment, launch->size,
                      launch->alignment);
  } else {
    c->failures +=
        !tn_captures_check(&kernels->closures, kernel->name, launch->places, c->arena, c->text);
  }
}

tn_status tn_frontend_check_launches(tn_bytes object, const char *source,
                                     const tn_host_kernels *kernels, tn_arena *arena, tn_buf *text,
                                     tn_diag *diag) {
  checker c = {.kernels = kernels, .source = source, .arena = arena, .text = text};
  tn_map_init(&c.seen);
  const tn_str begin = TN_STR_LIT(MARK_BEGIN);
  tn_str rest = {(const char *)object.data, object.size};
  for (;;) {
    const size_t at = tn_str_find(rest, begin);
    if (at == SIZE_MAX) {
      break;
    }
    rest = tn_str_slice(rest, at + begin.size, SIZE_MAX);
    const tn_str symbol = tn_str_slice(rest, 0, tn_str_find_char(rest, '\0'));
    mark found;
    if (read_mark(symbol, arena, &found) && !tn_map_find(&c.seen, found.name)) {
      check_mark(&c, &found);
      note(&c, found.name);
    }
  }
  tn_map_deinit(&c.seen);
  if (c.out_of_memory) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the kernels of %s", source);
  }
  if (c.failures > 0) {
    return TN_FAIL(diag, BUILD_FAILED,
                   "%s: -fsycl-host-compiler and the device pass disagree on %zu kernel%s", source,
                   c.failures, c.failures == 1 ? "" : "s");
  }
  return TN_OK;
}
