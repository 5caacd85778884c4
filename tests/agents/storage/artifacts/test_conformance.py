"""What every artifact service does."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from google.genai import types
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.artifact import MAX_ARTIFACT_BYTES, problem_of
from agents.errors import ArtifactError
from agents.storage.artifacts import InMemoryArtifactService, SqliteArtifactService
from tests.agents.storage.artifacts.conftest import S1

pytestmark = pytest.mark.anyio

PNG = types.Part(inline_data=types.Blob(mime_type="image/png", data=b"\x89PNG\x00\xff", display_name="a cat"))


def text(value: str) -> types.Part:
    return types.Part(text=value)


# -- versions


async def test_versions_count_from_0_and_the_latest_is_the_default(service):
    saved = [await service.save_artifact(**S1, filename="notes.txt", artifact=text(t)) for t in ("a", "b", "c")]
    assert saved == [0, 1, 2]
    loaded = [await service.load_artifact(**S1, filename="notes.txt", version=version) for version in (0, 1, 2, None)]
    assert loaded == [text("a"), text("b"), text("c"), text("c")]
    assert await service.list_versions(**S1, filename="notes.txt") == [0, 1, 2]


@pytest.mark.parametrize("version", [None, 0, 1, -1])
async def test_what_is_not_there_is_none(service, version):
    assert await service.load_artifact(**S1, filename="notes.txt", version=version) is None
    assert await service.list_versions(**S1, filename="notes.txt") == []
    assert await service.list_artifact_keys(**S1) == []
    await service.delete_artifact(**S1, filename="notes.txt")


@pytest.mark.parametrize("version", [-1, 1, 2**40])
async def test_a_version_that_there_is_not_is_none(service, version):
    await service.save_artifact(**S1, filename="notes.txt", artifact=text("a"))
    assert await service.load_artifact(**S1, filename="notes.txt", version=version) is None


async def test_a_deleted_file_is_gone_and_its_numbers_are_not_used_again(service):
    """The log says which version an event saved: that number must never come to mean something else."""
    for t in ("a", "b"):
        await service.save_artifact(**S1, filename="notes.txt", artifact=text(t))
    await service.delete_artifact(**S1, filename="notes.txt")
    for version in (None, 0, 1):
        assert await service.load_artifact(**S1, filename="notes.txt", version=version) is None
    assert await service.list_artifact_keys(**S1) == []
    assert await service.save_artifact(**S1, filename="notes.txt", artifact=text("c")) == 2
    assert await service.list_versions(**S1, filename="notes.txt") == [2]
    assert await service.load_artifact(**S1, filename="notes.txt") == text("c")


async def test_saves_at_the_same_time_get_versions_of_their_own(service):
    saves = [service.save_artifact(**S1, filename="f", artifact=text(str(n))) for n in range(20)]
    versions = await asyncio.gather(*saves)
    assert sorted(versions) == list(range(20))
    loaded = [await service.load_artifact(**S1, filename="f", version=version) for version in versions]
    assert loaded == [text(str(n)) for n in range(20)]


# -- whose file it is


async def test_a_file_is_its_sessions(service):
    await service.save_artifact(**S1, filename="f", artifact=text("a"))
    for other in ({"session_id": "s2"}, {"user_id": "other"}, {"app_name": "other"}):
        elsewhere = {**S1, **other}
        assert await service.load_artifact(**elsewhere, filename="f") is None
        assert await service.list_artifact_keys(**elsewhere) == []
        assert await service.save_artifact(**elsewhere, filename="f", artifact=text("b")) == 0
    assert await service.load_artifact(**S1, filename="f") == text("a")


async def test_a_user_file_is_in_all_sessions_of_that_user_and_app(service):
    owner = {"app_name": "app", "user_id": "user"}
    assert await service.save_artifact(**S1, filename="user:f", artifact=text("a")) == 0
    assert await service.save_artifact(**owner, session_id="s2", filename="user:f", artifact=text("b")) == 1
    assert await service.save_artifact(**owner, filename="user:f", artifact=text("c")) == 2
    assert await service.load_artifact(**S1, filename="user:f") == text("c")
    assert await service.load_artifact(**owner, filename="user:f", version=0) == text("a")
    assert await service.load_artifact(**{**S1, "user_id": "other"}, filename="user:f") is None
    assert await service.load_artifact(**{**S1, "app_name": "other"}, filename="user:f") is None
    assert await service.load_artifact(**S1, filename="f") is None


async def test_names_are_the_sessions_and_the_users_sorted(service):
    for name in ("b.txt", "user:z.txt", "a.txt", "a.txt"):
        await service.save_artifact(**S1, filename=name, artifact=text("x"))
    await service.save_artifact(**{**S1, "session_id": "s2"}, filename="other.txt", artifact=text("x"))
    assert await service.list_artifact_keys(**S1) == ["a.txt", "b.txt", "user:z.txt"]
    assert await service.list_artifact_keys(app_name="app", user_id="user") == ["user:z.txt"]


async def test_without_a_session_a_file_must_be_the_users(service):
    with pytest.raises(ArtifactError, match=r"without a session_id.*'user:f'"):
        await service.save_artifact(app_name="app", user_id="user", filename="f", artifact=text("a"))


# -- what is kept


@pytest.mark.parametrize(
    "part",
    [
        PNG,
        types.Part(inline_data=types.Blob(mime_type="application/x-empty", data=b"")),
        text(""),
        text("Ä🙂\x00\n"),
        types.Part(file_data=types.FileData(file_uri="gs://bucket/a.pdf", mime_type="application/pdf")),
    ],
    ids=["image", "empty file", "empty text", "text", "address"],
)
async def test_a_part_comes_back_as_it_was(service, part):
    await service.save_artifact(**S1, filename="f", artifact=part)
    assert await service.load_artifact(**S1, filename="f") == part


async def test_what_is_kept_is_a_copy_and_so_is_what_is_given(service):
    part = PNG.model_copy(deep=True)
    await service.save_artifact(**S1, filename="f", artifact=part)
    part.inline_data.mime_type = "changed"
    loaded = await service.load_artifact(**S1, filename="f")
    loaded.inline_data.data = b"changed"
    assert await service.load_artifact(**S1, filename="f") == PNG


async def test_half_a_character_becomes_one_that_can_be_stored(service):
    await service.save_artifact(**S1, filename="f", artifact=text("a\ud83d!"))
    assert await service.load_artifact(**S1, filename="f") == text("a\ufffd!")


@pytest.mark.parametrize(
    "part",
    [types.Part(), types.Part(function_call=types.FunctionCall(name="f")), types.Part(inline_data=types.Blob())],
    ids=["nothing", "call", "no data"],
)
async def test_a_part_that_is_no_file_is_refused(service, part):
    with pytest.raises(ArtifactError, match=r"cannot be kept: the part holds .* Give one with text or data"):
        await service.save_artifact(**S1, filename="f", artifact=part)


@pytest.mark.parametrize("kind", ["data", "text"])
async def test_what_is_too_large_is_refused_and_what_just_fits_is_kept(service, kind):
    def of(size: int) -> types.Part:
        if kind == "text":
            return text("ä" * (size // 2) + "a" * (size % 2))
        return types.Part(inline_data=types.Blob(mime_type="x/y", data=b"0" * size))

    with pytest.raises(ArtifactError, match="'f' has 20,971,521 bytes, more than the 20,971,520"):
        await service.save_artifact(**S1, filename="f", artifact=of(MAX_ARTIFACT_BYTES + 1))
    assert await service.save_artifact(**S1, filename="f", artifact=of(MAX_ARTIFACT_BYTES)) == 0


# -- names

BAD_NAMES = {
    "": "empty",
    "  ": "empty",
    "user:": "empty",
    ".": "folder",
    "..": "folder",
    "user:..": "folder",
    "../notes.txt": "holds '/'",
    "/etc/passwd": "holds '/'",
    "a\\b": r"holds '\\\\'",
    "user:a/b": "holds '/'",
    "a\x00b": r"holds '\\x00'",
    "a\nb": r"holds '\\n'",
    "a\u202eb": r"holds '\\u202e'",
    "a\ud800": r"holds '\\ud800'",
    "ä" * 128: "longer than 255 bytes",
}


@pytest.mark.parametrize(("name", "why"), BAD_NAMES.items(), ids=[ascii(name)[:20] for name in BAD_NAMES])
async def test_a_name_that_cannot_be_one_is_refused_and_nothing_is_found_under_it(service, name, why):
    with pytest.raises(ArtifactError, match=f"cannot be an artifact's name: it .*{why}.*'notes.txt'"):
        await service.save_artifact(**S1, filename=name, artifact=text("a"))
    assert await service.load_artifact(**S1, filename=name) is None
    assert await service.list_versions(**S1, filename=name) == []
    await service.delete_artifact(**S1, filename=name)


@pytest.mark.parametrize("name", ["notes.txt", "a b.txt", ".hidden", "a:b", "x" * 255, "катя.png", "👩‍🚀.png", "user:ä"])
async def test_a_plain_name_is_kept(service, name):
    await service.save_artifact(**S1, filename=name, artifact=text("a"))
    assert await service.list_artifact_keys(**S1) == [name]
    assert await service.load_artifact(**S1, filename=name) == text("a")


# -- the two agree

names = st.sampled_from(["a", "b", "user:a", "../a"])
sessions = st.sampled_from(["s1", "s2"])
steps = st.one_of(
    st.tuples(st.just("save"), sessions, names, st.text(max_size=3)),
    st.tuples(st.just("delete"), sessions, names, st.just("")),
    st.tuples(st.just("load"), sessions, names, st.sampled_from(["", "0", "1", "2"])),
    st.tuples(st.just("list"), sessions, names, st.just("")),
)


async def outcome(service, step) -> object:
    kind, session_id, name, value = step
    owner = {**S1, "session_id": session_id}
    if kind == "save":
        if problem_of(name):
            return None
        return await service.save_artifact(**owner, filename=name, artifact=text(value))
    if kind == "delete":
        return await service.delete_artifact(**owner, filename=name)
    if kind == "load":
        return await service.load_artifact(**owner, filename=name, version=int(value) if value else None)
    return await service.list_artifact_keys(**owner), await service.list_versions(**owner, filename=name)


@given(st.lists(steps, max_size=12))
@settings(max_examples=40, deadline=None)
def test_memory_and_sqlite_do_the_same(steps):
    async def work():
        with tempfile.TemporaryDirectory() as folder:
            memory, sqlite = InMemoryArtifactService(), SqliteArtifactService(Path(folder) / "test.db")
            try:
                for step in steps:
                    assert await outcome(memory, step) == await outcome(sqlite, step), step
            finally:
                await sqlite.close()

    asyncio.run(work())
