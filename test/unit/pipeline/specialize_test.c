// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specialization constants from clang's device pass to the code that is built: what is unknown
// until then, what follows from a value, and what an image says.
#include "compile/check/check.h"
#include "compile/lower/lower.h"
#include "compile/pipeline/simplify.h"
#include "unit/pipeline/device_code.h"

// As the SYCL headers have it.
#define SPEC_PRELUDE                                                                         \
  "namespace sycl { template <class T> struct specialization_id { T value; };\n"             \
  "namespace detail { template <auto &Id> struct spec_constant {\n"                          \
  "  static decltype(Id.value) value_type(); using type = decltype(Id.value);\n"             \
  "  static __remove_cv(type) value; };\n"                                                   \
  "template <auto &Id> __remove_cv(decltype(Id.value)) spec_constant<Id>::value = Id.value;" \
  "}}\n"                                                                                     \
  "template <auto &Id> auto get() { return sycl::detail::spec_constant<Id>::value; }\n"      \
  "using namespace sycl;\n"

#define NAME_PREFIX "_ZTSN4sycl6detail13spec_constantIL_Z"

typedef struct fixture {
  tn_llvm_job job;
  tn_arena arena;
  LLVMModuleRef module;
  tn_lower_specs specs;
  tn_diag diag;
  char *text;  // LLVM's
} fixture;

// Through the steps of a unit and a link, and what the image would say.
static void prepare(fixture *f, const char *text, const char *level) {
  *f = (fixture){0};
  tn_arena_init(&f->arena);
  tn_buf source;
  tn_buf bitcode;
  tn_buf messages;
  tn_buf_init(&source, DEVICE_CODE_MAX);
  tn_buf_init(&bitcode, DEVICE_CODE_MAX);
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  tn_buf_add_format(&source, "%s%s", SPEC_PRELUDE, text);
  device_compile(tn_buf_text(&source), level, &bitcode);
  assert_int_equal(tn_llvm_job_init(&f->job, &f->diag), TN_OK);
  assert_int_equal(
      tn_module_parse(&f->job, tn_buf_bytes(&bitcode), "unit.bc", &f->module, &f->diag), TN_OK);
  assert_int_equal(tn_lower_prepare_unit(f->module, "unit", &f->arena, &f->diag), TN_OK);
  const tn_status checked =
      tn_check_unit(f->module, "unit.cpp", &f->arena, &messages, &f->diag);
  if (checked != TN_OK) {
    fail_msg("%s%s", tn_buf_text(&messages), f->diag.text);
  }
  assert_int_equal(tn_lower_name_unit(f->module, 0x1234, &f->diag), TN_OK);
  const uint32_t opt_level = strcmp(level, "-O0") == 0 ? 0 : 2;
  assert_int_equal(tn_simplify(&f->job, f->module, opt_level, &f->diag), TN_OK);
  tn_lower_internalize(f->module, NULL, NULL);
  assert_int_equal(tn_simplify(&f->job, f->module, opt_level, &f->diag), TN_OK);
  if (tn_lower_list_specs(f->module, &f->arena, &f->specs, &f->diag) != TN_OK) {
    fail_msg("%s", f->diag.text);
  }
  tn_buf_deinit(&messages);
  tn_buf_deinit(&bitcode);
  tn_buf_deinit(&source);
}

static void specialize(fixture *f, const tn_lower_spec *values, size_t count) {
  bool any = false;
  assert_int_equal(tn_lower_specialize(f->module, values, count, &any, &f->diag), TN_OK);
  assert_true(any);
  assert_int_equal(tn_simplify(&f->job, f->module, 2, &f->diag), TN_OK);
  assert_int_equal(tn_module_verify(f->module, "the test", &f->diag), TN_OK);
}

static const char *print(fixture *f) {
  LLVMDisposeMessage(f->text);
  f->text = LLVMPrintModuleToString(f->module);
  return f->text;
}

static void finish(fixture *f) {
  LLVMDisposeMessage(f->text);
  LLVMDisposeModule(f->module);
  tn_llvm_job_deinit(&f->job);
  tn_arena_deinit(&f->arena);
}

static const tn_spec_info *find(const fixture *f, const char *name) {
  for (size_t i = 0; i < f->specs.count; ++i) {
    if (tn_str_equals(f->specs.items[i].name, tn_str_from(name))) {
      return &f->specs.items[i];
    }
  }
  fail_msg("%s is not listed", name);
  return NULL;
}

static const char loop[] =
    "constexpr specialization_id<int> bound{100};\n"
    "SYCL_EXTERNAL void f(float *p) { for (int i = 0; i < get<bound>(); ++i) p[i] *= p[i + 1]; }\n";
#define BOUND NAME_PREFIX "L5boundEEE@0000000000001234"

static void a_loop_is_unrolled_by_its_value(void **state) {
  (void)state;
  fixture f;
  prepare(&f, loop, "-O2");
  // Until then it is a loop over what is not known, read once.
  const char *load = strstr(print(&f), "load i32, ptr @\"" BOUND);
  assert_non_null(load);
  assert_null(strstr(load + 1, "load i32, ptr @\"" BOUND));
  assert_non_null(strstr(f.text, " br i1"));
  const int32_t three = 3;
  const tn_lower_spec value = {TN_STR_LIT(BOUND), tn_bytes_from(&three, sizeof(three))};
  specialize(&f, &value, 1);
  assert_null(strstr(print(&f), "load i32"));
  assert_null(strstr(f.text, "spec_constant"));
  assert_null(strstr(f.text, " br i1"));
  size_t products = 0;
  for (const char *at = f.text; (at = strstr(at, "fmul float")) != NULL; ++at) {
    ++products;
  }
  assert_int_equal(products, 3);
  finish(&f);
}

static void a_default_is_a_constant_too(void **state) {
  (void)state;
  fixture f;
  prepare(&f,
          "struct s { char a; double b; };\n"
          "constexpr specialization_id<s> id{{1, 2.5}};\n"
          "SYCL_EXTERNAL double f() { s x = get<id>(); return x.a + x.b; }\n",
          "-O2");
  assert_null(strstr(print(&f), "ret double 3.5"));
  specialize(&f, NULL, 0);
  assert_non_null(strstr(print(&f), "ret double 3.5"));
  finish(&f);
}

static void without_optimization_all_stays_right(void **state) {
  (void)state;
  fixture f;
  prepare(&f, loop, "-O0");
  assert_int_equal(f.specs.count, 1);
  const int32_t three = 3;
  const tn_lower_spec value = {TN_STR_LIT(BOUND), tn_bytes_from(&three, sizeof(three))};
  bool any = false;
  assert_int_equal(tn_lower_specialize(f.module, &value, 1, &any, &f.diag), TN_OK);
  assert_true(any);
  assert_non_null(strstr(print(&f), "c\"\\03\\00\\00\\00\""));
  finish(&f);
}

static void a_wrong_size_is_refused(void **state) {
  (void)state;
  fixture f;
  prepare(&f, loop, "-O2");
  const tn_lower_spec value = {TN_STR_LIT(BOUND), tn_bytes_from("ab", 2)};
  bool any = false;
  assert_int_equal(tn_lower_specialize(f.module, &value, 1, &any, &f.diag), TN_INVALID_ARGUMENT);
  assert_non_null(strstr(f.diag.text, "4 bytes, but the value has 2"));
  finish(&f);
}

static void images_list_what_they_read(void **state) {
  (void)state;
  fixture f;
  prepare(&f,
          "struct padded { char a; double b; short c[3]; };\n"
          "union either { int i; double d; };\n"
          "struct none {};\n"
          "struct alignas(32) wide { none n; int v; };\n"
          "inline constexpr specialization_id<padded> shared{{7, 1.0, {1, 2, 3}}};\n"
          "namespace { constexpr specialization_id<bool> anon{true}; }\n"
          "constexpr specialization_id<either> joined{{5}};\n"
          "constexpr specialization_id<wide> aligned{{{}, 9}};\n"
          "constexpr specialization_id<int> unused{1};\n"
          "SYCL_EXTERNAL double f() { int i = get<unused>();\n"
          "  return get<shared>().b + get<anon>() + get<joined>().d + get<aligned>().v; }\n",
          "-O2");
  assert_int_equal(f.specs.count, 4);
  const tn_spec_info *shared = find(&f, NAME_PREFIX "6sharedEEE");
  assert_int_equal(shared->size, 24);
  assert_int_equal(shared->alignment, 8);
  assert_int_equal(shared->offset % 8, 0);
  assert_int_equal(shared->piece_count, 2);
  assert_int_equal(shared->pieces[0].offset, 0);
  assert_int_equal(shared->pieces[0].size, 1);
  assert_int_equal(shared->pieces[1].offset, 8);
  assert_int_equal(shared->pieces[1].size, 14);
  static const uint8_t expected[24] = {7, [14] = 0xf0, 0x3f, 1, 0, 2, 0, 3, 0};
  assert_memory_equal(f.specs.buffer + shared->offset, expected, sizeof(expected));
  const tn_spec_info *anon = find(&f, NAME_PREFIX "N12_GLOBAL__N_14anonEEEE@0000000000001234");
  assert_int_equal(anon->size, 1);
  assert_int_equal(f.specs.buffer[anon->offset], 1);
  // Another member of the union may fill what this one leaves.
  const tn_spec_info *joined = find(&f, NAME_PREFIX "L6joinedEEE@0000000000001234");
  assert_int_equal(joined->piece_count, 1);
  assert_int_equal(joined->pieces[0].size, 8);
  const tn_spec_info *aligned = find(&f, NAME_PREFIX "L7alignedEEE@0000000000001234");
  assert_int_equal(aligned->size, 32);
  assert_int_equal(aligned->offset % 32, 0);
  assert_int_equal(aligned->piece_count, 1);
  assert_int_equal(aligned->pieces[0].offset, 4);
  assert_int_equal(aligned->pieces[0].size, 4);
  finish(&f);
}

static void machine_code_reads_a_buffer(void **state) {
  (void)state;
  fixture f;
  prepare(&f,
          "struct pair { int a; int b[4]; };\n"
          "constexpr specialization_id<int> first{1};\n"
          "constexpr specialization_id<pair> second{{2, {3, 4, 5, 6}}};\n"
          "SYCL_EXTERNAL int f(int i) { pair p = get<second>();\n"
          "  return get<first>() + p.a + p.b[3] + p.b[i]; }\n",
          "-O2");
  assert_int_equal(f.specs.count, 2);
  assert_int_equal(tn_lower_specs_from_buffer(f.module, &f.specs, &f.diag), TN_OK);
  assert_int_equal(tn_module_verify(f.module, "the test", &f.diag), TN_OK);
  print(&f);
  assert_null(strstr(f.text, "spec_constantI"));
  const char *call = strstr(f.text, "call ptr @__tenon_spec_constants()");
  assert_non_null(call);
  assert_null(strstr(call + 1, "call ptr @__tenon_spec_constants()"));
  assert_non_null(strstr(f.text, "i64 4"));  // `second` is behind `first`
  finish(&f);
}

static void an_address_is_refused(void **state) {
  (void)state;
  fixture f;
  prepare(&f, "SYCL_EXTERNAL int none() { return 0; }\n", "-O2");
  assert_int_equal(f.specs.count, 0);
  LLVMTypeRef ptr = LLVMPointerTypeInContext(f.job.context, 0);
  LLVMValueRef function = LLVMGetNamedFunction(f.module, "_Z4nonev");
  LLVMValueRef global = LLVMAddGlobal(f.module, ptr, NAME_PREFIX "2idEEE");
  LLVMSetInitializer(global, function);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(f.job.context);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMBuildLoad2(builder, ptr, global, "");
  LLVMDisposeBuilder(builder);
  assert_int_equal(tn_lower_list_specs(f.module, &f.arena, &f.specs, &f.diag), TN_UNSUPPORTED);
  assert_non_null(strstr(f.diag.text,
                         "specialization constant 'id': its default value holds an "
                         "address"));
  finish(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_loop_is_unrolled_by_its_value),
      cmocka_unit_test(a_default_is_a_constant_too),
      cmocka_unit_test(without_optimization_all_stays_right),
      cmocka_unit_test(a_wrong_size_is_refused),
      cmocka_unit_test(images_list_what_they_read),
      cmocka_unit_test(machine_code_reads_a_buffer),
      cmocka_unit_test(an_address_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
