"""The frames between a run's process and its driver, and the bytes of a task. Only values travel, and no keys.

A model travels by its name: each process makes it anew and finds the key in its own environment. A playbook travels apart
from the tasks, once for all tasks that have it.
"""

from __future__ import annotations

import io
import pickle
from asyncio import StreamReader
from dataclasses import replace
from typing import Any, BinaryIO

from agents.ace.playbook import Playbook
from agents.errors import LabError, ModelNotFoundError
from agents.lab.task import Task
from agents.model import BaseLlm
from agents.models.registry import LLMRegistry

_PROTOCOL = 5
_SIZE = 8
_NO_PLAYBOOK = Playbook()


def frame(value: Any) -> bytes:
    """A value as it is written to a pipe: its length, then its pickle."""
    body = pickle.dumps(value, _PROTOCOL)
    return len(body).to_bytes(_SIZE, "big") + body


async def read_frame(reader: StreamReader) -> Any:
    """The next value of a pipe.

    Raises:
        asyncio.IncompleteReadError: The pipe has ended.
    """
    size = int.from_bytes(await reader.readexactly(_SIZE), "big")
    return pickle.loads(await reader.readexactly(size))  # noqa: S301  from a process that this one has started


def write_frame(file: BinaryIO, value: Any) -> None:
    """Writes a value at once."""
    file.write(frame(value))
    file.flush()


def task_bytes(task: Task) -> bytes:
    """A task without its playbook.

    Raises:
        LabError: A part of it cannot be sent.
    """
    target = io.BytesIO()
    try:
        _Sent(target, _PROTOCOL).dump(replace(task, playbook=_NO_PLAYBOOK))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise LabError(
            f"The sample {task.sample.id!r} cannot be sent to another process: {error}. Give functions and classes that "
            "stand in a module instead of lambdas and local ones."
        ) from None
    return target.getvalue()


def task_of(body: bytes, playbook: Playbook) -> Task:
    """What `task_bytes` has written, with its playbook."""
    return replace(_Received(io.BytesIO(body)).load(), playbook=playbook)


class _Sent(pickle.Pickler):
    def persistent_id(self, obj: Any) -> Any:
        if not isinstance(obj, BaseLlm):
            return None
        try:
            is_named = LLMRegistry.new_llm(obj.model) == obj
        except ModelNotFoundError:
            is_named = False
        if not is_named:
            raise LabError(
                f"The model {obj.model!r} was made in Python, and may hold a key: it is not sent to another process. Name "
                "the model in the description, or work on the run in this process."
            )
        return obj.model


class _Received(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> Any:
        return LLMRegistry.new_llm(pid)
