// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child processes over posix_spawn, which shares the parent's memory until the program is loaded
// and so starts as fast from a large process as from a small one.
#include "base/process.h"

#include "base/config.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void close_fd(int *fd) {
  if (*fd >= 0) {
    (void)close(*fd);
    *fd = -1;
  }
}

// Room in the child for one captured stream; the read end stays here.
static int capture(posix_spawn_file_actions_t *actions, int child_fd, int ends[2]) {
  if (tn_fault_hit()) {
    return EMFILE;
  }
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return errno;
  }
  return posix_spawn_file_actions_adddup2(actions, ends[1], child_fd);
}

// In a program with other rights than its caller's the PATH is not the caller's, and the child,
// which may not know about it, gets nothing of the caller's environment.
static int spawn_program(const char *const *argv, const posix_spawn_file_actions_t *actions,
                         const posix_spawnattr_t *attributes, pid_t *pid) {
  static char search_path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
  static char *const environment[] = {search_path, NULL};
  if (!tn_config_get()->is_secure) {
    return posix_spawnp(pid, argv[0], actions, attributes, (char *const *)argv, environ);
  }
  char *path = tn_process_find(argv[0]);
  const int failed =
      path ? posix_spawn(pid, path, actions, attributes, (char *const *)argv, environment) : ENOENT;
  tn_free(path);
  return failed;
}

static int spawn(const char *const *argv, const posix_spawn_file_actions_t *actions, pid_t *pid) {
  if (tn_fault_hit()) {
    return EAGAIN;
  }
  // The child starts with no signal blocked and the default pipe behavior, whoever started it.
  posix_spawnattr_t attributes;
  int failed = posix_spawnattr_init(&attributes);
  if (failed != 0) {
    return failed;
  }
  sigset_t none;
  sigset_t reset;
  (void)sigemptyset(&none);
  (void)sigemptyset(&reset);
  (void)sigaddset(&reset, SIGPIPE);
  (void)posix_spawnattr_setsigmask(&attributes, &none);
  (void)posix_spawnattr_setsigdefault(&attributes, &reset);
  (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  failed = spawn_program(argv, actions, &attributes, pid);
  (void)posix_spawnattr_destroy(&attributes);
  return failed;
}

static tn_status start_fail(const char *program, int failed, tn_diag *diag) {
  if (failed == ENOENT) {
    return TN_FAIL_NATIVE(diag, IO, failed,
                          "%s: no such program; install it or put its folder into PATH", program);
  }
  return TN_FAIL_NATIVE(diag, IO, failed, "%s: cannot be started: %s", program, strerror(failed));
}

// `input_fd`: the child's standard input, or -1 for what the flags say.
static tn_status start(const char *const *argv, uint32_t flags, int input_fd, tn_process *out,
                       tn_diag *diag) {
  *out = (tn_process){.pid = 0, .output_fd = -1, .error_fd = -1};
  int output[2] = {-1, -1};
  int error[2] = {-1, -1};
  pid_t pid = 0;
  posix_spawn_file_actions_t actions;
  int failed = posix_spawn_file_actions_init(&actions);
  if (failed != 0) {
    return start_fail(argv[0], failed, diag);
  }
  if (input_fd >= 0) {
    failed = posix_spawn_file_actions_adddup2(&actions, input_fd, STDIN_FILENO);
  } else if ((flags & TN_PROCESS_NULL_INPUT) != 0) {
    failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  if (failed == 0 && (flags & TN_PROCESS_CAPTURE_OUTPUT) != 0) {
    failed = capture(&actions, STDOUT_FILENO, output);
  }
  if (failed == 0 && (flags & TN_PROCESS_CAPTURE_ERROR) != 0) {
    failed = capture(&actions, STDERR_FILENO, error);
  }
  if (failed == 0) {
    failed = spawn(argv, &actions, &pid);
  }
  (void)posix_spawn_file_actions_destroy(&actions);
  close_fd(&output[1]);
  close_fd(&error[1]);
  if (failed != 0) {
    close_fd(&output[0]);
    close_fd(&error[0]);
    return start_fail(argv[0], failed, diag);
  }
  *out = (tn_process){.pid = (int)pid, .output_fd = output[0], .error_fd = error[0]};
  return TN_OK;
}

tn_status tn_process_start(const char *const *argv, uint32_t flags, tn_process *out,
                           tn_diag *diag) {
  return start(argv, flags, -1, out, diag);
}

// Takes what is there; closes the stream at its end.
static void drain(int *fd, tn_buf *into) {
  char chunk[16 * 1024];
  const ssize_t got = read(*fd, chunk, sizeof(chunk));
  if (got > 0) {
    if (into) {
      tn_buf_add(into, chunk, (size_t)got);
    }
  } else if (got == 0 || errno != EINTR) {
    close_fd(fd);
  }
}

// Both streams at once: a child that fills one pipe while we read the other would stop for good.
static void drain_all(tn_process *process, tn_buf *output, tn_buf *error) {
  while (process->output_fd >= 0 || process->error_fd >= 0) {
    struct pollfd streams[2] = {{.fd = process->output_fd, .events = POLLIN},
                                {.fd = process->error_fd, .events = POLLIN}};
    if (poll(streams, TN_COUNT(streams), -1) < 0) {
      if (errno == EINTR) {
        continue;
      }
      break;
    }
    if (streams[0].revents != 0) {
      drain(&process->output_fd, output);
    }
    if (streams[1].revents != 0) {
      drain(&process->error_fd, error);
    }
  }
  close_fd(&process->output_fd);
  close_fd(&process->error_fd);
}

static int reap(int pid, int *state) {
  for (;;) {
    if (waitpid(pid, state, 0) == pid) {
      return 0;
    }
    if (errno != EINTR) {
      return errno;
    }
  }
}

tn_status tn_process_wait(tn_process *process, tn_buf *output, tn_buf *error, int *out_exit,
                          tn_diag *diag) {
  *out_exit = -1;
  if (process->pid <= 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "there is no running process to wait for");
  }
  drain_all(process, output, error);
  int state = 0;
  const int failed = reap(process->pid, &state);
  process->pid = 0;
  if (failed != 0) {
    return TN_FAIL_NATIVE(diag, IO, failed, "a child process cannot be waited for: %s",
                          strerror(failed));
  }
  *out_exit = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
  return TN_OK;
}

// A file in memory at its beginning; -1 and errno.
static int memory_file(tn_bytes bytes) {
  const int fd = tn_fault_hit() ? (errno = EMFILE, -1) : memfd_create("tenon-input", MFD_CLOEXEC);
  size_t done = 0;
  while (fd >= 0 && done < bytes.size) {
    const ssize_t put = write(fd, bytes.data + done, bytes.size - done);
    if (put < 0 && errno != EINTR) {
      const int failed = errno;
      (void)close(fd);
      errno = failed;
      return -1;
    }
    done += put > 0 ? (size_t)put : 0;
  }
  if (fd >= 0) {
    (void)lseek(fd, 0, SEEK_SET);
  }
  return fd;
}

tn_status tn_process_filter(const char *const *argv, tn_bytes input, tn_buf *output, int *out_exit,
                            tn_diag *diag) {
  *out_exit = -1;
  int fd = memory_file(input);
  if (fd < 0) {
    return start_fail(argv[0], errno, diag);
  }
  tn_process process;
  const uint32_t flags = TN_PROCESS_CAPTURE_OUTPUT | TN_PROCESS_CAPTURE_ERROR;
  const tn_status status = start(argv, flags, fd, &process, diag);
  close_fd(&fd);
  TN_TRY(status);
  // A program that ignores SIGCHLD, or waits for all children, takes the exit status away.
  TN_IGNORE(tn_process_wait(&process, output, NULL, out_exit, NULL), "the output says enough");
  return TN_OK;
}

void tn_process_kill(tn_process *process) {
  if (process->pid > 0) {
    int state = 0;
    (void)kill(process->pid, SIGKILL);
    (void)reap(process->pid, &state);
    process->pid = 0;
  }
  close_fd(&process->output_fd);
  close_fd(&process->error_fd);
}

char *tn_process_find(const char *name) {
  if (strchr(name, '/')) {
    return tn_file_is_executable(name) ? tn_str_copy(tn_str_from(name)) : NULL;
  }
  tn_str rest = tn_str_from(tn_config_get()->search_path);
  while (rest.data) {
    tn_str dir = tn_str_split(&rest, ':');
    if (dir.size == 0) {
      dir = TN_STR_LIT(".");
    }
    char *path = tn_path_join(dir, tn_str_from(name));
    if (path && tn_file_is_executable(path)) {
      return path;
    }
    tn_free(path);
  }
  return NULL;
}
