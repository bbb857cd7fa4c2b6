// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source's end. For each kernel, the registered names first and then the functions that the
// source marks, the n-th uses tenon_rtc_end::tenon_kernel<n, (expression)>: that names the kernel's
// entry, so that Clang makes it, and leaves a variable in the bitcode whose name begins with n and
// whose value is the kernel's symbol and the function's address. Nobody uses these, so that they
// end with the unit.
#include "rtc/source_names.h"

#include "base/alloc.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>

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
    "#else\n"
    TN_HIDE("sycl") TN_HIDE("detail") TN_HIDE("free_function") TN_HIDE("free_kernel")
    TN_HIDE("entry")
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
    TN_SHOW("entry") TN_SHOW("free_kernel") TN_SHOW("free_function") TN_SHOW("detail")
    TN_SHOW("sycl");

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
                    "extern \"C\" [[clang::sycl_external]] const tenon_rtc_end::tenon_name "
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

static bool keep(tn_source_end *end, const tn_clang_kernel *kernel) {
  tn_clang_kernel *copy = tn_arena_alloc(end->arena, sizeof(*copy));
  if (!copy) {
    return false;
  }
  copy->name = tn_arena_str(end->arena, tn_str_from(kernel->name));
  copy->type = tn_arena_str(end->arena, tn_str_from(kernel->type));
  copy->mangled = tn_arena_str(end->arena, tn_str_from(kernel->mangled));
  return copy->name && copy->type && copy->mangled &&
         tn_list_add(&end->functions, end->arena, copy);
}

void tn_source_end_write(void *user, const tn_clang_kernel *kernels, size_t count, tn_buf *out) {
  tn_source_end *end = user;
  end->functions = (tn_list){0};
  if (count == 0 && end->name_count == 0) {
    return;
  }
  tn_buf_add_text(out, head);
  for (size_t i = 0; i < end->name_count; i++) {
    add_registered(i, end->names[i], out);
  }
  for (size_t i = 0; i < count; i++) {
    end->failed = end->failed || !keep(end, &kernels[i]);
    begin_kernel(end->name_count + i, out);
    tn_buf_add_format(out, "#line 1 \"kernel '%s'\"\nstatic_cast<%s>(&::%s)%s", kernels[i].name,
                      kernels[i].type, kernels[i].name, kernel_end);
  }
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
  LLVMValueRef values =
      LLVMGetNumOperands(entry) > 4 ? initializer_of(LLVMGetOperand(entry, 4)) : NULL;
  LLVMValueRef kind = values && LLVMGetNumOperands(values) > 0 ? LLVMGetOperand(values, 0) : NULL;
  // A value of 0 throughout has no operands.
  return !kind || !LLVMIsAConstantInt(kind) || LLVMConstIntGetZExtValue(kind) < TN_MARK_OTHERS;
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
  if (!found || !find_all(module, end->arena, found, count)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the names of kernels");
  }
  return choose(end, found, out, diag);
}

// LLVM's own handler prints, and ends the process.
static void ignore_message(LLVMDiagnosticInfoRef info, void *user) {
  (void)info;
  (void)user;
}

tn_status tn_source_names_read(const tn_source_end *end, tn_bytes bitcode, tn_list *out,
                               tn_diag *diag) {
  if (end->failed) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the names of kernels");
  }
  if (end->name_count + end->functions.count == 0) {
    return TN_OK;
  }
  LLVMContextRef context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(context, ignore_message, NULL);
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
      (const char *)bitcode.data, bitcode.size, "device code", 0);
  LLVMModuleRef module = NULL;
  tn_status status = TN_OK;
  // Functions' bodies are left unread; the module takes the buffer.
  if (LLVMGetBitcodeModuleInContext2(context, buffer, &module)) {
    LLVMDisposeMemoryBuffer(buffer);
    status = TN_FAIL(diag, INTERNAL, "the device pass's bitcode cannot be read again");
  } else {
    status = read_module(end, module, out, diag);
    LLVMDisposeModule(module);
  }
  LLVMContextDispose(context);
  return status;
}
