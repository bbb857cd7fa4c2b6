// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups, sub-groups and their functions, and atomic operations, of the reference.
#ifndef TN_TEST_FUZZ_KERNELS_REFERENCE_GROUPS_HPP
#define TN_TEST_FUZZ_KERNELS_REFERENCE_GROUPS_HPP

#include "functions.hpp"
#include "index.hpp"

namespace sycl {

template <int D>
struct group {
  reference::work_item *of;
  size_t get_group_id(int i) const { return of->group[i]; }
  size_t get_group_linear_id() const { return reference::linear<D>(of->group, of->group_count); }
  size_t get_group_range(int i) const { return of->group_count[i]; }
  size_t get_local_linear_id() const { return of->local_linear; }
  size_t get_local_linear_range() const { return of->group_team->size; }
  reference::team *tn_team() const { return of->group_team; }
  size_t tn_member() const { return of->local_linear; }
};
struct sub_group {
  reference::work_item *of;
  size_t get_group_linear_id() const { return of->sub_group_index; }
  size_t get_group_linear_range() const { return of->sub_group_count; }
  size_t get_local_linear_id() const { return of->sub_local; }
  size_t get_local_linear_range() const { return of->sub_size; }
  size_t get_max_local_range() const { return of->sub_maximum; }
  reference::team *tn_team() const { return of->sub_team; }
  size_t tn_member() const { return of->sub_local; }
};
template <int D>
struct nd_item {
  reference::work_item *of;
  size_t get_global_id(int i) const { return of->global[i]; }
  size_t get_local_id(int i) const { return of->local[i]; }
  size_t get_group(int i) const { return of->group[i]; }
  size_t get_global_range(int i) const { return of->global_size[i]; }
  size_t get_local_range(int i) const { return of->local_size[i]; }
  size_t get_group_range(int i) const { return of->group_count[i]; }
  size_t get_global_linear_id() const { return reference::linear<D>(of->global, of->global_size); }
  size_t get_local_linear_id() const { return of->local_linear; }
  size_t get_group_linear_id() const { return reference::linear<D>(of->group, of->group_count); }
  group<D> get_group() const { return {of}; }
  sub_group get_sub_group() const { return {of}; }
};

template <class G>
void group_barrier(G g) {
  reference::wait(g.tn_team());
}

namespace reference {

// Calls f with a function that gives each member's value.
template <class G, class T, class F>
auto together(G g, const T &value, const F &f) {
  static_assert(sizeof(T) <= slot_size);
  team *all = g.tn_team();
  memcpy(all->slots[g.tn_member()], &value, sizeof(T));
  wait(all);
  const auto result = f([&](size_t i) {
    T out;
    memcpy(&out, all->slots[i < all->size ? i : g.tn_member()], sizeof(T));
    return out;
  });
  wait(all);
  return result;
}

}  // namespace reference

template <class G, class T, class Op>
T reduce_over_group(G g, T value, Op op) {
  return reference::together(g, value, [&](auto at) {
    T result = at(0);
    for (size_t i = 1; i < g.tn_team()->size; i++) {
      result = op(result, at(i));
    }
    return result;
  });
}
template <class G, class T, class Op>
T inclusive_scan_over_group(G g, T value, Op op) {
  return reference::together(g, value, [&](auto at) {
    T result = at(0);
    for (size_t i = 1; i <= g.tn_member(); i++) {
      result = op(result, at(i));
    }
    return result;
  });
}
template <class G, class T, class Op>
T exclusive_scan_over_group(G g, T value, T first, Op op) {
  return reference::together(g, value, [&](auto at) {
    T result = first;
    for (size_t i = 0; i < g.tn_member(); i++) {
      result = op(result, at(i));
    }
    return result;
  });
}
template <class G>
bool any_of_group(G g, bool value) {
  return reduce_over_group(g, value, [](bool a, bool b) { return a || b; });
}
template <class G>
bool all_of_group(G g, bool value) {
  return reduce_over_group(g, value, [](bool a, bool b) { return a && b; });
}
template <class G>
bool none_of_group(G g, bool value) {
  return !any_of_group(g, value);
}
template <class G, class T>
T group_broadcast(G g, T value, size_t from = 0) {
  return reference::together(g, value, [&](auto at) { return at(from); });
}
// Ranges of memory: each member reads them all; scans are the first member's work.
template <class G, class P, class Op>
auto joint_reduce(G, P first, P last, Op op) {
  auto result = *first;
  while (++first != last) {
    result = op(result, *first);
  }
  return result;
}
template <class G, class P, class F>
bool joint_any_of(G, P first, P last, F f) {
  bool result = false;
  for (; first != last; ++first) {
    result = result || f(*first);
  }
  return result;
}
template <class G, class P, class F>
bool joint_none_of(G g, P first, P last, F f) {
  return !joint_any_of(g, first, last, f);
}
template <class G, class P, class F>
bool joint_all_of(G g, P first, P last, F f) {
  return joint_none_of(g, first, last, [&](auto e) { return !f(e); });
}
template <class G, class P, class Q, class T, class Op>
Q joint_exclusive_scan(G g, P first, P last, Q to, T value, Op op) {
  reference::wait(g.tn_team());
  for (; g.tn_member() == 0 && first != last; ++first) {
    const auto here = *first;
    *to++ = value;
    value = op(value, here);
  }
  reference::wait(g.tn_team());
  return to;
}
template <class G, class P, class Q, class Op>
Q joint_inclusive_scan(G g, P first, P last, Q to, Op op) {
  reference::wait(g.tn_team());
  auto value = *first;
  for (P at = first; g.tn_member() == 0 && at != last; ++at) {
    value = at == first ? *at : op(value, *at);
    *to++ = value;
  }
  reference::wait(g.tn_team());
  return to;
}
// What comes from outside of the sub-group is unspecified, and not used by kernels.
template <class T>
T shift_group_left(sub_group g, T value, size_t by) {
  return reference::together(g, value, [&](auto at) { return at(g.tn_member() + by); });
}
template <class T>
T shift_group_right(sub_group g, T value, size_t by) {
  return reference::together(g, value, [&](auto at) { return at(g.tn_member() - by); });
}
template <class T>
T permute_group_by_xor(sub_group g, T value, size_t mask) {
  return reference::together(g, value, [&](auto at) { return at(g.tn_member() ^ mask); });
}
template <class T>
T select_from_group(sub_group g, T value, size_t from) {
  return reference::together(g, value, [&](auto at) { return at(from); });
}

enum class memory_order { relaxed, acq_rel };
enum class memory_scope { work_group, device };
namespace access {
enum class address_space { generic_space, global_space, local_space };
}
template <class T, memory_order, memory_scope, access::address_space>
struct atomic_ref {
  T &to;
  explicit atomic_ref(T &of) : to(of) {}
  template <class F>
  T change(const F &f) const {
    const T old = to;
    to = f(old);
    return old;
  }
  // Wraps, as atomic operations do.
  T fetch_add(T v) const {
    return change([&](T o) { return plus<T>()(o, v); });
  }
  T fetch_sub(T v) const {
    return change([&](T o) { return plus<T>()(o, static_cast<T>(0 - static_cast<uint64_t>(v))); });
  }
  T fetch_min(T v) const {
    return change([&](T o) { return v < o ? v : o; });
  }
  T fetch_max(T v) const {
    return change([&](T o) { return o < v ? v : o; });
  }
  T fetch_and(T v) const {
    return change([&](T o) { return o & v; });
  }
  T fetch_or(T v) const {
    return change([&](T o) { return o | v; });
  }
  T fetch_xor(T v) const {
    return change([&](T o) { return o ^ v; });
  }
};

}  // namespace sycl

#endif
