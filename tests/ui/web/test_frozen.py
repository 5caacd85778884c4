"""A server that stands still in C says where."""

from __future__ import annotations

import subprocess
import sys

STANDS_STILL = """
import ctypes, logging, threading
from ui.web import frozen
logging.basicConfig(format="%(message)s")
said = threading.Event()
logging.getLogger("ui.web.frozen").addFilter(lambda record: said.set() or True)
frozen.watch(after=0.4)

def in_c():
    while not said.wait(0.2):  # the watch may not have begun
        ctypes.PyDLL(None).usleep(2_000_000)  # keeps Python's lock

in_c()
"""


def test_the_stacks_are_written_while_it_stands_still_and_a_sentence_after_it():
    done = subprocess.run([sys.executable, "-c", STANDS_STILL], capture_output=True, text=True, timeout=60, check=True)
    stacks, _, sentence = done.stderr.partition("The whole server stood still")
    assert "in in_c" in stacks
    assert "playground run" in sentence
