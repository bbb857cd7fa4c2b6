// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers that are null, or to local memory, private memory or what a kernel captured: null is
// told from all of them, also from the first byte of local memory.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O1 %s -o %t.O1 && %t.O1
#include <sycl/sycl.hpp>

#include <cstdio>

constexpr size_t items = 64;

// The way of a value between work-items: through local memory, or without memory.
struct Way {
  int *place = nullptr;
};
struct Choice {
  bool is_local;
  template <typename Accessor> Way way(const Accessor &accessor) const {
    if (is_local)
      return Way{accessor.template get_multi_ptr<sycl::access::decorated::no>().get()};
    return Way{nullptr};
  }
};

struct Table {
  int values[8];
};

static bool check(const char *what, bool is_right) {
  if (!is_right) {
    std::printf("%s: wrong\n", what);
  }
  return is_right;
}

static bool test_local(sycl::queue &q, int *out, bool is_local) {
  const Choice choice{is_local};
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> memory(is_local ? items : 0, h);
     h.parallel_for(sycl::nd_range<1>(items, items), [=](sycl::nd_item<1> item) {
       const Way way = choice.way(memory);
       const int i = static_cast<int>(item.get_local_linear_id());
       if (!way.place) {
         out[i] = -i;
       } else {
         way.place[i] = i;
         sycl::group_barrier(item.get_group());
         out[i] = way.place[i ^ 1];
       }
     });
   }).wait();
  bool is_right = true;
  for (int i = 0; i < static_cast<int>(items); i++) {
    is_right = is_right && out[i] == (is_local ? i ^ 1 : -i);
  }
  return check(is_local ? "local memory" : "no local memory", is_right);
}

// Bits say what was taken for null: pointers to local memory, to private memory, into the kernel's
// arguments, and null itself in their places; and the first two where a pointer to global memory
// may be as well.
static bool test_all(sycl::queue &q, int *out, int number) {
  const int global_from = static_cast<int>(items);
  const Table table{{1, 2, 3, 4, 5, 6, 7, 8}};
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> memory(items, h);
     h.parallel_for(sycl::nd_range<1>(items, items), [=](sycl::nd_item<1> item) {
       const int i = static_cast<int>(item.get_local_linear_id());
       int own[8];
       for (int k = 0; k < 8; k++) {
         own[k] = k * number;
       }
       memory[i] = i;
       int *in_local = (i & 1) != 0 ? &memory[i] : nullptr;
       int *in_private = (i & 2) != 0 ? &own[i & 7] : nullptr;
       const int *captured = (i & 4) != 0 ? &table.values[i & 7] : nullptr;
       const int *any = in_local ? in_local : in_private ? in_private : captured;
       int *first = &memory[0];
       int bits = (in_local == nullptr ? 1 : 0) | (in_private == nullptr ? 2 : 0) |
                  (captured == nullptr ? 4 : 0) | (any == nullptr ? 8 : 0) |
                  (first == nullptr ? 16 : 0);
       int *local_or_global = i < global_from ? in_local : out + i;
       int *private_or_global = i < global_from ? in_private : out + i;
       bits |= (local_or_global == nullptr ? 32 : 0) | (private_or_global == nullptr ? 64 : 0);
       if (any) {
         bits += 128 * (*any + 1);
       }
       out[i] = bits;
     });
   }).wait();
  bool is_right = true;
  for (int i = 0; i < static_cast<int>(items); i++) {
    const int value = (i & 1) != 0   ? i
                      : (i & 2) != 0 ? (i & 7) * number
                                     : table.values[i & 7];
    const int bits = ((i & 1) != 0 ? 0 : 1 + 32) | ((i & 2) != 0 ? 0 : 2 + 64) |
                     ((i & 4) != 0 ? 0 : 4) | ((i & 7) != 0 ? 128 * (value + 1) : 8);
    is_right = is_right && out[i] == bits;
  }
  return check("pointers of all kinds", is_right);
}

// A search that ends with null where there is nothing.
static bool test_loop(sycl::queue &q, int *out) {
  q.parallel_for(sycl::range<1>(items), [=](sycl::id<1> id) {
     const int wanted = static_cast<int>(id[0]);
     int list[16];
     for (int k = 0; k < 16; k++) {
       list[k] = k * k + wanted % 3;
     }
     const int *found = nullptr;
     for (int k = 0; k < 16 && found == nullptr; k++) {
       found = list[k] == wanted ? &list[k] : nullptr;
     }
     out[id] = found ? static_cast<int>(found - list) : -1;
   }).wait();
  bool is_right = true;
  for (int i = 0; i < static_cast<int>(items); i++) {
    int expected = -1;
    for (int k = 0; k < 16 && expected < 0; k++) {
      expected = k * k + i % 3 == i ? k : -1;
    }
    is_right = is_right && out[i] == expected;
  }
  return check("a search", is_right);
}

int main() {
  sycl::queue q;
  int *out = sycl::malloc_shared<int>(items, q);
  bool is_right = test_local(q, out, true);
  is_right = test_local(q, out, false) && is_right;
  is_right = test_all(q, out, static_cast<int>(items) / 16) && is_right;
  is_right = test_loop(q, out) && is_right;
  sycl::free(out, q);
  return is_right ? 0 : 1;
}
