"""A model file in this process: real weights of 98 MB, what is told while they load, and files that are no models."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import namedtuple
from contextlib import aclosing
from pathlib import Path

import httpx2
import psutil
import pytest
from google.genai import types

from agents.config import models_folder
from agents.errors import ProviderError
from agents.models.local import engine, model_cache
from agents.models.local.model import LocalLlm, path_of
from agents.scope import OUTSIDE
from tests.agents.models.providers import Said, ask, request
from tests.agents.models.providers_local import SETTINGS, SMALL, ForcedLlm
from tests.standins.gguf import gguf

pytestmark = pytest.mark.anyio

NAME = f"local/{SMALL.stem}"


class Watcher:
    """Whoever follows a call."""

    def __init__(self) -> None:
        self.notes: list[tuple[str, dict]] = []

    def note(self, kind, **data):
        self.notes.append((kind, data))

    def fault_for(self, model):
        return None

    def kinds(self):
        return [kind for kind, _ in self.notes]


@pytest.fixture
def folder():
    models_folder().mkdir(parents=True, exist_ok=True)
    yield models_folder()
    for file in models_folder().iterdir():
        file.unlink()


@pytest.fixture
def model():
    """The small model, loaded once for all tests."""
    return ForcedLlm(model=str(SMALL), **SETTINGS)


@pytest.fixture
def empty_cache(monkeypatch):
    """A cache of the test's own, so that what it loads does not push out what the others use."""
    monkeypatch.setitem(OUTSIDE._parts, model_cache.ModelCache, made := model_cache.ModelCache())
    return made


@pytest.fixture
def another(folder):
    """The same weights under the name of another model."""
    (folder / "another.gguf").symlink_to(SMALL)
    return LocalLlm(model="local/another", n_ctx=64, threads=1, slots=1, max_output_tokens=1)


def hangs(model):
    model._script.append(None)
    return model.generate_content_async(request(), stream=True)


async def failure(model: LocalLlm) -> ProviderError:
    with pytest.raises(ProviderError) as raised:
        await ask(model)
    assert str(raised.value).endswith(".")
    return raised.value


# -- names and files


@pytest.mark.parametrize(
    "name",
    ["local/../secret", "local//etc/x", "local/a/b", "local/.hidden", "local/", "local/C:x", "local/a\\b", "local/\0"],
)
async def test_a_name_never_leads_out_of_the_models_folder(name):
    error = await failure(LocalLlm(model=name))

    assert error.code == "MODEL_FILE"
    assert "names no file of the models folder" in str(error)


def test_names_and_paths_lead_to_files():
    assert path_of("local/small-1.5b") == path_of("local/small-1.5b.gguf") == models_folder() / "small-1.5b.gguf"
    assert path_of("/some/where/x.gguf") == Path("/some/where/x.gguf")
    assert path_of("~/x.gguf") == Path.home() / "x.gguf"


async def test_the_models_are_the_files_of_the_folder(folder):
    for name in ("b.gguf", "a.gguf", "c.gguf.part", "notes.txt"):
        (folder / name).write_bytes(b"")
    (folder / "d.gguf").mkdir()

    assert await LocalLlm.list_models() == ["local/a", "local/b"]
    (folder / "d.gguf").rmdir()


async def test_without_a_folder_there_are_no_models(monkeypatch, tmp_path):
    monkeypatch.setenv("PLAYGROUND_MODELS", str(tmp_path / "none"))
    assert await LocalLlm.list_models() == []
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PLAYGROUND_MODELS", str(tmp_path / "file"))
    with pytest.raises(ProviderError, match="cannot be read"):
        await LocalLlm.list_models()


async def test_a_missing_file_is_named_with_where_it_should_be_and_what_there_is(folder):
    (folder / "a.gguf").write_bytes(b"")

    error = await failure(LocalLlm(model="local/missing"))

    assert (error.code, error.retryable) == ("MODEL_FILE", False)
    for part in (str(folder / "missing.gguf"), "`playground models pull NAME`", "local/a"):
        assert part in str(error)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"<html>", "is no GGUF file"),
        (gguf()[:50], "too short"),
        (gguf(tensors=[((4, 8), 0), ((4, 8), 4096)]), "ends before its weights do"),
        (gguf({"general.architecture": "nonesuch"}), "llama.cpp cannot load the model file"),
    ],
)
async def test_a_file_that_is_no_model_is_refused_and_the_next_call_tries_again(folder, empty_cache, data, says):
    (folder / "bad.gguf").write_bytes(data)

    for _ in range(2):
        error = await failure(LocalLlm(model="local/bad"))
        assert error.code == "MODEL_FILE"
        assert says in str(error)
    assert empty_cache.loaded_models() == []


async def test_without_the_extra_the_command_is_named(folder, empty_cache, monkeypatch):
    (folder / "a.gguf").write_bytes(gguf())
    monkeypatch.setitem(sys.modules, "xllamacpp", None)

    error = await failure(LocalLlm(model="local/a"))

    assert error.code == "EXTRA_MISSING"
    assert "`uv run --extra local playground`" in str(error)
    assert '`pip install "multi-agent-playground[local]"`' in str(error)


async def test_a_model_that_does_not_fit_is_not_even_begun(folder, empty_cache, monkeypatch):
    (folder / "a.gguf").symlink_to(SMALL)
    memory = namedtuple("memory", "available")  # noqa: PYI024
    monkeypatch.setattr(psutil, "virtual_memory", lambda: memory(90_000_000))

    error = await failure(LocalLlm(model="local/a"))

    assert (error.code, error.retryable) == ("OUT_OF_MEMORY", True)
    assert "about 0.7 GB of memory with a context of 8192 tokens, and only 0.1 GB are free" in str(error)


# -- loading


async def test_calls_that_come_together_share_one_load_and_are_told_of_it(empty_cache, another, monkeypatch):
    made = []
    monkeypatch.setattr(model_cache, "Engine", lambda *given: made.append(engine.Engine(*given)) or made[0])
    first, second, third = Watcher(), Watcher(), Watcher()

    async def call(watcher):
        asked = request("Hi")
        asked.observer = watcher
        return await ask(another, asked)

    gone = asyncio.create_task(call(Watcher()))
    await asyncio.sleep(0)
    gone.cancel()  # whoever asked first does not wait for it
    await asyncio.gather(call(first), call(second))
    await call(third)

    assert len(made) == 1
    for watcher in (first, second):
        (_, begun), *_, (_, told) = watcher.notes
        assert watcher.kinds()[0] == "model_loading"
        assert watcher.kinds().count("model_loaded") == 1
        assert begun["model"] == told["model"] == "local/another"
        assert (told["bytes"], told["n_ctx"]) == (98_362_432, 64)
        assert told["seconds"] > 0
    assert third.notes == []


async def test_an_idle_model_makes_room_and_one_in_use_stays(empty_cache, another, folder):
    (folder / "third.gguf").symlink_to(SMALL)
    third = another.model_copy(update={"model": "local/third"})

    await ask(another)
    wanted = another._wanted()
    assert [held.name for held in empty_cache.loaded_models()] == ["local/another"]
    async with empty_cache.borrowed(third._wanted(), lambda _: None):
        assert [held.name for held in empty_cache.loaded_models()] == ["local/third"]
        async with empty_cache.borrowed(wanted, lambda _: None):
            assert {held.name for held in empty_cache.loaded_models()} == {"local/third", "local/another"}

    assert empty_cache.unload_model("local/third")
    assert not empty_cache.unload_model("local/third")
    assert [held.name for held in empty_cache.loaded_models()] == ["local/another"]


# -- answers


async def test_an_answer_is_held_to_a_schema(model):
    schema = {
        "type": "object",
        "properties": {"mood": {"enum": ["calm", "wild"]}, "waves": {"type": "integer", "minimum": 1, "maximum": 9}},
        "required": ["mood", "waves"],
        "additionalProperties": False,
    }
    asked = request("How is the sea?", response_mime_type="application/json", response_json_schema=schema)

    (whole,) = await ask(LocalLlm(model=str(SMALL), **SETTINGS), asked)

    answer = json.loads(whole.text)
    assert whole.stop_reason == "end_turn"
    assert answer["mood"] in {"calm", "wild"}
    assert 1 <= answer["waves"] <= 9
    assert whole.model_version == NAME, "where the file is must not be told"


async def test_limits_that_the_grammar_adds_to_a_schema_are_said():
    class Told(Watcher):
        def limit_answer(self, limits):
            self.note("limits", limits=limits)

    schema = {"type": "object", "properties": {"mood": {"type": "string"}}, "required": ["mood"]}
    asked = request("How is the sea?", response_mime_type="application/json", response_json_schema=schema)
    asked.observer = told = Told()

    await ask(LocalLlm(model=str(SMALL), **SETTINGS), asked)

    assert [data["limits"] for kind, data in told.notes if kind == "limits"] == [{"characters": 2000}]


async def test_a_tool_is_called_as_its_schema_says_where_one_must_be():
    def sail(where: str, knots: int) -> None:
        """Sails."""

    mode = types.FunctionCallingConfigMode.ANY
    must = types.ToolConfig(function_calling_config=types.FunctionCallingConfig(mode=mode))
    asked = request("Sail to Oslo.", functions=[sail], tool_config=must, max_output_tokens=300, temperature=0)
    asked.config.tools[0].function_declarations[0].parameters_json_schema["properties"]["where"]["maxLength"] = 10

    (whole,) = await ask(LocalLlm(model=str(SMALL), **SETTINGS), asked)

    (made,) = whole.get_function_calls()
    assert (made.name, set(made.args), whole.stop_reason) == ("sail", {"where", "knots"}, "tool_use")
    assert isinstance(made.args["knots"], int)


async def test_the_speed_of_a_model_can_be_seen(model):
    model._script.append(Said("one two three four"))
    await ask(model)

    (held,) = [held for held in OUTSIDE.part(model_cache.ModelCache).loaded_models() if held.name == NAME]

    assert (held.path, held.file_bytes, held.n_ctx) == (str(SMALL), 98_362_432, 1024)
    for measured in (held.loaded_in, held.memory_bytes, held.tokens_per_second, held.prompt_tokens_per_second):
        assert measured > 0


async def test_more_calls_than_slots_are_all_answered(model):
    texts = ["one", "two", "three", "four"]
    model._script.extend(Said(text) for text in texts)

    answers = await asyncio.gather(*(ask(model) for _ in texts))

    assert [whole.text for (whole,) in answers] == texts


async def test_calls_that_nobody_waits_for_free_all_slots(model):
    async with aclosing(hangs(model)) as first, aclosing(hangs(model)) as second:
        assert (await anext(first)).partial
        assert (await anext(second)).partial
    model._script.append(Said("Free again."))

    (whole,) = await asyncio.wait_for(ask(model), 30)  # what hangs would go on for far longer

    assert whole.text == "Free again."


async def test_a_conversation_that_is_too_long_says_by_how_much(model):
    with pytest.raises(ProviderError) as raised:
        await ask(LocalLlm(model=str(SMALL), **SETTINGS), request("word " * 1500))

    assert raised.value.code == "CONTEXT_TOO_LONG"
    assert "reads 1024 at most" in str(raised.value)
    assert "LocalLlm(n_ctx=…), up to 8192" in str(raised.value)
    assert "tokens" in str(raised.value)


async def test_what_it_cannot_read_is_an_error_and_no_crash(model):
    asked = request()
    asked.contents[0].parts.append(types.Part.from_bytes(data=b"\x89PNG", mime_type="image/png"))

    with pytest.raises(ProviderError) as raised:
        await ask(LocalLlm(model=str(SMALL), **SETTINGS), asked)

    assert raised.value.code == "CLIENT_ERROR"


async def test_its_own_server_answers_nobody(model):
    model._script.append(Said("Hi."))
    await ask(model)
    (engine,) = [
        place.engine for wanted, place in OUTSIDE.part(model_cache.ModelCache)._models.items() if wanted.path == SMALL
    ]
    address = engine._server.listening_address

    assert address.startswith("http://127.0.0.1:")
    async with httpx2.AsyncClient(trust_env=False) as client:
        for path in ("/v1/models", "/props", "/slots", "/metrics"):
            assert (await client.get(address + path)).status_code == 401


_EXITS = f"""
import asyncio, sys, threading
from agents.models.local import model_cache
from agents.scope import OUTSIDE
from tests.agents.models.providers import request
from tests.agents.models.providers_local import SETTINGS, SMALL, ForcedLlm

begun = threading.Event()

async def talk():
    model = ForcedLlm(model=str(SMALL), **{SETTINGS!r})
    model._script.append(None)
    async for piece in model.generate_content_async(request(), stream=True):
        begun.set()

threading.Thread(target=lambda: asyncio.run(talk()), daemon=True).start()
begun.wait()
print([held.running for held in OUTSIDE.part(model_cache.ModelCache).loaded_models()])
sys.exit(7)
"""


def test_a_process_that_ends_in_mid_answer_ends_as_it_meant_to():
    ended = subprocess.run(
        [sys.executable, "-c", _EXITS],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=Path(__file__).parents[4],
        check=False,
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (7, "[1]\n", "")
