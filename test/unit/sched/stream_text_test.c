// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What work-items write to a stream as text, also when it is damaged; and streams of queues: their
// memory is used again, what they print comes after the command, and running out of memory is a
// status.
#include "run/sched/stream_text.h"

#include "tenon/stream.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

enum { WORDS = 512 };

typedef struct area {
  uint64_t words[WORDS];
} area;

// A piece at the end of those that are there; its place. `room` counts words of records.
static size_t add_piece(area *a, uint64_t flags, const uint64_t *records, size_t count,
                        size_t room) {
  const size_t at = (size_t)a->words[0];
  a->words[at] = (uint64_t)count << 32;
  a->words[at + 1] = room | flags;
  for (size_t i = 0; i < count; i++) {
    a->words[at + 2 + i] = records[i];
  }
  a->words[0] = at + 2 + room;
  return at;
}

static void put(void *user, const char *text, size_t size) {
  assert_int_equal(fwrite(text, 1, size, user), size);
}

static char *text_of(const area *a) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  assert_non_null(file);
  tn_stream_text_put(a->words, sizeof(a->words), put, file);
  assert_int_equal(fclose(file), 0);
  return text;
}

static void expect_text(const area *a, const char *wanted) {
  char *text = text_of(a);
  assert_string_equal(text, wanted);
  free(text);
}

#define LETTERS(count, letters) \
  (TN_STREAM_LETTERS | (uint64_t)(count) << 4 | (uint64_t)(letters) << 32)

static void test_pieces(void **state) {
  (void)state;
  area a = {{0}};
  tn_stream_text_clear(a.words, sizeof(a.words));
  expect_text(&a, "");
  const uint64_t one[] = {LETTERS(1, 'a'), TN_STREAM_SIGNED | (uint64_t)8 << 48, (uint64_t)-5};
  const uint64_t two[] = {LETTERS(2, 'b' | '!' << 8)};
  const uint64_t three[] = {TN_STREAM_TEXT | (uint64_t)9 << 32, 0x6867666564636261, 'i'};
  // The first text goes on in the last piece; between them another work-item's.
  const size_t first = add_piece(&a, TN_STREAM_FIRST, one, 3, 14);
  add_piece(&a, TN_STREAM_FIRST | TN_STREAM_CLOSED, two, 1, 1);
  const size_t last = add_piece(&a, TN_STREAM_CLOSED, three, 3, 3);
  a.words[first] |= last;
  expect_text(&a, "a-5abcdefghib!");
}

static void test_formats(void **state) {
  (void)state;
  area a = {{0}};
  double real = 2.5;
  uint64_t bits = 0;
  memcpy(&bits, &real, sizeof(bits));
  const uint64_t records[] = {TN_STREAM_UNSIGNED | TN_STREAM_HEX | TN_STREAM_SHOW_BASE,
                              255,
                              LETTERS(1, ' '),
                              TN_STREAM_SIGNED | TN_STREAM_HEX | (uint64_t)2 << 48,
                              (uint64_t)-1,
                              LETTERS(1, ' '),
                              TN_STREAM_SIGNED | TN_STREAM_SHOW_PLUS | (uint64_t)6 << 16,
                              42,
                              LETTERS(1, ' '),
                              TN_STREAM_REAL | TN_STREAM_FIXED | (uint64_t)2 << 32,
                              bits,
                              LETTERS(1, ' '),
                              TN_STREAM_REAL | TN_STREAM_HEX_REAL,
                              bits,
                              LETTERS(1, ' '),
                              TN_STREAM_ADDRESS,
                              0xabcd,
                              LETTERS(1, ' '),
                              TN_STREAM_LIST | 2 << 4,
                              7,
                              8};
  tn_stream_text_clear(a.words, sizeof(a.words));
  add_piece(&a, TN_STREAM_FIRST, records, TN_COUNT(records), TN_COUNT(records));
  expect_text(&a, "0xff ffff    +42 2.50 0x1.4p+1 0xabcd {7, 8}");
  // The largest width and precision, and a number that needs all of the latter.
  const uint64_t long_one[] = {
      TN_STREAM_REAL | TN_STREAM_FIXED | 0xffff0000ull | (uint64_t)0xffff << 32, 1};
  tn_stream_text_clear(a.words, sizeof(a.words));
  add_piece(&a, TN_STREAM_FIRST, long_one, 2, 2);
  char *text = text_of(&a);
  assert_int_equal(strlen(text), 4096);
  assert_non_null(strstr(text, "0.000"));
  free(text);
}

// Device code writes to it, so anything may be in it.
static void test_damaged(void **state) {
  (void)state;
  area a = {{0}};
  const uint64_t letter[] = {LETTERS(1, 'x')};
  const uint64_t bad_text[] = {LETTERS(1, 'x'), TN_STREAM_TEXT | (uint64_t)1000 << 32};
  tn_stream_text_clear(a.words, sizeof(a.words));
  size_t at = add_piece(&a, TN_STREAM_FIRST, bad_text, 2, 2);
  expect_text(&a, "x");
  a.words[at] |= at;  // itself
  expect_text(&a, "x");
  a.words[at] = (a.words[at] & ~0xffffffffull) | 0xfffffff0u;
  expect_text(&a, "x");
  a.words[at + 1] = 0xffffffffu | TN_STREAM_FIRST;
  expect_text(&a, "");
  tn_stream_text_clear(a.words, sizeof(a.words));
  at = add_piece(&a, TN_STREAM_FIRST, letter, 1, 1);
  a.words[0] = UINT64_MAX;  // more was asked for than there is
  expect_text(&a, "x");
  a.words[at] = (uint64_t)9 << 32;  // more records than room
  expect_text(&a, "");
  uint64_t seed = 1;
  for (int round = 0; round < 2000; round++) {
    for (size_t i = 0; i < WORDS; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      // Small words, so that there are pieces and records.
      a.words[i] = seed >> 33 & 3 ? seed >> 20 & 0x3f00000fffffull & ~0xff000ull : seed;
      a.words[i] |= i % 5 == 0 ? TN_STREAM_FIRST : 0;
    }
    free(text_of(&a));
  }
}

// Standard output goes into a file meanwhile.
static void test_queue(void **state) {
  (void)state;
  fixture f;
  fixture_open_mock(&f, false);
  tn_queue *queue = fixture_queue(&f, 0);
  tn_stream *stream = NULL;
  tn_event *done = NULL;
  MUST(tn_stream_create(queue, 100, &stream, diag));
  uint64_t *words = tn_stream_memory(stream);
  assert_int_equal(words[0], TN_STREAM_BEGIN);
  area *a = (area *)words;
  const uint64_t letters[] = {LETTERS(3, 'o' | 'u' << 8 | 't' << 16)};
  add_piece(a, TN_STREAM_FIRST, letters, 1, 1);
  (void)fflush(stdout);
  FILE *file = tmpfile();
  const int before = dup(1);
  assert_non_null(file);
  assert_true(dup2(fileno(file), 1) >= 0);
  MUST(tn_stream_print(stream, NULL, &done, diag));
  MUST(tn_event_wait(done, diag));
  tn_event_release(done);
  (void)dup2(before, 1);
  (void)close(before);
  char text[16] = "";
  rewind(file);
  assert_int_equal(fread(text, 1, sizeof(text) - 1, file), 3);
  assert_string_equal(text, "out");
  (void)fclose(file);
  assert_int_equal(words[0], TN_STREAM_BEGIN);  // empty again
  tn_stream_release(stream);
  // A smaller one takes the same memory, a larger one does not.
  MUST(tn_queue_wait(queue, diag));
  MUST(tn_stream_create(queue, 10, &stream, diag));
  assert_ptr_equal(tn_stream_memory(stream), words);
  tn_stream *larger = NULL;
  MUST(tn_stream_create(queue, 100000, &larger, diag));
  assert_ptr_not_equal(tn_stream_memory(larger), words);
  assert_true(((uint64_t *)tn_stream_memory(larger))[1] >= 100000 * 3);
  tn_stream_release(larger);
  tn_stream_release(stream);
  tn_queue_release(queue);
  fixture_close(&f);
}

static void test_out_of_memory(void **state) {
  (void)state;
  for (int64_t nth = 0;; nth++) {
    fixture f;
    fixture_open_mock(&f, false);
    tn_queue *queue = fixture_queue(&f, 0);
    tn_stream *stream = NULL;
    tn_diag diag = {0};
    tn_fault_arm(nth);
    const tn_status status = tn_stream_create(queue, 100, &stream, &diag);
    const bool fired = tn_fault_fired();
    tn_fault_arm(-1);
    assert_int_equal(status == TN_OK, stream != NULL);
    assert_true(status == TN_OK || status == TN_OUT_OF_MEMORY);
    tn_stream_release(stream);
    tn_queue_release(queue);
    fixture_close(&f);
    if (!fired) {
      assert_true(nth >= 2);  // the stream, its memory
      break;
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_pieces), LEAK_TEST(test_formats),       LEAK_TEST(test_damaged),
      LEAK_TEST(test_queue),  LEAK_TEST(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
