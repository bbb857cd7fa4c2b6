// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items that wait for each other: one fiber each, run in turn on one thread.
#ifndef TN_TEST_FUZZ_KERNELS_REFERENCE_FIBERS_HPP
#define TN_TEST_FUZZ_KERNELS_REFERENCE_FIBERS_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <ucontext.h>

namespace sycl {

using std::size_t;

namespace reference {

enum : size_t { items_maximum = 1024, stack_size = 256 << 10, slot_size = 256 };

// Those who wait for each other: a group, or a sub-group.
struct team {
  size_t size;
  size_t arrived;
  size_t round;
  unsigned char slots[items_maximum][slot_size];
};

struct work_item {
  size_t global[3], global_size[3];
  size_t local[3], local_size[3];
  size_t group[3], group_count[3];
  size_t local_linear;
  size_t sub_group_index, sub_group_count, sub_local, sub_size, sub_maximum;
  team *group_team;
  team *sub_team;
  ucontext_t context;
  bool is_done;
  void (*run)(void *);
  void *argument;
};

struct world {
  work_item items[items_maximum];
  team group_team;
  team sub_teams[items_maximum];
  ucontext_t scheduler;
  unsigned char *stacks;
  size_t sub_group_size;
};
inline world *the_world() {
  static world *it = static_cast<world *>(
      mmap(nullptr, sizeof(world), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  return it;
}
inline work_item *current;

inline void yield() {
  work_item *self = current;
  swapcontext(&self->context, &the_world()->scheduler);
}

inline void wait(team *of) {
  if (++of->arrived == of->size) {
    of->arrived = 0;
    of->round++;
    return;
  }
  for (const size_t round = of->round; round == of->round;) {
    yield();
  }
}

inline void fiber_main() {
  current->run(current->argument);
  current->is_done = true;
  yield();
}

// All items of a group, until all are done. A kernel in which not all reach a barrier is the
// generator's mistake.
inline void run_fibers(size_t count) {
  world *w = the_world();
  if (!w->stacks) {
    w->stacks = static_cast<unsigned char *>(
        mmap(nullptr, items_maximum * stack_size, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  }
  for (size_t i = 0; i < count; i++) {
    work_item &it = w->items[i];
    it.is_done = false;
    getcontext(&it.context);
    it.context.uc_stack.ss_sp = w->stacks + i * stack_size;
    it.context.uc_stack.ss_size = stack_size;
    it.context.uc_link = nullptr;
    makecontext(&it.context, fiber_main, 0);
  }
  size_t done = 0;
  for (size_t turns = 0; done < count; turns++) {
    if (turns > 1000000) {
      std::abort();
    }
    for (size_t i = 0; i < count; i++) {
      work_item &it = w->items[i];
      if (!it.is_done) {
        current = &it;
        swapcontext(&w->scheduler, &it.context);
        done += it.is_done;
      }
    }
  }
}

}  // namespace reference
}  // namespace sycl

#endif
