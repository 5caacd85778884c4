"""The driver: a process between a run and a Ray cluster. `python -m agents.lab.work.cluster.driver ADDRESS`.

Ray ends the process that uses it a minute after the cluster is gone, and cannot be shut down before. So a process of its own
uses it, which reads tasks from its standard input and writes outcomes to its standard output.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import threading
from asyncio import IncompleteReadError, StreamReader, StreamReaderProtocol
from importlib.metadata import version
from typing import Any, BinaryIO

import ray as untyped
from ray.exceptions import RayError, RayTaskError, WorkerCrashedError

from agents.errors import PlaygroundError
from agents.lab.work.cluster.frames import read_frame, write_frame
from agents.lab.work.cluster.worker import PACKAGE, work_on

ray: Any = untyped
RETRIES = 3
"""How often a task is begun again after its worker process died."""
_GONE_AFTER = 5
"""Seconds, and attempts to connect, after which a cluster is taken to be gone."""
_PATIENCE = 10.0
"""Seconds to wait for Ray to disconnect, and to end workers of its own."""


class Driver:
    """Passes tasks to Ray."""

    def __init__(self, answers: BinaryIO) -> None:
        self._answers = answers
        self._work_on: Any = ray.remote(max_retries=RETRIES)(work_on)
        self._playbooks: dict[str, Any] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._version = version(PACKAGE)

    async def serve(self, requests: StreamReader) -> None:
        """Works until the requests end, or the cluster is gone."""
        address: str = ray.get_runtime_context().gcs_address
        write_frame(self._answers, ("ready", address))
        gone = asyncio.create_task(until_gone(address))
        read = asyncio.create_task(self._read(requests))
        await asyncio.wait([gone, read], return_when=asyncio.FIRST_COMPLETED)

    async def _read(self, requests: StreamReader) -> None:
        while True:
            try:
                kind, *values = await read_frame(requests)
            except IncompleteReadError:
                return
            match kind:
                case "playbook":
                    key, body = values
                    self._playbooks[key] = ray.put(body)
                case "forget":
                    del self._playbooks[values[0]]
                case _:
                    number, key, body = values
                    task = asyncio.create_task(self._work(number, key, self._playbooks[key], body))
                    self._running.add(task)
                    task.add_done_callback(self._running.discard)

    async def _work(self, number: int, key: str, playbook: Any, body: bytes) -> None:
        try:
            reference = self._work_on.remote(body, key, [playbook], self._version)
            answer = "outcome", number, await asyncio.wrap_future(reference.future())
        except WorkerCrashedError:
            answer = "died", number, f"The worker process died each of {RETRIES + 1} times that it worked on this sample."
        except RayTaskError as error:
            cause = getattr(error, "cause", None)
            answer = "refused", number, str(cause) if isinstance(cause, PlaygroundError) else _last_line(error)
        except Exception as error:  # noqa: BLE001  whatever it is, the run has to hear of it
            answer = "refused", number, _last_line(error)
        write_frame(self._answers, answer)


async def until_gone(address: str) -> None:
    """Returns when nothing answers at a cluster's address any more."""
    host, _, port = address.rpartition(":")
    missed = 0
    while missed < _GONE_AFTER:
        await asyncio.sleep(1)
        try:
            async with asyncio.timeout(_GONE_AFTER):
                _, writer = await asyncio.open_connection(host.strip("[]"), int(port))
            writer.close()
            missed = 0
        except (OSError, TimeoutError):
            missed += 1


def _last_line(error: BaseException) -> str:
    return str(error).strip().rpartition("\n")[2].rstrip(".") or type(error).__name__


async def _main(address: str, answers: BinaryIO) -> None:
    requests = StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: StreamReaderProtocol(requests), sys.stdin.buffer)
    try:
        await asyncio.to_thread(ray.init, address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RayError, ValueError, RuntimeError) as error:
        write_frame(answers, ("unreachable", _last_line(error)))
        return
    await Driver(answers).serve(requests)


def main() -> None:
    """Serves until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the run's process, which ends this one
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    sys.stdout = sys.stderr  # what Ray prints must not mix with the answers
    asyncio.run(_main(sys.argv[1], answers))
    end = threading.Thread(target=ray.shutdown, daemon=True)  # never returns where the cluster is gone
    end.start()
    end.join(_PATIENCE)
    answers.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
