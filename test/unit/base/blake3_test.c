// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BLAKE3, against what LLVM's implementation says of the same bytes.
#include "base/blake3.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <string.h>

enum { LONGEST = 102400, TEXT_SIZE = 2 * TN_BLAKE3_SIZE + 1 };

static uint8_t input[LONGEST];

// Of the bytes 0, 1 … 250, 0, 1 …, so many.
static const struct {
  size_t size;
  const char *hash;
} expected[] = {
    {0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"},
    {1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"},
    {2, "7b7015bb92cf0b318037702a6cdd81dee41224f734684c2c122cd6359cb1ee63"},
    {63, "e9bc37a594daad83be9470df7f7b3798297c3d834ce80ba85d6e207627b7db7b"},
    {64, "4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98"},
    {65, "de1e5fa0be70df6d2be8fffd0e99ceaa8eb6e8c93a63f2d8d1c30ecb6b263dee"},
    {127, "d81293fda863f008c09e92fc382a81f5a0b4a1251cba1634016a0f86a6bd640d"},
    {128, "f17e570564b26578c33bb7f44643f539624b05df1a76c81f30acd548c44b45ef"},
    {129, "683aaae9f3c5ba37eaaf072aed0f9e30bac0865137bae68b1fde4ca2aebdcb12"},
    {1023, "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11"},
    {1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"},
    {1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"},
    {2048, "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a"},
    {2049, "5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b6879522563030"},
    {3072, "b98cb0ff3623be03326b373de6b9095218513e64f1ee2edd2525c7ad1e5cffd2"},
    {3073, "7124b49501012f81cc7f11ca069ec9226cecb8a2c850cfe644e327d22d3e1cd3"},
    {4096, "015094013f57a5277b59d8475c0501042c0b642e531b0a1c8f58d2163229e969"},
    {4097, "9b4052b38f1c5fc8b1f9ff7ac7b27cd242487b3d890d15c96a1c25b8aa0fb995"},
    {5120, "9cadc15fed8b5d854562b26a9536d9707cadeda9b143978f319ab34230535833"},
    {5121, "628bd2cb2004694adaab7bbd778a25df25c47b9d4155a55f8fbd79f2fe154cff"},
    {6144, "3e2e5b74e048f3add6d21faab3f83aa44d3b2278afb83b80b3c35164ebeca205"},
    {7168, "61da957ec2499a95d6b8023e2b0e604ec7f6b50e80a9678b89d2628e99ada77a"},
    {8192, "aae792484c8efe4f19e2ca7d371d8c467ffb10748d8a5a1ae579948f718a2a63"},
    {8193, "bab6c09cb8ce8cf459261398d2e7aef35700bf488116ceb94a36d0f5f1b7bc3b"},
    {16384, "f875d6646de28985646f34ee13be9a576fd515f76b5b0a26bb324735041ddde4"},
    {31744, "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47"},
    {102400, "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085"},
};

static void put_text(const uint8_t hash[TN_BLAKE3_SIZE], char text[TEXT_SIZE]) {
  for (size_t i = 0; i < TN_BLAKE3_SIZE; i++) {
    (void)snprintf(text + 2 * i, 3, "%02x", hash[i]);
  }
}

static void test_known_hashes(void **state) {
  (void)state;
  for (size_t i = 0; i < TN_COUNT(expected); i++) {
    tn_blake3 hash;
    uint8_t out[TN_BLAKE3_SIZE];
    char text[TEXT_SIZE];
    tn_blake3_init(&hash);
    tn_blake3_add(&hash, input, expected[i].size);
    tn_blake3_finish(&hash, out);
    put_text(out, text);
    assert_string_equal(text, expected[i].hash);
  }
}

static void test_pieces_are_the_whole(void **state) {
  (void)state;
  for (size_t i = 0; i < TN_COUNT(expected); i++) {
    tn_blake3 hash;
    uint8_t out[TN_BLAKE3_SIZE];
    char text[TEXT_SIZE];
    tn_blake3_init(&hash);
    for (size_t at = 0, part = 0; at < expected[i].size; at += part) {
      part = 1 + (at * 7 + i) % 1500;
      part = part < expected[i].size - at ? part : expected[i].size - at;
      tn_blake3_add(&hash, input + at, part);
      tn_blake3_add(&hash, NULL, 0);
    }
    tn_blake3_finish(&hash, out);
    put_text(out, text);
    assert_string_equal(text, expected[i].hash);
  }
}

// Many chunks at once, from within a chunk as well.
static void test_a_little_and_a_lot(void **state) {
  (void)state;
  static const size_t starts[] = {0, 1, 64, 65, 128, 1000, 1024, 1025, 8192, 8193};
  const size_t last = TN_COUNT(expected) - 1;
  for (size_t i = 0; i < TN_COUNT(starts); i++) {
    tn_blake3 hash;
    uint8_t out[TN_BLAKE3_SIZE];
    char text[TEXT_SIZE];
    tn_blake3_init(&hash);
    tn_blake3_add(&hash, input, starts[i]);
    tn_blake3_add(&hash, input + starts[i], expected[last].size - starts[i]);
    tn_blake3_finish(&hash, out);
    put_text(out, text);
    assert_string_equal(text, expected[last].hash);
  }
}

static void test_more_after_an_end(void **state) {
  (void)state;
  tn_blake3 hash;
  uint8_t out[TN_BLAKE3_SIZE];
  char text[TEXT_SIZE];
  size_t at = 0;
  tn_blake3_init(&hash);
  for (size_t i = 0; i < TN_COUNT(expected); i++) {
    tn_blake3_add(&hash, input + at, expected[i].size - at);
    at = expected[i].size;
    tn_blake3_finish(&hash, out);
    put_text(out, text);
    assert_string_equal(text, expected[i].hash);
  }
}

// The fields of a key: what is added is the same as by hand.
static void test_fields(void **state) {
  (void)state;
  static const uint8_t bytes[] = {3, 2, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'};
  tn_blake3 fields;
  tn_blake3 whole;
  uint8_t first[TN_BLAKE3_SIZE];
  uint8_t second[TN_BLAKE3_SIZE];
  tn_blake3_init(&fields);
  tn_blake3_add_number(&fields, 0x010203);
  tn_blake3_add_text(&fields, "ab");
  tn_blake3_init(&whole);
  tn_blake3_add(&whole, bytes, sizeof(bytes));
  tn_blake3_finish(&fields, first);
  tn_blake3_finish(&whole, second);
  assert_memory_equal(first, second, sizeof(first));
  tn_blake3_add_bytes(&fields, NULL, 0);
  tn_blake3_add_number(&whole, 0);
  tn_blake3_finish(&fields, first);
  tn_blake3_finish(&whole, second);
  assert_memory_equal(first, second, sizeof(first));
}

int main(void) {
  for (size_t i = 0; i < LONGEST; i++) {
    input[i] = (uint8_t)(i % 251);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_hashes),
      cmocka_unit_test(test_pieces_are_the_whole),
      cmocka_unit_test(test_a_little_and_a_lot),
      cmocka_unit_test(test_more_after_an_end),
      cmocka_unit_test(test_fields),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
