// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources, and bundles that are built of them: names, states, linking, who sees what, failures, and
// builds that are had from memory.
#include "run/source/source.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "unit/source/source_world.h"

static void test_build(void **state) {
  (void)state;
  const int before = fake_compiles;
  tn_source *source = source_of("warn careful\nkernel one two\nimage\nkernel three");
  assert_ptr_equal(tn_source_context(source), pair_context);
  const char *const names[] = {"two<int>"};
  tn_source_build build = source_build(TN_BUNDLE_EXECUTABLE);
  build.names = names;
  build.name_count = 1;
  tn_bundle *bundle = NULL;
  tn_log *log = NULL;
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, &log, NULL), TN_OK);
  assert_non_null(strstr(tn_log_text(log), ": warning: careful\n"));
  assert_non_null(strstr(tn_log_text(log), "rtc_"));
  assert_int_equal(fake_compiles, before + 1);
  assert_int_equal(tn_bundle_state(bundle), TN_BUNDLE_EXECUTABLE);
  assert_int_equal(tn_bundle_image_count(bundle), 2);
  assert_int_equal(tn_bundle_kernel_count(bundle), 3);
  assert_int_equal(tn_bundle_device_count(bundle), 2);
  assert_ptr_equal(tn_bundle_context(bundle), pair_context);
  const char *const found[] = {"one", "two", "two<int>", "three", "K_one"};
  for (size_t i = 0; i < TN_COUNT(found); i++) {
    assert_int_equal(tn_bundle_has_kernel_name(bundle, found[i]), 1);
    tn_kernel *kernel = source_kernel(bundle, found[i], pair[i % 2]);
    assert_string_equal(kernel->name, tn_bundle_raw_kernel_name(bundle, found[i]));
    tn_kernel_release(kernel);
  }
  assert_string_equal(tn_bundle_raw_kernel_name(bundle, "two<int>"), "K_two");
  assert_null(tn_bundle_raw_kernel_name(bundle, "two<long>"));
  assert_int_equal(tn_bundle_has_kernel_name(bundle, "two<long>"), 0);
  tn_kernel_id *id = NULL;
  assert_fails(tn_bundle_find_kernel_id(bundle, "four", &id, why), TN_KERNEL_NOT_FOUND,
               "kernel four is not in the kernel bundle; there are one, three, two, two<int>");
  // The same again is not compiled, and the kernels are the same ones.
  tn_bundle *again = NULL;
  tn_log *same = NULL;
  assert_int_equal(tn_source_build_bundle(source, &build, &again, &same, NULL), TN_OK);
  assert_int_equal(fake_compiles, before + 1);
  assert_string_equal(tn_log_text(log), tn_log_text(same));
  assert_ptr_equal(tn_bundle_kernel_id_at(again, 0), tn_bundle_kernel_id_at(bundle, 0));
  // Other names, other options: other builds.
  build.name_count = 0;
  tn_bundle *unnamed = source_must_build(source, &build);
  assert_int_equal(tn_bundle_has_kernel_name(unnamed, "two<int>"), 0);
  assert_int_equal(fake_compiles, before + 2);
  const char *const options[] = {"-O1"};
  build.options = options;
  build.option_count = 1;
  tn_bundle *other = source_must_build(source, &build);
  assert_int_equal(fake_compiles, before + 3);
  tn_log_free(log);
  tn_log_free(same);
  tn_source_release(source);
  tn_bundle *const held[] = {bundle, again, unnamed, other};
  for (size_t i = 0; i < TN_COUNT(held); i++) {
    tn_bundle_release(held[i]);
  }
}

static void test_nobody_else_sees_it(void **state) {
  (void)state;
  const image_maker user = {BITCODE, .kernels = {"user"}, .imports = {"of_source"}};
  tn_module module;
  maker_register(&module, &user, 1);
  tn_bundle *bundle = source_bundle("kernel hidden\nexport of_source", TN_BUNDLE_OBJECT);
  tn_kernel_id *ids[8];
  size_t count = 0;
  assert_int_equal(tn_kernel_id_list(ids, 8, &count, NULL), TN_OK);
  assert_int_equal(count, 1);
  assert_string_equal(tn_kernel_id_name(ids[0]), "user");
  // Not by itself, but when it is linked with it.
  const tn_bundle_query query = bundle_query(TN_BUNDLE_EXECUTABLE);
  tn_bundle *out = NULL;
  assert_int_equal(tn_bundle_get(&query, &out, NULL), TN_BUILD_FAILED);
  tn_bundle *object = bundle_of_state(TN_BUNDLE_OBJECT);
  assert_int_equal(tn_bundle_image_count(object), 1);
  tn_bundle *const parts[] = {object, bundle};
  tn_diag diag = {0};
  if (tn_bundle_link(parts, 2, NULL, 0, &out, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  assert_int_equal(tn_bundle_kernel_count(out), 2);
  tn_kernel *kernel = source_kernel(out, "hidden", with_fp64);
  tn_kernel *other = NULL;
  assert_int_equal(tn_bundle_get_kernel(out, ids[0], with_fp64, &other, NULL), TN_OK);
  assert_int_equal(tn_bundle_has_kernel_name(out, "user"), 0);  // it has an id
  tn_kernel_id_release(ids[0]);
  tn_kernel_release(kernel);
  tn_kernel_release(other);
  tn_bundle *const held[] = {bundle, object, out};
  for (size_t i = 0; i < TN_COUNT(held); i++) {
    tn_bundle_release(held[i]);
  }
  maker_unregister(&module);
}

// What a source imports comes from bundles that it is linked with, else from the application.
static void test_imports(void **state) {
  (void)state;
  const image_maker given = {BITCODE, .exports = {"given"}, .code = "of_file"};
  tn_buf bytes;
  tn_buf_init(&bytes, 1u << 20);
  maker_write(&given, 1, &bytes);
  tn_source *source = source_of("kernel needs\nimport given");
  tn_source_build build = source_build(TN_BUNDLE_EXECUTABLE);
  tn_bundle *bundle = NULL;
  tn_log *log = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, &log, &diag), TN_BUILD_FAILED);
  assert_null(bundle);
  assert_non_null(strstr(diag.text, "given"));
  assert_non_null(strstr(tn_log_text(log), diag.text));
  tn_log_free(log);
  tn_image_file *file = NULL;
  assert_int_equal(tn_image_open_memory(bytes.data, bytes.size, &file, NULL), TN_OK);
  bundle = source_must_build(source, &build);
  assert_non_null(strstr(world_asked, ":given"));
  tn_bundle_release(bundle);
  build.state = TN_BUNDLE_OBJECT;
  tn_bundle *const parts[] = {
      source_must_build(source, &build),
      source_bundle("export given", TN_BUNDLE_OBJECT),
  };
  assert_int_equal(tn_bundle_kernel_count(parts[1]), 0);
  assert_int_equal(tn_bundle_image_count(parts[1]), 1);
  if (tn_bundle_link(parts, 2, NULL, 0, &bundle, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  assert_null(strstr(world_asked, "images in memory"));
  assert_int_equal(tn_bundle_has_kernel_name(bundle, "needs"), 1);
  tn_bundle_release(bundle);
  tn_bundle_release(parts[0]);
  tn_bundle_release(parts[1]);
  // Images of one source import from each other, whoever else has the symbol.
  bundle = source_bundle("kernel first\nimport own\nimage\nexport own", TN_BUNDLE_EXECUTABLE);
  assert_int_equal(tn_bundle_image_count(bundle), 2);
  tn_bundle_release(bundle);
  tn_source_release(source);
  tn_image_close(file);
  tn_buf_deinit(&bytes);
}

// One name in two bundles: joined, two kernels, of which the first bundle's is meant; symbols name
// both as well. Linked, an error.
static void test_namesakes(void **state) {
  (void)state;
  tn_bundle *const parts[] = {source_bundle("kernel same first", TN_BUNDLE_OBJECT),
                              source_bundle("kernel same second", TN_BUNDLE_OBJECT)};
  for (size_t i = 0; i < 2; i++) {
    tn_bundle *const order[] = {parts[i], parts[1 - i]};
    tn_bundle *both = NULL;
    tn_kernel_id *id = NULL;
    tn_kernel_id *own = NULL;
    assert_fails(tn_bundle_link(order, 2, NULL, 0, &both, why), TN_BUILD_FAILED,
                 "linking kernel bundles: kernel K_same is defined in two of the kernel bundles; "
                 "rename one of them");
    assert_int_equal(tn_bundle_join(order, 2, &both, NULL), TN_OK);
    assert_int_equal(tn_bundle_kernel_count(both), 4);
    assert_int_equal(tn_bundle_has_kernel_name(both, "first"), 1);
    assert_int_equal(tn_bundle_has_kernel_name(both, "K_second"), 1);
    assert_int_equal(tn_bundle_find_kernel_id(both, "same", &id, NULL), TN_OK);
    assert_int_equal(tn_bundle_find_kernel_id(order[0], "same", &own, NULL), TN_OK);
    assert_int_equal(tn_kernel_id_equals(id, own), 1);
    assert_int_equal(tn_bundle_has_kernel(order[1], id, NULL), 0);
    tn_kernel_id_release(id);
    tn_kernel_id_release(own);
    tn_bundle_release(both);
  }
  // In a bundle without names, the sentence says what to do.
  tn_module module;
  const image_maker app = {BITCODE, .kernels = {"app"}};
  maker_register(&module, &app, 1);
  tn_bundle *plain_bundle = bundle_of_state(TN_BUNDLE_OBJECT);
  tn_kernel_id *none = NULL;
  assert_fails(
      tn_bundle_find_kernel_id(plain_bundle, "app", &none, why), TN_KERNEL_NOT_FOUND,
      "kernel app is not in the kernel bundle, which has no kernel that was compiled while "
      "the program runs under a name of its own: register the name when it is built, or "
      "use the raw name");
  assert_int_equal(tn_bundle_find_kernel_id(NULL, "app", &none, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_bundle_find_kernel_id(plain_bundle, NULL, &none, NULL), TN_INVALID_ARGUMENT);
  tn_bundle_release(plain_bundle);
  tn_bundle_release(parts[0]);
  tn_bundle_release(parts[1]);
  maker_unregister(&module);
}

static void test_devices(void **state) {
  (void)state;
  tn_source *source = source_of("kernel plain_one\nimage\nfp64\nkernel heavy");
  tn_source_build build = source_build(TN_BUNDLE_EXECUTABLE);
  tn_bundle *bundle = source_must_build(source, &build);
  assert_int_equal(tn_bundle_kernel_count(bundle), 2);
  tn_kernel_id *id = NULL;
  tn_kernel *kernel = NULL;
  assert_int_equal(tn_bundle_find_kernel_id(bundle, "heavy", &id, NULL), TN_OK);
  assert_int_equal(tn_bundle_get_kernel(bundle, id, without_fp64, &kernel, NULL),
                   TN_KERNEL_NOT_FOUND);
  tn_kernel_id_release(id);
  tn_bundle_release(bundle);
  // For the one that cannot run it alone, it is known, and left out.
  build.devices = &without_fp64;
  build.device_count = 1;
  bundle = source_must_build(source, &build);
  assert_int_equal(tn_bundle_device_count(bundle), 1);
  assert_int_equal(tn_bundle_has_kernel_name(bundle, "plain_one"), 1);
  assert_int_equal(tn_bundle_has_kernel_name(bundle, "heavy"), 0);
  tn_bundle_release(bundle);
  tn_source_release(source);
  // When nothing is left, that is a failure.
  source = source_of("fp64\nkernel heavy");
  tn_diag diag = {0};
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, NULL, &diag),
                   TN_KERNEL_NOT_FOUND);
  assert_non_null(strstr(diag.text, "fp64"));
  build.devices = &plain;
  assert_fails(tn_source_build_bundle(source, &build, &bundle, NULL, why), TN_INVALID_ARGUMENT,
               "device Double CPU is not one of the source's context, nor a part of one of them");
  tn_device *none = NULL;
  build.devices = &none;
  assert_fails(tn_source_build_bundle(source, &build, &bundle, NULL, why), TN_INVALID_ARGUMENT,
               "tn_source_build_bundle: device 0 is NULL");
  tn_source_release(source);
  assert_int_equal(tn_source_is_supported(with_fp64, TN_SOURCE_SYCL), 1);
  assert_int_equal(tn_source_is_supported(with_fp64, TN_SOURCE_C), 1);
  assert_int_equal(tn_source_is_supported(with_fp64, TN_SOURCE_OPENCL), 0);
  assert_int_equal(tn_source_is_supported(with_fp64, TN_SOURCE_SPIRV), 0);
  assert_int_equal(tn_source_is_supported(with_fp64, 77), 0);
  assert_int_equal(tn_source_is_supported(plain, TN_SOURCE_SYCL), 0);
  assert_int_equal(tn_source_is_supported(NULL, TN_SOURCE_SYCL), 0);
}

static tn_status create_with(const tn_source_include *includes, size_t count, tn_diag *diag) {
  const tn_source_query query = {.struct_size = sizeof(query),
                                 .language = TN_SOURCE_SYCL,
                                 .context = pair_context,
                                 .source = "x",
                                 .source_size = 1,
                                 .includes = includes,
                                 .include_count = count};
  tn_source *source = NULL;
  const tn_status status = tn_source_create(&query, &source, diag);
  tn_source_release(source);
  return status;
}

static void test_include_names(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  static const char *const bad[] = {"",       ".",    "..",      "a/",          "/",
                                    "../a.h", "a/..", "a/../..", "a/../../b.h", "./",
                                    "/../a",  "/a/",  "//..",    "/a/../../b"};
  for (size_t i = 0; i < TN_COUNT(bad); i++) {
    const tn_source_include include = {bad[i], "", 0};
    tn_diag diag = {0};
    assert_int_equal(create_with(&include, 1, &diag), TN_INVALID_ARGUMENT);
    assert_non_null(strstr(diag.text, bad[i]));
  }
  static const char *const good[] = {"a.h", "a/b.h", "a/../c.h", "./d.h", "a//e.h", "..f/g..h",
                                     "/a.h", "/a/../c.h"};
  tn_source_include all[TN_COUNT(good)];
  for (size_t i = 0; i < TN_COUNT(good); i++) {
    all[i] = (tn_source_include){good[i], "text", 4};
  }
  assert_int_equal(create_with(all, TN_COUNT(good), NULL), TN_OK);
  all[0].name = "b/../a/./b.h";
  assert_fails(create_with(all, TN_COUNT(good), why), TN_INVALID_ARGUMENT,
               "include a/b.h comes twice");
  all[0].name = "/b/..//a.h";
  assert_fails(create_with(all, TN_COUNT(good), why), TN_INVALID_ARGUMENT,
               "include /a.h comes twice");
  all[0].name = NULL;
  assert_int_equal(create_with(all, TN_COUNT(good), NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_alloc_live(), live);
  const tn_source_include used = {"dir/./used.h", "kernel from_include", 19};
  const tn_source_query query = {.struct_size = sizeof(query),
                                 .language = TN_SOURCE_SYCL,
                                 .context = pair_context,
                                 .source = "include dir/used.h, not this",
                                 .source_size = strlen("include dir/used.h"),
                                 .includes = &used,
                                 .include_count = 1};
  tn_source *source = NULL;
  assert_int_equal(tn_source_create(&query, &source, NULL), TN_OK);
  tn_source_retain(source);
  tn_source_release(source);
  const tn_source_build build = source_build(TN_BUNDLE_OBJECT);
  tn_bundle *bundle = source_must_build(source, &build);
  assert_int_equal(tn_bundle_has_kernel_name(bundle, "from_include"), 1);
  tn_bundle_release(bundle);
  tn_source_release(source);
}

static void test_failures(void **state) {
  (void)state;
  tn_source *source = NULL;
  tn_source_query query = {.struct_size = sizeof(query),
                           .language = TN_SOURCE_OPENCL,
                           .context = pair_context,
                           .source = "x",
                           .source_size = 1};
  assert_fails(
      tn_source_create(&query, &source, why), TN_UNSUPPORTED,
      "no device of the context takes sources in OpenCL C: device Mock 0, whose target is "
      "native_cpu, takes no SPIR-V");
  query.language = TN_SOURCE_SPIRV;
  assert_fails(tn_source_create(&query, &source, why), TN_UNSUPPORTED,
               "no device of the context takes sources in SPIR-V: device Mock 0, whose target is "
               "native_cpu, takes no SPIR-V");
  query.language = 0;
  assert_int_equal(tn_source_create(&query, &source, NULL), TN_INVALID_ARGUMENT);
  query.language = TN_SOURCE_SYCL;
  query.context = plain_context;
  assert_int_equal(tn_source_create(&query, &source, NULL), TN_UNSUPPORTED);
  query.context = NULL;
  assert_int_equal(tn_source_create(&query, &source, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_source_create(NULL, &source, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_source_create(NULL, NULL, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_bundle_has_kernel_name(NULL, "x"), 0);
  assert_null(tn_bundle_raw_kernel_name(NULL, "x"));
  source = source_of("kernel good\nerror first\nerror second\nwarn third");
  tn_source_build build = source_build(TN_BUNDLE_EXECUTABLE);
  tn_bundle *bundle = NULL;
  tn_log *log = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, &log, &diag), TN_BUILD_FAILED);
  assert_non_null(strstr(diag.text, "error: first"));
  assert_non_null(strstr(tn_log_text(log), "error: second"));
  assert_non_null(strstr(tn_log_text(log), "warning: third"));
  tn_log_free(log);
  // A failure is not kept.
  const int before = fake_compiles;
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, NULL, NULL), TN_BUILD_FAILED);
  assert_int_equal(fake_compiles, before + 1);
  const char *const options[] = {"-o", NULL};
  build.options = options;
  build.option_count = 1;
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, &log, NULL),
                   TN_INVALID_ARGUMENT);
  assert_string_equal(tn_log_text(log), "option -o makes no sense here\n");
  tn_log_free(log);
  build.option_count = 2;
  assert_fails(tn_source_build_bundle(source, &build, &bundle, &log, why), TN_INVALID_ARGUMENT,
               "tn_source_build_bundle: option 1 is NULL");
  assert_string_equal(tn_log_text(log), "");
  build.option_count = 0;
  build.state = TN_BUNDLE_INPUT;
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, NULL, NULL),
                   TN_INVALID_ARGUMENT);
  build.state = TN_BUNDLE_OBJECT;
  const char *const names[] = {"missing<int>", ""};
  build.names = names;
  build.name_count = 1;
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, NULL, NULL), TN_BUILD_FAILED);
  build.name_count = 2;
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, NULL, NULL),
                   TN_INVALID_ARGUMENT);
  assert_int_equal(tn_source_build_bundle(source, NULL, &bundle, NULL, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_source_build_bundle(source, NULL, NULL, NULL, NULL), TN_INVALID_ARGUMENT);
  tn_source_release(source);
  tn_source_release(NULL);
  tn_log_free(NULL);
  assert_int_equal(tn_bundle_has_kernel_name(NULL, NULL), 0);
}

static void test_language_c(void **state) {
  (void)state;
  const tn_source_query query = {.struct_size = sizeof(query),
                                 .language = TN_SOURCE_C,
                                 .context = pair_context,
                                 .source = "kernel in_c\nwarn c",
                                 .source_size = strlen("kernel in_c\nwarn c")};
  tn_source *source = NULL;
  tn_bundle *bundle = NULL;
  tn_log *log = NULL;
  assert_int_equal(tn_source_create(&query, &source, NULL), TN_OK);
  const tn_source_build build = source_build(TN_BUNDLE_OBJECT);
  assert_int_equal(tn_source_build_bundle(source, &build, &bundle, &log, NULL), TN_OK);
  assert_int_equal(fake_language, TN_LANGUAGE_C);
  assert_non_null(strstr(tn_log_text(log), ".c: warning: c"));
  tn_log_free(log);
  tn_bundle_release(bundle);
  // The same text in another language is another source.
  bundle = source_bundle(query.source, TN_BUNDLE_OBJECT);
  assert_int_equal(fake_language, TN_LANGUAGE_SYCL);
  tn_bundle_release(bundle);
  // A compiler that fails without a word: the log has the reason.
  tn_diag diag = {0};
  fake_fails = true;
  const char *const options[] = {"-O0"};
  tn_source_build other = build;
  other.options = options;
  other.option_count = 1;
  assert_int_equal(tn_source_build_bundle(source, &other, &bundle, &log, &diag), TN_BUILD_FAILED);
  fake_fails = false;
  assert_non_null(strstr(tn_log_text(log), diag.text));
  tn_log_free(log);
  tn_source_release(source);
}

// A kernel is enough to keep what it needs; when it goes, and nothing keeps the build, so does all.
static void test_release_order(void **state) {
  (void)state;
  tn_bundle *bundle = source_bundle("kernel lasting", TN_BUNDLE_EXECUTABLE);
  tn_kernel *kernel = source_kernel(bundle, "lasting", with_fp64);
  tn_kernel_id *id = NULL;
  assert_int_equal(tn_bundle_find_kernel_id(bundle, "lasting", &id, NULL), TN_OK);
  tn_bundle_release(bundle);
  // Others push the build out of the cache.
  for (int i = 0; i < 200; i++) {
    char text[64];
    (void)snprintf(text, sizeof(text), "kernel pushes_%d", i);
    tn_bundle_release(source_bundle(text, TN_BUNDLE_EXECUTABLE));
  }
  tn_program_reap();
  assert_true(double_live <= 2 * 64 + 2);  // what the cache keeps, on two devices, and the kernel
  assert_string_equal(tn_kernel_name(kernel), "K_lasting");
  assert_string_equal(kernel->adapter_kernel->name, "K_lasting");
  assert_string_equal(tn_kernel_id_name(id), "K_lasting");
  tn_bundle_query query = bundle_query(TN_BUNDLE_EXECUTABLE);
  query.has_ids = 1;
  query.ids = &id;
  query.id_count = 1;
  assert_int_equal(tn_bundle_get(&query, &bundle, NULL), TN_INVALID_ARGUMENT);
  const int before = double_live;
  tn_kernel_release(kernel);
  tn_kernel_id_release(id);
  tn_program_reap();
  assert_int_equal(double_live, before - 1);
}

typedef struct shared_build {
  tn_source *source;
  const char *kernel;  // NULL: it fails
  _Atomic int ready;
} shared_build;

enum { THREADS = 8 };

static void *build_in_thread(void *user) {
  shared_build *shared = user;
  const tn_source_build build = source_build(TN_BUNDLE_EXECUTABLE);
  tn_bundle *bundle = NULL;
  tn_log *log = NULL;
  tn_diag diag = {0};
  shared->ready++;
  while (shared->ready < THREADS) {
    sched_yield();
  }
  const tn_status status = tn_source_build_bundle(shared->source, &build, &bundle, &log, &diag);
  bool is_good = false;
  if (shared->kernel) {
    is_good = status == TN_OK && tn_bundle_has_kernel_name(bundle, shared->kernel) == 1;
  } else {
    is_good = status == TN_BUILD_FAILED && strstr(diag.text, "error: wrong") &&
              strstr(tn_log_text(log), "error: wrong");
  }
  tn_log_free(log);
  tn_bundle_release(bundle);
  return is_good ? user : NULL;
}

static void run_threads(const char *text, const char *kernel) {
  shared_build shared = {.source = source_of(text), .kernel = kernel};
  tn_thread threads[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    assert_int_equal(tn_thread_create(&threads[i], "build", build_in_thread, &shared, NULL), TN_OK);
  }
  for (size_t i = 0; i < THREADS; i++) {
    void *good = NULL;
    (void)pthread_join(threads[i], &good);
    assert_ptr_equal(good, &shared);
  }
  tn_source_release(shared.source);
}

static void test_threads(void **state) {
  (void)state;
  for (int i = 0; i < 20; i++) {
    char text[64];
    (void)snprintf(text, sizeof(text), "kernel shared\nwarn %d", i);
    const int before = fake_compiles;
    run_threads(text, "shared");
    assert_int_equal(fake_compiles, before + 1);
    (void)snprintf(text, sizeof(text), "error wrong\nwarn %d", i);
    run_threads(text, NULL);
  }
}

int main(void) {
  bundle_world_set_up();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_build),         cmocka_unit_test(test_nobody_else_sees_it),
      cmocka_unit_test(test_imports),       cmocka_unit_test(test_namesakes),
      cmocka_unit_test(test_devices),       cmocka_unit_test(test_include_names),
      cmocka_unit_test(test_failures),      cmocka_unit_test(test_language_c),
      cmocka_unit_test(test_release_order), cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests_name("source_build", tests, bundle_world_begin, bundle_world_end);
}
