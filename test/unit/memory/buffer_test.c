// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers: where the bytes are, and what comes back to the host at the end.
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

typedef struct receiver {
  int calls;
  int frees;
  uint32_t value;
  size_t size;
} receiver;

static void receive(void *user, const void *data, size_t size) {
  receiver *r = user;
  r->calls++;
  r->size = size;
  memcpy(&r->value, data, sizeof(r->value));
}

static void free_receiver(void *user) { ((receiver *)user)->frees++; }

static tn_buffer *create(tn_buffer_params params) {
  tn_buffer *buffer = NULL;
  params.struct_size = sizeof(params);
  MUST(tn_buffer_create(&params, &buffer, diag));
  return buffer;
}

static uint32_t *open_for(tn_buffer *buffer, uint32_t mode) {
  void *data = NULL;
  MUST(tn_buffer_begin_host_access(buffer, mode, &data, diag));
  return data;
}

static void write_value(tn_buffer *buffer, uint32_t value) {
  *open_for(buffer, TN_ACCESS_WRITE) = value;
  tn_buffer_end_host_access(buffer, TN_ACCESS_WRITE);
}

static uint32_t read_value(tn_buffer *buffer) {
  const uint32_t value = *open_for(buffer, TN_ACCESS_READ);
  tn_buffer_end_host_access(buffer, TN_ACCESS_READ);
  return value;
}

static void test_in_place(void **state) {
  (void)state;
  uint32_t host[4] = {1, 2, 3, 4};
  const uint32_t flags[] = {0, TN_BUFFER_USE_HOST_PTR,
                            TN_BUFFER_USE_HOST_PTR | TN_BUFFER_HOST_CONST};
  for (size_t i = 0; i < TN_COUNT(flags); i++) {
    tn_buffer *buffer = create((tn_buffer_params){
        .size = sizeof(host), .alignment = 4, .host_data = host, .flags = flags[i]});
    assert_true(open_for(buffer, TN_ACCESS_READ) == host);
    tn_buffer_end_host_access(buffer, TN_ACCESS_READ);
    assert_int_equal(tn_buffer_size(buffer), 16);
    tn_buffer_release(buffer);
  }
}

static void test_const_is_copied(void **state) {
  (void)state;
  uint32_t host = 5;
  const uint32_t flags[] = {TN_BUFFER_HOST_CONST, TN_BUFFER_COPY_IN};
  for (size_t i = 0; i < TN_COUNT(flags); i++) {
    tn_buffer *buffer =
        create((tn_buffer_params){.size = 4, .host_data = &host, .flags = flags[i]});
    assert_int_equal(read_value(buffer), 5);
    write_value(buffer, 6);
    tn_buffer_release(buffer);
    assert_int_equal(host, 5);
  }
}

static void test_misaligned_is_written_back(void **state) {
  (void)state;
  _Alignas(16) unsigned char host[12] = {0};
  uint32_t value = 7;
  memcpy(host + 2, &value, 4);
  for (int write = 0; write < 2; write++) {
    tn_buffer *buffer =
        create((tn_buffer_params){.size = 4, .alignment = 4, .host_data = host + 2});
    assert_int_equal(read_value(buffer), 7);
    if (write != 0) {
      write_value(buffer, 8);
    }
    value = 9;
    memcpy(host + 2, &value, 4);  // shows whether it is written again
    tn_buffer_release(buffer);
    memcpy(&value, host + 2, 4);
    assert_int_equal(value, write != 0 ? 8 : 9);
    value = 7;
    memcpy(host + 2, &value, 4);
  }
}

static void test_write_back_function(void **state) {
  (void)state;
  receiver first = {0};
  receiver second = {0};
  tn_buffer *buffer = create((tn_buffer_params){
      .size = 4, .write_back = receive, .user = &first, .free_user = free_receiver});
  write_value(buffer, 11);
  tn_buffer_retain(buffer);
  tn_buffer_release(buffer);
  assert_int_equal(first.calls, 0);
  tn_buffer_set_write_back(buffer, receive, &second, free_receiver);
  assert_int_equal(first.frees, 1);
  tn_buffer_release(buffer);
  assert_int_equal(first.calls, 0);
  assert_int_equal(second.calls, 1);
  assert_int_equal(second.frees, 1);
  assert_int_equal(second.value, 11);
  assert_int_equal(second.size, 4);
}

static void test_no_write_back(void **state) {
  (void)state;
  receiver r = {0};
  uint32_t host = 0;
  // Switched off, set to nothing, and nothing to give.
  tn_buffer *buffer = create((tn_buffer_params){.size = 4, .write_back = receive, .user = &r});
  write_value(buffer, 1);
  tn_buffer_enable_write_back(buffer, 0);
  tn_buffer_release(buffer);
  buffer = create((tn_buffer_params){.size = 4, .host_data = &host, .flags = TN_BUFFER_HOST_CONST});
  write_value(buffer, 1);
  tn_buffer_set_write_back(buffer, NULL, NULL, NULL);
  tn_buffer_release(buffer);
  buffer = create((tn_buffer_params){.size = 4, .write_back = receive, .user = &r});
  tn_buffer_release(buffer);
  assert_int_equal(r.calls, 0);
  assert_int_equal(host, 0);
  tn_buffer_release(NULL);
}

// Without the write-back the user's memory is not touched, but where use_host_ptr asks for it.
static void test_user_memory_stays(void **state) {
  (void)state;
  const uint32_t flags[] = {0, TN_BUFFER_USE_HOST_PTR};
  for (int i = 0; i < 4; i++) {
    uint32_t host = 5;
    tn_buffer *buffer = create(
        (tn_buffer_params){.size = 4, .alignment = 4, .host_data = &host, .flags = flags[i / 2]});
    if (i % 2 == 0) {
      tn_buffer_enable_write_back(buffer, 0);
    } else {
      tn_buffer_set_write_back(buffer, NULL, NULL, NULL);
    }
    assert_int_equal(tn_buffer_must_wait(buffer), i / 2 == 1);
    assert_int_equal(read_value(buffer), 5);
    write_value(buffer, 6);
    assert_int_equal(read_value(buffer), 6);
    assert_int_equal(tn_buffer_must_wait(buffer), i / 2 == 1);
    tn_buffer_release(buffer);
    assert_int_equal(host, i / 2 == 1 ? 6 : 5);
  }
}

// What the first use decided stays: a copy is written back when that is wanted again, and memory
// in use in place goes on being waited for.
static void test_decided_at_first_use(void **state) {
  (void)state;
  uint32_t host = 5;
  tn_buffer *buffer = create((tn_buffer_params){.size = 4, .alignment = 4, .host_data = &host});
  tn_buffer_enable_write_back(buffer, 0);
  write_value(buffer, 6);
  tn_buffer_enable_write_back(buffer, 1);
  assert_true(open_for(buffer, TN_ACCESS_READ) != &host);
  tn_buffer_end_host_access(buffer, TN_ACCESS_READ);
  assert_int_equal(host, 5);
  assert_true(tn_buffer_must_wait(buffer));
  tn_buffer_release(buffer);
  assert_int_equal(host, 6);
  buffer = create((tn_buffer_params){.size = 4, .alignment = 4, .host_data = &host});
  write_value(buffer, 7);
  tn_buffer_enable_write_back(buffer, 0);
  assert_true(open_for(buffer, TN_ACCESS_READ) == &host);
  tn_buffer_end_host_access(buffer, TN_ACCESS_READ);
  assert_true(tn_buffer_must_wait(buffer));
  tn_buffer_release(buffer);
}

// Another destination gets the result, and the user's memory is not what the buffer works on. A
// buffer that was never used gives what it was made from.
static void test_other_destination(void **state) {
  (void)state;
  for (uint32_t used = 0; used < 2; used++) {
    uint32_t host = 5;
    receiver r = {0};
    tn_buffer *buffer = create((tn_buffer_params){.size = 4, .alignment = 4, .host_data = &host});
    tn_buffer_set_write_back(buffer, receive, &r, free_receiver);
    if (used != 0) {
      write_value(buffer, 6);
    }
    tn_buffer_release(buffer);
    assert_int_equal(r.calls, 1);
    assert_int_equal(r.frees, 1);
    assert_int_equal(r.value, 5 + used);
    assert_int_equal(host, 5);
  }
}

// After the end the user's memory may be gone.
static void test_first_use_after_close(void **state) {
  (void)state;
  uint32_t host = 5;
  tn_buffer *buffer = create((tn_buffer_params){.size = 4, .alignment = 4, .host_data = &host});
  tn_buffer_close(buffer);
  void *data = NULL;
  ASSERT_FAILS(tn_buffer_begin_host_access(buffer, TN_ACCESS_READ, &data, diag), INVALID_ARGUMENT,
               "after its end");
  assert_null(data);
  tn_buffer_release(buffer);
}

static void test_refusals(void **state) {
  (void)state;
  tn_buffer *buffer = NULL;
  tn_buffer_params params = {.size = 4};
  ASSERT_FAILS(tn_buffer_create(&params, &buffer, diag), INVALID_ARGUMENT, "struct_size");
  params.struct_size = sizeof(params);
  params.flags = 0x100;
  ASSERT_FAILS(tn_buffer_create(&params, &buffer, diag), INVALID_ARGUMENT, "0x100");
  params.flags = TN_BUFFER_USE_HOST_PTR;
  ASSERT_FAILS(tn_buffer_create(&params, &buffer, diag), INVALID_ARGUMENT, "host_data is NULL");
  params.flags = 0;
  params.alignment = 3;
  ASSERT_FAILS(tn_buffer_create(&params, &buffer, diag), INVALID_ARGUMENT, "power of two");
  assert_null(buffer);
  buffer = create((tn_buffer_params){.size = 0});
  void *data = NULL;
  ASSERT_FAILS(tn_buffer_begin_host_access(buffer, 0, &data, diag), INVALID_ARGUMENT, "READ");
  ASSERT_FAILS(tn_buffer_begin_host_access(NULL, 1, &data, diag), INVALID_ARGUMENT, "buffer");
  assert_non_null(open_for(buffer, TN_ACCESS_READ));
  tn_buffer_end_host_access(buffer, TN_ACCESS_READ);
  tn_buffer_release(buffer);
  tn_fault_arm(0);
  params.alignment = 0;
  ASSERT_FAILS(tn_buffer_create(&params, &buffer, diag), OUT_OF_MEMORY, "no memory");
  tn_fault_arm(-1);
}

// Memory is made when it is first needed, by whoever needs it first.
static void *open_buffer(void *arg) { return open_for(arg, TN_ACCESS_READ); }

static void test_lazy_memory(void **state) {
  (void)state;
  tn_buffer *buffer = create((tn_buffer_params){.size = 1u << 20});
  assert_null(atomic_load(&buffer->memory));
  tn_thread threads[4];
  for (size_t i = 0; i < TN_COUNT(threads); i++) {
    MUST(tn_thread_create(&threads[i], "buffer", open_buffer, buffer, diag));
  }
  for (size_t i = 0; i < TN_COUNT(threads); i++) {
    tn_thread_join(threads[i]);
    tn_buffer_end_host_access(buffer, TN_ACCESS_READ);
  }
  tn_buffer_release(buffer);
  uint32_t host = 5;
  buffer = create((tn_buffer_params){.size = 4, .alignment = 4, .host_data = &host});
  for (size_t i = 0; i < TN_COUNT(threads); i++) {
    MUST(tn_thread_create(&threads[i], "buffer", open_buffer, buffer, diag));
    tn_buffer_enable_write_back(buffer, i % 2 != 0);
  }
  for (size_t i = 0; i < TN_COUNT(threads); i++) {
    tn_thread_join(threads[i]);
    tn_buffer_end_host_access(buffer, TN_ACCESS_READ);
  }
  assert_int_equal(read_value(buffer), 5);
  tn_buffer_release(buffer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_in_place),
      LEAK_TEST(test_const_is_copied),
      LEAK_TEST(test_misaligned_is_written_back),
      LEAK_TEST(test_write_back_function),
      LEAK_TEST(test_no_write_back),
      LEAK_TEST(test_user_memory_stays),
      LEAK_TEST(test_decided_at_first_use),
      LEAK_TEST(test_other_destination),
      LEAK_TEST(test_first_use_after_close),
      LEAK_TEST(test_refusals),
      LEAK_TEST(test_lazy_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
