// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of bundle share: a platform of two devices with an online compiler, the first with
// fp64, and one of a device that has neither, beside the compiler that program's tests use.
#ifndef TN_TEST_BUNDLE_WORLD_H
#define TN_TEST_BUNDLE_WORLD_H

#include "run/program/program.h"
#include "tenon/bundle.h"
#include "unit/program/program_world.h"

#define BITCODE .target = "native_cpu", .format = TN_IMAGE_FORMAT_BITCODE
#define NEEDS_FP64 .aspects = bundle_fp64, .aspect_count = 1
static const uint8_t bundle_fp64[] = {TN_ASPECT_FP64, 0, 0, 0};

static tn_device *with_fp64;  // both take bitcode and machine code for native_cpu
static tn_device *without_fp64;
static tn_device *plain;  // takes machine code for "mock"
static tn_context *pair_context;
static tn_context *plain_context;
static tn_device *pair[2];

static inline int bundle_world_begin(void **state) {
  if (world_begin_with_compiler(state) != 0) {
    return -1;
  }
  plain = tn_device_at(0);
  with_fp64 = pair[0] = tn_device_at(1);
  without_fp64 = pair[1] = tn_device_at(2);
  return tn_context_create(pair, 2, &pair_context, NULL) == TN_OK &&
                 tn_context_create(&plain, 1, &plain_context, NULL) == TN_OK
             ? 0
             : -1;
}

static inline int bundle_world_end(void **state) {
  tn_context_release(pair_context);
  tn_context_release(plain_context);
  return world_end_with_compiler(state);
}

static inline uint64_t bundle_aspects(const tn_adapter_device *device) {
  const uint64_t online = 1u << TN_ASPECT_ONLINE_COMPILER | 1u << TN_ASPECT_ONLINE_LINKER;
  const uint64_t fp64 = device == &world_mock_devices[0] ? 1u << TN_ASPECT_FP64 : 0;
  return device == &world_cpu_devices[0] ? 0 : online | fp64;
}

// Before the devices are discovered.
static inline void bundle_world_set_up(void) {
  world_environment();
  world_set_compiler();
  (void)setenv("TENON_CACHE", "0", 1);
  world_cpu_devices[0].target = "mock";
  for (size_t i = 0; i < 2; i++) {
    world_mock_devices[i].target = "native_cpu";
  }
  double_aspects = bundle_aspects;
}

static inline tn_bundle_query bundle_query(int32_t state) {
  return (tn_bundle_query){.struct_size = sizeof(tn_bundle_query),
                           .state = state,
                           .context = pair_context,
                           .devices = pair,
                           .device_count = 2};
}

static inline tn_bundle *bundle_must_get(const tn_bundle_query *query) {
  tn_bundle *bundle = NULL;
  tn_diag diag = {0};
  if (tn_bundle_get(query, &bundle, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  return bundle;
}

static inline tn_bundle *bundle_of_state(int32_t state) {
  const tn_bundle_query query = bundle_query(state);
  return bundle_must_get(&query);
}

static inline tn_kernel_id *bundle_id_of(const tn_module *module, const char *name) {
  const tn_kernel_slot slot = {.module = module, .name = name, .unit_id = 7};
  tn_kernel_id *id = NULL;
  tn_diag diag = {0};
  if (tn_kernel_id_from_slot(&slot, &id, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  return id;
}

// Everything is given back: no allocation, no program.
static inline void bundle_check_clean(int64_t live) {
  tn_program_reap();
  assert_int_equal(double_live, 0);
  assert_int_equal(tn_alloc_live(), live);
}

// The call fails with the status and the sentence, which it is to give to `why`.
#define assert_fails(call, expected_status, sentence)      \
  do {                                                     \
    tn_diag assert_diag = {0};                             \
    tn_diag *const why = &assert_diag;                     \
    assert_int_equal((call), (expected_status));           \
    assert_int_equal(assert_diag.code, (expected_status)); \
    assert_string_equal(assert_diag.text, (sentence));     \
  } while (0)

#endif
