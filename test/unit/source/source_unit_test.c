// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The record of a build on disk: what is written is read, and what is damaged is refused.
#include "run/source/source_unit.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

static tn_source_name names[] = {{"one<int>", "_ZTS1"}, {"", "_ZTS2"}};
static tn_source_input inputs[] = {{"/a/b.h", {1, 2, 3}, 77}, {"/c d.h", {255}, UINT64_MAX}};
static const char *misses[] = {"/x/b.h"};

static void write_sample(tn_buf *out, bool has_print, bool is_of_images) {
  tn_source_unit unit;
  tn_source_unit_init(&unit);
  unit.fatbin = tn_bytes_from("images", 6);
  unit.log = TN_STR_LIT("a warning\n");
  unit.names = names;
  unit.name_count = 2;
  unit.inputs = inputs;
  unit.input_count = 2;
  unit.misses = misses;
  unit.miss_count = 1;
  unit.folder = "/here";
  unit.has_print = has_print;
  memset(unit.print, 0x5a, sizeof(unit.print));
  (is_of_images ? tn_source_unit_write_images : tn_source_unit_write)(&unit, out);
  tn_source_unit_deinit(&unit);
}

// Of one with a print in two parts.
static void check_round_trip(bool has_print) {
  tn_buf bytes;
  tn_buf images;
  tn_buf_init(&bytes, 1 << 16);
  tn_buf_init(&images, 1 << 16);
  write_sample(&bytes, has_print, false);
  write_sample(&images, has_print, true);
  tn_source_unit unit;
  tn_source_unit_init(&unit);
  assert_true(tn_source_unit_read(tn_buf_bytes(&bytes), &unit));
  assert_int_equal(unit.has_print, has_print);
  if (has_print) {
    assert_int_equal(unit.fatbin.size, 0);
    assert_int_equal(unit.print[0], 0x5a);
    assert_int_equal(unit.print[31], 0x5a);
    assert_true(tn_source_unit_read_images(tn_buf_bytes(&images), &unit));
  }
  assert_int_equal(unit.fatbin.size, 6);
  assert_memory_equal(unit.fatbin.data, "images", 6);
  assert_string_equal(unit.log.data, "a warning\n");
  assert_int_equal(unit.name_count, 2);
  assert_int_equal(unit.input_count, 2);
  assert_int_equal(unit.miss_count, 1);
  for (size_t i = 0; i < 2; i++) {
    assert_string_equal(unit.names[i].name, names[i].name);
    assert_string_equal(unit.names[i].symbol, names[i].symbol);
    assert_string_equal(unit.inputs[i].path, inputs[i].path);
    assert_int_equal(unit.inputs[i].size, inputs[i].size);
    assert_memory_equal(unit.inputs[i].hash, inputs[i].hash, sizeof(inputs[i].hash));
  }
  assert_string_equal(unit.misses[0], "/x/b.h");
  assert_string_equal(unit.folder, "/here");
  tn_source_unit_deinit(&unit);
  tn_buf_deinit(&bytes);
  tn_buf_deinit(&images);
}

static void test_round_trip(void **state) {
  (void)state;
  check_round_trip(false);
  check_round_trip(true);
}

static bool reads(tn_bytes bytes, bool is_of_images) {
  tn_source_unit unit;
  tn_source_unit_init(&unit);
  const bool is_good =
      (is_of_images ? tn_source_unit_read_images : tn_source_unit_read)(bytes, &unit);
  tn_source_unit_deinit(&unit);
  return is_good;
}

static void check_damage(bool has_print, bool is_of_images) {
  tn_buf bytes;
  tn_buf_init(&bytes, 1 << 16);
  write_sample(&bytes, has_print, is_of_images);
  for (size_t size = 0; size < bytes.size; size++) {
    char *exact = size > 0 ? tn_alloc(size) : NULL;  // so that a read behind it is noticed
    if (exact) {
      memcpy(exact, bytes.data, size);
    }
    assert_false(reads(tn_bytes_from(exact, size), is_of_images));
    tn_free(exact);
  }
  // Any byte may be any other: it is refused, or read within its bounds.
  for (size_t at = 0; at < bytes.size; at++) {
    for (int value = 0; value < 256; value += 17) {
      const char before = bytes.data[at];
      bytes.data[at] = (char)value;
      const bool is_good = reads(tn_buf_bytes(&bytes), is_of_images);
      assert_true(at >= 8 || !is_good || before == bytes.data[at]);
      bytes.data[at] = before;
    }
  }
  tn_buf_deinit(&bytes);
}

static void test_damage(void **state) {
  (void)state;
  check_damage(false, false);
  check_damage(true, false);
  check_damage(true, true);
}

static void test_relative_options(void **state) {
  (void)state;
  static const struct {
    const char *words[3];
    bool is_relative;
  } cases[] = {
      {{NULL}, false},
      {{"-O3", "-DX=a/b", "-ffast-math"}, false},
      {{"-I/usr/include", NULL}, false},
      {{"-I", "/usr/include", NULL}, false},
      {{"-I", "include", NULL}, true},
      {{"-Iinclude", NULL}, true},
      {{"-isystem", "x", NULL}, true},
      {{"-isystem/x", "-g", NULL}, false},
      {{"-I", NULL}, true},
      {{"-include", "x.h", NULL}, true},
      {{"-fno-fast-math", "-std=c++20", "x"}, true},
  };
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    size_t count = 0;
    while (count < 3 && cases[i].words[count]) {
      count++;
    }
    assert_int_equal(tn_source_options_are_relative(cases[i].words, count), cases[i].is_relative);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_damage),
      cmocka_unit_test(test_relative_options),
  };
  return cmocka_run_group_tests_name("source_unit", tests, NULL, NULL);
}
