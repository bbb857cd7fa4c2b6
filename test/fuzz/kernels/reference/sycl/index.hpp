// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges and ids of the reference.
#ifndef TN_TEST_FUZZ_KERNELS_REFERENCE_INDEX_HPP
#define TN_TEST_FUZZ_KERNELS_REFERENCE_INDEX_HPP

#include "fibers.hpp"

namespace sycl {

template <int D>
struct triple {
  size_t values[3] = {1, 1, 1};
  size_t get(int i) const { return values[i]; }
  size_t operator[](int i) const { return values[i]; }
};
template <int D>
struct range : triple<D> {
  explicit range(size_t a, size_t b = 1, size_t c = 1) : triple<D>{{a, b, c}} {}
  size_t size() const { return this->values[0] * this->values[1] * this->values[2]; }
};
template <int D>
struct id : triple<D> {
  id(size_t a = 0, size_t b = 0, size_t c = 0) : triple<D>{{a, b, c}} {}
  operator size_t() const {
    static_assert(D == 1);
    return this->values[0];
  }
};
template <int D>
struct nd_range {
  nd_range(range<D> of_global, range<D> of_local) : global(of_global), local(of_local) {}
  range<D> global;
  range<D> local;
};

namespace reference {

// With the unused dimensions behind the used ones: 0, of size 1.
template <int D>
size_t linear(const size_t *ids, const size_t *sizes) {
  size_t result = 0;
  for (int i = 0; i < D; i++) {
    result = result * sizes[i] + ids[i];
  }
  return result;
}
template <int D>
id<D> id_of(const size_t *v) {
  return id<D>(v[0], v[1], v[2]);
}
template <int D>
range<D> range_of(const size_t *v) {
  return range<D>(v[0], v[1], v[2]);
}

}  // namespace reference

template <int D>
struct item {
  const reference::work_item *of;
  id<D> get_id() const { return reference::id_of<D>(of->global); }
  size_t get_id(int i) const { return of->global[i]; }
  size_t operator[](int i) const { return of->global[i]; }
  range<D> get_range() const { return reference::range_of<D>(of->global_size); }
  size_t get_range(int i) const { return of->global_size[i]; }
  size_t get_linear_id() const { return reference::linear<D>(of->global, of->global_size); }
};

}  // namespace sycl

#endif
