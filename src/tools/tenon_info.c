// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tenon-info, also called sycl-ls: the platforms and devices there are, and why an adapter has
// none. Each adapter is looked at by a process of its own, which its drivers may end.
#include "base/alloc.h"
#include "base/thread.h"
#include "tenon/device.h"
#include "tools/device_report.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char help[] =
    "usage: tenon-info [options]   (or sycl-ls)\n"
    "\n"
    "Lists the devices that SYCL programs may use, a line each:\n"
    "[adapter:type][adapter:number] platform, device version [driver]\n"
    "\n"
    "  --verbose, -v   all that is known of platforms and devices, and why an adapter has\n"
    "                  none\n"
    "  --json          the same as JSON\n"
    "  --ignore-device-selectors\n"
    "                  also what ONEAPI_DEVICE_SELECTOR leaves out\n"
    "  --adapter=<name>  only this one's: cpu, cuda, opencl\n"
    "  --timeout=<n>   seconds that an adapter's drivers may take; 20\n"
    "  --help          print this\n"
    "  --version       print the version\n"
    "\n"
    "The exit status is 0 when a device is listed, 3 when there is none because a driver ended\n"
    "the process that looked at it or did not answer, else 1.\n";

enum { REPORT_MAX = 1 << 24, SELECTOR_MAX = 1 << 16, REASON_SIZE = 256 };
enum { SECONDS_DEFAULT = 20, SECONDS_MAXIMUM = 3600 };
enum { EXIT_NONE = 1, EXIT_DRIVER_FAILED = 3 };
static const char selector_name[] = "ONEAPI_DEVICE_SELECTOR";

typedef struct info_options {
  tn_device_form form;
  bool ignores_selectors;
  uint64_t seconds;
  const char *adapter;  // borrowed; NULL: all
  bool help;
  bool version;
} info_options;

static bool has_adapter(const char *name) {
  size_t i = 0;
  while (tn_adapter_name(i) && strcmp(tn_adapter_name(i), name) != 0) {
    i++;
  }
  return tn_adapter_name(i) != NULL;
}

static bool read_option(const char *word, info_options *out) {
  static const char timeout[] = "--timeout=";
  if (strncmp(word, timeout, sizeof(timeout) - 1) == 0) {
    return tn_str_to_u64(tn_str_from(word + sizeof(timeout) - 1), &out->seconds) &&
           out->seconds > 0 && out->seconds <= SECONDS_MAXIMUM;
  }
  static const char adapter[] = "--adapter=";
  if (strncmp(word, adapter, sizeof(adapter) - 1) == 0) {
    out->adapter = word + sizeof(adapter) - 1;
    return has_adapter(out->adapter);
  }
  if (strcmp(word, "--verbose") == 0 || strcmp(word, "-v") == 0) {
    out->form = TN_DEVICES_VERBOSE;
  } else if (strcmp(word, "--json") == 0) {
    out->form = TN_DEVICES_JSON;
  } else if (strcmp(word, "--ignore-device-selectors") == 0) {
    out->ignores_selectors = true;
  } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    out->help = true;
  } else if (strcmp(word, "--version") == 0) {
    out->version = true;
  } else {
    return false;
  }
  return true;
}

// What the person chose; empty when nothing.
static const char *given_selector(void) {
  const size_t size = sizeof(selector_name) - 1;
  for (char **variable = environ; *variable; variable++) {
    if (strncmp(*variable, selector_name, size) == 0 && (*variable)[size] == '=') {
      return *variable + size + 1;
    }
  }
  return "";
}

// The person's choice without the devices of all adapters but one.
static bool choose_adapter(const char *name, bool ignores_selectors) {
  tn_buf selector;
  tn_buf_init(&selector, SELECTOR_MAX);
  tn_buf_add_text(&selector, ignores_selectors ? "" : given_selector());
  for (size_t i = 0; tn_adapter_name(i); i++) {
    if (strcmp(tn_adapter_name(i), name) != 0) {
      tn_buf_add_format(&selector, "%s!%s:*", selector.size > 0 ? ";" : "", tn_adapter_name(i));
    }
  }
  const char *text = tn_buf_text(&selector);
  const bool is_set = text && setenv(selector_name, text, 1) == 0;
  tn_buf_deinit(&selector);
  return is_set;
}

static void write_all(int to, tn_bytes bytes) {
  for (size_t done = 0; done < bytes.size;) {
    const ssize_t count = write(to, bytes.data + done, bytes.size - done);
    if (count < 0 && errno != EINTR) {
      return;
    }
    done += count > 0 ? (size_t)count : 0;
  }
}

// In the child.
_Noreturn static void report(const char *name, const info_options *options, int to) {
  tn_buf text;
  tn_buf_init(&text, REPORT_MAX);
  if (choose_adapter(name, options->ignores_selectors)) {
    tn_devices_print(&text, name, options->form);
  }
  write_all(to, tn_buf_bytes(&text));
  _exit(0);  // drivers have threads that an orderly end waits for
}

// All that the child writes until it is done; false when that takes too long.
static bool read_report(int from, uint64_t seconds, tn_buf *out) {
  const uint64_t end = tn_time_ns() + seconds * 1000000000u;
  for (;;) {
    char bytes[4096];
    struct pollfd wait = {.fd = from, .events = POLLIN};
    const uint64_t now = tn_time_ns();
    const int left = now < end ? (int)((end - now) / 1000000u) + 1 : 0;
    const int ready = left > 0 ? poll(&wait, 1, left) : 0;
    if (ready == 0) {
      return false;
    }
    const ssize_t count = ready > 0 ? read(from, bytes, sizeof(bytes)) : -1;
    if (count == 0) {
      return true;
    }
    if (count > 0) {
      tn_buf_add(out, bytes, (size_t)count);
    } else if (errno != EINTR) {
      return true;
    }
  }
}

// False when a driver ended the process that asked it, or was too slow.
static bool ask_adapter(const char *name, const info_options *options, tn_buf *out) {
  int ends[2];
  char reason[REASON_SIZE] = "";
  int status = 0;
  tn_buf text;
  if (pipe(ends) != 0) {
    tn_devices_print_failure(out, name, "no pipe for the process that looks at it", options->form);
    return true;
  }
  tn_buf_init(&text, REPORT_MAX);
  const pid_t child = fork();
  if (child == 0) {
    (void)close(ends[0]);
    report(name, options, ends[1]);
  }
  (void)close(ends[1]);
  if (child < 0) {
    (void)snprintf(reason, sizeof(reason), "no process to look at it: %s", strerror(errno));
  } else if (!read_report(ends[0], options->seconds, &text)) {
    (void)snprintf(reason, sizeof(reason), "a driver did not answer within %llu seconds",
                   (unsigned long long)options->seconds);
    (void)kill(child, SIGKILL);
  }
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (reason[0] == '\0' && WIFSIGNALED(status)) {
    (void)snprintf(reason, sizeof(reason), "a driver ended the process that looked at it: %s",
                   strsignal(WTERMSIG(status)));
  } else if (reason[0] == '\0' && WEXITSTATUS(status) != 0) {
    (void)snprintf(reason, sizeof(reason),
                   "a driver ended the process that looked at it, with status %d",
                   WEXITSTATUS(status));
  }
  (void)close(ends[0]);
  if (reason[0] != '\0') {
    tn_devices_print_failure(out, name, reason, options->form);
    (void)fprintf(stderr, "tenon-info: warning: %s is left out: %s\n", name, reason);
  } else {
    tn_buf_add(out, text.data, text.size);
  }
  tn_buf_deinit(&text);
  return reason[0] == '\0';
}

static bool has_devices(const tn_buf *out, tn_device_form form) {
  const tn_str text = tn_buf_str(out);
  const tn_str sign = form == TN_DEVICES_JSON      ? TN_STR_LIT("\"devices\": [{")
                      : form == TN_DEVICES_VERBOSE ? TN_STR_LIT("\n  device ")
                                                   : TN_STR_LIT("[");
  return tn_str_find(text, sign) != SIZE_MAX;
}

int main(int argc, char **argv) {
  (void)unsetenv("TENON_TRY_DRIVERS");  // which starts this program
  info_options options = {.form = TN_DEVICES_SHORT, .seconds = SECONDS_DEFAULT};
  for (int i = 1; i < argc; i++) {
    if (!read_option(argv[i], &options)) {
      (void)fprintf(
          stderr, "tenon-info: error: unknown option, or a wrong value: '%s'; --help lists them\n",
          argv[i]);
      return EXIT_NONE;
    }
  }
  if (options.help || options.version) {
    (void)fputs(options.help ? help : "tenon-info " TN_VERSION "\n", stdout);
    return 0;
  }
  const bool is_json = options.form == TN_DEVICES_JSON;
  tn_buf out;
  tn_buf_init(&out, REPORT_MAX);
  tn_buf_add_text(&out, is_json ? "{\"adapters\": [" : "");
  bool have_answered = true;
  bool is_first = true;
  for (size_t i = 0; tn_adapter_name(i); i++) {
    const char *name = tn_adapter_name(i);
    if (!options.adapter || strcmp(options.adapter, name) == 0) {
      tn_buf_add_text(&out, is_json && !is_first ? ", " : "");
      have_answered = ask_adapter(name, &options, &out) && have_answered;
      is_first = false;
    }
  }
  tn_buf_add_text(&out, is_json ? "]}\n" : "");
  const bool has_any = has_devices(&out, options.form);
  if (!options.ignores_selectors && given_selector()[0] != '\0') {
    (void)fprintf(stderr,
                  "tenon-info: note: ONEAPI_DEVICE_SELECTOR=\"%s\" leaves devices out; "
                  "--ignore-device-selectors lists them\n",
                  given_selector());
  }
  if (!has_any && !is_json) {
    (void)fprintf(stderr, "tenon-info: no device is listed; --verbose says why\n");
  }
  const bool is_written = fwrite(out.data, 1, out.size, stdout) == out.size && fflush(stdout) == 0;
  tn_buf_deinit(&out);
  return has_any && is_written ? 0 : have_answered ? EXIT_NONE : EXIT_DRIVER_FAILED;
}
