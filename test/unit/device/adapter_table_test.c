// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of adapters that leave slots out, or are of an older version.
#include "run/device/device.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <string.h>

#include "base/base.h"
#include "tenon/memory.h"

static tn_status create(const tn_adapter_host *host, tn_adapter **out, tn_diag *diag) {
  (void)host;
  (void)out;
  (void)diag;
  return TN_OK;
}

static bool help(tn_adapter_device *device) {
  (void)device;
  return true;
}

static tn_status make_stream(tn_adapter_device *device, tn_adapter_stream **out, tn_diag *diag) {
  (void)device;
  (void)out;
  (void)diag;
  return TN_OK;
}

static tn_status link_all(tn_adapter_device *device, const tn_adapter_code *pieces, size_t count,
                          uint32_t group_shape, void **out, size_t *out_size, tn_diag *diag) {
  (void)device;
  (void)pieces;
  (void)count;
  (void)group_shape;
  (void)out;
  (void)out_size;
  (void)diag;
  return TN_OK;
}

static void free_code(void *code) { (void)code; }

static const tn_adapter_api given = {.size = sizeof(tn_adapter_api),
                                     .version = TN_ADAPTER_VERSION,
                                     .name = "given",
                                     .create = create,
                                     .help = help,
                                     .stream_create = make_stream,
                                     .program_link = link_all,
                                     .code_free = free_code};

static void test_every_slot_is_there(void **state) {
  (void)state;
  tn_adapter_api table;
  tn_adapter_table_complete(&given, &table);
  assert_int_equal(table.size, sizeof(table));
  assert_string_equal(table.name, "given");
  assert_true(table.create == create && table.help == help && table.program_link == link_all);
  assert_true(TN_ADAPTER_HAS(&table, help) && TN_ADAPTER_HAS(&table, program_link));
  assert_false(TN_ADAPTER_HAS(&table, try_run));
  for (size_t at = offsetof(tn_adapter_api, create); at < offsetof(tn_adapter_api, virtual_memory);
       at += sizeof(void *)) {
    static const void *const none;
    assert_memory_not_equal((const char *)&table + at, &none, sizeof(none));
  }
  assert_null(table.virtual_memory);
}

static void test_slots_of_an_incomplete_set_are_left_out(void **state) {
  (void)state;
  tn_adapter_api table;
  tn_adapter_table_complete(&given, &table);
  assert_false(TN_ADAPTER_HAS(&table, stream_create));
  assert_true(table.mark_watch == tn_adapter_defaults.mark_watch);
}

static void test_an_older_table_ends_early(void **state) {
  (void)state;
  tn_adapter_api table;
  tn_adapter_api older = given;
  older.size = offsetof(tn_adapter_api, program_link) + 4;  // not even a whole slot
  tn_adapter_table_complete(&older, &table);
  assert_true(TN_ADAPTER_HAS(&table, help));
  assert_false(TN_ADAPTER_HAS(&table, program_link));
  // What a table that is newer than this runtime has beyond is not looked at.
  older.size = sizeof(older) + 64;
  tn_adapter_table_complete(&older, &table);
  assert_int_equal(table.size, sizeof(table));
  assert_true(TN_ADAPTER_HAS(&table, program_link));
}

static void test_absent_slots_answer(void **state) {
  (void)state;
  tn_adapter_api table;
  tn_adapter_table_complete(&given, &table);
  tn_diag diag = {0};
  bool ran = true;
  void *memory = &table;
  assert_int_equal(table.try_run(NULL, NULL, &ran, NULL, NULL, NULL), TN_OK);
  assert_false(ran);
  assert_int_equal(table.memory_alloc(NULL, TN_USM_DEVICE, 8, 8, &memory, &diag), TN_UNSUPPORTED);
  assert_null(memory);
  assert_string_equal(diag.text, "the device's adapter does not support memory_alloc");
  assert_int_equal(table.submit(NULL, NULL, NULL, NULL, NULL), TN_UNSUPPORTED);
  assert_int_equal(table.memory_kind(NULL, NULL), TN_USM_UNKNOWN);
  assert_string_equal(table.device_processor(NULL), "");
  assert_false(table.await(NULL, NULL));
  table.flush(NULL);
  table.destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_slot_is_there),
      cmocka_unit_test(test_slots_of_an_incomplete_set_are_left_out),
      cmocka_unit_test(test_an_older_table_ends_early),
      cmocka_unit_test(test_absent_slots_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
