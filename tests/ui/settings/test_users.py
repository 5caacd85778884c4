"""The section on users, run without a browser."""

from __future__ import annotations

import pytest

from agents.access import ISSUER, OWNER, Role
from tests.ui.settings.stage import notice, settings_page
from tests.ui.stage import labels, said, sound, words
from ui.access import identity
from ui.settings.users import FEW, FIND, MADE, ROLE, USES


@pytest.fixture
def ann(manager):
    return manager.accounts.redeem(manager.accounts.invite(OWNER, Role.USER)[1], "Ann *山田*")


@pytest.fixture
def on_a_proxy(monkeypatch):
    monkeypatch.setenv("PLAYGROUND_ALLOWED_HOSTS", "play.example.org")
    monkeypatch.setattr(identity._process, "serves", False)
    monkeypatch.setattr(identity, "current", lambda: OWNER)
    monkeypatch.setattr("ui.access.owner.current", lambda: OWNER)
    monkeypatch.setattr("ui.state.runs.current", lambda: OWNER, raising=False)


def sections(at) -> list[str]:
    [found] = [group for group in at.button_group if group.key and group.key.startswith("settings_section")]
    return [option.content for option in found.proto.options]


def test_one_person_on_one_machine_sees_none_of_it(manager):
    at = sound(settings_page())
    assert "Users" not in sections(at)
    assert "Sign out" not in labels(at)


def test_a_link_is_made_shown_once_and_withdrawn(manager, on_a_proxy):
    at = sound(settings_page("users"))
    assert "Users" in sections(at)
    assert "Nobody but you has signed in yet." in words(at)
    at.selectbox(key=ROLE).set_value(Role.AUTHOR)
    at.number_input(key=USES).set_value(3)
    sound(at.button(key="make_invitation").click().run())
    link = at.session_state[MADE]
    assert link in [code.value for code in at.code]
    [invitation] = manager.accounts.invitations(OWNER)
    assert (invitation.role, invitation.uses) == (Role.AUTHOR, 3)
    assert manager.accounts.invitation(link.partition("code=")[2]) == invitation
    sound(at.button(key="invitation_copied").click().run())
    assert MADE not in at.session_state
    sound(at.button(key=f"withdraw_{invitation.id}").click().run())
    assert manager.accounts.invitations(OWNER) == []


def test_a_user_gets_another_role_is_disabled_and_comes_back(manager, ann):
    at = sound(settings_page("users"))
    assert "Ann *山田*" in words(at)
    sound(at.selectbox(key=f"role_{ann.id}").set_value(Role.VIEWER).run())
    assert manager.accounts.user(ann.id).role is Role.VIEWER
    sound(at.button(key=f"disable_{ann.id}").click().run())
    assert manager.accounts.user(ann.id) is None
    assert "let in no more" in notice(at)
    sound(at.button(key="undo_last").click().run())
    assert manager.accounts.user(ann.id).role is Role.VIEWER
    sound(at.button(key=f"disable_{ann.id}").click().run())
    sound(at.button(key=f"enable_{ann.id}").click().run())
    assert manager.accounts.user(ann.id) is not None


def test_among_many_users_one_is_found_by_name_or_role_whatever_the_case_and_width(manager, ann):
    assert FIND not in [field.key for field in sound(settings_page("users")).text_input]
    for number in range(FEW):
        manager.accounts.redeem(manager.accounts.invite(OWNER, Role.LEARNER)[1], f"Student {number}")
    at = sound(settings_page("users"))
    sound(at.text_input(key=FIND).set_value("ｓｔｕｄｅｎｔ 5").run())
    assert "1 of 9 users" in words(at)
    assert "Student 5" in words(at)
    assert "Ann" not in words(at)
    sound(at.text_input(key=FIND).set_value("山田 USER").run())
    assert "Ann" in words(at)
    sound(at.text_input(key=FIND).set_value("*nobody*").run())
    assert "No user matches “*nobody*”." in words(at)


def test_all_browsers_of_a_user_are_signed_out(manager, ann):
    before = manager.accounts.account(ann.id).stamp
    sound(settings_page("users")).button(key=f"sign_out_{ann.id}").click().run()
    assert manager.accounts.account(ann.id).stamp != before


def test_a_link_for_another_browser_leads_into_the_same_account(manager, ann):
    at = sound(settings_page("users"))
    sound(at.button(key=f"link_{ann.id}").click().run())
    assert manager.accounts.redeem(at.session_state[MADE].partition("code=")[2], "").id == ann.id


def test_a_role_that_an_issuer_tells_is_changed_there(manager):
    account = manager.accounts.sign_in("https://id.example.org", "1", name="Ann", role=Role.USER, is_managed=True)
    at = sound(settings_page("users"))
    field = at.selectbox(key=f"role_{account.id}")
    assert (field.disabled, "change it there" in field.help) == (True, True)
    assert ISSUER


@pytest.fixture
def signed_in(manager, monkeypatch):
    """Makes the page that of an account with a role."""

    def begin(role: Role):
        account = manager.accounts.redeem(manager.accounts.invite(OWNER, role)[1], "Bea")
        monkeypatch.setattr(identity._process, "accounts", manager.accounts)
        monkeypatch.setattr(identity, "user_field", lambda _: account.id)
        return account

    return begin


@pytest.mark.parametrize("role", [Role.AUTHOR, Role.USER])
def test_who_may_make_tokens_finds_them_in_settings_and_not_the_users(signed_in, role):
    signed_in(role)
    assert "Make a link" not in labels(sound(settings_page("users")))
    at = sound(settings_page("api"))
    assert "Make a token" in labels(at)
    assert "Make a link" not in labels(at)
    assert f"Bea · {role}" in words(at)
    assert "Sign out" in labels(at)


@pytest.mark.parametrize(
    ("role", "why"), [(Role.LEARNER, "they are the owner's"), (Role.VIEWER, "for those who are signed in")]
)
def test_others_are_told_why_they_have_no_settings(signed_in, role, why):
    signed_in(role)
    at = sound(settings_page())
    assert why in said(at)
    assert "Make a token" not in labels(at)
    assert "Unlock" not in labels(at)


def test_an_account_that_ends_while_its_page_is_open_may_do_nothing_more(manager, signed_in):
    account = signed_in(Role.USER)
    at = sound(settings_page("api"))
    manager.accounts.disable(OWNER, account.id)
    at.text_input(key="new_token_name").set_value("mine")
    at.button(key="make_token").click().run()
    assert manager.tokens.all(OWNER) == []
    assert "Make a token" not in labels(at)
