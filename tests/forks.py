"""Processes that begin in the time of a fork: a server that has imported what they need forks for each.

Only the beginning is not their own. A fork has the arguments, folder, environment and standard streams that it is given,
shares no thread and no connection with the tests, and ends as any interpreter does. Tests of what a process imports, and of
its hash seed, need a process of their own.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import types
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import IO, Any, Self

COMMAND = (
    "agents.pipelines",
    "agents.runs",
    "psutil",
    "ui.cli.main",
    "ui.cli.running.run",
    "ui.server",
)
"""What the commands of the command line import."""
_LENGTH = 4
"""Bytes that say how long an order is."""


class Fork:
    """A process that the server has forked, in the shape of `subprocess.Popen` with text streams.

    Args:
        arguments: Those after the interpreter's name: `-m MODULE …` or `-c CODE …`.
        cwd: The folder that it runs in.
        one_stream: What it says of errors comes in `stdout`, in order.
        environment: Its variables; by default those of this process.
        imported: The modules that it has from the beginning.

    Attributes:
        pid: Its id.
        stdout: What it says; standard input is empty.
        stderr: What it says of errors.
        returncode: Its exit code, negative for a signal; None until `wait` or `communicate` has returned.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        cwd: Path,
        one_stream: bool = False,
        environment: Mapping[str, str] | None = None,
        imported: tuple[str, ...] = COMMAND,
    ) -> None:
        variables = dict(os.environ if environment is None else environment)
        order = json.dumps({"arguments": [*arguments], "cwd": str(cwd), "environment": variables}).encode()
        (out, out_end), (errors, errors_end), (state, state_end) = os.pipe(), os.pipe(), os.pipe()
        self.stdout: IO[str] = os.fdopen(out, encoding="utf-8")
        self.stderr: IO[str] = os.fdopen(errors, encoding="utf-8")
        self._state = os.fdopen(state, "rb", buffering=0)
        ends = (out_end, errors_end, state_end)
        server, _ = _server(imported)
        given = (out_end, out_end, state_end) if one_stream else ends
        socket.send_fds(server, [len(order).to_bytes(_LENGTH, "big")], given)
        server.sendall(order)
        for end in ends:
            os.close(end)
        self.pid = int(self._state.readline())
        self.returncode: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()
        self._close()

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code.

        Raises:
            TimeoutError: It has not ended in time.
        """
        if self.returncode is None:
            if not select.select([self._state], [], [], timeout)[0]:
                raise TimeoutError(f"Process {self.pid} has not ended in {timeout} s.")
            self.returncode = int(self._state.readline())
        return self.returncode

    def communicate(self) -> tuple[str, str]:
        """What is left of both streams, read to the end of the process; nothing the second time."""
        if self.stdout.closed:
            return "", ""
        with ThreadPoolExecutor(2) as readers:
            output, errors = readers.map(lambda stream: stream.read(), (self.stdout, self.stderr))
        self.wait()
        self._close()
        return output, errors

    def send_signal(self, number: int) -> None:
        """Sends it a signal unless it has ended."""
        if self.returncode is None and not select.select([self._state], [], [], 0)[0]:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Ends it at once."""
        self.send_signal(signal.SIGKILL)

    def _close(self) -> None:
        for stream in (self.stdout, self.stderr, self._state):
            stream.close()


@cache
def _server(imported: tuple[str, ...]) -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Where orders go, and the server that has these modules; it ends with this process, which closes its end."""
    here, there = socket.socketpair()
    with there:
        command = [sys.executable, "-m", "tests.forks", str(there.fileno()), *imported]
        return here, subprocess.Popen(command, pass_fds=[there.fileno()], cwd=Path(__file__).parents[1])


# -- the server


def _next_order(channel: socket.socket) -> dict[str, Any]:
    """Forks for each order and returns it in the fork, whose standard streams are then those of the order."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # forks are not waited for
    while True:
        length, ends, *_ = socket.recv_fds(channel, _LENGTH, 3)
        if not length:
            os._exit(0)
        order = channel.recv(int.from_bytes(length, "big"), socket.MSG_WAITALL)
        if os.fork() == 0:
            channel.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)  # tests may run where it is ignored, a command does not
            _fork_and_watch(*ends)
            return json.loads(order)
        for end in ends:
            os.close(end)


def _fork_and_watch(out: int, errors: int, state: int) -> None:
    """Returns in a fork; this process tells its id and then its exit code."""
    if pid := os.fork():
        os.close(out)
        os.close(errors)
        os.write(state, f"{pid}\n".encode())
        _, ended = os.waitpid(pid, 0)
        os.write(state, f"{os.waitstatus_to_exitcode(ended)}\n".encode())
        os._exit(0)
    os.close(state)
    for stream, end in enumerate((os.open(os.devnull, os.O_RDONLY), out, errors)):
        os.dup2(end, stream)
        os.close(end)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)


def _run(order: dict[str, Any]) -> None:
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["cwd"])
    sys.path[0] = order["cwd"]
    kind, what, *rest = order["arguments"]
    if kind == "-m":
        sys.argv = [what, *rest]
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        sys.argv = ["-c", *rest]
        main = sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(what, "<string>", "exec"), vars(main))


if __name__ == "__main__":
    for _name in sys.argv[2:]:
        importlib.import_module(_name)
    gc.collect()
    gc.freeze()
    _run(_next_order(socket.socket(fileno=int(sys.argv[1]))))
