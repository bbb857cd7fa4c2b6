// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernel names are local to a translation unit, and what people read.
#include "compile/module/module.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

static void test_names_with_linkage(void **state) {
  (void)state;
  static const char *const names[] = {
      "_ZTS4Name", "_ZTSZ4mainEUlvE_", "_ZTSZ4mainEUlN4sycl4itemILi1ELb1EEEE0_",
      "_ZTSZ3fooPiP1BE2K1", "_ZTSN2ns2KEILNS_1EE1EEE", "_ZTSN2ns2KFILNS_1FE0EEE",
      "_ZTS2KVIJA3_iPFciEM3AcciEE", "_ZTS2KVIJfEE", "_ZTSZ3go2PiE1L", "_ZTS1KILi128ELb1ELc65EE",
      "_ZTSZZ3fooiENKUlvE_clEvEUlvE_", "_ZTSSt6vectorIiSaIiEE", "_ZTS1KISt6vectorIiSaIiEES2_E",
      "_ZTSN3fooIiE3barE", "_ZTSZN1A1mEvE1K_0", "_ZTSN3FooIiEUlvE_E", "_ZTS6_GLOBA",
      "_ZTS1KIDF16_E", "_ZTS1KIDv4_fE", "_ZTS1KILSt12memory_order5EE", "plain_c_kernel",
      "_ZTSN4sycl6detail11free_kernelIXadL_Z7vec_addEEEE",
      "_ZTSN4sycl6detail11free_kernelIXadL_ZN2ns2tkIfEEvPT_1SEEEE",
      "_ZTS1KILn1EE" /* not C++, but balanced */};
  for (size_t i = 0; i < TN_COUNT(names); ++i) {
    const tn_str name = tn_str_from(names[i]);
    if (tn_kernel_name_is_local(name)) {
      print_message("local: %.*s\n", TN_STR_ARG(name));
    }
    assert_false(tn_kernel_name_is_local(name));
  }
}

static void test_names_without_linkage(void **state) {
  (void)state;
  static const char *const names[] = {
      "_ZTSN12_GLOBAL__N_14AnonE", "_ZTSZL2stPiE4InSt", "_ZTSZL2stPiEUlvE1_", "_ZTSUlvE_",
      "_ZTSUlvE0_", "_ZTSN2nsUlvE_E", "_ZTSN2nsL4typeE", "_ZTS1KIN12_GLOBAL__N_11AEE",
      "_ZTSL3Foo", "_ZTS1KILi128EN12_GLOBAL__N_11AEE", "_ZTSZN12_GLOBAL__N_11fEvE1K",
      "_ZTS1KIUlvE_E", "_ZTS1KI3FooIiEUlvE_E", "_ZTS1KIN2ns3FooEUlvE_E", "_ZTSZNKUlvE_clEvE1K",
      "_ZTS1KIZL1fvEUlvE_E", "_ZTSUt_", "_ZTS99short", "_ZTSN4open",
      "_ZTS1KIXadL_ZL1fvEEE", "_ZTSE", "_ZTS1KIXadL_ZN12_GLOBAL__N_11fEvEEE",
      "_ZTS1KIXplLi1ELi2EEE", "_ZTS1KILN12_GLOBAL__N_11EE0EE"};
  for (size_t i = 0; i < TN_COUNT(names); ++i) {
    const tn_str name = tn_str_from(names[i]);
    if (!tn_kernel_name_is_local(name)) {
      print_message("not local: %.*s\n", TN_STR_ARG(name));
    }
    assert_true(tn_kernel_name_is_local(name));
  }
}

static void test_names_for_people(void **state) {
  (void)state;
  tn_arena arena;
  tn_arena_init(&arena);
  assert_string_equal(tn_demangle(&arena, tn_str_from("_Z3fooi")), "foo(int)");
  assert_string_equal(tn_demangle(&arena, tn_str_from("c_name")), "c_name");
  assert_string_equal(tn_demangle(&arena, tn_str_from("_Zrubbish")), "_Zrubbish");
  assert_string_equal(tn_demangle_kernel(&arena, tn_str_from("_ZTS10vector_add")), "vector_add");
  static const char *const functions[][2] = {
      {"_ZTSN4sycl6detail11free_kernelIXadL_Z7vec_addEEEE", "vec_add"},
      {"_ZTSN4sycl6detail11free_kernelIXadL_Z1fPfEEEE", "f"},
      {"_ZTSN4sycl6detail11free_kernelIXadL_ZN2ns2tkIfEEvPT_1SEEEE", "ns::tk<float>"},
      {"_ZTSN4sycl6detail11free_kernelIXadL_ZN2ns2tkILi3EEEvPFviEEEEE", "ns::tk<3>"},
      {"_ZTSN4sycl6detail11free_kernelI1KEE", "sycl::detail::free_kernel<K>"},
  };
  for (size_t i = 0; i < TN_COUNT(functions); ++i) {
    assert_string_equal(tn_demangle_kernel(&arena, tn_str_from(functions[i][0])), functions[i][1]);
  }
  assert_string_equal(tn_demangle_kernel(&arena, tn_str_from("_ZTS1K@0000000000001000")), "K");
  assert_string_equal(tn_demangle_kernel(&arena, tn_str_from("_ZTSUlvE_@0000000000001000")),
                      "lambda at namespace scope");
  tn_arena_deinit(&arena);
}

static void test_names_that_are_never_imports(void **state) {
  (void)state;
  assert_true(tn_function_is_builtin_name(tn_str_from("_Z33__spirv_BuiltInGlobalInvocationIdi")));
  assert_true(tn_function_is_builtin_name(tn_str_from("__udivti3")));
  assert_false(tn_function_is_builtin_name(tn_str_from("_Z3fooi")));
  assert_false(tn_function_is_builtin_name(tn_str_from("_Z")));
  assert_false(tn_function_is_builtin_name(tn_str_from("_ZN1A3__bEv")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names_with_linkage),
      cmocka_unit_test(test_names_without_linkage),
      cmocka_unit_test(test_names_for_people),
      cmocka_unit_test(test_names_that_are_never_imports),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
