// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of all who miss an entry one makes it and the others wait, but for nobody who died, gave up or
// takes too long; and where there are no locks nobody waits.
// Usage: store_claims [<processes> [<kills> [<folder for the store>]]]; with no_locks
// preloaded it expects that nobody waits.
#include "base/thread.h"
#include "fault/fault_world.h"

#include <stdatomic.h>
#include <sys/mman.h>

enum { PROGRAMS = 12, LONG_MS = 600000, THREADS = 8 };

typedef struct tally {
  _Atomic uint32_t made, hits, waited, wrong, without_claim;
} tally;

static tally *sum;  // of all processes
static bool has_locks;

// Finds the entry or makes it, which takes a while.
static void use_entry(tn_store *store, uint32_t number, uint32_t wait_ms, uint32_t make_us) {
  uint8_t key[TN_STORE_KEY_SIZE];
  tn_buf out;
  tn_store_claim claim = {.fd = -1};
  bool waited = false;
  tn_buf_init(&out, FAULT_LARGE);
  fault_key(number, key);
  const tn_store_found found = tn_store_get_or_claim(store, key, wait_ms, &out, &claim, &waited);
  sum->waited += waited ? 1 : 0;
  if (found == TN_STORE_HIT) {
    sum->hits++;
    sum->wrong += fault_judge(number, &out) == FAULT_WRONG;
  } else {
    sum->made++;
    sum->without_claim += found == TN_STORE_MISS;
    fault_sleep_us(make_us);
    fault_put(store, number);
  }
  if (found == TN_STORE_CLAIMED) {
    tn_store_release_claim(store, &claim);
  }
  tn_buf_deinit(&out);
}

// All in an order of their own, as programs that differ a little.
static void use_all(const char *name, uint32_t who) {
  tn_store *store = tn_store_open(fault_root, name, FAULT_LARGE, TN_STORE_SYNC);
  NEED(store);
  for (uint32_t i = 0; i < PROGRAMS; i++) {
    use_entry(store, (i * (who % 2 == 0 ? 1 : 5) + who) % PROGRAMS, LONG_MS, 5000);
  }
  tn_store_close(store);
}

static void reset(void) { memset(sum, 0, sizeof(*sum)); }

static void test_many_processes(uint32_t processes) {
  pid_t *children = malloc(processes * sizeof(*children));
  NEED(children);
  reset();
  for (uint32_t i = 0; i < processes; i++) {
    children[i] = fork();
    NEED(children[i] >= 0);
    if (children[i] == 0) {
      use_all("crowd", i);
      exit(0);
    }
  }
  for (uint32_t i = 0; i < processes; i++) {
    const int ended = fault_wait(children[i]);
    CHECK(ended == 0, "a process ended with %d", ended);
  }
  free(children);
  printf("%u processes, %d entries: %u made, %u found, %u waits\n", processes, PROGRAMS, sum->made,
         sum->hits, sum->waited);
  CHECK(sum->wrong == 0, "%u wrong values", sum->wrong);
  CHECK(sum->made + sum->hits == processes * PROGRAMS, "not all were answered");
  if (has_locks) {
    CHECK(sum->made == PROGRAMS, "made %u times instead of %d", sum->made, PROGRAMS);
    CHECK(sum->without_claim == 0, "%u made without a claim", sum->without_claim);
  } else {
    CHECK(sum->waited == 0, "%u waited where there are no locks", sum->waited);
  }
}

static void *thread_main(void *arg) {
  use_all("threads", (uint32_t)(uintptr_t)arg);
  return NULL;
}

static void test_many_threads(void) {
  tn_thread threads[THREADS];
  reset();
  for (size_t i = 0; i < THREADS; i++) {
    NEED(tn_thread_create(&threads[i], "claims", thread_main, (void *)i, NULL) == TN_OK);
  }
  for (size_t i = 0; i < THREADS; i++) {
    tn_thread_join(threads[i]);
  }
  printf("%d threads, %d entries: %u made, %u found, %u waits\n", THREADS, PROGRAMS, sum->made,
         sum->hits, sum->waited);
  CHECK(sum->wrong == 0, "%u wrong values", sum->wrong);
  CHECK(!has_locks || sum->made == PROGRAMS, "made %u times", sum->made);
}

// Claims the entry and stays so until it is killed; answers when it has it.
static pid_t start_holder(const char *name, uint32_t number) {
  int ends[2];
  NEED(pipe(ends) == 0);
  const pid_t child = fork();
  NEED(child >= 0);
  if (child == 0) {
    uint8_t key[TN_STORE_KEY_SIZE];
    tn_buf out;
    tn_store_claim claim = {.fd = -1};
    bool waited = false;
    tn_buf_init(&out, FAULT_LARGE);
    fault_key(number, key);
    tn_store *store = tn_store_open(fault_root, name, FAULT_LARGE, TN_STORE_SYNC);
    const tn_store_found found = tn_store_get_or_claim(store, key, 0, &out, &claim, &waited);
    const char answer = found == TN_STORE_CLAIMED ? 'c' : 'm';
    (void)!write(ends[1], &answer, 1);
    for (;;) {
      (void)pause();
    }
  }
  char answer = '?';
  NEED(read(ends[0], &answer, 1) == 1);
  (void)close(ends[0]);
  (void)close(ends[1]);
  CHECK(answer == 'c', "the first to ask did not get the claim");
  return child;
}

// Who waits for a process that dies goes on at once; the next one makes the entry.
static void test_a_dead_maker_blocks_nobody(void) {
  double longest = 0;
  reset();
  for (uint32_t i = 0; i < 8; i++) {
    const pid_t holder = start_holder("dead", i);
    const pid_t waiter = fork();
    NEED(waiter >= 0);
    if (waiter == 0) {
      tn_store *store = tn_store_open(fault_root, "dead", FAULT_LARGE, TN_STORE_SYNC);
      use_entry(store, i, LONG_MS, 0);
      tn_store_close(store);
      exit(0);
    }
    fault_sleep_us(20000);
    const double start = fault_seconds();
    (void)kill(holder, SIGKILL);
    (void)fault_wait(holder);
    CHECK(fault_wait(waiter) == 0, "the one who waited failed");
    const double seconds = fault_seconds() - start;
    longest = seconds > longest ? seconds : longest;
  }
  printf("8 makers killed while another waited: it went on after at most %.1f ms\n",
         longest * 1000);
  CHECK(sum->made == 8 && sum->without_claim == 0, "%u made, %u of them without a claim", sum->made,
        sum->without_claim);
  CHECK(longest < 300.0, "it waited for the dead");
}

static void test_waiting_is_bounded(void) {
  const pid_t holder = start_holder("stopped", 1);
  (void)kill(holder, SIGSTOP);
  tn_store *store = tn_store_open(fault_root, "stopped", FAULT_LARGE, TN_STORE_SYNC);
  reset();
  const double start = fault_seconds();
  use_entry(store, 1, 300, 0);
  const double seconds = fault_seconds() - start;
  CHECK(sum->made == 1 && sum->without_claim == 1, "a claim of one who is alive was given away");
  CHECK(seconds >= 0.25 && seconds < 300, "waited %.2f s of 0.3", seconds);
  use_entry(store, 1, LONG_MS, 0);
  CHECK(sum->hits == 1, "what was made without a claim is not found");
  (void)kill(holder, SIGKILL);
  (void)fault_wait(holder);
  tn_store_close(store);
  printf("a maker that is stopped: others went on after %.0f ms of 300\n", seconds * 1000);
}

// One claim of many entries does not stand for the others, and a maker may give up.
static void test_giving_up(void) {
  tn_store *store = tn_store_open(fault_root, "given_up", FAULT_LARGE, TN_STORE_SYNC);
  tn_store_claim claim = {.fd = -1};
  uint8_t key[TN_STORE_KEY_SIZE];
  bool waited = false;
  tn_buf out;
  tn_buf_init(&out, FAULT_LARGE);
  for (uint32_t i = 0; i < 20; i++) {
    fault_key(i, key);
    CHECK(tn_store_get_or_claim(store, key, 0, &out, &claim, &waited) == TN_STORE_CLAIMED,
          "entry %u is not claimed", i);
    tn_store_release_claim(store, &claim);
  }
  const pid_t holder = start_holder("given_up", 3);
  fault_key(3, key);
  CHECK(tn_store_get_or_claim(store, key, 0, &out, &claim, &waited) == TN_STORE_MISS,
        "what another has claimed is not a plain miss for one who does not wait");
  fault_key(4, key);
  CHECK(tn_store_get_or_claim(store, key, 0, &out, &claim, &waited) == TN_STORE_CLAIMED,
        "one claim takes another entry's");
  tn_store_release_claim(store, &claim);
  (void)kill(holder, SIGKILL);
  (void)fault_wait(holder);
  tn_buf_deinit(&out);
  tn_store_close(store);
}

// Makers are killed at random while others want the same entries.
static void test_kills(uint32_t kills) {
  enum { WORKERS = 4 };
  pid_t workers[WORKERS] = {0};
  reset();
  const double start = fault_seconds();
  for (uint32_t i = 0; i < kills + WORKERS; i++) {
    const size_t at = i % WORKERS;
    if (workers[at] > 0) {
      fault_sleep_us(fault_random(8000));
      (void)kill(workers[at], SIGKILL);
      CHECK(fault_wait(workers[at]) == 128 + SIGKILL, "a worker ended by itself");
    }
    workers[at] = fork();
    NEED(workers[at] >= 0);
    if (workers[at] == 0) {
      fault_seed += i * 0x9e3779b97f4a7c15u;
      tn_store *store = tn_store_open(fault_root, "makers", 1 << 18, 0);
      for (;;) {
        use_entry(store, fault_random(PROGRAMS), LONG_MS, fault_random(1000));
      }
    }
  }
  for (size_t at = 0; at < WORKERS; at++) {
    (void)kill(workers[at], SIGKILL);
    (void)fault_wait(workers[at]);
  }
  const uint32_t made = sum->made;
  const uint32_t hits = sum->hits;
  CHECK(sum->wrong == 0, "%u wrong values", sum->wrong);
  CHECK(made > 0 && hits > 0, "nothing was made or found");
  const double alone = fault_seconds();
  use_all("makers", 0);
  CHECK(fault_seconds() - alone < 300.0, "somebody waited for the dead");
  printf("%u makers killed: %u entries made, %u found meanwhile; %.1f s\n", kills, made, hits,
         alone - start);
}

int main(int argc, char **argv) {
  const uint32_t processes = fault_number(argc, argv, 1, 8);
  const uint32_t kills = fault_number(argc, argv, 2, 100);
  const char *preloaded = getenv("LD_PRELOAD");
  has_locks = !preloaded || !strstr(preloaded, "no_locks");
  fault_open_root_in(argc > 3 ? argv[3] : NULL);
  sum = mmap(NULL, sizeof(*sum), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  NEED(sum != MAP_FAILED);
  printf(has_locks ? "" : "without locks: ");
  (void)fflush(stdout);
  test_many_processes(processes);
  test_many_threads();
  if (has_locks) {
    test_a_dead_maker_blocks_nobody();
    test_waiting_is_bounded();
    test_giving_up();
  }
  test_kills(kills);
  return fault_close_root();
}
