"""What every collection of sessions keeps: run over memory and SQLite alike."""

from __future__ import annotations

import pytest
from google.genai import types

from agents.errors import SessionNotFoundError
from agents.event import Event, EventActions
from agents.log import TraceRecord
from agents.storage.postgres import search as postgres_index
from agents.storage.sessions.collections import sqlite as sqlite_index
from agents.storage.sessions.collections import stored
from tests.agents.storage.conftest import NAMES, S1, delta, said, writing

pytestmark = pytest.mark.anyio

USER = {"user_id": "user"}


async def filled(service, session_id: str, *entries: Event | TraceRecord, **fields):
    session = await service.create_session(**NAMES, session_id=session_id, **fields)
    await service.append(session, list(entries))
    return session


async def found(service, text: str) -> list[str]:
    result = await service.collection.search(**USER, text=text)
    assert result.unread == 0
    return [session_id for _, session_id in result.sessions]


def call(name: str, args: dict) -> Event:
    part = types.Part(function_call=types.FunctionCall(id="c", name=name, args=args))
    return Event(author="Worker", content=types.Content(role="model", parts=[part]))


def response(name: str, said: dict) -> Event:
    part = types.Part(function_response=types.FunctionResponse(id="c", name=name, response=said))
    return Event(author="Worker", content=types.Content(role="user", parts=[part]))


async def test_no_words_find_everything_last_changed_first(service):
    await filled(service, "one", said("a"))
    await filled(service, "two", said("b"))
    assert [await found(service, text) for text in ("", "  \n\t ")] == [["two", "one"]] * 2


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("lighthouse", True),
        ("LIGHT house", True),  # each word anywhere, within other words too
        ("keeper dark", True),  # said in two entries
        ("keeper nowhere", False),
        ("critic", True),
        ("weather_report", True),
        ("Oslo", True),
        ("drizzle", True),
        ("RATE_LIMIT", True),
        ("too many requests", True),
        ("current_document", True),
        ("user:name", True),
        ("secret", False),  # a value of state is no key
        ("s1", True),
        ("app", True),
    ],
)
async def test_a_session_is_found_by_what_is_in_it(service, text, is_found):
    await filled(
        service,
        "s1",
        said("the lighthouse keeper", author="user"),
        said("The lamp had been dark.", author="Critic"),
        call("weather_report", {"places": [{"city": "Oslo"}]}),
        response("weather_report", {"result": ["drizzle", 7]}),
        delta(current_document="secret", user__name="secret"),
        Event(author="writer", error_code="RATE_LIMIT", error_message="Too many requests."),
    )
    await filled(service, "other", said("bread"))
    assert ("s1" in await found(service, text)) is is_found
    assert await found(service, "bread") == ["other"]


@pytest.mark.parametrize("text", ["灯台守", "灯台", "灯", "暗い 灯", "ﾗﾝﾌﾟ", "ランプ", "ＡＢＣ", "ab", "é", "É"])
async def test_japanese_wide_characters_and_short_words_are_found(service, text):
    await filled(service, "s1", said("孤独な灯台守は暗い海を見た。ランプ ABC café"))
    await filled(service, "other", said("面包师"))
    assert await found(service, text) == ["s1"]


@pytest.mark.parametrize("text", ["面包师", "面包", "面"])
async def test_chinese_is_found(service, text):
    await filled(service, "s1", said("睡不着的面包师"))
    await filled(service, "other", said("孤独な灯台守"))
    assert await found(service, text) == ["s1"]


HOSTILE = [
    '"', '""', "'", '"unclosed phrase', "a AND", "NOT", "NEAR(", "text:", "*", "^abc", "--", "%", "_", "%%%", "{x}", "\\",
    "); DROP TABLE sessions", "nul\0nul", "\ud800", "\x01\x02\x03", "x" * 100_000, "語" * 100_000, "word " * 5000,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
async def test_a_query_is_plain_text(service, text):
    await filled(service, "plain", said("bread"))
    assert await found(service, text) == ([] if text.strip() else ["plain"])


async def test_characters_with_a_meaning_elsewhere_are_found(service):
    await filled(service, "s1", said('he said "let\'s AND (that) 100% \\ a_b*"'))
    for text in ("\"let's", "AND (that)", "100%", "\\", "a_b*", '*"'):
        assert await found(service, text) == ["s1"]
    assert await found(service, "a-b*") == []


async def test_a_long_text_of_one_character_is_found_and_does_not_hide_others(service):
    await filled(service, "s1", said("字" * 100_000 + " end"))
    for text in ("字字字", "字" * 900, "end"):
        assert await found(service, text) == ["s1"]
    assert await found(service, "字" * 900 + "x") == []


async def test_what_comes_later_is_found_with_what_was_before(service):
    session = await filled(service, "s1", said("first"))
    assert await found(service, "first") == ["s1"]
    await service.append_event(session, said("second"))
    assert await found(service, "first second") == ["s1"]


async def test_a_title_and_a_tag_are_found(service):
    await filled(service, "s1", said("nothing"))
    await service.rename_session(**S1, title="Über Öl")
    await service.collection.tag(**S1, add=["good one"])
    for text in ("über", "good öl", "good nothing"):
        assert await found(service, text) == ["s1"]
    assert await found(service, "bad") == []


async def test_other_users_are_never_found(service):
    session = await service.create_session(app_name="app", user_id="somebody", session_id="theirs")
    await service.append_event(session, said("bread"))
    await filled(service, "mine", said("bread"))
    assert await found(service, "bread") == ["mine"]


async def test_users_are_those_with_sessions_deleted_ones_too(service):
    await service.create_session(app_name="app", user_id="gone", session_id="s9")
    before = await service.collection.users()
    await service.collection.set_deleted(user_id="gone", sessions=[("app", "s9")], deleted=True)
    assert "gone" in before
    assert await service.collection.users() == before == sorted(set(before))


async def test_a_deleted_session_is_not_found_until_it_is_restored(service):
    await filled(service, "s1", said("bread"))
    assert await found(service, "bread") == ["s1"]
    await service.delete_session(**S1)
    assert [await found(service, text) for text in ("bread", "")] == [[], []]
    await service.restore_session(**S1)
    assert await found(service, "bread") == ["s1"]


async def test_a_new_session_under_the_name_of_a_deleted_one_has_nothing_of_it(service):
    await filled(service, "s1", said("bread"))
    await service.collection.tag(**S1, add=["old"])
    await found(service, "bread")
    await service.delete_session(**S1)
    await filled(service, "s1", said("coffee"))
    assert [await found(service, text) for text in ("bread", "old", "coffee")] == [[], [], ["s1"]]
    assert await service.collection.tags(**USER) == {}


async def test_a_fork_is_found_by_its_copied_past(service):
    origin = await filled(service, "s1", said("bread"))
    entries = await service.read_log(**S1)
    await service.fork_session(
        origin, entries=entries, records=[TraceRecord("forked", data={"origin": "s1"})], state={}, session_id="fork"
    )
    assert await found(service, "bread") == ["fork", "s1"]


async def test_an_excerpt_shows_the_word_where_it_stands(service):
    await filled(
        service, "s1", said("before\n" + "x " * 50 + "The lighthouse keeper" + " y" * 100 + "\nafter"), said("灯台")
    )
    await filled(service, "s2", said("bread"))
    assert len(await found(service, "")) == 2
    keys = [("app", "s1"), ("app", "s2"), ("app", "gone")]
    excerpts = await service.collection.excerpts(**USER, text="Lighthouse", sessions=keys)
    assert list(excerpts) == [("app", "s1")]
    assert "the lighthouse keeper" in excerpts["app", "s1"]
    assert excerpts["app", "s1"].startswith("…") and excerpts["app", "s1"].endswith("…")  # noqa: PT018
    assert len(excerpts["app", "s1"]) < 130
    assert await service.collection.excerpts(**USER, text="灯", sessions=keys) == {("app", "s1"): "灯台"}
    assert await service.collection.excerpts(**USER, text="", sessions=keys) == {}


async def test_tags_are_added_and_removed(service):
    await filled(service, "s1")
    tag = service.collection.tag
    await tag(**S1, add=["  good\n one ", "", "  ", "b", "b", "x" * 100_000, "日本\0語"])
    assert await service.collection.tags(**USER) == {("app", "s1"): ("b", "good one", "x" * 40, "日本 語")}
    await tag(**S1, add=["c"], remove=["b", "never there", "x" * 100_000, "日本 語"])
    assert await service.collection.tags(**USER) == {("app", "s1"): ("c", "good one")}


async def test_a_deleted_session_takes_no_tag_and_keeps_those_it_has(service):
    await filled(service, "s1")
    await service.collection.tag(**S1, add=["a"])
    await service.delete_session(**S1)
    assert await service.collection.tags(**USER) == {}
    with pytest.raises(SessionNotFoundError):
        await service.collection.tag(**S1, add=["b"])
    await service.restore_session(**S1)
    assert await service.collection.tags(**USER) == {("app", "s1"): ("a",)}


async def test_listeners_hear_of_tags_and_of_several_deletions(service):
    await filled(service, "s1")
    await filled(service, "s2")
    heard: list[str] = []
    service.add_listener(lambda app_name, user_id, session_id, last_seq: heard.append(session_id))
    await service.collection.tag(**S1, add=["a"])
    await service.collection.set_deleted(**USER, sessions=[("app", "s1"), ("app", "s2")], deleted=True)
    assert heard == ["s1", "s1", "s2"]


async def test_the_size_of_a_session_is_that_of_its_log(service):
    session = await filled(service, "s1", said("日本" * 1000))
    await filled(service, "s2")
    entries = await service.read_log(**S1)
    first = await service.collection.sizes(**USER)
    assert first["app", "s1"] == sum(len(entry.body.encode()) for entry in entries)
    await service.append_event(session, said("x" * 1000))
    assert 1000 < (await service.collection.sizes(**USER))["app", "s1"] - first["app", "s1"] < 1500


async def test_several_sessions_are_deleted_and_brought_back(service):
    for session_id in ("s1", "s2", "s3"):
        await filled(service, session_id, said(session_id))
    keys = [("app", "s1"), ("app", "s3"), ("app", "never there")]
    assert await service.collection.set_deleted(**USER, sessions=keys, deleted=True) == keys[:2]
    assert await service.collection.set_deleted(**USER, sessions=keys, deleted=True) == []
    assert [row.id for row in await service.summaries()] == ["s2"]
    assert [row.id for row in await service.collection.deleted(**USER)] == ["s3", "s1"]
    assert await service.collection.set_deleted(**USER, sessions=keys, deleted=False) == keys[:2]
    assert [row.id for row in await service.summaries()] == ["s3", "s2", "s1"]


async def test_a_purge_removes_what_is_deleted_and_nothing_else(service):
    for number in range(25):
        await filled(service, f"gone{number}", said("bread"))
    await filled(service, "s1", said("bread"))
    assert len(await found(service, "bread")) == 26
    keys = [("app", f"gone{number}") for number in range(25)]
    await service.collection.set_deleted(**USER, sessions=keys, deleted=True)
    assert await service.collection.purge(user_id="somebody else") == 0
    assert await service.collection.purge(**USER) == 25
    assert await service.collection.deleted(**USER) == []
    assert await service.collection.set_deleted(**USER, sessions=keys, deleted=False) == []
    assert await found(service, "bread") == ["s1"]
    assert list(await service.collection.sizes(**USER)) == [("app", "s1")]


async def test_forks_stay_whole_when_their_origin_is_purged(service):
    origin = await filled(service, "s1", said("bread"))
    record = TraceRecord("forked", data={"origin": "s1"})
    entries = await service.read_log(**S1)
    await service.fork_session(origin, entries=entries, records=[record], state={"a": 1}, session_id="fork")
    await service.collection.set_deleted(**USER, sessions=[("app", "s1")], deleted=True)
    await service.collection.purge(**USER)
    fork = await service.get_session(**NAMES, session_id="fork")
    assert ([event.text for event in fork.events], fork.state) == (["bread"], {"a": 1})
    assert await found(service, "bread") == ["fork"]


async def test_an_entry_that_says_nothing_known_is_no_trouble(service):
    nested: dict = {}
    inner = nested
    for _ in range(200):
        inner["more"] = {}
        inner = inner["more"]
    inner["deepest"] = True
    event = Event(author="x", actions=EventActions(), content=types.Content(role="model", parts=[]))
    await filled(service, "s1", event, TraceRecord("unknown_kind", data={"agent": None}), call("dig", nested))
    assert await found(service, "deepest") == ["s1"]


async def test_a_search_answers_before_it_has_read_everything(in_tables, monkeypatch):
    monkeypatch.setattr(stored, "READING_SECONDS", 0.0)
    for index in (sqlite_index, postgres_index):
        monkeypatch.setattr(index, "BATCH_ENTRIES", 3)
    await filled(in_tables, "s1", said("bread"))
    await filled(in_tables, "s2", *(said("bread") for _ in range(9)))
    left = [await in_tables.collection.search(**USER, text="bread") for _ in range(5)]
    assert [result.unread for result in left] == [12] * 5
    monkeypatch.setattr(stored, "READING_SECONDS", 10.0)
    assert await found(in_tables, "bread") == ["s2", "s1"]


async def test_a_session_that_is_claimed_is_not_purged(in_tables):
    session = await filled(in_tables, "s1", said("bread"))
    async with in_tables.claim(session, "i1"):
        await in_tables.delete_session(**S1)
        assert await in_tables.collection.purge(**USER) == 0
    assert await in_tables.collection.purge(**USER) == 1


async def test_large_sessions_are_purged_in_transactions_of_their_own(sqlite, monkeypatch):
    monkeypatch.setattr(stored, "_BYTES_AT_ONCE", 1000)
    keys = [("app", f"s{number}") for number in range(4)]
    for _, session_id in keys:
        await filled(sqlite, session_id, said("x" * 1200))
    assert len(await found(sqlite, "xxx")) == 4
    await sqlite.collection.set_deleted(**USER, sessions=keys, deleted=True)
    begun: list[str] = []
    for connection in writing(sqlite):
        connection.set_trace_callback(begun.append)
    assert await sqlite.collection.purge(**USER) == 4
    assert begun.count("COMMIT") == 5


async def test_stored_files_count_in_the_size(sqlite, tmp_path):
    from agents.storage.artifacts import SqliteArtifactService

    await filled(sqlite, "s1")
    before = (await sqlite.collection.sizes(**USER))["app", "s1"]
    artifacts = SqliteArtifactService(sqlite.path)
    image = types.Part(inline_data=types.Blob(data=b"x" * 5000, mime_type="image/png"))
    await artifacts.save_artifact(**S1, filename="f", artifact=image)
    await artifacts.close()
    assert 5000 <= (await sqlite.collection.sizes(**USER))["app", "s1"] - before < 5200


async def test_the_index_follows_the_log_and_an_append_does_not_write_to_it(in_tables):
    session = await filled(in_tables, "s1", said("bread"))
    await found(in_tables, "bread")
    await in_tables.append_event(session, said("coffee"))
    rows = await in_tables._database.read(lambda conn: conn.execute("SELECT text FROM session_texts").fetchall())
    assert ["coffee" in text for (text,) in rows] == [False]
    assert await found(in_tables, "coffee") == ["s1"]
