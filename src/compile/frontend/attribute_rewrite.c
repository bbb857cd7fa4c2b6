// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds [[sycl::reqd_work_group_size(…)]], reqd_sub_group_size and device_has in preprocessed
// source, and turns them into clang::annotate, which takes any constant expression and depends on
// templates as the function does.
//
// Where an attribute stands decides where its annotation has to go: before a declaration it stays;
// behind a lambda's parameters it belongs to the type, and goes before them; behind a function's it
// becomes __attribute__. Lines keep their numbers: nothing is taken out but tokens.
#include "base/alloc.h"
#include "compile/frontend/frontend.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct token {
  uint32_t begin;
  uint32_t size;
  char kind;  // 'w' a word, 'l' a literal or number, else the character itself
} token;

typedef struct edit {
  size_t at;
  size_t removed;
  size_t order;
  tn_str text;
} edit;

typedef struct rewriter {
  tn_str text;
  token *tokens;  // owned
  size_t count, capacity;
  edit *edits;  // owned
  size_t edit_count, edit_capacity;
  tn_arena arena;
  bool failed;  // no memory
} rewriter;

static const char *const names[] = {"reqd_work_group_size", "reqd_sub_group_size", "device_has"};

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80) != 0; }

static void add_token(rewriter *r, size_t begin, size_t end, char kind) {
  if (r->count == r->capacity && !r->failed) {
    const size_t capacity = r->capacity == 0 ? 1 << 16 : r->capacity * 2;
    token *grown = tn_realloc(r->tokens, capacity * sizeof(*grown));
    r->failed = !grown;
    r->tokens = grown ? grown : r->tokens;
    r->capacity = grown ? capacity : r->capacity;
  }
  if (!r->failed) {
    r->tokens[r->count++] = (token){(uint32_t)begin, (uint32_t)(end - begin), kind};
  }
}

static void add_edit(rewriter *r, size_t at, size_t removed, tn_str text) {
  if (r->edit_count == r->edit_capacity && !r->failed) {
    const size_t capacity = r->edit_capacity == 0 ? 64 : r->edit_capacity * 2;
    edit *grown = tn_realloc(r->edits, capacity * sizeof(*grown));
    r->failed = !grown;
    r->edits = grown ? grown : r->edits;
    r->edit_capacity = grown ? capacity : r->edit_capacity;
  }
  if (!r->failed) {
    r->edits[r->edit_count] = (edit){at, removed, r->edit_count, text};
    r->edit_count++;
  }
}

static size_t line_end(tn_str text, size_t at) {
  const size_t size = tn_str_find_char(tn_str_slice(text, at, text.size - at), '\n');
  return size == SIZE_MAX ? text.size : at + size;
}

static size_t literal_end(tn_str text, size_t at) {
  const char quote = text.data[at++];
  while (at < text.size && text.data[at] != quote && text.data[at] != '\n') {
    at += text.data[at] == '\\' ? 2 : 1;
  }
  return at < text.size ? at + 1 : text.size;
}

// `at` is behind R of R"delimiter( … )delimiter".
static size_t raw_literal_end(tn_str text, size_t at) {
  char end[20] = {')'};
  const tn_str rest = tn_str_slice(text, at + 1, text.size - at - 1);
  const size_t open = tn_str_find_char(rest, '(');
  if (open == SIZE_MAX || open > 16) {
    return at + 1;
  }
  memcpy(end + 1, rest.data, open);
  end[open + 1] = '"';
  const size_t close = tn_str_find(rest, (tn_str){end, open + 2});
  return close == SIZE_MAX ? text.size : at + 1 + close + open + 2;
}

static size_t word_end(tn_str text, size_t at) {
  const bool is_number = isdigit((unsigned char)text.data[at]) != 0;
  while (at < text.size && (is_word(text.data[at]) ||
                            (is_number && (text.data[at] == '.' || text.data[at] == '\'')))) {
    ++at;
  }
  return at;
}

static size_t comment_end(tn_str text, size_t at) {
  if (text.data[at + 1] == '/') {
    return line_end(text, at);
  }
  const size_t size = tn_str_find(tn_str_slice(text, at + 2, text.size - at - 2), TN_STR_LIT("*/"));
  return size == SIZE_MAX ? text.size : at + size + 4;
}

static size_t read_token(rewriter *r, size_t at) {
  const tn_str text = r->text;
  const char c = text.data[at];
  const char next = at + 1 < text.size ? text.data[at + 1] : '\0';
  size_t end = at + 1;
  if (c == '/' && (next == '/' || next == '*')) {
    return comment_end(text, at);
  }
  if (c == '"' || c == '\'') {
    end = literal_end(text, at);
    add_token(r, at, end, 'l');
  } else if (is_word(c)) {
    end = word_end(text, at);
    const bool is_raw = text.data[end - 1] == 'R' && end < text.size && text.data[end] == '"';
    end = is_raw ? raw_literal_end(text, end) : end;
    add_token(r, at, end, is_raw || isdigit((unsigned char)c) ? 'l' : 'w');
  } else if (!isspace((unsigned char)c)) {
    add_token(r, at, end, c);
  }
  return end;
}

// Sources that are not preprocessed have directives of several lines.
static size_t directive_end(tn_str text, size_t at) {
  size_t end = line_end(text, at);
  while (end + 1 < text.size && end > at && text.data[end - 1] == '\\') {
    end = line_end(text, end + 1);
  }
  return end;
}

static void read_tokens(rewriter *r) {
  bool is_line_start = true;
  for (size_t at = 0; at < r->text.size && !r->failed;) {
    const char c = r->text.data[at];
    if (is_line_start && c == '#') {
      at = directive_end(r->text, at);
      continue;
    }
    is_line_start = c == '\n' || (is_line_start && isspace((unsigned char)c));
    at = read_token(r, at);
  }
}

static char kind_at(const rewriter *r, size_t i) { return i < r->count ? r->tokens[i].kind : '\0'; }

static tn_str text_at(const rewriter *r, size_t i) {
  return i < r->count ? tn_str_slice(r->text, r->tokens[i].begin, r->tokens[i].size) : (tn_str){0};
}

static bool is_text(const rewriter *r, size_t i, const char *text) {
  return tn_str_equals(text_at(r, i), tn_str_from(text));
}

static size_t end_of(const rewriter *r, size_t i) {
  return (size_t)r->tokens[i].begin + r->tokens[i].size;
}

static bool opens_attribute(const rewriter *r, size_t i) {
  return kind_at(r, i) == '[' && kind_at(r, i + 1) == '[';
}

// The index of the bracket that closes the one at `i`, or SIZE_MAX.
static size_t close_of(const rewriter *r, size_t i) {
  size_t depth = 0;
  for (; i < r->count; i++) {
    const char kind = r->tokens[i].kind;
    depth += kind == '(' || kind == '[' || kind == '{';
    depth -= kind == ')' || kind == ']' || kind == '}';
    if (depth == 0) {
      return i;
    }
  }
  return SIZE_MAX;
}

// The index of the bracket that opens what the one at `i` closes, or SIZE_MAX. Between < and > no
// other comparison is expected.
static size_t open_of(const rewriter *r, size_t i) {
  const bool is_angle = kind_at(r, i) == '>';
  size_t depth = 0;
  for (; i < r->count; i--) {
    const char kind = r->tokens[i].kind;
    depth += kind == ')' || kind == ']' || kind == '}' || (is_angle && kind == '>');
    depth -= kind == '(' || kind == '[' || kind == '{' || (is_angle && kind == '<');
    if (depth == 0) {
      return i;
    }
  }
  return SIZE_MAX;
}

// Whether the token closes an attribute; then `*i` is the token before that.
static bool step_over_attribute(const rewriter *r, size_t *i) {
  const size_t open = kind_at(r, *i) == ']' ? open_of(r, *i) : SIZE_MAX;
  if (open == SIZE_MAX || !opens_attribute(r, open)) {
    return false;
  }
  *i = open - 1;
  return true;
}

static bool is_one_of(const rewriter *r, size_t i, const char *const *words) {
  for (; *words; words++) {
    if (is_text(r, i, *words)) {
      return true;
    }
  }
  return false;
}

typedef enum specifier_place {
  BEFORE_DECLARATION,
  BEHIND_LAMBDA,
  BEHIND_FUNCTION
} specifier_place;

// Of parameters whose "(" is `open`.
static specifier_place place_behind(const rewriter *r, size_t open) {
  size_t i = open - 1;
  while (step_over_attribute(r, &i)) {
  }
  if (kind_at(r, i) == '>') {
    const size_t angle = open_of(r, i);
    i = angle == SIZE_MAX ? SIZE_MAX : angle - 1;
  }
  return kind_at(r, i) == ']' ? BEHIND_LAMBDA : BEHIND_FUNCTION;
}

// Where the attribute that begins at `i` stands; `*out_open` is then the "(" of the parameters
// before it.
static specifier_place find_place(const rewriter *r, size_t i, size_t *out_open) {
  static const char *const specifiers[] = {"const",     "volatile", "mutable", "constexpr",
                                           "consteval", "noexcept", "&",       NULL};
  static const char *const calls[] = {"noexcept", "throw", "__attribute__", "alignas", "__declspec",
                                      "decltype", NULL};
  for (i--; i < r->count; i--) {
    size_t before = i;
    if (step_over_attribute(r, &before)) {
      i = before + 1;
      continue;
    }
    const size_t open = kind_at(r, i) == ')' ? open_of(r, i) : SIZE_MAX;
    if (open != SIZE_MAX && open > 0 && is_one_of(r, open - 1, calls)) {
      i = open - 1;
    } else if (open != SIZE_MAX && open > 0) {
      *out_open = open;
      return place_behind(r, open);
    } else if (!is_one_of(r, i, specifiers)) {
      return BEFORE_DECLARATION;
    }
  }
  return BEFORE_DECLARATION;
}

// Tokens as text of one line.
static void add_flat(const rewriter *r, size_t first, size_t end, tn_buf *out) {
  for (size_t i = first; i < end; i++) {
    if (i > first && end_of(r, i - 1) != r->tokens[i].begin) {
      tn_buf_add_char(out, ' ');
    }
    tn_buf_add_str(out, text_at(r, i));
  }
}

// The end of the argument that begins at `first`; `close` behind the last one.
static size_t argument_end(const rewriter *r, size_t first, size_t close) {
  size_t depth = 0;
  for (size_t i = first; i < close; i++) {
    const char kind = kind_at(r, i);
    depth += kind == '(' || kind == '[' || kind == '{';
    depth -= (kind == ')' || kind == ']' || kind == '}') && depth > 0;
    if (kind == ',' && depth == 0) {
      return i;
    }
  }
  return close;
}

static bool has_kind(const rewriter *r, size_t first, size_t end, char kind) {
  while (first < end && kind_at(r, first) != kind) {
    first++;
  }
  return first < end;
}

// One argument as a value. A local variable that a template names would be taken by reference
// otherwise, and captured by the lambda in this pass alone.
static void add_argument(const rewriter *r, const char *name, size_t first, size_t end,
                         tn_buf *out) {
  size_t last = end;
  while (last > first && kind_at(r, last - 1) == '.') {
    last--;
  }
  const bool is_named = has_kind(r, first, last, 'w');
  if (is_named) {
    tn_buf_add_text(out, strcmp(name, "device_has") == 0 ? "static_cast<int>(" : "+(");
  }
  add_flat(r, first, last, out);
  if (is_named) {
    tn_buf_add_char(out, ')');
  }
  add_flat(r, last, end, out);  // the dots of a pack
}

// annotate("tenon.<name>", <arguments>); `open` and `close` are the parentheses of the arguments.
static void add_annotation(const rewriter *r, const char *name, size_t open, size_t close,
                           tn_buf *out) {
  tn_buf_add_format(out, "annotate(\"tenon.%s\"", name);
  const size_t first_end = argument_end(r, open + 1, close);
  if (close > open + 1 && first_end < close && has_kind(r, open, close, '<')) {
    // The comma may be one of template arguments.
    tn_buf_add_text(out, ", ");
    add_flat(r, open + 1, close, out);
  } else {
    for (size_t first = open + 1; first < close;) {
      const size_t end = argument_end(r, first, close);
      tn_buf_add_text(out, ", ");
      add_argument(r, name, first, end, out);
      first = end + 1;
    }
  }
  tn_buf_add_char(out, ')');
}

// The attribute specifier that begins at token `first` and ends with token `last`.
typedef struct specifier {
  size_t first, last;
  specifier_place place;
  size_t parameters;
} specifier;

static tn_status insert(rewriter *r, const specifier *s, const char *name, size_t open,
                        size_t close, tn_diag *diag) {
  size_t at = end_of(r, s->last);
  const char *before = " [[clang::";
  const char *after = "]]";
  if (s->place == BEHIND_LAMBDA) {
    at = r->tokens[s->parameters].begin;
  } else if (s->place == BEHIND_FUNCTION) {
    size_t last = s->last;
    while (opens_attribute(r, last + 1) && close_of(r, last + 1) != SIZE_MAX) {
      last = close_of(r, last + 1);
    }
    if (kind_at(r, last + 1) == '-') {
      return TN_FAIL(diag, BUILD_FAILED,
                     "[[sycl::%s]] before a trailing return type is not supported: put the "
                     "attribute before the declaration",
                     name);
    }
    at = end_of(r, last);
    before = " __attribute__((";
    after = "))";
  }
  tn_buf text;
  tn_buf_init(&text, 1 << 20);
  tn_buf_add_text(&text, before);
  add_annotation(r, name, open, close, &text);
  tn_buf_add_text(&text, after);
  tn_status status = tn_buf_status(&text, diag);
  const char *kept = status == TN_OK ? tn_arena_str(&r->arena, tn_buf_str(&text)) : NULL;
  r->failed = r->failed || (status == TN_OK && !kept);
  if (kept) {
    add_edit(r, at, 0, tn_str_from(kept));
  }
  tn_buf_deinit(&text);
  return status;
}

static const char *name_at(const rewriter *r, size_t i) {
  for (size_t n = 0; n < TN_COUNT(names); n++) {
    if (is_text(r, i, names[n]) && kind_at(r, i + 1) == '(') {
      return names[n];
    }
  }
  return NULL;
}

// DPC++ takes the older scopes as well.
static bool is_scope_name(const rewriter *r, size_t i) {
  static const char *const scopes[] = {"sycl", "intel", "cl", NULL};
  return is_one_of(r, i, scopes);
}

static bool is_scope(const rewriter *r, size_t i) {
  return is_scope_name(r, i) && kind_at(r, i + 1) == ':' && kind_at(r, i + 2) == ':';
}

// An attribute of a specifier: the tokens from `first` to `close`, its arguments between `open` and
// `close`.
typedef struct attribute {
  const char *name;
  size_t first, open, close;
} attribute;

// The next attribute of the specifier at or after `*i`, which is then behind it.
static bool next_attribute(const rewriter *r, const specifier *s, size_t *i, attribute *out) {
  const bool is_using = is_text(r, s->first + 2, "using") && is_scope_name(r, s->first + 3);
  for (size_t at = *i; at < s->last; at++) {
    const size_t name_index = is_scope(r, at) ? at + 3 : at;
    const char *name = is_using || is_scope(r, at) ? name_at(r, name_index) : NULL;
    const size_t close = name ? close_of(r, name_index + 1) : SIZE_MAX;
    if (close != SIZE_MAX) {
      *out = (attribute){name, at, name_index + 1, close};
      *i = close + 1;
      return true;
    }
  }
  return false;
}

static tn_status rewrite_specifier(rewriter *r, size_t first, size_t last, tn_diag *diag) {
  specifier s = {.first = first, .last = last};
  attribute a;
  bool is_placed = false;
  for (size_t i = first + 2; next_attribute(r, &s, &i, &a);) {
    if (!is_placed) {
      s.place = find_place(r, first, &s.parameters);
      is_placed = true;
    }
    TN_TRY(insert(r, &s, a.name, a.open, a.close, diag));
    for (size_t t = a.first; t <= a.close; t++) {
      add_edit(r, r->tokens[t].begin, r->tokens[t].size, (tn_str){0});
    }
  }
  return TN_OK;
}

static int compare_edits(const void *left, const void *right) {
  const edit *a = left;
  const edit *b = right;
  if (a->at != b->at) {
    return a->at < b->at ? -1 : 1;
  }
  return a->order < b->order ? -1 : 1;
}

static void write_edited(rewriter *r, tn_buf *out) {
  if (r->edit_count > 0) {
    qsort(r->edits, r->edit_count, sizeof(*r->edits), compare_edits);
  }
  size_t at = 0;
  for (size_t i = 0; i < r->edit_count; i++) {
    const edit *e = &r->edits[i];
    tn_buf_add_str(out, tn_str_slice(r->text, at, e->at - at));
    tn_buf_add_str(out, e->text);
    at = e->at + e->removed;
  }
  tn_buf_add_str(out, tn_str_slice(r->text, at, r->text.size - at));
}

static tn_status rewrite_all(rewriter *r, tn_diag *diag) {
  read_tokens(r);
  for (size_t i = 0; i < r->count && !r->failed; i++) {
    const size_t last = opens_attribute(r, i) ? close_of(r, i) : SIZE_MAX;
    if (last != SIZE_MAX) {
      TN_TRY(rewrite_specifier(r, i, last, diag));
      i = last;
    }
  }
  return r->failed ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read a preprocessed source")
                   : TN_OK;
}

tn_status tn_frontend_attributes_rewrite(tn_str text, tn_buf *out, tn_diag *diag) {
  if (text.size > INT32_MAX) {
    return TN_FAIL(diag, BUILD_FAILED, "a preprocessed source of %zu bytes is too large",
                   text.size);
  }
  rewriter r = {.text = text};
  tn_arena_init(&r.arena);
  tn_status status = rewrite_all(&r, diag);
  if (status == TN_OK) {
    write_edited(&r, out);
    status = tn_buf_status(out, diag);
  }
  tn_arena_deinit(&r.arena);
  tn_free(r.tokens);
  tn_free(r.edits);
  return status;
}

// Numbers as lower reads them from a mark's text: decimal, maybe with suffixes.
static bool are_numbers(tn_str list) {
  for (tn_str rest = list; rest.data;) {
    const tn_str word = tn_str_trim(tn_str_split(&rest, ','));
    size_t digits = 0;
    while (digits < word.size && isdigit((unsigned char)word.data[digits])) {
      digits++;
    }
    const bool is_octal = digits > 1 && word.data[0] == '0';
    for (size_t i = digits; i < word.size; i++) {
      digits = memchr("uUlL", word.data[i], 4) ? digits : 0;
    }
    if (digits == 0 || is_octal) {
      return false;
    }
  }
  return true;
}

// Enumerators for sure, as lower reads them.
static bool are_aspects(tn_str list) {
  tn_str rest = tn_str_trim(list);
  while (rest.data && rest.size > 0) {
    if (tn_str_find(tn_str_split(&rest, ','), TN_STR_LIT("aspect::")) == SIZE_MAX) {
      return false;
    }
  }
  return true;
}

bool tn_frontend_wants_attributes(tn_str marks) {
  const tn_str start = TN_STR_LIT("tenon.");
  tn_str rest = marks;
  for (size_t at; (at = tn_str_find(rest, start)) != SIZE_MAX;) {
    rest = tn_str_slice(rest, at + start.size, rest.size - at - start.size);
    for (size_t n = 0; n < TN_COUNT(names); n++) {
      const size_t size = strlen(names[n]);
      if (rest.size <= size || memcmp(rest.data, names[n], size) != 0 || rest.data[size] != '|') {
        continue;
      }
      tn_str text = tn_str_slice(rest, size + 1, rest.size - size - 1);
      text = tn_str_split(&text, '|');
      if (names[n][0] == 'd' ? !are_aspects(text) : !are_numbers(text)) {
        return true;
      }
    }
  }
  return false;
}

// Whether text without any attribute is ruled out: most sources have none, and are not tokenized.
static bool may_have_attributes(tn_str text) {
  for (size_t n = 0; n < TN_COUNT(names); n++) {
    const tn_str name = tn_str_from(names[n]);
    tn_str rest = text;
    for (size_t at; (at = tn_str_find(rest, name)) != SIZE_MAX;) {
      size_t before = at;
      while (before > 0 && isspace((unsigned char)rest.data[before - 1])) {
        before--;
      }
      if (before > 0 && strchr(":,", rest.data[before - 1])) {
        return true;
      }
      rest = tn_str_slice(rest, at + name.size, rest.size - at - name.size);
    }
  }
  return false;
}

// Where a reader of preprocessed text is, after the line markers before it.
typedef struct text_place {
  size_t at;
  uint64_t line;
  tn_str file;  // as the marker has it, with backslashes
} text_place;

static void advance(tn_str text, size_t to, text_place *place) {
  while (place->at < to) {
    const size_t end = line_end(text, place->at);
    const tn_str line = tn_str_slice(text, place->at, end - place->at);
    size_t begin = 0;
    size_t stop = 0;
    if (end >= to) {
      return;
    }
    place->at = end + 1;
    place->line++;
    if (tn_frontend_marker_path(line, &begin, &stop)) {
      place->line = strtoull(line.data + 2, NULL, 10);
      place->file = tn_str_slice(line, begin, stop - begin);
    }
  }
}

static void add_mark(rewriter *r, const attribute *a, const text_place *place,
                     const tn_args *options, tn_buf *out) {
  char *path = tn_arena_str(&r->arena, place->file);
  size_t size = 0;
  for (size_t i = 0; path && path[i] != '\0'; i++) {
    i += path[i] == '\\' && path[i + 1] != '\0';
    path[size++] = path[i];
  }
  if (path) {
    path[size] = '\0';
  }
  const char *mapped = path ? tn_frontend_map_path(&r->arena, options, path) : NULL;
  r->failed = r->failed || !mapped;
  if (mapped) {
    tn_buf_add_format(out, "tenon.%s|", a->name);
    add_flat(r, a->open + 1, a->close, out);
    tn_buf_add_format(out, "|%llu|%s\n", (unsigned long long)place->line, mapped);
  }
}

static void mark_all(rewriter *r, const tn_args *options, tn_buf *out) {
  text_place place = {0};
  read_tokens(r);
  for (size_t i = 0; i < r->count && !r->failed; i++) {
    const size_t last = opens_attribute(r, i) ? close_of(r, i) : SIZE_MAX;
    if (last == SIZE_MAX) {
      continue;
    }
    const specifier s = {.first = i, .last = last};
    attribute a;
    for (size_t at = i + 2; next_attribute(r, &s, &at, &a);) {
      advance(r->text, r->tokens[a.close].begin, &place);
      add_mark(r, &a, &place, options, out);
    }
    i = last;
  }
}

tn_status tn_frontend_attributes_mark(tn_str text, const tn_args *options, tn_buf *out,
                                      tn_diag *diag) {
  if (!may_have_attributes(text) || text.size > INT32_MAX) {
    return TN_OK;
  }
  rewriter r = {.text = text};
  tn_arena_init(&r.arena);
  mark_all(&r, options, out);
  tn_status status = r.failed ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read a source")
                              : tn_buf_status(out, diag);
  tn_arena_deinit(&r.arena);
  tn_free(r.tokens);
  return status;
}
