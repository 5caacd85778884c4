"""Limits of what users use, and the file that sets them.

[user]                  # of every user but the owner
runs = 4
storage = "2 GB"
cost = 5.0              # US dollars a day

[workspace]             # of all users but the owner together
tokens = "unlimited"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from agents.errors import LimitReachedError, PersonError

UNLIMITED = "unlimited"
Limit = Literal["runs", "waiting", "sessions", "storage", "uploads", "viewers", "model_calls", "tokens", "cost"]
LIMITS: tuple[Limit, ...] = get_args(Limit)
"""In the order in which they are shown."""
DAILY: frozenset[Limit] = frozenset({"model_calls", "tokens", "cost"})
"""Limits of a day, which begins at 00:00 UTC."""
BYTES: frozenset[Limit] = frozenset({"storage", "uploads"})
LIMIT_NAMES: Mapping[Limit, str] = {
    "runs": "runs at once",
    "waiting": "runs waiting",
    "sessions": "sessions",
    "storage": "bytes of storage",
    "uploads": "bytes of uploads",
    "viewers": "open pages",
    "model_calls": "model calls a day",
    "tokens": "tokens a day",
    "cost": "US dollars a day",
}
"""What each limit counts, in words."""
_CURES: Mapping[Limit, str] = {
    "runs": "Wait for a run to end, or stop one.",
    "waiting": "Wait until some of them have begun, or stop one.",
    "sessions": "Delete sessions that are no longer needed.",
    "storage": "Delete sessions that are no longer needed, for good.",
    "uploads": "Close other tabs of the playground that hold files, or choose a smaller file.",
    "viewers": "Close other tabs of the playground.",
    "model_calls": "",
    "tokens": "",
    "cost": "",
}
_UNITS = {"kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}


def _number(given: Any) -> Any:
    """A limit as it is written: a number, or "unlimited"."""
    return None if given == UNLIMITED else given


def _bytes(given: Any) -> Any:
    """Bytes as a number, or with a unit, e.g. "500 MB"."""
    if not isinstance(given, str) or given == UNLIMITED:
        return _number(given)
    number, unit = given[:-2].strip(), given[-2:].lower()
    if unit not in _UNITS or not (number.isascii() and number.isdecimal()) or len(number) > 9:  # noqa: PLR2004  a billion of any unit
        raise ValueError('write bytes as a number, or e.g. "500 MB" or "2 GB"')
    return int(number) * _UNITS[unit]


Count = Annotated[Annotated[int, Field(strict=True, ge=0)] | None, BeforeValidator(_number)]
Bytes = Annotated[Annotated[int, Field(strict=True, ge=0)] | None, BeforeValidator(_bytes)]
Dollars = Annotated[Annotated[float, Field(ge=0, allow_inf_nan=False)] | None, BeforeValidator(_number)]


class Quota(BaseModel):
    """The limits of one user, or of all together; None for none.

    Attributes:
        runs: Runs at once; more wait for their turn.
        waiting: Runs that wait.
        sessions: Sessions that are not deleted.
        storage: Bytes of logs and files.
        uploads: Bytes of uploads that one server holds in memory.
        viewers: Open pages.
        model_calls: Model calls a day.
        tokens: Tokens a day, sent and received.
        cost: US dollars a day, by the prices of Settings › Prices; models without a price cost nothing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    runs: Count = None
    waiting: Count = None
    sessions: Count = None
    storage: Bytes = None
    uploads: Bytes = None
    viewers: Count = None
    model_calls: Count = None
    tokens: Count = None
    cost: Dollars = None

    def most(self, limit: Limit) -> float | None:
        """A limit; None if there is none."""
        return getattr(self, limit)


class UserQuota(Quota):
    """The limits of every user but the owner."""

    runs: Count = 10
    waiting: Count = 100
    sessions: Count = 10_000
    storage: Bytes = 10 * 10**9
    uploads: Bytes = 400_000_000
    viewers: Count = 100
    model_calls: Count = 20_000
    tokens: Count = 50_000_000


class WorkspaceQuota(Quota):
    """The limits of all users but the owner together."""

    runs: Count = 200
    waiting: Count = 2000
    uploads: Bytes = 400_000_000
    viewers: Count = 2000


class Limits(BaseModel):
    """All limits. The owner has none.

    Attributes:
        user: Of every user.
        workspace: Of all users together.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    user: UserQuota = UserQuota()
    workspace: WorkspaceQuota = WorkspaceQuota()


def read_limits(path: Path) -> Limits:
    """The limits that a file sets; what it does not name has its default.

    Raises:
        PersonError: It cannot be read, or is no file of limits; the message names the line or the limit.
    """
    try:
        return Limits.model_validate(tomllib.loads(path.read_text("utf-8")))
    except OSError as error:
        raise PersonError(f"The file of limits {path} cannot be read: {error.strerror}. Check --limits.") from None
    except ValueError as error:  # of TOML, of UTF-8, of pydantic
        why = _first(error) if isinstance(error, ValidationError) else str(error)
        raise PersonError(f"{path} is no file of limits: {why}. Operate › Limits and activity shows one.") from None


def _first(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in found["loc"] if part not in ("int", "float"))
    if found["type"] == "extra_forbidden":
        known = "the tables are user and workspace" if "." not in where else f"the limits are {', '.join(LIMITS)}"
        return f"{where} is not known: {known}"
    if found["type"] == "int_type":
        return f'{where} takes a whole number or "{UNLIMITED}"'
    return f"{where}: {found['msg'].removeprefix('Value error, ')}"


def reached(
    limit: Limit, used: float, most: float, *, of_all: bool = False, shown: tuple[str, str], seconds: float | None = None
) -> LimitReachedError:
    """The error of a limit that is reached.

    Args:
        limit: The limit.
        used: How much is used.
        most: The limit's value.
        of_all: Whether it is that of all users together.
        shown: Both of them in words.
        seconds: Seconds until it is free again; None where that depends on what users do.
    """
    who = "All users together have" if of_all else "You have"
    again = f"It is free again at 00:00 UTC, in {_hours(seconds)}." if seconds is not None else _CURES[limit]
    cure = f"{again} The owner can raise the limit." if of_all or limit in DAILY else again
    message = f"{who} used {shown[0]} of {shown[1]} {LIMIT_NAMES[limit]}: that is the limit {limit!r}. {cure}"
    return LimitReachedError(message, limit=limit, used=used, most=most, retry_after=seconds)


def _hours(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"  # noqa: PLR2004  of an hour
