// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A source without device code.
int nothing();
