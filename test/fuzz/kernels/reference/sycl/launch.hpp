// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of the reference: each work-item of a range in turn; each group of an nd_range in turn.
#ifndef TN_TEST_FUZZ_KERNELS_REFERENCE_LAUNCH_HPP
#define TN_TEST_FUZZ_KERNELS_REFERENCE_LAUNCH_HPP

#include "groups.hpp"

namespace sycl {

class handler {
 public:
  template <class Name, int D, class F>
  void parallel_for(range<D> sizes, const F &f) {
    reference::work_item here = {};
    memcpy(here.global_size, sizes.values, sizeof(here.global_size));
    for_each(sizes.values, here.global, [&] {
      const F own = f;
      own(item<D>{&here});
    });
  }
  template <class Name, int D, class F>
  void parallel_for(nd_range<D> sizes, const F &f) {
    size_t counts[3], group[3];
    for (int i = 0; i < 3; i++) {
      counts[i] = sizes.global[i] / sizes.local[i];
    }
    for_each(counts, group, [&] { run_group<D>(sizes, counts, group, f); });
  }

 private:
  template <class F>
  static void for_each(const size_t *sizes, size_t *at, const F &f) {
    for (at[0] = 0; at[0] < sizes[0]; at[0]++) {
      for (at[1] = 0; at[1] < sizes[1]; at[1]++) {
        for (at[2] = 0; at[2] < sizes[2]; at[2]++) {
          f();
        }
      }
    }
  }

  // Sub-groups follow the linear ids of the group's work-items.
  static void place_in_sub_group(reference::work_item &it) {
    reference::world *w = reference::the_world();
    const size_t size = w->sub_group_size;
    const size_t all = it.group_team->size;
    const size_t index = it.local_linear / size;
    it.sub_local = it.local_linear % size;
    it.sub_size = all - index * size < size ? all - index * size : size;
    it.sub_group_index = index;
    it.sub_group_count = (all + size - 1) / size;
    it.sub_maximum = size;
    it.sub_team = &w->sub_teams[it.sub_group_index];
    it.sub_team->size = it.sub_size;
    it.sub_team->arrived = 0;
  }

  template <int D, class F>
  static void run_group(const nd_range<D> &sizes, const size_t *counts, const size_t *group,
                        const F &f) {
    reference::world *w = reference::the_world();
    w->group_team.size = sizes.local.size();
    w->group_team.arrived = 0;
    size_t local[3];
    size_t count = 0;
    for_each(sizes.local.values, local, [&] {
      reference::work_item &it = w->items[count];
      for (int i = 0; i < 3; i++) {
        it.local[i] = local[i];
        it.local_size[i] = sizes.local[i];
        it.group[i] = group[i];
        it.group_count[i] = counts[i];
        it.global[i] = group[i] * sizes.local[i] + local[i];
        it.global_size[i] = sizes.global[i];
      }
      it.local_linear = count++;
      it.group_team = &w->group_team;
      place_in_sub_group(it);
      it.argument = const_cast<F *>(&f);
      it.run = [](void *function) {
        const F own = *static_cast<F *>(function);
        own(nd_item<D>{reference::current});
      };
    });
    reference::run_fibers(count);
  }
};

class queue {
 public:
  template <class F>
  void submit(const F &f) {
    handler h;
    f(h);
  }
  void wait_and_throw() {}
};

// One memory for all groups, as they run one after the other.
template <class T, int D>
class local_accessor {
 public:
  local_accessor(range<D> count, handler &)
      : data_(static_cast<T *>(std::malloc(count.size() * sizeof(T)))) {}
  T &operator[](size_t i) const { return data_[i]; }

 private:
  T *data_;  // leaked: a kernel's copies share it
};

}  // namespace sycl

#endif
