"""Files of sessions in ADK's contract: names, versions, contents."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from google.genai import types
from starlette.requests import Request
from starlette.responses import Response

from agents import BaseArtifactService, MessageError
from agents.access import Action
from ui.api.adk.answering import adk_endpoint, json_answer, manager_of, read, refused
from ui.api.adk.wire import SaveArtifactRequest, shown, version_json
from ui.web.threads import in_thread

T = TypeVar("T")
_Name = Mapping[str, Any]
_Do = Callable[[BaseArtifactService, _Name], Coroutine[Any, Any, T]]
_VERSION = re.compile(r"[0-9]{1,9}")


async def _with_files(request: Request, action: Action, do: _Do[T]) -> T:
    """Does something with the files of the session that the path names."""
    path = request.path_params
    manager = await manager_of(path["user_id"])

    def work() -> T:
        manager.sessions.state(path["app_name"], path["session_id"])  # raises if there is no such session
        key = manager.key(action, path["app_name"], path["session_id"])
        return manager.in_store(lambda services: do(services.artifacts, key.name), action=action)

    return await in_thread(work)


@adk_endpoint
async def list_artifact_names(request: Request) -> Response:
    """Names of files."""
    return json_answer(await _with_files(request, Action.EXPORT, lambda files, of: files.list_artifact_keys(**of)))


@adk_endpoint
async def load_artifact(request: Request) -> Response:
    """A version of a file, the latest unless the path or the query names one."""
    name, version = request.path_params["name"], _version(request)
    part = await _with_files(
        request, Action.EXPORT, lambda files, of: files.load_artifact(**of, filename=name, version=version)
    )
    return _not_there(name) if part is None else json_answer(part.model_dump(mode="json", by_alias=True, exclude_none=True))


def _version(request: Request) -> int | None:
    text = request.path_params.get("version") or request.query_params.get("version", "latest")
    if text == "latest":
        return None
    if not _VERSION.fullmatch(text):
        raise MessageError(f"{text[:20]!r} is no version. Versions are numbers from 0, or “latest”.")
    return int(text)


def _not_there(name: str) -> Response:
    return refused(f"There is no file {name[:200]!r} of that version in this session.", 404)


@adk_endpoint
async def list_versions(request: Request) -> Response:
    """Numbers of versions."""
    name = request.path_params["name"]
    return json_answer(await _with_files(request, Action.EXPORT, lambda files, of: files.list_versions(**of, filename=name)))


async def _known(request: Request, name: str, wanted: int | None, *, every: bool = False) -> list[dict[str, Any]]:
    """What is known of a version, of the latest, or of every one."""

    async def look(files: BaseArtifactService, of: _Name) -> list[tuple[int, types.Part]]:
        numbers = await files.list_versions(**of, filename=name)
        chosen = numbers if every else numbers[-1:] if wanted is None else [n for n in numbers if n == wanted]
        parts = [(number, await files.load_artifact(**of, filename=name, version=number)) for number in chosen]
        return [(number, part) for number, part in parts if part is not None]

    found = await _with_files(request, Action.EXPORT, look)
    path = request.path_params
    manager = await manager_of(path["user_id"])
    log = await in_thread(manager.sessions.log, path["app_name"], path["session_id"])
    saved = {
        event.actions.artifact_delta[name]: event.timestamp
        for entry in log
        if (event := shown(entry)) is not None and name in event.actions.artifact_delta
    }
    return [version_json(name, number, part, saved.get(number, 0.0)) for number, part in found]


@adk_endpoint
async def version_metadata(request: Request) -> Response:
    """What is known of a version."""
    name = request.path_params["name"]
    found = await _known(request, name, _version(request))
    return json_answer(found[0]) if found else _not_there(name)


@adk_endpoint
async def all_metadata(request: Request) -> Response:
    """What is known of every version."""
    return json_answer(await _known(request, request.path_params["name"], None, every=True))


@adk_endpoint
async def save_artifact(request: Request) -> Response:
    """Saves a file as its next version."""
    asked = await read(request, SaveArtifactRequest)
    version = await _with_files(
        request, Action.UPLOAD, lambda files, of: files.save_artifact(**of, filename=asked.filename, artifact=asked.artifact)
    )
    return json_answer((await _known(request, asked.filename, version))[0])


@adk_endpoint
async def delete_artifact(request: Request) -> Response:
    """Deletes a file with all its versions."""
    name = request.path_params["name"]
    await _with_files(request, Action.DELETE, lambda files, of: files.delete_artifact(**of, filename=name))
    return json_answer(None)
