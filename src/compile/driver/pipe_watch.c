// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SIGPIPE goes to the thread that writes, so no thread can wait for it: a handler takes it, and the
// stream is asked afterwards.
#include "compile/driver/pipe_watch.h"

#include <poll.h>

static void on_pipe(int number) { (void)number; }

static bool is_watched(void) {
  struct sigaction now;
  return sigaction(SIGPIPE, NULL, &now) == 0 && now.sa_handler == on_pipe;
}

void tn_pipe_watch_open(tn_pipe_watch *watch) {
  *watch = (tn_pipe_watch){0};
  if (sigaction(SIGPIPE, NULL, &watch->before) != 0 || watch->before.sa_handler == SIG_IGN) {
    return;
  }
  struct sigaction action = {.sa_handler = on_pipe, .sa_flags = SA_RESTART};
  (void)sigemptyset(&action.sa_mask);
  (void)sigaction(SIGPIPE, &action, NULL);
}

bool tn_pipe_is_broken(FILE *stream) {
  if (!ferror(stream) || !is_watched()) {
    return false;
  }
  struct pollfd state = {.fd = fileno(stream), .events = POLLOUT};
  return state.fd >= 0 && poll(&state, 1, 0) == 1 && (state.revents & POLLERR) != 0;
}

void tn_pipe_watch_close(const tn_pipe_watch *watch, FILE *out, FILE *err) {
  const bool is_broken = tn_pipe_is_broken(out) || tn_pipe_is_broken(err);
  if (is_watched()) {
    (void)sigaction(SIGPIPE, &watch->before, NULL);
  }
  if (is_broken) {
    (void)raise(SIGPIPE);
  }
}
