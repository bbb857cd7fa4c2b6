// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stems: which sources were built before in a similar form.
//
// A small table in memory says how often looking was in vain; an entry on the disk tells other
// processes that there was such a build. Of those who look in vain again and again, only each
// eighth build still looks.
#include "run/source/source_stem.h"

#include "base/store_value.h"
#include "base/thread.h"
#include "run/cache/cache.h"

#define STEM_HEAD "tenon source stem 1"
enum { STEM_COUNT = 1024, VAIN_MAXIMUM = 4, VAIN_EACH = 8, VALUE_MAXIMUM = 1 << 12 };

typedef struct stem_facts {
  uint8_t stem[TN_BLAKE3_SIZE];
  bool is_made;    // else there is none in this place
  uint32_t vain;   // how often it was looked for since it was found
  uint32_t asked;  // since then
} stem_facts;

static tn_mutex mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static stem_facts stems[STEM_COUNT] TN_GUARDED_BY(&mu);

// To the end of what begins here and is no code; quotes are left alone wherever they are, for this
// is a guess only.
static size_t skip_comment(tn_str text, size_t at) {
  const char next = at + 1 < text.size ? text.data[at + 1] : '\0';
  if (text.data[at] == '/' && next == '/') {
    while (at < text.size && text.data[at] != '\n') {
      at++;
    }
  } else if (text.data[at] == '/' && next == '*') {
    const size_t end = tn_str_find(tn_str_slice(text, at + 2, text.size), TN_STR_LIT("*/"));
    at = end == SIZE_MAX ? text.size : at + 2 + end + 2;
  }
  return at;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void hash_code(tn_blake3 *hash, tn_str text) {
  size_t begin = 0;
  size_t at = 0;
  while (at < text.size) {
    const size_t behind = is_space(text.data[at]) ? at + 1 : skip_comment(text, at);
    if (behind == at) {
      at++;
      continue;
    }
    tn_blake3_add(hash, text.data + begin, at - begin);
    begin = behind;
    at = behind;
  }
  tn_blake3_add(hash, text.data + begin, at - begin);
}

void tn_source_stem_make(const tn_source_job *job, uint8_t out[TN_BLAKE3_SIZE]) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add_text(&hash, STEM_HEAD);
  tn_blake3_add_text(&hash, job->target->text);
  tn_source_hash_texts(&hash, job->names, job->name_count);
  tn_blake3_add_number(&hash, (uint64_t)job->source->language);
  hash_code(&hash, job->source->text);
  tn_blake3_finish(&hash, out);
}

// The stem's place, which may be another's.
static stem_facts *place_of(const uint8_t *stem) TN_REQUIRES(&mu) {
  return &stems[((size_t)stem[0] << 8 | stem[1]) % STEM_COUNT];
}

static stem_facts *find(const uint8_t *stem) TN_REQUIRES(&mu) {
  stem_facts *facts = place_of(stem);
  return facts->is_made && memcmp(facts->stem, stem, TN_BLAKE3_SIZE) == 0 ? facts : NULL;
}

// In the place of another one, which is forgotten. False when it was there.
static bool note(const uint8_t *stem) {
  tn_mutex_lock(&mu);
  const bool is_new = !find(stem);
  if (is_new) {
    stem_facts *facts = place_of(stem);
    *facts = (stem_facts){.is_made = true};
    memcpy(facts->stem, stem, TN_BLAKE3_SIZE);
  }
  tn_mutex_unlock(&mu);
  return is_new;
}

// Whether the disk says that there was such a build.
static bool find_on_disk(const uint8_t *stem) {
  tn_buf value;
  tn_buf_init(&value, VALUE_MAXIMUM);
  const bool is_there = tn_store_get(tn_disk_cache_source_store(), stem, &value);
  tn_buf_deinit(&value);
  return is_there;
}

bool tn_source_stem_is_promising(const uint8_t stem[TN_BLAKE3_SIZE]) {
  tn_mutex_lock(&mu);
  stem_facts *facts = find(stem);
  const bool is_known = facts != NULL;
  const bool is_good = is_known && (facts->vain < VAIN_MAXIMUM || ++facts->asked % VAIN_EACH == 0);
  tn_mutex_unlock(&mu);
  return is_known ? is_good : find_on_disk(stem) && note(stem);
}

void tn_source_stem_note_found(const uint8_t stem[TN_BLAKE3_SIZE], bool is_found) {
  tn_mutex_lock(&mu);
  stem_facts *facts = find(stem);
  if (facts) {
    facts->vain = is_found ? 0 : facts->vain + 1;
    facts->asked = 0;
  }
  tn_mutex_unlock(&mu);
}

void tn_source_stem_note_made(const tn_source_job *job, const uint8_t stem[TN_BLAKE3_SIZE]) {
  if (!note(stem) || !tn_disk_cache_source_store()) {
    return;
  }
  tn_buf text;
  tn_buf value;
  tn_buf_init(&text, VALUE_MAXIMUM);
  tn_buf_init(&value, VALUE_MAXIMUM);
  tn_buf_add_format(&text, "%s for %s: there was a build that is like it", job->source->name,
                    job->target->text);
  tn_store_value_write(&value, tn_buf_str(&text), (tn_bytes){NULL, 0});
  if (text.failed == TN_OK && value.failed == TN_OK) {
    (void)tn_store_put(tn_disk_cache_source_store(), stem, tn_buf_bytes(&value));
  }
  tn_buf_deinit(&text);
  tn_buf_deinit(&value);
}
