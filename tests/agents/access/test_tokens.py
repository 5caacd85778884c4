"""API tokens: shown once, kept as a hash, restricted to their scopes, and gone once they are revoked."""

from __future__ import annotations

import pytest

from agents.access import OWNER, SCOPES, Action, ApiTokens, TokenScope, permits, require, visitor
from agents.access.tokens import LIST, USED_SECONDS
from agents.errors import NotPermittedError, TokenError
from agents.storage.memory_journal import InMemoryJournal
from agents.storage.stores import open_store

ALL = frozenset(TokenScope)


@pytest.fixture
def journal():
    return InMemoryJournal()


@pytest.fixture
def tokens(journal):
    return ApiTokens(journal)


def test_a_token_is_found_by_its_text_and_asks_as_the_owner_within_its_scopes(tokens):
    made, text = tokens.make(OWNER, " the  editor ", {TokenScope.READ})
    found = tokens.find(text, now=0)
    assert found is not None
    assert (found, found.name, found.used_at) == (made, "the editor", None)
    assert (found.user.id, found.user.role, found.user.via) == (OWNER.id, OWNER.role, "the editor")
    assert permits(found.user, Action.READ_SESSION)
    with pytest.raises(NotPermittedError, match=r"'the editor' may not run agents .* lacks the scope run"):
        require(found.user, Action.RUN)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-1],
        lambda text: text + "a",
        lambda text: text[:-1] + ("a" if text[-1] != "a" else "b"),
        lambda text: text.upper(),
        lambda text: text.replace("-", "_", 1),
        lambda _: "",
        lambda _: "é",
    ],
)
def test_another_text_is_nobodys(tokens, change):
    _, text = tokens.make(OWNER, "editor", ALL)
    assert tokens.find(change(text), now=0) is None


def test_the_text_is_stored_nowhere(tokens, journal):
    _, text = tokens.make(OWNER, "editor", ALL)
    assert text.split("-", 2)[2] not in repr(journal.entries(LIST))


def test_a_revoked_token_is_gone_for_other_processes_too(tokens, journal):
    made, text = tokens.make(OWNER, "editor", ALL)
    other = ApiTokens(journal)
    assert other.find(text, now=0) is not None
    tokens.revoke(OWNER, made.id)
    assert other.find(text, now=0) is None
    assert other.all(OWNER) == []


def test_its_use_is_noted_once_a_minute(tokens, journal):
    made, text = tokens.make(OWNER, "editor", ALL)
    tokens.find(text, now=made.made_at)
    used = tokens.all(OWNER)[0].used_at
    assert used is not None
    for later in (0, USED_SECONDS - 1):
        tokens.find(text, now=used + later)
    assert len(journal.entries(LIST)) == 2
    tokens.find(text, now=used + USED_SECONDS)
    assert len(journal.entries(LIST)) == 3


@pytest.mark.anyio
async def test_tokens_outlive_the_server(tmp_path):
    before = open_store(tmp_path / "playground.db")
    made, text = ApiTokens(before.journal).make(OWNER, "editor", {TokenScope.RUN, TokenScope.PROPOSE})
    await before.close()
    after = open_store(tmp_path / "playground.db")
    assert ApiTokens(after.journal).find(text, now=made.made_at) == made
    await after.close()


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\x00b", "a\u202eb"])
def test_a_token_needs_a_name_that_can_be_read(tokens, name):
    with pytest.raises(TokenError, match="name of 1 to 60"):
        tokens.make(OWNER, name, ALL)


def test_a_token_needs_a_scope(tokens):
    with pytest.raises(TokenError, match="without a scope"):
        tokens.make(OWNER, "editor", set())


@pytest.mark.parametrize("who", ["visitor", "token"])
def test_only_who_changes_settings_makes_lists_and_revokes(tokens, who):
    made, _ = tokens.make(OWNER, "editor", {TokenScope.RUN})
    user = visitor("ann") if who == "visitor" else made.user
    for do in (lambda: tokens.make(user, "x", ALL), lambda: tokens.all(user), lambda: tokens.revoke(user, made.id)):
        with pytest.raises(NotPermittedError):
            do()


def test_scopes_of_a_later_version_are_left_out(tokens, journal):
    journal.append(LIST, {"made": "0" * 16, "name": "later", "scopes": ["dance"], "sha256": "0"})
    journal.append(LIST, {"renamed": "0" * 16})
    [token] = tokens.all(OWNER)
    assert not any(permits(token.user, action) for action in Action)


@pytest.mark.parametrize("scope", TokenScope)
def test_each_scope_permits_what_the_table_says(scope):
    user = ApiTokens(InMemoryJournal()).make(OWNER, "x", {scope})[0].user
    of_scope = {action for action in Action if SCOPES[action] in {scope, TokenScope.READ}}
    expected = set(Action) if scope is TokenScope.ADMINISTER else of_scope
    assert {action for action in Action if permits(user, action)} == expected
