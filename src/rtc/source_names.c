// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source's end, which makes the kernels: of the registered names first, and then of the
// functions that the source marks.
//
// Of a marked function Clang tells what it takes, and most take what is no more than its bytes:
// then the n-th kernel's block and entry are written out, and the function tenon_call_n between the
// entry and the marked function tells the entry's name in the module.
//
// For all others the n-th uses tenon_rtc_end::tenon_kernel<n, (expression)>: that names the entry
// of the headers' templates, so that Clang makes it, and leaves a variable in the module whose name
// begins with n and whose value is the kernel's symbol and the function's address. Nobody uses
// these, so that they end with the unit.
#include "rtc/source_names.h"

#include "base/alloc.h"
#include "rtc/carried_headers.h"

#include <stdio.h>

// The mark that SYCL_EXT_ONEAPI_FUNCTION_PROPERTY leaves on a function. Its first argument tells
// kinds of kernels from other properties, which are TN_MARK_OTHERS and more.
#define TN_KERNEL_MARK "tenon-free-function"
enum { TN_MARK_OTHERS = 16 };

#define TN_VALUE_BEGIN "_ZZN13tenon_rtc_end12tenon_kernelILj"

// The source's macros are kept from the names here, and are there for the expressions.
#define TN_HIDE(name) "#pragma push_macro(\"" name "\")\n#undef " name "\n"
#define TN_SHOW(name) "#pragma pop_macro(\"" name "\")\n"
static const char head[] =
    "#line 1 \"end of the source\"\n"
    "#ifndef SYCL_EXT_ONEAPI_FUNCTION_PROPERTY\n"
    "#error the source includes no header that has kernels: #include <sycl/sycl.hpp>\n"
    "#else\n";
static const char hide[] = TN_HIDE("sycl") TN_HIDE("detail") TN_HIDE("free_kernel");
static const char show[] = TN_SHOW("free_kernel") TN_SHOW("detail") TN_SHOW("sycl");
static const char templates[] =
    TN_HIDE("free_function") TN_HIDE("entry")
    "namespace tenon_rtc_end {\n"
    "struct tenon_name { const char *tenon_symbol; void (*tenon_function)(); };\n"
    "template <unsigned tenon_index, auto *tenon_f> struct tenon_kernel {\n"
    "  static const tenon_name *tenon_get() {\n"
    "    (void)::sycl::detail::free_function<tenon_f>::entry;\n"
    "    static const tenon_name tenon_value = {\n"
    "      __builtin_sycl_unique_stable_name(::sycl::detail::free_kernel<tenon_f>),\n"
    "      reinterpret_cast<void (*)()>(tenon_f)};\n"
    "    return &tenon_value;\n"
    "  }\n"
    "};\n"
    "}\n"
    TN_SHOW("entry") TN_SHOW("free_function");

// Of names without literals, which kernels' names hardly have: others are Clang's to refuse.
static tn_status check_brackets(const char *name, tn_diag *diag) {
  static const char brackets[] = "([{)]}";
  int depth = 0;
  bool is_list = false;
  for (const char *c = name; *c && depth >= 0; c++) {
    const char *found = strchr(brackets, *c);
    depth += !found ? 0 : found < brackets + 3 ? 1 : -1;
    is_list = is_list || (*c == ',' && depth == 0);
  }
  if (depth != 0 && !strpbrk(name, "'\"")) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "registered name \"%s\": its brackets do not go together", name);
  }
  if (is_list && !strpbrk(name, "<'\"")) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "registered name \"%s\": these are several names: register each by itself",
                   name);
  }
  return TN_OK;
}

tn_status tn_source_names_check(const char *const *names, size_t count, tn_diag *diag) {
  for (size_t i = 0; i < count; i++) {
    const char *name = names[i];
    if (!name || name[strspn(name, " \t")] == '\0') {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "a registered name is empty; it is a C++ expression that names a kernel "
                     "function, such as \"ns::scale<float>\"");
    }
    if (strpbrk(name, "\n\r")) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "registered name \"%s\": a name is an expression on one line", name);
    }
    TN_TRY(check_brackets(name, diag));
  }
  return TN_OK;
}

// As a string literal's inside.
static void add_quoted(const char *text, tn_buf *out) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') {
      tn_buf_add_char(out, '\\');
    }
    tn_buf_add_char(out, *text);
  }
}

// Functions with C's linkage, as those of templates have none where a type of theirs has none.
static void begin_kernel(size_t index, tn_buf *out) {
  tn_buf_add_format(out,
                    "extern \"C\" [[_Clang::__sycl_external__]] const tenon_rtc_end::tenon_name "
                    "*tenon_rtc_end_%zu() {\n"
                    "return tenon_rtc_end::tenon_kernel<%zu,\n",
                    index, index);
}

static const char kernel_end[] = "\n>::tenon_get(); }\n";

static void add_registered(size_t index, const char *name, tn_buf *out) {
  begin_kernel(index, out);
  tn_buf_add_text(out, "#line 1 \"registered name \\\"");
  add_quoted(name, out);
  tn_buf_add_format(out, "\\\"\"\n(%s\n)%s", name, kernel_end);
}

// Also the name in the module, of the function that takes the block.
#define TN_CALL "tenon_call_"

// What one argument of a block takes in its table: behind each other, as members of a struct are.
static void add_offsets(const tn_clang_kernel *kernel, tn_buf *out) {
  size_t at = 0;
  for (size_t i = 0; i < kernel->argument_count; i++) {
    const tn_clang_argument *argument = &kernel->arguments[i];
    at = (at + argument->alignment - 1) / argument->alignment * argument->alignment;
    tn_buf_add_format(out, ",%zu", at);
    at += argument->size;
  }
}

// The block, the table as in include/sycl/detail/free_function.hpp, and the entry.
static void add_plain(size_t index, const tn_clang_kernel *kernel, tn_buf *out) {
  const size_t count = kernel->argument_count;
  // A file of the headers' to those who look for the kernel's place.
  tn_buf_add_format(out,
                    "#line 1 \"" TN_CARRIED_INCLUDE_DIR
                    "/sycl/kernel '%s'\"\nstruct tenon_arguments_%zu {\n",
                    kernel->name, index);
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_format(out, "__typeof__(%s) a%zu;\n", kernel->arguments[i].type, i);
  }
  tn_buf_add_format(out, "%s};\n[[_Clang::__annotate__(\"tenon-arguments\",%zu",
                    count == 0 ? "char none;\n" : "", count);
  add_offsets(kernel, out);
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_format(out, ",%zu", kernel->arguments[i].size);
  }
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_format(out, ",%u", kernel->arguments[i].kind);
  }
  tn_buf_add_format(out,
                    ")]] static void tenon_call_%zu(const tenon_arguments_%zu &) asm(\"" TN_CALL
                    "%zu\");\nstatic void tenon_call_%zu(const tenon_arguments_%zu &from) {\n",
                    index, index, index, index, index);
  tn_buf_add_format(out, "static_cast<%s>(&::%s)(", kernel->type, kernel->name);
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_format(out, "%sfrom.a%zu", i == 0 ? "" : ",", i);
  }
  tn_buf_add_format(out,
                    ");\n}\n[[_Clang::__sycl_kernel_entry_point__(::sycl::detail::free_kernel<"
                    "static_cast<%s>(&::%s)>)]]\nvoid tenon_entry_%zu(tenon_arguments_%zu from) { "
                    "tenon_call_%zu(from); }\n",
                    kernel->type, kernel->name, index, index, index);
}

static bool keep(tn_source_end *end, const tn_clang_kernel *kernel) {
  tn_clang_kernel *copy = tn_arena_alloc(end->arena, sizeof(*copy));
  if (!copy) {
    return false;
  }
  *copy = (tn_clang_kernel){.is_plain = kernel->is_plain};
  copy->name = tn_arena_str(end->arena, tn_str_from(kernel->name));
  copy->type = tn_arena_str(end->arena, tn_str_from(kernel->type));
  copy->mangled = tn_arena_str(end->arena, tn_str_from(kernel->mangled));
  return copy->name && copy->type && copy->mangled &&
         tn_list_add(&end->functions, end->arena, copy);
}

// "& ::ns::x" is "ns::x".
static tn_str plain_name(const char *name) {
  tn_str text = tn_str_trim(tn_str_from(name));
  if (tn_str_has_prefix(text, TN_STR_LIT("&"))) {
    text = tn_str_trim(tn_str_slice(text, 1, SIZE_MAX));
  }
  return tn_str_has_prefix(text, TN_STR_LIT("::")) ? tn_str_slice(text, 2, SIZE_MAX) : text;
}

// Registered names may also be those of device globals, which are found by them anyhow.
static bool find_globals(tn_source_end *end, const tn_clang_kernel *kernels, size_t count) {
  end->is_global = tn_arena_alloc_array(end->arena, end->name_count + 1, sizeof(bool));
  for (size_t i = 0; end->is_global && i < end->name_count; i++) {
    const tn_str name = plain_name(end->names[i]);
    end->is_global[i] = false;
    for (size_t k = 0; k < count; k++) {
      end->is_global[i] = end->is_global[i] || (kernels[k].type[0] == '\0' &&
                                                tn_str_equals(name, tn_str_from(kernels[k].name)));
    }
  }
  return end->is_global != NULL;
}

// A use, so that Clang makes the variable.
static void add_global(size_t index, const char *name, tn_buf *out) {
  tn_buf_add_format(out,
                    "extern \"C\" [[_Clang::__sycl_external__]] const volatile void "
                    "*tenon_rtc_global_%zu() {\n"
                    "#line 1 \"device global '%s'\"\nreturn __builtin_addressof(::%s); }\n",
                    index, name, name);
}

// A registered name may stand for any of the kernels, and only templates are made once.
static bool writes_out(const tn_source_end *end, const tn_clang_kernel *kernel) {
  return end->name_count == 0 && kernel->is_plain;
}

static bool is_global(const tn_clang_kernel *kernel) { return kernel->type[0] == '\0'; }

// Those that are written out come first, where the user's macros are not.
static void add_kernels(tn_source_end *end, const tn_clang_kernel *kernels, size_t count,
                        bool are_plain, tn_buf *out) {
  size_t index = end->name_count;
  for (size_t i = 0; i < count; i++) {
    const tn_clang_kernel *kernel = &kernels[i];
    if (is_global(kernel) || writes_out(end, kernel) != are_plain) {
      index += is_global(kernel) ? 0 : 1;
    } else if (are_plain) {
      add_plain(index++, kernel, out);
    } else {
      begin_kernel(index++, out);
      tn_buf_add_format(out, "#line 1 \"kernel '%s'\"\nstatic_cast<%s>(&::%s)%s", kernel->name,
                        kernel->type, kernel->name, kernel_end);
    }
  }
}

static bool has_templates(const tn_source_end *end, const tn_clang_kernel *kernels, size_t count) {
  bool has = end->name_count > 0;
  for (size_t i = 0; i < count; i++) {
    has = has || (!is_global(&kernels[i]) && !kernels[i].is_plain);
  }
  return has;
}

void tn_source_end_write(void *user, const tn_clang_kernel *kernels, size_t count, tn_buf *out) {
  tn_source_end *end = user;
  end->functions = (tn_list){0};
  if (count == 0 && end->name_count == 0) {
    return;
  }
  if (!find_globals(end, kernels, count)) {
    end->failed = true;
    return;
  }
  tn_buf_add_text(out, head);
  tn_buf_add_text(out, hide);
  add_kernels(end, kernels, count, true, out);
  tn_buf_add_text(out, has_templates(end, kernels, count) ? templates : "");
  tn_buf_add_text(out, show);
  for (size_t i = 0; i < end->name_count; i++) {
    if (!end->is_global[i]) {
      add_registered(i, end->names[i], out);
    }
  }
  for (size_t i = 0; i < count; i++) {
    if (is_global(&kernels[i])) {
      add_global(i, kernels[i].name, out);
    } else {
      end->failed = end->failed || !keep(end, &kernels[i]);
    }
  }
  add_kernels(end, kernels, count, false, out);
  tn_buf_add_text(out, "#endif\n");
}

// The global that a constant stands for, or its casts to other address spaces.
static LLVMValueRef uncast(LLVMValueRef value) {
  while (value && LLVMIsAConstantExpr(value) && LLVMGetNumOperands(value) > 0) {
    value = LLVMGetOperand(value, 0);
  }
  return value;
}

static LLVMValueRef initializer_of(LLVMValueRef value) {
  LLVMValueRef global = uncast(value);
  return global && LLVMIsAGlobalVariable(global) ? LLVMGetInitializer(global) : NULL;
}

static tn_str string_of(LLVMValueRef value) {
  LLVMValueRef text = initializer_of(value);
  if (!text || !LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text)) {
    return (tn_str){0};
  }
  size_t size = 0;
  const char *data = LLVMGetAsString(text, &size);
  return (tn_str){data, size > 0 && data[size - 1] == '\0' ? size - 1 : size};
}

static bool is_kernel_mark(LLVMValueRef entry) {
  if (!tn_str_equals(string_of(LLVMGetOperand(entry, 1)), TN_STR_LIT(TN_KERNEL_MARK))) {
    return false;
  }
  // The first of the values, or of the struct that they are.
  LLVMValueRef kind =
      LLVMGetNumOperands(entry) > 4 ? initializer_of(LLVMGetOperand(entry, 4)) : NULL;
  while (kind && !LLVMIsAConstantInt(kind)) {
    kind = LLVMGetAggregateElement(kind, 0);
  }
  return !kind || LLVMConstIntGetZExtValue(kind) < TN_MARK_OTHERS;
}

static bool is_marked(LLVMModuleRef module, LLVMValueRef function) {
  LLVMValueRef all = LLVMGetNamedGlobal(module, "llvm.global.annotations");
  LLVMValueRef entries = all ? LLVMGetInitializer(all) : NULL;
  const unsigned count = entries ? (unsigned)LLVMGetNumOperands(entries) : 0;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef entry = LLVMGetOperand(entries, i);
    if (LLVMGetNumOperands(entry) > 1 && uncast(LLVMGetOperand(entry, 0)) == function &&
        is_kernel_mark(entry)) {
      return true;
    }
  }
  return false;
}

typedef struct found_name {
  const char *symbol;  // NULL: there is none
  bool is_marked;
} found_name;

// The number in a variable's name; false when it is no such variable.
static bool read_index(tn_str name, size_t *out) {
  const tn_str begin = TN_STR_LIT(TN_VALUE_BEGIN);
  uint64_t number = 0;
  if (!tn_str_has_prefix(name, begin)) {
    return false;
  }
  const tn_str rest = tn_str_slice(name, begin.size, SIZE_MAX);
  if (!tn_str_to_u64(tn_str_slice(rest, 0, tn_str_find_char(rest, 'E')), &number)) {
    return false;
  }
  *out = (size_t)number;
  return true;
}

// The kernel that calls `function`; an annotation uses it as well.
static LLVMValueRef calling_kernel(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMIsAInstruction(LLVMGetUser(use));
    if (call) {
      return LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    }
  }
  return NULL;
}

// Kernels that were written out.
static bool find_plain(const tn_source_end *end, LLVMModuleRef module, found_name *found) {
  for (size_t i = 0; i < end->functions.count; i++) {
    const size_t index = end->name_count + i;
    char name[64];
    (void)snprintf(name, sizeof(name), TN_CALL "%zu", index);
    LLVMValueRef call = LLVMGetNamedFunction(module, name);
    LLVMValueRef kernel = call ? calling_kernel(call) : NULL;
    if (kernel) {
      tn_str symbol = {0};
      symbol.data = LLVMGetValueName2(kernel, &symbol.size);
      found[index] = (found_name){tn_arena_str(end->arena, symbol), true};
      if (!found[index].symbol) {
        return false;
      }
    }
  }
  return true;
}

static bool find_all(LLVMModuleRef module, tn_arena *arena, found_name *found, size_t count) {
  for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v)) {
    tn_str name = {0};
    name.data = LLVMGetValueName2(v, &name.size);
    size_t index = 0;
    LLVMValueRef value = read_index(name, &index) ? LLVMGetInitializer(v) : NULL;
    if (!value || index >= count || LLVMGetNumOperands(value) != 2) {
      continue;
    }
    const tn_str symbol = string_of(LLVMGetOperand(value, 0));
    found[index].symbol = symbol.size > 0 ? tn_arena_str(arena, symbol) : NULL;
    found[index].is_marked = is_marked(module, uncast(LLVMGetOperand(value, 1)));
    if (symbol.size > 0 && !found[index].symbol) {
      return false;
    }
  }
  return true;
}

static tn_status add_name(const tn_source_end *end, const char *name, const char *symbol,
                          tn_list *out, tn_diag *diag) {
  tn_source_symbol *added = tn_arena_alloc(end->arena, sizeof(*added));
  if (!added || !tn_list_add(out, end->arena, added)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the names of kernels");
  }
  *added = (tn_source_symbol){name, symbol};
  return TN_OK;
}

static tn_status choose(const tn_source_end *end, const found_name *found, tn_list *out,
                        tn_diag *diag) {
  for (size_t i = 0; i < end->name_count; i++) {
    if (end->is_global[i]) {
      continue;
    }
    if (!found[i].symbol) {
      return TN_FAIL(diag, INTERNAL, "registered name \"%s\": its kernel is not found",
                     end->names[i]);
    }
    if (!found[i].is_marked) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "registered name \"%s\": the function is no kernel that the source defines; "
                     "mark its definition with SYCL_EXT_ONEAPI_FUNCTION_PROPERTY"
                     "((nd_range_kernel<1>)), or with single_task_kernel",
                     end->names[i]);
    }
    TN_TRY(add_name(end, end->names[i], found[i].symbol, out, diag));
  }
  for (size_t i = 0; i < end->functions.count; i++) {
    const tn_clang_kernel *kernel = end->functions.items[i];
    const found_name *its = &found[end->name_count + i];
    // Names with C's linkage are not mangled.
    if (its->symbol && its->is_marked && strncmp(kernel->mangled, "_Z", 2) != 0) {
      TN_TRY(add_name(end, kernel->mangled, its->symbol, out, diag));
    }
  }
  return TN_OK;
}

static tn_status read_module(const tn_source_end *end, LLVMModuleRef module, tn_list *out,
                             tn_diag *diag) {
  const size_t count = end->name_count + end->functions.count;
  found_name *found = tn_arena_alloc_array(end->arena, count, sizeof(*found));
  if (!found || !find_all(module, end->arena, found, count) || !find_plain(end, module, found)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the names of kernels");
  }
  return choose(end, found, out, diag);
}

tn_status tn_source_names_read(const tn_source_end *end, LLVMModuleRef module, tn_list *out,
                               tn_diag *diag) {
  if (end->failed) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the names of kernels");
  }
  return end->name_count + end->functions.count == 0 ? TN_OK : read_module(end, module, out, diag);
}
