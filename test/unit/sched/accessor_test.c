// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accessors of C++ programs: views, what they may do, copies in a block being captured, host turns.
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

#include "tenon/accessor.h"

static const tn_buffer_elements planes = {
    .struct_size = sizeof(planes), .size = 4, .dims = 2, .alignment = 4};
static const size_t extents[2] = {4, 8};

static tn_buffer *create(uint32_t flags, const void *host, const tn_buffer_extra *extra) {
  tn_buffer_elements elements = planes;
  elements.flags = flags;
  tn_buffer *buffer = NULL;
  MUST(tn_buffer_create_elements(&elements, extents,
                                 host != NULL ? TN_CONTENTS_CONSTANT : TN_CONTENTS_NONE, host, 0,
                                 extra, &buffer, diag));
  return buffer;
}

static tn_status bind(tn_accessor *accessor, tn_buffer *buffer, uint32_t dims, const size_t *sizes,
                      const size_t *extent, const size_t *offset, size_t flags, tn_diag *diag) {
  accessor->buffer = buffer;
  accessor->flags = flags;
  const tn_status status = tn_accessor_init(accessor, dims, sizes, extent, offset, NULL, diag);
  if (status == TN_OK) {
    assert_true((accessor->flags & TN_ACCESSOR_PLACEHOLDER) != 0);
    accessor->flags &= ~(size_t)TN_ACCESSOR_PLACEHOLDER;
    tn_buffer_release(buffer);  // the tests do not keep accessors
  } else {
    assert_null(accessor->buffer);
  }
  return status;
}

typedef struct wide {
  tn_accessor accessor;
  size_t view[7];
} wide;

static void test_views(void **state) {
  (void)state;
  tn_buffer *buffer = create(0, NULL, NULL);
  wide all = {0};
  const size_t full = TN_ACCESS_WRITE | TN_ACCESSOR_NO_INIT;
  MUST(bind(&all.accessor, buffer, 2, extents, NULL, NULL, full, diag));
  const size_t whole[7] = {4, 8, 4, 8, 0, 0, 0};
  assert_memory_equal(all.view, whole, sizeof(whole));
  assert_int_equal(all.accessor.flags & 0xffff, full | TN_ACCESS_NO_INIT);
  assert_true(all.accessor.buffer == buffer && all.accessor.data == NULL);

  wide box = {0};
  const size_t extent[2] = {2, 3};
  const size_t offset[2] = {1, 5};
  MUST(bind(&box.accessor, buffer, 2, extents, extent, offset, full, diag));
  const size_t inside[7] = {2, 3, 4, 8, 1, 5, 13};
  assert_memory_equal(box.view, inside, sizeof(inside));
  assert_int_equal(box.accessor.flags & 0xffff, full);  // other elements keep their values
  assert_int_not_equal(box.accessor.flags >> 16, all.accessor.flags >> 16);

  struct {
    tn_accessor accessor;
    size_t view[4];
  } one = {0};
  MUST(bind(&one.accessor, buffer, 0, extents, NULL, NULL, full, diag));
  const size_t single[4] = {1, 4, 0, 0};
  assert_memory_equal(one.view, single, sizeof(single));
  assert_int_equal(one.accessor.flags & 0xffff, full);

  const size_t far[2] = {3, 6};
  ASSERT_FAILS(bind(&box.accessor, buffer, 2, extents, extent, far, full, diag),
               INVALID_ARGUMENT, "accessor: 2 elements from element 3 on");
  assert_null(box.accessor.buffer);
  ASSERT_FAILS(bind(&box.accessor, buffer, 2, extents, NULL, NULL,
                    TN_ACCESS_READ | TN_ACCESSOR_NO_INIT, diag),
               INVALID_ARGUMENT, "no_init");
  tn_buffer_release(buffer);
  const uint32_t host[32] = {0};
  buffer = create(TN_ELEMENTS_CONST, host, NULL);
  ASSERT_FAILS(
      bind(&box.accessor, buffer, 2, extents, NULL, NULL, TN_ACCESS_WRITE, diag),
      INVALID_ARGUMENT, "use read_only");
  MUST(bind(&box.accessor, buffer, 2, extents, NULL, NULL, TN_ACCESS_READ, diag));
  tn_buffer_release(buffer);
}

typedef struct notes {
  tn_capture capture;
  const void *field;
  tn_buffer *buffer;
  uint64_t id;
  uint64_t size;
  uint32_t mode;
  uint32_t alignment;
} notes;

static void note(tn_capture *capture, const void *field, tn_buffer *buffer, uint32_t mode) {
  notes *self = (notes *)capture;
  self->field = field;
  self->buffer = buffer;
  self->mode = mode;
}

static void note_local(tn_capture *capture, const void *field, uint64_t id, uint64_t size,
                       uint32_t alignment) {
  notes *self = (notes *)capture;
  self->field = field;
  self->id = id;
  self->size = size;
  self->alignment = alignment;
}

static void test_copies(void **state) {
  (void)state;
  tn_buffer *buffer = create(0, NULL, NULL);
  tn_buffer *other = create(0, NULL, NULL);
  wide from = {0};
  wide none = {0};
  wide copies[3];
  MUST(bind(&from.accessor, buffer, 2, extents, NULL, NULL, TN_ACCESS_READ, diag));
  notes seen = {.capture = {.begin = &copies[1], .end = &copies[2], .note = note}};
  tn_capture *before = tn_capture_set(&seen.capture);
  tn_accessor_copy(&copies[0].accessor, &from.accessor, sizeof(from));
  tn_accessor_copy(&copies[2].accessor, &from.accessor, sizeof(from));
  assert_null(seen.field);
  tn_accessor_copy(&copies[1].accessor, &none.accessor, sizeof(none));
  assert_null(seen.field);
  tn_accessor_copy(&copies[1].accessor, &from.accessor, sizeof(from));
  tn_capture_set(before);
  assert_true(seen.field == &copies[1].accessor.data && seen.buffer == buffer);
  assert_int_equal(seen.mode, TN_ACCESS_READ);
  assert_memory_equal(&copies[1], &from, sizeof(from));

  MUST(bind(&from.accessor, other, 2, extents, NULL, NULL, TN_ACCESS_READ, diag));
  tn_accessor_assign(&copies[0].accessor, &from.accessor, sizeof(from));
  tn_accessor_assign(&copies[0].accessor, &copies[0].accessor, sizeof(from));
  assert_true(copies[0].accessor.buffer == other);
  tn_accessor_assign(&copies[1].accessor, &none.accessor, sizeof(none));
  tn_buffer_release(buffer);
  tn_buffer_release(other);
  tn_buffer_release(copies[0].accessor.buffer);
  tn_buffer_release(copies[2].accessor.buffer);
}

static void test_local(void **state) {
  (void)state;
  tn_local_accessor all[2];
  tn_local_accessor other;
  const tn_local_accessor none = {0};
  const size_t much[2] = {SIZE_MAX, 2};
  tn_local_accessor_init(&all[0], 2, extents, 4, 4);
  tn_local_accessor_init(&other, 2, much, 4, 32);
  assert_true(all[0].offset == 0 && all[0].size == 128 && all[0].alignment == 16);
  assert_true(other.size == SIZE_MAX && other.alignment == 32);
  assert_int_not_equal(all[0].number, other.number);
  notes seen = {.capture = {.begin = &all[1], .end = &all[1] + 1, .note_local = note_local}};
  tn_capture *before = tn_capture_set(&seen.capture);
  tn_local_accessor_copy(&all[1], &none);
  assert_null(seen.field);
  tn_local_accessor_copy(&all[1], &all[0]);
  tn_capture_set(before);
  assert_true(seen.field == &all[1].offset && seen.id == all[0].number);
  assert_true(seen.size == 128 && seen.alignment == 16);
}

static void test_requirements(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, true);
  tn_queue *queue = fixture_queue(&f, 0);
  tn_command_group group;
  tn_command_group_init(&group, queue);
  wide accessor = {0};
  ASSERT_FAILS(tn_accessor_require(&accessor.accessor, &group, diag), INVALID_ARGUMENT,
               "belongs to no buffer");
  tn_buffer *buffer = create(0, NULL, NULL);
  tn_buffer *part = NULL;
  const size_t base[2] = {1, 0};
  const size_t row[2] = {1, 8};
  MUST(tn_buffer_create_region(buffer, &planes, extents, base, row, &part, diag));
  accessor.accessor.buffer = buffer;
  accessor.accessor.flags = TN_ACCESS_READ;
  MUST(tn_accessor_init(&accessor.accessor, 2, extents, NULL, NULL, &group, diag));
  assert_true((accessor.accessor.flags & TN_ACCESSOR_PLACEHOLDER) == 0);
  assert_int_equal(group.required_count, 1);
  assert_true(group.required[0].buffer == buffer && group.required[0].mode == TN_ACCESS_READ);
  tn_buffer_release(buffer);  // the accessor's
  MUST(bind(&accessor.accessor, part, 2, row, NULL, NULL, TN_ACCESS_WRITE | TN_ACCESSOR_NO_INIT,
            diag));
  assert_int_equal(accessor.accessor.flags & TN_ACCESSOR_ACCESS_MASK, TN_ACCESS_WRITE);
  ASSERT_FAILS(tn_accessor_init(&accessor.accessor, 2, row, NULL, NULL, &group, diag),
               INVALID_ARGUMENT, "begins at byte 32");
  assert_int_equal(group.required_count, 1);
  tn_buffer_release(part);
  tn_buffer_release(buffer);
  tn_command_group_free(&group);
  tn_queue_release(queue);
  fixture_close(&f);
}

static void test_host_accessors(void **state) {
  (void)state;
  tn_buffer *buffer = create(0, NULL, NULL);
  struct {
    tn_host_accessor accessor;
    size_t view[7];
  } host = {0};
  MUST(tn_host_accessor_create(&host.accessor, buffer, 2, extents, NULL, NULL, TN_ACCESS_READ,
                               diag));
  assert_non_null(host.accessor.data);
  assert_int_equal(host.view[3], 8);
  tn_host_access_retain(host.accessor.access);
  tn_host_access_release(host.accessor.access);
  tn_buffer_release(buffer);  // the access keeps it
  memset(host.accessor.data, 0, 128);
  tn_host_access_release(host.accessor.access);
  tn_host_access_retain(NULL);
  tn_host_access_release(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_views),        LEAK_TEST(test_copies),         LEAK_TEST(test_local),
      LEAK_TEST(test_requirements), LEAK_TEST(test_host_accessors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
