# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets RUN lines write %s and %t without quotes in trees whose path has spaces."""
import contextlib
import hashlib
import os
import tempfile

import lit.formats


def link_to(path):
    """The path itself when it has no space, else a link to it that has none."""
    if " " not in path:
        return path
    key = hashlib.sha256(path.encode()).hexdigest()[:16]
    folder = os.path.join(tempfile.gettempdir(), f"tenon-lit-{os.getuid()}")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if os.stat(folder).st_uid != os.getuid():
        raise RuntimeError(f"{folder} belongs to somebody else; remove it or set TMPDIR")
    link = os.path.join(folder, key)
    # Several runs of lit begin at once.
    with contextlib.suppress(FileExistsError):
        os.symlink(path, link)
    return link


class LinkedShTest(lit.formats.ShTest):
    """lit resolves the links in its roots, so they are put back before each test."""

    def __init__(self, source_root, exec_root):
        super().__init__(execute_external=False)
        self.source_root = source_root
        self.exec_root = exec_root

    def execute(self, test, litConfig):
        test.suite.source_root = self.source_root
        test.suite.exec_root = self.exec_root
        return super().execute(test, litConfig)
