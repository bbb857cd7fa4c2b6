// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel name that is used for two functions. Clang reports it where the headers find it
// (sycl/detail/kernel_named.hpp), behind a page of notes; what the user needs of that is the name
// and where the two functions are.
#include "compile/driver/message_line.h"
#include "compile/driver/plan.h"

#define CHECK_NAME "kernel_name_has_one_function<"
#define LAMBDA_HEAD "(lambda at "

static bool is_part_of_group(tn_str line) {
  const tn_message_kind kind = tn_message_kind_of(line);
  return kind != TN_MESSAGE_ERROR && kind != TN_MESSAGE_WARNING && kind != TN_MESSAGE_REMARK &&
         !tn_str_has_prefix(line, TN_STR_LIT("In file included from ")) &&
         (line.size == 0 || line.data[0] == ' ' || kind == TN_MESSAGE_NOTE);
}

// The next argument of a template, whose list ends with `rest` or its ">".
static tn_str next_argument(tn_str *rest) {
  size_t depth = 0;
  size_t end = 0;
  for (; end < rest->size; end++) {
    const char c = rest->data[end];
    if (depth == 0 && (c == ',' || c == '>')) {
      break;
    }
    depth += c == '<' || c == '(' || c == '[' || c == '{';
    depth -= c == '>' || c == ')' || c == ']' || c == '}';
  }
  const tn_str argument = tn_str_trim(tn_str_slice(*rest, 0, end));
  *rest = tn_str_slice(*rest, end < rest->size ? end + 1 : end, SIZE_MAX);
  return argument;
}

// Where a lambda is; false for a class.
static bool place_of_lambda(tn_str type, tn_str *out) {
  const tn_str head = TN_STR_LIT(LAMBDA_HEAD);
  if (!tn_str_has_prefix(type, head) || type.data[type.size - 1] != ')') {
    return false;
  }
  *out = tn_str_slice(type, head.size, type.size - head.size - 1);
  return true;
}

static bool is_user_place(tn_str place) {
  return place.size > 0 && tn_str_find(place, TN_STR_LIT("include/sycl/")) == SIZE_MAX;
}

// The last place of the group's notes that is not in the headers: the user's call.
static tn_str find_call(tn_str group) {
  tn_str found = {NULL, 0};
  tn_str rest = group;
  while (rest.data) {
    const tn_str place = tn_message_place(tn_str_split(&rest, '\n'));
    found = is_user_place(place) ? tn_str_slice(place, 0, place.size - 2) : found;
  }
  return found;
}

static void add_message(tn_str place, const char *kind, tn_buf *out) {
  if (place.size > 0) {
    tn_buf_add_str(out, place);
    tn_buf_add_text(out, ": ");
  }
  tn_buf_add_text(out, kind);
}

static void add_source(tn_str place, tn_buf *out) {
  tn_buf with_end;
  tn_buf_init(&with_end, 1 << 16);
  tn_buf_add_str(&with_end, place);
  tn_buf_add_text(&with_end, ": ");
  tn_str file;
  uint64_t line = 0;
  uint64_t column = 0;
  if (tn_message_read_place(tn_buf_str(&with_end), &file, &line, &column)) {
    tn_message_add_source(file, line, column, out);
  }
  tn_buf_deinit(&with_end);
}

// `group` begins with the error's line.
static void explain(tn_str group, tn_buf *out) {
  tn_str rest = group;
  const tn_str head = tn_str_split(&rest, '\n');
  const size_t at = tn_str_find(head, TN_STR_LIT(CHECK_NAME)) + sizeof(CHECK_NAME) - 1;
  tn_str list = tn_str_slice(head, at, SIZE_MAX);
  const tn_str name = next_argument(&list);
  const tn_str first = next_argument(&list);
  const tn_str second = next_argument(&list);
  tn_str place = find_call(rest);
  const bool is_lambda = place_of_lambda(second, &place);
  add_message(place, "error: ", out);
  tn_buf_add_format(out, "kernel name '%.*s' is used for two kernel functions", TN_STR_ARG(name));
  if (!is_lambda) {
    tn_buf_add_format(out, "; this one is '%.*s'", TN_STR_ARG(second));
  }
  tn_buf_add_char(out, '\n');
  add_source(place, out);
  if (place_of_lambda(first, &place)) {
    add_message(place, "note: the other kernel function is here\n", out);
    add_source(place, out);
  } else {
    tn_buf_add_format(out, "note: the other kernel function is '%.*s'\n", TN_STR_ARG(first));
  }
}

// The end of the group whose head's line ends before `at`.
static size_t group_end(tn_str text, size_t at) {
  while (at < text.size) {
    tn_str rest = tn_str_slice(text, at, SIZE_MAX);
    const tn_str line = tn_str_split(&rest, '\n');
    if (!is_part_of_group(line)) {
      break;
    }
    at += line.size + (rest.data ? 1 : 0);
  }
  return at;
}

void tn_messages_add_named_kernels(tn_str said, tn_buf *out) {
  tn_buf plain;
  tn_buf_init(&plain, TN_DRIVER_BUFFER_MAXIMUM);
  tn_message_add_plain(said, &plain);
  if (tn_str_find(tn_buf_str(&plain), TN_STR_LIT(CHECK_NAME)) == SIZE_MAX) {
    tn_buf_add_str(out, said);
    tn_buf_deinit(&plain);
    return;
  }
  const tn_str text = tn_buf_str(&plain);
  size_t lead = SIZE_MAX;
  for (size_t at = 0; at < text.size;) {
    tn_str rest = tn_str_slice(text, at, SIZE_MAX);
    const tn_str line = tn_str_split(&rest, '\n');
    size_t end = at + line.size + (rest.data ? 1 : 0);
    if (tn_str_has_prefix(line, TN_STR_LIT("In file included from "))) {
      lead = lead == SIZE_MAX ? at : lead;
    } else if (tn_message_kind_of(line) == TN_MESSAGE_ERROR &&
               tn_str_find(line, TN_STR_LIT(CHECK_NAME)) != SIZE_MAX) {
      end = group_end(text, end);
      explain(tn_str_slice(text, at, end - at), out);
      lead = SIZE_MAX;
    } else {
      tn_buf_add_str(
          out, tn_str_from_range(text.data + (lead == SIZE_MAX ? at : lead), text.data + end));
      lead = SIZE_MAX;
    }
    at = end;
  }
  tn_buf_deinit(&plain);
}
