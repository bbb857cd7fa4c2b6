// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers on devices that cannot use the host's memory: what a command finds is what the commands
// before it left, wherever they ran and in whatever order the devices choose.
#include "run/sched/queue_state.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

enum { DEVICES = 3, HOST_SHARING = 2, SIZE = 48, COMMANDS = 3000 };

typedef struct block {
  uint64_t id;
  unsigned char *memory;
} block;

typedef struct planned {
  size_t size;
  bool reads;
  bool writes;
  unsigned char before[SIZE];
  unsigned char after[SIZE];
} planned;

typedef struct rig {
  fixture f[DEVICES];
  tn_kernel kernels[DEVICES];
  tn_queue *queues[DEVICES];
  tn_buffer *whole;
  unsigned char model[SIZE];
  planned *plan;
  size_t wrong_count;
  size_t run_count;
} rig;

static void run_kernel(void *user, const tn_adapter_command *command) {
  rig *r = user;
  if (command->kind != TN_ADAPTER_KERNEL) {
    return;
  }
  block args;
  memcpy(&args, command->launch.args, sizeof(args));
  const planned *plan = &r->plan[args.id];
  r->wrong_count += plan->reads && memcmp(args.memory, plan->before, plan->size) != 0 ? 1 : 0;
  if (plan->writes) {
    memcpy(args.memory, plan->after, plan->size);
  }
  r->run_count++;
}

static void rig_open(rig *r, unsigned char *host) {
  memset(r, 0, sizeof(*r));
  r->plan = calloc(COMMANDS, sizeof(*r->plan));
  for (size_t i = 0; i < DEVICES; i++) {
    fixture_open_mock(&r->f[i], true);
    tn_mock_set_hook(r->f[i].device.adapter_device, run_kernel, r);
    r->kernels[i] = fixture_kernel(&r->f[i], "a", sizeof(block));
    r->queues[i] = fixture_queue(&r->f[i], i == 0 ? TN_QUEUE_IN_ORDER : 0);
    r->queues[i]->shares_host_memory = i == HOST_SHARING;
  }
  for (size_t i = 0; i < SIZE; i++) {
    r->model[i] = host[i] = (unsigned char)i;
  }
  const tn_buffer_params params = {.struct_size = sizeof(params), .size = SIZE, .host_data = host};
  MUST(tn_buffer_create(&params, &r->whole, diag));
}

static bool step_any(rig *r, uint64_t seed) {
  for (size_t i = 0; i < DEVICES; i++) {
    tn_adapter_device *device = r->f[(seed + i) % DEVICES].device.adapter_device;
    const size_t count = tn_mock_pending_count(device);
    if (count > 0) {
      return tn_mock_step(device, (size_t)(seed >> 8) % count);
    }
  }
  return false;
}

static void set_manual(rig *r, bool is_manual) {
  for (size_t i = 0; i < DEVICES; i++) {
    tn_mock_set_manual(r->f[i].device.adapter_device, is_manual);
  }
}

static void drain(rig *r) {
  while (step_any(r, 7)) {
  }
}

static void rig_close(rig *r) {
  drain(r);
  set_manual(r, false);
  tn_buffer_release(r->whole);
  for (size_t i = 0; i < DEVICES; i++) {
    tn_queue_release(r->queues[i]);
    assert_int_equal(tn_mock_memory_count(r->f[i].device.adapter_device), 0);
    fixture_close(&r->f[i]);
  }
  free(r->plan);
}

static tn_buffer *part_of(rig *r, size_t offset, size_t size) {
  tn_buffer *part = NULL;
  MUST(tn_buffer_create_part(r->whole, offset, size, &part, diag));
  return part;
}

static void submit(rig *r, size_t device, size_t id, size_t offset, size_t size, uint32_t mode) {
  planned *plan = &r->plan[id];
  *plan = (planned){.size = size,
                    .reads = (mode & TN_ACCESS_NO_INIT) == 0,
                    .writes = (mode & TN_ACCESS_WRITE) != 0};
  memcpy(plan->before, r->model + offset, size);
  for (size_t i = 0; i < size; i++) {
    plan->after[i] = (unsigned char)(id * 31 + i);
  }
  if (plan->writes) {
    memcpy(r->model + offset, plan->after, size);
  }
  tn_buffer *part = part_of(r, offset, size);
  const tn_access access = {part, mode, offsetof(block, memory)};
  const block args = {.id = id};
  tn_command command = kernel_command(&r->kernels[device], &args, 1);
  command.accesses = &access;
  command.access_count = 1;
  MUST(tn_queue_submit(r->queues[device], &command, NULL, diag));
  tn_buffer_release(part);
}

static uint64_t next(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 16;
}

static void access_from_host(rig *r, size_t offset, size_t size, uint32_t mode, uint64_t seed) {
  drain(r);
  set_manual(r, false);
  tn_buffer *part = part_of(r, offset, size);
  void *data = NULL;
  MUST(tn_buffer_begin_host_access(part, mode, &data, diag));
  if ((mode & TN_ACCESS_NO_INIT) == 0) {
    assert_memory_equal(data, r->model + offset, size);
  }
  if ((mode & TN_ACCESS_WRITE) != 0) {
    memset(data, (int)(seed & 0xff), size);
    memset(r->model + offset, (int)(seed & 0xff), size);
  }
  tn_buffer_end_host_access(part, mode);
  tn_buffer_release(part);
  set_manual(r, true);
}

// Several orders of everything, by chance: three places, parts, all modes, host accesses.
static void test_against_a_model(void **state) {
  (void)state;
  static const uint32_t modes[] = {TN_ACCESS_READ, TN_ACCESS_READ, TN_ACCESS_READ_WRITE,
                                   TN_ACCESS_WRITE, TN_ACCESS_WRITE | TN_ACCESS_NO_INIT};
  unsigned char host[SIZE];
  rig r;
  rig_open(&r, host);
  uint64_t seed = 99;
  for (size_t id = 0; id < COMMANDS; id++) {
    const size_t offset = next(&seed) % SIZE;
    const size_t size = 1 + next(&seed) % (SIZE - offset);
    const uint32_t mode = modes[next(&seed) % TN_COUNT(modes)];
    const bool is_whole = next(&seed) % 4 == 0;
    submit(&r, next(&seed) % DEVICES, id, is_whole ? 0 : offset, is_whole ? SIZE : size, mode);
    for (size_t steps = next(&seed) % 5; steps > 0; steps--) {
      (void)step_any(&r, next(&seed));
    }
    if (next(&seed) % 16 == 0) {
      access_from_host(&r, offset, size, modes[next(&seed) % TN_COUNT(modes)], seed);
    }
  }
  drain(&r);
  assert_int_equal(r.run_count, COMMANDS);
  assert_int_equal(r.wrong_count, 0);
  unsigned char model[SIZE];
  memcpy(model, r.model, sizeof(model));
  rig_close(&r);
  assert_memory_equal(host, model, SIZE);
}

// A part that the host holds is no concern of a command that uses another.
static void test_parts_do_not_wait(void **state) {
  (void)state;
  unsigned char host[SIZE];
  rig r;
  rig_open(&r, host);
  tn_buffer *low = part_of(&r, 0, SIZE / 2);
  void *data = NULL;
  MUST(tn_buffer_begin_host_access(low, TN_ACCESS_READ_WRITE, &data, diag));
  submit(&r, 0, 0, SIZE / 2, SIZE / 2, TN_ACCESS_READ_WRITE);
  drain(&r);
  assert_int_equal(r.run_count, 1);
  tn_buffer_end_host_access(low, TN_ACCESS_READ_WRITE);
  tn_buffer_release(low);
  rig_close(&r);
  assert_int_equal(host[SIZE / 2], 0);
}

static size_t count_copies(rig *r, size_t device) {
  tn_mock_record record;
  size_t count = 0;
  tn_adapter_device *of = r->f[device].device.adapter_device;
  for (size_t i = 0; i < tn_mock_log_count(of); i++) {
    count += tn_mock_log_at(of, i, &record) && record.kind == TN_ADAPTER_COPY ? 1 : 0;
  }
  return count;
}

static void test_bytes_move_only_when_they_have_to(void **state) {
  (void)state;
  unsigned char host[SIZE];
  rig r;
  rig_open(&r, host);
  submit(&r, 0, 0, 0, SIZE, TN_ACCESS_WRITE | TN_ACCESS_NO_INIT);
  drain(&r);
  assert_int_equal(count_copies(&r, 0), 0);
  for (size_t i = 1; i < 5; i++) {
    submit(&r, 0, i, 0, SIZE, TN_ACCESS_READ_WRITE);
  }
  drain(&r);
  assert_int_equal(count_copies(&r, 0), 0);
  submit(&r, 1, 5, 0, 8, TN_ACCESS_READ);  // through the host: one copy each
  submit(&r, 1, 6, 0, 8, TN_ACCESS_READ);
  drain(&r);
  assert_int_equal(count_copies(&r, 0), 1);
  assert_int_equal(count_copies(&r, 1), 1);
  access_from_host(&r, 0, 8, TN_ACCESS_READ, 0);  // there already
  assert_int_equal(count_copies(&r, 0), 1);
  assert_int_equal(r.wrong_count, 0);
  rig_close(&r);
}

static void test_a_transfer_that_fails(void **state) {
  (void)state;
  unsigned char host[SIZE];
  rig r;
  rig_open(&r, host);
  submit(&r, 0, 0, 0, SIZE, TN_ACCESS_READ_WRITE);
  drain(&r);
  set_manual(&r, false);
  tn_mock_fail(r.f[0].device.adapter_device, TN_MOCK_EXECUTE, 0);
  void *data = NULL;
  tn_diag failure = {0};
  assert_int_not_equal(tn_buffer_begin_host_access(r.whole, TN_ACCESS_READ, &data, &failure),
                       TN_OK);
  assert_true(failure.text[0] != '\0');
  MUST(tn_buffer_begin_host_access(r.whole, TN_ACCESS_READ, &data, diag));
  assert_memory_equal(data, r.model, SIZE);
  tn_buffer_end_host_access(r.whole, TN_ACCESS_READ);
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_against_a_model),
      LEAK_TEST(test_parts_do_not_wait),
      LEAK_TEST(test_bytes_move_only_when_they_have_to),
      LEAK_TEST(test_a_transfer_that_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
