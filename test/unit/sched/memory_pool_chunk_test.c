// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a memory pool's chunk: divided, given back in every order, joined again.
#include "run/sched/memory_pool.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "base/alloc.h"

enum { SIZE = 4096, BLOCK = 256 };
static char memory[SIZE];

static tn_pool_chunk *make_chunk(void) {
  tn_pool_chunk *chunk = tn_pool_chunk_create(NULL, memory, SIZE);
  assert_non_null(chunk);
  assert_true(tn_pool_chunk_is_free(chunk));
  return chunk;
}

static tn_pool_block *take(const tn_pool_chunk *chunk, size_t size) {
  tn_pool_block *block = tn_pool_chunk_find(chunk, size, NULL);
  if (block != NULL) {
    assert_null(tn_pool_block_take(block, size, size));
  }
  return block;
}

static void give(tn_pool_block *block) {
  tn_event *event = NULL;
  assert_non_null(tn_pool_block_reclaim(block, &event));
  assert_null(event);
}

static void test_divided_and_joined(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  tn_pool_chunk *chunk = make_chunk();
  for (size_t i = 0; i < 6; i++) {
    tn_pool_block *blocks[3];
    for (size_t b = 0; b < 3; b++) {
      blocks[b] = take(chunk, BLOCK * (b + 1));
      assert_non_null(blocks[b]);
    }
    assert_int_equal(blocks[1]->offset, BLOCK);
    assert_int_equal(blocks[2]->offset, 3 * BLOCK);
    assert_null(take(chunk, SIZE - 6 * BLOCK + 1));
    for (size_t b = 0; b < 3; b++) {
      assert_false(tn_pool_chunk_is_free(chunk));
      give(blocks[orders[i][b]]);
    }
    assert_true(tn_pool_chunk_is_free(chunk));
    assert_int_equal(chunk->first->size, SIZE);
  }
  tn_pool_chunk_destroy(chunk);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_the_smallest_that_fits(void **state) {
  (void)state;
  tn_pool_chunk *chunk = make_chunk();
  tn_pool_block *large = take(chunk, 4 * BLOCK);
  tn_pool_block *between = take(chunk, BLOCK);
  tn_pool_block *small = take(chunk, 2 * BLOCK);
  tn_pool_block *rest = take(chunk, SIZE - 7 * BLOCK);
  assert_null(take(chunk, 1));
  give(large);
  give(small);
  assert_int_equal(take(chunk, BLOCK)->offset, 5 * BLOCK);
  assert_int_equal(take(chunk, 4 * BLOCK)->offset, 0);
  assert_int_equal(rest->offset, 7 * BLOCK);
  assert_int_equal(between->offset, 4 * BLOCK);
  tn_pool_chunk_destroy(chunk);
}

static void test_found_by_address(void **state) {
  (void)state;
  tn_pool_chunk *chunk = make_chunk();
  tn_pool_block *first = take(chunk, BLOCK);
  tn_pool_block *second = take(chunk, BLOCK);
  assert_ptr_equal(tn_pool_chunk_block_at(chunk, memory), first);
  assert_ptr_equal(tn_pool_chunk_block_at(chunk, memory + BLOCK), second);
  assert_null(tn_pool_chunk_block_at(chunk, memory + 1));
  assert_null(tn_pool_chunk_block_at(chunk, memory + 2 * BLOCK));  // free
  assert_null(tn_pool_chunk_block_at(chunk, memory + SIZE));
  assert_null(tn_pool_chunk_block_at(chunk, (const void *)((uintptr_t)memory - 1)));
  assert_null(tn_pool_chunk_block_at(chunk, NULL));
  tn_pool_chunk_destroy(chunk);
  tn_pool_chunk_destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_divided_and_joined),
      cmocka_unit_test(test_the_smallest_that_fits),
      cmocka_unit_test(test_found_by_address),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
