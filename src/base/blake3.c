// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BLAKE3 by its public specification: blocks of 64 bytes make chunks of 1024, chunks are the leaves
// of a binary tree, and the chaining value of the tree's root is the hash.
//
// 1. A block or subtree is compressed only when there is more behind it: the last one of all is the
//    root, which is compressed in another way.
// 2. The stack holds one chaining value for each bit that is set in the count of chunks, the
//    largest subtree at the bottom.
// 3. Chunks that lie whole in the input, and are not the last, are hashed several at a time where
// the
//    processor has registers for it.
#include "base/blake3.h"

#include <string.h>

enum { BLOCK_SIZE = 64, CHUNK_BLOCKS = 16, CHUNK_SIZE = 1024, WORDS = 16, ROUNDS = 7, LANES = 8 };
enum { CHUNK_START = 1u << 0, CHUNK_END = 1u << 1, PARENT = 1u << 2, ROOT = 1u << 3 };

static const uint32_t start_words[8] = {
    0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
    0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u,
};

// The word of the message that each round takes at each place: a permutation, applied again and
// again.
static const uint8_t schedule[ROUNDS][WORDS] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8},
    {3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1},
    {10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6},
    {12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4},
    {9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7},
    {11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13},
};

// What one compression works on.
typedef struct node {
  const uint32_t *chaining;
  const uint8_t *block;
  uint64_t counter;
  uint32_t size;
  uint32_t flags;
} node;

static inline uint32_t turn_right(uint32_t value, unsigned by) {
  return value >> by | value << (32 - by);
}

static inline uint32_t load_word(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline void mix(uint32_t *state, size_t a, size_t b, size_t c, size_t d, uint32_t first,
                       uint32_t second) {
  state[a] += state[b] + first;
  state[d] = turn_right(state[d] ^ state[a], 16);
  state[c] += state[d];
  state[b] = turn_right(state[b] ^ state[c], 12);
  state[a] += state[b] + second;
  state[d] = turn_right(state[d] ^ state[a], 8);
  state[c] += state[d];
  state[b] = turn_right(state[b] ^ state[c], 7);
}

// Columns, then diagonals.
static inline void mix_round(uint32_t *state, const uint32_t *message, const uint8_t *order) {
  for (size_t i = 0; i < 4; i++) {
    mix(state, i, i + 4, i + 8, i + 12, message[order[2 * i]], message[order[2 * i + 1]]);
  }
  for (size_t i = 0; i < 4; i++) {
    mix(state, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12, message[order[2 * i + 8]],
        message[order[2 * i + 9]]);
  }
}

// `out` may be the node's own chaining value.
static void compress(const node *n, uint32_t out[8]) {
  uint32_t message[WORDS];
  uint32_t state[WORDS];
  for (size_t i = 0; i < WORDS; i++) {
    message[i] = load_word(n->block + 4 * i);
  }
  memcpy(state, n->chaining, 8 * sizeof(*state));
  memcpy(state + 8, start_words, 4 * sizeof(*state));
  state[12] = (uint32_t)n->counter;
  state[13] = (uint32_t)(n->counter >> 32);
  state[14] = n->size;
  state[15] = n->flags;
#pragma GCC unroll 7
  for (size_t round = 0; round < ROUNDS; round++) {
    mix_round(state, message, schedule[round]);
  }
  for (size_t i = 0; i < 8; i++) {
    out[i] = state[i] ^ state[i + 8];
  }
}

static void store_words(const uint32_t words[8], uint8_t out[TN_BLAKE3_SIZE]) {
  for (size_t i = 0; i < TN_BLAKE3_SIZE; i++) {
    out[i] = (uint8_t)(words[i / 4] >> (i % 4 * 8));
  }
}

// Both children's chaining values are a parent's block.
static node parent_of(const uint32_t left[8], const uint32_t right[8], uint8_t block[BLOCK_SIZE]) {
  store_words(left, block);
  store_words(right, block + TN_BLAKE3_SIZE);
  return (node){.chaining = start_words, .block = block, .size = BLOCK_SIZE, .flags = PARENT};
}

// The block that is waiting.
static node last_block(const tn_blake3 *hash, uint32_t flags) {
  return (node){
      .chaining = hash->chaining,
      .block = hash->block,
      .counter = hash->chunk_count,
      .size = hash->block_size,
      .flags = flags | (hash->block_count == 0 ? CHUNK_START : 0),
  };
}

static void start_chunk(tn_blake3 *hash) {
  memcpy(hash->chaining, start_words, sizeof(start_words));
  memset(hash->block, 0, sizeof(hash->block));
  hash->block_size = 0;
  hash->block_count = 0;
}

// Subtrees of one size become one, as adding 1 to a binary number carries.
static void push_chunk(tn_blake3 *hash, uint32_t value[8]) {
  hash->chunk_count++;
  for (uint64_t count = hash->chunk_count; (count & 1) == 0; count >>= 1) {
    uint8_t block[BLOCK_SIZE];
    hash->stack_size--;
    const node parent = parent_of(hash->stack[hash->stack_size], value, block);
    compress(&parent, value);
  }
  memcpy(hash->stack[hash->stack_size++], value, sizeof(hash->stack[0]));
}

// The waiting block is full and not the last.
static void finish_block(tn_blake3 *hash) {
  const bool ends_chunk = hash->block_count == CHUNK_BLOCKS - 1;
  const node block = last_block(hash, ends_chunk ? CHUNK_END : 0);
  compress(&block, hash->chaining);
  if (ends_chunk) {
    uint32_t value[8];
    memcpy(value, hash->chaining, sizeof(value));
    push_chunk(hash, value);
    start_chunk(hash);
    return;
  }
  memset(hash->block, 0, sizeof(hash->block));
  hash->block_size = 0;
  hash->block_count++;
}

#if defined(__x86_64__)
// A number of each of several chunks. Never passed by value: how depends on the instruction set.
typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));

#define MIX_LANES(a, b, c, d, first, second)    \
  do {                                          \
    state[a] += state[b] + (first);             \
    state[d] ^= state[a];                       \
    state[d] = state[d] >> 16 | state[d] << 16; \
    state[c] += state[d];                       \
    state[b] ^= state[c];                       \
    state[b] = state[b] >> 12 | state[b] << 20; \
    state[a] += state[b] + (second);            \
    state[d] ^= state[a];                       \
    state[d] = state[d] >> 8 | state[d] << 24;  \
    state[c] += state[d];                       \
    state[b] ^= state[c];                       \
    state[b] = state[b] >> 7 | state[b] << 25;  \
  } while (0)

// One block of each chunk.
__attribute__((target("avx2"))) static inline void compress_lanes(lanes *chaining,
                                                                  const uint8_t *blocks,
                                                                  uint64_t count, uint32_t flags) {
  lanes message[WORDS];
  lanes state[WORDS];
  for (size_t i = 0; i < WORDS; i++) {
    for (size_t lane = 0; lane < LANES; lane++) {
      message[i][lane] = load_word(blocks + lane * CHUNK_SIZE + 4 * i);
    }
  }
  for (size_t i = 0; i < 8; i++) {
    state[i] = chaining[i];
    state[i + 8] = (lanes){0} + start_words[i % 4];
  }
  for (size_t lane = 0; lane < LANES; lane++) {
    state[12][lane] = (uint32_t)(count + lane);
    state[13][lane] = (uint32_t)((count + lane) >> 32);
  }
  state[14] = (lanes){0} + BLOCK_SIZE;
  state[15] = (lanes){0} + flags;
#pragma GCC unroll 7
  for (size_t round = 0; round < ROUNDS; round++) {
    const uint8_t *order = schedule[round];
    MIX_LANES(0, 4, 8, 12, message[order[0]], message[order[1]]);
    MIX_LANES(1, 5, 9, 13, message[order[2]], message[order[3]]);
    MIX_LANES(2, 6, 10, 14, message[order[4]], message[order[5]]);
    MIX_LANES(3, 7, 11, 15, message[order[6]], message[order[7]]);
    MIX_LANES(0, 5, 10, 15, message[order[8]], message[order[9]]);
    MIX_LANES(1, 6, 11, 12, message[order[10]], message[order[11]]);
    MIX_LANES(2, 7, 8, 13, message[order[12]], message[order[13]]);
    MIX_LANES(3, 4, 9, 14, message[order[14]], message[order[15]]);
  }
  for (size_t i = 0; i < 8; i++) {
    chaining[i] = state[i] ^ state[i + 8];
  }
}

__attribute__((target("avx2"))) static void hash_lanes(const uint8_t *chunks, uint64_t count,
                                                       uint32_t out[LANES][8]) {
  lanes chaining[8];
  for (size_t i = 0; i < 8; i++) {
    chaining[i] = (lanes){0} + start_words[i];
  }
  for (size_t block = 0; block < CHUNK_BLOCKS; block++) {
    const uint32_t flags = block == 0 ? CHUNK_START : block == CHUNK_BLOCKS - 1 ? CHUNK_END : 0;
    compress_lanes(chaining, chunks + block * BLOCK_SIZE, count, flags);
  }
  for (size_t lane = 0; lane < LANES; lane++) {
    for (size_t i = 0; i < 8; i++) {
      out[lane][i] = chaining[i][lane];
    }
  }
}

// How many bytes were hashed: whole chunks, and never the last.
static size_t add_chunks(tn_blake3 *hash, const uint8_t *from, size_t size) {
  size_t done = 0;
  while (size - done > (size_t)LANES * CHUNK_SIZE && __builtin_cpu_supports("avx2")) {
    uint32_t values[LANES][8];
    hash_lanes(from + done, hash->chunk_count, values);
    for (size_t lane = 0; lane < LANES; lane++) {
      push_chunk(hash, values[lane]);
    }
    done += (size_t)LANES * CHUNK_SIZE;
  }
  return done;
}
#else
static size_t add_chunks(tn_blake3 *hash, const uint8_t *from, size_t size) {
  (void)hash;
  (void)from;
  (void)size;
  return 0;
}
#endif

void tn_blake3_init(tn_blake3 *hash) {
  start_chunk(hash);
  hash->chunk_count = 0;
  hash->stack_size = 0;
}

void tn_blake3_add(tn_blake3 *hash, const void *data, size_t size) {
  const uint8_t *from = data;
  while (size > 0) {
    if (hash->block_size == BLOCK_SIZE) {
      finish_block(hash);
    }
    if (hash->block_size == 0 && hash->block_count == 0) {
      const size_t done = add_chunks(hash, from, size);
      from += done;
      size -= done;
    }
    const size_t space = BLOCK_SIZE - hash->block_size;
    const size_t part = size < space ? size : space;
    memcpy(hash->block + hash->block_size, from, part);
    hash->block_size += (uint32_t)part;
    from += part;
    size -= part;
  }
}

void tn_blake3_add_number(tn_blake3 *hash, uint64_t number) {
  uint8_t bytes[8];
  for (size_t i = 0; i < sizeof(bytes); i++) {
    bytes[i] = (uint8_t)(number >> (8 * i));
  }
  tn_blake3_add(hash, bytes, sizeof(bytes));
}

void tn_blake3_add_bytes(tn_blake3 *hash, const void *data, size_t size) {
  tn_blake3_add_number(hash, size);
  tn_blake3_add(hash, data, size);
}

void tn_blake3_add_text(tn_blake3 *hash, const char *text) {
  tn_blake3_add_bytes(hash, text, strlen(text));
}

void tn_blake3_finish(const tn_blake3 *hash, uint8_t out[TN_BLAKE3_SIZE]) {
  uint8_t block[BLOCK_SIZE];
  uint32_t value[8];
  node last = last_block(hash, CHUNK_END);
  for (uint32_t i = hash->stack_size; i > 0; i--) {
    compress(&last, value);
    last = parent_of(hash->stack[i - 1], value, block);
  }
  last.flags |= ROOT;
  compress(&last, value);
  store_words(value, out);
}
