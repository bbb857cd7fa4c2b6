// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tenon-kernel-fuzz: generates kernels, runs each at all optimization levels, compares with the
// same code as plain C++, and cuts down what differs.
#include "fuzz/kernels/kernel_shrink.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct settings {
  run_options run;
  uint64_t seed;
  uint64_t first;
  uint64_t count;
  uint64_t seconds;  // 0: no limit
  uint32_t batch;
  uint32_t tries;    // runs to shrink a find
  const char *keep;  // a folder for finds, or NULL
  const char *const *replay;
  int replay_count;
  bool print;
} settings;

typedef struct totals {
  uint64_t kernels;
  uint64_t configurations;
  uint64_t by_kind[OUTCOME_INVALID + 1];
} totals;

static void write_find(const settings *s, const kernel_case *it, const char *text) {
  char path[4096];
  if (!s->keep) {
    (void)fputs(text, stdout);
    return;
  }
  (void)snprintf(path, sizeof(path), "%s/find-%llu-%llu.cpp", s->keep, (unsigned long long)it->seed,
                 (unsigned long long)it->index);
  FILE *file = fopen(path, "w");
  const bool is_written = file && fputs(text, file) >= 0;
  if (!file || fclose(file) != 0 || !is_written) {
    (void)fprintf(stderr, "tenon-kernel-fuzz: cannot write '%s'\n", path);
    return;
  }
  (void)printf("  %s\n", path);
}

static void report(const settings *s, tn_arena *arena, kernel_case *it, const outcome *found) {
  outcome small = *found;
  (void)printf("seed %llu, kernel %llu: %s at TENON_JIT_OPT=%u: %s\n", (unsigned long long)it->seed,
               (unsigned long long)it->index, outcome_name(found->kind), found->level, found->text);
  (void)fflush(stdout);
  tn_buf text;
  tn_buf_init(&text, 1 << 24);
  kernel_shrink(&s->run, arena, it, &small, s->tries);
  kernel_print_program(&s->run, it, &small, &text);
  write_find(s, it, tn_buf_text(&text));
  tn_buf_deinit(&text);
  (void)fflush(stdout);
}

// A source of kernels [first, first + count). One that is refused as a whole is run in halves.
static bool run_kernels(const settings *s, uint64_t first, uint32_t count, totals *total) {
  static batch shared;
  tn_arena arena;
  tn_buf text;
  tn_arena_init(&arena);
  tn_buf_init(&text, 1 << 26);
  kernel_print_head(&text);
  kernel_case *cases[BATCH_MAXIMUM];
  shared = (batch){.count = count};
  const bool is_portable = strcmp(s->run.target, "native_cpu") != 0;
  for (uint32_t i = 0; i < count; i++) {
    cases[i] = kernel_generate(&arena, s->seed, first + i, is_portable);
    kernel_print(cases[i], i, &text);
    shared.launches[i] = cases[i]->launch;
  }
  shared.text = tn_buf_text(&text);
  shared.size = text.size;
  if (s->print) {
    (void)fputs(shared.text, stdout);
  }
  bool is_good = batch_run(&s->run, &shared);
  const bool is_whole = shared.configurations == 0 && shared.outcomes[0].kind != OUTCOME_RIGHT;
  if (is_good && is_whole && count > 1) {
    is_good = run_kernels(s, first, count / 2, total) &&
              run_kernels(s, first + count / 2, count - count / 2, total);
  } else if (is_good) {
    outcome outcomes[BATCH_MAXIMUM];
    memcpy(outcomes, shared.outcomes, sizeof(outcomes));
    total->kernels += count;
    total->configurations += shared.configurations;
    for (uint32_t i = 0; i < count; i++) {
      total->by_kind[outcomes[i].kind]++;
      if (outcomes[i].kind != OUTCOME_RIGHT) {
        report(s, &arena, cases[i], &outcomes[i]);
      }
    }
  }
  tn_buf_deinit(&text);
  tn_arena_deinit(&arena);
  return is_good;
}

static bool replay(const settings *s, const char *path, totals *total) {
  static batch b;
  tn_buf text;
  tn_buf_init(&text, 1 << 26);
  FILE *file = fopen(path, "r");
  char piece[4096];
  for (size_t size; file && (size = fread(piece, 1, sizeof(piece), file)) > 0;) {
    tn_buf_add(&text, piece, size);
  }
  if (!file || fclose(file) != 0) {
    (void)fprintf(stderr, "tenon-kernel-fuzz: cannot read '%s'\n", path);
    return false;
  }
  b = (batch){.text = tn_buf_text(&text), .size = text.size};
  for (const char *at = b.text;
       b.count < BATCH_MAXIMUM && kernel_launch_parse(&at, &b.launches[b.count]);) {
    b.count++;
  }
  const bool is_run = b.count > 0 && batch_run(&s->run, &b);
  total->kernels += b.count;
  total->configurations += b.configurations;
  for (uint32_t i = 0; i < b.count && is_run; i++) {
    const outcome *o = &b.outcomes[i];
    total->by_kind[o->kind]++;
    if (o->kind != OUTCOME_RIGHT) {
      (void)printf("%s, kernel %u: %s at TENON_JIT_OPT=%u: %s\n", path, i, outcome_name(o->kind),
                   o->level, o->text);
    }
  }
  tn_buf_deinit(&text);
  return is_run;
}

static uint64_t now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec;
}

// The day, so that each has kernels of its own.
static uint64_t seed_of_today(void) {
  const time_t seconds = time(NULL);
  struct tm day;
  (void)gmtime_r(&seconds, &day);
  return (uint64_t)(day.tm_year + 1900) * 10000 + (uint64_t)(day.tm_mon + 1) * 100 +
         (uint64_t)day.tm_mday;
}

static const char usage[] =
    "usage: tenon-kernel-fuzz [option]... [source]...\n"
    "  --seed N      of the random numbers; 'today' for one made of the date (default 1)\n"
    "  --first N     the first kernel (default 0)\n"
    "  --count N     how many (default 100)\n"
    "  --seconds N   stop after so long; 'env' takes TENON_TEST_FUZZ_SECONDS, 30 without it\n"
    "  --batch N     kernels in a source (default 25)\n"
    "  --levels ABC  values of TENON_JIT_OPT (default 0123; 2 for another target than the CPU)\n"
    "  --front N     what the front end simplifies by, 0 to 3 (default by the seed)\n"
    "  --device T    as ONEAPI_DEVICE_SELECTOR\n"
    "  --target T    of the device code, as -fsycl-targets (default native_cpu)\n"
    "  --limit N     seconds that a kernel may take before it hangs (default 120)\n"
    "  --keep DIR    write finds there, not to the output\n"
    "  --library F   libtenon-compiler.so (default: of the build)\n"
    "  --reference D the folder of the reference's headers (default: of the source tree)\n"
    "  --cxx F       the reference's compiler, clang++ or g++ (default: the build's clang++)\n"
    "  --tries N     runs to make a find smaller (default 600)\n"
    "  --print       the sources as well\n"
    "  --verbose     what the children print as well\n"
    "Sources are run as they are, in place of generated kernels.\n";

static uint32_t levels_of(const char *text) {
  uint32_t levels = 0;
  for (; *text >= '0' && *text <= '3'; text++) {
    levels |= 1u << (*text - '0');
  }
  return levels;
}

static const char *const fronts[] = {"-O0", "-O1", "-O2", "-O3"};

static bool take_number(const char *name, const char *text, settings *s) {
  const uint64_t number = strtoull(text, NULL, 10);
  if (strcmp(name, "--seed") == 0) {
    s->seed = strcmp(text, "today") == 0 ? seed_of_today() : number;
  } else if (strcmp(name, "--first") == 0) {
    s->first = number;
  } else if (strcmp(name, "--count") == 0) {
    s->count = number;
  } else if (strcmp(name, "--seconds") == 0) {
    const char *wanted = getenv("TENON_TEST_FUZZ_SECONDS");
    s->seconds = strcmp(text, "env") != 0 ? number : wanted ? strtoull(wanted, NULL, 10) : 30;
  } else if (strcmp(name, "--batch") == 0) {
    s->batch = number < 1 ? 1 : number > BATCH_MAXIMUM ? BATCH_MAXIMUM : (uint32_t)number;
  } else if (strcmp(name, "--tries") == 0) {
    s->tries = (uint32_t)number;
  } else if (strcmp(name, "--levels") == 0) {
    s->run.levels = levels_of(text);
  } else if (strcmp(name, "--front") == 0) {
    s->run.front = fronts[number & 3];
  } else if (strcmp(name, "--limit") == 0) {
    s->run.seconds = (uint32_t)number;
  } else if (strcmp(name, "--target") == 0) {
    s->run.target = text;
  } else if (strcmp(name, "--device") == 0) {
    (void)setenv("ONEAPI_DEVICE_SELECTOR", text, 1);
  } else if (strcmp(name, "--keep") == 0) {
    s->keep = text;
  } else if (strcmp(name, "--library") == 0) {
    s->run.compiler_library = text;
  } else if (strcmp(name, "--reference") == 0) {
    s->run.reference = text;
  } else if (strcmp(name, "--cxx") == 0) {
    s->run.cxx = text;
  } else {
    return false;
  }
  return true;
}

static bool take_options(int argc, char **argv, settings *s) {
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; i++) {
    if (strcmp(argv[i], "--print") == 0) {
      s->print = true;
    } else if (strcmp(argv[i], "--verbose") == 0) {
      s->run.verbose = true;
    } else if (i + 1 == argc || !take_number(argv[i], argv[i + 1], s)) {
      return false;
    } else {
      i++;
    }
  }
  if (s->run.levels == 0) {
    s->run.levels = strcmp(s->run.target, "native_cpu") == 0 ? 15 : 4;
  }
  if (!s->run.front) {
    static const uint8_t by_seed[] = {2, 3, 2, 1};
    s->run.front = fronts[i == argc ? by_seed[s->seed & 3] : 2];
  }
  s->replay = (const char *const *)argv + i;
  s->replay_count = argc - i;
  return true;
}

static bool run(const settings *s, totals *total) {
  for (int i = 0; i < s->replay_count; i++) {
    if (!replay(s, s->replay[i], total)) {
      return false;
    }
  }
  if (s->replay_count > 0) {
    return true;
  }
  (void)printf("seed %llu\n", (unsigned long long)s->seed);
  const uint64_t start = now();
  for (uint64_t at = 0; at < s->count; at += s->batch) {
    if (s->seconds != 0 && now() - start >= s->seconds) {
      break;
    }
    const uint64_t rest = s->count - at;
    if (!run_kernels(s, s->first + at, rest < s->batch ? (uint32_t)rest : s->batch, total)) {
      return false;
    }
  }
  return true;
}

static void clean(const char *folder) {
  static const char *const names[] = {"kernels.cpp", "kernels.so"};
  char path[4096];
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    (void)snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
    (void)unlink(path);
  }
  (void)rmdir(folder);
}

int main(int argc, char **argv) {
  settings s = {.run = {.compiler_library = TN_FUZZ_COMPILER_LIBRARY,
                        .cxx = TN_FUZZ_CLANG,
                        .reference = TN_FUZZ_REFERENCE,
                        .target = "native_cpu",
                        .seconds = 120},
                .seed = 1,
                .count = 100,
                .batch = 25,
                .tries = 600};
  char work[] = "/tmp/tenon-kernel-fuzz-XXXXXX";
  if (!take_options(argc, argv, &s)) {
    (void)fputs(usage, stderr);
    return 2;
  }
  if (!mkdtemp(work)) {
    perror("tenon-kernel-fuzz: /tmp");
    return 2;
  }
  s.run.work = work;
  totals total = {0};
  const bool is_run = run(&s, &total);
  clean(work);
  const uint64_t wrong = total.by_kind[OUTCOME_WRONG] + total.by_kind[OUTCOME_OUTSIDE];
  const uint64_t crashes = total.by_kind[OUTCOME_CRASH] + total.by_kind[OUTCOME_HANG];
  (void)printf(
      "kernels %llu, configurations %llu, differences %llu, crashes %llu, refused %llu, "
      "invalid %llu\n",
      (unsigned long long)total.kernels, (unsigned long long)total.configurations,
      (unsigned long long)wrong, (unsigned long long)crashes,
      (unsigned long long)total.by_kind[OUTCOME_REFUSED],
      (unsigned long long)total.by_kind[OUTCOME_INVALID]);
  return !is_run ? 2 : total.by_kind[OUTCOME_RIGHT] == total.kernels ? 0 : 1;
}
