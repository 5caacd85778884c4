"""The section Use: what the user uses of their limits; for the owner that of all users."""

from __future__ import annotations

import time

import streamlit as st

from agents.runs import LIMIT_NAMES, RunManager, Use, in_words
from ui.text.browser_time import local_time
from ui.text.labels import plain
from ui.text.user_names import name_of

_WORDS = {
    "runs": "Runs at once",
    "waiting": "Runs waiting",
    "sessions": "Sessions",
    "storage": "Storage",
    "viewers": "Open pages",
    "model_calls": "Model calls today",
    "tokens": "Tokens today",
    "cost": "Cost today, US dollars",
}
_NEARLY = 0.9
"""The share of a limit from which it is nearly used up."""


def show(manager: RunManager) -> None:
    """Draws the section."""
    own = manager.use.own()
    with st.container(border=True, key="own_use"):
        st.subheader("Yours", anchor=False)
        if manager.user.is_owner:
            st.caption("You have no limits. Others have those of the file of `--limits`, or the usual ones.")
        with st.container(gap="xsmall"):
            for use in own:
                _bar(use)
        st.caption(f"A day begins at {local_time(_midnight()):%H:%M} here, which is 00:00 UTC.")
    if manager.user.is_owner:
        with st.container(border=True, key="all_use"):
            _everyone(manager)


def _bar(use: Use) -> None:
    said = f"**{_WORDS[use.limit]}**  {in_words(use.limit, use.used)}"
    if use.most is None:
        st.markdown(said)
        return
    said += f" of {in_words(use.limit, use.most)}"
    share = 1.0 if use.used >= use.most else use.used / use.most
    if share >= _NEARLY:
        when = "" if use.free_at is None else f", free again at {local_time(use.free_at):%H:%M}"
        said += f" :red-badge[used up{when}]" if share >= 1 else f" :orange-badge[nearly used up{when}]"
    st.progress(share, text=said)


def _everyone(manager: RunManager) -> None:
    st.subheader("All users", anchor=False)
    everyone = manager.use.everyone()
    if not everyone:
        st.caption("Nobody has used anything yet.")
        return
    rows = [_row(manager, user, uses) for user, uses in everyone.items()]
    columns = {
        "User": st.column_config.TextColumn(width="medium"),
        "Nearest limit": st.column_config.ProgressColumn(
            format="percent", min_value=0.0, max_value=1.0, help=_help(manager)
        ),
        _WORDS["storage"]: st.column_config.NumberColumn(format="bytes"),
        _WORDS["tokens"]: st.column_config.NumberColumn(format="localized"),
        _WORDS["cost"]: st.column_config.NumberColumn(format="dollar"),
    }
    st.dataframe(rows, column_config=columns, hide_index=True, key="use_of_all")
    st.caption("Click a column to sort by it.")


def _row(manager: RunManager, user: str, uses: list[Use]) -> dict[str, object]:
    shares = [use.used / use.most for use in uses if use.most]
    return {
        "User": name_of(manager, user),
        "Nearest limit": min(1.0, max(shares, default=0.0)),
        **{_WORDS[use.limit]: use.used for use in uses},
    }


def _help(manager: RunManager) -> str:
    quota = manager.use.limits.user
    told = [
        f"{in_words(limit, most)} {name}" for limit, name in LIMIT_NAMES.items() if (most := quota.most(limit)) is not None
    ]
    return plain("Every user may have " + ", ".join(told) + ".")


def _midnight() -> float:
    return (time.time() // 86_400 + 1) * 86_400
