// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of buffers: commands wait for the uses of the bytes they use, and for no others.
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

enum { SIZE = 64 };

typedef struct rig {
  fixture f;
  tn_kernel kernel;
  tn_queue *queue;
  tn_buffer *whole;
} rig;

static void rig_open(rig *r) {
  fixture_open_mock(&r->f, true);
  r->kernel = fixture_kernel(&r->f, "a", sizeof(uint32_t));
  r->queue = fixture_queue(&r->f, 0);
  const tn_buffer_params params = {.struct_size = sizeof(params), .size = SIZE};
  MUST(tn_buffer_create(&params, &r->whole, diag));
}

static size_t pending(rig *r) { return tn_mock_pending_count(r->f.device.adapter_device); }

static bool step(rig *r, size_t index) { return tn_mock_step(r->f.device.adapter_device, index); }

static void rig_close(rig *r) {
  while (step(r, 0)) {
  }
  tn_buffer_release(r->whole);
  tn_queue_release(r->queue);
  fixture_close(&r->f);
}

static tn_buffer *part_of(rig *r, size_t offset, size_t size) {
  tn_buffer *part = NULL;
  MUST(tn_buffer_create_part(r->whole, offset, size, &part, diag));
  assert_int_equal(tn_buffer_size(part), size);
  return part;
}

static void submit(rig *r, uint32_t id, const tn_access *accesses, size_t count) {
  tn_command command = kernel_command(&r->kernel, &id, 1);
  command.accesses = accesses;
  command.access_count = count;
  MUST(tn_queue_submit(r->queue, &command, NULL, diag));
}

static void submit_one(rig *r, uint32_t id, tn_buffer *buffer, uint32_t mode) {
  const tn_access access = {buffer, mode, TN_NO_ARG};
  submit(r, id, &access, 1);
}

static void test_overlap_decides(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_buffer *low = part_of(&r, 0, 32);
  tn_buffer *high = part_of(&r, 32, 32);
  tn_buffer *middle = part_of(&r, 31, 2);
  submit_one(&r, 1, low, TN_ACCESS_WRITE);
  submit_one(&r, 2, high, TN_ACCESS_WRITE);
  assert_int_equal(pending(&r), 2);
  submit_one(&r, 3, middle, TN_ACCESS_READ);
  assert_true(step(&r, 0));
  assert_int_equal(pending(&r), 1);
  assert_true(step(&r, 0));
  assert_int_equal(pending(&r), 1);
  submit_one(&r, 4, r.whole, TN_ACCESS_WRITE);
  assert_int_equal(pending(&r), 1);
  assert_true(step(&r, 0));
  submit_one(&r, 5, low, TN_ACCESS_READ);
  submit_one(&r, 6, high, TN_ACCESS_READ);
  assert_int_equal(pending(&r), 1);
  assert_true(step(&r, 0));
  assert_int_equal(pending(&r), 2);
  tn_buffer_release(low);
  tn_buffer_release(high);
  tn_buffer_release(middle);
  rig_close(&r);
}

static void test_host_access_of_part(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_buffer *low = part_of(&r, 0, 32);
  tn_buffer *high = part_of(&r, 32, 32);
  void *whole_data = NULL;
  void *high_data = NULL;
  submit_one(&r, 1, low, TN_ACCESS_WRITE);
  // Nothing uses the upper half, so this returns at once.
  MUST(tn_buffer_begin_host_access(high, TN_ACCESS_WRITE, &high_data, diag));
  submit_one(&r, 2, low, TN_ACCESS_WRITE);
  submit_one(&r, 3, high, TN_ACCESS_READ);
  assert_int_equal(pending(&r), 1);
  assert_true(step(&r, 0));
  assert_int_equal(pending(&r), 1);
  assert_true(step(&r, 0));
  assert_int_equal(pending(&r), 0);
  tn_buffer_end_host_access(high, TN_ACCESS_WRITE);
  assert_int_equal(pending(&r), 1);
  assert_true(step(&r, 0));
  MUST(tn_buffer_begin_host_access(r.whole, TN_ACCESS_READ, &whole_data, diag));
  assert_true((unsigned char *)whole_data + 32 == high_data);
  tn_buffer_end_host_access(r.whole, TN_ACCESS_READ);
  tn_buffer_release(low);
  tn_buffer_release(high);
  rig_close(&r);
}

// Several accesses of one command to parts of one buffer, more than there is room for without heap.
static void test_many_parts_in_one_command(void **state) {
  (void)state;
  enum { PARTS = 12 };
  rig r;
  rig_open(&r);
  tn_access accesses[PARTS + 1];
  for (size_t i = 0; i < PARTS; i++) {
    accesses[i] = (tn_access){part_of(&r, 4 * i, 4), i % 2 == 0 ? TN_ACCESS_READ : TN_ACCESS_WRITE,
                              TN_NO_ARG};
  }
  accesses[PARTS] = (tn_access){r.whole, TN_ACCESS_READ, TN_NO_ARG};
  submit(&r, 1, accesses, PARTS + 1);
  assert_int_equal(pending(&r), 1);
  submit_one(&r, 2, accesses[0].buffer, TN_ACCESS_READ);
  assert_int_equal(pending(&r), 2);
  submit_one(&r, 3, accesses[1].buffer, TN_ACCESS_READ);
  submit_one(&r, 4, accesses[2].buffer, TN_ACCESS_WRITE);
  assert_int_equal(pending(&r), 2);
  assert_true(step(&r, 0));
  assert_int_equal(pending(&r), 3);
  for (size_t i = 0; i < PARTS; i++) {
    tn_buffer_release(accesses[i].buffer);
  }
  rig_close(&r);
}

typedef struct planned {
  size_t begin;
  size_t end;
  bool writes;
  bool done;
} planned;

static bool is_ready(const planned *plan, size_t index) {
  for (size_t i = 0; i < index; i++) {
    const bool overlaps = plan[i].begin < plan[index].end && plan[index].begin < plan[i].end;
    if (!plan[i].done && overlaps && (plan[i].writes || plan[index].writes)) {
      return false;
    }
  }
  return true;
}

static size_t ready_count(const planned *plan, size_t count) {
  size_t ready = 0;
  for (size_t i = 0; i < count; i++) {
    ready += !plan[i].done && is_ready(plan, i) ? 1 : 0;
  }
  return ready;
}

// What is ready is always what a list of all commands says, whatever order the device chooses.
static void test_against_a_model(void **state) {
  (void)state;
  enum { COMMANDS = 400 };
  rig r;
  rig_open(&r);
  planned plan[COMMANDS];
  uint64_t seed = 12345;
  size_t executed = 0;
  for (uint32_t i = 0; i < COMMANDS; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const size_t begin = (size_t)(seed >> 33) % SIZE;
    const size_t size = 1 + (size_t)(seed >> 40) % (SIZE - begin);
    plan[i] = (planned){begin, begin + size, (seed >> 50) % 3 == 0, false};
    tn_buffer *part = part_of(&r, begin, size);
    submit_one(&r, i, part, plan[i].writes ? TN_ACCESS_READ_WRITE : TN_ACCESS_READ);
    tn_buffer_release(part);  // the command keeps what it uses
    assert_int_equal(pending(&r), ready_count(plan, i + 1));
    for (size_t steps = (size_t)(seed >> 55) % 3; steps > 0 && pending(&r) > 0; steps--) {
      assert_true(step(&r, (size_t)(seed >> 20) % pending(&r)));
      tn_mock_record record;
      assert_true(tn_mock_log_at(r.f.device.adapter_device, executed++, &record));
      uint32_t id = 0;
      memcpy(&id, record.args, sizeof(id));
      assert_false(plan[id].done);
      plan[id].done = true;
      assert_int_equal(pending(&r), ready_count(plan, i + 1));
    }
  }
  rig_close(&r);
}

static void test_life(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  uint32_t host[4] = {1, 2, 3, 4};
  const tn_buffer_params params = {
      .struct_size = sizeof(params), .size = sizeof(host), .alignment = 4, .host_data = host};
  tn_buffer *whole = NULL;
  tn_buffer *part = NULL;
  MUST(tn_buffer_create(&params, &whole, diag));
  MUST(tn_buffer_create_part(whole, 8, 4, &part, diag));
  tn_buffer_enable_write_back(part, 0);  // of the whole: so it works on a copy
  tn_buffer_release(whole);
  void *data = NULL;
  MUST(tn_buffer_begin_host_access(part, TN_ACCESS_READ_WRITE, &data, diag));
  assert_int_equal(*(uint32_t *)data, 3);
  *(uint32_t *)data = 9;
  tn_buffer_end_host_access(part, TN_ACCESS_READ_WRITE);
  tn_buffer_enable_write_back(part, 1);
  tn_buffer_close(part);  // nothing of its own to do
  assert_int_equal(host[2], 3);
  tn_buffer_release(part);  // it was the last user of the whole
  assert_int_equal(host[2], 9);
  rig_close(&r);
}

static void test_refusals(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_buffer *part = part_of(&r, SIZE, 0);
  tn_buffer *none = part;
  tn_diag diag;
  assert_int_equal(tn_buffer_create_part(r.whole, 1, SIZE, &none, &diag), TN_INVALID_ARGUMENT);
  assert_null(none);
  assert_non_null(strstr(diag.text, "64 bytes from byte 1 on"));
  assert_int_equal(tn_buffer_create_part(r.whole, SIZE + 1, 0, &none, &diag), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_buffer_create_part(r.whole, 1, SIZE_MAX, &none, &diag), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_buffer_create_part(part, 0, 0, &none, &diag), TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "a part itself"));
  assert_int_equal(tn_buffer_create_part(NULL, 0, 0, &none, &diag), TN_INVALID_ARGUMENT);
  tn_buffer_release(part);
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_overlap_decides),
      LEAK_TEST(test_host_access_of_part),
      LEAK_TEST(test_many_parts_in_one_command),
      LEAK_TEST(test_against_a_model),
      LEAK_TEST(test_life),
      LEAK_TEST(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
