// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who makes what a store does not have: one of all threads and processes, and never a dead one.
#include "base/file.h"
#include "base/store.h"
#include "base/thread.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LARGE = 1 << 30, LONG_MS = 60000, SOON_MS = 30000, MANY = 8, KEYS = 6 };

static char *root;  // of all tests

static void make_key(uint32_t number, uint8_t key[TN_STORE_KEY_SIZE]) {
  for (uint32_t i = 0; i < TN_STORE_KEY_SIZE; i++) {
    key[i] = (uint8_t)((number + 1) * 2654435761u >> (i % 4 * 8)) ^ (uint8_t)i;
  }
}

static tn_store *open_store(const char *name) {
  return tn_store_open(root, name, LARGE, TN_STORE_SYNC);
}

typedef struct answer {
  tn_store_found found;
  bool waited;
  bool is_right;  // the value, of a hit
  tn_store_claim claim;
} answer;

static answer ask(tn_store *store, uint32_t number, uint32_t wait_ms) {
  answer a = {.found = TN_STORE_MISS};
  uint8_t key[TN_STORE_KEY_SIZE];
  tn_buf out;
  make_key(number, key);
  tn_buf_init(&out, LARGE);
  a.found = tn_store_get_or_claim(store, key, wait_ms, &out, &a.claim, &a.waited);
  a.is_right = a.found == TN_STORE_HIT
                   ? out.size == TN_STORE_KEY_SIZE && memcmp(out.data, key, TN_STORE_KEY_SIZE) == 0
                   : out.size == 0;
  tn_buf_deinit(&out);
  return a;
}

static void put(tn_store *store, uint32_t number) {
  uint8_t key[TN_STORE_KEY_SIZE];
  make_key(number, key);
  tn_store_put(store, key, tn_bytes_from(key, TN_STORE_KEY_SIZE));
}

static void pause_ms(long ms) {
  const struct timespec part = {.tv_nsec = ms * 1000000};
  (void)nanosleep(&part, NULL);
}

static size_t count_open_files(void) {
  size_t count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (folder && readdir(folder)) {
    count++;
  }
  (void)closedir(folder);
  return count;
}

static void test_one_after_the_other(void **state) {
  (void)state;
  tn_store *store = open_store("alone");
  const size_t files = count_open_files();
  answer first = ask(store, 1, LONG_MS);
  assert_int_equal(first.found, TN_STORE_CLAIMED);
  assert_false(first.waited);
  assert_true((fcntl(first.claim.fd, F_GETFD) & FD_CLOEXEC) != 0);
  // Another key is another's claim.
  answer other = {.found = TN_STORE_MISS};
  for (uint32_t number = 2; number < 6; number++) {
    other = ask(store, number, LONG_MS);
    assert_int_equal(other.found, TN_STORE_CLAIMED);
    assert_false(other.waited);
    tn_store_release_claim(store, &other.claim);
  }
  // The same one is held, also for its own thread.
  answer second = ask(store, 1, 20);
  assert_int_equal(second.found, TN_STORE_MISS);
  assert_true(second.waited);
  put(store, 1);
  second = ask(store, 1, LONG_MS);
  assert_int_equal(second.found, TN_STORE_HIT);
  assert_true(second.is_right);
  assert_false(second.waited);
  tn_store_release_claim(store, &second.claim);
  tn_store_release_claim(store, &first.claim);
  tn_store_release_claim(store, &first.claim);
  // What was given up may be claimed again.
  other = ask(store, 2, LONG_MS);
  assert_int_equal(other.found, TN_STORE_CLAIMED);
  tn_store_release_claim(store, &other.claim);
  assert_int_equal(count_open_files(), files);
  tn_store_close(store);
}

static void test_no_store(void **state) {
  (void)state;
  answer none = ask(NULL, 1, LONG_MS);
  assert_int_equal(none.found, TN_STORE_MISS);
  assert_false(none.waited);
  tn_store_release_claim(NULL, &none.claim);
}

// The number of those that it made itself; over 100 when something was wrong.
static int make_all(tn_store *store) {
  int made = 0;
  for (uint32_t number = 0; number < KEYS; number++) {
    answer a = ask(store, number, LONG_MS);
    if (a.found == TN_STORE_CLAIMED) {
      pause_ms(5);
      put(store, number);
      made++;
    } else if (a.found != TN_STORE_HIT || !a.is_right) {
      made += 101;
    }
    tn_store_release_claim(store, &a.claim);
  }
  return made;
}

static _Atomic int made_by_threads;

static void *make_in_thread(void *user) {
  atomic_fetch_add(&made_by_threads, make_all(user));
  return NULL;
}

static void test_threads_make_each_once(void **state) {
  (void)state;
  pthread_t threads[MANY];
  tn_store *store = open_store("threads");
  for (size_t i = 0; i < MANY; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, make_in_thread, store), 0);
  }
  for (size_t i = 0; i < MANY; i++) {
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  }
  assert_int_equal(made_by_threads, KEYS);
  tn_store_close(store);
}

static int exit_status(pid_t child) {
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void test_processes_make_each_once(void **state) {
  (void)state;
  pid_t children[MANY];
  int made = 0;
  for (size_t i = 0; i < MANY; i++) {
    children[i] = fork();
    if (children[i] == 0) {
      _exit(make_all(open_store("processes")));
    }
  }
  for (size_t i = 0; i < MANY; i++) {
    made += exit_status(children[i]);
  }
  assert_int_equal(made, KEYS);
}

typedef enum death { BY_EXIT, BY_KILL, BY_KILL_WITH_A_CHILD } death;

// Claims in a process that then waits for its end, and tells when it holds the claim.
static pid_t start_holder(const char *name, death how, int go[2]) {
  int told[2];
  assert_int_equal(pipe(told), 0);
  assert_int_equal(pipe(go), 0);
  const pid_t holder = fork();
  if (holder == 0) {
    char c = 0;
    (void)close(go[1]);
    tn_store *store = open_store(name);
    const bool is_good = ask(store, 1, LONG_MS).found == TN_STORE_CLAIMED;
    if (how == BY_KILL_WITH_A_CHILD && fork() == 0) {
      // Outlives its parent, and has all that was open there.
      (void)!read(go[0], &c, 1);
      _exit(0);
    }
    (void)!write(told[1], is_good ? "1" : "0", 1);
    if (how == BY_EXIT) {
      pause_ms(10);
      _exit(0);
    }
    for (;;) {
      (void)pause();
    }
  }
  char c = 0;
  (void)close(go[0]);
  (void)close(told[1]);
  assert_int_equal(read(told[0], &c, 1), 1);
  (void)close(told[0]);
  assert_int_equal(c, '1');
  return holder;
}

static void *kill_soon(void *user) {
  pause_ms(15);
  (void)kill(*(pid_t *)user, SIGKILL);
  return NULL;
}

static void check_death(const char *name, death how) {
  int go[2];
  pthread_t killer;
  pid_t holder = start_holder(name, how, go);
  tn_store *store = open_store(name);
  if (how != BY_EXIT) {
    assert_int_equal(pthread_create(&killer, NULL, kill_soon, &holder), 0);
  }
  const uint64_t begin = tn_time_ns();
  answer next = ask(store, 1, LONG_MS);
  assert_int_equal(next.found, TN_STORE_CLAIMED);
  assert_true((tn_time_ns() - begin) / 1000000 < SOON_MS);
  tn_store_release_claim(store, &next.claim);
  if (how != BY_EXIT) {
    assert_int_equal(pthread_join(killer, NULL), 0);
  }
  (void)close(go[1]);
  assert_int_equal(waitpid(holder, NULL, 0), holder);
  tn_store_close(store);
}

static void test_a_dead_maker_blocks_nobody(void **state) {
  (void)state;
  check_death("exited", BY_EXIT);
  check_death("killed", BY_KILL);
  check_death("survived", BY_KILL_WITH_A_CHILD);
}

// The child has no thread that makes anything; the parent's claim is the parent's.
static void test_a_forked_child_holds_nothing(void **state) {
  (void)state;
  tn_store *store = open_store("forked");
  answer mine = ask(store, 1, LONG_MS);
  assert_int_equal(mine.found, TN_STORE_CLAIMED);
  const pid_t child = fork();
  if (child == 0) {
    const bool is_closed = fcntl(mine.claim.fd, F_GETFD) < 0;
    tn_store_release_claim(store, &mine.claim);
    _exit(is_closed && ask(store, 1, 20).found == TN_STORE_MISS ? 0 : 1);
  }
  assert_int_equal(exit_status(child), 0);
  assert_int_equal(ask(store, 1, 20).found, TN_STORE_MISS);
  tn_store_release_claim(store, &mine.claim);
  tn_store_close(store);
}

typedef struct waiter {
  tn_store *store;
  pthread_t thread;
  answer answer;
} waiter;

static void *wait_in_thread(void *user) {
  waiter *w = user;
  w->answer = ask(w->store, 1, LONG_MS);
  return NULL;
}

// Else many would fail, or make what cannot be kept, one after the other.
static void test_all_go_on_when_the_maker_gives_up(void **state) {
  (void)state;
  waiter waiters[MANY] = {0};
  tn_store *store = open_store("given-up");
  answer maker = ask(store, 1, LONG_MS);
  for (size_t i = 0; i < MANY; i++) {
    waiters[i].store = store;
    assert_int_equal(pthread_create(&waiters[i].thread, NULL, wait_in_thread, &waiters[i]), 0);
  }
  pause_ms(50);
  tn_store_release_claim(store, &maker.claim);
  for (size_t i = 0; i < MANY; i++) {
    assert_int_equal(pthread_join(waiters[i].thread, NULL), 0);
    // One that came too late to wait for the first may be the next.
    if (waiters[i].answer.waited) {
      assert_int_equal(waiters[i].answer.found, TN_STORE_MISS);
    }
    tn_store_release_claim(store, &waiters[i].answer.claim);
  }
  tn_store_close(store);
}

static void test_every_event_may_fail(void **state) {
  (void)state;
  bool fired = true;
  const size_t files = count_open_files();
  for (int64_t nth = 0; fired; nth++) {
    const int64_t live = tn_alloc_live();
    const uint32_t number = 100 + (uint32_t)nth;
    tn_fault_arm(nth);
    tn_store *store = open_store("faulty");
    answer a = ask(store, number, 20);
    if (a.found == TN_STORE_CLAIMED) {
      put(store, number);
    }
    tn_store_release_claim(store, &a.claim);
    fired = tn_fault_fired();
    tn_fault_arm(-1);
    assert_true(a.is_right);
    // Where there are no locks nobody waits.
    assert_false(a.waited);
    assert_true(fired || a.found == TN_STORE_CLAIMED);
    tn_store_close(store);
    assert_int_equal(tn_alloc_live(), live);
  }
  assert_int_equal(count_open_files(), files);
}

static int make_root(void **state) {
  (void)state;
  return tn_temp_dir_create("tenon-claim-test", &root, NULL) == TN_OK ? 0 : -1;
}

static int remove_root(void **state) {
  (void)state;
  tn_temp_dir_remove(root);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_after_the_other),
      cmocka_unit_test(test_no_store),
      cmocka_unit_test(test_threads_make_each_once),
      cmocka_unit_test(test_processes_make_each_once),
      cmocka_unit_test(test_a_dead_maker_blocks_nobody),
      cmocka_unit_test(test_a_forked_child_holds_nothing),
      cmocka_unit_test(test_all_go_on_when_the_maker_gives_up),
      cmocka_unit_test(test_every_event_may_fail),
  };
  return cmocka_run_group_tests(tests, make_root, remove_root);
}
