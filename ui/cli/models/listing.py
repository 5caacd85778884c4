"""`playground models`: lists the usable models, as text or as lines of JSON.

Servers without a key are asked for their models, with a short timeout. Servers that need a key are not: no key is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass

from agents import ProviderError
from agents.models import (
    FILE_SUFFIX,
    INSTALL_LOCAL,
    LOCAL_PREFIX,
    MODEL_CATALOGUE,
    Endpoint,
    GgufError,
    LLMRegistry,
    ModelFiles,
    Provider,
    all_providers,
    connection,
    lacks_extra,
    models_folder,
    read_gguf,
    redact,
    use_url,
    why_withheld,
)
from agents.runs import Database, is_stored, open_store
from ui.text.visible_text import json_line, visible, visible_line

READY, KEY_MISSING, KEY_WITHHELD, FILE_MISSING, FILE_BROKEN, EXTRA_MISSING, NO_SERVER = (
    "ready",
    "key missing",
    "key not sent",
    "file missing",
    "file broken",
    "extra missing",
    "no server",
)
_PATIENCE = 3.0
"""Seconds for a server to list its models."""
_BILLION, _MILLION = 1_000_000_000, 1_000_000


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of the list.

    Attributes:
        name: The value for `--model`.
        about: A description.
        status: Whether it can be used now, or what is missing.
        bytes: The size of its file; None without a file.
        where: Its file or its server; "" if it has neither.
        cure: How to provide what is missing; "" if nothing is.
    """

    name: str
    about: str
    status: str = READY
    bytes: int | None = None
    where: str = ""
    cure: str = ""


def list_models(database: Database, *, as_json: bool) -> int:
    """Lists the models that can be used, and those that lack something.

    Args:
        database: The database, with the servers that were set on the Settings page.
        as_json: One JSON object a line, instead of text for reading.

    Returns:
        The exit code.

    Raises:
        DatabaseError: It cannot be used.
    """
    _use_chosen_servers(database)
    for listed in (*_here(), *asyncio.run(_served())):
        print(json_line(asdict(listed)) if as_json else visible(_text(listed)))
    return 0


def _use_chosen_servers(database: Database) -> None:
    if is_stored(database):  # opening it would create the file
        with closing(open_store(database).preferences) as store:
            for provider, url in store.read().base_urls.items():
                use_url(provider, url)


def _here() -> Iterator[Listed]:
    """The models that are known without asking a server."""
    for provider in all_providers():
        match provider.access:
            case "simulation" | "person":
                yield from (Listed(name, provider.models_about) for name in provider.models)
            case Endpoint(needs_key=True) as endpoint:
                yield from _with_key(provider, endpoint)
            case ModelFiles() as access:
                yield from _files(access.found())
            case Endpoint() | "recordings":
                pass


def _with_key(provider: Provider, endpoint: Endpoint) -> Iterator[Listed]:
    known = connection(provider.name)
    status, cure = READY, ""
    if known.withheld:
        status, cure = KEY_WITHHELD, why_withheld(provider.name, known)
    elif known.api_key is None:
        status, cure = KEY_MISSING, f"set {endpoint.key_variables[-1]}, or type a key on the Settings page"
    where = known.base_url if known.base_url != endpoint.url else ""
    for name in provider.models:
        yield Listed(name, provider.models_about, status, where=where, cure=cure)


def _files(there: Mapping[str, int]) -> Iterator[Listed]:
    """The files in the models folder, and those of the catalogue that are not there."""
    status, cure = (EXTRA_MISSING, f"start with `{INSTALL_LOCAL}`") if lacks_extra() else (READY, "")
    for name, size in there.items():
        path = models_folder() / f"{name.removeprefix(LOCAL_PREFIX)}{FILE_SUFFIX}"
        try:
            found = read_gguf(path)
        except (GgufError, OSError) as error:
            why = str(error) if isinstance(error, GgufError) else "cannot be read"
            yield Listed(name, "A model file.", FILE_BROKEN, size, str(path), f"it {why}; fetch it again")
            continue
        called = visible_line(found.name) or "A model file"
        reads = f", reads {found.context_length} tokens" if found.context_length else ""
        about = f"{called}, {_weights(found.parameters)} parameters{reads}."
        yield Listed(name, about, status, size, str(path), cure)
    for name, file in MODEL_CATALOGUE.items():
        if (local := f"{LOCAL_PREFIX}{name}") not in there:
            fetch = f"fetch it with `playground models pull {name}`"
            yield Listed(local, file.about, FILE_MISSING, file.file_bytes, str(file.target), fetch)


async def _served() -> list[Listed]:
    """The models of servers that may answer without a key."""
    rows = await asyncio.gather(*(_of_server(one, one.endpoint) for one in all_providers() if one.endpoint))
    return [listed for found in rows for listed in found]


async def _of_server(provider: Provider, endpoint: Endpoint) -> list[Listed]:
    if endpoint.needs_key:
        return []
    where = redact(connection(provider.name).base_url)
    try:
        async with asyncio.timeout(_PATIENCE):
            names = await LLMRegistry.resolve(provider.any_name).list_models()
    except (ProviderError, TimeoutError) as error:
        status, cure = _why_not(provider, endpoint, error.code if isinstance(error, ProviderError) else "")
        return [Listed(f"{provider.prefix}NAME", f"Models of: {provider.label}.", status, where=where, cure=cure)]
    return [Listed(name, f"Model of: {provider.label}.", where=where) for name in names]


def _why_not(provider: Provider, endpoint: Endpoint, code: str) -> tuple[str, str]:
    """Status and cure if a server did not list its models."""
    if code == "API_KEY_WITHHELD":
        return KEY_WITHHELD, why_withheld(provider.name, connection(provider.name))
    if code not in {"API_KEY_MISSING", "API_KEY_INVALID", "401", "403"}:
        return NO_SERVER, "start it, or set its URL on the Settings page"
    if not endpoint.key_variables:
        return KEY_MISSING, "it needs a key, which cannot be set here; set another URL on the Settings page"
    return KEY_MISSING, f"it needs a key: set {endpoint.key_variables[-1]}"


def _weights(count: int) -> str:
    if count < _MILLION:
        return str(count)
    return f"{count / _BILLION:.1f}B" if count >= _BILLION else f"{count / _MILLION:.0f}M"


def _text(listed: Listed) -> str:
    lines = [f"{listed.name}  ({listed.status})", f"    {listed.about}"]
    place = " · ".join(part for part in (size(listed.bytes) if listed.bytes else "", listed.where) if part)
    if place:
        lines.append(f"    {place}")
    if listed.cure:
        lines.append(f"    {listed.cure}")
    return "\n".join(lines)


def size(count: int) -> str:
    """Bytes for reading."""
    return f"{count / _BILLION:.1f} GB" if count >= _BILLION else f"{count / _MILLION:.0f} MB"
