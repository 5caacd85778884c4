"""The section on users: who is in, with which role, and the links by which others come in."""

from __future__ import annotations

import unicodedata
from urllib.parse import urlsplit

import streamlit as st

from agents.access import LONGEST_NAME, MOST_DAYS, MOST_USES, ROLES, Account, Invitation, Role
from agents.runs import RunManager
from ui.access.guard import current_reach, public_url
from ui.access.refusals import INVITATION
from ui.access.ways_in import configured
from ui.kit import paging
from ui.kit.qr_picture import qr
from ui.settings import problems
from ui.settings.actions import action, say
from ui.state import runs
from ui.state.quick_input import if_chosen, key_for
from ui.text.browser_time import local_time
from ui.text.labels import ago, many, plain

ROLE, FOR, USES, DAYS = "invited_role", "invited_for", "invited_uses", "invited_days"
MADE = "new_invitation"
"""The link that was just made, in this tab's memory, until it is put away."""
MEANINGS = {
    Role.OWNER: "everything, as you",
    Role.AUTHOR: "teams, playbooks, and what a user may",
    Role.USER: "run, own sessions, cases",
    Role.LEARNER: "lessons, own sessions",
    Role.VIEWER: "read what is shared",
}
PAGE = 50
FIND = "users_find"
FEW = 8
"""Most users among whom nobody needs a search."""


def are_expected(manager: RunManager) -> bool:
    """Whether there are users to see or to invite. One person on one machine sees none of it."""
    return current_reach().is_shared or configured().are_configured or manager.accounts.are_in_use


def show(manager: RunManager) -> None:
    """Draws the section."""
    problems.show("users")
    with st.container(border=True, key="users_invite"):
        _invite(manager)
    with st.container(border=True, key="users_list"):
        _accounts(manager)


def _invite(manager: RunManager) -> None:
    st.subheader("Invite", anchor=False)
    if (link := st.session_state.get(MADE)) is not None:
        st.markdown("Give this link, or the picture, to those whom you invite. It is shown this once.")
        st.code(link, language=None, wrap_lines=True)
        st.image(qr(link), width=180)
        st.button("Done", key="invitation_copied", type="primary", on_click=put_away, args=("users",))
    with st.form("invite_form", border=False), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox("Role", ROLES[1:], index=1, key=ROLE, format_func=lambda role: f"{role}: {MEANINGS[role]}", width=330)
        st.text_input("For", key=FOR, max_chars=LONGEST_NAME, placeholder="e.g. the new colleague", width=220)
        st.number_input("Users", 1, MOST_USES, 1, key=USES, width=110)
        st.number_input("Days", 1, MOST_DAYS, 7, key=DAYS, width=110)
        st.form_submit_button("Make a link", key="make_invitation", on_click=invite, args=("users",))
    for invitation in manager.accounts.invitations(manager.user):
        _open_invitation(invitation)


def _open_invitation(invitation: Invitation) -> None:
    name, role, left, withdraw = st.columns([4, 2, 4, 2], gap="xsmall", vertical_alignment="center")
    name.markdown(plain(invitation.name) or "*a link*")
    role.caption("a new way in" if invitation.account else invitation.role)
    left.caption(f"for {many(invitation.uses, 'user')}, until {local_time(invitation.until):%d %b %Y, %H:%M}")
    withdraw.button(
        "Withdraw", key=f"withdraw_{invitation.id}", type="tertiary", on_click=withdrawn, args=("users", invitation.id)
    )


def _accounts(manager: RunManager) -> None:
    found = manager.accounts.all(manager.user)
    st.subheader("Users", anchor=False)
    if not found:
        st.caption("Nobody but you has signed in yet. Make a link above: who opens it chooses a name, and is in.")
        return
    words = _search() if len(found) > FEW else ""
    shown = [account for account in found if matches(account, words)]
    if words:
        st.caption(f"{len(shown)} of {many(len(found), 'user')}" if shown else f"No user matches “{plain(words)}”.")
    page = paging.page_of("users", len(shown), PAGE)
    for account in shown[page.start : page.end]:
        _account(account, is_self=account.id == manager.user.id)
    paging.draw("users", page, len(shown), "user")


def _search() -> str:
    words = st.text_input(
        "Search users",
        key=FIND,
        placeholder="Search names, roles and who tells of them",
        label_visibility="collapsed",
        type="search",
        live=True,
        on_change=paging.back_to_first,
        args=("users",),
        width=400,
    )
    return (words or "").strip()


def matches(account: Account, words: str) -> bool:
    """Whether each word is in the name, the role or the issuer of an account; case and width of letters do not count."""
    told = " ".join((account.name, account.role, account.issuer, account.subject, "disabled" if account.is_disabled else ""))
    return all(word in _folded(told) for word in _folded(words).split())


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _account(account: Account, *, is_self: bool) -> None:
    name, role, seen, more = st.columns([4, 2.6, 3, 2], gap="xsmall", vertical_alignment="center")
    name.markdown(f"~~{plain(account.name)}~~ disabled" if account.is_disabled else plain(account.name))
    if account.issuer:
        name.caption(plain(f"by {account.issuer}"))
    key = f"role_{account.id}"
    why = f"Told by {plain(account.issuer)}: change it there." if account.is_managed else "You." if is_self else None
    role.selectbox(
        f"Role of {account.name}",
        ROLES,
        key=key_for(key, account.role),
        label_visibility="collapsed",
        disabled=why is not None,
        help=why,
        on_change=if_chosen(change_role),
        args=(key, "users", account.id, account.name),
    )
    seen.caption(f"seen {ago(account.seen_at)}" if account.seen_at else f"joined {ago(account.made_at)}")
    with more.popover("More", use_container_width=True, disabled=is_self, help="You." if is_self else None):
        of = ("users", account.id, account.name)
        if account.is_disabled:
            st.button("Enable", key=f"enable_{account.id}", on_click=enable, args=of)
            return
        st.button("Make a link for another browser", key=f"link_{account.id}", on_click=link, args=of)
        st.button("Sign out everywhere", key=f"sign_out_{account.id}", on_click=sign_out, args=of)
        st.button("Disable", key=f"disable_{account.id}", on_click=disable, args=of)


@action
def invite(_where: str) -> None:
    """Makes the link that the form describes, and shows it once."""
    told = st.session_state
    _make(told.get(ROLE), name=told.get(FOR) or "", uses=int(told.get(USES) or 1), days=int(told.get(DAYS) or 1))
    told[FOR] = ""


@action
def link(_where: str, account: str, name: str) -> None:
    """Makes a link into an account that is there."""
    _make(Role.USER, name=name, account=account)


@action
def put_away(_where: str) -> None:
    """Shows the new link no longer."""
    st.session_state.pop(MADE, None)


@action
def withdrawn(_where: str, invitation: str) -> None:
    """Ends an invitation."""
    manager = runs.manager()
    manager.accounts.withdraw(manager.user, invitation)
    st.session_state.pop(MADE, None)
    say("The link leads nobody in any more.")


@action
def change_role(_where: str, account: str, name: str, role: str) -> None:
    """Gives an account another role."""
    manager = runs.manager()
    manager.accounts.change_role(manager.user, account, Role(role))
    say(f"{name} has the role {role} from now on.")


@action
def disable(_where: str, account: str, name: str) -> None:
    """Ends an account."""
    manager = runs.manager()
    manager.accounts.disable(manager.user, account)
    say(
        f"{name} is signed out and let in no more.",
        undo=lambda: runs.manager().accounts.enable(runs.manager().user, account),
    )


@action
def enable(_where: str, account: str, name: str) -> None:
    """Undoes `disable`."""
    manager = runs.manager()
    manager.accounts.enable(manager.user, account)
    say(f"{name} may sign in again.")


@action
def sign_out(_where: str, account: str, name: str) -> None:
    """Ends all sign-ins of an account."""
    manager = runs.manager()
    manager.accounts.sign_out_everywhere(manager.user, account)
    say(f"{name} is signed out everywhere.")


def _make(role: object, *, name: str, uses: int = 1, days: int = 7, account: str = "") -> None:
    manager, asked = runs.manager(), urlsplit(st.context.url or "")
    chosen = next((known for known in ROLES if known == role), Role.VIEWER)
    _, code = manager.accounts.invite(manager.user, chosen, name=name, uses=uses, days=days, account=account)
    st.session_state[MADE] = f"{public_url(asked.netloc or None, asked.scheme or 'http')}{INVITATION}?code={code}"
