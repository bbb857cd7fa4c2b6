#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A kernel compiled at run time, launched on NumPy arrays in memory that the device uses: ctypes.
import ctypes as c
import sys

import numpy as np

SOURCE = b"""#include <tenon/device_code.h>
TN_KERNEL void scale(const float *in, float *out, float factor) {
  out[tn_global_id(0)] = factor * in[tn_global_id(0)];
}"""
SOURCE_C, EXECUTABLE, IN_ORDER, SHARED, KERNEL = 2, 2, 1, 2, 1  # TN_SOURCE_C … of tenon/*.h
struct = lambda **fields: type("struct", (c.Structure,), {"_fields_": list(fields.items())})  # noqa: E731
word, size, pointer = c.c_uint32, c.c_size_t, c.c_void_p
Diag = struct(numbers=word * 4, file=pointer, text=c.c_char * 1000)
Query = struct(struct_size=word, language=word, context=pointer, source=c.c_char_p, source_size=size,
               includes=pointer, include_count=size)
Build = struct(struct_size=word, state=word, others=pointer * 6)
Command = struct(struct_size=word, kind=word, events=pointer * 5, kernel=pointer, args=pointer, arg_size=word,
                 arg_align=word, dims=word, has_local=word, range=c.c_uint64 * 9, others=pointer * 21)
Args = struct(input=pointer, output=pointer, factor=c.c_float)
tenon, diag = c.CDLL("libtenon.so.0"), Diag()


def call(function, *args):  # the last argument of each function says what went wrong
    if getattr(tenon, function)(*args, c.byref(diag)) != 0:
        sys.exit(f"{function}: {diag.text.decode()}")


def make(function, *args):  # the one before it is what was made
    made = pointer()
    call(function, *args, c.byref(made))
    return made


class Memory:  # with the array interface, so that NumPy needs no copy
    def __init__(self, count):
        self.at = make("tn_usm_alloc", context, device, SHARED, size(4 * count), size(0))
        self.__array_interface__ = dict(version=3, data=(self.at.value, False), shape=(count,), typestr="<f4")


device = make("tn_device_get_default")
context = make("tn_context_create", c.byref(device), size(1))
queue = make("tn_queue_create", context, device, IN_ORDER)
source = make("tn_source_create", c.byref(Query(c.sizeof(Query), SOURCE_C, context, SOURCE, len(SOURCE))))
bundle = pointer()
call("tn_source_build_bundle", source, c.byref(Build(c.sizeof(Build), EXECUTABLE)), c.byref(bundle), None)
kernel = make("tn_bundle_get_kernel", bundle, make("tn_bundle_find_kernel_id", bundle, b"scale"), device)
memory = Memory(1000), Memory(1000)
numbers, scaled = np.asarray(memory[0]), np.asarray(memory[1])
numbers[:] = np.arange(1000)
args = Args(memory[0].at, memory[1].at, 2.5)
command = Command(c.sizeof(Command), KERNEL, kernel=kernel, args=c.addressof(args), arg_size=c.sizeof(args),
                  arg_align=8, dims=1, range=(1000, 1, 1, 1, 1, 1))
call("tn_queue_submit", queue, c.byref(command), None)
call("tn_queue_wait", queue)
print("scale: correct" if np.array_equal(scaled, 2.5 * numbers) else "scale: WRONG")
