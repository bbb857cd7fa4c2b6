// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of reductions. A range is cut into strips. A work-group with as
// many work-items as a vector has lanes walks each, side by side, every
// work-item with reducers of its own; the sub-group that ends last puts
// together what all have contributed. Where reducers are large, a strip is the
// work of one work-item. On NVIDIA's GPUs a strip is no part of the range: work-
// groups take small pieces in turn. The work-items of an nd_range are the
// program's: each of their sub-groups leaves its contribution in memory, and a
// second kernel puts those together.
#ifndef TENON_SYCL_DETAIL_REDUCTION_KERNEL_HPP
#define TENON_SYCL_DETAIL_REDUCTION_KERNEL_HPP

#include <sycl/detail/reduction_group.hpp>
#include <sycl/detail/reduction_object.hpp>
#include <sycl/detail/work_item.hpp>
#include <sycl/kernel_handler.hpp>

namespace sycl::detail {

// How much there is and how it is cut; the strips' memory. Equal in both
// passes.
struct reduction_strips {
  std::size_t total = 0;      // work-items or contributions
  std::size_t length = 0;     // of a strip; the last may be shorter
  std::size_t count = 0;      // strips
  unsigned *ended = nullptr;  // strips that have ended; 0 between launches
  char *places = nullptr;     // what each strip contributes

  std::size_t begin(std::size_t strip) const { return strip * length; }
  std::size_t end(std::size_t strip) const {
    return total - begin(strip) < length ? total : begin(strip) + length;
  }
};

#ifdef __SYCL_DEVICE_ONLY__

// Of the kernel's function object: a copy, so that what contributions are
// written to is never taken for what it holds.
template <class F>
using copy_if_small = std::conditional_t<sizeof(F) <= 256, const F, const F &>;

// A strip by one work-item.
struct whole_strip {
  template <class Visit, class Other>
  void visit(std::size_t count, const Visit &each, const Other &) const {
    for (std::size_t i = 0; i < count; ++i) {
      each(i);
    }
  }
};
// A strip by the work-items of a group, side by side; on NVIDIA's GPUs two at a
// time, `each` and `other`, which do not wait for each other's sums. Sub-groups
// of the CPU are several vectors, which do not either.
struct part_of_strip {
  std::size_t here;
  std::size_t group_size;
  template <class Visit, class Other>
  void visit(std::size_t count, const Visit &each, const Other &other) const {
    std::size_t round = 0;
#if TN_SYCL_REDUCES_BY_GROUPS
    // What many read at once is under way together.
    for (; round + 8 * group_size <= count; round += 8 * group_size) {
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < 8; i += 2) {
        each(round + i * group_size + here);
        other(round + (i + 1) * group_size + here);
      }
    }
    for (; round + 2 * group_size <= count; round += 2 * group_size) {
      each(round + here);
      other(round + group_size + here);
    }
#else
    for (; round + group_size <= count; round += group_size) {
      each(round + here);
    }
#endif
    for (; round < count; round += group_size) {
      if (round + here < count) {
        each(round + here);
      }
    }
  }
};

// Calls `each` or `other` for work-items [begin, end) of a range in row-major
// order.
template <class Part, class Visit, class Other>
void visit_range(const Part &part, const range<1> &extent, std::size_t begin, std::size_t end,
                 const Visit &each, const Other &other) {
  const auto item_at = [&](std::size_t i) {
    return index_maker::item<1>(id<1>(begin + i), extent);
  };
  part.visit(
      end - begin, [&](std::size_t i) { each(item_at(i)); },
      [&](std::size_t i) { other(item_at(i)); });
}
template <class Part, int Dimensions, class Visit, class Other>
void visit_range(const Part &part, const range<Dimensions> &extent, std::size_t begin,
                 std::size_t end, const Visit &each, const Other &other) {
  constexpr int last = Dimensions - 1;
  std::size_t row = begin / extent[last];
  std::size_t column = begin % extent[last];
  for (std::size_t left = end - begin; left != 0;) {
    const std::size_t rest = extent[last] - column;
    const std::size_t count = left < rest ? left : rest;
    const auto item_at = [&](std::size_t i) {
      if constexpr (Dimensions == 2) {
        return index_maker::item<2>(id<2>(row, column + i), extent);
      } else {
        return index_maker::item<3>(id<3>(row / extent[1], row % extent[1], column + i), extent);
      }
    };
    part.visit(
        count, [&](std::size_t i) { each(item_at(i)); }, [&](std::size_t i) { other(item_at(i)); });
    left -= count;
    column = 0;
    ++row;
  }
}

inline void total_up(const reduction_list<> &, const char *, std::size_t) {}
template <class Head, class... Tail>
void total_up(const reduction_list<Head, Tail...> &list, const char *places, std::size_t count) {
  auto total = list.head.make_reducer();
  list.head.merge(total, places, 0, count);
  list.head.finish(total);
  total_up(list.tail, places + Head::size_of_places(count), count);
}

// After a strip's places are written.
template <class... Reductions>
void end_strip(const reduction_list<Reductions...> &list, const reduction_strips &strips) {
  if (strips.count > 1) {
    const auto before = __atomic_fetch_add(strips.ended, 1u, __ATOMIC_ACQ_REL);
    if (before + 1 != strips.count) {
      return;
    }
    __atomic_store_n(strips.ended, 0u, __ATOMIC_RELAXED);
  }
  total_up(list, strips.places, strips.count);
}

// The same for strips of several work-items, called by all of a sub-group;
// `count` of them leave places.
inline void total_up_once(const reduction_list<> &, const char *, std::size_t) {}
template <class Head, class... Tail>
void total_up_once(const reduction_list<Head, Tail...> &list, const char *places,
                   std::size_t count) {
  auto total = list.head.make_reducer();
  list.head.merge(total, places, 0, count);
  if (lane() == 0) {
    list.head.finish(total);
  }
  total_up_once(list.tail, places + Head::size_of_places(count), count);
}
template <class... Reductions>
void end_sub_group(const reduction_list<Reductions...> &list, const reduction_strips &strips,
                   std::size_t count) {
  unsigned before = 0;
  if (lane() == 0) {
    before = __atomic_fetch_add(strips.ended, 1u, __ATOMIC_ACQ_REL);
  }
  if (shuffle(before, 0) + 1 != count) {
    return;
  }
  if (lane() == 0) {
    __atomic_store_n(strips.ended, 0u, __ATOMIC_RELAXED);
  }
  total_up_once(list, strips.places, count);
}

// Calls `visit` with a reducer for each reduction.
template <class Visit>
void with_reducers(const reduction_list<> &, const Visit &visit) {
  visit();
}
template <class Visit, class Head, class... Tail>
void with_reducers(const reduction_list<Head, Tail...> &list, const Visit &visit) {
  auto mine = list.head.make_reducer();
  with_reducers(list.tail, [&](auto &...others) { visit(mine, others...); });
}

// Leaves what reducers hold in place `index` of `count`.
inline void store_all(const reduction_list<> &, char *, std::size_t, std::size_t) {}
template <class Head, class... Tail, class First, class... Others>
void store_all(const reduction_list<Head, Tail...> &list, char *places, std::size_t index,
               std::size_t count, First &first, Others &...others) {
  list.head.store(first, places, index);
  store_all(list.tail, places + Head::size_of_places(count), index, count, others...);
}

inline void merge_sub_groups(const reduction_list<> &) {}
template <class Head, class... Tail, class First, class... Others>
void merge_sub_groups(const reduction_list<Head, Tail...> &list, First &first, Others &...others) {
  list.head.merge_sub_group(first);
  merge_sub_groups(list.tail, others...);
}

#endif

template <class F, int Dimensions, class... Reductions>
struct reduce_range {
  using tn_wrapped_function = F;
  // Whether a strip is the work of many work-items.
  static constexpr bool shares_strips(bool reduces_by_groups) {
    return reduces_by_groups ? (Reductions::is_small_for_groups && ...)
                             : (Reductions::is_small && ...);
  }

  void operator()(nd_item<1> place) const {
#ifdef __SYCL_DEVICE_ONLY__
    const std::size_t strip = place.get_group(0);
    if constexpr (shares_strips(TN_SYCL_REDUCES_BY_GROUPS)) {
#if !TN_SYCL_REDUCES_BY_GROUPS
      const std::size_t sub_groups = sub_group_count();
      const std::size_t count = strips.count * sub_groups;
#endif
      with_reducers(list, [&](auto &...reducers) {
#if TN_SYCL_REDUCES_BY_GROUPS
        with_reducers(list, [&](auto &...seconds) {
          copy_if_small<F> function = f;
          const auto each = [&](const item<Dimensions> &at) {
            call_kernel_function(function, at, reducers...);
          };
          const auto other = [&](const item<Dimensions> &at) {
            call_kernel_function(function, at, seconds...);
          };
          const part_of_strip part{place.get_local_id(0), place.get_local_range(0)};
          const std::size_t most = 8 * part.group_size;
          const std::size_t piece = strips.length < most ? strips.length : most;
          // In turn, so that groups that run at once read what lies together.
          for (std::size_t begin = strip * piece; begin < strips.total;
               begin += strips.count * piece) {
            const std::size_t rest = strips.total - begin;
            visit_range(part, extent, begin, rest < piece ? strips.total : begin + piece, each,
                        other);
          }
          (reducer_access::merge(reducers, seconds), ...);
        });
        end_group(list, strips.places, strips.ended, strip, strips.count, reducers...);
      });
#else
        copy_if_small<F> function = f;
        visit_range(
            part_of_strip{place.get_local_id(0), place.get_local_range(0)},
            extent, strips.begin(strip), strips.end(strip),
            [&](const item<Dimensions> &at) { call_kernel_function(function, at, reducers...); },
            [](const item<Dimensions> &) {});
        merge_sub_groups(list, reducers...);
        store_all(list, strips.places, strip * sub_groups + sub_group_index(),
                  count, reducers...);
      });
      end_sub_group(list, strips, count);
#endif
    } else {
      with_reducers(list, [&](auto &...reducers) {
        copy_if_small<F> function = f;
        visit_range(
            whole_strip(), extent, strips.begin(strip), strips.end(strip),
            [&](const item<Dimensions> &at) { call_kernel_function(function, at, reducers...); },
            [](const item<Dimensions> &) {});
        store_all(list, strips.places, strip, strips.count, reducers...);
      });
      end_strip(list, strips);
    }
#else
    (void)place;
#endif
  }

  F f;
  range<Dimensions> extent;
  reduction_strips strips;
  reduction_list<Reductions...> list;
};

template <class F, int Dimensions, class... Reductions>
struct reduce_nd_range {
  using tn_user_function = F;
  using tn_wrapped_function = F;
  void operator()(nd_item<Dimensions> item) const {
#ifdef __SYCL_DEVICE_ONLY__
    with_reducers(list, [&](auto &...reducers) {
      call_kernel_function(f, item, reducers...);
#if TN_SYCL_REDUCES_BY_GROUPS
      std::size_t groups = 1;
      for (int i = 0; i < Dimensions; ++i) {
        groups *= item.get_group_range(i);
      }
      end_group(list, places, reinterpret_cast<unsigned *>(ended), item.get_group_linear_id(),
                groups, reducers...);
#else
      merge_sub_groups(list, reducers...);
      // All work-items of a sub-group write the same: one store, where they are
      // lanes.
      const std::size_t sub_groups = sub_group_count();
      const std::size_t index =
          item.get_group_linear_id() * sub_groups + sub_group_index();
      store_all(list, places, index, count, reducers...);
      if (index == 0) {
        *sub_group_counter = sub_groups;
      }
#endif
    });
#else
    (void)item;
#endif
  }

  F f;
  char *places;
  std::size_t count;               // places that there are: as if each sub-group were one work-item
  std::size_t *sub_group_counter;  // gets how many sub-groups a work-group has
  void *ended;                     // where groups are counted that have ended
  reduction_list<Reductions...> list;
};

// Puts the contributions of an nd_range's sub-groups together. Only the device
// knows how many.
template <class... Reductions>
struct reduce_places {
  void operator()(nd_item<1> place) const {
#ifdef __SYCL_DEVICE_ONLY__
    const std::size_t strip = place.get_group(0);
    const std::size_t total = groups * *sub_group_counter;
    const std::size_t length = (total + strips.count - 1) / strips.count;
    const std::size_t begin = strip * length < total ? strip * length : total;
    const std::size_t end = total - begin < length ? total : begin + length;
    merge(list, places, begin, end, strips.places, strip);
    end_strip(list, strips);
#else
    (void)place;
#endif
  }

#ifdef __SYCL_DEVICE_ONLY__
  void merge(const reduction_list<> &, const char *, std::size_t, std::size_t, char *,
             std::size_t) const {}
  template <class Head, class... Tail>
  void merge(const reduction_list<Head, Tail...> &rest, const char *from, std::size_t begin,
             std::size_t end, char *to, std::size_t strip) const {
    auto mine = rest.head.make_reducer();
    rest.head.merge(mine, from, begin, end);
    rest.head.store(mine, to, strip);
    merge(rest.tail, from + Head::size_of_places(strips.total), begin, end,
          to + Head::size_of_places(strips.count), strip);
  }
#endif

  const char *places;
  std::size_t groups;
  const std::size_t *sub_group_counter;
  reduction_strips strips;
  reduction_list<Reductions...> list;
};

}  // namespace sycl::detail

#endif
