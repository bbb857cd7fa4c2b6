// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of elements: what is checked, where they live, owners, sub-buffers.
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static const tn_buffer_elements words = {
    .struct_size = sizeof(words), .size = 4, .dims = 1, .alignment = 4};
static const tn_buffer_elements planes = {
    .struct_size = sizeof(planes), .size = 4, .dims = 2, .alignment = 4};

static tn_buffer *create(const size_t *extents, uint32_t contents, const void *host,
                         uint32_t properties, const tn_buffer_extra *extra) {
  tn_buffer *buffer = NULL;
  MUST(tn_buffer_create_elements(&words, extents, contents, host, properties, extra, &buffer,
                                 diag));
  return buffer;
}

static uint32_t *open_for(tn_buffer *buffer, uint32_t mode) {
  void *data = NULL;
  MUST(tn_buffer_begin_host_access(buffer, mode, &data, diag));
  return data;
}

static void write_first(tn_buffer *buffer, uint32_t value) {
  *open_for(buffer, TN_ACCESS_WRITE) = value;
  tn_buffer_end_host_access(buffer, TN_ACCESS_WRITE);
}

static void test_contents(void **state) {
  (void)state;
  const size_t count = 2;
  uint32_t host[2] = {1, 2};
  const uint32_t contents[] = {TN_CONTENTS_SHARED, TN_CONTENTS_CONSTANT, TN_CONTENTS_COPIED};
  for (size_t i = 0; i < TN_COUNT(contents); i++) {
    host[0] = 1;
    tn_buffer *buffer = create(&count, contents[i], host, 0, NULL);
    assert_int_equal(tn_buffer_size(buffer), 8);
    const uint32_t *data = open_for(buffer, TN_ACCESS_READ);
    assert_int_equal(data[0], 1);
    assert_true((data == host) == (contents[i] == TN_CONTENTS_SHARED));
    tn_buffer_end_host_access(buffer, TN_ACCESS_READ);
    write_first(buffer, 7);
    tn_buffer_disown(buffer);
    assert_int_equal(host[0], contents[i] == TN_CONTENTS_SHARED ? 7 : 1);
  }
  tn_buffer *buffer = create(&count, TN_CONTENTS_CONSTANT, host, TN_PROPERTY_USE_HOST_PTR, NULL);
  assert_true(open_for(buffer, TN_ACCESS_READ) == host);
  tn_buffer_end_host_access(buffer, TN_ACCESS_READ);
  assert_int_equal(tn_buffer_properties(buffer), TN_PROPERTY_USE_HOST_PTR);
  assert_null(tn_buffer_get_extra(buffer)->mutex);
  tn_buffer_disown(buffer);
}

static void test_refusals(void **state) {
  (void)state;
  tn_buffer *buffer = NULL;
  const size_t much[2] = {SIZE_MAX, 2};
  const size_t none[2] = {SIZE_MAX, 0};
  ASSERT_FAILS(tn_buffer_create_elements(&planes, much, 0, NULL, 0, NULL, &buffer, diag),
               OUT_OF_MEMORY, "more elements");
  ASSERT_FAILS(
      tn_buffer_create_elements(&words, much, TN_CONTENTS_SHARED, NULL, 0, NULL, &buffer, diag),
      OUT_OF_MEMORY, "more elements");
  const size_t one = 1;
  ASSERT_FAILS(
      tn_buffer_create_elements(&words, &one, TN_CONTENTS_COPIED, NULL, 0, NULL, &buffer, diag),
      INVALID_ARGUMENT, "pointer is null");
  MUST(tn_buffer_create_elements(&planes, none, TN_CONTENTS_SHARED, NULL, 0, NULL, &buffer, diag));
  assert_int_equal(tn_buffer_size(buffer), 0);
  tn_buffer_release(buffer);
}

typedef struct guard {
  int locks;
  int unlocks;
} guard;
static void lock(void *mutex) { ((guard *)mutex)->locks++; }
static void unlock(void *mutex) { ((guard *)mutex)->unlocks++; }

static void test_guarded(void **state) {
  (void)state;
  const size_t count = 4;
  uint32_t host[4] = {1, 2, 3, 4};
  guard g = {0};
  const tn_buffer_extra extra = {
      .struct_size = sizeof(extra), .mutex = &g, .lock = lock, .unlock = unlock};
  tn_buffer *buffer = create(&count, TN_CONTENTS_SHARED, host, 0, &extra);
  assert_int_equal(g.locks, 1);
  host[1] = 5;  // the buffer has a copy
  uint32_t *data = open_for(buffer, TN_ACCESS_READ_WRITE);
  assert_int_equal(data[1], 2);
  data[1] = 6;
  tn_buffer_end_host_access(buffer, TN_ACCESS_READ_WRITE);
  const size_t base = 1;
  const size_t two = 2;
  tn_buffer *part = NULL;
  MUST(tn_buffer_create_region(buffer, &words, &count, &base, &two, &part, diag));
  assert_true(tn_buffer_is_part(part) && !tn_buffer_is_part(buffer));
  assert_true(tn_buffer_get_extra(part)->mutex == &g);
  const uint32_t update[2] = {8, 9};
  tn_buffer_update_guarded(part, update);
  assert_true(host[0] == 1 && host[1] == 8 && host[2] == 9 && host[3] == 4);
  tn_buffer_disown(buffer);
  assert_int_equal(host[1], 8);  // the part is an owner
  tn_buffer_disown(part);
  assert_int_equal(host[1], 6);
  assert_true(g.locks == 3 && g.unlocks == 3);
}

static void count_call(void *count) { ++*(int *)count; }

static void test_memory_and_keep(void **state) {
  (void)state;
  const size_t count = 2;
  uint32_t host[2] = {1, 2};
  uint32_t memory[2] = {0, 0};
  int freed = 0;
  int kept = 0;
  const tn_buffer_extra extra = {.struct_size = sizeof(extra),
                                 .memory = memory,
                                 .memory_owner = &freed,
                                 .free_memory = count_call};
  tn_buffer *buffer = create(&count, TN_CONTENTS_COPIED, host, 0, &extra);
  tn_buffer_set_keep(buffer, &kept, count_call);
  assert_true(open_for(buffer, TN_ACCESS_READ) == memory && memory[1] == 2);
  tn_buffer_end_host_access(buffer, TN_ACCESS_READ);
  tn_buffer_retain(buffer);
  tn_buffer_disown(buffer);
  assert_true(freed == 0 && kept == 0);
  tn_buffer_release(buffer);
  assert_true(freed == 1 && kept == 1);
}

// The last owner closes it, also of parts, whoever keeps it.
static void test_owners(void **state) {
  (void)state;
  const size_t count = 2;
  const size_t one = 1;
  const size_t start = 0;
  uint32_t host[2] = {1, 2};
  for (int part_is_last = 0; part_is_last < 2; part_is_last++) {
    _Alignas(16) unsigned char bytes[12] = {0};
    // Memory that is not aligned is not used in place.
    tn_buffer *buffer = create(&count, TN_CONTENTS_SHARED, bytes + 1, 0, NULL);
    tn_buffer *part = NULL;
    MUST(tn_buffer_create_region(buffer, &words, &count, &start, &one, &part, diag));
    tn_buffer_retain(part);
    tn_buffer_own(buffer);
    write_first(part, 9);
    tn_buffer_disown(buffer);
    tn_buffer_disown(part_is_last ? buffer : part);
    assert_int_equal(bytes[1], 0);
    tn_buffer_disown(part_is_last ? part : buffer);
    assert_int_equal(bytes[1], 9);
    tn_buffer_release(part);
  }
  tn_buffer_own(NULL);
  tn_buffer_disown(NULL);
  // Released as if there were no owners: the last user closes it.
  tn_buffer *buffer = create(&count, TN_CONTENTS_SHARED, host, 0, NULL);
  tn_buffer *part = NULL;
  MUST(tn_buffer_create_region(buffer, &words, &count, &start, &one, &part, diag));
  tn_buffer_retain(buffer);
  tn_buffer_disown(buffer);
  tn_buffer_release(part);
  tn_buffer_release(buffer);
}

static void test_regions(void **state) {
  (void)state;
  const size_t extents[2] = {4, 8};
  tn_buffer *buffer = NULL;
  MUST(tn_buffer_create_elements(&planes, extents, 0, NULL, 0, NULL, &buffer, diag));
  tn_buffer *part = NULL;
  const size_t base[2] = {1, 2};
  const size_t row[2] = {1, 6};
  const size_t block[2] = {2, 6};
  const size_t wide[2] = {1, 7};
  ASSERT_FAILS(tn_buffer_create_region(buffer, &planes, extents, base, block, &part, diag),
               INVALID_ARGUMENT, "one contiguous piece");
  ASSERT_FAILS(tn_buffer_create_region(buffer, &planes, extents, base, wide, &part, diag),
               INVALID_ARGUMENT, "sub-buffer: 7 elements from element 2 on");
  MUST(tn_buffer_create_region(buffer, &planes, extents, base, row, &part, diag));
  assert_int_equal(tn_buffer_size(part), 24);
  tn_buffer *nested = NULL;
  ASSERT_FAILS(tn_buffer_create_region(part, &planes, row, base, row, &nested, diag),
               INVALID_ARGUMENT, "made from a sub-buffer");
  const tn_buffer_elements longs = {
      .struct_size = sizeof(longs), .size = 8, .dims = 1, .alignment = 8};
  const tn_buffer_elements vectors = {
      .struct_size = sizeof(vectors), .size = 8, .dims = 1, .alignment = 16};
  const size_t three = 3;
  MUST(tn_buffer_check_elements(part, &longs, &three, diag));
  ASSERT_FAILS(tn_buffer_check_elements(part, &words, &three, diag), INVALID_ARGUMENT,
               "another number of bytes");
  ASSERT_FAILS(tn_buffer_check_elements(part, &vectors, &three, diag), INVALID_ARGUMENT,
               "does not start");
  tn_buffer_disown(part);
  tn_buffer_disown(buffer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_contents),        LEAK_TEST(test_refusals), LEAK_TEST(test_guarded),
      LEAK_TEST(test_memory_and_keep), LEAK_TEST(test_owners),   LEAK_TEST(test_regions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
