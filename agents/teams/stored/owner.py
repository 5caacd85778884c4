"""Whose a team is: of who made it. Its own folder says so; without, it is the owner's, as one that is copied there is."""

from __future__ import annotations

from pathlib import Path

from agents.access import OWNER, User
from agents.teams.stored.revisions import FOLDER

_FILE = "owner"
_LONGEST = 200


def owner_of(folder: Path) -> str:
    """The id of the user whose team it is, by the team's folder."""
    try:
        with (folder / FOLDER / _FILE).open(encoding="utf-8") as file:
            return file.read(_LONGEST).strip()
    except FileNotFoundError:
        return OWNER.id
    except (OSError, UnicodeDecodeError):  # nobody's but the owner's, who sees all
        return ""


def give(folder: Path, user: User) -> None:
    """Makes a new team a user's."""
    if not user.is_owner:
        (folder / FOLDER / _FILE).write_text(user.id, encoding="utf-8")


def sees_team(user: User, folder: Path) -> bool:
    """Whether a user sees a team, and may run it: their own and the owner's; the owner sees all."""
    return user.is_owner or owner_of(folder) in {OWNER.id, user.id}
