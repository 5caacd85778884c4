"""Links: who may make them, what they permit, and when they end."""

from __future__ import annotations

import pytest

from agents.access import LINK_RIGHTS, OWNER, Action, LinkRole, Links, Role, User, of_playbook, of_session, permits, viewer
from agents.access.links import DAY, LIST, MOST_OPENED
from agents.errors import LinkError, NotPermittedError
from agents.storage.memory_journal import InMemoryJournal

AUTHOR, USER = User("account-0000000000000001", Role.AUTHOR), User("account-0000000000000002", Role.USER)
GUEST = viewer("guest")
OURS = of_session("ace", AUTHOR.id, "s-1")


@pytest.fixture
def journal():
    return InMemoryJournal()


@pytest.fixture
def links(journal):
    return Links(journal)


def test_who_opens_a_link_may_do_what_its_role_permits_to_that_thing_alone(links):
    for role in LinkRole:
        thing = of_session("ace", AUTHOR.id, f"s-{role}")
        link, text = links.make(AUTHOR, thing, role, days=1)
        assert links.bound(GUEST, now=link.made_at).shared.isdisjoint({(thing, role)})
        links.open(GUEST, text, now=link.made_at)
        bound = links.bound(GUEST, now=link.made_at)
        assert {a for a in Action if permits(bound, a, of=AUTHOR.id, thing=thing)} == LINK_RIGHTS[role]
        for other in (of_session("ace", AUTHOR.id, "S-" + role), of_session("other", AUTHOR.id, thing.id), of_playbook("s")):
            assert not any(permits(bound, action, of=AUTHOR.id, thing=other) for action in Action)


def test_a_link_is_over_at_its_end_and_when_it_is_revoked(links):
    link, text = links.make(AUTHOR, OURS, LinkRole.READ, days=2)
    links.open(GUEST, text, now=link.made_at)
    assert links.bound(GUEST, now=link.ends_at - 1).shared
    assert not links.bound(GUEST, now=link.ends_at).shared
    with pytest.raises(LinkError, match="has ended"):
        links.open(USER, text, now=link.made_at + 2 * DAY)
    links.revoke(AUTHOR, link.id)
    assert not links.bound(GUEST, now=link.made_at).shared
    assert links.of(AUTHOR, OURS) == []
    with pytest.raises(LinkError, match="revoked"):
        links.open(USER, text, now=link.made_at)
    links.restore(AUTHOR, link.id)
    assert links.bound(GUEST, now=link.made_at).shared, "the undo gives it back to those who had it"


@pytest.mark.parametrize("text", ["", "x", "0" * 16, f"{'0' * 16}-{'A' * 43}", f"{'0' * 16}-{'A' * 42}é", "../../etc", "\0"])
def test_a_guess_opens_nothing(links, text):
    made, right = links.make(AUTHOR, OURS, LinkRole.READ, days=1)
    for guess in (text, right[:-1], right + "x", right.upper(), f" {right}", f"{made.id}-{'A' * 43}"):
        with pytest.raises(LinkError, match="no such link"):
            links.open(GUEST, guess, now=made.made_at)
    assert not links.bound(GUEST, now=made.made_at).shared


def test_the_secret_is_stored_nowhere(links, journal):
    link, text = links.make(AUTHOR, OURS, LinkRole.READ, days=1)
    links.open(GUEST, text, now=link.made_at)
    assert text.partition("-")[2] not in str(journal.entries(LIST))


def test_only_who_has_a_thing_shares_it(links):
    link, _ = links.make(AUTHOR, OURS, LinkRole.READ, days=1)
    for user in (USER, GUEST, viewer("other")):
        with pytest.raises(NotPermittedError):
            links.make(user, OURS, LinkRole.READ, days=1)
        with pytest.raises(NotPermittedError):
            links.revoke(user, link.id)
        with pytest.raises(NotPermittedError):
            links.of(user, OURS)
    assert [one.id for one in links.all(AUTHOR)] == [one.id for one in links.all(OWNER)] == [link.id]
    assert links.all(USER) == []
    links.revoke(OWNER, link.id)
    assert links.all(OWNER) == []


@pytest.mark.parametrize(
    ("role", "thing", "days", "why"),
    [
        (LinkRole.READ, OURS, 0, "1 to 365 days"),
        (LinkRole.READ, OURS, 366, "1 to 365 days"),
        (LinkRole.CONTINUE, of_playbook("finance"), 7, "shared to be read"),
    ],
)
def test_a_link_that_cannot_be_is_refused(links, role, thing, days, why):
    with pytest.raises(LinkError, match=why):
        links.make(OWNER, thing, role, days=days)


def test_a_link_is_not_opened_by_any_number_of_browsers(links, journal):
    link, text = links.make(AUTHOR, OURS, LinkRole.READ, days=1)
    for number in range(MOST_OPENED):
        links.open(viewer(str(number)), text, now=link.made_at)
    links.open(viewer("0"), text, now=link.made_at)
    with pytest.raises(LinkError, match="no more can"):
        links.open(GUEST, text, now=link.made_at)
    assert len(journal.entries(LIST)) == 1 + MOST_OPENED


def test_other_servers_know_of_it(journal):
    here, there = Links(journal), Links(journal)
    link, text = here.make(AUTHOR, OURS, LinkRole.READ, days=1)
    there.open(GUEST, text, now=link.made_at)
    assert here.bound(GUEST, now=link.made_at).shared
    there.revoke(AUTHOR, link.id)
    assert not here.bound(GUEST, now=link.made_at).shared


def test_what_a_later_version_wrote_is_left_alone(journal):
    journal.append(
        LIST, {"made": "0", "thing": ["team", "", "person", "x"], "role": "read", "by": "x", "days": 1, "sha256": ""}
    )
    journal.append(LIST, {"renamed": "0"})
    assert Links(journal).all(OWNER) == []
