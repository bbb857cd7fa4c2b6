// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header for another host compiler, and what its object is found to launch.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/frontend/frontend.h"
#include "compile/module/module.h"

// A constant expression, for objects of static storage.
#define TEXT(literal) {(literal), sizeof(literal) - 1}
#define KERNEL(text, bytes, place) \
  {.name = TEXT(text), .size = (bytes), .alignment = 8, .file = TEXT("a.cpp"), .line = (place)}
#define MARK_AT(name, size, places) \
  "_ZTSPFvP" name "P14__tenon_kernelILm" size "ELm8EJ" places "EEE\0"
#define MARK(name, size) MARK_AT(name, size, "")

static tn_host_kernel items[] = {
    KERNEL("_ZTS3one", 8, 3),
    KERNEL("_ZTSN2ns3twoIiEE", 16, 4),
    KERNEL("_ZTSZZ4mainENKUlvE_clEvE4twin", 8, 5),
    KERNEL("_ZTSZZ4mainENKUlvE0_clEvE4twin", 8, 6),
    KERNEL("_ZTSZZ4mainENKUliE_clEvE5alone", 8, 0),
};
static tn_host_kernels kernels = {items, TN_COUNT(items), {0}};

static void names(void **state) {
  (void)state;
#define MATCH(a, b) tn_frontend_names_match(TN_STR_LIT(a), TN_STR_LIT(b))
  assert_true(MATCH("_ZTS1a", "_ZTS1a"));
  assert_false(MATCH("_ZTS1a", "_ZTS1b"));
  assert_false(MATCH("_ZTS1a", "_ZTS1aE"));
  assert_true(MATCH("ZZ1fvENKUlvE_clEvE1k", "ZZ1fvENKUlvE12_clEvE1k"));
  assert_true(MATCH("UlvE3_", "UlvE_"));
  assert_false(MATCH("UlvE3_", "UlvE3"));
  assert_false(MATCH("ZZ1fvENKUlvE_clEvE1k", "ZZ1fvENKUliE_clEvE1k"));
}

static void header(void **state) {
  (void)state;
  tn_arena arena;
  tn_buf text;
  tn_arena_init(&arena);
  tn_buf_init(&text, 1 << 16);
  tn_frontend_integration_write(&kernels, 0x12, &arena, &text);
  const char *out = tn_buf_text(&text);
  assert_non_null(strstr(out, "#define __TENON_UNIT_ID__ 0x0000000000000012ULL\n"));
  assert_non_null(strstr(out, "  {\"_ZTS3one\", 8, 8, true},  // one\n"));
  assert_non_null(strstr(out, "  {\"_ZTSN2ns3twoIiEE\", 16, 8, true},  // ns::two<int>\n"));
  assert_non_null(strstr(out, "  {\"_ZTSZZ4mainENKUlvE_clEvE4twin\", 8, 8, false},"));
  assert_non_null(strstr(out, "  {\"_ZTSZZ4mainENKUliE_clEvE5alone\", 8, 8, true},"));
  tn_buf_deinit(&text);
  tn_arena_deinit(&arena);
}

static tn_status check(const char *object, size_t size, tn_buf *text, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_buf_clear(text);
  const tn_status status = tn_frontend_check_launches(tn_bytes_from(object, size), "a.cpp",
                                                      &kernels, &arena, text, diag);
  tn_arena_deinit(&arena);
  return status;
}
#define CHECK(object) check(object, sizeof(object) - 1, &text, &diag)

static void launches(void **state) {
  (void)state;
  tn_buf text;
  tn_diag diag;
  tn_buf_init(&text, 1 << 16);
  assert_int_equal(CHECK(""), TN_OK);
  assert_int_equal(CHECK("x_ZTSPFvP\0_ZTSPFvP3one\0_ZTSPFvP3oneP14__tenon_kernelILm8"), TN_OK);
  assert_int_equal(CHECK("\0" MARK("3one", "8") ".rodata." MARK("N2ns3twoIiEE", "16")), TN_OK);
  assert_int_equal(CHECK(MARK("ZZ4mainENKUliE7_clEvE5alone", "8")), TN_OK);
  assert_int_equal(text.size, 0);

  assert_int_equal(CHECK(MARK("3one", "4") MARK("3one", "4")), TN_BUILD_FAILED);
  assert_string_equal(tn_buf_text(&text),
                      "a.cpp:3: error: the function object of kernel 'one' has 8 bytes (alignment "
                      "8) in device code and 4 (8) in the code of -fsycl-host-compiler: name its "
                      "captures one by one\n");
  assert_string_equal(diag.text,
                      "a.cpp: -fsycl-host-compiler and the device pass disagree on 1 kernel");

  assert_int_equal(
      CHECK(MARK("ZZ4mainENKUlvE_clEvE4twin", "8") MARK("ZZ4mainENKUlvE3_clEvE4twin", "8")),
      TN_BUILD_FAILED);
  const char *twin = strstr(tn_buf_text(&text), "a.cpp:5: error: the name of kernel");
  assert_non_null(twin);
  assert_null(strstr(twin, "\na.cpp:5: error: "));
  assert_non_null(strstr(twin, "\na.cpp:6: note: the other kernel\n"));

  assert_int_equal(CHECK(MARK("N2ns3twoIfEE", "16") MARK("5alone", "8")), TN_BUILD_FAILED);
  assert_non_null(
      strstr(tn_buf_text(&text), "a.cpp: error: the host's code launches kernel 'ns::two<float>'"));
  assert_non_null(strstr(diag.text, "disagree on 2 kernels"));
  tn_buf_deinit(&text);
}

// Of kernel 'one': its lambda, and one inside that captures by reference.
static tn_capture outer_captures[] = {{TEXT("p"), 0}, {TEXT("at"), 8},
                                      {TEXT("this"), 16}, {TEXT("\xc3\xa9"), 24}};
static tn_capture inner_captures[] = {{TEXT("at"), 0}};
static tn_closure outer = {TEXT("_ZTS3one"), TEXT("a.cpp"), 3, outer_captures, 4};
static tn_closure inner = {TEXT("_ZTS3one"), TEXT("a.cpp"), 4, inner_captures, 1};

static void captures(void **state) {
  (void)state;
  void *closures[] = {&inner, &outer};
  tn_arena arena;
  tn_buf text;
  tn_diag diag;
  tn_arena_init(&arena);
  tn_buf_init(&text, 1 << 16);
  kernels.closures = (tn_list){closures, 2, 2};
  tn_frontend_integration_write(&kernels, 1, &arena, &text);
  const char *out = tn_buf_text(&text);
  assert_non_null(strstr(out, "static_cast<T *>(nullptr)->__at))> {\n"));
  assert_non_null(strstr(out, "static_cast<T *>(nullptr)->__this))> {\n"));
  assert_non_null(strstr(out,
                         "#define __TENON_PLACES_OF__(T) , ::sycl::detail::capture_0<T>::at"
                         ", ::sycl::detail::capture_1<T>::at, ::sycl::detail::capture_2<T>::at\n"));
  // Their order is "at", "p", "this".
  assert_int_equal(CHECK(MARK_AT("3one", "8", "Ll8ELl0ELl16E")), TN_OK);
  assert_int_equal(CHECK(MARK_AT("3one", "8", "Ll8ELl0ELln1E")), TN_OK);
  assert_int_equal(CHECK(MARK_AT("3one", "8", "Lln1ELln1ELln1E")), TN_OK);
  assert_int_equal(CHECK(MARK_AT("N2ns3twoIiEE", "16", "Ll4ELl4ELl4E")), TN_OK);
  assert_int_equal(CHECK(MARK_AT("3one", "8", "Ll0ELl8ELl16E")), TN_BUILD_FAILED);
  assert_string_equal(tn_buf_text(&text),
                      "a.cpp:3: error: -fsycl-host-compiler lays the captures of this kernel's "
                      "lambda out otherwise than the device pass: 'p' at 8 rather than 0; name "
                      "them one by one, as in [a, b], and no constants among them\n");
  kernels.closures = (tn_list){0};
  tn_buf_deinit(&text);
  tn_arena_deinit(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(header),
                                     cmocka_unit_test(launches), cmocka_unit_test(captures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
