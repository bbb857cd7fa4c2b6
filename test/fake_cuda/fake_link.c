// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stand-in's linker: puts texts of PTX behind each other, with "\177ELF" before them, and looks
// at the directives as a linker does: one strong definition of a function or kernel, and a
// definition for each .extern. Compiling takes FAKE_CUDA_JIT_MS. "// threads N" at the end of the
// code says for what blocks it was compiled.
#include "fake_module.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))
enum { INVALID_SOURCE = 300, SYMBOLS = 256, NAME_SIZE = 200 };

typedef struct symbol {
  char name[NAME_SIZE];
  char piece[NAME_SIZE];
  int is_strong;
  int is_wanted;  // not defined
} symbol;
typedef struct tn_cu_link_handle {
  char *code;
  size_t size;
  char *log;
  size_t log_size;
  unsigned threads;  // of a block, that code is compiled for; 0: the compiler was told nothing
  int has_text;      // some is compiled
  int count;
  symbol symbols[SYMBOLS];
} fake_link;

struct fake_variable {
  struct fake_variable *next;
  char name[NAME_SIZE];
  uint64_t value;
};
static pthread_mutex_t variables_mu = PTHREAD_MUTEX_INITIALIZER;

static void say(fake_link *link, const char *format, const char *name, const char *piece,
                const char *first) {
  if (link->log) {
    (void)snprintf(link->log, link->log_size, format, name, piece, first);
  }
}

EXPORT tn_cu_result cuLinkCreate_v2(unsigned count, int *options, void **values, tn_cu_link *out) {
  fake_link *made = calloc(1, sizeof(*made));
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == TN_CU_JIT_ERROR_LOG) {
      made->log = values[i];
    } else if (options[i] == TN_CU_JIT_ERROR_LOG_SIZE) {
      made->log_size = (size_t)values[i];
    } else if (options[i] == TN_CU_JIT_THREADS_PER_BLOCK) {
      made->threads = (unsigned)(size_t)values[i];
    }
  }
  *out = made;
  return TN_CU_SUCCESS;
}

// The name behind a directive, after the result's parameter, if there is one.
static void read_name(const char *at, char *out) {
  at += strspn(at, " \t");
  if (*at == '(') {
    at = strchr(at, ')');
    at += 1 + strspn(at + 1, " \t");
  }
  const size_t size = strcspn(at, "( \t\n;");
  (void)snprintf(out, NAME_SIZE, "%.*s", (int)size, at);
}

static symbol *find(fake_link *link, const char *name) {
  for (int i = 0; i < link->count; i++) {
    if (strcmp(link->symbols[i].name, name) == 0) {
      return &link->symbols[i];
    }
  }
  return NULL;
}

static int enter(fake_link *link, const char *name, const char *piece, int is_strong,
                 int is_wanted) {
  symbol *known = find(link, name);
  if (!known && link->count < SYMBOLS) {
    known = &link->symbols[link->count++];
    (void)snprintf(known->name, NAME_SIZE, "%s", name);
    known->is_wanted = 1;
  }
  if (!known || (is_wanted && known->piece[0] != '\0')) {
    return 1;
  }
  if (!is_wanted && !known->is_wanted && known->is_strong && is_strong) {
    say(link, "error   : Multiple definition of '%s' in '%s', first defined in '%s'\n", name, piece,
        known->piece);
    return 0;
  }
  (void)snprintf(known->piece, NAME_SIZE, "%s", piece);
  known->is_strong = known->is_strong || is_strong;
  known->is_wanted = known->is_wanted && is_wanted;
  return 1;
}

static int read_line(fake_link *link, const char *line, const char *piece) {
  static const struct {
    const char *directive;
    int is_strong;
    int is_wanted;
  } all[] = {{".visible .func", 1, 0},
             {".weak .func", 0, 0},
             {".extern .func", 0, 1},
             {".visible .entry", 1, 0},
             {".weak .entry", 0, 0}};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
    const size_t size = strlen(all[i].directive);
    if (strncmp(line, all[i].directive, size) == 0) {
      char name[NAME_SIZE];
      read_name(line + size, name);
      return enter(link, name, piece, all[i].is_strong, all[i].is_wanted);
    }
  }
  return 1;
}

static void take_time(void) {
  const char *told = getenv("FAKE_CUDA_JIT_MS");
  const long ms = told ? atol(told) : 0;
  const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
  (void)nanosleep(&pause, NULL);
}

EXPORT tn_cu_result cuLinkAddData_v2(tn_cu_link link, int kind, void *data, size_t size,
                                     const char *name, unsigned count, int *options,
                                     void **values) {
  (void)count;
  (void)options;
  (void)values;
  const int is_text = kind == TN_CU_INPUT_PTX;
  if (is_text && (size == 0 || ((const char *)data)[size - 1] != '\0')) {
    say(link, "%s: the text does not end%s%s\n", name, "", "");
    return TN_CU_INVALID_PTX;
  }
  const char *text = is_text ? data : (const char *)data + 4;
  if (strstr(text, "bad code")) {
    say(link, "ptxas application ptx input, line 3; error: bad code%s%s%s\n", "", "", "");
    return TN_CU_INVALID_PTX;
  }
  if (is_text) {
    take_time();
    link->has_text = 1;
  }
  const size_t length = strlen(text);
  char *grown = realloc(link->code, link->size + length + 5);
  if (!link->code) {
    memcpy(grown, "\177ELF", 4);
    link->size = 4;
  }
  link->code = grown;
  memcpy(grown + link->size, text, length + 1);
  link->size += length;
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (!read_line(link, line, name)) {
      return INVALID_SOURCE;
    }
  }
  return TN_CU_SUCCESS;
}

EXPORT tn_cu_result cuLinkComplete(tn_cu_link link, void **out, size_t *out_size) {
  for (int i = 0; i < link->count; i++) {
    if (link->symbols[i].is_wanted) {
      say(link, "error   : Undefined reference to '%s' in '%s'%s\n", link->symbols[i].name,
          link->symbols[i].piece, "");
      return INVALID_SOURCE;
    }
  }
  if (link->code && link->threads > 0 && link->has_text) {
    char told[64];
    const int length = snprintf(told, sizeof(told), "// threads %u\n", link->threads);
    link->code = realloc(link->code, link->size + sizeof(told));
    memcpy(link->code + link->size, told, (size_t)length + 1);
    link->size += (size_t)length;
  }
  *out = link->code;
  *out_size = link->size + 1;
  return link->code ? TN_CU_SUCCESS : TN_CU_INVALID_VALUE;
}

EXPORT tn_cu_result cuLinkDestroy(tn_cu_link link) {
  free(link->code);
  free(link);
  return TN_CU_SUCCESS;
}

// ".visible .global .align 8 .u64 name;"
EXPORT tn_cu_result cuModuleGetGlobal_v2(tn_cu_address *out, size_t *out_size, tn_cu_module of,
                                         const char *name) {
  char end[NAME_SIZE + 2];
  (void)snprintf(end, sizeof(end), " %s;", name);
  const char *found = strstr(of->code, end);
  while (found && found > of->code && found[-1] != '\n') {
    found--;
  }
  if (!found || strncmp(found, ".visible .global", 16) != 0) {
    return TN_CU_NOT_FOUND;
  }
  pthread_mutex_lock(&variables_mu);
  struct fake_variable *variable = of->variables;
  while (variable && strcmp(variable->name, name) != 0) {
    variable = variable->next;
  }
  if (!variable) {
    variable = calloc(1, sizeof(*variable));
    (void)snprintf(variable->name, NAME_SIZE, "%s", name);
    variable->next = of->variables;
    of->variables = variable;
  }
  pthread_mutex_unlock(&variables_mu);
  *out = (tn_cu_address)(uintptr_t)&variable->value;
  *out_size = sizeof(variable->value);
  return TN_CU_SUCCESS;
}

void fake_variables_free(struct tn_cu_module_handle *module) {
  while (module->variables) {
    struct fake_variable *next = module->variables->next;
    free(module->variables);
    module->variables = next;
  }
}
