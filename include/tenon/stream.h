// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a command's work-items write for the host to print (sycl::stream). Device code only notes
// what to print and how: numbers become text on the host. See tenon.h for ownership and threading.
// Source: SYCL 2020 section 4.16.
//
// The memory is made of words of 64 bits, all in the host's byte order:
//   word 0        how many words are taken; work-items add to it to take more
//   word 1        how many words there are
//   words 2 … 7   not for device code
//   then pieces, one after the other: two words, and the records.
// A piece belongs to one work-item, and text that belongs together is a list of pieces:
//   word 0        bits 0 … 31 the word where the next piece begins, 0 for none; always behind this
//                 one. Bits 32 … 63: words of records in it.
//   word 1        bits 0 … 31 how many words of records it has room for; 0: nothing follows any
//                 more. Then flags: TN_STREAM_FIRST, TN_STREAM_CLOSED.
// A record begins with a word: bits 0 … 3 its kind, 4 … 7 a count, 8 … 15 TN_STREAM_ flags of its
// format, 16 … 31 its width, 32 … 47 its precision, 48 … 63 the size of an integer in bytes.
#ifndef TENON_STREAM_H
#define TENON_STREAM_H

#include "tenon/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TN_STREAM_FIRST (1ull << 32)   // no other piece is before it
#define TN_STREAM_CLOSED (1ull << 33)  // for device code: nothing is added any more
enum { TN_STREAM_BEGIN = 8 };          // where the first piece is

// Kinds of records.
enum {
  TN_STREAM_TEXT = 1,     // bits 32 … 63 bytes; they follow, up to a whole word
  TN_STREAM_LETTERS = 2,  // `count` bytes, at most 4, from bit 32 on
  TN_STREAM_SIGNED = 3,   // a word with the number follows, as for the next three
  TN_STREAM_UNSIGNED = 4,
  TN_STREAM_REAL = 5,  // a double
  TN_STREAM_ADDRESS = 6,
  TN_STREAM_LIST = 7,  // `count` words follow: {1, 2, 3}
};
// Of formats.
enum {
  TN_STREAM_HEX = 1 << 8,
  TN_STREAM_OCT = 2 << 8,
  TN_STREAM_SHOW_BASE = 4 << 8,
  TN_STREAM_SHOW_PLUS = 8 << 8,
  TN_STREAM_FIXED = 16 << 8,
  TN_STREAM_SCIENTIFIC = 32 << 8,
  TN_STREAM_HEX_REAL = TN_STREAM_FIXED | TN_STREAM_SCIENTIFIC,
};

typedef struct tn_stream tn_stream;  // counted; any thread

// Room for at least `size` characters that a command of the queue writes. OUT_OF_MEMORY.
TN_API TN_MUST_USE tn_status tn_stream_create(tn_queue *queue, size_t size, tn_stream **out,
                                              tn_diag *diag);
TN_API void tn_stream_retain(tn_stream *stream);
TN_API void tn_stream_release(tn_stream *stream);
TN_API void *tn_stream_memory(const tn_stream *stream);  // borrowed: for device code and the host
// Submits a command that prints to the standard output what was written when `after` is complete,
// and empties the memory. The caller owns *out_event. As tn_queue_submit.
TN_API TN_MUST_USE tn_status tn_stream_print(tn_stream *stream, const tn_event *after,
                                             tn_event **out_event, tn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
