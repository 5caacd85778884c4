"""The table of rights: complete, and read the same way everywhere."""

from __future__ import annotations

import pytest

from agents.access import OWNER, RIGHTS, Action, Extent, Role, permits, require, visitor
from agents.errors import NotPermittedError

ANN, BEN = visitor("ann"), visitor("ben")


def test_every_action_has_a_right_for_every_role():
    assert set(RIGHTS) == set(Action)
    assert all(set(right) == set(Role) for right in RIGHTS.values())


@pytest.mark.parametrize("action", Action)
def test_the_owner_may_do_everything_to_everybodys(action):
    assert permits(OWNER, action)
    assert permits(OWNER, action, of=ANN.id)


@pytest.mark.parametrize("action", Action)
def test_a_visitor_may_do_what_the_table_says(action):
    cell = RIGHTS[action][Role.VISITOR]
    own, owners, others = (permits(ANN, action, of=user) for user in (ANN.id, OWNER.id, BEN.id))
    assert (own, owners, others) == {
        Extent.ALL: (True, True, True),
        Extent.SHOWN: (True, True, False),
        Extent.OWN: (True, False, False),
        Extent.NONE: (False, False, False),
    }[cell]


def test_a_refusal_says_what_why_and_what_to_do():
    with pytest.raises(NotPermittedError, match=r"A visitor may not stop runs of .*: .* Start a session of your own"):
        require(ANN, Action.STOP, of=OWNER.id)
    with pytest.raises(NotPermittedError, match=r"A visitor may not change playbooks: .* open the owner's link"):
        require(ANN, Action.EDIT_PLAYBOOK)


def test_a_visitor_sees_the_owners_sessions_and_the_owner_those_of_visitors():
    assert ANN.sees(ANN.id)
    assert ANN.sees(OWNER.id)
    assert not ANN.sees(BEN.id)
    assert OWNER.sees(ANN.id)
    assert not OWNER.sees("a user of some program")
