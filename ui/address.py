"""What the page's address says: `?pipeline=&session=&event=&tab=&model=`. The address is the only place that keeps it.

So a refresh, a second tab and a link all show the same. Knows names, not whether there is anything behind them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

import streamlit as st


@dataclass(frozen=True, slots=True)
class Address:
    """What a page shows, by name. None where the address says nothing.

    Attributes:
        pipeline: The pipeline.
        session: One of its sessions; None for a new one.
        event: The event that is looked at.
        tab: The tab of the inspector that is open.
        model: The model chosen for the next run; None for the simulated one.
    """

    pipeline: str | None = None
    session: str | None = None
    event: str | None = None
    tab: str | None = None
    model: str | None = None

    def parameters(self) -> dict[str, str]:
        """What the address is to say, without what is not set."""
        return {name: value for name, value in asdict(self).items() if value}


def current() -> Address:
    """The address of this page."""
    given = st.query_params
    return Address(**{name: given.get(name) or None for name in Address.__slots__})


def go(target: Address) -> None:
    """Shows another address from the next run of the script on; the browser's Back button leads back.

    What is said already keeps its place: the same address in another order would be another entry in the history.
    """
    said, wanted = st.query_params.to_dict(), target.parameters()
    if wanted != said:
        st.query_params.from_dict({name: wanted[name] for name in [*said, *wanted] if name in wanted})


def open_session(pipeline: str, session: str | None) -> None:
    """Goes to a session, or with None to a new one. The chosen model and tab stay."""
    here = current()
    if (here.pipeline, here.session) != (pipeline, session):
        go(replace(here, pipeline=pipeline, session=session, event=None))
