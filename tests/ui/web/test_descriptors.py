"""The soft limit of descriptors, in a process of its own whose limit is low."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ui.web.descriptors import WANTED

resource = pytest.importorskip("resource", reason="Windows has no such limit")


def limits_after(soft: int, hard: int) -> list[int]:
    code = (
        "import resource; from ui.web.descriptors import allow_many; allow_many(); "
        "print(*resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard)),
    )
    return [int(number) for number in done.stdout.split()]


@pytest.mark.parametrize(
    ("before", "after"),
    [((256, 1024), [1024, 1024]), ((256, 16384), [WANTED, 16384]), ((12000, 16384), [12000, 16384])],
)
def test_it_is_raised_as_far_as_it_may_be(before, after):
    assert limits_after(*before) == after
