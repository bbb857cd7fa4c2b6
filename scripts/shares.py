# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What takes long is looked at by shares, another one each day; with TENON_TEST_ALL=1 all of it."""
import datetime
import os


def add_option(parser, what):
    parser.add_argument("--share", type=size, default=1, metavar="N",
                        help=f"one {what} in N, another one each day")


def size(text):
    return 1 if os.environ.get("TENON_TEST_ALL") == "1" else int(text)


def today(share):
    return datetime.date.today().toordinal() % share


def take(items, share):
    return list(items)[today(share)::share]


def show(what, share):
    if share > 1:
        print(f"one {what} in {share}, from number {today(share)} on")
