"""Journals: one suite for all of them."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from agents.access import OWNER, Accounts, Role
from agents.errors import AccountError, PersonError
from agents.storage.memory_journal import InMemoryJournal
from agents.storage.postgres.pool import Pool
from agents.storage.sqlite.blocking_database import OneConnection
from agents.storage.tables.journal import JournalTable


@pytest.fixture(params=["memory", "file", "postgres"])
def journals(request, tmp_path):
    """A journal, and one of another process that has the same lists."""
    match request.param:
        case "memory":
            made = [InMemoryJournal()] * 2
        case "file":
            made = [JournalTable(OneConnection(tmp_path / "playground.db")) for _ in range(2)]
        case "postgres":
            made = [JournalTable(Pool(request.getfixturevalue("postgres"))) for _ in range(2)]
    yield made
    for journal in made:
        journal.close()


@pytest.fixture
def journal(journals):
    return journals[0]


def test_entries_come_back_in_order_and_from_any_number_on(journal):
    assert journal.entries("a") == []
    bodies = [{"text": "図 \ud800 \u202e"}, {"list": [1, None]}, {}]
    appended = [journal.append("a", body) for body in bodies]
    assert journal.append("b", {}).seq == 1
    assert journal.entries("a") == appended
    assert [(entry.seq, entry.body) for entry in journal.entries("a")] == [*enumerate(bodies, start=1)]
    assert [entry.seq for entry in journal.entries("a", after=2)] == [3]


def test_pages_of_a_list(journal):
    for _ in range(9):
        journal.append("a", {})

    def seqs(**which):
        return [entry.seq for entry in journal.entries("a", **which)]

    assert seqs(limit=2) == [1, 2]
    assert seqs(limit=2, newest=True) == [8, 9]
    assert seqs(before=8, limit=3, newest=True) == [5, 6, 7]
    assert seqs(after=2, before=5) == [3, 4]
    assert seqs(after=7, limit=5, newest=True) == [8, 9]
    assert seqs(limit=0) == seqs(limit=0, newest=True) == seqs(before=1) == seqs(after=9) == []


def test_lists_are_found_by_how_they_begin(journal):
    for name in ("lessons/b", "lessons/a", "class", "lessonsx"):
        journal.append(name, {})
    assert journal.names("lessons/") == ["lessons/a", "lessons/b"]
    assert journal.names() == ["class", "lessons/a", "lessons/b", "lessonsx"]


def test_what_is_kept_changes_with_nobodys_value(journal):
    body = {"list": [1]}
    journal.append("a", body)
    body["list"].append(2)
    assert journal.entries("a")[0].body == {"list": [1]}
    with pytest.raises(TypeError):
        journal.append("a", {"x": object()})
    assert len(journal.entries("a")) == 1


def test_many_threads_lose_nothing(journal):
    threads = [threading.Thread(target=lambda: [journal.append("a", {}) for _ in range(20)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [entry.seq for entry in journal.entries("a")] == [*range(1, 161)]


def test_another_process_reads_on(journals):
    first, second = journals
    first.append("a", {"by": 1})
    second.append("a", {"by": 2})
    assert [entry.body["by"] for entry in first.entries("a")] == [1, 2]


def test_a_secret_is_mixed_into_the_signing_key_and_stored_nowhere(journals):
    secret = b"correct horse battery staple"
    plain, one, other = Accounts(journals[0]), *(Accounts(journal, secret=secret) for journal in journals)
    assert one.signing_key("cookies") == other.signing_key("cookies") != plain.signing_key("cookies")
    stored = [str(entry.body) for entry in journals[0].entries("keys", after=0)]
    assert any(plain.signing_key("cookies").hex() in text for text in stored)
    assert not any(one.signing_key("cookies").hex() in text or secret.decode() in text for text in stored)
    with pytest.raises(PersonError, match="PLAYGROUND_SECRET has 5 bytes"):
        Accounts(journals[0], secret=b"short")


def test_servers_of_a_database_agree_on_accounts_and_on_the_signing_key(journals):
    servers = [Accounts(journal, fresh=0) for journal in journals]
    _, code = servers[0].invite(OWNER, Role.USER)

    def join(number: int) -> bool:
        servers[number % 2].signing_key("cookies")
        try:
            servers[number % 2].redeem(code, f"user {number}")
        except AccountError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(join, range(8))) == 1, "an invitation for one lets one in"
    [account] = servers[0].all(OWNER)
    assert servers[1].all(OWNER) == [account]
    assert servers[0].signing_key("cookies") == servers[1].signing_key("cookies")
    servers[0].disable(OWNER, account.id)
    assert servers[1].user(account.id) is None
