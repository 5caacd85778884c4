"""The table of rights: complete, and read the same way everywhere."""

from __future__ import annotations

import pytest

from agents.access import (
    OWNER,
    RIGHTS,
    Action,
    Extent,
    Role,
    User,
    learner,
    permits,
    require,
    shares_app_state,
    teacher,
    user_of,
    visitor,
)
from agents.errors import NotPermittedError

ANN, BEN = visitor("ann"), visitor("ben")
LIN, MEI, TEA = learner("lin"), learner("mei"), teacher("tea")
AUTHOR, USER, VIEWER = (User(f"account-{n:016x}", role) for n, role in enumerate((Role.AUTHOR, Role.USER, Role.VIEWER)))
EVERYBODY = (OWNER, ANN, BEN, LIN, MEI, TEA, AUTHOR, USER, VIEWER)
REACHED = {
    Extent.ALL: lambda _: set(EVERYBODY),
    Extent.TAUGHT: lambda user: {user, OWNER, LIN, MEI},
    Extent.SHOWN: lambda user: {user, OWNER},
    Extent.OWN: lambda user: {user},
    Extent.SHARED: lambda _: set(),
    Extent.NONE: lambda _: set(),
}
"""Whose sessions a cell of the table means."""


def test_every_action_has_a_right_for_every_role():
    assert set(RIGHTS) == set(Action)
    assert all(set(right) == set(Role) for right in RIGHTS.values())


@pytest.mark.parametrize("action", Action)
def test_the_owner_may_do_everything_to_everybodys(action):
    assert permits(OWNER, action)
    assert permits(OWNER, action, of=ANN.id)


@pytest.mark.parametrize("user", [ANN, LIN, TEA, AUTHOR, USER, VIEWER], ids=lambda user: user.role)
@pytest.mark.parametrize("action", Action)
def test_everybody_else_may_do_what_the_table_says(action, user):
    may = {other for other in EVERYBODY if permits(user, action, of=other.id)}
    assert may == REACHED[RIGHTS[action][user.role]](user)


def test_a_refusal_says_what_why_and_what_to_do():
    with pytest.raises(NotPermittedError, match=r"A visitor may not stop runs of .*: .* Start a session of your own"):
        require(ANN, Action.STOP, of=OWNER.id)
    with pytest.raises(NotPermittedError, match=r"A visitor may not change playbooks: .* open the owner's link"):
        require(ANN, Action.EDIT_PLAYBOOK)
    with pytest.raises(NotPermittedError, match=r"An author may not invite, .*: that is the owner's\. Ask the owner\."):
        require(AUTHOR, Action.MANAGE_USERS)
    with pytest.raises(NotPermittedError, match=r"A learner may not change settings .*: that is the teacher's\. Ask"):
        require(LIN, Action.CHANGE_SETTINGS)
    with pytest.raises(NotPermittedError, match=r"A visitor may not take part in a class: .* its code"):
        require(ANN, Action.TAKE_PART)


@pytest.mark.parametrize("user", EVERYBODY, ids=lambda user: user.id)
def test_lists_show_what_may_be_read(user):
    seen = {other for other in EVERYBODY if user.sees(other.id)}
    assert seen == {other for other in EVERYBODY if permits(user, Action.READ_SESSION, of=other.id) or other == user}
    assert not user.sees("a user of some program")


@pytest.mark.parametrize("user", EVERYBODY, ids=lambda user: user.id)
def test_a_user_is_known_by_the_id_of_their_sessions(user):
    assert user_of(user.id) == user or user in {AUTHOR, VIEWER}, "the role of an account is stored"
    assert shares_app_state(user.id) is (user is OWNER)
