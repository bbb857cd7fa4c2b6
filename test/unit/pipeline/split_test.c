// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a link's device code is divided into images, what they need of each other, and what is kept
// for the next link.
#include "base/map.h"
#include "unit/pipeline/device_code.h"

static tn_buf messages;
static tn_diag diag;
static tn_link_result result;
static tn_buf joined;
static tn_fatbin fatbin;

static int set_up(void **state) {
  (void)state;
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  tn_buf_init(&joined, DEVICE_CODE_MAX);
  tn_link_result_init(&result);
  diag = (tn_diag){0};
  return 0;
}
static int tear_down(void **state) {
  (void)state;
  tn_buf_deinit(&messages);
  tn_buf_deinit(&joined);
  tn_link_result_deinit(&result);
  return 0;
}

static const tn_target *cpu(void) {
  static tn_target target;
  target = tn_target_default();
  return &target;
}

static void link_as(const char *const *sources, tn_split_mode split) {
  const tn_link_params how = {.target = cpu(), .output = "a.out", .split = split, .threads = 2};
  const tn_status status = device_link_as(sources, "-O2", &how, &result, &messages, &diag);
  if (status != TN_OK) {
    print_message("%s\n", diag.text);
  }
  assert_int_equal(status, TN_OK);
  tn_buf_clear(&joined);
  device_join(&result, &joined);
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&joined), &fatbin, &diag), TN_OK);
}

// "K1 K2 +export -import | …": what the images say, in their order.
static void expect_images(const char *expected) {
  tn_buf text;
  tn_buf_init(&text, DEVICE_CODE_MAX);
  for (uint32_t i = 0; i < fatbin.image_count; ++i) {
    const tn_image image = tn_fatbin_image_at(&fatbin, i);
    tn_buf_add_text(&text, i > 0 ? " |" : "");
    for (uint32_t k = 0; k < tn_image_kernel_count(&image); ++k) {
      tn_buf_add_format(&text, " %.*s", TN_STR_ARG(tn_image_kernel_at(&image, k).display_name));
    }
    for (uint32_t k = 0; k < tn_image_export_count(&image); ++k) {
      tn_buf_add_format(&text, " +%.*s", TN_STR_ARG(tn_image_export_at(&image, k).display_name));
    }
    for (uint32_t k = 0; k < tn_image_import_count(&image); ++k) {
      tn_buf_add_format(&text, " -%.*s", TN_STR_ARG(tn_image_import_at(&image, k).display_name));
    }
  }
  assert_string_equal(tn_buf_text(&text), expected);
  tn_buf_deinit(&text);
}

// a.cpp has two kernels and uses b's f; b exports f and g and has a kernel; c only exports, and
// uses b's f and, hidden, d's h.
static const char *const sources[] = {
    "class K1; class K2; SYCL_EXTERNAL int f(int); SYCL_EXTERNAL int absent(int);\n"
    "void a(int *p) { launch<K1>([=](item) { *p = f(1); });\n"
    "  launch<K2>([=](item) { *p = absent(2); }); }\n",
    "class K3; SYCL_EXTERNAL __attribute__((noinline)) int f(int x) { return x * 7 % 3; }\n"
    "SYCL_EXTERNAL int g(int x) { return f(x) + 1; }\n"
    "void b(int *p) { launch<K3>([=](item) { *p = g(1); }); }\n",
    "SYCL_EXTERNAL int f(int); SYCL_EXTERNAL __attribute__((visibility(\"hidden\"))) int h(int);\n"
    "SYCL_EXTERNAL int c(int x) { return f(x) + h(x); }\n",
    "SYCL_EXTERNAL __attribute__((visibility(\"hidden\"))) int h(int x) { return x - 3; }\n", NULL};

static void test_per_source(void **state) {
  (void)state;
  link_as(sources, TN_SPLIT_PER_SOURCE);
  expect_images(" K1 K2 -absent(int) | K3 +f(int) +g(int) | +c(int) -f(int)");
}

static void test_per_kernel(void **state) {
  (void)state;
  link_as(sources, TN_SPLIT_PER_KERNEL);
  expect_images(
      " K1 | K2 -absent(int) | +f(int) | +g(int) | K3 | +c(int) -f(int)");
}

static void test_off(void **state) {
  (void)state;
  link_as(sources, TN_SPLIT_OFF);
  expect_images(" K1 K2 K3 +c(int) +f(int) +g(int) -absent(int)");
}

// As many kernels of a source share an image; of one with more, or with large ones, each has its
// own, unless it exports functions.
static void test_many_kernels(void **state) {
  (void)state;
#define KERNELS \
  "template <int I> class N; template <int I> struct all { static void run(int *p) {\n" \
  "  launch<N<I>>([=](item) { *p = I; }); all<I - 1>::run(p); } };\n" \
  "template <> struct all<0> { static void run(int *) {} };\n"
  static const char *const shared[] = {KERNELS "void a(int *p) { all<16>::run(p); }\n", NULL};
  static const char *const apart[] = {KERNELS "void a(int *p) { all<17>::run(p); }\n", NULL};
  static const char *const exports[] = {
      KERNELS "SYCL_EXTERNAL int f(int x) { return x; }\n"
              "void a(int *p) { all<17>::run(p); }\n", NULL};
  // 40 × 40 additions of what nothing is known of, in either kernel.
#define FORTY(x) x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x
  static const char *const large[] = {
      KERNELS "template <class T> [[clang::always_inline]] inline void add(volatile int *p) {\n"
              "  int x = *p;\n" FORTY("x += *p;") "*p = x; }\n"
              "class A; class B; void a(int *p) {\n"
              "  launch<A>([=](item) {" FORTY("add<A>(p);") "});\n"
              "  launch<B>([=](item) {" FORTY("add<B>(p);") "}); }\n", NULL};
#undef FORTY
#undef KERNELS
  const struct {
    const char *const *sources;
    tn_split_mode mode;
    size_t images;
  } cases[] = {{shared, TN_SPLIT_AUTO, 1},
               {apart, TN_SPLIT_AUTO, 17},
               {large, TN_SPLIT_AUTO, 2},
               {apart, TN_SPLIT_BY_NEEDS, 1},
               {exports, TN_SPLIT_AUTO, 1}};
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    const size_t before = result.images.count;
    link_as(cases[i].sources, cases[i].mode);
    assert_int_equal(result.images.count - before, cases[i].images);
  }
}

// What one header makes of two units is in the first one's image only.
static void test_shared_kernels(void **state) {
  (void)state;
  static const char *const both[] = {
      "template <class T> class N; template <class T> void shared(T *p) {\n"
      "  launch<N<T>>([=](item) { *p = 1; }); }\n void a(int *p) { shared(p); }\n",
      "template <class T> class N; template <class T> void shared(T *p) {\n"
      "  launch<N<T>>([=](item) { *p = 1; }); }\n"
      "void b(int *p, long *q) { shared(p); shared(q); }\n", NULL};
  link_as(both, TN_SPLIT_PER_SOURCE);
  expect_images(" N<int> | N<long>");
}

static void test_alone_names_both(void **state) {
  (void)state;
  static const char *const one[] = {
      "SYCL_EXTERNAL int f(int); void a(int *p) { launch<class K>([=](item) {\n"
      "  *p = f(1); }); }\n", NULL};
  tn_link_params how = {.target = cpu(), .output = "a.out", .alone = true};
  assert_int_equal(device_link_as(one, "-O2", &how, &result, &messages, &diag), TN_BUILD_FAILED);
  assert_non_null(strstr(diag.text, "'f(int)'"));
  assert_non_null(strstr(diag.text, "'a(int*)::K'"));
  assert_non_null(strstr(tn_buf_text(&messages), "test.cpp:2"));
  how.allow_imports = true;
  assert_int_equal(device_link_as(one, "-O2", &how, &result, &messages, &diag), TN_OK);
  assert_int_equal(result.images.count, 1);
}

typedef struct kept_results {
  tn_map map;
  tn_buf values[16];
  size_t count;
  size_t hits;
} kept_results;

static bool cache_get(void *user, const uint8_t key[32], tn_buf *out) {
  kept_results *kept = user;
  const tn_buf *found = tn_map_find(&kept->map, (tn_str){(const char *)key, 32});
  if (found) {
    tn_buf_add(out, found->data, found->size);
    kept->hits++;
  }
  return found != NULL;
}

static void cache_put(void *user, const uint8_t key[32], tn_bytes value) {
  kept_results *kept = user;
  assert_true(kept->count < TN_COUNT(kept->values));
  tn_buf *buf = &kept->values[kept->count++];
  tn_buf_init(buf, DEVICE_CODE_MAX);
  tn_buf_add(buf, value.data, value.size);
  assert_true(tn_map_set(&kept->map, (tn_str){(const char *)key, 32}, buf));
}

enum { UNIT_COUNT = 4 };
typedef struct made_unit {
  tn_buf bitcode;
  tn_buf symbols;
} made_unit;

static void make_unit(const char *text, uint64_t id, made_unit *out) {
  tn_buf_init(&out->bitcode, DEVICE_CODE_MAX);
  tn_buf_init(&out->symbols, DEVICE_CODE_MAX);
  assert_int_equal(
      device_unit_listed(text, "-O2", id, &out->bitcode, &out->symbols, &messages, &diag), TN_OK);
}

static void free_unit(made_unit *unit) {
  tn_buf_deinit(&unit->bitcode);
  tn_buf_deinit(&unit->symbols);
}

static void link_cached(kept_results *kept, const made_unit *units, const char *output,
                        uint32_t expected_hits) {
  const tn_link_cache cache = {kept, cache_get, cache_put};
  tn_link_input inputs[UNIT_COUNT];
  for (size_t i = 0; i < UNIT_COUNT; ++i) {
    inputs[i] = (tn_link_input){tn_buf_bytes(&units[i].bitcode), tn_buf_str(&units[i].symbols),
                                "unit"};
  }
  const tn_link_params params = {.target = cpu(), .output = output, .cache = &cache,
                                 .inputs = inputs, .input_count = UNIT_COUNT, .opt_level = 2};
  tn_link_result_deinit(&result);
  tn_link_result_init(&result);
  kept->hits = 0;
  assert_int_equal(tn_pipeline_link(&params, &result, &messages, &diag), TN_OK);
  assert_int_equal(result.group_count, 3);
  assert_int_equal(result.cached_count, expected_hits);
  assert_int_equal(kept->hits, expected_hits);
}

// One more link with unit `index` made of another text.
static void link_changed(kept_results *kept, const made_unit *units, size_t index,
                         const char *text, uint32_t expected_hits) {
  made_unit changed[UNIT_COUNT];
  memcpy(changed, units, sizeof(changed));
  make_unit(text, 0x2000 + index, &changed[index]);
  link_cached(kept, changed, "a.out", expected_hits);
  free_unit(&changed[index]);
}

// Of three groups, a change of one unit makes those again that it takes part in.
static void test_one_change_makes_one_image(void **state) {
  (void)state;
  kept_results kept = {.count = 0};
  tn_map_init(&kept.map);
  made_unit units[UNIT_COUNT];
  for (size_t i = 0; i < UNIT_COUNT; ++i) {
    make_unit(sources[i], 0x1000 + i, &units[i]);
  }
  link_cached(&kept, units, "a.out", 0);
  device_join(&result, &joined);
  link_cached(&kept, units, "a.out", 3);
  tn_buf again;
  tn_buf_init(&again, DEVICE_CODE_MAX);
  device_join(&result, &again);
  assert_int_equal(joined.size, again.size);
  assert_memory_equal(joined.data, again.data, again.size);
  tn_buf_deinit(&again);
  link_changed(&kept, units, 2,
               "SYCL_EXTERNAL int f(int); SYCL_EXTERNAL int c(int x) { return f(x) + 5; }\n", 2);
  // a's image holds a copy of what b defines.
  link_changed(&kept, units, 1,
               "class K3; SYCL_EXTERNAL __attribute__((noinline)) int f(int x) { return x; }\n"
               "SYCL_EXTERNAL int g(int x) { return f(x) + 1; }\n"
               "void b(int *p) { launch<K3>([=](item) { *p = g(1); }); }\n", 1);
  link_cached(&kept, units, "another", 0);
  for (size_t i = 0; i < kept.count; ++i) {
    tn_buf_deinit(&kept.values[i]);
  }
  for (size_t i = 0; i < UNIT_COUNT; ++i) {
    free_unit(&units[i]);
  }
  tn_map_deinit(&kept.map);
}

// Code by clang alone has no symbol list, a list of another version is not believed.
static void test_lists_are_made_when_missing(void **state) {
  (void)state;
  static const char *const lists[] = {"", "tenon-symbols 0\nK\tnothing\n"};
  tn_buf unit;
  tn_buf_init(&unit, DEVICE_CODE_MAX);
  assert_int_equal(device_unit(sources[0], "-O2", 7, &unit, &messages, &diag), TN_OK);
  tn_arena arena;
  tn_arena_init(&arena);
  for (size_t i = 0; i < TN_COUNT(lists); ++i) {
    const tn_link_input input = {tn_buf_bytes(&unit), tn_str_from(lists[i]), "a.o"};
    tn_list missing = {0};
    assert_int_equal(tn_pipeline_missing(&input, 1, &arena, &missing, &diag), TN_OK);
    assert_int_equal(missing.count, 2);
    const tn_symbol_info *first = missing.items[0];
    assert_true(tn_str_equals(first->name, tn_str_from("_Z1fi")) ||
                tn_str_equals(first->name, tn_str_from("_Z6absenti")));
  }
  const tn_link_input broken = {tn_buf_bytes(&unit), TN_STR_LIT("tenon-symbols 1\nK\tbroken\n"),
                                "a.o"};
  tn_list missing = {0};
  assert_int_equal(tn_pipeline_missing(&broken, 1, &arena, &missing, &diag), TN_BAD_IMAGE);
  assert_non_null(strstr(diag.text, "a.o"));
  tn_arena_deinit(&arena);
  tn_buf_deinit(&unit);
}

int main(void) {
#define SPLIT_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      SPLIT_TEST(test_per_source),
      SPLIT_TEST(test_per_kernel),
      SPLIT_TEST(test_off),
      SPLIT_TEST(test_many_kernels),
      SPLIT_TEST(test_shared_kernels),
      SPLIT_TEST(test_alone_names_both),
      SPLIT_TEST(test_one_change_makes_one_image),
      SPLIT_TEST(test_lists_are_made_when_missing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
