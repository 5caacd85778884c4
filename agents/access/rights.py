"""The table of rights: what each role may do. Checked where the work is done, see `RunManager.as_user`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from agents.access.audit import Activity, note
from agents.access.users import LinkRole, Role, Thing, TokenScope, User
from agents.errors import NotPermittedError


class Action(StrEnum):
    """What can be done. The value completes the sentence "A visitor may not …"."""

    READ_SESSION = "read this session"
    RUN = "run agents in this session"
    ANSWER = "answer what this session waits for"
    STOP = "stop runs of this session"
    WRITE_STATE = "change the state of this session"
    WRITE_APP_STATE = "change state of all sessions (app: keys)"
    RENAME = "rename or tag this session"
    DELETE = "delete or restore this session"
    FORK = "fork this session"
    IMPORT = "import sessions"
    UPLOAD = "upload files"
    READ_PLAYBOOK = "read playbooks"
    PROPOSE = "propose changes of playbooks"
    EDIT_PLAYBOOK = "change playbooks"
    APPROVE = "approve what a playbook is to learn"
    CHANGE_SETTINGS = "change settings or test models"
    CLEAN_UP = "clean up stored sessions"
    USE_LAB = "start, stop or delete lab runs"
    USE_CASES = "make, run or delete cases"
    EDIT_TEAM = "make, change or delete teams"
    LEARN = "do or reset these lessons"
    READ_PROGRESS = "see what these learners have done"
    USE_SERVICES = "use the stored data directly"
    HOLD_CLASS = "hold a class"
    TAKE_PART = "take part in a class"
    MANAGE_USERS = "invite, change or disable users"
    MAKE_TOKENS = "make or revoke API tokens"
    EXPORT = "export this session"
    SHARE = "share by link"
    READ_LAB = "look at lab runs"
    SET_OWN = "choose models or keys of their own"


class Extent(StrEnum):
    """Of whose sessions an action is permitted; the value is the table's cell."""

    ALL = "yes"
    TAUGHT = "own, the owner's and learners'"
    SHOWN = "own and the owner's"
    OWN = "own"
    SHARED = "shared by link"
    NONE = "no"


Right = Mapping[Role, Extent]


_COLUMNS = (Role.AUTHOR, Role.TEACHER, Role.USER, Role.LEARNER, Role.VIEWER, Role.VISITOR)
_ALL, _TAUGHT, _SHOWN, _OWN, _NONE = Extent.ALL, Extent.TAUGHT, Extent.SHOWN, Extent.OWN, Extent.NONE
_SHARED = Extent.SHARED


def _right(*extents: Extent) -> Right:
    return {Role.OWNER: _ALL, **dict(zip(_COLUMNS, extents, strict=True))}


RIGHTS: Mapping[Action, Right] = {
    # author, teacher, user, learner, viewer, visitor
    Action.READ_SESSION: _right(_OWN, _TAUGHT, _OWN, _OWN, _SHARED, _SHOWN),
    Action.RUN: _right(_OWN, _OWN, _OWN, _OWN, _SHARED, _OWN),
    Action.ANSWER: _right(_OWN, _OWN, _OWN, _OWN, _SHARED, _OWN),
    Action.STOP: _right(_OWN, _OWN, _OWN, _OWN, _SHARED, _OWN),
    Action.WRITE_STATE: _right(_OWN, _OWN, _OWN, _OWN, _NONE, _OWN),
    Action.WRITE_APP_STATE: _right(_NONE, _NONE, _NONE, _NONE, _NONE, _NONE),
    Action.RENAME: _right(_OWN, _OWN, _OWN, _OWN, _NONE, _OWN),
    Action.DELETE: _right(_OWN, _OWN, _OWN, _OWN, _NONE, _OWN),
    Action.FORK: _right(_OWN, _OWN, _OWN, _OWN, _NONE, _OWN),
    Action.IMPORT: _right(_NONE, _NONE, _NONE, _NONE, _NONE, _NONE),
    Action.UPLOAD: _right(_OWN, _NONE, _OWN, _NONE, _NONE, _NONE),
    Action.READ_PLAYBOOK: _right(_ALL, _ALL, _ALL, _ALL, _SHARED, _ALL),
    Action.PROPOSE: _right(_ALL, _NONE, _ALL, _NONE, _NONE, _NONE),
    Action.EDIT_PLAYBOOK: _right(_ALL, _NONE, _NONE, _NONE, _NONE, _NONE),
    Action.APPROVE: _right(_ALL, _NONE, _NONE, _NONE, _NONE, _NONE),
    Action.CHANGE_SETTINGS: _right(_NONE, _NONE, _NONE, _NONE, _NONE, _NONE),
    Action.CLEAN_UP: _right(_NONE, _NONE, _NONE, _NONE, _NONE, _NONE),
    Action.USE_LAB: _right(_NONE, _NONE, _NONE, _NONE, _NONE, _NONE),
    Action.USE_CASES: _right(_OWN, _NONE, _OWN, _NONE, _NONE, _NONE),
    Action.EDIT_TEAM: _right(_OWN, _NONE, _NONE, _NONE, _NONE, _NONE),
    Action.LEARN: _right(_OWN, _OWN, _OWN, _OWN, _NONE, _OWN),
    Action.READ_PROGRESS: _right(_OWN, _TAUGHT, _OWN, _OWN, _NONE, _OWN),
    Action.USE_SERVICES: _right(_NONE, _NONE, _NONE, _NONE, _NONE, _NONE),
    Action.HOLD_CLASS: _right(_NONE, _ALL, _NONE, _NONE, _NONE, _NONE),
    Action.TAKE_PART: _right(_NONE, _NONE, _NONE, _ALL, _NONE, _NONE),
    Action.MANAGE_USERS: _right(_NONE, _NONE, _NONE, _NONE, _NONE, _NONE),
    Action.MAKE_TOKENS: _right(_OWN, _NONE, _OWN, _NONE, _NONE, _NONE),
    Action.EXPORT: _right(_OWN, _TAUGHT, _OWN, _OWN, _NONE, _SHOWN),
    Action.SHARE: _right(_OWN, _OWN, _OWN, _NONE, _NONE, _NONE),
    Action.READ_LAB: _right(_NONE, _ALL, _NONE, _NONE, _NONE, _ALL),
    Action.SET_OWN: _right(_OWN, _NONE, _OWN, _NONE, _NONE, _NONE),
}
"""Action × role. The page *Promises and security* shows it; tests compare the two, and walk it."""

LINK_RIGHTS: Mapping[LinkRole, frozenset[Action]] = {
    LinkRole.READ: frozenset({Action.READ_SESSION, Action.READ_PLAYBOOK}),
    LinkRole.CONTINUE: frozenset({Action.READ_SESSION, Action.RUN, Action.ANSWER, Action.STOP}),
}
"""What a link permits to do with the one thing that it shares, to anybody who opened it."""

_READS = {
    Action.READ_SESSION,
    Action.READ_PLAYBOOK,
    Action.READ_PROGRESS,
    Action.EXPORT,
    Action.READ_LAB,
}
_RUNS = {
    Action.RUN,
    Action.ANSWER,
    Action.STOP,
    Action.WRITE_STATE,
    Action.RENAME,
    Action.DELETE,
    Action.FORK,
    Action.UPLOAD,
    Action.USE_CASES,
}

SCOPES: Mapping[Action, TokenScope] = {
    **dict.fromkeys(Action, TokenScope.ADMINISTER),
    **dict.fromkeys(_READS, TokenScope.READ),
    **dict.fromkeys(_RUNS, TokenScope.RUN),
    Action.PROPOSE: TokenScope.PROPOSE,
}
"""The scope that an API token needs for an action."""


def permits(user: User, action: Action, *, of: str | None = None, thing: Thing | None = None) -> bool:
    """Whether a user may do something.

    Args:
        user: Who asks.
        action: What they want to do.
        of: The user id of the session that it is done to; None for what is no session's, or for a new session of theirs.
        thing: What it is done to, which a link may share with them, see `User.shared`; None for what no link shares.
    """
    if not _in_scope(user, action):
        return False
    if thing is not None and any(thing == one and action in LINK_RIGHTS[role] for one, role in user.shared):
        return True
    whose = user.id if of is None else of
    match RIGHTS[action][user.role]:
        case Extent.ALL:
            return True
        case Extent.TAUGHT | Extent.SHOWN:
            return user.sees(whose)
        case Extent.OWN:
            return whose == user.id
        case Extent.SHARED | Extent.NONE:
            return False


def require(user: User, action: Action, *, of: str | None = None, thing: Thing | None = None) -> None:
    """Checks a right; see `permits`.

    Raises:
        NotPermittedError: The user does not have it.
    """
    if permits(user, action, of=of, thing=thing):
        return
    note(user, Activity.REFUSED, str(action) if of is None else f"{action} (of {of})", ok=False)
    if not _in_scope(user, action):
        raise NotPermittedError(
            f"The API token {user.via!r} may not {action}: it lacks the scope {SCOPES[action]!s}. "
            "Make a token with that scope in Settings › API."
        )
    why, cure = "that is the owner's", "Ask the owner."
    if user.role is Role.VISITOR:
        cure = "Ask the owner, or open the owner's link, which was printed when the playground started."
    if action is Action.TAKE_PART:
        why, cure = "that is a learner's", "Join the class with its code, on the page that its picture leads to."
    elif user.role is Role.LEARNER:
        why, cure = "that is the teacher's", "Ask your teacher."
    if RIGHTS[action][user.role] is Extent.SHARED:
        why, cure = "no link shares it with them", "Ask who sent you a link for another one."
    elif RIGHTS[action][user.role] is not Extent.NONE:
        why, cure = "it is somebody else's", "Start a session of your own: it is yours to run, answer, stop and change."
    article = "An" if user.role in {Role.OWNER, Role.AUTHOR} else "A"
    raise NotPermittedError(f"{article} {user.role} may not {action}: {why}. {cure}")


def _in_scope(user: User, action: Action) -> bool:
    if user.scopes is None:
        return True
    needed = SCOPES[action]
    enough = set(TokenScope) if needed is TokenScope.READ else {needed, TokenScope.ADMINISTER}
    return not user.scopes.isdisjoint(enough)
