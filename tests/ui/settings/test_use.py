"""The sections Use and Activity, run without a browser."""

from __future__ import annotations

import json

import pytest

from agents.access import OWNER, Activity, Role, Wanted, note
from agents.runs import Use
from tests.ui.settings.stage import settings_page
from tests.ui.stage import finish, sound, words
from ui.access import identity
from ui.settings import activity


@pytest.fixture
def ann(manager, monkeypatch, tmp_path):
    """A user with limits, who has made a session; the file is read when the manager is made."""
    account = manager.accounts.redeem(manager.accounts.invite(OWNER, Role.USER)[1], "Ann <b>山田</b>")
    run = manager.as_user(account.user).start("iterative_writing", "the sea")
    finish(manager, "iterative_writing", run.session_id)
    return account


def test_the_owner_sees_what_all_use_by_name(manager, ann):
    at = sound(settings_page("use"))
    assert "You have no limits." in words(at)
    [table] = at.dataframe
    [row] = [row for row in table.value.to_dict("records") if row["User"] == ann.name]
    assert (row["Sessions"], row["Runs at once"]) == (1, 0)
    assert row["Storage"] > 0


def test_a_user_sees_their_own_use_alone_with_its_limits(manager, ann, monkeypatch):
    monkeypatch.setattr(identity, "current", lambda: ann.user)
    monkeypatch.setattr("ui.access.owner.current", lambda: ann.user)
    at = sound(settings_page("use"))
    assert "You have no limits." not in words(at)
    assert "All users" not in words(at)
    assert not at.dataframe
    bars = [bar.proto.text for bar in at.get("progress")]
    assert any(bar.startswith("**Sessions**  1 of ") for bar in bars), bars


def test_a_limit_that_is_nearly_or_all_used_up_is_marked(manager, ann, monkeypatch):
    uses = [Use("runs", 1, 4), Use("sessions", 9, 10), Use("waiting", 2, 2), Use("tokens", 5, 5, free_at=0.0)]
    monkeypatch.setattr(identity, "current", lambda: ann.user)
    monkeypatch.setattr("ui.access.owner.current", lambda: ann.user)
    monkeypatch.setattr("agents.runs.limits.use_desk.UseDesk.own", lambda _: uses)
    bars = [bar.proto.text.partition("  ")[2] for bar in sound(settings_page("use")).get("progress")]
    assert bars == [
        "1 of 4",
        "9 of 10 :orange-badge[nearly used up]",
        "2 of 2 :red-badge[used up]",
        "5 of 5 :red-badge[used up, free again at 00:00]",
    ]


def test_activity_names_accounts_and_not_their_ids(manager, ann):
    manager.accounts.disable(OWNER, ann.id)
    [table] = sound(settings_page("activity")).dataframe
    assert next(iter(table.value["Of"])) == f"disabled {ann.name}"


def test_activity_is_filtered_turned_and_downloaded(manager, ann):
    for number in range(120):
        note(manager.as_user(ann.user).user, Activity.TEAM, f"team {number}")
    note(manager.user, Activity.KEY, "gemini")
    at = sound(settings_page("activity"))
    [table] = at.dataframe
    assert len(table.value) == activity.SHOWN
    assert next(iter(table.value["Of"])) == "gemini"
    at = sound(at.selectbox(key=activity.WHAT).set_value(Activity.TEAM).run())
    shown = list(at.dataframe[0].value["Of"])
    assert shown == [f"team {number}" for number in range(119, 69, -1)]
    assert set(at.dataframe[0].value["Who"]) == {ann.name}
    at = sound(at.button(key="activity_older").click().run())
    assert next(iter(at.dataframe[0].value["Of"])) == "team 69"
    at = sound(at.button(key="activity_newer").click().run())
    assert list(at.dataframe[0].value["Of"]) == shown
    told = [json.loads(line) for line in activity.lines(manager, Wanted(what=Activity.TEAM))]
    assert [one["of"] for one in told] == [f"team {number}" for number in range(119, -1, -1)]
