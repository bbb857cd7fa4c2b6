// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the library twice.
#include <cstdio>

int doubled(int value);

int main() { std::printf("%d %d\n", QUESTION(21), doubled(21)); }
