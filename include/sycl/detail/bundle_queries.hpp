// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// get_kernel_bundle, has_kernel_bundle, is_compatible.
// Source: SYCL 2020 sections 4.11.7 to 4.11.9.
#ifndef TENON_SYCL_DETAIL_BUNDLE_QUERIES_HPP
#define TENON_SYCL_DETAIL_BUNDLE_QUERIES_HPP

#include <sycl/detail/bundle_class.hpp>

namespace sycl {

namespace detail {

static_assert(static_cast<int>(bundle_state::input) == TN_BUNDLE_INPUT &&
              static_cast<int>(bundle_state::object) == TN_BUNDLE_OBJECT &&
              static_cast<int>(bundle_state::executable) == TN_BUNDLE_EXECUTABLE);

template <bundle_state State, class Selector>
using if_image_selector =
    std::enable_if_t<std::is_invocable_v<Selector &, const device_image<State> &>, int>;

// A selector, and what it threw.
class image_selection {
 public:
  virtual ~image_selection() = default;
  virtual bool select(tn_bundle_image *image) = 0;

  static int call(void *user, tn_bundle_image *image);

  std::exception_ptr thrown;
};

template <bundle_state State, class Selector>
class image_selection_of final : public image_selection {
 public:
  explicit image_selection_of(Selector &selector) : selector_(selector) {}
  bool select(tn_bundle_image *image) override {
    const device_image<State> shown(image);
    return static_cast<bool>(selector_(shown));
  }

 private:
  Selector &selector_;
};

// `ids` NULL: any kernels. `selection` NULL: any images.
bundle_handle get_bundle(bundle_state state, const context &ctxt, const std::vector<device> &devs,
                         const std::vector<kernel_id> *ids, image_selection *selection);
bool has_bundle(bundle_state state, const context &ctxt, const std::vector<device> &devs,
                const std::vector<kernel_id> *ids);

}  // namespace detail

template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &ctxt, const std::vector<device> &devs) {
  return kernel_bundle<State>(detail::get_bundle(State, ctxt, devs, nullptr, nullptr));
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &ctxt, const std::vector<device> &devs,
                                       const std::vector<kernel_id> &kernelIds) {
  return kernel_bundle<State>(detail::get_bundle(State, ctxt, devs, &kernelIds, nullptr));
}
template <bundle_state State, class Selector, detail::if_image_selector<State, Selector> = 0>
kernel_bundle<State> get_kernel_bundle(const context &ctxt, const std::vector<device> &devs,
                                       Selector selector) {
  detail::image_selection_of<State, Selector> selection(selector);
  return kernel_bundle<State>(detail::get_bundle(State, ctxt, devs, nullptr, &selection));
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &ctxt) {
  return get_kernel_bundle<State>(ctxt, ctxt.get_devices());
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &ctxt,
                                       const std::vector<kernel_id> &kernelIds) {
  return get_kernel_bundle<State>(ctxt, ctxt.get_devices(), kernelIds);
}
template <bundle_state State, class Selector, detail::if_image_selector<State, Selector> = 0>
kernel_bundle<State> get_kernel_bundle(const context &ctxt, Selector selector) {
  detail::image_selection_of<State, Selector> selection(selector);
  return kernel_bundle<State>(
      detail::get_bundle(State, ctxt, ctxt.get_devices(), nullptr, &selection));
}
template <class KernelName, bundle_state State>
TN_SYCL_HIDDEN kernel_bundle<State> get_kernel_bundle(const context &ctxt,
                                                      const std::vector<device> &devs) {
  return get_kernel_bundle<State>(ctxt, devs, {get_kernel_id<KernelName>()});
}
template <class KernelName, bundle_state State>
TN_SYCL_HIDDEN kernel_bundle<State> get_kernel_bundle(const context &ctxt) {
  return get_kernel_bundle<KernelName, State>(ctxt, ctxt.get_devices());
}

template <bundle_state State>
bool has_kernel_bundle(const context &ctxt, const std::vector<device> &devs) {
  return detail::has_bundle(State, ctxt, devs, nullptr);
}
template <bundle_state State>
bool has_kernel_bundle(const context &ctxt, const std::vector<device> &devs,
                       const std::vector<kernel_id> &kernelIds) {
  return detail::has_bundle(State, ctxt, devs, &kernelIds);
}
template <bundle_state State>
bool has_kernel_bundle(const context &ctxt) {
  return has_kernel_bundle<State>(ctxt, ctxt.get_devices());
}
template <bundle_state State>
bool has_kernel_bundle(const context &ctxt, const std::vector<kernel_id> &kernelIds) {
  return has_kernel_bundle<State>(ctxt, ctxt.get_devices(), kernelIds);
}
template <class KernelName, bundle_state State>
TN_SYCL_HIDDEN bool has_kernel_bundle(const context &ctxt, const std::vector<device> &devs) {
  return has_kernel_bundle<State>(ctxt, devs, {get_kernel_id<KernelName>()});
}
template <class KernelName, bundle_state State>
TN_SYCL_HIDDEN bool has_kernel_bundle(const context &ctxt) {
  return has_kernel_bundle<KernelName, State>(ctxt, ctxt.get_devices());
}

bool is_compatible(const std::vector<kernel_id> &kernelIds, const device &dev);
template <class KernelName>
TN_SYCL_HIDDEN bool is_compatible(const device &dev) {
  return is_compatible({get_kernel_id<KernelName>()}, dev);
}

#ifndef __SYCL_DEVICE_ONLY__

namespace detail {

using device_list = small_list<tn_device *>;
using kernel_id_list = small_list<tn_kernel_id *>;

TN_SYCL_COLD inline void add_devices(device_list &to, const std::vector<device> &devices) {
  for (std::size_t i = 0; i < devices.size(); ++i) {
    to.push(devices[i].tn_get());
  }
}
TN_SYCL_COLD inline void add_kernel_ids(kernel_id_list &to, const std::vector<kernel_id> &ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    to.push(ids[i].tn_get());
  }
}

TN_SYCL_COLD inline int image_selection::call(void *user, tn_bundle_image *image) {
  auto *self = static_cast<image_selection *>(user);
  try {
    return self->select(image) ? 1 : 0;
  } catch (...) {
    self->thrown = std::current_exception();
    return -1;
  }
}

// What a query points at.
struct bundle_request {
  device_list devices;
  kernel_id_list ids;
  tn_bundle_query query = {};

  bundle_request(bundle_state state, const context &ctxt, const std::vector<device> &devs,
                 const std::vector<kernel_id> *wanted) {
    add_devices(devices, devs);
    if (wanted) {
      add_kernel_ids(ids, *wanted);
    }
    query.struct_size = sizeof(query);
    query.state = static_cast<std::int32_t>(state);
    query.context = ctxt.tn_get();
    query.devices = devices.data();
    query.device_count = devices.size();
    query.ids = ids.data();
    query.id_count = ids.size();
    query.has_ids = wanted != nullptr;
  }
};

TN_SYCL_COLD inline bundle_handle get_bundle(bundle_state state, const context &ctxt,
                                             const std::vector<device> &devs,
                                             const std::vector<kernel_id> *ids,
                                             image_selection *selection) {
  bundle_request request(state, ctxt, devs, ids);
  if (selection) {
    request.query.select = image_selection::call;
    request.query.user = selection;
  }
  bundle_handle bundle;
  tn_diag diag;
  const tn_status status = tn_bundle_get(&request.query, bundle.out(), &diag);
  if (selection && selection->thrown) {
    std::rethrow_exception(selection->thrown);
  }
  check(status, diag);
  return bundle;
}

TN_SYCL_COLD inline bool has_bundle(bundle_state state, const context &ctxt,
                                    const std::vector<device> &devs,
                                    const std::vector<kernel_id> *ids) {
  const bundle_request request(state, ctxt, devs, ids);
  int result = 0;
  tn_diag diag;
  check(tn_bundle_exists(&request.query, &result, &diag), diag);
  return result != 0;
}

}  // namespace detail

TN_SYCL_COLD inline bool is_compatible(const std::vector<kernel_id> &kernelIds, const device &dev) {
  detail::kernel_id_list ids;
  detail::add_kernel_ids(ids, kernelIds);
  int result = 0;
  tn_diag diag;
  detail::check(tn_kernel_ids_are_compatible(ids.data(), ids.size(), dev.tn_get(), &result, &diag),
                diag);
  return result != 0;
}

#endif

}  // namespace sycl

#endif
