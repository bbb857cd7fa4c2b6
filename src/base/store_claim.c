// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who makes what a store does not have: a lock on one byte of the file "claims", at a place that
// the key gives. The system gives a lock back when its holder dies, so that nothing is left behind.
//
// 1. Each claim opens the file for itself: locks are of the opened file, so that they hold between
//    threads as well, and no other close lets go of them.
// 2. A process that is forked meanwhile closes its copies at once; one that is executed never has
//    them. Else a child could hold what its dead parent claimed.
// 3. The time of "claims" is that of the last claim that was given up without an entry. Who waited
//    through one does not claim in turn: what N processes cannot make or keep would take N times as
//    long one after the other.
// 4. Whatever goes wrong is a miss at once. Waiting only saves work, and is never needed.
#include "base/store_folder.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  SLOT_COUNT = 64,
  SHORTEST_PAUSE_NS = 200 * 1000,
  LONGEST_PAUSE_NS = 10 * 1000 * 1000,
};

// What this process holds open: a file's number plus 1, or 0. More than fit are not listed.
static _Atomic int open_claims[SLOT_COUNT];
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

static void close_in_child(void) {
  for (size_t i = 0; i < SLOT_COUNT; i++) {
    const int listed = atomic_exchange_explicit(&open_claims[i], 0, memory_order_relaxed);
    if (listed > 0) {
      (void)close(listed - 1);
    }
  }
}

static void watch_forks(void) { (void)pthread_atfork(NULL, NULL, close_in_child); }

static uint32_t list_claim(int fd) {
  uint32_t slot = 0;
  for (; slot < SLOT_COUNT; slot++) {
    int none = 0;
    if (atomic_compare_exchange_strong_explicit(&open_claims[slot], &none, fd + 1,
                                                memory_order_relaxed, memory_order_relaxed)) {
      break;
    }
  }
  return slot;
}

static bool open_claim(const tn_store *store, const uint8_t *key, tn_store_claim *claim) {
  struct stat info;
  const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int fd =
      tn_fault_hit() ? (errno = EIO, -1) : openat(store->folder_fd, "claims", flags, 0600);
  if (fd < 0) {
    return false;
  }
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    (void)close(fd);
    return false;
  }
  (void)pthread_once(&fork_once, watch_forks);
  claim->fd = fd;
  claim->slot = list_claim(fd);
  memcpy(claim->key, key, TN_STORE_KEY_SIZE);
  return true;
}

// Keys whose first bytes are equal wait for each other without need, and are none the worse.
static struct flock byte_of(const uint8_t *key, short type) {
  uint64_t place = 0;
  for (size_t i = 0; i < 8; i++) {
    place |= (uint64_t)key[i] << (8 * i);
  }
  return (struct flock){
      .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)(place >> 2), .l_len = 1};
}

static void drop(tn_store_claim *claim) {
  const int fd = claim->fd;
  claim->fd = -1;
  if (fd < 0) {
    return;
  }
  if (claim->slot < SLOT_COUNT &&
      atomic_load_explicit(&open_claims[claim->slot], memory_order_relaxed) != fd + 1) {
    return;  // a copy in a forked process, closed
  }
  // By hand, since a copy may be open in a process that is being forked right now.
  struct flock none = byte_of(claim->key, F_UNLCK);
  (void)fcntl(fd, F_OFD_SETLK, &none);
  if (claim->slot < SLOT_COUNT) {
    atomic_store_explicit(&open_claims[claim->slot], 0, memory_order_relaxed);
  }
  (void)close(fd);
}

typedef enum lock_answer {
  LOCK_TAKEN,  // it is ours now
  LOCK_HELD,   // it is another's
  LOCK_NONE,   // there are no locks here
} lock_answer;

static lock_answer try_lock(const tn_store_claim *claim) {
  struct flock wanted = byte_of(claim->key, F_WRLCK);
  int result = 0;
  do {
    result = tn_fault_hit() ? (errno = ENOLCK, -1) : fcntl(claim->fd, F_OFD_SETLK, &wanted);
  } while (result != 0 && errno == EINTR);
  if (result == 0) {
    return LOCK_TAKEN;
  }
  return errno == EAGAIN || errno == EACCES ? LOCK_HELD : LOCK_NONE;
}

static struct timespec last_given_up(const tn_store_claim *claim) {
  struct stat info;
  return fstat(claim->fd, &info) == 0 ? info.st_mtim : (struct timespec){0};
}

static bool is_same_time(struct timespec a, struct timespec b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static void pause_for(uint64_t ns) {
  const struct timespec part = {.tv_nsec = (long)ns};
  (void)nanosleep(&part, NULL);
}

// The claim is open. It stays so when it is the answer.
static tn_store_found wait_for(tn_store *store, const char *name, uint32_t wait_ms, tn_buf *out,
                               tn_store_claim *claim, bool *out_waited) {
  const uint64_t begin = tn_time_ns();
  const uint64_t patience = (uint64_t)wait_ms * 1000 * 1000;
  const struct timespec given_up = last_given_up(claim);
  uint64_t pause = SHORTEST_PAUSE_NS;
  for (;;) {
    const lock_answer answer = try_lock(claim);
    // It may have come since it was looked for, and before the lock was free.
    if (tn_store_look(store, name, claim->key, out) == TN_STORE_GOOD) {
      TN_STORE_LOG("%.16s: hit, another just made it", name);
      return TN_STORE_HIT;
    }
    if (answer == LOCK_TAKEN && *out_waited && !is_same_time(given_up, last_given_up(claim))) {
      TN_STORE_LOG("%.16s: miss, who was waited for gave up", name);
      return TN_STORE_MISS;
    }
    if (answer == LOCK_TAKEN) {
      return TN_STORE_CLAIMED;
    }
    if (answer == LOCK_NONE || tn_time_ns() - begin >= patience) {
      TN_STORE_LOG("%.16s: %s", name,
                   answer == LOCK_NONE ? "no locks here, nobody waits" : "waited long enough");
      return TN_STORE_MISS;
    }
    if (!*out_waited) {
      TN_STORE_LOG("%.16s: another makes it, waiting", name);
    }
    *out_waited = true;
    pause_for(pause);
    pause = pause * 2 < LONGEST_PAUSE_NS ? pause * 2 : LONGEST_PAUSE_NS;
  }
}

tn_store_found tn_store_get_or_claim(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE],
                                     uint32_t wait_ms, tn_buf *out, tn_store_claim *claim,
                                     bool *out_waited) {
  claim->fd = -1;
  *out_waited = false;
  if (tn_store_get(store, key, out)) {
    return TN_STORE_HIT;
  }
  // Who cannot keep it makes it for itself.
  if (!store || atomic_load_explicit(&store->is_read_only, memory_order_relaxed) ||
      !open_claim(store, key, claim)) {
    return TN_STORE_MISS;
  }
  char name[TN_STORE_NAME_SIZE];
  tn_store_name_entry(key, name);
  const tn_store_found found = wait_for(store, name, wait_ms, out, claim, out_waited);
  if (found != TN_STORE_CLAIMED) {
    drop(claim);
  }
  return found;
}

void tn_store_release_claim(tn_store *store, tn_store_claim *claim) {
  if (claim->fd < 0) {
    return;
  }
  char name[TN_STORE_NAME_SIZE];
  tn_store_name_entry(claim->key, name);
  if (faccessat(store->folder_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
    (void)futimens(claim->fd, NULL);
  }
  drop(claim);
}
