// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registry: modules come and go while others read them; damage and lack of memory are reported.
#include "run/registry/registry.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "base/thread.h"
#include "unit/registry/module_maker.h"

static const image_maker one_kernel = {.kernels = {"k"}};

static void drop_retired(void) {
  for (tn_registered *gone = tn_registry_pop_retired(); gone; gone = tn_registry_pop_retired()) {
    tn_registered_release(gone);
  }
}

static void test_comes_and_goes(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_module module = {0};
  assert_null(tn_registry_find(&module));
  assert_null(tn_registry_find(NULL));
  maker_register(&module, &one_kernel, 1);
  tn_register_module(&module);  // twice is once
  tn_registered *first = tn_registry_find(&module);
  assert_non_null(first);
  assert_ptr_equal(module.state, first);
  assert_ptr_equal(tn_registered_address(first), &module);
  const uint64_t id = tn_registered_id(first);
  maker_unregister(&module);
  assert_null(module.state);
  assert_null(tn_registry_find(&module));
  tn_unregister_module(&module);  // twice is once
  // The same address again is another module.
  maker_register(&module, &one_kernel, 1);
  tn_registered *second = tn_registry_find(&module);
  assert_true(tn_registered_id(second) > id);
  maker_unregister(&module);
  // Used modules are handed back, in any order, once.
  tn_registered *gone = tn_registry_pop_retired();
  assert_true(gone == first || gone == second);
  tn_registered_release(gone);
  gone = tn_registry_pop_retired();
  assert_true(gone == first || gone == second);
  tn_registered_release(gone);
  assert_null(tn_registry_pop_retired());
  tn_registered_release(first);
  tn_registered_release(second);
  tn_register_module(NULL);
  tn_unregister_module(NULL);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_unused_modules_leave_nothing(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_module module;
  maker_register(&module, &one_kernel, 1);
  maker_unregister(&module);
  assert_int_equal(tn_alloc_live(), live);
  assert_null(tn_registry_pop_retired());
}

static void test_pinned_bytes_stay(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_module module;
  maker_register(&module, &one_kernel, 1);
  tn_registered *registered = tn_registry_find(&module);
  const tn_fatbin *fatbin = NULL;
  const tn_fatbin *again = NULL;
  assert_int_equal(tn_registered_pin(registered, &fatbin, NULL), TN_OK);
  assert_int_equal(tn_registered_pin(registered, &again, NULL), TN_OK);
  assert_ptr_equal(again, fatbin);
  maker_unregister(&module);  // frees the module's bytes
  const tn_image image = tn_fatbin_image_at(fatbin, 0);
  tn_kernel_info kernel;
  assert_true(tn_image_kernel_find(&image, TN_STR_LIT("k"), &kernel));
  tn_registered_unpin(registered);
  assert_true(tn_image_kernel_find(&image, TN_STR_LIT("k"), &kernel));
  tn_registered_unpin(registered);
  tn_diag diag = {0};
  assert_int_equal(tn_registered_pin(registered, &fatbin, &diag), TN_KERNEL_NOT_FOUND);
  assert_non_null(strstr(diag.text, "unloaded"));
  tn_registered_release(registered);
  drop_retired();
  assert_int_equal(tn_alloc_live(), live);
}

static void test_damage_is_reported(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  static tn_module module;  // inside this program, whose path the message names
  for (size_t cut = 0; cut < 3; cut++) {
    maker_register(&module, &one_kernel, 1);
    tn_unregister_module(&module);
    if (cut == 0) {
      ((char *)(uintptr_t)module.fatbin)[0] ^= 1;
    } else {
      module.fatbin_size = cut == 1 ? module.fatbin_size - 1 : 3;
    }
    tn_register_module(&module);
    tn_registered *registered = tn_registry_find(&module);
    for (int i = 0; i < 2; i++) {  // and reported each time
      const tn_fatbin *fatbin = NULL;
      tn_diag diag = {0};
      assert_int_equal(tn_registered_pin(registered, &fatbin, &diag), TN_BAD_IMAGE);
      assert_null(fatbin);
      assert_non_null(strstr(diag.text, "registry_test"));
    }
    maker_unregister(&module);
    tn_registered_release(registered);
    drop_retired();
    assert_int_equal(tn_alloc_live(), live);
  }
}

static void test_other_versions_and_empty_modules(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_module module = {.size = sizeof(module), .version = TN_MODULE_VERSION + 1};
  tn_register_module(&module);
  tn_registered *registered = tn_registry_find(&module);
  const tn_fatbin *fatbin = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_registered_pin(registered, &fatbin, &diag), TN_BAD_IMAGE);
  assert_non_null(strstr(diag.text, "another version"));
  assert_null(module.state);
  tn_unregister_module(&module);
  tn_registered_release(registered);

  module.version = TN_MODULE_VERSION;  // no device code at all
  tn_register_module(&module);
  registered = tn_registry_find(&module);
  assert_int_equal(tn_registered_pin(registered, &fatbin, NULL), TN_OK);
  assert_int_equal(fatbin->image_count, 0);
  tn_registered_unpin(registered);
  tn_unregister_module(&module);
  tn_registered_release(registered);
  drop_retired();
  assert_int_equal(tn_alloc_live(), live);
}

static void test_no_memory(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_module module;
  maker_register(&module, &one_kernel, 1);
  tn_unregister_module(&module);
  const uint64_t lost = tn_registry_lost_count();
  tn_fault_arm(0);
  tn_register_module(&module);
  tn_fault_arm(-1);
  assert_int_equal(tn_registry_lost_count(), lost + 1);
  assert_null(tn_registry_find(&module));
  tn_unregister_module(&module);
  tn_register_module(&module);
  tn_registered *registered = tn_registry_find(&module);
  const tn_fatbin *fatbin = NULL;
  tn_fault_arm(0);
  assert_int_equal(tn_registered_pin(registered, &fatbin, NULL), TN_OUT_OF_MEMORY);
  tn_registry_list list;
  tn_fault_arm(0);
  assert_int_equal(tn_registry_list_create(&list, NULL), TN_OUT_OF_MEMORY);
  tn_fault_arm(-1);
  maker_unregister(&module);
  tn_registered_release(registered);
  drop_retired();
  assert_int_equal(tn_alloc_live(), live);
}

static void test_list_has_modules_then_files(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_module modules[2];
  tn_registered *files[2];
  for (size_t i = 0; i < 2; i++) {
    tn_buf bytes;
    tn_buf_init(&bytes, 4096);
    maker_write(&one_kernel, 1, &bytes);
    assert_int_equal(
        tn_registry_add_file(i == 0 ? "one.tnfb" : "two.tnfb", bytes.data, bytes.size, &files[i],
                             NULL), TN_OK);
    maker_register(&modules[i], &one_kernel, 1);
  }
  tn_registry_list list;
  assert_int_equal(tn_registry_list_create(&list, NULL), TN_OK);
  assert_int_equal(list.count, 4);
  assert_ptr_equal(tn_registered_address(list.items[0]), &modules[0]);
  assert_ptr_equal(tn_registered_address(list.items[1]), &modules[1]);
  assert_ptr_equal(list.items[2], files[0]);
  assert_ptr_equal(list.items[3], files[1]);
  tn_buf path;
  tn_buf_init(&path, 4096);
  tn_registered_path(files[1], &path);
  assert_string_equal(tn_buf_text(&path), "two.tnfb");
  tn_buf_deinit(&path);
  tn_registry_list_destroy(&list);
  for (size_t i = 0; i < 2; i++) {
    maker_unregister(&modules[i]);
    const tn_fatbin *fatbin = NULL;
    assert_int_equal(tn_registered_pin(files[i], &fatbin, NULL), TN_OK);
    tn_registry_remove_file(files[i]);
    tn_registry_remove_file(files[i]);  // twice is once
    assert_int_equal(fatbin->image_count, 1);
    tn_registered_unpin(files[i]);
    tn_registered_release(files[i]);
  }
  drop_retired();
  assert_int_equal(tn_alloc_live(), live);
}

// On no list; its images go with the last pin, and what was built of it is given up then.
static void test_hidden_modules(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_buf bytes;
  tn_buf_init(&bytes, 4096);
  maker_write(&one_kernel, 1, &bytes);
  tn_registered *hidden = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_registry_create_hidden("rtc.cpp", bytes.data, bytes.size - 1, &hidden, &diag),
                   TN_BAD_IMAGE);
  assert_null(hidden);
  assert_int_equal(tn_registry_create_hidden("rtc.cpp", bytes.data, bytes.size, &hidden, NULL),
                   TN_OK);
  assert_null(tn_registered_address(hidden));
  assert_true(tn_registered_id(hidden) > 0);
  tn_registry_list list;
  assert_int_equal(tn_registry_list_create(&list, NULL), TN_OK);
  assert_int_equal(list.count, 0);
  tn_registry_list_destroy(&list);
  const tn_fatbin *fatbin = NULL;
  assert_int_equal(tn_registered_pin(hidden, &fatbin, NULL), TN_OK);
  assert_int_equal(fatbin->image_count, 1);
  tn_registered_unpin(hidden);
  assert_null(tn_registry_pop_retired());
  tn_registered_unpin(hidden);  // the maker's
  tn_registered *retired = tn_registry_pop_retired();
  assert_ptr_equal(retired, hidden);
  tn_registered_release(retired);
  assert_int_equal(tn_registered_pin(hidden, &fatbin, &diag), TN_KERNEL_NOT_FOUND);
  assert_non_null(strstr(diag.text, "rtc.cpp"));
  tn_registered_release(hidden);
  drop_retired();
  assert_int_equal(tn_alloc_live(), live);
}

typedef struct hanging {
  tn_attachment attachment;
  int number;
} hanging;

static void test_attachments_come_back(void **state) {
  (void)state;
  tn_module module;
  void *place = NULL;
  hanging items[2] = {{.number = 1}, {.number = 2}};
  maker_register(&module, &one_kernel, 1);
  tn_registered *registered = tn_registry_find(&module);
  items[0].attachment.place = items[1].attachment.place = &place;
  assert_true(tn_registered_attach(registered, &items[0].attachment, NULL, &items[0]));
  assert_ptr_equal(place, &items[0]);
  assert_false(tn_registered_attach(registered, &items[1].attachment, NULL, &items[1]));
  assert_true(tn_registered_attach(registered, &items[1].attachment, &items[0], &items[1]));
  maker_unregister(&module);
  assert_null(place);
  assert_false(tn_registered_attach(registered, &items[0].attachment, NULL, &items[0]));
  tn_attachment *all = tn_registered_detach_all(registered);
  assert_ptr_equal(all, &items[1].attachment);
  assert_ptr_equal(all->next, &items[0].attachment);
  assert_null(tn_registered_detach_all(registered));
  tn_registered_release(registered);
  drop_retired();
}

static void test_reads_what_is_loaded(void **state) {
  (void)state;
  static int number = 77;
  int copy = 0;
  assert_true(tn_registry_read_loaded(&number, &copy, sizeof(copy)));
  assert_int_equal(copy, 77);
  assert_false(tn_registry_read_loaded(state, &copy, sizeof(copy)));  // the stack is no module
  assert_false(tn_registry_read_loaded(NULL, &copy, sizeof(copy)));
  assert_true(tn_registry_has_dynamic_linker());
}

// A module as it was before there was machine code in it has none.
static void test_modules_of_a_smaller_size(void **state) {
  (void)state;
  tn_module module = {.size = offsetof(tn_module, natives), .version = TN_MODULE_VERSION,
                      .native_count = 7};
  tn_register_module(&module);
  tn_registered *registered = tn_registry_find(&module);
  assert_int_equal(tn_registered_native_count(registered), 0);
  const tn_fatbin *fatbin = NULL;
  assert_int_equal(tn_registered_pin(registered, &fatbin, NULL), TN_OK);
  tn_registered_unpin(registered);
  tn_unregister_module(&module);
  tn_registered_release(registered);
  drop_retired();
}

static void test_view_reads_no_code(void **state) {
  (void)state;
  tn_module module;
  const struct tn_native_table *const tables[1] = {NULL};
  maker_register(&module, &one_kernel, 1);
  tn_unregister_module(&module);
  module.natives = tables;
  module.native_count = 1;
  tn_register_module(&module);
  tn_registered *registered = tn_registry_find(&module);
  assert_int_equal(tn_registered_native_count(registered), 1);
  assert_null(tn_registered_native_at(registered, 0));
  assert_null(tn_registered_native_at(registered, 1));
  // Code that is damaged: found when it is wanted, not by who wants to know what there is.
  tn_fatbin view;
  const tn_fatbin *pinned = NULL;
  assert_int_equal(tn_fatbin_parse(tn_bytes_from(module.fatbin, module.fatbin_size), &view, NULL),
                   TN_OK);
  *(uint8_t *)(uintptr_t)tn_fatbin_image_at(&view, 0).code.data ^= 1;
  assert_true(tn_registered_enter(registered));
  assert_int_equal(tn_registered_view(registered, &view, NULL), TN_OK);
  assert_int_equal(view.image_count, 1);
  assert_ptr_equal(view.bytes.data, module.fatbin);
  tn_registered_leave(registered);
  assert_int_equal(tn_registered_pin(registered, &pinned, NULL), TN_BAD_IMAGE);
  maker_unregister(&module);
  assert_false(tn_registered_enter(registered));
  tn_registered_release(registered);
  drop_retired();
}

typedef struct user_job {
  tn_registered *registered;
  const tn_module *module;
  _Atomic bool has_entered;
  bool good;
} user_job;

// The module's memory must be there as long as somebody is in.
static void *use_module(void *arg) {
  user_job *job = arg;
  const bool entered = tn_registered_enter(job->registered);
  atomic_store(&job->has_entered, true);
  for (int i = 0; entered && i < 100; i++) {
    sched_yield();
    job->good = job->good && memcmp(job->module->fatbin, "TNFB", 4) == 0;
  }
  if (entered) {
    tn_registered_leave(job->registered);
  }
  return NULL;
}

static void test_unregistration_waits_for_users(void **state) {
  (void)state;
  static const struct tn_native_table *const tables[1] = {NULL};
  for (int round = 0; round < 20; round++) {
    tn_module module;
    maker_register(&module, &one_kernel, 1);
    tn_unregister_module(&module);
    module.natives = tables;
    module.native_count = 1;
    tn_register_module(&module);
    tn_thread threads[2];
    user_job jobs[2];
    for (size_t i = 0; i < 2; i++) {
      jobs[i] = (user_job){.registered = tn_registry_find(&module), .module = &module,
                           .good = true};
      assert_int_equal(tn_thread_create(&threads[i], "user", use_module, &jobs[i], NULL), TN_OK);
    }
    while (!atomic_load(&jobs[0].has_entered)) {
      sched_yield();
    }
    maker_unregister(&module);  // frees the bytes
    for (size_t i = 0; i < 2; i++) {
      tn_thread_join(threads[i]);
      assert_true(jobs[i].good);
      tn_registered_release(jobs[i].registered);
    }
    drop_retired();
  }
}

enum { ROUNDS = 300, CHURNERS = 3 };
static tn_module churned[CHURNERS];

static void *come_and_go(void *arg) {
  for (int i = 0; i < ROUNDS; i++) {
    maker_register(arg, &one_kernel, 1);
    sched_yield();
    maker_unregister(arg);
  }
  return NULL;
}

static void *read_all(void *arg) {
  for (int i = 0; i < ROUNDS; i++) {
    tn_registered *registered = tn_registry_find(&churned[i % CHURNERS]);
    const tn_fatbin *fatbin = NULL;
    if (registered && tn_registered_pin(registered, &fatbin, NULL) == TN_OK) {
      const tn_image image = tn_fatbin_image_at(fatbin, 0);
      tn_kernel_info kernel;
      *(bool *)arg = *(bool *)arg && tn_image_kernel_find(&image, TN_STR_LIT("k"), &kernel);
      tn_registered_unpin(registered);
    }
    tn_registered_release(registered);
    tn_registry_list list;
    if (tn_registry_list_create(&list, NULL) == TN_OK) {
      tn_registry_list_destroy(&list);
    }
    drop_retired();
  }
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_thread threads[CHURNERS + 2];
  bool good[2] = {true, true};
  for (size_t i = 0; i < CHURNERS; i++) {
    assert_int_equal(tn_thread_create(&threads[i], "churn", come_and_go, &churned[i], NULL), TN_OK);
  }
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(tn_thread_create(&threads[CHURNERS + i], "read", read_all, &good[i], NULL),
                     TN_OK);
  }
  for (size_t i = 0; i < CHURNERS + 2; i++) {
    tn_thread_join(threads[i]);
  }
  assert_true(good[0] && good[1]);
  drop_retired();
  assert_int_equal(tn_alloc_live(), live);
}

// The index grows and shrinks, also when there is no memory for it to grow.
static void test_many_modules(void **state) {
  (void)state;
  enum { MANY = 500 };
  static tn_module modules[MANY];
  for (int without_memory = 0; without_memory < 2; without_memory++) {
    const int64_t live = tn_alloc_live();
    const uint64_t lost_before = tn_registry_lost_count();
    for (size_t i = 0; i < MANY; i++) {
      modules[i] = (tn_module){.size = sizeof(modules[i]), .version = TN_MODULE_VERSION};
      if (without_memory != 0 && i == 32) {
        tn_fault_arm(1);  // the record is had, the wider index is not
      }
      tn_register_module(&modules[i]);
      tn_fault_arm(-1);
    }
    assert_int_equal(tn_registry_lost_count(), lost_before);
    tn_registry_list list;
    assert_int_equal(tn_registry_list_create(&list, NULL), TN_OK);
    assert_int_equal(list.count, MANY);
    for (size_t i = 0; i < MANY; i++) {
      assert_ptr_equal(tn_registered_address(list.items[i]), &modules[i]);
    }
    tn_registry_list_destroy(&list);
    for (size_t i = 0; i < MANY; i++) {  // an order of its own
      const size_t at = i * 7 % MANY;
      tn_registered *found = tn_registry_find(&modules[at]);
      assert_ptr_equal(tn_registered_address(found), &modules[at]);
      tn_registered_release(found);
      tn_unregister_module(&modules[at]);
      assert_null(tn_registry_find(&modules[at]));
    }
    drop_retired();
    assert_int_equal(tn_alloc_live(), live);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_comes_and_goes),
      cmocka_unit_test(test_unused_modules_leave_nothing),
      cmocka_unit_test(test_pinned_bytes_stay),
      cmocka_unit_test(test_damage_is_reported),
      cmocka_unit_test(test_other_versions_and_empty_modules),
      cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_list_has_modules_then_files),
      cmocka_unit_test(test_hidden_modules),
      cmocka_unit_test(test_attachments_come_back),
      cmocka_unit_test(test_reads_what_is_loaded),
      cmocka_unit_test(test_modules_of_a_smaller_size),
      cmocka_unit_test(test_view_reads_no_code),
      cmocka_unit_test(test_unregistration_waits_for_users),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_many_modules),
  };
  return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
