// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a work-item writes to a stream: records of words in pieces of the stream's memory
// (tenon/stream.h). Each work-item has a copy of its kernel's function object, and so of this.
#ifndef TENON_SYCL_DETAIL_STREAM_WORDS_HPP
#define TENON_SYCL_DETAIL_STREAM_WORDS_HPP

#include "tenon/stream.h"

#include <cstddef>
#include <cstdint>

namespace sycl::detail {

class stream_words {
 public:
  using word = std::uint64_t;

  void put(unsigned kind, word value, std::size_t bytes = 0) const {
    if (word *at = take(2)) {
      at[0] = format_ | kind | static_cast<word>(bytes) << 48;
      at[1] = value;
    }
    set_width(0);
  }
  // At most 4, the first one in the lowest bits.
  void put_letters(unsigned letters, unsigned count) const {
    if (word *at = take(1)) {
      at[0] = static_cast<word>(letters) << 32 | (format_ & 0xffff0000u) | count << 4 |
              TN_STREAM_LETTERS;
    }
    set_width(0);
  }
  void put_text(const char *text) const {
    word size = 0;
    while (text[size] != '\0') {
      ++size;
    }
    if (word *at = take(1 + static_cast<std::uint32_t>((size + 7) / 8))) {
      at[0] = size << 32 | (format_ & 0xffff0000u) | TN_STREAM_TEXT;
      auto *to = reinterpret_cast<char *>(at + 1);
      for (word i = 0; i < size; ++i) {
        to[i] = text[i];
      }
    }
    set_width(0);
  }
  template <class Index>
  void put_list(unsigned count, const Index &index) const {
    if (word *at = take(1 + count)) {
      at[0] = (format_ & 0xff00u) | count << 4 | TN_STREAM_LIST;
      for (unsigned i = 0; i < count; ++i) {
        at[1 + i] = index[static_cast<int>(i)];
      }
    }
  }
  void set_width(int width) const { set(16, width); }
  void set_precision(int precision) const { set(32, precision); }
  // A sycl::stream_manipulator.
  void change(int manipulator) const {
    constexpr word base = TN_STREAM_HEX | TN_STREAM_OCT;
    constexpr word real = TN_STREAM_HEX_REAL;
    struct effect {
      word off, on;
    };
    constexpr effect effects[] = {{0, 0},
                                  {base, 0},
                                  {base, TN_STREAM_HEX},
                                  {base, TN_STREAM_OCT},
                                  {TN_STREAM_SHOW_BASE, 0},
                                  {0, TN_STREAM_SHOW_BASE},
                                  {TN_STREAM_SHOW_PLUS, 0},
                                  {0, TN_STREAM_SHOW_PLUS},
                                  {0, 0},
                                  {real, TN_STREAM_FIXED},
                                  {real, TN_STREAM_SCIENTIFIC},
                                  {real, TN_STREAM_HEX_REAL},
                                  {real, 0}};
    constexpr int is_flush = 0;
    constexpr int is_endl = 8;
    if (manipulator == is_endl) {
      put_letters('\n', 1);
    }
    if (manipulator == is_endl || manipulator == is_flush) {
      close();
    } else {
      format_ = (format_ & ~effects[manipulator].off) | effects[manipulator].on;
    }
  }

 protected:
  void begin(void *memory) noexcept { memory_ = static_cast<word *>(memory); }

 private:
  static constexpr word usual_format = word{6} << 32;
  static constexpr std::uint32_t usual_size = 14;  // of a piece, with its two words 128 bytes

  void set(int shift, int value) const {
    constexpr int most = 0xffff;
    const int kept = value < 0 ? 0 : value > most ? most : value;
    format_ = (format_ & ~(word{0xffff} << shift)) | static_cast<word>(kept) << shift;
  }
  // The piece that this work-item's next record is for, or the last one before it; 0 for none.
  std::uint32_t last() const {
    std::uint32_t at = piece_;
    while (at != 0 && static_cast<std::uint32_t>(memory_[at]) != 0) {
      at = static_cast<std::uint32_t>(memory_[at]);
    }
    return at != 0 && (memory_[at + 1] & TN_STREAM_CLOSED) == 0 ? at : 0;
  }
  void close() const {
    if (const std::uint32_t at = last()) {
      memory_[at + 1] |= TN_STREAM_CLOSED;
    }
    piece_ = 0;
  }
  // So many words for a record; null when there is no room.
  [[gnu::noinline]] word *take(std::uint32_t count) const {
    const std::uint32_t open = last();
    if (open != 0) {
      const word used = memory_[open] >> 32;
      piece_ = open;
      if (static_cast<std::uint32_t>(memory_[open + 1]) - used >= count) {
        memory_[open] += static_cast<word>(count) << 32;
        return memory_ + open + 2 + used;
      }
    }
    const word limit = memory_[1];
    const bool is_ample = __atomic_load_n(memory_, __ATOMIC_RELAXED) < limit / 4;
    const word size = is_ample && count < usual_size ? usual_size : count;
    const word made = __atomic_fetch_add(memory_, size + 2, __ATOMIC_RELAXED);
    if (made + size + 2 > limit) {
      if (made + 2 <= limit) {
        memory_[made + 1] = 0;
      }
      return nullptr;
    }
    memory_[made] = static_cast<word>(count) << 32;
    memory_[made + 1] = size | (open != 0 ? 0 : TN_STREAM_FIRST);
    if (open != 0) {
      memory_[open] |= made;
    }
    piece_ = static_cast<std::uint32_t>(made);
    return memory_ + made + 2;
  }

  word *memory_ = nullptr;
  mutable word format_ = usual_format;
  mutable std::uint32_t piece_ = 0;
};

}  // namespace sycl::detail

#endif
