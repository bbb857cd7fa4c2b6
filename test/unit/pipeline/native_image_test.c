// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code ahead of time: an image that names a table, the object that holds it, and the pieces
// that have none.
#include "unit/pipeline/device_code.h"

#include <elf.h>
#include <stdio.h>

static tn_buf fatbin;
static tn_buf messages;
static tn_diag diag;
static tn_link_result result;

static int set_up(void **state) {
  (void)state;
  tn_buf_init(&fatbin, DEVICE_CODE_MAX);
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  tn_link_result_init(&result);
  diag = (tn_diag){0};
  return 0;
}
static int tear_down(void **state) {
  (void)state;
  tn_link_result_deinit(&result);
  tn_buf_deinit(&fatbin);
  tn_buf_deinit(&messages);
  return 0;
}

static tn_status link_for(const char *const *sources, const char *level, const char *processor,
                          tn_split_mode split) {
  tn_target target = tn_target_default();
  target.is_aot = true;
  target.processor = processor;
  const tn_link_params how = {.target = &target, .output = "a.out", .split = split};
  const tn_status status = device_link_as(sources, level, &how, &result, &messages, &diag);
  device_join(&result, &fatbin);
  return status;
}

static tn_image image_at(uint32_t index) {
  tn_fatbin parsed;
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&fatbin), &parsed, &diag), TN_OK);
  assert_true(index < parsed.image_count);
  return tn_fatbin_image_at(&parsed, index);
}

// The symbol's binding and visibility; false when the object does not define it.
static bool find_symbol(const tn_buf *object, tn_str name, Elf64_Sym *out) {
  bool found = false;
  tn_bytes table = {0};
  tn_bytes names = {0};
  assert_int_equal(tn_elf_section_find(tn_buf_bytes(object), ".symtab", &found, &table, &diag),
                   TN_OK);
  assert_int_equal(tn_elf_section_find(tn_buf_bytes(object), ".strtab", &found, &names, &diag),
                   TN_OK);
  for (size_t at = 0; at + sizeof(*out) <= table.size; at += sizeof(*out)) {
    memcpy(out, table.data + at, sizeof(*out));
    const tn_str each = tn_str_from((const char *)names.data + out->st_name);
    if (tn_str_equals(each, name) && out->st_shndx != SHN_UNDEF) {
      return true;
    }
  }
  return false;
}

static size_t count_globals(const tn_buf *object) {
  bool found = false;
  tn_bytes table = {0};
  assert_int_equal(tn_elf_section_find(tn_buf_bytes(object), ".symtab", &found, &table, &diag),
                   TN_OK);
  size_t count = 0;
  for (size_t at = 0; at + sizeof(Elf64_Sym) <= table.size; at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    memcpy(&symbol, table.data + at, sizeof(symbol));
    count += ELF64_ST_BIND(symbol.st_info) != STB_LOCAL && symbol.st_shndx != SHN_UNDEF;
  }
  return count;
}

static const char *const two_kernels[] = {
    "SYCL_EXTERNAL int twice(int x) { return 2 * x; }\n"
    "void f(int *p) { launch<class B>([=](item i) { p[i.get(0)] = twice(1); }); }\n"
    "void g(int *p) { launch<class A>([=](item i) { p[i.get(0)] = 2; }); }\n",
    NULL};

static void test_code_stands_before_bitcode(void **state) {
  (void)state;
  for (int round = 0; round < 2; round++) {
    tn_link_result_deinit(&result);
    tn_link_result_init(&result);
    tn_buf_clear(&fatbin);
    assert_int_equal(link_for(two_kernels, round == 0 ? "-O2" : "-O0", NULL, TN_SPLIT_OFF), TN_OK);
    assert_int_equal(result.images.count, 2);
    assert_int_equal(result.natives.count, 1);
    const tn_image host = image_at(0);
    const tn_image bitcode = image_at(1);
    assert_int_equal(host.format, TN_IMAGE_FORMAT_HOST);
    assert_int_equal(bitcode.format, TN_IMAGE_FORMAT_BITCODE);
    assert_int_equal(tn_image_kernel_count(&host), 2);
    assert_int_equal(tn_image_kernel_count(&bitcode), 2);
    assert_int_equal(tn_image_export_count(&host), 1);
    const tn_prop_set misc = tn_image_prop_set_find(&host, TN_PROPS_MISC);
    tn_prop prop;
    assert_false(tn_prop_set_find(&misc, TN_STR_LIT(TN_MISC_PROCESSOR), &prop));
    // One symbol to be seen, by objects of the same link only.
    const tn_buf *object = result.natives.items[0];
    const tn_str name = {(const char *)host.code.data, host.code.size};
    Elf64_Sym symbol;
    assert_true(find_symbol(object, name, &symbol));
    assert_int_equal(ELF64_ST_VISIBILITY(symbol.st_other), STV_HIDDEN);
    assert_int_equal(symbol.st_size, 16);
    assert_int_equal(count_globals(object), 1);
    assert_true(find_symbol(object, TN_STR_LIT("tenon_native_kernels"), &symbol));
    assert_int_equal(symbol.st_size, 48);
  }
}

static void test_processors_are_told(void **state) {
  (void)state;
  assert_int_equal(link_for(two_kernels, "-O2", "x86-64-v3", TN_SPLIT_OFF), TN_OK);
  const tn_image host = image_at(0);
  const tn_image bitcode = image_at(1);
  const tn_prop_set misc = tn_image_prop_set_find(&host, TN_PROPS_MISC);
  const tn_prop_set others = tn_image_prop_set_find(&bitcode, TN_PROPS_MISC);
  tn_prop prop;
  assert_true(tn_prop_set_find(&misc, TN_STR_LIT(TN_MISC_PROCESSOR), &prop));
  const tn_str needs = {(const char *)prop.bytes.data, prop.bytes.size};
  assert_true(tn_str_has_prefix(needs, TN_STR_LIT("avx,avx2,bmi,")));
  assert_false(tn_prop_set_find(&others, TN_STR_LIT(TN_MISC_PROCESSOR), &prop));
}

static void test_unknown_processor(void **state) {
  (void)state;
  assert_int_equal(link_for(two_kernels, "-O2", "toaster", TN_SPLIT_OFF), TN_UNSUPPORTED);
  assert_non_null(strstr(diag.text, "'toaster'"));
}

static void test_split_kernels_have_tables_of_their_own(void **state) {
  (void)state;
  assert_int_equal(link_for(two_kernels, "-O2", NULL, TN_SPLIT_PER_KERNEL), TN_OK);
  assert_int_equal(result.natives.count, 2);
  size_t seen = 0;
  char names[2][128];
  tn_fatbin parsed;
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&fatbin), &parsed, &diag), TN_OK);
  for (uint32_t i = 0; i < parsed.image_count; i++) {
    const tn_image image = tn_fatbin_image_at(&parsed, i);
    if (image.format == TN_IMAGE_FORMAT_HOST) {
      assert_true(seen < 2);
      assert_int_equal(tn_image_kernel_count(&image), 1);
      (void)snprintf(names[seen], sizeof(names[0]), "%.*s", (int)image.code.size,
                     (const char *)image.code.data);
      Elf64_Sym symbol;
      assert_true(find_symbol(result.natives.items[seen], tn_str_from(names[seen]), &symbol));
      seen++;
    }
  }
  assert_int_equal(seen, 2);
  assert_string_not_equal(names[0], names[1]);
}

// What imports is linked when it runs, from bitcode; and what has no kernels has nothing to call.
// All bytes of the link's images and objects.
static void link_on(const tn_link_params *how, uint32_t threads, tn_buf *out) {
  tn_link_params params = *how;
  params.threads = threads;
  tn_link_result_deinit(&result);
  tn_link_result_init(&result);
  assert_int_equal(tn_pipeline_link(&params, &result, &messages, &diag), TN_OK);
  assert_int_equal(result.images.count, 40);
  assert_int_equal(result.natives.count, 20);
  tn_buf_clear(out);
  device_join(&result, out);
  for (size_t i = 0; i < result.natives.count; i++) {
    tn_buf_add_str(out, tn_buf_str(result.natives.items[i]));
  }
}

static void test_threads_write_the_same(void **state) {
  (void)state;
  static const char text[] =
      "template <int I> class N; template <int I> struct all { static void run(int *p) {\n"
      "  launch<N<I>>([=](item i) { p[i.get(0)] = I; }); all<I - 1>::run(p); } };\n"
      "template <> struct all<0> { static void run(int *) {} };\n"
      "void f(int *p) { all<20>::run(p); }\n";
  tn_buf unit, symbols, one;
  tn_buf_init(&unit, DEVICE_CODE_MAX);
  tn_buf_init(&symbols, DEVICE_CODE_MAX);
  tn_buf_init(&one, DEVICE_CODE_MAX);
  assert_int_equal(device_unit_listed(text, "-O2", 1, &unit, &symbols, &messages, &diag), TN_OK);
  const tn_link_input input = {tn_buf_bytes(&unit), tn_buf_str(&symbols), "u0.o"};
  tn_target target = tn_target_default();
  target.is_aot = true;
  const tn_link_params how = {.target = &target, .output = "a.out", .inputs = &input,
                              .input_count = 1, .opt_level = 2, .split = TN_SPLIT_PER_KERNEL};
  link_on(&how, 1, &one);
  static const uint32_t threads[] = {2, 5, 64};
  for (size_t i = 0; i < TN_COUNT(threads); i++) {
    link_on(&how, threads[i], &fatbin);
    assert_int_equal(fatbin.size, one.size);
    assert_memory_equal(fatbin.data, one.data, one.size);
  }
  tn_buf_deinit(&unit);
  tn_buf_deinit(&symbols);
  tn_buf_deinit(&one);
}

static void test_pieces_without_code(void **state) {
  (void)state;
  static const char *const importer[] = {
      "SYCL_EXTERNAL int elsewhere(int);\n"
      "void f(int *p) { launch<class K>([=](item i) { p[i.get(0)] = elsewhere(1); }); }\n",
      NULL};
  static const char *const library[] = {"SYCL_EXTERNAL int twice(int x) { return 2 * x; }\n", NULL};
  const char *const *const each[] = {importer, library};
  for (size_t i = 0; i < TN_COUNT(each); i++) {
    tn_link_result_deinit(&result);
    tn_link_result_init(&result);
    tn_buf_clear(&fatbin);
    assert_int_equal(link_for(each[i], "-O2", NULL, TN_SPLIT_OFF), TN_OK);
    assert_int_equal(result.natives.count, 0);
    assert_int_equal(device_image(&fatbin).format, TN_IMAGE_FORMAT_BITCODE);
  }
}

static void test_code_of_o0_is_inlined(void **state) {
  (void)state;
  static const char *const sources[] = {
      "static int add_one(int x) { return x + 1; }\n"
      "void f(int *p) { launch<class K>([=](item i) { p[i.get(0)] = add_one(p[0]); }); }\n",
      NULL};
  for (int debug = 0; debug < 2; debug++) {
    tn_link_result_deinit(&result);
    tn_link_result_init(&result);
    tn_target target = tn_target_default();
    target.is_aot = true;
    const tn_link_params how = {.target = &target, .output = "a.out", .split = TN_SPLIT_OFF,
                                .debug = debug};
    assert_int_equal(device_link_as(sources, "-O0", &how, &result, &messages, &diag), TN_OK);
    assert_int_equal(result.natives.count, 1);
    const tn_str code = tn_buf_str(result.natives.items[0]);
    assert_int_equal(tn_str_find(code, TN_STR_LIT("add_one")) != SIZE_MAX, debug);
  }
}

int main(void) {
#define NATIVE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      NATIVE_TEST(test_code_stands_before_bitcode),
      NATIVE_TEST(test_processors_are_told),
      NATIVE_TEST(test_unknown_processor),
      NATIVE_TEST(test_split_kernels_have_tables_of_their_own),
      NATIVE_TEST(test_threads_write_the_same),
      NATIVE_TEST(test_pieces_without_code),
      NATIVE_TEST(test_code_of_o0_is_inlined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
