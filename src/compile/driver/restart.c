// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exec ends all threads; children of theirs end at their closed pipes.
#include "compile/driver/restart.h"

#include "base/file.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { WRITES_MILLISECONDS = 2000 };

static const char prefix[] = "--tenon-restarted=";

static struct {
  char **argv;  // [1] is for the folder; NULL: there was no memory, or it has been restarted
  char *standard_input;  // where it is kept if the command reads it; NULL: not allowed
  sigset_t signals;
  struct sigaction on_pipe;
} prepared;

void tn_restart_prepare(int *argc, char **argv, tn_arena *arena) {
  prepared.argv = NULL;
  if (*argc > 1 && strncmp(argv[1], prefix, sizeof(prefix) - 1) == 0) {
    tn_temp_dir_remove(tn_str_copy(tn_str_from(argv[1] + sizeof(prefix) - 1)));
    memmove(argv + 1, argv + 2, (size_t)(*argc - 1) * sizeof(*argv));  // with the NULL behind them
    (*argc)--;
    return;
  }
  char **words = *argc > 0 ? tn_arena_alloc_array(arena, (size_t)*argc + 2, sizeof(*words)) : NULL;
  if (words) {
    words[0] = argv[0];
    memcpy(words + 2, argv + 1, (size_t)*argc * sizeof(*words));
  }
  prepared.argv = words;
  (void)pthread_sigmask(SIG_SETMASK, NULL, &prepared.signals);
  (void)sigaction(SIGPIPE, NULL, &prepared.on_pipe);
}

bool tn_restart_allow(const char *temp_dir, tn_arena *arena) {
  char *left = tn_arena_format(arena, "%s%s", prefix, temp_dir);
  char *standard_input = tn_arena_format(arena, "%s/stdin.cpp", temp_dir);
  if (!prepared.argv || !left || !standard_input) {
    return false;
  }
  prepared.argv[1] = left;
  prepared.standard_input = standard_input;
  return true;
}

void tn_restart_forbid(void) { prepared.standard_input = NULL; }

void tn_restart(void) {
  if (!prepared.standard_input) {
    return;
  }
  tn_file_hold_writes(WRITES_MILLISECONDS);
  const int input = open(prepared.standard_input, O_RDONLY | O_CLOEXEC);
  if (input >= 0) {
    (void)dup2(input, STDIN_FILENO);
  }
  (void)sigaction(SIGPIPE, &prepared.on_pipe, NULL);
  (void)pthread_sigmask(SIG_SETMASK, &prepared.signals, NULL);
  (void)execv("/proc/self/exe", prepared.argv);
  tn_file_release_writes();
}
